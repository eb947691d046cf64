/* "boothlink validate entry". */
#include "cli/validate.h"

int validate_entry(struct validate_args *args)
{
    struct bl_diag diag = {""};
    enum bl_status status;
    if (!args->options.program)
        return command_fail(args->command, BL_USAGE, "entry wants a program: --program CMD");
    status = validate_prepare(args, &diag);
    if (status)
        return command_fail(args->command, status, diag.text);
    args->options.kind = VALIDATE_ENTRY;
    return validate_go(args);
}
