/* Drives a screen for the golden tests: commands, a line each, come through a FIFO and change the
 * model; what the screen hands over is logged. A key that may be typed is placed at once, or waits
 * when the model says so. See run.sh for its use; commands are in the table at the end. */
#include "base/loop.h"
#include "base/utf8.h"
#include "rules/ballot_kind.h"
#include "screen/form.h"
#include "terminal/screen.h"

#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#define PENDING_MAX 512

struct demo {
    uv_loop_t loop;
    uv_poll_t control;
    uv_prepare_t settle;
    bool changed;
    int control_fd;
    char line[2048];
    size_t length;
    FILE *log;
    struct screen *screen;
    struct screen_options options;
    struct screen_model model;
    struct form form;
    struct page *page[SIDES];
    char text[8][256]; /* the model's strings */
    char title[SIDES][64], reason[SIDES][256], state[SIDES][64];
    uint32_t pending[PENDING_MAX];
    size_t pending_count;
    bool wait;
};

static struct demo demo;

static void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void note(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vfprintf(demo.log, format, args);
    va_end(args);
    fputc('\n', demo.log);
    fflush(demo.log);
}

static void place(enum side side, enum party party, uint32_t point)
{
    page_apply(demo.page[side], &(struct key_event){.point = point, .party = (uint8_t)party});
}

/* As the terminals do: what changed is shown once, before the loop waits. */
static void on_settle(uv_prepare_t *handle)
{
    (void)handle;
    if (!demo.changed || !demo.screen)
        return;
    demo.changed = false;
    for (enum side side = 0; side < SIDES; side++) {
        struct screen_side *shown = &demo.model.side[side];
        shown->pending = demo.pending;
        shown->pending_count = shown->active ? demo.pending_count : 0;
    }
    screen_dirty(demo.screen, &demo.model);
}

static void dirty(void)
{
    demo.changed = true;
}

static void on_key(void *ctx, uint32_t point)
{
    (void)ctx;
    note("key U+%04X", point);
    for (enum side side = 0; side < demo.model.sides; side++) {
        if (!demo.model.side[side].active)
            continue;
        if (!demo.wait)
            place(side, demo.model.role, point);
        else if (demo.pending_count < PENDING_MAX)
            demo.pending[demo.pending_count++] = point;
    }
    dirty();
}

/* The ballot's keys. What it gives is logged as the text that a file would have. */
static bool on_first(void *ctx, enum input_what what, uint32_t point)
{
    char text[VOTE_TEXT_MAX + 1];
    struct vote vote;
    (void)ctx;
    switch (form_feed(&demo.form, what, point)) {
    case FORM_NOT_MINE:
        return false;
    case FORM_TAKEN:
        break;
    case FORM_GIVE:
        form_vote(&demo.form, &vote, NULL);
        form_set(&demo.form, &vote, true);
        demo.form.standing = FORM_GIVEN;
        vote_format(&vote, &demo.form.rules, text);
        note("give %s", text);
    }
    dirty();
    return true;
}

/* "KIND [MOST]" begins a ballot, "standing N" and "about TEXT" change it. */
static void set_form(const char *words)
{
    struct vote_rules rules = {.kind = BALLOT_NONE};
    size_t length = strcspn(words, " ");
    if (strncmp(words, "about ", 6) == 0) {
        snprintf(demo.form.about, sizeof demo.form.about, "%s", words + 6);
    } else if (strncmp(words, "standing ", 9) == 0) {
        demo.form.standing = (enum form_standing)atoi(words + 9);
    } else if (ballot_kind_find(words, length, &rules.kind)) {
        rules.most = atoi(words + length);
        rules.ranks = rules.kind == BALLOT_RANKS ? 4 : 0;
        form_begin(&demo.form, &rules);
        demo.form.state = FORM_SHOWN;
        snprintf(demo.form.given, sizeof demo.form.given, "14:03");
        for (unsigned i = 0; i < rules.ranks; i++)
            snprintf(demo.form.label[i], sizeof demo.form.label[i], "r%u-j3, RIGHT", i + 1);
    }
}

static void leave(void)
{
    uv_close((uv_handle_t *)&demo.control, NULL);
    uv_close((uv_handle_t *)&demo.settle, NULL);
    screen_close(demo.screen);
    demo.screen = NULL;
}

static void on_command(void *ctx, enum screen_command command)
{
    static const char *const names[] = {[SCREEN_BEGIN] = "begin",
                                        [SCREEN_STEWARD] = "steward",
                                        [SCREEN_OTHER_SIDE] = "other side",
                                        [SCREEN_EPOCH] = "epoch",
                                        [SCREEN_LEAVE] = "leave"};
    struct screen_side *side = demo.model.side;
    (void)ctx;
    note("command %s", names[command]);
    if (command == SCREEN_LEAVE) {
        leave();
        return;
    }
    if (command == SCREEN_STEWARD)
        side[SIDE_LEFT].steward_here = !side[SIDE_LEFT].steward_here;
    if (command == SCREEN_OTHER_SIDE && demo.model.sides == 2) {
        side[SIDE_RIGHT].active = side[SIDE_LEFT].active;
        side[SIDE_LEFT].active = !side[SIDE_RIGHT].active;
    }
    dirty();
}

static void on_ignored(void *ctx)
{
    (void)ctx;
    note("ignored");
}

static void on_lost(void *ctx)
{
    (void)ctx;
    note("lost");
    leave();
}

/* Types UTF-8 with \n for Return, \b for BackSpace and \t for Tab, each as backslash and letter. */
static void say(enum side side, const char *words)
{
    enum party party = strncmp(words, "judge ", 6) == 0 ? PARTY_JUDGE : PARTY_ENTITY;
    size_t length = strlen(words), at = party == PARTY_JUDGE ? 6 : 7;
    while (at < length) {
        uint32_t point;
        size_t taken = utf8_decode((const uint8_t *)words + at, length - at, &point);
        if (taken == 0)
            break;
        at += taken;
        if (point == '\\' && at < length) {
            char letter = words[at++];
            point = letter == 'n' ? KEY_RETURN : letter == 'b' ? KEY_BACKSPACE : KEY_TAB;
        }
        place(side, party, point);
    }
}

/* Both pages anew, in another style. */
static void set_style(const char *words)
{
    struct style style;
    if (style_parse(&style, words, demo.model.sides, NULL) != BL_OK)
        note("no style %s", words);
    for (enum side side = 0; side < SIDES; side++)
        page_begin(demo.page[side], &style);
}

static bool yes(const char *words)
{
    return strncmp(words, "yes", 3) == 0;
}

static void set(char *to, size_t size, const char *words)
{
    snprintf(to, size, "%s", words);
}

/* Deep enough to overflow the stack, whatever the compiler makes of it. */
static unsigned overflow(volatile unsigned *depth)
{
    volatile unsigned char frame[65536];
    frame[0] = (unsigned char)++*depth;
    if (*depth == 0)
        return 0;
    return overflow(depth) + frame[0];
}

/* A command is a word, for some of them L or R, and the rest of the line. */
static void run(char *line)
{
    char *words = line + strcspn(line, " ");
    enum side side = SIDE_LEFT;
    struct screen_side *shown;
    if (*words)
        *words++ = '\0';
    if ((words[0] == 'L' || words[0] == 'R') && (words[1] == ' ' || !words[1])) {
        side = words[0] == 'L' ? SIDE_LEFT : SIDE_RIGHT;
        words += words[1] ? 2 : 1;
    }
    shown = &demo.model.side[side];
    if (strcmp(line, "role") == 0)
        demo.model.role = strcmp(words, "judge") == 0 ? PARTY_JUDGE : PARTY_ENTITY;
    else if (strcmp(line, "sides") == 0)
        demo.model.sides = (unsigned)atoi(words);
    else if (strcmp(line, "title") == 0)
        set(demo.title[side], sizeof demo.title[side], words);
    else if (strcmp(line, "state") == 0)
        set(demo.state[side], sizeof demo.state[side], words);
    else if (strcmp(line, "reach") == 0) {
        shown->reach = yes(words) ? REACH_YES : words[0] == 'c' ? REACH_CONNECTING : REACH_NO;
        words += strcspn(words, " ");
        set(demo.reason[side], sizeof demo.reason[side], *words ? words + 1 : "");
    } else if (strcmp(line, "insecure") == 0)
        shown->insecure = yes(words);
    else if (strcmp(line, "active") == 0)
        shown->active = yes(words);
    else if (strcmp(line, "steward") == 0) {
        shown->steward_here = strcmp(words, "here") == 0;
        shown->steward_there = strcmp(words, "there") == 0;
    } else if (strcmp(line, "segment") == 0)
        set(demo.text[0], sizeof demo.text[0], words);
    else if (strcmp(line, "message") == 0)
        set(demo.text[1], sizeof demo.text[1], words);
    else if (strcmp(line, "entry") == 0)
        set(demo.text[2], sizeof demo.text[2], words);
    else if (strcmp(line, "left") == 0)
        demo.model.remaining_us =
            strcmp(words, "none") == 0 ? UINT64_MAX : strtoull(words, NULL, 10) * 1000000u;
    else if (strcmp(line, "enforced") == 0)
        demo.model.enforced = yes(words);
    else if (strcmp(line, "may") == 0) {
        demo.model.may_begin = strstr(words, "begin") != NULL;
        demo.model.may_switch = strstr(words, "switch") != NULL;
        demo.model.may_epoch = strstr(words, "epoch") != NULL;
    } else if (strcmp(line, "style") == 0)
        set_style(words);
    else if (strcmp(line, "say") == 0)
        say(side, words);
    else if (strcmp(line, "ballot") == 0)
        set_form(words);
    else if (strcmp(line, "wait") == 0)
        demo.wait = yes(words);
    else if (strcmp(line, "place") == 0) {
        for (size_t i = 0; i < demo.pending_count; i++)
            place(side, demo.model.role, demo.pending[i]);
        demo.pending_count = 0;
    } else if (strcmp(line, "raise") == 0)
        raise(atoi(words));
    else if (strcmp(line, "overflow") == 0) {
        unsigned depth = 0;
        note("%u", overflow(&depth));
    } else if (strcmp(line, "exit") == 0)
        exit(atoi(words));
    else if (strcmp(line, "log") == 0)
        note("%s", words);
    else if (strcmp(line, "close") == 0) {
        leave();
        return;
    } else
        note("there is no command %s", line);
    dirty();
}

static void on_control(uv_poll_t *poll, int status, int events)
{
    char bytes[512];
    ssize_t count = read(demo.control_fd, bytes, sizeof bytes);
    (void)poll;
    (void)status;
    (void)events;
    for (ssize_t i = 0; i < count && demo.screen; i++) {
        if (bytes[i] != '\n') {
            if (demo.length + 1 < sizeof demo.line)
                demo.line[demo.length++] = bytes[i];
            continue;
        }
        demo.line[demo.length] = '\0';
        demo.length = 0;
        run(demo.line);
    }
}

static void model_start(struct screen_model *model, const char *columns)
{
    struct style style;
    char line[64];
    snprintf(line, sizeof line, "split columns=%s", columns);
    if (style_parse(&style, line, 2, NULL) != BL_OK)
        style_default(&style);
    for (enum side side = 0; side < SIDES; side++) {
        demo.page[side] = page_create(&style);
        model->side[side].page = demo.page[side];
        model->side[side].title = demo.title[side];
        model->side[side].reason = demo.reason[side];
        model->side[side].state = demo.state[side];
        model->side[side].reach = REACH_YES;
        set(demo.title[side], sizeof demo.title[side], side == SIDE_LEFT ? "LEFT" : "RIGHT");
    }
    model->sides = 1;
    model->form = &demo.form;
    model->remaining_us = UINT64_MAX;
    model->segment = demo.text[0];
    model->message = demo.text[1];
    model->entry = demo.text[2];
}

/* screendemo FIFO LOG [--alone] [--kiosk] [--small] [--columns N] */
int main(int argc, char **argv)
{
    static const struct screen_callbacks callbacks = {
        .key = on_key, .command = on_command, .ignored = on_ignored, .lost = on_lost};
    const char *columns = "38", *no_color = getenv("NO_COLOR");
    struct bl_diag diag;
    enum bl_status status;
    bool alone = false;
    if (argc < 3)
        return 64;
    for (int i = 3; i < argc; i++) {
        demo.options.kiosk = demo.options.kiosk || strcmp(argv[i], "--kiosk") == 0;
        alone = alone || strcmp(argv[i], "--alone") == 0;
        demo.options.small = demo.options.small || strcmp(argv[i], "--small") == 0;
        if (strcmp(argv[i], "--columns") == 0 && i + 1 < argc)
            columns = argv[++i];
    }
    demo.options.first = on_first;
    demo.options.no_color = no_color && *no_color;
    demo.log = fopen(argv[2], "we");
    demo.control_fd = open(argv[1], O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (!demo.log || demo.control_fd < 0)
        return 66;
    model_start(&demo.model, columns);
    if (alone) {
        demo.model.side[SIDE_LEFT].reach = REACH_CONNECTING;
        set(demo.reason[SIDE_LEFT], sizeof demo.reason[0], "no answer yet");
    }
    uv_loop_init(&demo.loop);
    status = terminal_open(&demo.screen, &demo.loop, &demo.options, &callbacks, NULL, &diag);
    if (status != BL_OK) {
        fprintf(stderr, "screendemo: %s\n", diag.text);
        uv_run(&demo.loop, UV_RUN_DEFAULT);
        return bl_status_exit(status);
    }
    screen_dirty(demo.screen, &demo.model);
    uv_prepare_init(&demo.loop, &demo.settle);
    uv_prepare_start(&demo.settle, on_settle);
    uv_poll_init(&demo.loop, &demo.control, demo.control_fd);
    uv_poll_start(&demo.control, UV_READABLE, on_control);
    note("ready %d", (int)getpid());
    uv_run(&demo.loop, UV_RUN_DEFAULT);
    for (enum side side = 0; side < SIDES; side++)
        page_destroy(demo.page[side]);
    status = uv_loop_close(&demo.loop) == 0 ? BL_OK : BL_SOFTWARE;
    note("end %d", bl_status_exit(status));
    fclose(demo.log);
    return bl_status_exit(status);
}
