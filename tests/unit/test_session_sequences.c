/* Ten thousand random sequences of all that can happen to the two ends of a line, and of all that a
 * hostile entity's end can say, each after the other; a million in `make soak`. A failure prints
 * the seed that repeats it. Source: DESIGN.md, "Threat model". */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/support/duo.h"
#include "tests/support/random.h"

/* Of each kind. AddressSanitizer maps each sequence's memory anew: some are enough for it. */
#ifdef __SANITIZE_ADDRESS__
#define SEQUENCES 200u
#else
#define SEQUENCES 5000u
#endif
#define STEPS 200u
/* A line on the way after so many: a million take the better part of an hour. */
#define TOLD 10000u

static uint32_t next(void *ctx)
{
    return (uint32_t)(dice_next(ctx) >> 16);
}

static void play(const char *name, enum duo_partner partner)
{
    uint64_t seed = dice_seed(name);
    unsigned count = getenv("SOAK") ? 100 * SEQUENCES : SEQUENCES;
    for (unsigned i = 0; i < count; i++) {
        struct dice dice = dice_make(seed + i);
        const char *fault = duo_play(partner, STEPS, next, &dice);
        if (fault)
            fail_msg("SEED=%llu: %s", (unsigned long long)(seed + i), fault);
        if ((i + 1) % TOLD == 0 && i + 1 < count) {
            printf("# %u of %u sequences\n", i + 1, count);
            fflush(stdout);
        }
    }
    printf("# %u sequences: %llu keys, %llu fetched, %llu of them unproven, %llu new epochs, %llu "
           "kills, %llu power losses, %llu lies\n",
           count, (unsigned long long)duo_sum.keys, (unsigned long long)duo_sum.fetched,
           (unsigned long long)duo_sum.unproven, (unsigned long long)duo_sum.epochs,
           (unsigned long long)duo_sum.kills, (unsigned long long)duo_sum.power_losses,
           (unsigned long long)duo_sum.lies);
    assert_true(duo_sum.keys > 8ull * count && duo_sum.power_losses > count / 4);
    if (count > 1000) /* in a few sequences it may not come to that */
        assert_true(duo_sum.fetched > 0);
    duo_sum = (struct duo_sum){0};
}

static void test_honest_ends(void **state)
{
    (void)state;
    play("honest ends", DUO_HONEST);
}

static void test_hostile_end(void **state)
{
    (void)state;
    play("hostile end", DUO_HOSTILE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_honest_ends),
        cmocka_unit_test(test_hostile_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
