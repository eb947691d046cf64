/* The controller's part of "boothlink check": its self-test, and a test plan that joins the lines
 * one after another while they are checked. A controller at rest has cut all lines. Two swapped
 * cables are found, since the relay of one cable lets the other cable's port hear. */
#ifndef CLI_CHECK_CONTROLLER_H
#define CLI_CHECK_CONTROLLER_H

#include "link/check_report.h"

#include <jansson.h>

#include <sys/types.h>

/* Length of a part of the test plan: for all speeds, or for a single speed. */
#define CHECK_LINE_S  60
#define CHECK_QUICK_S 20
/* The last CHECK_OTHER_S of a part are kept for the other port, in case the line is called in vain;
 * the other port is then called for CHECK_OTHER_WAIT_S. */
#define CHECK_OTHER_S      10
#define CHECK_OTHER_WAIT_S 4

struct check_controller {
    const char *port; /* NULL: there is no controller to check */
    json_t *found;    /* findings of the self-test, owned by the caller */
    bool good;
    pid_t holder;      /* the process that beats; 0: none */
    int parts;         /* pipe from the holder, written when a part has begun */
    uint64_t began_us; /* begin of the present part */
};

/* Runs the self-test, which prints unless json is true, then begins the plan: for each cable a part
 * of `seconds`, in which its line alone is joined. */
enum bl_status check_controller_begin(struct check_controller *controller, const bool cable[2],
                                      unsigned seconds, bool json, struct bl_diag *diag);

/* Waits until the next part has begun. */
enum bl_status check_controller_next(struct check_controller *controller, struct bl_diag *diag);

/* A line with a controller in it must carry nothing but data and ground. Adds the other signals
 * that were seen to cross, past the relays. */
void check_controller_judge(const struct check_line *line, struct check_report *report);

/* Judges a silent cable `letter` ('A' or 'B'), closed alone, by the outcome `other` at the other
 * port, if that was asked and not too late. */
void check_controller_swapped(char letter, bool asked, bool late, enum probe_outcome other,
                              struct check_report *report);

/* Waits for the end of the plan, which no host can end sooner. */
enum bl_status check_controller_end(struct check_controller *controller, bool json,
                                    struct bl_diag *diag);

#endif
