#include "validate/lpp_port.h"

#include "base/keysym.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum bl_status lpp_port_create(struct lpp_port **out, int folder_fd, struct bl_diag *diag)
{
    char path[40];
    enum bl_status status;
    struct lpp_port *port = calloc(1, sizeof *port);
    *out = NULL;
    if (!port)
        return bl_fail(diag, BL_NOMEM, "no memory");
    snprintf(path, sizeof path, "/proc/self/fd/%d", folder_fd);
    status = lpp_folder_open(&port->folder, path, true, diag);
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
    if (lpp_folder_make(&port->folder, name)) {
        port->lost = true;
        return false;
    }
    return true;
}

/* The Entry has removed a name: is it one of the judge's keys? Most often of the oldest. */
static void went(struct lpp_port *port, const char *name, uint64_t now_us)
{
    struct lpp_name read;
    uint64_t number;
    uint32_t low = 0, high = port->keys;
    lpp_name_read(name, &read);
    number = lpp_number(name, &read);
    if (read.kind != LPP_KEY || read.from != LPP_FROM_JUDGE)
        return;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (port->key[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < port->keys && port->key[low].number == number && !port->key[low].gone_us) {
        port->key[low].gone_us = now_us;
        port->gone++;
    }
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

/* Names that were found by looking are told as changes, too. */
static bool is_known(const struct lpp_port *port, const char *name)
{
    for (uint32_t i = 0; i < port->looked; i++)
        if (strcmp(port->name[i].name, name) == 0)
            return true;
    return false;
}

static void came(const struct taking *taking, const char *name)
{
    struct lpp_port *port = taking->port;
    struct lpp_port_name made = {.named = true};
    uint64_t inode, born_ns;
    lpp_name_read(name, &made.read);
    if (made.read.kind == LPP_KEY && made.read.from == LPP_FROM_JUDGE)
        return;
    snprintf(made.name, sizeof made.name, "%s", name);
    made.thing = lpp_folder_look(&port->folder, name, &inode, &born_ns);
    if (made.read.kind == LPP_KEY) {
        made.named = is_named(name);
        made.stayed =
            unlinkat(port->folder.fd, name, made.thing == LPP_DIRECTORY ? AT_REMOVEDIR : 0) != 0 &&
            errno != ENOENT;
    }
    if (port->names < LPP_PORT_NAMES)
        port->name[port->names++] = made;
    port->names_all++;
    if (made.read.kind == LPP_KEY)
        taking->key(taking->ctx, made.read.point);
}

static void look_at(void *ctx, const char *name)
{
    const struct taking *taking = ctx;
    if (!is_known(taking->port, name))
        came(taking, name);
}

static void look(const struct taking *taking)
{
    lpp_folder_scan(&taking->port->folder, look_at, (void *)(uintptr_t)taking);
    taking->port->looked = taking->port->names;
}

static void change(void *ctx, enum lpp_change what, const char *name)
{
    const struct taking *taking = ctx;
    switch (what) {
    case LPP_CAME:
        look_at(ctx, name);
        break;
    case LPP_WENT:
        went(taking->port, name, taking->now_us);
        break;
    case LPP_OVERFLOW:
        look(taking);
        break;
    case LPP_LOST:
        taking->port->lost = true;
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
    while (lpp_folder_changes(&port->folder, change, &taking))
        ;
}
