/* Joins the protocol, a medium and the loop. */
#include "link/link.h"

#include "base/loop.h"
#include "link/core.h"
#include "link/interfaces.h"
#include "link/medium.h"
#include "link/port.h"
#include "link/secured.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>

#define CLOSE_US      500000u /* the longest wait of goodbyes for the wire */
#define TIMER_LAZY_US 250000u

struct link {
    struct link_core *core;
    struct layer *layer;
    struct medium *medium;
    struct link_callbacks callbacks;
    void *ctx;
    struct bl_timer timer;
    uint64_t now_us; /* time of the batch's last frame, for on_idle() */
    bool batch;      /* received frames are being handled; one answer follows */
    bool taken;      /* a record of the batch was handed over */
    bool closing, medium_closing;
    uint64_t close_us; /* the latest time of the closing's end */
    FILE *trace;
    uint8_t frame[FRAME_MAX];
};

static void random_bytes(void *ctx, uint8_t *out, size_t length)
{
    (void)ctx;
    randombytes_buf(out, length);
}

static uint64_t wall_us(void *ctx)
{
    (void)ctx;
    return bl_now().wall_us;
}

static uint32_t random_u32(void *ctx)
{
    uint32_t value;
    random_bytes(ctx, (uint8_t *)&value, sizeof value);
    return value;
}

static void trace(const struct link *link, char way, uint64_t bytes)
{
    if (link->trace)
        fprintf(link->trace, "%c %llu\n", way, (unsigned long long)bytes);
}

/* Sets the timer to the deadline. A timer due a little too early stays as it is: one wake-up for
 * nothing costs less than a move with every key. */
static void set_timer(struct link *link)
{
    uint64_t deadline = link->layer->ops->deadline(link->layer, link->core);
    uint64_t due = link->timer.due_us;
    if (deadline < due || deadline - due > TIMER_LAZY_US)
        bl_timer_set(&link->timer, deadline);
}

static void pump(struct link *link, uint64_t now_us)
{
    struct medium *medium = link->medium;
    if (medium->ops->renew && link_core_state(link->core) == LINK_CONNECTING &&
        medium->ops->renew(medium))
        medium->callbacks.notice(medium->ctx, "another program had changed the settings of the "
                                              "port: they are as they were");
    while (medium->ops->ready(medium, now_us)) {
        uint64_t before = medium->bytes_out;
        size_t n = link->layer->ops->output(link->layer, link->core, now_us, link->frame);
        if (n == 0)
            break;
        medium->ops->send(medium, now_us, link->frame, n);
        trace(link, '>', medium->bytes_out - before);
    }
    set_timer(link);
}

static void on_timer_closed(struct bl_timer *timer)
{
    struct link *link = timer->data;
    link_core_destroy(link->core);
    layer_destroy(link->layer);
    free(link);
}

static void on_medium_closed(void *ctx)
{
    struct link *link = ctx;
    link->medium = NULL;
    bl_timer_close(&link->timer, on_timer_closed);
}

static void close_medium(struct link *link)
{
    if (link->medium_closing)
        return;
    link->medium_closing = true;
    link->medium->ops->close(link->medium, on_medium_closed);
}

/* Sends the goodbyes. Closes when they are sent, or after CLOSE_US. */
static void close_when_sent(struct link *link, uint64_t now_us)
{
    if (link->medium_closing)
        return;
    pump(link, now_us);
    uint64_t due_us = link_core_deadline(link->core);
    if (due_us == UINT64_MAX || now_us >= link->close_us)
        close_medium(link);
    else
        bl_timer_set(&link->timer,
                     due_us > now_us && due_us < link->close_us ? due_us : link->close_us);
}

static bool on_frame(void *ctx, const uint8_t *frame, size_t length, size_t wire)
{
    struct link *link = ctx;
    bool proved;
    trace(link, '<', wire);
    link->batch = true;
    link->now_us = bl_mono_us();
    proved = link->layer->ops->frame(link->layer, link->core, link->now_us, frame, length);
    link->batch = false;
    return proved;
}

static bool on_early(void *ctx, const uint8_t *frame, size_t length, size_t wire)
{
    struct link *link = ctx;
    bool good;
    link->batch = true;
    good = link->layer->ops->early(link->layer, link->core, bl_mono_us(), frame, length);
    link->batch = false;
    if (good)
        trace(link, '<', wire);
    return good;
}

static void on_garbage(void *ctx, size_t bytes)
{
    struct link *link = ctx;
    link_core_garbage(link->core, bl_mono_us(), bytes);
}

static void after_input(struct link *link, uint64_t now_us)
{
    if (link->closing)
        close_when_sent(link, now_us);
    else
        pump(link, now_us);
}

/* Sends one answer to a batch of received frames. The answer's time is that of the last frame. The
 * clock is asked if the caller took a record since, or if no frame came. */
static void on_idle(void *ctx)
{
    struct link *link = ctx;
    uint64_t now_us = link->now_us;
    bool taken = link->taken;
    if (taken && link->callbacks.taken && !link->closing) {
        link->batch = true;
        link->callbacks.taken(link->ctx);
        link->batch = false;
        now_us = 0; /* the caller took time */
    }
    link->taken = false;
    link->now_us = 0;
    after_input(link, now_us ? now_us : bl_mono_us());
    if (taken && link->callbacks.answered && !link->closing)
        link->callbacks.answered(link->ctx);
}

static void on_writable(void *ctx)
{
    after_input(ctx, bl_mono_us());
}

static void on_usable(void *ctx, bool usable, const char *reason)
{
    struct link *link = ctx;
    link->batch = true;
    link->layer->ops->medium(link->layer, link->core, bl_mono_us(), usable, reason);
    link->batch = false;
    after_input(link, bl_mono_us());
}

static void on_notice(void *ctx, const char *text)
{
    struct link *link = ctx;
    link->batch = true;
    link_core_notice(link->core, bl_mono_us(), text);
    link->batch = false;
}

static void on_timer(struct bl_timer *timer)
{
    struct link *link = timer->data;
    if (link->closing) {
        close_when_sent(link, bl_mono_us());
        return;
    }
    link->batch = true;
    link->layer->ops->tick(link->layer, link->core, bl_mono_us());
    link->batch = false;
    after_input(link, bl_mono_us());
}

static const struct medium_callbacks medium_callbacks = {
    .frame = on_frame,
    .early = on_early,
    .garbage = on_garbage,
    .usable = on_usable,
    .notice = on_notice,
    .writable = on_writable,
    .idle = on_idle,
};

static void on_state(void *ctx, enum link_state state, const char *reason)
{
    struct link *link = ctx;
    if (state != LINK_UP && link->medium->ops->lost)
        link->medium->ops->lost(link->medium);
    link->callbacks.state(link->ctx, state, reason);
}

static enum bl_status on_record(void *ctx, const uint8_t *record, size_t length)
{
    struct link *link = ctx;
    link->taken = true;
    return link->callbacks.record(link->ctx, record, length);
}

static void on_progress(void *ctx)
{
    struct link *link = ctx;
    link->callbacks.progress(link->ctx);
}

static enum bl_status open_medium(struct link *link, uv_loop_t *loop, const char *port,
                                  const struct link_options *options, struct bl_diag *diag)
{
    struct port parsed;
    enum bl_status status = port_parse(&parsed, port, diag);
    if (status != BL_OK)
        return status;
    if (parsed.kind == PORT_SERIAL)
        return serial_open(&link->medium, loop, parsed.name, options->rtscts, &medium_callbacks,
                           link, diag);
    struct interface_info info;
    char problem[sizeof diag->text];
    interface_look(&info, parsed.device);
    if (!info.index && interface_problem(&info, problem, sizeof problem))
        return bl_fail(diag, BL_NOINPUT, "%s", problem);
    if (!options->insecure && !options->secret)
        return bl_fail(diag, BL_USAGE,
                       "%s: others can hear an Ethernet line and speak on it, so it needs a "
                       "secret: 'boothlink key new FILE' makes one, --key FILE takes it; "
                       "--insecure does without, for a cable in sight",
                       port);
    return ethernet_open(&link->medium, loop, parsed.name, options->role, options->secret != NULL,
                         &medium_callbacks, link, diag);
}

/* The encrypting layer if the options have a secret; otherwise the plain one. NULL: no memory. */
static struct layer *make_layer(const struct link *link, const struct link_wire *wire,
                                const struct link_options *options)
{
    const struct secured_config config = {
        .role = options->role,
        .secret = options->secret,
        .referee = options->referee,
        .line = link->medium->line,
        .frame_max = wire->frame_max,
        .random = random_bytes,
        .wall_us = wall_us,
    };
    return options->secret ? secured_create(&config) : layer_plain();
}

enum bl_status link_open(struct link **out, uv_loop_t *loop, const char *port,
                         const struct link_options *options, const struct link_callbacks *callbacks,
                         void *ctx, struct bl_diag *diag)
{
    static const struct link_callbacks inner = {
        .state = on_state, .record = on_record, .progress = on_progress};
    struct link *link = calloc(1, sizeof *link);
    struct link_wire wire;
    enum bl_status status;
    if (!link)
        return bl_fail(diag, BL_NOMEM, "%s: out of memory", port);
    link->callbacks = *callbacks;
    link->ctx = ctx;
    status = open_medium(link, loop, port, options, diag);
    if (status != BL_OK) {
        free(link);
        return status;
    }
    link->medium->ops->wire(link->medium, &wire);
    if (!options->answers_by_chance)
        wire.answer_us = 0;
    link->layer = make_layer(link, &wire, options);
    if (link->layer) {
        link->layer->ops->wire(link->layer, &wire);
        link->core = link_core_create(options->role, &wire, random_u32, &inner, link);
    }
    if (!link->core || bl_timer_init(loop, &link->timer, on_timer, link) != BL_OK) {
        link->medium->ctx = NULL;
        link->medium->ops->close(link->medium, NULL);
        link_core_destroy(link->core);
        layer_destroy(link->layer);
        free(link);
        return bl_fail(diag, BL_NOMEM, "%s: out of memory", port);
    }
    *out = link;
    return BL_OK;
}

enum bl_status link_send(struct link *link, enum link_class class, const uint8_t *record,
                         size_t length)
{
    enum bl_status status = link_core_send(link->core, class, record, length);
    if (status == BL_OK && !link->batch)
        pump(link, bl_mono_us());
    return status;
}

uint64_t link_sent(const struct link *link)
{
    return link_core_sent(link->core);
}

uint64_t link_acked(const struct link *link)
{
    return link_core_acked(link->core);
}

enum bl_status link_send_express(void *place, const uint8_t *record, size_t length)
{
    struct link *const *link = place;
    return *link ? link_send(*link, LINK_EXPRESS, record, length) : BL_DOWN;
}

enum bl_status link_send_bulk(void *place, const uint8_t *record, size_t length)
{
    struct link *const *link = place;
    return *link ? link_send(*link, LINK_BULK, record, length) : BL_DOWN;
}

uint64_t link_sent_express(void *place)
{
    struct link *const *link = place;
    return *link ? link_core_sent((*link)->core) : 0;
}

uint64_t link_acked_express(void *place)
{
    struct link *const *link = place;
    return *link ? link_core_acked((*link)->core) : 0;
}

enum link_state link_state(const struct link *link)
{
    return link_core_state(link->core);
}

const char *link_reason(const struct link *link)
{
    return link_core_reason(link->core);
}

bool link_port_failed(const struct link *link)
{
    return link_core_port_failed(link->core);
}

void link_stats(const struct link *link, struct link_stats *stats)
{
    link_core_stats(link->core, stats);
    stats->bytes_out = link->medium->bytes_out;
    stats->bytes_in = link->medium->bytes_in;
    stats->largest_frame = link->medium->largest;
}

void link_trace(struct link *link, void *file)
{
    link->trace = file;
}

static void end(struct link *link, bool goodbye)
{
    bool up;
    if (!link || link->closing)
        return;
    up = link_core_state(link->core) == LINK_UP;
    link->closing = true;
    link->trace = NULL;
    link_core_end(link->core, goodbye);
    if (!up || !goodbye) {
        close_medium(link);
        return;
    }
    link->close_us = bl_mono_us() + CLOSE_US;
    bl_timer_set(&link->timer, link->close_us);
    if (!link->batch)
        close_when_sent(link, bl_mono_us());
}

void link_close(struct link *link)
{
    end(link, true);
}

void link_abandon(struct link *link)
{
    end(link, false);
}
