/* Packets between a terminal and the program of ours that serves a stranger's protocol, on one
 * socket of theirs alone. The terminal tells all that holds, each time: a packet lost for want of
 * room is made good by the next. Keys of both parties come in their one order, by which a client
 * that comes back is told the conversation. */
#ifndef ENTITY_APART_TOLD_H
#define ENTITY_APART_TOLD_H

#include "session/event.h"

#define APART_SOCKET 3 /* descriptors of that program: this socket, */
#define APART_PORT   4 /* and the one that listens */

#define APART_KEYS 4096 /* of a packet of the terminal's, */
#define APART_SAID 256  /* and of the other's */

/* The first packet, once. */
struct apart_begin {
    char secret[68]; /* "" any will do */
    bool boxed;      /* nobody but the Entry in its sandbox reaches the port */
};

/* From the terminal. A key is its point, times two, and its party. */
struct apart_told {
    uint64_t granted; /* so many keys it may have handed over since it was started, in all */
    uint64_t given;   /* of the session's beginning: see lpp2_session() */
    uint64_t from;    /* the keys are those after this number of the order, */
    uint32_t count;   /* so many; or the answer to APART_ASKS, which is not of the order */
    uint32_t session; /* counts the sessions; 0: none yet */
    uint32_t round;
    uint32_t last; /* counts the times at which the terminal asks if all has been sent */
    bool started, ended, answers;
    uint32_t key[APART_KEYS];
};

enum apart_kind {
    APART_TYPES, /* count keys */
    APART_NOTES, /* an outcome: event, count, text */
    APART_KNOWS, /* given; and all has been sent, asked for `last` times */
    APART_ASKS   /* for the Entry's keys that are not among the first `given` of the order */
};

struct apart_said {
    uint32_t kind, event, count, last;
    uint32_t session; /* in which the keys were said */
    uint64_t given;
    union {
        struct {
            uint64_t pressed_us; /* monotonic */
            uint32_t point;
        } key[APART_SAID];
        char text[NOTE_MAX + 1];
    } as;
};

#endif
