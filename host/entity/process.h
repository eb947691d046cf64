/* The processes of an Entry by /proc. */
#ifndef ENTITY_PROCESS_H
#define ENTITY_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct process {
    pid_t pid, parent, session;
    char state; /* R, S, D, Z, T as in proc(5) */
};

/* Calls each() for every process of the machine. */
void process_each(void (*each)(void *ctx, const struct process *process), void *ctx);

/* Reads the beginning of /proc/`pid`/`name` as text; false if it is empty or cannot be read. */
bool process_text(const char *pid, const char *name, char *text, size_t room);

/* Does the thread sleep to read something? `name` is its wchan, as "wchan", "task/12/wchan". */
bool process_reads(const char *pid, const char *name);

/* Takes from this process the real-time priority that the terminal's unit gave the terminal. For an
 * Entry's process, between fork() and execve(), where it is safe to call. */
void process_ordinary(void);

/* True if all processes of a session sleep, one of them in a read, poll or select: a program is
 * then ready for its first input. A program that waits by other means is not seen. */
bool process_session_waits(pid_t session);

#endif
