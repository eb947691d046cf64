/* The manager's machine, cut at each call that changes a disk, and a stick pulled at each that
 * reads it: collecting records out of it, and writing tickets on it. What counts is on the disk
 * before what is kept, nothing that is there gets shorter, a stick is either taken whole by a booth
 * or refused, and doing it once more ends as if nothing had happened. */
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
#include <jansson.h>

#include "base/crc32c.h"
#include "base/file.h"
#include "booth/stick_files.h"
#include "contest/contest.h"
#include "contest/draw.h"
#include "contest/store.h"
#include "desk/collect.h"
#include "desk/sticks.h"
#include "journal/journal.h"
#include "rules/rulesets.h"
#include "tests/cut/files.h"
#include "tests/support/records.h"

#define FILE_NAME CUT_MACHINE "/contest.db"
#define RECORDS   CUT_MACHINE "/contest.db.records"
#define KEYS      CUT_MACHINE "/contest.db.keys"
#define GIVEN     CUT_STICK "/judges-room/boothlink/records/booth-1-judge"
#define BACK      CUT_STICK "/back-room/boothlink/records/booth-1-cable-a"

static struct bl_diag diag;
static struct contest *contest;
static struct store *store;
static struct venue *venue;
static char where[160];

#define holds(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fail_msg("%s: not so: %s (%s)", where, #condition, diag.text);                         \
    } while (0)

/* The contest's file. */

static enum bl_status replay(void *ctx, const struct act *act, struct bl_diag *why)
{
    return contest_replay(ctx, act, why);
}

static enum bl_status append(const char *kind, const char *body, struct bl_diag *why)
{
    struct act act = {
        .at_us = INT64_C(1790000000000000), .author = "test", .kind = kind, .body = body};
    struct contest *before = contest_create();
    contest_assign(before, contest);
    const enum bl_status status =
        store_append(store, before->acts, &act, replay, replay, contest, why);
    if (status)
        contest_restore(contest, before);
    contest_destroy(before);
    return status;
}

static enum bl_status append_body(void *ctx, const struct act_body *act, struct bl_diag *why)
{
    json_t *body = act_body_write(act);
    char *text = json_dumps(body, JSON_COMPACT | JSON_SORT_KEYS);
    (void)ctx;
    const enum bl_status status = append(act_kind_name(act->kind), text, why);
    free(text);
    json_decref(body);
    return status;
}

static void close_file(void)
{
    store_close(store);
    contest_destroy(contest);
    store = NULL;
    contest = NULL;
}

static bool open_file(void)
{
    contest = contest_create();
    if (store_open(&store, FILE_NAME, &diag) == BL_OK &&
        store_read(store, 0, replay, contest, &diag) == BL_OK)
        return true;
    close_file();
    return false;
}

static void act(const char *kind, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void act(const char *kind, const char *format, ...)
{
    char body[ACT_BODY_MAX];
    va_list list;
    va_start(list, format);
    vsnprintf(body, sizeof body, format, list);
    va_end(list);
    if (append(kind, body, &diag))
        fail_msg("%s %s: %s", kind, body, diag.text);
}

/* Two of each under the rules of 2009, two rounds, the first of which has begun. */
static void make_contest(void)
{
    static const uint8_t seed[CONTEST_SEED] = {1};
    uint8_t commitment[ACT_HASH_BYTES];
    char hex[2 * ACT_HASH_BYTES + 1];
    contest = contest_create();
    assert_int_equal(store_create(&store, FILE_NAME, &diag), BL_OK);
    for (const struct built_text *at = ruleset_texts; at->name; at++) {
        if (strcmp(at->name, "loebner-2009") != 0)
            continue;
        json_t *body = json_pack("{s:s,s:s}", "name", "A contest", "ruleset", at->text);
        char *text = json_dumps(body, 0);
        act("contest", "%s", text);
        free(text);
        json_decref(body);
    }
    for (unsigned i = 1; i <= 2; i++) {
        act("person", "{\"role\":\"judge\",\"name\":\"Judge %u\"}", i);
        act("person",
            "{\"role\":\"entry\",\"name\":\"Entry %u\",\"submitter\":\"Author %u\","
            "\"rights\":true,\"receipt\":true}",
            i, i);
        act("person", "{\"role\":\"confederate\",\"name\":\"Confederate %u\",\"unknown\":true}", i);
    }
    contest_commit(seed, sizeof seed, commitment);
    contest_hex(commitment, sizeof commitment, hex);
    act("schedule", "{\"rounds\":[[[1,1,1],[2,2,2]],[[1,2,2],[2,1,1]]]}");
    act("commit", "{\"commitment\":\"%s\"}", hex);
    act("seed", "{\"seed\":\"01%062d\"}", 0);
    act("begin", "{\"round\":1,\"present\":true}");
}

/* Records. */

static void add_line(char *text, const char *line)
{
    const size_t length = strlen(text);
    sprintf(text + length, "%s *%08x\n", line, crc32c(0, line, strlen(line)));
}

/* As a judge's terminal writes it, with what he gave: "left", and then "right". */
static void put_ballot(const char *folder, const char *session, bool corrected)
{
    char text[512] = "", line[160], path[PATH_MAX];
    snprintf(line, sizeof line,
             "boothlink-ballot 1 session=%s rules=loebner-2009 kind=human sealed=contest", session);
    add_line(text, line);
    add_line(text, "1795289010000000 given human left");
    if (corrected)
        add_line(text, "1795289020000000 given human right");
    snprintf(path, sizeof path, "%s/%s-judge.ballot", folder, session);
    cut_put(path, text, strlen(text));
}

static void put_journal(const char *folder, const char *name, enum party role, unsigned keys)
{
    uint8_t bytes[8 * JOURNAL_RECORD_MAX];
    char path[PATH_MAX], session[32];
    snprintf(session, sizeof session, "%.5s", name);
    const struct journal_record header = records_header(session, role, 1795289000000000u);
    size_t length = journal_encode(&header, bytes);
    for (unsigned i = 0; i < keys; i++) {
        const struct journal_record typed =
            records_keys(SIDE_LEFT, PARTY_JUDGE, 2 * i + 1, 1795289000000000u, "Hi");
        length += journal_encode(&typed, bytes + length);
    }
    snprintf(path, sizeof path, "%s/%s", folder, name);
    cut_put(path, bytes, length);
}

/* The stick's files, and those when it was collected the last time. */
static void put_all(bool before)
{
    put_ballot(GIVEN, "r1-j1", !before);
    put_journal(GIVEN, "r1-j1-judge.journal", PARTY_JUDGE, before ? 1 : 3);
    if (before)
        return;
    put_ballot(GIVEN, "r1-j2", false);
    put_ballot(GIVEN, "r2-j1", false);
    put_journal(GIVEN, "r2-j1-judge.journal", PARTY_JUDGE, 1);
    put_journal(BACK, "r1-j1-entity.journal", PARTY_ENTITY, 2);
    cut_put(GIVEN "/r2-j2-judge.journal.part", "torn", 4);
}

static void on_tell(void *ctx, const char *path, const char *what)
{
    (void)ctx, (void)path, (void)what;
}

/* As `contest collect` does. */
static bool collect(void *ctx)
{
    (void)ctx;
    if (!open_file())
        return false;
    struct collect run = {.contest = contest,
                          .file = "contest.db",
                          .records = RECORDS,
                          .begin = true,
                          .append = append_body,
                          .tell = on_tell};
    const enum bl_status status = collect_folder(&run, CUT_STICK, &diag);
    close_file();
    return status == BL_OK && run.refused == 0;
}

static enum bl_status add_act(void *ctx, const struct act *got, struct bl_diag *why)
{
    (void)why;
    if (got->number > 1)
        fprintf(ctx, "%s %s\n", got->kind, got->body);
    return BL_OK;
}

/* The acts as a text; to be freed. */
static char *look_acts(void)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    struct store *reading;
    enum bl_status status = store_open(&reading, FILE_NAME, &diag);
    if (!status)
        status = store_read(reading, 0, add_act, out, &diag);
    store_close(reading);
    fclose(out);
    holds(status == BL_OK);
    return text;
}

static char *acts_before; /* when the story begins */

static void make_collect(void)
{
    make_contest();
    close_file();
    put_all(true);
    assert_true(collect(NULL));
    put_all(false);
}

/* Nothing was collected before. */
static void make_first(void)
{
    make_contest();
    close_file();
    put_all(false);
}

static char *get(const char *folder, const char *name, size_t *length)
{
    char path[PATH_MAX], *bytes = NULL;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    *length = 0;
    file_read(&bytes, length, path, 65536, "a file", NULL);
    return bytes;
}

/* A kept file is the beginning of the given one, not shorter than it was, and counts. */
static void check_kept(const char *folder, const char *name, size_t least, const char *counts,
                       const char *acts, enum cut_end end)
{
    size_t length, given_length;
    char *kept = get(RECORDS "/1", name, &length), *given = get(folder, name, &given_length);
    holds(given && length <= given_length && length >= least);
    holds(memcmp(kept ? kept : "", given, length) == 0);
    holds(length == given_length || end != CUT_DONE);
    holds(length < given_length || strstr(acts, counts));
    free(kept);
    free(given);
}

static void check_records(enum cut_end end, bool first)
{
    char *acts = look_acts();
    holds(strncmp(acts, acts_before, strlen(acts_before)) == 0);
    check_kept(GIVEN, "r1-j1-judge.ballot", first ? 0 : 100,
               first ? "\"human\":true" : "\"correction\":true", acts, end);
    check_kept(GIVEN, "r1-j2-judge.ballot", 0, "\"judge\":2", acts, end);
    check_kept(GIVEN, "r2-j1-judge.ballot", 0, "\"entry\":2,\"human\":false,\"judge\":1", acts,
               end);
    check_kept(GIVEN, "r1-j1-judge.journal", first ? 0 : 60, "", acts, end);
    check_kept(GIVEN, "r2-j1-judge.journal", 0, "", acts, end);
    check_kept(BACK, "r1-j1-entity.journal", 0, "", acts, end);
    free(acts);
}

static void check_first(enum cut_end end)
{
    check_records(end, true);
}

static void check_collect(enum cut_end end)
{
    check_records(end, false);
}

static char *look_collect(void)
{
    char *acts = look_acts(), *records = cut_look(RECORDS, NULL), *text = NULL;
    assert_true(asprintf(&text, "%s\n%s", acts, records) > 0);
    free(acts);
    free(records);
    return text;
}

/* Tickets. */

static const char venue_text[] =
    "[venue]\nformat = 1\nkeys = none\n[machines]\n"
    "booth1.judge-a = serial:/dev/ttyUSB0\nbooth1.judge-b = serial:/dev/ttyUSB1\n"
    "booth1.entity-a = serial:/dev/ttyS0\nbooth1.entity-b = serial:/dev/ttyS0\n"
    "booth2.judge-a = serial:/dev/ttyUSB0\nbooth2.judge-b = serial:/dev/ttyUSB1\n"
    "booth2.entity-a = serial:/dev/ttyS0\nbooth2.entity-b = serial:/dev/ttyS0\n"
    "entry1.program = /opt/entry1/run\nentry2.program = /opt/entry2/run\n";

/* As `contest setup` does. */
static bool write_sticks(void *ctx)
{
    const struct sticks_request request = {.venue = venue, .out = CUT_STICK, .keys = KEYS};
    struct sticks_request asked = request;
    unsigned tickets, ranks;
    (void)ctx;
    if (!open_file())
        return false;
    asked.contest = contest;
    const enum bl_status status = sticks_write(&asked, &tickets, &ranks, &diag);
    close_file();
    return status == BL_OK;
}

/* The sticks have been in use. Then the first judge's first session is to be held once more. */
static void make_sticks(void)
{
    make_contest();
    close_file();
    assert_true(write_sticks(NULL));
    put_all(false);
    open_file();
    act("repeat", "{\"round\":1,\"judge\":1,\"why\":\"the cable\"}");
    act("begin", "{\"round\":2,\"present\":true}");
    close_file();
}

static const char *const rooms[] = {CUT_STICK "/judges-room", CUT_STICK "/back-room"};
static const char *const places[][4] = {
    {"booth-1-judge", "booth-2-judge"},
    {"booth-1-cable-a", "booth-1-cable-b", "booth-2-cable-a", "booth-2-cable-b"}};
static char *taken_before[2][4], *taken_after[2][4];

/* The takings of a booth from its stick, as a text; NULL: it refuses it. To be freed. */
static char *look_taken(const char *room, const char *place)
{
    bool changed;
    char *taken = NULL;
    mkdir("booth", 0700);
    enum bl_status status = stick_check(room, place, "booth", &diag);
    if (!status)
        status = stick_take(room, place, "booth/own", &changed, &diag);
    if (!status)
        taken = cut_look("booth/own", NULL);
    cut_remove("booth");
    return taken;
}

static void look_all(char *taken[2][4])
{
    for (unsigned room = 0; room < 2; room++)
        for (unsigned i = 0; i < 4 && places[room][i]; i++)
            taken[room][i] = look_taken(rooms[room], places[room][i]);
}

static void check_sticks(enum cut_end end)
{
    size_t length;
    free(get(GIVEN, "r1-j1-judge.ballot", &length));
    holds(length > 150);
    for (unsigned room = 0; room < 2; room++)
        for (unsigned i = 0; i < 4 && places[room][i]; i++) {
            char *taken = look_taken(rooms[room], places[room][i]);
            holds(taken || end != CUT_DONE);
            holds(!taken || strcmp(taken, taken_before[room][i]) == 0 ||
                  strcmp(taken, taken_after[room][i]) == 0);
            free(taken);
        }
}

static char *look_sticks(void)
{
    return cut_look(CUT_STICK, NULL);
}

/* The stories. */

static const struct story {
    const char *name;
    void (*make)(void);
    bool (*run)(void *ctx);
    void (*check)(enum cut_end end);
    char *(*look)(void);
    enum cut no; /* whose disk it does not write to */
} stories[] = {
    {"the first collecting", make_first, collect, check_first, look_collect, CUT_STICK_FULL},
    {"collecting", make_collect, collect, check_collect, look_collect, CUT_STICK_FULL},
    {"writing sticks", make_sticks, write_sticks, check_sticks, look_sticks, CUT_FULL},
};

static void again(void)
{
    cut_copy(".machine", CUT_MACHINE);
    cut_copy(".stick", CUT_STICK);
}

static void sweep_at(const struct story *story, enum cut cut, unsigned at, const char *wanted)
{
    again();
    snprintf(where, sizeof where, "%s, %s at call %u", story->name, cut_name[cut], at);
    story->check(cut_run(story->run, NULL, cut, at, NULL));
    holds(cut_run(story->run, NULL, CUT_POWER, 0, NULL) == CUT_DONE);
    char *now = story->look();
    if (strcmp(now, wanted) != 0)
        fail_msg("%s: in the end there is\n%s\nand not\n%s", where, now, wanted);
    free(now);
}

static void sweep(const struct story *story)
{
    unsigned calls;
    mkdir(CUT_MACHINE, 0700);
    mkdir(CUT_STICK, 0700);
    story->make();
    acts_before = look_acts();
    look_all(taken_before);
    cut_copy(CUT_MACHINE, ".machine");
    cut_copy(CUT_STICK, ".stick");
    snprintf(where, sizeof where, "%s, and then the power is lost", story->name);
    holds(cut_run(story->run, NULL, CUT_POWER, 0, NULL) == CUT_DONE);
    look_all(taken_after);
    story->check(CUT_DONE);
    char *wanted = story->look();
    for (enum cut cut = CUT_NOT + 1; cut < CUT_POWER_ONE; cut++) {
        if (cut == story->no)
            continue;
        again();
        assert_int_equal(cut_run(story->run, NULL, cut, UINT_MAX, &calls), CUT_DONE);
        assert_true(calls > 10);
        for (unsigned at = 0; (at = cut_next(at, calls));)
            sweep_at(story, cut, at, wanted);
    }
    free(wanted);
    free(acts_before);
    for (unsigned i = 0; i < 8; i++) {
        free(taken_before[i / 4][i % 4]);
        free(taken_after[i / 4][i % 4]);
    }
    cut_remove(CUT_MACHINE);
    cut_remove(CUT_STICK);
}

static void test_first(void **state)
{
    (void)state;
    sweep(&stories[0]);
}

static void test_collect(void **state)
{
    (void)state;
    sweep(&stories[1]);
}

static void test_sticks(void **state)
{
    (void)state;
    sweep(&stories[2]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_first), cmocka_unit_test(test_collect),
                                       cmocka_unit_test(test_sticks)};
    cut_begin();
    venue = calloc(1, sizeof *venue);
    if (!venue || venue_parse(venue, venue_text, "venue", &diag))
        return 1;
    const int failed = cmocka_run_group_tests_name("cut_collect", tests, NULL, NULL);
    free(venue);
    cut_end();
    return failed;
}
