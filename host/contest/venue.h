/* The machines of a venue and their cables, which no draw changes. Pure: it reads text, not files.
 *
 *   [venue]
 *   format = 1
 *   start = 10:00                     ; of the first round
 *   breaks = 4=60                     ; 60 minutes more after round 4
 *   begin = ready                     ; or key: as in a judge's ticket
 *   keys = ethernet                   ; or all, none: which lines get a key from `contest setup`
 *   referee = yes                     ; a referee may listen, with a key from `contest setup`
 *   pace = keys 110+-30               ; of both entities' keys: base/pace_config.h
 *   hold = 100                        ; ms from the pressing of a key to its going, for both
 *   [machines]
 *   booth1.judge-a = serial:/dev/ttyUSB0@115200   ; on the judge's machine, for cable A
 *   booth1.entity-a = serial:/dev/ttyUSB0@115200  ; on the machine at its other end
 *   booth1.judge-b = ...                          ; cable B, where a judge meets pairs
 *   booth1.entity-b = ...
 *   booth1.either = yes           ; both machines at the far ends can serve either kind
 *   booth1.judge-key-a = /etc/boothlink/1a.key    ; and entity-key-a: a line's own key; else
 *                                                 ; [venue] keys says which lines get one beside
 *                                                 ; the ticket
 *   booth1.controller = serial:/dev/ttyACM0       ; and referee-key: as in a judge's ticket
 *   entry1.program = /opt/entry/run               ; and turn-end, program-io, strip-prompt
 *   entry1.handed-in = entries/eliza              ; instead: its folder on the manager's machine,
 *                                                 ; with its manifest; the stick carries it
 *   entry1.comms = ./comms {port}                 ; what a confederate of its pairs types at, and
 *                                                 ; comms-turn-end
 *   entry1.lpp = /srv/lpp                         ; an Entry that speaks LPP
 *   entry1.lpp2 = 8080                            ; one of LPP v2, which connects to us
 *   entry1.cgi = ./entry.pl                       ; one of 2003, behind a form; or entry1.web = URL
 *   entry1.style = scroll columns=38              ; of its pairs, where the rules let it have one
 *
 * A booth is a judge's machine and the machines at the other ends of its cables: the machine of
 * an Entry and the terminal of a confederate, or one candidate where entities are met singly. A
 * booth belongs to an Entry (or candidate) for the whole contest, or trial; judges and confederates
 * move. The contest's seed draws the booths of Entries, and the cable of each (draw.h). So neither
 * the number of a booth nor that of a port tells a judge who is human. */
#ifndef CONTEST_VENUE_H
#define CONTEST_VENUE_H

#include "base/pace_config.h"
#include "contest/draw.h"
#include "rules/desk_network.h"
#include "rules/fields.h"
#include "rules/ticket.h"

#define VENUE_PORT_MAX       256
#define VENUE_CABLES         2 /* A and B */
#define VENUE_STYLE_MAX      201
#define VENUE_FIELDS         10 /* fields of [venue]; of a booth; of an Entry */
#define VENUE_BOOTH_FIELDS   11
#define VENUE_PROGRAM_FIELDS (KIND_WORD_COUNT + 8)

struct venue_booth {
    char judge[VENUE_CABLES][VENUE_PORT_MAX], entity[VENUE_CABLES][VENUE_PORT_MAX];
    char judge_key_file[VENUE_CABLES][VENUE_PORT_MAX],
        entity_key_file[VENUE_CABLES][VENUE_PORT_MAX];
    char either[4];
    char controller[VENUE_PORT_MAX], referee_key[VENUE_PORT_MAX];
    int line[VENUE_BOOTH_FIELDS]; /* line of each field, by its index in the table; 0: not there */
};

struct venue_program {
    char handed_in[512];
    char entry[TICKET_ENTRY_MAX];        /* the handed-in folder's name, set by desk/entries.h */
    char comms[512], comms_turn_end[16]; /* the Entry's communications program: 2004 A6, A14 */
    KIND_MEMBERS
    char folder[512];
    char turn_end[16], program_io[8], strip_prompt[128];
    char style[VENUE_STYLE_MAX]; /* page style of its pairs: 2004 A6c, A7; "": the ruleset's */
    int line[VENUE_PROGRAM_FIELDS];
};

/* True if a field gives the way to reach this Entry. */
bool venue_starts(const struct venue_program *entry);

/* Writes "entry3.program is missing, or another of .program, .lpp ...". */
#define VENUE_MISSING_MAX 160
void venue_missing(unsigned entry, char out[VENUE_MISSING_MAX]);

enum venue_keys { VENUE_KEYS_ETHERNET = 1, VENUE_KEYS_ALL, VENUE_KEYS_NONE };
enum { VENUE_YES = 1, VENUE_NO };

struct venue {
    int format;
    char start[16], breaks[64];
    int begin;   /* begin of the sessions: 1 + the index in ticket_begins; 0: not said */
    int keys;    /* enum venue_keys; 0: not said, as VENUE_KEYS_ETHERNET */
    int referee; /* VENUE_YES: a referee may listen; VENUE_NO; 0: not said, as VENUE_NO */
    char pace[PACE_TEXT_MAX]; /* "": none */
    int hold;                 /* ms */
    int entry_network;        /* enum entry_network; 0: the rules' limit */
    int desk_network;         /* enum desk_network; 0: the rules' limit */
    struct venue_booth booth[SCHEDULE_BOOTHS_MAX];
    struct venue_program entry[SCHEDULE_ENTRIES_MAX];
    int field_line[VENUE_FIELDS];  /* line of each field, as in a booth */
    int venue_line, machines_line; /* of the sections' headings; 0: not there */
    int line;                      /* the present line while reading, then the last */
};

/* Parses the file; the struct is large (200 KiB). BL_DATA with "NAME:LINE: ...". */
enum bl_status venue_parse(struct venue *venue, const char *text, const char *name,
                           struct bl_diag *diag);

/* As venue_parse(), but reports every fault, and notes the lines. */
void venue_parse_all(struct venue *venue, const char *text, const char *name,
                     struct faults *faults);

/* The fields of a booth's ports, "judge-a" and "entity-b", by cable. */
extern const char *const venue_judge_fields[VENUE_CABLES], *const venue_entity_fields[VENUE_CABLES];

/* The line of "start" or "booth1.judge-a", after venue_parse_all(); if missing, of the section's
 * heading. */
int venue_line(const struct venue *venue, const char *key);

/* Reports "NAME:LINE: [machines] KEY: ..." at the key's line. */
void venue_fault(const struct venue *venue, const char *name, struct faults *faults,
                 const char *key, const char *format, ...) __attribute__((format(printf, 5, 6)));

/* The number of booths, from the first on, with both ports of cable A. */
unsigned venue_booths(const struct venue *venue);

/* True if both machines at the far ends of a booth's cables can run the Entry and serve a
 * confederate. The cables are then drawn for each round. False without a venue. */
bool venue_either(const struct venue *venue, unsigned booth);

/* True if `contest setup` makes the secret of a cable's line, for both ends' folders of tickets.
 * False where the venue names a key file. */
bool venue_makes_secret(const struct venue *venue, const struct venue_booth *at, unsigned cable);

/* _check_pace: checks the venue's pace against the rules. _check_entry: checks the Entry's own page
 * style, its communications program, and its server's network. BL_DATA: not allowed. */
enum bl_status venue_check_pace(const struct venue *venue, const struct ruleset *rules,
                                struct bl_diag *diag);
enum bl_status venue_check_entry(const struct venue *venue, const struct ruleset *rules,
                                 unsigned entry, struct bl_diag *diag);

/* The network that rules and venue (may be NULL) allow the desk. Without a venue's limit, the
 * rules'. */
enum desk_network venue_desk_network(const struct venue *venue, const struct ruleset *rules);
/* _check_desk: BL_DATA, with the rule: the venue allows more than the rules. _begin_desk: BL_DATA:
 * no desk is allowed. */
enum bl_status venue_check_desk(const struct venue *venue, const struct ruleset *rules,
                                struct bl_diag *diag);
enum bl_status venue_begin_desk(const struct venue *venue, const struct ruleset *rules,
                                struct bl_diag *diag);

/* Takes a written ticket: its path, such as "judges-room/boothlink/booth-2-judge/001.ticket"
 * (rules/stick.h), and its text (rules/ticket.h), which lives during the call. */
typedef enum bl_status ticket_take(void *ctx, const char *path, const char *text,
                                   struct bl_diag *diag);

/* Gives the tickets of all meetings in rounds from `first` on, and of sessions to be repeated, to
 * `take`. BL_DATA: a booth without ports, an Entry without a program, an Entry's style that the
 * rules do not allow or with entities met singly, a pace that the rules do not allow; or `take`'s
 * error. */
enum bl_status tickets_write(const struct contest *contest, const struct venue *venue,
                             unsigned first, ticket_take *take, void *ctx, struct bl_diag *diag);

/* tickets_write() for the preliminary round's sessions (preliminary.h), for the `time`th time, from
 * 1. BL_DATA also from preliminary_make() and preliminary_seat(). */
enum bl_status tickets_write_preliminary(const struct contest *contest, const struct venue *venue,
                                         unsigned time, ticket_take *take, void *ctx,
                                         struct bl_diag *diag);

#endif
