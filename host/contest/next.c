#include "contest/next.h"

#include "base/shell_word.h"
#include "contest/plan.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct next {
    const struct contest *contest;
    const struct next_place *place;
    char path[CONTEST_WORD_MAX], people[CONTEST_WORD_MAX],
        venue[CONTEST_WORD_MAX]; /* each a word of a shell */
    const char *with_venue,
        *with_sticks; /* the options that name venue or sticks; "": not needed */
    char *text;       /* CONTEST_NEXT_MAX bytes */
};

void contest_next_word(char out[CONTEST_WORD_MAX], const char *text)
{
    shell_word(out, CONTEST_WORD_MAX, text);
}

static void begin(struct next *next, const struct contest *contest, const struct next_place *place,
                  char text[CONTEST_NEXT_MAX])
{
    bool kept = place->venue && place->venue[0];
    *next = (struct next){.contest = contest, .place = place, .text = text};
    contest_next_word(next->path, place->path);
    contest_next_word(next->people,
                      place->people && place->people[0] ? place->people : "people.ini");
    contest_next_word(next->venue, kept ? place->venue : "venue.ini");
    next->with_venue = kept ? "" : " --venue venue.ini";
    next->with_sticks = kept ? "" : " --venue venue.ini --out sticks";
    text[0] = '\0';
}

static void say(struct next *next, const char *why, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void say(struct next *next, const char *why, const char *format, ...)
{
    va_list list;
    char command[3 * CONTEST_WORD_MAX];
    size_t length = strlen(next->text);
    va_start(list, format);
    vsnprintf(command, sizeof command, format, list);
    va_end(list);
    snprintf(next->text + length, CONTEST_NEXT_MAX - length, "Next: boothlink contest %s%s%s\n",
             command, *why ? "  # " : "", why);
}

/* Formats a reason, which lives until the next call. */
static const char *because(const char *format, ...) __attribute__((format(printf, 1, 2)));

static const char *because(const char *format, ...)
{
    static char why[320];
    va_list list;
    va_start(list, format);
    vsnprintf(why, sizeof why, format, list);
    va_end(list);
    return why;
}

const char *contest_next_from(const char *inbox)
{
    static char word[CONTEST_WORD_MAX];
    if (!inbox || !*inbox)
        return "/media/$USER/BOOTHLINK*";
    contest_next_word(word, inbox);
    return word;
}

static void say_collect(struct next *next, const char *why)
{
    say(next, why, "collect %s %s", next->path, contest_next_from(next->place->inbox));
}

/* Adds the sheets, unless `contest setup` made the contest and writes them with the tickets. */
static void say_sheets(struct next *next)
{
    if (!*next->with_venue)
        return;
    say(next, "print them", "sheet %s%s > sheets.html", next->path, next->with_venue);
    say(next, "for the manager alone", "sheet %s%s --for setup > setup.html", next->path,
        next->with_venue);
}

/* True if a role has fewer people than the rules require, or none. Adds the commands for more
 * people. */
static bool wants_people(struct next *next)
{
    const struct contest *contest = next->contest;
    const struct ruleset *rules = &contest->ruleset;
    const int least[] = {rules->entries_least, rules->judges_least, rules->confederates_least};
    static const char *const words[] = {"entry NAME --submitter NAME", "judge NAME",
                                        "confederate NAME"};
    for (unsigned r = 0; r <= CONTEST_CONFEDERATE; r++) {
        unsigned there = 0, wanted = least[r] > 0 ? (unsigned)least[r] : 1;
        for (unsigned i = 0; i < contest->people[r]; i++)
            there += !contest->person[r][i].withdrawn &&
                     (r != CONTEST_ENTRY || contest_is_accepted(contest, i));
        if (there >= wanted)
            continue;
        say(next,
            because("there %s %u, and the rules ask for %u at least%s", there == 1 ? "is" : "are",
                    there, wanted,
                    r == CONTEST_ENTRY ? " (contest result says what they do with fewer)" : ""),
            "add %s %s%s%s%s%s", next->path, words[r],
            r == CONTEST_ENTRY && rules->rights_statement == WORD_YES ? " --rights" : "",
            r == CONTEST_ENTRY && rules->receipt == WORD_YES ? " --receipt" : "",
            r == CONTEST_ENTRY && rules->guardian_age ? " --age AGE" : "",
            r == CONTEST_CONFEDERATE && rules->foils_unknown == WORD_YES ? " --unknown" : "");
        return true;
    }
    return false;
}

/* True if an Entry's communications program is still to be accepted (2004 A8.1). */
static bool wants_comms(struct next *next)
{
    const struct contest *contest = next->contest;
    for (unsigned i = 0; i < contest->people[CONTEST_ENTRY]; i++) {
        if (contest->person[CONTEST_ENTRY][i].withdrawn || contest_is_accepted(contest, i))
            continue;
        say(next,
            because("without its communications program it is not accepted (%s)",
                    ruleset_rule(&contest->ruleset, "register", "communications-program", RULE_ALL)
                        .text),
            "deliver %s E%u NAME --comms", next->path, i + 1);
        return true;
    }
    return false;
}

bool contest_wants_selection(const struct contest *contest)
{
    unsigned most = (unsigned)contest->ruleset.entries_most;
    return most && contest_there(contest, CONTEST_ENTRY) > most && !contest->final;
}

/* True if a person or an Entry could meet somebody in this trial, and meets nobody. */
static bool wants_schedule(struct next *next)
{
    const struct contest *contest = next->contest;
    const struct schedule *schedule = &contest->schedule;
    unsigned judge = contest->people[CONTEST_JUDGE];
    bool met[2][SCHEDULE_PEOPLE_MAX] = {{false}}; /* judges, and the people they meet */
    struct schedule_need *need = calloc(1, sizeof *need);
    char code[SCHEDULE_CODE_MAX] = "";
    if (!need || contest_has_design(contest)) { /* under a design some people may meet no Entry */
        free(need);
        return false;
    }
    for (unsigned i = 0; i < schedule->count; i++)
        if (contest_trial_of(contest, schedule->meeting[i].round) == contest->trials)
            met[0][schedule->meeting[i].judge] = met[1][schedule->meeting[i].entry] = true;
    contest_need(contest, need);
    for (unsigned j = 0; j < judge && !code[0]; j++) {
        for (unsigned e = 0; e < SCHEDULE_ENTRIES_MAX && !code[0]; e++) {
            if (!need->entry_for_judge[j][e] || (met[0][j] && met[1][e]))
                continue;
            if (met[0][j])
                schedule_code(e, contest->people[CONTEST_ENTRY], code);
            else
                snprintf(code, sizeof code, "J%u", j + 1);
        }
    }
    free(need);
    if (code[0])
        say(next, because("%s is in no round", code), "schedule %s", next->path);
    return code[0];
}

static bool wants_draw(struct next *next)
{
    const struct contest *contest = next->contest;
    const char *path = next->path;
    if (!contest->committed) {
        say(next, "publish what it prints", "draw %s commit", path);
    } else if (contest->schedule.rounds == contest->trial_from[contest->trials]) {
        say(next, "", "schedule %s", path);
    } else if (contest->schedule.rounds > contest->begun && wants_schedule(next)) {
        return true;
    } else if (!contest->drawn || contest->undrawn) {
        say(next, "it decides who sits where", "draw %s reveal%s", path,
            contest->public_name[0] ? " --value TEXT" : "");
    } else {
        return false;
    }
    return true;
}

static bool wants_ranks(struct next *next)
{
    const struct contest *contest = next->contest;
    unsigned count = 0, first = 0;
    for (unsigned j = contest->people[CONTEST_JUDGE]; j-- > 0;) {
        if (!contest_wants_ranks(contest, j))
            continue;
        count++;
        first = j;
    }
    if (!count)
        return false;
    if (next->place->unrecorded) {
        say_collect(next, because("records of J%u's are missing, which a booth needs for his ranks",
                                  next->place->unrecorded));
        say(next, "where they are lost: as he says them", "rank %s J%u E1=1 C1=2", next->path,
            next->place->unrecorded);
        return true;
    }
    if (!*next->with_venue) {
        say_collect(next, because("%u judge%s to rank, J%u first: it writes their tickets, and "
                                  "takes the ranks that are there",
                                  count, count == 1 ? " has" : "s have", first + 1));
        return true;
    }
    say(next,
        because("%u judge%s to rank, J%u first: copy it onto the judges' stick, for any booth",
                count, count == 1 ? " has" : "s have", first + 1),
        "tickets %s%s --ranks", next->path, next->with_sticks);
    say_collect(next, "with the judges' stick");
    return true;
}

static const char *are(unsigned count)
{
    return count == 1 ? " is" : "s are";
}

/* True if the last begun round has no ballot and waits for some. */
static bool is_under_way(const struct contest *contest)
{
    unsigned last = contest->begun - 1;
    if (contest_missing(contest, last) == contest_missing(contest, last + 1))
        return false;
    for (unsigned i = 0; i < contest->schedule.count; i++)
        if (contest->schedule.meeting[i].round == last &&
            contest_ballot_of(contest, &contest->schedule.meeting[i]))
            return false;
    return true;
}

/* Finds the first session to be held again. False: none. */
static bool is_again(const struct contest *contest, char session[CONTEST_SESSION_MAX])
{
    for (unsigned i = 0; i < contest->schedule.count; i++)
        if (contest_is_to_repeat(contest, &contest->schedule.meeting[i]) &&
            contest_waits_again(contest, &contest->schedule.meeting[i], session))
            return true;
    return false;
}

/* For ballots by stick: adds the session or round of the next ballots, and the number of missing
 * ballots before it. False: all rounds are over. */
static bool say_collect_after(struct next *next)
{
    const struct contest *contest = next->contest;
    unsigned round = contest->begun + !is_under_way(contest);
    unsigned missing = contest_missing(contest, round - 1);
    char session[CONTEST_SESSION_MAX];
    bool again = is_again(contest, session);
    if (!again && round > contest->schedule.rounds)
        return false;
    if (again)
        say_collect(next, because("after session %s, which is held again", session));
    else if (missing)
        say_collect(next, because("after round %u; %u ballot%s missing of the rounds before it",
                                  round, missing, are(missing)));
    else
        say_collect(next, because("after round %u", round));
    return true;
}

/* Adds ballots to come and rounds to begin. Ballots by stick begin their rounds. */
static bool wants_rounds(struct next *next)
{
    const struct contest *contest = next->contest;
    const char *path = next->path;
    bool sticks = !*next->with_venue;
    unsigned missing = contest_missing(contest, contest->begun);
    if (contest->begun == 0) {
        say_sheets(next);
        if (sticks) {
            say_collect(next, next->place->inbox && *next->place->inbox
                                  ? "when sessions are over"
                                  : "with both sticks, when sessions are over");
        } else {
            say(next, "each folder onto its stick", "tickets %s%s", path, next->with_sticks);
            say(next, "when all sit", "begin %s 1", path);
        }
        return true;
    }
    if (contest->begun < contest->schedule.rounds && !sticks) {
        say(next, because("%u ballot%s missing of rounds that have begun", missing, are(missing)),
            "begin %s %u", path, contest->begun + 1);
        return true;
    }
    if (sticks && say_collect_after(next))
        return true;
    if (missing) {
        say_collect(next, because("%u ballot%s missing", missing, are(missing)));
        return true;
    }
    return false;
}

/* True if a ballot file is in dispute, to be settled before any seal. */
static bool wants_settling(struct next *next)
{
    const struct next_place *place = next->place;
    if (!place->disputed)
        return false;
    say(next,
        because("file %u of %u says otherwise: it counts then; with another number that one",
                place->disputed_file, place->disputed_count),
        "settle %s %s %u --why TEXT", next->path, place->disputed, place->disputed_file);
    return true;
}

/* True if a session lacks a trial: too few have begun, or one cannot be finished. */
static bool wants_trial(struct next *next)
{
    const struct contest *contest = next->contest;
    unsigned least = (unsigned)contest->ruleset.trials_least, finished = 0;
    struct result_input input;
    struct result result;
    if (least == 0 || contest->trials + 1 == RESULT_TRIALS_MAX)
        return false;
    contest_result_input(contest, &input);
    result_make(&result, &input, NULL, NULL);
    if (result.outcome == RESULT_NO_ENTRY)
        return false;
    for (unsigned t = 0; t < result.trials; t++)
        finished += result.trial[t].finished;
    if (finished >= least)
        return false;
    const char *why = because("a session has %u at least, and %u are finished", least, finished);
    if (*next->with_venue)
        say(next, why, "trial %s", next->path);
    else
        say(next, why, "setup %s %s --trial", next->people, next->venue);
    return true;
}

/* True if Entries are equal for the first place and wait for the judges, or for a coin. */
static bool wants_decision(struct next *next)
{
    const struct contest *contest = next->contest;
    bool waits = contest->tosses && !contest->toss[contest->tosses - 1].tossed, split = false;
    struct result_input input;
    struct result result;
    unsigned first = 0;
    contest_result_input(contest, &input);
    result_make(&result, &input, NULL, NULL);
    if (result.outcome != RESULT_TIED || !result.equal[0] ||
        !strstr(contest->ruleset.ties, "confer"))
        return false;
    for (unsigned i = 0; i < contest->decisions; i++)
        if (contest->decision[i].among == result.equal[0] && !contest->decision[i].coin)
            split = !contest->decision[i].chosen;
    while (!(result.equal[0] >> first & 1))
        first++;
    if (waits || split)
        say(next, "the judges have no majority", "coin %s %s", next->path,
            waits ? "toss" : "commit");
    else
        say(next, "equal for the first place: the judges choose one of them, by these votes",
            "confer %s E%u --votes FOR:AGAINST", next->path, first + 1);
    return true;
}

/* The same under rules that publish no names: a bundle is public, and nothing else. */
static void say_nameless(struct next *next)
{
    const struct next_place *place = next->place;
    const char *path = next->path;
    if (!place->published) {
        say(next, "without names", "publish %s --bundle %s --records %s.records", path,
            place->bundle, path);
        say(next, "", "verify %s", place->bundle);
    }
    if (!place->reported)
        say(next, "for the manager alone: it has names",
            "report %s --records %s.records > report.html", path, path);
    if (!place->stands)
        say(next, "", "result %s", path);
    if (!place->verified)
        say(next, "", "verify %s --records %s.records", path, path);
}

/* Tells the steps after the seal that are not done yet. */
static void say_published(struct next *next)
{
    const struct next_place *place = next->place;
    const char *path = next->path;
    if (!place->converted)
        snprintf(next->text, CONTEST_NEXT_MAX,
                 "Next: boothlink transcript convert %s.records --output transcripts\n", path);
    if (!place->published)
        say(next, "", "publish %s transcripts --out published", path);
    if (!place->reported)
        say(next, "", "report %s --transcripts published > report.html", path);
    if (!place->stands)
        say(next, "", "result %s", path);
    if (!place->verified)
        say(next, "", "verify %s --records %s.records --transcripts published", path, path);
}

void contest_next_step(const struct contest *contest, const struct next_place *place,
                       char text[CONTEST_NEXT_MAX])
{
    struct next next;
    begin(&next, contest, place, text);
    if (contest->sealed) {
        if (!wants_decision(&next))
            (contest->ruleset.names == WORD_NO ? say_nameless : say_published)(&next);
        return;
    }
    if (contest->begun == 0 && (wants_comms(&next) || wants_people(&next)))
        return;
    if (contest->begun == 0 && contest_wants_selection(contest)) {
        say(&next, "it says who goes on, by the rules", "select %s", next.path);
        return;
    }
    bool disputed = wants_settling(&next);
    if (wants_draw(&next) || wants_rounds(&next) || wants_ranks(&next) || wants_trial(&next) ||
        disputed || wants_decision(&next))
        return;
    if (!place->stands)
        say(&next, "it says how the contest stands", "result %s", next.path);
    say(&next, "when nothing more is to be corrected", "seal %s", next.path);
}

void contest_next_tickets(const struct contest *contest, const struct next_place *place,
                          char text[CONTEST_NEXT_MAX])
{
    struct next next;
    begin(&next, contest, place, text);
    if (wants_draw(&next))
        return;
    say(&next,
        *next.with_venue ? "each folder onto its stick, before the next round"
                         : "each folder onto its stick, before the next round; print sheets.html",
        "tickets %s%s", next.path, next.with_sticks);
    say_sheets(&next);
}

void contest_next_schedule(const struct contest *contest, const struct next_place *place,
                           char text[CONTEST_NEXT_MAX])
{
    struct next next;
    begin(&next, contest, place, text);
    if (contest->schedule.rounds > contest->begun)
        say(&next, "it makes the rounds to come anew", "schedule %s", next.path);
}

void contest_next_selection(const struct contest *contest, const struct selection *selection,
                            const struct next_place *place, char text[CONTEST_NEXT_MAX])
{
    struct next next;
    begin(&next, contest, place, text);
    const char *path = next.path;
    switch (selection->outcome) {
    case SELECTION_NO_ENTRY:
    case SELECTION_ONLY_ONE:
        say(&next, "", "result %s", path);
        return;
    case SELECTION_WANTS_SCREENING:
        say(&next, "for each Entry, as its program is started",
            "screen %s E1 QUESTIONS --program CMD", path);
        say(&next, "then, for each answer", "score %s E1 NUMBER POINTS", path);
        return;
    case SELECTION_WANTS_PRELIM:
        if (contest->ruleset.selection == SELECTION_PRELIM) {
            say(&next, "each of its judges", "add %s preliminary NAME", path);
            say(&next, "who gets which Entries", "allot %s", path);
        }
        say(&next, "each folder onto its stick", "tickets %s%s --preliminary 1", path,
            next.with_sticks);
        if (contest->ruleset.selection == SELECTION_PRELIM)
            say(&next,
                "each list, the best first; contest withdraw takes a judge out who gives none",
                "prelim %s P1 E3 E1 E2", path);
        else
            say(&next, "each Entry's score", "prelim %s E1 SCORE", path);
        return;
    case SELECTION_WANTS_CHOICE:
        say(&next, "", "choose %s ENTRY%s --why TEXT", path,
            selection->final_choice ? " --final" : "");
        return;
    case SELECTION_FINAL:
        break;
    }
    if (contest->begun)
        return;
    for (unsigned i = 0; i < contest->people[CONTEST_ENTRY]; i++) {
        if (contest->final && contest->finalist[i] == (selection->stage[i] == STAGE_FINAL))
            continue;
        say(&next, "it records them", "select %s --final", path);
        return;
    }
    say(&next, "", "schedule %s", path);
}
