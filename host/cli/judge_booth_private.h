/* The inside of the judge's terminal, for its two files. */
#ifndef CLI_JUDGE_BOOTH_PRIVATE_H
#define CLI_JUDGE_BOOTH_PRIVATE_H

#include "cli/judge_booth.h"
#include "session/judge_end.h"

struct judge_booth;
struct judge_controller;

struct judge_side {
    struct judge_booth *booth;
    enum side side;
    struct judge_end *end;
    struct link *link;
    uint64_t last_up_us;
};

struct judge_booth {
    const struct judge_options *options;
    uv_loop_t loop;
    uv_prepare_t prepare;
    struct bl_timer timer;
    struct booth_signals signals;
    struct booth_clock clock;
    struct journal *journal;
    char session[SESSION_ID_MAX + 1];
    char style[STYLE_MAX + 1]; /* of the journal */
    uint8_t starts;
    struct script *script;
    struct screen *screen;
    struct screen_model model;
    char segment_text[48], message[200];
    uint64_t message_until_us;

    struct judge_side sides[SIDES];
    struct plan_clock plan;
    struct judge_controller *controller; /* NULL: the host counts, and nothing is enforced */
    enum side active;
    bool resumed, changed, plan_seen;
    unsigned resume_index;
    uint64_t resume_remaining_us;
    uint64_t clock_kept_us, last_typed_us, start_us;
    uint32_t ignored;

    enum { RUNNING, ENDING, SAYING_GOODBYE, STOPPED } stage;
    uint64_t stage_due_us;
    void *trace;
};

/* The first side that has a line, or the next one; NULL: no more. */
struct judge_side *judge_booth_side(struct judge_booth *b, struct judge_side *after);
#define EACH_SIDE(b, s)                                                                            \
    for (struct judge_side *s = judge_booth_side(b, NULL); s; s = judge_booth_side(b, s))

/* Begins the plan, or the part of it that waits for the steward's word; no effect elsewhere. */
void judge_plan_begin(struct judge_booth *b);

/* The plan's clock has made a step: the lines' ends are told. */
void judge_plan_apply(struct judge_booth *b, struct bl_time now);

/* Goes on where the journal says the session stood. */
void judge_plan_resume(struct judge_booth *b, struct bl_time now);

/* Records what is left of the segment. */
void judge_plan_keep(struct judge_booth *b, struct bl_time now);

/* What time brings, and when it brings more. */
void judge_plan_run(struct judge_booth *b, struct bl_time now);
uint64_t judge_plan_due(struct judge_booth *b, struct bl_time now);

/* Fills b->model for the screen. */
void judge_booth_model(struct judge_booth *b, struct bl_time now);

/* Prints the final report as one JSON object. */
void judge_booth_report(struct judge_booth *b);

#endif
