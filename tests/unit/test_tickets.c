/* Tickets on their way from the manager's sticks to a board: the desk hands a place its folder, the
 * courier lays that out like a stick, and the board takes it, over a way that may lose, double and
 * keep messages. The folder is there whole or as it was; nobody gets what is another place's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <sodium.h>

#include "base/crc32c.h"
#include "base/file.h"
#include "booth/desk_stick.h"
#include "booth/stick_files.h"
#include "courier/tickets.h"
#include "desk/handout.h"
#include "tests/support/random.h"
#include "tests/support/scratch.h"

#define JUDGE "booth-1-judge"
#define OTHER "booth-2-judge"
#define CABLE "booth-1-cable-a"
#define ROOM  "sticks/judges-room/boothlink/"
#define BACK  "sticks/back-room/boothlink/"
#define LAID  "told.stick"
#define KEPT  64 /* messages on the way at once */
#define WHOLE "the round's ticket\n"

static char root[SCRATCH_MAX];
static struct bl_diag diag;
static struct post_keys keys, others, cable;
static struct handout *handout;
static struct tickets *tickets;
static struct dice dice;
static bool bad_way;
static size_t lengths[4096], messages; /* of those sent either way, in their order */
static bool seen_other;                /* bytes of another place, or of a key, have come down */

static void run(const char *command)
{
    scratch_run(root, command);
}

static void write_file(const char *path, const char *text)
{
    assert_int_equal(file_write(path, text, strlen(text), &diag), BL_OK);
}

static void make_key(struct post_keys *out, const char *place, const char *folder, uint8_t number)
{
    uint8_t secret[POST_SECRET] = {number};
    char text[POST_KEY_TEXT], path[200];
    assert_true(post_keys_make(out, place, secret));
    post_key_write(place, secret, text);
    snprintf(path, sizeof path, "%s%s/" STICK_KEY, folder, place);
    write_file(path, text);
}

/* The list of all that is on a room's stick. */
static void write_list(enum stick_room room, bool complete, int64_t acts)
{
    const struct stick head = {complete, room, acts, "A contest"};
    char line[STICK_LINE_MAX], path[STICK_PATH_MAX + 64], *bytes;
    const char *folder = room == STICK_JUDGES ? ROOM : BACK;
    size_t length;
    FILE *found;
    snprintf(path, sizeof path, "cd %s && find . -type f ! -name stick.list | sort", folder);
    assert_non_null(found = popen(path, "r"));
    snprintf(path, sizeof path, "%s" STICK_LIST ".new", folder);
    FILE *list = fopen(path, "w");
    assert_non_null(list);
    stick_head_write(&head, line);
    fputs(line, list);
    while (fgets(line, sizeof line, found)) {
        struct stick_file row = {0};
        snprintf(row.path, sizeof row.path, "%.*s", (int)strcspn(line + 2, "\n"), line + 2);
        snprintf(path, sizeof path, "%s%s", folder, row.path);
        assert_int_equal(file_read(&bytes, &length, path, 1 << 20, "a file", &diag), BL_OK);
        row.crc = crc32c(0, bytes, length);
        row.bytes = length;
        free(bytes);
        stick_file_write(&row, line);
        fputs(line, list);
    }
    pclose(found);
    fclose(list);
    snprintf(line, sizeof line, "mv %s" STICK_LIST ".new %s" STICK_LIST, folder, folder);
    run(line);
}

static int start(void **state)
{
    (void)state;
    assert_int_equal(scratch_begin(root, "tickets"), 0);
    assert_int_equal(chdir(root), 0);
    run("mkdir -p " ROOM JUDGE " " ROOM OTHER " " BACK CABLE " records seen");
    write_file(ROOM JUDGE "/001.ticket", WHOLE);
    write_file(ROOM JUDGE "/002.ticket", "another\n");
    write_file(ROOM JUDGE "/line.key", "key\n");
    run("head -c 40000 /dev/urandom >" ROOM JUDGE "/rules.ini");
    write_file(ROOM OTHER "/003.ticket", "SECRET of another place\n");
    write_file(BACK CABLE "/001.ticket", "SECRET of the back room\n");
    make_key(&keys, JUDGE, ROOM, 1);
    make_key(&others, OTHER, ROOM, 2);
    make_key(&cable, CABLE, BACK, 3);
    write_list(STICK_JUDGES, true, 5);
    write_list(STICK_BACK, true, 5);
    assert_int_equal(handout_open(&handout, "sticks", &diag), BL_OK);
    assert_int_equal(tickets_create(&tickets, LAID, JUDGE, &diag), BL_OK);
    dice = dice_make(7);
    bad_way = seen_other = false;
    messages = 0;
    return 0;
}

static int end(void **state)
{
    (void)state;
    handout_close(handout);
    tickets_destroy(tickets);
    run("rm -rf sticks records seen own told.*");
    assert_int_equal(chdir("/"), 0);
    return rmdir(root);
}

/* The way: a message goes, is lost, comes twice, or comes later. */
static struct {
    struct post_piece piece;
    uint8_t bytes[POST_BYTES_MOST];
} kept[KEPT];
static size_t kept_count;

static void note_length(const struct post_piece *piece)
{
    static uint8_t plain[POST_PLAIN_MOST];
    size_t length = post_piece_write(piece, plain);
    assert_true(length > 0);
    if (messages < sizeof lengths / sizeof lengths[0])
        lengths[messages++] = length;
}

static void deliver(const struct post_piece *answer)
{
    if (answer->length)
        seen_other |= memmem(answer->bytes, answer->length, "SECRET", 6) != NULL ||
                      memmem(answer->bytes, answer->length, "place key 1", 11) != NULL ||
                      memmem(answer->bytes, answer->length, OTHER, strlen(OTHER)) != NULL;
    tickets_hear(tickets, answer);
}

static void on_send(void *ctx, const struct post_piece *piece)
{
    struct post_piece answer;
    (void)ctx;
    note_length(piece);
    if (bad_way && dice_below(&dice, 4) == 0)
        return;
    assert_true(handout_is_asked(piece));
    if (handout_answer(handout, &keys, piece, &answer, &diag) != BL_OK)
        return;
    note_length(&answer);
    if (bad_way && kept_count < KEPT && dice_below(&dice, 3) == 0) {
        kept[kept_count].piece = answer;
        if (answer.length)
            memcpy(kept[kept_count].bytes, answer.bytes, answer.length);
        kept[kept_count].piece.bytes = kept[kept_count].bytes;
        kept_count++;
    }
    if (!bad_way || dice_below(&dice, 4))
        deliver(&answer);
}

/* A second passes; then what was late comes. True: the folder was laid out. */
static bool tick(void)
{
    bool fresh;
    assert_int_equal(tickets_tick(tickets, on_send, NULL, &fresh, &diag), BL_OK);
    while (kept_count && dice_below(&dice, 2))
        deliver(&kept[--kept_count].piece);
    if (stick_is_in(LAID)) /* whole at each moment */
        assert_int_equal(stick_check(LAID, JUDGE, "seen", &diag), BL_OK);
    return fresh;
}

static bool laid_within(unsigned ticks)
{
    bool fresh = false;
    for (unsigned i = 0; i < ticks && !fresh; i++)
        fresh = tick();
    return fresh;
}

static void assert_laid(const char *of)
{
    char command[400];
    snprintf(command, sizeof command,
             "for f in 001.ticket 002.ticket line.key rules.ini; do "
             "cmp %s/$f " LAID "/boothlink/" JUDGE "/$f || exit 1; done",
             of);
    run(command);
    run("test $(find " LAID " -type f | wc -l) = 5");
}

static void test_comes_whole(void **state)
{
    (void)state;
    assert_true(laid_within(12));
    assert_laid(ROOM JUDGE);
    assert_false(seen_other);
    assert_false(laid_within(40)); /* nothing is new */
    struct stat info;
    assert_int_equal(stat(LAID "/boothlink/" JUDGE "/line.key", &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    assert_int_equal(stat(LAID, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0750);
}

static void write_ticket(int64_t acts, int time)
{
    char text[64];
    snprintf(text, sizeof text, "ticket %d, written %d\n", (int)acts, time);
    write_file(ROOM JUDGE "/002.ticket", text);
}

/* The list is there as the desk has it, but for the key. */
static bool is_laid(void)
{
    char name[STICK_PATH_MAX];
    return stick_is_in(LAID) && stick_is_here(LAID, JUDGE, ROOM JUDGE, name);
}

static void test_over_a_bad_way(void **state)
{
    (void)state;
    bad_way = true;
    for (int64_t acts = 6; acts < 20; acts++) {
        unsigned half = (unsigned)dice_below(&dice, 12);
        write_ticket(acts, 0);
        write_list(STICK_JUDGES, true, acts);
        for (unsigned i = 0; i < half; i++)
            tick();
        write_ticket(acts, 1); /* in mid-way, and the list comes later */
        for (unsigned i = 0; i < half; i++)
            tick();
        write_list(STICK_JUDGES, true, acts);
        for (unsigned i = 0; i < 400 && !is_laid(); i++)
            tick();
        assert_laid(ROOM JUDGE);
    }
    assert_false(seen_other);
}

/* A courier that begins again has the folder still. */
static void test_takes_up_what_is_there(void **state)
{
    (void)state;
    assert_true(laid_within(12));
    tickets_destroy(tickets);
    assert_int_equal(tickets_create(&tickets, LAID, JUDGE, &diag), BL_OK);
    assert_false(laid_within(40));
    run("mkdir -p " LAID ".next/boothlink " LAID ".last/boothlink"); /* of one that was killed */
    write_file(ROOM JUDGE "/002.ticket", "new\n");
    write_list(STICK_JUDGES, true, 6);
    assert_true(laid_within(20));
    assert_laid(ROOM JUDGE);
    run("test ! -e " LAID ".next && test ! -e " LAID ".last");
}

static enum bl_status wanted(const struct post_keys *by, enum post_kind kind, const char *name,
                             uint64_t offset)
{
    struct post_piece piece = {.kind = kind, .copy = 1, .offset = offset}, answer;
    snprintf(piece.file, sizeof piece.file, "%s", name);
    return handout_answer(handout, by, &piece, &answer, &diag);
}

static void test_of_its_own_alone(void **state)
{
    (void)state;
    assert_int_equal(wanted(&keys, POST_WANT, "001.ticket", 0), BL_OK);
    assert_int_equal(wanted(&keys, POST_WANT, "001.ticket", strlen(WHOLE) - 1), BL_OK);
    assert_int_equal(wanted(&keys, POST_WANT, "001.ticket", strlen(WHOLE)), BL_NOINPUT);
    assert_int_equal(wanted(&keys, POST_WANT, "003.ticket", 0), BL_NOINPUT);
    assert_int_equal(wanted(&others, POST_WANT, "003.ticket", 0), BL_OK);
    assert_int_equal(wanted(&others, POST_WANT, "001.ticket", 0), BL_NOINPUT);
    assert_int_equal(wanted(&keys, POST_WANT, STICK_KEY, 0), BL_NOINPUT);
    assert_int_equal(wanted(&cable, POST_WANT, "001.ticket", 0), BL_OK);
    assert_int_equal(wanted(&cable, POST_WANT, "002.ticket", 0), BL_NOINPUT);
}

/* The room's stick says who has a desk: without a key of the place, or with another one, there is
 * no answer. So it is where the venue has desk-network = judges, and for a key taken back. */
static void test_by_the_sticks_key_alone(void **state)
{
    struct post_keys now;
    (void)state;
    assert_int_equal(wanted(&cable, POST_ASK, STICK_LIST, 0), BL_OK);
    run("rm " BACK CABLE "/" STICK_KEY);
    write_list(STICK_BACK, true, 5);
    assert_int_equal(wanted(&cable, POST_ASK, STICK_LIST, 0), BL_NOINPUT);
    assert_int_equal(wanted(&cable, POST_WANT, "001.ticket", 0), BL_NOINPUT);
    assert_int_equal(wanted(&keys, POST_ASK, STICK_LIST, 0), BL_OK);
    make_key(&now, JUDGE, ROOM, 9);
    write_list(STICK_JUDGES, true, 6);
    assert_int_equal(wanted(&keys, POST_ASK, STICK_LIST, 0), BL_NOINPUT);
    assert_int_equal(wanted(&keys, POST_WANT, "001.ticket", 0), BL_NOINPUT);
    assert_int_equal(wanted(&now, POST_ASK, STICK_LIST, 0), BL_OK);
}

/* While the sticks are written there is no answer, nor of a file that is not as the list has it. */
static void test_while_it_is_written(void **state)
{
    (void)state;
    write_list(STICK_JUDGES, false, 6);
    assert_int_equal(wanted(&keys, POST_ASK, STICK_LIST, 0), BL_NOINPUT);
    assert_int_equal(wanted(&keys, POST_WANT, "001.ticket", 0), BL_NOINPUT);
    write_list(STICK_JUDGES, true, 6);
    write_file(ROOM JUDGE "/001.ticket", "other\n");
    assert_int_equal(wanted(&keys, POST_WANT, "001.ticket", 0), BL_NOINPUT);
    assert_int_equal(wanted(&keys, POST_WANT, "002.ticket", 0), BL_OK);
    run("rm -r sticks");
    assert_int_equal(wanted(&keys, POST_ASK, STICK_LIST, 0), BL_NOINPUT);
    assert_false(laid_within(20));
    assert_false(access(LAID, F_OK) == 0);
}

/* All messages of a person's ticket and of a program's are as long. */
static void test_lengths_tell_nothing(void **state)
{
    static size_t of_person[sizeof lengths / sizeof lengths[0]];
    char text[POST_TICKET_MOST + 2];
    (void)state;
    memset(text, 'p', sizeof text);
    text[9] = '\0';
    write_file(ROOM JUDGE "/001.ticket", text);
    write_list(STICK_JUDGES, true, 6);
    assert_true(laid_within(12));
    size_t count = messages;
    memcpy(of_person, lengths, sizeof lengths);
    run("rm -r " LAID);
    tickets_destroy(tickets);
    assert_int_equal(tickets_create(&tickets, LAID, JUDGE, &diag), BL_OK);
    text[9] = 'p';
    text[POST_TICKET_MOST] = '\0';
    write_file(ROOM JUDGE "/001.ticket", text);
    write_list(STICK_JUDGES, true, 6);
    messages = 0;
    assert_true(laid_within(12));
    assert_int_equal(messages, count);
    assert_memory_equal(lengths, of_person, count * sizeof lengths[0]);
    /* A longer one does not travel, and the desk says so. */
    text[POST_TICKET_MOST] = 'p';
    text[POST_TICKET_MOST + 1] = '\0';
    write_file(ROOM JUDGE "/001.ticket", text);
    write_list(STICK_JUDGES, true, 7);
    assert_int_equal(wanted(&keys, POST_ASK, STICK_LIST, 0), BL_DATA);
    assert_non_null(strstr(diag.text, "bring the stick"));
}

/* Answers of a desk that is none of ours. */
static void hear_list_of(const char *text)
{
    struct post_piece piece = {.kind = POST_HAVE, .copy = 1, .file = STICK_LIST};
    piece.offset = strlen(text);
    crypto_generichash(piece.hash, POST_HASH, (const uint8_t *)text, strlen(text), NULL, 0);
    tickets_hear(tickets, &piece);
    piece = (struct post_piece){.kind = POST_PIECE, .copy = 1, .file = STICK_LIST};
    piece.bytes = (const uint8_t *)text;
    piece.length = strlen(text);
    tickets_hear(tickets, &piece);
}

static void send_nowhere(void *ctx, const struct post_piece *piece)
{
    (void)ctx, (void)piece;
}

static void test_lists_that_are_none(void **state)
{
    static const char *const lists[] = {
        "none\n",
        "boothlink-stick 1 writing room=judges-room acts=5 contest=A\n",
        "boothlink-stick 1 complete room=judges-room acts=5 contest=A\n",
        "boothlink-stick 1 complete room=judges-room acts=5 contest=A\n00000000 5 " OTHER "/a\n",
        "boothlink-stick 1 complete room=judges-room acts=5 contest=A\n00000000 5 " JUDGE "/../a\n",
        "boothlink-stick 1 complete room=judges-room acts=5 contest=A\n00000000 5 " JUDGE "/b/a\n",
        "boothlink-stick 1 complete room=judges-room acts=5 contest=A\n00000000 5 " JUDGE
        "/stick.list\n",
        "boothlink-stick 1 complete room=judges-room acts=5 contest=A\n00000000 99999999999 " JUDGE
        "/a\n",
        "boothlink-stick 1 complete room=judges-room acts=5 contest=A\n00000000 5 " JUDGE
        "/a\n00000000 5 " JUDGE "/a\n",
        "boothlink-stick 1 complete room=judges-room acts=5 contest=A\n00000000 5 " JUDGE "/a",
    };
    bool fresh;
    (void)state;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        hear_list_of(lists[i]);
        assert_int_equal(tickets_tick(tickets, send_nowhere, NULL, &fresh, &diag), BL_DATA);
        hear_list_of(lists[i]); /* it is told once */
        assert_int_equal(tickets_tick(tickets, send_nowhere, NULL, &fresh, &diag), BL_OK);
    }
    assert_int_not_equal(access(LAID, F_OK), 0);
}

/* The board. */

static enum desk_stick take(void)
{
    return desk_stick_take(LAID, JUDGE, "own", "records", &diag);
}

/* As the board reads a stick. */
static void read_stick(const char *dir)
{
    bool changed;
    assert_int_equal(stick_check(dir, JUDGE, "records", &diag), BL_OK);
    assert_int_equal(stick_take(dir, JUDGE, "own", &changed, &diag), BL_OK);
    desk_stick_forget("records");
}

static void test_the_board_takes_them(void **state)
{
    (void)state;
    run("mkdir own");
    assert_int_equal(take(), DESK_STICK_NOTHING);
    assert_true(laid_within(12));
    uint64_t mark = stick_mark(LAID);
    assert_true(mark != 0);
    assert_int_equal(take(), DESK_STICK_TAKEN);
    run("cmp own/001.ticket " ROOM JUDGE "/001.ticket && test $(ls own | wc -l) = 4");
    assert_true(desk_stick_counts("records"));
    assert_int_equal(take(), DESK_STICK_NOTHING);
    /* The same by stick changes nothing, but that they are the stick's now, and the key is here. */
    read_stick("sticks/judges-room");
    assert_false(desk_stick_counts("records"));
    assert_int_equal(take(), DESK_STICK_NOTHING);
    run("cmp own/" STICK_KEY " " ROOM JUDGE "/" STICK_KEY);
    /* Newer ones of the desk's count, and the old stick does not any more. */
    run("cp -r sticks/judges-room old");
    write_file(ROOM JUDGE "/002.ticket", "newer\n");
    write_list(STICK_JUDGES, true, 6);
    assert_true(laid_within(12));
    assert_true(stick_mark(LAID) != mark);
    assert_int_equal(take(), DESK_STICK_TAKEN);
    run("grep -q newer own/002.ticket");
    assert_int_equal(stick_check("old", JUDGE, "records", &diag), BL_BUSY);
    assert_true(desk_stick_counts("records"));
    run("rm -r old");
}

static void test_different_ones_are_a_dispute(void **state)
{
    (void)state;
    run("mkdir own; cp -r sticks/judges-room stick");
    write_file(ROOM JUDGE "/002.ticket", "different\n");
    write_list(STICK_JUDGES, true, 5);
    read_stick("stick");
    assert_true(laid_within(12));
    assert_int_equal(take(), DESK_STICK_DISPUTED);
    assert_string_equal(diag.text, "002.ticket");
    run("grep -q another own/002.ticket && grep -qx 002.ticket records/" STICK_DISPUTED);
    assert_int_equal(take(), DESK_STICK_DISPUTED);
    /* One ticket more is one that differs, too. */
    run("cp " ROOM JUDGE "/002.ticket own/002.ticket; echo more >own/003.ticket");
    assert_int_equal(take(), DESK_STICK_DISPUTED);
    assert_string_equal(diag.text, "003.ticket");
    /* The desk came first: what the stick then brings stays. */
    run("rm -r own records; mkdir own records");
    assert_int_equal(take(), DESK_STICK_TAKEN);
    read_stick("stick");
    assert_int_equal(take(), DESK_STICK_DISPUTED);
    run("grep -q another own/002.ticket");
    /* A stick that is written now ends it. */
    read_stick("sticks/judges-room");
    assert_int_equal(take(), DESK_STICK_NOTHING);
    run("rm -r stick");
}

/* The desk changes a ticket without an act, as after the venue's file was edited: it is taken where
 * no stick says otherwise. One that is older than the stick, of another contest or of another place
 * is not. */
static void test_by_age(void **state)
{
    (void)state;
    run("mkdir own");
    assert_true(laid_within(12));
    assert_int_equal(take(), DESK_STICK_TAKEN);
    write_file(ROOM JUDGE "/002.ticket", "edited\n");
    write_list(STICK_JUDGES, true, 5);
    assert_true(laid_within(12));
    assert_int_equal(take(), DESK_STICK_TAKEN);
    run("grep -q edited own/002.ticket");
    run("cp -r sticks/judges-room stick");
    write_list(STICK_JUDGES, true, 8);
    read_stick("sticks/judges-room");
    write_file(ROOM JUDGE "/002.ticket", "old\n");
    write_list(STICK_JUDGES, true, 7);
    assert_true(laid_within(12));
    assert_int_equal(take(), DESK_STICK_NOTHING);
    run("sed -i '1s/=A contest/=Another/' " LAID "/boothlink/stick.list");
    assert_int_equal(stick_age(LAID, "records"), STICK_OTHER_CONTEST);
    assert_int_equal(take(), DESK_STICK_NOTHING);
    run("mv " LAID "/boothlink/" JUDGE " " LAID "/boothlink/" OTHER);
    assert_int_equal(take(), DESK_STICK_NOTHING);
    run("grep -q edited own/002.ticket; rm -r stick");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_comes_whole, start, end),
        cmocka_unit_test_setup_teardown(test_over_a_bad_way, start, end),
        cmocka_unit_test_setup_teardown(test_takes_up_what_is_there, start, end),
        cmocka_unit_test_setup_teardown(test_of_its_own_alone, start, end),
        cmocka_unit_test_setup_teardown(test_by_the_sticks_key_alone, start, end),
        cmocka_unit_test_setup_teardown(test_while_it_is_written, start, end),
        cmocka_unit_test_setup_teardown(test_lengths_tell_nothing, start, end),
        cmocka_unit_test_setup_teardown(test_lists_that_are_none, start, end),
        cmocka_unit_test_setup_teardown(test_the_board_takes_them, start, end),
        cmocka_unit_test_setup_teardown(test_different_ones_are_a_dispute, start, end),
        cmocka_unit_test_setup_teardown(test_by_age, start, end),
    };
    return sodium_init() < 0 ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
}
