/* The messages of a page in a browser: base/message.h. */
#if !defined(WEB_MESSAGES_H) || defined(SAY_ROWS)
#define WEB_MESSAGES_H

#include "base/message.h"

#ifndef SAY_ROWS
extern const struct message web_messages[];
#endif

/* scene.c */
SAY(your_rating, "Your rating", READS_JUDGE, "Type the number.")
SAY(your_ranks, "Your ranks", READS_JUDGE, "Fill it in.")
SAY(your_ballot, "Your ballot", READS_JUDGE, "Fill it in.")

/* door.c */
SAY(this_is_no_name_of, "This is no name of this server: open the address boothlink told.\n",
    READS_ATTENDANT, "Open the address that boothlink told.")
SAY(only_get_is_served_here, "Only GET is served here.\n", READS_ATTENDANT,
    "Open the page, and send nothing to it.")
SAY(there_is_no_such_file, "There is no such file.\n", READS_ATTENDANT,
    "Open the address that boothlink told.")

/* Errors. */
/* address.c */
SAY(fail_too_long_a_name, "%s: too long a name", READS_CALLER, "Name a shorter path.")
/* door.c */
SAY(fail_expected_the_address_of_the_socket,
    "%s: expected the address of the socket that was given", READS_CALLER | READS_ATTENDANT,
    "Nothing by hand: a start of boothlink booth gives it.")
SAY(fail_no_memory_for_the_screen, "no memory for the screen", READS_CALLER | READS_ATTENDANT,
    "Close other programs, or restart the machine; then try again.")
/* screen.c */
SAY(fail_no_timer, "no timer: %s", READS_CALLER | READS_ATTENDANT, "Restart the machine.")

#endif
