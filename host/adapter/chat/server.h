/* An OpenAI-style server of chat completions, asked by libcurl: llama-server, Ollama, vLLM. Its
 * address is looked up once, no proxy is asked and no redirect followed. */
#ifndef ADAPTER_CHAT_SERVER_H
#define ADAPTER_CHAT_SERVER_H

#include "adapter/persona.h"
#include "adapter/typed_text.h"

#include <curl/curl.h>
#include <jansson.h>

#define SERVER_LINE 65536 /* bytes of one event, or of a whole answer that is not streamed */
#define SERVER_WHY  200
#define SERVER_URL  1024

struct server {
    CURLM *multi;
    CURL *curl;
    struct curl_slist *headers, *fixed;
    char base[SERVER_URL], unix_path[SERVER_URL];
    const char *by;               /* as given */
    bool asking, streams, broken; /* broken: the reply is no answer */
    bool finished;                /* the stream has said that it ends */
    char line[SERVER_LINE];
    size_t length;
    struct typed_text *text; /* the answer's destination */
    uint64_t asked_us, first_us;
    long long tokens_in, tokens_out; /* below 0: not said */
    char reason[40], error[SERVER_WHY - 40];
};

/* From now on jansson has its memory here: earlier objects are not freed. key: NULL none. by: the
 * socket by which a sandbox leads there (entity/relay.h); NULL: there is none. BL_USAGE: no
 * address; BL_UNAVAIL: its name is not found. */
enum bl_status server_open(struct server *server, const char *address, const char *by,
                           const char *key, struct bl_diag *diag);
void server_close(struct server *server);

/* True if the server is there; with the first model of its list. Blocks. */
enum bl_status server_list(struct server *server, char model[PERSONA_TEXT_MAX], unsigned timeout_ms,
                           struct bl_diag *diag);

/* Begins a request. body stays as it is until that has ended. */
enum bl_status server_ask(struct server *server, const char *body, bool streams,
                          unsigned timeout_ms, struct typed_text *text, struct bl_diag *diag);

enum server_state { SERVER_ASKS, SERVER_ANSWERED, SERVER_FAILED, SERVER_FAILED_AGAIN };

/* Goes on, after waiting for it, for `fd`, or for wait_ms. FAILED_AGAIN: it may help to ask once
 * more. why: of a failure. */
enum server_state server_run(struct server *server, int fd, int wait_ms, char why[SERVER_WHY]);

/* Ends a request before its answer. */
void server_cancel(struct server *server);

#endif
