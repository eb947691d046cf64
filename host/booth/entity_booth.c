#include "booth/entity_booth_private.h"

#include "base/log.h"
#include "base/privilege.h"
#include "transcript/words.h"
#include "booth/messages.h"

#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

/* Times from a restarted terminal's start to its meeting with the judge's end, and to its first
 * key. _MORE: the limit of a random time added to each. */
#define MEETS_US          250000u
#define MEETS_MORE_US     250000u
#define FIRST_KEY_US      850000u
#define FIRST_KEY_MORE_US 500000u

/* Time for reading and recording a page's kept keys on a slow machine. */
#define KEPT_US 100000u

static struct entity_booth *booth_of(void *line)
{
    return (struct entity_booth *)((struct booth_line *)line)->booth;
}

static void on_replay(void *ctx, const struct journal_record *record)
{
    struct entity_booth *b = ctx;
    b->was_resumed = true;
    if (record->kind == JOURNAL_HEADER)
        entity_end_begin(b->end, record->as.header.session, record->as.header.style,
                         record->as.header.starts);
    else if (b->booth.journal ==
             NULL) /* only before the loop runs: later a thread may be starting the program */
        entity_end_replay(b->end, record);
    if (record->kind == JOURNAL_DELIVERED)
        b->delivered = record->as.delivered.n;
}

/* Opens the record at path; a new record begins with the header. */
static enum bl_status open_journal(struct entity_booth *b, const char *path,
                                   const struct journal_record *header, struct bl_diag *diag)
{
    struct journal_report found;
    struct journal *journal;
    b->was_resumed = b->caught_up = false;
    b->delivered = 0;
    enum bl_status status =
        journal_open(&journal, &disk_real, path, header, on_replay, b, &found, diag);
    if (status)
        return status;
    status = booth_journal(&b->booth, journal);
    if (status)
        return status;
    b->caught_up = b->was_resumed;
    if (b->was_resumed)
        entity_end_resume(b->end, booth_now(&b->booth.clock));
    if (found.torn_bytes || found.damaged)
        booth_note(&b->booth, SIDE_LEFT, NOTE_RESTART, (uint32_t)found.torn_bytes,
                   "started again; a torn or damaged record was dropped");
    else if (b->was_resumed)
        booth_note(&b->booth, SIDE_LEFT, NOTE_RESTART, 0, "started again");
    if (!b->was_resumed && b->booth.options->about[0])
        booth_note(&b->booth, SIDE_LEFT, NOTE_OTHER, 0, b->booth.options->about);
    if (b->handed_in[0])
        booth_note(&b->booth, SIDE_LEFT, NOTE_ENTRY, 0, b->handed_in);
    if (b->options->limit)
        booth_note(&b->booth, SIDE_LEFT, NOTE_OTHER, 0, b->limited);
    if (booth_clock_unset(&b->booth.clock))
        booth_note(&b->booth, SIDE_LEFT, NOTE_CLOCK, 0, "this machine's clock is not set");
    if (b->booth.script) {
        script_skip(b->booth.script, entity_end_view(b->end)->pressed);
    }
    return BL_OK;
}

static void fill_model(struct booth *booth, struct bl_time now);

static enum bl_status adopt(struct entity_booth *b, const char *session, const char *style,
                            uint8_t starts)
{
    const char *wanted = b->booth.options->session;
    char path[PATH_MAX];
    struct bl_diag diag = {""}, why;
    struct style parsed;
    if (wanted && strcmp(wanted, session) != 0) {
        snprintf(diag.text, sizeof diag.text, say_the_judges_end_has_session, session, wanted);
        booth_say(&b->booth, diag.text);
        return BL_DATA;
    }
    const struct entity_end_view *view = entity_end_view(b->end);
    if (style_read(&parsed, style, &why) != BL_OK) {
        snprintf(diag.text, sizeof diag.text, say_the_judges_end_has_pages, why.text);
    } else if (strcmp(view->session, session) == 0) {
        snprintf(diag.text, sizeof diag.text, say_the_judges_end_has_other, style, session);
    }
    if (diag.text[0]) {
        booth_say(&b->booth, diag.text);
        return BL_DATA;
    }
    struct journal_record header = {.kind = JOURNAL_HEADER,
                                    .wall_us = b->booth.clock.wall_us,
                                    .as.header = {.session = session,
                                                  .role = PARTY_ENTITY,
                                                  .style = style,
                                                  .starts = starts,
                                                  .contest = b->booth.options->contest}};
    journal_name(b->dir, session, PARTY_ENTITY, path);
    if (view->session[0] && b->options->program.command) {
        entity_booth_end_entry(b); /* the Entry was in another session */
        entity_end_unready(b->end);
    }
    enum bl_status status = entity_end_begin(b->end, session, style, starts);
    b->given = b->heard = 0;
    b->taken_up = false;
    b->speaker_begun = false;
    if (b->speaker)
        speaker_leave(b->speaker);
    if (!status) { /* otherwise the present session and its record stay */
        pace_renew(&b->pace);
        journal_close(b->booth.journal);
        b->booth.journal = NULL;
        status = open_journal(b, path, &header, &diag);
        if (!status && !b->was_resumed)
            pace_wait(&b->pace, 0); /* no keys wait: those recovered were of another session */
    }
    if (!status && b->options->program.command && !b->program)
        entity_booth_start_later(b);
    if (status)
        booth_say(&b->booth, diag.text[0] ? diag.text : bl_status_text(status));
    return status;
}

static enum bl_status on_adopt(void *ctx, const char *session, const char *style, uint8_t starts)
{
    struct entity_booth *b = booth_of(ctx);
    enum bl_status status = adopt(b, session, style, starts);
    /* The model has the old page, which is gone. A key may come before the next drawing. */
    fill_model(&b->booth, booth_now(&b->booth.clock));
    return status;
}

static void on_judge_key(void *ctx, uint64_t n, uint32_t point)
{
    struct entity_booth *b = booth_of(ctx);
    if (point == KEY_RETURN && b->booth.journal)
        pace_asked(&b->pace, booth_now(&b->booth.clock).wall_us);
    (void)n;
}

static void on_link_state(void *ctx, enum link_state state, const char *reason)
{
    struct entity_booth *b = booth_of(ctx);
    const struct entity_end_view *view = b->view;
    if (state != LINK_UP && view->enforced && view->segment >= SEGMENT_CLOSED)
        reason = b->line.up ? say_down_as_the_controller_has : LINK_WAITING;
    if (booth_line_state(&b->line, state, reason))
        entity_end_link(b->end, b->line.up, booth_now(&b->booth.clock));
}

static enum bl_status on_link_record(void *ctx, const uint8_t *record, size_t length)
{
    struct entity_booth *b = booth_of(ctx);
    return entity_end_record(b->end, record, length, booth_now(&b->booth.clock));
}

static void on_link_progress(void *ctx)
{
    struct entity_booth *b = booth_of(ctx);
    entity_end_progress(b->end, booth_now(&b->booth.clock));
}

/* The pace and the drawing come after the answer, so drawing does not delay it. The pace comes
 * first: it counts from the line's coming up, or from the placing of a key. */
static void on_answered(void *ctx)
{
    struct entity_booth *b = booth_of(ctx);
    if (b->booth.stage != STOPPED)
        (void)entity_booth_pace(b, booth_now(&b->booth.clock));
    booth_line_draw(ctx);
}

/* Types a confederate's key at the communications program, which sends the key to the line. */
static void type_at_comms(struct entity_booth *b, uint32_t point)
{
    if (!b->program || !program_running(b->program))
        booth_say(&b->booth, say_the_communications_program_has_ended);
    else if (program_type(b->program, point) != BL_OK)
        booth_say(&b->booth, say_the_communications_program_does_not);
}

/* True if a controller has cut this end's last part, and the session goes on with parts of the
 * other side. */
static bool goes_on_without(const struct entity_end_view *view)
{
    return view->enforced && view->segment == SEGMENT_FINISHED && view->index + 1 < view->count;
}

static void on_key(void *ctx, uint32_t point)
{
    struct entity_booth *b = ctx;
    if (b->options->comms) {
        type_at_comms(b, point);
        return;
    }
    if (b->options->program.command || b->speaker || b->booth.script) {
        booth_say(&b->booth, say_here_a_program_types_the);
        return;
    }
    struct bl_time now = booth_now(&b->booth.clock);
    if (!entity_booth_has(b, point, now)) {
        booth_say(&b->booth, say_these_rules_do_not_have);
        return;
    }
    enum key_answer answer = entity_booth_press(b, point, now, now);
    if (answer == KEY_WAIT)
        booth_say(&b->booth, say_too_many_keys_wait_for);
    else if (answer != KEY_TAKEN)
        booth_say(&b->booth,
                  key_answer_text(answer, PARTY_ENTITY,
                                  goes_on_without(b->view) ? SEGMENT_CLOSED : b->view->segment));
}

/* A browser's page may come back later than a keyboard or an Entry. Its kept keys count as keys
 * that waited for the line. */
static void on_kept(void *ctx)
{
    struct entity_booth *b = ctx;
    uint64_t read_us = booth_now(&b->booth.clock).wall_us + KEPT_US;
    if (read_us > b->pace.waited_us)
        pace_wait(&b->pace, read_us);
}

/* True if F9 ends the session, by the attendant's word. Before a part begins, F9 starts an ended
 * Entry instead. */
static bool concludes(const struct entity_booth *b, const struct entity_end_view *view)
{
    return b->booth.options->day && view->may_conclude &&
           !(view->segment == SEGMENT_WAITING && entity_booth_may_restart(b));
}

static void on_command(void *ctx, enum screen_command command)
{
    struct entity_booth *b = ctx;
    switch (command) {
    case SCREEN_STEWARD:
        entity_end_steward(b->end, !b->view->steward_here, booth_now(&b->booth.clock));
        break;
    case SCREEN_LEAVE:
        booth_goodbye(&b->booth);
        break;
    case SCREEN_BEGIN:
        if (concludes(b, b->view)) {
            entity_end_conclude(b->end, booth_now(&b->booth.clock));
            break;
        }
        if (entity_booth_may_restart(b)) {
            entity_booth_restart(b);
            break;
        }
        if (b->opening) {
            booth_say(&b->booth, say_the_entry_is_being_started);
            break;
        }
        /* fall through */
    case SCREEN_OTHER_SIDE:
    case SCREEN_TAKE:
    case SCREEN_EPOCH:
        booth_say(&b->booth, say_that_is_done_at_the);
        break;
    }
    b->booth.changed = true;
}

static uint64_t run_script(struct entity_booth *b, struct bl_time now)
{
    uint32_t point;
    const struct entity_end_view *view = b->view;
    if (!b->booth.script || b->booth.stage != RUNNING)
        return BL_NEVER;
    if (!view->may_type)
        return BL_NEVER; /* news of the line calls this function again */
    while (entity_booth_room(b) &&
           (point = script_key(b->booth.script, now.mono_us, view->other_us))) {
        entity_booth_press(b, point, now, now);
        script_typed(b->booth.script, now.mono_us);
    }
    return entity_booth_room(b) ? script_due(b->booth.script, now.mono_us, view->other_us)
                                : BL_NEVER;
}

/* A goodbye before the session's end would tell the judge's side that a person has pressed F10. So
 * the link then vanishes as with a power failure. */
static void close_all(struct entity_booth *b)
{
    if (b->view->segment == SEGMENT_FINISHED)
        link_close(b->line.link);
    else
        link_abandon(b->line.link);
    b->line.link = NULL;
    program_close(b->opening);
    b->opening = NULL;
    program_close(b->program);
    b->program = NULL;
    speaker_close(b->speaker);
    b->speaker = NULL;
    if (b->brief > 0)
        close(b->brief);
    b->brief = 0;
    if (b->alike >= 0)
        close(b->alike);
    b->alike = -1;
    entity_lpp_close(b->judge);
    b->judge = NULL;
    booth_close(&b->booth);
}

static void report(struct entity_booth *b)
{
    json_t *report = json_object();
    char digest[2 * DIGEST_SIZE + 1] = "";
    const struct entity_end_view *view = b->view;
    if (view->page)
        booth_digest(view->page, digest);
    json_object_set_new(report, "role", json_string("entity"));
    json_object_set_new(report, "session", json_string(view->session));
    json_object_set_new(report, "journal",
                        json_string(b->booth.journal ? journal_path(b->booth.journal) : ""));
    json_object_set_new(report, "keys", json_integer((json_int_t)view->n));
    json_object_set_new(report, "keys_judge", json_integer((json_int_t)view->by_judge));
    json_object_set_new(report, "keys_entity", json_integer((json_int_t)view->by_entity));
    json_object_set_new(report, "keys_pressed", json_integer((json_int_t)view->pressed));
    json_object_set_new(report, "keys_unplaced",
                        json_integer((json_int_t)(view->unplaced + view->pending_count)));
    json_object_set_new(report, "refused", json_integer((json_int_t)b->lost_keys));
    json_object_set_new(report, "ignored", json_integer(b->booth.ignored));
    json_object_set_new(report, "differences", json_integer((json_int_t)view->differences));
    json_object_set_new(report, "digest", json_string(digest));
    json_object_set_new(report, "end", json_string(words_close(view->outcome)));
    json_object_set_new(report, "seconds",
                        json_real((double)(bl_mono_us() - b->booth.start_us) / 1000000.0));
    booth_report_link(report, b->line.link);
    json_dumpf(report, stdout, JSON_PRESERVE_ORDER | JSON_COMPACT);
    putchar('\n');
    fflush(stdout);
    json_decref(report);
}

/* Gives this process an inotify watch, if it has none. The kernel needs some 10 ms more to end a
 * process with a watch, which delays a restart. Processes with an Entry of LPP need a watch. With a
 * watch in every terminal, a kill does not tell them apart. A failure has no other effect. */
static void be_alike(struct entity_booth *b)
{
    if (b->speaker && speaker_watches(b->speaker))
        return;
    b->alike = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (b->alike >= 0)
        inotify_add_watch(b->alike, b->dir, IN_DELETE_SELF | IN_ONLYDIR);
}

static uint64_t run_stage(struct entity_booth *b, struct bl_time now)
{
    const struct entity_end_view *view = b->view;
    bool alone = b->booth.options->headless || b->booth.options->day;
    if (b->booth.stage == RUNNING && alone && view->segment == SEGMENT_FINISHED)
        booth_goodbye(&b->booth);
    if (b->booth.stage == RUNNING && b->booth.options->headless) {
        /* The judge's end may come back: this end waits, and the log says so once. */
        if (view->outcome == CLOSE_PREFIX && !b->prefix_told)
            log_warnx(say_the_line_was_cut_headless);
        b->prefix_told = view->outcome == CLOSE_PREFIX;
    }
    if (b->booth.stage == SAYING_GOODBYE &&
        (((!b->line.link || link_acked(b->line.link) == link_sent(b->line.link)) &&
          (!b->speaker || speaker_sent(b->speaker))) ||
         now.mono_us >= b->booth.stage_due_us)) {
        if (b->booth.options->json)
            report(b);
        close_all(b);
    }
    return b->booth.stage == SAYING_GOODBYE ? b->booth.stage_due_us : BL_NEVER;
}

/* True if the controller cuts the line because another entity has its turn. */
static bool waits_its_turn(const struct entity_booth *b, const struct entity_end_view *view)
{
    if (b->line.up)
        return false;
    return view->segment == SEGMENT_WAITING ? b->options->controlled || view->enforced
                                            : view->segment == SEGMENT_CLOSED && view->enforced;
}

static const char *state_text(const struct entity_booth *b, const struct entity_end_view *view)
{
    if (view->sync == SYNC_DIFFERS)
        return say_records_differ;
    if (waits_its_turn(b, view))
        return view->segment == SEGMENT_CLOSED ? say_not_your_part_now : say_not_your_part_yet;
    switch (view->segment) {
    case SEGMENT_WAITING:
        return view->paused ? say_paused : say_not_begun;
    case SEGMENT_OPEN:
        return view->early ? say_the_judge_begins : say_open;
    default:
        return words_segment(view->segment);
    }
}

static bool is_program(const struct entity_booth *b)
{
    return (b->options->program.command && !b->options->comms) || b->speaker;
}

/* The text for a person who may not type. */
static const char *waits_text(const struct entity_booth *b, const struct entity_end_view *view)
{
    if (goes_on_without(view))
        return is_program(b) ? "" : say_your_part_is_over_please;
    if (view->segment == SEGMENT_FINISHED)
        return b->booth.options->day ? "" : say_the_session_is_over_f10;
    if (view->segment == SEGMENT_WAITING && !is_program(b) && !view->paused)
        return say_please_wait_the_judge_begins;
    if (view->segment != SEGMENT_CLOSED || is_program(b))
        return "";
    return view->last ? say_your_part_is_over_please : say_this_part_is_over_please;
}

/* True if this end's parts are over. An unreachable judge's end is then no fault. */
static bool is_over(const struct entity_booth *b, const struct entity_end_view *view)
{
    return view->pending_count == 0 &&
           (view->segment == SEGMENT_FINISHED ||
            (view->segment == SEGMENT_CLOSED && view->last && !is_program(b)));
}

static void fill_model(struct booth *booth, struct bl_time now)
{
    struct entity_booth *b = (struct entity_booth *)booth;
    struct screen_model *m = &b->booth.model;
    const struct entity_end_view *view = b->view;
    m->role = PARTY_ENTITY;
    m->sides = 1;
    m->remaining_us = screen_remaining_us(view, now.mono_us);
    m->enforced = view->enforced;
    screen_side_entity(&m->side[0], view);
    if (is_program(b))
        m->side[0].active = false;
    else
        m->side[0].title = say_you_are_the_entity;
    m->side[0].state = state_text(b, view);
    booth_line_show(&b->line, view->sync, &m->side[0]);
    if (screen_is_cut(view) || waits_its_turn(b, view) ||
        (is_over(b, view) && m->side[0].reach == REACH_NO))
        m->side[0].reach = REACH_CUT;
    else if (view->enforced && !b->line.up)
        m->side[0].reason = say_the_line_is_cut_a;
    b->booth.segment_text[0] = '\0';
    if (view->segment == SEGMENT_FINISHED && !goes_on_without(view))
        snprintf(b->booth.segment_text, sizeof b->booth.segment_text, say_the_session_is_over);
    else if (view->count)
        snprintf(b->booth.segment_text, sizeof b->booth.segment_text, say_part_of, view->index + 1,
                 view->count);
    m->segment = b->booth.segment_text;
    m->standing = b->limited;
    m->message = booth_message(&b->booth, now.mono_us);
    m->may_begin = entity_booth_may_restart(b);
    if (!m->message[0])
        m->message = waits_text(b, view);
    if (m->may_begin && !m->message[0])
        m->message = b->options->comms ? say_the_communications_program_has_ended
                                       : say_the_entry_has_ended_f9;
    m->may_conclude = concludes(b, view);
    if (m->may_conclude) {
        m->may_begin = true;
        m->message = view->enforced && view->segment == SEGMENT_CLOSED
                         ? say_the_line_was_cut_before
                         : say_the_judges_machine_is_not_heard;
    }
    m->entry = is_program(b) ? entry_lines_text(&b->lines) : "";
}

static void settle(uv_prepare_t *handle)
{
    struct entity_booth *b = handle->data;
    struct bl_time now = booth_now(&b->booth.clock);
    uint64_t due = BL_NEVER;
    if (b->booth.stage == STOPPED)
        return;
    if (now.mono_us >= b->view->due_us)
        entity_end_tick(b->end, now);
    if (b->judge)
        entity_lpp_run(b->judge);
    entity_booth_give(b);
    entity_booth_take_early(b, now);
    if (b->program)
        program_allow(b->program, entity_booth_speaks_apart(b) ? UINT_MAX : entity_booth_room(b));
    entity_booth_run_speaker(b);

    booth_sooner(&due, run_script(b, now));
    booth_sooner(&due, entity_booth_pace(b, now));
    if (b->judge)
        entity_lpp_run(b->judge); /* after the pace, so released keys are placed at once */
    booth_sooner(
        &due, entity_booth_tell_more(b, &b->lost, NOTE_REFUSED, "so many more keys are lost", now));
    booth_sooner(
        &due, entity_booth_tell_more(b, &b->ignored, NOTE_IGNORED,
                                     "so many more characters that these rules do not have", now));
    booth_sooner(&due, run_stage(b, now));
    if (b->booth.stage == STOPPED)
        return;
    booth_sooner(&due, b->view->due_us);
    booth_sooner(&due, booth_line_due(&b->line, now.mono_us));
    entity_booth_tell_state(b);
    const struct entity_end_view *view = b->view;
    if (b->booth.screen && view->cut_us != BL_NEVER && view->cut_us > now.mono_us &&
        view->segment == SEGMENT_OPEN) {
        uint64_t remaining_us = view->cut_us - now.mono_us;
        uint64_t shown_s = (remaining_us + 999999) / 1000000;
        booth_sooner(&due, now.mono_us + remaining_us % 1000000 + 1);
        b->booth.changed = b->booth.changed || shown_s != b->shown_s;
        b->shown_s = shown_s;
    }
    if (view->pending_count == 0) {
        b->waiting_us = BL_NEVER;
    } else if (now.mono_us >= b->waiting_us) {
        b->waiting_us = BL_NEVER;
        b->booth.changed = true;
    }
    booth_sooner(&due, b->waiting_us);
    booth_sooner(&due, booth_message_due(&b->booth, now.mono_us));
    if (b->booth.screen)
        booth_hold(&b->booth, view->session[0] && entity_booth_room(b) == 0);
    booth_show(&b->booth, now);
    bl_timer_set(&b->booth.timer, due);
}

/* True if an Entry of LPP and the judge's program have the same folder. The Entry would read its
 * own keys as the judge's. */
static bool is_one_folder(const struct entity_booth *b)
{
    struct stat own, judges;
    const char *folder = b->options->entry_kind ? b->options->entry_kind->folder : NULL;
    return folder && !entity_booth_is_boxed(b) && stat(folder, &own) == 0 &&
           stat(b->options->lpp_entry, &judges) == 0 && own.st_dev == judges.st_dev &&
           own.st_ino == judges.st_ino;
}

static enum bl_status open_judge(struct entity_booth *b, struct bl_diag *diag)
{
    const struct entity_lpp_options options = {.folder = b->options->lpp_entry,
                                               .state_dir = b->dir,
                                               .scan_ms = b->options->scan_ms,
                                               .starts = b->options->starts};
    if (is_one_folder(b))
        return bl_fail(diag, BL_USAGE, say_fail_the_two_folders_are_one);
    return entity_lpp_open(&b->judge, &b->line, b->end, &options, diag);
}

static void begin_judge(struct entity_booth *b)
{
    char session[SESSION_ID_MAX + 1];
    if (b->booth.options->session)
        snprintf(session, sizeof session, "%s", b->booth.options->session);
    else
        booth_session_name(b->booth.clock.wall_us, session);
    entity_lpp_begin(b->judge, session);
}

static enum bl_status open_all(struct entity_booth *b, struct bl_diag *diag)
{
    const struct booth_options *o = &b->options->booth;
    const struct link_callbacks callbacks = {.state = on_link_state,
                                             .record = on_link_record,
                                             .progress = on_link_progress,
                                             .answered = on_answered};
    const struct journal_record found = {
        .kind = JOURNAL_HEADER, /* makes no journal: its session has no name */
        .wall_us = b->booth.clock.wall_us,
        .as.header = {.session = "", .style = "", .contest = o->contest}};
    char path[PATH_MAX];
    enum bl_status status = program_prepare(&b->options->program, diag);
    if (!status)
        status = booth_journal_dir(o, b->dir, diag);
    if (!status)
        status = entity_booth_find_entry(b, diag);
    if (!status && o->script)
        status = script_load(&b->booth.script, o->script, diag);
    if (!status && o->script && script_has_ballot(b->booth.script))
        status = bl_fail(diag, BL_DATA, say_fail_a_ballot_is_the_judge_to, o->script);
    if (!status && b->options->lpp_entry)
        status = open_judge(b, diag);
    if (!status && !entity_booth_is_boxed(b))
        status = entity_booth_open_speaker(b, diag);
    const char *session = b->judge && !o->session ? entity_lpp_session(b->judge) : o->session;
    if (!status && !(b->judge && !session[0]) &&
        !journal_find(b->dir, PARTY_ENTITY, session, path, NULL))
        status = open_journal(b, path, &found, diag);
    if (!status && !b->judge)
        status = booth_line_open(&b->line, b->options->port, LINK_ENTITY, &callbacks, diag);
    if (!status)
        status = privilege_drop(diag); /* before an Entry is started */
    if (!status && b->options->program.command)
        status = entity_booth_start(b, diag);
    else if (!status &&
             !entity_booth_kind(b)->registers) /* an Entry that registers is ready after its
                                                * registration */
        entity_end_ready(b->end);
    if (!status)
        be_alike(b);
    if (!status)
        status = booth_screen(&b->booth, "entity", on_key, on_command, diag);
    if (!status && b->judge)
        begin_judge(b);
    return status;
}

/* Waits until a restarted terminal may meet the judge's end, and sets the time of its first key. A
 * keyboard, an Entry and a browser's page are ready after different times, 10 to 100 ms, which must
 * stay hidden. The random part hides the time of the restart itself. */
static void take_as_long(struct entity_booth *b, uint64_t began_us)
{
    uint64_t meets_us = began_us + MEETS_US + entity_booth_roll(b) % MEETS_MORE_US;
    uint64_t first_us = began_us + FIRST_KEY_US + entity_booth_roll(b) % FIRST_KEY_MORE_US;
    bl_sleep_until(meets_us);
    struct bl_time now = booth_now(&b->booth.clock);
    pace_wait(&b->pace, now.wall_us + (first_us - now.mono_us));
    if (b->speaker)
        speaker_reads_from_now(b->speaker);
}

enum bl_status entity_booth_run(const struct entity_options *options, struct bl_diag *diag)
{
    uint64_t began_us = bl_mono_us();
    struct entity_booth *b = calloc(1, sizeof *b);
    enum bl_status status;
    if (!b)
        return bl_fail(diag, BL_NOMEM, say_fail_no_memory);
    b->options = options;
    struct pace_config pace = options->pace;
    if (options->program.strip_prompt && pace.hold_us < PACE_PROMPT_HOLD_MS * 1000)
        pace.hold_us = PACE_PROMPT_HOLD_MS * 1000;
    if (entity_booth_kind(b)->reach == KIND_REACHES_US && pace.hold_us < options->scan_ms * 1000)
        pace.hold_us = options->scan_ms * 1000;
    pace_start(&b->pace, &pace, entity_booth_roll(b));
    b->file_step_us = bl_file_step_us();
    b->waiting_us = BL_NEVER;
    b->alike = -1;
    if (options->limit)
        snprintf(b->limited, sizeof b->limited, say_a_referee_limits_what_you, options->limit);
    b->line.booth = &b->booth;
    struct end_callbacks callbacks = booth_line_callbacks(&b->line);
    callbacks.judge_key = on_judge_key;
    callbacks.adopt = on_adopt;
    if (options->lpp_entry)
        entity_lpp_callbacks(&callbacks);
    b->end = entity_end_create(&callbacks, &b->line, true);
    if (!b->end) {
        free(b);
        return bl_fail(diag, BL_NOMEM, say_fail_no_memory_for_the_record);
    }
    entity_end_rules(b->end, &options->typing);
    b->view = entity_end_view(b->end);
    b->order = entity_end_sequence(b->end);
    booth_init(&b->booth, &options->booth, fill_model);
    b->booth.kept = on_kept;
    status = open_all(b, diag);
    if (status)
        close_all(b);
    else if (b->was_resumed)
        take_as_long(b, began_us);
    booth_run(&b->booth, settle);
    entity_end_destroy(b->end);
    booth_free(&b->booth);
    return status;
}
