/* A ruleset's `reveal` and the tickets of the judges' machines: each has the same bytes whatever
 * the line says, before the vote and behind the seal, and none goes with one place of the human
 * alone. test_tiles.c has the manager's page, where it is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "contest/draw.h"
#include "contest/venue.h"
#include "rules/rulesets.h"
#include "tests/support/drawn.h"
#include "tests/support/scratch.h"

#define SEEDS 64

static char folder[SCRATCH_MAX];
static struct store *store;
static struct contest *contest;
static struct venue venue;
static char ticket[8192]; /* of the judge's machine */

static int begin(void **state)
{
    static const char machines[] =
        "[venue]\nformat=1\nkeys=none\n[machines]\nbooth1.judge-a=serial:a\nbooth1.judge-b=serial:"
        "b\n"
        "booth1.entity-a=serial:c\nbooth1.entity-b=serial:d\nbooth1.controller=serial:e\n"
        "booth1.either=yes\nentry1.program=/opt/a\n";
    (void)state;
    return scratch_begin(folder, "reveal") || venue_parse(&venue, machines, "venue", NULL) != BL_OK;
}

static void let_go(void)
{
    store_close(store);
    contest_destroy(contest);
    store = NULL;
    contest = NULL;
}

static int end(void **state)
{
    (void)state;
    let_go();
    return scratch_end(folder);
}

static void hold(const char *reveal, unsigned number)
{
    char rules[16384], path[SCRATCH_MAX + 32];
    const char *text = "";
    struct bl_diag diag = {""};
    for (const struct built_text *at = ruleset_texts; at->name; at++)
        if (strcmp(at->name, "class") == 0)
            text = at->text;
    const char *line = strstr(text, "reveal = session");
    assert_non_null(line);
    assert_in_range(snprintf(rules, sizeof rules, "%.*s%s%s", (int)(line - text), text, reveal,
                             strchr(line, '\n')),
                    1, sizeof rules - 1);
    let_go();
    scratch_run(folder, "rm -f contest.db");
    snprintf(path, sizeof path, "%s/contest.db", folder);
    assert_non_null(contest = contest_create());
    if (store_create(&store, path, &diag) != BL_OK)
        fail_msg("%s", diag.text);
    drawn_hold(store, contest, rules, (uint8_t)number);
}

static enum bl_status take(void *ctx, const char *path, const char *text, struct bl_diag *diag)
{
    (void)ctx, (void)diag;
    if (strstr(path, "-judge/"))
        snprintf(ticket + strlen(ticket), sizeof ticket - strlen(ticket), "%s\n%s\n", path, text);
    return BL_OK;
}

static void write_ticket(void)
{
    struct bl_diag diag = {""};
    ticket[0] = '\0';
    if (tickets_write(contest, &venue, 0, take, NULL, &diag) != BL_OK)
        fail_msg("%s", diag.text);
    assert_true(ticket[0]);
}

static void test_is_on_no_ticket(void **state)
{
    static const char *const lines[] = {"reveal = session", "reveal = contest", ""};
    char first[sizeof ticket] = "";
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        hold(lines[i], 1);
        write_ticket();
        if (i == 0)
            strcpy(first, ticket);
        assert_string_equal(ticket, first);
        drawn_append(store, contest, "ballot",
                     json_loads("{\"judge\":1,\"entry\":1,\"confederate\":1,\"human\":true,"
                                "\"fields\":{\"sure\":4,\"reason\":\"quick\"}}",
                                0, NULL));
        write_ticket();
        assert_string_equal(ticket, first);
        drawn_append(store, contest, "seal", json_object());
        write_ticket();
        assert_string_equal(ticket, first);
    }
}

/* Of the draws by all seeds, each ticket of a judge's is there with the human on either side. */
static void test_goes_with_both_places(void **state)
{
    static struct {
        char text[sizeof ticket];
        unsigned with[2];
    } seen[4];
    unsigned count = 0;
    (void)state;
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        unsigned at = 0;
        hold("reveal = contest", seed);
        write_ticket();
        while (at < count && strcmp(seen[at].text, ticket) != 0)
            at++;
        assert_in_range(at, 0, 3);
        count += at == count;
        strcpy(seen[at].text, ticket);
        seen[at].with[contest_entry_left(contest, &contest->schedule.meeting[0])]++;
    }
    assert_int_equal(count, 2); /* which cable is the left one */
    for (unsigned i = 0; i < count; i++) {
        assert_in_range(seen[i].with[0], 4, SEEDS);
        assert_in_range(seen[i].with[1], 4, SEEDS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_is_on_no_ticket, begin, end),
        cmocka_unit_test_setup_teardown(test_goes_with_both_places, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
