#include "rules/vote.h"

#include "base/utf8.h"
#include "rules/ballot_kind.h"

#include <stdio.h>
#include <string.h>

bool vote_notes_good(const char *notes, size_t length)
{
    if (length > VOTE_NOTES_MAX)
        return false;
    for (size_t at = 0; at < length;) {
        uint32_t point;
        size_t taken = utf8_decode((const uint8_t *)notes + at, length - at, &point);
        if (taken == 0 || point < 0x20 || (point >= 0x7F && point < 0xA0))
            return false;
        at += taken;
    }
    return true;
}

bool vote_rating_parse(const char *text, size_t length, int32_t *rating)
{
    int32_t value = 0;
    int decimals = -1; /* number of decimals; -1 before the point */
    size_t digits = 0;
    for (size_t i = 0; i < length; i++) {
        if ((text[i] == '.' || text[i] == ',') && decimals < 0 && digits > 0) {
            decimals = 0;
            continue;
        }
        if (text[i] < '0' || text[i] > '9' || decimals == 3 || value > 999999)
            return false;
        value = value * 10 + (text[i] - '0');
        digits++;
        decimals += decimals >= 0;
    }
    if (digits == 0)
        return false;
    for (int i = decimals < 0 ? 0 : decimals; i < 3; i++) {
        if (value > 999999)
            return false;
        value *= 10;
    }
    *rating = value;
    return true;
}

void vote_rating_format(int32_t rating, char out[12])
{
    int length =
        snprintf(out, 12, "%d.%03d", rating / VOTE_RATING_UNIT % 10000, rating % VOTE_RATING_UNIT);
    while (out[length - 1] == '0')
        out[--length] = '\0';
    if (out[length - 1] == '.')
        out[length - 1] = '\0';
}

enum bl_status vote_check(const struct vote *vote, const struct vote_rules *rules,
                          struct bl_diag *diag)
{
    const struct ballot_row *row = ballot_row(rules->kind);
    if (!vote_notes_good(vote->notes, strlen(vote->notes)))
        return bl_fail(diag, BL_DATA, "notes are one line of at most %d bytes", VOTE_NOTES_MAX);
    enum bl_status status = row->check ? row->check(vote, rules, diag)
                                       : bl_fail(diag, BL_DATA, "no ballot is asked for here");
    return status == BL_OK ? ballot_values_check(&rules->asked, &vote->values, diag) : status;
}

enum bl_status vote_parse(struct vote *vote, const struct vote_rules *rules, const char *text,
                          size_t length, struct bl_diag *diag)
{
    const struct ballot_row *row = ballot_row(rules->kind);
    struct vote_words words = {text, text + length};
    bool good;
    memset(vote, 0, sizeof *vote);
    good = row->parse && row->parse(&words, rules, vote) &&
           ballot_values_take(&rules->asked, &words, &vote->values);
    if (good && vote_take_word(&words, "notes")) {
        size_t notes = (size_t)(words.end - words.at);
        if (!vote_notes_good(words.at, notes))
            return bl_fail(diag, BL_DATA, "notes are one line of UTF-8, of at most %d bytes",
                           VOTE_NOTES_MAX);
        memcpy(vote->notes, words.at, notes);
        words.at = words.end;
    }
    if (!good || words.at < words.end)
        return bl_fail(diag, BL_DATA, "\"%.*s\" is no ballot of these rules: expected %s",
                       length > 40 ? 40 : (int)length, text, row->form);
    return vote_check(vote, rules, diag);
}

size_t vote_format(const struct vote *vote, const struct vote_rules *rules,
                   char out[VOTE_TEXT_MAX + 1])
{
    const struct ballot_row *row = ballot_row(rules->kind);
    size_t length = row->print ? row->print(vote, rules, out, VOTE_TEXT_MAX + 1) : 0;
    length += ballot_values_print(&rules->asked, &vote->values, out + length);
    if (vote->notes[0])
        length +=
            (size_t)snprintf(out + length, VOTE_TEXT_MAX + 1 - length, " notes %s", vote->notes);
    return length;
}

bool vote_equal(const struct vote *a, const struct vote *b, const struct vote_rules *rules)
{
    char one[VOTE_TEXT_MAX + 1], other[VOTE_TEXT_MAX + 1];
    vote_format(a, rules, one);
    vote_format(b, rules, other);
    return strcmp(one, other) == 0;
}
