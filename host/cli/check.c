/* "boothlink check": tests the lines before the doors open. */
#include "base/loop.h"
#include "base/version.h"
#include "booth/booth.h"
#include "booth/ticket_file.h"
#include "cli/check_controller.h"
#include "cli/check_print.h"
#include "command/command.h"
#include "link/check_ether.h"
#include "link/probe_port.h"
#include "link/secret.h"
#include "link/serial_port.h"

#include <signal.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WAIT_S = 60, WAIT_MOST_S = 3600, TURN_S = 5, LINES = 3 };

struct checking {
    const struct command *command;
    struct check_line line[LINES]; /* left, right, line; without a port: not checked */
    struct check_controller controller;
    bool json, quick, controlled;
    const char *key_file;             /* key file of all lines; NULL: none */
    const char *line_key_file[LINES]; /* key file of one line, from a ticket; NULL: none */
    unsigned wait_s;
    struct line_secret secret[LINES]; /* valid where the line has one */
};

static volatile sig_atomic_t stopped; /* by a board, which wants the findings so far */

static void on_stop(int signal)
{
    stopped = signal;
}

/* Shows the progress: on a terminal in one line, to a board in lines. */
static bool on_progress(void *ctx, uint32_t trying, unsigned left_s, bool signal)
{
    struct check_line *line = ctx;
    char text[CHECK_PROGRESS];
    bool terminal = isatty(STDERR_FILENO);
    check_progress(line, trying, left_s, signal, text);
    if (terminal || line->board)
        fprintf(stderr, terminal ? "\r%s; `boothlink check %s` runs there?\033[K" : "%s\n", text,
                line->settings.self.judge ? "--line PORT" : "--left PORT");
    return !stopped;
}

static bool is_last(const struct checking *check, const struct check_line *line)
{
    while (++line < check->line + LINES)
        if (line->port)
            return false;
    return true;
}

static void probe_line(const struct checking *check, struct check_line *line, bool quick,
                       unsigned wait_s)
{
    static const char prefix[] = "serial:";
    char device[SERIAL_PATH_MAX];
    struct booth_clock clock;
    struct probe_settings *settings = &line->settings;
    booth_clock_init(&clock);
    line->clock_unset = booth_clock_unset(&clock);
    settings->self.judge = line != &check->line[2];
    settings->self.box = settings->self.judge ? check->controller.port != NULL : check->controlled;
    settings->quick = quick;
    settings->wait_us = wait_s * (uint64_t)1000000;
    snprintf(settings->self.version, sizeof settings->self.version, "%s", BL_VERSION);
    while (settings->id == 0)
        if (getrandom(&settings->id, sizeof settings->id, 0) != sizeof settings->id)
            settings->id = 0;
    if (strncmp(line->port, "ether:", 6) == 0) {
        line->status = check_ether(line, line->secret, is_last(check, line));
        return;
    }
    if (strncmp(line->port, prefix, strlen(prefix)) != 0) {
        line->status = bl_fail(
            &line->diag, BL_USAGE,
            "%s is no line; expected serial:DEVICE[@BAUD] or ether:INTERFACE[/LINE]", line->port);
        return;
    }
    line->status =
        serial_parse(line->port + strlen(prefix), device, &settings->self.baud, &line->diag);
    if (line->status == BL_OK)
        line->status = probe_port(line->port + strlen(prefix), settings, on_progress, line,
                                  &line->result, &line->diag);
    line->there = line->status != BL_USAGE && access(device, F_OK) == 0;
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K");
}

/* Hashes the secret, for comparison by the ends. */
static void hash_secret(struct probe_self *self, const struct line_secret *secret)
{
    static const uint8_t purpose[] = "boothlink check";
    uint8_t hash[crypto_generichash_BYTES];
    crypto_generichash(hash, sizeof hash, purpose, sizeof purpose, secret->secret,
                       sizeof secret->secret);
    memcpy(self->fingerprint, hash, sizeof self->fingerprint);
    self->has_secret = true;
}

/* The time for which the controller keeps a line closed. */
static unsigned part_s(const struct checking *check)
{
    return check->quick ? CHECK_QUICK_S : CHECK_LINE_S;
}

/* Runs the controller's self-test and begins its plan. */
static enum bl_status begin_controller(struct checking *check)
{
    struct bl_diag diag = {""};
    const bool cable[] = {check->line[0].port, check->line[1].port};
    enum bl_status status =
        check_controller_begin(&check->controller, cable, part_s(check), check->json, &diag);
    if (status)
        command_fail(check->command, status, diag.text);
    return status ? status : check->controller.good ? BL_OK : BL_UNAVAIL;
}

static enum bl_status end_controller(struct checking *check)
{
    struct bl_diag diag = {""};
    enum bl_status status = check_controller_end(&check->controller, check->json, &diag);
    if (status)
        command_fail(check->command, status, diag.text);
    return status;
}

/* Goes on calling on a line in a child process, since our other port may be at the line's other
 * end. */
static pid_t call_on(const struct checking *check, struct check_line line)
{
    fflush(NULL);
    pid_t caller = fork();
    if (caller == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        probe_line(check, &line, true, CHECK_OTHER_WAIT_S);
        _exit(0);
    }
    return caller;
}

/* If a line, joined alone, is silent, checks whether the other port hears it. */
static void look_at_other(const struct checking *check, const struct check_line *line,
                          struct check_report *report)
{
    struct check_line other = check->line[line == check->line];
    bool asked = other.port && strncmp(other.port, "ether:", 6) != 0;
    unsigned time_s = part_s(check) - 1; /* later the other line may be joined */
    bool late = bl_mono_us() > check->controller.began_us + time_s * UINT64_C(1000000);
    pid_t caller = -1;
    if (line->status != BL_OK || line->ether.asked || line->result.outcome != PROBE_SILENCE)
        return;
    if (asked && !late) {
        caller = call_on(check, *line);
        probe_line(check, &other, true, CHECK_OTHER_WAIT_S);
    }
    if (caller > 0) {
        kill(caller, SIGKILL);
        waitpid(caller, NULL, 0);
    }
    check_controller_swapped(line == check->line ? 'A' : 'B', asked && other.status == BL_OK, late,
                             other.result.outcome, report);
}

static void check_controlled(struct checking *check, struct check_line *line,
                             struct check_report *report)
{
    struct bl_diag diag = {""};
    unsigned wait_s = part_s(check) - CHECK_OTHER_S;
    if (check_controller_next(&check->controller, &diag)) {
        line->status = BL_UNAVAIL;
        line->diag = diag;
    } else {
        probe_line(check, line, check->quick, check->wait_s < wait_s ? check->wait_s : wait_s);
    }
    check_judge(line, report);
    check_controller_judge(line, report);
    look_at_other(check, line, report);
}

static bool is_silent(const struct check_line *line)
{
    return line->status == BL_OK && !line->ether.asked && line->result.outcome == PROBE_SILENCE;
}

/* Calls on serial lines by turns while more than one is silent, so no other end waits for another
 * line's end. A board's lines share the time: the other ends call as long. */
static void probe_lines(struct checking *check)
{
    unsigned left_s[LINES], waiting = 0;
    uint64_t called_us[LINES] = {0};
    bool waits[LINES], called[LINES] = {false};
    for (int i = 0; i < LINES; i++) {
        left_s[i] = check->wait_s;
        waits[i] = check->line[i].port != NULL;
        waiting += waits[i];
    }
    for (int i = 0; waiting; i = (i + 1) % LINES) {
        struct check_line *line = &check->line[i];
        if (!waits[i])
            continue;
        bool serial = strncmp(line->port, "ether:", 6) != 0, turns = waiting > 1 && serial;
        if (serial && (stopped || (called[i] && !left_s[i]))) {
            if (!called[i])
                line->result.outcome = PROBE_SILENCE;
            waits[i] = false;
            waiting--;
            continue;
        }
        unsigned time_s = turns && left_s[i] > TURN_S ? TURN_S : left_s[i];
        line->rest_s = left_s[i] -= time_s;
        probe_line(check, line, check->quick, time_s);
        for (int k = 0; k < LINES; k++)
            if (k != i && line->board && is_silent(line))
                left_s[k] -= time_s < left_s[k] ? time_s : left_s[k];
        called[i] = true;
        called_us[i] += line->result.called_us;
        waits[i] = is_silent(line) && left_s[i];
        waiting -= !waits[i];
        if (is_silent(line))
            line->result.called_us = called_us[i];
    }
}

/* Checks all the lines, and prints the faults. */
static enum bl_status check_lines(struct checking *check)
{
    json_t *list = json_array();
    enum bl_status worst = check->controller.port ? begin_controller(check) : BL_OK;
    if (!check->controller.port)
        probe_lines(check);
    for (int i = 0; i < LINES; i++) {
        struct check_line *line = &check->line[i];
        struct check_report report;
        if (!line->port)
            continue;
        if (check->controller.port && !check->controller.holder)
            continue; /* without the holder the controller has cut this line */
        if (check->controller.port)
            check_controlled(check, line, &report);
        else
            check_judge(line, &report);
        if (check->json)
            json_array_append_new(list, check_json(line, &report));
        else
            check_print(line, &report);
        fflush(stdout);
        if (report.faults && worst == BL_OK)
            worst = line->status != BL_OK ? line->status : BL_UNAVAIL;
    }
    enum bl_status ended = check->controller.port ? end_controller(check) : BL_OK;
    if (worst == BL_OK)
        worst = ended;
    if (check->json) {
        json_t *object = json_pack("{s:b,s:o*,s:o}", "ok", worst == BL_OK, "controller",
                                   check->controller.found, "lines", list);
        command_json(object, JSON_INDENT(2));
    } else {
        json_decref(list);
    }
    return worst;
}

static void start_check(void *options)
{
    *(struct checking *)options = (struct checking){
        .wait_s = WAIT_S,
        .line = {{.side = "left"}, {.side = "right"}, {.side = "line"}},
    };
}

static char letter_of(const struct ticket *ticket, unsigned line)
{
    const int cable[LINES] = {ticket->left_cable, ticket->right_cable, ticket->line_cable};
    return "\0ab"[cable[line]];
}

/* Takes a ticket's lines as cables, A first, with any drawn sides. */
static enum bl_status take_ticket(void *options, const char *path, struct bl_diag *diag)
{
    static struct ticket ticket;
    struct checking *check = options;
    enum bl_status status = ticket_load(&ticket, path, "judge", diag);
    if (status != BL_OK && strcmp(ticket.role, "entity") == 0)
        status = ticket_load(&ticket, path, "entity", diag);
    const char *const port[] = {ticket.left, ticket.right, ticket.line};
    const char *const key_file[] = {ticket.left_key_file, ticket.right_key_file,
                                    ticket.line_key_file};
    bool exchanged = ticket_b_left(&ticket);
    for (unsigned i = 0; status == BL_OK && i < LINES; i++) {
        unsigned at = i < 2 && exchanged ? 1 - i : i;
        if (!port[i][0])
            continue;
        check->line[at].port = port[i];
        check->line[at].ticket = true;
        check->line_key_file[at] = key_file[i][0] ? key_file[i] : NULL;
        check->line[at].settings.self.cable = letter_of(&ticket, i);
    }
    if (ticket.controller[0])
        check->controller.port = ticket.controller;
    check->controlled = ticket.controlled;
    return status;
}

static enum bl_status load_keys(struct checking *check, struct bl_diag *diag)
{
    enum bl_status status = BL_OK;
    for (int i = 0; status == BL_OK && i < LINES; i++) {
        const char *path = check->key_file ? check->key_file : check->line_key_file[i];
        if (!check->line[i].port || !path)
            continue;
        status = secret_load(&check->secret[i], path, diag);
        if (status != BL_OK)
            break;
        check->line[i].secret = check->secret[i].secret;
        hash_secret(&check->line[i].settings.self, &check->secret[i]);
    }
    return status;
}

static enum bl_status check_run(const struct command_call *call, struct bl_diag *diag)
{
    static const char *const names[] = {"cable A", "cable B"};
    struct checking *check = call->options;
    check->command = call->command;
    for (unsigned i = 0; i < LINES; i++) { /* the draw decides which cable is left */
        int cable = check->line[i].settings.self.cable;
        check->line[i].board = check->line[i].ticket && check->json;
        if (check->line[i].board)
            signal(SIGINT, on_stop);
        if (cable || (check->controller.port && i < 2))
            check->line[i].side = names[cable ? cable - 'a' : (int)i];
    }
    if (!check->line[0].port && !check->line[1].port && !check->line[2].port)
        return bl_fail(diag, BL_USAGE,
                       "missing --left PORT, --right PORT or both at the judge's machine, "
                       "--line PORT at the entity's, or --ticket FILE");
    if (check->line[2].port && (check->line[0].port || check->line[1].port))
        return bl_fail(diag, BL_USAGE,
                       "--left and --right are for the judge's machine, --line is for the "
                       "entity's: not both");
    if (check->line[2].port && check->controller.port)
        return bl_fail(diag, BL_USAGE,
                       "--controller is for the judge's machine, with --left and --right");
    enum bl_status result = load_keys(check, diag);
    bool loaded = result == BL_OK;
    if (loaded)
        result = check_lines(check);
    for (int i = 0; i < LINES; i++)
        secret_wipe(&check->secret[i]);
    return result == BL_OK || !loaded ? result : command_told(result, diag);
}

static const struct command_option check_options[] = {
    OPTION_ROW("--left", "PORT", "at the judge's machine: the left line, as of `judge`",
               OPTION_TEXT, struct checking, line[0].port),
    OPTION_ROW("--right", "PORT", "the right line", OPTION_TEXT, struct checking, line[1].port),
    OPTION_ROW("--line", "PORT", "at the entity's machine: its line", OPTION_TEXT, struct checking,
               line[2].port),
    OPTION_ROW("--controller", "PORT", "the controller in the lines: tested, and told to join them",
               OPTION_TEXT, struct checking, controller.port),
    OPTION_ROW("--controlled", NULL, "with --line: a controller's box is in it", OPTION_FLAG,
               struct checking, controlled),
    OPTION_TAKEN("--ticket", "FILE", "lines, keys and controller as a session's ticket has them",
                 take_ticket),
    OPTION_ROW("--quick", NULL, "only the speed asked for, not all others", OPTION_FLAG,
               struct checking, quick),
    OPTION_RANGE("--wait", "SECONDS", "how long to call for the other end (default: 60)",
                 OPTION_NUMBER, struct checking, wait_s, 0, WAIT_MOST_S),
    OPTION_ROW("--key", "FILE", "compare its secret with that of the other end: see boothlink key",
               OPTION_TEXT, struct checking, key_file),
    OPTION_JSON(struct checking, "print the findings as one JSON object"),
    {0},
};

const struct command command_check = {
    .name = "check",
    .synopsis = "[--left PORT] [--right PORT] | --line PORT | --ticket FILE",
    .help = "check cables, speeds and clocks before the doors open",
    .text =
        "Run it at both ends at the same time. It finds out which cable this is by driving the "
        "signal lines and looking where they arrive, sends test frames there and back at each "
        "speed, compares clocks and versions, and says in plain words what is wrong and what to "
        "do about it. Without the other end it says what it can. Of an Ethernet line it says "
        "whether the cable is in, the other end is there and has the same secret, and how long a "
        "round trip takes.\n\n"
        "A controller in the lines has cut them while no session runs: with --controller its "
        "relays are tested first, and a test plan joins one line after the other, each for a "
        "minute (20 s with --quick): --left is the line of cable A, through the sockets JUDGE A "
        "and ENTITY A, and --right that of cable B. Swapped cables are found, for the port of one "
        "then hears through "
        "the relay of the other, and so is a judge's plug in an entity's socket. Start check at "
        "the other "
        "ends first, with --wait 180 and --controlled. The box crosses the data itself: only 1:1 "
        "cables go to it, and their handshake wires do not matter. Tickets tell which cable each "
        "end has, so with --ticket at all three machines every swap is found.\n\n"
        "Exits with 0 only if everything is right. With --ticket and --json its progress goes to "
        "standard error, line by line.",
    .examples = "boothlink check --left serial:/dev/ttyUSB0 --right serial:/dev/ttyUSB1\n"
                "boothlink check --line serial:/dev/ttyUSB0\n"
                "boothlink check --ticket /media/stick/boothlink/booth-3-judge/001.ticket",
    .options = check_options,
    .size = sizeof(struct checking),
    .start = start_check,
    .run = check_run,
};
