#include "post/server_config.h"

#include <stdarg.h>
#include <stdio.h>

#define CLIENTS_SPARE                                                                              \
    64 /* connections beyond one for each place: a place may return before its loss is seen */

static void put(struct growing *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(struct growing *out, const char *format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    growing_text(out, text);
}

static void put_user(struct growing *out, const uint8_t seed[POST_SECRET], const char *says,
                     const char *hears)
{
    char nkey[POST_NKEY_TEXT];
    post_nkey(seed, nkey);
    put(out, "      { nkey: %s, permissions: { publish: [%s], subscribe: [%s] } }\n", nkey, says,
        hears);
}

void post_server_config(struct growing *out, const struct post_server *server)
{
    put(out, "# Written by boothlink-desk at each start.\n");
    if (server->address)
        put(out, "listen: \"%s:%u\"\nmax_pending: 4194304\n", server->address, server->port);
    put(out, "max_payload: %d\n", POST_SEALED_MOST);
    put(out, "max_connections: %zu\n", server->count + CLIENTS_SPARE);
    put(out, "max_subscriptions: 4\nmax_control_line: 1024\n");
    put(out, "write_deadline: \"5s\"\nping_interval: \"2s\"\nping_max: 2\n");
    put(out, "accounts: {\n  SYS: {}\n  POST: {\n    users: [\n");
    put_user(out, server->desk, "\"" POST_SUBJECT_DOWN ">\", \"" POST_SUBJECT_ECHO "\"",
             "\"" POST_SUBJECT_UP ">\", \"" POST_SUBJECT_ECHO "\"");
    for (size_t i = 0; i < server->count; i++) {
        const struct post_keys *place = &server->places[i];
        char says[POST_SUBJECT_MAX], hears[POST_SUBJECT_MAX];
        snprintf(says, sizeof says, "\"" POST_SUBJECT_UP "%s\"", place->place);
        snprintf(hears, sizeof hears, "\"" POST_SUBJECT_DOWN "%s\"", place->place);
        put_user(out, place->nkey, says, hears);
    }
    put(out, "    ]\n  }\n}\nsystem_account: SYS\n");
}
