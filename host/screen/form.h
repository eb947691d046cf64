/* The ballot on the judge's screen: a form below the pages, which stay readable and can be
 * scrolled. Pure: a state machine of keys, and its texts.
 *
 * * A form that appears by itself opens after a time without typing, or at once by F3. Before that
 * it takes no key, so that a judge who is still typing to an entity does not type into the ballot.
 * An open form takes every letter. */
#ifndef SCREEN_FORM_H
#define SCREEN_FORM_H

#include "rules/vote.h"
#include "session/input.h"

#define FORM_ABOUT 120
#define FORM_LABEL 48

enum form_state {
    FORM_AWAY,  /* not on the screen */
    FORM_SHOWN, /* on the screen; opens by itself, see form_open_by_itself() */
    FORM_OPEN   /* has the keyboard */
};

/* The ballot's standing, set by the caller. GIVING: the ballot is not synced yet. */
enum form_standing { FORM_NOT_GIVEN, FORM_GIVEN, FORM_OVERDUE, FORM_SEALED, FORM_GIVING };

enum form_answer {
    FORM_NOT_MINE, /* the key is not for the form */
    FORM_TAKEN,    /* the form used the key; the screen must be redrawn */
    FORM_GIVE      /* Return on a valid vote: the ballot must be recorded */
};

struct form {
    struct vote_rules rules; /* BALLOT_NONE: there is no ballot, and F3 does nothing */
    enum form_state state;
    enum form_standing standing;
    bool changed;   /* the judge has changed the form since the ballot was given or form_set()
                     * filled the form */
    bool by_itself; /* opened by itself, with nothing typed yet */
    bool ends;      /* giving the ballot now ends the session */
    bool sure;      /* warned: the next Return gives and seals the ballot, or ends the session */
    unsigned edits; /* number of changes */
    char about[FORM_ABOUT];                 /* advice on the standing, set by the caller */
    char label[VOTE_RANKS_MAX][FORM_LABEL]; /* BALLOT_RANKS: the entity of each rank */
    char given[16];                         /* time of day, "14:03" */
    unsigned field;                         /* the field that receives typing; the notes are last */
    bool fresh;                             /* the next digit replaces the number */
    char number[VOTE_RANKS_MAX][12];        /* the numbers as they were typed; of points, LEFT's and
                                             * RIGHT's */
    int choice;                             /* HUMAN, VERDICT: index; -1: none yet */
    struct ballot_values values;            /* values of the rules' other fields */
    char notes[VOTE_NOTES_MAX + 1];
    char hint[FORM_ABOUT]; /* the fault of the last key; "": none */
};

/* Makes an empty form. */
void form_begin(struct form *form, const struct vote_rules *rules);

/* Copies a vote into the form; if `whole` is false, only its notes and other fields. */
void form_set(struct form *form, const struct vote *vote, bool whole);

/* Gives the form a key. A closed form only reacts to F3. */
enum form_answer form_feed(struct form *form, enum input_what what, uint32_t point);

/* Opens a shown form FORM_QUIET_US after typed_us, the time of the last character or of the form's
 * appearance. Returns the time to ask again; UINT64_MAX: never. */
#define FORM_QUIET_US 5000000
uint64_t form_open_by_itself(struct form *form, uint64_t typed_us, uint64_t now_us);

/* Reads the vote from the form. BL_DATA: a part is missing; the message names it in words for the
 * judge. Notes and other fields are copied in any case. */
enum bl_status form_vote(const struct form *form, struct vote *vote, struct bl_diag *diag);

/* True if typing goes to the notes. */
bool form_in_notes(const struct form *form);

/* The title: the ballot's standing. *good: the judge has nothing left to do. */
#define FORM_WORDS 64
void form_standing_words(const struct form *form, char words[FORM_WORDS], bool *good);

/* The question. */
void form_question(const struct form *form, char text[FORM_ABOUT]);

/* The meanings of the numbers, one by one; NULL: the end. */
const char *form_anchor(const struct form *form, unsigned number);

/* The last line: the judge's next action, or the last fault. */
const char *form_foot(const struct form *form);

/* The number of the fields of the ballot's kind. The rules' other fields and the notes follow
 * them. */
unsigned form_fields(const struct form *form);

/* The label of one of the rules' other fields, from 0: "confidence, 0 to 100". */
void form_label(const struct form *form, unsigned number, char label[FORM_LABEL]);

/* True if typing goes to the rules' other field with this number, from 0. */
bool form_is_asked(const struct form *form, unsigned number);

#endif
