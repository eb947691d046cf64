/* The preliminary round's sessions, 2003 r33, r34 and 2004 A8.4: each judge with each Entry that is
 * his, nobody with two at a time, in as few turns as the busiest of them has sessions; and their
 * tickets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "contest/preliminary.h"
#include "tests/support/acts.h"
#include "tests/support/random.h"

static struct preliminary preliminary;
static struct venue *venue;

static void plug(unsigned booths)
{
    free(venue);
    venue = calloc(1, sizeof *venue);
    assert_non_null(venue);
    for (unsigned b = 0; b < booths; b++) {
        snprintf(venue->booth[b].judge[0], VENUE_PORT_MAX, "serial:j%u", b + 1);
        snprintf(venue->booth[b].entity[0], VENUE_PORT_MAX, "serial:e%u", b + 1);
    }
    for (unsigned e = 0; e < SCHEDULE_ENTRIES_MAX; e++)
        snprintf(venue->entry[e].program, sizeof venue->entry[e].program, "./entry%u", e + 1);
}

static void panel(unsigned judges)
{
    for (unsigned i = 1; i <= judges; i++)
        TAKEN("person", "{\"role\":\"preliminary\",\"name\":\"Panel %u\"}", i);
}

static void make(void)
{
    if (preliminary_make(&preliminary, contest, &diag))
        fail_msg("refused: %s", diag.text);
}

static void assert_refused(const char *said)
{
    assert_int_equal(preliminary_make(&preliminary, contest, &diag), BL_DATA);
    if (!strstr(diag.text, said))
        fail_msg("'%s' does not say '%s'", diag.text, said);
}

/* Some Entries for each judge at random; how many sessions that is. */
static unsigned allot(struct dice *dice, unsigned judges, unsigned entries)
{
    unsigned wanted = 0;
    for (unsigned j = 1; j <= judges; j++) {
        char list[8 * SCHEDULE_ENTRIES_MAX];
        size_t length = 0;
        unsigned count = 0;
        for (unsigned e = 1; e <= entries && count < 10; e++)
            if (dice_below(dice, 3) || (e == entries && !count))
                length += (size_t)sprintf(list + length, "%s%u", count++ ? "," : "", e);
        TAKEN("allot", "{\"judge\":%u,\"entries\":[%s]}", j, list);
        wanted += count;
    }
    return wanted;
}

static void assert_each_meets_one_at_a_time(void)
{
    static unsigned met[SCHEDULE_ENTRIES_MAX][SCHEDULE_ENTRIES_MAX];
    unsigned judge_load[SCHEDULE_ENTRIES_MAX] = {0}, entry_load[SCHEDULE_ENTRIES_MAX] = {0},
             most = 0;
    memset(met, 0, sizeof met);
    for (unsigned i = 0; i < preliminary.count; i++) {
        const struct preliminary_session *a = &preliminary.session[i];
        assert_int_equal(met[a->judge][a->entry]++, 0);
        assert_true(contest->allotment[a->judge][a->entry]);
        judge_load[a->judge]++;
        entry_load[a->entry]++;
        for (unsigned k = 0; k < i; k++) {
            const struct preliminary_session *b = &preliminary.session[k];
            if (a->turn == b->turn)
                assert_true(a->judge != b->judge && a->entry != b->entry);
            if (a->booth == b->booth)
                assert_true(a->order != b->order);
            if (a->judge == b->judge)
                assert_int_equal(a->booth, b->booth);
        }
    }
    for (unsigned i = 0; i < SCHEDULE_ENTRIES_MAX; i++) {
        most = judge_load[i] > most ? judge_load[i] : most;
        most = entry_load[i] > most ? entry_load[i] : most;
    }
    assert_int_equal(preliminary.turns, most);
}

static void test_turns(void **state)
{
    (void)state;
    struct dice dice = dice_make(dice_seed("test_preliminary"));
    for (unsigned i = 0; i < 200; i++) {
        unsigned judges = 1 + (unsigned)dice_below(&dice, 12);
        unsigned entries = 9 + (unsigned)dice_below(&dice, 12);
        begin("loebner-2003");
        people(0, entries, 0);
        panel(judges);
        unsigned wanted = allot(&dice, judges, entries);
        plug(1 + (unsigned)dice_below(&dice, judges));
        make();
        assert_int_equal(preliminary_seat(&preliminary, venue, &diag), BL_OK);
        assert_int_equal(preliminary.count, wanted);
        assert_each_meets_one_at_a_time();
    }
}

/* By booth and order. */
static struct {
    struct ticket judge, entity;
    unsigned tickets;
} at[4][64];

static enum bl_status take(void *ctx, const char *path, const char *text, struct bl_diag *why)
{
    struct ticket ticket;
    unsigned booth, order;
    int length = 0;
    (void)ctx;
    assert_int_equal(ticket_parse(&ticket, text, path, why), BL_OK);
    bool judge = strcmp(ticket.role, "judge") == 0;
    assert_string_equal(ticket.ruleset, ""); /* so that no ballot is asked for */
    assert_string_equal(ticket.plan, "");
    sscanf(path,
           judge ? "judges-room/boothlink/booth-%u-judge/%3u-2.ticket%n"
                 : "back-room/boothlink/booth-%u-cable-a/%3u-2.ticket%n",
           &booth, &order, &length);
    assert_int_equal(length, strlen(path));
    assert_int_equal(ticket.round, order);
    at[booth][order].tickets++;
    *(judge ? &at[booth][order].judge : &at[booth][order].entity) = ticket;
    return BL_OK;
}

/* Three judges and two booths: the third comes to booth 1 when the first is through. */
static void test_tickets(void **state)
{
    (void)state;
    unsigned sessions = 0;
    begin("loebner-2003");
    people(0, 9, 0);
    panel(3);
    plug(2);
    memset(at, 0, sizeof at);
    assert_int_equal(tickets_write_preliminary(contest, venue, 2, take, NULL, &diag), BL_OK);
    for (unsigned b = 1; b <= 2; b++) {
        for (unsigned k = 0; k < 64; k++) {
            unsigned judge, entry;
            char program[24];
            if (!at[b][k].tickets)
                continue;
            sessions++;
            assert_int_equal(at[b][k].tickets, 2);
            assert_string_equal(at[b][k].judge.session, at[b][k].entity.session);
            assert_int_equal(sscanf(at[b][k].judge.session, "p%u-e%u-2", &judge, &entry), 2);
            assert_int_equal(judge, k > 9 ? 3 : b);
            assert_true(preliminary_has_name(at[b][k].judge.session));
            snprintf(program, sizeof program, "./entry%u", entry);
            assert_string_equal(at[b][k].entity.program, program);
            assert_string_equal(at[b][k].judge.left, b == 1 ? "serial:j1" : "serial:j2");
            assert_string_equal(at[b][k].entity.line, b == 1 ? "serial:e1" : "serial:e2");
            assert_string_equal(at[b][k].judge.starts, "either");
        }
    }
    assert_int_equal(sessions, 27);
    plug(0);
    assert_int_equal(tickets_write_preliminary(contest, venue, 1, take, NULL, &diag), BL_DATA);
    assert_non_null(strstr(diag.text, "booth1.judge-a"));
}

static void test_names(void **state)
{
    (void)state;
    static const char *const none[] = {"r1-j2", "p1-e", "p1-e2x", "p1-e2-",
                                       "pr-e1", "",     "p",      "e1-p1"};
    for (unsigned i = 0; i < sizeof none / sizeof none[0]; i++)
        assert_false(preliminary_has_name(none[i]));
    assert_true(preliminary_has_name("p1-e2"));
    assert_true(preliminary_has_name("j4-e8-3"));
}

/* 2004 A8.4: eight Entries at most, and the contest's own judges where there are no others. */
static void test_prelim_eight(void **state)
{
    (void)state;
    char name[CONTEST_SESSION_MAX];
    begin("loebner-2004");
    people(4, 4, 4);
    assert_refused("4 Entries: all go to the final round, without a preliminary one (2004 A8.3)");
    begin("loebner-2004");
    people(4, 7, 4);
    make();
    assert_int_equal(preliminary.count, 28);
    assert_int_equal(preliminary.turns, 7);
    preliminary_name(&preliminary, &preliminary.session[27], 1, name);
    assert_memory_equal(name, "j4-e", 4);
    TAKEN("prelim", "{\"entry\":1,\"numerator\":10,\"denominator\":1}");
    make(); /* as long as scores come in, too */
    assert_int_equal(preliminary.count, 28);
    begin("loebner-2004");
    people(2, 9, 4);
    assert_refused("the screening comes before the preliminary round (2004 A8.5)");
    for (unsigned e = 1; e <= 9; e++)
        TAKEN("screened", "{\"entry\":%u,\"points\":%u}", e, 20 - e);
    make();
    assert_int_equal(preliminary.count, 16);
    for (unsigned i = 0; i < preliminary.count; i++)
        assert_true(preliminary.session[i].entry < 8);
}

/* 2003 r34: who has left judges nothing, and each Entry has three judges all the same. */
static void test_allotment_without_who_left(void **state)
{
    (void)state;
    struct allotment allotment;
    unsigned load[SCHEDULE_ENTRIES_MAX] = {0};
    begin("loebner-2003");
    people(0, 10, 0);
    panel(5);
    TAKEN("withdraw", "{\"role\":\"preliminary\",\"number\":2,\"why\":\"ill\"}");
    TAKEN("withdraw", "{\"role\":\"entry\",\"number\":3,\"why\":\"gone\"}");
    assert_int_equal(contest_allotment(contest, &allotment, &diag), BL_OK);
    assert_int_equal(allotment.judges, 4);
    for (unsigned j = 0; j < 4; j++) {
        assert_int_equal(allotment.judge[j], j + (j > 0));
        for (unsigned k = 0; k < allotment.each; k++)
            load[allotment.entry[j][k]]++;
    }
    for (unsigned e = 0; e < 10; e++)
        assert_true(e == 2 ? load[e] == 0 : load[e] >= 3);
}

static void test_refused(void **state)
{
    (void)state;
    begin("loebner-2009");
    people(4, 17, 4);
    assert_refused("have no preliminary round");
    begin("loebner-2003");
    people(5, 9, 1);
    assert_refused("no judge of the preliminary round (2003 r34)");
    panel(3);
    make();
    TAKEN("withdraw", "{\"role\":\"preliminary\",\"number\":2,\"why\":\"ill\"}");
    make();
    assert_int_equal(preliminary.count, 18);
    TAKEN("withdraw", "{\"role\":\"entry\",\"number\":9,\"why\":\"gone\"}");
    assert_refused("8 Entries: all go to the final round, without a preliminary one (2003 r32)");
    begin("loebner-2003");
    people(5, 11, 1);
    panel(3);
    assert_refused("preliminary judge 1 has 11 Entries; 10 is the most (2003 r34)");
    /* The contest's own judges, where there are more than a preliminary round can have. */
    begin("loebner-2004");
    people(SCHEDULE_ENTRIES_MAX, 7, 4);
    make();
    assert_int_equal(preliminary.judges, SCHEDULE_ENTRIES_MAX);
    begin("loebner-2004");
    people(SCHEDULE_ENTRIES_MAX + 1, 7, 4);
    assert_refused("65 judges: a preliminary round has 64 at most");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turns),
        cmocka_unit_test(test_tickets),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_prelim_eight),
        cmocka_unit_test(test_allotment_without_who_left),
        cmocka_unit_test(test_refused),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    contest_destroy(contest);
    free(venue);
    return failed;
}
