/* The verbs of a contest's days: dates, and an entrant's deliveries due by them. */
#include "cli/contest.h"

#include <stdio.h>

static enum bl_status contest_dates(const struct command_call *call, struct bl_diag *diag)
{
    const struct contest_options *options = call->options;
    struct contest_file file = {.store = NULL};
    struct act_body act = {.kind = ACT_DATES, .dates = {.why = options->why}};
    unsigned told = 0;
    enum bl_status status = BL_OK;
    for (unsigned i = 1; status == BL_OK && i < call->words; i++)
        status = act_dates_take(&act.dates, call->word[i], diag);
    if (status == BL_OK)
        status = contest_file_open(&file, call, diag);
    if (status == BL_OK && call->words > 1)
        status = contest_file_append(&file, &act, diag);
    for (unsigned d = 0; status == BL_OK && d < RULESET_DATES; d++) {
        char line[CONTEST_DATE_LINE];
        if (contest_tell_date(file.contest, (enum ruleset_date)d, line))
            told += printf("%s\n", line) > 0;
    }
    if (status == BL_OK && file.contest->venue[0])
        command_print("venue %s\n", file.contest->venue);
    else if (status == BL_OK && told == 0)
        printf("these rules name no days, and none is set\n");
    contest_file_close(&file);
    return status;
}

static const struct command_option deliver_options[] = {
    CONTEST_MEMBER("--comms", NULL, "it is the communications program (2004 A6)", OPTION_FLAG,
                   deliver.comms),
    OPTION_ROW("--received", "TIME", "when it came (default: now), as 2003-09-14T10:00",
               OPTION_TEXT, struct contest_options, received),
    CONTEST_WHY,
    CONTEST_AUTHOR,
    {0},
};

const struct command contest_dates_verbs[] = {
    {
        .name = "contest dates",
        .synopsis = "FILE [DATE=DAY ...] [venue=TEXT]",
        .help = "the contest's days, or set them",
        .text =
            "DATE is opens and closes (for Entries), scheduled (before it an appearance is "
            "agreed), "
            "notified (the finalists), working and updated (their programs), held (the contest), "
            "settled (the last day on which held and the venue may change), moved-from and "
            "moved-to (bounds of held). venue=TEXT is the place. The days are the rules' own, "
            "unless these had all passed when the contest was "
            "begun: then those alone count that are set here. What comes after its day is refused "
            "with its rule; with --why it is taken all the same, and marked as late.",
        .examples = "boothlink contest dates c.db closes=2026-06-30 held=2026-10-18",
        .options = contest_reason,
        .size = sizeof(struct contest_options),
        .least = 1,
        .most = COMMAND_WORDS_ANY,
        .run = contest_dates,
    },
    {
        .name = "contest deliver",
        .synopsis = "FILE E1 WHAT",
        .help = "an Entry's program, or its communications program, has come",
        .text = "WHAT names it, such as \"ELIZA 1.2\". The program of the final round comes by its "
                "day (2003 r23), as do later versions (r24). Without its communications program "
                "no Entry is accepted where the rules want one (2004 A6, A8.1).",
        .examples = "boothlink contest deliver c.db E1 \"eliza-comms 1.0\" --comms",
        .options = deliver_options,
        .least = 3,
        .most = 3,
        CONTEST_ACT(.kind = ACT_DELIVER, .words = {"entry", "what"}, .done = "$1: $2"),
    },
    {0},
};
