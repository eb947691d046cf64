#include "desk/start.h"

#include "base/file.h"
#include "base/libexec.h"
#include "contest/venue.h"
#include "desk/kept.h"
#include "desk/key_files.h"
#include "desk/place_key.h"
#include "rules/place.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROGRAM    "boothlink-desk"
#define VENUE_MOST 65536

enum bl_status desk_start_find(struct desk_start *start, const char *contest, struct bl_diag *diag)
{
    struct kept kept;
    kept_read(&kept, contest);
    start->contest = contest;
    if (start->cluster && (start->listen || start->nats_server))
        return bl_fail(diag, BL_USAGE,
                       "--server: a cluster has its own addresses and programs; "
                       "expected neither --listen nor --nats-server");
    if (!start->cluster && !start->listen)
        start->listen = DESK_LISTEN;
    ssize_t length = readlink("/proc/self/exe", start->self, sizeof start->self - 1);
    start->self[length > 0 ? length : 0] = '\0';
    enum bl_status status = folder_path(start->inbox, diag, "%s" DESK_INBOX, contest);
    if (status == BL_OK)
        status = folder_path(start->sticks, diag, "%s", kept.sticks);
    if (status == BL_OK)
        status = folder_path(start->places, diag, "%s.keys" PLACE_KEY_FOLDER, contest);
    if (status == BL_OK && libexec_path(start->program, PROGRAM, NULL) != BL_OK)
        status = bl_fail(diag, BL_UNAVAIL,
                         PROGRAM " is not installed: the package boothlink-network has it");
    if (status == BL_OK && !start->cluster && !start->nats_server && access(DESK_NATS, X_OK))
        status = bl_fail(diag, BL_UNAVAIL, DESK_NATS ": %s; the package nats-server has it",
                         strerror(errno));
    return status;
}

/* Loads the venue of the contest's setup. *out is NULL without one. */
static enum bl_status load_venue(struct venue **out, const char *path, struct bl_diag *diag)
{
    char *text = NULL;
    struct kept kept;
    kept_read(&kept, path);
    *out = NULL;
    if (!kept.venue[0])
        return BL_OK;
    enum bl_status status = file_read_text(&text, kept.venue, VENUE_MOST, "a venue", diag);
    if (status == BL_OK && !(*out = malloc(sizeof **out)))
        status = bl_fail(diag, BL_NOMEM, "no memory");
    if (status == BL_OK)
        status = venue_parse(*out, text, kept.venue, diag);
    free(text);
    return status;
}

enum bl_status desk_start_place(const char *path, const char *name, struct bl_diag *diag)
{
    struct venue *venue;
    struct place place;
    enum bl_status status = load_venue(&venue, path, diag);
    /* A machine may be confirmed while that file is missing. */
    unsigned most = venue && status == BL_OK ? venue_booths(venue) : 0;
    free(venue);
    if (!place_name_read(&place, name) || place.machine != MACHINE_JUDGE)
        return bl_fail(diag, BL_DATA, "%.60s: expected a judge's place, as booth-1-judge", name);
    return !most || (unsigned)place.booth <= most
               ? BL_OK
               : bl_fail(diag, BL_DATA,
                         "%.60s: the venue's last place of a judge is booth-%u-judge", name, most);
}

enum bl_status desk_start_keys(struct desk_start *start, const char *path,
                               const struct contest *contest, unsigned *made, struct bl_diag *diag)
{
    struct venue *venue;
    enum bl_status status = load_venue(&venue, path, diag);
    if (status == BL_OK)
        status = venue_begin_desk(venue, &contest->ruleset, diag);
    if (status == BL_OK)
        status = key_files_make_places(venue, contest, start->places, made, diag);
    if (status == BL_OK)
        start->network = desk_network_words[venue_desk_network(venue, &contest->ruleset) - 1];
    free(venue);
    return status;
}

unsigned desk_start_addresses(void (*take)(void *ctx, const char *address, const char *interface),
                              void *ctx)
{
    struct ifaddrs *all = NULL;
    char text[INET_ADDRSTRLEN];
    unsigned count = 0;
    if (getifaddrs(&all))
        return 0;
    for (const struct ifaddrs *at = all; at; at = at->ifa_next) {
        struct sockaddr_in address;
        if (!at->ifa_addr || at->ifa_addr->sa_family != AF_INET || !(at->ifa_flags & IFF_UP) ||
            at->ifa_flags & IFF_LOOPBACK)
            continue;
        memcpy(&address, at->ifa_addr, sizeof address);
        if (!inet_ntop(AF_INET, &address.sin_addr, text, sizeof text))
            continue;
        take(ctx, text, at->ifa_name);
        count++;
    }
    freeifaddrs(all);
    return count;
}

enum bl_status desk_start_become(const struct desk_start *start, struct bl_diag *diag)
{
    const struct {
        const char *option, *value; /* NULL: the program's default */
    } given[] = {{"--folder", start->inbox},
                 {"--keys", start->places},
                 {"--contest", start->contest},
                 {"--boothlink", start->self},
                 {"--listen", start->listen},
                 {"--server", start->cluster},
                 {"--sticks", start->sticks[0] ? start->sticks : NULL},
                 {"--desk-network", start->network},
                 {"--page", start->page},
                 {"--audience", start->audience},
                 {"--delay", start->delay},
                 {"--nats-server", start->nats_server}};
    const char *args[2 * sizeof given / sizeof *given + 2] = {PROGRAM};
    unsigned count = 1;
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        if (!given[i].value)
            continue;
        args[count++] = given[i].option;
        args[count++] = given[i].value;
    }
    args[count] = NULL;
    execv(start->program, (char *const *)args);
    return bl_fail(diag, BL_UNAVAIL, "%s: %s", start->program, strerror(errno));
}
