/* A venue's whole day in the world: booths with their machines and cables, a manager with his own
 * machine and two sticks, and a person at each screen. The machines run `boothlink booth`, which
 * starts each session's terminal as a program; the manager types the commands of a contest. */
#ifndef WORLD_DAY_H
#define WORLD_DAY_H

#include "alone.h"
#include "day_rules.h"
#include "world.h"

#include "rules/desk_network.h"
#include "session/event.h"
#include "session/plan.h"

#include <limits.h>

#define DAY_BOOTHS   4
#define DAY_SEATS    (3 * DAY_BOOTHS)
#define DAY_MEETINGS 64
#define DAY_SESSION  16
#define DAY_CUTS     64

enum day_room { ROOM_JUDGES, ROOM_BACK, ROOMS };

struct day_setup {
    uint64_t seed;
    const struct day_rules *rules; /* NULL: the seed decides */
    unsigned booths;               /* 0: the seed decides */
    bool whole;                    /* parts last as long as the rules say, not some seconds */
    unsigned mishaps;              /* in 20 s at most, of a whole day in 10 min; 0: none */
    uint64_t only;                 /* bits of those that happen; UINT64_MAX: all */
    bool plain;                    /* without the mishaps that came later: seeds from before */
    bool spare; /* a judge's machine fails in the first round, and a spare one takes its place */
    enum { BY_SEED, CONTROLLED, UNCONTROLLED } lines; /* a controller in each booth, or in none */
    /* A desk on the network in the place of the stick, as far as the rules and the seed allow; or
     * beside a day with sticks, which is the same day with it. */
    enum { NO_DESK, DESK_ALONE, DESK_BESIDE } desk;
};

/* A judge's vote on a session. */
struct day_vote {
    enum side human; /* ASKED_HUMAN; ASKED_VERDICT: SIDE_LEFT is human, SIDE_RIGHT machine */
    int confidence;  /* where it is asked */
    int rating, points_left; /* the right one gets the rest of 100 */
};

/* A session, from the schedule and the tickets. */
struct meeting {
    char session[DAY_SESSION];                        /* "r1-j2" */
    unsigned trial, round, judge, entry, confederate; /* 0: none */
    unsigned booth;
    enum side human; /* of a pair */
    struct day_vote vote;
    unsigned rank;                /* that its judge gives it; 0: none */
    bool spoiled, again;          /* it does not count; it is another one, held again */
    bool given;                   /* the judge has pressed Return on it */
    struct seat *seat[1 + SIDES]; /* judge's, left's and right's */
    struct shown *shown[1 + SIDES];
    struct {
        uint64_t n, judge, entity; /* keys in all, and those that an end's record lacks */
    } lacks[SIDES];
};

/* A machine in a booth, and who sits there. */
struct seat {
    struct day *day;
    struct machine *machine;
    struct process *process; /* of its board */
    struct process *courier; /* NULL: there is none now */
    bool networked;          /* it has one from its start */
    bool replaced;           /* by a spare machine */
    bool judge;              /* else in the back room, at that cable: */
    unsigned booth, cable;
    bool off;                  /* without power, or killed, until it is started again */
    uint64_t cut_us[DAY_CUTS]; /* when its power was cut */
    unsigned power_cuts, steps, stalls, fills; /* fills: of its disk */
    struct dice dice;
    /* The person. */
    uint64_t since_us, asked_us; /* since when the board has asked, and a session's screen */
    uint64_t next_us;            /* when he types again */
    uint64_t looked_us;          /* when he looked last for what the controller needs */
    bool confirms;               /* it needs F9 */
    const struct meeting *held;  /* the latest session that its controller knows of */
    uint64_t over_us;            /* when a session of his was not over, last */
    const struct screen_model *model;
    char queue[128];
    unsigned at; /* the next key of it */
    unsigned said;
    unsigned takes;          /* of F8, at a spare machine */
    enum side side;          /* that the judge typed to last */
    struct meeting *meeting; /* that is on here; NULL: none */
};

struct day {
    struct day_setup setup;
    const struct day_rules *rules;
    unsigned booths, judges, entries, confederates, seats, meetings, rounds;
    struct seat seat[DAY_SEATS];
    struct meeting meeting[DAY_MEETINGS];
    struct machine *manager, *desk;
    enum desk_network network;    /* which machines have it; 0: there is no desk */
    struct process *desk_process; /* NULL: it is to start again */
    unsigned desk_cuts;           /* of its power */
    struct stick *stick[ROOMS];
    struct cable *cable[DAY_BOOTHS][SIDES];
    bool controlled;
    struct controller *controller[DAY_BOOTHS];
    char plan_text[80]; /* of each session, */
    struct plan plan;   /* and read */
    struct dice dice;
    unsigned trial, round;               /* that may begin; 0: none */
    bool ranks;                          /* the ranks may be given */
    struct seat *carried;                /* the machine that a stick is at; NULL: none */
    struct happening *pulling;           /* a stick, when it comes into a machine; NULL: none */
    int may_end_with;                    /* of a command */
    uint64_t pulled_us;                  /* when a stick was taken out last */
    unsigned ill_judge, ill_confederate; /* in whose place another sits; 0: nobody's */
    bool calm;                           /* nothing goes wrong any more */
    unsigned excluded;                   /* sessions */
    unsigned favourite;                  /* the Entry that is to win, or to pass; 0: none */
    unsigned keys;                       /* on record at the end */
    uint64_t outcome;                    /* hash of the result and of all ballots */
    char wrong[ALONE_WRONG];
};

/* day_manager.c: runs a command of the manager's and waits for its end; its output, valid until the
 * next call. It must end with 0, or with day->may_end_with. */
const char *day_command(struct day *day, const char *words, ...)
    __attribute__((format(printf, 2, 3)));
void day_set_up(struct day *day);
/* The next trial of the long bet: its sessions are added. */
void day_set_up_trial(struct day *day);
/* Another sits in somebody's place; a session is held again, of which this is the new one. Then the
 * sticks have to be carried. */
void day_substitute(struct day *day);
struct meeting *day_repeat(struct day *day, struct meeting *spoiled);

/* The session whose terminal that is; NULL: it is a board, or takes ranks. */
struct meeting *day_meeting(const struct seat *seat, const struct process *process);

/* day_play.c: the machine is switched on; ctx is its seat. */
void day_start(void *ctx);

/* day_controller.c: controllers in the booths, from the beginning; they are switched on when the
 * plan is known. A judge's screen asks for F9 over something at the controller. */
void day_controllers_stand(struct day *day);
void day_controllers_begin(struct day *day);
bool day_controller_asks(struct seat *judge);

/* day_people.c: why a judge votes so, where that is asked. */
#define DAY_REASON (DAY_SESSION + 16)
void day_reason(const struct meeting *m, char text[DAY_REASON]);

/* day_people.c: is that character on a side's page, how often? */
unsigned day_marks(const struct screen_side *side, uint32_t point);

/* day_people.c: a person looks at the screen, and presses a key. */
void day_sit(struct seat *seat);
/* Something that the screen of a machine's board says, of its stick or of its day. */
bool day_board_says(const struct seat *seat, const char *text);

/* day_oracles.c: what was found first is kept. */
void day_wrong(struct day *day, const char *oracle, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void day_watch(struct day *day);
void day_judge(struct day *day);
void day_forget(struct day *day);

/* Plays it. wrong is "" where all is well. */
struct day_result {
    char wrong[ALONE_WRONG];
    uint64_t hash, us, outcome;
    unsigned sessions, keys, mishaps; /* mishaps: that the seed has drawn */
};
void day_play(const struct day_setup *setup, struct day_result *result);

/* In a process of its own. */
void day_apart(const struct day_setup *setup, struct day_result *result);

#endif
