/* The acts of a contest's results, and the table of all kinds. */
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
    status = ruleset_parse(&contest->ruleset, body->contest.ruleset, "ruleset", diag);
    if (status == BL_OK)
        dates_begin(contest);
    return status;
}

#define PANEL 3 /* 2003 r38: the chief judge, and two */

/* Whether more than half of those who vote are for it. */
static enum bl_status count_votes(const struct contest *contest, const struct act_votes *votes,
                                  bool *majority, struct bl_diag *diag)
{
    int64_t there = contest_there(contest, CONTEST_JUDGE);
    int64_t judges = votes->panel ? PANEL : votes->judges ? there : contest->people[CONTEST_JUDGE];
    if (!votes->given)
        return bl_fail(diag, BL_DATA, "'for' and 'against' are missing, the judges' votes");
    if (votes->judges && votes->judges != judges)
        return bl_fail(diag, BL_DATA, "'judges': expected %" PRId64 ", who are there", judges);
    if (votes->for_it + votes->against > judges)
        return bl_fail(diag, BL_DATA, "%" PRId64 " votes: there are %" PRId64 " judges",
                       votes->for_it + votes->against, judges);
    *majority = votes->for_it * 2 > judges;
    if (!*majority) /* told only where there must be one */
        bl_fail(diag, BL_DATA, "%" PRId64 " of %" PRId64 " judges are no majority", votes->for_it,
                judges);
    return BL_OK;
}

/* 2003 r43, r50. */
static enum bl_status check_majority(const struct contest *contest, const struct act_votes *votes,
                                     const char *rule, struct bl_diag *diag)
{
    bool majority = false;
    struct bl_diag why;
    enum bl_status status = count_votes(contest, votes, &majority, &why);
    if (status != BL_OK)
        return bl_fail(diag, status, "%s", why.text);
    return majority ? BL_OK : bl_fail(diag, BL_DATA, "%s (%s)", why.text, rule);
}

enum bl_status act_disqualify(struct contest *contest, const struct act_body *body,
                              struct bl_diag *diag)
{
    const struct act_disqualify *act = &body->disqualify;
    bool panel = act->votes.panel;
    const struct rule rule =
        panel ? ruleset_rule(&contest->ruleset, "register", "differ", 0)
              : ruleset_rule(&contest->ruleset, "result", "disqualify", act->organiser ? 1 : 0);
    enum bl_status status = check_entry_number(contest, act->entry, diag);
    if (status == BL_OK && panel && (act->organiser || contest->ruleset.differ != WORD_YES))
        return bl_fail(diag, BL_DATA, "'panel': these rules have none that disqualifies");
    if (status == BL_OK && !panel &&
        contest->ruleset.disqualify == (act->organiser ? DISQUALIFY_JUDGES : DISQUALIFY_ORGANISER))
        return bl_fail(diag, BL_DATA, "these rules leave it to the %s (%s)",
                       act->organiser ? "judges' majority" : "organiser", rule.text);
    if (status == BL_OK && !act->organiser)
        status = check_majority(contest, &act->votes, rule.text, diag);
    if (status == BL_OK)
        contest->disqualified[act->entry - 1] = true;
    return status;
}

/* Which of the ruleset's ways to break a tie this is, from 0; -1: none of them. */
static int find_way(const struct contest *contest, const char *word)
{
    int number = 0;
    for (const char *at = contest->ruleset.ties; *(at += strspn(at, " ,")); number++) {
        size_t length = strcspn(at, " ,");
        if (strlen(word) == length && memcmp(at, word, length) == 0)
            return number;
        at += length;
    }
    return -1;
}

static struct rule way_rule(const struct contest *contest, int way)
{
    return ruleset_rule(&contest->ruleset, "result", "ties", way);
}

/* 2003 r50: the judges confer and attempt to reach a majority; then a coin, never before. */
enum bl_status act_confer(struct contest *contest, const struct act_body *body,
                          struct bl_diag *diag)
{
    const struct act_confer *act = &body->confer;
    bool said = act->majority != MAJORITY_NOT_SAID, majority = false;
    int way = find_way(contest, "confer");
    int64_t place = act->place ? act->place : 1;
    enum bl_status status = check_entry_number(contest, act->entry, diag);
    if (status == BL_OK && !said)
        status = check_majority(contest, &act->votes, way_rule(contest, way).text, diag);
    if (status == BL_OK)
        status = count_votes(contest, &act->votes, &majority, diag);
    if (status != BL_OK)
        return status;
    if (said && way < 0)
        return bl_fail(diag, BL_DATA,
                       "these rules break ties by %s: no conference of the judges is among them",
                       contest->ruleset.ties);
    if (said && (act->majority == MAJORITY_YES) != majority)
        return bl_fail(diag, BL_DATA, "'majority' says otherwise than the votes");
    if (said && contest->coin_tossed)
        return bl_fail(diag, BL_DATA, "the coin was tossed already, and it has the last word (%s)",
                       way_rule(contest, find_way(contest, "coin")).text);
    contest->conferred[place - 1] = majority ? (uint8_t)act->entry : 0;
    contest->split[place - 1] = !majority;
    return BL_OK;
}

/* Whether a coin may be committed to now. */
static enum bl_status check_coin(const struct contest *contest, struct bl_diag *diag)
{
    int coin = find_way(contest, "coin"), confer = find_way(contest, "confer");
    bool split = confer < 0 || confer > coin;
    if (coin < 0)
        return bl_fail(diag, BL_DATA, "these rules break ties by %s: no coin is among them",
                       contest->ruleset.ties);
    for (unsigned i = 0; i < SCHEDULE_PEOPLE_MAX; i++)
        split = split || contest->split[i];
    return split ? BL_OK
                 : bl_fail(diag, BL_DATA,
                           "the judges confer first, and the coin is tossed if they have no "
                           "majority: contest confer records both (%s)",
                           way_rule(contest, coin).text);
}

/* The coin's seed: first its commitment alone, then the seed, which must match. */
enum bl_status act_coin(struct contest *contest, const struct act_body *body, struct bl_diag *diag)
{
    const struct act_coin *act = &body->coin;
    uint8_t commitment[ACT_HASH_BYTES], seed[RESULT_SEED_BYTES];
    enum bl_status status = BL_OK;
    if (contest->coin_tossed)
        return bl_fail(diag, BL_DATA, "the coin was tossed already");
    if (!contest->coin_committed) {
        contest->coin_waits = act->after_conference;
        if (contest->coin_waits)
            status = check_coin(contest, diag);
        if (status == BL_OK && !act->commitment)
            status = bl_fail(diag, BL_DATA, "the commitment comes before the coin's seed");
        if (status == BL_OK)
            contest_bytes(act->commitment, contest->coin_commitment);
        contest->coin_committed = status == BL_OK;
        return status;
    }
    if (!act->seed)
        return bl_fail(diag, BL_DATA, "the coin has its commitment already; missing its seed");
    contest_bytes(act->seed, seed);
    contest_commit(seed, sizeof seed, commitment);
    if (memcmp(commitment, contest->coin_commitment, sizeof commitment) != 0)
        return bl_fail(diag, BL_DATA, "this seed is not the one that was committed to");
    memcpy(contest->coin, seed, sizeof seed);
    contest->coin_tossed = true;
    return BL_OK;
}

/* 2003 r17: a phrase that is not to be published. The journals keep it. */
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
    struct act_body body;
    enum act_kind kind;
    enum bl_status status;
    json_t *json;
    if (!act_kind_find(act->kind, &kind))
        return bl_fail(diag, BL_DATA, "act %lld is a '%.20s', which this version does not know",
                       (long long)act->number, act->kind);
    if (!contest->ruleset.format && kind != ACT_CONTEST)
        return bl_fail(diag, BL_DATA, "a contest begins with its name and rules");
    contest->now_us = act->at_us;
    json = json_loads(act->body, JSON_REJECT_DUPLICATES, NULL);
    status = act_body_read(&body, kind, json, diag);
    if (status == BL_OK)
        status = apply[kind](contest, &body, diag);
    json_decref(json);
    if (status == BL_OK)
        contest->acts = act->number;
    return status;
}
