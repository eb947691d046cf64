/* A conversation with a controller from the command line: port, client and loop, and one function
 * that examines each change until it is done. */
#ifndef BOOTH_CONTROLLER_TALK_H
#define BOOTH_CONTROLLER_TALK_H

#include "base/loop.h"
#include "controller/client.h"

struct controller_port;

struct controller_talk {
    /* Set by the caller. */
    const char *port;
    struct client_config config; /* nonce 0: the command line's own */
    /* Called with the present state after every change and when due_us is reached, until talk_end()
     * is called. */
    void (*look)(struct controller_talk *talk, const struct client_view *view, struct bl_time now);
    void (*happened)(struct controller_talk *talk, const char *words); /* may be NULL */
    void *data;
    uint64_t due_us; /* time at which look() must be called in any case; BL_NEVER */

    /* The talk's own. */
    uv_loop_t loop;
    uv_prepare_t prepare;
    uv_signal_t signal[2];
    struct bl_timer timer;
    struct controller_port *device;
    struct client *client;
    uint64_t start_us;
    bool changed, ended, interrupted;
    enum bl_status status;
    struct bl_diag *diag;
};

#define CONTROLLER_PATIENCE_US 10000000u /* an Uno that the opening has reset answers after 2 s */

/* Runs the conversation. Not BL_OK: the port cannot be opened, the controller does not answer or
 * belongs to another (diag names the remedy), or talk_end's status. */
enum bl_status talk_run(struct controller_talk *talk, struct bl_diag *diag);

/* Ends the conversation after the present call. */
void talk_end(struct controller_talk *talk, enum bl_status status);

#endif
