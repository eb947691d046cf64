/* A booth pair in simulated time: the real ends, the real link protocol and real journals, on a
 * disk and a wire in memory that fail by seed. What a whole-system test does in minutes this does
 * in milliseconds, and the same seed repeats it to the byte. */
#ifndef SUPPORT_PAIR_H
#define SUPPORT_PAIR_H

#include "session/entity_end.h"
#include "session/judge_end.h"
#include "tests/support/fake_disk.h"
#include "tests/support/memory.h"
#include "tests/support/random.h"

#define PAIR_BAUD 115200

enum { J = 0, E = 1 }; /* the machines */

struct pair_machine {
    struct pair *pair;
    unsigned which;
    struct fake_disk *disk;
    struct disk face; /* of it, so that the descriptor is known here */
    int fd;
    struct journal *journal;
    struct link_core *core;
    bool link_up, running;
    uint64_t sync_us; /* when what was written is synced */
    bool refuse_disk; /* keep() fails */
    bool stuck;       /* what is written does not get onto the disk */
    uint8_t boot;     /* counts the machine's runs: a power loss ends one */
};

struct pair {
    struct memory_wire *wire;
    struct dice dice;
    uint64_t now_us;
    struct pair_machine machine[2];
    struct judge_end *judge;
    struct entity_end *entity;
    enum starts starts;
    struct style style; /* of the judge's end, which tells the other */
    bool held;          /* the entity's end, when it is started, holds keys until they are let go */
    bool listened;      /* the judge's end knows, when it is started, that somebody is */
    /* Hears each frame that is put on the wire, if there is one. */
    void (*listener)(void *ctx, unsigned end, const uint8_t *frame, size_t length);
    void *listener_ctx;
    bool open;                  /* the judge's line is to be open after a restart */
    uint64_t given, last_given; /* the judge's keys that an Entry would have got */
};

/* Both machines run, nothing is open yet. */
struct pair *pair_create(uint64_t seed, enum starts starts);
struct pair *pair_create_styled(uint64_t seed, enum starts starts, const struct style *style);
void pair_destroy(struct pair *pair);

/* Time goes on, with all that happens in it. */
void pair_run(struct pair *pair, uint64_t for_us);
/* Until both ends are live and settled and nothing is under way; fails the test after most_us. */
void pair_settle(struct pair *pair, uint64_t most_us);

struct bl_time pair_now(const struct pair *pair);

/* kill -9, or a power loss, of a machine; then it is off until it is started. */
void pair_kill(struct pair *pair, unsigned which);
void pair_power_loss(struct pair *pair, unsigned which);
void pair_lose(struct pair *pair, unsigned which, enum fake_loss loss);
/* The process ends in good order. */
void pair_close(struct pair *pair, unsigned which);
void pair_start(struct pair *pair, unsigned which);

/* A pair whose line is open and whose ends have met. */
struct pair *pair_open(enum starts starts);

/* Types, a key every 50 ms; each must be taken. */
void pair_type_judge(struct pair *pair, const char *text);
void pair_type_entity(struct pair *pair, const char *text);

/* Settles, and fails the test unless both ends have exactly this order of (ASCII) keys. */
void pair_expect(struct pair *pair, const char *order);

/* How the two orders stand to each other. */
enum pair_relation {
    PAIR_COMMON, /* one is a prefix of the other: all that a power loss leaves until they have met
                  */
    PAIR_PREFIX, /* the entity's is a prefix of the judge's */
    PAIR_EQUAL,  /* the same, and the pages too */
};

/* Fails the test unless they stand so. */
void pair_check(struct pair *pair, enum pair_relation relation);

#endif
