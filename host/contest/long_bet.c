/* The two tests of the long bet, for one trial: II ¶13 to ¶15. */
#include "contest/result_private.h"

#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    uint8_t x = *(const uint8_t *)a, y = *(const uint8_t *)b;
    return (x > y) - (x < y);
}

/* The median of a candidate's ranks, halves and all. */
static struct fraction median_rank(const struct result_input *in, unsigned candidate)
{
    uint8_t rank[256];
    unsigned count = 0;
    for (unsigned i = 0; i < in->rankings && count < sizeof rank; i++)
        if (in->ranking[i].candidate == candidate)
            rank[count++] = in->ranking[i].rank;
    if (count == 0)
        return (struct fraction){0, 0};
    qsort(rank, count, 1, by_value);
    return (struct fraction){rank[(count - 1) / 2] + rank[count / 2], 2};
}

/* "2" or "2.5". */
static const char *half(struct fraction median)
{
    return median.numerator % 2 ? ".5" : "";
}

void result_long_bet(const struct judging *j, struct result *result)
{
    const struct result_input *in = j->input;
    struct fraction computer;
    unsigned humans, least = 0;
    bool determined, ranked;
    if (in->entries == 0) {
        result->outcome = RESULT_NO_ENTRY;
        return;
    }
    humans = j->of[0].wins;
    determined = humans >= 2;
    result_step(j, "long bet II ¶13", "%u judges took the computer for a human; two are needed: %s",
                humans, determined ? "passed" : "not passed");
    computer = median_rank(in, 0);
    for (unsigned c = 0; c < in->confederates; c++) {
        struct fraction foil = median_rank(in, in->entries + c);
        bool at_least =
            computer.denominator && foil.denominator && fraction_compare(computer, foil) >= 0;
        least += at_least;
        if (computer.denominator && foil.denominator)
            result_step(j, "long bet II ¶14", "median rank %lld%s, that of foil %u is %lld%s",
                        (long long)computer.numerator / 2, half(computer), c + 1,
                        (long long)foil.numerator / 2, half(foil));
    }
    ranked = least >= 2;
    result_step(j, "long bet II ¶14", "at least that of %u foils; two are needed: %s", least,
                ranked ? "passed" : "not passed");
    result->outcome = determined && ranked ? RESULT_PASSED : RESULT_FAILED;
    result_step(j, "long bet II ¶15", "both tests are needed: the trial is %s",
                result->outcome == RESULT_PASSED ? "passed" : "not passed");
}
