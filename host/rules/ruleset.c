#include "rules/ruleset.h"

#include "rules/desk_network.h"
#include "rules/entry_network.h"

#include "rules/ballot_kind.h"
#include "rules/fields.h"
#include "rules/games.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const pairings[] = {"pairs", "single", NULL};
static const char *const ranks[] = {"none", "non-human", "candidates", NULL};
static const char *const seals[] = {"session", "contest", NULL};
static const char *const scorings[] = {"columns", "votes",    "means", "highest",
                                       "rates",   "long-bet", NULL};
static const char *const selections[] = {"jury", "prelim", "screen-prelim", "screen", "none", NULL};
static const char *const silvers[] = {"none", "column-two", "no-confederate-above", NULL};
static const char *const own[] = {"no-word", "reserved", "silver-only", NULL};
static const char *const paces[] = {"keys", "message", NULL};
static const char *const words[] = {"yes", "no", NULL};
static const char *const disqualifiers[] = {"judges", "organiser", "both", NULL};
static const char *const tie_words[] = {"points", "prelim",  "mean-rank", "confer",
                                        "coin",   "manager", NULL};

#define FILE_NAME "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."

#define TEXT(section, key, field)          FIELD_TEXT(ruleset, section, key, field)
#define NUMBER(section, key, field)        FIELD_NUMBER(ruleset, section, key, field)
#define MONEY(key, field)                  FIELD_MONEY(ruleset, "prize", key, field)
#define CHOICE(section, key, field, words) FIELD_CHOICE(ruleset, section, key, field, words)
#define SURVEY(says, asks, page, i)                                                                \
    TEXT("survey", says, survey[page].line[i]), TEXT("survey", asks, survey[page].field[i])
#define DATE_FIELD(DATE, name) TEXT("dates", name, date[DATE_##DATE])

static const struct field ruleset_fields[] = {
    NUMBER("ruleset", "format", format),
    TEXT("ruleset", "name", name),
    TEXT("ruleset", "title", title),
    TEXT("ruleset", "cite", cite),
    CHOICE("session", "pairing", pairing, pairings),
    TEXT("session", "plan", plan),
    TEXT("session", "style", style),
    CHOICE("session", "one-style", one_style, words),
    TEXT("session", "starts", starts),
    CHOICE("session", "pace", pace, paces),
    NUMBER("session", "answer-least", answer_least),
    CHOICE("session", "entry-network", entry_network, entry_network_words),
    CHOICE("session", "desk-network", desk_network, desk_network_words),
    CHOICE("session", "characters", characters, characters_words),
    {"session", "message-most", offsetof(struct ruleset, message_most), 0, NULL, MESSAGE_LIMIT_MAX},
    CHOICE("session", "turns", turns, turns_words),
    NUMBER("session", "turn-seconds", turn_seconds),
    TEXT("session", "opening", opening),
    CHOICE("session", "excused-apart", excused_apart, words),
    CHOICE("session", "referees-limit", referees_limit, words),
    CHOICE("session", "further", further, words),
    TEXT("session", "design", design),
    CHOICE("ballot", "kind", ballot, ballot_kind_words),
    NUMBER("ballot", "most", rating_most),
    TEXT("ballot", "field1", field[0]),
    TEXT("ballot", "field2", field[1]),
    TEXT("ballot", "field3", field[2]),
    TEXT("ballot", "field4", field[3]),
    TEXT("ballot", "field5", field[4]),
    TEXT("ballot", "field6", field[5]),
    TEXT("ballot", "field7", field[6]),
    CHOICE("ballot", "sealed", seal, seals),
    CHOICE("ballot", "ranks", ranks, ranks),
    CHOICE("ballot", "early-verdict", early_verdict, words),
    CHOICE("ballot", "reveal", reveal, seals),
    CHOICE("result", "scoring", scoring, scorings),
    TEXT("result", "ties", ties),
    CHOICE("result", "silver", silver, silvers),
    NUMBER("result", "awarded", awarded),
    CHOICE("result", "most-human-human", most_human_human, words),
    CHOICE("result", "successor", successor, words),
    CHOICE("result", "disqualify", disqualify, disqualifiers),
    CHOICE("result", "disputes", disputes, words),
    TEXT("result", "after-silver", after_silver),
    TEXT("result", "after-pass", after_pass),
    TEXT("result", "after-fail", after_fail),
    TEXT("result", "pass-by", pass_by),
    MONEY("dollars", prize),
    MONEY("next-year", prize_next_year),
    MONEY("silver", prize_silver),
    CHOICE("prize", "single-entry", single_entry_wins, words),
    CHOICE("prize", "own-entry", own_entry, own),
    NUMBER("numbers", "judges-least", judges_least),
    NUMBER("numbers", "entries-least", entries_least),
    NUMBER("numbers", "confederates-least", confederates_least),
    NUMBER("numbers", "entries-most", entries_most),
    NUMBER("numbers", "trials-least", trials_least),
    NUMBER("numbers", "trials-needed", trials_needed),
    CHOICE("selection", "method", selection, selections),
    NUMBER("selection", "screened-most", screened_most),
    NUMBER("selection", "reserves", reserves),
    NUMBER("selection", "judge-load-most", judge_load_most),
    NUMBER("selection", "entry-judges-least", entry_judges_least),
    NUMBER("register", "entries-each", entries_each),
    NUMBER("register", "guardian-age", guardian_age),
    CHOICE("register", "rights-statement", rights_statement, words),
    CHOICE("register", "receipt", receipt, words),
    CHOICE("register", "interests", interests, words),
    CHOICE("register", "foils-unknown", foils_unknown, words),
    CHOICE("register", "communications-program", comms, words),
    CHOICE("register", "erase", erase, words),
    CHOICE("register", "differ", differ, words),
    EACH_DATE(DATE_FIELD),
    TEXT("transcript", "format", transcript),
    CHOICE("transcript", "phrases-deleted", phrases_deleted, words),
    TEXT("transcript", "header-1", header[0]),
    TEXT("transcript", "header-2", header[1]),
    TEXT("transcript", "header-3", header[2]),
    TEXT("notice", "publication", notice),
    CHOICE("notice", "names", names, words),
    SURVEY("before-1", "before-field1", SURVEY_BEFORE, 0),
    SURVEY("before-2", "before-field2", SURVEY_BEFORE, 1),
    SURVEY("before-3", "before-field3", SURVEY_BEFORE, 2),
    SURVEY("after-1", "after-field1", SURVEY_AFTER, 0),
    SURVEY("after-2", "after-field2", SURVEY_AFTER, 1),
    SURVEY("after-3", "after-field3", SURVEY_AFTER, 2),
    TEXT("instructions", "judge-1", judge_says[0]),
    TEXT("instructions", "judge-2", judge_says[1]),
    TEXT("instructions", "judge-3", judge_says[2]),
    TEXT("instructions", "confederate-1", confederate_says[0]),
    TEXT("instructions", "confederate-2", confederate_says[1]),
    TEXT("instructions", "confederate-3", confederate_says[2]),
    TEXT("instructions", "preliminary-1", prelim_says[0]),
    TEXT("instructions", "preliminary-2", prelim_says[1]),
    TEXT("instructions", "preliminary-3", prelim_says[2]),
    TEXT("instructions", "entrant-1", entrant_says[0]),
    TEXT("instructions", "entrant-2", entrant_says[1]),
    TEXT("instructions", "entrant-3", entrant_says[2]),
};

_Static_assert(sizeof ruleset_fields / sizeof ruleset_fields[0] <= RULESET_FIELDS, "room for all");

const char *ruleset_date_name(enum ruleset_date date)
{
#define DATE_NAME(DATE, name) [DATE_##DATE] = (name)
    static const char *const names[RULESET_DATES] = {EACH_DATE(DATE_NAME)};
#undef DATE_NAME
    return names[date];
}

static bool is_leap(int year)
{
    return (year % 4 == 0 && year % 100) || year % 400 == 0;
}

static int month_days(int year, int month)
{
    static const uint8_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return days[month - 1] + (month == 2 && is_leap(year));
}

void ruleset_day_text(int64_t us, char out[RULESET_DATE_MAX])
{
    int year = 1970, month = 1;
    int64_t day = us / INT64_C(86400000000);
    for (; day >= 365 + is_leap(year) && year < 9999; year++)
        day -= 365 + is_leap(year);
    for (; month < 12 && day >= month_days(year, month); month++)
        day -= month_days(year, month);
    snprintf(out, RULESET_DATE_MAX, "%04d-%02d-%02d", year % 10000, month % 100,
             (int)(day % 31) + 1);
}

bool ruleset_day(const char *text, int64_t *day)
{
    int year, month, of_month, length = 0;
    if (strlen(text) != 10 ||
        sscanf(text, "%4d-%2d-%2d%n", &year, &month, &of_month, &length) != 3 || length != 10 ||
        text[strspn(text, "0123456789-")] || year < 1970 || month < 1 || month > 12 ||
        of_month < 1 || of_month > month_days(year, month))
        return false;
    *day = of_month - 1;
    for (int y = 1970; y < year; y++)
        *day += 365 + is_leap(y);
    for (int m = 1; m < month; m++)
        *day += month_days(year, m);
    return true;
}

/* Takes the rules cited by a comment: "B3, B4" of "B3, B4: why". */
static void take_comment(void *target, size_t field, const char *comment)
{
    struct ruleset *ruleset = target;
    size_t length = strcspn(comment, ":");
    while (length && comment[length - 1] == ' ')
        length--;
    if (length < RULESET_RULE_MAX - sizeof ruleset->cite) {
        memcpy(ruleset->rule[field], comment, length);
        ruleset->rule[field][length] = '\0';
    }
}

/* Finds item `which` of a list with commas; if there are fewer, the last item. */
static const char *find_item(const char *list, int which, size_t *length)
{
    const char *comma;
    for (; which > 0 && (comma = strchr(list, ',')); which--)
        list = comma + 1 + strspn(comma + 1, " ");
    *length = strcspn(list, ",");
    return list;
}

struct rule ruleset_rule(const struct ruleset *ruleset, const char *section, const char *key,
                         int which)
{
    const char *list = "";
    struct rule rule;
    size_t length;
    for (size_t i = 0; i < sizeof ruleset_fields / sizeof ruleset_fields[0]; i++)
        if (strcmp(ruleset_fields[i].section, section) == 0 &&
            strcmp(ruleset_fields[i].key, key) == 0)
            list = ruleset->rule[i];
    length = strlen(list);
    if (which != RULE_ALL)
        list = find_item(list, which, &length);
    if (length == 0)
        snprintf(rule.text, sizeof rule.text, "%s", ruleset->name);
    else
        snprintf(rule.text, sizeof rule.text, "%s%s%.*s", ruleset->cite,
                 ruleset->cite[0] ? " " : "", (int)length, list);
    return rule;
}

static enum bl_status take_check(struct ruleset *ruleset, const char *key, const char *value,
                                 const char *comment, struct bl_diag *diag)
{
    static const char *const broken[] = {"fail", "warn", "skip"};
    struct ruleset_check *check = &ruleset->check[ruleset->checks];
    size_t cited = strcspn(comment, ":");
    for (unsigned i = 0; i < ruleset->checks; i++)
        if (strcmp(ruleset->check[i].id, key) == 0)
            return bl_fail(diag, BL_DATA, "[checks] %s: given twice", key);
    if (ruleset->checks == RULESET_CHECKS || strlen(key) >= sizeof check->id)
        return bl_fail(diag, BL_DATA, "[checks] %s: no such check; boothlink validate list", key);
    for (int i = 0; i < 3; i++)
        if (strcmp(value, broken[i]) == 0)
            check->broken = i + 1;
    if (!check->broken)
        return bl_fail(diag, BL_DATA, "[checks] %s = '%s': expected fail, warn or skip", key,
                       value);
    strcpy(check->id, key);
    if (strcmp(comment, "-") != 0 && cited < sizeof check->cite)
        memcpy(check->cite, comment, cited);
    ruleset->checks++;
    return BL_OK;
}

static enum bl_status take_more(void *target, const char *section, const char *key,
                                const char *value, const char *comment, struct bl_diag *diag)
{
    struct ruleset *ruleset = target;
    struct bl_diag why;
    char *rest;
    if (strcmp(section, "checks") == 0)
        return take_check(ruleset, key, value, comment, diag);
    unsigned long number = strtoul(key, &rest, 10);
    if (rest == key || *rest || number != ruleset->printed.rounds + 1UL)
        return bl_fail(diag, BL_DATA, "[rounds] %s: expected round %u here", key,
                       ruleset->printed.rounds + 1);
    if (schedule_add_round(&ruleset->printed, value, &why))
        return bl_fail(diag, BL_DATA, "[rounds] %s: %s", key, why.text);
    return BL_OK;
}

static bool knows_ties(const char *ties, char *unknown, size_t size)
{
    for (const char *at = ties; *(at += strspn(at, " ,"));) {
        size_t length = strcspn(at, " ,"), i = 0;
        while (tie_words[i] &&
               (strlen(tie_words[i]) != length || strncmp(tie_words[i], at, length)))
            i++;
        if (!tie_words[i]) {
            length = length < size ? length : size - 1;
            memcpy(unknown, at, length);
            unknown[length] = '\0';
            return false;
        }
        at += length;
    }
    return true;
}

static enum bl_status check_dates(const struct ruleset *r, const char *name, struct bl_diag *diag)
{
    int64_t day;
    for (unsigned d = 0; d < RULESET_DATES; d++)
        if (r->date[d][0] && !ruleset_day(r->date[d], &day))
            return bl_fail(diag, BL_DATA, "%s: [dates] %s = %s: expected a day such as 2003-06-30",
                           name, ruleset_date_name((enum ruleset_date)d), r->date[d]);
    return BL_OK;
}

struct vote_rules ruleset_vote(const struct ruleset *ruleset)
{
    return (struct vote_rules){.kind = (enum ballot_kind)ruleset->ballot,
                               .most = ruleset->rating_most,
                               .asked = ruleset->asked};
}

/* Adds the field of the key KEYn. BL_DATA names the key. */
static enum bl_status add_field(struct ballot_asked *asked, const struct ballot_field *field,
                                const char *name, const char *key, unsigned number,
                                struct bl_diag *diag)
{
    for (unsigned other = 0; other < asked->count; other++)
        if (strcmp(asked->field[other].name, field->name) == 0)
            return bl_fail(diag, BL_DATA, "%s: %s%u: '%s' is asked for twice", name, key, number,
                           field->name);
    if (asked->count == BALLOT_FIELDS)
        return bl_fail(diag, BL_DATA, "%s: %s%u: expected %d fields at most", name, key, number,
                       BALLOT_FIELDS);
    asked->field[asked->count++] = *field;
    return BL_OK;
}

/* Takes a survey's page. Lines and fields must be numbered without gaps. */
static enum bl_status take_survey(struct ruleset_survey *survey, const char *word, const char *name,
                                  struct bl_diag *diag)
{
    char key[40];
    struct bl_diag why;
    enum bl_status status = BL_OK;
    snprintf(key, sizeof key, "[survey] %s-field", word);
    for (unsigned i = 0; status == BL_OK && i < SURVEY_LINES; i++) {
        struct ballot_field field;
        const char *text = survey->field[i];
        if (i > 0 && survey->line[i][0] && !survey->line[i - 1][0])
            return bl_fail(diag, BL_DATA, "%s: [survey] %s-%u: %s-%u before it is missing", name,
                           word, i + 1, word, i);
        if (!text[0])
            continue;
        if (!survey->line[0][0] || (i > 0 && !survey->field[i - 1][0]))
            return bl_fail(diag, BL_DATA, "%s: %s%u: expected %s-1 and the fields before it", name,
                           key, i + 1, word);
        if (ballot_field_parse(&field, text, strlen(text), &why))
            return bl_fail(diag, BL_DATA, "%s: %s%u = %s", name, key, i + 1, why.text);
        status = add_field(&survey->asked, &field, name, key, i + 1, diag);
    }
    return status;
}

/* Takes the ballot's fields. A kind's own field, such as "human: left right", selects the kind. */
static enum bl_status take_fields(struct ruleset *r, const char *name, struct bl_diag *diag)
{
    struct ballot_asked *asked = &r->asked;
    struct bl_diag why;
    bool over = false;
    strcpy(r->kind_key, "kind");
    for (unsigned i = 0; i <= BALLOT_FIELDS; i++) {
        struct ballot_field field;
        const char *text = r->field[i];
        if (text[0] && over)
            return bl_fail(diag, BL_DATA, "%s: [ballot] field%u: field%u before it is missing",
                           name, i + 1, i);
        over = !text[0];
        if (over)
            continue;
        if (ballot_field_parse(&field, text, strlen(text), &why))
            return bl_fail(diag, BL_DATA, "%s: [ballot] field%u = %s", name, i + 1, why.text);
        if (!r->ballot && ballot_kind_of(&field, &r->ballot, &r->rating_most)) {
            snprintf(r->kind_key, sizeof r->kind_key, "field%u", i + 1);
            continue;
        }
        enum bl_status status = add_field(asked, &field, name, "[ballot] field", i + 1, diag);
        if (status != BL_OK)
            return status;
    }
    return BL_OK;
}

static enum bl_status check(const struct ruleset *r, const char *name, struct bl_diag *diag)
{
    const struct ballot_row *row = ballot_row(r->ballot);
    char unknown[32];
    if (r->format != 1)
        return bl_fail(diag, BL_DATA, "%s: [ruleset] format = %d: this program reads format 1",
                       name, r->format);
    if (!r->name[0])
        return bl_fail(diag, BL_DATA, "%s: [ruleset] name is missing", name);
    if (r->name[0] == '.' || r->name[strspn(r->name, FILE_NAME)])
        return bl_fail(diag, BL_DATA,
                       "%s: [ruleset] name = %s: expected letters, digits, '-', '_' and '.', for "
                       "it names a file beside tickets",
                       name, r->name);
    if (!r->pairing || !r->ballot || !r->scoring || !r->selection)
        return bl_fail(diag, BL_DATA,
                       "%s: missing one of [session] pairing, [ballot] kind (or a field that is "
                       "one, such as 'human: left right'), [result] scoring and "
                       "[selection] method",
                       name);
    if (strcmp(r->starts, "judge") != 0 && strcmp(r->starts, "either") != 0)
        return bl_fail(diag, BL_DATA, "%s: [session] starts = '%s': expected judge or either", name,
                       r->starts);
    if (r->turns == TURNS_STRICT && strcmp(r->starts, "judge") != 0)
        return bl_fail(diag, BL_DATA,
                       "%s: [session] turns = strict with starts = %s: expected starts = judge, "
                       "who has the first turn",
                       name, r->starts);
    if (r->turn_seconds && r->turns != TURNS_STRICT)
        return bl_fail(diag, BL_DATA, "%s: [session] turn-seconds: expected turns = strict with it",
                       name);
    if (row->pair != (r->pairing == PAIRING_PAIRS))
        return bl_fail(diag, BL_DATA, "%s: [ballot] %s: a ballot of '%s' is for %s", name,
                       r->kind_key, row->name,
                       row->pair ? "[session] pairing = pairs" : "[session] pairing = single");
    if (r->design[0] && (!games_design(r->design) || !row->pair))
        return bl_fail(
            diag, BL_DATA,
            "%s: [session] design = %.60s: expected 'games-per-condition N', N from 1 to "
            "%d, with pairing = pairs",
            name, r->design, GAMES_MAX);
    if (r->reveal == SEAL_SESSION && r->seal != SEAL_SESSION)
        return bl_fail(diag, BL_DATA,
                       "%s: [ballot] reveal = session: expected sealed = session with it, or a "
                       "judge who was told could correct the ballot",
                       name);
    if (row->rated != (r->rating_most > 0))
        return bl_fail(diag, BL_DATA, "%s: [ballot] most: %s with kind = %s, which %s", name,
                       row->rated ? "missing" : "not used", row->name,
                       row->rated ? "is a rating from 0 to this" : "is no rating");
    if (!(row->scorings & 1u << r->scoring))
        return bl_fail(diag, BL_DATA, "%s: [result] scoring = %s: does not count a ballot of '%s'",
                       name, scorings[r->scoring - 1], row->name);
    if (!(row->ranks & 1u << r->ranks))
        return bl_fail(diag, BL_DATA, "%s: [ballot] ranks = %s: does not go with a ballot of '%s'",
                       name, r->ranks ? ranks[r->ranks - 1] : "", row->name);
    if (r->awarded == 0 && r->scoring != SCORING_LONG_BET && r->scoring != SCORING_RATES)
        return bl_fail(diag, BL_DATA,
                       "%s: [result] awarded: how many places get an award, 1 or more", name);
    int64_t day;
    if (r->pass_by[0] && !ruleset_day(r->pass_by, &day))
        return bl_fail(diag, BL_DATA,
                       "%s: [result] pass-by = %s: expected a day such as 2029-12-31", name,
                       r->pass_by);
    if (!knows_ties(r->ties, unknown, sizeof unknown))
        return bl_fail(
            diag, BL_DATA,
            "%s: [result] ties: '%s' is none of points, prelim, mean-rank, confer, coin, "
            "manager",
            name, unknown);
    return check_dates(r, name, diag);
}

enum bl_status ruleset_parse(struct ruleset *ruleset, const char *text, const char *name,
                             struct bl_diag *diag)
{
    static const char *const more[] = {"rounds", "checks", NULL};
    static const struct fields fields = {
        .field = ruleset_fields,
        .count = sizeof ruleset_fields / sizeof ruleset_fields[0],
        .manual = "boothlink-ruleset(5)",
        .more_sections = more,
        .take_more = take_more,
        .take_comment = take_comment,
    };
    enum bl_status status;
    memset(ruleset, 0, sizeof *ruleset);
    status = fields_read(&fields, ruleset, text, name, diag);
    if (status == BL_OK)
        status = take_fields(ruleset, name, diag);
    if (status == BL_OK)
        status = take_survey(&ruleset->survey[SURVEY_BEFORE], "before", name, diag);
    if (status == BL_OK)
        status = take_survey(&ruleset->survey[SURVEY_AFTER], "after", name, diag);
    return status == BL_OK ? check(ruleset, name, diag) : status;
}
