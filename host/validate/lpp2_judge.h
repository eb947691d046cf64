/* The validator's server for an Entry of LPP v2. The Entry receives the judge's lines; its messages
 * are taken as keys, and its faults are kept. The server is the contest's own (adapter/lpp2.h), on
 * a loop that runs inside lpp2_judge_take(). */
#ifndef VALIDATE_LPP2_JUDGE_H
#define VALIDATE_LPP2_JUDGE_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

#define LPP2_JUDGE_KEYS  65536u /* most keys of both parties */
#define LPP2_JUDGE_WRONG 240u   /* bytes of a fault's text */

struct lpp2_judge;

/* The Entry's faults since lpp2_judge_create(). */
struct lpp2_judge_wrong {
    unsigned count;               /* number of refused messages */
    char first[LPP2_JUDGE_WRONG]; /* description of the first */
    uint64_t not_keys;            /* characters that are not keys, in messages */
};

/* Makes the server. `listening` is a socket of the caller; `port` is the socket's port, for
 * messages. Each key of the Entry is passed to `key`. Errors as lpp2_open(). */
enum bl_status lpp2_judge_create(struct lpp2_judge **out, int listening, unsigned port,
                                 void (*key)(void *ctx, uint32_t point), void *ctx,
                                 struct bl_diag *diag);
void lpp2_judge_destroy(struct lpp2_judge *judge);

/* Breaks every connection, like a restarted terminal; the conversation is kept. */
enum bl_status lpp2_judge_restart(struct lpp2_judge *judge, struct bl_diag *diag);

/* lpp2_judge_fd(): readable if lpp2_judge_take() has work. lpp2_judge_wait_ms(): the ms until a
 * timer gives it work; -1: never. */
int lpp2_judge_fd(const struct lpp2_judge *judge);
int lpp2_judge_wait_ms(const struct lpp2_judge *judge);

/* Types one key of the judge. False if there is no room. */
bool lpp2_judge_press(struct lpp2_judge *judge, uint32_t point);

void lpp2_judge_take(struct lpp2_judge *judge);

/* True if the Entry has registered since creation or the last restart. */
bool lpp2_judge_registered(const struct lpp2_judge *judge);

const struct lpp2_judge_wrong *lpp2_judge_wrong(const struct lpp2_judge *judge);

#endif
