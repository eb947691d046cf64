#include "adapter/lpp2.h"

#include "base/crc32c.h"
#include "base/limit.h"
#include "base/loop.h"
#include "base/utf8.h"
#include "adapter/engine.h"
#include "adapter/lpp2_words.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX 240

/* A client must not fill the record: of each kind of note a few pass at once, then one per
 * interval. KINDS exceeds the number of kinds. */
#define KINDS          32
#define NOTES_BURST    4
#define NOTES_EVERY_US UINT64_C(10000000)

struct kind {
    uint32_t id; /* 0: unused */
    struct limit limit;
};

struct said_line {
    uint8_t text[LPP2_LINE_MAX + UTF8_MAX];
    size_t length;
};

struct lpp2 {
    struct engine *engine;
    struct lpp2_callbacks callbacks;
    void *ctx;
    char secret[LPP2_SECRET_MAX + 1];
    struct engine_client *client; /* the registered client; NULL: none */
    char id[LPP2_NAME_MAX + 1];   /* id of the last registered client */
    bool ready;

    bool in_session;
    unsigned round;
    enum lpp2_status status;
    bool told_new, told_start; /* told_new: the Entry knows the round; told_start: and its start */

    uint64_t n;            /* number of keys in the order */
    uint64_t looked;       /* number of the order up to which keys were processed */
    uint64_t sent;         /* number of the last Return whose line was sent */
    uint64_t given;        /* number of the last Return whose line has certainly arrived */
    struct said_line line; /* the judge's unfinished line */

    uint32_t key[LPP2_KEYS_MAX]; /* keys of the Entry that wait to be typed */
    uint64_t key_us[LPP2_KEYS_MAX];
    size_t first, keys;
    unsigned allowed;
    bool handing;

    struct kind kind[KINDS];
    uint32_t not_keys; /* number of characters that are not keys, not reported yet */
};

/* The limit for notes of an event; each reason of a refusal has its own. */
static struct limit *limit_of(struct lpp2 *l, enum lpp2_event event, const char *reason)
{
    uint32_t id = crc32c((uint32_t)event, reason, strlen(reason)) | 1u;
    unsigned i = 0;
    while (i < KINDS - 1 && l->kind[i].id && l->kind[i].id != id)
        i++;
    l->kind[i].id = id;
    return &l->kind[i].limit;
}

static void tell_limited(struct lpp2 *l, struct limit *limit, enum lpp2_event event, uint32_t count,
                         const char *text)
{
    uint32_t held = limit->held;
    char all[TEXT_MAX];
    if (!limit_pass(limit, bl_mono_us(), NOTES_BURST, NOTES_EVERY_US))
        return;
    limit->held = 0;
    if (held)
        snprintf(all, sizeof all, "%.180s (%u more of the kind before)", text, held);
    l->callbacks.event(l->ctx, event, count, held ? all : text);
}

static void tell(struct lpp2 *l, enum lpp2_event event, const char *text)
{
    tell_limited(l, limit_of(l, event, ""), event, 1, text);
}

static void tell_refused(struct lpp2 *l, const char *what, const char *reason)
{
    char text[TEXT_MAX];
    snprintf(text, sizeof text, "%s%s", what, reason);
    tell_limited(l, limit_of(l, LPP2_REFUSED, reason), LPP2_REFUSED, 1, text);
}

static void tell_not_keys(struct lpp2 *l, uint32_t count)
{
    struct limit *limit = limit_of(l, LPP2_NOT_A_KEY, "");
    l->not_keys += count;
    if (!limit_has(limit, bl_mono_us(), NOTES_BURST, NOTES_EVERY_US))
        return;
    count = l->not_keys;
    l->not_keys = limit->held = 0;
    tell_limited(l, limit, LPP2_NOT_A_KEY, count,
                 "characters of a message are no keys; they were left out");
}

static bool send_packet(struct engine_client *client, char *packet, uint64_t mark)
{
    bool sent = client && packet && engine_send(client, packet, mark);
    free(packet);
    return sent;
}

static void line_erase(struct said_line *line)
{
    while (line->length > 0 && (line->text[--line->length] & 0xC0) == 0x80)
        ;
}

/* Adds a key; true if the line ends, by a Return or by its length. */
static bool line_take(struct said_line *line, uint32_t point)
{
    if (point == KEY_RETURN)
        return true;
    if (point == KEY_BACKSPACE)
        line_erase(line);
    else
        line->length += utf8_encode(point, line->text + line->length);
    return line->length >= LPP2_LINE_MAX;
}

static void send_lines(struct lpp2 *l)
{
    while (l->client && l->status == LPP2_RUNNING && l->looked < l->n) {
        enum party party;
        uint32_t point = l->callbacks.placed(l->ctx, ++l->looked, &party);
        if (party != PARTY_JUDGE || !line_take(&l->line, point))
            continue;
        size_t length = l->line.length;
        l->line.length = 0;
        if (l->looked <= l->given)
            continue; /* the line arrived before */
        if (l->looked <= l->sent)
            tell(l, LPP2_AGAIN, "a line that the Entry may have got is sent to it again");
        if (!send_packet(l->client,
                         lpp2_message_packet(LPP2_JUDGE, l->id, (const char *)l->line.text, length),
                         l->looked))
            return; /* the client is dropped; the next one gets the line */
        l->sent = l->looked;
    }
}

/* Sends all lines after the last certain one again. */
static void look_again(struct lpp2 *l)
{
    if (l->given > l->n)
        return;
    l->looked = l->given;
    l->line.length = 0;
    send_lines(l);
}

/* Tells the client its partner, before any line. */
static void inform(struct lpp2 *l)
{
    send_packet(l->client, lpp2_round_packet((int)l->round, l->status, l->id), 0);
}

static void tell_round(struct lpp2 *l)
{
    if (!l->client || !l->in_session)
        return;
    if (!l->told_new)
        l->told_new = send_packet(l->client, lpp2_control_packet("newRound", l->id), 0);
    if (l->status == LPP2_RUNNING && !l->told_start)
        l->told_start = send_packet(l->client, lpp2_control_packet("startRound", NULL), 0);
}

struct recap {
    const struct lpp2 *lpp2;
    json_t *messages;
    struct said_line line[PARTIES];
};

static void recap_key(struct recap *recap, enum party party, uint32_t point)
{
    struct said_line *line = &recap->line[party];
    const char *id = recap->lpp2->id;
    if (!line_take(line, point))
        return;
    json_array_append_new(recap->messages, lpp2_message(party == PARTY_JUDGE ? LPP2_JUDGE : id,
                                                        party == PARTY_JUDGE ? id : LPP2_JUDGE,
                                                        (const char *)line->text, line->length));
    line->length = 0;
}

/* Makes a packet with the judge's sent lines and all lines of the Entry, its untyped keys
 * included. */
static char *recap_packet(const struct lpp2 *l)
{
    struct recap *recap = calloc(1, sizeof *recap);
    uint32_t point;
    char *packet = NULL;
    if (recap)
        recap->messages = json_array();
    if (recap && recap->messages) {
        recap->lpp2 = l;
        for (uint64_t n = 1; n <= l->n; n++) {
            enum party party;
            point = l->callbacks.placed(l->ctx, n, &party);
            if (party == PARTY_ENTITY || n <= l->sent)
                recap_key(recap, party, point);
        }
        for (size_t i = 0; (point = l->callbacks.waiting(l->ctx, i)) != 0; i++)
            recap_key(recap, PARTY_ENTITY, point);
        for (size_t i = 0; i < l->keys; i++)
            recap_key(recap, PARTY_ENTITY, l->key[(l->first + i) % LPP2_KEYS_MAX]);
        packet = lpp2_recap_packet(recap->messages, ENGINE_SEND_MAX);
    }
    free(recap);
    return packet;
}

static void hand_over(struct lpp2 *l)
{
    if (l->handing)
        return;
    l->handing = true;
    while (l->keys > 0 && l->allowed > 0) {
        if (l->callbacks.key(l->ctx, l->key[l->first], l->key_us[l->first]) == HANDED_BACK)
            break;
        l->first = (l->first + 1) % LPP2_KEYS_MAX;
        l->keys--;
        l->allowed--;
    }
    l->handing = false;
}

static void add_key(struct lpp2 *l, uint32_t point, uint64_t now_us)
{
    size_t at = (l->first + l->keys++) % LPP2_KEYS_MAX;
    l->key[at] = point;
    l->key_us[at] = now_us;
}

static void type(struct lpp2 *l, const struct lpp2_asked *asked)
{
    const uint8_t *text = (const uint8_t *)asked->content;
    uint64_t now_us = bl_mono_us();
    uint32_t others = 0, point = 0;
    for (size_t at = 0, taken; at < asked->length; at += taken) {
        bool return_before = point == KEY_RETURN;
        taken = utf8_decode(text + at, asked->length - at, &point);
        if (taken == 0)
            break;
        if (point == '\n' && return_before)
            continue; /* CR and LF are one Return */
        if (point == '\n')
            point = KEY_RETURN;
        if (key_is_key(point) && point != KEY_BACKSPACE)
            add_key(l, point, now_us);
        else
            others++;
    }
    add_key(l, KEY_RETURN, now_us);
    if (others)
        tell_not_keys(l, others);
    hand_over(l);
}

static void refuse_message(struct lpp2 *l, struct engine_client *client, const char *why)
{
    tell_refused(l, "a message of the Entry is not taken: ", why);
    send_packet(client,
                lpp2_error_packet("TargetError", "{\"status\":\"Wrong Client or not connected\"}"),
                0);
}

static void on_said(struct lpp2 *l, struct engine_client *client, const struct lpp2_asked *asked)
{
    if (client != l->client)
        refuse_message(l, client, "it is not from the connection that registered last");
    else if (!l->in_session)
        refuse_message(l, client, "no round has begun");
    else if (l->status == LPP2_FINISHED)
        refuse_message(l, client, "the round is over");
    else if (strcmp(asked->to, LPP2_JUDGE) != 0)
        refuse_message(l, client, "it is to somebody else than its partner, " LPP2_JUDGE);
    else if (asked->length + 1 > LPP2_KEYS_MAX - l->keys)
        refuse_message(l, client, "so many keys of it wait already that there is no room");
    else
        type(l, asked);
}

static void on_register(struct lpp2 *l, struct engine_client *client, const char *id)
{
    char text[TEXT_MAX];
    if (l->client != client) {
        snprintf(text, sizeof text, "%s has registered by %s%s", id, engine_transport(client),
                 l->client ? ", in place of an earlier connection" : "");
        l->client = client;
        engine_keep(l->engine, client);
        snprintf(l->id, sizeof l->id, "%s", id);
        l->ready = true;
        tell(l, LPP2_REGISTERED, text);
        if (l->in_session && l->told_new)
            inform(l);
    }
    tell_round(l);
    look_again(l);
}

static bool is_secret(const struct lpp2 *l, const struct lpp2_asked *asked)
{
    return !l->secret[0] || sodium_memcmp(l->secret, asked->secret, sizeof l->secret) == 0;
}

static void on_asked(struct lpp2 *l, struct engine_client *client, const struct lpp2_asked *asked)
{
    if (asked->what == LPP2_BAD) {
        tell_refused(l, "what a client says is not taken: ", asked->why);
        return;
    }
    if (asked->what == LPP2_NONE)
        return;
    if (!is_secret(l, asked)) {
        tell_refused(l, asked->id, " is not let in: its secret is another one");
        send_packet(client, lpp2_error_packet("AuthError", "Invalid secret"), 0);
        return;
    }
    switch (asked->what) {
    case LPP2_REGISTER:
        on_register(l, client, asked->id);
        break;
    case LPP2_ROUND:
        send_packet(client,
                    lpp2_round_packet(l->in_session ? (int)l->round : -1, l->status, asked->id), 0);
        break;
    case LPP2_RECAP:
        if (l->in_session)
            send_packet(client, recap_packet(l), 0);
        break;
    case LPP2_MESSAGE:
        on_said(l, client, asked);
        break;
    case LPP2_BAD:
    case LPP2_NONE:
        break;
    }
}

static void on_event(void *ctx, struct engine_client *client, const char *json, size_t length)
{
    struct lpp2_asked asked;
    lpp2_asked_read(&asked, json, length);
    on_asked(ctx, client, &asked);
    lpp2_asked_free(&asked);
}

static void on_certain(void *ctx, struct engine_client *client, uint64_t mark)
{
    struct lpp2 *l = ctx;
    if (client == l->client && mark > l->given)
        l->given = mark;
}

static void on_gone(void *ctx, struct engine_client *client)
{
    struct lpp2 *l = ctx;
    char text[TEXT_MAX];
    if (client != l->client)
        return;
    if (!engine_is_sure(client))
        l->given = l->sent; /* this client never proves an arrival */
    l->client = NULL;
    snprintf(text, sizeof text, "the connection with %s is lost", l->id);
    tell(l, LPP2_GONE, text);
}

static void on_refused(void *ctx, const char *text)
{
    tell_refused(ctx, "", text);
}

enum bl_status lpp2_open(struct lpp2 **out, uv_loop_t *loop, const struct lpp2_options *options,
                         const struct lpp2_callbacks *callbacks, void *ctx, struct bl_diag *diag)
{
    static const struct engine_callbacks served = {
        .event = on_event, .certain = on_certain, .gone = on_gone, .refused = on_refused};
    const struct engine_options engine = {.address = options->address,
                                          .port = options->port,
                                          .listening = options->listening,
                                          .own = !options->secret[0] && !options->boxed,
                                          /* other users' pages cannot reach a sandbox */
                                          .pages = options->secret[0] || options->boxed};
    struct lpp2 *l = calloc(1, sizeof *l);
    *out = NULL;
    if (!l)
        return bl_fail(diag, BL_NOMEM, "no memory");
    l->callbacks = *callbacks;
    l->ctx = ctx;
    snprintf(l->secret, sizeof l->secret, "%s", options->secret);
    enum bl_status status = engine_open(&l->engine, loop, &engine, &served, l, diag);
    if (status) {
        free(l);
        return status;
    }
    *out = l;
    return BL_OK;
}

void lpp2_session(struct lpp2 *l, unsigned round, uint64_t given)
{
    l->in_session = true;
    l->round = round < LPP2_ROUNDS ? round : LPP2_ROUNDS - 1;
    l->status = given > 0 ? LPP2_RUNNING : LPP2_NOT_STARTED;
    l->told_new = l->told_start = given > 0;
    l->n = 0;
    l->looked = l->sent = l->given = given;
    l->line.length = 0;
    l->keys = 0;
    /* A client that registered before may not know the round, as on a spare machine. */
    if (l->client && l->told_new)
        inform(l);
    tell_round(l);
}

void lpp2_start(struct lpp2 *l)
{
    if (!l->in_session || l->status != LPP2_NOT_STARTED)
        return;
    l->status = LPP2_RUNNING;
    tell_round(l);
    send_lines(l);
}

void lpp2_end(struct lpp2 *l)
{
    if (!l->in_session || l->status == LPP2_FINISHED)
        return;
    l->status = LPP2_FINISHED;
    l->keys = 0;
    send_packet(l->client, lpp2_control_packet("endRound", NULL), 0);
}

void lpp2_allow(struct lpp2 *l, unsigned keys)
{
    l->allowed = keys;
    hand_over(l);
}

void lpp2_order(struct lpp2 *l, uint64_t n)
{
    if (n < l->looked && n < l->n) { /* the order was rebuilt */
        l->looked = 0;
        l->line.length = 0;
    }
    l->n = n;
    send_lines(l);
}

uint64_t lpp2_given(const struct lpp2 *l)
{
    return l->given;
}

bool lpp2_ready(const struct lpp2 *l)
{
    return l->ready;
}

bool lpp2_sent(const struct lpp2 *l)
{
    return !l->client || engine_sent(l->client);
}

void lpp2_close(struct lpp2 *l)
{
    if (!l)
        return;
    engine_close(l->engine, NULL);
    free(l);
}
