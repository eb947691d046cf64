#include "tests/support/acts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "rules/rulesets.h"

struct contest *contest;
struct bl_diag diag;
int64_t number;
int64_t acts_now_us = INT64_C(1790000000000000); /* in 2026, behind the days of all rules */

enum bl_status apply(const char *kind, const char *format, ...)
{
    static char body[ACT_BODY_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(body, sizeof body, format, args);
    va_end(args);
    number++;
    const struct act act = {
        .number = number, .author = "test", .at_us = acts_now_us, .kind = kind, .body = body};
    diag.text[0] = '\0';
    return contest_apply(contest, &act, &diag);
}

void begin(const char *ruleset)
{
    begin_with(ruleset, "", "");
}

/* The first act: the ruleset's text as a JSON string. */
void begin_with(const char *ruleset, const char *from, const char *to)
{
    contest_destroy(contest);
    contest = contest_create();
    number = 0;
    for (const struct built_text *at = ruleset_texts; at->name; at++) {
        if (strcmp(at->name, ruleset) != 0)
            continue;
        const char *cut = strstr(at->text, from);
        assert_non_null(cut);
        size_t before = (size_t)(cut - at->text);
        char *rules = malloc(strlen(at->text) + strlen(to) + 1);
        assert_non_null(rules);
        sprintf(rules, "%.*s%s%s", (int)before, at->text, to, cut + strlen(from));
        json_t *body = json_pack("{s:s,s:s}", "name", "A contest", "ruleset", rules);
        char *text = json_dumps(body, 0);
        free(rules);
        TAKEN("contest", "%s", text);
        free(text);
        json_decref(body);
    }
    assert_int_equal(contest->ruleset.format, 1);
}

void people(unsigned judges, unsigned entries, unsigned confederates)
{
    for (unsigned i = 1; i <= judges; i++)
        TAKEN("person", "{\"role\":\"judge\",\"name\":\"Judge %u\"}", i);
    for (unsigned i = 1; i <= entries; i++)
        TAKEN("person",
              "{\"role\":\"entry\",\"name\":\"Entry %u\",\"submitter\":\"Author %u\","
              "\"rights\":true,\"receipt\":true,\"comms\":\"comms\"}",
              i, i);
    for (unsigned i = 1; i <= confederates; i++)
        TAKEN("person", "{\"role\":\"confederate\",\"name\":\"Confederate %u\",\"unknown\":true}",
              i);
}
