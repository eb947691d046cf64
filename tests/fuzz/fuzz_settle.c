/* Any two journals: what settling would write makes them equal, if it may write at all. The entries
 * are made of the bytes, four each, near those of real journals. */
#include "journal/journal.h"
#include "journal/settle.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void feed(struct order_set *set, enum party role, const uint8_t b[4])
{
    uint8_t text[2] = {(uint8_t)('a' + b[2] % 3), 'z'};
    struct journal_record e = {.side = role == PARTY_JUDGE ? (enum side)(b[1] >> 7) : SIDE_LEFT,
                               .wall_us = 1000 + b[3] / 64};
    switch (b[0] % 6) {
    case 0:
    case 1:
    case 2:
        e.kind = JOURNAL_KEYS;
        e.as.keys.epoch = b[1] & 1;
        e.as.keys.first = 1 + b[1] % 16;
        e.as.keys.party = (enum party)(b[2] >> 7);
        e.as.keys.run.text = text;
        e.as.keys.run.length = 1 + (b[2] >> 6 & 1);
        break;
    case 3:
        e.kind = JOURNAL_SEGMENT;
        e.as.segment.generation = b[1] % 4;
        e.as.segment.state = (enum segment_state)(b[2] % 5);
        break;
    case 4:
        e.kind = JOURNAL_CLOSE;
        e.as.close.generation = b[1] % 4;
        e.as.close.n = b[2] % 16;
        e.as.close.outcome = (enum close_outcome)(1 + b[3] % 4);
        break;
    default:
        e.kind = JOURNAL_EPOCH;
        e.as.epoch.epoch = b[1] & 1;
    }
    order_feed(set, &e);
}

static enum bl_status on_write(void *ctx, const struct journal_record *kept)
{
    uint8_t record[JOURNAL_RECORD_MAX];
    if (journal_encode(kept, record) == 0)
        abort(); /* what cannot be written is no plan */
    order_feed(ctx, kept);
    return BL_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const uint8_t digest[8];
    struct order_set set[PARTIES] = {{.role = PARTY_JUDGE}, {.role = PARTY_ENTITY}};
    struct settle_plan plan, again;
    enum side side;
    for (; length >= 5; bytes += 5, length -= 5)
        feed(&set[bytes[0] & 1], (enum party)(bytes[0] & 1), bytes + 1);
    if (settle_side(&set[PARTY_JUDGE], &set[PARTY_ENTITY], &side) == BL_OK) {
        settle_plan(&plan, &set[PARTY_JUDGE], side, &set[PARTY_ENTITY]);
        if (!plan.differs && !plan.unknown) {
            for (unsigned end = 0; end < PARTIES; end++)
                settle_write(&plan, &set[PARTY_JUDGE], &set[PARTY_ENTITY], (enum party)end, digest,
                             2000, on_write, &set[end]);
            settle_plan(&again, &set[PARTY_JUDGE], side, &set[PARTY_ENTITY]);
            if (again.differs || again.unknown || again.lacks[0] || again.lacks[1])
                abort();
        }
    }
    order_free(&set[PARTY_JUDGE]);
    order_free(&set[PARTY_ENTITY]);
    return 0;
}
