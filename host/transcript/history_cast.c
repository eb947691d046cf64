/* asciicast: the drawing, made by asciicast.c, and the keys for readers. */
#include "transcript/history_private.h"

#include "transcript/transcript.h"

#include <stdlib.h>
#include <string.h>

/* Writes lines of the keys format as events, which players ignore. They come last, and do not
 * change the playing. */
struct cast_lines {
    const struct out *out;
    bool begun;
    char time[24];
};

static void cast_write(void *ctx, const char *bytes, size_t length)
{
    struct cast_lines *cast = ctx;
    while (length) {
        const char *feed = memchr(bytes, '\n', length);
        size_t size = feed ? (size_t)(feed - bytes) : length;
        if (!cast->begun)
            out_texts(cast->out, "[", cast->time, ", \"k\", \"");
        cast->begun = !feed;
        out_json(cast->out, bytes, size);
        if (!feed)
            return;
        out_text(cast->out, "\"]\n");
        bytes += size + 1;
        length -= size + 1;
    }
}

/* Passes the drawing on. Notes the time of its last event. */
struct cast_drawing {
    const struct out *out;
    bool timed; /* the next bytes are a time */
    size_t length;
    char last;
    struct cast_lines *lines;
};

static void drawing_write(void *ctx, const char *bytes, size_t length)
{
    struct cast_drawing *drawing = ctx;
    for (size_t i = 0; i < length; i++) {
        if (drawing->last == '\n' && bytes[i] == '[') {
            drawing->timed = true;
            drawing->length = 0;
        } else if (bytes[i] == ',') {
            drawing->timed = false;
        } else if (drawing->timed && drawing->length + 1 < sizeof drawing->lines->time) {
            drawing->lines->time[drawing->length++] = bytes[i];
            drawing->lines->time[drawing->length] = '\0';
        }
        drawing->last = bytes[i];
    }
    out_bytes(drawing->out, bytes, length);
}

struct recording {
    const struct transcript *transcript; /* NULL: the history */
    const struct history *history;
};

static enum bl_status record(const struct recording *recording, const struct out *out)
{
    struct cast_lines lines = {.out = out, .time = "0.000000"};
    struct cast_drawing drawing = {.out = out, .lines = &lines};
    const struct out drawn = {.write = drawing_write, .ctx = &drawing};
    const struct out kept = {.write = cast_write, .ctx = &lines};
    enum bl_status status = recording->history
                                ? history_draw(recording->history, FORMAT_ASCIICAST, &drawn)
                                : transcript_asciicast(recording->transcript, &drawn);
    if (status != BL_OK)
        return status;
    if (recording->history)
        write_keys_lines(&kept, recording->history);
    else
        transcript_keys(recording->transcript, &kept);
    return BL_OK;
}

enum bl_status transcript_recording(const struct transcript *transcript, const struct out *out)
{
    const struct recording recording = {.transcript = transcript};
    return record(&recording, out);
}

enum bl_status write_cast(struct writer *writer, const struct history *history, enum format format)
{
    const struct recording recording = {.history = history};
    (void)format;
    return record(&recording, writer->out);
}

/* Decodes a JSON string (RFC 8259, section 7) to UTF-8. Supports our writer's escapes: \", \\, and
 * \u00XX. Returns the length; SIZE_MAX: no end, or another escape. */
static size_t read_json(struct piece rest, char *text)
{
    size_t length = 0;
    while (rest.length) {
        char c = *rest.text;
        unsigned value = 0;
        if (c == '"')
            return length;
        if (c != '\\') {
            text[length++] = c;
            rest.text++;
            rest.length--;
            continue;
        }
        if (piece_skip(&rest, "\\\"") || piece_skip(&rest, "\\\\")) {
            text[length++] = rest.text[-1];
            continue;
        }
        if (!piece_skip(&rest, "\\u00") || rest.length < 2)
            return SIZE_MAX;
        for (unsigned i = 0; i < 2; i++) {
            char digit = rest.text[i];
            if (digit >= '0' && digit <= '9')
                value = value * 16 + (unsigned)(digit - '0');
            else if (digit >= 'a' && digit <= 'f')
                value = value * 16 + (unsigned)(digit - 'a' + 10);
            else
                return SIZE_MAX;
        }
        if (value > 0x7F)
            return SIZE_MAX;
        text[length++] = (char)value;
        rest.text += 2;
        rest.length -= 2;
    }
    return SIZE_MAX;
}

static bool is_event(const struct reader *reader)
{
    return reader->line[0] == '[' && reader->line[reader->length - 1] == ']';
}

void read_cast(struct reader *reader, enum format format)
{
    struct keys_reader keys = {.n = {0}};
    bool found = false;
    char *text = NULL;
    size_t room = 0;
    (void)format;
    while (reader_next(reader)) {
        struct piece line = {reader->line, reader->length}, time;
        size_t length;
        if (!piece_skip(&line, "[") || !piece_until(&line, ", \"k\", \"", &time) ||
            memchr(time.text, '"', time.length)) {
            if (reader->number > 1 && reader->length && !is_event(reader))
                reader_bad(reader, "a line is an event: [TIME, \"KIND\", \"TEXT\"]");
            continue;
        }
        found = true;
        if (line.length > room) {
            char *more = realloc(text, room = 2 * line.length);
            if (!more) {
                reader->status = BL_NOMEM;
                break;
            }
            text = more;
        }
        length = read_json(line, text);
        if (length == SIZE_MAX)
            reader_bad(reader, "an event of kind \"k\" has a line of the keys format");
        else
            read_keys_line(reader, &keys, text, length);
    }
    free(text);
    if (!found && reader->status == BL_OK)
        reader_fault(reader, FAULT_HEADER,
                     "a recording of a screen only: it has no events of kind \"k\" with the keys");
}
