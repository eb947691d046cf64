/* The verbs of what is left when a contest is over: phrase, publish, erased. */
#include "cli/contest.h"

#include "contest/publish.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TRANSCRIPT_MAX (16u << 20)

static enum bl_status record(const struct contest_args *args, const char *kind, json_t *body,
                             const char *done, struct bl_diag *diag)
{
    struct contest_file file = {.store = NULL};
    enum bl_status status = BL_OK;
    if (!args->why)
        status = bl_fail(diag, BL_USAGE, "give --why TEXT, for the record");
    else
        json_object_set_new(body, "why", json_string(args->why));
    if (status == BL_OK)
        status = contest_file_open(&file, args, diag);
    if (status == BL_OK)
        status = contest_file_append(&file, kind, json_incref(body), diag);
    if (status == BL_OK)
        printf("%s\n", done);
    json_decref(body);
    contest_file_close(&file);
    return status;
}

enum bl_status contest_phrase(const struct contest_args *args, struct bl_diag *diag)
{
    return record(args, "phrase", json_pack("{s:s}", "text", args->word[1]),
                  "recorded. Next: contest publish, which leaves it out of the published copies",
                  diag);
}

enum bl_status contest_erased(const struct contest_args *args, struct bl_diag *diag)
{
    enum contest_role role;
    unsigned number;
    enum bl_status status = contest_person(args->word[1], &role, &number, diag);
    if (status == BL_OK && role != CONTEST_ENTRY)
        status = bl_fail(diag, BL_USAGE, "'%.20s': E1 and so on are wanted here", args->word[1]);
    if (status != BL_OK)
        return status;
    return record(args, "erased", json_pack("{s:i}", "entry", (int)number),
                  "recorded as erased from the machines", diag);
}

static void put(void *ctx, const char *bytes, size_t length)
{
    fwrite(bytes, 1, length, ctx);
}

/* Lines such as "J1 013370152380273400 judge left H", from 2007 on: a phrase does not stand in
 * them as it was said. */
static bool has_key_lines(const char *text)
{
    for (; text; text = strchr(text, '\n')) {
        unsigned judge;
        int at = 0;
        text += *text == '\n';
        if (sscanf(text, "J%3u %n", &judge, &at) == 1 && at &&
            strspn(text + at, "0123456789") == 18)
            return true;
    }
    return false;
}

/* Writes the published copy of a transcript; *replaced counts the phrases. */
static enum bl_status publish(const struct contest *contest, const char *path, FILE *out,
                              unsigned *replaced, struct bl_diag *diag)
{
    char *text = malloc(TRANSCRIPT_MAX + 1);
    FILE *in = fopen(path, "re");
    enum bl_status status = BL_OK;
    size_t length = 0;
    if (!text)
        status = bl_fail(diag, BL_NOMEM, "no memory");
    else if (!in)
        status = bl_fail(diag, errno == EACCES ? BL_NOPERM : BL_NOINPUT, "%s: %s", path,
                         strerror(errno));
    else
        length = fread(text, 1, TRANSCRIPT_MAX + 1, in);
    if (status == BL_OK && in && ferror(in))
        status = bl_fail(diag, BL_IO, "%s: %s", path, strerror(errno));
    if (status == BL_OK && (length > TRANSCRIPT_MAX || memchr(text, '\0', length)))
        status =
            bl_fail(diag, BL_DATA,
                    "%s: a readable transcript of at most 16 MiB is wanted; transcript convert "
                    "makes one of a journal",
                    path);
    if (status == BL_OK) {
        text[length] = '\0';
        if (contest->phrases && has_key_lines(text))
            status = bl_fail(diag, BL_DATA,
                             "%s: it has a line for each key, in which no phrase can be found: "
                             "transcript convert --to text makes one that can be read",
                             path);
    }
    if (status == BL_OK)
        *replaced += publish_text(contest, text, length, put, out);
    if (in)
        fclose(in);
    free(text);
    return status;
}

static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static enum bl_status publish_to(const struct contest *contest, const char *from, const char *to,
                                 unsigned *replaced, struct bl_diag *diag)
{
    FILE *out = fopen(to, "we");
    enum bl_status status;
    if (!out)
        return bl_fail(diag, BL_IO, "%s: %s", to, strerror(errno));
    status = publish(contest, from, out, replaced, diag);
    if (fclose(out) && status == BL_OK)
        status = bl_fail(diag, BL_IO, "%s: %s", to, strerror(errno));
    if (status != BL_OK)
        unlink(to);
    return status;
}

/* The copies of all files of a folder, in another. */
static enum bl_status publish_folder(const struct contest *contest, const struct contest_args *args,
                                     struct bl_diag *diag)
{
    struct dirent **entry = NULL;
    unsigned replaced = 0;
    enum bl_status status = BL_OK;
    int count;
    if (!args->out)
        return bl_fail(diag, BL_USAGE, "%s is a folder: give --out DIR for the published copies",
                       args->word[1]);
    if (mkdir(args->out, 0777) && errno != EEXIST)
        return bl_fail(diag, BL_IO, "%s: %s", args->out, strerror(errno));
    count = scandir(args->word[1], &entry, is_shown, alphasort);
    if (count < 0)
        status = bl_fail(diag, BL_NOINPUT, "%s: %s", args->word[1], strerror(errno));
    for (int i = 0; i < count; i++) {
        char from[600], to[600];
        snprintf(from, sizeof from, "%s/%s", args->word[1], entry[i]->d_name);
        snprintf(to, sizeof to, "%s/%s", args->out, entry[i]->d_name);
        if (status == BL_OK)
            status = publish_to(contest, from, to, &replaced, diag);
        free(entry[i]);
    }
    free(entry);
    if (status == BL_OK)
        printf("%d transcripts in %s, in which %u phrases are replaced. Next: contest report %s "
               "--transcripts %s\n",
               count, args->out, replaced, args->word[0], args->out);
    return status;
}

enum bl_status contest_publish(const struct contest_args *args, struct bl_diag *diag)
{
    struct contest_file file = {.store = NULL};
    struct stat about;
    unsigned replaced = 0;
    enum bl_status status = contest_file_open(&file, args, diag);
    if (status == BL_OK && stat(args->word[1], &about) == 0 && S_ISDIR(about.st_mode))
        status = publish_folder(file.contest, args, diag);
    else if (status == BL_OK)
        status = publish(file.contest, args->word[1], stdout, &replaced, diag);
    contest_file_close(&file);
    return status;
}
