/* The clock of a judge's session, which decides when its lines carry keys: this host, which cuts
 * nothing (plan_counted.c), or a controller, which cuts the lines and which the host follows
 * (plan_followed.c). Apart from these, only the clock's own steps move it: judge_plan_step(). */
#ifndef BOOTH_PLAN_SOURCE_H
#define BOOTH_PLAN_SOURCE_H

#include "base/status.h"
#include "base/time.h"
#include "session/event.h"

#include <jansson.h>

struct judge_booth;
struct plan_source;

struct plan_source_ops {
    const char *name; /* the cutter of the lines, for the final report */
    bool enforced;    /* the lines are cut by more than this program's word */

    /* The session has its name and its record. */
    enum bl_status (*claim)(struct plan_source *source, struct bl_diag *diag);
    /* Goes on where the record says the session stood: after claim, at the start. */
    void (*resume)(struct plan_source *source, struct bl_time now);
    /* F9, the steward's word: begins the plan, or the waiting part. A clock on a line that is not
     * up needs a second F9. NULL, or the reason for no effect, in a sentence. */
    const char *(*begin)(struct plan_source *source, struct bl_time now);
    /* Does the timed work; due() returns the time of the next. */
    void (*run)(struct plan_source *source, struct bl_time now);
    uint64_t (*due)(struct plan_source *source, struct bl_time now);

    /* True if that side's line is cut now, as it should be. */
    bool (*cuts)(const struct plan_source *source, enum side side);
    /* Would the steward's word begin something now? */
    bool (*may_begin)(const struct plan_source *source);
    /* Has the first part's clock not run yet? */
    bool (*starts)(const struct plan_source *source);
    /* A sentence on a person's next act or present need; "" if all is in order. */
    const char *(*words)(const struct plan_source *source);
    /* The side's present state, in a word or two; NULL: its end's words. */
    const char *(*state)(const struct plan_source *source, enum side side);
    /* For the final report. */
    json_t *(*report)(const struct plan_source *source);
    /* Frees it once the loop has run. */
    void (*close)(struct plan_source *source);
};

/* The first member of each source. */
struct plan_source {
    const struct plan_source_ops *ops;
    struct judge_booth *booth;
};

enum bl_status plan_counted_open(struct plan_source **out, struct judge_booth *booth,
                                 struct bl_diag *diag);

/* Opens the controller's port, before there is a record. BL_USAGE also when the plan does not fit a
 * controller. */
enum bl_status plan_followed_open(struct plan_source **out, struct judge_booth *booth,
                                  const char *port, struct bl_diag *diag);

/* The note on record that names each side's cable: [0] A is the left one's, [1] B is. */
extern const char *const plan_followed_cables[2];

#endif
