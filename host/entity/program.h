/* An Entry: somebody else's program on a pty or on pipes. Its output is read byte by byte as it is
 * written; what it does wrong is an outcome, told in words, and never stops the terminal.
 *
 * A keeper process (keeper.h) owns the program and its pty, so that a killed terminal does not take
 * the Entry with it: started again, the terminal gets the same program back.
 * Source: issue of the booth pair, part 6; field report, "Entrants' side". */
#ifndef ENTITY_PROGRAM_H
#define ENTITY_PROGRAM_H

#include "base/status.h"
#include "session/event.h"

#include <uv.h>

enum program_io { PROGRAM_PTY, PROGRAM_PIPE };
enum turn_end { TURN_LF, TURN_CR, TURN_CRLF, TURN_TWO_RETURNS };

struct program_options {
    const char *command; /* run by /bin/sh -c */
    enum program_io io;
    enum turn_end turn_end; /* what a judge's Return is to the program. two-returns: 1996 spec 1d */
    bool strip_echo;        /* drop from its output what it echoes of the judge's keys */
    const char *strip_prompt; /* POSIX extended regex dropped where it stands at a line's start,
                                 NULL none */
    unsigned columns, rows;   /* of the pty */
    const char *keeper_dir;   /* 0700 directory for the keeper's socket, e.g. the journal's */
    const char *session;      /* names the keeper's socket with it */
    uint64_t delivered; /* fresh start with an existing journal: the judge's keys up to this number
                           were given to an earlier run; with a living keeper its own count holds */
};

enum program_event {
    PROGRAM_STARTED,
    PROGRAM_RESUMED, /* the keeper still had it */
    PROGRAM_READY,   /* it runs and waits: readable or asleep in a read, or has written something */
    PROGRAM_EXITED,  /* code or signal in the text */
    PROGRAM_FLOOD,   /* more than the line carries: it is being held */
    PROGRAM_SILENT,  /* nothing for 60 s after a turn ended */
    PROGRAM_BAD_UTF8, /* count of bytes that were no UTF-8, replaced by U+FFFD */
    PROGRAM_IGNORED,  /* count of controls and escape sequences that are no keys */
    PROGRAM_STUCK,    /* it does not read what the judge types: kernel buffer full */
};

struct program_handler {
    /* A key from the program. Not called while reading is off. */
    void (*key)(void *ctx, uint32_t point);
    /* An outcome for the record and the screen; text is one line. */
    void (*event)(void *ctx, enum program_event event, uint32_t count, const char *text);
};

struct program;

/* Starts the program or gets it back from a living keeper. Reading is off at first. handler is
 * copied. */
enum bl_status program_open(struct program **out, uv_loop_t *loop,
                            const struct program_options *options,
                            const struct program_handler *handler, void *ctx, struct bl_diag *diag);

/* How many keys may be handed over now: 0 stops the reading (what the program writes then waits in
 * the kernel, never lost). key() is called at most this often until the next program_allow. */
void program_allow(struct program *program, unsigned keys);

/* Gives one of the judge's keys, number n of the order, to the program. Bytes that it does not take
 * now are queued; BL_FULL when 4,096 wait (PROGRAM_STUCK has said so). Numbers not above
 * program_delivered() are skipped, so a replay after a restart gives nothing twice. */
enum bl_status program_give(struct program *program, uint64_t n, uint32_t point);
uint64_t program_delivered(const struct program *program);

bool program_running(const struct program *program);

/* Ends the program (hang-up, then after 2 s SIGKILL to its process group) and the keeper. NULL is
 * allowed. */
void program_close(struct program *program);

#endif
