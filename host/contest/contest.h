/* A contest as its acts have made it. Pure: acts go in one by one; each is looked at by the rules
 * before it counts. The same acts give the same contest on every machine.
 *
 * Kinds of acts and their bodies, JSON objects; numbers of people and rounds are from 1:
 *
 * contest: name, ruleset (the whole text). The first act, once.
 *
 * person: role (entry, judge, confederate), name; an Entry's: submitter, age, guardian, rights,
 * receipt (true where given), received_us, own (the organiser's).
 *
 * conflict: role, number, with_role, with_number, why. Two who may not meet.
 *
 * withdraw: role, number, why. From now on.
 *
 * commit: commitment (hex) of the draw's seed. seed: seed (hex) that matches it.
 *
 * schedule: rounds: [[[judge, entry, confederate], ...], ...]. Replaces rounds not yet begun.
 *
 * begin: round. It has begun; its sides are fixed.
 *
 * ballot: judge, entry, confederate or candidate; points: [entry's, confederate's], or human: true
 * or false, or rating (a decimal text); correction: true replaces one.
 *
 * ranks: judge, ranks: [[candidate, rank], ...], candidates being Entries, then confederates, from
 * 1; correction: true replaces them. A later ballot that they do not fit makes them void.
 *
 * seal: round, or none for the whole contest. No correction afterwards.
 *
 * disqualify: entry, why; for, against (judges' votes, 2003 r43: a majority), or organiser: true
 * (2003 r8, r59).
 *
 * prelim: entry, numerator, denominator. Its score in the preliminary round.
 *
 * confer: entry, for, against; place (1 if not said). 2003 r50: a majority.
 *
 * coin: commitment (hex), and later seed (hex, 16 bytes) that matches it. 2003 r50.
 */
#ifndef CONTEST_CONTEST_H
#define CONTEST_CONTEST_H

#include "contest/act.h"
#include "contest/result.h"

#define CONTEST_NAME_MAX  96
#define CONTEST_SEED      32  /* bytes */
#define CONTEST_QUESTIONS 100 /* of a screening */
#define CONTEST_PHRASES   32
#define CONTEST_PHRASE    128

enum contest_role { CONTEST_ENTRY, CONTEST_JUDGE, CONTEST_CONFEDERATE, CONTEST_ROLES };

struct person {
    char name[CONTEST_NAME_MAX], submitter[CONTEST_NAME_MAX];
    int64_t received_us; /* an Entry's time stamp, 0: none */
    int age;             /* of an Entry's submitter, 0: not said */
    bool guardian, rights, receipt, own;
    bool withdrawn;
    unsigned withdrawn_after; /* rounds that had begun by then */
};

struct conflict {
    enum contest_role role[2];
    uint8_t number[2]; /* from 0 */
};

struct contest {
    char name[CONTEST_NAME_MAX];
    struct ruleset ruleset; /* format 0: there is no contest yet */
    struct person person[CONTEST_ROLES][SCHEDULE_PEOPLE_MAX];
    unsigned people[CONTEST_ROLES];
    struct conflict conflict[SCHEDULE_PEOPLE_MAX];
    unsigned conflicts;
    struct schedule schedule;
    unsigned begun; /* rounds */
    bool committed, drawn;
    uint8_t commitment[ACT_HASH_BYTES], seed[CONTEST_SEED];
    struct ballot ballot[SCHEDULE_MEETINGS_MAX];
    unsigned ballots;
    struct ranking ranking[SCHEDULE_MEETINGS_MAX];
    unsigned rankings;
    bool sealed;
    unsigned sealed_rounds; /* the first so many rounds are sealed */
    bool disqualified[SCHEDULE_PEOPLE_MAX];
    struct fraction prelim[SCHEDULE_PEOPLE_MAX];
    uint8_t conferred[SCHEDULE_PEOPLE_MAX]; /* as result.h has it */
    bool answered[SCHEDULE_PEOPLE_MAX][CONTEST_QUESTIONS];
    int8_t score[SCHEDULE_PEOPLE_MAX][CONTEST_QUESTIONS]; /* -1: none */
    char phrase[CONTEST_PHRASES][CONTEST_PHRASE];
    unsigned phrases;
    bool erased[SCHEDULE_PEOPLE_MAX]; /* Entries */
    bool coin_committed, coin_tossed;
    uint8_t coin_commitment[ACT_HASH_BYTES], coin[RESULT_SEED_BYTES];
    int64_t acts; /* number of the last one */
};

/* Large (200 KiB). NULL: no memory. contest_destroy takes NULL. */
struct contest *contest_create(void);
void contest_destroy(struct contest *contest);

/* Lets the act count. BL_DATA says what the rules, or its form, have against it, with the rule's
 * number where there is one; then nothing has changed. */
enum bl_status contest_apply(struct contest *contest, const struct act *act, struct bl_diag *diag);

/* Whether contest_apply would take it. */
enum bl_status contest_check(const struct contest *contest, const struct act *act,
                             struct bl_diag *diag);

/* What is asked for: "judge", "entry", "confederate". */
const char *contest_role_name(enum contest_role role);

/* The commitment to a seed: BLAKE2b-256 of its bytes. Published before the draw, so that whoever
 * gets the seed afterwards can tell that it was not chosen by what it gives. */
void contest_commit(const uint8_t *seed, size_t length, uint8_t out[ACT_HASH_BYTES]);

/* Whether the Entry sits on the left of a meeting: a keyed hash of its round and judge under the
 * seed. Only once `drawn`. 2009 §3a: on a random basis. */
bool contest_entry_left(const struct contest *contest, const struct meeting *meeting);

/* Whether the two may not meet; each by role and number, from 0. */
bool contest_kept_apart(const struct contest *contest, enum contest_role a, unsigned i,
                        enum contest_role b, unsigned k);

/* Fills what result_make() takes; the pointers are into the contest. */
void contest_result_input(const struct contest *contest, struct result_input *input);

/* What is still to meet, for schedule_solve(): all pairs but those of rounds that have begun, of
 * those who are withdrawn and of conflicts. Large; the caller's. */
void contest_need(const struct contest *contest, struct schedule_need *need);

#endif
