/* The contents of acts: one struct for each kind, its writing as the act's body, a JSON object, and
 * its reading. Members have the names of their keys. Numbers of people, rounds, trials and
 * questions are from 1; a missing member is 0, NULL or false. Texts and lists are the caller's, or
 * those of the body that was read. Pure.
 *
 * Bodies are hashed and never changed (act.h): a member may be added, and is then missing in the
 * acts of old contests; none is taken away. */
#ifndef CONTEST_ACT_BODY_H
#define CONTEST_ACT_BODY_H

#include "contest/contest.h"

#include <jansson.h>

/* Somebody who is there: "role" and "number". */
struct act_who {
    enum contest_role role;
    int64_t number; /* 0: nobody */
};

/* A vote of the judges, or of a panel of three. */
struct act_votes {
    bool given;
    int64_t for_it, against; /* "for" and "against" */
    int64_t judges; /* number of them in the contest; acts of old contests count former ones too */
    bool panel;
};

/* Entries by their numbers, in this order. */
struct act_entries {
    unsigned count;
    uint8_t entry[SCHEDULE_PEOPLE_MAX];
};

/* Names: "Ann Lee, Bo Lee", to be written; or the list of them that was read. */
struct act_names {
    const char *text;
    json_t *list;
};

/* The first act, once: the contest's name, and the whole text of its ruleset. */
struct act_contest {
    const char *name, *ruleset;
    bool
        signatures; /* ballots count only if a judge's machine that was confirmed has signed them */
};

/* Somebody, or an Entry, is registered. Most is said of Entries alone. */
struct act_person {
    enum contest_role role;
    const char *name;
    struct act_names family; /* and immediate associates */
    const char *submitter;
    struct act_names team;
    int64_t age; /* of the submitter */
    bool guardian, rights, receipt;
    int64_t received_us; /* its stamp, or the date of appearance */
    const char *how;     /* courier, installs, brings */
    bool own;            /* the organiser's */
    const char *comms;   /* its communications program: 2004 A6 */
    const char *why;     /* it comes before or after its days, and is taken all the same */
    bool unknown;        /* a confederate, to the judges */
    bool chief;          /* of the preliminary judges: 2003 r34 */
    bool moves; /* an Entry, and confederates are counted on behind it; old acts moved no meeting */
};

/* Names that were not known when somebody was registered. 2003 r10, r41, r52. */
struct act_interests {
    struct act_who who;
    struct act_names family, team; /* the team: of an Entry */
};

/* A delivery after an Entry's registration: its communications program (2004 A6, A8.1), else the
 * program of the final round, or a later version of it (2003 r23, r24). */
struct act_deliver {
    int64_t entry;
    const char *what;
    int64_t received_us; /* the act's time if not said */
    bool comms;
    const char *why; /* it is late, or the final round has begun */
};

/* Days as "2003-06-30", UTC, by their names in rulesets, in the place of the rules' own; and where
 * the contest is held. */
struct act_dates {
    const char *date[RULESET_DATES], *venue, *why;
};

/* The name X in the opening words of an Entry or a confederate. 2004 A3. */
struct act_approve {
    struct act_who who;
    const char *name;
};

/* Two who may not meet. */
struct act_conflict {
    struct act_who who, with; /* "with_role" and "with_number" */
    const char *why;
};

/* From now on. */
struct act_withdraw {
    struct act_who who;
    const char *why;
};

/* Another name for the same person or Entry. */
struct act_rename {
    struct act_who who;
    const char *name, *why;
};

/* Somebody else sits on a judge's or confederate's place in the rounds that have not begun; the
 * ballots go on in the same column. */
struct act_substitute {
    struct act_who who;
    const char *name, *why;
    int64_t round;           /* he sits there already in this one, the last that has begun */
    struct act_names family; /* in the place of the other's */
    bool unknown;            /* a confederate, to the judges */
};

/* A referee limits a confederate's messages. It replaces an earlier limit, and holds for this
 * person alone. Only where the ruleset has such a rule: 1996 r15, 2003 r53. */
struct act_limit {
    struct act_who who;
    const char *text, *why;
};

/* The session was spoiled: it is held once more under a new name, and a ballot given on it counts
 * no longer. */
struct act_repeat {
    int64_t round, judge;
    bool further; /* it was not: one more opportunity, until whose ballot the first one counts */
    const char *why;
};

/* A judge's machine whose words the manager has compared on both screens: its ballots are taken. Or
 * those confirmed at a place are withdrawn: from then on nothing that they have signed is. */
struct act_machine {
    const char *place;       /* "booth-1-judge" */
    const char *fingerprint; /* of its key, in hex; NULL where it is withdrawn */
    bool withdrawn;
    const char *why;
};

/* Of several ballot files of a session, or of a judge's ranks, the one that counts: its ballot was
 * recorded just before. The others that were there at the time are told no more. */
struct act_settle {
    const char *session;
    int64_t file, of;
    const char *hash; /* BLAKE2b-256 of the file, in hex */
    const char *why;
};

/* Takes back one of these: the begin of the last round that has begun, as long as it has no
 * ballots; somebody's withdrawal or limit; the disqualification of an Entry; the seal of the last
 * round that is sealed; the ballot of a session. A late one that was taken back is not waited for,
 * nor taken again as late. */
struct act_undo {
    const char *what; /* one of ACT_UNDONE */
    struct act_who who;
    int64_t entry;
    int64_t round, judge; /* of the session whose ballot it is */
    const char *why;
};

/* The commitment to the draw's seed. */
struct act_commit {
    const char *commitment; /* in hex */
    int64_t draw;           /* the method (draw.h); not said: 1 */
    const char *public;     /* the yet unknown value to be mixed in */
    bool lost;              /* the seed of the one before is, for this reason: */
    const char *why;
};

/* The draw's seed, which matches its commitment, and the public value. */
struct act_seed {
    const char *seed;       /* in hex */
    const char *value, *by; /* and who stated it */
};

/* Replaces the rounds that have not begun. */
struct act_schedule {
    json_t *rounds;     /* [[[judge, entry, confederate], ...], ...], or [judge, candidate] */
    int64_t order_from; /* the first round (of all) whose place is drawn: entities met singly */
    int64_t games;      /* of a design, without rounds: booths, for which the seed draws games */
    bool anew; /* after a draw: these rounds wait for another; not in acts of old contests */
};

/* A round has begun; its sides are fixed. */
struct act_begin {
    int64_t round;
    bool present; /* nobody who meets in it is withdrawn; acts of old contests do not say so */
    const char *why;
};

/* A judge's ballot on a pair, or on the candidate he met alone. */
struct act_ballot {
    int64_t judge, entry, confederate, candidate;
    int64_t trial;   /* the last begun if not said */
    json_t *vote;    /* the kind's parts of an object (ballot_kind.h): the body itself */
    bool correction; /* it replaces one */
    bool late;       /* it was given after the moment of sealing */
    bool further;    /* of a further session, which counts from then on */
    const char *notes;
};

/* A judge's ranks; a later ballot they do not fit makes them void. */
struct act_ranks {
    int64_t judge, trial;
    json_t *ranks; /* [[candidate, rank], ...]: Entries, then confederates */
    bool correction;
};

/* No correction afterwards: of the ballots until this round, or of the whole contest. */
struct act_seal {
    int64_t round;
    const char *why;
};

/* By a majority of the judges (2003 r43), by a panel's (r38), or by the organiser (r8, r59). */
struct act_disqualify {
    int64_t entry;
    struct act_votes votes;
    bool organiser;
    const char *why;
};

/* An Entry's score in the Prelim Eight. 2004 A8.4. */
struct act_prelim {
    int64_t entry, numerator, denominator;
};

/* The Entries of a preliminary judge, before the lists; and his list, the best first. 2003 r34. */
struct act_allot {
    int64_t judge;
    struct act_entries entries;
};
struct act_list {
    int64_t judge;
    struct act_entries entries;
    bool correction;
};

/* Of the screening: a question an Entry was asked, the points it got for it, and their sum, where
 * the answers are not kept here. 2004 A9, 2009 §4. */
struct act_answer {
    int64_t entry, question;
    const char *kind, *asked, *answer;
    int64_t ms;
};
struct act_score {
    int64_t entry, question, points;
};
struct act_screened {
    int64_t entry, points;
};

/* An Entry is invited (1996 r13, 2003 r37), chosen, or lost (2003 r16, r22): 2004 A10. */
struct act_selected {
    int64_t entry;
    bool undo;  /* no longer */
    bool final; /* choose: among equals at the second of two cuts (2004, 2009) */
    const char *why;
};

/* The finalists, whom the rules select; before the first round. */
struct act_final {
    struct act_entries entries;
    const char *why; /* they are named after their day (1996 r13, 2003 r39, 2009 §1) */
};

enum act_majority { MAJORITY_NOT_SAID, MAJORITY_NO, MAJORITY_YES };

/* The judges' choice between equals. 2003 r50: without a majority the coin decides. */
struct act_confer {
    int64_t entry;
    struct act_votes votes;
    int64_t place;              /* 1 if not said */
    struct act_entries among;   /* the equals; acts of old contests are on the place */
    enum act_majority majority; /* acts of old contests are one, and do not say so */
    const char *why;
};

/* The judges' answer to a matter of dispute that is no tie: yes or no by a majority, else a coin's.
 * 2003 r50. */
struct act_dispute {
    const char *matter; /* a question */
    int64_t entry;      /* the Entry whose disqualification it is: yes disqualifies it */
    struct act_votes votes;
    const char *why;
};

/* First the commitment, later the seed that matches it, both in hex. */
struct act_coin {
    const char *commitment, *seed;
    bool after_conference;    /* 2003 r50; old acts do not have it */
    struct act_entries among; /* with the commitment; old acts are on all places */
    int64_t dispute;          /* or, with the commitment: about the dispute of that number */
};

/* Not to be published (2003 r17); and an Entry's program was erased. */
struct act_phrase {
    const char *text, *why;
};
struct act_erased {
    int64_t entry;
    const char *why;
};

/* The answers of a judge or confederate to the survey of the rules. */
struct act_survey {
    struct act_who who;
    int64_t sitter;   /* the first, second ... person who sat on that place */
    const char *page; /* before or after */
    json_t *fields;   /* the answers; NULL: none */
    bool correction;
    const char *notes;
};

/* The rounds that come are those of the next trial. Long bet II ¶4. */
struct act_trial {
    bool nothing; /* its body is empty; C wants a member */
};

/* Every kind: its name in the file and in struct act_body, ACT_NAME, and its struct. */
/* clang-format off */
#define EACH_ACT(_) \
    _(contest, CONTEST, contest) _(person, PERSON, person) _(deliver, DELIVER, deliver) \
    _(dates, DATES, dates) _(conflict, CONFLICT, conflict) _(approve, APPROVE, approve) \
    _(withdraw, WITHDRAW, withdraw) _(commit, COMMIT, commit) _(schedule, SCHEDULE, schedule) \
    _(seed, SEED, seed) _(begin, BEGIN, begin) _(ballot, BALLOT, ballot) _(ranks, RANKS, ranks) \
    _(seal, SEAL, seal) _(disqualify, DISQUALIFY, disqualify) _(prelim, PRELIM, prelim) \
    _(confer, CONFER, confer) _(coin, COIN, coin) _(phrase, PHRASE, phrase) \
    _(erased, ERASED, erased) _(answer, ANSWER, answer) _(score, SCORE, score) \
    _(invite, INVITE, selected) _(choose, CHOOSE, selected) _(lose, LOSE, selected) \
    _(allot, ALLOT, allot) _(list, LIST, list) _(screened, SCREENED, screened) \
    _(final, FINAL, final) _(trial, TRIAL, trial) _(rename, RENAME, rename) _(undo, UNDO, undo) \
    _(dispute, DISPUTE, dispute) _(interests, INTERESTS, interests) _(substitute, SUBSTITUTE, substitute) \
    _(repeat, REPEAT, repeat) _(limit, LIMIT, limit) _(settle, SETTLE, settle) \
    _(machine, MACHINE, machine) _(exclude, EXCLUDE, repeat) _(survey, SURVEY, survey)
#define ACT_KIND(name, NAME, of)   ACT_##NAME,
#define ACT_MEMBER(name, NAME, of) struct act_##of name;
/* clang-format on */

enum act_kind { EACH_ACT(ACT_KIND) ACT_KINDS };

struct act_body {
    enum act_kind kind;
    union {
        EACH_ACT(ACT_MEMBER)
    };
};

#undef ACT_KIND
#undef ACT_MEMBER

/* "rename". And the kind of that name; false: there is none. */
const char *act_kind_name(enum act_kind kind);
bool act_kind_find(const char *name, enum act_kind *kind);

/* The place of a kind's reason; NULL: it has none. */
const char **act_body_why(struct act_body *body);

/* The acts that are taken back, in words; and the member that says which: "who", "entry", "session"
 * for a round and a judge, "" where it is the last one. NULL: such an act is not taken back. */
#define ACT_UNDONE "begin, withdraw, disqualify, limit, seal, ballot or exclude"
const char *act_undo_key(const char *what);

/* Takes "closes=2026-06-30" or "venue=Brighton", whose text must live as long. BL_USAGE. */
enum bl_status act_dates_take(struct act_dates *act, const char *word, struct bl_diag *diag);

/* The body as JSON, which is the caller's; takes the references of rounds, ranks, answers
 * and a vote. Names lose the blanks at their ends. NULL: no memory, or a text is not UTF-8. */
json_t *act_body_write(const struct act_body *body);

/* Reads an act's body, which must live as long as `body` is used. BL_DATA: a member is missing or
 * of wrong form. */
enum bl_status act_body_read(struct act_body *body, enum act_kind kind, json_t *json,
                             struct bl_diag *diag);

/* BL_DATA: the number is not from `least` to `most`; of a field whose bounds the contest has. */
enum bl_status act_check_number(const char *key, int64_t number, int64_t least, int64_t most,
                                struct bl_diag *diag);

/* The same of a role's name; NULL is none. */
enum bl_status act_read_role(const char *key, const char *text, enum contest_role *role,
                             struct bl_diag *diag);

/* The same of a list of Entries. */
enum bl_status act_read_entries(const char *key, const json_t *list, struct act_entries *entries,
                                struct bl_diag *diag);

/* The same of a text of at most so many bytes, without control characters; as one of a list. */
enum bl_status act_read_line(const char *key, const json_t *value, int64_t most, const char **out,
                             struct bl_diag *diag);

#endif
