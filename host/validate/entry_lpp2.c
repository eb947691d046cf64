/* Checks an Entry that speaks version 2 of the Loebner Prize Protocol, with the contest's own
 * server (adapter/lpp2.h). Source: the protocol's public description of 2016; DESIGN.md,
 * "Entrants". */
#include "validate/entry_private.h"

static const struct lpp2_judge *server_of(struct validate *v)
{
    if (!validate_is_kind(v, "lpp2")) {
        finding_spare(v->finding, "only with --lpp2 PORT, to which it connects by LPP v2");
        return NULL;
    }
    if (!interview_talked(v))
        return NULL;
    return actor_lpp2(v->entry);
}

ENTRY_CHECK(entry_lpp2_words)
{
    const struct lpp2_judge *server = server_of(v);
    const struct lpp2_judge_wrong *wrong = server ? lpp2_judge_wrong(server) : NULL;
    if (!wrong)
        return;
    if (wrong->count == 0) {
        finding_pass(f, "all that it says by LPP v2 is taken");
        return;
    }
    finding_broken(f, "something that it says by LPP v2 is not taken");
    finding_expected(f, "`control` and `message` as of 2016: an object of JSON in a string, with "
                        "\"id\" and \"secret\"; a message \"to\" its partner");
    finding_came(f, "%.200s", wrong->first);
    finding_errors(f, v);
}

ENTRY_CHECK(entry_lpp2_keys)
{
    const struct lpp2_judge *server = server_of(v);
    const struct lpp2_judge_wrong *wrong = server ? lpp2_judge_wrong(server) : NULL;
    if (!wrong)
        return;
    if (wrong->not_keys == 0) {
        finding_pass(f, "every character of its messages is a key");
        return;
    }
    finding_broken(f, "its messages have what nobody can type");
    finding_expected(f, "letters, Return, Tab");
    finding_came(f, "%llu control or unassigned characters", (unsigned long long)wrong->not_keys);
}

ENTRY_CHECK(entry_lpp2_again)
{
    if (!server_of(v))
        return;
    if (actor_cut(v->entry, v->options->start_ms, &v->diag) == ACTOR_DONE) {
        if (interview_ask(v, interview_line(v)))
            finding_pass(f, "registers again, and answers");
        return;
    }
    finding_broken(f, "it does not register again when its connection was lost");
    finding_expected(f,
                     "a new connection, and `control` with the status \"register\", within %g s "
                     "(--start-time)",
                     v->options->start_ms / 1000.0);
    finding_came(f, "nothing");
    finding_errors(f, v);
    interview_end(v);
}
