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

/* Reads the beginning of /proc/PID/NAME as text. False: the file is empty or cannot be read. */
bool process_text(const char *pid, const char *name, char *text, size_t room);

/* True if the thread sleeps in a read, poll or select. name: its file below /proc/PID, such as
 * "task/12/wchan". */
bool process_reads(const char *pid, const char *name);

/* Gives the calling process ordinary priority instead of the terminal's. Safe between fork() and
 * execve(). */
void process_ordinary(void);

/* True if all processes of a session sleep, one of them in a read, poll or select. The program then
 * waits for input. Other ways to wait are not recognised. */
bool process_session_waits(pid_t session);

#endif
