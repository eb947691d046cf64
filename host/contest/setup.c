#include "contest/setup.h"

#include "contest/plan.h"
#include "rules/timetable.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct plan_setup {
    const struct setup *setup;
    const struct contest *trial; /* the contest with the new acts */
    struct act_batch *acts;
};

static void tell(const struct plan_setup *p, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A fault of the people's file. */
static void tell(const struct plan_setup *p, int line, const char *format, ...)
{
    char text[400];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    faults_add(p->setup->faults, p->setup->people_name, line ? line : p->setup->people->line, "%s",
               text);
}

static void tell_missing(const struct plan_setup *p, unsigned booth, const char *field,
                         const char *why)
{
    char key[32];
    snprintf(key, sizeof key, "booth%u.%s", booth + 1, field);
    venue_fault(p->setup->venue, p->setup->venue_name, p->setup->faults, key, " is missing%s", why);
}

unsigned setup_booths(const struct contest *contest)
{
    unsigned booths = 0, candidates = contest->people[CONTEST_ENTRY];
    if (contest_has_design(contest))
        return booths_at_once(contest);
    if (contest->ruleset.pairing == PAIRING_SINGLE)
        candidates += contest->people[CONTEST_CONFEDERATE];
    for (unsigned i = 0; i < candidates; i++)
        booths += contest_has_candidate(contest, i);
    return booths;
}

unsigned setup_cables(const struct contest *contest)
{
    return contest->ruleset.pairing == PAIRING_SINGLE ? 1 : VENUE_CABLES;
}

static enum bl_status try_act(struct plan_setup *p, const struct act_body *act,
                              struct bl_diag *diag)
{
    return act_batch_add(p->acts, act, p->setup->now_us, diag);
}

static bool plan_contest(struct plan_setup *p)
{
    const struct people *people = p->setup->people;
    struct bl_diag why;
    if (p->trial->ruleset.format) {
        if (strcmp(p->trial->name, people->name) != 0)
            tell(p, people_line(people, "name"),
                 "[contest] name = %s, and the contest's file is that of %s", people->name,
                 p->trial->name);
        return true;
    }
    if (!p->setup->ruleset)
        return false;
    /* A missing name is already a fault. The stand-in lets other faults be found. */
    const struct act_body act = {.kind = ACT_CONTEST,
                                 .contest = {.name = people->name[0] ? people->name : "unnamed",
                                             .ruleset = p->setup->ruleset,
                                             .signatures = !p->setup->any_ballot}};
    if (try_act(p, &act, &why) == BL_OK)
        return true;
    tell(p, people_line(people, "ruleset"), "[contest] %s", why.text);
    return false;
}

/* Plans the file's days that differ from the contest's. */
static void plan_dates(struct plan_setup *p)
{
    const struct people *people = p->setup->people;
    struct act_body act = {.kind = ACT_DATES};
    const char *first = NULL;
    struct bl_diag why;
    for (unsigned d = 0; d < RULESET_DATES; d++) {
        const char *name = ruleset_date_name((enum ruleset_date)d);
        if (!people->date[d][0] || strcmp(people->date[d], p->trial->date[d]) == 0)
            continue;
        act.dates.date[d] = people->date[d];
        first = first ? first : name;
    }
    if (first && try_act(p, &act, &why))
        tell(p, people_line(people, first), "[dates] %s", why.text);
}

/* Reports a fault with options of `contest add` as fields ("--rights" as "entry2.rights"), at the
 * line of the first such field. */
static void tell_person(const struct plan_setup *p, const struct people_person *person,
                        const char *word, unsigned number, const char *why)
{
    char text[400], field[24];
    size_t length = 0;
    int line = person->line;
    for (const char *at = why; *at && length < sizeof text - 32;) {
        bool option = at[0] == '-' && at[1] == '-';
        if (option && line == person->line) {
            snprintf(field, sizeof field, "%.*s", (int)strspn(at + 2, "abcdefghijklmnopqrstuvwxyz"),
                     at + 2);
            line = people_person_line(person, field);
        }
        int used = option ? snprintf(text + length, 32, "%s%u.", word, number + 1)
                          : snprintf(text + length, 2, "%c", *at);
        length += (size_t)used;
        at += option ? 2 : 1;
    }
    text[length] = '\0';
    tell(p, line, "[people] %s%u: %s", word, number + 1, text);
}

/* True if the person's circle has all names of the comma-separated list. */
static bool knows_all(const struct contest *contest, enum contest_role role, unsigned number,
                      enum circle circle, const char *names)
{
    for (const char *at = names; *(at += strspn(at, ", "));) {
        size_t length = strcspn(at, ","), used = length;
        bool known = false;
        while (used && at[used - 1] == ' ')
            used--;
        for (unsigned i = 0; i < contest->associates && !known; i++) {
            const struct associate *a = &contest->associate[i];
            known = a->role == role && a->number == number && a->circle == circle &&
                    strlen(a->name) == used && strncasecmp(a->name, at, used) == 0;
        }
        if (!known)
            return false;
        at += length;
    }
    return true;
}

/* Reports an Entry's fields in the file that differ from its registration and that no act can
 * change. */
static void check_registered(const struct plan_setup *p, const struct people_person *person,
                             unsigned number)
{
    const struct person *is = &p->trial->person[CONTEST_ENTRY][number];
    struct act_body act;
    struct bl_diag why;
    if (people_act(person, CONTEST_ENTRY, &act, &why) != BL_OK) {
        tell_person(p, person, "entry", number, why.text);
        return;
    }
    const struct act_person *said = &act.person;
    const struct {
        const char *key;
        bool differs;
    } of[] = {
        {"submitter", said->submitter && strcmp(said->submitter, is->submitter) != 0},
        {"age", said->age && said->age != is->age},
        {"received", said->received_us && said->received_us != is->received_us},
        {"how", said->how && strcmp(said->how, contest_submitted_name(is->how)) != 0},
        {"guardian", person->guardian[0] && said->guardian != is->guardian},
        {"rights", person->rights[0] && said->rights != is->rights},
        {"receipt", person->receipt[0] && said->receipt != is->receipt},
        {"own", person->own[0] && said->own != is->own},
    };
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++)
        if (of[i].differs)
            tell(
                p, person->line,
                "[people] entry%u.%s was said otherwise when it was registered, and stays: contest "
                "withdraw, and an Entry more",
                number + 1, of[i].key);
}

/* Plans the names of family and team, and an Entry's communications program, of a person or Entry
 * already in the contest. */
static void plan_known(struct plan_setup *p, enum contest_role role, unsigned number)
{
    const struct people_person *person = &p->setup->people->person[role][number];
    const char *word = contest_role_name(role);
    struct act_body act = {.kind = ACT_INTERESTS,
                           .interests = {.who = {role, number + 1},
                                         .family = {.text = person->family},
                                         .team = {.text = person->team}}};
    struct bl_diag why;
    if ((!knows_all(p->trial, role, number, CIRCLE_FAMILY, person->family) ||
         !knows_all(p->trial, role, number, CIRCLE_TEAM, person->team)) &&
        try_act(p, &act, &why) != BL_OK)
        tell_person(p, person, word, number, why.text);
    if (role != CONTEST_ENTRY)
        return;
    check_registered(p, person, number);
    act = (struct act_body){.kind = ACT_DELIVER,
                            .deliver = {.entry = number + 1, .what = person->comms, .comms = true}};
    if (person->comms[0] && strcmp(person->comms, p->trial->person[role][number].comms) != 0 &&
        try_act(p, &act, &why) != BL_OK)
        tell(p, person->line, "[people] entry%u.comms: %s", number + 1, why.text);
}

/* Notes people in the contest who are not in the file. */
static void note_others(const struct plan_setup *p)
{
    for (unsigned r = 0; r < CONTEST_ROLES; r++)
        for (unsigned i = 0; i < p->setup->contest->people[r]; i++)
            if (!p->setup->people->person[r][i].line && !p->trial->person[r][i].withdrawn)
                faults_add(p->setup->notes, p->setup->people_name, p->setup->people->line,
                           "[people] %s%u is not here, and %s stays in the contest: contest "
                           "withdraw takes him out",
                           contest_role_name((enum contest_role)r), i + 1,
                           p->trial->person[r][i].name);
}

static void plan_person(struct plan_setup *p, enum contest_role role, unsigned number)
{
    const struct people_person *person = &p->setup->people->person[role][number];
    const char *word = contest_role_name(role);
    const char *there = p->trial->person[role][number].name;
    struct bl_diag why;
    char unnamed[32]; /* a stand-in for a missing name */
    const char *name = person->name[strspn(person->name, " ")] ? person->name : unnamed;
    struct act_body act;
    snprintf(unnamed, sizeof unnamed, "%s %u", word, number + 1);
    if (number >= p->trial->people[role])
        there = NULL;
    if (there && name != unnamed && strcmp(there, name) != 0)
        tell(p, person->line,
             "[people] %s%u is %s, and in the contest it is %s: write that here, or contest rename "
             "where the contest has it wrong",
             word, number + 1, name, there);
    bool comms = person->comms[0] || (there && p->trial->person[role][number].comms[0]);
    if (role == CONTEST_ENTRY && p->trial->ruleset.comms == WORD_YES && !comms)
        tell(p, people_person_line(person, "comms"),
             "[people] entry%u.comms is missing, its communications program (%s)", number + 1,
             ruleset_rule(&p->trial->ruleset, "register", "communications-program", 0).text);
    if (there) {
        plan_known(p, role, number);
        return;
    }
    enum bl_status status = contest_name_free(p->trial, role, number, name, &why);
    if (status == BL_OK)
        status = people_act(person, role, &act, &why);
    if (status == BL_OK) {
        act.person.name = name;
        status = try_act(p, &act, &why);
    }
    if (status != BL_OK)
        tell_person(p, person, word, number, why.text);
}

static void plan_approved(struct plan_setup *p, enum contest_role role, unsigned number)
{
    const struct people_person *person = &p->setup->people->person[role][number];
    struct bl_diag why;
    if (!person->approved[0] || number >= p->trial->people[role] ||
        strcmp(person->approved, p->trial->person[role][number].approved) == 0)
        return;
    const struct act_body act = {.kind = ACT_APPROVE,
                                 .approve = {.who = {role, number + 1}, .name = person->approved}};
    if (try_act(p, &act, &why))
        tell(p, person->line, "[people] %s%u.approved: %s", contest_role_name(role), number + 1,
             why.text);
}

static void plan_conflict(struct plan_setup *p, const struct people_conflict *conflict)
{
    struct bl_diag why;
    for (unsigned i = 0; i < p->trial->conflicts; i++) {
        const struct conflict *there = &p->trial->conflict[i];
        if (there->role[0] == conflict->role[0] && there->role[1] == conflict->role[1] &&
            there->number[0] == conflict->number[0] && there->number[1] == conflict->number[1])
            return;
    }
    const struct act_body act = {.kind = ACT_CONFLICT,
                                 .conflict = {.who = {conflict->role[0], conflict->number[0] + 1},
                                              .with = {conflict->role[1], conflict->number[1] + 1},
                                              .why = conflict->why}};
    if (try_act(p, &act, &why))
        tell(p, conflict->line, "[conflicts] %s", why.text);
}

static void plan_people(struct plan_setup *p)
{
    const struct people *people = p->setup->people;
    unsigned before = p->setup->faults->count;
    for (unsigned r = 0; r < CONTEST_ROLES; r++)
        for (unsigned i = 0; i < SCHEDULE_PEOPLE_MAX; i++)
            if (people->person[r][i].line)
                plan_person(p, (enum contest_role)r, i);
    for (unsigned r = 0; r < CONTEST_ROLES; r++)
        for (unsigned i = 0; i < SCHEDULE_PEOPLE_MAX; i++)
            plan_approved(p, (enum contest_role)r, i);
    /* After a refused person the numbers of contest and file differ. */
    for (unsigned i = 0; before == p->setup->faults->count && i < people->conflicts; i++)
        plan_conflict(p, &people->conflict[i]);
}

/* Checks the numbers of people in the file against the rules, refused people included. */
static void check_numbers(const struct plan_setup *p)
{
    const struct ruleset *rules = &p->trial->ruleset;
    const int least[] = {rules->entries_least, rules->judges_least, rules->confederates_least};
    for (unsigned r = 0; r <= CONTEST_CONFEDERATE; r++) {
        int said = 0, wanted = least[r] > 0 ? least[r] : 1;
        if (contest_register(p->trial, (enum contest_role)r) != r)
            continue; /* under a design: the judges are the confederates */
        for (unsigned i = 0; i < SCHEDULE_PEOPLE_MAX; i++)
            said += p->setup->people->person[r][i].line != 0 && !p->trial->person[r][i].withdrawn;
        if (said < (p->setup->few ? 1 : wanted))
            tell(p, 0, "[people] %s%d is missing: the rules of %s ask for %d at least",
                 contest_role_name((enum contest_role)r), said + 1, rules->name, wanted);
        if (r == CONTEST_ENTRY && rules->entries_most && said > rules->entries_most &&
            !p->trial->final)
            tell(p, 0,
                 "[people] there are %d Entries, and the final round has %d at most: contest "
                 "select says which go on",
                 said, rules->entries_most);
    }
}

static void check_machine(const struct plan_setup *p, unsigned booth, unsigned cable)
{
    static const char *const keys[][2] = {{"judge-key-a", "judge-key-b"},
                                          {"entity-key-a", "entity-key-b"}};
    const struct venue_booth *at = &p->setup->venue->booth[booth];
    if (!at->judge[cable][0])
        tell_missing(p, booth, venue_judge_fields[cable], "");
    if (!at->entity[cable][0])
        tell_missing(p, booth, venue_entity_fields[cable], "");
    if (!at->judge_key_file[cable][0] != !at->entity_key_file[cable][0])
        tell_missing(p, booth, keys[at->judge_key_file[cable][0] != '\0'][cable],
                     ": the other end has one");
}

static void check_entry(const struct plan_setup *p, unsigned entry)
{
    const struct venue *venue = p->setup->venue;
    char key[VENUE_MISSING_MAX];
    struct bl_diag why;
    venue_missing(entry, key);
    if (!venue_starts(&venue->entry[entry]) && !venue->entry[entry].handed_in[0])
        venue_fault(venue, p->setup->venue_name, p->setup->faults, key, "%s", "");
    if (venue_check_entry(venue, &p->trial->ruleset, entry, &why) == BL_OK)
        return;
    /* "...entry2.comms: ..." */
    const char *at = strstr(why.text, "entry");
    snprintf(key, sizeof key, "%.*s", at ? (int)strcspn(at, ": ") : 0, at ? at : "");
    faults_add(p->setup->faults, p->setup->venue_name, venue_line(venue, key), "%s", why.text);
}

/* Reports lines of the venue about an Entry that is neither in the people's file nor in the
 * contest. */
static void check_nobody(const struct plan_setup *p, unsigned entry)
{
    const struct venue *venue = p->setup->venue;
    int line = 0;
    for (size_t i = 0; i < VENUE_PROGRAM_FIELDS; i++)
        if (venue->entry[entry].line[i] && (!line || venue->entry[entry].line[i] < line))
            line = venue->entry[entry].line[i];
    if (line && !p->setup->people->person[CONTEST_ENTRY][entry].line &&
        entry >= p->trial->people[CONTEST_ENTRY])
        faults_add(p->setup->faults, p->setup->venue_name, line,
                   "[machines] entry%u: there is no Entry %u in %s: add it there, or leave it out "
                   "here",
                   entry + 1, entry + 1, p->setup->people_name);
}

static void check_times(const struct plan_setup *p)
{
    const struct venue *venue = p->setup->venue;
    struct timetable times;
    struct bl_diag why;
    if (venue->start[0] && timetable_make(&times, "", venue->start, NULL, &why) != BL_OK)
        faults_add(p->setup->faults, p->setup->venue_name, venue_line(venue, "start"), "[venue] %s",
                   why.text);
    if (venue->breaks[0] && timetable_make(&times, "", NULL, venue->breaks, &why) != BL_OK)
        faults_add(p->setup->faults, p->setup->venue_name, venue_line(venue, "breaks"),
                   "[venue] %s", why.text);
}

static void check_venue(const struct plan_setup *p)
{
    const struct people *people = p->setup->people;
    unsigned entries = 0, booths = 0;
    struct bl_diag why;
    while (entries < SCHEDULE_ENTRIES_MAX && people->person[CONTEST_ENTRY][entries].line)
        entries++;
    booths = entries;
    for (unsigned i = 0; p->trial->ruleset.pairing == PAIRING_SINGLE && i < SCHEDULE_PEOPLE_MAX;
         i++)
        booths += people->person[CONTEST_CONFEDERATE][i].line != 0;
    if (contest_has_design(p->trial)) /* as many as the venue has; one at least */
        booths = venue_booths(p->setup->venue) ? venue_booths(p->setup->venue) : 1;
    else if (p->trial->final)
        booths = setup_booths(p->trial);
    for (unsigned booth = 0; booth < booths && booth < SCHEDULE_BOOTHS_MAX; booth++)
        for (unsigned cable = 0; cable < setup_cables(p->trial); cable++)
            check_machine(p, booth, cable);
    if (venue_check_pace(p->setup->venue, &p->trial->ruleset, &why) != BL_OK)
        faults_add(p->setup->faults, p->setup->venue_name, venue_line(p->setup->venue, "pace"),
                   "%s", why.text);
    if (venue_check_desk(p->setup->venue, &p->trial->ruleset, &why) != BL_OK)
        faults_add(p->setup->faults, p->setup->venue_name,
                   venue_line(p->setup->venue, "desk-network"), "[venue] %s", why.text);
    for (unsigned i = 0; i < SCHEDULE_ENTRIES_MAX; i++)
        if (i < entries)
            check_entry(p, i);
        else
            check_nobody(p, i);
}

/* Checks that each break is between two rounds. */
static void check_breaks(const struct plan_setup *p, unsigned rounds)
{
    const struct venue *venue = p->setup->venue;
    struct timetable times;
    struct bl_diag why;
    if (!venue->breaks[0] || timetable_make(&times, "", NULL, venue->breaks, &why) != BL_OK)
        return;
    for (unsigned i = 0; i < times.breaks; i++)
        if (times.pause[i].after >= rounds)
            faults_add(p->setup->faults, p->setup->venue_name, venue_line(venue, "breaks"),
                       "[venue] breaks: %u is not before the last of %u round%s: expected a round "
                       "that another one follows",
                       times.pause[i].after, rounds, BL_S(rounds));
}

/* Checks that a schedule exists, after all other checks. */
static void check_schedule(const struct plan_setup *p)
{
    struct schedule *rest = malloc(sizeof *rest);
    struct contest_planned planned = {.booths = venue_booths(p->setup->venue)};
    struct bl_diag why;
    enum bl_status status = rest ? contest_plan(p->trial, false, rest, &planned, &why) : BL_NOMEM;
    if (rest && status != BL_OK)
        tell(p, 0, "[people] %s", why.text);
    if (status == BL_OK)
        check_breaks(p, rest->rounds);
    free(rest);
}

enum bl_status setup_acts(const struct setup *setup, struct act_batch *acts, struct bl_diag *diag)
{
    enum bl_status status = act_batch_begin(acts, setup->contest, diag);
    struct plan_setup p = {.setup = setup, .trial = acts->with, .acts = acts};
    if (status == BL_OK && plan_contest(&p)) {
        plan_dates(&p);
        plan_people(&p);
        note_others(&p);
        check_times(&p);
        if (p.trial->begun == 0) {
            check_numbers(&p);
            check_venue(&p);
        }
        if (p.trial->begun == 0 && setup->faults->count == 0)
            check_schedule(&p);
    }
    return setup->faults->count ? bl_fail(diag, BL_DATA, "%u fault%s; nothing was done",
                                          setup->faults->count, BL_S(setup->faults->count))
                                : status;
}
