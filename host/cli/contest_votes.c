/* The verbs of judging: ballot, rank, seal, disqualify, prelim, confer, dispute, coin. */
#include "cli/contest_plan.h"
#include "contest/act_word.h"
#include "contest/ballot_act.h"
#include "contest/equals.h"
#include "desk/collect.h"
#include "desk/kept.h"
#include "contest/next.h"
#include "rules/ballot_kind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number of a candidate in ballots and ranks: Entries first, then confederates. */
static enum bl_status take_candidate(const struct contest *contest, const char *word,
                                     person_number *candidate, struct bl_diag *diag)
{
    enum contest_role role = CONTEST_ENTRY;
    unsigned number = 0;
    enum bl_status status = act_word_person(word, &role, &number, diag);
    if (role == CONTEST_CONFEDERATE)
        number += contest->people[CONTEST_ENTRY];
    *candidate = (person_number)(number - 1);
    return status;
}

/* Takes "E2C3"; if entities are met singly, "E2" or "C3". */
static enum bl_status take_entities(const struct contest *contest, const char *word,
                                    struct ballot *ballot, struct bl_diag *diag)
{
    char first[16] = "";
    const char *second = strchr(word, 'C');
    enum contest_role role;
    unsigned entry = 0, confederate = 0;
    enum bl_status status;
    if (contest->ruleset.pairing == PAIRING_SINGLE)
        return take_candidate(contest, word, &ballot->entry, diag);
    if (*word != 'E' || !second || (size_t)(second - word) >= sizeof first)
        return bl_fail(diag, BL_USAGE, "'%.20s': expected a pair such as E2C3", word);
    memcpy(first, word, (size_t)(second - word));
    status = act_word_person(first, &role, &entry, diag);
    if (status == BL_OK)
        status = act_word_person(second, &role, &confederate, diag);
    ballot->entry = (person_number)(entry - 1);
    ballot->confederate = (person_number)(confederate - 1);
    return status;
}

/* Options of ballot and rank; the correcting verbs' options come first. */
struct contest_ballot_options {
    struct contest_vote_options common;
    const char *fields;
    int trial; /* -1: not given */
    bool late;
};

/* Takes judge and trial of a ballot or ranks. After several trials the trial must be named (long
 * bet II
 *
 * 4,
 *
 * 5). */
static enum bl_status take_common(const struct contest_making *m, person_number *judge,
                                  uint8_t *trial)
{
    const struct contest_ballot_options *options = m->call->options;
    unsigned begun = m->contest->trials + 1;
    int64_t number = 0;
    enum bl_status status;
    if (options->trial < 0 && begun > 1)
        return bl_fail(m->diag, BL_USAGE, "give --trial N: %u trials have begun", begun);
    if (options->trial > (int)begun)
        return bl_fail(m->diag, BL_USAGE, "--trial %d: %u have begun", options->trial, begun);
    status = act_word_of(m->call->word[1], CONTEST_JUDGE, &number, m->diag);
    *trial = (uint8_t)(options->trial < 0 ? 0 : options->trial - 1);
    *judge = (person_number)(number - 1);
    return status;
}

static enum bl_status make_ballot(const struct contest_making *m)
{
    const struct contest_ballot_options *options = m->call->options;
    const struct ballot_row *row = ballot_row(m->contest->ruleset.ballot);
    const char *vote = m->call->word[3];
    const struct ballot_asked *asked = &m->contest->ruleset.asked;
    struct ballot_values values;
    struct ballot ballot = {.confederate = PERSON_NOBODY, .values = &values};
    enum bl_status status = take_common(m, &ballot.judge, &ballot.trial);
    if (status == BL_OK)
        status = take_entities(m->contest, m->call->word[2], &ballot, m->diag);
    if (status == BL_OK && !row->read(vote, &ballot))
        status = bl_fail(m->diag, BL_USAGE, "'%.20s': expected %s", vote, row->word);
    if (status == BL_OK)
        status =
            ballot_values_parse(asked, options->fields ? options->fields : "", &values, m->diag);
    if (status == BL_OK)
        *m->act = contest_ballot_act(m->contest, &ballot, options->common.correct);
    if (status == BL_OK)
        m->act->ballot.late = options->late;
    return status;
}

/* Takes "E2=4". */
static enum bl_status take_rank(const struct contest *contest, const char *word,
                                struct ranking *ranking, struct bl_diag *diag)
{
    const char *equals = strchr(word, '=');
    char who[16] = "", *rest;
    long rank = equals ? strtol(equals + 1, &rest, 10) : 0;
    if (!equals || rest == equals + 1 || *rest || rank < 1 || rank > UINT8_MAX ||
        (size_t)(equals - word) >= sizeof who)
        return bl_fail(diag, BL_USAGE, "'%.20s': expected a rank such as E2=4", word);
    memcpy(who, word, (size_t)(equals - word));
    ranking->rank = (uint8_t)rank;
    return take_candidate(contest, who, &ranking->candidate, diag);
}

static enum bl_status make_ranks(const struct contest_making *m)
{
    const struct contest_ballot_options *options = m->call->options;
    struct ranking ranking[SCHEDULE_CANDIDATES_MAX], of = {.rank = 0};
    unsigned count = m->call->words - 2;
    enum bl_status status = take_common(m, &of.judge, &of.trial);
    for (unsigned i = 0; status == BL_OK && i < count; i++) {
        ranking[i] = of;
        status = take_rank(m->contest, m->call->word[2 + i], &ranking[i], m->diag);
    }
    if (status == BL_OK)
        *m->act = contest_ranks_act(ranking, count, options->common.correct);
    return status;
}

/* Refuses a seal, which is final, while ballots, ranks, disputes or collected records are open. */
static enum bl_status check_all_in(const struct contest *contest, const char *path,
                                   struct bl_diag *diag)
{
    unsigned missing = contest_missing(contest, contest->schedule.rounds);
    unsigned ranks = contest_missing_ranks(contest);
    unsigned of_ranks, surveys, records, disputed;
    char folder[FOLDER_PATH_MAX], word[CONTEST_WORD_MAX];
    struct collect_dispute first;
    struct kept kept;
    unsigned rounds = contest->schedule.rounds - contest->begun;
    char what[3][48] = {"", "", ""};
    if (missing)
        snprintf(what[0], sizeof what[0], " %u ballot%s;", missing, BL_S(missing));
    if (ranks)
        snprintf(what[1], sizeof what[1], " the ranks of %u judge%s;", ranks, BL_S(ranks));
    if (rounds)
        snprintf(what[2], sizeof what[2], " %u round%s to begin;", rounds, BL_S(rounds));
    if (missing || ranks || rounds)
        return bl_fail(diag, BL_DATA,
                       "missing:%s%s%s none can be given after the seal: --why TEXT seals all the "
                       "same",
                       what[0], what[1], what[2]);
    enum bl_status status = folder_path(folder, diag, "%s.records", path);
    if (status != BL_OK || !folder_has(folder))
        return status;
    contest_next_word(word, path);
    kept_read(&kept, path);
    if ((disputed = collect_disputed(contest, folder, &first)))
        return bl_fail(diag, BL_DATA,
                       "%u session%s a ballot file that says otherwise, first %s, and none could "
                       "be settled afterwards: contest settle %s %s %u --why TEXT takes that "
                       "one; --why TEXT seals all the same",
                       disputed, disputed == 1 ? " has" : "s have", first.session, word,
                       first.session, first.file);
    records = collect_missing(contest, folder, contest_say_missing, NULL, &of_ranks, &surveys);
    if ((records -= surveys)) /* a page that nobody answered cannot come any more */
        return bl_fail(diag, BL_DATA,
                       "records are missing, %u in all: contest collect %s %s takes them; --why "
                       "TEXT seals all the same",
                       records, word, contest_next_from(kept.inbox));
    return BL_OK;
}

static bool tell_seal(const struct contest_making *m)
{
    char word[CONTEST_WORD_MAX];
    contest_next_word(word, m->call->word[0]);
    if (m->act->seal.round)
        command_print(
            "the ballots of round %u and before stay as they are; until the whole contest "
            "is sealed, `contest undo %s seal` opens round %u again\n",
            m->contest->sealed_rounds, word, m->contest->sealed_rounds);
    else
        printf("the contest is sealed: its ballots and ranks stay as they are, and nothing takes "
               "this back\n");
    return false;
}

static enum bl_status make_seal(const struct contest_making *m)
{
    if (m->act->seal.round)
        return BL_OK;
    if (m->contest->sealed)
        return bl_fail(m->diag, BL_DATA, "the contest is sealed already");
    return m->act->seal.why ? BL_OK : check_all_in(m->contest, m->call->word[0], m->diag);
}

static void tell_unsealed(const struct contest *contest)
{
    printf("round %u is open for corrections; ", contest->sealed_rounds + 1);
    if (contest->sealed_rounds)
        printf("round %u and before stay sealed\n", contest->sealed_rounds);
    else
        printf("no round is sealed\n");
}

static enum bl_status make_disqualify(const struct contest_making *m)
{
    const struct contest_options *options = m->call->options;
    const struct act_disqualify *act = &m->act->disqualify;
    if (act->organiser && (options->panel || options->votes))
        return bl_fail(m->diag, BL_USAGE,
                       "--organiser alone, --votes of the judges, or --panel with its --votes");
    return act->organiser || act->votes.given
               ? BL_OK
               : bl_fail(m->diag, BL_USAGE, "missing --votes FOR:AGAINST, such as 3:2");
}

static enum bl_status make_confer(const struct contest_making *m)
{
    struct act_confer *act = &m->act->confer;
    unsigned place = act->place ? (unsigned)act->place : 1;
    bool majority = act->votes.for_it * 2 > act->votes.judges;
    act->majority = majority ? MAJORITY_YES : MAJORITY_NO;
    equals_for_place(m->contest, place, &act->among);
    /* The act refuses under rules without a conference. */
    if (!act->among.count && strstr(m->contest->ruleset.ties, "confer"))
        return bl_fail(m->diag, BL_DATA, "nobody is equal for place %u: there is nothing to choose",
                       place);
    return BL_OK;
}

static bool tell_confer(const struct contest_making *m)
{
    printf("%s\n", m->act->confer.majority == MAJORITY_YES
                       ? "the judges' choice is recorded"
                       : "recorded: the judges have no majority");
    return false;
}

static bool tell_dispute(const struct contest_making *m)
{
    const struct dispute *dispute = &m->contest->dispute[m->contest->disputes - 1];
    if (dispute->answer == DISPUTE_OPEN)
        printf("recorded: no majority\nNext: boothlink contest coin %s commit\n", m->call->word[0]);
    else
        printf("the judges' answer is %s\n", dispute->answer == DISPUTE_YES ? "yes" : "no");
    return dispute->answer == DISPUTE_OPEN;
}

/* Takes P1 E3 E1 ...: a preliminary judge's list. */
static enum bl_status make_list(const struct contest_making *m)
{
    const struct contest_vote_options *options = m->call->options;
    struct act_list *act = &m->act->list;
    int64_t entry = 0;
    enum bl_status status = act_word_of(m->call->word[1], CONTEST_PRELIM, &act->judge, m->diag);
    for (unsigned i = 2; status == BL_OK && i < m->call->words; i++) {
        status = act_word_of(m->call->word[i], CONTEST_ENTRY, &entry, m->diag);
        act->entries.entry[act->entries.count++] = (uint8_t)entry;
    }
    act->correction = options->correct;
    return status;
}

static enum bl_status make_score(const struct contest_making *m)
{
    char *rest;
    long numerator = strtol(m->call->word[2], &rest, 10), denominator = 1;
    bool good = rest != m->call->word[2];
    if (good && *rest == '/')
        denominator = strtol(rest + 1, &rest, 10);
    if (!good || *rest)
        return bl_fail(m->diag, BL_USAGE, "'%.20s': expected a score such as 12 or 7/2",
                       m->call->word[2]);
    if (m->contest->begun)
        return bl_fail(
            m->diag, BL_DATA,
            "the final round has begun, and scores of the preliminary round stay as they "
            "are");
    m->act->prelim.numerator = numerator;
    m->act->prelim.denominator = denominator;
    return BL_OK;
}

static enum bl_status contest_prelim(const struct command_call *call, struct bl_diag *diag)
{
    static const struct contest_verb list = {
        .kind = ACT_LIST, .make = make_list, .done = "the list is recorded"};
    static const struct contest_verb score = {.kind = ACT_PRELIM,
                                              .words = {"entry"},
                                              .make = make_score,
                                              .done = "the score is recorded"};
    if (*call->word[1] == 'P')
        return contest_act_of(&list, call, diag);
    if (call->words > 3)
        return bl_fail(diag, BL_USAGE, "expected FILE E2 7/2, or FILE P1 E3 E1 ...");
    if (((const struct contest_vote_options *)call->options)->correct)
        return bl_fail(
            diag, BL_USAGE,
            "--correct is for a list; a score that is given again replaces the last one");
    return contest_act_of(&score, call, diag);
}

static enum bl_status contest_coin(const struct command_call *call, struct bl_diag *diag)
{
    struct contest_file file = {.store = NULL};
    char path[CONTEST_WORD_MAX];
    bool commit = strcmp(call->word[1], "commit") == 0;
    enum bl_status status = BL_OK;
    if (!commit && strcmp(call->word[1], "toss") != 0)
        status = bl_fail(diag, BL_USAGE, "'%.20s': expected commit or toss", call->word[1]);
    if (status == BL_OK)
        status = contest_file_open(&file, call, diag);
    struct act_body act = {.kind = ACT_COIN, .coin = {.after_conference = commit}};
    if (status == BL_OK && commit && !(act.coin.dispute = contest_open_dispute(file.contest)))
        equals_for_coin(file.contest, &act.coin.among);
    if (status == BL_OK)
        status = (commit ? contest_seed_commit : contest_seed_reveal)(
            &file, call->word[0], "coin", RESULT_SEED_BYTES, &act, diag);
    contest_next_word(path, call->word[0]);
    if (status == BL_OK && commit)
        command_print("Next: boothlink contest coin %s toss\n", path);
    else if (status == BL_OK)
        contest_next(file.contest, call->word[0]);
    contest_file_close(&file);
    return status;
}

static const struct command_option vote_options[] = {
    CONTEST_CORRECT,
    CONTEST_AUTHOR,
    {0},
};

static const struct command_option rank_options[] = {
    CONTEST_CORRECT,
    OPTION_RANGE("--trial", "N", "of the long bet's session, where several have begun",
                 OPTION_NUMBER, struct contest_ballot_options, trial, 1, RESULT_TRIALS_MAX),
    CONTEST_AUTHOR,
    {0},
};

static const struct command_option ballot_options[] = {
    CONTEST_CORRECT,
    OPTION_ROW("--fields", "TEXT", "what else the rules ask, as in boothlink-ballot(5)",
               OPTION_TEXT, struct contest_ballot_options, fields),
    OPTION_ROW("--late", NULL, "it was given after the moment of sealing", OPTION_FLAG,
               struct contest_ballot_options, late),
    OPTION_RANGE("--trial", "N", "of the long bet's session, where several have begun",
                 OPTION_NUMBER, struct contest_ballot_options, trial, 1, RESULT_TRIALS_MAX),
    CONTEST_AUTHOR,
    {0},
};

static void start_ballot(void *options)
{
    ((struct contest_ballot_options *)options)->trial = -1;
}

static const struct command_option seal_options[] = {
    CONTEST_WHY_OF("seal although ballots or ranks are missing, for this reason"),
    CONTEST_AUTHOR,
    {0},
};

static const struct command_option disqualify_options[] = {
    CONTEST_VOTES("of the judges, such as 3:2"),
    CONTEST_MEMBER("--organiser", NULL, "by the organiser, whose decision is final (2003 r8, r59)",
                   OPTION_FLAG, disqualify.organiser),
    OPTION_ROW("--panel", NULL, "the votes are a panel's of three, on Entries too alike (2003 r38)",
               OPTION_FLAG, struct contest_options, panel),
    CONTEST_WHY,
    CONTEST_AUTHOR,
    {0},
};

static const struct command_option dispute_options[] = {
    CONTEST_VOTES("for yes and for no, such as 3:2"),
    CONTEST_WHY,
    CONTEST_AUTHOR,
    {0},
};

static const struct command_option confer_options[] = {
    CONTEST_VOTES("of the judges, such as 3:2"),
    OPTION_RANGE("--place", "N", "for which place (default: the first)", OPTION_COUNT,
                 struct contest_options, act.confer.place, 1, SCHEDULE_ENTRIES_MAX),
    CONTEST_WHY,
    CONTEST_AUTHOR,
    {0},
};

const struct command contest_votes_verbs[] = {
    {
        .name = "contest ballot",
        .synopsis = "FILE J1 E2C3 VOTE",
        .help = "record a judge's ballot on one session",
        .text =
            "A ballot that came after its time counts, marked as late, until `contest undo FILE "
            "ballot r2-j3` takes it back. VOTE is 60:40 (points, the Entry's first), entry or "
            "confederate (which of the two "
            "is the human), 3.25 (a rating), or human or machine. Where entities are met "
            "singly, E2 or C3 stands alone.",
        .examples = "boothlink contest ballot c.db J1 E2C3 60:40\n"
                    "boothlink contest ballot c.db J1 E2C3 entry --fields 'confidence 80'",
        .options = ballot_options,
        .size = sizeof(struct contest_ballot_options),
        .start = start_ballot,
        .least = 4,
        .most = 4,
        CONTEST_ACT_BY(.kind = ACT_BALLOT, .make = make_ballot, .done = "the ballot is recorded",
                       .undone = "the ballot of $2 counts no longer"),
    },
    {
        .name = "contest rank",
        .synopsis = "FILE J1 E2=4 C3=3 ...",
        .help = "record how a judge ranks the entities, after the last round",
        .text = "Each entity that the rules let the judge rank, with its rank.",
        .options = rank_options,
        .size = sizeof(struct contest_ballot_options),
        .start = start_ballot,
        .least = 3,
        .most = 2 + SCHEDULE_CANDIDATES_MAX,
        CONTEST_ACT_BY(.kind = ACT_RANKS, .make = make_ranks, .done = "the ranks are recorded"),
    },
    {
        .name = "contest seal",
        .synopsis = "FILE [ROUND]",
        .help = "end corrections, of a round or of all: then the contest is over",
        .text = "After `seal` FILE ROUND the ballots of that round stay as they are. `seal` FILE "
                "ends the contest, and is not taken back; it is refused while ballots, ranks or, "
                "where they are collected, records are missing, or ballot files are not settled, "
                "unless --why says why. What is decided later is still taken, such as a "
                "disqualification, a conference or a coin: boothlink-contest(5).",
        .options = seal_options,
        .least = 1,
        .most = 2,
        CONTEST_ACT(.kind = ACT_SEAL, .words = {"round"}, .make = make_seal, .tell = tell_seal,
                    .untell = tell_unsealed),
    },
    {
        .name = "contest disqualify",
        .synopsis = "FILE E2 --votes 3:2 --why TEXT",
        .help = "the judges disqualify an Entry",
        .text = "By more than half of the judges who are in the contest, with --panel by two of "
                "three, or with --organiser by the organiser.",
        .options = disqualify_options,
        .least = 2,
        .most = 2,
        CONTEST_ACT(.kind = ACT_DISQUALIFY, .words = {"entry"}, .make = make_disqualify,
                    .done = "disqualified", .undone = "$2 is in the contest again",
                    .undone_next = contest_schedule_anew),
    },
    {
        .name = "contest confer",
        .synopsis = "FILE E2 --votes 3:2",
        .help = "the judges choose between equals",
        .text =
            "Where the rules leave a tie to the judges: among those who are equal now, which the "
            "act names, so that it holds for them whatever becomes of the others. Votes that are "
            "no majority are recorded, too: where a coin comes next, it is tossed after that, "
            "never before.",
        .options = confer_options,
        .least = 2,
        .most = 2,
        CONTEST_ACT(.kind = ACT_CONFER, .words = {"entry"}, .make = make_confer,
                    .tell = tell_confer),
    },
    {
        .name = "contest dispute",
        .synopsis = "FILE QUESTION [E2] --votes 2:3",
        .help = "the judges answer a matter of dispute, or a coin does",
        .text = "A question that yes or no answers (2003 r50); ties have `contest confer`. With E2 "
                "it is whether that Entry is disqualified. Without a majority either way `contest "
                "coin` answers it.",
        .examples = "boothlink contest dispute c.db 'Does E2 break the rules?' E2 --votes 2:2",
        .options = dispute_options,
        .least = 2,
        .most = 3,
        CONTEST_ACT(.kind = ACT_DISPUTE, .words = {"matter", "entry"}, .tell = tell_dispute),
    },
    {
        .name = "contest prelim",
        .synopsis = "FILE E2 7/2 | FILE P1 E3 E1 ...",
        .help = "a score, or a list, of the preliminary round",
        .text = "E2 7/2 is an Entry's score. P1 E3 E1 E2 is a preliminary judge's list, the best "
                "first. Both come before the first round.",
        .options = vote_options,
        .size = sizeof(struct contest_vote_options),
        .least = 3,
        .most = 2 + SCHEDULE_ENTRIES_MAX,
        .run = contest_prelim,
    },
    {
        .name = "contest coin",
        .synopsis = "FILE commit|toss",
        .help = "toss a coin that all can check",
        .text = "`commit` makes a secret seed beside the file and a commitment that is to be "
                "published; `toss` gives the seed away, and so decides. Where the rules let the "
                "judges confer first, `contest confer` has recorded that they have no majority. "
                "Each tie "
                "has a coin of its own.",
        .options = contest_author,
        .size = sizeof(struct contest_options),
        .least = 2,
        .most = 2,
        .run = contest_coin,
    },
    {0},
};
