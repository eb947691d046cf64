#include "transcript/player.h"

#include "base/time.h"

#include <stdlib.h>

struct player {
    const struct history *history;
    uint64_t *at_us; /* each key's time in the film */
    struct page *page[SIDES];
    bool used[SIDES];
    size_t next; /* index of the next key */
    size_t part;
    enum side side;
    unsigned speed;
    bool paused;
    uint64_t film_us, mono_us; /* one moment, in the film and by the clock */
};

static const unsigned speeds[] = {25, 50, 100, 200, 400, 800, 1600, 3200, 5000};

unsigned player_faster(unsigned hundredths)
{
    for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++)
        if (speeds[i] > hundredths)
            return speeds[i];
    return PLAYER_FASTEST;
}

unsigned player_slower(unsigned hundredths)
{
    for (size_t i = sizeof speeds / sizeof *speeds; i-- > 0;)
        if (speeds[i] < hundredths)
            return speeds[i];
    return PLAYER_SLOWEST;
}

static void place_keys(struct player *player)
{
    const struct history *history = player->history;
    uint64_t film_us = 0, latest_us = history->keys ? history->key[0].posted_us : 0;
    for (size_t i = 0; i < history->keys; i++) {
        uint64_t now_us = history->key[i].posted_us;
        if (now_us >= latest_us) {
            film_us += now_us - latest_us;
            latest_us = now_us;
        } else if (latest_us - now_us > PLAYER_STEP_US) {
            latest_us = now_us;
        }
        player->at_us[i] = film_us;
        player->used[history->key[i].side] = true;
    }
}

struct player *player_create(const struct history *history, const struct style *style)
{
    struct player *player = calloc(1, sizeof *player);
    if (!player)
        return NULL;
    player->history = history;
    player->paused = true;
    player->speed = PLAYER_ONE;
    player->at_us = calloc(history->keys + 1, sizeof *player->at_us);
    for (unsigned side = 0; side < SIDES; side++)
        player->page[side] = page_create(style);
    if (!player->at_us || !player->page[SIDE_LEFT] || !player->page[SIDE_RIGHT]) {
        player_destroy(player);
        return NULL;
    }
    place_keys(player);
    return player;
}

void player_destroy(struct player *player)
{
    if (!player)
        return;
    for (unsigned side = 0; side < SIDES; side++)
        page_destroy(player->page[side]);
    free(player->at_us);
    free(player);
}

static void clear(struct player *player)
{
    for (unsigned side = 0; side < SIDES; side++)
        page_clear(player->page[side]);
}

static void show_key(struct player *player)
{
    const struct history_key *key = &player->history->key[player->next++];
    const struct key_event event = {
        .posted_us = key->posted_us, .point = key->point, .party = key->party};
    if (key->part != player->part)
        clear(player);
    player->part = key->part;
    page_apply(player->page[key->side], &event);
    if (key->party == PARTY_JUDGE)
        player->side = (enum side)key->side;
}

static uint64_t length_us(const struct player *player)
{
    size_t keys = player->history->keys;
    return keys ? player->at_us[keys - 1] : 0;
}

/* The current time in the film, at most its end. */
static uint64_t film_now(const struct player *player, uint64_t mono_us)
{
    uint64_t since_us = mono_us > player->mono_us ? mono_us - player->mono_us : 0;
    uint64_t left_us = length_us(player) - player->film_us;
    if (player->paused)
        return player->film_us;
    /* After a very long time the film has ended, without an overflow. */
    if (since_us / PLAYER_ONE > left_us / player->speed + 1)
        return length_us(player);
    since_us = since_us * player->speed / PLAYER_ONE;
    return player->film_us + (since_us < left_us ? since_us : left_us);
}

static void hold(struct player *player, uint64_t mono_us)
{
    player->film_us = film_now(player, mono_us);
    player->mono_us = mono_us;
}

bool player_run(struct player *player, uint64_t mono_us)
{
    uint64_t now_us = film_now(player, mono_us);
    size_t before = player->next;
    while (player->next < player->history->keys && player->at_us[player->next] <= now_us)
        show_key(player);
    return player->next != before;
}

uint64_t player_due(const struct player *player)
{
    if (player->paused || player->next == player->history->keys)
        return BL_NEVER;
    uint64_t ahead_us = player->at_us[player->next] - player->film_us;
    return player->mono_us + ahead_us / player->speed * PLAYER_ONE +
           (ahead_us % player->speed * PLAYER_ONE + player->speed - 1) / player->speed;
}

void player_pause(struct player *player, bool pause, uint64_t mono_us)
{
    hold(player, mono_us);
    player->paused = pause;
}

void player_speed(struct player *player, unsigned hundredths, uint64_t mono_us)
{
    hold(player, mono_us);
    player->speed = hundredths < PLAYER_SLOWEST   ? PLAYER_SLOWEST
                    : hundredths > PLAYER_FASTEST ? PLAYER_FASTEST
                                                  : hundredths;
}

void player_seek(struct player *player, uint64_t at_us, uint64_t mono_us)
{
    if (at_us > length_us(player))
        at_us = length_us(player);
    if (player->next > 0 && at_us < player->at_us[player->next - 1]) {
        player->next = 0;
        player->part = 0;
        player->side = SIDE_LEFT;
        clear(player);
    }
    player->film_us = at_us;
    player->mono_us = mono_us;
    player_run(player, mono_us);
}

void player_next(struct player *player, uint64_t mono_us)
{
    player_run(player, mono_us);
    if (player->next < player->history->keys)
        player_seek(player, player->at_us[player->next], mono_us);
}

void player_view(const struct player *player, uint64_t mono_us, struct player_view *view)
{
    const struct history *history = player->history;
    *view = (struct player_view){.at_us = film_now(player, mono_us),
                                 .length_us = length_us(player),
                                 .part = player->part,
                                 .keys = player->next,
                                 .speed = player->speed,
                                 .paused = player->paused,
                                 .ended = player->next == history->keys,
                                 .side = player->side};
    if (player->next > 0)
        view->wall_us = history->key[player->next - 1].posted_us;
    else if (history->keys)
        view->wall_us = history->key[0].posted_us;
    for (unsigned side = 0; side < SIDES; side++) {
        view->page[side] = player->page[side];
        view->used[side] = player->used[side];
    }
}
