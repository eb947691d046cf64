#include "link/probe_port.h"

#include "base/loop.h"
#include "link/serial_port.h"

#include <poll.h>

enum { TELL_MS = 1000, WRITE_MS = 2000 };

static void on_send(void *ctx, const uint8_t *bytes, size_t length)
{
    struct serial_port *port = ctx;
    while (length > 0) {
        struct pollfd wait = {.fd = port->fd, .events = POLLOUT};
        ssize_t n = serial_port_write(port, bytes, length);
        if (n < 0 || (n == 0 && poll(&wait, 1, WRITE_MS) <= 0))
            return; /* the port is lost; the next read reports it */
        bytes += n;
        length -= (size_t)n;
    }
}

static void on_outputs(void *ctx, unsigned levels)
{
    serial_port_outputs(ctx, levels);
}

static unsigned on_inputs(void *ctx)
{
    unsigned levels;
    serial_port_inputs(ctx, &levels);
    return levels;
}

static bool on_rate(void *ctx, uint32_t baud)
{
    return serial_port_rate(ctx, baud, NULL) == BL_OK;
}

/* Reads waiting bytes. False: the device was lost. */
static bool take_input(struct serial_port *port, struct probe *probe)
{
    uint8_t bytes[1024];
    ssize_t n = serial_port_read(port, bytes, sizeof bytes);
    if (n > 0)
        probe_hear(probe, bl_now(), bytes, (size_t)n);
    return n >= 0;
}

/* Milliseconds until `due_us`, rounded up; at most TELL_MS. */
static int wait_ms(uint64_t due_us)
{
    uint64_t now_us = bl_mono_us();
    if (due_us <= now_us)
        return 0;
    due_us = (due_us - now_us + 999) / 1000;
    return due_us < TELL_MS ? (int)due_us : TELL_MS;
}

static bool run(struct serial_port *port, struct probe *probe, probe_progress *progress, void *ctx)
{
    uint32_t told = UINT32_MAX;
    uint64_t tell_us = 0;
    while (probe_result(probe)->outcome == PROBE_CALLING) {
        struct pollfd wait = {.fd = port->fd, .events = POLLIN};
        struct bl_time now;
        if (poll(&wait, 1, wait_ms(probe_deadline(probe))) > 0 && !take_input(port, probe))
            return false;
        now = bl_now();
        probe_tick(probe, now);
        if (progress && (probe_trying(probe) != told || now.mono_us >= tell_us)) {
            told = probe_trying(probe);
            tell_us = now.mono_us + TELL_MS * 1000u;
            if (!progress(ctx, told,
                          (unsigned)((probe_left_us(probe, now.mono_us) + 999999) / 1000000),
                          probe_has_signal(probe)))
                probe_stop(probe);
        }
    }
    return true;
}

enum bl_status probe_port(const char *name, const struct probe_settings *settings,
                          probe_progress *progress, void *ctx, struct probe_result *result,
                          struct bl_diag *diag)
{
    char device[SERIAL_PATH_MAX];
    struct probe_settings mine = *settings;
    struct serial_port port;
    enum bl_status status = serial_parse(name, device, &mine.self.baud, diag);
    if (status != BL_OK)
        return status;
    status = serial_port_open(&port, device, mine.self.baud, false, diag);
    if (status != BL_OK)
        return status;
    const struct probe_callbacks callbacks = {&port, on_send, on_outputs, on_inputs, on_rate};
    struct probe *probe = probe_create(&mine, &callbacks);
    if (!probe)
        status = bl_fail(diag, BL_NOMEM, "%s: out of memory", device);
    else if (!run(&port, probe, progress, ctx))
        status = bl_fail(diag, BL_IO, "%s is gone: plug the adapter in again, and check once more",
                         device);
    if (probe)
        *result = *probe_result(probe);
    probe_destroy(probe);
    serial_port_close(&port);
    return status;
}
