#include "transcript/words.h"

#include "base/word.h"

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
    static const char *const words[] = {
        [SEGMENT_WAITING] = "waiting",   [SEGMENT_OPEN] = "open",
        [SEGMENT_CLOSING] = "closing",   [SEGMENT_CLOSED] = "closed",
        [SEGMENT_FINISHED] = "finished",
    };
    return WORD_OF(words, state, "unknown");
}

const char *words_close(enum close_outcome outcome)
{
    static const char *const words[] = {
        [CLOSE_NONE] = "open",     [CLOSE_AGREED] = "agreed",   [CLOSE_UNCONFIRMED] = "unconfirmed",
        [CLOSE_PREFIX] = "prefix", [CLOSE_SETTLED] = "settled",
    };
    return WORD_OF(words, outcome, "unknown");
}

const char *words_note(enum note_code code)
{
    static const char *const words[] = {
        [NOTE_LINE] = "line",
        [NOTE_REFUSED] = "refused",
        [NOTE_IGNORED] = "ignored",
        [NOTE_STEWARD] = "steward",
        [NOTE_DIFFERENCE] = "difference",
        [NOTE_REPAIR] = "repair",
        [NOTE_ENTRY] = "entry",
        [NOTE_DISK] = "disk",
        [NOTE_RESTART] = "restart",
        [NOTE_SETTLED] = "settled",
        [NOTE_CLOCK] = "clock",
        [NOTE_OTHER] = "other",
        [NOTE_CONTROLLER] = "controller",
        [NOTE_UNPROVEN] = "unproven",
        [NOTE_TAKEN] = "taken",
        [NOTE_CONTEST] = "contest",
    };
    return WORD_OF(words, code, "note");
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
