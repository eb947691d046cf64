/* The part of `boothlink check` for Ethernet lines. It tests the cable, the other end's presence,
 * the secret of both ends, and the round trip. */
#ifndef LINK_CHECK_ETHER_H
#define LINK_CHECK_ETHER_H

#include "link/check_report.h"

/* Opens the line (ether:INTERFACE[/LINE]) and waits for the other end. A session at the other end
 * sees the line come up, and at most one unknown record. secret: the line's, SECURE_KEY bytes;
 * NULL: not encrypted. last: no other line is opened afterwards, so all privileges are given up.
 * Fills in line->ether. BL_OK: also without an answer. Errors as link_open. */
enum bl_status check_ether(struct check_line *line, const uint8_t *secret, bool last);

/* Adds the findings of an Ethernet line, in words, and the next steps. */
void check_judge_ether(const struct check_line *line, struct check_report *report);

#endif
