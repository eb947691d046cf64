/* Two ends of the link protocol, without sessions, over a line in memory and in simulated time.
 * Each end checks all that it gets: within a connection every record once and in order, none from
 * another connection, and nothing acknowledged that has not arrived. */
#ifndef SUPPORT_LINK_SIM_H
#define SUPPORT_LINK_SIM_H

#include "link/frame.h"
#include "tests/support/memory.h"
#include "link/secured.h"
#include "tests/support/random.h"

/* Connections of one end in a test; the least record that sim_send makes. */
enum { SIM_EPOCHS = 4096, SIM_RECORD = 9 };

#define MS 1000u
#define S  1000000u

struct sim;

/* One end, and the books that it keeps of what it sent and got. */
struct sim_end {
    struct sim *sim;
    unsigned index;
    struct link_core *core;
    enum link_role role;
    bool keyed; /* frames are encrypted, with this secret and name of the line */
    uint8_t secret[SECURE_KEY];
    const char *line;
    const uint8_t *referee; /* of a judge's end, or NULL */
    uint32_t answer_us;     /* of the wire, as it sees it */
    struct layer *layer;
    /* As a sender: connections so far, and records sent in this one by class. */
    uint32_t epoch;
    uint32_t sent[2];
    /* As a receiver: the sender's connection that is being read, and what came of each. */
    uint32_t reading;
    uint32_t got[SIM_EPOCHS][2];
    uint32_t got_since_up;
    enum bl_status answer; /* to the next records */
    bool echo;             /* answer each record from within its callback */
    unsigned frames_out, wakeups;
    unsigned progress, ups, downs;
    char last_down[LINK_REASON_MAX];
    uint64_t last_got_us;
};

/* Frames that went by, to be played again. */
struct sim_tape {
    struct {
        uint8_t bytes[FRAME_MAX];
        size_t length;
        unsigned from;
    } frames[512];
    unsigned count;
};

struct sim {
    struct memory_wire *wire;
    struct sim_end end[2];
    struct sim_tape *tape; /* where frames are kept, or NULL; freed with the rest */
    uint64_t now_us;
    /* Hears each frame that is put on the wire, if there is one. */
    void (*listener)(void *ctx, unsigned end, const uint8_t *frame, size_t length);
    void *listener_ctx;
    struct dice dice;
};

uint32_t sim_roll(struct sim *sim);
struct sim_end *sim_other(struct sim_end *end);

/* Both ends are started, a judge's and an entity's; the wire has faults if there are any. */
struct sim *sim_create(uint32_t baud, uint64_t seed, const struct memory_faults *faults);
/* The same, and waits until both are up. */
struct sim *sim_up(uint32_t baud, uint64_t seed, const struct memory_faults *faults);
/* As sim_create, with the same secret at both ends. */
struct sim *sim_create_keyed(uint32_t baud, uint64_t seed, const struct memory_faults *faults);
void sim_destroy(struct sim *sim);

/* Starts an end, with its role and secret; one that was there has to be ended before. */
void sim_start(struct sim_end *end);
void sim_end(struct sim_end *end);
void sim_restart(struct sim_end *end);

/* Sends a numbered record of at least SIM_RECORD bytes, if the link takes it. */
void sim_send(struct sim_end *end, enum link_class class, size_t length);

/* Puts on the wire what the end has to send. */
void sim_pump(struct sim_end *end);

/* Runs until the time; returns true, and early, when `until` (may be NULL) says so. */
bool sim_run(struct sim *sim, uint64_t until_us, bool (*until)(struct sim *sim));

/* What a step of a storm does, by the roll of a die of 1000: below 2 the cable is unplugged for a
 * while, below `restart` an end starts again, below `keys` it sends some records as short as keys,
 * below `large` a large express record, else one in bulk. */
struct sim_odds {
    uint32_t restart, keys, large;
};
void sim_storm_step(struct sim *sim, const struct sim_odds *odds);

bool sim_both_up(struct sim *sim);
/* Both are up and all express records are acknowledged. */
bool sim_all_acked(struct sim *sim);

#endif
