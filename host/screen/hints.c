#include "screen/hints.h"

#include "screen/form.h"
#include "screen/messages.h"

static const char *begin_words(const struct screen_model *model)
{
    if (model->role == PARTY_JUDGE)
        return say_begin;
    return model->may_conclude ? say_it_is_over : say_start_again;
}

unsigned hint_list(const struct screen_model *model, bool kiosk, bool back,
                   struct hint hints[HINTS])
{
    bool form = model->form && model->form->rules.kind;
    bool open = form && model->form->state == FORM_OPEN;
    bool asks = open && model->form->standing != FORM_SEALED;
    bool gives = asks && (model->form->standing != FORM_GIVEN || model->form->changed);
    bool turns = style_returns(page_style(model->side[SIDE_LEFT].page)) > 1;
    const struct {
        struct hint hint;
        bool now;
    } keys[] = {
        {{"F1", say_help, false}, true},
        {{"F12", model->side[SIDE_LEFT].steward_here ? say_cancel_call : say_steward, false}, true},
        {{"F2", say_other_side, true}, model->sides == 2 && model->may_switch},
        {{"F9", begin_words(model), false}, model->may_begin},
        {{"F8", model->may_take ? say_take_over : say_new_epoch, false},
         model->may_take || model->may_epoch},
        {{"F3", say_ballot, false}, form && !open},
        {{"Return", say_give, false}, gives},
        {{"Return Return", say_end_turn, true}, turns && !open},
        {{"Tab", say_next_field, true}, asks},
        {{"F3", say_put_away, false}, open},
        {{"F10", say_leave, false}, !kiosk},
        {{"PgUp", say_look_back, true}, !back},
        {{"PgUp PgDn", say_look_back, true}, back},
        {{"End", say_newest, true}, back}};
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
        [PARTY_JUDGE] = {say_you_type_here, say_type_here, "\xC2\xBB", NULL},
        [PARTY_ENTITY] = {say_you_type_to_the_judge, say_type_here, "\xC2\xBB", NULL}};
    return words[role];
}

const char *hint_time(const struct screen_model *model)
{
    if (model->remaining_us == UINT64_MAX || model->may_begin) /* may_begin: the clock does not run
                                                                * yet */
        return "";
    if (model->remaining_us <= 10000000)
        return say_the_last_10_seconds;
    if (model->remaining_us <= 30000000)
        return say_the_last_30_seconds;
    bool attended = model->role == PARTY_ENTITY && model->entry && *model->entry;
    return attended && !model->enforced ? say_not_enforced : "";
}

unsigned hint_past(const struct past *past, struct hint hints[HINTS])
{
    const struct hint keys[] = {{"Space", past->paused ? say_play : say_pause, false},
                                {"\xE2\x86\x90 \xE2\x86\x92", say_ten_seconds, false},
                                {", .", say_one_minute, false},
                                {"b e", say_ends, false},
                                {"- +", say_speed, false},
                                {"n", say_next_part, false},
                                {"w", say_who, false},
                                {"q", say_quit, false}};
    const unsigned count = sizeof keys / sizeof keys[0];
    for (unsigned i = 0; i < count; i++)
        hints[i] = keys[i];
    return count;
}

const char *hint_reach(bool insecure, enum reach reach)
{
    static const char *const reach_words[2][4] = {
        {[REACH_NO] = say_not_reachable,
         [REACH_CONNECTING] = say_connecting,
         [REACH_CUT] = say_line_closed,
         [REACH_YES] = say_connected},
        {[REACH_NO] = say_not_encrypted_not_reachable,
         [REACH_CONNECTING] = say_not_encrypted_connecting,
         [REACH_CUT] = say_not_encrypted_line_closed,
         [REACH_YES] = say_not_encrypted_connected},
    };
    return reach_words[insecure][reach];
}
