#include "booth/booth_line.h"

#include "base/assert.h"
#include "booth/screens.h"
#include "booth/messages.h"
#include "booth/say.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#define GOODBYE_US   300000  /* time for the last acknowledgements when leaving */
#define ATTENTION_US 8000000 /* duration of a message on the screen */

static void on_timer(struct bl_timer *timer)
{
    (void)timer; /* settle() follows, before the next wait */
}

static void on_stop(void *ctx)
{
    booth_goodbye(ctx);
}

static void on_ignored(void *ctx)
{
    struct booth *b = ctx;
    b->ignored++;
    booth_note(b, b->active, NOTE_IGNORED, 1, "input that is no key");
}

static void on_disk_warning(void *ctx, const char *text)
{
    struct booth *b = ctx;
    booth_note(b, b->active, NOTE_DISK, 0, text);
    booth_say(b, text);
}

/* Called on a failed assertion. The record is already written. The process's end closes the line.
 * The screen is restored here. */
static void on_fault(void *ctx, const char *text)
{
    struct booth *b = ctx;
    booth_note(b, SIDE_LEFT, NOTE_OTHER, 0, text);
    screen_close(b->screen);
}

void booth_init(struct booth *b, const struct booth_options *options,
                void (*fill)(struct booth *booth, struct bl_time now))
{
    b->options = options;
    b->fill = fill;
    if (options->day) /* ends with the day's program, whose successor needs line and screen */
        prctl(PR_SET_PDEATHSIG, SIGTERM);
    booth_clock_init(&b->clock);
    b->start_us = b->clock.mono_us;
    b->changed = true;
    uv_loop_init(&b->loop);
    bl_timer_init(&b->loop, &b->timer, on_timer, b);
    bl_assert_last(on_fault, b);
    booth_signals_open(&b->signals, &b->loop, on_stop, b);
    uv_prepare_init(&b->loop, &b->prepare);
    b->prepare.data = b;
}

void booth_run(struct booth *b, uv_prepare_cb settle)
{
    if (b->stage != STOPPED)
        uv_prepare_start(&b->prepare, settle); /* started last, so settle() runs before the screen
                                                * draws */
    uv_run(&b->loop, UV_RUN_DEFAULT);
    uv_loop_close(&b->loop);
}

static void say_where(const struct booth *b, const char *record)
{
    if (record[0] && !b->options->day && isatty(STDOUT_FILENO))
        printf(say_the_record_is_boothlink_replay, record);
    fflush(stdout);
}

void booth_close(struct booth *b)
{
    if (b->stage == STOPPED)
        return;
    b->stage = STOPPED;
    bl_assert_last(NULL, NULL);
    char record[PATH_MAX] = "";
    if (b->journal)
        snprintf(record, sizeof record, "%s", journal_path(b->journal));
    bool was_shown = b->screen;
    if (was_shown)
        screen_close(b->screen);
    b->screen = NULL;
    journal_close(b->journal);
    b->journal = NULL;
    if (was_shown) /* after journal_close(), so the record is whole */
        say_where(b, record);
    bl_timer_close(&b->timer, NULL);
    booth_signals_close(&b->signals);
    uv_close((uv_handle_t *)&b->prepare, NULL);
}

void booth_free(struct booth *b)
{
    script_destroy(b->script);
    if (b->trace)
        fclose(b->trace);
    free(b);
}

void booth_show(struct booth *b, struct bl_time now)
{
    if (b->changed && b->screen) {
        b->fill(b, now);
        screen_dirty(b->screen, &b->model);
    }
    b->changed = false;
}

void booth_hold(struct booth *b, bool hold)
{
    if (hold != b->held)
        screen_hold(b->screen, hold);
    b->held = hold;
}

enum bl_status booth_screen(struct booth *b, const char *name,
                            void (*key)(void *ctx, uint32_t point),
                            void (*command)(void *ctx, enum screen_command command),
                            struct bl_diag *diag)
{
    const struct screen_options options = {.kiosk = b->options->kiosk,
                                           .leave = b->options->day,
                                           .small = b->options->small,
                                           .no_color = getenv("NO_COLOR") != NULL,
                                           .first = b->first};
    const struct screen_callbacks callbacks = {key, command, on_ignored, on_stop, b->kept};
    const struct screens_options which = {
        .screen = b->options->screen, .dir = b->options->journal_dir, .name = name};
    if (b->options->headless)
        return BL_OK;
    return screens_open(&b->screen, &b->loop, &which, &options, &callbacks, b, diag);
}

enum bl_status booth_journal(struct booth *b, struct journal *journal)
{
    bl_assert(!b->journal);
    enum bl_status status = journal_attach(journal, &b->loop, on_disk_warning, b);
    if (status) {
        journal_close(journal);
        return status;
    }
    b->journal = journal;
    for (unsigned i = 0; i < b->early_count; i++)
        booth_note(b, b->early[i].side, b->early[i].code, b->early[i].count, b->early[i].text);
    b->early_count = 0;
    return BL_OK;
}

void booth_say(struct booth *b, const char *text)
{
    snprintf(b->message, sizeof b->message, "%s", text);
    b->message_until_us = bl_mono_us() + ATTENTION_US;
    b->changed = true;
}

uint64_t booth_message_due(struct booth *b, uint64_t now_us)
{
    if (!b->message[0])
        return BL_NEVER;
    if (now_us < b->message_until_us)
        return b->message_until_us;
    b->changed = true;
    return BL_NEVER;
}

const char *booth_message(struct booth *b, uint64_t now_us)
{
    if (now_us >= b->message_until_us)
        b->message[0] = '\0';
    for (unsigned side = 0; side < b->model.sides; side++)
        if (b->model.side[side].steward_here)
            return message_called(b->message);
    return b->message;
}

void booth_note(struct booth *b, enum side side, enum note_code code, uint32_t count,
                const char *text)
{
    struct journal_record record = {.kind = JOURNAL_NOTE,
                                    .side = side,
                                    .wall_us = booth_now(&b->clock).wall_us,
                                    .as.note = {.code = code, .count = count, .text = text}};
    if (b->journal) {
        journal_append(b->journal, &record);
    } else if (b->early_count < BOOTH_EARLY_NOTES) {
        unsigned at = b->early_count++;
        b->early[at].side = side;
        b->early[at].code = code;
        b->early[at].count = count;
        snprintf(b->early[at].text, sizeof b->early[at].text, "%s", text);
    }
}

void booth_goodbye(struct booth *b)
{
    uint64_t due_us = bl_mono_us() + GOODBYE_US;
    if (b->stage == SAYING_GOODBYE && due_us < b->stage_due_us)
        b->stage_due_us = due_us;
    if (b->stage == RUNNING || b->stage == ENDING) {
        b->stage = SAYING_GOODBYE;
        b->stage_due_us = due_us;
    }
}

static const char *key_file_of(const struct booth_options *options, enum side side)
{
    return options->side_key_file[side] ? options->side_key_file[side] : options->key_file;
}

static bool is_ether(const char *address)
{
    return strncmp(address, "ether:", 6) == 0;
}

bool booth_line_is_listened(const struct booth_options *options, enum side side,
                            const char *address)
{
    return key_file_of(options, side) ? options->referee != NULL : is_ether(address);
}

enum bl_status booth_line_open(struct booth_line *line, const char *address, enum link_role role,
                               const struct link_callbacks *callbacks, struct bl_diag *diag)
{
    struct booth *b = line->booth;
    bl_assert(!line->link);
    const char *path = key_file_of(b->options, line->side);
    struct line_secret secret;
    uint8_t referee[SECURE_KEY];
    const struct link_options options = {.role = role,
                                         .rtscts = b->options->rtscts,
                                         .secret = path ? secret.secret : NULL,
                                         .referee = b->options->referee ? referee : NULL,
                                         .insecure = b->options->insecure ||
                                                     b->options->side_insecure[line->side],
                                         .answers_by_chance = role == LINK_ENTITY};
    enum bl_status status = booth_secret(&secret, path, diag);
    if (!status && b->options->referee)
        status = key_referee_public(referee, b->options->referee, diag);
    if (!status)
        status = link_open(&line->link, &b->loop, address, &options, callbacks, line, diag);
    secret_wipe(&secret);
    line->insecure = !path && is_ether(address);
    if (status || b->trace || !b->options->trace)
        return status;
    b->trace = fopen(b->options->trace, "ae");
    if (!b->trace)
        return bl_fail(diag, BL_NOPERM, say_fail_trace, b->options->trace, strerror(errno));
    setvbuf(b->trace, NULL, _IOLBF, 0); /* so a reader of the growing file sees each frame at
                                         * once */
    link_trace(line->link, b->trace);
    return BL_OK;
}

/* The reason as shown on the screen. called: the reader has called the steward. */
static const char *shown(const struct booth_line *line, const char *reason, bool called)
{
    if (!line->hidden || !line->link)
        return reason;
    if (strncmp(reason, LINK_WAITING, strlen(LINK_WAITING)) == 0)
        return LINK_WAITING;
    return !link_port_failed(line->link) ? reason
           : called                      ? say_this_machine_cannot_use_its_called
                                         : say_this_machine_cannot_use_its;
}

static void note_line(void *ctx, uint32_t count, const char *text)
{
    const struct booth_line *line = ctx;
    booth_note(line->booth, line->side, NOTE_LINE, count, text);
}

bool booth_line_state(struct booth_line *line, enum link_state state, const char *reason)
{
    line->booth->changed = true;
    line->notes.note = note_line;
    line->notes.ctx = line;
    enum line_change change = line_notes_state(&line->notes, state, reason, bl_mono_us());
    line->up = line->notes.up;
    if (change == LINE_BESIDE)
        booth_say(line->booth, shown(line, reason, false));
    return change == LINE_CHANGED;
}

uint64_t booth_line_due(struct booth_line *line, uint64_t now_us)
{
    return line_notes_due(&line->notes, now_us);
}

void booth_line_draw(void *ctx)
{
    struct booth *b = ((struct booth_line *)ctx)->booth;
    if (!b->changed || !b->screen)
        return;
    b->fill(b, booth_now(&b->clock));
    screen_draw(b->screen, &b->model);
    b->changed = false;
}

enum reach booth_line_reach(const struct booth_line *line, enum sync_state sync)
{
    struct link_stats stats;
    if (sync == SYNC_DIFFERS)
        return REACH_NO;
    if (!line->link || line->up)
        return sync == SYNC_LIVE ? REACH_YES : REACH_CONNECTING;
    /* The link connects again by itself. A person in conversation must still see the loss. */
    link_stats(line->link, &stats);
    return stats.connections || link_state(line->link) == LINK_DOWN ? REACH_NO : REACH_CONNECTING;
}

static const char *reason(const struct booth_line *line, enum sync_state sync, bool called)
{
    if (sync == SYNC_DIFFERS)
        return called ? say_the_records_of_the_two_called : say_the_records_of_the_two;
    if (!line->link)
        return "";
    return line->up ? say_the_two_ends_compare_their : link_reason(line->link);
}

void booth_line_show(const struct booth_line *line, enum sync_state sync, struct screen_side *side)
{
    side->insecure = line->insecure;
    side->reach = booth_line_reach(line, sync);
    side->reason = shown(line, reason(line, sync, side->steward_here), side->steward_here);
}

static void on_unkept(void *ctx)
{
    booth_say(((struct booth_line *)ctx)->booth, say_the_record_cannot_be_written);
}

struct end_callbacks booth_line_callbacks(struct booth_line *line)
{
    return (struct end_callbacks){.journal = &line->booth->journal,
                                  .link = &line->link,
                                  .keep = journal_keep,
                                  .send = link_send_express,
                                  .send_later = link_send_bulk,
                                  .sent = link_sent_express,
                                  .acked = link_acked_express,
                                  .changed = &line->booth->changed,
                                  .unkept = on_unkept};
}
