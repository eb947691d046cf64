/* Packets of an adapter, a program of ours for a stranger's protocol, on a socket out of the
 * stranger's reach: so nothing of his is taken for the adapter's word.
 *
 * An adapter that a terminal itself has started speaks there alone. The terminal tells the whole
 * state, each time: a packet lost for want of room is made good by the next. Keys of both parties
 * come in their one order, for telling a returning client the conversation.
 *
 * One that a keeper has started, as an Entry's program, has the keys on its input and output, and
 * tells the keeper its outcomes (APART_NOTES), which go on to the terminal. */
#ifndef ENTITY_APART_TOLD_H
#define ENTITY_APART_TOLD_H

#include "session/event.h"

/* Descriptors of an adapter. Some have their own program and a brief (chat_brief.h) at 3 and 4. */
#define APART_SOCKET 5 /* this socket, */
#define APART_PORT   6 /* the listening socket */

#define APART_KEYS 4096 /* of a packet from the terminal, */
#define APART_SAID 256  /* and from the adapter */

/* The first packet, once. */
struct apart_begin {
    char secret[68]; /* "": any name */
    bool boxed;      /* only the Entry in its sandbox reaches the port */
};

/* From the terminal. A key is its point times two, plus its party. */
struct apart_told {
    uint64_t granted; /* total number of keys that may be handed over since the start */
    uint64_t given;   /* of the session's start: see lpp2_session() */
    uint64_t from;    /* the keys of the packet follow this number of the order, */
    uint32_t count;   /* their number; or the answer to APART_ASKS, outside of the order */
    uint32_t session; /* number of sessions so far; 0: none yet */
    uint32_t round;
    uint32_t last; /* number of questions whether everything has been sent */
    bool started, ended, answers;
    uint32_t key[APART_KEYS];
};

enum apart_kind {
    APART_TYPES, /* count keys */
    APART_NOTES, /* an outcome: event (enum apart_news), count, text */
    APART_KNOWS, /* everything given has been sent, as of question `last` */
    APART_ASKS   /* asks for the Entry's keys after the first `given` of the order */
};

enum apart_news {
    APART_TELLS,   /* the present state */
    APART_IGNORES, /* something from the stranger was not taken */
    APART_IS_THERE /* the stranger can be asked now */
};

/* A kind's part of a packet is sent: see apart_length(). */
struct apart_said {
    uint32_t kind, event, count, last;
    uint32_t session; /* the keys were said in this turn */
    uint64_t given;
    union {
        struct {
            uint64_t pressed_us; /* monotonic */
            uint32_t point;
        } key[APART_SAID];
        char text[NOTE_MAX + 1]; /* ends with its NUL */
    } as;
};

/* The length of the packet in bytes; 0: not a packet. */
size_t apart_length(const struct apart_said *said);

enum apart_taken {
    APART_NOTHING, /* nothing has come */
    APART_TAKEN,
    APART_OVER /* the other end is closed, or has sent an invalid packet */
};

/* Takes a packet without waiting. Control characters in its text become "?": the adapter has read
 * strangers' bytes. */
enum apart_taken apart_take(int socket, struct apart_said *said);

#endif
