#include "cli/entity_booth.h"

#include "session/entity_end.h"
#include "session/key_queue.h"

#include <ctype.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#define GOODBYE_US   300000  /* for the last acknowledgements, when leaving */
#define ATTENTION_US 8000000 /* how long a message stays */
#define WAITING_US   100000  /* how long a key may take before it is shown as waiting */
#define EARLY_NOTES  8       /* notes kept until there is a record to write them to */

struct early_note {
    enum note_code code;
    uint32_t count;
    char text[NOTE_MAX + 1];
};

struct entity_booth {
    const struct entity_options *options;
    uv_loop_t loop;
    uv_prepare_t prepare;
    struct bl_timer timer;
    struct booth_signals signals;
    struct booth_clock clock;
    char dir[PATH_MAX];
    struct journal *journal; /* NULL before a session is known */
    struct early_note early[EARLY_NOTES];
    unsigned early_count;

    struct entity_end *end;
    struct link *link;
    bool link_up, was_resumed;
    struct script *script;
    struct program *program;
    char program_text[NOTE_MAX + 1];
    uint64_t delivered;
    struct pace pace;
    bool changed;

    struct screen *screen;
    struct screen_model model;
    char segment_text[48], message[200];
    uint64_t message_until_us, start_us;
    uint64_t waiting_us; /* when keys that have no place by then are shown beside the page */
    uint32_t ignored;

    enum { RUNNING, SAYING_GOODBYE, STOPPED } stage;
    uint64_t stage_due_us;
    void *trace;
};

static void say(struct entity_booth *b, const char *text)
{
    snprintf(b->message, sizeof b->message, "%s", text);
    b->message_until_us = bl_mono_us() + ATTENTION_US;
    b->changed = true;
}

static void note(struct entity_booth *b, enum note_code code, uint32_t count, const char *text)
{
    struct entry entry = {.kind = ENTRY_NOTE,
                          .wall_us = booth_now(&b->clock).wall_us,
                          .as.note = {.code = code, .count = count, .text = text}};
    if (b->journal) {
        journal_append(b->journal, &entry);
    } else if (b->early_count < EARLY_NOTES) {
        struct early_note *early = &b->early[b->early_count++];
        early->code = code;
        early->count = count;
        snprintf(early->text, sizeof early->text, "%s", text);
    }
}

/* The last acknowledgements get a moment, then this end goes. */
static void say_goodbye(struct entity_booth *b)
{
    if (b->stage == RUNNING) {
        b->stage = SAYING_GOODBYE;
        b->stage_due_us = bl_mono_us() + GOODBYE_US;
    }
}

/* The record. */

static void on_disk_warning(void *ctx, const char *text)
{
    struct entity_booth *b = ctx;
    note(b, NOTE_DISK, 0, text);
    say(b, text);
}

static void on_replay(void *ctx, const struct entry *entry)
{
    struct entity_booth *b = ctx;
    b->was_resumed = true;
    if (entry->kind == ENTRY_HEADER)
        entity_end_begin(b->end, entry->as.header.session, entry->as.header.style,
                         entry->as.header.starts);
    else if (b->journal == NULL) /* judge_key() must not reach the program while it is read */
        entity_end_replay(b->end, entry);
    if (entry->kind == ENTRY_DELIVERED)
        b->delivered = entry->as.delivered.n;
}

/* Opens the record at path; header is for a new one. */
static enum bl_status open_journal(struct entity_booth *b, const char *path,
                                   const struct entry *header, struct bl_diag *diag)
{
    struct journal_report found;
    struct journal *journal;
    b->was_resumed = false;
    b->delivered = 0;
    enum bl_status status =
        journal_open(&journal, &disk_real, path, header, on_replay, b, &found, diag);
    if (status)
        return status;
    status = journal_attach(journal, &b->loop, on_disk_warning, b);
    if (status) {
        journal_close(journal);
        return status;
    }
    b->journal = journal;
    if (found.torn_bytes || found.damaged)
        note(b, NOTE_RESTART, (uint32_t)found.torn_bytes,
             "started again; a torn or damaged record was dropped");
    else if (b->was_resumed)
        note(b, NOTE_RESTART, 0, "started again");
    if (!b->was_resumed && b->options->booth.about[0])
        note(b, NOTE_OTHER, 0, b->options->booth.about);
    if (booth_clock_unset(&b->clock))
        note(b, NOTE_CLOCK, 0, "this machine's clock is not set");
    for (unsigned i = 0; i < b->early_count; i++)
        note(b, b->early[i].code, b->early[i].count, b->early[i].text);
    b->early_count = 0;
    if (b->script) {
        struct entity_end_view view;
        entity_end_view(b->end, &view);
        script_skip(b->script, view.pressed);
    }
    return BL_OK;
}

static enum bl_status start_program(struct entity_booth *b, struct bl_diag *diag);
static void fill_model(struct entity_booth *b, struct bl_time now);

static enum bl_status adopt(struct entity_booth *b, const char *session, const char *style,
                            uint8_t starts)
{
    const char *wanted = b->options->booth.session;
    char path[PATH_MAX];
    struct bl_diag diag = {""};
    struct program *old = NULL;
    struct entity_end_view view;
    if (wanted && strcmp(wanted, session) != 0) {
        snprintf(diag.text, sizeof diag.text,
                 "The judge's end has session %s, this end %s: check the tickets.", session,
                 wanted);
        say(b, diag.text);
        return BL_DATA;
    }
    struct entry header = {
        .kind = ENTRY_HEADER,
        .wall_us = b->clock.wall_us,
        .as.header = {.session = session, .role = PARTY_ENTITY, .style = style, .starts = starts}};
    journal_name(b->dir, session, PARTY_ENTITY, path);
    entity_end_view(b->end, &view);
    if (view.session[0]) { /* an Entry that talked in another session starts afresh */
        old = b->program;
        b->program = NULL;
    }
    enum bl_status status = entity_end_begin(b->end, session, style, starts);
    if (!status) { /* or else the present session and its record stay */
        journal_close(b->journal);
        b->journal = NULL;
        status = open_journal(b, path, &header, &diag);
    }
    program_close(old);
    if (!status && b->options->program.command && !b->program)
        status = start_program(b, &diag);
    if (status)
        say(b, diag.text[0] ? diag.text : bl_status_text(status));
    return status;
}

static enum bl_status on_adopt(void *ctx, const char *session, const char *style, uint8_t starts)
{
    struct entity_booth *b = ctx;
    enum bl_status status = adopt(b, session, style, starts);
    /* The old page is gone, and a key may come before all is drawn again. */
    fill_model(b, booth_now(&b->clock));
    return status;
}

/* The end's ports. */

static enum bl_status on_keep(void *ctx, const struct entry *entry)
{
    struct entity_booth *b = ctx;
    enum bl_status status = b->journal ? journal_append(b->journal, entry) : BL_IO;
    if (status)
        say(b, "The record cannot be written: call the steward (F12).");
    return status;
}

static enum bl_status on_send(void *ctx, const uint8_t *record, size_t length)
{
    return link_send(((struct entity_booth *)ctx)->link, LINK_EXPRESS, record, length);
}

static uint64_t on_sent(void *ctx)
{
    return link_sent(((struct entity_booth *)ctx)->link);
}

static uint64_t on_acked(void *ctx)
{
    return link_acked(((struct entity_booth *)ctx)->link);
}

static void on_changed(void *ctx)
{
    ((struct entity_booth *)ctx)->changed = true;
}

static void on_judge_key(void *ctx, uint64_t n, uint32_t point)
{
    struct entity_booth *b = ctx;
    if (!b->program)
        return;
    if (program_give(b->program, n, point) == BL_FULL)
        note(b, NOTE_ENTRY, 1, "the Entry does not read: a key of the judge did not reach it");
    /* Its keeper writes on its own time: at the end of a turn the one before is certain, and a new
     * Entry after a loss of power may well be asked the last question again. */
    uint64_t delivered = program_delivered(b->program);
    if (point == KEY_RETURN && b->journal && delivered > b->delivered) {
        struct entry entry = {.kind = ENTRY_DELIVERED,
                              .wall_us = booth_now(&b->clock).wall_us,
                              .as.delivered = {.n = delivered}};
        if (journal_append(b->journal, &entry) == BL_OK)
            b->delivered = delivered;
    }
}

static const struct end_ports end_ports = {.keep = on_keep,
                                           .send = on_send,
                                           .sent = on_sent,
                                           .acked = on_acked,
                                           .changed = on_changed,
                                           .judge_key = on_judge_key,
                                           .adopt = on_adopt};

/* The controller has cut the line, as was told before: that nobody can be reached is no fault. */
static bool is_cut(const struct entity_end_view *view)
{
    return view->enforced && view->segment >= SEGMENT_CLOSED && view->sync != SYNC_LIVE;
}

/* The link's handler. */

static void on_link_state(void *ctx, enum link_state state, const char *reason)
{
    struct entity_booth *b = ctx;
    bool was_up = b->link_up;
    struct entity_end_view view;
    entity_end_view(b->end, &view);
    b->link_up = state == LINK_UP;
    if (is_cut(&view))
        reason = "down, as the controller has cut the line";
    if (b->link_up || was_up) {
        note(b, NOTE_LINE, 0, b->link_up ? "the line is up" : reason);
        entity_end_link(b->end, b->link_up, booth_now(&b->clock));
    }
    b->changed = true;
}

static enum bl_status on_link_record(void *ctx, const uint8_t *record, size_t length)
{
    struct entity_booth *b = ctx;
    return entity_end_record(b->end, record, length, booth_now(&b->clock));
}

static void on_link_progress(void *ctx)
{
    struct entity_booth *b = ctx;
    entity_end_progress(b->end, booth_now(&b->clock));
}

/* A key that has its place after a round trip is drawn once, there: shown before as waiting it
 * would blink, and its drawing would stand in its own way. */
static enum key_answer press(struct entity_booth *b, uint32_t point, bool record_refusal,
                             struct bl_time now)
{
    bool changed = b->changed;
    enum key_answer answer = entity_end_key(b->end, point, record_refusal, now);
    struct entity_end_view view;
    if (answer != KEY_TAKEN || !b->screen || b->options->paced)
        return answer;
    entity_end_view(b->end, &view);
    if (booth_reach(b->link, view.sync) == REACH_YES) {
        b->changed = changed;
        if (b->waiting_us == BL_NEVER)
            b->waiting_us = now.mono_us + WAITING_US;
    }
    return answer;
}

/* The Entry. */

static bool on_program_key(void *ctx, uint32_t point)
{
    struct entity_booth *b = ctx;
    return press(b, point, false, booth_now(&b->clock)) == KEY_TAKEN;
}

static void on_program_event(void *ctx, enum program_event event, uint32_t count, const char *text)
{
    struct entity_booth *b = ctx;
    note(b, event == PROGRAM_IGNORED ? NOTE_IGNORED : NOTE_ENTRY, count, text);
    snprintf(b->program_text, sizeof b->program_text, "%s", text);
    if (event == PROGRAM_READY || event == PROGRAM_RESUMED)
        entity_end_ready(b->end);
    b->changed = true;
}

static enum bl_status start_program(struct entity_booth *b, struct bl_diag *diag)
{
    const struct program_handler handler = {on_program_key, on_program_event};
    struct program_options options = b->options->program;
    const struct sequence *sequence = entity_end_sequence(b->end);
    struct entity_end_view view;
    char name[SESSION_ID_MAX + 1];
    size_t at = 0;
    /* The line names the keeper: the session is not known yet when the Entry must be ready. */
    for (const char *c = b->options->port; *c && at < SESSION_ID_MAX; c++)
        name[at++] = isalnum((unsigned char)*c) ? *c : '-';
    name[at] = '\0';
    options.keeper_dir = b->dir;
    options.session = name;
    options.columns = 80;
    options.rows = 24;
    options.delivered = b->delivered;
    entity_end_view(b->end, &view);
    options.keys = view.pressed;
    enum bl_status status = program_open(&b->program, &b->loop, &options, &handler, b, diag);
    if (status)
        return status;
    for (uint64_t n = 1; n <= sequence->count; n++)
        if (sequence->event[n - 1].party == PARTY_JUDGE)
            program_give(b->program, n, sequence->event[n - 1].point);
    return BL_OK;
}

/* Keys and commands of the terminal. */

static void on_key(void *ctx, uint32_t point)
{
    struct entity_booth *b = ctx;
    if (b->program || b->script) {
        say(b, "Here a program types. The keyboard is for F12 (steward) and F10 (leave).");
        return;
    }
    enum key_answer answer = press(b, point, true, booth_now(&b->clock));
    if (answer == KEY_WAIT)
        say(b, "Too many keys wait for the judge's end: that key was not taken.");
    else if (answer != KEY_TAKEN)
        say(b, key_answer_text(answer));
}

static void on_command(void *ctx, enum screen_command command)
{
    struct entity_booth *b = ctx;
    struct entity_end_view view;
    switch (command) {
    case SCREEN_STEWARD:
        entity_end_view(b->end, &view);
        entity_end_steward(b->end, !view.steward_here, booth_now(&b->clock));
        break;
    case SCREEN_LEAVE:
        say_goodbye(b);
        break;
    case SCREEN_BEGIN:
    case SCREEN_OTHER_SIDE:
    case SCREEN_EPOCH:
        say(b, "That is done at the judge's terminal.");
        break;
    }
    b->changed = true;
}

static void on_ignored(void *ctx)
{
    struct entity_booth *b = ctx;
    b->ignored++;
    note(b, NOTE_IGNORED, 1, "input that is no key");
}

static void on_stop(void *ctx)
{
    say_goodbye(ctx);
}

static uint64_t run_script(struct entity_booth *b, struct bl_time now)
{
    struct entity_end_view view;
    uint32_t point;
    entity_end_view(b->end, &view);
    if (!b->script || b->stage != RUNNING)
        return BL_NEVER;
    while (entity_end_room(b->end) && (point = script_key(b->script, now.mono_us, view.other_us))) {
        if (press(b, point, false, now) != KEY_TAKEN)
            return BL_NEVER; /* the link's progress wakes us */
        script_typed(b->script, now.mono_us);
    }
    return entity_end_room(b->end) ? script_due(b->script, now.mono_us, view.other_us) : BL_NEVER;
}

static uint64_t run_pace(struct entity_booth *b, struct bl_time now)
{
    if (!b->options->paced)
        return BL_NEVER;
    while (entity_end_held(b->end)) {
        uint64_t due = pace_due(&b->pace, now.mono_us);
        if (due > now.mono_us)
            return due;
        entity_end_release(b->end, now);
        pace_went(&b->pace, now.mono_us, randombytes_random());
    }
    return BL_NEVER;
}

static void close_all(struct entity_booth *b)
{
    if (b->stage == STOPPED)
        return;
    b->stage = STOPPED;
    link_close(b->link);
    b->link = NULL;
    program_close(b->program);
    b->program = NULL;
    screen_close(b->screen);
    b->screen = NULL;
    journal_close(b->journal);
    b->journal = NULL;
    bl_timer_close(&b->timer, NULL);
    booth_signals_close(&b->signals);
    uv_close((uv_handle_t *)&b->prepare, NULL);
}

static void report(struct entity_booth *b)
{
    static const char *const outcomes[] = {"open", "agreed", "unconfirmed", "prefix", "settled"};
    json_t *report = json_object();
    struct entity_end_view view;
    char digest[2 * DIGEST_SIZE + 1] = "";
    entity_end_view(b->end, &view);
    if (view.page)
        booth_digest(view.page, digest);
    json_object_set_new(report, "role", json_string("entity"));
    json_object_set_new(report, "session", json_string(view.session));
    json_object_set_new(report, "journal", json_string(b->journal ? journal_path(b->journal) : ""));
    json_object_set_new(report, "keys", json_integer((json_int_t)view.n));
    json_object_set_new(report, "keys_judge", json_integer((json_int_t)view.by_judge));
    json_object_set_new(report, "keys_entity", json_integer((json_int_t)view.by_entity));
    json_object_set_new(report, "keys_pressed", json_integer((json_int_t)view.pressed));
    json_object_set_new(report, "keys_unplaced",
                        json_integer((json_int_t)(view.unplaced + view.pending_count)));
    json_object_set_new(report, "refused", json_integer((json_int_t)view.refused));
    json_object_set_new(report, "ignored", json_integer(b->ignored));
    json_object_set_new(report, "differences", json_integer((json_int_t)view.differences));
    json_object_set_new(report, "digest", json_string(digest));
    json_object_set_new(report, "end", json_string(outcomes[view.outcome]));
    json_object_set_new(report, "seconds",
                        json_real((double)(bl_mono_us() - b->start_us) / 1000000.0));
    booth_report_link(report, b->link);
    json_dumpf(report, stdout, JSON_PRESERVE_ORDER | JSON_COMPACT);
    putchar('\n');
    fflush(stdout);
    json_decref(report);
}

static uint64_t run_stage(struct entity_booth *b, struct bl_time now)
{
    struct entity_end_view view;
    entity_end_view(b->end, &view);
    if (b->stage == RUNNING && b->options->booth.headless && view.segment == SEGMENT_FINISHED) {
        say_goodbye(b);
    }
    if (b->stage == SAYING_GOODBYE &&
        (link_acked(b->link) == link_sent(b->link) || now.mono_us >= b->stage_due_us)) {
        if (b->options->booth.json)
            report(b);
        close_all(b);
    }
    return b->stage == SAYING_GOODBYE ? b->stage_due_us : BL_NEVER;
}

/* The screen. */

static const char *state_text(const struct entity_end_view *view)
{
    if (view->sync == SYNC_DIFFERS)
        return "records differ";
    switch (view->segment) {
    case SEGMENT_WAITING:
        return "not begun";
    case SEGMENT_OPEN:
        return view->early ? "the judge begins" : "open";
    case SEGMENT_CLOSING:
        return "closing";
    case SEGMENT_CLOSED:
        return "closed";
    case SEGMENT_FINISHED:
        return "finished";
    }
    return "";
}

static void fill_model(struct entity_booth *b, struct bl_time now)
{
    struct screen_model *m = &b->model;
    struct entity_end_view view;
    entity_end_view(b->end, &view);
    m->role = PARTY_ENTITY;
    m->sides = 1;
    m->remaining_us = view.cut_us == BL_NEVER     ? UINT64_MAX
                      : view.cut_us > now.mono_us ? view.cut_us - now.mono_us
                                                  : 0;
    m->enforced = view.enforced;
    if (view.enforced && view.sync != SYNC_LIVE)
        m->remaining_us = UINT64_MAX; /* the controller's clock may stand */
    m->side[0] = (struct screen_side){
        .page = view.page,
        .title = "JUDGE",
        .reach = is_cut(&view) ? REACH_CUT : booth_reach(b->link, view.sync),
        .reason = booth_reason(b->link, view.sync),
        .active = view.may_type && !b->program,
        .state = state_text(&view),
        .pending = view.pending,
        .pending_count = view.pending_count,
        .steward_here = view.steward_here,
        .steward_there = view.steward_there,
    };
    b->segment_text[0] = '\0';
    if (view.segment == SEGMENT_FINISHED)
        snprintf(b->segment_text, sizeof b->segment_text, "The session is over");
    else if (view.count)
        snprintf(b->segment_text, sizeof b->segment_text, "part %u of %u", view.index + 1,
                 view.count);
    m->segment = b->segment_text;
    if (now.mono_us >= b->message_until_us)
        b->message[0] = '\0';
    m->message = b->message;
    m->entry = b->options->program.command ? b->program_text : "";
}

static void settle(uv_prepare_t *handle)
{
    struct entity_booth *b = handle->data;
    struct bl_time now = booth_now(&b->clock);
    struct entity_end_view view;
    uint64_t due = BL_NEVER;
    if (b->stage == STOPPED)
        return;
    if (now.mono_us >= entity_end_due(b->end))
        entity_end_tick(b->end, now);
    if (b->program)
        program_allow(b->program, entity_end_room(b->end));

    booth_sooner(&due, run_script(b, now));
    booth_sooner(&due, run_pace(b, now));
    booth_sooner(&due, run_stage(b, now));
    if (b->stage == STOPPED)
        return;
    booth_sooner(&due, entity_end_due(b->end));
    entity_end_view(b->end, &view);
    if (b->screen && view.cut_us != BL_NEVER && view.cut_us > now.mono_us &&
        view.segment == SEGMENT_OPEN) {
        booth_sooner(&due, now.mono_us + (view.cut_us - now.mono_us) % 1000000 + 1);
        b->changed = true;
    }
    if (view.pending_count == 0) {
        b->waiting_us = BL_NEVER;
    } else if (now.mono_us >= b->waiting_us) {
        b->waiting_us = BL_NEVER;
        b->changed = true;
    }
    booth_sooner(&due, b->waiting_us);
    if (b->message[0]) {
        if (now.mono_us >= b->message_until_us)
            b->changed = true;
        else
            booth_sooner(&due, b->message_until_us);
    }
    if (b->screen) /* as at the judge's end: a paste waits while the line is there to carry it */
        screen_hold(b->screen, booth_reach(b->link, view.sync) == REACH_YES &&
                                   view.pending_count > KEY_QUEUE_MAX - SCREEN_BURST);
    if (b->changed && b->screen) {
        fill_model(b, now);
        screen_dirty(b->screen, &b->model);
    }
    b->changed = false;
    bl_timer_set(&b->timer, due);
}

static void on_timer(struct bl_timer *timer)
{
    (void)timer; /* settle() follows */
}

static enum bl_status open_all(struct entity_booth *b, struct bl_diag *diag)
{
    const struct booth_options *o = &b->options->booth;
    const struct link_options link_options = {.role = LINK_ENTITY, .rtscts = o->rtscts};
    const struct link_handler link_handler = {on_link_state, on_link_record, on_link_progress};
    const struct screen_options screen_options = {
        .kiosk = o->kiosk, .large = o->large, .no_color = getenv("NO_COLOR") != NULL};
    const struct screen_handler screen_handler = {on_key, on_command, on_ignored, on_stop};
    char path[PATH_MAX];
    enum bl_status status = booth_journal_dir(o, b->dir, diag);
    if (!status && o->script)
        status = script_load(&b->script, o->script, diag);
    if (!status && !journal_find(b->dir, PARTY_ENTITY, o->session, path, NULL))
        status = open_journal(b, path, NULL, diag);
    if (!status)
        status =
            link_open(&b->link, &b->loop, b->options->port, &link_options, &link_handler, b, diag);
    if (!status)
        status = booth_trace(o, b->link, &b->trace, diag);
    if (!status && b->options->program.command)
        status = start_program(b, diag);
    else if (!status)
        entity_end_ready(b->end);
    if (!status && !o->headless)
        status = screen_open(&b->screen, &b->loop, &screen_options, &screen_handler, b, diag);
    return status;
}

enum bl_status entity_booth_run(const struct entity_options *options, struct bl_diag *diag)
{
    struct entity_booth *b = calloc(1, sizeof *b);
    enum bl_status status;
    if (!b)
        return bl_fail(diag, BL_NOMEM, "no memory");
    b->options = options;
    b->pace = options->pace;
    booth_clock_init(&b->clock);
    b->start_us = b->clock.mono_us;
    b->waiting_us = BL_NEVER;
    b->changed = true;
    b->end = entity_end_create(&end_ports, b, options->paced);
    if (!b->end) {
        free(b);
        return bl_fail(diag, BL_NOMEM, "no memory for the record");
    }
    uv_loop_init(&b->loop);
    bl_timer_init(&b->loop, &b->timer, on_timer, b);
    booth_signals_open(&b->signals, &b->loop, on_stop, b);
    uv_prepare_init(&b->loop, &b->prepare);
    b->prepare.data = b;
    status = open_all(b, diag);
    if (status)
        close_all(b);
    else
        uv_prepare_start(&b->prepare, settle); /* last, so that it runs before the screen draws */
    uv_run(&b->loop, UV_RUN_DEFAULT);
    uv_loop_close(&b->loop);
    entity_end_destroy(b->end);
    script_destroy(b->script);
    if (b->trace)
        fclose(b->trace);
    free(b);
    return status;
}
