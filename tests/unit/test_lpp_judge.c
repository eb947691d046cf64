/* The validator's end of LPP's folder: whatever an Entry makes there is taken once and remembered
 * as it was, and none of it keeps the validator. */
#include "tests/support/random.h"
#include "validate/lpp_judge.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define TEXT  65536u
#define FLOOD 50000u

/* A folder, the validator's end of it, and what came out. */
struct bench {
    char path[200];
    int fd;
    struct lpp_judge *judge;
    char text[TEXT]; /* the Entry's keys; those that are not ASCII are '#' */
    size_t length;
    uint64_t now_us;
    unsigned flood; /* for each key that is taken it makes one more, so often */
};

static void on_key(void *ctx, uint32_t point)
{
    struct bench *b = ctx;
    if (b->length + 1 < sizeof b->text)
        b->text[b->length++] = point == KEY_RETURN ? '\n' : point < 0x80 ? (char)point : '#';
    b->text[b->length] = '\0';
    if (b->flood && --b->flood) {
        char name[64];
        snprintf(name, sizeof name, "%zu.x.other", b->length + 1);
        mkdirat(b->fd, name, 0777);
    }
}

static void take(struct bench *b)
{
    lpp_judge_take(b->judge, ++b->now_us, on_key, b);
}

static struct bench *open_folder(void)
{
    struct bench *b = calloc(1, sizeof *b);
    const char *directory = getenv("TMPDIR");
    assert_non_null(b);
    snprintf(b->path, sizeof b->path, "%s/lpp.XXXXXX", directory ? directory : "/tmp");
    assert_non_null(mkdtemp(b->path));
    b->fd = open(b->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(b->fd >= 0);
    return b;
}

static struct bench *begin(void)
{
    struct bench *b = open_folder();
    struct bl_diag diag;
    assert_int_equal(lpp_judge_create(&b->judge, b->fd, &diag), BL_OK);
    return b;
}

static void finish(struct bench *b)
{
    char command[300];
    lpp_judge_destroy(b->judge);
    close(b->fd);
    snprintf(command, sizeof command, "rm -rf '%s'", b->path);
    assert_int_equal(system(command), 0);
    free(b);
}

static void make(const struct bench *b, const char *name)
{
    if (mkdirat(b->fd, name, 0777))
        fail_msg("%s: %s", name, strerror(errno));
}

static bool is_there(const struct bench *b, const char *name)
{
    return faccessat(b->fd, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

static const struct lpp_judge_name *find(const struct bench *b, const char *name)
{
    for (uint32_t i = 0; i < b->judge->names; i++)
        if (strcmp(b->judge->name[i].name, name) == 0)
            return &b->judge->name[i];
    fail_msg("%s is not remembered", name);
    return NULL;
}

static unsigned count(const struct bench *b, const char *name)
{
    unsigned n = 0;
    for (uint32_t i = 0; i < b->judge->names; i++)
        n += strcmp(b->judge->name[i].name, name) == 0;
    return n;
}

/* Nothing is put in order: numbers that fall are what a check looks for. */
static void keys_come_in_the_order_of_their_making(void **state)
{
    struct bench *b = begin();
    (void)state;
    take(b);
    make(b, "000000000000000009.H.other");
    make(b, "000000000000000002.i.other");
    make(b, "7.quoteright.other");
    make(b, "000000000000000001.Return.other");
    take(b);
    assert_string_equal(b->text, "Hi'\n");
    assert_int_equal(b->judge->names, 4);
    assert_int_equal(b->judge->names_all, 4);
    assert_string_equal(b->judge->name[1].name, "000000000000000002.i.other");
    assert_int_equal(b->judge->name[2].read.digits, 1);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(b->judge->name[i].thing, LPP_DIRECTORY);
        assert_true(b->judge->name[i].named);
        assert_false(b->judge->name[i].stayed);
        assert_false(is_there(b, b->judge->name[i].name));
    }
    take(b);
    assert_int_equal(b->judge->names_all, 4);
    finish(b);
}

/* The same name once more is a key once more, also if the first was there from the start. */
static void a_name_made_again_is_a_key_again(void **state)
{
    struct bench *b = begin();
    (void)state;
    make(b, "4711.a.other");
    take(b);
    make(b, "4711.a.other");
    take(b);
    make(b, "4711.a.other");
    take(b);
    assert_string_equal(b->text, "aaa");
    assert_int_equal(b->judge->names_all, 3);
    finish(b);
}

static void what_is_there_already_is_taken_once(void **state)
{
    struct bench *b = open_folder();
    struct bl_diag diag;
    (void)state;
    make(b, "1.a.other"); /* nobody is told of this one */
    assert_int_equal(lpp_judge_create(&b->judge, b->fd, &diag), BL_OK);
    make(b, "2.b.other"); /* of this one, too */
    make(b, "notes");
    make(b, "3.c.other");
    assert_int_equal(mkdirat(b->fd, "3.c.other/full", 0777), 0);
    take(b);
    take(b);
    assert_int_equal(b->length, 3);
    assert_int_equal(b->judge->names_all, 4);
    assert_true(strchr(b->text, 'a') && strchr(b->text, 'b') && strchr(b->text, 'c'));
    make(b, "1.a.other");
    make(b, "2.b.other");
    take(b);
    assert_string_equal(b->text + 3, "ab");
    assert_int_equal(b->judge->names_all, 6);
    finish(b);
}

/* Names that are none of a key, or of one that the rules do not write so. */
static void odd_names_are_remembered_as_they_are(void **state)
{
    static const struct {
        const char *name;
        enum lpp_kind kind;
        bool named;
    } names[] = {
        {"1.!.other", LPP_KEY, false},
        {"2.apostrophe.other", LPP_KEY, false},
        {"3.U20AC.OTHER", LPP_KEY, false},
        {"4.exclam.other", LPP_KEY, true},
        {"5...other", LPP_KEY, false},
        {"6.\n.other", LPP_KEY, false},
        {".other", LPP_NO_KEY, true},
        {"7..other", LPP_NO_KEY, true},
        {"8.Shift_L.other", LPP_NO_KEY, true},
        {"9.\x1b[2J.other", LPP_NO_KEY, true},
        {"10.\xFF\xFE.other", LPP_NO_KEY, true},
        {"99999999999999999999999999999999.a.other", LPP_KEY, true},
        {"notes", LPP_FOREIGN, true},
        {"-rf", LPP_FOREIGN, true},
        {"%s%n", LPP_FOREIGN, true},
        {"...", LPP_FOREIGN, true},
        {" ", LPP_FOREIGN, true},
    };
    enum { NAMES = sizeof names / sizeof names[0] };
    struct bench *b = begin();
    char longest[LPP_NAME_MAX + 1], digits[LPP_NAME_MAX + 1];
    (void)state;
    take(b);
    memset(longest, 'x', LPP_NAME_MAX);
    longest[LPP_NAME_MAX] = '\0';
    memset(digits, '9', LPP_NAME_MAX);
    strcpy(digits + LPP_NAME_MAX - 8, ".a.other");
    for (unsigned i = 0; i < NAMES; i++)
        make(b, names[i].name);
    make(b, longest);
    make(b, digits);
    take(b);
    assert_int_equal(b->judge->names_all, NAMES + 2);
    for (unsigned i = 0; i < NAMES; i++) {
        const struct lpp_judge_name *made = find(b, names[i].name);
        if (made->read.kind != names[i].kind || made->named != names[i].named)
            fail_msg("%s: kind %d, named %d", names[i].name, made->read.kind, made->named);
        /* A key is taken; the rest is the Entry's own and stays. */
        assert_int_equal(is_there(b, names[i].name), names[i].kind != LPP_KEY);
    }
    assert_int_equal(find(b, longest)->read.kind, LPP_FOREIGN);
    assert_int_equal(find(b, digits)->read.kind, LPP_KEY);
    assert_string_equal(b->text, "!'#!.\naa");
    finish(b);
}

/* Nothing is opened or followed; what is no directory is a key all the same, and told. */
static void things_that_are_no_directories(void **state)
{
    struct bench *b = begin();
    int fd;
    (void)state;
    take(b);
    fd = openat(b->fd, "target", O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "kept", 4), 4);
    close(fd);
    fd = openat(b->fd, "1.a.other", O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "text", 4), 4);
    close(fd);
    assert_int_equal(mkfifoat(b->fd, "2.b.other", 0600), 0);
    assert_int_equal(symlinkat("target", b->fd, "3.c.other"), 0);
    assert_int_equal(symlinkat("/", b->fd, "4.d.other"), 0);
    assert_int_equal(symlinkat("5.e.other", b->fd, "5.e.other"), 0);
    assert_int_equal(linkat(b->fd, "target", b->fd, "6.f.other", 0), 0);
    make(b, "7.g.other");
    assert_int_equal(mkdirat(b->fd, "7.g.other/full", 0777), 0);
    make(b, "moved");
    assert_int_equal(renameat(b->fd, "moved", b->fd, "8.h.other"), 0);
    take(b);
    assert_string_equal(b->text, "abcdefgh");
    assert_int_equal(find(b, "1.a.other")->thing, LPP_FILE);
    assert_int_equal(find(b, "2.b.other")->thing, LPP_STRANGE);
    assert_int_equal(find(b, "3.c.other")->thing, LPP_STRANGE);
    assert_int_equal(find(b, "5.e.other")->thing, LPP_STRANGE);
    assert_int_equal(find(b, "6.f.other")->thing, LPP_FILE);
    assert_int_equal(find(b, "8.h.other")->thing, LPP_DIRECTORY);
    assert_true(find(b, "7.g.other")->stayed);
    assert_true(is_there(b, "7.g.other/full"));
    assert_true(is_there(b, "target"));
    for (unsigned i = 1; i < b->judge->names; i++)
        assert_int_equal(b->judge->name[i].stayed, is_there(b, b->judge->name[i].name) &&
                                                       b->judge->name[i].read.kind == LPP_KEY);
    finish(b);
}

/* What the Entry has removed itself before anybody looked was a key nevertheless. */
static void a_key_that_is_gone_again_counts(void **state)
{
    struct bench *b = begin();
    (void)state;
    take(b);
    for (unsigned i = 0; i < 2; i++) {
        make(b, "1.a.other");
        assert_int_equal(unlinkat(b->fd, "1.a.other", AT_REMOVEDIR), 0);
    }
    take(b);
    assert_string_equal(b->text, "aa");
    assert_int_equal(b->judge->name[0].thing, LPP_GONE);
    assert_false(b->judge->name[0].stayed);
    finish(b);
}

static void judges_keys_are_made_and_their_going_is_seen(void **state)
{
    struct bench *b = begin();
    struct lpp_judge *judge = b->judge;
    (void)state;
    take(b);
    assert_true(lpp_judge_press(judge, 'H', 10, 5000000));
    assert_true(lpp_judge_press(judge, 'i', 11, 5000000)); /* the clock stands */
    assert_true(lpp_judge_press(judge, KEY_RETURN, 12, 4000000));
    assert_true(is_there(b, "000000000000005000.H.judge"));
    assert_true(is_there(b, "000000000000005001.i.judge"));
    assert_true(is_there(b, "000000000000005002.Return.judge"));
    take(b);
    assert_int_equal(judge->keys, 3);
    assert_int_equal(judge->gone, 0);
    assert_int_equal(judge->names_all, 0); /* they are not the Entry's */
    b->now_us = 100;
    assert_int_equal(unlinkat(b->fd, "000000000000005001.i.judge", AT_REMOVEDIR), 0);
    take(b);
    assert_int_equal(judge->gone, 1);
    assert_int_equal(judge->key[1].gone_us, 101);
    assert_int_equal(judge->key[1].made_us, 11);
    assert_int_equal(judge->key[0].gone_us, 0);
    /* Somebody makes the judge's keys himself, and removes them: each goes once. */
    make(b, "000000000000005001.i.judge");
    make(b, "000000000000009999.x.judge");
    make(b, "0.y.judge");
    take(b);
    assert_int_equal(unlinkat(b->fd, "000000000000005001.i.judge", AT_REMOVEDIR), 0);
    assert_int_equal(unlinkat(b->fd, "000000000000009999.x.judge", AT_REMOVEDIR), 0);
    assert_int_equal(unlinkat(b->fd, "0.y.judge", AT_REMOVEDIR), 0);
    assert_int_equal(unlinkat(b->fd, "000000000000005000.H.judge", AT_REMOVEDIR), 0);
    assert_int_equal(renameat(b->fd, "000000000000005002.Return.judge", b->fd, "mine"), 0);
    take(b);
    assert_int_equal(judge->gone, 3);
    assert_int_equal(judge->key[1].gone_us, 101);
    assert_string_equal(b->text, "");
    finish(b);
}

static void a_restart_is_where_the_next_names_begin(void **state)
{
    struct bench *b = begin();
    (void)state;
    make(b, "2.a.other");
    take(b);
    lpp_judge_restart(b->judge);
    make(b, "1.b.other");
    take(b);
    assert_int_equal(b->judge->since, 1);
    assert_string_equal(b->judge->name[b->judge->since].name, "1.b.other");
    finish(b);
}

static void no_more_keys_than_there_is_room_for(void **state)
{
    struct bench *b = begin();
    struct lpp_judge *judge = b->judge;
    (void)state;
    judge->keys = LPP_JUDGE_KEYS - 1;
    assert_true(lpp_judge_press(judge, 'a', 1, 1000));
    assert_false(lpp_judge_press(judge, 'b', 2, 2000));
    assert_int_equal(judge->keys, LPP_JUDGE_KEYS);
    judge->keys = 1;
    judge->last_number = LPP_NUMBER_MAX;
    assert_false(lpp_judge_press(judge, 'c', 3, 3000));
    finish(b);
}

static void a_folder_that_is_gone_takes_no_keys(void **state)
{
    struct bench *b = begin();
    (void)state;
    take(b);
    assert_int_equal(rmdir(b->path), 0);
    take(b);
    assert_false(lpp_judge_press(b->judge, 'a', 1, 1000));
    assert_int_equal(b->judge->keys, 0);       /* else the Entry would have left one there */
    assert_int_equal(mkdir(b->path, 0700), 0); /* for the end */
    finish(b);
}

/* More than is remembered, made before the first look and after it. */
static void a_huge_backlog_is_counted(void **state)
{
    enum { BEFORE = LPP_JUDGE_NAMES + 400, AFTER = 1000 };
    struct bench *b = begin();
    char name[64];
    (void)state;
    for (unsigned i = 0; i < BEFORE + AFTER; i++) {
        if (i == BEFORE)
            take(b);
        snprintf(name, sizeof name, "%018u.%c.other", i, 'a' + i % 26);
        make(b, name);
    }
    take(b);
    take(b);
    assert_int_equal(b->judge->names, LPP_JUDGE_NAMES);
    assert_int_equal(b->length, BEFORE + AFTER);
    assert_int_equal(b->judge->names_all, BEFORE + AFTER);
    for (unsigned i = 0; i < AFTER; i++)
        assert_int_equal(b->text[BEFORE + i], 'a' + (BEFORE + i) % 26);
    finish(b);
}

/* So many changes that the system does not keep them all: what is still there is found by looking,
 * and what was known already stays one. */
static void changes_that_were_lost_are_found_by_looking(void **state)
{
    struct bench *b = begin();
    FILE *file = fopen("/proc/sys/fs/inotify/max_queued_events", "r");
    unsigned most = 0;
    (void)state;
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%u", &most), 1);
    fclose(file);
    take(b);
    make(b, "notes");
    make(b, "1.f.other");
    assert_int_equal(mkdirat(b->fd, "1.f.other/full", 0777), 0);
    assert_true(lpp_judge_press(b->judge, 'j', 1, 1000));
    assert_true(lpp_judge_press(b->judge, 'k', 1, 2000));
    take(b);
    assert_string_equal(b->text, "f");
    make(b, "8.x.judge"); /* of no key that was pressed */
    for (unsigned i = 0; i < most / 2 + 1; i++) {
        const char *const names[] = {"8.x.judge", "9.x.judge"};
        assert_int_equal(renameat(b->fd, names[i % 2], b->fd, names[(i + 1) % 2]), 0);
    }
    make(b, "2.a.other");
    make(b, "3.b.other");
    assert_int_equal(unlinkat(b->fd, "000000000000000002.k.judge", AT_REMOVEDIR), 0);
    b->now_us = 100;
    take(b);
    take(b);
    assert_int_equal(b->length, 3);
    assert_int_equal(strspn(b->text, "abf"), 3);
    assert_int_equal(count(b, "notes"), 1);
    assert_int_equal(count(b, "1.f.other"), 1);
    assert_int_equal(count(b, "2.a.other"), 1);
    assert_int_equal(count(b, "3.b.other"), 1);
    assert_int_equal(b->judge->gone, 1);
    assert_int_equal(b->judge->key[0].gone_us, 0);
    assert_int_equal(b->judge->key[1].gone_us, 101);
    finish(b);
}

/* An Entry that makes a name whenever one is taken does not keep the validator for ever. */
static void a_flood_lets_the_validator_go(void **state)
{
    struct bench *b = begin();
    size_t before;
    (void)state;
    b->flood = FLOOD;
    make(b, "1.a.other");
    take(b); /* looks */
    assert_true(b->flood > 0);
    before = b->length;
    take(b);
    assert_true(b->flood > 0);
    assert_true(b->length > before);
    b->flood = 0;
    take(b);
    take(b);
    assert_int_equal(b->judge->names_all, b->length);
    finish(b);
}

/* Whatever is done in the folder: every name that came there is told once. */
static void any_doings_are_told(void **state)
{
    static const char *const ends[] = {"other", "OTHER", "judge", "txt", ""};
    struct dice dice = dice_make(dice_seed("doings"));
    struct bench *b = begin();
    uint64_t made = 0;
    (void)state;
    take(b);
    for (unsigned turn = 0; turn < 5000; turn++) {
        char name[64], to[64];
        const char *end = ends[dice_below(&dice, sizeof ends / sizeof ends[0])];
        bool counts = strcmp(end, "judge") != 0;
        snprintf(name, sizeof name, "%d.%c.%s", (int)dice_below(&dice, 9),
                 (char)('a' + dice_below(&dice, 4)), end);
        snprintf(to, sizeof to, "%d.%c.other", (int)dice_below(&dice, 9),
                 (char)('a' + dice_below(&dice, 4)));
        switch (dice_below(&dice, 7)) {
        case 0:
        case 1:
            made += mkdirat(b->fd, name, 0777) == 0 && counts;
            break;
        case 2:
            made += symlinkat(to, b->fd, name) == 0 && counts;
            break;
        case 3:
            unlinkat(b->fd, name, AT_REMOVEDIR);
            break;
        case 4:
            made += strcmp(name, to) != 0 && renameat(b->fd, name, b->fd, to) == 0;
            break;
        case 5:
            lpp_judge_press(b->judge, (uint32_t)('a' + dice_below(&dice, 4)), turn + 1, turn);
            break;
        default:
            take(b);
        }
    }
    take(b);
    assert_int_equal(b->judge->names_all, made);
    finish(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_come_in_the_order_of_their_making),
        cmocka_unit_test(a_name_made_again_is_a_key_again),
        cmocka_unit_test(what_is_there_already_is_taken_once),
        cmocka_unit_test(odd_names_are_remembered_as_they_are),
        cmocka_unit_test(things_that_are_no_directories),
        cmocka_unit_test(a_key_that_is_gone_again_counts),
        cmocka_unit_test(judges_keys_are_made_and_their_going_is_seen),
        cmocka_unit_test(a_restart_is_where_the_next_names_begin),
        cmocka_unit_test(no_more_keys_than_there_is_room_for),
        cmocka_unit_test(a_folder_that_is_gone_takes_no_keys),
        cmocka_unit_test(a_huge_backlog_is_counted),
        cmocka_unit_test(changes_that_were_lost_are_found_by_looking),
        cmocka_unit_test(a_flood_lets_the_validator_go),
        cmocka_unit_test(any_doings_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
