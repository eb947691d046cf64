/* The days of a contest, and the deliveries due by them: Entries, the finalists' names, programs.
 * An act outside its days is refused with the day and its rule. An act with a reason counts, and
 * its Entry or program is marked as late. */
#include "contest/contest_private.h"

#include <stdio.h>
#include <string.h>

#define DAY_US INT64_C(86400000000)

static bool has_day(const struct contest *contest, enum ruleset_date date, int64_t *day)
{
    return contest->date[date][0] && ruleset_day(contest->date[date], day);
}

static struct rule date_rule(const struct contest *contest, enum ruleset_date date)
{
    return ruleset_rule(&contest->ruleset, "dates", ruleset_date_name(date), RULE_ALL);
}

/* The rules' days are of one year. A contest begun after the last of them is of another year, and
 * has only days set by acts. */
void dates_begin(struct contest *contest)
{
    int64_t day, last = -1;
    for (unsigned d = 0; d < RULESET_DATES; d++) {
        memcpy(contest->date[d], contest->ruleset.date[d], RULESET_DATE_MAX);
        if (d != DATE_MOVED_FROM && d != DATE_MOVED_TO &&
            has_day(contest, (enum ruleset_date)d, &day) && day > last)
            last = day;
    }
    contest->dates_lapsed = last >= 0 && contest->now_us >= (last + 1) * DAY_US;
    if (contest->dates_lapsed)
        memset(contest->date, 0, sizeof contest->date);
}

/* True if the act gives a reason for being late. */
static bool is_excused(const char *why, bool *late)
{
    *late = why && *why;
    return *late;
}

/* Checks that something of time `us` is in time, or has a reason. `what` is its name, such as "the
 * Entry". */
static enum bl_status check_by(const struct contest *contest, enum ruleset_date date,
                               const char *what, int64_t us, const char *why, bool *late,
                               struct bl_diag *diag)
{
    int64_t day;
    if (!has_day(contest, date, &day) || us < (day + 1) * DAY_US || is_excused(why, late))
        return BL_OK;
    return bl_fail(
        diag, BL_DATA,
        "%s is late: the last day was %s (%s); --why TEXT takes it all the same, as late", what,
        contest->date[date], date_rule(contest, date).text);
}

enum bl_status dates_check_entry(const struct contest *contest, struct person *entry,
                                 const char *why, struct bl_diag *diag)
{
    int64_t us = entry->received_us ? entry->received_us : contest->now_us, opens, closes;
    bool comes = entry->how == SUBMITTED_INSTALLS || entry->how == SUBMITTED_BRINGS;
    if (entry->own) /* the organiser's own Entry: 2003 r13 */
        return BL_OK;
    if (has_day(contest, DATE_OPENS, &opens) && us < (opens + comes) * DAY_US &&
        !is_excused(why, &entry->late))
        return bl_fail(diag, BL_DATA,
                       "the Entry is early: %s %s (%s); --why TEXT takes it all the same",
                       comes ? "who brings one comes after" : "they are taken from",
                       contest->date[DATE_OPENS], date_rule(contest, DATE_OPENS).text);
    if (comes && has_day(contest, DATE_CLOSES, &closes) && us >= closes * DAY_US &&
        !is_excused(why, &entry->late))
        return bl_fail(diag, BL_DATA,
                       "the Entry is late: who brings one comes before %s (%s); --why TEXT takes "
                       "it all the same, as late",
                       contest->date[DATE_CLOSES], date_rule(contest, DATE_CLOSES).text);
    if (comes && has_day(contest, DATE_SCHEDULED, &closes) && contest->now_us >= closes * DAY_US &&
        !is_excused(why, &entry->late))
        return bl_fail(diag, BL_DATA,
                       "the appearance is scheduled late: that was to be before %s (%s); --why "
                       "TEXT takes it all the same, as late",
                       contest->date[DATE_SCHEDULED], date_rule(contest, DATE_SCHEDULED).text);
    return comes ? BL_OK : check_by(contest, DATE_CLOSES, "the Entry", us, why, &entry->late, diag);
}

enum bl_status dates_check_final(const struct contest *contest, const char *why,
                                 struct bl_diag *diag)
{
    bool late;
    return contest->final /* a reserve may come in at any time: 2003 r16, r22 */
               ? BL_OK
               : check_by(contest, DATE_NOTIFIED, "the finalists' notification", contest->now_us,
                          why, &late, diag);
}

/* Refuses the begin if a finalist's program was not received in a working state (2003 r23). */
enum bl_status dates_check_begin(const struct contest *contest, const char *why,
                                 struct bl_diag *diag)
{
    bool late;
    if (contest->begun || !contest->date[DATE_WORKING][0] || is_excused(why, &late))
        return BL_OK;
    for (unsigned e = 0; e < contest->people[CONTEST_ENTRY]; e++) {
        const struct person *entry = &contest->person[CONTEST_ENTRY][e];
        if (contest_has_entry(contest, e) && !entry->own && !entry->delivered_us)
            return bl_fail(diag, BL_DATA,
                           "E%u was not received in a working state, which was to be by %s (%s): "
                           "contest deliver says that it was, contest lose that it leaves; --why "
                           "TEXT begins all the same",
                           e + 1, contest->date[DATE_WORKING],
                           date_rule(contest, DATE_WORKING).text);
    }
    return BL_OK;
}

bool contest_is_accepted(const struct contest *contest, unsigned entry)
{
    return contest->ruleset.comms != WORD_YES || contest->person[CONTEST_ENTRY][entry].comms[0];
}

/* An entrant's delivery after the Entry's registration: its communications program (2004 A6), or
 * the program of the final round, and later versions of it (2003 r23, r24). */
enum bl_status act_deliver(struct contest *contest, const struct act_body *body,
                           struct bl_diag *diag)
{
    const struct act_deliver *act = &body->deliver;
    int64_t received_us = act->received_us ? act->received_us : contest->now_us;
    bool late = false;
    enum bl_status status = check_entry_number(contest, act->entry, diag);
    if (status != BL_OK)
        return status;
    struct person *entry = &contest->person[CONTEST_ENTRY][act->entry - 1];
    if (act->comms && contest->ruleset.comms != WORD_YES)
        return bl_fail(diag, BL_DATA, "these rules ask for no communications program");
    if (contest->begun && !is_excused(act->why, &late))
        return bl_fail(diag, BL_DATA,
                       "the final round has begun; --why TEXT takes it all the same");
    if (act->comms) {
        strcpy(entry->comms, act->what);
        entry->comms_us = received_us;
    } else {
        status =
            entry->delivered_us
                ? check_by(contest, DATE_UPDATED, "the update", received_us, act->why, &late, diag)
                : check_by(contest, DATE_WORKING, "the Entry", received_us, act->why, &late, diag);
        if (status != BL_OK)
            return status;
        strcpy(entry->delivered, act->what);
        entry->delivered_us = received_us;
    }
    if (late)
        contest_keep_why(entry->late_why, act->why);
    entry->late = entry->late || late;
    return BL_OK;
}

enum bl_status act_dates_take(struct act_dates *act, const char *word, struct bl_diag *diag)
{
    const char *is = strchr(word, '=');
    for (unsigned d = 0; is && d < RULESET_DATES; d++) {
        const char *name = ruleset_date_name((enum ruleset_date)d);
        if (strlen(name) == (size_t)(is - word) && memcmp(word, name, strlen(name)) == 0) {
            act->date[d] = is + 1;
            return BL_OK;
        }
    }
    if (strncmp(word, "venue=", strlen("venue=")) == 0) {
        act->venue = is + 1;
        return BL_OK;
    }
    return bl_fail(diag, BL_USAGE, "'%.40s': expected a day such as closes=2026-06-30", word);
}

/* 2009 §1: the contest's day and venue may change until DATE_SETTLED. */
static enum bl_status check_settled(const struct contest *contest, const char *what,
                                    const char *why, struct bl_diag *diag)
{
    int64_t day;
    bool late;
    if (is_excused(why, &late) || !has_day(contest, DATE_SETTLED, &day) ||
        contest->now_us < (day + 1) * DAY_US)
        return BL_OK;
    return bl_fail(diag, BL_DATA,
                   "the %s of the contest is not changed after %s (%s); --why TEXT changes it all "
                   "the same",
                   what, contest->date[DATE_SETTLED], date_rule(contest, DATE_SETTLED).text);
}

static enum bl_status check_moved(const struct contest *contest, const char *why, int64_t held,
                                  struct bl_diag *diag)
{
    int64_t day;
    bool late;
    enum bl_status status = check_settled(contest, "day", why, diag);
    if (status != BL_OK || is_excused(why, &late))
        return status;
    if ((has_day(contest, DATE_MOVED_FROM, &day) && held < day) ||
        (has_day(contest, DATE_MOVED_TO, &day) && held > day))
        return bl_fail(
            diag, BL_DATA,
            "the day of the contest is moved to one from %s to %s (%s); --why TEXT moves "
            "it all the same",
            contest->date[DATE_MOVED_FROM], contest->date[DATE_MOVED_TO],
            date_rule(contest, DATE_MOVED_FROM).text);
    return BL_OK;
}

/* Checks the order of pairs of days, if the contest has both. */
static enum bl_status check_order(const struct contest *contest, struct bl_diag *diag)
{
    static const struct {
        enum ruleset_date first, then;
    } order[] = {{DATE_OPENS, DATE_CLOSES},  {DATE_CLOSES, DATE_HELD},
                 {DATE_NOTIFIED, DATE_HELD}, {DATE_WORKING, DATE_UPDATED},
                 {DATE_WORKING, DATE_HELD},  {DATE_UPDATED, DATE_HELD}};
    int64_t first, then;
    for (unsigned i = 0; i < sizeof order / sizeof order[0]; i++)
        if (has_day(contest, order[i].first, &first) && has_day(contest, order[i].then, &then) &&
            first > then)
            return bl_fail(diag, BL_DATA, "%s = %s is after %s = %s",
                           ruleset_date_name(order[i].first), contest->date[order[i].first],
                           ruleset_date_name(order[i].then), contest->date[order[i].then]);
    return BL_OK;
}

/* The contest's own days, which replace the rules' days. */
enum bl_status act_dates(struct contest *contest, const struct act_body *body, struct bl_diag *diag)
{
    const struct act_dates *act = &body->dates;
    int64_t day;
    unsigned given = 0;
    enum bl_status status = BL_OK;
    for (unsigned d = 0; status == BL_OK && d < RULESET_DATES; d++) {
        if (!act->date[d])
            continue;
        given++;
        if (!ruleset_day(act->date[d], &day))
            return bl_fail(diag, BL_DATA, "%s = %s: expected a day such as 2003-06-30",
                           ruleset_date_name((enum ruleset_date)d), act->date[d]);
        if (d == DATE_HELD && contest->date[d][0]) /* a first announcement is no move */
            status = check_moved(contest, act->why, day, diag);
        if (status == BL_OK)
            strcpy(contest->date[d], act->date[d]);
    }
    if (status == BL_OK && act->venue) {
        if (contest->venue[0]) /* may be announced at any time */
            status = check_settled(contest, "venue", act->why, diag);
        if (status == BL_OK)
            strcpy(contest->venue, act->venue);
        given++;
    }
    if (status == BL_OK && given == 0)
        return bl_fail(diag, BL_DATA, "missing a day, such as closes = 2003-06-30");
    return status == BL_OK ? check_order(contest, diag) : status;
}

bool contest_tell_date(const struct contest *contest, enum ruleset_date date,
                       char out[CONTEST_DATE_LINE])
{
    if (!contest->date[date][0] && !contest->ruleset.date[date][0])
        return false;
    snprintf(out, CONTEST_DATE_LINE, "%s %s (%s)%s%s%s", ruleset_date_name(date),
             contest->date[date][0] ? contest->date[date] : "not set",
             date_rule(contest, date).text,
             strcmp(contest->date[date], contest->ruleset.date[date]) ? "; the rules say " : "",
             strcmp(contest->date[date], contest->ruleset.date[date])
                 ? contest->ruleset.date[date][0] ? contest->ruleset.date[date] : "nothing"
                 : "",
             contest->date[date][0] ? "" : ", which had passed when the contest was begun");
    return true;
}

bool contest_tell_other_day(const struct contest *contest, char out[CONTEST_DATE_LINE])
{
    int64_t day;
    char today[RULESET_DATE_MAX];
    if (contest->begun != 1 || !has_day(contest, DATE_HELD, &day) ||
        contest->now_us / DAY_US == day)
        return false;
    ruleset_day_text(contest->now_us, today);
    snprintf(out, CONTEST_DATE_LINE, "it begins on %s, and was to be held on %s (%s)", today,
             contest->date[DATE_HELD], date_rule(contest, DATE_HELD).text);
    return true;
}

static void add_delivered(char *out, const char *what, const char *name, int64_t us)
{
    char day[RULESET_DATE_MAX];
    size_t length = strlen(out);
    ruleset_day_text(us, day);
    snprintf(out + length, CONTEST_DELIVERED_LINE - length, "%s%s of %s: %s", length ? "; " : "",
             what, day, name);
}

bool contest_tell_delivered(const struct contest *contest, unsigned entry,
                            char out[CONTEST_DELIVERED_LINE])
{
    const struct person *person = &contest->person[CONTEST_ENTRY][entry];
    out[0] = '\0';
    if (!contest_is_accepted(contest, entry))
        snprintf(
            out, CONTEST_DELIVERED_LINE, "not accepted: its communications program is missing (%s)",
            ruleset_rule(&contest->ruleset, "register", "communications-program", RULE_ALL).text);
    if (person->comms[0])
        add_delivered(out, "communications program", person->comms, person->comms_us);
    if (person->delivered[0])
        add_delivered(out, "program", person->delivered, person->delivered_us);
    if (person->late)
        strncat(out, out[0] ? "; late" : "late", CONTEST_DELIVERED_LINE - strlen(out) - 1);
    return out[0] != '\0';
}

bool contest_tell_present(const struct contest *contest, unsigned entry,
                          char out[CONTEST_DELIVERED_LINE])
{
    const struct person *person = &contest->person[CONTEST_ENTRY][entry];
    bool comes = person->how == SUBMITTED_INSTALLS || person->how == SUBMITTED_BRINGS;
    if (contest->ruleset.receipt != WORD_YES || !comes)
        return false;
    snprintf(out, CONTEST_DELIVERED_LINE,
             "the entrant %s it, and must be present at the contest (%s)",
             contest_submitted_name(person->how),
             ruleset_rule(&contest->ruleset, "register", "receipt", 0).text);
    return true;
}
