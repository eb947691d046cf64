/* The keys that let a referee listen. The line's secret alone does not let a listener read the
 * words of the two ends. So the judge's end gives the keys of each session to the referee, in
 * frames of kind PASS. They are sealed to the referee's public key (crypto_box_seal of libsodium).
 * Their mac has a key made from the line's secret, so the public key alone makes no session. The
 * sealed time shows whether a conversation is a recording. A PASS that is longer than the medium's
 * frames goes in parts:
 *
 * * kind, part and number of parts (four bits each), the mac's first bytes, a piece */
#ifndef LINK_SECURED_PASS_H
#define LINK_SECURED_PASS_H

#include "link/secure.h"

enum {
    PASS_MAC = 16,
    PASS_TIME = 8,
    PASS_SEALED = 48 + 2 * SECURE_KEY + PASS_TIME,
    PASS_LENGTH = PASS_SEALED + PASS_MAC,
    PASS_ID = 4,
    PASS_HEAD = 2 + PASS_ID,
    PASS_PARTS = 8,
};

/* The key of a line's macs: the part of the line's secret that a referee has. */
void pass_line(uint8_t mac_key[SECURE_KEY], const uint8_t psk[SECURE_KEY], const char *line);

/* The sealed contents. The caller wipes them after use. */
struct pass_keys {
    uint8_t from_judge[SECURE_KEY], from_entity[SECURE_KEY];
    uint64_t wall_us; /* time of sealing, by the judge's clock */
};

void pass_make(uint8_t pass[PASS_LENGTH], const uint8_t referee[SECURE_KEY],
               const uint8_t mac_key[SECURE_KEY], const struct pass_keys *keys);

/* Writes part number `part` as a frame of at most room bytes. Returns its length; 0: there is no
 * such part. */
size_t pass_part(const uint8_t pass[PASS_LENGTH], unsigned part, uint8_t *out, size_t room);

/* Collects the parts. All zeros at the start. */
struct pass_reader {
    uint8_t pass[PASS_LENGTH], id[PASS_ID];
    uint8_t parts; /* bits of the parts received */
};

/* Takes a part. True: the PASS is complete; its origin is not yet proven. */
bool pass_take(struct pass_reader *reader, const uint8_t *frame, size_t length);

/* Opens a complete PASS. False: no end of the line made the PASS, or it is for another referee. */
bool pass_open(const uint8_t pass[PASS_LENGTH], const uint8_t referee_public[SECURE_KEY],
               const uint8_t referee_secret[SECURE_KEY], const uint8_t mac_key[SECURE_KEY],
               struct pass_keys *keys);

#endif
