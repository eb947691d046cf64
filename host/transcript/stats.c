#include "transcript/stats.h"

#include <math.h>
#include <stdlib.h>

struct going {
    uint64_t last_us;
    bool typing; /* the key before belongs to the same line */
    uint32_t *line;
    size_t points;
};

static int by_size(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void count_words(struct going *going, struct stats_party *party)
{
    bool inside = false;
    for (size_t i = 0; i < going->points; i++) {
        bool blank = going->line[i] == ' ' || going->line[i] == KEY_TAB || going->line[i] == 0xA0;
        party->words += !blank && !inside;
        inside = !blank;
    }
    going->points = 0;
    going->typing = false;
}

static void take_gap(struct going *going, struct stats_party *party, uint64_t *gap, uint64_t now_us)
{
    if (going->typing && now_us >= going->last_us && now_us - going->last_us <= STATS_PAUSE_US)
        gap[party->gaps++] = now_us - going->last_us;
    going->last_us = now_us;
    going->typing = true;
}

static void take_key(struct going *going, struct stats_party *party, uint32_t point)
{
    party->keys++;
    if (point == KEY_RETURN) {
        party->returns++;
        count_words(going, party);
    } else if (point == KEY_BACKSPACE) {
        party->backspaces++;
        going->points -= going->points > 0;
    } else {
        going->line[going->points++] = point;
    }
}

static void finish(struct stats_party *party, uint64_t *gap)
{
    double mean = 0, squares = 0;
    if (party->gaps == 0)
        return;
    qsort(gap, (size_t)party->gaps, sizeof *gap, by_size);
    party->median_us = party->gaps % 2 ? gap[party->gaps / 2]
                                       : (gap[party->gaps / 2 - 1] + gap[party->gaps / 2]) / 2;
    for (uint64_t i = 0; i < party->gaps; i++)
        mean += (double)gap[i] / (double)party->gaps;
    for (uint64_t i = 0; i < party->gaps; i++)
        squares += ((double)gap[i] - mean) * ((double)gap[i] - mean);
    if (party->gaps > 1 && mean > 0)
        party->variation = sqrt(squares / (double)(party->gaps - 1)) / mean;
}

static void go(const struct history *history, unsigned side, unsigned who, struct going *going,
               uint64_t *gap, struct stats_party *party)
{
    size_t part = 0;
    for (size_t i = 0; i < history->keys; i++) {
        const struct history_key *key = &history->key[i];
        if (key->part != part)
            count_words(going, party);
        part = key->part;
        if (key->side != side || key->party != who)
            continue;
        take_gap(going, party, gap, key->posted_us);
        take_key(going, party, key->point);
    }
    count_words(going, party);
    finish(party, gap);
}

enum bl_status stats_compute(const struct history *history, struct stats *stats)
{
    uint64_t *gap = calloc(history->keys + 1, sizeof *gap);
    uint32_t *line = calloc(history->keys + 1, sizeof *line);
    *stats = (struct stats){.of = {{{.keys = 0}}}};
    for (unsigned i = 0; gap && line && i < SIDES * PARTIES; i++) {
        struct going going = {.line = line};
        go(history, i / PARTIES, i % PARTIES, &going, gap, &stats->of[i / PARTIES][i % PARTIES]);
    }
    free(gap);
    free(line);
    return gap && line ? BL_OK : BL_NOMEM;
}

double stats_backspace_share(const struct stats_party *party)
{
    return party->keys ? (double)party->backspaces / (double)party->keys : 0;
}
