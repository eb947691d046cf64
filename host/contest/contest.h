/* A contest, derived from its acts. Pure: the acts are applied one by one, each checked against the
 * rules. The same acts give the same contest on every machine. act_body.h has the acts'
 * contents. */
#ifndef CONTEST_CONTEST_H
#define CONTEST_CONTEST_H

#include "contest/act.h"
#include "contest/result.h"
#include "rules/ballot_sign.h"
#include "rules/opening.h"
#include "rules/ticket.h"
#include "contest/selection.h"

#define CONTEST_NAME_MAX   96
#define CONTEST_SEED       32  /* bytes */
#define CONTEST_PUBLIC     256 /* length of a public value */
#define CONTEST_QUESTIONS  100 /* questions of a screening */
#define CONTEST_PHRASES    32
#define CONTEST_PHRASE     128
#define CONTEST_ASSOCIATES 256
#define CONTEST_WHY_MAX    256

enum contest_role {
    CONTEST_ENTRY,
    CONTEST_JUDGE,
    CONTEST_CONFEDERATE,
    CONTEST_PRELIM,    /* a judge of the preliminary round: 2003 r34 */
    CONTEST_ORGANISER, /* of the bodies that hold or sponsor the contest: 2003 r10, r41, r52 */
    CONTEST_ROLES
};
#define CONTEST_LETTERS "EJCPO" /* letters of the roles, as in "J1" */

/* 2009 §1, options A, B and C. */
enum submitted { SUBMITTED_NOT_SAID, SUBMITTED_COURIER, SUBMITTED_INSTALLS, SUBMITTED_BRINGS };

struct person {
    char name[CONTEST_NAME_MAX], submitter[CONTEST_NAME_MAX];
    char approved[OPENING_NAME_MAX]; /* name in the opening words; "": none yet */
    int64_t received_us;             /* an Entry's time stamp; 0: none */
    int age;                         /* of an Entry's submitter; 0: not said */
    enum submitted how;
    char comms[CONTEST_NAME_MAX];     /* an Entry's communications program; "": none */
    char delivered[CONTEST_NAME_MAX]; /* an Entry's program for the final round; "": none */
    int64_t comms_us, delivered_us;   /* times of receipt; delivered_us 0: not yet */
    bool late;                        /* an Entry taken outside its days */
    bool guardian, rights, receipt, own;
    bool unknown; /* a foil unknown to all judges: long bet II ¶7 */
    bool chief;   /* of the preliminary judges: 2003 r34 */
    bool withdrawn;
    unsigned withdrawn_after; /* number of rounds begun before the withdrawal */
    char late_why[CONTEST_WHY_MAX], withdrawn_why[CONTEST_WHY_MAX];
};

/* The people around a person: an Entry's team, or a person's family and immediate associates. */
enum circle { CIRCLE_TEAM, CIRCLE_FAMILY };
struct associate {
    char name[CONTEST_NAME_MAX];
    uint8_t role, circle;
    person_number number;
};

/* A former person of a place that another person has taken. */
struct sitter {
    uint8_t role;
    person_number number;
    unsigned rounds; /* number of rounds begun before the change */
    char name[CONTEST_NAME_MAX], why[CONTEST_WHY_MAX];
};

/* A meeting whose session is held again. Sitters from number `sitters` on left their places after
 * the session's last ballot. A session without a ballot has the present people. */
struct repeat {
    uint16_t round;
    person_number judge, sitters;
    uint8_t times;
    char why[CONTEST_WHY_MAX]; /* of the last repeat */
};
#define CONTEST_REPEATS 1024

/* A meeting with a further session to come. The ballot on that session makes it the meeting's
 * repeat. */
struct further {
    uint16_t round;
    person_number judge;
    char why[CONTEST_WHY_MAX];
    int64_t act; /* number of the act of its repeat */
};

/* A session replaced by another one, in the order of the repeats. `act` has the reason. Its judge
 * and its confederate sat there when there were so many former `sitters`. */
struct spoiled {
    uint16_t round;
    person_number judge, judge_seat, confederate_seat, sitters;
    int64_t act;
};
#define CONTEST_SPOILED (4 * CONTEST_REPEATS)

/* A session whose late ballot the manager took back. */
struct taken_back {
    uint16_t round;
    person_number judge;
};
#define CONTEST_TAKEN_BACK 256

/* A session that does not count, with its ballot if one was `given`. */
struct excluded {
    uint16_t round;
    person_number judge;
    bool given;
    struct ballot ballot;
    char why[CONTEST_WHY_MAX];
};
#define CONTEST_EXCLUDED 4096 /* a quarter of the most meetings */

/* A matter of a conference of the judges: 2003 r50. Without a majority the matter waits for a
 * coin. */
enum dispute_answer { DISPUTE_OPEN, DISPUTE_YES, DISPUTE_NO };
struct dispute {
    char matter[CONTEST_WHY_MAX];
    uint8_t entry; /* the Entry that a yes disqualifies, from 1; 0: another matter */
    uint8_t answer;
    uint16_t votes_for, votes_against;
    bool coin; /* the coin's answer */
};
#define CONTEST_DISPUTES 32

/* A coin, among a set of Entries or about a dispute, by its number. `among` and `dispute` are both
 * 0 in an old act's coin, which is for all places. */
struct toss {
    uint64_t among;
    uint8_t dispute;
    uint8_t commitment[ACT_HASH_BYTES], seed[RESULT_SEED_BYTES];
    bool tossed; /* the seed is known */
};
#define CONTEST_TOSSES 16

/* A draw, with the numbers and times of its acts (0: no such act). The draw counts for the rounds
 * from `from` on, up to those of the next draw. */
struct contest_draw {
    unsigned from, version;
    int64_t committed, scheduled, given;
    int64_t committed_us, scheduled_us, given_us;
    uint8_t commitment[ACT_HASH_BYTES], seed[CONTEST_SEED];
    char public_name[CONTEST_PUBLIC], public_value[CONTEST_PUBLIC], public_by[CONTEST_NAME_MAX];
};
#define CONTEST_DRAWS 64

/* A judge's machine whose key was confirmed. */
#define CONTEST_MACHINES      128
#define CONTEST_MACHINE_PLACE 33
struct confirmed {
    char place[CONTEST_MACHINE_PLACE];
    uint8_t fingerprint[BALLOT_FINGERPRINT];
    bool withdrawn; /* ballots signed by the machine are refused */
    char why[CONTEST_WHY_MAX];
};

/* A session with `of` ballot files, of which the manager has chosen one. */
#define CONTEST_SETTLED       512
#define CONTEST_SETTLED_NAME  41
#define CONTEST_SETTLED_FILES 64
struct settled {
    char session[CONTEST_SETTLED_NAME];
    uint8_t of;
    char why[CONTEST_WHY_MAX];
};

/* Answers of a person to a page of the rules' survey. */
struct surveyed {
    uint8_t role, page;
    person_number number, sitter;
    int64_t act;
    uint64_t fields; /* digest of the answers */
};
#define CONTEST_SURVEYED (4 * SCHEDULE_PEOPLE_MAX)

struct conflict {
    enum contest_role role[2];
    person_number number[2]; /* from 0 */
};

#define CONTEST_SET (SCHEDULE_PEOPLE_MAX / 64 + 1)

struct contest {
    char name[CONTEST_NAME_MAX];
    struct ruleset ruleset; /* format 0: not begun yet */
    struct person person[CONTEST_ROLES][SCHEDULE_PEOPLE_MAX];
    unsigned people[CONTEST_ROLES];
    struct sitter sitter[SCHEDULE_PEOPLE_MAX]; /* in the order of the acts */
    unsigned sitters;
    struct repeat repeat[CONTEST_REPEATS];
    unsigned repeats;
    struct further further[CONTEST_REPEATS];
    unsigned furthers;
    struct spoiled spoiled[CONTEST_SPOILED];
    unsigned spoileds;
    struct taken_back undone[SCHEDULE_MEETINGS_MAX]; /* ballots taken back, late or not */
    unsigned undones;
    struct taken_back taken_back[CONTEST_TAKEN_BACK];
    unsigned taken_backs;
    struct excluded excluded[CONTEST_EXCLUDED];
    unsigned excludeds;
    bool signatures; /* ballots must be signed; false in older contests */
    struct confirmed confirmed[CONTEST_MACHINES];
    unsigned machines;
    struct settled settled[CONTEST_SETTLED];
    unsigned settlements;
    struct surveyed surveyed[CONTEST_SURVEYED];
    unsigned surveys;
    struct conflict conflict[SCHEDULE_PEOPLE_MAX];
    unsigned conflicts;
    struct associate associate[CONTEST_ASSOCIATES];
    unsigned associates;
    char limit[SCHEDULE_PEOPLE_MAX][TICKET_LIMIT_MAX + 1]; /* limits of confederates; "": none */
    char limit_why[SCHEDULE_PEOPLE_MAX][CONTEST_WHY_MAX];
    struct schedule schedule;
    unsigned begun;                         /* number of begun rounds */
    unsigned trials;                        /* trials after the first: long bet II ¶4 */
    uint16_t trial_from[RESULT_TRIALS_MAX]; /* the first round of each */
    unsigned order_from; /* the first round with a drawn order, from 1; 0: none */
    unsigned games;      /* under a design: booths for the drawn games; 0: games are not drawn */
    /* The people of these games, as sets: person n is bit n % 64 of word n / 64. */
    uint64_t games_people[CONTEST_SET], games_entries[CONTEST_SET];
    bool committed, drawn;
    bool undrawn; /* the rounds to come were scheduled after the draw, and wait for the next one */
    struct contest_draw past[CONTEST_DRAWS]; /* in the order of the acts */
    unsigned draws;
    int64_t committed_act, committed_us, scheduled_act, scheduled_us;
    /* The last draw. */
    unsigned draw; /* the method: DRAW_VERSION, or an older contest's */
    char public_name[CONTEST_PUBLIC], public_value[CONTEST_PUBLIC]; /* "": none was named */
    char public_by[CONTEST_NAME_MAX]; /* name of the person who stated the value */
    uint8_t commitment[ACT_HASH_BYTES], seed[CONTEST_SEED];
    struct ballot ballot[SCHEDULE_MEETINGS_MAX];
    unsigned ballots;
    struct ranking ranking[SCHEDULE_MEETINGS_MAX];
    unsigned rankings;
    int64_t voted_us; /* time of the last act with a ballot or ranks */
    bool sealed;
    unsigned sealed_rounds; /* number of sealed rounds, from the first on */
    bool disqualified[SCHEDULE_ENTRIES_MAX];
    struct fraction prelim[SCHEDULE_ENTRIES_MAX], screened[SCHEDULE_ENTRIES_MAX];
    struct selection_rank prelim_rank[SELECTION_RANKS_MAX];
    unsigned prelim_ranks;
    bool allotted[SCHEDULE_ENTRIES_MAX]; /* preliminary judges with Entries of their own */
    bool allotment[SCHEDULE_ENTRIES_MAX][SCHEDULE_ENTRIES_MAX];
    bool invited[SCHEDULE_ENTRIES_MAX], chosen[SCHEDULE_ENTRIES_MAX], lost[SCHEDULE_ENTRIES_MAX];
    bool chosen_final[SCHEDULE_ENTRIES_MAX];
    bool final; /* the finalists are known */
    bool finalist[SCHEDULE_ENTRIES_MAX];
    struct result_decision decision[RESULT_DECISIONS_MAX]; /* in the order of the acts */
    unsigned decisions;
    struct dispute dispute[CONTEST_DISPUTES];
    unsigned disputes;
    struct toss toss[CONTEST_TOSSES]; /* tossed, except possibly the last */
    unsigned tosses;
    /* Decisions of old acts; result.h explains them. */
    uint8_t conferred[SCHEDULE_ENTRIES_MAX], coin[RESULT_SEED_BYTES];
    bool split[SCHEDULE_ENTRIES_MAX], coin_waits, coin_tossed;
    bool answered[SCHEDULE_ENTRIES_MAX][CONTEST_QUESTIONS];
    int8_t score[SCHEDULE_ENTRIES_MAX][CONTEST_QUESTIONS]; /* -1: none */
    char phrase[CONTEST_PHRASES][CONTEST_PHRASE], phrase_why[CONTEST_PHRASES][CONTEST_PHRASE];
    unsigned phrases;
    bool erased[SCHEDULE_ENTRIES_MAX];          /* by Entry */
    char date[RULESET_DATES][RULESET_DATE_MAX]; /* "2003-06-30"; "": none */
    char venue[CONTEST_NAME_MAX];               /* "": not said */
    bool dates_lapsed;       /* the rules' days had passed at the contest's begin */
    int64_t created_us;      /* of the first act: the contest's id (rules/contest_id.h) */
    int64_t now_us, now_act; /* of the act applied at present */
    bool replays;            /* the present act comes from the file */
    int64_t acts;            /* number of the last act */
};

/* Large (10 MB), of which a contest of a few people touches little. NULL: no memory.
 * contest_destroy takes NULL. */
struct contest *contest_create(void);
void contest_destroy(struct contest *contest);

/* Copies a contest to a new one, or to zeros. The zeros at the ends of its arrays are not
 * copied. */
void contest_assign(struct contest *to, const struct contest *from);
/* Copies a contest over any contest. */
void contest_restore(struct contest *to, const struct contest *from);

/* Applies an act. BL_DATA: a fault of its form, or a rule against it; nothing has changed. */
enum bl_status contest_apply(struct contest *contest, const struct act *act, struct bl_diag *diag);

/* Applies an act from a file, by the checks of the act's time. After an error the contest must not
 * be used any more. */
enum bl_status contest_replay(struct contest *contest, const struct act *act, struct bl_diag *diag);

/* contest_replay() for store_read(), with the contest as ctx. Faults name the act. */
enum bl_status contest_take(void *contest, const struct act *act, struct bl_diag *diag);

/* The most people of a role. */
unsigned contest_most(enum contest_role role);

const char *contest_role_name(enum contest_role role);

/* Checks that no Entry other than `number` (from 0) has this name or a name that looks alike
 * (base/name.h). BL_DATA: one has. Old contests may have two such Entries: the maker of a new act
 * calls this, and contest_apply() does not. */
enum bl_status contest_name_free(const struct contest *contest, enum contest_role role,
                                 unsigned number, const char *name, struct bl_diag *diag);

const char *contest_submitted_name(enum submitted how);

/* Writes a line such as "closes 2003-06-30 (2003 r11)". False: the contest has no such day. */
#define CONTEST_DATE_LINE      192
#define CONTEST_DELIVERED_LINE 400
bool contest_tell_date(const struct contest *contest, enum ruleset_date date,
                       char out[CONTEST_DATE_LINE]);
/* Writes that the first round has just begun on another day than the contest's. False: it has
 * not. */
bool contest_tell_other_day(const struct contest *contest, char out[CONTEST_DATE_LINE]);

/* Writes an entrant's delivery and its time, or that the Entry is not accepted without it. False:
 * neither. */
bool contest_tell_delivered(const struct contest *contest, unsigned entry,
                            char out[CONTEST_DELIVERED_LINE]);

/* Writes that an entrant who installs or brings the Entry must be present (2009 §1). False: another
 * entrant. */
bool contest_tell_present(const struct contest *contest, unsigned entry,
                          char out[CONTEST_DELIVERED_LINE]);

/* False if the rules require a communications program that the Entry lacks (2004 A8.1). */
bool contest_is_accepted(const struct contest *contest, unsigned entry);

/* True if the Entry, or the candidate, is in the final round. */
bool contest_has_entry(const struct contest *contest, unsigned entry);
bool contest_has_candidate(const struct contest *contest, unsigned candidate);

/* The number of people in a role who have not left. For Entries: the number in the final round. */
unsigned contest_there(const struct contest *contest, enum contest_role role);

/* A candidate by number. Entries come first, then confederates. */
const struct person *contest_candidate(const struct contest *contest, unsigned candidate);

/* The number, from 1, of the first dispute waiting for a coin; 0: none. */
unsigned contest_open_dispute(const struct contest *contest);

/* Checks the present numbers of judges and confederates for the final round, or a trial (2003 r40;
 * long bet I, II
 *
 * 6,
 *
 * 7). BL_DATA names the present and the required number. Old contests may have begun with fewer:
 * contest_apply() does not call this. */
enum bl_status contest_check_numbers(const struct contest *contest, struct bl_diag *diag);

/* The commitment to a seed: BLAKE2b-256 of its bytes. Published before the draw, so anybody with
 * the seed can verify that it was not changed. A public value in the seed's key excludes that the
 * maker tried several seeds. */
void contest_commit(const uint8_t *seed, size_t length, uint8_t out[ACT_HASH_BYTES]);

/* Bytes as lower-case hex; out has 2 * length + 1 bytes. */
void contest_hex(const uint8_t *bytes, size_t length, char *out);

/* The bytes of lower-case hex with an even number of digits. */
void contest_bytes(const char *hex, uint8_t *out);

/* True if a and b may not meet; both are given by role and number, from 0. */
bool contest_kept_apart(const struct contest *contest, enum contest_role a, unsigned i,
                        enum contest_role b, unsigned k);

/* Checks that all people of a meeting, or of a round's meetings, are in the contest and may meet.
 * BL_DATA names a person who has left, or two people who may not meet. */
enum bl_status contest_check_meeting(const struct contest *contest, const struct meeting *meeting,
                                     struct bl_diag *diag);
enum bl_status contest_check_round(const struct contest *contest, unsigned round,
                                   struct bl_diag *diag);

/* The number of confirmed machines at that place, without the withdrawn ones. */
unsigned contest_machines_at(const struct contest *contest, const char *place);

/* The last confirmation of the machine with this key; NULL: none. */
const struct confirmed *contest_machine(const struct contest *contest,
                                        const uint8_t key[BALLOT_KEY]);

/* The number of a session's ballot files when the manager chose one; 0: nothing was settled. */
unsigned contest_settled(const struct contest *contest, const char *session);

/* contest_seat(): the seat (result.h, struct seat) of the person on a place at the time of the
 * meeting's session. The other: the name of the person of a seat. */
person_number contest_seat(const struct contest *contest, enum contest_role role, unsigned number,
                           const struct meeting *meeting);
const char *contest_sitter_name(const struct contest *contest, enum contest_role role,
                                unsigned seat);

/* contest_register(): the role under which a role's people are registered; under a design
 * confederates are judges. contest_sits(): true if the sitter sat on a place of the role. */
enum contest_role contest_register(const struct contest *contest, enum contest_role role);
bool contest_sits(const struct contest *contest, const struct sitter *sitter,
                  enum contest_role role);

/* Writes "Ada Brown, who sat there until round 2", or "..., who left before round 1". Returns
 * out. */
#define CONTEST_SITTER_LINE (CONTEST_NAME_MAX + 48)
const char *contest_tell_sitter(const struct sitter *sitter, char out[CONTEST_SITTER_LINE]);

/* contest_repeat_of(): the repeat of a meeting's session; NULL: none. contest_repeated(): the
 * number of repeats. */
const struct repeat *contest_repeat_of(const struct contest *contest,
                                       const struct meeting *meeting);
unsigned contest_repeated(const struct contest *contest, const struct meeting *meeting);

/* The name, in tickets, journals and ballots, of the meeting's session that counts: "r2-j3"; after
 * one repeat, "r2-j3-2". */
#define CONTEST_SESSION_MAX 24
void contest_session(const struct contest *contest, const struct meeting *meeting,
                     char out[CONTEST_SESSION_MAX]);

/* The name of the meeting's session after that many repeats; 0: the first session. */
void contest_session_before(const struct meeting *meeting, unsigned times,
                            char out[CONTEST_SESSION_MAX]);

/* _has_further: true if a further session of the meeting is to come. _further_session: that
 * session's name. */
bool contest_has_further(const struct contest *contest, const struct meeting *meeting);
void contest_further_session(const struct contest *contest, const struct meeting *meeting,
                             char out[CONTEST_SESSION_MAX]);

/* True if the meeting's session was spoiled and the repeat has no ballot yet. */
bool contest_is_to_repeat(const struct contest *contest, const struct meeting *meeting);

/* True, with the session's name, if a repeat or a further session of the meeting is still to come
 * and all its people are in the contest. Such a session comes before the next round. */
bool contest_waits_again(const struct contest *contest, const struct meeting *meeting,
                         char out[CONTEST_SESSION_MAX]);
#define CONTEST_WHEN_MAX 32
/* Writes "before round 3", the next round to begin, or "after the last round". */
void contest_when_again(const struct contest *contest, char out[CONTEST_WHEN_MAX]);

/* True if a session of this name was spoiled and repeated. */
bool contest_is_spoiled(const struct contest *contest, const char *session);

/* The trial of the round, from 0; always 0 except in the long bet. */
unsigned contest_trial_of(const struct contest *contest, unsigned round);

/* The meeting of a ballot's judge with its Entry or candidate in its trial; NULL: none. Under a
 * design the ballot's confederate counts, too, since a judge may meet an Entry again with another
 * confederate. */
const struct meeting *contest_meeting(const struct contest *contest, const struct ballot *of);

/* The ballot that counts. _by: of the judge, entity and trial in `of`, whose vote is ignored. The
 * other: of a meeting. NULL: none. */
const struct ballot *contest_ballot_by(const struct contest *contest, const struct ballot *of);
const struct ballot *contest_ballot_of(const struct contest *contest,
                                       const struct meeting *meeting);

/* contest_asks_ranks(): true if the rules ask for ranks after the last session.
 * contest_wants_ranks(): true if the judge's ranks in the last trial are still to come. */
bool contest_asks_ranks(const struct contest *contest);
bool contest_wants_ranks(const struct contest *contest, unsigned judge);

/* True if the judge has ranked in the trial. */
bool contest_has_ranked(const struct contest *contest, unsigned judge, unsigned trial);
/* The judge's rank for the candidate of `of`, whose own rank is ignored; 0: no rank. */
unsigned contest_rank_by(const struct contest *contest, const struct ranking *of);

/* The exclusion of the meeting's session; NULL: none. An excluded session has no ballot that
 * counts, and no ballot is awaited. */
const struct excluded *contest_excluded(const struct contest *contest,
                                        const struct meeting *meeting);

/* As contest_ballot_by() and contest_ballot_of(), including the ballots of excluded sessions. */
const struct ballot *contest_ballot_given(const struct contest *contest, const struct ballot *of);
const struct ballot *contest_ballot_given_of(const struct contest *contest,
                                             const struct meeting *meeting);

/* True if the meeting's late ballot was taken back: no ballot is awaited. */
bool contest_is_taken_back(const struct contest *contest, const struct meeting *meeting);

/* True if the meeting's ballot is still to come. False: there is one, a person of the meeting was
 * gone at its session, the session is excluded, or a late ballot was taken back. */
bool contest_is_missing(const struct contest *contest, const struct meeting *meeting);

/* True if the session of a meeting of a begun round was held, or counts as held. A session without
 * a ballot was not held if one of its people was gone by then. */
bool contest_was_held(const struct contest *contest, const struct meeting *meeting);

/* True if a ballot was given on the meeting's session that counts, also if it was taken back. */
bool contest_had_ballot(const struct contest *contest, const struct meeting *meeting);

/* contest_spoiled(): the meeting's session after `times` repeats, if it is held again; otherwise
 * NULL. _spoiled_seat(): the seat of its judge or confederate, on the place `number`. */
const struct spoiled *contest_spoiled(const struct contest *contest, const struct meeting *meeting,
                                      unsigned times);
person_number contest_spoiled_seat(const struct contest *contest, const struct spoiled *spoiled,
                                   enum contest_role role, unsigned number);

/* True if the rules give games to conditions, and people are judges and confederates by turns:
 * judge 1 is confederate 1. */
bool contest_has_design(const struct contest *contest);

/* The number of meetings in the first `rounds` rounds with a ballot to come
 * (contest_is_missing()). */
unsigned contest_missing(const struct contest *contest, unsigned rounds);

/* The number of rankings still to come, one for each judge and trial: of judges in the contest who
 * have voted and not ranked. */
unsigned contest_missing_ranks(const struct contest *contest);

/* An Entry's screening: number of questions asked, number of those with points, sum of points. */
struct screening {
    unsigned asked, scored, points;
};
struct screening contest_screening_sum(const struct contest *contest, unsigned entry);

/* selection_allot() for the contest's preliminary judges and the Entries in the contest, by their
 * numbers. BL_DATA with the rule. */
enum bl_status contest_allotment(const struct contest *contest, struct allotment *allotment,
                                 struct bl_diag *diag);

/* Fill the input of result_make() and selection_make(); the pointers are into the contest. */
void contest_selection_input(const struct contest *contest, struct selection_input *input);
void contest_result_input(const struct contest *contest, struct result_input *input);

#endif
