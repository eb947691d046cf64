#include "base/assert.h"
#include "base/boot.h"
#include "base/privilege.h"
#include "booth/judge_ballot.h"
#include "booth/messages.h"

#include <assert.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

/* The longest waits of an end that leaves by itself. LINGER_US: for the other ends' agreement.
 * GOODBYE_US: then for their acknowledgement. */
#define LINGER_US  30000000u
#define GOODBYE_US 12000000u

struct judge_side *judge_booth_side(struct judge_booth *b, struct judge_side *after)
{
    for (struct judge_side *s = after ? after + 1 : b->sides; s < b->sides + SIDES; s++)
        if (s->end)
            return s;
    return NULL;
}

static struct bl_time now_at(const struct judge_side *s)
{
    return booth_now(&s->line.booth->clock);
}

/* Returns the present time, after the due steps of the plan's clock. So no key is placed or shown
 * by an old state of the clock. */
static struct bl_time now_in_plan(struct judge_booth *b)
{
    struct bl_time now = booth_now(&b->booth.clock);
    judge_plan_step(b, now);
    return now;
}

static void on_link_state(void *ctx, enum link_state state, const char *reason)
{
    struct judge_side *s = ctx;
    struct judge_booth *b = (struct judge_booth *)s->line.booth;
    if (state == LINK_UP && !s->line.up)
        s->up_us = b->last_up_us = bl_mono_us();
    else if (judge_side_is_cut(b, s->line.side))
        reason = s->line.up ? say_down_as_the_controller_has : LINK_WAITING;
    if (booth_line_state(&s->line, state, reason))
        judge_end_link(s->end, s->line.up, now_at(s));
}

static uint64_t fetched_keys(const struct judge_side *s)
{
    const struct judge_end_view *view = s->view;
    return view->fetched[PARTY_JUDGE] + view->fetched[PARTY_ENTITY];
}

static enum bl_status on_link_record(void *ctx, const uint8_t *record, size_t length)
{
    struct judge_side *s = ctx;
    struct bl_time now = now_in_plan((struct judge_booth *)s->line.booth);
    uint64_t before = fetched_keys(s);
    enum bl_status status = judge_end_record(s->end, record, length, now);
    uint64_t fetched = fetched_keys(s) - before;
    if (fetched) {
        char text[160];
        snprintf(text, sizeof text, say_keys_that_this_machine_did,
                 judge_side_words((struct judge_booth *)s->line.booth, s->line.side),
                 (unsigned long long)fetched, BL_S(fetched));
        booth_say(s->line.booth, text);
    }
    return status;
}

static void on_link_progress(void *ctx)
{
    struct judge_side *s = ctx;
    judge_end_progress(s->end, now_in_plan((struct judge_booth *)s->line.booth));
}

static void on_command(void *ctx, enum screen_command command);

/* True if the key is kept until its line opens: the plan waits for the judge's first key. */
static bool begins_by(struct judge_booth *b, uint32_t point)
{
    if (!b->options->begin_typed || (b->plan.state != SEGMENT_WAITING && b->first_keys == 0))
        return false;
    if (b->first_keys < JUDGE_FIRST_MAX)
        b->first_key[b->first_keys++] = point;
    else
        booth_say(&b->booth, say_the_line_opens_in_a);
    if (b->source->ops->may_begin(b->source))
        on_command(b, SCREEN_BEGIN);
    return true;
}

static void on_key(void *ctx, uint32_t point)
{
    struct judge_booth *b = ctx;
    if (begins_by(b, point))
        return;
    struct bl_time now = now_in_plan(b);
    struct judge_side *s = &b->sides[b->booth.active];
    bl_assert(s->end);
    enum key_answer answer = judge_end_key(s->end, point, now);
    if (answer == KEY_WAIT)
        booth_say(&b->booth, say_too_many_keys_wait_for_the);
    else if (answer == KEY_REFUSED_CLOSED && b->source->ops->may_begin(b->source))
        booth_say(&b->booth, say_not_begun_press_f9_then);
    else if (answer == KEY_REFUSED_CLOSED && judge_ballot_is_due(b))
        booth_say(&b->booth, say_this_line_is_closed_f3);
    else if (answer != KEY_TAKEN)
        booth_say(&b->booth, key_answer_text(answer, PARTY_JUDGE, s->view->segment));
    else
        b->last_typed_us = bl_mono_us();
}

/* True if this end stays until each other end knows that the session is over. An entity's end that
 * leaves by itself waits for that news. No news can be sent past a controller's cut. */
static bool lingers(const struct judge_booth *b)
{
    return (b->booth.options->headless || b->booth.options->day) && !b->source->ops->enforced;
}

/* True if the plan is over and this terminal ends by itself; with `day`, after the ballot is
 * given. */
static bool is_done(const struct judge_booth *b)
{
    return b->plan.state == SEGMENT_FINISHED &&
           (b->booth.options->headless ||
            (b->booth.options->day && (!b->ballot || b->ballot->file.given)));
}

static void finish(struct judge_booth *b)
{
    struct bl_time now = booth_now(&b->booth.clock);
    if (b->booth.stage != RUNNING)
        return;
    EACH_SIDE (b, s)
        judge_end_closing(s->end, now);
    b->booth.stage = ENDING;
    b->booth.stage_due_us = now.mono_us + (lingers(b) ? LINGER_US : PLAN_NOTICE_US);
}

/* Turns the judge to the other side, unless the present part opens only the judge's side. */
static void turn_side(struct judge_booth *b)
{
    enum side other = b->booth.active == SIDE_LEFT ? SIDE_RIGHT : SIDE_LEFT;
    if (!b->sides[SIDE_LEFT].end || !b->sides[SIDE_RIGHT].end)
        return;
    const struct plan *plan = b->plan.plan;
    bool runs = b->plan.index < plan->count && b->plan.state != SEGMENT_WAITING &&
                b->plan.state != SEGMENT_FINISHED;
    if (runs && plan->segment[b->plan.index].open[b->booth.active] &&
        !plan->segment[b->plan.index].open[other])
        booth_say(&b->booth, say_the_other_side_is_not);
    else
        b->booth.active = other;
}

static void on_command(void *ctx, enum screen_command command)
{
    struct judge_booth *b = ctx;
    struct judge_side *s = &b->sides[b->booth.active];
    const char *why;
    bool called;
    switch (command) {
    case SCREEN_BEGIN:
        if (b->booth.model.may_take) {
            booth_say(&b->booth, say_call_the_attendant_this_session);
            break;
        }
        why = b->source->ops->begin(b->source, booth_now(&b->booth.clock));
        booth_say(&b->booth, why ? why : "");
        break;
    case SCREEN_STEWARD:
        if (s->folder) {
            booth_say(&b->booth, say_practice_f12_calls_nobody);
            break;
        }
        called = s->view->steward_here;
        EACH_SIDE (b, each_side)
            judge_end_steward(each_side->end, !called, booth_now(&b->booth.clock));
        break;
    case SCREEN_OTHER_SIDE:
        turn_side(b);
        break;
    case SCREEN_TAKE:
        EACH_SIDE (b, each_side)
            judge_end_take_over(each_side->end, booth_now(&b->booth.clock));
        break;
    case SCREEN_EPOCH:
        EACH_SIDE (b, each_side)
            judge_end_new_epoch(each_side->end, booth_now(&b->booth.clock));
        break;
    case SCREEN_LEAVE:
        if (b->plan.plan->count > 0 && b->plan.state != SEGMENT_FINISHED)
            booth_goodbye(&b->booth); /* the session is not over, and can be resumed */
        else if (judge_ballot_may_leave(b))
            finish(b);
        break;
    }
    b->booth.changed = true;
}

/* Types the script's due keys. Returns the time of the next. */
static uint64_t run_script(struct judge_booth *b, struct bl_time now)
{
    struct judge_side *s = &b->sides[b->booth.active];
    uint32_t point;
    const struct judge_end_view *view = s->view;
    if (!b->booth.script || b->booth.stage != RUNNING || !view->may_type || !b->all_ready)
        return BL_NEVER;
    while ((point = script_key(b->booth.script, now.mono_us, view->other_us))) {
        if (judge_end_place(s->end, point, now) != KEY_TAKEN)
            return BL_NEVER; /* the link's progress calls this again */
        script_typed(b->booth.script, now.mono_us);
        b->last_typed_us = now.mono_us;
        view = s->view;
    }
    return script_due(b->booth.script, now.mono_us, view->other_us);
}

/* Ends a headless session without a plan once its script is done and each line has been up without
 * a key for BOOTH_QUIET_MS. Returns the time of the next look. */
static uint64_t end_if_quiet(struct judge_booth *b, struct bl_time now)
{
    uint64_t quiet_since =
        b->last_typed_us > b->booth.start_us ? b->last_typed_us : b->booth.start_us;
    if (b->last_up_us > quiet_since)
        quiet_since = b->last_up_us; /* an entity could not type earlier */
    if (!b->booth.options->headless || b->booth.stage != RUNNING || b->options->plan.count ||
        (b->booth.script && !script_done(b->booth.script)))
        return BL_NEVER;
    EACH_SIDE (b, s) {
        const struct judge_end_view *view = s->view;
        if (view->sync != SYNC_LIVE || !view->settled)
            return BL_NEVER;
        if (view->other_us > quiet_since)
            quiet_since = view->other_us;
    }
    if (now.mono_us < quiet_since + BOOTH_QUIET_MS * 1000)
        return quiet_since + BOOTH_QUIET_MS * 1000;
    finish(b);
    return BL_NEVER;
}

static bool all_settled(struct judge_booth *b)
{
    EACH_SIDE (b, s) {
        const struct judge_end_view *view = s->view;
        if (!view->settled)
            return false;
    }
    return true;
}

/* True if all messages are acknowledged and, if the booth lingers, each other end knows of the
 * session's end. */
static bool all_acked(struct judge_booth *b)
{
    EACH_SIDE (b, s) {
        const struct judge_end_view *view = s->view;
        if (s->line.link && link_acked(s->line.link) != link_sent(s->line.link))
            return false;
        if (b->lingers && !view->told)
            return false;
    }
    return true;
}

static void close_all(struct judge_booth *b)
{
    EACH_SIDE (b, s) {
        if (b->booth.journal)
            judge_end_stop(s->end, now_at(s));
        link_close(s->line.link);
        s->line.link = NULL;
        judge_lpp_close(s->folder);
        s->folder = NULL;
    }
    if (b->source)
        b->source->ops->close(b->source);
    b->source = NULL;
    judge_ballot_close(b);
    booth_close(&b->booth);
}

static uint64_t run_stage(struct judge_booth *b, struct bl_time now)
{
    if (b->booth.stage == RUNNING && is_done(b)) {
        b->booth.stage = ENDING;
        b->booth.stage_due_us = now.mono_us + (lingers(b) ? LINGER_US : PLAN_NOTICE_US);
    }
    if (b->booth.stage == ENDING && (all_settled(b) || now.mono_us >= b->booth.stage_due_us)) {
        EACH_SIDE (b, s)
            judge_end_cut(s->end, true, now);
        booth_goodbye(&b->booth);
        b->lingers = lingers(b) && all_settled(b);
        if (b->lingers)
            b->booth.stage_due_us = now.mono_us + GOODBYE_US;
    }
    if (b->booth.stage == SAYING_GOODBYE) {
        if (all_acked(b) || now.mono_us >= b->booth.stage_due_us) {
            if (b->booth.options->json)
                judge_booth_report(b);
            close_all(b);
        }
    }
    return b->booth.stage == ENDING || b->booth.stage == SAYING_GOODBYE ? b->booth.stage_due_us
                                                                        : BL_NEVER;
}

/* Leaves a paste in the terminal while the line carries earlier keys. While the line is down the
 * keyboard is read, for the steward's key. */
static void hold_keyboard(struct judge_booth *b)
{
    struct judge_side *s = &b->sides[b->booth.active];
    const struct judge_end_view *view = s->view;
    booth_hold(&b->booth, view->typed_count > JUDGE_TYPED_MAX - SCREEN_BURST &&
                              booth_line_reach(&s->line, view->sync) == REACH_YES);
}

static void type_first_keys(struct judge_booth *b)
{
    const unsigned count = b->first_keys;
    bl_assert(count <= JUDGE_FIRST_MAX);
    if (count == 0 || !b->sides[b->booth.active].view->may_type)
        return;
    b->first_keys = 0;
    for (unsigned i = 0; i < count; i++)
        on_key(b, b->first_key[i]);
    b->booth.changed = true;
}

/* Notes when the entities of all lines are ready, except on lines that the controller cuts. */
static void look_for_ready(struct judge_booth *b)
{
    unsigned joined = 0;
    EACH_SIDE (b, s) {
        if (judge_side_is_cut(b, s->line.side))
            continue; /* its entity cannot be heard before its part */
        const struct judge_end_view *view = s->view;
        if (!view->ready)
            return;
        joined++;
    }
    if (joined == 0)
        return;
    b->all_ready = true;
    b->booth.changed = true;
}

static void settle(uv_prepare_t *handle)
{
    struct judge_booth *b = handle->data;
    struct bl_time now = booth_now(&b->booth.clock);
    uint64_t due = BL_NEVER;
    if (b->booth.stage == STOPPED)
        return;
    if (!b->all_ready)
        look_for_ready(b);
    judge_plan_take(b, now);
    b->source->ops->run(b->source, now);
    judge_plan_step(b, now);
    EACH_SIDE (b, s)
        if (s->folder)
            booth_sooner(&due, judge_lpp_run(s->folder));
    type_first_keys(b);
    EACH_SIDE (b, s)
        if (now.mono_us >= s->view->due_us)
            judge_end_tick(s->end, now);

    booth_sooner(&due, run_script(b, now));
    booth_sooner(&due, end_if_quiet(b, now));
    booth_sooner(&due, judge_ballot_run(b, now));
    booth_sooner(&due, run_stage(b, now));
    if (b->booth.stage == STOPPED)
        return;
    booth_sooner(&due, b->source->ops->due(b->source, now));
    booth_sooner(&due, judge_plan_due(b, now));
    EACH_SIDE (b, s) {
        booth_sooner(&due, s->view->due_us);
        booth_sooner(&due, booth_line_due(&s->line, now.mono_us));
    }
    booth_sooner(&due, booth_message_due(&b->booth, now.mono_us));
    if (b->booth.screen)
        hold_keyboard(b);
    booth_show(&b->booth, now);
    bl_timer_set(&b->booth.timer, due);
}

/* Keeps the pages of a session that an older version began. */
static void wear_as_before(struct judge_booth *b)
{
    struct style style;
    if (style_read(&style, b->style, NULL) || !style_was(&style, &b->style_now))
        return;
    b->style_now = style;
    EACH_SIDE (b, s)
        judge_end_dress(s->end, &style);
}

static void on_replay(void *ctx, const struct journal_record *record)
{
    struct judge_booth *b = ctx;
    if (record->kind == JOURNAL_HEADER) {
        snprintf(b->session, sizeof b->session, "%s", record->as.header.session);
        snprintf(b->style, sizeof b->style, "%s", record->as.header.style);
        b->starts = record->as.header.starts;
        b->resumed = true;
        wear_as_before(b);
    }
    if (record->kind == JOURNAL_SEGMENT &&
        (!b->plan_seen || record->as.segment.index >= b->resume_index)) {
        b->plan_seen = true;
        b->resume_index = record->as.segment.index;
        b->resume_remaining_us = record->as.segment.remaining_us;
        /* An end without time left is no sign: a session without a plan ends so, too. */
        if (record->as.segment.state == SEGMENT_OPEN || record->as.segment.remaining_us)
            b->was_counted = record->as.segment.remaining_us != UINT64_MAX;
    }
    if (record->kind == JOURNAL_KEYS && record->as.keys.party == PARTY_JUDGE &&
        b->sides[record->side].end) {
        b->booth.active = record->side;
        b->chosen_in = b->resume_index;
    }
    if (record->kind == JOURNAL_NOTE && record->as.note.code == NOTE_CONTROLLER) {
        for (unsigned b_left = 0; b_left < 2; b_left++) {
            if (strcmp(record->as.note.text, plan_followed_cables[b_left]) == 0) {
                b->cables_seen = true;
                b->cables_b_left = b_left;
            }
        }
    }
    EACH_SIDE (b, s)
        judge_end_replay(s->end, record);
}

static enum bl_status create_ends(struct judge_booth *b, struct bl_diag *diag)
{
    const struct judge_options *o = b->options;
    for (unsigned i = 0; i < SIDES; i++) {
        if (!o->port[i])
            continue;
        struct judge_end_config config = {
            .side = (enum side)i,
            .style = b->style_now,
            .starts = o->starts,
            .typing = o->typing,
            .listened = booth_line_is_listened(&o->booth, (enum side)i, o->port[i])};
        struct judge_side *s = &b->sides[i];
        struct end_callbacks callbacks = booth_line_callbacks(&s->line);
        if (judge_lpp_folder(o->port[i]))
            judge_lpp_callbacks(&callbacks);
        s->end = judge_end_create(&config, &callbacks, s);
        if (!s->end)
            return bl_fail(diag, BL_NOMEM, say_fail_no_memory_for_the_record);
        s->view = judge_end_view(s->end);
    }
    return BL_OK;
}

/* Tells each end the state of the record that this process found, and gives it a new secret for its
 * seals. */
static void start_ends(struct judge_booth *b, const struct journal_report *found)
{
    struct judge_start start = {.torn = found->torn_bytes > 0,
                                .damaged = found->damaged < UINT32_MAX ? (uint32_t)found->damaged
                                                                       : UINT32_MAX};
    static_assert(BOOT_SIZE == BL_BOOT_SIZE, "the record has room for it");
    bl_boot(start.boot);
    EACH_SIDE (b, s) {
        judge_end_name(s->end, b->session);
        randombytes_buf(start.secret, sizeof start.secret);
        judge_end_start(s->end, &start, now_at(s));
    }
    sodium_memzero(&start, sizeof start);
}

static enum bl_status open_journal(struct judge_booth *b, struct bl_diag *diag)
{
    const struct judge_options *o = b->options;
    char dir[PATH_MAX], path[PATH_MAX], style[STYLE_MAX + 1];
    struct journal_report found;
    struct journal *journal;
    enum bl_status status = booth_journal_dir(&o->booth, dir, diag);
    if (status)
        return status;
    if (o->booth.session || journal_find(dir, PARTY_JUDGE, NULL, path, NULL)) {
        if (o->booth.session)
            snprintf(b->session, sizeof b->session, "%s", o->booth.session);
        else
            booth_session_name(b->booth.clock.wall_us, b->session);
        journal_name(dir, b->session, PARTY_JUDGE, path);
    }
    style_format(&b->style_now, style);
    struct journal_record header = {.kind = JOURNAL_HEADER,
                                    .wall_us = b->booth.clock.wall_us,
                                    .as.header = {.session = b->session,
                                                  .role = PARTY_JUDGE,
                                                  .style = style,
                                                  .starts = (uint8_t)o->starts,
                                                  .contest = o->booth.contest}};
    status = journal_open(&journal, &disk_real, path, &header, on_replay, b, &found, diag);
    if (!status)
        status = booth_journal(&b->booth, journal);
    if (status)
        return status;
    style_format(&b->style_now, style);
    if (b->resumed && (strcmp(b->style, style) != 0 || b->starts != o->starts))
        return bl_fail(diag, BL_USAGE, say_fail_session_was_begun_with_style_starts, b->session,
                       b->style, strstr(b->style, " wrap=") ? "" : " wrap=letters",
                       b->starts == STARTS_EITHER ? "either" : "judge");
    if (b->resumed && b->plan_seen && b->was_counted != (o->plan.count > 0))
        return bl_fail(diag, BL_USAGE, say_fail_session_was_begun_give_the_same, b->session,
                       o->plan.count ? "without a --plan" : "with a --plan");
    /* With other cables than before, each side would get the other entity's line. */
    if (b->plan_seen && b->cables_seen && b->source->ops->enforced && b->cables_b_left != o->b_left)
        return bl_fail(diag, BL_USAGE, say_fail_session_by_its_record_give_the, b->session,
                       plan_followed_cables[b->cables_b_left], b->cables_b_left ? "b,a" : "a,b");
    start_ends(b, &found);
    if (found.torn_bytes || found.damaged) {
        char text[120];
        snprintf(text, sizeof text,
                 "started again; %llu byte%s of a torn record dropped, %llu damaged",
                 (unsigned long long)found.torn_bytes, BL_S(found.torn_bytes),
                 (unsigned long long)found.damaged);
        booth_note(&b->booth, SIDE_LEFT, NOTE_RESTART, 0, text);
    } else if (b->resumed) {
        booth_note(&b->booth, SIDE_LEFT, NOTE_RESTART, 0, "started again");
    }
    if (b->resumed && !o->booth.session) {
        char text[160];
        snprintf(text, sizeof text, say_goes_on_with_session_session, b->session);
        booth_say(&b->booth, text);
    }
    if (!b->resumed && o->booth.about[0])
        booth_note(&b->booth, SIDE_LEFT, NOTE_OTHER, 0, o->booth.about);
    if (booth_clock_unset(&b->booth.clock)) {
        booth_note(&b->booth, SIDE_LEFT, NOTE_CLOCK, 0, "this machine's clock is not set");
        booth_say(&b->booth, say_this_machines_clock_is_not);
    }
    return BL_OK;
}

static enum bl_status open_lines(struct judge_booth *b, struct bl_diag *diag)
{
    const struct link_callbacks callbacks = {.state = on_link_state,
                                             .record = on_link_record,
                                             .progress = on_link_progress,
                                             .taken = booth_line_draw};
    EACH_SIDE (b, s) {
        const char *address = b->options->port[s->line.side];
        const char *folder = judge_lpp_folder(address);
        if (!folder)
            s->line.hidden = true;
        enum bl_status status =
            folder ? judge_lpp_open(&s->folder, &s->line, folder, s->end, b->options->starts, diag)
                   : booth_line_open(&s->line, address, LINK_JUDGE, &callbacks, diag);
        if (status == BL_USAGE && !folder && diag && !strchr(address, ':')) {
            /* Adds an address that a link does not know. */
            size_t length = strlen(diag->text);
            snprintf(diag->text + length, sizeof diag->text - length, say_or_an_entrys_folder);
        }
        if (status)
            return status;
    }
    return privilege_drop(diag);
}

static enum bl_status open_all(struct judge_booth *b, struct bl_diag *diag)
{
    enum bl_status status = BL_OK;
    if (b->options->booth.script)
        status = script_load(&b->booth.script, b->options->booth.script, diag);
    if (!status)
        status = create_ends(b, diag);
    if (!status)
        status = open_lines(b, diag); /* before the journal, so a wrong port leaves no record */
    if (!status)
        status = b->options->controller
                     ? plan_followed_open(&b->source, b, b->options->controller, diag)
                     : plan_counted_open(&b->source, b, diag);
    if (!status)
        status = open_journal(b, diag);
    if (!status)
        status = b->source->ops->claim(b->source, diag);
    if (!status)
        status = judge_ballot_open(b, diag);
    if (b->ballot)
        b->booth.first = judge_ballot_key;
    if (!status)
        status = booth_screen(&b->booth, "judge", on_key, on_command, diag);
    return status;
}

enum bl_status judge_booth_run(const struct judge_options *options, struct bl_diag *diag)
{
    struct judge_booth *b = calloc(1, sizeof *b);
    enum bl_status status;
    if (!b)
        return bl_fail(diag, BL_NOMEM, say_fail_no_memory);
    b->options = options;
    b->style_now = options->style;
    booth_init(&b->booth, &options->booth, judge_booth_model);
    plan_clock_init(&b->plan, &options->plan);
    for (unsigned i = 0; i < SIDES; i++) {
        b->sides[i].line.booth = &b->booth;
        b->sides[i].line.side = (enum side)i;
    }
    b->booth.active = options->port[SIDE_LEFT] ? SIDE_LEFT : SIDE_RIGHT;
    b->chosen_in = UINT_MAX;
    status = open_all(b, diag);
    if (status) {
        close_all(b);
    } else {
        b->source->ops->resume(b->source, booth_now(&b->booth.clock));
        EACH_SIDE (b, s) {
            if (s->folder)
                judge_lpp_begin(s->folder, b->session);
            const struct judge_end_view *view = s->view;
            if (b->booth.script)
                script_skip(b->booth.script, view->by_judge);
            b->all_ready = b->all_ready || view->n > 0; /* a key shows that the entity was ready
                                                         * before */
        }
    }
    booth_run(&b->booth, settle);
    EACH_SIDE (b, s)
        judge_end_destroy(s->end);
    free(b->ballot);
    booth_free(&b->booth);
    return status;
}
