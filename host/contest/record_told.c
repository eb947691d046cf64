/* Published acts, read again. */
#include "contest/personal.h"
#include "contest/record_json.h"

#include <sodium/utils.h>
#include <stdlib.h>
#include <string.h>

static enum bl_status wrong(const struct record_told *told, struct bl_diag *diag, const char *what,
                            const char *member)
{
    return bl_fail(diag, BL_DATA, "act %lld: %s%s%.40s%s", (long long)told->act.number, what,
                   *member ? " '" : "", member, *member ? "'" : "");
}

static bool read_salt(const char *hex, uint8_t salt[ACT_SALT_BYTES])
{
    size_t length;
    const char *end;
    return hex && strlen(hex) == 2 * ACT_SALT_BYTES &&
           sodium_hex2bin(salt, ACT_SALT_BYTES, hex, strlen(hex), NULL, &length, &end) == 0 &&
           length == ACT_SALT_BYTES && !*end;
}

/* Replaces a member's commitment by its value. The author is no member of the body. */
static bool put_value(struct record_told *told, json_t *body, const char *member, const char *text)
{
    json_t *value = text ? json_loads(text, JSON_DECODE_ANY, NULL) : NULL;
    bool good = value != NULL;
    if (strcmp(member, PERSONAL_AUTHOR) != 0) {
        good = good && personal_commitment(json_object_get(body, member)) &&
               json_object_set(body, member, value) == 0;
    } else if ((good = good && json_is_string(value))) {
        json_object_set(told->json, "told", value); /* keeps the text */
        told->act.author = json_string_value(value);
    }
    json_decref(value);
    return good;
}

/* Checks the opened members, puts their values in, and drops the others. */
static enum bl_status open_members(struct record_told *told, json_t *body, struct bl_diag *diag)
{
    struct act *act = &told->act;
    const char *key;
    json_t *value, *told_author = json_object_get(told->json, "author");
    json_t *kept = json_copy(body);
    json_object_foreach(json_object_get(told->json, "opened"), key, value)
    {
        struct act_personal member = {.member = key,
                                      .value = json_string_value(json_object_get(value, "value"))};
        uint8_t commitment[ACT_HASH_BYTES];
        char hex[2 * ACT_HASH_BYTES + 1];
        const char *is = strcmp(key, PERSONAL_AUTHOR) == 0
                             ? json_string_value(told_author)
                             : personal_commitment(json_object_get(kept, key));
        bool good = member.value && is &&
                    read_salt(json_string_value(json_object_get(value, "salt")), member.salt);
        if (good)
            personal_commit(act->kind, &member, commitment);
        if (good)
            contest_hex(commitment, sizeof commitment, hex);
        if (!good || strcmp(is, hex) != 0 || !put_value(told, body, key, member.value)) {
            json_decref(kept);
            return wrong(told, diag, "this was not committed to:", key);
        }
    }
    json_object_foreach(json_object_get(told->json, "instead"), key, value)
    {
        if (json_object_get(json_object_get(told->json, "opened"), key) ||
            !put_value(told, body, key, json_string_value(value))) {
            json_decref(kept);
            return wrong(told, diag, "nothing can stand in the place of", key);
        }
    }
    enum bl_status status = BL_OK;
    json_object_foreach(kept, key, value)
    {
        if (personal_commitment(value) && !personal_is(act->kind, key))
            status = wrong(told, diag, "it may not keep back", key);
        if (personal_commitment(json_object_get(body, key)))
            json_object_del(body, key);
    }
    json_decref(kept);
    return status;
}

static enum bl_status tell_apart(struct record_told *told, struct bl_diag *diag)
{
    struct act *act = &told->act;
    json_t *body = json_loads(act->body, 0, NULL);
    act->chained_author = act->author;
    act->chained_body = act->body;
    act->author = "";
    enum bl_status status = open_members(told, body, diag);
    told->body = status == BL_OK ? json_dumps(body, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    json_decref(body);
    act->body = told->body;
    return status != BL_OK || told->body ? status : wrong(told, diag, "no JSON object", "");
}

/* Checks an act that was hashed whole. Its hash fits exactly if nothing is withheld; only private
 * members may be. */
static enum bl_status check_whole(struct record_told *told, bool fits, struct bl_diag *diag)
{
    json_t *list = json_object_get(told->json, "withheld"), *value;
    json_t *body = json_loads(told->act.body, 0, NULL);
    bool good = fits == (json_array_size(list) == 0);
    size_t i;
    json_array_foreach(list, i, value)
    {
        const char *member = json_string_value(value);
        good = good && member && !json_object_get(body, member) &&
               record_is_private(told->act.kind, member);
    }
    json_decref(body);
    return good ? BL_OK : wrong(told, diag, "its hash is another one", "");
}

enum bl_status record_tell(struct record_told *told, const json_t *json,
                           uint8_t before[ACT_HASH_BYTES], struct bl_diag *diag)
{
    struct act *act = &told->act;
    const char *hash = json_string_value(json_object_get(json, "hash"));
    uint8_t is[ACT_HASH_BYTES];
    enum bl_status status = BL_OK;
    *told = (struct record_told){.json = json_deep_copy(json), .chained = hash != NULL};
    act->number = json_integer_value(json_object_get(told->json, "number"));
    act->at_us = json_integer_value(json_object_get(told->json, "at_us"));
    act->author = json_string_value(json_object_get(told->json, "author"));
    act->kind = json_string_value(json_object_get(told->json, "kind"));
    act->body = json_string_value(json_object_get(told->json, "body"));
    if (!act->author || !act->kind || !act->body || (hash && !read_salt(hash, act->hash)))
        return wrong(told, diag, "expected number, at_us, author, kind, body and hash", "");
    bool apart = json_object_get(told->json, "opened");
    if (apart && !hash)
        return wrong(told, diag, "it has no hash", "");
    if (apart)
        status = tell_apart(told, diag);
    if (status != BL_OK || !hash)
        return status;
    act_hash(act, before, is);
    bool fits = memcmp(is, act->hash, sizeof is) == 0;
    memcpy(before, act->hash, ACT_HASH_BYTES);
    if (apart)
        return fits ? BL_OK : wrong(told, diag, "its hash is another one", "");
    return check_whole(told, fits, diag);
}

void record_told_free(struct record_told *told)
{
    json_decref(told->json);
    free(told->body);
    *told = (struct record_told){.json = NULL};
}
