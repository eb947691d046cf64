/* A judge's giving, from the ballot's first byte in the booth to the stick that may be taken out,
 * cut at each call that changes a disk. A ballot that the form calls given or sealed is on its
 * disk, one that the board calls saved is on two, and the machine's key is whole or not there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/loop.h"
#include "booth/balloting.h"
#include "booth/contest_records.h"
#include "booth/machine_key.h"
#include "booth/stick_files.h"
#include "tests/cut/files.h"

#define PLACE   "booth-3-judge"
#define RECORDS CUT_MACHINE "/records"
#define GIVEN   CUT_STICK "/boothlink/records/" PLACE
#define KEY     RECORDS "/machine.key"
#define BALLOT  "r2-j3-judge.ballot"
#define RANKS   "ranks-j3-judge.ballot"
#define FOLDER  "judge-3-ranks"
#define NOTES   "quick, \"kind\", and \xC3\xA9 \\ odd"

static const struct ballot_head session = {.session = "r2-j3",
                                           .rules = "loebner-2004",
                                           .vote = {.kind = BALLOT_POINTS},
                                           .sealing = SEALED_WITH_SESSION};
static const struct ballot_head ranks = {.session = "ranks-j3",
                                         .rules = "loebner-2009",
                                         .vote = {.kind = BALLOT_RANKS, .ranks = 2},
                                         .sealing = SEALED_WITH_CONTEST,
                                         .item = {{"r1-j3", 0}, {"r2-j3", 1}}};

/* The screens' words so far, which outlive the child. */
static struct said {
    bool key, given, corrected, sealed, saved;
    uint8_t public[BALLOT_KEY];
} * said;

static char where[160];
static struct bl_diag diag;
static uv_loop_t loop;
static struct balloting balloting;
static bool warned;

#define holds(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fail_msg("%s: not so: %s", where, #condition);                                         \
    } while (0)

static void on_warning(void *ctx, const char *text)
{
    (void)ctx;
    (void)text;
    warned = true;
}

static void on_kept(void *ctx)
{
    balloting_kept(ctx);
}

static bool stands(enum form_standing standing, const struct vote *vote)
{
    return balloting.form.standing == standing &&
           (!vote || vote_equal(&balloting.file.vote, vote, &balloting.form.rules));
}

/* As the booth's loop does until the form says so. */
static bool wait_for(enum form_standing standing, const struct vote *vote)
{
    while (!warned && !stands(standing, vote) && uv_run(&loop, UV_RUN_ONCE))
        ;
    return stands(standing, vote);
}

static bool open_ballot(const char *path, const struct ballot_head *head)
{
    static struct ballot_signer signer;
    if (machine_key_open(&signer, KEY, &diag))
        return false;
    if (!said->key)
        memcpy(said->public, signer.key, sizeof said->public);
    said->key = true;
    if (uv_loop_init(&loop) || balloting_open(&balloting, path, head, &signer, &diag))
        return false;
    const struct sync_callbacks callbacks = {on_warning, on_kept};
    return lines_attach(balloting.lines, &loop, &callbacks, &balloting) == BL_OK;
}

static void close_ballot(void)
{
    if (!balloting.lines)
        return;
    balloting_close(&balloting);
    uv_run(&loop, UV_RUN_DEFAULT);
}

static bool give(const struct vote *vote, bool *told)
{
    if (balloting_give(&balloting, vote, 1000000) || !wait_for(FORM_GIVEN, vote))
        return false;
    *told = true;
    return true;
}

/* Points with notes, then a draft, other points, and the seal; then the stick. */
static const struct vote first = {.points = {60, 40}, .notes = NOTES};
static const struct vote last = {.points = {70, 30}, .notes = NOTES "!"};

static bool judge(void)
{
    enum bl_status status;
    if (!open_ballot(RECORDS "/" BALLOT, &session))
        return false;
    bool over = balloting.file.given && vote_equal(&balloting.file.vote, &last, &session.vote);
    if (!over && !balloting.file.given && !give(&first, &said->given))
        return false;
    balloting.form.state = FORM_OPEN;
    if (!over && !balloting_feed(&balloting, INPUT_POINT, '7', 2000000, &status))
        return false;
    if (!over)
        balloting_run(&balloting, (struct bl_time){.mono_us = 2000000, .wall_us = 2000000});
    if (!over && !give(&last, &said->corrected))
        return false;
    if (balloting_over(&balloting, 4000000) || !wait_for(FORM_SEALED, NULL))
        return false;
    return said->sealed = true;
}

static bool run_session(void *ctx)
{
    (void)ctx;
    warned = false;
    const bool good = judge();
    close_ballot();
    if (!good || stick_give(CUT_STICK, PLACE, RECORDS, &diag))
        return false;
    return said->saved = true;
}

static const struct vote order = {.rank = {2, 1}, .notes = NOTES};

static bool run_ranks(void *ctx)
{
    (void)ctx;
    warned = false;
    if (access(RECORDS "/" FOLDER, F_OK) == 0) {
        const bool good = open_ballot(RECORDS "/" FOLDER "/" RANKS, &ranks) &&
                          (balloting.file.given || give(&order, &said->given));
        close_ballot();
        if (!good)
            return false;
    }
    if (stick_give_ranks(CUT_STICK, PLACE, RECORDS, 2, RANKS, &diag))
        return false;
    return said->saved = true;
}

/* A file's bytes; NULL: there is none. */
static char *get(const char *path, size_t *length)
{
    char *text = NULL;
    return file_read(&text, length, path, 65536, "a file", NULL) == BL_OK ? text : NULL;
}

static void check_key(void)
{
    struct ballot_signer signer;
    const enum bl_status status = machine_key_load(&signer, KEY, NULL);
    holds(status == BL_OK || status == BL_NOINPUT);
    holds(!said->key || status == BL_OK);
    holds(!said->key || memcmp(signer.key, said->public, sizeof signer.key) == 0);
}

/* A ballot of the machine's, signed, or none yet. */
static bool load(struct ballot_file *file, const char *path)
{
    size_t length;
    char *text = get(path, &length);
    const bool begun = text && memchr(text, '\n', length);
    holds(!begun || ballot_file_read(file, text, length, path, NULL) == BL_OK);
    holds(!begun || file->head.keyed);
    free(text);
    return begun;
}

static struct ballot_file file;

static void check_session(enum cut_end end)
{
    size_t mine, length;
    const bool begun = load(&file, RECORDS "/" BALLOT);
    check_key();
    holds(end != CUT_DONE || said->saved);
    if (said->given || said->corrected || said->sealed)
        holds(begun && file.given &&
              (vote_equal(&file.vote, &last, &session.vote) ||
               (!said->corrected && vote_equal(&file.vote, &first, &session.vote))));
    holds(!said->sealed || file.sealed);
    holds(!begun || !file.sealed || vote_equal(&file.vote, &last, &session.vote));
    char *own = get(RECORDS "/" BALLOT, &mine), *there = get(GIVEN "/" BALLOT, &length);
    holds(!there || (own && length <= mine && memcmp(own, there, length) == 0));
    holds(!said->saved || (there && length == mine && contest_records_count(RECORDS).unsaved == 0));
    free(own);
    free(there);
}

static void check_ranks(enum cut_end end)
{
    check_key();
    holds(end != CUT_DONE || said->saved);
    const bool kept = load(&file, RECORDS "/" RANKS) && file.given;
    const bool first_place = load(&file, RECORDS "/" FOLDER "/" RANKS) && file.given;
    const bool there = load(&file, GIVEN "/" RANKS) && file.given;
    holds(!said->given || kept || first_place);
    holds(!said->saved || (kept && there));
    holds(!there || vote_equal(&file.vote, &order, &ranks.vote));
    if (access(CUT_STICK "/boothlink/" FOLDER "/ranks.ticket", F_OK) != 0)
        holds(kept && there);
}

static void make_session(void)
{
    cut_put(RECORDS "/records.saved", "", 0);
    cut_put(CUT_STICK "/boothlink/stick.list", "", 0);
}

static void make_ranks(void)
{
    make_session();
    cut_put(RECORDS "/" FOLDER "/ranks.ticket", "three\n", 6);
    cut_put(CUT_STICK "/boothlink/" FOLDER "/ranks.ticket", "three\n", 6);
}

static const struct story {
    const char *name;
    void (*make)(void);
    bool (*run)(void *ctx);
    void (*check)(enum cut_end end);
} stories[] = {
    {"a ballot", make_session, run_session, check_session},
    {"ranks", make_ranks, run_ranks, check_ranks},
};

static void again(void)
{
    cut_copy(".machine", CUT_MACHINE);
    cut_copy(".stick", CUT_STICK);
    memset(said, 0, sizeof *said);
}

/* After a cut it is done once more, and then the power is lost. */
static void sweep(const struct story *story)
{
    unsigned calls;
    cut_remove(CUT_MACHINE);
    cut_remove(CUT_STICK);
    story->make();
    cut_copy(CUT_MACHINE, ".machine");
    cut_copy(CUT_STICK, ".stick");
    for (enum cut cut = CUT_NOT + 1; cut < CUT_KINDS; cut++) {
        again();
        snprintf(where, sizeof where, "%s, whole", story->name);
        holds(cut_run(story->run, NULL, cut, UINT_MAX, &calls) == CUT_DONE);
        story->check(CUT_DONE);
        assert_true(calls > 10);
        for (unsigned at = 0; (at = cut_next(at, calls));) {
            again();
            snprintf(where, sizeof where, "%s, %s at call %u", story->name, cut_name[cut], at);
            story->check(cut_run(story->run, NULL, cut, at, NULL));
            snprintf(where, sizeof where, "%s, %s at call %u, and again", story->name,
                     cut_name[cut], at);
            holds(cut_run(story->run, NULL, CUT_POWER, 0, NULL) == CUT_DONE);
            story->check(CUT_DONE);
        }
    }
    cut_remove(CUT_MACHINE);
    cut_remove(CUT_STICK);
}

static void test_ballot(void **state)
{
    (void)state;
    sweep(&stories[0]);
}

static void test_ranks(void **state)
{
    (void)state;
    sweep(&stories[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ballot), cmocka_unit_test(test_ranks)};
    said = mmap(NULL, sizeof *said, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (said == MAP_FAILED)
        return 1;
    cut_begin();
    const int failed = cmocka_run_group_tests_name("cut_giving", tests, NULL, NULL);
    cut_end();
    return failed;
}
