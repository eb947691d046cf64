#include "contest/contest.h"

#include "base/name.h"
#include "base/word.h"
#include "contest/contest_private.h"

#include <sodium/crypto_generichash.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct contest *contest_create(void)
{
    struct contest *contest = calloc(1, sizeof *contest);
    if (contest)
        memset(contest->score, -1, sizeof contest->score);
    return contest;
}

void contest_destroy(struct contest *contest)
{
    free(contest);
}

unsigned contest_most(enum contest_role role)
{
    return role == CONTEST_JUDGE || role == CONTEST_CONFEDERATE ? SCHEDULE_PEOPLE_MAX
                                                                : SCHEDULE_ENTRIES_MAX;
}

const char *contest_role_name(enum contest_role role)
{
    static const char *const words[] = {
        [CONTEST_ENTRY] = "entry",
        [CONTEST_JUDGE] = "judge",
        [CONTEST_CONFEDERATE] = "confederate",
        [CONTEST_PRELIM] = "preliminary",
        [CONTEST_ORGANISER] = "organiser",
    };
    return WORD_OF(words, role, "");
}

const char *contest_submitted_name(enum submitted how)
{
    static const char *const words[] = {
        [SUBMITTED_COURIER] = "courier",
        [SUBMITTED_INSTALLS] = "installs",
        [SUBMITTED_BRINGS] = "brings",
    };
    return WORD_OF(words, how, "");
}

bool contest_has_entry(const struct contest *contest, unsigned entry)
{
    return !contest->person[CONTEST_ENTRY][entry].withdrawn && !contest->disqualified[entry] &&
           contest_is_accepted(contest, entry) && (!contest->final || contest->finalist[entry]);
}

unsigned contest_there(const struct contest *contest, enum contest_role role)
{
    unsigned there = 0;
    for (unsigned i = 0; i < contest->people[role]; i++)
        there += role == CONTEST_ENTRY ? contest_has_entry(contest, i)
                                       : !contest->person[role][i].withdrawn;
    return there;
}

const struct person *contest_candidate(const struct contest *contest, unsigned candidate)
{
    unsigned entries = contest->people[CONTEST_ENTRY];
    return candidate < entries ? &contest->person[CONTEST_ENTRY][candidate]
                               : &contest->person[CONTEST_CONFEDERATE][candidate - entries];
}

bool contest_has_candidate(const struct contest *contest, unsigned candidate)
{
    return candidate < contest->people[CONTEST_ENTRY]
               ? contest_has_entry(contest, candidate)
               : !contest_candidate(contest, candidate)->withdrawn;
}

unsigned contest_trial_of(const struct contest *contest, unsigned round)
{
    unsigned trial = 0;
    while (trial < contest->trials && contest->trial_from[trial + 1] <= round)
        trial++;
    return trial;
}

bool contest_has_design(const struct contest *contest)
{
    return contest->ruleset.design[0];
}

static struct ballot key_of(const struct contest *contest, const struct meeting *meeting)
{
    return (struct ballot){.judge = meeting->judge,
                           .trial = (uint8_t)contest_trial_of(contest, meeting->round),
                           .entry = meeting->entry,
                           .confederate = meeting->confederate};
}

static bool is_of(const struct contest *contest, const struct ballot *one,
                  const struct ballot *other)
{
    return one->judge == other->judge && one->entry == other->entry && one->trial == other->trial &&
           (one->confederate == other->confederate || !contest_has_design(contest));
}

const struct meeting *contest_meeting(const struct contest *contest, const struct ballot *of)
{
    for (unsigned i = 0; i < contest->schedule.count; i++) {
        const struct ballot key = key_of(contest, &contest->schedule.meeting[i]);
        if (is_of(contest, &key, of))
            return &contest->schedule.meeting[i];
    }
    return NULL;
}

const struct ballot *contest_ballot_by(const struct contest *contest, const struct ballot *of)
{
    for (unsigned i = 0; i < contest->ballots; i++)
        if (is_of(contest, &contest->ballot[i], of))
            return &contest->ballot[i];
    return NULL;
}

const struct ballot *contest_ballot_of(const struct contest *contest, const struct meeting *meeting)
{
    const struct ballot key = key_of(contest, meeting);
    return contest_ballot_by(contest, &key);
}

const struct excluded *contest_excluded(const struct contest *contest,
                                        const struct meeting *meeting)
{
    for (unsigned i = 0; i < contest->excludeds; i++)
        if (contest->excluded[i].round == meeting->round &&
            contest->excluded[i].judge == meeting->judge)
            return &contest->excluded[i];
    return NULL;
}

const struct ballot *contest_ballot_given(const struct contest *contest, const struct ballot *of)
{
    const struct ballot *ballot = contest_ballot_by(contest, of);
    const struct meeting *meeting = ballot ? NULL : contest_meeting(contest, of);
    const struct excluded *excluded = meeting ? contest_excluded(contest, meeting) : NULL;
    return excluded && excluded->given ? &excluded->ballot : ballot;
}

const struct ballot *contest_ballot_given_of(const struct contest *contest,
                                             const struct meeting *meeting)
{
    const struct ballot key = key_of(contest, meeting);
    return contest_ballot_given(contest, &key);
}

bool contest_has_ranked(const struct contest *contest, unsigned judge, unsigned trial)
{
    for (unsigned i = 0; i < contest->rankings; i++)
        if (contest->ranking[i].judge == judge && contest->ranking[i].trial == trial)
            return true;
    return false;
}

bool contest_asks_ranks(const struct contest *contest)
{
    return contest->ruleset.ranks == RANKS_NON_HUMAN || contest->ruleset.ranks == RANKS_CANDIDATES;
}

/* True if the judge has a ballot in the last trial, or one is to come; otherwise there is nothing
 * to rank. */
static bool votes(const struct contest *contest, unsigned judge)
{
    for (unsigned i = 0; i < contest->ballots; i++)
        if (contest->ballot[i].judge == judge && contest->ballot[i].trial == contest->trials)
            return true;
    for (unsigned i = 0; i < contest->schedule.count; i++) {
        const struct meeting *meeting = &contest->schedule.meeting[i];
        if (meeting->judge == judge &&
            contest_trial_of(contest, meeting->round) == contest->trials &&
            contest_is_missing(contest, meeting))
            return true;
    }
    return false;
}

bool contest_wants_ranks(const struct contest *contest, unsigned judge)
{
    return contest_asks_ranks(contest) && votes(contest, judge) &&
           !contest->person[CONTEST_JUDGE][judge].withdrawn &&
           !contest_has_ranked(contest, judge, contest->trials);
}

unsigned contest_rank_by(const struct contest *contest, const struct ranking *of)
{
    for (unsigned i = 0; i < contest->rankings; i++) {
        const struct ranking *ranking = &contest->ranking[i];
        if (ranking->judge == of->judge && ranking->candidate == of->candidate &&
            ranking->trial == of->trial)
            return ranking->rank;
    }
    return 0;
}

const struct repeat *contest_repeat_of(const struct contest *contest, const struct meeting *meeting)
{
    for (unsigned i = 0; i < contest->repeats; i++)
        if (contest->repeat[i].round == meeting->round &&
            contest->repeat[i].judge == meeting->judge)
            return &contest->repeat[i];
    return NULL;
}

unsigned contest_repeated(const struct contest *contest, const struct meeting *meeting)
{
    const struct repeat *repeat = contest_repeat_of(contest, meeting);
    return repeat ? repeat->times : 0;
}

static void write_session(unsigned round, unsigned judge, unsigned repeated,
                          char out[CONTEST_SESSION_MAX])
{
    int length = snprintf(out, CONTEST_SESSION_MAX, "r%u-j%u", round + 1, judge + 1);
    if (repeated)
        snprintf(out + length, CONTEST_SESSION_MAX - (size_t)length, "-%u", repeated + 1);
}

void contest_session(const struct contest *contest, const struct meeting *meeting,
                     char out[CONTEST_SESSION_MAX])
{
    write_session(meeting->round, meeting->judge, contest_repeated(contest, meeting), out);
}

void contest_session_before(const struct meeting *meeting, unsigned times,
                            char out[CONTEST_SESSION_MAX])
{
    write_session(meeting->round, meeting->judge, times, out);
}

bool contest_has_further(const struct contest *contest, const struct meeting *meeting)
{
    for (unsigned i = 0; i < contest->furthers; i++)
        if (contest->further[i].round == meeting->round &&
            contest->further[i].judge == meeting->judge)
            return true;
    return false;
}

void contest_further_session(const struct contest *contest, const struct meeting *meeting,
                             char out[CONTEST_SESSION_MAX])
{
    write_session(meeting->round, meeting->judge, contest_repeated(contest, meeting) + 1, out);
}

bool contest_is_to_repeat(const struct contest *contest, const struct meeting *meeting)
{
    return contest_repeated(contest, meeting) && !contest_ballot_of(contest, meeting) &&
           !contest_excluded(contest, meeting);
}

bool contest_waits_again(const struct contest *contest, const struct meeting *meeting,
                         char out[CONTEST_SESSION_MAX])
{
    bool repeat = contest_is_to_repeat(contest, meeting);
    struct bl_diag why;
    if ((!repeat && !contest_has_further(contest, meeting)) || contest->sealed ||
        meeting->round < contest->sealed_rounds || contest_check_meeting(contest, meeting, &why))
        return false;
    if (repeat)
        contest_session(contest, meeting, out);
    else
        contest_further_session(contest, meeting, out);
    return true;
}

void contest_when_again(const struct contest *contest, char out[CONTEST_WHEN_MAX])
{
    if (contest->begun < contest->schedule.rounds)
        snprintf(out, CONTEST_WHEN_MAX, "before round %u", contest->begun + 1);
    else
        snprintf(out, CONTEST_WHEN_MAX, "after the last round");
}

bool contest_is_spoiled(const struct contest *contest, const char *session)
{
    for (unsigned i = 0; i < contest->repeats; i++) {
        const struct repeat *repeat = &contest->repeat[i];
        for (unsigned k = 0; k < repeat->times; k++) {
            char name[CONTEST_SESSION_MAX];
            write_session(repeat->round, repeat->judge, k, name);
            if (strcmp(name, session) == 0)
                return true;
        }
    }
    return false;
}

void contest_commit(const uint8_t *seed, size_t length, uint8_t out[ACT_HASH_BYTES])
{
    crypto_generichash(out, ACT_HASH_BYTES, seed, length, NULL, 0);
}

/* True if the person was gone by the time of the meeting's session. The person is gone from the
 * round that ran at the leaving on, and from any repeat. */
static bool is_gone(const struct contest *contest, const struct person *person,
                    const struct meeting *meeting)
{
    return person->withdrawn &&
           (meeting->round + 1U >= person->withdrawn_after || contest_repeat_of(contest, meeting));
}

/* True if one of the meeting's people is gone or disqualified: no ballot is awaited. */
static bool is_void(const struct contest *contest, const struct meeting *meeting)
{
    unsigned entries = contest->people[CONTEST_ENTRY];
    unsigned confederate = schedule_confederate(meeting, entries);
    if (is_gone(contest, &contest->person[CONTEST_JUDGE][meeting->judge], meeting))
        return true;
    if (meeting->entry < entries &&
        (contest->disqualified[meeting->entry] ||
         is_gone(contest, &contest->person[CONTEST_ENTRY][meeting->entry], meeting)))
        return true;
    return confederate < contest->people[CONTEST_CONFEDERATE] &&
           is_gone(contest, &contest->person[CONTEST_CONFEDERATE][confederate], meeting);
}

enum bl_status contest_check_numbers(const struct contest *contest, struct bl_diag *diag)
{
    const struct ruleset *rules = &contest->ruleset;
    const struct {
        enum contest_role role;
        int least;
        const char *key;
    } of[] = {{CONTEST_JUDGE, rules->judges_least, "judges-least"},
              {CONTEST_CONFEDERATE, rules->confederates_least, "confederates-least"}};
    for (unsigned i = 0; i < sizeof of / sizeof of[0]; i++) {
        int there = (int)contest_there(contest, of[i].role);
        if (there < of[i].least)
            return bl_fail(diag, BL_DATA, "%d %ss: at least %d are needed (%s)", there,
                           contest_role_name(of[i].role), of[i].least,
                           ruleset_rule(rules, "numbers", of[i].key, RULE_ALL).text);
    }
    return BL_OK;
}

bool contest_is_taken_back(const struct contest *contest, const struct meeting *meeting)
{
    for (unsigned i = 0; i < contest->taken_backs; i++)
        if (contest->taken_back[i].round == meeting->round &&
            contest->taken_back[i].judge == meeting->judge)
            return true;
    return false;
}

bool contest_is_missing(const struct contest *contest, const struct meeting *meeting)
{
    return !contest_ballot_of(contest, meeting) && !is_void(contest, meeting) &&
           !contest_is_taken_back(contest, meeting) && !contest_excluded(contest, meeting);
}

bool contest_was_held(const struct contest *contest, const struct meeting *meeting)
{
    return contest_ballot_given_of(contest, meeting) || !is_void(contest, meeting);
}

bool contest_had_ballot(const struct contest *contest, const struct meeting *meeting)
{
    bool had = contest_ballot_given_of(contest, meeting);
    for (unsigned i = 0; i < contest->undones; i++)
        had |= contest->undone[i].round == meeting->round &&
               contest->undone[i].judge == meeting->judge;
    return had;
}

const struct spoiled *contest_spoiled(const struct contest *contest, const struct meeting *meeting,
                                      unsigned times)
{
    for (unsigned i = 0, before = 0; i < contest->spoileds; i++)
        if (contest->spoiled[i].round == meeting->round &&
            contest->spoiled[i].judge == meeting->judge && before++ == times)
            return &contest->spoiled[i];
    return NULL;
}

person_number contest_spoiled_seat(const struct contest *contest, const struct spoiled *spoiled,
                                   enum contest_role role, unsigned number)
{
    person_number seat = role == CONTEST_JUDGE ? spoiled->judge_seat : spoiled->confederate_seat;
    for (unsigned s = spoiled->sitters; seat < SCHEDULE_PEOPLE_MAX && s < contest->sitters; s++)
        if (contest_sits(contest, &contest->sitter[s], role) && contest->sitter[s].number == number)
            return (person_number)(SCHEDULE_PEOPLE_MAX + s);
    return seat;
}

unsigned contest_missing(const struct contest *contest, unsigned rounds)
{
    unsigned missing = 0;
    for (unsigned i = 0; i < contest->schedule.count; i++)
        missing += contest->schedule.meeting[i].round < rounds &&
                   contest_is_missing(contest, &contest->schedule.meeting[i]);
    return missing;
}

unsigned contest_missing_ranks(const struct contest *contest)
{
    bool wanted[RESULT_TRIALS_MAX][SCHEDULE_PEOPLE_MAX] = {{false}};
    unsigned missing = 0;
    for (unsigned i = 0; contest_asks_ranks(contest) && i < contest->ballots; i++)
        wanted[contest->ballot[i].trial][contest->ballot[i].judge] = true;
    for (unsigned t = 0; t <= contest->trials; t++)
        for (unsigned j = 0; j < contest->people[CONTEST_JUDGE]; j++)
            missing += wanted[t][j] && !contest->person[CONTEST_JUDGE][j].withdrawn &&
                       !contest_has_ranked(contest, j, t);
    return missing;
}

/* The number of ballots given or still to come, in each trial and in all. */
static void count_wanted(const struct contest *contest, struct result_input *input)
{
    for (unsigned b = 0; b < contest->ballots; b++)
        input->trial_wanted[contest->ballot[b].trial]++;
    for (unsigned i = 0; i < contest->schedule.count; i++) {
        const struct meeting *meeting = &contest->schedule.meeting[i];
        input->trial_wanted[contest_trial_of(contest, meeting->round)] +=
            contest_is_missing(contest, meeting);
    }
    for (unsigned t = 0; t <= contest->trials; t++)
        input->ballots_wanted += input->trial_wanted[t];
}

/* Finds the Entries that a judge in the contest judged not human and has still to rank. */
static void find_ranks_awaited(const struct contest *contest, struct result_input *input)
{
    for (unsigned i = 0; contest->ruleset.ranks == RANKS_NON_HUMAN && i < contest->ballots; i++) {
        const struct ballot *b = &contest->ballot[i];
        if (!b->entry_human && !contest->person[CONTEST_JUDGE][b->judge].withdrawn &&
            !contest_has_ranked(contest, b->judge, b->trial))
            input->rank_awaited[b->entry] = true;
    }
}

bool contest_sits(const struct contest *contest, const struct sitter *sitter,
                  enum contest_role role)
{
    return sitter->role == contest_register(contest, role);
}

enum contest_role contest_register(const struct contest *contest, enum contest_role role)
{
    return role == CONTEST_CONFEDERATE && contest_has_design(contest) ? CONTEST_JUDGE : role;
}

person_number contest_seat(const struct contest *contest, enum contest_role role, unsigned number,
                           const struct meeting *meeting)
{
    const struct repeat *repeat = contest_repeat_of(contest, meeting);
    for (unsigned s = repeat ? repeat->sitters : 0; s < contest->sitters; s++)
        if (contest_sits(contest, &contest->sitter[s], role) &&
            contest->sitter[s].number == number &&
            (repeat || meeting->round < contest->sitter[s].rounds))
            return (person_number)(SCHEDULE_PEOPLE_MAX + s);
    return (person_number)number;
}

void contest_keep_why(char out[CONTEST_WHY_MAX], const char *why)
{
    size_t length = why ? strlen(why) : 0;
    if (length >= CONTEST_WHY_MAX)
        for (length = CONTEST_WHY_MAX - 1; ((unsigned char)why[length] & 0xC0) == 0x80;)
            length--;
    if (length)
        memcpy(out, why, length);
    out[length] = '\0';
}

const char *contest_tell_sitter(const struct sitter *sitter, char out[CONTEST_SITTER_LINE])
{
    if (sitter->rounds)
        snprintf(out, CONTEST_SITTER_LINE, "%s, who sat there until round %u", sitter->name,
                 sitter->rounds);
    else
        snprintf(out, CONTEST_SITTER_LINE, "%s, who left before round 1", sitter->name);
    return out;
}

const char *contest_sitter_name(const struct contest *contest, enum contest_role role,
                                unsigned seat)
{
    return seat < SCHEDULE_PEOPLE_MAX ? contest->person[role][seat].name
                                      : contest->sitter[seat - SCHEDULE_PEOPLE_MAX].name;
}

/* The role's first seat with this seat's name, so that one person has one seat number. */
static person_number first_seat(const struct contest *contest, enum contest_role role,
                                person_number seat)
{
    const char *name = contest_sitter_name(contest, role, seat);
    for (unsigned i = 0; i < contest->people[role]; i++)
        if (name_equal(contest->person[role][i].name, name))
            return (person_number)i;
    for (unsigned s = 0; s + SCHEDULE_PEOPLE_MAX < seat; s++)
        if (contest_sits(contest, &contest->sitter[s], role) &&
            name_equal(contest->sitter[s].name, name))
            return (person_number)(SCHEDULE_PEOPLE_MAX + s);
    return seat;
}

static void find_seats(const struct contest *contest, struct result_input *input)
{
    unsigned entries = contest->people[CONTEST_ENTRY];
    person_number first[CONTEST_ROLES][2 * SCHEDULE_PEOPLE_MAX];
    for (unsigned i = 0; i < contest->sitters; i++) {
        input->replaced[i] = contest->sitter[i].name;
        for (unsigned r = CONTEST_JUDGE; r <= CONTEST_CONFEDERATE; r++)
            if (contest_sits(contest, &contest->sitter[i], (enum contest_role)r))
                first[r][SCHEDULE_PEOPLE_MAX + i] = first_seat(
                    contest, (enum contest_role)r, (person_number)(SCHEDULE_PEOPLE_MAX + i));
    }
    for (unsigned r = CONTEST_JUDGE; contest->sitters && r <= CONTEST_CONFEDERATE; r++)
        for (unsigned i = 0; i < contest->people[r]; i++)
            first[r][i] = first_seat(contest, (enum contest_role)r, (person_number)i);
    input->seated = contest->sitters > 0;
    for (unsigned i = 0; input->seated && i < contest->ballots; i++) {
        const struct ballot *b = &contest->ballot[i];
        const struct meeting *m = contest_meeting(contest, b);
        unsigned confederate = b->confederate == PERSON_NOBODY && b->entry >= entries
                                   ? b->entry - entries
                                   : b->confederate;
        input->seat[i].judge =
            first[CONTEST_JUDGE][contest_seat(contest, CONTEST_JUDGE, b->judge, m)];
        input->seat[i].confederate =
            confederate == PERSON_NOBODY
                ? PERSON_NOBODY
                : first[CONTEST_CONFEDERATE]
                       [contest_seat(contest, CONTEST_CONFEDERATE, confederate, m)];
    }
}

void contest_result_input(const struct contest *contest, struct result_input *input)
{
    *input = (struct result_input){
        .ruleset = &contest->ruleset,
        .entries = contest->people[CONTEST_ENTRY],
        .confederates = contest->people[CONTEST_CONFEDERATE],
        .ballot = contest->ballot,
        .ballots = contest->ballots,
        .excluded = contest->excludeds,
        .trials = contest->trials + 1,
        .ranking = contest->ranking,
        .rankings = contest->rankings,
        .coin_tossed = contest->coin_tossed,
        .coin_waits = contest->coin_waits,
        .closed = contest->sealed,
        .voted_us = contest->voted_us,
    };
    count_wanted(contest, input);
    find_ranks_awaited(contest, input);
    find_seats(contest, input);
    memcpy(input->disqualified, contest->disqualified, sizeof input->disqualified);
    memcpy(input->decision, contest->decision, sizeof input->decision);
    input->decisions = contest->decisions;
    memcpy(input->conferred, contest->conferred, sizeof input->conferred);
    memcpy(input->split, contest->split, sizeof input->split);
    memcpy(input->prelim, contest->prelim, sizeof input->prelim);
    memcpy(input->coin, contest->coin, sizeof input->coin);
    for (unsigned i = 0; i < contest->people[CONTEST_JUDGE]; i++)
        input->judge_gone[i] = contest->person[CONTEST_JUDGE][i].withdrawn;
    for (unsigned i = 0; i < input->entries; i++) {
        input->own[i] = contest->person[CONTEST_ENTRY][i].own;
        input->unaccepted[i] = !contest_is_accepted(contest, i);
        input->withdrawn[i] = contest->person[CONTEST_ENTRY][i].withdrawn || input->unaccepted[i];
        input->not_final[i] = contest->final && !contest->finalist[i];
    }
}

bool contest_kept_apart(const struct contest *contest, enum contest_role a, unsigned i,
                        enum contest_role b, unsigned k)
{
    enum contest_role of_a = contest_register(contest, a), of_b = contest_register(contest, b);
    for (unsigned c = 0; c < contest->conflicts; c++) {
        const struct conflict *conflict = &contest->conflict[c];
        for (unsigned turn = 0; turn < 2; turn++)
            if (contest_register(contest, conflict->role[turn]) == of_a &&
                conflict->number[turn] == i &&
                contest_register(contest, conflict->role[1 - turn]) == of_b &&
                conflict->number[1 - turn] == k)
                return true;
    }
    return false;
}

enum bl_status contest_apply(struct contest *contest, const struct act *act, struct bl_diag *diag)
{
    struct contest *before = malloc(sizeof *before);
    enum bl_status status;
    if (!before)
        return bl_fail(diag, BL_NOMEM, "no memory");
    contest_assign(before, contest); /* with the padding: equal states are equal bytes */
    status = contest_accept(contest, act, false, diag);
    if (status != BL_OK)
        contest_restore(contest, before);
    free(before);
    return status;
}

void contest_hex(const uint8_t *bytes, size_t length, char *out)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < length; i++) {
        out[2 * i] = digits[bytes[i] >> 4];
        out[2 * i + 1] = digits[bytes[i] & 15];
    }
    out[2 * length] = '\0';
}

static unsigned digit_of(char hex)
{
    return (unsigned)(hex <= '9' ? hex - '0' : hex - 'a' + 10);
}

void contest_bytes(const char *hex, uint8_t *out)
{
    for (; *hex; hex += 2)
        *out++ = (uint8_t)(digit_of(hex[0]) << 4 | digit_of(hex[1]));
}
