#include "post/nats/carrier.h"

#include "base/loop.h"

#include <nats/nats.h>
#include <stdlib.h>
#include <string.h>

#define QUEUE_MOST 4096        /* messages waiting for the loop */
#define BYTES_MOST (16u << 20) /* most bytes of these messages; more are dropped, and come again */
#define AGAIN_US   1000000     /* between two tries */
#define TIMEOUT_MS 2000
#define PING_MS    2000
#define CLOSE_MS   1000

struct carrier {
    struct carrier_options options;
    char nkey[POST_NKEY_TEXT], urls[CARRIER_URLS_MAX];
    const char *server[CARRIER_SERVERS]; /* in urls */
    int servers;
    natsConnection *connection; /* NULL: none */
    natsSubscription *subscription[CARRIER_SUBJECTS];
    bool told_down;
    struct bl_timer again;
    uv_async_t async;
    /* News from the library's threads, under the lock. */
    uv_mutex_t lock;
    natsMsg *queue[QUEUE_MOST];
    size_t count, bytes;
    natsConnection *closed; /* the connection that the library has given up */
};

/* In a thread of the library. */
static void on_message(natsConnection *connection, natsSubscription *subscription, natsMsg *message,
                       void *ctx)
{
    struct carrier *carrier = ctx;
    size_t length = (size_t)natsMsg_GetDataLength(message);
    (void)connection, (void)subscription;
    uv_mutex_lock(&carrier->lock);
    bool room = carrier->count < QUEUE_MOST && carrier->bytes + length <= BYTES_MOST;
    if (room) {
        carrier->queue[carrier->count++] = message;
        carrier->bytes += length;
    }
    uv_mutex_unlock(&carrier->lock);
    if (!room)
        natsMsg_Destroy(message);
    uv_async_send(&carrier->async);
}

/* In a thread of the library. */
static void on_closed(natsConnection *connection, void *ctx)
{
    struct carrier *carrier = ctx;
    uv_mutex_lock(&carrier->lock);
    carrier->closed = connection;
    uv_mutex_unlock(&carrier->lock);
    uv_async_send(&carrier->async);
}

static natsStatus on_sign(char **why, unsigned char **signature, int *length, const char *nonce,
                          void *ctx)
{
    const struct carrier *carrier = ctx;
    (void)why;
    *signature = malloc(POST_SIGNATURE);
    if (!*signature)
        return NATS_NO_MEMORY;
    post_nkey_sign(carrier->options.seed, nonce, *signature);
    *length = POST_SIGNATURE;
    return NATS_OK;
}

static void be_down(struct carrier *carrier, const char *why)
{
    for (unsigned i = 0; i < CARRIER_SUBJECTS; i++) {
        natsSubscription_Destroy(carrier->subscription[i]);
        carrier->subscription[i] = NULL;
    }
    natsConnection_Destroy(carrier->connection);
    carrier->connection = NULL;
    if (!carrier->told_down)
        carrier->options.down(carrier->options.ctx, why);
    carrier->told_down = true;
    bl_timer_set(&carrier->again, bl_mono_us() + AGAIN_US);
}

static natsStatus set_options(struct carrier *carrier, natsOptions *options)
{
    natsStatus status = natsOptions_SetServers(options, carrier->server, carrier->servers);
    if (status == NATS_OK)
        status = natsOptions_SetName(options, carrier->options.name);
    if (status == NATS_OK)
        status = natsOptions_SetNKey(options, carrier->nkey, on_sign, carrier);
    if (status == NATS_OK)
        status = natsOptions_SetAllowReconnect(options, false);
    if (status == NATS_OK)
        status = natsOptions_SetIgnoreDiscoveredServers(options, true);
    if (status == NATS_OK)
        status = natsOptions_SetTimeout(options, TIMEOUT_MS);
    if (status == NATS_OK)
        status = natsOptions_SetWriteDeadline(options, TIMEOUT_MS);
    if (status == NATS_OK)
        status = natsOptions_SetPingInterval(options, PING_MS);
    if (status == NATS_OK)
        status = natsOptions_SetMaxPingsOut(options, 2);
    if (status == NATS_OK)
        status = natsOptions_SetClosedCB(options, on_closed, carrier);
    return status;
}

static natsStatus be_connected(struct carrier *carrier)
{
    natsOptions *options = NULL;
    natsStatus status = natsOptions_Create(&options);
    if (status == NATS_OK)
        status = set_options(carrier, options);
    if (status == NATS_OK)
        status = natsConnection_Connect(&carrier->connection, options);
    natsOptions_Destroy(options);
    for (unsigned i = 0; status == NATS_OK && i < CARRIER_SUBJECTS; i++)
        if (carrier->options.subject[i])
            status = natsConnection_Subscribe(&carrier->subscription[i], carrier->connection,
                                              carrier->options.subject[i], on_message, carrier);
    /* The server must have the subscriptions before up() is called. */
    if (status == NATS_OK)
        status = natsConnection_FlushTimeout(carrier->connection, TIMEOUT_MS);
    return status;
}

static void on_again(struct bl_timer *timer)
{
    struct carrier *carrier = timer->data;
    natsStatus status = be_connected(carrier);
    if (status != NATS_OK) {
        be_down(carrier, natsStatus_GetText(status));
        return;
    }
    carrier->told_down = false;
    carrier->options.up(carrier->options.ctx);
}

static void on_async(uv_async_t *async)
{
    static natsMsg *queue[QUEUE_MOST];
    struct carrier *carrier = async->data;
    uv_mutex_lock(&carrier->lock);
    size_t count = carrier->count;
    memcpy(queue, carrier->queue, count * sizeof *queue);
    bool closed = carrier->connection && carrier->closed == carrier->connection;
    carrier->count = carrier->bytes = 0;
    carrier->closed = NULL;
    uv_mutex_unlock(&carrier->lock);
    for (size_t i = 0; i < count; i++) {
        carrier->options.message(carrier->options.ctx, natsMsg_GetSubject(queue[i]),
                                 (const uint8_t *)natsMsg_GetData(queue[i]),
                                 (size_t)natsMsg_GetDataLength(queue[i]));
        natsMsg_Destroy(queue[i]);
    }
    if (count)
        carrier->options.done(carrier->options.ctx);
    if (closed) {
        const char *why = NULL;
        natsConnection_GetLastError(carrier->connection, &why);
        char text[200];
        snprintf(text, sizeof text, "%s", why && *why ? why : "the connection has ended");
        be_down(carrier, text);
    }
}

static enum bl_status read_servers(struct carrier *carrier, struct bl_diag *diag)
{
    char *rest = carrier->urls, *url;
    int length = snprintf(carrier->urls, sizeof carrier->urls, "%s", carrier->options.url);
    bool room = length < CARRIER_URLS_MAX;
    while (room && (url = strsep(&rest, ","))) {
        room = carrier->servers < CARRIER_SERVERS;
        if (room && *url)
            carrier->server[carrier->servers++] = url;
    }
    return room && carrier->servers ? BL_OK
                                    : bl_fail(diag, BL_USAGE,
                                              "%.60s: expected nats://ADDRESS:PORT, with commas "
                                              "between up to %d of them",
                                              carrier->options.url, CARRIER_SERVERS);
}

enum bl_status carrier_open(struct carrier **out, uv_loop_t *loop,
                            const struct carrier_options *options, struct bl_diag *diag)
{
    struct carrier *carrier = *out = calloc(1, sizeof *carrier);
    if (!carrier)
        return bl_fail(diag, BL_NOMEM, "no memory");
    carrier->options = *options;
    carrier->async.data = carrier;
    post_nkey(options->seed, carrier->nkey);
    enum bl_status status = read_servers(carrier, diag);
    if (status != BL_OK)
        return status;
    if (uv_mutex_init(&carrier->lock) || uv_async_init(loop, &carrier->async, on_async) ||
        bl_timer_init(loop, &carrier->again, on_again, carrier) != BL_OK || nats_Open(0) != NATS_OK)
        return bl_fail(diag, BL_UNAVAIL, "the library of NATS does not start");
    bl_timer_set(&carrier->again, bl_mono_us());
    return BL_OK;
}

bool carrier_is_up(const struct carrier *carrier)
{
    return carrier->connection && !carrier->told_down;
}

bool carrier_send(struct carrier *carrier, const char *subject, const uint8_t *bytes, size_t length)
{
    return carrier_is_up(carrier) &&
           natsConnection_Publish(carrier->connection, subject, bytes, (int)length) == NATS_OK;
}

void carrier_close(struct carrier *carrier)
{
    if (!carrier)
        return;
    natsConnection_FlushTimeout(carrier->connection, CLOSE_MS);
    natsConnection_Destroy(carrier->connection);
    carrier->connection = NULL;
    nats_CloseAndWait(CLOSE_MS);
}
