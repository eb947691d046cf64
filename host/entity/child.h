/* Starts, watches and ends an Entry's command, in the sandbox of sandbox.h or without one.
 * Terminal, keys and descriptors are the same in both. */
#ifndef ENTITY_CHILD_H
#define ENTITY_CHILD_H

#include "base/status.h"
#include "entity/program.h"

#include <stdbool.h>
#include <sys/types.h>

struct sandbox;

struct child {
    pid_t pid;           /* of the command, or of the first process in its sandbox */
    int out_fd;          /* its output: pty master, or a pipe's end; non-blocking */
    int in_fd;           /* its input: the same pty master, or a pipe's end; non-blocking */
    int slave_fd;        /* keeps the pty alive when the program closes its own descriptors; -1 on
                          * pipes */
    int err_fd;          /* its standard error, non-blocking */
    int said_fd;         /* socket of an adapter's outcomes, see apart_told.h; -1: not an adapter */
    int lpp_fd, port_fd; /* see program_lpp_fd(), program_port_fd(); -1: none */
    int desk_fd; /* a communications program's terminal: pty master, non-blocking; out_fd, in_fd and
                  * slave_fd are then its port's. -1: not such a program */
    int news_fd; /* readable when child_reap() has news of the sandbox; -1: no sandbox */
    struct sandbox *sandbox;
    bool ended; /* the command has ended ... */
    int status; /* ... with this status, as of waitpid() */
};

#define CHILD_NONE                                                                                 \
    ((struct child){.pid = -1,                                                                     \
                    .out_fd = -1,                                                                  \
                    .in_fd = -1,                                                                   \
                    .slave_fd = -1,                                                                \
                    .err_fd = -1,                                                                  \
                    .said_fd = -1,                                                                 \
                    .lpp_fd = -1,                                                                  \
                    .port_fd = -1,                                                                 \
                    .desk_fd = -1,                                                                 \
                    .news_fd = -1})

/* Runs `/bin/sh -c command` in a session of its own, with default signals and the descriptors 0, 1
 * and 2; an adapter also has those of apart_told.h. In a sandbox, see sandbox.h. Without a sandbox
 * the command has the caller's environment. If the place names no folder, the command has the
 * caller's working directory. A place with a sandbox has a folder. lpp_from: see sandbox.h. Errors:
 * those of sandbox_open(), and BL_IO.
 *
 * * {port} of a communications program is a raw terminal that replaces a serial port. In a sandbox
 * the program's own terminal has the settings of a person's, and takes its standard error.
 *
 * * The pty of any other program is in canonical mode: BackSpace edits the line that the program
 * reads. A program that wants every key at once must set its terminal so. There is no echo, no
 * output processing and no translation, except Return in TURN_TWO_RETURNS (CR to NL). TERM is
 * "dumb". Standard error goes to err_fd. */
enum bl_status child_start(struct child *child, const struct program_options *options,
                           const char *lpp_from, struct bl_diag *diag);

/* Gives a pty the settings described at child_start(). False, with errno, on failure. */
bool child_terminal(int slave_fd, enum turn_end turn_end, unsigned columns, unsigned rows);

/* Reaps ended processes. Called after news and after SIGCHLD, by a caller without other children.
 * False: no process of the command is left. */
bool child_reap(struct child *child);

/* True if all processes of the command sleep, one of them in a read. Without a sandbox always
 * false. */
bool child_waits(const struct child *child);

/* The resource of which the command took too much, so that the sandbox killed it; NULL: none. */
const char *child_excess(const struct child *child);

/* Signals the command's group and, without a sandbox, its orphans. */
void child_signal(const struct child *child, int signal);

/* Closes the terminal or the pipes: the program sees a hang-up. */
void child_hang_up(struct child *child);

/* Kills all remaining processes of the command. In a sandbox all are gone on return. */
void child_kill(struct child *child);

/* Writes a judge's key as at most CHILD_KEY_MAX bytes, and returns their number. On a terminal
 * BackSpace becomes the erase character (0x7F by default), on pipes 0x08. */
#define CHILD_KEY_MAX 4
size_t child_key(const struct child *child, enum turn_end turn_end, uint32_t point,
                 uint8_t out[CHILD_KEY_MAX]);

#endif
