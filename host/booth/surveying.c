#include "booth/surveying.h"

#include "base/file.h"
#include "base/utf8.h"
#include "booth/balloting.h"
#include "booth/messages.h"
#include "booth/viewing.h"
#include "rules/rulesets.h"
#include "screen/past.h"
#include "session/page.h"

#include <stdlib.h>
#include <string.h>

#define RULES_MAX 65536
#define TELL_US   8000000 /* duration of a message on the screen */

struct surveying {
    const struct surveying_options *options;
    struct ruleset rules;
    struct page *page;
    struct balloting balloting;
    struct booth_clock clock;
    struct viewing viewing;
    struct past past;
    char message[120];
    uint64_t message_until_us;
    bool missed, left; /* missed: the person was told that no answer is given; left: the person has
                        * left the page */
};

static const char *const words[SURVEY_PAGES] = {"before", "after"};

void surveying_name(const char *whose, enum ruleset_survey_page page, char out[SURVEYING_NAME])
{
    snprintf(out, SURVEYING_NAME, "survey-%s-%.15s", words[page], whose);
}

static void answers_path(const char *records, const char *name, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%.*s/%s.ballot", PATH_MAX - 64, records, name);
}

bool surveying_given(const char *records, const char *whose, enum ruleset_survey_page page)
{
    char name[SURVEYING_NAME], path[PATH_MAX];
    struct ballot_file *file = malloc(sizeof *file);
    surveying_name(whose, page, name);
    answers_path(records, name, path);
    bool given = file && balloting_load(file, path, NULL) == BL_OK && file->given;
    free(file);
    return given;
}

/* Loads the rules: a file, if the name has a '/'; otherwise built-in rules. */
static enum bl_status load_rules(struct surveying *s, struct bl_diag *diag)
{
    const char *name = s->options->ruleset;
    char *text = NULL;
    enum bl_status status = BL_OK;
    if (strchr(name, '/'))
        status = file_read_text(&text, name, RULES_MAX, "rules", diag);
    for (const struct built_text *at = ruleset_texts; !text && at->name; at++)
        if (strcmp(at->name, name) == 0)
            text = strdup(at->text);
    if (!status)
        status = ruleset_parse(&s->rules, text ? text : "", name, diag);
    free(text);
    return status;
}

static void put_text(struct page *page, const char *text)
{
    struct key_event event = {.party = PARTY_ENTITY};
    for (size_t at = 0, length = strlen(text), taken; at < length; at += taken) {
        taken = utf8_decode((const uint8_t *)text + at, length - at, &event.point);
        if (taken == 0)
            return;
        page_apply(page, &event);
    }
    event.point = KEY_RETURN;
    page_apply(page, &event);
}

static enum bl_status open_page(struct surveying *s, struct bl_diag *diag)
{
    const struct ruleset_survey *survey = &s->rules.survey[s->options->page];
    struct style style;
    if (!survey->line[0][0])
        return bl_fail(diag, BL_DATA, say_fail_the_rules_have_no_survey, s->options->ruleset,
                       words[s->options->page]);
    style_begin(&style, STYLE_SPLIT, 1);
    snprintf(style.label[PARTY_ENTITY], sizeof style.label[0], "%s", say_please_read);
    snprintf(style.label[PARTY_JUDGE], sizeof style.label[0], "%s", say_answer_below);
    s->page = page_create(&style);
    if (!s->page)
        return bl_fail(diag, BL_NOMEM, say_fail_no_memory_for_the_pages);
    for (unsigned i = 0; i < SURVEY_LINES && survey->line[i][0]; i++)
        put_text(s->page, survey->line[i]);
    return BL_OK;
}

static enum bl_status open_answers(struct surveying *s, struct bl_diag *diag)
{
    struct ballot_head head = {
        .vote = {.kind = BALLOT_SURVEY, .asked = s->rules.survey[s->options->page].asked},
        .sealing = SEALED_WITH_CONTEST};
    char path[PATH_MAX];
    surveying_name(s->options->whose, s->options->page, head.session);
    snprintf(head.rules, sizeof head.rules, "%s", s->rules.name);
    snprintf(head.contest, sizeof head.contest, "%s", s->options->contest);
    answers_path(s->options->records, head.session, path);
    return balloting_open(&s->balloting, path, &head, NULL, diag);
}

static uint64_t look(void *ctx, struct screen_model *model, uint64_t now_us)
{
    struct surveying *s = ctx;
    uint64_t due = balloting_run(&s->balloting, booth_now(&s->clock));
    if (now_us < s->message_until_us)
        booth_sooner(&due, s->message_until_us);
    s->past.ballot = true;
    s->past.who[0] = "";
    *model = (struct screen_model){
        .role = PARTY_JUDGE,
        .sides = 1,
        .side = {{.page = s->page,
                  .title = s->options->page == SURVEY_BEFORE ? say_before_your_sessions
                                                             : say_after_your_sessions,
                  .reach = REACH_YES,
                  .reason = "",
                  .state = ""}},
        .segment = s->balloting.file.head.session,
        .remaining_us = UINT64_MAX,
        .message = now_us < s->message_until_us ? s->message : "",
        .entry = "",
        .form = &s->balloting.form,
        .past = &s->past,
    };
    return due;
}

static void tell(struct surveying *s, const char *text)
{
    snprintf(s->message, sizeof s->message, "%s", text);
    s->message_until_us = bl_mono_us() + TELL_US;
}

static bool on_first(void *ctx, enum input_what what, uint32_t point)
{
    struct surveying *s = ctx;
    enum bl_status status = BL_OK;
    bool taken = true;
    if (what == INPUT_F10 && (s->missed || s->balloting.file.given)) {
        s->left = true;
        viewing_stop(&s->viewing);
        return true;
    }
    if (what == INPUT_F10) {
        s->missed = true;
        tell(s, say_nothing_is_given_yet_f10);
    } else if (what == INPUT_F12) {
        tell(s, say_there_is_no_line_here);
    } else {
        taken = balloting_feed(&s->balloting, what, point, booth_now(&s->clock).wall_us, &status);
    }
    if (status)
        tell(s, say_it_cannot_be_written_call);
    if (taken)
        viewing_look(&s->viewing);
    return taken;
}

static void on_warning(void *ctx, const char *text)
{
    tell(ctx, text);
}

static void on_kept(void *ctx)
{
    struct surveying *s = ctx;
    balloting_kept(&s->balloting);
    viewing_look(&s->viewing);
}

static enum bl_status begin(void *ctx, uv_loop_t *loop, struct bl_diag *diag)
{
    struct surveying *s = ctx;
    const struct sync_callbacks called = {on_warning, on_kept};
    enum bl_status status = lines_attach(s->balloting.lines, loop, &called, s);
    if (status)
        return bl_fail(diag, status, say_fail_the_ballot_file, bl_status_text(status));
    s->balloting.form.state = FORM_OPEN;
    return BL_OK;
}

static void end(void *ctx)
{
    struct surveying *s = ctx;
    balloting_close(&s->balloting);
}

enum bl_status surveying_run(const struct surveying_options *options, bool *left,
                             struct bl_diag *diag)
{
    static const struct viewing_callbacks callbacks = {
        .first = on_first, .begin = begin, .look = look, .end = end};
    struct surveying *s = calloc(1, sizeof *s);
    if (!s)
        return bl_fail(diag, BL_NOMEM, say_fail_no_memory);
    s->options = options;
    booth_clock_init(&s->clock);
    enum bl_status status = load_rules(s, diag);
    if (!status)
        status = open_page(s, diag);
    if (!status)
        status = open_answers(s, diag);
    if (!status)
        status = viewing_run(&s->viewing, &options->screens, options->kiosk, options->small,
                             &callbacks, s, diag);
    *left = s->left || status;
    balloting_close(&s->balloting);
    page_destroy(s->page);
    free(s);
    return status;
}
