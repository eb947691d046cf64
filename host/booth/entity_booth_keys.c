#include "booth/entity_booth_private.h"

#include <sodium.h>

/* The time after which a key without a place is shown as waiting. */
#define WAITING_US 100000

/* The limit of notes about lost keys or ignored characters. */
#define LOST_BURST    3
#define LOST_EVERY_US UINT64_C(10000000)

static struct pace_queue queue_of(const struct entity_end_held *held)
{
    return (struct pace_queue){.point = held->point, .key = held->key, .count = held->count};
}

uint32_t entity_booth_roll(struct entity_booth *b)
{
    if (b->dice_left == 0) {
        randombytes_buf(b->dice, sizeof b->dice);
        b->dice_left = sizeof b->dice / sizeof b->dice[0];
    }
    return b->dice[--b->dice_left];
}

/* Once the line is live, restarts the delay after a Return of the judge, which an earlier process
 * may have left unanswered. */
static void take_up(struct entity_booth *b, struct bl_time now)
{
    const struct sequence *sequence = b->order;
    if (b->taken_up || !b->view->may_go)
        return;
    b->taken_up = true;
    for (uint64_t n = sequence->count; n && sequence->event[n - 1].party == PARTY_JUDGE; n--)
        if (sequence->event[n - 1].point == KEY_RETURN)
            pace_asked(&b->pace, now.wall_us);
}

uint64_t entity_booth_pace(struct entity_booth *b, struct bl_time now)
{
    take_up(b, now);
    for (;;) {
        struct pace_queue queue = queue_of(&b->view->held);
        pace_line(&b->pace, b->view->may_go, b->order->by[PARTY_ENTITY], b->view->held.under_way,
                  now.wall_us);
        uint64_t due_us = pace_due(&b->pace, &queue, now.wall_us);
        if (due_us > now.wall_us)
            return due_us == BL_NEVER ? BL_NEVER : now.mono_us + (due_us - now.wall_us);
        pace_went(&b->pace, &queue, now.wall_us, entity_booth_roll(b));
        entity_end_release(b->end, now);
    }
}

static void lose_key(struct entity_booth *b, uint32_t point, enum key_answer answer,
                     struct bl_time now)
{
    char text[KEY_REFUSED_TEXT] = "a key is lost: as many wait for the line as there is room for";
    if (answer == KEY_REFUSED_LONG || answer == KEY_REFUSED_TURN)
        key_refused_text(text, end_typing_note(answer), &point, 1);
    else
        b->lost_keys++;
    if (answer == KEY_REFUSED_CLOSED)
        key_refused_text(text, "refused, after the end: ", &point, 1);
    if (limit_pass(&b->lost, now.mono_us, LOST_BURST, LOST_EVERY_US))
        booth_note(&b->booth, SIDE_LEFT, NOTE_REFUSED, 1, text);
}

uint64_t entity_booth_tell_more(struct entity_booth *b, struct limit *limit, enum note_code code,
                                const char *text, struct bl_time now)
{
    uint32_t held = limit_take(limit, now.mono_us, LOST_BURST, LOST_EVERY_US);
    if (held)
        booth_note(&b->booth, SIDE_LEFT, code, held, text);
    return limit_due(limit, LOST_BURST, LOST_EVERY_US);
}

bool entity_booth_has(struct entity_booth *b, uint32_t point, struct bl_time now)
{
    if (characters_have(b->options->characters, point))
        return true;
    b->booth.ignored++;
    if (limit_pass(&b->ignored, now.mono_us, LOST_BURST, LOST_EVERY_US))
        booth_note(&b->booth, SIDE_LEFT, NOTE_IGNORED, 1,
                   "a character that these rules do not have");
    return false;
}

/* A key is usually placed after one round trip, and is drawn then. A key drawn as waiting would
 * blink, and its drawing would delay its placing. */
static void draw_later(struct entity_booth *b, bool changed, struct bl_time now)
{
    const struct entity_end_view *view = b->view;
    if (!b->booth.screen || view->held.count || booth_line_reach(&b->line, view->sync) != REACH_YES)
        return;
    b->booth.changed = changed;
    if (b->waiting_us == BL_NEVER)
        b->waiting_us = now.mono_us + WAITING_US;
}

/* With a hold time, keys of an Entry of LPP may be dated by the clock of files (lpp.c), so all keys
 * are dated as coarsely. */
static void take_coarse(struct entity_booth *b, struct bl_time *pressed)
{
    if (b->pace.config.hold_us == 0 || (b->speaker && speaker_scans(b->speaker)))
        return;
    uint64_t chance_us = ((uint64_t)entity_booth_roll(b) * b->file_step_us) >> 32;
    uint64_t before_us = pressed->wall_us % b->file_step_us + chance_us;
    pressed->wall_us -= before_us;
    pressed->mono_us -= before_us;
}

static enum key_answer press(struct entity_booth *b, uint32_t point, struct bl_time pressed,
                             struct bl_time now)
{
    take_coarse(b, &pressed);
    bool changed = b->booth.changed;
    struct pace_queue queue = queue_of(&b->view->held);
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
    entity_booth_pace(b, now);
    draw_later(b, changed, now);
    return answer;
}

void entity_booth_take_early(struct entity_booth *b, struct bl_time now)
{
    while (b->early.count && b->view->session[0]) {
        uint32_t point = *key_queue_at(&b->early);
        key_queue_drop(&b->early, 1);
        press(b, point, now, now);
    }
}

enum key_answer entity_booth_press(struct entity_booth *b, uint32_t point, struct bl_time pressed,
                                   struct bl_time now)
{
    entity_booth_take_early(b, now); /* a record may have been opened in this turn of the loop */
    return press(b, point, pressed, now);
}

/* True if an Entry's keys may wait at their source when the queue is full: with pace `own`, while
 * the line carries keys. Otherwise keys without room are lost. */
static bool may_wait(const struct entity_booth *b)
{
    return b->pace.config.mode == PACE_OWN && b->view->may_go;
}

unsigned entity_booth_room(struct entity_booth *b)
{
    const struct entity_end_view *view = b->view;
    if (!view->session[0])
        return 0;
    if (!may_wait(b))
        return UINT_MAX;
    return view->pending_count > KEY_QUEUE_MAX - SCREEN_BURST ? 0 : SCREEN_BURST;
}

/* Takes an Entry's key. An Entry's message that begins out of turn is dropped as a whole. */
static enum key_answer take_in_turn(struct entity_booth *b, uint32_t point, struct bl_time pressed,
                                    struct bl_time now)
{
    enum key_answer answer = KEY_REFUSED_TURN;
    if (b->spoilt)
        lose_key(b, point, answer, now);
    else
        answer = entity_booth_press(b, point, pressed, now);
    b->spoilt = answer == KEY_REFUSED_TURN && point != KEY_RETURN;
    return answer;
}

enum handed entity_booth_take(struct entity_booth *b, uint32_t point, uint64_t pressed_us)
{
    struct bl_time now = booth_now(&b->booth.clock), pressed = now;
    if (pressed_us < now.mono_us) {
        pressed.mono_us = pressed_us;
        pressed.wall_us -= now.mono_us - pressed_us;
    }
    return entity_booth_has(b, point, now) && take_in_turn(b, point, pressed, now) == KEY_TAKEN
               ? HANDED_ON
               : HANDED_LOST;
}
