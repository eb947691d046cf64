#include "booth/tap_booth.h"

#include "base/privilege.h"
#include "booth/booth.h"
#include "booth/messages.h"
#include "late/pcap.h"
#include "link/ether_card.h"
#include "link/frame.h"
#include "link/steady_port.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FRAME_BYTES_MAX 65535

struct receiver {
    struct tap *tap;
    unsigned end;
    struct steady_port port;
    bool open;
    char deaf[200]; /* reported reason why nothing is heard; "": frames are heard */
    const char *name;
    struct frame_reader reader;
    uint64_t heard_us;
};

struct tap {
    uv_loop_t loop;
    struct booth_signals signals;
    struct bl_timer timer;
    struct tap_book *book;
    const struct tap_places *places;
    struct ether_card *card;
    struct interface_watch *watch;
    unsigned bound; /* index of the interface to which the card is bound; 0: the interface is
                     * gone */
    char deaf[200]; /* reported reason why nothing is heard; "": frames are heard */
    uv_poll_t poll;
    struct receiver receiver[2];
    pcap_t *shape; /* for the lengths of frames in the file */
    pcap_dumper_t *file;
    bool torn; /* a frame could not be written to the file */
    bool stopped;
};

static void tell(struct tap *tap, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void tell(struct tap *tap, const char *format, ...)
{
    char text[300];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    tap_book_tell(tap->book, bl_now(), text);
}

static void flush_file(struct tap *tap)
{
    if (!tap->file ||
        (late_pcap.dump_flush(tap->file) == 0 && !ferror(late_pcap.dump_file(tap->file))))
        return;
    tell(tap, say_not_written_from_here_on, tap->places->write, strerror(errno));
    late_pcap.dump_close(tap->file);
    tap->file = NULL;
    tap->torn = true;
}

static void after_input(struct tap *tap)
{
    bl_timer_set(&tap->timer, tap_book_deadline(tap->book));
    flush_file(tap);
    fflush(stdout);
}

static void on_frame(void *ctx, const uint8_t *bytes, size_t length)
{
    struct tap *tap = ctx;
    struct bl_time now = bl_now();
    if (tap->file) {
        struct pcap_pkthdr head = {.caplen = (bpf_u_int32)length, .len = (bpf_u_int32)length};
        head.ts.tv_sec = (time_t)(now.wall_us / 1000000u);
        head.ts.tv_usec = (suseconds_t)(now.wall_us % 1000000u);
        late_pcap.dump((u_char *)tap->file, &head, bytes);
    }
    tap_book_ether(tap->book, now, bytes, length);
}

static void on_card(uv_poll_t *poll, int status, int events)
{
    struct tap *tap = poll->data;
    (void)events;
    if (status < 0) {
        /* The interface went down. rtnetlink reports the reason. libuv has stopped its watch. */
        ether_card_clear(tap->card);
        uv_poll_start(poll, UV_READABLE, on_card);
        return;
    }
    ether_card_receive(tap->card, on_frame, tap);
    after_input(tap);
}

static void on_interface(void *ctx)
{
    struct tap *tap = ctx;
    struct interface_info info;
    char deaf[sizeof tap->deaf];
    interface_look(&info, tap->places->interface);
    if (!interface_problem(&info, deaf, sizeof deaf))
        deaf[0] = '\0';
    if (info.index == 0) {
        tap->bound = 0;
        snprintf(deaf, sizeof deaf, say_the_adapter_is_gone, tap->places->interface);
    } else if (info.index != tap->bound && info.up) {
        if (ether_card_rebind(tap->card, info.index))
            tap->bound = info.index;
        else
            snprintf(deaf, sizeof deaf, say_the_adapter_does_not_open, tap->places->interface,
                     strerror(errno));
    }
    if (strcmp(deaf, tap->deaf) == 0)
        return;
    if (deaf[0])
        tell(tap, say_gap_nothing_is_heard, deaf);
    else
        tell(tap, say_gap_heard_again, tap->places->interface);
    snprintf(tap->deaf, sizeof tap->deaf, "%s", deaf);
    fflush(stdout);
}

static void feed(struct receiver *r, const uint8_t *bytes, size_t length)
{
    struct bl_time now = bl_now();
    if (now.mono_us - r->heard_us > FRAME_PAUSE_US)
        frame_abandon(&r->reader);
    r->heard_us = now.mono_us;
    for (size_t i = 0; i < length; i++)
        if (frame_feed(&r->reader, bytes[i]) == FRAME_WHOLE)
            tap_book_serial(r->tap->book, now, r->end, r->reader.frame, r->reader.length);
}

static void on_readable(void *ctx)
{
    struct receiver *r = ctx;
    uint8_t bytes[4096];
    ssize_t n = steady_port_read(&r->port, bytes, sizeof bytes);
    if (n > 0)
        feed(r, bytes, (size_t)n);
    after_input(r->tap);
}

static void on_usable(void *ctx, bool usable, const char *reason)
{
    struct receiver *r = ctx;
    if (!usable && strcmp(reason, r->deaf) != 0)
        tell(r->tap, say_gap_nothing_is_heard, reason);
    else if (usable && r->deaf[0])
        tell(r->tap, say_gap_heard_again, r->name);
    snprintf(r->deaf, sizeof r->deaf, "%s", usable ? "" : reason);
    frame_abandon(&r->reader);
    fflush(stdout);
}

static void on_timer(struct bl_timer *timer)
{
    struct tap *tap = timer->data;
    tap_book_tick(tap->book, bl_now());
    after_input(tap);
}

static void stop(void *ctx)
{
    struct tap *tap = ctx;
    if (tap->stopped)
        return;
    tap->stopped = true;
    if (tap->card)
        uv_close((uv_handle_t *)&tap->poll, NULL);
    interface_watch_close(tap->watch);
    for (unsigned i = 0; i < 2; i++)
        if (tap->receiver[i].open)
            steady_port_close(&tap->receiver[i].port, NULL);
    tap_book_finish(tap->book);
    bl_timer_close(&tap->timer, NULL);
    booth_signals_close(&tap->signals);
}

/* Opens the file for frames, readable for this user only. An existing file is an error, except for
 * a character device. */
static enum bl_status open_file(struct tap *tap, struct bl_diag *diag)
{
    const char *path = tap->places->write;
    struct stat info;
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0 && errno == EEXIST) {
        fd = open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (fd >= 0 && (fstat(fd, &info) || !S_ISCHR(info.st_mode))) {
            close(fd);
            fd = -1;
            errno = EEXIST;
        }
    }
    if (fd < 0)
        return bl_fail(diag, errno == EEXIST ? BL_USAGE : BL_IO, say_fail_write, path,
                       strerror(errno), errno == EEXIST ? say_nothing_is_overwritten : "");
    FILE *file = fdopen(fd, "w");
    tap->file = file ? late_pcap.dump_fopen(tap->shape, file) : NULL;
    if (tap->file)
        return BL_OK;
    if (file)
        fclose(file);
    else
        close(fd);
    return bl_fail(diag, BL_IO, say_fail_write_2, path, late_pcap.geterr(tap->shape));
}

static enum bl_status open_interface(struct tap *tap, struct bl_diag *diag)
{
    struct interface_info info;
    enum bl_status status;
    interface_look(&info, tap->places->interface);
    /* Root hears every frame. Another user, by the program's capability, hears only frames of our
     * lines. */
    bool foreign = getuid() == 0;
    status = ether_card_open(&tap->card, &info, foreign ? NULL : "", diag);
    if (status)
        return status;
    tap->bound = info.index;
    tap->poll.data = tap;
    uv_poll_init(&tap->loop, &tap->poll, ether_card_fd(tap->card));
    uv_poll_start(&tap->poll, UV_READABLE, on_card);
    status = interface_watch_open(&tap->watch, &tap->loop, on_interface, tap, diag);
    if (status || !tap->places->write)
        return status;
    tap->shape = late_pcap.open_dead(DLT_EN10MB, FRAME_BYTES_MAX);
    if (!tap->shape)
        return bl_fail(diag, BL_NOMEM, say_fail_no_memory);
    return open_file(tap, diag);
}

static enum bl_status open_receiver(struct tap *tap, unsigned end, struct bl_diag *diag)
{
    static const struct steady_port_callbacks callbacks = {on_readable, NULL, on_usable};
    struct receiver *r = &tap->receiver[end];
    char device[SERIAL_PATH_MAX];
    uint32_t baud;
    const char *name = tap->places->serial[end];
    enum bl_status status;
    if (strncmp(name, "serial:", 7) == 0)
        name += 7;
    status = serial_parse(name, device, &baud, diag);
    if (!status)
        status =
            steady_port_open(&r->port, &tap->loop, "", device, baud, false, &callbacks, r, diag);
    r->tap = tap;
    r->end = end;
    r->name = tap->places->serial[end];
    r->open = status == BL_OK;
    return status;
}

enum bl_status tap_booth_run(const struct tap_places *places, const struct tap_listener *listener,
                             struct bl_diag *diag)
{
    static struct tap running;
    struct tap *tap = &running;
    enum bl_status status = BL_OK;
    tap->places = places;
    uv_loop_init(&tap->loop);
    tap->book = tap_book_create(&tap->loop, listener);
    if (!tap->book || bl_timer_init(&tap->loop, &tap->timer, on_timer, tap))
        return bl_fail(diag, BL_NOMEM, say_fail_no_memory);
    booth_signals_open(&tap->signals, &tap->loop, stop, tap);
    if (tap->places->interface)
        status = open_interface(tap, diag);
    for (unsigned i = 0; !status && i < tap->places->serials; i++)
        status = open_receiver(tap, i, diag);
    if (!status)
        status = privilege_drop(diag);
    if (status) {
        stop(tap);
    } else {
        puts(say_listening);
        if (tap->places->interface)
            on_interface(tap);
    }
    fflush(stdout);
    uv_run(&tap->loop, UV_RUN_DEFAULT);
    uv_loop_close(&tap->loop);
    ether_card_close(tap->card);
    if (tap->file)
        late_pcap.dump_close(tap->file);
    if (tap->shape)
        late_pcap.close(tap->shape);
    tap_book_destroy(tap->book);
    if (!status && tap->torn)
        status = bl_fail(diag, BL_IO, say_fail_write_not_all_frames_are_in, tap->places->write);
    return status;
}
