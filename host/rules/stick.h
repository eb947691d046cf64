/* The layout of tickets on the sticks that carry them from the manager's machine to the booths: one
 * for the judges' room, one for the back room. Pure: names and text; boothlink-venue(5) shows the
 * whole.
 *
 *   boothlink/stick.list                 what is on the stick
 *   boothlink/booth-3-judge/002.ticket   a folder for each place, a ticket for each session
 *   boothlink/booth-3-cable-a/002-2.ticket   the session of round 2, held again
 *   boothlink/booth-3-judge/place.key    of the place, for its courier
 *   boothlink/judge-2-ranks/ranks.ticket     a judge's own records, after the last round
 *   boothlink/entries/eliza-0e57.../     back room: an Entry as it was handed in
 *   boothlink/records/booth-3-judge/     what a booth writes back
 *
 * A machine takes the folder of its own place and nothing else. The tickets of all places of a
 * booth have the same names for one session, and are taken in the order of their numbers. */
#ifndef RULES_STICK_H
#define RULES_STICK_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

#define STICK_FOLDER    "boothlink"
#define STICK_LIST      "stick.list"
#define STICK_RECORDS   "records"
#define STICK_ENTRIES   "entries"
#define STICK_RANKS     "ranks.ticket"
#define STICK_KEY       "place.key"
#define STICK_BY_DESK   ".stick" /* behind a courier's file: the folder like a stick's it lays out */
#define STICK_PLACE_MAX 24
#define STICK_NAME_MAX  16
#define STICK_PATH_MAX  128
#define STICK_LINE_MAX  320

enum stick_room { STICK_JUDGES, STICK_BACK, STICK_ROOMS };

/* "judges-room" and "back-room", the folders the manager's machine writes. */
extern const char *const stick_rooms[STICK_ROOMS];

/* The machines of a booth, and their names; NULL behind them. */
enum stick_machine { STICK_JUDGE, STICK_CABLE_A, STICK_CABLE_B, STICK_MACHINES };
extern const char *const stick_machines[STICK_MACHINES + 1];

/* "booth-3-judge", "booth-3-cable-a"; booth counts from 0. */
void stick_place(unsigned booth, enum stick_machine machine, char out[STICK_PLACE_MAX]);
/* False: it is not the name of a place. */
bool stick_place_read(const char *name, unsigned *booth, enum stick_machine *machine);

/* "judge-2-ranks"; judge counts from 0. */
void stick_ranks(unsigned judge, char out[STICK_PLACE_MAX]);
bool stick_ranks_read(const char *name, unsigned *judge);

/* "002.ticket", and "002-2.ticket" where the session was repeated once; round counts from 0. */
void stick_ticket(unsigned round, unsigned repeated, char out[STICK_NAME_MAX]);
/* Its number in the order of play, from 1; 0: the name is no ticket's. */
unsigned stick_ticket_order(const char *name);

/* The first line of the list. */
struct stick {
    bool complete; /* false: the writing of it has begun and not ended */
    enum stick_room room;
    int64_t acts;      /* of the contest when it was written: of two sticks, more are newer */
    char contest[256]; /* its name */
};

/* A file that is on the stick. */
struct stick_file {
    uint32_t crc; /* CRC-32C of it */
    uint64_t bytes;
    char path[STICK_PATH_MAX]; /* below STICK_FOLDER */
};

/* Write a line with its end. */
void stick_head_write(const struct stick *stick, char out[STICK_LINE_MAX]);
void stick_file_write(const struct stick_file *file, char out[STICK_LINE_MAX]);

/* Reads the first line; *rest is the text behind it. BL_DATA: it is not such a list. */
enum bl_status stick_head_read(struct stick *stick, const char *text, const char *name,
                               const char **rest, struct bl_diag *diag);

/* Reads the next file of the list and moves *at behind it; false: there is none, or the line is
 * damaged, which also ends a list that was cut. */
bool stick_file_read(struct stick_file *file, const char **at);

#endif
