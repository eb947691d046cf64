#include "cli/screen_entry.h"

#include "cli/command.h"
#include "entity/lpp.h"
#include "entity/program.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GIVEN_MAX 65536 /* keys of all questions together */

struct screen_entry {
    struct screen_entry_callbacks callbacks;
    void *ctx;
    struct program *program; /* NULL: started by hand */
    struct lpp *lpp;         /* NULL: it is asked by its terminal */
    bool told_ready;
    char folder[256]; /* for what a terminal keeps beside its journal */
    uint64_t taken;   /* keys of the Entry */
    unsigned given;
    uint32_t point[GIVEN_MAX]; /* the judge's, which are all that the order has */
};

static void tell_ready(struct screen_entry *e)
{
    if (!e->told_ready)
        e->callbacks.ready(e->ctx);
    e->told_ready = true;
}

/* An Entry that speaks LPP says nothing on its terminal that is for the judge. */
static enum handed on_program_key(void *ctx, uint32_t point, uint64_t pressed_us)
{
    (void)pressed_us;
    struct screen_entry *e = ctx;
    if (!e->lpp)
        e->callbacks.key(e->ctx, point);
    return HANDED_ON;
}

static void on_program(void *ctx, enum program_event event, uint32_t count, const char *text)
{
    struct screen_entry *e = ctx;
    (void)count;
    if (event == PROGRAM_EXITED) {
        fprintf(stderr, "the Entry: %s\n", text);
        e->callbacks.ended(e->ctx);
    } else if (event == PROGRAM_READY) {
        tell_ready(e);
    }
}

static enum handed on_lpp_key(void *ctx, uint32_t point, uint64_t pressed_us)
{
    (void)pressed_us;
    struct screen_entry *e = ctx;
    e->taken++;
    e->callbacks.key(e->ctx, point);
    return HANDED_ON;
}

static uint64_t on_lpp_keys(void *ctx)
{
    return ((struct screen_entry *)ctx)->taken;
}

static uint32_t on_judge_key(void *ctx, uint64_t n)
{
    const struct screen_entry *e = ctx;
    return n >= 1 && n <= e->given ? e->point[n - 1] : 0;
}

static void on_lpp(void *ctx, enum lpp_event event, uint32_t count, const char *text)
{
    struct screen_entry *e = ctx;
    (void)count;
    if (event == LPP_WATCHES && !e->program)
        tell_ready(e);
    else if (event != LPP_WATCHES && event != LPP_FIRST)
        fprintf(stderr, "the Entry: %s\n", text);
}

/* The command, behind faketime where its clock is to be set. */
static enum bl_status make_command(const struct screen_entry_options *asked, char *out, size_t size,
                                   struct bl_diag *diag)
{
    int length;
    char date[11] = "";
    const char *clock = asked->at ? strchr(asked->at, 'T') : NULL;
    if (!asked->at) {
        length = snprintf(out, size, "%s", asked->program);
    } else {
        if (!clock || clock - asked->at != 10 || strlen(clock + 1) != 5 ||
            asked->at[strspn(asked->at, "0123456789-T:")])
            return bl_fail(diag, BL_USAGE, "--at %.30s: expected a time such as 2009-09-06T10:00",
                           asked->at);
        memcpy(date, asked->at, 10);
        if (access("/usr/bin/faketime", X_OK) != 0)
            return bl_fail(diag, BL_UNAVAIL, "--at needs the package faketime");
        length = snprintf(out, size, "exec faketime -f '@%s %s:00' /bin/sh -c '%s'", date,
                          clock + 1, asked->program);
        if (strchr(asked->program, '\''))
            return bl_fail(diag, BL_USAGE,
                           "--program with --at: no ' may be in it; put the command "
                           "into a script");
    }
    return length < (int)size ? BL_OK : bl_fail(diag, BL_USAGE, "--program is too long");
}

static enum bl_status start_program(struct screen_entry *e, uv_loop_t *loop,
                                    const struct screen_entry_options *asked, struct bl_diag *diag)
{
    const struct program_callbacks callbacks = {on_program_key, on_program};
    unsigned io = PROGRAM_PTY, turn = TURN_LF;
    char command[1024];
    enum bl_status status =
        command_choose("--program-io", asked->program_io, program_ios, &io, diag);
    if (status == BL_OK)
        status = command_choose("--turn-end", asked->turn_end, program_turn_ends, &turn, diag);
    if (status == BL_OK)
        status = make_command(asked, command, sizeof command, diag);
    if (status != BL_OK)
        return status;
    const struct program_options options = {
        .command = command,
        .place = {.folder = asked->folder, .lpp = asked->lpp, .open = asked->open},
        .io = (enum program_io)io,
        .turn_end = (enum turn_end)turn,
        .columns = 80,
        .rows = 24,
        .keeper_dir = e->folder,
        .session = "screen",
        .keep_ms = 1000};
    status = program_open(&e->program, loop, &options, &callbacks, e, diag);
    if (status == BL_OK)
        program_allow(e->program, ~0u);
    return status;
}

static enum bl_status open_folder(struct screen_entry *e, uv_loop_t *loop,
                                  const struct screen_entry_options *asked, struct bl_diag *diag)
{
    const struct lpp_callbacks callbacks = {on_lpp_key, on_lpp_keys, on_judge_key, on_lpp};
    const struct lpp_options options = {
        .folder = asked->lpp,
        .shown = e->program && !asked->open ? program_lpp_fd(e->program) : 0,
        .state_dir = e->folder};
    enum bl_status status = lpp_open(&e->lpp, loop, &options, &callbacks, e, diag);
    if (status != BL_OK)
        return status;
    lpp_session(e->lpp, "screen", 0);
    lpp_allow(e->lpp, ~0u);
    return BL_OK;
}

static enum bl_status check_options(const struct screen_entry_options *asked, struct bl_diag *diag)
{
    if (!asked->program && !asked->lpp)
        return bl_fail(diag, BL_USAGE,
                       "missing --program CMD, or --lpp DIR for an Entry that speaks LPP");
    if (!asked->program && asked->at)
        return bl_fail(diag, BL_USAGE,
                       "--at sets the clock of a program that is started here: give --program CMD "
                       "too");
    return BL_OK;
}

enum bl_status screen_entry_open(struct screen_entry **out, uv_loop_t *loop,
                                 const struct screen_entry_options *asked,
                                 const struct screen_entry_callbacks *callbacks, void *ctx,
                                 struct bl_diag *diag)
{
    const char *tmp = getenv("TMPDIR");
    struct screen_entry *e = calloc(1, sizeof *e);
    enum bl_status status = e ? check_options(asked, diag) : bl_fail(diag, BL_NOMEM, "no memory");
    *out = e;
    if (status != BL_OK)
        return status;
    e->callbacks = *callbacks;
    e->ctx = ctx;
    snprintf(e->folder, sizeof e->folder, "%s/boothlink-screen-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(e->folder)) {
        status = bl_fail(diag, BL_IO, "%s: %s", e->folder, strerror(errno));
        e->folder[0] = '\0';
    }
    /* In its sandbox the Entry has its folder from the start. */
    if (status == BL_OK && asked->program)
        status = start_program(e, loop, asked, diag);
    if (status == BL_OK && asked->lpp)
        status = open_folder(e, loop, asked, diag);
    return status;
}

void screen_entry_give(struct screen_entry *e, uint32_t point)
{
    if (e->given == GIVEN_MAX)
        return;
    e->point[e->given++] = point;
    if (e->lpp)
        lpp_order(e->lpp, e->given);
    else
        program_give(e->program, e->given, point);
}

void screen_entry_close(struct screen_entry *e)
{
    if (!e)
        return;
    program_close(e->program);
    lpp_close(e->lpp);
    e->program = NULL;
    e->lpp = NULL;
}

void screen_entry_destroy(struct screen_entry *e)
{
    if (!e)
        return;
    DIR *dir = e->folder[0] ? opendir(e->folder) : NULL;
    for (struct dirent *found; dir && (found = readdir(dir));)
        unlinkat(dirfd(dir), found->d_name, 0);
    if (dir) {
        closedir(dir);
        rmdir(e->folder);
    }
    free(e);
}
