/* The booths on the manager's page, from records in a desk's folder as they grow: state, keys,
 * faults with the manager's next action, and records that are not there yet. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/file.h"
#include "booth/line_notes.h"
#include "desk/tiles.h"
#include "journal/journal.h"
#include "rules/ballot_file.h"
#include "rules/rulesets.h"
#include "session/end.h"
#include "tests/support/drawn.h"
#include "tests/support/records.h"
#include "tests/support/scratch.h"

#define SECOND      UINT64_C(1000000)
#define WALL        (UINT64_C(1795289010) * SECOND)
#define JUDGE       "booth-1-judge"
#define CABLE_A     "booth-1-cable-a"
#define CABLE_B     "booth-1-cable-b"
#define JOURNAL     JUDGE "/r1-j1-judge.journal"
#define ENTITY      "r1-j1-entity.journal"
#define SECOND_COPY JUDGE "-2/r1-j1-judge.journal"
#define UNPLUGGED   "nothing was heard from it for 3 s: look at its cable"

static char folder[SCRATCH_MAX];
static struct tiles *tiles;
static struct bl_time now;
static json_t *shown; /* what the page is given */
static char text[65536];

static const char *path_of(const char *name)
{
    static char path[SCRATCH_MAX + 80];
    snprintf(path, sizeof path, "%s/inbox/%s", folder, name);
    return path;
}

static void append(const char *name, const void *bytes, size_t length)
{
    FILE *file = fopen(path_of(name), "ab");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void append_record(const char *name, const struct journal_record *record)
{
    uint8_t bytes[JOURNAL_RECORD_MAX];
    append(name, bytes, journal_encode(record, bytes));
}

static void append_header(const char *name, const char *session, enum party role)
{
    const struct journal_record record = records_header(session, role, WALL);
    append_record(name, &record);
}

static void append_keys(enum side side, enum party party, uint64_t first, uint64_t at,
                        const char *keys)
{
    const struct journal_record record = records_keys(side, party, first, WALL + at * SECOND, keys);
    append_record(JOURNAL, &record);
}

static void append_segment(enum side side, enum segment_state state, uint64_t at, uint64_t left)
{
    const struct journal_record record = {
        .kind = JOURNAL_SEGMENT,
        .side = side,
        .wall_us = WALL + at * SECOND,
        .as.segment = {.generation = 1, .state = state, .remaining_us = left * SECOND}};
    append_record(JOURNAL, &record);
}

static void append_note(enum side side, enum note_code code, const char *words)
{
    const struct journal_record record = {.kind = JOURNAL_NOTE,
                                          .side = side,
                                          .wall_us = WALL,
                                          .as.note = {.code = code, .text = words}};
    append_record(JOURNAL, &record);
}

/* The place sends, and the page is drawn. */
static void look(const char *place, const char *fault)
{
    struct json_text out = {.at = text, .room = sizeof text};
    if (place)
        tiles_hear(tiles, place, TILE_RECORDS, fault, "what to do", now);
    tiles_look(tiles, now);
    json_put(&out, "{");
    tiles_write(tiles, now, &out);
    json_put(&out, "}");
    assert_false(out.full);
    json_decref(shown);
    shown = json_loadb(text, out.length, 0, NULL);
    assert_non_null(shown);
}

static const json_t *tile(void)
{
    return json_array_get(json_object_get(shown, "tiles"), 0);
}

static const char *word(const char *name)
{
    const char *value = json_string_value(json_object_get(tile(), name));
    return value ? value : "";
}

static json_int_t number(const char *name)
{
    return json_integer_value(json_object_get(tile(), name));
}

static json_int_t of_side(unsigned side, const char *name)
{
    return json_integer_value(
        json_object_get(json_array_get(json_object_get(tile(), "sides"), side), name));
}

/* The text of the first alarm; "": there is none. */
static const char *alarm_of(const char *name)
{
    const char *value = json_string_value(
        json_object_get(json_array_get(json_object_get(tile(), "alarms"), 0), name));
    return value ? value : "";
}

static const char *missing(unsigned which)
{
    const char *value =
        json_string_value(json_array_get(json_object_get(tile(), "missing"), which));
    return value ? value : "";
}

static int begin(void **state)
{
    char inbox[SCRATCH_MAX + 16];
    (void)state;
    now = (struct bl_time){.mono_us = 1000 * SECOND, .wall_us = WALL};
    if (scratch_begin(folder, "tiles"))
        return 1;
    scratch_run(folder, "mkdir -p inbox/" JUDGE " inbox/" CABLE_A " inbox/" CABLE_B);
    snprintf(inbox, sizeof inbox, "%s/inbox", folder);
    if (tiles_create(&tiles, inbox, NULL, 1000, NULL) != BL_OK)
        return 1;
    tiles_add(tiles, JUDGE, 0);
    tiles_add(tiles, CABLE_A, 0);
    tiles_add(tiles, CABLE_B, 0);
    return 0;
}

static int end(void **state)
{
    (void)state;
    tiles_destroy(tiles);
    json_decref(shown);
    shown = NULL;
    return scratch_end(folder);
}

static void test_nothing_yet(void **state)
{
    (void)state;
    look(NULL, NULL);
    assert_int_equal(json_array_size(json_object_get(shown, "tiles")), 1);
    assert_int_equal(number("booth"), 1);
    assert_int_equal(number("grade"), 0);
    assert_string_equal(word("session"), "");
    assert_int_equal(json_array_size(json_object_get(tile(), "machines")), 3);
}

static void test_a_session(void **state)
{
    (void)state;
    append_header(JOURNAL, "r1-j1", PARTY_JUDGE);
    append_segment(SIDE_LEFT, SEGMENT_WAITING, 0, 300);
    append_segment(SIDE_RIGHT, SEGMENT_WAITING, 0, 300);
    look(JUDGE, NULL);
    assert_string_equal(word("session"), "r1-j1");
    assert_string_equal(word("state"), "not begun");
    append_segment(SIDE_LEFT, SEGMENT_OPEN, 0, 300);
    append_keys(SIDE_LEFT, PARTY_JUDGE, 1, 2, "hello");
    append_keys(SIDE_LEFT, PARTY_ENTITY, 6, 4, "hé");
    append_keys(SIDE_LEFT, PARTY_ENTITY, 6, 4, "hé"); /* written again behind a restart */
    look(JUDGE, NULL);
    assert_string_equal(word("state"), "under way");
    assert_int_equal(of_side(0, "judge"), 5);
    assert_int_equal(of_side(0, "entity"), 2);
    assert_int_equal(number("clock"), 296);
    now.mono_us += 10 * SECOND;
    look(NULL, NULL);
    assert_int_equal(number("clock"), 286);
    assert_int_equal(of_side(0, "quiet"), 10);
    append_segment(SIDE_LEFT, SEGMENT_CLOSING, 299, 0);
    look(JUDGE, NULL);
    assert_string_equal(word("state"), "about to be cut");
    append_segment(SIDE_LEFT, SEGMENT_CLOSED, 300, 0);
    look(JUDGE, NULL);
    assert_string_equal(word("state"), "between parts");
    append_segment(SIDE_LEFT, SEGMENT_FINISHED, 300, 0);
    look(JUDGE, NULL);
    assert_string_equal(word("state"), "between parts");
    append_segment(SIDE_RIGHT, SEGMENT_FINISHED, 300, 0);
    look(JUDGE, NULL);
    assert_string_equal(word("state"), "over");
}

/* The other end's clock is years off; ours says the time since the record came. */
static void test_a_wrong_clock(void **state)
{
    (void)state;
    look(JUDGE, NULL);
    append_header(JOURNAL, "r1-j1", PARTY_JUDGE);
    append_segment(SIDE_LEFT, SEGMENT_OPEN, 0, 300);
    now.wall_us += 1000000 * SECOND;
    look(JUDGE, NULL);
    assert_int_equal(number("clock"), 300);
    now.mono_us += 400 * SECOND;
    look(NULL, NULL);
    assert_int_equal(number("clock"), 0);
}

static void test_faults(void **state)
{
    (void)state;
    append_header(JOURNAL, "r1-j1", PARTY_JUDGE);
    append_segment(SIDE_LEFT, SEGMENT_OPEN, 0, 300);
    append_note(SIDE_LEFT, NOTE_LINE, LINE_NOTES_UP);
    look(JUDGE, NULL);
    assert_int_equal(number("grade"), 0);
    append_note(SIDE_LEFT, NOTE_LINE, UNPLUGGED);
    look(JUDGE, NULL);
    assert_int_equal(number("grade"), 2);
    assert_string_equal(alarm_of("text"), "LEFT: " UNPLUGGED);
    assert_string_equal(alarm_of("todo"), "Go to booth 1.");
    append_note(SIDE_LEFT, NOTE_LINE, LINE_NOTES_UP);
    look(JUDGE, NULL);
    assert_int_equal(number("grade"), 0);
    append_note(SIDE_LEFT, NOTE_LINE, "a third end is at this line");
    append_keys(SIDE_LEFT, PARTY_ENTITY, 1, 5, "x");
    look(JUDGE, NULL);
    assert_int_equal(number("grade"), 0);
    append_note(SIDE_RIGHT, NOTE_STEWARD, END_STEWARD_CALLED);
    look(JUDGE, NULL);
    assert_string_equal(alarm_of("text"), "RIGHT: the steward is called.");
    append_note(SIDE_RIGHT, NOTE_STEWARD, END_STEWARD_BACK);
    append_note(SIDE_LEFT, NOTE_DISK, "the disk is full");
    look(JUDGE, NULL);
    assert_string_equal(alarm_of("text"), "The judge's machine: the disk is full");
}

static void test_silence(void **state)
{
    (void)state;
    append_header(JOURNAL, "r1-j1", PARTY_JUDGE);
    append_segment(SIDE_LEFT, SEGMENT_OPEN, 0, 300);
    look(JUDGE, NULL);
    now.mono_us += 14 * SECOND;
    look(NULL, NULL);
    assert_int_equal(number("grade"), 0);
    now.mono_us += SECOND;
    look(NULL, NULL);
    assert_string_equal(alarm_of("text"),
                        "Nothing came from the judge's machine for 15 s, in an open session.");
    append_segment(SIDE_LEFT, SEGMENT_FINISHED, 300, 0);
    look(JUDGE, NULL);
    now.mono_us += 100 * SECOND;
    look(NULL, NULL);
    assert_int_equal(number("grade"), 0);
}

/* A desk that is started again hears nothing of a booth that is away. */
static void test_silence_from_the_start(void **state)
{
    (void)state;
    append_header(JOURNAL, "r1-j1", PARTY_JUDGE);
    append_segment(SIDE_LEFT, SEGMENT_OPEN, 0, 300);
    look(NULL, NULL);
    now.mono_us += 14 * SECOND;
    look(NULL, NULL);
    assert_int_equal(number("grade"), 0);
    now.mono_us += SECOND;
    look(NULL, NULL);
    assert_string_equal(alarm_of("text"),
                        "Nothing came from the judge's machine for 15 s, in an open session.");
}

/* A key file that is newer than the records, as a copy of it is, hides no silence. */
static void test_silence_beside_a_new_key(void **state)
{
    (void)state;
    append_header(JOURNAL, "r1-j1", PARTY_JUDGE);
    append_segment(SIDE_LEFT, SEGMENT_OPEN, 0, 300);
    tiles_add(tiles, JUDGE, INT64_MAX);
    look(NULL, NULL);
    now.mono_us += 15 * SECOND;
    look(NULL, NULL);
    assert_int_equal(number("grade"), 2);
    assert_string_equal(alarm_of("text"),
                        "Nothing came from the judge's machine for 15 s, in an open session.");
}

static void test_a_refused_machine(void **state)
{
    (void)state;
    look(CABLE_B, "it has sent 512 files");
    assert_string_equal(alarm_of("text"),
                        "Of the machine at cable B a record is not taken: it has sent 512 files");
    assert_string_equal(alarm_of("todo"), "what to do");
    assert_int_equal(number("grade"), 2);
    now.mono_us += 10 * SECOND;
    look(CABLE_B, NULL);
    assert_int_equal(number("grade"), 0);
    look("../booth-1-judge", "a fault");
    look("booth-2-judge", NULL);
    assert_int_equal(json_array_size(json_object_get(shown, "tiles")), 1);
}

static void hear(enum tile_matter matter, const char *fault)
{
    now.mono_us += 3 * SECOND;
    tiles_hear(tiles, JUDGE, matter, fault, "what to do", now);
    look(NULL, NULL);
}

/* A fault that comes again and again stands in between, and a good message of another matter does
 * not end it. */
static void test_good_beside_bad(void **state)
{
    static const char *const told[TILE_MATTERS] = {
        "Of the judge's machine nothing is taken: bad",
        "For the judge's machine there are no tickets: bad",
        "Of the judge's machine a record is not taken: bad"};
    (void)state;
    for (enum tile_matter bad = TILE_SEAL; bad < TILE_MATTERS; bad++) {
        for (unsigned i = 0; i < 20; i++) {
            hear(bad, "bad");
            assert_string_equal(alarm_of("text"), told[bad]);
            for (enum tile_matter good = TILE_SEAL; good < TILE_MATTERS; good++) {
                tiles_hear(tiles, JUDGE, good, NULL, NULL, now);
                look(NULL, NULL);
                assert_string_equal(alarm_of("text"), told[bad]);
            }
        }
        for (unsigned i = 0; bad != TILE_SEAL && i < 20; i++) {
            hear(TILE_SEAL, NULL); /* a STATE */
            assert_string_equal(alarm_of("text"), told[bad]);
        }
        for (unsigned i = 0; i < 4; i++)
            hear(bad, NULL);
        assert_string_equal(alarm_of("text"), "");
    }
}

/* A new page with a place, whose contest's file is contest.db. */
static void begin_anew(const char *place)
{
    char path[SCRATCH_MAX + 16], inbox[SCRATCH_MAX + 16];
    snprintf(path, sizeof path, "%s/contest.db", folder);
    snprintf(inbox, sizeof inbox, "%s/inbox", folder);
    tiles_destroy(tiles);
    assert_int_equal(tiles_create(&tiles, inbox, path, 1000, NULL), BL_OK);
    tiles_add(tiles, place, 0);
}

/* Until the manager has taken both in. */
static void test_two_records(void **state)
{
    (void)state;
    begin_anew(CABLE_A);
    scratch_run(folder, "mkdir -p inbox/" CABLE_A "-2 contest.db.records/1 contest.db.records/2");
    append(CABLE_A "/" ENTITY, "one", 3);
    append(CABLE_A "-2/" ENTITY, "two", 3);
    scratch_run(folder, "cp inbox/" CABLE_A "/" ENTITY " contest.db.records/1");
    look(CABLE_A, NULL);
    assert_int_equal(number("grade"), 1);
    assert_string_equal(alarm_of("text"),
                        "From the machine at cable A came two different records of one name.");
    scratch_run(folder, "cp inbox/" CABLE_A "-2/" ENTITY " contest.db.records/2");
    now.mono_us += 6 * SECOND;
    look(NULL, NULL);
    assert_int_equal(number("grade"), 0);
}

/* The words of a machine's courier about it. */
static struct post_piece state_of;

static void look_at_state(const char *place)
{
    state_of.offset += 5 * SECOND;
    now.mono_us += 5 * SECOND;
    now.wall_us += 5 * SECOND;
    state_of.count++;
    state_of.run = tiles_run(tiles, place);
    tiles_hear_state(tiles, place, &state_of, now);
    look(place, NULL);
}

static void begin_state(void)
{
    state_of = (struct post_piece){.kind = POST_STATE,
                                   .copy = 1,
                                   .file = POST_NO_TICKET,
                                   .offset = now.wall_us,
                                   .room = UINT64_C(1) << 30,
                                   .number = 7};
    look_at_state(JUDGE);
    assert_int_equal(number("grade"), 0);
}

static void test_a_machines_clock(void **state)
{
    (void)state;
    begin_state();
    state_of.offset -= (3 * 60 + 7) * 60 * SECOND;
    look_at_state(JUDGE);
    assert_int_equal(number("grade"), 1);
    assert_string_equal(alarm_of("text"),
                        "The clock of the judge's machine is 3 h 07 min behind the desk's.");
    assert_non_null(strstr(alarm_of("todo"), "Set that clock between two sessions"));
    state_of.offset = now.wall_us + 120 * SECOND;
    look_at_state(CABLE_B);
    assert_string_equal(json_string_value(json_object_get(
                            json_array_get(json_object_get(tile(), "alarms"), 1), "text")),
                        "The clock of the machine at cable B is 0 h 02 min ahead of the desk's.");
    state_of.offset = now.wall_us + 59 * SECOND;
    look_at_state(CABLE_B);
    look_at_state(JUDGE);
    assert_int_equal(number("grade"), 0);
}

static void test_a_machines_disk(void **state)
{
    (void)state;
    append_header(JOURNAL, "r1-j1", PARTY_JUDGE);
    append_note(SIDE_LEFT, NOTE_DISK, "the disk is full: no more keys can be kept");
    look(JUDGE, NULL);
    assert_string_equal(alarm_of("text"),
                        "The judge's machine: the disk is full: no more keys can be kept");
    begin_state(); /* there is room again: the journal does not say so */
    state_of.room = 5u << 20;
    look_at_state(JUDGE);
    assert_int_equal(number("grade"), 1);
    assert_string_equal(alarm_of("text"),
                        "The disk of the judge's machine is nearly full: 5 MiB left.");
    assert_string_equal(alarm_of("todo"), "Make room on the disk of that machine.");
    state_of.room = 0;
    look_at_state(CABLE_A);
    assert_int_equal(number("grade"), 2);
    state_of.room = UINT64_C(1) << 30;
    look_at_state(JUDGE);
    assert_string_equal(alarm_of("text"), "The disk of the machine at cable A is full.");
    look_at_state(CABLE_A);
    assert_int_equal(number("grade"), 0);
}

/* A courier that is started again is no second machine, however often. */
static void test_a_spare_machine(void **state)
{
    (void)state;
    begin_state();
    for (unsigned i = 0; i < 40; i++) {
        state_of.number = 8 + i;
        state_of.count = 0;
        look_at_state(JUDGE);
        assert_int_equal(number("grade"), 0);
    }
    state_of.number = 46;
    state_of.count = 1;
    look_at_state(JUDGE);
    assert_int_equal(number("grade"), 2);
    assert_string_equal(alarm_of("text"),
                        "Two machines are at work in the place of the judge's machine.");
    assert_non_null(strstr(alarm_of("todo"), "Switch off the one"));
    for (unsigned i = 0; i < 3; i++)
        look_at_state(JUDGE);
    assert_int_equal(number("grade"), 0);
}

/* Somebody on the network has kept a day's STATEs, and plays them again: none of them counts, and
 * that is named. */
static void test_old_states(void **state)
{
    static struct post_piece kept[60];
    unsigned count = 0;
    (void)state;
    begin_state();
    for (unsigned start = 0; start < 20; start++) {
        state_of.number = 100 + start;
        state_of.count = 0;
        for (unsigned i = 0; i < 3; i++) {
            state_of.offset = now.wall_us + (i == 1 ? 3600 * SECOND : 0);
            state_of.room = i == 2 ? 0 : UINT64_C(1) << 30;
            look_at_state(JUDGE);
            kept[count++] = state_of;
        }
    }
    state_of.offset = now.wall_us;
    state_of.room = UINT64_C(1) << 30;
    look_at_state(JUDGE);
    assert_int_equal(number("grade"), 0);
    for (unsigned i = 0; i < count; i++) {
        tiles_hear_state(tiles, JUDGE, &kept[i], now);
        look(NULL, NULL);
        assert_true(number("grade") < 2);
        if (alarm_of("text")[0])
            assert_string_equal(
                alarm_of("text"),
                "Messages of the judge's machine come again that were here before.");
    }
    assert_int_equal(number("grade"), 1);
    now.mono_us += 15 * SECOND;
    look_at_state(JUDGE);
    assert_int_equal(number("grade"), 0);
}

/* Those of before this desk's start do not count, either, nor is a machine there by them. */
static void test_states_of_an_earlier_desk(void **state)
{
    struct post_piece old;
    char inbox[SCRATCH_MAX + 16];
    (void)state;
    append_header(JOURNAL, "r1-j1", PARTY_JUDGE);
    append_segment(SIDE_LEFT, SEGMENT_OPEN, 0, 300);
    begin_state();
    old = state_of;
    old.room = 0;
    tiles_destroy(tiles);
    snprintf(inbox, sizeof inbox, "%s/inbox", folder);
    assert_int_equal(tiles_create(&tiles, inbox, NULL, 2000, NULL), BL_OK);
    tiles_add(tiles, JUDGE, 0);
    look(NULL, NULL);
    for (unsigned i = 0; i < 16; i++) {
        now.mono_us += SECOND;
        old.count++;
        tiles_hear_state(tiles, JUDGE, &old, now);
        tiles_hear(tiles, JUDGE, TILE_SEAL, NULL, NULL, now);
        look(NULL, NULL);
    }
    assert_string_equal(alarm_of("text"),
                        "Nothing came from the judge's machine for 16 s, in an open session.");
    look_at_state(JUDGE);
    assert_int_equal(number("grade"), 0);
}

/* A courier of an earlier version does not know the desk's run. */
static void test_an_earlier_courier(void **state)
{
    (void)state;
    begin_state();
    tiles_destroy(tiles);
    char inbox[SCRATCH_MAX + 16];
    snprintf(inbox, sizeof inbox, "%s/inbox", folder);
    assert_int_equal(tiles_create(&tiles, inbox, NULL, 2000, NULL), BL_OK);
    tiles_add(tiles, JUDGE, 0);
    state_of.version = 1;
    state_of.run = state_of.count = 0;
    state_of.room = 0;
    tiles_hear_state(tiles, JUDGE, &state_of, now);
    look(JUDGE, NULL);
    assert_string_equal(alarm_of("text"), "The disk of the judge's machine is full.");
}

static void test_disputed_tickets(void **state)
{
    (void)state;
    begin_state();
    snprintf(state_of.file, sizeof state_of.file, "001.ticket");
    look_at_state(JUDGE);
    assert_int_equal(number("grade"), 1);
    assert_string_equal(alarm_of("text"), "Stick and desk have brought the judge's machine "
                                          "different tickets (001.ticket). The stick's count.");
    assert_string_equal(alarm_of("todo"), "Write the sticks anew, and put in that room's stick.");
    snprintf(state_of.file, sizeof state_of.file, POST_NO_TICKET);
    look_at_state(JUDGE);
    assert_int_equal(number("grade"), 0);
}

/* The key was taken back behind its records: the place comes with the new one, or not at all. */
static void test_a_new_key(void **state)
{
    (void)state;
    append(CABLE_A "/" ENTITY, "one", 3);
    look(NULL, NULL);
    assert_int_equal(number("grade"), 0);
    tiles_add(tiles, CABLE_A, INT64_MAX);
    look(NULL, NULL);
    assert_int_equal(number("grade"), 1);
    assert_string_equal(alarm_of("text"), "The desk has a new key for the machine at cable A, "
                                          "with which nothing has come yet.");
    assert_non_null(strstr(alarm_of("todo"), "put in that room's stick, which brings the key"));
    look(CABLE_A, NULL);
    assert_int_equal(number("grade"), 0);
}

static void test_missing(void **state)
{
    (void)state;
    append_header(JOURNAL, "r1-j1", PARTY_JUDGE);
    append_segment(SIDE_LEFT, SEGMENT_OPEN, 0, 300);
    append_segment(SIDE_RIGHT, SEGMENT_OPEN, 0, 300);
    look(JUDGE, NULL);
    assert_string_equal(missing(0), "");
    append_segment(SIDE_LEFT, SEGMENT_FINISHED, 0, 0);
    append_segment(SIDE_RIGHT, SEGMENT_FINISHED, 0, 0);
    look(JUDGE, NULL);
    assert_string_equal(missing(0), "r1-j1: 2 of 2 entities' records, which come between sessions");
    append_header(CABLE_B "/r1-j1-entity.journal", "r1-j1", PARTY_ENTITY);
    look(CABLE_B, NULL);
    assert_string_equal(missing(0), "r1-j1: 1 of 2 entities' records, which come between sessions");
    append_header(CABLE_A "/r1-j1-entity.journal", "r1-j1", PARTY_ENTITY);
    look(CABLE_A, NULL);
    assert_string_equal(missing(0), "");
}

/* The names of records are the booth's; the page stays within its bounds. */
static void test_much_is_missing(void **state)
{
    char name[80], session[16];
    (void)state;
    for (unsigned i = 1; i <= 100; i++) {
        snprintf(session, sizeof session, "r%u-j1", i);
        snprintf(name, sizeof name, JUDGE "/%s-judge.journal", session);
        append_header(name, session, PARTY_JUDGE);
        for (enum side side = 0; side < SIDES; side++) {
            const struct journal_record record = {
                .kind = JOURNAL_SEGMENT,
                .side = side,
                .wall_us = WALL,
                .as.segment = {.generation = 1, .state = SEGMENT_FINISHED}};
            append_record(name, &record);
        }
    }
    look(JUDGE, NULL);
    assert_int_equal(json_array_size(json_object_get(tile(), "missing")), 20);
}

/* The session of the record that grew last, whichever began first. */
static void test_the_last_session(void **state)
{
    (void)state;
    append_header(JUDGE "/r2-j1-judge.journal", "r2-j1", PARTY_JUDGE);
    append_header(JOURNAL, "r1-j1", PARTY_JUDGE);
    look(JUDGE, NULL);
    now.mono_us += SECOND;
    append_keys(SIDE_LEFT, PARTY_JUDGE, 1, 0, "x");
    look(JUDGE, NULL);
    assert_string_equal(word("session"), "r1-j1");
    now.mono_us += SECOND;
    append_header(JUDGE "/r2-j1-judge.journal", "r2-j1", PARTY_JUDGE);
    look(JUDGE, NULL);
    assert_string_equal(word("session"), "r2-j1");
}

/* Bytes come in pieces; some are damaged; a desk whose disk failed has taken some back. */
static void test_pieces(void **state)
{
    struct journal_record keys = records_keys(SIDE_LEFT, PARTY_JUDGE, 1, WALL, "whole");
    uint8_t bytes[JOURNAL_RECORD_MAX];
    size_t length = journal_encode(&keys, bytes);
    (void)state;
    append_header(JOURNAL, "r1-j1", PARTY_JUDGE);
    append(JOURNAL, "damaged", 7);
    for (size_t i = 0; i < length; i++) {
        append(JOURNAL, bytes + i, 1);
        look(JUDGE, NULL);
        assert_int_equal(of_side(0, "judge"), i + 1 == length ? 5 : 0);
    }
    assert_int_equal(truncate(path_of(JOURNAL), 0), 0);
    append_header(JOURNAL, "r1-j2", PARTY_JUDGE);
    look(JUDGE, NULL);
    assert_string_equal(word("session"), "r1-j2");
    assert_int_equal(of_side(0, "judge"), 0);
    scratch_run(folder, "ln -s /etc/passwd inbox/" JUDGE "/r9-j9-judge.journal");
    look(JUDGE, NULL);
    assert_string_equal(word("session"), "r1-j2");
}

/* A contest of two seats under rules that reveal them so, and what the page says of each. */
static struct contest *contest;
static struct store *store;

static void hold(const char *reveal)
{
    char rules[16384], path[SCRATCH_MAX + 16];
    const char *text_of = "";
    struct bl_diag diag = {""};
    for (const struct built_text *at = ruleset_texts; at->name; at++)
        if (strcmp(at->name, "class") == 0)
            text_of = at->text;
    const char *line = strstr(text_of, "reveal = session");
    assert_non_null(line);
    assert_in_range(snprintf(rules, sizeof rules, "%.*s%s%s", (int)(line - text_of), text_of,
                             reveal, strchr(line, '\n')),
                    1, sizeof rules - 1);
    snprintf(path, sizeof path, "%s/contest.db", folder);
    assert_non_null(contest = contest_create());
    if (store_create(&store, path, &diag) != BL_OK)
        fail_msg("%s", diag.text);
    drawn_hold(store, contest, rules, 1);
    begin_anew(JUDGE);
    append_header(JOURNAL, "r1-j1", PARTY_JUDGE);
    append_segment(SIDE_LEFT, SEGMENT_OPEN, 0, 300);
    append_segment(SIDE_RIGHT, SEGMENT_OPEN, 0, 300);
}

static void vote(void)
{
    drawn_append(store, contest, "ballot",
                 json_loads("{\"judge\":1,\"entry\":1,\"confederate\":1,\"human\":true,"
                            "\"fields\":{\"sure\":4,\"reason\":\"quick\"}}",
                            0, NULL));
}

static void finish(void)
{
    append_segment(SIDE_LEFT, SEGMENT_FINISHED, 300, 0);
    append_segment(SIDE_RIGHT, SEGMENT_FINISHED, 300, 0);
}

/* The page as a whole: no side has a name as long as the seats are hidden. */
static void assert_told(bool told)
{
    look(JUDGE, NULL);
    const json_t *sides = json_object_get(tile(), "sides");
    bool left = strcmp(json_string_value(json_object_get(json_array_get(sides, 0), "who")),
                       "E1 Wimbot") == 0;
    assert_int_equal(json_array_size(sides), 2);
    for (unsigned i = 0; i < 2; i++)
        assert_string_equal(json_string_value(json_object_get(json_array_get(sides, i), "who")),
                            !told             ? "told behind the seal"
                            : left == (i > 0) ? "C1 Ann"
                                              : "E1 Wimbot");
}

static int let_go(void **state)
{
    store_close(store);
    contest_destroy(contest);
    store = NULL;
    contest = NULL;
    return end(state);
}

static void test_reveal_of_the_contest(void **state)
{
    (void)state;
    hold("reveal = contest");
    assert_told(false);
    finish();
    vote();
    assert_told(false);
    drawn_append(store, contest, "seal", json_pack("{s:i}", "round", 1));
    assert_told(false);
    drawn_append(store, contest, "seal", json_object());
    assert_told(true);
}

/* A ballot that was taken in while the session runs may still be corrected. */
static void test_reveal_of_the_session(void **state)
{
    (void)state;
    hold("reveal = session");
    vote();
    assert_told(false);
    finish();
    assert_told(true);
    drawn_append(store, contest, "repeat",
                 json_loads("{\"round\":1,\"judge\":1,\"why\":\"spoiled\"}", 0, NULL));
    assert_told(false);
}

static void test_reveal_without_a_ballot(void **state)
{
    (void)state;
    hold("reveal = session");
    finish();
    assert_told(false);
    vote();
    assert_told(true);
}

/* Without the line staff see the seats at all times. */
/* Between sessions, while another one is to come: a switch that drops all in silence. */
static void test_silence_between_sessions(void **state)
{
    (void)state;
    hold("reveal = session");
    finish();
    look(JUDGE, NULL);
    now.mono_us += 100 * SECOND;
    look(NULL, NULL);
    assert_string_equal(word("next"), "");
    assert_int_equal(number("grade"), 0);
    scratch_run(folder, "rm inbox/" JOURNAL);
    begin_anew(JUDGE);
    look(JUDGE, NULL);
    assert_string_not_equal(word("next"), "");
    now.mono_us += 14 * SECOND;
    look(NULL, NULL);
    assert_int_equal(number("grade"), 0);
    now.mono_us += SECOND;
    look(NULL, NULL);
    assert_int_equal(number("grade"), 1);
    assert_string_equal(alarm_of("text"), "Nothing came from the judge's machine for 15 s.");
    look(JUDGE, NULL);
    assert_int_equal(number("grade"), 0);
}

static void test_no_reveal(void **state)
{
    (void)state;
    hold("");
    assert_told(true);
}

/* A journal of another contest is not shown, and is no session that was held. */
static void test_another_contest(void **state)
{
    (void)state;
    hold("");
    append_note(SIDE_LEFT, NOTE_CONTEST, "1");
    look(JUDGE, NULL);
    assert_string_equal(word("session"), "");
    assert_string_equal(
        alarm_of("text"),
        "From the judge's machine came a record of another contest, which is not shown.");
    assert_string_equal(word("next"), "r1-j1, J1 Adalinde");
    append_keys(SIDE_LEFT, PARTY_JUDGE, 1, 1, "x");
    look(JUDGE, NULL);
    assert_string_equal(word("session"), "");
    append_header("booth-1-judge/r2-j1-judge.journal", "r2-j1", PARTY_JUDGE);
    look(JUDGE, NULL);
    assert_string_not_equal(
        alarm_of("text"),
        "From the judge's machine came a record of another contest, which is not shown.");
}

/* Another contest's record that came first under a name: the booth lays it aside, and the desk has
 * the own one of that name in the next folder. */
static void test_behind_another_contest(void **state)
{
    (void)state;
    hold("");
    append_note(SIDE_LEFT, NOTE_CONTEST, "1");
    look(JUDGE, NULL);
    scratch_run(folder, "mkdir -p inbox/" JUDGE "-2");
    append_header(SECOND_COPY, "r1-j1", PARTY_JUDGE);
    for (enum side side = 0; side < SIDES; side++) {
        const struct journal_record record = {
            .kind = JOURNAL_SEGMENT,
            .side = side,
            .wall_us = WALL,
            .as.segment = {.generation = 1, .state = SEGMENT_OPEN, .remaining_us = 9 * SECOND}};
        append_record(SECOND_COPY, &record);
    }
    now.mono_us += 6 * SECOND;
    look(JUDGE, NULL);
    assert_string_equal(word("session"), "r1-j1");
    assert_string_equal(word("state"), "under way");
    assert_string_equal(word("next"), "");
    assert_string_equal(alarm_of("text"), "");
    assert_int_equal(json_integer_value(json_object_get(
                         json_array_get(json_object_get(tile(), "machines"), 0), "records")),
                     1);
}

/* Entities' records and ballots of another contest are not those that are missing. */
static void test_missing_of_another_contest(void **state)
{
    struct journal_record note = {.kind = JOURNAL_NOTE,
                                  .side = SIDE_LEFT,
                                  .wall_us = WALL,
                                  .as.note = {.code = NOTE_CONTEST, .text = "1"}};
    const struct ballot_head head = {.session = "r1-j1",
                                     .rules = "loebner-2004",
                                     .contest = "1",
                                     .vote = {.kind = BALLOT_POINTS},
                                     .sealing = SEALED_WITH_SESSION};
    char line[BALLOT_LINE_MAX];
    (void)state;
    hold("");
    tiles_add(tiles, CABLE_A, 0);
    finish();
    append_header(CABLE_A "/" ENTITY, "r1-j1", PARTY_ENTITY);
    append_record(CABLE_A "/" ENTITY, &note);
    const size_t length = ballot_head_write(&head, line);
    append(JUDGE "/r1-j1-judge.ballot", line, length);
    look(CABLE_A, NULL);
    look(JUDGE, NULL);
    assert_string_equal(missing(0), "r1-j1: the ballot");
    assert_string_equal(missing(1), "r1-j1: 2 of 2 entities' records, which come between sessions");
    scratch_run(folder, "mkdir -p inbox/" CABLE_A "-2");
    append_header(CABLE_A "-2/" ENTITY, "r1-j1", PARTY_ENTITY);
    look(CABLE_A, NULL);
    assert_string_equal(missing(1), "r1-j1: 1 of 2 entities' records, which come between sessions");
}

/* The contest's file is held by a writer as the desk starts; the records are known before it. */
static void test_a_busy_contest(void **state)
{
    (void)state;
    hold("");
    append_note(SIDE_LEFT, NOTE_CONTEST, "1");
    scratch_run(folder, "mv contest.db away");
    look(JUDGE, NULL);
    scratch_run(folder, "mv away contest.db");
    look(NULL, NULL);
    assert_string_equal(word("session"), "");
    assert_string_equal(word("next"), "r1-j1, J1 Adalinde");
}

static void look_often(void)
{
    for (unsigned i = 0; i < 5; i++) {
        now.mono_us += 6 * SECOND;
        look(NULL, NULL);
    }
}

/* Each of a day's differing records counts until it was taken in. */
static void test_many_records(void **state)
{
    (void)state;
    begin_anew(CABLE_A);
    scratch_run(folder, "mkdir -p inbox/" CABLE_A "-2 contest.db.records/1 contest.db.records/2; "
                        "for i in $(seq 150); do echo one >inbox/" CABLE_A "/r$i-j1-judge.ballot; "
                        "echo two >inbox/" CABLE_A "-2/r$i-j1-judge.ballot; done; "
                        "cp inbox/" CABLE_A "/* contest.db.records/1; "
                        "cp inbox/" CABLE_A "-2/* contest.db.records/2");
    look(CABLE_A, NULL);
    look_often();
    assert_int_equal(number("grade"), 0);
    for (unsigned i = 25; i <= 150; i += 25) {
        char command[120];
        snprintf(command, sizeof command, "echo three >>inbox/" CABLE_A "-2/r%u-j1-judge.ballot",
                 i);
        scratch_run(folder, command);
        look(CABLE_A, NULL);
        look_often();
        assert_int_equal(number("grade"), 1);
        scratch_run(folder, "cp --remove-destination inbox/" CABLE_A "-2/* contest.db.records/2");
        look_often();
        assert_int_equal(number("grade"), 0);
    }
}

static const char *next_session(unsigned confederate)
{
    static char session[TILE_NEXT];
    tiles_look(tiles, now);
    tiles_next_session(tiles, confederate, session);
    return session;
}

/* A session is no longer to come once a judge's machine of any booth has a record of it, for a
 * spare machine may have another's place; one that is held again is. */
static void test_the_next_session(void **state)
{
    (void)state;
    hold("reveal = session");
    tiles_add(tiles, "booth-2-judge", 0);
    look(JUDGE, NULL);
    assert_string_equal(next_session(1), "");
    drawn_append(store, contest, "repeat",
                 json_loads("{\"round\":1,\"judge\":1,\"why\":\"spoiled\"}", 0, NULL));
    assert_string_equal(next_session(1), "r1-j1-2");
    assert_string_equal(next_session(2), "");
    scratch_run(folder, "mkdir -p inbox/booth-2-judge");
    append_header("booth-2-judge/r1-j1-2-judge.journal", "r1-j1-2", PARTY_JUDGE);
    look("booth-2-judge", NULL);
    assert_string_equal(next_session(1), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_nothing_yet, begin, end),
        cmocka_unit_test_setup_teardown(test_a_session, begin, end),
        cmocka_unit_test_setup_teardown(test_a_wrong_clock, begin, end),
        cmocka_unit_test_setup_teardown(test_faults, begin, end),
        cmocka_unit_test_setup_teardown(test_silence, begin, end),
        cmocka_unit_test_setup_teardown(test_silence_from_the_start, begin, end),
        cmocka_unit_test_setup_teardown(test_silence_beside_a_new_key, begin, end),
        cmocka_unit_test_setup_teardown(test_a_refused_machine, begin, end),
        cmocka_unit_test_setup_teardown(test_good_beside_bad, begin, end),
        cmocka_unit_test_setup_teardown(test_two_records, begin, end),
        cmocka_unit_test_setup_teardown(test_a_machines_clock, begin, end),
        cmocka_unit_test_setup_teardown(test_a_machines_disk, begin, end),
        cmocka_unit_test_setup_teardown(test_a_spare_machine, begin, end),
        cmocka_unit_test_setup_teardown(test_old_states, begin, end),
        cmocka_unit_test_setup_teardown(test_states_of_an_earlier_desk, begin, end),
        cmocka_unit_test_setup_teardown(test_an_earlier_courier, begin, end),
        cmocka_unit_test_setup_teardown(test_disputed_tickets, begin, end),
        cmocka_unit_test_setup_teardown(test_a_new_key, begin, end),
        cmocka_unit_test_setup_teardown(test_missing, begin, end),
        cmocka_unit_test_setup_teardown(test_much_is_missing, begin, end),
        cmocka_unit_test_setup_teardown(test_the_last_session, begin, end),
        cmocka_unit_test_setup_teardown(test_pieces, begin, end),
        cmocka_unit_test_setup_teardown(test_reveal_of_the_contest, begin, let_go),
        cmocka_unit_test_setup_teardown(test_reveal_of_the_session, begin, let_go),
        cmocka_unit_test_setup_teardown(test_reveal_without_a_ballot, begin, let_go),
        cmocka_unit_test_setup_teardown(test_no_reveal, begin, let_go),
        cmocka_unit_test_setup_teardown(test_another_contest, begin, let_go),
        cmocka_unit_test_setup_teardown(test_behind_another_contest, begin, let_go),
        cmocka_unit_test_setup_teardown(test_missing_of_another_contest, begin, let_go),
        cmocka_unit_test_setup_teardown(test_a_busy_contest, begin, let_go),
        cmocka_unit_test_setup_teardown(test_many_records, begin, end),
        cmocka_unit_test_setup_teardown(test_the_next_session, begin, let_go),
        cmocka_unit_test_setup_teardown(test_silence_between_sessions, begin, let_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
