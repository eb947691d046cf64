/* The oracles look at the records as they grow, at what is drawn, and at the end at the whole. Each
 * end's order is known at any moment: it grows with each append, and after a power cut it is read
 * anew from the file. DESIGN.md, "Session" and "End of a segment", has the promises. */
#include "oracles.h"

#include "controller.h"

#include "journal/journal.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WRONG_MAX  400
#define SURE_US    (SECOND / 5) /* for which a side must have been shown as the active one */
#define LIVE_US    (8 * SECOND) /* within which a key has its place where the line carries keys */
#define DRAWS_EACH 8            /* each so manieth drawing's page is compared */
/* An entity's end is told the time again when it is off by 200 ms, on a bad line later. */
#define TIME_OFF_US  (SECOND / 2)
#define TIME_LATE_US (2 * SECOND) /* for which it may be off */
#define CLOCK_OFF_US 2000 /* a machine's clock is off by 50 millionths at most: in a part of 40 s */
#define GONE_MAX     32768
#define NOTES_MAX    16384 /* bytes of a machine's notes that are kept for tests */

/* One end of one line. */
struct side_record {
    struct order order;
    size_t room;
    struct page *page; /* of that order */
    uint32_t epoch, generation;
    enum segment_state segment;
    unsigned index, segments;               /* records of a segment */
    uint64_t remaining_us, remaining_at_us; /* by the latest record of it, and when that was made */
    enum close_outcome outcome;
    uint32_t closed; /* the generation that it is of */
    bool differs;
    uint64_t pressed, unplaced; /* at an entity's end */
    bool gone[GONE_MAX];        /* key k is: BackSpace leaves one range within another */
    uint64_t refused;
    uint64_t fetched; /* keys that the judge's end takes back next, by its note on them */
    size_t found; /* of what its person typed, so much was found in its record of pressed keys */
};

/* What a person has typed into a terminal. */
struct typed {
    uint32_t *point;
    uint8_t *side; /* to which, as his screen showed it: enum side; SIDES: it had just changed */
    size_t count, room;
};

struct oracle {
    struct scene *scene;
    struct side_record judge[SIDES], entity[SIDES];
    struct order placed[SIDES]; /* all that ever had its place at the judge's end, as it was last */
    size_t placed_room[SIDES];
    struct typed typed[PLACES];
    unsigned last_side, last_index; /* of the judge's latest key on record; SIDES: there is none */
    /* The one that a start has by that, and of which part; SIDES: it was seen. */
    unsigned first_side, first_index;
    struct {
        char segment[48];
        uint64_t remaining_us, drawn_us; /* and when that was */
        bool may_grow;                   /* once, at an entity's end: the judge's has come back */
        uint64_t
            off_us; /* since when an entity's screen has another time than the judge's; 0: it has
                            not */
        unsigned active;
        uint64_t active_us; /* since when */
        uint64_t waits_us;  /* since when keys wait though the line carries them; 0: they do not */
        size_t placed;      /* keys in their places then */
    } shown[PLACES];
    unsigned draws;
    struct side_record *reading; /* a record is read again; nothing is judged */
    unsigned reading_place;
    char notes[PLACES][NOTES_MAX];
    char wrong[WRONG_MAX];
};

#define wrong(...) oracle_wrong(__VA_ARGS__)

void oracle_wrong(struct oracle *o, const char *name, const char *format, ...)
{
    va_list args;
    if (o->wrong[0])
        return;
    va_start(args, format);
    int n = snprintf(o->wrong, sizeof o->wrong, "%s: ", name);
    vsnprintf(o->wrong + n, sizeof o->wrong - (size_t)n, format, args);
    va_end(args);
    world_log("ORACLE", "%s", o->wrong);
}

static unsigned place_of(const struct oracle *o, const struct machine *machine)
{
    for (unsigned i = 0; i < PLACES; i++)
        if (o->scene->station[i].machine == machine)
            return i;
    return PLACES;
}

static void put(struct order *order, size_t *room, size_t at, uint32_t key)
{
    if (at >= *room) {
        *room = 2 * at + 256;
        order->key = realloc(order->key, *room * sizeof *order->key);
    }
    order->key[at] = key;
    order->count = at + 1;
}

static void add_key(struct side_record *r, uint32_t point, enum party party, uint64_t us)
{
    const struct key_event event = {us, point, (uint8_t)party};
    put(&r->order, &r->room, r->order.count, point | (uint32_t)party << 24);
    page_apply(r->page, &event);
}

static void empty(struct side_record *r)
{
    r->order.count = 0;
    page_clear(r->page);
}

static unsigned plan_index(const struct oracle *o)
{
    unsigned left = o->judge[SIDE_LEFT].index, right = o->judge[SIDE_RIGHT].index;
    return left > right ? left : right;
}

/* Keys that get their places at the judge's end. */
static void judge_keys(struct oracle *o, unsigned side, const struct journal_record *record)
{
    struct side_record *r = &o->judge[side], *e = &o->entity[side];
    const struct key_run *run = &record->as.keys.run;
    uint64_t first = record->as.keys.first;
    r->epoch = record->as.keys.epoch;
    if (first != r->order.count + 1) {
        wrong(o, "order", "%s: the judge's record goes on from key %zu with key %llu",
              oracle_side(side), r->order.count, (unsigned long long)first);
        return;
    }
    bool fetched = r->fetched >= run->count;
    r->fetched -= fetched ? run->count : r->fetched;
    if (!o->reading && r->segment != SEGMENT_OPEN && !fetched)
        wrong(o, "outside", "%s: key %llu has its place in a segment that is not open (%d)",
              oracle_side(side), (unsigned long long)first, (int)r->segment);
    if (record->as.keys.party == PARTY_JUDGE) {
        o->last_side = side;
        o->last_index = plan_index(o);
    }
    /* "closing is announced 500 ms before the cut. From then on the judge's end places nothing":
     * where the host counts, by its record; a controller tells when that is. */
    uint64_t spent_us = world_now() - r->remaining_at_us + PLAN_NOTICE_US;
    if (!o->reading && !fetched && !o->scene->setup.controller && spent_us > r->remaining_us &&
        spent_us - r->remaining_us > CLOCK_OFF_US)
        wrong(o, "outside", "%s: key %llu has its place %llu us after its part had to close",
              oracle_side(side), (unsigned long long)first,
              (unsigned long long)(spent_us - r->remaining_us));
    for (size_t i = 0; i < run->count; i++) {
        size_t at = r->order.count;
        uint32_t key = run->point[i] | (uint32_t)record->as.keys.party << 24;
        if (!o->reading && at < e->order.count && e->epoch == r->epoch && !e->differs &&
            !r->differs && e->order.key[at] != key)
            wrong(o, "lost", "%s: key %zu is placed anew, and the entity's end has another there",
                  oracle_side(side), at + 1);
        if (!o->reading && fetched &&
            (at >= o->placed[side].count || o->placed[side].key[at] != key))
            wrong(o, "lost", "%s: key %zu is taken back, and was never placed", oracle_side(side),
                  at + 1);
        add_key(r, run->point[i], record->as.keys.party, record->wall_us);
        if (!o->reading && (at >= o->placed[side].count || o->placed[side].key[at] != key))
            put(&o->placed[side], &o->placed_room[side], at, key);
    }
}

/* Keys that come to the entity's end with their places. */
static void entity_keys(struct oracle *o, unsigned side, const struct journal_record *record)
{
    struct side_record *r = &o->entity[side];
    const struct key_run *run = &record->as.keys.run;
    uint64_t first = record->as.keys.first;
    r->epoch = record->as.keys.epoch;
    if (first != r->order.count + 1) {
        wrong(o, "order", "%s: the entity's record goes on from key %zu with key %llu",
              oracle_side(side), r->order.count, (unsigned long long)first);
        return;
    }
    for (size_t i = 0; i < run->count; i++) {
        size_t at = r->order.count;
        uint32_t key = run->point[i] | (uint32_t)record->as.keys.party << 24;
        if (!o->reading && (at >= o->placed[side].count || o->placed[side].key[at] != key))
            wrong(o, "prefix", "%s: the entity's end has a key %zu that the judge's never placed",
                  oracle_side(side), at + 1);
        add_key(r, run->point[i], record->as.keys.party, record->wall_us);
    }
}

/* Each key that is recorded as pressed was pressed by the person there, in that order. */
static void entity_pressed(struct oracle *o, unsigned side, const struct journal_record *record)
{
    struct side_record *r = &o->entity[side];
    const struct typed *typed = &o->typed[LEFT + side];
    const struct key_run *run = &record->as.pressed.run;
    uint64_t last = record->as.pressed.first + run->count - 1;
    if (last > r->pressed)
        r->pressed = last;
    for (size_t i = 0; i < run->count && !o->reading && record->wall_us; i++) {
        while (r->found < typed->count && typed->point[r->found] != run->point[i])
            r->found++;
        if (r->found++ >= typed->count)
            wrong(o, "typed", "%s: key %llu is on record as pressed, and nobody pressed it",
                  oracle_side(side), (unsigned long long)record->as.pressed.first + i);
    }
}

/* A segment opens only the lines of the plan, and no longer than it lasts. */
static void judge_segment(struct oracle *o, unsigned side, const struct journal_record *record)
{
    struct side_record *r = &o->judge[side];
    const struct plan *plan = &o->scene->judge.plan;
    unsigned index = record->as.segment.index;
    uint64_t left_us = record->as.segment.remaining_us;
    bool open = record->as.segment.state == SEGMENT_OPEN;
    /* A controller goes on by itself while the judge's end is away. */
    unsigned before = o->judge[!side].index > r->index ? o->judge[!side].index : r->index;
    if (!o->reading && !o->scene->controller && index > before + 1)
        wrong(o, "plan", "%s: after part %u comes part %u", oracle_side(side), before + 1,
              index + 1);
    uint64_t slack_us = o->scene->controller ? controller_slack_us(o->scene->controller, JUDGE) : 0;
    bool planned = open && plan->count; /* without a plan all is open, with no end */
    if (planned && (index >= plan->count || !plan->segment[index].open[side]))
        wrong(o, "outside", "%s: part %u opens a line that is not its own", oracle_side(side),
              index + 1);
    else if (planned && left_us > plan->segment[index].seconds * SECOND)
        wrong(o, "time", "%s: part %u has %llu us left, more than it lasts", oracle_side(side),
              index + 1, (unsigned long long)left_us);
    else if (!o->reading && open && r->segment == SEGMENT_OPEN &&
             record->as.segment.generation == r->generation && left_us > r->remaining_us + slack_us)
        wrong(o, "time", "%s: %llu us were left of part %u, now %llu", oracle_side(side),
              (unsigned long long)r->remaining_us, index + 1, (unsigned long long)left_us);
    r->remaining_us = left_us;
    r->remaining_at_us = world_now();
}

static void keep_note(struct oracle *o, unsigned place, const char *text)
{
    size_t length = strlen(o->notes[place]);
    snprintf(o->notes[place] + length, o->reading ? 0 : NOTES_MAX - length, "%s\n", text);
}

/* A steward must decide only where the judge's clock was set as well: what no seal covers is not
 * believed then. Pages of equal records never differ: no memory goes bad here. */
static void take_difference(struct oracle *o, unsigned side, struct side_record *r,
                            const char *text)
{
    bool spare = o->scene->station[JUDGE].replaced; /* it asks whether to take over */
    r->differs = !spare && strstr(text, "record");
    if (r->differs && !o->scene->station[JUDGE].steps && !o->reading)
        wrong(o, "steward", "%s: %s", oracle_side(side), text);
    if (!r->differs && !spare)
        wrong(o, "page", "%s: %s", oracle_side(side), text);
}

static void take_record(struct oracle *o, unsigned place, const struct journal_record *record)
{
    unsigned side = place == JUDGE ? record->side : place - LEFT;
    struct side_record *r = place == JUDGE ? &o->judge[side] : &o->entity[side];
    if (world_logs && !o->reading)
        oracle_log(place, record);
    switch (record->kind) {
    case JOURNAL_KEYS:
        (place == JUDGE ? judge_keys : entity_keys)(o, side, record);
        break;
    case JOURNAL_PRESSED:
        entity_pressed(o, side, record);
        break;
    case JOURNAL_UNPLACED:
        for (uint64_t k = record->as.unplaced.first; k <= record->as.unplaced.last; k++) {
            r->unplaced += !r->gone[k % GONE_MAX];
            r->gone[k % GONE_MAX] = true;
        }
        break;
    case JOURNAL_EPOCH:
        r->epoch = record->as.epoch.epoch;
        if (place != JUDGE)
            empty(r);
        break;
    case JOURNAL_SEGMENT:
        if (place == JUDGE)
            judge_segment(o, side, record);
        r->segments += !o->reading;
        r->generation = record->as.segment.generation;
        r->segment = record->as.segment.state;
        r->index = record->as.segment.index;
        break;
    case JOURNAL_START: /* the clock stood while this end was away */
        for (unsigned i = LEFT; i < PLACES && !o->reading; i++)
            o->shown[i].may_grow = true;
        break;
    case JOURNAL_CLOSE:
        r->outcome = record->as.close.outcome;
        r->closed = record->as.close.generation;
        break;
    case JOURNAL_NOTE:
        keep_note(o, place, record->as.note.text);
        if (record->as.note.code == NOTE_DIFFERENCE)
            take_difference(o, side, r, record->as.note.text);
        if (!o->reading &&
            (record->as.note.code == NOTE_REPAIR || record->as.note.code == NOTE_TAKEN))
            r->fetched = record->as.note.count;
        if (record->as.note.code == NOTE_RESTART && place == JUDGE && !o->reading) {
            o->first_side = o->last_side;
            o->first_index = o->last_index;
        }
        if (record->as.note.code == NOTE_REFUSED)
            r->refused += record->as.note.count;
        break;
    default:
        break;
    }
}

static void on_appended(void *ctx, struct machine *machine, const char *path, const uint8_t *bytes,
                        size_t length)
{
    static struct journal_scratch scratch;
    struct oracle *o = ctx;
    const char *end = strrchr(path, '.');
    struct journal_record record;
    if (!end || strcmp(end, ".journal") != 0 || place_of(o, machine) == PLACES)
        return;
    while (length > 0) {
        long n = journal_decode(bytes, length, &record, &scratch);
        if (n <= 0) {
            wrong(o, "record", "%s has bytes appended that are no record", path);
            return;
        }
        take_record(o, place_of(o, machine), &record);
        bytes += n;
        length -= (size_t)n;
    }
}

static void on_read(void *ctx, const struct journal_record *record)
{
    struct oracle *o = ctx;
    take_record(o, o->reading_place, record);
}

/* Reads a record as it is on the disk, in the place of what is known of it. report may be NULL. */
static void read_again(struct oracle *o, unsigned place, struct journal_report *report)
{
    char path[PATH_MAX];
    for (unsigned side = 0; side < SIDES; side++) {
        struct side_record *r = place == JUDGE ? &o->judge[side] : &o->entity[side];
        if (place != JUDGE && side != place - LEFT)
            continue;
        empty(r);
        r->pressed = r->unplaced = r->refused = r->fetched = 0;
        memset(r->gone, 0, sizeof r->gone);
        r->segment = SEGMENT_WAITING;
        r->generation = r->index = 0;
        o->reading = r;
    }
    if (place == JUDGE)
        o->last_side = SIDES;
    o->reading_place = place;
    journal_name(machine_folder(o->scene->station[place].machine), o->scene->judge.booth.session,
                 place == JUDGE ? PARTY_JUDGE : PARTY_ENTITY, path);
    journal_read(&disk_real, path, on_read, o, report, NULL);
    o->reading = NULL;
}

static void on_lost_power(void *ctx, struct machine *machine)
{
    struct oracle *o = ctx;
    unsigned place = place_of(o, machine);
    read_again(o, place, NULL);
    o->shown[place].segment[0] = '\0'; /* that a part had begun may be lost with it */
}

void oracle_read(struct oracle *o, enum place place)
{
    read_again(o, place, NULL);
}

static void on_commanded(void *ctx, struct process *process)
{
    struct oracle *o = ctx;
    if (place_of(o, process_machine(process)) == JUDGE)
        o->first_side = SIDES;
    o->shown[place_of(o, process_machine(process))].active_us =
        world_now(); /* it may have changed */
}

static void on_pressed(void *ctx, struct process *process, uint32_t point)
{
    struct oracle *o = ctx;
    struct typed *typed = &o->typed[place_of(o, process_machine(process))];
    unsigned place = place_of(o, process_machine(process));
    if (typed->count == typed->room) {
        typed->room = typed->room ? 2 * typed->room : 256;
        typed->point = realloc(typed->point, typed->room * sizeof *typed->point);
        typed->side = realloc(typed->side, typed->room);
    }
    /* "A segment opens [...]. The judge then types to the first side that is open in it": also
     * where his terminal awakes late, and his screen still has the part before. */
    bool over =
        world_now() - o->shown[place].drawn_us + CLOCK_OFF_US > o->shown[place].remaining_us;
    bool sure = place == JUDGE && !over && world_now() > o->shown[place].active_us + SURE_US;
    typed->side[typed->count] = (uint8_t)(sure ? o->shown[place].active : SIDES);
    typed->point[typed->count++] = point;
    world_mix(&point, sizeof point);
}

/* The time left never grows within a part. */
static void look_at_time(struct oracle *o, unsigned place, const struct screen_model *model)
{
    uint64_t off_us = o->scene->controller ? controller_slack_us(o->scene->controller, place) : 0;
    bool same = strcmp(o->shown[place].segment, model->segment) == 0 && model->segment[0];
    bool grows = same && model->remaining_us != UINT64_MAX &&
                 model->remaining_us > o->shown[place].remaining_us &&
                 model->remaining_us - o->shown[place].remaining_us > off_us;
    if (grows && !o->shown[place].may_grow && (place == JUDGE || o->scene->controller))
        wrong(o, "time", "the %s's screen showed %llu us left of \"%s\", now %llu",
              machine_name(o->scene->station[place].machine),
              (unsigned long long)o->shown[place].remaining_us, model->segment,
              (unsigned long long)model->remaining_us);
    if (grows)
        o->shown[place].may_grow = false;
    snprintf(o->shown[place].segment, sizeof o->shown[place].segment, "%s", model->segment);
    o->shown[place].remaining_us = model->remaining_us;
    o->shown[place].drawn_us = world_now();
}

/* An entity's end has the judge's time: what told it may have come late, and is told again then. */
static void look_at_difference(struct oracle *o, unsigned place, const struct screen_model *model)
{
    const struct screen_side *side = &model->side[0];
    const struct process *judge = o->scene->station[JUDGE].process;
    uint64_t ends_us = o->shown[JUDGE].drawn_us + o->shown[JUDGE].remaining_us;
    uint64_t shown_us = world_now() + model->remaining_us;
    bool runs = !o->scene->controller && process_lives(judge) && side->reach == REACH_YES &&
                strcmp(side->state, "open") == 0 && model->remaining_us != UINT64_MAX &&
                o->shown[JUDGE].remaining_us != UINT64_MAX &&
                strcmp(o->shown[JUDGE].segment, model->segment) == 0;
    if (!runs || (shown_us < ends_us + TIME_OFF_US && ends_us < shown_us + TIME_OFF_US))
        o->shown[place].off_us = 0;
    else if (!o->shown[place].off_us)
        o->shown[place].off_us = world_now();
    else if (world_now() > o->shown[place].off_us + TIME_LATE_US)
        wrong(o, "time", "the %s's screen shows %lld us left, and the judge's %lld",
              machine_name(o->scene->station[place].machine), (long long)model->remaining_us,
              (long long)(ends_us - world_now()));
}

/* A page that is shown is that of the keys on this machine's record. */
static void look_at_page(struct oracle *o, unsigned place, unsigned side, const struct page *page)
{
    const struct side_record *r = place == JUDGE ? &o->judge[side] : &o->entity[side];
    uint8_t shown[DIGEST_SIZE], recorded[DIGEST_SIZE];
    page_digest(page, shown);
    page_digest(r->page, recorded);
    if (memcmp(shown, recorded, DIGEST_SIZE) != 0)
        wrong(o, "page",
              "the %s's screen shows another page of the %s side than is on record, of "
              "%zu keys",
              machine_name(o->scene->station[place].machine), oracle_side(side), r->order.count);
}

/* Which side the judge types to, as he sees it. */
static void look_at_active(struct oracle *o, unsigned place, const struct screen_model *model)
{
    unsigned active = SIDES;
    for (unsigned i = 0; i < model->sides; i++)
        if (model->side[i].active)
            active = active == SIDES ? i : SIDES;
    /* "What is typed at a restarted judge's end goes to the side of the judge's latest key on
     * record in that segment" */
    bool first = active != SIDES && o->first_side != SIDES;
    if (first && o->first_index == plan_index(o) && active != o->first_side &&
        o->scene->judge.plan.segment[o->first_index].open[o->first_side])
        wrong(o, "side", "the judge's terminal starts at the %s side, and he typed on the other",
              oracle_side(active));
    if (first)
        o->first_side = SIDES;
    if (active != o->shown[place].active)
        o->shown[place].active_us = world_now();
    o->shown[place].active = active;
    if (active == SIDES)
        o->shown[place].active_us = UINT64_MAX / 2;
}

/* Keys do not wait for long where nothing is in their way. */
static void look_at_waiting(struct oracle *o, unsigned place, const struct screen_model *model)
{
    const struct screen_side *side = &model->side[0];
    const struct side_record *r = &o->entity[place - LEFT];
    bool waits =
        side->pending_count && side->reach == REACH_YES && strcmp(side->state, "open") == 0;
    if (!waits || r->order.count != o->shown[place].placed)
        o->shown[place].waits_us = 0;
    if (waits && !o->shown[place].waits_us)
        o->shown[place].waits_us = world_now();
    /* "Either end sees that the other cannot be reached": one that stood still does so only from
     * then on. */
    uint64_t stalled_us = machine_stalled_us(o->scene->station[place].machine);
    if (waits && o->shown[place].waits_us < stalled_us)
        o->shown[place].waits_us = stalled_us;
    if (waits && world_now() > o->shown[place].waits_us + LIVE_US)
        wrong(o, "live", "%s: %zu keys wait at the entity's end, and the line is open",
              oracle_side(place - LEFT), side->pending_count);
    o->shown[place].placed = r->order.count;
}

static void on_drawn(void *ctx, struct process *process, const struct screen_model *model)
{
    struct oracle *o = ctx;
    unsigned place = place_of(o, process_machine(process));
    look_at_time(o, place, model);
    if (place == JUDGE)
        look_at_active(o, place, model);
    else {
        look_at_waiting(o, place, model);
        look_at_difference(o, place, model);
    }
    if (++o->draws % DRAWS_EACH)
        return;
    for (unsigned i = 0; i < model->sides; i++)
        if (model->side[i].page && (place == JUDGE || o->entity[place - LEFT].generation))
            look_at_page(o, place, place == JUDGE ? i : place - LEFT, model->side[i].page);
}

static void on_failed(void *ctx, struct process *process, const char *line)
{
    wrong(ctx, "assert", "%s, %s", machine_name(process_machine(process)), line);
}

struct oracle *oracle_create(struct scene *scene)
{
    struct oracle *o = calloc(1, sizeof *o);
    o->scene = scene;
    o->last_side = o->first_side = SIDES;
    for (unsigned side = 0; side < SIDES; side++) {
        o->judge[side].page = page_create(&scene->judge.style);
        o->entity[side].page = page_create(&scene->judge.style);
    }
    world_watch(&(struct world_watch){.ctx = o,
                                      .appended = on_appended,
                                      .lost_power = on_lost_power,
                                      .drawn = on_drawn,
                                      .failed = on_failed,
                                      .commanded = on_commanded,
                                      .pressed = on_pressed,
                                      .entry_typed = on_pressed});
    return o;
}

/* The end. */

static void ask_end(struct oracle *o)
{
    static const char *const places[] = {"the judge's end", "the left end", "the right end"};
    for (unsigned i = 0; i < PLACES; i++) {
        const struct station *st = &o->scene->station[i];
        const struct screen_model *model = person_sees(st->process);
        if (process_lives(st->process))
            wrong(o, "end", "%s has not ended: \"%s\", %s; %s; %s", places[i],
                  model ? model->segment : "no screen", model ? model->side[0].state : "",
                  model && model->message ? model->message : "",
                  model ? model->side[0].reason : "");
        else if (st->process && process_status(st->process) != 0)
            wrong(o, "end", "%s ends with %d", places[i], process_status(st->process));
    }
}

/* Both ends have the same order, or the entity's end its beginning where its close says so. */
static void ask_orders(struct oracle *o, unsigned side)
{
    const struct side_record *j = &o->judge[side], *e = &o->entity[side];
    size_t n = j->order.count < e->order.count ? j->order.count : e->order.count;
    for (size_t i = 0; i < n; i++)
        if (j->order.key[i] != e->order.key[i])
            wrong(o, "order", "%s: key %zu is %x at the judge's end, %x at the entity's",
                  oracle_side(side), i + 1, j->order.key[i], e->order.key[i]);
    /* A controller has cut the line before the judge's machine had power again, be it that the ends
     * had agreed before: what it lost by that is not fetched over a line that is cut. */
    bool cut = o->scene->controller && o->scene->station[JUDGE].power_cuts &&
               j->outcome == CLOSE_UNCONFIRMED;
    if (e->order.count > j->order.count && !cut)
        wrong(o, "order", "%s: the entity's end has %zu keys, the judge's %zu", oracle_side(side),
              e->order.count, j->order.count);
    /* The same of the entity's machine, whose own record then says that it has a beginning. */
    cut = o->scene->controller && o->scene->station[LEFT + side].power_cuts &&
          e->outcome == CLOSE_PREFIX;
    /* Nor does an end that was away in a part say anything of it. */
    bool agreed = e->outcome == CLOSE_AGREED || e->outcome == CLOSE_SETTLED;
    if (e->order.count < j->order.count && !cut &&
        ((agreed && e->closed >= j->closed) || j->outcome == CLOSE_AGREED))
        wrong(o, "order", "%s: closed as agreed, and the entity's end has %zu keys of %zu",
              oracle_side(side), e->order.count, j->order.count);
    if (j->segment != SEGMENT_FINISHED || e->segment != SEGMENT_FINISHED)
        wrong(o, "end", "%s: the records do not say that it is finished: %d %d", oracle_side(side),
              (int)j->segment, (int)e->segment);
}

/* Each key that was pressed has its place, or is declared to have none. */
static void ask_pressed(struct oracle *o, unsigned side)
{
    const struct side_record *e = &o->entity[side];
    uint64_t placed = 0;
    for (size_t i = 0; i < e->order.count; i++)
        placed += e->order.key[i] >> 24 == PARTY_ENTITY;
    if (!o->scene->station[LEFT + side].kills && !o->scene->station[LEFT + side].power_cuts &&
        !e->refused && e->pressed != o->typed[LEFT + side].count)
        wrong(o, "pressed", "%s: %zu keys were typed, %llu are on record as pressed",
              oracle_side(side), o->typed[LEFT + side].count, (unsigned long long)e->pressed);
    if (placed + e->unplaced != e->pressed)
        wrong(o, "pressed", "%s: %llu keys were pressed, %llu placed, %llu not placed",
              oracle_side(side), (unsigned long long)e->pressed, (unsigned long long)placed,
              (unsigned long long)e->unplaced);
}

/* What has its place was typed by who is said to have typed it, in that order. */
static void ask_typed(struct oracle *o, unsigned side, enum party party)
{
    const struct typed *typed = &o->typed[party == PARTY_JUDGE ? JUDGE : LEFT + side];
    const struct order *order = &o->judge[side].order;
    size_t at = 0;
    for (size_t i = 0; i < order->count; i++) {
        if (order->key[i] >> 24 != party)
            continue;
        while (at < typed->count &&
               (typed->point[at] != (order->key[i] & 0xFFFFFF) ||
                (party == PARTY_JUDGE && typed->side[at] != SIDES && typed->side[at] != side)))
            at++;
        if (at++ >= typed->count)
            wrong(o, "typed", "%s: key %zu of the %s was never typed, or not in that order",
                  oracle_side(side), i + 1, party == PARTY_JUDGE ? "judge" : "entity");
    }
}

/* The judge's keys: each has its place or was refused, unless his terminal was ended meanwhile. */
static void ask_judge(struct oracle *o)
{
    uint64_t placed = 0, refused = 0;
    if (o->scene->station[JUDGE].kills || o->scene->station[JUDGE].power_cuts)
        return;
    for (unsigned side = 0; side < SIDES; side++) {
        refused += o->judge[side].refused;
        for (size_t i = 0; i < o->judge[side].order.count; i++)
            placed += o->judge[side].order.key[i] >> 24 == PARTY_JUDGE;
    }
    if (placed + refused != o->typed[JUDGE].count)
        wrong(o, "pressed", "the judge typed %zu keys: %llu have places, %llu were refused",
              o->typed[JUDGE].count, (unsigned long long)placed, (unsigned long long)refused);
}

const char *oracle_verdict(struct oracle *o)
{
    ask_end(o);
    for (unsigned place = 0; place < PLACES; place++) {
        struct journal_report report = {0};
        read_again(o, place, &report);
        if (report.damaged || report.torn_bytes)
            wrong(o, "record", "the %s's has damage, or a torn end that was not cut off",
                  machine_name(o->scene->station[place].machine));
    }
    for (unsigned side = 0; side < SIDES; side++) {
        if (o->judge[side].differs || o->entity[side].differs)
            continue;
        ask_orders(o, side);
        ask_pressed(o, side);
        ask_typed(o, side, PARTY_JUDGE);
        ask_typed(o, side, PARTY_ENTITY);
    }
    if (!oracle_differences(o))
        ask_judge(o);
    return oracle_found(o);
}

const char *oracle_found(const struct oracle *o)
{
    return o->wrong[0] ? o->wrong : NULL;
}

unsigned oracle_differences(const struct oracle *o)
{
    unsigned sides = 0;
    for (unsigned side = 0; side < SIDES; side++)
        sides += o->judge[side].differs || o->entity[side].differs;
    return sides;
}

struct recorded oracle_recorded(const struct oracle *o, enum place place, enum side side)
{
    const struct side_record *r = place == JUDGE ? &o->judge[side] : &o->entity[place - LEFT];
    return (struct recorded){r->segment, r->segments, r->outcome};
}

const char *oracle_notes(const struct oracle *o, enum place place)
{
    return o->notes[place];
}

const struct order *oracle_order(struct oracle *o, enum place place, enum side side)
{
    return place == JUDGE ? &o->judge[side].order : &o->entity[place - LEFT].order;
}

void oracle_destroy(struct oracle *o)
{
    for (unsigned side = 0; side < SIDES; side++) {
        page_destroy(o->judge[side].page);
        page_destroy(o->entity[side].page);
        free(o->judge[side].order.key);
        free(o->entity[side].order.key);
        free(o->placed[side].key);
    }
    for (unsigned i = 0; i < PLACES; i++) {
        free(o->typed[i].point);
        free(o->typed[i].side);
    }
    free(o);
}
