/* The server that an Entry of LPP v2 connects to, for the validator: it gives the Entry the judge's
 * lines, takes its messages as keys, and remembers what it did wrong. The same server as on the day
 * (entity/lpp2.h), on a loop of its own that runs only within lpp2_port_take(). */
#ifndef VALIDATE_LPP2_PORT_H
#define VALIDATE_LPP2_PORT_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

#define LPP2_PORT_KEYS  65536u /* of both parties */
#define LPP2_PORT_WRONG 240u   /* bytes of a text of what is wrong */

struct lpp2_port;

/* What the Entry did wrong since the port was made. */
struct lpp2_port_wrong {
    unsigned count;              /* things that were not taken */
    char first[LPP2_PORT_WRONG]; /* of them, in words */
    uint64_t not_keys;           /* characters of its messages that are no keys */
};

/* listening is a socket that stays the caller's, port its number for messages. Each key of the
 * Entry's is given to `key`. Errors as lpp2_open(). */
enum bl_status lpp2_port_create(struct lpp2_port **out, int listening, unsigned port,
                                void (*key)(void *ctx, uint32_t point), void *ctx,
                                struct bl_diag *diag);
void lpp2_port_destroy(struct lpp2_port *port);

/* Breaks every connection, as a terminal that is started again; what was said is kept. */
enum bl_status lpp2_port_restart(struct lpp2_port *port, struct bl_diag *diag);

/* Readable when something is to be taken; or when so many ms have passed, -1: for ever. */
int lpp2_port_fd(const struct lpp2_port *port);
int lpp2_port_wait_ms(const struct lpp2_port *port);

/* One key of the judge. false: there is no room. */
bool lpp2_port_press(struct lpp2_port *port, uint32_t point);

/* Takes and sends what there is, without waiting. */
void lpp2_port_take(struct lpp2_port *port);

/* Has the Entry registered since the port was made or restarted? */
bool lpp2_port_registered(const struct lpp2_port *port);

const struct lpp2_port_wrong *lpp2_port_wrong(const struct lpp2_port *port);

#endif
