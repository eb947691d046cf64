/* rehearsal DIRECTORY NAME SECONDS SEED OPENING: one judge and one entity, both by script, talk for
 * so long over a line with bit errors, in simulated time; the line is cut as the plan says. Leaves
 * DIRECTORY/NAME-judge.journal and -entity.journal. The real ends, link and journals do it; only
 * time, wire and disk are simulated. */
#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include <cmocka.h>

#include "tests/support/pair.h"

#define NOTICE_US 500000

static const char *const questions[] = {
    "What did you have for breakfast?\r", "Which is larger, a grape or a grapefruit?\r",
    "Do you like to play tennis?\r",      "What would I use a hammer for?\r",
    "Is it morning or night?\r",          "Who was the friend that I told you about?\r",
};
static const char *const answers[] = {
    "I would have to think about that.\r",
    "Why do you ask?\r",
    "The second one, I suppose.\r",
    "My sister says so too.\r",
    "Only on Sundays.\r",
    "You told me, but I forgot.\r",
};
#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static const char *pick(struct dice *dice, const char *const *list, size_t count)
{
    return list[dice_below(dice, count)];
}

/* Both talk until the announcement is due. */
static void talk(struct pair *pair, const char *opening, uint64_t until_us, struct dice *dice)
{
    pair_type_entity(pair, opening);
    pair_type_entity(pair, "\r");
    while (pair->now_us + 15000000 < until_us) {
        pair_type_judge(pair, pick(dice, questions, COUNT(questions)));
        pair_run(pair, 500000 + dice_below(dice, 3000000));
        pair_type_entity(pair, pick(dice, answers, COUNT(answers)));
        pair_run(pair, 500000 + dice_below(dice, 3000000));
    }
    if (pair->now_us < until_us)
        pair_run(pair, until_us - pair->now_us);
}

static int save(struct pair *pair, unsigned which, const char *directory, const char *name)
{
    static const char *const ends[2] = {"judge", "entity"};
    char inner[32], path[PATH_MAX];
    size_t length;
    snprintf(inner, sizeof inner, "%s.journal", ends[which]);
    snprintf(path, sizeof path, "%s/%s-%s.journal", directory, name, ends[which]);
    const uint8_t *bytes = fake_disk_bytes(pair->machine[which].disk, inner, &length);
    FILE *file = fopen(path, "wxe");
    if (!bytes || !file || fwrite(bytes, 1, length, file) != length || fclose(file)) {
        fprintf(stderr, "rehearsal: %s: %s\r", path, strerror(errno));
        return EX_CANTCREAT;
    }
    return EX_OK;
}

static const char *directory, *name, *opening;
static uint64_t seconds, seed;
static int code;

static void rehearse(void **state)
{
    (void)state;
    struct judge_end_view judge;
    struct entity_end_view entity;
    struct dice dice = dice_make(seed);
    struct pair *pair = pair_create(seed, STARTS_EITHER);
    memory_faults(pair->wire, &(struct memory_faults){.bit_error = 1e-5});
    pair_run(pair, 2000000); /* the link comes up */
    judge_end_open(pair->judge, 0, 1, seconds * 1000000, false, pair_now(pair));
    do {
        pair_run(pair, 1000);
        entity = *entity_end_view(pair->entity);
    } while (!entity.may_type);
    talk(pair, opening, pair->now_us + seconds * 1000000 - NOTICE_US, &dice);
    judge_end_closing(pair->judge, pair_now(pair));
    pair_run(pair, NOTICE_US);
    judge_end_cut(pair->judge, true, pair_now(pair));
    judge = *judge_end_view(pair->judge);
    entity = *entity_end_view(pair->entity);
    assert_int_equal(judge.outcome, CLOSE_AGREED);
    assert_int_equal(entity.outcome, CLOSE_AGREED);
    pair_check(pair, PAIR_EQUAL);
    pair_run(pair, 1000000);
    code = save(pair, J, directory, name);
    if (code == EX_OK)
        code = save(pair, E, directory, name);
    pair_destroy(pair);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rehearse)};
    if (argc != 6) {
        fprintf(stderr, "usage: rehearsal DIRECTORY NAME SECONDS SEED OPENING\n");
        return EX_USAGE;
    }
    directory = argv[1];
    name = argv[2];
    seconds = strtoull(argv[3], NULL, 10);
    seed = strtoull(argv[4], NULL, 10);
    opening = argv[5];
    return cmocka_run_group_tests(tests, NULL, NULL) ? EX_SOFTWARE : code;
}
