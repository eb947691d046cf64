/* The judge's end of the Loebner Prize Protocol, for the validator. Makes the judge's keys in a
 * folder, takes the Entry's keys, and keeps their names and times unchanged, so that an Entry's
 * faults stay visible. Source: Loebner Prize 2009 rules, section 2 and appendix. */
#ifndef VALIDATE_LPP_JUDGE_H
#define VALIDATE_LPP_JUDGE_H

#include "base/status.h"
#include "entity/lpp_folder.h"
#include "entity/lpp_name.h"

#define LPP_JUDGE_NAMES 4096u  /* names of the Entry that are kept; all are counted */
#define LPP_JUDGE_KEYS  16384u /* keys of the judge; no more are made */

/* A name made by the Entry. */
struct lpp_judge_name {
    char name[LPP_NAME_MAX + 1];
    struct lpp_name read;
    enum lpp_thing thing;
    bool named;  /* the key has the rules' name */
    bool stayed; /* the validator could not remove the directory: it is not empty */
};

/* A key pressed by the judge. Times are monotonic. */
struct lpp_judge_key {
    uint64_t number;
    uint64_t made_us;
    uint64_t gone_us; /* time when the Entry removed it; 0: still there */
    bool seen;        /* seen in the last look at the whole folder */
};

/* The names still in the folder, up to a limit. Inode and birth come from lpp_folder_look(). */
struct lpp_judge_left {
    uint64_t inode, born_ns;
    uint32_t name; /* index of the name */
};

struct lpp_judge {
    struct lpp_folder folder;
    struct lpp_judge_name name[LPP_JUDGE_NAMES];
    struct lpp_judge_left left[LPP_JUDGE_NAMES];
    uint32_t lefts;
    uint32_t names;     /* kept names */
    uint32_t since;     /* the first name since the Entry's last start */
    uint64_t names_all; /* names, kept or not */
    struct lpp_judge_key key[LPP_JUDGE_KEYS];
    uint32_t keys;
    uint32_t gone;        /* keys that the Entry has removed */
    uint64_t last_number; /* number of the judge's last key */
    bool begun;
    bool settling; /* unread changes may be older than the last look at the whole folder */
};

/* Uses an open folder; the descriptor is not kept. Errors of lpp_folder_open(). Existing names are
 * taken by the first lpp_judge_take(). */
enum bl_status lpp_judge_create(struct lpp_judge **out, int folder_fd, struct bl_diag *diag);
void lpp_judge_destroy(struct lpp_judge *judge);

/* The Entry was restarted. */
void lpp_judge_restart(struct lpp_judge *judge);

/* Readable when something in the folder has changed. */
int lpp_judge_fd(const struct lpp_judge *judge);

/* Makes one key of the judge, numbered by the clock. False if there is no room, or the folder is
 * gone. */
bool lpp_judge_press(struct lpp_judge *judge, uint32_t point, uint64_t mono_us, uint64_t wall_us);

/* Takes the changes in order: passes each key of the Entry to `key` and removes its directory.
 * Takes a bounded number of changes; if more are left, lpp_judge_fd() stays readable. */
void lpp_judge_take(struct lpp_judge *judge, uint64_t mono_us,
                    void (*key)(void *ctx, uint32_t point), void *ctx);

#endif
