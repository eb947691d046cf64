/* The ballot on the judge's screen: a form below the pages, which stay readable and can be looked
 * back in. Pure: a state machine that is fed with keys, and its words.
 *
 * A form that shows itself takes no letter before it opens, which it does when nothing was typed
 * for a while, or at once by F3: whoever was typing to an entity when the line was cut must not
 * find half a sentence on the ballot. An open one takes every letter, so none goes to an entity. */
#ifndef SCREEN_FORM_H
#define SCREEN_FORM_H

#include "rules/vote.h"
#include "session/input.h"

#define FORM_ABOUT 120
#define FORM_LABEL 48

enum form_state {
    FORM_AWAY,  /* not on the screen */
    FORM_SHOWN, /* on it, and opens by itself, see form_open_by_itself */
    FORM_OPEN   /* has the keyboard */
};

/* The ballot's standing, as the caller says. GIVING: not on the disk yet, so a loss of power takes
 * it. */
enum form_standing { FORM_NOT_GIVEN, FORM_GIVEN, FORM_OVERDUE, FORM_SEALED, FORM_GIVING };

enum form_answer {
    FORM_NOT_MINE, /* the key is for others */
    FORM_TAKEN,    /* it was for the form, and the screen is to be drawn */
    FORM_GIVE      /* Return, and form_vote would succeed: the ballot is to be recorded */
};

struct form {
    struct vote_rules rules; /* BALLOT_NONE: there is no ballot, F3 does nothing */
    enum form_state state;
    enum form_standing standing;
    bool changed;                           /* since it was given, or set */
    bool by_itself;                         /* opened by itself, with nothing typed yet */
    bool ends;                              /* given now the ballot ends the session */
    bool sure;                              /* Return again gives the ballot, and seals it, or ends
                                               the session */
    unsigned edits;                         /* counts all changes */
    char about[FORM_ABOUT];                 /* until when it can be corrected, in words */
    char label[VOTE_RANKS_MAX][FORM_LABEL]; /* BALLOT_RANKS: whom each is for */
    char given[16];                         /* "14:03", the time of day */
    unsigned field;                         /* the field of typing; the last is the notes */
    bool fresh;                             /* the next digit begins a number anew */
    char number[VOTE_RANKS_MAX][12];        /* as typed; points: left and right */
    int choice;                             /* HUMAN, VERDICT; -1: none yet */
    struct ballot_values values;            /* of the fields the rules ask besides */
    char notes[VOTE_NOTES_MAX + 1];
    char hint[FORM_ABOUT]; /* the fault of the last key; "" none */
};

/* An empty form. */
void form_begin(struct form *form, const struct vote_rules *rules);

/* Puts a vote on it, or with whole false its notes alone. */
void form_set(struct form *form, const struct vote *vote, bool whole);

/* Gives the form a key. A closed one obeys F3 alone. */
enum form_answer form_feed(struct form *form, enum input_what what, uint32_t point);

/* Opens one shown once nobody has typed for FORM_QUIET_US: since typed_us, or since it came.
 * Returns when to ask again; UINT64_MAX: never. */
#define FORM_QUIET_US 5000000
uint64_t form_open_by_itself(struct form *form, uint64_t typed_us, uint64_t now_us);

/* Its contents. BL_DATA: it cannot be given; the missing part, in the judge's words. The notes are
 * copied in any case. */
enum bl_status form_vote(const struct form *form, struct vote *vote, struct bl_diag *diag);

/* Does typing go to the notes? */
bool form_in_notes(const struct form *form);

/* The words at its head: how it stands. *good: nothing is left to do. */
#define FORM_WORDS 64
void form_standing_words(const struct form *form, char words[FORM_WORDS], bool *good);

/* The question. */
void form_question(const struct form *form, char text[FORM_ABOUT]);

/* The meaning of the numbers, one after the other; NULL after the last, or at once. */
const char *form_anchor(const struct form *form, unsigned number);

/* The line at its foot: the judge's next action, or the last fault. */
const char *form_foot(const struct form *form);

/* The kind's own fields. Behind them come the rules' other fields, and the notes. */
unsigned form_fields(const struct form *form);

/* The label of one of the rules' other fields, from 0: "confidence, 0 to 100". */
void form_label(const struct form *form, unsigned number, char label[FORM_LABEL]);

/* True if typing goes to that field. */
bool form_is_asked(const struct form *form, unsigned number);

#endif
