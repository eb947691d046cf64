#include "validate/side_by_side.h"

#include "validate/actor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BROWSER   "/usr/bin/chromium"
#define LATE_MS   120000u
#define MEMORY    4096u /* MiB of memory for a browser */
#define PROCESSES 512u  /* most processes of a browser */
#define NAME_ROOM 32
#define PICTURE   (16u << 20) /* most bytes of a picture */

/* Our sandbox replaces the browser's own. */
#define COMMAND                                                                                    \
    "for page in *.html; do " BROWSER " --headless --no-sandbox --no-zygote --disable-gpu "        \
    "--disable-dev-shm-usage --hide-scrollbars --force-color-profile=srgb "                        \
    "--window-size=1024,2000 --screenshot=\"${page%.html}.png\" \"file://$PWD/$page\" "            \
    ">/dev/null 2>&1 </dev/null; done"

bool side_by_side_can(void)
{
    return access(BROWSER, X_OK) == 0;
}

static void name_of(char name[NAME_ROOM], unsigned pair, unsigned side, const char *kind)
{
    snprintf(name, NAME_ROOM, "%u-%s.%s", pair, side ? "right" : "left", kind);
}

static enum bl_status put(int folder, const char *name, const char *text, struct bl_diag *diag)
{
    int fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    size_t left = strlen(text);
    ssize_t n = 0;
    while (fd >= 0 && left && (n = write(fd, text, left)) > 0) {
        text += n;
        left -= (size_t)n;
    }
    bool good = fd >= 0 && n >= 0;
    if (fd >= 0)
        good = close(fd) == 0 && good;
    return good ? BL_OK : bl_fail(diag, BL_IO, "a page for the browser: %s", strerror(errno));
}

static uint8_t *picture_of(int folder, const char *name, size_t *length)
{
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    uint8_t *bytes = malloc(PICTURE);
    ssize_t n = 0;
    *length = 0;
    while (fd >= 0 && bytes && *length < PICTURE &&
           (n = read(fd, bytes + *length, PICTURE - *length)) > 0)
        *length += (size_t)n;
    if (fd >= 0)
        close(fd);
    return bytes;
}

/* Compares the pictures' files: the browser encodes equal pixels as equal bytes. */
static enum bl_status compare(struct side_by_side *pairs, unsigned count, int folder,
                              struct bl_diag *diag)
{
    bool all = true;
    for (unsigned i = 0; i < count; i++) {
        uint8_t *bytes[2];
        size_t length[2];
        for (unsigned side = 0; side < 2; side++) {
            char name[NAME_ROOM];
            name_of(name, i, side, "png");
            bytes[side] = picture_of(folder, name, &length[side]);
        }
        all = all && bytes[0] && bytes[1] && length[0] && length[1];
        pairs[i].alike =
            all && length[0] == length[1] && memcmp(bytes[0], bytes[1], length[0]) == 0;
        free(bytes[0]);
        free(bytes[1]);
    }
    return all ? BL_OK : bl_fail(diag, BL_UNAVAIL, "%s makes no picture here", BROWSER);
}

static enum bl_status look(struct side_by_side *pairs, unsigned count, const char *folder,
                           struct bl_diag *diag)
{
    const struct sandbox_options sandbox = {.command = COMMAND,
                                            .folder = folder,
                                            .io = PROGRAM_PIPE,
                                            .memory_mib = MEMORY,
                                            .processes = PROCESSES,
                                            .net = SANDBOX_NET_NONE};
    const struct actor_options options = {.flood_bytes = 1 << 20};
    struct actor *chromium;
    enum bl_status status = actor_open_alone(&chromium, &sandbox, &options, diag);
    if (status)
        return status;
    actor_wait_end(chromium, LATE_MS);
    status = compare(pairs, count, sandbox_folder_fd(actor_sandbox(chromium)), diag);
    scene_close(actor_scene(chromium));
    return status;
}

/* Removes the files of put(), and then the folder. */
static void clear(int fd, const char *folder, unsigned count)
{
    char name[NAME_ROOM];
    for (unsigned i = 0; fd >= 0 && i < 2 * count; i++) {
        name_of(name, i / 2, i % 2, "html");
        unlinkat(fd, name, 0);
    }
    if (fd >= 0)
        close(fd);
    rmdir(folder);
}

enum bl_status side_by_side_look(struct side_by_side *pairs, unsigned count, struct bl_diag *diag)
{
    const char *where = getenv("TMPDIR");
    char folder[PATH_MAX], name[NAME_ROOM];
    enum bl_status status = BL_OK;
    snprintf(folder, sizeof folder, "%.3000s/pages.XXXXXX", where && where[0] ? where : "/tmp");
    if (!mkdtemp(folder))
        return bl_fail(diag, BL_IO, "%.200s: %s", folder, strerror(errno));
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (unsigned i = 0; i < 2 * count && !status; i++) {
        name_of(name, i / 2, i % 2, "html");
        status = put(fd, name, i % 2 ? pairs[i / 2].right : pairs[i / 2].left, diag);
    }
    if (!status)
        status = look(pairs, count, folder, diag);
    clear(fd, folder, count);
    return status;
}
