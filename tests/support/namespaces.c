#include "tests/support/namespaces.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

bool namespaces_may_be(void)
{
    int status = 1;
    pid_t pid = fork();
    if (pid == 0)
        _exit(unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC) !=
              0);
    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

void namespaces_skip(const char *why)
{
    if (namespaces_may_be())
        fail_msg("%s", why);
    printf("# %s\n", why);
    skip();
}
