/* Any file is safe to read in any format, stays within its bounds, and what was read of it comes
 * back from our own format and from the writers of every other. The first byte chooses the format.
 */
#include "tests/support/histories.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void check(const struct history *read, enum format format)
{
    struct text text = {NULL, 0, 0};
    struct history back;
    histories_write(format, read, &text);
    if (!format_row(format)->reads) {
        text_free(&text);
        return;
    }
    histories_read(format, text.bytes, text.length, &back);
    if (format > FORMAT_2004 && format != FORMAT_2016 && back.keys != read->keys)
        abort();
    if ((format == FORMAT_KEYS || format == FORMAT_ASCIICAST) && histories_differ(read, &back))
        abort();
    history_free(&back);
    text_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct history history;
    enum format format;
    if (length < 1 || length > 20000)
        return 0;
    format = (enum format)(bytes[0] % (FORMAT_TEXT + 1));
    if (format == FORMAT_TEXT)
        format = FORMAT_2016;
    format_detect(bytes + 1, length - 1, &format);
    histories_read(format, (const char *)bytes + 1, length - 1, &history);
    if (history.faults > HISTORY_FAULTS || history.keys > 2 * length)
        abort();
    for (enum format to = 0; to < FORMATS; to++)
        check(&history, to);
    history_free(&history);
    return 0;
}
