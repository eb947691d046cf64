/* The table of the checks: a row for each. Help, `validate list` and the reports come from it. */
#include "validate/entry_private.h"

#include <stddef.h>

/* clang-format off */
#define FAIL VERDICT_FAIL
#define WARN VERDICT_WARN
#define NONE VERDICT_SKIP
/* How the rulesets see a check. */
#define R1996(rule, broken) {"loebner-1996", rule, broken}
#define R2003(rule, broken) {"loebner-2003", rule, broken}
#define R2004(rule, broken) {"loebner-2004", rule, broken}
#define R2009(rule, broken) {"loebner-2009", rule, broken}
#define R2002(rule, broken) {"longbet-2002", rule, broken}
#define ENTRY(id, asks, needs, run, broken, ...) \
    {id, VALIDATE_ENTRY, asks, needs, run, broken, {__VA_ARGS__}},
#define COMMS(id, asks, needs, run, broken, ...) \
    {id, VALIDATE_COMMS, asks, needs, run, broken, {__VA_ARGS__}},

const struct check validate_checks[] = {
    ENTRY("start.time", "is ready for the judge in time", NULL, entry_start_time, FAIL, R2009("\u00a71", FAIL))
    {0},
};
