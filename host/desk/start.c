#include "desk/start.h"

#include "base/file.h"
#include "base/libexec.h"
#include "contest/venue.h"
#include "desk/kept.h"
#include "desk/key_files.h"
#include "desk/place_key.h"

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
    return status;
}

/* Loads the venue that setup has kept; *out is NULL without one. */
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
    const char *args[24] = {PROGRAM,        "--folder",    start->inbox,  "--keys",
                            start->places,  "--listen",    start->listen, "--contest",
                            start->contest, "--boothlink", start->self,   NULL};
    unsigned count = 11;
    if (start->sticks[0]) {
        args[count++] = "--sticks";
        args[count++] = start->sticks;
    }
    if (start->network) {
        args[count++] = "--desk-network";
        args[count++] = start->network;
    }
    if (start->page) {
        args[count++] = "--page";
        args[count++] = start->page;
    }
    if (start->audience) {
        args[count++] = "--audience";
        args[count++] = start->audience;
    }
    if (start->delay) {
        args[count++] = "--delay";
        args[count++] = start->delay;
    }
    if (start->nats_server) { /* else the Debian package's server is used */
        args[count++] = "--nats-server";
        args[count++] = start->nats_server;
    }
    execv(start->program, (char *const *)args);
    return bl_fail(diag, BL_UNAVAIL, "%s: %s", start->program, strerror(errno));
}
