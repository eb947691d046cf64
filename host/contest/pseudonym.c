#include "contest/pseudonym.h"

#include "contest/act_word.h"

#include "base/name.h"
#include "contest/act_body.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define WORD_LEAST   2 /* bytes of the shortest word of a name that is taken out as a whole word */
#define WITHIN_LEAST 4 /* bytes of the shortest word that is taken out inside another word */

struct known_name {
    char *name;      /* owned */
    unsigned person; /* the pseudonym's number; 0: family or team, without a pseudonym */
    bool word;       /* a login name, perhaps an ordinary word: it stays in texts */
};

struct pseudonyms {
    struct known_name *known;
    size_t count, room;
    unsigned people;
    bool *shown; /* persons whose names are shown, by number - 1 */
    size_t shown_room;
    unsigned seat[CONTEST_ROLES][SCHEDULE_PEOPLE_MAX]; /* the person on each place */
    unsigned seats[CONTEST_ROLES];
};

struct pseudonyms *pseudonyms_create(void)
{
    return calloc(1, sizeof(struct pseudonyms));
}

void pseudonyms_destroy(struct pseudonyms *pseudonyms)
{
    for (size_t i = 0; pseudonyms && i < pseudonyms->count; i++)
        free(pseudonyms->known[i].name);
    if (pseudonyms) {
        free(pseudonyms->known);
        free(pseudonyms->shown);
    }
    free(pseudonyms);
}

static struct known_name *find(const struct pseudonyms *p, const char *name)
{
    for (size_t i = 0; i < p->count; i++)
        if (p->known[i].person && name_equal(p->known[i].name, name))
            return &p->known[i];
    return NULL;
}

/* Learns a name of `person`; 0: a new person. Returns the person's number; 0: no memory. */
static unsigned learn(struct pseudonyms *p, const char *name, unsigned person, bool word)
{
    struct known_name *there = find(p, name);
    if (there) {
        there->word = there->word && word;
        return there->person;
    }
    if (!person) {
        bool *shown = growing_array(p->shown, p->people, &p->shown_room, sizeof *shown);
        if (!shown)
            return 0;
        p->shown = shown;
        p->shown[p->people] = false;
        person = ++p->people;
    }
    struct known_name *more = growing_array(p->known, p->count, &p->room, sizeof *more);
    if (!more)
        return 0;
    p->known = more;
    more[p->count] = (struct known_name){strdup(name), person, word};
    return more[p->count].name ? p->known[p->count++].person : 0;
}

static bool learn_circle(struct pseudonyms *p, const json_t *names)
{
    for (size_t i = 0; i < json_array_size(names); i++) {
        const char *name = json_string_value(json_array_get(names, i));
        struct known_name *more = growing_array(p->known, p->count, &p->room, sizeof *more);
        if (!more)
            return false;
        p->known = more;
        more[p->count] = (struct known_name){name ? strdup(name) : NULL, 0, false};
        if (name && !more[p->count].name)
            return false;
        p->count += name != NULL;
    }
    return true;
}

/* Learns names from acts that put a person on a place. An Entry's own name is not learnt. */
static bool learn_seat(struct pseudonyms *p, const char *kind, const json_t *body)
{
    enum contest_role role;
    const char *name = json_string_value(json_object_get(body, "name"));
    const char *submitter = json_string_value(json_object_get(body, "submitter"));
    json_int_t number = json_integer_value(json_object_get(body, "number"));
    bool registers = strcmp(kind, act_kind_name(ACT_PERSON)) == 0;
    if (act_read_role("role", json_string_value(json_object_get(body, "role")), &role, NULL))
        return true;
    if (registers)
        number = ++p->seats[role];
    if (submitter && *submitter && !learn(p, submitter, 0, false))
        return false;
    if (role == CONTEST_ENTRY || !name || number < 1 || number > SCHEDULE_PEOPLE_MAX)
        return true;
    unsigned *seat = &p->seat[role][number - 1];
    bool same = strcmp(kind, act_kind_name(ACT_RENAME)) == 0;
    if (!registers && !same && strcmp(kind, act_kind_name(ACT_SUBSTITUTE)) != 0)
        return true;
    *seat = learn(p, name, same ? *seat : 0, false);
    return *seat;
}

enum bl_status pseudonyms_take(void *at, const struct act *act, struct bl_diag *diag)
{
    struct pseudonyms *p = at;
    json_t *body = json_loads(act->body, 0, NULL);
    const char *by = json_string_value(json_object_get(body, "by"));
    bool good = (!*act->author || learn(p, act->author, 0, !strchr(act->author, ' '))) &&
                (!by || learn(p, by, 0, false)) && learn_seat(p, act->kind, body) &&
                learn_circle(p, json_object_get(body, "family")) &&
                learn_circle(p, json_object_get(body, "team"));
    json_decref(body);
    return good ? BL_OK : bl_fail(diag, BL_NOMEM, "no memory");
}

void pseudonyms_show(struct pseudonyms *pseudonyms, const char *name)
{
    const struct known_name *there = find(pseudonyms, name);
    if (there)
        pseudonyms->shown[there->person - 1] = true;
}

static bool is_hidden(const struct pseudonyms *p, const struct known_name *name)
{
    return !name->person || !p->shown[name->person - 1];
}

static bool is_taken_out(const struct pseudonyms *p, const struct known_name *name)
{
    return is_hidden(p, name) && !name->word;
}

bool pseudonyms_of(const struct pseudonyms *pseudonyms, const char *name, char out[PSEUDONYM_MAX])
{
    const struct known_name *there = find(pseudonyms, name);
    if (!there || !is_hidden(pseudonyms, there))
        return false;
    snprintf(out, PSEUDONYM_MAX, "P%u", there->person);
    return true;
}

/* Bytes above ASCII, of UTF-8, belong to words. */
static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

static bool is_part(char c)
{
    return is_letter(c) || (c >= '0' && c <= '9');
}

static size_t word_length(const char *text)
{
    size_t length = 0;
    while (is_part(text[length]))
        length++;
    return length;
}

/* True if the text's word is the name's word `of` or, from WITHIN_LEAST bytes on, contains it. */
static bool holds(const char *word, size_t length, const char *of, size_t size)
{
    char a[256], b[256];
    if (size < WORD_LEAST || size >= sizeof b || length >= sizeof a || !is_letter(*of))
        return false;
    snprintf(a, sizeof a, "%.*s", (int)length, word);
    snprintf(b, sizeof b, "%.*s", (int)size, of);
    for (size_t i = 0; size >= WITHIN_LEAST && i + size <= length; i++)
        if (strncasecmp(a + i, b, size) == 0)
            return true;
    return name_equal(a, b);
}

static bool is_of_a_name(const struct pseudonyms *p, const char *word, size_t length)
{
    for (size_t i = 0; i < p->count; i++)
        for (const char *at = p->known[i].name; is_taken_out(p, &p->known[i]) && *at;) {
            size_t size = word_length(at);
            if (holds(word, length, at, size))
                return true;
            at += size ? size : 1;
        }
    return false;
}

unsigned pseudonyms_redact(const struct pseudonyms *pseudonyms, const char *text,
                           struct growing *out)
{
    unsigned count = 0;
    for (size_t length; *text; text += length) {
        length = word_length(text);
        if (length && is_of_a_name(pseudonyms, text, length)) {
            growing_text(out, PSEUDONYM_INSTEAD);
            count++;
            continue;
        }
        length += length == 0;
        growing_put(out, text, length);
    }
    return count;
}

bool pseudonyms_names(const struct pseudonyms *pseudonyms, const char *text)
{
    for (size_t i = 0; i < pseudonyms->count; i++) {
        const char *name = pseudonyms->known[i].name;
        size_t length = strlen(name);
        for (const char *at = text; is_taken_out(pseudonyms, &pseudonyms->known[i]) && *at; at++)
            if (length >= WITHIN_LEAST && strncasecmp(at, name, length) == 0 &&
                (at == text || !is_part(at[-1])) && !is_part(at[length]))
                return true;
    }
    return false;
}

enum bl_status pseudonyms_show_list(struct pseudonyms *pseudonyms, const struct contest *contest,
                                    const char *list, struct bl_diag *diag)
{
    enum bl_status status = BL_OK;
    for (size_t length; list && *list && status == BL_OK; list += length) {
        char word[32];
        struct act_who who;
        length = strcspn(list, ",");
        snprintf(word, sizeof word, "%.*s", (int)length, list);
        length += list[length] == ',';
        status = act_word_who(word, &who, diag);
        if (status == BL_OK && who.number > contest->people[who.role])
            status = bl_fail(diag, BL_DATA, "there is no %s", word);
        if (status != BL_OK)
            break;
        const struct person *person = &contest->person[who.role][who.number - 1];
        pseudonyms_show(pseudonyms, who.role == CONTEST_ENTRY ? person->submitter : person->name);
    }
    return status;
}
