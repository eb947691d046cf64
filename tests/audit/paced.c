/* Plays a conversation through the pacing of an entity's end, in simulated time.
 *
 *   paced PACE SEED      PACE as a ticket has it; "own" for none
 *
 * Standard input has a line "US PARTY POINT" for each key that was pressed, in order: PARTY is j or
 * e, POINT hexadecimal. A line "US . 0" ends a conversation. Standard output has "US POINT" for
 * each key of the entity as it comes to the judge's page, and "." at each end; a message that the
 * end leaves waiting comes when its silence is over. */
#include "entity/pace.h"

#include "base/time.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_US   1500u /* from a key's going to its place */
#define KEYS_MAX  8192
#define LATEST_US (UINT64_C(3600) * 1000000u) /* beyond the last key: nothing waits so long */

static struct {
    struct pace pace;
    uint32_t point[KEYS_MAX];
    struct pressed_key key[KEYS_MAX];
    size_t first, count; /* of those that wait */
    uint64_t now_us, pressed, placed, place_us;
    uint32_t under_way; /* the key that went and has no place yet; 0: none */
} end;

static uint32_t roll(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 32);
}

static struct pace_queue queue(void)
{
    return (struct pace_queue){
        .point = end.point + end.first, .key = end.key + end.first, .count = end.count};
}

/* The next thing that happens by itself: a key gets its place, or one goes. */
static uint64_t next_us(void)
{
    struct pace_queue waiting = queue();
    return end.under_way ? end.place_us : pace_due(&end.pace, &waiting, end.now_us);
}

/* Time goes by until then. */
static void advance(uint64_t until_us, uint64_t *dice)
{
    for (uint64_t next; (next = next_us()) <= until_us;) {
        struct pace_queue waiting = queue();
        end.now_us = next;
        if (end.under_way) {
            printf("%" PRIu64 " %x\n", next, end.under_way);
            end.under_way = 0;
            end.placed++;
        } else {
            pace_went(&end.pace, &waiting, next, roll(dice));
            end.under_way = end.point[end.first++];
            end.count--;
            end.place_us = next + LINE_US;
        }
        pace_line(&end.pace, true, end.placed, end.under_way != 0, next);
    }
    end.now_us = until_us;
}

/* As the booth does: a BackSpace in a message that nobody has seen takes a key out of it. */
static void press(uint32_t point, uint64_t now_us)
{
    struct pace_queue waiting = queue();
    if (point == KEY_BACKSPACE && pace_erases(&end.pace, &waiting)) {
        end.count--;
        return;
    }
    if (end.first + end.count == KEYS_MAX) {
        fprintf(stderr, "paced: too many keys\n");
        exit(65);
    }
    end.point[end.first + end.count] = point;
    end.key[end.first + end.count] = (struct pressed_key){.k = ++end.pressed, .pressed_us = now_us};
    end.count++;
}

static void begin(const struct pace_config *config, uint64_t *dice)
{
    memset(&end, 0, sizeof end);
    pace_start(&end.pace, config, roll(dice));
    pace_line(&end.pace, true, 0, 0, 0);
}

int main(int argc, char **argv)
{
    struct pace_config config = {.mode = PACE_OWN};
    struct bl_diag diag = {""};
    uint64_t dice, us;
    char party;
    unsigned point;
    if (argc != 3 ||
        (strcmp(argv[1], "own") != 0 && pace_parse(&config, argv[1], &diag) != BL_OK)) {
        fprintf(stderr, "paced: expected PACE SEED %s\n", diag.text);
        return 64;
    }
    dice = strtoull(argv[2], NULL, 10);
    begin(&config, &dice);
    while (scanf("%" SCNu64 " %c %x", &us, &party, &point) == 3) {
        advance(us, &dice);
        if (party == '.') {
            advance(us + LATEST_US, &dice);
            puts(".");
            begin(&config, &dice);
        } else if (party == 'e') {
            press(point, us);
            advance(us, &dice);
        } else if (point == KEY_RETURN) {
            pace_asked(&end.pace, us);
        }
    }
    return 0;
}
