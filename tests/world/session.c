/* Plays sessions of one booth in the world, by their seeds:
 *
 *     session --seed N [--count N] [--controller] [--secret] [--seconds S] [--faults N]
 *             [--only 0,3] [--log] [--shrink] [--first] [--hash] */
#include "play.h"
#include "seeds.h"

#include <stdio.h>
#include <stdlib.h>

static struct play wish;

static bool take(int letter, const char *value)
{
    wish.controller = wish.controller || letter == 'c';
    wish.secret = wish.secret || letter == 'e';
    if (letter == 't')
        wish.seconds = (unsigned)atoi(value);
    return true;
}

static void tell(void)
{
    if (wish.controller)
        printf(" --controller");
    if (wish.secret)
        printf(" --secret");
    if (wish.seconds)
        printf(" --seconds %u", wish.seconds);
}

static struct play play_of(const struct seed *seed)
{
    struct play play = wish;
    play.seed = seed->seed;
    play.faults = seed->faults;
    play.only = seed->only;
    return play;
}

static void play_seed(const struct seed *seed, struct seed_result *result)
{
    struct play play = play_of(seed);
    struct play_result got;
    play_apart(&play, &got);
    *result = (struct seed_result){.hash = got.hash,
                                   .us = got.us,
                                   .keys = got.keys,
                                   .counted = got.differences,
                                   .mishaps = got.mishaps};
    snprintf(result->wrong, sizeof result->wrong, "%s", got.wrong);
}

static void tell_mishap(const struct seed *seed, unsigned i, char text[120])
{
    struct play play = play_of(seed);
    struct mishap mishap[MISHAPS];
    play_mishaps(&play, mishap);
    mishap_text(&mishap[i], text, 120);
}

int main(int argc, char **argv)
{
    static const struct option options[] = {{"seconds", required_argument, NULL, 't'},
                                            {"controller", no_argument, NULL, 'c'},
                                            {"secret", no_argument, NULL, 'e'},
                                            {NULL, 0, NULL, 0}};
    static const struct seeds seeds = {.usage = "[--controller] [--secret] [--seconds S]",
                                       .option = options,
                                       .faults = 2,
                                       .unit = "sessions",
                                       .counted = "sides for a steward",
                                       .take = take,
                                       .tell = tell,
                                       .play = play_seed,
                                       .mishap = tell_mishap};
    return seeds_main(&seeds, argc, argv);
}
