/* The acts that mend the day's mishaps: another name, another person, an act taken back. The mended
 * acts stay on the record. */
#include "contest/contest_private.h"

#include "base/name.h"

#include <inttypes.h>
#include <string.h>

/* A judge's meeting in a round, both from 0; NULL: none. */
static const struct meeting *find_meeting(const struct contest *contest, unsigned round,
                                          unsigned judge)
{
    for (unsigned i = 0; i < contest->schedule.count; i++)
        if (contest->schedule.meeting[i].round == round &&
            contest->schedule.meeting[i].judge == judge)
            return &contest->schedule.meeting[i];
    return NULL;
}

static enum bl_status give_name(struct contest *contest, const struct act_who *who,
                                const char *name, struct bl_diag *diag)
{
    strcpy(contest->person[who->role][who->number - 1].name, name);
    return person_check(contest, who->role, (unsigned)who->number - 1, diag);
}

enum bl_status act_rename(struct contest *contest, const struct act_body *body,
                          struct bl_diag *diag)
{
    const struct act_rename *act = &body->rename;
    enum bl_status status = check_who(contest, &act->who, diag);
    if (status != BL_OK)
        return status;
    const char *was = contest->person[act->who.role][act->who.number - 1].name;
    for (unsigned s = 0; s < contest->sitters; s++) /* the same person's former places */
        if ((act->who.role == CONTEST_JUDGE || act->who.role == CONTEST_CONFEDERATE) &&
            name_equal(contest->sitter[s].name, was))
            strcpy(contest->sitter[s].name, act->name);
    return give_name(contest, &act->who, act->name, diag);
}

/* True if the meeting has a ballot, even an excluded one. */
static bool is_given(const struct contest *contest, const struct meeting *meeting)
{
    return contest_ballot_given_of(contest, meeting);
}

/* True if the repeated meeting has a ballot. */
static bool has_ballot(const struct contest *contest, const struct repeat *repeat)
{
    const struct meeting *meeting = find_meeting(contest, repeat->round, repeat->judge);
    return meeting && is_given(contest, meeting);
}

/* True if the place has a session without a ballot, in a round (from 0) or to be held again. */
static bool has_open(const struct contest *contest, const struct act_who *who, int round)
{
    for (unsigned i = 0; i < contest->schedule.count; i++) {
        const struct meeting *meeting = &contest->schedule.meeting[i];
        unsigned other = schedule_confederate(meeting, contest->people[CONTEST_ENTRY]);
        bool is_there = who->role == CONTEST_JUDGE && meeting->judge + 1 == who->number;
        if (who->role == contest_register(contest, CONTEST_CONFEDERATE))
            is_there = is_there || other + 1 == who->number;
        if (is_there && !is_given(contest, meeting) &&
            (round < 0 ? contest_repeated(contest, meeting) > 0 : meeting->round == round))
            return true;
    }
    return false;
}

/* Checks that another person could still sit on the place: with `round`, in a session without a
 * ballot of the begun round; otherwise in a round to come, or in a session to be held again. */
static enum bl_status check_to_come(const struct contest *contest, const struct act_substitute *act,
                                    struct bl_diag *diag)
{
    if (act->round &&
        (act->round != contest->begun || !has_open(contest, &act->who, (int)act->round - 1)))
        return bl_fail(diag, BL_DATA,
                       "round %" PRId64 " is not the last that has begun, or there is no session "
                       "without a ballot in it",
                       act->round);
    if (act->round || has_open(contest, &act->who, -1))
        return BL_OK;
    if (contest->schedule.rounds == contest->trial_from[contest->trials])
        return bl_fail(diag, BL_DATA,
                       "no round is scheduled yet in which somebody else could sit there");
    if (contest->begun == contest->schedule.rounds)
        return bl_fail(diag, BL_DATA,
                       "no round is to come in which somebody else could sit there: 'round' %u, "
                       "contest substitute --now, is for the session of this one",
                       contest->begun);
    return BL_OK;
}

/* True if the person who sat on the place in the meeting's session has left it. */
static bool has_left_place(const struct contest *contest, const struct meeting *meeting,
                           enum contest_role role, unsigned number)
{
    unsigned seat = contest_seat(contest, role, number, meeting);
    return seat >= SCHEDULE_PEOPLE_MAX && !name_equal(contest_sitter_name(contest, role, seat),
                                                      contest->person[role][number].name);
}

static bool has_left(const struct contest *contest, const struct meeting *meeting)
{
    unsigned confederate = schedule_confederate(meeting, contest->people[CONTEST_ENTRY]);
    return has_left_place(contest, meeting, CONTEST_JUDGE, meeting->judge) ||
           (confederate != PERSON_NOBODY &&
            has_left_place(contest, meeting, CONTEST_CONFEDERATE, confederate));
}

static void drop_further(struct contest *contest, unsigned i)
{
    contest->further[i] = contest->further[--contest->furthers];
    memset(&contest->further[contest->furthers], 0, sizeof contest->further[0]);
}

enum bl_status act_substitute(struct contest *contest, const struct act_body *body,
                              struct bl_diag *diag)
{
    const struct act_substitute *act = &body->substitute;
    enum contest_role role = act->who.role;
    unsigned number = (unsigned)act->who.number - 1;
    enum bl_status status = check_who(contest, &act->who, diag);
    if (status != BL_OK)
        return status;
    if (role != CONTEST_JUDGE && role != CONTEST_CONFEDERATE)
        return bl_fail(diag, BL_DATA, "only a judge or a confederate can be substituted");
    if (contest->person[role][number].withdrawn)
        return bl_fail(diag, BL_DATA,
                       "%s %u is withdrawn and has no sessions to come: undo the withdrawal first",
                       contest_role_name(role), number + 1);
    if (!contest->replays && name_equal(contest->person[role][number].name, act->name))
        return bl_fail(diag, BL_DATA, "%s sits on the place of %s %u already: expected another",
                       contest->person[role][number].name, contest_role_name(role), number + 1);
    status = check_to_come(contest, act, diag);
    if (status != BL_OK)
        return status;
    if (contest->sitters == SCHEDULE_PEOPLE_MAX)
        return bl_fail(diag, BL_DATA, "there are %d substitutes already", SCHEDULE_PEOPLE_MAX);
    unsigned rounds = contest->begun - (act->round ? 1 : 0);
    for (unsigned s = 0; s < contest->sitters;
         s++) /* earlier sitters do not sit in this round either */
        if (contest->sitter[s].role == role && contest->sitter[s].number == number &&
            contest->sitter[s].rounds > rounds)
            contest->sitter[s].rounds = rounds;
    struct sitter *sitter = &contest->sitter[contest->sitters++];
    *sitter =
        (struct sitter){.role = (uint8_t)role, .number = (person_number)number, .rounds = rounds};
    contest_keep_why(sitter->why, act->why);
    strcpy(sitter->name, contest->person[role][number].name);
    for (unsigned i = 0; i < contest->repeats;
         i++) /* repeats still to be held have no former sitters */
        if (!has_ballot(contest, &contest->repeat[i]))
            contest->repeat[i].sitters = (person_number)contest->sitters;
    if (role == CONTEST_CONFEDERATE) /* the former sitter's limit */
        contest->limit[number][0] = '\0';
    contest->person[role][number].unknown = act->unknown;
    person_drop_family(contest, &act->who);
    status = person_take_family(contest, &act->who, act->family.list, diag);
    if (status == BL_OK)
        status = give_name(contest, &act->who, act->name, diag);
    for (unsigned i = contest->furthers; i-- > 0;) {
        const struct further *f = &contest->further[i];
        if (has_left(contest, find_meeting(contest, f->round, f->judge)))
            drop_further(contest, i);
    }
    return status;
}

static enum bl_status check_confederate(const struct contest *contest, const struct act_who *who,
                                        struct bl_diag *diag)
{
    enum bl_status status = check_who(contest, who, diag);
    if (status == BL_OK && who->role != CONTEST_CONFEDERATE)
        return bl_fail(diag, BL_DATA, "only a confederate can be limited: expected one, as C2");
    return status;
}

/* 1996 r15, 2003 r53. */
enum bl_status act_limit(struct contest *contest, const struct act_body *body, struct bl_diag *diag)
{
    const struct act_limit *act = &body->limit;
    unsigned number = (unsigned)act->who.number - 1;
    struct bl_diag fault = {""};
    enum bl_status status;
    if (contest->ruleset.referees_limit != WORD_YES)
        return bl_fail(diag, BL_DATA,
                       "the rules of %s have none by which a referee limits a confederate",
                       contest->ruleset.name);
    status = check_confederate(contest, &act->who, diag);
    if (status != BL_OK)
        return status;
    if (ticket_check_limit(act->text, &fault) != BL_OK)
        return bl_fail(diag, BL_DATA, "'text' %s", fault.text);
    if (contest->person[CONTEST_CONFEDERATE][number].withdrawn)
        return bl_fail(diag, BL_DATA, "confederate %u is withdrawn and has no sessions to come",
                       number + 1);
    strcpy(contest->limit[number], act->text);
    strcpy(contest->limit_why[number], act->why);
    return BL_OK;
}

const struct confirmed *contest_machine(const struct contest *contest,
                                        const uint8_t key[BALLOT_KEY])
{
    uint8_t fingerprint[BALLOT_FINGERPRINT];
    ballot_fingerprint(key, fingerprint);
    for (unsigned i = contest->machines; i-- > 0;)
        if (memcmp(contest->confirmed[i].fingerprint, fingerprint, sizeof fingerprint) == 0)
            return &contest->confirmed[i];
    return NULL;
}

unsigned contest_machines_at(const struct contest *contest, const char *place)
{
    unsigned count = 0;
    for (unsigned i = 0; i < contest->machines; i++)
        count +=
            !contest->confirmed[i].withdrawn && strcmp(contest->confirmed[i].place, place) == 0;
    return count;
}

static enum bl_status withdraw_machines(struct contest *contest, const char *place, const char *why,
                                        struct bl_diag *diag)
{
    unsigned count = 0;
    for (unsigned i = 0; i < contest->machines; i++) {
        struct confirmed *machine = &contest->confirmed[i];
        if (!machine->withdrawn && strcmp(machine->place, place) == 0) {
            machine->withdrawn = true;
            contest_keep_why(machine->why, why);
            count++;
        }
    }
    return count ? BL_OK
                 : bl_fail(diag, BL_DATA,
                           "no machine is confirmed as %s: expected the PLACE of one", place);
}

enum bl_status act_machine(struct contest *contest, const struct act_body *body,
                           struct bl_diag *diag)
{
    struct confirmed *to = &contest->confirmed[contest->machines];
    if (body->machine.withdrawn)
        return withdraw_machines(contest, body->machine.place, body->machine.why, diag);
    if (!body->machine.fingerprint)
        return bl_fail(diag, BL_DATA, "a machine is confirmed by its key's fingerprint");
    if (contest->machines == CONTEST_MACHINES)
        return bl_fail(diag, BL_DATA, "%d machines were confirmed already", CONTEST_MACHINES);
    strcpy(to->place, body->machine.place);
    contest_bytes(body->machine.fingerprint, to->fingerprint);
    contest->machines++;
    return BL_OK;
}

static struct settled *settled_of(const struct contest *contest, const char *session)
{
    for (unsigned i = 0; i < contest->settlements; i++)
        if (strcmp(contest->settled[i].session, session) == 0)
            return (struct settled *)&contest->settled[i];
    return NULL;
}

unsigned contest_settled(const struct contest *contest, const char *session)
{
    const struct settled *settled = settled_of(contest, session);
    return settled ? settled->of : 0;
}

enum bl_status act_settle(struct contest *contest, const struct act_body *body,
                          struct bl_diag *diag)
{
    const struct act_settle *act = &body->settle;
    struct settled *settled = settled_of(contest, act->session);
    if (act->file > act->of)
        return bl_fail(diag, BL_DATA, "file %" PRId64 " of %" PRId64 ": expected one of them",
                       act->file, act->of);
    if (contest->sealed)
        return bl_fail(diag, BL_DATA, "the contest is sealed: its ballots stay as they are");
    if (!settled && contest->settlements == CONTEST_SETTLED)
        return bl_fail(diag, BL_DATA, "%d disputes were settled already", CONTEST_SETTLED);
    if (!settled)
        settled = &contest->settled[contest->settlements++];
    strcpy(settled->session, act->session);
    settled->of = (uint8_t)act->of;
    contest_keep_why(settled->why, act->why);
    return BL_OK;
}

static enum bl_status check_open(const struct contest *contest, unsigned round,
                                 struct bl_diag *diag)
{
    return contest->sealed || round < contest->sealed_rounds
               ? bl_fail(diag, BL_DATA, "round %u is sealed: its ballots stay as they are",
                         round + 1)
               : BL_OK;
}

static enum bl_status count_repeat(struct contest *contest, const struct meeting *meeting,
                                   const char *why, int64_t act, struct bl_diag *diag)
{
    struct repeat *repeat = NULL;
    for (unsigned i = 0; i < contest->repeats; i++)
        if (contest->repeat[i].round == meeting->round &&
            contest->repeat[i].judge == meeting->judge)
            repeat = &contest->repeat[i];
    if (!repeat && contest->repeats == CONTEST_REPEATS)
        return bl_fail(diag, BL_DATA, "%d sessions were repeated already", CONTEST_REPEATS);
    if (contest->spoileds == CONTEST_SPOILED)
        return bl_fail(diag, BL_DATA, "sessions were repeated %d times already", CONTEST_SPOILED);
    if (!repeat) {
        repeat = &contest->repeat[contest->repeats++];
        *repeat = (struct repeat){.round = meeting->round, .judge = meeting->judge};
    }
    if (repeat->times == UINT8_MAX - 1)
        return bl_fail(diag, BL_DATA, "it was repeated %u time%s already", repeat->times,
                       BL_S(repeat->times));
    ballot_admit(contest, meeting);
    ballot_forget(contest, meeting->round, meeting->judge);
    unsigned confederate = schedule_confederate(meeting, contest->people[CONTEST_ENTRY]);
    contest->spoiled[contest->spoileds++] = (struct spoiled){
        .round = meeting->round,
        .judge = meeting->judge,
        .judge_seat = contest_seat(contest, CONTEST_JUDGE, meeting->judge, meeting),
        .confederate_seat = contest_seat(contest, CONTEST_CONFEDERATE, confederate, meeting),
        .sitters = (person_number)contest->sitters,
        .act = act,
    };
    repeat->times++;
    repeat->sitters = (person_number)contest->sitters;
    strcpy(repeat->why, why);
    ballot_drop(contest, meeting);
    return BL_OK;
}

/* 1996 r14, 2003 r42: "one or more opportunities to interact with each". */
static enum bl_status add_further(struct contest *contest, const struct meeting *meeting,
                                  const char *why, struct bl_diag *diag)
{
    struct further *further = &contest->further[contest->furthers];
    if (contest->ruleset.further != WORD_YES)
        return bl_fail(diag, BL_DATA,
                       "the rules of %s know no further session of a judge with whom he met",
                       contest->ruleset.name);
    if (!contest_ballot_of(contest, meeting))
        return bl_fail(diag, BL_DATA,
                       "the session has no ballot yet, which counts until there is another");
    if (has_left(contest, meeting))
        return bl_fail(
            diag, BL_DATA,
            "somebody of the session was replaced since: the others have no further one");
    if (contest->furthers == CONTEST_REPEATS)
        return bl_fail(diag, BL_DATA, "%d further sessions are to be held already",
                       CONTEST_REPEATS);
    *further =
        (struct further){.round = meeting->round, .judge = meeting->judge, .act = contest->now_act};
    strcpy(further->why, why);
    contest->furthers++;
    return BL_OK;
}

enum bl_status further_take(struct contest *contest, const struct meeting *meeting,
                            struct bl_diag *diag)
{
    char why[CONTEST_WHY_MAX];
    for (unsigned i = 0; meeting && i < contest->furthers; i++) {
        if (contest->further[i].round != meeting->round ||
            contest->further[i].judge != meeting->judge)
            continue;
        enum bl_status status = check_open(contest, meeting->round, diag);
        int64_t act = contest->further[i].act;
        strcpy(why, contest->further[i].why);
        if (status == BL_OK)
            drop_further(contest, i);
        return status == BL_OK ? count_repeat(contest, meeting, why, act, diag) : status;
    }
    return bl_fail(diag, BL_DATA, "'further': no further session of these two is to be held");
}

/* Finds a session of a begun round that is neither excluded nor waits for a further session. */
static enum bl_status find_held(const struct contest *contest, const struct act_repeat *act,
                                const struct meeting **found, struct bl_diag *diag)
{
    char session[CONTEST_SESSION_MAX];
    const struct meeting *meeting =
        find_meeting(contest, (unsigned)act->round - 1, (unsigned)act->judge - 1);
    *found = meeting;
    if (!meeting || meeting->round >= contest->begun)
        return bl_fail(diag, BL_DATA,
                       "judge %" PRId64 " has no session in round %" PRId64 ", or it has not begun",
                       act->judge, act->round);
    contest_session(contest, meeting, session);
    if (contest_excluded(contest, meeting))
        return bl_fail(diag, BL_DATA, "%s is excluded: undo that first", session);
    if (!contest_has_further(contest, meeting))
        return BL_OK;
    contest_further_session(contest, meeting, session);
    return bl_fail(diag, BL_DATA, "%s is to be held as a further session already", session);
}

enum bl_status act_exclude(struct contest *contest, const struct act_body *body,
                           struct bl_diag *diag)
{
    const struct meeting *meeting;
    enum bl_status status = find_held(contest, &body->exclude, &meeting, diag);
    if (status == BL_OK && contest->sealed)
        return bl_fail(diag, BL_DATA, "the contest is sealed: its ballots stay as they are");
    return status == BL_OK ? ballot_exclude(contest, meeting, body->exclude.why, diag) : status;
}

enum bl_status act_repeat(struct contest *contest, const struct act_body *body,
                          struct bl_diag *diag)
{
    const struct act_repeat *act = &body->repeat;
    const struct meeting *meeting = NULL;
    enum bl_status status = find_held(contest, act, &meeting, diag);
    if (status == BL_OK)
        status = check_open(contest, meeting->round, diag);
    if (status != BL_OK)
        return status;
    return act->further ? add_further(contest, meeting, act->why, diag)
                        : count_repeat(contest, meeting, act->why, contest->now_act, diag);
}

static enum bl_status undo_begin(struct contest *contest, const struct act_undo *act,
                                 struct bl_diag *diag)
{
    (void)act;
    unsigned last = contest->begun - 1, trial;
    if (contest->begun == 0 || contest->trial_from[contest->trials] == contest->begun)
        return bl_fail(diag, BL_DATA, "no round of this trial has begun");
    if (contest->sealed || contest->sealed_rounds == contest->begun)
        return bl_fail(diag, BL_DATA, "round %u is sealed", contest->begun);
    trial = contest_trial_of(contest, last);
    for (unsigned i = 0; i < contest->schedule.count; i++)
        if (contest->schedule.meeting[i].round == last &&
            (is_given(contest, &contest->schedule.meeting[i]) ||
             contest_excluded(contest, &contest->schedule.meeting[i])))
            return bl_fail(diag, BL_DATA,
                           "round %u has a ballot, or an excluded session: it was held",
                           contest->begun);
    for (unsigned i = 0; i < contest->rankings; i++)
        if (contest->ranking[i].trial == trial)
            return bl_fail(diag, BL_DATA,
                           "a judge has ranked already, which is after the last round");
    contest->begun--;
    for (unsigned j = 0; j < contest->people[CONTEST_JUDGE]; j++)
        ballot_forget(contest, last, j);
    for (unsigned r = 0; r < CONTEST_ROLES; r++)
        for (unsigned i = 0; i < contest->people[r]; i++)
            if (contest->person[r][i].withdrawn_after > contest->begun)
                contest->person[r][i].withdrawn_after = contest->begun;
    for (unsigned s = 0; s < contest->sitters; s++)
        if (contest->sitter[s].rounds > contest->begun)
            contest->sitter[s].rounds = contest->begun;
    return BL_OK;
}

static enum bl_status undo_withdraw(struct contest *contest, const struct act_undo *act,
                                    struct bl_diag *diag)
{
    const struct act_who *who = &act->who;
    enum bl_status status = check_who(contest, who, diag);
    if (status != BL_OK)
        return status;
    struct person *person = &contest->person[who->role][who->number - 1];
    if (!person->withdrawn)
        return bl_fail(diag, BL_DATA, "%s %" PRId64 " is not withdrawn",
                       contest_role_name(who->role), who->number);
    person->withdrawn = false;
    person->withdrawn_after = 0;
    return BL_OK;
}

static enum bl_status undo_disqualify(struct contest *contest, const struct act_undo *act,
                                      struct bl_diag *diag)
{
    int64_t entry = act->entry;
    enum bl_status status =
        entry ? check_entry_number(contest, entry, diag)
              : bl_fail(diag, BL_DATA, "'entry' is missing: whose disqualification");
    if (status == BL_OK && !contest->disqualified[entry - 1])
        return bl_fail(diag, BL_DATA, "Entry %" PRId64 " is not disqualified", entry);
    if (status == BL_OK)
        contest->disqualified[entry - 1] = false;
    return status;
}

static enum bl_status undo_limit(struct contest *contest, const struct act_undo *act,
                                 struct bl_diag *diag)
{
    const struct act_who *who = &act->who;
    enum bl_status status = check_confederate(contest, who, diag);
    if (status == BL_OK && !contest->limit[who->number - 1][0])
        return bl_fail(diag, BL_DATA, "confederate %" PRId64 " is not limited", who->number);
    if (status == BL_OK)
        contest->limit[who->number - 1][0] = '\0';
    return status;
}

static enum bl_status undo_seal(struct contest *contest, const struct act_undo *act,
                                struct bl_diag *diag)
{
    (void)act;
    if (contest->sealed)
        return bl_fail(diag, BL_DATA, "the whole contest is sealed, which is not taken back");
    if (contest->sealed_rounds == 0)
        return bl_fail(diag, BL_DATA, "no round is sealed");
    contest->sealed_rounds--;
    return BL_OK;
}

/* The meeting of the ballot or exclusion to be taken back. */
static enum bl_status undone_meeting(struct contest *contest, const struct act_undo *act,
                                     const struct meeting **meeting, struct bl_diag *diag)
{
    *meeting = find_meeting(contest, (unsigned)act->round - 1, (unsigned)act->judge - 1);
    return *meeting ? BL_OK
                    : bl_fail(diag, BL_DATA, "'round' and 'judge': there is no such session");
}

static enum bl_status undo_ballot(struct contest *contest, const struct act_undo *act,
                                  struct bl_diag *diag)
{
    const struct meeting *meeting;
    enum bl_status status = undone_meeting(contest, act, &meeting, diag);
    if (status == BL_OK && contest_excluded(contest, meeting))
        return bl_fail(diag, BL_DATA, "the session is excluded: undo that first");
    return status == BL_OK ? ballot_undo(contest, meeting, diag) : status;
}

static enum bl_status undo_exclude(struct contest *contest, const struct act_undo *act,
                                   struct bl_diag *diag)
{
    const struct meeting *meeting;
    enum bl_status status = undone_meeting(contest, act, &meeting, diag);
    if (status == BL_OK && contest->sealed)
        return bl_fail(diag, BL_DATA, "the contest is sealed: its ballots stay as they are");
    return status == BL_OK ? ballot_include(contest, meeting, diag) : status;
}

/* The kinds of acts that can be taken back, and the member that identifies the act. */
static const struct undoable {
    char what[12], key[8];
    enum bl_status (*undo)(struct contest *, const struct act_undo *, struct bl_diag *);
} undoable[] = {
    {"begin", "", undo_begin},
    {"withdraw", "who", undo_withdraw},
    {"disqualify", "entry", undo_disqualify},
    {"limit", "who", undo_limit},
    {"seal", "", undo_seal},
    {"ballot", "session", undo_ballot},
    {"exclude", "session", undo_exclude},
};

static const struct undoable *find_undoable(const char *what)
{
    for (size_t i = 0; i < sizeof undoable / sizeof undoable[0]; i++)
        if (strcmp(undoable[i].what, what) == 0)
            return &undoable[i];
    return NULL;
}

const char *act_undo_key(const char *what)
{
    const struct undoable *row = find_undoable(what);
    return row ? row->key : NULL;
}

enum bl_status act_undo(struct contest *contest, const struct act_body *body, struct bl_diag *diag)
{
    const struct undoable *row = find_undoable(body->undo.what);
    return row ? row->undo(contest, &body->undo, diag)
               : bl_fail(diag, BL_DATA, "'what': expected " ACT_UNDONE);
}
