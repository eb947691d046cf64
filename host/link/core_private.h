/* Internal declarations of the protocol: connect.c brings a connection up and down, arq.c carries
 * records within a connection, core.c joins both. listen.c uses parts. */
#ifndef LINK_CORE_PRIVATE_H
#define LINK_CORE_PRIVATE_H

#include "base/limit.h"
#include "link/core.h"
#include "link/core_frame.h"
#include "link/queue.h"

enum {
    ARQ_WINDOW = 64,      /* frames under way; a quarter of the numbers */
    ARQ_BULK_WINDOW = 48, /* no bulk frame is added to this many: the rest is for keys */
};

/* Reasons of a goodbye. An older version has no reasons, and does not recognise a BYE with a
 * reason. */
enum bye { BYE_CLOSED = 0, BYE_REFUSED = 1, BYE_VERSION = 2, BYE_FULL = 3 };

#define SILENCE_US   3000000u
#define HEARTBEAT_US 1000000u

enum slot_state { SLOT_FREE, SLOT_FLYING, SLOT_LOST, SLOT_HELD };

/* A sent frame that the other end has not yet acknowledged. */
struct arq_out {
    uint64_t sent_us;
    uint64_t order; /* number of its last transmission among all transmissions */
    uint16_t length;
    uint16_t express; /* express records that end in this frame */
    uint8_t state;    /* SLOT_HELD: the other end has this frame and lacks an earlier one */
    bool alone;
    bool resent;
};

/* A received frame that waits for earlier ones. */
struct arq_in {
    uint16_t length;
    bool alone;
    bool held;
};

struct arq {
    uint32_t base,
        next;       /* the oldest unacknowledged frame, and the next number; the low 8 bits are on
                     * the wire */
    uint64_t order; /* number of transmissions so far */
    uint64_t order_known; /* number of the latest acknowledged transmission */
    struct arq_out out[ARQ_WINDOW];
    uint16_t room; /* bytes for one payload */
    uint16_t bulk; /* bytes for a bulk payload */
    unsigned flying, lost;
    uint64_t timer_us; /* time of the last acknowledgement, or of the timer's last expiry */
    uint32_t srtt_us, rttvar_us, rto_us;
    unsigned backoff; /* expiries of the timer in a row */
    bool probe;       /* one frame may be sent although nothing is heard */
    uint32_t expected;
    struct arq_in in[ARQ_WINDOW];
    unsigned held; /* number of held frames */
    bool ack_due;
    uint64_t ack_us; /* no frame without a record before this time; 0: at once */
};

struct connection {
    /* Random number of this core: shows a restart at the other end, and shows a mirror its own. */
    uint32_t boot;
    uint32_t my_id, peer_id, peer_boot; /* while connecting, peer_id is the id of the seen end */
    uint32_t seed_out, seed_in;
    uint32_t candidate, candidate_peer,
        candidate_boot; /* the id of a connection that may follow; 0: none */
    bool confirmed;     /* a frame of this connection has come */
    bool hello_due, challenge_due;
    uint64_t hello_us; /* time of the next unprompted hello */
    uint64_t heard_us, sent_us;
    /* While connecting, for the reason in words; 0: no such time. */
    /* Time of the first and the last of the garbage, while nothing else came. */
    uint64_t garbage_us, garbage_last_us;
    /* Time of the first and the last hello that does not know this end. */
    uint64_t deaf_us, deaf_last_us;
    uint64_t trouble_us; /* the last time at which the reason held */
};

struct link_core {
    struct link_wire wire;
    struct link_callbacks callbacks;
    void *ctx;
    uint32_t (*random_u32)(void *ctx);
    enum link_role role;
    bool usable;
    bool port_failed; /* the reason comes from the medium */
    bool closed;      /* no more callbacks; only the goodbye is sent */
    unsigned byes;    /* the number of goodbyes still to be sent */
    uint64_t bye_due_us, bye_wait_us;
    enum link_state state;
    char reason[LINK_REASON_MAX];
    char waiting[LINK_REASON_MAX]; /* the text while nobody answers */
    struct connection connection;
    struct arq arq;
    struct record_queue queue[2]; /* queues by class */
    struct record_joiner joiner;
    uint64_t sent, acked; /* numbers of express records */
    bool room_wanted, progress_due;
    /* A record was refused. A BYE with the reason is due, sealed for the connection that the
     * refusal ended. No new connection is tried until quiet_us. */
    struct {
        bool due;
        uint8_t ack, why;
        uint32_t seed;
    } refusal;
    uint64_t quiet_us, backoff_us; /* end of the quiet time; length of the last one */
    uint64_t up_us;                /* the last time at which a connection came up */
    struct limit ups;              /* limits new connections */
    struct link_stats stats;
    uint8_t *payloads_out, *payloads_in; /* ARQ_WINDOW times arq.room and FRAME_MAX bytes */
};

/* core.c: changes the state and calls the callbacks. Afterwards the core may be closed. */
void core_state(struct link_core *core, enum link_state state, const char *reason);
/* The time on the wire of the largest frame. */
uint32_t core_frame_us(const struct link_core *core);
/* connect.c: looks for a partner under a new id. reason NULL: none yet. */
void connect_begin(struct link_core *core, uint64_t now_us, const char *reason);
/* Ends the connection and looks for a new one. */
void connect_drop(struct link_core *core, uint64_t now_us, const char *reason);
/* As connect_drop(), after a refused record. Also leaves the line alone for a while, longer after
 * each refusal. */
void connect_refuse(struct link_core *core, uint64_t now_us, const char *reason);
/* Takes a hello. False: the frame is not a hello. */
bool connect_hello(struct link_core *core, uint64_t now_us, const uint8_t *frame, size_t length);
/* Opens any other frame, of the present connection or of one that the frame proves. Returns the
 * length without checksum; 0: the frame belongs to neither. */
size_t connect_open(struct link_core *core, uint64_t now_us, const uint8_t *frame, size_t length);
void connect_garbage(struct link_core *core, uint64_t now_us);
/* Reports a fault of the line for three seconds. */
void connect_trouble(struct link_core *core, uint64_t now_us, const char *reason);
void connect_tick(struct link_core *core, uint64_t now_us);
uint64_t connect_deadline(const struct link_core *core);
size_t connect_output(struct link_core *core, uint8_t *out);

/* arq.c: begins a connection with empty state. */
void arq_begin(struct link_core *core, uint64_t now_us);
/* Takes an opened frame. False: no end of this link sends such a frame. */
bool arq_frame(struct link_core *core, uint64_t now_us, const uint8_t *frame, size_t length);
void arq_tick(struct link_core *core, uint64_t now_us);
uint64_t arq_deadline(const struct link_core *core);

/* Makes an answer due: at once, or within wire.answer_us. */
void arq_answer(struct link_core *core, uint64_t now_us);
size_t arq_output(struct link_core *core, uint64_t now_us, uint8_t *out);
/* Writes an acknowledgement without a payload. */
size_t arq_last(struct link_core *core, uint8_t *out);

#endif
