#ifndef CLI_CONTROLLER_H
#define CLI_CONTROLLER_H

#include "command/command.h"
#include "booth/controller_talk.h"

#include <jansson.h>

/* Measures the controller's clock for this many seconds and stores the correction. */
enum bl_status controller_calibrate(const char *port, unsigned seconds, bool as_json,
                                    struct bl_diag *diag);

/* Tests lamps and buzzer, then each relay by a short plan. Prints the expected sounds and lights
 * unless as_json. *found: the findings, owned by the caller; *good: no fault was found. */
enum bl_status controller_selftest(const char *port, bool as_json, json_t **found, bool *good,
                                   struct bl_diag *diag);

#endif
