#include "sim/lines.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int sim_wiring_find(const char *name)
{
    for (int i = 0; cables[i].name; i++) {
        if (strcmp(cables[i].name, name) == 0)
            return i;
    }
    return -1;
}

static const struct cable *wiring_of(uint32_t state)
{
    return &cables[(state & SIM_WIRING_MASK) >> 16];
}

int sim_hears(uint32_t state, int from)
{
    const struct cable *cable = wiring_of(state);

    if (!(state & SIM_PLUGGED))
        return -1;
    for (int end = 0; end < SIM_ENDS; end++) {
        uint8_t heard = end == from ? CABLE_OWN_TX : CABLE_PEER_TX;

        if ((cable->end[end].from[CABLE_RX] & heard) && (state & SIM_PRESENT(end)))
            return end;
    }
    return -1;
}

/* Finds the outputs that are present, and those that are up, from an end's view, as CABLE_ bits. */
static void drivers_of(uint32_t state, int end, unsigned *present, unsigned *up)
{
    *present = *up = 0;
    for (int other = 0; other < SIM_ENDS; other++) {
        unsigned rts = other == end ? CABLE_OWN_RTS : CABLE_PEER_RTS;
        unsigned dtr = other == end ? CABLE_OWN_DTR : CABLE_PEER_DTR;

        if (!(state & SIM_PRESENT(other)))
            continue;
        *present |= rts | dtr;
        if ((state & SIM_RTS(other)) && !(state & SIM_THROTTLED(other)))
            *up |= rts;
        if (state & SIM_DTR(other))
            *up |= dtr;
    }
}

int sim_inputs(uint32_t state, int end)
{
    static const int bits[CABLE_INPUTS] = {0, TIOCM_CTS, TIOCM_DSR, TIOCM_CD, TIOCM_RI};
    const struct cable *cable = wiring_of(state);
    unsigned present, up;
    int inputs = 0;

    if (!(state & SIM_PLUGGED))
        return 0;
    drivers_of(state, end, &present, &up);
    for (int i = CABLE_CTS; i < CABLE_INPUTS; i++) {
        unsigned by = cable->end[end].from[i] & present;

        if (by && (by & up) == by)
            inputs |= bits[i];
    }
    return inputs;
}

static const int count_bits[4] = {TIOCM_CTS, TIOCM_DSR, TIOCM_CD, TIOCM_RI};

/* Counts the inputs that a change of state has changed, and wakes their waiters. */
static void inputs_changed(struct sim_shared *shared, uint32_t before, uint32_t after)
{
    bool changed = false;

    for (int end = 0; end < SIM_ENDS; end++) {
        int differ = sim_inputs(before, end) ^ sim_inputs(after, end);

        for (int i = 0; i < 4; i++) {
            if (differ & count_bits[i])
                atomic_fetch_add(&shared->counts[end][i], 1);
        }
        /* A device that comes or goes wakes the waiters, too. */
        changed |= differ || ((before ^ after) & SIM_PRESENT(end));
    }
    if (changed) {
        atomic_fetch_add(&shared->changes, 1);
        syscall(SYS_futex, &shared->changes, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
    }
}

void sim_made(struct sim_shared *shared, int end, uint64_t device, uint64_t now_ns)
{
    atomic_store(&shared->made_ns[end], now_ns);
    atomic_store(&shared->device[end], device);
}

void sim_change(struct sim_shared *shared, uint32_t clear, uint32_t set)
{
    uint32_t before = atomic_load(&shared->state);
    uint32_t after;

    do {
        after = (before & ~clear) | set;
    } while (!atomic_compare_exchange_weak(&shared->state, &before, after));
    inputs_changed(shared, before, after);
}

void sim_opened(struct sim_shared *shared, int end)
{
    uint32_t before = atomic_load(&shared->state);
    uint32_t after;

    do {
        after = (before & ~SIM_OPENS_MASK(end)) |
                ((before + SIM_OPENS(end)) & SIM_OPENS_MASK(end)) | SIM_RTS(end) | SIM_DTR(end);
    } while (!atomic_compare_exchange_weak(&shared->state, &before, after));
    inputs_changed(shared, before, after);
}

bool sim_hung_up(struct sim_shared *shared, int end, uint32_t seen)
{
    uint32_t after = seen & ~(SIM_RTS(end) | SIM_DTR(end));

    if (!atomic_compare_exchange_strong(&shared->state, &seen, after))
        return false;
    inputs_changed(shared, seen, after);
    return true;
}

int sim_wait(struct sim_shared *shared, int end, int mask, uint64_t device)
{
    uint32_t seen[4];

    for (int i = 0; i < 4; i++)
        seen[i] = atomic_load(&shared->counts[end][i]);
    for (;;) {
        uint32_t changes = atomic_load(&shared->changes);

        if (atomic_load(&shared->device[end]) != device)
            return EIO;
        for (int i = 0; i < 4; i++) {
            if ((mask & count_bits[i]) && atomic_load(&shared->counts[end][i]) != seen[i])
                return 0;
        }
        if (syscall(SYS_futex, &shared->changes, FUTEX_WAIT, changes, NULL, NULL, 0) < 0 &&
            errno == EINTR)
            return EINTR;
    }
}
