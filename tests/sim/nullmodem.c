/* nullmodem: two ptys joined as by a null-modem cable, with the cable's faults. See README.md. */
#include "tests/sim/control.h"
#include "tests/sim/modem.h"
#include "tests/sim/options.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

static struct modem modem = {.rx_trigger = 1};
static const char *stats_path;

static void usage(FILE *out)
{
    fputs(
        "nullmodem --a LINK --b LINK [OPTION...]    join two ptys, until SIGTERM\n"
        "nullmodem --control SOCKET --send COMMAND...    tell a running one\n"
        "  --baud N          force this rate (else as the ends set it; they start at 115200)\n"
        "  --ear-a DEVICE    a Y-cable: what A sends goes there too; and --ear-b\n"
        "  --unpaced         pass bytes on at once\n"
        "  --rx-trigger N    a receiver's FIFO speaks up at N bytes (1 to 14, default 1) or after\n"
        "                    4 characters of silence; more than 1 saves work in long runs\n"
        "  --bit-error-rate P  flip each of the ten bits of a frame with this probability\n"
        "  --seed N          of the errors; the same seed flips the same bits of the same bytes\n"
        "  --wiring NAME     how the cable is made, see below\n"
        "  --shm FILE        keep the modem lines there, for BOOTHLINK_SIM and the shim\n"
        "  --stats FILE      write what was done as JSON at the end\n" SIM_OPTIONS_USAGE
        "commands: unplug, plug, stall a|b|both MS, ber P, garbage a|b|both BYTES, break "
        "a|b|both,\n"
        "  remove a|b|both, restore a|b|both, baud N|follow, wiring NAME, stats, quit\n"
        "wirings:\n",
        out);
    for (int i = 0; cables[i].name; i++)
        fprintf(out, "  %-18s%s\n", cables[i].name, cables[i].words);
}

static void clean_up(void)
{
    for (int end = 0; end < SIM_ENDS; end++) {
        if (modem.port[end].master >= 0 && modem.port[end].link)
            unlink(modem.port[end].link);
    }
    control_close();
    if (modem.shared_path && modem.shared) {
        atomic_store(&modem.shared->closed, 1);
        unlink(modem.shared_path);
    }
}

void modem_changed(struct modem *m)
{
    for (int end = 0; end < SIM_ENDS; end++) {
        if (m->wire[end].held)
            wire_run(&m->wire[end]);
    }
}

void modem_change(struct modem *m, uint32_t clear, uint32_t set)
{
    sim_change(m->shared, clear, set);
    modem_changed(m);
}

/* The shared memory is a new file each time, so that a shim that still maps the old one is not
 * hurt. */
static void shared_open(const char *path)
{
    void *memory;
    int fd = -1;

    if (path) {
        unlink(path);
        fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 || ftruncate(fd, sizeof(struct sim_shared)) < 0)
            sim_die(EX_CANTCREAT, "%s: %s", path, strerror(errno));
    }
    memory = mmap(NULL, sizeof(struct sim_shared), PROT_READ | PROT_WRITE,
                  path ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, fd, 0);
    if (memory == MAP_FAILED)
        sim_die(EX_OSERR, "mmap: %s", strerror(errno));
    if (fd >= 0)
        close(fd);
    modem.shared = memory;
    modem.shared_path = path;
}

enum option_code {
    OPTION_A = 1,
    OPTION_B,
    OPTION_EAR_A,
    OPTION_EAR_B,
    OPTION_BAUD,
    OPTION_UNPACED,
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
    {"ear-a", required_argument, NULL, OPTION_EAR_A},
    {"ear-b", required_argument, NULL, OPTION_EAR_B},
    {"baud", required_argument, NULL, OPTION_BAUD},
    {"unpaced", no_argument, NULL, OPTION_UNPACED},
    {"rx-trigger", required_argument, NULL, OPTION_TRIGGER},
    {"bit-error-rate", required_argument, NULL, OPTION_BER},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"shm", required_argument, NULL, OPTION_SHM},
    {"wiring", required_argument, NULL, OPTION_WIRING},
    {"stats", required_argument, NULL, OPTION_STATS},
    SIM_OPTIONS,
};

struct choices {
    const char *link[SIM_ENDS];
    const char *ear[SIM_ENDS];
    const char *shm;
    int wiring;
    struct sim_options common;
};

static void option_take(int code, struct choices *choices)
{
    switch (code) {
    case OPTION_A:
    case OPTION_B:
        if (strlen(optarg) >= SIM_LINK_MAX)
            sim_die(EX_USAGE, "a link's name has at most %d bytes", SIM_LINK_MAX - 1);
        choices->link[code == OPTION_B] = optarg;
        return;
    case OPTION_EAR_A:
    case OPTION_EAR_B:
        choices->ear[code == OPTION_EAR_B] = optarg;
        return;
    case OPTION_BAUD:
        modem.baud = (uint32_t)sim_number("baud", optarg, 50, 4000000);
        return;
    case OPTION_UNPACED:
        modem.unpaced = true;
        return;
    case OPTION_TRIGGER:
        modem.rx_trigger = (uint32_t)sim_number("rx-trigger", optarg, 1, 14);
        return;
    case OPTION_BER:
        modem_set_error_rate(&modem, sim_rate("bit-error-rate", optarg));
        return;
    case OPTION_SEED:
        modem.seed = sim_number("seed", optarg, 0, UINT64_MAX);
        return;
    case OPTION_SHM:
        choices->shm = optarg;
        return;
    case OPTION_WIRING:
        choices->wiring = sim_wiring_find(optarg);
        if (choices->wiring < 0)
            sim_die(EX_USAGE, "--wiring %s: no such wiring, see --help", optarg);
        return;
    case OPTION_STATS:
        stats_path = optarg;
        return;
    }
    sim_option(&choices->common, code, usage);
}

static void modem_open(const struct choices *choices)
{
    sim_open();
    shared_open(choices->shm);
    for (int end = 0; end < SIM_ENDS; end++)
        strcpy(modem.shared->link[end], choices->link[end]);
    modem_change(&modem, 0, SIM_PLUGGED | SIM_WIRING(choices->wiring));
    attend_open(&modem);
    for (int end = 0; end < SIM_ENDS; end++)
        wire_init(&modem.wire[end], &modem, end);
    for (int end = 0; end < SIM_ENDS; end++) {
        if (!choices->ear[end])
            continue;
        modem.wire[end].ear = open(choices->ear[end], O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
        if (modem.wire[end].ear < 0)
            sim_die(EX_NOINPUT, "%s: %s", choices->ear[end], strerror(errno));
    }
    for (int end = 0; end < SIM_ENDS; end++) {
        struct port *port = &modem.port[end];
        int error;

        port->modem = &modem;
        port->end = end;
        port->link = choices->link[end];
        error = port_open(port);
        if (error)
            sim_die(EX_CANTCREAT, "%s: %s", port->link, strerror(error));
    }
    modem.shared->magic = SIM_MAGIC;
}

static void modem_close(void)
{
    char text[2048];

    modem_stats(&modem, text, sizeof(text));
    for (int end = 0; end < SIM_ENDS; end++)
        port_close(&modem.port[end]);
    clean_up();
    if (stats_path)
        sim_write(stats_path, text);
}

int main(int argc, char **argv)
{
    static const struct sim_program program = {"nullmodem", modem_command, clean_up};
    struct choices choices = {0};
    int code;

    sim_begin(&program);
    modem_obey(&modem);
    modem.port[0].master = modem.port[1].master = -1;
    modem.port[0].slave = modem.port[1].slave = -1;
    while ((code = getopt_long(argc, argv, "", options, NULL)) != -1)
        option_take(code, &choices);
    if (choices.common.send)
        return sim_client(&choices.common, argc, argv);
    if (!choices.link[0] || !choices.link[1] || optind != argc) {
        usage(stderr);
        return EX_USAGE;
    }
    modem_open(&choices);
    sim_serve(&choices.common);
    modem_close();
    return EX_OK;
}
