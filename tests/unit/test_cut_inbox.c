/* A machine sends its records to the desk, and either of them is killed, full, pulled or switched
 * off at each call that changes a disk. A copy that the desk has said to have stays, byte for byte;
 * the desk never has more than the machine's own disk, however much of that is lost; and doing it
 * again ends with one copy that is the record. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "courier/outbox.h"
#include "desk/inbox.h"
#include "tests/cut/files.h"

#define PLACE "booth-1-judge"
#define WHOLE 3000 /* bytes of a record in the end */
#define TICKS 24

static const char *const names[] = {"r1-j1-judge.ballot", "r1-j1-judge.journal"};
#define NAMES 2

/* The two disks change their parts. */
struct story {
    const char *name, *booth, *desk;
};
static const struct story stories[] = {
    {"the desk's disk is cut", CUT_STICK "/booth", CUT_MACHINE "/desk"},
    {"the booth's disk is cut", CUT_MACHINE "/booth", CUT_STICK "/desk"},
};

/* The desk's answers, also if it was killed then. */
static uint64_t *have;
static const struct story *story;
static struct bl_diag diag;
static char where[160];

#define holds(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fail_msg("%s: not so: %s (%s)", where, #condition, diag.text);                         \
    } while (0)

struct run {
    struct inbox *inbox;
    struct outbox *outbox;
};

static void on_answer(void *ctx, const char *place, const struct post_piece *piece)
{
    struct run *run = ctx;
    (void)place;
    for (unsigned i = 0; i < NAMES; i++)
        if (piece->copy == 1 && piece->kind == POST_HAVE && strcmp(piece->file, names[i]) == 0)
            have[i] = piece->offset;
    outbox_hear(run->outbox, piece);
}

static void on_send(void *ctx, const struct post_piece *piece)
{
    struct run *run = ctx;
    inbox_take(run->inbox, PLACE, piece, &diag);
}

static const char *path_in(const char *folder, const char *name)
{
    static char path[2][PATH_MAX];
    static unsigned turn;
    turn = !turn;
    snprintf(path[turn], PATH_MAX, "%.4000s/%.64s", folder, name);
    return path[turn];
}

static uint8_t byte_at(uint64_t at)
{
    return (uint8_t)(at * at / 7 + at);
}

/* The terminal goes on with its record, and does not sync it. */
static bool type(const char *name, size_t most)
{
    uint8_t bytes[WHOLE];
    struct stat info;
    int fd = open(path_in(story->booth, name), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0 || fstat(fd, &info))
        return false;
    uint64_t from = (uint64_t)info.st_size;
    size_t length = from + most < WHOLE ? most : WHOLE - (size_t)from;
    for (size_t i = 0; i < length; i++)
        bytes[i] = byte_at(from + i);
    bool good = !length || write(fd, bytes, length) == (ssize_t)length;
    if (!good && ftruncate(fd, info.st_size))
        good = false;
    close(fd);
    return good;
}

static bool pass_seconds(struct run *run)
{
    bool good = true;
    for (unsigned i = 0; i < TICKS; i++) {
        for (unsigned name = 0; name < NAMES; name++)
            good &= type(names[name], 400 + 100 * name);
        good &= outbox_tick(run->outbox, on_send, run, &diag) == BL_OK;
        good &= inbox_sync(run->inbox, on_answer, run, &diag) == BL_OK;
    }
    return good && outbox_waiting(run->outbox) == 0;
}

static bool send_all(void *ctx)
{
    struct run run = {NULL};
    (void)ctx;
    bool good = inbox_open(&run.inbox, story->desk, &diag) == BL_OK &&
                outbox_create(&run.outbox, story->booth, false, &diag) == BL_OK &&
                pass_seconds(&run);
    inbox_close(run.inbox);
    outbox_destroy(run.outbox);
    return good;
}

static char *get(const char *path, size_t *length)
{
    char *bytes = NULL;
    *length = 0;
    file_read(&bytes, length, path, 65536, "a file", NULL);
    return bytes;
}

static void check_one(unsigned name, bool whole)
{
    size_t booth_length, desk_length;
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s/" PLACE, story->desk);
    char *booth = get(path_in(story->booth, names[name]), &booth_length);
    char *desk = get(path_in(folder, names[name]), &desk_length);
    holds(desk_length >= have[name]);
    holds(desk_length <= booth_length);
    holds(!desk || memcmp(desk, booth, desk_length) == 0);
    for (size_t i = 0; i < booth_length; i++)
        holds((uint8_t)booth[i] == byte_at(i));
    holds(!whole || (desk_length == WHOLE && booth_length == WHOLE));
    snprintf(folder, sizeof folder, "%s/" PLACE "-2", story->desk);
    holds(access(folder, F_OK) != 0);
    free(booth);
    free(desk);
}

static void check(bool whole)
{
    for (unsigned name = 0; name < NAMES; name++)
        check_one(name, whole);
}

static void again(void)
{
    cut_remove(CUT_MACHINE);
    cut_remove(CUT_STICK);
    mkdir(CUT_MACHINE, 0700);
    mkdir(CUT_STICK, 0700);
    mkdir(story->booth, 0700);
    memset(have, 0, NAMES * sizeof *have);
}

static void sweep(void **state)
{
    unsigned calls;
    (void)state;
    for (enum cut cut = CUT_NOT + 1; cut < CUT_KINDS; cut++) {
        again();
        snprintf(where, sizeof where, "%s, %s never", story->name, cut_name[cut]);
        holds(cut_run(send_all, NULL, cut, UINT_MAX, &calls) == CUT_DONE);
        check(true);
        assert_true(calls > 40);
        for (unsigned at = 0; (at = cut_next(at, calls));) {
            again();
            snprintf(where, sizeof where, "%s, %s at call %u", story->name, cut_name[cut], at);
            cut_run(send_all, NULL, cut, at, NULL);
            check(false);
            holds(cut_run(send_all, NULL, CUT_POWER, 0, NULL) == CUT_DONE);
            check(true);
        }
    }
}

static void test_desk(void **state)
{
    story = &stories[0];
    sweep(state);
}

static void test_booth(void **state)
{
    story = &stories[1];
    sweep(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_desk), cmocka_unit_test(test_booth)};
    cut_begin();
    have = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (have == MAP_FAILED)
        return 1;
    const int failed = cmocka_run_group_tests_name("cut_inbox", tests, NULL, NULL);
    cut_end();
    return failed;
}
