#ifndef DESK_TILES_PRIVATE_H
#define DESK_TILES_PRIVATE_H

#include "contest/contest.h"
#include "desk/folder.h"
#include "desk/tiles.h"

#include <sys/stat.h>

#define TILE_NAME 64 /* of a record */

/* A machine's record at the desk, with the session's state for a judge's journal. */
struct tile_file {
    char name[TILE_NAME];
    off_t size;
    uint64_t taken,
        grown_us; /* bytes read; time of the file's last growth, by this machine's clock */
    struct tile_session *session; /* NULL: not a judge's journal */
    bool other;                   /* of another contest, and hidden */
};

/* The last STATE of a machine's courier. */
struct tile_state {
    bool told;
    int64_t ahead_us;         /* difference of its clock from the desk's */
    uint64_t room;            /* bytes left on its disk */
    uint64_t number, earlier; /* number of its courier's start; the number before; 0: none */
    uint64_t twice_us;        /* time at which the earlier number came again, monotonic; 0: never */
    char ticket[TILE_NAME];   /* disputed between stick and desk; "": none */
};

struct tile_machine {
    bool known, heard, changed; /* it has a key; it has sent a message since the desk began */
    uint64_t heard_us;          /* monotonic */
    char fault[TILE_FAULT_MAX], todo[TILE_FAULT_MAX]; /* about its last message; "": none */
    struct tile_state state;
    unsigned copies;        /* further folders, for other bytes under the same name */
    unsigned open_copies;   /* the files in them that are not among the contest's records */
    uint64_t copies_us;     /* time of the last look at them, monotonic */
    int64_t key_s, grown_s; /* times of its key and of its latest record, since 1970 */
    struct tile_file *file;
    size_t files, room;
};

struct tile {
    struct tile_machine machine[MACHINE_CABLE_B];
};

struct tiles {
    char inbox[FOLDER_PATH_MAX], path[FOLDER_PATH_MAX]; /* path: the contest's; "": none */
    uint64_t began_us;                                  /* time of the first look, monotonic */
    struct tile tile[TILES_MOST];
    struct contest *contest; /* NULL: not read yet */
    char id[CONTEST_ID];     /* its id; "": not read yet */
    struct stat stamp;       /* state of the contest's file when read */
    char fault[TILE_FAULT_MAX];
    uint8_t booth[SCHEDULE_MEETINGS_MAX]; /* booth of each meeting, from 0; BOOTH_NONE */
};

#define TILE_MACHINE(tile, which) (&(tile)->machine[(which)-MACHINE_JUDGE])

/* tile_last(): the judge's journal that grew last. tile_find(): a record by its name. NULL:
 * none. */
const struct tile_file *tile_last(const struct tile *tile);
const struct tile_file *tile_find(const struct tile_machine *machine, const char *name);

/* The grade of an alarm. A tile has the grade of its gravest alarm. */
enum grade { GRADE_GOOD, GRADE_SOON, GRADE_ALARM };

struct told {
    struct json_text *out;
    struct bl_time now;
    enum grade grade;
    unsigned missing; /* number of lines */
};

extern const char *const tile_machine_names[MACHINE_CABLE_B];

uint64_t tile_seconds_since(uint64_t then_us, uint64_t now_us);

/* Writes the elements of an array of alarms. `next`: a session is still to come at the booth. */
void tile_alarms_write(struct told *told, const struct tiles *tiles, unsigned booth,
                       const struct tile_file *last, bool next);

/* The number of files in a place's further folders that are not among the contest's records.
 * Without a contest: of all files. */
unsigned tile_count_open(const struct tiles *tiles, const char *place, unsigned copies);

/* Reads the contest if its file has changed. True: the contest or its fault has changed. */
bool tiles_look_at_contest(struct tiles *tiles);

#endif
