#include "rules/games.h"

#include <sodium/crypto_shorthash.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned games_design(const char *text)
{
    static const char words[] = "games-per-condition ";
    size_t length = strlen(words);
    char *end;
    if (strncmp(text, words, length) != 0 || text[length] < '1' || text[length] > '9')
        return 0;
    unsigned long each = strtoul(text + length, &end, 10);
    return *end || each > GAMES_MAX ? 0 : (unsigned)each;
}

static unsigned draw(const struct games_need *need, const char *what, unsigned number,
                     unsigned below)
{
    uint8_t text[16], hash[crypto_shorthash_BYTES];
    size_t length = strlen(what);
    uint64_t value = 0;
    memcpy(text, what, length);
    for (unsigned i = 0; i < 4; i++)
        text[length + i] = (uint8_t)(number >> (24 - 8 * i));
    crypto_shorthash(hash, text, length + 4, need->key);
    for (unsigned i = 0; i < sizeof hash; i++)
        value = value << 8 | hash[i];
    return (unsigned)(value % below);
}

/* The state of a draw. Arrays other than person are indexed by person. */
struct games_drawing {
    const struct games_need *need;
    struct games *games;
    uint16_t person[GAMES_PEOPLE_MAX]; /* the person in a seat */
    uint16_t to_come[GAMES_PEOPLE_MAX][GAMES_CONDITIONS_MAX];
    uint16_t had[GAMES_PEOPLE_MAX][GAMES_CONDITIONS_MAX]; /* games as a confederate, by condition */
};

/* Draws a random order of the people (Fisher and Yates). */
static void draw_seats(struct games_drawing *d)
{
    uint16_t place[GAMES_PEOPLE_MAX];
    for (unsigned i = 0; i < d->need->people; i++) {
        unsigned other = draw(d->need, "person", i, i + 1);
        place[i] = other < i ? place[other] : 0;
        place[other] = (uint16_t)i;
    }
    for (unsigned i = 0; i < d->need->people; i++)
        d->person[place[i]] = (uint16_t)i;
}

/* Finds pair k of a row. All seats except one form a ring. Two rows make a cycle through all seats,
 * along which each person judges one neighbour and is judged by the other. */
static void take_pair(unsigned ring, unsigned row, unsigned k, unsigned *judge, unsigned *other)
{
    unsigned half = (ring - 1) / 2, base = row - row % 2;
    if (row % 2 == 0) {
        *judge = k == 0 ? ring : (row + 2 * k) % ring;
        *other = (row + 2 * ring - 2 * k) % ring;
    } else {
        *judge = (base + 2 * ring - 2 * k) % ring;
        *other = k == half ? ring : (base + 2 * k + 2) % ring;
    }
}

static void pair_all(struct games_drawing *d)
{
    unsigned people = d->need->people, wanted = d->need->conditions * d->need->each;
    unsigned ring = people - 1 + people % 2;
    struct games *games = d->games;
    for (unsigned row = 0; row < ring; row++) {
        for (unsigned k = 0; k <= (ring - 1) / 2 && games->count < wanted; k++) {
            unsigned judge, other;
            take_pair(ring, row, k, &judge, &other);
            if (judge >= people || other >= people) /* the empty seat */
                continue;
            games->game[games->count++] =
                (struct game){.judge = d->person[judge], .confederate = d->person[other]};
        }
    }
}

/* Distributes the conditions of each judge evenly. A remainder is taken from a ring of conditions,
 * which goes on from judge to judge. */
static void share_conditions(struct games_drawing *d)
{
    unsigned conditions = d->need->conditions, at = draw(d->need, "first", 0, conditions);
    uint16_t judged[GAMES_PEOPLE_MAX] = {0};
    for (unsigned i = 0; i < d->games->count; i++)
        judged[d->games->game[i].judge]++;
    for (unsigned seat = 0; seat < d->need->people; seat++) {
        unsigned person = d->person[seat];
        for (unsigned c = 0; c < conditions; c++)
            d->to_come[person][c] = (uint16_t)(judged[person] / conditions);
        for (unsigned i = 0; i < judged[person] % conditions; i++)
            d->to_come[person][at++ % conditions]++;
    }
}

/* Draws one of the conditions left to the judge that the confederate has had least often. */
static void draw_condition(struct games_drawing *d, unsigned number)
{
    struct game *game = &d->games->game[number];
    const uint16_t *to_come = d->to_come[game->judge], *had = d->had[game->confederate];
    unsigned least = UINT16_MAX, count = 0, which;
    for (unsigned c = 0; c < d->need->conditions; c++) {
        if (to_come[c] && had[c] < least) {
            least = had[c];
            count = 0;
        }
        count += to_come[c] && had[c] == least;
    }
    which = draw(d->need, "condition", number, count);
    for (unsigned c = 0; c < d->need->conditions; c++)
        if (to_come[c] && had[c] == least && which-- == 0)
            game->condition = (uint8_t)c;
    d->to_come[game->judge][game->condition]--;
    d->had[game->confederate][game->condition]++;
}

/* Fills rounds. A round ends when all booths are taken, or before a game of a person who already
 * plays in it. */
static void fill_rounds(struct games_drawing *d)
{
    struct games *games = d->games;
    unsigned seen[GAMES_PEOPLE_MAX] = {0}, used = 0; /* seen: each person's latest round, from 1 */
    games->rounds = games->count > 0;
    for (unsigned i = 0; i < games->count; i++, used++) {
        struct game *game = &games->game[i];
        if (used == d->need->booths || seen[game->judge] == games->rounds ||
            seen[game->confederate] == games->rounds) {
            games->rounds++;
            used = 0;
        }
        seen[game->judge] = seen[game->confederate] = games->rounds;
        game->round = (uint16_t)(games->rounds - 1);
        game->booth = (uint8_t)used;
        game->entry_left = draw(d->need, "side", i, 2);
    }
}

static enum bl_status check(const struct games_need *n, struct bl_diag *diag)
{
    if (n->people < 2 || n->people > GAMES_PEOPLE_MAX)
        return bl_fail(diag, BL_DATA, "%u %s: expected 2 to %d", n->people,
                       n->people == 1 ? "person" : "people", GAMES_PEOPLE_MAX);
    if (n->booths < 1 || n->booths > GAMES_BOOTHS_MAX)
        return bl_fail(diag, BL_DATA, "%u booth%s: expected 1 to %d", n->booths, BL_S(n->booths),
                       GAMES_BOOTHS_MAX);
    if (n->conditions < 1 || n->conditions > GAMES_CONDITIONS_MAX)
        return bl_fail(diag, BL_DATA, "%u condition%s: expected 1 to %d Entries", n->conditions,
                       BL_S(n->conditions), GAMES_CONDITIONS_MAX);
    if (n->each < 1 || n->each > GAMES_MAX / n->conditions)
        return bl_fail(diag, BL_DATA, "%u game%s of %u condition%s: expected 1 to %d in all",
                       n->each, BL_S(n->each), n->conditions, BL_S(n->conditions), GAMES_MAX);
    unsigned pairs = n->people * (n->people - 1) / 2;
    if (n->each * n->conditions > pairs)
        return bl_fail(diag, BL_DATA,
                       "%u game%s: %u people are %u pair%s, and no two people meet twice; expected "
                       "more people or fewer games",
                       n->each * n->conditions, BL_S(n->each * n->conditions), n->people, pairs,
                       BL_S(pairs));
    return BL_OK;
}

enum bl_status games_draw(struct games *games, const struct games_need *need, struct bl_diag *diag)
{
    enum bl_status status = check(need, diag);
    struct games_drawing *d = status == BL_OK ? calloc(1, sizeof *d) : NULL;
    if (status != BL_OK)
        return status;
    if (!d)
        return bl_fail(diag, BL_NOMEM, "no memory");
    games->count = games->rounds = 0;
    d->need = need;
    d->games = games;
    draw_seats(d);
    pair_all(d);
    share_conditions(d);
    for (unsigned i = 0; i < games->count; i++)
        draw_condition(d, i);
    fill_rounds(d);
    free(d);
    return BL_OK;
}

const char *games_line(const struct games *games, unsigned line, char out[GAMES_LINE])
{
    char entry[16], person[16];
    if (line == 0) {
        snprintf(out, GAMES_LINE, "Round  Booth  Judge  Left  Right");
        return out;
    }
    const struct game *g = &games->game[line - 1];
    snprintf(entry, sizeof entry, "E%u", g->condition + 1U);
    snprintf(person, sizeof person, "P%u", g->confederate + 1U);
    snprintf(out, GAMES_LINE, "%5u  %5u  P%-4u  %-4s  %s", g->round + 1U, g->booth + 1U,
             g->judge + 1U, g->entry_left ? entry : person, g->entry_left ? person : entry);
    return out;
}

json_t *games_json(const struct games *games)
{
    json_t *rounds = json_array();
    for (unsigned r = 0; r < games->rounds; r++)
        json_array_append_new(rounds, json_array());
    for (unsigned i = 0; i < games->count; i++) {
        const struct game *g = &games->game[i];
        json_array_append_new(json_array_get(rounds, g->round),
                              json_pack("{s:i,s:i,s:i,s:i,s:s}", "booth", g->booth + 1, "judge",
                                        g->judge + 1, "entry", g->condition + 1, "confederate",
                                        g->confederate + 1, "left",
                                        g->entry_left ? "entry" : "confederate"));
    }
    return json_pack("{s:s,s:o}", "made", "drawn", "rounds", rounds);
}
