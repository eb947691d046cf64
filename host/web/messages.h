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
SAY(your_answers, "Your answers", READS_JUDGE | READS_ENTITY, "Fill it in.")
SAY(your_ballot, "Your ballot", READS_JUDGE, "Fill it in.")

/* door.c */
SAY(this_is_no_name_of, "This is no name of this server: open the address boothlink told.\n",
    READS_ATTENDANT, "Open the address that boothlink told.")
SAY(only_get_is_served_here, "Only GET is served here.\n", READS_ATTENDANT,
    "Open the page, and send nothing to it.")
SAY(there_is_no_such_file, "There is no such file.\n", READS_ATTENDANT,
    "Open the address that boothlink told.")

/* page.js and page.html, which have the same texts */
SAY(page_off, "boothlink does not answer. What is typed now waits here; what was shown is kept.",
    READS_JUDGE | READS_ENTITY | READS_ATTENDANT,
    "Wait: it comes back. If it lasts, fetch the steward.")
SAY(page_stranger,
    "Another program answers in boothlink's place, and is told nothing. What is typed waits here. "
    "If this stays, call an attendant: boothlink has another address by now.",
    READS_JUDGE | READS_ENTITY | READS_ATTENDANT,
    "Wait a moment; then call the attendant, who opens the new address.")
SAY(page_open_elsewhere, "This page is open in another window. A key here takes it back.",
    READS_JUDGE | READS_ENTITY | READS_ATTENDANT, "Press a key here, or go on in the other window.")
SAY(page_address_not_complete, "This address is not complete: open the one that boothlink told.",
    READS_ATTENDANT, "Open the whole address that boothlink told.")
SAY(page_needs_javascript,
    "This page needs JavaScript: it draws what boothlink shows, and sends what you type.",
    READS_ATTENDANT, "Allow JavaScript for this page, or use another browser.")
SAY(page_key_waits, " key waits", READS_JUDGE | READS_ENTITY, "Go on typing.")
SAY(page_keys_wait, " keys wait", READS_JUDGE | READS_ENTITY, "Go on typing.")
SAY(page_to_go, " to go", READS_JUDGE | READS_ENTITY, "")
SAY(page_send, "Send", READS_JUDGE | READS_ENTITY, "Press it, or Return, to send what you wrote.")
SAY(page_notes, "Notes", READS_JUDGE, "Type notes, if you like.")
SAY(page_program, "Program: ", READS_ATTENDANT, "Read what the Entry does.")

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
