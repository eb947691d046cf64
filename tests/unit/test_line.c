/* The simulated cable between two programs: what comes through, what is lost, and what is noise. */
#include "base/loop.h"
#include "validate/scene_line.h"

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

#include <cmocka.h>

#define PATIENCE_US 60000000u

static struct scene_line *cable;

/* Lets the line pass on what there is, or waits for 2 ms. */
static void turn(void)
{
    struct pollfd line = {.fd = scene_line_fd(cable), .events = POLLIN};
    if (poll(&line, 1, 2) > 0)
        scene_line_turn(cable);
}

/* Turns the line until the descriptor has given so many bytes, or for a while if it should give
 * none. Returns how many came. */
static size_t take(int fd, char *out, size_t wanted, uint64_t most_us)
{
    uint64_t end_us = bl_mono_us() + most_us;
    unsigned rounds = 0; /* however little the machine lets us do in the time */
    size_t length = 0;
    while (length < wanted && (bl_mono_us() < end_us || rounds++ < 50)) {
        ssize_t count;
        turn();
        count = read(fd, out + length, wanted - length);
        length += count > 0 ? (size_t)count : 0;
    }
    return length;
}

static void await_open(enum line_end end, bool open)
{
    uint64_t end_us = bl_mono_us() + PATIENCE_US;
    while (scene_line_is_open(cable, end) != open && bl_mono_us() < end_us)
        turn();
    assert_int_equal(scene_line_is_open(cable, end), open);
}

/* A program opens its port, as one should. */
static int port_open(enum line_end end, speed_t speed)
{
    struct termios raw;
    int fd = open(scene_line_device(cable, end), O_RDWR | O_NOCTTY | O_NONBLOCK);
    assert_true(fd >= 0);
    assert_int_equal(tcgetattr(fd, &raw), 0);
    cfmakeraw(&raw);
    cfsetspeed(&raw, speed);
    assert_int_equal(tcsetattr(fd, TCSAFLUSH, &raw), 0);
    await_open(end, true);
    return fd;
}

static int setup(void **state)
{
    (void)state;
    return scene_line_open_serial(&cable, NULL);
}

static int setup_hub(void **state)
{
    (void)state;
    return scene_line_open_hub(&cable, NULL);
}

static int teardown(void **state)
{
    (void)state;
    scene_line_close(cable);
    return 0;
}

static void await_sent(enum line_end end, uint64_t bytes)
{
    uint64_t end_us = bl_mono_us() + PATIENCE_US;
    while (scene_line_sent(cable, end) < bytes && bl_mono_us() < end_us)
        turn();
}

#define assert_comes(fd, text)                                                                     \
    do {                                                                                           \
        char got_[64] = "";                                                                        \
        assert_int_equal(take(fd, got_, strlen(text), PATIENCE_US), strlen(text));                 \
        assert_string_equal(got_, text);                                                           \
    } while (0)

static void put(int fd, const char *text)
{
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
}

static void bytes_come_both_ways(void **state)
{
    int judge = port_open(LINE_JUDGE, B115200), entity = port_open(LINE_ENTITY, B115200);
    (void)state;
    put(judge, "Who are you?");
    assert_comes(entity, "Who are you?");
    put(entity, "A longer answer than fits in a FIFO.");
    assert_comes(judge, "A longer answer than fits in a FIFO.");
    assert_int_equal(scene_line_sent(cable, LINE_JUDGE), 12);
    assert_int_equal(scene_line_sent(cable, LINE_ENTITY), 36);
    close(judge);
    close(entity);
}

/* As a port that nobody has open, and as a cable that is out. */
static void what_nobody_hears_is_lost(void **state)
{
    char byte;
    int judge = port_open(LINE_JUDGE, B115200), entity;
    (void)state;
    put(judge, "lost");
    assert_int_equal(take(judge, &byte, 1, 100000), 0); /* nor does it come back */
    entity = port_open(LINE_ENTITY, B115200);
    put(judge, "a");
    assert_comes(entity, "a");
    scene_line_plug(cable, false);
    put(judge, "lost");
    assert_int_equal(take(entity, &byte, 1, 100000), 0);
    scene_line_plug(cable, true);
    put(judge, "b");
    assert_comes(entity, "b");
    close(entity);
    await_open(LINE_ENTITY, false);
    put(judge, "lost");
    assert_int_equal(take(judge, &byte, 1, 100000), 0);
    entity = port_open(LINE_ENTITY, B115200);
    put(judge, "c");
    assert_comes(entity, "c");
    close(judge);
    close(entity);
}

/* A port begins as the kernel leaves it: by lines and with echo, which a program must change. */
static void a_port_is_not_raw_by_itself(void **state)
{
    struct termios settings;
    int fd = open(scene_line_device(cable, LINE_JUDGE), O_RDWR | O_NOCTTY);
    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(tcgetattr(fd, &settings), 0);
    assert_true(settings.c_lflag & ICANON);
    assert_true(settings.c_lflag & ECHO);
    close(fd);
}

/* QEMU hands on no rate of a pty: it has no TCGETS2. */
static void skip_if_emulated(void)
{
    if (getenv("EMULATED"))
        skip();
}

static void two_rates_make_noise(void **state)
{
    skip_if_emulated();
    char got[32] = "";
    int judge = port_open(LINE_JUDGE, B115200), entity = port_open(LINE_ENTITY, B38400);
    (void)state;
    put(judge, "Who are you, and why?");
    assert_true(take(entity, got, 4, PATIENCE_US) >= 4);
    assert_memory_not_equal(got, "Who ", 4);
    close(judge);
    close(entity);
}

/* Rates above what old ports could do, and that of a port that is hung up. */
static void odd_rates_are_rates(void **state)
{
    skip_if_emulated();
    char got[32] = "";
    int judge = port_open(LINE_JUDGE, B1000000), entity = port_open(LINE_ENTITY, B500000);
    (void)state;
    put(judge, "Who are you, and why?");
    assert_true(take(entity, got, 4, PATIENCE_US) >= 4);
    assert_memory_not_equal(got, "Who ", 4);
    /* What comes later would be another port's. */
    await_sent(LINE_JUDGE, strlen("Who are you, and why?"));
    take(entity, got, sizeof got, 50000);
    close(entity);
    await_open(LINE_ENTITY, false);
    entity = port_open(LINE_ENTITY, B1000000);
    put(judge, "b");
    assert_comes(entity, "b");
    close(entity);
    await_open(LINE_ENTITY, false);
    entity = port_open(LINE_ENTITY, B0);
    put(judge, "lost");
    assert_int_equal(take(entity, got, 1, 100000), 0);
    close(judge);
    close(entity);
}

/* A machine that is switched on again has forgotten what was set. */
static void a_new_port_has_no_past(void **state)
{
    struct termios settings;
    int judge = port_open(LINE_JUDGE, B115200), entity = port_open(LINE_ENTITY, B115200), fd;
    (void)state;
    assert_int_equal(scene_line_renew(cable, LINE_ENTITY, NULL), BL_OK);
    close(entity);
    assert_false(scene_line_is_open(cable, LINE_ENTITY));
    fd = open(scene_line_device(cable, LINE_ENTITY), O_RDWR | O_NOCTTY);
    assert_true(fd >= 0);
    assert_int_equal(tcgetattr(fd, &settings), 0);
    assert_true(settings.c_lflag & ICANON);
    close(fd);
    entity = port_open(LINE_ENTITY, B115200);
    put(judge, "d");
    assert_comes(entity, "d");
    close(judge);
    close(entity);
}

static void noise_comes_to_both(void **state)
{
    char one[64], other[64];
    int judge = port_open(LINE_JUDGE, B115200), entity = port_open(LINE_ENTITY, B115200);
    (void)state;
    scene_line_noise(cable, 7, sizeof one);
    assert_int_equal(take(judge, one, sizeof one, PATIENCE_US), sizeof one);
    assert_int_equal(take(entity, other, sizeof other, PATIENCE_US), sizeof other);
    assert_memory_not_equal(one, other, sizeof one);
    put(judge, "b");
    assert_comes(entity, "b");
    close(judge);
    close(entity);
}

/* A hub passes frames on; sockets that keep messages apart stand for its ports. */
static void a_hub_passes_frames_on(void **state)
{
    int judge[2], entity[2];
    uint8_t frame[60] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 2, 0, 0, 0, 0, 1, 0x88, 0xB5, 'k'};
    char got[2048];
    (void)state;
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, judge), 0);
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, entity), 0);
    scene_line_join(cable, LINE_JUDGE, judge[0]);
    scene_line_join(cable, LINE_ENTITY, entity[0]);
    assert_int_equal(write(judge[1], frame, sizeof frame), sizeof frame);
    assert_int_equal(take(entity[1], got, 1, PATIENCE_US), 1);
    assert_int_equal(scene_line_sent(cable, LINE_JUDGE), sizeof frame - 14);
    scene_line_plug(cable, false);
    assert_int_equal(write(judge[1], frame, sizeof frame), sizeof frame);
    assert_int_equal(take(entity[1], got, 1, 100000), 0);
    scene_line_plug(cable, true);
    scene_line_join(cable, LINE_ENTITY, -1); /* a program is started again */
    assert_int_equal(write(judge[1], frame, sizeof frame), sizeof frame);
    assert_int_equal(take(entity[1], got, 1, 100000), 0);
    scene_line_join(cable, LINE_ENTITY, entity[0]);
    assert_int_equal(write(judge[1], frame, sizeof frame), sizeof frame);
    assert_int_equal(take(entity[1], got, 1, PATIENCE_US), 1);
    scene_line_noise(cable, 3, 2);
    assert_int_equal(take(judge[1], got, 1, PATIENCE_US), 1);
    scene_line_join(cable, LINE_JUDGE, -1);
    scene_line_join(cable, LINE_ENTITY, -1);
    for (unsigned i = 0; i < 2; i++) {
        close(judge[i]);
        close(entity[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(bytes_come_both_ways, setup, teardown),
        cmocka_unit_test_setup_teardown(what_nobody_hears_is_lost, setup, teardown),
        cmocka_unit_test_setup_teardown(a_port_is_not_raw_by_itself, setup, teardown),
        cmocka_unit_test_setup_teardown(two_rates_make_noise, setup, teardown),
        cmocka_unit_test_setup_teardown(odd_rates_are_rates, setup, teardown),
        cmocka_unit_test_setup_teardown(a_new_port_has_no_past, setup, teardown),
        cmocka_unit_test_setup_teardown(noise_comes_to_both, setup, teardown),
        cmocka_unit_test_setup_teardown(a_hub_passes_frames_on, setup_hub, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
