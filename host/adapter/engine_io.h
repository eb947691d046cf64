/* Engine.IO, revision 3, and the packets of Socket.IO in it, as clients of 2016 to 2019 speak them:
 * socket.io-client 1.x and 2.x. Pure: bytes in, bytes out.
 *
 * A packet is a digit and its data: one message of a WebSocket. Over polling several of them are
 * a payload: "LENGTH:PACKET..." as text, LENGTH in UTF-16 units; or, where the client's query has
 * no b64=1, as bytes: 0, the decimals of the length in bytes as bytes 0 to 9, 255, the packet.
 *
 * Source: engine.io-protocol, revision 3; socket.io-protocol, revision 4; the packets of these
 * clients. Packets with binary data are not supported. */
#ifndef ADAPTER_ENGINE_IO_H
#define ADAPTER_ENGINE_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum engine_type {
    ENGINE_OPEN = '0',
    ENGINE_CLOSE = '1',
    ENGINE_PING = '2',
    ENGINE_PONG = '3',
    ENGINE_MESSAGE = '4',
    ENGINE_UPGRADE = '5',
    ENGINE_NOOP = '6'
};

struct engine_packet {
    enum engine_type type;
    uint8_t *data;
    size_t length;
};

/* Reads one packet. False: an empty packet, or an unknown type. */
bool engine_packet_read(uint8_t *bytes, size_t length, struct engine_packet *packet);

/* A payload being read. The caller sets all members. The bytes are overwritten in place. */
struct engine_payload {
    uint8_t *at;
    size_t left;
    bool binary;
};

enum engine_next { ENGINE_PACKET, ENGINE_END, ENGINE_BAD };

/* Reads the next packet. Clients 1.x encode the text of a text payload as UTF-8 twice; such text is
 * decoded again. */
enum engine_next engine_payload_next(struct engine_payload *payload, struct engine_packet *packet);

/* Appends an ASCII packet to a payload in `out`, which has `used` bytes. Returns the number of
 * bytes added; 0: no room. */
size_t engine_payload_add(uint8_t *out, size_t used, size_t room, bool binary, const char *packet,
                          size_t length);

/* Finds a field of a query "a=1&b=2". False: it is missing, or `value` is too short. */
bool engine_query(const char *query, const char *name, char *value, size_t room);

/* The types of Socket.IO packets. */
enum socket_kind {
    SOCKET_CONNECT = '0',
    SOCKET_DISCONNECT = '1',
    SOCKET_EVENT = '2',
    SOCKET_ACK = '3',
    SOCKET_ERROR = '4'
};

struct socket_packet {
    enum socket_kind kind;
    bool elsewhere;   /* the namespace is not "/" */
    const char *json; /* `length` bytes; for an event ["NAME", ...] */
    size_t length;
};

/* Reads the data of an ENGINE_MESSAGE. False if it is invalid or has binary data. */
bool socket_packet_read(const uint8_t *data, size_t length, struct socket_packet *packet);

#endif
