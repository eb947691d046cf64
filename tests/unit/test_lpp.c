/* The pure parts of the Loebner Prize Protocol: names, numbers, the order of what waits, what is
 * said of an Entry that is behind; and the adapter on a real folder, killed between two stores. */
#include "base/keysym.h"
#include "base/libexec.h"
#include "base/loop.h"
#include "entity/lpp.h"
#include "entity/lpp_lag.h"
#include "entity/lpp_state.h"
#include "entity/lpp_task.h"
#include "entity/lpp_waiting.h"
#include "tests/support/random.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static struct dice dice;

static struct lpp_name read_name(const char *name)
{
    struct lpp_name read;
    lpp_name_read(name, &read);
    return read;
}

static void names_in_the_wild_are_keys(void **state)
{
    static const struct {
        const char *name;
        uint32_t point;
        bool exact;
    } names[] = {
        {"000001234567890123.bracketleft.other", '[', true}, /* the rules' own example */
        {"000001234567890123.a.other", 'a', true},
        {"000001234567890123.A.other", 'A', true},
        {"000001234567890123.7.other", '7', true},
        {"1.a.other", 'a', false},
        {"0.a.other", 'a', false},
        {"13370152380273400.a.OTHER", 'a', false},
        {"000001234567890123.a.Other", 'a', false},
        {"000001234567890123.apostrophe.other", '\'', false},
        {"000001234567890123.grave.other", '`', false},
        {"000001234567890123.quotedble.other", '"', false},
        {"000001234567890123.quotedl.other", '"', false},
        {"000001234567890123.tab.other", KEY_TAB, false},
        {"000001234567890123.CR.other", KEY_RETURN, false},
        {"000001234567890123.SPACE.other", ' ', false},
        {"000001234567890123.backspace.other", KEY_BACKSPACE, false},
        {"000001234567890123...other", '.', false},
        {"000001234567890123.!.other", '!', false},
        {"000001234567890123.\xC3\xA9.other", 0xE9, true},
        {"000001234567890123.eacute.other", 0xE9, false},
        {"000001234567890123.Eacute.other", 0xC9, false},
        {"000001234567890123.EuroSign.other", 0x20AC, false},
        {"000001234567890123.U20AC.other", 0x20AC, false},
        {"000001234567890123.\n.other", KEY_RETURN, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct lpp_name read = read_name(names[i].name);
        if (read.kind != LPP_KEY || read.point != names[i].point || read.exact != names[i].exact)
            fail_msg("%s: kind %d, point %x, exact %d", names[i].name, read.kind, read.point,
                     read.exact);
        assert_int_equal(read.from, LPP_FROM_ENTRY);
    }
}

static void what_cannot_be_a_key_is_none(void **state)
{
    static const char *const no_keys[] = {
        "a.other",          ".other",        "1.other",         "1..other",
        "1.Shift_L.other",  "1.ab.other",    "1.\x01.other",    "1.\xFF.other",
        "1.\xC3.other",     "1.U0007.other", "1.U110000.other", "x1.a.other",
        "1.\xC2\xAD.other", "1 .a.other",    "-1.a.other",      "1a.other",
    };
    static const char *const foreign[] = {"notes.txt", "1.a",        "",      ".",
                                          "..",        "1.a.others", "other", "1.a.other.taken"};
    (void)state;
    for (size_t i = 0; i < sizeof no_keys / sizeof no_keys[0]; i++) {
        struct lpp_name read = read_name(no_keys[i]);
        if (read.kind != LPP_NO_KEY || !*read.why)
            fail_msg("%s: kind %d", no_keys[i], read.kind);
    }
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++)
        assert_int_equal(read_name(foreign[i]).kind, LPP_FOREIGN);
}

/* Every key that can be pressed is written as the rules say, and read as it was. */
static void what_is_written_is_read(void **state)
{
    char name[LPP_NAME_MAX + 1], itself[2] = "";
    (void)state;
    for (uint32_t point = 0; point < 0x30000; point++) {
        if (!key_is_key(point))
            continue;
        uint64_t number = 1 + (uint64_t)point * 1234567891;
        lpp_name_write(name, number, point, LPP_FROM_JUDGE);
        struct lpp_name read = read_name(name);
        if (read.kind != LPP_KEY || read.point != point || !read.exact ||
            read.from != LPP_FROM_JUDGE || lpp_number(name, &read) != number || strchr(name, '/'))
            fail_msg("U+%04X as '%s'", point, name);
    }
    lpp_name_write(name, LPP_NUMBER_MAX, 'q', LPP_FROM_ENTRY);
    assert_string_equal(name, "999999999999999999.q.other");
    for (char c = '0'; c <= '9'; c++) {
        itself[0] = c;
        lpp_name_write(name, 1, (uint32_t)c, LPP_FROM_JUDGE);
        assert_memory_equal(name + LPP_DIGITS + 1, itself, 1);
    }
}

/* Whatever the clock does, a number is above all before. */
static void numbers_rise(void **state)
{
    uint64_t last = 0;
    (void)state;
    assert_int_equal(lpp_number_next(0, 1795296000123456), 1795296000123);
    assert_int_equal(lpp_number_next(1795296000123, 1795296000123999), 1795296000124);
    assert_int_equal(lpp_number_next(1795296000123, 0), 1795296000124);
    assert_int_equal(lpp_number_next(LPP_NUMBER_MAX, 1795296000123456), 0);
    assert_int_equal(lpp_number_next(LPP_NUMBER_MAX - 1, 0), LPP_NUMBER_MAX);
    assert_int_equal(lpp_number_next(5, UINT64_MAX), UINT64_MAX / 1000);
    for (int i = 0; i < 100000; i++) {
        uint64_t next = lpp_number_next(last, dice_next(&dice) >> dice_below(&dice, 64));
        assert_true(next > last && next <= LPP_NUMBER_MAX);
        last = next;
    }
}

/* Of what waits. */

static struct lpp_item item_of(const char *name, uint64_t born_ns)
{
    static uint64_t inode;
    inode++;
    struct lpp_item item = {.born_ns = born_ns, .inode = inode, .serial = inode};
    snprintf(item.name, sizeof item.name, "%s", name);
    lpp_name_read(item.name, &item.read);
    assert_int_equal(item.read.kind, LPP_KEY);
    return item;
}

static void add(struct lpp_waiting *waiting, const char *name, uint64_t born_ns)
{
    struct lpp_item item = item_of(name, born_ns);
    assert_false(lpp_waiting_has(waiting, &item));
    lpp_waiting_add(waiting, &item);
}

static void expect(struct lpp_waiting *waiting, const char *keys)
{
    for (; *keys; keys++) {
        const struct lpp_item *first = lpp_waiting_first(waiting);
        assert_non_null(first);
        if (first->read.point != (uint32_t)*keys)
            fail_msg("%s instead of %s", first->name, keys);
        lpp_waiting_drop(waiting);
    }
}

static void what_waits_is_in_order(void **state)
{
    struct lpp_waiting *w = lpp_waiting_create(100);
    (void)state;
    add(w, "10.d.other", 1);
    add(w, "9.c.other", 2);
    add(w, "0000000000000000000000000000000011.e.other", 3);
    add(w, "123456789012345678901234567890.f.other", 4);
    add(w, "0008.a.other", 5);
    add(w, "8.b.other", 6); /* one number twice: as they were made */
    expect(w, "abcdef");
    assert_null(lpp_waiting_first(w));
    /* A counter that begins again: after the rest of the old one. */
    lpp_waiting_last(w, "500.x.other");
    add(w, "1.c.other", 20);
    add(w, "501.a.other", 10);
    add(w, "502.b.other", 11);
    add(w, "2.d.other", 21);
    add(w, "503.e.other", 30);
    expect(w, "abcde");
    lpp_waiting_destroy(w);
    lpp_waiting_destroy(NULL);
}

/* A pause in the making and then a lower number: the counter began again, however often. */
static void every_restart_that_waits_is_one(void **state)
{
    const uint64_t pause = LPP_PAUSE_NS + 1;
    struct lpp_waiting *w = lpp_waiting_create(100);
    (void)state;
    lpp_waiting_last(w, "500.x.other");
    add(w, "1.f.other", 3 * pause); /* seen in any order */
    add(w, "2.d.other", pause + 1);
    add(w, "502.b.other", 2);
    add(w, "3.e.other", pause + 2);
    add(w, "1.c.other", pause);
    add(w, "501.a.other", 1);
    add(w, "1.i.other", 4 * pause + 9);
    add(w, "9.h.other", 3 * pause + 9);
    add(w, "8.g.other", 3 * pause + 10);
    expect(w, "abcdef");
    add(w, "2.j.other", 5 * pause);
    expect(w, "ghij");
    lpp_waiting_clear(w);
    /* A batch out of order has no pause; its later numbers may have one. */
    add(w, "7.c.other", 1);
    add(w, "6.b.other", LPP_PAUSE_NS);
    add(w, "5.a.other", 2 * LPP_PAUSE_NS);
    add(w, "8.d.other", 5 * LPP_PAUSE_NS);
    add(w, "8.e.other", 7 * LPP_PAUSE_NS);
    expect(w, "abcde");
    /* A reply of a new counter, made in one grain of the clock of files, beyond the last number. */
    lpp_waiting_last(w, "2.x.other");
    add(w, "4.d.other", 9 * pause);
    add(w, "3.c.other", 9 * pause);
    add(w, "2.b.other", 9 * pause);
    add(w, "1.a.other", 9 * pause);
    expect(w, "abcd");
    lpp_waiting_destroy(w);
}

/* Keys that come one by one are in the order in which sorting puts them. */
static void what_comes_one_by_one_is_in_order(void **state)
{
    struct lpp_waiting *w = lpp_waiting_create(300), *sorted = lpp_waiting_create(300);
    char name[40], last[LPP_NAME_MAX + 1] = "";
    uint64_t born_ns = 1, number = 1;
    (void)state;
    for (unsigned i = 0; i < 20000; i++) {
        const struct lpp_item *first, *expected;
        if (random() % 2 && lpp_waiting_count(w) < 200) {
            number = random() % 50 ? number + (unsigned)random() % 3
                                   : (uint64_t)random() % (number + 5) + 1;
            born_ns += random() % 3 ? 0 : (uint64_t)random() % (LPP_PAUSE_NS / 2);
            born_ns += random() % 40 ? 0 : 2 * LPP_PAUSE_NS;
            snprintf(name, sizeof name, "%llu.a.other", (unsigned long long)number);
            struct lpp_item item =
                item_of(name, random() % 20 ? born_ns : born_ns - (uint64_t)random() % born_ns);
            lpp_waiting_add(w, &item);
            lpp_waiting_add(sorted, &item);
            lpp_waiting_last(sorted, last); /* it is sorted anew */
        }
        first = lpp_waiting_first(w);
        expected = lpp_waiting_first(sorted);
        assert_int_equal(!first, !expected);
        if (first)
            assert_int_equal(first->inode, expected->inode);
        if (first && random() % 2) {
            strcpy(last, first->name);
            lpp_waiting_drop(w);
            lpp_waiting_drop(sorted);
        }
    }
    lpp_waiting_destroy(w);
    lpp_waiting_destroy(sorted);
}

/* With less room than there is: what is left out comes after what is not. */
static void without_room_the_first_stay(void **state)
{
    enum { MANY = 1000, ROOM = 16 };
    struct lpp_waiting *w = lpp_waiting_create(ROOM);
    unsigned number[MANY], last = 0, seen = 0;
    (void)state;
    for (unsigned i = 0; i < MANY; i++)
        number[i] = i + 1;
    for (unsigned i = MANY - 1; i > 0; i--) {
        unsigned other = (unsigned)dice_below(&dice, i + 1), kept = number[i];
        number[i] = number[other];
        number[other] = kept;
    }
    for (unsigned looks = 0; seen < MANY && looks < MANY; looks++) {
        for (unsigned i = 0; i < MANY; i++) {
            char name[40];
            if (number[i] <= last)
                continue;
            snprintf(name, sizeof name, "%u.a.other", number[i]);
            add(w, name, 7);
        }
        for (const struct lpp_item *first; (first = lpp_waiting_first(w)); seen++) {
            assert_int_equal(lpp_number(first->name, &first->read), ++last);
            lpp_waiting_drop(w);
        }
        if (seen < MANY)
            assert_true(lpp_waiting_look_again(w));
        assert_false(lpp_waiting_look_again(w));
    }
    assert_int_equal(seen, MANY);
    lpp_waiting_destroy(w);
}

/* A counter that begins again twice while more waits than there is room for: first the rest of the
 * old one, then each new one in order. */
static void without_room_a_restart_is_one(void **state)
{
    enum { FIRST = 41, EACH = 90, COUNTERS = 3, ALL = COUNTERS * EACH, ROOM = 16 };
    struct lpp_waiting *w = lpp_waiting_create(ROOM);
    unsigned seen = 0, order[ALL] = {0};
    char name[40];
    (void)state;
    for (unsigned i = 0; i < ALL; i++) {
        unsigned other = (unsigned)dice_below(&dice, i + 1);
        order[i] = order[other];
        order[other] = i;
    }
    snprintf(name, sizeof name, "%u.x.other", FIRST - 1);
    lpp_waiting_last(w, name);
    while (seen < ALL) {
        /* The folder, in any order; what was relayed is gone from it. */
        for (unsigned i = 0; i < ALL; i++) {
            unsigned n = order[i], counter = n / EACH;
            snprintf(name, sizeof name, "%u.%c.other", n % EACH + (counter == 0 ? FIRST : 1),
                     'a' + counter);
            if (n >= seen)
                add(w, name, (counter + 1) * 2 * LPP_PAUSE_NS + n);
        }
        for (const struct lpp_item *first; (first = lpp_waiting_first(w)); seen++) {
            unsigned counter = seen / EACH;
            assert_int_equal(first->read.point, 'a' + counter);
            assert_int_equal(lpp_number(first->name, &first->read),
                             seen % EACH + (counter == 0 ? FIRST : 1));
            lpp_waiting_drop(w);
        }
        assert_true(lpp_waiting_look_again(w) || seen == ALL);
    }
    lpp_waiting_destroy(w);
}

/* Of an Entry that is behind. */

static enum lpp_lag_word tell(struct lpp_lag *lag, uint64_t now_s)
{
    char text[NOTE_MAX + 1];
    return lpp_lag_tell(lag, now_s * 1000000, text, sizeof text);
}

static void a_judge_program_owes_no_answer(void **state)
{
    static struct lpp_lag lag;
    (void)state;
    memset(&lag, 0, sizeof lag);
    lag.as_entry = true;
    lpp_lag_made(&lag, 1, 0);
    assert_int_equal(tell(&lag, 5), LPP_LAG_NOT_READY);
    assert_true(lpp_lag_removed(&lag, 1, 6000000));
    assert_int_equal(tell(&lag, 6), LPP_LAG_CAUGHT_UP);
    assert_int_equal(tell(&lag, 600), LPP_LAG_NOTHING);
    assert_int_equal(lpp_lag_due(&lag), BL_NEVER);
}

static void who_is_behind_is_told_once(void **state)
{
    static struct lpp_lag lag;
    (void)state;
    memset(&lag, 0, sizeof lag);
    assert_int_equal(lpp_lag_due(&lag), BL_NEVER);
    lpp_lag_made(&lag, 1, 0);
    lpp_lag_made(&lag, 2, 1000000);
    assert_int_equal(lpp_lag_due(&lag), LPP_LAG_US);
    assert_int_equal(tell(&lag, 4), LPP_LAG_NOTHING);
    assert_int_equal(tell(&lag, 5), LPP_LAG_NOT_READY);
    assert_int_equal(tell(&lag, 6), LPP_LAG_NOTHING);
    assert_int_equal(lpp_lag_due(&lag), LPP_DEAD_US);
    assert_int_equal(tell(&lag, 30), LPP_LAG_DEAD);
    assert_int_equal(tell(&lag, 60), LPP_LAG_NOTHING);
    assert_false(lpp_lag_removed(&lag, 3, 61000000));
    assert_true(lpp_lag_removed(&lag, 2, 61000000));
    assert_true(lpp_lag_removed(&lag, 1, 61000000));
    assert_int_equal(tell(&lag, 61), LPP_LAG_CAUGHT_UP);
    assert_int_equal(tell(&lag, 62), LPP_LAG_NOTHING);
    lpp_lag_made(&lag, 4, 70000000);
    assert_int_equal(tell(&lag, 75), LPP_LAG_BEHIND);
    assert_int_equal(lpp_lag_count(&lag), 1);
    lpp_lag_look_begin(&lag);
    lpp_lag_look_end(&lag, 76000000);
    assert_int_equal(lpp_lag_count(&lag), 0);
    memset(&lag, 0, sizeof lag);
    lpp_lag_made(&lag, 1, 0);
    lpp_lag_typed(&lag, 3000000);
    assert_int_equal(tell(&lag, 5), LPP_LAG_NEVER);
    for (unsigned i = 2; i < 2 * LPP_LAG_ROOM; i++)
        lpp_lag_made(&lag, i, 0);
    assert_int_equal(lpp_lag_count(&lag), 2 * LPP_LAG_ROOM - 1);
}

/* It has taken all and could type: a dead one and one that thinks look alike, for a time. */
static void who_says_nothing_is_told_once(void **state)
{
    static struct lpp_lag lag;
    (void)state;
    memset(&lag, 0, sizeof lag);
    for (unsigned round = 0; round < 2; round++) {
        uint64_t start_s = 1000 * (round + 1);
        lpp_lag_made(&lag, round, start_s * 1000000);
        lpp_lag_removed(&lag, round, start_s * 1000000);
        assert_int_equal(lpp_lag_due(&lag), start_s * 1000000 + LPP_MUTE_US);
        assert_int_equal(tell(&lag, start_s + 59), LPP_LAG_NOTHING);
        assert_int_equal(tell(&lag, start_s + 60), LPP_LAG_MUTE);
        assert_int_equal(tell(&lag, start_s + 200), LPP_LAG_NOTHING);
        assert_int_equal(lpp_lag_due(&lag), BL_NEVER);
        lpp_lag_typed(&lag, (start_s + 201) * 1000000);
        assert_int_equal(lpp_lag_due(&lag), 0);
        assert_int_equal(tell(&lag, start_s + 201), LPP_LAG_TYPES);
        assert_int_equal(tell(&lag, start_s + 500), LPP_LAG_NOTHING);
    }
    lpp_lag_made(&lag, 9, 9000000000);
    lpp_lag_removed(&lag, 9, 9000000000);
    lpp_lag_hush(&lag);
    assert_int_equal(lpp_lag_due(&lag), BL_NEVER);
    assert_int_equal(tell(&lag, 9999), LPP_LAG_NOTHING);
}

/* The adapter, on a folder. Its journal is here: what key() took. */

struct fixture {
    uv_loop_t loop;
    struct lpp *lpp;
    char base[64], folder[80];
    uint32_t typed[64];
    uint64_t pressed_us[64];
    unsigned typed_count, events[LPP_WELL + 1];
    const char *asked; /* the order: the judge's keys */
    bool refuse;
};

static enum handed on_key(void *ctx, uint32_t point, uint64_t pressed_us)
{
    struct fixture *f = ctx;
    if (f->refuse)
        return HANDED_BACK;
    assert_true(f->typed_count < 64);
    f->pressed_us[f->typed_count] = pressed_us;
    f->typed[f->typed_count++] = point;
    return HANDED_ON;
}

static uint64_t on_keys(void *ctx)
{
    return ((struct fixture *)ctx)->typed_count;
}

static uint32_t on_judge_key(void *ctx, uint64_t n)
{
    return (uint32_t)((struct fixture *)ctx)->asked[n - 1];
}

static void on_event(void *ctx, enum lpp_event event, uint32_t count, const char *text)
{
    (void)count;
    assert_true(*text && strlen(text) <= NOTE_MAX);
    ((struct fixture *)ctx)->events[event]++;
}

static void adapter_begin(struct fixture *f)
{
    const struct lpp_callbacks callbacks = {on_key, on_keys, on_judge_key, on_event};
    const struct lpp_options options = {.folder = f->folder, .state_dir = f->base};
    struct bl_diag diag = {""};
    if (lpp_open(&f->lpp, &f->loop, &options, &callbacks, f, &diag))
        fail_msg("%s", diag.text);
}

static void adapter_open(struct fixture *f, const char *session)
{
    adapter_begin(f);
    lpp_session(f->lpp, session, 0);
}

/* A kill leaves what is on disk as it is: so does this, but for a time that nothing here asks. */
static void adapter_close(struct fixture *f)
{
    lpp_close(f->lpp);
    f->lpp = NULL;
    uv_run(&f->loop, UV_RUN_DEFAULT);
}

/* Making and removing names waits for a disk that others keep busy, for seconds: root gets a file
 * system in memory, which ends with this process. */
static void leave_disk(void)
{
    const char *base = getenv("TMPDIR");
    if (base && geteuid() == 0 && unshare(CLONE_NEWNS) == 0 &&
        mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
        mount("none", base, "tmpfs", 0, NULL))
        print_message("# on the disk: no file system in memory\n");
}

/* A disk that is slow to make a directory, and to remove one; make() goes another way.
 * boothlink-lpp is this program, too, which knows the disk by a file. */
#define DISK "LPP_DISK"
static struct disk {
    sem_t may;
    atomic_bool held, held_after; /* before it does a thing, or when that is done */
    atomic_uint waits, by_the_loop;
} * disk;
static bool helps; /* it is boothlink-lpp */

static void disk_map(const char *path, bool anew)
{
    int fd = open(path, O_RDWR | O_CLOEXEC | (anew ? O_CREAT | O_TRUNC : 0), 0600);
    assert_true(fd >= 0 && ftruncate(fd, sizeof *disk) == 0);
    disk = mmap(NULL, sizeof *disk, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    assert_ptr_not_equal(disk, MAP_FAILED);
    close(fd);
    if (anew)
        sem_init(&disk->may, 1, 0);
}

enum bl_status libexec_path(char path[PATH_MAX], const char *name, struct bl_diag *diag)
{
    (void)diag;
    assert_string_equal(name, "boothlink-lpp");
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    path[length] = '\0';
    return BL_OK;
}

static void disk_turn(bool held)
{
    if (!helps) {
        disk->by_the_loop++;
    } else if (held) {
        disk->waits++;
        sem_wait(&disk->may);
    }
}

int mkdirat(int folder, const char *name, mode_t mode)
{
    disk_turn(disk->held);
    long made = syscall(SYS_mkdirat, folder, name, mode);
    disk_turn(disk->held_after);
    return (int)made;
}

int unlinkat(int folder, const char *name, int flags)
{
    disk_turn(disk->held);
    return (int)syscall(SYS_unlinkat, folder, name, flags);
}

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    const char *base = getenv("TMPDIR");
    snprintf(f->base, sizeof f->base, "%.40s/lpp.XXXXXX", base ? base : "/tmp");
    assert_non_null(mkdtemp(f->base));
    snprintf(f->folder, sizeof f->folder, "%s/folder", f->base);
    assert_int_equal(mkdir(f->folder, 0700), 0);
    uv_loop_init(&f->loop);
    char path[100];
    snprintf(path, sizeof path, "%s/disk", f->base);
    setenv(DISK, path, 1);
    disk_map(path, true);
    f->asked = "";
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    char command[100];
    if (f->lpp)
        adapter_close(f);
    uv_loop_close(&f->loop);
    munmap(disk, sizeof *disk);
    snprintf(command, sizeof command, "rm -rf '%s'", f->base);
    assert_int_equal(system(command), 0);
    free(f);
    return 0;
}

static void make(struct fixture *f, const char *name)
{
    char path[400];
    snprintf(path, sizeof path, "%s/%s", f->folder, name);
    assert_int_equal(mkdir(path, 0700), 0);
}

/* A terminal that was killed, or has ended, and its helpers, which come to us: all are gone. */
static int wait_terminal(pid_t terminal)
{
    int status = -1;
    assert_int_equal(waitpid(terminal, &status, 0), terminal);
    while (waitpid(-1, NULL, 0) > 0)
        ;
    return status;
}

/* From now on, each waits until it is let. */
static void disk_hold(void)
{
    disk->held = true;
}

static void disk_let(unsigned directories)
{
    while (directories--)
        sem_post(&disk->may);
}

/* How many names in the folder end so. */
static unsigned names(struct fixture *f, const char *extension)
{
    unsigned count = 0;
    DIR *dir = opendir(f->folder);
    assert_non_null(dir);
    for (struct dirent *found; (found = readdir(dir));) {
        size_t length = strlen(found->d_name);
        count += length > 6 && strcmp(found->d_name + length - 6, extension) == 0;
    }
    closedir(dir);
    return count;
}

/* Removes one of these, as an Entry does. */
static bool take(struct fixture *f, const char *extension)
{
    bool taken = false;
    DIR *dir = opendir(f->folder);
    assert_non_null(dir);
    for (struct dirent *found; !taken && (found = readdir(dir));) {
        size_t length = strlen(found->d_name);
        taken = length > 6 && strcmp(found->d_name + length - 6, extension) == 0 &&
                syscall(SYS_unlinkat, dirfd(dir), found->d_name, AT_REMOVEDIR) == 0;
    }
    closedir(dir);
    return taken;
}

static bool is_there(struct fixture *f, const char *name)
{
    char path[400];
    snprintf(path, sizeof path, "%s/%s", f->folder, name);
    return access(path, F_OK) == 0;
}

/* Threads of this process, as its terminal. */
static unsigned threads(void)
{
    unsigned count = 0;
    DIR *dir = opendir("/proc/self/task");
    assert_non_null(dir);
    for (struct dirent *found; (found = readdir(dir));)
        count += found->d_name[0] != '.';
    closedir(dir);
    return count;
}

static void turn(struct fixture *f)
{
    uv_run(&f->loop, UV_RUN_NOWAIT);
}

/* Until the judge's keys up to this one are made. */
static void wait_made(struct fixture *f, uint64_t n)
{
    while (lpp_given(f->lpp) < n)
        uv_run(&f->loop, UV_RUN_ONCE);
}

/* Until a name that was taken is removed. */
static void wait_removed(struct fixture *f, const char *name)
{
    while (is_there(f, name))
        uv_run(&f->loop, UV_RUN_ONCE);
}

static void assert_typed(struct fixture *f, const char *keys)
{
    assert_int_equal(f->typed_count, strlen(keys));
    for (unsigned i = 0; i < f->typed_count; i++)
        assert_int_equal(f->typed[i], (unsigned char)keys[i]);
}

static void a_key_waits_until_it_is_allowed_and_taken(void **state)
{
    struct fixture *f = *state;
    make(f, "1.a.other");
    adapter_open(f, "s");
    make(f, "2.b.other");
    turn(f);
    assert_typed(f, "");
    lpp_allow(f->lpp, 1);
    assert_typed(f, "a");
    wait_removed(f, "1.a.other");
    assert_true(is_there(f, "2.b.other"));
    f->refuse = true;
    lpp_allow(f->lpp, 5);
    assert_true(is_there(f, "2.b.other"));
    f->refuse = false;
    lpp_allow(f->lpp, 5);
    make(f, "3.c.other");
    make(f, "4.d.other");
    turn(f);
    assert_typed(f, "abcd");
    wait_removed(f, "4.d.other");
    make(f, "4.d.other"); /* the same name again is a key again */
    turn(f);
    assert_typed(f, "abcdd");
}

/* What a restart finds was not typed at the moment of its first look, all at once: then it would go
 * out in a burst. */
static void what_a_restart_finds_was_typed_before(void **state)
{
    const uint64_t grain_us = 20000; /* the clock of files has a coarse one */
    struct fixture *f = *state;
    adapter_open(f, "s");
    adapter_close(f);
    make(f, "1.a.other");
    make(f, "2.b.other");
    usleep(grain_us);
    uint64_t before_us = bl_mono_us();
    adapter_begin(f);
    uint64_t opened_us = bl_mono_us();
    usleep(grain_us);
    make(f, "3.c.other");
    usleep(grain_us);
    uint64_t live_us = bl_mono_us();
    lpp_session(f->lpp, "s", 0);
    lpp_allow(f->lpp, 9);
    assert_typed(f, "abc");
    assert_in_range(f->pressed_us[0], before_us, opened_us);
    assert_int_equal(f->pressed_us[1], f->pressed_us[0]);
    assert_in_range(f->pressed_us[2], opened_us, live_us);
    make(f, "4.d.other");
    turn(f);
    assert_typed(f, "abcd");
    assert_in_range(f->pressed_us[3], live_us, bl_mono_us());
}

/* Of many names at once some are taken later: all count as typed when they were seen. */
static void what_comes_at_once_was_typed_at_once(void **state)
{
    struct fixture *f = *state;
    char name[40];
    adapter_open(f, "s");
    lpp_allow(f->lpp, 100);
    for (unsigned i = 1; i <= 40; i++) {
        snprintf(name, sizeof name, "%u.a.other", i);
        make(f, name);
    }
    turn(f);
    assert_in_range(f->typed_count, 1, 39);
    uint64_t seen_us = bl_mono_us();
    while (f->typed_count < 40)
        uv_run(&f->loop, UV_RUN_ONCE);
    for (unsigned i = 0; i < 40; i++)
        assert_true(f->pressed_us[i] <= seen_us);
}

/* Killed after the journal and before the removal: the same directory is no second key, but
 * another of its name is. */
static void a_key_in_the_journal_is_only_removed(void **state)
{
    struct fixture *f = *state;
    struct lpp_state *kept;
    int fd;
    adapter_open(f, "s");
    make(f, "7.a.other");
    f->refuse = true; /* as if killed in between: the slot is written, the journal is not */
    lpp_allow(f->lpp, 5);
    turn(f);
    adapter_close(f);
    f->refuse = false;
    adapter_open(f, "s");
    lpp_allow(f->lpp, 5);
    assert_typed(f, "a"); /* not in the journal: it comes */
    adapter_close(f);
    make(f, "8.b.other");
    adapter_open(f, "s");
    f->refuse = true;
    lpp_allow(f->lpp, 5);
    adapter_close(f);
    f->refuse = false;
    f->typed[f->typed_count++] = 'b'; /* now the journal is written, and the directory is there */
    assert_true(is_there(f, "8.b.other"));
    adapter_open(f, "s");
    lpp_allow(f->lpp, 5);
    assert_typed(f, "ab");
    assert_false(is_there(f, "8.b.other"));
    make(f, "8.b.other");
    turn(f);
    assert_typed(f, "abb");
    adapter_close(f);
    assert_int_equal(lpp_state_open(&kept, &fd, f->base, f->folder, false, NULL), BL_OK);
    assert_string_equal(kept->session, "s");
    lpp_state_close(kept);
    close(fd);
}

/* Killed while one of the judge's keys is being made. */
static void a_key_of_the_judge_is_made_once(void **state)
{
    struct fixture *f = *state;
    struct lpp_state *kept;
    int fd;
    char name[LPP_NAME_MAX + 1];
    f->asked = "xyz";
    adapter_open(f, "s");
    lpp_order(f->lpp, 1);
    wait_made(f, 1);
    adapter_close(f);
    for (int made = 0; made < 2; made++) {
        uint64_t n = 2 + (uint64_t)made, number;
        assert_int_equal(lpp_state_open(&kept, &fd, f->base, f->folder, false, NULL), BL_OK);
        number = ++kept->number;
        kept->making_point = (unsigned char)f->asked[n - 1];
        struct stat info;
        stat(f->folder, &info);
        kept->making_ns =
            (uint64_t)info.st_mtim.tv_sec * 1000000000u + (uint64_t)info.st_mtim.tv_nsec;
        kept->making = n;
        lpp_state_close(kept);
        close(fd);
        lpp_name_write(name, number, (unsigned char)f->asked[n - 1], LPP_FROM_JUDGE);
        if (made)
            make(f, name);
        adapter_open(f, "s");
        lpp_order(f->lpp, n);
        wait_made(f, n);
        /* Made before the kill: not again. Not made: under another number. */
        assert_int_equal(is_there(f, name), made);
        adapter_close(f);
    }
}

static void another_session_finds_nothing_old(void **state)
{
    struct fixture *f = *state;
    f->asked = "hello";
    adapter_open(f, "one");
    lpp_allow(f->lpp, 1);
    lpp_order(f->lpp, 5);
    wait_made(f, 5);
    make(f, "1.a.other");
    make(f, "2.b.other");
    turn(f);
    assert_typed(f, "a");
    usleep(20000); /* the clock of files has a coarse grain */
    lpp_session(f->lpp, "two", 0);
    assert_int_equal(f->events[LPP_LEFT_OVER], 1);
    lpp_allow(f->lpp, 9);
    turn(f);
    assert_typed(f, "a");
    make(f, "3.c.other");
    turn(f);
    assert_typed(f, "ac");
}

static void a_hostile_folder_costs_no_key(void **state)
{
    struct fixture *f = *state;
    char path[300], name[256];
    adapter_open(f, "s");
    lpp_allow(f->lpp, 9);
    memset(name, '9', 247);
    strcpy(name + 247, ".k.other");
    make(f, name); /* as long as a name can be, and a key */
    memset(name, 'n', 255);
    name[255] = '\0';
    make(f, name);
    make(f, "5.x.other");
    make(f, "5.x.other/full");
    make(f, "6.nothing.other");
    snprintf(path, sizeof path, "%s/7.l.other", f->folder);
    assert_int_equal(symlink("/", path), 0);
    for (int i = 0; i < 3; i++)
        turn(f);
    assert_int_equal(f->typed_count, 2);
    wait_removed(f, "5.x.other");
    assert_true(is_there(f, "5.x.other.taken"));
    assert_int_equal(f->events[LPP_NOT_A_KEY], 2);
    assert_int_equal(f->events[LPP_PASSED], 1);
    assert_false(is_there(f, "6.nothing.other"));
    assert_false(is_there(f, "7.l.other"));
}

/* How long a file system takes is nobody's to wait for: the loop goes on. */
static void nobody_waits_for_a_directory(void **state)
{
    struct fixture *f = *state;
    f->asked = "xy";
    adapter_open(f, "s");
    lpp_allow(f->lpp, 9);
    disk_hold();
    lpp_order(f->lpp, 1);
    lpp_order(f->lpp, 2);
    make(f, "1.a.other");
    turn(f);
    assert_typed(f, "a");
    assert_int_equal(lpp_given(f->lpp), 0);
    disk_let(3);
    wait_made(f, 2);
    wait_removed(f, "1.a.other");
    assert_int_equal(disk->by_the_loop, 0);
    assert_int_equal(names(f, ".judge"), 2);
    assert_int_equal(threads(), 1);
}

/* Nor how long it takes to remove what was taken: as many keys come as a terminal that is killed
 * then knows to have been taken, and are no keys again. */
static void nobody_waits_for_a_removal(void **state)
{
    struct fixture *f = *state;
    char name[20];
    disk_hold();
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        uv_loop_fork(&f->loop);
        adapter_open(f, "s");
        lpp_allow(f->lpp, 1000);
        for (unsigned i = 0; i < 2 * LPP_TAKEN_MAX; i++) {
            snprintf(name, sizeof name, "%u.%c.other", i, 'a' + i % 26);
            make(f, name);
        }
        for (unsigned i = 0; i < 2 * LPP_TAKEN_MAX; i++)
            turn(f);
        _exit(f->typed_count == LPP_TAKEN_MAX - 1 && disk->by_the_loop == 0 ? 0 : 1);
    }
    assert_int_equal(wait_terminal(child), 0);
    disk->held = false;
    for (unsigned i = 0; i < LPP_TAKEN_MAX - 1; i++) /* the journal has them */
        f->typed[f->typed_count++] = 'a' + i % 26;
    assert_int_equal(names(f, ".other"), 2 * LPP_TAKEN_MAX);
    adapter_open(f, "s");
    lpp_allow(f->lpp, 1000);
    while (names(f, ".other"))
        uv_run(&f->loop, UV_RUN_ONCE);
    assert_int_equal(f->typed_count, 2 * LPP_TAKEN_MAX);
    for (unsigned i = 0; i < f->typed_count; i++)
        assert_int_equal(f->typed[i], 'a' + i % 26);
}

/* The Entry has removed it before we heard that it was made: that is a sign of life all the same.
 */
static void a_quick_entry_is_no_slow_one(void **state)
{
    struct fixture *f = *state;
    f->asked = "x";
    adapter_open(f, "s");
    lpp_order(f->lpp, 1);
    while (!take(f, ".judge"))
        sched_yield();
    while (f->events[LPP_FIRST] == 0)
        uv_run(&f->loop, UV_RUN_ONCE);
    assert_int_equal(lpp_given(f->lpp), 1);
}

/* Our helpers, of which nothing is left but zombies. */
static void kill_helpers(void)
{
    char path[80];
    pid_t pid;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
    FILE *children = fopen(path, "r");
    assert_non_null(children);
    while (fscanf(children, "%d", &pid) == 1) {
        siginfo_t info;
        assert_int_equal(kill(pid, SIGKILL), 0);
        assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
    }
    fclose(children);
}

/* boothlink-lpp is killed before it has made a key, and when it has just made one: it is started
 * again, the first is made, the second is no second one. */
static void a_helper_that_ends_costs_no_key(void **state)
{
    struct fixture *f = *state;
    f->asked = "xy";
    adapter_open(f, "s");
    for (unsigned n = 1; n <= 2; n++) {
        disk->waits = 0;
        *(n == 1 ? &disk->held : &disk->held_after) = true;
        lpp_order(f->lpp, n);
        while (!disk->waits)
            sched_yield();
        assert_int_equal(names(f, ".judge"), n == 1 ? 0 : 2);
        kill_helpers();
        disk->held = disk->held_after = false;
        wait_made(f, n);
        while (f->events[LPP_WELL] < n)
            uv_run(&f->loop, UV_RUN_ONCE);
        assert_int_equal(names(f, ".judge"), n);
        assert_int_equal(f->events[LPP_TROUBLE], n);
    }
    lpp_allow(f->lpp, 9);
    disk->held = true;
    disk->waits = 0;
    make(f, "1.a.other");
    turn(f);
    assert_typed(f, "a");
    while (!disk->waits)
        sched_yield();
    kill_helpers();
    disk->held = false;
    wait_removed(f, "1.a.other");
    make(f, "2.b.other"); /* none was at work when it was killed */
    turn(f);
    wait_removed(f, "2.b.other");
    kill_helpers();
    make(f, "3.c.other");
    turn(f);
    wait_removed(f, "3.c.other");
    assert_typed(f, "abc");
    assert_int_equal(disk->by_the_loop, 0);
}

/* A terminal that is killed at any moment, many times: each key of the Entry is in the journal,
 * once, in its place, and none of the judge's is made twice. */
#define KILLS 40
#define KEYS  (KILLS * 4)

struct shared {
    atomic_uint typed_count;
    uint32_t typed[2 * KEYS];
};

static enum handed on_shared_key(void *ctx, uint32_t point, uint64_t pressed_us)
{
    struct shared *s = ctx;
    (void)pressed_us;
    if (s->typed_count == 2 * KEYS)
        return HANDED_BACK;
    s->typed[s->typed_count] = point;
    s->typed_count++;
    return HANDED_ON;
}

static uint64_t on_shared_keys(void *ctx)
{
    return ((struct shared *)ctx)->typed_count;
}

static uint32_t on_shared_judge_key(void *ctx, uint64_t n)
{
    (void)ctx;
    return 'a' + (uint32_t)(n % 26);
}

static void on_shared_event(void *ctx, enum lpp_event event, uint32_t count, const char *text)
{
    (void)ctx, (void)event, (void)count, (void)text;
}

/* A terminal, which goes on until it is killed, or until it has all. */
static void shared_run(const struct fixture *f, struct shared *shared, unsigned keys,
                       uint64_t order)
{
    const struct lpp_callbacks callbacks = {on_shared_key, on_shared_keys, on_shared_judge_key,
                                            on_shared_event};
    const struct lpp_options options = {.folder = f->folder, .state_dir = f->base};
    struct bl_diag diag = {""};
    uv_loop_t loop;
    struct lpp *lpp;
    uv_loop_init(&loop);
    if (lpp_open(&lpp, &loop, &options, &callbacks, shared, &diag))
        fail_msg("%s", diag.text);
    lpp_session(lpp, "s", 0);
    lpp_allow(lpp, 1000000);
    lpp_order(lpp, order);
    while (shared->typed_count < keys || lpp_given(lpp) < order)
        uv_run(&loop, UV_RUN_ONCE);
    lpp_close(lpp);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_loop_close(&loop);
}

static void a_kill_at_any_moment_costs_no_key(void **state)
{
    struct fixture *f = *state;
    char name[40];
    struct shared *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(shared, MAP_FAILED);
    for (unsigned kills = 0, made = 0; kills < KILLS; kills++) {
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            shared_run(f, shared, UINT_MAX, made + 4);
            _exit(0);
        }
        unsigned until = shared->typed_count + dice_below(&dice, 4);
        for (unsigned i = 0; i < 4; i++, made++) {
            snprintf(name, sizeof name, "%06u.%c.other", made, 'a' + made % 26);
            make(f, name);
        }
        while (shared->typed_count <= until && shared->typed_count < made)
            sched_yield();
        for (unsigned turns = dice_below(&dice, 2000); turns; turns--)
            atomic_signal_fence(memory_order_seq_cst);
        assert_int_equal(kill(child, SIGKILL), 0);
        wait_terminal(child);
    }
    shared_run(f, shared, KEYS, KEYS);
    assert_int_equal(shared->typed_count, KEYS);
    for (unsigned i = 0; i < KEYS; i++)
        assert_int_equal(shared->typed[i], 'a' + i % 26);
    assert_int_equal(names(f, ".other"), 0);
    assert_true(names(f, ".judge") <= KEYS);
    munmap(shared, sizeof *shared);
}

static void *let_go(void *unused)
{
    (void)unused;
    while (!disk->waits)
        sched_yield();
    disk_let(2);
    return NULL;
}

/* A session that is left, and a folder that goes, while a key is being made. */
static void what_is_being_made_is_waited_for(void **state)
{
    struct fixture *f = *state;
    pthread_t other;
    f->asked = "xyz";
    adapter_open(f, "one");
    disk_hold();
    lpp_order(f->lpp, 2);
    assert_int_equal(pthread_create(&other, NULL, let_go, NULL), 0);
    lpp_leave(f->lpp);
    assert_int_equal(lpp_given(f->lpp), 2);
    pthread_join(other, NULL);
    lpp_session(f->lpp, "two", 0);
    assert_int_equal(f->events[LPP_LEFT_OVER], 1);
    lpp_order(f->lpp, 3);
    disk_let(3);
    wait_made(f, 3);
    assert_int_equal(names(f, ".judge"), 3);
}

static void a_folder_that_goes_is_let_go_afterwards(void **state)
{
    struct fixture *f = *state;
    char away[100];
    snprintf(away, sizeof away, "%s/away", f->base);
    f->asked = "xy";
    adapter_open(f, "s");
    disk_hold();
    lpp_order(f->lpp, 1);
    while (!disk->waits)
        sched_yield();
    assert_int_equal(rename(f->folder, away), 0);
    turn(f);
    assert_int_equal(f->events[LPP_TROUBLE], 0);
    disk_let(1);
    while (f->events[LPP_TROUBLE] == 0)
        uv_run(&f->loop, UV_RUN_ONCE);
    assert_int_equal(lpp_given(f->lpp), 1);
    assert_int_equal(mkdir(f->folder, 0700), 0);
    lpp_order(f->lpp, 2);
    disk_let(1);
    wait_made(f, 2);
    while (f->events[LPP_WELL] == 0)
        uv_run(&f->loop, UV_RUN_ONCE);
    assert_int_equal(names(f, ".judge"), 1);
    assert_int_equal(disk->by_the_loop, 0);
}

static void one_terminal_has_a_folder(void **state)
{
    struct fixture *f = *state;
    const struct lpp_callbacks callbacks = {on_key, on_keys, on_judge_key, on_event};
    struct lpp_options options = {.folder = f->folder, .state_dir = f->base};
    struct lpp *second;
    struct bl_diag diag;
    adapter_open(f, "s");
    assert_int_equal(lpp_open(&second, &f->loop, &options, &callbacks, f, &diag), BL_BUSY);
    assert_null(second);
    options.folder = "/nowhere";
    assert_int_equal(lpp_open(&second, &f->loop, &options, &callbacks, f, &diag), BL_NOINPUT);
    options.folder = "/dev/null";
    assert_int_equal(lpp_open(&second, &f->loop, &options, &callbacks, f, &diag), BL_USAGE);
}

int main(int argc, char **argv)
{
    (void)argc;
    if (strcmp(argv[0], "boothlink-lpp") == 0) {
        helps = true;
        disk_map(getenv(DISK), false);
        return lpp_task_serve();
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_in_the_wild_are_keys),
        cmocka_unit_test(what_cannot_be_a_key_is_none),
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(numbers_rise),
        cmocka_unit_test(what_waits_is_in_order),
        cmocka_unit_test(every_restart_that_waits_is_one),
        cmocka_unit_test(what_comes_one_by_one_is_in_order),
        cmocka_unit_test(without_room_the_first_stay),
        cmocka_unit_test(without_room_a_restart_is_one),
        cmocka_unit_test(a_judge_program_owes_no_answer),
        cmocka_unit_test(who_is_behind_is_told_once),
        cmocka_unit_test(who_says_nothing_is_told_once),
        cmocka_unit_test_setup_teardown(a_key_waits_until_it_is_allowed_and_taken, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_a_restart_finds_was_typed_before, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_comes_at_once_was_typed_at_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_key_in_the_journal_is_only_removed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_key_of_the_judge_is_made_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(another_session_finds_nothing_old, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_hostile_folder_costs_no_key, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_terminal_has_a_folder, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nobody_waits_for_a_directory, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nobody_waits_for_a_removal, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_quick_entry_is_no_slow_one, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_helper_that_ends_costs_no_key, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_kill_at_any_moment_costs_no_key, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_being_made_is_waited_for, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_folder_that_goes_is_let_go_afterwards, set_up, tear_down),
    };
    dice = dice_make(dice_seed("lpp"));
    leave_disk();
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
