#include "post/nats/carrier.h"

#include "base/loop.h"

#include <nats/nats.h>
#include <sodium/randombytes.h>
#include <stdlib.h>
#include <string.h>

#define QUEUE_MOST 4096        /* messages waiting for the loop */
#define BYTES_MOST (16u << 20) /* most bytes of these messages; more are dropped, and come again */
#define AGAIN_US   1000000     /* between two tries */
#define TIMEOUT_MS 2000
#define PING_MS    2000
#define CLOSE_MS   1000

struct connected {
    natsConnection *connection;
    natsSubscription *subscription[CARRIER_SUBJECTS];
    int server;
};

struct carrier {
    struct carrier_options options;
    char nkey[POST_NKEY_TEXT], urls[CARRIER_URLS_MAX];
    const char *server[CARRIER_SERVERS]; /* in urls */
    int servers;
    struct connected now; /* the connection in use, unless NULL */
    bool told_down;
    int first; /* server of the next try's begin */
    uv_thread_t thread;
    bool trying;
    struct connected found; /* of the thread, until `tried` */
    natsStatus status;      /* of the try */
    struct bl_timer again;
    uv_async_t async;
    /* News from the library's threads, under the lock. */
    uv_mutex_t lock;
    natsMsg *queue[QUEUE_MOST];
    size_t count, bytes;
    natsConnection *closed; /* the connection that the library has given up */
    bool tried;             /* the thread has ended */
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

static void disconnect(struct connected *connected)
{
    for (unsigned i = 0; i < CARRIER_SUBJECTS; i++) {
        natsSubscription_Destroy(connected->subscription[i]);
        connected->subscription[i] = NULL;
    }
    natsConnection_Destroy(connected->connection);
    connected->connection = NULL;
}

/* The next try begins at the next server. */
static void be_down(struct carrier *carrier, const char *why)
{
    if (carrier->now.connection)
        carrier->first = (carrier->now.server + 1) % carrier->servers;
    disconnect(&carrier->now);
    if (!carrier->told_down)
        carrier->options.down(carrier->options.ctx, why);
    carrier->told_down = true;
    bl_timer_set(&carrier->again, bl_mono_us() + AGAIN_US);
}

static natsStatus set_options(struct carrier *carrier, int server, natsOptions *options)
{
    natsStatus status = natsOptions_SetURL(options, carrier->server[server]);
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

static natsStatus connect_to(struct carrier *carrier, int server, struct connected *out)
{
    natsOptions *options = NULL;
    natsStatus status = natsOptions_Create(&options);
    out->server = server;
    if (status == NATS_OK)
        status = set_options(carrier, server, options);
    if (status == NATS_OK)
        status = natsConnection_Connect(&out->connection, options);
    natsOptions_Destroy(options);
    for (unsigned i = 0; status == NATS_OK && i < CARRIER_SUBJECTS; i++)
        if (carrier->options.subject[i])
            status = natsConnection_Subscribe(&out->subscription[i], out->connection,
                                              carrier->options.subject[i], on_message, carrier);
    /* The server must have the subscriptions before up() is called. */
    if (status == NATS_OK)
        status = natsConnection_FlushTimeout(out->connection, TIMEOUT_MS);
    if (status != NATS_OK)
        disconnect(out);
    return status;
}

/* In a thread of its own: tries each server once, from the first one on. */
static void try_all(void *arg)
{
    struct carrier *carrier = arg;
    for (int i = 0; i < carrier->servers; i++) {
        const int server = (carrier->first + i) % carrier->servers;
        carrier->status = connect_to(carrier, server, &carrier->found);
        if (carrier->status == NATS_OK)
            break;
    }
    uv_mutex_lock(&carrier->lock);
    carrier->tried = true;
    uv_mutex_unlock(&carrier->lock);
    uv_async_send(&carrier->async);
}

static void on_again(struct bl_timer *timer)
{
    struct carrier *carrier = timer->data;
    carrier->trying = uv_thread_create(&carrier->thread, try_all, carrier) == 0;
    if (!carrier->trying)
        be_down(carrier, "no memory");
}

static void end_try(struct carrier *carrier)
{
    uv_thread_join(&carrier->thread);
    carrier->trying = false;
    if (carrier->status != NATS_OK) {
        be_down(carrier, natsStatus_GetText(carrier->status));
        return;
    }
    carrier->now = carrier->found;
    carrier->found = (struct connected){NULL};
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
    const bool tried = carrier->tried;
    natsConnection *closed = carrier->closed;
    carrier->count = carrier->bytes = 0;
    carrier->tried = false;
    if (tried || !carrier->trying)
        carrier->closed = NULL; /* else it may be the one that is found */
    uv_mutex_unlock(&carrier->lock);
    if (tried)
        end_try(carrier);
    for (size_t i = 0; i < count; i++) {
        carrier->options.message(carrier->options.ctx, natsMsg_GetSubject(queue[i]),
                                 (const uint8_t *)natsMsg_GetData(queue[i]),
                                 (size_t)natsMsg_GetDataLength(queue[i]));
        natsMsg_Destroy(queue[i]);
    }
    if (count)
        carrier->options.done(carrier->options.ctx);
    if (closed && closed == carrier->now.connection) {
        const char *why = NULL;
        natsConnection_GetLastError(closed, &why);
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
    carrier->first = (int)randombytes_uniform((uint32_t)carrier->servers);
    bl_timer_set(&carrier->again, bl_mono_us());
    return BL_OK;
}

void carrier_change(struct carrier *carrier, const char *why)
{
    if (carrier_is_up(carrier) && carrier->servers > 1)
        be_down(carrier, why);
}

bool carrier_is_up(const struct carrier *carrier)
{
    return carrier->now.connection && !carrier->told_down;
}

bool carrier_send(struct carrier *carrier, const char *subject, const uint8_t *bytes, size_t length)
{
    return carrier_is_up(carrier) &&
           natsConnection_Publish(carrier->now.connection, subject, bytes, (int)length) == NATS_OK;
}

void carrier_close(struct carrier *carrier)
{
    if (!carrier)
        return;
    natsConnection_FlushTimeout(carrier->now.connection, CLOSE_MS);
    disconnect(&carrier->now);
    nats_CloseAndWait(CLOSE_MS);
}
