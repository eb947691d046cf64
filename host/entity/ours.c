#include "entity/ours.h"

#include "entity/relay.h"

#include <string.h>

/* The folder of an adapter, which needs no files of its own, while a sandbox needs a folder. */
#define NO_FOLDER "/srv"

static void add(struct ours *ours, const char *text, size_t length)
{
    ours->full = ours->full || ours->used + length >= sizeof ours->text;
    if (ours->full)
        return;
    memcpy(ours->text + ours->used, text, length);
    ours->used += length;
    ours->text[ours->used] = '\0';
}

void ours_add(struct ours *ours, const char *name, const char *value)
{
    add(ours, " --", ours->used ? 3 : 0);
    add(ours, "--", ours->used ? 0 : 2);
    add(ours, name, strlen(name));
    add(ours, " '", 2);
    for (; *value; value++)
        add(ours, *value == '\'' ? "'\\''" : value, *value == '\'' ? 4 : 1);
    add(ours, "'", 1);
}

void ours_set(struct ours *ours, struct program_options *options, enum kind_id kind,
              const char *value)
{
    const struct entry_kind *row = &entry_kinds[kind];
    bool served = row->reach == KIND_REACHES_SERVER;
    ours_add(ours, row->own, value);
    if (served && !options->place.open)
        ours_add(ours, "by", RELAY_PLACE);
    options->command = ours->text;
    options->io = PROGRAM_PIPE;
    options->turn_end = TURN_LF;
    options->place.ours = kind;
    options->place.server = served ? value : NULL;
    if (served && !options->place.folder)
        options->place.folder = NO_FOLDER;
}
