#include "booth/day_check.h"
#include "booth/messages.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define CHECK_MOST 65536

static void add_words(struct day *day, const char *format, ...)
{
    size_t used = strlen(day->check.text);
    va_list args;
    if (used && used + 1 < DAY_CHECK_TEXT)
        strcpy(day->check.text + used++, "\n");
    va_start(args, format);
    vsnprintf(day->check.text + used, DAY_CHECK_TEXT - used, format, args);
    va_end(args);
}

static void complain(struct day *day, const char *why)
{
    day->check.wrong = true;
    add_words(day, "%s", why);
}

/* The length of a finding without the command that it advises: a board has no shell. */
static int plain_length(const char *text)
{
    const char *command = strstr(text, "boothlink ");
    if (!command || command - text < 3 || (command[-1] != '`' && command[-1] != '\''))
        return (int)strlen(text);
    command--;
    while (command > text && (command[-1] == ' ' || command[-1] == ':' || command[-1] == ';'))
        command--;
    return (int)(command - text);
}

/* Adds a line's result: "Left: everything is right.", or its faults with the steps of the
 * remedy. */
static void read_line(struct day *day, json_t *line)
{
    const char *side = "", *step, *what, *mark, *text;
    int good = 0;
    size_t i;
    json_t *steps = NULL, *findings = NULL, *each;
    json_unpack(line, "{s:s,s:b,s:o,s?o}", "side", &side, "ok", &good, "next", &steps, "findings",
                &findings);
    add_words(day, "%c%s: %s", side[0] & ~0x20, side[0] ? side + 1 : "",
              good ? say_everything_is_right_here : say_not_ready);
    if (good)
        return;
    json_array_foreach(findings, i, each)
    {
        if (!json_unpack(each, "{s:s,s:s,s:s}", "what", &what, "mark", &mark, "text", &text) &&
            strcmp(mark, "fault") == 0)
            add_words(day, "%s: %.*s", what, plain_length(text), text);
    }
    json_array_foreach(steps, i, each)
    {
        if ((step = json_string_value(each)))
            add_words(day, "%zu. %s", i + 1, step);
    }
}

void day_check_read(struct day *day, const char *findings, const char *complaints)
{
    json_t *found = json_loads(findings, 0, NULL), *lines = json_object_get(found, "lines"), *line;
    size_t i;
    memset(&day->check, 0, sizeof day->check);
    day->check.wrong = !json_is_true(json_object_get(found, "ok"));
    json_array_foreach(lines, i, line)
    {
        read_line(day, line);
    }
    if (!json_array_size(lines))
        complain(day, *complaints ? complaints : say_the_check_ended_without_a);
    json_decref(found);
}

void day_check_hear(struct day_check *check, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] == '\n') {
            check->line[check->length] = '\0';
            snprintf(check->day->check.text, DAY_CHECK_TEXT, "%s", check->line);
            check->length = 0;
        } else if (check->length + 1 < sizeof check->line) {
            check->line[check->length++] = bytes[i];
        }
    }
}

static char *take(int fd)
{
    char *text = calloc(1, CHECK_MOST + 1);
    if (text && pread(fd, text, CHECK_MOST, 0) < 0)
        text[0] = '\0';
    close(fd);
    return text;
}

/* Reads the received bytes. False: the end. */
static bool hear(struct day_check *check)
{
    char bytes[512];
    ssize_t n;
    while ((n = read(check->err, bytes, sizeof bytes)) > 0)
        day_check_hear(check, bytes, (size_t)n);
    return n < 0;
}

static void on_words(uv_poll_t *words, int status, int events)
{
    struct day_check *check = words->data;
    (void)events;
    if (status || !hear(check))
        uv_poll_stop(words);
    if (check->changed)
        check->changed(check->ctx);
}

static void on_closed(uv_handle_t *words)
{
    struct day_check *check = words->data;
    check->runs = false; /* now its handles can be used again */
    close(check->err);
}

static void on_ended(uv_process_t *process, int64_t code, int number)
{
    struct day_check *check = process->data;
    char *findings = take(check->out), last[sizeof check->line];
    (void)code;
    (void)number;
    hear(check);
    uv_close((uv_handle_t *)process, NULL);
    uv_close((uv_handle_t *)&check->words, on_closed);
    snprintf(last, sizeof last, "%.*s", (int)sizeof last - 1, check->day->check.text);
    if (check->changed) {
        day_check_read(check->day, findings ? findings : "",
                       strncmp(last, "boothlink ", 10) == 0 ? last : "");
        check->changed(check->ctx);
    }
    free(findings);
}

void day_check_begin(struct day_check *check, uv_loop_t *loop, const char *ticket)
{
    char path[PATH_MAX];
    size_t length = sizeof path;
    const char *const args[] = {"boothlink", "check",  "--ticket",     ticket, "--json",
                                "--quick",   "--wait", DAY_CHECK_WAIT, NULL};
    if (check->runs)
        return;
    check->out = memfd_create("findings", MFD_CLOEXEC);
    int err[2] = {-1, -1}, error = pipe2(err, O_CLOEXEC) ? -errno : 0;
    uv_stdio_container_t stdio[] = {{.flags = UV_IGNORE},
                                    {.flags = UV_INHERIT_FD, .data.fd = check->out},
                                    {.flags = UV_INHERIT_FD, .data.fd = err[1]}};
    const uv_process_options_t options = {
        .exit_cb = on_ended,
        .file = path,
        .args = (char **)args,
        .flags = UV_PROCESS_DETACHED, /* a process group, for day_check_stop() */
        .stdio_count = 3,
        .stdio = stdio};
    memset(&check->day->check, 0, sizeof check->day->check);
    check->child.data = check;
    check->words.data = check;
    check->err = err[0];
    check->length = 0;
    if (!error)
        error = uv_exepath(path, &length);
    if (!error)
        error = uv_spawn(loop, &check->child, &options);
    close(err[1]);
    check->runs = !error;
    check->day->check.runs = check->runs;
    if (!error) {
        uv_poll_init(loop, &check->words, check->err);
        uv_poll_start(&check->words, UV_READABLE, on_words);
        return;
    }
    close(check->out);
    close(err[0]);
    complain(check->day, uv_strerror(error));
}

void day_check_cut(struct day_check *check)
{
    if (check->runs)
        uv_process_kill(&check->child, SIGINT);
}

void day_check_stop(struct day_check *check)
{
    check->changed = NULL;
    if (check->runs)
        uv_kill(-uv_process_get_pid(&check->child), SIGTERM);
}
