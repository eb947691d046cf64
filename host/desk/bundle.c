#include "desk/bundle.h"

#include "base/file.h"
#include "base/utf8.h"
#include "contest/act_body.h"
#include "contest/personal.h"
#include "contest/publish.h"
#include "contest/record_json.h"
#include "contest/survey.h"
#include "desk/bundle_private.h"
#include "desk/folder.h"

#include <sodium/crypto_generichash.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define NOT_TOLD  "[not told]"
#define TEXT_LONG 60 /* most bytes of a text */

/* Adds a file and takes over its text. BL_NOMEM: also for a text NULL. */
static enum bl_status add_file(struct bundle *bundle, const char *name, char *text,
                               struct bl_diag *diag)
{
    struct bundle_file *file = &bundle->file[bundle->files];
    if (!text || bundle->files == BUNDLE_FILES_MAX) {
        free(text);
        return bl_fail(diag, BL_NOMEM, "no memory");
    }
    snprintf(file->name, sizeof file->name, "%s", name);
    file->text = text;
    file->length = strlen(text);
    bundle->files++;
    return BL_OK;
}

static char *json_of(const char *text)
{
    json_t *json = json_string(text);
    char *out = json ? json_dumps(json, JSON_ENCODE_ANY) : NULL;
    json_decref(json);
    return out;
}

/* True for members that are never published: names of families and teams, phrases, ages. */
static bool is_kept(const char *kind, const char *member)
{
    static const char *const kept[] = {"family", "team", "age", "guardian"};
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        if (strcmp(member, kept[i]) == 0)
            return true;
    return strcmp(kind, act_kind_name(ACT_PHRASE)) == 0 && strcmp(member, "text") == 0;
}

/* True if the member is the name of one person. */
static bool is_name(const struct act *act, const char *member)
{
    if (strcmp(member, "name") != 0)
        return strcmp(member, PERSONAL_AUTHOR) == 0 || strcmp(member, "submitter") == 0 ||
               strcmp(member, "by") == 0;
    json_t *body = json_loads(act->body, 0, NULL);
    const char *role = json_string_value(json_object_get(body, "role"));
    bool person = role && strcmp(role, contest_role_name(CONTEST_ENTRY)) != 0 &&
                  strcmp(act->kind, act_kind_name(ACT_APPROVE)) != 0;
    json_decref(body);
    return person;
}

struct masking {
    const struct pseudonyms *pseudonyms;
    const struct ruleset *rules;
    json_t *acts;
};

/* The answers to the rules' other fields, without names in texts. They still fit the fields. NULL:
 * no name was removed. */
static char *fields_without(const struct masking *masking, const struct ballot_asked *asked,
                            json_t *fields)
{
    unsigned taken = 0;
    for (unsigned i = 0; i < asked->count; i++) {
        const struct ballot_field *field = &asked->field[i];
        const char *text = json_string_value(json_object_get(fields, field->name));
        struct growing out = {.length = 0};
        if (text && field->type == ASKS_TEXT &&
            pseudonyms_redact(masking->pseudonyms, text, &out)) {
            size_t most = (size_t)field->most;
            const char *told = !out.failed && out.length <= most ? out.bytes
                               : strlen(NOT_TOLD) <= most        ? NOT_TOLD
                                                                 : "-";
            taken += json_object_set_new(fields, field->name, json_string(told)) == 0;
        }
        free(out.bytes);
    }
    return taken ? json_dumps(fields, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
}

/* The fields that an act answers: the ballot's, or a survey page's. */
static const struct ballot_asked *asked_by(const struct masking *masking, const struct act *act)
{
    const struct ruleset *rules = masking->rules;
    json_t *body = json_loads(act->body, 0, NULL);
    const char *page = json_string_value(json_object_get(body, "page"));
    const struct ballot_asked *asked = &rules->asked;
    for (unsigned p = 0;
         page && strcmp(act->kind, act_kind_name(ACT_SURVEY)) == 0 && p < SURVEY_PAGES; p++)
        if (strcmp(page, survey_words[p]) == 0)
            asked = &rules->survey[p].asked;
    json_decref(body);
    return asked;
}

static enum record_part part_of(void *ctx, const struct act *act, const char *member,
                                const char *value, char **instead)
{
    const struct masking *masking = ctx;
    const struct pseudonyms *pseudonyms = masking->pseudonyms;
    json_t *json = json_loads(value, JSON_DECODE_ANY, NULL);
    const char *text = json_string_value(json);
    struct growing out = {.length = 0};
    char pseudonym[PSEUDONYM_MAX];
    bool kept = is_kept(act->kind, member);
    if (!kept && text && is_name(act, member)) {
        if (pseudonyms_of(pseudonyms, text, pseudonym))
            *instead = json_of(pseudonym);
    } else if (!kept && json_is_object(json)) {
        *instead = fields_without(masking, asked_by(masking, act), json);
    } else if (!kept && text && pseudonyms_redact(pseudonyms, text, &out)) {
        bool longer = out.length > strlen(text) && out.length > TEXT_LONG;
        *instead = json_of(longer || out.failed ? NOT_TOLD : out.bytes);
    }
    free(out.bytes);
    json_decref(json);
    return kept ? RECORD_KEEP : *instead ? RECORD_INSTEAD : RECORD_OPEN;
}

/* Refuses an act with a name in its hashed text, since a name cannot be removed there. */
static enum bl_status check_hashed(const struct masking *masking, const struct act *act,
                                   struct bl_diag *diag)
{
    json_t *body = json_loads(act->body, 0, NULL), *value;
    const char *key;
    enum bl_status status = BL_OK;
    json_object_foreach(body, key, value)
    {
        if (json_is_string(value) && !personal_is(act->kind, key) &&
            pseudonyms_names(masking->pseudonyms, json_string_value(value)))
            status = bl_fail(diag, BL_DATA,
                             "'%.40s' of act %lld (%s) names somebody who is not --named, and is "
                             "hashed as it is",
                             key, (long long)act->number, act->kind);
    }
    json_decref(body);
    return status;
}

static enum bl_status mask_act(void *ctx, const struct act *act, struct bl_diag *diag)
{
    struct masking *masking = ctx;
    const struct record_mask mask = {part_of, masking};
    enum bl_status status = masking->pseudonyms ? check_hashed(masking, act, diag) : BL_OK;
    if (status != BL_OK)
        return status;
    json_t *json = record_act(act, masking->pseudonyms ? &mask : NULL);
    return json && json_array_append_new(masking->acts, json) == 0
               ? BL_OK
               : bl_fail(diag, BL_NOMEM, "no memory");
}

/* Applies a published act. A phrase without its published text is left out. */
static enum bl_status apply_told(struct contest *contest, const struct act *act,
                                 struct tables *tables, struct bl_diag *diag)
{
    json_t *body = json_loads(act->body, 0, NULL);
    bool untold =
        strcmp(act->kind, act_kind_name(ACT_PHRASE)) == 0 && !json_object_get(body, "text");
    enum bl_status status = untold ? BL_OK : contest_replay(contest, act, diag);
    json_decref(body);
    return status == BL_OK ? tables_act(tables, act, diag) : status;
}

enum bl_status bundle_replay(struct bundle *bundle, const json_t *acts, struct contest *contest,
                             struct tables *tables, struct bl_diag *diag)
{
    uint8_t before[ACT_HASH_BYTES] = {0};
    enum bl_status status = BL_OK;
    bundle->chained = json_object_get(json_array_get(acts, 0), "hash");
    for (bundle->acts = 0; status == BL_OK && bundle->acts < json_array_size(acts);) {
        struct record_told told;
        struct bl_diag why;
        long long number = ++bundle->acts;
        status = record_tell(&told, json_array_get(acts, bundle->acts - 1), before, diag);
        if (status == BL_OK && (told.act.number != number || told.chained != bundle->chained))
            status = bl_fail(diag, BL_DATA, "act %lld: expected act %lld, %s",
                             (long long)told.act.number, number,
                             bundle->chained ? "with a hash" : "without a hash");
        if (status == BL_OK && (status = apply_told(contest, &told.act, tables, &why)) != BL_OK)
            status = bl_fail(diag, status, "act %lld: %s", number, why.text);
        record_told_free(&told);
    }
    return status;
}

enum bl_status bundle_derive(struct bundle *bundle, json_t *acts, const struct contest *contest,
                             const struct tables *tables, struct bl_diag *diag)
{
    json_t *record = record_json(contest, json_incref(acts));
    enum bl_status status =
        add_file(bundle, "contest.json", record ? json_dumps(record, JSON_INDENT(1)) : NULL, diag);
    json_decref(record);
    for (unsigned i = 0; status == BL_OK && i < data_tables(contest) * TABLES_FORMS; i++) {
        unsigned table = i / TABLES_FORMS, form = i % TABLES_FORMS;
        char name[32];
        snprintf(name, sizeof name, "%s.%s", data_layouts[table].name, tables_endings[form]);
        status = add_file(bundle, name, strdup(tables->text[table][form]), diag);
    }
    if (status == BL_OK)
        status = add_file(bundle, "codebook.csv", tables_codebook(data_tables(contest)), diag);
    return status == BL_OK
               ? add_file(bundle, "redactions.csv", bundle_redactions(acts, bundle), diag)
               : status;
}

/* Counts one member's redactions in acts of any kind. */
static void count_member(const json_t *acts, const char *member, unsigned *kept, unsigned *instead)
{
    size_t i;
    json_t *act, *name;
    *kept = *instead = 0;
    json_array_foreach(acts, i, act)
    {
        json_t *opened = json_object_get(act, "opened"), *body = NULL;
        bool other = json_object_get(json_object_get(act, "instead"), member);
        size_t k;
        *instead += other;
        json_array_foreach(json_object_get(act, "withheld"), k, name)
        {
            *kept += strcmp(json_string_value(name) ? json_string_value(name) : "", member) == 0;
        }
        if (!opened || other)
            continue;
        body = json_loads(json_string_value(json_object_get(act, "body")), 0, NULL);
        bool author = strcmp(member, PERSONAL_AUTHOR) == 0;
        *kept += (author || personal_commitment(json_object_get(body, member))) &&
                 !json_object_get(opened, member);
        json_decref(body);
    }
}

char *bundle_redactions(const json_t *acts, const struct bundle *bundle)
{
    static const char *const members[] = {
        PERSONAL_AUTHOR, "name", "submitter", "family", "team",  "age",    "guardian", "by",
        "why",           "text", "notes",     "matter", "asked", "answer", "fields",
    };
    struct growing text = {.length = 0};
    char line[120];
    growing_text(&text, "table,column,how,count\n");
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        unsigned kept, instead;
        count_member(acts, members[i], &kept, &instead);
        snprintf(line, sizeof line, "acts,%s,not told,%u\nacts,%s,another text,%u\n", members[i],
                 kept, members[i], instead);
        growing_text(&text, line);
    }
    snprintf(line, sizeof line, "messages,text,words,%u\nkeys,key,not told,%u\n", bundle->messages,
             bundle->keys);
    growing_text(&text, line);
    return text.failed ? free(text.bytes), NULL : text.bytes;
}

/* Rows of messages and keys, without names. Keys wait for their message, whose words decide about
 * them. */
struct hiding {
    const struct bundle_setup *setup;
    struct tables *tables;
    struct bundle *bundle;
    json_t *keys; /* the session's keys */
};

static enum bl_status flush(struct hiding *h)
{
    enum bl_status status = BL_OK;
    size_t i;
    json_t *row;
    json_array_foreach(h->keys, i, row)
    {
        if (status == BL_OK)
            status = h->tables->out.row(h->tables->out.ctx, DATA_KEYS, json_incref(row));
    }
    json_array_clear(h->keys);
    return status;
}

static bool is_key_of(const json_t *key, const json_t *message)
{
    return json_equal(json_array_get(key, 1), json_array_get(message, 1)) &&
           json_equal(json_array_get(key, 2), json_array_get(message, 2));
}

/* Appends a typed key's character to a message; BackSpaces are left out. */
static void put_typed(struct growing *out, const json_t *key)
{
    const char *name = json_string_value(json_array_get(key, 4));
    unsigned point;
    uint8_t bytes[UTF8_MAX];
    if (name && sscanf(name, "U+%6x", &point) == 1)
        growing_put(out, (const char *)bytes, utf8_encode(point, bytes));
    else if (name && name[0] && !name[1])
        growing_text(out, name);
    else if (name && (strcmp(name, "space") == 0 || strcmp(name, "Tab") == 0))
        growing_text(out, " ");
}

static void put_piece(void *ctx, const char *bytes, size_t length)
{
    growing_put(ctx, bytes, length);
}

/* Writes the text that may be published; returns the number of removed phrases and words of
 * names. */
static unsigned hide(const struct hiding *h, const char *text, struct growing *out)
{
    struct growing without = {.length = 0};
    unsigned count = publish_text(h->setup->contest, text, strlen(text), put_piece, &without);
    out->failed |= without.failed;
    if (h->setup->pseudonyms && without.bytes)
        count += pseudonyms_redact(h->setup->pseudonyms, without.bytes, out);
    else if (without.bytes)
        growing_text(out, without.bytes);
    free(without.bytes);
    return count;
}

static enum bl_status hide_message(struct hiding *h, json_t *message)
{
    const char *text = json_string_value(json_array_get(message, 5));
    struct growing typed = {.length = 0}, told = {.length = 0}, rest = {.length = 0};
    size_t i;
    json_t *key;
    json_array_foreach(h->keys, i, key)
    {
        if (is_key_of(key, message))
            put_typed(&typed, key);
    }
    unsigned words = text ? hide(h, text, &told) : 0;
    bool secret = words || (typed.bytes && hide(h, typed.bytes, &rest));
    json_array_foreach(h->keys, i, key)
    {
        if (secret && is_key_of(key, message)) {
            json_array_set_new(key, 4, json_null());
            h->bundle->keys++;
        }
    }
    if (words)
        json_array_set_new(message, 5, json_string(told.bytes));
    h->bundle->messages += words;
    bool failed = typed.failed || told.failed || rest.failed;
    free(typed.bytes);
    free(told.bytes);
    free(rest.bytes);
    return failed ? BL_NOMEM : BL_OK;
}

static enum bl_status hide_row(void *ctx, enum data_table table, json_t *values)
{
    struct hiding *h = ctx;
    if (!values)
        return BL_NOMEM;
    if (table == DATA_KEYS)
        return json_array_append_new(h->keys, values) == 0 ? BL_OK : BL_NOMEM;
    enum bl_status status = table == DATA_MESSAGES   ? hide_message(h, values)
                            : table == DATA_SESSIONS ? flush(h)
                                                     : BL_OK;
    if (status == BL_OK)
        return h->tables->out.row(h->tables->out.ctx, table, values);
    json_decref(values);
    return status;
}

static enum bl_status put_tables(struct bundle *bundle, const struct bundle_setup *setup,
                                 struct tables *tables, const struct contest *contest,
                                 struct bl_diag *diag)
{
    struct hiding hiding = {setup, tables, bundle, json_array()};
    const struct data_out out = {hide_row, &hiding};
    tables->unread = setup->unread;
    enum bl_status status =
        tables_contest(tables, contest, setup->records, &out, &bundle->unread, diag);
    if (status == BL_OK && flush(&hiding) != BL_OK)
        status = bl_fail(diag, BL_NOMEM, "no memory");
    json_decref(hiding.keys);
    return status == BL_OK ? tables_end(tables, diag) : status;
}

void bundle_hash(const char *bytes, size_t length, char out[2 * ACT_HASH_BYTES + 1])
{
    uint8_t hash[ACT_HASH_BYTES];
    crypto_generichash(hash, sizeof hash, (const uint8_t *)bytes, length, NULL, 0);
    contest_hex(hash, sizeof hash, out);
}

/* The hashes in the format of b2sum -l 256 -c. */
static char *hashes_of(const struct bundle *bundle)
{
    struct growing text = {.length = 0};
    for (unsigned i = 0; i < bundle->files; i++) {
        char line[2 * ACT_HASH_BYTES + 1];
        bundle_hash(bundle->file[i].text, bundle->file[i].length, line);
        growing_text(&text, line);
        growing_text(&text, "  ");
        growing_text(&text, bundle->file[i].name);
        growing_text(&text, "\n");
    }
    return text.failed ? free(text.bytes), NULL : text.bytes;
}

enum bl_status bundle_make(struct bundle *bundle, const struct bundle_setup *setup,
                           struct bl_diag *diag)
{
    struct masking masking = {setup->pseudonyms, &setup->contest->ruleset, json_array()};
    struct contest *contest = contest_create();
    struct tables tables = {.acts = 0};
    *bundle = (struct bundle){.files = 0};
    enum bl_status status = contest ? store_read(setup->store, 0, mask_act, &masking, diag)
                                    : bl_fail(diag, BL_NOMEM, "no memory");
    if (status == BL_OK)
        status = tables_begin(&tables, diag);
    if (status == BL_OK)
        status = bundle_replay(bundle, masking.acts, contest, &tables, diag);
    if (status == BL_OK)
        status = put_tables(bundle, setup, &tables, contest, diag);
    if (status == BL_OK)
        status = bundle_derive(bundle, masking.acts, contest, &tables, diag);
    if (status == BL_OK)
        status = add_file(bundle, BUNDLE_HASHES, hashes_of(bundle), diag);
    tables_free(&tables);
    contest_destroy(contest);
    json_decref(masking.acts);
    return status;
}

void bundle_free(struct bundle *bundle)
{
    for (unsigned i = 0; i < bundle->files; i++)
        free(bundle->file[i].text);
    *bundle = (struct bundle){.files = 0};
}

enum bl_status bundle_write(const struct bundle *bundle, const char *folder, struct bl_diag *diag)
{
    enum bl_status status = folder_make(folder, diag);
    for (unsigned i = 0; status == BL_OK && i < bundle->files; i++) {
        const struct bundle_file *file = &bundle->file[i];
        char path[FOLDER_PATH_MAX];
        status = folder_path(path, diag, "%s/%s", folder, file->name);
        if (status == BL_OK && folder_has(path))
            return bl_fail(diag, BL_USAGE, "%s is there already: expected a new folder", path);
        if (status == BL_OK)
            status = file_write(path, file->text, file->length, diag);
        if (status == BL_OK && chmod(path, 0644))
            status = file_fail(diag, path);
    }
    return status;
}
