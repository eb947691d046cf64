/* Any bytes as a host's at the watchdog's core. The first byte chooses the state it is in; what
 * must hold: no line closes that the plan does not close, no time grows, and what the codec reads
 * it can write again. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/core/watchdog.h"
#include "sim/chip/chip.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(bool held, const char *what)
{
    if (held)
        return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static struct chip *chip;

static void say(const char *body)
{
    char text[100];
    uint8_t sum = 0;

    for (const char *at = body; *at; at++)
        sum ^= (uint8_t)*at;
    snprintf(text, sizeof(text), "$%s*%02X\r\n", body, sum);
    chip_send(chip, text, strlen(text));
    chip_run(chip, CHIP_MS(chip, 200));
}

/* What the core sends must be a sentence. */
static struct sentence_reader answers;

static void hear(void *user, uint8_t byte)
{
    enum sentence_result result = sentence_feed(&answers, (char)byte);

    (void)user;
    demand(result == SENTENCE_MORE || result == SENTENCE_READY, "the core sent no sentence");
    if (result == SENTENCE_READY)
        demand(answers.type != SAY_COUNT, "the core sent an unknown sentence");
}

static uint32_t left(void)
{
    unsigned at = chip_watchdog(chip) + offsetof(struct watchdog, left);
    uint32_t value = 0;

    for (unsigned i = 4; i > 0; i--)
        value = value << 8 | chip_ram(chip, at + i - 1);
    return value;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned lines = 0;
    uint32_t before;

    if (size < 2)
        return 0;
    chip = chip_create("", 1);
    answers = (struct sentence_reader){.length = 0};
    chip_on_byte(chip, hear, NULL);
    if (data[0] & 1)
        say("BLHEL,0001");
    if (data[0] & 2) {
        say("BLPLN,0001,1,0,60");
        say("BLSEG,0001,0,3600,1,0");
        say("BLFIX,0001");
        chip_run(chip, CHIP_MS(chip, 600));
    }
    if (data[0] & 4) {
        say("BLRUN,0001,0");
        lines = SEGMENT_A;
    }
    before = left();
    for (size_t at = 1; at < size && at < 4000; at += 20) {
        chip_send(chip, data + at, size - at < 20 ? size - at : 20);
        chip_run(chip, CHIP_MS(chip, 10));
        if ((data[0] & 7) == 7) {
            demand(!chip_closed(chip, 1) && (lines || !chip_closed(chip, 0)), "a line is closed");
            demand(left() <= before, "time has grown");
            before = left();
        }
    }
    demand(chip_resets(chip) == 1, "a reset");
    chip_destroy(chip);
    return 0;
}
