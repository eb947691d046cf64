#include "base/keysym.h"

#include "base/utf8.h"

#include <string.h>
#include <strings.h>

struct keysym {
    const char *name;
    uint32_t point;
};

static const struct keysym rules[] = {
    {"braceleft", '{'},  {"braceright", '}'}, {"bracketleft", '['}, {"bracketright", ']'},
    {"parenleft", '('},  {"parenright", ')'}, {"space", ' '},       {"comma", ','},
    {"period", '.'},     {"greater", '>'},    {"less", '<'},        {"slash", '/'},
    {"backslash", '\\'}, {"bar", '|'},        {"quotedbl", '"'},    {"quoteright", '\''},
    {"Tab", 0x09},       {"equal", '='},      {"underscore", '_'},  {"plus", '+'},
    {"minus", '-'},      {"exclam", '!'},     {"at", '@'},          {"numbersign", '#'},
    {"dollar", '$'},     {"percent", '%'},    {"asterisk", '*'},    {"asciicircum", '^'},
    {"asciitilde", '~'}, {"quoteleft", '`'},  {"ampersand", '&'},   {"Return", 0x0D},
    {"colon", ':'},      {"semicolon", ';'},  {"question", '?'},    {"BackSpace", 0x08},
};

/* Names of X11 that differ from the rules' names, X11's names of keypad keys, and other spellings
 * of programs. */
static const struct keysym others[] = {
    {"apostrophe", '\''}, {"grave", '`'},        {"quotedble", '"'},     {"quotedl", '"'},
    {"doublequote", '"'}, {"singlequote", '\''}, {"CR", 0x0D},           {"LF", 0x0D},
    {"Enter", 0x0D},      {"Linefeed", 0x0D},    {"newline", 0x0D},      {"KP_Enter", 0x0D},
    {"BS", 0x08},         {"KP_Tab", 0x09},      {"ISO_Left_Tab", 0x09}, {"KP_Space", ' '},
    {"spacebar", ' '},    {"dot", '.'},          {"fullstop", '.'},      {"hyphen", '-'},
    {"exclamation", '!'}, {"questionmark", '?'}, {"hash", '#'},          {"caret", '^'},
    {"tilde", '~'},       {"ampersat", '@'},     {"pipe", '|'},          {"KP_Equal", '='},
    {"KP_Multiply", '*'}, {"KP_Add", '+'},       {"KP_Separator", ','},  {"KP_Subtract", '-'},
    {"KP_Decimal", '.'},  {"KP_Divide", '/'},    {"KP_0", '0'},          {"KP_1", '1'},
    {"KP_2", '2'},        {"KP_3", '3'},         {"KP_4", '4'},          {"KP_5", '5'},
    {"KP_6", '6'},        {"KP_7", '7'},         {"KP_8", '8'},          {"KP_9", '9'},
    {"EuroSign", 0x20AC},
};

/* X11's names of the characters from U+00A0 on, in order. A "" stands for U+00AD: its X11 name
 * "hyphen" stands for '-' here. */
static const char *const latin1[] = {
    "nobreakspace",
    "exclamdown",
    "cent",
    "sterling",
    "currency",
    "yen",
    "brokenbar",
    "section",
    "diaeresis",
    "copyright",
    "ordfeminine",
    "guillemotleft",
    "notsign",
    "",
    "registered",
    "macron",
    "degree",
    "plusminus",
    "twosuperior",
    "threesuperior",
    "acute",
    "mu",
    "paragraph",
    "periodcentered",
    "cedilla",
    "onesuperior",
    "masculine",
    "guillemotright",
    "onequarter",
    "onehalf",
    "threequarters",
    "questiondown",
    "Agrave",
    "Aacute",
    "Acircumflex",
    "Atilde",
    "Adiaeresis",
    "Aring",
    "AE",
    "Ccedilla",
    "Egrave",
    "Eacute",
    "Ecircumflex",
    "Ediaeresis",
    "Igrave",
    "Iacute",
    "Icircumflex",
    "Idiaeresis",
    "ETH",
    "Ntilde",
    "Ograve",
    "Oacute",
    "Ocircumflex",
    "Otilde",
    "Odiaeresis",
    "multiply",
    "Oslash",
    "Ugrave",
    "Uacute",
    "Ucircumflex",
    "Udiaeresis",
    "Yacute",
    "THORN",
    "ssharp",
    "agrave",
    "aacute",
    "acircumflex",
    "atilde",
    "adiaeresis",
    "aring",
    "ae",
    "ccedilla",
    "egrave",
    "eacute",
    "ecircumflex",
    "ediaeresis",
    "igrave",
    "iacute",
    "icircumflex",
    "idiaeresis",
    "eth",
    "ntilde",
    "ograve",
    "oacute",
    "ocircumflex",
    "otilde",
    "odiaeresis",
    "division",
    "oslash",
    "ugrave",
    "uacute",
    "ucircumflex",
    "udiaeresis",
    "yacute",
    "thorn",
    "ydiaeresis",
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

const char *keysym_name(uint32_t point)
{
    for (size_t i = 0; i < COUNT(rules); i++)
        if (rules[i].point == point)
            return rules[i].name;
    return NULL;
}

static bool same(const char *known, const char *name, size_t length, bool any_case)
{
    return strlen(known) == length &&
           (any_case ? strncasecmp(known, name, length) : strncmp(known, name, length)) == 0;
}

static uint32_t look_up(const struct keysym *table, size_t count, const char *name, size_t length,
                        bool any_case)
{
    for (size_t i = 0; i < count; i++)
        if (same(table[i].name, name, length, any_case))
            return table[i].point;
    return 0;
}

/* Parses U20AC, X11's form for a character without a name, or U+20AC; 0 if the name has another
 * form. */
static uint32_t hexadecimal(const char *name, size_t length)
{
    uint32_t point = 0;
    size_t at = 1;
    if (length < 5 || length > 8 || (name[0] != 'U' && name[0] != 'u'))
        return 0;
    if (name[at] == '+')
        at++;
    if (length - at < 4)
        return 0;
    for (; at < length; at++) {
        static const char digits[] = "0123456789abcdef";
        const char *digit = name[at] ? strchr(digits, name[at] | 0x20) : NULL;
        if (!digit)
            return 0;
        point = point * 16 + (uint32_t)(digit - digits);
    }
    return point;
}

uint32_t keysym_point(const char *name, size_t length, bool *exact)
{
    uint32_t point;
    bool ignored = false;
    exact = exact ? exact : &ignored;
    *exact = false;
    if (utf8_decode((const uint8_t *)name, length, &point) == length && length > 0) {
        *exact = point >= 0x20 && !keysym_name(point);
        return point;
    }
    point = look_up(rules, COUNT(rules), name, length, false);
    *exact = point != 0;
    if (!point)
        point = look_up(others, COUNT(others), name, length, false);
    for (size_t i = 0; !point && length > 0 && i < COUNT(latin1); i++)
        if (same(latin1[i], name, length, false))
            point = 0xA0 + (uint32_t)i;
    if (!point)
        point = look_up(rules, COUNT(rules), name, length, true);
    if (!point)
        point = look_up(others, COUNT(others), name, length, true);
    return point ? point : hexadecimal(name, length);
}
