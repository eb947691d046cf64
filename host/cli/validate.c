/* boothlink validate: checks an entrant's program for the contest. */
#include "cli/validate.h"

#include "command/command.h"
#include "cli/contest.h"
#include "base/loop.h"
#include "base/shell_word.h"
#include "entity/place.h"
#include "transcript/iso.h"
#include "validate/report.h"
#include "validate/report_html.h"

#include <errno.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SEED_MOST (uint64_t) INT64_MAX /* the greatest integer of JSON */

/* Adds an argument of a command line, quoted for a shell. */
static void word_add(char *line, size_t room, const char *word)
{
    size_t used = strlen(line);
    if (used + 4 * strlen(word) + 8 >= room)
        return;
    if (used)
        line[used++] = ' ';
    shell_word(line + used, room - used, word);
}

/* The command line that repeats this run, without --only, --seed, --html and --json. */
static void again_make(struct validate_args *args, const struct command_call *call)
{
    static const char *const left_out[] = {"--only", "--seed", "--html", "--json"};
    word_add(args->again, sizeof args->again, "boothlink");
    word_add(args->again, sizeof args->again, "validate");
    for (int i = 0; i < call->argc; i++) {
        size_t length = strcspn(call->argv[i], "=");
        bool out = false;
        for (size_t k = 0; k < sizeof left_out / sizeof left_out[0] && !out; k++)
            out = strlen(left_out[k]) == length && strncmp(call->argv[i], left_out[k], length) == 0;
        if (!out)
            word_add(args->again, sizeof args->again, call->argv[i]);
        else if (strcmp(call->argv[i], "--json") != 0 && !call->argv[i][length])
            i++;
    }
}

/* Tests at the start that the page can be written. */
static enum bl_status page_check(const struct validate_args *args, struct bl_diag *diag)
{
    char folder[PATH_MAX];
    if (!args->options.html || access(args->options.html, W_OK) == 0)
        return BL_OK;
    if (errno == ENOENT) {
        snprintf(folder, sizeof folder, "%s", args->options.html);
        if (access(dirname(folder), W_OK | X_OK) == 0)
            return BL_OK;
    }
    return bl_fail(diag, BL_IO, "--html %.200s: %s", args->options.html, strerror(errno));
}

static enum bl_status entry_read(struct validate_args *args, struct bl_diag *diag)
{
    struct validate_options *o = &args->options;
    struct program_options program = {
        .io = o->io, .turn_end = args->turn_end ? (enum turn_end)(args->turn_end - 1) : TURN_LF};
    enum bl_status status = entry_take(&args->entry, &program, &args->text, diag);
    if (!status && !program.command)
        status = bl_fail(diag, BL_USAGE, "missing --program CMD, which starts the Entry");
    o->entry = &args->entry;
    o->program = program.command;
    o->server = program.place.server;
    o->io = program.io;
    if (!status && entry_kinds[args->entry.kind].ours)
        args->turn_end = program.turn_end + 1;
    return status;
}

/* Loads the ruleset and finds the folder. */
static enum bl_status validate_prepare(struct validate_args *args, struct bl_diag *diag)
{
    enum bl_status status;
    if (!args->ruleset)
        return bl_fail(diag, BL_USAGE,
                       "missing --ruleset NAME; 'boothlink contest rulesets' lists them");
    status = contest_load_ruleset(&args->rules, args->ruleset, diag);
    if (status == BL_OK)
        status = check_names(&args->rules, diag);
    if (status == BL_OK)
        status = place_folder(args->options.folder, args->folder, diag);
    args->options.folder = args->folder;
    if (status == BL_OK)
        status = page_check(args, diag);
    args->options.ruleset = &args->rules;
    if (args->turn_end)
        args->options.turn_end = (enum turn_end)(args->turn_end - 1);
    if (strcmp(args->rules.style, "scroll") == 0) {
        if (!args->turn_end)
            args->options.turn_end = TURN_TWO_RETURNS; /* 1996 spec 1d */
        if (!args->options.strip_prompt)
            args->options.strip_prompt = "> ?"; /* spec 1b */
    }
    return status;
}

static void on_progress(void *ctx, const struct check *check, unsigned number, unsigned of,
                        const struct finding *finding)
{
    const struct validate_args *args = ctx;
    static char lines[REPORT_LINES];
    bool counter = isatty(STDERR_FILENO);
    if (!finding) {
        if (counter)
            fprintf(stderr, "\r%u of %u: %s ...\033[K", number, of, check->id);
        return;
    }
    if (counter)
        fprintf(stderr, "\r\033[K");
    else if (args->json)
        fprintf(stderr, "%u of %u: %s %s\n", number, of, verdict_word(finding->verdict), check->id);
    if (args->json)
        return;
    report_finding(finding, &args->options, args->again, lines);
    fputs(lines, stdout);
    fflush(stdout);
}

static enum bl_status page_write(const struct validate_args *args,
                                 const struct validate_report *report, struct bl_diag *diag)
{
    const char *path = args->options.html;
    FILE *file = fopen(path, "w");
    const struct html_out out = {command_write, file};
    bool good = file != NULL;
    if (good) {
        report_html(report, args->again, &out);
        good = !ferror(file);
        good = fclose(file) == 0 && good;
    }
    return good ? BL_OK
                : bl_fail(diag, BL_IO, "--html %.200s: %s", path,
                          errno ? strerror(errno) : "cannot be written");
}

enum bl_status validate_go(struct validate_args *args, const struct command_call *call,
                           struct bl_diag *diag)
{
    static struct validate_report report;
    const struct validate_callbacks callbacks = {on_progress, args};
    char totals[REPORT_TOTALS];
    enum report_verdict verdict;
    enum bl_status status = entry_read(args, diag);
    if (!status)
        status = validate_prepare(args, diag);
    if (status)
        return status;
    again_make(args, call);
    if (report_wants(&args->options, totals)) { /* at once, before the checks */
        report_wrap(totals, isatty(STDOUT_FILENO) ? 80 : UINT_MAX);
        fputs(totals, args->json ? stderr : stdout);
        fflush(stdout);
    }
    status = validate_run(&args->options, &callbacks, &report, diag);
    if (status)
        return status;
    iso_write(bl_now().wall_us, report.made);
    if (args->json) {
        json_t *object = report_json(&report, args->again);
        command_json(object, JSON_INDENT(2));
    } else {
        report_totals(&report, totals);
        report_wrap(totals, isatty(STDOUT_FILENO) ? 80 : UINT_MAX);
        fputs(totals, stdout);
    }
    if (args->options.html)
        status = page_write(args, &report, diag);
    verdict = report_verdict(&report);
    report_end(&report);
    if (status)
        return status;
    if (verdict == REPORT_OPEN)
        *call->code = EXIT_FAILURE;
    return verdict == REPORT_REFUSED ? command_told(BL_DATA, diag) : BL_OK;
}

static enum bl_status validate_entry(const struct command_call *call, struct bl_diag *diag)
{
    struct validate_args *args = call->options;
    args->options.kind = VALIDATE_ENTRY;
    return validate_go(args, call, diag);
}

static void start_args(void *at)
{
    struct validate_args *args = at;
    validate_defaults(&args->options);
}

static enum bl_status take_seed(void *at, const char *value, struct bl_diag *diag)
{
    struct validate_args *args = at;
    char *rest;
    errno = 0;
    args->options.seed = strtoull(value, &rest, 10);
    if (*rest || value[0] < '0' || value[0] > '9' || errno || args->options.seed > SEED_MOST)
        return bl_fail(diag, BL_USAGE, "--seed %.40s: expected a number from 0 to %" PRIu64, value,
                       SEED_MOST);
    return BL_OK;
}

/* The options for a program of any kind. */
#define FOLDER_ROWS                                                                                \
    OPTION_ROW("--program", "CMD", "the Entry, as a shell runs it in its folder", OPTION_TEXT,     \
               struct validate_args, text.program),                                                \
        OPTION_ROW("--folder", "DIR", "the folder that belongs to it (default: the current one)",  \
                   OPTION_TEXT, struct validate_args, options.folder)
#define PROGRAM_ROWS                                                                               \
    FOLDER_ROWS,                                                                                   \
        OPTION_ROW("--ruleset", "NAME", "the contest's rules, or a file of them", OPTION_TEXT,     \
                   struct validate_args, ruleset),                                                 \
        OPTION_ROW("--lpp", "DIR", "it speaks the LPP in this folder, not on its terminal",        \
                   OPTION_TEXT, struct validate_args, text.lpp)

#define CHECK_ROWS                                                                                 \
    OPTION_ROW("--program-io", "pty|pipe", "what the program talks through (default: pty)",        \
               OPTION_CHOICE, struct validate_args, options.io),                                   \
        OPTION_RANGE("--turn-end", "lf|cr|crlf|two-returns",                                       \
                     "what a judge's Return is to it (default: lf)", OPTION_CHOICE,                \
                     struct validate_args, turn_end, 1, 0),                                        \
        OPTION_ROW("--strip-prompt", "REGEX", "its prompt, which is no answer", OPTION_TEXT,       \
                   struct validate_args, options.strip_prompt),                                    \
        OPTION_ROW("--strip-echo", NULL, "it echoes the judge's keys, which is no answer",         \
                   OPTION_FLAG, struct validate_args, options.strip_echo),                         \
        OPTION_ROW("--only", "ID,...", "only these checks, or these families", OPTION_TEXT,        \
                   struct validate_args, options.only),                                            \
        OPTION_TAKEN("--seed", "N",                                                                \
                     "of what the judge says, and of all that is random (default: 1)", take_seed), \
        OPTION_RANGE("--start-time", "SECONDS", "until it must be ready (default: 60)",            \
                     OPTION_SECONDS, struct validate_args, options.start_ms, 0.1, 3600),           \
        OPTION_RANGE("--answer", "SECONDS",                                                        \
                     "until an answer must begin, more if it is at work (default: 20)",            \
                     OPTION_SECONDS, struct validate_args, options.answer_ms, 0.1, 3600),          \
        OPTION_RANGE("--quiet", "SECONDS", "of silence that end an answer (default: 1.5)",         \
                     OPTION_SECONDS, struct validate_args, options.quiet_ms, 0.05, 60),            \
        OPTION_RANGE("--silence", "SECONDS", "of a judge who says nothing (default: 20)",          \
                     OPTION_SECONDS, struct validate_args, options.silence_ms, 0.1, 3600),         \
        OPTION_RANGE("--end-time", "SECONDS",                                                      \
                     "until it must have ended when hung up (default: 5)", OPTION_SECONDS,         \
                     struct validate_args, options.end_ms, 0.1, 3600),                             \
        OPTION_RANGE("--lump", "KEYS", "this many keys at once are a lump (default: 8)",           \
                     OPTION_NUMBER, struct validate_args, options.lump_keys, 2, 1000),             \
        OPTION_RANGE("--lump-ms", "MS", "at once is within this time (default: 10)",               \
                     OPTION_NUMBER, struct validate_args, options.lump_ms, 1, 1000),               \
        OPTION_RANGE("--memory", "MIB",                                                            \
                     "it may take, with what it shares and writes (default: 1024)", OPTION_NUMBER, \
                     struct validate_args, options.memory_mib, 1, 1 << 20),                        \
        OPTION_RANGE(                                                                              \
            "--processes", "N",                                                                    \
            "it may have at once, with at most four times as many threads and 64 (default: 128)",  \
            OPTION_NUMBER, struct validate_args, options.processes, 1, 10000),                     \
        OPTION_RANGE("--processor", "PERCENT",                                                     \
                     "of a core it may use while nobody types (default: 50)", OPTION_NUMBER,       \
                     struct validate_args, options.processor, 1, 6400),                            \
        OPTION_ROW("--long", NULL, "also the check that takes long", OPTION_FLAG,                  \
                   struct validate_args, options.long_run),                                        \
        OPTION_RANGE("--long-time", "SECONDS",                                                     \
                     "how long that is, on the program's clock (default: 7200)", OPTION_SECONDS,   \
                     struct validate_args, options.long_ms, 1, 86400),                             \
        OPTION_ROW("--html", "FILE", "write the report as a page, with screens", OPTION_TEXT,      \
                   struct validate_args, options.html),                                            \
        OPTION_JSON(struct validate_args, "print one JSON object")

static const struct command_option entry_options[] = {
    PROGRAM_ROWS,
#define WORD(id, name, value, help)                                                                \
    OPTION_ROW("--" name, value, help, OPTION_TEXT, struct validate_args, text.id),
    KIND_SERVED_WORDS(WORD)
#undef WORD
        CHECK_ROWS,
    {0},
};

static const struct command_option comms_options[] = {
    PROGRAM_ROWS,
    OPTION_ROW("--judge-end", "CMD", "the program at the judge's end; {port} is its line",
               OPTION_TEXT, struct validate_args, options.judge_end),
    OPTION_ROW("--entity-end", "CMD", "the program at the entity's end", OPTION_TEXT,
               struct validate_args, options.entity_end),
    OPTION_ROW("--cable", "serial|ethernet", "what joins them (default: serial)", OPTION_CHOICE,
               struct validate_args, options.cable),
    OPTION_ROW("--mask", "MASK", "what may differ between two screens", OPTION_TEXT,
               struct validate_args, options.mask),
    OPTION_ROW("--rates", "N,...", "keys a second at which people type (default: 1,2,5,10,20)",
               OPTION_TEXT, struct validate_args, options.rates),
    OPTION_RANGE("--keys", "N", "keys typed at each rate (default: 6)", OPTION_NUMBER,
                 struct validate_args, options.keys, 1, 200),
    OPTION_RANGE("--turns", "N", "lines of the judge that the Entry is compared with (default: 4)",
                 OPTION_NUMBER, struct validate_args, options.turns, 1, 100),
    OPTION_RANGE("--echo-ms", "MS", "how much later a judge's key may show (default: 75)",
                 OPTION_NUMBER, struct validate_args, options.echo_ms, 1, 10000),
    OPTION_RANGE("--gap-ms", "MS", "how far gaps between keys may be off (default: 30)",
                 OPTION_NUMBER, struct validate_args, options.gap_ms, 1, 10000),
    OPTION_ROW("--windows", NULL, "the programs draw windows: record their screens", OPTION_FLAG,
               struct validate_args, options.windows),
    OPTION_RANGE("--outage", "SECONDS", "how long the cable is out (default: 3)", OPTION_SECONDS,
                 struct validate_args, options.outage_ms, 0.01, 600),
    CHECK_ROWS,
    {0},
};

static const struct command_option manifest_options[] = {FOLDER_ROWS, {0}};

static const struct command_option list_options[] = {
    OPTION_ROW("--ruleset", "NAME", "only what these rules ask for", OPTION_TEXT,
               struct validate_args, ruleset),
    OPTION_ROW("--only", "ID,...", "only these checks, or these families", OPTION_TEXT,
               struct validate_args, options.only),
    OPTION_JSON(struct validate_args, "print a JSON array"),
    {0},
};

static const struct command validate_verbs[] = {
    {
        .name = "validate entry",
        .synopsis =
            "(--program CMD | --cgi CMD | --web URL | --chat URL) --ruleset NAME [OPTION]...",
        .help = "check an Entry",
        .text =
            "Plays a judge to the program. All checks of a program that types as people do take "
            "two to three minutes, nearly all of it waiting; --only takes less. Documents of a "
            "form "
            "are looked at beside the template's, where Chromium is installed. An Entry of LPP v2 "
            "is a client of socket.io: it is ready when it has registered at "
            "http://127.0.0.1:PORT, "
            "which is all the network that it has, with any secret.",
        .examples = "boothlink validate entry --program ./my-entry --ruleset loebner-2004\n"
                    "boothlink validate entry --lpp2 8080 --program 'node entry.js' --ruleset "
                    "loebner-2009",
        .options = entry_options,
        .size = sizeof(struct validate_args),
        .start = start_args,
        .run = validate_entry,
    },
    {
        .name = "validate comms",
        .synopsis = "--program CMD --judge-end CMD --entity-end CMD --ruleset NAME [OPTION]...",
        .help = "check a communications program that is submitted with an Entry",
        .text =
            "Both ends run in sandboxes of their own, joined by a simulated null-modem cable "
            "(pseudo-terminals without modem lines) or hub alone. In their commands {port} is the "
            "line, and on a hub {here} and {there} are their addresses. The same judge is played "
            "to the Entry and to them, and both screens are compared after each key. A mask is "
            "ROW,COLUMN or ROW,COLUMN-ROW,COLUMN from 1,1, with blanks between.",
        .examples = "boothlink validate comms --program ./my-entry --judge-end './comms {port}' "
                    "--entity-end './comms {port}' --ruleset loebner-2004",
        .options = comms_options,
        .size = sizeof(struct validate_args),
        .start = start_args,
        .run = validate_comms,
    },
    {
        .name = "validate manifest",
        .synopsis = "--program CMD [--folder DIR]",
        .help = "write what an Entry is handed in as into its folder",
        .text = "boothlink.manifest says how the Entry is started, with which interpreter, and has "
                "a hash of each file of the folder. On the day a terminal whose Entry's folder has "
                "one starts it only if every file is the same.",
        .examples = "boothlink validate manifest --program 'perl eliza.pl' --folder my-entry",
        .options = manifest_options,
        .size = sizeof(struct validate_args),
        .start = start_args,
        .run = validate_manifest,
    },
    {
        .name = "validate list",
        .synopsis = "[--ruleset NAME] [--only ID,...] [--json]",
        .help = "list the checks and the rules that ask for them",
        .text = "With --ruleset, by which rule of that one.",
        .examples = "boothlink validate list --ruleset loebner-2004",
        .options = list_options,
        .size = sizeof(struct validate_args),
        .start = start_args,
        .run = validate_list,
    },
    {0},
};

const struct command command_validate = {
    .name = "validate",
    .synopsis = "entry|comms|manifest|list --program CMD --ruleset NAME [OPTION]...",
    .help = "check whether an Entry will work on the day",
    .text =
        "For entrants at home, and for organisers with what they receive: needs no hardware. Says "
        "of each rule whether it holds, with what was expected, what came, and the command that "
        "repeats just this check.\n\n"
        "The program runs in a sandbox: it sees what is installed in /usr, /etc and /opt, may "
        "write in a copy of its folder and in an empty home, knows no variable of yours but PATH, "
        "HOME and the language, has no network but one that ends here, where all that it tries is "
        "noted, and is ended with all that it has started. ^C tells what is known so far, and a "
        "second one ends it at once. Nothing that it writes stays. A check that fails is run again "
        "with a fresh program, and fails only if it does so "
        "twice.\n\n"
        "What counts for --memory is what its processes have, shared memory, and the files that it "
        "writes, for they are in memory there; not files that it only reads. Where the validator "
        "may make a control group (as root, or where systemd lets users) the kernel counts, and "
        "stops what takes more than about twice as much at once; elsewhere what /proc shows "
        "counts.\n\n"
        "A lump is --lump keys within --lump-ms: an answer that comes in lumps is taken as written "
        "line by line, not character by character.\n\n"
        "Exits with 0 if the ruleset would accept the program, with 65 if not, with 1 if nothing "
        "is "
        "wrong but not all was looked at that it would be refused for (--only; no --lpp where the "
        "rules demand LPP), with 69 where namespaces are not allowed.",
    .examples = "boothlink validate entry --program ./my-entry --ruleset loebner-2004\n"
                "boothlink validate list --ruleset loebner-2004",
    .verbs = (const struct command *const[]){validate_verbs, NULL},
};
