/* An Entry: somebody else's program on a pty or on pipes. The program's faults are outcomes, told
 * in words, and never stop the terminal.
 *
 * A keeper process (keeper.h) owns the program and its pty, so the program outlives a killed
 * terminal. Started again, the terminal gets the same program back. Source: DESIGN.md,
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

/* Names of enum program_io and turn_end on a command line and in a ticket, in the same order. NULL
 * ends each list. */
extern const char *const program_ios[], *const program_turn_ends[];

/* The place where an Entry runs. All zeros: the sandbox of sandbox.h, in the working directory,
 * without a network. The caller keeps the strings; paths are absolute, without links. */
struct program_place {
    const char *folder; /* the Entry's folder, which stays unchanged (sandbox.h); NULL: the working
                      * directory */
    const char *lpp;    /* a folder in the sandbox for LPP, see program_lpp_fd() */
    const char *const
        *hidden; /* hidden paths inside the folder: the record, keys, tickets. NULL ends the list;
                  * NULL: none */
    unsigned memory_mib, processes; /* 0: PROGRAM_MEMORY_MIB, PROGRAM_PROCESSES */
    unsigned port;      /* TCP port at 127.0.0.1 by which the Entry reaches this process, and no
                         * other; see program_port_fd(). 0: none */
    const char *keeper; /* the socket of a keeper that the system starts as another user
                 * (boothlink-entry@.socket); NULL: a keeper of this user */
    bool open;          /* no sandbox: the program may do all that this user may */
    enum kind_id
        ours; /* the Entry's kind, if an adapter serves it (ours.h), with `command` as the adapter's
               * arguments; 0: the Entry's own program runs */
    const char *server; /* address of the server that the adapter asks, as in sandbox.h; NULL:
                         * none */
};
#define PROGRAM_MEMORY_MIB 1024
#define PROGRAM_PROCESSES  128

struct program_options {
    const char *command; /* command line for /bin/sh -c, with the environment of child.h */
    struct program_place place;
    int brief;  /* descriptor of boothlink-chat's brief (chat_brief.h); 0 or less: none */
    bool comms; /* the command is a communications program (2004 A6). The judge's keys come to it,
                * and its keys go, by a serial port whose name replaces {port}. program_type() types
                * a confederate's keys at its terminal; its drawing there is dropped */
    enum program_io io;
    enum turn_end turn_end;
    bool strip_echo; /* drop the echo of the judge's keys from the Entry's output (filter.h). Only
                      * for an Entry that echoes: words of its own may look like an echo */
    const char
        *strip_prompt; /* regular expression (prompt.h) of a prompt, dropped at the start of a line
                        * as often as it stands there; NULL: none */
    unsigned columns, rows; /* size of the pty */
    const char *keeper_dir; /* 0700 directory for the keeper's socket, such as the journal's */
    const char *session;    /* completes the socket's name; has event.h's characters */
    unsigned keep_ms;   /* time for which the keeper outlives a killed terminal; 0: 10 minutes */
    unsigned silent_ms; /* silence after the judge's Return until PROGRAM_SILENT; 0: 60 s */
    unsigned ready_ms;  /* time after the start by which PROGRAM_READY comes; 0: 60 s */
    /* Counts from the record. A new program does not get the judge's keys up to number `delivered`.
     * `keys` is the number of the Entry's keys in the journal. The program of a living keeper goes
     * on by the keeper's counts; `keys` tells whether its last key was journalled before the
     * kill. */
    uint64_t delivered;
    uint64_t keys;
    /* Called before a new Entry starts, but not when a living keeper has the Entry. NULL: no
     * check. */
    enum bl_status (*check)(void *ctx, struct bl_diag *diag);
    void *check_ctx;
};

/* Text is one line of at most NOTE_MAX bytes. */
enum program_event {
    PROGRAM_STARTED, /* the program was started, with or without a sandbox */
    PROGRAM_RESUMED, /* the keeper still had the Entry */
    PROGRAM_READY,   /* the program waits for input or has written something; told once. Tested at
                      * growing intervals of at most 2 s (process.h). Told after ready_ms in any
                      * case: some ways to wait are not recognised */
    PROGRAM_EXITED,  /* the program has ended; with code or signal, and the last line of its
                      * standard error. Earlier output may still follow while reading is on */
    PROGRAM_CLOSED,  /* the program has closed its output and runs on (pipes only) */
    PROGRAM_FLOOD,   /* for 1 s the program wrote more than the line carried, so reading waits. Told
                      * once until the program has nothing left to read */
    PROGRAM_SILENT,  /* no output for silent_ms after the judge's Return. Told once for a turn */
    PROGRAM_BAD_UTF8, /* count of sequences that were no UTF-8, and made no key; at most every 10
                       * s */
    PROGRAM_IGNORED,  /* count of controls and escape sequences that made no key; at most every 10
                       * s */
    PROGRAM_SAID,     /* an adapter's outcome (apart_told.h) */
    PROGRAM_THERE,    /* as PROGRAM_SAID, and the Entry can be asked now */
    PROGRAM_STUCK,    /* the program did not read the judge's keys for 2 s (the kernel's buffer is
                    * full), or has closed its input */
};

struct program_callbacks {
    /* A key from the program, written at pressed_us (monotonic). After HANDED_BACK reading is off,
     * and the key comes again after the next program_allow(). The callback may call program_allow()
     * and program_close(). */
    enum handed (*key)(void *ctx, uint32_t point, uint64_t pressed_us);
    /* An outcome for the record and the screen. */
    void (*event)(void *ctx, enum program_event event, uint32_t count, const char *text);
};

struct program;

/* Called before privilege_drop() by a process that will start an Entry; see keeper_prepare(). */
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

/* Sets the number of keys that may be handed over: key() is called at most that often until the
 * next program_allow(). 0 stops reading: the program's output then waits in the kernel. */
void program_allow(struct program *program, unsigned keys);

/* A key of the program has its place, so the line carries keys. A program that then still has
 * output waiting for 1 s is a PROGRAM_FLOOD, even if no more keys may be handed over. */
void program_placed(struct program *program);

/* Passes one of the judge's keys, number n of the order, to the program. Keys that the program does
 * not take now are queued; BL_FULL when 4,096 keys wait. A number that is not above the last one is
 * skipped, so a repetition after a restart passes no key twice. After the program's exit keys are
 * dropped. On a pty BackSpace is the terminal's erase character; the terminal cuts a line of more
 * than 4,095 bytes. */
enum bl_status program_give(struct program *program, uint64_t n, uint32_t point);

/* Types a confederate's key at a communications program. BL_FULL: the program does not read. */
enum bl_status program_type(struct program *program, uint32_t point);

/* The number of the last key of the judge that was written to the program. */
uint64_t program_delivered(const struct program *program);

/* True if the program has been ready, or has ended. */
bool program_ready(const struct program *program);

bool program_running(const struct program *program);

/* True if a living keeper had the program. Otherwise the program is new and has been told nothing
 * yet. */
bool program_resumed(const struct program *program);

/* Descriptors of the folder for place.lpp as the Entry sees it, for openat() and "/proc/self/fd/N",
 * and of the listening socket for place.port in the sandbox's network, non-blocking. -1: not asked
 * for, or no sandbox. The program owns both. */
int program_lpp_fd(const struct program *program);
int program_port_fd(const struct program *program);

/* Ends the program (hang-up, after 2 s SIGKILL for all its processes) and the keeper. The keeper
 * does that without the caller. The loop must run until the handles are closed. NULL is allowed. */
void program_close(struct program *program);

#endif
