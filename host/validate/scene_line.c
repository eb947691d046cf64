#include "validate/scene_line.h"

#include "sim/loop.h"
#include "sim/modem.h"

#include <errno.h>
#include <linux/if_tun.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define FRAME_MAX    2048 /* more than Ethernet's 1,514 */
#define FRAME_HEADER 14

/* A hub's port. The caller of scene_line_join() owns the descriptor. */
struct hub_tap {
    struct sim_source source; /* must be first: the loop returns a pointer to it */
    struct scene_line *line;
    enum line_end end;
    int tap; /* -1: none */
};

struct scene_line {
    int loop; /* sim/loop.h */
    uint64_t dice;

    /* a cable */
    struct modem *modem; /* NULL: a hub */

    /* a hub */
    bool plugged;
    struct hub_tap port[LINE_ENDS];
    uint64_t sent[LINE_ENDS];
};

static void hub_read(struct sim_source *source, uint32_t events);

void scene_line_close(struct scene_line *line)
{
    if (!line)
        return;
    modem_close(line->modem);
    if (line->loop >= 0)
        close(line->loop);
    free(line);
}

static enum bl_status line_make(struct scene_line **out, struct bl_diag *diag)
{
    struct scene_line *line = *out = calloc(1, sizeof *line);
    if (!line)
        return bl_fail(diag, BL_NOMEM, "no memory");
    line->loop = sim_loop_open();
    line->plugged = true;
    for (enum line_end end = 0; end < LINE_ENDS; end++)
        line->port[end] =
            (struct hub_tap){.source = {hub_read}, .line = line, .end = end, .tap = -1};
    return line->loop >= 0
               ? BL_OK
               : bl_fail(diag, BL_IO, "the simulated cable: epoll: %s", strerror(errno));
}

static enum bl_status line_open(struct scene_line **out, bool cable, struct bl_diag *diag)
{
    const struct modem_options options = {.as_switched_on = true};
    enum bl_status status = line_make(out, diag);
    if (!status && cable)
        status = modem_open(&(*out)->modem, (*out)->loop, &options, diag);
    if (status) {
        scene_line_close(*out);
        *out = NULL;
    }
    return status;
}

enum bl_status scene_line_open_serial(struct scene_line **out, struct bl_diag *diag)
{
    return line_open(out, true, diag);
}

enum bl_status scene_line_open_hub(struct scene_line **out, struct bl_diag *diag)
{
    return line_open(out, false, diag);
}

int scene_line_fd(const struct scene_line *line)
{
    return line->loop;
}

void scene_line_turn(struct scene_line *line)
{
    sim_loop_turn(line->loop, false);
}

enum bl_status scene_line_renew(struct scene_line *line, enum line_end end, struct bl_diag *diag)
{
    int error = modem_renew(line->modem, end);
    return error ? bl_fail(diag, BL_FULL, "the simulated cable: pty: %s", strerror(error)) : BL_OK;
}

const char *scene_line_device(const struct scene_line *line, enum line_end end)
{
    return line->modem ? modem_device(line->modem, end) : "";
}

bool scene_line_is_open(const struct scene_line *line, enum line_end end)
{
    return line->modem && modem_is_open(line->modem, end);
}

/* Reads a frame. False: there is none. */
static bool frame_read(struct scene_line *line, enum line_end end)
{
    uint8_t frame[FRAME_MAX];
    int to = line->port[1 - end].tap;
    ssize_t count = read(line->port[end].tap, frame, sizeof frame);
    if (count < FRAME_HEADER)
        return false;
    line->sent[end] += (uint64_t)count - FRAME_HEADER;
    return !line->plugged || to < 0 || write(to, frame, (size_t)count) == count;
}

static void hub_read(struct sim_source *source, uint32_t events)
{
    const struct hub_tap *port = (struct hub_tap *)source;
    (void)events;
    for (unsigned i = 0; i < 64 && frame_read(port->line, port->end); i++)
        continue;
}

static void carrier_set(const struct scene_line *line, enum line_end end)
{
    int carrier = line->plugged;
    if (line->port[end].tap >= 0)
        ioctl(line->port[end].tap, TUNSETCARRIER, &carrier);
}

void scene_line_join(struct scene_line *line, enum line_end end, int tap)
{
    struct hub_tap *port = &line->port[end];
    if (port->tap >= 0)
        sim_loop_remove(line->loop, port->tap);
    port->tap = tap;
    if (tap < 0)
        return;
    sim_loop_add(line->loop, tap, &port->source, EPOLLIN);
    carrier_set(line, end);
}

void scene_line_plug(struct scene_line *line, bool plugged)
{
    line->plugged = plugged;
    if (line->modem)
        modem_plug(line->modem, plugged);
    for (enum line_end end = 0; end < LINE_ENDS; end++)
        carrier_set(line, end);
}

/* splitmix64 */
static uint64_t dice_roll(struct scene_line *line)
{
    uint64_t z = line->dice += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static void frame_noise(struct scene_line *line, int tap)
{
    uint8_t frame[FRAME_HEADER + 46];
    for (unsigned i = 0; i < sizeof frame; i++)
        frame[i] = i < 6 ? 0xFF : (uint8_t)dice_roll(line);
    frame[6] = 0x02; /* a local address */
    if (write(tap, frame, sizeof frame) < 0)
        return;
}

void scene_line_noise(struct scene_line *line, uint64_t seed, unsigned count)
{
    line->dice = seed;
    for (enum line_end end = 0; end < LINE_ENDS; end++) {
        if (line->modem)
            modem_noise(line->modem, (int)end, seed, count);
        else
            for (unsigned n = 0; n < count && line->port[end].tap >= 0; n++)
                frame_noise(line, line->port[end].tap);
    }
}

uint64_t scene_line_sent(const struct scene_line *line, enum line_end end)
{
    return line->modem ? modem_sent(line->modem, (int)end) : line->sent[end];
}
