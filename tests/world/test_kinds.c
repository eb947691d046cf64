/* Every kind of the table, with all that may happen to an Entry: it is asked at a screening, has a
 * ticket, is started, ends and is started again with F9, its terminal is killed, its machine loses
 * its power or is replaced by a spare one; between two questions, within one, before its answer and
 * within that. A new row of the table is tried without a new line here. `tests/system/kinds.sh` has
 * one real case for each. */
#include "tests/world/alone.h"
#include "tests/world/oracles.h"
#include "tests/world/scene.h"
#include "tests/world/typed.h"

#include "base/file.h"
#include "command/command.h"
#include "rules/kind.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#define TICKET "kinds.ticket"
#define CPU_S  60

enum event { STAYS, ENDS, KILLED, POWER, SPARE, JUDGE_KILLED, EVENTS };
static const char *const events[EVENTS] = {"nothing happens", "it ends, and F9",
                                           "kill -9",         "a power cut",
                                           "a spare machine", "the judge's terminal is killed"};

enum moment { BETWEEN, ASKING, ASKED, ANSWERING, MOMENTS };
static const char *const moments[MOMENTS] = {"between two questions", "within a question",
                                             "before the answer", "within the answer"};

struct trial {
    enum kind_id kind;
    bool started; /* with `program` beside its own word */
    enum event event;
    enum moment moment;
};

/* A value for a kind's own word, by what the table calls it; NULL: none is known. */
static const char *value_of(const struct entry_kind *kind)
{
    static const char *const values[][2] = {{"yes", "yes"},
                                            {"CMD", "./entry"},
                                            {"DIR", "folder"},
                                            {"PORT", "8080"},
                                            {"URL", "http://127.0.0.1:9/"}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (strcmp(kind->value, values[i][0]) == 0)
            return values[i][1];
    return NULL;
}

static void fail_to(struct scene *s, char *wrong, const char *what)
{
    snprintf(wrong, ALONE_WRONG, "%s; the judge's page: %.250s", what,
             scene_text(s, JUDGE, SIDE_LEFT));
}

static void write_ticket(const struct scene *s, const struct trial *t)
{
    char text[512];
    const struct entry_kind *kind = &entry_kinds[t->kind];
    int length =
        snprintf(text, sizeof text,
                 "[ticket]\nformat = 1\nrole = entity\nsession = s\n"
                 "[line]\nport = %s\n[entity]\n%s = %s\n%s",
                 s->port[1], kind->own, value_of(kind), t->started ? "program = ./entry\n" : "");
    if (file_write(TICKET, text, (size_t)length, NULL))
        world_die("no ticket");
}

static unsigned count(struct scene *s, const char *text)
{
    unsigned n = 0;
    for (const char *at = scene_text(s, JUDGE, SIDE_LEFT); (at = strstr(at, text)); at++)
        n++;
    return n;
}

/* Until the judge's page has that text. */
static const char *awaited;
static bool has_awaited(struct scene *s)
{
    return count(s, awaited) > 0;
}

static bool will_have(struct scene *s, const char *text)
{
    awaited = text;
    return scene_wait(s, has_awaited) && count(s, text) > 0;
}

/* Is there somebody at the left end who answers? A confederate is not: he types by himself. */
static bool answers(const struct trial *t)
{
    return t->kind != KIND_KEYBOARD;
}

static bool ask(struct scene *s, const struct trial *t, const char *line, const char *answer)
{
    scene_type(s, JUDGE, line);
    if (!answers(t)) {
        if (!scene_wait(s, scene_is_quiet))
            return false;
        scene_type(s, LEFT, answer);
    }
    return will_have(s, answer);
}

static bool happen(struct scene *s, const struct trial *t)
{
    const struct process *left = s->station[LEFT].process;
    switch (t->event) {
    case ENDS:
        if (!world_entry_end(s->station[LEFT].machine) ||
            !scene_will_read(s, LEFT, "F9 starts it again"))
            return false;
        scene_command(s, LEFT, SCREEN_BEGIN);
        return scene_will_note(s, LEFT, "started again by an attendant");
    case KILLED:
        scene_kill(s, LEFT, 5 * SECOND);
        break;
    case POWER:
        scene_cut_power(s, LEFT, 20 * SECOND);
        break;
    case SPARE:
        scene_replace(s, LEFT, 20 * SECOND);
        break;
    case JUDGE_KILLED:
        scene_kill(s, JUDGE, 5 * SECOND);
        return true;
    case STAYS:
    case EVENTS:
        return true;
    }
    while (s->station[LEFT].process == left)
        scene_pass(s, SECOND);
    return true;
}

/* Does a new Entry come, which knows nothing? Its answer may have been begun by another one. */
static bool is_new(const struct trial *t)
{
    bool outside = entry_kinds[t->kind].reach == KIND_REACHES_US && !t->started;
    return t->event == ENDS || t->event == SPARE || (t->event == POWER && !outside);
}

static void talk(struct scene *s, const struct trial *t, char *wrong)
{
    const struct entry_kind *kind = &entry_kinds[t->kind];
    bool broken = answers(t) && t->moment == ANSWERING && t->event != STAYS && is_new(t);
    if (!scene_wait(s, scene_is_open))
        return fail_to(s, wrong, "it does not begin");
    if (!ask(s, t, "one\n", "I hear one.\n"))
        return fail_to(s, wrong, "the first question is not answered");
    if (t->moment == ASKING)
        scene_type(s, JUDGE, "t");
    else if (t->moment != BETWEEN)
        scene_type(s, JUDGE, "two\n");
    if (t->moment == ANSWERING && answers(t) && !will_have(s, "I hear t"))
        return fail_to(s, wrong, "it does not begin to answer");
    if (t->moment != ANSWERING && !scene_wait(s, scene_is_quiet))
        return fail_to(s, wrong, "what the judge types does not arrive");
    if (!happen(s, t))
        return fail_to(s, wrong, "its end is not seen, or F9 does not start it");
    if (!scene_wait(s, scene_is_quiet) && answers(t) && !broken)
        return fail_to(s, wrong, "the line does not come back");
    scene_type(s, JUDGE, t->moment == BETWEEN ? "two\n" : t->moment == ASKING ? "wo\n" : "");
    if (!answers(t) && scene_wait(s, scene_is_quiet))
        scene_type(s, LEFT, "I hear two.\n");
    if (!broken && !will_have(s, "I hear two.\n"))
        return fail_to(s, wrong, "the second question is not answered");
    if (broken) /* its last word stands; it says no more of that */
        scene_pass(s, 10 * SECOND);
    if (!ask(s, t, "three\n", "I hear three.\n"))
        return fail_to(s, wrong, "the third question is not answered");
    scene_pass(s, 10 * SECOND);
    if (count(s, "I hear one.\n") != 1 || count(s, "I hear t") > (broken ? 3u : 2u) ||
        count(s, "I hear three.\n") != 1 || (!broken && count(s, "I hear two.\n") != 1))
        return fail_to(s, wrong, "it answers what was answered");
    if (kind->told && is_new(t) &&
        !strstr(world_entry_told(s->station[LEFT].machine), "I hear one"))
        fail_to(s, wrong, "it is not told what was said");
}

static void run(const void *setup, void *result)
{
    static char *words[] = {
        (char *)"boothlink", (char *)"entity", (char *)"--ticket", (char *)TICKET,
        (char *)"--journal", (char *)"left",   (char *)"--day",    NULL};
    const struct trial *t = setup;
    char *wrong = result;
    struct scene *s = scene_begin(&(struct scene_setup){
        .seed = 100 + t->kind * 64 + t->event * 8 + t->moment, .plan = "240 both", .left = words});
    world_program(boothlink_main);
    world_greeting("");
    world_entries_repeat();
    write_ticket(s, t);
    talk(s, t, wrong);
    const char *found = scene_end(s);
    if (!wrong[0])
        snprintf(wrong, ALONE_WRONG, "%s", found);
}

static unsigned failed;

static void try(const struct trial *t)
{
    char wrong[ALONE_WRONG];
    world_apart(run, t, wrong, sizeof wrong, CPU_S);
    if (!wrong[0])
        return;
    failed++;
    printf("%s%s, %s %s: %s\n", entry_kinds[t->kind].own, t->started ? " that we start" : "",
           events[t->event], moments[t->moment], wrong);
}

/* A kind with each event that can happen to it. Only an Entry that a terminal has started ends. */
static void try_all(enum kind_id kind, bool started)
{
    for (int event = 0; event < EVENTS; event++)
        for (int moment = 0; moment < MOMENTS; moment++)
            if ((event != STAYS || moment == BETWEEN) && (event != ENDS || started))
                try(&(struct trial){kind,
                                    started && kind != KIND_PROGRAM && entry_kinds[kind].startable,
                                    (enum event)event, (enum moment)moment});
}

static void test_events(void **state)
{
    (void)state;
    failed = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        const struct entry_kind *row = &entry_kinds[kind];
        bool starts = row->ours || kind == KIND_PROGRAM;
        if (!value_of(row))
            fail_msg("%s: no value for %s is known here", row->own, row->value);
        try_all((enum kind_id)kind, starts);
        if (row->startable)
            try_all((enum kind_id)kind, true);
    }
    assert_int_equal(failed, 0);
}

/* A screening, by the words of the command line. */

struct screening {
    enum kind_id kind;
    bool started;
};

static void screen(const void *setup, void *result)
{
    static const char questions[] = "things: What is a hammer?\nmemory: Who is Harry?\n";
    const struct screening *sc = setup;
    const struct entry_kind *row = &entry_kinds[sc->kind];
    char *wrong = result, line[300];
    int code = 0;
    world_begin(7);
    world_program(boothlink_main);
    world_greeting("");
    world_entries_repeat();
    struct machine *m = machine_create("manager");
    if (file_write("questions", questions, strlen(questions), NULL))
        world_die("no questions");
    snprintf(line, sizeof line, "contest|screen|c.db|E1|questions|--%s|%s%s", row->own,
             value_of(row), sc->started ? "|--program|./entry" : "");
    const char *const typed[] = {
        "contest|new|c.db|--unsigned|--name|A contest|--ruleset|loebner-2009",
        "contest|add|c.db|entry|An Entry|--submitter|An author|--rights|--receipt", line,
        "contest|screening|c.db|--json"};
    const char *said = "";
    for (size_t i = 0; i < sizeof typed / sizeof *typed && !wrong[0]; i++) {
        said = typed_run(m, typed[i], &code);
        if (code)
            snprintf(wrong, ALONE_WRONG, "%s: %d, %.200s", typed[i], code, typed_complaints());
        else if (typed[i] == line && (!strstr(said, "I hear What is a hammer?.") ||
                                      !strstr(said, "I hear Who is Harry?.")))
            snprintf(wrong, ALONE_WRONG, "it does not answer; %.200s", said);
    }
    if (!wrong[0] && !strstr(said, "\"asked\":2") && !strstr(said, "\"asked\": 2"))
        snprintf(wrong, ALONE_WRONG, "the answers are not on record; %.200s", said);
    world_end();
}

static void try_screening(enum kind_id kind, bool started)
{
    char wrong[ALONE_WRONG];
    world_apart(screen, &(struct screening){kind, started}, wrong, sizeof wrong, CPU_S);
    failed += wrong[0] != '\0';
    if (wrong[0])
        printf("%s, at the screening: %s\n", entry_kinds[kind].own, wrong);
}

/* A confederate is not screened: he is no Entry. */
static void test_screening(void **state)
{
    (void)state;
    failed = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        if (kind != KIND_KEYBOARD)
            try_screening((enum kind_id)kind, false);
        if (entry_kinds[kind].startable)
            try_screening((enum kind_id)kind, true);
    }
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_events),
                                       cmocka_unit_test(test_screening)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
