/* The keeper: a small process between the entity terminal and the Entry. The keeper is the Entry's
 * parent and holds the Entry's pty or pipes. A terminal that is killed and started again gets the
 * same Entry back. The keeper's program is boothlink, started as `boothlink keeper`.
 *
 *   terminal --- judge's keys in the shared page, eventfd ---> keeper --- bytes ---> Entry
 *   terminal <-- bytes of the pty or pipe, read by the terminal itself ------------- Entry
 *
 * State exact to the key lies in the shared page (a memfd that the keeper holds, too):
 * - The judge's keys: the terminal stores a key, then the count; the keeper writes it to the Entry,
 *   then stores `written`. The keeper is not killed with the terminal, so a key is written once.
 * - The Entry's bytes: the terminal reads them into the page, so a byte that left the kernel is
 *   in `bytes` in any case (see KEEPER_READING), and makes keys of them in two alternating
 *   copies of the state, the new one valid from one store on.
 *
 * The keeper's socket is DIRECTORY/SESSION.entry, mode 0600, for one terminal at a time. After the
 * end of a terminal that did not close, the keeper waits for the next terminal, KEEPER_WAIT_MS
 * unless the options set keep_ms, then ends the Entry and itself.
 *
 * A keeper can also be a service of the system with a user of its own: systemd starts it when a
 * terminal connects to its socket (host/share/systemd). The messages are the same:
 *
 *   connected:  keeper -> terminal  VACANT, or HELLO of the Entry that is there, or BUSY
 *   VACANT:     terminal -> keeper  START, with the page and where the log is to be
 *               keeper -> terminal  HELLO with the descriptors, or FAILED
 *   at the end: terminal -> keeper  CLOSE
 *
 * Source: DESIGN.md, "Blindness". */
#ifndef ENTITY_KEEPER_H
#define ENTITY_KEEPER_H

#include "base/status.h"
#include "entity/filter.h"
#include "entity/program.h"

#define KEEPER_WAIT_MS  600000
#define KEEPER_KILL_MS  2000 /* from hang-up to SIGKILL */
#define KEEPER_TEXT_MAX 200  /* bytes of the text about an Entry's end, for the record */
#define KEEPER_WHY_MAX  500  /* bytes of the reason for an Entry's failed start */
#define KEEPER_LOG_MAX                                                                             \
    (1u << 20) /* bytes of the Entry's standard error in DIRECTORY/SESSION-entry.log */
#define KEEPER_BYTES 1024
#define KEEPER_MAGIC UINT64_C(0x32307972746e4533) /* changes with the page's layout */

/* Flag in `length` during a read. Before the read the buffer is filled with KEEPER_FILL, a byte
 * that is not in UTF-8, which shows a restarted terminal the number of bytes read. */
#define KEEPER_READING (UINT32_C(1) << 31)
#define KEEPER_FILL    0xFF

/* The state of the conversion of the Entry's bytes to keys. */
struct keeper_state {
    struct filter_state filter;
    uint64_t keys; /* number of keys handed over, earlier Entries of the session included */
    uint32_t at;   /* index of the buffer's next byte */
};

struct keeper_page {
    uint64_t magic;     /* also the version of the layout */
    uint32_t command;   /* CRC-32C of the options that identify an Entry (identity()) */
    bool open;          /* the Entry runs without a sandbox */
    _Atomic bool waits; /* all the Entry's processes sleep, one of them in a read; without a sandbox
                         * always false */
    struct given given;
    _Atomic uint64_t written;   /* number of keys of `given` written to the Entry */
    _Atomic uint64_t delivered; /* number in the order of the last written key */
    _Atomic bool begun; /* a terminal has begun to take the output, so the states are valid */
    struct keeper_state state[2];
    _Atomic uint32_t current; /* index of the valid state */
    _Atomic uint32_t length;  /* number of bytes in the buffer, or KEEPER_READING */
    uint8_t bytes[KEEPER_BYTES];
    uint64_t read_us;           /* time at which `bytes` were read, monotonic */
    bool ready_told, exit_told; /* already reported by a terminal */
    uint64_t bad_told, ignored_told;
};

/* Reads a flag of the page, whose byte may have any value. */
static inline bool keeper_flag(const void *flag)
{
    return *(const volatile uint8_t *)flag == 1;
}

enum keeper_kind {
    KEEPER_HELLO,   /* to the terminal: there is an Entry; with its descriptors */
    KEEPER_VACANT,  /* to the terminal: there is no Entry yet */
    KEEPER_START,   /* from the terminal: struct keeper_start, with the descriptors */
    KEEPER_FAILED,  /* to the terminal: not started; text has the reason */
    KEEPER_BUSY,    /* to the terminal: another terminal is connected */
    KEEPER_EXITED,  /* to the terminal: the Entry has ended; text has its end */
    KEEPER_BLOCKED, /* to the terminal: the Entry has not taken all of the judge's keys yet */
    KEEPER_DEAF,    /* to the terminal: the Entry's input is closed */
    KEEPER_SAID,    /* to the terminal: an adapter's outcome (apart_told.h), in text */
    KEEPER_CLOSE,   /* from the terminal: end the Entry */
    KEEPER_THERE    /* as KEEPER_SAID; the Entry can be asked from now on */
};

/* The descriptors of KEEPER_HELLO; one that is -1 is not sent. */
enum {
    KEEPER_GIVES_OUT,
    KEEPER_GIVES_WAKE,
    KEEPER_GIVES_PAGE,
    KEEPER_GIVES_LPP,
    KEEPER_GIVES_PORT,
    KEEPER_GIVES_DESK,
    KEEPER_GIVES
};

struct keeper_message {
    uint32_t kind;
    int32_t pid;
    uint32_t status;           /* enum bl_status, in KEEPER_FAILED */
    uint8_t has[KEEPER_GIVES]; /* KEEPER_HELLO: the descriptors that come with the message */
    char text[KEEPER_WHY_MAX + 1];
};

/* KEEPER_START. Comes with the page, the log or its directory, and the Entry's brief, if any. text:
 * session, command, folder, folder for LPP ("": none), a server's address ("": none), then the
 * hidden paths. Each is ended by a zero byte. */
#define KEEPER_START_TEXT 32768
struct keeper_start {
    uint32_t kind, io, turn_end, columns, rows, keep_ms, memory_mib, processes, port;
    uint32_t ours; /* enum kind_id */
    bool open, log, comms;
    uint32_t length; /* length of text */
    char text[KEEPER_START_TEXT];
};

/* A terminal's handle of a keeper. */
struct keeper {
    int socket;
    int out_fd; /* descriptor of the Entry's output; non-blocking */
    int wake_fd;
    int lpp_fd, port_fd; /* see program.h; -1: none */
    int desk_fd;         /* a communications program's terminal; -1: none */
    int directory;
    pid_t pid; /* process of the Entry, or the first process in its sandbox */
    bool resumed;
    struct keeper_page *page;
    char name[SESSION_ID_MAX + 16];
};

/* Finds or starts the session's keeper, and the Entry in it. Ends and replaces an Entry with other
 * options (identity()), and an ended Entry whose last output was taken. Blocks until the Entry
 * runs; one call at a time. Errors: BL_USAGE (session, place), BL_BUSY (another terminal),
 * BL_UNAVAIL (no sandbox), those of the directory, BL_IO. */
enum bl_status keeper_open(struct keeper *keeper, const struct program_options *options,
                           struct bl_diag *diag);

/* For root: starts a small process that keeps root's privileges and starts the keepers of
 * sandboxes, so that an Entry can become nobody. Called before root gives up its privileges
 * (base/privilege.h), with one thread and before anything is opened. The process ends with the
 * caller. No effect for other users. */
enum bl_status keeper_prepare(struct bl_diag *diag);

/* Takes the keeper's next message without blocking. BL_AGAIN: none; BL_DOWN: the keeper has
 * ended. */
enum bl_status keeper_receive(struct keeper *keeper, struct keeper_message *message);

/* Reports new keys of the judge in the page to the keeper. */
void keeper_wake(struct keeper *keeper);

/* Ends the Entry and the keeper, and frees the socket's name for the next Entry of the session. The
 * page stays until keeper_close(). */
void keeper_end(struct keeper *keeper);

/* Closes the handle; with `end` the Entry and the keeper are ended. */
void keeper_close(struct keeper *keeper, bool end);

/* The keeper's main function: `boothlink keeper [SESSION]`, with argv[0] "keeper". keeper_open()
 * starts it with a session; the system starts it without one (sd_listen_fds(3)). Returns a sysexits
 * code. A test program that uses keepers calls keeper_main() if its own argv[1] is "keeper". */
int keeper_main(int argc, char **argv);

/* The keeper's descriptors at its start. The system passes the first one only. */
enum { KEEPER_FD_LISTEN = 3, KEEPER_FD_SOCKET, KEEPER_FD_DIRECTORY, KEEPER_FDS };

#endif
