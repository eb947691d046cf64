/* The controller's part of "boothlink check": its self-test, and a test plan that keeps the lines
 * closed while they are checked, for a controller at rest has cut them. */
#ifndef CLI_CHECK_CONTROLLER_H
#define CLI_CHECK_CONTROLLER_H

#include "cli/check_report.h"

#include <sys/types.h>

/* Of the test plan, for each line: calling, and all speeds; or one. */
#define CHECK_LINE_S  60
#define CHECK_QUICK_S 20

struct check_controller {
    const char *port; /* NULL: there is none to check */
    json_t *found;    /* of the self-test, owned by the caller */
    bool good;
    pid_t holder; /* the process that beats; 0: none */
};

/* The self-test, which prints unless json is true, and then the plan, which closes both lines for
 * so many seconds. Returns when they are closed. */
enum bl_status check_controller_begin(struct check_controller *controller, unsigned seconds,
                                      bool json, struct bl_diag *diag);

/* With a controller in it a line must carry nothing but data and ground: adds what else was seen to
 * cross, past its relays. */
void check_controller_judge(const struct check_line *line, struct check_report *report);

/* Waits for the end of the plan, for no word of a host ends it sooner. */
enum bl_status check_controller_end(struct check_controller *controller, bool json,
                                    struct bl_diag *diag);

#endif
