#include "entity/lpp_lag.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void lpp_lag_made(struct lpp_lag *lag, uint64_t number, uint64_t now_us)
{
    if (!lag->as_entry) /* a judge's program owes no answer */
        lag->asked_us = now_us;
    if (lag->count == LPP_LAG_ROOM)
        lag->more++;
    else
        lag->item[lag->count++] = (struct lpp_lag_item){.number = number, .made_us = now_us};
}

static struct lpp_lag_item *find(struct lpp_lag *lag, uint64_t number)
{
    for (unsigned i = 0; i < lag->count; i++)
        if (lag->item[i].number == number)
            return &lag->item[i];
    return NULL;
}

static void forget(struct lpp_lag *lag, struct lpp_lag_item *item)
{
    size_t after = (size_t)(lag->item + lag->count - (item + 1));
    memmove(item, item + 1, after * sizeof *item);
    lag->count--;
}

void lpp_lag_unmade(struct lpp_lag *lag, uint64_t number)
{
    struct lpp_lag_item *item = find(lag, number);
    if (item)
        forget(lag, item);
    else if (lag->more)
        lag->more--;
}

bool lpp_lag_removed(struct lpp_lag *lag, uint64_t number, uint64_t now_us)
{
    struct lpp_lag_item *item = find(lag, number);
    if (item)
        forget(lag, item);
    else if (lag->more)
        lag->more--;
    else
        return false;
    lag->removed++;
    lag->life_us = now_us;
    return true;
}

void lpp_lag_typed(struct lpp_lag *lag, uint64_t now_us)
{
    lag->life_us = now_us;
    lag->asked_us = 0;
    lag->dead_told = false;
}

void lpp_lag_hush(struct lpp_lag *lag)
{
    lag->asked_us = 0;
    lag->mute_told = false;
}

void lpp_lag_look_begin(struct lpp_lag *lag)
{
    for (unsigned i = 0; i < lag->count; i++)
        lag->item[i].seen = false;
}

bool lpp_lag_look_seen(struct lpp_lag *lag, uint64_t number)
{
    struct lpp_lag_item *item = find(lag, number);
    if (item)
        item->seen = true;
    return item != NULL || lag->more > 0;
}

void lpp_lag_look_end(struct lpp_lag *lag, uint64_t now_us)
{
    for (unsigned i = lag->count; i-- > 0;)
        if (!lag->item[i].seen)
            lpp_lag_removed(lag, lag->item[i].number, now_us);
}

uint64_t lpp_lag_count(const struct lpp_lag *lag)
{
    return lag->count + lag->more;
}

/* The party whose directories are followed. */
static const char *whose(const struct lpp_lag *lag)
{
    return lag->as_entry ? "the Entry's" : "the judge's";
}

/* The later of the Entry's last sign of life and the making of the oldest directory. */
static uint64_t quiet_since(const struct lpp_lag *lag)
{
    return lag->life_us > lag->item[0].made_us ? lag->life_us : lag->item[0].made_us;
}

/* The later of the Entry's last sign of life and the judge's last key. */
static uint64_t mute_since(const struct lpp_lag *lag)
{
    return lag->life_us > lag->asked_us ? lag->life_us : lag->asked_us;
}

static enum lpp_lag_word tell_mute(struct lpp_lag *lag, uint64_t now_us, char *text, size_t size)
{
    if (lag->mute_told && lag->asked_us == 0) {
        lag->mute_told = false;
        snprintf(text, size, "types again");
        return LPP_LAG_TYPES;
    }
    if (lag->mute_told || lag->asked_us == 0 || now_us < mute_since(lag) + LPP_MUTE_US)
        return LPP_LAG_NOTHING;
    lag->mute_told = true;
    snprintf(text, size,
             "took all of the judge's keys and has typed nothing for %" PRIu64
             " s since: is it still running?",
             (now_us - mute_since(lag)) / 1000000);
    return LPP_LAG_MUTE;
}

enum lpp_lag_word lpp_lag_tell(struct lpp_lag *lag, uint64_t now_us, char *text, size_t size)
{
    const struct lpp_lag_item *oldest = lag->item;
    uint64_t age_us;
    if (lag->count == 0) {
        if (!lag->lag_told && !lag->dead_told)
            return tell_mute(lag, now_us, text, size);
        lag->lag_told = lag->dead_told = false;
        snprintf(text, size, "has removed all of %s directories again", whose(lag));
        return LPP_LAG_CAUGHT_UP;
    }
    age_us = now_us > oldest->made_us ? now_us - oldest->made_us : 0;
    if (age_us >= LPP_DEAD_US && now_us >= quiet_since(lag) + LPP_DEAD_US && !lag->dead_told) {
        lag->lag_told = lag->dead_told = true;
        snprintf(text, size,
                 "no sign of life for %" PRIu64 " s while %" PRIu64
                 " of %s keys wait: is it still running?",
                 (now_us - quiet_since(lag)) / 1000000, lpp_lag_count(lag), whose(lag));
        return LPP_LAG_DEAD;
    }
    if (age_us < LPP_LAG_US || lag->lag_told)
        return LPP_LAG_NOTHING;
    lag->lag_told = true;
    if (lag->removed) {
        snprintf(text, size, "is behind: %" PRIu64 " of %s keys wait, the first for %" PRIu64 " s",
                 lpp_lag_count(lag), whose(lag), age_us / 1000000);
        return LPP_LAG_BEHIND;
    }
    if (lag->life_us > oldest->made_us) {
        snprintf(text, size,
                 "types, but removes none of %s %" PRIu64 " directories (2009, section 2)",
                 whose(lag), lpp_lag_count(lag));
        return LPP_LAG_NEVER;
    }
    snprintf(text, size, "has not taken %s first key for %" PRIu64 " s: not there, not ready?",
             whose(lag), age_us / 1000000);
    return LPP_LAG_NOT_READY;
}

uint64_t lpp_lag_due(const struct lpp_lag *lag)
{
    if (lag->count == 0) {
        if (lag->lag_told || lag->dead_told || (lag->mute_told && lag->asked_us == 0))
            return 0;
        return lag->asked_us && !lag->mute_told ? mute_since(lag) + LPP_MUTE_US : BL_NEVER;
    }
    if (!lag->lag_told)
        return lag->item[0].made_us + LPP_LAG_US;
    return lag->dead_told ? BL_NEVER : quiet_since(lag) + LPP_DEAD_US;
}
