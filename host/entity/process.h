/* The processes of an Entry, as /proc shows them. */
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

/* Reads the beginning of /proc/`pid`/`name` as text; false if the file is empty or cannot be
 * read. */
bool process_text(const char *pid, const char *name, char *text, size_t room);

/* True if the thread sleeps in a read. `name` is its wchan, as "wchan", "task/12/wchan". */
bool process_reads(const char *pid, const char *name);

/* Removes the real-time priority that the terminal's unit gave to the terminal from the present
 * process. For an Entry's process between fork() and execve(), where the call is safe. */
void process_ordinary(void);

/* True if all processes of a session sleep, one of them in a read, poll or select: the program is
 * ready for its first input. A program that waits in another way is not recognised. */
bool process_session_waits(pid_t session);

#endif
