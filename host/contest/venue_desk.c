#include "contest/venue.h"

#include "rules/entry_network.h"

/* Rules that allow no telecommunications at all allow an Entry no network either. */
static bool is_forbidden(const struct ruleset *rules)
{
    return rules->entry_network == ENTRY_NETWORK_NONE;
}

enum desk_network venue_desk_network(const struct venue *venue, const struct ruleset *rules)
{
    if (is_forbidden(rules))
        return DESK_NETWORK_NONE;
    return venue && venue->desk_network ? (enum desk_network)venue->desk_network : DESK_NETWORK_ALL;
}

enum bl_status venue_check_desk(const struct venue *venue, const struct ruleset *rules,
                                struct bl_diag *diag)
{
    if (venue->desk_network <= DESK_NETWORK_NONE || !is_forbidden(rules))
        return BL_OK;
    return bl_fail(diag, BL_DATA,
                   "desk-network = %s: these rules allow no network (%s): expected none",
                   desk_network_words[venue->desk_network - 1],
                   ruleset_rule(rules, "session", "entry-network", 0).text);
}

enum bl_status venue_begin_desk(const struct venue *venue, const struct ruleset *rules,
                                struct bl_diag *diag)
{
    if (venue_desk_network(venue, rules) != DESK_NETWORK_NONE)
        return BL_OK;
    return bl_fail(diag, BL_DATA,
                   "there is no desk, for desk-network is none (%s): sticks bring the "
                   "records",
                   is_forbidden(rules) ? ruleset_rule(rules, "session", "entry-network", 0).text
                                       : "the venue");
}
