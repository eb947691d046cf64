#include "tests/support/entrant.h"

#include "base/utf8.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

char entrant_directory[512];
uv_loop_t entrant_loop;

enum handed entrant_on_key(void *ctx, uint32_t point, uint64_t pressed_us)
{
    (void)pressed_us;
    struct entrant *entrant = ctx;
    uint8_t utf8[UTF8_MAX];
    size_t n = utf8_encode(point == KEY_RETURN ? '\n' : point, utf8);
    assert_true(entrant->keys < entrant->allowed);
    entrant->asked++;
    if (entrant->refuse)
        return HANDED_BACK;
    entrant->keys++;
    if (entrant->length + n < sizeof entrant->out) {
        memcpy(entrant->out + entrant->length, utf8, n);
        entrant->length += n;
        entrant->out[entrant->length] = '\0';
    }
    if (entrant->refill && entrant->keys == entrant->allowed) {
        entrant->keys = 0;
        program_allow(entrant->program, entrant->allowed);
    }
    return HANDED_ON;
}

void entrant_on_event(void *ctx, enum program_event event, uint32_t count, const char *text)
{
    struct entrant *entrant = ctx;
    assert_true(strlen(text) <= NOTE_MAX && !strchr(text, '\n'));
    entrant->events[event]++;
    entrant->counts[event] += count;
    snprintf(entrant->texts[event], sizeof entrant->texts[event], "%s", text);
}

enum bl_status entrant_open(struct entrant *entrant, struct bl_diag *diag)
{
    static const struct program_callbacks callbacks = {entrant_on_key, entrant_on_event};
    enum bl_status status = program_open(&entrant->program, &entrant_loop, &entrant->options,
                                         &callbacks, entrant, diag);
    memset(entrant->events, 0, sizeof entrant->events);
    return status;
}

struct entrant *entrant_make(const char *command, enum program_io io)
{
    static unsigned sessions;
    struct entrant *entrant = calloc(1, sizeof *entrant);
    assert_non_null(entrant);
    snprintf(entrant->session, sizeof entrant->session, "s%u", ++sessions);
    entrant->options = (struct program_options){.command = command,
                                                .io = io,
                                                .columns = 38,
                                                .rows = 20,
                                                .place = {.open = true},
                                                .keeper_dir = entrant_directory,
                                                .session = entrant->session,
                                                .keep_ms = 20000};
    return entrant;
}

static void on_tick(uv_timer_t *timer)
{
    (*(unsigned *)timer->data)++;
}

/* Ticks, because some conditions are in shared memory only. */
bool until(bool (*condition)(const void *ctx, uint64_t value), const void *ctx, uint64_t value)
{
    uv_timer_t timer;
    unsigned ticks = 0;
    uv_timer_init(&entrant_loop, &timer);
    timer.data = &ticks;
    uv_timer_start(&timer, on_tick, 10, 10);
    while (!condition(ctx, value) && ticks < PATIENCE_MS / 10)
        uv_run(&entrant_loop, UV_RUN_ONCE);
    uv_close((uv_handle_t *)&timer, NULL);
    uv_run(&entrant_loop, UV_RUN_NOWAIT);
    return condition(ctx, value);
}

bool has_event(const void *ctx, uint64_t event)
{
    return ((const struct entrant *)ctx)->events[event] > 0;
}

bool has_keys(const void *ctx, uint64_t length)
{
    return ((const struct entrant *)ctx)->length >= length;
}

bool has_delivered(const void *ctx, uint64_t n)
{
    return program_delivered(((const struct entrant *)ctx)->program) >= n;
}

bool ends_with(const void *ctx, uint64_t text)
{
    const struct entrant *entrant = ctx;
    const char *end = (const char *)(uintptr_t)text;
    size_t length = strlen(end);
    return entrant->length >= length && strcmp(entrant->out + entrant->length - length, end) == 0;
}

void entrant_allow(struct entrant *entrant, unsigned keys, bool refill)
{
    entrant->keys = 0;
    entrant->allowed = keys;
    entrant->refill = refill;
    program_allow(entrant->program, keys);
}

struct entrant *entrant_start(struct entrant *entrant)
{
    struct bl_diag diag = {{0}};
    if (entrant_open(entrant, &diag))
        fail_msg("%s", diag.text);
    assert_event(entrant, PROGRAM_STARTED);
    assert_int_equal(sscanf(entrant->texts[PROGRAM_STARTED], "started, process %d", &entrant->pid),
                     1);
    entrant_allow(entrant, 1000, true);
    return entrant;
}

void entrant_give(struct entrant *entrant, const char *keys)
{
    size_t length = strlen(keys);
    while (length) {
        uint32_t point;
        size_t n = utf8_decode((const uint8_t *)keys, length, &point);
        assert_int_equal(
            program_give(entrant->program, ++entrant->given, point == '\n' ? KEY_RETURN : point),
            BL_OK);
        keys += n;
        length -= n;
    }
}

/* A process that init has not reaped yet is gone all the same. */
bool is_gone(pid_t pid)
{
    char path[64], text[256] = "";
    int fd;
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return true;
    if (read(fd, text, sizeof text - 1) < 0)
        text[0] = '\0';
    close(fd);
    return !text[0] || strstr(text, ") Z ");
}

void assert_gone(pid_t pid)
{
    assert_true(pid > 0);
    for (int ms = 0; !is_gone(pid) && ms < PATIENCE_MS; ms += 10)
        usleep(10000);
    assert_true(is_gone(pid));
}

void entrant_close(struct entrant *entrant)
{
    program_close(entrant->program);
    for (int i = 0; i < 3; i++)
        uv_run(&entrant_loop, UV_RUN_NOWAIT);
}

void entrant_end(struct entrant *entrant)
{
    entrant_close(entrant);
    assert_gone(entrant->pid);
    free(entrant);
}

int entrant_setup(void **state)
{
    const char *tmp = getenv("TMPDIR");
    (void)state;
    snprintf(entrant_directory, sizeof entrant_directory, "%.400s/entry.XXXXXX",
             tmp ? tmp : "/tmp");
    return !mkdtemp(entrant_directory) || uv_loop_init(&entrant_loop);
}

int entrant_teardown(void **state)
{
    char command[600];
    (void)state;
    snprintf(command, sizeof command, "rm -r '%s'", entrant_directory);
    return uv_loop_close(&entrant_loop) || system(command);
}
