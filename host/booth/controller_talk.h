/* A conversation of a command with a controller: port, client and loop. The command's look()
 * examines each change, until it ends the conversation. */
#ifndef BOOTH_CONTROLLER_TALK_H
#define BOOTH_CONTROLLER_TALK_H

#include "base/loop.h"
#include "controller/client.h"

struct controller_port;

struct controller_talk {
    /* Members set by the caller. */
    const char *port;
    struct client_config config; /* nonce 0: COMMAND_NONCE */
    /* Called with the present state after changes and at due_us, until talk_end() is called. */
    void (*look)(struct controller_talk *talk, const struct client_view *view, struct bl_time now);
    void (*happened)(struct controller_talk *talk, const char *words); /* may be NULL */
    void *data;
    uint64_t due_us; /* look() is called at this time in any case; BL_NEVER: not */

    /* Private members of controller_talk.c. */
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

#define CONTROLLER_PATIENCE_US 10000000u /* an Uno that the port's opening resets needs 2 s */

/* Runs the conversation, and returns talk_end()'s status. Other errors: the port cannot be opened,
 * or the controller does not answer or serves another session (diag names the remedy). */
enum bl_status talk_run(struct controller_talk *talk, struct bl_diag *diag);

/* Ends the conversation after the present call of look(). */
void talk_end(struct controller_talk *talk, enum bl_status status);

#endif
