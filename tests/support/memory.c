#include "tests/support/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    FLIGHTS = 64,    /* frames on their way in one direction */
    AHEAD_US = 4000, /* as on serial: what may wait for the wire */
    LATE_FRAMES = 3, /* how many may overtake one */
};

/* A frame's bytes on their way; those before `gone` have arrived or are lost. */
struct flight {
    uint8_t bytes[FRAME_STUFFED(FRAME_MAX)];
    uint16_t length, gone;
    uint64_t start_ns; /* when its first byte begins */
    uint32_t byte_ns;
    bool scrambled;
};

/* All that one end sends. */
struct direction {
    struct flight flights[FLIGHTS]; /* in order of arrival */
    unsigned count;
    uint64_t free_ns; /* when the wire has carried all of them */
    uint64_t bytes;
    bool looped, mute;
    uint32_t baud;
};

struct memory_wire {
    struct direction direction[2];
    struct frame_reader reader[2]; /* at each end */
    uint64_t heard_us[2];
    struct medium_callbacks callbacks[2];
    void *ctx[2];
    struct memory_faults faults;
    bool unplugged;
    uint64_t dice;
};

static uint32_t roll(struct memory_wire *wire)
{
    wire->dice = wire->dice * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(wire->dice >> 32);
}

static bool chance(struct memory_wire *wire, double p)
{
    return p > 0 && roll(wire) < p * 4294967296.0;
}

static uint32_t byte_ns(uint32_t baud)
{
    return baud ? (uint32_t)(10000000000u / baud) : 0;
}

struct memory_wire *memory_create(uint32_t baud, uint64_t seed)
{
    struct memory_wire *wire = calloc(1, sizeof *wire);
    if (!wire)
        return NULL;
    wire->dice = seed;
    wire->direction[0].baud = wire->direction[1].baud = baud;
    return wire;
}

void memory_destroy(struct memory_wire *wire)
{
    free(wire);
}

void memory_listen(struct memory_wire *wire, unsigned end, const struct medium_callbacks *callbacks,
                   void *ctx)
{
    wire->callbacks[end] = *callbacks;
    wire->ctx[end] = ctx;
}

void memory_faults(struct memory_wire *wire, const struct memory_faults *faults)
{
    wire->faults = *faults;
}

void memory_loop_back(struct memory_wire *wire, unsigned end, bool looped)
{
    wire->direction[end].looped = looped;
}

void memory_baud(struct memory_wire *wire, unsigned end, uint32_t baud)
{
    wire->direction[end].baud = baud;
}

void memory_mute(struct memory_wire *wire, unsigned end, bool mute)
{
    wire->direction[end].mute = mute;
}

void memory_describe(const struct memory_wire *wire, unsigned end, struct link_wire *out)
{
    uint32_t baud = wire->direction[end].baud;
    *out = (struct link_wire){
        .byte_ns = byte_ns(baud),
        .baud = baud,
        .overhead = 3,
        .frame_max = (uint16_t)frame_room(baud),
        .reorder = wire->faults.late > 0 ? LATE_FRAMES : 0,
    };
}

uint64_t memory_ready_us(const struct memory_wire *wire, unsigned end)
{
    uint64_t free_us = wire->direction[end].free_ns / 1000;
    return free_us > AHEAD_US ? free_us - AHEAD_US : 0;
}

bool memory_ready(const struct memory_wire *wire, unsigned end, uint64_t now_us)
{
    return now_us >= memory_ready_us(wire, end) && wire->direction[end].count < FLIGHTS / 2;
}

static uint64_t arrival_ns(const struct flight *flight)
{
    return flight->start_ns + (uint64_t)flight->length * flight->byte_ns;
}

static void spoil(struct memory_wire *wire, struct flight *flight)
{
    for (unsigned i = 0; i < flight->length; i++) {
        if (flight->scrambled)
            flight->bytes[i] = (uint8_t)roll(wire);
        if (chance(wire, 8 * wire->faults.bit_error))
            flight->bytes[i] ^= (uint8_t)(1u << roll(wire) % 8);
    }
}

static void launch(struct memory_wire *wire, struct direction *direction, uint64_t now_us,
                   const uint8_t *frame, size_t length)
{
    struct flight *flight = &direction->flights[direction->count];
    uint64_t now_ns = now_us * 1000;
    bool lost = chance(wire, wire->faults.lose) || direction->mute;
    bool late = chance(wire, wire->faults.late);
    if (direction->count == FLIGHTS)
        return;
    flight->length = (uint16_t)frame_stuff(frame, length, flight->bytes);
    flight->gone = 0;
    flight->byte_ns = byte_ns(direction->baud);
    flight->start_ns = direction->free_ns > now_ns ? direction->free_ns : now_ns;
    flight->scrambled = wire->direction[0].baud != wire->direction[1].baud && !direction->looped;
    direction->free_ns = arrival_ns(flight);
    direction->bytes += flight->length;
    if (lost)
        return;
    spoil(wire, flight);
    if (late)
        flight->start_ns += LATE_FRAMES * (arrival_ns(flight) - flight->start_ns);
    direction->count++;
    for (unsigned i = direction->count - 1;
         i && arrival_ns(&direction->flights[i - 1]) > arrival_ns(&direction->flights[i]); i--) {
        struct flight swap = direction->flights[i];
        direction->flights[i] = direction->flights[i - 1];
        direction->flights[i - 1] = swap;
    }
}

void memory_send(struct memory_wire *wire, unsigned end, uint64_t now_us, const uint8_t *frame,
                 size_t length)
{
    struct direction *direction = &wire->direction[end];
    launch(wire, direction, now_us, frame, length);
    if (chance(wire, wire->faults.twice))
        launch(wire, direction, now_us, frame, length);
}

static void feed(struct memory_wire *wire, unsigned end, uint64_t now_us, const uint8_t *bytes,
                 size_t length)
{
    struct frame_reader *reader = &wire->reader[end];
    const struct medium_callbacks *callbacks = &wire->callbacks[end];
    if (now_us - wire->heard_us[end] > FRAME_PAUSE_US) {
        size_t abandoned = frame_abandon(reader);
        if (abandoned)
            callbacks->garbage(wire->ctx[end], abandoned);
    }
    wire->heard_us[end] = now_us;
    for (size_t i = 0; i < length; i++)
        medium_feed(callbacks, wire->ctx[end], reader, bytes[i]);
}

/* Moves on what one end sent: whole frames, and with `torn` also the bytes of one on its way. */
static void advance(struct memory_wire *wire, unsigned from, uint64_t now_us, bool torn)
{
    struct direction *direction = &wire->direction[from];
    unsigned to = direction->looped ? from : 1 - from;
    unsigned kept = 0;
    for (unsigned i = 0; i < direction->count; i++) {
        struct flight *flight = &direction->flights[i];
        uint64_t now_ns = now_us * 1000;
        size_t come = flight->length;
        if (arrival_ns(flight) > now_ns) {
            come = flight->gone;
            if (torn && now_ns > flight->start_ns)
                come = (size_t)((now_ns - flight->start_ns) / flight->byte_ns);
        }
        if (!wire->unplugged && come > flight->gone)
            feed(wire, to, now_us, flight->bytes + flight->gone, come - flight->gone);
        flight->gone = (uint16_t)come;
        if (come < flight->length && kept++ != i)
            direction->flights[kept - 1] = *flight;
    }
    direction->count = kept;
}

void memory_unplug(struct memory_wire *wire, uint64_t now_us, bool unplugged)
{
    for (unsigned end = 0; end < 2; end++)
        advance(wire, end, now_us, true);
    wire->unplugged = unplugged;
}

uint64_t memory_next_us(const struct memory_wire *wire, unsigned end)
{
    uint64_t next_ns = UINT64_MAX;
    for (unsigned from = 0; from < 2; from++) {
        const struct direction *direction = &wire->direction[from];
        if (direction->count && (from == end) == direction->looped &&
            arrival_ns(&direction->flights[0]) < next_ns)
            next_ns = arrival_ns(&direction->flights[0]);
    }
    return next_ns == UINT64_MAX ? UINT64_MAX : (next_ns + 999) / 1000;
}

void memory_receive(struct memory_wire *wire, unsigned end, uint64_t now_us)
{
    for (unsigned from = 0; from < 2; from++)
        if ((from == end) == wire->direction[from].looped)
            advance(wire, from, now_us, false);
    wire->callbacks[end].idle(wire->ctx[end]);
}

uint64_t memory_bytes(const struct memory_wire *wire, unsigned end)
{
    return wire->direction[end].bytes;
}
