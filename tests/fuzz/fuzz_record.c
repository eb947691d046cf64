/* Any bytes are safe to decode, what is skipped is within them, and a decoded record is one that
 * can be written: encoded again it decodes to the same. */
#include "journal/journal.h"

#include "base/crc32c.h"
#include "tests/support/records.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void walk(const uint8_t *bytes, size_t length)
{
    static struct journal_scratch scratch, again;
    while (length) {
        uint8_t record[JOURNAL_RECORD_MAX];
        struct journal_record kept, second;
        long n = journal_decode(bytes, length, &kept, &scratch);
        size_t taken = (size_t)(n < 0 ? -n : n);
        if (n == 0)
            break;
        if (taken > length)
            abort();
        if (n > 0) {
            size_t size = journal_encode(&kept, record);
            if (size == 0 || journal_decode(record, size, &second, &again) != (long)size ||
                !records_equal(&kept, &second))
                abort();
        }
        bytes += taken;
        length -= taken;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    uint8_t record[JOURNAL_RECORD_MAX];
    walk(bytes, length);
    /* The same as one record with the right frame: no fuzzer guesses a checksum. */
    if (length < 7 || length > sizeof record)
        return 0;
    memcpy(record, bytes, length);
    record[0] = 0xB1;
    record[1] = (uint8_t)(length - 7);
    record[2] = (uint8_t)((length - 7) >> 8);
    uint32_t sum = crc32c(0, record, length - 4);
    for (unsigned i = 0; i < 4; i++)
        record[length - 4 + i] = (uint8_t)(sum >> 8 * i);
    walk(record, length);
    return 0;
}
