#include "sim/modem_private.h"
#include "sim/program/command.h"
#include "sim/program/program.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#define NOISE_MAX 1000000
#define STALL_MAX 3600000

static struct modem *cable;

void command_obey(struct modem *modem)
{
    cable = modem;
}

/* Parses "a", "b" or "both" as a mask of ends; 0: another word. */
static unsigned ends_parse(const char *word)
{
    if (strcmp(word, "a") == 0)
        return 1;
    if (strcmp(word, "b") == 0)
        return 2;
    return strcmp(word, "both") == 0 ? 3 : 0;
}

static bool do_unplug(const struct sim_request *request)
{
    (void)request;
    modem_plug(cable, false);
    return true;
}

static bool do_plug(const struct sim_request *request)
{
    (void)request;
    modem_plug(cable, true);
    return true;
}

static bool do_stall(const struct sim_request *request)
{
    unsigned ends = ends_parse(request->words[1]);
    uint64_t ms;

    if (!ends)
        return sim_refuse(request, "the sending end must be a, b or both");
    if (!sim_number_parse(request->words[2], STALL_MAX, &ms))
        return sim_refuse(request, "milliseconds must be 0 to 3600000");
    for (int end = 0; end < SIM_ENDS; end++) {
        if (ends & 1u << end)
            wire_stall(&cable->wire[end], ms);
    }
    return true;
}

static bool do_ber(const struct sim_request *request)
{
    double rate;

    if (!sim_rate_parse(request->words[1], &rate))
        return sim_refuse(request, "the rate must be a number from 0 to 1, as 1e-4");
    modem_set_error_rate(cable, rate);
    return true;
}

static bool do_garbage(const struct sim_request *request)
{
    unsigned ends = ends_parse(request->words[1]);
    uint64_t bytes;

    if (!ends)
        return sim_refuse(request, "the hearing end must be a, b or both");
    if (!sim_number_parse(request->words[2], NOISE_MAX, &bytes))
        return sim_refuse(request, "bytes must be 0 to 1000000");
    for (int end = 0; end < SIM_ENDS; end++) {
        if (ends & 1u << end)
            wire_noise(&cable->wire[1 - end], bytes);
    }
    return true;
}

static bool do_break(const struct sim_request *request)
{
    unsigned ends = ends_parse(request->words[1]);

    if (!ends)
        return sim_refuse(request, "the sending end must be a, b or both");
    for (int end = 0; end < SIM_ENDS; end++) {
        if (ends & 1u << end)
            wire_break(&cable->wire[end]);
    }
    return true;
}

static bool do_remove(const struct sim_request *request)
{
    unsigned ends = ends_parse(request->words[1]);

    if (!ends)
        return sim_refuse(request, "the end must be a, b or both");
    for (int end = 0; end < SIM_ENDS; end++) {
        if (ends & 1u << end)
            port_close(&cable->port[end]);
    }
    return true;
}

static bool do_restore(const struct sim_request *request)
{
    unsigned ends = ends_parse(request->words[1]);

    if (!ends)
        return sim_refuse(request, "the end must be a, b or both");
    for (int end = 0; end < SIM_ENDS; end++) {
        struct sim_port *port = &cable->port[end];
        int error = (ends & 1u << end) && port->master < 0 ? port_open(port) : 0;

        if (error)
            return sim_refuse(request, strerror(error));
    }
    return true;
}

static bool do_baud(const struct sim_request *request)
{
    uint64_t baud = 0;

    if (strcmp(request->words[1], "follow") != 0 &&
        (!sim_number_parse(request->words[1], 4000000, &baud) || baud < 50))
        return sim_refuse(request, "the rate must be 50 to 4000000, or follow");
    cable->baud = (uint32_t)baud;
    return true;
}

/* Changes the port's settings like another program that has the port open, such as a login. */
static bool do_meddle(const struct sim_request *request)
{
    unsigned ends = ends_parse(request->words[1]);
    uint64_t baud = 0;

    if (!ends)
        return sim_refuse(request, "the end must be a, b or both");
    if (!sim_number_parse(request->words[2], 4000000, &baud) || baud < 50)
        return sim_refuse(request, "the rate must be 50 to 4000000");
    for (int end = 0; end < SIM_ENDS; end++) {
        if (ends & 1u << end)
            port_meddle(&cable->port[end], (uint32_t)baud);
    }
    return true;
}

static bool do_wiring(const struct sim_request *request)
{
    int index = sim_wiring_find(request->words[1]);

    if (index < 0)
        return sim_refuse(request, "no such wiring, see nullmodem --help");
    modem_change(cable, SIM_WIRING_MASK, SIM_WIRING(index));
    return true;
}

static bool do_stats(const struct sim_request *request)
{
    command_stats(cable, request->answer, request->size);
    return true;
}

static const struct sim_verb verbs[] = {
    {"unplug", "", 0, do_unplug},
    {"plug", "", 0, do_plug},
    {"stall", " a|b|both MS", 2, do_stall},
    {"ber", " RATE", 1, do_ber},
    {"garbage", " a|b|both BYTES", 2, do_garbage},
    {"break", " a|b|both", 1, do_break},
    {"remove", " a|b|both", 1, do_remove},
    {"restore", " a|b|both", 1, do_restore},
    {"baud", " RATE|follow", 1, do_baud},
    {"meddle", " a|b|both RATE", 2, do_meddle},
    {"wiring", " NAME", 1, do_wiring},
    {"stats", "", 0, do_stats},
    {"quit", "", 0, sim_do_quit},
    {0},
};

bool command_line(const char *line, char *answer, size_t size)
{
    return sim_obey(verbs, line, answer, size);
}

static int wire_stats_print(const struct sim_wire *wire, char *text, size_t size)
{
    const struct wire_stats *stats = &wire->stats;
    uint64_t frames = stats->bytes_sent ? stats->bytes_sent : 1;

    return snprintf(
        text, size,
        "{\"bytes_sent\":%ju,\"bytes_delivered\":%ju,\"bits_flipped\":%ju,"
        "\"flips_digest\":%u,\"bytes_hit\":%ju,\"bytes_garbled\":%ju,\"bytes_lost\":%ju,"
        "\"bytes_overrun\":%ju,\"bytes_noise\":%ju,\"late_mean_us\":%.1f,"
        "\"late_max_us\":%.1f}",
        (uintmax_t)stats->bytes_sent, (uintmax_t)stats->bytes_delivered,
        (uintmax_t)stats->bits_flipped, stats->flips_digest, (uintmax_t)stats->bytes_hit,
        (uintmax_t)stats->bytes_garbled, (uintmax_t)stats->bytes_lost,
        (uintmax_t)stats->bytes_overrun, (uintmax_t)stats->bytes_noise,
        (double)stats->late_ns / (double)frames / 1e3, (double)stats->late_max_ns / 1e3);
}

static int port_print(const struct sim_port *port, char *text, size_t size)
{
    uint32_t state = atomic_load(&port->modem->shared->state);
    int inputs = sim_inputs(state, port->end);
    struct port_settings settings = port_settings(port);

    return snprintf(text, size,
                    "{\"present\":%s,\"baud\":%u,\"rtscts\":%s,\"rts\":%d,\"dtr\":%d,\"cts\":%d,"
                    "\"dsr\":%d,\"dcd\":%d,\"ri\":%d}",
                    port->master < 0 ? "false" : "true", settings.baud,
                    settings.rtscts ? "true" : "false", !!(state & SIM_RTS(port->end)),
                    !!(state & SIM_DTR(port->end)), !!(inputs & TIOCM_CTS), !!(inputs & TIOCM_DSR),
                    !!(inputs & TIOCM_CD), !!(inputs & TIOCM_RI));
}

void command_stats(struct modem *modem, char *text, size_t size)
{
    uint32_t state = atomic_load(&modem->shared->state);
    char ports[SIM_ENDS][256], wires[SIM_ENDS][512];

    for (int end = 0; end < SIM_ENDS; end++) {
        port_print(&modem->port[end], ports[end], sizeof(ports[end]));
        wire_stats_print(&modem->wire[end], wires[end], sizeof(wires[end]));
    }
    snprintf(text, size,
             "{\"seed\":%ju,\"ber\":%g,\"paced\":%s,\"baud\":%u,\"plugged\":%s,\"wiring\":\"%s\","
             "\"a\":%s,\"b\":%s,\"a_to_b\":%s,\"b_to_a\":%s}",
             (uintmax_t)modem->seed, modem->error_rate, modem->unpaced ? "false" : "true",
             modem->baud, state & SIM_PLUGGED ? "true" : "false",
             cables[(state & SIM_WIRING_MASK) >> 16].name, ports[0], ports[1], wires[0], wires[1]);
}
