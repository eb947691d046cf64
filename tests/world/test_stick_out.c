/* A stick that is taken out at any moment of a booth's work with it, also while the watches of its
 * place are made anew: the board sees that it is gone, and that it is there again. And the same
 * where nothing can be watched. */
#include "tests/world/world.h"

#include "base/crc32c.h"
#include "base/file.h"
#include "command/command.h"
#include "rules/stick.h"
#include "screen/board.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH  "booth-1-judge/001.ticket"
#define TAKEN "m/records/" PATH
#define TICKET                                                                                     \
    "[ticket]\nformat = 1\nrole = judge\nsession = r1-j1\nround = 1\n[line.left]\n"                \
    "port = serial:/dev/none\n[rules]\nplan = 5 left\n"
#define CALLS 60 /* that a booth makes of a stick's coming, at most */

static struct machine *machine;
static struct stick *stick;

static void write_text(const char *path, const char *text)
{
    assert_int_equal(file_write(path, text, strlen(text), NULL), BL_OK);
}

/* A judge's machine without a stick, and a stick with a ticket for it. */
static void begin(uint64_t seed)
{
    char *words[] = {(char *)"boothlink", (char *)"booth",
                     (char *)"--place",   (char *)"m/place.ini",
                     (char *)"--tickets", (char *)"m/stick",
                     (char *)"--journal", (char *)"m/records",
                     (char *)"--kiosk",   NULL};
    char line[2][STICK_LINE_MAX], list[2 * STICK_LINE_MAX];
    world_begin(seed);
    world_program(boothlink_main);
    machine = machine_create("m");
    write_text("m/place.ini", "[place]\nformat = 1\nbooth = 1\nmachine = judge\n");
    mkdir("out", 0700);
    mkdir("out/boothlink", 0700);
    mkdir("out/boothlink/booth-1-judge", 0700);
    write_text("out/boothlink/" PATH, TICKET);
    const struct stick head = {.complete = true, .room = STICK_JUDGES, .acts = 1, .contest = "C"};
    const struct stick_file file = {.crc = crc32c(0, (const uint8_t *)TICKET, strlen(TICKET)),
                                    .bytes = strlen(TICKET),
                                    .path = PATH};
    stick_head_write(&head, line[0]);
    stick_file_write(&file, line[1]);
    snprintf(list, sizeof list, "%s%s", line[0], line[1]);
    write_text("out/boothlink/" STICK_LIST, list);
    stick = stick_create("out");
    machine_program(machine, words);
}

static bool says(const char *text)
{
    const struct screen_model *m = machine_sees(machine);
    const struct board *b = m ? m->board : NULL;
    bool found = b && b->strong && strstr(b->strong, text);
    for (unsigned i = 0; b && i < BOARD_TEXTS && !found; i++)
        found = b->text[i] && strstr(b->text[i], text);
    return found;
}

static bool will_say(const char *text, bool it_does)
{
    for (unsigned i = 0; i < 500 && says(text) != it_does; i++)
        world_run(world_now() + 20000);
    return says(text) == it_does;
}

static void see_none(void)
{
    assert_true(will_say("Leave the stick in", false));
    assert_true(will_say("may be taken out", false));
}

/* It stays seen. */
static void see_taken(void)
{
    assert_true(will_say("The stick may be taken out", true));
    assert_int_equal(access(TAKEN, R_OK), 0);
    world_run(world_now() + 5 * SECOND);
    assert_true(says("The stick may be taken out"));
}

static bool out;

static void pull(void *ctx)
{
    (void)ctx;
    stick_pull(stick);
    out = true;
}

/* Pulled at each call in turn; true: there was one of that number. */
static bool pull_at(uint64_t seed, unsigned call)
{
    begin(seed);
    world_watches_are_calls();
    world_run(world_now() + 2 * SECOND);
    out = false;
    process_fuse_call(machine_screen(machine), call, pull, NULL);
    stick_put(stick, machine);
    world_run(world_now() + 3 * SECOND);
    bool was = out;
    if (was) {
        see_none();
        stick_put(stick, machine);
    }
    see_taken();
    stick_pull(stick);
    see_none();
    world_end();
    return was;
}

static void test_pulled(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 2; seed++) { /* a folder that comes, and a mount */
        unsigned call = 1;
        while (call <= CALLS && pull_at(seed, call))
            call++;
        assert_in_range(call, 10, CALLS);
    }
}

static void test_blind(void **state)
{
    (void)state;
    begin(1);
    machine_blind(machine);
    world_run(world_now() + 2 * SECOND);
    for (unsigned i = 0; i < 3; i++) {
        stick_put(stick, machine);
        see_taken();
        stick_pull(stick);
        see_none();
    }
    world_end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pulled), cmocka_unit_test(test_blind)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
