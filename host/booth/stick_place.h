/* Watches the path at which a stick appears and vanishes, as a folder, a link or a mount. Reports
 * each possible change. For programs with a libuv loop. */
#ifndef BOOTH_STICK_PLACE_H
#define BOOTH_STICK_PLACE_H

#include <stdbool.h>
#include <uv.h>

/* The stick's folder, its parent, and our folder on the stick. */
enum { STICK_WATCH_ABOVE, STICK_WATCH_DIR, STICK_WATCH_OURS, STICK_WATCHES };

/* All zeros at the start; private to stick_place.c. */
struct stick_place {
    const char *dir;
    void (*changed)(void *ctx);
    void *ctx;
    uv_loop_t *loop;
    struct stick_watch {
        uv_fs_event_t event;
        bool open;
    } watch[STICK_WATCHES];
    uv_poll_t mounts;
    int mounts_fd;
};

/* Begins to watch `dir`, which need not exist; the caller keeps the string. changed() may also be
 * called without a change. */
void stick_place_open(struct stick_place *place, uv_loop_t *loop, const char *dir,
                      void (*changed)(void *ctx), void *ctx);

/* Watches the present folders anew, and drops unreported changes. False: no watch is possible, so
 * the caller has to look at intervals. */
bool stick_place_watch(struct stick_place *place);

/* The loop must run until the handles are closed. */
void stick_place_close(struct stick_place *place);

#endif
