/* When an entity's keys may go: what is taken as a pace, that keys keep their own gaps or get the
 * pace's, and that whatever the loop and the line do they never bunch up. */
#include "entity/pace.h"

#include "base/time.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#define MS     UINT64_C(1000)
#define S      UINT64_C(1000000)
#define MIDDLE UINT32_C(0x80000000) /* no deviation */

static void parses(void **state)
{
    static const struct {
        const char *text;
        struct pace_config config;
    } good[] = {
        {"1", {PACE_KEYS, 1000, 0, 0, 0}},
        {"110", {PACE_KEYS, 110000, 0, 0, 0}},
        {"10000", {PACE_KEYS, 10000000, 0, 0, 0}},
        {"110\xC2\xB1"
         "30",
         {PACE_KEYS, 110000, 30000, 0, 0}},
        {"110+-30", {PACE_KEYS, 110000, 30000, 0, 0}},
        {"5+-5", {PACE_KEYS, 5000, 5000, 0, 0}},
        {"5+-0", {PACE_KEYS, 5000, 0, 0, 0}},
        {"keys", {PACE_KEYS, 110000, 30000, 0, 0}},
        {"keys 80", {PACE_KEYS, 80000, 0, 0, 0}},
        {"keys 80+-9", {PACE_KEYS, 80000, 9000, 0, 0}},
        {"message", {PACE_MESSAGE, 60000, 20000, 15000000, 0}},
        {"message 50", {PACE_MESSAGE, 50000, 0, 15000000, 0}},
        {"message after 0", {PACE_MESSAGE, 60000, 20000, 0, 0}},
        {"message 50+-10  after 120000", {PACE_MESSAGE, 50000, 10000, 120000000, 0}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct pace_config config = {.interval_us = 99, .hold_us = 7};
        struct bl_diag diag = {{0}};
        assert_int_equal(pace_parse(&config, good[i].text, &diag), BL_OK);
        assert_int_equal(config.mode, good[i].config.mode);
        assert_int_equal(config.interval_us, good[i].config.interval_us);
        assert_int_equal(config.spread_us, good[i].config.spread_us);
        assert_int_equal(config.after_us, good[i].config.after_us);
        assert_int_equal(config.hold_us, 7);
    }
}

static void refuses(void **state)
{
    static const char *const bad[] = {"",
                                      "0",
                                      "-1",
                                      "10001",
                                      "99999999999999999999",
                                      "12ms",
                                      "1.5",
                                      "5+-6",
                                      "5+-",
                                      "5+3",
                                      "+-3",
                                      " 5",
                                      "5 ",
                                      "5+-3 ",
                                      "5+-99999999999",
                                      "5\xC2",
                                      "abc",
                                      "own",
                                      "key 5",
                                      "keys 0",
                                      "keysome",
                                      "keys 5 after 9",
                                      "message 60 after",
                                      "message 60 after 120001",
                                      "message after 5 60",
                                      "message 60 60",
                                      "5\xC2\xB1\xC2\xB1"};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct pace_config config = {.interval_us = 42};
        struct bl_diag diag = {{0}};
        assert_int_equal(pace_parse(&config, bad[i], &diag), BL_DATA);
        assert_int_equal(config.interval_us, 42);
        assert_int_equal(strncmp(diag.text, "pace \"", 6), 0);
    }
    struct bl_diag diag;
    struct pace_config config;
    pace_parse(&config, "5+-6", &diag);
    assert_non_null(strstr(diag.text, "may be at most"));
}

/* An entity's end in small: keys wait, one after the other is let go and gets its place. */
#define KEYS 512
static struct {
    struct pace pace;
    uint32_t point[KEYS];
    struct pressed_key key[KEYS];
    size_t pressed, released, placed;
    uint64_t went_us[KEYS];
    uint64_t now_us;
    uint32_t (*dice)(void);
} end;

static uint32_t middle(void)
{
    return MIDDLE;
}

static void begin(const char *text)
{
    struct pace_config config = {0};
    memset(&end, 0, sizeof end);
    end.dice = middle;
    end.now_us = 1000 * S;
    if (text)
        assert_int_equal(pace_parse(&config, text, NULL), BL_OK);
    pace_start(&end.pace, &config, MIDDLE);
}

static void press(uint32_t point, uint64_t after_us)
{
    assert_true(end.pressed < KEYS);
    end.now_us += after_us;
    end.point[end.pressed] = point;
    end.key[end.pressed] = (struct pressed_key){.k = end.pressed + 1, .pressed_us = end.now_us};
    end.pressed++;
}

static void press_all(const char *text, uint64_t gap_us)
{
    for (; *text; text++)
        press(*text == '\n' ? KEY_RETURN : (uint32_t)*text, gap_us);
}

/* Lets go what may go now. Returns when the next may. */
static uint64_t run(bool live)
{
    for (;;) {
        struct pace_queue queue = {end.point + end.released, end.key + end.released,
                                   end.pressed - end.released};
        uint64_t due_us;
        pace_line(&end.pace, live, end.placed, end.released - end.placed, end.now_us);
        due_us = pace_due(&end.pace, &queue, end.now_us);
        assert_true(due_us >= end.now_us);
        if (due_us > end.now_us)
            return due_us;
        pace_went(&end.pace, &queue, end.now_us, end.dice());
        end.went_us[end.released++] = end.now_us;
    }
}

/* A line that has carried keys for a while. */
static void open_line(void)
{
    run(true);
    end.now_us += PACE_READY_US;
    run(true);
}

/* All keys go, each getting its place after some time; late: the loop wakes up so much too late. */
static void run_out(uint64_t place_us, uint64_t (*late_us)(void))
{
    for (;;) {
        uint64_t due_us = run(true);
        if (end.placed < end.released) {
            end.now_us += place_us;
            end.placed = end.released;
        } else if (due_us == BL_NEVER) {
            assert_int_equal(end.released, end.pressed);
            return;
        } else {
            end.now_us = due_us + (late_us ? late_us() : 0);
        }
    }
}

/* On an open line a key goes when it is pressed. */
static void own_goes_at_once(void **state)
{
    (void)state;
    begin(NULL);
    open_line();
    for (unsigned i = 0; i < 50; i++) {
        press('a', i * 10 * MS);
        assert_true(run(true) == BL_NEVER);
        assert_true(end.went_us[i] == end.key[i].pressed_us);
        end.placed = end.released;
    }
}

/* How soon somebody is there when a line comes to life shows in no mode. */
static void nobody_is_ready_sooner(void **state)
{
    static const char *const modes[] = {NULL, "keys 60", "message 60 after 0"};
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        for (uint64_t ready_us = 0; ready_us < PACE_READY_US; ready_us += 30 * MS) {
            begin(modes[i]);
            run(false);
            if (ready_us == 0)
                press(KEY_RETURN, 0);
            uint64_t live_us = end.now_us;
            assert_true(run(true) == (ready_us ? BL_NEVER : live_us + PACE_READY_US));
            if (ready_us)
                press(KEY_RETURN, ready_us);
            run_out(1 * MS, NULL);
            assert_true(end.went_us[0] == live_us + PACE_READY_US);
        }
    }
    begin(NULL);
    pace_start(&end.pace, &(struct pace_config){0}, 0xC000);
    press('a', 0);
    assert_true(run(true) == end.now_us + PACE_READY_US + PACE_CHANCE_US * 3 / 4);
}

/* After a restart a page in a browser gives what it kept when the line may be live again; what a
 * keyboard kept is read before. */
static void what_a_restart_finds_goes_alike(void **state)
{
    (void)state;
    for (unsigned late = 0; late < 2; late++) {
        begin(NULL);
        run(false);
        pace_wait(&end.pace, end.now_us + 500 * MS);
        uint64_t until_us = end.now_us + 500 * MS;
        if (late) {
            run(true);
            end.now_us += 100 * MS;
        }
        for (unsigned i = 0; i < 9; i++)
            press('a', 0);
        run_out(1 * MS, NULL);
        assert_true(end.went_us[0] == until_us);
        for (unsigned i = 1; i < 9; i++)
            assert_int_equal(end.went_us[i] - end.went_us[i - 1], 60 * MS);
    }
}

/* A paste in that time is a paste. */
static void a_paste_is_never_slow(void **state)
{
    (void)state;
    begin(NULL);
    run(true);
    end.now_us += PACE_READY_US / 2;
    for (unsigned i = 0; i < 50; i++)
        press('a', 0);
    run_out(0, NULL);
    for (unsigned i = 1; i < 50; i++)
        assert_int_equal(end.went_us[i] - end.went_us[i - 1], PACE_LEAST_US);
}

/* What comes all at once, as a paste and a program's line do, goes as fast as nobody types. */
static void own_is_no_burst(void **state)
{
    (void)state;
    begin(NULL);
    open_line();
    for (unsigned i = 0; i < 50; i++)
        press('a', 0);
    run_out(0, NULL);
    for (unsigned i = 1; i < 50; i++)
        assert_int_equal(end.went_us[i] - end.went_us[i - 1], PACE_LEAST_US);
}

static uint64_t a_bit_late(void)
{
    return random() % 50 ? 0 : (uint64_t)random() % (10 * PACE_LEAST_US);
}

static uint64_t very_late(void)
{
    return 1 * S;
}

/* How busy the terminal is shows neither in how long a paste takes nor in a burst. */
static void lateness_is_made_up_for(void **state)
{
    (void)state;
    begin(NULL);
    open_line();
    for (unsigned i = 0; i < 300; i++)
        press('a', 0);
    run_out(0, a_bit_late);
    assert_in_range(end.went_us[299] - end.went_us[0], 299 * PACE_LEAST_US, 309 * PACE_LEAST_US);
    for (unsigned i = 1; i < 300; i++)
        assert_true(end.went_us[i] - end.went_us[i - 1] >= PACE_LEAST_US / 2);
    begin(NULL);
    open_line();
    for (unsigned i = 0; i < 50; i++)
        press('a', 0);
    run_out(0, very_late);
    for (unsigned i = 1; i < 50; i++)
        assert_true(end.went_us[i] - end.went_us[i - 1] >= PACE_LEAST_US);
}

/* How long the first key was on its way, from a keyboard or a folder, is not missing in the gap
 * behind it. */
static void the_way_here_is_in_no_gap(void **state)
{
    (void)state;
    for (uint64_t way_us = 50; way_us < 2 * MS; way_us += 50) {
        begin(NULL);
        open_line();
        for (unsigned i = 0; i < 5; i++)
            press('a', 0);
        end.now_us += way_us;
        run_out(0, NULL);
        assert_int_equal(end.went_us[0] - end.key[0].pressed_us, way_us);
        for (unsigned i = 1; i < 5; i++)
            assert_int_equal(end.went_us[i] - end.went_us[i - 1], PACE_LEAST_US);
    }
}

/* A paste that is handed over in parts is no other than one that comes at once. */
static void a_paste_in_parts_is_a_paste(void **state)
{
    (void)state;
    begin(NULL);
    open_line();
    press('a', 0);
    run(true);
    for (unsigned i = 1; i < 200; i++)
        press('a', i % 8 ? 0 : 15 * MS);
    end.now_us = end.key[0].pressed_us;
    run_out(0, NULL);
    for (unsigned i = 1; i < 200; i++)
        assert_int_equal(end.went_us[i] - end.went_us[i - 1], PACE_LEAST_US);
}

/* What was typed while it could not go keeps its gaps: no pause is longer than a second, and nobody
 * knows the gaps of what came at once. */
static void held_keys_keep_their_gaps(void **state)
{
    (void)state;
    begin(NULL);
    assert_true(run(false) == BL_NEVER);
    press('a', 0);
    press('b', 50 * MS);
    press('c', 200 * MS);
    press('d', 30 * S);
    press('e', 1 * MS);
    assert_true(run(false) == BL_NEVER);
    end.now_us += 5 * S;
    uint64_t live_us = end.now_us;
    run_out(1 * MS, NULL);
    assert_true(end.went_us[0] == live_us + PACE_READY_US);
    assert_int_equal(end.went_us[1] - end.went_us[0], 50 * MS);
    assert_int_equal(end.went_us[2] - end.went_us[1], 200 * MS);
    assert_int_equal(end.went_us[3] - end.went_us[2], 1 * S);
    assert_int_equal(end.went_us[4] - end.went_us[3], 60 * MS);
    press('f', 60 * MS); /* all have gone: this one waits for nothing */
    run(true);
    assert_true(end.went_us[5] == end.key[5].pressed_us);
}

/* An outage that the link has not noticed: no more than was typed in 0.3 s is under way, and the
 * rest follows with its gaps. */
static void a_stalled_line_holds(void **state)
{
    (void)state;
    begin(NULL);
    open_line();
    press_all("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 0);
    end.pressed = 0; /* they were only a place to type to */
    for (unsigned i = 0; i < 30; i++) {
        press('a', 100 * MS);
        run(true);
    }
    assert_in_range(end.released, 3, 5);
    size_t under_way = end.released;
    end.placed = end.released;
    uint64_t again_us = end.now_us;
    run_out(1 * MS, NULL);
    assert_int_equal(end.released, 30);
    for (size_t i = under_way + 1; i < 30; i++)
        assert_int_equal(end.went_us[i] - end.went_us[i - 1], 100 * MS);
    assert_true(end.went_us[under_way] == again_us);
}

/* A filter holds some keys: all go so long after they were pressed. */
static void hold_is_common(void **state)
{
    (void)state;
    begin(NULL);
    end.pace.config.hold_us = 100 * MS;
    open_line();
    for (unsigned i = 0; i < 9; i++) {
        press('a', 70 * MS);
        run(true);
    }
    run_out(1 * MS, NULL);
    for (unsigned i = 0; i < 9; i++)
        assert_true(end.went_us[i] >= end.key[i].pressed_us + 100 * MS);
}

static void ends_of_the_spread(void **state)
{
    static const uint32_t dice[] = {0, UINT32_MAX};
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct pace_queue queue = {end.point, end.key, 2};
        begin("100+-30");
        press_all("ab", 0);
        pace_line(&end.pace, true, 0, 0, 1 * S);
        pace_went(&end.pace, &queue, end.now_us, dice[i]);
        queue = (struct pace_queue){end.point + 1, end.key + 1, 1};
        pace_line(&end.pace, true, 1, 0, end.now_us);
        assert_int_equal(pace_due(&end.pace, &queue, end.now_us) - end.now_us,
                         i ? 130 * MS : 70 * MS);
    }
}

/* A message waits for its Return, and goes a common time after the judge's. */
static void messages_wait(void **state)
{
    (void)state;
    begin("message 60 after 15000");
    open_line();
    end.now_us += 1 * S;
    pace_asked(&end.pace, end.now_us);
    uint64_t asked_us = end.now_us;
    press_all("Hello\n", 900 * MS);
    pace_asked(&end.pace, end.now_us); /* a second line of the judge's delays nothing */
    run_out(0, NULL);
    assert_int_equal(end.went_us[0] - asked_us, 15 * S);
    for (size_t i = 1; i < end.released; i++)
        assert_int_equal(end.went_us[i] - end.went_us[i - 1], 60 * MS);

    /* One without a Return goes when its author has been silent. */
    end.now_us += 5 * S;
    press_all("so", 900 * MS);
    assert_true(run(true) == end.now_us + PACE_SILENCE_US);
    run_out(0, NULL);
    assert_int_equal(end.went_us[6] - end.key[7].pressed_us, PACE_SILENCE_US);

    /* The judge's next line has a delay of its own; a message that takes longer is late. */
    pace_asked(&end.pace, end.now_us);
    asked_us = end.now_us;
    press_all("Late\n", 4 * S);
    run_out(0, NULL);
    assert_true(end.went_us[8] == end.key[12].pressed_us && end.went_us[8] > asked_us + 15 * S);
}

/* The next session of a terminal numbers its keys from 1 again, and nobody has asked in it what was
 * asked in the one before. */
static void another_session_waits_anew(void **state)
{
    (void)state;
    begin("message 60 after 15000");
    open_line();
    press_all("Hello\n", 900 * MS);
    run_out(0, NULL);
    pace_asked(&end.pace, end.now_us);
    pace_renew(&end.pace);
    end.pressed = end.released = end.placed = 0;
    uint64_t live_us = end.now_us;
    assert_true(run(true) == BL_NEVER);
    press_all("so", 1 * MS);
    assert_true(run(true) == end.now_us + PACE_SILENCE_US);
    end.pressed = 0;
    press(KEY_RETURN, 0);
    assert_true(run(true) == live_us + PACE_READY_US);
    pace_asked(&end.pace, end.now_us + 1 * S);
    end.now_us += 2 * S;
    assert_true(run(true) == end.now_us - 1 * S + 15 * S);
}

/* A BackSpace takes back what waits, not what is on its way, nor a Return. */
static void erases_what_waits(void **state)
{
    struct pace_queue queue = {end.point, end.key, 1};
    (void)state;
    begin("message 60 after 0");
    open_line();
    press('a', 0);
    assert_true(pace_erases(&end.pace, &queue));
    queue.count = 0;
    assert_false(pace_erases(&end.pace, &queue));
    press(KEY_RETURN, 0);
    queue.count = 2;
    assert_false(pace_erases(&end.pace, &queue));
    end.now_us += 1 * S;
    run(true);
    assert_int_equal(end.released, 1);
    press('b', 0);
    queue = (struct pace_queue){end.point + 1, end.key + 1, 2};
    assert_true(pace_erases(&end.pace, &queue));
    begin("keys 60");
    press('a', 0);
    queue = (struct pace_queue){end.point, end.key, 1};
    assert_false(pace_erases(&end.pace, &queue));
}

static uint32_t dice(void)
{
    return (uint32_t)random() << 1 | (uint32_t)(random() & 1);
}

static uint64_t sometimes_late(void)
{
    return random() % 4 ? 0 : (uint64_t)random() % 3000000;
}

/* Keys wait in a queue while the loop comes late, the line stalls, goes down and comes back, and
 * the end is killed: no gap is ever shorter than the interval less the deviation. */
static void never_bunches(void **state)
{
    const char *given = getenv("SEED");
    unsigned seed = given ? (unsigned)strtoul(given, NULL, 10) : (unsigned)time(NULL);
    (void)state;
    unsigned all = 0;
    printf("# SEED=%u\n", seed);
    srandom(seed);
    for (unsigned round = 0; round < 400; round++) {
        char text[40];
        uint32_t interval = 1 + (uint32_t)random() % 1000;
        uint32_t spread = (uint32_t)random() % (interval + 1);
        snprintf(text, sizeof text, "%s %u+-%u", round % 2 ? "keys" : "message", interval, spread);
        begin(text);
        end.dice = dice;
        press_all("a line\nand more of it\nand\n", 1 + (uint64_t)random() % 90000);
        unsigned troubles = 0;
        while (end.released < end.pressed || end.placed < end.released) {
            unsigned what = (unsigned)random() % 40;
            uint64_t due_us = run(true);
            if (what == 0) { /* an outage: what had no place has to go again */
                troubles++;
                end.released = end.placed;
                end.now_us += (uint64_t)random() % 9000000;
                run(false);
            } else if (what == 1) { /* and a kill */
                struct pace_config config = end.pace.config;
                troubles++;
                end.released = end.placed;
                end.now_us += (uint64_t)random() % 900000;
                pace_start(&end.pace, &config, dice());
            } else if (end.placed < end.released) {
                end.now_us += (uint64_t)random() % (what == 2 ? 2000000 : 2000);
                end.went_us[end.placed++] = end.now_us; /* what the judge sees */
            } else {
                end.now_us = due_us + sometimes_late();
            }
        }
        for (size_t i = 1; i < end.placed; i++) {
            uint64_t gap_us = end.went_us[i] - end.went_us[i - 1];
            assert_true(gap_us >= (uint64_t)(interval - spread) * MS);
        }
        all += troubles;
    }
    assert_true(all > 100);
}

/* Without any trouble the mean is the interval. */
static void mean_is_the_interval(void **state)
{
    (void)state;
    srandom(4);
    for (unsigned round = 0; round < 50; round++) {
        char text[40];
        uint32_t interval = 10 + (uint32_t)random() % 1000;
        snprintf(text, sizeof text, "%u+-%u", interval, (uint32_t)random() % interval);
        begin(text);
        end.dice = dice;
        for (unsigned i = 0; i < 400; i++)
            press('a', 0);
        run_out(0, NULL);
        uint64_t mean_us = (end.went_us[399] - end.went_us[0]) / 399;
        assert_in_range(mean_us, (interval - interval / 8) * MS, (interval + interval / 8) * MS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parses),
        cmocka_unit_test(refuses),
        cmocka_unit_test(own_goes_at_once),
        cmocka_unit_test(nobody_is_ready_sooner),
        cmocka_unit_test(what_a_restart_finds_goes_alike),
        cmocka_unit_test(a_paste_is_never_slow),
        cmocka_unit_test(own_is_no_burst),
        cmocka_unit_test(lateness_is_made_up_for),
        cmocka_unit_test(the_way_here_is_in_no_gap),
        cmocka_unit_test(a_paste_in_parts_is_a_paste),
        cmocka_unit_test(held_keys_keep_their_gaps),
        cmocka_unit_test(a_stalled_line_holds),
        cmocka_unit_test(hold_is_common),
        cmocka_unit_test(ends_of_the_spread),
        cmocka_unit_test(messages_wait),
        cmocka_unit_test(another_session_waits_anew),
        cmocka_unit_test(erases_what_waits),
        cmocka_unit_test(never_bunches),
        cmocka_unit_test(mean_is_the_interval),
    };
    return cmocka_run_group_tests_name("pace", tests, NULL, NULL);
}
