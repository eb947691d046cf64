/* A machine's day: what comes next, what a key and the end of a session bring, what the board says;
 * and its place, as it is written and as people type it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "booth/day_check.h"
#include "terminal/board_draw.h"
#include "tests/support/random.h"

static struct day day;

static void add(const char *file, enum day_state state)
{
    struct day_ticket *ticket = &day.ticket[day.count++];
    assert_true(day_ticket_name(ticket, file));
    ticket->state = state;
}

static void start(void)
{
    memset(&day, 0, sizeof day);
    day.place = (struct place){1, 3, MACHINE_JUDGE};
}

static uint64_t now_us;

static enum day_act press(enum input_what what, uint32_t point, bool may_leave)
{
    now_us += 1000000;
    return day_key(&day, what, point, may_leave, now_us);
}

static enum day_act type(const char *text)
{
    enum day_act act = DAY_NOTHING;
    for (; *text; text++)
        act = press(INPUT_POINT, *text == '\n' ? KEY_RETURN : (uint32_t)*text, false);
    return act;
}

static enum day_act ended(enum day_state state, int code, const char *why)
{
    const struct day_outcome end = {state, code, 1000000, why};
    return day_ended(&day, &end);
}

/* Is this to be read on the board? */
static bool says(const char *text)
{
    struct board board;
    day_board(&day, false, &board);
    bool found = strstr(board.strong, text) != NULL || strstr(board.title, text) != NULL;
    for (unsigned i = 0; i < BOARD_TEXTS; i++)
        found = found || (board.text[i] && strstr(board.text[i], text));
    return found;
}

static void test_names(void **state)
{
    static const char *const none[] = {
        "line.key",     "002.ini",     "002.ticket.part", "000.ticket",     "2-0.ticket",
        ".ticket",      "-2.ticket",   "002-.ticket",     "002-2-2.ticket", "0002.ticket",
        "judge.ticket", "002.ticket ", "002--2.ticket",   "+02.ticket",     " 02.ticket"};
    struct day_ticket ticket = {.round = 0};
    (void)state;
    assert_true(day_ticket_name(&ticket, "002.ticket"));
    assert_int_equal(ticket.round, 2);
    assert_int_equal(ticket.repeat, 1);
    assert_true(day_ticket_name(&ticket, "012-3.ticket"));
    assert_int_equal(ticket.round, 12);
    assert_int_equal(ticket.repeat, 3);
    assert_true(day_ticket_name(&ticket, "1000-2.ticket"));
    assert_int_equal(ticket.round, SCHEDULE_ROUNDS_MAX);
    assert_false(day_ticket_name(&ticket, "1001.ticket"));
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        if (day_ticket_name(&ticket, none[i]))
            fail_msg("%s was taken for a ticket", none[i]);
}

static void test_order(void **state)
{
    static const char *const right[] = {"001.ticket", "002.ticket", "002-2.ticket", "002-10.ticket",
                                        "010.ticket"};
    (void)state;
    start();
    add("010.ticket", DAY_NEW);
    add("002-10.ticket", DAY_NEW);
    add("002.ticket", DAY_NEW);
    add("001.ticket", DAY_NEW);
    add("002-2.ticket", DAY_NEW);
    day_sort(&day);
    for (unsigned i = 0; i < 5; i++)
        assert_string_equal(day.ticket[i].file, right[i]);
}

/* More tickets than rows: none is dropped without a word. */
static void test_crowded(void **state)
{
    (void)state;
    start();
    for (unsigned i = 0; i < DAY_TICKETS; i++) {
        struct day_ticket *ticket = day_ticket_room(&day);
        assert_non_null(ticket);
        *ticket = (struct day_ticket){.file = "001.ticket", .round = 1, .repeat = i + 1};
        day.count++;
    }
    day_next(&day);
    assert_false(says("take the stick back"));
    assert_null(day_ticket_room(&day));
    assert_true(says("take the stick back to the manager"));
}

static void test_a_day(void **state)
{
    (void)state;
    start();
    assert_int_equal(day_next(&day), DAY_LOOK);
    assert_true(says("no tickets"));
    assert_true(says("judges' room"));
    assert_true(says("booth 3, judge"));
    add("001.ticket", DAY_NEW);
    add("003.ticket", DAY_NEW);
    assert_int_equal(day_next(&day), DAY_LOOK);
    assert_true(says("Round 1 comes next."));
    assert_int_equal(type("x"), DAY_NOTHING);
    assert_int_equal(type("\n"), DAY_RUN);
    assert_int_equal(day.stage, DAY_RUNS);
    assert_int_equal(type("\n"), DAY_NOTHING);
    assert_int_equal(ended(DAY_OVER, 0, ""), DAY_LOOK);
    assert_true(says("Round 3 comes next."));
    assert_int_equal(type("\n"), DAY_RUN);
    day.unsaved = 2;
    assert_int_equal(ended(DAY_OVER, 0, ""), DAY_LOOK);
    assert_true(says("All sessions of this place are over."));
    assert_true(says("on no stick yet"));
    /* Of a desk is spoken where a courier says that something is not there. */
    assert_false(says("desk"));
    day.waiting = 3;
    assert_true(says("not at the manager's desk yet: 3."));
    assert_true(says("on no stick yet"));
}

/* After the last round: what the stick is still to do, or has done, and never both. */
static void test_last_stick(void **state)
{
    (void)state;
    start();
    add("001.ticket", DAY_NEW);
    day_next(&day);
    type("\n");
    day.records = day.unsaved = 1;
    ended(DAY_OVER, 0, "");
    assert_true(says("Put in the stick of the judges' room: it takes the records."));
    assert_true(says("They are on no stick yet."));
    day.stick = DAY_STICK_BUSY;
    assert_true(says("Leave the stick in: it is being read and written."));
    assert_false(says("Put in the stick"));
    day.stick = DAY_STICK_DONE;
    day.unsaved = 0;
    assert_true(says("The records are on the stick of the judges' room."));
    assert_true(says("The stick may be taken out."));
    day.stick = DAY_STICK_OUT;
    assert_true(says("The records are on the stick of the judges' room."));
    assert_false(says("Put in the stick"));
    day.ticket[0].passed = true; /* it was begun here, before it was passed over */
    assert_true(says("The records are on the stick of the judges' room."));
    day.records = 0; /* nothing was held here */
    assert_false(says("records"));
    day.apart = 1;
    assert_true(says("There are records of another contest here that are on no stick yet."));
    day.apart = 0;
    day.place.machine = MACHINE_CABLE_A;
    day.records = 1;
    assert_true(says("The records are on the stick of the back room."));
}

/* A machine that was switched off in mid-session goes on without a key. */
static void test_goes_on(void **state)
{
    (void)state;
    start();
    add("001.ticket", DAY_OVER);
    add("002.ticket", DAY_BEGUN);
    assert_int_equal(day_next(&day), DAY_RUN);
    assert_int_equal(day.at, 1);
}

static void test_left(void **state)
{
    (void)state;
    start();
    add("001.ticket", DAY_NEW);
    add("002.ticket", DAY_NEW);
    day_next(&day);
    type("\n");
    assert_int_equal(ended(DAY_BEGUN, 0, ""), DAY_LOOK);
    assert_true(says("Round 1 was left before it was over."));
    struct board board;
    day_board(&day, false, &board);
    assert_int_equal(board.hints, 2); /* as the text has them */
    assert_string_equal(board.hint[0].does, "go on");
    assert_string_equal(board.hint[1].key, "F8");
    assert_int_equal(type("\n"), DAY_RUN);
    ended(DAY_BEGUN, 0, "");
    assert_int_equal(type("x"), DAY_NOTHING);
    assert_int_equal(press(INPUT_F8, 0, false), DAY_LOOK);
    assert_true(says("Round 1: is it over for this machine?"));
    assert_int_equal(type("\n"), DAY_LOOK); /* not without the word */
    assert_true(says("Round 1 was left before it was over."));
    assert_int_equal(press(INPUT_F8, 0, false), DAY_LOOK);
    assert_int_equal(type("overt\n"), DAY_LOOK);
    assert_int_equal(press(INPUT_F8, 0, false), DAY_LOOK);
    assert_int_equal(press(INPUT_F8, 0, false), DAY_LOOK);
    assert_int_equal(day.ticket[0].state, DAY_BEGUN);
    assert_int_equal(press(INPUT_F8, 0, false), DAY_LOOK);
    assert_int_equal(type("oven\br\n"), DAY_PASS_OVER);
    assert_int_equal(day_next(&day), DAY_LOOK);
    assert_true(says("Round 2 comes next."));
}

/* What cannot run is tried again, ever more seldom, and the reason is on the screen. */
static void test_fails(void **state)
{
    unsigned last_ms = 0;
    (void)state;
    start();
    add("001.ticket", DAY_NEW);
    day_next(&day);
    type("\n");
    for (unsigned i = 0; i < 8; i++) {
        assert_int_equal(ended(DAY_NEW, 66, "no such port"), DAY_LOOK);
        assert_true(says("no such port"));
        assert_in_range(day_retry_ms(&day), last_ms ? last_ms : 1, 10000);
        last_ms = day_retry_ms(&day);
        assert_int_equal(type("\n"), DAY_RUN);
    }
    ended(DAY_OVER, 0, "");
    assert_int_equal(day.failures, 0);
}

/* A machine that takes another's place passes over what that one has held: when that is known, by a
 * word, and until it is taken up again. */
static void test_spare(void **state)
{
    (void)state;
    start();
    add("001.ticket", DAY_NEW);
    add("002.ticket", DAY_NEW);
    day_next(&day);
    assert_false(says("F8"));
    assert_int_equal(press(INPUT_F8, 0, false), DAY_NOTHING);
    assert_int_equal(type("over\n"), DAY_RUN); /* Enter begins, as always */
    assert_int_equal(ended(DAY_NEW, 0, ""), DAY_LOOK);
    day_next(&day);
    day.ticket[0].elsewhere = true;
    assert_true(says("F8: it is over for this machine"));
    assert_int_equal(press(INPUT_F8, 0, false), DAY_LOOK);
    assert_int_equal(type("over\n"), DAY_PASS_OVER);
    assert_int_equal(day.asked, 0);
    day.ticket[0].passed = true;
    assert_int_equal(day_next(&day), DAY_LOOK);
    assert_true(says("Round 2 comes next."));
    assert_true(says("Round 1 was passed over here. F9 takes it up again."));
    assert_int_equal(press(INPUT_F9, 0, false), DAY_LOOK);
    assert_int_equal(type("\n"), DAY_LOOK);
    assert_true(says("Round 2 comes next."));
    assert_int_equal(press(INPUT_F9, 0, false), DAY_LOOK);
    assert_int_equal(type("Again\n"), DAY_TAKE_UP);
    assert_int_equal(day.asked, 0);
    day.ticket[0].passed = false;
    assert_int_equal(day_next(&day), DAY_LOOK);
    assert_true(says("Round 1 comes next."));
}

/* A session's terminal that is killed is there again at once; not so one that dies again and again.
 */
static void test_killed(void **state)
{
    struct day_outcome end = {DAY_BEGUN, 128 + 9, 60000000, "its program ended"};
    (void)state;
    start();
    add("001.ticket", DAY_NEW);
    day_next(&day);
    type("\n");
    for (unsigned i = 0; i < 5; i++) {
        assert_int_equal(day_ended(&day, &end), DAY_RUN);
        assert_int_equal(day.stage, DAY_RUNS);
    }
    end.ran_us = 1000;
    assert_int_equal(day_ended(&day, &end), DAY_LOOK);
    assert_int_equal(day.stage, DAY_FAILED);
}

/* Whoever was still typing to the other end does not begin the next session. */
static void test_still_typing(void **state)
{
    (void)state;
    start();
    add("001.ticket", DAY_NEW);
    day_next(&day);
    day_shown(&day, 5000000);
    for (unsigned i = 1; i < 20; i++)
        assert_int_equal(day_key(&day, INPUT_POINT, KEY_RETURN, false, 5000000 + i * 900000ull),
                         DAY_NOTHING);
    assert_int_equal(day_key(&day, INPUT_POINT, KEY_RETURN, false, 30000000), DAY_RUN);
}

/* An older stick is taken by a word alone: for the newer one may be nobody's. */
static void test_older_stick(void **state)
{
    (void)state;
    start();
    add("001.ticket", DAY_NEW);
    day_next(&day);
    day.stick = DAY_STICK_FAULT;
    assert_int_equal(press(INPUT_F9, 0, false), DAY_NOTHING);
    day.older = true;
    assert_int_equal(press(INPUT_F9, 0, false), DAY_LOOK);
    assert_true(says("Is this older stick to be taken?"));
    assert_int_equal(type("\n"), DAY_LOOK);
    assert_int_equal(press(INPUT_F9, 0, false), DAY_LOOK);
    assert_int_equal(type("older\n"), DAY_TAKE_OLDER);
    assert_true(says("Round 1 comes next."));
}

static void test_leaving(void **state)
{
    (void)state;
    start();
    day_next(&day);
    assert_int_equal(press(INPUT_F10, 0, true), DAY_LEAVE);
    assert_int_equal(press(INPUT_F10, 0, false), DAY_NOTHING);
}

static void test_asks_for_the_place(void **state)
{
    (void)state;
    memset(&day, 0, sizeof day);
    assert_int_equal(day_next(&day), DAY_LOOK);
    assert_true(says("Which place is this?"));
    assert_int_equal(type("judge\n"), DAY_LOOK);
    assert_true(says("This is no place."));
    assert_int_equal(type("\b\b\b\b\bBooth 3, cable x\bB"), DAY_LOOK);
    assert_true(says("Booth 3, cable B_"));
    assert_int_equal(type("\n"), DAY_SETTLE);
    assert_int_equal(day.place.booth, 3);
    assert_int_equal(day.place.machine, MACHINE_CABLE_B);
}

static void test_places(void **state)
{
    static const char *const bad[] = {"",
                                      "judge",
                                      "booth",
                                      "booth 0 judge",
                                      "100 a",
                                      "3 c",
                                      "3 cable",
                                      "booth 3",
                                      "3 ab",
                                      "3,,3,a",
                                      "booth 3 judge a very long way"};
    struct place place, again;
    struct bl_diag diag;
    char text[PLACE_TEXT], words[PLACE_NAME], name[PLACE_NAME];
    (void)state;
    for (int booth = 1; booth <= PLACE_BOOTH; booth++) {
        for (int machine = MACHINE_JUDGE; machine <= MACHINE_CABLE_B; machine++) {
            place = (struct place){1, booth, machine};
            place_text(&place, text);
            assert_int_equal(place_parse(&again, text, "p", &diag), BL_OK);
            assert_memory_equal(&again, &place, sizeof place);
            place_words(&place, words);
            assert_true(place_read(&again, words));
            assert_memory_equal(&again, &place, sizeof place);
            place_name(&place, name);
            assert_true(place_read(&again, name));
            assert_memory_equal(&again, &place, sizeof place);
        }
    }
    assert_string_equal(name, "booth-99-cable-b");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (place_read(&place, bad[i]))
            fail_msg("'%s' was taken for a place", bad[i]);
    assert_int_equal(place_parse(&place, "[place]\nformat = 1\nbooth = 3\n", "p.ini", &diag),
                     BL_DATA);
    assert_string_equal(diag.text, "p.ini: [place] machine is missing; expected judge, cable-a or "
                                   "cable-b");
    assert_int_equal(place_parse(&place, "[place]\nformat = 1\nmachine = judge\n", "p.ini", &diag),
                     BL_DATA);
    assert_int_equal(
        place_parse(&place, "[place]\nformat = 2\nbooth = 3\nmachine = judge\n", "p.ini", &diag),
        BL_DATA);
    assert_int_equal(
        place_parse(&place, "[place]\nformat = 1\nbooth = 3\nmachine = desk\n", "p.ini", &diag),
        BL_DATA);
}

/* Any keys and any ends: a session runs only when one is left, never one that is over, and each
 * board has a title and something to say. */
static void test_any_day(void **state)
{
    uint64_t first = dice_seed("any day");
    (void)state;
    for (uint64_t seed = first; seed < first + 2000; seed++) {
        struct dice dice = dice_make(seed);
        start();
        unsigned count = (unsigned)dice_below(&dice, 5);
        for (unsigned i = 0; i < count; i++) {
            char file[DAY_FILE];
            snprintf(file, sizeof file, "%03u.ticket", i + 1);
            add(file, (enum day_state)dice_below(&dice, 3));
        }
        enum day_act act = day_next(&day);
        for (unsigned i = 0; i < 50; i++) {
            struct board board;
            if (act == DAY_RUN) {
                assert_in_range(day.at, 0, count - 1);
                assert_int_not_equal(day.ticket[day.at].state, DAY_OVER);
                assert_int_equal(day.stage, DAY_RUNS);
                act = ended((enum day_state)dice_below(&dice, 3), (int)dice_below(&dice, 2), "why");
            } else if (act == DAY_PASS_OVER || act == DAY_TAKE_UP) {
                act = day_next(&day);
            } else {
                static const uint32_t keys[] = {KEY_RETURN, 'x', 'a', KEY_BACKSPACE};
                static const enum input_what what[] = {INPUT_POINT, INPUT_F8, INPUT_F9};
                for (unsigned k = 0; k < count; k++) {
                    day.ticket[k].elsewhere = dice_below(&dice, 2);
                    day.ticket[k].passed = day.ticket[k].state == DAY_OVER && dice_below(&dice, 2);
                }
                act = day.asks && dice_below(&dice, 2)
                          ? type(day.asks == DAY_ASKS_OVER ? "over\n" : "again\n")
                          : press(what[dice_below(&dice, 3)], keys[dice_below(&dice, 4)], false);
            }
            day.stick = (enum day_stick)dice_below(&dice, 4);
            day_board(&day, dice_below(&dice, 2), &board);
            if (!board.title[0] || !board.strong[0])
                fail_msg("seed %llu: the board is empty", (unsigned long long)seed);
        }
    }
}

/* A judge may try the terminal between sessions, and no other machine. */
static void test_practice(void **state)
{
    struct board board;
    (void)state;
    start();
    assert_int_equal(day_next(&day), DAY_LOOK);
    day_board(&day, false, &board);
    assert_int_equal(board.hints, 1);
    assert_string_equal(board.hint[0].does, "practise");
    assert_false(says("Signs ballots"));
    day.words = "one two";
    assert_true(says("Signs ballots as: one two"));
    assert_int_equal(press(INPUT_F2, 0, false), DAY_PRACTISE);
    add("001.ticket", DAY_NEW);
    day_next(&day);
    assert_int_equal(press(INPUT_F2, 0, false), DAY_PRACTISE);
    assert_int_equal(type("\n"), DAY_RUN);
    assert_int_equal(press(INPUT_F2, 0, false), DAY_NOTHING);
    assert_int_equal(ended(DAY_BEGUN, 0, ""), DAY_LOOK); /* left: it has to go on */
    assert_int_equal(press(INPUT_F2, 0, false), DAY_NOTHING);
    start();
    day.place.machine = MACHINE_CABLE_A;
    day.words = "one two";
    day_next(&day);
    assert_false(says("Signs ballots"));
    assert_int_equal(press(INPUT_F2, 0, false), DAY_NOTHING);
    day_board(&day, true, &board);
    assert_int_equal(board.hints, 1);
    assert_string_equal(board.hint[0].does, "leave");
}

/* F3 checks the next session's lines; while it does, and until its words are read, no key begins
 * anything. */
static void test_check(void **state)
{
    static const char advised[] = "{\"ok\":false,\"lines\":[{\"side\":\"cable "
                                  "A\",\"ok\":false,\"findings\":[{\"what\":\"port\","
                                  "\"mark\":\"fault\",\"text\":\"there is no device x: `boothlink "
                                  "ports` lists those that are\"}],"
                                  "\"next\":[\"Push the plug in.\"]}]}";
    static const char wrong[] =
        "{\"ok\":false,\"controller\":null,\"lines\":[{\"side\":\"cable "
        "A\",\"ok\":true,\"next\":[]},"
        "{\"side\":\"cable B\",\"ok\":false,\"next\":[\"Plug it in.\",\"Then check again.\"]}]}";
    struct day_check check = {.day = &day};
    (void)state;
    start();
    day_next(&day);
    assert_int_equal(press(INPUT_F3, 0, false), DAY_NOTHING); /* no session has lines */
    add("001.ticket", DAY_NEW);
    day_next(&day);
    assert_int_equal(press(INPUT_F3, 0, false), DAY_CHECK);
    day.check.runs = true;
    assert_true(says("being checked"));
    day_check_hear(&check, "cable ", 6);
    day_check_hear(&check, "A: calling for 170 s more\ncable B", 33);
    assert_true(says("cable A: calling for 170 s more"));
    assert_false(says("cable B"));
    assert_int_equal(press(INPUT_F2, 0, false), DAY_NOTHING);
    assert_int_equal(press(INPUT_F8, 0, false), DAY_NOTHING);
    assert_int_equal(type("\n"), DAY_CHECK_STOP); /* its findings so far come, and stay */
    assert_true(says("being checked"));
    day_check_read(&day, wrong, "");
    assert_true(says("Not ready."));
    assert_true(says("Cable A: everything is right."));
    assert_true(says("Cable B: NOT READY.\n1. Plug it in.\n2. Then check again."));
    assert_int_equal(type("\n"), DAY_CHECK_END);
    assert_true(says("Round 1 comes next."));
    assert_int_equal(press(INPUT_F3, 0, false), DAY_CHECK);
    day.check.runs = true;
    assert_int_equal(type("\n"), DAY_CHECK_STOP);
    assert_int_equal(type("\n"), DAY_CHECK_END); /* nobody has to wait for them */
    day.check.runs = day.check.stops = false;
    assert_int_equal(press(INPUT_F3, 0, false), DAY_CHECK);
    day_check_read(&day, advised, ""); /* a board has no shell */
    assert_true(says("Cable A: NOT READY.\nport: there is no device x\n1. Push"));
    assert_int_equal(type("\n"), DAY_CHECK_END);
    assert_int_equal(press(INPUT_F3, 0, false), DAY_CHECK);
    day_check_read(&day, "", "boothlink check: no such port");
    assert_true(says("no such port"));
    day_check_read(&day, "[", "");
    assert_true(says("ended without a word"));
    day_check_read(&day, "{\"ok\":true,\"lines\":[{\"side\":\"cable A\",\"ok\":true,\"next\":[]}]}",
                   "");
    assert_true(says("Everything is right."));
    assert_int_equal(press(INPUT_F3, 0, false), DAY_CHECK_END);
    assert_int_equal(type("\n"), DAY_RUN);
}

/* Down is offered only where lines of the findings have no room. */
static void test_check_fits(void **state)
{
    static const char wrong[] =
        "{\"ok\":false,\"lines\":[{\"side\":\"cable "
        "B\",\"ok\":false,\"next\":[\"Plug it in.\",\"Then check again.\"]}]}";
    struct board board;
    static struct frame frame;
    (void)state;
    start();
    add("001.ticket", DAY_NEW);
    day_next(&day);
    press(INPUT_F3, 0, false);
    day_check_read(&day, wrong, "");
    day_board(&day, true, &board);
    for (unsigned rows = 24; rows; rows = rows == 24 ? 8 : 0) {
        char last[81] = "";
        board_draw(&board, rows, 80, &frame);
        for (unsigned i = 0; i < 80; i++)
            last[i] = (char)frame_row(&frame, rows - 1)[i].point;
        assert_int_equal(strstr(last, "Down") != NULL, rows == 8);
        assert_non_null(strstr(last, "Enter"));
    }
}

/* All that a check of two lines says can be read, the cure of the last one too: below what a screen
 * has room for by Down. */
static void test_check_scrolls(void **state)
{
    char wrong[16384], step[240];
    struct board board;
    int used = snprintf(wrong, sizeof wrong, "{\"ok\":false,\"lines\":[");
    (void)state;
    memset(step, 'x', sizeof step - 1);
    step[sizeof step - 1] = '\0';
    for (int cable = 'A'; cable <= 'B'; cable++) {
        used += snprintf(wrong + used, sizeof wrong - (size_t)used,
                         "%s{\"side\":\"cable %c\",\"ok\":false,\"findings\":[{\"what\":\"cable\","
                         "\"mark\":\"fault\",\"text\":\"a null-modem one\"},{\"what\":\"speed\","
                         "\"mark\":\"ok\",\"text\":\"as asked\"}],\"next\":[",
                         cable == 'B' ? "," : "", cable);
        for (int i = 0; i < 10; i++)
            used += snprintf(wrong + used, sizeof wrong - (size_t)used, "%s\"%s\"", i ? "," : "",
                             i == 9 ? "Take a 1:1 cable." : step);
        used += snprintf(wrong + used, sizeof wrong - (size_t)used, "]}");
    }
    snprintf(wrong + used, sizeof wrong - (size_t)used, "]}");
    start();
    add("001.ticket", DAY_NEW);
    day_next(&day);
    assert_int_equal(press(INPUT_F3, 0, false), DAY_CHECK);
    day_check_read(&day, wrong, "");
    assert_true(says("Cable A: NOT READY.\ncable: a null-modem one\n1. x"));
    assert_false(says("as asked"));
    assert_int_equal(press(INPUT_PAGE_UP, 0, false), DAY_LOOK);
    for (unsigned i = 0; i < 12; i++)
        assert_int_equal(press(INPUT_PAGE_DOWN, 0, false), DAY_LOOK);
    day_board(&day, true, &board);
    assert_int_equal(strncmp(board.text[0], "Cable B: NOT READY.\ncable", 25), 0);
    assert_string_equal(board.hint[1].key, "Down");
    for (unsigned i = 0; i < 20; i++)
        press(INPUT_DOWN, 0, false);
    day_board(&day, true, &board);
    assert_string_equal(board.text[0], "10. Take a 1:1 cable.");
    for (unsigned i = 0; i < 40; i++)
        press(INPUT_UP, 0, false);
    assert_true(says("Cable A: NOT READY."));
    assert_int_equal(type("\n"), DAY_CHECK_END);
}

/* A page of a survey: at a judge's machine before the first session and after the last; an entity's
 * session never waits for it. */
static void test_a_survey(void **state)
{
    enum ruleset_survey_page page;
    (void)state;
    start();
    add("001.ticket", DAY_NEW);
    strcpy(day.ticket[0].survey[SURVEY_BEFORE].whose, "j2");
    strcpy(day.ticket[0].survey[SURVEY_AFTER].whose, "j2");
    assert_int_equal(day_next(&day), DAY_LOOK);
    assert_true(says("F1: a page to read and answer before the sessions."));
    struct board board;
    day_board(&day, true, &board);
    assert_int_equal(board.hints, 4); /* with F3, F2 and F10 */
    assert_string_equal(board.hint[3].key, "F1");
    assert_int_equal(type("\n"), DAY_SURVEY);
    assert_ptr_equal(day_survey(&day, &page), &day.ticket[0]);
    assert_int_equal(page, SURVEY_BEFORE);
    day.ticket[0].survey[SURVEY_BEFORE].put_off = true; /* left unanswered: the session goes on */
    assert_int_equal(type("\n"), DAY_RUN);
    day_next(&day);
    assert_int_equal(press(INPUT_F1, 0, false), DAY_SURVEY);
    day.ticket[0].survey[SURVEY_BEFORE].given = true;
    assert_int_equal(press(INPUT_F1, 0, false), DAY_NOTHING);
    assert_int_equal(type("\n"), DAY_RUN);
    assert_int_equal(ended(DAY_OVER, 0, ""), DAY_SURVEY);
    assert_non_null(day_survey(&day, &page));
    assert_int_equal(page, SURVEY_AFTER);
    day.ticket[0].survey[SURVEY_AFTER].given = true;
    assert_null(day_survey(&day, &page));
    assert_false(says("F1"));
}

static void test_an_entitys_survey(void **state)
{
    enum ruleset_survey_page page;
    (void)state;
    start();
    day.place.machine = MACHINE_CABLE_A;
    add("001.ticket", DAY_NEW);
    add("002.ticket", DAY_NEW);
    strcpy(day.ticket[0].survey[SURVEY_BEFORE].whose, "c1");
    strcpy(day.ticket[0].survey[SURVEY_AFTER].whose, "c1");
    strcpy(day.ticket[1].survey[SURVEY_BEFORE].whose, "c2");
    day_next(&day);
    assert_true(says("F1: a page to read and answer before the sessions."));
    assert_int_equal(type("\n"), DAY_RUN);
    assert_int_equal(ended(DAY_OVER, 0, ""), DAY_LOOK);
    assert_int_equal(press(INPUT_F1, 0, false), DAY_SURVEY);
    assert_ptr_equal(day_survey(&day, &page), &day.ticket[0]);
    assert_int_equal(page, SURVEY_AFTER);
    day.ticket[0].survey[SURVEY_AFTER].put_off = true;
    assert_ptr_equal(day_survey(&day, &page), &day.ticket[0]);
    assert_int_equal(page, SURVEY_BEFORE); /* still asked of the first */
    day.ticket[0].survey[SURVEY_BEFORE].given = true;
    assert_ptr_equal(day_survey(&day, &page), &day.ticket[1]);
    assert_int_equal(type("\n"), DAY_RUN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_check),
        cmocka_unit_test(test_check_fits),
        cmocka_unit_test(test_check_scrolls),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_practice),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_crowded),
        cmocka_unit_test(test_a_day),
        cmocka_unit_test(test_goes_on),
        cmocka_unit_test(test_left),
        cmocka_unit_test(test_last_stick),
        cmocka_unit_test(test_fails),
        cmocka_unit_test(test_killed),
        cmocka_unit_test(test_spare),
        cmocka_unit_test(test_still_typing),
        cmocka_unit_test(test_leaving),
        cmocka_unit_test(test_asks_for_the_place),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_any_day),
        cmocka_unit_test(test_older_stick),
        cmocka_unit_test(test_a_survey),
        cmocka_unit_test(test_an_entitys_survey),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
