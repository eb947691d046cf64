/* A ballot's and a board's own keys come to them before the screen. */
#include "tests/world/world.h"

#include "booth/screens.h"

#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <setjmp.h>
#include <cmocka.h>

static char seen[32]; /* upper case: by the first; lower case: by the screen */
static struct screen *screen;

static void note(char what)
{
    seen[strlen(seen)] = what;
}

static bool on_first(void *ctx, enum input_what what, uint32_t point)
{
    (void)ctx;
    if (what == INPUT_POINT && point == 'k')
        note('K');
    else if (what == INPUT_F3)
        note('B');
    else if (what == INPUT_F9)
        note('N');
    else
        return false;
    return true;
}

static void on_key(void *ctx, uint32_t point)
{
    (void)ctx;
    note((char)point);
}

static void on_command(void *ctx, enum screen_command command)
{
    (void)ctx;
    note(command == SCREEN_STEWARD ? 's' : command == SCREEN_LEAVE ? 'l' : 'n');
    if (command == SCREEN_LEAVE)
        screen_close(screen);
}

static void on_ignored(void *ctx)
{
    (void)ctx;
    note('i');
}

static void on_timer(uv_timer_t *timer)
{
    (void)timer;
}

static int viewer(void *first)
{
    static const struct screen_callbacks callbacks = {
        .key = on_key, .command = on_command, .ignored = on_ignored};
    const struct screen_options options = {.first = first ? on_first : NULL};
    const struct screens_options which = {0};
    struct bl_diag diag = {""};
    uv_loop_t loop;
    uv_timer_t timer;
    uv_loop_init(&loop);
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_timer, 5000, 0);
    assert_int_equal(screens_open(&screen, &loop, &which, &options, &callbacks, NULL, &diag),
                     BL_OK);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_close((uv_handle_t *)&timer, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    return uv_loop_close(&loop);
}

static void play(void *first, const char *expected)
{
    world_begin(5);
    memset(seen, 0, sizeof seen);
    struct process *p = machine_run(machine_create("m"), viewer, first);
    world_run(SECOND);
    person_press(p, 'k');
    person_press(p, 'x');
    person_input(p, INPUT_F3);
    person_input(p, INPUT_UP);
    person_command(p, SCREEN_BEGIN);
    person_command(p, SCREEN_STEWARD);
    person_command(p, SCREEN_LEAVE);
    world_run(20 * SECOND);
    assert_int_equal(process_status(p), 0);
    assert_string_equal(seen, expected);
    world_end();
}

static void test_first(void **state)
{
    (void)state;
    play(NULL, "kxiinsl");
    play(seen, "KxBiNsl");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_first)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
