/* A corpus of transcripts: each historic format in each encoding, with each line end and each kind
 * of damage. What is lost is counted and named, everything else is there, and what is written of it
 * is read as the same keys. */
#include "tests/support/histories.h"

#include "base/cp1252.h"
#include "base/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* As their programs wrote them, UTF-8 and LF. é and the quotation mark U+2019, which Latin-1 lacks,
 * are typed in each. */
static const struct sample {
    enum format format;
    size_t keys;
    const char *text;
    const char *title; /* of the appended copy: "7" stands for the first "1" */
    enum history_field field;
    const char *other;
} samples[] = {
    {FORMAT_1996, 21,
     "(c)1995 somebody\n[ELIZA] [J W]\nStart at: [1995/12/31 23:59:50]\n*** JUDGE04 ***\n"
     "PROGRAM[23:59:59]Welcome\nJUDGE04[23:59:60]It\xE2\x80\x99s caf\xC3\xA9\n"
     "JUDGE04[00:00:09]ok\n",
     "(c)1995 somebody", FIELD_NOTICE, "(c)7995 somebody"},
    {FORMAT_2002, 18,
     "(c)2001 somebody\n[ELIZA] []\nStart at: [2002/10/12 10:00:00]\n***JUDGE04***\n"
     "PROGRAM[10:00:01] Welcome\nJUDGE04[10:00:09] It\xE2\x80\x99s caf\xC3\xA9\n",
     "(c)2001 somebody", FIELD_NOTICE, "(c)2007 somebody"},
    {FORMAT_2004, 18,
     "This transcript is in the public domain\n[ELIZ1] [J W]\nStart at: [2004/09/19 10:00:00]\n"
     "*** JUDGE04 ***\nPROGRAM[10:00:01]Welcome\nJUDGE04[10:00:09]It\xE2\x80\x99s caf\xC3\xA9\n",
     "ELIZ1", FIELD_PROGRAM, "ELIZ7"},
    {FORMAT_2007, 4,
     "Loebner Prize 2007 October 21 New York City\nThese transcripts are in the public domain\n"
     "Transcripts of program P3\nstarting round 1 left= Human right = Program 3\n"
     "J3 011929736140563399 011929736140562500 local left H\n"
     "J3 011929736140844935 011929736140844427 remote left \xC3\xA9\n"
     "J3 011929736150829381 011929736150828125 local left CR\n"
     "starting round 2 left= program right = human\n"
     "J3 011929736150829381 011929736150828125 local left \xE2\x80\x99\n",
     "Loebner Prize 2007 October 21 New York City", FIELD_TITLE,
     "Loebner Prize 2007 October 27 New York City"},
    {FORMAT_2009, 4,
     "*Starting round 1 program P3 human H2 judge J2 left is P3 right is Human\n"
     "**Starting subround 1 program P3 human H2 judge J2 other is P3\n"
     "J2 012522395810610049 012522395810609375 local left H \n"
     "J2 012522395810868951 012522395810867792 local left \xC3\xA9\n"
     "J2 012522395810868951 012522395810867792 remote left \xE2\x80\x99\n"
     "J2 012522395820868951 012522395810867792 local left Return\n",
     "1", FIELD_ROUND, "7"},
    {FORMAT_2012, 3,
     "Prize 1\nThese transcripts are in the public domain\n"
     "Transcripts of judge 1 program my-entry round 2\nLeft =human \n"
     "J1 013370152380273400 judge left H\nJ1 013370152380274400 my-entry right \xC3\xA9\n"
     "J1 013370152380274400 judge left \xE2\x80\x99\n",
     "Prize 1", FIELD_TITLE, "Prize 7"},
    {FORMAT_2013, 3,
     "Prize 1 2013\nThese transcripts are in the public domain\n"
     "Transcripts of *restarted* program my-entry\nLeft=program\n"
     "J4 013370152380273400 my-entry left H\nJ4 013370152380274400 human right \xC3\xA9\n"
     "J4 013370152380274400 human right \xE2\x80\x99\n",
     "Prize 1 2013", FIELD_TITLE, "Prize 7 2013"},
    {FORMAT_2016, 15,
     "{\"content\":\"Hi\",\"to\":\"ai1\",\"id\":\"judge0\",\"secret\":\"\"}\n"
     "{\"content\":\"It\xE2\x80\x99s "
     "caf\xC3\xA9\",\"to\":\"judge0\",\"id\":\"ai1\",\"secret\":\"\"}\n"
     "{\"content\":\"x\",\"to\":\"judge0\",\"id\":\"ai1\",\"secret\":\"\"}\n",
     "ai1", FIELD_PROGRAM, "ai7"},
    {FORMAT_KEYS, 2,
     "# boothlink keys 1\n# @title Prize 1 \xC3\xA9\xE2\x80\x99\n# @part\n"
     "1 left judge 2009-09-06T15:32:45.610049Z - H\n"
     "1 right entity 2009-09-06T15:32:45.610049Z - U+00E9\n",
     "Prize 1 \xC3\xA9\xE2\x80\x99", FIELD_TITLE, "Prize 7 \xC3\xA9\xE2\x80\x99"},
};
#define SAMPLES (sizeof samples / sizeof *samples)

enum encoding {
    IN_UTF8,
    IN_UTF8_BOM,
    IN_CP1252,
    IN_UTF16_LE,
    IN_UTF16_BE,
    IN_UTF16_NO_BOM,
    ENCODINGS
};
enum ends { END_LF, END_CRLF, END_CR, END_CRCRLF, END_MIXED, ENDS };
enum damage {
    SOUND,
    CTRL_Z,     /* at the end, as DOS had it */
    TWO_RUNS,   /* another one's log was appended */
    TWO_CTRL_Z, /* with a Ctrl-Z between them */
    GARBAGE,    /* a line that is none */
    STRAY,      /* a character that has become a byte of no encoding */
    ZEROS,      /* a block of zeros in place of the last record's end */
    CUT,        /* the last record breaks off */
    DAMAGES
};

/* The corpus' file in the making. */
static struct file {
    uint8_t bytes[16384];
    size_t length;
    enum encoding encoding;
    enum ends ends;
    unsigned lines;
} file;

static void put_unit(uint32_t unit)
{
    const bool big = file.encoding == IN_UTF16_BE;
    file.bytes[file.length++] = (uint8_t)(big ? unit >> 8 : unit);
    file.bytes[file.length++] = (uint8_t)(big ? unit : unit >> 8);
}

static bool is_wide(void)
{
    return file.encoding >= IN_UTF16_LE;
}

static void put_point(uint32_t point)
{
    if (is_wide())
        put_unit(point);
    else if (file.encoding == IN_CP1252)
        file.bytes[file.length++] = cp1252_byte(point);
    else
        file.length += utf8_encode(point, file.bytes + file.length);
}

static void put_end(void)
{
    static const char *const of[ENDS] = {"\n", "\r\n", "\r", "\r\r\n"};
    static const char *const mixed[] = {"\n", "\r\n", "\r", "\r\r\n"};
    const char *end = file.ends == END_MIXED ? mixed[file.lines % 4] : of[file.ends];
    file.lines++;
    for (; *end; end++)
        put_point((uint8_t)*end);
}

static void put_text(const char *text, size_t length)
{
    for (size_t at = 0, taken; at < length; at += taken) {
        uint32_t point;
        taken = utf8_decode((const uint8_t *)text + at, length - at, &point);
        if (point == '\n')
            put_end();
        else
            put_point(point);
    }
}

/* What no encoding has: a lone surrogate, or a byte that is neither. */
static void put_stray(void)
{
    if (is_wide())
        put_unit(0xD800);
    else
        file.bytes[file.length++] = 0x81;
}

static void begin(enum encoding encoding, enum ends ends)
{
    file.length = file.lines = 0;
    file.encoding = encoding;
    file.ends = ends;
    if (encoding == IN_UTF8_BOM || encoding == IN_UTF16_LE || encoding == IN_UTF16_BE)
        put_point(0xFEFF);
}

/* The sample with a "7" for the first "1" of its title, as another one's; in 2016 the program's
 * name stands in each line. */
static void put_other(const struct sample *sample)
{
    char text[1024];
    char *one = text;
    snprintf(text, sizeof text, "%s", sample->text);
    if (sample->format == FORMAT_2016)
        for (char *name = text; (name = strstr(name, "ai1"));)
            name[2] = '7';
    else if ((one = strstr(text, sample->title)))
        *strchr(one, '1') = '7';
    put_text(text, strlen(text));
}

/* The place of the last character that is not ASCII. */
static size_t last_foreign(const char *text)
{
    size_t at = strlen(text);
    while (((uint8_t)text[at - 1] & 0xC0) != 0xC0)
        at--;
    return at - 1;
}

static void make(const struct sample *sample, enum damage damage)
{
    const size_t length = strlen(sample->text), foreign = last_foreign(sample->text);
    uint32_t point;
    size_t taken = utf8_decode((const uint8_t *)sample->text + foreign, length - foreign, &point);
    switch (damage) {
    case STRAY:
        put_text(sample->text, foreign);
        put_stray();
        put_text(sample->text + foreign + taken, length - foreign - taken);
        return;
    case ZEROS:
        put_text(sample->text, length - 4);
        for (unsigned i = 0; i < 64; i++)
            put_point(0);
        return;
    case CUT:
        put_text(sample->text, length - 6);
        return;
    default:
        put_text(sample->text, length);
    }
    if (damage == GARBAGE)
        put_text("what stood here is lost\n", 24);
    if (damage == CTRL_Z || damage == TWO_CTRL_Z)
        put_point(0x1A);
    if (damage == TWO_RUNS || damage == TWO_CTRL_Z)
        put_other(sample);
}

static struct history read;

static bool has_fault(enum history_fault_kind kind)
{
    for (size_t i = 0; i < read.faults; i++)
        if (read.fault[i].kind == kind)
            return true;
    return false;
}

static const char *where(const struct sample *sample, enum encoding encoding, enum ends ends,
                         enum damage damage)
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
static void check_back(const struct sample *sample, enum encoding encoding, enum ends ends,
                       enum damage damage)
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

static void check_file(const struct sample *sample, enum encoding encoding, enum ends ends,
                       enum damage damage)
{
    const bool twice = damage == TWO_RUNS || damage == TWO_CTRL_Z;
    enum format found;
    begin(encoding, ends);
    make(sample, damage);
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
        if (twice && sample->format != FORMAT_2016)
            check(strcmp(history_field_of(&read, read.parts - 1, sample->field), sample->other) ==
                  0);
        break;
    case GARBAGE:
        check(read.damaged == 1);
        check(read.keys == sample->keys);
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
    case DAMAGES:
        break;
    }
    if (damage == SOUND && ends != END_MIXED && ends != END_CRCRLF && encoding < IN_UTF16_LE &&
        sample->format != FORMAT_1996 && sample->format != FORMAT_2009)
        check(read.odd == 0);
    check_back(sample, encoding, ends, damage);
    history_free(&read);
}

static void test_corpus(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++)
        for (enum encoding encoding = 0; encoding < ENCODINGS; encoding++)
            for (enum ends ends = 0; ends < ENDS; ends++)
                for (enum damage damage = 0; damage < DAMAGES; damage++)
                    check_file(&samples[i], encoding, ends, damage);
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
        cmocka_unit_test(test_corpus),     cmocka_unit_test(test_stray_byte),
        cmocka_unit_test(test_long_lines), cmocka_unit_test(test_runs),
        cmocka_unit_test(test_untimed),
    };
    return cmocka_run_group_tests_name("corpus", tests, NULL, NULL);
}
