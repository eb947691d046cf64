/* Several processes of one machine, as a day and its session: each has its own files and loop, a
 * spawned one's end comes to its parent, and a power cut ends them all. */
#include "tests/world/world.h"

#include "journal/journal.h"

#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <setjmp.h>
#include <uv.h>

#include <cmocka.h>

struct day {
    uv_loop_t loop;
    uv_process_t child;
    const char *kind; /* of the child: it ends, waits, or watches for SIGTERM */
    int fd;
    int64_t code;
    int signal, ends;
    struct process *process;
};

static void open_file(const char *name, int *fd)
{
    uint64_t length;
    char holder[DISK_HOLDER_MAX];
    assert_int_equal(disk_real.open(NULL, name, DISK_CREATE, fd, &length), BL_OK);
    assert_int_equal(disk_real.lock(NULL, *fd, holder), BL_OK);
}

static void on_tick(uv_timer_t *timer)
{
    (void)timer;
}

static void on_term(uv_signal_t *watch, int number)
{
    assert_int_equal(number, SIGTERM);
    uv_stop(watch->loop);
}

/* A session's terminal. */
static int program(int argc, char **argv)
{
    uv_loop_t loop;
    uv_timer_t timer;
    uv_signal_t watch;
    int fd;
    assert_int_equal(argc, 2);
    assert_string_equal(argv[0], "session");
    open_file("m/session", &fd);
    if (strcmp(argv[1], "ends") == 0)
        return 3; /* and leaves its file open */
    uv_loop_init(&loop);
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_tick, 3600000, 0);
    uv_signal_init(&loop, &watch);
    if (strcmp(argv[1], "watches") == 0)
        uv_signal_start(&watch, on_term, SIGTERM);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_close((uv_handle_t *)&timer, NULL);
    uv_close((uv_handle_t *)&watch, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_loop_close(&loop);
    return 0;
}

static void on_ended(uv_process_t *child, int64_t code, int number)
{
    struct day *day = child->data;
    day->code = code;
    day->signal = number;
    day->ends++;
    uv_close((uv_handle_t *)child, NULL);
}

static int day_main(void *arg)
{
    struct day *day = arg;
    char *words[] = {(char *)"session", (char *)day->kind, NULL};
    const uv_process_options_t options = {.file = "boothlink", .args = words, .exit_cb = on_ended};
    open_file("m/day", &day->fd);
    uv_loop_init(&day->loop);
    day->child.data = day;
    assert_int_equal(uv_spawn(&day->loop, &day->child, &options), 0);
    uv_run(&day->loop, UV_RUN_DEFAULT);
    uv_loop_close(&day->loop);
    assert_int_equal(disk_real.append(NULL, day->fd, "over", 4), BL_OK);
    disk_real.close(NULL, day->fd);
    return 0;
}

static struct machine *begin(struct day *day, const char *kind)
{
    world_begin(11);
    world_program(program);
    struct machine *m = machine_create("m");
    *day = (struct day){.kind = kind};
    day->process = machine_run(m, day_main, day);
    world_run(10 * SECOND);
    return m;
}

static void test_child_ends(void **state)
{
    struct day day;
    (void)state;
    for (unsigned i = 0; i < 2; i++) { /* what the first had locked is free again */
        struct machine *m = begin(&day, "ends");
        assert_false(process_lives(day.process));
        assert_int_equal(process_status(day.process), 0);
        assert_int_equal(day.code, 3);
        assert_int_equal(day.signal, 0);
        day.process = machine_run(m, day_main, &day);
        world_run(20 * SECOND);
        assert_int_equal(process_status(day.process), 0);
        assert_int_equal(day.ends, 2);
        world_end();
    }
}

/* The parent, which waits, sends SIGTERM; what the child makes of it is the child's. */
static void send_term(void *ctx)
{
    uv_process_kill(&((struct day *)ctx)->child, SIGTERM);
}

static void test_child_is_told(void **state)
{
    struct day day;
    (void)state;
    for (unsigned watches = 0; watches < 2; watches++) {
        begin(&day, watches ? "watches" : "waits");
        assert_true(process_lives(day.process));
        send_term(&day);
        world_run(20 * SECOND);
        assert_int_equal(day.ends, 1);
        assert_int_equal(day.code, 0);
        assert_int_equal(day.signal, watches ? 0 : SIGTERM);
        assert_int_equal(process_status(day.process), 0); /* its file was its own all the time */
        world_end();
    }
}

static void test_power_cut(void **state)
{
    struct day day;
    (void)state;
    struct machine *m = begin(&day, "waits");
    machine_cut_power(m);
    world_run(20 * SECOND);
    assert_false(process_lives(day.process));
    assert_int_equal(day.ends, 0);
    day.kind = "ends"; /* the child's file is free: it has ended too */
    day.process = machine_run(m, day_main, &day);
    world_run(30 * SECOND);
    assert_int_equal(process_status(day.process), 0);
    assert_int_equal(day.code, 3);
    world_end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_child_ends),
                                       cmocka_unit_test(test_child_is_told),
                                       cmocka_unit_test(test_power_cut)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
