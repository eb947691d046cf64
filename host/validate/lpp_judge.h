/* The judge's end of the Loebner Prize Protocol, for the validator: makes the judge's keys in a
 * folder, takes the Entry's, and remembers each name, unchanged, and its time.
 *
 * In contrast to entity/lpp.h, which makes the best of an Entry's acts, nothing is put in order
 * here and nothing is lost that may speak against it. Source: Loebner Prize 2009 rules, section 2
 * and appendix. */
#ifndef VALIDATE_LPP_JUDGE_H
#define VALIDATE_LPP_JUDGE_H

#include "base/status.h"
#include "entity/lpp_folder.h"
#include "entity/lpp_name.h"

#define LPP_JUDGE_NAMES 4096u  /* of the Entry's remembered ones, the first; all are counted */
#define LPP_JUDGE_KEYS  16384u /* of the judge's; more are not made */

/* A name the Entry has made. */
struct lpp_judge_name {
    char name[LPP_NAME_MAX + 1];
    struct lpp_name read;
    enum lpp_thing thing;
    bool named;  /* its key has the rules' name */
    bool stayed; /* unremovable: not empty */
};

/* A key the judge has pressed. Times are monotonic. */
struct lpp_judge_key {
    uint64_t number;
    uint64_t made_us;
    uint64_t gone_us; /* time of its removal by the Entry; 0: still there */
    bool seen;        /* by the last look at the whole folder */
};

/* The names still there, as far as they are remembered: inode and birth as of lpp_folder_look(). */
struct lpp_judge_left {
    uint64_t inode, born_ns;
    uint32_t name; /* its place among the names */
};

struct lpp_judge {
    struct lpp_folder folder;
    struct lpp_judge_name name[LPP_JUDGE_NAMES];
    struct lpp_judge_left left[LPP_JUDGE_NAMES];
    uint32_t lefts;
    uint32_t names;     /* remembered; */
    uint32_t since;     /* the first of them since the Entry was started last */
    uint64_t names_all; /* in all */
    struct lpp_judge_key key[LPP_JUDGE_KEYS];
    uint32_t keys;
    uint32_t gone;        /* of them */
    uint64_t last_number; /* the judge's */
    bool begun;
    bool settling; /* told changes may be older than a look at the whole folder */
};

/* Of a folder already open; the descriptor is not kept. Errors: of lpp_folder_open(). Names already
 * there wait for the first lpp_judge_take(). */
enum bl_status lpp_judge_create(struct lpp_judge **out, int folder_fd, struct bl_diag *diag);
void lpp_judge_destroy(struct lpp_judge *judge);

/* The Entry has been started again. */
void lpp_judge_restart(struct lpp_judge *judge);

/* Readable when something has changed in the folder. */
int lpp_judge_fd(const struct lpp_judge *judge);

/* Makes one key of the judge, with the number the clock gives. False: there is no room, or no
 * folder any more. */
bool lpp_judge_press(struct lpp_judge *judge, uint32_t point, uint64_t mono_us, uint64_t wall_us);

/* Takes the changes: each key of the Entry's is given to `key` and its directory removed, in the
 * order in which they were made. Takes no more at once than the system tells, so an Entry which
 * makes names without end does not keep the caller: then lpp_judge_fd() stays readable. */
void lpp_judge_take(struct lpp_judge *judge, uint64_t mono_us,
                    void (*key)(void *ctx, uint32_t point), void *ctx);

#endif
