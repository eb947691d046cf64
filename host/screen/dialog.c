#include "screen/dialog.h"

#include "session/event.h"
#include "screen/messages.h"

#include <string.h>

const struct dialog_words *dialog_words(enum dialog_kind kind)
{
    /* 36 columns, for a window of 40. */
#define FIRST  say_what_you_type_shows_at, "", say_f1_alt_1_this_help
#define SIDES2 say_f2_alt_2_type_to
#define BALLOT say_f3_alt_3_your_ballot
#define JUDGE  say_f12_alt_4_call_the, say_f9_alt_9_begin, say_f10_alt_0_leave, LOOK
#define LOOK   say_pgup_pgdn_look_back_and, say_home_end_the_first_the
#define LAST                                                                                       \
    say_ctrl_l_draw_the_screen, "", say_esc_then_a_digit_is, say_f12_works_here_others_return, NULL
    static const char *const help[] = {FIRST, SIDES2, BALLOT, JUDGE, say_left_right_which_side_to,
                                       LAST};
    static const char *const help_talk[] = {FIRST, SIDES2, JUDGE, say_left_right_which_side_to,
                                            LAST};
    static const char *const help_one[] = {FIRST, BALLOT, JUDGE, LAST};
    static const char *const help_one_talk[] = {FIRST, JUDGE, LAST};
    /* An entity has neither sides nor a ballot, nor F9. */
    static const char *const help_entity[] = {FIRST, say_f12_alt_4_call_the, say_f10_alt_0_leave,
                                              LOOK, LAST};
#undef FIRST
#undef SIDES2
#undef BALLOT
#undef JUDGE
#undef LOOK
#undef LAST
    static const char *const leave[] = {say_this_leaves_the_conversation, "",
                                        say_to_leave_type_leave_and, say_any_other_key_returns,
                                        NULL};
    static const char *const leave_ballot[] = {
        say_this_leaves_the_conversation, say_your_ballot_is_not_given_yet, "",
        say_to_leave_type_leave_and,      say_any_other_key_returns,        NULL};
    static const char *const leave_changed[] = {
        say_this_leaves_the_conversation, say_your_last_change_is_not, "",
        say_to_leave_type_leave_and,      say_any_other_key_returns,   NULL};
    static const char *const epoch[] = {say_the_two_records_differ_a,
                                        say_keeps_both_and_goes_on,
                                        say_shown_here_for_the_steward,
                                        "",
                                        say_to_open_type_epoch_and,
                                        say_any_other_key_returns,
                                        NULL};
    static const struct dialog_words texts[] = {
        [DIALOG_HELP] = {say_keys, NULL, help},
        [DIALOG_HELP_TALK] = {say_keys, NULL, help_talk},
        [DIALOG_HELP_ONE] = {say_keys, NULL, help_one},
        [DIALOG_HELP_ONE_TALK] = {say_keys, NULL, help_one_talk},
        [DIALOG_HELP_ENTITY] = {say_keys, NULL, help_entity},
        [DIALOG_LEAVE] = {say_leave_question, "leave", leave},
        [DIALOG_LEAVE_BALLOT] = {say_leave_question, "leave", leave_ballot},
        [DIALOG_LEAVE_CHANGED] = {say_leave_question, "leave", leave_changed},
        [DIALOG_EPOCH] = {say_open_a_new_epoch, "epoch", epoch},
    };
    return &texts[kind];
}

void dialog_open(struct dialog *dialog, enum dialog_kind kind)
{
    dialog->kind = kind;
    dialog->typed = 0;
}

enum dialog_result dialog_feed(struct dialog *dialog, enum input_what what, uint32_t point)
{
    const char *word = dialog_words(dialog->kind)->word;
    enum dialog_result result = DIALOG_RETURNS;
    if (what == INPUT_SILENT || what == INPUT_REDRAW)
        return DIALOG_STAYS;
    if (what == INPUT_F12) {
        result = DIALOG_STEWARD;
    } else if (word && what == INPUT_POINT) {
        bool whole = dialog->typed == strlen(word);
        if (point >= 'A' && point <= 'Z')
            point += 'a' - 'A'; /* accepts letters typed with Caps Lock */
        if (!whole && point == (uint32_t)word[dialog->typed]) {
            dialog->typed++;
            return DIALOG_STAYS;
        }
        if (whole && point == KEY_RETURN)
            result = DIALOG_CONFIRMED;
    }
    dialog->kind = DIALOG_NONE;
    return result;
}
