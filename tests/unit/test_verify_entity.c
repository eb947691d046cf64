/* Entities' journals against the judge's: a journal without a key may be either side's. */
#include "contest/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define KEYS 5

static struct key_event talk[KEYS];
static char told[200];

static void on_differs(void *ctx, const char *where, const char *what)
{
    (void)ctx;
    strcat(strcat(told, where), ";");
    assert_non_null(strstr(what, "it lacks 5"));
}

/* The judge has typed on the left alone; the entities' journals, so many keys in each, in this
 * order. Returns the journals that differ. */
static const char *look(unsigned first_keys, unsigned second_keys)
{
    struct verify verify = {.differs = on_differs};
    struct order_set judge = {.role = PARTY_JUDGE, .session = "r1-j1"};
    struct order_set entity = {.role = PARTY_ENTITY, .session = "r1-j1"};
    judge.side[SIDE_LEFT] = (struct order){.event = talk, .count = KEYS, .present = true};
    judge.side[SIDE_RIGHT].present = true;
    for (unsigned i = 0; i < KEYS; i++)
        talk[i] = (struct key_event){.point = 'a' + i, .party = PARTY_JUDGE, .posted_us = i + 1};
    told[0] = '\0';
    entity.side[SIDE_LEFT] = (struct order){.event = talk, .count = first_keys, .present = true};
    verify_entity(&verify, "first", &judge, &entity, 0);
    entity.side[SIDE_LEFT].count = second_keys;
    verify_entity(&verify, "second", &judge, &entity, 0);
    return told;
}

static void test_a_journal_without_a_key(void **state)
{
    (void)state;
    assert_string_equal(look(KEYS, 0), "");
    assert_string_equal(look(0, KEYS), "");
}

/* Both cannot be the silent side's. */
static void test_a_journal_that_lost_its_keys(void **state)
{
    (void)state;
    assert_string_equal(look(0, 0), "second;");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_journal_without_a_key),
        cmocka_unit_test(test_a_journal_that_lost_its_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
