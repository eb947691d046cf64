/* What a terminal shows, without a terminal: the model that the two ends of a line fill, and what
 * is warned of by it. Whatever draws a screen has no more than this. */
#include "session/notice.h"
#include "tests/support/pair.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void look(struct pair *pair, struct screen_model *judge, struct screen_model *entity)
{
    const struct judge_end_view *of_judge = judge_end_view(pair->judge);
    const struct entity_end_view *of_entity = entity_end_view(pair->entity);
    *judge = (struct screen_model){.role = PARTY_JUDGE, .sides = 1};
    screen_side_judge(&judge->side[0], of_judge);
    judge->side[0].title = "LEFT";
    *entity = (struct screen_model){.role = PARTY_ENTITY,
                                    .sides = 1,
                                    .remaining_us =
                                        screen_remaining_us(of_entity, pair_now(pair).mono_us),
                                    .enforced = of_entity->enforced};
    screen_side_entity(&entity->side[0], of_entity);
}

static void same_page(const struct screen_side *a, const struct screen_side *b)
{
    uint8_t of_a[DIGEST_SIZE], of_b[DIGEST_SIZE];
    page_digest(a->page, of_a);
    page_digest(b->page, of_b);
    assert_memory_equal(of_a, of_b, DIGEST_SIZE);
}

static void test_both_show_one_page(void **state)
{
    struct pair *pair = pair_open(STARTS_EITHER);
    struct screen_model judge, entity;
    (void)state;
    pair_type_judge(pair, "who are you");
    pair_type_entity(pair, "nobody");
    pair_settle(pair, 2000000);
    look(pair, &judge, &entity);
    same_page(&judge.side[0], &entity.side[0]);
    assert_int_equal(page_rows(judge.side[0].page, PANE_LOWER), 1);
    assert_int_equal(judge.side[0].pending_count + entity.side[0].pending_count, 0);
    assert_true(entity.side[0].active);
    assert_string_equal(entity.side[0].title, "ENTITY");
    pair_destroy(pair);
}

/* With the cable out a key of the entity's waits beside its page, and is not on it. */
static void test_keys_without_a_place_wait(void **state)
{
    struct pair *pair = pair_open(STARTS_EITHER);
    struct screen_model judge, entity;
    struct view_rows rows;
    uint8_t before[DIGEST_SIZE], after[DIGEST_SIZE];
    (void)state;
    memory_unplug(pair->wire, pair->now_us, true);
    pair_run(pair, 5000000);
    for (const char *c = "abc"; *c; c++)
        assert_int_equal(entity_end_key(pair->entity, (uint32_t)*c, pair_now(pair)), KEY_TAKEN);
    look(pair, &judge, &entity);
    assert_int_equal(entity.side[0].pending_count, 3);
    assert_int_equal(entity.side[0].pending[2], 'c');
    page_digest(entity.side[0].page, before);
    rows = view_rows(&entity, SIDE_LEFT, PANE_UPPER);
    assert_int_equal(rows.waits, 1);
    same_page(&judge.side[0], &entity.side[0]);
    memory_unplug(pair->wire, pair->now_us, false);
    pair_settle(pair, 20000000);
    look(pair, &judge, &entity);
    assert_int_equal(entity.side[0].pending_count, 0);
    same_page(&judge.side[0], &entity.side[0]);
    page_digest(entity.side[0].page, after);
    assert_memory_not_equal(before, after, DIGEST_SIZE);
    pair_destroy(pair);
}

/* The entity is told how long it has, but not while a controller's clock may stand. */
static void test_time_that_is_known(void **state)
{
    struct pair *pair = pair_open(STARTS_EITHER);
    struct entity_end_view view;
    uint64_t now_us;
    (void)state;
    judge_end_cut(pair->judge, false, pair_now(pair));
    judge_end_open(pair->judge, 0, 1, 10000000, false, pair_now(pair));
    pair_run(pair, 1000000);
    now_us = pair_now(pair).mono_us;
    view = *entity_end_view(pair->entity);
    assert_in_range(screen_remaining_us(&view, now_us), 8900000, 9100000);
    assert_int_equal(screen_remaining_us(&view, now_us + 60000000), 0);
    assert_false(screen_is_cut(&view));
    view.enforced = true;
    view.sync = SYNC_DOWN;
    assert_true(screen_remaining_us(&view, now_us) == UINT64_MAX);
    view.segment = SEGMENT_CLOSED;
    assert_true(screen_is_cut(&view));
    pair_destroy(pair);
}

static unsigned warn(const struct screen_model *model, struct view *view, struct notice *notice)
{
    view_meet(view, model);
    return notice_list(model, view, notice);
}

/* Connecting is said calmly until the partner was there once, and loudly afterwards. */
static void test_what_is_warned_of(void **state)
{
    struct pair *pair = pair_open(STARTS_EITHER);
    struct screen_model judge, entity;
    struct view view = {0};
    struct notice notice[NOTICES];
    (void)state;
    look(pair, &judge, &entity);
    judge.side[0].reach = REACH_CONNECTING;
    judge.side[0].reason = "waiting";
    assert_int_equal(warn(&judge, &view, notice), 2);
    assert_int_equal(notice[0].grade, NOTICE_SOON);
    /* A judge's keys are kept only where he may type, and refused elsewhere. */
    judge.side[0].active = true;
    warn(&judge, &view, notice);
    assert_string_equal(notice[1].text,
                        "What you type is kept. If this lasts, press F12: it calls the steward.");
    judge.side[0].active = false;
    warn(&judge, &view, notice);
    assert_string_equal(notice[1].text, "If this lasts, press F12: it calls the steward.");
    judge.side[0].reach = REACH_YES;
    assert_int_equal(warn(&judge, &view, notice), 0);
    judge.side[0].reach = REACH_CONNECTING;
    assert_int_equal(warn(&judge, &view, notice), 2);
    assert_int_equal(notice[0].grade, NOTICE_ALARM);
    assert_string_equal(notice[0].text, "THE PARTNER CANNOT BE REACHED: waiting.");
    judge.side[0].steward_there = true; /* who comes need not be called */
    assert_int_equal(warn(&judge, &view, notice), 2);
    assert_string_equal(notice[1].text, "The steward is coming.");
    judge.side[0].steward_there = false;
    judge_end_steward(pair->judge, true, pair_now(pair));
    pair_run(pair, 1000000);
    look(pair, &judge, &entity);
    judge.side[0].reach = entity.side[0].reach = REACH_YES;
    assert_int_equal(warn(&judge, &view, notice), 1);
    assert_int_equal(notice[0].grade, NOTICE_CALL);
    assert_true(entity.side[0].steward_there);
    assert_int_equal(warn(&entity, &view, notice), 1);
    assert_string_equal(notice[0].text, "The steward is coming.");
    pair_destroy(pair);
}

/* A change fills the view of an end once, and that view is true for who holds it; a redraw without
 * a change fills nothing. */
static void test_a_change_fills_once(void **state)
{
    struct pair *pair = pair_open(STARTS_EITHER);
    struct screen_model judge, entity;
    (void)state;
    pair_type_judge(pair, "a");
    pair_settle(pair, 2000000);
    look(pair, &judge, &entity);
    const struct judge_end_view *judges = judge_end_view(pair->judge);
    const struct entity_end_view *entitys = entity_end_view(pair->entity);
    uint64_t of_judge = judges->filled, of_entity = entitys->filled;
    for (unsigned i = 0; i < 10; i++)
        look(pair, &judge, &entity);
    assert_int_equal(judge_end_view(pair->judge)->filled, of_judge);
    assert_int_equal(entity_end_view(pair->entity)->filled, of_entity);
    for (unsigned change = 1; change <= 3; change++) {
        uint64_t pressed = entitys->pressed;
        entity_end_key(pair->entity, 'x', pair_now(pair));
        judge_end_steward(pair->judge, change % 2, pair_now(pair));
        assert_int_equal(entitys->pressed, pressed + 1); /* true without being asked for */
        assert_int_equal(judges->steward_here, change % 2);
        assert_ptr_equal(judge_end_view(pair->judge), judges);
        assert_ptr_equal(entity_end_view(pair->entity), entitys);
        for (unsigned i = 0; i < 10; i++)
            look(pair, &judge, &entity);
        assert_int_equal(entity_end_view(pair->entity)->pressed, pressed + 1);
        assert_int_equal(judge.side[0].steward_here, change % 2);
        assert_int_equal(judge_end_view(pair->judge)->filled, of_judge + change);
        assert_int_equal(entity_end_view(pair->entity)->filled, of_entity + change);
    }
    pair_destroy(pair);
}

/* A booth may look while a change is under way, as when a record is kept: what it sees then is of
 * then, and no later look is given it. */
struct onlooker {
    struct judge_end *end;
    uint64_t seen[2]; /* keys, at the latest two looks */
};

static enum bl_status keep_looking(void *ctx, const struct journal_record *record)
{
    struct onlooker *onlooker = ctx;
    (void)record;
    onlooker->seen[0] = onlooker->seen[1];
    onlooker->seen[1] = judge_end_view(onlooker->end)->n;
    return BL_OK;
}

static enum bl_status send_nothing(void *ctx, const uint8_t *record, size_t length)
{
    (void)ctx;
    (void)record;
    (void)length;
    return BL_DOWN;
}

static uint64_t none(void *ctx)
{
    (void)ctx;
    return 0;
}

static void test_a_look_from_within(void **state)
{
    static const struct end_callbacks callbacks = {
        .keep = keep_looking, .send = send_nothing, .sent = none, .acked = none};
    const struct bl_time now = {.mono_us = 1, .wall_us = 1};
    const struct journal_record keys = {
        .kind = JOURNAL_KEYS,
        .as.keys = {.party = PARTY_JUDGE,
                    .first = 1,
                    .run = {.point = (const uint32_t[]){'h', 'i'}, .count = 2}}};
    struct judge_end_config config = {.side = SIDE_LEFT};
    struct onlooker onlooker = {.end = NULL};
    (void)state;
    style_default(&config.style);
    onlooker.end = judge_end_create(&config, &callbacks, &onlooker);
    judge_end_name(onlooker.end, "r1-j1");
    assert_int_equal(judge_end_view(onlooker.end)->n, 0);
    judge_end_replay(onlooker.end, &keys);
    assert_int_equal(judge_end_view(onlooker.end)->n, 2);
    judge_end_open(onlooker.end, 0, 0, UINT64_MAX, false, now);
    assert_int_equal(onlooker.seen[1], 2);
    assert_int_equal(judge_end_view(onlooker.end)->segment, SEGMENT_OPEN);
    judge_end_cut(onlooker.end, true, now);
    assert_int_equal(judge_end_view(onlooker.end)->segment, SEGMENT_FINISHED);
    judge_end_destroy(onlooker.end);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both_show_one_page),
        cmocka_unit_test(test_keys_without_a_place_wait),
        cmocka_unit_test(test_time_that_is_known),
        cmocka_unit_test(test_what_is_warned_of),
        cmocka_unit_test(test_a_change_fills_once),
        cmocka_unit_test(test_a_look_from_within),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
