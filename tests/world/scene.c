#include "scene.h"

#include "base/utf8.h"
#include "controller.h"
#include "link/secret.h"
#include "oracles.h"
#include "session/notice.h"
#include "session/style.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AWHILE_US  (4200 * SECOND) /* for what must come by itself, at the latest after an hour */
#define RESTART_US (2 * SECOND)    /* who ends with a fault is started again, as by systemd */
#define LOOK_US    (SECOND / 2)    /* a person looks at the screen so often, */
#define ACT_US     (3 * SECOND)    /* and does what it asks for so much later */
#define QUEUE      4096            /* keys that a person means to type */

static const char *const names[PLACES] = {"judge", "left", "right"};

/* A person at a screen. */
struct person {
    uint32_t point[QUEUE];
    unsigned from, to;
    bool awaited;      /* the next key's event is on its way */
    uint64_t asked_us; /* since when the screen has asked for an act; 0: it does not */
};

static unsigned roll(struct station *st, unsigned below)
{
    return (unsigned)dice_below(&st->dice, below);
}

/* The terminals, and who starts them again. */

static int judge_main(void *arg)
{
    const struct station *st = arg;
    struct bl_diag diag = {""};
    enum bl_status status = judge_booth_run(&st->scene->judge, &diag);
    if (status)
        world_log(names[JUDGE], "%s", diag.text);
    return (int)status;
}

static int entity_main(void *arg)
{
    const struct station *st = arg;
    unsigned side = (unsigned)(st - st->scene->station) - LEFT;
    struct bl_diag diag = {""};
    enum bl_status status = entity_booth_run(&st->scene->entity[side], &diag);
    if (status)
        world_log(names[LEFT + side], "%s", diag.text);
    return (int)status;
}

static void start(void *ctx)
{
    struct station *st = ctx;
    st->off = false;
    if (st == &st->scene->station[LEFT] && st->scene->setup.left)
        st->process = machine_program(st->machine, st->scene->setup.left);
    else
        st->process = machine_run(st->machine,
                                  st == &st->scene->station[JUDGE] ? judge_main : entity_main, st);
}

static bool has_ended(const struct station *st)
{
    return st->process && !st->off && !process_lives(st->process);
}

static void start_later(struct station *st, uint64_t off_us)
{
    st->off = true;
    world_at(world_now() + off_us, start, st);
}

/* The person. */

static void on_type(void *ctx)
{
    struct station *st = ctx;
    struct person *person = st->person;
    person->awaited = person->from != person->to;
    if (!person->awaited)
        return;
    if (person_sees(st->process))
        person_press(st->process, person->point[person->from++ % QUEUE]);
    world_at(world_now() + 60000 + roll(st, 120000), on_type, st);
}

void scene_type(struct scene *s, enum place place, const char *text)
{
    struct station *st = &s->station[place];
    struct person *person = st->person;
    for (const uint8_t *at = (const uint8_t *)text; *at;) {
        uint32_t point;
        size_t n = utf8_decode(at, strlen((const char *)at), &point);
        if (n == 0 || person->to - person->from == QUEUE)
            world_die("\"%s\" cannot be typed", text);
        person->point[person->to++ % QUEUE] = point == '\n' ? KEY_RETURN : point;
        at += n;
    }
    if (!person->awaited)
        world_at(world_now() + 1000, on_type, st);
    person->awaited = true;
}

/* The text of a typist: words, lines, second thoughts, and what keyboards elsewhere have. */
static uint32_t draw_key(struct station *st)
{
    static const uint32_t rare[] = {0xE9, 0xDF, 0x416, 0x4E2D, 0x301, 0x1F600, KEY_TAB};
    static const char common[] = "etaoin shrdlu cmfwyp vbgkqjxz ETA,.?'";
    switch (roll(st, 40)) {
    case 0:
        return KEY_RETURN;
    case 1:
    case 2:
        return KEY_BACKSPACE;
    case 3:
        return rare[roll(st, sizeof rare / sizeof *rare)];
    default:
        return (uint8_t)common[roll(st, sizeof common - 1)];
    }
}

/* With F9 an attendant at an entity's end would say that the session is over, which none does
 * without a look. */
static bool says_over(const struct station *st)
{
    return st != &st->scene->station[JUDGE] && person_sees(st->process)->may_begin;
}

static void on_typist(void *ctx)
{
    struct station *st = ctx;
    struct scene *s = st->scene;
    unsigned mean_ms = s->setup.typing_ms ? s->setup.typing_ms : 200;
    /* Drawn whether or not a screen is there, so that later keys do not depend on it. */
    unsigned pause_ms = 1 + roll(st, 2 * mean_ms);
    unsigned keys = roll(st, 40) ? 1 : 1 + roll(st, 60); /* a paste, now and then */
    unsigned habit = roll(st, 400);
    bool sees = person_sees(st->process);
    for (unsigned i = 0; i < keys; i++) {
        uint32_t point = draw_key(st);
        if (sees)
            person_press(st->process, point);
    }
    if (sees && st == &s->station[JUDGE] && habit < 8)
        person_command(st->process, SCREEN_OTHER_SIDE);
    else if (sees && habit == 8)
        person_command(st->process, SCREEN_STEWARD);
    else if (sees && habit == 9 && !says_over(st))
        person_command(st->process, SCREEN_BEGIN);
    if (roll(st, 60) == 0)
        pause_ms += roll(st, 4000); /* thinks */
    world_at(world_now() + pause_ms * 1000, on_typist, st);
}

/* The act that a screen asks for, as an attendant or a steward does it. */
static bool asked_for(const struct station *st, const struct screen_model *model,
                      enum screen_command *act)
{
    const struct station *judge = &st->scene->station[JUDGE];
    *act = model->may_epoch ? SCREEN_EPOCH : SCREEN_BEGIN;
    if (st->scene->setup.by_hand)
        return false;
    if (st == judge && st->scene->controller && controller_asks(st->scene->controller, model))
        return true;
    if (st == judge)
        return model->may_epoch || (model->may_begin && st->scene->setup.begin_by_key);
    /* "Is the session over? Then press F9." */
    return model->may_begin && has_ended(judge) && process_status(judge->process) == 0;
}

static void on_look(void *ctx)
{
    struct station *st = ctx;
    struct person *person = st->person;
    const struct screen_model *model = person_sees(st->process);
    enum screen_command act;
    if (has_ended(st) && process_status(st->process) != 0)
        start_later(st, RESTART_US);
    if (!model || !asked_for(st, model, &act)) {
        person->asked_us = 0;
    } else if (!person->asked_us) {
        person->asked_us = world_now();
    } else if (world_now() >= person->asked_us + ACT_US) {
        world_log(names[st - st->scene->station],
                  act == SCREEN_EPOCH ? "a steward opens a new epoch" : "presses F9");
        person_command(st->process, act);
        person->asked_us = 0;
    }
    world_at(world_now() + LOOK_US, on_look, st);
}

/* The scene. */

void scene_key(const char *path, uint8_t number)
{
    const struct line_secret secret = {.secret = {number}, .seed = {number}};
    struct bl_diag diag;
    if (secret_store(&secret, path, &diag))
        world_die("%s", diag.text);
}

static void set_terminals(struct scene *s)
{
    struct bl_diag diag;
    snprintf(s->plan, sizeof s->plan, "%s", s->setup.plan ? s->setup.plan : "20 both");
    if (plan_parse(&s->judge.plan, s->plan, &diag))
        world_die("%s", diag.text);
    style_begin(&s->judge.style, s->setup.style, SIDES);
    s->judge.starts = s->setup.starts;
    s->judge.begin_by_key = s->setup.begin_by_key;
    s->judge.booth = (struct booth_options){
        .journal_dir = machine_folder(s->station[JUDGE].machine), .session = "s", .day = true};
    for (unsigned side = 0; side < SIDES; side++) {
        for (unsigned end = 0; end < 2; end++) {
            char *port = s->port[2 * side + end];
            snprintf(port, sizeof s->port[0], "%s@%u", cable_port(s->cable[side], end),
                     s->setup.baud ? s->setup.baud : 115200);
        }
        s->judge.port[side] = s->port[2 * side];
        s->entity[side].port = s->port[2 * side + 1];
        s->entity[side].booth =
            (struct booth_options){.journal_dir = machine_folder(s->station[LEFT + side].machine),
                                   .session = "s",
                                   .day = true};
    }
    if (!s->setup.secret)
        return;
    scene_key(SCENE_KEY, 1);
    s->judge.booth.key_file = s->entity[SIDE_LEFT].booth.key_file = SCENE_KEY;
    s->entity[SIDE_RIGHT].booth.key_file = SCENE_KEY;
}

struct scene *scene_begin(const struct scene_setup *setup)
{
    struct scene *s = calloc(1, sizeof *s);
    s->setup = *setup;
    world_begin(setup->seed);
    for (unsigned i = 0; i < PLACES; i++) {
        s->station[i].scene = s;
        s->station[i].machine = machine_create(names[i]);
        s->station[i].dice = world_dice(10 + i);
        s->station[i].person = calloc(1, sizeof(struct person));
    }
    for (unsigned side = 0; side < SIDES; side++)
        s->cable[side] = cable_create(names[LEFT + side], s->station[JUDGE].machine,
                                      s->station[LEFT + side].machine);
    set_terminals(s);
    s->oracle = oracle_create(s);
    if (setup->controller)
        s->controller = controller_create(s);
    for (unsigned i = 0; i < PLACES; i++) {
        struct station *st = &s->station[i];
        world_at(world_roll(SECOND), start, st);
        world_at(LOOK_US, on_look, st);
        if (setup->typists)
            world_at(SECOND, on_typist, st);
    }
    return s;
}

void scene_pass(struct scene *s, uint64_t us)
{
    (void)s;
    world_run(world_now() + us);
}

bool scene_wait(struct scene *s, bool (*holds)(struct scene *scene))
{
    uint64_t until_us = world_now() + AWHILE_US;
    while (world_now() < until_us) {
        if (oracle_found(s->oracle) || holds(s))
            return true;
        world_run(world_now() + 20000);
    }
    return false;
}

bool scene_reads(struct scene *s, enum place place, const char *text)
{
    static const struct view view = {.met = {true, true}};
    const struct screen_model *model = person_sees(s->station[place].process);
    struct notice notice[NOTICES];
    unsigned count = model ? notice_list(model, &view, notice) : 0;
    if (!model)
        return false;
    for (unsigned i = 0; i < count; i++)
        if (strstr(notice[i].text, text))
            return true;
    for (unsigned side = 0; side < model->sides; side++)
        if (strstr(model->side[side].state, text))
            return true;
    return (model->message && strstr(model->message, text)) || strstr(model->segment, text);
}

unsigned scene_notes(struct scene *s, enum place place, const char *text)
{
    unsigned count = 0;
    for (const char *at = oracle_notes(s->oracle, place); (at = strstr(at, text)); at++)
        count++;
    return count;
}

/* Until there is that text, on the screen or on record, or there is none. */
static bool wait_for(struct scene *s, enum place place, const char *text, bool on_record, bool is)
{
    uint64_t until_us = world_now() + AWHILE_US;
    while (world_now() < until_us && !oracle_found(s->oracle)) {
        if (on_record ? scene_notes(s, place, text) > 0 : scene_reads(s, place, text) == is)
            return true;
        world_run(world_now() + 20000);
    }
    return false;
}

bool scene_will_read(struct scene *s, enum place place, const char *text)
{
    return wait_for(s, place, text, false, true);
}

bool scene_will_not_read(struct scene *s, enum place place, const char *text)
{
    return wait_for(s, place, text, false, false);
}

bool scene_will_note(struct scene *s, enum place place, const char *text)
{
    return wait_for(s, place, text, true, true);
}

void scene_command(struct scene *s, enum place place, enum screen_command command)
{
    person_command(s->station[place].process, command);
}

bool scene_is_open(struct scene *s)
{
    const struct screen_model *model = person_sees(s->station[JUDGE].process);
    for (unsigned side = 0; model && side < model->sides; side++)
        if (strcmp(model->side[side].state, "open") == 0)
            return true;
    return false;
}

bool scene_is_active(struct scene *s, enum side side)
{
    const struct screen_model *model = person_sees(s->station[JUDGE].process);
    return model && side < model->sides && model->side[side].active;
}

bool scene_is_quiet(struct scene *s)
{
    const struct screen_model *judge = person_sees(s->station[JUDGE].process);
    for (unsigned i = 0; i < PLACES; i++)
        if (s->station[i].person->from != s->station[i].person->to)
            return false;
    for (unsigned side = 0; side < SIDES; side++) {
        const struct screen_model *entity = person_sees(s->station[LEFT + side].process);
        if (!judge || !entity || judge->side[side].pending_count || entity->side[0].pending_count ||
            oracle_order(s->oracle, JUDGE, (enum side)side)->count !=
                oracle_order(s->oracle, LEFT + side, SIDE_LEFT)->count)
            return false;
    }
    return true;
}

bool scene_is_over(struct scene *s)
{
    for (unsigned i = 0; i < PLACES; i++)
        if (!has_ended(&s->station[i]) || process_status(s->station[i].process) != 0)
            return false;
    return true;
}

void scene_kill(struct scene *s, enum place place, uint64_t off_us)
{
    struct station *st = &s->station[place];
    if (st->off || !process_lives(st->process))
        return;
    st->kills++;
    process_kill(st->process);
    start_later(st, off_us);
}

void scene_cut_power(struct scene *s, enum place place, uint64_t off_us)
{
    struct station *st = &s->station[place];
    if (st->off || !process_lives(st->process))
        return;
    st->power_cuts++;
    machine_cut_power(st->machine);
    start_later(st, off_us);
}

void scene_start(struct scene *s, enum place place, uint64_t off_us)
{
    start_later(&s->station[place], off_us);
}

void scene_replace(struct scene *s, enum place place, uint64_t off_us)
{
    struct station *st = &s->station[place];
    st->power_cuts++;
    st->replaced = true;
    machine_replace(st->machine);
    start_later(st, off_us);
}

const char *scene_text(struct scene *s, enum place place, enum side side)
{
    static char text[8192];
    const struct order *order = oracle_order(s->oracle, place, place == JUDGE ? side : SIDE_LEFT);
    size_t length = 0;
    for (size_t i = 0; i < order->count && length + 8 < sizeof text; i++) {
        uint32_t point = order->key[i] & 0xFFFFFF;
        length += utf8_encode(point == KEY_RETURN ? '\n' : point, (uint8_t *)text + length);
    }
    text[length] = '\0';
    return text;
}

/* The session's end. */
static const char *judge(struct scene *s)
{
    static char found[400];
    if (!oracle_found(s->oracle))
        scene_wait(s, scene_is_over);
    const char *verdict = oracle_verdict(s->oracle);
    snprintf(found, sizeof found, "%s", verdict ? verdict : "");
    oracle_destroy(s->oracle);
    return found;
}

const char *scene_next(struct scene *s, const char *session)
{
    const char *found = judge(s);
    s->judge.booth.session = session;
    s->entity[SIDE_LEFT].booth.session = s->entity[SIDE_RIGHT].booth.session = session;
    s->oracle = oracle_create(s);
    if (s->controller)
        controller_next(s->controller);
    for (unsigned i = 0; i < PLACES; i++) {
        struct station *st = &s->station[i];
        st->kills = st->power_cuts = st->steps = 0;
        start_later(st, world_roll(SECOND));
    }
    return found;
}

const char *scene_end(struct scene *s)
{
    const char *found = judge(s);
    world_end();
    controller_destroy(s->controller);
    for (unsigned i = 0; i < PLACES; i++)
        free(s->station[i].person);
    free(s);
    return found;
}
