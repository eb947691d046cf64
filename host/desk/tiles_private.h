/* Shared by the files of desk/tiles.h. */
#ifndef DESK_TILES_PRIVATE_H
#define DESK_TILES_PRIVATE_H

#include "contest/contest.h"
#include "desk/folder.h"
#include "desk/tiles.h"

#include <sys/stat.h>

#define TILE_NAME 64 /* of a record */

/* A machine's record at the desk; of a judge's journal the session's state is read. */
struct tile_file {
    char name[TILE_NAME];
    off_t size;
    uint64_t taken,
        grown_us; /* bytes read; time of the file's last growth, by this machine's clock */
    struct tile_session *session; /* NULL: not a judge's journal */
};

/* A machine of a booth. */
struct tile_machine {
    bool known, heard,
        changed; /* it has a key; it has spoken since the desk began; a file of it has changed */
    uint64_t heard_us; /* monotonic */
    char fault[TILE_FAULT_MAX];
    unsigned copies; /* further folders, for other bytes under the same name */
    struct tile_file *file;
    size_t files, room;
};

struct tile {
    struct tile_machine machine[MACHINE_CABLE_B];
};

struct tiles {
    char inbox[FOLDER_PATH_MAX], path[FOLDER_PATH_MAX]; /* path: the contest's; "": none */
    uint64_t began_us;                                  /* monotonic; of the first look */
    struct tile tile[TILES_MOST];
    struct contest *contest; /* NULL: not read yet */
    struct stat stamp;       /* of the contest's file when it was read */
    char fault[TILE_FAULT_MAX];
    uint8_t booth[SCHEDULE_MEETINGS_MAX]; /* booth of each meeting, from 0; BOOTH_NONE */
};

#define TILE_MACHINE(tile, which) (&(tile)->machine[(which)-MACHINE_JUDGE])

/* tile_last(): the judge's journal that grew last. tile_find(): a record by its name. NULL:
 * none. */
const struct tile_file *tile_last(const struct tile *tile);
const struct tile_file *tile_find(const struct tile_machine *machine, const char *name);

/* Reads the contest if its file has changed. True: the contest or its fault has changed. */
bool tiles_look_at_contest(struct tiles *tiles);

#endif
