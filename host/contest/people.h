/* The people of a contest, as a file its manager fills in for `contest setup`. Pure: it reads text,
 * not files. boothlink-venue(5) describes it.
 *
 *   [contest]
 *   format = 1
 *   name = Our contest
 *   ruleset = loebner-2009        ; or a file NAME.ini beside this one
 *   [draw]
 *   public = numbers of the lottery of 5 June    ; may be left out; value and by, once it is known
 *   [dates]
 *   closes = 2026-06-30           ; the contest's own days: boothlink-ruleset(5) has their names
 *   [people]
 *   judge1 = Ann Example          ; judge1.family
 *   entry1 = Eliza                ; entry1.submitter, team, family, received, how, age, guardian,
 *                                 ; rights, receipt, own, comms, why, approved
 *   confederate1 = Carl Example   ; confederate1.unknown, family, approved
 *   organiser1 = ...              ; and preliminary1
 *   [conflicts]
 *   judge1 confederate2 = they are cousins */
#ifndef CONTEST_PEOPLE_H
#define CONTEST_PEOPLE_H

#include "contest/act_body.h"
#include "rules/fields.h"

#define PEOPLE_LIST_MAX 512
#define PEOPLE_FIELDS   16

struct people_person {
    char name[CONTEST_NAME_MAX], submitter[CONTEST_NAME_MAX], approved[OPENING_NAME_MAX];
    char comms[CONTEST_NAME_MAX], why[CONTEST_WHY_MAX];
    char team[PEOPLE_LIST_MAX], family[PEOPLE_LIST_MAX], received[24], how[16], age[8];
    char guardian[4], rights[4], receipt[4], own[4], unknown[4], chief[4];
    int line;                      /* line of the name; 0: not in the file */
    int field_line[PEOPLE_FIELDS]; /* line of each field, by its index in the table; 0: not there */
};

struct people_conflict {
    enum contest_role role[2];
    unsigned number[2]; /* from 0 */
    char why[CONTEST_WHY_MAX];
    int line;
};

struct people {
    int format;
    char name[CONTEST_NAME_MAX], ruleset[256];
    char public_name[CONTEST_PUBLIC], public_value[CONTEST_PUBLIC], public_by[CONTEST_NAME_MAX];
    struct people_person person[CONTEST_ROLES][SCHEDULE_PEOPLE_MAX];
    struct people_conflict conflict[SCHEDULE_PEOPLE_MAX];
    unsigned conflicts;
    char date[RULESET_DATES][RULESET_DATE_MAX]; /* "2026-06-30"; "": not given */
    int field_line
        [6 + RULESET_DATES]; /* lines of name, ruleset, the draw and the days, by their index in the
                          * table; 0: not there */
    int line;                /* the present line while reading, then the last */
};

/* Parses the file; the struct is large. Reports every fault of the text: unknown fields, missing
 * names. */
void people_parse(struct people *people, const char *text, const char *name, struct faults *faults);

/* The line of a field of [contest] or [draw]; if missing, the line for it. */
int people_line(const struct people *people, const char *key);

/* The line of a person's field, such as "rights"; if missing, the line of the name. */
int people_person_line(const struct people_person *person, const char *field);

/* Makes the act that adds a person. The texts belong to the person. BL_DATA names the fault in the
 * fields. */
enum bl_status people_act(const struct people_person *person, enum contest_role role,
                          struct act_body *act, struct bl_diag *diag);

/* Parses a date or a time, as 2009-04-07 or 2009-04-07T10:00, UTC, to us since 1970. False:
 * neither. */
bool people_time(const char *text, int64_t *out_us);

/* Joins the names as "NAME,NAME"; NULL: none. BL_DATA, with the name in `key`: not UTF-8. */
enum bl_status people_check_names(const char *key, const char *names, struct bl_diag *diag);

#endif
