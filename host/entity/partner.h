/* A judge's partner for practice: a few patterns in the manner of Weizenbaum's ELIZA
 * (Communications of the ACM 9(1), 1966), typed key by key. Pure: time comes in. */
#ifndef ENTITY_PARTNER_H
#define ENTITY_PARTNER_H

#include <stddef.h>
#include <stdint.h>

#define PARTNER_LINE 240

struct partner {
    char heard[PARTNER_LINE]; /* of the judge's present line, in small letters */
    size_t length;
    char says[2 * PARTNER_LINE]; /* its text, and the part typed so far */
    size_t said;
    unsigned turns;
    uint64_t due_us; /* time of the next key; BL_NEVER: it has nothing to say */
};

void partner_begin(struct partner *partner);

/* The judge pressed a key. An answer begins with his Return. */
void partner_hear(struct partner *partner, uint32_t point, uint64_t now_us);

/* The key it presses now, 0 for none; then ask again. */
uint32_t partner_key(struct partner *partner, uint64_t now_us);

#endif
