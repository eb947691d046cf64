/* A venue's cluster of nats-servers, instead of the desk's own child. The venue runs the servers.
 * Each includes a file written by the desk: boothlink-network(7). */
#ifndef DESK_PROGRAM_CLUSTER_H
#define DESK_PROGRAM_CLUSTER_H

#include "post/server_config.h"

#define CLUSTER_CONFIG "cluster.conf"

/* Writes FOLDER/cluster.conf for `places`, and reads the seed of the desk's own key from
 * FOLDER/desk.key; a missing key is made. Errors of files; BL_DATA: not such a key. */
enum bl_status cluster_open(uint8_t seed[POST_SECRET], const char *folder,
                            const struct post_keys *places, size_t count, struct bl_diag *diag);

#endif
