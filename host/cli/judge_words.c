#include "cli/judge_words.h"

#include <string.h>

bool judge_words_take(struct judge_words *words, const char *name, const char *value)
{
    if (strcmp(name, "--plan") == 0)
        words->plan = value;
    else if (strcmp(name, "--starts") == 0)
        words->starts = value;
    else if (strcmp(name, "--begin") == 0)
        words->begin = value;
    else if (strcmp(name, "--style") == 0)
        words->style = value;
    else
        return false;
    return true;
}

enum bl_status judge_words_read(const struct judge_words *words, struct judge_options *o,
                                struct bl_diag *diag)
{
    static const char *const starts[] = {"judge", "either", NULL};
    static const char *const begins[] = {"key", "ready", NULL};
    unsigned who, begin;
    enum bl_status status = command_choose("--starts", words->starts, starts, &who, diag);
    if (!status)
        status = command_choose("--begin", words->begin, begins, &begin, diag);
    style_default(&o->style);
    if (!status && words->style)
        status = style_parse(&o->style, words->style, diag);
    if (!status && words->plan)
        status = plan_parse(&o->plan, words->plan, diag);
    if (status)
        return status;
    o->starts = who == 1 ? STARTS_EITHER : STARTS_JUDGE;
    o->begin_by_key = words->begin ? begin == 0 : !o->booth.headless;
    if (o->booth.session)
        return booth_session_check(o->booth.session, diag);
    return BL_OK;
}
