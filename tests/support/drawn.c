#include "tests/support/drawn.h"

#include "contest/draw.h"
#include "rules/rulesets.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void take(struct contest *contest, const char *kind, json_t *body)
{
    char *text = json_dumps(body, JSON_COMPACT);
    const struct act act = {.number = contest->acts + 1,
                            .author = "test",
                            .at_us = DRAWN_US,
                            .kind = kind,
                            .body = text};
    struct bl_diag diag = {""};
    if (contest_apply(contest, &act, &diag)) {
        fprintf(stderr, "%s %s: %s\n", kind, text, diag.text);
        abort();
    }
    free(text);
    json_decref(body);
}

static void add_person(struct contest *contest, const char *role, unsigned number)
{
    char name[32];
    snprintf(name, sizeof name, "The %s %u", role, number);
    json_t *body = json_pack("{s:s,s:s}", "role", role, "name", name);
    if (strcmp(role, "entry") == 0)
        json_object_update_new(body, json_pack("{s:s,s:b,s:b,s:s}", "submitter", name, "rights", 1,
                                               "receipt", 1, "comms", "comms"));
    if (strcmp(role, "confederate") == 0)
        json_object_set_new(body, "unknown", json_true());
    take(contest, "person", body);
}

static void draw(struct contest *contest)
{
    static const uint8_t seed[CONTEST_SEED] = {1};
    uint8_t commitment[ACT_HASH_BYTES];
    char hex[2 * ACT_HASH_BYTES + 1], revealed[2 * CONTEST_SEED + 1];
    contest_commit(seed, sizeof seed, commitment);
    contest_hex(commitment, sizeof commitment, hex);
    contest_hex(seed, sizeof seed, revealed);
    take(contest, "commit", json_pack("{s:s}", "commitment", hex));
    take(contest, "seed", json_pack("{s:s}", "seed", revealed));
}

struct contest *drawn_make(const char *ruleset)
{
    struct contest *contest = contest_create();
    if (!contest)
        abort();
    for (const struct built_text *at = ruleset_texts; at->name; at++)
        if (strcmp(at->name, ruleset) == 0)
            take(contest, "contest",
                 json_pack("{s:s,s:s}", "name", "A contest", "ruleset", at->text));
    for (unsigned i = 1; i <= 2; i++) {
        add_person(contest, "judge", i);
        add_person(contest, "entry", i);
        add_person(contest, "confederate", i);
    }
    take(contest, "schedule",
         json_loads("{\"rounds\":[[[1,1,1],[2,2,2]],[[1,2,2],[2,1,1]]]}", 0, NULL));
    draw(contest);
    take(contest, "begin", json_pack("{s:i,s:b}", "round", 1, "present", 1));
    return contest;
}

static enum bl_status apply(void *contest, const struct act *act, struct bl_diag *diag)
{
    return contest_apply(contest, act, diag);
}

void drawn_append(struct store *store, struct contest *contest, const char *kind, json_t *body)
{
    char *text = json_dumps(body, JSON_COMPACT | JSON_SORT_KEYS);
    struct act act = {.author = "Mirabel", .at_us = DRAWN_US, .kind = kind, .body = text};
    struct bl_diag diag = {""};
    if (store_append(store, contest->acts, &act, apply, apply, contest, &diag)) {
        fprintf(stderr, "%s %s: %s\n", kind, text, diag.text);
        abort();
    }
    free(text);
    json_decref(body);
}

void drawn_hold(struct store *store, struct contest *contest, const char *rules, uint8_t first)
{
    const uint8_t seed[CONTEST_SEED] = {first};
    uint8_t commitment[ACT_HASH_BYTES];
    char hex[2 * ACT_HASH_BYTES + 1], revealed[2 * CONTEST_SEED + 1];
    contest_commit(seed, sizeof seed, commitment);
    contest_hex(commitment, sizeof commitment, hex);
    contest_hex(seed, sizeof seed, revealed);
    drawn_append(store, contest, "contest",
                 json_pack("{s:s,s:s}", "name", "A contest", "ruleset", rules));
    drawn_append(store, contest, "person",
                 json_pack("{s:s,s:s}", "role", "judge", "name", "Adalinde"));
    drawn_append(
        store, contest, "person",
        json_pack("{s:s,s:s,s:s}", "role", "entry", "name", "Wimbot", "submitter", "Wimbert"));
    drawn_append(store, contest, "person",
                 json_pack("{s:s,s:s}", "role", "confederate", "name", "Ann"));
    drawn_append(store, contest, "commit", json_pack("{s:s,s:i}", "commitment", hex, "draw", 2));
    drawn_append(store, contest, "schedule", json_loads("{\"rounds\":[[[1,1,1]]]}", 0, NULL));
    drawn_append(store, contest, "seed", json_pack("{s:s}", "seed", revealed));
    drawn_append(store, contest, "begin", json_pack("{s:i,s:b}", "round", 1, "present", 1));
}
