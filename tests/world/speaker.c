/* In the place of host/entity/speaker.c: an Entry that speaks through a folder, or as a client that
 * connects to us. It is outside of the terminal's process: in the sandbox that the terminal has
 * started, or started by somebody else. Then a power cut is not its own: it may be elsewhere. A
 * spare machine has another one. */
#include "world_private.h"

#include "base/loop.h"
#include "entity/speaker.h"
#include "journal/journal.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OUT_MOST 4096
#define READY_US (SECOND / 2)

/* The Entry itself. */
struct outside {
    struct outside *next;
    struct machine *machine;
    const void *box; /* the sandbox in which it is; NULL: none */
    struct dice dice;
    struct heard judge;
    char out[OUT_MOST];
    size_t from, to; /* keys that it has typed and nobody has taken */
};
static struct outside *outsiders;

/* A speaker's folder on the disk of its machine. */
struct folder {
    struct folder *next;
    struct machine *machine;
    char session[SESSION_ID_MAX + 1];
    uint64_t given;
};
static struct folder *folders;

struct speaker {
    struct speaker_callbacks callbacks;
    void *ctx;
    struct bl_timer timer;
    struct outside *entry;
    struct folder *folder; /* NULL: it is a client */
    struct heard line;     /* a client gets whole lines */
    uint64_t looked;       /* the judge's keys up to this one are in a line, or were heard, */
    uint64_t given;        /* and up to this one it has them */
    uint64_t order;
    unsigned allowed;
    uint64_t next_us;
    bool there, begun, started, closed;
    bool anew; /* as speaker_options has it */
};

static struct outside *find(const void *box, bool spare)
{
    struct machine *m = process_current->machine;
    for (struct outside *o = outsiders; o && !spare; o = o->next)
        if (o->machine == m && o->box == box)
            return o;
    struct outside *o = calloc(1, sizeof *o);
    o->machine = m;
    o->box = box;
    o->dice = world_dice(2000 + world_roll(1u << 20));
    o->next = outsiders;
    return outsiders = o;
}

static struct folder *find_folder(bool spare)
{
    struct machine *m = process_current->machine;
    struct folder *f = folders;
    while (f && f->machine != m)
        f = f->next;
    if (!f) {
        f = calloc(1, sizeof *f);
        f->machine = m;
        f->next = folders;
        folders = f;
    }
    if (spare)
        f->session[0] = '\0';
    return f;
}

static void set_timer(struct speaker *s)
{
    bool types = s->begun && s->allowed && s->entry->from != s->entry->to;
    if (!s->closed)
        bl_timer_set(&s->timer, !s->there || types ? s->next_us : BL_NEVER);
}

/* The judge's keys that it has not got reach it. */
static void hear(struct speaker *s)
{
    struct outside *e = s->entry;
    char answer[ANSWER_MOST];
    if (!s->there || !s->begun || (!s->folder && !s->started))
        return;
    while (s->looked < s->order) {
        enum party party = PARTY_JUDGE;
        uint32_t point = s->callbacks.placed(s->ctx, ++s->looked, &party);
        if (s->folder)
            s->folder->given = s->given = s->looked;
        if (party != PARTY_JUDGE || !heard_key(s->folder ? &e->judge : &s->line, point, answer))
            continue;
        s->given = s->looked;
        if (e->from == e->to)
            s->next_us = bl_mono_us() + SECOND / 4 + dice_below(&e->dice, SECOND);
        for (const char *at = answer; *at && e->to < OUT_MOST; at++)
            e->out[e->to++] = *at;
    }
    set_timer(s);
}

static void type(struct speaker *s)
{
    struct outside *e = s->entry;
    uint32_t point = (unsigned char)e->out[e->from];
    if (point == '\n')
        point = KEY_RETURN;
    if (world_watcher.entry_typed)
        world_watcher.entry_typed(world_watcher.ctx, process_current, point);
    s->allowed--;
    if (s->callbacks.key(s->ctx, point, bl_mono_us()) == HANDED_BACK)
        s->allowed = 0;
    else
        e->from++;
}

static void on_timer(struct bl_timer *timer)
{
    struct speaker *s = timer->data;
    if (!s->there) {
        s->there = true;
        s->callbacks.event(s->ctx, SPEAKER_IS_THERE, 0, "it is there");
        hear(s);
    } else if (s->begun && s->allowed && s->entry->from != s->entry->to) {
        type(s);
    }
    s->next_us = bl_mono_us() + 30000 + dice_below(&s->entry->dice, 60000);
    set_timer(s);
}

enum bl_status speaker_open(struct speaker **out, uv_loop_t *loop,
                            const struct speaker_options *options,
                            const struct speaker_callbacks *callbacks, void *ctx,
                            struct bl_diag *diag)
{
    (void)diag;
    *out = NULL;
    if (entry_kinds[options->entry->kind].reach != KIND_REACHES_US)
        return BL_OK;
    char path[PATH_MAX];
    bool spare = journal_find(options->state_dir, PARTY_ENTITY, NULL, path, NULL) != BL_OK;
    struct speaker *s = calloc(1, sizeof *s);
    s->callbacks = *callbacks;
    s->ctx = ctx;
    s->anew = options->anew;
    s->entry = find(options->program ? entry_box(options->program) : NULL, spare);
    if (!entry_kinds[options->entry->kind].registers)
        s->folder = find_folder(spare);
    bl_timer_init(loop, &s->timer, on_timer, s);
    s->next_us = bl_mono_us() + READY_US;
    set_timer(s);
    *out = s;
    return BL_OK;
}

void speaker_session(struct speaker *s, const char *session, unsigned round, uint64_t given)
{
    (void)round;
    s->begun = true;
    s->started = false;
    s->order = 0;
    s->given = given;
    if (s->folder && strcmp(s->folder->session, session) == 0 && !s->anew)
        s->given = s->folder->given;
    if (s->folder)
        snprintf(s->folder->session, sizeof s->folder->session, "%s", session);
    s->anew = false;
    s->looked = s->given;
    s->line.length = 0;
}

void speaker_leave(struct speaker *s)
{
    s->begun = false;
}

void speaker_start(struct speaker *s)
{
    s->started = true;
    hear(s);
}

void speaker_end(struct speaker *s)
{
    s->entry->from = s->entry->to;
}

void speaker_run(struct speaker *s, unsigned allowed, bool carries, uint64_t order)
{
    (void)carries;
    s->allowed = allowed;
    s->order = order;
    hear(s);
    set_timer(s);
}

uint64_t speaker_given(const struct speaker *s)
{
    enum party party;
    if (!s->folder)
        return s->given;
    bool whole = s->given && s->given == s->order &&
                 s->callbacks.placed(s->ctx, s->given, &party) == KEY_RETURN;
    return whole ? s->given : 0;
}

bool speaker_sent(const struct speaker *s)
{
    (void)s;
    return true;
}

void speaker_reads_from_now(struct speaker *s)
{
    (void)s;
}

bool speaker_watches(const struct speaker *s)
{
    return s->folder;
}

bool speaker_scans(const struct speaker *s)
{
    (void)s;
    return false;
}

static void on_closed(struct bl_timer *timer)
{
    free(timer->data);
}

void speaker_close(struct speaker *s)
{
    if (!s || s->closed)
        return;
    s->closed = true;
    bl_timer_close(&s->timer, on_closed);
}

void speakers_end(void)
{
    for (struct outside *o = outsiders, *next; o; o = next) {
        next = o->next;
        free(o);
    }
    for (struct folder *f = folders, *next; f; f = next) {
        next = f->next;
        free(f);
    }
    outsiders = NULL;
    folders = NULL;
}
