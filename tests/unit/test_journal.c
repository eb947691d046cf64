/* Files: opening, locking, syncing, and what a failing disk leaves. */
#include "journal/journal.h"
#include "tests/support/records.h"
#include "tests/support/fake_disk.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char directory[64];

static int make_directory(void **state)
{
    (void)state;
    strcpy(directory, "/tmp/test_journal.XXXXXX");
    return mkdtemp(directory) ? 0 : -1;
}

static int remove_directory(void **state)
{
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", directory);
    return system(command);
}

static const char *in_directory(const char *name)
{
    static char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

/* Counts what replay gives, and checks that keys come in order. */
struct count {
    uint64_t headers, keys, others;
    bool gap;
};

static void on_entry(void *ctx, const struct journal_record *record)
{
    struct count *c = ctx;
    if (record->kind == JOURNAL_HEADER) {
        c->headers++;
    } else if (record->kind == JOURNAL_KEYS) {
        c->gap = c->gap || record->as.keys.first != c->keys + 1;
        c->keys += record->as.keys.run.length;
    } else {
        c->others++;
    }
}

static struct journal *must_open(const struct disk *disk, const char *path, struct count *count,
                                 struct journal_report *report)
{
    struct journal_record header = records_header("s1", PARTY_JUDGE, 1000);
    struct journal *journal = NULL;
    struct bl_diag diag;
    memset(count, 0, sizeof *count);
    if (journal_open(&journal, disk, path, &header, on_entry, count, report, &diag) != BL_OK)
        fail_msg("%s", diag.text);
    return journal;
}

static enum bl_status append_key(struct journal *journal, uint64_t n)
{
    struct journal_record e = records_keys(SIDE_LEFT, PARTY_JUDGE, n, 1000 + n, "k");
    return journal_append(journal, &e);
}

static void test_created_private_and_continued(void **state)
{
    const char *path = in_directory("a.journal");
    struct journal_report report;
    struct count count;
    struct stat st;
    (void)state;
    struct journal *j = must_open(&disk_real, path, &count, &report);
    assert_int_equal(count.headers, 0);
    assert_int_equal(report.records, 0);
    assert_string_equal(journal_path(j), path);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0600);
    for (uint64_t n = 1; n <= 3; n++)
        assert_int_equal(append_key(j, n), BL_OK);
    journal_close(j);
    j = must_open(&disk_real, path, &count, &report);
    assert_int_equal(count.headers, 1);
    assert_int_equal(count.keys, 3);
    assert_int_equal(report.records, 4);
    assert_int_equal(report.damaged, 0);
    assert_int_equal(report.torn_bytes, 0);
    assert_int_equal(append_key(j, 4), BL_OK);
    journal_close(j);
    memset(&count, 0, sizeof count);
    assert_int_equal(journal_read(&disk_real, path, on_entry, &count, NULL, NULL), BL_OK);
    assert_int_equal(count.keys, 4);
    /* What was reserved for it is given back. */
    assert_int_equal(stat(path, &st), 0);
    assert_true(st.st_blocks * 512 <= 65536);
}

static void test_an_existing_one_only(void **state)
{
    struct journal *j = NULL;
    struct bl_diag diag;
    (void)state;
    assert_int_equal(
        journal_open(&j, &disk_real, in_directory("none.journal"), NULL, NULL, NULL, NULL, &diag),
        BL_NOINPUT);
    assert_non_null(strstr(diag.text, "none.journal"));
    assert_int_equal(access(in_directory("none.journal"), F_OK), -1);
}

static void test_a_second_program_is_told_who_has_it(void **state)
{
    const char *path = in_directory("locked.journal");
    struct journal_record header = records_header("s1", PARTY_JUDGE, 1000);
    struct journal *j, *second = NULL;
    struct bl_diag diag;
    struct count count;
    char pid[32];
    int ready[2], leave[2];
    char byte = 0;
    (void)state;
    assert_int_equal(pipe(ready) | pipe(leave), 0);
    pid_t child = fork();
    if (child == 0) {
        j = NULL;
        journal_open(&j, &disk_real, path, &header, NULL, NULL, NULL, NULL);
        _exit(write(ready[1], &byte, 1) != 1 || read(leave[0], &byte, 1) != 1 || !j);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(journal_open(&second, &disk_real, path, &header, NULL, NULL, NULL, &diag),
                     BL_BUSY);
    assert_null(second);
    snprintf(pid, sizeof pid, "pid %d", (int)child);
    if (!strstr(diag.text, pid) && !strstr(diag.text, "another program"))
        fail_msg("no holder in: %s", diag.text);
    /* Reading needs no lock. */
    assert_int_equal(journal_read(&disk_real, path, on_entry, &count, NULL, NULL), BL_OK);
    assert_int_equal(write(leave[1], &byte, 1), 1);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    j = must_open(&disk_real, path, &count, NULL);
    journal_close(j);
    close(ready[0]);
    close(ready[1]);
    close(leave[0]);
    close(leave[1]);
}

static void test_not_a_journal_says_what_it_is(void **state)
{
    static const struct {
        const char *bytes;
        size_t length;
        const char *what;
    } cases[] = {
        {"Dear judge,\nhow are you\n", 24, "a text file"},
        {"SQLite format 3\0 and on", 23, "an SQLite database"},
        {"\x7f"
         "ELF\2\1\1",
         7, "a program"},
        {"\x1f\x8b\x08\0", 4, "a gzip file"},
        {"\0\1\2\3\4\5", 6, "binary data"},
        {"\xB1\x30\x00\x01\x00"
         "12345678"
         "BLJ\x02\0\0",
         19, "another version"},
    };
    struct journal_record header = records_header("s1", PARTY_JUDGE, 1000);
    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *path = in_directory("odd.journal");
        struct journal *j = NULL;
        struct bl_diag diag;
        char back[64];
        FILE *f = fopen(path, "w");
        assert_int_equal(fwrite(cases[i].bytes, 1, cases[i].length, f), cases[i].length);
        fclose(f);
        assert_int_equal(journal_read(&disk_real, path, NULL, NULL, NULL, &diag), BL_DATA);
        assert_non_null(strstr(diag.text, cases[i].what));
        assert_int_equal(journal_open(&j, &disk_real, path, &header, NULL, NULL, NULL, &diag),
                         BL_DATA);
        assert_non_null(strstr(diag.text, cases[i].what));
        /* And nothing of it is touched. */
        f = fopen(path, "r");
        assert_int_equal(fread(back, 1, sizeof back, f), cases[i].length);
        assert_memory_equal(back, cases[i].bytes, cases[i].length);
        fclose(f);
    }
    struct bl_diag diag;
    assert_int_equal(journal_read(&disk_real, directory, NULL, NULL, NULL, &diag), BL_DATA);
    assert_int_equal(mkfifo(in_directory("pipe.journal"), 0600), 0);
    assert_int_equal(
        journal_read(&disk_real, in_directory("pipe.journal"), NULL, NULL, NULL, &diag), BL_DATA);
    assert_int_equal(unlink(in_directory("pipe.journal")), 0);
    assert_int_equal(journal_read(&disk_real, "/nowhere/x", NULL, NULL, NULL, &diag), BL_NOINPUT);
}

/* Power lost while the file was being made leaves a part of the header: begun anew. */
static void test_a_creation_cut_short_is_begun_anew(void **state)
{
    struct journal_record header = records_header("s1", PARTY_JUDGE, 1000);
    uint8_t record[JOURNAL_RECORD_MAX];
    size_t length = journal_encode(&header, record);
    struct fake_disk *fake = fake_disk_create(1);
    struct journal_report report;
    struct count count;
    (void)state;
    for (size_t cut = 0; cut < length; cut++) {
        fake_disk_put(fake, "f", record, cut);
        struct journal *j = must_open(fake_disk_face(fake), "f", &count, &report);
        assert_int_equal(fake_disk_synced(fake, "f"), length);
        journal_close(j);
    }
    memset(record, 0, length);
    fake_disk_put(fake, "f", record, length);
    journal_close(must_open(fake_disk_face(fake), "f", &count, &report));
    fake_disk_destroy(fake);
}

static void on_contest(void *ctx, const struct journal_record *record)
{
    if (record->kind == JOURNAL_NOTE && record->as.note.code == NOTE_CONTEST) {
        assert_string_equal(record->as.note.text, "6615ab546b714");
        ++*(unsigned *)ctx;
    }
}

/* The id of a contest is written with the header, so no kill leaves a record of any contest. A
 * record that a power loss cut in between, or of an earlier version, gets it once continued. */
static void test_the_contest_comes_with_the_header(void **state)
{
    struct fake_disk *fake = fake_disk_create(1);
    struct journal_record header = records_header("s1", PARTY_JUDGE, 1000);
    uint8_t bytes[2 * JOURNAL_RECORD_MAX];
    const size_t headed = journal_encode(&header, bytes);
    struct journal *j;
    struct bl_diag diag;
    size_t length;
    (void)state;
    header.as.header.contest = "6615ab546b714";
    assert_int_equal(journal_open(&j, fake_disk_face(fake), "f", &header, NULL, NULL, NULL, &diag),
                     BL_OK);
    const uint8_t *there = fake_disk_bytes(fake, "f", &length);
    assert_int_equal(fake_disk_synced(fake, "f"), length);
    assert_true(length > headed && length <= sizeof bytes);
    memcpy(bytes, there, length);
    journal_close(j);
    for (size_t cut = 0; cut <= length; cut++) {
        fake_disk_put(fake, "f", bytes, cut);
        for (unsigned again = 0; again < 2; again++) {
            unsigned notes = 0;
            assert_int_equal(
                journal_open(&j, fake_disk_face(fake), "f", &header, NULL, NULL, NULL, &diag),
                BL_OK);
            assert_int_equal(append_key(j, again + 1), BL_OK);
            journal_close(j);
            assert_int_equal(
                journal_read(fake_disk_face(fake), "f", on_contest, &notes, NULL, NULL), BL_OK);
            assert_int_equal(notes, 1);
        }
    }
    fake_disk_destroy(fake);
}

static void test_a_damaged_header_is_not_continued(void **state)
{
    struct fake_disk *fake = fake_disk_create(1);
    struct journal_record header = records_header("s1", PARTY_JUDGE, 1000);
    struct journal *j;
    struct count count;
    struct journal_report report;
    struct bl_diag diag;
    size_t length;
    uint8_t copy[256];
    (void)state;
    j = must_open(fake_disk_face(fake), "f", &count, &report);
    assert_int_equal(append_key(j, 1), BL_OK);
    journal_close(j);
    memcpy(copy, fake_disk_bytes(fake, "f", &length), 100);
    copy[20] ^= 4;
    fake_disk_put(fake, "f", copy, length);
    assert_int_equal(
        journal_open(&j, fake_disk_face(fake), "f", &header, NULL, NULL, &report, &diag), BL_DATA);
    assert_non_null(strstr(diag.text, "first record"));
    memset(&count, 0, sizeof count);
    assert_int_equal(journal_read(fake_disk_face(fake), "f", on_entry, &count, &report, &diag),
                     BL_OK);
    assert_int_equal(count.keys, 1);
    assert_int_equal(report.damaged, 1);
    fake_disk_destroy(fake);
}

/* The loop's part. */

static struct {
    unsigned low, full, failed, other;
} warned;

static void on_warn(void *ctx, const char *text)
{
    (void)ctx;
    if (strstr(text, "nearly full"))
        warned.low++;
    else if (strstr(text, "is full"))
        warned.full++;
    else if (strstr(text, "fails to write"))
        warned.failed++;
    else
        warned.other++;
}

/* Runs the loop until a condition holds; generous, because machines are busy. */
static bool run_until(uv_loop_t *loop, bool (*holds)(void *ctx), void *ctx)
{
    uint64_t end = uv_hrtime() + 10000000000u;
    while (!holds(ctx) && uv_hrtime() < end) {
        uv_run(loop, UV_RUN_NOWAIT);
        usleep(200);
    }
    return holds(ctx);
}

static void loop_end(uv_loop_t *loop)
{
    uv_run(loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(loop), 0);
}

static bool all_synced(void *ctx)
{
    size_t length = 0;
    return fake_disk_bytes(ctx, "f", &length) && fake_disk_synced(ctx, "f") == length;
}

static void test_appends_reach_the_disk_by_themselves(void **state)
{
    struct fake_disk *fake = fake_disk_create(1);
    struct count count;
    uv_loop_t loop;
    (void)state;
    memset(&warned, 0, sizeof warned);
    uv_loop_init(&loop);
    struct journal *j = must_open(fake_disk_face(fake), "f", &count, NULL);
    unsigned before = fake_disk_syncs(fake);
    assert_int_equal(append_key(j, 1), BL_OK);
    assert_int_equal(journal_attach(j, &loop, on_warn, NULL), BL_OK);
    assert_true(run_until(&loop, all_synced, fake));
    for (uint64_t n = 2; n <= 100; n++)
        assert_int_equal(append_key(j, n), BL_OK);
    assert_false(all_synced(fake));
    assert_true(run_until(&loop, all_synced, fake));
    /* Many appends, one sync. */
    assert_int_equal(fake_disk_syncs(fake), before + 2);
    /* Nothing more to do: the loop is not kept awake. */
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(fake_disk_syncs(fake), before + 2);
    journal_close(j);
    loop_end(&loop);
    assert_int_equal(warned.low + warned.full + warned.failed + warned.other, 0);
    fake_disk_destroy(fake);
}

/* A slow sync: the worker stands in it until it is let go. */
struct gate {
    uv_sem_t entered, leave;
    int inside, most, entries; /* atomically */
};

static void on_sync(void *ctx)
{
    struct gate *g = ctx;
    int inside = __atomic_add_fetch(&g->inside, 1, __ATOMIC_SEQ_CST);
    if (inside > g->most)
        g->most = inside;
    __atomic_add_fetch(&g->entries, 1, __ATOMIC_SEQ_CST);
    uv_sem_post(&g->entered);
    uv_sem_wait(&g->leave);
    __atomic_sub_fetch(&g->inside, 1, __ATOMIC_SEQ_CST);
}

static bool second_has_entered(void *ctx)
{
    struct gate *g = ctx;
    return __atomic_load_n(&g->entries, __ATOMIC_SEQ_CST) >= 2;
}

static bool is_inside(void *ctx)
{
    struct gate *g = ctx;
    return __atomic_load_n(&g->inside, __ATOMIC_SEQ_CST) > 0;
}

static void test_one_sync_at_a_time_and_then_the_next(void **state)
{
    struct fake_disk *fake = fake_disk_create(1);
    struct gate gate = {0};
    struct count count;
    uv_loop_t loop;
    size_t length;
    (void)state;
    uv_loop_init(&loop);
    uv_sem_init(&gate.entered, 0);
    uv_sem_init(&gate.leave, 0);
    struct journal *j = must_open(fake_disk_face(fake), "f", &count, NULL);
    assert_int_equal(journal_attach(j, &loop, on_warn, NULL), BL_OK);
    assert_true(run_until(&loop, all_synced, fake));
    uv_run(&loop, UV_RUN_DEFAULT);
    fake_disk_on_sync(fake, on_sync, &gate);
    assert_int_equal(append_key(j, 1), BL_OK);
    assert_true(run_until(&loop, is_inside, &gate));
    fake_disk_bytes(fake, "f", &length);
    for (uint64_t n = 2; n <= 50; n++) {
        assert_int_equal(append_key(j, n), BL_OK);
        uv_run(&loop, UV_RUN_NOWAIT);
        usleep(2000);
    }
    uv_sem_post(&gate.leave);
    assert_true(run_until(&loop, second_has_entered, &gate));
    assert_true(fake_disk_synced(fake, "f") >= length);
    assert_false(all_synced(fake));
    uv_sem_post(&gate.leave);
    assert_true(run_until(&loop, all_synced, fake));
    assert_int_equal(gate.most, 1);
    fake_disk_on_sync(fake, NULL, NULL);
    journal_close(j);
    loop_end(&loop);
    uv_sem_destroy(&gate.entered);
    uv_sem_destroy(&gate.leave);
    fake_disk_destroy(fake);
}

static void let_go(void *ctx)
{
    struct gate *g = ctx;
    uv_sem_wait(&g->entered);
    usleep(20000); /* so that the close is likely to wait; it must be right if it does not, too */
    for (int i = 0; i < 4; i++)
        uv_sem_post(&g->leave);
}

static void test_closing_waits_for_the_sync_under_way(void **state)
{
    struct fake_disk *fake = fake_disk_create(1);
    struct gate gate = {0};
    struct count count;
    uv_thread_t helper;
    uv_loop_t loop;
    (void)state;
    uv_loop_init(&loop);
    uv_sem_init(&gate.entered, 0);
    uv_sem_init(&gate.leave, 0);
    struct journal *j = must_open(fake_disk_face(fake), "f", &count, NULL);
    fake_disk_on_sync(fake, on_sync, &gate);
    assert_int_equal(journal_attach(j, &loop, on_warn, NULL), BL_OK);
    assert_int_equal(append_key(j, 1), BL_OK);
    assert_true(run_until(&loop, is_inside, &gate));
    assert_int_equal(append_key(j, 2), BL_OK);
    assert_int_equal(uv_thread_create(&helper, let_go, &gate), 0);
    journal_close(j);
    assert_int_equal(gate.most, 1);
    assert_true(all_synced(fake));
    uv_thread_join(&helper);
    loop_end(&loop);
    uv_sem_destroy(&gate.entered);
    uv_sem_destroy(&gate.leave);
    fake_disk_destroy(fake);
}

static bool low_was_said(void *ctx)
{
    (void)ctx;
    return warned.low > 0;
}

static bool full_was_said(void *ctx)
{
    (void)ctx;
    return warned.full > 0;
}

static bool failure_was_said(void *ctx)
{
    (void)ctx;
    return warned.failed > 0;
}

static void test_a_full_disk_is_said_early_and_keeps_what_is_there(void **state)
{
    struct fake_disk *fake = fake_disk_create(1);
    struct journal_report report;
    struct count count;
    uint64_t kept = 0;
    size_t length;
    uv_loop_t loop;
    (void)state;
    memset(&warned, 0, sizeof warned);
    uv_loop_init(&loop);
    struct journal *j = must_open(fake_disk_face(fake), "f", &count, NULL);
    fake_disk_capacity(fake, 15u << 20);
    assert_int_equal(journal_attach(j, &loop, on_warn, NULL), BL_OK);
    assert_true(run_until(&loop, low_was_said, NULL));
    /* Somebody else fills the disk; what was reserved for us is still ours. */
    fake_disk_capacity(fake, 1000);
    while (append_key(j, kept + 1) == BL_OK)
        kept++;
    assert_true(kept > 10000);
    assert_int_equal(warned.full, 0); /* never from within an append */
    fake_disk_bytes(fake, "f", &length);
    assert_int_equal(append_key(j, kept + 1), BL_FULL);
    assert_true(run_until(&loop, full_was_said, NULL));
    assert_int_equal(append_key(j, kept + 1), BL_FULL);
    assert_true(run_until(&loop, all_synced, fake));
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(warned.full, 1);
    assert_int_equal(warned.low, 1);
    assert_int_equal(warned.failed + warned.other, 0);
    /* Room again: it goes on. */
    fake_disk_capacity(fake, UINT64_MAX);
    assert_int_equal(append_key(j, kept + 1), BL_OK);
    journal_close(j);
    loop_end(&loop);
    j = must_open(fake_disk_face(fake), "f", &count, &report);
    assert_int_equal(count.keys, kept + 1);
    assert_false(count.gap);
    assert_int_equal(report.damaged + report.torn_bytes, 0);
    journal_close(j);
    fake_disk_destroy(fake);
}

static void test_a_real_file_that_cannot_grow_keeps_whole_records(void **state)
{
    const char *path = in_directory("limited.journal");
    struct journal_report report;
    struct count count;
    (void)state;
    /* The kernel writes a part of the record that crosses the limit, as a full disk does. */
    pid_t child = fork();
    if (child == 0) {
        struct journal_record header = records_header("s1", PARTY_JUDGE, 1000);
        struct journal *j;
        bool full = false;
        if (journal_open(&j, &disk_real, path, &header, NULL, NULL, NULL, NULL) != BL_OK)
            _exit(2);
        struct rlimit limit = {.rlim_cur = 1000, .rlim_max = 1000};
        signal(SIGXFSZ, SIG_IGN);
        if (setrlimit(RLIMIT_FSIZE, &limit))
            _exit(3);
        for (uint64_t n = 1; n <= 100 && !full; n++) {
            enum bl_status status = append_key(j, n);
            if (status != BL_OK && status != BL_FULL)
                _exit(4);
            full = status == BL_FULL;
        }
        _exit(full ? 0 : 5);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    journal_close(must_open(&disk_real, path, &count, &report));
    assert_int_equal(report.damaged + report.torn_bytes, 0);
    assert_in_range(count.keys, 10, 40);
    assert_false(count.gap);
}

static void test_a_failing_sync_is_said_once(void **state)
{
    struct fake_disk *fake = fake_disk_create(1);
    struct count count;
    uv_loop_t loop;
    (void)state;
    memset(&warned, 0, sizeof warned);
    uv_loop_init(&loop);
    struct journal *j = must_open(fake_disk_face(fake), "f", &count, NULL);
    fake_disk_fail_syncs(fake, 3);
    assert_int_equal(journal_attach(j, &loop, on_warn, NULL), BL_OK);
    for (uint64_t n = 1; n <= 4; n++) {
        assert_int_equal(append_key(j, n), BL_OK);
        uv_run(&loop, UV_RUN_DEFAULT);
    }
    assert_true(run_until(&loop, failure_was_said, NULL));
    assert_true(run_until(&loop, all_synced, fake));
    assert_int_equal(warned.failed, 1);
    journal_close(j);
    loop_end(&loop);
    fake_disk_destroy(fake);
}

static enum bl_status append_fails(void *ctx, int fd, const void *bytes, size_t length)
{
    (void)ctx;
    (void)fd;
    (void)bytes;
    (void)length;
    return BL_IO;
}

/* A disk that takes nothing, though it is not full: the person is told at once. */
static void test_a_failing_append_is_said_once(void **state)
{
    struct fake_disk *fake = fake_disk_create(1);
    struct disk face = *fake_disk_face(fake);
    struct count count;
    uv_loop_t loop;
    (void)state;
    memset(&warned, 0, sizeof warned);
    uv_loop_init(&loop);
    struct journal *j = must_open(&face, "f", &count, NULL);
    assert_int_equal(journal_attach(j, &loop, on_warn, NULL), BL_OK);
    uv_run(&loop, UV_RUN_DEFAULT);
    face.append = append_fails;
    for (uint64_t n = 1; n <= 4; n++) {
        assert_int_equal(append_key(j, n), BL_IO);
        uv_run(&loop, UV_RUN_DEFAULT);
    }
    assert_int_equal(warned.failed, 1);
    journal_close(j);
    loop_end(&loop);
    fake_disk_destroy(fake);
}

static struct disk whole; /* the disk under a face that fails */
static bool append_tears, cut_fails;

static enum bl_status append_torn(void *ctx, int fd, const void *bytes, size_t length)
{
    if (!append_tears)
        return whole.append(ctx, fd, bytes, length);
    whole.append(ctx, fd, bytes, length / 2);
    return BL_IO;
}

static enum bl_status cut_torn(void *ctx, int fd, uint64_t length)
{
    return cut_fails ? BL_IO : whole.truncate(ctx, fd, length);
}

/* A part of a record stays that the disk could not remove: no record joins it, and the journal's
 * end takes no whole record away with it. */
static void test_a_torn_append_costs_no_other_record(void **state)
{
    struct fake_disk *fake = fake_disk_create(1);
    struct disk face = whole = *fake_disk_face(fake);
    struct journal_report report;
    struct count count;
    (void)state;
    face.append = append_torn;
    face.truncate = cut_torn;
    append_tears = cut_fails = false;
    struct journal *j = must_open(&face, "f", &count, NULL);
    assert_int_equal(append_key(j, 1), BL_OK);
    append_tears = cut_fails = true;
    assert_int_equal(append_key(j, 2), BL_IO);
    append_tears = false;
    assert_int_equal(append_key(j, 2), BL_IO);
    cut_fails = false;
    assert_int_equal(append_key(j, 2), BL_OK);
    assert_int_equal(append_key(j, 3), BL_OK);
    journal_close(j);
    j = must_open(&whole, "f", &count, &report);
    assert_int_equal(count.keys, 3);
    assert_false(count.gap);
    assert_int_equal(report.damaged + report.torn_bytes, 0);
    journal_close(j);
    fake_disk_destroy(fake);
}

/* Whatever happens, a restarted program sees a prefix of what was appended, at least what was
 * synced (after a power loss) or all of it (after a kill), and can go on. */
static void test_random_kills_and_power_losses(void **state)
{
    uint64_t seed = dice_seed("random_kills_and_power_losses");
    struct dice dice = dice_make(seed);
    struct fake_disk *fake = fake_disk_create(seed);
    const struct disk *disk = fake_disk_face(fake);
    struct journal_report report;
    struct count count;
    uint64_t appended = 0, least = 0;
    (void)state;
    struct journal *j = must_open(disk, "f", &count, &report);
    for (int round = 0; round < 600; round++) {
        for (uint64_t n = dice_below(&dice, 20); n > 0; n--)
            assert_int_equal(append_key(j, ++appended), BL_OK);
        unsigned what = (unsigned)dice_below(&dice, 5);
        if (what == 4) {
            journal_close(j); /* which syncs */
            least = appended;
        } else if (what == 3) {
            fake_disk_kill(fake);
            journal_close(j);
            least = appended;
        } else {
            fake_disk_power_loss(fake, (enum fake_loss)what);
            journal_close(j);
        }
        j = must_open(disk, "f", &count, &report);
        assert_false(count.gap);
        assert_in_range(count.keys, least, appended);
        assert_int_equal(count.headers, 1);
        assert_int_equal(report.damaged, 0);
        if (what == FAKE_LOSS_ALL)
            assert_int_equal(report.torn_bytes, 0);
        appended = count.keys;
        /* A kill syncs nothing: the next power loss may take what it left. */
        least = what == 3 ? 0 : appended;
    }
    assert_true(appended > 100);
    journal_close(j);
    fake_disk_destroy(fake);
}

static void make_journal(const char *name, const char *session, enum party role, uint64_t wall_us,
                         bool finished)
{
    struct journal_record header = records_header(session, role, wall_us);
    struct journal_record end = {.kind = JOURNAL_SEGMENT,
                                 .as.segment = {.generation = 1, .state = SEGMENT_FINISHED}};
    struct journal *j;
    struct bl_diag diag;
    if (journal_open(&j, &disk_real, in_directory(name), &header, NULL, NULL, NULL, &diag) != BL_OK)
        fail_msg("%s", diag.text);
    if (finished)
        assert_int_equal(journal_append(j, &end), BL_OK);
    journal_close(j);
}

static void test_find(void **state)
{
    char path[PATH_MAX], expected[PATH_MAX];
    struct bl_diag diag;
    (void)state;
    assert_int_equal(journal_find(directory, PARTY_JUDGE, NULL, path, &diag), BL_NOINPUT);
    assert_int_equal(journal_find("/nowhere", PARTY_JUDGE, NULL, path, &diag), BL_NOINPUT);
    make_journal("old-judge.journal", "old", PARTY_JUDGE, 100, false);
    make_journal("mid-judge.journal", "mid", PARTY_JUDGE, 200, false);
    make_journal("new-judge.journal", "new", PARTY_JUDGE, 300, true);
    make_journal("mid-entity.journal", "mid", PARTY_ENTITY, 400, false);
    make_journal("newest-judge.txt", "newest", PARTY_JUDGE, 500, false);
    FILE *f = fopen(in_directory("zz-judge.journal"), "w");
    fputs("no journal\n", f);
    fclose(f);
    assert_int_equal(mkdir(in_directory("dir.journal"), 0700), 0);
    assert_int_equal(journal_find(directory, PARTY_JUDGE, NULL, path, &diag), BL_OK);
    journal_name(directory, "mid", PARTY_JUDGE, expected);
    assert_string_equal(path, expected);
    assert_int_equal(journal_find(directory, PARTY_ENTITY, NULL, path, &diag), BL_OK);
    journal_name(directory, "mid", PARTY_ENTITY, expected);
    assert_string_equal(path, expected);
    assert_int_equal(journal_find(directory, PARTY_JUDGE, "new", path, &diag), BL_OK);
    journal_name(directory, "new", PARTY_JUDGE, expected);
    assert_string_equal(path, expected);
    assert_int_equal(journal_find(directory, PARTY_ENTITY, "new", path, &diag), BL_NOINPUT);
    assert_non_null(strstr(diag.text, "session new"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_created_private_and_continued, make_directory,
                                        remove_directory),
        cmocka_unit_test_setup_teardown(test_an_existing_one_only, make_directory,
                                        remove_directory),
        cmocka_unit_test_setup_teardown(test_a_second_program_is_told_who_has_it, make_directory,
                                        remove_directory),
        cmocka_unit_test_setup_teardown(test_not_a_journal_says_what_it_is, make_directory,
                                        remove_directory),
        cmocka_unit_test(test_a_creation_cut_short_is_begun_anew),
        cmocka_unit_test(test_the_contest_comes_with_the_header),
        cmocka_unit_test(test_a_damaged_header_is_not_continued),
        cmocka_unit_test(test_appends_reach_the_disk_by_themselves),
        cmocka_unit_test(test_one_sync_at_a_time_and_then_the_next),
        cmocka_unit_test(test_closing_waits_for_the_sync_under_way),
        cmocka_unit_test(test_a_full_disk_is_said_early_and_keeps_what_is_there),
        cmocka_unit_test_setup_teardown(test_a_real_file_that_cannot_grow_keeps_whole_records,
                                        make_directory, remove_directory),
        cmocka_unit_test(test_a_failing_sync_is_said_once),
        cmocka_unit_test(test_a_failing_append_is_said_once),
        cmocka_unit_test(test_a_torn_append_costs_no_other_record),
        cmocka_unit_test(test_random_kills_and_power_losses),
        cmocka_unit_test_setup_teardown(test_find, make_directory, remove_directory),
    };
    return cmocka_run_group_tests_name("journal", tests, NULL, NULL);
}
