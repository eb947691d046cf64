/* The report's page of departures from the plan: lateness, repeats, stand-ins and the like. */
#include "contest/report_private.h"

#include <stdarg.h>
#include <stdio.h>

#define LINE_MAX_TEXT 400

struct exceptions {
    const struct html_out *out;
    const struct contest *contest;
    bool begun;
};

/* Adds a row: the event, its person or session, and the reason; "": none. */
static void put(struct exceptions *a, const char *what, const char *why, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void put(struct exceptions *a, const char *what, const char *why, const char *format, ...)
{
    char text[LINE_MAX_TEXT];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (!a->begun)
        html_put(a->out,
                 "<div class=\"apart\">\n<h2>What was not as planned</h2>\n<table>\n<thead>"
                 "<tr><th>What</th><th>Who, or which session</th><th>Why</th></tr></thead>\n");
    a->begun = true;
    html_put(a->out, "<tr><td>%s</td><td>%s</td><td>%s</td></tr>\n", what, text, why);
}

/* Puts the people who came late, withdrew, were disqualified or limited, or left their place. */
static void put_people(struct exceptions *a, enum contest_role role)
{
    const struct contest *contest = a->contest;
    const char letter = CONTEST_LETTERS[role];
    for (unsigned i = 0; i < contest->people[role]; i++) {
        const struct person *person = &contest->person[role][i];
        if (person->late)
            put(a, "late, and taken", person->late_why, "%c%u %s", letter, i + 1, person->name);
        if (person->withdrawn)
            put(a, "withdrawn", person->withdrawn_why, "%c%u %s, after %u round%s", letter, i + 1,
                person->name, person->withdrawn_after, BL_S(person->withdrawn_after));
        if (role == CONTEST_ENTRY && contest->disqualified[i])
            put(a, "disqualified", "", "%c%u %s", letter, i + 1, person->name);
        if (role == CONTEST_CONFEDERATE && contest->limit[i][0])
            put(a, "limited by a referee", contest->limit_why[i], "%c%u %s: %s", letter, i + 1,
                person->name, contest->limit[i]);
    }
    for (unsigned s = 0; s < contest->sitters; s++) {
        const struct sitter *sitter = &contest->sitter[s];
        char before[CONTEST_SITTER_LINE];
        if (contest_sits(a->contest, sitter, role))
            put(a, "another took the place", sitter->why, "%c%u, of %s", letter,
                sitter->number + 1U, contest_tell_sitter(sitter, before));
    }
}

/* Puts a meeting's session that was repeated, has a further session, was excluded, or has a late
 * ballot. */
static void put_session(struct exceptions *a, const struct meeting *meeting)
{
    const struct repeat *repeat = contest_repeat_of(a->contest, meeting);
    const struct ballot *ballot = contest_ballot_of(a->contest, meeting);
    char session[CONTEST_SESSION_MAX], before[CONTEST_SESSION_MAX];
    contest_session(a->contest, meeting, session);
    contest_session_before(meeting, 0, before);
    if (repeat)
        put(a, "held again", repeat->why, "%s counts, in the place of %s", session, before);
    for (unsigned i = 0; i < a->contest->furthers; i++) {
        const struct further *further = &a->contest->further[i];
        if (further->round == meeting->round && further->judge == meeting->judge)
            put(a, "a further session", further->why, "%s until that has its ballot", session);
    }
    const struct excluded *excluded = contest_excluded(a->contest, meeting);
    if (excluded)
        put(a, "excluded", excluded->why, "%s%s", session,
            excluded->given ? "" : ", without a ballot");
    if (contest_is_taken_back(a->contest, meeting))
        put(a, "late ballot, not counted", "", "%s", session);
    else if (ballot && ballot->late)
        put(a, "late ballot, counted", "", "%s", session);
    else if (meeting->round < a->contest->begun && !contest_was_held(a->contest, meeting))
        put(a, "not held", "", "%s", session);
}

void report_exceptions(const struct html_out *out, const struct contest *contest)
{
    struct exceptions a = {out, contest, false};
    for (unsigned role = 0; role < CONTEST_ROLES; role++)
        put_people(&a, (enum contest_role)role);
    for (unsigned i = 0; i < contest->schedule.count; i++)
        put_session(&a, &contest->schedule.meeting[i]);
    for (unsigned i = 0; i < contest->settlements; i++)
        put(&a, "two ballot files, settled by the manager", contest->settled[i].why, "%s",
            contest->settled[i].session);
    for (unsigned i = 0; i < contest->machines; i++)
        if (contest->confirmed[i].withdrawn)
            put(&a, "machine withdrawn", contest->confirmed[i].why, "%s",
                contest->confirmed[i].place);
    if (a.begun)
        html_put(out, "</table>\n</div>\n");
}
