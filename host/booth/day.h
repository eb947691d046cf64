/* A machine's day as pure logic: the next of its tickets, the words in between, and the effects of
 * a key or of a session's end. day_run.c carries it out. */
#ifndef BOOTH_DAY_H
#define BOOTH_DAY_H

#include "rules/place.h"
#include "session/event.h"
#include "screen/board.h"
#include "session/input.h"

#define DAY_TICKETS    128
#define DAY_FILE       32 /* a ticket's name, with its NUL */
#define DAY_TEXT       320
#define DAY_CHECK_TEXT 8192 /* of all findings and steps of a machine's two lines */

enum day_state {
    DAY_NEW,   /* nothing is on record here */
    DAY_BEGUN, /* whatever stopped it, it goes on without being asked */
    DAY_OVER   /* on record to its end, a judge's with his ballot; or an attendant said so */
};

struct day_ticket {
    char file[DAY_FILE];              /* "002.ticket", "002-2.ticket" */
    char session[SESSION_ID_MAX + 1]; /* names the record */
    unsigned round, repeat;           /* repeat: 1, and 2, 3 ... of a session held again */
    unsigned ranks; /* no session: the ranks of this judge, from 1, after the last round; 0: one */
    enum day_state state;
    bool elsewhere; /* another machine has held it: its record was on a stick */
    bool passed;    /* an attendant said that it is over */
};

enum day_stage {
    DAY_NO_PLACE, /* asks which place this machine has */
    DAY_IDLE,     /* no ticket is left, or none has come yet */
    DAY_WAITS,    /* the next session waits for somebody's key */
    DAY_RUNS,     /* a session is on, and has the screen */
    DAY_LEFT,     /* somebody left a session that is not over */
    DAY_FAILED    /* the session's terminal cannot run; it is tried again */
};

/* The state of the stick. */
enum day_stick {
    DAY_STICK_OUT,
    DAY_STICK_BUSY, /* it is read and written */
    DAY_STICK_DONE, /* all its files are there: it may be taken out */
    DAY_STICK_FAULT /* stick_why names the fault */
};

/* The board's questions about the ticket `asked`. DAY_CHECKS asks nothing. */
enum day_question { DAY_ASKS_NOTHING, DAY_ASKS_OVER, DAY_ASKS_AGAIN, DAY_ASKS_OLDER, DAY_CHECKS };

struct day {
    struct place place; /* machine 0: not known yet */
    struct day_ticket ticket[DAY_TICKETS];
    unsigned count;
    enum day_stage stage;
    unsigned at, asked; /* the ticket that waits, runs, was left or failed; that a word is about */
    enum day_stick stick;
    const char *words;   /* of the key that signs ballots here; NULL: none */
    unsigned unsaved;    /* records that no stick has had yet */
    unsigned waiting;    /* records that are not at the desk yet, where the machine has a courier */
    char desk[DAY_TEXT]; /* a word about the desk's tickets, or "" */
    bool older;          /* its fault is that it is older than the last one */
    char stick_why[DAY_TEXT];
    char why[DAY_TEXT];     /* the reason for which the session's terminal failed */
    unsigned failures;      /* one after another */
    uint64_t hushed_us;     /* since when nobody has typed at the board */
    char typed[PLACE_NAME]; /* of a place or a word, as far as it is typed */
    bool refused;           /* the words typed are no place */
    enum day_question asks; /* a word is to confirm it */
    struct {
        bool runs, wrong;
        char text[DAY_CHECK_TEXT]; /* a finding or a step a line, or a complaint */
        size_t from;               /* the line in it that the board begins with */
    } check;
    char title[PLACE_NAME + 24], strong[DAY_TEXT], text[DAY_TEXT], passed[DAY_TEXT],
        signs[DAY_TEXT], courier[DAY_TEXT]; /* of the board */
};

enum day_act {
    DAY_NOTHING,
    DAY_LOOK,      /* the board has changed */
    DAY_RUN,       /* the ticket at `at` is to be run now */
    DAY_PASS_OVER, /* an attendant says that the ticket `asked` is over: keep that, then day_next() */
    DAY_TAKE_OLDER, /* the stick is to be taken, though it is older than the last */
    DAY_TAKE_UP,    /* he says the contrary: forget the former, then day_next() */
    DAY_SETTLE,     /* the place is known: keep it */
    DAY_CHECK,      /* the lines of the ticket `at` are to be checked, the board stays */
    DAY_CHECK_END,  /* no more; then day_next() */
    DAY_PRACTISE,   /* a judge tries the terminal; then day_next() */
    DAY_LEAVE       /* somebody leaves */
};

/* Reads a ticket's name into file, round and repeat. False: it is none, as "line.key". */
bool day_ticket_name(struct day_ticket *ticket, const char *file);

/* Puts the tickets in the order of play: by round, then by repeat, ranks last. */
void day_sort(struct day *day);

/* Finds the next act when nothing runs. DAY_RUN: a session that was begun goes on at once; else
 * DAY_LOOK. */
enum day_act day_next(struct day *day);

/* The end of a session's terminal. */
struct day_outcome {
    enum day_state state; /* the present state in the session's record */
    int code;             /* its exit code, 0 for a good end */
    uint64_t ran_us;
    const char *why; /* its line of complaint, or "" */
};

/* The terminal of the running ticket has ended. A killed one is started again at once. */
enum day_act day_ended(struct day *day, const struct day_outcome *outcome);

/* The pause before the terminal of a session that failed is tried again. */
unsigned day_retry_ms(const struct day *day);

/* The board is shown from now on. */
void day_shown(struct day *day, uint64_t now_us);

/* A key at the board. Whoever was still typing when a session ended must not begin the next one: a
 * key counts only when nobody has typed for a second. may_leave: leaving is allowed at all. */
enum day_act day_key(struct day *day, enum input_what what, uint32_t point, bool may_leave,
                     uint64_t now_us);

/* Writes the board for the present state. Its words live in the day until the next call. */
void day_board(struct day *day, bool may_leave, struct board *board);

#endif
