/* The messages of both ends of a session. See base/message.h. */
#if !defined(SESSION_MESSAGES_H) || defined(SAY_ROWS)
#define SESSION_MESSAGES_H

#include "base/message.h"

#ifndef SAY_ROWS
extern const struct message session_messages[];
#endif

/* end.c */
SAY(not_begun_yet_that_key, "Not begun yet: that key was not taken.", READS_JUDGE,
    "Press F9, then type.")
SAY(the_judge_has_not_begun, "The judge has not begun: that key was not taken.", READS_ENTITY,
    "Wait: the judge begins.")
SAY(the_session_is_over_that, "The session is over: that key was not taken.",
    READS_JUDGE | READS_ENTITY, "Nothing more is to be typed. Please stay until you are told.")
SAY(this_line_is_closed_now, "This line is closed now: that key was not taken.", READS_JUDGE,
    "Look at the clock: the other side, or a break, has its part now.")
SAY(it_is_not_your_part, "It is not your part now: that key was not taken.", READS_ENTITY,
    "Please stay: the clock says when your part comes.")
SAY(the_other_terminal_has_not, "The other terminal has not been reached yet.",
    READS_JUDGE | READS_ENTITY, "Wait. If it lasts, press F12.")
SAY_CALL(the_record_can_take_no, "The record can take no more keys: call the steward (F12).",
         "The record can take no more keys: the steward has been called.",
         READS_JUDGE | READS_ENTITY, "Press F12.")
SAY(the_session_is_paused_its, "The session is paused: its time stands, and the line is cut.",
    READS_JUDGE | READS_ENTITY, "Wait: it goes on where it stood.")
SAY(it_is_not_your_turn, "It is not your turn: that key was not taken.", READS_JUDGE | READS_ENTITY,
    "Wait for the other's message.")
SAY(the_message_is_full_press, "The message is full: press Return to send it.",
    READS_JUDGE | READS_ENTITY, "Press Return, or take something back.")

/* notice.c */
SAY(the_judge, "The judge", READS_ENTITY, "")
SAY(the_partner, "The partner", READS_JUDGE, "")
SAY(the_judge_loud, "THE JUDGE", READS_ENTITY, "")
SAY(the_partner_loud, "THE PARTNER", READS_JUDGE, "")
SAY(cannot_be_reached, "%s CANNOT BE REACHED%s%s%s", READS_JUDGE | READS_ENTITY,
    "Go on typing, it is kept. If it lasts, press F12.")
SAY(is_being_connected, "%s is being connected%s%s%s", READS_JUDGE | READS_ENTITY, "Wait a moment.")
SAY(what_you_type_is_kept, "What you type is kept. If this lasts, press F12: it calls the steward.",
    READS_JUDGE | READS_ENTITY, "Go on typing. If it lasts, press F12.")
SAY(it_is_kept, "What you type is kept.", READS_JUDGE | READS_ENTITY, "Type on, or wait.")
SAY(if_this_lasts_press_f12, "If this lasts, press F12: it calls the steward.", READS_JUDGE,
    "Wait. If it lasts, press F12.")
SAY(you_have_called_the_steward, "You have called the steward: please wait.", READS_JUDGE, "Wait.")
SAY(you_have_called_the_steward_here, "You have called the steward: raise your hand too, and wait.",
    READS_ENTITY | READS_ATTENDANT, "Raise your hand: the call is seen in this room alone.")
SAY(the_steward_is_coming, "The steward is coming.", READS_ENTITY,
    "Wait: the judge has called somebody.")

/* page.c */
SAY(return_sends, "Return sends", READS_JUDGE | READS_ENTITY,
    "Press Return to send what you wrote.")

/* Messages of errors. */
/* plan.c */
SAY(fail_plan_is_not_seconds_name_as,
    "plan: '%.*s' is not SECONDS NAME, as in '300 left,300 right,600 review'", READS_CALLER,
    "Write each part as seconds and a name, with commas between them.")
SAY(fail_plan_must_last_to_seconds, "plan: '%.*s' must last %u to %d seconds", READS_CALLER,
    "Give that part another length.")
SAY(fail_plan_more_than_segments, "plan: more than %d parts", READS_CALLER,
    "Write a plan of fewer parts.")
/* style.c */
SAY(fail_style_columns_expected_a_number_from, "style: columns=%s: expected a number from %d to %d",
    READS_CALLER, "Write another number.")
SAY(fail_style_colour_expected_none_red_green,
    "style: colour.%s=%s: expected none, red, green, yellow, blue, magenta or cyan", READS_CALLER,
    "Write one of those colours.")
SAY(fail_style_backspace_expected_backspace_line_or,
    "style: backspace=%s: expected backspace=line or backspace=page (over a Return)", READS_CALLER,
    "Write one of the two.")
SAY(fail_style_backspace_page_a_page_of,
    "style: backspace=page: a page of style %s takes no Return back: expected backspace=line",
    READS_CALLER, "Write backspace=line, or choose another style.")
SAY(fail_style_wrap_expected_wrap_words_or,
    "style: wrap=%s: expected wrap=words or wrap=letters (which cuts words)", READS_CALLER,
    "Write one of the two.")
SAY(fail_style_fields_expected_fields_own_or,
    "style: fields=%s: expected fields=own or fields=both (also what the other party has not sent "
    "yet)",
    READS_CALLER, "Write one of the two.")
SAY(fail_style_is_not_one_line_of, "style: %s is not one line of 1 to %d bytes of printable UTF-8",
    READS_CALLER, "Write a shorter label, on one line.")
SAY(fail_style_is_not_to_bytes_of, "style: %s is not 0 to %d bytes of printable UTF-8",
    READS_CALLER, "Write a shorter prompt, on one line.")
SAY(fail_style_there_is_no_field_the,
    "style: there is no field '%s'; the fields of %s are columns=, backspace=, wrap=, "
    "%slabel.judge=, label.entity=, colour.judge= and colour.entity=",
    READS_CALLER, "Write one of those fields.")
SAY(fail_style_columns_leaves_less_than_after,
    "style: columns=%u leaves less than %d after the %u of the labels: give columns=%u or more",
    READS_CALLER, "Give as many columns, or shorter labels.")
SAY(fail_style_the_field_is_too_long,
    "style: the field '%s' is too long, or its quote is not closed", READS_CALLER,
    "Close the quote, or write less.")
SAY(fail_style_it_begins_with_the_name,
    "style: it begins with the name of a style, which is 'split', 'scroll' or 'web'", READS_CALLER,
    "Begin with one of the three names.")

#endif
