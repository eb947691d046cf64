/* The verbs of the screening: screen puts a file of questions to an Entry and records the answers,
 * score gives points for an answer, screening prints the table (2009 §4, 2004 A9). */
#include "cli/contest.h"

#include "base/loop.h"
#include "base/utf8.h"
#include "cli/screen_entry.h"
#include "contest/act_word.h"
#include "session/event.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUESTION_MAX 500
#define ANSWER_MAX   4000
#define QUIET_US     2500000  /* silence after which an answer counts as complete */
#define WAIT_US      60000000 /* wait for the first key of an answer */

struct question {
    char kind[32], text[QUESTION_MAX];
};

struct questioning {
    struct contest_file *file;
    unsigned entry;
    uv_loop_t loop;
    struct screen_entry *entrant;
    struct bl_timer timer;
    struct question question[CONTEST_QUESTIONS];
    unsigned questions, first, asked; /* asked == first: the Entry is not ready yet */
    uint64_t asked_us, last_us;
    char answer[ANSWER_MAX + 8];
    size_t length;
    bool exited;
    enum bl_status status;
    struct bl_diag *diag;
};

struct contest_screen_options {
    struct contest_options common;
    struct screen_entry_options entry;
};

static bool is_utf8(const char *text)
{
    for (size_t left = strlen(text); left;) {
        uint32_t point;
        size_t n = utf8_decode((const uint8_t *)text, left, &point);
        if (n == 0 || point < ' ')
            return false;
        text += n;
        left -= n;
    }
    return true;
}

static enum bl_status read_questions(struct questioning *s, const char *path, struct bl_diag *diag)
{
    char line[QUESTION_MAX + 64];
    unsigned number = 0;
    enum bl_status status = BL_OK;
    FILE *file = fopen(path, "re");
    if (!file)
        return bl_fail(diag, BL_NOINPUT, "%s: %s", path, strerror(errno));
    while (status == BL_OK && fgets(line, sizeof line, file)) {
        struct question *q = &s->question[s->questions];
        char *colon = strchr(line, ':'), *text;
        size_t length = strcspn(line, "\r\n");
        number++;
        if (line[length] == '\0' && !feof(file))
            status = bl_fail(diag, BL_DATA, "%s:%u: a line is longer than %d bytes", path, number,
                             QUESTION_MAX);
        line[length] = '\0';
        if (status != BL_OK || line[strspn(line, " \t")] == '\0' || *line == '#')
            continue;
        text = colon ? colon + 1 + strspn(colon + 1, " \t") : line;
        if (!colon || colon == line || (size_t)(colon - line) >= sizeof q->kind || !*text ||
            strlen(text) >= sizeof q->text || !is_utf8(line))
            status =
                bl_fail(diag, BL_DATA, "%s:%u: expected a line such as 'time: What time is it?'",
                        path, number);
        else if (s->questions == CONTEST_QUESTIONS)
            status = bl_fail(diag, BL_DATA, "%s:%u: more than %d questions", path, number,
                             CONTEST_QUESTIONS);
        if (status != BL_OK)
            continue;
        memcpy(q->kind, line, (size_t)(colon - line));
        strcpy(q->text, text);
        s->questions++;
    }
    fclose(file);
    if (status == BL_OK && s->questions == 0)
        status = bl_fail(diag, BL_DATA, "%s: no question in it", path);
    return status;
}

static void finish(struct questioning *s, enum bl_status status)
{
    if (s->status == BL_OK)
        s->status = status;
    bl_timer_set(&s->timer, BL_NEVER);
    bl_timer_close(&s->timer, NULL);
    screen_entry_close(s->entrant);
}

/* Records and prints the answer to the last question. */
static enum bl_status record_answer(struct questioning *s)
{
    const struct question *q = &s->question[s->asked - 1];
    const struct act_body act = {.kind = ACT_ANSWER,
                                 .answer = {.entry = s->entry,
                                            .question = s->asked,
                                            .kind = q->kind,
                                            .asked = q->text,
                                            .answer = s->answer,
                                            .ms = s->last_us > s->asked_us
                                                      ? (int64_t)(s->last_us - s->asked_us) / 1000
                                                      : 0}};
    s->answer[s->length] = '\0';
    command_print("%u. %s: %s\n   ", s->asked, q->kind, q->text);
    command_print("%s\n", s->length ? s->answer : "(no answer)");
    return contest_file_append(s->file, &act, s->diag);
}

static void ask_next(struct questioning *s)
{
    enum bl_status status = s->asked > s->first ? record_answer(s) : BL_OK;
    const char *at;
    if (status != BL_OK || s->asked == s->questions || s->exited) {
        if (status == BL_OK && s->asked < s->questions)
            status = bl_fail(s->diag, BL_UNAVAIL, "the Entry ended after %u of %u question%s",
                             s->asked, s->questions, BL_S(s->questions));
        finish(s, status);
        return;
    }
    s->length = 0;
    at = s->question[s->asked++].text;
    for (size_t left = strlen(at); left;) {
        uint32_t point;
        size_t n = utf8_decode((const uint8_t *)at, left, &point);
        screen_entry_give(s->entrant, point);
        at += n;
        left -= n;
    }
    screen_entry_give(s->entrant, KEY_RETURN);
    s->asked_us = s->last_us = bl_mono_us();
    bl_timer_set(&s->timer, s->asked_us + WAIT_US);
}

static void on_key(void *ctx, uint32_t point)
{
    struct questioning *s = ctx;
    s->last_us = bl_mono_us();
    if (point == KEY_BACKSPACE) {
        while (s->length && (s->answer[--s->length] & 0xc0) == 0x80)
            continue;
    } else if (s->length < ANSWER_MAX) {
        if (point == KEY_RETURN || point == KEY_TAB)
            point = ' ';
        s->length += utf8_encode(point, (uint8_t *)s->answer + s->length);
    }
    bl_timer_set(&s->timer, s->last_us + QUIET_US);
}

static void on_ready(void *ctx)
{
    struct questioning *s = ctx;
    bl_timer_set(&s->timer, bl_mono_us() + QUIET_US);
}

static void on_ended(void *ctx)
{
    struct questioning *s = ctx;
    s->exited = true;
    bl_timer_set(&s->timer, bl_mono_us() + QUIET_US);
}

static void on_time(struct bl_timer *timer)
{
    ask_next(timer->data);
}

static enum bl_status run(struct questioning *s, const struct screen_entry_options *asked,
                          struct bl_diag *diag)
{
    const struct screen_entry_callbacks callbacks = {on_key, on_ready, on_ended};
    enum bl_status status;
    uv_loop_init(&s->loop);
    status = bl_timer_init(&s->loop, &s->timer, on_time, s);
    if (status == BL_OK) {
        status = screen_entry_open(&s->entrant, &s->loop, asked, &callbacks, s, diag);
        if (status != BL_OK)
            finish(s, status);
    }
    uv_run(&s->loop, UV_RUN_DEFAULT);
    uv_loop_close(&s->loop);
    screen_entry_destroy(s->entrant);
    return status == BL_OK ? s->status : status;
}

static enum bl_status contest_screen(const struct command_call *call, struct bl_diag *diag)
{
    const struct contest_screen_options *options = call->options;
    struct contest_file file = {.store = NULL};
    struct questioning *s = calloc(1, sizeof *s);
    enum contest_role role;
    unsigned number;
    enum bl_status status = act_word_person(call->word[1], &role, &number, diag);
    if (status == BL_OK && !s)
        status = bl_fail(diag, BL_NOMEM, "no memory");
    if (status == BL_OK && role != CONTEST_ENTRY)
        status = bl_fail(diag, BL_USAGE, "'%.20s': expected an Entry, such as E1", call->word[1]);
    if (status == BL_OK)
        status = contest_file_open(&file, call, diag);
    if (status == BL_OK && number > file.contest->people[CONTEST_ENTRY])
        status = bl_fail(diag, BL_DATA, "there is no Entry %u", number);
    if (status == BL_OK)
        status = read_questions(s, call->word[2], diag);
    while (status == BL_OK && s->asked < s->questions &&
           file.contest->answered[number - 1][s->asked])
        s->asked++;
    if (status == BL_OK && s->asked == s->questions)
        status =
            bl_fail(diag, BL_DATA, "%s was screened already; \"contest screening\" has the table",
                    call->word[1]);
    if (status == BL_OK) {
        s->first = s->asked;
        s->file = &file;
        s->entry = number;
        s->diag = diag;
        status = run(s, &options->entry, diag);
    }
    contest_file_close(&file);
    free(s);
    return status;
}

struct row {
    unsigned entry;
    struct screening sum;
};

static int by_points(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    if (x->sum.points != y->sum.points)
        return x->sum.points < y->sum.points ? 1 : -1;
    return (x->entry > y->entry) - (x->entry < y->entry);
}

static enum bl_status contest_screening(const struct command_call *call, struct bl_diag *diag)
{
    const struct contest_options *options = call->options;
    struct contest_file file = {.store = NULL};
    struct row rows[SCHEDULE_ENTRIES_MAX];
    unsigned count = 0;
    enum bl_status status = contest_file_open(&file, call, diag);
    for (unsigned e = 0; status == BL_OK && e < file.contest->people[CONTEST_ENTRY]; e++)
        rows[count++] = (struct row){e, contest_screening_sum(file.contest, e)};
    if (status == BL_OK) {
        json_t *list = json_array();
        qsort(rows, count, sizeof rows[0], by_points);
        if (!options->json)
            printf("Points  Scored  Asked  Entry\n");
        for (unsigned i = 0; i < count; i++) {
            const struct row *r = &rows[i];
            const char *name = file.contest->person[CONTEST_ENTRY][r->entry].name;
            if (options->json)
                json_array_append_new(
                    list, json_pack("{s:i,s:s,s:i,s:i,s:i}", "entry", (int)r->entry + 1, "name",
                                    name, "points", (int)r->sum.points, "scored",
                                    (int)r->sum.scored, "asked", (int)r->sum.asked));
            else
                command_print("%6u  %6u  %5u  E%u %s\n", r->sum.points, r->sum.scored, r->sum.asked,
                              r->entry + 1, name);
        }
        if (options->json)
            command_json(json_incref(list), JSON_INDENT(2));
        json_decref(list);
    }
    contest_file_close(&file);
    return status;
}

/* The options of kinds fill a screen: `boothlink entity --help` has their help. */
static const struct command_option screen_options[] = {
#define WORD(id, name, value, help)                                                                \
    OPTION_ROW("--" name, value, NULL, OPTION_TEXT, struct contest_screen_options, entry.text.id),
    KIND_WORDS(WORD)
#undef WORD
        OPTION_ROW("--program-io", "pty|pipe", "what it talks through (default: pty)", OPTION_WORD,
                   struct contest_screen_options, entry.program_io),
    OPTION_ROW("--turn-end", "lf|cr|crlf|two-returns", "what a Return is to it (default: lf)",
               OPTION_WORD, struct contest_screen_options, entry.turn_end),
    OPTION_ROW("--folder", "DIR", "its own folder, of which it gets a copy (default: the current)",
               OPTION_TEXT, struct contest_screen_options, entry.folder),
    OPTION_ROW("--no-sandbox", NULL, "it may do all that this user may", OPTION_FLAG,
               struct contest_screen_options, entry.open),
    OPTION_ROW("--at", "TIME", "what its clock shows at the start, as 2009-09-06T10:00",
               OPTION_TEXT, struct contest_screen_options, entry.at),
    CONTEST_AUTHOR,
    {0},
};

static const struct command_option screening_options[] = {
    OPTION_JSON(struct contest_options, "print a JSON array"),
    {0},
};

const struct command contest_screen_verbs[] = {
    {
        .name = "contest screen",
        .synopsis = "FILE E2 QUESTIONS (--program CMD | --web URL | ...)",
        .help = "put questions to an Entry before the contest",
        .text = "QUESTIONS is a file; a line is KIND: QUESTION, where KIND is a word such as time, "
                "things, relationships or memory, and # begins a comment. What the Entry answers "
                "is recorded. Begun again, it goes on with the first question that has no answer. "
                "An Entry of any kind is asked: --program, --lpp, --lpp2, --web, --cgi, --chat and "
                "what goes with each are those of `boothlink entity --help`.",
        .options = screen_options,
        .size = sizeof(struct contest_screen_options),
        .least = 3,
        .most = 3,
        .run = contest_screen,
    },
    {
        .name = "contest score",
        .synopsis = "FILE E2 QUESTION POINTS",
        .help = "points for an answer of the screening",
        .text = "From 0 to 100; QUESTION is its number.",
        .examples = "boothlink contest score c.db E2 1 80",
        .options = contest_author,
        .least = 4,
        .most = 4,
        CONTEST_ACT(.kind = ACT_SCORE, .words = {"entry", "question", "points"},
                    .done = "$1 has $3 of 100 for question $2", .quiet = true),
    },
    {
        .name = "contest screening",
        .synopsis = "FILE",
        .help = "the table of the screening, the best first",
        .text = "With each Entry's points, and how many answers have none yet.",
        .options = screening_options,
        .size = sizeof(struct contest_options),
        .least = 1,
        .most = 1,
        .run = contest_screening,
    },
    {0},
};
