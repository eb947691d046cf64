/* The server an Entry of LPP v2 connects to, for the validator: the Entry gets the judge's lines,
 * its messages are taken as keys, and its faults remembered. The same server as on the day
 * (adapter/lpp2.h), on a loop of its own, run only within lpp2_judge_take(). */
#ifndef VALIDATE_LPP2_JUDGE_H
#define VALIDATE_LPP2_JUDGE_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

#define LPP2_JUDGE_KEYS  65536u /* of both parties */
#define LPP2_JUDGE_WRONG 240u   /* bytes of a fault's text */

struct lpp2_judge;

/* The Entry's faults since the judge was made. */
struct lpp2_judge_wrong {
    unsigned count;               /* things not taken */
    char first[LPP2_JUDGE_WRONG]; /* of them, in words */
    uint64_t not_keys;            /* characters of its messages without a key */
};

/* listening is a socket of the caller's, port its number for messages. Each key of the Entry's is
 * given to `key`. Errors as lpp2_open(). */
enum bl_status lpp2_judge_create(struct lpp2_judge **out, int listening, unsigned port,
                                 void (*key)(void *ctx, uint32_t point), void *ctx,
                                 struct bl_diag *diag);
void lpp2_judge_destroy(struct lpp2_judge *judge);

/* Breaks every connection, as a terminal started again; the conversation is kept. */
enum bl_status lpp2_judge_restart(struct lpp2_judge *judge, struct bl_diag *diag);

/* Readable when something is to be taken; or when so many ms have passed, -1: for ever. */
int lpp2_judge_fd(const struct lpp2_judge *judge);
int lpp2_judge_wait_ms(const struct lpp2_judge *judge);

/* One key of the judge. false: there is no room. */
bool lpp2_judge_press(struct lpp2_judge *judge, uint32_t point);

/* Takes and sends waiting messages, without waiting. */
void lpp2_judge_take(struct lpp2_judge *judge);

/* Has the Entry registered since the judge was made or restarted? */
bool lpp2_judge_registered(const struct lpp2_judge *judge);

const struct lpp2_judge_wrong *lpp2_judge_wrong(const struct lpp2_judge *judge);

#endif
