#include "booth/stick_place.h"

#include "base/mounts.h"
#include "rules/stick.h"

#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

static void on_changed(uv_fs_event_t *handle, const char *name, int events, int status)
{
    struct stick_place *place = handle->data;
    (void)name;
    (void)events;
    (void)status;
    place->changed(place->ctx);
}

static void on_mounts(uv_poll_t *handle, int status, int events)
{
    struct stick_place *place = handle->data;
    (void)status;
    (void)events;
    place->changed(place->ctx);
}

bool stick_place_watch(struct stick_place *place)
{
    bool watched = false;
    char path[STICK_WATCHES][PATH_MAX], above[PATH_MAX];
    snprintf(above, sizeof above, "%s", place->dir);
    snprintf(path[STICK_WATCH_ABOVE], PATH_MAX, "%s", dirname(above));
    snprintf(path[STICK_WATCH_DIR], PATH_MAX, "%s", place->dir);
    snprintf(path[STICK_WATCH_OURS], PATH_MAX, "%s/" STICK_FOLDER, place->dir);
    for (unsigned i = 0; i < STICK_WATCHES; i++) {
        struct stick_watch *watch = &place->watch[i];
        if (!watch->open) {
            uv_fs_event_init(place->loop, &watch->event);
            watch->event.data = place;
            watch->open = true;
        } else {
            uv_fs_event_stop(&watch->event);
        }
        bool seen = uv_fs_event_start(&watch->event, on_changed, path[i], 0) == 0;
        watched = i == STICK_WATCH_ABOVE ? seen : watched;
    }
    return watched;
}

void stick_place_open(struct stick_place *place, uv_loop_t *loop, const char *dir,
                      void (*changed)(void *ctx), void *ctx)
{
    place->dir = dir;
    place->changed = changed;
    place->ctx = ctx;
    place->loop = loop;
    stick_place_watch(place);
    /* The mount of a stick over an empty folder causes no event of inotify. */
    place->mounts_fd = mounts_open();
    if (place->mounts_fd >= 0 && uv_poll_init(loop, &place->mounts, place->mounts_fd) == 0) {
        place->mounts.data = place;
        uv_poll_start(&place->mounts, UV_PRIORITIZED, on_mounts);
    } else if (place->mounts_fd >= 0) {
        close(place->mounts_fd);
        place->mounts_fd = -1;
    }
}

void stick_place_close(struct stick_place *place)
{
    for (unsigned i = 0; i < STICK_WATCHES; i++) {
        if (place->watch[i].open)
            uv_close((uv_handle_t *)&place->watch[i].event, NULL);
        place->watch[i].open = false;
    }
    if (place->mounts_fd >= 0) {
        uv_close((uv_handle_t *)&place->mounts, NULL);
        close(place->mounts_fd);
    }
    place->mounts_fd = -1;
}
