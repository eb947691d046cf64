/* Plays the judge of a command in a sandbox: types keys, and keeps what comes back, byte by byte
 * with the time of each read. Bounded in memory; a program that writes without end is stopped by
 * not being read. */
#ifndef VALIDATE_DRIVE_H
#define VALIDATE_DRIVE_H

#include "base/status.h"
#include "validate/lpp2_port.h"
#include "validate/lpp_port.h"
#include "validate/network.h"
#include "entity/sandbox.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DRIVE_BYTES  (256u << 10) /* of output that are kept, the oldest go first ... */
#define DRIVE_READS  16384u       /* ... and of reads */
#define DRIVE_ERRORS 4096u        /* of standard error, the first */

/* One read of its output. */
struct drive_read {
    uint64_t at_us;   /* monotonic */
    uint64_t late_us; /* of the time before it, how long we had to wait for a processor: what was
                         written in that time comes as if at once */
    uint64_t from;    /* place of its first byte in all the output */
    uint32_t length;
};

/* Why a wait has ended. */
enum drive_end {
    DRIVE_DONE,   /* what was waited for has come */
    DRIVE_LATE,   /* it has not, although there was time and it was not at work */
    DRIVE_ENDED,  /* the command has ended; its output is all here */
    DRIVE_KILLED, /* it took too much memory or too many processes: see sandbox_facts */
    DRIVE_FLOOD,  /* more output than is allowed at once */
};

struct drive;

struct drive_options {
    const char *strip_prompt; /* as of program.h; NULL: none */
    bool strip_echo;
    unsigned flood_bytes; /* in one wait */
};

/* Starts the command in a sandbox of its own. What sandbox_open() says, and BL_USAGE for the
 * prompt. */
enum bl_status drive_open(struct drive **out, const struct sandbox_options *sandbox,
                          const struct drive_options *options, struct bl_diag *diag);
void drive_close(struct drive *drive);

/* Starts the command again, see sandbox_again(). What it has written so far is forgotten. */
enum bl_status drive_again(struct drive *drive, struct bl_diag *diag);

struct sandbox *drive_sandbox(struct drive *drive);

/* Types the keys of text (UTF-8; \r is Return, \b BackSpace), each gap_ms after the one before; 0:
 * a paste, as fast as they are taken. Reads meanwhile. DRIVE_LATE: the program has taken no more of
 * them for 10 s. */
enum drive_end drive_type(struct drive *drive, const char *text, unsigned gap_ms);

/* How many keys of the last drive_type() were typed: all, or up to the one that was not taken. */
unsigned drive_typed(const struct drive *drive);

/* Writes bytes as they are. */
enum drive_end drive_send(struct drive *drive, const void *bytes, size_t length);

/* Waits until it has written a visible key since drive_mark(). Not late as long as it is at work,
 * up to three times late_ms. */
enum drive_end drive_wait_key(struct drive *drive, unsigned late_ms);

/* Waits until it has written nothing for quiet_ms; late_ms in all at most. */
enum drive_end drive_wait_quiet(struct drive *drive, unsigned quiet_ms, unsigned late_ms);

/* Waits until it waits for input, or has written something and was then silent for quiet_ms. */
enum drive_end drive_wait_ready(struct drive *drive, unsigned quiet_ms, unsigned late_ms);

/* Waits until the command has ended (DRIVE_ENDED). */
enum drive_end drive_wait_end(struct drive *drive, unsigned late_ms);

/* Waits until the command has ended and nothing that it started is left; with `attached`, nothing
 * but what has a session of its own. */
enum drive_end drive_wait_gone(struct drive *drive, unsigned late_ms, bool attached);

/* Lets time go by, with its output read or, with `cut`, not: then it writes to a terminal for which
 * the kernel has no room left, as at the end of a long cut, and each write waits. On pipes and in
 * LPP's folder it waits to be taken. */
enum drive_end drive_pause(struct drive *drive, unsigned ms, bool cut);

/* From here on: what the functions below speak of. */
void drive_mark(struct drive *drive);

/* Bytes since the mark, those that are still kept; its keys (prompts and, if asked for, echo
 * dropped) as UTF-8 text, terminated. They stay valid until the next wait. */
const uint8_t *drive_bytes(const struct drive *drive, size_t *length);
const char *drive_text(const struct drive *drive);

/* Visible keys, and all bytes, since the mark. */
uint64_t drive_keys(const struct drive *drive);
uint64_t drive_count(const struct drive *drive);

/* The reads since the mark. */
const struct drive_read *drive_reads(const struct drive *drive, size_t *count);

/* When the mark was set; monotonic. */
uint64_t drive_mark_us(const struct drive *drive);

/* Returns that were typed since the program's start. */
unsigned drive_lines(const struct drive *drive);

/* Bytes that were no UTF-8, and those of controls and escape sequences, since the mark. */
uint64_t drive_bad(const struct drive *drive);
uint64_t drive_ignored(const struct drive *drive);

/* The first of its standard error, as text. */
const char *drive_errors(const struct drive *drive);

/* LPP's folder, where keys come and go if the sandbox has one; its terminal then counts for
 * nothing. NULL: it has none. */
const struct lpp_port *drive_lpp(const struct drive *drive);

/* The server of LPP v2 to which it connects, if the sandbox has its port; its terminal then counts
 * for nothing. NULL: there is none. */
const struct lpp2_port *drive_lpp2(const struct drive *drive);

/* Breaks its connections, and waits until it has registered anew: DRIVE_LATE: it has not. */
enum drive_end drive_cut(struct drive *drive, unsigned late_ms, struct bl_diag *diag);

/* What it has tried on the network since its start. */
const struct network *drive_network(const struct drive *drive);

/* In these where there is no such program. */
#define NO_PROGRAM "there is no such program"

/* How the command has ended, in words: "ends by itself, exit status 1". "" if it has not. */
const char *drive_ending(struct drive *drive);

#endif
