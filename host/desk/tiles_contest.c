/* The contest of the manager's page, read again after each change of its file. */
#include "desk/tiles_private.h"

#include "contest/draw.h"
#include "contest/store.h"

#include <stdio.h>
#include <string.h>

/* Finds the drawn booths of all meetings. */
static void find_booths(struct tiles *tiles)
{
    const struct contest *contest = tiles->contest;
    const struct schedule *schedule = &contest->schedule;
    struct booths booths;
    unsigned trial = 0;
    bool drawn = contest->drawn && booths_draw(&booths, contest, trial, NULL) == BL_OK;
    for (unsigned i = 0; i < schedule->count; i++) {
        const struct meeting *meeting = &schedule->meeting[i];
        if (drawn && contest_trial_of(contest, meeting->round) != trial) {
            trial = contest_trial_of(contest, meeting->round);
            drawn = booths_draw(&booths, contest, trial, NULL) == BL_OK;
        }
        tiles->booth[i] =
            (uint8_t)(drawn ? booth_of_meeting(contest, &booths, meeting) : BOOTH_NONE);
    }
}

const char *tiles_contest(const struct tiles *tiles)
{
    return tiles->id;
}

const char *tiles_fault(const struct tiles *tiles)
{
    return tiles->fault;
}

unsigned tiles_sealed(const struct tiles *tiles)
{
    const struct contest *contest = tiles->contest;
    return !contest ? 0 : contest->sealed ? contest->schedule.rounds : contest->sealed_rounds;
}

const char *tiles_bundle(const struct tiles *tiles, char name[NEXT_BUNDLE_MAX])
{
    if (!tiles->contest || tiles->contest->ruleset.names != WORD_NO)
        return NULL;
    next_bundle(tiles->path, name);
    return name;
}

static enum bl_status load(struct tiles *tiles, struct contest *contest, struct bl_diag *diag)
{
    struct store *store = NULL;
    enum bl_status status = store_open_now(&store, tiles->path, diag);
    if (status == BL_OK)
        status = store_read(store, 0, contest_take, contest, diag);
    store_close(store);
    return status;
}

static bool is_stamp(const struct stat *a, const struct stat *b)
{
    return a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* If the file cannot be read, the earlier contest stays, and the next look tries again. */
bool tiles_look_at_contest(struct tiles *tiles)
{
    struct stat info;
    struct bl_diag diag = {""};
    if (!tiles->path[0] || (stat(tiles->path, &info) == 0 && is_stamp(&info, &tiles->stamp)))
        return false;
    struct contest *contest = contest_create();
    enum bl_status status =
        contest ? load(tiles, contest, &diag) : bl_fail(&diag, BL_NOMEM, "no memory");
    if (status == BL_BUSY) {
        contest_destroy(contest);
        return false;
    }
    bool told = strcmp(tiles->fault, diag.text) == 0;
    snprintf(tiles->fault, sizeof tiles->fault, "%s", diag.text);
    if (status != BL_OK) {
        contest_destroy(contest);
        return !told;
    }
    contest_destroy(tiles->contest);
    tiles->contest = contest;
    contest_id_write(contest->created_us, tiles->id);
    tiles->stamp = info;
    find_booths(tiles);
    for (unsigned i = 0; i < TILES_MOST; i++)
        for (unsigned m = 0; m < MACHINE_CABLE_B; m++)
            tile_choose(tiles, &tiles->tile[i].machine[m]);
    return true;
}
