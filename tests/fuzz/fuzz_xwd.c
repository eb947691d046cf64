/* Whatever a program has made of its X server's file: it is a picture that the file has all pixels
 * of, or none. */
#include "validate/xwd.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct xwd xwd = {0};
    unsigned sum = 0;
    if (!xwd_read(&xwd, bytes, length)) {
        if (xwd.pixels)
            abort();
        return 0;
    }
    if (!xwd.width || !xwd.height || xwd.width > XWD_SIDE_MAX || xwd.height > XWD_SIDE_MAX ||
        (size_t)xwd.width * xwd.height * 4 > length)
        abort();
    /* Each of them is there, and its value is one of the file's. */
    for (size_t i = 0; i < (size_t)xwd.width * xwd.height * 3; i++)
        sum += xwd.pixels[i];
    if (sum > 255u * 3 * xwd.width * xwd.height)
        abort();
    free(xwd.pixels);
    return 0;
}
