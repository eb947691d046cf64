/* A judge's vote: points, a choice of the human, a rating, a verdict, or ranks of the sessions of
 * several rounds. Pure. A vote names entities by sides. The manager's machine makes a ballot from
 * the vote and the seats. ballot_kind.h has a row for each kind.
 *
 * As text, in scripts and in ballot files:
 *
 *   left 60 right 40     points: whole, 100 in all, no tie: 2004 A15
 *   human left           which of the two is the human: 2009 §3a, §3b
 *   rating 3.25          0 to the ruleset's most, at most three decimals: 2003 r46, 1996 r17
 *   verdict machine      or human: long bet II ¶13
 *   ranks 4 1 2 3        of the sessions in their order, 1 the least human: 2009 §3b, long bet II
 *   survey               a person's answers, which are fields alone
 *
 * and after any of these the ruleset's other fields (ballot_field.h), then `notes` and a text to
 * the end of the line. */
#ifndef RULES_VOTE_H
#define RULES_VOTE_H

#include "base/status.h"
#include "rules/ballot_field.h"
#include "rules/number.h"

#include <stdbool.h>
#include <stdint.h>

#define VOTE_NOTES_MAX   400  /* bytes */
#define VOTE_RATING_UNIT 1000 /* a rating of 3.25 is stored as 3250 */
#define VOTE_RANKS_MAX   16
#define VOTE_TEXT_MAX    (VOTE_NOTES_MAX + 80 + BALLOT_VALUES_TEXT)

/* In the order of ballot_kind_words. Kinds from BALLOT_RANKS on are no ruleset's ballot. */
enum ballot_kind {
    BALLOT_NONE,
    BALLOT_POINTS,    /* 100 points divided between two, at least 51 for one: 2004 A15 */
    BALLOT_HUMAN,     /* the human of the two: 2009 §3a, §3b */
    BALLOT_SCALE,     /* 0 to 5, fractions allowed: 2003 r46 */
    BALLOT_HOW_HUMAN, /* the degree of humanness, on a scale stated by the ruleset: 1996 r17 */
    BALLOT_VERDICT,   /* human or machine: long bet II */
    BALLOT_RANKS,     /* after the last round: 2009 §3b, long bet II */
    BALLOT_SURVEY, /* a person's answers before the first session or after the last: fields alone */
    BALLOT_KINDS
};

/* The questions of a ballot. */
struct vote_rules {
    enum ballot_kind kind;
    int most;       /* BALLOT_SCALE, BALLOT_HOW_HUMAN: the highest rating */
    unsigned ranks; /* BALLOT_RANKS: number of ranked entities */
    struct ballot_asked asked;
};

struct vote {
    int16_t points[2];            /* points of the left and the right side */
    uint8_t human;                /* BALLOT_HUMAN: 0 left, 1 right. BALLOT_VERDICT: 1 human, 0
                                   * machine */
    int32_t rating;               /* thousandths */
    uint8_t rank[VOTE_RANKS_MAX]; /* 0: none yet */
    struct ballot_values values;
    char notes[VOTE_NOTES_MAX + 1];
};

/* One judge's vote on one entity, or on a pair. Entries are numbered from 0, then the
 * confederates. */
struct ballot {
    person_number judge;
    uint8_t trial;             /* trial of the long bet's session; else 0 */
    person_number entry;       /* pairs: the Entry; single: any candidate */
    person_number confederate; /* pairs: 0 is the first confederate; single: PERSON_NOBODY */
    int16_t entry_points;      /* BALLOT_POINTS: the Entry's share of the 100 points */
    int16_t confederate_points;
    bool entry_human; /* the judge took the Entry (BALLOT_HUMAN) or this candidate (BALLOT_VERDICT)
                      * for the human */
    int32_t rating;   /* BALLOT_SCALE, BALLOT_HOW_HUMAN: thousandths */
    bool late;        /* given after the sealing: 2009 §3a, 2004 B5 */
    bool further;     /* a ballot on a further session with the same entity: 1996 r14, 2003 r42 */
    int64_t act;      /* number of the contest's act, which has the judge's notes and fields */
    uint64_t fields;  /* ballot_values_digest() of the fields */
    /* Set while a ballot is read or recorded; otherwise NULL. */
    const char *notes;
    const struct ballot_values *values;
};

/* Checks a vote. BL_DATA names the fault in the judge's words. */
enum bl_status vote_check(const struct vote *vote, const struct vote_rules *rules,
                          struct bl_diag *diag);

/* Parses and checks `length` bytes of text. BL_DATA names the fault and the correct form. */
enum bl_status vote_parse(struct vote *vote, const struct vote_rules *rules, const char *text,
                          size_t length, struct bl_diag *diag);

/* Writes the vote as text without a line end. Returns the length. */
size_t vote_format(const struct vote *vote, const struct vote_rules *rules,
                   char out[VOTE_TEXT_MAX + 1]);

/* Parses a rating with a point or a comma, "3" or "3.25". False: not a number, more than three
 * decimals, or above 9999. */
bool vote_rating_parse(const char *text, size_t length, int32_t *rating);
void vote_rating_format(int32_t rating, char out[12]); /* "3.25" */

/* True for valid notes: one line of UTF-8 without control characters, at most VOTE_NOTES_MAX
 * bytes. */
bool vote_notes_good(const char *notes, size_t length);

bool vote_equal(const struct vote *a, const struct vote *b, const struct vote_rules *rules);

#endif
