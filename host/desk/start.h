/* Starts the desk of a contest: boothlink-desk, with the folders beside the contest's file. */
#ifndef DESK_START_H
#define DESK_START_H

#include "contest/contest.h"
#include "desk/folder.h"

#include <limits.h>

#define DESK_ANY    "0.0.0.0:"
#define DESK_LISTEN DESK_ANY "4222" /* the default */
#define DESK_NATS   "/usr/sbin/nats-server"

/* The program's arguments. */
struct desk_start {
    char program[PATH_MAX], inbox[FOLDER_PATH_MAX], places[FOLDER_PATH_MAX];
    char sticks[FOLDER_PATH_MAX];     /* the folder written by setup; "": not known */
    const char *listen, *nats_server; /* ADDRESS:PORT; NULL: the default, the Debian package's */
    const char *cluster;              /* the addresses of the cluster's servers; NULL: no cluster */
    char self[PATH_MAX];              /* this program, for the page's acts */
    const char *contest, *page;       /* the contest's file; the page's port; NULL: any */
    const char *network;              /* desk-network of the venue or the rules */
    const char *audience, *delay;     /* ADDRESS:PORT, NULL: none; seconds, NULL: none */
};

/* Fills in the paths for the contest's file, and the address. BL_UNAVAIL: the program is not
 * installed, or no nats-server for a desk without a cluster. BL_USAGE: an address and a cluster. */
enum bl_status desk_start_find(struct desk_start *start, const char *contest, struct bl_diag *diag);

/* Makes the missing keys of places, as far as the rules and the venue of the contest's setup (if
 * known) allow. *made grows by their number. Sets the network. BL_DATA: no desk is allowed; or as
 * venue_parse(). */
enum bl_status desk_start_keys(struct desk_start *start, const char *path,
                               const struct contest *contest, unsigned *made, struct bl_diag *diag);

/* Checks that it is the name of a judge's place, "booth-2-judge", of the venue of the contest's
 * setup, if known. BL_DATA: it is not; or as venue_parse(). */
enum bl_status desk_start_place(const char *path, const char *name, struct bl_diag *diag);

/* Gives the machine's addresses on its networks, as numbers. Returns their number. */
unsigned desk_start_addresses(void (*take)(void *ctx, const char *address, const char *interface),
                              void *ctx);

/* Becomes the program. Returns only on failure: BL_UNAVAIL. */
enum bl_status desk_start_become(const struct desk_start *start, struct bl_diag *diag);

#endif
