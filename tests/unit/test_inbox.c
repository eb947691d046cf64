/* Records on their way from a machine's folder to the desk's: what one side sends, the other one
 * takes, over a way that may lose, double and keep messages. In the end each copy is the booth's,
 * byte for byte. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <sodium.h>

#include "base/file.h"
#include "courier/outbox.h"
#include "desk/inbox.h"
#include "rules/ballot_file.h"
#include "tests/support/scratch.h"

#define BOOTH   "booth"
#define DESK    "desk"
#define PLACE   "booth-1-judge"
#define JOURNAL "r1-j1-judge.journal"
#define BALLOT  "r1-j1-judge.ballot"
#define SECOND  UINT64_C(1000000)

static struct bl_diag diag;
static struct inbox *inbox;
static struct outbox *outbox;
static unsigned lose_every, messages, answers;
static enum bl_status taken;
static uint64_t now_us;

static void on_answer(void *ctx, const char *place, const struct post_piece *piece)
{
    (void)ctx;
    assert_string_equal(place, PLACE);
    answers++;
    if (!lose_every || ++messages % lose_every)
        outbox_hear(outbox, piece);
}

static void on_send(void *ctx, const struct post_piece *piece)
{
    (void)ctx;
    if (lose_every && ++messages % lose_every == 0)
        return;
    taken = inbox_take(inbox, PLACE, piece, &diag);
    if (lose_every && messages % 5 == 0)
        taken = inbox_take(inbox, PLACE, piece, &diag);
}

/* A second passes. */
static void tick(void)
{
    now_us += SECOND;
    assert_int_equal(outbox_tick(outbox, on_send, NULL, &diag), BL_OK);
    assert_int_equal(inbox_sync(inbox, on_answer, NULL, &diag), BL_OK);
}

static void add(const char *path, const void *bytes, size_t length)
{
    FILE *file = fopen(path, "a");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    fclose(file);
}

static void assert_file(const char *path, const void *bytes, size_t length)
{
    char *got = NULL;
    size_t got_length = 0;
    assert_int_equal(file_read(&got, &got_length, path, 1 << 24, "a file", &diag), BL_OK);
    assert_int_equal(got_length, length);
    assert_memory_equal(got, bytes, length);
    free(got);
}

static void open_both(void)
{
    assert_int_equal(inbox_open(&inbox, DESK, &diag), BL_OK);
    assert_int_equal(outbox_create(&outbox, BOOTH, false, &diag), BL_OK);
}

static char folder[SCRATCH_MAX];

static int begin(void **state)
{
    (void)state;
    lose_every = messages = answers = 0;
    if (scratch_begin(folder, "inbox") || chdir(folder) || mkdir(BOOTH, 0700))
        return 1;
    open_both();
    return 0;
}

static int end(void **state)
{
    (void)state;
    inbox_close(inbox);
    outbox_destroy(outbox);
    return chdir("/") || scratch_end(folder);
}

static void test_grows(void **state)
{
    (void)state;
    add(BOOTH "/" JOURNAL, "One", 3);
    add(BOOTH "/" BALLOT, "Vote", 4);
    add(BOOTH "/" BALLOT ".part", "torn", 4);
    add(BOOTH "/notes.txt", "ours", 4);
    for (unsigned i = 0; i < 3; i++)
        tick();
    assert_file(DESK "/" PLACE "/" JOURNAL, "One", 3);
    assert_file(DESK "/" PLACE "/" BALLOT, "Vote", 4);
    assert_int_not_equal(access(DESK "/" PLACE "/notes.txt", F_OK), 0);
    assert_int_not_equal(access(DESK "/" PLACE "/" BALLOT ".part", F_OK), 0);
    assert_int_equal(outbox_waiting(outbox), 0);
    add(BOOTH "/" JOURNAL, "Two", 3);
    tick();
    assert_int_equal(outbox_waiting(outbox), 1); /* the answer counts at the next tick */
    tick();
    assert_int_equal(outbox_waiting(outbox), 0);
    assert_file(DESK "/" PLACE "/" JOURNAL, "OneTwo", 6);
    /* Nothing is sent where nothing has changed. */
    answers = 0;
    for (unsigned i = 0; i < 20; i++)
        tick();
    assert_int_equal(answers, 0);
}

/* While there is no way to the desk, what waits is counted all the same. */
static void test_waiting(void **state)
{
    (void)state;
    outbox_look(outbox);
    assert_int_equal(outbox_waiting(outbox), 0);
    add(BOOTH "/" JOURNAL, "One", 3);
    outbox_look(outbox);
    assert_int_equal(outbox_waiting(outbox), 1);
    for (unsigned i = 0; i < 3; i++)
        tick();
    assert_int_equal(outbox_waiting(outbox), 0);
    outbox_look(outbox);
    assert_int_equal(outbox_waiting(outbox), 0);
    add(BOOTH "/" JOURNAL, "Two", 3);
    add(BOOTH "/" BALLOT, "Vote", 4);
    outbox_look(outbox);
    assert_int_equal(outbox_waiting(outbox), 2);
    for (unsigned i = 0; i < 3; i++)
        tick();
    assert_int_equal(outbox_waiting(outbox), 0);
    assert_file(DESK "/" PLACE "/" JOURNAL, "OneTwo", 6);
}

/* Both are started again: from the desk's answer on, not from the beginning. */
static void test_from_have(void **state)
{
    static uint8_t bytes[40000];
    (void)state;
    randombytes_buf(bytes, sizeof bytes);
    add(BOOTH "/" JOURNAL, bytes, 30000);
    for (unsigned i = 0; i < 4; i++)
        tick();
    inbox_close(inbox);
    outbox_destroy(outbox);
    open_both();
    add(BOOTH "/" JOURNAL, bytes + 30000, 10000);
    tick(); /* asks */
    answers = 0;
    tick(); /* sends one piece */
    assert_int_equal(answers, 1);
    assert_file(DESK "/" PLACE "/" JOURNAL, bytes, sizeof bytes);
}

/* The desk's power was cut, and its disk has bytes that nobody has sent: the record goes on in its
 * copy, not in a second one. */
static void test_torn(void **state)
{
    static const uint8_t dirt[100];
    const struct ballot_head head = {.session = "r1-j1",
                                     .rules = "loebner-2004",
                                     .vote = {.kind = BALLOT_POINTS},
                                     .sealing = SEALED_WITH_SESSION};
    char text[BALLOT_LINE_MAX + 10];
    size_t length = ballot_head_write(&head, text);
    (void)state;
    memcpy(text + length, "Two\nThree\n", 10);
    length += 4;
    add(BOOTH "/" BALLOT, text, length);
    for (unsigned i = 0; i < 3; i++)
        tick();
    inbox_close(inbox);
    outbox_destroy(outbox);
    add(DESK "/" PLACE "/" BALLOT, dirt, sizeof dirt);
    open_both();
    /* At once: an audience must never read what no machine has sent. */
    inbox_add(inbox, PLACE);
    assert_file(DESK "/" PLACE "/" BALLOT, text, length);
    add(BOOTH "/" BALLOT, "Three\n", 6);
    for (unsigned i = 0; i < 4; i++)
        tick();
    assert_file(DESK "/" PLACE "/" BALLOT, text, length + 6);
    assert_int_not_equal(access(DESK "/" PLACE "-2", F_OK), 0);
}

/* Each seventh message is lost, each fifth comes twice. */
static void test_lost_and_doubled(void **state)
{
    static uint8_t bytes[400000];
    (void)state;
    randombytes_buf(bytes, sizeof bytes);
    lose_every = 7;
    for (unsigned i = 0; i < 40; i++) {
        add(BOOTH "/" JOURNAL, bytes + 10000 * i, 10000);
        tick();
    }
    for (unsigned i = 0; i < 100 && (i == 0 || outbox_waiting(outbox)); i++)
        tick();
    assert_int_equal(outbox_waiting(outbox), 0);
    assert_file(DESK "/" PLACE "/" JOURNAL, bytes, sizeof bytes);
    assert_int_not_equal(access(DESK "/" PLACE "-2", F_OK), 0);
}

/* A journal that lost its tail with the power, although the desk has it, and went on otherwise;
 * then a spare machine with another journal of that name. */
static void test_other_bytes(void **state)
{
    (void)state;
    add(BOOTH "/" JOURNAL, "One, two, three", 15);
    for (unsigned i = 0; i < 3; i++)
        tick();
    assert_int_equal(truncate(BOOTH "/" JOURNAL, 5), 0);
    for (unsigned i = 0; i < 6; i++)
        tick();
    assert_file(DESK "/" PLACE "/" JOURNAL, "One, two, three", 15);
    assert_file(DESK "/" PLACE "-2/" JOURNAL, "One, ", 5);
    add(BOOTH "/" JOURNAL, "four", 4);
    for (unsigned i = 0; i < 2; i++)
        tick();
    assert_file(DESK "/" PLACE "-2/" JOURNAL, "One, four", 9);
    assert_int_equal(unlink(BOOTH "/" JOURNAL), 0);
    outbox_destroy(outbox);
    assert_int_equal(outbox_create(&outbox, BOOTH, false, &diag), BL_OK);
    add(BOOTH "/" JOURNAL, "Another session, of the spare machine", 37);
    for (unsigned i = 0; i < 8; i++)
        tick();
    assert_file(DESK "/" PLACE "-3/" JOURNAL, "Another session, of the spare machine", 37);
    assert_file(DESK "/" PLACE "/" JOURNAL, "One, two, three", 15);
    assert_file(DESK "/" PLACE "-2/" JOURNAL, "One, four", 9);
    /* Started again it finds its copy. */
    outbox_destroy(outbox);
    assert_int_equal(outbox_create(&outbox, BOOTH, false, &diag), BL_OK);
    add(BOOTH "/" JOURNAL, ", on", 4);
    for (unsigned i = 0; i < 8; i++)
        tick();
    assert_file(DESK "/" PLACE "-3/" JOURNAL, "Another session, of the spare machine, on", 41);
    assert_int_not_equal(access(DESK "/" PLACE "-4", F_OK), 0);
}

/* The same name twice within one piece's overlap: OTHER comes from the desk itself. */
static void test_overlap_differs(void **state)
{
    struct post_piece piece = {.kind = POST_PIECE, .copy = 1, .file = JOURNAL, .length = 4};
    (void)state;
    piece.bytes = (const uint8_t *)"abcd";
    assert_int_equal(inbox_take(inbox, PLACE, &piece, &diag), BL_OK);
    piece.bytes = (const uint8_t *)"cXef";
    piece.offset = 2;
    assert_int_equal(inbox_take(inbox, PLACE, &piece, &diag), BL_OK);
    piece.bytes = (const uint8_t *)"gap!";
    piece.offset = 9;
    assert_int_equal(inbox_take(inbox, PLACE, &piece, &diag), BL_OK);
    assert_int_equal(inbox_sync(inbox, on_answer, NULL, &diag), BL_OK);
    assert_int_equal(answers, 1);
    assert_file(DESK "/" PLACE "/" JOURNAL, "abcd", 4);
}

/* A place's key is good for that place alone, for records, and for so many. */
static void test_hostile_place(void **state)
{
    static const char *const places[] = {"booth-1-judge-2", "booth", "..", "booth-0-judge"};
    struct post_piece piece = {.kind = POST_ASK, .copy = 1};
    (void)state;
    strcpy(piece.file, JOURNAL);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        assert_int_equal(inbox_take(inbox, places[i], &piece, &diag), BL_DATA);
    strcpy(piece.file, "stick.list");
    assert_int_equal(inbox_take(inbox, PLACE, &piece, &diag), BL_DATA);
    assert_string_equal(diag.text, PLACE ": stick.list: expected a journal or a ballot");
    piece.kind = POST_HAVE;
    strcpy(piece.file, JOURNAL);
    assert_int_equal(inbox_take(inbox, PLACE, &piece, &diag), BL_DATA);
    piece.kind = POST_ASK;
    for (unsigned i = 0; i < 512; i++) {
        snprintf(piece.file, sizeof piece.file, "r%u-j1-judge.journal", i);
        assert_int_equal(inbox_take(inbox, PLACE, &piece, &diag), BL_OK);
    }
    strcpy(piece.file, "r512-j1-judge.journal");
    assert_int_equal(inbox_take(inbox, PLACE, &piece, &diag), BL_FULL);
    assert_int_equal(inbox_take(inbox, "booth-1-cable-a", &piece, &diag), BL_OK);
    /* A link that stands there leads nowhere. */
    mkdir(DESK "/booth-2-judge", 0700);
    add("outside", "ours", 4);
    assert_int_equal(symlink("../../outside", DESK "/booth-2-judge/" JOURNAL), 0);
    strcpy(piece.file, JOURNAL);
    assert_int_not_equal(inbox_take(inbox, "booth-2-judge", &piece, &diag), BL_OK);
    assert_file("outside", "ours", 4);
}

/* A disk that takes two bytes only: the fault stays until the file has been written, and the booth
 * then sends the rest by itself. */
static void test_no_room(void **state)
{
    struct rlimit all, two = {.rlim_cur = 2};
    (void)state;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &all), 0);
    two.rlim_max = all.rlim_max;
    add(BOOTH "/" JOURNAL, "Three", 5);
    tick();
    assert_null(inbox_fault(inbox, now_us));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &two), 0);
    for (unsigned i = 0; i < 6; i++)
        tick();
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &all), 0);
    const char *fault = inbox_fault(inbox, now_us);
    assert_non_null(fault);
    assert_string_equal(fault, DESK "/" PLACE "/" JOURNAL ": File too large");
    assert_file(DESK "/" PLACE "/" JOURNAL, "Three", 2);
    assert_int_equal(outbox_waiting(outbox), 1);
    for (unsigned i = 0; i < 5; i++)
        tick();
    assert_null(inbox_fault(inbox, now_us));
    assert_file(DESK "/" PLACE "/" JOURNAL, "Three", 5);
    assert_int_equal(outbox_waiting(outbox), 0);
}

/* A file that the disk did not take, and that the booth then has no more: its fault ends with the
 * writes of others, but not while it is tried between them. */
static void test_a_file_that_is_gone(void **state)
{
    struct rlimit all, two = {.rlim_cur = 2};
    char name[40];
    unsigned stood = 0;
    (void)state;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &all), 0);
    two.rlim_max = all.rlim_max;
    add(BOOTH "/" JOURNAL, "Thr", 3);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &two), 0);
    tick();
    tick();
    for (unsigned i = 2; i < 30; i++) {
        snprintf(name, sizeof name, BOOTH "/r%u-j1-judge.journal", i);
        add(name, "ok", 2);
        tick();
        stood += inbox_fault(inbox, now_us) != NULL;
    }
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &all), 0);
    assert_int_equal(stood, 28);
    assert_int_equal(unlink(BOOTH "/" JOURNAL), 0);
    add(BOOTH "/" JOURNAL, "ok", 2); /* another contest's, as the next copy */
    for (unsigned i = 30; i < 50; i++) {
        snprintf(name, sizeof name, BOOTH "/r%u-j1-judge.journal", i);
        add(name, "ok", 2);
        tick();
        if (i < 35)
            assert_non_null(inbox_fault(inbox, now_us));
    }
    assert_null(inbox_fault(inbox, now_us));
}

static void test_one_desk(void **state)
{
    struct inbox *second;
    (void)state;
    assert_int_equal(inbox_open(&second, DESK, &diag), BL_BUSY);
    assert_string_equal(diag.text, "desk: another desk is at work there");
    assert_null(second);
}

/* While a terminal has one of its journals, an entity's machine says nothing and its disk rests. */
static void test_between_sessions(void **state)
{
    (void)state;
    outbox_destroy(outbox);
    assert_int_equal(outbox_create(&outbox, BOOTH, true, &diag), BL_OK);
    add(BOOTH "/r1-j1-entity.journal", "before", 6);
    add(BOOTH "/r2-j1-entity.journal", "now", 3);
    FILE *held = fopen(BOOTH "/r2-j1-entity.journal", "a");
    assert_int_equal(flock(fileno(held), LOCK_EX), 0);
    for (unsigned i = 0; i < 5; i++)
        tick();
    assert_int_equal(answers, 0);
    fclose(held);
    for (unsigned i = 0; i < 4; i++)
        tick();
    assert_file(DESK "/" PLACE "/r1-j1-entity.journal", "before", 6);
    assert_file(DESK "/" PLACE "/r2-j1-entity.journal", "now", 3);
}

/* A file that cannot be read is told once, and the others go. */
static void test_unreadable(void **state)
{
    (void)state;
    assert_int_equal(mkdir(BOOTH "/r1-j2-judge.journal", 0700), 0);
    add(BOOTH "/" JOURNAL, "One", 3);
    assert_int_not_equal(outbox_tick(outbox, on_send, NULL, &diag), BL_OK);
    assert_non_null(strstr(diag.text, "booth/r1-j2-judge.journal"));
    for (unsigned i = 0; i < 3; i++)
        tick();
    assert_file(DESK "/" PLACE "/" JOURNAL, "One", 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_grows, begin, end),
        cmocka_unit_test_setup_teardown(test_waiting, begin, end),
        cmocka_unit_test_setup_teardown(test_from_have, begin, end),
        cmocka_unit_test_setup_teardown(test_torn, begin, end),
        cmocka_unit_test_setup_teardown(test_lost_and_doubled, begin, end),
        cmocka_unit_test_setup_teardown(test_other_bytes, begin, end),
        cmocka_unit_test_setup_teardown(test_overlap_differs, begin, end),
        cmocka_unit_test_setup_teardown(test_hostile_place, begin, end),
        cmocka_unit_test_setup_teardown(test_no_room, begin, end),
        cmocka_unit_test_setup_teardown(test_a_file_that_is_gone, begin, end),
        cmocka_unit_test_setup_teardown(test_one_desk, begin, end),
        cmocka_unit_test_setup_teardown(test_between_sessions, begin, end),
        cmocka_unit_test_setup_teardown(test_unreadable, begin, end)};
    return cmocka_run_group_tests_name("inbox", tests, NULL, NULL);
}
