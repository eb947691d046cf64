/* The entity's terminal: one line, one journal, one screen, and a keyboard, a script or an
 * Entry. */
#ifndef BOOTH_ENTITY_BOOTH_H
#define BOOTH_ENTITY_BOOTH_H

#include "booth/booth.h"
#include "entity/entry.h"
#include "entity/pace.h"
#include "entity/program.h"

struct entity_options {
    struct booth_options booth;
    const char *port;               /* NULL with lpp_entry */
    const char *lpp_entry;          /* folder of an organiser's judge program; NULL: none */
    enum starts starts;             /* with lpp_entry: the party that types first */
    struct program_options program; /* command NULL: nothing to start */
    const char
        *entry; /* name of a handed-in Entry, and of its folder in `entries`; NULL: the folder is
                 * program.place.folder */
    const char *entries;            /* NULL: "entries" in the records' folder */
    const struct entry *entry_kind; /* the Entry's protocol; NULL: there is no Entry */
    unsigned scan_ms;               /* interval of polls of a folder, see lpp.h */
    unsigned round;                 /* the round's number in the contest, from 1; 0: unknown */
    struct pace_config pace;        /* the pace of the entity's keys, by the venue */
    int characters;                 /* the permitted characters (enum characters) */
    struct typing_rules typing;
    const char *comms; /* a confederate's communications program, which `program` starts; NULL:
                        * none */
    const char *limit; /* the referee's limit on the confederate's messages; NULL: none */
    bool controlled;   /* a controller cuts this line until the entity's turn */
};

enum bl_status entity_booth_run(const struct entity_options *options, struct bl_diag *diag);

#endif
