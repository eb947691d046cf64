/* The register: the people, the requirements on an entrant, and roles that exclude each other. */
#include "contest/contest_private.h"

#include "base/name.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum bl_status check_who(const struct contest *contest, const struct act_who *who,
                         struct bl_diag *diag)
{
    return who->number >= 1 && who->number <= contest->people[who->role]
               ? BL_OK
               : bl_fail(diag, BL_DATA, "there is no %s %" PRId64, contest_role_name(who->role),
                         who->number);
}

static struct rule register_rule(const struct contest *contest, const char *key, int which)
{
    return ruleset_rule(&contest->ruleset, "register", key, which);
}

/* True if two names are one person's. Replayed acts compare as at their time. */
static bool is_same(bool replays, const char *a, const char *b)
{
    return replays ? strcasecmp(a, b) == 0 : name_equal(a, b);
}

struct known {
    enum contest_role role;
    unsigned number;
    const struct person *person;
};

/* True if a person in this circle of `who` has the name. */
static bool has_name(const struct contest *contest, const struct known *who, enum circle circle,
                     const char *wanted, bool replays)
{
    for (unsigned i = 0; i < contest->associates; i++) {
        const struct associate *a = &contest->associate[i];
        if (a->role == who->role && a->number == who->number && a->circle == circle &&
            is_same(replays, a->name, wanted))
            return true;
    }
    return false;
}

/* True if the name is the person's, or of an Entry's submitter or team. */
static bool is_called(const struct contest *contest, const struct known *who, const char *name)
{
    const char *own = who->role == CONTEST_ENTRY ? who->person->submitter : who->person->name;
    return is_same(contest->replays, own, name) ||
           has_name(contest, who, CIRCLE_TEAM, name, contest->replays);
}

/* The first name of `who` (or, with `family`, of that person's family) that also names `other`;
 * NULL: none. */
static const char *shared_name(const struct contest *contest, const struct known *who,
                               const struct known *other, bool family)
{
    const char *own = who->role == CONTEST_ENTRY ? who->person->submitter : who->person->name;
    if (!family && *own && is_called(contest, other, own))
        return own;
    for (unsigned i = 0; i < contest->associates; i++) {
        const struct associate *a = &contest->associate[i];
        if (a->role == who->role && a->number == who->number &&
            a->circle == (family ? CIRCLE_FAMILY : CIRCLE_TEAM) &&
            is_called(contest, other, a->name))
            return a->name;
    }
    return NULL;
}

/* True if one person may not have both roles; `rule` is the rule in parentheses. Only 2003 has such
 * written rules, also for families and immediate associates. Under other rules an entrant may only
 * be an organiser besides. */
static bool forbidden(const struct ruleset *rules, enum contest_role a, enum contest_role b,
                      char rule[RULESET_RULE_MAX + 4])
{
    /* The number, from 1, of a rule that the ruleset cites for `interests`: on contestants, on
     * final judges, on confederates (2003 r10, r41, r52). */
    static const uint8_t which[CONTEST_ROLES][CONTEST_ROLES] = {
        [CONTEST_ENTRY] = {[CONTEST_JUDGE] = 2,
                           [CONTEST_CONFEDERATE] = 3,
                           [CONTEST_PRELIM] = 2,
                           [CONTEST_ORGANISER] = 1},
        [CONTEST_JUDGE] = {[CONTEST_PRELIM] = 2, [CONTEST_ORGANISER] = 2},
        [CONTEST_CONFEDERATE] = {[CONTEST_PRELIM] = 3, [CONTEST_ORGANISER] = 3},
    };
    enum contest_role low = a < b ? a : b, high = a < b ? b : a;
    rule[0] = '\0';
    if (rules->interests != WORD_YES)
        return low == CONTEST_ENTRY && high != CONTEST_ENTRY && high != CONTEST_ORGANISER;
    if (which[low][high])
        snprintf(rule, RULESET_RULE_MAX + 4, " (%s)",
                 ruleset_rule(rules, "register", "interests", which[low][high] - 1).text);
    return which[low][high];
}

static enum bl_status check_pair(const struct contest *contest, const struct known *person,
                                 const struct known *other, struct bl_diag *diag)
{
    char rule[RULESET_RULE_MAX + 4];
    if (contest_has_design(contest) && other->role == CONTEST_CONFEDERATE)
        return BL_OK; /* the same person as a judge, who is checked */
    bool never = forbidden(&contest->ruleset, person->role, other->role, rule);
    const char *name;
    const char *is = contest_role_name(other->role), *to_be = contest_role_name(person->role);
    bool families = contest->ruleset.interests == WORD_YES;
    if (person->role != CONTEST_ENTRY && other->role != CONTEST_ENTRY &&
        (person->role == other->role ||
         (person->role <= CONTEST_CONFEDERATE && other->role <= CONTEST_CONFEDERATE)) &&
        is_same(contest->replays, person->person->name, other->person->name))
        return bl_fail(diag, BL_DATA, "%s is %s %u already", person->person->name, is,
                       other->number + 1);
    if (!never)
        return BL_OK;
    if ((name = shared_name(contest, person, other, false)))
        return bl_fail(diag, BL_DATA, "%s has part in %s %u, and can have none as %s%s", name, is,
                       other->number + 1, to_be, rule);
    if (families && ((name = shared_name(contest, person, other, true)) ||
                     (name = shared_name(contest, other, person, true))))
        return bl_fail(diag, BL_DATA,
                       "%s: families and immediate associates of %s %u can have no part as %s%s",
                       name, is, other->number + 1, to_be, rule);
    return BL_OK;
}

static enum bl_status check_interests(const struct contest *contest, const struct known *person,
                                      struct bl_diag *diag)
{
    enum bl_status status = BL_OK;
    for (unsigned r = 0; r < CONTEST_ROLES; r++) {
        for (unsigned i = 0; status == BL_OK && i < contest->people[r]; i++) {
            const struct known other = {(enum contest_role)r, i, &contest->person[r][i]};
            if (r != person->role || i != person->number)
                status = check_pair(contest, person, &other, diag);
        }
    }
    return status;
}

/* 2003 r9, 2009 §1: the most Entries of a person, as submitter or in a team. */
static enum bl_status check_number(const struct contest *contest, const struct known *entry,
                                   struct bl_diag *diag)
{
    int most = contest->ruleset.entries_each, same = 0;
    const char *name = NULL;
    for (unsigned i = 0; i < contest->people[CONTEST_ENTRY]; i++) {
        const struct known other = {CONTEST_ENTRY, i, &contest->person[CONTEST_ENTRY][i]};
        const char *shared = i == entry->number ? NULL : shared_name(contest, entry, &other, false);
        same += shared != NULL;
        name = shared ? shared : name;
    }
    if (same >= most)
        return bl_fail(diag, BL_DATA,
                       "%s has an Entry already, and %d is what the rules allow (%s)", name, most,
                       register_rule(contest, "entries-each", 0).text);
    return BL_OK;
}

/* The missing parts, as options of "contest add", each with its rule. */
struct missing {
    char text[400];
    size_t length;
};

static void add_missing(struct missing *missing, const struct contest *contest, const char *option,
                        const char *key)
{
    if (missing->length < sizeof missing->text)
        missing->length += (size_t)snprintf(
            missing->text + missing->length, sizeof missing->text - missing->length, "%s%s (%s)",
            missing->length ? ", " : "", option, register_rule(contest, key, 0).text);
}

/* 2009 §1: option A comes by a service with a signed receipt; options B and C on a date of
 * appearance. */
static void check_submission(const struct contest *contest, const struct person *entry,
                             struct missing *missing)
{
    bool comes = entry->how == SUBMITTED_INSTALLS || entry->how == SUBMITTED_BRINGS;
    if (comes && !entry->received_us)
        add_missing(missing, contest, "--received TIME of the appearance", "receipt");
    else if (!comes && !entry->receipt)
        add_missing(missing, contest, "--receipt, or --how installs or brings with --received TIME",
                    "receipt");
}

static enum bl_status check_entry(const struct contest *contest, const struct known *known,
                                  struct bl_diag *diag)
{
    const struct ruleset *rules = &contest->ruleset;
    const struct person *entry = known->person;
    struct missing missing = {.length = 0};
    if (entry->own) /* the organiser's own open-source Entries: 2003 r13, 2004 A2, 2009 §3a */
        return BL_OK;
    if (rules->entries_each && !entry->submitter[0])
        add_missing(&missing, contest, "--submitter NAME", "entries-each");
    if (rules->guardian_age && entry->age && entry->age < rules->guardian_age && !entry->guardian)
        add_missing(&missing, contest, "--guardian, a guardian's yes, for one so young",
                    "guardian-age");
    if (rules->rights_statement == WORD_YES && !entry->rights)
        add_missing(&missing, contest, "--rights", "rights-statement");
    if (rules->receipt == WORD_YES)
        check_submission(contest, entry, &missing);
    if (missing.length)
        return bl_fail(diag, BL_DATA, "missing %s", missing.text);
    return rules->entries_each ? check_number(contest, known, diag) : BL_OK;
}

enum bl_status contest_name_free(const struct contest *contest, enum contest_role role,
                                 unsigned number, const char *name, struct bl_diag *diag)
{
    for (unsigned i = 0; role == CONTEST_ENTRY && i < contest->people[role]; i++) {
        const char *there = contest->person[role][i].name;
        if (i != number && name_equal(there, name))
            return bl_fail(diag, BL_DATA,
                           "E%u is called '%s' already: each Entry has a name of its own", i + 1,
                           there);
    }
    return BL_OK;
}

/* Adds a list of names to a person's circle. */
static enum bl_status take_circle(struct contest *contest, const json_t *names,
                                  const struct known *who, enum circle circle, struct bl_diag *diag)
{
    for (size_t i = 0; i < json_array_size(names); i++) {
        const char *known = json_string_value(json_array_get(names, i));
        if (known && has_name(contest, who, circle, known,
                              true)) /* old and new acts agree on this comparison */
            continue;
        struct associate *a = &contest->associate[contest->associates];
        const char *name;
        enum bl_status status =
            contest->associates == CONTEST_ASSOCIATES
                ? bl_fail(diag, BL_DATA, "there are %d names of families and teams already",
                          CONTEST_ASSOCIATES)
                : act_read_line(circle == CIRCLE_TEAM ? "team" : "family", json_array_get(names, i),
                                sizeof a->name - 1, &name, diag);
        if (status != BL_OK)
            return status;
        strcpy(a->name, name);
        a->role = (uint8_t)who->role;
        a->number = (person_number)who->number;
        a->circle = (uint8_t)circle;
        contest->associates++;
    }
    return BL_OK;
}

static enum bl_status take_how(const char *how, enum submitted *out, struct bl_diag *diag)
{
    for (*out = SUBMITTED_NOT_SAID; how && *out <= SUBMITTED_BRINGS; ++*out)
        if (strcmp(how, contest_submitted_name(*out)) == 0)
            return BL_OK;
    *out = SUBMITTED_NOT_SAID;
    return how ? bl_fail(diag, BL_DATA, "'how': expected courier, installs or brings") : BL_OK;
}

static enum bl_status take_person(const struct contest *contest, const struct act_person *act,
                                  struct person *person, struct bl_diag *diag)
{
    *person = (struct person){
        .age = (int)act->age,
        .received_us = act->received_us,
        .guardian = act->guardian,
        .rights = act->rights,
        .receipt = act->receipt,
        .own = act->own,
        .unknown = act->unknown,
        .chief = act->chief,
        .comms_us = contest->now_us,
    };
    strcpy(person->name, act->name);
    if (act->role == CONTEST_ENTRY && act->submitter)
        strcpy(person->submitter, act->submitter);
    if (act->role == CONTEST_ENTRY && act->comms)
        strcpy(person->comms, act->comms);
    return take_how(act->how, &person->how, diag);
}

/* A new Entry adds one to the number of each confederate in meetings, ballots and ranks, if
 * entities are met singly: confederates' numbers follow the Entries'. */
static void move_confederates(struct contest *contest)
{
    unsigned first = contest->people[CONTEST_ENTRY];
    for (unsigned i = 0; i < contest->schedule.count; i++)
        contest->schedule.meeting[i].entry += contest->schedule.meeting[i].entry >= first;
    for (unsigned i = 0; i < contest->ballots; i++)
        contest->ballot[i].entry += contest->ballot[i].entry >= first;
    for (unsigned i = 0; i < contest->excludeds; i++)
        contest->excluded[i].ballot.entry += contest->excluded[i].ballot.entry >= first;
    for (unsigned i = 0; i < contest->rankings; i++)
        contest->ranking[i].candidate += contest->ranking[i].candidate >= first;
    contest->schedule.entries = first + 1;
}

enum bl_status act_person(struct contest *contest, const struct act_body *body,
                          struct bl_diag *diag)
{
    const struct act_person *act = &body->person;
    enum contest_role role = act->role;
    if (contest->people[role] == contest_most(role))
        return bl_fail(diag, BL_DATA, "there are %u already", contest_most(role));
    struct person *person = &contest->person[role][contest->people[role]];
    const struct known known = {role, contest->people[role], person};
    enum bl_status status = take_person(contest, act, person, diag);
    if (status == BL_OK)
        status = take_circle(contest, act->team.list, &known, CIRCLE_TEAM, diag);
    if (status == BL_OK)
        status = take_circle(contest, act->family.list, &known, CIRCLE_FAMILY, diag);
    if (status == BL_OK)
        status = check_interests(contest, &known, diag);
    if (status == BL_OK && role == CONTEST_ENTRY)
        status = check_entry(contest, &known, diag);
    if (status == BL_OK && role == CONTEST_ENTRY)
        status = dates_check_entry(contest, person, act->why, diag);
    if (status == BL_OK && person->late)
        contest_keep_why(person->late_why, act->why);
    if (status == BL_OK && role == CONTEST_CONFEDERATE &&
        contest->ruleset.foils_unknown == WORD_YES && !person->unknown)
        status = bl_fail(diag, BL_DATA,
                         "missing --unknown: that no judge knows the foil, personally or by "
                         "reputation (%s)",
                         register_rule(contest, "foils-unknown", 0).text);
    if (status == BL_OK && act->moves && role == CONTEST_ENTRY)
        move_confederates(contest);
    for (unsigned i = 0; status == BL_OK && act->chief && i < contest->people[role]; i++)
        if (contest->person[role][i].chief && !contest->person[role][i].withdrawn)
            status = bl_fail(diag, BL_DATA, "%s is the chief judge already",
                             contest->person[role][i].name);
    if (status == BL_OK && act->chief && role != CONTEST_PRELIM)
        status = bl_fail(diag, BL_DATA, "'chief': one of the preliminary judges is (2003 r34)");
    contest->people[role] += status == BL_OK;
    return status;
}

enum bl_status person_take_family(struct contest *contest, const struct act_who *who,
                                  const json_t *names, struct bl_diag *diag)
{
    unsigned number = (unsigned)who->number - 1;
    const struct known known = {who->role, number, &contest->person[who->role][number]};
    return take_circle(contest, names, &known, CIRCLE_FAMILY, diag);
}

void person_drop_family(struct contest *contest, const struct act_who *who)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < contest->associates; i++) {
        const struct associate *a = &contest->associate[i];
        if (a->role != who->role || a->number + 1 != who->number || a->circle != CIRCLE_FAMILY)
            contest->associate[kept++] = *a;
    }
    memset(&contest->associate[kept], 0,
           (contest->associates - kept) * sizeof contest->associate[0]);
    contest->associates = kept;
}

/* Checks names added later by the same rules (2003 r10, r41, r52, 2009 §1). */
enum bl_status act_interests(struct contest *contest, const struct act_body *body,
                             struct bl_diag *diag)
{
    const struct act_interests *act = &body->interests;
    enum bl_status status = check_who(contest, &act->who, diag);
    if (status != BL_OK)
        return status;
    unsigned number = (unsigned)act->who.number - 1;
    const struct known known = {act->who.role, number, &contest->person[act->who.role][number]};
    if (act->team.list && act->who.role != CONTEST_ENTRY)
        return bl_fail(diag, BL_DATA, "'team': only an Entry has one");
    if (!act->team.list && !act->family.list)
        return bl_fail(diag, BL_DATA, "'family' or 'team': expected names");
    status = take_circle(contest, act->team.list, &known, CIRCLE_TEAM, diag);
    if (status == BL_OK)
        status = take_circle(contest, act->family.list, &known, CIRCLE_FAMILY, diag);
    if (status == BL_OK)
        status = check_interests(contest, &known, diag);
    if (status == BL_OK && act->who.role == CONTEST_ENTRY && contest->ruleset.entries_each &&
        !known.person->own)
        status = check_number(contest, &known, diag);
    return status;
}

enum bl_status person_check(const struct contest *contest, enum contest_role role, unsigned number,
                            struct bl_diag *diag)
{
    const struct known known = {role, number, &contest->person[role][number]};
    return check_interests(contest, &known, diag);
}

/* 2004 A3: "a 'reasonable' human name subject to my approval prior to the contest date". */
enum bl_status act_approve(struct contest *contest, const struct act_body *body,
                           struct bl_diag *diag)
{
    const struct act_approve *act = &body->approve;
    const struct rule rule = ruleset_rule(&contest->ruleset, "session", "opening", RULE_ALL);
    enum bl_status status = check_who(contest, &act->who, diag);
    if (status != BL_OK)
        return status;
    if (!contest->ruleset.opening[0])
        return bl_fail(diag, BL_DATA, "these rules ask for no opening words with a name");
    if (act->who.role != CONTEST_ENTRY && act->who.role != CONTEST_CONFEDERATE)
        return bl_fail(diag, BL_DATA, "Entries and confederates say opening words, no %s (%s)",
                       contest_role_name(act->who.role), rule.text);
    if (contest->begun)
        return bl_fail(diag, BL_DATA, "names are approved before the contest begins (%s)",
                       rule.text);
    strcpy(contest->person[act->who.role][act->who.number - 1].approved, act->name);
    return BL_OK;
}

enum bl_status act_conflict(struct contest *contest, const struct act_body *body,
                            struct bl_diag *diag)
{
    const struct act_conflict *act = &body->conflict;
    enum bl_status status = check_who(contest, &act->who, diag);
    if (status == BL_OK)
        status = check_who(contest, &act->with, diag);
    if (status != BL_OK)
        return status;
    if (contest->conflicts == sizeof contest->conflict / sizeof contest->conflict[0])
        return bl_fail(diag, BL_DATA, "there are %u conflict%s already", contest->conflicts,
                       BL_S(contest->conflicts));
    contest->conflict[contest->conflicts++] = (struct conflict){
        .role = {act->who.role, act->with.role},
        .number = {(person_number)(act->who.number - 1), (person_number)(act->with.number - 1)},
    };
    return BL_OK;
}

enum bl_status act_withdraw(struct contest *contest, const struct act_body *body,
                            struct bl_diag *diag)
{
    const struct act_who *who = &body->withdraw.who;
    enum bl_status status = check_who(contest, who, diag);
    if (status != BL_OK)
        return status;
    struct person *person = &contest->person[who->role][who->number - 1];
    if (person->withdrawn)
        return bl_fail(diag, BL_DATA, "%s is withdrawn already", person->name);
    person->withdrawn = true;
    person->withdrawn_after = contest->begun;
    contest_keep_why(person->withdrawn_why, body->withdraw.why);
    return BL_OK;
}
