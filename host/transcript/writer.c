#include "transcript/history_private.h"

#include "base/cp1252.h"
#include "base/keysym.h"
#include "base/utf8.h"
#include "transcript/words.h"

#include <string.h>

void writer_begin(struct writer *writer, const struct history *history, const struct out *out)
{
    *writer = (struct writer){.out = out,
                              .eol = history->eol == EOL_LF   ? "\n"
                                     : history->eol == EOL_CR ? "\r"
                                                              : "\r\n",
                              .cp1252 = history->encoding == ENCODING_CP1252};
}

void writer_point(struct writer *writer, uint32_t point)
{
    uint8_t bytes[UTF8_MAX];
    const char byte = (char)cp1252_byte(point);
    if (writer->cp1252 && (!byte || !writer->as_utf8)) {
        out_bytes(writer->out, byte ? &byte : "?", 1);
    } else {
        out_bytes(writer->out, (const char *)bytes, utf8_encode(point, bytes));
    }
}

void writer_text(struct writer *writer, const char *utf8)
{
    size_t left = strlen(utf8), taken;
    uint32_t point;
    for (; (taken = utf8_decode((const uint8_t *)utf8, left, &point)); utf8 += taken, left -= taken)
        writer_point(writer, point);
}

void writer_number(struct writer *writer, uint64_t number, unsigned digits)
{
    out_number(writer->out, number, digits);
}

void writer_end_line(struct writer *writer)
{
    out_text(writer->out, writer->eol);
}

void writer_word(struct writer *writer, const char *name, const char *empty)
{
    size_t left = strlen(name), taken;
    uint32_t point;
    if (left == 0)
        writer_text(writer, empty);
    for (; (taken = utf8_decode((const uint8_t *)name, left, &point)); name += taken, left -= taken)
        writer_point(writer, point == ' ' ? '_' : point);
}

void writer_stamp(struct writer *writer, uint64_t us)
{
    writer_number(writer, us / 1000000u, 11);
    writer_number(writer, us % 1000000u, 7);
}

void writer_keyname(struct writer *writer, const struct history_key *key)
{
    const uint32_t point = key->point;
    const char *name = keysym_name(point);
    if (key->blank)
        name = " ";
    else if (writer->of_2007 && point == KEY_RETURN)
        name = "CR";
    else if (writer->of_2007 && point > ' ' && point < 0x7F)
        name = NULL;

    char number[WORDS_KEY_MAX];
    if (name)
        writer_text(writer, name);
    else if (writer->cp1252 && !cp1252_byte(point))
        out_bytes(writer->out, number, words_key(point, number));
    else
        writer_point(writer, point);
}
