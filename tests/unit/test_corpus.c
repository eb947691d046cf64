/* A corpus of transcripts: each historic format in each encoding, with each line end and each kind
 * of damage. What is lost is counted and named, everything else is there, and what is written of it
 * is read as the same keys. */
#include "tests/support/corpus.h"
#include "tests/support/histories.h"

#include "base/cp1252.h"
#include "base/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct corpus_file file;
static struct history read;

static bool has_fault(enum history_fault_kind kind)
{
    for (size_t i = 0; i < read.faults; i++)
        if (read.fault[i].kind == kind)
            return true;
    return false;
}

static const char *where(const struct corpus_sample *sample, enum corpus_encoding encoding,
                         enum corpus_ends ends, enum corpus_damage damage)
{
    static char text[400];
    snprintf(text, sizeof text,
             "%s, encoding %d, line ends %d, damage %d: %zu keys, first fault %s",
             format_row(sample->format)->name, (int)encoding, (int)ends, (int)damage, read.keys,
             read.faults ? read.fault[0].text : "none");
    return text;
}

#define check(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fail_msg("%s\nnot so: %s", where(sample, encoding, ends, damage), #condition);         \
    } while (0)

/* Written in its own format and in ours, it is read as the same. */
static void check_back(const struct corpus_sample *sample, enum corpus_encoding encoding,
                       enum corpus_ends ends, enum corpus_damage damage)
{
    const enum format formats[] = {FORMAT_KEYS, sample->format};
    for (unsigned i = 0; i < 2; i++) {
        struct text text = {NULL, 0, 0};
        struct history back;
        histories_write(formats[i], &read, &text);
        histories_read(formats[i], text.bytes, text.length, &back);
        check(back.keys == read.keys);
        for (size_t k = 0; k < back.keys; k++)
            check(back.key[k].point == read.key[k].point && back.key[k].part == read.key[k].part &&
                  back.key[k].party == read.key[k].party &&
                  back.key[k].posted_us == read.key[k].posted_us);
        if (formats[i] == FORMAT_KEYS) {
            check(histories_differ(&back, &read) == NULL);
            check((back.damaged > 0) == (read.damaged > 0));
        }
        history_free(&back);
        text_free(&text);
    }
}

/* A form that is written alone is read as its next of kin, with the same keys in the same order. */
static void check_kin(const struct corpus_sample *sample, enum corpus_encoding encoding,
                      enum corpus_ends ends, enum corpus_damage damage)
{
    const enum format forms[] = {FORMAT_2003, FORMAT_PRINTED};
    for (unsigned i = 0; i < 2; i++) {
        struct text text = {NULL, 0, 0};
        struct history back;
        enum format found;
        histories_write(forms[i], &read, &text);
        check(format_detect((const uint8_t *)text.bytes, text.length, &found));
        histories_read(found, text.bytes, text.length, &back);
        check(back.keys == read.keys);
        for (size_t k = 0; k < back.keys; k++)
            check(back.key[k].point == read.key[k].point && back.key[k].party == read.key[k].party);
        history_free(&back);
        text_free(&text);
    }
}

static void check_file(const struct corpus_sample *sample, enum corpus_encoding encoding,
                       enum corpus_ends ends, enum corpus_damage damage)
{
    const bool twice = damage == TWO_RUNS || damage == TWO_CTRL_Z;
    enum format found;
    if (!corpus_make(&file, sample, encoding, ends, damage))
        return;
    memset(&read, 0, sizeof read);
    check(format_detect(file.bytes, file.length, &found));
    check(found == sample->format);
    histories_read(found, (const char *)file.bytes, file.length, &read);
    switch (damage) {
    case SOUND:
    case CTRL_Z:
    case TWO_RUNS:
    case TWO_CTRL_Z:
        check(read.damaged == 0);
        check(read.keys == (twice ? 2 : 1) * sample->keys);
        if (twice && sample->format != FORMAT_2016 &&
            (sample->format != FORMAT_KEYS || (encoding != IN_ASCII && encoding != IN_LATIN1)))
            check(strcmp(history_field_of(&read, read.parts - 1, sample->field), sample->other) ==
                  0);
        break;
    case GARBAGE:
    case LONG_LINE:
        check(read.damaged == 1);
        check(read.keys == sample->keys);
        break;
    case NO_TIME:
        check(read.damaged == 1);
        check(read.keys < sample->keys);
        break;
    case STRAY:
        check(read.damaged > 0);
        check(read.keys == sample->keys - (sample->format != FORMAT_KEYS));
        break;
    case ZEROS:
    case CUT:
        /* A last line that does not end may be whole. */
        check(read.damaged + read.odd > 0);
        check(read.keys <= sample->keys + 64 && read.keys + 20 > sample->keys);
        check(read.keys >= sample->keys || read.damaged || has_fault(FAULT_END));
        break;
    case CORPUS_DAMAGES:
        break;
    }
    if (damage == SOUND && ends != END_MIXED && ends != END_CRCRLF && encoding < IN_UTF16_LE &&
        sample->format != FORMAT_1996 && sample->format != FORMAT_2009)
        check(read.odd == 0);
    check_back(sample, encoding, ends, damage);
    if (sample->format == FORMAT_1996 || sample->format == FORMAT_2002 ||
        sample->format == FORMAT_2004)
        check_kin(sample, encoding, ends, damage);
    history_free(&read);
}

static void test_corpus(void **state)
{
    (void)state;
    for (size_t i = 0; i < CORPUS_SAMPLES; i++)
        for (enum corpus_encoding encoding = 0; encoding < CORPUS_ENCODINGS; encoding++)
            for (enum corpus_ends ends = 0; ends < CORPUS_ENDS; ends++)
                for (enum corpus_damage damage = 0; damage < CORPUS_DAMAGES; damage++)
                    check_file(&corpus_samples[i], encoding, ends, damage);
}

/* Transcripts by dice, recoded, and damaged at any place. */

enum harm {
    UNHARMED,
    CUT_OFF, /* the file ends within a line */
    BAD_BYTE,
    BAD_LINE, /* one that is none comes between others */
    HARMS
};
static const char *const harm_name[HARMS] = {"sound", "cut", "a bad byte", "a bad line"};

static struct history base;
static char doing[160];

#define must(condition)                                                                            \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fail_msg("%s: %zu of %zu keys, %zu damaged, %zu odd, first fault %s\nnot so: %s",      \
                     doing, read.keys, base.keys, (size_t)read.damaged, (size_t)read.odd,          \
                     read.faults ? read.fault[0].text : "none", #condition);                       \
    } while (0)

/* Letters of Windows-1252, and no two of it beside each other: these might be UTF-8. */
static bool is_narrow(const char *text, size_t length)
{
    uint32_t point, before = 'a';
    for (size_t at = 0, taken; at < length; at += taken, before = point) {
        taken = utf8_decode((const uint8_t *)text + at, length - at, &point);
        if (!cp1252_byte(point) || (point >= 0x80 && before >= 0x80))
            return false;
    }
    return true;
}

static enum corpus_encoding roll_encoding(struct dice *dice, const struct text *text)
{
    static const enum corpus_encoding wide[] = {IN_UTF8, IN_UTF8_BOM, IN_UTF16_LE, IN_UTF16_BE};
    if (dice_below(dice, 3) == 0 && is_narrow(text->bytes, text->length))
        return IN_CP1252;
    return wide[dice_below(dice, 4)];
}

/* The beginning of a line behind the middle of the file, whose units are bytes. */
static size_t find_line(const struct corpus_file *f)
{
    size_t at = f->length / 2;
    while (at < f->length && f->bytes[at] != '\n')
        at++;
    return at < f->length ? at + 1 : f->length;
}

/* False: it was not done. */
static bool harm_file(struct dice *dice, struct corpus_file *f, enum harm harm)
{
    static const char bad[] = "what stood here is lost\n";
    size_t at = (size_t)dice_below(dice, f->length + 1);
    switch (harm) {
    case UNHARMED:
        return true;
    case CUT_OFF: /* what is cut behind a line end is nowhere missed */
        if (at < 4 || f->encoding >= IN_UTF16_LE || strchr("\r\n", f->bytes[at - 1]))
            return false;
        f->length = at;
        return true;
    case BAD_BYTE:
        if (at == f->length || f->encoding >= IN_UTF16_LE || f->bytes[at] < ' ' ||
            f->bytes[at] >= 0x80 || (at && f->bytes[at - 1] >= 0x80))
            return false;
        f->bytes[at] = 0x81;
        return true;
    case BAD_LINE:
        if (f->encoding >= IN_UTF16_LE || f->ends > END_CRLF)
            return false;
        at = find_line(f);
        memmove(f->bytes + at + sizeof bad - 1, f->bytes + at, f->length - at);
        memcpy(f->bytes + at, bad, sizeof bad - 1);
        f->length += sizeof bad - 1;
        return true;
    case HARMS:
        break;
    }
    return false;
}

/* Is what was read the base's, from its first key on? */
static bool is_beginning(void)
{
    for (size_t i = 0; i < read.keys && i < base.keys; i++)
        if (read.key[i].point != base.key[i].point || read.key[i].side != base.key[i].side ||
            read.key[i].party != base.key[i].party ||
            read.key[i].posted_us != base.key[i].posted_us)
            return false;
    return true;
}

/* Is it said that the file may be cut? */
static bool has_end(void)
{
    return has_fault(FAULT_CUT) || has_fault(FAULT_END);
}

static void check_random(enum harm harm)
{
    const bool same = read.keys == base.keys && is_beginning();
    const bool named = read.damaged > base.damaged || (harm == CUT_OFF && has_end());
    struct text text = {NULL, 0, 0};
    struct history back;
    must(same || named);
    must(harm != UNHARMED || (same && read.damaged == base.damaged));
    must(harm != BAD_LINE || same);
    must(harm != BAD_LINE || named || histories_differ(&read, &base)); /* as a title it is one */
    must(harm != BAD_BYTE || read.damaged > base.damaged);
    must(harm != CUT_OFF || read.keys || read.damaged > base.damaged);
    for (unsigned i = 0; i < 2; i++) {
        const enum format to = i ? FORMAT_ASCIICAST : FORMAT_KEYS;
        histories_write(to, &read, &text);
        histories_read(to, text.bytes, text.length, &back);
        must(!histories_differ(&back, &read));
        must((back.damaged > 0) == (read.damaged > 0));
        history_free(&back);
    }
    text_free(&text);
}

static void test_random(void **state)
{
    struct dice dice = dice_make(dice_seed("corpus"));
    unsigned done[HARMS] = {0};
    (void)state;
    for (unsigned turn = 0; turn < 4000; turn++) {
        const enum harm harm = (enum harm)dice_below(&dice, HARMS);
        enum format format = (enum format)dice_below(&dice, FORMAT_TEXT + 1);
        struct history start;
        struct text text = {NULL, 0, 0};
        format = format == FORMAT_TEXT ? FORMAT_2016 : format;
        histories_make(&dice, &start);
        start.encoding = ENCODING_UTF8;
        start.eol = EOL_LF;
        histories_write(format, &start, &text);
        histories_read(format, text.bytes, text.length, &base);
        const enum corpus_encoding encoding = roll_encoding(&dice, &text);
        const enum corpus_ends ends = (enum corpus_ends)dice_below(&dice, CORPUS_ENDS);
        corpus_recode(&file, text.bytes, text.length, encoding, ends);
        snprintf(doing, sizeof doing, "turn %u: %s, encoding %d, line ends %d, %s", turn,
                 format_row(format)->name, (int)encoding, (int)ends, harm_name[harm]);
        if (base.keys && harm_file(&dice, &file, harm)) {
            histories_read(format, (const char *)file.bytes, file.length, &read);
            check_random(harm);
            history_free(&read);
            done[harm]++;
        }
        history_free(&base);
        history_free(&start);
        text_free(&text);
    }
    for (enum harm harm = 0; harm < HARMS; harm++)
        assert_true(done[harm] > 100);
}

/* Only here is a byte of Windows in a file of UTF-8: the other characters stay what they are. */
static void test_stray_byte(void **state)
{
    static const char text[] = "Prize \xC3\xA9\nThese transcripts are in the public domain\n"
                               "Transcripts of judge 1 program \xC3\xA9\x92 round 2\nLeft =human \n"
                               "J1 013370152380273400 judge left \xC3\xA9\n"
                               "J1 013370152380274400 judge left \x92\n";
    enum format found;
    (void)state;
    assert_true(format_detect((const uint8_t *)text, strlen(text), &found));
    histories_read(found, text, strlen(text), &read);
    assert_int_equal(read.keys, 2);
    assert_int_equal(read.key[0].point, 0xE9);
    assert_int_equal(read.key[1].point, 0x2019);
    assert_string_equal(read.part[0].program, "\xC3\xA9\xE2\x80\x99");
    assert_int_equal(read.damaged, 0);
    assert_int_equal(read.odd, 2);
    assert_int_equal(read.fault[0].kind, FAULT_ENCODING);
    assert_int_equal(read.fault[0].line, 3);
    history_free(&read);
}

/* An editor of DOS has put its sign behind a last line without an end. */
static void test_ctrl_z(void **state)
{
    static const char text[] = "(c)1995 one\n[ELIZA] [A]\nStart at: [1995/12/16 14:12:20]\n"
                               "*** JUDGE04 ***\nJUDGE04[14:12:32]Hi\x1A";
    (void)state;
    histories_read(FORMAT_1996, text, strlen(text), &read);
    assert_int_equal(read.keys, 3);
    assert_int_equal(read.key[1].point, 'i');
    assert_int_equal(read.key[2].point, KEY_RETURN);
    assert_int_equal(read.damaged, 0);
    history_free(&read);
}

/* A line as long as anybody may have typed, which we write ourselves. */
static void test_long_lines(void **state)
{
    static const enum format formats[] = {FORMAT_1996, FORMAT_2002, FORMAT_2004, FORMAT_2016,
                                          FORMAT_ASCIICAST};
    (void)state;
    for (unsigned f = 0; f < sizeof formats / sizeof *formats; f++) {
        struct text text = {NULL, 0, 0};
        struct history back;
        memset(&read, 0, sizeof read);
        assert_int_equal(history_add_part(&read, NULL), BL_OK);
        for (unsigned i = 0; i <= 20000; i++) {
            const struct history_key key = {.posted_us = 1252281590000000u,
                                            .point = i == 20000 ? KEY_RETURN : 'a' + i % 26};
            assert_int_equal(history_add_key(&read, &key), BL_OK);
        }
        histories_write(formats[f], &read, &text);
        histories_read(formats[f], text.bytes, text.length, &back);
        assert_int_equal(back.keys, 20001);
        assert_int_equal(back.damaged, 0);
        history_free(&back);
        history_free(&read);
        text_free(&text);
    }
}

/* Each run has its own header, so its own days and names. */
static void test_runs(void **state)
{
    static const char text[] = "(c)1995 one\n[ELIZA] [A]\nStart at: [1995/12/16 14:12:20]\n"
                               "*** JUDGE04 ***\nJUDGE04[14:12:32]Hi\n"
                               "(c)1996 two\n[PARRY] [B]\nStart at: [1996/04/19 09:00:00]\n"
                               "*** JUDGE05 ***\nJUDGE05[09:00:32]Yo\n"
                               "[DOCTOR] [C]\nStart at: [1997/04/19 09:00:00]\n"
                               "*** JUDGE06 ***\nJUDGE06[09:00:32]Ho\n";
    (void)state;
    histories_read(FORMAT_1996, text, strlen(text), &read);
    assert_int_equal(read.parts, 3);
    assert_int_equal(read.keys, 9);
    assert_int_equal(read.damaged, 0);
    assert_string_equal(read.part[1].notice, "(c)1996 two");
    assert_string_equal(read.part[1].contestant, "B");
    assert_string_equal(read.part[1].program, "PARRY");
    assert_int_equal(read.key[3].posted_us, 829904432000000u);
    assert_string_equal(read.part[2].program, "DOCTOR");
    assert_int_equal(read.odd, 1); /* the third has no first line */
    history_free(&read);
}

/* What has no times has none in any format, and its order all the same. */
static void test_untimed(void **state)
{
    static const char text[] =
        "{\"content\":\"one\",\"to\":\"ai1\",\"id\":\"judge0\",\"secret\":\"\"}\n"
        "{\"content\":\"two\",\"to\":\"conf1\",\"id\":\"judge0\",\"secret\":\"\"}\n"
        "{\"content\":\"three\",\"to\":\"judge0\",\"id\":\"ai1\",\"secret\":\"\"}\n";
    struct text out = {NULL, 0, 0};
    const char *one, *two, *three;
    (void)state;
    histories_read(FORMAT_2016, text, strlen(text), &read);
    histories_write(FORMAT_TEXT, &read, &out);
    one = strstr(out.bytes, "left  Judge: one\n");
    two = strstr(out.bytes, "right Judge: two\n");
    three = strstr(out.bytes, "left  Entity: three\n");
    assert_true(one && two && three && one < two && two < three);
    assert_null(strstr(out.bytes, "00:00"));
    assert_true(format_losses(FORMAT_1996, &read) & 1u << LOSS_UNTIMED);
    histories_write(FORMAT_KEYS, &read, &out);
    assert_null(strstr(out.bytes, "1970"));
    assert_non_null(strstr(out.bytes, "1 left judge - - o\n"));
    text_free(&out);
    history_free(&read);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_corpus),     cmocka_unit_test(test_random),
        cmocka_unit_test(test_stray_byte), cmocka_unit_test(test_long_lines),
        cmocka_unit_test(test_runs),       cmocka_unit_test(test_untimed),
        cmocka_unit_test(test_ctrl_z),
    };
    return cmocka_run_group_tests_name("corpus", tests, NULL, NULL);
}
