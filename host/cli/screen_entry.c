#include "cli/screen_entry.h"

#include "command/command.h"
#include "entity/speaker.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GIVEN_MAX 65536 /* the most keys of all questions together */

struct screen_entry {
    struct screen_entry_callbacks callbacks;
    void *ctx;
    struct entry entry;
    struct program *program; /* NULL: the Entry is started by hand */
    struct speaker *speaker; /* NULL: the Entry speaks by its output */
    bool told_ready, warm;
    char folder[256]; /* folder for files that a terminal keeps beside its journal */
    int brief;        /* 0: none */
    uint64_t taken;   /* number of the Entry's keys */
    unsigned given;
    uint32_t point[GIVEN_MAX]; /* the judge's keys, in the order's stead */
};

static void tell_ready(struct screen_entry *e)
{
    if (!e->told_ready)
        e->callbacks.ready(e->ctx);
    e->told_ready = true;
}

static enum handed on_key(void *ctx, uint32_t point, uint64_t pressed_us)
{
    (void)pressed_us;
    struct screen_entry *e = ctx;
    e->taken++;
    e->callbacks.key(e->ctx, point);
    return HANDED_ON;
}

/* Takes a key of the terminal, if the Entry speaks by its output. */
static enum handed on_program_key(void *ctx, uint32_t point, uint64_t pressed_us)
{
    struct screen_entry *e = ctx;
    return e->speaker ? HANDED_ON : on_key(ctx, point, pressed_us);
}

static void on_program(void *ctx, enum program_event event, uint32_t count, const char *text)
{
    struct screen_entry *e = ctx;
    (void)count;
    e->warm = e->warm || entry_is_warm(&e->entry, event);
    if (event == PROGRAM_EXITED || event == PROGRAM_SAID || event == PROGRAM_THERE)
        fprintf(stderr, "the Entry: %s\n", text);
    if (event == PROGRAM_EXITED)
        e->callbacks.ended(e->ctx);
    else if (e->warm && program_ready(e->program) && !entry_kinds[e->entry.kind].registers)
        tell_ready(e);
}

static uint64_t on_pressed(void *ctx)
{
    return ((struct screen_entry *)ctx)->taken;
}

static uint32_t on_placed(void *ctx, uint64_t n, enum party *party)
{
    const struct screen_entry *e = ctx;
    *party = PARTY_JUDGE;
    return n >= 1 && n <= e->given ? e->point[n - 1] : 0;
}

static void on_speaker(void *ctx, enum speaker_news news, uint32_t count, const char *text)
{
    struct screen_entry *e = ctx;
    (void)count;
    fprintf(stderr, "the Entry: %s\n", text);
    if (news == SPEAKER_IS_THERE && (!e->program || entry_kinds[e->entry.kind].registers))
        tell_ready(e);
}

/* Makes the command that runs the program under faketime. */
static enum bl_status make_command(const struct screen_entry_options *asked, char *out, size_t size,
                                   struct bl_diag *diag)
{
    char date[11] = "";
    const char *clock = strchr(asked->at, 'T'), *program = asked->text.program;
    if (!clock || clock - asked->at != 10 || strlen(clock + 1) != 5 ||
        asked->at[strspn(asked->at, "0123456789-T:")])
        return bl_fail(diag, BL_USAGE, "--at %.30s: expected a time such as 2009-09-06T10:00",
                       asked->at);
    memcpy(date, asked->at, 10);
    if (access("/usr/bin/faketime", X_OK) != 0)
        return bl_fail(diag, BL_UNAVAIL, "--at needs the package faketime");
    if (strchr(program, '\''))
        return bl_fail(diag, BL_USAGE,
                       "--program with --at: no ' may be in it; put the command into a script");
    int length = snprintf(out, size, "exec faketime -f '@%s %s:00' /bin/sh -c '%s'", date,
                          clock + 1, program);
    return length < (int)size ? BL_OK : bl_fail(diag, BL_USAGE, "--program is too long");
}

static enum bl_status start_program(struct screen_entry *e, uv_loop_t *loop,
                                    const struct screen_entry_options *asked,
                                    struct program_options *options, struct bl_diag *diag)
{
    const struct program_callbacks callbacks = {on_program_key, on_program};
    char command[1024];
    enum bl_status status = BL_OK;
    if (asked->at) {
        status = make_command(asked, command, sizeof command, diag);
        options->command = command;
    }
    if (!status)
        status = entry_brief(&e->brief, &e->entry, options->session, NULL, 0, 0, diag);
    options->brief = e->brief;
    if (!status)
        status = program_open(&e->program, loop, options, &callbacks, e, diag);
    if (!status)
        program_allow(e->program, ~0u);
    return status;
}

static enum bl_status open_speaker(struct screen_entry *e, uv_loop_t *loop,
                                   const struct screen_entry_options *asked, struct bl_diag *diag)
{
    static const struct speaker_callbacks callbacks = {
        .key = on_key, .pressed = on_pressed, .placed = on_placed, .event = on_speaker};
    const struct speaker_options options = {
        .entry = &e->entry, .program = asked->open ? NULL : e->program, .state_dir = e->folder};
    enum bl_status status = speaker_open(&e->speaker, loop, &options, &callbacks, e, diag);
    if (status || !e->speaker)
        return status;
    speaker_session(e->speaker, "screen", 0, 0);
    speaker_start(e->speaker);
    speaker_run(e->speaker, ~0u, true, 0);
    return BL_OK;
}

/* Reads the program's options from the command line. */
#define KIND_FROM (&asked->text)
static enum bl_status read_options(struct screen_entry *e, struct program_options *options,
                                   const struct screen_entry_options *asked, struct bl_diag *diag)
{
    const char *const given[KIND_WORD_COUNT] = {KIND_WORDS(KIND_TEXT_OF)};
    unsigned io = PROGRAM_PTY, turn = TURN_LF;
    struct bl_diag why = {""};
    enum bl_status status = kind_find(&e->entry.kind, given, false, KIND_AS_ENTRY_OPTIONS, &why);
    if (status)
        return bl_fail(diag, BL_USAGE, "%s", why.text);
    if (!asked->text.program && asked->at)
        return bl_fail(diag, BL_USAGE,
                       "--at sets the clock of a program that is started here: give --program CMD "
                       "too");
    status = command_choose("--program-io", asked->program_io, program_ios, &io, diag);
    if (!status)
        status = command_choose("--turn-end", asked->turn_end, program_turn_ends, &turn, diag);
    *options = (struct program_options){.place = {.folder = asked->folder, .open = asked->open},
                                        .io = (enum program_io)io,
                                        .turn_end = (enum turn_end)turn,
                                        .columns = 80,
                                        .rows = 24,
                                        .keeper_dir = e->folder,
                                        .session = "screen",
                                        .keep_ms = 1000};
    if (!status)
        status = entry_set(&e->entry, options, &asked->text, diag);
    return status;
}

enum bl_status screen_entry_open(struct screen_entry **out, uv_loop_t *loop,
                                 const struct screen_entry_options *asked,
                                 const struct screen_entry_callbacks *callbacks, void *ctx,
                                 struct bl_diag *diag)
{
    const char *tmp = getenv("TMPDIR");
    struct program_options options;
    struct screen_entry *e = calloc(1, sizeof *e);
    enum bl_status status =
        e ? read_options(e, &options, asked, diag) : bl_fail(diag, BL_NOMEM, "no memory");
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
    /* The program is started before the speaker: the folder may be in the sandbox. */
    if (status == BL_OK && options.command)
        status = start_program(e, loop, asked, &options, diag);
    if (status == BL_OK)
        status = open_speaker(e, loop, asked, diag);
    return status;
}

void screen_entry_give(struct screen_entry *e, uint32_t point)
{
    if (e->given == GIVEN_MAX)
        return;
    e->point[e->given++] = point;
    if (e->speaker)
        speaker_run(e->speaker, ~0u, true, e->given);
    else
        program_give(e->program, e->given, point);
}

void screen_entry_close(struct screen_entry *e)
{
    if (!e)
        return;
    program_close(e->program);
    speaker_close(e->speaker);
    if (e->brief > 0)
        close(e->brief);
    e->program = NULL;
    e->speaker = NULL;
    e->brief = 0;
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
