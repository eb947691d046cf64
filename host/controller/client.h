/* The host's side of the controller: claims it, sends the session's plan, sends beats, and reports
 * its state. Pure: sentences come in and go out, and time is an argument. Nothing is allocated
 * after client_create(). The controller owns the time. The client relies on reports, and on the
 * controller's cut after 3 s without a beat. Source: DESIGN.md, "Controller"; firmware/README.md
 * for sentences and states. */
#ifndef CONTROLLER_CLIENT_H
#define CONTROLLER_CLIENT_H

#include "base/status.h"
#include "base/time.h"
#include "controller/state.h"
#include "firmware/core/watchdog.h"

#include <stddef.h>

#define CLIENT_BEAT_US   500000u
#define CLIENT_ANSWER_US 400000u /* wait before a sentence is repeated */
#define CLIENT_SILENT_US 3000000u
#define CLIENT_WORDS_MAX 200

struct client_segment {
    uint16_t seconds;
    uint8_t flags; /* SEGMENT_... of watchdog.h */
    uint16_t warn_s;
};

struct client_plan {
    struct client_segment segment[WATCHDOG_SEGMENTS];
    unsigned count; /* 0: none; the client only watches the controller */
    unsigned connect_s, budget_s;
};

struct client_config {
    struct client_plan plan;
    bool begun;     /* our record has the session's start, so the controller must have the plan */
    uint16_t nonce; /* not 0; unchanged by a restart in the same session */
};

struct client_callbacks {
    void (*send)(void *ctx, const char *bytes, size_t length);
    /* State, segment, time or trouble have changed: the receiver calls client_view(). */
    void (*changed)(void *ctx);
    /* A line for the record. */
    void (*happened)(void *ctx, const char *words);
};

struct client;

/* Creates a client; config and callbacks are copied. NULL if out of memory. No callback is called
 * before client_port(). */
struct client *client_create(const struct client_config *config,
                             const struct client_callbacks *callbacks, void *ctx);
void client_destroy(struct client *client);

/* Sets config's `begun` later, since another machine has started the session. A refused plan of the
 * controller is read again at once. */
void client_begun(struct client *client, struct bl_time now);

/* Reports that the port is usable, or the reason why not. */
void client_port(struct client *client, bool usable, const char *reason, struct bl_time now);

/* Feeds received bytes, in any split. */
void client_bytes(struct client *client, const char *bytes, size_t length, struct bl_time now);

/* To be called at client_due(). */
void client_tick(struct client *client, struct bl_time now);
uint64_t client_due(const struct client *client);

/* The steward starts the plan, or the segment that waits for it. BL_AGAIN: not possible now, see
 * the view. */
enum bl_status client_start(struct client *client, struct bl_time now);

/* All ends of the segment's lines are connected, so the connect phase may end. No effect in another
 * state. */
void client_go(struct client *client, struct bl_time now);

/* The lines are connected wrongly. Stops the beats, so within 3 s the controller cuts the lines and
 * stops the clock. The silence ends when the steward turns the key switch to PAUSE, or by
 * client_talk(). The segment then begins again with its connect phase. */
void client_be_quiet(struct client *client);
void client_talk(struct client *client, struct bl_time now);

/* Sets or clears the steward's call, which the controller shows with lamps and buzzer, also after a
 * reset. */
void client_call(struct client *client, bool called, struct bl_time now);

/* For the time without a session. client_test() tests all lamps and the buzzer for a second.
 * client_calibrate() stores the value of CAL. */
void client_test(struct client *client, struct bl_time now);
void client_calibrate(struct client *client, uint16_t value, struct bl_time now);

struct client_view {
    bool usable;  /* the port is open */
    bool answers; /* the controller has answered recently */
    bool current; /* the controller has reported its state since it was last lost */
    enum controller_state state;
    bool starting;            /* RUN is on its way */
    bool may_start;           /* client_start() is possible now */
    bool quiet;               /* by client_be_quiet() */
    bool mine;                /* the controller has this session's plan, or no plan is sent */
    unsigned segment;         /* from 0 */
    uint64_t left_us;         /* remaining time of the segment */
    uint64_t budget_us;       /* budget for pauses by a silent host, at the last answer */
    unsigned inputs;          /* STATUS_... of watchdog.h */
    enum sentence_word fault; /* SAY_NONE, or the reason of a latched fault */
    bool refused;             /* the controller has another plan; `trouble` has the remedy */
    const char *trouble;      /* the fault and the remedy; "": none */
    char board[16];
    enum sentence_word reset; /* reason of the last reset; SAY_COUNT before the answer to HEL */
    uint16_t calibration;     /* WATCHDOG_CAL_BIAS: none */
    unsigned resets;          /* observed since client_create() */
    unsigned done;            /* number of acknowledged TST and CAL */
    bool drift_known;
    int64_t drift_ppb; /* positive: the controller's clock is fast */
    uint64_t drift_span_us;
};
void client_view(const struct client *client, struct client_view *view, struct bl_time now);

#endif
