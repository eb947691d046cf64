/* The messages of the screens of a console: base/message.h. */
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
SAY(to_go, " %s to go ", READS_JUDGE | READS_ENTITY, "")
SAY(row_below_end, "%u row%s below: End", READS_JUDGE | READS_ENTITY, "Press End for the newest.")
SAY(key_waiting, "%zu key%s waiting", READS_JUDGE | READS_ENTITY, "Go on typing.")
SAY(is_hidden_both_need_columns, "%.32s is hidden: both need %u columns. %s", READS_JUDGE,
    "Press F2, or make the window wider.")
SAY(this_window_is_x_it, "This window is %ux%u. It needs %ux%u.", READS_ATTENDANT,
    "Make the window larger.")

/* form_draw.c */
SAY(your_ranks, " YOUR RANKS ", READS_JUDGE, "Fill it in.")
SAY(your_ballot, " YOUR BALLOT ", READS_JUDGE, "Fill it in.")
SAY(your_rating, "Your rating", READS_JUDGE, "Type the number.")

#endif
