/* Between the two sides of a sandbox: ours, and its first process. */
#ifndef VALIDATE_SANDBOX_PRIVATE_H
#define VALIDATE_SANDBOX_PRIVATE_H

#include "validate/sandbox.h"

#include <limits.h>
#include <stdbool.h>

#define SANDBOX_TEXT 240

/* What our side sends is the number of a signal, or this: start the command again. */
#define SANDBOX_AGAIN 255

enum sandbox_fd {
    SANDBOX_IN,
    SANDBOX_OUT,
    SANDBOX_ERR,
    SANDBOX_NET,
    SANDBOX_FOLDER,
    SANDBOX_WRITTEN,
    SANDBOX_STAGE,
    SANDBOX_LPP,
    SANDBOX_FDS
};

/* Tasks (threads count, too) that the kernel lets a sandbox have: enough for what sandbox_watch()
 * allows, and little enough for the machine. */
#define SANDBOX_TASKS(options) ((options)->processes * 4 + 64)

/* A control group that bounds the tasks (sandbox_group.c); with -1 and an empty path where there is
 * none. A user's tasks are bounded by RLIMIT_NPROC. */
#define SANDBOX_GROUP 96
struct sandbox_group {
    int members_fd, events_fd; /* who writes "0" to the first one is in it */
    char path[SANDBOX_GROUP];
};
void sandbox_group_open(struct sandbox_group *group, unsigned tasks);
bool sandbox_group_refused(const struct sandbox_group *group); /* has it refused a task? */
/* To be called when its last process has gone. */
void sandbox_group_close(struct sandbox_group *group);

/* The memory that both see. */
struct sandbox_page {
    struct sandbox_facts facts;
    unsigned uid, gid; /* ours, which are also those of the command */
    struct sandbox_group group;
    char error[SANDBOX_TEXT]; /* why it could not be set up */
};

/* The first process of the namespaces: sets all up, hands over the descriptors in one message, runs
 * the command and watches it. Never returns. user: the namespaces include one of users. */
_Noreturn void sandbox_init(const struct sandbox_options *options, struct sandbox_page *page,
                            int socket, bool user);

/* The file systems (sandbox_mounts.c). */
struct sandbox_mounts {
    int folder, written, stage, lpp;
    char path[PATH_MAX]; /* of the folder in the sandbox */
};
bool sandbox_mount(const struct sandbox_options *options, struct sandbox_mounts *mounts,
                   struct sandbox_page *page);

/* The network device; -1 if there can be none. */
int sandbox_net_open(enum sandbox_net net, const char *address);

/* Counts the processes in /proc into the facts (sandbox_watch.c). Returns whether something has
 * changed that the other side is to be told. */
bool sandbox_watch(const struct sandbox_options *options, const struct sandbox_group *group,
                   struct sandbox_facts *facts);

/* Writes the reason with the text of errno and returns false. */
bool sandbox_failed(struct sandbox_page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
