/* The machines that may send records to the manager's machine by network. A ruleset's
 * `desk-network` is the limit; a venue's may allow less. Source: 1996 r9 (no telecommunications),
 * 2003 r20 (none outside the site). */
#ifndef RULES_DESK_NETWORK_H
#define RULES_DESK_NETWORK_H

/* 0: not said. Each value allows more than the one before. */
enum desk_network { DESK_NETWORK_NONE = 1, DESK_NETWORK_JUDGES, DESK_NETWORK_ALL };

extern const char *const desk_network_words[]; /* ends with NULL */

#endif
