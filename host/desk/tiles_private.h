#ifndef DESK_TILES_PRIVATE_H
#define DESK_TILES_PRIVATE_H

#include "contest/contest.h"
#include "desk/folder.h"
#include "desk/tiles.h"

#include <sys/stat.h>

#define TILE_NAME 64 /* of a record */

/* A machine's record at the desk; of a judge's journal the session's state is read. A name has
 * further copies, with other bytes: behind another contest's record, or a spare machine's. */
struct tile_file {
    char name[TILE_NAME];
    unsigned copy; /* from 1 */
    off_t size;
    uint64_t taken,
        grown_us; /* bytes read; time of the file's last growth, by this machine's clock */
    struct tile_session *session; /* NULL: not a judge's journal */
    char contest[CONTEST_ID];     /* "": the file says none */
    bool other;                   /* of another contest */
    bool shown;                   /* the one of its name that grew last, of the own contest */
    bool rival;                   /* another file has its name, both of the own contest */
    bool collected;               /* among the contest's records, by the last comparison */
    uint64_t compared;            /* the records' stamp at that comparison; 0: compare anew */
};

#define TILE_STARTS 16 /* of a machine's courier, that are known apart */

/* A start of a courier, and the count of its last STATE. */
struct tile_start {
    uint64_t number, count;
};

/* The last STATE of a machine's courier. */
struct tile_state {
    bool told, counted; /* counted: its STATEs have counts */
    struct tile_start start[TILE_STARTS];
    unsigned starts;
    uint64_t run;             /* added to the desk's, so that no earlier STATE counts */
    uint64_t again_us;        /* an old STATE of this run came, monotonic; 0: never */
    int64_t ahead_us;         /* its clock's, of the desk's */
    uint64_t room;            /* bytes left on its disk */
    uint64_t number, earlier; /* number of its courier's start; the number before; 0: none */
    uint64_t twice_us;        /* time at which the earlier number came again, monotonic; 0: never */
    char ticket[TILE_NAME];   /* disputed between stick and desk; "": none */
};

/* The last fault of a matter. */
struct tile_fault {
    char text[TILE_FAULT_MAX], todo[TILE_FAULT_MAX]; /* "": none */
    uint64_t last_us;                                /* monotonic */
};

/* A machine of a booth. */
struct tile_machine {
    bool known, heard, changed; /* it has a key; it has sent a message since the desk began */
    uint64_t heard_us;          /* monotonic */
    struct tile_fault fault[TILE_MATTERS];
    struct tile_state state;
    unsigned open_copies;   /* rivals in further folders, and not among the contest's records */
    int64_t key_s, grown_s; /* times of its key, and of its latest record, since 1970 */
    struct tile_file *file;
    size_t files, room;
};

struct tile {
    struct tile_machine machine[MACHINE_CABLE_B];
};

struct tiles {
    char inbox[FOLDER_PATH_MAX], path[FOLDER_PATH_MAX]; /* path: the contest's; "": none */
    uint64_t began_us;                                  /* monotonic; of the first look */
    uint64_t run;                                       /* of the desk */
    struct tile tile[TILES_MOST];
    struct contest *contest; /* NULL: not read yet */
    char id[CONTEST_ID];     /* its id; "": not read yet */
    struct stat stamp;       /* state of the contest's file when read */
    char fault[TILE_FAULT_MAX];
    uint64_t copies_us;                   /* of the last look at rivals, monotonic */
    uint64_t records;                     /* the stamp of the contest's records then */
    uint8_t booth[SCHEDULE_MEETINGS_MAX]; /* booth of each meeting, from 0; BOOTH_NONE */
};

#define TILE_MACHINE(tile, which) (&(tile)->machine[(which)-MACHINE_JUDGE])

/* tile_last(): the judge's journal that grew last. tile_find(): the shown record of that name.
 * NULL: none. */
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

/* Tells a file's contest by its first bytes. */
void tile_file_of(struct tile_file *file, const uint8_t *bytes, size_t length);

/* Chooses the shown file of each name, and finds the rivals. */
void tile_choose(const struct tiles *tiles, struct tile_machine *machine);

/* Now and then: counts the rivals of all machines that the manager has not taken in. Without a
 * contest all. */
void tiles_look_at_copies(struct tiles *tiles, struct bl_time now);

/* Reads the contest if its file has changed. True: the contest or its fault has changed. */
bool tiles_look_at_contest(struct tiles *tiles);

#endif
