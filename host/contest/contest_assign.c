/* The copy of a contest. Of its large arrays only the used part is copied. */
#include "contest/contest.h"

#include <stddef.h>
#include <string.h>

#define AT(member)  offsetof(struct contest, member)
#define ONE(member) sizeof(((const struct contest *)0)->member[0])
#define ALL(member) sizeof(((const struct contest *)0)->member)
#define OF(member, count)                                                                          \
    {                                                                                              \
        AT(member), ONE(member), ALL(member), AT(count)                                            \
    }
#define PERSONS(role) OF(person[role], people[role])

/* The large arrays in the order of their offsets, each with the offset of its number of
 * elements. */
static const struct {
    size_t at, one, all, count;
} arrays[] = {
    PERSONS(CONTEST_ENTRY),
    PERSONS(CONTEST_JUDGE),
    PERSONS(CONTEST_CONFEDERATE),
    PERSONS(CONTEST_PRELIM),
    PERSONS(CONTEST_ORGANISER),
    OF(sitter, sitters),
    OF(repeat, repeats),
    OF(further, furthers),
    OF(spoiled, spoileds),
    OF(undone, undones),
    OF(excluded, excludeds),
    OF(settled, settlements),
    OF(surveyed, surveys),
    OF(conflict, conflicts),
    OF(limit, people[CONTEST_CONFEDERATE]),
    OF(limit_why, people[CONTEST_CONFEDERATE]),
    OF(schedule.meeting, schedule.count),
    OF(ballot, ballots),
    OF(ranking, rankings),
};

void contest_assign(struct contest *to, const struct contest *from)
{
    size_t at = 0;
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        unsigned count;
        memcpy(&count, (const char *)from + arrays[i].count, sizeof count);
        memcpy((char *)to + at, (const char *)from + at, arrays[i].at - at + count * arrays[i].one);
        at = arrays[i].at + arrays[i].all;
    }
    memcpy((char *)to + at, (const char *)from + at, sizeof *to - at);
}

void contest_restore(struct contest *to, const struct contest *from)
{
    memset(to, 0, sizeof *to);
    contest_assign(to, from);
}
