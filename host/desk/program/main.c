#include "desk/program/desk.h"

#include <signal.h>
#include <sys/prctl.h>

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_IGN);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    return desk_run(argc, argv);
}
