#include "contest/report_private.h"

#include "contest/draw.h"
#include "transcript/plot.h"

#include <stdio.h>

#define NAME_CHARS 24

static void session_put(const struct html_out *out, const struct contest *contest,
                        const struct meeting *meeting, const struct history *keys)
{
    char session[CONTEST_SESSION_MAX], title[CONTEST_SESSION_MAX + 40];
    char name[SIDES][PARTIES][96], label[64];
    struct plot_names names = {.title = title};
    contest_session(contest, meeting, session);
    snprintf(title, sizeof title, "How all typed in session %s", session);
    for (enum side side = 0; side < SIDES; side++) {
        const char *where = meeting->confederate == PERSON_NOBODY ? ""
                            : side == SIDE_LEFT                   ? ", left"
                                                                  : ", right";
        unsigned candidate = contest_candidate_at(contest, meeting, side);
        report_label(contest, candidate, NAME_CHARS, label);
        snprintf(name[side][PARTY_ENTITY], sizeof name[side][PARTY_ENTITY], "%s%s", label, where);
        schedule_code(candidate, contest->people[CONTEST_ENTRY], label);
        snprintf(name[side][PARTY_JUDGE], sizeof name[side][PARTY_JUDGE], "J%u to %s%s",
                 meeting->judge + 1U, label, where);
        for (enum party party = 0; party < PARTIES; party++)
            names.party[side][party] = name[side][party];
    }
    html_put(out, "<h3>Session %s</h3>\n", session);
    plot_typing(out, keys, &names);
}

void report_typing(const struct html_out *out, const struct report *report)
{
    const struct contest *contest = report->contest;
    const struct schedule *schedule = &contest->schedule;
    bool begun = false;
    for (unsigned r = 0; r < schedule->rounds; r++) {
        for (unsigned i = 0; i < schedule->count; i++) {
            const struct meeting *meeting = &schedule->meeting[i];
            const struct history *keys =
                meeting->round == r ? report->typed(report->ctx, meeting) : NULL;
            if (!keys || keys->keys == 0)
                continue;
            if (!begun)
                html_put(out, "<h2>Typing</h2>\n<p>Each key stands as high as the gap before it "
                              "was long; beside it, how many gaps there were of each length. The "
                              "times are those at which keys were shown.</p>\n");
            begun = true;
            session_put(out, contest, meeting, keys);
        }
    }
}
