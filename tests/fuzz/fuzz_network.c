/* Any datagram of an Entry may be noted and answered: the input is a chain of them, each behind two
 * bytes for its length. What is written down is text, the answer fits, and goes to whom it came
 * from. */
#include "validate/network.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void check_notes(const struct network_note *notes, unsigned count)
{
    if (count > NETWORK_NOTES)
        abort();
    for (unsigned i = 0; i < count; i++)
        for (const char *c = notes[i].text; *c; c++)
            if (*c < 0x20 || *c > 0x7E)
                abort();
}

static void check_answer(const uint8_t *frame, const uint8_t *answer, size_t n)
{
    if (n > NETWORK_FRAME_MAX || (n && n < 28) || (n && answer[0] >> 4 != frame[0] >> 4))
        abort();
    if (n && answer[0] >> 4 == 4 && memcmp(answer + 16, frame + 12, 4) != 0)
        abort();
    if (n && answer[0] >> 4 == 6 && memcmp(answer + 24, frame + 8, 16) != 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct network network = {0}, sum = {0};
    uint8_t answer[NETWORK_FRAME_MAX];
    while (length >= 2) {
        size_t n = (size_t)bytes[0] << 8 | bytes[1];
        bytes += 2;
        length -= 2;
        n = n < length ? n : length;
        check_answer(bytes, answer, network_take(&network, bytes, n, answer));
        bytes += n;
        length -= n;
    }
    check_notes(network.frame, network.frames);
    check_notes(network.lookup, network.lookups);
    network_merge(&sum, &network);
    if (sum.frames != network.frames || sum.frames_all != network.frames_all)
        abort();
    return 0;
}
