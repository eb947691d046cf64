/* From the kernel to keys through a page that outlasts its terminal: a kill at any instruction
 * costs and doubles nothing. */
#include "entity/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define JOURNAL_ROOM 65536

/* What lives on when the "terminal" is killed. The journal is the memory's end of one write(). */
struct shared {
    struct keeper_page page;
    _Atomic uint64_t journalled;
    uint32_t journal[JOURNAL_ROOM];
};

static struct shared *shared_make(void)
{
    struct shared *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(shared != MAP_FAILED);
    return shared;
}

static int pipe_with(const char *text, size_t length, bool keep_writer, int *writer)
{
    int fds[2];
    assert_int_equal(pipe2(fds, O_CLOEXEC | O_NONBLOCK), 0);
    assert_int_equal(write(fds[1], text, length), length);
    *writer = -1;
    if (keep_writer)
        *writer = fds[1];
    else
        close(fds[1]);
    return fds[0];
}

static void journal_key(struct shared *shared, uint32_t point)
{
    shared->journal[shared->journalled] = point;
    atomic_store(&shared->journalled, shared->journalled + 1);
}

/* A terminal: begins or resumes, takes all there is, reading `most` bytes at a time. */
static void terminal(struct shared *shared, int fd, const struct filter *filter, size_t most)
{
    struct stream stream;
    struct filter_key key;
    stream_begin(&stream, &shared->page, fd, filter, shared->journalled);
    for (;;) {
        while (stream_key(&stream, &key)) {
            journal_key(shared, key.point);
            stream_took(&stream);
        }
        if (stream.ended)
            return;
        stream_read(&stream, most, 0);
    }
}

static void reads(void **state)
{
    struct shared *shared = shared_make();
    struct stream stream;
    struct filter_key key;
    int writer, fd = pipe_with("abc", 3, true, &writer);
    (void)state;
    stream_begin(&stream, &shared->page, fd, &(struct filter){.returns = 1}, 40);
    assert_false(stream_key(&stream, &key));
    assert_int_equal(stream_kernel(&stream), 3);
    assert_int_equal(stream_written(&stream), 3);
    assert_int_equal(stream_read(&stream, 2, 0), 2);
    assert_int_equal(stream_kernel(&stream), 1); /* what is not asked for stays in the kernel */
    assert_int_equal(stream_written(&stream), 3);
    assert_true(stream_left(&stream));
    assert_true(stream_key(&stream, &key));
    assert_int_equal(key.point, 'a');
    assert_true(stream_key(&stream, &key)); /* until it is taken */
    assert_int_equal(key.point, 'a');
    stream_took(&stream);
    assert_true(stream_key(&stream, &key));
    assert_int_equal(key.point, 'b');
    stream_took(&stream);
    assert_false(stream_left(&stream));
    assert_int_equal(stream_read(&stream, 0, 0), 0);
    assert_int_equal(stream_read(&stream, 5, 0), 1);
    assert_true(stream_key(&stream, &key));
    stream_took(&stream);
    assert_int_equal(shared->page.state[shared->page.current].keys, 43);
    assert_int_equal(stream_read(&stream, 5, 0), 0); /* nothing there */
    assert_false(stream.ended);
    assert_int_equal(write(writer, "\xC3", 1), 1);
    close(writer);
    assert_int_equal(stream_read(&stream, 5, 0), 1);
    assert_false(stream_key(&stream, &key));
    assert_int_equal(stream_read(&stream, 5, 0), 0); /* the end, in the middle of a character */
    assert_true(stream.ended);
    assert_false(stream_key(&stream, &key));
    assert_int_equal(stream_state(&stream)->bad, 1);
    close(fd);
    munmap(shared, sizeof *shared);
}

/* Killed between the journal and the mark: the key is not handed over again. */
static void journalled_but_not_marked(void **state)
{
    struct shared *shared = shared_make();
    struct filter filter = {.returns = 1};
    struct stream stream;
    struct filter_key key;
    int writer, fd = pipe_with("abc", 3, true, &writer);
    (void)state;
    stream_begin(&stream, &shared->page, fd, &filter, 0);
    stream_read(&stream, 3, 0);
    assert_true(stream_key(&stream, &key));
    stream_begin(&stream, &shared->page, fd, &filter, 1);
    assert_true(stream_key(&stream, &key));
    assert_int_equal(key.point, 'b');
    stream_begin(&stream, &shared->page, fd, &filter, 1);
    assert_true(stream_key(&stream, &key));
    assert_int_equal(key.point, 'b');
    close(writer);
    close(fd);
    munmap(shared, sizeof *shared);
}

/* Killed in the middle of a read: what came is found by the filling, whatever was there before. */
static void killed_in_a_read(void **state)
{
    struct shared *shared = shared_make();
    struct filter filter = {.returns = 1};
    (void)state;
    for (unsigned came = 0; came <= 8; came++) {
        struct stream stream;
        struct filter_key key;
        int writer, fd = pipe_with("old text that was read before", 29, true, &writer);
        memset(&shared->page, 0, sizeof shared->page);
        stream_begin(&stream, &shared->page, fd, &filter, 0);
        stream_read(&stream, KEEPER_BYTES, 0);
        while (stream_key(&stream, &key))
            stream_took(&stream);
        /* As stream_read() leaves it just before and after the system call. */
        shared->page.state[shared->page.current].at = 0;
        memset(shared->page.bytes, KEEPER_FILL, 8);
        shared->page.length = KEEPER_READING | 8;
        memcpy(shared->page.bytes, "12345678", came);
        stream_begin(&stream, &shared->page, fd, &filter, 29);
        for (unsigned i = 0; i < came; i++) {
            assert_true(stream_key(&stream, &key));
            assert_int_equal(key.point, '1' + i);
            stream_took(&stream);
        }
        assert_false(stream_key(&stream, &key));
        close(writer);
        close(fd);
    }
    munmap(shared, sizeof *shared);
}

/* Terminals are killed again and again wherever they are, and the keys are those of a terminal that
 * was left in peace. */
static void killed_anywhere(void **state)
{
    const char *given = getenv("SEED");
    unsigned seed = given ? (unsigned)strtoul(given, NULL, 10) : (unsigned)time(NULL);
    static char text[60000];
    struct shared *whole = shared_make(), *parts = shared_make();
    struct prompt prompt;
    struct filter filter = {.returns = 1, .prompt = &prompt};
    size_t length = 0;
    unsigned kills = 0;
    int writer, fd;
    (void)state;
    printf("# SEED=%u\n", seed);
    srandom(seed);
    assert_int_equal(prompt_parse(&prompt, "(you|> ?): *", NULL), BL_OK);
    while (length < sizeof text - 20)
        length += (size_t)snprintf(text + length, 20, "%s%u%s",
                                   random() % 4 ? "" : "you: ", (unsigned)random() % 1000,
                                   (const char *[]){" ", "\r\n", "\xC3\xA9", "\x1B[1m", "\xC0,",
                                                    "\nyo", "\n>"}[random() % 7]);
    fd = pipe_with(text, length, false, &writer);
    terminal(whole, fd, &filter, KEEPER_BYTES);
    close(fd);
    assert_true(whole->journalled > 5000);

    fd = pipe_with(text, length, false, &writer);
    for (bool done = false; !done;) {
        struct timespec life = {.tv_nsec = random() % 300000};
        size_t most = 1 + (size_t)random() % 3;
        int status;
        pid_t pid = fork();
        assert_true(pid >= 0);
        if (pid == 0) {
            terminal(parts, fd, &filter, most);
            _exit(0);
        }
        if (kills < 500)
            nanosleep(&life, NULL);
        if (kills < 500)
            kill(pid, SIGKILL);
        assert_int_equal(waitpid(pid, &status, 0), pid);
        done = WIFEXITED(status);
        kills += !done;
    }
    printf("# %u terminals killed\n", kills);
    assert_true(kills > 2);
    assert_int_equal(parts->journalled, whole->journalled);
    assert_memory_equal(parts->journal, whole->journal, whole->journalled * sizeof *whole->journal);
    close(fd);
    munmap(whole, sizeof *whole);
    munmap(parts, sizeof *parts);
    prompt_free(&prompt);
}

/* Whoever has the keeper writes into the page what he likes, whenever he likes. */
static void spoil(struct keeper_page *page, uint8_t with)
{
    memset((uint8_t *)page + offsetof(struct keeper_page, given), with,
           sizeof *page - offsetof(struct keeper_page, given));
}

/* The keys are those that were read, and no memory behind a buffer, whatever the page says by
 * then; a terminal that begins with such a page refuses it. */
static void the_page_is_not_believed(void **state)
{
    static const uint8_t bytes[] = {0xFF, 0x7F, 0x01, 0x00, 'x'};
    struct shared *shared = shared_make();
    static struct stream stream;
    struct filter_key key;
    (void)state;
    for (size_t i = 0; i < sizeof bytes; i++) {
        int writer, fd = pipe_with("abc", 3, true, &writer);
        memset(shared, 0, sizeof *shared);
        assert_true(stream_begin(&stream, &shared->page, fd,
                                 &(struct filter){.returns = 1, .strip_echo = true}, 0));
        stream_give(&stream, 7, 'q', 0);
        assert_int_equal(stream_read(&stream, 100, 5), 3);
        spoil(&shared->page, bytes[i]);
        for (const char *at = "abc"; *at; at++) {
            assert_true(stream_key(&stream, &key));
            assert_int_equal(key.point, *at);
            stream_took(&stream);
            spoil(&shared->page, bytes[i]);
        }
        assert_false(stream_key(&stream, &key));
        assert_int_equal(stream_given(&stream), 7);
        assert_int_equal(stream_written(&stream), 3);
        assert_int_equal(stream_wait_ms(&stream), 0);
        stream_give(&stream, 9, 'r', 0);
        assert_int_equal(stream_given(&stream), 9);
        spoil(&shared->page, bytes[i]);
        shared->page.begun = true;
        shared->page.state[0].at = shared->page.state[1].at = KEEPER_BYTES + 1;
        assert_false(stream_begin(&stream, &shared->page, fd, &(struct filter){.returns = 1}, 0));
        close(writer);
        close(fd);
    }
    assert_int_equal(munmap(shared, sizeof *shared), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads),
        cmocka_unit_test(journalled_but_not_marked),
        cmocka_unit_test(killed_in_a_read),
        cmocka_unit_test(killed_anywhere),
        cmocka_unit_test(the_page_is_not_believed),
    };
    return cmocka_run_group_tests_name("stream", tests, NULL, NULL);
}
