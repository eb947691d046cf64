#include "validate/lpp_port.h"

#include "base/keysym.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TURNS 512u /* some 60 changes each: more than the system keeps, if it is not told to */

enum bl_status lpp_port_create(struct lpp_port **out, int folder_fd, struct bl_diag *diag)
{
    char path[40];
    enum bl_status status;
    struct lpp_port *port = calloc(1, sizeof *port);
    *out = NULL;
    if (!port)
        return bl_fail(diag, BL_NOMEM, "no memory");
    snprintf(path, sizeof path, "/proc/self/fd/%d", folder_fd);
    status = lpp_folder_open(&port->folder, path, -1, true, diag);
    if (!status && port->folder.watch_fd < 0)
        status = bl_fail(diag, BL_UNAVAIL, "LPP's folder: %s", port->folder.watch_why);
    if (status) {
        lpp_port_destroy(port);
        return status;
    }
    *out = port;
    return BL_OK;
}

void lpp_port_destroy(struct lpp_port *port)
{
    if (!port)
        return;
    lpp_folder_close(&port->folder);
    free(port);
}

void lpp_port_restart(struct lpp_port *port)
{
    port->since = port->names;
}

int lpp_port_fd(const struct lpp_port *port)
{
    return port->folder.watch_fd;
}

bool lpp_port_press(struct lpp_port *port, uint32_t point, uint64_t mono_us, uint64_t wall_us)
{
    char name[LPP_NAME_MAX + 1];
    uint64_t number = lpp_number_next(port->last_number, wall_us);
    if (port->keys == LPP_PORT_KEYS || number == 0)
        return false;
    lpp_name_write(name, number, point, LPP_FROM_JUDGE);
    port->key[port->keys++] = (struct lpp_port_key){.number = number, .made_us = mono_us};
    port->last_number = number;
    return lpp_folder_make(&port->folder, name) == BL_OK;
}

/* The judge's key of that name; NULL: it is none that was pressed here. */
static struct lpp_port_key *key_find(struct lpp_port *port, const char *name)
{
    struct lpp_name read;
    uint64_t number;
    uint32_t low = 0, high = port->keys;
    lpp_name_read(name, &read);
    if (read.kind != LPP_KEY || read.from != LPP_FROM_JUDGE)
        return NULL;
    number = lpp_number(name, &read);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (port->key[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < port->keys && port->key[low].number == number ? &port->key[low] : NULL;
}

/* The Entry has removed it. */
static void gone(struct lpp_port *port, struct lpp_port_key *key, uint64_t now_us)
{
    if (key->gone_us)
        return;
    key->gone_us = now_us;
    port->gone++;
}

struct taking {
    struct lpp_port *port;
    uint64_t now_us;
    void (*key)(void *ctx, uint32_t point);
    void *ctx;
};

/* Is the key of such a directory written as the rules do? */
static bool is_named(const char *name)
{
    const char *key = strchr(name, '.') + 1, *end = strrchr(name, '.');
    bool exact;
    return keysym_point(key, (size_t)(end - key), &exact) && exact;
}

/* Is what is there now the same that was left there before? */
static bool is_known(const struct lpp_port *port, const struct lpp_port_left *found,
                     const char *name)
{
    for (uint32_t i = 0; i < port->lefts; i++) {
        const struct lpp_port_left *at = &port->left[i];
        if (at->inode == found->inode && at->born_ns == found->born_ns &&
            strcmp(port->name[at->name].name, name) == 0)
            return true;
    }
    return false;
}

/* A name of the Entry, found by looking or told as a change. */
static void came(const struct taking *taking, const char *name, bool told)
{
    struct lpp_port *port = taking->port;
    struct lpp_port_name made = {.named = true};
    struct lpp_port_left found = {.name = port->names};
    lpp_name_read(name, &made.read);
    if (made.read.kind == LPP_KEY && made.read.from == LPP_FROM_JUDGE)
        return;
    snprintf(made.name, sizeof made.name, "%s", name);
    made.thing = lpp_folder_look(&port->folder, name, &found.inode, &found.born_ns);
    /* What was found by looking is told as a change, too: then it is gone, or still the same. */
    if (made.thing == LPP_GONE ? told && port->settling
                               : (!told || port->settling) && is_known(port, &found, name))
        return;
    if (made.read.kind == LPP_KEY) {
        made.named = is_named(name);
        made.stayed =
            unlinkat(port->folder.fd, name, made.thing == LPP_DIRECTORY ? AT_REMOVEDIR : 0) != 0 &&
            errno != ENOENT;
    }
    if (port->names < LPP_PORT_NAMES) {
        port->name[port->names++] = made;
        if (made.read.kind != LPP_KEY || made.stayed)
            port->left[port->lefts++] = found;
    }
    port->names_all++;
    if (made.read.kind == LPP_KEY)
        taking->key(taking->ctx, made.read.point);
}

static void look_at(void *ctx, const char *name)
{
    const struct taking *taking = ctx;
    struct lpp_port_key *key = key_find(taking->port, name);
    if (key)
        key->seen = true;
    else
        came(taking, name, false);
}

/* Looks at the whole folder, for nobody has told, or not all. */
static void look(const struct taking *taking)
{
    struct lpp_port *port = taking->port;
    for (uint32_t i = 0; i < port->keys; i++)
        port->key[i].seen = false;
    if (!lpp_folder_scan(&port->folder, look_at, (void *)(uintptr_t)taking))
        return;
    for (uint32_t i = 0; i < port->keys; i++)
        if (!port->key[i].seen)
            gone(port, &port->key[i], taking->now_us);
    port->settling = true;
}

static void change(void *ctx, enum lpp_change what, const char *name)
{
    const struct taking *taking = ctx;
    struct lpp_port_key *key;
    switch (what) {
    case LPP_CAME:
        came(taking, name, true);
        break;
    case LPP_WENT:
        key = key_find(taking->port, name);
        if (key)
            gone(taking->port, key, taking->now_us);
        break;
    case LPP_OVERFLOW:
        look(taking);
        break;
    case LPP_LOST: /* then no key can be pressed any more */
        break;
    }
}

void lpp_port_take(struct lpp_port *port, uint64_t mono_us, void (*key)(void *ctx, uint32_t point),
                   void *ctx)
{
    struct taking taking = {.port = port, .now_us = mono_us, .key = key, .ctx = ctx};
    if (!port->begun)
        look(&taking);
    port->begun = true;
    /* Who makes names as fast as they are taken must not keep us for ever. */
    for (unsigned turn = 0; turn < TURNS; turn++)
        if (!lpp_folder_changes(&port->folder, change, &taking)) {
            port->settling = false;
            return;
        }
}
