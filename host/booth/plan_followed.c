/* Follows a controller. Its time is the session's time. Its state opens and closes the lines' ends.
 * Its acts are recorded. */
#include "booth/judge_booth_private.h"

#include "base/crc32c.h"
#include "controller/plan.h"
#include "link/controller_port.h"
#include "controller/drift.h"
#include "booth/messages.h"

#include <stdlib.h>
#include <string.h>

/* A link notices the cut of its line within this time. */
#define LINK_AGES_US 3500000u

/* The longest wait for all lines in a connect phase. Then the host stops talking to the controller,
 * which cuts the lines before the clock starts. */
#define CONNECT_WAIT_US ((WATCHDOG_CONNECT_S * 1000 - WATCHDOG_LEASE_MS - 500) * UINT64_C(1000))

struct plan_followed {
    struct plan_source source; /* first, see plan_source.h */
    struct controller_port *port;
    struct client *client;
    struct client_plan plan;
    struct client_view view; /* the client's view at the last look() */
    bool swapped;            /* the cables are swapped, and the client is quiet until F9 */
    bool sure;               /* a second F9: the clock may start without a line */
    bool told_unconnected;   /* the record has the note about a line without a connection */
    bool begun, went; /* went: in this connect phase the client has told the controller that all
                       * lines are connected */
    uint64_t joined_us[SIDES]; /* the last time at which the side's line was joined; 0: never */
    uint64_t phase_us;         /* time at which the present connect phase or part was first seen; 0:
                                * neither */
    unsigned cuts;
    char words[200];
};

const char *const plan_followed_cables[] = {"cable A is the left line's, cable B the right's",
                                            "cable B is the left line's, cable A the right's"};

static void note(struct plan_followed *c, const char *words)
{
    struct judge_booth *b = c->source.booth;
    booth_note(&b->booth, judge_booth_side(b, NULL)->line.side, NOTE_CONTROLLER, 0, words);
}

static bool plan_opens(const struct plan_followed *c, enum side side)
{
    const struct plan *plan = c->source.booth->plan.plan;
    return c->view.segment < plan->count && plan->segment[c->view.segment].open[side];
}

static bool is_counting(const struct plan_followed *c)
{
    return c->view.state == CONTROLLER_OPEN || c->view.state == CONTROLLER_CLOSING;
}

static bool is_over(const struct plan_followed *c)
{
    return c->view.mine &&
           (c->view.state == CONTROLLER_OVER || (c->begun && c->view.state == CONTROLLER_IDLE));
}

static void follow_side(struct plan_followed *c, struct judge_side *s, struct bl_time now)
{
    struct judge_booth *b = c->source.booth;
    const struct judge_end_view *view = s->view;
    bool here = plan_opens(c, s->line.side), over = is_over(c);
    bool live = view->segment == SEGMENT_OPEN || view->segment == SEGMENT_CLOSING;
    bool same = live && here && view->index == c->view.segment;
    if (live ? over || !same || c->view.state == CONTROLLER_CUT
             : over && view->segment != SEGMENT_FINISHED) {
        c->cuts += live;
        judge_end_cut(s->end, over, now);
        return;
    }
    if (!is_counting(c) || !here) {
        judge_end_pause(s->end, c->view.left_us, now);
        return;
    }
    if (!same || view->paused) {
        judge_end_open(s->end, c->view.segment, b->plan.plan->count, c->view.left_us, same, now);
        judge_plan_choose(b, c->view.segment);
    } else {
        judge_end_follow(s->end, c->view.left_us, now);
    }
    if (c->view.state == CONTROLLER_CLOSING)
        judge_end_closing(s->end, now);
}

static enum segment_state clock_state(const struct plan_followed *c)
{
    if (is_over(c))
        return SEGMENT_FINISHED;
    if (!c->begun)
        return SEGMENT_WAITING;
    return c->view.state == CONTROLLER_OPEN      ? SEGMENT_OPEN
           : c->view.state == CONTROLLER_CLOSING ? SEGMENT_CLOSING
                                                 : SEGMENT_CLOSED;
}

/* Takes the client's view. A controller that has not started reports no time: all of the first part
 * is left. */
static void look(struct plan_followed *c, struct bl_time now)
{
    client_view(c->client, &c->view, now);
    if (c->view.state == CONTROLLER_READY)
        c->view.left_us = (uint64_t)c->plan.segment[0].seconds * 1000000;
}

/* True if the plan's clock follows the controller, which must serve this session. False while the
 * session is ending. */
static bool follows(const struct plan_followed *c)
{
    return c->view.mine && c->source.booth->booth.stage == RUNNING;
}

static void follow(struct plan_followed *c, struct bl_time now)
{
    struct judge_booth *b = c->source.booth;
    enum segment_state was = b->plan.state;
    unsigned index = b->plan.index;
    look(c, now);
    if (c->view.mine && controller_state_begun(c->view.state)) {
        if (!c->begun && strcmp(b->booth.message, say_the_controller_is_not_ready) == 0)
            booth_say(&b->booth, "");
        c->begun = true;
    }
    if (c->view.state != CONTROLLER_CONNECT)
        c->went = false;
    b->booth.changed = true;
    if (!follows(c))
        return;
    if (c->begun)
        plan_clock_follow(&b->plan, c->view.segment, clock_state(c), c->view.left_us, now.mono_us);
    EACH_SIDE (b, s)
        follow_side(c, s, now);
    if (c->begun && (was == SEGMENT_WAITING || index != b->plan.index ||
                     (is_counting(c) && now.mono_us >= b->clock_kept_us + PLAN_KEPT_EVERY_US)))
        judge_plan_keep(b, now);
}

static bool followed_cuts(const struct plan_source *source, enum side side)
{
    const struct plan_followed *c = (const struct plan_followed *)source;
    bool joined = c->view.state == CONTROLLER_CONNECT || is_counting(c);
    return !c->view.mine || !joined || !plan_opens(c, side);
}

/* True if the side's line is joined now, by the plan. */
static bool is_joined(const struct plan_followed *c, enum side side)
{
    return !followed_cuts(&c->source, side);
}

static char cable_of(const struct plan_followed *c, enum side side)
{
    return (side == SIDE_RIGHT) != c->source.booth->options->b_left ? 'B' : 'A';
}

/* True if the side's link is up by frames heard after the side's line was cut. */
static bool hears(const struct plan_followed *c, const struct judge_side *s, struct bl_time now)
{
    uint64_t cut_us = c->joined_us[s->line.side];
    if (!s->line.up)
        return false;
    if (s->up_us > c->phase_us && (!cut_us || s->up_us > cut_us + LINK_AGES_US))
        return true;
    return now.mono_us > c->phase_us + LINK_AGES_US && now.mono_us > cut_us + LINK_AGES_US;
}

/* True if it is known which lines are joined. A controller that is out of touch joins other lines
 * when the last known part ends. */
static bool is_known(const struct plan_followed *c)
{
    return c->view.current && (c->view.left_us > 0 || !is_counting(c));
}

/* Looks for cables swapped at the controller or at this machine. With swapped cables the relay
 * joins the other side's line, and nobody reads the judge's keys. */
static void look_for_swap(struct plan_followed *c, struct bl_time now)
{
    const struct judge_side *joined = NULL, *heard = NULL;
    char text[NOTE_MAX + 1];
    if (!c->view.mine || (c->view.state != CONTROLLER_CONNECT && !is_counting(c))) {
        c->phase_us = 0;
        return;
    }
    if (!c->phase_us)
        c->phase_us = now.mono_us;
    if (c->view.quiet || !is_known(c))
        return;
    EACH_SIDE (c->source.booth, s) {
        enum side side = s->line.side;
        if (is_joined(c, side)) {
            c->joined_us[side] = now.mono_us;
            joined = s;
            if (s->line.up)
                return;
        } else if (hears(c, s, now)) {
            heard = s;
        }
    }
    if (!joined || !heard)
        return;
    snprintf(text, sizeof text,
             "cable %c is joined, but the port of cable %c hears the other end: the two are "
             "swapped at the controller or at this machine. Swap them back, then press F9 here or "
             "turn the key switch to PAUSE and to RUN; until then the clock stands",
             cable_of(c, joined->line.side), cable_of(c, heard->line.side));
    note(c, text);
    c->swapped = true;
    client_be_quiet(c->client);
    c->source.booth->booth.changed = true;
}

static void on_send(void *ctx, const char *bytes, size_t length)
{
    controller_port_send(((struct plan_followed *)ctx)->port, bytes, length);
}

static void on_changed(void *ctx)
{
    struct plan_followed *c = ctx;
    follow(c, booth_now(&c->source.booth->booth.clock));
}

static void on_happened(void *ctx, const char *words)
{
    note(ctx, words);
}

static void on_bytes(void *ctx, const char *bytes, size_t length)
{
    struct plan_followed *c = ctx;
    client_bytes(c->client, bytes, length, booth_now(&c->source.booth->booth.clock));
}

static void on_usable(void *ctx, bool usable, const char *reason)
{
    struct plan_followed *c = ctx;
    client_port(c->client, usable, reason, booth_now(&c->source.booth->booth.clock));
}

static enum bl_status followed_claim(struct plan_source *source, struct bl_diag *diag)
{
    struct plan_followed *c = (struct plan_followed *)source;
    const struct client_callbacks callbacks = {on_send, on_changed, on_happened};
    struct judge_booth *b = c->source.booth;
    struct client_config config = {.plan = c->plan, .begun = b->plan_seen};
    uint32_t sum = crc32c(0, (const uint8_t *)b->session, strlen(b->session));
    config.nonce = (uint16_t)(sum ^ sum >> 16);
    if (config.nonce == 0)
        config.nonce = 1;
    c->begun = config.begun;
    if (!b->cables_seen || b->cables_b_left != b->options->b_left)
        note(c, plan_followed_cables[b->options->b_left]);
    if (c->begun) /* earlier joins are not known, so now counts as one */
        c->joined_us[SIDE_LEFT] = c->joined_us[SIDE_RIGHT] = booth_now(&b->booth.clock).mono_us;
    c->client = client_create(&config, &callbacks, c);
    if (!c->client)
        return bl_fail(diag, BL_NOMEM, say_fail_no_memory_for_the_controller);
    EACH_SIDE (b, s)
        judge_end_plan(s->end, plan_last_open(b->plan.plan, s->line.side), true);
    look(c, booth_now(&b->booth.clock));
    return BL_OK;
}

static void followed_close(struct plan_source *source)
{
    struct plan_followed *c = (struct plan_followed *)source;
    controller_port_close(c->port);
    client_destroy(c->client);
    free(c);
}

static void followed_resume(struct plan_source *source, struct bl_time now)
{
    struct plan_followed *c = (struct plan_followed *)source;
    struct judge_booth *b = c->source.booth;
    if (!b->plan_seen)
        return;
    c->begun = true;
    client_begun(c->client, now);
    if (c->view.mine) {
        follow(c, now);
        return;
    }
    plan_clock_follow(&b->plan, b->resume_index, SEGMENT_CLOSED, b->resume_remaining_us,
                      now.mono_us);
    EACH_SIDE (b, s)
        judge_end_pause(s->end, b->resume_remaining_us, now);
}

static bool followed_may_begin(const struct plan_source *source)
{
    const struct plan_followed *c = (const struct plan_followed *)source;
    return c->view.may_start && c->view.inputs & STATUS_KEY_SWITCH;
}

static bool followed_starts(const struct plan_source *source)
{
    const struct plan_followed *c = (const struct plan_followed *)source;
    if (!c->begun)
        return !is_over(c);
    return c->view.mine && c->view.segment == 0 && !is_counting(c) && !is_over(c) &&
           c->view.left_us == (uint64_t)c->plan.segment[0].seconds * 1000000;
}

static const char *followed_words(const struct plan_source *source);

/* The sentence for an F9 without effect: the remedy, or the reason. */
static const char *why_not(const struct plan_followed *c)
{
    const char *words = followed_words(&c->source);
    if (words[0])
        return words;
    if (is_over(c))
        return say_the_session_is_over_now;
    if (c->view.starting || controller_state_begun(c->view.state))
        return say_the_session_has_begun_already;
    return say_the_controller_is_not_ready;
}

static const char *followed_begin(struct plan_source *source, struct bl_time now)
{
    struct plan_followed *c = (struct plan_followed *)source;
    if (c->view.quiet) { /* F9 after a fault: the session goes on */
        c->sure = !c->swapped;
        client_talk(c->client, now);
        return NULL;
    }
    if (!followed_may_begin(source))
        return why_not(c);
    if (!c->begun) /* recorded before the command: a restarted process knows that the plan runs */
        judge_plan_keep(c->source.booth, now);
    if (client_start(c->client, now))
        return why_not(c);
    look(c, now); /* so a second F9 at the same moment finds the plan starting */
    return NULL;
}

/* True if the first part's clock may wait for a line. The clock has not run, neither a second F9
 * nor all_there() has started it, and the controller serves this session. */
static bool may_wait(const struct plan_followed *c)
{
    return c->view.mine && followed_starts(&c->source) && c->view.state == CONTROLLER_CONNECT &&
           !c->sure && !c->went;
}

static void wait_for_lines(struct plan_followed *c, struct bl_time now)
{
    if (may_wait(c) && !c->view.quiet && now.mono_us >= c->phase_us + CONNECT_WAIT_US) {
        if (!c->told_unconnected)
            note(c, "a line of the first part is not connected: the clock does not start");
        c->told_unconnected = true;
        client_be_quiet(c->client);
    }
    /* A plan that begins by itself tries the connect phase again. */
    if (c->view.quiet && !c->swapped && c->view.state == CONTROLLER_LOST &&
        !c->source.booth->options->begin_by_key)
        client_talk(c->client, now);
}

/* True if every line that the plan opens now is connected. The entities' readiness does not count:
 * waiting for it would show the side of a slow program. */
static bool all_there(const struct plan_followed *c)
{
    EACH_SIDE (c->source.booth, s) {
        const struct judge_end_view *view = s->view;
        if (plan_opens(c, s->line.side) && view->sync != SYNC_LIVE)
            return false;
    }
    return true;
}

static bool is_called(const struct plan_followed *c)
{
    EACH_SIDE (c->source.booth, s) {
        if (s->view->steward_here)
            return true;
    }
    return false;
}

/* True on a spare machine while the other end sends this session's record, after an attendant's F8.
 * The plan in the controller is then this session's, and the line must stay joined. */
static bool began_elsewhere(const struct plan_followed *c)
{
    EACH_SIDE (c->source.booth, s)
        if (s->view->taking)
            return true;
    return false;
}

/* The controller is out of touch: it cuts the lines after 3 s, but cannot report the cut. */
static void be_lost(struct plan_followed *c, struct bl_time now)
{
    struct judge_booth *b = c->source.booth;
    if (follows(c)) {
        follow(c, now);
        return;
    }
    if (b->booth.stage != RUNNING)
        return;
    /* The controller refuses this session now: stops the plan's clock. */
    uint64_t left_us = plan_clock_remaining(&b->plan, now.mono_us);
    plan_clock_follow(&b->plan, b->plan.index, SEGMENT_CLOSED, left_us, now.mono_us);
    EACH_SIDE (b, s)
        judge_end_pause(s->end, left_us, now);
    b->booth.changed = true;
}

static void followed_run(struct plan_source *source, struct bl_time now)
{
    struct plan_followed *c = (struct plan_followed *)source;
    if (!c->begun && began_elsewhere(c))
        client_begun(c->client, now);
    if (now.mono_us >= client_due(c->client))
        client_tick(c->client, now);
    look(c, now);
    c->swapped = c->swapped && c->view.quiet;
    client_call(c->client, is_called(c), now);
    look_for_swap(c, now);
    if (c->view.state == CONTROLLER_READY && !c->source.booth->options->begin_by_key)
        followed_begin(source, now);
    if (c->view.mine && c->view.state == CONTROLLER_CONNECT && !c->went && !c->swapped &&
        all_there(c)) {
        c->went = true;
        client_talk(c->client, now);
        client_go(c->client, now);
    }
    wait_for_lines(c, now);
    bool runs = c->source.booth->plan.state == SEGMENT_OPEN ||
                c->source.booth->plan.state == SEGMENT_CLOSING;
    if (c->view.state == CONTROLLER_LOST && runs)
        be_lost(c, now);
}

static uint64_t followed_due(struct plan_source *source, struct bl_time now)
{
    const struct plan_followed *c = (const struct plan_followed *)source;
    uint64_t due = client_due(c->client);
    (void)now;
    if (may_wait(c) && !c->view.quiet && c->phase_us)
        booth_sooner(&due, c->phase_us + CONNECT_WAIT_US);
    return due;
}

/* The words about the controller's other session, which may be this session, begun on another
 * machine. While F8 can take it over, no words ask to abort it. NULL: no such words. */
static const char *taking_words(const struct plan_followed *c)
{
    bool may_take = false, takes = false;
    EACH_SIDE (c->source.booth, s) {
        may_take = may_take || s->view->may_take;
        takes = takes || s->view->takes;
    }
    if (may_take) /* the screen shows say_call_the_attendant_this_session */
        return "";
    return takes ? say_this_machine_takes_the_session : NULL;
}

static const char *followed_words(const struct plan_source *source)
{
    const struct plan_followed *c = (const struct plan_followed *)source;
    const struct client_view *view = &c->view;
    bool called = c->source.booth->sides[c->source.booth->booth.active].view->steward_here;
    if (view->quiet && !c->swapped)
        return c->source.booth->options->begin_by_key ? say_a_line_is_not_connected : "";
    if (view->quiet) /* without the reason, which would tell the judge the parties' cables */
        return called ? say_the_session_stands_still_call_called
                      : say_the_session_stands_still_call;
    if (view->refused && !c->begun && taking_words(c))
        return taking_words(c);
    if (view->trouble[0] && !view->answers && !view->refused) /* without the cable's name */
        return called ? say_the_controller_does_not_answer_called
                      : say_the_controller_does_not_answer;
    if (view->trouble[0])
        return view->trouble;
    switch (view->state) {
    case CONTROLLER_READY:
    case CONTROLLER_WAIT:
        return view->inputs & STATUS_KEY_SWITCH ? "" : say_the_key_switch_stands_at;
    case CONTROLLER_PAUSED:
        return say_paused_the_clock_stands_please;
    case CONTROLLER_LOST:
        if (c->told_unconnected && followed_starts(source))
            return "";
        return called ? say_interrupted_the_clock_stands_if_called
                      : say_interrupted_the_clock_stands_if;
    case CONTROLLER_FAULT:
        return view->fault == SAY_STORE ? say_fault_the_controllers_memory_fails
                                        : say_fault_too_many_interruptions_turn;
    case CONTROLLER_IDLE:
        return c->begun && view->mine ? say_the_session_was_aborted_at : "";
    case CONTROLLER_CONNECT:
    case CONTROLLER_OPEN:
    case CONTROLLER_CLOSING:
    case CONTROLLER_CUT:
    case CONTROLLER_OVER:
    case CONTROLLER_UNHEARD:
        break;
    }
    return "";
}

static const char *followed_state(const struct plan_source *source, enum side side)
{
    const struct plan_followed *c = (const struct plan_followed *)source;
    if (!c->view.mine || c->view.state == CONTROLLER_UNHEARD)
        return c->begun ? say_waiting_for_the_controller : say_controller_not_ready;
    if (!c->begun)
        return followed_may_begin(source) ? say_press_f9_to_begin : say_not_begun;
    if (!plan_opens(c, side))
        return NULL;
    switch (c->view.state) {
    case CONTROLLER_CONNECT:
        return say_connecting;
    case CONTROLLER_WAIT:
        return say_press_f9_to_go_on;
    case CONTROLLER_PAUSED:
    case CONTROLLER_LOST:
    case CONTROLLER_FAULT:
        return say_paused;
    case CONTROLLER_IDLE:
    case CONTROLLER_READY:
    case CONTROLLER_OPEN:
    case CONTROLLER_CLOSING:
    case CONTROLLER_CUT:
    case CONTROLLER_OVER:
    case CONTROLLER_UNHEARD:
        break;
    }
    return NULL;
}

static json_t *followed_report(const struct plan_source *source)
{
    const struct plan_followed *c = (const struct plan_followed *)source;
    struct client_view view;
    json_t *report = json_object();
    client_view(c->client, &view, booth_now(&c->source.booth->booth.clock));
    json_object_set_new(report, "board", json_string(view.board));
    json_object_set_new(report, "state", json_string(controller_state_text(view.state)));
    json_object_set_new(report, "cuts", json_integer(c->cuts));
    json_object_set_new(report, "resets", json_integer(view.resets));
    json_object_set_new(report, "trouble", json_string(view.trouble));
    json_object_set_new(report, "drift_ppm",
                        view.drift_known ? json_real((double)view.drift_ppb / 1000) : json_null());
    json_object_set_new(report, "drift_within_ppm",
                        view.drift_known
                            ? json_real(DRIFT_ERROR_US * 1e6 / (double)view.drift_span_us)
                            : json_null());
    return report;
}

enum bl_status plan_followed_open(struct plan_source **out, struct judge_booth *booth,
                                  const char *port, struct bl_diag *diag)
{
    static const struct plan_source_ops ops = {
        .name = "controller",
        .enforced = true,
        .claim = followed_claim,
        .resume = followed_resume,
        .begin = followed_begin,
        .run = followed_run,
        .due = followed_due,
        .cuts = followed_cuts,
        .may_begin = followed_may_begin,
        .starts = followed_starts,
        .words = followed_words,
        .state = followed_state,
        .report = followed_report,
        .close = followed_close,
    };
    const struct controller_port_callbacks callbacks = {on_bytes, on_usable};
    struct plan_followed *c = calloc(1, sizeof *c);
    if (!c)
        return bl_fail(diag, BL_NOMEM, say_fail_no_memory_for_the_controller);
    c->source = (struct plan_source){.ops = &ops, .booth = booth};
    enum bl_status status =
        controller_plan(&c->plan, booth->plan.plan, booth->options->b_left, diag);
    if (!status)
        status = controller_port_open(&c->port, &booth->booth.loop, port, &callbacks, c, diag);
    if (status) {
        free(c);
        return status;
    }
    *out = &c->source;
    return BL_OK;
}
