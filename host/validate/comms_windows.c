/* Records the windows of programs, which cannot be compared cell by cell, for the organiser. Each
 * program runs in a sandbox with its own X server (Xvfb). */
#include "validate/comms_private.h"
#include "validate/xwd.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SCREEN_FILE "tmp/Xvfb_screen0"
#define DRAWN_MS    5000 /* time for the programs to draw */
#define SERVER                                                                                     \
    "Xvfb :9 -screen 0 800x600x24 -fbdir /tmp -nolisten tcp >/dev/null 2>&1 & "                    \
    "n=0; until [ -S /tmp/.X11-unix/X9 ] || [ $n -gt 100 ]; do sleep 0.1; n=$((n + 1)); done; "    \
    "DISPLAY=:9; export DISPLAY; exec "

static bool server_found(void)
{
    const char *path = getenv("PATH");
    while (path && *path) {
        char file[PATH_MAX];
        size_t length = strcspn(path, ":");
        snprintf(file, sizeof file, "%.*s/Xvfb", (int)length, path);
        if (access(file, X_OK) == 0)
            return true;
        path += length + (path[length] == ':');
    }
    return false;
}

static bool screen_read(const struct actor *actor, struct xwd *xwd)
{
    int fd = openat(sandbox_stage_fd(actor_sandbox(actor)), SCREEN_FILE,
                    O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    struct stat found;
    bool good = false;
    if (fd < 0)
        return false;
    if (fstat(fd, &found) == 0 && S_ISREG(found.st_mode) && found.st_size > 0 &&
        found.st_size < 64 << 20) {
        uint8_t *copy = malloc((size_t)found.st_size);
        ssize_t length = copy ? pread(fd, copy, (size_t)found.st_size, 0) : -1;
        good = length > 0 && xwd_read(xwd, copy, (size_t)length);
        free(copy);
    }
    close(fd);
    return good;
}

static void record(struct validate *v, struct finding *f)
{
    static char commands[PARTS][VALIDATE_COMMAND_MAX];
    const struct validate_options *o = v->options;
    const char *const given[PARTS] = {o->program, o->judge_end, o->entity_end};
    struct validate_options with = *o;
    unsigned count = 0;
    for (enum scene_part part = 0; part < PARTS; part++)
        if ((size_t)snprintf(commands[part], sizeof commands[part], "%s%s", SERVER, given[part]) >=
            sizeof commands[part]) {
            finding_skip(f, "the command of %s is too long", comms_name(part));
            return;
        }
    with.program = commands[PART_ENTRY];
    with.judge_end = commands[PART_JUDGE];
    with.entity_end = commands[PART_ENTITY];
    if (!comms_open(v, &with, true))
        return;
    scene_run(v->scene, DRAWN_MS, NULL, NULL);
    for (enum scene_part part = 0; part < PARTS; part++) {
        struct xwd xwd = {0};
        if (!screen_read(scene_actor(v->scene, part), &xwd)) {
            comms_show(v, part);
            continue;
        }
        exhibit_add_image(&f->exhibits, comms_name(part), xwd.pixels, xwd.width, xwd.height);
        count++;
    }
    if (!comms_ended(v)) {
        finding_warn(f, "windows cannot be compared: %u screen%s %s recorded, look with --html",
                     count, BL_S(count), BL_ARE(count));
        finding_expected(f, "the judge sees the same of all");
        finding_came(f, "%u of %u screens", count, PARTS);
    }
    comms_end(v);
}

void windows_record(struct validate *v, struct finding *f)
{
    if (!v->options->windows)
        finding_pass(f, "both draw on a terminal");
    else if (!server_found())
        finding_skip(f, "windows cannot be compared, and Xvfb is not installed to record them");
    else
        record(v, f);
}
