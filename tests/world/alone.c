#include "alone.h"

#include "world.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef COVERED
void __gcov_dump(void);
#else
#define __gcov_dump()
#endif

void world_apart(void (*run)(const void *setup, void *result), const void *setup, void *result,
                 size_t size, unsigned seconds)
{
    int pipes[2], status;
    memset(result, 0, size);
    fflush(stdout);
    if (pipe(pipes))
        world_die("no pipe");
    pid_t pid = fork();
    if (pid == 0) {
        setrlimit(RLIMIT_CPU, &(struct rlimit){seconds, seconds + 1});
        run(setup, result);
        fflush(stdout);
        __gcov_dump();
        _exit(write(pipes[1], result, size) != (ssize_t)size);
    }
    close(pipes[1]);
    ssize_t n = read(pipes[0], result, size);
    close(pipes[0]);
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        world_die("no process for a world");
    if (n != (ssize_t)size) {
        memset(result, 0, size);
        snprintf(result, ALONE_WRONG, "crash: %s",
                 WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "its process ended");
    }
}
