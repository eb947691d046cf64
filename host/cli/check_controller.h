/* The controller's part of "boothlink check": its self-test, and a test plan that joins the lines
 * one after another for their checks. Swapped cables are found, since the relay of one cable then
 * lets the other cable's port hear. */
#ifndef CLI_CHECK_CONTROLLER_H
#define CLI_CHECK_CONTROLLER_H

#include "link/check_report.h"

#include <jansson.h>

#include <sys/types.h>

/* Length of a part of the test plan: for all speeds, or for a single speed. */
#define CHECK_LINE_S  60
#define CHECK_QUICK_S 20
/* The last CHECK_OTHER_S of a part are for the other port, if the line is called in vain. The other
 * port is called for CHECK_OTHER_WAIT_S. */
#define CHECK_OTHER_S      10
#define CHECK_OTHER_WAIT_S 4

struct check_controller {
    const char *port; /* NULL: there is no controller to check */
    json_t *found;    /* findings of the self-test, owned by the caller */
    bool good;
    pid_t holder;      /* the process that sends the beats; 0: none */
    int parts;         /* pipe from the holder, written at a part's begin */
    uint64_t began_us; /* begin of the present part */
};

/* Runs the self-test, which prints unless json is true. Then begins the plan, which has a part of
 * `seconds` for each cable, with that line alone joined. */
enum bl_status check_controller_begin(struct check_controller *controller, const bool cable[2],
                                      unsigned seconds, bool json, struct bl_diag *diag);

/* Waits until the next part has begun. */
enum bl_status check_controller_next(struct check_controller *controller, struct bl_diag *diag);

/* Judges the signals of a line through a controller, which must carry data and ground only. Adds
 * other signals that were seen to cross. */
void check_controller_judge(const struct check_line *line, struct check_report *report);

/* Judges a silent cable `letter` ('A' or 'B'), alone joined. `other`: the outcome at the other
 * port, if it was asked and not late. */
void check_controller_swapped(char letter, bool asked, bool late, enum probe_outcome other,
                              struct check_report *report);

/* Waits for the end of the plan. */
enum bl_status check_controller_end(struct check_controller *controller, bool json,
                                    struct bl_diag *diag);

#endif
