/* Time, chance and the log. What happens is a heap of events by time. */
#include "world_private.h"

#include <fcntl.h>
#include <ftw.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct event {
    uint64_t at, number;
    void (*fn)(void *ctx);
    void *ctx;
};

static struct {
    uint64_t now, seed, hash, number;
    struct dice dice, dice_beside;
    bool beside;
    struct event *heap;
    size_t count, room;
} world;

bool world_logs;
struct world_watch world_watcher;
static char folder[64];
static int came_from = -1;

void world_die(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("world: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    abort();
}

uint64_t world_now(void)
{
    return world.now;
}

uint64_t world_hash(void)
{
    return world.hash;
}

/* FNV-1a, with the time between. */
void world_mix(const void *bytes, size_t length)
{
    const uint8_t *byte = bytes;
    uint64_t hash = world.hash;
    if (world.beside)
        return;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ byte[i]) * 0x100000001b3ull;
    world.hash = (hash ^ world.now) * 0x100000001b3ull;
}

uint64_t world_roll(uint64_t below)
{
    return dice_below(world.beside ? &world.dice_beside : &world.dice, below);
}

bool world_beside(bool beside)
{
    bool was = world.beside;
    world.beside = beside;
    return was;
}

struct dice world_dice(uint64_t number)
{
    struct dice dice = dice_make(world.seed ^ number * 0x9e3779b97f4a7c15ull);
    dice_next(&dice);
    return dice;
}

void world_log(const char *who, const char *format, ...)
{
    va_list args;
    if (!world_logs)
        return;
    va_start(args, format);
    printf("# [%10.6f] %s%s", (double)world.now / 1e6, who ? who : "", who ? ": " : "");
    vprintf(format, args);
    putchar('\n');
    va_end(args);
}

void world_watch(const struct world_watch *watch)
{
    world_watcher = *watch;
}

static bool is_sooner(const struct event *a, const struct event *b)
{
    return a->at != b->at ? a->at < b->at : a->number < b->number;
}

void world_at(uint64_t at_us, void (*fn)(void *ctx), void *ctx)
{
    struct event event = {at_us < world.now ? world.now : at_us, world.number++, fn, ctx};
    size_t at = world.count++;
    if (world.count > world.room) {
        world.room = world.room ? 2 * world.room : 256;
        world.heap = realloc(world.heap, world.room * sizeof *world.heap);
    }
    for (; at && is_sooner(&event, &world.heap[(at - 1) / 2]); at = (at - 1) / 2)
        world.heap[at] = world.heap[(at - 1) / 2];
    world.heap[at] = event;
}

static struct event take_first(void)
{
    struct event first = world.heap[0], last = world.heap[--world.count];
    size_t at = 0, child;
    while ((child = 2 * at + 1) < world.count) {
        if (child + 1 < world.count && is_sooner(&world.heap[child + 1], &world.heap[child]))
            child++;
        if (!is_sooner(&world.heap[child], &last))
            break;
        world.heap[at] = world.heap[child];
        at = child;
    }
    world.heap[at] = last;
    return first;
}

bool world_step(void)
{
    if (!world.count)
        return false;
    struct event event = take_first();
    world.now = event.at;
    event.fn(event.ctx);
    return true;
}

void world_run(uint64_t until_us)
{
    while (world.count && world.heap[0].at <= until_us)
        world_step();
    if (world.now < until_us)
        world.now = until_us;
}

/* libsodium's numbers, too, are the seed's. */
static const char *dice_name(void)
{
    return "world";
}

static uint32_t dice_u32(void)
{
    return (uint32_t)world_roll(1ull << 32);
}

static void dice_buf(void *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        ((uint8_t *)bytes)[i] = (uint8_t)world_roll(256);
}

static struct randombytes_implementation dice = {
    .implementation_name = dice_name, .random = dice_u32, .buf = dice_buf};

/* The world's files are in a folder of its own, in memory where there is such a place. Everybody
 * works in it and names his files from there, so that its random name is in no record. */
void world_begin(uint64_t seed)
{
    const char *below = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : getenv("TMPDIR");
    randombytes_set_implementation(&dice);
    if (sodium_init() < 0)
        world_die("libsodium does not start");
    world.seed = seed;
    world.now = world.number = 0;
    world.count = 0;
    world.hash = 0xcbf29ce484222325ull;
    world.dice = world_dice(0);
    world.dice_beside = world_dice(99);
    world.beside = false;
    world_watcher = (struct world_watch){NULL};
    world_program(NULL);
    machines_begin();
    snprintf(folder, sizeof folder, "%.40s/bl-world.XXXXXX", below ? below : "/tmp");
    came_from = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (came_from < 0 || !mkdtemp(folder) || chdir(folder))
        world_die("%s cannot be made", folder);
}

static int on_entry(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
    (void)info;
    (void)kind;
    (void)walk;
    return remove(path);
}

void world_end(void)
{
    world.count = 0;
    network_end();
    disk_end();
    files_end();
    sticks_end();
    entries_end();
    cables_end();
    machines_end();
    if (fchdir(came_from))
        world_die("there is no way back");
    close(came_from);
    nftw(folder, on_entry, 8, FTW_DEPTH | FTW_PHYS);
}
