#include "transcript/keys.h"

#include "transcript/iso.h"
#include "transcript/merge.h"
#include "transcript/words.h"

#include <string.h>

void keys_write(const struct out *out, const struct keys_line *line)
{
    char text[ISO_LENGTH + 1], name[WORDS_KEY_MAX];
    out_number(out, line->n, 1);
    out_texts(out, " ", words_side(line->side), " ", words_party((enum party)line->event.party),
              " ");
    if (line->event.posted_us)
        iso_write(line->event.posted_us, text);
    out_texts(out, line->event.posted_us ? text : "-", " ");
    if (line->pressed_us)
        iso_write(line->pressed_us, text);
    out_texts(out, line->pressed_us ? text : "-", " ");
    out_bytes(out, name, words_key(line->event.point, name));
    out_text(out, "\n");
}

static bool read_number(const char *text, size_t length, uint64_t *number)
{
    *number = 0;
    if (length == 0 || length > 18 || text[0] == '0')
        return false;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        *number = *number * 10 + (uint64_t)(text[i] - '0');
    }
    return true;
}

enum keys_kind keys_read(const char *text, size_t length, struct keys_line *line, const char **why)
{
    enum { NUMBER, SIDE, PARTY, POSTED, PRESSED, KEY, FIELDS };
    const char *field[FIELDS];
    size_t size[FIELDS];
    enum party party;
    *why = "";
    if (length && text[length - 1] == '\r')
        length--;
    if (length == 0 || text[0] == '#')
        return KEYS_COMMENT;
    *why = "expected six fields separated by one blank: n side party posted pressed key";
    for (unsigned i = 0; i < FIELDS; i++) {
        const char *blank = length ? memchr(text, ' ', length) : NULL;
        if ((blank != NULL) != (i + 1 < FIELDS))
            return KEYS_BAD;
        field[i] = text;
        size[i] = blank ? (size_t)(blank - text) : length;
        if (blank) {
            length -= size[i] + 1;
            text = blank + 1;
        }
    }
    *line = (struct keys_line){.n = 0};
    *why = "n is a number from 1";
    if (!read_number(field[NUMBER], size[NUMBER], &line->n))
        return KEYS_BAD;
    *why = "the side is left or right";
    if (!words_find_side(field[SIDE], size[SIDE], &line->side))
        return KEYS_BAD;
    *why = "the party is judge or entity";
    if (!words_find_party(field[PARTY], size[PARTY], &party))
        return KEYS_BAD;
    line->event.party = (uint8_t)party;
    *why = "posted is a time as 2009-09-06T15:32:45.610049Z, or -";
    if (!(size[POSTED] == 1 && field[POSTED][0] == '-') &&
        !iso_read(field[POSTED], size[POSTED], &line->event.posted_us))
        return KEYS_BAD;
    *why = "pressed is such a time, or -";
    if (!(size[PRESSED] == 1 && field[PRESSED][0] == '-') &&
        (!iso_read(field[PRESSED], size[PRESSED], &line->pressed_us) || line->pressed_us == 0))
        return KEYS_BAD;
    *why = "the key is an ASCII character, space, Return, BackSpace, Tab or U+ and its number";
    line->event.point = words_find_key(field[KEY], size[KEY]);
    return line->event.point ? KEYS_LINE : KEYS_BAD;
}

static void put_comment(const struct out *out, const struct merge_item *item)
{
    char text[ISO_LENGTH + 1];
    out_texts(out, "# ", words_side(item->side), " ");
    if (item->key) {
        out_text(out, "key ");
        out_number(out, item->index + 1, 1);
        out_text(out, " is missing: the record is damaged\n");
        return;
    }
    iso_write(item->mark->at_us, text);
    out_text(out, "part ");
    out_number(out, item->mark->part, 1);
    switch (item->mark->kind) {
    case MARK_OPENED:
        out_text(out, " opened ");
        break;
    case MARK_SEGMENT_OVER:
        out_text(out, " closed ");
        break;
    case MARK_CLOSE:
        out_texts(out, " end ", words_close(item->mark->outcome), " ");
        break;
    }
    out_texts(out, text, "\n");
}

void transcript_keys(const struct transcript *transcript, const struct out *out)
{
    struct merge merge = {.transcript = transcript};
    struct merge_item item;
    out_text(out, "# boothlink keys 1\n");
    for (size_t i = 0; i < transcript->headers; i++) {
        out_text(out, "# ");
        out_line(out, transcript->header[i]);
        out_text(out, "\n");
    }
    out_texts(out, "# session ", transcript->session, ", ", words_party(transcript->role),
              "'s record\n# n side party posted pressed key\n");
    while (merge_next(&merge, &item)) {
        if (!item.key || item.key->point == 0) {
            put_comment(out, &item);
            continue;
        }
        const uint64_t *pressed_us = transcript->side[item.side].pressed_us;
        struct keys_line line = {.n = item.index + 1,
                                 .side = item.side,
                                 .event = *item.key,
                                 .pressed_us = pressed_us ? pressed_us[item.index] : 0};
        keys_write(out, &line);
    }
    if (transcript->damaged) {
        out_text(out, "# the record is damaged in ");
        out_number(out, transcript->damaged, 1);
        out_text(out, transcript->damaged == 1 ? " place\n" : " places\n");
    }
}
