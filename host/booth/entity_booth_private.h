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
    struct booth booth; /* first member: functions of booth_line.h pass it as the entity's booth */
    const struct entity_options *options;
    struct booth_line line;
    char dir[PATH_MAX];
    struct entity_end *end;
    const struct entity_end_view *view;
    const struct sequence *order;
    bool was_resumed;
    bool caught_up; /* the keys that this machine lacked have arrived */
    struct program *program;
    struct program *opening; /* another Entry is to replace `opening` once that has started */
    bool open_again;         /* drop `opening` once it has started, and start another one */
    char keeper[SESSION_ID_MAX + 1]; /* the keeper's name */
    const char *hidden[4];           /* paths hidden from the Entry. Also read by the starting
                                      * thread */
    uint64_t brief_end_us;           /* end of the segment that the Entry was told; 0: none */
    bool brief_named;                /* the session's name is known to the Entry */
    int brief;                       /* descriptor of a language model's brief; 0: none */
    bool warm;                       /* the language model has answered once */
    struct speaker *speaker;         /* NULL: the Entry speaks by its output */
    bool speaker_begun;              /* the speaker has begun the present session */
    bool speaker_anew;               /* the speaker's Entry is new */
    struct entity_lpp *judge;        /* NULL: none; see entity_lpp.h */
    bool prefix_told;                /* headless: the log names the line's cut */
    struct entry_lines lines;        /* the last messages about the Entry */
    uint64_t delivered;
    uint64_t given;        /* number of the order up to which the Entry was given the judge's
                             * keys */
    uint64_t heard;        /* number of the order up to which the Entry had the judge's keys at its
                             * last key; 0: no such key in this process */
    struct pace pace;      /* uses this booth's wall clock */
    uint32_t file_step_us; /* step of the clock of files */
    bool taken_up;         /* take_up() was called for this session */
    uint32_t dice[64];
    unsigned dice_left;     /* number of unused entries of dice */
    struct key_queue early; /* keys received before a record was open */
    struct limit lost;      /* limits notes about keys that were lost or refused */
    struct limit ignored;   /* limits notes about characters that are not permitted */
    uint64_t lost_keys;
    bool spoilt; /* an Entry's message began out of turn: the rest of the message is dropped */
    int alike;   /* inotify's descriptor of be_alike(); -1: none */
    uint64_t waiting_us;   /* time at which keys without a place are shown beside the page */
    uint64_t shown_s;      /* seconds left, as the screen shows them */
    char folder[PATH_MAX]; /* folder of a handed-in Entry; "": none */
    char checked[80];      /* note of check_manifest(): the folder equals its manifest */
    char handed_in[80];    /* that note once the Entry runs, for the record */
    char limited[TICKET_LIMIT_MAX + 64]; /* the referee's limit as the screen shows it; "": none */
};

/* entity_booth_keys.c: the entity's keys, from every source. */

/* A random number. The kernel gives many at once. */
uint32_t entity_booth_roll(struct entity_booth *b);

/* Lets due keys go to the line. Returns the time of the next key. */
uint64_t entity_booth_pace(struct entity_booth *b, struct bl_time now);

/* Notes the number of events that the limit suppressed, if the note is due. Returns the next due
 * time. */
uint64_t entity_booth_tell_more(struct entity_booth *b, struct limit *limit, enum note_code code,
                                const char *text, struct bl_time now);

/* True if the rules permit the character. Otherwise notes the character, which is dropped. */
bool entity_booth_has(struct entity_booth *b, uint32_t point, struct bl_time now);

enum key_answer entity_booth_press(struct entity_booth *b, uint32_t point, struct bl_time pressed,
                                   struct bl_time now);

/* Takes the keys from before the record, once a record is open. */
void entity_booth_take_early(struct entity_booth *b, struct bl_time now);

/* The number of keys that an Entry may hand over now. entity_booth_take() takes one of them. */
unsigned entity_booth_room(struct entity_booth *b);
enum handed entity_booth_take(struct entity_booth *b, uint32_t point, uint64_t pressed_us);

/* entity_booth_entry.c: the Entry, with any protocol. */

/* The Entry's row of the table of kinds; without an Entry the keyboard's row. */
const struct entry_kind *entity_booth_kind(const struct entity_booth *b);

/* True if the folder or the port of this terminal's Entry is in the Entry's sandbox. */
bool entity_booth_is_boxed(const struct entity_booth *b);

/* True if the Entry has other means than its program's input and output (speaker.h). */
bool entity_booth_speaks_apart(const struct entity_booth *b);

/* Tells an Entry with a brief the state of the session. */
void entity_booth_tell_state(struct entity_booth *b);

/* Gives the Entry the judge's keys that it lacks. Called between two waits of the loop, after the
 * keys' acknowledgement, so that its duration is not seen on the line. */
void entity_booth_give(struct entity_booth *b);

/* Finds the folder of the Entry named by a ticket. `boothlink booth` has installed the folder from
 * the stick. */
enum bl_status entity_booth_find_entry(struct entity_booth *b, struct bl_diag *diag);

/* Starts the Entry, or gets it back from its keeper. An Entry whose folder differs from its
 * manifest is not started. */
enum bl_status entity_booth_start(struct entity_booth *b, struct bl_diag *diag);

/* Like entity_booth_start(), but in a thread, since a line must not wait. The screen shows a
 * failure. */
void entity_booth_start_later(struct entity_booth *b);

/* Ends the Entry, and this process's part of its sandbox. */
void entity_booth_end_entry(struct entity_booth *b);

/* True if an attendant's F9 may start an ended Entry again. The terminal never restarts an Entry by
 * itself. */
bool entity_booth_may_restart(const struct entity_booth *b);
void entity_booth_restart(struct entity_booth *b);

/* The speaker of an Entry (speaker.h). entity_booth_open_speaker() opens it anew.
 * entity_booth_run_speaker() runs it between two waits of the loop. */
enum bl_status entity_booth_open_speaker(struct entity_booth *b, struct bl_diag *diag);
void entity_booth_run_speaker(struct entity_booth *b);

#endif
