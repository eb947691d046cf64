/* In the place of host/link/serial_port.c: serial cables, a byte every so many us, and adapters
 * that come and go. */
#include "world_private.h"

#include "link/serial_port.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

#define BUFFER     4096 /* bytes that an adapter keeps for who does not read */
#define PORTS_MOST 4096 /* that are opened in one world */
#define DEV        "/dev"
#define PORT_FIRST 100000 /* no descriptor of the system's has that number */

struct plug {
    struct machine *machine;
    char device[40];
    char port[56];
    bool present, open;
    bool seen; /* present since it was opened */
    struct process *process;
    unsigned opening; /* counts its openings */
    uint32_t baud;
    uint64_t arrived_us; /* when the latest bytes for it arrive */
    uint64_t free_us;    /* when all that was written has gone out */
    uint8_t byte[BUFFER];
    size_t bytes;
};

struct cable {
    struct cable *next;
    bool plugged;
    bool cut;         /* by a relay between the ends */
    bool ordered;     /* bytes arrive in their order */
    unsigned noise;   /* wrong bytes of a million */
    uint32_t hold_us; /* an adapter hands over bytes up to so much later */
    uint64_t bytes;
    struct plug plug[2];
};

/* What was opened, by descriptor. */
struct port {
    struct cable *cable;
    unsigned end, opening;
};
static struct cable *cables;
static struct port ports[PORTS_MOST];
static unsigned port_count;

struct cable *cable_create(const char *name, struct machine *a, struct machine *b)
{
    struct machine *const machine[2] = {a, b};
    struct cable *c = calloc(1, sizeof *c);
    c->plugged = true;
    c->hold_us = (uint32_t)world_roll(2) * 1000;
    for (unsigned end = 0; end < 2; end++) {
        struct plug *p = &c->plug[end];
        p->machine = machine[end];
        p->present = true;
        snprintf(p->device, sizeof p->device, DEV "/%s", name);
        snprintf(p->port, sizeof p->port, "serial:%s", p->device);
    }
    c->next = cables;
    return cables = c;
}

const char *cable_port(const struct cable *c, unsigned end)
{
    return c->plug[end].port;
}

void cable_plug(struct cable *c, bool plugged)
{
    c->plugged = plugged;
}

void cable_join(struct cable *c, bool joined)
{
    c->cut = !joined;
}

void cable_order(struct cable *c)
{
    c->ordered = true;
}

void cable_noise(struct cable *c, unsigned per_million)
{
    c->noise = per_million;
}

unsigned cable_openings(const struct cable *c, unsigned end)
{
    return c->plug[end].opening;
}

uint64_t cable_bytes(const struct cable *c)
{
    return c->bytes;
}

void cable_adapter(struct cable *c, unsigned end, bool present)
{
    struct plug *p = &c->plug[end];
    p->present = present;
    p->seen = p->seen && present;
    p->bytes = 0;
    if (!present && p->open)
        process_poke(p->process);
    loops_tell(p->machine, DEV, p->device + sizeof DEV);
}

/* NULL: it was closed, perhaps opened again since. */
static struct plug *opened_by(int fd)
{
    if (fd < PORT_FIRST || fd >= PORT_FIRST + (int)port_count)
        world_die("descriptor %d is no port", fd);
    const struct port *port = &ports[fd - PORT_FIRST];
    struct plug *p = &port->cable->plug[port->end];
    return p->open && p->opening == port->opening ? p : NULL;
}

/* NULL: the adapter has gone since. */
static struct plug *plug_of(int fd)
{
    struct plug *p = opened_by(fd);
    return p && p->present && p->seen ? p : NULL;
}

int port_ready(int fd, int events)
{
    const struct plug *p = plug_of(fd);
    return p && !p->bytes ? events & ~UV_READABLE : events;
}

enum bl_status serial_parse(const char *name, char device[SERIAL_PATH_MAX], uint32_t *baud,
                            struct bl_diag *diag)
{
    const char *at = strrchr(name, '@');
    (void)diag;
    *baud = at ? (uint32_t)atoi(at + 1) : SERIAL_BAUD_DEFAULT;
    snprintf(device, SERIAL_PATH_MAX, "%.*s", (int)(at ? at - name : (long)strlen(name)), name);
    return BL_OK;
}

enum bl_status serial_port_open(struct serial_port *port, const char *device, uint32_t baud,
                                bool rtscts, struct bl_diag *diag)
{
    (void)rtscts;
    for (struct cable *c = cables; c; c = c->next) {
        for (unsigned end = 0; end < 2; end++) {
            struct plug *p = &c->plug[end];
            if (p->machine != process_current->machine || strcmp(p->device, device) != 0 ||
                !p->present)
                continue;
            if (p->open && process_lives(p->process))
                return bl_fail(diag, BL_BUSY, "%s is taken", device);
            if (port_count == PORTS_MOST)
                world_die("too many ports were opened");
            p->open = p->seen = true;
            p->process = process_current;
            p->baud = baud;
            p->bytes = 0;
            ports[port_count] = (struct port){c, end, ++p->opening};
            port->fd = PORT_FIRST + (int)port_count++;
            port->handle = NULL;
            return BL_OK;
        }
    }
    return bl_fail(diag, BL_NOINPUT, "there is no device %s", device);
}

void serial_port_close(struct serial_port *port)
{
    struct plug *p = opened_by(port->fd);
    if (p)
        p->open = false;
    port->fd = -1;
}

enum bl_status serial_port_rate(struct serial_port *port, uint32_t baud, struct bl_diag *diag)
{
    struct plug *p = plug_of(port->fd);
    (void)diag;
    if (p)
        p->baud = baud;
    return BL_OK;
}

/* Nobody else has a cable of the world. */
bool serial_port_renew(struct serial_port *port)
{
    (void)port;
    return false;
}

void serial_port_outputs(struct serial_port *port, unsigned levels)
{
    (void)port;
    (void)levels;
}

bool serial_port_inputs(struct serial_port *port, unsigned *levels)
{
    (void)port;
    *levels = 0;
    return false;
}

ssize_t serial_port_read(struct serial_port *port, void *bytes, size_t size)
{
    struct plug *p = plug_of(port->fd);
    if (!p)
        return -1;
    if (size > p->bytes)
        size = p->bytes;
    memcpy(bytes, p->byte, size);
    p->bytes -= size;
    memmove(p->byte, p->byte + size, p->bytes);
    return (ssize_t)size;
}

/* Bytes under way to an end. */
struct flight {
    struct cable *cable;
    unsigned end;
    uint32_t baud;
    size_t length;
    uint8_t byte[];
};

static void on_arrival(void *ctx)
{
    struct flight *f = ctx;
    struct cable *c = f->cable;
    struct plug *p = &c->plug[f->end];
    if (c->plugged && !c->cut && p->open && p->present) {
        for (size_t i = 0; i < f->length && p->bytes < BUFFER; i++) {
            uint8_t wrong = 0;
            if (p->baud != f->baud) /* another speed makes other bytes of them */
                wrong = (uint8_t)world_roll(256);
            else if (c->noise && world_roll(1000000) < c->noise)
                wrong = (uint8_t)(1u << world_roll(8));
            p->byte[p->bytes++] = f->byte[i] ^ wrong;
        }
        process_poke(p->process);
    }
    free(f);
}

ssize_t serial_port_write(struct serial_port *port, const void *bytes, size_t length)
{
    process_call();
    struct plug *p = plug_of(port->fd);
    if (!p)
        return -1;
    struct port *at = &ports[port->fd - PORT_FIRST];
    const uint8_t *byte = bytes;
    if (p->free_us < world_now())
        p->free_us = world_now();
    at->cable->bytes += length;
    world_mix(bytes, length);
    for (size_t done = 0; done < length;) { /* in pieces, as a driver hands them over */
        size_t some = length - done;
        if (some > 1 && world_roll(3) == 0)
            some = 1 + world_roll(some);
        struct flight *f = malloc(sizeof *f + some);
        *f = (struct flight){at->cable, !at->end, p->baud, some};
        memcpy(f->byte, byte + done, some);
        p->free_us += some * 10 * SECOND / p->baud;
        uint64_t at_us = p->free_us + (at->cable->hold_us ? world_roll(at->cable->hold_us) : 0);
        struct plug *to = &at->cable->plug[f->end];
        if (at->cable->ordered && at_us < to->arrived_us)
            at_us = to->arrived_us;
        to->arrived_us = at_us;
        world_at(at_us, on_arrival, f);
        done += some;
    }
    return (ssize_t)length;
}

bool serial_port_waiting(struct serial_port *port, size_t *bytes)
{
    const struct plug *p = plug_of(port->fd);
    *bytes = p && p->free_us > world_now() ? (p->free_us - world_now()) * p->baud / 10 / SECOND : 0;
    return p != NULL;
}

void ports_forget(struct process *process)
{
    for (struct cable *c = cables; c; c = c->next)
        for (unsigned end = 0; end < 2; end++)
            if (c->plug[end].process == process)
                c->plug[end].open = false;
}

void cables_end(void)
{
    for (struct cable *c = cables, *next; c; c = next) {
        next = c->next;
        free(c);
    }
    cables = NULL;
    port_count = 0;
}
