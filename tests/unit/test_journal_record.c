/* Records: the way there and back, and what damage costs. */
#include "journal/journal.h"
#include "tests/support/records.h"
#include "tests/support/fake_disk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct journal_scratch scratch;

static void test_every_kind_round_trips(void **state)
{
    unsigned count;
    const struct journal_record *sample = records_sample(&count);
    (void)state;
    for (unsigned i = 0; i < count; i++) {
        uint8_t record[JOURNAL_RECORD_MAX];
        struct journal_record back;
        size_t length = journal_encode(&sample[i], record);
        assert_true(length > 0);
        assert_int_equal(record[0], 0xB1);
        assert_int_equal(journal_decode(record, length, &back, &scratch), (long)length);
        assert_true(records_equal(&sample[i], &back));
    }
}

static void test_random_entries_round_trip(void **state)
{
    struct dice dice = dice_make(dice_seed("random_entries_round_trip"));
    (void)state;
    for (int i = 0; i < 20000; i++) {
        uint8_t record[JOURNAL_RECORD_MAX];
        struct journal_record back, e = records_random(&dice);
        size_t length = journal_encode(&e, record);
        assert_true(length > 0);
        assert_int_equal(journal_decode(record, length, &back, &scratch), (long)length);
        assert_true(records_equal(&e, &back));
        /* Any part of it asks for more. */
        assert_int_equal(journal_decode(record, dice_below(&dice, length), &back, &scratch), 0);
    }
}

static void test_one_key_is_short(void **state)
{
    uint8_t record[JOURNAL_RECORD_MAX];
    struct journal_record e = records_keys(SIDE_LEFT, PARTY_JUDGE, 1, 1, "a");
    (void)state;
    assert_in_range(journal_encode(&e, record), 1, 40);
}

static void test_what_is_no_entry_is_not_written(void **state)
{
    uint8_t record[JOURNAL_RECORD_MAX];
    static uint8_t many[JOURNAL_TEXT_MAX + 1];
    struct journal_record e;
    static const char *const bad[] = {"",     "\x1b[31m", "a\n",
                                      "\x7f", "\xc2\x85", "\xed\xa0\x80",
                                      "\xc3", "\xff",     "ab\xf0\x9f\x98"};
    (void)state;
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        e = records_keys(SIDE_LEFT, PARTY_JUDGE, 1, 1, bad[i]);
        assert_int_equal(journal_encode(&e, record), 0);
    }
    memset(many, 'x', sizeof many);
    e = records_keys(SIDE_LEFT, PARTY_JUDGE, 1, 1, "x");
    e.as.keys.run.text = many;
    e.as.keys.run.length = sizeof many;
    assert_int_equal(journal_encode(&e, record), 0);
    e.as.keys.run.length--;
    assert_true(journal_encode(&e, record) > 0);
    e.as.keys.first = 0;
    assert_int_equal(journal_encode(&e, record), 0);
    e = records_header("a b", PARTY_JUDGE, 1);
    assert_int_equal(journal_encode(&e, record), 0);
    e = records_header("12345678901234567890123456789012345678901", PARTY_JUDGE, 1);
    assert_int_equal(journal_encode(&e, record), 0);
    e = (struct journal_record){.kind = JOURNAL_UNPLACED, .as.unplaced = {.first = 5, .last = 4}};
    assert_int_equal(journal_encode(&e, record), 0);
    e = (struct journal_record){.kind = (enum journal_kind)99};
    assert_int_equal(journal_encode(&e, record), 0);
}

static void test_a_note_becomes_one_line(void **state)
{
    uint8_t record[JOURNAL_RECORD_MAX];
    char text[NOTE_MAX + 10];
    struct journal_record back,
        e = {.kind = JOURNAL_NOTE, .as.note = {.code = NOTE_ENTRY, .text = text}};
    (void)state;
    strcpy(text, "a\nb\x1b[31m \xff \xc3\xbc");
    size_t length = journal_encode(&e, record);
    assert_int_equal(journal_decode(record, length, &back, &scratch), (long)length);
    assert_string_equal(back.as.note.text, "a?b?[31m ? \xc3\xbc");
    /* Cut before a character that does not fit whole. */
    memset(text, 'x', NOTE_MAX - 1);
    strcpy(text + NOTE_MAX - 1, "\xc3\xbc");
    length = journal_encode(&e, record);
    assert_int_equal(journal_decode(record, length, &back, &scratch), (long)length);
    assert_int_equal(strlen(back.as.note.text), NOTE_MAX - 1);
}

/* A file of the sample's records, and where each record ends. */
static uint8_t file[4096];
static size_t ends[32], file_length;
static unsigned file_entries;

static void make_file(void)
{
    const struct journal_record *sample = records_sample(&file_entries);
    file_length = 0;
    for (unsigned i = 0; i < file_entries; i++) {
        uint8_t record[JOURNAL_RECORD_MAX];
        size_t length = journal_encode(&sample[i], record);
        memcpy(file + file_length, record, length);
        file_length += length;
        ends[i] = file_length;
    }
}

/* Notes which of the sample's records come, in order. */
struct seen {
    unsigned next;
    bool missing[32];
    unsigned strange;
};

static void on_entry(void *ctx, const struct journal_record *record)
{
    struct seen *s = ctx;
    unsigned count;
    const struct journal_record *sample = records_sample(&count);
    while (s->next < count && !records_equal(&sample[s->next], record))
        s->missing[s->next++] = true;
    if (s->next == count)
        s->strange++;
    else
        s->next++;
}

static void test_a_cut_at_every_byte_costs_the_torn_record(void **state)
{
    struct fake_disk *fake = fake_disk_create(1);
    (void)state;
    make_file();
    for (size_t cut = ends[0]; cut <= file_length; cut++) {
        struct seen seen = {0};
        struct journal_report report;
        struct journal *j;
        struct bl_diag diag;
        unsigned whole = 0;
        size_t left;
        while (whole < file_entries && ends[whole] <= cut)
            whole++;
        fake_disk_put(fake, "f", file, cut);
        struct journal_record header = records_header("x", PARTY_JUDGE, 1);
        assert_int_equal(
            journal_open(&j, fake_disk_face(fake), "f", &header, on_entry, &seen, &report, &diag),
            BL_OK);
        assert_int_equal(seen.next, whole);
        assert_int_equal(seen.strange, 0);
        assert_int_equal(report.records, whole);
        assert_int_equal(report.damaged, 0);
        assert_int_equal(report.torn_bytes, cut - ends[whole - 1]);
        assert_non_null(fake_disk_bytes(fake, "f", &left));
        assert_int_equal(left, ends[whole - 1]);
        journal_close(j);
    }
    fake_disk_destroy(fake);
}

static void test_a_flip_anywhere_costs_the_record_it_touches(void **state)
{
    struct fake_disk *fake = fake_disk_create(1);
    (void)state;
    make_file();
    for (size_t at = 0; at < file_length; at++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            struct seen seen = {0};
            struct journal_report report;
            unsigned hit = 0;
            while (ends[hit] <= at)
                hit++;
            file[at] ^= (uint8_t)(1u << bit);
            fake_disk_put(fake, "f", file, file_length);
            file[at] ^= (uint8_t)(1u << bit);
            assert_int_equal(
                journal_read(fake_disk_face(fake), "f", on_entry, &seen, &report, NULL), BL_OK);
            assert_int_equal(report.records, file_entries - 1);
            assert_int_equal(seen.strange, 0);
            for (unsigned i = 0; i < seen.next; i++)
                assert_int_equal(seen.missing[i], i == hit);
            if (hit == file_entries - 1) {
                assert_int_equal(seen.next, hit);
                assert_int_equal(report.torn_bytes, ends[hit] - ends[hit - 1]);
                assert_int_equal(report.damaged, 0);
            } else {
                assert_int_equal(report.damaged, 1);
                assert_int_equal(report.torn_bytes, 0);
                assert_int_equal(report.first_damage, hit ? ends[hit - 1] : 0);
            }
        }
    }
    fake_disk_destroy(fake);
}

static void test_random_garbage_between_records(void **state)
{
    struct dice dice = dice_make(dice_seed("random_garbage_between_records"));
    static uint8_t bytes[200000];
    struct fake_disk *fake = fake_disk_create(1);
    (void)state;
    make_file();
    for (int round = 0; round < 20; round++) {
        struct seen seen = {0};
        struct journal_report report;
        size_t length = 0;
        for (unsigned i = 0; i < file_entries; i++) {
            size_t from = i ? ends[i - 1] : 0;
            memcpy(bytes + length, file + from, ends[i] - from);
            length += ends[i] - from;
            /* Also some that look like beginnings, and more than the reader holds at once. */
            for (uint64_t n = dice_below(&dice, i == 3 ? 40000 : 700); n > 0; n--)
                bytes[length++] = dice_below(&dice, 3) ? (uint8_t)dice_next(&dice) : 0xB1;
            bytes[length++] = 0xB1;
        }
        fake_disk_put(fake, "f", bytes, length);
        assert_int_equal(journal_read(fake_disk_face(fake), "f", on_entry, &seen, &report, NULL),
                         BL_OK);
        assert_int_equal(report.records, file_entries);
        assert_int_equal(seen.next, file_entries);
        assert_int_equal(report.damaged, file_entries - 1);
        assert_true(report.torn_bytes >= 1);
    }
    fake_disk_destroy(fake);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kind_round_trips),
        cmocka_unit_test(test_random_entries_round_trip),
        cmocka_unit_test(test_one_key_is_short),
        cmocka_unit_test(test_what_is_no_entry_is_not_written),
        cmocka_unit_test(test_a_note_becomes_one_line),
        cmocka_unit_test(test_a_cut_at_every_byte_costs_the_torn_record),
        cmocka_unit_test(test_a_flip_anywhere_costs_the_record_it_touches),
        cmocka_unit_test(test_random_garbage_between_records),
    };
    return cmocka_run_group_tests_name("journal_entry", tests, NULL, NULL);
}
