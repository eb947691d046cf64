/* Whatever a client of Engine.IO sends is safe to read, as text and as bytes: packets lie within
 * what was sent, and what is written is read again. Events of LPP v2 in them too. The first byte
 * says how it came. */
#include "adapter/engine_io.h"
#include "adapter/lpp2_words.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

#define MOST 8192

static void check_event(const struct socket_packet *event)
{
    struct lpp2_asked asked;
    lpp2_asked_read(&asked, event->json, event->length);
    if ((asked.what == LPP2_BAD) != (asked.why != NULL))
        abort();
    if (asked.what == LPP2_MESSAGE) {
        char *packet = lpp2_message_packet(asked.id, asked.to, asked.content, asked.length);
        struct socket_packet again;
        struct lpp2_asked back;
        if (!packet || !socket_packet_read((uint8_t *)packet + 1, strlen(packet) - 1, &again))
            abort();
        lpp2_asked_read(&back, again.json, again.length);
        if (back.what != LPP2_MESSAGE || back.length != asked.length ||
            memcmp(back.content, asked.content, asked.length) != 0 ||
            strcmp(back.to, asked.to) != 0)
            abort();
        for (const char *c = packet; *c; c++)
            if ((uint8_t)*c < ' ' || (uint8_t)*c > 0x7F)
                abort();
        lpp2_asked_free(&back);
        free(packet);
    }
    lpp2_asked_free(&asked);
}

static void check_packet(const struct engine_packet *packet)
{
    struct socket_packet event;
    if (packet->type == ENGINE_MESSAGE &&
        socket_packet_read(packet->data, packet->length, &event)) {
        if (event.json + event.length != (const char *)packet->data + packet->length)
            abort();
        if (event.kind == SOCKET_EVENT)
            check_event(&event);
    }
}

/* A packet of ASCII comes out of a payload as it went into it. */
static void check_written(const uint8_t *bytes, size_t length, bool binary)
{
    static uint8_t out[MOST + 32];
    char ascii[MOST];
    struct engine_packet packet;
    if (length == 0)
        return;
    for (size_t i = 0; i < length; i++)
        ascii[i] = (char)(' ' + bytes[i] % 95);
    ascii[0] = (char)('0' + bytes[0] % 7);
    size_t used = engine_payload_add(out, 0, sizeof out, binary, ascii, length);
    struct engine_payload payload = {.at = out, .left = used, .binary = binary};
    if (used == 0 || engine_payload_next(&payload, &packet) != ENGINE_PACKET ||
        packet.type != (enum engine_type)ascii[0] || packet.length != length - 1 ||
        memcmp(packet.data, ascii + 1, packet.length) != 0 ||
        engine_payload_next(&payload, &packet) != ENGINE_END)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    if (length < 1 || length > MOST)
        return 0;
    uint8_t *copy = malloc(length);
    char sid[8];
    struct engine_packet packet;
    if (!copy)
        abort();
    memcpy(copy, bytes + 1, length - 1);
    copy[length - 1] = '\0';
    if (engine_query((const char *)copy, "sid", sid, sizeof sid) && strlen(sid) >= sizeof sid)
        abort();
    if (bytes[0] % 3 == 2) {
        if (engine_packet_read(copy, length - 1, &packet))
            check_packet(&packet);
    } else {
        struct engine_payload payload = {
            .at = copy, .left = length - 1, .binary = bytes[0] % 3 == 1};
        while (engine_payload_next(&payload, &packet) == ENGINE_PACKET) {
            if (packet.data + packet.length > copy + length - 1)
                abort();
            check_packet(&packet);
        }
    }
    check_written(bytes + 1, length - 1, bytes[0] % 3 == 1);
    free(copy);
    return 0;
}
