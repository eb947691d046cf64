/* Any name of a directory is safe to read; what is a key is written, and read again, as that key;
 * and any bunch of names comes out of the waiting ones in one order, each once. */
#include "entity/lpp_waiting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

#define ROOM 32

static void check_name(const char *name, const struct lpp_name *read)
{
    char again[LPP_NAME_MAX + 1];
    struct lpp_name second;
    uint64_t number = lpp_number(name, read);
    if (read->kind != LPP_KEY) {
        if (read->kind == LPP_NO_KEY && !*read->why)
            abort();
        return;
    }
    if (!key_is_key(read->point) || read->at > read->end || read->end > strlen(name))
        abort();
    if (number == 0)
        return;
    lpp_name_write(again, number, read->point, read->from);
    lpp_name_read(again, &second);
    if (second.kind != LPP_KEY || second.point != read->point || second.from != read->from ||
        !second.exact || lpp_number(again, &second) != number ||
        lpp_number_compare(name, read, again, &second) != 0)
        abort();
    if (read->exact && read->digits == LPP_DIGITS && strcmp(name, again) != 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static struct lpp_waiting *waiting;
    unsigned keys = 0;
    uint64_t inode = 0;
    if (!waiting)
        waiting = lpp_waiting_create(ROOM);
    lpp_waiting_clear(waiting);
    /* Names are separated by '/', the one byte that none has. */
    while (length > 0 && inode < ROOM) {
        const uint8_t *slash = memchr(bytes, '/', length);
        size_t part = slash ? (size_t)(slash - bytes) : length;
        inode++;
        struct lpp_item item = {.inode = inode};
        if (part <= LPP_NAME_MAX && !memchr(bytes, 0, part)) {
            memcpy(item.name, bytes, part);
            lpp_name_read(item.name, &item.read);
            check_name(item.name, &item.read);
            if (item.read.kind == LPP_KEY) {
                item.serial = inode;
                item.born_ns = item.read.point;
                lpp_waiting_add(waiting, &item);
                keys++;
            }
        }
        part += slash != NULL;
        bytes += part;
        length -= part;
    }
    for (; keys > 0; keys--) {
        if (!lpp_waiting_first(waiting))
            abort();
        lpp_waiting_drop(waiting);
    }
    if (lpp_waiting_first(waiting) || lpp_waiting_look_again(waiting))
        abort();
    return 0;
}
