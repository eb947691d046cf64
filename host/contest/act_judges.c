/* The acts of the judges' common decisions: a disqualification, a conference about equals or about
 * another dispute, and the coin after a conference without a majority. */
#include "contest/contest_private.h"

#include <inttypes.h>
#include <sodium/crypto_shorthash.h>
#include <string.h>

#define PANEL        3 /* 2003 r38: the chief judge, and two */
#define DISPUTE_LOTS 3 /* the lots of a dispute's coin, as a set: lot 1 is yes, lot 2 is no */

/* *majority: more than half of the judges, or of the panel, are in favour. BL_DATA: no votes, or
 * more votes than judges. */
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
        return bl_fail(diag, BL_DATA, "%" PRId64 " vote%s: there are %" PRId64 " judge%s",
                       votes->for_it + votes->against, BL_S(votes->for_it + votes->against), judges,
                       BL_S(judges));
    *majority = votes->for_it * 2 > judges;
    if (!*majority) /* an error for some callers */
        bl_fail(diag, BL_DATA, "%" PRId64 " of %" PRId64 " judges are no majority", votes->for_it,
                judges);
    return BL_OK;
}

static struct rule dispute_rule(const struct contest *contest)
{
    return ruleset_rule(&contest->ruleset, "result", "disputes", 0);
}

/* Checks that the votes are a majority: 2003 r43, r50. */
static enum bl_status check_majority(const struct contest *contest, const struct act_votes *votes,
                                     const char *rule, struct bl_diag *diag)
{
    bool majority = false;
    struct bl_diag why;
    enum bl_status status = count_votes(contest, votes, &majority, &why);
    if (status != BL_OK)
        return bl_fail(diag, status, "%s", why.text);
    if (!majority && !votes->panel && contest->ruleset.disputes == WORD_YES)
        return bl_fail(diag, BL_DATA, "%s (%s); contest dispute lets a coin decide it (%s)",
                       why.text, rule, dispute_rule(contest).text);
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

/* Applies a dispute's answer (2003 r50). */
static void settle_dispute(struct contest *contest, struct dispute *dispute,
                           enum dispute_answer answer)
{
    dispute->answer = (uint8_t)answer;
    if (answer == DISPUTE_YES && dispute->entry)
        contest->disqualified[dispute->entry - 1] = true;
}

enum bl_status act_dispute(struct contest *contest, const struct act_body *body,
                           struct bl_diag *diag)
{
    const struct act_dispute *act = &body->dispute;
    const struct act_votes against = {.given = act->votes.given,
                                      .for_it = act->votes.against,
                                      .against = act->votes.for_it,
                                      .judges = act->votes.judges};
    struct dispute *dispute = &contest->dispute[contest->disputes];
    bool yes = false, no = false;
    enum bl_status status = count_votes(contest, &act->votes, &yes, diag);
    if (status == BL_OK)
        status = count_votes(contest, &against, &no, diag);
    if (status == BL_OK && act->entry)
        status = check_entry_number(contest, act->entry, diag);
    if (status != BL_OK)
        return status;
    if (contest->ruleset.disputes != WORD_YES || act->votes.panel)
        return bl_fail(diag, BL_DATA,
                       "the rules of %s have none by which the judges and a coin decide a dispute",
                       contest->ruleset.name);
    if (contest->disputes == CONTEST_DISPUTES)
        return bl_fail(diag, BL_DATA, "there were %d disputes already", CONTEST_DISPUTES);
    *dispute = (struct dispute){.entry = (uint8_t)act->entry,
                                .votes_for = (uint16_t)act->votes.for_it,
                                .votes_against = (uint16_t)act->votes.against};
    strcpy(dispute->matter, act->matter);
    contest->disputes++;
    settle_dispute(contest, dispute, yes ? DISPUTE_YES : no ? DISPUTE_NO : DISPUTE_OPEN);
    return BL_OK;
}

unsigned contest_open_dispute(const struct contest *contest)
{
    for (unsigned i = 0; i < contest->disputes; i++)
        if (contest->dispute[i].answer == DISPUTE_OPEN)
            return i + 1;
    return 0;
}

/* The position, from 0, of a way to break ties in the ruleset's list; -1: not in it. */
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

/* The Entries of a decision, as a set; 0: an unknown Entry, or fewer than two. */
static uint64_t read_among(const struct contest *contest, const struct act_entries *among)
{
    uint64_t set = 0;
    unsigned count = 0;
    for (unsigned i = 0; i < among->count; i++) {
        uint64_t bit = UINT64_C(1) << (among->entry[i] - 1);
        if (among->entry[i] > contest->people[CONTEST_ENTRY])
            return 0;
        count += !(set & bit);
        set |= bit;
    }
    return count < 2 ? 0 : set;
}

/* The last decision on exactly these Entries; NULL: none. */
static const struct result_decision *find_decision(const struct contest *contest, uint64_t among)
{
    for (unsigned i = contest->decisions; i-- > 0;)
        if (contest->decision[i].among == among)
            return &contest->decision[i];
    return NULL;
}

static enum bl_status add_decision(struct contest *contest, struct result_decision decision,
                                   struct bl_diag *diag)
{
    if (contest->decisions == RESULT_DECISIONS_MAX)
        return bl_fail(diag, BL_DATA, "there are %d decisions already", RESULT_DECISIONS_MAX);
    contest->decision[contest->decisions++] = decision;
    return BL_OK;
}

/* A conference about these Entries, who are equal for a place. */
static enum bl_status confer_among(struct contest *contest, const struct act_confer *act,
                                   bool majority, struct bl_diag *diag)
{
    uint64_t among = read_among(contest, &act->among);
    const struct result_decision *last = find_decision(contest, among);
    if (!among)
        return bl_fail(diag, BL_DATA, "'among': expected two Entries or more, who are equal");
    if (majority && !(among >> (act->entry - 1) & 1))
        return bl_fail(diag, BL_DATA, "'entry': expected one of those who are equal");
    if (last && last->coin)
        return bl_fail(diag, BL_DATA, "the coin was tossed already, and it has the last word (%s)",
                       way_rule(contest, find_way(contest, "coin")).text);
    return add_decision(
        contest,
        (struct result_decision){.among = among, .chosen = majority ? (uint8_t)act->entry : 0},
        diag);
}

/* The judges confer before a coin (2003 r50). Old acts name the chosen Entry and no equals
 * (`among`): they hold for a place. */
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
    if (act->among.count)
        return confer_among(contest, act, majority, diag);
    if (said && contest->coin_tossed)
        return bl_fail(diag, BL_DATA, "the coin was tossed already, and it has the last word (%s)",
                       way_rule(contest, find_way(contest, "coin")).text);
    contest->conferred[place - 1] = majority ? (uint8_t)act->entry : 0;
    contest->split[place - 1] = !majority;
    return BL_OK;
}

/* Checks that a coin may be committed to now. The rules have no conference before it, or the judges
 * were split on these Entries (in an old act: on any place). */
static enum bl_status check_coin(const struct contest *contest, uint64_t among,
                                 struct bl_diag *diag)
{
    const struct result_decision *last = find_decision(contest, among);
    int coin = find_way(contest, "coin"), confer = find_way(contest, "confer");
    bool split = confer < 0 || confer > coin;
    if (coin < 0)
        return bl_fail(diag, BL_DATA, "these rules break ties by %s: no coin is among them",
                       contest->ruleset.ties);
    if (among && last && last->coin)
        return bl_fail(diag, BL_DATA, "the coin was tossed already among these");
    if (among)
        split = split || (last && !last->chosen);
    for (unsigned i = 0; !among && i < SCHEDULE_ENTRIES_MAX; i++)
        split = split || contest->split[i];
    return split ? BL_OK
                 : bl_fail(diag, BL_DATA,
                           "the judges confer first, and the coin is tossed if they have no "
                           "majority: contest confer records both (%s)",
                           way_rule(contest, coin).text);
}

static enum bl_status commit_coin(struct contest *contest, const struct act_coin *act,
                                  struct bl_diag *diag)
{
    uint64_t among = read_among(contest, &act->among);
    enum bl_status status = BL_OK;
    if (act->among.count && !among)
        return bl_fail(diag, BL_DATA, "'among': expected two Entries or more, who are equal");
    if (act->dispute && (among || act->dispute > contest->disputes ||
                         contest->dispute[act->dispute - 1].answer != DISPUTE_OPEN))
        return bl_fail(diag, BL_DATA,
                       "'dispute': expected the number of one about which the judges had no "
                       "majority (%s)",
                       dispute_rule(contest).text);
    if (act->after_conference && !act->dispute)
        status = check_coin(contest, among, diag);
    if (status == BL_OK && !act->commitment)
        status = bl_fail(diag, BL_DATA, "the commitment comes before the coin's seed");
    if (status == BL_OK && contest->tosses == CONTEST_TOSSES)
        status = bl_fail(diag, BL_DATA, "there were %d coins already", CONTEST_TOSSES);
    if (status != BL_OK)
        return status;
    struct toss *toss = &contest->toss[contest->tosses++];
    toss->among = among;
    toss->dispute = (uint8_t)act->dispute;
    contest_bytes(act->commitment, toss->commitment);
    if (!among && !act->dispute)
        contest->coin_waits = act->after_conference;
    return BL_OK;
}

/* Tosses a coin among Entries: a keyed hash of their numbers under the seed, which anybody can
 * repeat. */
static uint8_t toss_among(const uint8_t *seed, uint64_t among)
{
    uint8_t hash[crypto_shorthash_BYTES], lot[SCHEDULE_ENTRIES_MAX], count = 0;
    uint64_t number = 0;
    _Static_assert(RESULT_SEED_BYTES == crypto_shorthash_KEYBYTES, "the seed is the hash's key");
    for (uint8_t e = 0; e < SCHEDULE_ENTRIES_MAX; e++)
        if (among >> e & 1)
            lot[count++] = (uint8_t)(e + 1);
    crypto_shorthash(hash, lot, count, seed);
    for (unsigned i = 0; i < sizeof hash; i++)
        number = number << 8 | hash[i];
    return lot[number % count];
}

/* The coin's seed: first its commitment, then the seed, which must match. Old contests have one
 * coin for all places, newer ones a coin for each set of equals. */
enum bl_status act_coin(struct contest *contest, const struct act_body *body, struct bl_diag *diag)
{
    const struct act_coin *act = &body->coin;
    struct toss *toss = contest->tosses ? &contest->toss[contest->tosses - 1] : NULL;
    uint8_t commitment[ACT_HASH_BYTES], seed[RESULT_SEED_BYTES];
    if (toss && toss->tossed && !act->among.count && !act->dispute)
        return bl_fail(diag, BL_DATA, "the coin was tossed already");
    if (!toss || toss->tossed)
        return commit_coin(contest, act, diag);
    if (!act->seed)
        return bl_fail(diag, BL_DATA, "the coin has its commitment already; missing its seed");
    contest_bytes(act->seed, seed);
    contest_commit(seed, sizeof seed, commitment);
    if (memcmp(commitment, toss->commitment, sizeof commitment) != 0)
        return bl_fail(diag, BL_DATA, "this seed is not the one that was committed to");
    memcpy(toss->seed, seed, sizeof seed);
    toss->tossed = true;
    if (toss->dispute) {
        struct dispute *dispute = &contest->dispute[toss->dispute - 1];
        dispute->coin = true;
        settle_dispute(contest, dispute,
                       toss_among(seed, DISPUTE_LOTS) == 1 ? DISPUTE_YES : DISPUTE_NO);
        return BL_OK;
    }
    if (toss->among)
        return add_decision(contest,
                            (struct result_decision){.among = toss->among,
                                                     .chosen = toss_among(seed, toss->among),
                                                     .coin = true},
                            diag);
    memcpy(contest->coin, seed, sizeof seed);
    contest->coin_tossed = true;
    return BL_OK;
}
