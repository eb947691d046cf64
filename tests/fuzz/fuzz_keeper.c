/* A keeper that somebody has taken over: any messages, with any descriptors, and anything in the
 * page that it shares with the terminal. The terminal refuses it with a line, or gets keys that
 * are keys and outcomes that can be recorded.
 *
 * Input: a byte of flags (1 an Entry is there already, 2 a page of another size, 4 no page, 8 no
 * output, 16 nothing to wake it by, 32 the page is changed also after HELLO, by patches that
 * stand at the end, the other way round), a byte with the number of patches, three bytes each
 * (where in the page, what), a byte with the number of messages, each a kind, a length and a
 * text; the rest is what the Entry writes. */
#include "base/loop.h"
#include "entity/keeper.h"
#include "journal/journal.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

enum { RESUMED = 1, OTHER_SIZE = 2, NO_PAGE = 4, NO_OUTPUT = 8, NO_WAKE = 16, GOES_ON = 32 };
#define LATER_MOST 512 /* bytes of patches that come while the terminal runs */

static char directory[] = "/tmp/fuzz_keeper.XXXXXX", path[64];
static uint32_t command; /* as the terminal's page has it */
static unsigned opened;  /* how often a terminal went on after HELLO */

struct script_bytes {
    const uint8_t *at;
    size_t left;
};

static uint8_t take(struct script_bytes *input)
{
    if (input->left == 0)
        return 0;
    input->left--;
    return *input->at++;
}

/* What a fake keeper does with one input. */
struct fake {
    struct script_bytes input;
    int listener, stop;
    struct keeper_page
        *_Atomic page; /* as it was given to the terminal; NULL: it is not to be changed */
};

/* What counts something, or says where it is. */
#define FIELD(member)                                                                              \
    {                                                                                              \
        offsetof(struct keeper_page, member), sizeof(((struct keeper_page *)0)->member)            \
    }
static const struct {
    size_t at, size;
} fields[] = {FIELD(given.count),
              FIELD(given.turn),
              FIELD(written),
              FIELD(delivered),
              FIELD(current),
              FIELD(length),
              FIELD(state[0].at),
              FIELD(state[1].at),
              FIELD(state[0].filter.held_count),
              FIELD(state[1].filter.held_count),
              FIELD(state[0].filter.out_at),
              FIELD(state[1].filter.out_at),
              FIELD(state[0].filter.out_count),
              FIELD(state[1].filter.out_count),
              FIELD(state[0].filter.echoed),
              FIELD(state[1].filter.echoed)};

static void patch(struct script_bytes *input, struct keeper_page *page)
{
    uint8_t *bytes = (uint8_t *)page;
    for (unsigned count = take(input); count; count--) {
        size_t at = take(input);
        at = at << 8 | take(input);
        if (at >= 0xC000) {
            size_t field = at % (sizeof fields / sizeof fields[0]);
            memset(bytes + fields[field].at, take(input), fields[field].size);
            continue;
        }
        /* The rings of keys are most of it: nearly all patches go to the rest. */
        if (at & 0x8000)
            at = offsetof(struct keeper_page, written) +
                 (at & 0x7FFF) % (sizeof *page - offsetof(struct keeper_page, written));
        else
            at = sizeof page->magic + at % (sizeof *page - sizeof page->magic);
        bytes[at] = take(input);
    }
}

static void send_with(int socket, struct keeper_message *message, const int *fds, size_t count)
{
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(KEEPER_GIVES * sizeof(int))];
    } control = {{0}};
    int list[KEEPER_GIVES];
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        message->has[i] = fds[i] >= 0;
        if (fds[i] >= 0)
            list[used++] = fds[i];
    }
    struct iovec data = {message, sizeof *message};
    struct msghdr header = {.msg_iov = &data, .msg_iovlen = 1};
    if (used) {
        header.msg_control = control.bytes;
        header.msg_controllen = CMSG_SPACE(used * sizeof(int));
        struct cmsghdr *c = CMSG_FIRSTHDR(&header);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN(used * sizeof(int));
        memcpy(CMSG_DATA(c), list, used * sizeof(int));
    }
    sendmsg(socket, &header, MSG_NOSIGNAL);
}

/* Waits for START and takes the page that comes with it; -1: the terminal has gone. */
static int take_start(int socket)
{
    static struct keeper_start start;
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(2 * sizeof(int))];
    } control;
    int fds[2] = {-1, -1};
    struct iovec data = {&start, sizeof start};
    struct msghdr header = {.msg_iov = &data,
                            .msg_iovlen = 1,
                            .msg_control = control.bytes,
                            .msg_controllen = sizeof control.bytes};
    if (recvmsg(socket, &header, MSG_CMSG_CLOEXEC) != sizeof start)
        return -1;
    struct cmsghdr *c = CMSG_FIRSTHDR(&header);
    if (!c || c->cmsg_len != CMSG_LEN(sizeof fds))
        abort();
    memcpy(fds, CMSG_DATA(c), sizeof fds);
    close(fds[1]);
    return fds[0];
}

static void serve(struct fake *fake, int socket)
{
    struct script_bytes in = fake->input;
    unsigned flags = take(&in);
    struct keeper_message message = {.kind = KEEPER_VACANT, .pid = 1};
    int out[2] = {-1, -1}, wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), page_fd;
    struct keeper_page *page;
    if (flags & RESUMED) {
        page_fd = memfd_create("page", MFD_CLOEXEC | MFD_ALLOW_SEALING);
        if (ftruncate(page_fd, flags & OTHER_SIZE ? 4096 : (off_t)sizeof *page) ||
            fcntl(page_fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
            abort();
    } else {
        send_with(socket, &message, NULL, 0);
        page_fd = take_start(socket);
    }
    page = flags & RESUMED && flags & OTHER_SIZE
               ? MAP_FAILED
               : mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED, page_fd, 0);
    if (page != MAP_FAILED) {
        if (flags & RESUMED) {
            page->magic = KEEPER_MAGIC;
            page->command = command;
        } else if (in.left == 0 && !command) {
            command = page->command; /* the first run */
        }
        patch(&in, page);
        if (flags & GOES_ON)
            fake->page = page;
        else
            munmap(page, sizeof *page);
    }
    if (pipe2(out, O_CLOEXEC | O_NONBLOCK))
        abort();
    const int fds[KEEPER_GIVES] = {[KEEPER_GIVES_OUT] = flags & NO_OUTPUT ? -1 : out[0],
                                   [KEEPER_GIVES_WAKE] = flags & NO_WAKE ? -1 : wake,
                                   [KEEPER_GIVES_PAGE] = flags & NO_PAGE ? -1 : page_fd,
                                   [KEEPER_GIVES_LPP] = -1,
                                   [KEEPER_GIVES_PORT] = -1,
                                   [KEEPER_GIVES_DESK] = -1};
    message.kind = KEEPER_HELLO;
    send_with(socket, &message, fds, KEEPER_GIVES);
    for (unsigned count = take(&in) % 8; count; count--) {
        message = (struct keeper_message){.kind = take(&in) % (KEEPER_CLOSE + 2), .pid = 1};
        unsigned size = take(&in);
        for (unsigned i = 0; i < size && in.left; i++) {
            uint8_t byte = take(&in);
            if (i < sizeof message.text)
                message.text[i] = (char)byte;
        }
        send_with(socket, &message, NULL, 0);
    }
    if (write(out[1], in.at, in.left < 60000 ? in.left : 60000) < 0 && in.left)
        abort();
    close(out[0]);
    close(out[1]);
    close(wake);
    if (page_fd >= 0)
        close(page_fd);
    /* Until the terminal has looked at it all. */
    struct pollfd polls[] = {{.fd = fake->stop, .events = POLLIN},
                             {.fd = socket, .events = POLLIN}};
    poll(polls, 2, -1);
}

static void *run_fake(void *ctx)
{
    struct fake *fake = ctx;
    for (;;) {
        struct pollfd polls[] = {{.fd = fake->stop, .events = POLLIN},
                                 {.fd = fake->listener, .events = POLLIN}};
        poll(polls, 2, -1);
        if (polls[0].revents)
            return NULL;
        int socket = accept4(fake->listener, NULL, NULL, SOCK_CLOEXEC);
        if (socket < 0)
            continue;
        serve(fake, socket);
        close(socket);
    }
}

static enum handed on_key(void *ctx, uint32_t point, uint64_t at_us)
{
    unsigned *keys = ctx;
    (void)at_us;
    if (!key_is_key(point))
        abort();
    return ++*keys % 7 ? HANDED_ON : *keys % 2 ? HANDED_BACK : HANDED_LOST;
}

static void on_event(void *ctx, enum program_event event, uint32_t count, const char *text)
{
    uint8_t record[JOURNAL_RECORD_MAX];
    const struct journal_record kept = {
        .kind = JOURNAL_NOTE,
        .wall_us = 1,
        .as.note = {.code = NOTE_ENTRY, .count = count, .text = text}};
    (void)ctx;
    (void)event;
    if (strlen(text) > NOTE_MAX || strchr(text, '\n') || journal_encode(&kept, record) == 0)
        abort();
}

static int listen_on(const char *name)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", name);
    if (bind(fd, (struct sockaddr *)&address, sizeof address) || listen(fd, 8))
        abort();
    return fd;
}

static void on_exit_remove(void)
{
    char log[sizeof path + 16];
    snprintf(log, sizeof log, "%s/fuzz-entry.log", directory);
    unlink(log);
    unlink(path);
    rmdir(directory);
}

static void play(int listener, const uint8_t *bytes, size_t length)
{
    static const struct program_callbacks callbacks = {on_key, on_event};
    const struct program_options options = {.command = "true",
                                            .strip_echo = true,
                                            .strip_prompt = "[a-z]+> ",
                                            .keeper_dir = directory,
                                            .session = "fuzz",
                                            .columns = 80,
                                            .rows = 24,
                                            .place = {.keeper = path}};
    struct fake fake = {{bytes, length}, listener, eventfd(0, EFD_CLOEXEC), NULL};
    uint8_t backwards[LATER_MOST];
    struct script_bytes later = {backwards, length < LATER_MOST ? length : LATER_MOST};
    struct program *program = NULL;
    struct bl_diag diag = {""};
    pthread_t thread;
    uv_loop_t loop;
    unsigned keys = 0;
    const uint64_t one = 1;
    if (pthread_create(&thread, NULL, run_fake, &fake))
        abort();
    for (size_t i = 0; i < later.left; i++)
        backwards[i] = bytes[length - 1 - i];
    uv_loop_init(&loop);
    if (program_open(&program, &loop, &options, &callbacks, &keys, &diag)) {
        if (program || !diag.text[0])
            abort();
    } else {
        opened++;
        for (unsigned i = 0; i < 12; i++) {
            if (fake.page)
                patch(&later, fake.page);
            program_allow(program, 50);
            program_give(program, i + 1, i % 4 == 3 ? KEY_RETURN : 'a' + i);
            uv_run(&loop, UV_RUN_NOWAIT);
        }
        program_close(program);
    }
    if (write(fake.stop, &one, sizeof one) != sizeof one)
        abort();
    uv_run(&loop, UV_RUN_DEFAULT);
    if (uv_loop_close(&loop))
        abort();
    pthread_join(thread, NULL);
    if (fake.page)
        munmap(fake.page, sizeof *fake.page);
    close(fake.stop);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static int listener = -1;
    if (listener < 0) {
        if (!mkdtemp(directory))
            abort();
        atexit(on_exit_remove);
        signal(SIGPIPE, SIG_IGN);
        snprintf(path, sizeof path, "%s/keeper", directory);
        listener = listen_on(path);
        play(listener, (const uint8_t *)"", 0);
        if (!command || !opened)
            abort();
    }
    play(listener, bytes, length);
    return 0;
}
