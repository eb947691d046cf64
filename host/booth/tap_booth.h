/* The referee's passive listener: on an Ethernet interface, or with two receivers of a Y-cable. */
#ifndef BOOTH_TAP_BOOTH_H
#define BOOTH_TAP_BOOTH_H

#include "booth/tap_book.h"

/* The places of listening: an interface, or receivers. The caller keeps the strings. */
struct tap_places {
    const char *interface, *serial[2];
    unsigned serials;
    const char *write; /* a pcap file for the interface's frames; NULL: none */
};

/* Listens until a signal ends it. Reports on standard output. */
enum bl_status tap_booth_run(const struct tap_places *places, const struct tap_listener *listener,
                             struct bl_diag *diag);

#endif
