/* Any frames at the referee's listener, on Ethernet and on a Y-cable, in any time: it goes on, and
 * what it waits for is to come. A frame is a byte of what it is, one of its length, and its bytes.
 */
#include "booth/tap_book.h"
#include "link/core_frame.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);
int LLVMFuzzerInitialize(int *argc, char ***argv);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    if (sodium_init() < 0 || !freopen("/dev/null", "w", stdout))
        abort();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const struct tap_listener listener = {.side = SIDE_LEFT};
    struct tap_book *book = tap_book_create(NULL, &listener);
    struct bl_time now = {.mono_us = 1000000, .wall_us = 1795000000000000u};
    if (!book)
        abort();
    while (length > 2) {
        uint8_t what = bytes[0], payload[256], frame[ETHER_FRAME_MAX];
        size_t n = bytes[1] < length - 2 ? bytes[1] : length - 2;
        memcpy(payload, bytes + 2, n);
        bytes += 2 + n;
        length -= 2 + n;
        now.mono_us += 1u << (what >> 3 & 15);
        if (what & 4 && n > FRAME_CRC) /* as one of a connection */
            n = frame_seal(payload, n - FRAME_CRC, what & 2 ? HELLO_SEED : 7);
        if (what & 1) {
            tap_book_serial(book, now, what >> 1 & 1, payload, n);
        } else if (what & 0x80) {
            tap_book_ether(book, now, payload, n);
        } else {
            struct ether_frame ether = {.kind = what & 0x40 ? ETHER_TAKEN : ETHER_DATA,
                                        .role = what >> 3 & 1 ? LINK_JUDGE : LINK_ENTITY,
                                        .instance = 1 + (what >> 4 & 1),
                                        .number = (uint32_t)length,
                                        .payload = payload,
                                        .length = n};
            snprintf(ether.line, sizeof ether.line, "line%u", what >> 5 & 3u);
            ether.from.byte[5] = what & 0x18;
            tap_book_ether(book, now, frame, ether_frame_write(&ether, frame));
        }
        if (tap_book_deadline(book) <= now.mono_us)
            tap_book_tick(book, now);
    }
    tap_book_finish(book);
    tap_book_destroy(book);
    return 0;
}
