/* A partner for a judge's practice: a few patterns in the manner of Weizenbaum's ELIZA
 * (Communications of the ACM 9(1), 1966), typed key by key. Pure: time is an argument. */
#ifndef ENTITY_PARTNER_H
#define ENTITY_PARTNER_H

#include <stddef.h>
#include <stdint.h>

#define PARTNER_LINE 240

struct partner {
    char heard[PARTNER_LINE]; /* the judge's present line, in lower case */
    size_t length;
    char says[2 * PARTNER_LINE]; /* the answer; its first `said` bytes are typed */
    size_t said;
    unsigned turns;
    uint64_t due_us; /* time of the next key; BL_NEVER: no answer is left to type */
};

void partner_begin(struct partner *partner);

/* The judge has pressed a key. A Return starts an answer. */
void partner_hear(struct partner *partner, uint32_t point, uint64_t now_us);

/* Returns the key that the partner presses now; 0: none. Called again after each key. */
uint32_t partner_key(struct partner *partner, uint64_t now_us);

#endif
