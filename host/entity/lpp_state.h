/* A terminal's memory of its folder across a kill: a small file beside the journals, mapped into
 * memory, so the file outlives the terminal with each store below.
 *
 * - Before the Entry's key number k is journalled, slot k % LPP_TAKEN_MAX has the key's name, until
 *   that is removed. After a kill the journal's own count says whether k was journalled: then the
 *   name is only removed.
 * - Before the judge's key number n is made, its number in the folder is stored, afterwards `given`
 *   becomes n. After a kill in between, the name's presence or the folder's time of change says
 *   whether it was made.
 * - A name that cannot be removed is remembered, so it counts as a key only once. */
#ifndef ENTITY_LPP_STATE_H
#define ENTITY_LPP_STATE_H

#include "base/status.h"
#include "entity/lpp_name.h"

#include <stdatomic.h>

#define LPP_STATE_MAGIC UINT64_C(0x32657461745070) /* changes with the layout */
#define LPP_TAKEN_MAX   32
#define LPP_STUCK_MAX   64

struct lpp_taken {
    _Atomic uint64_t key; /* number k of the Entry's key, stored last; 0: none */
    uint64_t inode, born_ns;
    char name[LPP_NAME_MAX + 1];
};

struct lpp_state {
    _Atomic uint64_t magic; /* stored last */
    char session[SESSION_ID_MAX + 1];
    uint64_t seen_us; /* wall clock at which this terminal last used the folder */

    struct lpp_taken taken[LPP_TAKEN_MAX];

    _Atomic uint64_t given;  /* the judge's keys up to this number of the order are made */
    _Atomic uint64_t making; /* number in the order of the judge's key being made, stored last; at
                              * most `given`: none */
    _Atomic uint64_t number; /* the last number that was used for a name */
    uint64_t making_point;   /* code point of the key being made */
    uint64_t making_ns;      /* the folder's time of change before the making */

    struct {
        uint64_t inode, born_ns;
    } stuck[LPP_STUCK_MAX];
    _Atomic uint32_t stuck_count;
};

/* Opens or makes DIRECTORY/lpp-XXXXXXXX.state, named after the folder's path; for the Entry's side,
 * lpp-entry-XXXXXXXX.state. Waits up to a second for the end of a killed terminal's work
 * (lpp_task.h). *fd holds the file's lock until the last process closes that descriptor. A damaged
 * state is emptied. The state may be of another session: the caller compares `session`. BL_BUSY,
 * BL_NOPERM, BL_FULL, BL_IO. */
enum bl_status lpp_state_open(struct lpp_state **out, int *fd, const char *directory,
                              const char *folder, bool as_entry, struct bl_diag *diag);
void lpp_state_close(struct lpp_state *state);

/* Begins another session. Keeps the number of the last name, and the stuck names. */
void lpp_state_begin(struct lpp_state *state, const char *session, uint64_t given);

#endif
