/* The keys that the audience may see: none before its delay, counted from the arrival of the key,
 * and none at all of a round that is not sealed where no delay was chosen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "desk/feed.h"
#include "journal/journal.h"
#include "tests/support/random.h"
#include "tests/support/records.h"
#include "tests/support/scratch.h"

#define SECOND UINT64_C(1000000)
#define WALL   (UINT64_C(1795289010) * SECOND)
#define DELAY  (60 * SECOND)
#define OWN    "1f"

static char folder[SCRATCH_MAX], inbox[SCRATCH_MAX + 16], seen[65536];
static struct feed *feed;
static struct bl_time now;

static void append(const char *place, const char *name, const struct journal_record *record)
{
    char path[2 * SCRATCH_MAX + 80];
    uint8_t bytes[JOURNAL_RECORD_MAX];
    size_t length = journal_encode(record, bytes);
    snprintf(path, sizeof path, "%s/%s/%s", inbox, place, name);
    FILE *file = fopen(path, "ab");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void type(const char *session, uint64_t first, const char *text)
{
    char name[80];
    const struct journal_record record = records_keys(SIDE_LEFT, PARTY_JUDGE, first, WALL, text);
    snprintf(name, sizeof name, "%s-judge.journal", session);
    append("booth-1-judge", name, &record);
}

static unsigned room; /* of the taker, in keys */

static bool on_keys(void *ctx, const struct feed_keys *keys)
{
    size_t length = strlen(seen);
    (void)ctx;
    if (!room)
        return false;
    room--;
    snprintf(seen + length, sizeof seen - length, "%s:%u:%u:%u:%s|", keys->session, keys->side,
             keys->party, (unsigned)keys->first, keys->text);
    return true;
}

static const char *look(unsigned sealed)
{
    seen[0] = '\0';
    room = room ? room : 1000;
    feed_look(feed, now, sealed, on_keys, NULL);
    return seen;
}

static int begin_with(uint64_t delay_us)
{
    now = (struct bl_time){.mono_us = 1000 * SECOND};
    if (scratch_begin(folder, "feed"))
        return 1;
    snprintf(inbox, sizeof inbox, "%s/inbox", folder);
    scratch_run(folder, "mkdir -p inbox/booth-1-judge inbox/booth-1-cable-a");
    if (feed_create(&feed, inbox, OWN, delay_us, NULL) != BL_OK)
        return 1;
    feed_add(feed, "booth-1-cable-a");
    feed_add(feed, "booth-1-judge");
    feed_add(feed, "../booth-1-judge");
    return 0;
}

static int begin(void **state)
{
    (void)state;
    return begin_with(DELAY);
}

static int begin_sealed(void **state)
{
    (void)state;
    return begin_with(FEED_SEALED);
}

static int end(void **state)
{
    (void)state;
    feed_destroy(feed);
    return scratch_end(folder);
}

static void test_a_delay(void **state)
{
    (void)state;
    type("r1-j1", 1, "old");
    assert_string_equal(look(0), "");
    now.mono_us += DELAY / 2;
    type("r1-j1", 4, "young\r");
    assert_string_equal(look(0), "");
    now.mono_us += DELAY / 2 - 1;
    assert_string_equal(look(0), "");
    now.mono_us++;
    assert_string_equal(look(0), "r1-j1:0:0:1:old|");
    assert_string_equal(look(0), "");
    now.mono_us += DELAY / 2;
    assert_string_equal(look(0), "r1-j1:0:0:4:young\r|");
}

/* The journal's own times do not count: a machine's clock may be wrong. A desk that was away gives
 * nothing at once, either. */
static void test_a_new_desk(void **state)
{
    (void)state;
    type("r1-j1", 1, "x");
    look(0);
    now.mono_us += DELAY;
    assert_string_equal(look(0), "r1-j1:0:0:1:x|");
    feed_destroy(feed);
    assert_int_equal(feed_create(&feed, inbox, OWN, DELAY, NULL), BL_OK);
    feed_add(feed, "booth-1-judge");
    assert_string_equal(look(0), "");
    now.mono_us += DELAY;
    assert_string_equal(look(0), "r1-j1:0:0:1:x|");
}

static void test_a_new_process(void **state)
{
    (void)state;
    type("r1-j1", 1, "x");
    look(0);
    now.mono_us += DELAY;
    type("r1-j1", 2, "young");
    assert_string_equal(look(0), "r1-j1:0:0:1:x|");
    feed_rewind(feed);
    assert_string_equal(look(0), "r1-j1:0:0:1:x|");
}

/* Keys without room at the taker come with a later look, once, and in their order. */
static void test_a_full_taker(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 5; i++)
        type("r1-j1", i + 1, "x");
    look(0);
    now.mono_us += DELAY;
    room = 2;
    assert_string_equal(look(0), "r1-j1:0:0:1:x|r1-j1:0:0:2:x|");
    room = 2;
    assert_string_equal(look(0), "r1-j1:0:0:3:x|r1-j1:0:0:4:x|");
    assert_string_equal(look(0), "r1-j1:0:0:5:x|");
    assert_string_equal(look(0), "");
}

static void test_sealed_rounds(void **state)
{
    (void)state;
    type("r2-j1", 1, "two");
    type("r10-j1", 1, "ten");
    type("p1-j1", 1, "preliminary");
    look(0);
    now.mono_us += 1000 * DELAY;
    assert_string_equal(look(1), "");
    assert_string_equal(look(2), "r2-j1:0:0:1:two|");
    type("r2-j1", 4, "late");
    assert_string_equal(look(2), "r2-j1:0:0:4:late|");
    assert_string_equal(look(10), "r10-j1:0:0:1:ten|");
}

/* The names of journals are the booth's: what is no session of a round is never sealed. */
static void test_names_of_no_round(void **state)
{
    static const char *const names[] = {
        "r0-x",   "r0-j1",    "r1-x",   "r1-j1x", "r1-j0",     "r01-j1",        "r-1-j1",
        "r1-j1-", "r1-j1-2x", "r 1-j1", "r+1-j1", "r1-j1-2-3", "r4294967297-j1"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        type(names[i], 1, "x");
    type("r1-j2-2", 1, "again");
    assert_string_equal(look(0), "");
    assert_string_equal(look(9), "r1-j2-2:0:0:1:again|");
}

/* Judges' journals alone, and nothing of them but keys. */
static void test_nothing_else(void **state)
{
    const struct journal_record keys = records_keys(SIDE_LEFT, PARTY_ENTITY, 1, WALL, "x");
    unsigned count;
    const struct journal_record *sample = records_sample(&count);
    (void)state;
    append("booth-1-cable-a", "r1-j1-entity.journal", &keys);
    append("booth-1-cable-a", "r1-j1-judge.journal", &keys);
    append("booth-1-judge", "r1-j1-entity.journal", &keys);
    append("booth-1-judge", "-judge.journal", &keys);
    for (unsigned i = 0; i < count; i++)
        if (sample[i].kind != JOURNAL_KEYS)
            append("booth-1-judge", "r1-j1-judge.journal", &sample[i]);
    look(1);
    now.mono_us += DELAY;
    assert_string_equal(look(1), "");
}

/* A journal says its contest before its first key. */
static void test_another_contest(void **state)
{
    struct journal_record note = {
        .kind = JOURNAL_NOTE, .wall_us = WALL, .as.note = {.code = NOTE_CONTEST, .text = "2e"}};
    (void)state;
    append("booth-1-judge", "r1-j1-judge.journal", &note);
    type("r1-j1", 1, "other");
    note.as.note.text = OWN;
    append("booth-1-judge", "r1-j2-judge.journal", &note);
    type("r1-j2", 1, "own");
    type("r1-j3", 1, "earlier version");
    look(0);
    now.mono_us += DELAY;
    look(0);
    assert_null(strstr(seen, "other"));
    assert_non_null(strstr(seen, "own"));
    assert_non_null(strstr(seen, "earlier"));
}

/* The own journal of a name that another contest's had first lies in the place's next folder. */
static void test_behind_another_contest(void **state)
{
    struct journal_record note = {
        .kind = JOURNAL_NOTE, .wall_us = WALL, .as.note = {.code = NOTE_CONTEST, .text = "2e"}};
    const struct journal_record keys = records_keys(SIDE_LEFT, PARTY_JUDGE, 1, WALL, "own");
    (void)state;
    append("booth-1-judge", "r1-j1-judge.journal", &note);
    type("r1-j1", 1, "other");
    scratch_run(folder, "mkdir inbox/booth-1-judge-2");
    note.as.note.text = OWN;
    append("booth-1-judge-2", "r1-j1-judge.journal", &note);
    append("booth-1-judge-2", "r1-j1-judge.journal", &keys);
    assert_string_equal(look(0), "");
    now.mono_us += DELAY - 1;
    assert_string_equal(look(0), "");
    now.mono_us++;
    assert_string_equal(look(0), "r1-j1:0:0:1:own|");
}

/* Random growth and looks: each key is given once, in its order, and never before its delay. */
static void test_random(void **state)
{
    struct dice dice = dice_make(dice_seed("feed"));
    uint64_t written_us[400] = {0};
    unsigned written = 0, given = 0;
    (void)state;
    while (given < 400) {
        for (unsigned i = dice_below(&dice, 4); i > 0 && written < 400; i--, written++) {
            type("r1-j1", written + 1, "x");
            written_us[written] = now.mono_us;
        }
        look(0);
        for (const char *at = seen; *at; at = strchr(at, '|') + 1, given++) {
            assert_int_equal(strtoul(at + strlen("r1-j1:0:0:"), NULL, 10), given + 1);
            assert_true(now.mono_us - written_us[given] >= DELAY);
        }
        now.mono_us += dice_below(&dice, 20) * SECOND;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_delay, begin, end),
        cmocka_unit_test_setup_teardown(test_a_new_desk, begin, end),
        cmocka_unit_test_setup_teardown(test_a_new_process, begin, end),
        cmocka_unit_test_setup_teardown(test_a_full_taker, begin, end),
        cmocka_unit_test_setup_teardown(test_sealed_rounds, begin_sealed, end),
        cmocka_unit_test_setup_teardown(test_names_of_no_round, begin_sealed, end),
        cmocka_unit_test_setup_teardown(test_nothing_else, begin, end),
        cmocka_unit_test_setup_teardown(test_another_contest, begin, end),
        cmocka_unit_test_setup_teardown(test_behind_another_contest, begin, end),
        cmocka_unit_test_setup_teardown(test_random, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
