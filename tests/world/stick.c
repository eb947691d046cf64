/* Sticks: each is a folder, which is moved to the place that a machine has for one, and back. */
#include "world_private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PLACE "stick"

struct stick {
    struct stick *next;
    char home[64], place[64];
    struct machine *machine;
};
static struct stick *sticks;
bool watches_are_calls;

void world_watches_are_calls(void)
{
    watches_are_calls = true;
}

struct stick *stick_create(const char *name)
{
    struct stick *s = calloc(1, sizeof *s);
    snprintf(s->home, sizeof s->home, "%s", name);
    s->next = sticks;
    sticks = s;
    return s;
}

struct machine *stick_machine(const struct stick *s)
{
    return s->machine;
}

static void move(const char *from, const char *to)
{
    if (rename(from, to))
        world_die("%s cannot be %s: %s", from, to, strerror(errno));
}

/* Its clock's error says how a machine takes sticks. */
static bool mounts(const struct machine *m)
{
    return m->ppm % 2 == 0;
}

static void tell(struct machine *m)
{
    if (mounts(m)) {
        m->mounts++;
        for (struct process *p = processes; p; p = p->next)
            if (p->machine == m)
                process_poke(p);
    } else {
        loops_tell(m, m->name, PLACE);
    }
}

void stick_put(struct stick *s, struct machine *m)
{
    if (s->machine)
        world_die("%s is in a machine already", s->home);
    s->machine = m;
    snprintf(s->place, sizeof s->place, "%s/" PLACE, m->name);
    rmdir(s->place);
    move(s->home, s->place);
    world_log(m->name, "has the stick %s", s->home);
    tell(m);
}

void stick_pull(struct stick *s)
{
    struct machine *m = s->machine;
    char below[sizeof s->place + 1];
    if (!m)
        return;
    snprintf(below, sizeof below, "%s/", s->place);
    files_lose(below);
    move(s->place, s->home);
    if (mounts(m) && mkdir(s->place, 0700))
        world_die("%s cannot be made", s->place);
    s->machine = NULL;
    world_log(m->name, "the stick %s is out", s->home);
    tell(m);
}

void sticks_end(void)
{
    for (struct stick *s = sticks, *next; s; s = next) {
        next = s->next;
        free(s);
    }
    sticks = NULL;
    watches_are_calls = false;
}
