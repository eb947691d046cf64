/* Between the two sides of a sandbox: ours, and its first process. */
#ifndef ENTITY_SANDBOX_PRIVATE_H
#define ENTITY_SANDBOX_PRIVATE_H

#include "entity/sandbox.h"
#include "entity/sandbox_group.h"

#include <limits.h>
#include <stdbool.h>

#define SANDBOX_TEXT 240

/* Our side sends the number of a signal, or this: start the command again. */
#define SANDBOX_AGAIN  255
#define SANDBOX_MAPPED 254 /* at the start, to root's: its users are mapped now */

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

/* Tasks (threads count, too) that the kernel lets a sandbox have: enough for the limit of
 * sandbox_watch(), and little enough for the machine. */
#define SANDBOX_TASKS(options) ((options)->processes * 4 + 64)

/* MiB that the kernel lets a sandbox have, with the pages of files it reads, which are not counted.
 * Only memory taken faster than the counting, or of an uncounted kind, comes so far. */
#define SANDBOX_MEMORY(options) ((options)->memory_mib * 2 + 64)

/* The memory that both see. */
struct sandbox_page {
    struct sandbox_facts facts;
    unsigned uid, gid;             /* ours */
    unsigned entry_uid, entry_gid; /* of the command: ours, or nobody's where we are root */
    int lower; /* its folder with nobody as its owner; -1: it stays as it is, or is copied */
    struct sandbox_group group;
    char error[SANDBOX_TEXT]; /* the reason against its set-up */
};

/* The first process of the namespaces: sets all up, hands over the descriptors in one message, runs
 * the command and watches it. Never returns. user: the namespaces include one of users. */
_Noreturn void sandbox_init(const struct sandbox_options *options, struct sandbox_page *page,
                            int socket, bool user);

#define SANDBOX_NOBODY 65534u

/* As root, makes a mount of the folder in which it is nobody's, as overlayfs takes it; -1 where the
 * kernel or the file system cannot (sandbox_user.c). */
int sandbox_user_folder(const char *folder);

/* As root, maps root and nobody into the namespace of users that a process has made. */
bool sandbox_user_map(pid_t pid);

/* The same by that process itself, which is no root: its own user alone. */
bool sandbox_user_map_own(struct sandbox_page *page);

/* Bounds a user namespace's share of resources that the kernel counts by user; before anything is
 * read-only. */
void sandbox_user_bound(void);

/* The file systems (sandbox_mounts.c). */
struct sandbox_mounts {
    int folder, written, stage, lpp;
    int way;             /* listens at RELAY_PLACE; -1: nobody does */
    char path[PATH_MAX]; /* of the folder in the sandbox */
};
bool sandbox_mount(const struct sandbox_options *options, struct sandbox_mounts *mounts,
                   struct sandbox_page *page);

/* Refuses from now on the calls that no command may make (sandbox_calls.c); after
 * PR_SET_NO_NEW_PRIVS. */
bool sandbox_calls_refuse(void);

/* The network device, or the socket that listens; -1 if there can be none, or it is no TCP. */
int sandbox_net_open(const struct sandbox_options *options);

/* Its file systems that are in memory. */
struct sandbox_files {
    int fd[2];       /* -1: none */
    uint64_t before; /* bytes that were in them when its command was started first */
};
uint64_t sandbox_files_used(const struct sandbox_files *files);

/* Counts the memory (sandbox_memory.c): asks the kernel for all of the group or, if there is none,
 * adds up /proc. It takes longer for more than `most`, to be exact then. */
void sandbox_memory_count(const struct sandbox_group *group, uint64_t files, uint64_t most,
                          struct sandbox_memory *memory);

/* Counts the processes in /proc into the facts (sandbox_watch.c). Returns whether something has
 * changed that the other side is to be told. */
bool sandbox_watch(const struct sandbox_options *options, const struct sandbox_group *group,
                   const struct sandbox_files *files, struct sandbox_facts *facts);

/* Notes if the kernel has killed one of them at the limit of its memory. */
void sandbox_watch_kernel(const struct sandbox_options *options, const struct sandbox_group *group,
                          struct sandbox_facts *facts);

/* Calls each() with the number of each process but the first, which is ours, until it returns
 * false. */
void sandbox_each(bool (*each)(void *ctx, const char *pid), void *ctx);

/* Writes the reason with the text of errno and returns false. */
bool sandbox_failed(struct sandbox_page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
