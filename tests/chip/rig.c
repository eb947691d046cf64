#include "tests/chip/rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BEAT_MS 500
#define STEP_MS 4

static uint32_t number(struct rig *rig)
{
    uint32_t value = 0;

    if (!sentence_number(&rig->reader, 999999999, &value))
        rig->damaged++;
    return value;
}

static void take_event(struct rig *rig)
{
    struct rig_event *event = &rig->event[rig->events++ % RIG_EVENTS];

    event->what = sentence_word(&rig->reader);
    event->segment = number(rig);
    event->left_ms = number(rig);
    event->at = chip_now(rig->chip);
    if (event->what == SAY_READY)
        rig->answers++;
}

static void take(struct rig *rig)
{
    struct sentence_reader *reader = &rig->reader;
    char board[16];

    if (reader->type == SAY_EVT) {
        take_event(rig);
        return;
    }
    rig->answer = (enum sentence_word)reader->type;
    rig->asked = rig->why = SAY_COUNT;
    switch (rig->answer) {
    case SAY_ACK:
        rig->asked = sentence_word(reader);
        break;
    case SAY_NAK:
        rig->asked = sentence_word(reader);
        rig->why = sentence_word(reader);
        break;
    case SAY_STA:
        rig->state = sentence_word(reader);
        rig->segment = number(rig);
        rig->left_ms = number(rig);
        rig->budget_ms = number(rig);
        rig->inputs = number(rig);
        rig->fault = sentence_word(reader);
        rig->clock_ms = number(rig);
        break;
    case SAY_HEL:
        number(rig);
        sentence_name(reader, board, sizeof(board));
        rig->reset = sentence_word(reader);
        rig->plan = number(rig);
        rig->calibration = number(rig);
        break;
    default:
        rig->damaged++;
    }
    if (!sentence_done(reader))
        rig->damaged++;
    rig->answers++;
}

static void byte_in(void *user, uint8_t byte)
{
    struct rig *rig = user;

    switch (sentence_feed(&rig->reader, (char)byte)) {
    case SENTENCE_READY:
        take(rig);
        break;
    case SENTENCE_MORE:
        break;
    default:
        rig->damaged++;
    }
}

void rig_open(struct rig *rig)
{
    char elf[512];

    snprintf(elf, sizeof(elf), "%s/firmware/%s/boothlink.elf",
             getenv("BUILD") ? getenv("BUILD") : "build", chip_kind.board);
    memset(rig, 0, sizeof(*rig));
    rig->nonce = RIG_NONCE;
    rig->chip = chip_create(elf, 1);
    assert_non_null(rig->chip);
    chip_on_byte(rig->chip, byte_in, rig);
    chip_run(rig->chip, CHIP_MS(rig->chip, 100));
}

unsigned rig_share(unsigned count)
{
    return chip_kind.slow && !getenv("SOAK") ? (count + 9) / 10 : count;
}

void rig_close(struct rig *rig)
{
    chip_destroy(rig->chip);
    rig->chip = NULL;
}

void rig_say(struct rig *rig, const char *type, const char *more)
{
    char body[128], text[160];
    uint8_t sum = 0;

    snprintf(body, sizeof(body), "BL%s,%04X%s%s", type, rig->nonce, more ? "," : "",
             more ? more : "");
    for (const char *at = body; *at; at++)
        sum ^= (uint8_t)*at;
    snprintf(text, sizeof(text), "$%s*%02X\r\n", body, sum);
    chip_send(rig->chip, text, strlen(text));
}

static void step(struct rig *rig, uint32_t ms)
{
    chip_run(rig->chip, CHIP_MS(rig->chip, ms));
    rig->since_ms += ms;
    if (rig->since_ms >= BEAT_MS) {
        rig->since_ms = 0;
        if (!rig->silent)
            rig_say(rig, "BEA", NULL);
    }
}

enum sentence_word rig_ask(struct rig *rig, const char *type, const char *more)
{
    unsigned before;

    chip_run(rig->chip, CHIP_MS(rig->chip, 40)); /* an answer to a beat may be on its way */
    before = rig->answers;
    rig_say(rig, type, more);
    for (int i = 0; i < 1000 && rig->answers == before; i++)
        chip_run(rig->chip, CHIP_MS(rig->chip, 1));
    assert_int_not_equal(rig->answers, before);
    return rig->why;
}

void rig_pass(struct rig *rig, uint32_t ms)
{
    while (ms > 0) {
        uint32_t part = BEAT_MS - rig->since_ms;

        if (part > ms)
            part = ms;
        step(rig, part);
        ms -= part;
    }
}

bool rig_wait(struct rig *rig, enum sentence_word what, uint32_t ms)
{
    unsigned seen = rig->events;

    for (uint32_t passed = 0; passed < ms; passed += STEP_MS) {
        step(rig, STEP_MS);
        for (; seen != rig->events; seen++) {
            if (rig->event[seen % RIG_EVENTS].what == what)
                return true;
        }
    }
    return false;
}

void rig_plan(struct rig *rig, const struct rig_segment *segment, unsigned count,
              unsigned connect_s, unsigned budget_s)
{
    char text[64];

    assert_int_equal(rig_ask(rig, "HEL", NULL), SAY_COUNT);
    snprintf(text, sizeof(text), "%u,%u,%u", count, connect_s, budget_s);
    assert_int_equal(rig_ask(rig, "PLN", text), SAY_COUNT);
    for (unsigned i = 0; i < count; i++) {
        snprintf(text, sizeof(text), "%u,%u,%u,%u", i, segment[i].seconds, segment[i].flags,
                 segment[i].warn);
        assert_int_equal(rig_ask(rig, "SEG", text), SAY_COUNT);
    }
    assert_int_equal(rig_ask(rig, "FIX", NULL), SAY_COUNT);
    assert_int_equal(rig_ask(rig, "BEA", NULL), SAY_COUNT);
    assert_int_equal(rig->state, SAY_READY);
}

void rig_run(struct rig *rig)
{
    char text[8];

    snprintf(text, sizeof(text), "%u", rig->segment);
    assert_int_equal(rig_ask(rig, "RUN", text), SAY_COUNT);
    assert_true(rig_wait(rig, SAY_CONNECT, 1000));
}

uint32_t rig_left_ms(const struct rig *rig)
{
    unsigned at = chip_watchdog(rig->chip) + offsetof(struct watchdog, left);
    uint32_t left = 0;

    for (unsigned i = 4; i > 0; i--)
        left = left << 8 | chip_ram(rig->chip, at + i - 1);
    return left * WATCHDOG_TICK_MS;
}

bool rig_run_to_drive(struct rig *rig, uint32_t ms)
{
    return chip_run_to_change(rig->chip,
                              chip_watchdog(rig->chip) + offsetof(struct watchdog, drive),
                              CHIP_MS(rig->chip, ms));
}

bool rig_run_to_tick(struct rig *rig, uint32_t ms)
{
    return chip_run_to_change(rig->chip, chip_watchdog(rig->chip) + offsetof(struct watchdog, left),
                              CHIP_MS(rig->chip, ms));
}

unsigned rig_closed(struct rig *rig)
{
    return (chip_closed(rig->chip, 0) ? SEGMENT_A : 0) |
           (chip_closed(rig->chip, 1) ? SEGMENT_B : 0);
}
