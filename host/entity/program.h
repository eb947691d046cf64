/* An Entry: somebody else's program on a pty or on pipes. Its output is read byte by byte as it is
 * written; its faults are outcomes, told in words, and never stop the terminal.
 *
 * A keeper process (keeper.h) owns the program and its pty, so a killed terminal does not take the
 * Entry with it: started again, the terminal gets the same program back. Source: DESIGN.md,
 * "Entrants". */
#ifndef ENTITY_PROGRAM_H
#define ENTITY_PROGRAM_H

#include "base/status.h"
#include "entity/handed.h"
#include "rules/kind.h"
#include "session/event.h"

#include <uv.h>

enum program_io { PROGRAM_PTY, PROGRAM_PIPE };

/* A judge's Return as the program gets it, byte for byte. TURN_TWO_RETURNS is two carriage returns
 * and nothing else (1996 spec 1d; DESIGN.md, "Entrants"); a pty turns them into newlines (ICRNL),
 * like a person's, unless the program has set its terminal otherwise. */
enum turn_end { TURN_LF, TURN_CR, TURN_CRLF, TURN_TWO_RETURNS };

/* Their names on a command line and in a ticket, in the same order; NULL ends each. */
extern const char *const program_ios[], *const program_turn_ends[];

/* The place of an Entry. All zeros suit most: the sandbox of sandbox.h, in the working directory,
 * without a network. The caller keeps the strings; paths are absolute, without links. */
struct program_place {
    const char
        *folder;     /* the Entry's folder, of which it gets a copy; NULL: the working directory */
    const char *lpp; /* a folder in the sandbox for LPP, see program_lpp_fd() */
    const char *const
        *hidden; /* paths inside its folder that are hidden: the record, keys, tickets. NULL ends
                 * them; NULL: none */
    unsigned memory_mib, processes; /* 0: PROGRAM_MEMORY_MIB, PROGRAM_PROCESSES */
    unsigned port;      /* TCP port at 127.0.0.1 at which the Entry reaches this process alone, see
               * program_port_fd(); 0: none */
    const char *keeper; /* the socket of a keeper that the system starts as another user
                 * (boothlink-entry@.socket); NULL: a keeper of this user */
    bool open;          /* no sandbox: the program may do whatever this user may */
    enum kind_id
        ours; /* a program of ours runs, of that kind, with `command` as its arguments; 0: the
               * Entry's own */
    const char *server; /* the server that a program of ours asks, as in sandbox.h; NULL: none */
};
#define PROGRAM_MEMORY_MIB 1024
#define PROGRAM_PROCESSES  128

struct program_options {
    const char *command; /* command line for /bin/sh -c, with the environment of child.h */
    struct program_place place;
    int brief; /* a descriptor for boothlink-chat, read at each start; 0 or less: none */
    bool
        comms; /* the command is a communications program (2004 A6): the judge's keys and its own go
                * through a serial port, whose name replaces {port}, and program_type() types a
                * confederate's keys at its terminal; its drawing there is dropped */
    enum program_io io;
    enum turn_end turn_end;
    bool strip_echo; /* drop its echo of the judge's keys from its output (filter.h). For an Entry
                     * that does echo, since its own words may look like an echo */
    const char
        *strip_prompt; /* POSIX extended regex of a prompt, dropped at the start of a line, as often
                       * as it stands there; NULL: none. See prompt.h */
    unsigned columns, rows; /* size of the pty */
    const char *keeper_dir; /* 0700 directory for the keeper's socket, such as the journal's */
    const char *session;    /* completes the socket's name; of event.h's characters */
    unsigned keep_ms;   /* time for which the keeper outlives a killed terminal; 0: 10 minutes */
    unsigned silent_ms; /* of silence after a Return until PROGRAM_SILENT; 0: 60 s */
    unsigned ready_ms;  /* the latest time of PROGRAM_READY; 0: 60 s */
    /* From the record. A new program does not get the judge's keys up to `delivered`; `keys` keys
     * came from earlier programs. With a living keeper its own counts hold, and `keys` tells
     * whether the last key was journalled before the kill. */
    uint64_t delivered;
    uint64_t keys;
    /* Called before a new Entry starts, not for one of a living keeper. NULL: no check. */
    enum bl_status (*check)(void *ctx, struct bl_diag *diag);
    void *check_ctx;
};

/* Text is one line of at most NOTE_MAX bytes. */
enum program_event {
    PROGRAM_STARTED, /* started, with or without a sandbox */
    PROGRAM_RESUMED, /* the keeper still had the Entry */
    PROGRAM_READY,   /* it waits for input or has written something; told once. Tested after output,
                    * at growing intervals of at most 2 s (process.h). Told after ready_ms in any
                    * case: some ways to wait are not recognised */
    PROGRAM_EXITED,  /* with code or signal, and the last line of its standard error. Earlier output
                     * may still follow while reading is on */
    PROGRAM_CLOSED,  /* it has closed its output and runs on (pipes only) */
    PROGRAM_FLOOD,   /* for 1 s it had more keys than allowed at each allowance, so reading waits.
                    * Once until it has caught up */
    PROGRAM_SILENT,  /* no output for silent_ms after a Return. Once per turn */
    PROGRAM_BAD_UTF8, /* count of sequences that were no UTF-8 and are no keys; at most every 10 s
                       */
    PROGRAM_IGNORED,  /* count of controls and escape sequences that are no keys; at most every 10 s
                       */
    PROGRAM_SAID,     /* an outcome from a program of ours that serves the Entry's protocol; */
    PROGRAM_THERE,    /* as PROGRAM_SAID, and the Entry can be asked now */
    PROGRAM_STUCK, /* it did not read the judge's keys for 2 s (the kernel's buffer is full), or has
                    * closed its input */
};

struct program_callbacks {
    /* A key from the program, written at pressed_us (monotonic). Not called while reading is off.
     * HANDED_BACK: the key stays with the keeper, reading is off, and the key comes again after the
     * next program_allow. program_allow() and program_close() may be called from here. */
    enum handed (*key)(void *ctx, uint32_t point, uint64_t pressed_us);
    /* An outcome for the record and the screen. */
    void (*event)(void *ctx, enum program_event event, uint32_t count, const char *text);
};

struct program;

/* Called before privilege_drop() by a process that starts an Entry afterwards; see
 * keeper_prepare(). */
enum bl_status program_prepare(const struct program_options *options, struct bl_diag *diag);

/* Starts the program or gets it back from a living keeper. Reading is off at first. callbacks are
 * copied, options are not needed afterwards; no callback comes before the loop runs. Waits for the
 * keeper, some ms. Errors: BL_USAGE (session, strip_prompt, place), BL_BUSY (another terminal has
 * it), BL_NOINPUT, BL_NOPERM (keeper_dir), BL_UNAVAIL (no sandbox on this machine, with the
 * remedy), BL_IO, BL_NOMEM. */
enum bl_status program_open(struct program **out, uv_loop_t *loop,
                            const struct program_options *options,
                            const struct program_callbacks *callbacks, void *ctx,
                            struct bl_diag *diag);

/* program_open() without stopping the loop: a thread waits for the keeper, which may have to end
 * another Entry first, and calls `check`. The options' pointers stay valid until opened() is
 * called. out gets a program that may only be closed before that; opened() is not called after a
 * close. After a failure opened() gets NULL and the reason. BL_NOMEM, BL_USAGE (strip_prompt),
 * BL_IO. */
typedef void program_opened(void *ctx, struct program *program, const struct bl_diag *diag);
enum bl_status program_open_later(struct program **out, uv_loop_t *loop,
                                  const struct program_options *options,
                                  const struct program_callbacks *callbacks, void *ctx,
                                  program_opened *opened, struct bl_diag *diag);

/* The number of keys that may be handed over now. 0 stops reading: the program's output then waits
 * in the kernel and is never lost. key() is called at most this often until the next
 * program_allow. */
void program_allow(struct program *program, unsigned keys);

/* A key of the program has been placed: the line carries its output, however slowly. A program that
 * fills the queue meanwhile is a PROGRAM_FLOOD, even if no more keys may be handed over. */
void program_placed(struct program *program);

/* Passes one of the judge's keys, number n of the order, to the program. Bytes that the program
 * does not take now are queued; BL_FULL when 4,096 keys wait (after PROGRAM_STUCK). Numbers not
 * above the last are skipped, so a repetition after a restart passes no key twice. After the
 * program's exit keys are dropped. On a pty BackSpace is the terminal's erase character; the
 * terminal cuts a line of more than 4,095 bytes. */
enum bl_status program_give(struct program *program, uint64_t n, uint32_t point);

/* Types a confederate's key at a communications program. BL_FULL: the program does not read. */
enum bl_status program_type(struct program *program, uint32_t point);

/* The judge's keys up to this number were written to the program. */
uint64_t program_delivered(const struct program *program);

/* True if the program was ready once, or has ended: nobody waits for an ended program. */
bool program_ready(const struct program *program);

bool program_running(const struct program *program);

/* True if a keeper had the program already when the terminal came. Else the program has been told
 * nothing yet. */
bool program_resumed(const struct program *program);

/* The folder for place.lpp as the Entry sees it, for openat() and "/proc/self/fd/N"; and the
 * listening socket for place.port, non-blocking, in the sandbox's network, which has nothing else.
 * -1: not asked for, or no sandbox. The program keeps both. */
int program_lpp_fd(const struct program *program);
int program_port_fd(const struct program *program);

/* Ends the program (hang-up, after 2 s SIGKILL for all its processes) and the keeper, which goes on
 * without the caller. The loop must run until the handles are closed. NULL is allowed. */
void program_close(struct program *program);

#endif
