/* 2016 to 2019: the files Round0, Round1 ... of the LPP v2 server. Each message of the round, of
 * all judges, is a JSON object on a line with `id`, `to`, `content` and an empty `secret`. There
 * are no times, keys or sides. A history has the program (ai0) on the left, the confederate (conf0)
 * on the right, and a part for each judge with the messages in order. */
#include "transcript/history_private.h"

#include "base/growing.h"
#include "base/utf8.h"

#include <ctype.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define JUDGE "judge"
#define HUMAN "conf"
#define LEFT  "left" /* a side's name for an unknown entity */
#define RIGHT "right"

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static bool is_seat(const char *name)
{
    return strcmp(name, LEFT) == 0 || strcmp(name, RIGHT) == 0;
}

/* The index of the judge's part with this kind of entity on the left. Adds a missing part.
 * SIZE_MAX: no room. */
static size_t part_of(struct reader *reader, const char *judge, enum history_who left)
{
    struct history *history = reader->history;
    struct history_part part = {.left = (uint8_t)left};
    for (size_t i = 0; i < history->parts; i++)
        if (strcmp(history->part[i].judge, judge) == 0 && history->part[i].left == left)
            return i;
    memcpy(part.judge, judge, strlen(judge) + 1);
    enum bl_status status = history_add_part(history, &part);
    if (status == BL_NOMEM)
        reader->status = status;
    return status ? SIZE_MAX : history->parts - 1;
}

/* Returns the side of the judge's partner, and sets the partner's name in the part. */
static uint8_t seat(struct history_part *part, const char *entity)
{
    bool human = begins(entity, HUMAN);
    if (is_seat(entity))
        return strcmp(entity, RIGHT) == 0 ? SIDE_RIGHT : SIDE_LEFT;
    if (human && history_field_good(FIELD_HUMAN, entity + strlen(HUMAN), strlen(entity) - 4))
        memcpy(part->human, entity + strlen(HUMAN), strlen(entity) - 3);
    else if (!human && history_field_good(FIELD_PROGRAM, entity, strlen(entity)))
        memcpy(part->program, entity, strlen(entity) + 1);
    return human ? SIDE_RIGHT : SIDE_LEFT;
}

static void add(struct reader *reader, const struct history_key *key)
{
    if (reader_is_lost(reader, key->point))
        return;
    enum bl_status status = history_add_key(reader->history, key);
    if (status == BL_NOMEM)
        reader->status = status;
    if (status == BL_FULL && !reader->full) {
        reader_fault(reader, FAULT_LONG, "there are too many keys: the rest is left out");
        reader->full = true;
    }
}

static void add_message(struct reader *reader, struct history_key key, const json_t *content)
{
    const uint8_t *text = (const uint8_t *)json_string_value(content);
    bool odd = false;
    for (size_t left = json_string_length(content), taken; left; text += taken, left -= taken) {
        taken = utf8_decode(text, left, &key.point);
        if (taken == 0)
            break;
        if (key.point == '\n')
            key.point = KEY_RETURN;
        if (key_is_key(key.point) && key.point != KEY_BACKSPACE)
            add(reader, &key);
        else
            odd = true;
    }
    key.point = KEY_RETURN;
    add(reader, &key);
    if (odd)
        reader_fault_quoted(reader, FAULT_KEY, "it has characters that are no keys");
}

static bool read_message(struct reader *reader, const json_t *message)
{
    const char *id = json_string_value(json_object_get(message, "id"));
    const char *to = json_string_value(json_object_get(message, "to"));
    const json_t *content = json_object_get(message, "content");
    if (!id || !to || !json_is_string(content) || begins(id, JUDGE) == begins(to, JUDGE))
        return false;
    struct history_key key = {.party = begins(id, JUDGE) ? PARTY_JUDGE : PARTY_ENTITY};
    const char *judge = (key.party == PARTY_JUDGE ? id : to) + strlen(JUDGE);
    if (!history_field_good(FIELD_JUDGE, judge, strlen(judge)))
        return false;
    const char *entity = key.party == PARTY_JUDGE ? to : id;
    size_t part = part_of(reader, judge, is_seat(entity) ? WHO_UNKNOWN : WHO_PROGRAM);
    if (part == SIZE_MAX)
        return true;
    key.part = (uint16_t)part;
    key.side = seat(&reader->history->part[part], entity);
    add_message(reader, key, content);
    return true;
}

/* Sorts the keys by part. */
static enum bl_status group(struct history *history)
{
    struct history_key *key = calloc(history->keys + 1, sizeof *key);
    size_t at = 0, *count = calloc(history->parts + 1, sizeof *count);
    if (!key || !count) {
        free(key);
        free(count);
        return BL_NOMEM;
    }
    for (size_t i = 0; i < history->keys; i++)
        count[history->key[i].part]++;
    for (size_t i = 0; i < history->parts; i++) { /* turns the counts into offsets */
        size_t keys = count[i];
        count[i] = at;
        at += keys;
    }
    for (size_t i = 0; i < history->keys; i++)
        key[count[history->key[i].part]++] = history->key[i];
    if (history->keys)
        memcpy(history->key, key, history->keys * sizeof *key);
    free(key);
    free(count);
    return BL_OK;
}

void read_2016(struct reader *reader, enum format format)
{
    (void)format;
    while (reader_next(reader)) {
        if (reader->length == 0)
            continue;
        json_t *message = json_loadb(reader->line, reader->length, 0, NULL);
        if (!message || !read_message(reader, message))
            reader_bad(reader,
                       "a line is {\"content\":TEXT,\"to\":NAME,\"id\":NAME,\"secret\":\"\"}, "
                       "and one of the names is a judge's");
        json_decref(message);
    }
    if (reader->status == BL_OK)
        reader->status = group(reader->history);
}

static bool is_name(const char *name)
{
    for (const char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("._-", *c))
            return false;
    return name[0] != '\0';
}

/* True if a reader will take the name for a program's. */
static bool is_program(const char *name)
{
    return is_name(name) && !begins(name, JUDGE) && !begins(name, HUMAN) && !is_seat(name);
}

static void put_entity(const struct out *out, const struct history_part *part, enum side side,
                       bool pairs)
{
    bool known = part->left != WHO_UNKNOWN;
    bool program = !known || (part->left == WHO_PROGRAM) == (side == SIDE_LEFT);
    if (!known && (pairs || !is_program(part->program)))
        out_text(out, side == SIDE_LEFT ? LEFT : RIGHT);
    else if (program)
        out_text(out, is_program(part->program) ? part->program : "ai0");
    else
        out_texts(out, HUMAN, is_name(part->human) ? part->human : "0");
}

static void put_message(const struct writer *writer, const struct history_part *part,
                        const struct history_key *key, struct growing *message, bool pairs)
{
    const struct out *out = writer->out;
    bool judge = key->party == PARTY_JUDGE;
    out_text(out, "{\"content\":\"");
    out_json(out, message->length ? message->bytes : "", message->length);
    out_text(out, "\",\"to\":\"");
    for (unsigned i = 0; i < 2; i++) {
        if ((i == 1) == judge)
            out_texts(out, JUDGE, is_name(part->judge) ? part->judge : "0");
        else
            put_entity(out, part, (enum side)key->side, pairs);
        out_text(out, i == 0 ? "\",\"id\":\"" : "\",\"secret\":\"\"}");
    }
    out_text(out, writer->eol);
    message->length = 0;
}

/* Writes text without Return last. */
static void put_rest(const struct writer *writer, const struct history_part *part,
                     struct growing message[SIDES][PARTIES], bool pairs)
{
    for (unsigned i = 0; i < SIDES * PARTIES; i++) {
        const struct history_key key = {.side = (uint8_t)(i / PARTIES),
                                        .party = (uint8_t)(i % PARTIES)};
        if (message[key.side][key.party].length)
            put_message(writer, part, &key, &message[key.side][key.party], pairs);
    }
}

enum bl_status write_2016(struct writer *writer, const struct history *history, enum format format)
{
    struct growing message[SIDES][PARTIES] = {0};
    struct standing standing;
    enum bl_status status = history_standing(history, &standing);
    bool pairs = history_sides(history) > 1;
    size_t at = 0;
    (void)format;
    for (size_t i = 0; i < history->parts && status == BL_OK; i++) {
        for (; status == BL_OK && at < history->keys && history->key[at].part == i; at++) {
            const struct history_key *key = &history->key[at];
            struct growing *of = &message[key->side][key->party];
            char text[UTF8_MAX];
            if (!standing_is(&standing, at + 1))
                continue;
            if (key->point == KEY_RETURN)
                put_message(writer, &history->part[i], key, of, pairs);
            else
                growing_put(of, text, utf8_encode(key->point, (uint8_t *)text));
            status = of->failed ? BL_NOMEM : BL_OK;
        }
        put_rest(writer, &history->part[i], message, pairs);
    }
    for (unsigned i = 0; i < SIDES * PARTIES; i++)
        free(message[i / PARTIES][i % PARTIES].bytes);
    standing_free(&standing);
    return status;
}
