/* The kernel's own bounds and counts for a sandbox. */
#ifndef ENTITY_SANDBOX_GROUP_H
#define ENTITY_SANDBOX_GROUP_H

#include <stdbool.h>
#include <stdint.h>

struct sandbox_memory {
    uint64_t own;    /* memory of single processes */
    uint64_t shared; /* memory that processes share, and files kept in memory */
};

/* Control groups, one in each hierarchy with our controllers (sandbox_group.c). A missing one is
 * -1. RLIMIT_NPROC then bounds a user's tasks, and memory is counted. */
#define SANDBOX_GROUPS 3
struct sandbox_group {
    char name[64];
    int parent[SANDBOX_GROUPS]; /* the folders of the groups, outside the sandbox */
    int members[SANDBOX_GROUPS];
    int refusals, kills, memory; /* the kernel's reports on them */
};
#define SANDBOX_GROUP_NONE                                                                         \
    ((struct sandbox_group){.parent = {-1, -1, -1},                                                \
                            .members = {-1, -1, -1},                                               \
                            .refusals = -1,                                                        \
                            .kills = -1,                                                           \
                            .memory = -1})
void sandbox_group_open(struct sandbox_group *group, unsigned tasks, unsigned memory_mib);
/* Puts the calling process into the group, with its later children. */
bool sandbox_group_join(const struct sandbox_group *group);
/* True if the kernel has refused a task, or killed a process for memory. */
bool sandbox_group_refused(const struct sandbox_group *group);
bool sandbox_group_killed(const struct sandbox_group *group);
/* False: the kernel does not count the memory. */
bool sandbox_group_memory(const struct sandbox_group *group, struct sandbox_memory *memory);
/* Called after the end of the last process. A removed group is no error. Waits for the kernel, a
 * second at most. */
void sandbox_group_remove(const struct sandbox_group *group);
void sandbox_group_close(struct sandbox_group *group); /* removes the group, and closes it */

#endif
