/* The source of a judge's plan. Two sources exist: the host counts the plan, and cuts no line
 * (plan_counted.c); or a controller counts and cuts the lines, and the host follows it
 * (plan_followed.c). */
#ifndef BOOTH_PLAN_SOURCE_H
#define BOOTH_PLAN_SOURCE_H

#include "base/status.h"
#include "base/time.h"
#include "session/event.h"

#include <jansson.h>

struct judge_booth;
struct plan_source;

struct plan_source_ops {
    const char *name; /* name of the source, for the final report */
    bool enforced;    /* a controller cuts the lines */

    /* Called once the session has its name and its record. */
    enum bl_status (*claim)(struct plan_source *source, struct bl_diag *diag);
    /* Goes on from the session's state in the record. Called after claim. */
    void (*resume)(struct plan_source *source, struct bl_time now);
    /* F9: begins the plan, or the waiting part. If a line is not up, a second F9 is needed. Returns
     * NULL, or a sentence with the reason why nothing begins. */
    const char *(*begin)(struct plan_source *source, struct bl_time now);
    /* run() does the timed work. due() returns the time of the next work. */
    void (*run)(struct plan_source *source, struct bl_time now);
    uint64_t (*due)(struct plan_source *source, struct bl_time now);

    /* True if the plan cuts that side's line now. */
    bool (*cuts)(const struct plan_source *source, enum side side);
    /* True if begin() would begin something. */
    bool (*may_begin)(const struct plan_source *source);
    /* True if the first part's clock has not run yet. */
    bool (*starts)(const struct plan_source *source);
    /* A sentence with a person's next act; "": none. */
    const char *(*words)(const struct plan_source *source);
    /* The side's present state, in a word or two; NULL: the state of the side's end is shown. */
    const char *(*state)(const struct plan_source *source, enum side side);
    /* The source's part of the final report. */
    json_t *(*report)(const struct plan_source *source);
    /* Closes the source. The memory is freed once the loop has run. */
    void (*close)(struct plan_source *source);
};

/* The first member of each source's struct. */
struct plan_source {
    const struct plan_source_ops *ops;
    struct judge_booth *booth;
};

enum bl_status plan_counted_open(struct plan_source **out, struct judge_booth *booth,
                                 struct bl_diag *diag);

/* Opens the controller's port. Called before a record is open. BL_USAGE: the plan does not fit a
 * controller, or the port is wrong. */
enum bl_status plan_followed_open(struct plan_source **out, struct judge_booth *booth,
                                  const char *port, struct bl_diag *diag);

/* The record's note about the cables. [0]: A is the left line's; [1]: B is. */
extern const char *const plan_followed_cables[2];

#endif
