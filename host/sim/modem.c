#include "sim/modem_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void modem_changed(struct modem *modem)
{
    for (int end = 0; end < SIM_ENDS; end++) {
        if (modem->wire[end].held)
            wire_run(&modem->wire[end]);
    }
}

void modem_change(struct modem *modem, uint32_t clear, uint32_t set)
{
    sim_change(modem->shared, clear, set);
    modem_changed(modem);
}

void modem_set_error_rate(struct modem *modem, double rate)
{
    modem->error_rate = rate;
    modem->error_threshold = rate >= 1 ? UINT64_MAX : (uint64_t)(rate * 18446744073709551616.0);
}

/* Makes the shared memory, in a new file: a shim may still have the old one mapped. */
static enum bl_status shared_open(struct modem *modem, const char *path, struct bl_diag *diag)
{
    void *memory;
    int fd = -1;

    if (path) {
        unlink(path);
        fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0)
            return bl_fail(diag, BL_FULL, "%s: %s", path, strerror(errno));
        modem->shared_path = path;
        if (ftruncate(fd, sizeof(struct sim_shared)) < 0) {
            close(fd);
            return bl_fail(diag, BL_FULL, "%s: %s", path, strerror(errno));
        }
    }
    memory = mmap(NULL, sizeof(struct sim_shared), PROT_READ | PROT_WRITE,
                  path ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, fd, 0);
    if (fd >= 0)
        close(fd);
    if (memory == MAP_FAILED)
        return bl_fail(diag, BL_NOMEM, "the simulated cable: mmap: %s", strerror(errno));
    modem->shared = memory;
    return BL_OK;
}

static enum bl_status wires_open(struct modem *modem, const struct modem_options *options,
                                 struct bl_diag *diag)
{
    int error = attend_open(modem);

    for (int end = 0; end < SIM_ENDS && !error; end++)
        error = wire_init(&modem->wire[end], modem, end);
    if (error)
        return bl_fail(diag, BL_NOMEM, "the simulated cable: %s", strerror(error));
    for (int end = 0; end < SIM_ENDS; end++) {
        const char *listener = options->listener[end];

        if (!listener)
            continue;
        modem->wire[end].listener = open(listener, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
        if (modem->wire[end].listener < 0)
            return bl_fail(diag, BL_NOINPUT, "%s: %s", listener, strerror(errno));
    }
    return BL_OK;
}

static enum bl_status open_all(struct modem *modem, const struct modem_options *options,
                               struct bl_diag *diag)
{
    enum bl_status status = shared_open(modem, options->shared_path, diag);

    if (status)
        return status;
    for (int end = 0; end < SIM_ENDS; end++) {
        modem->port[end].link = options->link[end];
        if (options->link[end])
            strncpy(modem->shared->link[end], options->link[end], SIM_LINK_MAX - 1);
    }
    modem_change(modem, 0, SIM_PLUGGED | SIM_WIRING(options->wiring));
    status = wires_open(modem, options, diag);
    for (int end = 0; end < SIM_ENDS && !status; end++) {
        int error = port_open(&modem->port[end]);

        if (error)
            status = bl_fail(diag, BL_FULL, "%s: %s",
                             options->link[end] ? options->link[end] : "the simulated cable: pty",
                             strerror(error));
    }
    return status;
}

enum bl_status modem_open(struct modem **out, int loop, const struct modem_options *options,
                          struct bl_diag *diag)
{
    struct modem *modem = calloc(1, sizeof(*modem));
    enum bl_status status;

    if (!modem)
        return bl_fail(diag, BL_NOMEM, "no memory");
    modem->loop = loop;
    modem->attend_fd = -1;
    modem->as_switched_on = options->as_switched_on;
    modem->unpaced = options->unpaced;
    modem->keep = options->keep;
    modem->rx_trigger = options->rx_trigger ? options->rx_trigger : 1;
    modem->baud = options->baud;
    modem->seed = options->seed;
    modem_set_error_rate(modem, options->error_rate);
    for (int end = 0; end < SIM_ENDS; end++) {
        modem->port[end] = (struct sim_port){.modem = modem, .end = end, .master = -1};
        modem->wire[end].timer = modem->wire[end].listener = -1;
    }
    status = open_all(modem, options, diag);
    if (status) {
        modem_close(modem);
        return status;
    }
    modem->shared->magic = SIM_MAGIC;
    *out = modem;
    return BL_OK;
}

void modem_unlink(struct modem *modem)
{
    for (int end = 0; end < SIM_ENDS; end++) {
        if (modem->port[end].master >= 0 && modem->port[end].link)
            unlink(modem->port[end].link);
    }
    if (modem->shared)
        atomic_store(&modem->shared->closed, 1);
    if (modem->shared_path)
        unlink(modem->shared_path);
}

static void descriptor_close(int fd)
{
    if (fd >= 0)
        close(fd);
}

void modem_close(struct modem *modem)
{
    if (!modem)
        return;
    for (int end = 0; end < SIM_ENDS; end++) {
        port_close(&modem->port[end]);
        descriptor_close(modem->wire[end].timer);
        descriptor_close(modem->wire[end].listener);
    }
    descriptor_close(modem->attend_fd);
    modem_unlink(modem);
    if (modem->shared)
        munmap(modem->shared, sizeof(*modem->shared));
    free(modem);
}

int modem_renew(struct modem *modem, int end)
{
    port_close(&modem->port[end]);
    return port_open(&modem->port[end]);
}

const char *modem_device(const struct modem *modem, int end)
{
    return modem->port[end].path;
}

bool modem_is_open(struct modem *modem, int end)
{
    return attend_is_open(&modem->port[end]);
}

void modem_plug(struct modem *modem, bool plugged)
{
    modem_change(modem, plugged ? 0 : SIM_PLUGGED, plugged ? SIM_PLUGGED : 0);
}

void modem_noise(struct modem *modem, int end, uint64_t seed, uint64_t bytes)
{
    wire_seed_noise(&modem->wire[1 - end], seed);
    wire_noise(&modem->wire[1 - end], bytes);
}

uint64_t modem_sent(const struct modem *modem, int end)
{
    return modem->wire[end].stats.bytes_sent;
}
