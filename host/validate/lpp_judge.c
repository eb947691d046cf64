#include "validate/lpp_judge.h"

#include "base/keysym.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TURNS 512u /* turns of some 60 changes each: more than the kernel queues by default */

enum bl_status lpp_judge_create(struct lpp_judge **out, int folder_fd, struct bl_diag *diag)
{
    char path[40];
    enum bl_status status;
    struct lpp_judge *judge = calloc(1, sizeof *judge);
    *out = NULL;
    if (!judge)
        return bl_fail(diag, BL_NOMEM, "no memory");
    snprintf(path, sizeof path, "/proc/self/fd/%d", folder_fd);
    status = lpp_folder_open(&judge->folder, path, -1, true, diag);
    if (!status && judge->folder.watch_fd < 0)
        status = bl_fail(diag, BL_UNAVAIL, "LPP's folder: %s", judge->folder.watch_why);
    if (status) {
        lpp_judge_destroy(judge);
        return status;
    }
    *out = judge;
    return BL_OK;
}

void lpp_judge_destroy(struct lpp_judge *judge)
{
    if (!judge)
        return;
    lpp_folder_close(&judge->folder);
    free(judge);
}

void lpp_judge_restart(struct lpp_judge *judge)
{
    judge->since = judge->names;
}

int lpp_judge_fd(const struct lpp_judge *judge)
{
    return judge->folder.watch_fd;
}

bool lpp_judge_press(struct lpp_judge *judge, uint32_t point, uint64_t mono_us, uint64_t wall_us)
{
    char name[LPP_NAME_MAX + 1];
    uint64_t number = lpp_number_next(judge->last_number, wall_us);
    if (judge->keys == LPP_JUDGE_KEYS || number == 0)
        return false;
    lpp_name_write(name, number, point, LPP_FROM_JUDGE);
    judge->last_number = number;
    if (lpp_folder_make(&judge->folder, name) != BL_OK)
        return false; /* the Entry must not remove it */
    judge->key[judge->keys++] = (struct lpp_judge_key){.number = number, .made_us = mono_us};
    return true;
}

/* Finds the judge's key of this name; NULL: none. */
static struct lpp_judge_key *key_find(struct lpp_judge *judge, const char *name)
{
    struct lpp_name read;
    uint64_t number;
    uint32_t low = 0, high = judge->keys;
    lpp_name_read(name, &read);
    if (read.kind != LPP_KEY || read.from != LPP_FROM_JUDGE)
        return NULL;
    number = lpp_number(name, &read);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (judge->key[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < judge->keys && judge->key[low].number == number ? &judge->key[low] : NULL;
}

static void gone(struct lpp_judge *judge, struct lpp_judge_key *key, uint64_t now_us)
{
    if (key->gone_us)
        return;
    key->gone_us = now_us;
    judge->gone++;
}

struct taking {
    struct lpp_judge *judge;
    uint64_t now_us;
    void (*key)(void *ctx, uint32_t point);
    void *ctx;
};

/* True if the directory's key has the rules' spelling. */
static bool is_named(const char *name)
{
    const char *key = strchr(name, '.') + 1, *end = strrchr(name, '.');
    bool exact;
    return keysym_point(key, (size_t)(end - key), &exact) && exact;
}

/* True if the name and its file are those left there before. */
static bool is_known(const struct lpp_judge *judge, const struct lpp_judge_left *found,
                     const char *name)
{
    for (uint32_t i = 0; i < judge->lefts; i++) {
        const struct lpp_judge_left *at = &judge->left[i];
        if (at->inode == found->inode && at->born_ns == found->born_ns &&
            strcmp(judge->name[at->name].name, name) == 0)
            return true;
    }
    return false;
}

/* Takes a name of the Entry, from a look at the folder or (`told`) from a change. */
static void came(const struct taking *taking, const char *name, bool told)
{
    struct lpp_judge *judge = taking->judge;
    struct lpp_judge_name made = {.named = true};
    struct lpp_judge_left found = {.name = judge->names};
    lpp_name_read(name, &made.read);
    if (made.read.kind == LPP_KEY && made.read.from == LPP_FROM_JUDGE)
        return;
    snprintf(made.name, sizeof made.name, "%s", name);
    made.thing = lpp_folder_look(&judge->folder, name, &found.inode, &found.born_ns);
    /* The watch repeats names that the look has found. A repeated name is gone, or known and
     * unchanged. */
    if (made.thing == LPP_GONE ? told && judge->settling
                               : (!told || judge->settling) && is_known(judge, &found, name))
        return;
    if (made.read.kind == LPP_KEY) {
        made.named = is_named(name);
        made.stayed =
            unlinkat(judge->folder.fd, name, made.thing == LPP_DIRECTORY ? AT_REMOVEDIR : 0) != 0 &&
            errno != ENOENT;
    }
    if (judge->names < LPP_JUDGE_NAMES) {
        judge->name[judge->names++] = made;
        if (made.read.kind != LPP_KEY || made.stayed)
            judge->left[judge->lefts++] = found;
    }
    judge->names_all++;
    if (made.read.kind == LPP_KEY)
        taking->key(taking->ctx, made.read.point);
}

static void look_at(void *ctx, const char *name)
{
    const struct taking *taking = ctx;
    struct lpp_judge_key *key = key_find(taking->judge, name);
    if (key)
        key->seen = true;
    else
        came(taking, name, false);
}

/* Looks at the whole folder, for changes that were lost or came before the watch. */
static void look(const struct taking *taking)
{
    struct lpp_judge *judge = taking->judge;
    for (uint32_t i = 0; i < judge->keys; i++)
        judge->key[i].seen = false;
    if (!lpp_folder_scan(&judge->folder, look_at, (void *)(uintptr_t)taking))
        return;
    for (uint32_t i = 0; i < judge->keys; i++)
        if (!judge->key[i].seen)
            gone(judge, &judge->key[i], taking->now_us);
    judge->settling = true;
}

static void change(void *ctx, enum lpp_change what, const char *name)
{
    const struct taking *taking = ctx;
    struct lpp_judge_key *key;
    switch (what) {
    case LPP_CAME:
        came(taking, name, true);
        break;
    case LPP_WENT:
        key = key_find(taking->judge, name);
        if (key)
            gone(taking->judge, key, taking->now_us);
        break;
    case LPP_OVERFLOW:
        look(taking);
        break;
    case LPP_LOST: /* from then on no key can be pressed */
        break;
    }
}

void lpp_judge_take(struct lpp_judge *judge, uint64_t mono_us,
                    void (*key)(void *ctx, uint32_t point), void *ctx)
{
    struct taking taking = {.judge = judge, .now_us = mono_us, .key = key, .ctx = ctx};
    if (!judge->begun)
        look(&taking);
    judge->begun = true;
    /* Bounded: an Entry may make names as fast as they are taken. */
    for (unsigned turn = 0; turn < TURNS; turn++)
        if (!lpp_folder_changes(&judge->folder, change, &taking)) {
            judge->settling = false;
            return;
        }
}
