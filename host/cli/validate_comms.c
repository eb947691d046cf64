/* "boothlink validate comms". */
#include "cli/validate.h"

#include <stdlib.h>
#include <string.h>

/* True for rates such as "1,2,20", each from 1 to 100. */
static bool rates_good(const char *rates)
{
    do {
        char *end;
        unsigned long rate = strtoul(rates, &end, 10);
        if (*rates < '0' || *rates > '9' || rate < 1 || rate > 100 || (*end && *end != ','))
            return false;
        rates = *end ? end + 1 : end;
    } while (*rates);
    return true;
}

/* True if the command of an end names the line. */
static bool names_line(const char *end, enum validate_cable cable)
{
    return strstr(end, "{port}") ||
           (cable == CABLE_ETHERNET && (strstr(end, "{here}") || strstr(end, "{there}")));
}

enum bl_status validate_comms(const struct command_call *call, struct bl_diag *diag)
{
    struct validate_args *args = call->options;
    const struct validate_options *o = &args->options;
    if (!args->text.program || !o->judge_end || !o->entity_end)
        return bl_fail(diag, BL_USAGE, "missing %s",
                       !args->text.program ? "--program CMD, the Entry"
                       : !o->judge_end     ? "--judge-end CMD"
                                           : "--entity-end CMD");
    if (!names_line(o->judge_end, o->cable) || !names_line(o->entity_end, o->cable))
        return bl_fail(diag, BL_USAGE, "%s",
                       o->cable == CABLE_ETHERNET
                           ? "the ends are told their line in place of {port}, {here} or "
                             "{there}: --judge-end './comms judge {there}' and the like"
                           : "the ends are told their line in place of {port}: --judge-end "
                             "'./comms judge {port}' and the like");
    if (!rates_good(o->rates))
        return bl_fail(diag, BL_USAGE,
                       "--rates %.40s: expected numbers from 1 to 100, separated by commas",
                       o->rates);
    args->options.kind = VALIDATE_COMMS;
    return validate_go(args, call, diag);
}
