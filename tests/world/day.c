/* Plays whole days of a venue in the world, by their seeds:
 *
 *     day --seed N [--count N] [--ruleset NAME] [--booths N] [--whole] [--lines cut|free]
 *         [--spare] [--desk] [--desk-beside] [--faults N] [--only 0,3] [--log] [--shrink]
 *         [--first] [--hash] */
#include "day_mishaps.h"
#include "seeds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct day_setup wish;

static const struct day_rules *rules_of(const char *name)
{
    for (unsigned i = 0; i < DAY_RULES; i++)
        if (strcmp(day_rules[i].name, name) == 0)
            return &day_rules[i];
    fprintf(stderr, "there is no ruleset %s\n", name);
    exit(64);
}

static bool take(int letter, const char *value)
{
    if (letter == 'r')
        wish.rules = rules_of(value);
    else if (letter == 'w')
        wish.whole = true;
    else if (letter == 'p')
        wish.spare = true;
    else if (letter == 'd')
        wish.desk = DESK_ALONE;
    else if (letter == 'e')
        wish.desk = DESK_BESIDE;
    else if (letter == 'c')
        wish.lines = strcmp(value, "cut") == 0 ? CONTROLLED : UNCONTROLLED;
    else
        wish.booths = (unsigned)atoi(value);
    return wish.booths <= DAY_BOOTHS;
}

static void tell(void)
{
    if (wish.rules)
        printf(" --ruleset %s", wish.rules->name);
    if (wish.whole)
        printf(" --whole");
    if (wish.spare)
        printf(" --spare");
    if (wish.desk)
        printf(wish.desk == DESK_ALONE ? " --desk" : " --desk-beside");
    if (wish.lines)
        printf(" --lines %s", wish.lines == CONTROLLED ? "cut" : "free");
    if (wish.booths)
        printf(" --booths %u", wish.booths);
}

static struct day_setup setup_of(const struct seed *seed)
{
    struct day_setup setup = wish;
    setup.seed = seed->seed;
    setup.mishaps = seed->faults;
    setup.only = seed->only;
    return setup;
}

static void play_seed(const struct seed *seed, struct seed_result *result)
{
    const struct day_setup setup = setup_of(seed);
    struct day_result got;
    day_apart(&setup, &got);
    *result = (struct seed_result){.hash = got.hash,
                                   .us = got.us,
                                   .keys = got.keys,
                                   .counted = got.sessions,
                                   .mishaps = got.mishaps};
    snprintf(result->wrong, sizeof result->wrong, "%s", got.wrong);
}

static void tell_mishap(const struct seed *seed, unsigned i, char text[120])
{
    struct day_mishap mishap[DAY_MISHAPS];
    const struct day_setup setup = setup_of(seed);
    day_mishaps_draw(mishap, &setup);
    day_mishap_text(&mishap[i], text, 120);
}

int main(int argc, char **argv)
{
    static const struct option options[] = {
        {"ruleset", required_argument, NULL, 'r'}, {"whole", no_argument, NULL, 'w'},
        {"desk", no_argument, NULL, 'd'},          {"desk-beside", no_argument, NULL, 'e'},
        {"spare", no_argument, NULL, 'p'},         {"booths", required_argument, NULL, 'b'},
        {"lines", required_argument, NULL, 'c'},   {NULL, 0, NULL, 0}};
    static const struct seeds seeds = {.usage =
                                           "[--ruleset NAME] [--booths N] [--whole] "
                                           "[--lines cut|free] [--spare] [--desk] [--desk-beside]",
                                       .option = options,
                                       .faults = 1,
                                       .unit = "days",
                                       .counted = "sessions",
                                       .take = take,
                                       .tell = tell,
                                       .play = play_seed,
                                       .mishap = tell_mishap};
    return seeds_main(&seeds, argc, argv);
}
