#include "contest/personal.h"

#include <sodium/crypto_generichash.h>
#include <sodium/utils.h>
#include <stdlib.h>
#include <string.h>

#define COMMITMENT "commitment"
#define VALUE_FORM (JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY)

/* The personal members of every kind of act except `contest`, whose name and rules are public. */
static const char *const members[] = {
    "name", "submitter", "family", "team",   "age",   "guardian", "by",
    "why",  "text",      "notes",  "matter", "asked", "answer",   "fields",
};

bool personal_is(const char *kind, const char *member)
{
    if (strcmp(kind, "contest") == 0)
        return false;
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        if (strcmp(members[i], member) == 0)
            return true;
    return false;
}

void personal_commit(const char *kind, const struct act_personal *member,
                     uint8_t out[ACT_HASH_BYTES])
{
    const char *const texts[] = {kind, member->member, member->value};
    crypto_generichash_state state;
    crypto_generichash_init(&state, NULL, 0, ACT_HASH_BYTES);
    crypto_generichash_update(&state, member->salt, ACT_SALT_BYTES);
    for (unsigned i = 0; i < 3; i++)
        crypto_generichash_update(&state, (const uint8_t *)texts[i], strlen(texts[i]) + 1);
    crypto_generichash_final(&state, out, ACT_HASH_BYTES);
}

static void commit_hex(const char *kind, const struct act_personal *member,
                       char out[2 * ACT_HASH_BYTES + 1])
{
    uint8_t commitment[ACT_HASH_BYTES];
    personal_commit(kind, member, commitment);
    sodium_bin2hex(out, 2 * ACT_HASH_BYTES + 1, commitment, sizeof commitment);
}

/* Stores a member with a new salt. Takes over the reference to value. False: no memory, or not
 * UTF-8. */
static bool keep(struct personal *personal, const char *member, json_t *value,
                 void (*salt)(void *bytes, size_t length))
{
    char *text = value ? json_dumps(value, VALUE_FORM) : NULL;
    json_decref(value);
    if (!text || personal->count == PERSONAL_MOST) {
        free(text);
        return false;
    }
    struct act_personal *at = &personal->member[personal->count];
    personal->text[personal->count++] = text;
    at->member = member;
    at->value = text;
    salt(at->salt, sizeof at->salt);
    return true;
}

enum bl_status personal_split(struct personal *personal, struct act *act,
                              void (*salt)(void *bytes, size_t length), struct bl_diag *diag)
{
    json_t *body = json_loads(act->body, 0, NULL);
    char hex[2 * ACT_HASH_BYTES + 1];
    *personal = (struct personal){.count = 0};
    bool good = keep(personal, PERSONAL_AUTHOR, json_string(act->author), salt);
    if (good) {
        commit_hex(act->kind, &personal->member[0], hex);
        personal->author = strdup(hex);
    }
    for (size_t i = 0; good && i < sizeof members / sizeof members[0]; i++) {
        json_t *value = json_object_get(body, members[i]);
        if (!value || !personal_is(act->kind, members[i]))
            continue;
        good = keep(personal, members[i], json_incref(value), salt);
        if (good) {
            commit_hex(act->kind, &personal->member[personal->count - 1], hex);
            good = json_object_set_new(body, members[i], json_pack("{s:s}", COMMITMENT, hex)) == 0;
        }
    }
    if (good)
        personal->body = json_is_object(body) ? json_dumps(body, JSON_COMPACT | JSON_SORT_KEYS)
                                              : strdup(act->body);
    json_decref(body);
    if (!personal->author || !personal->body) {
        personal_free(personal);
        return bl_fail(diag, BL_DATA, "%s: the author must be UTF-8", act->kind);
    }
    act->chained_author = personal->author;
    act->chained_body = personal->body;
    act->personal = personal->member;
    act->personals = personal->count;
    return BL_OK;
}

const char *personal_commitment(const json_t *value)
{
    const char *hex = json_string_value(json_object_get(value, COMMITMENT));
    return hex && json_object_size(value) == 1 ? hex : NULL;
}

/* True if the member fits its commitment. The author's is chained_author. */
static bool fits(const struct act *act, const json_t *body, const struct act_personal *member)
{
    char hex[2 * ACT_HASH_BYTES + 1];
    const char *told = strcmp(member->member, PERSONAL_AUTHOR) == 0
                           ? act->chained_author
                           : personal_commitment(json_object_get(body, member->member));
    commit_hex(act->kind, member, hex);
    return told && strcmp(told, hex) == 0;
}

/* The first member of a body that is still a commitment; NULL: none. */
static const char *still_kept(json_t *body)
{
    const char *key;
    json_t *value;
    json_object_foreach(body, key, value)
    {
        if (personal_commitment(value))
            return key;
    }
    return NULL;
}

enum bl_status personal_join(struct personal *personal, struct act *act, struct bl_diag *diag)
{
    json_t *body = json_loads(act->chained_body, 0, NULL);
    const char *wrong = NULL;
    *personal = (struct personal){.count = 0};
    for (unsigned i = 0; !wrong && i < act->personals; i++) {
        const struct act_personal *member = &act->personal[i];
        json_t *value = json_loads(member->value, JSON_DECODE_ANY, NULL);
        bool author = strcmp(member->member, PERSONAL_AUTHOR) == 0;
        if (!value || !fits(act, body, member) || (author && !json_is_string(value)))
            wrong = member->member;
        else if (author && !personal->author)
            personal->author = strdup(json_string_value(value));
        else if (!author)
            json_object_set(body, member->member, value);
        json_decref(value);
    }
    if (!wrong)
        wrong = personal->author ? still_kept(body) : PERSONAL_AUTHOR;
    if (!wrong)
        personal->body = json_is_object(body) ? json_dumps(body, JSON_COMPACT | JSON_SORT_KEYS)
                                              : strdup(act->chained_body);
    enum bl_status status =
        wrong            ? bl_fail(diag, BL_DATA,
                                   "'%.40s' of act %lld is not what was committed to: the file was "
                                              "changed",
                                   wrong, (long long)act->number)
        : personal->body ? BL_OK
                         : bl_fail(diag, BL_NOMEM, "no memory");
    json_decref(body);
    act->author = personal->author;
    act->body = personal->body;
    return status;
}

void personal_free(struct personal *personal)
{
    for (unsigned i = 0; i < personal->count; i++)
        free(personal->text[i]);
    free(personal->author);
    free(personal->body);
    *personal = (struct personal){.count = 0};
}
