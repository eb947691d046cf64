/* Any bytes from a controller's port, in any split: the host's side of it says something sensible,
 * sends sentences alone, and never waits for a time that is past. A byte below 0x20 is time that
 * passes; one of them in three a turn of the port. */
#include "controller/client.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void on_send(void *ctx, const char *bytes, size_t length)
{
    (void)ctx;
    if (length < 4 || bytes[0] != '$' || bytes[length - 1] != '\n')
        abort();
}

static void on_changed(void *ctx)
{
    (void)ctx;
}

static void on_happened(void *ctx, const char *words)
{
    (void)ctx;
    if (!*words || strchr(words, '\n'))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const struct client_callbacks callbacks = {on_send, on_changed, on_happened};
    struct client_config config = {.plan = {.segment = {{20, SEGMENT_A, 5}, {9, 0, 0}},
                                            .count = 2,
                                            .connect_s = 5,
                                            .budget_s = 60},
                                   .begun = length & 1,
                                   .nonce = 0x1234};
    struct bl_time now = {.mono_us = 1000000, .wall_us = 1795000000000000u};
    struct client *client = client_create(&config, &callbacks, NULL);
    if (!client)
        abort();
    client_port(client, true, "", now);
    for (size_t i = 0; i < length; i++) {
        struct client_view view;
        if (bytes[i] == 0x0D || bytes[i] == 0x0A || bytes[i] >= 0x20) {
            client_bytes(client, (const char *)bytes + i, 1, now);
        } else {
            now.mono_us += 20000u << (bytes[i] & 7);
            if (bytes[i] % 9 == 0)
                client_port(client, bytes[i] & 8, "gone", now);
            if (bytes[i] % 7 == 0)
                client_start(client, now);
            if (bytes[i] % 5 == 0)
                client_go(client, now);
        }
        if (client_due(client) <= now.mono_us) {
            client_tick(client, now);
            if (client_due(client) <= now.mono_us)
                abort();
        }
        client_view(client, &view, now);
        if (!view.trouble || strlen(view.trouble) >= CLIENT_WORDS_MAX)
            abort();
    }
    client_destroy(client);
    return 0;
}
