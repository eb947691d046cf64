/* "boothlink lpp-judge": the judge's terminal on an Entry's folder, for entrants at home. */
#include "cli/judge_words.h"

#include "cli/booth_options.h"
#include "terminal/browse.h"

/* Takes the folder as the port of a side. The text is kept here. */
static enum bl_status take_folder(struct judge_options *o, enum side side, const char *folder,
                                  struct bl_diag *diag)
{
    static char address[SIDES][PATH_MAX + 4];
    if (snprintf(address[side], sizeof address[side], "lpp:%s", folder) >=
        (int)sizeof address[side])
        return bl_fail(diag, BL_USAGE, "the folder's name is longer than %d bytes", PATH_MAX - 1);
    o->port[side] = address[side];
    return BL_OK;
}

static enum bl_status choose_folder(struct judge_options *o, struct bl_diag *diag)
{
    char folder[PATH_MAX];
    enum bl_status status;
    if (o->booth.headless)
        return bl_fail(diag, BL_USAGE,
                       "missing the folder, which without a screen nobody can choose: boothlink "
                       "lpp-judge DIR");
    status = browse_folder(folder, "Which folder does the Entry use?", diag);
    return status ? status : take_folder(o, SIDE_LEFT, folder, diag);
}

struct lpp_judge_arguments {
    struct judge_options judge;
    struct judge_words words;
};

static enum bl_status lpp_judge_run(const struct command_call *call, struct bl_diag *diag)
{
    struct lpp_judge_arguments *given = call->options;
    enum bl_status status = BL_OK;
    for (unsigned i = 0; !status && i < call->words; i++)
        status = take_folder(&given->judge, i ? SIDE_RIGHT : SIDE_LEFT, call->word[i], diag);
    if (!status)
        status = judge_words_read(&given->words, &given->judge, diag);
    if (!status && !given->judge.port[SIDE_LEFT])
        status = choose_folder(&given->judge, diag);
    return status ? status : judge_booth_run(&given->judge, diag);
}

static const struct command_option lpp_judge_options[] = {
    JUDGE_WORDS(struct lpp_judge_arguments, words),
    BOOTH_RECORD_ROWS(struct lpp_judge_arguments, judge.booth),
    {0},
};

const struct command command_lpp_judge = {
    .name = "lpp-judge",
    .synopsis = "[OPTION]... [DIR [DIR2]]",
    .help = "the judge of an Entry that speaks LPP, to practise at home",
    .text =
        "Opens the judge's terminal on the folder through which your Entry speaks the Loebner "
        "Prize Protocol, with no line and no second machine: its page is on the left. With DIR2 "
        "another Entry is on the right. Without DIR the folder is looked for on the screen.\n\n"
        "Start your Entry as at a contest; every key you press is a sub-directory in its folder, "
        "and what it makes there is on your page the moment it appears. What it does wrong, as a "
        "name that is no key or a directory that it leaves, is said on the screen and is on the "
        "record. This is practice, not blind: the screen says so. At a contest the Entry's folder "
        "is at the entity's end: boothlink entity --lpp.\n\n"
        "boothlink-lpp(5) says what is written in the folder and what is taken.",
    .examples = "boothlink lpp-judge ~/entry/lpp\n"
                "boothlink lpp-judge ~/entry/lpp --plan '300 left'\n"
                "boothlink lpp-judge entry-a entry-b --starts either\n"
                "boothlink lpp-judge ~/entry/lpp --script questions.txt --headless --json",
    .options = lpp_judge_options,
    .size = sizeof(struct lpp_judge_arguments),
    .most = SIDES,
    .run = lpp_judge_run,
};
