#include "contest/draw.h"

#include <sodium/crypto_generichash.h>
#include <sodium/crypto_shorthash.h>
#include <stdio.h>
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

struct contest_draw draw_last(const struct contest *contest)
{
    struct contest_draw draw = {.from = contest->begun, .version = contest->draw};
    memcpy(draw.commitment, contest->commitment, sizeof draw.commitment);
    memcpy(draw.seed, contest->seed, sizeof draw.seed);
    memcpy(draw.public_name, contest->public_name, sizeof draw.public_name);
    memcpy(draw.public_value, contest->public_value, sizeof draw.public_value);
    memcpy(draw.public_by, contest->public_by, sizeof draw.public_by);
    return draw;
}

/* The draw that counts for a round. */
static struct contest_draw draw_of(const struct contest *contest, unsigned round)
{
    for (unsigned i = contest->draws; i-- > 0;)
        if (contest->past[i].from <= round)
            return contest->past[i];
    return draw_last(contest);
}

void draw_keep(struct contest *contest, bool late)
{
    struct contest_draw draw = draw_last(contest);
    unsigned at = contest->draws < CONTEST_DRAWS ? contest->draws++ : CONTEST_DRAWS - 1;
    draw.from = at ? contest->begun : 0;
    draw.committed = contest->committed_act;
    draw.committed_us = contest->committed_us;
    draw.scheduled = contest->scheduled_act;
    draw.scheduled_us = contest->scheduled_us;
    draw.given = late && at ? contest->past[at - 1].given : contest->now_act;
    draw.given_us = late && at ? contest->past[at - 1].given_us : contest->now_us;
    contest->past[at] = draw;
}

bool draw_rounds(const struct contest *contest, unsigned draw, unsigned *from, unsigned *to)
{
    *from = contest->past[draw].from;
    *to = contest->schedule.rounds;
    for (unsigned i = draw + 1; i < contest->draws; i++)
        *to = contest->past[i].from < *to ? contest->past[i].from : *to;
    return *from < *to;
}

void draw_key(const struct contest *contest, unsigned round, uint8_t key[CONTEST_SEED])
{
    const struct contest_draw draw = draw_of(contest, round);
    crypto_generichash_state state;
    if (!draw.public_value[0]) {
        memcpy(key, draw.seed, CONTEST_SEED);
        return;
    }
    crypto_generichash_init(&state, NULL, 0, CONTEST_SEED);
    crypto_generichash_update(&state, draw.seed, CONTEST_SEED);
    crypto_generichash_update(&state, (const uint8_t *)draw.public_value,
                              strlen(draw.public_value));
    crypto_generichash_final(&state, key, CONTEST_SEED);
}

static uint64_t draw(const struct contest *contest, unsigned round, const uint8_t *message,
                     size_t length)
{
    uint8_t hash[crypto_shorthash_BYTES], key[CONTEST_SEED];
    uint64_t value = 0;
    _Static_assert(CONTEST_SEED >= crypto_shorthash_KEYBYTES, "the key of the hash");
    draw_key(contest, round, key);
    crypto_shorthash(hash, message, length, key);
    for (unsigned i = 0; i < sizeof hash; i++)
        value = value << 8 | hash[i];
    return value;
}

bool contest_entry_left(const struct contest *contest, const struct meeting *meeting)
{
    const uint8_t place[] = {(uint8_t)(meeting->round >> 8), (uint8_t)meeting->round,
                             (uint8_t)meeting->judge, (uint8_t)(meeting->judge >> 8)};
    return draw(contest, meeting->round, place, sizeof place - (meeting->judge < 256)) >> 56 & 1;
}

unsigned contest_candidate_at(const struct contest *contest, const struct meeting *meeting,
                              enum side side)
{
    bool entry = meeting->confederate == PERSON_NOBODY ||
                 contest_entry_left(contest, meeting) == (side == SIDE_LEFT);
    return entry ? meeting->entry : contest->people[CONTEST_ENTRY] + meeting->confederate;
}

void draw_order(const struct contest *contest, struct schedule *schedule, unsigned first)
{
    uint16_t place[SCHEDULE_MEETINGS_MAX];
    if (contest->draw < 2 || !contest->drawn || contest->undrawn ||
        contest->ruleset.pairing != PAIRING_SINGLE)
        return;
    for (unsigned r = first; r < schedule->rounds; r++) { /* Fisher and Yates */
        const uint8_t message[] = {'o', 'r', 'd', 'e', 'r', (uint8_t)(r >> 8), (uint8_t)r};
        unsigned other =
            first + (unsigned)(draw(contest, first, message, sizeof message) % (r - first + 1));
        place[r] = place[other];
        place[other] = (uint16_t)r;
    }
    for (unsigned i = 0; i < schedule->count; i++)
        if (schedule->meeting[i].round >= first)
            schedule->meeting[i].round = place[schedule->meeting[i].round];
    schedule_sort(schedule);
}

/* Draws a number for a position in the shuffle of booths ('n'), for each trial (long bet II
 *
 * 4), or for a booth's cable ('c', with trial 0). The key is that of the trial's first round, so
 * booths are fixed within a trial. */
static uint64_t draw_booth(const struct contest *contest, char what, unsigned number,
                           unsigned trial)
{
    unsigned round = contest->trial_from[trial];
    const uint8_t message[] = {'b',           'o', 'o', 't', 'h', (uint8_t)what, (uint8_t)number,
                               (uint8_t)trial};
    return draw(contest, round, message,
                sizeof message - (trial == 0 || draw_of(contest, round).version < 2));
}

bool booth_entry_on_b(const struct contest *contest, unsigned booth, unsigned round, bool either)
{
    const uint8_t message[] = {
        'c', 'a', 'b', 'l', 'e', (uint8_t)booth, (uint8_t)(round >> 8), (uint8_t)round};
    bool each = either && draw_of(contest, round).version >= 2;
    return (each ? draw(contest, round, message, sizeof message)
                 : draw_booth(contest, 'c', booth, 0)) &
           1;
}

unsigned booths_at_once(const struct contest *contest)
{
    unsigned there = 0, most = 0, round = SCHEDULE_MEETINGS_MAX;
    for (unsigned i = 0; i < contest->schedule.count; i++) {
        there = contest->schedule.meeting[i].round == round ? there + 1 : 1;
        round = contest->schedule.meeting[i].round;
        most = there > most ? there : most;
    }
    return most;
}

enum bl_status booths_draw(struct booths *booths, const struct contest *contest, unsigned trial,
                           struct bl_diag *diag)
{
    unsigned entries = contest->people[CONTEST_ENTRY], all = entries, count = 0;
    uint8_t who[SCHEDULE_ENTRIES_MAX], place[SCHEDULE_ENTRIES_MAX];
    if (contest->ruleset.pairing == PAIRING_SINGLE)
        all += contest->people[CONTEST_CONFEDERATE];
    if (!contest->drawn || contest->undrawn)
        return bl_fail(diag, BL_DATA,
                       "the seed of the draw is not known yet: booths and sides are drawn with it");
    if (all > SCHEDULE_ENTRIES_MAX)
        return bl_fail(diag, BL_DATA, "more than %d candidates", SCHEDULE_ENTRIES_MAX);
    memset(booths, 0, sizeof *booths);
    memset(booths->of, BOOTH_NONE, sizeof booths->of);
    if (contest_has_design(contest)) {
        booths->count = booths_at_once(contest);
        return BL_OK;
    }
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

unsigned booth_of_meeting(const struct contest *contest, const struct booths *booths,
                          const struct meeting *meeting)
{
    unsigned place = 0;
    if (!contest_has_design(contest))
        return booths->of[meeting->entry];
    for (unsigned i = schedule_first(&contest->schedule, meeting->round);
         i < contest->schedule.count && contest->schedule.meeting[i].round == meeting->round &&
         contest->schedule.meeting[i].judge != meeting->judge;
         i++)
        place++;
    return place;
}

#define MOMENT_MAX 64
static const char *moment(int64_t number, int64_t at_us, char out[MOMENT_MAX])
{
    char day[RULESET_DATE_MAX];
    unsigned second = (unsigned)(at_us / 1000000 % 86400);
    ruleset_day_text(at_us, day);
    snprintf(out, MOMENT_MAX, "act %lld of %sT%02u:%02u:%02uZ", (long long)number, day,
             second / 3600, second / 60 % 60, second % 60);
    return out;
}

void draw_tell(const struct contest_draw *draw, char out[DRAW_PROOF_MAX])
{
    char committed[MOMENT_MAX], scheduled[MOMENT_MAX], given[MOMENT_MAX];
    int length;
    moment(draw->committed, draw->committed_us, committed);
    moment(draw->scheduled, draw->scheduled_us, scheduled);
    moment(draw->given, draw->given_us, given);
    length = snprintf(out, DRAW_PROOF_MAX, "committed to: %s; scheduled: %s; seed: %s. ", committed,
                      scheduled, given);
    if (draw->scheduled > draw->given)
        snprintf(out + length, DRAW_PROOF_MAX - (size_t)length,
                 "The schedule was made when the key was known, so who sits where could be chosen "
                 "by making it again: nothing is proven to anybody.");
    else if (draw->public_name[0])
        snprintf(out + length, DRAW_PROOF_MAX - (size_t)length,
                 "Who had commitment and schedule, or the hash of the later of their acts, before "
                 "anybody could know the public value, knows that nobody chose who sits where; to "
                 "others it is proven as far as they believe these times.");
    else
        snprintf(
            out + length, DRAW_PROOF_MAX - (size_t)length,
            "No public value: the manager's machine had the seed from the commitment on. Who "
            "had the commitment before the seed was given away knows that it was not changed "
            "after that; that seed and schedule were not chosen by what they give is proven to "
            "nobody.");
}
