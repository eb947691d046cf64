/* Any bytes are safe to read as a frame on Ethernet; what is taken is written again as it was, and
 * no sequence of frames makes a peer of one that proved nothing. The input is a chain of frames,
 * each behind two bytes for its length; the length's highest bit says that the link takes it. */
#include "link/ether_frame.h"
#include "link/ether_peer.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void check_again(const struct ether_frame *frame, const uint8_t *bytes, size_t length)
{
    uint8_t again[ETHER_FRAME_MAX];
    size_t n = ether_frame_write(frame, again);
    if (n > length || memcmp(again, bytes, n) != 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct ether_peer peer;
    uint64_t now_us = 1;
    bool proved = false;
    ether_peer_init(&peer, LINK_JUDGE, 1, "left", false);
    while (length >= 2) {
        bool take = bytes[0] & 0x80;
        size_t n = (size_t)(bytes[0] & 0x7F) << 8 | bytes[1];
        struct ether_frame frame;
        char notice[LINK_REASON_MAX];
        bytes += 2;
        length -= 2;
        if (n > length)
            n = length;
        now_us += 400000;
        if (ether_frame_read(&frame, bytes, n) == ETHER_OURS) {
            check_again(&frame, bytes, n);
            if (ether_peer_hear(&peer, now_us, &frame, notice) == ETHER_TAKE && take) {
                ether_peer_proved(&peer, now_us, &frame);
                proved = true;
                /* The same once more is never taken. */
                if (ether_peer_hear(&peer, now_us, &frame, notice) == ETHER_TAKE)
                    abort();
            }
            if (memchr(notice, 0, sizeof notice) == NULL || peer.known != proved)
                abort();
        }
        bytes += n;
        length -= n;
    }
    return 0;
}
