#include "booth/entity_booth.h"

#include "base/crc32c.h"
#include "base/limit.h"
#include "base/log.h"
#include "base/privilege.h"
#include "booth/booth_port.h"
#include "booth/entity_lpp.h"
#include "booth/entry_lines.h"
#include "session/entity_end.h"
#include "session/key_queue.h"
#include "rules/ticket.h"
#include "transcript/words.h"
#include "entity/manifest.h"
#include "entity/place.h"

#include <ctype.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#define WAITING_US 100000 /* how long a key may take before it is shown as waiting */

/* Notes of keys that are lost. */
#define LOST_BURST    3
#define LOST_EVERY_US UINT64_C(10000000)

struct entity_booth {
    struct booth booth; /* its head: what the booth's functions get is the entity's booth */
    const struct entity_options *options;
    struct booth_port port;
    char dir[PATH_MAX];
    struct entity_end *end;
    bool was_resumed;
    bool caught_up; /* what this machine did not have of the order has come */
    struct program *program;
    struct lpp *lpp;
    bool lpp_begun;           /* with the present session */
    struct entity_lpp *judge; /* an organiser's judge program instead of a line */
    bool prefix_told;         /* without a screen: that the line was cut and nobody said so */
    struct entry_lines lines; /* what was last told of the Entry */
    uint64_t delivered;
    uint64_t given;         /* of the order: the judge's among them were given to the Entry */
    struct pace pace;       /* on this booth's wall clock, as times of keys are */
    bool taken_up;          /* the line was live in this process */
    uint32_t dice[64];      /* random numbers, */
    unsigned dice_left;     /* so many of which were not used */
    struct key_queue early; /* typed before there was a record */
    struct limit lost;      /* telling of keys that found no room, */
    struct limit ignored;   /* and of characters that do not exist */
    uint64_t lost_keys;
    int alike;           /* a watch that nobody reads, see be_alike(); -1: none */
    uint64_t waiting_us; /* when keys that have no place by then are shown beside the page */
    char handed_in[80];  /* for the record: that the Entry's folder is as its manifest says */
    char limited[TICKET_LIMIT_MAX + 64]; /* what stands on the screen of it, "" without */
};

/* The booth of a port. */
static struct entity_booth *booth_of(void *port)
{
    return (struct entity_booth *)((struct booth_port *)port)->booth;
}

/* Does an Entry that is started here have its folder for LPP in its sandbox? */
static bool is_boxed(const struct entity_booth *b)
{
    return b->options->lpp_folder && b->options->program.command && !b->options->program.place.open;
}

/* The record. */

static void on_replay(void *ctx, const struct entry *entry)
{
    struct entity_booth *b = ctx;
    b->was_resumed = true;
    if (entry->kind == ENTRY_HEADER)
        entity_end_begin(b->end, entry->as.header.session, entry->as.header.style,
                         entry->as.header.starts);
    else if (b->booth.journal == NULL) /* judge_key() must not reach the program while it is read */
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

static enum bl_status start_program(struct entity_booth *b, struct bl_diag *diag);
static void fill_model(struct booth *booth, struct bl_time now);

static enum bl_status adopt(struct entity_booth *b, const char *session, const char *style,
                            uint8_t starts)
{
    const char *wanted = b->booth.options->session;
    char path[PATH_MAX];
    struct bl_diag diag = {""}, why;
    struct program *old = NULL;
    struct style parsed;
    if (wanted && strcmp(wanted, session) != 0) {
        snprintf(diag.text, sizeof diag.text,
                 "The judge's end has session %s, this end %s: check the tickets.", session,
                 wanted);
        booth_say(&b->booth, diag.text);
        return BL_DATA;
    }
    const struct entity_end_view *view = entity_end_view(b->end);
    if (style_read(&parsed, style, &why) != BL_OK) {
        snprintf(diag.text, sizeof diag.text,
                 "The judge's end has pages that this one does not have (%.200s): install the "
                 "same version on both.",
                 why.text);
    } else if (strcmp(view->session, session) == 0) {
        snprintf(diag.text, sizeof diag.text,
                 "The judge's end has other pages (%.120s) for session %s than are on record here: "
                 "begin another session.",
                 style, session);
    }
    if (diag.text[0]) {
        booth_say(&b->booth, diag.text);
        return BL_DATA;
    }
    struct entry header = {
        .kind = ENTRY_HEADER,
        .wall_us = b->booth.clock.wall_us,
        .as.header = {.session = session, .role = PARTY_ENTITY, .style = style, .starts = starts}};
    journal_name(b->dir, session, PARTY_ENTITY, path);
    if (view->session[0]) { /* an Entry that talked in another session starts afresh */
        old = b->program;
        b->program = NULL;
    }
    enum bl_status status = entity_end_begin(b->end, session, style, starts);
    b->given = 0;
    b->lpp_begun = false;
    if (b->lpp)
        lpp_leave(b->lpp);
    if (!status) { /* or else the present session and its record stay */
        journal_close(b->booth.journal);
        b->booth.journal = NULL;
        status = open_journal(b, path, &header, &diag);
    }
    program_close(old);
    if (!status && b->options->program.command && !b->program)
        status = start_program(b, &diag);
    if (status)
        booth_say(&b->booth, diag.text[0] ? diag.text : bl_status_text(status));
    return status;
}

static enum bl_status on_adopt(void *ctx, const char *session, const char *style, uint8_t starts)
{
    struct entity_booth *b = booth_of(ctx);
    enum bl_status status = adopt(b, session, style, starts);
    /* The old page is gone, and a key may come before all is drawn again. */
    fill_model(&b->booth, booth_now(&b->booth.clock));
    return status;
}

/* The end's ports. */

/* What was given to the Entry is kept at the end of a turn. A keeper writes on its own time: then
 * the turn before is certain, and a new Entry after a loss of power may well be asked the last
 * question again. */
static void keep_delivered(struct entity_booth *b, uint64_t delivered)
{
    struct entry entry = {.kind = ENTRY_DELIVERED,
                          .wall_us = booth_now(&b->booth.clock).wall_us,
                          .as.delivered = {.n = delivered}};
    if (b->booth.journal && delivered > b->delivered &&
        journal_append(b->booth.journal, &entry) == BL_OK)
        b->delivered = delivered;
}

static void on_judge_key(void *ctx, uint64_t n, uint32_t point)
{
    struct entity_booth *b = booth_of(ctx);
    if (point == KEY_RETURN && b->booth.journal)
        pace_asked(&b->pace, booth_now(&b->booth.clock).wall_us);
    (void)n;
}

/* A spare machine gets the whole conversation at once. Its Entry is given what the judge typed
 * since this side's last word: one that got all would answer all of it. */
static void catch_up(struct entity_booth *b)
{
    const struct sequence *sequence = entity_end_sequence(b->end);
    uint64_t n = sequence->count;
    if (b->caught_up || entity_end_view(b->end)->sync != SYNC_LIVE)
        return;
    b->caught_up = true;
    while (n > 0 && sequence->event[n - 1].party != PARTY_ENTITY)
        n--;
    if (n == 0)
        return;
    booth_note(&b->booth, SIDE_LEFT, NOTE_TAKEN, (uint32_t)sequence->count,
               "this machine had no record of the session: it has the judge's now");
    b->given = n;
    keep_delivered(b, n);
}

/* The Entry is given the judge's keys between two waits of the loop, when they are acknowledged:
 * how long the giving takes is nobody's to hear. */
static void give_keys(struct entity_booth *b)
{
    const struct sequence *sequence = entity_end_sequence(b->end);
    catch_up(b);
    if (!b->caught_up)
        return;
    if (b->given > sequence->count)
        b->given = 0; /* the order began anew; what the Entry has it is not given again */
    while (b->program && !b->lpp && b->given < sequence->count) {
        uint64_t n = ++b->given;
        const struct key_event *event = &sequence->event[n - 1];
        if (event->party != PARTY_JUDGE)
            continue;
        if (program_give(b->program, n, event->point) == BL_FULL)
            booth_note(&b->booth, SIDE_LEFT, NOTE_ENTRY, 1,
                       "the Entry does not read: a key of the judge did not reach it");
        if (event->point == KEY_RETURN)
            keep_delivered(b, program_delivered(b->program));
    }
}

static const struct end_ports end_ports = {
    BOOTH_PORT_ENDS,
    .judge_key = on_judge_key,
    .adopt = on_adopt,
};

/* The link's handler. */

static void on_link_state(void *ctx, enum link_state state, const char *reason)
{
    struct entity_booth *b = booth_of(ctx);
    const struct entity_end_view *view = entity_end_view(b->end);
    if (state != LINK_UP && view->enforced && view->segment >= SEGMENT_CLOSED)
        reason = b->port.up ? "down, as the controller has cut the line" : LINK_WAITING;
    if (booth_port_state(&b->port, state, reason))
        entity_end_link(b->end, b->port.up, booth_now(&b->booth.clock));
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

/* The entity's keys: whoever types them, they pass through here. */

static struct pace_queue queue_of(const struct entity_end_held *held)
{
    return (struct pace_queue){.point = held->point, .key = held->key, .count = held->count};
}

/* A random number; the kernel is asked for many at once. */
static uint32_t roll(struct entity_booth *b)
{
    if (b->dice_left == 0) {
        randombytes_buf(b->dice, sizeof b->dice);
        b->dice_left = sizeof b->dice / sizeof b->dice[0];
    }
    return b->dice[--b->dice_left];
}

/* A line of the judge's that an earlier process here may have left unanswered has its delay anew.
 */
static void take_up(struct entity_booth *b, struct bl_time now)
{
    const struct sequence *sequence = entity_end_sequence(b->end);
    if (b->taken_up || !entity_end_may_go(b->end))
        return;
    b->taken_up = true;
    for (uint64_t n = sequence->count; n && sequence->event[n - 1].party == PARTY_JUDGE; n--)
        if (sequence->event[n - 1].point == KEY_RETURN)
            pace_asked(&b->pace, now.wall_us);
}

/* Lets go what may go. Returns when the next key may. */
static uint64_t run_pace(struct entity_booth *b, struct bl_time now)
{
    take_up(b, now);
    for (;;) {
        struct entity_end_held held;
        entity_end_held(b->end, &held);
        struct pace_queue queue = queue_of(&held);
        pace_line(&b->pace, entity_end_may_go(b->end),
                  entity_end_sequence(b->end)->by[PARTY_ENTITY], held.under_way, now.wall_us);
        uint64_t due_us = pace_due(&b->pace, &queue, now.wall_us);
        if (due_us > now.wall_us)
            return due_us == BL_NEVER ? BL_NEVER : now.mono_us + (due_us - now.wall_us);
        pace_went(&b->pace, &queue, now.wall_us, roll(b));
        entity_end_release(b->end, now);
    }
}

static void lose_key(struct entity_booth *b, uint32_t point, enum key_answer answer,
                     struct bl_time now)
{
    char text[KEY_REFUSED_TEXT] = "a key is lost: as many wait for the line as there is room for";
    b->lost_keys++;
    if (answer == KEY_REFUSED_CLOSED)
        key_refused_text(text, "refused, after the end: ", &point, 1);
    if (limit_pass(&b->lost, now.mono_us, LOST_BURST, LOST_EVERY_US))
        booth_note(&b->booth, SIDE_LEFT, NOTE_REFUSED, 1, text);
}

/* How many more there were than was told, when that may be told. Returns when it is next. */
static uint64_t tell_more(struct entity_booth *b, struct limit *limit, enum note_code code,
                          const char *text, struct bl_time now)
{
    uint32_t held = limit_take(limit, now.mono_us, LOST_BURST, LOST_EVERY_US);
    if (held)
        booth_note(&b->booth, SIDE_LEFT, code, held, text);
    return limit_due(limit, LOST_BURST, LOST_EVERY_US);
}

/* For a person it is as if the key were not on his keyboard, for an Entry as if it had not written.
 */
static bool exists(struct entity_booth *b, uint32_t point, struct bl_time now)
{
    if (characters_have(b->options->characters, point))
        return true;
    b->booth.ignored++;
    if (limit_pass(&b->ignored, now.mono_us, LOST_BURST, LOST_EVERY_US))
        booth_note(&b->booth, SIDE_LEFT, NOTE_IGNORED, 1,
                   "a character that these rules do not have");
    return false;
}

/* A key that has its place after a round trip is drawn once, there: shown before as waiting it
 * would blink, and its drawing would stand in its own way. */
static void draw_later(struct entity_booth *b, bool changed, struct bl_time now)
{
    struct entity_end_held held;
    const struct entity_end_view *view = entity_end_view(b->end);
    entity_end_held(b->end, &held);
    if (!b->booth.screen || held.count || booth_reach(b->port.link, view->sync) != REACH_YES)
        return;
    b->booth.changed = changed;
    if (b->waiting_us == BL_NEVER)
        b->waiting_us = now.mono_us + WAITING_US;
}

static enum key_answer press(struct entity_booth *b, uint32_t point, struct bl_time pressed,
                             struct bl_time now)
{
    bool changed = b->booth.changed;
    struct entity_end_held held;
    entity_end_held(b->end, &held);
    struct pace_queue queue = queue_of(&held);
    bool erases = point == KEY_BACKSPACE && pace_erases(&b->pace, &queue);
    enum key_answer answer = entity_end_key(b->end, point, pressed);
    if (answer == KEY_REFUSED_APART && key_queue_push(&b->early, point))
        return KEY_TAKEN;
    if (answer != KEY_TAKEN) {
        lose_key(b, point, answer, now);
        return answer;
    }
    if (erases)
        entity_end_erase(b->end, 2, now);
    run_pace(b, now);
    draw_later(b, changed, now);
    return answer;
}

/* There is a record now: what was typed before goes to it. */
static void take_early(struct entity_booth *b, struct bl_time now)
{
    while (b->early.count && entity_end_view(b->end)->session[0]) {
        uint32_t point = *key_queue_at(&b->early);
        key_queue_drop(&b->early, 1);
        press(b, point, now, now);
    }
}

/* What an Entry may hand over now. While the line carries its keys at its own cadence, more than it
 * carries waits where it is, as a paste of a person's waits in his terminal; else nothing does, and
 * what finds no room is lost, as a person's. */
static bool may_wait(const struct entity_booth *b)
{
    return b->pace.config.mode == PACE_OWN && entity_end_may_go(b->end);
}

static unsigned room(struct entity_booth *b)
{
    const struct entity_end_view *view = entity_end_view(b->end);
    if (!view->session[0])
        return 0;
    if (!may_wait(b))
        return UINT_MAX;
    return view->pending_count > KEY_QUEUE_MAX - SCREEN_BURST ? 0 : SCREEN_BURST;
}

static enum handed take_from_entry(struct entity_booth *b, uint32_t point, uint64_t pressed_us)
{
    struct bl_time now = booth_now(&b->booth.clock), pressed = now;
    if (pressed_us < now.mono_us) {
        pressed.mono_us = pressed_us;
        pressed.wall_us -= now.mono_us - pressed_us;
    }
    return exists(b, point, now) && press(b, point, pressed, now) == KEY_TAKEN ? HANDED_ON
                                                                               : HANDED_LOST;
}

/* The Entry. */

static void tell_entry(struct entity_booth *b, enum note_code code, uint32_t count,
                       const char *text)
{
    booth_note(&b->booth, SIDE_LEFT, code, count, text);
    entry_lines_add(&b->lines, booth_now(&b->booth.clock).wall_us, text);
    b->booth.changed = true;
}

/* An Entry that speaks through its folder says nothing by what it prints. */
static enum handed on_program_key(void *ctx, uint32_t point, uint64_t pressed_us)
{
    struct entity_booth *b = ctx;
    return b->lpp ? HANDED_ON : take_from_entry(b, point, pressed_us);
}

static void on_program_event(void *ctx, enum program_event event, uint32_t count, const char *text)
{
    struct entity_booth *b = ctx;
    bool printed = event == PROGRAM_IGNORED || event == PROGRAM_BAD_UTF8;
    if (!printed || !b->lpp)
        tell_entry(b, event == PROGRAM_IGNORED ? NOTE_IGNORED : NOTE_ENTRY, count, text);
    /* An Entry with a folder is nowhere seen to wait, and what comes too early lies there. */
    if (b->lpp || program_ready(b->program))
        entity_end_ready(b->end);
}

static enum bl_status open_lpp(struct entity_booth *b, struct bl_diag *diag);

/* The line names the keeper: the session is not known yet when the Entry must be ready. */
static void name_keeper(const struct entity_booth *b, char name[SESSION_ID_MAX + 1])
{
    const char *folder = b->options->lpp_entry;
    size_t at = 0;
    if (folder) { /* paths are long, and differ at their ends */
        snprintf(name, SESSION_ID_MAX + 1, "lpp-entry-%08x", crc32c(0, folder, strlen(folder)));
        return;
    }
    for (const char *c = b->options->port; *c && at < SESSION_ID_MAX; c++)
        name[at++] = isalnum((unsigned char)*c) ? *c : '-';
    name[at] = '\0';
}

static enum bl_status start_program(struct entity_booth *b, struct bl_diag *diag)
{
    const struct program_handler handler = {on_program_key, on_program_event};
    const struct booth_options *o = &b->options->booth;
    /* Those that are NULL are the last. */
    const char *hidden[] = {o->key, o->ticket ? o->ticket : o->trace, o->ticket ? o->trace : NULL,
                            NULL};
    struct program_options options = b->options->program;
    const struct sequence *sequence = entity_end_sequence(b->end);
    char name[SESSION_ID_MAX + 1];
    name_keeper(b, name);
    options.keeper_dir = b->dir;
    options.session = name;
    options.place.hidden = hidden + (o->key == NULL);
    options.place.lpp = b->options->lpp_folder;
    options.columns = 80;
    options.rows = 24;
    options.delivered = b->delivered;
    options.keys = b->options->lpp_folder ? 0 : entity_end_view(b->end)->pressed;
    enum bl_status status = program_open(&b->program, &b->booth.loop, &options, &handler, b, diag);
    if (!status && is_boxed(b))
        status = open_lpp(b, diag);
    if (status)
        return status;
    for (uint64_t n = 1; n <= sequence->count && !b->lpp; n++)
        if (sequence->event[n - 1].party == PARTY_JUDGE)
            program_give(b->program, n, sequence->event[n - 1].point);
    return BL_OK;
}

/* An Entry that has ended is started again by an attendant, not by itself: it may be the third
 * time, and why it ended is on the screen. */
static bool may_start_again(const struct entity_booth *b)
{
    return b->options->program.command && (!b->program || !program_running(b->program));
}

static void start_again(struct entity_booth *b)
{
    struct bl_diag diag = {""};
    struct program *old = b->program;
    b->program = NULL;
    program_close(old);
    tell_entry(b, NOTE_ENTRY, 0, "started again by an attendant");
    if (start_program(b, &diag))
        booth_say(&b->booth, diag.text);
}

/* An Entry behind a folder. */

static enum handed on_lpp_key(void *ctx, uint32_t point, uint64_t pressed_us)
{
    return take_from_entry(ctx, point, pressed_us);
}

static uint64_t on_lpp_keys(void *ctx)
{
    const struct entity_booth *b = ctx;
    return entity_end_view(b->end)->pressed;
}

static uint32_t on_lpp_judge_key(void *ctx, uint64_t n)
{
    const struct entity_booth *b = ctx;
    const struct sequence *sequence = entity_end_sequence(b->end);
    const struct key_event *event = &sequence->event[n - 1];
    return n <= sequence->count && event->party == PARTY_JUDGE ? event->point : 0;
}

static void on_lpp_event(void *ctx, enum lpp_event event, uint32_t count, const char *text)
{
    tell_entry(ctx, event == LPP_NOT_A_KEY || event == LPP_PASSED ? NOTE_IGNORED : NOTE_ENTRY,
               count, text);
}

static enum bl_status open_lpp(struct entity_booth *b, struct bl_diag *diag)
{
    const struct lpp_handler handler = {on_lpp_key, on_lpp_keys, on_lpp_judge_key, on_lpp_event};
    const struct lpp_options options = {.folder = b->options->lpp_folder,
                                        .shown = is_boxed(b) ? program_lpp_fd(b->program) : 0,
                                        .state_dir = b->dir,
                                        .scan_ms = b->options->lpp_scan_ms};
    lpp_close(b->lpp);
    b->lpp = NULL;
    b->lpp_begun = false;
    if (!options.folder)
        return BL_OK;
    return lpp_open(&b->lpp, &b->booth.loop, &options, &handler, b, diag);
}

/* The folder is not touched before the judge's end has agreed on the session: the last record here
 * may be another's. */
static void run_lpp(struct entity_booth *b)
{
    const struct sequence *sequence = entity_end_sequence(b->end);
    uint64_t given;
    const struct entity_end_view *view = entity_end_view(b->end);
    if (!b->lpp || !b->booth.journal)
        return;
    if (!b->lpp_begun && b->caught_up && (view->sync == SYNC_LIVE || view->sync == SYNC_REPLAY)) {
        b->lpp_begun = true;
        lpp_session(b->lpp, view->session, b->delivered);
    }
    if (!b->lpp_begun)
        return;
    lpp_allow(b->lpp, room(b));
    if (!entity_end_may_go(b->end))
        lpp_hush(b->lpp);
    lpp_order(b->lpp, sequence->count);
    given = lpp_given(b->lpp);
    if (given && given == sequence->count && sequence->event[given - 1].point == KEY_RETURN)
        keep_delivered(b, given);
}

/* Keys and commands of the terminal. */

static void on_key(void *ctx, uint32_t point)
{
    struct entity_booth *b = ctx;
    if (b->program || b->lpp || b->booth.script) {
        booth_say(&b->booth,
                  "Here a program types. The keyboard is for F12 (steward) and F10 (leave).");
        return;
    }
    struct bl_time now = booth_now(&b->booth.clock);
    if (!exists(b, point, now)) {
        booth_say(&b->booth, "These rules do not have that character.");
        return;
    }
    enum key_answer answer = press(b, point, now, now);
    if (answer == KEY_WAIT)
        booth_say(&b->booth, "Too many keys wait for the judge's end: that key was not taken.");
    else if (answer != KEY_TAKEN)
        booth_say(&b->booth, key_answer_text(answer));
}

static void on_command(void *ctx, enum screen_command command)
{
    struct entity_booth *b = ctx;
    switch (command) {
    case SCREEN_STEWARD:
        entity_end_steward(b->end, !entity_end_view(b->end)->steward_here,
                           booth_now(&b->booth.clock));
        break;
    case SCREEN_LEAVE:
        booth_goodbye(&b->booth);
        break;
    case SCREEN_BEGIN:
        if (b->booth.options->day && entity_end_view(b->end)->may_conclude) {
            entity_end_conclude(b->end, booth_now(&b->booth.clock));
            break;
        }
        if (may_start_again(b)) {
            start_again(b);
            break;
        }
        /* fall through */
    case SCREEN_OTHER_SIDE:
    case SCREEN_TAKE:
    case SCREEN_EPOCH:
        booth_say(&b->booth, "That is done at the judge's terminal.");
        break;
    }
    b->booth.changed = true;
}

static uint64_t run_script(struct entity_booth *b, struct bl_time now)
{
    uint32_t point;
    const struct entity_end_view *view = entity_end_view(b->end);
    if (!b->booth.script || b->booth.stage != RUNNING)
        return BL_NEVER;
    if (!view->may_type)
        return BL_NEVER; /* a script does not type in vain: the line's news wake us */
    while (room(b) && (point = script_key(b->booth.script, now.mono_us, view->other_us))) {
        press(b, point, now, now);
        script_typed(b->booth.script, now.mono_us);
    }
    return room(b) ? script_due(b->booth.script, now.mono_us, view->other_us) : BL_NEVER;
}

static void close_all(struct entity_booth *b)
{
    link_close(b->port.link);
    b->port.link = NULL;
    program_close(b->program);
    b->program = NULL;
    lpp_close(b->lpp);
    b->lpp = NULL;
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
    const struct entity_end_view *view = entity_end_view(b->end);
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
    json_object_set_new(report, "end", json_string(words_end(view->outcome)));
    json_object_set_new(report, "seconds",
                        json_real((double)(bl_mono_us() - b->booth.start_us) / 1000000.0));
    booth_report_link(report, b->port.link);
    json_dumpf(report, stdout, JSON_PRESERVE_ORDER | JSON_COMPACT);
    putchar('\n');
    fflush(stdout);
    json_decref(report);
}

/* The kernel takes some 10 ms to end a process that watches a folder, and so a unit that restarts
 * it is as much later. Only an Entry that speaks LPP needs a watch; so that a kill does not show
 * it, each entity's terminal has one. Without it, where a user has too many, nothing else is
 * different. */
static void be_alike(struct entity_booth *b)
{
    if (b->lpp && lpp_watches(b->lpp))
        return;
    b->alike = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (b->alike >= 0)
        inotify_add_watch(b->alike, b->dir, IN_DELETE_SELF | IN_ONLYDIR);
}

static uint64_t run_stage(struct entity_booth *b, struct bl_time now)
{
    const struct entity_end_view *view = entity_end_view(b->end);
    bool alone = b->booth.options->headless || b->booth.options->day;
    if (b->booth.stage == RUNNING && alone && view->segment == SEGMENT_FINISHED)
        booth_goodbye(&b->booth);
    if (b->booth.stage == RUNNING && b->booth.options->headless) {
        /* It may have been a pause, or the judge's end comes back: that is not for us to know. */
        if (view->outcome == END_PREFIX && !b->prefix_told)
            log_warnx("the line was cut before its end was told: waits for the judge's end; "
                      "SIGTERM ends this one");
        b->prefix_told = view->outcome == END_PREFIX;
    }
    if (b->booth.stage == SAYING_GOODBYE &&
        (!b->port.link || link_acked(b->port.link) == link_sent(b->port.link) ||
         now.mono_us >= b->booth.stage_due_us)) {
        if (b->booth.options->json)
            report(b);
        close_all(b);
    }
    return b->booth.stage == SAYING_GOODBYE ? b->booth.stage_due_us : BL_NEVER;
}

/* The screen. */

/* The controller keeps the line cut, as it should, and closes it later. */
static bool waits_its_turn(const struct entity_booth *b, const struct entity_end_view *view)
{
    if (b->port.up)
        return false;
    return view->segment == SEGMENT_WAITING ? b->options->controlled || view->enforced
                                            : view->segment == SEGMENT_CLOSED && view->enforced;
}

static const char *state_text(const struct entity_booth *b, const struct entity_end_view *view)
{
    if (view->sync == SYNC_DIFFERS)
        return "records differ";
    if (waits_its_turn(b, view))
        return "not your turn yet";
    switch (view->segment) {
    case SEGMENT_WAITING:
        return view->paused ? "paused" : "not begun";
    case SEGMENT_OPEN:
        return view->early ? "the judge begins" : "open";
    default:
        return words_segment(view->segment);
    }
}

static void fill_model(struct booth *booth, struct bl_time now)
{
    struct entity_booth *b = (struct entity_booth *)booth;
    struct screen_model *m = &b->booth.model;
    const struct entity_end_view *view = entity_end_view(b->end);
    m->role = PARTY_ENTITY;
    m->sides = 1;
    m->remaining_us = screen_remaining_us(view, now.mono_us);
    m->enforced = view->enforced;
    screen_side_entity(&m->side[0], view);
    if (b->program || b->lpp)
        m->side[0].active = false;
    m->side[0].state = state_text(b, view);
    booth_port_show(&b->port, view->sync, &m->side[0]);
    if (screen_is_cut(view) || waits_its_turn(b, view))
        m->side[0].reach = REACH_CUT;
    else if (view->enforced && !b->port.up)
        m->side[0].reason = "the line is cut: a pause, or the cable is out";
    b->booth.segment_text[0] = '\0';
    if (view->segment == SEGMENT_FINISHED)
        snprintf(b->booth.segment_text, sizeof b->booth.segment_text, "The session is over");
    else if (view->count)
        snprintf(b->booth.segment_text, sizeof b->booth.segment_text, "part %u of %u",
                 view->index + 1, view->count);
    m->segment = b->booth.segment_text;
    m->standing = b->limited;
    m->message = booth_message(&b->booth, now.mono_us);
    m->may_begin = may_start_again(b);
    if (m->may_begin && !m->message[0])
        m->message = "The Entry has ended. F9 starts it again.";
    if (b->booth.options->day && view->may_conclude) {
        m->may_begin = true;
        m->message =
            "The line was cut before its end was told. Is the session over? Then press F9.";
    }
    m->entry = b->options->program.command || b->lpp ? entry_lines_text(&b->lines) : "";
}

static void settle(uv_prepare_t *handle)
{
    struct entity_booth *b = handle->data;
    struct bl_time now = booth_now(&b->booth.clock);
    uint64_t due = BL_NEVER;
    if (b->booth.stage == STOPPED)
        return;
    if (now.mono_us >= entity_end_due(b->end))
        entity_end_tick(b->end, now);
    if (b->judge)
        entity_lpp_run(b->judge);
    give_keys(b);
    take_early(b, now);
    if (b->program)
        program_allow(b->program, b->lpp ? UINT_MAX : room(b));
    run_lpp(b);

    booth_sooner(&due, run_script(b, now));
    booth_sooner(&due, run_pace(b, now));
    if (b->judge)
        entity_lpp_run(b->judge); /* what the pace let go has its place at once */
    booth_sooner(&due, tell_more(b, &b->lost, NOTE_REFUSED, "so many more keys are lost", now));
    booth_sooner(&due, tell_more(b, &b->ignored, NOTE_IGNORED,
                                 "so many more characters that these rules do not have", now));
    booth_sooner(&due, run_stage(b, now));
    if (b->booth.stage == STOPPED)
        return;
    booth_sooner(&due, entity_end_due(b->end));
    booth_sooner(&due, booth_port_due(&b->port, now.mono_us));
    const struct entity_end_view *view = entity_end_view(b->end);
    if (b->booth.screen && view->cut_us != BL_NEVER && view->cut_us > now.mono_us &&
        view->segment == SEGMENT_OPEN) {
        booth_sooner(&due, now.mono_us + (view->cut_us - now.mono_us) % 1000000 + 1);
        b->booth.changed = true;
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
        screen_hold(b->booth.screen, view->session[0] && room(b) == 0);
    booth_show(&b->booth, now);
    bl_timer_set(&b->booth.timer, due);
}

/* An organiser's judge program instead of a line. */

/* An Entry of LPP has a folder of its own: in one it would read what it is to say. */
static bool is_one_folder(const struct entity_booth *b)
{
    struct stat own, judges;
    return b->options->lpp_folder && !is_boxed(b) && stat(b->options->lpp_folder, &own) == 0 &&
           stat(b->options->lpp_entry, &judges) == 0 && own.st_dev == judges.st_dev &&
           own.st_ino == judges.st_ino;
}

static enum bl_status open_judge(struct entity_booth *b, struct bl_diag *diag)
{
    const struct entity_lpp_options options = {.folder = b->options->lpp_entry,
                                               .state_dir = b->dir,
                                               .scan_ms = b->options->lpp_scan_ms,
                                               .starts = b->options->starts};
    if (is_one_folder(b))
        return bl_fail(
            diag, BL_USAGE,
            "--lpp and --lpp-entry are one folder: expected one of the Entry's own and one "
            "of the judge program's");
    return entity_lpp_open(&b->judge, &b->port, b->end, &options, diag);
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

/* An Entry that came with a manifest is the one that was handed in, or does not start. */
static enum bl_status check_manifest(struct entity_booth *b, struct bl_diag *diag)
{
    char folder[PATH_MAX], path[PATH_MAX + sizeof MANIFEST_NAME];
    unsigned files;
    const struct program_options *o = &b->options->program;
    if (!o->command || place_folder(o->place.folder, folder, NULL))
        return BL_OK; /* what is wrong with the folder is said where it is used */
    snprintf(path, sizeof path, "%s/" MANIFEST_NAME, folder);
    if (access(path, F_OK))
        return BL_OK;
    enum bl_status status = manifest_check(folder, &files, diag);
    if (!status)
        snprintf(b->handed_in, sizeof b->handed_in, "its folder is as it was handed in: %u files",
                 files);
    return status;
}

static enum bl_status open_all(struct entity_booth *b, struct bl_diag *diag)
{
    const struct booth_options *o = &b->options->booth;
    const struct link_handler handler = {on_link_state, on_link_record, on_link_progress,
                                         booth_port_taken};
    char path[PATH_MAX];
    enum bl_status status = program_prepare(&b->options->program, diag);
    if (!status)
        status = check_manifest(b, diag);
    if (!status)
        status = booth_journal_dir(o, b->dir, diag);
    if (!status && o->script)
        status = script_load(&b->booth.script, o->script, diag);
    if (!status && o->script && script_has_ballot(b->booth.script))
        status = bl_fail(diag, BL_DATA, "%s: a ballot is the judge's to give", o->script);
    if (!status && b->options->lpp_entry)
        status = open_judge(b, diag);
    if (!status && !is_boxed(b))
        status = open_lpp(b, diag);
    const char *session = b->judge && !o->session ? entity_lpp_session(b->judge) : o->session;
    if (!status && !(b->judge && !session[0]) &&
        !journal_find(b->dir, PARTY_ENTITY, session, path, NULL))
        status = open_journal(b, path, NULL, diag);
    if (!status && !b->judge)
        status = booth_port_open(&b->port, b->options->port, LINK_ENTITY, &handler, diag);
    if (!status)
        status = privilege_drop(diag); /* before an Entry is started */
    if (!status && b->options->program.command)
        status = start_program(b, diag);
    else if (!status)
        entity_end_ready(b->end);
    if (!status)
        be_alike(b);
    if (!status)
        status = booth_screen(&b->booth, "entity", on_key, on_command, diag);
    if (!status && b->judge)
        begin_judge(b);
    return status;
}

enum bl_status entity_booth_run(const struct entity_options *options, struct bl_diag *diag)
{
    struct entity_booth *b = calloc(1, sizeof *b);
    enum bl_status status;
    if (!b)
        return bl_fail(diag, BL_NOMEM, "no memory");
    b->options = options;
    struct pace_config pace = options->pace;
    if (options->program.strip_prompt && pace.hold_us < PACE_PROMPT_HOLD_MS * 1000)
        pace.hold_us = PACE_PROMPT_HOLD_MS * 1000;
    if (options->lpp_folder && pace.hold_us < options->lpp_scan_ms * 1000)
        pace.hold_us = options->lpp_scan_ms * 1000;
    pace_start(&b->pace, &pace, roll(b));
    b->waiting_us = BL_NEVER;
    b->alike = -1;
    if (options->limit)
        snprintf(b->limited, sizeof b->limited, "A referee limits what you may say: %s",
                 options->limit);
    struct end_ports ports = end_ports;
    if (options->lpp_entry)
        entity_lpp_ports(&ports);
    b->end = entity_end_create(&ports, &b->port, true);
    if (!b->end) {
        free(b);
        return bl_fail(diag, BL_NOMEM, "no memory for the record");
    }
    booth_init(&b->booth, &options->booth, fill_model);
    b->port.booth = &b->booth;
    status = open_all(b, diag);
    if (status)
        close_all(b);
    booth_run(&b->booth, settle);
    entity_end_destroy(b->end);
    booth_free(&b->booth);
    return status;
}
