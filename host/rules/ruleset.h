/* The rules of a contest as data. Pure: reads text, not files. Those that come with the program are
 * host/share/rulesets/, where each line cites its rule; boothlink-ruleset(5) describes the form, so
 * a venue can write its own. Whatever needs steps is the name of an algorithm in this folder, and
 * stands here as one of an enum's words. */
#ifndef RULES_RULESET_H
#define RULES_RULESET_H

#include "base/status.h"
#include "rules/characters.h"
#include "rules/schedule.h"
#include "rules/vote.h"

#include <stdbool.h>
#include <stdint.h>

#define RULESET_TEXT_MAX 192
#define RULESET_RULE_MAX 80 /* bytes of the rules a line cites */

/* In each enum 0 is "not said". */
enum ruleset_pairing {
    PAIRING_PAIRS = 1, /* a judge with an Entry and a confederate at once, to be compared */
    PAIRING_SINGLE,    /* a judge with one entity at a time */
};

enum ruleset_ranks {
    RANKS_NONE = 1,
    RANKS_NON_HUMAN,  /* after the last round, of those that were judged non-human: 2009 §3b */
    RANKS_CANDIDATES, /* of all candidates: long bet II */
};

enum ruleset_seal {
    SEAL_SESSION = 1, /* at the end of the session's last segment */
    SEAL_CONTEST,     /* at the end of the last round: earlier scores may be compared */
};

enum ruleset_scoring {
    SCORING_COLUMNS = 1, /* times an Entry got 51 or more: 2004 B1 to B4 */
    SCORING_VOTES,       /* times an Entry was taken for the human: 2009 §3b */
    SCORING_MEANS,       /* arithmetic means of all ratings: 2003 r47 */
    SCORING_HIGHEST,     /* the highest mean rating; no more is said: 1996 r4 */
    SCORING_RATES,       /* share of judges that took each, a confederate too, for the human; no
                            winner */
    SCORING_LONG_BET,    /* determination test and rank-order test: long bet II */
};

enum ruleset_selection {
    SELECTION_JURY = 1, /* up to a number, by the organiser's choice: 1996 r13 */
    SELECTION_PRELIM,   /* eight go on, else mean ranks of a preliminary round: 2003 r32 to r37 */
    SELECTION_SCREEN_PRELIM, /* 2 to 4, 5 to 8, 9 to 32, more: 2004 A8 to A10 */
    SELECTION_SCREEN,        /* the first 16 by time stamp, four by screening: 2009 §1, §4 */
    SELECTION_NONE,          /* one computer, provided by a party: long bet II */
};

enum ruleset_silver {
    SILVER_NONE = 1,
    SILVER_COLUMN_TWO,     /* column total of 2 or more: 2004 B2 */
    SILVER_NO_CONFEDERATE, /* no confederate ranked above: 2003 r48 */
};

/* The condition on which an open-source Entry of the organiser wins. */
enum ruleset_own {
    OWN_NO_WORD = 1,
    OWN_RESERVED,    /* without a deserving recipient the money waits a year, the medal is reserved:
                        2004 A2 */
    OWN_SILVER_ONLY, /* bronze: no medal, the money waits a year; silver: its developers': 2003 r60,
                        r61 */
};

/* The people who may disqualify; not said: both. */
enum ruleset_disqualify { DISQUALIFY_JUDGES = 1, DISQUALIFY_ORGANISER, DISQUALIFY_BOTH };

/* The choice between keys as they are typed (2004 A5, A6b and 2009 §2) and messages that wait until
 * they are complete. */
enum ruleset_pace { RULESET_PACE_KEYS = 1, RULESET_PACE_MESSAGE };

enum ruleset_word { WORD_YES = 1, WORD_NO };

/* The days of a contest. */
enum ruleset_date {
    DATE_OPENS,      /* Entries are taken from this day on: 2003 r11, 2009 §1 */
    DATE_CLOSES,     /* and up to this day, it included: 1996 r3, 2003 r11, 2009 §1 */
    DATE_SCHEDULED,  /* the day by which one's bringer has named its time: 2009 §1 */
    DATE_SETTLED,    /* after it the day of the contest is not changed: 2009 §1 */
    DATE_MOVED_FROM, /* the earliest day for a changed time: 2009 §1 */
    DATE_MOVED_TO,   /* nor after this one */
    DATE_NOTIFIED,   /* the finalists are named by then: 1996 r13, 2003 r39, 2009 §1 */
    DATE_WORKING,    /* their Entries are there in a working state by then: 2003 r23 */
    DATE_UPDATED,    /* and are brought up to date by then: 2003 r24 */
    DATE_HELD,       /* the final round: 1996 r13, 2003 r32, 2009 §1 */
    RULESET_DATES
};

/* Their names in files. */
/* clang-format off */
#define EACH_DATE(_) \
    _(OPENS, "opens"), _(CLOSES, "closes"), _(SCHEDULED, "scheduled"), _(SETTLED, "settled"), \
    _(MOVED_FROM, "moved-from"), _(MOVED_TO, "moved-to"), _(NOTIFIED, "notified"), \
    _(WORKING, "working"), _(UPDATED, "updated"), _(HELD, "held")
/* clang-format on */
#define RULESET_DATE_MAX 12

/* The standing of a validator's check under these rules. */
enum ruleset_broken { BROKEN_FAILS = 1, BROKEN_WARNS, BROKEN_SKIPPED };

#define RULESET_CHECKS 96

struct ruleset_check {
    char id[24];   /* "talk.first" */
    int broken;    /* enum ruleset_broken */
    char cite[32]; /* "A3", without the rules' own prefix; "" none */
};

#define RULESET_FIELDS 112 /* room for those of the table in ruleset.c */

struct ruleset {
    int format;
    char name[32], title[RULESET_TEXT_MAX];
    char cite[32]; /* before the numbers of its rules: "2004" */

    int pairing;                  /* enum ruleset_pairing */
    char plan[RULESET_TEXT_MAX];  /* as judge --plan takes it; empty: the rules name no durations */
    char style[RULESET_TEXT_MAX]; /* split, scroll or web, and its fields as in a ticket */
    int one_style;                /* enum ruleset_word: one style for the whole contest: 2003 r29 */
    char starts[8];               /* judge or either */
    int pace;                     /* enum ruleset_pace: how a venue may pace the entities' keys */
    int answer_least;             /* seconds from a submission to its answer, of all entities alike:
                                     2003 r30; 0: no word */
    int entry_network;            /* enum entry_network: 1996 r9, 2003 r20; 0: no word */
    int desk_network;             /* enum desk_network: the same rules; 0: no word */
    int characters;               /* enum characters; 0: all */
    int message_most;             /* characters of a message, whoever types it; 0: no limit */
    int turns;                    /* enum turn_rule */
    int turn_seconds;             /* of strict turns; 0: no limit */
    char opening[RULESET_TEXT_MAX]; /* an entity's first words to each judge, X being a name the
                                       manager has approved; empty: none are required */

    int ballot;                                      /* enum ballot_kind */
    char kind_key[8];                                /* the key that says so: "kind" or "field1" */
    int seal, ranks;                                 /* enums above */
    int rating_most;                                 /* of a rated kind of ballot: 0 to this */
    char field[BALLOT_FIELDS + 1][RULESET_TEXT_MAX]; /* as they are written, the kind's own too */
    struct ballot_asked asked;                       /* those beside the kind's own */

    int scoring, silver;                 /* enums above */
    char ties[RULESET_TEXT_MAX];         /* in this order, of: points, prelim, mean-rank, confer,
                                            coin, manager */
    int early_verdict;                   /* enum ruleset_word: a given ballot ends the session */
    int awarded;                         /* number of places with an award: 2003 r58 */
    int most_human_human;                /* enum ruleset_word: an award for a confederate: 1996 */
    int successor;                       /* enum ruleset_word: the next takes a disqualified
                                            winner's place: 2003 r59 */
    int prize, prize_next_year;          /* dollars; rolled over where there is no Entry */
    int prize_silver;                    /* dollars with a silver medal; 0: not said */
    int single_entry_wins;               /* enum ruleset_word */
    int own_entry;                       /* enum ruleset_own */
    char after_silver[RULESET_TEXT_MAX]; /* the consequence of a silver medal: 2003 r49 */
    char after_pass[RULESET_TEXT_MAX];   /* and from a passed test: long bet II ¶16 */
    char after_fail[RULESET_TEXT_MAX];   /* and from one that was not passed */
    char pass_by[RULESET_DATE_MAX];      /* the last day on which a pass counts; "" none */
    int disqualify;                      /* enum ruleset_disqualify */
    int disputes;       /* enum ruleset_word: the judges confer about any, then a coin: 2003 r50 */
    int referees_limit; /* enum ruleset_word: confederates' messages: 1996 r15, 2003 r53 */
    int further; /* enum ruleset_word: sessions of a judge with whom he met: 1996 r14, 2003 r42 */
    char design[RULESET_TEXT_MAX]; /* games.h; empty: everybody meets everybody */
    int excused_apart; /* enum ruleset_word: excused judges and confederates: 2004 B5, 2009 §3b */
    int differ;        /* enum ruleset_word: Entries in essence: 2003 r38 */

    int judges_least, entries_least, confederates_least, entries_most; /* of the final round */
    int trials_least;                                                  /* long bet: in a session */
    int trials_needed;                       /* of them to be passed; 0: not said */
    int judge_load_most, entry_judges_least; /* preliminary: 2003 r34 */
    int selection, screened_most, reserves;  /* reserves 0: not said */
    int entries_each, guardian_age, rights_statement, receipt; /* the questions of a register */
    int interests;     /* enum ruleset_word: 2003 r10, r41, r52 */
    int foils_unknown; /* enum ruleset_word: to the judges: long bet II ¶7 */
    int comms; /* enum ruleset_word: each Entry has its communications program: 2004 A6, A8.1 */
    int erase; /* enum ruleset_word: Entries are erased from the machines afterwards: 2003 r28 */

    char date[RULESET_DATES][RULESET_DATE_MAX]; /* "2003-06-30"; "": the rules name none */

    char transcript[16]; /* the format's name, as in `transcript formats` */
    int phrases_deleted; /* enum ruleset_word: the published copy may be edited: 2003 r17 */
    char header[3][RULESET_TEXT_MAX];
    char notice[RULESET_TEXT_MAX]; /* of publication, for all who take part */
    char judge_says[3][RULESET_TEXT_MAX], confederate_says[3][RULESET_TEXT_MAX];
    char entrant_says[3][RULESET_TEXT_MAX], prelim_says[3][RULESET_TEXT_MAX];

    struct schedule printed; /* count 0: the rules print no schedule */

    struct ruleset_check check[RULESET_CHECKS];
    unsigned checks;

    char rule[RULESET_FIELDS][RULESET_RULE_MAX]; /* see ruleset_rule() */
};

/* Parses text, a C string; name is for messages. The struct is large (50 KiB). BL_DATA with
 * "NAME:LINE: ..." or "NAME: ...": a finding of fields_read(), rounds that are not in order or book
 * somebody twice, parts that do not fit together (ranks with points, a rating without its scale),
 * an unknown way to break a tie. */
enum bl_status ruleset_parse(struct ruleset *ruleset, const char *text, const char *name,
                             struct bl_diag *diag);

/* The questions of a ballot to a judge. */
struct vote_rules ruleset_vote(const struct ruleset *ruleset);

/* "opens", "closes" and so on, as [dates] has them. */
const char *ruleset_date_name(enum ruleset_date date);

/* "2003-06-30" as days since 1970. False: it is no day of the calendar. */
bool ruleset_day(const char *text, int64_t *day);

/* The day of a time in us since 1970, before the year 10000. */
void ruleset_day_text(int64_t us, char out[RULESET_DATE_MAX]);

/* The rule a line cites in its comment, for messages and records. */
struct rule {
    char text[RULESET_RULE_MAX]; /* "2004 B3" */
};

/* For the line "ties = points, prelim ; B3, B4: why" it is "2004 B3, B4"; with `which` 0 only "2004
 * B3", with 1 or more "2004 B4", the last. The text behind the colon is for readers. If the line
 * cites nothing, or is missing, it is the ruleset's name. `key` must be in the table in
 * ruleset.c. */
#define RULE_ALL (-1)
struct rule ruleset_rule(const struct ruleset *ruleset, const char *section, const char *key,
                         int which);

#endif
