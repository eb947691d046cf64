#include "transcript/history.h"

#include "base/growing.h"
#include "base/utf8.h"
#include "base/word.h"

#include <stdlib.h>
#include <string.h>

void history_free(struct history *history)
{
    free(history->part);
    free(history->key);
    free(history->fault);
    memset(history, 0, sizeof *history);
}

bool history_is_untimed(const struct history *history)
{
    for (size_t i = 0; i < history->keys; i++)
        if (history->key[i].posted_us)
            return false;
    return history->keys > 0;
}

bool history_begins_run(const struct history *history, size_t part)
{
    const struct history_part *this = &history->part[part], *last = this - 1;
    return part == 0 || this->start_us != last->start_us || strcmp(this->title, last->title) != 0 ||
           strcmp(this->notice, last->notice) != 0 ||
           strcmp(this->contestant, last->contestant) != 0 ||
           strcmp(this->header2, last->header2) != 0 || strcmp(this->header3, last->header3) != 0;
}

unsigned history_sides(const struct history *history)
{
    for (size_t i = 1; i < history->keys; i++) {
        if (history->key[i].side != history->key[0].side)
            return SIDES;
    }
    return 1;
}

enum bl_status history_add_part(struct history *history, const struct history_part *like)
{
    const struct history_part copy = like ? *like : (struct history_part){.left = WHO_UNKNOWN};
    if (history->parts == HISTORY_PARTS)
        return BL_FULL;
    void *part =
        growing_array(history->part, history->parts, &history->parts_room, sizeof *history->part);
    if (!part)
        return BL_NOMEM;
    history->part = part;
    history->part[history->parts++] = copy;
    return BL_OK;
}

enum bl_status history_add_key(struct history *history, const struct history_key *key)
{
    if (key->part >= history->parts || !key_is_key(key->point) ||
        key->posted_us > HISTORY_TIME_MAX || key->pressed_us > HISTORY_TIME_MAX)
        return BL_DATA;
    if (history->keys == HISTORY_KEYS)
        return BL_FULL;
    void *keys =
        growing_array(history->key, history->keys, &history->keys_room, sizeof *history->key);
    if (!keys)
        return BL_NOMEM;
    history->key = keys;
    history->key[history->keys++] = *key;
    return BL_OK;
}

/* Appends a foreign text. Leaves room for the end. */
static size_t append(char *text, size_t at, size_t room, const char *more, size_t length)
{
    return at + utf8_plain(text + at, room - at, more, length);
}

enum bl_status history_add_fault(struct history *history, uint64_t line,
                                 enum history_fault_kind kind, const char *text, const char *piece,
                                 size_t length)
{
    struct history_fault *fault;
    size_t at;
    *(kind < FAULT_FIRST_ODD ? &history->damaged : &history->odd) += 1;
    if (history->faults == HISTORY_FAULTS)
        return BL_OK;
    fault = growing_array(history->fault, history->faults, &history->faults_room, sizeof *fault);
    if (!fault)
        return BL_NOMEM;
    history->fault = fault;
    fault = &history->fault[history->faults++];
    fault->line = line;
    fault->kind = kind;
    at = append(fault->text, 0, sizeof fault->text, text, strlen(text));
    if (piece) {
        at = append(fault->text, at, sizeof fault->text, ": \"", 3);
        at = append(fault->text, at, sizeof fault->text - 2, piece, length);
        append(fault->text, at, sizeof fault->text, "\"", 1);
    }
    return BL_OK;
}

static size_t field_room(enum history_field field)
{
    return (field < FIELD_FIRST_WORD ? HISTORY_TEXT : HISTORY_WORD) + 1;
}

bool history_field_good(enum history_field field, const char *text, size_t length)
{
    if (length >= field_room(field))
        return false;
    for (size_t at = 0; at < length;) {
        uint32_t point;
        size_t taken = utf8_decode((const uint8_t *)text + at, length - at, &point);
        if (taken == 0 || point < 0x20 || !key_is_key(point) ||
            (point == ' ' && field >= FIELD_FIRST_WORD))
            return false;
        at += taken;
    }
    return true;
}

static const struct {
    const char *name;
    size_t at; /* offset in struct history_part */
} fields[FIELDS] = {
    [FIELD_TITLE] = {"title", offsetof(struct history_part, title)},
    [FIELD_NOTICE] = {"notice", offsetof(struct history_part, notice)},
    [FIELD_CONTESTANT] = {"contestant", offsetof(struct history_part, contestant)},
    [FIELD_HEADER2] = {"header2", offsetof(struct history_part, header2)},
    [FIELD_HEADER3] = {"header3", offsetof(struct history_part, header3)},
    [FIELD_PROGRAM] = {"program", offsetof(struct history_part, program)},
    [FIELD_JUDGE] = {"judge", offsetof(struct history_part, judge)},
    [FIELD_ROUND] = {"round", offsetof(struct history_part, round)},
    [FIELD_SUBROUND] = {"subround", offsetof(struct history_part, subround)},
    [FIELD_HUMAN] = {"human", offsetof(struct history_part, human)},
};

static char *place(struct history_part *part, enum history_field field)
{
    return field < FIELDS ? (char *)part + fields[field].at : NULL;
}

const char *history_field_of(const struct history *history, size_t part, enum history_field field)
{
    return part < history->parts ? place(&history->part[part], field) : "";
}

const char *history_field_name(enum history_field field)
{
    return field < FIELDS ? fields[field].name : "";
}

bool history_part_set(struct history_part *part, enum history_field field, const char *text,
                      size_t length)
{
    char *to = place(part, field);
    if (!history_field_good(field, text, length))
        return false;
    memmove(to, text, length);
    to[length] = '\0';
    return true;
}

bool history_set(struct history *history, enum history_field field, const char *text, size_t length)
{
    return history->parts &&
           history_part_set(&history->part[history->parts - 1], field, text, length);
}

void history_set_all(struct history *history, enum history_field field, const char *value)
{
    for (size_t i = 0; i < history->parts; i++)
        history_part_set(&history->part[i], field, value, strlen(value));
}

const char *history_fault_name(enum history_fault_kind kind)
{
    static const char *const words[] = {
        [FAULT_CUT] = "cut",           [FAULT_BLANK] = "blank",     [FAULT_EMPTY] = "empty",
        [FAULT_KEY] = "key",           [FAULT_RECORD] = "record",   [FAULT_BYTE] = "byte",
        [FAULT_LONG] = "long",         [FAULT_MISSING] = "missing", [FAULT_LOST] = "lost",
        [FAULT_ORDER] = "order",       [FAULT_HEADER] = "header",   [FAULT_FIELD] = "field",
        [FAULT_WHO] = "who",           [FAULT_END] = "end",         [FAULT_EOL] = "eol",
        [FAULT_ENCODING] = "encoding",
    };
    return WORD_OF(words, kind, "fault");
}

const char *history_who_name(enum history_who who)
{
    static const char *const words[] = {
        [WHO_UNKNOWN] = "",
        [WHO_HUMAN] = "human",
        [WHO_PROGRAM] = "program",
    };
    return WORD_OF(words, who, "");
}

void history_keep_side(struct history *history, enum side side)
{
    size_t kept = 0;
    for (size_t i = 0; i < history->keys; i++)
        if (history->key[i].side == side)
            history->key[kept++] = history->key[i];
    history->keys = kept;
}
