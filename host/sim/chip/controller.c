/* controller: the firmware's own ELF as a device on a pty, in real time, with its relays in the
 * simulated cables. See host/sim/README.md. */
#include "base/loop.h"
#include "sim/chip/chip.h"
#include "sim/chip/device.h"
#include "sim/program/control.h"
#include "sim/program/options.h"
#include "sim/program/program.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <sysexits.h>
#include <unistd.h>

#define STORE_MOST 8192
#define SLICE_NS   2000000
#define LAG_NS     200000000 /* a greater lag loses time */

static struct {
    struct chip *chip;
    struct device *device;
    const char *store_path;
    double speed;
    double drift; /* ratio of the controller's crystal to the nominal one */
    uint64_t seen_ns;
    double cycles;    /* cycles that the chip still has to run */
    uint64_t lost_ns; /* time that was lost by lags */
    bool closed[CHIP_LINES];
    struct contact *contact[CHIP_LINES];
} sim = {.speed = 1, .drift = 1};

static void usage(FILE *out)
{
    fputs(
        "controller --elf FILE --port LINK [OPTION...]   run the firmware on a pty, until SIGTERM\n"
        "controller --control SOCKET --send COMMAND...   tell a running one\n"
        "  --shm FILE        keep the modem lines there, for BOOTHLINK_SIM and the shim\n"
        "  --left SOCKET     the control socket of the cable that the left relay closes\n"
        "  --right SOCKET    the same of the right one\n"
        "  --store FILE      keep its store there\n"
        "  --speed N         virtual seconds in a second (default 1)\n"
        "  --reset-on-open   DTR resets the board, as an Uno's does\n" SIM_OPTIONS_USAGE
        "commands: key run|pause, button press|release, reset, power off|on, hang,\n"
        "  stick left|right 0|1|free, drift PPM, status, quit\n",
        out);
}

static void clean_up(void)
{
    control_close();
    device_close(sim.device);
    sim.device = NULL;
}

static void relays_look(void)
{
    for (int line = 0; line < CHIP_LINES; line++) {
        bool closed = chip_closed(sim.chip, line);

        if (closed != sim.closed[line])
            contact_set(sim.contact[line], closed);
        sim.closed[line] = closed;
    }
}

static void byte_out(void *user, uint8_t byte)
{
    (void)user;
    device_put(sim.device, byte);
}

/* Lets the chip run up to now. */
static void live(void)
{
    uint64_t now_ns = bl_mono_ns(), passed = now_ns - sim.seen_ns, before;
    uint8_t bytes[256];
    size_t count;

    sim.seen_ns = now_ns;
    if (passed > LAG_NS) {
        sim.lost_ns += passed - LAG_NS;
        passed = LAG_NS;
    }
    if (device_opened(sim.device))
        chip_reset(sim.chip, CHIP_BUTTON);
    while ((count = device_get(sim.device, bytes, sizeof(bytes))) > 0)
        chip_send(sim.chip, bytes, count);
    sim.cycles += (double)passed * 1e-9 * sim.speed * sim.drift * chip_clock(sim.chip);
    before = chip_now(sim.chip);
    /* A sleeping processor runs on to its next interrupt; the excess is subtracted next time. */
    if (sim.cycles >= 1)
        chip_run(sim.chip, (uint64_t)sim.cycles);
    sim.cycles -= (double)(chip_now(sim.chip) - before);
    if (chip_is_off(sim.chip))
        sim.cycles = 0;
    device_flush(sim.device);
    relays_look();
}

static struct {
    struct sim_source source;
    int fd;
} timer;

static void timer_ready(struct sim_source *source, uint32_t events)
{
    uint64_t expired;

    (void)source;
    (void)events;
    if (read(timer.fd, &expired, sizeof(expired)) > 0)
        live();
}

static void timer_open(void)
{
    struct itimerspec spec = {{0, SLICE_NS}, {0, SLICE_NS}};

    timer.source.ready = timer_ready;
    timer.fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    if (timer.fd < 0 || timerfd_settime(timer.fd, 0, &spec, NULL) < 0)
        sim_die(EX_OSERR, "timerfd: %s", strerror(errno));
    sim_watch(timer.fd, &timer.source, EPOLLIN);
}

/* Obeys a command. False: unknown. */
static bool obey(const char *line)
{
    int line_number, level;
    char side[8], value[8];
    double ppm;

    if (strcmp(line, "key run") == 0 || strcmp(line, "key pause") == 0)
        chip_key_switch(sim.chip, strcmp(line, "key run") == 0);
    else if (strcmp(line, "button press") == 0 || strcmp(line, "button release") == 0)
        chip_button(sim.chip, strcmp(line, "button press") == 0);
    else if (strcmp(line, "reset") == 0)
        chip_reset(sim.chip, CHIP_BUTTON);
    else if (strcmp(line, "power off") == 0)
        chip_off(sim.chip);
    else if (strcmp(line, "power on") == 0)
        chip_reset(sim.chip, CHIP_POWER);
    else if (strcmp(line, "hang") == 0)
        chip_hang(sim.chip);
    else if (strcmp(line, "quit") == 0)
        sim_quit();
    else if (sscanf(line, "drift %lf", &ppm) == 1 && ppm > -100000 && ppm < 100000)
        sim.drift = 1 + ppm * 1e-6;
    else if (sscanf(line, "stick %7s %7s", side, value) == 2 &&
             (strcmp(side, "left") == 0 || strcmp(side, "right") == 0) &&
             (strcmp(value, "free") == 0 || strcmp(value, "0") == 0 || strcmp(value, "1") == 0)) {
        line_number = strcmp(side, "right") == 0;
        level = strcmp(value, "free") == 0 ? CHIP_FREE : value[0] - '0';
        chip_stick(sim.chip, line_number, level);
    } else {
        return false;
    }
    return true;
}

static bool command(const char *line, char *answer, size_t size)
{
    live();
    snprintf(answer, size, "ok");
    if (strcmp(line, "status") == 0) {
        snprintf(answer, size,
                 "{\"ms\": %ju, \"left\": %s, \"right\": %s, \"lamps\": %u, \"resets\": %u, "
                 "\"power\": %s, \"lost_ms\": %ju}",
                 (uintmax_t)(chip_now(sim.chip) / (chip_clock(sim.chip) / 1000)),
                 chip_closed(sim.chip, 0) ? "true" : "false",
                 chip_closed(sim.chip, 1) ? "true" : "false", chip_lamps(sim.chip),
                 chip_resets(sim.chip), chip_is_off(sim.chip) ? "false" : "true",
                 (uintmax_t)(sim.lost_ns / 1000000));
        return true;
    }
    if (!obey(line)) {
        snprintf(answer, size, "error: %s: no such command, see controller --help", line);
        return false;
    }
    live();
    return true;
}

/* Loads the store from a file, for a restarted simulator. */
static void store_load(void)
{
    FILE *file = sim.store_path ? fopen(sim.store_path, "re") : NULL;
    uint8_t bytes[STORE_MOST];

    if (!file)
        return;
    if (fread(bytes, 1, chip_kind.store, file) != chip_kind.store)
        sim_die(EX_DATAERR, "%s: must have %u bytes", sim.store_path, chip_kind.store);
    fclose(file);
    chip_store_put(sim.chip, bytes);
    chip_reset(sim.chip, CHIP_POWER);
}

static void store_save(void)
{
    FILE *file = sim.store_path ? fopen(sim.store_path, "we") : NULL;

    uint8_t bytes[STORE_MOST];

    if (!sim.store_path)
        return;
    chip_store_get(sim.chip, bytes);
    if (!file || fwrite(bytes, 1, chip_kind.store, file) != chip_kind.store || fclose(file) != 0)
        sim_die(EX_CANTCREAT, "%s: %s", sim.store_path, strerror(errno));
}

enum controller_option {
    OPTION_ELF = 1,
    OPTION_PORT,
    OPTION_SHM,
    OPTION_LEFT,
    OPTION_RIGHT,
    OPTION_STORE,
    OPTION_SPEED,
    OPTION_RESET,
};

static const struct option options[] = {
    {"elf", required_argument, NULL, OPTION_ELF},
    {"port", required_argument, NULL, OPTION_PORT},
    {"shm", required_argument, NULL, OPTION_SHM},
    {"left", required_argument, NULL, OPTION_LEFT},
    {"right", required_argument, NULL, OPTION_RIGHT},
    {"store", required_argument, NULL, OPTION_STORE},
    {"speed", required_argument, NULL, OPTION_SPEED},
    {"reset-on-open", no_argument, NULL, OPTION_RESET},
    SIM_OPTIONS,
};

struct controller_choices {
    const char *elf, *port, *shm;
    const char *cable[CHIP_LINES];
    bool reset_on_open;
    struct sim_options common;
};

static void option_take(int code, struct controller_choices *choices)
{
    char *end;

    switch (code) {
    case OPTION_ELF:
        choices->elf = optarg;
        return;
    case OPTION_PORT:
        choices->port = optarg;
        return;
    case OPTION_SHM:
        choices->shm = optarg;
        return;
    case OPTION_LEFT:
    case OPTION_RIGHT:
        choices->cable[code == OPTION_RIGHT] = optarg;
        return;
    case OPTION_STORE:
        sim.store_path = optarg;
        return;
    case OPTION_SPEED:
        sim.speed = strtod(optarg, &end);
        if (*end || !(sim.speed > 0 && sim.speed <= 100))
            sim_die(EX_USAGE, "--speed %s: expected a number up to 100", optarg);
        return;
    case OPTION_RESET:
        choices->reset_on_open = true;
        return;
    }
    sim_option(&choices->common, code, usage);
}

static void open_all(const struct controller_choices *choices)
{
    sim_open();
    sim.chip = chip_create(choices->elf, bl_mono_ns());
    if (!sim.chip)
        exit(EX_NOINPUT);
    store_load();
    for (int line = 0; line < CHIP_LINES; line++)
        sim.contact[line] = contact_open(choices->cable[line]);
    sim.device = device_open(choices->port, choices->shm, choices->reset_on_open);
    chip_on_byte(sim.chip, byte_out, NULL);
    sim.seen_ns = bl_mono_ns();
    timer_open();
}

int main(int argc, char **argv)
{
    static const struct sim_program program = {"controller", command, clean_up};
    struct controller_choices choices = {0};
    int code;

    sim_begin(&program);
    while ((code = getopt_long(argc, argv, "", options, NULL)) != -1)
        option_take(code, &choices);
    if (choices.common.send)
        return sim_client(&choices.common, argc, argv);
    if (!choices.elf || !choices.port || optind != argc) {
        usage(stderr);
        return EX_USAGE;
    }
    open_all(&choices);
    sim_serve(&choices.common);
    store_save();
    clean_up();
    chip_destroy(sim.chip);
    return EX_OK;
}
