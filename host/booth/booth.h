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

#define BOOTH_QUIET_MS 2000 /* after this time without a key a headless session ends */

/* The options of both commands. The caller keeps the strings. */
struct booth_options {
    const char *journal_dir; /* NULL: the user's state directory */
    const char *session;     /* the session's name; NULL: the newest unfinished session, or a new
                              * name */
    const char *script;
    const char *ticket;      /* the ticket's file; NULL: none */
    const char *trace;       /* file for a list of the frames with their lengths */
    const char *machine_key; /* file of the key that signs ballots; NULL: no signature */
    const char *screen;      /* see screens.h */
    /* Files of the lines' secrets: one for each side; key_file is for a side without its own. NULL:
     * not encrypted. */
    const char *side_key_file[SIDES], *key_file;
    bool side_insecure[SIDES]; /* this side needs no secret; with `insecure` no side needs one */
    const char *referee;       /* file of the public key of a referee who may listen; NULL: none */
    char about[120];           /* the ticket's round and rules, for the record; "": no ticket */
    const char *contest;       /* the contest's id, for the record; NULL: not given */
    bool headless, json, kiosk, small, rtscts, insecure;
    bool day; /* started by `boothlink booth`: ends by itself after its session */
};

/* The clock of one process: a wall time advanced by the monotonic clock. A change of the machine's
 * clock has no effect until the process is started again. */
struct booth_clock {
    uint64_t wall_us, mono_us; /* one moment by both clocks */
};
void booth_clock_init(struct booth_clock *clock);
struct bl_time booth_now(const struct booth_clock *clock);

/* True if the clock is plainly wrong: before the year 2026. */
bool booth_clock_unset(const struct booth_clock *clock);

/* Finds the folder for journals, and makes it (0700) if it is missing. path: PATH_MAX bytes. */
enum bl_status booth_journal_dir(const struct booth_options *options, char *path,
                                 struct bl_diag *diag);

/* Makes a new session's name from date, time and a random part. */
void booth_session_name(uint64_t wall_us, char name[SESSION_ID_MAX + 1]);

enum bl_status booth_session_check(const char *name, struct bl_diag *diag);

/* An orderly end by signal. The loop calls stop() on SIGTERM, SIGINT and SIGHUP. */
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

/* Adds the link's figures to a report. NULL: none are added. */
void booth_report_link(json_t *report, const struct link *link);

/* Loads a line's secret, if path is not NULL. After the line's opening the caller wipes the secret
 * with secret_wipe(). Once a secret is loaded, the user's other processes, an Entry included,
 * cannot read this process's memory. */
enum bl_status booth_secret(struct line_secret *secret, const char *path, struct bl_diag *diag);

#endif
