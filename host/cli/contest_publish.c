/* The verbs of what is left when a contest is over: phrase, publish, erased. */
#include "cli/contest.h"

#include "contest/publish.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
                  "recorded; contest publish FILE TRANSCRIPT leaves it out", diag);
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

enum bl_status contest_publish(const struct contest_args *args, struct bl_diag *diag)
{
    struct contest_file file = {.store = NULL};
    char *text = malloc(TRANSCRIPT_MAX + 1);
    FILE *in = fopen(args->word[1], "re");
    enum bl_status status = BL_OK;
    size_t length = 0;
    if (!text)
        status = bl_fail(diag, BL_NOMEM, "no memory");
    else if (!in)
        status = bl_fail(diag, errno == EACCES ? BL_NOPERM : BL_NOINPUT, "%s: %s", args->word[1],
                         strerror(errno));
    else
        length = fread(text, 1, TRANSCRIPT_MAX + 1, in);
    if (status == BL_OK && in && ferror(in))
        status = bl_fail(diag, BL_IO, "%s: %s", args->word[1], strerror(errno));
    if (status == BL_OK && (length > TRANSCRIPT_MAX || memchr(text, '\0', length)))
        status =
            bl_fail(diag, BL_DATA,
                    "%s: a readable transcript of at most 16 MiB is wanted; transcript convert "
                    "makes one of a journal",
                    args->word[1]);
    if (status == BL_OK)
        status = contest_file_open(&file, args, diag);
    if (status == BL_OK)
        publish_text(file.contest, text, length, put, stdout);
    contest_file_close(&file);
    if (in)
        fclose(in);
    free(text);
    return status;
}
