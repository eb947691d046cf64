/* Names a frame of another protocol in a word or two: "ARP", "IPv4 UDP port 53 (DNS)". Pure; any
 * bytes are safe. */
#ifndef LINK_FOREIGN_H
#define LINK_FOREIGN_H

#include <stddef.h>
#include <stdint.h>

#define FOREIGN_TEXT_MAX 64

/* Returns text. bytes begin with the Ethernet addresses. */
const char *foreign_text(const uint8_t *bytes, size_t length, char text[FOREIGN_TEXT_MAX]);

#endif
