#include "booth/screens.h"

#include "booth/booth.h"
#include "terminal/screen.h"
#include "web/screen.h"
#include "booth/messages.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WEB "web"

bool screens_is_web(const char *screen)
{
    return screen && strncmp(screen, WEB, strlen(WEB)) == 0;
}

/* Parses a sign and a number from 1 to 65535. Without the sign the number is 0. False: no such
 * number follows the sign. */
static bool read_number(const char **at, char sign, unsigned *number)
{
    char *end;
    *number = 0;
    if (**at != sign)
        return true;
    unsigned long found = strtoul(*at + 1, &end, 10);
    if ((*at)[1] < '1' || (*at)[1] > '9' || found > 65535)
        return false;
    *number = (unsigned)found;
    *at = end;
    return true;
}

/* Parses "web[:PORT][#SOCKET][@FILE]". */
static bool read_web(const char *screen, struct web_options *web)
{
    const char *at = screen + strlen(WEB);
    unsigned fd;
    if (!read_number(&at, ':', &web->port) || !read_number(&at, '#', &fd))
        return false;
    web->listening = (int)fd;
    web->file = *at == '@' && at[1] ? at + 1 : NULL;
    return web->file || *at == '\0';
}

enum bl_status screens_check(const char *screen, struct bl_diag *diag)
{
    struct web_options web;
    if (!screen || strcmp(screen, "console") == 0 ||
        (screens_is_web(screen) && read_web(screen, &web)))
        return BL_OK;
    return bl_fail(diag, BL_USAGE, say_fail_screen_expected_console_web_or_web, screen);
}

/* Tells the page's address if standard error is a terminal. Otherwise tells the file of the
 * address, since other people read logs. */
static void tell(void *ctx, const char *address, const char *file)
{
    (void)ctx;
    if (isatty(STDERR_FILENO))
        fprintf(stderr, say_the_screen_is_in_a, address);
    else
        fprintf(stderr, say_the_screen_is_in_a_browser, file);
}

/* Chooses the file for the page's address, unless the option names one. */
static enum bl_status name_file(struct web_options *web, const struct screens_options *which,
                                char path[SCREENS_PATH], struct bl_diag *diag)
{
    const struct booth_options where = {.journal_dir = which->dir};
    char dir[PATH_MAX];
    if (web->file)
        return BL_OK;
    enum bl_status status = booth_journal_dir(&where, dir, diag);
    snprintf(path, SCREENS_PATH, "%s/%s.url", dir, which->name);
    web->file = path;
    return status;
}

enum bl_status screens_listen(int *fd, const struct screens_options *which, char path[SCREENS_PATH],
                              struct bl_diag *diag)
{
    struct web_options web = {0};
    *fd = -1;
    enum bl_status status = screens_check(which->screen, diag);
    if (status || !screens_is_web(which->screen))
        return status;
    read_web(which->screen, &web);
    status = name_file(&web, which, path, diag);
    if (!status && web.file != path)
        snprintf(path, SCREENS_PATH, "%s", web.file);
    return status ? status : door_listen(fd, web.port, web.file, diag);
}

enum bl_status screens_open(struct screen **out, uv_loop_t *loop,
                            const struct screens_options *which,
                            const struct screen_options *options,
                            const struct screen_callbacks *callbacks, void *ctx,
                            struct bl_diag *diag)
{
    struct web_options web = {.tell = tell};
    char path[SCREENS_PATH];
    enum bl_status status = screens_check(which->screen, diag);
    *out = NULL;
    if (status)
        return status;
    if (!screens_is_web(which->screen))
        return terminal_open(out, loop, options, callbacks, ctx, diag);
    read_web(which->screen, &web);
    status = name_file(&web, which, path, diag);
    if (status)
        return status;
    if (web.listening > 0) /* an Entry's program must not inherit the socket */
        fcntl(web.listening, F_SETFD, FD_CLOEXEC);
    return web_open(out, loop, &web, options, callbacks, ctx, diag);
}
