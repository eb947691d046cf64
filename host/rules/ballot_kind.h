/* One row for each kind of ballot: whatever depends on the kind stands there, so a new kind is a
 * word of the enum in vote.h and a row in ballot_kind.c. Pure. */
#ifndef RULES_BALLOT_KIND_H
#define RULES_BALLOT_KIND_H

#include "rules/vote.h"

#include <jansson.h>

/* A ballot's worth for one entity. */
struct ballot_worth {
    bool win; /* it was the more human one, or taken for a human */
    int points;
    int32_t rating; /* thousandths; -1: none */
};

/* The layout of the kind's own fields on the judge's screen. */
enum ballot_layout {
    FIELDS_NONE,
    FIELDS_SIDES,  /* a number for the left, one for the right */
    FIELDS_ONE,    /* one number */
    FIELDS_LIST,   /* a number for each of a list */
    FIELDS_CHOICE, /* one key of two */
};

#define BALLOT_WORDS_MAX 48
#define BALLOT_FIELD_MAX 12 /* a number as it is typed */
#define BALLOT_SAY_MAX   120

/* Words are separated by one blank. */
struct vote_words {
    const char *at, *end;
};

/* Takes this word off the front, if it is there. */
bool vote_take_word(struct vote_words *words, const char *expected);

/* The next word; its length is 0 at the end. */
size_t vote_next_word(struct vote_words *words, const char **word);

struct ballot_row {
    const char *name; /* "points" */

    /* The rules it may be combined with; sets of 1 << enum ruleset_scoring and of 1 << enum
     * ruleset_ranks, 1 being ranks not said. */
    bool pair;  /* two are compared; else an entity is met alone */
    bool rated; /* the ruleset states the highest rating */
    unsigned scorings, ranks;

    /* The vote, as vote.h describes its text. */
    struct ballot_field own; /* as a ruleset has it; rated: from 0 to any highest rating */
    const char *form;        /* the right form, for messages */
    bool (*parse)(struct vote_words *words, const struct vote_rules *rules, struct vote *vote);
    size_t (*print)(const struct vote *vote, const struct vote_rules *rules, char *out,
                    size_t size);
    enum bl_status (*check)(const struct vote *vote, const struct vote_rules *rules,
                            struct bl_diag *diag);

    /* The ballot. All are NULL for ranks, which are acts of their own. */
    void (*assign)(const struct vote *vote, unsigned side, struct ballot *ballot); /* the Entry's */
    bool (*read)(const char *word, struct ballot *ballot); /* as "contest ballot" takes it */
    void (*write)(const struct ballot *ballot, char out[BALLOT_WORDS_MAX]);
    const char *word; /* the words that `read` takes, for messages */
    bool (*from_json)(const json_t *act, struct ballot *ballot);
    void (*to_json)(const struct ballot *ballot, json_t *act);
    const char *json; /* for messages */
    /* Of the Entry, or the one who was met, and of the confederate. */
    void (*worth)(const struct ballot *ballot, struct ballot_worth out[2]);
    void (*cell)(const struct ballot *ballot, char out[BALLOT_WORDS_MAX]); /* of a report */
    const char *explain;                                                   /* its cells */

    /* The form. Numbers are text while they are typed. */
    enum ballot_layout fields;
    bool shares;               /* SIDES: the other's number is the rest of 100 */
    bool decimals;             /* in its numbers */
    const char *question;      /* with at most one %d, of `most` or `ranks` */
    const char *missing;       /* the remedy when something is missing */
    const char *key, *said[2]; /* CHOICE: the words for zero and one, and their meanings */
    bool anchors;              /* the six words of 2003 r46 help where the highest rating is 5 */
    /* True if a number's text is refused, and the reason; a field's text into the vote, and
     * back. */
    bool (*refuse)(const struct vote_rules *rules, const char *text, char out[BALLOT_SAY_MAX]);
    bool (*take)(struct vote *vote, unsigned i, const char *text);
    void (*show)(const struct vote *vote, unsigned i, char out[BALLOT_FIELD_MAX]);

    /* For ranks that follow such ballots: the side to be ranked (0 left, 1 right; `only` if one was
     * met alone); *words are those the form repeats of the vote. NULL: no ranks follow. */
    unsigned (*ranked)(const struct vote *vote, unsigned only, const char **words);
};

/* As vote_check(). */
enum bl_status ballot_check_vote(const struct ballot *ballot, const struct vote_rules *rules,
                                 struct bl_diag *diag);

/* Never NULL; BALLOT_NONE has an empty one. */
const struct ballot_row *ballot_row(int kind);

const char *ballot_kind_name(enum ballot_kind kind); /* "points", "none" */
/* The kind whose own field this is; rated: with the highest rating. False: of none. */
bool ballot_kind_of(const struct ballot_field *field, int *kind, int *most);

/* The kind's own field, with the highest rating where it is rated. False: it has none. */
bool ballot_kind_field(enum ballot_kind kind, int most, struct ballot_field *field);

bool ballot_kind_find(const char *name, size_t length, enum ballot_kind *kind);

/* Those of a ruleset, in the enum's order from BALLOT_POINTS; ends with NULL. */
extern const char *const ballot_kind_words[BALLOT_RANKS];

#endif
