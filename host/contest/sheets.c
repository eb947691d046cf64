#include "contest/draw.h"
#include "contest/labels.h"
#include "contest/preliminary.h"
#include "contest/sheets.h"

#include <stdio.h>

struct sheets {
    const struct contest *contest;
    const struct timetable *timetable;
    const struct venue *venue;
    const struct html_out *out;
    struct booths booths[RESULT_TRIALS_MAX]; /* by trial */
};

static bool has_turns(const struct sheets *s)
{
    return contest_has_design(s->contest);
}

static bool is_single(const struct sheets *s)
{
    return s->contest->ruleset.pairing == PAIRING_SINGLE;
}

static void open_sheet(const struct sheets *s, const char *what, unsigned number, const char *name)
{
    html_put(s->out, "<div class=\"sheet\">\n<p class=\"small\">%s</p>\n<h1>%s", s->contest->name,
             what);
    if (number)
        html_put(s->out, " %u", number);
    html_put(s->out, "%s%s</h1>\n", name[0] ? ": " : "", name);
}

static void put_instructions(const struct sheets *s, const char (*says)[RULESET_TEXT_MAX])
{
    const struct ruleset *rules = &s->contest->ruleset;
    html_put(s->out, "<h2>What the rules ask of you</h2>\n<ul>\n");
    for (unsigned i = 0; i < 3; i++)
        if (says[i][0])
            html_put(s->out, "<li>%s</li>\n", says[i]);
    if (rules->notice[0])
        html_put(s->out, "<li>%s</li>\n", rules->notice);
    html_put(s->out, "</ul>\n");
}

static void put_time(const struct sheets *s, unsigned round)
{
    char from[TIMETABLE_CLOCK], to[TIMETABLE_CLOCK];
    if (!s->timetable->known) {
        html_put(s->out, "<td>when you are called</td>");
        return;
    }
    timetable_clock(timetable_begin(s->timetable, round), from);
    timetable_clock(timetable_end(s->timetable, round), to);
    html_put(s->out, "<td class=\"time\">%s to %s</td>", from, to);
}

/* True if there is a break before the round. */
static bool has_break(const struct sheets *s, unsigned round)
{
    return round > 0 && round < s->contest->schedule.rounds &&
           timetable_begin(s->timetable, round) > timetable_end(s->timetable, round - 1);
}

/* The advice for the way before a round, which keeps judges and confederates apart: judges go
 * first. */
static const char *way_before(const struct sheets *s, bool is_judge, unsigned number,
                              unsigned round)
{
    struct move move[MOVES_MAX];
    unsigned count = timetable_moves(&s->contest->schedule, round, move);
    bool moves = false, corridor = false;
    for (unsigned i = 0; i < count; i++)
        if (move[i].is_judge == is_judge && move[i].number == number) {
            moves = true;
            corridor = move[i].corridor;
        }
    if (!corridor)
        return moves ? "go when the round is over" : "";
    if (!timetable_meet(move, count))
        return round > 0 ? "go when the round is over" : "";
    if (!has_break(s, round))
        return is_judge ? "go at once: judges go first" : "wait until the judges have gone";
    return is_judge ? "go in the first half of the break" : "go in the second half of the break";
}

static unsigned booth_of(const struct sheets *s, unsigned candidate, unsigned round)
{
    return s->booths[contest_trial_of(s->contest, round)].of[candidate];
}

static unsigned booth_at(const struct sheets *s, const struct meeting *m)
{
    return booth_of_meeting(s->contest, &s->booths[contest_trial_of(s->contest, m->round)], m);
}

/* The booth, from 0, of a judge or a confederate in a round; PLACE_REST: none. */
static unsigned place_of(const struct sheets *s, bool is_judge, unsigned number, unsigned round)
{
    const struct schedule *schedule = &s->contest->schedule;
    unsigned entries = s->contest->people[CONTEST_ENTRY];
    for (unsigned i = schedule_first(schedule, round);
         i < schedule->count && schedule->meeting[i].round == round; i++) {
        const struct meeting *m = &schedule->meeting[i];
        if (number == (is_judge ? m->judge : schedule_confederate(m, entries)))
            return booth_at(s, m);
    }
    return PLACE_REST;
}

/* The door at the far end of the Entry's cable, or of the confederate's; "A" for a candidate met
 * alone. */
static const char *door_of(const struct sheets *s, bool is_entry, unsigned booth, unsigned round)
{
    if (is_single(s))
        return "A";
    return booth_entry_on_b(s->contest, booth, round, venue_either(s->venue, booth)) == is_entry
               ? "B"
               : "A";
}

/* Puts a row for each of the person's sessions to be held again. Judges go before confederates. */
static void put_again(const struct sheets *s, bool is_judge, unsigned number)
{
    const struct schedule *schedule = &s->contest->schedule;
    char session[CONTEST_SESSION_MAX], when[CONTEST_WHEN_MAX];
    contest_when_again(s->contest, when);
    for (unsigned i = 0; i < schedule->count; i++) {
        const struct meeting *m = &schedule->meeting[i];
        if (number != (is_judge ? m->judge
                                : schedule_confederate(m, s->contest->people[CONTEST_ENTRY])) ||
            !contest_waits_again(s->contest, m, session))
            continue;
        unsigned place = booth_at(s, m);
        html_put(s->out, "<tr><th>%s</th><td>%s</td><td><b>Booth %u", session, when, place + 1);
        if (!is_judge)
            html_put(s->out, ", door %s", door_of(s, false, place, m->round));
        html_put(s->out, "</b></td><td>%s</td></tr>\n",
                 is_judge       ? "go at once: judges go first"
                 : is_single(s) ? ""
                                : "wait until the judges have gone");
    }
}

static void put_rounds(const struct sheets *s, bool is_judge, unsigned number)
{
    const struct schedule *schedule = &s->contest->schedule;
    bool stays = !is_judge && is_single(s);
    html_put(s->out,
             "<h2>Where to be</h2>\n<table>\n<thead><tr><th>Round</th><th>Time</th><th>Place</th>"
             "<th>On the way there</th></tr></thead>\n");
    for (unsigned r = 0; r < schedule->rounds; r++) {
        unsigned place = place_of(s, is_judge, number, r);
        if (r == s->contest->begun)
            put_again(s, is_judge, number);
        html_put(s->out, "<tr><th>%u</th>", r + 1);
        put_time(s, r);
        if (place != PLACE_REST && is_judge)
            html_put(s->out, "<td><b>Booth %u</b></td>", place + 1);
        else if (place != PLACE_REST)
            html_put(s->out, "<td><b>Booth %u, door %s</b></td>", place + 1,
                     door_of(s, false, place, r));
        else if (stays)
            html_put(s->out, "<td><b>Booth %u, door A</b>; no session</td>",
                     booth_of(s, s->contest->people[CONTEST_ENTRY] + number, r) + 1);
        else
            html_put(s->out, "<td>%s</td>",
                     is_judge ? "excused: the judges' rest room"
                              : "excused: the confederates' rest room");
        html_put(s->out, "<td>%s</td></tr>\n", way_before(s, is_judge, number, r));
    }
    if (s->contest->begun == schedule->rounds)
        put_again(s, is_judge, number);
    html_put(s->out, "</table>\n<p class=\"small\">Afterwards: %s</p>\n",
             way_before(s, is_judge, number, schedule->rounds)[0]
                 ? way_before(s, is_judge, number, schedule->rounds)
                 : "stay where you are until you are called");
}

/* Puts a person's rounds under a design, with a role for each round. */
static void put_turns(const struct sheets *s, unsigned person)
{
    html_put(s->out, "<h2>Where to be</h2>\n<table>\n<thead><tr><th>Round</th><th>Time</th>"
                     "<th>You are</th><th>Place</th></tr></thead>\n");
    for (unsigned r = 0; r < s->contest->schedule.rounds; r++) {
        unsigned judge = place_of(s, true, person, r), other = place_of(s, false, person, r);
        if (r == s->contest->begun) {
            put_again(s, true, person);
            put_again(s, false, person);
        }
        html_put(s->out, "<tr><th>%u</th>", r + 1);
        put_time(s, r);
        if (judge != PLACE_REST)
            html_put(s->out, "<td>judge</td><td><b>Booth %u</b></td>", judge + 1);
        else if (other != PLACE_REST)
            html_put(s->out, "<td>confederate</td><td><b>Booth %u, door %s</b></td>", other + 1,
                     door_of(s, false, other, r));
        else
            html_put(s->out, "<td>excused</td><td>the rest room</td>");
        html_put(s->out, "</tr>\n");
    }
    if (s->contest->begun == s->contest->schedule.rounds) {
        put_again(s, true, person);
        put_again(s, false, person);
    }
    html_put(s->out, "</table>\n");
}

static void put_judges(const struct sheets *s)
{
    for (unsigned j = 0; j < s->contest->people[CONTEST_JUDGE]; j++) {
        const struct person *person = &s->contest->person[CONTEST_JUDGE][j];
        if (person->withdrawn)
            continue;
        open_sheet(s, has_turns(s) ? "Judge and confederate" : "Judge", j + 1, person->name);
        if (has_turns(s))
            put_turns(s, j);
        else
            put_rounds(s, true, j);
        put_instructions(s, s->contest->ruleset.judge_says);
        if (has_turns(s))
            put_instructions(s, s->contest->ruleset.confederate_says);
        html_put(s->out,
                 "<p>At your booth, press Enter when you sit: the screen says the rest. The "
                 "key F12 calls a steward.</p>\n<p>Speak with no confederate and no "
                 "entrant before the contest is over.</p>\n</div>\n");
    }
}

/* The opening words, the same for people and programs: 2004 A3. */
static void put_opening(const struct sheets *s, const char *whose, const struct person *person)
{
    char words[RULESET_TEXT_MAX + OPENING_NAME_MAX];
    if (!s->contest->ruleset.opening[0])
        return;
    opening_words(s->contest->ruleset.opening, person->approved[0] ? person->approved : "X", words,
                  sizeof words);
    html_put(s->out, "<p>%s first words to each judge%s: <b>%s</b></p>\n", whose,
             person->approved[0] ? "" : ", with the name for X that the manager approves", words);
}

static void put_confederates(const struct sheets *s)
{
    for (unsigned c = 0; c < s->contest->people[CONTEST_CONFEDERATE]; c++) {
        const struct person *person = &s->contest->person[CONTEST_CONFEDERATE][c];
        if (person->withdrawn || has_turns(s)) /* the judge's sheet has both roles */
            continue;
        open_sheet(s, "Confederate", c + 1, person->name);
        put_rounds(s, false, c);
        put_instructions(s, s->contest->ruleset.confederate_says);
        put_opening(s, "Your", person);
        html_put(s->out,
                 "<p>At your door, press Enter when you sit: the screen says the rest.</p>\n"
                 "<p>Speak with no judge before the contest is over.</p>\n</div>\n");
    }
}

static void put_afterwards(const struct sheets *s)
{
    html_put(s->out, "<h2>After the contest</h2>\n<ul>\n"
                     "<li>\xE2\x98\x90 Its records are copied to the manager's machine.</li>\n");
    if (s->contest->ruleset.erase == WORD_YES)
        html_put(
            s->out,
            "<li>\xE2\x98\x90 The Entry is erased from the machine, unless the entrant agrees "
            "otherwise (%s).</li>\n<li>\xE2\x98\x90 Its media and their copies are returned or "
            "destroyed, as the entrant asks (%s).</li>\n",
            ruleset_rule(&s->contest->ruleset, "register", "erase", 0).text,
            ruleset_rule(&s->contest->ruleset, "register", "erase", 0).text);
    html_put(s->out, "</ul>\n");
}

/* True if the entities at a booth's doors are drawn for each round. */
static bool doors_change(const struct sheets *s, unsigned booth)
{
    return !is_single(s) && venue_either(s->venue, booth);
}

static void put_entry_place(const struct sheets *s, unsigned entry, unsigned trial)
{
    unsigned booth = s->booths[trial].of[entry];
    html_put(s->out, "<p>");
    if (s->contest->trials)
        html_put(s->out, "In trial %u the Entry stays at ", trial + 1);
    else
        html_put(s->out, "For the whole contest the Entry stays at ");
    if (doors_change(s, booth))
        html_put(s->out, "<b>booth %u</b>, and changes doors.</p>\n", booth + 1);
    else
        html_put(s->out, "<b>booth %u, door %s</b>.</p>\n", booth + 1, door_of(s, true, booth, 0));
}

static void put_entry_again(const struct sheets *s, unsigned entry)
{
    const struct schedule *schedule = &s->contest->schedule;
    char session[CONTEST_SESSION_MAX], when[CONTEST_WHEN_MAX];
    contest_when_again(s->contest, when);
    for (unsigned i = 0; i < schedule->count; i++) {
        const struct meeting *m = &schedule->meeting[i];
        unsigned booth = booth_at(s, m);
        if (m->entry == entry && contest_waits_again(s->contest, m, session))
            html_put(s->out,
                     "<tr><th>%s</th><td>%s</td><td>restart the Entry and be ready, at door %s"
                     "</td></tr>\n",
                     session, when, door_of(s, true, booth, m->round));
    }
}

/* Puts the Entry's booths in a round; under a design, one for each game. */
static void put_entry_booths(const struct sheets *s, unsigned entry, unsigned round)
{
    for (unsigned i = 0; i < s->contest->schedule.count; i++) {
        const struct meeting *m = &s->contest->schedule.meeting[i];
        unsigned booth = booth_at(s, m);
        if (m->round == round && m->entry == entry)
            html_put(s->out, ", at booth %u, door %s", booth + 1, door_of(s, true, booth, round));
    }
}

static void put_entries(const struct sheets *s)
{
    const struct schedule *schedule = &s->contest->schedule;
    for (unsigned e = 0; e < s->contest->people[CONTEST_ENTRY]; e++) {
        const struct person *person = &s->contest->person[CONTEST_ENTRY][e];
        char line[CONTEST_DELIVERED_LINE];
        if (!contest_has_entry(s->contest, e))
            continue;
        open_sheet(s, "Operator of Entry", e + 1, person->name);
        for (unsigned t = 0; t <= s->contest->trials && !has_turns(s); t++)
            put_entry_place(s, e, t);
        if (contest_tell_present(s->contest, e, line))
            html_put(s->out, "<p>%s: %s</p>\n", person->submitter, line);
        html_put(s->out, "<h2>Its sessions</h2>\n<table>\n<thead><tr><th>Round</th><th>Time</th>"
                         "<th>Session</th></tr></thead>\n");
        for (unsigned r = 0; r < schedule->rounds; r++) {
            unsigned met = 0;
            for (unsigned i = 0; i < schedule->count; i++)
                met += schedule->meeting[i].round == r && schedule->meeting[i].entry == e;
            if (r == s->contest->begun)
                put_entry_again(s, e);
            html_put(s->out, "<tr><th>%u</th>", r + 1);
            put_time(s, r);
            html_put(s->out, "<td>%s", met ? "restart the Entry and be ready" : "none");
            if (met && has_turns(s))
                put_entry_booths(s, e, r);
            else if (met && doors_change(s, s->booths[0].of[e]))
                html_put(s->out, ", at door %s", door_of(s, true, s->booths[0].of[e], r));
            html_put(s->out, "</td></tr>\n");
        }
        if (s->contest->begun == schedule->rounds)
            put_entry_again(s, e);
        html_put(s->out, "</table>\n");
        put_instructions(s, s->contest->ruleset.entrant_says);
        put_opening(s, "Its", person);
        put_afterwards(s);
        html_put(s->out, "</div>\n");
    }
}

/* Puts the judge's Entries with blanks for the ranks, in the order of the sessions; without
 * sessions, by number (2003 r34). */
static void put_prelim_entries(const struct sheets *s, const struct preliminary *round,
                               unsigned judge)
{
    const struct contest *contest = s->contest;
    char name[CONTEST_SESSION_MAX];
    html_put(s->out,
             "<h2>Your Entries</h2>\n<table>\n<thead><tr><th>Entry</th><th>Session</th><th>Your "
             "rank, 1 the best</th></tr></thead>\n");
    for (unsigned i = 0; i < round->count; i++) {
        if (round->session[i].judge != judge)
            continue;
        preliminary_name(round, &round->session[i], 1, name);
        html_put(s->out, "<tr><th>E%u</th><td>%s</td><td>%s</td></tr>\n",
                 round->session[i].entry + 1U, name, "________");
    }
    for (unsigned e = 0; !round->count && e < contest->people[CONTEST_ENTRY]; e++)
        if (!contest->person[CONTEST_ENTRY][e].withdrawn && !contest->disqualified[e] &&
            (!contest->allotted[judge] || contest->allotment[judge][e]))
            html_put(s->out, "<tr><th>E%u</th><td></td><td>%s</td></tr>\n", e + 1, "________");
    html_put(s->out, "</table>\n");
}

static void put_prelim_booth(const struct sheets *s, const struct preliminary *round,
                             unsigned judge)
{
    for (unsigned i = 0; s->venue && i < round->count; i++) {
        if (round->session[i].judge != judge)
            continue;
        html_put(s->out,
                 "<p>You sit at <b>booth %u</b>. Each session lasts as long as you want; "
                 "F10 and the word leave end it, and the next Entry comes.</p>\n",
                 round->session[i].booth + 1U);
        return;
    }
}

static void put_prelim(const struct sheets *s)
{
    const struct contest *contest = s->contest;
    struct preliminary round = {.count = 0};
    struct bl_diag none;
    if (preliminary_make(&round, contest, &none) != BL_OK ||
        (s->venue && preliminary_seat(&round, s->venue, &none) != BL_OK))
        round.count = 0;
    for (unsigned p = 0; p < contest->people[CONTEST_PRELIM]; p++) {
        const struct person *judge = &contest->person[CONTEST_PRELIM][p];
        if (judge->withdrawn)
            continue;
        open_sheet(s, judge->chief ? "Preliminary and chief judge" : "Preliminary judge", p + 1,
                   judge->name);
        put_prelim_booth(s, &round, p);
        put_instructions(s, contest->ruleset.prelim_says);
        put_prelim_entries(s, &round, p);
        html_put(s->out, "</div>\n");
    }
}

static void put_blank(const struct sheets *s, const char *what, const char *key)
{
    html_put(s->out, "<tr class=\"blank\"><td>%s</td><td></td><td class=\"rule\">%s</td></tr>\n",
             what, key ? ruleset_rule(&s->contest->ruleset, "register", key, RULE_ALL).text : "");
}

/* The form for entrants, with the questions that these rules need. */
static void put_form(const struct sheets *s)
{
    const struct ruleset *rules = &s->contest->ruleset;
    const struct {
        bool asked;
        const char *what, *key;
    } blank[] = {
        {rules->entries_each, "Others who have part in it", "entries-each"},
        {rules->guardian_age, "Age", "guardian-age"},
        {rules->interests == WORD_YES,
         "Families and associates of yours who hold, sponsor or judge the contest", "interests"},
        {rules->rights_statement == WORD_YES, "Parts that are not your own, and their extent",
         "rights-statement"},
        {rules->rights_statement == WORD_YES,
         "I have the rights to all parts, or licences for them (signed)", "rights-statement"},
        {rules->comms == WORD_YES, "Its matching communications program", "communications-program"},
        {rules->receipt == WORD_YES,
         "Sent with a receipt, or installed at, or brought to the site on", "receipt"},
        {rules->erase == WORD_YES,
         "Afterwards it is erased and its media are returned; otherwise, if you agree", "erase"},
    };
    const char *closes = s->contest->date[DATE_CLOSES];
    char guardian[96];
    open_sheet(s, "Entry form", 0, "");
    if (closes[0] || rules->date[DATE_CLOSES][0])
        html_put(s->out, "<p>Entries are taken until %s (%s).</p>\n",
                 closes[0] ? closes : "________________",
                 ruleset_rule(rules, "dates", "closes", RULE_ALL).text);
    html_put(s->out, "<table>\n");
    put_blank(s, "Name of the Entry", NULL);
    put_blank(s, "Contestant", NULL);
    put_blank(s, "Where you can be reached", NULL);
    for (size_t i = 0; i < sizeof blank / sizeof blank[0]; i++)
        if (blank[i].asked)
            put_blank(s, blank[i].what, blank[i].key);
    if (rules->guardian_age) {
        snprintf(guardian, sizeof guardian, "Under %d: a guardian permits it (signed)",
                 rules->guardian_age);
        put_blank(s, guardian, "guardian-age");
    }
    put_blank(s, "Date and signature", NULL);
    html_put(s->out, "</table>\n");
    put_instructions(s, rules->entrant_says);
    html_put(s->out, "</div>\n");
}

static void put_labels(const struct sheets *s)
{
    open_sheet(s, "Labels of booths and cables", 0, "");
    labels_put(s->contest, s->venue, s->booths[0].count, s->out);
    html_put(s->out, "</div>\n");
}

static void put_candidate(const struct sheets *s, unsigned candidate)
{
    char code[SCHEDULE_CODE_MAX];
    schedule_code(candidate, s->contest->people[CONTEST_ENTRY], code);
    html_put(s->out, "%s %s%s", code, contest_candidate(s->contest, candidate)->name,
             contest_candidate(s->contest, candidate)->withdrawn ? " (withdrawn)" : "");
}

static void put_cable(const struct sheets *s, unsigned booth, unsigned cable, unsigned candidate)
{
    html_put(s->out, "<td>");
    if (doors_change(s, booth))
        html_put(s->out, "see below");
    else if (has_turns(s))
        html_put(s->out, cable == booth_entry_on_b(s->contest, booth, 0, false) ? "an Entry"
                                                                                : "a confederate");
    else if (is_single(s) || cable == booth_entry_on_b(s->contest, booth, 0, false))
        put_candidate(s, candidate);
    else
        html_put(s->out, "confederate");
    if (s->venue && s->venue->booth[booth].judge[cable][0])
        html_put(s->out, "<br/><span class=\"port\">judge: %s<br/>entity: %s</span>",
                 s->venue->booth[booth].judge[cable], s->venue->booth[booth].entity[cable]);
    html_put(s->out, "</td>");
}

/* Puts a person's place before or after a move; after the last round, in the last trial. */
static void put_place(const struct sheets *s, unsigned place, unsigned round)
{
    if (place == PLACE_REST)
        html_put(s->out, "rest");
    else
        html_put(s->out, "%u", booth_of(s, place, round) + 1U);
}

static void put_moves(const struct sheets *s)
{
    const struct schedule *schedule = &s->contest->schedule;
    bool breaks = false;
    for (unsigned r = 0; r < schedule->rounds; r++)
        breaks = breaks || has_break(s, r);
    html_put(s->out,
             "<h2>Moves</h2>\n<p class=\"small\">%s, wherever both use the corridor (%s). A number "
             "is a booth, rest the rest room.</p>\n<table>\n<thead><tr><th>Before</th>"
             "<th>Judges</th><th>Confederates</th><th>Who first</th></tr></thead>\n",
             breaks ? "Judges go in the first half of a break, confederates in the second"
                    : "Judges go at once, confederates when the judges have gone",
             ruleset_rule(&s->contest->ruleset, "session", "excused-apart", 0).text);
    for (unsigned r = 0; r <= schedule->rounds; r++) {
        struct move move[MOVES_MAX];
        unsigned count = timetable_moves(schedule, r, move);
        if (r < schedule->rounds)
            html_put(s->out, "<tr><th>round %u</th>", r + 1);
        else
            html_put(s->out, "<tr><th>going home</th>");
        for (unsigned kind = 0; kind < 2; kind++) {
            html_put(s->out, "<td>");
            for (unsigned i = 0; i < count; i++) {
                if (move[i].is_judge != (kind == 0))
                    continue;
                html_put(s->out, "<span class=\"move\">%s%u: ", kind == 0 ? "J" : "C",
                         move[i].number + 1U);
                put_place(s, move[i].from, r ? r - 1 : 0);
                html_put(s->out, " \xE2\x86\x92 ");
                put_place(s, move[i].to, r);
                html_put(s->out, "</span> ");
            }
            html_put(s->out, "</td>");
        }
        html_put(s->out, "<td class=\"move\">%s</td></tr>\n",
                 timetable_meet(move, count) ? "judges first" : "");
    }
    html_put(s->out, "</table>\n");
}

/* Puts the booths of all candidates in a trial. If ballots are signed, the first trial's table has
 * blanks for the words on each judge's board, for the collection of ballots. */
static void put_booths(const struct sheets *s, unsigned trial)
{
    const struct booths *booths = &s->booths[trial];
    const bool words = s->contest->signatures && trial == 0;
    if (s->contest->trials)
        html_put(s->out, "<h2>Trial %u</h2>\n", trial + 1);
    html_put(s->out, "<table>\n<thead><tr><th>Booth</th><th>Cable A goes to</th>");
    if (!is_single(s))
        html_put(s->out, "<th>Cable B goes to</th>");
    if (words)
        html_put(s->out, "<th>The judge's board signs ballots as</th>");
    html_put(s->out, "</tr></thead>\n");
    for (unsigned b = 0; b < booths->count; b++) {
        unsigned candidate = 0;
        while (!has_turns(s) && booths->of[candidate] != b)
            candidate++;
        html_put(s->out, "<tr><th>%u</th>", b + 1);
        put_cable(s, b, 0, candidate);
        if (!is_single(s))
            put_cable(s, b, 1, candidate);
        html_put(s->out, words ? "<td class=\"words\"></td></tr>\n" : "</tr>\n");
    }
    html_put(s->out, "</table>\n");
}

/* Puts the Entry's cable in each round, for booths with two machines for either kind. */
static void put_cables(const struct sheets *s)
{
    bool any = false;
    for (unsigned b = 0; b < s->booths[0].count && !is_single(s); b++)
        any = any || venue_either(s->venue, b);
    if (!any)
        return;
    html_put(s->out,
             "<h2>The Entry's cable in each round</h2>\n<table>\n<thead><tr><th>Round</th>");
    for (unsigned b = 0; b < s->booths[0].count; b++)
        if (venue_either(s->venue, b))
            html_put(s->out, "<th>Booth %u</th>", b + 1);
    html_put(s->out, "</tr></thead>\n");
    for (unsigned r = 0; r < s->contest->schedule.rounds; r++) {
        html_put(s->out, "<tr><th>%u</th>", r + 1);
        for (unsigned b = 0; b < s->booths[0].count; b++)
            if (venue_either(s->venue, b))
                html_put(s->out, "<td>%s</td>",
                         booth_entry_on_b(s->contest, b, r, true) ? "B" : "A");
        html_put(s->out, "</tr>\n");
    }
    html_put(s->out, "</table>\n");
}

/* Puts the sessions to be held again: round, booth and people. */
static void put_setup_again(const struct sheets *s)
{
    const struct contest *contest = s->contest;
    char session[CONTEST_SESSION_MAX], when[CONTEST_WHEN_MAX];
    bool any = false;
    contest_when_again(contest, when);
    for (unsigned i = 0; i < contest->schedule.count; i++) {
        const struct meeting *m = &contest->schedule.meeting[i];
        unsigned booth = booth_at(s, m);
        if (!contest_waits_again(contest, m, session))
            continue;
        if (!any)
            html_put(s->out,
                     "<h2>To be held again</h2>\n<table>\n<thead><tr><th>Session</th><th>When</th>"
                     "<th>Booth</th><th>Judge</th><th>Door A</th>%s</tr></thead>\n",
                     is_single(s) ? "" : "<th>Door B</th>");
        any = true;
        html_put(s->out, "<tr><th>%s</th><td>%s</td><td>%u</td><td>J%u %s</td><td>", session, when,
                 booth + 1, m->judge + 1U, contest->person[CONTEST_JUDGE][m->judge].name);
        bool entry_on_a = is_single(s) || door_of(s, true, booth, m->round)[0] == 'A';
        put_candidate(s, entry_on_a ? m->entry : contest->people[CONTEST_ENTRY] + m->confederate);
        if (!is_single(s)) {
            html_put(s->out, "</td><td>");
            put_candidate(s,
                          entry_on_a ? contest->people[CONTEST_ENTRY] + m->confederate : m->entry);
        }
        html_put(s->out, "</td></tr>\n");
    }
    if (any)
        html_put(s->out, "</table>\n");
}

static void put_setup(const struct sheets *s)
{
    open_sheet(s, "Set-up, for the manager alone", 0, "");
    html_put(s->out, "<p class=\"note\">This sheet tells who is human. No judge may see it.</p>\n");
    for (unsigned t = 0; t <= s->contest->trials; t++)
        put_booths(s, t);
    if (s->contest->signatures)
        html_put(s->out,
                 "<p class=\"small\">Write down the eight words that each judge's board has "
                 "behind \"Signs ballots as\": contest collect asks for them once.</p>\n");
    put_cables(s);
    put_setup_again(s);
    if (!has_turns(s))
        put_moves(s);
    html_put(s->out, "</div>\n");
}

enum bl_status sheets_write(const struct contest *contest, const struct timetable *timetable,
                            const struct venue *venue, unsigned kinds, const struct html_out *out,
                            struct bl_diag *diag)
{
    struct sheets sheets = {.contest = contest, .timetable = timetable, .venue = venue, .out = out};
    enum bl_status status = BL_OK;
    if (!venue && !is_single(&sheets) && (kinds & SHEETS_WITH_DOORS))
        return bl_fail(diag, BL_USAGE,
                       "missing --venue FILE: whether the machines of a booth can change places "
                       "decides who is behind which door; --doors fixed where none of them can");
    for (unsigned t = 0; t <= contest->trials && status == BL_OK && (kinds & SHEETS_OF_DRAW); t++)
        status = booths_draw(&sheets.booths[t], contest, t, diag);
    if (status != BL_OK)
        return status;
    html_begin(out, contest->name);
    if (kinds & SHEET_SETUP)
        put_setup(&sheets);
    if (kinds & SHEET_JUDGES)
        put_judges(&sheets);
    if (kinds & SHEET_CONFEDERATES)
        put_confederates(&sheets);
    if (kinds & SHEET_ENTRIES)
        put_entries(&sheets);
    if (kinds & SHEET_LABELS)
        put_labels(&sheets);
    if (kinds & SHEET_PRELIM)
        put_prelim(&sheets);
    if (kinds & SHEET_FORM)
        put_form(&sheets);
    html_end(out);
    return BL_OK;
}
