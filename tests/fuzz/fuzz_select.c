/* Any bytes as the file of `contest select --data`: refused in a line and nothing is recorded, or
 * its acts are taken one after the other, as they were tried, and the same file has no more to
 * give. The first byte chooses the rules and whether lists are corrected. */
#include "contest/bulk.h"
#include "rules/rulesets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void take(struct contest *contest, const char *kind, json_t *body)
{
    char *text = json_dumps(body, JSON_COMPACT);
    const struct act act = {.number = 1, .author = "fuzz", .kind = kind, .body = text ? text : ""};
    struct bl_diag diag = {""};
    if (contest_apply(contest, &act, &diag)) {
        fprintf(stderr, "%s %s: %s\n", kind, act.body, diag.text);
        abort();
    }
    free(text);
    json_decref(body);
}

/* Nine Entries and three preliminary judges. */
static struct contest *make_contest(const char *rules)
{
    struct contest *contest = contest_create();
    if (!contest)
        abort();
    for (const struct built_text *at = ruleset_texts; at->name; at++)
        if (strcmp(at->name, rules) == 0)
            take(contest, "contest",
                 json_pack("{s:s,s:s}", "name", "A contest", "ruleset", at->text));
    for (int i = 1; i <= 9; i++)
        take(contest, "person",
             json_pack("{s:s,s:s+,s:s+,s:b,s:b,s:s}", "role", "entry", "name", "Entry ",
                       &"123456789"[9 - i], "submitter", "Author ", &"123456789"[9 - i], "rights",
                       1, "receipt", 1, "why", "on no day"));
    for (int i = 1; i <= 3; i++)
        take(contest, "person",
             json_pack("{s:s,s:s+}", "role", "preliminary", "name", "Panel ", &"123"[3 - i]));
    return contest;
}

static struct act_batch read_acts(const struct contest *contest, json_t *data, bool correct)
{
    struct bl_diag diag = {""};
    struct act_batch acts;
    if (bulk_acts(contest, data, "fuzz", correct, &acts, &diag) != BL_OK) {
        if (!diag.text[0])
            abort();
        acts.count = 0;
    }
    return acts;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const char *const rules[] = {"loebner-1996", "loebner-2003", "loebner-2004",
                                        "loebner-2009"};
    static struct contest *made[4];
    if (length == 0)
        return 0;
    unsigned which = bytes[0] & 3;
    bool correct = bytes[0] & 4;
    if (!made[which])
        made[which] = make_contest(rules[which]);
    json_t *data = json_loadb((const char *)bytes + 1, length - 1, JSON_REJECT_DUPLICATES, NULL);
    struct act_batch acts = read_acts(made[which], data, correct), again;
    if (acts.count) {
        struct contest *contest = make_contest(rules[which]);
        for (size_t i = 0; i < acts.count; i++)
            take(contest, act_kind_name(acts.act[i].kind), act_body_write(&acts.act[i]));
        again = read_acts(contest, data, correct);
        if (again.count)
            abort();
        act_batch_free(&again);
        contest_destroy(contest);
    }
    act_batch_free(&acts);
    json_decref(data);
    return 0;
}
