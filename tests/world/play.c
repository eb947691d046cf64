#include "play.h"

#include "alone.h"
#include "oracles.h"

#include <stdio.h>
#include <string.h>

#define CPU_MOST_S 30 /* a session takes hundredths of a second, with a sanitizer more */

/* What the seed decides of the session itself. */
static void draw_setup(const struct play *play, struct scene_setup *setup, char plan[200])
{
    struct dice dice = dice_make(play->seed * 31 + 7);
    unsigned n = play->seconds ? play->seconds : 20;
    *setup = (struct scene_setup){.seed = play->seed,
                                  .plan = plan,
                                  .typists = true,
                                  .controller = play->controller,
                                  .secret = play->secret};
    switch (dice_below(&dice, 4)) {
    case 0:
        snprintf(plan, 200, "%u left,%u right", n, n);
        break;
    case 1:
        snprintf(plan, 200, "%u left,%u right,%u both,1 review", n, n, n);
        break;
    case 2:
        snprintf(plan, 200, "%u both,3 change,%u left", n, n);
        break;
    default:
        snprintf(plan, 200, "%u both", 2 * n);
    }
    setup->starts = dice_below(&dice, 2) ? STARTS_EITHER : STARTS_JUDGE;
    setup->begin_by_key = dice_below(&dice, 2);
    setup->baud = dice_below(&dice, 5) ? 115200 : 9600;
    setup->typing_ms = dice_below(&dice, 3) ? 150 : 600;
}

static uint64_t span_us(const struct play *play)
{
    return (play->seconds ? play->seconds : 20) * 3 * SECOND;
}

unsigned play_mishaps(const struct play *play, struct mishap mishap[MISHAPS])
{
    return mishaps_draw(mishap, dice_make(play->seed * 37 + 11), play->faults, span_us(play),
                        play->controller);
}

void play_here(const struct play *play, struct play_result *result)
{
    struct mishap mishap[MISHAPS];
    struct scene_setup setup;
    char plan[200];
    memset(result, 0, sizeof *result);
    draw_setup(play, &setup, plan);
    struct scene *s = scene_begin(&setup);
    world_log(NULL, "the plan: %s", plan);
    result->mishaps = play_mishaps(play, mishap);
    mishaps_begin(s, mishap, result->mishaps, play->only);
    while (world_now() < span_us(play) + 10 * SECOND && !scene_is_over(s) &&
           !oracle_found(s->oracle))
        scene_pass(s, SECOND);
    mishaps_end(s);
    if (!oracle_found(s->oracle))
        scene_wait(s, scene_is_over);
    result->differences = oracle_differences(s->oracle);
    result->us = world_now();
    result->hash = world_hash();
    for (unsigned side = 0; side < SIDES; side++)
        result->keys += oracle_order(s->oracle, JUDGE, (enum side)side)->count;
    snprintf(result->wrong, sizeof result->wrong, "%s", scene_end(s));
}

static void run(const void *play, void *result)
{
    play_here(play, result);
}

void play_apart(const struct play *play, struct play_result *result)
{
    world_apart(run, play, result, sizeof *result, CPU_MOST_S);
}
