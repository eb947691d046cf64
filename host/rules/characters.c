#include "rules/characters.h"

#include <stddef.h>

const char *const characters_words[] = {"any", "ascii", "latin-1", NULL};

bool characters_have(int characters, uint32_t point)
{
    switch ((enum characters)characters) {
    case CHARACTERS_ASCII:
        return point < 0x7F;
    case CHARACTERS_LATIN_1:
        return point <= 0xFF;
    case CHARACTERS_ANY:
        break;
    }
    return true;
}
