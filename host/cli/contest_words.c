/* boothlink contest opening: entities' first words, from transcripts. */
#include "cli/contest.h"

#include "booth/transcript_source.h"
#include "contest/said.h"
#include "rules/opening.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct contest_opening_options {
    struct contest_options common;
    const char *ruleset, *names, *contest;
};

#define NAMES_MAX 64

static unsigned split_names(char *list, const char *name[NAMES_MAX])
{
    unsigned count = 0;
    for (char *rest = list, *at; count < NAMES_MAX && (at = strsep(&rest, ","));)
        if (*at)
            name[count++] = at;
    return count;
}

struct openings {
    const struct ruleset *ruleset;
    const char *name[NAMES_MAX];
    unsigned names;
    unsigned sides, held;
};

/* Takes the rules and the approved names from a contest. */
static enum bl_status take_contest(struct openings *openings, struct contest_file *file,
                                   const struct command_call *call, char *path,
                                   struct bl_diag *diag)
{
    char *const word[] = {path, NULL};
    struct command_call open = *call;
    enum bl_status status;
    open.word = word;
    status = contest_file_open(file, &open, diag);
    if (status != BL_OK)
        return status;
    openings->ruleset = &file->contest->ruleset;
    for (unsigned r = 0; r <= CONTEST_CONFEDERATE; r++)
        for (unsigned i = 0; i < file->contest->people[r] && openings->names < NAMES_MAX; i++)
            if (file->contest->person[r][i].approved[0])
                openings->name[openings->names++] = file->contest->person[r][i].approved;
    return BL_OK;
}

static void tell_opening(struct openings *openings, const char *file, const char *round,
                         unsigned side, const char *said)
{
    char name[OPENING_NAME_MAX];
    command_print("%s%s%s %s: ", file, *round ? " round " : "", round,
                  side == SIDE_LEFT ? "left" : "right");
    openings->sides++;
    switch (
        opening_check(openings->ruleset->opening, openings->name, openings->names, said, name)) {
    case OPENING_HELD:
        openings->held++;
        command_print("held, as %s\n", name);
        break;
    case OPENING_NAME:
        command_print("%s is no name that was approved\n", name);
        break;
    case OPENING_OTHER:
        command_print("other words: %.100s\n", said);
        break;
    case OPENING_NOTHING:
        printf("nothing was said\n");
        break;
    }
}

static enum bl_status check_file(struct openings *openings, const char *file, struct bl_diag *diag)
{
    const struct transcript_request request = {.file = file};
    struct transcript_source source = {.is_journal = false};
    char words[SAID_MAX];
    enum bl_status status = transcript_source_open(&source, &request, diag);
    for (size_t part = 0; status == BL_OK && part < source.history.parts; part++)
        for (unsigned side = 0; side < SIDES; side++)
            if (said_first(&source.history, part, side, words))
                tell_opening(openings, file, source.history.part[part].round, side, words);
    transcript_source_close(&source);
    return status;
}

static enum bl_status contest_opening(const struct command_call *call, struct bl_diag *diag)
{
    const struct contest_opening_options *options = call->options;
    struct contest_file file = {.store = NULL};
    struct ruleset *ruleset = malloc(sizeof *ruleset);
    struct openings openings = {.ruleset = ruleset};
    char *path = options->contest ? strdup(options->contest) : NULL;
    char *names = options->names ? strdup(options->names) : NULL;
    enum bl_status status = ruleset && (names || !options->names) && (path || !options->contest)
                                ? BL_OK
                                : bl_fail(diag, BL_NOMEM, "no memory");
    if (status == BL_OK && !options->ruleset == !options->contest)
        status = bl_fail(diag, BL_USAGE,
                         "expected --contest FILE, with its rules and approved names, or --ruleset "
                         "NAME; \"contest rulesets\" lists them");
    if (status == BL_OK && path && names)
        status = bl_fail(diag, BL_USAGE, "--names: the contest has the approved names");
    if (status == BL_OK)
        status = path ? take_contest(&openings, &file, call, path, diag)
                      : contest_load_ruleset(ruleset, options->ruleset, diag);
    if (status == BL_OK && !openings.ruleset->opening[0])
        status = bl_fail(diag, BL_USAGE, "%s requires no opening words", openings.ruleset->name);
    if (status == BL_OK && names)
        openings.names = split_names(names, openings.name);
    for (unsigned i = 0; status == BL_OK && i < call->words; i++)
        status = check_file(&openings, call->word[i], diag);
    if (status == BL_OK && openings.held < openings.sides)
        status = bl_fail(diag, BL_DATA, "%u of %u entit%s did not begin with the words (%s)",
                         openings.sides - openings.held, openings.sides,
                         openings.sides == 1 ? "y" : "ies",
                         ruleset_rule(openings.ruleset, "session", "opening", 0).text);
    contest_file_close(&file);
    free(path);
    free(names);
    free(ruleset);
    return status;
}

static const struct command_option opening_options[] = {
    OPTION_ROW("--contest", "FILE", "with the rules and the names that were approved", OPTION_TEXT,
               struct contest_opening_options, contest),
    OPTION_ROW("--ruleset", "NAME|FILE", "the rules, without a contest", OPTION_TEXT,
               struct contest_opening_options, ruleset),
    OPTION_ROW("--names", "NAME,NAME,...", "the names that the manager has approved (default: any)",
               OPTION_TEXT, struct contest_opening_options, names),
    {0},
};

const struct command contest_words_verbs[] = {
    {
        .name = "contest opening",
        .synopsis = "TRANSCRIPT... --contest FILE",
        .help = "whether each entity began with the words that the rules require",
        .text = "In transcripts or journals, with a name that was approved (contest approve). "
                "Exits with 65 if one did not.",
        .options = opening_options,
        .size = sizeof(struct contest_opening_options),
        .least = 1,
        .most = COMMAND_WORDS_ANY,
        .run = contest_opening,
    },
    {0},
};
