#include "base/file.h"
#include "base/utf8.h"
#include "contest/record_json.h"
#include "desk/bundle_private.h"
#include "desk/folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUNDLE_FILE_MAX (256u << 20)

/* Reports a difference as a plain line, since a bundle may be anybody's. */
static void differ(struct bundle_told *told, const char *where, const char *what)
{
    char line[400];
    utf8_plain(line, sizeof line, what, strlen(what));
    told->differences++;
    told->differs(told->ctx, where, line);
}

/* Reads a line of `hashes`: "HEX NAME". Returns the text after it; NULL: another line. */
static const char *take_line(const char *at, char hex[2 * ACT_HASH_BYTES + 1], char name[32])
{
    size_t digits = strspn(at, "0123456789abcdef"), length;
    const char *end = strchr(at, '\n');
    if (digits != 2 * ACT_HASH_BYTES || strncmp(at + digits, "  ", 2) != 0 || !end)
        return NULL;
    snprintf(hex, 2 * ACT_HASH_BYTES + 1, "%.*s", (int)digits, at);
    at += digits + 2;
    length = (size_t)(end - at);
    if (length == 0 || length >= 32 || memchr(at, '/', length))
        return NULL;
    snprintf(name, 32, "%.*s", (int)length, at);
    return end + 1;
}

static struct bundle_file *find(struct bundle *bundle, const char *name)
{
    for (unsigned i = 0; i < bundle->files; i++)
        if (strcmp(bundle->file[i].name, name) == 0)
            return &bundle->file[i];
    return NULL;
}

/* Compares each file in `hashes` with its hash. An unreadable file has no text. */
static enum bl_status read_files(struct bundle_told *told, struct bundle *there, const char *folder,
                                 const char *hashes, struct bl_diag *diag)
{
    while (*hashes) {
        char hex[2 * ACT_HASH_BYTES + 1], is[2 * ACT_HASH_BYTES + 1], path[FOLDER_PATH_MAX];
        struct bundle_file *file = &there->file[there->files];
        if (there->files == BUNDLE_FILES_MAX || !(hashes = take_line(hashes, hex, file->name))) {
            differ(told, BUNDLE_HASHES, "a line is no hash with the name of a file");
            return BL_OK;
        }
        if (find(there, file->name)) {
            differ(told, file->name, "it is listed twice");
            continue;
        }
        enum bl_status status = folder_path(path, diag, "%s/%s", folder, file->name);
        struct bl_diag why;
        if (status == BL_OK && file_read_plain(&file->text, &file->length, path, BUNDLE_FILE_MAX,
                                               "a file of a bundle", &why) != BL_OK) {
            differ(told, file->name, why.text);
            there->files++;
            continue;
        }
        if (status != BL_OK)
            return status;
        there->files++;
        bundle_hash(file->text, file->length, is);
        if (strcmp(is, hex) != 0)
            differ(told, file->name, "its hash is another one than the list has");
        if (strlen(file->text) != file->length)
            differ(told, file->name, "it has a zero byte");
    }
    return BL_OK;
}

/* Reports unlisted files of the folder. */
static enum bl_status find_others(struct bundle_told *told, struct bundle *there,
                                  const char *folder, struct bl_diag *diag)
{
    DIR *dir = opendir(folder);
    if (!dir)
        return file_fail(diag, folder);
    for (const struct dirent *at; (at = readdir(dir));)
        if (strcmp(at->d_name, ".") != 0 && strcmp(at->d_name, "..") != 0 &&
            strcmp(at->d_name, BUNDLE_HASHES) != 0 && !find(there, at->d_name))
            differ(told, at->d_name, "it is not listed");
    closedir(dir);
    return BL_OK;
}

static bool same_line(const char *a, const char *b)
{
    size_t length = strcspn(a, "\n");
    return strcspn(b, "\n") == length && strncmp(a, b, length + 1) == 0;
}

/* The first line in which two texts differ, from 1; 0: none. */
static unsigned differing_line(const struct bundle_file *is, const char *b)
{
    const char *a = is->text;
    for (unsigned line = 1; *a || *b; line++) {
        if (!*a || !*b || !same_line(a, b))
            return line;
        a += strcspn(a, "\n");
        b += strcspn(b, "\n");
        a += *a == '\n';
        b += *b == '\n';
    }
    return 0;
}

/* Compares a file with the file made from the acts and the keys. */
static void compare(struct bundle_told *told, const struct bundle_file *is,
                    const struct bundle_file *must)
{
    char what[80];
    if (!is->text)
        return;
    unsigned line = differing_line(is, must->text);
    bool keys = strncmp(is->name, "messages.", 9) == 0 || strncmp(is->name, "keys.", 5) == 0;
    snprintf(what, sizeof what, "line %u does not follow from the acts%s", line,
             keys ? " and the keys" : "");
    if (line)
        differ(told, is->name, what);
}

static enum bl_status compare_all(struct bundle_told *told, struct bundle *there,
                                  struct bundle *again)
{
    for (unsigned i = 0; i < again->files; i++) {
        const struct bundle_file *is = find(there, again->file[i].name);
        if (is)
            compare(told, is, &again->file[i]);
        else
            differ(told, again->file[i].name, "it is missing");
    }
    return BL_OK;
}

static const char *text_of(struct bundle *bundle, const char *name)
{
    const struct bundle_file *file = find(bundle, name);
    return file && file->text ? file->text : "";
}

/* The number of words taken out of messages, which nothing else tells. */
static unsigned words_taken_out(struct bundle *bundle)
{
    unsigned words = 0;
    const char *row = strstr(text_of(bundle, "redactions.csv"), "\nmessages,text,words,");
    return row && sscanf(row, "\nmessages,text,words,%u", &words) == 1 ? words : 0;
}

/* Makes all files again from the acts and the told keys. */
static enum bl_status make_again(struct bundle_told *told, struct bundle *there,
                                 struct bundle *again, struct bl_diag *diag)
{
    const struct bundle_file *record = find(there, "contest.json");
    json_t *json =
        record && record->text ? json_loadb(record->text, record->length, 0, NULL) : NULL;
    json_t *acts = json_object_get(json, "acts");
    struct contest *contest = contest_create();
    struct tables tables = {.acts = 0};
    struct bl_diag why;
    unsigned unread = 0;
    enum bl_status status =
        contest ? tables_begin(&tables, diag) : bl_fail(diag, BL_NOMEM, "no memory");
    struct bundle_keys *keys = NULL;
    if (status == BL_OK && !(keys = bundle_keys_create(text_of(there, "sessions.jsonl"),
                                                       text_of(there, "messages.jsonl"),
                                                       text_of(there, "keys.jsonl"), &tables.out)))
        status = bl_fail(diag, BL_NOMEM, "no memory");
    tables.told = bundle_keys_told;
    tables.told_ctx = keys;
    told->about = "none of which can be read";
    if (status == BL_OK && !json_is_array(acts)) {
        if (!record || record->text)
            differ(told, "contest.json", "expected a record with acts");
    } else if (status == BL_OK &&
               (bundle_replay(again, acts, contest, &tables, &why) != BL_OK || !contest->sealed)) {
        bool all = again->acts == json_array_size(acts) && contest->acts == again->acts;
        differ(told, "contest.json", all ? "the contest is not sealed" : why.text);
        told->about = all ? "none of which seals the contest" : "up to what is wrong in them";
    } else if (status == BL_OK) {
        const json_t *last = json_array_get(acts, again->acts - 1);
        told->about = again->chained ? "the last has " : "without hashes, of an older contest";
        if (again->chained)
            snprintf(told->last, sizeof told->last, "%s",
                     json_string_value(json_object_get(last, "hash")));
        const struct data_out out = bundle_keys_out(keys);
        status = tables_contest(&tables, contest, NULL, &out, &unread, diag);
        again->keys = bundle_keys_hidden(keys);
        again->messages = words_taken_out(there);
        if (status == BL_OK)
            status = tables_end(&tables, diag);
        if (status == BL_OK)
            status = bundle_derive(again, acts, contest, &tables, diag);
        if (status == BL_OK)
            status = compare_all(told, there, again);
    }
    told->acts = again->acts;
    bundle_keys_destroy(keys);
    tables_free(&tables);
    contest_destroy(contest);
    json_decref(json);
    return status;
}

enum bl_status bundle_verify(struct bundle_told *told, const char *folder, struct bl_diag *diag)
{
    struct bundle there = {.files = 0}, again = {.files = 0};
    char path[FOLDER_PATH_MAX], *hashes = NULL;
    size_t length = 0;
    enum bl_status status = folder_path(path, diag, "%s/" BUNDLE_HASHES, folder);
    if (status == BL_OK && access(path, F_OK))
        status = bl_fail(diag, BL_NOINPUT,
                         "%s is no bundle, which has a file " BUNDLE_HASHES
                         ": boothlink contest publish FILE --bundle DIR makes one",
                         folder);
    if (status == BL_OK)
        status = file_read_plain(&hashes, &length, path, BUNDLE_FILE_MAX, "the hashes of a bundle",
                                 diag);
    if (status == BL_OK) {
        bundle_hash(hashes, length, told->whole);
        status = read_files(told, &there, folder, hashes, diag);
    }
    if (status == BL_OK)
        status = find_others(told, &there, folder, diag);
    if (status == BL_OK)
        status = make_again(told, &there, &again, diag);
    free(hashes);
    bundle_free(&there);
    bundle_free(&again);
    return status;
}
