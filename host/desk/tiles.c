#include "desk/tiles_private.h"

#include "base/growing.h"
#include "desk/collected.h"
#include "journal/journal.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHUNK     65536
#define JOURNAL   "-judge.journal"
#define COPIES_US 5000000 /* between two looks at differing records */

enum bl_status tiles_create(struct tiles **out, const char *inbox, const char *contest,
                            struct bl_diag *diag)
{
    struct tiles *tiles = calloc(1, sizeof *tiles);
    *out = NULL;
    if (!tiles)
        return bl_fail(diag, BL_NOMEM, "no memory");
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

void tiles_hear_state(struct tiles *tiles, const char *place, const struct post_piece *state,
                      struct bl_time now)
{
    struct tile_machine *machine = find_machine(tiles, place);
    if (!machine)
        return;
    machine->state.told = true;
    machine->state.ahead_us = (int64_t)(state->offset - now.wall_us);
    machine->state.room = state->room;
    take_number(&machine->state, state->number, now);
    snprintf(machine->state.ticket, sizeof machine->state.ticket, "%s",
             strcmp(state->file, POST_NO_TICKET) == 0 ? "" : state->file);
}

void tiles_hear(struct tiles *tiles, const char *place, const char *fault, const char *todo,
                struct bl_time now)
{
    struct tile_machine *machine = find_machine(tiles, place);
    if (!machine)
        return;
    machine->heard = machine->changed = true;
    machine->heard_us = now.mono_us;
    snprintf(machine->fault, sizeof machine->fault, "%s", fault ? fault : "");
    snprintf(machine->todo, sizeof machine->todo, "%s", fault ? todo : "");
}

const struct tile_file *tile_find(const struct tile_machine *machine, const char *name)
{
    for (size_t i = 0; i < machine->files; i++)
        if (strcmp(machine->file[i].name, name) == 0)
            return &machine->file[i];
    return NULL;
}

const struct tile_file *tile_last(const struct tile *tile)
{
    const struct tile_machine *judge = TILE_MACHINE(tile, MACHINE_JUDGE);
    const struct tile_file *last = NULL;
    for (size_t i = 0; i < judge->files; i++) {
        const struct tile_file *file = &judge->file[i];
        if (!file->session || !file->session->headed)
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

/* Reads a file's new bytes. A shortened file is read from its beginning. */
static void take_grown(struct tile_file *file, int folder)
{
    static uint8_t bytes[CHUNK];
    int fd = openat(folder, file->name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    size_t taken = 1;
    if (fd < 0)
        return;
    if ((uint64_t)file->size < file->taken) {
        *file->session = (struct tile_session){.headed = false};
        file->taken = 0;
    }
    while (taken) {
        ssize_t n = pread(fd, bytes, sizeof bytes, (off_t)file->taken);
        taken = n > 0 ? take_bytes(file->session, bytes, (size_t)n) : 0;
        file->taken += taken;
    }
    close(fd);
}

/* Hides a journal of another contest. */
static void hide_other(const struct tiles *tiles, struct tile_file *file)
{
    if (!file->session->headed || !contest_id_differ(file->session->contest, tiles->id))
        return;
    file->session->headed = false;
    file->other = true;
}

static struct tile_file *add_file(struct tile_machine *machine, const char *name)
{
    struct tile_file *more;
    size_t length = strlen(name);
    if (length >= TILE_NAME ||
        !(more = growing_array(machine->file, machine->files, &machine->room, sizeof *more)))
        return NULL;
    machine->file = more;
    struct tile_file *file = &machine->file[machine->files++];
    *file = (struct tile_file){.size = -1};
    snprintf(file->name, sizeof file->name, "%s", name);
    if (length > strlen(JOURNAL) && strcmp(name + length - strlen(JOURNAL), JOURNAL) == 0)
        file->session = calloc(1, sizeof *file->session);
    return file;
}

static void look_at_file(const struct tiles *tiles, struct tile_machine *machine, int folder,
                         const char *name, struct bl_time now)
{
    struct tile_file *file = (struct tile_file *)tile_find(machine, name);
    struct stat info;
    if (!collected_is_name(name) || fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) ||
        !S_ISREG(info.st_mode))
        return;
    if ((!file && !(file = add_file(machine, name))) || file->size == info.st_size)
        return;
    /* Files from before this desk have no observed growth. */
    file->grown_us = machine->heard ? now.mono_us : 0;
    file->size = info.st_size;
    if (info.st_mtim.tv_sec > machine->grown_s)
        machine->grown_s = info.st_mtim.tv_sec;
    if (file->session) {
        take_grown(file, folder);
        hide_other(tiles, file);
    }
}

static void look_at_machine(struct tiles *tiles, unsigned booth, unsigned which, struct bl_time now)
{
    struct tile_machine *machine = &tiles->tile[booth].machine[which];
    const struct place place = {.booth = (int)booth + 1, .machine = (int)which + MACHINE_JUDGE};
    char name[PLACE_NAME], path[FOLDER_PATH_MAX];
    place_name(&place, name);
    if (folder_path(path, NULL, "%s/%s", tiles->inbox, name) != BL_OK)
        return;
    DIR *folder = opendir(path);
    for (const struct dirent *entry; folder && (entry = readdir(folder));)
        look_at_file(tiles, machine, dirfd(folder), entry->d_name, now);
    if (folder)
        closedir(folder);
    while (folder_path(path, NULL, "%s/%s-%u", tiles->inbox, name, machine->copies + 2) == BL_OK &&
           folder_has(path))
        machine->copies++;
}

/* Looks at intervals, since the manager may have collected them. */
static void look_at_copies(struct tiles *tiles, unsigned booth, unsigned which, struct bl_time now)
{
    struct tile_machine *machine = &tiles->tile[booth].machine[which];
    const struct place place = {.booth = (int)booth + 1, .machine = (int)which + MACHINE_JUDGE};
    char name[PLACE_NAME];
    if (!machine->copies || now.mono_us < machine->copies_us)
        return;
    place_name(&place, name);
    machine->copies_us = now.mono_us + COPIES_US;
    machine->open_copies = tile_count_open(tiles, name, machine->copies);
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
            look_at_copies(tiles, i, m, now);
        }
    }
    return changed;
}
