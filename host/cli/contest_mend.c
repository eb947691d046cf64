/* The verbs for what goes wrong on the day: rename, substitute, limit, repeat, undo, copy. Each is
 * an act of its own with its reason; nothing is overwritten. */
#include "cli/contest.h"
#include "contest/ballot_act.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An act on a person, with a text of that key. */
static enum bl_status person_act(const struct command_call *call, const char *kind, const char *key,
                                 const char *text, struct bl_diag *diag)
{
    const struct contest_options *options = call->options;
    struct contest_file file = {.store = NULL};
    enum contest_role role;
    unsigned number;
    enum bl_status status = contest_person(call->word[1], &role, &number, diag);
    if (status == BL_OK && (!text || !options->why))
        status = bl_fail(diag, BL_USAGE, "missing %s, for the record",
                         text ? "--why TEXT" : "--text TEXT");
    if (status == BL_OK)
        status = contest_file_open(&file, call, diag);
    if (status == BL_OK)
        status =
            contest_file_append(&file, kind,
                                json_pack("{s:s,s:i,s:s,s:s}", "role", contest_role_name(role),
                                          "number", (int)number, key, text, "why", options->why),
                                diag);
    if (status == BL_OK && strcmp(kind, "rename") == 0)
        command_print("%s is %s\n", call->word[1], text);
    else if (status == BL_OK && strcmp(kind, "limit") == 0)
        command_print("%s is limited (%s): %s\n", call->word[1],
                      ruleset_rule(&file.contest->ruleset, "session", "referees-limit", 0).text,
                      text);
    else if (status == BL_OK)
        command_print("%s is %s from round %u on\n", call->word[1], text, file.contest->begun + 1);
    if (status == BL_OK)
        contest_next(file.contest, call->word[0]);
    contest_file_close(&file);
    return status;
}

static enum bl_status contest_rename(const struct command_call *call, struct bl_diag *diag)
{
    return person_act(call, "rename", "name", call->word[2], diag);
}

static enum bl_status contest_substitute(const struct command_call *call, struct bl_diag *diag)
{
    return person_act(call, "substitute", "name", call->word[2], diag);
}

static enum bl_status contest_limit(const struct command_call *call, struct bl_diag *diag)
{
    const struct contest_options *options = call->options;
    return person_act(call, "limit", "text", options->text, diag);
}

/* The session is named as on its ticket, so that nobody repeats another one. */
static enum bl_status contest_repeat(const struct command_call *call, struct bl_diag *diag)
{
    const struct contest_options *options = call->options;
    struct contest_file file = {.store = NULL};
    const struct meeting *meeting = NULL;
    char name[CONTEST_SESSION_MAX];
    enum bl_status status = BL_OK;
    if (!options->why)
        status = bl_fail(diag, BL_USAGE, "missing --why TEXT, for the record");
    if (status == BL_OK)
        status = contest_file_open(&file, call, diag);
    if (status == BL_OK) {
        meeting = contest_find_session(file.contest, call->word[1], diag);
        status = meeting ? BL_OK : BL_DATA;
    }
    if (status == BL_OK)
        status = contest_file_append(&file, "repeat",
                                     json_pack("{s:i,s:i,s:s}", "round", meeting->round + 1,
                                               "judge", meeting->judge + 1, "why", options->why),
                                     diag);
    if (status == BL_OK) {
        contest_session(file.contest, meeting, name);
        command_print("%s does not count; it is held again as %s\nNext: contest tickets %s, whose "
                      "files for it are %03u-%u.ticket\n",
                      call->word[1], name, call->word[0], meeting->round + 1U,
                      contest_repeated(file.contest, meeting) + 1);
    }
    contest_file_close(&file);
    return status;
}

/* What is to be taken back, as the act has it; the caller frees it. */
static enum bl_status undo_body(const struct command_call *call, json_t **body,
                                struct bl_diag *diag)
{
    const struct contest_options *options = call->options;
    const char *what = call->word[1], *who = call->word[2];
    bool person = strcmp(what, "withdraw") == 0 || strcmp(what, "limit") == 0;
    bool entry = strcmp(what, "disqualify") == 0;
    enum contest_role role;
    unsigned number;
    if (!options->why)
        return bl_fail(diag, BL_USAGE, "missing --why TEXT, for the record");
    if (!person && !entry && strcmp(what, "begin") != 0 && strcmp(what, "seal") != 0)
        return bl_fail(diag, BL_USAGE,
                       "'%.20s': expected begin, withdraw, disqualify, limit or seal", what);
    if ((person || entry) != (who != NULL))
        return bl_fail(diag, BL_USAGE,
                       person || entry ? "missing who: as in 'undo FILE withdraw J1'"
                                       : "begin and seal take no name: it is the last one");
    *body = json_pack("{s:s,s:s}", "what", what, "why", options->why);
    if (!who)
        return BL_OK;
    enum bl_status status = contest_person(who, &role, &number, diag);
    if (status == BL_OK && entry && role != CONTEST_ENTRY)
        status = bl_fail(diag, BL_USAGE, "'%.20s': expected an Entry, as E2", who);
    if (status == BL_OK && entry)
        json_object_set_new(*body, "entry", json_integer(number));
    if (status == BL_OK && person) {
        json_object_set_new(*body, "role", json_string(contest_role_name(role)));
        json_object_set_new(*body, "number", json_integer(number));
    }
    return status;
}

static void tell_undone(const struct command_call *call, const struct contest *contest)
{
    const char *what = call->word[1];
    if (strcmp(what, "begin") == 0)
        command_print("round %u has not begun\n", contest->begun + 1);
    else if (strcmp(what, "seal") == 0)
        command_print("round %u is open for corrections\n", contest->sealed_rounds + 1);
    else if (strcmp(what, "limit") == 0)
        command_print("%s is not limited\n", call->word[2]);
    else
        command_print("%s is in the contest again\n", call->word[2]);
    if (call->word[2] && strcmp(what, "limit") != 0 && contest->schedule.rounds > contest->begun)
        command_print("Next: contest schedule %s makes the rest anew\n", call->word[0]);
    else
        contest_next(contest, call->word[0]);
}

static enum bl_status contest_undo(const struct command_call *call, struct bl_diag *diag)
{
    struct contest_file file = {.store = NULL};
    json_t *body = NULL;
    enum bl_status status = undo_body(call, &body, diag);
    if (status == BL_OK)
        status = contest_file_open(&file, call, diag);
    if (status == BL_OK)
        status = contest_file_append(&file, "undo", json_incref(body), diag);
    if (status == BL_OK)
        tell_undone(call, file.contest);
    json_decref(body);
    contest_file_close(&file);
    return status;
}

static enum bl_status count_act(void *ctx, const struct act *act, struct bl_diag *diag)
{
    (void)diag;
    *(int64_t *)ctx = act->number;
    return BL_OK;
}

/* The copy is read again as a whole before it is called one. */
static enum bl_status contest_copy(const struct command_call *call, struct bl_diag *diag)
{
    struct contest_file file = {.store = NULL};
    struct store *copy = NULL;
    int64_t last = 0;
    enum bl_status status = contest_file_open(&file, call, diag);
    if (status == BL_OK)
        status = store_copy(file.store, call->word[1], diag);
    if (status == BL_OK)
        status = store_open(&copy, call->word[1], diag);
    if (status == BL_OK)
        status = store_read(copy, 0, count_act, &last, diag);
    if (status == BL_OK && last < file.contest->acts)
        status = bl_fail(diag, BL_IO, "%s: %lld acts, expected %lld", call->word[1],
                         (long long)last, (long long)file.contest->acts);
    if (status == BL_OK)
        command_print("%s: all %lld acts\n", call->word[1], (long long)last);
    if (status == BL_OK && file.contest->committed && !file.contest->drawn)
        command_print(
            "The secret seed, %s.seed, is not in it: whoever goes on with the copy brings "
            "it along, or draws again\n",
            call->word[0]);
    store_close(copy);
    contest_file_close(&file);
    return status;
}

static const struct command_option copy_options[] = {{0}};

static const struct command_option mend_options[] = {
    CONTEST_WHY,
    CONTEST_AUTHOR,
    {0},
};

static const struct command_option limit_options[] = {
    OPTION_ROW("--text", "TEXT", "what the confederate is told, one line", OPTION_TEXT,
               struct contest_options, text),
    CONTEST_WHY,
    CONTEST_AUTHOR,
    {0},
};

const struct command contest_mend_verbs[] = {
    {
        .name = "contest rename",
        .synopsis = "FILE J1 NAME --why TEXT",
        .help = "another name for the same person or Entry",
        .text = "As when it was misspelt. The old name stays on the record.",
        .examples = "boothlink contest rename c.db J2 'Ann Lee' --why 'misspelt'",
        .options = mend_options,
        .size = sizeof(struct contest_options),
        .least = 3,
        .most = 3,
        .run = contest_rename,
    },
    {
        .name = "contest substitute",
        .synopsis = "FILE J1 NAME --why TEXT",
        .help = "somebody else takes a judge's or confederate's place",
        .text =
            "From the next round on, in the same column of votes; `contest show` and the report "
            "say who sat there before. Print the sheets again.",
        .examples = "boothlink contest substitute c.db J2 'Bob Ray' --why 'J2 fell ill'",
        .options = mend_options,
        .size = sizeof(struct contest_options),
        .least = 3,
        .most = 3,
        .run = contest_substitute,
    },
    {
        .name = "contest limit",
        .synopsis = "FILE C2 --text TEXT --why TEXT",
        .help = "a referee limits what a confederate communicates",
        .text =
            "Where the rules let referees do so (1996 r15, 2003 r53). His next `contest tickets` "
            "have TEXT, and his terminal and its record; nothing of the judge's has it. A later "
            "limit replaces it, `contest undo FILE limit C2` takes it back. Until that ticket, "
            "begin his terminal again between sessions, with --limit TEXT.",
        .examples = "boothlink contest limit c.db C2 --text 'No names.' --why 'two were told'",
        .options = limit_options,
        .size = sizeof(struct contest_options),
        .least = 2,
        .most = 2,
        .run = contest_limit,
    },
    {
        .name = "contest copy",
        .synopsis = "FILE OTHER",
        .help = "copy a contest's file, to keep it safe or to restore it",
        .text = "Safe while other programs have it open. OTHER must not exist, has its name only "
                "when it is whole, and is read again. To restore a lost file, copy the copy back.",
        .examples = "boothlink contest copy c.db /media/stick/c.db",
        .options = copy_options,
        .size = sizeof(struct contest_options),
        .least = 2,
        .most = 2,
        .run = contest_copy,
    },
    {
        .name = "contest repeat",
        .synopsis = "FILE r2-j3 --why TEXT",
        .help = "hold a session again that was spoiled",
        .text =
            "The same people meet under a new session name, as r2-j3-2. What the spoiled session "
            "left is kept, and a ballot that was given on it counts no longer. `contest "
            "tickets` writes its tickets.",
        .examples = "boothlink contest repeat c.db r2-j3 --why 'a cable was broken'",
        .options = mend_options,
        .size = sizeof(struct contest_options),
        .least = 2,
        .most = 2,
        .run = contest_repeat,
    },
    {
        .name = "contest undo",
        .synopsis = "FILE begin|seal|withdraw J1|disqualify E2|limit C2 --why TEXT",
        .help = "take an act back",
        .text = "begin: the last round that has begun, as long as it has no ballots. seal: of the "
                "last sealed round. withdraw, disqualify: that person or Entry is in the contest "
                "again. limit: that confederate has none. Both acts stay on the record.",
        .examples = "boothlink contest undo c.db begin --why 'the hall was not ready'",
        .options = mend_options,
        .size = sizeof(struct contest_options),
        .least = 2,
        .most = 3,
        .run = contest_undo,
    },
    {0},
};
