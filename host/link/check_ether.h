/* The part of `boothlink check` for Ethernet lines: is something plugged in, is the other end
 * there, have both ends the same secret, how long is a round trip. */
#ifndef LINK_CHECK_ETHER_H
#define LINK_CHECK_ETHER_H

#include "link/check_report.h"

/* Opens the line (ether:INTERFACE[/LINE]) and waits for the other end. A session there sees the
 * line come up and at most one unknown record. secret: the line's, SECURE_KEY bytes; NULL: not
 * encrypted. last: no other line is opened afterwards, so all privileges are given up then. Fills
 * line->ether. Returns BL_OK also if nobody answers; errors as link_open. */
enum bl_status check_ether(struct check_line *line, const uint8_t *secret, bool last);

/* Explains the findings. */
void check_judge_ether(const struct check_line *line, struct check_report *report);

#endif
