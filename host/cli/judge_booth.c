#include "cli/judge_booth_private.h"
#include "cli/judge_controller.h"

#include <stdlib.h>
#include <string.h>

#define GOODBYE_US   300000  /* for the last acknowledgements, when leaving */
#define ATTENTION_US 8000000 /* how long a message stays */

struct judge_side *judge_booth_side(struct judge_booth *b, struct judge_side *after)
{
    for (struct judge_side *s = after ? after + 1 : b->sides; s < b->sides + SIDES; s++)
        if (s->end)
            return s;
    return NULL;
}

static void say(struct judge_booth *b, const char *text)
{
    snprintf(b->message, sizeof b->message, "%s", text);
    b->message_until_us = bl_mono_us() + ATTENTION_US;
    b->changed = true;
}

static void note(struct judge_booth *b, enum side side, enum note_code code, uint32_t count,
                 const char *text)
{
    struct entry entry = {.kind = ENTRY_NOTE,
                          .side = side,
                          .wall_us = booth_now(&b->clock).wall_us,
                          .as.note = {.code = code, .count = count, .text = text}};
    journal_append(b->journal, &entry);
}

/* The ends' ports. */

static enum bl_status on_keep(void *ctx, const struct entry *entry)
{
    struct judge_side *s = ctx;
    enum bl_status status = journal_append(s->booth->journal, entry);
    if (status)
        say(s->booth, "The record cannot be written: call the steward (F12).");
    return status;
}

static enum bl_status on_send(void *ctx, const uint8_t *record, size_t length)
{
    return link_send(((struct judge_side *)ctx)->link, LINK_EXPRESS, record, length);
}

static uint64_t on_sent(void *ctx)
{
    return link_sent(((struct judge_side *)ctx)->link);
}

static uint64_t on_acked(void *ctx)
{
    return link_acked(((struct judge_side *)ctx)->link);
}

static void on_changed(void *ctx)
{
    ((struct judge_side *)ctx)->booth->changed = true;
}

static const struct end_ports end_ports = {
    .keep = on_keep, .send = on_send, .sent = on_sent, .acked = on_acked, .changed = on_changed};

/* The links' handlers. */

static void on_link_state(void *ctx, enum link_state state, const char *reason)
{
    struct judge_side *s = ctx;
    bool was_up = s->last_up_us == BL_NEVER;
    if (state != LINK_UP && s->booth->controller &&
        judge_controller_cuts(s->booth->controller, s->side))
        reason = "down, as the controller has cut the line";
    if (state == LINK_UP || was_up)
        note(s->booth, s->side, NOTE_LINE, 0, state == LINK_UP ? "the line is up" : reason);
    if (state == LINK_UP) {
        s->last_up_us = BL_NEVER;
        judge_end_link(s->end, true, booth_now(&s->booth->clock));
    } else if (was_up) {
        s->last_up_us = bl_mono_us();
        judge_end_link(s->end, false, booth_now(&s->booth->clock));
    }
    s->booth->changed = true;
}

static enum bl_status on_link_record(void *ctx, const uint8_t *record, size_t length)
{
    struct judge_side *s = ctx;
    return judge_end_record(s->end, record, length, booth_now(&s->booth->clock));
}

static void on_link_progress(void *ctx)
{
    struct judge_side *s = ctx;
    judge_end_progress(s->end, booth_now(&s->booth->clock));
}

/* Keys and commands. */

static void on_key(void *ctx, uint32_t point)
{
    struct judge_booth *b = ctx;
    struct judge_side *s = &b->sides[b->active];
    enum key_answer answer = judge_end_key(s->end, point, booth_now(&b->clock));
    if (answer == KEY_WAIT)
        say(b, "Too many keys wait for the other end: that key was not taken.");
    else if (answer != KEY_TAKEN)
        say(b, key_answer_text(answer));
    else
        b->last_typed_us = bl_mono_us();
}

/* The last acknowledgements get a moment, then this end goes. */
static void say_goodbye(struct judge_booth *b)
{
    if (b->stage == RUNNING || b->stage == ENDING) {
        b->stage = SAYING_GOODBYE;
        b->stage_due_us = bl_mono_us() + GOODBYE_US;
    }
}

/* The session ends: the ends agree on it first. */
static void finish(struct judge_booth *b)
{
    struct bl_time now = booth_now(&b->clock);
    if (b->stage != RUNNING)
        return;
    EACH_SIDE (b, s)
        judge_end_closing(s->end, now);
    b->stage = ENDING;
    b->stage_due_us = now.mono_us + PLAN_NOTICE_US;
}

static void on_command(void *ctx, enum screen_command command)
{
    struct judge_booth *b = ctx;
    struct judge_side *s = &b->sides[b->active];
    struct judge_end_view view;
    switch (command) {
    case SCREEN_BEGIN:
        judge_plan_begin(b);
        break;
    case SCREEN_STEWARD:
        judge_end_view(s->end, &view);
        EACH_SIDE (b, each_side)
            judge_end_steward(each_side->end, !view.steward_here, booth_now(&b->clock));
        break;
    case SCREEN_OTHER_SIDE:
        if (b->sides[SIDE_LEFT].end && b->sides[SIDE_RIGHT].end)
            b->active = b->active == SIDE_LEFT ? SIDE_RIGHT : SIDE_LEFT;
        break;
    case SCREEN_EPOCH:
        EACH_SIDE (b, each_side)
            judge_end_new_epoch(each_side->end, booth_now(&b->clock));
        break;
    case SCREEN_LEAVE:
        if (b->plan.plan->count == 0 || b->plan.state == SEGMENT_FINISHED)
            finish(b);
        else
            say_goodbye(b); /* the session is not over: it can be taken up again */
        break;
    }
    b->changed = true;
}

static void on_ignored(void *ctx)
{
    struct judge_booth *b = ctx;
    b->ignored++;
    note(b, b->active, NOTE_IGNORED, 1, "input that is no key");
}

static void on_stop(void *ctx)
{
    say_goodbye(ctx);
}

/* The script types. Returns when it is next due. */
static uint64_t run_script(struct judge_booth *b, struct bl_time now)
{
    struct judge_end_view view;
    struct judge_side *s = &b->sides[b->active];
    uint32_t point;
    judge_end_view(s->end, &view);
    if (!b->script || b->stage != RUNNING || !view.may_type || !view.ready)
        return BL_NEVER;
    while ((point = script_key(b->script, now.mono_us, view.other_us))) {
        if (judge_end_place(s->end, point, now) != KEY_TAKEN)
            return BL_NEVER; /* the link's progress wakes us */
        script_typed(b->script, now.mono_us);
        b->last_typed_us = now.mono_us;
        judge_end_view(s->end, &view);
    }
    return script_due(b->script, now.mono_us, view.other_us);
}

/* A headless session without a plan is over when the script is, and all has been quiet for a while
 * with the line up. Returns when to look again. */
static uint64_t end_if_quiet(struct judge_booth *b, struct bl_time now)
{
    uint64_t quiet_since = b->last_typed_us > b->start_us ? b->last_typed_us : b->start_us;
    if (!b->options->booth.headless || b->stage != RUNNING || b->options->plan.count ||
        (b->script && !script_done(b->script)))
        return BL_NEVER;
    EACH_SIDE (b, s) {
        struct judge_end_view view;
        judge_end_view(s->end, &view);
        if (view.sync != SYNC_LIVE || !view.settled)
            return BL_NEVER;
        if (view.other_us > quiet_since)
            quiet_since = view.other_us;
    }
    if (now.mono_us < quiet_since + BOOTH_QUIET_MS * 1000)
        return quiet_since + BOOTH_QUIET_MS * 1000;
    finish(b);
    return BL_NEVER;
}

static bool all_settled(struct judge_booth *b)
{
    EACH_SIDE (b, s) {
        struct judge_end_view view;
        judge_end_view(s->end, &view);
        if (!view.settled)
            return false;
    }
    return true;
}

static void close_all(struct judge_booth *b)
{
    if (b->stage == STOPPED)
        return;
    b->stage = STOPPED;
    EACH_SIDE (b, s) {
        link_close(s->link);
        s->link = NULL;
    }
    judge_controller_close(b->controller);
    b->controller = NULL;
    screen_close(b->screen);
    b->screen = NULL;
    journal_close(b->journal);
    b->journal = NULL;
    bl_timer_close(&b->timer, NULL);
    booth_signals_close(&b->signals);
    uv_close((uv_handle_t *)&b->prepare, NULL);
}

/* The stages of the end. Returns when to look again. */
static uint64_t run_stage(struct judge_booth *b, struct bl_time now)
{
    if (b->stage == RUNNING && b->options->booth.headless && b->plan.state == SEGMENT_FINISHED) {
        b->stage = ENDING;
        b->stage_due_us = now.mono_us + PLAN_NOTICE_US;
    }
    if (b->stage == ENDING && (all_settled(b) || now.mono_us >= b->stage_due_us)) {
        EACH_SIDE (b, s)
            judge_end_cut(s->end, true, now);
        say_goodbye(b);
    }
    if (b->stage == SAYING_GOODBYE) {
        bool acked = true;
        EACH_SIDE (b, s)
            acked = acked && link_acked(s->link) == link_sent(s->link);
        if (acked || now.mono_us >= b->stage_due_us) {
            if (b->options->booth.json)
                judge_booth_report(b);
            close_all(b);
        }
    }
    return b->stage == ENDING || b->stage == SAYING_GOODBYE ? b->stage_due_us : BL_NEVER;
}

/* A paste waits in the terminal while the line carries what came before; with the line down the
 * keyboard stays free for the steward's key. */
static void hold_keyboard(struct judge_booth *b)
{
    const struct judge_side *s = &b->sides[b->active];
    struct judge_end_view view;
    judge_end_view(s->end, &view);
    screen_hold(b->screen, booth_reach(s->link, view.sync) == REACH_YES &&
                               view.typed_count > JUDGE_TYPED_MAX - SCREEN_BURST);
}

/* What happens between two waits of the loop: everything that time brings. */
static void settle(uv_prepare_t *handle)
{
    struct judge_booth *b = handle->data;
    struct bl_time now = booth_now(&b->clock);
    uint64_t due = BL_NEVER;
    if (b->stage == STOPPED)
        return;
    judge_plan_run(b, now);
    EACH_SIDE (b, s)
        if (now.mono_us >= judge_end_due(s->end))
            judge_end_tick(s->end, now);

    booth_sooner(&due, run_script(b, now));
    booth_sooner(&due, end_if_quiet(b, now));
    booth_sooner(&due, run_stage(b, now));
    if (b->stage == STOPPED)
        return;
    booth_sooner(&due, judge_plan_due(b, now));
    EACH_SIDE (b, s)
        booth_sooner(&due, judge_end_due(s->end));
    if (b->message[0]) {
        if (now.mono_us >= b->message_until_us)
            b->changed = true;
        else
            booth_sooner(&due, b->message_until_us);
    }
    if (b->screen)
        hold_keyboard(b);
    if (b->changed && b->screen) {
        judge_booth_model(b, now);
        screen_dirty(b->screen, &b->model);
    }
    b->changed = false;
    bl_timer_set(&b->timer, due);
}

static void on_timer(struct bl_timer *timer)
{
    (void)timer; /* settle() follows */
}

static void on_disk_warning(void *ctx, const char *text)
{
    struct judge_booth *b = ctx;
    note(b, b->active, NOTE_DISK, 0, text);
    say(b, text);
}

/* Opening. */

static void on_replay(void *ctx, const struct entry *entry)
{
    struct judge_booth *b = ctx;
    if (entry->kind == ENTRY_HEADER) {
        snprintf(b->session, sizeof b->session, "%s", entry->as.header.session);
        snprintf(b->style, sizeof b->style, "%s", entry->as.header.style);
        b->starts = entry->as.header.starts;
        b->resumed = true;
    }
    if (entry->kind == ENTRY_SEGMENT &&
        (!b->plan_seen || entry->as.segment.index >= b->resume_index)) {
        b->plan_seen = true;
        b->resume_index = entry->as.segment.index;
        b->resume_remaining_us = entry->as.segment.remaining_us;
    }
    EACH_SIDE (b, s)
        judge_end_replay(s->end, entry);
}

static enum bl_status create_ends(struct judge_booth *b, struct bl_diag *diag)
{
    const struct judge_options *o = b->options;
    for (unsigned i = 0; i < SIDES; i++) {
        if (!o->port[i])
            continue;
        struct judge_end_config config = {
            .side = (enum side)i, .style = o->style, .starts = o->starts};
        b->sides[i].end = judge_end_create(&config, &end_ports, &b->sides[i]);
        if (!b->sides[i].end)
            return bl_fail(diag, BL_NOMEM, "no memory for the record");
    }
    return BL_OK;
}

static enum bl_status open_journal(struct judge_booth *b, struct bl_diag *diag)
{
    const struct judge_options *o = b->options;
    char dir[PATH_MAX], path[PATH_MAX], style[STYLE_MAX + 1];
    struct journal_report found;
    enum bl_status status = booth_journal_dir(&o->booth, dir, diag);
    if (status)
        return status;
    if (o->booth.session || journal_find(dir, PARTY_JUDGE, NULL, path, NULL)) {
        if (o->booth.session)
            snprintf(b->session, sizeof b->session, "%s", o->booth.session);
        else
            booth_session_name(b->clock.wall_us, b->session);
        journal_name(dir, b->session, PARTY_JUDGE, path);
    }
    style_format(&o->style, style);
    struct entry header = {.kind = ENTRY_HEADER,
                           .wall_us = b->clock.wall_us,
                           .as.header = {.session = b->session,
                                         .role = PARTY_JUDGE,
                                         .style = style,
                                         .starts = (uint8_t)o->starts}};
    status = journal_open(&b->journal, &disk_real, path, &header, on_replay, b, &found, diag);
    if (status)
        return status;
    if (b->resumed && (strcmp(b->style, style) != 0 || b->starts != o->starts))
        return bl_fail(
            diag, BL_USAGE,
            "session %s was begun with --style '%s' --starts %s: give the same, or begin "
            "another with --session NAME",
            b->session, b->style, b->starts == STARTS_EITHER ? "either" : "judge");
    if (b->resumed && b->plan_seen && (b->resume_remaining_us == UINT64_MAX) != !o->plan.count)
        return bl_fail(
            diag, BL_USAGE,
            "session %s was begun %s: give the same, or begin another with --session NAME",
            b->session, o->plan.count ? "without a --plan" : "with a --plan");
    EACH_SIDE (b, s)
        judge_end_name(s->end, b->session);
    if (found.torn_bytes || found.damaged) {
        char text[120];
        snprintf(text, sizeof text,
                 "started again; %llu bytes of a torn record dropped, %llu damaged",
                 (unsigned long long)found.torn_bytes, (unsigned long long)found.damaged);
        note(b, SIDE_LEFT, NOTE_RESTART, 0, text);
    } else if (b->resumed) {
        note(b, SIDE_LEFT, NOTE_RESTART, 0, "started again");
    }
    if (b->resumed && !o->booth.session) {
        char text[160];
        snprintf(text, sizeof text, "Goes on with session %s; --session NAME begins another.",
                 b->session);
        say(b, text);
    }
    if (!b->resumed && o->booth.about[0])
        note(b, SIDE_LEFT, NOTE_OTHER, 0, o->booth.about);
    if (booth_clock_unset(&b->clock)) {
        note(b, SIDE_LEFT, NOTE_CLOCK, 0, "this machine's clock is not set");
        say(b, "This machine's clock is not set: times in the record are wrong. Tell the steward.");
    }
    return BL_OK;
}

static enum bl_status open_lines(struct judge_booth *b, struct bl_diag *diag)
{
    const struct link_options options = {.role = LINK_JUDGE, .rtscts = b->options->booth.rtscts};
    const struct link_handler handler = {on_link_state, on_link_record, on_link_progress};
    EACH_SIDE (b, s) {
        s->booth = b;
        enum bl_status status =
            link_open(&s->link, &b->loop, b->options->port[s->side], &options, &handler, s, diag);
        if (!status && !b->trace)
            status = booth_trace(&b->options->booth, s->link, &b->trace, diag);
        if (status)
            return status;
    }
    return BL_OK;
}

static enum bl_status open_screen(struct judge_booth *b, struct bl_diag *diag)
{
    const struct booth_options *o = &b->options->booth;
    const struct screen_options options = {
        .kiosk = o->kiosk, .large = o->large, .no_color = getenv("NO_COLOR") != NULL};
    const struct screen_handler handler = {on_key, on_command, on_ignored, on_stop};
    if (o->headless)
        return BL_OK;
    return screen_open(&b->screen, &b->loop, &options, &handler, b, diag);
}

static enum bl_status open_all(struct judge_booth *b, struct bl_diag *diag)
{
    enum bl_status status = BL_OK;
    if (b->options->booth.script)
        status = script_load(&b->script, b->options->booth.script, diag);
    if (!status)
        status = create_ends(b, diag);
    if (!status)
        status = open_lines(b, diag); /* before the journal: a wrong port leaves no record */
    if (!status && b->options->controller)
        status = judge_controller_open(&b->controller, b, b->options->controller, diag);
    if (!status)
        status = open_journal(b, diag);
    if (!status && b->controller)
        status = judge_controller_claim(b->controller, diag);
    else if (!status && b->options->plan.count)
        note(b, b->active, NOTE_CONTROLLER, 0, "not enforced: no controller cuts, the host counts");
    if (!status)
        status = journal_attach(b->journal, &b->loop, on_disk_warning, b);
    if (!status)
        status = open_screen(b, diag);
    return status;
}

enum bl_status judge_booth_run(const struct judge_options *options, struct bl_diag *diag)
{
    struct judge_booth *b = calloc(1, sizeof *b);
    enum bl_status status;
    if (!b)
        return bl_fail(diag, BL_NOMEM, "no memory");
    b->options = options;
    booth_clock_init(&b->clock);
    b->start_us = b->clock.mono_us;
    b->changed = true;
    plan_clock_init(&b->plan, &options->plan);
    uv_loop_init(&b->loop);
    bl_timer_init(&b->loop, &b->timer, on_timer, b);
    booth_signals_open(&b->signals, &b->loop, on_stop, b);
    for (unsigned i = 0; i < SIDES; i++) {
        b->sides[i].booth = b;
        b->sides[i].side = (enum side)i;
    }
    b->active = options->port[SIDE_LEFT] ? SIDE_LEFT : SIDE_RIGHT;
    uv_prepare_init(&b->loop, &b->prepare);
    b->prepare.data = b;
    status = open_all(b, diag);
    if (status) {
        close_all(b);
    } else {
        judge_plan_resume(b, booth_now(&b->clock));
        EACH_SIDE (b, s) {
            struct judge_end_view view;
            judge_end_view(s->end, &view);
            if (b->script)
                script_skip(b->script, view.by_judge);
        }
        uv_prepare_start(&b->prepare, settle); /* last, so that it runs before the screen draws */
    }
    uv_run(&b->loop, UV_RUN_DEFAULT);
    uv_loop_close(&b->loop);
    EACH_SIDE (b, s)
        judge_end_destroy(s->end);
    script_destroy(b->script);
    if (b->trace)
        fclose(b->trace);
    free(b);
    return status;
}
