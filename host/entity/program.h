/* An Entry: somebody else's program on a pty or on pipes. The program's faults are reported
 * outcomes, and do not stop the terminal.
 *
 * A keeper process (keeper.h) owns the program and its pty, so the program outlives a killed
 * terminal. A restarted terminal gets the same program back. Source: DESIGN.md, "Entrants". */
#ifndef ENTITY_PROGRAM_H
#define ENTITY_PROGRAM_H

#include "base/status.h"
#include "entity/handed.h"
#include "rules/kind.h"
#include "session/event.h"

#include <uv.h>

enum program_io { PROGRAM_PTY, PROGRAM_PIPE };

/* A judge's Return as the program gets it. TURN_TWO_RETURNS is two carriage returns (1996 spec 1d;
 * DESIGN.md, "Entrants"). A pty turns them into newlines (ICRNL), unless the program has changed
 * its terminal's settings. */
enum turn_end { TURN_LF, TURN_CR, TURN_CRLF, TURN_TWO_RETURNS };

/* Names of enum program_io and turn_end on a command line and in a ticket, in the same order. NULL
 * ends each list. */
extern const char *const program_ios[], *const program_turn_ends[];

/* The place of an Entry. All zeros: the sandbox of sandbox.h, in the working directory, without a
 * network. The caller keeps the strings; paths are absolute, without links. */
struct program_place {
    const char *folder; /* the Entry's folder, which stays unchanged (sandbox.h); NULL: the working
                      * directory */
    const char *lpp;    /* a folder in the sandbox for LPP, see program_lpp_fd() */
    const char *const
        *hidden; /* hidden paths inside the folder: the record, keys, tickets. NULL ends the list;
                  * NULL: none */
    unsigned memory_mib, processes; /* 0: PROGRAM_MEMORY_MIB, PROGRAM_PROCESSES */
    unsigned port;      /* TCP port at 127.0.0.1 by which the Entry, and no other process, reaches
                         * this process; see program_port_fd(). 0: none */
    const char *keeper; /* the socket of a keeper that the system starts as another user
                 * (boothlink-entry@.socket); NULL: a keeper of this user */
    bool open;          /* no sandbox: the program has this user's rights */
    enum kind_id
        ours; /* kind of an Entry with an adapter (ours.h); `command` then has the adapter's
               * arguments. 0: the Entry's own program runs */
    const char *server; /* address of the server that the adapter asks, as in sandbox.h; NULL:
                         * none */
};
#define PROGRAM_MEMORY_MIB 1024
#define PROGRAM_PROCESSES  128

struct program_options {
    const char *command; /* command line for /bin/sh -c; child.h describes its environment */
    struct program_place place;
    int brief;  /* descriptor of boothlink-chat's brief (chat_brief.h); 0 or less: none */
    bool comms; /* the command is a communications program (2004 A6). The judge's keys come to it,
                * and its keys go, by a serial port whose name replaces {port}. program_type() types
                * a confederate's keys at its terminal; its drawing there is dropped */
    enum program_io io;
    enum turn_end turn_end;
    bool strip_echo; /* drop the echo of the judge's keys from the Entry's output (filter.h). For an
                      * Entry that echoes: another Entry's words may look like an echo */
    const char
        *strip_prompt; /* regular expression (prompt.h) of a prompt. The prompt is dropped at the
                        * start of a line, also if repeated; NULL: none */
    unsigned columns, rows; /* size of the pty */
    const char *keeper_dir; /* 0700 directory for the keeper's socket, such as the journal's */
    const char *session;    /* ends the socket's name; in event.h's characters */
    unsigned keep_ms;   /* time for which the keeper outlives a killed terminal; 0: 10 minutes */
    unsigned silent_ms; /* silence after the judge's Return until PROGRAM_SILENT; 0: 60 s */
    unsigned ready_ms;  /* time after the start of the latest PROGRAM_READY; 0: 60 s */
    /* Counts from the record. A new program does not get the judge's keys up to number `delivered`.
     * `keys` is the number of the Entry's keys in the journal. The program of a living keeper goes
     * on by the keeper's counts; `keys` shows whether its last key was journalled before the
     * kill. */
    uint64_t delivered;
    uint64_t keys;
    /* Called before a new Entry starts, not for an Entry in a living keeper. NULL: no check. */
    enum bl_status (*check)(void *ctx, struct bl_diag *diag);
    void *check_ctx;
};

/* Text is one line of at most NOTE_MAX bytes. */
enum program_event {
    PROGRAM_STARTED, /* the program was started, with or without a sandbox */
    PROGRAM_RESUMED, /* the keeper still had the Entry */
    PROGRAM_READY,   /* the program waits for input or has written something; told once. Looked for
                      * at growing intervals of at most 2 s (process.h). Told after ready_ms in any
                      * case, since some ways to wait are not recognised */
    PROGRAM_EXITED,  /* the program has ended; text has code or signal, and the last line of its
                      * standard error. Earlier output may still follow while reading is on */
    PROGRAM_CLOSED,  /* the program has closed its output and still runs (pipes only) */
    PROGRAM_FLOOD,   /* for 1 s the program wrote more than the line carried, so reading waits. Told
                      * once until all is read */
    PROGRAM_SILENT,  /* no output for silent_ms after the judge's Return. Told once for a turn */
    PROGRAM_BAD_UTF8, /* number of sequences that were not UTF-8 and made no key; at most every 10
                       * s */
    PROGRAM_IGNORED,  /* number of controls and escape sequences that made no key; at most every 10
                       * s */
    PROGRAM_SAID,     /* an adapter's outcome (apart_told.h) */
    PROGRAM_THERE,    /* as PROGRAM_SAID; the Entry can be asked from now on */
    PROGRAM_STUCK,    /* for 2 s the program did not read the judge's keys (the kernel's buffer is
                       * full), or it has closed its input */
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

/* Starts the program, or gets it back from a living keeper. Reading is off at first. callbacks are
 * copied; options are not needed afterwards. No callback comes before the loop runs. Waits for the
 * keeper, some ms. Errors: BL_USAGE (session, strip_prompt, place), BL_BUSY (another terminal has
 * it), BL_NOINPUT, BL_NOPERM (keeper_dir), BL_UNAVAIL (no sandbox on this machine, with the
 * remedy), BL_IO, BL_NOMEM. */
enum bl_status program_open(struct program **out, uv_loop_t *loop,
                            const struct program_options *options,
                            const struct program_callbacks *callbacks, void *ctx,
                            struct bl_diag *diag);

/* As program_open(), but a thread waits for the keeper and calls `check`, so the loop does not
 * stop. The options' pointers stay valid until opened() is called. Until then program_close() is
 * the only permitted call for the program in out; opened() is not called after it. After a failure
 * opened() gets NULL and the reason. BL_NOMEM, BL_USAGE (strip_prompt), BL_IO. */
typedef void program_opened(void *ctx, struct program *program, const struct bl_diag *diag);
enum bl_status program_open_later(struct program **out, uv_loop_t *loop,
                                  const struct program_options *options,
                                  const struct program_callbacks *callbacks, void *ctx,
                                  program_opened *opened, struct bl_diag *diag);

/* Sets the number of keys that may be handed over until the next program_allow(). 0 stops reading:
 * output then waits in the kernel. */
void program_allow(struct program *program, unsigned keys);

/* A key of the program has its place, so the line carries keys. Output that then still waits for 1
 * s is a PROGRAM_FLOOD. */
void program_placed(struct program *program);

/* Passes one of the judge's keys, number n of the order, to the program. Keys that the program does
 * not take now are queued; BL_FULL: 4,096 keys wait. A number that is not above the last one is
 * skipped. After the program's exit keys are dropped. On a pty BackSpace is the terminal's erase
 * character; the terminal cuts a line of more than 4,095 bytes. */
enum bl_status program_give(struct program *program, uint64_t n, uint32_t point);

/* Types a confederate's key at a communications program. BL_FULL: the program does not read. */
enum bl_status program_type(struct program *program, uint32_t point);

/* The number of the last key of the judge that was written to the program. */
uint64_t program_delivered(const struct program *program);

/* True if the program has been ready, or has ended. */
bool program_ready(const struct program *program);

bool program_running(const struct program *program);

/* True if a living keeper had the program. Otherwise the program is new. */
bool program_resumed(const struct program *program);

/* program_lpp_fd(): a descriptor of the folder for place.lpp as the Entry sees it, for openat() and
 * "/proc/self/fd/N". program_port_fd(): the listening socket for place.port in the sandbox's
 * network, non-blocking. -1: not asked for, or no sandbox. The program owns both. */
int program_lpp_fd(const struct program *program);
int program_port_fd(const struct program *program);

/* Ends the program (hang-up, after 2 s SIGKILL for all its processes) and the keeper. The keeper
 * does so without the caller. The loop must run until the handles are closed. NULL is allowed. */
void program_close(struct program *program);

#endif
