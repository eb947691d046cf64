#include "adapter/form/exchange.h"

#include "base/utf8.h"
#include "base/version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define CONNECT_MS 10000

static size_t on_bytes(char *bytes, size_t size, size_t count, void *ctx)
{
    struct exchange *e = ctx;
    if (size * count > EXCHANGE_MOST - e->length)
        return 0;
    memcpy(e->bytes + e->length, bytes, size * count);
    e->length += size * count;
    return size * count;
}

static bool set_up(struct exchange *e)
{
    CURL *c = e->curl;
    return (!e->by || curl_easy_setopt(c, CURLOPT_UNIX_SOCKET_PATH, e->by) == CURLE_OK) &&
           curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_PROXY, "") == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_NETRC, CURL_NETRC_IGNORED) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_COOKIEFILE, "") == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_ACCEPT_ENCODING, "") == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_USERAGENT, "Mozilla/5.0 (boothlink " BL_VERSION ")") ==
               CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 0L) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_TIMEOUT_MS, (long)e->timeout_ms) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, on_bytes) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_WRITEDATA, e) == CURLE_OK;
}

enum bl_status exchange_open(struct exchange *exchange, const char *url, const char *cgi,
                             const char *by, unsigned timeout_ms, struct bl_diag *diag)
{
    *exchange = (struct exchange){.cgi = cgi, .by = by, .timeout_ms = timeout_ms};
    if (strlen(url) >= sizeof exchange->url ||
        (strncasecmp(url, "http://", 7) != 0 && strncasecmp(url, "https://", 8) != 0))
        return bl_fail(diag, BL_USAGE, "%.200s: expected an address as http://HOST[:PORT]/PATH",
                       url);
    snprintf(exchange->url, sizeof exchange->url, "%s", url);
    exchange->bytes = malloc(EXCHANGE_MOST + 1);
    exchange->curl = curl_easy_init();
    if (!exchange->bytes || !exchange->curl || !set_up(exchange))
        return bl_fail(diag, BL_UNAVAIL, "libcurl cannot be set up");
    return BL_OK;
}

void exchange_close(struct exchange *exchange)
{
    curl_easy_cleanup(exchange->curl);
    free(exchange->bytes);
    *exchange = (struct exchange){0};
}

static enum bl_status failed(const struct exchange *e, CURLcode code, struct bl_diag *diag)
{
    /* The sandbox's relay resets a connection that fails outside (entity/relay.h). */
    if (e->by && code == CURLE_RECV_ERROR && !e->length)
        code = CURLE_COULDNT_CONNECT;
    switch (code) {
    case CURLE_WRITE_ERROR:
        return bl_fail(diag, BL_FULL, "it returned more than %u bytes", EXCHANGE_MOST);
    case CURLE_OPERATION_TIMEDOUT:
        return bl_fail(diag, BL_AGAIN, "it returned no whole document within %u s",
                       e->timeout_ms / 1000);
    case CURLE_COULDNT_CONNECT:
    case CURLE_COULDNT_RESOLVE_HOST:
        return bl_fail(diag, BL_UNAVAIL, "nobody answers there: %s", curl_easy_strerror(code));
    default:
        return bl_fail(diag, BL_IO, "the request failed: %s", curl_easy_strerror(code));
    }
}

static void copy_info(CURL *curl, CURLINFO what, char out[REPLY_FIELD_MAX])
{
    char *text = NULL;
    curl_easy_getinfo(curl, what, &text);
    snprintf(out, REPLY_FIELD_MAX, "%s", text && strlen(text) < REPLY_FIELD_MAX ? text : "");
}

static enum bl_status web_do(struct exchange *e, const struct request *request, struct reply *reply,
                             struct bl_diag *diag)
{
    struct curl_slist *headers = NULL;
    char line[256];
    long status = 0;
    CURLcode code;
    e->length = 0;
    curl_easy_setopt(e->curl, CURLOPT_URL, request->url);
    if (request->post) {
        snprintf(line, sizeof line, "Content-Type: %s", request->type);
        headers = curl_slist_append(NULL, line);
        curl_easy_setopt(e->curl, CURLOPT_POST, 1L);
        curl_easy_setopt(e->curl, CURLOPT_POSTFIELDS, request->body);
        curl_easy_setopt(e->curl, CURLOPT_POSTFIELDSIZE, (long)request->length);
    } else {
        curl_easy_setopt(e->curl, CURLOPT_HTTPGET, 1L);
    }
    curl_easy_setopt(e->curl, CURLOPT_HTTPHEADER, headers);
    code = curl_easy_perform(e->curl);
    curl_easy_setopt(e->curl, CURLOPT_HTTPHEADER, NULL);
    curl_slist_free_all(headers);
    if (code != CURLE_OK)
        return failed(e, code, diag);
    *reply = (struct reply){.body = e->bytes, .length = e->length};
    curl_easy_getinfo(e->curl, CURLINFO_RESPONSE_CODE, &status);
    reply->status = (unsigned)status;
    copy_info(e->curl, CURLINFO_CONTENT_TYPE, reply->type);
    if (status >= 300 && status < 400)
        copy_info(e->curl, CURLINFO_REDIRECT_URL, reply->location);
    return BL_OK;
}

static bool same_part(CURLU *one, CURLU *other, CURLUPart what)
{
    char *a = NULL, *b = NULL;
    bool same = !curl_url_get(one, what, &a, CURLU_DEFAULT_PORT) &&
                !curl_url_get(other, what, &b, CURLU_DEFAULT_PORT) && strcasecmp(a, b) == 0;
    curl_free(a);
    curl_free(b);
    return same;
}

static enum bl_status elsewhere(const char *target, struct bl_diag *diag)
{
    char shown[120];
    utf8_plain(shown, sizeof shown, target, strnlen(target, sizeof shown - 1));
    return bl_fail(diag, BL_DATA, "it leads to another host, '%s': expected its own", shown);
}

enum bl_status exchange_target(const struct exchange *exchange, const char *action,
                               const char *query, char url[EXCHANGE_URL_MAX], struct bl_diag *diag)
{
    CURLU *from = curl_url(), *to = curl_url();
    char *whole = NULL;
    enum bl_status status = BL_OK;
    /* An empty action is the document's own address. */
    if (!from || !to || curl_url_set(from, CURLUPART_URL, exchange->url, 0) ||
        curl_url_set(to, CURLUPART_URL, exchange->url, 0) ||
        (*action && curl_url_set(to, CURLUPART_URL, action, CURLU_URLENCODE)))
        status = bl_fail(diag, BL_DATA, "it leads to what is no address");
    else if (!same_part(from, to, CURLUPART_HOST) || !same_part(from, to, CURLUPART_PORT) ||
             !same_part(from, to, CURLUPART_SCHEME))
        status = elsewhere(action, diag);
    else if ((query && curl_url_set(to, CURLUPART_QUERY, query, 0)) ||
             curl_url_set(to, CURLUPART_FRAGMENT, NULL, 0) ||
             curl_url_get(to, CURLUPART_URL, &whole, 0) || strlen(whole) >= EXCHANGE_URL_MAX)
        status = bl_fail(diag, BL_DATA, "the address of its form is too long");
    if (!status)
        snprintf(url, EXCHANGE_URL_MAX, "%s", whole);
    curl_free(whole);
    curl_url_cleanup(from);
    curl_url_cleanup(to);
    return status;
}

enum bl_status exchange_do(struct exchange *exchange, const struct request *request,
                           struct reply *reply, struct bl_diag *diag)
{
    struct request now = *request;
    char url[EXCHANGE_URL_MAX];
    snprintf(url, sizeof url, "%s", request->url);
    for (unsigned i = 0; i <= EXCHANGE_FORWARD; i++) {
        enum bl_status status;
        now.url = url;
        status = exchange->cgi ? cgi_do(exchange, &now, reply, diag)
                               : web_do(exchange, &now, reply, diag);
        if (status)
            return status;
        snprintf(exchange->url, sizeof exchange->url, "%s", url);
        if (!reply->location[0])
            return BL_OK;
        status = exchange_target(exchange, reply->location, NULL, url, diag);
        if (status)
            return status;
        if (reply->status != 307 && reply->status != 308)
            now.post = false;
    }
    return bl_fail(diag, BL_DATA, "it sends on more than %d times", EXCHANGE_FORWARD);
}
