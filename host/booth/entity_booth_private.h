/* The inside of the entity's terminal, for its files. */
#ifndef BOOTH_ENTITY_BOOTH_PRIVATE_H
#define BOOTH_ENTITY_BOOTH_PRIVATE_H

#include "base/limit.h"
#include "booth/booth_line.h"
#include "booth/entity_booth.h"
#include "booth/entity_lpp.h"
#include "booth/entry_lines.h"
#include "entity/speaker.h"
#include "rules/ticket.h"
#include "session/entity_end.h"
#include "session/key_queue.h"

struct entity_booth {
    struct booth booth; /* its head: the booth's functions get the entity's booth */
    const struct entity_options *options;
    struct booth_line line;
    char dir[PATH_MAX];
    struct entity_end *end;
    const struct entity_end_view *view; /* the end's, */
    const struct sequence *order;       /* and its order */
    bool was_resumed;
    bool caught_up; /* the keys that this machine lacked have come */
    struct program *program;
    struct program *opening;         /* the next one, while a thread starts it */
    bool open_again;                 /* not that one, but another one when it is there */
    char keeper[SESSION_ID_MAX + 1]; /* its name, and paths hidden from the Entry, */
    const char *hidden[4];           /* as long as a thread may read them */
    uint64_t brief_end_us;           /* as that has been told; */
    bool brief_named;                /* the session's name, too */
    int brief;                       /* of a language model that is being started; 0: none */
    bool warm;                       /* it has answered for the first time */
    struct speaker *speaker;         /* NULL: the Entry speaks by its output */
    bool speaker_begun;              /* with the present session */
    bool speaker_anew;               /* its Entry was started here, and has been told nothing yet */
    struct entity_lpp *judge;        /* an organiser's judge program instead of a line */
    bool prefix_told;         /* without a screen: that the line was cut and nobody said so */
    struct entry_lines lines; /* the last news of the Entry */
    uint64_t delivered;
    uint64_t given;         /* the judge's keys up to this number were given to the Entry */
    uint64_t heard;         /* the same when it typed its last key; 0: not in this process */
    struct pace pace;       /* on this booth's wall clock, as times of keys are */
    uint32_t file_step_us;  /* of the clock of files */
    bool taken_up;          /* the line was live in this process and session */
    uint32_t dice[64];      /* random numbers, */
    unsigned dice_left;     /* so many of which were not used */
    struct key_queue early; /* typed before there was a record */
    struct limit lost;      /* telling of keys that found no room, */
    struct limit ignored;   /* and of characters that do not exist */
    uint64_t lost_keys;
    bool spoilt;           /* an Entry's message began out of turn: none of it is taken */
    int alike;             /* a watch that nobody reads, see be_alike(); -1: none */
    uint64_t waiting_us;   /* time at which keys still without a place are shown beside the page */
    uint64_t shown_s;      /* of the time left, on the screen */
    char folder[PATH_MAX]; /* of an Entry handed in, "" without */
    char checked[80];      /* by who starts the Entry: that its folder is as its manifest says, */
    char handed_in[80];    /* the hash of the handed-in folder, for the record */
    char limited[TICKET_LIMIT_MAX + 64]; /* the limit as it stands on the screen, "" without */
};

/* entity_booth_keys.c: the entity's keys. Whoever types them, they pass through there. */

/* A random number; the kernel is asked for many at once. */
uint32_t entity_booth_roll(struct entity_booth *b);

/* Lets go the keys that are due. Returns the time of the next one. */
uint64_t entity_booth_pace(struct entity_booth *b, struct bl_time now);

/* Notes how many events the limit held back, once that may be told. Returns when to ask again. */
uint64_t entity_booth_tell_more(struct entity_booth *b, struct limit *limit, enum note_code code,
                                const char *text, struct bl_time now);

/* True if the rules have the character. Any other counts as missing on a keyboard, and as unwritten
 * by an Entry. */
bool entity_booth_has(struct entity_booth *b, uint32_t point, struct bl_time now);

enum key_answer entity_booth_press(struct entity_booth *b, uint32_t point, struct bl_time pressed,
                                   struct bl_time now);

/* Gives the keys typed before to the record, once there is one. */
void entity_booth_take_early(struct entity_booth *b, struct bl_time now);

/* The number of keys an Entry may hand over now; and one it hands over. */
unsigned entity_booth_room(struct entity_booth *b);
enum handed entity_booth_take(struct entity_booth *b, uint32_t point, uint64_t pressed_us);

/* entity_booth_entry.c: the Entry, however it speaks. */

/* The table's row: a confederate's where there is no Entry. */
const struct entry_kind *entity_booth_kind(const struct entity_booth *b);

/* Does an Entry started here have its folder, or its one port, in its sandbox? */
bool entity_booth_is_boxed(const struct entity_booth *b);

/* True if the Entry does not speak by its input and output. */
bool entity_booth_speaks_apart(const struct entity_booth *b);

/* Tells an Entry that has a brief how the session stands. */
void entity_booth_tell_state(struct entity_booth *b);

/* Gives the Entry the judge's keys it does not have yet. Called between two waits of the loop,
 * after their acknowledgement, so nobody can hear the duration. */
void entity_booth_give(struct entity_booth *b);

/* The folder of an Entry that a ticket names: `boothlink booth` has installed it from the stick. */
enum bl_status entity_booth_find_entry(struct entity_booth *b, struct bl_diag *diag);

/* Starts the Entry, or gets it back from its keeper. An Entry with a manifest is the one handed in,
 * or does not start; a running one was checked at its start. */
enum bl_status entity_booth_start(struct entity_booth *b, struct bl_diag *diag);

/* The same on a line that must not wait: the screen has the reason for a failure. */
void entity_booth_start_later(struct entity_booth *b);

/* Ends the Entry, and our part of its sandbox. */
void entity_booth_end_entry(struct entity_booth *b);

/* An attendant starts an ended Entry again, not the program: the end may be the third, with its
 * reason on the screen. */
bool entity_booth_may_restart(const struct entity_booth *b);
void entity_booth_restart(struct entity_booth *b);

/* An Entry that does not speak by its output. */
enum bl_status entity_booth_open_speaker(struct entity_booth *b, struct bl_diag *diag);
void entity_booth_run_speaker(struct entity_booth *b);

#endif
