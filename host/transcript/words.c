#include "transcript/words.h"

#include <string.h>

const char *words_side(enum side side)
{
    return side == SIDE_LEFT ? "left" : "right";
}

const char *words_party(enum party party)
{
    return party == PARTY_JUDGE ? "judge" : "entity";
}

const char *words_segment(enum segment_state state)
{
    switch (state) {
    case SEGMENT_WAITING:
        return "waiting";
    case SEGMENT_OPEN:
        return "open";
    case SEGMENT_CLOSING:
        return "closing";
    case SEGMENT_CLOSED:
        return "closed";
    case SEGMENT_FINISHED:
        return "finished";
    }
    return "unknown";
}

const char *words_close(enum close_outcome outcome)
{
    switch (outcome) {
    case CLOSE_NONE:
        return "open";
    case CLOSE_AGREED:
        return "agreed";
    case CLOSE_UNCONFIRMED:
        return "unconfirmed";
    case CLOSE_PREFIX:
        return "prefix";
    case CLOSE_SETTLED:
        return "settled";
    }
    return "unknown";
}

const char *words_note(enum note_code code)
{
    switch (code) {
    case NOTE_LINE:
        return "line";
    case NOTE_REFUSED:
        return "refused";
    case NOTE_IGNORED:
        return "ignored";
    case NOTE_STEWARD:
        return "steward";
    case NOTE_DIFFERENCE:
        return "difference";
    case NOTE_REPAIR:
        return "repair";
    case NOTE_ENTRY:
        return "entry";
    case NOTE_DISK:
        return "disk";
    case NOTE_RESTART:
        return "restart";
    case NOTE_SETTLED:
        return "settled";
    case NOTE_CLOCK:
        return "clock";
    case NOTE_OTHER:
        return "other";
    case NOTE_CONTROLLER:
        return "controller";
    case NOTE_UNPROVEN:
        return "unproven";
    case NOTE_TAKEN:
        return "taken";
    }
    return "note";
}

static bool is_word(const char *word, size_t length, const char *wanted)
{
    return strlen(wanted) == length && memcmp(word, wanted, length) == 0;
}

bool words_find_side(const char *word, size_t length, enum side *side)
{
    for (*side = SIDE_LEFT; *side < SIDES; ++*side)
        if (is_word(word, length, words_side(*side)))
            return true;
    return false;
}

bool words_find_party(const char *word, size_t length, enum party *party)
{
    for (*party = PARTY_JUDGE; *party < PARTIES; ++*party)
        if (is_word(word, length, words_party(*party)))
            return true;
    return false;
}

static const struct {
    uint32_t point;
    const char *name;
} named[] = {
    {' ', "space"},
    {KEY_RETURN, "Return"},
    {KEY_BACKSPACE, "BackSpace"},
    {KEY_TAB, "Tab"},
};

size_t words_key(uint32_t point, char name[WORDS_KEY_MAX])
{
    static const char digits[] = "0123456789ABCDEF";
    unsigned shift = 12;
    size_t length = 2;
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        if (named[i].point == point) {
            length = strlen(named[i].name);
            memcpy(name, named[i].name, length);
            return length;
        }
    }
    if (point > 0x20 && point < 0x7F) {
        name[0] = (char)point;
        return 1;
    }
    name[0] = 'U';
    name[1] = '+';
    while (shift < 28 && point >> (shift + 4))
        shift += 4;
    for (int s = (int)shift; s >= 0; s -= 4)
        name[length++] = digits[point >> s & 15];
    return length;
}

uint32_t words_find_key(const char *name, size_t length)
{
    uint32_t point = 0;
    char back[WORDS_KEY_MAX];
    if (length == 1 && name[0] > 0x20 && name[0] < 0x7F)
        return (uint32_t)name[0];
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (is_word(name, length, named[i].name))
            return named[i].point;
    if (length < 6 || length > 8 || name[0] != 'U' || name[1] != '+')
        return 0;
    for (size_t i = 2; i < length; i++) {
        char c = name[i];
        if (c >= '0' && c <= '9')
            point = point << 4 | (uint32_t)(c - '0');
        else if (c >= 'A' && c <= 'F')
            point = point << 4 | (uint32_t)(c - 'A' + 10);
        else
            return 0;
    }
    if (point < 0xA0 || point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF))
        return 0;
    /* each key has one name, so a file is rewritten unchanged */
    return words_key(point, back) == length && memcmp(back, name, length) == 0 ? point : 0;
}
