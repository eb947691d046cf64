#include "desk/key_files.h"

#include "base/file.h"

#include "contest/setup.h"
#include "desk/place_key.h"
#include "desk/watch.h"
#include "link/key_file.h"
#include "link/secret.h"
#include "rules/stick.h"

#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

enum bl_status key_files_line_path(const char *folder, unsigned booth, unsigned cable,
                                   char out[FOLDER_PATH_MAX], struct bl_diag *diag)
{
    return folder_path(out, diag, "%s/booth-%u-%c.key", folder, booth + 1, cable ? 'b' : 'a');
}

enum bl_status key_files_referee_path(const char *folder, bool public_key,
                                      char out[FOLDER_PATH_MAX], struct bl_diag *diag)
{
    return folder_path(out, diag, "%s/referee.key%s", folder, public_key ? ".pub" : "");
}

static enum bl_status give_name(const char *from, const char *to, struct bl_diag *diag)
{
    return rename(from, to) == 0 ? BL_OK : bl_fail(diag, BL_IO, "%s: %s", to, strerror(errno));
}

static enum bl_status make_line(const char *path, unsigned *made, struct bl_diag *diag)
{
    char new[FOLDER_PATH_MAX];
    struct line_secret secret = {0};
    uint8_t seed[SECRET_SEED];
    enum bl_status status;
    if (secret_load(&secret, path, NULL) == BL_OK) {
        secret_wipe(&secret);
        return BL_OK;
    }
    status = folder_path(new, diag, "%s.new", path);
    if (status == BL_OK)
        status = folder_remove(new, diag);
    secret_draw(seed);
    if (status == BL_OK)
        status = secret_make(&secret, seed, diag);
    if (status == BL_OK)
        status = secret_store(&secret, new, diag);
    if (status == BL_OK)
        status = give_name(new, path, diag);
    sodium_memzero(seed, sizeof seed);
    secret_wipe(&secret);
    *made += status == BL_OK;
    return status;
}

/* Makes the referee's two key files. The secret file comes last: if it exists, both do. */
static enum bl_status make_referee(const char *folder, unsigned *made, struct bl_diag *diag)
{
    char path[FOLDER_PATH_MAX], pub[FOLDER_PATH_MAX], new[FOLDER_PATH_MAX],
        new_pub[FOLDER_PATH_MAX];
    enum bl_status status = key_files_referee_path(folder, false, path, diag);
    if (status == BL_OK)
        status = key_files_referee_path(folder, true, pub, diag);
    if (status != BL_OK || (folder_has(path) && folder_has(pub)))
        return status;
    status = folder_path(new, diag, "%s.new", path);
    if (status == BL_OK)
        status = folder_path(new_pub, diag, "%s.pub", new);
    if (status == BL_OK)
        status = folder_remove(new, diag);
    if (status == BL_OK)
        status = folder_remove(new_pub, diag);
    if (status == BL_OK)
        status = key_referee_new(new, diag);
    if (status == BL_OK)
        status = give_name(new_pub, pub, diag);
    if (status == BL_OK)
        status = give_name(new, path, diag);
    *made += status == BL_OK;
    return status;
}

enum bl_status key_files_make(const struct venue *venue, const struct contest *contest,
                              const char *folder, unsigned *made, struct bl_diag *diag)
{
    const unsigned booths = setup_booths(contest), cables = setup_cables(contest);
    char path[FOLDER_PATH_MAX];
    enum bl_status status = sodium_init() < 0
                                ? bl_fail(diag, BL_UNAVAIL, "the system gives no randomness")
                                : folder_make(folder, diag);
    for (unsigned booth = 0; status == BL_OK && booth < booths; booth++) {
        for (unsigned cable = 0; status == BL_OK && cable < cables; cable++) {
            if (!venue_makes_secret(venue, &venue->booth[booth], cable))
                continue;
            status = key_files_line_path(folder, booth, cable, path, diag);
            if (status == BL_OK)
                status = make_line(path, made, diag);
        }
    }
    if (status == BL_OK && venue->referee == VENUE_YES)
        status = make_referee(folder, made, diag);
    if (status == BL_OK)
        status = folder_path(path, diag, "%s" PLACE_KEY_FOLDER, folder);
    if (status == BL_OK)
        status = key_files_make_places(venue, contest, path, made, diag);
    return status == BL_OK ? file_sync_folder(folder, diag) : status;
}

static enum bl_status make_place(const char *folder, const char *name, unsigned *made,
                                 struct bl_diag *diag)
{
    char path[FOLDER_PATH_MAX];
    enum bl_status status = place_key_path(folder, name, path, diag);
    if (status != BL_OK || folder_has(path))
        return status;
    status = place_key_make(folder, name, diag);
    *made += status == BL_OK;
    return status;
}

/* Makes the keys of live referees' places, which no stick brings. */
static enum bl_status make_referees(const struct venue *venue, const struct contest *contest,
                                    const char *folder, struct bl_diag *diag)
{
    const enum desk_network network = venue_desk_network(venue, &contest->ruleset);
    unsigned made = 0;
    enum bl_status status = BL_OK;
    if ((!venue || venue->referee != VENUE_YES) && contest->ruleset.referees_limit != WORD_YES)
        return BL_OK;
    if (network != DESK_NETWORK_NONE)
        status = make_place(folder, WATCH_JUDGES, &made, diag);
    if (status == BL_OK && network == DESK_NETWORK_ALL)
        status = make_place(folder, WATCH_BACK, &made, diag);
    return status;
}

enum bl_status key_files_make_places(const struct venue *venue, const struct contest *contest,
                                     const char *folder, unsigned *made, struct bl_diag *diag)
{
    const enum desk_network network = venue_desk_network(venue, &contest->ruleset);
    const unsigned booths = network == DESK_NETWORK_NONE ? 0 : setup_booths(contest),
                   cables = network == DESK_NETWORK_ALL ? setup_cables(contest) : 0;
    char name[PLACE_NAME];
    enum bl_status status = BL_OK;
    for (unsigned i = 0; status == BL_OK && i < booths * (1 + cables); i++) {
        const struct place place = {.booth = (int)(i / (1 + cables)) + 1,
                                    .machine = MACHINE_JUDGE + (int)(i % (1 + cables))};
        place_name(&place, name);
        status = make_place(folder, name, made, diag);
    }
    return status == BL_OK ? make_referees(venue, contest, folder, diag) : status;
}
