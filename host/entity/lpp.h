/* An Entry with the Loebner Prize Protocol, through a folder: the judge's keys appear there as
 * TIME.KEY.judge, its own .other directories are taken and relayed the moment they appear. Or the
 * other side of the protocol: an organiser's judge program has the folder, and we are the Entry.
 * Then the judge's directories are taken, and ours made; all else is the same.
 *
 * A key counts once journalled; only then its directory is removed. So a kill at any instant loses,
 * doubles and reorders nothing (lpp_state.h). A name of no key is told and removed; a name outside
 * the protocol is told and left. Source: Loebner Prize 2009 rules, section 2 and appendix;
 * DESIGN.md, "Entrants". */
#ifndef ENTITY_LPP_H
#define ENTITY_LPP_H

#include "base/status.h"
#include "entity/handed.h"
#include "session/event.h"

#include <uv.h>

#define LPP_WAITING_ROOM 8192 /* directories in memory; further ones wait in the folder */

struct lpp_options {
    const char *folder;
    int shown; /* 0: `folder` is a path to it; else a descriptor of the folder, which stays open,
                * and `folder` is the Entry's name for it (program_lpp_fd()) */
    const char *state_dir; /* 0700 directory for lasting state, e.g. the journal's */
    bool as_entry;         /* the other side of the protocol */
    bool anew;             /* no earlier key is in the folder, nor known to the Entry */
    unsigned scan_ms;      /* interval of looks in place of a watch; 0: only on network shares */
};

enum lpp_event {
    LPP_WATCHES,   /* the folder is watched, or polled; for polling with the reason */
    LPP_LEFT_OVER, /* number of removed names of another session */
    LPP_NOT_A_KEY, /* a name of the protocol that is no key; removed */
    LPP_PASSED,    /* a name outside of the protocol; left alone */
    LPP_FIRST,     /* the Entry has taken its first key of the judge, or typed its first */
    LPP_LAGS,      /* the judge's keys are not taken, with one of the reasons of lpp_lag.h */
    LPP_TAKES,     /* the judge's keys are taken again */
    LPP_FLOODS,    /* count of its keys waiting to be relayed */
    LPP_STUCK,     /* a name cannot be removed; it counts as a key once and never again */
    LPP_TROUBLE,   /* the folder is gone, or keys cannot be made in it */
    LPP_WELL       /* the trouble is over */
};

/* Text is one line of at most NOTE_MAX bytes. With as_entry, read "judge's program" for Entry and
 * "Entry" for judge, here and below. */
struct lpp_callbacks {
    /* A key of the Entry, typed at pressed_us (monotonic). HANDED_BACK: it comes again after the
     * next lpp_allow. */
    enum handed (*key)(void *ctx, uint32_t point, uint64_t pressed_us);
    /* The number of the Entry's keys in the journal, including all from here. */
    uint64_t (*keys)(void *ctx);
    /* The point of key number n of the order if it is the judge's, else 0. */
    uint32_t (*judge_key)(void *ctx, uint64_t n);
    /* An outcome for the record and the screen. */
    void (*event)(void *ctx, enum lpp_event event, uint32_t count, const char *text);
};

struct lpp;

/* Opens the folder; nothing is read or made in it before lpp_session(). callbacks are copied,
 * options are not needed afterwards; no callback comes before the loop runs. Errors: those of
 * lpp_folder.h and lpp_state.h. */
enum bl_status lpp_open(struct lpp **out, uv_loop_t *loop, const struct lpp_options *options,
                        const struct lpp_callbacks *callbacks, void *ctx, struct bl_diag *diag);

/* The terminal begins to read only now: earlier keys of the Entry count as typed now, as a person's
 * do. lpp_open() is such a moment, too. */
void lpp_reads_from_now(struct lpp *lpp);

/* Begins or resumes a session whose journal is open. given: the judge's keys up to this number of
 * the order need not be made; from the journal, and used where nothing else is known or everything
 * begins anew. Names left over from another session are removed and reported. */
void lpp_session(struct lpp *lpp, const char *session, uint64_t given);

/* Leaves the session when the present key is made: nothing is read or made until the next
 * lpp_session(). */
void lpp_leave(struct lpp *lpp);

/* The number of keys that may be handed over now; 0: none is read, and they wait in the folder. */
void lpp_allow(struct lpp *lpp, unsigned keys);

/* The line carries no keys now: nobody waits for the Entry to type. */
void lpp_hush(struct lpp *lpp);

/* The order now has n keys: the judge's keys that the Entry lacks are made, off the loop. */
void lpp_order(struct lpp *lpp, uint64_t n);

/* The last session that was begun in the folder with these records; "" for none. */
const char *lpp_last_session(const struct lpp *lpp);

/* The judge's keys up to this number of the order are made. */
uint64_t lpp_given(const struct lpp *lpp);

/* True if the kernel watches the folder. */
bool lpp_watches(const struct lpp *lpp);

/* The loop must run until the handles are closed. NULL is allowed. */
void lpp_close(struct lpp *lpp);

#endif
