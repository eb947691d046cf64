/* A machine's day as pure logic: the next ticket, the board's words, and the effects of a key or of
 * a session's end. day_run.c executes it. */
#ifndef BOOTH_DAY_H
#define BOOTH_DAY_H

#include "rules/place.h"
#include "rules/ruleset.h"
#include "rules/schedule.h"
#include "rules/ticket.h"
#include "session/event.h"
#include "screen/board.h"
#include "session/input.h"

/* One session a round, sessions held again, and the judges' ranks. */
#define DAY_TICKETS    (SCHEDULE_ROUNDS_MAX + 1024 + SCHEDULE_PEOPLE_MAX)
#define DAY_FILE       32 /* a ticket's name, with its NUL */
#define DAY_TEXT       320
#define DAY_CHECK_TEXT 8192 /* bytes of all findings and steps */

enum day_state {
    DAY_NEW,   /* this machine has no record of the session */
    DAY_BEGUN, /* the record lacks the session's end, or the judge's ballot; the terminal reopens
                * unasked */
    DAY_OVER   /* the record is complete, a judge's with the ballot; or an attendant has declared
                * the session over */
};

struct day_ticket {
    char file[DAY_FILE];              /* "002.ticket", "002-2.ticket" */
    char session[SESSION_ID_MAX + 1]; /* the session's name, also its record's */
    unsigned round, repeat;           /* repeat: 1; 2, 3 ... for a repetition of the session */
    unsigned ranks; /* ranks: number of the judge (from 1) for a ticket for ranks; 0: a session's
                * ticket */
    enum day_state state;
    bool elsewhere; /* another machine has held the session, by a stick's record */
    bool passed;    /* an attendant has declared the session over */
    bool pair;      /* a judge's session with two entities */
    bool program;   /* an entity's session with a program and no person */
    struct {
        char whose[TICKET_SURVEY_MAX]; /* the person, "j2"; "": the ticket has no such page */
        bool given, put_off;           /* put_off: the page was shown and left unanswered */
    } survey[SURVEY_PAGES];            /* pages before a person's first session, and after the
                                        * last */
};

enum day_stage {
    DAY_NO_PLACE, /* the board asks for this machine's place */
    DAY_IDLE,     /* no session is due */
    DAY_WAITS,    /* the next session waits for a key */
    DAY_RUNS,     /* a session is running, and has the screen */
    DAY_LEFT,     /* a session's terminal was left before the session's end */
    DAY_FAILED    /* the session's terminal cannot run; the board tries again */
};

/* The state of the stick, for the board. */
enum day_stick {
    DAY_STICK_OUT,
    DAY_STICK_BUSY, /* the stick is read and written */
    DAY_STICK_DONE, /* all files are written: the stick may be taken out */
    DAY_STICK_FAULT /* stick_why has the fault */
};

/* The board's questions about the ticket `asked`. DAY_CHECKS: the findings of a check are shown. */
enum day_question { DAY_ASKS_NOTHING, DAY_ASKS_OVER, DAY_ASKS_AGAIN, DAY_ASKS_OLDER, DAY_CHECKS };

struct day {
    struct place place; /* machine 0: not known yet */
    struct day_ticket ticket[DAY_TICKETS];
    unsigned count, crowded; /* crowded: further tickets, for which there is no room */
    enum day_stage stage;
    unsigned at,
        asked; /* at: index of the ticket that waits, runs, was left or has failed; asked: index of
                * the ticket of a question */
    enum day_stick stick;
    const char *words;   /* words of the key that signs ballots here; NULL: none */
    unsigned records;    /* number of records of the present contest */
    unsigned unsaved;    /* number of records of the present contest that no stick has yet */
    unsigned apart;      /* number of records of other contests that no stick has yet */
    unsigned waiting;    /* number of records that the desk lacks, on a machine with a courier */
    char desk[DAY_TEXT]; /* a message about the tickets of the desk, or "" */
    bool older;          /* the stick is refused because it is older than the last stick */
    char stick_why[DAY_TEXT];
    char why[DAY_TEXT];      /* reason why the session's terminal failed */
    char page_why[DAY_TEXT]; /* reason why a survey's page failed, or "" */
    unsigned failures;       /* number of successive failures */
    uint64_t hushed_us;      /* time of the last key at the board */
    char typed[PLACE_NAME];  /* the typed part of a place or of a word */
    bool refused;            /* the typed words are no place */
    enum day_question asks;  /* the board's question; a typed word confirms it */
    struct {
        bool runs, wrong;
        bool stops; /* a person has stopped the calling, and the findings so far come */
        char text[DAY_CHECK_TEXT]; /* lines, each a finding, a step or a complaint */
        size_t from;               /* offset in `text` of the first line that the board shows */
    } check;
    char title[PLACE_NAME + 24], strong[DAY_TEXT], text[DAY_TEXT], passed[DAY_TEXT],
        signs[DAY_TEXT], courier[DAY_TEXT]; /* texts of the board */
};

enum day_act {
    DAY_NOTHING,
    DAY_LOOK,       /* the board has changed */
    DAY_RUN,        /* the ticket `at` is to run now */
    DAY_PASS_OVER,  /* an attendant has declared the ticket `asked` over: the caller marks that,
                     * then calls day_next() */
    DAY_TAKE_OLDER, /* the stick is to be used, though it is older than the last stick */
    DAY_TAKE_UP, /* an attendant takes DAY_PASS_OVER back: the caller removes the mark, then calls
                    * day_next() */
    DAY_SETTLE,  /* the place is known: the caller keeps it */
    DAY_CHECK,   /* the lines of the ticket `at` are to be checked, while the board stays */
    DAY_CHECK_STOP, /* the check is to call no longer, and to tell its findings so far */
    DAY_CHECK_END,  /* the check is to end; then day_next() */
    DAY_PRACTISE,   /* a judge wants to practise; then day_next() */
    DAY_SURVEY,     /* the page of day_survey() is to be shown; then day_next() */
    DAY_LEAVE       /* a person leaves the board */
};

/* Reads a ticket's name into file, round and repeat. False: the file is no ticket, such as
 * "line.key". */
bool day_ticket_name(struct day_ticket *ticket, const char *file);

/* The row of one more ticket, which counts once `count` is increased. NULL: there is no room, and
 * the board says so. */
struct day_ticket *day_ticket_room(struct day *day);

/* Sorts the tickets by round, then by repeat; ranks come last. */
void day_sort(struct day *day);

/* Finds the next ticket when no session runs. DAY_RUN: a session that was begun is to go on at
 * once. Otherwise DAY_LOOK. */
enum day_act day_next(struct day *day);

struct day_outcome {
    enum day_state state; /* the present state in the session's record */
    int code;             /* the terminal's exit code; 0: a good end */
    uint64_t ran_us;
    const char *why; /* the terminal's complaint, or "" */
};

/* Takes the end of the running ticket's terminal. After a first failure an unfinished session runs
 * again at once. */
enum day_act day_ended(struct day *day, const struct day_outcome *outcome);

/* Finds an unanswered page of a survey, after the latest session that is over or before the next
 * session. Pages that were put off come last. NULL: none. */
struct day_ticket *day_survey(struct day *day, enum ruleset_survey_page *page);

/* The pause before a failed terminal is started again. */
unsigned day_retry_ms(const struct day *day);

/* The board is shown from now on. */
void day_shown(struct day *day, uint64_t now_us);

/* Takes a key at the board. Except for a place, a question or a check, a key counts only after a
 * second without keys, since a person may still be typing when a session ends. may_leave: the
 * person may leave the board. */
enum day_act day_key(struct day *day, enum input_what what, uint32_t point, bool may_leave,
                     uint64_t now_us);

/* Fills in the board for the present state. Its texts are valid until the next call. */
void day_board(struct day *day, bool may_leave, struct board *board);

#endif
