/* Any line is safe to read, and a line that is taken is written again as it was. */
#include "transcript/keys.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static char text[256];
static size_t written;

static void on_write(void *ctx, const char *part, size_t length)
{
    (void)ctx;
    if (written + length > sizeof text)
        abort();
    memcpy(text + written, part, length);
    written += length;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    const struct out out = {.write = on_write};
    struct keys_line line;
    const char *why;
    if (keys_read((const char *)bytes, length, &line, &why) != KEYS_LINE)
        return 0;
    written = 0;
    keys_write(&out, &line);
    if (bytes[length - 1] == '\r')
        length--;
    if (written != length + 1 || memcmp(text, bytes, length) != 0)
        abort();
    return 0;
}
