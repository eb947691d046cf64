/* "boothlink contest template" and "setup": a contest from two files. */
#include "base/file.h"
#include "base/loop.h"
#include "base/utf8.h"
#include "cli/contest.h"
#include "cli/contest_plan.h"
#include "contest/draw.h"
#include "contest/next.h"
#include "contest/setup.h"
#include "contest/template.h"
#include "desk/entries.h"
#include "desk/kept.h"
#include "desk/key_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct contest_template_options {
    const char *ruleset;
    int booths;
};

struct contest_setup_options {
    struct contest_options common;
    const char *file, *out;
    bool few, trial, any_ballot;
};

struct setup_run {
    const struct command_call *call;
    const struct contest_setup_options *options;
    char path[FOLDER_PATH_MAX], out[FOLDER_PATH_MAX], keys[FOLDER_PATH_MAX];
    struct people *people;
    struct venue *venue;
    char *ruleset;
    struct faults faults, notes;
    struct contest_file file;
};

static enum bl_status write_template(const char *folder, const char *name, const char *text,
                                     unsigned *written, struct bl_diag *diag)
{
    char path[FOLDER_PATH_MAX];
    enum bl_status status = folder_path(path, diag, "%s/%s", folder, name);
    if (status == BL_OK && folder_has(path)) {
        command_print("%s is there already and stays as it is\n", path);
        return BL_OK;
    }
    if (status == BL_OK)
        status = file_write(path, text, strlen(text), diag);
    if (status == BL_OK)
        command_print("%s: fill it in\n", path);
    *written += status == BL_OK;
    return status;
}

static void tell_setup(const char *folder, const char *slash)
{
    char path[FOLDER_PATH_MAX], people[CONTEST_WORD_MAX], venue[CONTEST_WORD_MAX];
    snprintf(path, sizeof path, "%s%speople.ini", folder, slash);
    contest_next_word(people, path);
    snprintf(path, sizeof path, "%s%svenue.ini", folder, slash);
    contest_next_word(venue, path);
    command_print("Next: boothlink contest setup %s %s  # when both are filled in\n", people,
                  venue);
}

static enum bl_status contest_template(const struct command_call *call, struct bl_diag *diag)
{
    const struct contest_template_options *options = call->options;
    const char *folder = call->words ? call->word[0] : ".";
    bool here = strcmp(folder, ".") == 0;
    struct ruleset *rules = malloc(sizeof *rules);
    char *text = malloc(TEMPLATE_MAX);
    unsigned written = 0;
    char path[FOLDER_PATH_MAX];
    enum bl_status status = rules && text ? BL_OK : bl_fail(diag, BL_NOMEM, "no memory");
    if (status == BL_OK && !options->ruleset)
        status = bl_fail(diag, BL_USAGE, "missing --ruleset NAME: contest rulesets lists them");
    if (status == BL_OK)
        status = contest_load_ruleset(rules, options->ruleset, diag);
    if (status == BL_OK)
        status = template_people(rules, folder_names(folder, options->ruleset, path),
                                 (unsigned)options->booths, (int64_t)bl_now().wall_us, text, diag);
    if (status == BL_OK)
        status = folder_make(folder, diag);
    if (status == BL_OK)
        status = write_template(folder, "people.ini", text, &written, diag);
    if (status == BL_OK)
        status = template_venue(rules, (unsigned)options->booths, text, diag);
    if (status == BL_OK)
        status = write_template(folder, "venue.ini", text, &written, diag);
    if (status == BL_OK && !written)
        status = bl_fail(diag, BL_USAGE, "nothing was written");
    if (status == BL_OK && options->booths == 2 && rules->pairing != PAIRING_SINGLE)
        printf("note: 2 booths take 4 rounds of one session each, as each judge meets both "
               "confederates; 3 booths take 3 rounds of three\n");
    if (status == BL_OK)
        tell_setup(here ? "" : folder, here ? "" : "/");
    free(text);
    free(rules);
    return status;
}

/* The faults of both files, in the order of files and lines. */
struct fault_list {
    char *const *name; /* of the two files */
    char **text;
    unsigned count;
};

/* The order of faults: by file and line. Faults without a line come last in their file. */
static long fault_order(const struct fault_list *list, const char *text)
{
    enum { OF_A_FILE = 1 << 24 };
    for (unsigned f = 0; f < 2; f++) {
        size_t length = strlen(list->name[f]);
        if (strncmp(text, list->name[f], length) != 0 || text[length] != ':')
            continue;
        long line = strtol(text + length + 1, NULL, 10);
        return (f + 1L) * OF_A_FILE - (line > 0 && line < OF_A_FILE ? OF_A_FILE - line : 0);
    }
    return 3L * OF_A_FILE;
}

static void tell_fault(const char *text)
{
    fprintf(stderr, "boothlink contest setup: %s\n", text);
}

/* Keeps a fault for sorting. Without memory it is printed at once. */
static void keep_fault(void *ctx, const char *text)
{
    struct fault_list *list = ctx;
    char plain[512], **more = realloc(list->text, (list->count + 1) * sizeof *more), *kept;
    unsigned at = list->count;
    utf8_plain(plain, sizeof plain, text, strlen(text));
    list->text = more ? more : list->text;
    if (!more || !(kept = strdup(plain))) {
        tell_fault(plain);
        return;
    }
    for (; at && fault_order(list, more[at - 1]) > fault_order(list, kept); at--)
        more[at] = more[at - 1];
    more[at] = kept;
    list->count++;
}

static void tell_faults(struct fault_list *list)
{
    for (unsigned i = 0; i < list->count; i++) {
        tell_fault(list->text[i]);
        free(list->text[i]);
    }
    free(list->text);
}

static void tell_note(void *ctx, const char *text)
{
    (void)ctx;
    command_print("note: %s\n", text);
}

/* Prints an act that setup has added to an existing contest. */
static void tell_done(const struct act_body *act)
{
    const struct act_who *who = act->kind == ACT_INTERESTS ? &act->interests.who
                                : act->kind == ACT_APPROVE ? &act->approve.who
                                                           : NULL;
    if (act->kind == ACT_PERSON)
        command_print("done: %s %s is added\n", contest_role_name(act->person.role),
                      act->person.name);
    else if (act->kind == ACT_DELIVER)
        command_print("done: E%d's communications program is %s\n", (int)act->deliver.entry,
                      act->deliver.what);
    else if (act->kind == ACT_CONFLICT)
        command_print("done: %c%d and %c%d will not meet\n",
                      CONTEST_LETTERS[act->conflict.who.role], (int)act->conflict.who.number,
                      CONTEST_LETTERS[act->conflict.with.role], (int)act->conflict.with.number);
    else if (who)
        command_print("done: %s of %c%d recorded\n",
                      act->kind == ACT_APPROVE ? "the name in the opening words" : "family or team",
                      CONTEST_LETTERS[who->role], (int)who->number);
    else if (act->kind == ACT_DATES)
        command_print("done: the days are set\n");
}

/* Reads the ruleset named in the people's file: NAME.ini beside it, a file, or a built-in one. */
static void read_rules(struct setup_run *run)
{
    const char *beside = run->call->word[0], *name = run->people->ruleset;
    char path[FOLDER_PATH_MAX];
    struct bl_diag why;
    enum bl_status status;
    if (!name[0])
        return;
    struct ruleset *rules = malloc(sizeof *rules);
    status = folder_path(path, &why, "%s%.*s%s", folder_length(beside) ? "" : "./",
                         folder_length(beside), beside, name);
    bool is_file = strlen(name) > 4 && strcmp(name + strlen(name) - 4, ".ini") == 0;
    if (status == BL_OK)
        status = contest_ruleset_text(&run->ruleset, is_file && name[0] != '/' ? path : name, &why);
    /* The contest's first act finds other faults of a ruleset. */
    if (status == BL_OK && rules && ruleset_parse(rules, run->ruleset, name, NULL) == BL_OK)
        status = contest_check_style(rules, &why);
    free(rules);
    if (status != BL_OK)
        faults_add(&run->faults, beside, people_line(run->people, "ruleset"),
                   "[contest] ruleset = %s: %s", name, why.text);
}

static enum bl_status check_order(const struct setup_run *run, const char *people,
                                  const char *venue, struct bl_diag *diag)
{
    char *const *word = run->call->word;
    int machines = fields_section_line(people, "machines");
    if (!machines || !fields_section_line(venue, "people"))
        return BL_OK;
    return bl_fail(diag, BL_USAGE,
                   "%s:%d: [machines]: the two files are swapped: expected boothlink contest setup "
                   "%s %s; nothing was done",
                   word[0], machines, word[1], word[0]);
}

static enum bl_status read_files(struct setup_run *run, struct bl_diag *diag)
{
    char *people = NULL, *venue = NULL;
    enum bl_status status = contest_read_file(&people, run->call->word[0], diag);
    if (status == BL_OK)
        status = contest_read_file(&venue, run->call->word[1], diag);
    if (status == BL_OK)
        status = check_order(run, people, venue, diag);
    if (status == BL_OK) {
        people_parse(run->people, people, run->call->word[0], &run->faults);
        venue_parse_all(run->venue, venue, run->call->word[1], &run->faults);
        contest_check_venue(run->venue, run->call->word[1], &run->faults);
        entries_find_all(run->venue, run->call->word[1], &run->faults);
        read_rules(run);
    }
    free(people);
    free(venue);
    return status;
}

static enum bl_status open_contest(struct setup_run *run, bool create, struct bl_diag *diag)
{
    char *word[] = {run->path, NULL};
    struct command_call call = *run->call;
    call.word = word;
    return create ? contest_file_create(&run->file, &call, diag)
                  : contest_file_open(&run->file, &call, diag);
}

/* Plans the missing acts, or reports the faults. */
static enum bl_status plan_acts(struct setup_run *run, struct act_batch *acts, struct bl_diag *diag)
{
    struct bl_diag why;
    enum bl_status opened = open_contest(run, false, &why), status;
    bool open = opened == BL_OK, there = folder_has(run->path);
    if (!open) {
        contest_file_close(&run->file);
        run->file = (struct contest_file){.contest = contest_create()};
    }
    const struct setup setup = {.contest = run->file.contest,
                                .people = run->people,
                                .venue = run->venue,
                                .people_name = run->call->word[0],
                                .venue_name = run->call->word[1],
                                .ruleset = run->ruleset,
                                .now_us = (int64_t)bl_now().wall_us,
                                .few = run->options->few,
                                .any_ballot = run->options->any_ballot,
                                .faults = &run->faults,
                                .notes = &run->notes};
    status =
        run->file.contest ? setup_acts(&setup, acts, diag) : bl_fail(diag, BL_NOMEM, "no memory");
    if (status != BL_OK || open)
        return status;
    contest_file_close(&run->file);
    status = open_contest(run, true, diag);
    return status != BL_OK && there ? bl_fail(diag, opened, "%s", why.text) : status;
}

/* Begins the next trial, unless the present one still waits for its first round. */
static enum bl_status begin_trial(struct setup_run *run, struct bl_diag *diag)
{
    const struct contest *contest = run->file.contest;
    if (contest->trials && contest->begun == contest->trial_from[contest->trials])
        return BL_OK;
    return contest_file_append(&run->file, &(struct act_body){.kind = ACT_TRIAL}, diag);
}

static enum bl_status draw_sides(struct setup_run *run, struct bl_diag *diag)
{
    const struct people *people = run->people;
    const struct contest *contest = run->file.contest;
    enum bl_status status = BL_OK;
    struct act_body commit = {
        .kind = ACT_COMMIT,
        .commit = {.draw = DRAW_VERSION,
                   .public = people->public_name[0] ? people->public_name : NULL}};
    struct act_body seed = {.kind = ACT_SEED};
    if (!contest->committed && !contest->drawn)
        status = contest_seed_commit(&run->file, run->path, "seed", CONTEST_SEED, &commit, diag);
    if (status == BL_OK && run->options->trial)
        status = begin_trial(run, diag);
    if (status == BL_OK && contest->begun == contest->trial_from[contest->trials])
        status = contest_schedule_now(&run->file, run->path, false, venue_booths(run->venue),
                                      commit.commit.public, diag);
    if (status != BL_OK || (contest->drawn && !contest->undrawn) ||
        (contest->public_name[0] && !people->public_value[0]))
        return status;
    if (contest->draws && strcmp(people->public_name, contest->public_name) != 0)
        return bl_fail(diag, BL_DATA, "[draw] public = %s: expected %s, of the last commitment",
                       people->public_name, contest->public_name);
    if (people->public_value[0]) {
        seed.seed.value = people->public_value;
        seed.seed.by = people->public_by;
    }
    return contest_seed_reveal(&run->file, run->path, "seed", CONTEST_SEED, &seed, diag);
}

/* Prints the pairs without the communications program that the rules ask for, since a venue may
 * leave their confederates at our page. */
static void tell_comms(const struct setup_run *run)
{
    const struct contest *contest = run->file.contest;
    for (unsigned i = 0; i < contest->people[CONTEST_ENTRY]; i++)
        if (contest->ruleset.comms == WORD_YES && !run->venue->entry[i].comms[0])
            command_print(
                "entry%u.comms is not in %s: the confederates of its pairs type at a page "
                "of boothlink's, not at its communications program (%s)\n",
                i + 1, run->call->word[1],
                ruleset_rule(&contest->ruleset, "register", "communications-program", 0).text);
}

static enum bl_status do_setup(struct setup_run *run, const struct act_batch *acts,
                               struct bl_diag *diag)
{
    const struct contest *contest = run->file.contest;
    unsigned made = 0;
    bool there = contest->acts > 0;
    enum bl_status status = contest_file_append_all(&run->file, acts, diag);
    for (size_t i = 0; status == BL_OK && there && i < acts->count; i++)
        tell_done(&acts->act[i]);
    if (status == BL_OK)
        status = draw_sides(run, diag);
    if (status == BL_OK)
        status = key_files_make(run->venue, contest, run->keys, &made, diag);
    if (status == BL_OK && made)
        command_print("%u new key%s in %s\n", made, BL_S(made), run->keys);
    if (status == BL_OK && (!contest->drawn || contest->undrawn)) {
        command_print(
            "When %s is known, fill in [draw] value and by in %s, and leave [draw] public "
            "as it is.\nNext: boothlink "
            "contest setup %s %s  # then: it draws, and writes the tickets\n",
            contest->public_name, run->call->word[0], run->call->word[0], run->call->word[1]);
        return BL_OK;
    }
    if (status == BL_OK)
        status = contest_write_sticks(&run->file, run->path, run->call->word[1], run->out, false, 0,
                                      diag);
    if (status == BL_OK)
        status = contest_write_sheets(&run->file, run->path, run->call->word[1], diag);
    if (status == BL_OK)
        status = kept_write(run->path, run->call->word[1], run->out, run->call->word[0], diag);
    if (status == BL_OK)
        tell_comms(run);
    if (status == BL_OK)
        contest_next(contest, run->path);
    return status;
}

static enum bl_status setup_paths(struct setup_run *run, struct bl_diag *diag)
{
    const struct contest_setup_options *o = run->options;
    int folder = folder_length(run->call->word[0]);
    enum bl_status status =
        o->file ? folder_path(run->path, diag, "%s", o->file)
                : folder_path(run->path, diag, "%.*scontest.db", folder, run->call->word[0]);
    if (status == BL_OK)
        status = o->out ? folder_path(run->out, diag, "%s", o->out)
                        : folder_path(run->out, diag, "%.*ssticks", folder, run->call->word[0]);
    return status == BL_OK ? folder_path(run->keys, diag, "%s.keys", run->path) : status;
}

static enum bl_status contest_setup(const struct command_call *call, struct bl_diag *diag)
{
    struct fault_list list = {.name = call->word};
    struct setup_run run = {.call = call,
                            .options = call->options,
                            .people = malloc(sizeof *run.people),
                            .venue = malloc(sizeof *run.venue),
                            .faults = {.tell = keep_fault, .ctx = &list},
                            .notes = {.tell = tell_note}};
    struct act_batch acts = {.count = 0};
    enum bl_status status =
        run.people && run.venue ? setup_paths(&run, diag) : bl_fail(diag, BL_NOMEM, "no memory");
    if (status == BL_OK)
        status = read_files(&run, diag);
    if (status == BL_OK)
        status = plan_acts(&run, &acts, diag);
    if (status == BL_OK)
        status = do_setup(&run, &acts, diag);
    tell_faults(&list);
    contest_file_close(&run.file);
    act_batch_free(&acts);
    free(run.ruleset);
    free(run.venue);
    free(run.people);
    return status;
}

static const struct command_option template_options[] = {
    OPTION_ROW("--ruleset", "NAME|FILE",
               "the rules: a name out of `contest rulesets`, or an .ini file", OPTION_TEXT,
               struct contest_template_options, ruleset),
    OPTION_RANGE("--booths", "N", "how many booths there are (default: 4)", OPTION_NUMBER,
                 struct contest_template_options, booths, 1, SCHEDULE_BOOTHS_MAX),
    {0},
};

static void start_template(void *options)
{
    ((struct contest_template_options *)options)->booths = 4;
}

static const struct command_option setup_options[] = {
    OPTION_ROW("--file", "FILE", "the contest's file (default: contest.db beside PEOPLE.ini)",
               OPTION_TEXT, struct contest_setup_options, file),
    OPTION_ROW("--out", "DIR", "folder for the sticks (default: sticks beside it)", OPTION_TEXT,
               struct contest_setup_options, out),
    OPTION_ROW("--trial", NULL, "begin the next trial of the long bet", OPTION_FLAG,
               struct contest_setup_options, trial),
    OPTION_ROW("--unsigned", NULL, "take unsigned ballots too (judges without a booth)",
               OPTION_FLAG, struct contest_setup_options, any_ballot),
    OPTION_ROW("--few", NULL, "with fewer people than the rules ask for", OPTION_FLAG,
               struct contest_setup_options, few),
    CONTEST_AUTHOR,
    {0},
};

const struct command contest_setup_verbs[] = {
    {
        .name = "contest template",
        .synopsis = "--ruleset NAME [--booths N] [DIR]",
        .help = "write people.ini and venue.ini, to be filled in",
        .text = "With comments, and with as many people as the rules ask for; see "
                "boothlink-venue(5). A file that is there already stays as it is.",
        .examples = "boothlink contest template --ruleset loebner-2009 --booths 4 our-contest",
        .options = template_options,
        .size = sizeof(struct contest_template_options),
        .start = start_template,
        .most = 1,
        .run = contest_template,
    },
    {
        .name = "contest setup",
        .synopsis = "PEOPLE.ini VENUE.ini",
        .help = "make a contest of two files, with tickets and sheets",
        .text =
            "Says all that is missing at once, with file and line; then does what `contest new`, "
            "`add`, `approve`, `conflict`, `draw` and `schedule` do, makes keys, and writes "
            "the sticks with the tickets, see boothlink-venue(5), and beside the contest's file "
            "sheets.html to be printed and setup.html for the manager alone. Run again, it does "
            "what is not done yet and the rules still allow, and says the rest by line. --trial "
            "does what `trial`, `schedule` and `tickets` do.",
        .examples = "boothlink contest setup people.ini venue.ini",
        .options = setup_options,
        .size = sizeof(struct contest_setup_options),
        .least = 2,
        .most = 2,
        .run = contest_setup,
    },
    {0},
};
