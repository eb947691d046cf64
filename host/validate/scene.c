#include "validate/scene.h"

#include "base/loop.h"
#include "validate/actor_private.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define TICK_US 10000

struct scene {
    struct actor *actor[PARTS];
    struct scene_line *line;
    int stat_fd;       /* statistics of the scheduler about this process; -1: none */
    uint64_t delay_us; /* total wait for a processor */
    uint64_t late_us;  /* the part of it between the last two looks */
    uint64_t waits;    /* number of looks */
    double timer_late_us;
};

/* Notes this process's wait for a processor since the last look: run_delay in nanoseconds, the
 * second number in /proc/PID/schedstat. */
static void late_note(struct scene *scene)
{
    char text[100];
    unsigned long long delay;
    uint64_t before = scene->delay_us;
    scene->waits++;
    ssize_t n = scene->stat_fd >= 0 ? pread(scene->stat_fd, text, sizeof text - 1, 0) : 0;
    text[n > 0 ? n : 0] = '\0';
    if (sscanf(text, "%*u %llu", &delay) != 1)
        return;
    scene->delay_us = delay / 1000;
    scene->late_us = scene->delay_us - before;
}

struct scene *scene_create(struct scene_line *line)
{
    struct scene *scene = calloc(1, sizeof *scene);
    if (!scene) {
        scene_line_close(line);
        return NULL;
    }
    scene->line = line;
    scene->stat_fd = open("/proc/self/schedstat", O_RDONLY | O_CLOEXEC);
    late_note(scene);
    return scene;
}

void scene_close(struct scene *scene)
{
    if (!scene)
        return;
    for (enum scene_part part = 0; part < PARTS; part++)
        actor_close(scene->actor[part]);
    scene_line_close(scene->line);
    if (scene->stat_fd >= 0)
        close(scene->stat_fd);
    free(scene);
}

struct actor *scene_actor(const struct scene *scene, enum scene_part part)
{
    return scene->actor[part];
}

void scene_put(struct scene *scene, enum scene_part part, struct actor *actor)
{
    scene->actor[part] = actor;
}

struct scene_line *scene_line(struct scene *scene)
{
    return scene->line;
}

uint64_t scene_delay_us(const struct scene *scene)
{
    return scene->late_us;
}

uint64_t scene_waits(const struct scene *scene)
{
    return scene->waits;
}

/* Waits until a descriptor is ready. False if none is. */
static bool wait_for(struct scene *scene, struct pollfd *polls, nfds_t count, uint64_t until_us)
{
    uint64_t now = bl_mono_us(), wait = until_us > now ? until_us - now : 0;
    struct timespec timeout = {.tv_sec = (time_t)(wait / 1000000u),
                               .tv_nsec = (long)(wait % 1000000u) * 1000};
    int ready = ppoll(polls, count, &timeout, NULL);
    late_note(scene);
    if (ready == 0 && wait)
        scene->timer_late_us += ((double)(bl_mono_us() - until_us) - scene->timer_late_us) / 16;
    return ready > 0;
}

void scene_turn(struct scene *scene, uint64_t until_us)
{
    struct pollfd polls[PARTS * ACTOR_POLLS + 1];
    nfds_t count = 0;
    uint64_t now_us = bl_mono_us();
    for (enum scene_part part = 0; part < PARTS; part++) {
        if (!scene->actor[part])
            continue;
        until_us = actor_due(scene->actor[part], now_us, until_us);
        actor_polls(scene->actor[part], polls + count);
        count += ACTOR_POLLS;
    }
    polls[count] =
        (struct pollfd){.fd = scene->line ? scene_line_fd(scene->line) : -1, .events = POLLIN};
    if (!wait_for(scene, polls, count + 1, until_us))
        for (nfds_t i = 0; i <= count; i++)
            polls[i].revents = 0;
    if (polls[count].revents)
        scene_line_turn(scene->line);
    count = 0;
    for (enum scene_part part = 0; part < PARTS; part++)
        if (scene->actor[part]) {
            actor_turn(scene->actor[part], polls + count);
            count += ACTOR_POLLS;
        }
}

bool scene_run(struct scene *scene, unsigned ms, bool (*until)(void *ctx), void *ctx)
{
    uint64_t end_us = bl_mono_us() + ms * MS;
    for (;;) {
        uint64_t now_us = bl_mono_us();
        for (enum scene_part part = 0; part < PARTS; part++)
            if (scene->actor[part])
                screen_rest(scene->actor[part], now_us);
        if (until && until(ctx))
            return true;
        if (now_us >= end_us)
            return false;
        /* Silence is no event: the condition is polled. */
        scene_turn(scene, now_us + TICK_US < end_us ? now_us + TICK_US : end_us);
    }
}

uint64_t scene_now_us(void)
{
    return bl_mono_us();
}

unsigned scene_late_us(const struct scene *scene)
{
    return (unsigned)scene->timer_late_us;
}
