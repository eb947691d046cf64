/* A table with a row for each kind of ballot. Pure. */
#ifndef RULES_BALLOT_KIND_H
#define RULES_BALLOT_KIND_H

#include "rules/vote.h"

#include <jansson.h>

/* The value of a ballot for one entity. */
struct ballot_worth {
    bool win; /* the judge chose the entity as the more human, or as the human */
    int points;
    int32_t rating; /* thousandths; -1: no rating */
};

/* The layout of the kind's own fields on the judge's screen. */
enum ballot_layout {
    FIELDS_NONE,
    FIELDS_SIDES,  /* one number for each side */
    FIELDS_ONE,    /* one number */
    FIELDS_LIST,   /* one number for each candidate of a list */
    FIELDS_CHOICE, /* one of two keys */
};

#define BALLOT_WORDS_MAX 48
#define BALLOT_FIELD_MAX 12 /* bytes of a typed number */
#define BALLOT_SAY_MAX   120

/* The unread rest of a vote's text; one blank separates the words. */
struct vote_words {
    const char *at, *end;
};

/* Takes the expected word from the front. False: another word. */
bool vote_take_word(struct vote_words *words, const char *expected);

/* Takes the next word. Returns its length; 0: the end. */
size_t vote_next_word(struct vote_words *words, const char **word);

struct ballot_row {
    const char *name; /* "points" */

    /* The rules that this kind may be combined with: sets of 1 << enum ruleset_scoring and of 1 <<
     * enum ruleset_ranks. Bit 0: no ranks. */
    bool pair;  /* compares two entities; false: judges one alone */
    bool rated; /* the ruleset states the highest rating */
    unsigned scorings, ranks;

    /* The vote and its text, which vote.h describes. */
    struct ballot_field own; /* the field that selects the kind in a ruleset; rated: its range
                              * begins at 0 */
    const char *form;        /* the correct form, for messages */
    bool (*parse)(struct vote_words *words, const struct vote_rules *rules, struct vote *vote);
    size_t (*print)(const struct vote *vote, const struct vote_rules *rules, char *out,
                    size_t size);
    enum bl_status (*check)(const struct vote *vote, const struct vote_rules *rules,
                            struct bl_diag *diag);

    /* The ballot. All members are NULL for ranks and surveys. */
    void (*assign)(const struct vote *vote, unsigned side,
                   struct ballot *ballot); /* side: the Entry's side */
    bool (*read)(const char *word,
                 struct ballot *ballot); /* parses the argument of "contest ballot" */
    void (*write)(const struct ballot *ballot, char out[BALLOT_WORDS_MAX]);
    const char *word; /* the words that `read` accepts, for messages */
    bool (*from_json)(const json_t *act, struct ballot *ballot);
    void (*to_json)(const struct ballot *ballot, json_t *act);
    const char *json; /* the member's form, for messages */
    /* Values: [0] of the Entry, or of a candidate met alone; [1] of the confederate. */
    void (*worth)(const struct ballot *ballot, struct ballot_worth out[2]);
    void (*cell)(const struct ballot *ballot, char out[BALLOT_WORDS_MAX]); /* a cell of a report */
    const char *explain; /* explains the report's cells */

    /* The form. Numbers are kept as text while they are typed. */
    enum ballot_layout fields;
    bool shares;               /* FIELDS_SIDES: one number is 100 minus the other */
    bool decimals;             /* numbers may have decimals */
    const char *question;      /* may have one %d, for `most` or `ranks` */
    const char *missing;       /* the remedy if a value is missing */
    const char *key, *said[2]; /* FIELDS_CHOICE: the keys for 0 and 1, and their meanings */
    bool anchors;              /* shows the six words of 2003 r46 where the highest rating is 5 */
    /* `refuse` returns true, and the reason, for a number's text that is not accepted. `take`
     * copies a field's text into the vote, `show` copies it back. */
    bool (*refuse)(const struct vote_rules *rules, const char *text, char out[BALLOT_SAY_MAX]);
    bool (*take)(struct vote *vote, unsigned i, const char *text);
    void (*show)(const struct vote *vote, unsigned i, char out[BALLOT_FIELD_MAX]);

    /* Returns the side to be ranked after a ballot of this kind: 0 left, 1 right; `only` is the
     * side of an entity met alone. *words are shown beside the rank. NULL: no ranks follow. */
    unsigned (*ranked)(const struct vote *vote, unsigned only, const char **words);
};

/* Checks a ballot's values as vote_check() checks a vote's. */
enum bl_status ballot_check_vote(const struct ballot *ballot, const struct vote_rules *rules,
                                 struct bl_diag *diag);

/* The row of a kind, never NULL; the row of BALLOT_NONE is empty. */
const struct ballot_row *ballot_row(int kind);

const char *ballot_kind_name(enum ballot_kind kind); /* "points", "none" */
/* Finds the kind with this field as its own, and the highest rating of a rated kind. False:
 * none. */
bool ballot_kind_of(const struct ballot_field *field, int *kind, int *most);

/* Writes the kind's own field, with the highest rating of a rated kind. False: the kind has
 * none. */
bool ballot_kind_field(enum ballot_kind kind, int most, struct ballot_field *field);

bool ballot_kind_find(const char *name, size_t length, enum ballot_kind *kind);

/* The words of a ruleset, in the enum's order from BALLOT_POINTS; ends with NULL. */
extern const char *const ballot_kind_words[BALLOT_RANKS];

#endif
