/* "boothlink contest sheet" and "tickets". */
#include "cli/contest.h"

#include "cli/command.h"
#include "contest/sheets.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void write_out(void *ctx, const char *bytes, size_t length)
{
    fwrite(bytes, 1, length, ctx);
}

/* NULL in *out where no venue was given. */
static enum bl_status load_venue(struct venue **out, const struct contest_args *args,
                                 struct bl_diag *diag)
{
    char *text = NULL;
    enum bl_status status;
    *out = NULL;
    if (!args->venue)
        return BL_OK;
    status = contest_read_file(&text, args->venue, diag);
    if (status == BL_OK && !(*out = malloc(sizeof **out)))
        status = bl_fail(diag, BL_NOMEM, "no memory");
    if (status == BL_OK)
        status = venue_parse(*out, text, args->venue, diag);
    free(text);
    return status;
}

enum bl_status contest_sheet(const struct contest_args *args, struct bl_diag *diag)
{
    static const char *const words[] = {"judges", "confederates", "entries",
                                        "labels", "setup",        NULL};
    const struct html_out out = {write_out, stdout};
    struct contest_file file = {.store = NULL};
    struct timetable timetable;
    struct venue *venue = NULL;
    unsigned which = 0;
    enum bl_status status =
        args->kind ? command_choose("--for", args->kind, words, &which, diag) : BL_OK;
    if (status == BL_OK)
        status = contest_file_open(&file, args, diag);
    if (status == BL_OK)
        status = load_venue(&venue, args, diag);
    if (status == BL_OK)
        status = contest_timetable(&timetable, file.contest->ruleset.plan, venue, args, diag);
    if (status == BL_OK)
        status = sheets_write(file.contest, &timetable, venue, args->kind ? 1U << which : ~0U, &out,
                              diag);
    free(venue);
    contest_file_close(&file);
    return status;
}

struct folder {
    const char *path;
    unsigned tickets;
};

static enum bl_status make_folder(const char *path, struct bl_diag *diag)
{
    if (mkdir(path, 0700) && errno != EEXIST)
        return bl_fail(diag, errno == EACCES ? BL_NOPERM : BL_IO, "%s: %s", path, strerror(errno));
    return BL_OK;
}

static enum bl_status take_ticket(void *ctx, const char *name, const char *text,
                                  struct bl_diag *diag)
{
    struct folder *folder = ctx;
    char path[512];
    enum bl_status status;
    size_t length = strlen(text);
    snprintf(path, sizeof path, "%s/%.*s", folder->path, (int)strcspn(name, "/"), name);
    status = make_folder(path, diag);
    if (status != BL_OK)
        return status;
    if (snprintf(path, sizeof path, "%s/%s", folder->path, name) >= (int)sizeof path)
        return bl_fail(diag, BL_USAGE, "--out %.60s: the path is too long", folder->path);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool written = fd >= 0 && write(fd, text, length) == (ssize_t)length && fsync(fd) == 0;
    if (!written)
        status = bl_fail(diag, BL_IO, "%s: %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    folder->tickets += written;
    return status;
}

enum bl_status contest_tickets(const struct contest_args *args, struct bl_diag *diag)
{
    struct contest_file file = {.store = NULL};
    struct folder folder = {.path = args->out};
    struct venue *venue = NULL;
    enum bl_status status = BL_OK;
    if (!args->venue || !args->out)
        status = bl_fail(diag, BL_USAGE, "give --venue FILE and --out DIR");
    if (status == BL_OK)
        status = contest_file_open(&file, args, diag);
    if (status == BL_OK)
        status = load_venue(&venue, args, diag);
    if (status == BL_OK)
        status = make_folder(args->out, diag);
    if (status == BL_OK)
        status =
            tickets_write(file.contest, venue, file.contest->begun, take_ticket, &folder, diag);
    if (status == BL_OK)
        printf("%u tickets in %s, a folder for each machine; of these only judge-* may go to the "
               "judges' room\n",
               folder.tickets, args->out);
    free(venue);
    contest_file_close(&file);
    return status;
}
