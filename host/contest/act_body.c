#include "contest/act_field.h"
#include "contest/draw.h"
#include "rules/games.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* clang-format off */
#define ROW(key, type, needed, kind, member, least, most) \
    {key, FIELD_##type, needed, offsetof(struct act_##kind, member), least, most}
#define ROLE(kind, member)           ROW(#member, ROLE, true, kind, member, 0, 0)
#define NUMBER(kind, member, a, b)   ROW(#member, NUMBER, true, kind, member, a, b)
#define NAME(kind, member)           ROW(#member, NAME, true, kind, member, 0, CONTEST_NAME_MAX - 1)
#define LINE(kind, member, size)     ROW(#member, LINE, true, kind, member, 0, (size) - 1)
#define TEXT(kind, member)           ROW(#member, TEXT, true, kind, member, 0, 0)
#define HEX(kind, member, bytes)     ROW(#member, HEX, true, kind, member, 0, bytes)
#define LIST(kind, member)           ROW(#member, LIST, true, kind, member, 0, 0)
#define ENTRIES(kind)                ROW("entries", ENTRIES, true, kind, entries, 0, 0)
#define AMONG(kind)                  ROW("among", ENTRIES, false, kind, among, 0, 0)
#define FLAG(kind, member)           ROW(#member, FLAG, false, kind, member, 0, 0)
#define MAY_NUMBER(kind, member, a, b) ROW(#member, NUMBER, false, kind, member, a, b)
#define MAY_NAME(kind, member)       ROW(#member, NAME, false, kind, member, 0, CONTEST_NAME_MAX - 1)
#define MAY_LINE(kind, member, size) ROW(#member, LINE, false, kind, member, 0, (size) - 1)
#define MAY_TEXT(kind, member)       ROW(#member, TEXT, false, kind, member, 0, 0)
#define MAY_HEX(kind, member, bytes) ROW(#member, HEX, false, kind, member, 0, bytes)
#define MAY_NAMES(kind, member)      ROW(#member, NAMES, false, kind, member, 0, 0)

#define WHO(kind)      ROW("", WHO, true, kind, who, 1, SCHEDULE_PEOPLE_MAX)
#define ENTRY(kind)    NUMBER(kind, entry, 1, SCHEDULE_ENTRIES_MAX)
#define JUDGE(kind)    NUMBER(kind, judge, 1, SCHEDULE_PEOPLE_MAX)
#define ROUND(kind)    NUMBER(kind, round, 1, SCHEDULE_MEETINGS_MAX)
#define TRIAL(kind)    MAY_NUMBER(kind, trial, 1, RESULT_TRIALS_MAX)
#define QUESTION(kind) NUMBER(kind, question, 1, CONTEST_QUESTIONS)
#define REASON(kind)   LINE(kind, why, CONTEST_WHY_MAX)
#define RECEIVED(kind) MAY_NUMBER(kind, received_us, 0, INT64_MAX)
#define SELECTED \
    {ENTRY(selected), FLAG(selected, undo), FLAG(selected, final), REASON(selected)}

#define ACT_WORD(name, NAME, of) #name,
static const char *const kind_names[ACT_KINDS] = {EACH_ACT(ACT_WORD)};
#undef ACT_WORD

/* The members of each kind. All members of the union begin where `contest` does. */
static const struct act_field kind_fields[ACT_KINDS][18] = {
    [ACT_CONTEST] = {LINE(contest, name, CONTEST_NAME_MAX), TEXT(contest, ruleset),
        FLAG(contest, signatures)},
    [ACT_PERSON] = {
        ROLE(person, role), NAME(person, name), MAY_NAMES(person, family),
        MAY_NAME(person, submitter), MAY_NAMES(person, team),
        MAY_NUMBER(person, age, 0, 150), FLAG(person, guardian), FLAG(person, rights),
        FLAG(person, receipt), RECEIVED(person), MAY_TEXT(person, how), FLAG(person, own),
        MAY_NAME(person, comms), MAY_TEXT(person, why), FLAG(person, unknown),
        FLAG(person, moves), FLAG(person, chief)},
    [ACT_DELIVER] = {
        ENTRY(deliver), NAME(deliver, what), RECEIVED(deliver),
        FLAG(deliver, comms), MAY_TEXT(deliver, why)},
    [ACT_DATES] = {
        ROW("date", DATES, false, dates, date, 0, RULESET_DATE_MAX - 1),
        MAY_LINE(dates, venue, CONTEST_NAME_MAX),
        MAY_TEXT(dates, why)},
    [ACT_APPROVE] = {
        WHO(approve), ROW("name", NAME, true, approve, name, 0, OPENING_NAME_MAX - 1)},
    [ACT_CONFLICT] = {
        WHO(conflict),
        ROW("with_", WHO, true, conflict, with, 1, SCHEDULE_PEOPLE_MAX),
        MAY_TEXT(conflict, why)},
    [ACT_WITHDRAW] = {WHO(withdraw), MAY_TEXT(withdraw, why)},
    [ACT_RENAME] = {
        WHO(rename), NAME(rename, name), REASON(rename)},
    [ACT_SUBSTITUTE] = {
        WHO(substitute), NAME(substitute, name), REASON(substitute),
        MAY_NUMBER(substitute, round, 1, SCHEDULE_MEETINGS_MAX),
        MAY_NAMES(substitute, family), FLAG(substitute, unknown)},
    [ACT_INTERESTS] = {
        WHO(interests), MAY_NAMES(interests, family), MAY_NAMES(interests, team)},
    [ACT_LIMIT] = {WHO(limit), LINE(limit, text, CONTEST_WHY_MAX), REASON(limit)},
    [ACT_MACHINE] = {
        LINE(machine, place, CONTEST_MACHINE_PLACE),
        MAY_HEX(machine, fingerprint, BALLOT_FINGERPRINT), FLAG(machine, withdrawn),
        MAY_TEXT(machine, why)},
    [ACT_SETTLE] = {
        LINE(settle, session, CONTEST_SETTLED_NAME), NUMBER(settle, file, 1, CONTEST_SETTLED_FILES),
        NUMBER(settle, of, 1, CONTEST_SETTLED_FILES), HEX(settle, hash, ACT_HASH_BYTES),
        REASON(settle)},
    [ACT_REPEAT] = {ROUND(repeat), JUDGE(repeat), FLAG(repeat, further), REASON(repeat)},
    [ACT_EXCLUDE] = {ROUND(repeat), JUDGE(repeat), REASON(repeat)},
    [ACT_UNDO] = {
        LINE(undo, what, 16), ROW("", WHO, false, undo, who, 1, SCHEDULE_PEOPLE_MAX),
        MAY_NUMBER(undo, entry, 1, SCHEDULE_ENTRIES_MAX),
        MAY_NUMBER(undo, round, 1, SCHEDULE_MEETINGS_MAX),
        ROW("judge", NUMBER, false, undo, judge, 1, SCHEDULE_PEOPLE_MAX), REASON(undo)},
    [ACT_COMMIT] = {
        HEX(commit, commitment, ACT_HASH_BYTES), MAY_NUMBER(commit, draw, 1, DRAW_VERSION),
        MAY_LINE(commit, public, CONTEST_PUBLIC), FLAG(commit, lost), MAY_TEXT(commit, why)},
    [ACT_SEED] = {
        HEX(seed, seed, CONTEST_SEED), MAY_TEXT(seed, value),
        MAY_LINE(seed, by, CONTEST_NAME_MAX)},
    [ACT_SCHEDULE] = {
        LIST(schedule, rounds), MAY_NUMBER(schedule, order_from, 1, SCHEDULE_MEETINGS_MAX),
        MAY_NUMBER(schedule, games, 1, GAMES_BOOTHS_MAX), FLAG(schedule, anew)},
    [ACT_BEGIN] = {ROUND(begin), FLAG(begin, present), MAY_TEXT(begin, why)},
    [ACT_BALLOT] = {
        JUDGE(ballot), MAY_NUMBER(ballot, entry, 1, SCHEDULE_ENTRIES_MAX),
        MAY_NUMBER(ballot, confederate, 1, SCHEDULE_PEOPLE_MAX),
        MAY_NUMBER(ballot, candidate, 1, SCHEDULE_CANDIDATES_MAX), TRIAL(ballot),
        ROW("", VOTE, true, ballot, vote, 0, 0), FLAG(ballot, correction), FLAG(ballot, late),
        FLAG(ballot, further),
        MAY_LINE(ballot, notes, VOTE_NOTES_MAX + 1)},
    [ACT_RANKS] = {
        JUDGE(ranks), TRIAL(ranks), LIST(ranks, ranks), FLAG(ranks, correction)},
    [ACT_SEAL] = {
        MAY_NUMBER(seal, round, 1, SCHEDULE_MEETINGS_MAX), MAY_TEXT(seal, why)},
    [ACT_DISQUALIFY] = {
        ENTRY(disqualify), ROW("for", VOTES, false, disqualify, votes, 0, 0),
        FLAG(disqualify, organiser), REASON(disqualify)},
    [ACT_PRELIM] = {
        ENTRY(prelim), NUMBER(prelim, numerator, 0, 1000000),
        NUMBER(prelim, denominator, 1, 1000000)},
    [ACT_ALLOT] = {JUDGE(allot), ENTRIES(allot)},
    [ACT_LIST] = {JUDGE(list), ENTRIES(list), FLAG(list, correction)},
    [ACT_ANSWER] = {
        ENTRY(answer), QUESTION(answer), LINE(answer, kind, 32), LINE(answer, asked, 1024),
        TEXT(answer, answer), NUMBER(answer, ms, 0, 3600000)},
    [ACT_SCORE] = {ENTRY(score), QUESTION(score), NUMBER(score, points, 0, 100)},
    [ACT_SCREENED] = {
        ENTRY(screened), NUMBER(screened, points, -1000000, 1000000)},
    [ACT_INVITE] = SELECTED,
    [ACT_CHOOSE] = SELECTED,
    [ACT_LOSE] = SELECTED,
    [ACT_FINAL] = {ENTRIES(final), MAY_TEXT(final, why)},
    [ACT_CONFER] = {
        ENTRY(confer), ROW("for", VOTES, true, confer, votes, 0, 0),
        MAY_NUMBER(confer, place, 1, SCHEDULE_ENTRIES_MAX),
        ROW("majority", MAJORITY, false, confer, majority, 0, 0), AMONG(confer),
        MAY_TEXT(confer, why)},
    [ACT_COIN] = {
        MAY_HEX(coin, commitment, ACT_HASH_BYTES), MAY_HEX(coin, seed, RESULT_SEED_BYTES),
        FLAG(coin, after_conference), AMONG(coin),
        MAY_NUMBER(coin, dispute, 1, CONTEST_DISPUTES)},
    [ACT_DISPUTE] = {
        LINE(dispute, matter, CONTEST_WHY_MAX), MAY_NUMBER(dispute, entry, 1, SCHEDULE_ENTRIES_MAX),
        ROW("for", VOTES, true, dispute, votes, 0, 0), MAY_TEXT(dispute, why)},
    [ACT_PHRASE] = {
        LINE(phrase, text, CONTEST_PHRASE), LINE(phrase, why, CONTEST_PHRASE)},
    [ACT_ERASED] = {ENTRY(erased), REASON(erased)},
    [ACT_SURVEY] = {
        WHO(survey), NUMBER(survey, sitter, 1, SCHEDULE_PEOPLE_MAX + 1), LINE(survey, page, 8),
        ROW("fields", OBJECT, false, survey, fields, 0, 0), FLAG(survey, correction),
        MAY_LINE(survey, notes, VOTE_NOTES_MAX + 1)},
    [ACT_TRIAL] = {{.key = ""}},
};
/* clang-format on */

const char *act_kind_name(enum act_kind kind)
{
    return kind_names[kind];
}

bool act_kind_find(const char *name, enum act_kind *kind)
{
    for (*kind = 0; *kind < ACT_KINDS; ++*kind)
        if (strcmp(kind_names[*kind], name) == 0)
            return true;
    return false;
}

const struct act_field *act_field_find(enum act_kind kind, const char *key)
{
    const char *of = strcmp(key, "who") == 0 ? "" : key;
    for (const struct act_field *field = kind_fields[kind]; field->type; field++)
        if (strcmp(field->key, of) == 0)
            return field;
    return NULL;
}

void *act_field_of(struct act_body *body, const struct act_field *field)
{
    return (char *)&body->contest + field->offset;
}

const char **act_body_why(struct act_body *body)
{
    const struct act_field *field = act_field_find(body->kind, "why");
    return field ? act_field_of(body, field) : NULL;
}

/* Sets a text that is given; NULL: none. False: not UTF-8, or no memory. */
static bool set_text(json_t *json, const char *key, const char *text)
{
    return !text || json_object_set_new(json, key, json_string(text)) == 0;
}

static bool set_name(json_t *json, const char *key, const char *name)
{
    size_t length;
    if (!name)
        return true;
    name += strspn(name, " \t");
    length = strlen(name);
    while (length && (name[length - 1] == ' ' || name[length - 1] == '\t'))
        length--;
    return json_object_set_new(json, key, json_stringn(name, length)) == 0;
}

static bool set_number(json_t *json, const char *key, int64_t number)
{
    return json_object_set_new(json, key, json_integer(number)) == 0;
}

static bool write_dates(json_t *json, const char *const *date)
{
    bool good = true;
    for (unsigned d = 0; d < RULESET_DATES; d++)
        good = good && set_text(json, ruleset_date_name((enum ruleset_date)d), date[d]);
    return good;
}

static bool write_votes(json_t *json, const struct act_votes *votes)
{
    return !votes->given ||
           (set_number(json, "for", votes->for_it) && set_number(json, "against", votes->against) &&
            (!votes->judges || set_number(json, "judges", votes->judges)) &&
            (!votes->panel || json_object_set_new(json, "panel", json_true()) == 0));
}

static const char *who_key(const struct act_field *field, const char *of, char key[24])
{
    snprintf(key, 24, "%s%s", field->key, of);
    return key;
}

static bool write_who(json_t *json, const struct act_field *field, const struct act_who *who)
{
    char key[24];
    return who->number == 0 ||
           (set_text(json, who_key(field, "role", key), contest_role_name(who->role)) &&
            set_number(json, who_key(field, "number", key), who->number));
}

static bool write_entries(json_t *json, const char *key, const struct act_entries *entries)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < entries->count; i++)
        json_array_append_new(list, json_integer(entries->entry[i]));
    return json_object_set_new(json, key, list) == 0;
}

static bool write_names(json_t *json, const char *key, const struct act_names *names)
{
    json_t *list = names->list ? json_incref(names->list) : json_array();
    bool good = true;
    for (const char *at = names->text; at && *(at += strspn(at, ", "));) {
        size_t length = strcspn(at, ","), used = length;
        while (used && at[used - 1] == ' ')
            used--;
        good = json_array_append_new(list, json_stringn(at, used)) == 0 && good;
        at += length;
    }
    if (json_array_size(list))
        return json_object_set_new(json, key, list) == 0 && good;
    json_decref(list);
    return good;
}

static bool write_field(json_t *json, const struct act_field *field, const void *member)
{
    json_t *list;
    int64_t number;
    enum act_majority majority;
    switch (field->type) {
    case FIELD_ROLE:
        return set_text(json, field->key, contest_role_name(*(const enum contest_role *)member));
    case FIELD_WHO:
        return write_who(json, field, member);
    case FIELD_NUMBER:
        number = *(const int64_t *)member;
        return (number == 0 && !field->needed) || set_number(json, field->key, number);
    case FIELD_LINE:
    case FIELD_TEXT:
    case FIELD_HEX:
        return set_text(json, field->key, *(const char *const *)member);
    case FIELD_NAME:
        return set_name(json, field->key, *(const char *const *)member);
    case FIELD_FLAG:
        return !*(const bool *)member || json_object_set_new(json, field->key, json_true()) == 0;
    case FIELD_LIST:
    case FIELD_OBJECT:
        list = *(json_t *const *)member;
        return !list || json_object_set_new(json, field->key, list) == 0;
    case FIELD_ENTRIES:
        return (!field->needed && ((const struct act_entries *)member)->count == 0) ||
               write_entries(json, field->key, member);
    case FIELD_NAMES:
        return write_names(json, field->key, member);
    case FIELD_VOTES:
        return write_votes(json, member);
    case FIELD_MAJORITY:
        majority = *(const enum act_majority *)member;
        return majority == MAJORITY_NOT_SAID ||
               json_object_set_new(json, field->key, json_boolean(majority == MAJORITY_YES)) == 0;
    case FIELD_DATES:
        return write_dates(json, member);
    case FIELD_VOTE:
        return json_object_update_new(json, *(json_t *const *)member) == 0;
    case FIELD_END:
        break;
    }
    return false;
}

json_t *act_body_write(const struct act_body *body)
{
    json_t *json = json_object();
    bool good = json != NULL;
    for (const struct act_field *field = kind_fields[body->kind]; field->type; field++)
        good = write_field(json, field, (const char *)&body->contest + field->offset) && good;
    if (good)
        return json;
    json_decref(json);
    return NULL;
}

enum bl_status act_read_role(const char *key, const char *text, enum contest_role *role,
                             struct bl_diag *diag)
{
    for (*role = 0; text && *role < CONTEST_ROLES; ++*role)
        if (strcmp(contest_role_name(*role), text) == 0)
            return BL_OK;
    return bl_fail(diag, BL_DATA,
                   "'%s': expected judge, entry or confederate, preliminary or organiser", key);
}

enum bl_status act_check_number(const char *key, int64_t number, int64_t least, int64_t most,
                                struct bl_diag *diag)
{
    return number >= least && number <= most
               ? BL_OK
               : bl_fail(diag, BL_DATA,
                         "'%s': expected a whole number from %" PRId64 " to %" PRId64, key, least,
                         most);
}

static enum bl_status read_number(const char *key, const json_t *value,
                                  const struct act_field *field, int64_t *out, struct bl_diag *diag)
{
    *out = json_integer_value(value);
    return act_check_number(key, json_is_integer(value) ? *out : INT64_MIN, field->least,
                            field->most, diag);
}

static enum bl_status read_who(const json_t *json, const struct act_field *field,
                               struct act_who *who, struct bl_diag *diag)
{
    char key[24];
    const json_t *role = json_object_get(json, who_key(field, "role", key));
    enum bl_status status;
    if (!role && !field->needed)
        return BL_OK;
    status = act_read_role(key, json_string_value(role), &who->role, diag);
    who_key(field, "number", key);
    if (status == BL_OK)
        status = read_number(key, json_object_get(json, key), field, &who->number, diag);
    return status;
}

enum bl_status act_read_line(const char *key, const json_t *value, int64_t most, const char **out,
                             struct bl_diag *diag)
{
    *out = json_string_value(value);
    if (!*out || !**out)
        return bl_fail(diag, BL_DATA, "'%s': expected a text", key);
    if (strlen(*out) > (size_t)most)
        return bl_fail(diag, BL_DATA, "'%s' is longer than %" PRId64 " bytes", key, most);
    for (const char *at = *out; *at; at++)
        if ((unsigned char)*at < 0x20 || *at == 0x7f)
            return bl_fail(diag, BL_DATA, "'%s' has a control character in it", key);
    return BL_OK;
}

static enum bl_status read_hex(const char *key, const json_t *value, int64_t bytes,
                               const char **out, struct bl_diag *diag)
{
    *out = json_string_value(value);
    if (*out && strlen(*out) == 2 * (size_t)bytes &&
        strspn(*out, "0123456789abcdef") == 2 * (size_t)bytes)
        return BL_OK;
    return bl_fail(diag, BL_DATA, "'%s': expected %" PRId64 " bytes in hex", key, bytes);
}

static enum bl_status read_votes(const json_t *json, struct act_votes *votes, struct bl_diag *diag)
{
    static const struct act_field judges = {.most = SCHEDULE_PEOPLE_MAX};
    enum bl_status status =
        read_number("for", json_object_get(json, "for"), &judges, &votes->for_it, diag);
    if (status == BL_OK)
        status = read_number("against", json_object_get(json, "against"), &judges, &votes->against,
                             diag);
    if (status == BL_OK && json_object_get(json, "judges"))
        status =
            read_number("judges", json_object_get(json, "judges"), &judges, &votes->judges, diag);
    votes->panel = json_is_true(json_object_get(json, "panel"));
    votes->given = status == BL_OK;
    return status;
}

static enum bl_status read_dates(const json_t *json, const struct act_field *field,
                                 const char **date, struct bl_diag *diag)
{
    enum bl_status status = BL_OK;
    for (unsigned d = 0; status == BL_OK && d < RULESET_DATES; d++) {
        const char *name = ruleset_date_name((enum ruleset_date)d);
        const json_t *value = json_object_get(json, name);
        if (value)
            status = act_read_line(name, value, field->most, &date[d], diag);
    }
    return status;
}

static enum bl_status read_list(const char *key, json_t *value, json_t **out, struct bl_diag *diag)
{
    *out = value;
    return json_is_array(value) ? BL_OK : bl_fail(diag, BL_DATA, "'%s': expected a list", key);
}

enum bl_status act_read_entries(const char *key, const json_t *list, struct act_entries *entries,
                                struct bl_diag *diag)
{
    size_t count = json_array_size(list);
    bool good = json_is_array(list) && count <= SCHEDULE_ENTRIES_MAX;
    for (size_t i = 0; good && i < count; i++) {
        json_int_t entry = json_integer_value(json_array_get(list, i));
        good = entry >= 1 && entry <= SCHEDULE_ENTRIES_MAX;
        entries->entry[i] = (uint8_t)entry;
    }
    entries->count = (unsigned)count;
    return good ? BL_OK : bl_fail(diag, BL_DATA, "'%s': expected numbers of Entries", key);
}

/* Reads a text of any length. An optional member of another type counts as missing. */
static enum bl_status read_text(const struct act_field *field, const json_t *value,
                                const char **out, struct bl_diag *diag)
{
    *out = json_string_value(value);
    return *out || !field->needed ? BL_OK
                                  : bl_fail(diag, BL_DATA, "'%s': expected a text", field->key);
}

static enum bl_status read_field(json_t *json, const struct act_field *field, void *member,
                                 struct bl_diag *diag)
{
    json_t *value = json_object_get(json, field->key);
    bool missing = !value && !field->needed;
    switch (field->type) {
    case FIELD_ROLE:
        return act_read_role(field->key, json_string_value(value), member, diag);
    case FIELD_WHO:
        return read_who(json, field, member, diag);
    case FIELD_NUMBER:
        return missing ? BL_OK : read_number(field->key, value, field, member, diag);
    case FIELD_LINE:
    case FIELD_NAME:
        return missing ? BL_OK : act_read_line(field->key, value, field->most, member, diag);
    case FIELD_TEXT:
        return read_text(field, value, member, diag);
    case FIELD_HEX:
        return missing ? BL_OK : read_hex(field->key, value, field->most, member, diag);
    case FIELD_FLAG:
        *(bool *)member = json_is_true(value);
        return BL_OK;
    case FIELD_LIST:
        return read_list(field->key, value, member, diag);
    case FIELD_OBJECT:
        *(json_t **)member = value;
        return missing || json_is_object(value)
                   ? BL_OK
                   : bl_fail(diag, BL_DATA, "'%s': expected an object", field->key);
    case FIELD_ENTRIES:
        return missing ? BL_OK : act_read_entries(field->key, value, member, diag);
    case FIELD_NAMES:
        return missing ? BL_OK
                       : read_list(field->key, value, &((struct act_names *)member)->list, diag);
    case FIELD_VOTES:
        return missing ? BL_OK : read_votes(json, member, diag);
    case FIELD_MAJORITY:
        *(enum act_majority *)member = !value                ? MAJORITY_NOT_SAID
                                       : json_is_true(value) ? MAJORITY_YES
                                                             : MAJORITY_NO;
        return BL_OK;
    case FIELD_DATES:
        return read_dates(json, field, member, diag);
    case FIELD_VOTE:
        *(json_t **)member = json;
        return BL_OK;
    case FIELD_END:
        break;
    }
    return BL_OK;
}

enum bl_status act_body_read(struct act_body *body, enum act_kind kind, json_t *json,
                             struct bl_diag *diag)
{
    enum bl_status status = BL_OK;
    memset(body, 0, sizeof *body);
    body->kind = kind;
    if (!json_is_object(json))
        return bl_fail(diag, BL_DATA, "expected a JSON object");
    for (const struct act_field *field = kind_fields[kind]; status == BL_OK && field->type; field++)
        status = read_field(json, field, (char *)&body->contest + field->offset, diag);
    return status;
}
