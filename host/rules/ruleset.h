/* The rules of a contest as data. Pure: reads text, not files. The rulesets of the program are in
 * host/share/rulesets/; each line there cites its rule. boothlink-ruleset(5) describes the format,
 * so a venue can write its own ruleset. A rule that needs steps is an algorithm in this folder; the
 * ruleset selects it by a word of an enum. */
#ifndef RULES_RULESET_H
#define RULES_RULESET_H

#include "base/status.h"
#include "rules/characters.h"
#include "rules/schedule.h"
#include "rules/vote.h"

#include <stdbool.h>
#include <stdint.h>

#define RULESET_TEXT_MAX 192
#define RULESET_RULE_MAX 80 /* bytes of the rules cited by a line */

/* In each enum 0 means "not said". */
enum ruleset_pairing {
    PAIRING_PAIRS = 1, /* a judge compares an Entry and a confederate */
    PAIRING_SINGLE,    /* a judge meets one entity at a time */
};

enum ruleset_ranks {
    RANKS_NONE = 1,
    RANKS_NON_HUMAN,  /* after the last round, of the entities judged non-human: 2009 §3b */
    RANKS_CANDIDATES, /* after the last round, of all candidates: long bet II */
};

enum ruleset_seal {
    SEAL_SESSION = 1, /* at the end of the session's last segment */
    SEAL_CONTEST,     /* at the end of the last round; earlier scores may be compared */
};

enum ruleset_scoring {
    SCORING_COLUMNS = 1, /* times an Entry got 51 or more: 2004 B1 to B4 */
    SCORING_VOTES,       /* times that judges took an Entry for the human: 2009 §3b */
    SCORING_MEANS,       /* arithmetic means of all ratings: 2003 r47 */
    SCORING_HIGHEST,     /* the highest mean rating, no further rule: 1996 r4 */
    SCORING_RATES,    /* share of judges that took each entity, confederates too, for the human; no
                    * winner */
    SCORING_LONG_BET, /* determination test and rank-order test: long bet II */
};

enum ruleset_selection {
    SELECTION_JURY = 1, /* up to a number, chosen by the organiser: 1996 r13 */
    SELECTION_PRELIM, /* eight are selected, else by mean ranks of a preliminary round: 2003 r32 to
                       * r37 */
    SELECTION_SCREEN_PRELIM, /* method by the number of Entries, 2 to 4, 5 to 8, 9 to 32, more: 2004
                              * A8 to A10 */
    SELECTION_SCREEN,        /* the first 16 by time stamp, then four by screening: 2009 §1, §4 */
    SELECTION_NONE,          /* one computer, provided by a party: long bet II */
};

enum ruleset_silver {
    SILVER_NONE = 1,
    SILVER_COLUMN_TWO,     /* column total of 2 or more: 2004 B2 */
    SILVER_NO_CONFEDERATE, /* no confederate is ranked above the Entry: 2003 r48 */
};

/* The condition on which an organiser's open-source Entry can win. */
enum ruleset_own {
    OWN_NO_WORD = 1,
    OWN_RESERVED, /* the money waits a year and the medal is reserved if nobody deserves them: 2004
                   * A2 */
    OWN_SILVER_ONLY, /* bronze: no medal, the money waits a year; silver goes to the developers:
                      * 2003 r60, r61 */
};

/* The people who may disqualify an Entry; 0 stands for both. */
enum ruleset_disqualify { DISQUALIFY_JUDGES = 1, DISQUALIFY_ORGANISER, DISQUALIFY_BOTH };

/* Keys are shown as they are typed (2004 A5, A6b and 2009 §2), or a message is shown when it is
 * complete. */
enum ruleset_pace { RULESET_PACE_KEYS = 1, RULESET_PACE_MESSAGE };

enum ruleset_word { WORD_YES = 1, WORD_NO };

/* The days of a contest. */
enum ruleset_date {
    DATE_OPENS,      /* the first day for handing in Entries: 2003 r11, 2009 §1 */
    DATE_CLOSES,     /* the last day for handing Entries in: 1996 r3, 2003 r11, 2009 §1 */
    DATE_SCHEDULED,  /* the day by which entrants say when the Entry is installed: 2009 §1 */
    DATE_SETTLED,    /* the last day for changing the day of the contest: 2009 §1 */
    DATE_MOVED_FROM, /* the earliest day of a moved contest: 2009 §1 */
    DATE_MOVED_TO,   /* the latest day of a moved contest */
    DATE_NOTIFIED,   /* the day by which the finalists are named: 1996 r13, 2003 r39, 2009 §1 */
    DATE_WORKING,    /* the day by which finalists' Entries work on site: 2003 r23 */
    DATE_UPDATED,    /* the last day for updates of Entries: 2003 r24 */
    DATE_HELD,       /* the final round: 1996 r13, 2003 r32, 2009 §1 */
    RULESET_DATES
};

/* The names of the days in files. */
/* clang-format off */
#define EACH_DATE(_) \
    _(OPENS, "opens"), _(CLOSES, "closes"), _(SCHEDULED, "scheduled"), _(SETTLED, "settled"), \
    _(MOVED_FROM, "moved-from"), _(MOVED_TO, "moved-to"), _(NOTIFIED, "notified"), \
    _(WORKING, "working"), _(UPDATED, "updated"), _(HELD, "held")
/* clang-format on */
#define RULESET_DATE_MAX 12

/* The result of a validator's check that fails, under these rules. */
enum ruleset_broken { BROKEN_FAILS = 1, BROKEN_WARNS, BROKEN_SKIPPED };

#define RULESET_CHECKS 96

struct ruleset_check {
    char id[24];   /* "talk.first" */
    int broken;    /* enum ruleset_broken */
    char cite[32]; /* "A3", without the prefix of the rules; "" if none */
};

#define RULESET_FIELDS 128 /* at least the rows of the table in ruleset.c */

/* A page of text with fields for each judge and confederate. BEFORE: before the person's first
 * session, as a consent and a questionnaire. AFTER: after the last, as a debriefing. */
enum ruleset_survey_page { SURVEY_BEFORE, SURVEY_AFTER, SURVEY_PAGES };
#define SURVEY_LINES 3

struct ruleset_survey {
    char line[SURVEY_LINES][RULESET_TEXT_MAX]; /* the first line empty: there is no such page */
    char field[SURVEY_LINES][RULESET_TEXT_MAX];
    struct ballot_asked asked;
};

struct ruleset {
    int format;
    char name[32], title[RULESET_TEXT_MAX];
    char cite[32]; /* the prefix of the rules' numbers: "2004" */

    int pairing;                  /* enum ruleset_pairing */
    char plan[RULESET_TEXT_MAX];  /* value of judge --plan; empty: the rules name no durations */
    char style[RULESET_TEXT_MAX]; /* split, scroll or web, with fields as in a ticket */
    int one_style;                /* enum ruleset_word: one style for the whole contest: 2003 r29 */
    char starts[8];               /* judge or either */
    int pace;                     /* enum ruleset_pace: how a venue may pace the entities' keys */
    int answer_least;  /* seconds from a message to its answer, for all entities: 2003 r30; 0: not
                       * said */
    int entry_network; /* enum entry_network: 1996 r9, 2003 r20; 0: not said */
    int desk_network;  /* enum desk_network, by the same rules; 0: not said */
    int characters;    /* enum characters; 0: all */
    int message_most;  /* characters of a message by anybody; 0: no limit */
    int turns;         /* enum turn_rule */
    int turn_seconds;  /* limit of strict turns; 0: no limit */
    char opening[RULESET_TEXT_MAX]; /* an entity's first words; X is an approved name; empty: any
                                     * words */

    int ballot;       /* enum ballot_kind */
    char kind_key[8]; /* the key that sets the kind: "kind" or "field1" */
    int seal, ranks;  /* enums above */
    int rating_most;  /* the highest rating of a rated kind */
    char field[BALLOT_FIELDS + 1]
              [RULESET_TEXT_MAX]; /* the fields as written, including the kind's own */
    struct ballot_asked asked;    /* the fields besides the kind's own */

    int scoring, silver; /* enums above */
    char ties
        [RULESET_TEXT_MAX]; /* ordered list of: points, prelim, mean-rank, confer, coin, manager */
    int early_verdict;      /* enum ruleset_word: giving a ballot ends the session */
    int reveal;             /* enum ruleset_seal: the human is named after it; 0: not said */
    int awarded;            /* number of ranks with an award: 2003 r58 */
    int most_human_human;   /* enum ruleset_word: a confederate gets an award: 1996 */
    int successor; /* enum ruleset_word: the next Entry replaces a disqualified winner: 2003 r59 */
    int prize, prize_next_year; /* dollars; added to the next year's prize if there is no Entry */
    int prize_silver;           /* dollars with a silver medal; 0: not said */
    int single_entry_wins;      /* enum ruleset_word */
    int own_entry;              /* enum ruleset_own */
    char after_silver[RULESET_TEXT_MAX]; /* the consequence of a silver medal: 2003 r49 */
    char after_pass[RULESET_TEXT_MAX];   /* the consequence of a passed test: long bet II ¶16 */
    char after_fail[RULESET_TEXT_MAX];   /* the consequence of a failed test */
    char pass_by[RULESET_DATE_MAX];      /* the last day on which a pass counts; "" if any */
    int disqualify;                      /* enum ruleset_disqualify */
    int disputes;       /* enum ruleset_word: the judges confer on a dispute, then toss a coin: 2003
                   * r50 */
    int referees_limit; /* enum ruleset_word: referees limit confederates' messages: 1996 r15, 2003
                         * r53 */
    int further; /* enum ruleset_word: further sessions of the same judge and entity: 1996 r14, 2003
                  * r42 */
    char design[RULESET_TEXT_MAX]; /* see games.h; empty: all judges meet all entities */
    int excused_apart; /* enum ruleset_word: excused judges and confederates stay apart: 2004 B5,
                        * 2009 §3b */
    int differ;        /* enum ruleset_word: Entries differ in essence: 2003 r38 */

    int judges_least, entries_least, confederates_least, entries_most; /* final round */
    int trials_least;                                          /* long bet: trials in a session */
    int trials_needed;                                         /* trials to pass; 0: not said */
    int judge_load_most, entry_judges_least;                   /* preliminary: 2003 r34 */
    int selection, screened_most, reserves;                    /* reserves 0: not said */
    int entries_each, guardian_age, rights_statement, receipt; /* demands of the register */
    int interests;     /* enum ruleset_word: interests are declared: 2003 r10, r41, r52 */
    int foils_unknown; /* enum ruleset_word: judges do not know the foils: long bet II ¶7 */
    int comms; /* enum ruleset_word: each Entry has its own communications program: 2004 A6, A8.1 */
    int erase; /* enum ruleset_word: Entries are erased from the machines afterwards: 2003 r28 */

    char date[RULESET_DATES][RULESET_DATE_MAX]; /* "2003-06-30"; "": the rules name none */

    char transcript[16]; /* a format's name, as listed by `transcript formats` */
    int phrases_deleted; /* enum ruleset_word: the published copy may be edited: 2003 r17 */
    char header[3][RULESET_TEXT_MAX];
    char notice[RULESET_TEXT_MAX]; /* a notice to everybody that transcripts will be published */
    int names; /* enum ruleset_word; WORD_NO: all that is published is without names */
    char judge_says[3][RULESET_TEXT_MAX], confederate_says[3][RULESET_TEXT_MAX];
    char entrant_says[3][RULESET_TEXT_MAX], prelim_says[3][RULESET_TEXT_MAX];

    struct ruleset_survey survey[SURVEY_PAGES];

    struct schedule printed; /* count 0: the rules have no printed schedule */

    struct ruleset_check check[RULESET_CHECKS];
    unsigned checks;

    char rule[RULESET_FIELDS][RULESET_RULE_MAX]; /* see ruleset_rule() */
};

/* Parses text, a C string; `name` is for messages. The struct is large (50 KiB). BL_DATA with
 * "NAME:LINE: ..." or "NAME: ...": a fault of fields_read(), rounds out of order or with a person
 * twice, contradicting parts (ranks with points, a rating without its scale), an unknown way to
 * break a tie. */
enum bl_status ruleset_parse(struct ruleset *ruleset, const char *text, const char *name,
                             struct bl_diag *diag);

/* The questions that a ballot asks the judge. */
struct vote_rules ruleset_vote(const struct ruleset *ruleset);

/* The name of a day in [dates]: "opens", "closes" and so on. */
const char *ruleset_date_name(enum ruleset_date date);

/* Converts "2003-06-30" to days since 1970. False if the calendar has no such day. */
bool ruleset_day(const char *text, int64_t *day);

/* Writes the day of a time in us since 1970; the year must be below 10000. */
void ruleset_day_text(int64_t us, char out[RULESET_DATE_MAX]);

/* The rules cited by a line's comment, for messages and records. */
struct rule {
    char text[RULESET_RULE_MAX]; /* "2004 B3" */
};

/* Returns the citation of a line. For "ties = points, prelim ; B3, B4: why" it is "2004 B3, B4";
 * with `which` 0 it is "2004 B3", with 1 or more "2004 B4". Without a citation: the ruleset's name.
 * key: in the table in ruleset.c. */
#define RULE_ALL (-1)
struct rule ruleset_rule(const struct ruleset *ruleset, const char *section, const char *key,
                         int which);

#endif
