/* Makes a bundle's tables of sessions, messages and keys anew, from the acts and the told keys. A
 * message whose keys are not told keeps its text. */
#include "desk/bundle_private.h"
#include "transcript/words.h"

#include <stdlib.h>
#include <string.h>

/* A message of the session, by its side and number. */
struct told_message {
    const json_t *row;
    unsigned keys, hidden, seen; /* seen: keys of the message so far, from the last one back */
};

struct bundle_keys {
    const char *text[3];          /* sessions.jsonl, messages.jsonl, keys.jsonl */
    json_t *first[3];             /* of each, the offset of a session's first row, by the session */
    json_t *row, *key, *messages; /* rows of the present session */
    json_t *number;               /* of a message in `message`, by side and number */
    struct told_message *message;
    size_t next; /* of the keys */
    struct history history;
    struct data_out out;
    unsigned hidden; /* keys of all sessions that are not told */
    bool failed;     /* no memory */
};

enum { SESSIONS, MESSAGES, KEYS };

#define ROW_START    "{\"session\":\""
#define MESSAGE_NAME 32

/* The session of a row; false: the line is none. */
static bool session_of(const char *line, char session[CONTEST_SESSION_MAX])
{
    const size_t start = sizeof ROW_START - 1, length = strcspn(line + 1, "\n") + 1;
    if (strncmp(line, ROW_START, start) != 0)
        return false;
    size_t name = strcspn(line + start, "\"\n");
    if (name >= CONTEST_SESSION_MAX || start + name >= length)
        return false;
    snprintf(session, CONTEST_SESSION_MAX, "%.*s", (int)name, line + start);
    return true;
}

static json_t *index_of(const char *text)
{
    char before[CONTEST_SESSION_MAX] = "", session[CONTEST_SESSION_MAX];
    json_t *first = json_object();
    for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        if (*at == '\n' || !session_of(at, session) || strcmp(session, before) == 0)
            continue;
        if (!json_object_get(first, session))
            json_object_set_new(first, session, json_integer(at - text));
        strcpy(before, session);
    }
    return first;
}

/* The adjacent rows of a session, an array; those behind a row that is no JSON are left out. */
static json_t *rows_of(const struct bundle_keys *keys, unsigned which, const char *session)
{
    const json_t *offset = json_object_get(keys->first[which], session);
    const char *at = keys->text[which] + json_integer_value(offset);
    char is[CONTEST_SESSION_MAX];
    json_t *rows = json_array(), *row;
    while (offset && *at && session_of(at, is) && strcmp(is, session) == 0 &&
           (row = json_loadb(at, strcspn(at, "\n"), 0, NULL))) {
        json_array_append_new(rows, row);
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    return rows;
}

static void message_name(char out[MESSAGE_NAME], const json_t *side, const json_t *number)
{
    const char *word = json_string_value(side);
    snprintf(out, MESSAGE_NAME, "%.8s %lld", word ? word : "",
             (long long)json_integer_value(number));
}

static struct told_message *find_message(const struct bundle_keys *keys, const json_t *side,
                                         const json_t *number)
{
    char name[MESSAGE_NAME];
    message_name(name, side, number);
    const json_t *at = json_object_get(keys->number, name);
    return at ? &keys->message[json_integer_value(at)] : NULL;
}

static struct told_message *message_of(const struct bundle_keys *keys, const json_t *key)
{
    return find_message(keys, json_object_get(key, "side"), json_object_get(key, "message"));
}

static bool is_hidden(const struct told_message *message)
{
    return message && message->keys && message->hidden == message->keys;
}

static enum bl_status take_messages(struct bundle_keys *keys)
{
    size_t i;
    json_t *row;
    char name[MESSAGE_NAME];
    json_object_clear(keys->number);
    free(keys->message);
    keys->message = calloc(json_array_size(keys->messages) + 1, sizeof *keys->message);
    if (!keys->message)
        return BL_NOMEM;
    json_array_foreach(keys->messages, i, row)
    {
        message_name(name, json_object_get(row, "side"), json_object_get(row, "message"));
        keys->message[i].row = row;
        json_object_set_new(keys->number, name, json_integer((json_int_t)i));
    }
    json_array_foreach(keys->key, i, row)
    {
        struct told_message *message = message_of(keys, row);
        if (message) {
            message->keys++;
            message->hidden += json_is_null(json_object_get(row, "key"));
        }
    }
    return BL_OK;
}

/* The key's code point. One that is not told is a letter, and the last of a message that was sent a
 * Return. */
static uint32_t point_of(const struct bundle_keys *keys, const json_t *row)
{
    const char *name = json_string_value(json_object_get(row, "key"));
    struct told_message *message = message_of(keys, row);
    bool last = message && message->seen++ == 0;
    if (name)
        return words_find_key(name, strlen(name));
    return last && json_is_true(json_object_get(message->row, "sent")) ? KEY_RETURN : 'x';
}

static uint64_t time_of(const json_t *row, const char *column)
{
    return (uint64_t)json_integer_value(json_object_get(row, column));
}

static enum bl_status take_keys(struct bundle_keys *keys)
{
    const size_t count = json_array_size(keys->key);
    uint32_t *point = calloc(count + 1, sizeof *point);
    enum bl_status status = point ? history_add_part(&keys->history, NULL) : BL_NOMEM;
    for (size_t i = count; status == BL_OK && i--;)
        point[i] = point_of(keys, json_array_get(keys->key, i));
    for (size_t i = 0; status == BL_OK && i < count; i++) {
        const json_t *row = json_array_get(keys->key, i);
        const char *side = json_string_value(json_object_get(row, "side"));
        const char *author = json_string_value(json_object_get(row, "author"));
        struct history_key key = {.posted_us = time_of(row, "placed_us"),
                                  .pressed_us = time_of(row, "pressed_us"),
                                  .point = point[i],
                                  .side = side && strcmp(side, words_side(SIDE_RIGHT)) == 0,
                                  .party = author && author[0] == 'J' ? PARTY_JUDGE : PARTY_ENTITY};
        status = history_add_key(&keys->history, &key);
    }
    free(point);
    return status == BL_NOMEM ? status : BL_OK; /* a key that is none is a difference */
}

const struct history *bundle_keys_told(void *ctx, const char *session)
{
    struct bundle_keys *keys = ctx;
    json_decref(keys->row);
    json_decref(keys->key);
    json_decref(keys->messages);
    history_free(&keys->history);
    keys->history = (struct history){.keys = 0};
    keys->next = 0;
    keys->row = rows_of(keys, SESSIONS, session);
    keys->messages = rows_of(keys, MESSAGES, session);
    keys->key = rows_of(keys, KEYS, session);
    const json_t *row = json_array_get(keys->row, 0);
    if (!json_is_true(json_object_get(row, "recorded")) && !json_array_size(keys->key))
        return NULL;
    keys->failed |= take_messages(keys) != BL_OK || take_keys(keys) != BL_OK;
    keys->history.damaged = time_of(row, "damaged");
    return keys->failed ? NULL : &keys->history;
}

/* Puts a row that was made anew, with what the bundle does not tell as the bundle has it. */
static enum bl_status put_row(void *ctx, enum data_table table, json_t *values)
{
    struct bundle_keys *keys = ctx;
    if (values && table == DATA_KEYS) {
        const json_t *row = json_array_get(keys->key, keys->next++);
        if (json_is_null(json_object_get(row, "key")) && is_hidden(message_of(keys, row))) {
            json_array_set_new(values, 4, json_null());
            keys->hidden++;
        }
    } else if (values && table == DATA_MESSAGES) {
        const struct told_message *message =
            find_message(keys, json_array_get(values, 1), json_array_get(values, 2));
        if (is_hidden(message)) {
            json_array_set(values, 5, json_object_get(message->row, "text"));
            json_array_set(values, 11, json_object_get(message->row, "backspaces"));
        }
    }
    return keys->out.row(keys->out.ctx, table, values);
}

struct bundle_keys *bundle_keys_create(const char *sessions, const char *messages, const char *told,
                                       const struct data_out *out)
{
    struct bundle_keys *keys = calloc(1, sizeof *keys);
    if (!keys)
        return NULL;
    keys->out = *out;
    keys->text[SESSIONS] = sessions;
    keys->text[MESSAGES] = messages;
    keys->text[KEYS] = told;
    for (unsigned i = 0; i < 3; i++)
        keys->first[i] = index_of(keys->text[i]);
    keys->number = json_object();
    return keys;
}

struct data_out bundle_keys_out(struct bundle_keys *keys)
{
    return (struct data_out){put_row, keys};
}

unsigned bundle_keys_hidden(const struct bundle_keys *keys)
{
    return keys->hidden;
}

void bundle_keys_destroy(struct bundle_keys *keys)
{
    if (!keys)
        return;
    for (unsigned i = 0; i < 3; i++)
        json_decref(keys->first[i]);
    json_decref(keys->row);
    json_decref(keys->key);
    json_decref(keys->messages);
    json_decref(keys->number);
    history_free(&keys->history);
    free(keys->message);
    free(keys);
}
