/* An Entry with the Loebner Prize Protocol, through a folder. The judge's keys appear there as
 * directories TIME.KEY.judge. The Entry's own .other directories are taken and relayed. With
 * as_entry we are the Entry of an organiser's judge program: .judge directories are taken, and
 * .other directories are made.
 *
 * * A key's directory is removed once the key is in the journal (lpp_state.h). A name of the
 * protocol that is no key is reported and removed. A name outside the protocol is reported and
 * left. Source: Loebner Prize 2009 rules, section 2 and appendix; DESIGN.md, "Entrants". */
#ifndef ENTITY_LPP_H
#define ENTITY_LPP_H

#include "base/status.h"
#include "entity/handed.h"
#include "session/event.h"

#include <uv.h>

#define LPP_WAITING_ROOM 8192 /* most directories in memory; more wait in the folder */

struct lpp_options {
    const char *folder;
    int shown; /* 0: `folder` is the folder's path. Otherwise a descriptor of the folder, owned by
                * the caller; `folder` is then the folder's name inside the sandbox
                * (program_lpp_fd()) */
    const char *state_dir; /* 0700 directory for lpp_state.h, such as the journal's */
    bool as_entry;         /* the other side of the protocol */
    bool anew;             /* folder and Entry know no earlier key */
    unsigned scan_ms;      /* interval of polls instead of a watch; 0: a watch if the system has
                            * one */
};

enum lpp_event {
    LPP_WATCHES,   /* the folder is watched, or polled; a poll's reason is in the text */
    LPP_LEFT_OVER, /* number of removed names of another session */
    LPP_NOT_A_KEY, /* a name of the protocol that is no key; removed */
    LPP_PASSED,    /* a name outside of the protocol; left alone */
    LPP_FIRST,     /* the Entry has removed its first directory of the judge, or has typed its first
                    * key */
    LPP_LAGS,      /* the Entry does not take the judge's keys, or does not answer; the reason is
                    * one of lpp_lag.h */
    LPP_TAKES,     /* after LPP_LAGS: the Entry takes the judge's keys, or types, again */
    LPP_FLOODS,    /* number of the Entry's keys that wait to be relayed */
    LPP_STUCK,     /* a name that counted as a key cannot be removed, and is ignored from now on */
    LPP_TROUBLE,   /* the folder is lost, or keys cannot be made in it */
    LPP_WELL       /* LPP_TROUBLE is over */
};

/* Text is one line of at most NOTE_MAX bytes. With as_entry, "Entry" in this header means the
 * judge's program, and "judge" means the Entry. */
struct lpp_callbacks {
    /* A key of the Entry, typed at pressed_us (monotonic). After HANDED_BACK the key comes again
     * when the next lpp_allow() permits keys. */
    enum handed (*key)(void *ctx, uint32_t point, uint64_t pressed_us);
    /* The number of the Entry's keys in the journal. */
    uint64_t (*keys)(void *ctx);
    /* The point of key number n of the order if it is the judge's, else 0. */
    uint32_t (*judge_key)(void *ctx, uint64_t n);
    /* An outcome for the record and the screen. */
    void (*event)(void *ctx, enum lpp_event event, uint32_t count, const char *text);
};

struct lpp;

/* Opens the folder. Before lpp_session() no name is read or made, and no callback comes. callbacks
 * are copied; options are not needed afterwards. Errors: those of lpp_folder.h, lpp_state.h and
 * lpp_work.h. */
enum bl_status lpp_open(struct lpp **out, uv_loop_t *loop, const struct lpp_options *options,
                        const struct lpp_callbacks *callbacks, void *ctx, struct bl_diag *diag);

/* Dates the Entry's earlier keys as typed now, like a person's unread keys. lpp_open() has the same
 * effect. */
void lpp_reads_from_now(struct lpp *lpp);

/* Begins or resumes a session whose journal is open. given: the number of the order, by the
 * journal, up to which the judge's keys are made; used if the folder's state does not know the
 * session, or with `anew`. Names left over from another session are removed and reported. */
void lpp_session(struct lpp *lpp, const char *session, uint64_t given);

/* Waits until the keys under way are made, then leaves the session. No name is read or made until
 * the next lpp_session(). */
void lpp_leave(struct lpp *lpp);

/* Sets the number of the Entry's keys that may be handed over now. With 0 the keys wait in the
 * folder. */
void lpp_allow(struct lpp *lpp, unsigned keys);

/* The line carries no keys now: the Entry owes no answer. */
void lpp_hush(struct lpp *lpp);

/* The order now has n keys. boothlink-lpp makes the directories of the judge's keys that the Entry
 * lacks. */
void lpp_order(struct lpp *lpp, uint64_t n);

/* The last session in the folder with these records; "": none. */
const char *lpp_last_session(const struct lpp *lpp);

/* The number of the order up to which the judge's keys are made. */
uint64_t lpp_given(const struct lpp *lpp);

/* True if the kernel watches the folder. */
bool lpp_watches(const struct lpp *lpp);

/* The loop must run until the handles are closed. NULL is allowed. */
void lpp_close(struct lpp *lpp);

#endif
