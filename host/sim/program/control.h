/* The sources of commands: the control socket, and the clock. */
#ifndef SIM_CONTROL_H
#define SIM_CONTROL_H

#include <stddef.h>

/* The control socket. control_send() is the client mode: sends lines, prints the answers, and
 * returns an exit code. */
void control_open(const char *path);
void control_close(void);
int control_send(const char *path, char *const *lines, size_t count);
/* Sends one line and writes the answer, without its newline, to `answer`. */
void control_ask(const char *path, const char *line, char *answer, size_t size);

/* Timed commands: "MS COMMAND" in a line of a file, "MS:COMMAND" as an option. */
void schedule_add(const char *text, const char *where);
void schedule_load(const char *path);
void schedule_start(void);

#endif
