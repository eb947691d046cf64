/* The referee's passive listener: on an Ethernet interface, or with two receivers of a Y-cable. */
#ifndef BOOTH_TAP_BOOTH_H
#define BOOTH_TAP_BOOTH_H

#include "booth/tap_book.h"

/* Where it listens: at the interface, or with the receivers. Strings are the caller's. */
struct tap_places {
    const char *interface, *serial[2];
    unsigned serials;
    const char *write; /* a pcap file for the interface's frames; NULL: none */
};

/* Listens, and tells on standard output what it hears, until a signal ends it. */
enum bl_status tap_booth_run(const struct tap_places *places, const struct tap_listener *listener,
                             struct bl_diag *diag);

#endif
