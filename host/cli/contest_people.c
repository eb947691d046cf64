/* The verbs of a contest's people: new, add, withdraw, conflict. */
#include "cli/contest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum bl_status contest_new(const struct contest_args *args, struct bl_diag *diag)
{
    struct contest_file file = {.store = NULL};
    char *text = NULL;
    enum bl_status status;
    struct ruleset *ruleset = malloc(sizeof *ruleset);
    if (!args->name || !args->ruleset)
        status = bl_fail(diag, BL_USAGE, "give --name NAME and --ruleset NAME");
    else
        status = contest_ruleset_text(&text, args->ruleset, diag);
    if (status == BL_OK && ruleset) /* before there is a file */
        status = contest_load_ruleset(ruleset, args->ruleset, diag);
    if (status == BL_OK)
        status = contest_file_create(&file, args, diag);
    if (status == BL_OK)
        status = contest_file_append(
            &file, "contest", json_pack("{s:s,s:s}", "name", args->name, "ruleset", text), diag);
    if (status == BL_OK)
        printf("%s: %s, under the rules of %s\n", args->word[0], args->name,
               file.contest->ruleset.title);
    if (status == BL_OK)
        contest_next(file.contest, args->word[0]);
    contest_file_close(&file);
    free(ruleset);
    free(text);
    return status;
}

/* "2009-04-07T10:00" or "2009-04-07", UTC. */
static bool read_time(const char *text, json_int_t *out_us)
{
    struct tm tm = {.tm_mday = 0};
    const char *rest = strptime(text, "%Y-%m-%dT%H:%M", &tm);
    if (!rest)
        rest = strptime(text, "%Y-%m-%d", &tm);
    if (!rest || *rest)
        return false;
    *out_us = (json_int_t)timegm(&tm) * 1000000;
    return true;
}

/* "NAME,NAME" as a list. */
static void add_names(json_t *body, const char *key, const char *names)
{
    json_t *list = json_array();
    for (const char *at = names; at && *(at += strspn(at, ", "));) {
        size_t length = strcspn(at, ",");
        json_array_append_new(list, json_stringn(at, length));
        at += length;
    }
    if (json_array_size(list))
        json_object_set(body, key, list);
    json_decref(list);
}

enum bl_status contest_add(const struct contest_args *args, struct bl_diag *diag)
{
    struct contest_file file = {.store = NULL};
    json_t *body = json_pack("{s:s,s:s}", "role", args->word[1], "name", args->word[2]);
    json_int_t received;
    enum bl_status status = BL_OK;
    if (args->submitter)
        json_object_set_new(body, "submitter", json_string(args->submitter));
    if (args->age >= 0)
        json_object_set_new(body, "age", json_integer(args->age));
    if (args->guardian)
        json_object_set_new(body, "guardian", json_true());
    if (args->rights)
        json_object_set_new(body, "rights", json_true());
    if (args->receipt)
        json_object_set_new(body, "receipt", json_true());
    if (args->own)
        json_object_set_new(body, "own", json_true());
    if (args->unknown)
        json_object_set_new(body, "unknown", json_true());
    if (args->how)
        json_object_set_new(body, "how", json_string(args->how));
    add_names(body, "team", args->team);
    add_names(body, "family", args->family);
    if (args->received && !read_time(args->received, &received))
        status =
            bl_fail(diag, BL_USAGE, "--received %.40s: a time such as 2009-04-07T10:00 is wanted",
                    args->received);
    else if (args->received)
        json_object_set_new(body, "received_us", json_integer(received));
    if (status == BL_OK)
        status = contest_file_open(&file, args, diag);
    if (status == BL_OK)
        status = contest_file_append(&file, "person", json_incref(body), diag);
    for (unsigned r = 0; status == BL_OK && r < CONTEST_ROLES; r++)
        if (strcmp(contest_role_name((enum contest_role)r), args->word[1]) == 0)
            printf("%c%u: %s\n", CONTEST_LETTERS[r], file.contest->people[r], args->word[2]);
    if (status == BL_OK)
        contest_next(file.contest, args->word[0]);
    json_decref(body);
    contest_file_close(&file);
    return status;
}

enum bl_status contest_withdraw(const struct contest_args *args, struct bl_diag *diag)
{
    struct contest_file file = {.store = NULL};
    enum contest_role role;
    unsigned number;
    enum bl_status status = contest_person(args->word[1], &role, &number, diag);
    if (status == BL_OK && !args->why)
        status = bl_fail(diag, BL_USAGE, "give --why TEXT, for the record");
    if (status == BL_OK)
        status = contest_file_open(&file, args, diag);
    if (status == BL_OK)
        status = contest_file_append(&file, "withdraw",
                                     json_pack("{s:s,s:i,s:s}", "role", contest_role_name(role),
                                               "number", (int)number, "why", args->why),
                                     diag);
    if (status == BL_OK)
        printf("%s is withdrawn\n", args->word[1]);
    if (status == BL_OK && file.contest->schedule.rounds > file.contest->begun)
        printf("Next: contest schedule %s makes the rest anew\n", args->word[0]);
    else if (status == BL_OK)
        contest_next(file.contest, args->word[0]);
    contest_file_close(&file);
    return status;
}

enum bl_status contest_conflict(const struct contest_args *args, struct bl_diag *diag)
{
    struct contest_file file = {.store = NULL};
    enum contest_role role[2];
    unsigned number[2];
    enum bl_status status = contest_person(args->word[1], &role[0], &number[0], diag);
    if (status == BL_OK)
        status = contest_person(args->word[2], &role[1], &number[1], diag);
    if (status == BL_OK && !args->why)
        status = bl_fail(diag, BL_USAGE, "give --why TEXT, for the record");
    if (status == BL_OK)
        status = contest_file_open(&file, args, diag);
    if (status == BL_OK)
        status = contest_file_append(&file, "conflict",
                                     json_pack("{s:s,s:i,s:s,s:i,s:s}", "role",
                                               contest_role_name(role[0]), "number", (int)number[0],
                                               "with_role", contest_role_name(role[1]),
                                               "with_number", (int)number[1], "why", args->why),
                                     diag);
    if (status == BL_OK)
        printf("%s and %s will not meet\n", args->word[1], args->word[2]);
    if (status == BL_OK && file.contest->schedule.rounds > file.contest->begun)
        printf("Next: contest schedule %s makes the rest anew\n", args->word[0]);
    else if (status == BL_OK)
        contest_next(file.contest, args->word[0]);
    contest_file_close(&file);
    return status;
}
