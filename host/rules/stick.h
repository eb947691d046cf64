/* The layout of tickets on the sticks that carry them from the manager's machine to the booths: one
 * for the judges' room, one for the back room. Pure: names and text; boothlink-venue(5) shows the
 * whole.
 *
 *   boothlink/stick.list                 the list of the stick's files
 *   boothlink/booth-3-judge/002.ticket   a folder for each place, a ticket for each session
 *   boothlink/booth-3-cable-a/002-2.ticket   the session of round 2, held again
 *   boothlink/booth-3-judge/place.key    the place's key, for its courier
 *   boothlink/judge-2-ranks/ranks.ticket     a judge's own records, after the last round
 *   boothlink/entries/eliza-0e57.../     back room: an Entry as it was handed in
 *   boothlink/records/booth-3-judge/     records that a booth writes back
 *
 * A machine takes only the folder of its own place. All machines of a booth use the same ticket
 * name for one session. Sessions follow the tickets' numbers. */
#ifndef RULES_STICK_H
#define RULES_STICK_H

#include "base/status.h"
#include "rules/contest_id.h"
#include "rules/place.h"

#include <stdbool.h>
#include <stdint.h>

#define STICK_FOLDER      "boothlink"
#define STICK_LIST        "stick.list"
#define STICK_RECORDS     "records"
#define STICK_ENTRIES     "entries"
#define STICK_RANKS       "ranks.ticket"
#define STICK_KEY         "place.key"
#define STICK_DISPUTED    "desk.disputed" /* among the records: a ticket that stick and desk dispute */
#define STICK_BY_DESK     ".stick"        /* added to a courier's file: its folder like a stick's */
#define STICK_NAME_MAX    16
#define STICK_PATH_MAX    128
#define STICK_LINE_MAX    320
#define STICK_CONTEST_MAX 256

enum stick_room { STICK_JUDGES, STICK_BACK, STICK_ROOMS };

/* The folders for the rooms: "judges-room" and "back-room". */
extern const char *const stick_rooms[STICK_ROOMS];

/* Writes "judge-2-ranks". judge: from 0. */
void stick_ranks(unsigned judge, char out[PLACE_NAME]);
bool stick_ranks_read(const char *name, unsigned *judge);

/* Writes "002.ticket", or "002-2.ticket" for a session that was repeated once. round: from 0. */
void stick_ticket(unsigned round, unsigned repeated, char out[STICK_NAME_MAX]);

struct stick {
    bool complete; /* false: the stick was not written completely */
    enum stick_room room;
    int64_t acts; /* number of the contest's acts when the stick was written: a newer stick has
                   * more */
    char contest[STICK_CONTEST_MAX]; /* the contest's name and id: "Name [642a7c0e5f1b2]" */
};

void stick_contest_write(const char *name, int64_t begun_us, char out[STICK_CONTEST_MAX]);

/* Finds the id in stick->contest. False: none, on an earlier version's stick. */
bool stick_contest_id(const struct stick *stick, char id[CONTEST_ID]);

/* A file on the stick. */
struct stick_file {
    uint32_t crc; /* CRC-32C of the file */
    uint64_t bytes;
    char path[STICK_PATH_MAX]; /* below STICK_FOLDER */
};

/* Write a line with its end. */
void stick_head_write(const struct stick *stick, char out[STICK_LINE_MAX]);
void stick_file_write(const struct stick_file *file, char out[STICK_LINE_MAX]);

/* Reads the first line; *rest is the text after it. BL_DATA: the text is not such a list. */
enum bl_status stick_head_read(struct stick *stick, const char *text, const char *name,
                               const char **rest, struct bl_diag *diag);

/* Reads the next file of the list and moves *at past it. False: the end, or a damaged line. */
bool stick_file_read(struct stick_file *file, const char **at);

#endif
