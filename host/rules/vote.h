/* A judge's vote: points, a choice of the human, a rating, a verdict, or ranks of the sessions of
 * several rounds. Pure. At the terminal entities are sides, and there are notes: that is a vote.
 * The manager's machine makes a ballot of it, for it knows the seats. ballot_kind.h has a row for
 * each kind.
 *
 * As text, in scripts and in ballot files:
 *
 *   left 60 right 40     points: whole, 100 in all, no tie: 2004 A15
 *   human left           which of the two is the human: 2009 §3a, §3b
 *   rating 3.25          0 to the ruleset's most, at most three decimals: 2003 r46, 1996 r17
 *   verdict machine      or human: long bet II ¶13
 *   ranks 4 1 2 3        of the sessions in their order, 1 the least human: 2009 §3b, long bet II
 *
 * and behind any of them the ruleset's other fields (ballot_field.h), and `notes` and a text to the
 * end of the line. */
#ifndef RULES_VOTE_H
#define RULES_VOTE_H

#include "base/status.h"
#include "rules/ballot_field.h"

#include <stdbool.h>
#include <stdint.h>

#define VOTE_NOTES_MAX   400  /* bytes */
#define VOTE_RATING_UNIT 1000 /* a rating of 3.25 is 3250 */
#define VOTE_RANKS_MAX   16
#define VOTE_TEXT_MAX    (VOTE_NOTES_MAX + 80 + BALLOT_VALUES_TEXT)

/* In the order of ballot_kind_words. BALLOT_RANKS stays the last: no ruleset's ballot is that. */
enum ballot_kind {
    BALLOT_NONE,
    BALLOT_POINTS,    /* 100 points between the two, 51 at least for one: 2004 A15 */
    BALLOT_HUMAN,     /* the choice of the human of the two: 2009 §3a, §3b */
    BALLOT_SCALE,     /* 0 to 5, fractions allowed: 2003 r46 */
    BALLOT_HOW_HUMAN, /* the degree of humanness, on a scale that the ruleset must state: 1996
                         r17 */
    BALLOT_VERDICT,   /* human or machine: long bet II */
    BALLOT_RANKS,     /* after the last round: 2009 §3b, long bet II */
    BALLOT_KINDS
};

/* The questions. */
struct vote_rules {
    enum ballot_kind kind;
    int most;       /* SCALE, HOW_HUMAN: the highest rating */
    unsigned ranks; /* RANKS: how many are ranked */
    struct ballot_asked asked;
};

struct vote {
    int16_t points[2];            /* of the left, of the right */
    uint8_t human;                /* HUMAN: 0 the left, 1 the right. VERDICT: 1 human, 0 machine */
    int32_t rating;               /* thousandths */
    uint8_t rank[VOTE_RANKS_MAX]; /* 0: none yet */
    struct ballot_values values;
    char notes[VOTE_NOTES_MAX + 1];
};

#define BALLOT_NOBODY 255

/* One judge on one entity, or on the two of a pair. Entries are numbered from 0, the confederates
 * after them. */
struct ballot {
    uint8_t judge;
    uint8_t trial;        /* of the long bet's session; else 0 */
    uint8_t entry;        /* pairs: the Entry; single: any candidate */
    uint8_t confederate;  /* pairs: 0 is the first confederate; single: BALLOT_NOBODY */
    int16_t entry_points; /* BALLOT_POINTS: the Entry's; the confederate has the rest of the 100 */
    int16_t confederate_points;
    bool entry_human; /* BALLOT_HUMAN: the Entry is the human; BALLOT_VERDICT: this candidate is */
    int32_t rating;   /* BALLOT_SCALE, BALLOT_HOW_HUMAN: thousandths */
    bool late;        /* given after the moment of sealing: 2009 §3a, 2004 B5 */
    bool further;     /* of a further session with the same: 1996 r14, 2003 r42 */
    int64_t act;      /* the number of its act, which has the judge's notes and fields */
    uint64_t fields;  /* ballot_values_digest() of its fields */
    /* Of a ballot that is read or recorded just now; else NULL. */
    const char *notes;
    const struct ballot_values *values;
};

/* BL_OK if it may be given. BL_DATA names the fault, in the judge's words. */
enum bl_status vote_check(const struct vote *vote, const struct vote_rules *rules,
                          struct bl_diag *diag);

/* Reads a text of length bytes and checks it. BL_DATA names the fault and the right form. */
enum bl_status vote_parse(struct vote *vote, const struct vote_rules *rules, const char *text,
                          size_t length, struct bl_diag *diag);

/* Writes it as text, without an end of line. Returns the length. */
size_t vote_format(const struct vote *vote, const struct vote_rules *rules,
                   char out[VOTE_TEXT_MAX + 1]);

/* A rating of digits with a point or a comma, "3", "3.25": false if it is none, has more than three
 * decimals or is over 9999. */
bool vote_rating_parse(const char *text, size_t length, int32_t *rating);
void vote_rating_format(int32_t rating, char out[12]); /* "3.25" */

/* Notes are one line of UTF-8 without controls, of VOTE_NOTES_MAX bytes at most. */
bool vote_notes_good(const char *notes, size_t length);

bool vote_equal(const struct vote *a, const struct vote *b, const struct vote_rules *rules);

#endif
