#include "booth/screens.h"

#include "booth/booth.h"
#include "terminal/screen.h"
#include "web/screen.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WEB "web"

bool screens_is_web(const char *screen)
{
    return screen && strncmp(screen, WEB, strlen(WEB)) == 0;
}

/* Takes "web[:PORT][@FILE]" apart. */
static bool read_web(const char *screen, unsigned *port, const char **file)
{
    const char *at = screen + strlen(WEB);
    char *end;
    *port = 0;
    *file = NULL;
    if (*at == ':') {
        unsigned long number = strtoul(at + 1, &end, 10);
        if (at[1] < '1' || at[1] > '9' || number > 65535)
            return false;
        *port = (unsigned)number;
        at = end;
    }
    if (*at == '@' && at[1]) {
        *file = at + 1;
        return true;
    }
    return *at == '\0';
}

enum bl_status screens_check(const char *screen, struct bl_diag *diag)
{
    const char *file;
    unsigned port;
    if (!screen || strcmp(screen, "console") == 0 ||
        (screens_is_web(screen) && read_web(screen, &port, &file)))
        return BL_OK;
    return bl_fail(diag, BL_USAGE,
                   "--screen %.40s: expected console, web or web:PORT, with a PORT from 1 to 65535",
                   screen);
}

static void tell(void *ctx, const char *address)
{
    (void)ctx;
    fprintf(stderr, "The screen is in a browser on this machine: %s\n", address);
}

enum bl_status screens_open(struct screen **out, uv_loop_t *loop,
                            const struct screens_options *which,
                            const struct screen_options *options,
                            const struct screen_callbacks *callbacks, void *ctx,
                            struct bl_diag *diag)
{
    struct web_options web = {.tell = tell};
    const struct booth_options where = {.journal_dir = which->dir};
    char dir[PATH_MAX], path[PATH_MAX + 16];
    enum bl_status status = screens_check(which->screen, diag);
    *out = NULL;
    if (status)
        return status;
    if (!screens_is_web(which->screen))
        return terminal_open(out, loop, options, callbacks, ctx, diag);
    read_web(which->screen, &web.port, &web.file);
    if (!web.file) {
        status = booth_journal_dir(&where, dir, diag);
        if (status)
            return status;
        snprintf(path, sizeof path, "%s/%s.url", dir, which->name);
        web.file = path;
    }
    return web_open(out, loop, &web, options, callbacks, ctx, diag);
}
