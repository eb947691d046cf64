/* Shared by the checks of a communications program. */
#ifndef VALIDATE_COMMS_PRIVATE_H
#define VALIDATE_COMMS_PRIVATE_H

#include "validate/mimic.h"
#include "validate/play.h"
#include "validate/validate_private.h"

/* Of the checks of one run. */
struct comms {
    struct picture_mask mask;
    bool played;     /* `mimic` is there ... */
    unsigned looked; /* ... and the aspects looked at (bits) */
    struct mimic mimic;
};

/* A new scene, v->scene, of both ends, and of the Entry if `entry`, not yet run. False:
 * v->status. */
bool comms_open(struct validate *v, const struct validate_options *options, bool entry);

/* Kills an end, for a new start on an empty screen, at a port just switched on. False:
 * v->status. */
bool comms_again(struct validate *v, enum scene_part part);

/* True if they draw windows, which cannot be compared: then the finding is filled in. */
bool comms_windowed(struct validate *v);

/* A new scene of both ends, which have started and wait. False: the finding or v->status is filled
 * in. */
bool comms_begin(struct validate *v);
void comms_end(struct validate *v);

/* Frees v->comms. */
void comms_free(struct validate *v);

/* An end, or the Entry, has ended, and no more is to be said: the finding is filled in. */
bool comms_ended(struct validate *v);

/* "the judge's end" and so on. */
const char *comms_name(enum scene_part part);

/* Adds a screen's contents, its last lines. */
void comms_show(struct validate *v, enum scene_part part);

void comms_start(struct validate *v, struct finding *f);
void comms_separate(struct validate *v, struct finding *f);
void comms_keys(struct validate *v, struct finding *f);
void comms_both(struct validate *v, struct finding *f);
void windows_record(struct validate *v, struct finding *f);
void fault_cable(struct validate *v, struct finding *f);
void fault_restart_judge(struct validate *v, struct finding *f);
void fault_restart_entity(struct validate *v, struct finding *f);
void fault_garbage(struct validate *v, struct finding *f);
void mimic_text(struct validate *v, struct finding *f);
void mimic_colours(struct validate *v, struct finding *f);
void mimic_cursor(struct validate *v, struct finding *f);
void mimic_title(struct validate *v, struct finding *f);
void mimic_bell(struct validate *v, struct finding *f);
void mimic_echo(struct validate *v, struct finding *f);
void mimic_gaps(struct validate *v, struct finding *f);
void mimic_lines(struct validate *v, struct finding *f);

#endif
