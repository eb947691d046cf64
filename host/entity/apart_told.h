/* Packets between a terminal, or a keeper, and an adapter: a program of ours for a stranger's
 * protocol. The stranger cannot reach their socket.
 *
 * * An adapter that a terminal has started has this socket alone. Each packet of the terminal has
 * the whole state, with the keys of both parties in their order.
 *
 * * An adapter that a keeper has started, as an Entry's program, has the keys on its input and
 * output. It sends its outcomes (APART_NOTES) to the keeper, which passes them on to the
 * terminal. */
#ifndef ENTITY_APART_TOLD_H
#define ENTITY_APART_TOLD_H

#include "session/event.h"

/* Descriptors of an adapter. In a sandbox 3 is the adapter's own program; 4 may be a brief
 * (chat_brief.h). */
#define APART_SOCKET 5 /* the socket of the packets */
#define APART_PORT   6 /* the listening socket */

#define APART_KEYS 4096 /* most keys in a packet from the terminal */
#define APART_SAID 256  /* most keys in a packet from the adapter */

/* The first packet, once. */
struct apart_begin {
    char secret[68]; /* "": any name */
    bool boxed;      /* only the Entry, in its sandbox, reaches the port */
};

/* From the terminal. A key is encoded as twice its point, plus its party. */
struct apart_told {
    uint64_t granted; /* number of keys that the adapter may hand over since its start */
    uint64_t given;   /* `given` of lpp2_session(), at the session's start */
    uint64_t from;    /* the packet's keys follow this number of the order */
    uint32_t count;   /* number of the packet's keys; with `answers` they are the answer to
                       * APART_ASKS, outside of the order */
    uint32_t session; /* number of sessions so far; 0: none yet */
    uint32_t round;
    uint32_t last; /* number of the last question, whether the Entry has been sent all keys */
    bool started, ended, answers;
    uint32_t key[APART_KEYS];
};

enum apart_kind {
    APART_TYPES,
    APART_NOTES, /* an outcome: event (enum apart_news), count, text */
    APART_KNOWS, /* the Entry has been sent all keys, as of question `last` */
    APART_ASKS   /* asks for the Entry's keys after the first `given` of the order */
};

enum apart_news {
    APART_TELLS,   /* the present state */
    APART_IGNORES, /* some input of the stranger was dropped */
    APART_IS_THERE /* the stranger can be asked from now on */
};

/* The part that the kind uses is sent: see apart_length(). */
struct apart_said {
    uint32_t kind, event, count, last;
    uint32_t session; /* APART_TYPES: number of the session in which the keys were typed */
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
    APART_NOTHING,
    APART_TAKEN,
    APART_OVER /* the other end is closed, or has sent an invalid packet */
};

/* Takes a packet without waiting. Control characters in its text become "?". */
enum apart_taken apart_take(int socket, struct apart_said *said);

#endif
