#include "contest/equals.h"

#include <stdlib.h>
#include <string.h>

static void find(const struct contest *contest, uint64_t equal[SCHEDULE_ENTRIES_MAX])
{
    struct result_input *input = malloc(sizeof *input);
    struct result *result = malloc(sizeof *result);
    memset(equal, 0, SCHEDULE_ENTRIES_MAX * sizeof equal[0]);
    if (input && result) {
        contest_result_input(contest, input);
        result_make(result, input, NULL, NULL);
        memcpy(equal, result->equal, sizeof result->equal);
    }
    free(result);
    free(input);
}

static void list(uint64_t set, struct act_entries *equals)
{
    equals->count = 0;
    for (unsigned e = 0; e < SCHEDULE_ENTRIES_MAX; e++)
        if (set >> e & 1)
            equals->entry[equals->count++] = (uint8_t)(e + 1);
}

void equals_for_place(const struct contest *contest, unsigned place, struct act_entries *equals)
{
    uint64_t equal[SCHEDULE_ENTRIES_MAX];
    find(contest, equal);
    list(equal[place - 1], equals);
}

void equals_for_coin(const struct contest *contest, struct act_entries *equals)
{
    uint64_t equal[SCHEDULE_ENTRIES_MAX], set = 0, open = 0;
    find(contest, equal);
    for (unsigned p = 0; !set && p < SCHEDULE_ENTRIES_MAX; p++) {
        bool split = !strstr(contest->ruleset.ties, "confer"), tossed = false;
        for (unsigned i = 0; i < contest->decisions; i++) {
            const struct result_decision *d = &contest->decision[i];
            if (d->among == equal[p])
                split = !d->chosen || d->coin;
            tossed = tossed || (d->coin && d->among == equal[p]);
        }
        open = open || tossed ? open : equal[p];
        set = split && !tossed ? equal[p] : 0;
    }
    list(set ? set : open, equals);
}
