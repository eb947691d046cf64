/* "boothlink validate list": the checks and their rules. */
#include "cli/contest.h"
#include "cli/validate.h"
#include "rules/rulesets.h"
#include "validate/report.h"

#include <stdio.h>
#include <stdlib.h>

/* The rulesets of a listing: one, or all built-in ones. */
struct listing {
    struct ruleset *ruleset;
    unsigned count;
    bool all;
};

static enum bl_status listing_open(struct listing *listing, const struct validate_args *args,
                                   struct bl_diag *diag)
{
    enum bl_status status = BL_OK;
    listing->all = !args->ruleset;
    listing->count = 0;
    for (const struct built_text *at = ruleset_texts; listing->all && at->name; at++)
        listing->count++;
    listing->ruleset = calloc(listing->all ? listing->count : 1, sizeof *listing->ruleset);
    if (!listing->ruleset)
        return bl_fail(diag, BL_NOMEM, "no memory");
    if (!listing->all) {
        listing->count = 1;
        status = contest_load_ruleset(listing->ruleset, args->ruleset, diag);
        return status == BL_OK ? check_names(listing->ruleset, diag) : status;
    }
    for (unsigned i = 0; status == BL_OK && i < listing->count; i++)
        status =
            ruleset_parse(&listing->ruleset[i], ruleset_texts[i].text, ruleset_texts[i].name, diag);
    return status;
}

/* Joins all rules of this check: "2004 A5, 2009 §2"; for one ruleset its own, "A5". */
static void rules_join(const struct listing *listing, const struct check *check, char *out,
                       size_t room)
{
    size_t used = 0;
    out[0] = '\0';
    for (const struct ruleset *of = listing->ruleset; of < listing->ruleset + listing->count;
         of++) {
        enum verdict broken;
        const char *rule = check_rule(check, of, &broken);
        if (rule && used < room)
            used += (size_t)snprintf(out + used, room - used, "%s%s%s%s", used ? ", " : "",
                                     listing->all ? of->cite : "", listing->all ? " " : "", rule);
    }
    if (!listing->all && !out[0])
        snprintf(out, room, "-");
}

static void print_row(const struct listing *listing, const struct check *check)
{
    char rules[120];
    enum verdict broken = check->broken;
    if (!listing->all)
        check_rule(check, listing->ruleset, &broken);
    rules_join(listing, check, rules, sizeof rules);
    printf("%-17s %-8s %-*s %s\n", check->id,
           broken == VERDICT_SKIP ? "not here" : verdict_word(broken),
           (listing->all ? 24 : 7) + report_wider(rules), rules, check->asks);
}

enum bl_status validate_list(const struct command_call *call, struct bl_diag *diag)
{
    struct validate_args *args = call->options;
    struct listing listing = {.ruleset = NULL};
    json_t *list = json_array();
    unsigned count = 0;
    enum bl_status status = listing_open(&listing, args, diag);
    for (const struct check *c = validate_checks; status == BL_OK && c->id; c++) {
        if (!check_wanted(c, args->options.only))
            continue;
        count++;
        if (args->json)
            json_array_append_new(list, report_check_json(c, listing.ruleset, listing.count));
        else
            print_row(&listing, c);
    }
    free(listing.ruleset);
    if (status == BL_OK && count == 0)
        status = bl_fail(diag, BL_USAGE,
                         "--only %.200s: there is no such check; 'list' without it has them",
                         args->options.only);
    if (status == BL_OK && args->json)
        command_json(json_incref(list), JSON_INDENT(2));
    json_decref(list);
    return status;
}
