/* Between the two sides of a sandbox: the caller's process, and the first process inside. */
#ifndef ENTITY_SANDBOX_PRIVATE_H
#define ENTITY_SANDBOX_PRIVATE_H

#include "entity/sandbox.h"
#include "entity/sandbox_group.h"

#include <limits.h>
#include <stdbool.h>

#define SANDBOX_TEXT 240

/* The caller's side sends the number of a signal, or this: start the command again. */
#define SANDBOX_AGAIN  255
#define SANDBOX_MAPPED 254 /* at the start, to root's: the users are mapped now */

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

/* Most tasks, threads included, in a sandbox by the kernel: above the limit of sandbox_watch(), and
 * harmless for the machine. */
#define SANDBOX_TASKS(options) ((options)->processes * 4 + 64)

/* MiB that the kernel permits in a sandbox, including the pages of files that it reads, which are
 * not counted otherwise. Only memory that grows faster than the counting, or of an uncounted kind,
 * reaches this limit. */
#define SANDBOX_MEMORY(options) ((options)->memory_mib * 2 + 64)

/* The memory that both sides see. */
struct sandbox_page {
    struct sandbox_facts facts;
    unsigned uid, gid;             /* ours */
    unsigned entry_uid, entry_gid; /* of the command: the caller's user, or nobody for root */
    int lower; /* its folder with nobody as the owner; -1: unchanged, or copied */
    struct sandbox_group group;
    char error[SANDBOX_TEXT]; /* the reason why its set-up failed */
};

/* The first process of the namespaces: sets everything up, sends the descriptors in one message,
 * runs the command and watches it. Never returns. user: there is a namespace of users, too. */
_Noreturn void sandbox_init(const struct sandbox_options *options, struct sandbox_page *page,
                            int socket, bool user);

#define SANDBOX_NOBODY 65534u

/* As root, makes a mount of the folder that belongs to nobody, for overlayfs; -1 where the kernel
 * or the file system cannot do that (sandbox_user.c). */
int sandbox_user_folder(const char *folder);

/* As root, maps root and nobody into the namespace of users that a process has made. */
bool sandbox_user_map(pid_t pid);

/* Without root, maps the process's own user alone, called by that process. */
bool sandbox_user_map_own(struct sandbox_page *page);

/* Limits a user namespace's share of the resources that the kernel counts per user; before anything
 * is read-only. */
void sandbox_user_bound(void);

/* The file systems (sandbox_mounts.c). */
struct sandbox_mounts {
    int folder, written, stage, lpp;
    int way;             /* listens at RELAY_PLACE; -1: none */
    char path[PATH_MAX]; /* path of the folder in the sandbox */
};
bool sandbox_mount(const struct sandbox_options *options, struct sandbox_mounts *mounts,
                   struct sandbox_page *page);

/* From now on refuses the system calls that no command needs (sandbox_calls.c); after
 * PR_SET_NO_NEW_PRIVS. */
bool sandbox_calls_refuse(void);

/* The network device, or the listening socket; -1 if it is impossible, or not TCP. */
int sandbox_net_open(const struct sandbox_options *options);

/* Its file systems that are in memory. */
struct sandbox_files {
    int fd[2];       /* -1: none */
    uint64_t before; /* bytes that they held when its command was first started */
};
uint64_t sandbox_files_used(const struct sandbox_files *files);

/* Counts the memory (sandbox_memory.c): asks the kernel for the whole group or, without a group,
 * adds up /proc. Above `most` it takes more time and is exact. */
void sandbox_memory_count(const struct sandbox_group *group, uint64_t files, uint64_t most,
                          struct sandbox_memory *memory);

/* Counts the processes in /proc into the facts (sandbox_watch.c). True if a change must be told to
 * the other side. */
bool sandbox_watch(const struct sandbox_options *options, const struct sandbox_group *group,
                   const struct sandbox_files *files, struct sandbox_facts *facts);

/* Notes whether the kernel has killed a process at the limit of memory. */
void sandbox_watch_kernel(const struct sandbox_options *options, const struct sandbox_group *group,
                          struct sandbox_facts *facts);

/* Calls each() with the number of each process but the first, until each() returns false. */
void sandbox_each(bool (*each)(void *ctx, const char *pid), void *ctx);

/* Writes the reason with the text of errno and returns false. */
bool sandbox_failed(struct sandbox_page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
