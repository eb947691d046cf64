/* The verbs of a contest's people: new, add, withdraw, conflict. */
#include "cli/contest.h"
#include "contest/people.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct contest_new_options {
    struct contest_options common;
    const char *name, *ruleset;
    bool any_ballot;
};

struct contest_add_options {
    struct contest_options common;
    const char *submitter, *team, *family, *received, *how, *comms;
    int age; /* -1: not given */
    bool guardian, rights, receipt, own, unknown, chief;
};

static enum bl_status contest_new(const struct command_call *call, struct bl_diag *diag)
{
    const struct contest_new_options *options = call->options;
    struct contest_file file = {.store = NULL};
    char *text = NULL;
    enum bl_status status;
    struct ruleset *ruleset = malloc(sizeof *ruleset);
    if (!options->name || !options->ruleset)
        status = bl_fail(diag, BL_USAGE, "missing --name NAME and --ruleset NAME");
    else
        status = contest_ruleset_text(&text, options->ruleset, diag);
    if (status == BL_OK && ruleset) /* before there is a file */
        status = contest_load_ruleset(ruleset, options->ruleset, diag);
    if (status == BL_OK)
        status = contest_file_create(&file, call, diag);
    if (status == BL_OK)
        status =
            contest_file_append(&file,
                                &(struct act_body){.kind = ACT_CONTEST,
                                                   .contest = {.name = options->name,
                                                               .ruleset = text,
                                                               .signatures = !options->any_ballot}},
                                diag);
    if (status == BL_OK)
        command_print("%s: %s, under the rules of %s\n", call->word[0], options->name,
                      file.contest->ruleset.title);
    if (status == BL_OK && file.contest->dates_lapsed)
        printf("note: the days of these rules have passed: contest dates %s sets this contest's\n",
               call->word[0]);
    if (status == BL_OK)
        contest_next(file.contest, call->word[0]);
    contest_file_close(&file);
    free(ruleset);
    free(text);
    return status;
}

enum bl_status contest_time(const char *text, int64_t *received_us, struct bl_diag *diag)
{
    *received_us = 0;
    return !text || people_time(text, received_us)
               ? BL_OK
               : bl_fail(diag, BL_USAGE,
                         "--received %.40s: expected a time such as 2009-04-07T10:00", text);
}

/* Options of an Entry are none of a person's, and the other way round. */
static enum bl_status check_options(const struct contest_add_options *o, const char *role,
                                    struct bl_diag *diag)
{
    const struct {
        const char *option, *role;
        bool given;
    } of[] = {
        {"--submitter", "entry", o->submitter},
        {"--team", "entry", o->team},
        {"--received", "entry", o->received},
        {"--comms", "entry", o->comms},
        {"--why", "entry", o->common.why},
        {"--how", "entry", o->how},
        {"--age", "entry", o->age >= 0},
        {"--guardian", "entry", o->guardian},
        {"--rights", "entry", o->rights},
        {"--receipt", "entry", o->receipt},
        {"--own", "entry", o->own},
        {"--unknown", "confederate", o->unknown},
        {"--chief", "preliminary", o->chief},
    };
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++)
        if (of[i].given && strcmp(of[i].role, role) != 0)
            return bl_fail(diag, BL_USAGE, "%s is for '%s', not for '%s'", of[i].option, of[i].role,
                           role);
    return BL_OK;
}

static enum bl_status make_new_person(const struct contest_making *m)
{
    const struct contest_add_options *o = m->call->options;
    const char *role = m->call->word[1], *name = m->call->word[2];
    int64_t received_us = 0;
    enum contest_role of = 0;
    enum bl_status status = check_options(o, role, m->diag);
    if (status == BL_OK)
        status = act_read_role("role", role, &of, m->diag);
    if (status == BL_OK)
        status = contest_time(o->received, &received_us, m->diag);
    if (status == BL_OK)
        status = contest_name_free(m->contest, of, m->contest->people[of], name, m->diag);
    if (status == BL_OK)
        status = people_check_names("--family", o->family, m->diag);
    if (status == BL_OK)
        status = people_check_names("--team", o->team, m->diag);
    if (status != BL_OK)
        return status;
    m->act->person = (struct act_person){
        .role = of,
        .name = name,
        .family = {.text = o->family},
        .submitter = o->submitter,
        .team = {.text = o->team},
        .age = o->age < 0 ? 0 : o->age,
        .guardian = o->guardian,
        .rights = o->rights,
        .receipt = o->receipt,
        .received_us = received_us,
        .how = o->how,
        .own = o->own,
        .comms = o->comms,
        .why = o->common.why,
        .unknown = o->unknown,
        .chief = o->chief,
        .moves = of == CONTEST_ENTRY,
    };
    return BL_OK;
}

static bool tell_new_person(const struct contest_making *m)
{
    enum contest_role role = m->act->person.role;
    unsigned number = m->contest->people[role];
    command_print("%c%u: %s\n", CONTEST_LETTERS[role], number,
                  m->contest->person[role][number - 1].name);
    const struct ruleset *rules = &m->contest->ruleset;
    if (role == CONTEST_ENTRY && rules->guardian_age && m->act->person.age == 0 &&
        !m->act->person.own)
        printf("note: --age was not said: below %d a guardian's permission is needed (%s)\n",
               rules->guardian_age, ruleset_rule(rules, "register", "guardian-age", 0).text);
    return false;
}

static enum bl_status make_interests(const struct contest_making *m)
{
    const struct contest_add_options *o = m->call->options;
    struct act_interests *act = &m->act->interests;
    enum bl_status status = contest_take_who(m->call->word[1], &act->who, m->diag);
    act->family.text = o->family;
    act->team.text = o->team;
    if (status == BL_OK && !o->family && !o->team)
        return bl_fail(m->diag, BL_USAGE, "missing --family NAME,... or --team NAME,...");
    if (status == BL_OK)
        status = people_check_names("--family", o->family, m->diag);
    return status == BL_OK ? people_check_names("--team", o->team, m->diag) : status;
}

static enum bl_status make_withdraw(const struct contest_making *m)
{
    return contest_take_who(m->call->word[1], &m->act->withdraw.who, m->diag);
}

static bool tell_withdraw(const struct contest_making *m)
{
    printf("%s is withdrawn\n", m->call->word[1]);
    return contest_schedule_anew(m->contest, m->call->word[0]);
}

static enum bl_status make_approve(const struct contest_making *m)
{
    m->act->approve.name = m->call->word[2];
    return contest_take_who(m->call->word[1], &m->act->approve.who, m->diag);
}

static bool tell_approve(const struct contest_making *m)
{
    command_print("%s is %s in the opening words\n", m->call->word[1], m->call->word[2]);
    return true;
}

static enum bl_status make_conflict(const struct contest_making *m)
{
    struct act_conflict *act = &m->act->conflict;
    enum bl_status status = contest_take_who(m->call->word[1], &act->who, m->diag);
    return status == BL_OK ? contest_take_who(m->call->word[2], &act->with, m->diag) : status;
}

static bool tell_conflict(const struct contest_making *m)
{
    printf("%s and %s will not meet\n", m->call->word[1], m->call->word[2]);
    return contest_schedule_anew(m->contest, m->call->word[0]);
}

static const struct command_option new_options[] = {
    OPTION_ROW("--name", "NAME", "the contest's name", OPTION_TEXT, struct contest_new_options,
               name),
    OPTION_ROW("--ruleset", "NAME|FILE",
               "the rules: a name out of `contest rulesets`, or an .ini file", OPTION_TEXT,
               struct contest_new_options, ruleset),
    OPTION_ROW("--unsigned", NULL,
               "take ballots that no machine has signed, too: of judges without boothlink booth",
               OPTION_FLAG, struct contest_new_options, any_ballot),
    CONTEST_AUTHOR,
    {0},
};

static const struct command_option add_options[] = {
    OPTION_ROW("--submitter", "NAME", "entry: who submits it", OPTION_TEXT,
               struct contest_add_options, submitter),
    OPTION_ROW("--team", "NAME,NAME,...", "entry: others who have part in it", OPTION_TEXT,
               struct contest_add_options, team),
    OPTION_ROW("--family", "NAME,NAME,...", "families and immediate associates, as far as known",
               OPTION_TEXT, struct contest_add_options, family),
    OPTION_ROW("--received", "TIME", "entry: its time stamp or date, as 2009-04-07T10:00",
               OPTION_TEXT, struct contest_add_options, received),
    OPTION_ROW("--comms", "WHAT", "entry: its communications program (2004 A6)", OPTION_TEXT,
               struct contest_add_options, comms),
    OPTION_ROW("--how", "courier|installs|brings",
               "entry: sent, installed on the spot, or with a machine", OPTION_WORD,
               struct contest_add_options, how),
    OPTION_RANGE("--age", "N", "entry: the submitter's", OPTION_NUMBER, struct contest_add_options,
                 age, 0, 150),
    OPTION_ROW("--guardian", NULL, "entry: a guardian's permission is there", OPTION_FLAG,
               struct contest_add_options, guardian),
    OPTION_ROW("--rights", NULL, "entry: the statement of rights is there", OPTION_FLAG,
               struct contest_add_options, rights),
    OPTION_ROW("--receipt", NULL, "entry: it came with a receipt and time stamp", OPTION_FLAG,
               struct contest_add_options, receipt),
    OPTION_ROW("--own", NULL, "entry: open source, entered by the organiser", OPTION_FLAG,
               struct contest_add_options, own),
    OPTION_ROW("--unknown", NULL, "confederate: no judge knows him or her", OPTION_FLAG,
               struct contest_add_options, unknown),
    OPTION_ROW("--chief", NULL, "preliminary: the chief judge (2003 r34)", OPTION_FLAG,
               struct contest_add_options, chief),
    OPTION_ROW("--why", "TEXT", "entry: take it outside its days, see contest dates", OPTION_TEXT,
               struct contest_options, why),
    CONTEST_AUTHOR,
    {0},
};

static const struct command_option interests_options[] = {
    OPTION_ROW("--family", "NAME,NAME,...", "families and immediate associates", OPTION_TEXT,
               struct contest_add_options, family),
    OPTION_ROW("--team", "NAME,NAME,...", "of an Entry: others who have part in it", OPTION_TEXT,
               struct contest_add_options, team),
    CONTEST_AUTHOR,
    {0},
};

static void start_add(void *options)
{
    ((struct contest_add_options *)options)->age = -1;
}

static const struct command_option approve_options[] = {
    CONTEST_AUTHOR,
    {0},
};

static const struct command_option withdraw_options[] = {
    CONTEST_WHY,
    CONTEST_AUTHOR,
    {0},
};

const struct command contest_people_verbs[] = {
    {
        .name = "contest new",
        .synopsis = "FILE --name NAME --ruleset NAME",
        .help = "begin a contest: a file with its name and rules",
        .text = "A contest is one FILE, see boothlink-contest(5). Nothing in it is ever "
                "overwritten: each verb that changes something adds an act with its time and "
                "author, or is refused with the rule that it breaks.",
        .examples = "boothlink contest new c.db --name 'Our contest' --ruleset loebner-2004",
        .options = new_options,
        .size = sizeof(struct contest_new_options),
        .least = 1,
        .most = 1,
        .run = contest_new,
    },
    {
        .name = "contest add",
        .synopsis = "FILE ROLE NAME",
        .help = "register a judge, entry, confederate, preliminary or organiser",
        .text = "",
        .options = add_options,
        .size = sizeof(struct contest_add_options),
        .start = start_add,
        .least = 3,
        .most = 3,
        CONTEST_ACT(.kind = ACT_PERSON, .make = make_new_person, .tell = tell_new_person),
    },
    {
        .name = "contest interests",
        .synopsis = "FILE J1 --family NAME,NAME,...",
        .help = "names that belong to a person or an Entry, and were not known",
        .text = "They are held against the same rules as when somebody is added (2003 r10, r41, "
                "r52). Where those are broken the act is refused, and that person withdraws.",
        .examples = "boothlink contest interests c.db J1 --family 'Ann Lee,Bo Lee'",
        .options = interests_options,
        .size = sizeof(struct contest_add_options),
        .least = 2,
        .most = 2,
        CONTEST_ACT(.kind = ACT_INTERESTS, .make = make_interests, .done = "recorded"),
    },
    {
        .name = "contest approve",
        .synopsis = "FILE C1 NAME",
        .help = "approve the name that an entity gives to the judges",
        .text = "Where the rules have opening words with a name, as in 2004 (A3). It is on the "
                "confederate's sheet and in the report.",
        .examples = "boothlink contest approve c.db C1 Ann",
        .options = approve_options,
        .size = sizeof(struct contest_options),
        .least = 3,
        .most = 3,
        CONTEST_ACT(.kind = ACT_APPROVE, .make = make_approve, .tell = tell_approve),
    },
    {
        .name = "contest withdraw",
        .synopsis = "FILE E2 --why TEXT",
        .help = "a person or an Entry leaves the contest",
        .text = "Rounds that have begun stay as they were; `contest schedule` makes the rest anew.",
        .options = withdraw_options,
        .size = sizeof(struct contest_options),
        .least = 2,
        .most = 2,
        CONTEST_ACT(.kind = ACT_WITHDRAW, .why = true, .make = make_withdraw,
                    .tell = tell_withdraw),
    },
    {
        .name = "contest conflict",
        .synopsis = "FILE J1 E2 --why TEXT",
        .help = "two who may not meet",
        .text = "As when a judge knows a confederate. `contest schedule` keeps them apart.",
        .options = withdraw_options,
        .size = sizeof(struct contest_options),
        .least = 3,
        .most = 3,
        CONTEST_ACT(.kind = ACT_CONFLICT, .why = true, .make = make_conflict,
                    .tell = tell_conflict),
    },
    {0},
};
