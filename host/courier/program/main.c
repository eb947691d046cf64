#include "courier/program/courier.h"

#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    static struct courier *courier;
    signal(SIGPIPE, SIG_IGN);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    int code = courier_run(&courier, argc, argv);
    if (courier && courier_has_new_key(courier))
        execv("/proc/self/exe", argv);
    return code;
}
