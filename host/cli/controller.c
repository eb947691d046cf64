/* "boothlink controller": the controller by hand, for stewards. */
#include "cli/controller.h"

#include "controller/plan.h"
#include "terminal/clock.h"

#include <stdio.h>
#include <stdlib.h>

#define CALIBRATE_SECONDS       300
#define CALIBRATE_SECONDS_LEAST 20
#define CALIBRATE_SECONDS_MOST  86400

struct control {
    bool as_json, starts, ends_ready, started, over;
    uint64_t said_s; /* the remaining time that was printed last */
};

static const char *key_text(const struct client_view *view)
{
    return view->inputs & STATUS_KEY_SWITCH ? "RUN" : "PAUSE";
}

static const char *next_step(const struct client_view *view)
{
    if (!(view->inputs & STATUS_KEY_SWITCH))
        return "turn the key switch to RUN";
    switch (view->state) {
    case CONTROLLER_IDLE:
    case CONTROLLER_OVER:
        return "'boothlink judge --controller PORT --plan PLAN' gives it a session";
    case CONTROLLER_READY:
        return "'boothlink controller start PORT', or F9 at the judge's terminal, starts the plan";
    case CONTROLLER_FAULT:
        return "turn the key switch from RUN to PAUSE and back; that is recorded";
    case CONTROLLER_LOST:
        return "start the judge's terminal of this session again: it goes on";
    case CONTROLLER_WAIT:
    case CONTROLLER_CONNECT:
    case CONTROLLER_OPEN:
    case CONTROLLER_CLOSING:
    case CONTROLLER_CUT:
    case CONTROLLER_PAUSED:
    case CONTROLLER_UNHEARD:
        break;
    }
    return "nothing: a session is running";
}

static json_t *status_object(const struct controller_talk *talk, const struct client_view *view)
{
    return json_pack("{s:s,s:s,s:s,s:s,s:i,s:f,s:f,s:b,s:b,s:s,s:s,s:i,s:s}", "port", talk->port,
                     "board", view->board, "state", controller_state_word(view->state), "words",
                     controller_state_text(view->state), "part", (int)view->segment + 1, "left_s",
                     (double)view->left_us / 1e6, "budget_s", (double)view->budget_us / 1e6,
                     "left_line_closed", (view->inputs & STATUS_A) != 0, "right_line_closed",
                     (view->inputs & STATUS_B) != 0, "key", key_text(view), "last_reset",
                     sentence_text(view->reset < SAY_COUNT ? view->reset : SAY_UNKNOWN),
                     "calibration", view->calibration - (int)WATCHDOG_CAL_BIAS, "next",
                     next_step(view));
}

static void look_status(struct controller_talk *talk, const struct client_view *view,
                        struct bl_time now)
{
    struct control *control = talk->data;
    (void)now;
    if (!view->mine)
        return;
    if (control->as_json) {
        command_json(status_object(talk, view), JSON_COMPACT);
    } else {
        printf("%s: board %s, last reset %s, calibration %+d\n", talk->port, view->board,
               sentence_text(view->reset < SAY_COUNT ? view->reset : SAY_UNKNOWN),
               view->calibration - (int)WATCHDOG_CAL_BIAS);
        printf("  state     %s: %s\n", controller_state_word(view->state),
               controller_state_text(view->state));
        if (controller_state_begun(view->state))
            printf("  part      %u, %.1f s left; %.0f s left for interruptions\n",
                   view->segment + 1, (double)view->left_us / 1e6, (double)view->budget_us / 1e6);
        printf("  lines     A %s, B %s\n", view->inputs & STATUS_A ? "closed" : "cut",
               view->inputs & STATUS_B ? "closed" : "cut");
        printf("  key       %s\n", key_text(view));
        printf("  next      %s\n", next_step(view));
    }
    talk_end(talk, BL_OK);
}

static void print_happened(struct controller_talk *talk, const char *words)
{
    const struct control *control = talk->data;
    if (control->as_json)
        command_json(json_pack("{s:s}", "happened", words), JSON_COMPACT);
    else
        printf("%s\n", words);
    fflush(stdout);
}

/* Prints the remaining time at each minute, and in the last ten seconds. */
static void print_time(struct control *control, const struct client_view *view)
{
    uint64_t seconds = (view->left_us + 999999) / 1000000;
    uint64_t step = seconds <= 10 ? seconds : (seconds + 59) / 60 * 60;
    char text[CLOCK_TEXT];
    if (control->as_json || view->state != CONTROLLER_OPEN || step == control->said_s)
        return;
    control->said_s = step;
    clock_text(view->left_us, text);
    printf("  %s left of part %u\n", text, view->segment + 1);
    fflush(stdout);
}

static void look_session(struct controller_talk *talk, const struct client_view *view,
                         struct bl_time now)
{
    struct control *control = talk->data;
    if (!view->mine)
        return;
    print_time(control, view);
    control->started = control->started || controller_state_begun(view->state);
    if (control->ends_ready && view->state == CONTROLLER_READY) {
        talk_end(talk, BL_OK);
    } else if (control->starts && !control->started && !(view->inputs & STATUS_KEY_SWITCH)) {
        talk_end(talk, bl_fail(talk->diag, BL_AGAIN,
                               "%s: the key switch stands at PAUSE: turn it to RUN, then start "
                               "again",
                               talk->port));
    } else if (control->starts && view->state == CONTROLLER_READY) {
        client_start(talk->client, now);
    } else if (control->starts && !control->started && view->state == CONTROLLER_IDLE) {
        talk_end(talk, bl_fail(talk->diag, BL_DATA,
                               "%s: the controller has no plan: add --plan PLAN", talk->port));
    } else if (control->started &&
               (view->state == CONTROLLER_OVER || view->state == CONTROLLER_IDLE)) {
        control->over = true;
        talk_end(talk, BL_OK);
    } else if (view->state == CONTROLLER_CONNECT) {
        client_go(talk->client, now); /* a person who starts the plan by hand has seen the lines */
    } else if (view->state == CONTROLLER_OPEN) {
        talk->due_us = now.mono_us + view->left_us % 1000000 + 1000;
    }
}

static enum bl_status run_session(struct controller_talk *talk, struct control *control,
                                  struct bl_diag *diag)
{
    talk->look = look_session;
    talk->happened = print_happened;
    enum bl_status status = talk_run(talk, diag);
    if (!status && talk->interrupted && control->started && !control->over && !control->as_json)
        printf("Left in mid-session: the lines are cut in 3 s; 'boothlink controller watch %s' "
               "goes on.\n",
               talk->port);
    return status;
}

struct controller_options {
    struct plan plan;
    unsigned seconds;
    bool json;
};

static void start_options(void *at)
{
    struct controller_options *options = at;
    options->seconds = CALIBRATE_SECONDS;
}

static enum bl_status take_plan(void *at, const char *value, struct bl_diag *diag)
{
    struct controller_options *options = at;
    return plan_parse(&options->plan, value, diag);
}

static enum bl_status talk_open(struct controller_talk *talk, struct control *control,
                                const struct command_call *call, struct bl_diag *diag)
{
    const struct controller_options *options = call->options;
    *control = (struct control){.as_json = options->json};
    *talk = (struct controller_talk){.port = call->word[0], .data = control, .look = look_status};
    return options->plan.count ? controller_plan(&talk->config.plan, &options->plan, false, diag)
                               : BL_OK;
}

static enum bl_status status_run(const struct command_call *call, struct bl_diag *diag)
{
    struct control control;
    struct controller_talk talk;
    enum bl_status status = talk_open(&talk, &control, call, diag);
    return status ? status : talk_run(&talk, diag);
}

static enum bl_status calibrate_run(const struct command_call *call, struct bl_diag *diag)
{
    const struct controller_options *options = call->options;
    return controller_calibrate(call->word[0], options->seconds, options->json, diag);
}

static enum bl_status selftest_run(const struct command_call *call, struct bl_diag *diag)
{
    const struct controller_options *options = call->options;
    json_t *found = NULL;
    bool good = true;
    if (!options->json)
        printf("Listen to the relays and look at the lamps:\n");
    enum bl_status status = controller_selftest(call->word[0], options->json, &found, &good, diag);
    if (!status && options->json)
        command_json(json_incref(found), JSON_COMPACT);
    json_decref(found);
    return status || good ? status : command_told(BL_SOFTWARE, diag);
}

static enum bl_status watch_run(const struct command_call *call, struct bl_diag *diag)
{
    struct control control;
    struct controller_talk talk;
    enum bl_status status = talk_open(&talk, &control, call, diag);
    return status ? status : run_session(&talk, &control, diag);
}

static enum bl_status start_run(const struct command_call *call, struct bl_diag *diag)
{
    struct control control;
    struct controller_talk talk;
    enum bl_status status = talk_open(&talk, &control, call, diag);
    control.starts = true;
    return status ? status : run_session(&talk, &control, diag);
}

static enum bl_status plan_run(const struct command_call *call, struct bl_diag *diag)
{
    const struct controller_options *options = call->options;
    struct control control;
    struct controller_talk talk;
    if (options->plan.count == 0)
        return bl_fail(diag, BL_USAGE, "missing --plan PLAN, as '300 left,300 right,600 review'");
    enum bl_status status = talk_open(&talk, &control, call, diag);
    control.ends_ready = true;
    return status ? status : run_session(&talk, &control, diag);
}

#define JSON_ROW OPTION_JSON(struct controller_options, "print JSON objects, one on a line")

static const struct command_option json_options[] = {
    JSON_ROW,
    {0},
};

static const struct command_option plan_options[] = {
    OPTION_TAKEN("--plan", "PLAN", "parts, as '300 left,300 right,600 review'", take_plan),
    JSON_ROW,
    {0},
};

static const struct command_option calibrate_options[] = {
    OPTION_RANGE("--seconds", "N", "how long the clocks are compared (default: 300)", OPTION_NUMBER,
                 struct controller_options, seconds, CALIBRATE_SECONDS_LEAST,
                 CALIBRATE_SECONDS_MOST),
    JSON_ROW,
    {0},
};

/* clang-format off */
#define VERB(verb, words, told, more, table) \
    {.name = "controller " #verb, .synopsis = words, .help = told, .text = more, \
     .options = table, .size = sizeof(struct controller_options), .start = start_options, \
     .least = 1, .most = 1, .run = verb##_run}
/* clang-format on */

static const struct command controller_verbs[] = {
    VERB(status, "PORT [--json]", "say where it stands and what to do next",
         "With board, last reset (a Pico's POWER may be a brown-out), lines and key.",
         json_options),
    VERB(plan, "PORT --plan PLAN", "hand it a plan",
         "It waits then to be started, by \"controller start\" or by a judge's terminal.",
         plan_options),
    VERB(start, "PORT [--plan PLAN]", "start its plan, or this one, and watch",
         "A controller cuts the lines when it has heard nothing for 3 s, so this stays until the "
         "end.",
         plan_options),
    VERB(watch, "PORT [--json]", "take up a session that runs",
         "As after \"controller start\" was ended. It stays until the end.", json_options),
    VERB(calibrate, "PORT [--seconds N]", "compare its clock with this machine's",
         "And store the correction in it.", calibrate_options),
    VERB(selftest, "PORT [--json]", "move each relay once",
         "Says what must be heard and seen. It needs the key switch at RUN, and no session.",
         json_options),
    {0},
};

const struct command command_controller = {
    .name = "controller",
    .synopsis = "status|plan|start|watch|calibrate|selftest PORT [OPTION]...",
    .help = "look at the controller, test it, calibrate it, run a plan by hand",
    .text = "The controller joins and cuts the lines and counts the time of a session. The judge's "
            "terminal uses it by itself (--controller); this command is for the steward. "
            "\"boothlink ports\" lists the ports.",
    .examples = "boothlink controller status serial:/dev/ttyACM0\n"
                "boothlink controller selftest serial:/dev/ttyACM0\n"
                "boothlink controller start serial:/dev/ttyACM0 --plan '300 left,300 right'",
    .verbs = (const struct command *const[]){controller_verbs, NULL},
};
