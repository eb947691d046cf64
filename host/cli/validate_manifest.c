/* "boothlink validate manifest": the manifest of a handed-in Entry. */
#include "cli/validate.h"
#include "entity/manifest.h"
#include "entity/place.h"

enum bl_status validate_manifest(const struct command_call *call, struct bl_diag *diag)
{
    const struct validate_args *args = call->options;
    char folder[PATH_MAX];
    unsigned files = 0;
    enum bl_status status = BL_OK;
    if (!args->text.program)
        status = bl_fail(diag, BL_USAGE, "missing --program CMD");
    if (status == BL_OK)
        status = place_folder(args->options.folder, folder, diag);
    if (status == BL_OK)
        status = manifest_write(folder, args->text.program, &files, diag);
    if (status == BL_OK)
        command_print("%s/" MANIFEST_NAME ": %u file%s; hand the folder in as it is now\n", folder,
                      files, BL_S(files));
    return status;
}
