/* The host's side of the controller: claims it, hands it the session's plan, beats, and tells its
 * state. Pure: sentences come in and go out, time is an argument, nothing is allocated after
 * client_create. The controller owns the time; the client assumes nothing untold, but that a
 * controller without a beat for 3 s has opened the lines. Source: DESIGN.md, "Controller";
 * firmware/README.md for sentences and states. */
#ifndef CONTROLLER_CLIENT_H
#define CONTROLLER_CLIENT_H

#include "base/status.h"
#include "base/time.h"
#include "controller/state.h"
#include "firmware/core/watchdog.h"

#include <stddef.h>

#define CLIENT_BEAT_US   500000u
#define CLIENT_ANSWER_US 400000u /* then a sentence is said again */
#define CLIENT_SILENT_US 3000000u
#define CLIENT_WORDS_MAX 200

struct client_segment {
    uint16_t seconds;
    uint8_t flags; /* SEGMENT_... of watchdog.h */
    uint16_t warn_s;
};

struct client_plan {
    struct client_segment segment[WATCHDOG_SEGMENTS];
    unsigned count; /* 0: none; the controller is only watched */
    unsigned connect_s, budget_s;
};

/* The client's orders for the answering controller. */
struct client_config {
    struct client_plan plan;
    bool begun;     /* our session's record has its start: the controller has the plan */
    uint16_t nonce; /* not 0; the same after a restart of the same session */
};

struct client_callbacks {
    void (*send)(void *ctx, const char *bytes, size_t length);
    /* State, segment, time or trouble are new: look at the view. */
    void (*changed)(void *ctx);
    /* Something for the record, in one line. */
    void (*happened)(void *ctx, const char *words);
};

struct client;

/* config and the callbacks are copied. NULL: no memory. Nothing is called before client_port. */
struct client *client_create(const struct client_config *config,
                             const struct client_callbacks *callbacks, void *ctx);
void client_destroy(struct client *client);

/* As config's begun, found out later: another machine had started the session. The controller's
 * plan is looked at again at once, if it was refused. */
void client_begun(struct client *client, struct bl_time now);

/* The port can be used, or is gone for a reason. */
void client_port(struct client *client, bool usable, const char *reason, struct bl_time now);

/* New bytes, in any split. */
void client_bytes(struct client *client, const char *bytes, size_t length, struct bl_time now);

/* Time has reached client_due(). */
void client_tick(struct client *client, struct bl_time now);
uint64_t client_due(const struct client *client);

/* The steward's word: starts the plan, or the segment waiting for it. BL_AGAIN: not now, see the
 * view. */
enum bl_status client_start(struct client *client, struct bl_time now);

/* All ends of the segment's lines are connected: its connect phase may end. No effect in
 * another state. */
void client_go(struct client *client, struct bl_time now);

/* The lines are not connected as they should be: stops beating, so within 3 s the controller cuts
 * the lines and counts nothing. Ends when the steward turns the key switch to PAUSE, or with
 * client_talk(); then the segment begins again with its connect phase. */
void client_be_quiet(struct client *client);
void client_talk(struct client *client, struct bl_time now);

/* The steward is called at this session, or no longer: the controller lights and sounds it, again
 * after each reset. */
void client_call(struct client *client, bool called, struct bl_time now);

/* While no session runs: all lamps and the buzzer for a second; the calibration, as CAL has it. */
void client_test(struct client *client, struct bl_time now);
void client_calibrate(struct client *client, uint16_t value, struct bl_time now);

struct client_view {
    bool usable;  /* the port is there */
    bool answers; /* the controller answered lately */
    bool current; /* and has told its state since it was lost from sight last */
    enum controller_state state;
    bool starting;            /* the steward's word is on its way */
    bool may_start;           /* client_start() would be taken now */
    bool quiet;               /* by client_be_quiet() */
    bool mine;                /* it has this session's plan, or is only watched */
    unsigned segment;         /* from 0 */
    uint64_t left_us;         /* of the segment, now */
    uint64_t budget_us;       /* of pauses for a silent host, at the last answer */
    unsigned inputs;          /* STATUS_... of watchdog.h */
    enum sentence_word fault; /* SAY_NONE, or why it latched */
    bool refused;             /* its plan is not ours: trouble names the remedy */
    const char *trouble;      /* the fault and the remedy; "" if there is none */
    char board[16];
    enum sentence_word reset; /* reason of its last reset; SAY_COUNT before HEL was answered */
    uint16_t calibration;     /* WATCHDOG_CAL_BIAS: none */
    unsigned resets;          /* seen since client_create */
    unsigned done;            /* acknowledged TST and CAL */
    bool drift_known;
    int64_t drift_ppb; /* fast against this machine, over */
    uint64_t drift_span_us;
};
void client_view(const struct client *client, struct client_view *view, struct bl_time now);

/* The checksum by which a controller identifies its plan. */
uint16_t client_plan_sum(const struct client_plan *plan);

#endif
