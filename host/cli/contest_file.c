/* The file of a contest, for its verbs: opened with all its acts, and appended to. */
#include "cli/contest.h"

#include "base/loop.h"
#include "base/utf8.h"
#include "contest/act_field.h"
#include "contest/act_word.h"
#include "contest/people.h"
#include "desk/next_step.h"

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Applies a new act before it is stored, with all checks. */
static enum bl_status try_act(void *ctx, const struct act *act, struct bl_diag *diag)
{
    return contest_apply(ctx, act, diag);
}

static bool is_utf8(const char *text)
{
    uint32_t point;
    for (size_t n; *text; text += n)
        if (!(n = utf8_decode((const uint8_t *)text, strlen(text), &point)))
            return false;
    return true;
}

/* If $USER is not UTF-8, the author is the user's name in the password file; otherwise
 * "unknown". */
static enum bl_status start(struct contest_file *file, const struct command_call *call,
                            struct bl_diag *diag)
{
    const struct contest_options *options = call->options;
    const char *user = getenv("USER");
    bool good = user && *user && is_utf8(user);
    const struct passwd *known = good ? NULL : getpwuid(getuid());
    file->author = options->author                    ? options->author
                   : good                             ? user
                   : known && is_utf8(known->pw_name) ? known->pw_name
                                                      : "unknown";
    file->store = NULL;
    file->contest = contest_create();
    if (!file->contest)
        return bl_fail(diag, BL_NOMEM, "no memory");
    return is_utf8(file->author) ? BL_OK : bl_fail(diag, BL_USAGE, "--author: expected UTF-8");
}

enum bl_status contest_file_open(struct contest_file *file, const struct command_call *call,
                                 struct bl_diag *diag)
{
    enum bl_status status = start(file, call, diag);
    if (status == BL_OK)
        status = store_open(&file->store, call->word[0], diag);
    if (status == BL_OK)
        status = store_read(file->store, 0, contest_take, file->contest, diag);
    if (status == BL_OK && !file->contest->ruleset.format)
        status = bl_fail(diag, BL_DATA, "%s: the contest has no rules yet", call->word[0]);
    return status;
}

enum bl_status contest_file_create(struct contest_file *file, const struct command_call *call,
                                   struct bl_diag *diag)
{
    enum bl_status status = start(file, call, diag);
    return status == BL_OK ? store_create(&file->store, call->word[0], diag) : status;
}

void contest_file_close(struct contest_file *file)
{
    store_close(file->store);
    contest_destroy(file->contest);
}

enum bl_status contest_file_append(struct contest_file *file, const struct act_body *act,
                                   struct bl_diag *diag)
{
    json_t *body = act_body_write(act);
    char *text = body ? json_dumps(body, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    struct act stored = {.at_us = (int64_t)bl_now().wall_us,
                         .author = file->author,
                         .kind = act_kind_name(act->kind),
                         .body = text};
    struct contest *before = contest_create();
    enum bl_status status = !before ? bl_fail(diag, BL_NOMEM, "no memory")
                            : !text ? bl_fail(diag, BL_DATA, "the texts must be UTF-8")
                                    : BL_OK;
    json_decref(body);
    if (status == BL_OK) {
        contest_assign(before, file->contest);
        status = store_append(file->store, before->acts, &stored, contest_take, try_act,
                              file->contest, diag);
        if (status != BL_OK)
            contest_restore(file->contest, before);
    }
    contest_destroy(before);
    free(text);
    return status;
}

enum bl_status contest_file_append_all(struct contest_file *file, const struct act_batch *acts,
                                       struct bl_diag *diag)
{
    enum bl_status status = BL_OK;
    for (size_t i = 0; status == BL_OK && i < acts->count; i++)
        status = contest_file_append(file, &acts->act[i], diag);
    return status;
}

enum bl_status contest_take_why(void *at, const char *why, struct bl_diag *diag)
{
    struct contest_options *options = at;
    options->why = why;
    return strcmp(why, "TEXT") != 0
               ? BL_OK
               : bl_fail(diag, BL_USAGE, "missing --why TEXT: a reason in the place of TEXT");
}

const struct command_option contest_reason[] = {CONTEST_WHY, CONTEST_AUTHOR, {0}};
const struct command_option contest_author[] = {CONTEST_AUTHOR, {0}};

/* Takes the options that need parsing: a time, and votes. */
static enum bl_status take_typed(const struct contest *contest, struct contest_options *options,
                                 struct bl_diag *diag)
{
    struct act_body *act = &options->act;
    const struct act_field *received = act_field_find(act->kind, "received_us");
    const struct act_field *votes = act_field_find(act->kind, "for");
    if (received && options->received &&
        !people_time(options->received, act_field_of(act, received)))
        return bl_fail(diag, BL_USAGE, "--received %.40s: expected a time such as 2009-04-07T10:00",
                       options->received);
    return votes && (votes->needed || options->votes)
               ? act_word_votes(contest, act_field_of(act, votes), options->votes, options->panel,
                                diag)
               : BL_OK;
}

static enum bl_status fill(const struct contest_verb *verb, const struct contest_making *m)
{
    enum bl_status status = BL_OK;
    for (unsigned i = 0; status == BL_OK && i < CONTEST_WORDS && verb->words[i]; i++)
        if (i + 1 < m->call->words)
            status = act_word(m->contest, m->act, verb->words[i], m->call->word[i + 1], m->diag);
    if (status == BL_OK)
        status = take_typed(m->contest, m->call->options, m->diag);
    return status == BL_OK && verb->make ? verb->make(m) : status;
}

void contest_say(const char *line, const struct command_call *call)
{
    for (const char *at; (at = strchr(line, '$')); line = at + 2)
        command_print("%.*s%s", (int)(at - line), line, call->word[at[1] - '0']);
    command_print("%s\n", line);
}

enum bl_status contest_act_of(const struct contest_verb *verb, const struct command_call *call,
                              struct bl_diag *diag)
{
    struct contest_options *options = call->options;
    struct contest_file file = {.store = NULL};
    struct act_body *act = &options->act;
    enum bl_status status = BL_OK;
    act->kind = verb->kind;
    const char **why = act_body_why(act);
    if (options->why && why)
        *why = options->why;
    else if (verb->why)
        status = bl_fail(diag, BL_USAGE, "missing --why TEXT, for the record");
    if (status == BL_OK)
        status = contest_file_open(&file, call, diag);
    const struct contest_making making = {file.contest, call, act, diag};
    if (status == BL_OK)
        status = fill(verb, &making);
    if (status == BL_OK)
        status = contest_file_append(&file, act, diag);
    if (status == BL_OK && verb->done)
        contest_say(verb->done, call);
    if (status == BL_OK && !(verb->tell && verb->tell(&making)) &&
        !(verb->next && verb->next(file.contest, call->word[0])) && !verb->quiet)
        contest_next(file.contest, call->word[0]);
    contest_file_close(&file);
    return status;
}

enum bl_status contest_act(const struct command_call *call, struct bl_diag *diag)
{
    return contest_act_of(call->command->act, call, diag);
}

static enum bl_status take_rules(void *ctx, const struct act *act, struct bl_diag *diag)
{
    char **text = ctx;
    struct act_body body;
    json_t *json;
    enum bl_status status;
    if (*text || strcmp(act->kind, act_kind_name(ACT_CONTEST)) != 0)
        return BL_OK;
    json = json_loads(act->body, 0, NULL);
    status = act_body_read(&body, ACT_CONTEST, json, diag);
    if (status == BL_OK && !(*text = strdup(body.contest.ruleset)))
        status = bl_fail(diag, BL_NOMEM, "no memory");
    json_decref(json);
    return status;
}

enum bl_status contest_file_rules(const struct contest_file *file, char **text,
                                  struct bl_diag *diag)
{
    *text = NULL;
    return store_read(file->store, 0, take_rules, text, diag);
}

/* Prints the lines of `say` for the contest at that path. False: none. */
static bool print_next(next_say *say, const struct contest *contest, const char *path, bool stands,
                       bool verified)
{
    static char text[CONTEST_NEXT_MAX];
    next_step(say, contest, path, stands, verified, text);
    fputs(text, stdout);
    return text[0];
}

void contest_next(const struct contest *contest, const char *path)
{
    print_next(contest_next_step, contest, path, false, false);
}

void contest_next_result(const struct contest *contest, const char *path)
{
    print_next(contest_next_step, contest, path, true, false);
}

bool contest_next_verified(const struct contest *contest, const char *path, bool whole)
{
    return print_next(contest_next_step, contest, path, whole, whole);
}

bool contest_tickets_anew(const struct contest *contest, const char *path)
{
    print_next(contest_next_tickets, contest, path, false, false);
    return true;
}

bool contest_schedule_anew(const struct contest *contest, const char *path)
{
    return print_next(contest_next_schedule, contest, path, false, false);
}

void contest_selection_next(const struct contest *contest, const struct selection *selection,
                            const char *path)
{
    static char text[CONTEST_NEXT_MAX];
    struct kept kept;
    const struct next_place place = next_place_of(&kept, path);
    contest_next_selection(contest, selection, &place, text);
    fputs(text, stdout);
}
