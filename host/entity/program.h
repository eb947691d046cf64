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
 * and nothing else (1996 spec 1d; DESIGN.md, "Entrants"); a pty makes newlines of them (ICRNL), as
 * of a person's, unless the program has set it otherwise. */
enum turn_end { TURN_LF, TURN_CR, TURN_CRLF, TURN_TWO_RETURNS };

/* Their names on a command line and in a ticket, in the same order; NULL ends each. */
extern const char *const program_ios[], *const program_turn_ends[];

/* The place of an Entry. All zeros are right for most: the sandbox of sandbox.h, in the working
 * directory, without a network. Strings are the caller's; paths are absolute, without links. */
struct program_place {
    const char *folder;        /* the Entry's own, of which it gets a copy; NULL: the working one */
    const char *lpp;           /* a folder the sandbox gets for LPP, see program_lpp_fd() */
    const char *const *hidden; /* paths hidden from it inside a folder it sees: the record, keys,
                                  tickets. NULL ends them; NULL: nothing */
    unsigned memory_mib, processes; /* 0: PROGRAM_MEMORY_MIB, PROGRAM_PROCESSES */
    unsigned port;      /* of TCP at 127.0.0.1, at which it reaches us and nobody else, see
                           program_port_fd(); 0: none */
    const char *keeper; /* the socket of a keeper that the system starts as another user
                           (boothlink-entry@.socket); NULL: we start one, which is this user's */
    bool open;          /* no sandbox: it may do whatever this user may */
    enum kind_id ours;  /* `command` holds the arguments of our program of that kind, which is run;
                           0: there is none */
    const char *server; /* the one that our own program asks, as of sandbox.h; NULL: none */
};
#define PROGRAM_MEMORY_MIB 1024
#define PROGRAM_PROCESSES  128

struct program_options {
    const char *command; /* run by /bin/sh -c, see child.h for its environment */
    struct program_place place;
    int brief;  /* a descriptor that boothlink-chat gets, read for each start; 0 or less: none */
    bool comms; /* the command is a communications program (2004 A6): the judge's keys and its own
                   go through a serial port, which stands for {port} in it, and a confederate's keys
                   go to its terminal by program_type(); its drawing there is dropped */
    enum program_io io;
    enum turn_end turn_end;
    bool strip_echo;          /* drop its echo of the judge's keys from its output (filter.h); for
                                 an Entry that does echo: words looking like one would go, too */
    const char *strip_prompt; /* POSIX extended regex dropped where it stands at a line's start, as
                                 often as it stands there; NULL none. See prompt.h */
    unsigned columns, rows;   /* of the pty */
    const char *keeper_dir;   /* 0700 directory for the keeper's socket, e.g. the journal's */
    const char *session;      /* names the keeper's socket with it; of event.h's characters */
    unsigned keep_ms;         /* time for which it outlives a killed terminal; 0: 10 minutes */
    unsigned silent_ms;       /* of silence after a Return until PROGRAM_SILENT; 0: 60 s */
    unsigned ready_ms;        /* until PROGRAM_READY at the latest; 0: 60 s */
    /* Of the record. A new program is not given the judge's keys up to `delivered`; `keys` keys
     * came from earlier ones. With a living keeper its own counts hold, and `keys` tells whether
     * the last key was journalled before the kill. */
    uint64_t delivered;
    uint64_t keys;
    /* Asked before a new Entry is started, not for one a keeper has. NULL: it is good. */
    enum bl_status (*check)(void *ctx, struct bl_diag *diag);
    void *check_ctx;
};

/* Text is one line of at most NOTE_MAX bytes. */
enum program_event {
    PROGRAM_STARTED, /* and whether in a sandbox */
    PROGRAM_RESUMED, /* the keeper still had it */
    PROGRAM_READY,  /* it waits for input or has written something; told once. Looked for when there
                       is output, and ever more seldom, at last every 2 s (process.h). Told after
                       ready_ms in any case: there are ways to wait that are not seen */
    PROGRAM_EXITED, /* code or signal in the text, with its last error line. Earlier output may
                       still follow while reading is on */
    PROGRAM_CLOSED, /* it has closed its output and runs on (pipes only) */
    PROGRAM_FLOOD,  /* for 1 s it had more keys than allowed at each allowance: it is being held.
                       Once until it has caught up */
    PROGRAM_SILENT, /* no output for silent_ms after a Return. Once per turn */
    PROGRAM_BAD_UTF8, /* count of sequences that were no UTF-8 and are no keys; at most every 10 s
                       */
    PROGRAM_IGNORED,  /* count of controls and escape sequences that are no keys; at most every 10 s
                       */
    PROGRAM_SAID,     /* an outcome of our own program, which serves the Entry's protocol; */
    PROGRAM_THERE,    /* and the Entry can be asked now */
    PROGRAM_STUCK, /* for 2 s it did not read the judge's keys (the kernel's buffer is full), or it
                      has closed its input */
};

struct program_callbacks {
    /* A key from the program, written at pressed_us (monotonic). Not called while reading is off.
     * HANDED_BACK: it stays with the keeper, reading is off, and it comes again after the next
     * program_allow. program_allow() and program_close() may be called from here. */
    enum handed (*key)(void *ctx, uint32_t point, uint64_t pressed_us);
    /* An outcome for the record and the screen. */
    void (*event)(void *ctx, enum program_event event, uint32_t count, const char *text);
};

struct program;

/* To be called before privilege_drop(), by who starts an Entry after it; see keeper_prepare(). */
enum bl_status program_prepare(const struct program_options *options, struct bl_diag *diag);

/* Starts the program or gets it back from a living keeper. Reading is off at first. callbacks are
 * copied, options are not needed afterwards; nothing is called before the loop runs. Waits for the
 * keeper, some ms. Errors: BL_USAGE (session, strip_prompt, place), BL_BUSY (another terminal has
 * it), BL_NOINPUT, BL_NOPERM (keeper_dir), BL_UNAVAIL (no sandbox on this machine, with the
 * remedy), BL_IO, BL_NOMEM. */
enum bl_status program_open(struct program **out, uv_loop_t *loop,
                            const struct program_options *options,
                            const struct program_callbacks *callbacks, void *ctx,
                            struct bl_diag *diag);

/* The same without stopping the loop: a thread waits for the keeper, which may first have to end
 * another Entry. `check` is called there. The options' pointers stay valid until opened() is
 * called; out gets a program that may only be closed before, and opened() is not called after that.
 * If it did not start, opened() gets NULL and the reason. BL_NOMEM, BL_USAGE (strip_prompt),
 * BL_IO. */
typedef void program_opened(void *ctx, struct program *program, const struct bl_diag *diag);
enum bl_status program_open_later(struct program **out, uv_loop_t *loop,
                                  const struct program_options *options,
                                  const struct program_callbacks *callbacks, void *ctx,
                                  program_opened *opened, struct bl_diag *diag);

/* The number of keys that may be handed over now: 0 stops the reading (the program's output then
 * waits in the kernel, never lost). key() is called at most this often until the next
 * program_allow. */
void program_allow(struct program *program, unsigned keys);

/* A key of the program's has its place: the line carries its output, however slowly. A program that
 * fills the queue meanwhile is a PROGRAM_FLOOD, even if nothing more may be handed over. */
void program_placed(struct program *program);

/* Gives one of the judge's keys, number n of the order, to the program, key by key as it is typed.
 * Bytes that it does not take now are queued; BL_FULL when 4,096 keys wait (PROGRAM_STUCK has said
 * so). Numbers not above the last given are skipped, so a replay after a restart gives nothing
 * twice. After its exit the keys go nowhere.
 * On a pty BackSpace is the terminal's erase character; a line of more than 4,095 bytes is cut
 * there. */
enum bl_status program_give(struct program *program, uint64_t n, uint32_t point);

/* Gives a confederate's key to a communications program, as his keyboard would. BL_FULL: it does
 * not read. */
enum bl_status program_type(struct program *program, uint32_t point);

/* The judge's keys up to this number were written to the program. */
uint64_t program_delivered(const struct program *program);

/* Has it been ready, or ended before? Nobody waits for one that has ended. */
bool program_ready(const struct program *program);

bool program_running(const struct program *program);

/* Had a keeper it already when the terminal came? Else it has been told nothing yet. */
bool program_resumed(const struct program *program);

/* The folder that place.lpp asked for, as the Entry sees it, for openat() and "/proc/self/fd/N";
 * and the listening socket, non-blocking, that place.port asked for: of the sandbox's own network,
 * which holds nothing else. -1: none was asked for, or there is no sandbox. They stay the
 * program's. */
int program_lpp_fd(const struct program *program);
int program_port_fd(const struct program *program);

/* Ends the program (hang-up, then after 2 s SIGKILL to all that came of it) and the keeper, which
 * does it without us. The loop must run until the handles are closed. NULL is allowed. */
void program_close(struct program *program);

#endif
