/* The desk of a day: boothlink-desk on a machine of its own, and boothlink-courier on each machine
 * that has the network, in the simulated network of network.h. */
#ifndef WORLD_DAY_DESK_H
#define WORLD_DAY_DESK_H

#include "day.h"

/* The programs of a venue, by their first word: world_program(). */
int day_program(int argc, char **argv);

/* The machine stands there; the desk begins once the contest has its keys. Without a desk nothing
 * happens. */
void day_desk_stands(struct day *day);
void day_desk_begins(struct day *day);

/* A machine is switched on; somebody looks at it, and a courier that has ended starts again. */
void day_desk_starts(struct seat *seat);
void day_desk_looks(struct seat *seat);
void day_desk_lost_power(struct day *day, struct machine *machine);

/* True: the desk brings that machine's tickets and takes its records, and no stick has to go. It is
 * done when both are equal to the byte; or the records alone are. */
bool day_desk_reaches(const struct seat *seat);
bool day_desk_has_all(struct day *day, void *seat);
bool day_desk_is_done(struct day *day, void *seat);
/* The path of the record's copy at the desk; NULL: it comes by stick. Valid until the next call. */
const char *day_desk_record(const struct seat *seat, const char *name);

/* Looks at all copies, at the day's end. */
void day_desk_check(struct day *day);

/* Its mishaps. */
enum net_mishap {
    NET_OUT, /* a machine's network */
    NET_DROPPED,
    NET_SERVER_KILLED,
    NET_SERVER_STOPPED,
    NET_FAULTS,
    NET_DESK_OUT,
    NET_DESK_FULL,
    NET_DESK_SPOILT,
    NET_DESK_KILLED,
    NET_DESK_KILL_AT,
    NET_DESK_POWER,
    NET_DESK_POWER_AT,
    NET_COURIER_KILLED,
    NET_COURIER_KILL_AT,
    NET_COURIER_POWER_AT, /* its machine's, in the midst of the courier's work */
    NET_MISHAPS
};
extern const char *const net_mishaps[NET_MISHAPS];

void day_desk_mishap(struct seat *seat, enum net_mishap what, unsigned number, uint64_t for_us);
void day_desk_mishap_over(struct seat *seat, enum net_mishap what);

#endif
