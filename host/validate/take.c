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

void take_clear(struct take *take)
{
    take->base = take->total = take->seen = 0;
    take->count = take->marked = 0;
    take->full = false;
}

/* Makes room: drops the older half of the bytes, or of the reads. */
static void room_make(struct take *take, size_t length)
{
    size_t kept = (size_t)(take->total - take->base), gone;
    if (kept + length > TAKE_BYTES) {
        gone = kept / 2 > length ? kept / 2 : length;
        gone = gone < kept ? gone : kept;
        memmove(take->bytes, take->bytes + gone, kept - gone);
        take->base += gone;
        take->full = true;
    }
    if (take->count == TAKE_READS) {
        gone = TAKE_READS / 2;
        memmove(take->reads, take->reads + gone, (TAKE_READS - gone) * sizeof *take->reads);
        take->count -= gone;
        take->full = true;
    }
}

void take_add(struct take *take, uint64_t at_us, uint64_t wait, uint64_t late_us, const void *bytes,
              size_t length)
{
    room_make(take, length);
    memcpy(take->bytes + (take->total - take->base), bytes, length);
    take->reads[take->count++] = (struct take_read){
        .at_us = at_us,
        .late_us = late_us,
        .wait = wait,
        .from = take->total,
        .to = take->total + length,
    };
    take->total += length;
}

unsigned take_keys(const uint8_t *bytes, size_t length)
{
    unsigned keys = 0;
    for (size_t i = 0; i < length; i++)
        keys += (bytes[i] & 0xC0) != 0x80 && bytes[i] != '\n' && bytes[i] != '\r';
    return keys;
}

unsigned take_at_once(const struct take_read *reads, size_t count, const uint8_t *bytes,
                      uint64_t end, uint64_t window_us, unsigned *seen)
{
    uint64_t late_us = 0;
    unsigned keys = 0, most = 0;
    for (size_t k = 0;
         k < count && reads[k].to <= end && reads[k].at_us <= reads[0].at_us + window_us; k++) {
        unsigned part;
        if (k == 0 || reads[k].wait != reads[k - 1].wait) /* one wait counts once */
            late_us += reads[k].late_us;
        keys += take_keys(bytes + (reads[k].from - reads[0].from),
                          (size_t)(reads[k].to - reads[k].from));
        part = (unsigned)(keys * window_us / (window_us + late_us));
        most = part > most ? part : most;
    }
    *seen = keys > *seen ? keys : *seen;
    return most;
}

void take_mark(struct take *take, uint64_t at_us, enum take_kind kind, uint32_t point, uint64_t to)
{
    if (take->marked == TAKE_MARKS) {
        take->full = true;
        return;
    }
    take->marks[take->marked++] = (struct take_mark){at_us, to, point, kind};
}
