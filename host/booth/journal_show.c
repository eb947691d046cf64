#include "booth/journal_show.h"

#include "base/status.h"
#include "base/utf8.h"
#include "base/word.h"
#include "transcript/iso.h"
#include "transcript/words.h"

#include <inttypes.h>
#include <jansson.h>

static const char *kind_word(enum journal_kind kind)
{
    static const char *const words[] = {
        [JOURNAL_HEADER] = "header",       [JOURNAL_KEYS] = "keys",
        [JOURNAL_PRESSED] = "pressed",     [JOURNAL_UNPLACED] = "unplaced",
        [JOURNAL_EPOCH] = "epoch",         [JOURNAL_SEGMENT] = "segment",
        [JOURNAL_CLOSE] = "end",           [JOURNAL_NOTE] = "note",
        [JOURNAL_DELIVERED] = "delivered", [JOURNAL_START] = "start",
        [JOURNAL_SEAL] = "seal",
    };
    return WORD_OF(words, kind, "unknown");
}

static const char *start_words(enum start_state state)
{
    static const char *const words[] = {
        [START_WHOLE] = "this record has all that was placed before",
        [START_LOST] = "this record may lack its latest keys",
        [START_CLOSED] = "this record was closed in good order",
    };
    return WORD_OF(words, state, "");
}

static uint64_t count_keys(const uint8_t *text, size_t length)
{
    uint64_t keys = 0;
    for (size_t i = 0; i < length; i++)
        keys += (text[i] & 0xC0) != 0x80;
    return keys;
}

/* Shows keys quoted as in C. Characters that are invisible or change the direction of text are
 * spelled out. */
static void show_keys(FILE *out, uint64_t first, const uint8_t *text, size_t length)
{
    uint32_t point;
    uint64_t last = first + count_keys(text, length) - 1;
    fprintf(out, "%" PRIu64, first);
    if (last != first)
        fprintf(out, "-%" PRIu64, last);
    fputs(" \"", out);
    for (size_t n, i = 0; i < length && (n = utf8_decode(text + i, length - i, &point)); i += n) {
        if (point == KEY_RETURN)
            fputs("\\r", out);
        else if (point == KEY_BACKSPACE)
            fputs("\\b", out);
        else if (point == KEY_TAB)
            fputs("\\t", out);
        else if (point == '"' || point == '\\')
            fprintf(out, "\\%c", (int)point);
        else if (!key_is_key(point))
            fprintf(out, "\\u{%" PRIX32 "}", point);
        else
            fwrite(text + i, 1, n, out);
    }
    fputc('"', out);
}

static void hex(const uint8_t digest[8], char text[17])
{
    for (unsigned i = 0; i < 8; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
}

void journal_show_text(FILE *out, const struct journal_record *e)
{
    char time[ISO_LENGTH + 1], digest[17];
    iso_write(e->wall_us, time);
    fprintf(out, "%s %-5s %-9s ", time, words_side(e->side),
            e->kind == JOURNAL_SEGMENT ? "part" : kind_word(e->kind));
    switch (e->kind) {
    case JOURNAL_HEADER:
        fprintf(out, "session %s, %s's end, style %s", e->as.header.session,
                words_party(e->as.header.role), e->as.header.style);
        break;
    case JOURNAL_KEYS:
        fprintf(out, "%s ", words_party(e->as.keys.party));
        show_keys(out, e->as.keys.first, e->as.keys.run.text, e->as.keys.run.length);
        break;
    case JOURNAL_PRESSED:
        fprintf(out, "part %" PRIu32 " ", e->as.pressed.segment);
        show_keys(out, e->as.pressed.first, e->as.pressed.run.text, e->as.pressed.run.length);
        break;
    case JOURNAL_UNPLACED:
        fprintf(out, "%" PRIu64 "-%" PRIu64, e->as.unplaced.first, e->as.unplaced.last);
        break;
    case JOURNAL_EPOCH:
        fprintf(out, "%" PRIu32 " after %" PRIu64 " key%s", e->as.epoch.epoch, e->as.epoch.base,
                BL_S(e->as.epoch.base));
        break;
    case JOURNAL_SEGMENT:
        fprintf(out, "%" PRIu32 " (plan's %u) %s", e->as.segment.generation,
                e->as.segment.index + 1u, words_segment(e->as.segment.state));
        if (e->as.segment.remaining_us != UINT64_MAX)
            fprintf(out, ", %" PRIu64 " ms left", e->as.segment.remaining_us / 1000);
        break;
    case JOURNAL_CLOSE:
        hex(e->as.close.digest, digest);
        fprintf(out, "%" PRIu32 " %s: %" PRIu64 " key%s, %" PRIu64 " of the entity, page %s",
                e->as.close.generation, words_close(e->as.close.outcome), e->as.close.n,
                BL_S(e->as.close.n), e->as.close.placed, digest);
        break;
    case JOURNAL_NOTE:
        fprintf(out, "%s: %s", words_note(e->as.note.code), e->as.note.text);
        if (e->as.note.count)
            fprintf(out, " (%" PRIu32 ")", e->as.note.count);
        break;
    case JOURNAL_DELIVERED:
        fprintf(out, "up to %" PRIu64, e->as.delivered.n);
        break;
    case JOURNAL_START: /* without the record's secret */
        fputs(start_words(e->as.start.state), out);
        break;
    case JOURNAL_SEAL:
        fprintf(out, "the judge's end vouches for the keys up to %" PRIu64, e->as.seal.n);
        break;
    }
    fputc('\n', out);
}

static json_t *number(uint64_t value)
{
    return json_integer(value < INT64_MAX ? (json_int_t)value : INT64_MAX);
}

static void set_keys(json_t *object, uint64_t first, const uint8_t *text, size_t length)
{
    json_object_set_new(object, "first", number(first));
    json_object_set_new(object, "last", number(first + count_keys(text, length) - 1));
    json_object_set_new(object, "text", json_stringn((const char *)text, length));
}

void journal_show_json(FILE *out, const struct journal_record *e)
{
    char text[ISO_LENGTH + 1];
    json_t *o = json_object();
    iso_write(e->wall_us, text);
    json_object_set_new(o, "time", json_string(text));
    json_object_set_new(o, "time_us", number(e->wall_us));
    json_object_set_new(o, "side", json_string(words_side(e->side)));
    json_object_set_new(o, "kind", json_string(kind_word(e->kind)));
    switch (e->kind) {
    case JOURNAL_HEADER:
        json_object_set_new(o, "session", json_string(e->as.header.session));
        json_object_set_new(o, "role", json_string(words_party(e->as.header.role)));
        json_object_set_new(o, "style", json_string(e->as.header.style));
        json_object_set_new(o, "starts", number(e->as.header.starts));
        break;
    case JOURNAL_KEYS:
        json_object_set_new(o, "epoch", number(e->as.keys.epoch));
        json_object_set_new(o, "party", json_string(words_party(e->as.keys.party)));
        set_keys(o, e->as.keys.first, e->as.keys.run.text, e->as.keys.run.length);
        break;
    case JOURNAL_PRESSED:
        json_object_set_new(o, "segment", number(e->as.pressed.segment));
        set_keys(o, e->as.pressed.first, e->as.pressed.run.text, e->as.pressed.run.length);
        break;
    case JOURNAL_UNPLACED:
        json_object_set_new(o, "first", number(e->as.unplaced.first));
        json_object_set_new(o, "last", number(e->as.unplaced.last));
        break;
    case JOURNAL_EPOCH:
        json_object_set_new(o, "epoch", number(e->as.epoch.epoch));
        json_object_set_new(o, "base", number(e->as.epoch.base));
        break;
    case JOURNAL_SEGMENT:
        json_object_set_new(o, "generation", number(e->as.segment.generation));
        json_object_set_new(o, "index", number(e->as.segment.index));
        json_object_set_new(o, "state", json_string(words_segment(e->as.segment.state)));
        json_object_set_new(o, "remaining_us",
                            e->as.segment.remaining_us == UINT64_MAX
                                ? json_null()
                                : number(e->as.segment.remaining_us));
        break;
    case JOURNAL_CLOSE:
        hex(e->as.close.digest, text);
        json_object_set_new(o, "generation", number(e->as.close.generation));
        json_object_set_new(o, "n", number(e->as.close.n));
        json_object_set_new(o, "placed", number(e->as.close.placed));
        json_object_set_new(o, "digest", json_string(text));
        json_object_set_new(o, "outcome", json_string(words_close(e->as.close.outcome)));
        break;
    case JOURNAL_NOTE:
        json_object_set_new(o, "code", json_string(words_note(e->as.note.code)));
        json_object_set_new(o, "count", number(e->as.note.count));
        json_object_set_new(o, "text", json_string(e->as.note.text));
        break;
    case JOURNAL_DELIVERED:
        json_object_set_new(o, "n", number(e->as.delivered.n));
        break;
    case JOURNAL_START:
        json_object_set_new(o, "text", json_string(start_words(e->as.start.state)));
        break;
    case JOURNAL_SEAL:
        json_object_set_new(o, "n", number(e->as.seal.n));
        break;
    }
    json_dumpf(o, out, JSON_COMPACT | JSON_PRESERVE_ORDER);
    fputc('\n', out);
    json_decref(o);
}
