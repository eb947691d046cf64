#include "contest/venue.h"

#include "rules/entry_network.h"

/* True for older rulesets, without `desk-network`, that allow Entries no network. They allow no
 * desk. */
static bool is_of_entries(const struct ruleset *rules)
{
    return !rules->desk_network && rules->entry_network == ENTRY_NETWORK_NONE;
}

static enum desk_network most(const struct ruleset *rules)
{
    return is_of_entries(rules)  ? DESK_NETWORK_NONE
           : rules->desk_network ? (enum desk_network)rules->desk_network
                                 : DESK_NETWORK_ALL;
}

static struct rule cited(const struct ruleset *rules)
{
    return ruleset_rule(rules, "session", is_of_entries(rules) ? "entry-network" : "desk-network",
                        0);
}

enum desk_network venue_desk_network(const struct venue *venue, const struct ruleset *rules)
{
    enum desk_network allowed = most(rules);
    return venue && venue->desk_network && venue->desk_network < (int)allowed
               ? (enum desk_network)venue->desk_network
               : allowed;
}

enum bl_status venue_check_desk(const struct venue *venue, const struct ruleset *rules,
                                struct bl_diag *diag)
{
    enum desk_network allowed = most(rules);
    if (venue->desk_network <= (int)allowed)
        return BL_OK;
    return bl_fail(diag, BL_DATA, "desk-network = %s: these rules allow no %s (%s): expected %s",
                   desk_network_words[venue->desk_network - 1],
                   allowed == DESK_NETWORK_NONE ? "network" : "entity's machine on a network",
                   cited(rules).text, allowed == DESK_NETWORK_NONE ? "none" : "none or judges");
}

enum bl_status venue_begin_desk(const struct venue *venue, const struct ruleset *rules,
                                struct bl_diag *diag)
{
    if (venue_desk_network(venue, rules) != DESK_NETWORK_NONE)
        return BL_OK;
    return bl_fail(diag, BL_DATA,
                   "there is no desk, for desk-network is none (%s): sticks bring the records",
                   most(rules) == DESK_NETWORK_NONE ? cited(rules).text : "the venue");
}
