/* Checks the line between the two ends of a communications program: key by key, in both directions,
 * and the effect of faults. Source: 2004 A6a, A6b. */
#include "validate/comms_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEYS_MAX 200
#define HELD_MS  2000 /* a key that takes longer is held back */
#define AGAIN_MS 1000 /* interval at which a lost key is typed again after a fault */
#define SLACK    5    /* allowed multiple of our own timers' lateness, added to the limit */
#define NOISE    512  /* bytes of noise */
#define FRAMES   32   /* frames of noise on a hub */

/* Keys that rarely occur in a label on a screen. */
static const char alphabet[] = "bkpqvwxz2345679";

struct arrival {
    struct validate *v;
    uint32_t point;
    bool came;
    uint64_t at_us;
};

static void on_put(void *ctx, uint32_t point, unsigned row, unsigned column)
{
    struct arrival *a = ctx;
    (void)row;
    (void)column;
    if (point != a->point || a->came)
        return;
    a->came = true;
    a->at_us = scene_now_us();
}

static const struct emulator_callbacks put_callbacks = {.put = on_put};

static bool has_come(void *ctx)
{
    const struct arrival *a = ctx;
    const struct scene *scene = a->v->scene;
    return a->came || actor_is_over(scene_actor(scene, PART_JUDGE), NULL) ||
           actor_is_over(scene_actor(scene, PART_ENTITY), NULL);
}

static enum scene_part other(enum scene_part part)
{
    return part == PART_JUDGE ? PART_ENTITY : PART_JUDGE;
}

static const char *typist(enum scene_part part)
{
    return part == PART_JUDGE ? "the judge" : "the confederate";
}

/* Waits until a key pressed at one end appears at the other. */
static bool arrive(struct validate *v, struct arrival *a, enum scene_part from, unsigned ms)
{
    static const struct emulator_callbacks nothing = {NULL, NULL, NULL};
    struct actor *to = scene_actor(v->scene, other(from));
    bool came;
    actor_listen(to, &put_callbacks, a);
    came = scene_run(v->scene, ms, has_come, a) && a->came;
    actor_listen(to, &nothing, NULL); /* the callbacks' context is on the caller's stack */
    return came;
}

static bool key_cross(struct validate *v, struct arrival *a, enum scene_part from, uint32_t point,
                      unsigned ms)
{
    *a = (struct arrival){.v = v, .point = point};
    actor_press(scene_actor(v->scene, from), point);
    return arrive(v, a, from, ms);
}

static uint32_t key_choose(const struct validate *v, unsigned n)
{
    /* Never the same key twice in a row: a screen could not show the difference. */
    unsigned count = sizeof alphabet - 1;
    return (uint32_t)
        alphabet[(validate_random(v, 0, count) + n * (1 + validate_random(v, 1, 6))) % count];
}

static bool both_rest(void *ctx)
{
    const struct scene *scene = ctx;
    return actor_rests(scene_actor(scene, PART_JUDGE), 100) &&
           actor_rests(scene_actor(scene, PART_ENTITY), 100);
}

static void line_end(struct validate *v, enum scene_part part)
{
    actor_press(scene_actor(v->scene, part), '\r');
    scene_run(v->scene, 1000, both_rest, v->scene);
}

void comms_separate(struct validate *v, struct finding *f)
{
    struct arrival a;
    unsigned long long sent;
    if (!comms_begin(v))
        return;
    bool came = key_cross(v, &a, PART_JUDGE, key_choose(v, 0), HELD_MS);
    if (!came &&
        !comms_ended(v)) { /* a line may arrive without a key's echo, which comms.keys reports */
        actor_press(scene_actor(v->scene, PART_JUDGE), '\r');
        came = arrive(v, &a, PART_JUDGE, v->options->answer_ms);
    }
    sent = (unsigned long long)scene_line_sent(scene_line(v->scene), LINE_JUDGE);
    if (came && sent > 0) {
        finding_pass(f, "each end runs on its own; the judge's key comes over the %s",
                     v->options->cable == CABLE_ETHERNET ? "hub" : "cable");
    } else if (!comms_ended(v)) {
        finding_broken(f, "with nothing but the %s between them the ends do not reach each other",
                       v->options->cable == CABLE_ETHERNET ? "hub" : "cable");
        finding_expected(f, "the judge's key shows at the entity's end");
        if (sent)
            finding_came(f, "%llu byte%s on the line, and the key does not show", sent, BL_S(sent));
        else
            finding_came(f, "nothing was sent on the line");
        comms_show(v, PART_JUDGE);
        comms_show(v, PART_ENTITY);
    }
    comms_end(v);
}

static int order(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return x < y ? -1 : x > y;
}

/* Reports a late key, and whether the key comes with the line's Return. */
static void held_tell(struct validate *v, enum scene_part from, struct arrival *a, unsigned rate)
{
    struct finding *f = v->finding;
    const char *when = "and it has not come with a Return either";
    if (comms_ended(v))
        return;
    actor_press(scene_actor(v->scene, from), '\r');
    if (arrive(v, a, from, HELD_MS))
        when = "it came with the Return: an end sends or shows whole lines";
    finding_broken(f, "a key of %s does not come before the next is pressed", typist(from));
    finding_expected(f, "'%c' shows at the other end before another key, at %u a second",
                     (char)a->point, rate);
    finding_came(f, "nothing for %u s; %s", HELD_MS / 1000, when);
    comms_show(v, from);
    comms_show(v, other(from));
}

/* Types at one rate. False if the finding is filled in. */
static bool rate_type(struct validate *v, enum scene_part from, unsigned rate, unsigned *typed,
                      unsigned *median_us)
{
    unsigned took[KEYS_MAX] = {0}, gap_us = 1000000u / rate, count = v->options->keys;
    unsigned late = count / 4 > 1 ? count / 4 : count > 1;
    for (unsigned i = 0; i < count; i++) {
        struct arrival a;
        uint64_t pressed_us = scene_now_us(), gone_us;
        if (!key_cross(v, &a, from, key_choose(v, (*typed)++), HELD_MS)) {
            held_tell(v, from, &a, rate);
            return false;
        }
        took[i] = (unsigned)(a.at_us - pressed_us);
        gone_us = scene_now_us() - pressed_us;
        if (gone_us < gap_us)
            scene_run(v->scene, (unsigned)(gap_us - gone_us) / 1000, NULL, NULL);
    }
    qsort(took, count, sizeof took[0], order);
    *median_us = took[count / 2];
    /* On a busy machine one key in four may be late. */
    if (took[count - 1 - late] <= gap_us + SLACK * scene_late_us(v->scene))
        return true;
    finding_broken(v->finding, "keys of %s come after the next is pressed, at %u a second",
                   typist(from), rate);
    finding_expected(v->finding, "a key is at the other end within %u ms", gap_us / 1000);
    finding_came(v->finding, "%u of %u key%s after %u ms or more", late + 1, count, BL_S(count),
                 took[count - 1 - late] / 1000);
    return false;
}

static void rates_type(struct validate *v, struct finding *f, enum scene_part from)
{
    const char *at = v->options->rates;
    unsigned typed = 0, rate = 0, median_us = 0;
    while (*at) {
        rate = (unsigned)strtoul(at, NULL, 10);
        if (!rate_type(v, from, rate, &typed, &median_us))
            return;
        at += strcspn(at, ",");
        at += *at == ',';
    }
    finding_pass(f, "%u key%s of %s, up to %u a second, each before the next; median %u.%u ms",
                 typed, BL_S(typed), typist(from), rate, median_us / 1000, median_us / 100 % 10);
}

void comms_keys(struct validate *v, struct finding *f)
{
    if (!comms_begin(v))
        return;
    rates_type(v, f, PART_JUDGE);
    comms_end(v);
}

void comms_both(struct validate *v, struct finding *f)
{
    struct arrival a;
    if (!comms_begin(v))
        return;
    /* In some programs the judge must begin. */
    key_cross(v, &a, PART_JUDGE, key_choose(v, KEYS_MAX), HELD_MS);
    line_end(v, PART_JUDGE);
    rates_type(v, f, PART_ENTITY);
    comms_end(v);
}

/* Sends a key each way, and further keys until one arrives. False if the finding is filled in. */
static bool exchange(struct validate *v, const char *when)
{
    static const enum scene_part both[] = {PART_JUDGE, PART_ENTITY};
    struct finding *f = v->finding;
    for (unsigned i = 0; i < 2; i++) {
        uint64_t end_us = scene_now_us() + (uint64_t)v->options->answer_ms * 1000;
        struct arrival a = {.came = false};
        for (unsigned n = 0; !a.came && scene_now_us() < end_us && !comms_ended(v); n++)
            key_cross(v, &a, both[i], key_choose(v, n), AGAIN_MS);
        if (comms_ended(v))
            return false;
        if (!a.came) {
            finding_broken(f, "%s no key of %s arrives", when, typist(both[i]));
            finding_expected(f, "the keys go on within %u s", v->options->answer_ms / 1000);
            finding_came(f, "none of those typed since");
            comms_show(v, other(both[i]));
            return false;
        }
        line_end(v, both[i]);
    }
    return true;
}

static bool fault_begin(struct validate *v)
{
    return comms_begin(v) && exchange(v, "before anything has happened");
}

void fault_cable(struct validate *v, struct finding *f)
{
    unsigned ms = v->options->outage_ms;
    if (fault_begin(v)) {
        scene_line_plug(scene_line(v->scene), false);
        scene_run(v->scene, ms, NULL, NULL);
        scene_line_plug(scene_line(v->scene), true);
        if (!comms_ended(v) && exchange(v, "after the cable was out and in again"))
            finding_pass(f, "goes on after %u.%u s without the cable", ms / 1000, ms / 100 % 10);
    }
    comms_end(v);
}

static bool is_ready(void *ctx)
{
    return actor_is_over(ctx, NULL) || actor_ready(ctx);
}

static void restart(struct validate *v, struct finding *f, enum scene_part part)
{
    char when[60];
    snprintf(when, sizeof when, "after a restart of %s", comms_name(part));
    if (fault_begin(v) && comms_again(v, part)) {
        scene_run(v->scene, v->options->start_ms, is_ready, scene_actor(v->scene, part));
        if (!comms_ended(v) && exchange(v, when))
            finding_pass(f, "goes on when %s was killed and started again", comms_name(part));
    }
    comms_end(v);
}

void fault_restart_judge(struct validate *v, struct finding *f)
{
    restart(v, f, PART_JUDGE);
}

void fault_restart_entity(struct validate *v, struct finding *f)
{
    restart(v, f, PART_ENTITY);
}

void fault_garbage(struct validate *v, struct finding *f)
{
    bool hub = v->options->cable == CABLE_ETHERNET;
    unsigned count = hub ? FRAMES : NOISE;
    if (fault_begin(v)) {
        scene_line_noise(scene_line(v->scene), v->options->seed, count);
        scene_run(v->scene, 2000, both_rest, v->scene);
        if (!comms_ended(v) && exchange(v, "after noise on the line"))
            finding_pass(f, "goes on after %u %s of noise at each end", count,
                         hub ? "frames" : "bytes");
    }
    comms_end(v);
}
