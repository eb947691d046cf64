#include "base/pace_config.h"

#include <string.h>

#define PACE_MAX_MS  10000u
#define AFTER_MAX_MS 120000u

static const struct pace_config defaults[] = {
    [PACE_OWN] = {.mode = PACE_OWN},
    [PACE_KEYS] = {.mode = PACE_KEYS, .interval_us = 110000, .spread_us = 30000},
    [PACE_MESSAGE] = {.mode = PACE_MESSAGE,
                      .interval_us = 60000,
                      .spread_us = 20000,
                      .after_us = 15000000},
};

const char *const pace_modes[] = {"own", "keys", "message", NULL};

/* Parses a number of milliseconds and moves *text past it. False: no digit, or more than `most`. */
static bool parse_ms(const char **text, uint32_t most, uint32_t *us)
{
    const char *p = *text;
    uint32_t value = 0;
    while (*p >= '0' && *p <= '9' && value <= most)
        value = value * 10 + (uint32_t)(*p++ - '0');
    if (p == *text || value > most)
        return false;
    *text = p;
    *us = value * 1000u;
    return true;
}

/* Skips a word and the blanks after it. False, with *text unchanged: another word. */
static bool parse_word(const char **text, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(*text, word, length) != 0 || ((*text)[length] && (*text)[length] != ' '))
        return false;
    *text += length;
    *text += strspn(*text, " ");
    return true;
}

static bool parse_interval(const char **text, struct pace_config *config)
{
    config->spread_us = 0;
    if (!parse_ms(text, PACE_MAX_MS, &config->interval_us) || config->interval_us == 0)
        return false;
    if (strncmp(*text, "\xC2\xB1", 2) != 0 && strncmp(*text, "+-", 2) != 0)
        return true;
    *text += 2;
    return parse_ms(text, PACE_MAX_MS, &config->spread_us);
}

static bool parse(struct pace_config *config, const char *text)
{
    const char *p = text;
    if (parse_word(&p, pace_modes[PACE_MESSAGE]))
        *config = defaults[PACE_MESSAGE];
    else if (parse_word(&p, pace_modes[PACE_KEYS]))
        *config = defaults[PACE_KEYS];
    else
        *config = (struct pace_config){.mode = PACE_KEYS};
    if ((*p >= '0' && *p <= '9') || config->interval_us == 0) {
        if (!parse_interval(&p, config))
            return false;
        if (*p == ' ' && p[1])
            p += strspn(p, " ");
    }
    if (config->mode == PACE_MESSAGE && parse_word(&p, "after") &&
        !parse_ms(&p, AFTER_MAX_MS, &config->after_us))
        return false;
    return *p == '\0';
}

enum bl_status pace_parse(struct pace_config *config, const char *text, struct bl_diag *diag)
{
    struct pace_config parsed;
    if (!parse(&parsed, text))
        return bl_fail(diag, BL_DATA,
                       "pace \"%.40s\": expected MS, MS\xC2\xB1MS, 'keys MS\xC2\xB1MS' or 'message "
                       "MS\xC2\xB1MS after MS' in milliseconds, 1 to %u and after at most %u, for "
                       "example 110+-30 or 'message 60+-20 after 15000'",
                       text, PACE_MAX_MS, AFTER_MAX_MS);
    if (parsed.spread_us > parsed.interval_us)
        return bl_fail(diag, BL_DATA,
                       "pace \"%.40s\": the deviation %u ms is more than the interval %u ms; "
                       "it may be at most as long",
                       text, parsed.spread_us / 1000u, parsed.interval_us / 1000u);
    parsed.hold_us = config->hold_us;
    *config = parsed;
    return BL_OK;
}
