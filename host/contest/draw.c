#include "contest/draw.h"

#include <sodium/crypto_generichash.h>
#include <sodium/crypto_shorthash.h>
#include <string.h>

bool draw_value(char *out, size_t size, const char *text)
{
    size_t length = 0;
    bool blank = false;
    for (const char *at = text; *at; at++) {
        bool upper = *at >= 'A' && *at <= 'Z', lower = *at >= 'a' && *at <= 'z';
        if (!upper && !lower && !(*at >= '0' && *at <= '9') && !(*at & 0x80)) {
            blank = length > 0;
            continue;
        }
        if (length + 2 >= size)
            return false;
        if (blank)
            out[length++] = ' ';
        blank = false;
        out[length++] = (char)(upper ? *at - 'A' + 'a' : *at);
    }
    out[length] = '\0';
    return length > 0;
}

void draw_key(const struct contest *contest, uint8_t key[CONTEST_SEED])
{
    crypto_generichash_state state;
    if (!contest->public_value[0]) {
        memcpy(key, contest->seed, CONTEST_SEED);
        return;
    }
    crypto_generichash_init(&state, NULL, 0, CONTEST_SEED);
    crypto_generichash_update(&state, contest->seed, CONTEST_SEED);
    crypto_generichash_update(&state, (const uint8_t *)contest->public_value,
                              strlen(contest->public_value));
    crypto_generichash_final(&state, key, CONTEST_SEED);
}

static uint64_t draw(const struct contest *contest, const uint8_t *message, size_t length)
{
    uint8_t hash[crypto_shorthash_BYTES], key[CONTEST_SEED];
    uint64_t value = 0;
    _Static_assert(CONTEST_SEED >= crypto_shorthash_KEYBYTES, "the key of the hash");
    draw_key(contest, key);
    crypto_shorthash(hash, message, length, key);
    for (unsigned i = 0; i < sizeof hash; i++)
        value = value << 8 | hash[i];
    return value;
}

bool contest_entry_left(const struct contest *contest, const struct meeting *meeting)
{
    const uint8_t place[3] = {(uint8_t)(meeting->round >> 8), (uint8_t)meeting->round,
                              meeting->judge};
    return draw(contest, place, sizeof place) >> 56 & 1;
}

unsigned contest_candidate_at(const struct contest *contest, const struct meeting *meeting,
                              enum side side)
{
    bool entry = meeting->confederate == SCHEDULE_NOBODY ||
                 contest_entry_left(contest, meeting) == (side == SIDE_LEFT);
    return entry ? meeting->entry : contest->people[CONTEST_ENTRY] + meeting->confederate;
}

void draw_order(const struct contest *contest, struct schedule *schedule, unsigned first)
{
    uint16_t place[SCHEDULE_MEETINGS_MAX];
    if (contest->draw < 2 || !contest->drawn || contest->ruleset.pairing != PAIRING_SINGLE)
        return;
    for (unsigned r = first; r < schedule->rounds; r++) { /* Fisher and Yates */
        const uint8_t message[] = {'o', 'r', 'd', 'e', 'r', (uint8_t)(r >> 8), (uint8_t)r};
        unsigned other =
            first + (unsigned)(draw(contest, message, sizeof message) % (r - first + 1));
        place[r] = place[other];
        place[other] = (uint16_t)r;
    }
    for (unsigned i = 0; i < schedule->count; i++)
        if (schedule->meeting[i].round >= first)
            schedule->meeting[i].round = place[schedule->meeting[i].round];
    schedule_sort(schedule);
}

/* Of a booth or a place in the shuffle. Later trials are drawn anew: long bet II ¶4. */
static uint64_t draw_booth(const struct contest *contest, char what, unsigned number,
                           unsigned trial)
{
    const uint8_t message[] = {'b',           'o', 'o', 't', 'h', (uint8_t)what, (uint8_t)number,
                               (uint8_t)trial};
    return draw(contest, message, sizeof message - (trial == 0 || contest->draw < 2));
}

bool booth_entry_on_b(const struct contest *contest, unsigned booth, unsigned round, bool either)
{
    const uint8_t message[] = {
        'c', 'a', 'b', 'l', 'e', (uint8_t)booth, (uint8_t)(round >> 8), (uint8_t)round};
    return (either && contest->draw >= 2 ? draw(contest, message, sizeof message)
                                         : draw_booth(contest, 'c', booth, 0)) &
           1;
}

enum bl_status booths_draw(struct booths *booths, const struct contest *contest, unsigned trial,
                           struct bl_diag *diag)
{
    unsigned entries = contest->people[CONTEST_ENTRY], all = entries, count = 0;
    uint8_t who[SCHEDULE_PEOPLE_MAX], place[SCHEDULE_PEOPLE_MAX];
    if (contest->ruleset.pairing == PAIRING_SINGLE)
        all += contest->people[CONTEST_CONFEDERATE];
    if (!contest->drawn)
        return bl_fail(diag, BL_DATA,
                       "the seed of the draw is not known yet: booths and sides are drawn with it");
    if (all > SCHEDULE_PEOPLE_MAX)
        return bl_fail(diag, BL_DATA, "more than %d candidates", SCHEDULE_PEOPLE_MAX);
    memset(booths, 0, sizeof *booths);
    memset(booths->of, BOOTH_NONE, sizeof booths->of);
    for (unsigned i = 0; i < all; i++)
        if (i >= entries || !contest->final || contest->finalist[i])
            who[count++] = (uint8_t)i;
    booths->count = count;
    for (unsigned i = 0; i < count; i++) { /* Fisher and Yates */
        unsigned other = (unsigned)(draw_booth(contest, 'n', i, trial) % (i + 1));
        place[i] = place[other];
        place[other] = (uint8_t)i;
    }
    for (unsigned i = 0; i < count; i++)
        booths->of[who[i]] = place[i];
    return BL_OK;
}
