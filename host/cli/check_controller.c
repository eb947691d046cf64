#include "cli/check_controller.h"

#include "cli/controller.h"
#include "controller/plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The holder's part: a plan with a part for each cable, from its start to its end. */
struct holding {
    int ready;     /* pipe, written when a part's line was closed */
    unsigned told; /* number of parts that have begun */
};

static void look_holding(struct controller_talk *talk, const struct client_view *view,
                         struct bl_time now)
{
    struct holding *holding = talk->data;
    unsigned closed = view->inputs & (STATUS_A | STATUS_B);
    if (!view->mine)
        return;
    if (view->state == CONTROLLER_READY && holding->told == 0) {
        client_start(talk->client, now);
    } else if (view->state == CONTROLLER_CONNECT) {
        client_go(talk->client, now);
    } else if (view->state == CONTROLLER_OPEN && view->segment == holding->told &&
               closed == (talk->config.plan.segment[view->segment].flags & SEGMENT_LINES)) {
        holding->told++;
        if (write(holding->ready, &now.mono_us, sizeof now.mono_us) != sizeof now.mono_us)
            talk_end(talk, BL_SOFTWARE);
    } else if (holding->told &&
               (view->state == CONTROLLER_OVER || view->state == CONTROLLER_IDLE)) {
        talk_end(talk, BL_OK);
    }
}

/* Runs the holder process, which reports its faults on standard error. */
static int hold(const char *port, const bool cable[2], unsigned seconds, int ready)
{
    static const uint8_t flags[] = {SEGMENT_A | SEGMENT_LAMP_A, SEGMENT_B | SEGMENT_LAMP_B};
    struct holding holding = {.ready = ready};
    struct controller_talk talk = {
        .port = port,
        .look = look_holding,
        .data = &holding,
        .config.plan = {.connect_s = WATCHDOG_CONNECT_S, .budget_s = CONTROLLER_BUDGET_S}};
    struct client_plan *plan = &talk.config.plan;
    for (unsigned i = 0; i < 2; i++)
        if (cable[i])
            plan->segment[plan->count++] =
                (struct client_segment){.seconds = (uint16_t)seconds, .flags = flags[i]};
    struct bl_diag diag = {""};
    enum bl_status status = talk_run(&talk, &diag);
    if (status)
        fprintf(stderr, "boothlink check: %s\n", diag.text);
    return bl_status_exit(status);
}

enum bl_status check_controller_begin(struct check_controller *c, const bool cable[2],
                                      unsigned seconds, bool json, struct bl_diag *diag)
{
    int ready[2];
    if (!json)
        printf("controller %s: listen to the relays and look at the lamps\n", c->port);
    enum bl_status status = controller_selftest(c->port, json, &c->found, &c->good, diag);
    if (status)
        return status;
    if (pipe(ready))
        return bl_fail(diag, BL_IO, "pipe: %s", strerror(errno));
    fflush(NULL);
    c->holder = fork();
    if (c->holder == 0) {
        close(ready[0]);
        _exit(hold(c->port, cable, seconds, ready[1]));
    }
    close(ready[1]);
    c->parts = ready[0];
    if (c->holder < 0)
        close(c->parts);
    return c->holder < 0 ? bl_fail(diag, BL_IO, "fork: %s", strerror(errno)) : BL_OK;
}

enum bl_status check_controller_next(struct check_controller *c, struct bl_diag *diag)
{
    if (c->holder <= 0)
        return BL_UNAVAIL;
    if (read(c->parts, &c->began_us, sizeof c->began_us) == sizeof c->began_us)
        return BL_OK;
    close(c->parts);
    waitpid(c->holder, NULL, 0);
    c->holder = 0;
    return bl_fail(diag, BL_UNAVAIL, "%s: the controller did not join the line for the test",
                   c->port);
}

void check_controller_swapped(char letter, bool asked, bool late, enum probe_outcome found,
                              struct check_report *report)
{
    char other = letter == 'A' ? 'B' : 'A';
    bool certain = asked && !late && found != PROBE_SILENCE;
    if (certain) /* remedies for silence are not due now */
        report->steps = 0;
    if (asked && found == PROBE_SAME_SIDE) {
        check_add(report, CHECK_FAULT, "exchanged",
                  "with the line of cable %c joined alone, both ports of this machine hear each "
                  "other: a judge's plug and an entity's are exchanged at the controller",
                  letter);
        check_next(
            report,
            "At the controller: JUDGE A and JUDGE B are for the plugs of the judge's "
            "machine, ENTITY A and ENTITY B for those of the entities'. Look at the labels.");
    } else if (certain) {
        check_add(report, CHECK_FAULT, "swapped",
                  "with the line of cable %c joined alone, the port of cable %c hears the other "
                  "end: the two cables are swapped",
                  letter, other);
        check_next(report, "Swap the two plugs of this machine's cables at the controller (or the "
                           "two ports in the venue's file): cable A belongs to JUDGE A, cable B to "
                           "JUDGE B.");
    } else if (asked && late) {
        check_next(report, "This machine was too slow to ask the other port. Check again.");
    } else if (asked) {
        check_add(report, CHECK_NOTE, "", "nor does the port of cable %c hear anything", other);
    } else {
        check_next(report, "Or the two cables are swapped at the controller: give both, --left and "
                           "--right, and check says so.");
    }
    if (certain)
        check_next(report, "Then check again.");
}

void check_controller_judge(const struct check_line *line, struct check_report *report)
{
    for (unsigned end = 0; end < 2; end++) {
        for (enum cable_input input = CABLE_CTS; input < CABLE_INPUTS; input++) {
            if (!(line->result.seen.end[end].from[input] & line->result.seen.known[end] &
                  CABLE_PEER))
                continue;
            check_add(report, CHECK_FAULT, "controller",
                      "handshake lines cross past its relays: signals pass when the line is cut");
            check_next(report, "Take a 3-wire cable on both sides of the controller: only TX, RX "
                               "and ground may cross.");
            return;
        }
    }
}

enum bl_status check_controller_end(struct check_controller *c, bool json, struct bl_diag *diag)
{
    int status = 0;
    if (c->holder <= 0)
        return BL_OK;
    close(c->parts);
    if (!json) {
        printf("controller %s: waiting for the end of its test plan; or turn its key switch to "
               "PAUSE,\nhold the button for 3 s and turn it back\n",
               c->port);
        fflush(stdout);
    }
    if (waitpid(c->holder, &status, 0) != c->holder || !WIFEXITED(status) || WEXITSTATUS(status))
        return bl_fail(diag, BL_UNAVAIL, "%s: the controller's test plan did not end well",
                       c->port);
    return BL_OK;
}
