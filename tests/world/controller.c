/* The board is a process of a machine of its own: the main loop of the firmware, which waits while
 * its store is written. The tick comes meanwhile, as the timer's interrupt does. */
#include "controller.h"

#include "oracles.h"
#include "world_private.h"

#include "controller/state.h"
#include "firmware/core/board_io.h"
#include "firmware/core/watchdog.h"
#include "firmware/store/bytes.h"
#include "journal/journal.h"
#include "link/controller_port.h"
#include "link/serial_port.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WRITE_US 3400          /* that the EEPROM takes for a byte */
#define GRACE_US (SECOND / 10) /* debouncing, and the main loop's turn */
#define LOSS_US  (2 * SECOND)  /* that a loss of power may cost */
#define LEASE_US (WATCHDOG_LEASE_MS * 1000ull)
#define TICK_US  (WATCHDOG_TICK_MS * 1000ull)
#define BOOT_US  (3 * SECOND / 2) /* an Uno's loader */
#define ABORT_US (5 * SECOND)     /* a hand that holds the button for 3 s at least */
#define READ_US  (10 * SECOND)    /* a steward reads first what a screen says */
/* A host knows of a pause at the latest when it has heard nothing for 3 s. */
#define HEARS_US (LEASE_US + SECOND / 2)
/* By so much a screen may be ahead of the controller's clock: damage that the checksum lets pass is
 * believed where it is no gain on what was told a beat ago. */
#define SHOWN_US  (3 * SECOND / 5)
#define SLACK_US  (SECOND / 2) /* a machine that awakes late tells late */
#define STALLS_US (10 * SECOND)

struct controller {
    struct controller_site site;
    struct scene *scene; /* NULL: it stands in a day's booth */
    struct oracle *oracle;
    const struct plan *plan; /* of the present session, */
    bool b_left;             /* and its draw of the cables */
    struct machine *machine;
    struct process *process;
    struct cable *cable;
    struct world_watch watch; /* what was told of all before */
    struct dice dice;
    char port[200];

    /* The board. */
    struct watchdog watchdog;
    struct serial_port serial;
    uint8_t store[IO_BYTES], in[64];
    size_t in_first, in_count;
    uint8_t inputs;
    enum sentence_word reset;
    bool runs; /* the timer does */
    bool due;
    bool resets_with_port;
    unsigned openings;
    unsigned fuse;
    uint64_t fuse_off_us;
    bool usb_off;
    bool off, restarts;
    uint64_t ticks_ns, tick_ns; /* world's time of the next tick, and between two */
    uint32_t relay_us;          /* from the end of the drive until the contacts are open */
    uint8_t driven, lamps;

    /* What should be so. */
    uint64_t left_us;    /* of the whole plan */
    bool begun, aborts;  /* a steward means to end it */
    uint64_t another_us; /* since when the judge's screen tells how to; 0: it does not */
    bool behind;         /* its plan is the last session's, and over */
    bool swapped;        /* its sockets are */
    uint64_t heard_us, key_us, reset_us, counted_us, stalled_us, stopped_us;
    uint64_t stall_us; /* since when the judge's machine stood still, at stalled_us */
    uint64_t refused,
        awaits;          /* keys of the judge; so many by his next one, 0: it does not matter */
    unsigned stopped_in; /* the part in which it has stopped counting, from 1 */
};

static struct controller *ticking; /* NULL: no timer's interrupt is on */

/* The core asks for its board by name: it is that of the interrupt, or of the main loop. */
static struct controller *board(void)
{
    return ticking ? ticking : process_current->arg;
}

static void __attribute__((format(printf, 3, 4)))
wrong(const struct controller *c, const char *oracle, const char *format, ...)
{
    char text[300];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    c->site.wrong(c->site.ctx, oracle, text);
}

const SENTENCE_ROM char io_board[] = "world";

uint8_t io_lock(void)
{
    return 0; /* no tick comes but while the main loop waits, and there it holds no lock */
}

void io_unlock(uint8_t was)
{
    (void)was;
}

uint8_t io_read(uint16_t at)
{
    return board()->store[at];
}

/* A write takes its time. A loss of power in it leaves the byte as it was, as `between` has it, as
 * it should be, or, where it is erased first, anything. */
static void write_store(uint16_t at, uint8_t byte, bool erases)
{
    struct controller *c = board();
    uint8_t before = c->store[at];
    uint8_t torn = erases ? (uint8_t)world_roll(256) : (uint8_t)(byte | (before & world_roll(256)));
    switch (world_roll(3)) {
    case 0:
        torn = before;
        break;
    case 1:
        torn = erases ? 0xFF : byte;
        break;
    default:
        break;
    }
    c->store[at] = torn;
    if (c->fuse && --c->fuse == 0) {
        controller_cut_power(c, c->fuse_off_us, false);
        process_sleep(BL_NEVER);
    }
    process_sleep(world_now() + WRITE_US);
    c->store[at] = byte;
}

void io_write(uint16_t at, uint8_t byte)
{
    write_store(at, byte, true);
}

void io_program(uint16_t at, uint8_t byte)
{
    write_store(at, board()->store[at] & byte, false);
}

bool io_receive(char *byte)
{
    struct controller *c = board();
    if (c->in_first == c->in_count) {
        ssize_t n = serial_port_read(&c->serial, c->in, sizeof c->in);
        c->in_first = 0;
        c->in_count = n > 0 ? (size_t)n : 0;
        if (!c->in_count)
            return false;
        c->heard_us = world_now();
    }
    *byte = (char)c->in[c->in_first++];
    return true;
}

void io_send(const char *text, uint8_t length)
{
    (void)serial_port_write(&board()->serial, text, length);
}

bool io_sending(void)
{
    size_t bytes;
    return serial_port_waiting(&board()->serial, &bytes) && bytes > 0;
}

void io_show(uint8_t lamps)
{
    board()->lamps = lamps;
}

void io_calibrate(int16_t value)
{
    (void)value;
}

/* What must hold after each tick. */

static bool counts(const struct controller *c)
{
    return c->watchdog.state == SAY_OPEN || c->watchdog.state == SAY_CLOSING;
}

static uint64_t part_us(const struct controller *c, unsigned part)
{
    return c->plan->segment[part].seconds * SECOND;
}

/* What is left of the whole plan, by the controller's word. */
static uint64_t whole_us(const struct controller *c)
{
    const struct watchdog *w = &c->watchdog;
    uint64_t us = w->state == SAY_READY ? part_us(c, 0) : w->left * TICK_US;
    for (unsigned i = w->segment + 1u; i < c->plan->count; i++)
        us += part_us(c, i);
    return us;
}

/* The lines that a part joins, by the plan; cable A is the left line's where it is not swapped. */
static uint8_t lines_of(const struct controller *c, unsigned part)
{
    const struct plan *plan = c->plan;
    uint8_t lines = 0;
    for (unsigned side = 0; part < plan->count && side < SIDES; side++)
        if (plan->segment[part].open[side])
            lines |= (side == SIDE_LEFT) != c->b_left ? SEGMENT_A : SEGMENT_B;
    return lines;
}

static void look_at_lines(struct controller *c)
{
    const struct watchdog *w = &c->watchdog;
    if (!w->drive)
        return;
    if (w->state != SAY_CONNECT && !counts(c))
        wrong(c, "lines", "a line is joined in state %s",
              controller_state_word((enum controller_state)w->state));
    if (w->drive != lines_of(c, w->segment))
        wrong(c, "lines", "lines %u are joined in part %u", w->drive, w->segment + 1u);
    if (!(c->inputs & STATUS_KEY_SWITCH) && world_now() > c->key_us + GRACE_US)
        wrong(c, "lines", "a line is joined with the key switch at PAUSE");
    if (world_now() > c->heard_us + LEASE_US + GRACE_US)
        wrong(c, "lines", "a line is joined, and the host silent for %llu us",
              (unsigned long long)(world_now() - c->heard_us));
}

/* The clock counts its ticks and nothing else. */
static void look_at_clock(struct controller *c, bool counted)
{
    if (c->aborts && c->watchdog.state == SAY_IDLE)
        c->aborts = c->begun = false;
    if (counted && counts(c))
        c->counted_us = world_now();
    if (counted && !counts(c) && c->watchdog.left) {
        c->stopped_in = c->watchdog.segment + 1u;
        c->stopped_us = world_now();
    }
    c->behind = c->behind && !whole_us(c);
    if (!c->begun) {
        c->begun = !c->behind && controller_state_begun((enum controller_state)c->watchdog.state);
        c->left_us = c->begun ? whole_us(c) : 0;
        return;
    }
    if (counted)
        c->left_us -= TICK_US;
    if (whole_us(c) != c->left_us)
        wrong(c, "clock", "part %u: the plan has %llu us left, should be %llu",
              c->watchdog.segment + 1u, (unsigned long long)whole_us(c),
              (unsigned long long)c->left_us);
}

/* After a reset: never more than the truth, and at most 2 s less. */
static void look_after_reset(struct controller *c)
{
    uint64_t us = whole_us(c);
    world_log(c->site.name, "starts as %s, part %u, %u ms left",
              controller_state_word((enum controller_state)c->watchdog.state),
              c->watchdog.segment + 1u, (unsigned)c->watchdog.left * WATCHDOG_TICK_MS);
    c->reset_us = world_now();
    c->stopped_in = c->watchdog.segment + 1u;
    c->stopped_us = world_now();
    if (!c->begun)
        return;
    if (c->watchdog.state < SAY_READY)
        wrong(c, "clock", "the plan is lost, %llu us were left", (unsigned long long)c->left_us);
    else if (us > c->left_us || us + LOSS_US < c->left_us)
        wrong(c, "clock", "part %u: after a reset the plan has %llu us left, before it had %llu",
              c->watchdog.segment + 1u, (unsigned long long)us, (unsigned long long)c->left_us);
    c->left_us = us;
}

/* The relays. */

struct contact {
    struct controller *controller;
    uint8_t lines;
};

static void on_contact(void *ctx)
{
    struct contact *contact = ctx;
    const struct controller *c = contact->controller;
    for (unsigned socket = 0; socket < SIDES; socket++)
        if (c->site.cable[socket])
            cable_join(c->site.cable[socket],
                       contact->lines & ((socket == 0) != c->swapped ? SEGMENT_A : SEGMENT_B));
    free(contact);
}

static void drive(struct controller *c, uint8_t lines)
{
    if (lines == c->driven)
        return;
    struct contact *contact = malloc(sizeof *contact);
    *contact = (struct contact){c, lines};
    world_log(c->site.name, "drives lines %u in part %u, %u ms left", lines,
              c->watchdog.segment + 1u, (unsigned)c->watchdog.left * WATCHDOG_TICK_MS);
    world_mix(&lines, 1);
    world_at(world_now() + c->relay_us, on_contact, contact);
    c->driven = lines;
}

static void on_tick(void *ctx)
{
    struct controller *c = ctx;
    ticking = c;
    if (c->site.look)
        c->site.look(c->site.ctx, c);
    if (c->runs) {
        bool counted = counts(c);
        if (watchdog_tick(&c->watchdog, c->inputs)) {
            c->due = true;
            process_poke(c->process);
        }
        look_at_lines(c);
        look_at_clock(c, counted);
        drive(c, c->watchdog.drive);
    }
    if (c->site.judge->stalled_until > world_now()) {
        if (world_now() > c->stalled_us + SLACK_US)
            c->stall_us = world_now();
        c->stalled_us = world_now();
    }
    if (c->resets_with_port && c->openings != cable_openings(c->cable, 0)) {
        c->openings = cable_openings(c->cable, 0);
        if (c->runs)
            controller_reset(c, SAY_BUTTON);
    }
    ticking = NULL;
    c->ticks_ns += c->tick_ns;
    world_at(c->ticks_ns / 1000, on_tick, c);
}

/* The board's process, and who starts it. */

static int board_main(void *arg)
{
    struct controller *c = arg;
    struct bl_diag diag;
    char device[40];
    snprintf(device, sizeof device, "/dev/%s", c->site.name);
    if (serial_port_open(&c->serial, device, CONTROLLER_BAUD, false, &diag))
        world_die("%s", diag.text);
    watchdog_start(&c->watchdog, c->reset);
    look_after_reset(c);
    c->runs = true;
    for (;;) {
        c->due = false;
        watchdog_work(&c->watchdog);
        if (!c->due)
            process_wait(BL_NEVER);
    }
}

static void on_start(void *ctx)
{
    struct controller *c = ctx;
    c->off = false;
    if (c->usb_off)
        cable_adapter(c->cable, 0, true);
    c->usb_off = false;
    c->process = machine_run(c->machine, board_main, c);
}

static void on_stop(void *ctx)
{
    struct controller *c = ctx;
    process_kill(c->process);
    c->in_first = c->in_count = 0;
}

/* It stands still at once; its process may be the one that runs. */
static void stop(struct controller *c, enum sentence_word reason, uint64_t off_us)
{
    c->off = true;
    c->runs = false;
    c->reset = reason;
    c->fuse = 0;
    drive(c, 0);
    world_log(c->site.name, "is reset: %s", sentence_text(reason));
    world_at(world_now(), on_stop, c);
    world_at(world_now() + off_us + 1, on_start, c);
}

void controller_cut_power(struct controller *c, uint64_t off_us, bool usb)
{
    if (c->off)
        return;
    stop(c, SAY_POWER, off_us);
    for (size_t i = 0; i < sizeof c->watchdog; i++)
        ((uint8_t *)&c->watchdog)[i] = (uint8_t)dice_below(&c->dice, 256);
    c->usb_off = usb;
    if (usb)
        cable_adapter(c->cable, 0, false);
}

void controller_fuse(struct controller *c, unsigned writes, uint64_t off_us)
{
    c->fuse = writes;
    c->fuse_off_us = off_us;
}

void controller_reset(struct controller *c, enum sentence_word reason)
{
    if (!c->off)
        stop(c, reason, reason == SAY_BUTTON ? BOOT_US : 0);
}

void controller_key_switch(struct controller *c, bool run)
{
    c->inputs = (uint8_t)(run ? c->inputs | STATUS_KEY_SWITCH : c->inputs & ~STATUS_KEY_SWITCH);
    if (!run)
        c->inputs &= (uint8_t)~STATUS_BUTTON; /* a hand that turns the key holds no button */
    c->key_us = world_now();
}

/* Held for 3 s with the key switch at PAUSE it aborts a session, which nobody means to do here. */
void controller_button(struct controller *c, bool pressed)
{
    pressed = pressed && c->inputs & STATUS_KEY_SWITCH;
    c->inputs = (uint8_t)(pressed ? c->inputs | STATUS_BUTTON : c->inputs & ~STATUS_BUTTON);
}

void controller_abort(struct controller *c)
{
    controller_key_switch(c, false);
    c->inputs |= STATUS_BUTTON;
    c->aborts = true;
}

void controller_swap(struct controller *c, bool swapped)
{
    c->swapped = swapped;
}

uint8_t controller_driven(const struct controller *c)
{
    return c->driven;
}

uint8_t controller_lamps(const struct controller *c)
{
    return c->lamps;
}

struct cable *controller_cable(struct controller *c)
{
    return c->cable;
}

uint64_t controller_slack_us(const struct controller *c, enum place place)
{
    const struct station *judge = &c->scene->station[JUDGE];
    bool stopped = c->stopped_in == c->watchdog.segment + 1u ||
                   (c->stopped_us && world_now() < c->stopped_us + STALLS_US);
    bool stalls = c->stalled_us && world_now() < c->stalled_us + STALLS_US;
    if (place != JUDGE && stopped)
        return UINT64_MAX / 2;
    bool began_anew = judge->kills || judge->power_cuts;
    /* Awake again it draws by its own clock before it hears that the controller stopped at 3 s. */
    uint64_t stall_us = stalls ? c->stalled_us - c->stall_us : 0;
    return SLACK_US + (stall_us > LEASE_US ? stall_us - LEASE_US : 0) +
           (stopped || stalls ? LEASE_US : 0) + (began_anew ? LEASE_US : 0);
}

/* Had it no power meanwhile, he does it again. */
static void on_key_back(void *ctx)
{
    struct controller *c = ctx;
    c->aborts = false;
    controller_button(c, false);
    controller_key_switch(c, true);
}

bool controller_asks(struct controller *c, const struct screen_model *model)
{
    const char *message = model->message ? model->message : "";
    if (strstr(message, "Turn the key switch from RUN and back")) {
        controller_key_switch(c, false);
        world_at(world_now() + SECOND, on_key_back, c);
    }
    /* Its button began what the judge's machine was not there to hear of. */
    bool another = strstr(message, "another session is in the controller: to abort it");
    if (another && !c->another_us)
        c->another_us = world_now();
    if (another && world_now() >= c->another_us + READ_US && !c->aborts &&
        c->watchdog.state != SAY_IDLE) {
        controller_abort(c);
        world_at(world_now() + ABORT_US, on_key_back, c);
    }
    return strstr(message, "F9 once more") != NULL;
}

/* What goes wrong with it. */

const char *const box_mishaps[BOX_MISHAPS] = {[BOX_PORT] = "the controller's adapter is pulled",
                                              [BOX_UNPLUG] = "the controller's cable is out",
                                              [BOX_NOISE] = "noise on the controller's cable",
                                              [BOX_POWER] = "a power cut at the controller",
                                              [BOX_POWER_AT] = "a power cut at the controller in "
                                                               "its store's write",
                                              [BOX_RESET] = "the controller is reset",
                                              [BOX_KEY] = "the key switch stands at PAUSE",
                                              [BOX_BUTTON] = "the button is pressed"};

void controller_mishap(struct controller *c, enum box_mishap what, unsigned number, bool usb,
                       uint64_t for_us)
{
    static const enum sentence_word reason[] = {SAY_BUTTON, SAY_BROWNOUT, SAY_WATCHDOG};
    if (what == BOX_PORT)
        cable_adapter(c->cable, 0, false);
    else if (what == BOX_UNPLUG)
        cable_plug(c->cable, false);
    else if (what == BOX_NOISE)
        cable_noise(c->cable, number * 10);
    else if (what == BOX_POWER)
        controller_cut_power(c, for_us, usb);
    else if (what == BOX_POWER_AT)
        controller_fuse(c, number, for_us);
    else if (what == BOX_RESET)
        controller_reset(c, reason[number % 3]);
    else if (what == BOX_KEY)
        controller_key_switch(c, false);
    else
        controller_button(c, true);
}

void controller_mishap_over(struct controller *c, enum box_mishap what)
{
    if (what == BOX_PORT)
        cable_adapter(c->cable, 0, true);
    else if (what == BOX_UNPLUG)
        cable_plug(c->cable, true);
    else if (what == BOX_NOISE)
        cable_noise(c->cable, 0);
    else if (what == BOX_KEY)
        controller_key_switch(c, true);
    else if (what == BOX_BUTTON)
        controller_button(c, false);
}

/* The judge's terminal beside it. */

static bool is_undisturbed(const struct controller *c)
{
    const struct station *judge = &c->scene->station[JUDGE];
    return !judge->kills && !judge->power_cuts &&
           (!c->stalled_us || world_now() > c->stalled_us + STALLS_US);
}

/* The judge's terminal knows by now that the clock stands. */
static bool knows(const struct controller *c)
{
    return c->begun && is_undisturbed(c) && world_now() > c->counted_us + HEARS_US;
}

static void look_at_note(struct controller *c, const struct journal_record *record)
{
    if (!c->swapped && record->as.note.code == NOTE_CONTROLLER &&
        strstr(record->as.note.text, "swapped"))
        wrong(c, "swapped", "no cable is swapped, and the record has: %s", record->as.note.text);
    if (record->as.note.code == NOTE_REFUSED)
        c->refused += record->as.note.count;
}

static void on_appended(void *ctx, struct machine *machine, const char *path, const uint8_t *bytes,
                        size_t length)
{
    static struct journal_scratch scratch;
    struct controller *c = ctx;
    const char *end = strrchr(path, '.');
    struct journal_record record;
    long n;
    c->watch.appended(c->watch.ctx, machine, path, bytes, length);
    if (machine != c->scene->station[JUDGE].machine || !end || strcmp(end, ".journal") != 0)
        return;
    while (length > 0 && (n = journal_decode(bytes, length, &record, &scratch)) > 0) {
        if (record.kind == JOURNAL_NOTE)
            look_at_note(c, &record);
        bytes += n;
        length -= (size_t)n;
    }
}

/* Where keys are taken, the time that is shown is never more than the controller has. */
static void on_drawn(void *ctx, struct process *process, const struct screen_model *model)
{
    struct controller *c = ctx;
    uint64_t most_us = c->watchdog.left * TICK_US + SHOWN_US;
    bool open = false;
    c->watch.drawn(c->watch.ctx, process, model);
    if (process_machine(process) != c->scene->station[JUDGE].machine || !c->runs ||
        world_now() < c->reset_us + HEARS_US)
        return;
    for (unsigned i = 0; i < model->sides; i++)
        open = open || (model->side[i].active && strcmp(model->side[i].state, "open") == 0);
    if (open && is_undisturbed(c) && model->remaining_us != UINT64_MAX &&
        model->remaining_us > most_us)
        wrong(c, "time", "the judge's screen shows %llu us, the controller has %llu",
              (unsigned long long)model->remaining_us,
              (unsigned long long)(c->watchdog.left * TICK_US));
}

static void on_lost_power(void *ctx, struct machine *machine)
{
    struct controller *c = ctx;
    c->watch.lost_power(c->watch.ctx, machine);
}

static void on_failed(void *ctx, struct process *process, const char *line)
{
    struct controller *c = ctx;
    c->watch.failed(c->watch.ctx, process, line);
}

static void on_commanded(void *ctx, struct process *process)
{
    struct controller *c = ctx;
    c->watch.commanded(c->watch.ctx, process);
}

static void on_pressed(void *ctx, struct process *process, uint32_t point)
{
    struct controller *c = ctx;
    c->watch.pressed(c->watch.ctx, process, point);
    if (process_machine(process) != c->scene->station[JUDGE].machine)
        return;
    /* A key that is typed while the clock stands is refused before the next. */
    if (c->awaits && c->refused < c->awaits)
        wrong(c, "outside", "a key was taken, and the controller had counted nothing for %llu us",
              (unsigned long long)(world_now() - c->counted_us));
    c->awaits = knows(c) ? c->refused + 1 : 0;
}

/* Every event that is told goes to the oracle first. */
static void watch(struct controller *c)
{
    c->oracle = c->scene->oracle;
    c->watch = world_watcher;
    world_watch(&(struct world_watch){.ctx = c,
                                      .appended = on_appended,
                                      .lost_power = on_lost_power,
                                      .drawn = on_drawn,
                                      .failed = on_failed,
                                      .commanded = on_commanded,
                                      .pressed = on_pressed});
}

void controller_session(struct controller *c, const struct plan *plan, bool b_left)
{
    c->plan = plan;
    c->b_left = b_left;
    c->begun = c->aborts = false;
    c->another_us = 0;
    c->behind = true;
    c->refused = c->awaits = 0;
    c->stopped_in = 0;
}

void controller_next(struct controller *c)
{
    controller_session(c, c->plan, c->b_left);
    watch(c);
}

struct controller *controller_stand(const struct controller_site *site)
{
    struct controller *c = calloc(1, sizeof *c);
    c->site = *site;
    c->dice = world_dice(20 + site->number);
    c->machine = machine_create(site->name);
    c->site.name = machine_name(c->machine);
    c->machine->ppm = (int)dice_below(&c->dice, 10001) - 5000; /* a ceramic resonator's */
    c->cable = cable_create(site->name, site->judge, c->machine);
    cable_order(c->cable);
    c->tick_ns = TICK_US * 1000 * SECOND / (uint64_t)((int64_t)SECOND + c->machine->ppm);
    c->relay_us = 500 + (uint32_t)dice_below(&c->dice, 20000);
    c->resets_with_port = dice_below(&c->dice, 2);
    c->inputs = STATUS_KEY_SWITCH;
    c->reset = SAY_POWER;
    c->off = true;
    memset(c->store, 0xFF, sizeof c->store);
    for (unsigned socket = 0; socket < SIDES; socket++)
        if (site->cable[socket])
            cable_join(site->cable[socket], false);
    return c;
}

void controller_switch_on(struct controller *c)
{
    world_at(world_now() + dice_below(&c->dice, SECOND), on_start, c);
    world_at(world_now(), on_tick, c);
    c->ticks_ns = world_now() * 1000;
}

static void on_wrong(void *ctx, const char *oracle, const char *text)
{
    const struct scene *s = ctx;
    oracle_wrong(s->oracle, oracle, "%s", text);
}

struct controller *controller_create(struct scene *s)
{
    struct controller_site site = {.name = "controller",
                                   .judge = s->station[JUDGE].machine,
                                   .cable = {s->cable[SIDE_LEFT], s->cable[SIDE_RIGHT]},
                                   .ctx = s,
                                   .wrong = on_wrong};
    struct controller *c = controller_stand(&site);
    c->scene = s;
    c->plan = &s->judge.plan;
    s->judge.b_left = c->b_left = dice_below(&c->dice, 2);
    if (c->b_left) {
        c->site.cable[0] = s->cable[SIDE_RIGHT];
        c->site.cable[1] = s->cable[SIDE_LEFT];
    }
    s->judge.controller = cable_port(c->cable, 0);
    watch(c);
    controller_switch_on(c);
    return c;
}

void controller_destroy(struct controller *c)
{
    free(c);
}
