/* "boothlink version": our version, and those of the libraries that it runs with. */
#include "base/version.h"
#include "command/command.h"
#include "late/libraries.h"

#include <jansson.h>
#include <sodium.h>
#include <uv.h>

struct version_options {
    bool json, all;
};

enum { PARTS_MAX = 16 };

struct parts {
    const char *name[PARTS_MAX];
    const char *version[PARTS_MAX];
    size_t count;
};

static void add(struct parts *parts, const char *name, const char *version)
{
    parts->name[parts->count] = name;
    parts->version[parts->count++] = version;
}

/* Loads the libraries that a start does not load. A missing one ends the list. */
static enum bl_status add_late(struct parts *parts, struct bl_diag *diag)
{
    static char seccomp[32];
#define TABLE(library, LIBRARY) &late_##library,
    void *const tables[] = {LATE_LIBRARIES(TABLE)};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        enum bl_status status = late_load(tables[i], diag);
        if (status != BL_OK)
            return status;
    }
    const struct scmp_version *version = late_seccomp.version();
    snprintf(seccomp, sizeof seccomp, "%u.%u.%u", version->major, version->minor, version->micro);
    add(parts, "libserialport", late_serialport.get_package_version_string());
    add(parts, "libpcap", late_pcap.lib_version());
    add(parts, "libwebsockets", late_websockets.get_library_version());
    add(parts, "ncurses", late_ncursesw.curses_version());
    add(parts, "libseccomp", seccomp);
    add(parts, "sqlite", late_sqlite3.libversion());
    add(parts, "glpk", late_glpk.version());
    return BL_OK;
}

static enum bl_status version_run(const struct command_call *call, struct bl_diag *diag)
{
    const struct version_options *options = call->options;
    struct parts parts = {.count = 0};
    add(&parts, "boothlink", BL_VERSION);
    add(&parts, "libuv", uv_version_string());
    add(&parts, "libsodium", sodium_version_string());
    add(&parts, "jansson", jansson_version_str());
    enum bl_status status = options->all ? add_late(&parts, diag) : BL_OK;
    if (status != BL_OK)
        return status;
    if (options->json) {
        json_t *object = json_object();
        for (size_t i = 0; i < parts.count; i++)
            json_object_set_new(object, parts.name[i], json_string(parts.version[i]));
        command_json(object, JSON_COMPACT);
        return BL_OK;
    }
    for (size_t i = 0; i < parts.count; i++)
        printf("%s %s\n", parts.name[i], parts.version[i]);
    return BL_OK;
}

static const struct command_option version_options[] = {
    OPTION_JSON(struct version_options, "print one JSON object"),
    OPTION_ROW("--all", NULL, "also the libraries that only some commands load", OPTION_FLAG,
               struct version_options, all),
    {0},
};

const struct command command_version = {
    .name = "version",
    .synopsis = "[--all] [--json]",
    .help = "print the version, and those of the libraries",
    .text =
        "Prints the version of boothlink and, for reports of faults, those of the libraries "
        "that every command runs with, one on a line. Other libraries are loaded by the commands "
        "that need them; --all loads these, too, and says which one cannot be loaded.",
    .options = version_options,
    .size = sizeof(struct version_options),
    .run = version_run,
};
