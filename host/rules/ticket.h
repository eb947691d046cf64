/* A session ticket: the settings of one machine for one session, so nobody types a number. Pure:
 * reads text, not files. Source: DESIGN.md, "Formats".
 *
 *   [ticket]
 *   format = 1
 *   role = judge                  ; or entity, or ranks: of the journals beside it
 *   session = r2-j3               ; names the record; the same at both ends
 *   round = 2
 *   contest = 642a7c0e5f1b2       ; the contest's id, in each record of the session (contest_id.h)
 *   [line.left]                   ; judge: left, right or both. Entity: [line]
 *   port = serial:/dev/ttyUSB0@115200
 *   cable = a                     ; or b: the booth's cable, and so this side's relay in the
 *                                 ; controller; absent: a on the left, b on the right. In an
 *                                 ; entity's [line] for `check` alone
 *   key = /etc/boothlink/booth3.key   ; of an encrypted line
 *   [referee]
 *   key = /etc/boothlink/referee.key.pub  ; the permitted listener; judge only
 *   [controller]                  ; judge, where one is in the lines
 *   port = serial:/dev/ttyACM0
 *   [rules]
 *   ruleset = loebner-2009        ; its ballot, and the default of each line below
 *   plan = 300 left,300 right,600 review,300 change
 *   starts = judge                ; or either
 *   begin = key                   ; F9 begins, or ready: it begins when all are there; judge only
 *   [page]
 *   style = split
 *   [survey]                      ; of rules with one: whose first session it is, and last
 *   before = j2
 *   after = j2
 *   [entity]                      ; never in a judge's ticket
 *   program = ./entry             ; or: keyboard = yes, lpp = /srv/lpp, lpp2 = 8080, cgi = CMD,
 *                                 ; web = http://...
 *   entry = eliza-0e5751c0...     ; the folder of the Entry as it was handed in
 *   turn-end = lf
 *   comms = ./comms {port}        ; beside a keyboard: the confederate's communications program
 *   limit = nothing of the weather ; beside a keyboard: a referee's limit for the confederate */
#ifndef RULES_TICKET_H
#define RULES_TICKET_H

#include "base/pace_config.h"
#include "base/status.h"
#include "rules/characters.h"
#include "rules/contest_id.h"
#include "rules/kind.h"

#include <stdbool.h>

#define TICKET_TEXT_MAX   KIND_TEXT_MAX
#define TICKET_LIMIT_MAX  160 /* bytes */
#define TICKET_ENTRY_MAX  64  /* bytes with the NUL */
#define TICKET_SURVEY_MAX 16  /* bytes with the NUL */

struct ticket {
    int format, round; /* round 0: not given */
    char role[8];
    char session[64];
    char contest[CONTEST_ID];                /* "": not given */
    int line_cable, left_cable, right_cable; /* 0: not given, 1: a, 2: b */
    char line[64 * 4], left[64 * 4], right[64 * 4];
    char controller[64 * 4]; /* port of the controller, for a judge */
    char line_key_file[64 * 4], left_key_file[64 * 4], right_key_file[64 * 4];
    char line_insecure[8], left_insecure[8], right_insecure[8]; /* "yes", or "" */
    char referee[64 * 4];
    char ruleset[64];
    char plan[TICKET_TEXT_MAX];
    char starts[8];
    int begin;      /* 1 + the index in ticket_begins; 0: not given */
    int controlled; /* 1 for [line] controller = yes: a controller can cut the entity's line */
    char style[TICKET_TEXT_MAX];
    KIND_MEMBERS
    char folder[TICKET_TEXT_MAX];
    char entry[TICKET_ENTRY_MAX]; /* a folder's name, never a path */
    char comms[TICKET_TEXT_MAX];  /* 2004 A6, A14 */
    char keyboard[8];
    char turn_end[16], program_io[8], strip_prompt[128], pace[PACE_TEXT_MAX];
    int hold;                         /* ms from the press of a key to its sending; 0: not given */
    int characters;                   /* enum characters; 0: not given */
    int message_most;                 /* characters of a message; 0: no limit */
    int turns, turn_seconds;          /* turns: 1 + the index in turns_words; 0: not given */
    char limit[TICKET_LIMIT_MAX + 1]; /* a referee's limit on the confederate's words: 1996 r15 */
    char before[TICKET_SURVEY_MAX], after[TICKET_SURVEY_MAX]; /* the person of a survey's page,
                                                               * "j2"; "": no page */
};

extern const char *const ticket_begins[];

/* Parses text, a C string; `name` is for messages. BL_DATA with "NAME:LINE: [section] key: fault;
 * remedy": an unknown section or key, a value too long, another format, a missing role, session or
 * port, two sides on one cable, a judge's ticket that mentions the entity. */
enum bl_status ticket_parse(struct ticket *ticket, const char *text, const char *name,
                            struct bl_diag *diag);

/* Checks that a referee's limit fits a ticket, a record and a screen: one line without a semicolon.
 * BL_DATA names the fault. */
enum bl_status ticket_check_limit(const char *limit, struct bl_diag *diag);

/* True if a judge's ticket assigns cable B to the left side and cable A to the right. */
bool ticket_b_left(const struct ticket *ticket);

#endif
