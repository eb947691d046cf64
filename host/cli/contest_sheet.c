/* "boothlink contest sheet" and "tickets". */
#include "cli/contest.h"

#include "cli/command.h"
#include "contest/sheets.h"
#include "session/style.h"

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
    struct style parsed;
    struct bl_diag why;
    enum bl_status status;
    *out = NULL;
    if (!args->venue)
        return BL_OK;
    status = contest_read_file(&text, args->venue, diag);
    if (status == BL_OK && !(*out = malloc(sizeof **out)))
        status = bl_fail(diag, BL_NOMEM, "no memory");
    if (status == BL_OK)
        status = venue_parse(*out, text, args->venue, diag);
    for (unsigned i = 0; status == BL_OK && i < SCHEDULE_PEOPLE_MAX; i++) {
        const char *style = (*out)->entry[i].style;
        if (style[0] && style_parse(&parsed, style, &why))
            status = bl_fail(diag, BL_DATA, "%s: [machines] entry%u.style: %s", args->venue, i + 1,
                             why.text);
    }
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
    const char *ruleset,
        *rules; /* a venue's own ruleset and its text; NULL: one of the program's */
    unsigned tickets;
};

static enum bl_status make_folder(const char *path, struct bl_diag *diag)
{
    if (mkdir(path, 0700) && errno != EEXIST)
        return bl_fail(diag, errno == EACCES ? BL_NOPERM : BL_IO, "%s: %s", path, strerror(errno));
    return BL_OK;
}

static enum bl_status write_file(const char *path, const char *text, struct bl_diag *diag)
{
    size_t length = strlen(text);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool written = fd >= 0 && write(fd, text, length) == (ssize_t)length && fsync(fd) == 0;
    enum bl_status status = written ? BL_OK : bl_fail(diag, BL_IO, "%s: %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return status;
}

/* The rules go with the judges' tickets: an entity's end hears them from its judge's. */
static enum bl_status add_ruleset(const struct folder *folder, const char *name, int machine,
                                  struct bl_diag *diag)
{
    char path[512];
    if (!folder->rules || strncmp(name, "judge-", 6) != 0)
        return BL_OK;
    if (snprintf(path, sizeof path, "%s/%.*s/%s.ini", folder->path, machine, name,
                 folder->ruleset) >= (int)sizeof path)
        return bl_fail(diag, BL_USAGE, "--out %.60s: the path is too long", folder->path);
    return write_file(path, folder->rules, diag);
}

static enum bl_status take_ticket(void *ctx, const char *name, const char *text,
                                  struct bl_diag *diag)
{
    struct folder *folder = ctx;
    char path[512];
    int machine = (int)strcspn(name, "/");
    enum bl_status status;
    snprintf(path, sizeof path, "%s/%.*s", folder->path, machine, name);
    status = make_folder(path, diag);
    if (status == BL_OK)
        status = add_ruleset(folder, name, machine, diag);
    if (status != BL_OK)
        return status;
    if (snprintf(path, sizeof path, "%s/%s", folder->path, name) >= (int)sizeof path)
        return bl_fail(diag, BL_USAGE, "--out %.60s: the path is too long", folder->path);
    status = write_file(path, text, diag);
    folder->tickets += status == BL_OK;
    return status;
}

/* Whether the contest has rules that every machine has already. */
static bool is_our_ruleset(const char *name, const char *rules)
{
    char *ours = NULL;
    struct bl_diag none;
    bool same = contest_ruleset_text(&ours, name, &none) == BL_OK && strcmp(ours, rules) == 0;
    free(ours);
    return same;
}

enum bl_status contest_tickets(const struct contest_args *args, struct bl_diag *diag)
{
    struct contest_file file = {.store = NULL};
    struct folder folder = {.path = args->out};
    struct venue *venue = NULL;
    char *rules = NULL;
    enum bl_status status = BL_OK;
    if (!args->venue || !args->out)
        status = bl_fail(diag, BL_USAGE, "give --venue FILE and --out DIR");
    if (status == BL_OK)
        status = contest_file_open(&file, args, diag);
    if (status == BL_OK)
        status = load_venue(&venue, args, diag);
    if (status == BL_OK)
        status = contest_file_rules(&file, &rules, diag);
    if (status == BL_OK && !is_our_ruleset(file.contest->ruleset.name, rules)) {
        folder.ruleset = file.contest->ruleset.name;
        folder.rules = rules;
    }
    if (status == BL_OK)
        status = make_folder(args->out, diag);
    if (status == BL_OK)
        status =
            tickets_write(file.contest, venue, file.contest->begun, take_ticket, &folder, diag);
    if (status == BL_OK)
        printf("%u tickets in %s, a folder for each machine; of these only judge-* may go to the "
               "judges' room\n",
               folder.tickets, args->out);
    free(rules);
    free(venue);
    contest_file_close(&file);
    return status;
}
