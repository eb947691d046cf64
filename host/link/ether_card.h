/* An Ethernet interface opened for the frames of one line, by libpcap. Other frames do not wake the
 * process. */
#ifndef LINK_ETHER_CARD_H
#define LINK_ETHER_CARD_H

#include "link/interfaces.h"

#include <stdint.h>

struct ether_card;

/* Opens the interface, up or down (down only while the loopback interface is up). line: the frames
 * of this line are heard; "": of all lines; NULL: all frames, to any address. This call needs
 * CAP_NET_RAW. The machine's own frames are not seen. On any error nothing is left open, and diag
 * has the line for a person: BL_NOINPUT, BL_NOPERM, BL_UNAVAIL, BL_IO. */
enum bl_status ether_card_open(struct ether_card **out, const struct interface_info *info,
                               const char *line, struct bl_diag *diag);
void ether_card_close(struct ether_card *card);

int ether_card_fd(const struct ether_card *card);

/* Hands over the waiting frames, at most ETHER_CARD_BATCH, so that a flood leaves time for other
 * work. Returns their number. */
#define ETHER_CARD_BATCH 64
int ether_card_receive(struct ether_card *card,
                       void (*frame)(void *ctx, const uint8_t *bytes, size_t length), void *ctx);
/* Stops the running ether_card_receive after the present frame. */
void ether_card_stop(struct ether_card *card);

/* Puts a frame on the wire. A frame that the card does not take is lost, as on the wire. */
void ether_card_send(struct ether_card *card, const uint8_t *bytes, size_t length);

/* Binds to an interface that was lost and returned, perhaps under another index. Needs no
 * privilege. */
bool ether_card_rebind(struct ether_card *card, unsigned index);

/* Clears a pending error of the descriptor, such as "the interface went down". */
void ether_card_clear(struct ether_card *card);

#endif
