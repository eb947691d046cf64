/* The exchange between the two ends of `boothlink check`. Each end calls on the line until they
 * have met. Then the judge's end asks and the entity's end answers. Each end switches its outputs
 * while both observe their inputs, which shows the wiring. Clocks follow, and round trips with
 * known contents at each speed. Each obstacle to the meeting is an outcome, too. Pure: time and the
 * port's events are arguments. */
#ifndef LINK_PROBE_H
#define LINK_PROBE_H

#include "base/time.h"
#include "link/cable.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROBE_RATES       8
#define PROBE_SLOTS       (PROBE_RATES + 1)
#define PROBE_VERSION     16
#define PROBE_FINGERPRINT 8

/* The speeds that are tried, ascending. */
extern const uint32_t probe_rates[PROBE_RATES];

struct probe_self {
    bool judge;
    uint32_t baud; /* the speed on its command line */
    char version[PROBE_VERSION + 1];
    bool has_secret;
    uint8_t fingerprint[PROBE_FINGERPRINT]; /* check value of the secret that both should have */
    bool box;                               /* the controller's box is in the line */
    char cable;                             /* 'a' or 'b', from its ticket; 0: not known */
};

struct probe_settings {
    struct probe_self self;
    uint32_t id;      /* random number of this run, not 0 */
    bool quick;       /* test only the speed asked for; either end may wish it */
    uint64_t wait_us; /* time to call for the other end */
};

struct probe_callbacks {
    void *ctx;
    void (*send)(void *ctx, const uint8_t *bytes, size_t length);
    void (*outputs)(void *ctx, unsigned levels); /* LEVEL_RTS, LEVEL_DTR */
    unsigned (*inputs)(void *ctx);               /* LEVEL_CTS ... */
    bool (*rate)(void *ctx, uint32_t baud);      /* false: the port does not have the speed */
};

enum probe_outcome {
    PROBE_CALLING,   /* not over yet */
    PROBE_MET,       /* all was exchanged */
    PROBE_SILENCE,   /* nothing came */
    PROBE_ECHO,      /* this end's own calls came back */
    PROBE_DEAF,      /* the other end is heard, and does not hear this end */
    PROBE_MUTE,      /* the other end switches signal lines, but its data is not heard */
    PROBE_GARBAGE,   /* bytes without meaning come at every speed */
    PROBE_LINK,      /* the other end runs a session or a byte pipe */
    PROBE_SAME_SIDE, /* both are judge's ends, or both entity's ends */
    PROBE_LOST,      /* the other end fell silent after the meeting */
};

struct probe_rate {
    uint32_t baud; /* 0: not tried */
    bool answered;
    uint16_t sent, arrived,
        returned;    /* test frames: sent by the judge's end; received at the other; come back */
    uint32_t rtt_us; /* least round trip of a test frame; 0: none came back */
};

struct probe_result {
    enum probe_outcome outcome;
    struct cable_seen seen;
    struct probe_self peer; /* valid if a call of the other end was heard */
    bool heard;
    uint32_t baud;    /* speed at which the other end was heard; unequal to self.baud if the speeds
                       * differ */
    unsigned high;    /* inputs that are up with any outputs (LEVEL_ bits) */
    uint64_t garbage; /* bytes since the last frame */
    uint64_t called_us;                  /* time for which the other end was called */
    int64_t offset_us;                   /* the other end's clock minus this end's */
    uint32_t precise_us;                 /* the greatest error of offset_us */
    struct probe_rate rate[PROBE_SLOTS]; /* the speed asked for, then the others */
};

/* Bits of one test frame on the wire, an estimate: 60 bytes of 10 bits. */
#define PROBE_FRAME_BITS 600u

struct probe;

/* callbacks are copied. NULL: no memory. The first tick begins to send. */
struct probe *probe_create(const struct probe_settings *settings,
                           const struct probe_callbacks *callbacks);
void probe_destroy(struct probe *probe);

void probe_hear(struct probe *probe, struct bl_time now, const uint8_t *bytes, size_t length);
void probe_tick(struct probe *probe, struct bl_time now);

/* Ends the calling; the outcome of the calls so far comes with a next tick. */
void probe_stop(struct probe *probe);

/* The time of the next tick, on the monotonic clock. */
uint64_t probe_deadline(const struct probe *probe);

/* The outcome so far; PROBE_CALLING: not over. */
const struct probe_result *probe_result(const struct probe *probe);

/* The speed being tried; 0 before the ends have met. */
uint32_t probe_trying(const struct probe *probe);

/* True if a signal line of the cable has been up. */
bool probe_has_signal(const struct probe *probe);

/* The time left for calling the other end. After the first sign of the other end the time is
 * extended until the sign's meaning is certain. */
uint64_t probe_left_us(const struct probe *probe, uint64_t now_us);

#endif
