/* "boothlink version": ours, and those of the libraries that it runs with. */
#include "base/version.h"
#include "cli/command.h"

#include <curses.h>
#include <jansson.h>
#include <libserialport.h>
#include <sodium.h>
#include <string.h>
#include <sysexits.h>
#include <uv.h>

static int version_run(const struct command *command, int argc, char **argv)
{
    struct command_walk walk = {.command = command, .argc = argc, .argv = argv};
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
    const char *name;
    bool json = false;

    while ((name = command_next(&walk))) {
        if (walk.bare)
            return command_fail(command, BL_USAGE, "takes no argument");
        json = true;
    }
    if (walk.status || walk.helped)
        return bl_status_exit(walk.status);
    if (json) {
        json_t *object = json_object();
        for (size_t i = 0; i < count; i++)
            json_object_set_new(object, parts[i].name, json_string(parts[i].version));
        json_dumpf(object, stdout, JSON_PRESERVE_ORDER | JSON_COMPACT);
        putchar('\n');
        json_decref(object);
        return EX_OK;
    }
    for (size_t i = 0; i < count; i++)
        printf("%s %s\n", parts[i].name, parts[i].version);
    return EX_OK;
}

static const struct command_option version_options[] = {
    {"--json", NULL, "print one JSON object"},
    {0},
};

const struct command command_version = {
    .name = "version",
    .synopsis = "[--json]",
    .help = "print the version, and those of the libraries",
    .text = "Prints the version of boothlink and, for reports of faults, those of the libraries "
            "that it runs with, one on a line.",
    .options = version_options,
    .run = version_run,
};
