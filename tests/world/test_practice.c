/* A judge practises between sessions: a program of ours answers, and nothing of it is kept. */
#include "tests/world/world.h"

#include "base/file.h"
#include "command/command.h"
#include "screen/board.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <dirent.h>
#include <sys/stat.h>
#include <string.h>

static struct machine *machine;

static void start(void)
{
    char *words[] = {(char *)"boothlink", (char *)"booth",
                     (char *)"--place",   (char *)"m/place.ini",
                     (char *)"--tickets", (char *)"m/stick",
                     (char *)"--journal", (char *)"m/records",
                     (char *)"--kiosk",   NULL};
    machine_program(machine, words);
}

/* The text of both parties on the page, line by line. */
static void read_page(char text[2000])
{
    const struct screen_model *m = machine_sees(machine);
    const struct page *page = m && !m->board ? m->side[0].page : NULL;
    size_t length = 0;
    for (unsigned pane = 0; page && pane < PANES && page_has(page, pane); pane++)
        for (unsigned row = 0; row < page_rows(page, pane) && length < 1800; row++) {
            struct page_row out;
            page_row(page, pane, row, &out);
            for (unsigned i = 0; i < out.cells && length < 1800; i++)
                text[length++] = (char)out.cell[i].point;
            text[length++] = '\n';
        }
    text[length] = '\0';
}

/* At the board, that it can be begun; at a practice, its words, the line's state, the page. */
static bool sees(const char *what)
{
    char text[2000];
    const struct screen_model *m = machine_sees(machine);
    bool found = m && m->standing && strstr(m->standing, what);
    for (unsigned i = 0; m && m->board && i < m->board->hints; i++)
        found = found || strcmp(m->board->hint[i].does, what) == 0;
    for (unsigned i = 0; m && m->board && i < BOARD_TEXTS; i++)
        found = found || (m->board->text[i] && strstr(m->board->text[i], what));
    if (m && !m->board)
        found = found || strcmp(m->side[0].state, what) == 0;
    read_page(text);
    return found || strstr(text, what);
}

static bool will_see(const char *what)
{
    for (unsigned i = 0; i < 3000 && !sees(what); i++)
        world_run(world_now() + 20000);
    return sees(what);
}

static void practise(void)
{
    assert_true(will_see("practise"));
    world_run(world_now() + 2 * SECOND); /* a key counts once nobody has typed for a second */
    person_input(machine_screen(machine), INPUT_F2);
    assert_true(will_see("Practice: a program of ours answers, and nothing is kept."));
    assert_true(will_see("open"));
}

static void type(const char *text)
{
    for (; *text; text++) {
        person_press(machine_screen(machine), *text == '\n' ? KEY_RETURN : (uint8_t)*text);
        world_run(world_now() + 100000);
    }
}

/* Entries of that folder whose names have the text. */
static unsigned kept(const char *folder, const char *text)
{
    unsigned count = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *found; dir && (found = readdir(dir));)
        count += strstr(found->d_name, text) != NULL;
    if (dir)
        closedir(dir);
    return count;
}

static void test_practice(void **state)
{
    static const char place[] = "[place]\nformat = 1\nbooth = 1\nmachine = judge\n";
    (void)state;
    world_begin(5);
    world_program(boothlink_main);
    machine = machine_create("m");
    assert_int_equal(file_write("m/place.ini", place, strlen(place), NULL), BL_OK);
    start();
    practise();
    type("I am here.\n");
    assert_true(will_see("How long have you been here?"));
    machine_cut_power(machine);
    world_run(world_now() + SECOND);
    start();
    practise();
    assert_false(sees("How long"));
    assert_true(kept("m/records", "practice") > 0);
    type("I am here.\n");
    assert_true(will_see("How long have you been here?"));
    person_command(machine_screen(machine), SCREEN_LEAVE);
    assert_true(will_see("practise"));
    assert_int_equal(kept("m/records", "practice"), 0);
    assert_int_equal(kept("m/records", ".journal"), 0);
    assert_false(sees("on no stick yet"));
    world_end();
}

/* A judge whose sessions have two entities practises with two, one after the other; F12 has nobody
 * to call. */
static void test_pair(void **state)
{
    static const char place[] = "[place]\nformat = 1\nbooth = 1\nmachine = judge\n";
    static const char ticket[] = "[ticket]\nformat = 1\nrole = judge\nsession = r1-j1\n"
                                 "[line.left]\nport = serial:a\ncable = a\n"
                                 "[line.right]\nport = serial:b\ncable = b\n";
    (void)state;
    world_begin(6);
    world_program(boothlink_main);
    machine = machine_create("m");
    assert_int_equal(file_write("m/place.ini", place, strlen(place), NULL), BL_OK);
    assert_int_equal(mkdir("m/records", 0700), 0);
    assert_int_equal(mkdir("m/records/booth-1-judge", 0700), 0);
    assert_int_equal(file_write("m/records/booth-1-judge/001.ticket", ticket, strlen(ticket), NULL),
                     BL_OK);
    start();
    practise();
    type("I am here.\n");
    assert_true(will_see("How long have you been here?"));
    assert_int_equal(machine_sees(machine)->sides, SIDES);
    assert_string_equal(machine_sees(machine)->segment, "LEFT \xC2\xB7 part 1 of 2");
    person_command(machine_screen(machine), SCREEN_STEWARD);
    world_run(world_now() + SECOND);
    assert_string_equal(machine_sees(machine)->message, "This is practice: F12 calls nobody.");
    assert_false(machine_sees(machine)->side[0].steward_here);
    world_run(world_now() + 160 * SECOND);
    assert_string_equal(machine_sees(machine)->segment, "RIGHT \xC2\xB7 part 2 of 2");
    person_command(machine_screen(machine), SCREEN_LEAVE);
    assert_true(will_see("practise"));
    world_end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_practice),
                                       cmocka_unit_test(test_pair)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
