#include "rules/ballot_field.h"

#include "base/utf8.h"
#include "rules/ballot_kind.h"
#include "rules/ballot_sign.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME       "abcdefghijklmnopqrstuvwxyz-"
#define WORD       NAME "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
#define NUMBER_MAX 9999

/* Reads the next item after the name; items are separated by blanks and commas. */
static size_t next_item(const char **at, const char *end)
{
    size_t length = 0;
    while (*at < end && (**at == ' ' || **at == ','))
        ++*at;
    while (*at + length < end && (*at)[length] != ' ' && (*at)[length] != ',')
        length++;
    return length;
}

static bool is_word(const char *item, size_t length, const char *word)
{
    return length == strlen(word) && memcmp(item, word, length) == 0;
}

/* Reads a whole number: digits with an optional minus, to the end of the text. */
static bool read_number(const char *text, size_t length, int *number)
{
    bool minus = length > 1 && *text == '-';
    int value = 0;
    if (length == 0 || length > 5)
        return false;
    for (size_t i = minus; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        value = value * 10 + (text[i] - '0');
    }
    *number = minus ? -value : value;
    return value <= NUMBER_MAX;
}

/* Reads a range, such as "0..100". */
static bool read_range(const char *item, size_t length, struct ballot_field *q)
{
    size_t first = 0;
    while (first < length && item[first] != '.')
        first++;
    return first + 2 < length && item[first + 1] == '.' && read_number(item, first, &q->least) &&
           read_number(item + first + 2, length - first - 2, &q->most) && q->least < q->most;
}

/* Appends a word to a choice. False: the choice already has the word, or has no room. */
static bool add_word(struct ballot_field *q, const char *item, size_t length)
{
    size_t used = strlen(q->words);
    for (const char *at = q->words; *at;) {
        size_t word = strcspn(at, " ");
        if (word == length && memcmp(at, item, length) == 0)
            return false;
        at += word + (at[word] == ' ');
    }
    for (size_t i = 0; i < length; i++)
        if (!item[i] || !strchr(WORD, item[i]))
            return false;
    if (used + length + 2 > sizeof q->words)
        return false;
    if (used)
        q->words[used++] = ' ';
    memcpy(q->words + used, item, length);
    return true;
}

static bool read_items(struct ballot_field *q, const char *at, const char *end)
{
    size_t length = next_item(&at, end);
    if (is_word(at, length, "text")) {
        q->type = ASKS_TEXT;
        at += length;
        length = next_item(&at, end);
        if (!read_number(at, length, &q->most) || q->most < 1 || q->most > BALLOT_VALUE_MAX)
            return false;
        at += length;
    } else if (read_range(at, length, q)) {
        q->type = ASKS_NUMBER;
        at += length;
    } else {
        q->type = ASKS_CHOICE;
        while (length && !is_word(at, length, "required")) {
            if (!add_word(q, at, length))
                return false;
            at += length;
            length = next_item(&at, end);
        }
        if (!strchr(q->words, ' '))
            return false;
    }
    length = next_item(&at, end);
    q->required = is_word(at, length, "required");
    at += q->required ? length : 0;
    return next_item(&at, end) == 0;
}

enum bl_status ballot_field_parse(struct ballot_field *field, const char *text, size_t length,
                                  struct bl_diag *diag)
{
    const char *colon = memchr(text, ':', length);
    size_t name = colon ? (size_t)(colon - text) : 0;
    bool good = name > 0 && name <= BALLOT_FIELD_NAME && length <= BALLOT_FIELD_LINE &&
                !is_word(text, name, "notes") && text[0] != '-';
    memset(field, 0, sizeof *field);
    for (size_t i = 0; good && i < name; i++)
        good = strchr(NAME, text[i]) && text[i];
    if (good) {
        memcpy(field->name, text, name);
        good = read_items(field, colon + 1, text + length);
    }
    return good ? BL_OK
                : bl_fail(diag, BL_DATA,
                          "'%.*s': expected a field such as 'confidence: 0..100', 'sure: guess "
                          "think know' or 'reason: text 400 required'",
                          length > 60 ? 60 : (int)length, text);
}

size_t ballot_field_print(const struct ballot_field *q, char out[BALLOT_FIELD_LINE + 1])
{
    char what[BALLOT_FIELD_LINE + 1];
    if (q->type == ASKS_NUMBER)
        snprintf(what, sizeof what, "%d..%d", q->least, q->most);
    else if (q->type == ASKS_TEXT)
        snprintf(what, sizeof what, "text,%d", q->most);
    else
        snprintf(what, sizeof what, "%s", q->words);
    for (char *at = what; *at; at++)
        *at = *at == ' ' ? ',' : *at;
    return (size_t)snprintf(out, BALLOT_FIELD_LINE + 1, "%s:%s%s", q->name, what,
                            q->required ? ",required" : "");
}

static void ballot_field_expected(const struct ballot_field *q, char out[BALLOT_FIELD_SAY])
{
    if (q->type == ASKS_NUMBER)
        snprintf(out, BALLOT_FIELD_SAY, "a whole number from %d to %d", q->least, q->most);
    else if (q->type == ASKS_TEXT)
        snprintf(out, BALLOT_FIELD_SAY, "a text of one line, of at most %d bytes", q->most);
    else
        snprintf(out, BALLOT_FIELD_SAY, "one of: %s", q->words);
}

bool ballot_asked_is_same(const struct ballot_asked *file, const struct ballot_asked *rules,
                          struct bl_diag *diag)
{
    for (unsigned i = 0; i < BALLOT_FIELDS; i++) {
        char of_file[BALLOT_FIELD_LINE + 1] = "no more", of_rules[BALLOT_FIELD_LINE + 1] = "none";
        if (i >= file->count && i >= rules->count)
            break;
        if (i < file->count)
            ballot_field_print(&file->field[i], of_file);
        if (i < rules->count)
            ballot_field_print(&rules->field[i], of_rules);
        if (strcmp(of_file, of_rules) == 0)
            continue;
        bl_fail(diag, BL_DATA, "the ballot's field %u is '%s', the rules ask '%s' there", i + 1,
                of_file, of_rules);
        return false;
    }
    return true;
}

/* Measures the word of a choice at `at`. Returns the next word; NULL: none. */
static const char *choice_word(const char *at, size_t *length)
{
    *length = strcspn(at, " ");
    return at[*length] ? at + *length + 1 : NULL;
}

int ballot_choice_find(const struct ballot_field *field, const char *word, size_t length)
{
    int place = 0;
    size_t of_word;
    for (const char *at = field->words, *next; at; at = next, place++) {
        next = choice_word(at, &of_word);
        if (of_word == length && memcmp(at, word, length) == 0)
            return place;
    }
    return -1;
}

void ballot_choice_word(const struct ballot_field *field, unsigned place,
                        char out[BALLOT_FIELD_LINE])
{
    const char *at = field->words, *next;
    size_t length;
    while ((next = choice_word(at, &length)) && place-- > 0)
        at = next;
    memcpy(out, at, length);
    out[length] = '\0';
}

static bool is_right(const struct ballot_field *q, const char *value)
{
    char again[16];
    int number = 0;
    switch (q->type) {
    case ASKS_CHOICE:
        return ballot_choice_find(q, value, strlen(value)) >= 0;
    case ASKS_NUMBER:
        if (!read_number(value, strlen(value), &number) || number < q->least || number > q->most)
            return false;
        snprintf(again, sizeof again, "%d", number);
        return strcmp(again, value) == 0; /* one spelling of each number is accepted */
    case ASKS_TEXT:
        break;
    }
    return strlen(value) <= (size_t)q->most && vote_notes_good(value, strlen(value));
}

enum bl_status ballot_value_check(const struct ballot_field *field, const char *value,
                                  struct bl_diag *diag)
{
    char expected[BALLOT_FIELD_SAY];
    if (*value ? is_right(field, value) : !field->required)
        return BL_OK;
    ballot_field_expected(field, expected);
    return bl_fail(diag, BL_DATA, "%s: expected %s", field->name, expected);
}

enum bl_status ballot_values_check(const struct ballot_asked *asked,
                                   const struct ballot_values *values, struct bl_diag *diag)
{
    enum bl_status status = BL_OK;
    for (unsigned i = 0; status == BL_OK && i < asked->count; i++)
        status = ballot_value_check(&asked->field[i], values->text[i], diag);
    return status;
}

static bool take_quoted(struct vote_words *words, char out[BALLOT_VALUE_MAX + 1])
{
    const char *at = words->at;
    size_t length = 0;
    if (at == words->end || *at++ != '"')
        return false;
    for (; at < words->end && *at != '"'; at++) {
        if (*at == '\\' && (++at == words->end || (*at != '"' && *at != '\\')))
            return false;
        if (length == BALLOT_VALUE_MAX || *at == '\0')
            return false;
        out[length++] = *at;
    }
    if (at == words->end || length == 0)
        return false;
    at++;
    if (at < words->end && *at++ != ' ')
        return false;
    words->at = at;
    return true;
}

bool ballot_values_take(const struct ballot_asked *asked, struct vote_words *words,
                        struct ballot_values *values)
{
    for (unsigned i = 0; i < asked->count; i++) {
        const char *word;
        size_t length;
        if (!vote_take_word(words, asked->field[i].name))
            continue;
        if (asked->field[i].type == ASKS_TEXT) {
            if (!take_quoted(words, values->text[i]))
                return false;
            continue;
        }
        length = vote_next_word(words, &word);
        if (length == 0 || length > BALLOT_VALUE_MAX || memchr(word, '\0', length))
            return false;
        memcpy(values->text[i], word, length);
    }
    return true;
}

enum bl_status ballot_values_parse(const struct ballot_asked *asked, const char *text,
                                   struct ballot_values *values, struct bl_diag *diag)
{
    struct vote_words words = {text, text + strlen(text)};
    memset(values, 0, sizeof *values);
    if (!ballot_values_take(asked, &words, values) || words.at < words.end)
        return bl_fail(diag, BL_DATA,
                       "'%.60s': expected the fields that the rules ask, each behind its name, a "
                       "text in double quotes",
                       text);
    return ballot_values_check(asked, values, diag);
}

size_t ballot_values_print(const struct ballot_asked *asked, const struct ballot_values *values,
                           char out[BALLOT_VALUES_TEXT + 1])
{
    size_t length = 0;
    for (unsigned i = 0; i < asked->count; i++) {
        const char *at = values->text[i];
        bool quoted = asked->field[i].type == ASKS_TEXT;
        if (!*at)
            continue;
        length += (size_t)snprintf(out + length, BALLOT_VALUES_TEXT + 1 - length, " %s %s",
                                   asked->field[i].name, quoted ? "\"" : "");
        for (; *at; at++) {
            if (quoted && (*at == '"' || *at == '\\'))
                out[length++] = '\\';
            out[length++] = *at;
        }
        if (quoted)
            out[length++] = '"';
    }
    out[length] = '\0';
    return length;
}

json_t *ballot_values_to_json(const struct ballot_asked *asked, const struct ballot_values *values)
{
    json_t *json = NULL;
    for (unsigned i = 0; i < asked->count; i++) {
        const char *text = values->text[i];
        if (!*text)
            continue;
        json = json ? json : json_object();
        json_object_set_new(json, asked->field[i].name,
                            asked->field[i].type == ASKS_NUMBER
                                ? json_integer(strtol(text, NULL, 10))
                                : json_string(text));
    }
    return json;
}

/* Takes a member of the object. False: no field has that name, or the value has another type. */
static bool take_json(const struct ballot_asked *asked, const char *name, const json_t *value,
                      struct ballot_values *values)
{
    const char *text = json_string_value(value);
    char number[32];
    for (unsigned i = 0; i < asked->count; i++) {
        if (strcmp(asked->field[i].name, name) != 0)
            continue;
        if (asked->field[i].type == ASKS_NUMBER) {
            snprintf(number, sizeof number, "%lld", (long long)json_integer_value(value));
            text = json_is_integer(value) ? number : NULL;
        }
        if (!text || !*text || strlen(text) > BALLOT_VALUE_MAX)
            return false;
        strcpy(values->text[i], text);
        return true;
    }
    return false;
}

enum bl_status ballot_values_from_json(const struct ballot_asked *asked, const json_t *json,
                                       struct ballot_values *values, struct bl_diag *diag)
{
    const char *name;
    json_t *value;
    memset(values, 0, sizeof *values);
    if (json && !json_is_object(json))
        return bl_fail(diag, BL_DATA, "'fields': expected an object");
    json_object_foreach((json_t *)json, name, value)
    {
        if (!take_json(asked, name, value, values))
            return bl_fail(diag, BL_DATA,
                           "'fields': '%.40s' is none that these rules ask, or takes no such value",
                           name);
    }
    return ballot_values_check(asked, values, diag);
}

uint64_t ballot_values_digest(const struct ballot_asked *asked, const struct ballot_values *values)
{
    char text[BALLOT_VALUES_TEXT + 1];
    size_t length = ballot_values_print(asked, values, text);
    uint8_t chain[BALLOT_CHAIN] = {0};
    uint64_t digest;
    if (length == 0)
        return 0;
    ballot_chain(chain, text, length);
    memcpy(&digest, chain, sizeof digest);
    return digest;
}

static uint32_t lower(uint32_t point)
{
    return point >= 'A' && point <= 'Z' ? point - 'A' + 'a' : point;
}

/* Moves to the next word of a choice that begins with the typed letter. */
static bool type_choice(const struct ballot_field *q, char text[BALLOT_VALUE_MAX + 1],
                        uint32_t point)
{
    const char *begin = q->words, *next;
    size_t length;
    for (const char *at = q->words; at; at = next) {
        next = choice_word(at, &length);
        if (next && is_word(at, length, text))
            begin = next;
    }
    const char *at = begin;
    do {
        next = choice_word(at, &length);
        if (lower((uint8_t)*at) == lower(point)) {
            memcpy(text, at, length);
            text[length] = '\0';
            return true;
        }
        at = next ? next : q->words;
    } while (at != begin);
    return false;
}

static bool type_number(const struct ballot_field *q, char text[BALLOT_VALUE_MAX + 1],
                        uint32_t point, bool fresh)
{
    char typed[8] = "";
    size_t length = fresh ? 0 : strlen(text);
    int number;
    if (!(point >= '0' && point <= '9') && !(point == '-' && length == 0 && q->least < 0))
        return false;
    if (length >= sizeof typed - 2)
        return false;
    memcpy(typed, text, length);
    if (length && typed[length - 1] == '0' && (length == 1 || typed[length - 2] == '-'))
        length--; /* a leading zero is dropped */
    typed[length] = (char)point;
    typed[length + 1] = '\0';
    if (strcmp(typed, "-") != 0 &&
        (!read_number(typed, strlen(typed), &number) || number > q->most ||
         (number < q->least && (number < 0 || q->least <= 0))))
        return false;
    strcpy(text, typed);
    return true;
}

bool ballot_value_type(const struct ballot_field *q, char text[BALLOT_VALUE_MAX + 1],
                       uint32_t point, bool fresh, char why[BALLOT_FIELD_SAY])
{
    uint8_t bytes[UTF8_MAX];
    size_t length = strlen(text), taken;
    why[0] = '\0';
    if (q->type != ASKS_TEXT) {
        char expected[BALLOT_FIELD_SAY];
        if (q->type == ASKS_CHOICE ? type_choice(q, text, point)
                                   : type_number(q, text, point, fresh))
            return true;
        ballot_field_expected(q, expected);
        snprintf(why, BALLOT_FIELD_SAY, "Expected %.*s.", BALLOT_FIELD_SAY - 12, expected);
        return false;
    }
    taken = utf8_encode(point, bytes);
    if (taken == 0 || !vote_notes_good((const char *)bytes, taken))
        return false;
    if (length + taken > (size_t)q->most) {
        snprintf(why, BALLOT_FIELD_SAY, "There is no more room: at most %d bytes.", q->most);
        return false;
    }
    memcpy(text + length, bytes, taken);
    text[length + taken] = '\0';
    return true;
}
