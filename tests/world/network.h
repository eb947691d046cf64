/* The venue's network between couriers and desk, with its one server, in the place of
 * host/post/nats/carrier.c. Messages keep their order, but for those that waited where the way was
 * cut for a while; a connection over which nothing came for 6 s is given up by its client, who
 * tries again once a second. What is on its way then is lost. */
#ifndef WORLD_NETWORK_H
#define WORLD_NETWORK_H

#include "world.h"

/* The server is killed: all connections end; or it is there again. There at first. */
void network_server(bool there);
/* It stands still for so long: nothing goes through, and nobody is told. */
void network_stop(uint64_t for_us);
/* A machine's cable is out, or in again. */
void network_plug(const struct machine *machine, bool plugged);
/* A firewall forgets a machine's connections and tells nobody. */
void network_drop(const struct machine *machine);
/* Of a thousand messages so many are lost, so many come twice, and so many come late, behind
 * later ones. */
void network_faults(unsigned per_thousand);

/* Before a message leaves a machine. */
struct network_tap {
    void *ctx;
    void (*sent)(void *ctx, const struct machine *from, const char *subject, const uint8_t *bytes,
                 size_t length);
};
void network_tap(const struct network_tap *tap);
/* Messages that came where they were sent to. */
unsigned network_arrived(void);

#endif
