#include "screen/hints.h"

#include "screen/form.h"

unsigned hint_list(const struct screen_model *model, bool kiosk, bool back,
                   struct hint hints[HINTS])
{
    bool form = model->form && model->form->rules.kind;
    bool open = form && model->form->state == FORM_OPEN;
    bool turns = style_returns(page_style(model->side[SIDE_LEFT].page)) > 1;
    const struct {
        struct hint hint;
        bool now;
    } keys[] = {
        {{"F1", "help"}, true},
        {{"F12", model->side[SIDE_LEFT].steward_here ? "take the call back" : "steward"}, true},
        {{"F2", "other side"}, model->sides == 2 && model->may_switch},
        {{"F9", "begin"}, model->may_begin},
        {{"F8", model->may_take ? "take over" : "new epoch"}, model->may_take || model->may_epoch},
        {{"F3", "ballot"}, form && !open},
        {{"Return", "give"}, open},
        {{"Return Return", "end turn"}, turns && !open},
        {{"Tab", "next field"}, open},
        {{"F3", "put away"}, open},
        {{"F10", "leave"}, !kiosk},
        {{"PgUp", "look back"}, !back},
        {{"PgUp PgDn", "look back"}, back},
        {{"End", "newest"}, back}};
    unsigned count = 0;
    _Static_assert(sizeof keys / sizeof keys[0] <= HINTS, "they all fit");
    for (unsigned i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (keys[i].now)
            hints[count++] = keys[i].hint;
    return count;
}

const char *const *hint_here(enum party role)
{
    static const char *const words[][4] = {
        [PARTY_JUDGE] = {"\xC2\xBB you type here", "\xC2\xBB type here", "\xC2\xBB", NULL},
        [PARTY_ENTITY] = {"\xC2\xBB you type to the judge", "\xC2\xBB type here", "\xC2\xBB",
                          NULL}};
    return words[role];
}

const char *hint_time(const struct screen_model *model)
{
    if (model->remaining_us == UINT64_MAX)
        return "";
    if (model->remaining_us <= 10000000)
        return "the last 10 seconds";
    if (model->remaining_us <= 30000000)
        return "the last 30 seconds";
    bool attended = model->role == PARTY_ENTITY && model->entry && *model->entry;
    return attended && !model->enforced ? "not enforced" : "";
}

unsigned hint_past(const struct past *past, struct hint hints[HINTS])
{
    const struct hint keys[] = {{"Space", past->paused ? "play" : "pause"},
                                {"\xE2\x86\x90 \xE2\x86\x92", "10 s"},
                                {", .", "1 min"},
                                {"b e", "ends"},
                                {"- +", "speed"},
                                {"n", "next"},
                                {"w", "who"},
                                {"q", "quit"}};
    const unsigned count = sizeof keys / sizeof keys[0];
    for (unsigned i = 0; i < count; i++)
        hints[i] = keys[i];
    return count;
}

const char *hint_reach(bool insecure, enum reach reach)
{
    static const char *const reach_words[2][4] = {
        {[REACH_NO] = "NOT REACHABLE",
         [REACH_CONNECTING] = "connecting",
         [REACH_CUT] = "line cut",
         [REACH_YES] = "connected"},
        {[REACH_NO] = "NOT ENCRYPTED, NOT REACHABLE",
         [REACH_CONNECTING] = "NOT ENCRYPTED, connecting",
         [REACH_CUT] = "NOT ENCRYPTED, line cut",
         [REACH_YES] = "NOT ENCRYPTED, connected"},
    };
    return reach_words[insecure][reach];
}
