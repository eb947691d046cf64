/* "boothlink judge": the terminal in the judges' room. */
#include "booth/judge_rank.h"

#include "cli/booth_options.h"
#include "cli/judge_words.h"
#include "booth/ticket_file.h"

struct judge_arguments {
    struct judge_options judge;
    struct judge_words words;
    bool rank, correct;
    struct ticket ticket; /* has texts of the members above */
    char ruleset[PATH_MAX];
};

static void fill_in(struct judge_arguments *given, const char *path)
{
    struct judge_options *o = &given->judge;
    struct judge_words *words = &given->words;
    const struct ticket *ticket = &given->ticket;
    ticket_session(ticket, &o->booth);
    o->port[SIDE_LEFT] = ticket->left[0] ? ticket->left : NULL;
    o->port[SIDE_RIGHT] = ticket->right[0] ? ticket->right : NULL;
    o->controller = ticket->controller[0] ? ticket->controller : NULL;
    o->b_left = ticket_b_left(ticket);
    o->booth.side_key_file[SIDE_LEFT] = ticket->left_key_file[0] ? ticket->left_key_file : NULL;
    o->booth.side_key_file[SIDE_RIGHT] = ticket->right_key_file[0] ? ticket->right_key_file : NULL;
    o->booth.side_insecure[SIDE_LEFT] = ticket->left_insecure[0] != '\0';
    o->booth.side_insecure[SIDE_RIGHT] = ticket->right_insecure[0] != '\0';
    o->booth.referee = ticket->referee[0] ? ticket->referee : NULL;
    words->plan = ticket->plan[0] ? ticket->plan : NULL;
    words->starts = ticket->starts[0] ? ticket->starts : NULL;
    words->begin = ticket->begin ? ticket_begins[ticket->begin - 1] : NULL;
    o->typing = ticket_typing(ticket);
    words->style = ticket->style[0] ? ticket->style : NULL;
    ticket_ruleset(ticket, path, given->ruleset, sizeof given->ruleset);
    words->ruleset = given->ruleset[0] ? given->ruleset : NULL;
}

static enum bl_status take_ticket(void *options, const char *path, struct bl_diag *diag)
{
    struct judge_arguments *given = options;
    enum bl_status status = ticket_load(&given->ticket, path, "judge", diag);
    if (status == BL_OK)
        fill_in(given, path);
    return status;
}

static enum bl_status take_cables(void *options, const char *value, struct bl_diag *diag)
{
    static const char *const words[] = {"a,b", "b,a", NULL};
    unsigned which;
    enum bl_status status = command_choose("--cables", value, words, &which, diag);
    ((struct judge_arguments *)options)->judge.b_left = which == 1;
    return status;
}

static enum bl_status run_rank(const struct command_call *call, struct bl_diag *diag)
{
    const struct judge_arguments *given = call->options;
    struct judge_rank_options rank = {
        .booth = &given->judge.booth, .journals = call->words, .correct = given->correct};
    enum bl_status status = BL_OK;
    for (unsigned i = 0; i < call->words; i++)
        rank.journal[i] = call->word[i];
    if (given->rank && rank.correct)
        status = bl_fail(diag, BL_USAGE, "one of --rank and --correct at a time");
    else if (rank.correct && rank.journals != 1)
        status = bl_fail(diag, BL_USAGE, "--correct JOURNAL: expected one journal of this judge");
    else if (rank.journals == 0)
        status = bl_fail(diag, BL_USAGE,
                         "--rank JOURNAL...: expected this judge's journals of all rounds");
    else if (rank.booth->session)
        status = booth_session_check(rank.booth->session, diag);
    return status ? status : judge_rank_run(&rank, diag);
}

static enum bl_status judge_run(const struct command_call *call, struct bl_diag *diag)
{
    struct judge_arguments *given = call->options;
    if (given->rank || given->correct)
        return run_rank(call, diag);
    if (call->words)
        return bl_fail(diag, BL_USAGE,
                       "'%.60s' has no option before it; did you mean --left '%.60s'?",
                       call->word[0], call->word[0]);
    enum bl_status status = judge_words_read(&given->words, &given->judge, diag);
    if (!status && !given->judge.port[SIDE_LEFT] && !given->judge.port[SIDE_RIGHT])
        status = bl_fail(
            diag, BL_USAGE,
            "missing a line: --left PORT or --right PORT; 'boothlink ports' lists them, and "
            "'boothlink lpp-judge' takes an Entry's folder, to practise");
    return status ? status : judge_booth_run(&given->judge, diag);
}

#define ROW(name, value, help, kind, field)                                                        \
    OPTION_ROW(name, value, help, kind, struct judge_arguments, field)

static const struct command_option judge_options[] = {
    ROW("--left", "PORT",
        "the line on the left: serial:DEVICE[@BAUD], ether:INTERFACE[/LINE], or lpp:DIR to "
        "practise",
        OPTION_TEXT, judge.port[SIDE_LEFT]),
    ROW("--right", "PORT", "the line on the right", OPTION_TEXT, judge.port[SIDE_RIGHT]),
    JUDGE_WORDS(struct judge_arguments, words),
    ROW("--controller", "PORT", "the controller that counts the plan's time and cuts the lines",
        OPTION_TEXT, judge.controller),
    OPTION_TAKEN("--cables", "a,b|b,a",
                 "which of the controller's cables is on the left and which on the right "
                 "(default: a,b)",
                 take_cables),
    ROW("--referee", "FILE", "public key of a referee who may listen with boothlink tap",
        OPTION_TEXT, judge.booth.referee),
    BOOTH_RECORD_ROWS(struct judge_arguments, judge.booth),
    ROW("--machine-key", "FILE",
        "the machine's own key, which signs ballots; made if it is not there (default: not signed)",
        OPTION_TEXT, judge.booth.machine_key),
    BOOTH_LINE_ROWS(struct judge_arguments, judge.booth, take_ticket),
    ROW("--rank", NULL, "no line: rank the entities of these JOURNALs, after the last round",
        OPTION_FLAG, rank),
    ROW("--correct", NULL, "no line: correct the ballot of this JOURNAL, until the contest ends",
        OPTION_FLAG, correct),
    {0},
};

const struct command command_judge = {
    .name = "judge",
    .synopsis = "--left PORT [--right PORT] [OPTION]...",
    .help = "the judge's terminal, with one or two lines",
    .text =
        "Shows one page for each line and relays every key as it is pressed. What is typed goes to "
        "the active side; F12 calls the steward, F1 shows all keys.\n\n"
        "The record is kept in the journal's directory while one types. Started again after "
        "anything, the terminal shows the same pages and goes on.\n\n"
        "With --controller, the controller in the lines counts the plan's time, announces the end "
        "of each part 500 ms before it and cuts; both screens show its time, and the record "
        "says what it did and why. Without one the host does that, and the record says "
        "\"not enforced\", as does the screen of an Entry. Until the plan begins the controller "
        "keeps the lines cut, so this "
        "screen cannot tell whether the entities are ready: look at theirs first.\n\n"
        "With a ruleset, a ballot comes after the last conversation, below the pages; F3 opens it "
        "and puts it away at any time. It is kept beside the journal, see boothlink-ballot(5). "
        "Where the rules ask for ranks, --rank with the journals of all rounds takes them after "
        "the last one, into ranks-judge.ballot or, with --session NAME, NAME-judge.ballot.",
    .examples =
        "boothlink judge --left serial:/dev/ttyUSB0\n"
        "boothlink judge --left serial:/dev/ttyUSB0 --right serial:/dev/ttyUSB1 --plan '300 "
        "left,300 right'\n"
        "boothlink judge --left serial:/dev/ttyUSB0 --controller serial:/dev/ttyACM0 --plan '1500 "
        "left'\n"
        "boothlink judge --ticket /media/stick/round2-judge1.ini\n"
        "boothlink judge --rank ~/contest/r?-j1-judge.journal",
    .options = judge_options,
    .size = sizeof(struct judge_arguments),
    .most = VOTE_RANKS_MAX,
    .run = judge_run,
};
