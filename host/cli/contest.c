/* "boothlink contest": the contest manager's command, a file for each of its verbs. */
#include "cli/contest.h"

#include "cli/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

static const struct verb {
    const char *name;
    enum bl_status (*run)(const struct contest_args *args, struct bl_diag *diag);
} verbs[] = {
    {"rulesets", contest_rulesets},
    {"schedule", contest_schedule},
};
#define VERBS (sizeof verbs / sizeof verbs[0])

static const struct number_option {
    const char *name;
    size_t offset;
} numbers[] = {
    {"--size", offsetof(struct contest_args, size)},
    {"--judges", offsetof(struct contest_args, judges)},
    {"--entries", offsetof(struct contest_args, entries)},
    {"--confederates", offsetof(struct contest_args, confederates)},
};

/* NULL, or what is wrong. */
static const char *take_option(struct contest_args *args, const char *name, const char *value)
{
    if (strcmp(name, "--json") == 0 || strcmp(name, "--optimal") == 0) {
        *(strcmp(name, "--json") == 0 ? &args->json : &args->optimal) = true;
        return NULL;
    }
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        char *rest;
        if (strcmp(numbers[i].name, name) != 0)
            continue;
        long number = strtol(value, &rest, 10);
        if (rest == value || *rest || number < 0 || number > SCHEDULE_PEOPLE_MAX)
            return "--size, --judges, --entries and --confederates are numbers from 0 to 64";
        *(int *)(void *)((char *)args + numbers[i].offset) = (int)number;
        return NULL;
    }
    args->ruleset = value;
    return NULL;
}

static int contest_run(const struct command *command, int argc, char **argv)
{
    struct command_walk walk = {.command = command, .argc = argc, .argv = argv};
    struct contest_args args = {.size = -1, .judges = -1, .entries = -1, .confederates = -1};
    const struct verb *verb = NULL;
    struct bl_diag diag = {""};
    enum bl_status status;
    const char *name, *wrong;
    while ((name = command_next(&walk))) {
        if (!walk.bare) {
            wrong = take_option(&args, name, walk.value);
            if (wrong)
                return command_fail(command, BL_USAGE, wrong);
        } else if (!verb) {
            for (size_t i = 0; i < VERBS && !verb; i++)
                verb = strcmp(verbs[i].name, name) == 0 ? &verbs[i] : NULL;
            if (!verb) {
                bl_fail(&diag, BL_USAGE, "'%.40s': one of rulesets and schedule is wanted", name);
                return command_fail(command, BL_USAGE, diag.text);
            }
        } else if (!args.name) {
            args.name = name;
        } else {
            return command_fail(command, BL_USAGE, "one name after the verb is enough");
        }
    }
    if (walk.status || walk.helped)
        return bl_status_exit(walk.status);
    if (!verb)
        return command_fail(command, BL_USAGE, "give one of rulesets and schedule");
    status = verb->run(&args, &diag);
    return status == BL_OK ? EX_OK : command_fail(command, status, diag.text);
}

static const struct command_option contest_options[] = {
    {"--ruleset", "NAME|FILE", "the rules: a name out of `contest rulesets`, or an .ini file"},
    {"--size", "N", "so many judges, Entries and confederates each"},
    {"--judges", "N", "judges, where the numbers are not equal"},
    {"--entries", "N", "Entries"},
    {"--confederates", "N", "confederates"},
    {"--optimal", NULL, "the fewest rounds instead of the table that the rules print"},
    {"--json", NULL, "print one JSON object"},
    {0},
};

const struct command command_contest = {
    .name = "contest",
    .synopsis = "rulesets [NAME] | schedule --ruleset NAME (--size N | --judges N --entries N "
                "--confederates N) [--optimal] [--json]",
    .help = "the rules of a contest, and who meets whom",
    .text =
        "`rulesets` lists the rulesets, and prints the one that is named: an .ini file in which "
        "each line cites its rule, and from which a venue can write its own.\n\n"
        "`schedule` prints who meets whom in each round, and who is excused. J1E2C3 is judge 1 "
        "with Entry 2 and confederate 3. For the size that the rules print a table for it is that "
        "table; otherwise, and with --optimal, everybody meets everybody in the fewest rounds: as "
        "many as there are judges, but 4 for 2 and 7 for 6. With unequal numbers each judge meets "
        "each Entry, the confederates are spread as evenly as can be, and a last line says what "
        "is proven about that. Under rules with one entity at a time (1996, 2003, the long bet) "
        "each judge meets each candidate.",
    .examples = "boothlink contest rulesets loebner-2004 > ours.ini\n"
                "boothlink contest schedule --ruleset loebner-2009 --size 4\n"
                "boothlink contest schedule --ruleset ours.ini --judges 3 --entries 4 "
                "--confederates 4 --json",
    .options = contest_options,
    .run = contest_run,
};
