/* Any texts are safe to read as the people and the venue of a contest. What is not taken is told.
 * Of what is taken `contest setup` makes acts that the rules allow, and a second setup has no more
 * to do.
 *
 * Input: a byte (the ruleset, and 128: fewer people than it asks for are no fault), the people's
 * file, a NUL, the venue's. */
#include "contest/act_batch.h"
#include "contest/contest.h"
#include "contest/setup.h"
#include "rules/rulesets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOW_US INT64_C(1790000000000000) /* in 2026, behind the days of all rules */

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static unsigned told;

static void on_tell(void *ctx, const char *text)
{
    (void)ctx;
    told++;
    if (!text[0] || strlen(text) > 4096 || strchr(text, '\n'))
        abort();
}

static const char *find_rules(unsigned number)
{
    unsigned count = 0;
    while (ruleset_texts[count].name)
        count++;
    return ruleset_texts[number % count].text;
}

static void take(struct contest *contest, const struct act_body *act, int64_t number)
{
    struct bl_diag diag = {""};
    json_t *body = act_body_write(act);
    char *text = body ? json_dumps(body, JSON_COMPACT) : NULL;
    const struct act stored = {.number = number,
                               .at_us = NOW_US,
                               .author = "fuzz",
                               .kind = act_kind_name(act->kind),
                               .body = text ? text : ""};
    json_decref(body);
    if (!text) {
        free(text);
        return; /* names that are no UTF-8: contest_file_append() says so */
    }
    if (contest_apply(contest, &stored, &diag)) {
        fprintf(stderr, "%s %s: %s\n", stored.kind, stored.body, diag.text);
        abort();
    }
    free(text);
}

static void set_up(const char *people_text, const char *venue_text, const char *rules, bool few)
{
    static struct people people;
    static struct venue venue;
    struct faults faults = {.tell = on_tell}, notes = {.tell = on_tell};
    struct contest *contest = contest_create();
    struct bl_diag diag = {""};
    memset(&people, 0, sizeof people);
    memset(&venue, 0, sizeof venue);
    people_parse(&people, people_text, "people.ini", &faults);
    venue_parse_all(&venue, venue_text, "venue.ini", &faults);
    for (unsigned round = 0; contest && round < 2; round++) {
        struct act_batch acts = {.count = 0};
        const struct setup setup = {.contest = contest,
                                    .people = &people,
                                    .venue = &venue,
                                    .people_name = "people.ini",
                                    .venue_name = "venue.ini",
                                    .ruleset = rules,
                                    .now_us = NOW_US,
                                    .few = few,
                                    .faults = &faults,
                                    .notes = &notes};
        const enum bl_status status = setup_acts(&setup, &acts, &diag);
        if ((status == BL_OK) != (faults.count == 0) || (status && !diag.text[0]) ||
            (round && (status || acts.count)))
            abort();
        for (size_t i = 0; status == BL_OK && i < acts.count; i++)
            take(contest, &acts.act[i], contest->acts + 1);
        act_batch_free(&acts);
        if (status)
            break;
    }
    contest_destroy(contest);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    if (length < 2 || length > 16384)
        return 0;
    char *text = calloc(1, length + 2); /* with a NUL behind each of both */
    if (!text)
        return 0;
    memcpy(text, bytes + 1, length - 1);
    told = 0;
    set_up(text, text + strlen(text) + 1, find_rules(bytes[0] & 127), bytes[0] & 128);
    free(text);
    return 0;
}
