/* One direction of the cable: when each byte arrives, and its faults on the way.
 *
 * * A byte is delivered at the end of its wire time. Times count from the beginning of a run of
 * bytes, so that late wake-ups do not add up. A late wake-up delivers all due bytes, like a UART's
 * FIFO. */
#include "sim/modem_private.h"

#include "base/loop.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define RATE_CHECK_SLOTS 256 /* frames between two looks at the ends' rates within one run */
#define RX_TIMEOUT_SLOTS 4   /* silence after which a 16550 gives up waiting for its trigger */

static struct sim_port *port_of(struct sim_wire *wire, int end)
{
    return &wire->modem->port[end];
}

static uint32_t state_of(const struct sim_wire *wire)
{
    return atomic_load_explicit(&wire->modem->shared->state, memory_order_relaxed);
}

static uint64_t mix(uint64_t z)
{
    z += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* A random number, determined by the seed and the place. */
static uint64_t dice(uint64_t base, uint64_t place)
{
    return mix(base ^ mix(place));
}

static void timer_set(struct sim_wire *wire, uint64_t due_ns)
{
    struct itimerspec spec = {
        .it_value = {(time_t)(due_ns / 1000000000u), (long)(due_ns % 1000000000u)},
    };

    timerfd_settime(wire->timer, TFD_TIMER_ABSTIME, &spec, NULL);
}

/* True if bytes that arrive at an end are taken. A port without a program hears nothing. */
static bool is_heard(struct sim_wire *wire, int end)
{
    struct sim_port *port = port_of(wire, end);

    return port->master >= 0 && (wire->modem->keep || attend_is_open(port));
}

/* Delivers the bytes that have arrived. Bytes without room are lost; they wait if the receiver's
 * RTS can hold the sender, or on an unpaced wire. */
static void out_flush(struct sim_wire *wire)
{
    struct sim_port *to = port_of(wire, wire->out_end);
    size_t done = 0;

    if (wire->out_length == 0 || wire->blocked)
        return;
    if (!is_heard(wire, wire->out_end)) {
        wire->stats.bytes_lost += wire->out_length;
        wire->out_length = 0;
        return;
    }
    while (done < wire->out_length) {
        ssize_t count = write(to->master, wire->out + done, wire->out_length - done);

        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            break;
        if (wire->listener >= 0 && write(wire->listener, wire->out + done, (size_t)count) != count)
            wire->stats.bytes_unheard += (uint64_t)count;
        done += (size_t)count;
    }
    wire->stats.bytes_delivered += done;
    wire->out_length -= done;
    if (wire->out_length == 0)
        return;
    if (wire->rx_rtscts || wire->modem->unpaced) {
        memmove(wire->out, wire->out + done, wire->out_length);
        wire->blocked = true;
        sim_loop_change(wire->modem->loop, to->master, &to->source, EPOLLIN | EPOLLOUT | EPOLLET);
        if (wire->rx_rtscts)
            modem_change(wire->modem, 0, SIM_THROTTLED(to->end));
        return;
    }
    wire->stats.bytes_overrun += wire->out_length;
    wire->out_length = 0;
}

static void out_add(struct sim_wire *wire, const uint8_t *bytes, size_t count)
{
    if (wire->out_length + count > sizeof(wire->out))
        out_flush(wire);
    if (wire->out_length + count > sizeof(wire->out)) {
        wire->stats.bytes_overrun += count;
        return;
    }
    memcpy(wire->out + wire->out_length, bytes, count);
    wire->out_length += count;
}

/* Sets the end at which bytes arrive from now on. */
static void out_direct(struct sim_wire *wire, int end)
{
    if (end == wire->out_end)
        return;
    out_flush(wire);
    wire->out_end = end;
}

static void rates_check(struct sim_wire *wire)
{
    int to = sim_hears(state_of(wire), wire->from);
    struct port_settings tx = port_settings(port_of(wire, wire->from));
    struct port_settings rx = {.baud = tx.baud};

    if (to >= 0)
        rx = port_settings(port_of(wire, to));
    wire->tx_rtscts = tx.rtscts;
    wire->rx_rtscts = rx.rtscts;
    wire->hung_up = tx.hung_up || rx.hung_up;
    wire->tx_baud = tx.baud;
    wire->rx_baud = rx.baud;
    wire->pace_baud = tx.baud;
    if (wire->modem->baud) {
        wire->pace_baud = wire->modem->baud;
        if (tx.baud == rx.baud)
            wire->rx_baud = wire->modem->baud;
    }
}

/* Takes the next bytes to send: injected bytes first, then the sender's. */
static bool fifo_fill(struct sim_wire *wire)
{
    size_t room = wire->modem->unpaced ? WIRE_BULK : WIRE_FIFO;
    ssize_t count;

    wire->next = 0;
    wire->length = 0;
    wire->noise = wire->noise_left > 0;
    if (wire->noise) {
        wire->length = wire->noise_left < room ? (size_t)wire->noise_left : room;
        for (size_t i = 0; i < wire->length; i++)
            wire->fifo[i] = (uint8_t)dice(wire->noise_base, ~wire->noise_made++);
        wire->noise_left -= wire->length;
        return true;
    }
    if (port_of(wire, wire->from)->master < 0)
        return false;
    do {
        count = read(port_of(wire, wire->from)->master, wire->fifo, room);
    } while (count < 0 && errno == EINTR);
    if (count <= 0)
        return false;
    wire->length = (size_t)count;
    wire->stats.bytes_sent += wire->length;
    return true;
}

static unsigned flips_at(struct sim_wire *wire, uint64_t index)
{
    unsigned flips = 0;

    if (wire->modem->error_threshold == 0)
        return 0;
    for (unsigned i = 0; i < 10; i++) {
        if (dice(wire->dice_base, index * 10 + i) < wire->modem->error_threshold)
            flips |= 1u << i;
    }
    return flips;
}

/* Ends a frame: it reaches the far end, or is lost. */
static void frame_end(struct sim_wire *wire, uint8_t byte)
{
    struct wire_stats *stats = &wire->stats;
    uint8_t received[128];
    size_t count;
    unsigned flips;
    int to;

    if (wire->noise) {
        stats->bytes_noise++;
        out_direct(wire, 1 - wire->from);
        if (is_heard(wire, 1 - wire->from))
            out_add(wire, &byte, 1);
        return;
    }
    to = sim_hears(state_of(wire), wire->from);
    flips = flips_at(wire, wire->index++);
    if (flips)
        stats->flips_digest = (uint32_t)mix(stats->flips_digest ^ mix(wire->index << 10 | flips));
    if (to < 0 || !is_heard(wire, to) || wire->hung_up) {
        stats->bytes_lost++;
        wire->uart.busy = false;
        return;
    }
    out_direct(wire, to);
    if (!flips && !wire->uart.busy && wire->tx_baud == wire->rx_baud) {
        out_add(wire, &byte, 1);
        return;
    }
    stats->bits_flipped += (unsigned)__builtin_popcount(flips);
    stats->bytes_hit += flips != 0;
    stats->bytes_garbled += wire->tx_baud != wire->rx_baud;
    count = uart_receive_frame(&wire->uart, byte, flips, wire->tx_baud, wire->rx_baud, received,
                               sizeof(received));
    out_add(wire, received, count);
}

/* Ends a run: nothing is left to send for now. */
static void run_end(struct sim_wire *wire)
{
    uint8_t received[1] = {0};

    out_add(wire, received, uart_receive_idle(&wire->uart, received, sizeof(received)));
    out_flush(wire);
    wire->idle = true;
}

static bool stalled(struct sim_wire *wire)
{
    if (wire->stalled_until_ns == 0)
        return false;
    if (bl_mono_ns() < wire->stalled_until_ns) {
        timer_set(wire, wire->stalled_until_ns);
        wire->idle = false;
        return true;
    }
    wire->stalled_until_ns = 0;
    wire->restart = true;
    return false;
}

/* Passes bytes on at full speed: one read, one write. */
static void run_unpaced(struct sim_wire *wire)
{
    bool more = true;

    if (stalled(wire))
        return;
    while (more && !wire->blocked && fifo_fill(wire)) {
        /* A short read has emptied the pty, and new bytes wake the loop again. */
        more = wire->noise || wire->length == WIRE_BULK;
        for (; wire->next < wire->length; wire->next++)
            frame_end(wire, wire->fifo[wire->next]);
        run_end(wire);
    }
    wire->idle = true;
}

static uint64_t slot_end_ns(const struct sim_wire *wire, uint64_t slots)
{
    return wire->start_ns + slots * 10000000000u / wire->pace_baud;
}

/* Begins to count wire time anew, and looks at the rates. After a silence or a pause the time
 * counts from now; within a long run, from the end of the last frame. */
static void run_begin(struct sim_wire *wire, uint64_t now_ns)
{
    wire->start_ns = wire->restart ? now_ns : slot_end_ns(wire, wire->slots);
    wire->slots = 0;
    wire->restart = false;
    rates_check(wire);
}

/* True if the next frame may begin. With CRTSCTS the sender's hardware obeys CTS. */
static bool clear_to_send(const struct sim_wire *wire)
{
    if (!wire->starting || !wire->tx_rtscts || wire->noise)
        return true;
    return (sim_inputs(state_of(wire), wire->from) & TIOCM_CTS) != 0;
}

/* Sets the timer for the time at which the receiver's FIFO reaches its trigger, or more bytes must
 * be fetched. */
static void trigger_wait(struct sim_wire *wire)
{
    uint64_t frames = wire->length - wire->next;

    if (wire->out_length >= wire->modem->rx_trigger)
        out_flush(wire);
    if (wire->blocked)
        return;
    if (frames > wire->modem->rx_trigger - wire->out_length)
        frames = wire->modem->rx_trigger - wire->out_length;
    timer_set(wire, slot_end_ns(wire, wire->slots + frames));
}

/* Pauses: nothing is left to send for now. A receiver with fewer bytes than its trigger passes them
 * on after some silence. */
static void run_pause(struct sim_wire *wire)
{
    if (wire->idle || wire->out_length == 0 || wire->out_length >= wire->modem->rx_trigger) {
        run_end(wire);
        return;
    }
    timer_set(wire, slot_end_ns(wire, wire->slots + RX_TIMEOUT_SLOTS));
    wire->idle = true;
}

static void run_paced(struct sim_wire *wire)
{
    uint64_t now_ns = bl_mono_ns();

    if (stalled(wire))
        return;
    while (!wire->blocked) {
        uint64_t due_ns;

        if (wire->next == wire->length && !fifo_fill(wire)) {
            run_pause(wire);
            return;
        }
        wire->restart |= wire->idle || wire->held;
        wire->idle = false;
        if (wire->restart || wire->slots == RATE_CHECK_SLOTS)
            run_begin(wire, now_ns);
        wire->held = !clear_to_send(wire);
        if (wire->held) {
            out_flush(wire);
            return;
        }
        wire->starting = false;
        due_ns = slot_end_ns(wire, wire->slots + 1);
        if (due_ns > now_ns) {
            trigger_wait(wire);
            return;
        }
        wire->stats.late_ns += now_ns - due_ns;
        if (now_ns - due_ns > wire->stats.late_max_ns)
            wire->stats.late_max_ns = now_ns - due_ns;
        frame_end(wire, wire->fifo[wire->next++]);
        wire->slots++;
        wire->starting = true;
    }
}

void wire_run(struct sim_wire *wire)
{
    if (wire->modem->unpaced)
        run_unpaced(wire);
    else
        run_paced(wire);
}

static void wire_ready(struct sim_source *source, uint32_t events)
{
    (void)events;
    wire_run((struct sim_wire *)source);
}

int wire_init(struct sim_wire *wire, struct modem *modem, int from)
{
    wire->source.ready = wire_ready;
    wire->modem = modem;
    wire->from = from;
    wire->out_end = 1 - from;
    wire->listener = -1;
    wire->idle = true;
    wire->starting = true;
    wire->tx_baud = wire->rx_baud = wire->pace_baud = 115200;
    wire->dice_base = mix(modem->seed * SIM_ENDS + (unsigned)from);
    wire->noise_base = wire->dice_base;
    wire->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (wire->timer < 0)
        return errno;
    /* Edge-triggered: a new setting of the timer drops the old expiry, which need not be read. */
    return sim_loop_add(modem->loop, wire->timer, &wire->source, EPOLLIN | EPOLLET);
}

void wire_reset(struct sim_wire *wire)
{
    wire->next = wire->length = 0;
    wire->uart.busy = false;
    wire->held = false;
    wire->starting = true;
    wire_run(wire);
}

void wire_unblock(struct sim_wire *wire)
{
    if (!wire->blocked)
        return;
    wire->blocked = false;
    wire->restart = true;
    modem_change(wire->modem, SIM_THROTTLED(wire->out_end), 0);
    out_flush(wire);
    wire_run(wire);
}

void wire_stall(struct sim_wire *wire, uint64_t ms)
{
    uint64_t until_ns = bl_mono_ns() + ms * 1000000u;

    if (until_ns > wire->stalled_until_ns)
        wire->stalled_until_ns = until_ns;
    wire_run(wire);
}

void wire_seed_noise(struct sim_wire *wire, uint64_t seed)
{
    wire->noise_base = mix(seed * SIM_ENDS + (unsigned)wire->from);
    wire->noise_made = 0;
}

void wire_noise(struct sim_wire *wire, uint64_t bytes)
{
    wire->noise_left += bytes;
    if (wire->idle)
        wire_run(wire);
}

void wire_break(struct sim_wire *wire)
{
    int to = sim_hears(state_of(wire), wire->from);
    const uint8_t nul = 0;

    if (to < 0)
        return;
    out_direct(wire, to);
    out_add(wire, &nul, 1);
    out_flush(wire);
    wire->stats.bytes_noise++;
}
