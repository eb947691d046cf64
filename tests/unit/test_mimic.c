/* Two programs that were played with at the same time: what is found of them, and nothing else. */
#include "validate/mimic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define MS UINT64_C(1000)

/* How a program answers to keys, and when. */
struct manner {
    const char *begin;       /* drawn at first */
    const char *after_judge; /* drawn after each of the judge's keys */
    const char *judge_return, *entity_return;
    const char *after_entity;    /* drawn after each of the other party's keys */
    unsigned echo_ms, jitter_ms; /* jitter: of the other party's keys, every other one */
    unsigned starved_ms;         /* how much later a part of the judge's keys show ... */
    unsigned starved;            /* ... of each eight keys the first so many */
    bool by_line;                /* the judge's keys show with the Return */
    uint32_t lost;               /* one of the judge's keys that never shows */
    unsigned late_look_ms;       /* of what is drawn after a judge's key */
};

static const struct manner plain = {.begin = "\033]2;T\007Judge: ",
                                    .after_judge = "",
                                    .after_entity = "",
                                    .judge_return = "\r\nEntity: ",
                                    .entity_return = "\r\n\aJudge: ",
                                    .echo_ms = 3};

static void draw(struct take *take, uint64_t at_us, const char *text)
{
    if (text[0])
        take_add(take, at_us, 0, 0, text, strlen(text));
}

static void secret_draw(struct take *take, uint64_t at_us, char key)
{
    draw(take, at_us, key == 0x7F ? "\b \b" : (const char[]){key, '\0'});
}

static void mark(struct take *take, uint64_t at_us, enum take_kind kind, char key)
{
    take_mark(take, at_us, kind, (uint32_t)(unsigned char)key, take->total);
}

/* The judge's line, key by key, each with a rest behind it. */
static uint64_t judge_type(struct take *take, const struct manner *m, uint64_t at_us,
                           const char *line, bool last)
{
    unsigned n = 0;
    for (const char *key = line; *key; key++) {
        unsigned echo_ms = m->echo_ms + (n++ % 8 < m->starved ? m->starved_ms : 0);
        mark(take, at_us, TAKE_JUDGE, *key);
        if (!m->by_line && m->lost != (uint32_t)*key) {
            secret_draw(take, at_us + echo_ms * MS, *key);
            draw(take, at_us + (echo_ms + m->late_look_ms) * MS, m->after_judge);
        }
        at_us += 400 * MS;
        mark(take, at_us, TAKE_SETTLED, 0);
    }
    if (!last)
        return at_us;
    mark(take, at_us, TAKE_JUDGE, '\r');
    for (const char *key = line; m->by_line && *key; key++)
        secret_draw(take, at_us + m->echo_ms * MS, *key);
    draw(take, at_us + m->echo_ms * MS, m->judge_return);
    return at_us + 200 * MS;
}

/* shown: the key is marked when it has shown, as for an Entry; else when it was pressed. */
static uint64_t entity_type(struct take *take, const struct manner *m, uint64_t at_us,
                            const char *line, bool shown)
{
    unsigned n = 0;
    for (const char *key = line; *key; key++) {
        uint64_t shows_us = at_us + 2 * MS + (n++ % 2) * m->jitter_ms * MS;
        if (!shown)
            mark(take, at_us, TAKE_ENTITY, *key);
        secret_draw(take, shows_us, *key);
        if (shown)
            mark(take, shows_us, TAKE_ENTITY, *key);
        draw(take, shows_us, m->after_entity);
        at_us += 100 * MS;
    }
    if (!shown)
        mark(take, at_us, TAKE_ENTITY, '\r');
    draw(take, at_us + 2 * MS, m->entity_return);
    if (shown)
        mark(take, at_us + 2 * MS, TAKE_ENTITY, '\r');
    at_us += 500 * MS;
    mark(take, at_us, TAKE_SETTLED, 0);
    return at_us;
}

static struct take *played(const struct manner *m, bool entry)
{
    struct take *take = take_create();
    uint64_t at_us = 1000 * MS;
    assert_non_null(take);
    draw(take, at_us, m->begin);
    mark(take, at_us + 200 * MS, TAKE_SETTLED, 0);
    at_us = judge_type(take, m, at_us + 300 * MS, "Who is\177\177are you?", true);
    at_us = entity_type(take, m, at_us, "A ghost\177t, I think.", entry);
    at_us = judge_type(take, m, at_us, "Oh.", true);
    entity_type(take, m, at_us, "Yes. No.", entry);
    return take;
}

static struct mimic compared(const struct manner *of_entry, const struct manner *of_pair,
                             const struct picture_mask *mask)
{
    const struct mimic_options options = {
        .rows = 8, .columns = 40, .mask = mask, .echo_ms = 75, .gap_ms = 30};
    struct take *entry = played(of_entry, true), *pair = played(of_pair, false);
    struct mimic mimic;
    assert_true(mimic_compare(&mimic, entry, pair, &options));
    take_destroy(entry);
    take_destroy(pair);
    return mimic;
}

/* Only this is broken; MIMIC_ASPECTS: nothing is. */
static void assert_only(const struct mimic *mimic, enum mimic_aspect wanted)
{
    static const char *const names[] = {"text", "colours", "cursor", "title",
                                        "bell", "echo",    "gaps",   "lines"};
    for (enum mimic_aspect aspect = 0; aspect < MIMIC_ASPECTS; aspect++)
        if ((mimic->finding[aspect].times > 0) != (aspect == wanted))
            fail_msg("%s: %u times", names[aspect], mimic->finding[aspect].times);
}

static void the_same_is_the_same(void **state)
{
    struct mimic mimic = compared(&plain, &plain, NULL);
    (void)state;
    assert_only(&mimic, MIMIC_ASPECTS);
    assert_int_equal(mimic.settled, 1 + 16 + 1 + 3 + 1);
    assert_in_range(mimic.shown, 20, 30);
    assert_int_equal(mimic.echo_us[0], 3 * MS);
    assert_int_equal(mimic.echo_us[1], 3 * MS);
    assert_int_equal(mimic.gap_us[0], 100 * MS);
    assert_int_equal(mimic.gap_off_us, 0);
    mimic_free(&mimic);
}

static void each_fault_is_found_alone(void **state)
{
    struct {
        enum mimic_aspect aspect;
        struct manner manner;
    } cases[] = {{MIMIC_TEXT, plain},    {MIMIC_TEXT, plain},   {MIMIC_COLOURS, plain},
                 {MIMIC_COLOURS, plain}, {MIMIC_CURSOR, plain}, {MIMIC_CURSOR, plain},
                 {MIMIC_TITLE, plain},   {MIMIC_BELL, plain},   {MIMIC_ECHO, plain},
                 {MIMIC_GAPS, plain},    {MIMIC_LINES, plain},  {MIMIC_TEXT, plain}};
    (void)state;
    cases[0].manner.begin = "\033]2;T\007Judge; ";
    cases[1].manner.judge_return = "\r\nentity: ";
    cases[2].manner.begin = "\033]2;T\007\033[1mJ\033[mudge: ";
    cases[3].manner.entity_return = "\r\n\aJudge\033[31m:\033[m ";
    cases[4].manner.after_judge = "\033[?25l";
    cases[5].manner.begin = "\033]2;T\007Judge: \033[?25l";
    cases[6].manner.begin = "\033]2;t\007Judge: ";
    cases[7].manner.entity_return = "\r\nJudge: ";
    cases[8].manner.echo_ms = 150;
    cases[9].manner.jitter_ms = 60;
    cases[10].manner.by_line = true;
    cases[11].manner.lost = 'W';
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct mimic mimic = compared(&plain, &cases[i].manner, NULL);
        assert_only(&mimic, cases[i].aspect);
        mimic_free(&mimic);
    }
}

/* What is drawn in another way, or a little later, is no difference. */
static void what_a_judge_cannot_see_is_none(void **state)
{
    struct manner other = plain;
    struct mimic mimic;
    (void)state;
    other.begin = "\033[?25l\033[2J\033[H\033]2;T\007\033[1;1HJudge:\033[C\033[m\033[?25h";
    other.judge_return = "\033[K\n\rEntity: ";
    other.echo_ms = 40;
    mimic = compared(&plain, &other, NULL);
    assert_only(&mimic, MIMIC_ASPECTS);
    mimic_free(&mimic);
}

/* On a busy machine many keys show late at both, and a few more at one of them. */
static void a_busy_machine_is_no_fault(void **state)
{
    struct manner entry = plain, pair = plain;
    struct mimic mimic;
    (void)state;
    entry.starved_ms = pair.starved_ms = 200;
    entry.starved = 2;
    pair.starved = 4;
    mimic = compared(&entry, &pair, NULL);
    assert_true(mimic.echo_us[1] > mimic.echo_us[0] + 100 * MS);
    assert_only(&mimic, MIMIC_ASPECTS);
    mimic_free(&mimic);
    pair.echo_ms += 150;
    mimic = compared(&entry, &pair, NULL);
    assert_only(&mimic, MIMIC_ECHO);
    assert_int_equal(mimic.echo_off_us, 150 * MS);
    mimic_free(&mimic);
}

static void a_difference_is_shown_where_it_came(void **state)
{
    struct manner other = plain;
    struct mimic mimic;
    const struct mimic_place *place;
    struct picture_mask mask = {0};
    (void)state;
    other.judge_return = "\r\nEntitx: ";
    mimic = compared(&plain, &other, NULL);
    /* Once for each Return: at the first answer's row and at the second's. */
    assert_int_equal(mimic.finding[MIMIC_TEXT].times, 2);
    place = &mimic.finding[MIMIC_TEXT].places[0];
    assert_int_equal(place->difference.text, 1);
    assert_int_equal(place->difference.text_at[0].row, 1);
    assert_int_equal(place->difference.text_at[0].column, 5);
    assert_int_equal(picture_at(place->entry, 1, 5)->chars[0], 'y');
    assert_int_equal(picture_at(place->pair, 1, 5)->chars[0], 'x');
    assert_string_equal(place->after, "a key of the other party, Return, after the judge's line 1");
    mimic_free(&mimic);
    assert_int_equal(picture_mask_add(&mask, "1,6-8,6", NULL), BL_OK);
    mimic = compared(&plain, &other, &mask);
    assert_only(&mimic, MIMIC_ASPECTS);
    mimic_free(&mimic);
}

static void takes_that_end_early_are_survived(void **state)
{
    struct take *entry = take_create(), *pair = take_create();
    const struct mimic_options options = {.rows = 5, .columns = 20, .echo_ms = 1, .gap_ms = 1};
    struct mimic mimic;
    (void)state;
    assert_true(mimic_compare(&mimic, entry, pair, &options));
    mimic_free(&mimic);
    take_add(entry, 5, 0, 0, "ab", 2);
    mark(entry, 5, TAKE_ENTITY, 'b');
    mark(pair, 5, TAKE_ENTITY, 'b');
    assert_true(mimic_compare(&mimic, entry, pair, &options));
    assert_only(&mimic, MIMIC_ASPECTS);
    mimic_free(&mimic);
    take_destroy(entry);
    take_destroy(pair);
}

/* Keys of LPP, each a read of its own: eight of them after one wait of 40 ms. */
static void one_wait_counts_once(void **state)
{
    struct take *take = take_create();
    unsigned seen = 0;
    (void)state;
    for (unsigned i = 0; i < 8; i++)
        take_add(take, 100000 + i, 7, 40000, "a", 1);
    assert_int_equal(take_at_once(take->reads, take->count, take->bytes, take->total, 20000, &seen),
                     8 / 3);
    assert_int_equal(seen, 8);
    /* From the middle of them on, too. */
    assert_int_equal(
        take_at_once(take->reads + 2, take->count - 2, take->bytes + 2, take->total, 20000, &seen),
        6 / 3);
    take_clear(take);
    for (unsigned i = 0; i < 8; i++)
        take_add(take, 100000 + i, i, 10000, "a", 1);
    assert_int_equal(take_at_once(take->reads, take->count, take->bytes, take->total, 20000, &seen),
                     8 * 20 / (20 + 80));
    take_destroy(take);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_is_the_same),
        cmocka_unit_test(each_fault_is_found_alone),
        cmocka_unit_test(what_a_judge_cannot_see_is_none),
        cmocka_unit_test(a_busy_machine_is_no_fault),
        cmocka_unit_test(a_difference_is_shown_where_it_came),
        cmocka_unit_test(takes_that_end_early_are_survived),
        cmocka_unit_test(one_wait_counts_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
