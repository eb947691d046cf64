#include "rules/ballot_kind.h"

#include "rules/ruleset.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SET(word) (1u << (word))
#define NO_RANKS  (SET(0) | SET(RANKS_NONE))

size_t vote_next_word(struct vote_words *words, const char **word)
{
    const char *at = words->at;
    *word = at;
    while (at < words->end && *at != ' ')
        at++;
    words->at = at < words->end ? at + 1 : at;
    return (size_t)(at - *word);
}

bool vote_take_word(struct vote_words *words, const char *expected)
{
    struct vote_words before = *words;
    const char *word;
    size_t length = vote_next_word(words, &word);
    if (length == strlen(expected) && memcmp(word, expected, length) == 0)
        return true;
    *words = before;
    return false;
}

static bool take_number(struct vote_words *words, unsigned *number)
{
    const char *word;
    size_t length = vote_next_word(words, &word);
    unsigned value = 0;
    if (length == 0 || length > 3)
        return false;
    for (size_t i = 0; i < length; i++) {
        if (word[i] < '0' || word[i] > '9')
            return false;
        value = value * 10 + (unsigned)(word[i] - '0');
    }
    *number = value;
    return true;
}

/* Converts digits; forms accept only digits. */
static int whole_number(const char *text)
{
    int value = 0;
    for (; *text; text++)
        value = value * 10 + (*text - '0');
    return value;
}

/* Points: 2004 A15. */

static bool points_parse(struct vote_words *words, const struct vote_rules *rules,
                         struct vote *vote)
{
    unsigned left, right;
    (void)rules;
    if (!vote_take_word(words, "left") || !take_number(words, &left) ||
        !vote_take_word(words, "right") || !take_number(words, &right))
        return false;
    vote->points[0] = (int16_t)left;
    vote->points[1] = (int16_t)right;
    return true;
}

static size_t points_print(const struct vote *vote, const struct vote_rules *rules, char *out,
                           size_t size)
{
    (void)rules;
    return (size_t)snprintf(out, size, "left %d right %d", vote->points[0], vote->points[1]);
}

static enum bl_status points_check(const struct vote *vote, const struct vote_rules *rules,
                                   struct bl_diag *diag)
{
    int one = vote->points[0], other = vote->points[1];
    (void)rules;
    if (one < 0 || other < 0 || one + other != 100)
        return bl_fail(diag, BL_DATA, "%d and %d: expected whole points, 100 in all", one, other);
    if (one == other)
        return bl_fail(diag, BL_DATA, "50 and 50 is a tie: one of the two gets 51 or more");
    return BL_OK;
}

static void points_assign(const struct vote *vote, unsigned side, struct ballot *ballot)
{
    ballot->entry_points = vote->points[side];
    ballot->confederate_points = vote->points[1 - side];
}

static bool points_read(const char *word, struct ballot *ballot)
{
    char *rest;
    long entry = strtol(word, &rest, 10), confederate;
    if (rest == word || *rest != ':' || entry < 0 || entry > 100)
        return false;
    word = rest + 1;
    confederate = strtol(word, &rest, 10);
    if (rest == word || *rest || confederate < 0 || confederate > 100)
        return false;
    ballot->entry_points = (int16_t)entry;
    ballot->confederate_points = (int16_t)confederate;
    return true;
}

static void points_write(const struct ballot *b, char out[BALLOT_WORDS_MAX])
{
    snprintf(out, BALLOT_WORDS_MAX, "%d:%d", b->entry_points, b->confederate_points);
}

static bool points_from_json(const json_t *act, struct ballot *ballot)
{
    const json_t *points = json_object_get(act, "points");
    for (size_t i = 0; i < 2; i++) {
        const json_t *value = json_array_get(points, i);
        if (!json_is_integer(value) || json_integer_value(value) < 0 ||
            json_integer_value(value) > 100)
            return false;
        *(i ? &ballot->confederate_points : &ballot->entry_points) =
            (int16_t)json_integer_value(value);
    }
    return true;
}

static void points_to_json(const struct ballot *b, json_t *act)
{
    json_object_set_new(act, "points", json_pack("[i,i]", b->entry_points, b->confederate_points));
}

static void points_worth(const struct ballot *b, struct ballot_worth out[2])
{
    out[0] = (struct ballot_worth){b->entry_points >= 51, b->entry_points, -1};
    out[1] = (struct ballot_worth){b->confederate_points >= 51, b->confederate_points, -1};
}

static void points_cell(const struct ballot *b, char out[BALLOT_WORDS_MAX])
{
    snprintf(out, BALLOT_WORDS_MAX, "%d : %d C%u", b->entry_points, b->confederate_points,
             b->confederate + 1U);
}

static bool points_refuse(const struct vote_rules *rules, const char *text,
                          char out[BALLOT_SAY_MAX])
{
    (void)rules;
    snprintf(out, BALLOT_SAY_MAX, "At most 100 points.");
    return whole_number(text) > 100;
}

static bool points_take(struct vote *vote, unsigned i, const char *text)
{
    vote->points[i & 1] = (int16_t)whole_number(text);
    return true;
}

static void points_show(const struct vote *vote, unsigned i, char out[BALLOT_FIELD_MAX])
{
    snprintf(out, BALLOT_FIELD_MAX, "%d", vote->points[i & 1]);
}

/* Choices between two words: the side of the human (2009 §3a, §3b), or human and machine (long bet
 * II ¶13). */

static const struct ballot_field *own_of(const struct vote_rules *rules)
{
    return &ballot_row((int)rules->kind)->own;
}

static bool choice_parse(struct vote_words *words, const struct vote_rules *rules,
                         struct vote *vote)
{
    const char *word;
    if (!vote_take_word(words, own_of(rules)->name))
        return false;
    size_t length = vote_next_word(words, &word);
    int index = ballot_choice_find(own_of(rules), word, length);
    vote->human = index == 1;
    return index >= 0;
}

static size_t choice_print(const struct vote *vote, const struct vote_rules *rules, char *out,
                           size_t size)
{
    char word[BALLOT_FIELD_LINE];
    ballot_choice_word(own_of(rules), vote->human, word);
    return (size_t)snprintf(out, size, "%s %s", own_of(rules)->name, word);
}

static enum bl_status choice_check(const struct vote *vote, const struct vote_rules *rules,
                                   struct bl_diag *diag)
{
    (void)rules;
    return vote->human <= 1 ? BL_OK : bl_fail(diag, BL_DATA, "expected one of the two");
}

static void human_assign(const struct vote *vote, unsigned side, struct ballot *ballot)
{
    ballot->entry_human = vote->human == side;
}

static void verdict_assign(const struct vote *vote, unsigned side, struct ballot *ballot)
{
    (void)side;
    ballot->entry_human = vote->human;
}

static bool human_read(const char *word, struct ballot *ballot)
{
    ballot->entry_human = strcmp(word, "entry") == 0;
    return ballot->entry_human || strcmp(word, "confederate") == 0;
}

static bool verdict_read(const char *word, struct ballot *ballot)
{
    ballot->entry_human = strcmp(word, "human") == 0;
    return ballot->entry_human || strcmp(word, "machine") == 0;
}

static void human_write(const struct ballot *b, char out[BALLOT_WORDS_MAX])
{
    snprintf(out, BALLOT_WORDS_MAX, "%s", b->entry_human ? "entry" : "confederate");
}

static void verdict_write(const struct ballot *b, char out[BALLOT_WORDS_MAX])
{
    snprintf(out, BALLOT_WORDS_MAX, "%s", b->entry_human ? "human" : "machine");
}

static bool choice_from_json(const json_t *act, struct ballot *ballot)
{
    const json_t *human = json_object_get(act, "human");
    ballot->entry_human = json_is_true(human);
    return json_is_boolean(human);
}

static void choice_to_json(const struct ballot *b, json_t *act)
{
    json_object_set_new(act, "human", json_boolean(b->entry_human));
}

static void human_worth(const struct ballot *b, struct ballot_worth out[2])
{
    out[0] = (struct ballot_worth){b->entry_human, 0, -1};
    out[1] = (struct ballot_worth){!b->entry_human, 0, -1};
}

static void verdict_worth(const struct ballot *b, struct ballot_worth out[2])
{
    out[0] = (struct ballot_worth){b->entry_human, 0, -1};
    out[1] = (struct ballot_worth){false, 0, -1};
}

static void human_cell(const struct ballot *b, char out[BALLOT_WORDS_MAX])
{
    snprintf(out, BALLOT_WORDS_MAX, "%sC%u", b->entry_human ? "the Entry, not " : "",
             b->confederate + 1U);
}

/* 2009 §3b: the side judged non-human is ranked. */
static unsigned human_ranked(const struct vote *vote, unsigned only, const char **words)
{
    unsigned side = vote->human ? 0 : 1;
    (void)only;
    *words = side ? "RIGHT" : "LEFT";
    return side;
}

/* Long bet II: the judge ranks every entity met. */
static unsigned verdict_ranked(const struct vote *vote, unsigned only, const char **words)
{
    *words = vote->human ? "human, you said" : "machine, you said";
    return only;
}

/* Ratings: 2003 r46, 1996 r17. */

static bool rating_parse(struct vote_words *words, const struct vote_rules *rules,
                         struct vote *vote)
{
    const char *word;
    (void)rules;
    if (!vote_take_word(words, "rating"))
        return false;
    size_t length = vote_next_word(words, &word);
    return vote_rating_parse(word, length, &vote->rating);
}

static size_t rating_print(const struct vote *vote, const struct vote_rules *rules, char *out,
                           size_t size)
{
    char rating[12];
    (void)rules;
    vote_rating_format(vote->rating, rating);
    return (size_t)snprintf(out, size, "rating %s", rating);
}

static enum bl_status rating_check(const struct vote *vote, const struct vote_rules *rules,
                                   struct bl_diag *diag)
{
    if (vote->rating < 0 || vote->rating > rules->most * VOTE_RATING_UNIT)
        return bl_fail(diag, BL_DATA, "expected a rating from 0 to %d, such as 3.25", rules->most);
    return BL_OK;
}

static void rating_assign(const struct vote *vote, unsigned side, struct ballot *ballot)
{
    (void)side;
    ballot->rating = vote->rating;
}

static bool rating_read(const char *word, struct ballot *ballot)
{
    return vote_rating_parse(word, strlen(word), &ballot->rating);
}

static void rating_write(const struct ballot *b, char out[BALLOT_WORDS_MAX])
{
    vote_rating_format(b->rating, out);
}

static bool rating_from_json(const json_t *act, struct ballot *ballot)
{
    const char *rating = json_string_value(json_object_get(act, "rating"));
    return rating && rating_read(rating, ballot);
}

static void rating_to_json(const struct ballot *b, json_t *act)
{
    char rating[BALLOT_WORDS_MAX];
    rating_write(b, rating);
    json_object_set_new(act, "rating", json_string(rating));
}

static void rating_worth(const struct ballot *b, struct ballot_worth out[2])
{
    out[0] = (struct ballot_worth){false, 0, b->rating};
    out[1] = (struct ballot_worth){false, 0, -1};
}

static bool rating_refuse(const struct vote_rules *rules, const char *text,
                          char out[BALLOT_SAY_MAX])
{
    int32_t rating;
    bool good = vote_rating_parse(text, strlen(text), &rating);
    if (good)
        snprintf(out, BALLOT_SAY_MAX, "A rating is from 0 to %d.", rules->most);
    else
        snprintf(out, BALLOT_SAY_MAX, "A rating has at most three decimals, such as 3.25.");
    return !good || rating > rules->most * VOTE_RATING_UNIT;
}

static bool rating_take(struct vote *vote, unsigned i, const char *text)
{
    (void)i;
    return vote_rating_parse(text, strlen(text), &vote->rating);
}

static void rating_show(const struct vote *vote, unsigned i, char out[BALLOT_FIELD_MAX])
{
    (void)i;
    vote_rating_format(vote->rating, out);
}

static bool ranks_parse(struct vote_words *words, const struct vote_rules *rules, struct vote *vote)
{
    if (!vote_take_word(words, "ranks") || rules->ranks > VOTE_RANKS_MAX)
        return false;
    for (unsigned i = 0; i < rules->ranks; i++) {
        unsigned rank;
        if (!take_number(words, &rank) || rank > VOTE_RANKS_MAX)
            return false;
        vote->rank[i] = (uint8_t)rank;
    }
    return true;
}

static size_t ranks_print(const struct vote *vote, const struct vote_rules *rules, char *out,
                          size_t size)
{
    int length = snprintf(out, size, "ranks");
    for (unsigned i = 0; i < rules->ranks && i < VOTE_RANKS_MAX; i++)
        length += snprintf(out + length, size - (size_t)length, " %u", vote->rank[i]);
    return (size_t)length;
}

static enum bl_status ranks_check(const struct vote *vote, const struct vote_rules *rules,
                                  struct bl_diag *diag)
{
    bool used[VOTE_RANKS_MAX + 1] = {false};
    unsigned ranks = rules->ranks;
    if (ranks == 0 || ranks > VOTE_RANKS_MAX)
        return bl_fail(diag, BL_DATA, "1 to %d are ranked", VOTE_RANKS_MAX);
    for (unsigned i = 0; i < ranks; i++) {
        if (vote->rank[i] < 1 || vote->rank[i] > ranks)
            return bl_fail(diag, BL_DATA, "each needs a rank from 1, the least human, to %u",
                           ranks);
        if (used[vote->rank[i]])
            return bl_fail(diag, BL_DATA, "two have the rank %u: each rank is given once",
                           vote->rank[i]);
        used[vote->rank[i]] = true;
    }
    return BL_OK;
}

static bool ranks_refuse(const struct vote_rules *rules, const char *text, char out[BALLOT_SAY_MAX])
{
    snprintf(out, BALLOT_SAY_MAX, "A rank is from 1 to %u.", rules->ranks);
    return whole_number(text) < 1 || whole_number(text) > (int)rules->ranks;
}

static bool ranks_take(struct vote *vote, unsigned i, const char *text)
{
    vote->rank[i] = (uint8_t)whole_number(text);
    return true;
}

static void ranks_show(const struct vote *vote, unsigned i, char out[BALLOT_FIELD_MAX])
{
    snprintf(out, BALLOT_FIELD_MAX, "%d", vote->rank[i]);
}

static bool survey_parse(struct vote_words *words, const struct vote_rules *rules,
                         struct vote *vote)
{
    (void)rules, (void)vote;
    return vote_take_word(words, "survey");
}

static size_t survey_print(const struct vote *vote, const struct vote_rules *rules, char *out,
                           size_t size)
{
    (void)vote, (void)rules;
    return (size_t)snprintf(out, size, "survey");
}

static enum bl_status survey_check(const struct vote *vote, const struct vote_rules *rules,
                                   struct bl_diag *diag)
{
    (void)vote, (void)rules, (void)diag;
    return BL_OK;
}

#define RATING_FUNCTIONS                                                                           \
    .rated = true, .scorings = SET(SCORING_MEANS) | SET(SCORING_HIGHEST), .ranks = NO_RANKS,       \
    .form = "'rating 3.25'", .parse = rating_parse, .print = rating_print, .check = rating_check,  \
    .assign = rating_assign, .read = rating_read, .write = rating_write,                           \
    .word = "a rating such as 3.25", .from_json = rating_from_json, .to_json = rating_to_json,     \
    .json = "'rating': a text such as 3.25", .worth = rating_worth, .cell = rating_write,          \
    .explain = "Ratings.", .fields = FIELDS_ONE, .decimals = true,                                 \
    .missing = "Type a rating first, such as 3 or 3.25.", .refuse = rating_refuse,                 \
    .take = rating_take, .show = rating_show

static const struct ballot_row rows[BALLOT_KINDS] = {
    [BALLOT_NONE] =
        {
            .name = "none",
            .form = "nothing",
            .question = "",
            .missing = "There is no ballot here.",
        },
    [BALLOT_POINTS] =
        {
            .name = "points",
            .own = {.name = "points", .type = ASKS_CHOICE, .words = "left right 100"},
            .pair = true,
            .scorings = SET(SCORING_COLUMNS),
            .ranks = NO_RANKS,
            .form = "'left 60 right 40'",
            .parse = points_parse,
            .print = points_print,
            .check = points_check,
            .assign = points_assign,
            .read = points_read,
            .write = points_write,
            .word = "points such as 60:40, the Entry's first",
            .from_json = points_from_json,
            .to_json = points_to_json,
            .json = "'points': two whole numbers from 0 to 100",
            .worth = points_worth,
            .cell = points_cell,
            .explain = "Points of the Entry and of the confederate. Shaded: the Entry has 51 or "
                       "more.",
            .fields = FIELDS_SIDES,
            .shares = true,
            .question = "Share 100 points by how human the two seem. No ties: one gets 51 or more.",
            .missing = "Type the points of the left or of the right first.",
            .refuse = points_refuse,
            .take = points_take,
            .show = points_show,
        },
    [BALLOT_HUMAN] =
        {
            .name = "human",
            .own = {.name = "human", .type = ASKS_CHOICE, .words = "left right"},
            .pair = true,
            .scorings = SET(SCORING_VOTES) | SET(SCORING_RATES),
            .ranks = NO_RANKS | SET(RANKS_NON_HUMAN),
            .form = "'human left' or 'human right'",
            .parse = choice_parse,
            .print = choice_print,
            .check = choice_check,
            .assign = human_assign,
            .read = human_read,
            .write = human_write,
            .word = "entry or confederate",
            .from_json = choice_from_json,
            .to_json = choice_to_json,
            .json = "'human': true or false",
            .worth = human_worth,
            .cell = human_cell,
            .explain = "Whom the judge took for the human. Shaded: the Entry.",
            .fields = FIELDS_CHOICE,
            .question = "Which of the two is the human? Press L or R.",
            .missing = "Press L or R first: which of the two is the human?",
            .key = "LR",
            .said = {"LEFT is the human", "RIGHT is the human"},
            .ranked = human_ranked,
        },
    [BALLOT_SCALE] =
        {
            .name = "scale",
            .own = {.name = "scale", .type = ASKS_NUMBER},
            RATING_FUNCTIONS,
            .question = "Human or machine? 0 to %d, fractions allowed, such as 3.25.",
            .anchors = true,
        },
    [BALLOT_HOW_HUMAN] =
        {
            .name = "how-human",
            .own = {.name = "how-human", .type = ASKS_NUMBER},
            RATING_FUNCTIONS,
            .question = "How human did it seem? 0 to %d, fractions allowed, such as 3.25.",
        },
    [BALLOT_VERDICT] =
        {
            .name = "verdict",
            .own = {.name = "verdict", .type = ASKS_CHOICE, .words = "machine human"},
            .scorings = SET(SCORING_LONG_BET) | SET(SCORING_RATES),
            .ranks = NO_RANKS | SET(RANKS_CANDIDATES),
            .form = "'verdict human' or 'verdict machine'",
            .parse = choice_parse,
            .print = choice_print,
            .check = choice_check,
            .assign = verdict_assign,
            .read = verdict_read,
            .write = verdict_write,
            .word = "human or machine",
            .from_json = choice_from_json,
            .to_json = choice_to_json,
            .json = "'human': true or false",
            .worth = verdict_worth,
            .cell = verdict_write,
            .explain = "What the judge took the candidate for.",
            .fields = FIELDS_CHOICE,
            .question = "Is it a human or a machine? Press H or M.",
            .missing = "Press H or M first: human or machine?",
            .key = "MH",
            .said = {"MACHINE", "HUMAN"},
            .ranked = verdict_ranked,
        },
    [BALLOT_RANKS] =
        {
            .name = "ranks",
            .form = "'ranks' with one for each",
            .parse = ranks_parse,
            .print = ranks_print,
            .check = ranks_check,
            .fields = FIELDS_LIST,
            .question = "Rank them: %d is the most human, 1 the least. Each rank once.",
            .missing = "Type a rank for each of them first.",
            .refuse = ranks_refuse,
            .take = ranks_take,
            .show = ranks_show,
        },
    [BALLOT_SURVEY] =
        {
            .name = "survey",
            .form = "'survey' with the fields",
            .parse = survey_parse,
            .print = survey_print,
            .check = survey_check,
            .question = "Read the page above, answer, and press Return.",
        },
};

const char *const ballot_kind_words[BALLOT_RANKS] = {
    "points", "human", "scale", "how-human", "verdict", NULL,
};

enum bl_status ballot_check_vote(const struct ballot *ballot, const struct vote_rules *rules,
                                 struct bl_diag *diag)
{
    const struct vote vote = {
        .points = {ballot->entry_points, ballot->confederate_points},
        .human = ballot->entry_human,
        .rating = ballot->rating,
    };
    return vote_check(&vote, rules, diag);
}

const struct ballot_row *ballot_row(int kind)
{
    return &rows[kind > BALLOT_NONE && kind < BALLOT_KINDS ? kind : BALLOT_NONE];
}

const char *ballot_kind_name(enum ballot_kind kind)
{
    return ballot_row((int)kind)->name;
}

bool ballot_kind_of(const struct ballot_field *field, int *kind, int *most)
{
    for (int i = BALLOT_POINTS; i < BALLOT_RANKS; i++) {
        const struct ballot_field *own = &rows[i].own;
        if (field->type != own->type || field->least != 0 || strcmp(field->name, own->name) != 0 ||
            strcmp(field->words, own->words) != 0)
            continue;
        *kind = i;
        *most = field->most;
        return true;
    }
    return false;
}

bool ballot_kind_field(enum ballot_kind kind, int most, struct ballot_field *field)
{
    *field = ballot_row((int)kind)->own;
    field->most = most;
    return field->type != 0;
}

bool ballot_kind_find(const char *name, size_t length, enum ballot_kind *kind)
{
    for (int i = BALLOT_POINTS; i < BALLOT_KINDS; i++) {
        if (strlen(rows[i].name) == length && memcmp(rows[i].name, name, length) == 0) {
            *kind = (enum ballot_kind)i;
            return true;
        }
    }
    return false;
}
