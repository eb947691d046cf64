/* Sessions of one booth by their seeds, with mishaps: what the oracles say of each, and that a seed
 * is all that decides. tests/soak/world.sh plays 10,000. */
#include "tests/world/play.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <inttypes.h>

#define SESSIONS   300
#define CONTROLLED 3 /* each so manieth has a controller, */
#define ENCRYPTED  5 /* or encrypted lines */

/* Seeds that failed once, with what was mended. */
static const struct regression {
    struct play play;
    const char *was;
} regressions[] = {
    {{.seed = 6, .faults = 2, .only = UINT64_MAX},
     "a restarted judge's end repeated the CLOSE of an earlier part with the page of then"},
    {{.seed = 137, .faults = 2, .only = UINT64_MAX},
     "a power cut at the judge's machine in a part's last second: a steward had to decide"},
    {{.seed = 1004, .faults = 2, .only = UINT64_MAX},
     "the judge's end left, and had told the end of the session into a line that was gone"},
    {{.seed = 1088, .faults = 2, .only = UINT64_MAX},
     "killed between the end of the session and the keys that it leaves without a place"},
    {{.seed = 4522, .faults = 2, .only = UINT64_MAX},
     "an entity's machine that came back when the judge's end had left waited for ever"},
    {{.seed = 21080, .faults = 6, .seconds = 8, .only = UINT64_MAX},
     "a key typed in the turn in which the record came stood before those typed earlier"},
    {{.seed = 106, .faults = 2, .controller = true, .only = UINT64_MAX},
     "an end was told that all is over when its last part was connected, and left before it"},
    {{.seed = 333, .faults = 2, .controller = true, .only = UINT64_MAX},
     "a controller that was not heard at the end of a part was said to have its cables swapped"},
    {{.seed = 370, .faults = 2, .controller = true, .only = UINT64_MAX},
     "a judge's terminal that was killed at the start showed that no time was left"},
    {{.seed = 554, .faults = 2, .controller = true, .only = UINT64_MAX},
     "time that the controller had not was believed, from a damaged sentence"},
    {{.seed = 24, .faults = 2, .controller = true, .only = UINT64_MAX},
     "keys typed in a pause that was taken for the end were placed, and declared without a place"},
    {{.seed = 5793, .faults = 2, .only = UINT64_MAX},
     "keys typed while a part seemed over stood in the way of its end when it went on"},
    {{.seed = 6525, .faults = 2, .only = UINT64_MAX},
     "the same, after a power cut at the judge's machine"},
    {{.seed = 40512, .faults = 6, .seconds = 8, .only = UINT64_MAX}, "the same, in short parts"},
    {{.seed = 6421, .faults = 2, .only = UINT64_MAX},
     "awake late, the judge's terminal showed a time left that was not on record"},
    {{.seed = 40062, .faults = 6, .seconds = 8, .only = UINT64_MAX}, "the same, at a part's end"},
    {{.seed = 24, .faults = 2, .only = UINT64_MAX},
     "awake late, it placed keys in a part that was over"},
    {{.seed = 51714, .faults = 6, .seconds = 8, .only = UINT64_MAX},
     "a power cut lost that an earlier CLOSE was settled, and a steward had to decide"},
    {{.seed = 3423, .faults = 2, .controller = true, .only = UINT64_MAX},
     "a session that was over by a fast clock was told once more of its last part's closing"},
    {{.seed = 3528, .faults = 2, .controller = true, .only = UINT64_MAX},
     "started again in a part's closing, the judge's end told no time of its cut"},
    {{.seed = 8133, .faults = 2, .controller = true, .only = UINT64_MAX},
     "an entity's end heard of a pause and nothing after it: nobody was asked, ever"},
    {{.seed = 9375, .faults = 2, .controller = true, .only = UINT64_MAX}, "the same"},
    {{.seed = 9444, .faults = 2, .controller = true, .only = UINT64_MAX},
     "the port was pulled in the moment of the start: the session was taken for another's"},
    {{.seed = 20947, .faults = 2, .controller = true, .only = UINT64_MAX},
     "two power cuts, and the part over between them: what the first had lost was not fetched"},
    {{.seed = 110352, .faults = 6, .controller = true, .only = UINT64_MAX},
     "a part was over by one damaged sentence of the controller, ten seconds too early"},
    {{.seed = 110154, .faults = 6, .controller = true, .only = UINT64_MAX},
     "cables were called swapped by a state that the controller had told before its port was "
     "pulled"},
    {{.seed = 200373, .faults = 10, .seconds = 8, .controller = true, .only = UINT64_MAX},
     "cut by its own clock an entity's end was over, and a word on the cut took that back"},
    {{.seed = 600477, .faults = 8, .seconds = 8, .secret = true, .only = UINT64_MAX},
     "a restarted judge's end told a CLOSE with the page of before it had fetched a key"},
    {{.seed = 400962, .faults = 8, .seconds = 5, .controller = true, .only = UINT64_MAX},
     "an entity's end was killed as its part began and never heard of it: nobody was asked, ever"},
    {{.seed = 701723, .faults = 8, .seconds = 5, .controller = true, .only = UINT64_MAX},
     "a cable was out for a later part of an entity's end: nobody was asked, ever"},
    {{.seed = 702313, .faults = 8, .seconds = 5, .controller = true, .only = UINT64_MAX},
     "the same, of an adapter"},
    {{.seed = 701964, .faults = 8, .seconds = 5, .controller = true, .only = UINT64_MAX},
     "a CLOSE of the part before, told once more, took the place of the last part's"},
    {{.seed = 752489, .faults = 3, .controller = true, .only = UINT64_MAX},
     "a controller that was refused, and silent: the judge's terminal drew its screen in a loop"},
    {{.seed = 723818, .faults = 8, .seconds = 5, .controller = true, .only = UINT64_MAX},
     "a controller that lost power while a session was aborted there was left as it was"},
};

static void test_sessions(void **state)
{
    unsigned failed = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= SESSIONS; seed++) {
        struct play play = {.seed = seed,
                            .faults = 2,
                            .controller = seed % CONTROLLED == 0,
                            .secret = seed % ENCRYPTED == 0,
                            .only = UINT64_MAX};
        struct play_result got;
        play_apart(&play, &got);
        if (!got.wrong[0])
            continue;
        failed++;
        print_message("# build/tests/world/session --seed %" PRIu64 "%s%s    %s\n", seed,
                      play.controller ? " --controller" : "", play.secret ? " --secret" : "",
                      got.wrong);
    }
    assert_int_equal(failed, 0);
}

static void test_regressions(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof regressions / sizeof *regressions; i++) {
        struct play_result got;
        play_apart(&regressions[i].play, &got);
        if (got.wrong[0])
            print_message("# %s: %s\n", regressions[i].was, got.wrong);
        assert_string_equal(got.wrong, "");
    }
}

static void test_same_seed(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct play play = {.seed = seed, .faults = 4, .controller = seed % 2, .only = UINT64_MAX};
        struct play_result first, second;
        play_apart(&play, &first);
        play_apart(&play, &second);
        assert_int_equal(first.hash, second.hash);
        assert_true(first.keys > 0);
        play.seed += 1000;
        play_apart(&play, &second);
        assert_true(first.hash != second.hash);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_seed),
        cmocka_unit_test(test_regressions),
        cmocka_unit_test(test_sessions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
