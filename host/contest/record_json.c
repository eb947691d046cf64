#include "contest/record_json.h"

#include "base/utf8.h"
#include "contest/draw.h"
#include "contest/personal.h"
#include "contest/result_json.h"
#include "rules/ballot_kind.h"

#include <stdlib.h>
#include <string.h>

/* Unpublished members, by the kind of the act. The author is unpublished, too. */
static const struct {
    const char *kind, *member;
} private[] = {
    {"person", "family"},     {"person", "team"},    {"person", "age"},
    {"person", "guardian"},   {"interests", "team"}, {"interests", "family"},
    {"substitute", "family"}, {"phrase", "text"},
};

bool record_is_private(const char *kind, const char *member)
{
    if (strcmp(member, PERSONAL_AUTHOR) == 0)
        return true;
    for (size_t i = 0; i < sizeof private / sizeof private[0]; i++)
        if (strcmp(private[i].kind, kind) == 0 && strcmp(private[i].member, member) == 0)
            return true;
    return false;
}

/* A printable form of a name, as JSON; NULL: no change needed. */
static char *plain_json(const char *text)
{
    char plain[4 * ACT_AUTHOR_MAX + 1];
    json_t *json;
    utf8_plain(plain, sizeof plain, text, strlen(text));
    if (strcmp(plain, text) == 0)
        return NULL;
    json = json_string(plain);
    char *out = json_dumps(json, JSON_ENCODE_ANY);
    json_decref(json);
    return out;
}

static enum record_part part_usual(void *ctx, const struct act *act, const char *member,
                                   const char *value, char **instead)
{
    (void)ctx;
    (void)value;
    if (strcmp(member, PERSONAL_AUTHOR) == 0)
        return (*instead = plain_json(act->author)) ? RECORD_INSTEAD : RECORD_OPEN;
    return record_is_private(act->kind, member) ? RECORD_KEEP : RECORD_OPEN;
}

static json_t *act_head(const struct act *act, const char *author, const char *body)
{
    return json_pack("{s:I,s:I,s:s,s:s,s:s}", "number", (json_int_t)act->number, "at_us",
                     (json_int_t)act->at_us, "author", author, "kind", act->kind, "body", body);
}

static void set_hex(json_t *json, const char *key, const uint8_t *bytes, size_t length)
{
    char hex[2 * CONTEST_SEED + 1];
    contest_hex(bytes, length, hex);
    json_object_set_new(json, key, json_string(hex));
}

static json_t *act_apart(const struct act *act, const struct record_mask *mask)
{
    json_t *json = act_head(act, act->chained_author, act->chained_body);
    json_t *opened = json_object(), *instead = json_object();
    for (unsigned i = 0; i < act->personals; i++) {
        const struct act_personal *p = &act->personal[i];
        char *other = NULL;
        switch (mask->part(mask->ctx, act, p->member, p->value, &other)) {
        case RECORD_OPEN: {
            json_t *open = json_pack("{s:s}", "value", p->value);
            set_hex(open, "salt", p->salt, ACT_SALT_BYTES);
            json_object_set_new(opened, p->member, open);
            break;
        }
        case RECORD_INSTEAD:
            json_object_set_new(instead, p->member, json_string(other));
            break;
        case RECORD_KEEP:
            break;
        }
        free(other);
    }
    set_hex(json, "hash", act->hash, ACT_HASH_BYTES);
    json_object_set_new(json, "opened", opened);
    if (json_object_size(instead))
        json_object_set(json, "instead", instead);
    json_decref(instead);
    return json;
}

/* Masks one member of an act that is published without its hash. */
static void mask_member(const struct act *act, const struct record_mask *mask, const char *member,
                        json_t *body, json_t *json)
{
    json_t *value = json_object_get(body, member);
    char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT), *other = NULL;
    enum record_part part = mask->part(mask->ctx, act, member, text, &other);
    if (part == RECORD_INSTEAD) {
        json_object_set_new(json_object_get(json, "instead"), member, json_string(other));
        json_object_set_new(body, member, json_loads(other, JSON_DECODE_ANY, NULL));
    } else if (part == RECORD_KEEP) {
        json_array_append_new(json_object_get(json, "withheld"), json_string(member));
        json_object_del(body, member);
    }
    free(text);
    free(other);
}

/* An act that was hashed whole, now without its hash. */
static json_t *act_masked(const struct act *act, const struct record_mask *mask)
{
    json_t *body = json_loads(act->body, 0, NULL), *value, *all = json_object();
    json_t *json = act_head(act, "", "");
    const char *key;
    json_object_set_new(json, "instead", json_object());
    json_object_set_new(json, "withheld", json_array());
    json_object_foreach(body, key, value)
    {
        if (personal_is(act->kind, key))
            json_object_set(all, key, value);
    }
    json_object_foreach(all, key, value)
    {
        mask_member(act, mask, key, body, json);
    }
    json_object_set_new(body, PERSONAL_AUTHOR, json_string(act->author));
    mask_member(act, mask, PERSONAL_AUTHOR, body, json);
    json_t *author = json_object_get(body, PERSONAL_AUTHOR);
    json_object_set(json, "author", author ? author : json_object_get(json, "author"));
    json_object_del(body, PERSONAL_AUTHOR);
    char *text = json_dumps(body, JSON_COMPACT | JSON_SORT_KEYS);
    json_object_set_new(json, "body", json_string(text));
    free(text);
    json_decref(all);
    json_decref(body);
    return json;
}

json_t *record_act(const struct act *act, const struct record_mask *mask)
{
    static const struct record_mask usual = {part_usual, NULL};
    if (act->chained_body)
        return act_apart(act, mask ? mask : &usual);
    if (mask)
        return act_masked(act, mask);
    char author[4 * ACT_AUTHOR_MAX + 1];
    json_t *body = json_loads(act->body, 0, NULL), *withheld = json_array(), *json;
    char *text = NULL;
    utf8_plain(author, sizeof author, act->author, strlen(act->author));
    if (strcmp(author, act->author) != 0)
        json_array_append_new(withheld, json_string(PERSONAL_AUTHOR));
    for (size_t i = 0; i < sizeof private / sizeof private[0]; i++)
        if (strcmp(private[i].kind, act->kind) == 0 &&
            json_object_del(body, private[i].member) == 0)
            json_array_append_new(withheld, json_string(private[i].member));
    if (json_array_size(withheld))
        text = json_dumps(body, JSON_COMPACT | JSON_SORT_KEYS);
    json = act_head(act, author, text ? text : act->body);
    set_hex(json, "hash", act->hash, ACT_HASH_BYTES);
    if (json_array_size(withheld))
        json_object_set(json, "withheld", withheld);
    json_decref(withheld);
    json_decref(body);
    free(text);
    return json;
}

json_t *record_draws(const struct contest *contest)
{
    json_t *draws = json_array();
    for (unsigned i = 0; i < contest->draws; i++) {
        const struct contest_draw *d = &contest->past[i];
        uint8_t key[CONTEST_SEED];
        char proof[DRAW_PROOF_MAX];
        unsigned from, to;
        json_t *draw = json_object();
        json_object_set_new(draw, "acts",
                            json_pack("[I,I,I]", (json_int_t)d->committed, (json_int_t)d->scheduled,
                                      (json_int_t)d->given));
        set_hex(draw, "commitment", d->commitment, sizeof d->commitment);
        set_hex(draw, "seed", d->seed, sizeof d->seed);
        if (d->public_name[0]) {
            json_object_set_new(draw, "public", json_string(d->public_name));
            json_object_set_new(draw, "value", json_string(d->public_value));
            json_object_set_new(draw, "by", json_string(d->public_by));
        }
        if (draw_rounds(contest, i, &from, &to)) {
            draw_key(contest, from, key);
            set_hex(draw, "key", key, sizeof key);
            json_object_set_new(draw, "rounds", json_pack("[i,i]", (int)from + 1, (int)to));
        }
        draw_tell(d, proof);
        json_object_set_new(draw, "proof", json_string(proof));
        json_array_append_new(draws, draw);
    }
    return draws;
}

static json_t *coins_json(const struct contest *contest)
{
    json_t *coins = json_array();
    for (unsigned i = 0; i < contest->tosses; i++) {
        const struct toss *toss = &contest->toss[i];
        json_t *coin = json_object(), *among = json_array();
        set_hex(coin, "commitment", toss->commitment, sizeof toss->commitment);
        if (toss->tossed)
            set_hex(coin, "seed", toss->seed, sizeof toss->seed);
        for (unsigned e = 0; e < SCHEDULE_ENTRIES_MAX; e++)
            if (toss->among >> e & 1)
                json_array_append_new(among, json_integer((json_int_t)e + 1));
        for (unsigned d = 0; d < contest->decisions; d++)
            if (contest->decision[d].coin && contest->decision[d].among == toss->among)
                json_object_set_new(coin, "chosen", json_integer(contest->decision[d].chosen));
        if (toss->dispute) {
            const struct dispute *dispute = &contest->dispute[toss->dispute - 1];
            json_object_set_new(coin, "dispute", json_integer(toss->dispute));
            if (toss->tossed)
                json_object_set_new(coin, "yes", json_boolean(dispute->answer == DISPUTE_YES));
        }
        json_object_set_new(coin, "among", among);
        json_array_append_new(coins, coin);
    }
    return coins;
}

static void set_ballot(const struct contest *contest, const struct result_input *input,
                       const struct ballot *ballot, json_t *json)
{
    const struct seat *seat = &input->seat[ballot - contest->ballot];
    unsigned entries = contest->people[CONTEST_ENTRY];
    json_t *vote = json_object();
    bool human = ballot->confederate != PERSON_NOBODY || ballot->entry >= entries;
    unsigned judge = input->seated ? seat->judge : ballot->judge;
    unsigned confederate = input->seated                          ? seat->confederate
                           : ballot->confederate != PERSON_NOBODY ? ballot->confederate
                                                                  : ballot->entry - entries;
    ballot_row(contest->ruleset.ballot)->to_json(ballot, vote);
    if (ballot->late)
        json_object_set_new(vote, "late", json_true());
    json_object_set_new(json, "ballot", vote);
    json_object_set_new(json, "judge_name",
                        json_string(contest_sitter_name(contest, CONTEST_JUDGE, judge)));
    if (human)
        json_object_set_new(
            json, "confederate_name",
            json_string(contest_sitter_name(contest, CONTEST_CONFEDERATE, confederate)));
}

static json_t *meeting_json(const struct contest *contest, const struct result_input *input,
                            const struct meeting *m)
{
    unsigned entries = contest->people[CONTEST_ENTRY], trial = contest_trial_of(contest, m->round);
    unsigned confederate = schedule_confederate(m, entries);
    const struct ballot *ballot = contest_ballot_of(contest, m);
    char session[CONTEST_SESSION_MAX];
    struct booths booths;
    json_t *json = json_pack("{s:i,s:i,s:i}", "round", m->round + 1, "trial", (int)trial + 1,
                             "judge", m->judge + 1);
    contest_session(contest, m, session);
    json_object_set_new(json, "session", json_string(session));
    if (m->entry < entries)
        json_object_set_new(json, "entry", json_integer(m->entry + 1));
    if (confederate != PERSON_NOBODY)
        json_object_set_new(json, "confederate", json_integer((json_int_t)confederate + 1));
    if (m->confederate != PERSON_NOBODY && contest->drawn)
        json_object_set_new(json, "left",
                            json_string(contest_entry_left(contest, m) ? "entry" : "confederate"));
    if (booths_draw(&booths, contest, trial, NULL) == BL_OK &&
        booth_of_meeting(contest, &booths, m) != BOOTH_NONE)
        json_object_set_new(json, "booth",
                            json_integer((json_int_t)booth_of_meeting(contest, &booths, m) + 1));
    if (contest_excluded(contest, m))
        json_object_set_new(json, "excluded", json_true());
    if (ballot)
        set_ballot(contest, input, ballot, json);
    else
        json_object_set_new(json, contest_is_missing(contest, m) ? "missing" : "void", json_true());
    return json;
}

static void add_step(void *ctx, const char *rule, const char *text)
{
    json_array_append_new(ctx, json_pack("{s:s,s:s}", "rule", rule, "text", text));
}

static json_t *outcome_json(const struct contest *contest, const struct result_input *input)
{
    struct result *result = malloc(sizeof *result);
    json_t *steps = json_array(), *json = NULL;
    if (result) {
        result_make(result, input, add_step, steps);
        json = result_json(contest, result, steps);
    }
    json_decref(steps);
    free(result);
    return json;
}

json_t *record_json(const struct contest *contest, json_t *acts)
{
    struct result_input *input = malloc(sizeof *input);
    json_t *meetings = json_array(), *ranks = json_array(), *json = json_object();
    if (!input || !json) {
        json_decref(acts);
        acts = NULL;
    } else {
        contest_result_input(contest, input);
        for (unsigned i = 0; i < contest->schedule.count; i++)
            if (contest->schedule.meeting[i].round < contest->begun)
                json_array_append_new(meetings,
                                      meeting_json(contest, input, &contest->schedule.meeting[i]));
        for (unsigned i = 0; i < contest->rankings; i++) {
            const struct ranking *r = &contest->ranking[i];
            json_array_append_new(ranks, json_pack("{s:i,s:i,s:i,s:i}", "judge", r->judge + 1,
                                                   "trial", r->trial + 1, "candidate",
                                                   r->candidate + 1, "rank", r->rank));
        }
        bool apart = json_object_get(json_array_get(acts, 0), "opened");
        json_object_set_new(json, "boothlink-record", json_integer(apart ? 2 : 1));
        json_object_set_new(json, "name", json_string(contest->name));
        json_object_set_new(json, "result", outcome_json(contest, input));
    }
    free(input);
    json_object_set_new(json, "draws", record_draws(contest));
    json_object_set_new(json, "coins", coins_json(contest));
    json_object_set_new(json, "meetings", meetings);
    json_object_set_new(json, "ranks", ranks);
    if (acts && json_object_set_new(json, "acts", acts) == 0)
        return json;
    json_decref(json);
    return NULL;
}
