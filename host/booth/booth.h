/* The common parts of a booth's two terminals, `judge` and `entity`: clock, signals, the journal's
 * folder, the final report. */
#ifndef BOOTH_BOOTH_H
#define BOOTH_BOOTH_H

#include "base/loop.h"
#include "base/status.h"
#include "entity/script.h"
#include "journal/journal.h"
#include "link/secret.h"
#include "link/link.h"
#include "session/end.h"
#include "session/plan.h"
#include "screen/screen.h"

#include <jansson.h>
#include <limits.h>

#define BOOTH_QUIET_MS 2000 /* a headless session without a plan ends after so long without a key */

/* The options of both commands, from the command line or a ticket. The caller keeps the strings. */
struct booth_options {
    const char *journal_dir; /* NULL: the user's state directory */
    const char *session;     /* NULL: resume the newest unfinished session, or take a new name */
    const char *script;
    const char *ticket;      /* the ticket's file; NULL: none */
    const char *trace;       /* file for the lengths of frames */
    const char *machine_key; /* file of the key that signs ballots; NULL: no signature */
    const char *screen;      /* see screens.h */
    /* Files of the lines' secrets: one for each side; key_file for a side without one. NULL: not
     * encrypted. */
    const char *side_key_file[SIDES], *key_file;
    bool side_insecure[SIDES]; /* this side needs no secret, as `insecure` says of all sides */
    const char *referee;       /* file of the permitted listener's public key, or NULL */
    char about[120];           /* round and rules of the ticket, for the record; "" without */
    const char *contest;       /* the contest's id, for the record; NULL: not given */
    bool headless, json, kiosk, small, rtscts, insecure;
    bool day; /* started by `boothlink booth`: ends by itself after its session */
};

/* The clock of one process: wall time that the monotonic clock advances, so a change of the
 * machine's clock during a session changes no time in the record. */
struct booth_clock {
    uint64_t wall_us, mono_us; /* one moment by both clocks */
};
void booth_clock_init(struct booth_clock *clock);
struct bl_time booth_now(const struct booth_clock *clock);

/* True if the machine's clock is plainly wrong: before the year 2026. */
bool booth_clock_unset(const struct booth_clock *clock);

/* Finds or names the folder of journals and makes it (0700). path: PATH_MAX bytes. */
enum bl_status booth_journal_dir(const struct booth_options *options, char *path,
                                 struct bl_diag *diag);

/* A new session's name: date, time and a random part, without a hint at any person. */
void booth_session_name(uint64_t wall_us, char name[SESSION_ID_MAX + 1]);

/* Checks a session's name from a person. */
enum bl_status booth_session_check(const char *name, struct bl_diag *diag);

/* An orderly end by signal: SIGTERM, SIGINT and SIGHUP call stop() from the loop. */
struct booth_signals {
    uv_signal_t handle[3];
    void (*stop)(void *ctx);
    void *ctx;
};
void booth_signals_open(struct booth_signals *signals, uv_loop_t *loop, void (*stop)(void *ctx),
                        void *ctx);
void booth_signals_close(struct booth_signals *signals);

/* Keeps the earlier of two deadlines. */
static inline void booth_sooner(uint64_t *due_us, uint64_t at_us)
{
    if (at_us < *due_us)
        *due_us = at_us;
}

/* A page's digest as 16 hexadecimal digits. */
void booth_digest(const struct page *page, char hex[2 * DIGEST_SIZE + 1]);

/* Adds a line's figures to a report; a NULL link (a folder takes the line's place) has none. */
void booth_report_link(json_t *report, const struct link *link);

/* Loads a line's secret, if path is not NULL, for the opening of the line; the caller wipes it
 * afterwards with secret_wipe. From then on no other process of the user, an Entry least of all,
 * can read this process's memory. */
enum bl_status booth_secret(struct line_secret *secret, const char *path, struct bl_diag *diag);

#endif
