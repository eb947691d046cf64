#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/rules.h"

#include "rules/rulesets.h"

void rules_load(struct ruleset *ruleset, const char *name)
{
    struct bl_diag diag = {""};
    for (const struct built_text *at = ruleset_texts; at->name; at++) {
        if (strcmp(at->name, name) != 0)
            continue;
        if (ruleset_parse(ruleset, at->text, name, &diag))
            fail_msg("%s", diag.text);
        return;
    }
    fail_msg("there is no ruleset %s", name);
}
