/* The Noise handshake of a line with a secret, as pure states, and the frames of a session:
 * Noise_NNpsk0_25519_ChaChaPoly_BLAKE2b. Source: The Noise Protocol Framework, revision 34
 * (2018-07-11); sections are of it. No I/O and no clock; ephemeral keys come in as arguments.
 *
 *   NNpsk0:  -> psk, e      first message, by the initiator
 *            <- e, ee       second message, by the responder */
#ifndef LINK_SECURE_H
#define LINK_SECURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SECURE_KEY  32 /* bytes of a key, public, secret or shared */
#define SECURE_HASH 64
#define SECURE_TAG  16
/* Bytes that a handshake message adds to its payload. */
#define SECURE_MESSAGE (SECURE_KEY + SECURE_TAG)

/* A HandshakeState with its SymmetricState (section 5). The caller wipes it after use. */
struct secure_handshake {
    uint8_t chaining[SECURE_HASH], hash[SECURE_HASH];
    uint8_t key[SECURE_KEY];
    uint64_t count;
    uint8_t ephemeral[SECURE_KEY]; /* our secret key */
    uint8_t remote[SECURE_KEY];    /* the initiator's public key, at the responder */
};

/* Begins a handshake, at either end, with the line's secret and the terms that both ends must
 * share. */
void secure_begin(struct secure_handshake *handshake, const uint8_t psk[SECURE_KEY],
                  const uint8_t *prologue, size_t prologue_length);

/* Writes a message: length bytes of payload become length + SECURE_MESSAGE bytes in out. ephemeral
 * is fresh and random. _write_2 fails on a bad public key of the initiator (section 9.1 permits the
 * refusal). */
void secure_write_1(struct secure_handshake *handshake, const uint8_t ephemeral[SECURE_KEY],
                    const uint8_t *payload, size_t length, uint8_t *out);
bool secure_write_2(struct secure_handshake *handshake, const uint8_t ephemeral[SECURE_KEY],
                    const uint8_t *payload, size_t length, uint8_t *out);

/* Reads a message of length bytes, at least SECURE_MESSAGE; payload gets length - SECURE_MESSAGE.
 * After false the state is spoilt, so the caller reads possible junk with a copy. The first message
 * costs hashes only; the second costs one multiplication on the curve. */
bool secure_read_1(struct secure_handshake *handshake, const uint8_t *message, size_t length,
                   uint8_t *payload);
bool secure_read_2(struct secure_handshake *handshake, const uint8_t *message, size_t length,
                   uint8_t *payload);

/* The keys of both directions, the initiator's sending key first (section 5.2, Split). */
void secure_split(const struct secure_handshake *handshake, uint8_t from_initiator[SECURE_KEY],
                  uint8_t from_responder[SECURE_KEY]);

/* One end of a session with explicit counters (section 11.4: out-of-order transport messages). */
struct secure_session {
    uint8_t key_out[SECURE_KEY], key_in[SECURE_KEY];
    uint8_t kind;       /* first byte of the sealed frames */
    uint64_t count_out; /* number of sealed frames */
    uint64_t next_in;   /* one more than the highest opened count */
    uint8_t seen;       /* bit i: next_in - 1 - i was opened */
    bool live;
};

/* A sealed frame has a head (its kind and the low bytes of its count), then the sealed contents:
 * the frame, a byte 0x80, and zeros up to one of a few lengths. */
#define SECURE_HEAD     4
#define SECURE_OVERHEAD (SECURE_HEAD + 1 + SECURE_TAG)

/* Seals length bytes (0 allowed) into out, which has room for `room` bytes, at least length +
 * SECURE_OVERHEAD. Returns the length, one of a few. */
size_t secure_seal(struct secure_session *session, const uint8_t *frame, size_t length,
                   uint8_t *out, size_t room);

/* For a listener with the key of one direction. secure_count(): the full count of a frame, if
 * `next` is expected. secure_open_count(): opens the frame. */
uint64_t secure_count(const uint8_t *frame, uint64_t next);
bool secure_open_count(const uint8_t key[SECURE_KEY], uint64_t count, const uint8_t *frame,
                       size_t length, uint8_t *out, size_t *out_length);

/* Opens a frame once, unless more than LINK_OVERTAKE frames have overtaken it. False: any other
 * frame; the session is unchanged. out has room for length bytes. */
bool secure_open(struct secure_session *session, const uint8_t *frame, size_t length, uint8_t *out,
                 size_t *out_length);

#endif
