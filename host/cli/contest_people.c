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
    if (status == BL_OK && ruleset) /* checked before the file is made */
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

/* Options for one role: member, role, and help. */
/* clang-format off */
#define EACH_OF_ROLE(_) \
    _("--submitter", "NAME", TEXT, submitter, "entry", "who submits it") \
    _("--team", "NAME,NAME,...", TEXT, team.text, "entry", "others who have part in it") \
    _("--comms", "WHAT", TEXT, comms, "entry", "its communications program (2004 A6)") \
    _("--how", "courier|installs|brings", WORD, how, "entry", \
      "sent, installed on the spot, or with a machine") \
    _("--guardian", NULL, FLAG, guardian, "entry", "a guardian's permission is there") \
    _("--rights", NULL, FLAG, rights, "entry", "the statement of rights is there") \
    _("--receipt", NULL, FLAG, receipt, "entry", "it came with a receipt and time stamp") \
    _("--own", NULL, FLAG, own, "entry", "open source, entered by the organiser") \
    _("--unknown", NULL, FLAG, unknown, "confederate", "no judge knows him or her") \
    _("--chief", NULL, FLAG, chief, "preliminary", "the chief judge (2003 r34)")
#define OPTION_OF(name, value, kind, member, role, help) \
    CONTEST_MEMBER(name, value, role ": " help, OPTION_##kind, person.member),
#define GIVEN(name, value, kind, member, role, help) {name, role, act->member},
/* clang-format on */

static enum bl_status check_options(const struct contest_options *o, const char *role,
                                    struct bl_diag *diag)
{
    const struct act_person *act = &o->act.person;
    const struct {
        const char *option, *role;
        bool given;
    } of[] = {EACH_OF_ROLE(GIVEN){"--received", "entry", o->received},
              {"--why", "entry", o->why},
              {"--age", "entry", act->age}};
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++)
        if (of[i].given && strcmp(of[i].role, role) != 0)
            return bl_fail(diag, BL_USAGE, "%s is for '%s', not for '%s'", of[i].option, of[i].role,
                           role);
    return BL_OK;
}

static enum bl_status check_interests(const struct act_names *family, const struct act_names *team,
                                      struct bl_diag *diag)
{
    enum bl_status status = people_check_names("--family", family->text, diag);
    return status == BL_OK ? people_check_names("--team", team->text, diag) : status;
}

static enum bl_status make_new_person(const struct contest_making *m)
{
    struct act_person *act = &m->act->person;
    enum bl_status status = check_options(m->call->options, m->call->word[1], m->diag);
    act->moves = act->role == CONTEST_ENTRY;
    if (status == BL_OK)
        status = contest_name_free(m->contest, act->role, m->contest->people[act->role], act->name,
                                   m->diag);
    return status == BL_OK ? check_interests(&act->family, &act->team, m->diag) : status;
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
    const struct act_interests *act = &m->act->interests;
    if (!act->family.text && !act->team.text)
        return bl_fail(m->diag, BL_USAGE, "missing --family NAME,... or --team NAME,...");
    return check_interests(&act->family, &act->team, m->diag);
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
    EACH_OF_ROLE(OPTION_OF) CONTEST_MEMBER("--family", "NAME,NAME,...",
                                           "families and immediate associates, as far as known",
                                           OPTION_TEXT, person.family.text),
    OPTION_ROW("--received", "TIME", "entry: its time stamp or date, as 2009-04-07T10:00",
               OPTION_TEXT, struct contest_options, received),
    OPTION_RANGE("--age", "N", "entry: the submitter's", OPTION_COUNT, struct contest_options,
                 act.person.age, 0, 150),
    CONTEST_WHY_OF("entry: take it outside its days, see contest dates"),
    CONTEST_AUTHOR,
    {0},
};

static const struct command_option interests_options[] = {
    CONTEST_MEMBER("--family", "NAME,NAME,...", "families and immediate associates", OPTION_TEXT,
                   interests.family.text),
    CONTEST_MEMBER("--team", "NAME,NAME,...", "of an Entry: others who have part in it",
                   OPTION_TEXT, interests.team.text),
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
        .least = 3,
        .most = 3,
        CONTEST_ACT(.kind = ACT_PERSON, .words = {"role", "name"}, .make = make_new_person,
                    .tell = tell_new_person),
    },
    {
        .name = "contest interests",
        .synopsis = "FILE J1 --family NAME,NAME,...",
        .help = "names that belong to a person or an Entry, and were not known",
        .text = "They are held against the same rules as when somebody is added (2003 r10, r41, "
                "r52). Where those are broken the act is refused, and that person withdraws.",
        .examples = "boothlink contest interests c.db J1 --family 'Ann Lee,Bo Lee'",
        .options = interests_options,
        .least = 2,
        .most = 2,
        CONTEST_ACT(.kind = ACT_INTERESTS, .words = {"who"}, .make = make_interests,
                    .done = "recorded"),
    },
    {
        .name = "contest approve",
        .synopsis = "FILE C1 NAME",
        .help = "approve the name that an entity gives to the judges",
        .text = "Where the rules have opening words with a name, as in 2004 (A3). It is on the "
                "confederate's sheet and in the report.",
        .examples = "boothlink contest approve c.db C1 Ann",
        .options = contest_author,
        .least = 3,
        .most = 3,
        CONTEST_ACT(.kind = ACT_APPROVE, .words = {"who", "name"},
                    .done = "$1 is $2 in the opening words", .quiet = true),
    },
    {
        .name = "contest withdraw",
        .synopsis = "FILE E2 --why TEXT",
        .help = "a person or an Entry leaves the contest",
        .text = "Rounds that have begun stay as they were; `contest schedule` makes the rest anew.",
        .options = contest_reason,
        .least = 2,
        .most = 2,
        CONTEST_ACT(.kind = ACT_WITHDRAW, .words = {"who"}, .why = true, .done = "$1 is withdrawn",
                    .next = contest_schedule_anew, .undone = "$2 is in the contest again",
                    .undone_next = contest_schedule_anew),
    },
    {
        .name = "contest conflict",
        .synopsis = "FILE J1 E2 --why TEXT",
        .help = "two who may not meet",
        .text = "As when a judge knows a confederate. `contest schedule` keeps them apart.",
        .options = contest_reason,
        .least = 3,
        .most = 3,
        CONTEST_ACT(.kind = ACT_CONFLICT, .words = {"who", "with_"}, .why = true,
                    .done = "$1 and $2 will not meet", .next = contest_schedule_anew),
    },
    {0},
};
