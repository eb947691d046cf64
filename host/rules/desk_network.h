/* Machines whose records may come to the manager's by network: `desk-network` of a ruleset, which
 * has the most that is allowed, and of a venue. Source: 1996 r9 (no telecommunications), 2003 r20
 * (none outside the site). */
#ifndef RULES_DESK_NETWORK_H
#define RULES_DESK_NETWORK_H

/* 0 is "not said"; a later one allows more. */
enum desk_network { DESK_NETWORK_NONE = 1, DESK_NETWORK_JUDGES, DESK_NETWORK_ALL };

extern const char *const desk_network_words[]; /* ends with NULL */

#endif
