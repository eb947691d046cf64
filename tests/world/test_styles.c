/* The pages that the rules of 1996 and 2003 want, at both screens of a session. golden/styles has
 * each page's look; every session of the world has that both ends' pages are the same. */
#include "tests/world/oracles.h"

#include "base/utf8.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

static struct scene *begin(enum style_form form)
{
    struct scene *s = scene_begin(&(struct scene_setup){
        .seed = 21, .plan = "60 left", .starts = STARTS_EITHER, .style = form});
    assert_true(scene_wait(s, scene_is_open));
    return s;
}

/* The rows that its person sees, as "ROW|ROW|"; valid until the next call. */
static const char *rows(struct scene *s, enum place place)
{
    static char text[4000];
    scene_pass(s, 5 * SECOND); /* all is typed, and drawn */
    const struct screen_model *m = person_sees(s->station[place].process);
    const struct page *page = m->side[0].page;
    size_t length = 0;
    for (unsigned pane = PANES; pane-- > 0;) {
        struct page_part part = page_part(page, pane, place == JUDGE ? PARTY_JUDGE : PARTY_ENTITY);
        for (unsigned i = part.first; page_has(page, pane) && i < part.first + part.rows; i++) {
            struct page_row row;
            page_row(page, pane, i, &row);
            for (unsigned c = 0; c < row.cells; c++)
                length += utf8_encode(row.cell[c].point, (uint8_t *)text + length);
            text[length++] = '|';
        }
    }
    text[length] = '\0';
    return text;
}

/* 1996 spec 1: two Returns end a turn, and the judge's prompt comes again when the entity has ended
 * his; keys are seen as they come. */
static void test_scroll(void **state)
{
    (void)state;
    struct scene *s = begin(STYLE_SCROLL);
    scene_type(s, JUDGE, "@@04\n");
    assert_string_equal(rows(s, JUDGE), ">@@04|>|");
    scene_type(s, JUDGE, "\n");
    assert_string_equal(rows(s, JUDGE), ">@@04|>||");
    assert_string_equal(rows(s, LEFT), ">@@04|>||");
    scene_type(s, LEFT, "Welcome judge 4\n");
    assert_string_equal(rows(s, JUDGE), ">@@04|>|Welcome judge 4||>|");
    scene_type(s, LEFT, "\n");
    assert_string_equal(rows(s, JUDGE), ">@@04|>|Welcome judge 4|>|");
    scene_type(s, JUDGE, "Who won?\n\n");
    scene_pass(s, 5 * SECOND);
    scene_type(s, LEFT, "Only if");
    assert_string_equal(rows(s, JUDGE), ">@@04|>|Welcome judge 4|>Who won?|>|Only if|");
    assert_string_equal(rows(s, LEFT), ">@@04|>|Welcome judge 4|>Who won?|>|Only if|");
    assert_string_equal(scene_end(s), "");
}

/* 2003 r29: a Return sends, and before that nobody else sees what is typed. */
static void test_form(void **state)
{
    (void)state;
    struct scene *s = begin(STYLE_WEB);
    scene_type(s, LEFT, "Good");
    assert_null(strstr(rows(s, JUDGE), "Good"));
    assert_non_null(strstr(rows(s, LEFT), "Good"));
    assert_string_equal(scene_text(s, JUDGE, SIDE_LEFT), "Good");
    scene_type(s, JUDGE, "Hello?\nAnd");
    assert_non_null(strstr(rows(s, LEFT), "Hello?|"));
    assert_null(strstr(rows(s, LEFT), "And"));
    scene_type(s, LEFT, " morning\n");
    assert_non_null(strstr(rows(s, JUDGE), "Good morning|"));
    assert_string_equal(scene_end(s), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_scroll), cmocka_unit_test(test_form)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
