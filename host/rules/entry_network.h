/* Networks that an Entry's server may be behind: `entry-network` of a ruleset and of a venue.
 * `contest setup` and `contest tickets` refuse an Entry elsewhere. Pure.
 * Source: 1996 r9 (no telecommunications), 2003 r20 (none outside the site). */
#ifndef RULES_ENTRY_NETWORK_H
#define RULES_ENTRY_NETWORK_H

/* 0 is "not said". */
enum entry_network {
    ENTRY_NETWORK_NONE = 1, /* the Entry's own machine alone */
    ENTRY_NETWORK_SITE      /* machines of the site's own network, named by their numbers */
};

extern const char *const entry_network_words[]; /* ends with NULL */

/* The least word that allows a server's address: NONE for unix:PATH, localhost and the loopback;
 * SITE for a number of a private network; 0, which no word allows, for all else. A name is such:
 * where it leads is known to its look-up alone. address: unix:PATH, or http://HOST[:PORT][/...]. */
enum entry_network entry_network_of(const char *address);

#endif
