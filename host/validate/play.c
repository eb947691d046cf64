#include "validate/play.h"

#include <stdlib.h>
#include <string.h>

#define REST_MS    80   /* a screen unchanged for so long has settled */
#define ECHO_MS    400  /* time for an Entry to show a key, if it does so at all */
#define PATIENT_MS 1500 /* time for two screens to become equal */
#define STARVED    8    /* most repeats of that time for a program that wants to work */
#define HASTY_MS   300  /* a shorter time, after many vain waits */
#define LOOK_MS    600  /* time for screens of the same text to get the same look */
#define OFTEN      3
#define COMES_MS   500  /* gap between two of the other party's keys */
#define GATE_MS    1000 /* time until both ends have taken the judge's Return */
#define GATE_REST  30
#define KEYS_MAX   1024   /* most keys of the Entry that wait for the confederate's end */
#define STACK_MAX  512    /* characters that a BackSpace can reach */
#define ANSWER_MS  120000 /* most time for an answer beyond the wait for its begin */
#define ANSWER_MAX 2000   /* most keys of an answer */

/* The judge's lines; DEL is BackSpace. */
static const char *const lines[] = {
    "Hello, how are yu\177ou?",
    "What is your name?",
    "I went to the market this morning.",
    "Which is larger, a grape or a gra\177\177\177melon?",
    "Do you like music?",
    "My friend Harry has a dog.",
    "Why do you say that?",
};

struct waiting_key {
    uint32_t point;
    uint64_t at_us; /* time when the Entry showed it */
};

struct spot {
    unsigned row, column; /* rows, including scrolled ones */
    bool blank;           /* a blank typed over a blank: the screen did not change */
};

struct play {
    struct scene *scene;
    struct actor *entry, *judge, *entity;
    const struct validate_options *options;
    const struct play_labels *labels;
    struct picture_mask mask; /* the user's mask, and cells known to differ */
    /* The Entry's typing. */
    bool answering;
    unsigned skip;     /* label characters before the next key */
    unsigned scrolled; /* rows */
    bool armed;        /* a key was typed since the last Return */
    struct spot last;
    unsigned returned; /* rows of the Returns since `last` */
    struct spot stack[STACK_MAX];
    unsigned depth;
    uint64_t key_us; /* time of the answer's last key; 0: no key yet */
    unsigned keys;   /* keys of the answer */
    bool endless;    /* the answer does not end */
    /* The part that the confederate's end has to type. */
    struct waiting_key queue[KEYS_MAX];
    unsigned head, tail;
    bool gate;          /* the confederate's end may type */
    uint64_t shift_us;  /* delay from the Entry's key to the confederate's */
    uint64_t began_us;  /* time of the judge's last key */
    uint64_t settle_us; /* start of the wait for settling */
    unsigned patience_ms, rest_ms;
    unsigned different, unlike, silent, restless; /* vain waits: text, look, echo, rest */
};

/* ---- the Entry's text ---- */

static void key_queue(struct play *p, uint32_t point)
{
    uint64_t now_us = scene_now_us();
    struct take *take = actor_take(p->entry);
    p->keys++;
    if (p->tail - p->head == KEYS_MAX)
        return;
    p->queue[p->tail++ % KEYS_MAX] = (struct waiting_key){point, now_us};
    take_mark(take, now_us, TAKE_ENTITY, point, take->seen);
    p->key_us = now_us;
}

static void returns_queue(struct play *p, unsigned rows)
{
    unsigned each = p->labels->rows ? p->labels->rows : 1;
    while (p->returned + each <= rows) {
        p->returned += each;
        key_queue(p, '\r');
        p->skip = p->labels->entity_return + p->labels->next_key;
        p->armed = false;
        p->depth = 0;
    }
}

static void backspaces_queue(struct play *p, unsigned count)
{
    struct spot top = p->last;
    if (!count)
        return;
    while (count-- > 0) {
        key_queue(p, 0x7F);
        top = p->stack[--p->depth];
    }
    p->last = p->depth ? p->stack[p->depth - 1]
                       : (struct spot){.row = top.row, .column = top.column ? top.column - 1 : 0};
}

/* Counts the last typed blanks of a row from a position on. */
static unsigned blanks_from(const struct play *p, struct spot from)
{
    unsigned count = 0;
    while (count < p->depth) {
        const struct spot *top = &p->stack[p->depth - 1 - count];
        if (!top->blank || top->row != from.row || top->column < from.column)
            break;
        count++;
    }
    return count;
}

static void typed(struct play *p, uint32_t point, struct spot spot)
{
    key_queue(p, point);
    p->armed = true;
    p->last = spot;
    p->returned = 0;
    if (p->depth == STACK_MAX)
        memmove(p->stack, p->stack + 1, --p->depth * sizeof p->stack[0]);
    p->stack[p->depth++] = spot;
}

/* Queues the blanks before a position that were typed over blanks, which did not change the
 * screen. */
static void blanks_type(struct play *p, struct spot before)
{
    const struct picture *picture = actor_picture(p->entry);
    if (!p->armed || !p->depth || before.row != p->last.row)
        return;
    for (unsigned column = p->last.column + 1; column < before.column; column++) {
        const struct picture_cell *cell = picture_at(picture, before.row - p->scrolled, column);
        if (cell->width && cell->chars[0] == ' ')
            typed(p, ' ', (struct spot){before.row, column, true});
    }
}

static void on_put(void *ctx, uint32_t point, unsigned row, unsigned column)
{
    struct play *p = ctx;
    struct spot spot = {row + p->scrolled, column, point == ' '};
    bool wrapped = p->last.column + 1 >= p->options->columns;
    if (!p->answering)
        return;
    if (p->skip) {
        p->skip--;
        return;
    }
    if (p->armed && spot.row > p->last.row + wrapped)
        returns_queue(p, spot.row - p->last.row);
    if (p->skip) { /* a label has already shown the Return */
        p->skip--;
        return;
    }
    backspaces_queue(p, blanks_from(p, spot)); /* blanks that were removed unseen */
    blanks_type(p, spot);
    typed(p, point, spot);
}

static void on_gone(void *ctx, unsigned row, unsigned column)
{
    struct play *p = ctx;
    if (!p->answering || !p->depth)
        return;
    struct spot spot = {.row = row + p->scrolled, .column = column};
    unsigned blanks = blanks_from(p, spot);
    if (blanks == p->depth)
        return;
    spot = p->stack[p->depth - 1 - blanks];
    if (spot.row == row + p->scrolled && spot.column == column)
        backspaces_queue(p, blanks + 1);
}

static void on_scrolled(void *ctx)
{
    struct play *p = ctx;
    p->scrolled++;
}

static const struct emulator_callbacks entry_events = {on_put, on_gone, on_scrolled};

/* Between two reads: looks whether the cursor is in another row. */
static void cursor_look(struct play *p)
{
    const struct picture *picture = actor_picture(p->entry);
    unsigned row = picture->cursor_row + p->scrolled;
    bool wrapped = p->last.column + 1 >= picture->columns && row == p->last.row + 1 &&
                   picture->cursor_column == 0;
    if (!p->answering || p->labels->parked || row <= p->last.row || wrapped)
        return;
    if (p->armed || p->returned)
        returns_queue(p, row - p->last.row);
}

/* ---- the confederate's end ---- */

static bool ended(const struct play *p)
{
    return actor_is_over(p->entry, NULL) || actor_is_over(p->judge, NULL) ||
           actor_is_over(p->entity, NULL) || p->endless;
}

static void gate_look(struct play *p, uint64_t now_us)
{
    bool taken = actor_changed_us(p->judge) > p->began_us && actor_rests(p->judge, GATE_REST) &&
                 actor_rests(p->entity, GATE_REST);
    if (p->gate || p->head == p->tail || (!taken && now_us < p->began_us + GATE_MS * 1000u))
        return;
    p->gate = true;
    p->shift_us = now_us - p->queue[p->head % KEYS_MAX].at_us;
}

static void keys_pass(struct play *p)
{
    uint64_t now_us = scene_now_us();
    gate_look(p, now_us);
    while (p->gate && p->head != p->tail) {
        const struct waiting_key *key = &p->queue[p->head % KEYS_MAX];
        struct take *take = actor_take(p->judge);
        if (key->at_us + p->shift_us > now_us)
            return;
        take_mark(take, now_us, TAKE_ENTITY, key->point, take->seen);
        actor_press(p->entity, key->point);
        p->head++;
    }
}

/* ---- waiting ---- */

static bool texts_same(struct play *p)
{
    return picture_same_text(actor_picture(p->entry), actor_picture(p->judge), &p->mask);
}

static bool both_rest(const struct play *p)
{
    return actor_rests(p->entry, p->rest_ms) && actor_rests(p->judge, p->rest_ms);
}

/* True if cursor, colours, title and bell are also equal, or are awaited no longer. */
static bool looks_same(struct play *p, uint64_t now_us)
{
    struct picture_difference difference;
    return p->unlike >= OFTEN || now_us >= p->settle_us + LOOK_MS * 1000u ||
           !picture_compare(actor_picture(p->entry), actor_picture(p->judge), &p->mask,
                            &difference);
}

/* True if the Entry and the judge's end rest, and both screens show the same; or if a program has
 * ended. */
static bool is_settled(void *ctx)
{
    struct play *p = ctx;
    uint64_t now_us = scene_now_us();
    if (ended(p))
        return true;
    if (p->silent < OFTEN && actor_changed_us(p->entry) < p->began_us &&
        now_us < p->began_us + ECHO_MS * 1000u)
        return false;
    return now_us >= p->began_us + p->rest_ms * 1000u && both_rest(p) && texts_same(p) &&
           looks_same(p, now_us);
}

/* True if the other party's keys still arrive at the judge's end. */
static bool comes(const struct play *p)
{
    return scene_now_us() < actor_changed_us(p->judge) + COMES_MS * 1000u;
}

static void both_mark(struct play *p, uint64_t now_us, enum take_kind kind, uint32_t point)
{
    struct take *const takes[] = {actor_take(p->entry), actor_take(p->judge)};
    for (unsigned i = 0; i < 2; i++)
        take_mark(takes[i], now_us, kind, point, takes[i]->seen);
}

/* Waits until all have settled, or until the time is over, and adds a mark. after: also waits for
 * the other party's keys, and takes an unchanged text as final. Otherwise an unchanged text may
 * still change with the rest of the line. */
static void settle(struct play *p, bool after)
{
    uint64_t now_us;
    bool settled;
    p->rest_ms = REST_MS;
    p->settle_us = scene_now_us();
    settled = scene_run(p->scene, p->restless < OFTEN ? p->patience_ms : HASTY_MS, is_settled, p);
    for (unsigned i = 0; !settled && i < STARVED; i++) {
        if ((both_rest(p) || p->restless >= OFTEN) && !(after && comes(p)))
            break;
        settled = scene_run(p->scene, p->patience_ms, is_settled, p);
    }
    p->restless = both_rest(p) ? 0 : p->restless + 1;
    if (settled) {
        p->different = 0;
    } else if (!texts_same(p)) {
        if (after || actor_changed_us(p->judge) >= p->began_us)
            picture_mask_text(&p->mask, actor_picture(p->entry), actor_picture(p->judge));
        if (++p->different == OFTEN)
            p->patience_ms = HASTY_MS;
    }
    now_us = scene_now_us();
    p->unlike = now_us < p->settle_us + LOOK_MS * 1000u ? 0 : p->unlike + 1;
    p->silent = actor_changed_us(p->entry) < p->began_us ? p->silent + 1 : 0;
    both_mark(p, now_us, TAKE_SETTLED, 0);
}

static void judge_press(struct play *p, uint32_t point)
{
    p->began_us = scene_now_us();
    both_mark(p, p->began_us, TAKE_JUDGE, point);
    actor_press(p->entry, point);
    actor_press(p->judge, point);
}

/* True if the Entry's answer is over and the confederate's end has typed all of it. */
static bool is_answered(void *ctx)
{
    struct play *p = ctx;
    const struct validate_options *o = p->options;
    uint64_t now_us = scene_now_us();
    cursor_look(p);
    keys_pass(p);
    if (ended(p) || p->keys > ANSWER_MAX)
        return true;
    if (p->head != p->tail)
        return false;
    if (!p->key_us)
        return now_us > p->began_us + o->answer_ms * UINT64_C(1000);
    return now_us > p->key_us + o->quiet_ms * UINT64_C(1000) && actor_rests(p->entry, o->quiet_ms);
}

static void answer_begin(struct play *p, unsigned labels)
{
    p->answering = true;
    p->skip = labels;
    p->gate = p->armed = false;
    p->returned = p->depth = 0;
    p->key_us = 0;
    p->keys = 0;
    p->began_us = scene_now_us();
}

static void answer_end(struct play *p)
{
    unsigned most_ms = p->options->answer_ms + ANSWER_MS;
    p->endless = !scene_run(p->scene, most_ms, is_answered, p) || p->keys > ANSWER_MAX;
    /* If the cursor does not show the last Return, the end of the answer does. */
    if (p->labels->parked && p->armed && !ended(p) && !p->endless) {
        key_queue(p, '\r');
        scene_run(p->scene, most_ms, is_answered, p);
    }
    p->answering = false;
}

static void line_play(struct play *p, const char *line)
{
    for (; *line && !ended(p); line++) {
        judge_press(p, (uint32_t)(unsigned char)*line);
        settle(p, false);
    }
    answer_begin(p, p->labels->judge_return + p->labels->first_key);
    judge_press(p, '\r');
    answer_end(p);
    settle(p, true);
}

static bool are_ready(void *ctx)
{
    const struct play *p = ctx;
    return (actor_waits(p->entry) && actor_waits(p->judge) && actor_waits(p->entity)) || ended(p);
}

bool play_all(struct scene *scene, const struct validate_options *options,
              const struct picture_mask *mask, const struct play_labels *labels)
{
    struct play *p = calloc(1, sizeof *p);
    uint8_t *cells = calloc(options->rows, options->columns);
    bool good = p && cells;
    if (good) {
        *p = (struct play){.scene = scene,
                           .entry = scene_actor(scene, PART_ENTRY),
                           .judge = scene_actor(scene, PART_JUDGE),
                           .entity = scene_actor(scene, PART_ENTITY),
                           .options = options,
                           .labels = labels,
                           .mask = *mask,
                           .patience_ms = PATIENT_MS};
        p->mask.cells = cells;
        p->mask.columns = options->columns;
        actor_listen(p->entry, &entry_events, p);
        answer_begin(p, labels->start); /* the Entry may have opening words */
        scene_run(scene, options->start_ms, are_ready, p);
        if (p->tail)
            answer_end(p);
        p->answering = false;
        settle(p, true);
        for (unsigned turn = 0; turn < options->turns && !ended(p); turn++)
            line_play(p, lines[(options->seed + turn) % (sizeof lines / sizeof lines[0])]);
        good = !ended(p);
        actor_listen(p->entry, &(struct emulator_callbacks){NULL, NULL, NULL}, NULL);
    }
    free(cells);
    free(p);
    return good;
}

/* ---- labels that the judge's end draws by itself ---- */

struct learner {
    struct scene *scene;
    struct actor *judge, *entity;
    unsigned puts, scrolled;
    uint32_t wanted; /* the key whose appearance is awaited; 0: none */
    bool came;       /* that key has appeared */
    unsigned before; /* characters drawn before that key */
    struct spot spot;
    uint64_t began_us;
};

static void learn_put(void *ctx, uint32_t point, unsigned row, unsigned column)
{
    struct learner *l = ctx;
    if (point == l->wanted && !l->came) {
        l->came = true;
        l->before = l->puts;
        l->spot = (struct spot){.row = row + l->scrolled, .column = column};
    }
    l->puts++;
}

static void learn_scrolled(void *ctx)
{
    struct learner *l = ctx;
    l->scrolled++;
}

static bool learn_rests(void *ctx)
{
    const struct learner *l = ctx;
    return scene_now_us() > l->began_us + 250000 && actor_rests(l->judge, 250) &&
           actor_rests(l->entity, 250) && (!l->wanted || l->came);
}

static bool learn_ready(void *ctx)
{
    const struct learner *l = ctx;
    return actor_waits(l->judge) && actor_waits(l->entity);
}

/* Presses a key and waits until all rest. Returns the number of characters drawn. key: the key's
 * own character is expected. */
static unsigned learn_press(struct learner *l, struct actor *actor, uint32_t point, bool key)
{
    l->puts = 0;
    l->came = false;
    l->wanted = key ? point : 0;
    l->began_us = scene_now_us();
    actor_press(actor, point);
    scene_run(l->scene, 5000, learn_rests, l);
    l->wanted = 0;
    return l->puts;
}

bool play_learn(struct scene *scene, const struct validate_options *options,
                struct play_labels *labels)
{
    static const struct emulator_callbacks events = {.put = learn_put, .scrolled = learn_scrolled};
    struct learner l = {.scene = scene,
                        .judge = scene_actor(scene, PART_JUDGE),
                        .entity = scene_actor(scene, PART_ENTITY)};
    struct spot first;
    bool late;
    const struct picture *picture;
    *labels = (struct play_labels){.rows = 1};
    actor_listen(l.judge, &events, &l);
    scene_run(scene, options->start_ms, learn_ready, &l);
    labels->start = l.puts;
    learn_press(&l, l.judge, 'x', true);
    late = !l.came; /* the key then appears with the Return, and is not a label */
    labels->judge_return = learn_press(&l, l.judge, '\r', false);
    labels->judge_return -= late && labels->judge_return > 0;
    learn_press(&l, l.entity, 'z', true);
    if (!l.came)
        return false;
    labels->first_key = l.before;
    first = l.spot;
    picture = actor_picture(l.judge);
    labels->parked = picture->cursor_row + l.scrolled != first.row;
    labels->entity_return = learn_press(&l, l.entity, '\r', false);
    picture = actor_picture(l.judge);
    if (!labels->parked && picture->cursor_row + l.scrolled > first.row)
        labels->rows = picture->cursor_row + l.scrolled - first.row;
    learn_press(&l, l.entity, 'q', true);
    if (!l.came)
        return false;
    labels->next_key = l.before;
    if (labels->parked && l.spot.row > first.row)
        labels->rows = l.spot.row - first.row;
    actor_listen(l.judge, &(struct emulator_callbacks){NULL, NULL, NULL}, NULL);
    return true;
}
