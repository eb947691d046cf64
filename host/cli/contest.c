/* "boothlink contest": the contest manager's command, a table of its verbs. */
#include "cli/contest.h"

#include "cli/command.h"
#include "cli/option_row.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

static const struct verb {
    const char *name;
    unsigned least, most; /* words after it */
    const char *words;
    enum bl_status (*run)(const struct contest_args *args, struct bl_diag *diag);
} verbs[] = {
    {"rulesets", 0, 1, "[NAME]", contest_rulesets},
    {"schedule", 0, 1, "--ruleset NAME --size N, or FILE", contest_schedule},
    {"new", 1, 1, "FILE --name NAME --ruleset NAME", contest_new},
    {"add", 3, 3, "FILE judge|entry|confederate|preliminary|organiser NAME", contest_add},
    {"withdraw", 2, 2, "FILE E2 --why TEXT", contest_withdraw},
    {"conflict", 3, 3, "FILE J1 E2 --why TEXT", contest_conflict},
    {"draw", 2, 2, "FILE commit|reveal", contest_draw},
    {"begin", 2, 2, "FILE ROUND", contest_begin},
    {"ballot", 4, 4, "FILE J1 E2C3 60:40", contest_ballot},
    {"import", 2, 2, "FILE BALLOT", contest_import},
    {"rank", 3, CONTEST_WORDS, "FILE J1 E2=4 C3=3 ...", contest_rank},
    {"seal", 1, 2, "FILE [ROUND]", contest_seal},
    {"disqualify", 2, 2, "FILE E2 --votes 3:2 --why TEXT", contest_disqualify},
    {"prelim", 3, CONTEST_WORDS, "FILE E2 7/2, or FILE P1 E3 E1 ...", contest_prelim},
    {"confer", 2, 2, "FILE E2 --votes 3:2", contest_confer},
    {"coin", 2, 2, "FILE commit|toss", contest_coin},
    {"screen", 3, 3, "FILE E2 QUESTIONS --program CMD [--lpp DIR] [--at TIME]", contest_screen},
    {"score", 4, 4, "FILE E2 QUESTION POINTS", contest_score},
    {"screening", 1, 1, "FILE", contest_screening},
    {"phrase", 2, 2, "FILE TEXT --why TEXT", contest_phrase},
    {"erased", 2, 2, "FILE E2 --why TEXT", contest_erased},
    {"publish", 2, 2, "FILE TRANSCRIPT, or FILE DIR --out DIR", contest_publish},
    {"show", 1, 1, "FILE", contest_show},
    {"log", 1, 1, "FILE", contest_log},
    {"result", 1, 1, "FILE", contest_result},
    {"export", 1, 1, "FILE --json|--csv", contest_export},
    {"verify", 1, 1, "FILE [--records DIR] [--transcripts DIR]", contest_verify},
    {"report", 1, 1, "FILE [--transcripts DIR]", contest_report},
    {"times", 1, 1, "FILE [--start TIME] [--breaks LIST]", contest_times},
    {"sheet", 1, 1, "FILE [--for WHOM] [--venue VENUE]", contest_sheet},
    {"tickets", 1, 1, "FILE --venue VENUE --out DIR", contest_tickets},
    {"select", 1, 1, "FILE [--data SCORES] [--final]", contest_select},
    {"invite", 2, 2, "FILE E2 --why TEXT", contest_invite},
    {"choose", 2, 2, "FILE E2 --why TEXT", contest_choose},
    {"lose", 2, 2, "FILE E2 --why TEXT", contest_lose},
    {"trial", 1, 1, "FILE", contest_trial},
    {"allot", 0, 0, "--entries N --judges N --ruleset NAME", contest_allot},
    {"opening", 1, CONTEST_WORDS, "TRANSCRIPT... --ruleset NAME", contest_opening},
    {"similar", 1, 1, "DIR, or FILE", contest_similar},
};
#define VERBS (sizeof verbs / sizeof verbs[0])

static const struct option_row rows[] = {
    {"--ruleset", OPTION_TEXT, offsetof(struct contest_args, ruleset), 0, 0},
    {"--author", OPTION_TEXT, offsetof(struct contest_args, author), 0, 0},
    {"--name", OPTION_TEXT, offsetof(struct contest_args, name), 0, 0},
    {"--why", OPTION_TEXT, offsetof(struct contest_args, why), 0, 0},
    {"--votes", OPTION_TEXT, offsetof(struct contest_args, votes), 0, 0},
    {"--submitter", OPTION_TEXT, offsetof(struct contest_args, submitter), 0, 0},
    {"--received", OPTION_TEXT, offsetof(struct contest_args, received), 0, 0},
    {"--program", OPTION_TEXT, offsetof(struct contest_args, program), 0, 0},
    {"--at", OPTION_TEXT, offsetof(struct contest_args, at), 0, 0},
    {"--start", OPTION_TEXT, offsetof(struct contest_args, start), 0, 0},
    {"--breaks", OPTION_TEXT, offsetof(struct contest_args, breaks), 0, 0},
    {"--transcripts", OPTION_TEXT, offsetof(struct contest_args, transcripts), 0, 0},
    {"--records", OPTION_TEXT, offsetof(struct contest_args, records), 0, 0},
    {"--venue", OPTION_TEXT, offsetof(struct contest_args, venue), 0, 0},
    {"--out", OPTION_TEXT, offsetof(struct contest_args, out), 0, 0},
    {"--for", OPTION_TEXT, offsetof(struct contest_args, kind), 0, 0},
    {"--data", OPTION_TEXT, offsetof(struct contest_args, data), 0, 0},
    {"--how", OPTION_TEXT, offsetof(struct contest_args, how), 0, 0},
    {"--team", OPTION_TEXT, offsetof(struct contest_args, team), 0, 0},
    {"--family", OPTION_TEXT, offsetof(struct contest_args, family), 0, 0},
    {"--lpp", OPTION_TEXT, offsetof(struct contest_args, lpp), 0, 0},
    {"--program-io", OPTION_TEXT, offsetof(struct contest_args, program_io), 0, 0},
    {"--turn-end", OPTION_TEXT, offsetof(struct contest_args, turn_end), 0, 0},
    {"--names", OPTION_TEXT, offsetof(struct contest_args, names), 0, 0},
    {"--size", OPTION_NUMBER, offsetof(struct contest_args, size), 0, SCHEDULE_PEOPLE_MAX},
    {"--judges", OPTION_NUMBER, offsetof(struct contest_args, judges), 0, SCHEDULE_PEOPLE_MAX},
    {"--entries", OPTION_NUMBER, offsetof(struct contest_args, entries), 0, SCHEDULE_PEOPLE_MAX},
    {"--confederates", OPTION_NUMBER, offsetof(struct contest_args, confederates), 0,
     SCHEDULE_PEOPLE_MAX},
    {"--age", OPTION_NUMBER, offsetof(struct contest_args, age), 0, 150},
    {"--place", OPTION_NUMBER, offsetof(struct contest_args, place), 0, SCHEDULE_PEOPLE_MAX},
    {"--organiser", OPTION_FLAG, offsetof(struct contest_args, organiser), 0, 0},
    {"--guardian", OPTION_FLAG, offsetof(struct contest_args, guardian), 0, 0},
    {"--rights", OPTION_FLAG, offsetof(struct contest_args, rights), 0, 0},
    {"--receipt", OPTION_FLAG, offsetof(struct contest_args, receipt), 0, 0},
    {"--unknown", OPTION_FLAG, offsetof(struct contest_args, unknown), 0, 0},
    {"--final", OPTION_FLAG, offsetof(struct contest_args, final), 0, 0},
    {"--undo", OPTION_FLAG, offsetof(struct contest_args, undo), 0, 0},
    {"--own", OPTION_FLAG, offsetof(struct contest_args, own), 0, 0},
    {"--optimal", OPTION_FLAG, offsetof(struct contest_args, optimal), 0, 0},
    {"--correct", OPTION_FLAG, offsetof(struct contest_args, correct), 0, 0},
    {"--csv", OPTION_FLAG, offsetof(struct contest_args, csv), 0, 0},
    {"--json", OPTION_FLAG, offsetof(struct contest_args, json), 0, 0},
};

static enum bl_status take_word(struct contest_args *args, const struct verb **verb,
                                const char *word, struct bl_diag *diag)
{
    if (*verb) {
        if (args->words == (*verb)->most)
            return bl_fail(diag, BL_USAGE, "'%.40s' is too much: %s %s is wanted", word,
                           (*verb)->name, (*verb)->words);
        args->word[args->words++] = word;
        return BL_OK;
    }
    for (size_t i = 0; i < VERBS && !*verb; i++)
        *verb = strcmp(verbs[i].name, word) == 0 ? &verbs[i] : NULL;
    return *verb ? BL_OK
                 : bl_fail(diag, BL_USAGE,
                           "there is no verb '%.40s'; \"boothlink help contest\" lists them", word);
}

static int contest_run(const struct command *command, int argc, char **argv)
{
    struct command_walk walk = {.command = command, .argc = argc, .argv = argv};
    struct contest_args args = {
        .size = -1, .judges = -1, .entries = -1, .confederates = -1, .age = -1, .place = -1};
    const struct verb *verb = NULL;
    struct bl_diag diag = {""};
    enum bl_status status = BL_OK;
    const char *name;
    while (status == BL_OK && (name = command_next(&walk)))
        status = walk.bare ? take_word(&args, &verb, name, &diag)
                           : option_row_take(rows, sizeof rows / sizeof rows[0], &args, name,
                                             walk.value, &diag);
    if (status == BL_OK && (walk.status || walk.helped))
        return bl_status_exit(walk.status);
    if (status == BL_OK && !verb)
        status = bl_fail(&diag, BL_USAGE, "give a verb; \"boothlink help contest\" lists them");
    if (status == BL_OK && args.words < verb->least)
        status = bl_fail(&diag, BL_USAGE, "%s %s is wanted", verb->name, verb->words);
    if (status == BL_OK)
        status = verb->run(&args, &diag);
    if (status == BL_OK && (fflush(stdout) || ferror(stdout)))
        status = bl_fail(&diag, BL_IO, "the answer cannot be written");
    return status == BL_OK ? EX_OK : command_fail(command, status, diag.text);
}

static const struct command_option contest_options[] = {
    {"--ruleset", "NAME|FILE", "the rules: a name out of `contest rulesets`, or an .ini file"},
    {"--name", "NAME", "new: the contest's name"},
    {"--author", "NAME", "who does this, for the record; the user's name if not given"},
    {"--why", "TEXT", "the reason, for the record"},
    {"--votes", "FOR:AGAINST", "of the judges"},
    {"--place", "N", "confer: for which place the judges chose it, the first if not given"},
    {"--organiser", NULL, "disqualify: by the organiser, whose decision is final (2003 r8, r59)"},
    {"--submitter", "NAME", "add entry: who submits it"},
    {"--team", "NAME,NAME,...", "add entry: others who have part in it"},
    {"--family", "NAME,NAME,...", "add: families and immediate associates, as far as known"},
    {"--received", "TIME",
     "add entry: its time stamp, or the date of appearance, such as 2009-04-07T10:00"},
    {"--how", "courier|installs|brings",
     "add entry: sent with a receipt, installed on the spot, or on a machine of its own"},
    {"--age", "N", "add entry: the submitter's"},
    {"--guardian", NULL, "add entry: a guardian's permission is there"},
    {"--rights", NULL, "add entry: the statement of rights is there"},
    {"--receipt", NULL, "add entry: it came with a receipt and time stamp"},
    {"--own", NULL, "add entry: an open-source program that the organiser enters"},
    {"--unknown", NULL, "add confederate: no judge knows him, personally or by reputation"},
    {"--program", "CMD", "screen: the Entry, as `entity --program` runs it"},
    {"--program-io", "pty|pipe", "screen: as of `entity`; and so --turn-end"},
    {"--turn-end", "lf|cr|crlf|two-returns", "screen: what a Return is to it"},
    {"--lpp", "DIR",
     "screen: the folder of an Entry that speaks LPP; --program starts it, else you do"},
    {"--at", "TIME", "screen: what its clock shows at the start, such as 2009-09-06T10:00"},
    {"--start", "TIME", "schedule, times, sheet, report: of the first round, such as 10:00"},
    {"--breaks", "ROUND=MINUTES,...",
     "schedule, times, sheet, report: longer breaks after these rounds"},
    {"--transcripts", "DIR",
     "report, verify: the folder with r1-j1.txt and so on, as they are published"},
    {"--records", "DIR", "verify: the folder with the journals and ballot files of all machines"},
    {"--venue", "FILE", "sheet, tickets: the venue's machines, see boothlink-venue(5)"},
    {"--out", "DIR", "tickets: where they are written, a folder for each machine"},
    {"--for", "WHOM", "sheet: judges, confederates, entries, labels or setup; all if not given"},
    {"--data", "FILE", "select: scores, ranks and choices as JSON, which are recorded"},
    {"--final", NULL, "select: record these finalists"},
    {"--undo", NULL, "invite, choose, lose: take it back"},
    {"--names", "NAME,NAME,...",
     "opening: the names that the manager has approved; any if not given"},
    {"--size", "N", "schedule: so many judges, Entries and confederates each"},
    {"--judges", "N", "schedule: judges, where the numbers are not equal"},
    {"--entries", "N", "schedule: Entries"},
    {"--confederates", "N", "schedule: confederates"},
    {"--optimal", NULL, "schedule: the fewest rounds instead of the table that the rules print"},
    {"--correct", NULL, "ballot, rank, prelim, select: in the place of what was given"},
    {"--csv", NULL, "export: the ballots as a table"},
    {"--json", NULL, "print one JSON object"},
    {0},
};

const struct command command_contest = {
    .name = "contest",
    .synopsis = "rulesets [NAME] | schedule --ruleset NAME --size N | new FILE | VERB FILE ...",
    .help = "the contest: rules, people, who meets whom, ballots, who wins",
    .text =
        "`rulesets` lists the rulesets, and prints the one that is named: an .ini file in which "
        "each line cites its rule, and from which a venue can write its own.\n\n"
        "`schedule` prints who meets whom in each round, and who is excused. J1E2C3 is judge 1 "
        "with Entry 2 and confederate 3. For the size that the rules print a table for it is that "
        "table; otherwise, and with --optimal, everybody meets everybody in the fewest rounds: as "
        "many as there are judges, but 4 for 2 and 7 for 6. With unequal numbers each judge meets "
        "each Entry, the confederates are spread as evenly as can be, and a last line says what "
        "is proven about that. Under rules with one entity at a time (1996, 2003, the long bet) "
        "each judge meets each candidate.\n\n"
        "A contest is one FILE, see boothlink-contest(5). Nothing in it is ever overwritten: each "
        "of these adds an act with "
        "its time and author, or is refused with the rule that it breaks.\n\n"
        "`new` FILE --name NAME --ruleset NAME. `add` FILE judge|entry|confederate NAME; the first "
        "judge is J1. `add` FILE preliminary NAME and `add` FILE organiser NAME register judges of "
        "a preliminary round, P1, and who holds the contest, O1: rules that say so let neither "
        "them nor their families take part in another way (2003 r10, r41, r52). "
        "`conflict` FILE J1 E2: these two may not meet. `withdraw` FILE E2. "
        "`draw` FILE commit makes a secret seed beside the file and a commitment that is to be "
        "published; `draw` FILE reveal, after the schedule is made, gives the seed away and so "
        "decides who sits left. `schedule` FILE makes the rounds that have not begun, also anew "
        "after a withdrawal. `begin` FILE ROUND.\n\n"
        "`ballot` FILE J1 E2C3 VOTE, where VOTE is 60:40 (the Entry's points first), entry or "
        "confederate (which of the two is the human), 3.25 (a rating), or human or machine; E2 or "
        "C3 alone where entities are met singly. `import` FILE BALLOT takes a judge's ballot from "
        "the "
        "file that his terminal keeps, boothlink-ballot(5): the session's name tells round and "
        "judge, and the draw who sat where. `rank` FILE J1 E2=4 C3=3 ... after the last "
        "round. "
        "`seal` FILE ROUND ends corrections; `seal` FILE ends them all, and with them the contest. "
        "`disqualify`, `confer` "
        "with --votes FOR:AGAINST of the judges; `prelim` FILE E2 7/2, a score of the preliminary "
        "round; `coin` FILE commit, then toss.\n\n"
        "`screen` FILE E2 QUESTIONS --program CMD puts a file of questions to an Entry before the "
        "contest, and records what it answers. A line is KIND: QUESTION, where KIND is a word such "
        "as "
        "time, things, relationships or memory; # begins a comment. With --lpp DIR the questions "
        "go "
        "through the folder of an Entry that speaks LPP, which --program starts or you do. With "
        "--at "
        "the clock of what is started is set (faketime); begun again, it goes on with the first "
        "question that has no answer on the record. `score` FILE E2 1 80 gives 80 of 100 points "
        "for an answer; `screening` FILE "
        "prints the table, the best first.\n\n"
        "`phrase` FILE TEXT --why TEXT records that a phrase is not to be published, where the "
        "rules "
        "allow that, and `publish` FILE TRANSCRIPT prints a readable transcript with "
        "\"[phrase deleted]\" in its place, or with --out DIR does so for all of a folder; "
        "journals are "
        "never changed. `erased` FILE E2 --why "
        "TEXT "
        "records that an Entry is off the machines; `show` lists those that are not.\n\n"
        "`show`, `log`, `result` (each step with its rule), `export` --json or --csv, and "
        "`verify`, "
        "which reads every act again and checks the chain of their hashes, the draw and the "
        "schedule. With --records it looks at each journal and ballot file in that folder and the "
        "folders in it: damage, sessions that are missing or were never held, how long each "
        "segment was open, keys outside of one, ends that were not agreed, first words that the "
        "rules ask for, journals of two ends that contradict each other, and votes that are not "
        "those of the contest. With --transcripts it makes each published transcript again. It "
        "says what differs, file by file, and then exits with 65.\n\n"
        "`report` FILE prints one HTML page with all of it. `times` FILE prints when each round "
        "is, who moves before it, and where a judge and a confederate could meet. `sheet` FILE "
        "prints the sheets of all people and the labels of the booths as HTML, and `tickets` FILE "
        "--venue VENUE --out DIR writes the session tickets of the rounds that have not begun, a "
        "folder for each machine: a judge's folder tells nothing about who is human.\n\n"
        "`select` FILE says which Entries come into the final round and by which rule, and with "
        "--final records it: from then on only they are scheduled. `prelim` FILE P1 E3 E1 E2 is a "
        "preliminary judge's list, the best first; `allot` says which Entries each of them gets. "
        "`choose` FILE E2 says whom a jury or panel takes where equals stand or rules leave it to "
        "somebody, `invite` who comes in for outstanding merit, `lose` that a finalist cannot run, "
        "so that a reserve or a further confederate comes in; each with --why TEXT, and --undo "
        "takes it back. --data enters much of it at once, from a JSON object with any of: "
        "screening, [[ENTRY, SCORE], ...]; invited, chosen and lost, [ENTRY, ...]; ranks, a list "
        "for each preliminary judge, [[ENTRY, ...], ...].\n\n"
        "`trial` FILE begins the next trial of the long bet, when all rounds of the one before "
        "have "
        "begun: the same candidates are scheduled anew, and `result` joins the trials into a "
        "session.\n\n"
        "`opening` looks into transcripts or journals whether each entity began with the words "
        "that the rules require. `similar` DIR lists, out of the transcripts in a folder, what "
        "different Entries answered to the same question (2003 r38); whether they are too much "
        "alike is for a panel.",
    .examples = "boothlink contest rulesets loebner-2004 > ours.ini\n"
                "boothlink contest schedule --ruleset loebner-2009 --size 4\n"
                "boothlink contest new c.db --name 'Our contest' --ruleset loebner-2004\n"
                "boothlink contest add c.db entry ELIZA --submitter 'J. Weizenbaum'\n"
                "boothlink contest ballot c.db J1 E2C3 60:40\n"
                "boothlink contest result c.db\n"
                "boothlink contest report c.db --transcripts transcripts > report.html\n"
                "boothlink contest sheet c.db --for judges --start 10:00 > judges.html",
    .options = contest_options,
    .run = contest_run,
};
