/* "boothlink version": ours, and those of the libraries that it runs with. */
#include "base/version.h"
#include "cli/command.h"

#include <curses.h>
#include <jansson.h>
#include <libserialport.h>
#include <sodium.h>
#include <uv.h>

struct version_options {
    bool json;
};

static enum bl_status version_run(const struct command_call *call, struct bl_diag *diag)
{
    const struct version_options *options = call->options;
    const struct {
        const char *name;
        const char *version;
    } parts[] = {
        {"boothlink", BL_VERSION},
        {"libuv", uv_version_string()},
        {"libserialport", sp_get_package_version_string()},
        {"ncurses", curses_version()},
        {"libsodium", sodium_version_string()},
        {"jansson", jansson_version_str()},
    };
    const size_t count = sizeof parts / sizeof parts[0];
    (void)diag;
    if (options->json) {
        json_t *object = json_object();
        for (size_t i = 0; i < count; i++)
            json_object_set_new(object, parts[i].name, json_string(parts[i].version));
        command_json(object, JSON_COMPACT);
        return BL_OK;
    }
    for (size_t i = 0; i < count; i++)
        printf("%s %s\n", parts[i].name, parts[i].version);
    return BL_OK;
}

static const struct command_option version_options[] = {
    OPTION_JSON(struct version_options, "print one JSON object"),
    {0},
};

const struct command command_version = {
    .name = "version",
    .synopsis = "[--json]",
    .help = "print the version, and those of the libraries",
    .text = "Prints the version of boothlink and, for reports of faults, those of the libraries "
            "that it runs with, one on a line.",
    .options = version_options,
    .size = sizeof(struct version_options),
    .run = version_run,
};
