/* Transcripts of every year: what is read of them, what is lost between them, what is wrong. */
#include "tests/support/histories.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct history h;
static struct text written;

static int clean(void **state)
{
    (void)state;
    history_free(&h);
    text_free(&written);
    return 0;
}

static void read_text(enum format format, const char *text)
{
    enum format found;
    history_free(&h);
    assert_true(format_detect((const uint8_t *)text, strlen(text), &found));
    assert_string_equal(format_row(found)->name, format_row(format)->name);
    histories_read(format, text, strlen(text), &h);
}

/* The keys of a part and a party as text, Return as '/', BackSpace as '<'. */
static const char *typed(size_t part, enum side side, enum party party)
{
    static char text[1024];
    size_t length = 0;
    for (size_t i = 0; i < h.keys && length + 1 < sizeof text; i++) {
        const struct history_key *key = &h.key[i];
        if (key->part == part && key->side == side && key->party == party)
            text[length++] = (char)(key->point == KEY_RETURN      ? '/'
                                    : key->point == KEY_BACKSPACE ? '<'
                                                                  : key->point);
    }
    text[length] = '\0';
    return text;
}

static void assert_fault(size_t at, uint64_t line, enum history_fault_kind kind)
{
    assert_true(at < h.faults);
    assert_string_equal(history_fault_name(h.fault[at].kind), history_fault_name(kind));
    assert_int_equal(h.fault[at].line, line);
}

static void assert_same(enum format format, const char *text)
{
    histories_write(format, &h, &written);
    assert_string_equal(written.bytes, text);
}

#define S1996                                                                                      \
    "(c)1995 Cambridge Center For Behavioral Studies all rights reserved\r\n"                      \
    "[ELIZA] [Joseph Weizenbaum]\r\n"                                                              \
    "Start at: [1995/12/16 14:12:20]\r\n"                                                          \
    "*** JUDGE04 ***\r\n"                                                                          \
    "PROGRAM[14:12:25]Welcome judge 4\r\n"                                                         \
    "JUDGE04[14:12:32]Who are you?\r\n"                                                            \
    "JUDGE04[14:12:33]\r\n"                                                                        \
    "*** JUDGE11 ***\r\n"                                                                          \
    "JUDGE11[00:00:01]Hi\r\n"

static void test_1996(void **state)
{
    (void)state;
    read_text(FORMAT_1996, S1996);
    assert_int_equal(h.damaged + h.odd, 0);
    assert_string_equal(h.part[0].contestant, "Joseph Weizenbaum");
    assert_string_equal(history_field_of(&h, 1, FIELD_PROGRAM), "ELIZA");
    assert_string_equal(history_field_of(&h, 0, FIELD_JUDGE), "4");
    assert_string_equal(history_field_of(&h, 1, FIELD_JUDGE), "11");
    assert_string_equal(typed(0, SIDE_LEFT, PARTY_ENTITY), "Welcome judge 4/");
    assert_string_equal(typed(0, SIDE_LEFT, PARTY_JUDGE), "Who are you?//");
    assert_int_equal(h.key[0].posted_us, 819123145000000u);          /* 1995-12-16T14:12:25Z */
    assert_int_equal(h.key[h.keys - 1].posted_us, 819158401000000u); /* past midnight */
    assert_same(FORMAT_1996, S1996);
    assert_same(FORMAT_2004, "This transcript is in the public domain\r\n"
                             "[ELIZA] [Joseph Weizenbaum]\r\n"
                             "Start at: [1995/12/16 14:12:20]\r\n"
                             "*** JUDGE04 ***\r\n"
                             "PROGRAM[14:12:25]Welcome judge 4\r\n"
                             "JUDGE04[14:12:32]Who are you?\r\n"
                             "JUDGE04[14:12:33]\r\n"
                             "*** JUDGE11 ***\r\n"
                             "JUDGE11[00:00:01]Hi\r\n");
    assert_null(strstr(written.bytes, "Cambridge"));
}

/* A judge names himself by "@@nn" and two Returns (1996 spec 1a). His line is in the file, as each
 * line of the screen is (spec 2e), in his own section. */

/* A session: "judge @@04//" is typed by the judge, '/' being Return and '<' BackSpace. */
static void make_typed(const char *judge, const char *const typed[])
{
    struct history_key key = {.posted_us = 829923140000000u}; /* 1996-04-19T14:12:20Z */
    history_free(&h);
    assert_int_equal(history_add_part(&h, NULL), BL_OK);
    assert_true(history_set(&h, FIELD_PROGRAM, "ELIZA", 5));
    assert_true(history_set(&h, FIELD_JUDGE, judge, strlen(judge)));
    for (size_t i = 0; typed[i]; i++) {
        key.party = strncmp(typed[i], "judge ", 6) == 0 ? PARTY_JUDGE : PARTY_ENTITY;
        for (const char *c = strchr(typed[i], ' ') + 1; *c; c++) {
            key.point = *c == '/'   ? KEY_RETURN
                        : *c == '<' ? KEY_BACKSPACE
                                    : (uint32_t)(unsigned char)*c;
            assert_int_equal(history_add_key(&h, &key), BL_OK);
        }
    }
}

/* The lines below the header, without their times, and back again byte for byte. */
static void assert_sections(enum format format, const char *expected)
{
    struct text again = {NULL, 0, 0};
    struct history back;
    char lines[2048];
    const char *from;
    size_t length = 0;
    histories_write(format, &h, &written);
    from = strstr(strstr(written.bytes, "Start at:"), "***");
    for (; *from; from++) {
        if (strncmp(from, "[14:12:20]", 10) == 0)
            from += 9;
        else if (*from != '\r')
            lines[length++] = *from == '\n' ? '|' : *from;
    }
    lines[length] = '\0';
    assert_string_equal(lines, expected);
    histories_read(format, written.bytes, written.length, &back);
    assert_int_equal(back.damaged, 0);
    histories_write(format, &back, &again);
    assert_string_equal(again.bytes, written.bytes);
    history_free(&back);
    text_free(&again);
}

/* The rules' example (spec 2e), to the letter. */
static void test_1996_printed(void **state)
{
    (void)state;
    static const char example[] = "*** JUDGE04 ***\r\n"
                                  "PROGRAM[14:12:20]Welcome judge 4\r\n"
                                  "JUDGE04[14:12:20]Do you think that the\r\n"
                                  "JUDGE04[14:12:20]Republicans can succeed\r\n"
                                  "JUDGE04[14:12:20]In winning the White House?\r\n"
                                  "PROGRAM[14:12:20]Only if Newt succeeds in\r\n"
                                  "PROGRAM[14:12:20]developing a more tolerant image\r\n";
    const char *const typed[] = {
        "judge @@04//",
        "entity Welcome judge 4/",
        "judge Do you think that the/Republicans can succeed/",
        "judge In winning the White House?//",
        "entity Only if Newt succeeds in/developing a more tolerant image/",
        NULL};
    static const char *const judges[] = {"3", "4", ""};
    for (unsigned i = 0; i < 3; i++) {
        make_typed(judges[i], typed);
        histories_write(FORMAT_PRINTED, &h, &written);
        assert_string_equal(strstr(written.bytes, "*** JUDGE04"), example);
        assert_true(format_losses(FORMAT_PRINTED, &h) & 1u << LOSS_TURNS);
        assert_false(format_losses(FORMAT_1996, &h) & 1u << LOSS_TURNS);
    }
    make_typed("4", (const char *const[]){"judge Hi/", "judge @@05/so/", "entity /", NULL});
    histories_write(FORMAT_PRINTED, &h, &written);
    assert_string_equal(strstr(written.bytes, "***"),
                        "*** JUDGE04 ***\r\nJUDGE04[14:12:20]Hi\r\nJUDGE04[14:12:20]@@05\r\n"
                        "JUDGE04[14:12:20]so\r\nPROGRAM[14:12:20]\r\n");
    assert_false(format_losses(FORMAT_PRINTED, &h) & 1u << LOSS_TURNS);
    histories_write(FORMAT_2003, &h, &written); /* 2003 r27 */
    assert_memory_equal(written.bytes, "(c)2003 Cambridge Center", 24);
}

static void test_1996_newcomers(void **state)
{
    (void)state;
    /* The rules' example. */
    make_typed("3",
               (const char *const[]){"judge Hi//", "entity Yes/", "judge @@04//",
                                     "entity Welcome judge 4/", "judge Do you/", "judge /", NULL});
    assert_sections(FORMAT_1996, "*** JUDGE03 ***|JUDGE03Hi|JUDGE03|PROGRAMYes|*** JUDGE04 ***|"
                                 "JUDGE04@@04|JUDGE04|PROGRAMWelcome judge 4|JUDGE04Do you|"
                                 "JUDGE04|");
    assert_true(format_losses(FORMAT_1996, &h) & 1u << LOSS_JUDGE);
    assert_false(format_losses(FORMAT_2012, &h) & 1u << LOSS_JUDGE);
    assert_sections(FORMAT_2004, "*** JUDGE03 ***|JUDGE03Hi|JUDGE03|PROGRAMYes|*** JUDGE04 ***|"
                                 "JUDGE04@@04|JUDGE04|PROGRAMWelcome judge 4|JUDGE04Do you|"
                                 "JUDGE04|");
    assert_sections(FORMAT_2002, "***JUDGE03***|JUDGE03 Hi|JUDGE03 |PROGRAM Yes|***JUDGE04***|"
                                 "JUDGE04 @@04|JUDGE04 |PROGRAM Welcome judge 4|JUDGE04 Do you|"
                                 "JUDGE04 |");
    /* He who is there already names himself; and again; and the first of all, who is not known. */
    make_typed("4", (const char *const[]){"judge @@04//", "judge Hi//", "judge @@04//", NULL});
    assert_sections(FORMAT_1996, "*** JUDGE04 ***|JUDGE04@@04|JUDGE04|JUDGE04Hi|JUDGE04|"
                                 "*** JUDGE04 ***|JUDGE04@@04|JUDGE04|");
    make_typed("", (const char *const[]){"judge @@00//", "judge @@11//", NULL});
    assert_sections(FORMAT_1996, "*** JUDGE00 ***|JUDGE00@@00|JUDGE00|*** JUDGE11 ***|JUDGE11@@11|"
                                 "JUDGE11|");
    make_typed("3", (const char *const[]){"judge @@04//", NULL});
    assert_sections(FORMAT_1996, "*** JUDGE03 ***|*** JUDGE04 ***|JUDGE04@@04|JUDGE04|");
    /* Keys that were taken back do not count, and the entity may type meanwhile. */
    make_typed("3", (const char *const[]){"judge @@1", "entity x", "judge <04/", "entity y/",
                                          "judge /", NULL});
    assert_sections(FORMAT_1996, "*** JUDGE03 ***|*** JUDGE04 ***|JUDGE04@@04|PROGRAMxy|JUDGE04|");
    /* No other judge: one Return, another line, more or less than that, and not the judge. */
    make_typed("3", (const char *const[]){"judge @@04/Hi/", "judge @@04", NULL});
    assert_sections(FORMAT_1996, "*** JUDGE03 ***|JUDGE03@@04|JUDGE03Hi|JUDGE03@@04|");
    make_typed("3", (const char *const[]){"judge @@4//@@004//@@x4// @@04//@@04 //", NULL});
    assert_sections(FORMAT_1996, "*** JUDGE03 ***|JUDGE03@@4|JUDGE03|JUDGE03@@004|JUDGE03|"
                                 "JUDGE03@@x4|JUDGE03|JUDGE03 @@04|JUDGE03|JUDGE03@@04 |JUDGE03|");
    make_typed("3", (const char *const[]){"entity @@04//", NULL});
    assert_sections(FORMAT_1996, "*** JUDGE03 ***|PROGRAM@@04|PROGRAM|");
    assert_false(format_losses(FORMAT_1996, &h) & 1u << LOSS_JUDGE);
}

/* Programs may have put the judge's line behind the two Returns: it is there once. */
static void test_1996_newcomer_above(void **state)
{
    static const char text[] = "(c)1995 somebody\r\n"
                               "[ELIZA] [J W]\r\n"
                               "Start at: [1996/04/19 14:12:20]\r\n"
                               "*** JUDGE03 ***\r\n"
                               "JUDGE03[14:12:20]@@04\r\n"
                               "JUDGE03[14:12:21]\r\n"
                               "*** JUDGE04 ***\r\n"
                               "PROGRAM[14:12:22]Welcome judge 4\r\n";
    (void)state;
    read_text(FORMAT_1996, text);
    assert_int_equal(h.damaged + h.odd, 0);
    assert_same(FORMAT_1996, text);
    assert_int_equal(format_losses(FORMAT_1996, &h) & 1u << LOSS_JUDGE, 0);
}

/* What somebody typed is no judge's line: it has its source and its time before it (spec 2e). */
static void test_1996_typed_judge(void **state)
{
    static const char *const texts[] = {"*** JUDGE04 ***", "***JUDGE04***"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        for (enum format format = FORMAT_1996; format <= FORMAT_2004; format++) {
            struct history back;
            char judge[64], entity[64];
            snprintf(judge, sizeof judge, "judge %s/", texts[i]);
            snprintf(entity, sizeof entity, "entity %s//", texts[i]);
            make_typed("3", (const char *const[]){judge, entity, "judge Hi/", NULL});
            histories_write(format, &h, &written);
            histories_read(format, written.bytes, written.length, &back);
            history_free(&h);
            h = back;
            assert_int_equal(h.damaged + h.odd, 0);
            assert_int_equal(h.parts, 1);
            assert_string_equal(h.part[0].judge, "3");
            snprintf(judge, sizeof judge, "%s/Hi/", texts[i]);
            snprintf(entity, sizeof entity, "%s//", texts[i]);
            assert_string_equal(typed(0, SIDE_LEFT, PARTY_JUDGE), judge);
            assert_string_equal(typed(0, SIDE_LEFT, PARTY_ENTITY), entity);
        }
    }
    /* Nor are the two lines above the start, and a judge's number ends before its bracket. */
    for (size_t i = 0; i < 3; i++) {
        static const char *const notices[] = {"*** JUDGE04 ***", "JUDGES may read this",
                                              "PROGRAM[1] is ours"};
        make_typed("4[x]", (const char *const[]){"judge Hi/", NULL});
        strcpy(h.part[0].notice, notices[i]);
        assert_true(format_losses(FORMAT_1996, &h) & 1u << LOSS_WORDS);
        histories_write(FORMAT_1996, &h, &written);
        history_free(&h);
        histories_read(FORMAT_1996, written.bytes, written.length, &h);
        assert_int_equal(h.damaged + h.odd, 0);
        assert_string_equal(h.part[0].notice, notices[i]);
        assert_int_equal(h.parts, 1);
        assert_string_equal(h.part[0].judge, "4(x)");
        assert_string_equal(typed(0, SIDE_LEFT, PARTY_JUDGE), "Hi/");
    }
    /* A judge's line has nothing besides: this is damage, and not another judge. */
    read_text(FORMAT_1996, S1996 "*** JUDGE05 *** I typed this\r\n"
                                 "*** JUDGE05 *** and this ***\r\n");
    assert_int_equal(h.parts, 2);
    assert_fault(0, 10, FAULT_RECORD);
    assert_fault(1, 11, FAULT_RECORD);
}

/* The sample of the rules, which is not what they ask for. */
static void test_1996_loose(void **state)
{
    (void)state;
    read_text(FORMAT_1996, "(c)1995 somebody\n"
                           "PC Therapist\n"
                           "Start at: 1995/12/16 14:12:20\n"
                           "\n"
                           "JUDGE04[14:12:32] In winning the White House?\n"
                           "JUDGE05[14:12:31]>\n");
    assert_string_equal(history_field_of(&h, 0, FIELD_PROGRAM), "PC Therapist");
    assert_string_equal(typed(0, SIDE_LEFT, PARTY_JUDGE), " In winning the White House?/>/");
    assert_int_equal(h.damaged, 0);
    assert_fault(0, 5, FAULT_HEADER);
    assert_fault(1, 6, FAULT_WHO);
    assert_fault(2, 6, FAULT_ORDER);
    assert_int_equal(h.eol, EOL_LF);
}

static void test_2002(void **state)
{
    static const char text[] = "(c)2002 somebody\n"
                               "[ELIZA] []\n"
                               "Start at: [2002/10/12 10:00:00]\n"
                               "***JUDGE04***\n"
                               "PROGRAM[10:00:01] Welcome\n"
                               "JUDGE04[10:00:09] \n";
    (void)state;
    read_text(FORMAT_2002, text);
    assert_int_equal(h.damaged + h.odd, 0);
    assert_string_equal(typed(0, SIDE_LEFT, PARTY_ENTITY), "Welcome/");
    assert_same(FORMAT_2002, text);
}

static void test_2004(void **state)
{
    static const char text[] = "This transcript is in the public domain\n"
                               "[ELIZA] [J W]\n"
                               "Start at: [2004/09/19 10:00:00]\n"
                               "*** JUDGE04 ***\n"
                               "PROGRAM[10:00:01]Hello, my name is X and I am the human\n";
    (void)state;
    read_text(FORMAT_2004, text);
    assert_int_equal(h.damaged + h.odd, 0);
    assert_string_equal(h.part[0].notice, "");
    assert_same(FORMAT_2004, text);
}

static void test_2007(void **state)
{
    static const char text[] = "Loebner Prize 2007\r\nsecond\r\nthird\r\n"
                               "starting round 1 left= Human right = Program 3\r\n"
                               "J3 011929736140563399 011929736140562500 local left H\r\n"
                               "J3 011929736150563399 000000000000000000 remote right CR\r\n"
                               "starting round 2 left= Program 4 right = Human\r\n"
                               "J3 011929736160563399 011929736140562500 local right '\r\n"
                               "J3 011929736170563399 011929736140562500 local right space\r\n";
    (void)state;
    read_text(FORMAT_2007, text);
    assert_int_equal(h.damaged + h.odd, 0);
    assert_int_equal(h.parts, 2);
    assert_int_equal(h.part[0].left, WHO_HUMAN);
    assert_int_equal(h.part[1].left, WHO_PROGRAM);
    assert_string_equal(h.part[1].program, "4");
    assert_string_equal(typed(0, SIDE_RIGHT, PARTY_ENTITY), "/");
    assert_int_equal(h.key[0].posted_us, 1192973614563399u);
    assert_int_equal(h.key[0].pressed_us, 1192973614562500u);
    assert_int_equal(h.key[1].pressed_us, 0);
    assert_same(FORMAT_2007, text);
    /* As the organiser describes them: the program's name stands in the third line alone. */
    read_text(FORMAT_2007, "Loebner Prize 2007 October 21 New York City\r\n"
                           "These transcripts are in the public domain\r\n"
                           "Transcripts of program P3\r\n"
                           "starting round 1 left= program right = human\r\n"
                           "J3 011929736140563399 011929736140562500 local left H\r\n");
    assert_int_equal(h.damaged + h.odd, 0);
    assert_int_equal(h.part[0].left, WHO_PROGRAM);
    assert_string_equal(h.part[0].program, "3");
    assert_string_equal(h.part[0].title, "Loebner Prize 2007 October 21 New York City");
    /* The names of later rules are read too. */
    read_text(FORMAT_2007, "a\r\nb\r\nc\r\nstarting round 1 left= Human right = Program 3\r\n"
                           "J3 011929736160563399 011929736140562500 local right quoteright\r\n");
    assert_string_equal(typed(0, SIDE_RIGHT, PARTY_JUDGE), "'");
}

static void test_2009(void **state)
{
    static const char text[] =
        "*Starting round 1 program P3 human H2 judge J2 left is P3 right is Human\n"
        "**Starting subround 1 program P3 human H2 judge J2 other is P3\n"
        "J2 012522395810610049 012522395810609375 local left H\n"
        "**Starting subround 2 program P3 human H2 judge J2 other is Human\n"
        "J2 012522395820610049 012522395810609375 remote right Return\n"
        "*Starting round 2 program P1 human H2 judge J2 left is Human right is P1\n"
        "J2 012522395830610049 012522395810609375 local left BackSpace\n";
    (void)state;
    read_text(FORMAT_2009, text);
    assert_int_equal(h.damaged + h.odd, 0);
    assert_int_equal(h.parts, 3);
    assert_string_equal(h.part[1].subround, "2");
    assert_int_equal(h.part[1].left, WHO_PROGRAM);
    assert_int_equal(h.part[1].other, WHO_HUMAN);
    assert_string_equal(h.part[2].program, "1");
    assert_string_equal(h.part[2].human, "2");
    assert_same(FORMAT_2009, text);
}

/* Programs of 2009 set blanks behind what they wrote. */
static void test_2009_trailing(void **state)
{
    (void)state;
    read_text(FORMAT_2009,
              "*Starting round 1 program P3 human H2 judge J2 left is P3 right is Human \n"
              "J2 012522395810610049 012522395810609375 local left H \n"
              "J2 012522395810610050 012522395810609375 local left space \n"
              "J2 012522395810610051 012522395810609375 local left   \n"
              "J2 012522395810610052 012522395810609375 local left  \n"
              "J2 012522395810610053 012522395810609375 local left i \n");
    assert_int_equal(h.damaged, 0);
    assert_string_equal(typed(0, SIDE_LEFT, PARTY_JUDGE), "H  i");
    assert_fault(0, 4, FAULT_BLANK);
    assert_fault(1, 5, FAULT_EMPTY);
    assert_fault(2, 0, FAULT_FIELD);
    assert_int_equal(h.odd, 3);
}

#define HEAD2012                                                                                   \
    "Our Prize 2012\r\nThese transcripts are in the public domain\r\n"                             \
    "Transcripts of judge 1 program my-entry round 2\r\nLeft =human \r\n"

static void test_2012(void **state)
{
    static const char text[] = HEAD2012 "J1 013370152380273400 judge left H\r\n"
                                        "J1 013370152380274400 my-entry right Return\r\n"
                                        "J1 013370152380275400 my-entry left BackSpace\r\n";
    (void)state;
    read_text(FORMAT_2012, text);
    assert_int_equal(h.damaged + h.odd, 0);
    assert_int_equal(h.key[0].posted_us, 1337015238273400u);
    assert_int_equal(h.part[0].left, WHO_HUMAN);
    assert_same(FORMAT_2012, text);
    /* Through our own formats. */
    for (enum format format = FORMAT_KEYS; format <= FORMAT_ASCIICAST; format++) {
        struct text between = {NULL, 0, 0};
        histories_write(format, &h, &between);
        read_text(format, between.bytes);
        assert_same(FORMAT_2012, text);
        text_free(&between);
    }
}

/* The confederate's keys are named so, and a program that was started again has another header. */
static void test_2013(void **state)
{
    static const char text[] = HEAD2012 "J1 013370152380273400 judge left H\r\n"
                                        "J1 013370152380274400 human left i\r\n"
                                        "J1 013370152380275400 my-entry right Return\r\n";
    static const char again[] = "Our Prize 2013\r\n"
                                "These transcripts are in the public domain\r\n"
                                "Transcripts of *restarted* program my-entry\r\n"
                                "Left=program\r\n"
                                "J4 013370152380273400 my-entry left H\r\n"
                                "J4 013370152380274400 human right i\r\n";
    enum format found;
    (void)state;
    assert_true(format_detect((const uint8_t *)text, strlen(text), &found));
    assert_int_equal(found, FORMAT_2013);
    read_text(FORMAT_2013, text);
    assert_int_equal(h.damaged + h.odd, 0);
    assert_string_equal(typed(0, SIDE_LEFT, PARTY_ENTITY), "i");
    assert_same(FORMAT_2013, text);
    assert_true(format_detect((const uint8_t *)again, strlen(again), &found));
    assert_int_equal(found, FORMAT_2013);
    read_text(FORMAT_2013, again);
    assert_int_equal(h.damaged + h.odd, 0);
    assert_true(h.part[0].restarted);
    assert_string_equal(h.part[0].judge, "4");
    assert_same(FORMAT_2013, again);
    histories_write(FORMAT_KEYS, &h, &written);
    read_text(FORMAT_KEYS, written.bytes);
    assert_same(FORMAT_2013, again);
    /* The header and the keys disagree. */
    read_text(FORMAT_2013, HEAD2012 "J1 013370152380274400 human right i\r\n");
    assert_fault(0, 5, FAULT_WHO);
}

/* A blank is a space that was on that page; nothing is nothing. Both come back as they were. */
static void test_2012_blanks(void **state)
{
    static const char text[] = HEAD2012 "J1 013370152380273400 judge left H\r\n"
                                        "J1 013370152380274400 judge left  \r\n"
                                        "J1 013370152380275400 judge left space\r\n";
    (void)state;
    read_text(FORMAT_2012, text);
    assert_int_equal(h.damaged, 0);
    assert_string_equal(typed(0, SIDE_LEFT, PARTY_JUDGE), "H  ");
    assert_fault(0, 6, FAULT_BLANK);
    assert_same(FORMAT_2012, text);
    histories_write(FORMAT_KEYS, &h, &written);
    read_text(FORMAT_KEYS, written.bytes);
    assert_same(FORMAT_2012, text);
    read_text(FORMAT_2012, HEAD2012 "J1 013370152380273400 judge left \r\n");
    assert_int_equal(h.keys, 0);
    assert_int_equal(h.damaged, 0);
    assert_fault(0, 5, FAULT_EMPTY);
}

static void assert_text(const char *conversation)
{
    histories_write(FORMAT_TEXT, &h, &written);
    assert_string_equal(strchr(written.bytes, '['), conversation);
}

/* What was taken back, Returns too where that page let it, is not in the conversation. */
static void test_taken_back(void **state)
{
    static const char keys[] = "J1 013370152380000000 judge left H\r\n"
                               "J1 013370152390000000 judge left i\r\n"
                               "J1 013370152400000000 judge left Return\r\n"
                               "J1 013370152410000000 judge left BackSpace\r\n"
                               "J1 013370152420000000 judge left BackSpace\r\n"
                               "J1 013370152430000000 judge left o\r\n"
                               "J1 013370152440000000 judge left Return\r\n";
    char text[1000];
    (void)state;
    snprintf(text, sizeof text, "%s%s", HEAD2012, keys);
    read_text(FORMAT_2012, text);
    assert_text("[17:07:18] Judge: Ho\n");
    assert_int_equal(format_lost_keys(LOSS_BACK, &h), 1);
    assert_int_equal(format_lost_keys(LOSS_BACKSPACE, &h), 4);
    histories_write(FORMAT_1996, &h, &written);
    assert_non_null(strstr(written.bytes, "*** JUDGE01 ***\r\nJUDGE01[17:07:24]Ho\r\n"));
    read_text(FORMAT_2009,
              "*Starting round 1 program P3 human H2 judge J2 left is P3 right is Human\n"
              "**Starting subround 1 program P3 human H2 judge J2 other is P3\n"
              "J2 012522395810000000 012522395810000000 local left H\n"
              "J2 012522395820000000 012522395820000000 local left Return\n"
              "J2 012522395830000000 012522395830000000 local left BackSpace\n"
              "J2 012522395840000000 012522395840000000 local left o\n"
              "J2 012522395850000000 012522395850000000 local left Return\n");
    assert_text("[12:19:41] Judge: Ho\n");
    read_text(FORMAT_KEYS, "# boothlink keys 1\n"
                           "1 left judge 2012-05-14T17:07:18.000000Z - H\n"
                           "2 left judge 2012-05-14T17:07:20.000000Z - Return\n"
                           "3 left judge 2012-05-14T17:07:21.000000Z - BackSpace\n"
                           "4 left judge 2012-05-14T17:07:22.000000Z - o\n");
    assert_text("[17:07:18] Judge: H\n[17:07:22] Judge: o\n");
}

/* A line is not cut in the middle of a word because the other party's Return came between. */
static void test_whole_words(void **state)
{
    (void)state;
    read_text(FORMAT_2012, HEAD2012 "J1 013370152380000000 judge left G\r\n"
                                    "J1 013370152390000000 my-entry left H\r\n"
                                    "J1 013370152390000000 my-entry left i\r\n"
                                    "J1 013370152400000000 my-entry left Return\r\n"
                                    "J1 013370152410000000 judge left o\r\n"
                                    "J1 013370152430000000 judge left u\r\n"
                                    "J1 013370152440000000 my-entry left Y\r\n"
                                    "J1 013370152450000000 my-entry left Return\r\n"
                                    "J1 013370152460000000 judge left Return\r\n");
    assert_text("[17:07:18] Judge: Gou\n[17:07:19] Entity: Hi\n[17:07:24] Entity: Y\n");
    /* A party that sends no Returns is parted where the other one has spoken, between words. */
    read_text(FORMAT_2012, HEAD2012 "J1 013370152380000000 my-entry left N\r\n"
                                    "J1 013370152390000000 my-entry left o\r\n"
                                    "J1 013370152390000000 my-entry left period\r\n"
                                    "J1 013370152400000000 judge left q\r\n"
                                    "J1 013370152410000000 judge left Return\r\n"
                                    "J1 013370152420000000 my-entry left Y\r\n");
    assert_text("[17:07:18] Entity: No.\n[17:07:20] Judge: q\n[17:07:22] Entity: Y\n");
}

/* Every sort of damage, each with its line, and all the rest is kept. */
static void test_2012_damaged(void **state)
{
    (void)state;
    read_text(FORMAT_2012, HEAD2012 "J1 013370152380273400 judge left a\r\n" /* line 5 */
                                    "J1 013370152380273401 my-entry right  \r\n"
                                    "J1 013370152380273402 judge left nokey\r\n"
                                    "J1 01337015238027340 judge left b\r\n"
                                    "J1 013370152381273403 judge up b\r\n"
                                    "\r\n" /* line 10 */
                                    "J1 013370152370273404 judge left c\r\n"
                                    "J2 013370152380273405 judge left d\r\n"
                                    "J1 013370152380273406 other left e\r\n"
                                    "J1 013370152380273407 judge left f\n"
                                    "J1 013370152380273408 jud");
    assert_string_equal(typed(0, SIDE_LEFT, PARTY_JUDGE), "acdf");
    assert_string_equal(typed(0, SIDE_LEFT, PARTY_ENTITY), "e");
    assert_string_equal(typed(0, SIDE_RIGHT, PARTY_ENTITY), " ");
    assert_fault(0, 6, FAULT_BLANK);
    assert_fault(1, 7, FAULT_KEY);
    assert_fault(2, 8, FAULT_RECORD);
    assert_fault(3, 9, FAULT_RECORD);
    assert_fault(4, 10, FAULT_FIELD);
    assert_fault(5, 11, FAULT_ORDER);
    assert_fault(6, 12, FAULT_WHO);
    assert_fault(7, 13, FAULT_WHO);
    assert_fault(8, 15, FAULT_CUT);
    assert_fault(9, 0, FAULT_EOL);
    assert_int_equal(h.damaged, 4);
    assert_int_equal(h.odd, 6);
    /* A converted file says so too. */
    histories_write(FORMAT_KEYS, &h, &written);
    read_text(FORMAT_KEYS, written.bytes);
    assert_int_equal(h.damaged, 4);
    assert_string_equal(h.fault[0].text,
                        "line 7: no key has this name: \"J1 013370152380273402 judge left nokey\"");
}

static void test_2012_headers(void **state)
{
    static const char record[] = "J1 013370152380273400 judge left H\r\n";
    (void)state;
    read_text(FORMAT_2012, record);
    assert_int_equal(h.keys, 1);
    for (size_t i = 0; i < 4; i++)
        assert_fault(i, 1, FAULT_HEADER);
    assert_string_equal(history_field_of(&h, 0, FIELD_JUDGE), "1");
    read_text(FORMAT_2012, "Our Prize\r\nTranscripts of judge  program x round \r\nLeft =\r\n");
    assert_fault(0, 2, FAULT_FIELD);
    assert_fault(1, 2, FAULT_FIELD);
    assert_fault(2, 3, FAULT_FIELD);
    assert_fault(3, 3, FAULT_HEADER);
    /* A last record without its line end: "e" may have been "exclam". */
    read_text(FORMAT_2012, HEAD2012 "J1 013370152380273400 judge left e");
    assert_int_equal(h.keys, 1);
    assert_fault(0, 5, FAULT_END);
}

#define SAID(content, to, id)                                                                      \
    "{\"content\":\"" content "\",\"to\":\"" to "\",\"id\":\"" id "\",\"secret\":\"\"}\n"

/* A round of 2016: each judge's messages together, whatever stands between them. */
static void test_2016(void **state)
{
    static const char text[] = SAID("Hello there", "ai1", "judge0")
        SAID("Hi \\\"x\\\"", "judge0", "ai1") SAID("", "ai1", "judge0")
            SAID("And you?", "conf3", "judge0") SAID("\xC3\xA9\xF0\x9F\x98\x80", "judge2", "conf0");
    static const char mixed[] = SAID("Hello there", "ai1", "judge0")
        SAID("\\u00e9\\ud83d\\ude00", "judge2",
             "conf0") "{\"secret\": \"\", \"id\": \"ai1\", \"to\": \"judge0\", \"content\": \"Hi "
                      "\\\"x\\\"\"}\n\n" SAID("", "ai1", "judge0")
                          SAID("And you?", "conf3", "judge0");
    struct history first;
    (void)state;
    read_text(FORMAT_2016, mixed);
    assert_int_equal(h.damaged + h.odd, 0);
    assert_int_equal(h.parts, 2);
    assert_string_equal(typed(0, SIDE_LEFT, PARTY_JUDGE), "Hello there//");
    assert_string_equal(typed(0, SIDE_RIGHT, PARTY_JUDGE), "And you?/");
    assert_string_equal(typed(0, SIDE_LEFT, PARTY_ENTITY), "Hi \"x\"/");
    assert_string_equal(history_field_of(&h, 0, FIELD_PROGRAM), "ai1");
    assert_string_equal(history_field_of(&h, 0, FIELD_HUMAN), "3");
    assert_string_equal(history_field_of(&h, 1, FIELD_JUDGE), "2");
    assert_same(FORMAT_2016, text);
    first = h;
    memset(&h, 0, sizeof h);
    read_text(FORMAT_2016, text);
    assert_null(histories_differ(&first, &h));
    history_free(&first);
    /* It goes through our own format, too. */
    histories_write(FORMAT_KEYS, &h, &written);
    read_text(FORMAT_KEYS, written.bytes);
    assert_same(FORMAT_2016, text);
}

static void test_2016_damaged(void **state)
{
    (void)state;
    read_text(
        FORMAT_2016,
        SAID("a", "ai1", "judge0") "no JSON\n" SAID("b", "ai1", "ai0")
            SAID("b", "judge1", "judge0") "{\"content\":3,\"to\":\"ai1\",\"id\":\"judge0\"}\n" SAID(
                "c", "ai1", "judge a") SAID("d\\u0007e\\nf", "ai1", "judge0") "{\"content\":\"c");
    assert_string_equal(typed(0, SIDE_LEFT, PARTY_JUDGE), "a/de/f/");
    for (size_t i = 0; i < 5; i++)
        assert_fault(i, i + 2, FAULT_RECORD);
    assert_fault(5, 7, FAULT_KEY);
    assert_fault(6, 8, FAULT_CUT);
    assert_int_equal(h.damaged, 7);
}

/* What two random parties said is the same after it was written and read; where nobody says who
 * sits where, nobody is called a human. */
static void test_2016_pairs(void **state)
{
    struct dice dice = dice_make(dice_seed("2016"));
    (void)state;
    for (unsigned i = 0; i < 300; i++) {
        struct history start;
        histories_make(&dice, &start);
        histories_write(FORMAT_2016, &start, &written);
        bool claims = strstr(written.bytes, "\":\"conf") != NULL;
        for (size_t part = 0; part < start.parts; part++)
            claims = claims && start.part[part].left == WHO_UNKNOWN;
        assert_false(claims);
        struct history first, second;
        histories_read(FORMAT_2016, written.bytes, written.length, &first);
        assert_int_equal(first.damaged, 0);
        histories_write(FORMAT_2016, &first, &written);
        histories_read(FORMAT_2016, written.bytes, written.length, &second);
        const char *differ = histories_differ(&first, &second);
        if (differ)
            fail_msg("%s\n%s", differ, written.bytes);
        history_free(&start);
        history_free(&first);
        history_free(&second);
    }
}

/* Names in the wild. */
static void test_key_names(void **state)
{
    static const char *const names[] = {"quotedble", "quotedl", "apostrophe", "grave",
                                        "tab",       "CR",      "\xC3\xA9",   "U+4E2D"};
    static const uint32_t points[] = {'"', '"', '\'', '`', KEY_TAB, KEY_RETURN, 0xE9, 0x4E2D};
    char text[1024] = HEAD2012;
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        strcat(text, "J1 013370152380273400 judge left ");
        strcat(text, names[i]);
        strcat(text, "\r\n");
    }
    read_text(FORMAT_2012, text);
    assert_int_equal(h.damaged + h.odd, 0);
    for (size_t i = 0; i < sizeof points / sizeof *points; i++)
        assert_int_equal(h.key[i].point, points[i]);
    histories_write(FORMAT_2012, &h, &written);
    assert_non_null(strstr(written.bytes, " left quoteright\r\n"));
    assert_non_null(strstr(written.bytes, " left quoteleft\r\n"));
}

static void test_encodings(void **state)
{
    static const char latin1[] = HEAD2012 "J1 013370152380273400 judge left \xE9\r\n";
    static const char utf8[] =
        "\xEF\xBB\xBF" HEAD2012 "J1 013370152380273400 judge left \xC3\xA9\r\n";
    (void)state;
    read_text(FORMAT_2012, latin1);
    assert_int_equal(h.encoding, ENCODING_CP1252);
    assert_int_equal(h.key[0].point, 0xE9);
    histories_write(FORMAT_KEYS, &h, &written);
    read_text(FORMAT_KEYS, written.bytes);
    assert_same(FORMAT_2012, latin1);
    read_text(FORMAT_2012, utf8);
    assert_int_equal(h.encoding, ENCODING_UTF8);
    assert_int_equal(h.key[0].point, 0xE9);
    assert_int_equal(h.damaged + h.odd, 0);
    assert_same(FORMAT_2012, utf8 + 3);
    /* What Windows-1252 lacks has a number in a record of keys. */
    h.encoding = ENCODING_CP1252;
    h.key[0].point = 0x4E2D;
    histories_write(FORMAT_2012, &h, &written);
    assert_non_null(strstr(written.bytes, " left U+4E2D\r\n"));
}

/* A field that would break a record is refused where it is read, so that nothing that is written
 * can be misread. */
static void test_keys_fields(void **state)
{
    (void)state;
    read_text(FORMAT_KEYS, "# boothlink keys 1\n"
                           "# @part\n"
                           "# @judge x y\n"
                           "# @colour red\n"
                           "# @left up\n"
                           "# @round 2\n"
                           "1 left judge 2009-09-06T15:32:45.610049Z - H\n"
                           "3 left judge 2009-09-06T15:32:45.610049Z - H\n");
    assert_fault(0, 3, FAULT_FIELD);
    assert_fault(1, 4, FAULT_FIELD);
    assert_fault(2, 5, FAULT_FIELD);
    assert_fault(3, 8, FAULT_MISSING);
    assert_int_equal(h.faults, 4);
    assert_int_equal(h.keys, 2);
    histories_write(FORMAT_2012, &h, &written);
    read_text(FORMAT_2012, written.bytes);
    assert_int_equal(h.keys, 2);
    assert_int_equal(h.damaged, 0);
    assert_string_equal(history_field_of(&h, 0, FIELD_ROUND), "2");
}

static void test_bounds(void **state)
{
    char *text;
    (void)state;
    /* More faults than are kept are still counted. */
    text = calloc(1, 4 * HISTORY_FAULTS + sizeof HEAD2012);
    strcpy(text, HEAD2012);
    for (size_t i = 0; i < 2 * HISTORY_FAULTS; i++)
        memcpy(text + sizeof HEAD2012 - 1 + 2 * i, "x\n", 2);
    read_text(FORMAT_2012, text);
    assert_int_equal(h.faults, HISTORY_FAULTS);
    assert_int_equal(h.damaged, 2 * HISTORY_FAULTS);
    free(text);
}

static void test_detect(void **state)
{
    static const char *const none[] = {"", "\n", "hello\n", "{\"a\": 1}\n", "J1 12 judge left a\n"};
    enum format format;
    (void)state;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_false(format_detect((const uint8_t *)none[i], strlen(none[i]), &format));
    read_text(FORMAT_2012, "J1 013370152380273400 judge left H\n");
    read_text(FORMAT_2007, "J1 013370152380273400 013370152380273400 local left H\n");
    /* What tells 2002 is the blank behind each time, and not one that somebody may have typed. */
#define IN_2002(blank)                                                                             \
    "(c)1996 somebody\n[ELIZA] []\nStart at: [2002/10/12 10:00:00]\n*** JUDGE04 ***\n"             \
    "PROGRAM[10:00:01] Welcome\nJUDGE04[10:00:09]" blank "Hello\n"
    read_text(FORMAT_2002, IN_2002(" "));
    assert_string_equal(typed(0, SIDE_LEFT, PARTY_ENTITY), "Welcome/");
    read_text(FORMAT_1996, IN_2002(""));
    assert_string_equal(typed(0, SIDE_LEFT, PARTY_ENTITY), " Welcome/");
    read_text(FORMAT_ASCIICAST, "{\"version\": 2, \"width\": 80, \"height\": 24}\n"
                                "[0.5, \"o\", \"\\u001b[H, \\\"k\\\", \"]\n");
    assert_int_equal(h.keys, 0);
    assert_int_equal(h.odd, 1);
}

/* What is lost on the way is what the list says, by every pair of formats. */
static void test_pairs(void **state)
{
    struct dice dice = dice_make(dice_seed("pairs"));
    (void)state;
    for (unsigned i = 0; i < 150; i++) {
        struct history start;
        histories_make(&dice, &start);
        for (enum format a = 0; a < FORMAT_TEXT; a++) {
            struct history first, first_wanted;
            const char *differ;
            histories_write(a, &start, &written);
            histories_read(a, written.bytes, written.length, &first);
            histories_strip(a, &start, &first_wanted);
            differ = histories_differ(&first, &first_wanted);
            if (differ || first.damaged)
                fail_msg("%s: %s\n%s", format_row(a)->name, differ ? differ : first.fault[0].text,
                         written.bytes);
            assert_int_equal(
                format_losses(a, &first) & ~format_losses(a, &start) & ~(1u << LOSS_START), 0);
            for (enum format b = 0; b < FORMAT_TEXT; b++) {
                struct history second, second_wanted;
                histories_write(b, &first, &written);
                histories_read(b, written.bytes, written.length, &second);
                histories_strip(b, &first, &second_wanted);
                differ = histories_differ(&second, &second_wanted);
                if (differ || second.damaged)
                    fail_msg("%s to %s: %s\n%s", format_row(a)->name, format_row(b)->name,
                             differ ? differ : second.fault[0].text, written.bytes);
                history_free(&second);
                history_free(&second_wanted);
            }
            history_free(&first);
            history_free(&first_wanted);
        }
        history_free(&start);
    }
}

/* Nothing is said to be lost where nothing is, and what differs was said. */
static void test_losses(void **state)
{
    struct dice dice = dice_make(dice_seed("losses"));
    (void)state;
    for (unsigned i = 0; i < 100; i++) {
        struct history start;
        histories_make(&dice, &start);
        for (enum format a = 0; a < FORMAT_TEXT; a++) {
            struct history back;
            uint32_t losses = format_losses(a, &start);
            const char *differ;
            histories_write(a, &start, &written);
            histories_read(a, written.bytes, written.length, &back);
            if (a <= FORMAT_2004) {
                /* These have a header of their own that fills gaps. */
                for (size_t p = 0; p < back.parts && p < start.parts; p++) {
                    memcpy(back.part[p].notice, start.part[p].notice, sizeof back.part[p].notice);
                    back.part[p].start_us = start.part[p].start_us;
                }
            }
            differ = histories_differ(&start, &back);
            if (differ && !losses)
                fail_msg("%s: nothing said, but %s\n%s", format_row(a)->name, differ,
                         written.bytes);
            history_free(&back);
        }
        assert_int_equal(format_losses(FORMAT_KEYS, &start), 0);
        history_free(&start);
    }
}

/* The next part that says something else there than part `at`. */
static size_t next_other(const struct history *of, size_t at, enum history_field field)
{
    const char *value = history_field_of(of, at, field);
    while (at < of->parts && strcmp(history_field_of(of, at, field), value) == 0)
        at++;
    return at;
}

/* Do both say the same of their runs? Where a judge named himself one of them has more parts. */
static bool is_same_in_runs(const struct history *a, const struct history *b,
                            enum history_field field)
{
    size_t i = 0, k = 0;
    while (i < a->parts && k < b->parts) {
        if (strcmp(history_field_of(a, i, field), history_field_of(b, k, field)) != 0)
            return false;
        i = next_other(a, i, field);
        k = next_other(b, k, field);
    }
    return i == a->parts && k == b->parts;
}

/* Is this of both the same? Only what can be told part by part. */
static bool is_kept(enum loss loss, const struct history *a, const struct history *b)
{
    static const struct {
        enum loss loss;
        enum history_field field;
    } of[] = {{LOSS_TITLE, FIELD_TITLE},       {LOSS_HEADERS, FIELD_HEADER2},
              {LOSS_HEADERS, FIELD_HEADER3},   {LOSS_CONTESTANT, FIELD_CONTESTANT},
              {LOSS_ROUND, FIELD_ROUND},       {LOSS_HUMAN, FIELD_HUMAN},
              {LOSS_SUBROUND, FIELD_SUBROUND}, {LOSS_EMPTY, FIELD_JUDGE},
              {LOSS_JUDGE, FIELD_JUDGE}};
    bool kept = true;
    for (size_t part = 0; part < a->parts; part++) {
        for (size_t i = 0; i < sizeof of / sizeof *of; i++)
            if (of[i].loss == loss && of[i].field < FIELD_FIRST_OF_PART)
                kept = kept && is_same_in_runs(a, b, of[i].field);
            else if (of[i].loss == loss)
                kept = kept && strcmp(history_field_of(a, part, of[i].field),
                                      history_field_of(b, part, of[i].field)) == 0;
        if (loss == LOSS_LEFT)
            kept = kept && a->part[part].left == b->part[part].left;
    }
    for (size_t i = 0; i < a->keys && a->keys == b->keys; i++)
        if (loss == LOSS_PRESSED)
            kept = kept && a->key[i].pressed_us == b->key[i].pressed_us;
    return kept;
}

#define LOSES_JUDGE (1u << LOSS_EMPTY | 1u << LOSS_JUDGE)

/* Each single thing that is not said to be lost is there. */
static void test_each_loss(void **state)
{
    struct dice dice = dice_make(dice_seed("each_loss"));
    unsigned lost[LOSSES] = {0}, kept[LOSSES] = {0};
    (void)state;
    for (unsigned i = 0; i < 600; i++) {
        struct history start;
        histories_make(&dice, &start);
        start.keys = dice_below(&dice, 2) ? start.keys : 0;
        for (enum format a = 0; a < FORMAT_TEXT; a++) {
            struct history back;
            uint32_t losses = format_losses(a, &start);
            histories_write(a, &start, &written);
            histories_read(a, written.bytes, written.length, &back);
            for (enum loss loss = 0; loss < LOSSES; loss++) {
                if (losses & 1u << loss)
                    lost[loss]++;
                else if (losses & 1u << LOSS_WORDS && loss == LOSS_CONTESTANT)
                    continue;
                else if (losses & LOSES_JUDGE && LOSES_JUDGE & 1u << loss)
                    continue; /* by the other one */
                else if (!is_kept(loss, &start, &back))
                    fail_msg("%s: lost without a word: %s\n%s", format_row(a)->name,
                             loss_text(loss), written.bytes);
                else
                    kept[loss]++;
            }
            history_free(&back);
        }
        history_free(&start);
    }
    /* The dice have shown both of each. */
    for (enum loss loss = 0; loss < LOSS_EVERYTHING; loss++)
        if (loss != LOSS_NAMES && loss != LOSS_TIMES && /* 2016's alone: test_2016_pairs */
            loss != LOSS_TURNS) {                       /* test_1996_printed */
            if (!lost[loss] || !kept[loss])
                fail_msg("%u times lost, %u kept: %s", lost[loss], kept[loss], loss_text(loss));
        }
}

/* Any bytes may be broken: what is read is kept and what is not is named. */
static void test_broken(void **state)
{
    struct dice dice = dice_make(dice_seed("broken"));
    (void)state;
    for (unsigned i = 0; i < 300; i++) {
        struct history start;
        enum format format = (enum format)dice_below(&dice, FORMAT_TEXT);
        histories_make(&dice, &start);
        histories_write(format, &start, &written);
        for (unsigned k = 0; k < 5 && written.length; k++)
            written.bytes[dice_below(&dice, written.length)] = (char)dice_below(&dice, 256);
        written.length -= dice_below(&dice, written.length / 4 + 1);
        history_free(&h);
        histories_read(format, written.bytes, written.length, &h);
        assert_true(h.keys <= 4 * start.keys + written.length);
        history_free(&start);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_1996, clean),
        cmocka_unit_test_teardown(test_1996_printed, clean),
        cmocka_unit_test_teardown(test_1996_newcomers, clean),
        cmocka_unit_test_teardown(test_1996_newcomer_above, clean),
        cmocka_unit_test_teardown(test_1996_typed_judge, clean),
        cmocka_unit_test_teardown(test_1996_loose, clean),
        cmocka_unit_test_teardown(test_2002, clean),
        cmocka_unit_test_teardown(test_2004, clean),
        cmocka_unit_test_teardown(test_2007, clean),
        cmocka_unit_test_teardown(test_2009, clean),
        cmocka_unit_test_teardown(test_2009_trailing, clean),
        cmocka_unit_test_teardown(test_2012, clean),
        cmocka_unit_test_teardown(test_2013, clean),
        cmocka_unit_test_teardown(test_2012_blanks, clean),
        cmocka_unit_test_teardown(test_taken_back, clean),
        cmocka_unit_test_teardown(test_whole_words, clean),
        cmocka_unit_test_teardown(test_2016, clean),
        cmocka_unit_test_teardown(test_2016_damaged, clean),
        cmocka_unit_test_teardown(test_2016_pairs, clean),
        cmocka_unit_test_teardown(test_2012_damaged, clean),
        cmocka_unit_test_teardown(test_2012_headers, clean),
        cmocka_unit_test_teardown(test_key_names, clean),
        cmocka_unit_test_teardown(test_encodings, clean),
        cmocka_unit_test_teardown(test_keys_fields, clean),
        cmocka_unit_test_teardown(test_bounds, clean),
        cmocka_unit_test_teardown(test_detect, clean),
        cmocka_unit_test_teardown(test_pairs, clean),
        cmocka_unit_test_teardown(test_losses, clean),
        cmocka_unit_test_teardown(test_each_loss, clean),
        cmocka_unit_test_teardown(test_broken, clean),
    };
    return cmocka_run_group_tests_name("history", tests, NULL, NULL);
}
