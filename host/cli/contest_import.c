/* "boothlink contest import" and "collect": what judges' terminals keep. Sides become entities by
 * the draw, and the session's name tells round and judge, so that nobody types a number. */
#include "booth/balloting.h"
#include "cli/contest.h"
#include "desk/collect.h"
#include "desk/folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

struct contest_collect_options {
    struct contest_vote_options vote;
    const char *venue, *out;
};

static enum bl_status append(void *ctx, const struct act_body *act, struct bl_diag *diag)
{
    return contest_file_append(ctx, act, diag);
}

static void tell(void *ctx, const char *path, const char *what)
{
    (void)ctx, (void)path;
    command_print("%s\n", what);
}

static void say_missing(void *ctx, const char *line)
{
    (void)ctx;
    command_print("missing: %s\n", line);
}

/* One file by itself: what is wrong with it is what is wrong with the command. */
static enum bl_status import_file(struct collect *collect, const char *path, struct bl_diag *diag)
{
    struct ballot_file *ballot = calloc(1, sizeof *ballot);
    bool recorded = false;
    enum bl_status status =
        ballot ? balloting_load(ballot, path, diag) : bl_fail(diag, BL_NOMEM, "no memory");
    if (status == BL_OK)
        status = collect_ballot(collect, ballot, path, &recorded, diag);
    if (status == BL_OK)
        command_print("%s: %s%s%s\n", ballot->head.session, recorded ? "recorded" : "known already",
                      ballot->late ? ", given late" : "",
                      ballot->damaged ? "; damaged lines were left out" : "");
    free(ballot);
    return status;
}

static enum bl_status contest_import(const struct command_call *call, struct bl_diag *diag)
{
    const struct contest_vote_options *options = call->options;
    struct contest_file file = {.store = NULL};
    enum bl_status status = contest_file_open(&file, call, diag);
    struct collect collect = {.contest = file.contest,
                              .correct = options->correct,
                              .append = append,
                              .tell = tell,
                              .ctx = &file};
    for (unsigned i = 1; status == BL_OK && i < call->words; i++) {
        struct stat about;
        bool folder = stat(call->word[i], &about) == 0 && S_ISDIR(about.st_mode);
        status = folder ? collect_folder(&collect, call->word[i], diag)
                        : import_file(&collect, call->word[i], diag);
    }
    if (status == BL_OK && collect.refused)
        status = bl_fail(diag, BL_DATA, "%u files were refused, the others are recorded",
                         collect.refused);
    if (status == BL_OK)
        contest_next(file.contest, call->word[0]);
    contest_file_close(&file);
    return status;
}

static enum bl_status contest_collect(const struct command_call *call, struct bl_diag *diag)
{
    const struct contest_collect_options *options = call->options;
    struct contest_file file = {.store = NULL};
    char records[FOLDER_PATH_MAX];
    unsigned missing = 0, ranks = 0;
    enum bl_status status =
        !options->venue == !options->out
            ? contest_file_open(&file, call, diag)
            : bl_fail(diag, BL_USAGE, "missing --%s: it goes with --%s",
                      options->out ? "venue FILE" : "out DIR", options->out ? "out" : "venue");
    if (status == BL_OK)
        status = folder_path(records, diag, "%s.records", call->word[0]);
    struct collect collect = {.contest = file.contest,
                              .records = records,
                              .correct = options->vote.correct,
                              .begin = true,
                              .append = append,
                              .tell = tell,
                              .ctx = &file};
    for (unsigned i = 1; status == BL_OK && i < call->words; i++)
        status = collect_folder(&collect, call->word[i], diag);
    if (status == BL_OK) {
        command_print("%u records, %u of them new or longer; %u ballots and rankings recorded\n",
                      collect.files, collect.taken, collect.ballots);
        missing = collect_missing(file.contest, records, say_missing, NULL, &ranks);
    }
    if (status == BL_OK && !missing)
        printf("nothing is missing of the rounds that have begun\n");
    bool asked = options->venue && ranks && missing == ranks;
    if (status == BL_OK && asked)
        status =
            contest_write_sticks(&file, call->word[0], options->venue, options->out, true, diag);
    if (status == BL_OK && asked)
        printf("Next: the judges' stick to their room, and collect it again\n");
    else if (status == BL_OK)
        contest_next(file.contest, call->word[0]);
    if (status == BL_OK && collect.refused)
        status = bl_fail(diag, BL_DATA, "%u files were refused, the others are recorded",
                         collect.refused);
    contest_file_close(&file);
    return status;
}

static const struct command_option import_options[] = {
    CONTEST_CORRECT,
    CONTEST_AUTHOR,
    {0},
};

static const struct command_option collect_options[] = {
    CONTEST_CORRECT,
    OPTION_ROW("--venue", "FILE", "write the ranks' tickets when nothing else is missing",
               OPTION_TEXT, struct contest_collect_options, venue),
    OPTION_ROW("--out", "DIR", "where the sticks are written", OPTION_TEXT,
               struct contest_collect_options, out),
    CONTEST_AUTHOR,
    {0},
};

const struct command contest_import_verbs[] = {
    {
        .name = "contest import",
        .synopsis = "FILE BALLOT|DIR...",
        .help = "take judges' ballots from the files that terminals keep",
        .text = "The format is in boothlink-ballot(5). The session's name tells round and judge, "
                "and the draw who sat where, so that nobody types a number. Of a folder all ballot "
                "files are taken, those in its folders too.",
        .examples = "boothlink contest import c.db ~/contest/r1-j2-judge.ballot",
        .options = import_options,
        .size = sizeof(struct contest_vote_options),
        .least = 2,
        .most = COMMAND_WORDS_ANY,
        .run = contest_import,
    },
    {
        .name = "contest collect",
        .synopsis = "FILE DIR...",
        .help = "take all records out of folders, and say what is missing",
        .text =
            "Journals and ballot files, wherever in the folders they are, are copied to "
            "FILE.records and never overwritten there; ballots and ranks are recorded. What is "
            "known already is passed over, so a stick can be collected as often as one likes. "
            "A ballot that was given shows that its round has begun, so that `contest begin` need "
            "not be typed for each. Then it says which ballots, journals and ranks of the "
            "rounds that have begun are missing. With --venue and --out it writes the ranks' "
            "tickets once they alone are missing.",
        .examples = "boothlink contest collect contest.db /media/judges /media/back\n"
                    "boothlink contest collect c.db sticks/* --venue venue.ini --out sticks",
        .options = collect_options,
        .size = sizeof(struct contest_collect_options),
        .least = 2,
        .most = COMMAND_WORDS_ANY,
        .run = contest_collect,
    },
    {0},
};
