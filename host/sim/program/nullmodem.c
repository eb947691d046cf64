/* nullmodem: two ptys joined as by a null-modem cable, with the cable's faults. See README.md. */
#include "sim/modem.h"
#include "sim/program/command.h"
#include "sim/program/control.h"
#include "sim/program/options.h"
#include "sim/program/program.h"

#include <getopt.h>
#include <string.h>
#include <sysexits.h>

static struct modem *modem;
static const char *stats_path;

static void usage(FILE *out)
{
    fputs(
        "nullmodem --a LINK --b LINK [OPTION...]    join two ptys, until SIGTERM\n"
        "nullmodem --control SOCKET --send 'COMMAND'...  tell a running one\n"
        "  --baud N          force this rate (else as the ends set it; they start at 115200)\n"
        "  --listener-a DEVICE    a Y-cable: what A sends goes there too; and --listener-b\n"
        "  --unpaced         pass bytes on at once\n"
        "  --keep            what comes while no program has a port open waits there for one; "
        "else\n"
        "                    it is lost, as on a real port\n"
        "  --rx-trigger N    a receiver's FIFO speaks up at N bytes (1 to 14, default 1) or after\n"
        "                    4 characters of silence; more than 1 saves work in long runs\n"
        "  --bit-error-rate P  flip each of the ten bits of a frame with this probability\n"
        "  --seed N          of the errors; the same seed flips the same bits of the same bytes\n"
        "  --wiring NAME     how the cable is made, see below\n"
        "  --shm FILE        keep the modem lines there, for BOOTHLINK_SIM and the shim\n"
        "  --stats FILE      write what was done as JSON at the end\n" SIM_OPTIONS_USAGE
        "commands: unplug, plug, stall a|b|both MS, ber P, garbage a|b|both BYTES, break "
        "a|b|both,\n"
        "  remove a|b|both, restore a|b|both, baud N|follow, meddle a|b|both N, wiring NAME,\n"
        "  stats, quit\n"
        "wirings:\n",
        out);
    for (int i = 0; cables[i].name; i++)
        fprintf(out, "  %-24s%s\n", cables[i].name, cables[i].words);
}

static void clean_up(void)
{
    control_close();
    if (modem)
        modem_unlink(modem);
}

enum nullmodem_option {
    OPTION_A = 1,
    OPTION_B,
    OPTION_LISTENER_A,
    OPTION_LISTENER_B,
    OPTION_BAUD,
    OPTION_UNPACED,
    OPTION_KEEP,
    OPTION_TRIGGER,
    OPTION_BER,
    OPTION_SEED,
    OPTION_SHM,
    OPTION_WIRING,
    OPTION_STATS,
};

static const struct option options[] = {
    {"a", required_argument, NULL, OPTION_A},
    {"b", required_argument, NULL, OPTION_B},
    {"listener-a", required_argument, NULL, OPTION_LISTENER_A},
    {"listener-b", required_argument, NULL, OPTION_LISTENER_B},
    {"baud", required_argument, NULL, OPTION_BAUD},
    {"unpaced", no_argument, NULL, OPTION_UNPACED},
    {"keep", no_argument, NULL, OPTION_KEEP},
    {"rx-trigger", required_argument, NULL, OPTION_TRIGGER},
    {"bit-error-rate", required_argument, NULL, OPTION_BER},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"shm", required_argument, NULL, OPTION_SHM},
    {"wiring", required_argument, NULL, OPTION_WIRING},
    {"stats", required_argument, NULL, OPTION_STATS},
    SIM_OPTIONS,
};

struct nullmodem_choices {
    struct modem_options modem;
    struct sim_options common;
};

static void option_take(int code, struct nullmodem_choices *choices)
{
    switch (code) {
    case OPTION_A:
    case OPTION_B:
        if (strlen(optarg) >= SIM_LINK_MAX)
            sim_die(EX_USAGE, "a link's name has at most %d bytes", SIM_LINK_MAX - 1);
        choices->modem.link[code == OPTION_B] = optarg;
        return;
    case OPTION_LISTENER_A:
    case OPTION_LISTENER_B:
        choices->modem.listener[code == OPTION_LISTENER_B] = optarg;
        return;
    case OPTION_BAUD:
        choices->modem.baud = (uint32_t)sim_number("baud", optarg, 50, 4000000);
        return;
    case OPTION_UNPACED:
        choices->modem.unpaced = true;
        return;
    case OPTION_KEEP:
        choices->modem.keep = true;
        return;
    case OPTION_TRIGGER:
        choices->modem.rx_trigger = (uint32_t)sim_number("rx-trigger", optarg, 1, 14);
        return;
    case OPTION_BER:
        choices->modem.error_rate = sim_rate("bit-error-rate", optarg);
        return;
    case OPTION_SEED:
        choices->modem.seed = sim_number("seed", optarg, 0, UINT64_MAX);
        return;
    case OPTION_SHM:
        choices->modem.shared_path = optarg;
        return;
    case OPTION_WIRING:
        choices->modem.wiring = sim_wiring_find(optarg);
        if (choices->modem.wiring < 0)
            sim_die(EX_USAGE, "--wiring %s: no such wiring, see --help", optarg);
        return;
    case OPTION_STATS:
        stats_path = optarg;
        return;
    }
    sim_option(&choices->common, code, usage);
}

static void open_all(const struct nullmodem_choices *choices)
{
    struct bl_diag diag;
    enum bl_status status;

    sim_open();
    status = modem_open(&modem, sim_loop(), &choices->modem, &diag);
    if (status)
        sim_die(bl_status_exit(status), "%s", diag.text);
    command_obey(modem);
}

static void close_all(void)
{
    char text[2048];

    command_stats(modem, text, sizeof(text));
    modem_close(modem);
    modem = NULL;
    clean_up();
    if (stats_path)
        sim_write(stats_path, text);
}

int main(int argc, char **argv)
{
    static const struct sim_program program = {"nullmodem", command_line, clean_up};
    struct nullmodem_choices choices = {0};
    int code;

    sim_begin(&program);
    while ((code = getopt_long(argc, argv, "", options, NULL)) != -1)
        option_take(code, &choices);
    if (choices.common.send)
        return sim_client(&choices.common, argc, argv);
    if (!choices.modem.link[0] || !choices.modem.link[1] || optind != argc) {
        usage(stderr);
        return EX_USAGE;
    }
    open_all(&choices);
    sim_serve(&choices.common);
    close_all();
    return EX_OK;
}
