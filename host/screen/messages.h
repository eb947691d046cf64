/* The messages that all screens share: base/message.h. */
#if !defined(SCREEN_MESSAGES_H) || defined(SAY_ROWS)
#define SCREEN_MESSAGES_H

#include "base/message.h"

#ifndef SAY_ROWS
extern const struct message screen_messages[];
#endif

/* dialog.c */
SAY(f9_alt_9_begin, "F9  Alt-9   begin, once", READS_JUDGE, "Press it to begin.")
SAY(f10_alt_0_leave, "F10 Alt-0   leave", READS_JUDGE | READS_ENTITY, "Press it to leave.")
SAY(keys, "Keys", READS_JUDGE | READS_ENTITY, "")
SAY(leave_question, "Leave?", READS_JUDGE | READS_ENTITY | READS_ATTENDANT,
    "Type leave and Return, or press any other key.")
SAY(what_you_type_shows_at, "What you type shows at once.", READS_JUDGE | READS_ENTITY, "Type.")
SAY(f1_alt_1_this_help, "F1  Alt-1   this help", READS_JUDGE | READS_ENTITY,
    "Press a key that is listed.")
SAY(f2_alt_2_type_to, "F2  Alt-2   type to the other side", READS_JUDGE,
    "Press it to change sides.")
SAY(f3_alt_3_your_ballot, "F3  Alt-3   your ballot", READS_JUDGE, "Press it for the ballot.")
SAY(f12_alt_4_call_the, "F12 Alt-4   call the steward, cancel", READS_JUDGE | READS_ENTITY,
    "Press it to call the steward, or to cancel the call.")
SAY(pgup_pgdn_look_back_and, "PgUp PgDn   look back and forward", READS_JUDGE | READS_ENTITY,
    "Press them to look back.")
SAY(home_end_the_first_the, "Home End    the first, the newest", READS_JUDGE | READS_ENTITY,
    "Press them.")
SAY(left_right_which_side_to, "Left Right  which side to look at", READS_JUDGE, "Press them.")
SAY(ctrl_l_draw_the_screen, "Ctrl-L      draw the screen anew", READS_JUDGE | READS_ENTITY,
    "Press it where the screen is spoiled.")
SAY(esc_then_a_digit_is, "Esc, then a digit, is Alt and it.", READS_JUDGE | READS_ENTITY,
    "Press Esc and the digit.")
SAY(f12_works_here_others_return, "F12 works here; others return.", READS_JUDGE | READS_ENTITY,
    "Press any other key.")
SAY(this_leaves_the_conversation, "This leaves the conversation.",
    READS_JUDGE | READS_ENTITY | READS_ATTENDANT, "Type leave, or press any other key.")
SAY(your_ballot_is_not_given_yet, "Your ballot is not given yet.", READS_JUDGE,
    "Press any other key, then F3, and give it.")
SAY(your_last_change_is_not, "Your last change is not given.", READS_JUDGE,
    "Press any other key, then F3, and Return to give it.")
SAY(to_leave_type_leave_and, "To leave, type  leave  and Return.",
    READS_JUDGE | READS_ENTITY | READS_ATTENDANT, "Type leave and Return, or press any other key.")
SAY(any_other_key_returns, "Any other key returns.", READS_JUDGE | READS_ENTITY | READS_ATTENDANT,
    "Press any other key to return.")
SAY(the_two_records_differ_a, "The two records differ. A new epoch", READS_ATTENDANT, "Read on.")
SAY(keeps_both_and_goes_on, "keeps both and goes on from what is", READS_ATTENDANT, "Read on.")
SAY(shown_here_for_the_steward, "shown here. For the steward only.", READS_ATTENDANT,
    "Open it only as the steward.")
SAY(to_open_type_epoch_and, "To open, type  epoch  and Return.", READS_ATTENDANT,
    "Type epoch and Return, or press any other key.")
SAY(open_a_new_epoch, "Open a new epoch?", READS_ATTENDANT, "Decide as the steward.")

/* form.c */
SAY(being_written_to_the_disk, "BEING WRITTEN TO THE DISK", READS_JUDGE, "Wait a moment.")
SAY(given_at, "GIVEN %s%s", READS_JUDGE, "Nothing, or change it and press Return.")
SAY(field_range, "%s, %d to %d", READS_JUDGE, "Type a number of that range.")
SAY(type_a_number_such_as, "Type a number, such as 3 or 3.25.", READS_JUDGE, "Type a number.")
SAY(type_a_whole_number, "Type a whole number.", READS_JUDGE, "Type a whole number.")
SAY(press_or, "Press %c or %c.", READS_JUDGE, "Press one of the two letters.")
SAY(there_is_no_more_room, "There is no more room for notes.", READS_JUDGE,
    "Give the ballot, or shorten the notes.")
SAY(it_ends_the_conversation_now, "Given now it ends the conversation. Return again gives it.",
    READS_JUDGE, "Press Return again, or F3 to go on talking.")
SAY(it_cannot_be_changed_then, "It cannot be changed then. Press Return again to give it.",
    READS_JUDGE, "Press Return again, or change it.")
SAY(the_ballot_is_sealed_it, "The ballot is sealed: it can no longer be changed.", READS_JUDGE,
    "Nothing: it is given.")
SAY(left_right, ": LEFT %s, RIGHT %s", READS_JUDGE, "")
SAY(not_given_yet, "NOT GIVEN YET", READS_JUDGE, "Fill it in and press Return.")
SAY(changed_not_given_yet, "CHANGED, NOT GIVEN YET", READS_JUDGE, "Press Return to give it.")
SAY(not_given_the_time_is, "NOT GIVEN: THE TIME IS OVER", READS_JUDGE,
    "Press Return to give it late.")
SAY(sealed_given, "SEALED, given %s%s", READS_JUDGE, "Nothing.")
SAY(there_is_one_entity_to, "There is one entity to rank: its rank is 1.", READS_JUDGE,
    "Press Return.")
SAY(0_not_accessible_or_malfunction, "0  not accessible, or malfunction", READS_JUDGE, "")
SAY(1_definitely_a_machine, "1  definitely a machine", READS_JUDGE, "")
SAY(2_probably_a_machine, "2  probably a machine", READS_JUDGE, "")
SAY(3_could_be_either_undecided, "3  could be either; undecided", READS_JUDGE, "")
SAY(4_probably_a_human, "4  probably a human", READS_JUDGE, "")
SAY(5_definitely_a_human, "5  definitely a human", READS_JUDGE, "")
SAY(it_opens_when_you_stop, "It opens when you stop typing; F3 opens it now.", READS_JUDGE,
    "Press F3 to open it now.")

/* hints.c */
SAY(begin, "begin", READS_JUDGE, "Press it.")
SAY(help, "help", READS_JUDGE | READS_ENTITY, "Press it.")
SAY(steward, "steward", READS_JUDGE | READS_ENTITY, "Press it to call the steward.")
SAY(ballot, "ballot", READS_JUDGE, "Press it.")
SAY(give, "give", READS_JUDGE, "Press Return to give the ballot.")
SAY(leave, "leave", READS_JUDGE | READS_ENTITY, "Press it.")
SAY(newest, "newest", READS_JUDGE | READS_ENTITY, "Press it to see the newest.")
SAY(play, "play", READS_ATTENDANT, "Press Space.")
SAY(pause, "pause", READS_ATTENDANT, "Press Space.")
SAY(ten_seconds, "10 s", READS_ATTENDANT, "Press an arrow.")
SAY(one_minute, "1 min", READS_ATTENDANT, "Press it.")
SAY(ends, "ends", READS_ATTENDANT, "Press b or e.")
SAY(speed, "speed", READS_ATTENDANT, "Press it.")
SAY(next_part, "next", READS_ATTENDANT, "Press n for the next part.")
SAY(who, "who", READS_ATTENDANT, "Press w to show who they are.")
SAY(quit, "quit", READS_ATTENDANT, "Press q.")
SAY(connecting, "connecting", READS_JUDGE | READS_ENTITY, "Wait a moment.")
SAY(connected, "connected", READS_JUDGE | READS_ENTITY, "Nothing: the line is up.")
SAY(cancel_call, "cancel call", READS_JUDGE | READS_ENTITY, "Press it.")
SAY(start_again, "start again", READS_ENTITY | READS_ATTENDANT, "Press it.")
SAY(it_is_over, "it is over", READS_ATTENDANT, "Press it if the session is over.")
SAY(other_side, "other side", READS_JUDGE, "Press it.")
SAY(take_over, "take over", READS_ATTENDANT, "Press it.")
SAY(new_epoch, "new epoch", READS_ATTENDANT, "Press it.")
SAY(end_turn, "end turn", READS_ENTITY, "Press Return twice.")
SAY(next_field, "next field", READS_JUDGE, "Press it.")
SAY(put_away, "put away", READS_JUDGE, "Press it.")
SAY(look_back, "look back", READS_JUDGE | READS_ENTITY, "Press it.")
SAY(you_type_here, "\xC2\xBB you type here", READS_JUDGE, "Type.")
SAY(type_here, "\xC2\xBB type here", READS_JUDGE | READS_ENTITY, "Type.")
SAY(you_type_to_the_judge, "\xC2\xBB you type to the judge", READS_ENTITY, "Type.")
SAY(the_last_10_seconds, "the last 10 seconds", READS_JUDGE | READS_ENTITY, "Come to an end.")
SAY(the_last_30_seconds, "the last 30 seconds", READS_JUDGE | READS_ENTITY, "Come to an end.")
SAY(not_enforced, "no controller", READS_ATTENDANT,
    "Nothing: the judge's end keeps the time, and cuts the lines.")
SAY(not_reachable, "NOT REACHABLE", READS_JUDGE | READS_ENTITY,
    "Go on typing. If it lasts, press F12.")
SAY(line_closed, "line closed", READS_JUDGE | READS_ENTITY,
    "Nothing is wrong. Before the start the judge begins; afterwards wait: your part may be over.")
SAY(not_encrypted_not_reachable, "NOT ENCRYPTED, NOT REACHABLE", READS_ATTENDANT,
    "Give both ends of the line one key, or tell the steward that it has none.")
SAY(not_encrypted_connecting, "NOT ENCRYPTED, connecting", READS_ATTENDANT,
    "Give both ends of the line one key, or tell the steward that it has none.")
SAY(not_encrypted_line_closed, "NOT ENCRYPTED, line closed", READS_ATTENDANT,
    "Give both ends of the line one key, or tell the steward that it has none.")
SAY(not_encrypted_connected, "NOT ENCRYPTED, connected", READS_ATTENDANT,
    "Give both ends of the line one key, or tell the steward that it has none.")

#endif
