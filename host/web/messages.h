/* The messages of the page in a browser: base/message.h. */
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

/* screen.c */
SAY(this_is_no_name_of, "This is no name of this server: open the address boothlink told.\n",
    READS_ATTENDANT, "Open the address that boothlink told.")
SAY(only_get_is_served_here, "Only GET is served here.\n", READS_ATTENDANT,
    "Open the page, and send nothing to it.")
SAY(there_is_no_such_file, "There is no such file.\n", READS_ATTENDANT,
    "Open the address that boothlink told.")

#endif
