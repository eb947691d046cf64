/* The desk's program as far as ballots go, for the tests of a contest's file, which kill it.
 *
 *   balloter FILE new JUDGES CANDIDATES   makes a contest in which all sessions have begun
 *   balloter FILE cast FIRST STEP         casts the ballots of judges FIRST, FIRST + STEP, ...; one
 *                                         that is there already is left; "cast J C" is printed for
 *                                         each once it is stored
 *   balloter FILE list                    prints "J C RATING" for each ballot that counts
 *
 * A judge's rating of a candidate follows from their numbers. */
#include "contest/contest.h"
#include "rules/rulesets.h"
#include "contest/store.h"
#include "tests/support/plan.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

static struct contest *contest;
static struct store *store;
static struct bl_diag diag;

static void die(void)
{
    fprintf(stderr, "balloter: %s\n", diag.text);
    exit(EX_SOFTWARE);
}

static enum bl_status take(void *ctx, const struct act *act, struct bl_diag *why)
{
    return contest_replay(ctx, act, why);
}

static enum bl_status try_act(void *ctx, const struct act *act, struct bl_diag *why)
{
    return contest_apply(ctx, act, why);
}

static enum bl_status append(const char *kind, const char *body)
{
    struct act act = {.at_us = 1000, .author = "test", .kind = kind, .body = body};
    return store_append(store, contest->acts, &act, take, try_act, contest, &diag);
}

static void must(const char *kind, const char *body)
{
    if (append(kind, body))
        die();
}

static void make_schedule(unsigned judges, unsigned candidates)
{
    static struct schedule schedule;
    json_t *rounds = json_array(), *body = json_pack("{s:o}", "rounds", rounds);
    char *text, begin[32];
    plan_all(&schedule, judges, candidates, 0, true);
    for (unsigned r = 0; r < schedule.rounds; r++)
        json_array_append_new(rounds, json_array());
    for (unsigned i = 0; i < schedule.count; i++)
        json_array_append_new(
            json_array_get(rounds, schedule.meeting[i].round),
            json_pack("[i,i]", schedule.meeting[i].judge + 1, schedule.meeting[i].entry + 1));
    text = json_dumps(body, JSON_COMPACT);
    must("schedule", text);
    free(text);
    json_decref(body);
    for (unsigned r = 1; r <= schedule.rounds; r++) {
        snprintf(begin, sizeof begin, "{\"round\":%u}", r);
        must("begin", begin);
    }
}

static void make(const char *path, unsigned judges, unsigned candidates)
{
    char person[96];
    if (store_create(&store, path, &diag))
        die();
    for (const struct built_text *at = ruleset_texts; at->name; at++) {
        if (strcmp(at->name, "loebner-1996") != 0)
            continue;
        json_t *body = json_pack("{s:s,s:s}", "name", "A contest", "ruleset", at->text);
        char *text = json_dumps(body, 0);
        must("contest", text);
        free(text);
        json_decref(body);
    }
    for (unsigned i = 1; i <= judges + candidates; i++) {
        snprintf(person, sizeof person,
                 "{\"role\":\"%s\",\"name\":\"N %u\",\"submitter\":\"S %u\"}",
                 i <= judges ? "judge" : "entry", i, i);
        must("person", person);
    }
    make_schedule(judges, candidates);
}

static bool is_there(unsigned judge, unsigned candidate)
{
    for (unsigned i = 0; i < contest->ballots; i++)
        if (contest->ballot[i].judge == judge && contest->ballot[i].entry == candidate)
            return true;
    return false;
}

static void cast(unsigned first, unsigned step)
{
    for (unsigned j = first; j < contest->people[CONTEST_JUDGE]; j += step) {
        for (unsigned c = 0; c < contest->people[CONTEST_ENTRY]; c++) {
            char body[96];
            if (is_there(j, c))
                continue;
            snprintf(body, sizeof body, "{\"judge\":%u,\"candidate\":%u,\"rating\":\"%u.%u\"}",
                     j + 1, c + 1, (j + c) % 10, c % 10);
            enum bl_status status = append("ballot", body);
            if (status == BL_OK) {
                printf("cast %u %u\n", j + 1, c + 1);
                fflush(stdout);
            } else if (status != BL_DATA || !is_there(j, c)) { /* no other program was first */
                die();
            }
        }
    }
}

int main(int argc, char **argv)
{
    unsigned a = argc > 3 ? (unsigned)atoi(argv[3]) : 0, b = argc > 4 ? (unsigned)atoi(argv[4]) : 0;
    if (argc < 3)
        return EX_USAGE;
    contest = contest_create();
    if (!contest)
        return EX_OSERR;
    if (strcmp(argv[2], "new") == 0) {
        make(argv[1], a, b);
    } else if (store_open(&store, argv[1], &diag) || store_read(store, 0, take, contest, &diag)) {
        die();
    } else if (strcmp(argv[2], "cast") == 0) {
        cast(a, b ? b : 1);
    } else {
        for (unsigned i = 0; i < contest->ballots; i++)
            printf("%d %d %d\n", contest->ballot[i].judge + 1, contest->ballot[i].entry + 1,
                   contest->ballot[i].rating);
    }
    store_close(store);
    contest_destroy(contest);
    return EX_OK;
}
