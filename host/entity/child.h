/* Starting an Entry's command on a pty or on pipes. Used by the keeper; the validator, which starts
 * it in a sandbox, makes its terminal and its keys the same. */
#ifndef ENTITY_CHILD_H
#define ENTITY_CHILD_H

#include "base/status.h"
#include "entity/program.h"

#include <stdbool.h>
#include <sys/types.h>

struct child {
    pid_t pid;
    int out_fd;   /* its output: pty master, or a pipe's end; non-blocking */
    int in_fd;    /* its input: the same pty master, or a pipe's end; non-blocking */
    int slave_fd; /* keeps the pty alive when all of the program have closed it; -1 on pipes */
    int err_fd;   /* its standard error, non-blocking */
};

/* Runs `/bin/sh -c command` in a session of its own, with all signals as they are by default, no
 * descriptor but 0, 1 and 2, and the caller's working directory and environment.
 *
 * On a pty its terminal is in canonical mode, so that a program that reads lines has them edited
 * by BackSpace as for a person there; one that wants every key at once says so to its terminal, as
 * ever. Nothing is translated but Return in TURN_TWO_RETURNS (CR to NL), there is no echo and no
 * output processing; TERM is "dumb", for a page has no cursor to move. Standard error never goes to
 * the terminal: a warning of an interpreter is not what the Entry says. */
enum bl_status child_start(struct child *child, const char *command, enum program_io io,
                           enum turn_end turn_end, unsigned columns, unsigned rows,
                           struct bl_diag *diag);

/* Makes a pty the terminal that child_start() describes. False, with errno, if it cannot be. */
bool child_terminal(int slave_fd, enum turn_end turn_end, unsigned columns, unsigned rows);

/* Closes the descriptors; the process is the caller's. */
void child_close(struct child *child);

/* The bytes that a judge's key is to this child, at most CHILD_KEY_MAX; returns their number.
 * BackSpace is the erase character of its terminal (0x7F by default), on pipes 0x08. */
#define CHILD_KEY_MAX 4
size_t child_key(const struct child *child, enum turn_end turn_end, uint32_t point,
                 uint8_t out[CHILD_KEY_MAX]);

#endif
