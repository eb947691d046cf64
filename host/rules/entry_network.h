/* The networks on which an Entry's server may be: `entry-network` of a ruleset and of a venue.
 * `contest setup` and `contest tickets` refuse an Entry elsewhere. Pure.
 * Source: 1996 r9 (no telecommunications), 2003 r20 (none outside the site). */
#ifndef RULES_ENTRY_NETWORK_H
#define RULES_ENTRY_NETWORK_H

enum entry_network {
    ENTRY_NETWORK_NONE = 1, /* the Entry's own machine alone */
    ENTRY_NETWORK_SITE      /* machines of the site's network, by numeric address */
};

extern const char *const entry_network_words[]; /* ends with NULL */

/* The lowest value that allows a server's address, unix:PATH or http://HOST[:PORT][/...]. NONE: for
 * unix:PATH, localhost and the loopback. SITE: for an address of a private network. 0: no value
 * allows the address, such as a host's name. */
enum entry_network entry_network_of(const char *address);

#endif
