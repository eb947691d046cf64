#include "validate/take.h"

#include <stdlib.h>
#include <string.h>

struct take *take_create(void)
{
    struct take *take = calloc(1, sizeof *take);
    if (!take)
        return NULL;
    take->bytes = malloc(TAKE_BYTES);
    take->reads = malloc(TAKE_READS * sizeof *take->reads);
    take->marks = malloc(TAKE_MARKS * sizeof *take->marks);
    if (!take->bytes || !take->reads || !take->marks) {
        take_destroy(take);
        return NULL;
    }
    return take;
}

void take_destroy(struct take *take)
{
    if (!take)
        return;
    free(take->bytes);
    free(take->reads);
    free(take->marks);
    free(take);
}

void take_add(struct take *take, uint64_t at_us, const void *bytes, size_t length)
{
    if (length > TAKE_BYTES - take->length || take->count == TAKE_READS) {
        take->full = true;
        return;
    }
    memcpy(take->bytes + take->length, bytes, length);
    take->length += length;
    take->reads[take->count++] = (struct take_read){at_us, take->length};
}

void take_mark(struct take *take, uint64_t at_us, enum take_kind kind, uint32_t point, size_t to)
{
    if (take->marked == TAKE_MARKS) {
        take->full = true;
        return;
    }
    take->marks[take->marked++] = (struct take_mark){at_us, to, point, kind};
}
