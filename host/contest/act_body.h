/* The contents of acts: a struct for each kind. An act's body is a JSON object. Most members have
 * the names of the object's keys. Numbers of people, rounds, trials and questions are from 1; a
 * missing member is 0, NULL or false. Texts and lists belong to the caller, or to the read JSON.
 * Pure.
 *
 * * Bodies are hashed and never changed (act.h): acts of old contests lack newer members. */
#ifndef CONTEST_ACT_BODY_H
#define CONTEST_ACT_BODY_H

#include "contest/contest.h"

#include <jansson.h>

/* A registered person or Entry: "role" and "number". */
struct act_who {
    enum contest_role role;
    int64_t number; /* 0: nobody */
};

/* A vote of the judges, or of a panel of three. */
struct act_votes {
    bool given;
    int64_t for_it, against; /* "for" and "against" */
    int64_t judges;          /* judges in the contest; in old acts, former judges as well */
    bool panel;
};

struct act_entries {
    unsigned count;
    uint8_t entry[SCHEDULE_ENTRIES_MAX];
};

/* Names. To be written: `text`, "Ann Lee, Bo Lee", or `list`. Read: `list`. */
struct act_names {
    const char *text;
    json_t *list;
};

/* The first act: the contest's name, and the whole text of its ruleset. */
struct act_contest {
    const char *name, *ruleset;
    bool signatures; /* a ballot needs the signature of a judge's confirmed machine */
};

/* Registers a person or an Entry. Most members are for Entries alone. */
struct act_person {
    enum contest_role role;
    const char *name;
    struct act_names family; /* family and immediate associates */
    const char *submitter;
    struct act_names team;
    int64_t age; /* of the submitter */
    bool guardian, rights, receipt;
    int64_t received_us; /* the Entry's time stamp, or date of appearance */
    const char *how;     /* courier, installs, brings */
    bool own;            /* the organiser's Entry */
    const char *comms;   /* its communications program: 2004 A6 */
    const char *why;     /* the reason for taking an Entry outside its days */
    bool unknown;        /* a confederate unknown to the judges */
    bool chief;          /* of the preliminary judges: 2003 r34 */
    bool moves; /* an Entry: confederates' numbers in meetings go up by one; missing in old acts */
};

/* Names of a person's family and team, added after the registration. 2003 r10, r41, r52. */
struct act_interests {
    struct act_who who;
    struct act_names family, team; /* the team: of an Entry */
};

/* A delivery after an Entry's registration: its communications program (2004 A6, A8.1); otherwise
 * the program of the final round, or a later version of it (2003 r23, r24). */
struct act_deliver {
    int64_t entry;
    const char *what;
    int64_t received_us; /* 0: the act's time */
    bool comms;
    const char *why; /* reason for taking it late, or after the final round has begun */
};

/* The contest's own days, "2003-06-30", UTC, and its venue. Each replaces the rules' day of the
 * same name. */
struct act_dates {
    const char *date[RULESET_DATES], *venue, *why;
};

/* The name X in the opening words of an Entry or a confederate. 2004 A3. */
struct act_approve {
    struct act_who who;
    const char *name;
};

/* Two people, or a person and an Entry, who may not meet. */
struct act_conflict {
    struct act_who who, with; /* "with_role" and "with_number" */
    const char *why;
};

/* A person or an Entry leaves the contest, from now on. */
struct act_withdraw {
    struct act_who who;
    const char *why;
};

/* Another name for the same person or Entry. */
struct act_rename {
    struct act_who who;
    const char *name, *why;
};

/* Another person takes a judge's or confederate's place in the rounds to come. That person's
 * ballots continue the place's column. */
struct act_substitute {
    struct act_who who;
    const char *name, *why;
    int64_t round; /* the last begun round, if the new person sat there in it; otherwise 0 */
    struct act_names family; /* replaces the former person's family */
    bool unknown;            /* a confederate unknown to the judges */
};

/* A referee limits a confederate's messages. The limit replaces an earlier one, and holds for this
 * person. Rules with limits: 1996 r15, 2003 r53. */
struct act_limit {
    struct act_who who;
    const char *text, *why;
};

/* The session was spoiled. It is held once more under a new name, and its ballot does not count.
 * The act `exclude` has the same members except `further`. */
struct act_repeat {
    int64_t round, judge;
    bool further; /* not spoiled: one more session, whose ballot replaces the first */
    const char *why;
};

/* Confirms a judge's machine, whose words the manager has compared on both screens: its ballots are
 * taken. Or withdraws all machines confirmed at a place: no ballot signed by them is taken from
 * then on. */
struct act_machine {
    const char *place;       /* "booth-1-judge" */
    const char *fingerprint; /* of the machine's key, in hex; NULL for a withdrawal */
    bool withdrawn;
    const char *why;
};

/* A session, or a judge's ranks, had `of` ballot files, and number `file` counts: its ballot was
 * recorded just before. The other files are no longer reported. */
struct act_settle {
    const char *session;
    int64_t file, of;
    const char *hash; /* BLAKE2b-256 of the file, in hex */
    const char *why;
};

/* Takes one act back: the begin of the last begun round, if it has no ballot, exclusion or ranks; a
 * person's withdrawal or limit; the disqualification of an Entry; the seal of the last sealed
 * round; a session's ballot or exclusion. A late ballot that was taken back is neither awaited nor
 * taken again as late. */
struct act_undo {
    const char *what; /* one of ACT_UNDONE */
    struct act_who who;
    int64_t entry;
    int64_t round, judge; /* of the session */
    const char *why;
};

/* The commitment to the draw's seed. */
struct act_commit {
    const char *commitment; /* in hex */
    int64_t draw;           /* the method (draw.h); 0: method 1 */
    const char *public;     /* name of the still unknown public value to be mixed in */
    bool lost;              /* the earlier commitment's seed is lost; `why` is the reason */
    const char *why;
};

/* The draw's seed, which matches its commitment, and the public value. */
struct act_seed {
    const char *seed;       /* in hex */
    const char *value, *by; /* the public value, and the name of the person who stated it */
};

struct act_schedule {
    json_t *rounds; /* [[[judge, entry, confederate], ...], ...], or [judge, candidate] */
    int64_t
        order_from; /* entities met singly: the first round, of all rounds, with a drawn order */
    int64_t games;  /* under a design, instead of `rounds`: booths for which the seed draws games */
    bool anew;      /* after a draw: these rounds wait for another draw; missing in old acts */
};

/* A round has begun. Its sides are fixed. */
struct act_begin {
    int64_t round;
    bool present; /* no withdrawn person meets in this round; false in old acts */
    const char *why;
};

/* A judge's ballot on a pair, or on the candidate he met alone. */
struct act_ballot {
    int64_t judge, entry, confederate, candidate;
    int64_t trial;   /* 0: the last begun trial */
    json_t *vote;    /* the vote's members (ballot_kind.h), written as members of the body */
    bool correction; /* it replaces an earlier ballot */
    bool late;       /* given after the moment of sealing */
    bool further;    /* of a further session, whose ballot counts from now on */
    const char *notes;
};

/* A judge's ranks. A later ballot that contradicts the ranks makes them void. */
struct act_ranks {
    int64_t judge, trial;
    json_t *ranks; /* [[candidate, rank], ...]: Entries, then confederates */
    bool correction;
};

/* Ends corrections: of the ballots up to this round, or of the whole contest (round 0). */
struct act_seal {
    int64_t round;
    const char *why;
};

/* Disqualifies an Entry: by a majority of the judges (2003 r43) or of a panel (r38), or by the
 * organiser (r8, r59). */
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

/* act_allot: the Entries allotted to a preliminary judge, before the lists. act_list: the judge's
 * ranked list, the best first. 2003 r34. */
struct act_allot {
    int64_t judge;
    struct act_entries entries;
};
struct act_list {
    int64_t judge;
    struct act_entries entries;
    bool correction;
};

/* The screening. act_answer: an Entry's answer to a question. act_score: points for an answer.
 * act_screened: an Entry's sum of points, without its answers. 2004 A9, 2009 §4. */
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
    bool undo;  /* takes the earlier act back */
    bool final; /* choose: a choice at the second of two cuts (2004, 2009) */
    const char *why;
};

/* The finalists, as the rules select them; before the first round. */
struct act_final {
    struct act_entries entries;
    const char *why; /* reason for naming them after their day (1996 r13, 2003 r39, 2009 §1) */
};

enum act_majority { MAJORITY_NOT_SAID, MAJORITY_NO, MAJORITY_YES };

/* The judges' choice among equals. Without a majority the coin decides (2003 r50). */
struct act_confer {
    int64_t entry;
    struct act_votes votes;
    int64_t place;              /* 0: the first place */
    struct act_entries among;   /* the equals; none in old acts, which are about a place */
    enum act_majority majority; /* missing in old acts, which all had a majority */
    const char *why;
};

/* The judges' answer to a dispute other than a tie: yes or no by a majority; otherwise by a coin.
 * 2003 r50. */
struct act_dispute {
    const char *matter; /* a question */
    int64_t entry;      /* the Entry that yes disqualifies; 0: another matter */
    struct act_votes votes;
    const char *why;
};

/* A coin. First the commitment; in a later act the seed that matches it. Both in hex. */
struct act_coin {
    const char *commitment, *seed;
    bool after_conference;    /* after a conference without majority, 2003 r50; false in old acts */
    struct act_entries among; /* the equal Entries, with the commitment; missing in old acts */
    int64_t dispute; /* the number of the dispute, with the commitment, instead of `among` */
};

/* act_phrase: a phrase that is not to be published (2003 r17). act_erased: an Entry's program was
 * erased. */
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
    int64_t sitter;   /* 1: the first person who sat on that place; 2: the second */
    const char *page; /* before or after */
    json_t *fields;   /* the answers; NULL: none */
    bool correction;
    const char *notes;
};

struct act_trial {
    bool nothing; /* its body is empty; C wants a member */
};

/* Every kind of act: its name in the file and in struct act_body, the NAME of ACT_NAME, and its
 * struct. */
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

/* act_kind_name(): "rename". act_kind_find(): the kind of a name; false: none. */
const char *act_kind_name(enum act_kind kind);
bool act_kind_find(const char *name, enum act_kind *kind);

/* The member `why` of the body's kind; NULL: the kind has none. */
const char **act_body_why(struct act_body *body);

/* The kinds of acts that can be taken back, in words. act_undo_key(): the member that identifies
 * the act: "who", "entry", "session" for a round and a judge, "" for the last act of the kind.
 * NULL: acts of the kind cannot be taken back. */
#define ACT_UNDONE "begin, withdraw, disqualify, limit, seal, ballot or exclude"
const char *act_undo_key(const char *what);

/* Takes "closes=2026-06-30" or "venue=Brighton". The word must outlive the act. BL_USAGE. */
enum bl_status act_dates_take(struct act_dates *act, const char *word, struct bl_diag *diag);

/* Returns the body as JSON, which the caller owns. Takes the references of rounds, ranks, answers
 * and a vote. Names lose the blanks at their ends. NULL: no memory, or a text is not UTF-8. */
json_t *act_body_write(const struct act_body *body);

/* Reads an act's body. The JSON must outlive `body`. BL_DATA: a member is missing or of wrong
 * form. */
enum bl_status act_body_read(struct act_body *body, enum act_kind kind, json_t *json,
                             struct bl_diag *diag);

/* Checks a field whose bounds depend on the contest. BL_DATA: the number is not from `least` to
 * `most`. */
enum bl_status act_check_number(const char *key, int64_t number, int64_t least, int64_t most,
                                struct bl_diag *diag);

enum bl_status act_read_role(const char *key, const char *text, enum contest_role *role,
                             struct bl_diag *diag);

/* Reads a list of Entries. BL_DATA. */
enum bl_status act_read_entries(const char *key, const json_t *list, struct act_entries *entries,
                                struct bl_diag *diag);

/* Reads a text of at most `most` bytes without control characters. BL_DATA. */
enum bl_status act_read_line(const char *key, const json_t *value, int64_t most, const char **out,
                             struct bl_diag *diag);

#endif
