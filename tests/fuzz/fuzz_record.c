/* Any bytes are safe to decode, what is skipped is within them, and a decoded entry is one that can
 * be written: encoded again it decodes to the same. */
#include "journal/journal.h"
#include "tests/support/entries.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static struct journal_scratch scratch, again;
    while (length) {
        uint8_t record[JOURNAL_RECORD_MAX];
        struct entry entry, second;
        long n = journal_decode(bytes, length, &entry, &scratch);
        size_t taken = (size_t)(n < 0 ? -n : n);
        if (n == 0)
            break;
        if (taken > length)
            abort();
        if (n > 0) {
            size_t size = journal_encode(&entry, record);
            if (size == 0 || journal_decode(record, size, &second, &again) != (long)size ||
                !entries_equal(&entry, &second))
                abort();
        }
        bytes += taken;
        length -= taken;
    }
    return 0;
}
