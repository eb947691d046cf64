/* The two sides of a sandbox: the caller's process, and the first process inside. */
#ifndef ENTITY_SANDBOX_PRIVATE_H
#define ENTITY_SANDBOX_PRIVATE_H

#include "entity/sandbox.h"
#include "entity/sandbox_group.h"

#include <limits.h>
#include <stdbool.h>

#define SANDBOX_TEXT 240

/* A request of the caller's side, in the place of a signal's number: start the command again. */
#define SANDBOX_AGAIN  255
#define SANDBOX_MAPPED 254 /* a request at the start, for root: the users are mapped now */

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

/* Most tasks, threads included, by the kernel: above the limit of sandbox_watch(), and harmless for
 * the machine. */
#define SANDBOX_TASKS(options) ((options)->processes * 4 + 64)

/* MiB that the kernel permits, including pages of files, which are not counted otherwise. Reached
 * by memory that grows faster than the counting, or of an uncounted kind. */
#define SANDBOX_MEMORY(options) ((options)->memory_mib * 2 + 64)

struct sandbox_page {
    struct sandbox_facts facts;
    unsigned uid, gid;             /* ours */
    unsigned entry_uid, entry_gid; /* of the command: the caller's user, or nobody for root */
    int lower; /* the folder with nobody as its owner; -1: unchanged, or copied */
    struct sandbox_group group;
    char error[SANDBOX_TEXT]; /* the reason why its set-up failed */
};

/* The first process of the namespaces. Sets everything up, sends the descriptors in one message,
 * runs the command and watches it. Never returns. user: there is a namespace of users, too. */
_Noreturn void sandbox_init(const struct sandbox_options *options, struct sandbox_page *page,
                            int socket, bool user);

#define SANDBOX_NOBODY 65534u

/* As root, makes a mount of the folder that belongs to nobody, for overlayfs. -1: the kernel or the
 * file system cannot do that (sandbox_user.c). */
int sandbox_user_folder(const char *folder);

/* As root, maps root and nobody into the namespace of users that a process has made. */
bool sandbox_user_map(pid_t pid);

/* Without root, maps the process's own user. Called by that process. */
bool sandbox_user_map_own(struct sandbox_page *page);

/* Limits the use of the resources that the kernel counts per user. Called before anything is
 * read-only. */
void sandbox_user_bound(void);

/* The file systems (sandbox_mounts.c). */
struct sandbox_mounts {
    int folder, written, stage, lpp;
    int way;             /* listens at RELAY_PLACE; -1: none */
    char path[PATH_MAX]; /* path of the folder in the sandbox */
};
bool sandbox_mount(const struct sandbox_options *options, struct sandbox_mounts *mounts,
                   struct sandbox_page *page);

/* Refuses the system calls that no command needs, from now on (sandbox_calls.c). Called after
 * PR_SET_NO_NEW_PRIVS. */
bool sandbox_calls_refuse(void);

/* Returns the network device, or the listening socket; -1: not possible, or no TCP. */
int sandbox_net_open(const struct sandbox_options *options);

/* The sandbox's file systems in memory. */
struct sandbox_files {
    int fd[2];       /* -1: none */
    uint64_t before; /* bytes in them when the command was first started */
};
uint64_t sandbox_files_used(const struct sandbox_files *files);

/* Counts the memory (sandbox_memory.c). The kernel counts the whole group; without a group /proc is
 * added up. Above `most` the count takes more time and is exact. */
void sandbox_memory_count(const struct sandbox_group *group, uint64_t files, uint64_t most,
                          struct sandbox_memory *memory);

/* Counts the processes in /proc into the facts (sandbox_watch.c). True: a change must be reported
 * to the other side. */
bool sandbox_watch(const struct sandbox_options *options, const struct sandbox_group *group,
                   const struct sandbox_files *files, struct sandbox_facts *facts);

/* Notes whether the kernel has killed a process at the limit of memory. */
void sandbox_watch_kernel(const struct sandbox_options *options, const struct sandbox_group *group,
                          struct sandbox_facts *facts);

/* Calls each() with the number of each process except the first, until each() returns false. */
void sandbox_each(bool (*each)(void *ctx, const char *pid), void *ctx);

/* Writes the reason with the text of errno and returns false. */
bool sandbox_failed(struct sandbox_page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
