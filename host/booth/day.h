/* A machine's day as pure logic: the next of its tickets, the words in between, and the effects of
 * a key or of a session's end. day_run.c executes it. */
#ifndef BOOTH_DAY_H
#define BOOTH_DAY_H

#include "rules/place.h"
#include "rules/ruleset.h"
#include "rules/schedule.h"
#include "rules/ticket.h"
#include "session/event.h"
#include "screen/board.h"
#include "session/input.h"

#define DAY_TICKETS    (SCHEDULE_ROUNDS_MAX + 88) /* and sessions held again, and ranks */
#define DAY_FILE       32                         /* a ticket's name, with its NUL */
#define DAY_TEXT       320
#define DAY_CHECK_TEXT 8192 /* of all findings and steps of a machine's two lines */

enum day_state {
    DAY_NEW,   /* no record here */
    DAY_BEGUN, /* a record without its end, or without the judge's ballot: it goes on unasked */
    DAY_OVER   /* recorded to its end, a judge's with the ballot; or an attendant has ended it */
};

struct day_ticket {
    char file[DAY_FILE];              /* "002.ticket", "002-2.ticket" */
    char session[SESSION_ID_MAX + 1]; /* names the record */
    unsigned round, repeat;           /* repeat: 1, and 2, 3 ... for a session that is held again */
    unsigned
        ranks; /* no session: the ranks of this judge, from 1, after the last round; 0: a session */
    enum day_state state;
    bool elsewhere; /* another machine has held it: a stick had its record */
    bool passed;    /* an attendant has declared it over */
    bool pair;      /* a judge's, of two entities */
    bool program;   /* an entity's: a program types, and nobody sits there */
    struct {
        char whose[TICKET_SURVEY_MAX]; /* "j2"; "": this ticket brings no such page */
        bool given, put_off;           /* put_off: it was shown and left unanswered */
    } survey[SURVEY_PAGES];            /* of the person whose first session, or last, it is */
};

enum day_stage {
    DAY_NO_PLACE, /* asks for this machine's place */
    DAY_IDLE,     /* no ticket is left, or none has come yet */
    DAY_WAITS,    /* the next session waits for a key */
    DAY_RUNS,     /* a session is running, and has the screen */
    DAY_LEFT,     /* a session was left before its end */
    DAY_FAILED    /* the session's terminal cannot run; the board tries again */
};

/* The state of the stick. */
enum day_stick {
    DAY_STICK_OUT,
    DAY_STICK_BUSY, /* being read and written */
    DAY_STICK_DONE, /* all its files are written: it may be taken out */
    DAY_STICK_FAULT /* stick_why has the fault */
};

/* The board's questions about the ticket `asked`. DAY_CHECKS asks nothing. */
enum day_question { DAY_ASKS_NOTHING, DAY_ASKS_OVER, DAY_ASKS_AGAIN, DAY_ASKS_OLDER, DAY_CHECKS };

struct day {
    struct place place; /* machine 0: not known yet */
    struct day_ticket ticket[DAY_TICKETS];
    unsigned count;
    enum day_stage stage;
    unsigned at,
        asked; /* at: the ticket that waits, runs, was left or failed; asked: a question's ticket */
    enum day_stick stick;
    const char *words;   /* words of the key that signs ballots here; NULL: none */
    unsigned records;    /* records here, of the present contest */
    unsigned unsaved;    /* those of them that are on no stick yet */
    unsigned apart;      /* records of other contests that are on no stick yet */
    unsigned waiting;    /* records that are not at the desk yet, on a machine with a courier */
    char desk[DAY_TEXT]; /* a message about the tickets of the desk, or "" */
    bool older;          /* the stick's fault is its age: it is older than the last one */
    char stick_why[DAY_TEXT];
    char why[DAY_TEXT];      /* the reason why the session's terminal failed */
    char page_why[DAY_TEXT]; /* the same of a survey's page, or "" */
    unsigned failures;       /* number of failures in a row */
    uint64_t hushed_us;      /* time of the last key at the board */
    char typed[PLACE_NAME];  /* the part of a place or a word that has been typed */
    bool refused;            /* the typed words are no place */
    enum day_question asks;  /* a typed word is to confirm it */
    struct {
        bool runs, wrong;
        char text[DAY_CHECK_TEXT]; /* a finding or a step in each line, or a complaint */
        size_t from;               /* offset in text of the line at the top of the board */
    } check;
    char title[PLACE_NAME + 24], strong[DAY_TEXT], text[DAY_TEXT], passed[DAY_TEXT],
        signs[DAY_TEXT], courier[DAY_TEXT]; /* texts of the board */
};

enum day_act {
    DAY_NOTHING,
    DAY_LOOK,       /* the board has changed */
    DAY_RUN,        /* the ticket at `at` is to run now */
    DAY_PASS_OVER,  /* an attendant declares the ticket `asked` over: the caller keeps that, then
                    * calls day_next() */
    DAY_TAKE_OLDER, /* the stick is to be used, though it is older than the last one */
    DAY_TAKE_UP,   /* the attendant takes that back: the caller forgets it, then calls day_next() */
    DAY_SETTLE,    /* the place is known: keep it */
    DAY_CHECK,     /* the lines of the ticket `at` are to be checked, the board stays */
    DAY_CHECK_END, /* no more; then day_next() */
    DAY_PRACTISE,  /* a judge tries the terminal; then day_next() */
    DAY_SURVEY,    /* the page of day_survey() is to be shown; then day_next() */
    DAY_LEAVE      /* somebody leaves */
};

/* Reads a ticket's name into file, round and repeat. False: the file is no ticket, as
 * "line.key". */
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

/* Takes the end of the running ticket's terminal. After a first failure a begun session is started
 * again at once. */
enum day_act day_ended(struct day *day, const struct day_outcome *outcome);

/* The page of a survey that is not answered yet: of the latest session that is over, or of the one
 * that comes next; those that were put off come last. NULL: there is none. */
struct day_ticket *day_survey(struct day *day, enum ruleset_survey_page *page);

/* The pause before the terminal of a session that failed is tried again. */
unsigned day_retry_ms(const struct day *day);

/* The board is shown from now on. */
void day_shown(struct day *day, uint64_t now_us);

/* A key at the board. Whoever was still typing when a session ended must not begin the next one:
 * outside a place, a question or a check, a key counts only after a second without keys. may_leave:
 * leaving is allowed at all. */
enum day_act day_key(struct day *day, enum input_what what, uint32_t point, bool may_leave,
                     uint64_t now_us);

/* Writes the board for the present state. Its words live in the day until the next call. */
void day_board(struct day *day, bool may_leave, struct board *board);

#endif
