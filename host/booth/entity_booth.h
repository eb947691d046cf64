/* The entity's terminal: one line, one journal, one screen, and a keyboard, a script or an Entry.
 */
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
    enum starts starts;             /* with lpp_entry: who begins; else the judge's end decides */
    struct program_options program; /* command NULL: nothing to start */
    const char
        *entry; /* the name of an Entry as it was handed in: its folder is the one of that name in
                * `entries`; NULL: program.place.folder */
    const char *entries;            /* NULL: "entries" beside the records */
    const struct entry *entry_kind; /* the Entry's protocol; NULL: there is no Entry */
    unsigned scan_ms;               /* interval of looks at a folder, see lpp.h */
    unsigned round;                 /* number in the contest, from 1; 0: unknown */
    struct pace_config
        pace;       /* of this entity's keys: the venue's pace, which the other entity has too */
    int characters; /* enum characters: any other character counts as missing */
    struct typing_rules typing;
    const char *comms; /* a confederate's communications program, which is also `program`;
                                NULL: none */
    const char *limit; /* the referee's limit on the confederate's messages; NULL: none */
    bool controlled;   /* a controller cuts this line: nothing comes before this entity's turn */
};

enum bl_status entity_booth_run(const struct entity_options *options, struct bl_diag *diag);

#endif
