#include "transcript/history_private.h"

#include "base/cp1252.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

#define BIT(loss) (1u << (loss))

struct seen {
    uint32_t losses;
    bool begun[SIDES][PARTIES]; /* the party has an open line, without a Return so far */
    size_t part;
};

static void see_line(struct seen *seen, const struct history_key *key)
{
    bool *mine = &seen->begun[key->side][key->party];
    for (unsigned i = 0; i < SIDES * PARTIES; i++) {
        const bool *other = &seen->begun[i / PARTIES][i % PARTIES];
        if (other != mine && *other)
            seen->losses |= BIT(LOSS_ORDER);
    }
    if (key->party == PARTY_JUDGE && key->point == KEY_RETURN && !*mine)
        seen->losses |=
            BIT(LOSS_TURNS); /* an empty line also follows the line with the judge's number */
    *mine = key->point != KEY_RETURN;
}

static void see_end(struct seen *seen)
{
    for (unsigned i = 0; i < SIDES * PARTIES; i++)
        if (seen->begun[i / PARTIES][i % PARTIES])
            seen->losses |= BIT(LOSS_UNFINISHED);
    memset(seen->begun, 0, sizeof seen->begun);
}

static void see_keys(struct seen *seen, const struct history *history)
{
    for (size_t i = 0; i < history->keys; i++) {
        const struct history_key *key = &history->key[i];
        if (key->part != seen->part)
            see_end(seen);
        seen->part = key->part;
        see_line(seen, key);
        if (key->side != SIDE_LEFT)
            seen->losses |= BIT(LOSS_SIDE);
        if (key->point == KEY_BACKSPACE)
            seen->losses |= BIT(LOSS_BACKSPACE);
        if (key->blank)
            seen->losses |= BIT(LOSS_BLANK);
        if (key->pressed_us)
            seen->losses |= BIT(LOSS_PRESSED);
        if (key->posted_us)
            seen->losses |= BIT(LOSS_TIMES);
        if (key->posted_us % 1000000u ||
            (i > 0 && key->posted_us != key[-1].posted_us && key[-1].point != KEY_RETURN))
            seen->losses |= BIT(LOSS_KEY_TIMES);
        if (history->encoding == ENCODING_CP1252 && !cp1252_byte(key->point))
            seen->losses |= BIT(LOSS_CHARACTERS);
    }
    see_end(seen);
}

static bool has_key(const struct history *history, size_t part)
{
    for (size_t i = 0; i < history->keys; i++)
        if (history->key[i].part == part)
            return true;
    return false;
}

static bool is_cp1252(const char *text)
{
    size_t left = strlen(text), taken;
    uint32_t point;
    for (; (taken = utf8_decode((const uint8_t *)text, left, &point)); text += taken, left -= taken)
        if (!cp1252_byte(point))
            return false;
    return true;
}

static void see_part(struct seen *seen, const struct history *history, size_t at)
{
    const struct history_part *part = &history->part[at];
    if (part->title[0])
        seen->losses |= BIT(LOSS_TITLE);
    if (part->notice[0])
        seen->losses |= BIT(LOSS_NOTICE);
    if (part->header2[0] || part->header3[0])
        seen->losses |= BIT(LOSS_HEADERS);
    if (part->start_us)
        seen->losses |= BIT(LOSS_START);
    if (part->contestant[0])
        seen->losses |= BIT(LOSS_CONTESTANT);
    if (strpbrk(part->contestant, "[]"))
        seen->losses |= BIT(LOSS_WORDS);
    if (part->round[0])
        seen->losses |= BIT(LOSS_ROUND);
    if (part->subround[0] || part->other != WHO_UNKNOWN)
        seen->losses |= BIT(LOSS_SUBROUND);
    if (part->human[0])
        seen->losses |= BIT(LOSS_HUMAN);
    if (part->left != WHO_UNKNOWN)
        seen->losses |= BIT(LOSS_LEFT);
    if (part->restarted)
        seen->losses |= BIT(LOSS_RESTARTED);
    if (strcmp(part->program, history->part[0].program) != 0)
        seen->losses |= BIT(LOSS_PROGRAMS);
    if (part->judge[0] && !has_key(history, at))
        seen->losses |= BIT(LOSS_EMPTY);
    if (strpbrk(part->program, " []") || strpbrk(part->judge, "[]") ||
        strcmp(part->program, "judge") == 0 || strcmp(part->program, "entity") == 0 ||
        strcmp(part->program, "human") == 0)
        seen->losses |= BIT(LOSS_WORDS);
}

/* In 2013 a restarted program has a new log, whose header has neither round nor judge. Each key's
 * line names the judge. */
static uint32_t losses_restarted(const struct history *history)
{
    uint32_t losses = 0;
    for (size_t i = 0; i < history->parts; i++) {
        const struct history_part *part = &history->part[i];
        if (part->restarted && part->round[0])
            losses |= BIT(LOSS_ROUND);
        if (part->restarted && part->judge[0] && !has_key(history, i))
            losses |= BIT(LOSS_EMPTY);
    }
    return losses;
}

static bool has_newcomer(const struct history *history)
{
    struct standing standing;
    uint8_t *newcomer = NULL;
    bool found = history_standing(history, &standing) == BL_OK &&
                 history_newcomers(history, &standing, &newcomer) == BL_OK;
    if (found) {
        found = false;
        for (size_t i = 0; i < history->keys && !found; i++)
            found = newcomer[i] != 0;
    }
    free(newcomer);
    standing_free(&standing);
    return found;
}

uint32_t format_losses(enum format format, const struct history *history)
{
    struct seen seen = {.losses = BIT(LOSS_EVERYTHING)};
    see_keys(&seen, history);
    for (size_t i = 0; i < history->parts; i++)
        see_part(&seen, history, i);
    if (history_is_untimed(history))
        seen.losses |= BIT(LOSS_UNTIMED);
    for (enum history_field field = 0; history->encoding == ENCODING_CP1252 && field < FIELDS;
         field++)
        for (size_t part = 0; part == 0 || part < history->parts; part++)
            if (!is_cp1252(history_field_of(history, part, field)))
                seen.losses |= BIT(LOSS_NAMES);
    if (has_newcomer(history))
        seen.losses |= BIT(LOSS_JUDGE);
    if (format_lost_keys(LOSS_BACK, history))
        seen.losses |= BIT(LOSS_BACK);
    return (seen.losses & format_row(format)->cannot) |
           (format == FORMAT_2013 ? losses_restarted(history) : 0);
}

uint64_t format_lost_keys(enum loss loss, const struct history *history)
{
    struct standing standing;
    uint64_t backspaces = 0, blanks = 0, beyond = 0, count = 0;
    if (history_standing(history, &standing) != BL_OK)
        return 0;
    for (size_t i = 0; i < history->keys; i++) {
        const struct history_key *key = &history->key[i];
        backspaces += key->point == KEY_BACKSPACE;
        blanks += key->blank;
        beyond += history->encoding == ENCODING_CP1252 && !cp1252_byte(key->point);
    }
    if (loss == LOSS_BACKSPACE)
        count = backspaces + standing.taken;
    else if (loss == LOSS_BACK)
        count = standing.returns;
    else if (loss == LOSS_BLANK)
        count = blanks;
    else if (loss == LOSS_CHARACTERS)
        count = beyond;
    standing_free(&standing);
    return count;
}
