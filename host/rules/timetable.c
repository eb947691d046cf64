#include "rules/timetable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECONDS_MAX 360000 /* longest round or break: sums cannot overflow */

/* Reads digits from *text; false if there are none, or the number exceeds `most`. */
static bool read_number(const char **text, unsigned most, unsigned *out)
{
    const char *at = *text;
    unsigned long number = 0;
    while (*at >= '0' && *at <= '9' && number <= most)
        number = number * 10 + (unsigned long)(*at++ - '0');
    if (at == *text || number > most)
        return false;
    *out = (unsigned)number;
    *text = at;
    return true;
}

static enum bl_status read_plan(struct timetable *t, const char *plan, struct bl_diag *diag)
{
    const char *at = plan;
    while (*at) {
        unsigned seconds;
        if (!read_number(&at, SECONDS_MAX, &seconds) || *at != ' ')
            return bl_fail(diag, BL_USAGE, "plan '%.60s': expected SECONDS NAME,SECONDS NAME...",
                           plan);
        at += strspn(at, " ");
        size_t length = strcspn(at, ",");
        if (strncmp(at, "change", length) == 0 && length == strlen("change")) {
            t->change_s += seconds;
        } else { /* a break within the session is part of the session */
            t->session_s += t->change_s + seconds;
            t->change_s = 0;
        }
        if (t->session_s + t->change_s > SECONDS_MAX)
            return bl_fail(diag, BL_USAGE, "plan '%.60s' is longer than %d s", plan, SECONDS_MAX);
        at += length;
        at += *at == ',';
    }
    t->known = t->session_s > 0;
    if (t->known && t->change_s == 0)
        t->change_s = TIMETABLE_CHANGE_S;
    return BL_OK;
}

static enum bl_status read_breaks(struct timetable *t, const char *breaks, struct bl_diag *diag)
{
    const char *at = breaks;
    while (*at) {
        unsigned after, minutes;
        if (t->breaks == TIMETABLE_BREAKS)
            return bl_fail(diag, BL_USAGE, "more than %d breaks", TIMETABLE_BREAKS);
        if (!read_number(&at, SCHEDULE_MEETINGS_MAX, &after) || after == 0 || *at++ != '=' ||
            !read_number(&at, 1440, &minutes) || (*at && *at != ','))
            return bl_fail(diag, BL_USAGE,
                           "breaks '%.60s': expected ROUND=MINUTES,ROUND=MINUTES...", breaks);
        t->pause[t->breaks].after = after;
        t->pause[t->breaks++].seconds = 60 * minutes;
        at += *at == ',';
    }
    return BL_OK;
}

enum bl_status timetable_make(struct timetable *timetable, const char *plan, const char *start,
                              const char *breaks, struct bl_diag *diag)
{
    const char *at = start ? start : "10:00";
    unsigned hours, minutes;
    enum bl_status status;
    memset(timetable, 0, sizeof *timetable);
    if (!read_number(&at, 23, &hours) || *at++ != ':' || !read_number(&at, 59, &minutes) || *at)
        return bl_fail(diag, BL_USAGE, "start '%.20s': expected a time of day such as 10:00",
                       start);
    timetable->start_s = 3600 * hours + 60 * minutes;
    status = read_plan(timetable, plan, diag);
    return status == BL_OK && breaks ? read_breaks(timetable, breaks, diag) : status;
}

unsigned timetable_begin(const struct timetable *timetable, unsigned round)
{
    unsigned begin = timetable->start_s + round * (timetable->session_s + timetable->change_s);
    for (unsigned i = 0; i < timetable->breaks; i++)
        if (timetable->pause[i].after <= round)
            begin += timetable->pause[i].seconds;
    return begin;
}

unsigned timetable_end(const struct timetable *timetable, unsigned round)
{
    return timetable_begin(timetable, round) + timetable->session_s;
}

void timetable_clock(unsigned seconds, char out[TIMETABLE_CLOCK])
{
    unsigned days = seconds / 86400, second = seconds % 60;
    int length =
        snprintf(out, TIMETABLE_CLOCK, "%02u:%02u", seconds / 3600 % 24, seconds / 60 % 60);
    if (second)
        length += snprintf(out + length, TIMETABLE_CLOCK - (size_t)length, ":%02u", second);
    if (days)
        snprintf(out + length, TIMETABLE_CLOCK - (size_t)length, " +%u", days % 100);
}

/* Finds the locations of all people in a round. Before the first round and after the last, all are
 * at PLACE_REST. */
static void find_places(const struct schedule *schedule, long round,
                        person_number judge[SCHEDULE_PEOPLE_MAX],
                        person_number confederate[SCHEDULE_PEOPLE_MAX])
{
    memset(judge, 0xff, SCHEDULE_PEOPLE_MAX * sizeof judge[0]);             /* PLACE_REST */
    memset(confederate, 0xff, SCHEDULE_PEOPLE_MAX * sizeof confederate[0]); /* PLACE_REST */
    if (round < 0 || round >= (long)schedule->rounds)
        return;
    bool single = schedule->count && schedule->meeting[0].confederate == PERSON_NOBODY;
    for (unsigned i = 0; single && i < schedule->count; i++) {
        const struct meeting *meeting = &schedule->meeting[i];
        if (meeting->entry >= schedule->entries)
            confederate[meeting->entry - schedule->entries] = meeting->entry;
    }
    for (unsigned i = schedule_first(schedule, (unsigned)round);
         i < schedule->count && schedule->meeting[i].round == round; i++) {
        const struct meeting *meeting = &schedule->meeting[i];
        judge[meeting->judge] = meeting->entry;
        if (meeting->confederate != PERSON_NOBODY)
            confederate[meeting->confederate] = meeting->entry;
    }
}

unsigned timetable_moves(const struct schedule *schedule, unsigned round,
                         struct move move[MOVES_MAX])
{
    person_number from[2][SCHEDULE_PEOPLE_MAX], to[2][SCHEDULE_PEOPLE_MAX];
    unsigned count = 0;
    find_places(schedule, (long)round - 1, from[0], from[1]);
    find_places(schedule, round, to[0], to[1]);
    for (unsigned kind = 0; kind < 2; kind++)
        for (unsigned i = 0; i < SCHEDULE_PEOPLE_MAX; i++)
            if (from[kind][i] != to[kind][i])
                move[count++] = (struct move){
                    .is_judge = kind == 0,
                    .number = (person_number)i,
                    .from = from[kind][i],
                    .to = to[kind][i],
                    .corridor = from[kind][i] == PLACE_REST || to[kind][i] == PLACE_REST,
                };
    return count;
}

bool timetable_meet(const struct move *move, unsigned count)
{
    bool judge = false, confederate = false;
    for (unsigned i = 0; i < count; i++)
        if (move[i].corridor)
            *(move[i].is_judge ? &judge : &confederate) = true;
    return judge && confederate;
}
