/* The controller's contract (DESIGN.md, "Controller"), point 3, on the firmware's own ELF: every
 * session of the rules, cut on time under any load. SOAK in the environment adds the one of 8 h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/chip/rig.h"

#define LEFT  SEGMENT_A
#define RIGHT SEGMENT_B
#define BOTH  (LEFT | RIGHT)

#define PASS_MS 50   /* contacts may stay so long after the drive */
#define LOAD_MS 2400 /* before a cut something happens; a silent host is missed after 3 s */

struct session {
    const char *name;
    unsigned count;
    struct rig_segment plan[4];
    bool soak; /* in long runs only */
};

static const struct session sessions[] = {
    {"2009", 4, {{300, LEFT, 60}, {300, RIGHT, 60}, {600, 0, 0}, {300, BOTH, 60}}, false},
    {"2004", 2, {{1500, LEFT, 300}, {300, RIGHT, 60}}, false},
    {"long bet", 1, {{7200, BOTH, 600}}, false},
    {"free", 3, {{97, LEFT, 0}, {1, 0, 0}, {613, RIGHT | SEGMENT_WORD, 5}}, false},
    {"shortest", 1, {{5, LEFT, 0}}, false},
    {"longest", 1, {{28800, BOTH, 28799}}, true},
};

/* What is done to the controller shortly before a cut. */
enum load { QUIET, FLOODED, HUNG, SILENT, LOADS };

static void flood(struct rig *rig)
{
    static const char *const noise[] = {"$BLBEA,1234*7", "$$$", "\r\n\n\r", "\x80\xff,,,*",
                                        "$BLSTA,0000*00\r\n"};

    for (unsigned i = 0; chip_sending(rig->chip) < 12000; i++)
        chip_send(rig->chip, noise[i % 5], strlen(noise[i % 5]));
}

/* In a process of its own: the drive stops within 1 ms of the nominal cycle, and nothing follows.
 */
static bool cut_is_right(struct rig *rig, uint64_t nominal, unsigned lines, enum load load)
{
    uint64_t off;

    if (load == FLOODED)
        flood(rig);
    if (load == HUNG) {
        rig_pass(rig, LOAD_MS - 100);
        chip_hang(rig->chip);
    }
    if (!rig_run_to_drive(rig, 4000))
        return false;
    off = chip_now(rig->chip) > nominal ? chip_now(rig->chip) - nominal
                                        : nominal - chip_now(rig->chip);
    chip_run(rig->chip, CHIP_MS(rig->chip, PASS_MS));
    /* The next line closes only when its record is stored, by a main loop that lives. */
    return off < CHIP_MS(rig->chip, 1) && !(rig_closed(rig) & (load == HUNG ? BOTH : lines));
}

static void assert_cut(struct rig *rig, uint64_t nominal, const struct session *session,
                       unsigned segment)
{
    for (enum load load = 0; load < LOADS; load++) {
        pid_t child = fork();
        int status;

        assert_int_not_equal(child, -1);
        if (child == 0)
            _exit(cut_is_right(rig, nominal, session->plan[segment].flags & BOTH, load) ? 0 : 1);
        assert_int_equal(waitpid(child, &status, 0), child);
        if (status != 0)
            fail_msg("%s, segment %u, load %d: not cut in time", session->name, segment, load);
    }
}

static void run_session(const struct session *session)
{
    struct rig rig;

    rig_open(&rig);
    rig_plan(&rig, session->plan, session->count, 1, 60);
    for (unsigned i = 0; i < session->count; i++) {
        const struct rig_segment *segment = &session->plan[i];
        uint64_t nominal;

        if (i == 0 || segment->flags & SEGMENT_WORD) {
            assert_true(i == 0 || rig_wait(&rig, SAY_WAIT, 2000));
            assert_int_equal(rig_ask(&rig, "BEA", NULL), SAY_COUNT);
            rig_run(&rig);
        } else if (segment->flags) {
            assert_true(rig_wait(&rig, SAY_CONNECT, 2000));
        }
        if (segment->flags & BOTH) {
            /* The clock starts a tick before the first that counts. */
            rig_pass(&rig, 900);
            assert_true(rig_run_to_tick(&rig, 1000));
            nominal =
                chip_now(rig.chip) + CHIP_MS(rig.chip, segment->seconds * 1000 - WATCHDOG_TICK_MS);
            rig_pass(&rig, segment->seconds * 1000 - LOAD_MS);
            assert_int_equal(rig_closed(&rig), segment->flags & BOTH);
            assert_cut(&rig, nominal, session, i);
        }
        assert_true(rig_wait(&rig, SAY_CUT, segment->seconds * 1000 + 4000));
    }
    assert_int_equal(rig_ask(&rig, "BEA", NULL), SAY_COUNT);
    assert_int_equal(rig.state, SAY_OVER);
    assert_int_equal(chip_resets(rig.chip), 1);
    assert_int_equal(rig.damaged, 0);
    rig_close(&rig);
}

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

/* Of the processor, by this process and those that it has waited for. */
static double used_s(void)
{
    static const int whose[] = {RUSAGE_SELF, RUSAGE_CHILDREN};
    double sum = 0;

    for (size_t i = 0; i < 2; i++) {
        struct rusage used;

        getrusage(whose[i], &used);
        sum += seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
    }
    return sum;
}

static void test_point_3_the_cut_is_on_time(void **state)
{
    double before = used_s();
    unsigned count = 0, simulated_s = 0;

    (void)state;
    for (size_t i = 0; i < sizeof(sessions) / sizeof(sessions[0]); i++) {
        if (sessions[i].soak && !getenv("SOAK"))
            continue;
        if (rig_share(10) < 10 && sessions[i].plan[0].seconds > 10)
            continue;
        run_session(&sessions[i]);
        count++;
        for (unsigned at = 0; at < sessions[i].count; at++)
            simulated_s += sessions[i].plan[at].seconds;
    }
    print_message("# %u sessions of %u s in all, simulated in %.1f s of processor time\n", count,
                  simulated_s, used_s() - before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_point_3_the_cut_is_on_time),
    };

    return cmocka_run_group_tests_name("controller_cut", tests, NULL, NULL);
}
