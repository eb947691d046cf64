#include "booth/replaying.h"

#include "base/loop.h"
#include "booth/viewing.h"
#include "screen/past.h"
#include "transcript/iso.h"
#include "transcript/player.h"
#include "transcript/words.h"
#include "booth/messages.h"

#include <inttypes.h>
#include <stdlib.h>

#define SECOND_US 1000000u
#define STEP_US   (10u * SECOND_US)
#define LEAP_US   (60u * SECOND_US)

struct replay {
    const struct replay_options *options;
    const struct history *history;
    struct player *player;
    struct viewing viewing;
    bool blind;
    struct past past;
    enum side shown[SIDES]; /* side of each column of the screen */
    char status[200];
    char who[SIDES][HISTORY_TEXT + 16];
};

static void write_clock(char text[16], uint64_t us)
{
    uint64_t second = us / SECOND_US;
    snprintf(text, 16, "%02" PRIu64 ":%02" PRIu64 ":%02" PRIu64, second / 3600 % 100,
             second / 60 % 60, second % 60);
}

static void write_speed(char text[16], unsigned hundredths)
{
    if (hundredths % 100)
        snprintf(text, 16, "%u.%02ux", hundredths / 100, hundredths % 100);
    else
        snprintf(text, 16, "%ux", hundredths / 100);
}

/* Names the person or program on a side, as the file has it. */
static void name_side(struct replay *r, const struct player_view *view, enum side side)
{
    char *who = r->who[side];
    const struct history_part *part =
        view->part < r->history->parts ? &r->history->part[view->part] : NULL;
    bool human = part && (part->left == WHO_HUMAN) == (side == SIDE_LEFT);
    if (r->blind)
        snprintf(who, sizeof r->who[0], say_hidden);
    else if (!part || part->left == WHO_UNKNOWN)
        snprintf(who, sizeof r->who[0], say_not_known_who);
    else if (human)
        snprintf(who, sizeof r->who[0], say_human, part->human[0] ? " " : "", part->human);
    else
        snprintf(who, sizeof r->who[0], say_program, part->program);
}

static void write_status(struct replay *r, const struct player_view *view)
{
    char at[16], length[16], speed[16], wall[ISO_LENGTH + 1], part[64] = "";
    write_clock(at, view->at_us);
    write_clock(length, view->length_us);
    write_speed(speed, view->speed);
    iso_write(view->wall_us, wall);
    if (r->history->parts > 1)
        snprintf(part, sizeof part, say_replayed_part, view->part + 1, r->history->parts);
    snprintf(r->status, sizeof r->status, say_replay_status,
             view->ended    ? say_the_end
             : view->paused ? say_replay_paused
                            : say_replay_playing,
             speed, at, length, wall, wall + 11, part);
}

static void fill_model(struct replay *r, struct screen_model *m, uint64_t now_us)
{
    struct player_view view;
    player_view(r->player, now_us, &view);
    write_status(r, &view);
    m->role = PARTY_JUDGE;
    m->sides = 0;
    m->segment = r->status;
    m->remaining_us = UINT64_MAX;
    m->message = "";
    m->entry = "";
    m->past = &r->past;
    r->past.paused = view.paused || view.ended;
    for (enum side side = 0; side < SIDES; side++) {
        struct screen_side *shown = &m->side[m->sides];
        /* A side has a column if it has a key. Without any key the left side has one. */
        if (!view.used[side] && (view.used[SIDE_LEFT] || side == SIDE_RIGHT))
            continue;
        name_side(r, &view, side);
        r->past.who[m->sides] = r->who[side];
        r->shown[m->sides++] = side;
        *shown = (struct screen_side){.page = view.page[side],
                                      .title = side == SIDE_LEFT ? say_left : say_right,
                                      .reach = REACH_YES,
                                      .reason = "",
                                      .state = ""};
    }
}

static uint64_t look(void *ctx, struct screen_model *model, uint64_t now_us)
{
    struct replay *r = ctx;
    uint64_t due_us;
    player_run(r->player, now_us);
    due_us = player_due(r->player);
    if (due_us != BL_NEVER && due_us > now_us + SECOND_US)
        due_us = now_us + SECOND_US;
    fill_model(r, model, now_us);
    return due_us;
}

static void seek(struct replay *r, int64_t by_us)
{
    uint64_t now_us = bl_mono_us();
    struct player_view view;
    player_view(r->player, now_us, &view);
    if (by_us < 0 && view.at_us < (uint64_t)-by_us)
        by_us = -(int64_t)view.at_us;
    player_seek(r->player, view.at_us + (uint64_t)by_us, now_us);
}

static void on_character(struct replay *r, uint32_t point)
{
    uint64_t now_us = bl_mono_us();
    struct player_view view;
    player_view(r->player, now_us, &view);
    switch (point) {
    case ' ':
        player_pause(r->player, !view.paused, now_us);
        break;
    case '+':
    case '=':
        player_speed(r->player, player_faster(view.speed), now_us);
        break;
    case '-':
        player_speed(r->player, player_slower(view.speed), now_us);
        break;
    case ',':
    case '<':
        seek(r, -(int64_t)LEAP_US);
        break;
    case '.':
    case '>':
        seek(r, LEAP_US);
        break;
    case 'b':
        player_seek(r->player, 0, now_us);
        break;
    case 'e':
        player_seek(r->player, UINT64_MAX, now_us);
        break;
    case 'n':
        player_next(r->player, now_us);
        break;
    case 'w':
        r->blind = !r->blind;
        break;
    default:
        break;
    }
}

/* Takes the player's keys; leaves the keys of paging to the screen. */
static bool on_first(void *ctx, enum input_what what, uint32_t point)
{
    struct replay *r = ctx;
    switch (what) {
    case INPUT_PAGE_UP:
    case INPUT_PAGE_DOWN:
    case INPUT_HOME:
    case INPUT_END:
    case INPUT_REDRAW:
        return false;
    case INPUT_LEFT:
        seek(r, -(int64_t)STEP_US);
        break;
    case INPUT_RIGHT:
        seek(r, STEP_US);
        break;
    case INPUT_F10:
        viewing_stop(&r->viewing);
        return true;
    default:
        if (what == INPUT_POINT && (point == 'q' || point == 0x03)) {
            viewing_stop(&r->viewing);
            return true;
        }
        if (what == INPUT_POINT)
            on_character(r, point);
        break;
    }
    viewing_look(&r->viewing);
    return true;
}

static const struct viewing_callbacks callbacks = {.first = on_first, .look = look};

/* Prints the digests of the pages at the end, or at the requested time. */
static void report(const struct replay *r, const struct transcript_source *source)
{
    struct player_view view;
    json_t *json = r->options->json ? json_object() : NULL;
    player_view(r->player, 0, &view);
    if (json) {
        json_object_set_new(json, "format", json_string(transcript_source_format(source)));
        json_object_set_new(json, "keys", json_integer((json_int_t)view.keys));
        json_object_set_new(json, "of", json_integer((json_int_t)r->history->keys));
        json_object_set_new(json, "at_us", json_integer((json_int_t)view.at_us));
        json_object_set_new(json, "length_us", json_integer((json_int_t)view.length_us));
        json_object_set_new(json, "part", json_integer((json_int_t)view.part + 1));
    } else {
        printf(say_keys_replayed, view.keys, r->history->keys, BL_S(r->history->keys));
    }
    for (enum side side = 0; side < SIDES; side++) {
        char digest[2 * DIGEST_SIZE + 1];
        booth_digest(view.page[side], digest);
        if (json)
            json_object_set_new(json, words_side(side), json_string(digest));
        else
            printf("%s %s\n", words_side(side), digest);
    }
    if (json) {
        json_dumpf(json, stdout, JSON_PRESERVE_ORDER | JSON_COMPACT);
        putchar('\n');
        json_decref(json);
    }
}

enum bl_status replaying_run(const struct replay_options *options, struct bl_diag *diag)
{
    struct transcript_source source = {.is_journal = false};
    struct replay *r = calloc(1, sizeof *r);
    const struct screens_options which = {.screen = options->screen, .name = "replay"};
    struct style style;
    enum bl_status status = r ? transcript_source_open(&source, &options->request, diag)
                              : bl_fail(diag, BL_NOMEM, "%s", bl_status_text(BL_NOMEM));
    if (status == BL_OK) {
        style_begin(&style, STYLE_SPLIT, history_sides(&source.history));
        if (source.is_journal)
            style = source.journal.transcript.style;
        r->options = options;
        r->history = &source.history;
        r->blind = options->blind;
        r->player = player_create(&source.history, &style);
        if (!r->player)
            status = bl_fail(diag, BL_NOMEM, "%s", bl_status_text(BL_NOMEM));
    }
    if (status == BL_OK) {
        player_speed(r->player, options->speed, 0);
        player_seek(r->player, options->at_end && options->headless ? UINT64_MAX : options->at_us,
                    0);
        if (options->headless)
            report(r, &source);
        else {
            player_pause(r->player, options->paused, bl_mono_us());
            status = viewing_run(&r->viewing, &which, false, false, &callbacks, r, diag);
        }
    }
    if (status == BL_OK && source.history.damaged)
        fprintf(stderr, say_the_transcript_is_damaged, options->request.file);
    if (r)
        player_destroy(r->player);
    free(r);
    transcript_source_close(&source);
    return status;
}
