/* A client of OpenAI-style chat completions, by libcurl: for llama-server, Ollama, vLLM. The
 * address is looked up once; proxies and redirects are not used. */
#ifndef ADAPTER_CHAT_SERVER_H
#define ADAPTER_CHAT_SERVER_H

#include "adapter/persona.h"
#include "adapter/typed_text.h"

#include <curl/curl.h>
#include <jansson.h>

#define SERVER_LINE 65536 /* bytes of an event, or of a whole answer without streaming */
#define SERVER_WHY  200
#define SERVER_URL  1024

struct server {
    CURLM *multi;
    CURL *curl;
    struct curl_slist *headers, *fixed;
    char base[SERVER_URL], unix_path[SERVER_URL];
    const char *by;               /* the relay's socket, a string that the caller keeps; NULL:
                                   * none */
    bool asking, streams, broken; /* broken: a part of the reply was malformed */
    bool finished;                /* the stream announced its end */
    char line[SERVER_LINE];
    size_t length;
    struct typed_text *text; /* receives the answer */
    uint64_t asked_us, first_us;
    long long tokens_in, tokens_out; /* negative: unknown */
    char reason[40], error[SERVER_WHY - 40];
};

/* Opens a server. From now on jansson uses this module's memory, and earlier objects must not be
 * freed. key: NULL: none. by: the socket to the sandbox's relay (entity/relay.h); NULL: none.
 * BL_USAGE: invalid address; BL_UNAVAIL: unknown host name. */
enum bl_status server_open(struct server *server, const char *address, const char *by,
                           const char *key, struct bl_diag *diag);
void server_close(struct server *server);

/* Asks the server for its list of models; `model` gets the first one. BL_UNAVAIL: no answer.
 * Blocks. */
enum bl_status server_list(struct server *server, char model[PERSONA_TEXT_MAX], unsigned timeout_ms,
                           struct bl_diag *diag);

/* Begins a request. body must not change before the request has ended. */
enum bl_status server_ask(struct server *server, const char *body, bool streams,
                          unsigned timeout_ms, struct typed_text *text, struct bl_diag *diag);

enum server_state { SERVER_ASKS, SERVER_ANSWERED, SERVER_FAILED, SERVER_FAILED_AGAIN };

/* Continues the request, after a wait for it, for `fd`, or for wait_ms. FAILED_AGAIN: a repetition
 * may succeed. `why` describes a failure. */
enum server_state server_run(struct server *server, int fd, int wait_ms, char why[SERVER_WHY]);

void server_cancel(struct server *server);

#endif
