#include "rules/characters.h"

#include <stddef.h>

const char *const characters_words[] = {"any", "ascii", "latin-1", NULL};

const char *const turns_words[] = {"free", "strict", NULL};

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

const char *characters_instead(uint32_t point)
{
    static const struct {
        uint32_t first, last;
        const char *text;
    } rows[] = {
        {0x00A0, 0x00A0, " "},   {0x00AD, 0x00AD, ""},   {0x2000, 0x200A, " "},
        {0x200B, 0x200F, ""},    {0x2010, 0x2012, "-"},  {0x2013, 0x2015, "-"},
        {0x2018, 0x201B, "'"},   {0x201C, 0x201F, "\""}, {0x2022, 0x2022, "-"},
        {0x2026, 0x2026, "..."}, {0x2028, 0x2029, " "},  {0x202F, 0x202F, " "},
        {0x2032, 0x2032, "'"},   {0x2033, 0x2033, "\""}, {0x2060, 0x2064, ""},
        {0x2190, 0x2191, "<-"},  {0x2192, 0x2192, "->"}, {0x2212, 0x2212, "-"},
        {0x2264, 0x2264, "<="},  {0x2265, 0x2265, ">="}, {0x2300, 0x2BFF, ""},
        {0xFE00, 0xFE0F, ""},    {0xFEFF, 0xFEFF, ""},   {0x1F000, 0x1FAFF, ""},
        {0xE0000, 0xE01EF, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (point >= rows[i].first && point <= rows[i].last)
            return rows[i].text;
    return NULL;
}
