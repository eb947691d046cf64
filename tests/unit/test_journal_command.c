/* "boothlink journal" and "boothlink transcript" on real files. */
#include "command/command.h"
#include "journal/journal.h"
#include "tests/support/records.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include <cmocka.h>

#define T0 1252251165610049u /* 2009-09-06T15:32:45.610049Z */

static char directory[PATH_MAX - 64];
static char said[2][8192]; /* standard output, standard error */

static const char *file(const char *name)
{
    static char path[4][PATH_MAX];
    static unsigned next;
    char *p = path[next++ % 4];
    snprintf(p, PATH_MAX, "%s/%s", directory, name);
    return p;
}

static void read_file(const char *path, char *text, size_t room)
{
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    text[fread(text, 1, room - 1, f)] = '\0';
    fclose(f);
}

/* Runs the program with these arguments and keeps what it said; returns its exit status. */
#define run(...) run_arguments((const char *const[]){"boothlink", __VA_ARGS__, NULL})
static int run_arguments(const char *const *arguments)
{
    FILE *stream[2] = {stdout, stderr};
    const char *name[2] = {file("stdout"), file("stderr")};
    char *argv[20];
    int argc = 0, saved[2], status;
    do
        argv[argc] = (char *)arguments[argc];
    while (argv[argc] && ++argc < 20);
    for (int i = 0; i < 2; i++) {
        fflush(stream[i]);
        saved[i] = dup(i + 1);
        FILE *f = fopen(name[i], "w");
        assert_non_null(f);
        dup2(fileno(f), i + 1);
        fclose(f);
    }
    status = boothlink_main(argc, argv);
    for (int i = 0; i < 2; i++) {
        fflush(stream[i]);
        dup2(saved[i], i + 1);
        close(saved[i]);
        read_file(name[i], said[i], sizeof said[i]);
    }
    return status;
}

static void put(struct journal *j, struct journal_record e)
{
    assert_int_equal(journal_append(j, &e), BL_OK);
}

static struct journal *make(const char *name, const char *session, enum party role)
{
    struct journal_record header = records_header(session, role, T0);
    struct journal *j = NULL;
    struct bl_diag diag;
    if (journal_open(&j, &disk_real, file(name), &header, NULL, NULL, NULL, &diag) != BL_OK)
        fail_msg("%s", diag.text);
    return j;
}

static struct journal_record segment(enum segment_state state, uint64_t at_us)
{
    return (struct journal_record){
        .kind = JOURNAL_SEGMENT,
        .side = SIDE_LEFT,
        .wall_us = T0 + at_us,
        .as.segment = {.generation = 1, .state = state, .remaining_us = UINT64_MAX}};
}

/* A judge's journal, and the entity's that missed the last key and the end. */
static int make_pair(void **state)
{
    struct journal_record pressed = {
        .kind = JOURNAL_PRESSED,
        .wall_us = T0 + 5000000,
        .as.pressed = {
            .first = 1, .segment = 1, .run = {.text = (const uint8_t *)"Yo\r", .length = 3}}};
    const char *tmp = getenv("TMPDIR");
    (void)state;
    snprintf(directory, sizeof directory, "%s/test_journal_command.XXXXXX", tmp ? tmp : "/tmp");
    assert_non_null(mkdtemp(directory));
    struct journal *j = make("j.journal", "s1", PARTY_JUDGE);
    struct journal *e = make("e.journal", "s1", PARTY_ENTITY);
    put(j, segment(SEGMENT_OPEN, 0));
    put(e, segment(SEGMENT_OPEN, 10));
    put(j, records_keys(SIDE_LEFT, PARTY_JUDGE, 1, T0 + 1000000, "Hi\r"));
    put(e, records_keys(SIDE_LEFT, PARTY_JUDGE, 1, T0 + 1000000, "Hi\r"));
    put(e, pressed);
    put(j, records_keys(SIDE_LEFT, PARTY_ENTITY, 4, T0 + 2000000, "Yo"));
    put(e, records_keys(SIDE_LEFT, PARTY_ENTITY, 4, T0 + 2000000, "Yo"));
    put(j, records_keys(SIDE_LEFT, PARTY_ENTITY, 6, T0 + 2100000, "\r"));
    put(j, segment(SEGMENT_CLOSING, 2500000));
    put(j, segment(SEGMENT_CLOSED, 3000000));
    put(j, (struct journal_record){
               .kind = JOURNAL_CLOSE,
               .wall_us = T0 + 3000001,
               .as.close = {.generation = 1, .n = 6, .placed = 3, .outcome = CLOSE_UNCONFIRMED}});
    journal_close(j);
    journal_close(e);
    return 0;
}

static int remove_pair(void **state)
{
    char command[PATH_MAX];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    return system(command);
}

static void test_show(void **state)
{
    (void)state;
    assert_int_equal(run("journal", "show", file("j.journal")), EX_OK);
    assert_string_equal(
        said[0],
        "2009-09-06T15:32:45.610049Z left  header    session s1, judge's end, style split "
        "columns=38\n"
        "2009-09-06T15:32:45.610049Z left  part      1 (plan's 1) open\n"
        "2009-09-06T15:32:46.610049Z left  keys      judge 1-3 \"Hi\\r\"\n"
        "2009-09-06T15:32:47.610049Z left  keys      entity 4-5 \"Yo\"\n"
        "2009-09-06T15:32:47.710049Z left  keys      entity 6 \"\\r\"\n"
        "2009-09-06T15:32:48.110049Z left  part      1 (plan's 1) closing\n"
        "2009-09-06T15:32:48.610049Z left  part      1 (plan's 1) closed\n"
        "2009-09-06T15:32:48.610050Z left  end       1 unconfirmed: 6 keys, 3 of the entity, page "
        "0000000000000000\n");
    assert_string_equal(said[1], "");
    assert_int_equal(run("journal", "show", "--json", file("e.journal")), EX_OK);
    assert_non_null(strstr(said[0], "{\"time\":\"2009-09-06T15:32:50.610049Z\","
                                    "\"time_us\":1252251170610049,\"side\":\"left\","
                                    "\"kind\":\"pressed\",\"segment\":1,\"first\":1,\"last\":3,"
                                    "\"text\":\"Yo\\r\"}\n"));
}

static void test_check(void **state)
{
    FILE *f;
    (void)state;
    assert_int_equal(run("journal", "check", file("j.journal")), EX_OK);
    assert_string_equal(said[0], "left: part 1 ended unconfirmed, 6 keys\n"
                                 "session s1, judge's end\n"
                                 "left: 6 keys, 3 of the judge, 3 of the entity, 0 missing, 0 "
                                 "contradicted\n"
                                 "8 records, 0 notes, 0 damaged places, 0 torn bytes: sound\n");
    /* A byte of "Hi" flips. */
    f = fopen(file("j.journal"), "r+");
    assert_non_null(f);
    char bytes[512];
    size_t length = fread(bytes, 1, sizeof bytes, f);
    char *hi = memmem(bytes, length, "Hi\r", 3);
    assert_non_null(hi);
    fseek(f, hi - bytes, SEEK_SET);
    fputc('h', f);
    fclose(f);
    assert_int_equal(run("journal", "check", file("j.journal")), EX_DATAERR);
    assert_non_null(strstr(said[0], "3 keys, 0 of the judge, 3 of the entity, 3 missing"));
    assert_non_null(strstr(said[0], "1 damaged place, 0 torn bytes: damaged\n"));
    assert_int_equal(run("journal", "check", file("none.journal")), EX_NOINPUT);
    assert_non_null(strstr(said[1], "none.journal"));
    assert_int_equal(run("journal", "check", file("stdout")), EX_DATAERR);
}

static void test_settle(void **state)
{
    static char before[8192];
    (void)state;
    assert_int_equal(run("journal", "settle", file("e.journal"), file("j.journal")), EX_OK);
    assert_string_equal(said[0], "settled the left: 0 keys added to the judge's journal, 1 to the "
                                 "entity's, 6 in both now\n");
    assert_int_equal(run("journal", "show", file("e.journal")), EX_OK);
    assert_non_null(strstr(said[0], "keys      entity 6 \"\\r\"\n"));
    assert_non_null(strstr(said[0], "1 settled: 6 keys, 3 of the entity, page "));
    assert_null(strstr(said[0], "page 0000000000000000"));
    assert_non_null(strstr(said[0], "note      settled: settled with the other end's journal: 1 "
                                    "key added, 6 now (1)\n"));
    strcpy(before, said[0]);
    assert_int_equal(run("journal", "settle", file("j.journal"), file("e.journal")), EX_OK);
    assert_string_equal(said[0], "already equal: 6 keys on the left\n");
    assert_int_equal(run("journal", "show", file("e.journal")), EX_OK);
    assert_string_equal(said[0], before);
}

static void test_settle_refuses(void **state)
{
    struct journal *j = make("other.journal", "s2", PARTY_ENTITY);
    (void)state;
    journal_close(j);
    assert_int_equal(run("journal", "settle", file("j.journal"), file("other.journal")),
                     EX_DATAERR);
    assert_non_null(strstr(said[1], "session s2"));
    assert_int_equal(run("journal", "settle", file("e.journal"), file("other.journal")),
                     EX_DATAERR);
    assert_non_null(strstr(said[1], "both of the entity's end"));
    assert_int_equal(run("journal", "settle", file("e.journal"), file("e.journal")), EX_USAGE);
    assert_int_equal(run("journal", "settle", file("e.journal")), EX_USAGE);
    assert_int_equal(run("journal", "settle", "--side", "up", file("j.journal"), file("e.journal")),
                     EX_USAGE);
    j = make("wrong.journal", "s1", PARTY_ENTITY);
    put(j, records_keys(SIDE_LEFT, PARTY_JUDGE, 1, T0 + 1000000, "H"));
    put(j, records_keys(SIDE_LEFT, PARTY_ENTITY, 2, T0 + 1500000, "?"));
    /* It is still being written. */
    assert_int_equal(run("journal", "settle", file("j.journal"), file("wrong.journal")),
                     EX_TEMPFAIL);
    journal_close(j);
    assert_int_equal(run("journal", "settle", file("j.journal"), file("wrong.journal")),
                     EX_DATAERR);
    assert_string_equal(
        said[1], "boothlink journal settle: the journals differ at key 2: the judge's has i of the "
                 "judge, 2009-09-06T15:32:46.610049Z; the entity's has ? of the entity, "
                 "2009-09-06T15:32:47.110049Z; nothing was changed\n");
}

static void test_transcript(void **state)
{
    static char cast[8192];
    (void)state;
    assert_int_equal(
        run("transcript", "convert", file("j.journal"), "--header", "First", "--header=Second"),
        EX_OK);
    assert_string_equal(said[0], "First\nSecond\n"
                                 "*** session s1, judge's record, times in UTC\n"
                                 "*** 2009-09-06 15:32:45 left: part 1 opened\n"
                                 "[15:32:46] Judge: Hi\n"
                                 "[15:32:47] Entity: Yo\n"
                                 "*** 2009-09-06 15:32:48 left: part 1 closed\n"
                                 "*** 2009-09-06 15:32:48 left: part 1, end unconfirmed, 6 "
                                 "keys\n");
    assert_int_equal(run("transcript", "convert", file("j.journal"), "--to", "keys",
                         "--entity-journal", file("e.journal")),
                     EX_OK);
    assert_non_null(strstr(said[0], "\n3 left judge 2009-09-06T15:32:46.610049Z - Return\n"
                                    "4 left entity 2009-09-06T15:32:47.610049Z "
                                    "2009-09-06T15:32:50.610049Z Y\n"));
    /* The entity's own journal brings its times along. */
    assert_int_equal(run("transcript", "convert", file("e.journal"), "--to", "keys"), EX_OK);
    assert_non_null(strstr(said[0], "2009-09-06T15:32:50.610049Z o\n"));
    assert_int_equal(run("transcript", "convert", file("j.journal"), "--to", "asciicast",
                         "--output", file("j.cast")),
                     EX_OK);
    assert_string_equal(said[0], "");
    read_file(file("j.cast"), cast, sizeof cast);
    assert_int_equal(strncmp(cast, "{\"version\": 2, \"width\": 38,", 27), 0);
    assert_int_equal(run("transcript", "convert", file("j.journal"), "--to", "pdf"), EX_USAGE);
    assert_int_equal(
        run("transcript", "convert", file("j.journal"), "--entity-journal", file("j.journal")),
        EX_DATAERR);
    assert_int_equal(run("transcript", "convert", file("j.journal"), "--output", "/dev/full"),
                     EX_IOERR);
    assert_int_equal(run("transcript", "convert"), EX_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_show, make_pair, remove_pair),
        cmocka_unit_test_setup_teardown(test_check, make_pair, remove_pair),
        cmocka_unit_test_setup_teardown(test_settle, make_pair, remove_pair),
        cmocka_unit_test_setup_teardown(test_settle_refuses, make_pair, remove_pair),
        cmocka_unit_test_setup_teardown(test_transcript, make_pair, remove_pair),
    };
    return cmocka_run_group_tests_name("journal_command", tests, NULL, NULL);
}
