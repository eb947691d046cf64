/* The first act of a contest, those of its end, and the table of all kinds. */
#include "contest/contest_private.h"

#include <inttypes.h>
#include <string.h>

enum bl_status check_entry_number(const struct contest *contest, int64_t entry,
                                  struct bl_diag *diag)
{
    return entry <= contest->people[CONTEST_ENTRY]
               ? BL_OK
               : bl_fail(diag, BL_DATA, "there is no Entry %" PRId64, entry);
}

enum bl_status act_contest(struct contest *contest, const struct act_body *body,
                           struct bl_diag *diag)
{
    enum bl_status status;
    if (contest->ruleset.format)
        return bl_fail(diag, BL_DATA, "the contest has its name and rules already");
    strcpy(contest->name, body->contest.name);
    contest->created_us = contest->now_us;
    contest->signatures = body->contest.signatures;
    status = ruleset_parse(&contest->ruleset, body->contest.ruleset, "ruleset", diag);
    if (status == BL_OK)
        dates_begin(contest);
    return status;
}

/* A phrase that is not to be published (2003 r17). The journals keep it. */
enum bl_status act_phrase(struct contest *contest, const struct act_body *body,
                          struct bl_diag *diag)
{
    if (contest->ruleset.phrases_deleted != WORD_YES)
        return bl_fail(diag, BL_DATA, "these rules let nothing be taken out of what is published");
    if (contest->phrases == CONTEST_PHRASES)
        return bl_fail(diag, BL_DATA, "there are %d already", CONTEST_PHRASES);
    strcpy(contest->phrase[contest->phrases], body->phrase.text);
    strcpy(contest->phrase_why[contest->phrases++], body->phrase.why);
    return BL_OK;
}

enum bl_status act_erased(struct contest *contest, const struct act_body *body,
                          struct bl_diag *diag)
{
    int64_t entry = body->erased.entry;
    enum bl_status status = check_entry_number(contest, entry, diag);
    if (status != BL_OK)
        return status;
    if (contest->erased[entry - 1])
        return bl_fail(diag, BL_DATA, "Entry %" PRId64 " is erased already", entry);
    contest->erased[entry - 1] = true;
    return BL_OK;
}

#define APPLY(name, NAME, of) [ACT_##NAME] = act_##name,
static enum bl_status (*const apply[ACT_KINDS])(struct contest *contest,
                                                const struct act_body *body,
                                                struct bl_diag *diag) = {EACH_ACT(APPLY)};
#undef APPLY

enum bl_status contest_replay(struct contest *contest, const struct act *act, struct bl_diag *diag)
{
    return contest_accept(contest, act, true, diag);
}

enum bl_status contest_take(void *contest, const struct act *act, struct bl_diag *diag)
{
    struct bl_diag why;
    enum bl_status status = contest_replay(contest, act, &why);
    return status == BL_OK ? BL_OK
                           : bl_fail(diag, status, "act %lld (%s): %s", (long long)act->number,
                                     act->kind, why.text);
}

/* Under a design all people are registered as judges: the acts below must not name a
 * confederate. */
static enum bl_status check_roles(const struct contest *contest, const struct act_body *body,
                                  struct bl_diag *diag)
{
    const struct act_who *who = body->kind == ACT_RENAME       ? &body->rename.who
                                : body->kind == ACT_SUBSTITUTE ? &body->substitute.who
                                : body->kind == ACT_WITHDRAW   ? &body->withdraw.who
                                : body->kind == ACT_INTERESTS  ? &body->interests.who
                                                               : NULL;
    if (body->kind == ACT_UNDO && strcmp(body->undo.what, "withdraw") == 0)
        who = &body->undo.who;
    enum contest_role role = body->kind == ACT_PERSON ? body->person.role
                             : who                    ? who->role
                                                      : CONTEST_JUDGE;
    if (!contest_has_design(contest) || role != CONTEST_CONFEDERATE)
        return BL_OK;
    return bl_fail(diag, BL_DATA,
                   "under design = %s judges are confederates by turns: expected a judge, as J1",
                   contest->ruleset.design);
}

static void take_turns(struct contest *contest)
{
    if (!contest_has_design(contest))
        return;
    contest->people[CONTEST_CONFEDERATE] = contest->people[CONTEST_JUDGE];
    for (unsigned i = 0; i < contest->people[CONTEST_JUDGE]; i++) {
        struct person *confederate = &contest->person[CONTEST_CONFEDERATE][i];
        char approved[OPENING_NAME_MAX];
        memcpy(approved, confederate->approved, sizeof approved);
        *confederate = contest->person[CONTEST_JUDGE][i];
        memcpy(confederate->approved, approved, sizeof approved);
    }
}

enum bl_status contest_accept(struct contest *contest, const struct act *act, bool replays,
                              struct bl_diag *diag)
{
    struct act_body body;
    enum act_kind kind;
    enum bl_status status;
    json_t *json;
    if (!act_kind_find(act->kind, &kind))
        return bl_fail(diag, BL_DATA, "act %lld is a '%.20s', which this version does not know",
                       (long long)act->number, act->kind);
    if (!contest->ruleset.format && kind != ACT_CONTEST)
        return bl_fail(diag, BL_DATA, "a contest begins with its name and rules");
    contest->replays = replays;
    contest->now_us = act->at_us;
    contest->now_act = act->number;
    json = json_loads(act->body, JSON_REJECT_DUPLICATES, NULL);
    status = act_body_read(&body, kind, json, diag);
    if (status == BL_OK)
        status = check_roles(contest, &body, diag);
    if (status == BL_OK)
        status = apply[kind](contest, &body, diag);
    if (status == BL_OK && kind != ACT_BALLOT && kind != ACT_BEGIN && kind != ACT_SURVEY)
        take_turns(contest);
    json_decref(json);
    contest->replays = false; /* applied and replayed acts give equal states */
    if (status == BL_OK)
        contest->acts = act->number;
    return status;
}
