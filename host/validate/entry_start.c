/* Does the Entry start as it must? */
#include "validate/entry_private.h"

ENTRY_CHECK(entry_start_time)
{
    struct validate *v = validate;
    const struct sandbox_facts *facts;
    if (!interview_start(v, false))
        return;
    facts = sandbox_facts(drive_sandbox(v->drive));
    (void)facts;
    finding_pass(finding, "waits for the judge");
}
