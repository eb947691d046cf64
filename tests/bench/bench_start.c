/* What a command costs before it does anything: the processor time of boothlink version and of an
 * empty program, in turns. */
#include "tests/bench/rig.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define TURNS 500
#define GOAL  2.0 /* empty programs */

static double timeval_us(struct timeval time)
{
    return (double)time.tv_sec * 1e6 + (double)time.tv_usec;
}

/* Processor time of the program, its own and the kernel's for it, from exec to its end. */
static double start_us(char *program)
{
    char version[] = "version", *const argv[] = {program, version, NULL};
    posix_spawn_file_actions_t actions;
    struct rusage usage;
    int status;
    pid_t pid;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    int error = posix_spawn(&pid, program, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error)
        rig_die("%s: %s", program, strerror(error));
    if (wait4(pid, &status, 0, &usage) != pid || status != 0)
        rig_die("%s version failed", program);
    return timeval_us(usage.ru_utime) + timeval_us(usage.ru_stime);
}

int main(void)
{
    char boothlink[RIG_PATH_MAX], empty[RIG_PATH_MAX];
    double ours = 0, theirs = 0;
    rig_built(boothlink, "boothlink");
    rig_built(empty, "tests/bench/empty");
    for (unsigned i = 0; i < TURNS; i++) {
        ours += start_us(boothlink);
        theirs += start_us(empty);
    }
    rig_row("boothlink version, processor time", ours / TURNS, "us", "an empty program",
            theirs / TURNS, "<= 2.00 x an empty program", ours <= GOAL * theirs);
    return 0;
}
