#include "tests/sim/lines.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define OWN_TX   SIM_FROM_OWN_TX
#define PEER_TX  SIM_FROM_PEER_TX
#define OWN_RTS  SIM_FROM_OWN_RTS
#define PEER_RTS SIM_FROM_PEER_RTS
#define OWN_DTR  SIM_FROM_OWN_DTR
#define PEER_DTR SIM_FROM_PEER_DTR

/* rx, cts, dsr, dcd, ri of end A, then of end B. */
const struct sim_wiring sim_wirings[] = {
    {"full",
     "crossed data, RTS to CTS, DTR to DSR and DCD",
     {{PEER_TX, PEER_RTS, PEER_DTR, PEER_DTR, 0}, {PEER_TX, PEER_RTS, PEER_DTR, PEER_DTR, 0}}},
    {"3-wire",
     "crossed data and ground, no handshake",
     {{PEER_TX, 0, 0, 0, 0}, {PEER_TX, 0, 0, 0, 0}}},
    {"loop-back",
     "crossed data, each end's handshake tied to itself",
     {{PEER_TX, OWN_RTS, OWN_DTR, OWN_DTR, 0}, {PEER_TX, OWN_RTS, OWN_DTR, OWN_DTR, 0}}},
    {"partial",
     "crossed data, RTS to own CTS and the other's DCD, DTR to DSR",
     {{PEER_TX, OWN_RTS, PEER_DTR, PEER_RTS, 0}, {PEER_TX, OWN_RTS, PEER_DTR, PEER_RTS, 0}}},
    {"ri",
     "as full, DTR also to RI, as some old cables have it",
     {{PEER_TX, PEER_RTS, PEER_DTR, PEER_DTR, PEER_DTR},
      {PEER_TX, PEER_RTS, PEER_DTR, PEER_DTR, PEER_DTR}}},
    {"straight",
     "wrong cable: not crossed, outputs meet outputs",
     {{0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}}},
    {"data-open",
     "handshake as full, both data wires broken",
     {{0, PEER_RTS, PEER_DTR, PEER_DTR, 0}, {0, PEER_RTS, PEER_DTR, PEER_DTR, 0}}},
    {"one-way",
     "as full, the wire from B's TX to A's RX broken",
     {{0, PEER_RTS, PEER_DTR, PEER_DTR, 0}, {PEER_TX, PEER_RTS, PEER_DTR, PEER_DTR, 0}}},
    {"plug-a",
     "a loop-back test plug at A's end, nothing at B's",
     {{OWN_TX, OWN_RTS, OWN_DTR, OWN_DTR, 0}, {0, 0, 0, 0, 0}}},
    {NULL, NULL, {{0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}}},
};

int sim_wiring_find(const char *name)
{
    for (int i = 0; sim_wirings[i].name; i++) {
        if (strcmp(sim_wirings[i].name, name) == 0)
            return i;
    }
    return -1;
}

static const struct sim_wiring *wiring_of(uint32_t state)
{
    return &sim_wirings[(state & SIM_WIRING_MASK) >> 16];
}

int sim_hears(uint32_t state, int from)
{
    const struct sim_wiring *wiring = wiring_of(state);

    if (!(state & SIM_PLUGGED))
        return -1;
    for (int end = 0; end < SIM_ENDS; end++) {
        uint8_t heard = end == from ? OWN_TX : PEER_TX;

        if ((wiring->end[end].rx & heard) && (state & SIM_PRESENT(end)))
            return end;
    }
    return -1;
}

/* The levels that reach an end, as SIM_FROM_ bits. */
static unsigned levels_at(uint32_t state, int end)
{
    unsigned levels = 0;

    for (int other = 0; other < SIM_ENDS; other++) {
        if (!(state & SIM_PRESENT(other)))
            continue;
        if ((state & SIM_RTS(other)) && !(state & SIM_THROTTLED(other)))
            levels |= other == end ? OWN_RTS : PEER_RTS;
        if (state & SIM_DTR(other))
            levels |= other == end ? OWN_DTR : PEER_DTR;
    }
    return levels;
}

int sim_inputs(uint32_t state, int end)
{
    const struct sim_wiring *wiring = wiring_of(state);
    unsigned levels = levels_at(state, end);
    int inputs = 0;

    if (!(state & SIM_PLUGGED))
        return 0;
    if (wiring->end[end].cts & levels)
        inputs |= TIOCM_CTS;
    if (wiring->end[end].dsr & levels)
        inputs |= TIOCM_DSR;
    if (wiring->end[end].dcd & levels)
        inputs |= TIOCM_CD;
    if (wiring->end[end].ri & levels)
        inputs |= TIOCM_RI;
    return inputs;
}

static const int count_bits[4] = {TIOCM_CTS, TIOCM_DSR, TIOCM_CD, TIOCM_RI};

/* Counts the inputs that a change of state has changed, and wakes who waits for them. */
static void inputs_changed(struct sim_shared *shared, uint32_t before, uint32_t after)
{
    bool changed = false;

    for (int end = 0; end < SIM_ENDS; end++) {
        int differ = sim_inputs(before, end) ^ sim_inputs(after, end);

        for (int i = 0; i < 4; i++) {
            if (differ & count_bits[i])
                atomic_fetch_add(&shared->counts[end][i], 1);
        }
        /* A device that went away must wake its waiters too. */
        changed |= differ || ((before ^ after) & SIM_PRESENT(end));
    }
    if (changed) {
        atomic_fetch_add(&shared->changes, 1);
        syscall(SYS_futex, &shared->changes, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
    }
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
