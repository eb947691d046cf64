/* Internal declarations of the exchange: probe.c calls until the ends meet; probe_talk.c asks
 * afterwards. */
#ifndef LINK_PROBE_PRIVATE_H
#define LINK_PROBE_PRIVATE_H

#include "base/bytes.h"
#include "link/probe.h"
#include "link/probe_frame.h"

enum { CYCLES = 5 };

#define SETTLE_US 40000u /* USB adapters may report their inputs 16 ms late */

enum phase { PHASE_CALL, PHASE_TALK, PHASE_FOLLOW, PHASE_OVER };

struct head {
    uint8_t type, role;
    uint32_t id, peer;
    uint16_t number;
};

struct probe {
    struct probe_settings settings;
    struct probe_callbacks callbacks;
    struct probe_result result;
    enum phase phase;
    struct frame_reader reader;
    uint32_t baud; /* the present speed */
    uint32_t peer; /* the other end's id, 0: not heard */
    uint64_t due_us;

    /* Calling. A hold is a time with the outputs at one setting. */
    uint64_t began_us;
    uint64_t sign_us;       /* time of the first sign of the other end; 0: none yet */
    unsigned setting;       /* setting of the outputs: LEVEL_RTS and LEVEL_DTR */
    unsigned settings_left; /* settings still to come in this cycle, as bits */
    uint32_t dice;
    bool called;    /* a call came in this hold */
    unsigned level; /* inputs at the last call */
    unsigned holds;
    uint8_t inputs[CYCLES][4]; /* inputs at the end of the last holds, by setting */
    uint8_t signal;            /* inputs that have been up */
    uint8_t wobble[CYCLES];    /* inputs that changed within a hold */
    unsigned moves;            /* number of holds in which inputs changed without this end */
    unsigned moved_holds;      /* number of holds since `moves` reached MOVES */
    unsigned echoes, hellos, deaf, alike;
    uint64_t strange; /* bytes since a frame came, at this speed */
    unsigned scan;    /* number of tried entries of the list of speeds; 0: not begun */
    uint64_t scan_us; /* time at which the next speed is tried */

    /* Asking. */
    uint8_t question[PROBE_BODY];
    size_t question_length;
    uint16_t number;
    unsigned step, place; /* kind of the present question, and its index within the kind */
    unsigned slot;        /* index in the list of speeds */
    bool asked;
    uint64_t until_us; /* end of the wait for an answer */
    /* Inputs of this end and of the other end: with this end's outputs at each setting, then with
     * the other end's. */
    uint8_t near[4], far[4];
    uint8_t own_near[4], own_far[4];
    uint64_t ping_us, ping_wall_us; /* time of the last test frame */

    uint16_t answered; /* number of the last answered question */
    uint8_t answer[PROBE_BODY];
    size_t answer_length;
    bool answer_waits;  /* the answer waits until the outputs have settled */
    uint32_t next_baud; /* 0: no change is due */
    uint64_t heard_us;
    uint16_t pings;
    bool done;
};

void probe_send(struct probe *probe, uint8_t type, uint16_t number, const uint8_t *body,
                size_t length);
void probe_finish(struct probe *probe, enum probe_outcome outcome);
uint64_t probe_wire_us(const struct probe *probe, size_t bytes);
void probe_put_self(const struct probe *probe, struct bytes_out *out);
void probe_get_self(struct bytes_in *in, struct probe_self *self, bool *quick);
bool probe_set_rate(struct probe *probe, uint32_t baud);

/* probe_talk.c */
void talk_begin(struct probe *probe, struct bl_time now);
void talk_tick(struct probe *probe, struct bl_time now);
void talk_answer(struct probe *probe, struct bl_time now, const struct head *head,
                 struct bytes_in *in);

/* probe_follow.c */
void follow_ask(struct probe *probe, struct bl_time now, const struct head *head,
                struct bytes_in *in);
void follow_tick(struct probe *probe, struct bl_time now);

#endif
