/* The part of `boothlink check` for Ethernet lines: is something plugged in, is the other end
 * there, do the keys fit, how long is a round trip. */
#ifndef LINK_CHECK_ETHER_H
#define LINK_CHECK_ETHER_H

#include "link/check_report.h"

/* Opens the line (ether:INTERFACE[/LINE]) and waits for the other end. A session there hears
 * nothing of the check but that the line is up. key: SECURE_KEY bytes, or NULL for a cable in
 * sight, without a key. last: nothing more is opened, so all privileges are given up once this line
 * is. Fills line->ether. Returns BL_OK also where nobody answers; else as link_open. */
enum bl_status check_ether(struct check_line *line, const uint8_t *key, bool last);

/* What that means. */
void check_judge_ether(const struct check_line *line, struct check_report *report);

#endif
