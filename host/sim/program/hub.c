/* hub: an Ethernet hub between network namespaces, with the faults of a wire. See README.md. */
#include "sim/program/hub.h"

#include "base/loop.h"
#include "sim/program/control.h"
#include "sim/program/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <sysexits.h>
#include <unistd.h>

#define HELD_MAX     4096
#define LATE_NS      20000000u /* a late frame comes after this time at the latest */
#define LATE_FRAMES  6         /* most frames that overtake a late frame */
#define DELAY_MAX_MS 10000

enum fault { LOSE, TWICE, LATE, CORRUPT, REFLECT, FAULTS };

static const char *const fault_names[FAULTS] = {"lose", "twice", "late", "corrupt", "reflect"};

/* A frame's copy under way to one port. */
struct held {
    uint64_t due_ns;
    unsigned overtakers; /* number of frames to the same port that still have to overtake it; 0:
                          * only the time counts */
    int to;
    uint16_t length;
    uint8_t bytes[HUB_FRAME_MAX];
};

static struct {
    struct hub_port port[HUB_PORTS_MAX];
    int ports;
    double rate[FAULTS];
    uint64_t delay_ns, seed, dice;
    uint64_t frames, delivered, gone; /* gone: lost at an unplugged port, or without room */
    uint64_t count[FAULTS];
    struct held *held[HELD_MAX];
    unsigned held_count;
    struct sim_source timer_source;
    int timer;
} hub = {.timer = -1};

static const char *stats_path;

static void usage(FILE *out)
{
    fputs(
        "hub --port NAME... [OPTION...]            an eth0 in a namespace for each, until SIGTERM\n"
        "hub --control SOCKET --send 'COMMAND'...  tell a running one\n"
        "hub --control SOCKET --enter NAME COMMAND [ARGUMENT...]    run it in a namespace\n"
        "  --lose P, --twice P, --late P, --corrupt P, --reflect P   of each copy of a frame\n"
        "  --delay MS        every frame takes so long\n"
        "  --seed N          of the faults\n"
        "  --stats FILE      write what was done as JSON at the end\n" SIM_OPTIONS_USAGE
        "commands: unplug NAME|all, plug NAME|all, remove NAME, restore NAME, lose P, twice P,\n"
        "  late P, corrupt P, reflect P, delay MS, where NAME, stats, quit\n",
        out);
}

static void clean_up(void)
{
    control_close();
}

/* The seed's next random number, from 0 to 1 (splitmix64). */
static double dice_throw(void)
{
    uint64_t z = (hub.seed += 0x9E3779B97F4A7C15u);

    hub.dice++;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    return (double)(z >> 11) / 9007199254740992.0;
}

static bool strikes(enum fault fault)
{
    bool struck = hub.rate[fault] > 0 && dice_throw() < hub.rate[fault];

    hub.count[fault] += struck;
    return struck;
}

static void deliver(int to, const uint8_t *bytes, size_t length)
{
    struct hub_port *port = &hub.port[to];

    if (port->tap < 0 || !port->plugged || write(port->tap, bytes, length) != (ssize_t)length) {
        hub.gone++;
        return;
    }
    hub.delivered++;
    port->received++;
}

static void timer_set(void)
{
    uint64_t due_ns = 0;
    struct itimerspec spec = {0};

    for (unsigned i = 0; i < hub.held_count; i++) {
        if (!due_ns || hub.held[i]->due_ns < due_ns)
            due_ns = hub.held[i]->due_ns;
    }
    spec.it_value.tv_sec = (time_t)(due_ns / 1000000000u);
    spec.it_value.tv_nsec = (long)(due_ns % 1000000000u);
    timerfd_settime(hub.timer, TFD_TIMER_ABSTIME, &spec, NULL);
}

static void hold(int to, const uint8_t *bytes, size_t length, uint64_t due_ns, unsigned overtakers)
{
    struct held *held;

    if (hub.held_count == HELD_MAX) {
        hub.gone++;
        return;
    }
    held = hub.held[hub.held_count];
    if (!held)
        held = hub.held[hub.held_count] = malloc(sizeof(*held));
    if (!held)
        sim_die(EX_OSERR, "out of memory");
    *held = (struct held){
        .due_ns = due_ns, .overtakers = overtakers, .to = to, .length = (uint16_t)length};
    memcpy(held->bytes, bytes, length);
    hub.held_count++;
}

static void release(unsigned at)
{
    struct held *held = hub.held[at];

    memmove(&hub.held[at], &hub.held[at + 1], (hub.held_count - at - 1) * sizeof(hub.held[0]));
    hub.held[--hub.held_count] = held;
    deliver(held->to, held->bytes, held->length);
}

/* Counts a frame to a port for the held copies that it overtook. Delivers a copy that enough frames
 * have overtaken. */
static void overtake(int to)
{
    for (unsigned i = 0; i < hub.held_count;) {
        struct held *held = hub.held[i];

        if (held->to == to && held->overtakers && --held->overtakers == 0)
            release(i);
        else
            i++;
    }
}

static void copy_send(int to, const uint8_t *bytes, size_t length)
{
    uint8_t copy[HUB_FRAME_MAX];
    uint64_t now_ns;

    if (strikes(LOSE))
        return;
    if (strikes(CORRUPT)) {
        size_t bit = (size_t)(dice_throw() * (double)(length * 8));

        memcpy(copy, bytes, length);
        copy[bit / 8] ^= (uint8_t)(1u << bit % 8);
        bytes = copy;
    }
    if (strikes(LATE)) {
        now_ns = bl_mono_ns();
        hold(to, bytes, length, now_ns + hub.delay_ns + LATE_NS,
             1 + (unsigned)(dice_throw() * LATE_FRAMES));
        timer_set();
    } else if (hub.delay_ns) {
        hold(to, bytes, length, bl_mono_ns() + hub.delay_ns, 0);
        timer_set();
    } else {
        deliver(to, bytes, length);
        overtake(to);
    }
}

static void frame_spread(const struct hub_port *from, const uint8_t *bytes, size_t length)
{
    hub.frames++;
    for (int to = 0; to < hub.ports; to++) {
        if (to == from->index && !strikes(REFLECT))
            continue;
        copy_send(to, bytes, length);
        if (strikes(TWICE))
            copy_send(to, bytes, length);
    }
}

static void port_ready(struct sim_source *source, uint32_t events)
{
    struct hub_port *port = (struct hub_port *)source;
    uint8_t bytes[HUB_FRAME_MAX];
    ssize_t length;

    (void)events;
    while (port->tap >= 0 && (length = read(port->tap, bytes, sizeof(bytes))) > 0) {
        port->sent++;
        if (port->plugged)
            frame_spread(port, bytes, (size_t)length);
        else
            hub.gone++;
    }
}

static void timer_ready(struct sim_source *source, uint32_t events)
{
    uint64_t now_ns = bl_mono_ns();

    (void)source;
    (void)events;
    for (unsigned i = 0; i < hub.held_count;) {
        if (hub.held[i]->due_ns <= now_ns)
            release(i);
        else
            i++;
    }
    timer_set();
}

static struct hub_port *port_find(const char *name)
{
    for (int i = 0; i < hub.ports; i++) {
        if (strcmp(hub.port[i].name, name) == 0)
            return &hub.port[i];
    }
    return NULL;
}

static bool plug(const struct sim_request *request, bool plugged)
{
    struct hub_port *one = port_find(request->words[1]);
    bool all = strcmp(request->words[1], "all") == 0;

    if (!one && !all)
        return sim_refuse(request, "there is no such port");
    for (int i = 0; i < hub.ports; i++) {
        if (all || &hub.port[i] == one)
            hub_port_plug(&hub.port[i], plugged);
    }
    return true;
}

static bool do_unplug(const struct sim_request *request)
{
    return plug(request, false);
}

static bool do_plug(const struct sim_request *request)
{
    return plug(request, true);
}

static bool do_remove(const struct sim_request *request)
{
    struct hub_port *port = port_find(request->words[1]);

    if (!port)
        return sim_refuse(request, "there is no such port");
    hub_port_remove(port);
    return true;
}

static bool do_restore(const struct sim_request *request)
{
    struct hub_port *port = port_find(request->words[1]);

    if (!port)
        return sim_refuse(request, "there is no such port");
    hub_port_restore(port);
    return true;
}

static bool turn(const struct sim_request *request, bool up)
{
    struct hub_port *port = port_find(request->words[1]);

    if (!port)
        return sim_refuse(request, "there is no such port");
    hub_port_switch(port, up);
    return true;
}

static bool do_up(const struct sim_request *request)
{
    return turn(request, true);
}

static bool do_down(const struct sim_request *request)
{
    return turn(request, false);
}

static bool do_fault(const struct sim_request *request)
{
    double rate;

    if (!sim_rate_parse(request->words[1], &rate))
        return sim_refuse(request, "the rate must be a number from 0 to 1, as 0.1");
    for (int i = 0; i < FAULTS; i++) {
        if (strcmp(request->words[0], fault_names[i]) == 0)
            hub.rate[i] = rate;
    }
    return true;
}

static bool do_delay(const struct sim_request *request)
{
    uint64_t ms;

    if (!sim_number_parse(request->words[1], DELAY_MAX_MS, &ms))
        return sim_refuse(request, "milliseconds must be 0 to 10000");
    hub.delay_ns = ms * 1000000u;
    return true;
}

static bool do_where(const struct sim_request *request)
{
    const struct hub_port *port = port_find(request->words[1]);

    if (!port)
        return sim_refuse(request, "there is no such port");
    snprintf(request->answer, request->size, "/proc/%d/fd/%d", (int)getpid(), port->space);
    return true;
}

static void stats_print(char *text, size_t size)
{
    int n = snprintf(text, size, "{\"frames\":%ju,\"delivered\":%ju,\"gone\":%ju",
                     (uintmax_t)hub.frames, (uintmax_t)hub.delivered, (uintmax_t)hub.gone);

    for (int i = 0; i < FAULTS; i++)
        n += snprintf(text + n, size - (size_t)n, ",\"%s\":%ju", fault_names[i],
                      (uintmax_t)hub.count[i]);
    n += snprintf(text + n, size - (size_t)n, ",\"ports\":{");
    for (int i = 0; i < hub.ports && (size_t)n + 100 < size; i++)
        n += snprintf(text + n, size - (size_t)n, "%s\"%s\":{\"sent\":%ju,\"received\":%ju}",
                      i ? "," : "", hub.port[i].name, (uintmax_t)hub.port[i].sent,
                      (uintmax_t)hub.port[i].received);
    snprintf(text + n, size - (size_t)n, "}}");
}

static bool do_stats(const struct sim_request *request)
{
    stats_print(request->answer, request->size);
    return true;
}

static const struct sim_verb verbs[] = {
    {"unplug", " NAME|all", 1, do_unplug},
    {"plug", " NAME|all", 1, do_plug},
    {"remove", " NAME", 1, do_remove},
    {"restore", " NAME", 1, do_restore},
    {"up", " NAME", 1, do_up},
    {"down", " NAME", 1, do_down},
    {"lose", " P", 1, do_fault},
    {"twice", " P", 1, do_fault},
    {"late", " P", 1, do_fault},
    {"corrupt", " P", 1, do_fault},
    {"reflect", " P", 1, do_fault},
    {"delay", " MS", 1, do_delay},
    {"where", " NAME", 1, do_where},
    {"stats", "", 0, do_stats},
    {"quit", "", 0, sim_do_quit},
    {0},
};

static bool obey(const char *line, char *answer, size_t size)
{
    return sim_obey(verbs, line, answer, size);
}

enum hub_option {
    OPTION_PORT = FAULTS, /* after the codes of the faults */
    OPTION_DELAY,
    OPTION_SEED,
    OPTION_STATS,
    OPTION_ENTER,
};

static const struct option options[] = {
    {"lose", required_argument, NULL, LOSE},
    {"twice", required_argument, NULL, TWICE},
    {"late", required_argument, NULL, LATE},
    {"corrupt", required_argument, NULL, CORRUPT},
    {"reflect", required_argument, NULL, REFLECT},
    {"port", required_argument, NULL, OPTION_PORT},
    {"delay", required_argument, NULL, OPTION_DELAY},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"stats", required_argument, NULL, OPTION_STATS},
    {"enter", required_argument, NULL, OPTION_ENTER},
    SIM_OPTIONS,
};

struct hub_choices {
    const char *name[HUB_PORTS_MAX];
    int names;
    struct sim_options common;
    const char *enter; /* client mode: the name of the port to enter */
};

static void port_name(struct hub_choices *choices, const char *name)
{
    if (choices->names == HUB_PORTS_MAX)
        sim_die(EX_USAGE, "a hub has at most %d ports", HUB_PORTS_MAX);
    if (strlen(name) >= HUB_NAME_MAX || name[0] == '\0' || strcmp(name, "all") == 0)
        sim_die(EX_USAGE, "--port %s: expected a name of 1 to %d bytes, and not 'all'", name,
                HUB_NAME_MAX - 1);
    choices->name[choices->names++] = name;
}

/* Takes an option. False: the options end, and a command follows. */
static bool option_take(int code, struct hub_choices *choices)
{
    if (code >= 0 && code < FAULTS) {
        hub.rate[code] = sim_rate(fault_names[code], optarg);
        return true;
    }
    switch (code) {
    case OPTION_PORT:
        port_name(choices, optarg);
        return true;
    case OPTION_DELAY:
        hub.delay_ns = sim_number("delay", optarg, 0, DELAY_MAX_MS) * 1000000u;
        return true;
    case OPTION_SEED:
        hub.seed = sim_number("seed", optarg, 0, UINT64_MAX);
        return true;
    case OPTION_STATS:
        stats_path = optarg;
        return true;
    case OPTION_ENTER:
        choices->enter = optarg;
        return false;
    }
    sim_option(&choices->common, code, usage);
    return true;
}

static void hub_open(const struct hub_choices *choices)
{
    hub_spaces_begin();
    sim_open();
    hub.timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (hub.timer < 0)
        sim_die(EX_OSERR, "timerfd: %s", strerror(errno));
    hub.timer_source.ready = timer_ready;
    sim_watch(hub.timer, &hub.timer_source, EPOLLIN | EPOLLET);
    for (hub.ports = 0; hub.ports < choices->names; hub.ports++) {
        hub.port[hub.ports].source.ready = port_ready;
        hub_port_open(&hub.port[hub.ports], choices->name[hub.ports], hub.ports);
    }
}

static void enter(const struct hub_choices *choices, char **command)
{
    char line[64], where[256];

    if (!choices->common.control || !*command)
        sim_die(EX_USAGE, "missing --control SOCKET or a command, beside --enter NAME");
    snprintf(line, sizeof(line), "where %.*s", HUB_NAME_MAX, choices->enter);
    control_ask(choices->common.control, line, where, sizeof(where));
    hub_enter(where, command);
}

int main(int argc, char **argv)
{
    static const struct sim_program program = {"hub", obey, clean_up};
    struct hub_choices choices = {0};
    int code;

    sim_begin(&program);
    while ((code = getopt_long(argc, argv, "+", options, NULL)) != -1 &&
           option_take(code, &choices))
        ;
    if (choices.common.send)
        return sim_client(&choices.common, argc, argv);
    if (choices.enter)
        enter(&choices, argv + optind);
    if (choices.names == 0 || optind != argc) {
        usage(stderr);
        return EX_USAGE;
    }
    hub_open(&choices);
    sim_serve(&choices.common);
    if (stats_path) {
        static char text[16384];

        stats_print(text, sizeof(text));
        sim_write(stats_path, text);
    }
    clean_up();
    return EX_OK;
}
