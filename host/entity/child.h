/* An Entry's command: start, watch and end, in the sandbox of sandbox.h (also under `boothlink
 * validate`) or without one. Terminal, keys and descriptors are the same in both. Only the keeper
 * starts an Entry so. The validator opens its sandbox itself, and uses the functions for terminal
 * and keys. */
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
    int slave_fd;        /* held, so the pty outlives a program that closes it; -1 on pipes */
    int err_fd;          /* its standard error, non-blocking */
    int said_fd;         /* an adapter's outcomes, see apart_told.h; -1: not an adapter */
    int lpp_fd, port_fd; /* see program.h; -1: none */
    int desk_fd; /* a communications program's own terminal: pty master, non-blocking. out_fd, in_fd
                  * and slave_fd belong to its port then; -1: there is none */
    int news_fd; /* of the sandbox: readable when child_reap() has news; -1 without */
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

/* Runs `/bin/sh -c command` in a session of its own, with all signals as they are by default and no
 * descriptor but 0, 1 and 2; in the sandbox as sandbox.h has it, without it with the caller's
 * working directory and environment. Of the options it takes command, io, turn_end, columns, rows
 * and place, whose folder is not NULL unless it is open. lpp_from: see sandbox.h. Errors: of
 * sandbox_open(), and BL_IO.
 *
 * A communications program's {port} looks like a serial port, and its terminal is a person's; its
 * standard error goes there, too.
 *
 * On a pty its terminal is in canonical mode, so a program reading lines has them edited by
 * BackSpace as for a person there; one for every key at once tells its terminal, as ever. Nothing
 * is translated but Return in TURN_TWO_RETURNS (CR to NL), there is no echo and no output
 * processing; TERM is "dumb", for a page has no cursor to move. Standard error never goes to the
 * terminal: a warning of an interpreter is not what the Entry says. */
enum bl_status child_start(struct child *child, const struct program_options *options,
                           const char *lpp_from, struct bl_diag *diag);

/* Makes a pty the terminal described at child_start(). False, with errno, if impossible. */
bool child_terminal(int slave_fd, enum turn_end turn_end, unsigned columns, unsigned rows);

/* Reaps ended processes, after news and after SIGCHLD. The caller has no other children. False when
 * no process of the command is left. */
bool child_reap(struct child *child);

/* True if all processes of the command sleep, one of them in a read. Known in a sandbox only. */
bool child_waits(const struct child *child);

/* The resource for whose excess the sandbox kills; NULL: none. */
const char *child_excess(const struct child *child);

/* Signals the command's group and, without a sandbox, its orphans. */
void child_signal(const struct child *child, int signal);

/* Closes the terminal or the pipes: the program sees a hang-up. */
void child_hang_up(struct child *child);

/* Kills all remaining processes; with a sandbox none is left on return. */
void child_kill(struct child *child);

/* A judge's key as bytes for the child, at most CHILD_KEY_MAX; returns their number. BackSpace is
 * the erase character of its terminal (0x7F by default), on pipes 0x08. */
#define CHILD_KEY_MAX 4
size_t child_key(const struct child *child, enum turn_end turn_end, uint32_t point,
                 uint8_t out[CHILD_KEY_MAX]);

#endif
