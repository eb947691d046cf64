/* The acts for what goes wrong on the day: another name, another person, an act taken back. What
 * was stays on the record; these say what counts from now on. */
#include "contest/contest_private.h"

#include <string.h>

/* "why", which each of them has. */
static enum bl_status field_why(const json_t *body, struct bl_diag *diag)
{
    char why[256];
    return field_text(body, "why", why, sizeof why, diag);
}

static enum bl_status give_name(struct contest *contest, const json_t *body, enum contest_role role,
                                unsigned number, struct bl_diag *diag)
{
    enum bl_status status =
        field_text(body, "name", contest->person[role][number].name, CONTEST_NAME_MAX, diag);
    return status == BL_OK ? person_check(contest, role, number, diag) : status;
}

enum bl_status act_rename(struct contest *contest, const json_t *body, struct bl_diag *diag)
{
    enum contest_role role;
    json_int_t number;
    enum bl_status status = field_person(contest, body, "role", "number", &role, &number, diag);
    if (status == BL_OK)
        status = field_why(body, diag);
    return status == BL_OK ? give_name(contest, body, role, (unsigned)number, diag) : status;
}

enum bl_status act_substitute(struct contest *contest, const json_t *body, struct bl_diag *diag)
{
    enum contest_role role;
    json_int_t number;
    enum bl_status status = field_person(contest, body, "role", "number", &role, &number, diag);
    if (status == BL_OK)
        status = field_why(body, diag);
    if (status != BL_OK)
        return status;
    if (role != CONTEST_JUDGE && role != CONTEST_CONFEDERATE)
        return bl_fail(diag, BL_DATA, "only a judge or a confederate can be substituted");
    if (contest->person[role][number].withdrawn)
        return bl_fail(
            diag, BL_DATA,
            "%s %lld is withdrawn and has no sessions to come: undo the withdrawal first",
            contest_role_name(role), (long long)number + 1);
    if (contest->begun == contest->schedule.rounds)
        return bl_fail(diag, BL_DATA, "no round is to come in which somebody else could sit there");
    if (contest->sitters == SCHEDULE_PEOPLE_MAX)
        return bl_fail(diag, BL_DATA, "there are %d substitutes already", SCHEDULE_PEOPLE_MAX);
    struct sitter *sitter = &contest->sitter[contest->sitters++];
    *sitter = (struct sitter){(uint8_t)role, (uint8_t)number, contest->begun, ""};
    strcpy(sitter->name, contest->person[role][number].name);
    if (role == CONTEST_CONFEDERATE) /* it was the other's who sat there */
        contest->limit[number][0] = '\0';
    return give_name(contest, body, role, (unsigned)number, diag);
}

static enum bl_status field_confederate(const struct contest *contest, const json_t *body,
                                        json_int_t *number, struct bl_diag *diag)
{
    enum contest_role role;
    enum bl_status status = field_person(contest, body, "role", "number", &role, number, diag);
    if (status == BL_OK && role != CONTEST_CONFEDERATE)
        return bl_fail(diag, BL_DATA, "only a confederate can be limited: expected one, as C2");
    return status;
}

/* 1996 r15, 2003 r53. */
enum bl_status act_limit(struct contest *contest, const json_t *body, struct bl_diag *diag)
{
    json_int_t number;
    char why[CONTEST_WHY_MAX], text[CONTEST_WHY_MAX];
    struct bl_diag fault = {""};
    enum bl_status status;
    if (contest->ruleset.referees_limit != WORD_YES)
        return bl_fail(diag, BL_DATA,
                       "the rules of %s have none by which a referee limits a confederate",
                       contest->ruleset.name);
    status = field_confederate(contest, body, &number, diag);
    if (status == BL_OK)
        status = field_text(body, "text", text, sizeof text, diag);
    if (status == BL_OK)
        status = field_text(body, "why", why, sizeof why, diag);
    if (status != BL_OK)
        return status;
    if (ticket_check_limit(text, &fault) != BL_OK)
        return bl_fail(diag, BL_DATA, "'text' %s", fault.text);
    if (contest->person[CONTEST_CONFEDERATE][number].withdrawn)
        return bl_fail(diag, BL_DATA, "confederate %lld is withdrawn and has no sessions to come",
                       (long long)number + 1);
    strcpy(contest->limit[number], text);
    strcpy(contest->limit_why[number], why);
    return BL_OK;
}

enum bl_status act_repeat(struct contest *contest, const json_t *body, struct bl_diag *diag)
{
    const struct meeting *meeting = NULL;
    struct repeat *repeat = NULL;
    char why[CONTEST_WHY_MAX];
    json_int_t round, judge;
    enum bl_status status = field_number(body, "round", 1, SCHEDULE_MEETINGS_MAX, &round, diag);
    if (status == BL_OK)
        status = field_number(body, "judge", 1, SCHEDULE_PEOPLE_MAX, &judge, diag);
    if (status == BL_OK)
        status = field_text(body, "why", why, sizeof why, diag);
    if (status != BL_OK)
        return status;
    for (unsigned i = 0; i < contest->schedule.count; i++)
        if (contest->schedule.meeting[i].round + 1 == round &&
            contest->schedule.meeting[i].judge + 1 == judge)
            meeting = &contest->schedule.meeting[i];
    if (!meeting || meeting->round >= contest->begun)
        return bl_fail(diag, BL_DATA,
                       "judge %lld has no session in round %lld, or it has not begun",
                       (long long)judge, (long long)round);
    if (contest->sealed || meeting->round < contest->sealed_rounds)
        return bl_fail(diag, BL_DATA, "round %lld is sealed: its ballots stay as they are",
                       (long long)round);
    for (unsigned i = 0; i < contest->repeats; i++)
        if (contest->repeat[i].round == meeting->round &&
            contest->repeat[i].judge == meeting->judge)
            repeat = &contest->repeat[i];
    if (!repeat && contest->repeats == CONTEST_REPEATS)
        return bl_fail(diag, BL_DATA, "%d sessions were repeated already", CONTEST_REPEATS);
    if (!repeat) {
        repeat = &contest->repeat[contest->repeats++];
        *repeat = (struct repeat){.round = meeting->round, .judge = meeting->judge};
    }
    if (repeat->times == UINT8_MAX - 1)
        return bl_fail(diag, BL_DATA, "it was repeated %u times already", repeat->times);
    repeat->times++;
    strcpy(repeat->why, why);
    ballot_drop(contest, meeting);
    return BL_OK;
}

static enum bl_status undo_begin(struct contest *contest, struct bl_diag *diag)
{
    unsigned last = contest->begun - 1, trial;
    if (contest->begun == 0 || contest->trial_from[contest->trials] == contest->begun)
        return bl_fail(diag, BL_DATA, "no round of this trial has begun");
    if (contest->sealed || contest->sealed_rounds == contest->begun)
        return bl_fail(diag, BL_DATA, "round %u is sealed", contest->begun);
    trial = contest_trial_of(contest, last);
    for (unsigned i = 0; i < contest->schedule.count; i++)
        if (contest->schedule.meeting[i].round == last &&
            contest_ballot_of(contest, &contest->schedule.meeting[i]))
            return bl_fail(diag, BL_DATA, "round %u has a ballot: it was held", contest->begun);
    for (unsigned i = 0; i < contest->rankings; i++)
        if (contest->ranking[i].trial == trial)
            return bl_fail(diag, BL_DATA,
                           "a judge has ranked already, which is after the last round");
    contest->begun--;
    for (unsigned r = 0; r < CONTEST_ROLES; r++)
        for (unsigned i = 0; i < contest->people[r]; i++)
            if (contest->person[r][i].withdrawn_after > contest->begun)
                contest->person[r][i].withdrawn_after = contest->begun;
    return BL_OK;
}

static enum bl_status undo_withdraw(struct contest *contest, const json_t *body,
                                    struct bl_diag *diag)
{
    enum contest_role role;
    json_int_t number;
    enum bl_status status = field_person(contest, body, "role", "number", &role, &number, diag);
    if (status != BL_OK)
        return status;
    struct person *person = &contest->person[role][number];
    if (!person->withdrawn)
        return bl_fail(diag, BL_DATA, "%s %lld is not withdrawn", contest_role_name(role),
                       (long long)number + 1);
    person->withdrawn = false;
    person->withdrawn_after = 0;
    return BL_OK;
}

static enum bl_status undo_disqualify(struct contest *contest, const json_t *body,
                                      struct bl_diag *diag)
{
    json_int_t entry;
    enum bl_status status = field_entry(contest, body, &entry, diag);
    if (status == BL_OK && !contest->disqualified[entry])
        return bl_fail(diag, BL_DATA, "Entry %lld is not disqualified", (long long)entry + 1);
    if (status == BL_OK)
        contest->disqualified[entry] = false;
    return status;
}

static enum bl_status undo_limit(struct contest *contest, const json_t *body, struct bl_diag *diag)
{
    json_int_t number;
    enum bl_status status = field_confederate(contest, body, &number, diag);
    if (status == BL_OK && !contest->limit[number][0])
        return bl_fail(diag, BL_DATA, "confederate %lld is not limited", (long long)number + 1);
    if (status == BL_OK)
        contest->limit[number][0] = '\0';
    return status;
}

static enum bl_status undo_seal(struct contest *contest, struct bl_diag *diag)
{
    if (contest->sealed)
        return bl_fail(diag, BL_DATA, "the whole contest is sealed, which is not taken back");
    if (contest->sealed_rounds == 0)
        return bl_fail(diag, BL_DATA, "no round is sealed");
    contest->sealed_rounds--;
    return BL_OK;
}

enum bl_status act_undo(struct contest *contest, const json_t *body, struct bl_diag *diag)
{
    char what[16];
    enum bl_status status = field_text(body, "what", what, sizeof what, diag);
    if (status == BL_OK)
        status = field_why(body, diag);
    if (status != BL_OK)
        return status;
    if (strcmp(what, "begin") == 0)
        return undo_begin(contest, diag);
    if (strcmp(what, "withdraw") == 0)
        return undo_withdraw(contest, body, diag);
    if (strcmp(what, "disqualify") == 0)
        return undo_disqualify(contest, body, diag);
    if (strcmp(what, "limit") == 0)
        return undo_limit(contest, body, diag);
    if (strcmp(what, "seal") == 0)
        return undo_seal(contest, diag);
    return bl_fail(diag, BL_DATA, "'what': expected begin, withdraw, disqualify, limit or seal");
}
