#include "tests/support/corpus.h"

#include "base/cp1252.h"
#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As their programs wrote them, UTF-8 and LF. é and the quotation mark U+2019, which Latin-1 lacks,
 * are typed in each. */
const struct corpus_sample corpus_samples[CORPUS_SAMPLES] = {
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

static void put_unit(struct corpus_file *file, uint32_t unit)
{
    const bool big = file->encoding == IN_UTF16_BE;
    file->bytes[file->length++] = (uint8_t)(big ? unit >> 8 : unit);
    file->bytes[file->length++] = (uint8_t)(big ? unit : unit >> 8);
}

static bool is_wide(const struct corpus_file *file)
{
    return file->encoding >= IN_UTF16_LE;
}

static void put_point(struct corpus_file *file, uint32_t point)
{
    if (file->encoding == IN_ASCII && point == 0xE9)
        point = 'e';
    if ((file->encoding == IN_ASCII || file->encoding == IN_LATIN1) && point == 0x2019)
        point = '\'';
    if (is_wide(file) && point > 0xFFFF) {
        put_unit(file, 0xD800 | (point - 0x10000) >> 10);
        put_unit(file, 0xDC00 | (point & 0x3FF));
    } else if (is_wide(file)) {
        put_unit(file, point);
    } else if (file->encoding == IN_CP1252 || file->encoding == IN_LATIN1) {
        file->bytes[file->length++] = cp1252_byte(point);
    } else {
        file->length += utf8_encode(point, file->bytes + file->length);
    }
}

static void put_end(struct corpus_file *file)
{
    static const char *const of[CORPUS_ENDS] = {"\n", "\r\n", "\r", "\r\r\n"};
    static const char *const mixed[] = {"\n", "\r\n", "\r", "\r\r\n"};
    const char *end = file->ends == END_MIXED ? mixed[file->lines % 4] : of[file->ends];
    file->lines++;
    for (; *end; end++)
        put_point(file, (uint8_t)*end);
}

static void put_text(struct corpus_file *file, const char *text, size_t length)
{
    for (size_t at = 0, taken; at < length; at += taken) {
        uint32_t point;
        taken = utf8_decode((const uint8_t *)text + at, length - at, &point);
        if (point == '\n')
            put_end(file);
        else
            put_point(file, point);
    }
}

/* Bytes of no encoding: a lone surrogate, or a byte that is neither. */
static void put_stray(struct corpus_file *file)
{
    if (is_wide(file))
        put_unit(file, 0xD800);
    else
        file->bytes[file->length++] = 0x81;
}

static void begin(struct corpus_file *file, enum corpus_encoding encoding, enum corpus_ends ends)
{
    file->length = file->lines = 0;
    file->encoding = encoding;
    file->ends = ends;
    if (encoding == IN_UTF8_BOM || encoding == IN_UTF16_LE || encoding == IN_UTF16_BE)
        put_point(file, 0xFEFF);
}

/* The sample with a "7" for the first "1" of its title, as another one's; in 2016 the program's
 * name stands in each line. */
static void put_other(struct corpus_file *file, const struct corpus_sample *sample)
{
    char text[1024];
    char *one = text;
    snprintf(text, sizeof text, "%s", sample->text);
    if (sample->format == FORMAT_2016)
        for (char *name = text; (name = strstr(name, "ai1"));)
            name[2] = '7';
    else if ((one = strstr(text, sample->title)))
        *strchr(one, '1') = '7';
    put_text(file, text, strlen(text));
}

/* The place of the last character that is not ASCII. */
static size_t last_foreign(const char *text)
{
    size_t at = strlen(text);
    while (((uint8_t)text[at - 1] & 0xC0) != 0xC0)
        at--;
    return at - 1;
}

/* The sample without the time of its last record; false: it has none in any case. */
static bool put_untimed(struct corpus_file *file, const struct corpus_sample *sample)
{
    char text[1024];
    snprintf(text, sizeof text, "%s", sample->text);
    if (sample->format == FORMAT_2016 || sample->format == FORMAT_KEYS)
        return false;
    char *last = text + strlen(text) - 1;
    while (last > text && last[-1] != '\n')
        last--;
    char *time = last + strcspn(last, sample->format <= FORMAT_2004 ? "[" : " ") + 1;
    const char *behind = time + strcspn(time, sample->format <= FORMAT_2004 ? "]" : " ");
    memmove(time, behind, strlen(behind) + 1);
    put_text(file, text, strlen(text));
    return true;
}

static void put_long(struct corpus_file *file)
{
    for (unsigned i = 0; i < 100000; i++)
        put_point(file, 'x');
    put_end(file);
}

bool corpus_make(struct corpus_file *file, const struct corpus_sample *sample,
                 enum corpus_encoding encoding, enum corpus_ends ends, enum corpus_damage damage)
{
    const size_t length = strlen(sample->text), foreign = last_foreign(sample->text);
    uint32_t point;
    size_t taken = utf8_decode((const uint8_t *)sample->text + foreign, length - foreign, &point);
    begin(file, encoding, ends);
    switch (damage) {
    case NO_TIME:
        return put_untimed(file, sample);
    case STRAY:
        put_text(file, sample->text, foreign);
        put_stray(file);
        put_text(file, sample->text + foreign + taken, length - foreign - taken);
        return true;
    case ZEROS:
        put_text(file, sample->text, length - 4);
        for (unsigned i = 0; i < 64; i++)
            put_point(file, 0);
        return true;
    case CUT:
        put_text(file, sample->text, length - 6);
        return true;
    default:
        put_text(file, sample->text, length);
    }
    if (damage == GARBAGE)
        put_text(file, "what stood here is lost\n", 24);
    if (damage == LONG_LINE)
        put_long(file);
    if (damage == CTRL_Z || damage == TWO_CTRL_Z)
        put_point(file, 0x1A);
    if (damage == TWO_RUNS || damage == TWO_CTRL_Z)
        put_other(file, sample);
    return true;
}

void corpus_recode(struct corpus_file *file, const char *text, size_t length,
                   enum corpus_encoding encoding, enum corpus_ends ends)
{
    begin(file, encoding, ends);
    for (size_t at = 0; at < length;) {
        const char *end = memchr(text + at, '\n', length - at);
        const size_t line = (end ? (size_t)(end - text) : length) - at;
        put_text(file, text + at, line - (line && end && text[at + line - 1] == '\r'));
        if (end)
            put_end(file);
        at += line + (end != NULL);
    }
}
