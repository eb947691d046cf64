#include "adapter/chat/server.h"

#include "base/loop.h"
#include "base/utf8.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define CONNECT_MS     10000L
#define SERVER_OBJECTS (1u << 20) /* bytes */

/* Memory for JSON objects, which bounds their use. Reset when all objects are freed. */
static struct {
    _Alignas(16) char room[SERVER_OBJECTS];
    size_t used;
    unsigned count;
} objects;

static void *object_take(size_t size)
{
    char *at = objects.room + objects.used;
    size = (size + 15) / 16 * 16;
    if (size > sizeof objects.room - objects.used)
        return NULL;
    objects.used += size;
    objects.count++;
    return at;
}

static void object_give(void *at)
{
    if (at && --objects.count == 0)
        objects.used = 0;
}

/* Takes an object from the server: a whole answer, or a part of one. */
static void take_object(struct server *s, const char *text, size_t length)
{
    json_t *object = json_loadb(text, length, 0, NULL);
    const json_t *choice = json_array_get(json_object_get(object, "choices"), 0);
    const json_t *part = json_object_get(choice, s->streams ? "delta" : "message");
    const json_t *usage = json_object_get(object, "usage");
    const json_t *error = json_object_get(object, "error");
    const char *content = json_string_value(json_object_get(part, "content"));
    const char *reason = json_string_value(json_object_get(choice, "finish_reason"));
    if (!object || (!choice && !usage && !error))
        s->broken = true;
    if (json_is_object(error))
        error = json_object_get(error, "message");
    if (json_string_value(error))
        utf8_plain(s->error, sizeof s->error, json_string_value(error), json_string_length(error));
    if (content && *content) {
        if (!s->first_us)
            s->first_us = bl_mono_us();
        typed_text_feed(s->text, content, strlen(content));
    }
    if (reason) {
        utf8_plain(s->reason, sizeof s->reason, reason, strlen(reason));
        s->finished = true;
    }
    if (json_is_object(usage)) {
        s->tokens_in = json_integer_value(json_object_get(usage, "prompt_tokens"));
        s->tokens_out = json_integer_value(json_object_get(usage, "completion_tokens"));
    }
    json_decref(object);
}

static void take_line(struct server *s)
{
    size_t length = s->length;
    const char *at = s->line + 5;
    s->length = 0;
    if (length && s->line[length - 1] == '\r')
        length--;
    if (length < 5 || strncmp(s->line, "data:", 5) != 0)
        return;
    length -= 5;
    while (length && *at == ' ')
        at++, length--;
    if (length == 6 && memcmp(at, "[DONE]", 6) == 0)
        s->finished = true;
    else if (length)
        take_object(s, at, length);
}

static size_t on_bytes(char *bytes, size_t size, size_t count, void *ctx)
{
    struct server *s = ctx;
    long status = 0;
    curl_easy_getinfo(s->curl, CURLINFO_RESPONSE_CODE, &status);
    for (size_t i = 0; i < size * count; i++) {
        if (s->streams && status < 300 && bytes[i] == '\n') {
            take_line(s);
            continue;
        }
        if (s->length == sizeof s->line)
            return 0;
        s->line[s->length++] = bytes[i];
    }
    return size * count;
}

/* Makes "http://h:80/v1/chat/completions". The address may already end with this path, or with
 * /v1. */
static void url_make(const struct server *s, const char *path, char out[2 * SERVER_URL])
{
    size_t length = strlen(s->base);
    while (length && s->base[length - 1] == '/')
        length--;
    if (length > 17 && strncmp(s->base + length - 17, "/chat/completions", 17) == 0)
        length -= 17;
    bool has_v1 = length > 3 && strncmp(s->base + length - 3, "/v1", 3) == 0;
    snprintf(out, 2 * SERVER_URL, "%.*s%s%s", (int)length, s->base, has_v1 ? "" : "/v1", path);
}

/* Looks the name up once and keeps the address. CURLOPT_RESOLVE would hold for one request only. */
static enum bl_status address_fix(struct server *s, struct bl_diag *diag)
{
    char row[SERVER_URL + 100], number[INET6_ADDRSTRLEN + 2] = "";
    char *host = NULL, *port = NULL;
    struct addrinfo *found = NULL;
    CURLU *url = curl_url();
    enum bl_status status = BL_OK;
    if (curl_url_set(url, CURLUPART_URL, s->base, 0) ||
        curl_url_get(url, CURLUPART_HOST, &host, 0) ||
        curl_url_get(url, CURLUPART_PORT, &port, CURLU_DEFAULT_PORT)) {
        status =
            bl_fail(diag, BL_USAGE, "%.200s: expected an address as http://HOST[:PORT]", s->base);
    } else if (host[0] != '[' && getaddrinfo(host, NULL, NULL, &found)) {
        status = bl_fail(diag, BL_UNAVAIL, "%.200s: no such machine is known", host);
    } else if (found && !getnameinfo(found->ai_addr, found->ai_addrlen, number, sizeof number, NULL,
                                     0, NI_NUMERICHOST)) {
        snprintf(row, sizeof row, "%s:%s:%s%s%s:%s", host, port, strchr(number, ':') ? "[" : "",
                 number, strchr(number, ':') ? "]" : "", port);
        s->fixed = curl_slist_append(NULL, row);
    }
    if (found)
        freeaddrinfo(found);
    curl_free(host);
    curl_free(port);
    curl_url_cleanup(url);
    return status;
}

static bool set_up(struct server *s)
{
    CURL *c = s->curl;
    return curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_PROXY, "") == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_NETRC, CURL_NETRC_IGNORED) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 0L) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT_MS, CONNECT_MS) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_HTTPHEADER, s->headers) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_CONNECT_TO, s->fixed) == CURLE_OK &&
           (!s->unix_path[0] ||
            curl_easy_setopt(c, CURLOPT_UNIX_SOCKET_PATH, s->unix_path) == CURLE_OK) &&
           curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, on_bytes) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_WRITEDATA, s) == CURLE_OK;
}

enum bl_status server_open(struct server *s, const char *address, const char *by, const char *key,
                           struct bl_diag *diag)
{
    char header[SERVER_URL];
    memset(s, 0, sizeof *s);
    json_set_alloc_funcs(object_take, object_give);
    bool local = strncmp(address, "unix:", 5) == 0;
    if (strlen(address) >= SERVER_URL ||
        (!local && strncasecmp(address, "http://", 7) && strncasecmp(address, "https://", 8)))
        return bl_fail(diag, BL_USAGE, "%.200s: expected http://HOST[:PORT] or unix:PATH", address);
    snprintf(s->base, sizeof s->base, "%s", local ? "http://localhost" : address);
    snprintf(s->unix_path, sizeof s->unix_path, "%s", by ? by : local ? address + 5 : "");
    enum bl_status status = local || by ? BL_OK : address_fix(s, diag);
    if (status)
        return status;
    s->headers = curl_slist_append(NULL, "Content-Type: application/json");
    if (key) {
        snprintf(header, sizeof header, "Authorization: Bearer %s", key);
        s->headers = curl_slist_append(s->headers, header);
        memset(header, 0, sizeof header);
    }
    s->multi = curl_multi_init();
    s->curl = curl_easy_init();
    if (!s->multi || !s->curl || !set_up(s))
        return bl_fail(diag, BL_UNAVAIL, "libcurl cannot be set up");
    return BL_OK;
}

void server_close(struct server *s)
{
    server_cancel(s);
    curl_easy_cleanup(s->curl);
    curl_multi_cleanup(s->multi);
    curl_slist_free_all(s->headers);
    curl_slist_free_all(s->fixed);
}

/* Ends a request after so many ms without a byte; curl itself counts seconds. */
static void silence_set(struct server *s, unsigned timeout_ms)
{
    curl_easy_setopt(s->curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(s->curl, CURLOPT_LOW_SPEED_TIME, (long)(timeout_ms + 999) / 1000);
}

enum bl_status server_list(struct server *s, char model[PERSONA_TEXT_MAX], unsigned timeout_ms,
                           struct bl_diag *diag)
{
    char url[2 * SERVER_URL];
    long status = 0;
    url_make(s, "/models", url);
    s->length = 0;
    s->streams = false;
    silence_set(s, timeout_ms);
    curl_easy_setopt(s->curl, CURLOPT_URL, url);
    curl_easy_setopt(s->curl, CURLOPT_HTTPGET, 1L);
    CURLcode code = curl_easy_perform(s->curl);
    /* The sandbox's relay resets a connection that fails outside (entity/relay.h). */
    if (code == CURLE_RECV_ERROR)
        code = CURLE_COULDNT_CONNECT;
    if (code != CURLE_OK)
        return bl_fail(diag, BL_UNAVAIL, "nobody answers there: %s", curl_easy_strerror(code));
    curl_easy_getinfo(s->curl, CURLINFO_RESPONSE_CODE, &status);
    if (status == 429 || status >= 500)
        return bl_fail(diag, BL_UNAVAIL, "its list of models: status %ld", status);
    if (status >= 300)
        return bl_fail(diag, BL_DATA,
                       "no list of models there (status %ld): give \"model: NAME\" in the persona",
                       status);
    json_t *list = json_loadb(s->line, s->length, 0, NULL);
    const char *name =
        json_string_value(json_object_get(json_array_get(json_object_get(list, "data"), 0), "id"));
    if (name)
        utf8_plain(model, PERSONA_TEXT_MAX, name, strlen(name));
    json_decref(list);
    return name ? BL_OK
                : bl_fail(diag, BL_DATA,
                          "its list of models has none: give \"model: NAME\" in the persona");
}

enum bl_status server_ask(struct server *s, const char *body, bool streams, unsigned timeout_ms,
                          struct typed_text *text, struct bl_diag *diag)
{
    char url[2 * SERVER_URL];
    url_make(s, "/chat/completions", url);
    s->length = 0;
    s->streams = streams;
    s->broken = s->finished = false;
    s->text = text;
    s->asked_us = bl_mono_us();
    s->first_us = 0;
    s->tokens_in = s->tokens_out = -1;
    s->reason[0] = s->error[0] = '\0';
    silence_set(s, timeout_ms);
    curl_easy_setopt(s->curl, CURLOPT_URL, url);
    curl_easy_setopt(s->curl, CURLOPT_POST, 1L);
    curl_easy_setopt(s->curl, CURLOPT_POSTFIELDSIZE, -1L);
    curl_easy_setopt(s->curl, CURLOPT_POSTFIELDS, body);
    if (curl_multi_add_handle(s->multi, s->curl) != CURLM_OK)
        return bl_fail(diag, BL_UNAVAIL, "libcurl takes no request");
    s->asking = true;
    return BL_OK;
}

void server_cancel(struct server *s)
{
    if (s->asking)
        curl_multi_remove_handle(s->multi, s->curl);
    s->asking = false;
}

static enum server_state judge(struct server *s, CURLcode code, char why[SERVER_WHY])
{
    long status = 0;
    curl_easy_getinfo(s->curl, CURLINFO_RESPONSE_CODE, &status);
    if (code == CURLE_OPERATION_TIMEDOUT) {
        snprintf(why, SERVER_WHY, "the server says nothing");
        return SERVER_FAILED_AGAIN;
    }
    if (code != CURLE_OK && code != CURLE_PARTIAL_FILE && code != CURLE_RECV_ERROR) {
        snprintf(why, SERVER_WHY, "%s", curl_easy_strerror(code));
        return code == CURLE_WRITE_ERROR ? SERVER_FAILED : SERVER_FAILED_AGAIN;
    }
    if (status >= 300 || !s->streams)
        take_object(s, s->line, s->length);
    if (status >= 300) {
        snprintf(why, SERVER_WHY, "status %ld%s%s", status, s->error[0] ? ": " : "", s->error);
        return status == 429 || status >= 500 ? SERVER_FAILED_AGAIN : SERVER_FAILED;
    }
    if (s->error[0] || s->broken) {
        snprintf(why, SERVER_WHY, "%.190s", s->error[0] ? s->error : "what it sent is no answer");
        return SERVER_FAILED_AGAIN;
    }
    if (s->streams && !s->finished) {
        snprintf(why, SERVER_WHY, "its stream broke off");
        return SERVER_FAILED_AGAIN;
    }
    return SERVER_ANSWERED;
}

enum server_state server_run(struct server *s, int fd, int wait_ms, char why[SERVER_WHY])
{
    struct curl_waitfd extra = {.fd = fd, .events = CURL_WAIT_POLLIN};
    int running, left;
    const CURLMsg *message;
    curl_multi_poll(s->multi, &extra, fd >= 0, wait_ms, NULL);
    curl_multi_perform(s->multi, &running);
    while ((message = curl_multi_info_read(s->multi, &left))) {
        if (message->msg != CURLMSG_DONE)
            continue;
        CURLcode code = message->data.result;
        server_cancel(s);
        return judge(s, code, why);
    }
    return SERVER_ASKS;
}
