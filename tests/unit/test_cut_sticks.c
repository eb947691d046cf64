/* A stick at a machine, cut at each call that changes a disk: killed, full, pulled, switched off. A
 * record is never on fewer disks than the board has said, nothing older takes the place of what is
 * newer, and doing it once more ends as if nothing had happened. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/crc32c.h"
#include "base/file.h"
#include "booth/contest_records.h"
#include "booth/stick_files.h"
#include "entity/install.h"
#include "tests/cut/files.h"

#define PLACE   "booth-3-judge"
#define RECORDS CUT_MACHINE "/records"
#define OWN     RECORDS "/" PLACE
#define GIVEN   CUT_STICK "/boothlink/records/" PLACE
#define RANKS   "ranks-j2-judge.ballot"

static struct bl_diag diag;
static char where[160];

#define holds(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fail_msg("%s: not so: %s", where, #condition);                                         \
    } while (0)

static void put(const char *path, const char *text)
{
    cut_put(path, text, strlen(text));
}

/* NULL: there is no such file. */
static char *get(const char *path)
{
    char *text = NULL;
    size_t length;
    return file_read(&text, &length, path, 65536, "a file", NULL) == BL_OK ? text : NULL;
}

static bool has(const char *path, const char *text)
{
    char *there = get(path);
    const bool same = there && strcmp(there, text) == 0;
    free(there);
    return same;
}

static void put_list(int64_t acts, const char *const paths[])
{
    struct stick stick = {true, STICK_JUDGES, acts, "A contest"};
    char line[STICK_LINE_MAX], text[4096], path[PATH_MAX];
    stick_head_write(&stick, text);
    for (size_t i = 0; paths[i]; i++) {
        struct stick_file file = {.bytes = 0};
        snprintf(path, sizeof path, CUT_STICK "/boothlink/%s", paths[i]);
        char *bytes = get(path);
        assert_non_null(bytes);
        snprintf(file.path, sizeof file.path, "%s", paths[i]);
        file.bytes = strlen(bytes);
        file.crc = crc32c(0, bytes, file.bytes);
        free(bytes);
        stick_file_write(&file, line);
        strcat(text, line);
    }
    put(CUT_STICK "/boothlink/stick.list", text);
}

/* The records of this machine, and how much of them the stick has had. */
static const struct record {
    const char *name, *text, *before;
} records[] = {
    {"r1-j2-judge.journal", "one\n", "one\n"},
    {"r2-j2-judge.journal", "two, which has grown\n", "two, "},
    {"r2-j2-judge.ballot", "given once\ngiven twice\n", "given once\n"},
    {"r3-j2-judge.journal", "three, which is new\n", ""},
};
#define RECORD_COUNT (sizeof records / sizeof *records)

static void put_records(bool fresh)
{
    char path[PATH_MAX];
    for (size_t i = 0; i < RECORD_COUNT; i++) {
        snprintf(path, sizeof path, RECORDS "/%s", records[i].name);
        put(path, records[i].text);
        snprintf(path, sizeof path, GIVEN "/%s", records[i].name);
        if (!fresh && records[i].before[0])
            put(path, records[i].before);
    }
    put(RECORDS "/records.saved", fresh ? ""
                                        : "r1-j2-judge.journal 4\nr2-j2-judge.journal 5\n"
                                          "r2-j2-judge.ballot 11\n");
}

/* Promises at any time. */
static void check_records(bool fresh)
{
    char path[PATH_MAX];
    const bool saved = contest_records_count(RECORDS).unsaved == 0;
    for (size_t i = 0; i < RECORD_COUNT; i++) {
        snprintf(path, sizeof path, RECORDS "/%s", records[i].name);
        holds(has(path, records[i].text));
        snprintf(path, sizeof path, GIVEN "/%s", records[i].name);
        char *there = get(path);
        const size_t length = there ? strlen(there) : 0;
        holds(length >= (fresh ? 0 : strlen(records[i].before)));
        holds(strncmp(there ? there : "", records[i].text, length) == 0);
        holds(!saved || (there && strcmp(there, records[i].text) == 0));
        free(there);
    }
}

/* As a booth does with a stick that was put in (booth/day_run.c). */
static bool take_and_give(void *ctx)
{
    bool changed;
    (void)ctx;
    enum bl_status status = stick_check(CUT_STICK, PLACE, RECORDS, &diag);
    if (!status)
        status = stick_take(CUT_STICK, PLACE, OWN, &changed, &diag);
    if (!status)
        status = stick_keep_key(OWN, RECORDS, &diag);
    const enum bl_status given = stick_give(CUT_STICK, PLACE, RECORDS, &diag);
    return !status && !given;
}

static void put_tickets(void)
{
    static const char *const paths[] = {PLACE "/002-2.ticket", PLACE "/003.ticket",
                                        PLACE "/line-a.key", PLACE "/place.key", NULL};
    put(RECORDS "/place.key", "the place's old key\n");
    put(OWN "/002.ticket", "the second, old\n");
    put(OWN "/003.ticket", "the third, old\n");
    put(OWN "/line-a.key", "the old key\n");
    put(CUT_STICK "/boothlink/" PLACE "/002-2.ticket", "the second, again\n");
    put(CUT_STICK "/boothlink/" PLACE "/003.ticket", "the third\n");
    put(CUT_STICK "/boothlink/" PLACE "/line-a.key", "the key\n");
    put(CUT_STICK "/boothlink/" PLACE "/place.key", "the place's key\n");
    put_list(12, paths);
}

/* A ticket is whole, and of a new one all is there that it needs. */
static void check_tickets(void)
{
    char *third = get(OWN "/003.ticket"), *key = get(OWN "/line-a.key");
    holds(third && key);
    holds(strcmp(third, "the third\n") == 0 || strcmp(third, "the third, old\n") == 0);
    holds(strcmp(key, "the key\n") == 0 || strcmp(key, "the old key\n") == 0);
    if (access(OWN "/002-2.ticket", F_OK) == 0)
        holds(has(OWN "/002-2.ticket", "the second, again\n"));
    else
        holds(has(OWN "/002.ticket", "the second, old\n"));
    if (access(OWN "/002-2.ticket", F_OK) == 0 || strcmp(third, "the third\n") == 0)
        holds(strcmp(key, "the key\n") == 0);
    holds(has(RECORDS "/place.key", "the place's old key\n") ||
          has(RECORDS "/place.key", "the place's key\n"));
    free(third);
    free(key);
}

/* The stories. */

struct story {
    const char *name;
    void (*make)(void);
    bool (*run)(void *ctx);
    void (*check)(enum cut_end end);
};

static void make_newer(void)
{
    put_tickets();
    put_records(false);
}

static void check_newer(enum cut_end end)
{
    check_tickets();
    check_records(false);
    if (end == CUT_DONE)
        holds(has(RECORDS "/place.key", "the place's key\n"));
    if (end == CUT_DONE)
        holds(contest_records_count(RECORDS).unsaved == 0);
}

static void make_first(void)
{
    put_tickets();
    put_records(true);
}

static void check_first(enum cut_end end)
{
    check_tickets();
    check_records(true);
    if (end == CUT_DONE)
        holds(contest_records_count(RECORDS).unsaved == 0);
}

/* A judge's ranks were given here, and those of the next judge are on the stick. */
static void make_ranks(void)
{
    static const char *const paths[] = {
        "judge-2-ranks/ranks.ticket", "judge-2-ranks/r1-j2-judge.journal",
        "judge-4-ranks/ranks.ticket", "judge-4-ranks/r1-j4-judge.journal", NULL};
    put_records(false);
    put(RECORDS "/judge-2-ranks/ranks.ticket", "two\n");
    put(RECORDS "/judge-2-ranks/r1-j2-judge.journal", "one\n");
    put(RECORDS "/judge-2-ranks/" RANKS, "the ranks\n");
    put(CUT_STICK "/boothlink/judge-2-ranks/ranks.ticket", "two\n");
    put(CUT_STICK "/boothlink/judge-2-ranks/r1-j2-judge.journal", "one\n");
    put(CUT_STICK "/boothlink/judge-4-ranks/ranks.ticket", "four\n");
    put(CUT_STICK "/boothlink/judge-4-ranks/r1-j4-judge.journal", "four's\n");
    put_list(12, paths);
    put(CUT_STICK "/boothlink/judge-2-ranks/taken", PLACE);
}

static bool exchange_ranks(void *ctx)
{
    unsigned judge;
    if (!take_and_give(ctx))
        return false;
    const bool here = access(RECORDS "/judge-2-ranks/ranks.ticket", F_OK) == 0;
    const bool given =
        access(RECORDS "/judge-2-ranks/" RANKS, F_OK) == 0 || access(RECORDS "/" RANKS, F_OK) == 0;
    if (here && given && stick_give_ranks(CUT_STICK, PLACE, RECORDS, 1, RANKS, &diag))
        return false;
    if (here && !given)
        return true; /* he ranks again */
    const enum bl_status status = stick_take_ranks(CUT_STICK, PLACE, RECORDS, &judge, &diag);
    return status == BL_OK || status == BL_NOINPUT;
}

static void check_ranks(enum cut_end end)
{
    const bool kept = has(RECORDS "/" RANKS, "the ranks\n");
    const bool first = has(RECORDS "/judge-2-ranks/" RANKS, "the ranks\n");
    const bool there = has(GIVEN "/" RANKS, "the ranks\n");
    check_records(false);
    holds(kept || first);
    if (access(RECORDS "/" RANKS, F_OK) == 0)
        holds(kept);
    if (access(GIVEN "/" RANKS, F_OK) == 0)
        holds(there);
    /* The stick asks for them no more: then it has them. */
    if (access(CUT_STICK "/boothlink/judge-2-ranks/ranks.ticket", F_OK) != 0)
        holds(there && kept);
    if (end == CUT_DONE)
        holds(there && kept);
    /* Another judge's folder is taken whole. */
    if (access(RECORDS "/judge-4-ranks/ranks.ticket", F_OK) == 0)
        holds(has(RECORDS "/judge-4-ranks/r1-j4-judge.journal", "four's\n") &&
              has(CUT_STICK "/boothlink/judge-4-ranks/taken", PLACE));
}

/* Another machine of this place has given a record of the same name: this one is a spare. */
static void make_spare(void)
{
    put_tickets();
    put_records(true);
    put(GIVEN "/r2-j2-judge.journal", "of the machine that failed\n");
    put(GIVEN "-2/r2-j2-judge.journal", "two, ");
}

static void check_spare(enum cut_end end)
{
    char *mine = get(GIVEN "-2/r2-j2-judge.journal");
    check_tickets();
    holds(has(GIVEN "/r2-j2-judge.journal", "of the machine that failed\n"));
    holds(mine && strlen(mine) >= 5 && strncmp(mine, records[1].text, strlen(mine)) == 0);
    if (end == CUT_DONE || contest_records_count(RECORDS).unsaved == 0)
        holds(strcmp(mine, records[1].text) == 0 &&
              has(GIVEN "/r3-j2-judge.journal", records[3].text));
    free(mine);
}

/* An Entry comes to the machine that runs it. */

static char entry[INSTALL_NAME];

static void make_entry(void)
{
    char path[PATH_MAX];
    unsigned files;
    put("handed/run", "#!/bin/sh\necho Hello\n");
    put("handed/sub/words", "Hello\n");
    put("handed/more", "and more\n");
    assert_int_equal(manifest_write("handed", "sh run", &files, &diag), BL_OK);
    assert_int_equal(install_name("handed", entry, &diag), BL_OK);
    snprintf(path, sizeof path, CUT_STICK "/boothlink/entries/%s", entry);
    put(CUT_STICK "/boothlink/entries/other/x", "another's\n");
    put(RECORDS "/r1-j1-entity.journal", "one\n");
    cut_copy("handed", path);
    cut_remove("handed");
}

static bool take_entry(void *ctx)
{
    (void)ctx;
    return stick_take_entry(CUT_STICK, entry, RECORDS "/entries", &diag) == BL_OK;
}

/* It is there as a whole, or not at all. */
static void check_entry(enum cut_end end)
{
    char path[PATH_MAX];
    unsigned files;
    snprintf(path, sizeof path, RECORDS "/entries/%s", entry);
    const bool there = access(path, F_OK) == 0;
    holds(!there || manifest_check(path, &files, &diag) == BL_OK);
    holds(there || end != CUT_DONE);
    snprintf(path, sizeof path, CUT_STICK "/boothlink/entries/%s", entry);
    holds(manifest_check(path, &files, &diag) == BL_OK);
}

/* The stick of another contest, of which the machine has records too, under the same names. */

#define NOW  RECORDS "/contest.now"
#define AWAY RECORDS "/contest-"

static const char *const kept_apart[] = {"r1-j2-judge.journal", "r1-j2-judge.ballot", "r2-j2.over",
                                         "judge-2-ranks/ranks.ticket"};

static void make_contests(void)
{
    char path[PATH_MAX];
    for (size_t i = 0; i < sizeof kept_apart / sizeof *kept_apart; i++) {
        snprintf(path, sizeof path, RECORDS "/%s", kept_apart[i]);
        put(path, "of a1\n");
        snprintf(path, sizeof path, AWAY "b2/%s", kept_apart[i]);
        put(path, "of b2\n");
    }
    put(RECORDS "/records.saved", "r1-j2-judge.journal 6\n");
    put(AWAY "b2/records.saved", "r1-j2-judge.ballot 6\n");
    put(NOW, "a1");
}

/* As a machine does at its start, and with the stick. */
static bool switch_contests(void *ctx)
{
    (void)ctx;
    return contest_records_settle(RECORDS, &diag) == BL_OK &&
           contest_records_switch(RECORDS, "b2", &diag) == BL_OK;
}

/* Each record is there once, and none of another contest than the id's is among those in use. */
static void check_contests(enum cut_end end)
{
    const bool after = has(NOW, "b2");
    holds(after || has(NOW, "a1"));
    holds(after || end != CUT_DONE);
    for (size_t i = 0; i < sizeof kept_apart / sizeof *kept_apart; i++) {
        char here[PATH_MAX], first[PATH_MAX], second[PATH_MAX];
        snprintf(here, sizeof here, RECORDS "/%s", kept_apart[i]);
        snprintf(first, sizeof first, AWAY "a1/%s", kept_apart[i]);
        snprintf(second, sizeof second, AWAY "b2/%s", kept_apart[i]);
        holds(has(first, "of a1\n") || (!after && has(here, "of a1\n")));
        holds(has(second, "of b2\n") || (after && has(here, "of b2\n")));
        holds(end != CUT_DONE || has(here, "of b2\n"));
    }
    if (end == CUT_DONE)
        holds(has(RECORDS "/records.saved", "r1-j2-judge.ballot 6\n") &&
              has(AWAY "a1/records.saved", "r1-j2-judge.journal 6\n"));
}

static const struct story stories[] = {
    {"a newer stick", make_newer, take_and_give, check_newer},
    {"an empty stick", make_first, take_and_give, check_first},
    {"a spare's stick", make_spare, take_and_give, check_spare},
    {"ranks", make_ranks, exchange_ranks, check_ranks},
    {"an Entry", make_entry, take_entry, check_entry},
    {"another contest", make_contests, switch_contests, check_contests},
};

static void check_folder(const char *folder, const char *wanted)
{
    char *now = cut_look(folder, NULL);
    if (strcmp(now, wanted) != 0)
        fail_msg("%s: in the end there is\n%s\nand not\n%s", where, now, wanted);
    free(now);
}

static void again(void)
{
    cut_copy(".machine", CUT_MACHINE);
    cut_copy(".stick", CUT_STICK);
}

static void sweep(const struct story *story)
{
    unsigned calls;
    story->make();
    cut_copy(CUT_MACHINE, ".machine");
    cut_copy(CUT_STICK, ".stick");
    snprintf(where, sizeof where, "%s, and then the power is lost", story->name);
    holds(cut_run(story->run, NULL, CUT_POWER, 0, NULL) == CUT_DONE);
    story->check(CUT_DONE);
    char *machine = cut_look(CUT_MACHINE, NULL), *stick = cut_look(CUT_STICK, NULL);
    for (enum cut cut = CUT_NOT + 1; cut < CUT_KINDS; cut++) {
        again();
        assert_int_equal(cut_run(story->run, NULL, cut, UINT_MAX, &calls), CUT_DONE);
        assert_true(calls > 10);
        for (unsigned at = 0; (at = cut_next(at, calls));) {
            again();
            snprintf(where, sizeof where, "%s, %s at call %u", story->name, cut_name[cut], at);
            const enum cut_end end = cut_run(story->run, NULL, cut, at, NULL);
            story->check(end);
            holds(cut_run(story->run, NULL, CUT_POWER, 0, NULL) == CUT_DONE);
            check_folder(CUT_MACHINE, machine);
            check_folder(CUT_STICK, stick);
        }
    }
    free(machine);
    free(stick);
    cut_remove(CUT_MACHINE);
    cut_remove(CUT_STICK);
}

static void test_sweep(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof stories / sizeof *stories; i++)
        sweep(&stories[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sweep)};
    cut_begin();
    const int failed = cmocka_run_group_tests_name("cut_sticks", tests, NULL, NULL);
    cut_end();
    return failed;
}
