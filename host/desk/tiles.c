#include "desk/tiles_private.h"

#include "base/growing.h"
#include "desk/collected.h"
#include "desk/inbox.h"
#include "journal/journal.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHUNK     65536
#define JOURNAL   "-judge.journal"
#define STANDS_US 10000000 /* a fault without another one of its matter, at least */

enum bl_status tiles_create(struct tiles **out, const char *inbox, const char *contest,
                            uint64_t run, struct bl_diag *diag)
{
    struct tiles *tiles = calloc(1, sizeof *tiles);
    *out = NULL;
    if (!tiles)
        return bl_fail(diag, BL_NOMEM, "no memory");
    tiles->run = run;
    enum bl_status status = folder_path(tiles->inbox, diag, "%s", inbox);
    if (status == BL_OK)
        status = folder_path(tiles->path, diag, "%s", contest ? contest : "");
    if (status == BL_OK)
        *out = tiles;
    else
        tiles_destroy(tiles);
    return status;
}

static void clear(struct tile_machine *machine)
{
    for (size_t i = 0; i < machine->files; i++)
        free(machine->file[i].session);
    free(machine->file);
}

void tiles_destroy(struct tiles *tiles)
{
    if (!tiles)
        return;
    for (unsigned i = 0; i < TILES_MOST; i++)
        for (unsigned m = 0; m < MACHINE_CABLE_B; m++)
            clear(&tiles->tile[i].machine[m]);
    contest_destroy(tiles->contest);
    free(tiles);
}

static struct tile_machine *find_machine(struct tiles *tiles, const char *name)
{
    struct place place;
    if (!place_name_read(&place, name))
        return NULL;
    return TILE_MACHINE(&tiles->tile[place.booth - 1], place.machine);
}

void tiles_add(struct tiles *tiles, const char *place, int64_t key_s)
{
    struct tile_machine *machine = find_machine(tiles, place);
    if (!machine)
        return;
    machine->known = machine->changed = true;
    machine->key_s = key_s;
}

/* Takes the number of a courier's start. An earlier number that comes again shows that both
 * couriers are at work. */
static void take_number(struct tile_state *state, uint64_t number, struct bl_time now)
{
    if (number == state->number)
        return;
    if (number == state->earlier)
        state->twice_us = now.mono_us;
    state->earlier = state->number;
    state->number = number;
}

static struct tile_start *find_start(struct tile_state *state, uint64_t number)
{
    for (unsigned i = 0; i < state->starts; i++)
        if (state->start[i].number == number)
            return &state->start[i];
    return NULL;
}

static uint64_t run_of(const struct tiles *tiles, const struct tile_state *state)
{
    return tiles->run + state->run;
}

uint64_t tiles_run(const struct tiles *tiles, const char *place)
{
    const struct tile_machine *machine = find_machine((struct tiles *)tiles, place);
    return machine ? run_of(tiles, &machine->state) : 0;
}

/* False: somebody has kept the STATE, and plays it again, or its courier does not know the run yet.
 * Behind many starts another run begins, of which none is known. */
static bool is_fresh(const struct tiles *tiles, struct tile_state *state,
                     const struct post_piece *said, struct bl_time now)
{
    if (said->version == POST_VERSION)
        return !state->counted;
    state->counted = true;
    if (said->run != run_of(tiles, state))
        return false;
    struct tile_start *start = find_start(state, said->number);
    if (!start && state->starts == TILE_STARTS) {
        state->run++;
        state->starts = 0;
        return false;
    }
    if (!start) {
        start = &state->start[state->starts++];
        *start = (struct tile_start){.number = said->number};
    }
    if (said->count <= start->count) {
        state->again_us = now.mono_us;
        return false;
    }
    start->count = said->count;
    return true;
}

void tiles_hear_state(struct tiles *tiles, const char *place, const struct post_piece *state,
                      struct bl_time now)
{
    struct tile_machine *machine = find_machine(tiles, place);
    if (!machine || !is_fresh(tiles, &machine->state, state, now))
        return;
    machine->heard = true;
    machine->heard_us = now.mono_us;
    machine->state.told = true;
    machine->state.ahead_us = (int64_t)(state->offset - now.wall_us);
    machine->state.room = state->room;
    take_number(&machine->state, state->number, now);
    snprintf(machine->state.ticket, sizeof machine->state.ticket, "%s",
             strcmp(state->file, POST_NO_TICKET) == 0 ? "" : state->file);
}

static void end_fault(struct tile_fault *fault, struct bl_time now)
{
    if (now.mono_us - fault->last_us >= STANDS_US)
        fault->text[0] = '\0';
}

void tiles_hear(struct tiles *tiles, const char *place, enum tile_matter matter, const char *fault,
                const char *todo, struct bl_time now)
{
    struct tile_machine *machine = find_machine(tiles, place);
    if (!machine)
        return;
    machine->changed = true;
    if (!machine->state.counted) {
        machine->heard = true;
        machine->heard_us = now.mono_us;
    }
    if (fault) {
        struct tile_fault *of = &machine->fault[matter];
        snprintf(of->text, sizeof of->text, "%s", fault);
        snprintf(of->todo, sizeof of->todo, "%s", todo);
        of->last_us = now.mono_us;
        return;
    }
    end_fault(&machine->fault[TILE_SEAL], now);
    end_fault(&machine->fault[matter], now);
}

const struct tile_file *tile_find(const struct tile_machine *machine, const char *name)
{
    for (size_t i = 0; i < machine->files; i++)
        if (machine->file[i].shown && strcmp(machine->file[i].name, name) == 0)
            return &machine->file[i];
    return NULL;
}

const struct tile_file *tile_last(const struct tile *tile)
{
    const struct tile_machine *judge = TILE_MACHINE(tile, MACHINE_JUDGE);
    const struct tile_file *last = NULL;
    for (size_t i = 0; i < judge->files; i++) {
        const struct tile_file *file = &judge->file[i];
        if (!file->shown || !file->session || !file->session->headed)
            continue;
        if (!last || file->grown_us > last->grown_us ||
            (file->grown_us == last->grown_us &&
             file->session->latest_us > last->session->latest_us))
            last = file;
    }
    return last;
}

/* Takes the whole records, and returns the number of bytes taken. Damaged bytes are skipped; a
 * record that is not whole is left. */
static size_t take_bytes(struct tile_session *session, const uint8_t *bytes, size_t length)
{
    struct journal_scratch scratch;
    struct journal_record record;
    size_t at = 0;
    long n;
    while ((n = journal_decode(bytes + at, length - at, &record, &scratch)) != 0) {
        if (n > 0)
            tile_session_take(session, &record);
        at += (size_t)(n > 0 ? n : -n);
    }
    return at;
}

/* Reads a journal's new bytes. A file that got shorter is read from its beginning: its last bytes
 * were not on the disk. */
static void take_grown(struct tile_file *file, int fd, uint8_t bytes[CHUNK])
{
    size_t taken = 1;
    if ((uint64_t)file->size < file->taken) {
        *file->session = (struct tile_session){.headed = false};
        file->taken = 0;
    }
    while (taken) {
        ssize_t n = pread(fd, bytes, CHUNK, (off_t)file->taken);
        taken = n > 0 ? take_bytes(file->session, bytes, (size_t)n) : 0;
        file->taken += taken;
    }
    memcpy(file->contest, file->session->contest, sizeof file->contest);
}

static void read_file(struct tile_file *file, int folder)
{
    static uint8_t bytes[CHUNK];
    int fd = openat(folder, file->name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return;
    if (file->session) {
        take_grown(file, fd, bytes);
    } else {
        ssize_t n = pread(fd, bytes, sizeof bytes, 0);
        tile_file_of(file, bytes, n > 0 ? (size_t)n : 0);
    }
    close(fd);
}

static struct tile_file *find_file(struct tile_machine *machine, const char *name, unsigned copy)
{
    for (size_t i = 0; i < machine->files; i++)
        if (machine->file[i].copy == copy && strcmp(machine->file[i].name, name) == 0)
            return &machine->file[i];
    return NULL;
}

static struct tile_file *add_file(struct tile_machine *machine, const char *name, unsigned copy)
{
    struct tile_file *more;
    size_t length = strlen(name);
    if (length >= TILE_NAME ||
        !(more = growing_array(machine->file, machine->files, &machine->room, sizeof *more)))
        return NULL;
    machine->file = more;
    struct tile_file *file = &machine->file[machine->files++];
    *file = (struct tile_file){.size = -1, .copy = copy};
    snprintf(file->name, sizeof file->name, "%s", name);
    if (length > strlen(JOURNAL) && strcmp(name + length - strlen(JOURNAL), JOURNAL) == 0)
        file->session = calloc(1, sizeof *file->session);
    return file;
}

static void look_at_file(struct tile_machine *machine, int folder, const char *name, unsigned copy,
                         struct bl_time now)
{
    struct tile_file *file = find_file(machine, name, copy);
    struct stat info;
    if (!collected_is_name(name) || fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) ||
        !S_ISREG(info.st_mode))
        return;
    if ((!file && !(file = add_file(machine, name, copy))) || file->size == info.st_size)
        return;
    /* Files from before this desk have no observed growth. */
    file->grown_us = machine->heard ? now.mono_us : 0;
    file->size = info.st_size;
    file->collected = false;
    file->compared = 0;
    if (info.st_mtim.tv_sec > machine->grown_s)
        machine->grown_s = info.st_mtim.tv_sec;
    read_file(file, folder);
}

/* False: there is no such folder. */
static bool look_at_folder(const struct tiles *tiles, struct tile_machine *machine,
                           const char *place, unsigned copy, struct bl_time now)
{
    char path[FOLDER_PATH_MAX];
    DIR *folder =
        inbox_folder(path, tiles->inbox, place, copy, NULL) == BL_OK ? opendir(path) : NULL;
    for (const struct dirent *entry; folder && (entry = readdir(folder));)
        look_at_file(machine, dirfd(folder), entry->d_name, copy, now);
    if (folder)
        closedir(folder);
    return folder;
}

static void look_at_machine(struct tiles *tiles, unsigned booth, unsigned which, struct bl_time now)
{
    struct tile_machine *machine = &tiles->tile[booth].machine[which];
    const struct place place = {.booth = (int)booth + 1, .machine = (int)which + MACHINE_JUDGE};
    char name[PLACE_NAME];
    unsigned copy = 1;
    place_name(&place, name);
    while (copy <= POST_COPIES && look_at_folder(tiles, machine, name, copy, now))
        copy++;
    tile_choose(tiles, machine);
}

bool tiles_look(struct tiles *tiles, struct bl_time now)
{
    bool changed = tiles_look_at_contest(tiles);
    if (!tiles->began_us)
        tiles->began_us = now.mono_us;
    for (unsigned i = 0; i < TILES_MOST; i++) {
        for (unsigned m = 0; m < MACHINE_CABLE_B; m++) {
            struct tile_machine *machine = &tiles->tile[i].machine[m];
            if (machine->changed)
                look_at_machine(tiles, i, m, now);
            changed |= machine->changed;
            machine->changed = false;
        }
    }
    tiles_look_at_copies(tiles, now);
    return changed;
}
