#include "contest/people.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DATE_FIELD(DATE, name) FIELD_TEXT(people, "dates", name, date[DATE_##DATE])
static const struct field people_fields[] = {
    FIELD_NUMBER(people, "contest", "format", format),
    FIELD_TEXT(people, "contest", "name", name),
    FIELD_TEXT(people, "contest", "ruleset", ruleset),
    FIELD_TEXT(people, "draw", "public", public_name),
    FIELD_TEXT(people, "draw", "value", public_value),
    FIELD_TEXT(people, "draw", "by", public_by),
    EACH_DATE(DATE_FIELD),
};

_Static_assert(sizeof people_fields / sizeof people_fields[0] ==
                   sizeof((struct people *)0)->field_line / sizeof(int),
               "a line for each");

/* The fields after "judge1."; `of`: letters of the roles with the field. */
struct person_field {
    const char *key, *of;
    size_t offset, size;
    bool flag;
};

#define TEXT(key, of, field)                                                                       \
    {                                                                                              \
        key, of, offsetof(struct people_person, field),                                            \
            sizeof(((struct people_person *)0)->field), false                                      \
    }
#define FLAG(key, of, field)                                                                       \
    {                                                                                              \
        key, of, offsetof(struct people_person, field),                                            \
            sizeof(((struct people_person *)0)->field), true                                       \
    }

static const struct person_field person_fields[] = {
    TEXT("", CONTEST_LETTERS, name),
    TEXT("family", CONTEST_LETTERS, family),
    TEXT("approved", "EC", approved),
    TEXT("submitter", "E", submitter),
    TEXT("comms", "E", comms),
    TEXT("why", "E", why),
    TEXT("team", "E", team),
    TEXT("received", "E", received),
    TEXT("how", "E", how),
    TEXT("age", "E", age),
    FLAG("guardian", "E", guardian),
    FLAG("rights", "E", rights),
    FLAG("receipt", "E", receipt),
    FLAG("own", "E", own),
    FLAG("unknown", "C", unknown),
    FLAG("chief", "P", chief),
};

_Static_assert(sizeof person_fields / sizeof person_fields[0] == PEOPLE_FIELDS, "a line for each");

int people_person_line(const struct people_person *person, const char *field)
{
    for (size_t i = 0; i < PEOPLE_FIELDS; i++)
        if (strcmp(person_fields[i].key, field) == 0 && person->field_line[i])
            return person->field_line[i];
    return person->line;
}

/* Reads "judge3" at *at, and moves *at past it. */
static bool read_place(const char **at, enum contest_role *role, unsigned *number)
{
    for (unsigned r = 0; r < CONTEST_ROLES; r++) {
        const char *name = contest_role_name((enum contest_role)r);
        const char *digit = *at + strlen(name);
        char *rest;
        if (strncmp(*at, name, strlen(name)) != 0 || *digit < '1' || *digit > '9')
            continue;
        unsigned long value = strtoul(digit, &rest, 10);
        if (value > contest_most((enum contest_role)r))
            return false;
        *role = (enum contest_role)r;
        *number = (unsigned)value - 1;
        *at = rest;
        return true;
    }
    return false;
}

static enum bl_status take_field(struct people_person *person, enum contest_role role, int line,
                                 const char *key, const char *field, const char *value,
                                 struct bl_diag *diag)
{
    for (size_t i = 0; i < PEOPLE_FIELDS; i++) {
        const struct person_field *at = &person_fields[i];
        char *out = (char *)person + at->offset;
        if (strcmp(at->key, field) != 0 || !strchr(at->of, CONTEST_LETTERS[role]))
            continue;
        if (strlen(value) >= at->size && !at->flag)
            return bl_fail(diag, BL_DATA, "[people] %s: longer than %zu bytes", key, at->size - 1);
        bool age = strcmp(field, "age") == 0;
        if (!value[0] && (at->flag || age)) {
            /* One fault for each line: a stand-in value prevents further faults. */
            strcpy(out, age                                                 ? "adult"
                        : at->offset == offsetof(struct people_person, own) ? "no"
                                                                            : "yes");
            return bl_fail(diag, BL_DATA, "[people] %s is missing: %s", key,
                           age ? "years, or adult" : "yes or no");
        }
        if (at->flag && strcmp(value, "yes") != 0 && strcmp(value, "no") != 0)
            return bl_fail(diag, BL_DATA, "[people] %s: '%.40s': expected yes or no", key, value);
        if (out[0])
            return bl_fail(diag, BL_DATA, "[people] %s: given twice", key);
        person->field_line[i] = line;
        strcpy(out, value);
        return BL_OK;
    }
    return bl_fail(
        diag, BL_DATA, "[people] %s: no such field of %s %s; boothlink-venue(5) lists them", key,
        role == CONTEST_ENTRY || role == CONTEST_ORGANISER ? "an" : "a", contest_role_name(role));
}

static enum bl_status take_person(struct people *people, const char *key, const char *value,
                                  struct bl_diag *diag)
{
    enum contest_role role;
    unsigned number;
    const char *rest = key;
    if (!read_place(&rest, &role, &number) || (*rest && *rest != '.') || (*rest == '.' && !rest[1]))
        return bl_fail(diag, BL_DATA,
                       "[people] %s: expected judge1 to judge%d, or confederate, or entry1 to "
                       "entry%d, or organiser, preliminary",
                       key, SCHEDULE_PEOPLE_MAX, SCHEDULE_ENTRIES_MAX);
    struct people_person *person = &people->person[role][number];
    if (!*rest && person->line)
        return bl_fail(diag, BL_DATA, "[people] %s: given twice", key);
    if (!*rest)
        person->line = people->line;
    if (!*rest && !value[strspn(value, " \t")])
        return bl_fail(diag, BL_DATA, "[people] %s: the name is missing", key);
    return take_field(person, role, people->line, key, *rest ? rest + 1 : "", value, diag);
}

static enum bl_status take_conflict(struct people *people, const char *key, const char *value,
                                    struct bl_diag *diag)
{
    struct people_conflict *conflict = &people->conflict[people->conflicts];
    const char *at = key;
    bool good = people->conflicts < SCHEDULE_PEOPLE_MAX &&
                read_place(&at, &conflict->role[0], &conflict->number[0]) && *at == ' ';
    at += strspn(at, " ");
    if (!good || !read_place(&at, &conflict->role[1], &conflict->number[1]) || *at)
        return bl_fail(diag, BL_DATA,
                       "[conflicts] %s: expected two who may not meet and why, as judge1 "
                       "confederate2 = they are cousins",
                       key);
    if (!value[0] || strlen(value) >= sizeof conflict->why)
        return bl_fail(diag, BL_DATA, "[conflicts] %s: expected the reason, in at most %zu bytes",
                       key, sizeof conflict->why - 1);
    strcpy(conflict->why, value);
    conflict->line = people->line;
    people->conflicts++;
    return BL_OK;
}

static enum bl_status take_more(void *target, const char *section, const char *key,
                                const char *value, const char *comment, struct bl_diag *diag)
{
    (void)comment;
    return strcmp(section, "people") == 0 ? take_person(target, key, value, diag)
                                          : take_conflict(target, key, value, diag);
}

static void note_line(void *target, size_t field, const char *comment)
{
    struct people *people = target;
    (void)comment;
    people->field_line[field] = people->line;
}

int people_line(const struct people *people, const char *key)
{
    for (size_t i = 0; i < sizeof people_fields / sizeof people_fields[0]; i++)
        if (strcmp(people_fields[i].key, key) == 0 && people->field_line[i])
            return people->field_line[i];
    return people->line;
}

/* Checks that the numbers of a role run from 1 without a gap, and that each person with a field has
 * a name. */
static void check_numbers(const struct people *people, enum contest_role role, const char *name,
                          struct faults *faults)
{
    static const struct people_person none;
    unsigned last = SCHEDULE_PEOPLE_MAX;
    while (last && memcmp(&people->person[role][last - 1], &none, sizeof none) == 0)
        last--;
    for (unsigned i = 0; i < last; i++)
        if (!people->person[role][i].line)
            faults_add(faults, name, people->line, "[people] %s%u is missing",
                       contest_role_name(role), i + 1);
}

void people_parse(struct people *people, const char *text, const char *name, struct faults *faults)
{
    static const char *const more[] = {"people", "conflicts", NULL};
    static const struct fields fields = {
        .field = people_fields,
        .count = sizeof people_fields / sizeof people_fields[0],
        .manual = "boothlink-venue(5)",
        .more_sections = more,
        .take_more = take_more,
        .take_comment = note_line,
    };
    memset(people, 0, sizeof *people);
    fields_read_all(&fields, people, text, name, &people->line, faults);
    if (people->format != 1)
        faults_add(faults, name, people_line(people, "format"),
                   "[contest] format = %d: expected format = 1", people->format);
    if (!people->name[0])
        faults_add(faults, name, people_line(people, "name"), "[contest] name is missing");
    if (!people->ruleset[0])
        faults_add(faults, name, people_line(people, "ruleset"),
                   "[contest] ruleset is missing: boothlink contest rulesets lists them");
    if (people->public_value[0] && !people->public_name[0])
        faults_add(faults, name, people_line(people, "value"),
                   "[draw] value is that of a public value, and [draw] public is missing");
    if (people->public_value[0] && !people->public_by[0])
        faults_add(faults, name, people_line(people, "value"),
                   "[draw] by is missing: expected who states the value");
    for (unsigned r = 0; r < CONTEST_ROLES; r++)
        check_numbers(people, (enum contest_role)r, name, faults);
}

bool people_time(const char *text, int64_t *out_us)
{
    char date[RULESET_DATE_MAX];
    int64_t day;
    int hour = 0, minute = 0, more = 0;
    snprintf(date, sizeof date, "%.10s", text);
    if (!ruleset_day(date, &day))
        return false;
    text += strlen(date);
    if (sscanf(text, "T%2d:%2d%n", &hour, &minute, &more) == 2)
        text += more;
    if (*text || hour < 0 || hour > 23 || minute < 0 || minute > 59)
        return false;
    *out_us = ((day * 24 + hour) * 60 + minute) * 60 * 1000000;
    return true;
}

enum bl_status people_check_names(const char *key, const char *names, struct bl_diag *diag)
{
    json_t *text = json_string(names ? names : "");
    json_decref(text);
    return text ? BL_OK : bl_fail(diag, BL_DATA, "%s: expected names in UTF-8", key);
}

static bool is_yes(const char *text)
{
    return strcmp(text, "yes") == 0;
}

/* A text of the file for an act; NULL: missing. */
static const char *given(const char *text)
{
    return text[0] ? text : NULL;
}

enum bl_status people_act(const struct people_person *person, enum contest_role role,
                          struct act_body *act, struct bl_diag *diag)
{
    char *rest = NULL; /* the text after the age */
    bool adult = strcmp(person->age, "adult") == 0;
    int64_t age = person->age[0] && !adult ? strtol(person->age, &rest, 10) : 0, received_us = 0;
    enum bl_status status;
    if (person->received[0] && !people_time(person->received, &received_us))
        return bl_fail(diag, BL_DATA, "received = %.40s: expected a time such as 2009-04-07T10:00",
                       person->received);
    if (rest && *rest)
        return bl_fail(diag, BL_DATA, "age = %.20s: expected years, or adult", person->age);
    status = people_check_names("--family", person->family, diag);
    if (status == BL_OK)
        status = people_check_names("--team", person->team, diag);
    if (status != BL_OK)
        return status;
    *act = (struct act_body){.kind = ACT_PERSON,
                             .person = {
                                 .role = role,
                                 .moves = role == CONTEST_ENTRY,
                                 .name = person->name,
                                 .family = {.text = person->family},
                                 .submitter = given(person->submitter),
                                 .team = {.text = person->team},
                                 .age = age,
                                 .guardian = is_yes(person->guardian),
                                 .rights = is_yes(person->rights),
                                 .receipt = is_yes(person->receipt),
                                 .received_us = received_us,
                                 .how = given(person->how),
                                 .own = is_yes(person->own),
                                 .comms = given(person->comms),
                                 .why = given(person->why),
                                 .unknown = is_yes(person->unknown),
                                 .chief = is_yes(person->chief),
                             }};
    return BL_OK;
}
