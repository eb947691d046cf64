#include "tests/support/records.h"

#include "base/utf8.h"

#include <string.h>

static const char longest[] =
    "a line of two hundred and forty bytes, as long as a note can be: 789 123456789 123456789 "
    "123456789 123456789 123456789 123456789 123456789 123456789 123456789 123456789 123456789 "
    "123456789 123456789 123456789 123456789 123456789 123456 240.";

const struct journal_record *records_sample(unsigned *count)
{
    static const struct journal_record sample[] = {
        {.kind = JOURNAL_HEADER,
         .wall_us = 1253958561000001,
         .as.header = {.session = "2009-r1.J2_b",
                       .role = PARTY_ENTITY,
                       .style = "split label.judge=\"J\xc3\xbcrgen\"",
                       .starts = 1}},
        {.kind = JOURNAL_KEYS,
         .side = SIDE_RIGHT,
         .wall_us = 1253958561000002,
         .as.keys = {.epoch = 3,
                     .first = 1,
                     .party = PARTY_ENTITY,
                     .run = {.text = (const uint8_t *)"h\xc3\xa9\xe4\xbd\xa0\xf0\x9f\x98\x80\b\t\r",
                             .length = 13}}},
        {.kind = JOURNAL_KEYS,
         .wall_us = 1253958561000003,
         .as.keys = {.first = (uint64_t)1 << 40,
                     .run = {.text = (const uint8_t *)longest, .length = 1}}},
        {.kind = JOURNAL_KEYS,
         .wall_us = 1253958561000003,
         .as.keys = {.first = 77, .run = {.text = (const uint8_t *)longest, .length = 200}}},
        {.kind = JOURNAL_PRESSED,
         .wall_us = 1253958561000004,
         .as.pressed = {.first = 9,
                        .segment = 2,
                        .run = {.text = (const uint8_t *)"xyz", .length = 3}}},
        {.kind = JOURNAL_UNPLACED, .as.unplaced = {.first = 10, .last = 11}},
        {.kind = JOURNAL_EPOCH, .side = SIDE_RIGHT, .as.epoch = {.epoch = 2, .base = 12}},
        {.kind = JOURNAL_SEGMENT,
         .as.segment =
             {.generation = 4, .index = 3, .state = SEGMENT_CLOSING, .remaining_us = UINT64_MAX}},
        {.kind = JOURNAL_CLOSE,
         .as.close = {.generation = 4,
                      .n = 300,
                      .placed = 100,
                      .digest = {1, 2, 3, 4, 0xB1, 6, 7, 255},
                      .outcome = CLOSE_UNCONFIRMED}},
        {.kind = JOURNAL_NOTE,
         .as.note = {.code = NOTE_LINE, .count = 7, .text = "the cable is out"}},
        {.kind = JOURNAL_NOTE, .as.note = {.code = NOTE_OTHER, .text = longest}},
        {.kind = JOURNAL_DELIVERED, .as.delivered = {.n = 18}},
        {.kind = JOURNAL_START,
         .side = SIDE_RIGHT,
         .as.start = {.state = START_LOST,
                      .damaged = 2,
                      .boot = {1, 0xB1, 0, 255},
                      .secret = {9, 0xB1, 1, 7}}},
        {.kind = JOURNAL_SEAL, .as.seal = {.epoch = 1, .n = 19, .seal = {3, 0xB1, 0, 4}}},
    };
    *count = sizeof sample / sizeof *sample;
    return sample;
}

static size_t random_text(struct dice *dice, uint8_t *out, size_t most, bool keys)
{
    static const uint32_t special[] = {KEY_BACKSPACE, KEY_TAB, KEY_RETURN};
    size_t length = 0;
    uint64_t points = 1 + dice_below(dice, 60);
    for (uint64_t i = 0; i < points && length + UTF8_MAX <= most; i++) {
        uint32_t point = 0x20 + (uint32_t)dice_below(dice, 0x5F);
        if (dice_below(dice, 4) == 0)
            point = 0xA0 + (uint32_t)dice_below(dice, 0xD800 - 0xA0);
        else if (dice_below(dice, 8) == 0)
            point = 0xE000 + (uint32_t)dice_below(dice, 0x110000 - 0xE000);
        else if (keys && dice_below(dice, 4) == 0)
            point = special[dice_below(dice, 3)];
        if (!utf8_is_plain(point) && point >= 0x20)
            point = '-';
        length += utf8_encode(point, out + length);
    }
    return length;
}

struct journal_record records_random(struct dice *dice)
{
    static uint8_t text[JOURNAL_TEXT_MAX];
    static char line[NOTE_MAX + 1];
    struct journal_record e = {.kind = (enum journal_kind)(1 + dice_below(dice, JOURNAL_SEAL)),
                               .side = (enum side)dice_below(dice, SIDES),
                               .wall_us = dice_below(dice, 253402300800000000u)};
    switch (e.kind) {
    case JOURNAL_HEADER:
        line[random_text(dice, (uint8_t *)line, STYLE_MAX, false)] = '\0';
        e.as.header.session = "S.0-_z";
        e.as.header.style = line;
        e.as.header.role = (enum party)dice_below(dice, PARTIES);
        e.as.header.starts = (uint8_t)dice_below(dice, 2);
        break;
    case JOURNAL_KEYS:
        e.as.keys.epoch = (uint32_t)dice_next(dice);
        e.as.keys.first = 1 + dice_below(dice, (uint64_t)1 << dice_below(dice, 63));
        e.as.keys.party = (enum party)dice_below(dice, PARTIES);
        e.as.keys.run.text = text;
        e.as.keys.run.length = random_text(dice, text, sizeof text, true);
        break;
    case JOURNAL_PRESSED:
        e.as.pressed.first = 1 + dice_below(dice, (uint64_t)1 << dice_below(dice, 63));
        e.as.pressed.segment = (uint32_t)dice_next(dice);
        e.as.pressed.run.text = text;
        e.as.pressed.run.length = random_text(dice, text, sizeof text, true);
        break;
    case JOURNAL_UNPLACED:
        e.as.unplaced.first = 1 + dice_below(dice, 1u << 30);
        e.as.unplaced.last = e.as.unplaced.first + dice_below(dice, 1u << 30);
        break;
    case JOURNAL_EPOCH:
        e.as.epoch.epoch = (uint32_t)dice_next(dice);
        e.as.epoch.base = dice_below(dice, (uint64_t)1 << 62);
        break;
    case JOURNAL_SEGMENT:
        e.as.segment.generation = (uint32_t)dice_next(dice);
        e.as.segment.index = (uint8_t)dice_next(dice);
        e.as.segment.state = (enum segment_state)dice_below(dice, SEGMENT_FINISHED + 1);
        e.as.segment.remaining_us = dice_next(dice);
        break;
    case JOURNAL_CLOSE:
        e.as.close.generation = (uint32_t)dice_next(dice);
        e.as.close.n = dice_below(dice, (uint64_t)1 << 62);
        e.as.close.placed = dice_below(dice, e.as.close.n + 1);
        for (unsigned i = 0; i < sizeof e.as.close.digest; i++)
            e.as.close.digest[i] = (uint8_t)dice_next(dice);
        e.as.close.outcome = (enum close_outcome)(1 + dice_below(dice, CLOSE_SETTLED));
        break;
    case JOURNAL_NOTE:
        line[random_text(dice, (uint8_t *)line, NOTE_MAX, false)] = '\0';
        e.as.note.code = (enum note_code)(1 + dice_below(dice, NOTE_UNPROVEN));
        e.as.note.count = (uint32_t)dice_next(dice);
        e.as.note.text = line;
        break;
    case JOURNAL_DELIVERED:
        e.as.delivered.n = dice_below(dice, (uint64_t)1 << 62);
        break;
    case JOURNAL_START:
        e.as.start.state = (enum start_state)dice_below(dice, START_CLOSED + 1);
        e.as.start.damaged = (uint32_t)dice_next(dice);
        for (unsigned i = 0; i < BOOT_SIZE; i++)
            e.as.start.boot[i] = (uint8_t)dice_next(dice);
        for (unsigned i = 0; i < SEAL_SECRET; i++)
            e.as.start.secret[i] = (uint8_t)dice_next(dice);
        break;
    case JOURNAL_SEAL:
        e.as.seal.epoch = (uint32_t)dice_next(dice);
        e.as.seal.n = 1 + dice_below(dice, (uint64_t)1 << 62);
        for (unsigned i = 0; i < SEAL_SIZE; i++)
            e.as.seal.seal[i] = (uint8_t)dice_next(dice);
        break;
    }
    return e;
}

bool records_equal(const struct journal_record *a, const struct journal_record *b)
{
    if (a->kind != b->kind || a->side != b->side || a->wall_us != b->wall_us)
        return false;
    switch (a->kind) {
    case JOURNAL_HEADER:
        return strcmp(a->as.header.session, b->as.header.session) == 0 &&
               strcmp(a->as.header.style, b->as.header.style) == 0 &&
               a->as.header.role == b->as.header.role && a->as.header.starts == b->as.header.starts;
    case JOURNAL_KEYS:
        return a->as.keys.epoch == b->as.keys.epoch && a->as.keys.first == b->as.keys.first &&
               a->as.keys.party == b->as.keys.party &&
               a->as.keys.run.length == b->as.keys.run.length &&
               memcmp(a->as.keys.run.text, b->as.keys.run.text, a->as.keys.run.length) == 0;
    case JOURNAL_PRESSED:
        return a->as.pressed.first == b->as.pressed.first &&
               a->as.pressed.segment == b->as.pressed.segment &&
               a->as.pressed.run.length == b->as.pressed.run.length &&
               memcmp(a->as.pressed.run.text, b->as.pressed.run.text, a->as.pressed.run.length) ==
                   0;
    case JOURNAL_UNPLACED:
        return a->as.unplaced.first == b->as.unplaced.first &&
               a->as.unplaced.last == b->as.unplaced.last;
    case JOURNAL_EPOCH:
        return a->as.epoch.epoch == b->as.epoch.epoch && a->as.epoch.base == b->as.epoch.base;
    case JOURNAL_SEGMENT:
        return a->as.segment.generation == b->as.segment.generation &&
               a->as.segment.index == b->as.segment.index &&
               a->as.segment.state == b->as.segment.state &&
               a->as.segment.remaining_us == b->as.segment.remaining_us;
    case JOURNAL_CLOSE:
        return a->as.close.generation == b->as.close.generation && a->as.close.n == b->as.close.n &&
               a->as.close.placed == b->as.close.placed &&
               a->as.close.outcome == b->as.close.outcome &&
               memcmp(a->as.close.digest, b->as.close.digest, sizeof a->as.close.digest) == 0;
    case JOURNAL_NOTE:
        return a->as.note.code == b->as.note.code && a->as.note.count == b->as.note.count &&
               strcmp(a->as.note.text, b->as.note.text) == 0;
    case JOURNAL_DELIVERED:
        return a->as.delivered.n == b->as.delivered.n;
    case JOURNAL_START:
        return a->as.start.state == b->as.start.state &&
               a->as.start.damaged == b->as.start.damaged &&
               memcmp(a->as.start.boot, b->as.start.boot, BOOT_SIZE) == 0 &&
               memcmp(a->as.start.secret, b->as.start.secret, SEAL_SECRET) == 0;
    case JOURNAL_SEAL:
        return a->as.seal.epoch == b->as.seal.epoch && a->as.seal.n == b->as.seal.n &&
               memcmp(a->as.seal.seal, b->as.seal.seal, SEAL_SIZE) == 0;
    }
    return false;
}

struct journal_record records_header(const char *session, enum party role, uint64_t wall_us)
{
    return (struct journal_record){
        .kind = JOURNAL_HEADER,
        .wall_us = wall_us,
        .as.header = {.session = session, .role = role, .style = "split columns=38"}};
}

struct journal_record records_keys(enum side side, enum party party, uint64_t first,
                                   uint64_t wall_us, const char *text)
{
    return (struct journal_record){
        .kind = JOURNAL_KEYS,
        .side = side,
        .wall_us = wall_us,
        .as.keys = {.epoch = 1,
                    .first = first,
                    .party = party,
                    .run = {.text = (const uint8_t *)text, .length = strlen(text)}}};
}
