/* The messages of both ends of a session: base/message.h. */
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
SAY(you_have_called_the_steward, "You have called the steward: please wait.", READS_JUDGE, "Wait.")
SAY(you_have_called_the_steward_here, "You have called the steward: raise your hand too, and wait.",
    READS_ENTITY | READS_ATTENDANT, "Raise your hand: the call is seen in this room alone.")
SAY(the_steward_is_coming, "The steward is coming.", READS_ENTITY,
    "Wait: the judge has called somebody.")

/* page.c */
SAY(return_sends, "Return sends", READS_JUDGE | READS_ENTITY,
    "Press Return to send what you wrote.")

#endif
