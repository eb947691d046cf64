#ifndef VALIDATE_COMMS_PRIVATE_H
#define VALIDATE_COMMS_PRIVATE_H

#include "validate/mimic.h"
#include "validate/play.h"
#include "validate/validate_private.h"

struct comms {
    struct picture_mask mask;
    bool played;     /* `mimic` is valid */
    unsigned looked; /* bits of the aspects of `mimic` already used */
    struct mimic mimic;
};

/* Makes a new scene, v->scene, with both ends, and with the Entry if `entry`. False: v->status. */
bool comms_open(struct validate *v, const struct validate_options *options, bool entry);

/* Kills an end, then starts it with an empty screen and a port as after power-on. False:
 * v->status. */
bool comms_again(struct validate *v, enum scene_part part);

/* True, with the finding filled in, if the ends draw windows, which cannot be compared. */
bool comms_windowed(struct validate *v);

/* Makes a new scene and waits until both ends are ready. False: the finding or v->status is filled
 * in. */
bool comms_begin(struct validate *v);
void comms_end(struct validate *v);

/* Frees v->comms. */
void comms_free(struct validate *v);

/* True, with the finding filled in, if an end or the Entry has ended. */
bool comms_ended(struct validate *v);

/* "the judge's end" and so on. */
const char *comms_name(enum scene_part part);

/* Adds the last lines of an end's screen to the finding, as evidence. */
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
