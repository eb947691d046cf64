/* The fields of acts, the acts of a contest's results, and the table of all kinds. */
#include "contest/contest_private.h"

#include <stdio.h>
#include <string.h>

enum bl_status field_text(const json_t *body, const char *key, char *out, size_t size,
                          struct bl_diag *diag)
{
    const char *text = json_string_value(json_object_get(body, key));
    if (!text || !*text)
        return bl_fail(diag, BL_DATA, "'%s': expected a text", key);
    if (strlen(text) >= size)
        return bl_fail(diag, BL_DATA, "'%s' is longer than %zu bytes", key, size - 1);
    for (const char *at = text; *at; at++)
        if ((unsigned char)*at < 0x20 || *at == 0x7f)
            return bl_fail(diag, BL_DATA, "'%s' has a control character in it", key);
    strcpy(out, text);
    return BL_OK;
}

enum bl_status field_number(const json_t *body, const char *key, json_int_t least, json_int_t most,
                            json_int_t *out, struct bl_diag *diag)
{
    const json_t *value = json_object_get(body, key);
    if (!json_is_integer(value) || json_integer_value(value) < least ||
        json_integer_value(value) > most)
        return bl_fail(diag, BL_DATA, "'%s': expected a whole number from %lld to %lld", key,
                       (long long)least, (long long)most);
    *out = json_integer_value(value);
    return BL_OK;
}

static int hex_digit(char c)
{
    const char *digits = "0123456789abcdef", *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

enum bl_status field_bytes(const json_t *body, const char *key, uint8_t *out, size_t length,
                           struct bl_diag *diag)
{
    const char *text = json_string_value(json_object_get(body, key));
    bool good = text && strlen(text) == 2 * length;
    for (size_t i = 0; good && i < length; i++) {
        int high = hex_digit(text[2 * i]), low = hex_digit(text[2 * i + 1]);
        good = high >= 0 && low >= 0;
        out[i] = (uint8_t)(high << 4 | low);
    }
    return good ? BL_OK : bl_fail(diag, BL_DATA, "'%s': expected %zu bytes in hex", key, length);
}

bool field_flag(const json_t *body, const char *key)
{
    return json_is_true(json_object_get(body, key));
}

enum bl_status field_role(const json_t *body, const char *key, enum contest_role *role,
                          struct bl_diag *diag)
{
    const char *text = json_string_value(json_object_get(body, key));
    for (unsigned r = 0; text && r < CONTEST_ROLES; r++) {
        if (strcmp(contest_role_name((enum contest_role)r), text) == 0) {
            *role = (enum contest_role)r;
            return BL_OK;
        }
    }
    return bl_fail(diag, BL_DATA,
                   "'%s': expected judge, entry or confederate, preliminary or organiser", key);
}

enum bl_status act_contest(struct contest *contest, const json_t *body, struct bl_diag *diag)
{
    const char *text = json_string_value(json_object_get(body, "ruleset"));
    enum bl_status status = field_text(body, "name", contest->name, sizeof contest->name, diag);
    if (contest->ruleset.format)
        return bl_fail(diag, BL_DATA, "the contest has its name and rules already");
    if (status == BL_OK && !text)
        return bl_fail(diag, BL_DATA, "'ruleset': expected its text");
    if (status == BL_OK)
        status = ruleset_parse(&contest->ruleset, text, "ruleset", diag);
    if (status == BL_OK)
        dates_begin(contest);
    return status;
}

/* "for" and "against": whether more than half of the judges are for it. */
static enum bl_status field_votes(const struct contest *contest, const json_t *body, bool *majority,
                                  struct bl_diag *diag)
{
    json_int_t votes[2], judges = contest->people[CONTEST_JUDGE];
    enum bl_status status = field_number(body, "for", 0, judges, &votes[0], diag);
    if (status == BL_OK)
        status = field_number(body, "against", 0, judges, &votes[1], diag);
    if (status != BL_OK)
        return status;
    if (votes[0] + votes[1] > judges)
        return bl_fail(diag, BL_DATA, "%lld votes: there are %lld judges",
                       (long long)(votes[0] + votes[1]), (long long)judges);
    *majority = votes[0] * 2 > judges;
    return BL_OK;
}

/* 2003 r43, r50. */
static enum bl_status check_majority(const struct contest *contest, const json_t *body,
                                     const char *rule, struct bl_diag *diag)
{
    bool majority = false;
    enum bl_status status = field_votes(contest, body, &majority, diag);
    if (status == BL_OK && !majority)
        return bl_fail(diag, BL_DATA, "%lld of %u judges are no majority (%s)",
                       (long long)json_integer_value(json_object_get(body, "for")),
                       contest->people[CONTEST_JUDGE], rule);
    return status;
}

enum bl_status field_entry(const struct contest *contest, const json_t *body, json_int_t *entry,
                           struct bl_diag *diag)
{
    enum bl_status status = field_number(body, "entry", 1, SCHEDULE_PEOPLE_MAX, entry, diag);
    if (status == BL_OK && *entry > contest->people[CONTEST_ENTRY])
        return bl_fail(diag, BL_DATA, "there is no Entry %lld", (long long)*entry);
    if (status == BL_OK)
        --*entry;
    return status;
}

enum bl_status act_disqualify(struct contest *contest, const json_t *body, struct bl_diag *diag)
{
    json_int_t entry;
    char why[256];
    bool organiser = field_flag(body, "organiser");
    const struct rule rule =
        ruleset_rule(&contest->ruleset, "result", "disqualify", organiser ? 1 : 0);
    enum bl_status status = field_entry(contest, body, &entry, diag);
    if (status == BL_OK)
        status = field_text(body, "why", why, sizeof why, diag);
    if (status == BL_OK &&
        contest->ruleset.disqualify == (organiser ? DISQUALIFY_JUDGES : DISQUALIFY_ORGANISER))
        return bl_fail(diag, BL_DATA, "these rules leave it to the %s (%s)",
                       organiser ? "judges' majority" : "organiser", rule.text);
    if (status == BL_OK && !organiser)
        status = check_majority(contest, body, rule.text, diag);
    if (status == BL_OK)
        contest->disqualified[entry] = true;
    return status;
}

/* Which of the ruleset's ways to break a tie this is, from 0; -1: none of them. */
static int find_way(const struct contest *contest, const char *word)
{
    int number = 0;
    for (const char *at = contest->ruleset.ties; *(at += strspn(at, " ,")); number++) {
        size_t length = strcspn(at, " ,");
        if (strlen(word) == length && memcmp(at, word, length) == 0)
            return number;
        at += length;
    }
    return -1;
}

static struct rule way_rule(const struct contest *contest, int way)
{
    return ruleset_rule(&contest->ruleset, "result", "ties", way);
}

/* 2003 r50: the judges confer and attempt to reach a majority; then a coin, never before. Acts of
 * old contests do not say "majority": they are one, at any time. */
enum bl_status act_confer(struct contest *contest, const json_t *body, struct bl_diag *diag)
{
    json_int_t entry, place = 1;
    const json_t *said = json_object_get(body, "majority");
    int way = find_way(contest, "confer");
    bool majority = false;
    enum bl_status status = field_entry(contest, body, &entry, diag);
    if (status == BL_OK && json_object_get(body, "place"))
        status = field_number(body, "place", 1, SCHEDULE_PEOPLE_MAX, &place, diag);
    if (status == BL_OK && !said)
        status = check_majority(contest, body, way_rule(contest, way).text, diag);
    if (status == BL_OK)
        status = field_votes(contest, body, &majority, diag);
    if (status != BL_OK)
        return status;
    if (said && way < 0)
        return bl_fail(diag, BL_DATA,
                       "these rules break ties by %s: no conference of the judges is among them",
                       contest->ruleset.ties);
    if (said && json_is_true(said) != majority)
        return bl_fail(diag, BL_DATA, "'majority' says otherwise than the votes");
    if (said && contest->coin_tossed)
        return bl_fail(diag, BL_DATA, "the coin was tossed already, and it has the last word (%s)",
                       way_rule(contest, find_way(contest, "coin")).text);
    contest->conferred[place - 1] = majority ? (uint8_t)(entry + 1) : 0;
    contest->split[place - 1] = !majority;
    return BL_OK;
}

/* Whether a coin may be committed to now. */
static enum bl_status check_coin(const struct contest *contest, struct bl_diag *diag)
{
    int coin = find_way(contest, "coin"), confer = find_way(contest, "confer");
    bool split = confer < 0 || confer > coin;
    if (coin < 0)
        return bl_fail(diag, BL_DATA, "these rules break ties by %s: no coin is among them",
                       contest->ruleset.ties);
    for (unsigned i = 0; i < SCHEDULE_PEOPLE_MAX; i++)
        split = split || contest->split[i];
    return split ? BL_OK
                 : bl_fail(diag, BL_DATA,
                           "the judges confer first, and the coin is tossed if they have no "
                           "majority: contest confer records both (%s)",
                           way_rule(contest, coin).text);
}

/* The coin's seed: first its commitment alone, then the seed, which must match. */
enum bl_status act_coin(struct contest *contest, const json_t *body, struct bl_diag *diag)
{
    uint8_t commitment[ACT_HASH_BYTES], seed[RESULT_SEED_BYTES];
    enum bl_status status = BL_OK;
    if (contest->coin_tossed)
        return bl_fail(diag, BL_DATA, "the coin was tossed already");
    if (!contest->coin_committed) {
        contest->coin_waits = field_flag(body, "after_conference");
        if (contest->coin_waits)
            status = check_coin(contest, diag);
        if (status == BL_OK)
            status =
                field_bytes(body, "commitment", contest->coin_commitment, ACT_HASH_BYTES, diag);
        contest->coin_committed = status == BL_OK;
        return status;
    }
    status = field_bytes(body, "seed", seed, sizeof seed, diag);
    if (status != BL_OK)
        return status;
    contest_commit(seed, sizeof seed, commitment);
    if (memcmp(commitment, contest->coin_commitment, sizeof commitment) != 0)
        return bl_fail(diag, BL_DATA, "this seed is not the one that was committed to");
    memcpy(contest->coin, seed, sizeof seed);
    contest->coin_tossed = true;
    return BL_OK;
}

/* 2003 r17: a phrase that is not to be published. The journals keep it. */
enum bl_status act_phrase(struct contest *contest, const json_t *body, struct bl_diag *diag)
{
    char why[CONTEST_PHRASE];
    enum bl_status status;
    if (contest->ruleset.phrases_deleted != WORD_YES)
        return bl_fail(diag, BL_DATA, "these rules let nothing be taken out of what is published");
    if (contest->phrases == CONTEST_PHRASES)
        return bl_fail(diag, BL_DATA, "there are %d already", CONTEST_PHRASES);
    status = field_text(body, "why", why, sizeof why, diag);
    if (status == BL_OK)
        status = field_text(body, "text", contest->phrase[contest->phrases], CONTEST_PHRASE, diag);
    if (status == BL_OK)
        strcpy(contest->phrase_why[contest->phrases], why);
    contest->phrases += status == BL_OK;
    return status;
}

enum bl_status act_erased(struct contest *contest, const json_t *body, struct bl_diag *diag)
{
    json_int_t entry;
    char why[256];
    enum bl_status status = field_entry(contest, body, &entry, diag);
    if (status == BL_OK)
        status = field_text(body, "why", why, sizeof why, diag);
    if (status != BL_OK)
        return status;
    if (contest->erased[entry])
        return bl_fail(diag, BL_DATA, "Entry %lld is erased already", (long long)entry + 1);
    contest->erased[entry] = true;
    return BL_OK;
}

#define ROW(name) {#name, act_##name},
static const struct kind {
    const char *name;
    enum bl_status (*apply)(struct contest *contest, const json_t *body, struct bl_diag *diag);
} kinds[] = {EACH_ACT(ROW)};
#undef ROW

enum bl_status contest_replay(struct contest *contest, const struct act *act, struct bl_diag *diag)
{
    const struct kind *kind = NULL;
    enum bl_status status;
    json_t *body;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].name, act->kind) == 0)
            kind = &kinds[i];
    if (!kind)
        return bl_fail(diag, BL_DATA, "act %lld is a '%.20s', which this version does not know",
                       (long long)act->number, act->kind);
    if (!contest->ruleset.format && kind->apply != act_contest)
        return bl_fail(diag, BL_DATA, "a contest begins with its name and rules");
    contest->now_us = act->at_us;
    body = json_loads(act->body, JSON_REJECT_DUPLICATES, NULL);
    if (!json_is_object(body))
        status = bl_fail(diag, BL_DATA, "act %lld: expected a JSON object", (long long)act->number);
    else
        status = kind->apply(contest, body, diag);
    json_decref(body);
    if (status == BL_OK)
        contest->acts = act->number;
    return status;
}
