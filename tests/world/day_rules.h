/* Rulesets as a day in the world knows them: written from the rules, not from the program. */
#ifndef WORLD_DAY_RULES_H
#define WORLD_DAY_RULES_H

#include <stdbool.h>
#include <stddef.h>

enum asked { ASKED_RATING, ASKED_HUMAN, ASKED_POINTS, ASKED_VERDICT };

struct day_rules {
    const char *name, *plan; /* plan: the rules' own, shortened */
    const char *whole;       /* a venue's, where the rules name none; NULL: as they are */
    enum asked asked;        /* of a judge, after each session */
    int most;                /* a rating's */
    bool pairs;              /* he meets two entities at once */
    bool reasoned;           /* he says how sure he is, and why */
    int surest;              /* how sure from 1 to so much; 0: from 0 to 100 */
    bool rates;              /* rates are all that comes of it: nobody wins */
    bool ranked;             /* he ranks after the last round: 2009 §3b, long bet II */
    const char *opening;     /* the first words of everybody, 2004 A3; "": none */
    const char *least;       /* of 2003 r30, a line of the ruleset: "answer-least = 5" */
    unsigned judges, entries, confederates; /* 2003 r40, long bet I; 0: as there are booths */
    unsigned trials;                        /* long bet II; 0: there are none */
    bool offline;                           /* no telecommunications: no desk */
    bool comms;                             /* 2004 A6: each Entry has a communications program */
};

enum {
    DAY_1996,
    DAY_2003,
    DAY_2004,
    DAY_2009,
    DAY_2010,
    DAY_2011,
    DAY_2012,
    DAY_2013,
    DAY_LONG_BET,
    DAY_2025,
    DAY_TWO_PARTY_2023,
    DAY_TWO_PARTY_2024,
    DAY_DRAWN,             /* of the rules above by a seed: more would change all days */
    DAY_CLASS = DAY_DRAWN, /* a lesson's, by name alone */
    DAY_RULES
};
extern const struct day_rules day_rules[DAY_RULES];

/* People for so many booths. */
void day_people(const struct day_rules *rules, unsigned booths, unsigned *judges, unsigned *entries,
                unsigned *confederates);

#endif
