#include "cli/judge_words.h"

#include "command/command.h"

#include "cli/contest.h"

static enum bl_status take_ruleset(struct judge_words *words, struct judge_options *o,
                                   struct bl_diag *diag)
{
    static struct ruleset ruleset; /* parses its texts */
    enum bl_status status;
    if (!words->ruleset)
        return BL_OK;
    status = contest_load_ruleset(&ruleset, words->ruleset, diag);
    if (status)
        return status;
    if (!words->plan && ruleset.plan[0])
        words->plan = ruleset.plan;
    if (!words->starts && ruleset.starts[0])
        words->starts = ruleset.starts;
    if (!words->style && ruleset.style[0])
        words->style = ruleset.style;
    if (!o->typing.message_most && !o->typing.strict)
        o->typing = (struct typing_rules){.message_most = (unsigned)ruleset.message_most,
                                          .strict = ruleset.turns == TURNS_STRICT,
                                          .turn_s = (unsigned)ruleset.turn_seconds};
    if (!o->booth.about[0])
        snprintf(o->booth.about, sizeof o->booth.about, "rules %s", ruleset.name);
    o->ruleset = &ruleset;
    return BL_OK;
}

enum bl_status judge_words_read(struct judge_words *words, struct judge_options *o,
                                struct bl_diag *diag)
{
    static const char *const starts[] = {"judge", "either", NULL};
    static const char *const begins[] = {"key", "ready", "typed", NULL};
    unsigned who, begin, sides = o->port[SIDE_LEFT] && o->port[SIDE_RIGHT] ? 2 : 1;
    enum bl_status status = take_ruleset(words, o, diag);
    if (!status)
        status = command_choose("--starts", words->starts, starts, &who, diag);
    if (!status)
        status = command_choose("--begin", words->begin, begins, &begin, diag);
    style_begin(&o->style, STYLE_SPLIT, sides);
    if (!status && words->style)
        status = style_parse(&o->style, words->style, sides, diag);
    if (!status && words->plan)
        status = plan_parse(&o->plan, words->plan, diag);
    if (status)
        return status;
    o->starts = who == 1 ? STARTS_EITHER : STARTS_JUDGE;
    o->begin_by_key = words->begin ? begin != 1 : !o->booth.headless;
    o->begin_typed = words->begin && begin == 2;
    if (o->booth.session)
        return booth_session_check(o->booth.session, diag);
    return BL_OK;
}
