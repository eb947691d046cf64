/* The messages of screens on a terminal (base/message.h). */
#if !defined(TERMINAL_MESSAGES_H) || defined(SAY_ROWS)
#define TERMINAL_MESSAGES_H

#include "base/message.h"

#ifndef SAY_ROWS
extern const struct message terminal_messages[];
#endif

/* browse.c */
SAY(this_user_may_not_look, "This user may not look into that folder.", READS_ATTENDANT,
    "Choose another folder.")
SAY(that_folder_cannot_be_opened, "That folder cannot be opened.", READS_ATTENDANT,
    "Choose another folder.")
SAY(there_are_more_folders_than, "There are more folders than fit here.", READS_ATTENDANT,
    "Choose the folder above, or name it as an option.")
SAY(up_down_move_return_open,
    "Up Down  move   Return  open   Space  choose the folder above   q  leave", READS_ATTENDANT,
    "Move, then press Space.")
SAY(this_user_may_not_make, "This user may not make keys in this folder.", READS_ATTENDANT,
    "Choose another folder.")

/* draw.c */
SAY(program_news, "Program: ", READS_ATTENDANT, "Read what the Entry does.")
SAY(to_go, " %s to go ", READS_JUDGE | READS_ENTITY, "")
SAY(row_below_end, "%u row%s below: End", READS_JUDGE | READS_ENTITY, "Press End for the newest.")
SAY(key_waiting, "%zu key%s waiting", READS_JUDGE | READS_ENTITY, "Go on typing.")
SAY(is_hidden_both_need_columns, "%.32s is hidden: both need %u columns. %s", READS_JUDGE,
    "Press F2, or make the window wider.")
SAY(this_window_is_x_it, "This window is %ux%u. It needs %ux%u.", READS_ATTENDANT,
    "Make the window larger.")

/* form_draw.c */
SAY(left, "LEFT", READS_JUDGE, "")
SAY(right, "RIGHT", READS_JUDGE, "")
SAY(rank, "rank", READS_JUDGE, "Type the rank.")
SAY(notes, "Notes", READS_JUDGE, "Type notes, if you like.")
SAY(your_ranks, " YOUR RANKS ", READS_JUDGE, "Fill it in.")
SAY(your_answers, " YOUR ANSWERS ", READS_JUDGE | READS_ENTITY, "Fill it in.")
SAY(your_ballot, " YOUR BALLOT ", READS_JUDGE, "Fill it in.")
SAY(your_rating, "Your rating", READS_JUDGE, "Type the number.")

/* Errors. */
/* browse.c */
SAY(fail_no_folder_can_be_looked_into, "no folder can be looked into; name one with --lpp DIR",
    READS_CALLER, "Name the folder.")
SAY(fail_the_terminal_cannot_be_used_name,
    "the terminal cannot be used; name a folder with --lpp DIR", READS_CALLER, "Name the folder.")
SAY(fail_no_folder_was_chosen_name_one, "no folder was chosen: name one with --lpp DIR",
    READS_CALLER, "Choose a folder, or name it.")
/* screen.c */
SAY(fail_no_memory_for_the_screen, "no memory for the screen", READS_CALLER | READS_ATTENDANT,
    "Close other programs, or restart the machine; then try again.")
SAY(fail_the_terminal_descriptors_cannot_be_watched, "the terminal's descriptors cannot be watched",
    READS_CALLER, "Run it in a terminal, not with files in its place.")
/* terminfo.c */
SAY(fail_standard_is_no_terminal_run_it,
    "standard %s is no terminal: run it in one; judge, entity and demo have --headless too",
    READS_CALLER, "Run it in a terminal, or without a screen.")
SAY(fail_no_utf_locale_is_installed_set,
    "no UTF-8 locale is installed: set LC_CTYPE to one that `locale -a` lists",
    READS_CALLER | READS_ATTENDANT, "Set LC_CTYPE, or install a locale.")
SAY(fail_term_is_not_known_here_set,
    "TERM=%s is not known here: set it to what the terminal is, such as linux, xterm-256color or "
    "vt220",
    READS_CALLER | READS_ATTENDANT, "Set TERM.")
SAY(fail_term_cannot_place_the_cursor_set,
    "TERM=%s cannot place the cursor: set it to what the terminal is, such as linux, "
    "xterm-256color or vt220",
    READS_CALLER | READS_ATTENDANT, "Set TERM.")

#endif
