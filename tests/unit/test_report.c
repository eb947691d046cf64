/* What is printed of a contest: hostile names, times and moves, the report, sheets, and tickets
 * that tell a judge nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "contest/draw.h"
#include "contest/report.h"
#include "contest/sheets.h"
#include "controller/plan.h"
#include "rules/entry_network.h"
#include "rules/ticket.h"
#include "tests/support/random.h"
#include "tests/support/rules.h"
#include "tests/support/plan.h"

#define PAGE_MAX (1u << 20)

static char page[PAGE_MAX];
static size_t page_length;
static struct contest *contest;
static struct venue *venue;
static struct bl_diag diag;

static void take(void *ctx, const char *bytes, size_t length)
{
    (void)ctx;
    assert_true(page_length + length < PAGE_MAX);
    memcpy(page + page_length, bytes, length);
    page_length += length;
    page[page_length] = '\0';
}

static const struct html_out out = {take, NULL};

static const char *put(const char *text)
{
    page_length = 0;
    html_put(&out, "<p>%s</p>", text);
    return page;
}

static void assert_has(const char *text)
{
    if (!strstr(page, text))
        fail_msg("'%s' is not in the page", text);
}

static void assert_has_not(const char *text)
{
    if (strstr(page, text))
        fail_msg("'%s' is in the page", text);
}

static void test_hostile_text(void **state)
{
    (void)state;
    assert_string_equal(put("<b>\"&'"), "<p>&lt;b&gt;&quot;&amp;&#39;</p>");
    assert_string_equal(put("\x01\x7F"), "<p>\xEF\xBF\xBD\xEF\xBF\xBD</p>");
    assert_string_equal(put("a\xFF\xC3(b"), "<p>a\xEF\xBF\xBD\xEF\xBF\xBD(b</p>");
    assert_string_equal(put("\xE2\x80\xAE"), "<p>\xEF\xBF\xBD</p>"); /* right to left */
    assert_string_equal(put("\xEF\xBF\xBE"), "<p>\xEF\xBF\xBD</p>"); /* no character */
    assert_string_equal(put("\xE9\x99\x88 \xC3\xB6"), "<p>\xE9\x99\x88 \xC3\xB6</p>");
    page_length = 0;
    html_put(&out, "%d%% %u", -3, 4u);
    assert_string_equal(page, "-3% 4");
    page_length = 0;
    html_path(&out, "javascript:alert(1)");
    assert_string_equal(page, "./javascript%3Aalert%281%29");
    page_length = 0;
    html_path(&out, "//host/a \"b\"");
    assert_string_equal(page, "/host/a%20%22b%22");
}

/* Whatever the bytes: no markup of theirs comes through. */
static void test_random_text(void **state)
{
    (void)state;
    struct dice dice = dice_make(dice_seed("random text"));
    for (unsigned turn = 0; turn < 20000; turn++) {
        char text[24];
        size_t length = dice_below(&dice, sizeof text);
        for (size_t i = 0; i < length; i++)
            text[i] = (char)(1 + dice_below(&dice, 255));
        text[length] = '\0';
        put(text);
        page[page_length - strlen("</p>")] = '\0';
        assert_null(strpbrk(page + strlen("<p>"), "<>\"'"));
        for (const char *at = page; *at; at++)
            assert_true((unsigned char)*at >= 0x20);
    }
}

static void test_times_of_2009(void **state)
{
    (void)state;
    struct timetable t;
    struct ruleset ruleset;
    char clock[TIMETABLE_CLOCK];
    rules_load(&ruleset, "loebner-2009");
    assert_int_equal(timetable_make(&t, ruleset.plan, "10:00", NULL, &diag), BL_OK);
    assert_int_equal(t.session_s, 20 * 60); /* seven rounds of 20 minutes ... */
    assert_int_equal(t.change_s, 5 * 60);   /* ... with 5 minutes' intermissions: 2009 §3b */
    timetable_clock(timetable_end(&t, 6), clock);
    assert_string_equal(clock, "12:50");
    assert_int_equal(timetable_make(&t, ruleset.plan, "10:00", "2=60,6=15", &diag), BL_OK);
    timetable_clock(timetable_begin(&t, 1), clock);
    assert_string_equal(clock, "10:25");
    timetable_clock(timetable_begin(&t, 2), clock);
    assert_string_equal(clock, "11:50");
    timetable_clock(timetable_begin(&t, 6), clock);
    assert_string_equal(clock, "13:45");
    timetable_clock(86400 + 61, clock);
    assert_string_equal(clock, "00:01:01 +1");
}

/* A plan that ends with the talk leaves no time to vote, or to go to the next booth. */
static void test_times_between_rounds(void **state)
{
    (void)state;
    static const char *const names[] = {"three-party-2025", "two-party-2023", "two-party-2024",
                                        "longbet-2002"};
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct timetable t;
        struct ruleset ruleset;
        rules_load(&ruleset, names[i]);
        assert_int_equal(timetable_make(&t, ruleset.plan, "10:00", NULL, &diag), BL_OK);
        assert_int_equal(timetable_begin(&t, 1) - timetable_end(&t, 0), 5 * 60);
    }
}

static void test_times_that_are_none(void **state)
{
    (void)state;
    static const char *const starts[] = {"", "10", "24:00", "10:60", "10:00x", "-1:00"};
    static const char *const breaks[] = {
        "x", "0=5", "1", "1=", "1=5;", "1=1441", "1=1,1=1,1=1,1=1,1=1,1=1,1=1,1=1,1=1"};
    static const char *const plans[] = {"x", "5", "99999999 left", "300000 a,300000 b"};
    struct timetable t;
    assert_int_equal(timetable_make(&t, "", NULL, NULL, &diag), BL_OK);
    assert_false(t.known);
    for (unsigned i = 0; i < sizeof starts / sizeof starts[0]; i++)
        assert_int_equal(timetable_make(&t, "", starts[i], NULL, &diag), BL_USAGE);
    for (unsigned i = 0; i < sizeof breaks / sizeof breaks[0]; i++)
        assert_int_equal(timetable_make(&t, "", NULL, breaks[i], &diag), BL_USAGE);
    for (unsigned i = 0; i < sizeof plans / sizeof plans[0]; i++)
        assert_int_equal(timetable_make(&t, plans[i], NULL, NULL, &diag), BL_USAGE);
}

static void test_moves_of_2004(void **state)
{
    (void)state;
    struct ruleset ruleset;
    struct move move[MOVES_MAX];
    rules_load(&ruleset, "loebner-2004");
    /* Before round 2 J1 and C4 leave, J4 and C3 come; J2 and J3, C1 and C2 change booths. */
    unsigned count = timetable_moves(&ruleset.printed, 1, move), corridor = 0;
    assert_int_equal(count, 8);
    for (unsigned i = 0; i < count; i++)
        corridor += move[i].corridor;
    assert_int_equal(corridor, 4);
    assert_true(timetable_meet(move, count));
    assert_true(move[0].is_judge && move[0].number == 0 && move[0].from == 0 &&
                move[0].to == PLACE_REST);
    /* All are accounted for: who comes has gone, round by round, and at the end nobody is left. */
    unsigned place[2][SCHEDULE_PEOPLE_MAX];
    for (unsigned i = 0; i < SCHEDULE_PEOPLE_MAX; i++)
        place[0][i] = place[1][i] = PLACE_REST;
    for (unsigned r = 0; r <= ruleset.printed.rounds; r++) {
        count = timetable_moves(&ruleset.printed, r, move);
        for (unsigned i = 0; i < count; i++) {
            assert_int_equal(place[move[i].is_judge][move[i].number], move[i].from);
            place[move[i].is_judge][move[i].number] = move[i].to;
        }
        for (unsigned i = 0; i < ruleset.printed.count; i++) {
            const struct meeting *m = &ruleset.printed.meeting[i];
            if (m->round == r) {
                assert_int_equal(place[true][m->judge], m->entry);
                assert_int_equal(place[false][m->confederate], m->entry);
            }
        }
    }
    for (unsigned i = 0; i < SCHEDULE_PEOPLE_MAX; i++)
        assert_true(place[0][i] == PLACE_REST && place[1][i] == PLACE_REST);
}

static void test_moves_where_entities_are_met_singly(void **state)
{
    (void)state;
    struct schedule schedule;
    struct move move[MOVES_MAX];
    plan_all(&schedule, 3, 1, 3, true);
    assert_int_equal(timetable_moves(&schedule, 0, move), 6);
    for (unsigned r = 1; r < schedule.rounds; r++) { /* only judges move */
        unsigned count = timetable_moves(&schedule, r, move);
        for (unsigned i = 0; i < count; i++)
            assert_true(move[i].is_judge);
        assert_false(timetable_meet(move, count));
    }
}

static void make_contest(const char *rules, unsigned each)
{
    static const char letter[] = CONTEST_LETTERS;
    contest_destroy(contest);
    contest = contest_create();
    snprintf(contest->name, sizeof contest->name, "Contest <1>");
    rules_load(&contest->ruleset, rules);
    for (unsigned role = 0; role < CONTEST_ROLES; role++) {
        contest->people[role] = each;
        for (unsigned i = 0; i < each; i++) {
            snprintf(contest->person[role][i].name, CONTEST_NAME_MAX, "<Name-%c%u>", letter[role],
                     i + 1);
            strcpy(contest->person[role][i].comms, "comms");
        }
    }
    plan_all(&contest->schedule, each, each, each, contest->ruleset.pairing == PAIRING_SINGLE);
    contest->begun = contest->schedule.rounds;
}

static void draw(uint8_t first)
{
    memset(contest->seed, 0, sizeof contest->seed);
    contest->seed[0] = first;
    contest_commit(contest->seed, sizeof contest->seed, contest->commitment);
    contest->committed = contest->drawn = true;
}

static void vote(void)
{
    for (unsigned i = 0; i < contest->schedule.count; i++) {
        const struct meeting *m = &contest->schedule.meeting[i];
        contest->ballot[contest->ballots++] = (struct ballot){
            .judge = m->judge,
            .entry = m->entry,
            .confederate = m->confederate,
            .entry_points = m->entry == 1 ? 73 : 27,
            .confederate_points = m->entry == 1 ? 27 : 73,
            .entry_human = m->entry == 1,
            .rating = m->entry == 1 ? 3250 : 1000,
        };
    }
}

static void write_report(void)
{
    struct timetable times;
    assert_int_equal(timetable_make(&times, contest->ruleset.plan, NULL, NULL, &diag), BL_OK);
    const struct report report = {
        .contest = contest,
        .rules_text = "[session]\nplan = 1 x ; A1; <why>\nbare line\n; a remark\n[rounds]\n1 = J1",
        .timetable = &times};
    page_length = 0;
    report_write(&report, &out);
}

static void test_reports_of_all_rules(void **state)
{
    (void)state;
    static const char *const rules[] = {"loebner-1996", "loebner-2003", "loebner-2004",
                                        "loebner-2009", "longbet-2002"};
    for (unsigned i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        make_contest(rules[i], 4);
        draw(1);
        write_report(); /* before the first ballot, too */
        vote();
        write_report();
        assert_has("Provisional");
        assert_has("&lt;Name-E2&gt;");
        assert_has("<svg");
        assert_has("<td>1 x</td><td class=\"rule\">A1; &lt;why&gt;</td>");
        assert_has_not("<Name");
        assert_has_not("a remark");
        assert_has_not("bare line");
        assert_has_not("on the left");
    }
}

static void test_sides_and_seed_only_once_sealed(void **state)
{
    (void)state;
    make_contest("loebner-2004", 4);
    draw(0xAB);
    vote();
    write_report();
    assert_has_not("on the left");
    assert_has_not("ab000000");
    contest->sealed = true;
    write_report();
    assert_has("on the left");
    assert_has("ab000000");
    assert_has_not("Provisional");
    assert_has("73 : 27 C");
    assert_has("E2, &lt;Name-E2&gt;, wins the Silver Medal.");
}

static void test_who_is_kept_apart_and_who_is_gone(void **state)
{
    (void)state;
    make_contest("loebner-2004", 4);
    contest->people[CONTEST_PRELIM] = contest->people[CONTEST_ORGANISER] = 1;
    contest->conflict[0] = (struct conflict){{CONTEST_PRELIM, CONTEST_ENTRY}, {0, 1}};
    contest->conflict[1] = (struct conflict){{CONTEST_JUDGE, CONTEST_ORGANISER}, {2, 0}};
    contest->conflicts = 2;
    write_report();
    assert_has("interest: P1 and E2, J3 and O1.</p>");
    assert_has("<td>missing</td><td>missing</td><td>missing</td><td>missing</td>");
    contest->person[CONTEST_ENTRY][1].withdrawn =
        true; /* no ballot is waited for from its sessions */
    write_report();
    assert_has("<td>missing</td><td></td><td>missing</td><td>missing</td>");
}

static struct history typing;

/* Two keys of everybody in each session but the last. */
static const struct history *typed(void *ctx, const struct meeting *meeting)
{
    (void)ctx;
    return meeting == &contest->schedule.meeting[contest->schedule.count - 1] ? NULL : &typing;
}

static void write_report_with_pictures(void)
{
    const struct report report = {.contest = contest, .typed = typed};
    page_length = 0;
    report_write(&report, &out);
}

static unsigned times_in_page(const char *text)
{
    unsigned found = 0;
    for (const char *at = page; (at = strstr(at, text)); at += strlen(text))
        found++;
    return found;
}

/* How somebody types could tell a judge who he is, and names are an entrant's. */
static void test_pictures_of_typing_only_once_sealed(void **state)
{
    static const char *const rules[] = {"loebner-2009", "longbet-2002"};
    (void)state;
    assert_int_equal(history_add_part(&typing, NULL), BL_OK);
    for (unsigned r = 0; r < sizeof rules / sizeof rules[0]; r++) {
        make_contest(rules[r], 2);
        draw(0xAB);
        vote();
        bool single = contest->ruleset.pairing == PAIRING_SINGLE;
        unsigned sides = single ? 1 : SIDES, sessions = contest->schedule.count - 1;
        typing.keys = 0;
        for (unsigned i = 0; i < 2 * sides * PARTIES; i++) {
            const struct history_key key = {.posted_us = 1000000 + i * 200000,
                                            .point = 'a',
                                            .side = (uint8_t)(i / PARTIES % sides),
                                            .party = (uint8_t)(i % PARTIES)};
            assert_int_equal(history_add_key(&typing, &key), BL_OK);
        }
        write_report_with_pictures();
        assert_has_not("Typing");
        contest->sealed = true;
        write_report_with_pictures();
        assert_int_equal(times_in_page("How all typed in session"), sessions);
        assert_int_equal(times_in_page("keys 2, BackSpaces 0"), sessions * sides * PARTIES);
        assert_has(single ? ">E2 &lt;Name-E2&gt;</text>" : ">E2 &lt;Name-E2&gt;, left</text>");
        assert_has(single ? ">J1 to E1</text>" : ">J1 to E2");
        assert_has_not("<Name");
    }
    history_free(&typing);
}

/* The headline: nobody wins while a ballot is missing, and no medal where 2003 r60 awards none. */
static void test_the_headline(void **state)
{
    (void)state;
    make_contest("loebner-2004", 4);
    draw(0xAB);
    vote();
    contest->ballots--;
    write_report();
    assert_has("<p class=\"win\">Nothing is decided yet. Ballots that are missing: 1.");
    assert_has_not(" wins");
    assert_has_not("Medal");
    assert_has_not("dollars come");
    make_contest("loebner-2003", 4);
    vote();
    write_report();
    assert_has(" Medal.</p>");
    for (unsigned e = 0; e < contest->people[CONTEST_ENTRY]; e++)
        contest->person[CONTEST_ENTRY][e].own = true;
    for (unsigned i = 0; i < contest->ballots; i++) /* a confederate above all: r48 */
        if (contest->ballot[i].entry >= contest->people[CONTEST_ENTRY])
            contest->ballot[i].rating = 5000;
    write_report();
    assert_has(" wins; no medal is awarded.</p>");
    assert_has("2003 r60");
}

static void test_screening_phrases_and_erasing(void **state)
{
    (void)state;
    make_contest("loebner-2003", 4);
    vote();
    write_report();
    assert_has_not("Screening");
    assert_has_not("[phrase deleted]");
    assert_has_not("2003 r28");
    contest->answered[2][0] = contest->answered[2][7] = contest->answered[2][9] = true;
    contest->score[2][0] = 3;
    contest->score[2][7] = 4;
    contest->score[2][9] = -1;
    contest->phrases = 2;
    contest->sealed = contest->erased[1] = true;
    write_report();
    assert_has("<tr><th>E3</th><td class=\"n\">3</td><td class=\"n\">2</td><td class=\"n\">7</td>");
    assert_has("[phrase deleted] in the published transcripts: 2 (2003 r17)");
    assert_has("E1 not yet, E2 yes, E3 not yet");
}

/* Every booth has all its ports. */
static void plug(void)
{
    free(venue);
    venue = calloc(1, sizeof *venue);
    for (unsigned b = 0; b < SCHEDULE_ENTRIES_MAX; b++) {
        for (unsigned c = 0; c < VENUE_CABLES; c++) {
            snprintf(venue->booth[b].judge[c], VENUE_PORT_MAX, "serial:j%u%c", b, "ab"[c]);
            snprintf(venue->booth[b].entity[c], VENUE_PORT_MAX, "serial:e%u%c", b, "ab"[c]);
        }
        snprintf(venue->booth[b].controller, VENUE_PORT_MAX, "serial:c%u", b);
        snprintf(venue->entry[b].program, sizeof venue->entry[b].program, "./entry%u", b);
    }
}

static void write_sheets(unsigned kinds)
{
    struct timetable times;
    assert_int_equal(timetable_make(&times, contest->ruleset.plan, NULL, NULL, &diag), BL_OK);
    plug();
    page_length = 0;
    assert_int_equal(sheets_write(contest, &times, venue, kinds, &out, &diag), BL_OK);
    assert_has_not("&lt;t"); /* no markup of ours is shown as text */
}

/* What a judge gets is the same whoever is who: exchange the names, and that of nobody but the
 * judges is on his sheet. */
static void test_a_judges_sheet_tells_nothing(void **state)
{
    (void)state;
    static const char *const rules[] = {"loebner-2004", "loebner-2003"};
    for (unsigned i = 0; i < 2; i++) {
        make_contest(rules[i], 4);
        draw(1);
        write_sheets(SHEET_JUDGES | SHEET_LABELS);
        assert_has("&lt;Name-J4&gt;");
        assert_has_not("Name-E");
        assert_has_not("Name-C");
        write_sheets(SHEET_SETUP);
        assert_has("No judge may see it");
    }
    make_contest("loebner-2004", 4);
    struct timetable times = {0};
    page_length = 0;
    assert_int_equal(sheets_write(contest, &times, NULL, SHEET_JUDGES, &out, &diag), BL_DATA);
    draw(1); /* which doors there are, the venue says; judges have none */
    assert_int_equal(sheets_write(contest, &times, NULL, SHEET_CONFEDERATES, &out, &diag),
                     BL_USAGE);
    assert_int_equal(page_length, 0);
    assert_int_equal(sheets_write(contest, &times, NULL, SHEET_JUDGES, &out, &diag), BL_OK);
}

static void test_each_person_has_a_sheet(void **state)
{
    (void)state;
    make_contest("loebner-2004", 4);
    draw(1);
    contest->person[CONTEST_JUDGE][2].withdrawn = true;
    write_sheets(SHEET_JUDGES | SHEET_CONFEDERATES | SHEET_ENTRIES);
    assert_has("Judge 4: ");
    assert_has_not("Judge 3: ");
    assert_has("Confederate 1: &lt;Name-C1&gt;");
    assert_has("Operator of Entry 4: &lt;Name-E4&gt;");
    assert_has("10:00 to 10:25");
    assert_has("Hello, my name is X and I am the human");
    assert_has("press Enter when you sit");
    assert_has_not("2003 r28");
    /* Each judge moves in each round here: nobody's way is blank but before the first. */
    write_sheets(SHEET_JUDGES);
    assert_has("<td>go when the round is over</td>");
    contest->person[CONTEST_ENTRY][1].withdrawn = true;
    write_sheets(SHEET_SETUP);
    assert_has("&lt;Name-E2&gt; (withdrawn)");
    make_contest("loebner-2003", 4);
    draw(1);
    write_sheets(SHEET_ENTRIES);
    assert_has("2003 r28");
}

/* Notices and enclosures that rules ask for: 1996 r9, 2003 r23, r25, 2004 A4, 2009 section 1. */
static void test_sheets_say_what_the_rules_ask(void **state)
{
    (void)state;
    static const struct {
        const char *rules, *said;
        unsigned kinds;
    } rows[] = {
        {"loebner-1996", "documentation, handed in with it and kept at: ____", SHEET_ENTRIES},
        {"loebner-2003", "documentation, handed in with it and kept at: ____", SHEET_ENTRIES},
        {"loebner-2004", "You are responsible for what you say here.", SHEET_JUDGES},
        {"loebner-2004", "You are responsible for what you say here.", SHEET_CONFEDERATES},
        {"loebner-2004", "Its submitter is responsible for what it says.", SHEET_ENTRIES},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        make_contest(rows[i].rules, 4);
        draw(1);
        write_sheets(rows[i].kinds);
        assert_has(rows[i].said);
    }
    make_contest("loebner-2009", 4);
    draw(1);
    contest->person[CONTEST_ENTRY][1].how = SUBMITTED_BRINGS;
    write_sheets(SHEET_ENTRIES);
    assert_has("the entrant brings it, and must be present at the contest (2009 §1)");
}

/* 2003 r12, r14: before there is a draw, or anybody. */
static void test_entry_form(void **state)
{
    (void)state;
    struct timetable times = {0};
    make_contest("loebner-2003", 4);
    page_length = 0;
    assert_int_equal(sheets_write(contest, &times, NULL, SHEET_FORM, &out, &diag), BL_OK);
    assert_has("Parts that are not your own, and their extent");
    assert_has("Under 18: a guardian permits it (signed)");
    assert_has("2003 r14");
    assert_has("Entries are taken until ________________ (2003 r11).");
    assert_has_not("this sheet");
    strcpy(contest->date[DATE_CLOSES], "2026-12-25");
    page_length = 0;
    assert_int_equal(sheets_write(contest, &times, NULL, SHEET_FORM, &out, &diag), BL_OK);
    assert_has("Entries are taken until 2026-12-25 (2003 r11).");
    assert_has_not("communications program");
    assert_has_not("Name-");
    make_contest("loebner-2004", 4);
    page_length = 0;
    assert_int_equal(sheets_write(contest, &times, NULL, SHEET_FORM, &out, &diag), BL_OK);
    assert_has("Its matching communications program");
    assert_has_not("guardian");
}

/* Booths and cables. */

/* The tickets of each session, by round and judge. */
static struct session {
    unsigned tickets;
    struct ticket judge, entity[2];
    unsigned entities;
} sessions[SCHEDULE_ENTRIES_MAX][SCHEDULE_ENTRIES_MAX];

static enum bl_status take_ticket(void *ctx, const char *path, const char *text,
                                  struct bl_diag *why)
{
    struct ticket ticket;
    unsigned round, judge;
    (void)ctx;
    assert_int_equal(ticket_parse(&ticket, text, path, why), BL_OK);
    assert_int_equal(sscanf(ticket.session, "r%u-j%u", &round, &judge), 2);
    assert_int_equal(ticket.round, round);
    struct session *session = &sessions[round - 1][judge - 1];
    session->tickets++;
    if (strcmp(ticket.role, "judge") == 0) {
        assert_null(strstr(text, "entry"));
        assert_null(strstr(text, "confederate"));
        assert_null(strstr(text, "Name"));
        assert_null(strstr(text, "limit"));
        assert_memory_equal(path, "judges-room/boothlink/booth-", 28);
        session->judge = ticket;
    } else {
        assert_true(session->entities < 2);
        session->entity[session->entities++] = ticket;
    }
    return BL_OK;
}

/* The entity at the other end of the judge's port: "serial:j3a" and "serial:e3a". */
static const struct ticket *other_end(const struct session *session, const char *port)
{
    for (unsigned i = 0; i < session->entities; i++)
        if (strcmp(session->entity[i].line + strlen("serial:e"), port + strlen("serial:j")) == 0)
            return &session->entity[i];
    fail_msg("nobody is at the other end of %s", port);
    return NULL;
}

/* The relay that the controller closes in a part is that of the cable at the port of the side that
 * the part opens. Port and cable bear one letter here. */
static void assert_relays(const struct ticket *ticket)
{
    struct plan plan;
    struct client_plan relays;
    assert_int_equal(plan_parse(&plan, ticket->plan, NULL), BL_OK);
    assert_int_equal(controller_plan(&relays, &plan, ticket_b_left(ticket), NULL), BL_OK);
    for (unsigned i = 0; i < plan.count; i++) {
        const char *port = plan.segment[i].open[SIDE_LEFT]    ? ticket->left
                           : plan.segment[i].open[SIDE_RIGHT] ? ticket->right
                                                              : NULL;
        unsigned relay = !port ? 0 : port[strlen("serial:j0")] == 'a' ? SEGMENT_A : SEGMENT_B;
        assert_int_equal(relays.segment[i].flags & SEGMENT_LINES, relay);
    }
}

static void test_tickets_of_pairs(void **state)
{
    (void)state;
    unsigned left_a = 0, entry_a = 0;
    plug();
    for (uint8_t seed = 0; seed < 40; seed++) {
        make_contest("loebner-2009", 4);
        draw(seed);
        strcpy(contest->limit[2], "no names"); /* as under a venue's own rules for pairs */
        memset(sessions, 0, sizeof sessions);
        assert_int_equal(tickets_write(contest, venue, 0, take_ticket, NULL, &diag), BL_OK);
        for (unsigned i = 0; i < contest->schedule.count; i++) {
            const struct meeting *m = &contest->schedule.meeting[i];
            const struct session *session = &sessions[m->round][m->judge];
            assert_int_equal(session->tickets, 3);
            const struct ticket *left = other_end(session, session->judge.left);
            const struct ticket *right = other_end(session, session->judge.right);
            const struct ticket *entry = contest_entry_left(contest, m) ? left : right;
            char program[32];
            snprintf(program, sizeof program, "./entry%u", m->entry);
            assert_string_equal(entry->program, program);
            assert_string_equal((entry == left ? right : left)->keyboard, "yes");
            assert_string_equal((entry == left ? right : left)->limit,
                                m->confederate == 2 ? "no names" : "");
            assert_string_equal(entry->limit, "");
            assert_string_equal(session->judge.plan, contest->ruleset.plan);
            assert_int_equal(session->judge.controller[8], session->judge.left[8]);
            assert_relays(&session->judge);
            left_a += session->judge.left[strlen("serial:j0")] == 'a';
            entry_a += entry->line[strlen("serial:e0")] == 'a';
        }
    }
    /* Neither the side nor the Entry keeps to a cable: of 640, within 6 sigma (76) of the half. */
    assert_in_range(left_a, 244, 396);
    assert_in_range(entry_a, 160, 480); /* 160 draws, each counted 4 times */
}

/* What a line of a sheet says of a round: "<th>3</th>...door A". '\0' where he is excused. */
static char door_in(const char *sheet, unsigned round, unsigned *booth)
{
    char row[32];
    snprintf(row, sizeof row, "<tr><th>%u</th>", round + 1);
    const char *at = strstr(sheet, row), *end = strstr(at, "</tr>"), *door = strstr(at, ", door ");
    if (!door || door > end)
        return '\0';
    assert_int_equal(sscanf(strstr(at, "<b>Booth "), "<b>Booth %u", booth), 1);
    return door[strlen(", door ")];
}

/* Where entities are met singly a confederate stays, and his sheet says where from the first round
 * on, with a session or without. */
static void test_who_stays_knows_where(void **state)
{
    (void)state;
    make_contest("loebner-2003", 4);
    plan_all(&contest->schedule, 2, 4, 4, true);
    contest->people[CONTEST_JUDGE] = 2;
    draw(3);
    write_sheets(SHEET_CONFEDERATES);
    unsigned idle = 0;
    for (unsigned c = 0; c < 4; c++) {
        char title[32];
        unsigned at = 0, booth = 0;
        snprintf(title, sizeof title, "<h1>Confederate %u:", c + 1);
        for (unsigned r = 0; r < contest->schedule.rounds; r++) {
            assert_int_equal(door_in(strstr(page, title), r, &booth), 'A');
            assert_true(at == 0 || at == booth);
            at = booth;
        }
        for (const char *word = strstr(page, title); (word = strstr(word + 1, "; no session"));)
            idle += c == 3;
    }
    assert_true(idle > 0);
}

/* The door on a confederate's sheet is that of the machine which gets his ticket, whether his booth
 * has fixed doors, doors drawn for each round, or one. */
static void test_doors_are_those_of_the_tickets(void **state)
{
    (void)state;
    static const char *const rules[] = {"loebner-2004", "loebner-2009", "loebner-2003"};
    unsigned seen[2] = {0};
    for (uint8_t seed = 0; seed < 30; seed++) {
        make_contest(rules[seed % 3], 4);
        draw(seed);
        contest->draw = DRAW_VERSION;
        plug();
        for (unsigned b = 0; b < 4; b++)
            strcpy(venue->booth[b].either, (seed + b) % 2 ? "yes" : "no");
        memset(sessions, 0, sizeof sessions);
        assert_int_equal(tickets_write(contest, venue, 0, take_ticket, NULL, &diag), BL_OK);
        for (unsigned i = 0; i < contest->schedule.count; i++) {
            const struct meeting *m = &contest->schedule.meeting[i];
            const struct session *session = &sessions[m->round][m->judge];
            bool single = m->confederate == PERSON_NOBODY;
            unsigned human = single ? m->entry - 4u : m->confederate, booth = 0;
            char title[32];
            if (single && m->entry < 4)
                continue;
            snprintf(title, sizeof title, "<h1>Confederate %u:", human + 1);
            struct timetable times = {.known = false};
            page_length = 0;
            assert_int_equal(sheets_write(contest, &times, venue, SHEET_CONFEDERATES, &out, &diag),
                             BL_OK);
            char door = door_in(strstr(page, title), m->round, &booth);
            const struct ticket *at = &session->entity[session->entity[0].keyboard[0] == '\0'];
            assert_string_equal(at->keyboard, "yes");
            assert_int_equal(at->line[strlen("serial:e")], '0' + (int)booth - 1);
            assert_int_equal(at->line[strlen("serial:e0")], door - 'A' + 'a');
            seen[door - 'A']++;
        }
    }
    assert_true(seen[0] > 100 && seen[1] > 100);
}

static void test_tickets_of_candidates(void **state)
{
    (void)state;
    unsigned humans_first = 0;
    plug();
    for (uint8_t seed = 0; seed < 40; seed++) {
        make_contest("loebner-2003", 3);
        draw(seed);
        strcpy(contest->limit[1], "no names");
        memset(sessions, 0, sizeof sessions);
        assert_int_equal(tickets_write(contest, venue, 0, take_ticket, NULL, &diag), BL_OK);
        for (unsigned i = 0; i < contest->schedule.count; i++) {
            const struct meeting *m = &contest->schedule.meeting[i];
            const struct session *session = &sessions[m->round][m->judge];
            assert_int_equal(session->tickets, 2);
            assert_string_equal(session->judge.right, "");
            const struct ticket *entity = other_end(session, session->judge.left);
            assert_int_equal(entity->program[0] != '\0', m->entry < 3);
            assert_string_equal(entity->limit, m->entry == 3 + 1 ? "no names" : "");
            humans_first += entity->keyboard[0] && session->judge.left[8] < '3';
        }
    }
    /* The lower half of the booths has as many humans as Entries: half of 360, loosely. */
    assert_in_range(humans_first, 90, 270);
}

/* How often an Entry was at each machine of a booth. */
static unsigned entry_at[SCHEDULE_ENTRIES_MAX][VENUE_CABLES];

static enum bl_status take_either(void *ctx, const char *path, const char *text,
                                  struct bl_diag *why)
{
    struct ticket ticket;
    unsigned booth, round;
    char machine;
    (void)ctx;
    assert_int_equal(ticket_parse(&ticket, text, path, why), BL_OK);
    if (strcmp(ticket.role, "judge") == 0)
        return BL_OK;
    assert_int_equal(
        sscanf(path, "back-room/boothlink/booth-%u-cable-%c/%u.ticket", &booth, &machine, &round),
        3);
    assert_int_equal(ticket.line[strlen("serial:e")], '0' + (int)booth - 1);
    assert_int_equal(ticket.line[strlen("serial:e0")], machine);
    entry_at[booth - 1][machine - 'a'] += ticket.program[0] != '\0';
    return BL_OK;
}

/* Where both machines of a booth can serve either kind, the Entry sits now at one and now at the
 * other, a folder is a machine's, and the confederate's sheet names his; a judge's names none. */
static void test_cables_are_drawn_for_each_round(void **state)
{
    (void)state;
    struct timetable timetable;
    plug();
    make_contest("loebner-2009", 4);
    draw(1);
    contest->draw = DRAW_VERSION;
    memset(entry_at, 0, sizeof entry_at);
    for (unsigned b = 0; b < 4; b++)
        strcpy(venue->booth[b].either, "yes");
    for (uint8_t seed = 1; seed <= 10; seed++) {
        draw(seed);
        assert_int_equal(tickets_write(contest, venue, 0, take_either, NULL, &diag), BL_OK);
    }
    for (unsigned b = 0; b < 4; b++)
        assert_true(entry_at[b][0] > 5 && entry_at[b][1] > 5);
    assert_int_equal(timetable_make(&timetable, contest->ruleset.plan, NULL, NULL, &diag), BL_OK);
    page_length = 0;
    assert_int_equal(sheets_write(contest, &timetable, venue, SHEET_CONFEDERATES, &out, &diag),
                     BL_OK);
    assert_non_null(strstr(page, ", door A"));
    assert_non_null(strstr(page, ", door B"));
    page_length = 0;
    assert_int_equal(sheets_write(contest, &timetable, venue, SHEET_JUDGES, &out, &diag), BL_OK);
    assert_null(strcasestr(page, "door"));
    assert_null(strcasestr(page, "cable"));
    assert_null(strcasestr(page, "serial:"));
}

static void test_a_booth_stays_as_it_is(void **state)
{
    (void)state;
    struct booths booths;
    make_contest("loebner-2004", 20);
    draw(9);
    assert_int_equal(booths_draw(&booths, contest, 0, &diag), BL_OK);
    uint32_t seen = 0;
    for (unsigned e = 0; e < 20; e++)
        seen |= UINT32_C(1) << booths.of[e];
    assert_int_equal(seen, (1u << 20) - 1);
    contest->drawn = false;
    assert_int_equal(booths_draw(&booths, contest, 0, &diag), BL_DATA);
}

static void test_what_a_venue_lacks(void **state)
{
    (void)state;
    plug();
    make_contest("loebner-2004", 2);
    draw(1);
    venue->booth[1].entity[1][0] = '\0';
    assert_int_equal(tickets_write(contest, venue, 0, take_ticket, NULL, &diag), BL_DATA);
    assert_non_null(strstr(diag.text, "booth2.entity-b is missing"));
    plug();
    venue->entry[0].program[0] = '\0';
    assert_int_equal(tickets_write(contest, venue, 0, take_ticket, NULL, &diag), BL_DATA);
    assert_non_null(strstr(diag.text, "entry1.program is missing"));
    memset(sessions, 0, sizeof sessions);
    plug();
    assert_int_equal(tickets_write(contest, venue, 3, take_ticket, NULL, &diag), BL_OK);
    for (unsigned r = 0; r < 3; r++) /* rounds that have begun keep theirs */
        assert_int_equal(sessions[r][0].tickets + sessions[r][1].tickets, 0);
}

/* The server of an Entry is where the rules and the venue want it, or there are no tickets. */
static void test_entry_network(void **state)
{
    static const struct {
        const char *rules, *chat, *why;
        int venue;
    } rows[] = {
        {"loebner-1996", "http://10.0.0.5", "entry-network is none (1996 r9)", 0},
        {"loebner-1996", "http://10.0.0.5", "entry-network is none (1996 r9)", ENTRY_NETWORK_SITE},
        {"loebner-1996", "http://127.0.0.1:8080", NULL, 0},
        {"loebner-1996", "unix:/run/model", NULL, 0},
        {"loebner-2003", "http://10.0.0.5", NULL, 0},
        {"loebner-2003", "http://example.org", "entry-network is site (2003 r20)", 0},
        {"loebner-2003", "http://10.0.0.5", "entry-network is none (the venue)",
         ENTRY_NETWORK_NONE},
        {"loebner-2009", "http://example.org", NULL, 0},
        {"loebner-2009", "http://example.org", "entry-network is site (the venue)",
         ENTRY_NETWORK_SITE},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        plug();
        make_contest(rows[i].rules, 3);
        draw(1);
        memset(sessions, 0, sizeof sessions);
        for (unsigned e = 0; e < 3; e++)
            venue->entry[e].program[0] = '\0', strcpy(venue->entry[e].chat, rows[i].chat);
        venue->entry_network = rows[i].venue;
        enum bl_status status = tickets_write(contest, venue, 0, take_ticket, NULL, &diag);
        enum bl_status checked = venue_check_entry(venue, &contest->ruleset, 2, &diag);
        if (status != checked || status != (rows[i].why ? BL_DATA : BL_OK) ||
            (rows[i].why && !strstr(diag.text, rows[i].why)))
            fail_msg("%zu: %d, %d: %s", i, status, checked, diag.text);
    }
}

/* An Entry's own style holds for its pairs; the ruleset's for the others. */
static void test_styles_of_tickets(void **state)
{
    (void)state;
    plug();
    make_contest("loebner-2004", 2);
    draw(1);
    strcpy(venue->entry[1].style, "scroll columns=38");
    memset(sessions, 0, sizeof sessions);
    assert_int_equal(tickets_write(contest, venue, 0, take_ticket, NULL, &diag), BL_OK);
    for (unsigned i = 0; i < contest->schedule.count; i++) {
        const struct meeting *m = &contest->schedule.meeting[i];
        assert_string_equal(sessions[m->round][m->judge].judge.style,
                            m->entry == 1 ? "scroll columns=38" : contest->ruleset.style);
    }
    /* 2003 r29, and 1996, where the style would tell which candidate is the Entry */
    memset(sessions, 0, sizeof sessions);
    make_contest("loebner-2003", 2);
    draw(1);
    assert_int_equal(tickets_write(contest, venue, 0, take_ticket, NULL, &diag), BL_DATA);
    assert_non_null(strstr(diag.text, "entry2.style: these rules have one"));
    memset(sessions, 0, sizeof sessions);
    make_contest("loebner-1996", 2);
    draw(1);
    assert_int_equal(tickets_write(contest, venue, 0, take_ticket, NULL, &diag), BL_DATA);
    assert_non_null(strstr(diag.text, "entry2.style: where entities are met singly"));
    venue->entry[1].style[0] = '\0';
    memset(sessions, 0, sizeof sessions);
    assert_int_equal(tickets_write(contest, venue, 0, take_ticket, NULL, &diag), BL_OK);
    assert_string_equal(sessions[0][0].judge.style, "scroll");
}

static void refuse_venue(const char *lines, const char *said)
{
    char text[256];
    snprintf(text, sizeof text, "[venue]\nformat = 1\n[machines]\n%s\n", lines);
    enum bl_status status = venue_parse(venue, text, "v", &diag);
    assert_int_equal(status, said ? BL_DATA : BL_OK);
    if (said && !strstr(diag.text, said))
        fail_msg("'%s' does not say '%s'", diag.text, said);
}

static void test_a_venues_file(void **state)
{
    (void)state;
    plug();
    refuse_venue("booth2.judge-b = serial:/dev/ttyUSB1", NULL);
    assert_string_equal(venue->booth[1].judge[1], "serial:/dev/ttyUSB1");
    refuse_venue("entry64.program = ./x y", NULL);
    assert_string_equal(venue->entry[63].program, "./x y");
    refuse_venue("booth0.judge-a = x",
                 "v:4: [machines] booth0.judge-a: expected booth1. to booth64.");
    refuse_venue("booth65.judge-a = x", "booth1. to booth64.");
    refuse_venue("booth1 = x", "booth1. to booth64.");
    refuse_venue("booth1.judge-c = x", "no such field");
    refuse_venue("entry1.judge-a = x", "no such field");
    refuse_venue("booth1.judge-a = x\nbooth1.judge-a = y", "given twice");
    assert_int_equal(venue_parse(venue, "", "v", &diag), BL_DATA);
    assert_non_null(strstr(diag.text, "format = 0"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hostile_text),
        cmocka_unit_test(test_random_text),
        cmocka_unit_test(test_times_of_2009),
        cmocka_unit_test(test_times_between_rounds),
        cmocka_unit_test(test_times_that_are_none),
        cmocka_unit_test(test_moves_of_2004),
        cmocka_unit_test(test_moves_where_entities_are_met_singly),
        cmocka_unit_test(test_reports_of_all_rules),
        cmocka_unit_test(test_sides_and_seed_only_once_sealed),
        cmocka_unit_test(test_who_is_kept_apart_and_who_is_gone),
        cmocka_unit_test(test_pictures_of_typing_only_once_sealed),
        cmocka_unit_test(test_the_headline),
        cmocka_unit_test(test_screening_phrases_and_erasing),
        cmocka_unit_test(test_a_judges_sheet_tells_nothing),
        cmocka_unit_test(test_each_person_has_a_sheet),
        cmocka_unit_test(test_sheets_say_what_the_rules_ask),
        cmocka_unit_test(test_entry_form),
        cmocka_unit_test(test_tickets_of_pairs),
        cmocka_unit_test(test_doors_are_those_of_the_tickets),
        cmocka_unit_test(test_who_stays_knows_where),
        cmocka_unit_test(test_tickets_of_candidates),
        cmocka_unit_test(test_cables_are_drawn_for_each_round),
        cmocka_unit_test(test_a_booth_stays_as_it_is),
        cmocka_unit_test(test_what_a_venue_lacks),
        cmocka_unit_test(test_styles_of_tickets),
        cmocka_unit_test(test_entry_network),
        cmocka_unit_test(test_a_venues_file),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    contest_destroy(contest);
    free(venue);
    return failed;
}
