#include "contest/report_private.h"
#include "rules/ballot_kind.h"

#include <stdio.h>
#include <string.h>

void report_rating(int64_t numerator, int64_t denominator, char out[REPORT_RATING])
{
    /* Rounded for display; the result has exact fractions. */
    int64_t thousandths = (2 * numerator + denominator) / (2 * denominator);
    vote_rating_format((int32_t)thousandths, out);
}

/* False for Entries that the selection left out. */
static bool has_column(const struct contest *contest, unsigned candidate)
{
    return candidate >= contest->people[CONTEST_ENTRY] || !contest->final ||
           contest->finalist[candidate];
}

static void put_vote(const struct html_out *out, const struct contest *contest,
                     const struct ballot *b)
{
    const struct ballot_row *row = ballot_row(contest->ruleset.ballot);
    struct ballot_worth worth[2];
    char cell[BALLOT_WORDS_MAX];
    row->worth(b, worth);
    row->cell(b, cell);
    if (b->late)
        snprintf(cell + strlen(cell), sizeof cell - strlen(cell), ", late");
    if (row->pair && worth[0].win)
        html_put(out, "<td class=\"w\">%s</td>", cell);
    else if (row->rated)
        html_put(out, "<td class=\"n\">%s</td>", cell);
    else
        html_put(out, "<td>%s</td>", cell);
}

static void put_head(const struct html_out *out, const struct contest *contest, unsigned columns)
{
    html_put(out, "<table class=\"whole\">\n<thead><tr><th>Judge</th>");
    for (unsigned i = 0; i < columns; i++) {
        char code[SCHEDULE_CODE_MAX];
        if (!has_column(contest, i))
            continue;
        schedule_code(i, contest->people[CONTEST_ENTRY], code);
        html_put(out, "<th>%s</th>", code);
    }
    html_put(out, "</tr></thead>\n");
}

static void put_ranks(const struct html_out *out, const struct contest *contest, unsigned trial)
{
    unsigned columns = contest->people[CONTEST_ENTRY] + contest->people[CONTEST_CONFEDERATE];
    html_put(out, "<h3>Ranks</h3>\n<p class=\"small\">1 is the least human.</p>\n");
    put_head(out, contest, columns);
    for (unsigned j = 0; j < contest->people[CONTEST_JUDGE]; j++) {
        html_put(out, "<tr><th>J%u</th>", j + 1);
        for (unsigned c = 0; c < columns; c++) {
            unsigned rank = 0;
            if (!has_column(contest, c))
                continue;
            for (unsigned i = 0; i < contest->rankings; i++)
                if (contest->ranking[i].judge == j && contest->ranking[i].candidate == c &&
                    contest->ranking[i].trial == trial)
                    rank = contest->ranking[i].rank;
            if (rank)
                html_put(out, "<td class=\"n\">%u</td>", rank);
            else
                html_put(out, "<td></td>");
        }
        html_put(out, "</tr>\n");
    }
    html_put(out, "</table>\n");
}

static void put_meeting(const struct html_out *out, const struct contest *contest,
                        const struct meeting *meeting)
{
    const struct ballot *ballot = contest_ballot_of(contest, meeting);
    if (ballot)
        put_vote(out, contest, ballot);
    else
        html_put(out, "<td>%s</td>",
                 contest_is_missing(contest, meeting)      ? "missing"
                 : contest_excluded(contest, meeting)      ? "excluded"
                 : contest_is_taken_back(contest, meeting) ? "late, not counted"
                                                           : "");
}

/* Puts a row for each game, under a design, since a judge may meet an Entry again. */
static void put_games(const struct html_out *out, const struct contest *contest)
{
    char session[CONTEST_SESSION_MAX];
    html_put(out, "<table class=\"whole\">\n<thead><tr><th>Session</th><th>Entry</th>"
                  "<th>Confederate</th><th>Ballot</th></tr></thead>\n");
    for (unsigned i = 0; i < contest->schedule.count; i++) {
        const struct meeting *m = &contest->schedule.meeting[i];
        contest_session(contest, m, session);
        html_put(out, "<tr><th>%s</th><td>E%u</td><td>C%u</td>", session, m->entry + 1U,
                 m->confederate + 1U);
        put_meeting(out, contest, m);
        html_put(out, "</tr>\n");
    }
    html_put(out, "</table>\n");
}

static void put_ballots(const struct html_out *out, const struct contest *contest, unsigned columns,
                        unsigned trial)
{
    put_head(out, contest, columns);
    for (unsigned j = 0; j < contest->people[CONTEST_JUDGE]; j++) {
        html_put(out, "<tr><th>J%u</th>", j + 1);
        for (unsigned c = 0; c < columns; c++) {
            const struct ballot of = {
                .judge = (person_number)j, .entry = (person_number)c, .trial = (uint8_t)trial};
            const struct meeting *meeting = contest_meeting(contest, &of);
            if (meeting && (has_column(contest, c) || contest_ballot_of(contest, meeting)))
                put_meeting(out, contest, meeting);
            else if (has_column(contest, c))
                html_put(out, "<td></td>");
        }
        html_put(out, "</tr>\n");
    }
    html_put(out, "</table>\n");
}

static bool has_ranks(const struct contest *contest, unsigned trial)
{
    for (unsigned i = 0; i < contest->rankings; i++)
        if (contest->ranking[i].trial == trial)
            return true;
    return false;
}

void report_ballots(const struct html_out *out, const struct contest *contest)
{
    unsigned columns = contest->people[CONTEST_ENTRY];
    if (contest->ruleset.pairing == PAIRING_SINGLE)
        columns += contest->people[CONTEST_CONFEDERATE];
    html_put(out, "<p class=\"small\">%s</p>\n", ballot_row(contest->ruleset.ballot)->explain);
    for (unsigned t = 0; t <= contest->trials; t++) {
        if (contest->trials)
            html_put(out, "<h3>Trial %u</h3>\n", t + 1);
        if (contest_has_design(contest))
            put_games(out, contest);
        else
            put_ballots(out, contest, columns, t);
        if (has_ranks(contest, t))
            put_ranks(out, contest, t);
    }
}

/* Puts the notes of the ballots that count, in the order of the ballots. */
void report_notes(const struct html_out *out, const struct report *report)
{
    const struct contest *contest = report->contest;
    bool begun = false;
    for (size_t n = 0; n < report->notes; n++) {
        for (unsigned i = 0; i < contest->ballots; i++) {
            const struct ballot *b = &contest->ballot[i];
            char code[SCHEDULE_CODE_MAX];
            if (b->act != report->note[n].act)
                continue;
            if (!begun)
                html_put(out, "<h3>Notes of the judges</h3>\n<table>\n");
            begun = true;
            schedule_code(b->entry, contest->people[CONTEST_ENTRY], code);
            html_put(out, "<tr><th>J%u %s", b->judge + 1U, code);
            if (b->confederate != PERSON_NOBODY)
                html_put(out, " C%u", b->confederate + 1U);
            if (contest->trials)
                html_put(out, ", trial %u", b->trial + 1U);
            html_put(out, "</th><td>%s</td></tr>\n", report->note[n].text);
        }
    }
    if (begun)
        html_put(out, "</table>\n");
}
