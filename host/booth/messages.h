/* The messages of running terminals, and of a machine between sessions. See base/message.h. */
#if !defined(BOOTH_MESSAGES_H) || defined(SAY_ROWS)
#define BOOTH_MESSAGES_H

#include "base/message.h"

/* balloting.c */
SAY(the_session_ends, "the session ends", READS_JUDGE, "")
SAY(you_leave, "you leave", READS_JUDGE, "")
SAY(press_return_to_give_it, "Press Return to give it. It can be corrected until %s.", READS_JUDGE,
    "Press Return to give the ballot.")
SAY(please_wait, "Please wait.", READS_JUDGE, "Wait until it is written to the disk.")
SAY(to_correct_it_change_it, "To correct it, change it and press Return, until %s.", READS_JUDGE,
    "Nothing, or change it and press Return.")
SAY(the_session_is_over_give,
    "The session is over: give it now. It will be recorded as late, and sealed.", READS_JUDGE,
    "Fill it in and press Return, now.")
SAY(it_is_on_record_thank, "It is on record. Thank you.", READS_JUDGE, "Nothing: it is given.")

/* booth_line.c */
SAY(the_record_is_boothlink_replay,
    "The record is %s; 'boothlink replay' plays it, 'boothlink transcript convert' writes it "
    "out.\n",
    READS_ATTENDANT, "Nothing: that is where the record is.")
SAY_CALL(this_machine_cannot_use_its, "this machine cannot use its cable: call the steward (F12)",
         "this machine cannot use its cable: the steward has been called",
         READS_JUDGE | READS_ENTITY, "Press F12.")
SAY_CALL(the_records_of_the_two, "the records of the two ends differ: call the steward (F12)",
         "the records of the two ends differ: the steward has been called",
         READS_JUDGE | READS_ENTITY, "Press F12.")
SAY(the_two_ends_compare_their, "the two ends compare their records", READS_JUDGE | READS_ENTITY,
    "Wait a moment.")
SAY_CALL(the_record_cannot_be_written, "The record cannot be written: call the steward (F12).",
         "The record cannot be written: the steward has been called.", READS_JUDGE | READS_ENTITY,
         "Press F12.")

/* booth_line.h */
SAY(the_session_is_over_f10, "The session is over: F10 leaves, and says where its record is.",
    READS_JUDGE | READS_ENTITY | READS_ATTENDANT, "Press F10 to leave.")

/* day.c */
SAY(round_number, "Round %u%s", READS_JUDGE | READS_ENTITY | READS_ATTENDANT, "")
SAY(held_again, ", held again", READS_JUDGE | READS_ENTITY | READS_ATTENDANT, "")
SAY(judges_room, "judges' room", READS_ATTENDANT, "")
SAY(back_room, "back room", READS_ATTENDANT, "")
SAY(it_takes_the_records, ": it takes the records.", READS_ATTENDANT, "Put the stick in.")
SAY(comes_next, "%s come%s next.", READS_JUDGE | READS_ENTITY | READS_ATTENDANT,
    "Do what the next line says.")
SAY(no_place_yet, "no place yet", READS_ATTENDANT, "Type the place.")
SAY(board_title, "boothlink: %s", READS_ATTENDANT, "")
SAY(stop_the_check, "stop", READS_ATTENDANT,
    "Press Enter to stop the check, and read what it has found.")
SAY(return_to_the_board, "return", READS_ATTENDANT, "Press Enter.")
SAY(practise, "practise", READS_JUDGE, "Press F2 to practise.")
SAY(leave_the_board, "leave", READS_ATTENDANT, "Press F10.")
SAY(go_on_with_it, "go on", READS_ATTENDANT, "Press Enter.")
SAY(over_for_this_machine, "it is over", READS_ATTENDANT, "Press F8 if it is over.")
SAY(survey_page, "your page", READS_JUDGE | READS_ENTITY, "Press F1 for the page.")
SAY(before_the_session_there_is, "F1: a page to read and answer before the sessions.",
    READS_JUDGE | READS_ENTITY, "Press F1, while there is time.")
SAY(there_is_a_page_after, "F1: a page to read and answer after the sessions.",
    READS_JUDGE | READS_ENTITY, "Press F1.")
SAY(please_read, "Please read", READS_JUDGE | READS_ENTITY, "Read the text.")
SAY(answer_below, "Answer below", READS_JUDGE | READS_ENTITY, "Fill in the form.")
SAY(before_your_sessions, "BEFORE", READS_JUDGE | READS_ENTITY,
    "Read it, answer, and press Return.")
SAY(after_your_sessions, "AFTER", READS_JUDGE | READS_ENTITY, "Read it, answer, and press Return.")
SAY(the_page_cannot_be_shown, "The page cannot be shown: %s", READS_ATTENDANT,
    "Go on without it, and tell the manager.")
SAY(fail_the_rules_have_no_survey, "%s: no survey %s the sessions is in these rules", READS_CALLER,
    "")
SAY(the_ranks_of_judge, "The ranks of judge %u", READS_JUDGE | READS_ATTENDANT, "")
SAY(the_records_are_on_the, "The records are on the stick of the %s.", READS_ATTENDANT,
    "Nothing: take the stick to the manager when all machines have had it.")
SAY(put_in_the_stick_of, "Put in the stick of the %s%s", READS_ATTENDANT,
    "Put in the stick of that room.")
SAY(which_place_is_this, "Which place is this? %s_", READS_ATTENDANT,
    "Type what the machine's label says, and press Enter.")
SAY(this_is_no_place_type, "This is no place. Type it as in the next line.", READS_ATTENDANT,
    "Type it again, as in the example.")
SAY(it_is_asked_once_when, "It is asked once, when the cables are plugged.", READS_ATTENDANT,
    "Type the place.")
SAY(as_in_booth_3_judge, "As in: booth 3, judge. Or: booth 3, cable A. Then press Enter.",
    READS_ATTENDANT, "Type the place like one of these.")
SAY(all_sessions_of_this_place, "All sessions of this place are over.", READS_ATTENDANT,
    "Put in the stick, if it says so below.")
SAY(there_are_no_tickets_for, "There are no tickets for this place yet.", READS_ATTENDANT,
    "Put in the stick.")
SAY(sit_down_and_press_enter, "Sit down and press Enter. They can be corrected until you leave.",
    READS_JUDGE, "Sit down and press Enter.")
SAY(sit_down_and_press_enter_nobody,
    "Sit down and press Enter. Nobody is timed before all are there.",
    READS_JUDGE | READS_ENTITY | READS_ATTENDANT, "Sit down and press Enter.")
SAY(press_enter_and_the_program,
    "Press Enter: the program is started. Nobody is timed before all are there.", READS_ATTENDANT,
    "Press Enter.")
SAY(another_machine_has_held_it,
    "Another machine has held it, by its record on the stick. F8: it is over for this machine.",
    READS_ATTENDANT, "Press F8 and type over.")
SAY(was_left_before_it_was, "%s was left before it was over.", READS_ATTENDANT,
    "Press Enter to go on, or F8.")
SAY(enter_goes_on_with_it, "Enter goes on with it. F8: it is over for this machine.",
    READS_ATTENDANT, "Press Enter, or F8 where it is over.")
SAY(cannot_go_on, "%s cannot go on: %.240s", READS_ATTENDANT, "Mend what it names.")
SAY(it_is_tried_again_by,
    "It is tried again by itself, and at once with Enter. F8: it is over for this machine.",
    READS_ATTENDANT, "Press Enter, or F8 where it is over.")
SAY(is_this_older_stick_to, "Is this older stick to be taken? %s_", READS_ATTENDANT,
    "Type older and press Enter, or Enter alone.")
SAY(only_if_the_newer_is,
    "Only if the newer is lost, or not the manager's. Type older and press Enter; Enter alone "
    "returns.",
    READS_ATTENDANT, "Type older only where the newer stick is lost.")
SAY(is_it_over_for_this, "is it over for this machine?", READS_ATTENDANT,
    "Type over, or press Enter alone.")
SAY(is_it_held_here_again, "is it held here again?", READS_ATTENDANT,
    "Type again, or press Enter alone.")
SAY(then_it_is_not_held,
    "Then it is not held here. Type over and press Enter; Enter alone returns.", READS_ATTENDANT,
    "Type over and press Enter, or Enter alone.")
SAY(it_was_passed_over_type, "It was passed over. Type again and press Enter; Enter alone returns.",
    READS_ATTENDANT, "Type again and press Enter, or Enter alone.")
SAY(the_cables_are_being_checked, "The cables are being checked: three minutes at most.",
    READS_ATTENDANT, "Press F3 at the other ends, and wait.")
SAY(not_ready_do_what_is, "Not ready. Do what is said below, then check again.", READS_ATTENDANT,
    "Do the numbered steps, then press F3 again.")
SAY(everything_is_right, "Everything is right.", READS_ATTENDANT, "Press Enter.")
SAY(press_f3_at_the_machines, "Press F3 at the machines at the other ends too: there first.",
    READS_ATTENDANT, "Press F3 there, then here.")
SAY(press_f3_at_the_judges,
    "Press F3 at the judge's machine too. If the check has ended there, press Enter here.",
    READS_ATTENDANT, "Press F3 at the judge's machine; Enter here when it has ended there.")
SAY(was_passed_over_here_f9, "%s was passed over here. F9 takes it up again.", READS_ATTENDANT,
    "Nothing, or F9 to take it up.")
SAY(they_are_on_no_stick, "They are on no stick yet.", READS_ATTENDANT, "Put in the stick.")
SAY(there_are_records_here_that, "There are records here that are on no stick yet.",
    READS_ATTENDANT, "Put in the stick when there is time.")
SAY(records_of_another_contest,
    "There are records of another contest here that are on no stick yet.", READS_ATTENDANT,
    "Put in the stick of that contest before this machine is given away.")
SAY(records_are_not_at_the_desk, "Records that are not at the manager's desk yet: %u.",
    READS_ATTENDANT, "Nothing: they follow by the network, or the stick takes them.")
SAY(the_desk_brings_other_tickets,
    "The desk and the stick bring different tickets (%s). The stick's count.", READS_ATTENDANT,
    "Tell the manager, who writes sticks anew; put in that stick.")
SAY(the_entry_comes_by_stick, "The desk's tickets are here. An Entry comes by the stick: %s",
    READS_ATTENDANT, "Put in the back room's stick.")
SAY(the_desks_tickets_cannot_be_kept, "The desk's tickets cannot be kept: %s", READS_ATTENDANT,
    "Put in the stick; make room on this machine.")
SAY(leave_the_stick_in_it, "Leave the stick in: it is being read and written.", READS_ATTENDANT,
    "Wait, and leave the stick in.")
SAY(the_stick_may_be_taken, "The stick may be taken out.", READS_ATTENDANT, "Take the stick out.")
SAY(too_many_tickets,
    "This place has %u tickets, and a machine holds %d: take the stick back to the manager.",
    READS_ATTENDANT, "Take the stick to the manager.")
SAY(check_cables, "check cables", READS_ATTENDANT, "Press F3.")
SAY(scroll_the_steps, "more", READS_ATTENDANT, "Press Down to read on, Up to go back.")
SAY(signs_ballots_as, "Signs ballots as: %s", READS_ATTENDANT,
    "Compare these words with the manager's.")

/* day_check.c */
SAY(everything_is_right_here, "everything is right.", READS_ATTENDANT, "Press Enter.")
SAY(not_ready, "NOT READY.", READS_ATTENDANT, "Do the numbered steps.")
SAY(the_check_ended_without_a, "The check ended without a word.", READS_ATTENDANT,
    "Press F3 again.")

/* day_run.c */
SAY(the_place_cannot_be_kept, "The place cannot be kept: %.240s", READS_ATTENDANT,
    "Go on. After the next start type the place again, and tell the steward: the disk fails.")
SAY(the_entry_cannot_be_installed, "The Entry cannot be installed; %s: %.220s", READS_ATTENDANT,
    "Do what it says.")
SAY(make_room_on_this_machine, "make room on this machine", READS_ATTENDANT,
    "Fetch the steward: this machine needs room, or a spare one takes its place.")
SAY(install_what_it_needs_on, "install what it needs on this machine", READS_ATTENDANT,
    "Fetch the steward: this machine lacks it, or a spare one takes its place.")
SAY(take_the_stick_back_to, "take the stick back to the manager", READS_ATTENDANT,
    "Take the stick to the manager.")
SAY(this_stick_is_older_than,
    "This stick is older than the one before: take the newer. F9 takes it all the same.",
    READS_ATTENDANT, "Take the newer stick, or press F9.")
SAY(the_stick_is_full_make, "The stick is full; make room on it or take another: %.240s",
    READS_ATTENDANT, "Make room on the stick, or take another.")
SAY(this_machine_is_full_make,
    "This machine is full; make room on it, then put the stick in again: %.240s", READS_ATTENDANT,
    "Fetch the steward: this machine needs room, or a spare one takes its place.")
SAY(take_the_stick_back_to_the, "Take the stick back to the manager: %.240s", READS_ATTENDANT,
    "Take the stick to the manager.")
SAY(this_is_the_other_rooms, "Wrong stick: %.240s", READS_ATTENDANT, "Take the stick of this room.")
SAY(the_stick_cannot_be_read, "The stick cannot be read or written: %.240s", READS_ATTENDANT,
    "Try another stick.")
SAY(its_program_ended, "\nits program ended", READS_ATTENDANT, "Press Enter: it is started again.")

/* entity_booth.c */
SAY(the_line_was_cut_headless,
    "the line was cut before its part ended: waits for the judge's end; SIGTERM ends this one",
    READS_CALLER, "Wait for the judge's end, or end this one with SIGTERM.")
SAY(the_communications_program_has_ended,
    "The communications program has ended. F9 starts it again.", READS_ENTITY, "Press F9.")
SAY(the_judges_end_has_session, "The judge's end has session %s, this end %s: check the tickets.",
    READS_ATTENDANT, "Compare the tickets of both ends.")
SAY(the_judges_end_has_pages,
    "The judge's end has pages that this one does not have (%.200s): install the same version on "
    "both.",
    READS_ATTENDANT, "Do what it says.")
SAY(the_judges_end_has_other,
    "The judge's end has other pages (%.120s) for session %s than are on record here: begin "
    "another session.",
    READS_ATTENDANT, "Do what it says.")
SAY(down_as_the_controller_has, "down, as the controller has cut the line",
    READS_JUDGE | READS_ENTITY | READS_ATTENDANT, "Wait: the controller joins the line again.")
SAY(the_communications_program_does_not,
    "The communications program does not read: that key was not taken.", READS_ENTITY,
    "Wait, then type it again.")
SAY(here_a_program_types_the,
    "Here a program types. The keyboard is for F12 (steward) and F10 (leave).", READS_ATTENDANT,
    "Type nothing here; F12 calls the steward.")
SAY(these_rules_do_not_have, "These rules do not have that character.", READS_ENTITY,
    "Type another character.")
SAY(too_many_keys_wait_for, "Too many keys wait for the judge's end: that key was not taken.",
    READS_ENTITY, "Wait, then type it again.")
SAY(the_entry_is_being_started, "The Entry is being started: wait a moment.", READS_ATTENDANT,
    "Wait a moment.")
SAY(that_is_done_at_the, "That is done at the judge's terminal.", READS_ENTITY | READS_ATTENDANT,
    "Ask at the judge's terminal.")
SAY(records_differ, "records differ", READS_ATTENDANT, "Fetch the steward.")
SAY(not_your_part_now, "not your part now", READS_ENTITY,
    "Please stay: the clock says when your part comes.")
SAY(not_your_part_yet, "not your part yet", READS_ENTITY, "Wait for your part.")
SAY(not_begun, "not begun", READS_ENTITY, "Wait: the judge begins.")
SAY(the_judge_begins, "the judge begins", READS_ENTITY, "Wait: the judge begins.")
SAY(please_wait_the_judge_begins, "Please wait: the judge begins, and then you can type.",
    READS_ENTITY, "Wait: the judge begins.")
SAY(your_part_is_over_please, "Your part is over; please stay.", READS_ENTITY, "Please stay.")
SAY(this_part_is_over_please, "This part is over; please stay: you have another one.", READS_ENTITY,
    "Please stay: another part is yours.")
SAY(you_are_the_entity, "YOU ARE THE ENTITY", READS_ENTITY,
    "Type to the judge while the line is open.")
SAY(the_line_is_cut_a, "the line is cut: a pause, or the cable is out",
    READS_ENTITY | READS_ATTENDANT, "Look at the plugs, or wait for the end of the pause.")
SAY(the_session_is_over, "The session is over", READS_JUDGE | READS_ENTITY | READS_ATTENDANT,
    "Nothing.")
SAY(you_are_the_judge, "YOU ARE THE JUDGE", READS_JUDGE, "Type while the line is open.")
SAY(this_line, "THIS LINE", READS_JUDGE | READS_ATTENDANT, "")
SAY(the_entity_loud, "THE ENTITY", READS_JUDGE, "")
SAY(your_sheet_says_where_to, "The conversations are over: your sheet says where to go next.",
    READS_JUDGE, "Go where your sheet says.")
SAY(part_of, "part %u of %u", READS_JUDGE | READS_ENTITY | READS_ATTENDANT, "")
SAY(the_entry_has_ended_f9, "The Entry has ended. F9 starts it again.", READS_ATTENDANT,
    "Press F9.")
SAY(the_line_was_cut_before,
    "The line was cut before its part ended. Is the session over? Then press F9.", READS_ATTENDANT,
    "Press F9 if the session is over.")
SAY(the_judges_machine_is_not_heard,
    "The judge's machine has not been heard for a minute. Is the session over? Then press F9.",
    READS_ATTENDANT, "Press F9 if the session is over, else look at the plugs.")
SAY(a_referee_limits_what_you, "A referee limits what you may say: %s", READS_ENTITY,
    "Say no more than that.")

/* entity_booth_entry.c */
SAY(its_folder_is_as_it, "its folder is as it was handed in: %u file%s", READS_ATTENDANT,
    "Nothing.")

/* judge_ballot.c */
SAY(no_ballot_is_asked_for, "no ballot is asked for; give --ruleset NAME", READS_CALLER,
    "Name the rules: --ruleset NAME.")
SAY(no_ballot_the_rules_compare, "No ballot: the rules compare two, and there is one line.",
    READS_JUDGE, "Call the steward: no ballot is asked of you here.")
SAY(no_ballot_the_rules_judge, "No ballot: the rules judge one at a time, and there are two.",
    READS_JUDGE, "Call the steward: no ballot is asked of you here.")
SAY(the_ballot_is_sealed_it, "The ballot is sealed: it can no longer be changed.", READS_JUDGE,
    "Nothing: it is given.")
SAY_CALL(the_ballot_cannot_be_written, "The ballot cannot be written: call the steward (F12).",
         "The ballot cannot be written: the steward has been called.", READS_JUDGE, "Press F12.")
SAY(the_ballot_opens_when_the, "The ballot opens when the session has begun.", READS_JUDGE,
    "Begin first.")
SAY(your_ballot_is_not_given, "Your ballot is not given yet. F10 again leaves without it.",
    READS_JUDGE, "Press F3 and give it, or F10 again.")

/* judge_booth.c */
SAY(or_an_entrys_folder, ", or lpp:DIR for an Entry's folder", READS_CALLER, "")
SAY(keys_that_this_machine_did,
    "%s: %llu key%s that this machine did not have came back from the other end.", READS_ATTENDANT,
    "Nothing.")
SAY(the_line_opens_in_a, "The line opens in a moment: that key was not taken.", READS_JUDGE,
    "Wait a moment, then type it again.")
SAY(too_many_keys_wait_for_the, "Too many keys wait for the other end: that key was not taken.",
    READS_JUDGE, "Wait, then type it again.")
SAY(the_other_side_is_not, "The other side is not open now.", READS_JUDGE,
    "Go on with what you do.")
SAY(this_line_is_closed_f3, "This line is closed: F3 opens your ballot.", READS_JUDGE,
    "Press F3 to go on with your ballot.")
SAY(practice_f12_calls_nobody, "This is practice: F12 calls nobody.", READS_JUDGE,
    "Call the steward by voice.")
SAY(goes_on_with_session_session, "Goes on with session %s; --session NAME begins another.",
    READS_ATTENDANT, "Nothing, or begin another by that option.")
SAY(this_machines_clock_is_not,
    "This machine's clock is not set: times in the record are wrong. Tell the steward.",
    READS_JUDGE | READS_ENTITY | READS_ATTENDANT, "Tell the steward, who sets the clock.")

/* judge_booth_private.h */
SAY(not_begun_press_f9_then, "Not begun: press F9, then type.", READS_JUDGE, "Press F9, then type.")
SAY(a_line_is_not_connected,
    "A line is not connected. F9 once more begins all the same; F12 calls the steward.",
    READS_JUDGE, "Press F12, or F9 once more.")
SAY(call_the_attendant_this_session,
    "Call the attendant: this session began on another machine. F8 takes it over to this one.",
    READS_JUDGE | READS_ATTENDANT, "Call the attendant, who presses F8.")

/* judge_rank.c */
SAY(rank_this_one, "rank this one", READS_JUDGE, "Rank this one.")
SAY(nothing_is_given_yet_f10, "Nothing is given yet. F10 again leaves without it.", READS_JUDGE,
    "Press F3 and give it, or F10 again.")
SAY(there_is_no_line_here, "There is no line here: call the steward by voice.", READS_JUDGE,
    "Call the steward by voice.")
SAY(it_cannot_be_written_call, "It cannot be written: call the steward.", READS_JUDGE,
    "Call the steward by voice.")
SAY(press_f3_to_type_on, "Press F3 to type on the ballot.", READS_JUDGE, "Press F3.")

/* judge_view.c */
SAY(starting, "starting", READS_JUDGE, "Wait a moment.")
SAY(later, "later", READS_JUDGE, "Wait: this side has its part later.")
SAY(open, "open", READS_JUDGE | READS_ENTITY, "Type.")
SAY(left, "LEFT", READS_JUDGE | READS_ATTENDANT, "")
SAY(right, "RIGHT", READS_JUDGE | READS_ATTENDANT, "")
SAY(type_to_begin, "type to begin", READS_JUDGE, "Type: your first key begins.")
SAY(name_and_part_of, "%s \xC2\xB7 part %u of %u", READS_JUDGE | READS_ENTITY | READS_ATTENDANT, "")
SAY(practice_a_program_of_ours, "Practice: a program of ours answers, and nothing is kept.",
    READS_JUDGE, "Practise; F10 ends it.")
SAY(practice_not_blind_an_entrys, "Practice, not blind: an Entry's folder is the line.",
    READS_JUDGE, "Practise; F10 ends it.")
SAY(keys_to_are_the_other, "%s: keys %llu to %llu are the other end's word alone.", READS_ATTENDANT,
    "Compare these keys with the other end's record.")
SAY(type_your_first_words_your, "Type your first words: your first key starts the clock.",
    READS_JUDGE, "Type.")

/* plan_counted.c */
SAY(there_is_nothing_to_begin,
    "There is nothing to begin: without a plan the lines are open already.", READS_JUDGE,
    "Type: the lines are open.")
SAY(the_session_is_over_now, "The session is over.", READS_JUDGE, "Nothing.")
SAY(the_session_has_begun_already, "The session has begun already.", READS_JUDGE, "Type.")
SAY(press_f9_to_begin, "press F9 to begin", READS_JUDGE, "Press F9.")

/* plan_followed.c */
SAY(connecting, "connecting", READS_JUDGE, "Wait a moment.")
SAY(paused, "paused", READS_JUDGE | READS_ENTITY, "Wait: the session goes on where it stood.")
SAY(the_controller_is_not_ready,
    "The controller is not ready yet: wait a moment, then press F9 again.", READS_JUDGE,
    "Wait a moment, then press F9 again.")
SAY(this_machine_takes_the_session,
    "This machine takes the session over as soon as the other end answers.",
    READS_JUDGE | READS_ATTENDANT, "Wait until the other end answers.")
SAY_CALL(the_session_stands_still_call, "The session stands still: call the steward (F12).",
         "The session stands still: the steward has been called.", READS_JUDGE, "Press F12.")
SAY(the_key_switch_stands_at, "The key switch stands at PAUSE: turn it to RUN.", READS_ATTENDANT,
    "Turn the key switch to RUN.")
SAY(paused_the_clock_stands_please,
    "PAUSED: the clock stands. Please wait: the steward ends the pause.", READS_JUDGE,
    "Wait; the steward turns the key switch to RUN.")
SAY_CALL(interrupted_the_clock_stands_if,
         "INTERRUPTED: the clock stands. If this lasts, call the steward (F12).",
         "INTERRUPTED: the clock stands, and the steward has been called.", READS_JUDGE,
         "Wait a moment. If it lasts, press F12.")
SAY_CALL(the_controller_does_not_answer, "The controller does not answer: call the steward (F12).",
         "The controller does not answer: the steward has been called.", READS_JUDGE,
         "Press F12. The steward looks at its cable, its power and its firmware.")
SAY(fault_the_controllers_memory_fails,
    "FAULT: the controller's memory fails. Use another controller.", READS_ATTENDANT,
    "Use another controller.")
SAY(fault_too_many_interruptions_turn,
    "FAULT: too many interruptions. Turn the key switch from RUN and back.", READS_ATTENDANT,
    "Turn the key switch from RUN and back.")
SAY(the_session_was_aborted_at, "The session was ABORTED at the controller.",
    READS_JUDGE | READS_ATTENDANT, "Call the steward.")
SAY(waiting_for_the_controller, "waiting for the controller", READS_JUDGE, "Wait.")
SAY(controller_not_ready, "controller not ready", READS_JUDGE, "Wait.")
SAY(press_f9_to_go_on, "press F9 to go on", READS_JUDGE, "Press F9.")

/* replaying.c */
SAY(hidden, "hidden", READS_ATTENDANT, "Press w to show who it is.")
SAY(human, "human%s%s", READS_ATTENDANT, "")
SAY(program, "program %s", READS_ATTENDANT, "")
SAY(replayed_part, "  part %zu of %zu", READS_ATTENDANT, "")
SAY(replay_paused, "Paused", READS_ATTENDANT, "Press Space to go on.")
SAY(replay_playing, "Playing", READS_ATTENDANT, "Press Space to pause.")
SAY(replay_status, "%s %s  %s of %s  %.10s %.8s UTC%s", READS_ATTENDANT, "")
SAY(keys_replayed, "%zu of %zu key%s\n", READS_CALLER, "Nothing: so many keys were played.")
SAY(the_transcript_is_damaged,
    "boothlink replay: %s is damaged; see \"boothlink transcript check\"\n", READS_CALLER,
    "Look where it is damaged: boothlink transcript check FILE.")
SAY(not_known_who, "not known who", READS_ATTENDANT, "")
SAY(the_end, "The end", READS_ATTENDANT, "")

/* screens.c */
SAY(the_screen_is_in_a, "The screen is in a browser on this machine: %s\n", READS_ATTENDANT,
    "Open that address.")
SAY(the_screen_is_in_a_browser,
    "The screen is in a browser on this machine, whose address is in %s\n", READS_ATTENDANT,
    "Open the address in that file.")

/* stick_files.c */
SAY(it_is_missing, "it is missing", READS_ATTENDANT, "")
SAY(it_is_not_as_written, "it is not as it was written", READS_ATTENDANT, "")
SAY(it_is_not_complete, "it is not complete", READS_ATTENDANT, "")

/* tap_book.c */
SAY(lines_left_out, "%u line%s more of this kind %s left out", READS_ATTENDANT,
    "Nothing: the first of that kind say what it is.")
SAY(gap_keys_missed, "gap: keys %llu to %llu were missed", READS_ATTENDANT,
    "Take what is missing from the ends' records.")
SAY(gap_end_not_heard,
    "gap: the session's end was not heard: whether keys came after key %llu is not known",
    READS_ATTENDANT, "Take what is missing from the ends' records.")
SAY(one_end, "one end", READS_ATTENDANT, "")
SAY(the_judges_end, "the judge's end", READS_ATTENDANT, "")
SAY(the_entitys_end, "the entity's end", READS_ATTENDANT, "")
SAY(tap_silent, "silent", READS_ATTENDANT, "Wait, or look at the plugs.")
SAY(the_ends_look_for_each_other, "the ends look for each other", READS_ATTENDANT, "Wait a moment.")
SAY(tap_connected, "connected", READS_ATTENDANT, "Nothing.")
SAY(tap_encrypted, "connected, encrypted: its keys are not known here", READS_ATTENDANT,
    "Give the referee's key, with --key, to read it.")
SAY(one_end_said_goodbye, "one end said goodbye", READS_ATTENDANT, "Nothing: that end was closed.")
SAY(gap_heard_from_here_on, "gap: %s is heard from here on; what it said before is not known",
    READS_ATTENDANT, "Take what came before from the ends' records.")
SAY(keys_of_another_time,
    "keys that were given %llu s %s now are refused: somebody plays a recording, or the clocks of "
    "the judge's terminal and of this machine differ: set both",
    READS_ATTENDANT, "Set both clocks; if they were right, tell the steward.")
SAY(keys_older_than_before,
    "keys that are older than those before are refused: somebody plays a recording, or the clock "
    "of the judge's terminal was set back",
    READS_ATTENDANT, "Ask whether the judge's clock was set back; if not, tell the steward.")
SAY(no_record_is_kept, "no record is kept of session %s: %s", READS_ATTENDANT,
    "Mend what it names.")
SAY(gap_name_not_heard,
    "gap: the session's name was not heard: what follows is not recorded until it is",
    READS_ATTENDANT, "Wait: the name is said again.")
SAY(tap_part_ended, "part %u, end %s, %llu key%s", READS_ATTENDANT, "Nothing.")
SAY(the_record_cannot_be_written_here, "the record cannot be written", READS_ATTENDANT,
    "Look at the disk: it may be full.")
SAY(more_lines_than_are_kept, "there are more than %d lines: this one is left", READS_ATTENDANT,
    "Listen to the others with a second tap.")
SAY(foreign_more_kinds, "foreign: more kinds of frames than are told one by one", READS_ATTENDANT,
    "Look for a machine that is no part of the contest.")
SAY(foreign_frame, "foreign: %s from %s to %s, which is no line of ours", READS_ATTENDANT,
    "Look for a machine that is no part of the contest.")
SAY(an_end_moved, "now %s is at %s", READS_ATTENDANT,
    "Was a machine replaced? If not, tell the steward.")
SAY(an_end_is_at, "%s is at %s", READS_ATTENDANT, "Nothing.")
SAY(an_end_without_a_role, "an end without a role", READS_ATTENDANT, "")
SAY(a_third_end_was_kept_out, "a third end was kept out", READS_ATTENDANT,
    "Look which machine has a name or key that is not its own.")
SAY(foreign_in_all, "foreign: %llu frame%s of %s from %s in all", READS_ATTENDANT,
    "Look for a machine that is no part of the contest.")
SAY(gap_frames_missed, "gap: %u frame%s of %s missed", READS_ATTENDANT,
    "Take what is missing from the ends' records.")

/* tap_booth.c */
SAY(not_written_from_here_on, "--write %s: %s: what comes from here on is not in it",
    READS_ATTENDANT, "Look at the disk: it may be full.")
SAY(the_adapter_is_gone, "%s is gone: plug the adapter in again, it is taken up by itself",
    READS_ATTENDANT, "Plug the adapter in again.")
SAY(the_adapter_does_not_open,
    "%s is here again but cannot be opened (%s): end boothlink and start it anew", READS_ATTENDANT,
    "End the tap with ^C and start it again.")
SAY(gap_nothing_is_heard, "gap: nothing is heard: %s", READS_ATTENDANT, "Look at the plugs.")
SAY(gap_heard_again, "gap: %s is heard again, from here on", READS_ATTENDANT,
    "Take what is missing from the ends' records.")
SAY(nothing_is_overwritten, "; nothing is overwritten: give another name", READS_CALLER, "")
SAY(listening, "listening; ^C ends it", READS_ATTENDANT, "Press ^C to end it.")

/* line_booth.c */
SAY(line_says, "boothlink line: %s\n", READS_CALLER,
    "Read what the line says: it is up, or what is wrong with it.")
SAY(the_line_is_up, "the line is up", READS_CALLER, "Nothing: start the program at the link.")

/* Messages of errors. */
/* balloting.c */
SAY(fail_the_name_of_a_journal_ends, "%s: the name of a journal ends with '%s'", READS_CALLER,
    "Name the journal of a session.")
SAY(fail_was_begun_for_session_under_for,
    "%s was begun for session %s under %s, for a ballot of the kind '%s': give the same --ruleset, "
    "or another --session NAME",
    READS_CALLER, "Give the same rules, or begin another session.")
SAY(fail_is_signed_by_the_key_of,
    "%s is signed by the key of %s machine: give that with --machine-key FILE", READS_CALLER,
    "Name the key of the machine that began it.")
/* booth.c */
SAY(fail_cannot_make_this_directory_for_the,
    "%s: cannot make this directory for the record: %s; name another with --journal DIR",
    READS_CALLER | READS_ATTENDANT, "Name a folder that this user may write into.")
SAY(fail_no_place_for_the_record_name, "no place for the record: name one with --journal DIR",
    READS_CALLER, "Name a folder for the record.")
SAY(fail_journal_expected_a_path_of_to, "--journal: expected a path of 1 to %d bytes", READS_CALLER,
    "Name a folder with a shorter path.")
SAY(fail_session_expected_to_letters_digits_or,
    "session '%s': expected 1 to %d letters, digits, '-', '_' or '.'", READS_CALLER,
    "Choose such a name.")
/* booth_line.c */
SAY(fail_trace, "--trace %s: %s", READS_CALLER, "Name a file that this user may write.")
/* controller_talk.c */
SAY(fail_the_controller_does_not_take, "the controller does not take the plan",
    READS_CALLER | READS_ATTENDANT, "Look at the controller's cable and its firmware.")
SAY(fail_no_memory, "no memory", READS_CALLER | READS_ATTENDANT,
    "Close other programs, or restart the machine; then try again.")
/* day_run.c */
SAY(fail_the_session_terminal_cannot_be_started, "the session's terminal cannot be started: %s",
    READS_ATTENDANT, "Switch the machine off and on again; if it lasts, take a spare one.")
SAY(fail_the_event_loop_cannot_be_made, "the event loop cannot be made",
    READS_CALLER | READS_ATTENDANT, "Close other programs, or restart the machine.")
SAY(fail_nobody_said_here_that_it_is, "%s: nobody said here that it is over", READS_CALLER,
    "Nothing: the session is open at this machine.")
/* entity_booth.c */
SAY(fail_the_two_folders_are_one,
    "--lpp and --lpp-entry are one folder: expected one of the Entry's own and one of the judge "
    "program's",
    READS_CALLER, "Name two folders.")
SAY(fail_a_ballot_is_the_judge_to, "%s: a ballot is the judge's to give", READS_CALLER,
    "Leave the ballot out of an entity's script.")
SAY(fail_no_memory_for_the_record, "no memory for the record", READS_CALLER | READS_ATTENDANT,
    "Close other programs, or restart the machine; then try again.")
/* entity_booth_entry.c */
SAY(fail_the_entry_is_not_on_this,
    "the Entry %s is not on this machine: put in the stick of the back room", READS_ATTENDANT,
    "Put in the stick of the back room, which has it.")
SAY(fail_its_manifest_is_not_the_one, "%s: its manifest is not the one that was handed in",
    READS_ATTENDANT,
    "Put the stick in once more; if it lasts, tell the manager: the Entry was changed.")
/* judge_ballot.c */
SAY(fail_ballot, "%s: ballot %.60s: %s", READS_CALLER,
    "Write a ballot as the rules have it, or give --ruleset NAME.")
SAY(fail_no_memory_for_the_ballot, "no memory for the ballot", READS_CALLER | READS_ATTENDANT,
    "Close other programs, or restart the machine; then try again.")
/* judge_booth.c */
SAY(fail_session_was_begun_with_style_starts,
    "session %s was begun with --style '%s%s' --starts %s: give the same, or begin another with "
    "--session NAME",
    READS_CALLER | READS_ATTENDANT, "Give the same, or begin another session.")
SAY(fail_session_was_begun_give_the_same,
    "session %s was begun %s: give the same, or begin another with --session NAME",
    READS_CALLER | READS_ATTENDANT, "Give the same plan, or begin another session.")
SAY(fail_session_by_its_record_give_the,
    "session %s: by its record %s: give the same, by its ticket or --cables %s, or begin another "
    "with --session NAME",
    READS_CALLER | READS_ATTENDANT, "Give the same cables, or begin another session.")
/* judge_rank.c */
SAY(fail_no_ballot_was_given_in_this,
    "%s: no ballot was given in this session: give it first, then the ranks",
    READS_CALLER | READS_ATTENDANT, "Give the ballot of that session first.")
SAY(fail_rules_with_a_ballot_of_the, "%s: rules with a ballot of the kind '%s' ask for no ranks",
    READS_CALLER | READS_ATTENDANT, "Nothing: no ranks are asked for.")
SAY(fail_is_an_entity_expected_a_judge, "%s is an entity's; expected a judge's journal",
    READS_CALLER | READS_ATTENDANT, "Name the judge's journal.")
SAY(fail_is_the_ballot_of_session_not, "%s is the ballot of session %s, not of %s",
    READS_CALLER | READS_ATTENDANT, "Put each journal beside its own ballot.")
SAY(fail_no_memory_for_the_pages, "no memory for the pages", READS_CALLER | READS_ATTENDANT,
    "Close other programs, or restart the machine; then try again.")
SAY(fail_session_was_judged_by_by_rank, "session %s was judged by %s, %s by %s: rank one contest",
    READS_CALLER | READS_ATTENDANT, "Name one contest's journals alone.")
SAY(fail_sessions_of_two_contests,
    "sessions %s and %s are of two contests that were set up apart: rank one contest",
    READS_CALLER | READS_ATTENDANT, "Name one contest's journals alone.")
SAY(fail_session_is_given_twice, "session %s is given twice", READS_CALLER,
    "Name each session once.")
SAY(fail_by_a_ballot_is_sealed_with, "%s: by %s a ballot is sealed with its session", READS_CALLER,
    "Nothing: it cannot be corrected any more.")
SAY(fail_the_ballot_file, "the ballot's file: %s", READS_CALLER | READS_ATTENDANT,
    "Look at the disk: it may be full, or not this user's.")
SAY(fail_the_ballot_cannot_be_written, "the ballot cannot be written: %s",
    READS_CALLER | READS_ATTENDANT, "Look at the disk: it may be full, or not this user's.")
SAY(fail_missing_script_file_with_the_ballot,
    "missing --script FILE with the ballot, beside --headless", READS_CALLER,
    "Name a file with the ballot, or rank at a screen.")
/* line_booth.c */
SAY(fail_cannot_make_a_pty, "cannot make a pty: %s", READS_CALLER,
    "Restart the machine, or mount /dev/pts.")
SAY(fail_link_is_there_already_and_is,
    "--link %s: is there already and is no link; name another path", READS_CALLER,
    "Name another path.")
SAY(fail_link, "--link: %s", READS_CALLER, "Name a path that this user may write.")
/* machine_key.c */
SAY(fail_is_no_key_of_a_machine,
    "%s is no key of a machine, or is damaged; the first start of boothlink booth makes one",
    READS_CALLER | READS_ATTENDANT,
    "Move the file away and start again: the manager confirms the new words.")
/* plan_counted.c */
SAY(fail_no_memory_for_the_plan, "no memory for the plan", READS_CALLER | READS_ATTENDANT,
    "Close other programs, or restart the machine; then try again.")
/* plan_followed.c */
SAY(fail_no_memory_for_the_controller, "no memory for the controller",
    READS_CALLER | READS_ATTENDANT, "Close other programs, or restart the machine; then try again.")
/* screens.c */
SAY(fail_screen_expected_console_web_or_web,
    "--screen %.40s: expected console, web or web:PORT, with a PORT from 1 to 65535", READS_CALLER,
    "Write one of the three.")
/* stick_files.c */
SAY(fail_expected_a_folder, "%s: expected a folder", READS_ATTENDANT,
    "Move away what is in its place on the stick.")
SAY(fail_records_of_other_machines,
    "%s: other machines' records have all its places on the stick; put another stick in",
    READS_ATTENDANT, "Put another stick in, and take this one to the manager.")
SAY(fail_the_stick_was_taken_out_while,
    "%s: %s: the stick was taken out while it was written; write it once more", READS_ATTENDANT,
    "Put the stick in once more, and leave it in until the screen says so.")
SAY(fail_this_stick_is_older_than_the,
    "this stick is older than the one that was here before: take the newer", READS_ATTENDANT,
    "Put in the stick that the manager wrote last.")
SAY(fail_this_is_the_stick_of_the, "this is the stick of the %s: take that of the %s",
    READS_ATTENDANT, "Put in the other room's stick.")
SAY(fail_more_than_a_machine_takes, "%s: %s: more than a machine takes", READS_ATTENDANT,
    "Bring the stick to the manager: files are on it that are not his.")
SAY(fail_the_entry_is_not_on_this_2, "the Entry %s is not on this stick", READS_ATTENDANT,
    "Tell the manager: contest tickets writes it.")
/* tap_booth.c */
SAY(fail_write, "--write %s: %s%s", READS_CALLER, "Name another file.")
SAY(fail_write_2, "--write %s: %s", READS_CALLER, "Look at the disk: it may be full.")
SAY(fail_write_not_all_frames_are_in, "--write %s: not all frames are in it", READS_CALLER,
    "Look at the disk: it may be full.")
/* ticket_file.c */
SAY(fail_ticket_role_this_is_not_a, "%s: [ticket] role = %s: this is not a ticket for %s",
    READS_CALLER | READS_ATTENDANT, "Give this machine its own ticket.")
/* transcript_journal.c */
SAY(fail_is_not_the_entity_journal_of,
    "%s is not the entity's journal of the session in %s; give that one", READS_CALLER,
    "Name the entity's journal of that session.")
SAY(fail_contradicts_both_sides_of_see_journal,
    "%s contradicts both sides of %s; see \"journal settle\"", READS_CALLER,
    "Settle the two records: boothlink journal settle.")
SAY(fail_goes_with_both_sides_of_say,
    "%s goes with both sides of %s; say which it is with --side left or --side right", READS_CALLER,
    "Say the side.")
/* transcript_source.c */
SAY(fail_out_of_memory, "%s: out of memory", READS_CALLER | READS_ATTENDANT,
    "Close other programs, or restart the machine; then try again.")
SAY(fail_the_format_is_for_people_and, "the format %s is for people and is not read", READS_CALLER,
    "Name the journal, or a transcript of another format.")
SAY(fail_entity_journal_goes_with_a_judge,
    "--entity-journal goes with a judge's journal, and %s is %s", READS_CALLER,
    "Name a judge's journal.")
SAY(fail_there_is_no_format_boothlink_transcript,
    "there is no format \"%s\"; \"boothlink transcript formats\" lists them", READS_CALLER,
    "Name one of those formats.")
SAY(fail_no_known_transcript_name_its_format,
    "%s: no known transcript; name its format with --from", READS_CALLER, "Name its format.")
SAY(fail_looks_like_no_journal_and_no,
    "%s looks like no journal and no known transcript; name its format with --from (\"boothlink "
    "transcript formats\" lists them)",
    READS_CALLER, "Name its format.")
/* viewing.c */
SAY(fail_no_timer, "no timer: %s", READS_CALLER | READS_ATTENDANT, "Restart the machine.")

#endif
