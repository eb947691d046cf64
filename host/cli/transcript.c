/* "boothlink transcript": the conversations in journals and in transcripts of every year. */
#include "command/command.h"
#include "cli/contest.h"
#include "cli/transcript_tell.h"

#include "desk/collected.h"
#include "desk/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <unistd.h>

#define CYCLES 100 /* LP95-00.TXT to LP95-99.TXT, 1996 rules, spec 2b */

struct ask {
    struct transcript_request request;
    const char *output;
    enum format to;
    struct option_list header;
    const char *ruleset;
    bool json, svg;
    /* Fields of the session for the file; NULL: unchanged. */
    const char *field[FIELDS];
    enum history_who left;
    enum history_eol eol;
    unsigned encoding; /* 0: unchanged; else enum history_encoding plus 1 */
};

static void on_write(void *ctx, const char *bytes, size_t length)
{
    fwrite_unlocked(bytes, 1, length, ctx); /* one thread and many small pieces: no locks */
}

/* Writes a journal directly to our own formats, which keep segments; with fields of the command
 * line (`said`), or to another format, through a history. */
static enum bl_status write_to(FILE *file, const struct transcript_source *source,
                               enum format format, bool said)
{
    const struct out out = {.write = on_write, .ctx = file};
    const struct transcript *t = &source->journal.transcript;
    const bool journal = source->is_journal && !said;
    if (journal && format == FORMAT_TEXT)
        return transcript_text(t, &out);
    if (journal && format == FORMAT_ASCIICAST)
        return transcript_recording(t, &out);
    if (journal && format == FORMAT_KEYS) {
        transcript_keys(t, &out);
        return BL_OK;
    }
    return format_write(format, &source->history, &out);
}

/* Makes the next free LP95-nn.TXT of a folder, from 01. Other processes may do so at the same
 * time. */
static FILE *open_cycle(const char *folder, char path[PATH_MAX], struct bl_diag *diag)
{
    for (unsigned i = 0; i < CYCLES; i++) {
        int fd;
        snprintf(path, PATH_MAX, "%s/LP95-%02u.TXT", folder, (i + 1) % CYCLES);
        fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0)
            return fdopen(fd, "w");
        if (errno != EEXIST) {
            bl_fail(diag, errno == EACCES ? BL_NOPERM : BL_IO, "%s: %s", path, strerror(errno));
            return NULL;
        }
    }
    bl_fail(diag, BL_FULL, "%s: LP95-00.TXT to LP95-99.TXT are all there; give another folder",
            folder);
    return NULL;
}

static bool is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static bool says_who(const struct ask *ask)
{
    bool said = ask->left != WHO_UNKNOWN;
    for (enum history_field field = 0; field < FIELDS; field++)
        said = said || ask->field[field];
    return said;
}

/* Writes to the requested place; path is its name. */
static enum bl_status write_out(const struct ask *ask, const struct transcript_source *source,
                                char path[PATH_MAX], struct bl_diag *diag)
{
    bool cycle = ask->output && is_folder(ask->output);
    enum bl_status status;
    FILE *file = stdout;
    bool failed;
    snprintf(path, PATH_MAX, "%s", ask->output ? ask->output : "standard output");
    if (cycle && ask->to > FORMAT_2004 && ask->to < FORMAT_2003)
        return bl_fail(diag, BL_USAGE, "%s is a folder, and only 1996, 2002 to 2004 name files",
                       path);
    diag->text[0] = '\0';
    if (cycle)
        file = open_cycle(ask->output, path, diag);
    else if (ask->output)
        file = fopen(ask->output, "we");
    if (!file && diag->text[0])
        return BL_IO;
    if (!file)
        return bl_fail(diag, errno == EACCES ? BL_NOPERM : BL_IO, "%s: %s", path, strerror(errno));
    status = write_to(file, source, ask->to, says_who(ask));
    failed = fflush(file) || ferror(file);
    if (file != stdout)
        failed = fclose(file) || failed;
    if (status == BL_OK && failed)
        return bl_fail(diag, BL_IO, "%s: writing fails: %s", path, strerror(errno));
    if (status != BL_OK)
        return bl_fail(diag, status, "%s", bl_status_text(status));
    if (cycle)
        command_print("%s\n", path);
    return BL_OK;
}

/* Adds the command line's fields to the session. */
static enum bl_status add_fields(struct history *history, const struct ask *ask,
                                 struct bl_diag *diag)
{
    if (history->parts == 0 && history_add_part(history, NULL) != BL_OK)
        return bl_fail(diag, BL_NOMEM, "%s", bl_status_text(BL_NOMEM));
    for (enum history_field field = 0; field < FIELDS; field++) {
        const char *value = ask->field[field];
        if (!value)
            continue;
        if (!history_field_good(field, value, strlen(value)))
            return bl_fail(diag, BL_USAGE, "--%s \"%s\": it is %s", history_field_name(field),
                           value,
                           field < FIELD_FIRST_WORD ? "one line of up to 200 bytes"
                                                    : "one word of up to 40 bytes");
        history_set_all(history, field, value);
    }
    for (size_t i = 0; ask->left != WHO_UNKNOWN && i < history->parts; i++)
        history->part[i].left = (uint8_t)ask->left;
    if (ask->eol != EOL_UNKNOWN)
        history->eol = ask->eol;
    if (ask->encoding)
        history->encoding = (enum history_encoding)(ask->encoding - 1);
    return BL_OK;
}

static void say_losses(const struct command *command, enum format format,
                       const struct history *history)
{
    uint32_t losses = format_losses(format, history) & ~(1u << LOSS_EVERYTHING);
    const char *between = "";
    if (!losses)
        return;
    fprintf(stderr, "boothlink %s: the format %s cannot hold: ", command->name,
            format_row(format)->name);
    for (enum loss loss = 0; loss < LOSSES; loss++) {
        if (losses & 1u << loss) {
            const uint64_t keys = format_lost_keys(loss, history);
            fprintf(stderr, "%s%s", between, loss_text(loss));
            if (keys)
                fprintf(stderr, " (%" PRIu64 " key%s)", keys, keys == 1 ? "" : "s");
            between = "; ";
        }
    }
    fputc('\n', stderr);
}

/* Reports a damaged file, with the counts of its faults. True: it is damaged. */
static bool say_damage(const struct command *command, const struct transcript_source *source,
                       const char *file)
{
    const struct history *history = &source->history;
    const char *between = ": ";
    if (source->is_journal ? !source->journal.transcript.damaged : !history->damaged)
        return false;
    fprintf(stderr, "boothlink %s: %s is damaged", command->name, file);
    for (enum history_fault_kind kind = 0; !source->is_journal && kind < FAULT_FIRST_ODD; kind++) {
        size_t count = 0;
        for (size_t i = 0; i < history->faults; i++)
            count += history->fault[i].kind == kind;
        if (count == 0)
            continue;
        fprintf(stderr, "%s%zu %s", between, count, history_fault_name(kind));
        between = ", ";
    }
    fprintf(stderr, "; see \"boothlink %s check\"\n",
            source->is_journal ? "journal" : "transcript");
    return true;
}

static bool has_field(const struct history *history)
{
    for (size_t i = 0; i < history->parts; i++)
        for (enum history_field field = 0; field < FIELDS; field++)
            if (history_field_of(history, i, field)[0])
                return true;
    return false;
}

/* Refuses a file without keys and header, which may be misread. */
static enum bl_status check_read(const struct command *command,
                                 const struct transcript_source *source, const char *file,
                                 struct bl_diag *diag)
{
    const struct history *history = &source->history;
    if (source->is_journal || history->keys)
        return BL_OK;
    if (has_field(history)) {
        fprintf(stderr, "boothlink %s: %s has no key\n", command->name, file);
        return BL_OK;
    }
    return bl_fail(
        diag, BL_DATA,
        "%s: no key and no header in it, read as %s (%" PRIu64 " damaged, %" PRIu64
        " odd line%s): see \"boothlink transcript check\", or name its format with --from",
        file, transcript_source_format(source), history->damaged, history->odd, BL_S(history->odd));
}

static enum bl_status convert(const struct command *command, const struct ask *ask,
                              struct transcript_source *source, bool *damaged, struct bl_diag *diag)
{
    char path[PATH_MAX];
    enum bl_status status = check_read(command, source, ask->request.file, diag);
    if (status == BL_OK)
        status = add_fields(&source->history, ask, diag);
    if (status == BL_OK && ask->request.headers && (!source->is_journal || says_who(ask)))
        status =
            bl_fail(diag, BL_USAGE, "--header is for journals as they are; here it is --title");
    if (status == BL_OK)
        status = write_out(ask, source, path, diag);
    if (status != BL_OK)
        return status;
    say_losses(command, ask->to, &source->history);
    *damaged = say_damage(command, source, ask->request.file) || *damaged;
    return BL_OK;
}

/* Takes the file's first line from the command line, or the ruleset (1996 rules, spec 2d). */
static enum bl_status take_ruleset(struct ask *ask, struct ruleset *ruleset, struct bl_diag *diag)
{
    enum bl_status status;
    if (ask->to != FORMAT_1996 && ask->to != FORMAT_2002)
        return bl_fail(diag, BL_USAGE,
                       "--ruleset says the first line of 1996 and 2002: expected --to 1996 or "
                       "--to 2002 with it");
    status = contest_load_ruleset(ruleset, ask->ruleset, diag);
    if (status == BL_OK && !ask->field[FIELD_NOTICE] && ruleset->header[0][0])
        ask->field[FIELD_NOTICE] = ruleset->header[0];
    return status;
}

/* Converts a file. *damaged: a part of the file was lost. */
static enum bl_status convert_file(const struct command *command, const struct ask *ask,
                                   bool *damaged, struct bl_diag *diag)
{
    struct transcript_source source = {.is_journal = false};
    enum bl_status status = transcript_source_open(&source, &ask->request, diag);
    if (status == BL_OK)
        status = convert(command, ask, &source, damaged, diag);
    transcript_source_close(&source);
    return status;
}

struct converting {
    const struct command *command;
    const struct ask *ask;
    unsigned count;
    bool damaged;
};

/* Converts a judge's journal of the folder; of several of a session, the longest. */
static enum bl_status convert_judge(void *ctx, const char *path, const char *name,
                                    struct bl_diag *diag)
{
    static const char ending[] = "-judge.journal";
    struct converting *all = ctx;
    struct ask ask = *all->ask;
    char out[FOLDER_PATH_MAX], best[FOLDER_PATH_MAX];
    size_t length = strlen(name), behind = sizeof ending - 1;
    if (length <= behind || strcmp(name + length - behind, ending) != 0)
        return BL_OK;
    if (collected_path(all->ask->request.file, name, best, NULL) == BL_OK &&
        strcmp(best, path) != 0)
        return BL_OK;
    enum bl_status status =
        folder_path(out, diag, "%s/%.*s.%s", ask.output, (int)(length - behind), name,
                    ask.to == FORMAT_KEYS        ? "keys"
                    : ask.to == FORMAT_ASCIICAST ? "cast"
                    : ask.to == FORMAT_HTML      ? "html"
                                                 : "txt");
    ask.request.file = path;
    ask.output = out;
    if (status == BL_OK)
        status = convert_file(all->command, &ask, &all->damaged, diag);
    all->count += status == BL_OK;
    return status;
}

/* Converts all sessions of a folder made by `contest collect`. */
static enum bl_status convert_folder(const struct command *command, const struct ask *ask,
                                     bool *damaged, struct bl_diag *diag)
{
    struct converting all = {.command = command, .ask = ask};
    enum bl_status status = BL_OK;
    if (ask->to != FORMAT_TEXT && ask->to != FORMAT_HTML && ask->to != FORMAT_KEYS &&
        ask->to != FORMAT_ASCIICAST)
        return bl_fail(diag, BL_USAGE,
                       "%s is a folder: expected --to text, html, keys or asciicast",
                       ask->request.file);
    if (!ask->output || ask->request.entity_journal)
        return bl_fail(diag, BL_USAGE, "%s is a folder: expected --output DIR%s", ask->request.file,
                       ask->output ? ", without --entity-journal" : "");
    status = folder_make(ask->output, diag);
    if (status == BL_OK)
        status = folder_walk(ask->request.file, convert_judge, NULL, &all, diag);
    if (status == BL_OK && !all.count)
        status = bl_fail(diag, BL_NOINPUT, "%s: missing a file NAME-judge.journal in it",
                         ask->request.file);
    /* Dates the folder anew, since writing its files again does not. */
    if (status == BL_OK)
        utimensat(AT_FDCWD, ask->output, NULL, 0);
    if (status == BL_OK)
        printf("%u transcript%s in %s\n", all.count, BL_S(all.count), ask->output);
    *damaged = all.damaged;
    return status;
}

static enum bl_status convert_run(const struct command_call *call, struct bl_diag *diag)
{
    struct ask *ask = call->options;
    ask->request.file = call->word[0];
    memcpy(ask->request.header, ask->header.value, sizeof ask->header.value);
    ask->request.headers = ask->header.count;
    static struct ruleset ruleset;
    enum bl_status status = ask->ruleset ? take_ruleset(ask, &ruleset, diag) : BL_OK;
    if (status != BL_OK)
        return status;
    bool damaged = false;
    status = is_folder(ask->request.file) ? convert_folder(call->command, ask, &damaged, diag)
                                          : convert_file(call->command, ask, &damaged, diag);
    if (damaged)
        *call->code = EX_DATAERR;
    return status;
}

static enum bl_status stats_run(const struct command_call *call, struct bl_diag *diag)
{
    struct ask *ask = call->options;
    struct transcript_source source = {.is_journal = false};
    ask->request.file = call->word[0];
    if (ask->svg && ask->json)
        return bl_fail(diag, BL_USAGE, "--svg with --json: expected one of them");
    enum bl_status status = transcript_source_open(&source, &ask->request, diag);
    if (status == BL_OK && ask->svg)
        transcript_stats_draw(&source, call->word[0]);
    else if (status == BL_OK)
        status = transcript_stats_print(&source, call->word[0], ask->json, diag);
    transcript_source_close(&source);
    return status;
}

static enum bl_status check_run(const struct command_call *call, struct bl_diag *diag)
{
    struct ask *ask = call->options;
    struct transcript_source source = {.is_journal = false};
    ask->request.file = call->word[0];
    enum bl_status status = transcript_source_open(&source, &ask->request, diag);
    if (status == BL_OK)
        *call->code = transcript_check_print(&source, call->word[0], ask->json);
    transcript_source_close(&source);
    return status;
}

static enum bl_status formats_run(const struct command_call *call, struct bl_diag *diag)
{
    (void)diag;
    transcript_formats_print(((const struct ask *)call->options)->json);
    return BL_OK;
}

static void start_ask(void *at)
{
    struct ask *ask = at;
    ask->to = FORMAT_TEXT;
}

static enum bl_status take_to(void *at, const char *value, struct bl_diag *diag)
{
    struct ask *ask = at;
    return format_find(value, &ask->to)
               ? BL_OK
               : bl_fail(diag, BL_USAGE,
                         "--to %.40s: expected one of the formats that \"boothlink transcript "
                         "formats\" lists",
                         value);
}

/* Options common to all verbs that read a file. */
#define READ_ROWS                                                                                  \
    OPTION_TAKEN("--from", "auto|journal|1996|2002|2004|2007|2009|2012|2013|2016|keys|asciicast",  \
                 "the format of the file, found out if not given", transcript_take_from),          \
        OPTION_TAKEN("--side", "left|right", "only this side", transcript_take_side),              \
        OPTION_ROW("--entity-journal", "FILE",                                                     \
                   "the entity's own journal, for when its keys were pressed", OPTION_TEXT,        \
                   struct ask, request.entity_journal)

#define FIELD_ROW(name, value, help, which)                                                        \
    OPTION_ROW(name, value, help, OPTION_TEXT, struct ask, field[which])

/* Fields of the session for the file, and the form of writing. */
#define WRITE_ROWS                                                                                 \
    OPTION_ROW("--output", "FILE", "write to this file; in a folder, the next free LP95-nn.TXT",   \
               OPTION_TEXT, struct ask, output),                                                   \
        FIELD_ROW("--title", "LINE", "the contest, for formats with a line for it", FIELD_TITLE),  \
        FIELD_ROW("--notice", "LINE", "whose it is: the first line of 1996 and 2002",              \
                  FIELD_NOTICE),                                                                   \
        FIELD_ROW("--judge", "NUMBER", "the judge's number, for what the file does not say",       \
                  FIELD_JUDGE),                                                                    \
        FIELD_ROW("--round", "NUMBER", "the round's number", FIELD_ROUND),                         \
        FIELD_ROW("--program", "NAME", "the program's name", FIELD_PROGRAM),                       \
        FIELD_ROW("--contestant", "NAME", "its author's name", FIELD_CONTESTANT),                  \
        FIELD_ROW("--human", "NUMBER", "the confederate's number", FIELD_HUMAN),                   \
        OPTION_RANGE("--left", "human|program", "who sat on the left", OPTION_CHOICE, struct ask,  \
                     left, WHO_HUMAN, 0),                                                          \
        OPTION_RANGE("--eol", "lf|crlf|cr",                                                        \
                     "line ends (default: as they were; crlf for those of a journal)",             \
                     OPTION_CHOICE, struct ask, eol, EOL_LF, 0),                                   \
        OPTION_RANGE("--encoding", "utf-8|cp1252",                                                 \
                     "characters, cp1252 being those of Windows (default: as they were)",          \
                     OPTION_CHOICE, struct ask, encoding, ENCODING_UTF8 + 1, 0),                   \
        OPTION_RANGE("--header", "LINE",                                                           \
                     "a line to stand at the top of a journal's text; may be given again",         \
                     OPTION_LIST, struct ask, header, 0, TRANSCRIPT_HEADERS)

static const struct command_option convert_options[] = {
    OPTION_TAKEN("--to", "text|html|keys|asciicast|1996|2002|2004|2007|2009|2012|2013|2016",
                 "the format, text if not given", take_to),
    READ_ROWS,
    WRITE_ROWS,
    OPTION_ROW("--ruleset", "NAME|FILE.ini",
               "take the first line of 1996 and 2002 from header-1 of this ruleset", OPTION_TEXT,
               struct ask, ruleset),
    {0},
};

static const struct command_option show_options[] = {READ_ROWS, WRITE_ROWS, {0}};

static const struct command_option tell_options[] = {
    READ_ROWS,
    OPTION_JSON(struct ask, "print one JSON object"),
    {0},
};

static const struct command_option stats_options[] = {
    READ_ROWS,
    OPTION_JSON(struct ask, "print one JSON object"),
    OPTION_ROW("--svg", NULL, "print a picture of it instead, as SVG", OPTION_FLAG, struct ask,
               svg),
    {0},
};

static const struct command_option formats_options[] = {
    OPTION_JSON(struct ask, "print a JSON array"),
    {0},
};

static const struct command transcript_verbs[] = {
    {
        .name = "transcript convert",
        .synopsis = "FILE [--to FORMAT] [--output FILE] [OPTION]... | DIR --output DIR",
        .help = "write it in another format",
        .text =
            "Says on standard error what that format cannot hold. Where the file is damaged the "
            "rest is written, and the exit code is 65, as it is where nothing was read.\n\n"
            "\"text\" is the readable conversation, a line a turn. \"keys\" has every key on a "
            "line of its own: its number, side, party, when it was posted, when it was pressed (if "
            "that is known) and its name; lines that start with # are comments. \"asciicast\" is "
            "a recording of the pages that asciinema and other players replay with true timing. "
            "\"html\" is one page for publication that plays the conversation in any browser with "
            "its true pauses, needs no other file and runs nothing that was typed. "
            "All times are UTC. When an entity's keys were pressed stands in its own end's journal "
            "alone, by that end's clock.\n\n"
            "Of a folder, as `contest collect` fills it, each judge's journal is written: "
            "r1-j2-judge.journal as r1-j2.txt, .html, .keys or .cast.",
        .examples =
            "boothlink transcript convert contest.db.records --output transcripts\n"
            "boothlink transcript convert r1-j2-judge.journal --header 'This transcript is in "
            "the public domain'\n"
            "boothlink transcript convert r1-j2-judge.journal --to asciicast --output r1-j2.cast\n"
            "boothlink transcript convert r1-j2-judge.journal --to 2012 --judge 2 --program ELIZA "
            "--round 1 --left human\n"
            "boothlink transcript convert r1-j2-judge.journal --to 1996 --ruleset prize-1996.ini "
            "--output .",
        .options = convert_options,
        .size = sizeof(struct ask),
        .start = start_ask,
        .least = 1,
        .most = 1,
        .run = convert_run,
    },
    {
        .name = "transcript show",
        .synopsis = "FILE [OPTION]...",
        .help = "print the conversation",
        .text = "The same as \"transcript convert\" to text.",
        .options = show_options,
        .size = sizeof(struct ask),
        .start = start_ask,
        .least = 1,
        .most = 1,
        .run = convert_run,
    },
    {
        .name = "transcript stats",
        .synopsis = "FILE [--json | --svg]",
        .help = "say how each party typed",
        .text = "Keys, words, the median of the gaps within lines (pauses over 2 s apart) and "
                "their coefficient of variation, and which share of the keys are BackSpaces.\n\n"
                "--svg draws each party's typing over time: each key as high as the gap before it "
                "was long, BackSpaces as crosses, Returns and pauses as lines, and beside it how "
                "many gaps of each length there were.",
        .examples = "boothlink transcript stats r1-j2-judge.journal --svg > r1-j2.svg",
        .options = stats_options,
        .size = sizeof(struct ask),
        .least = 1,
        .most = 1,
        .run = stats_run,
    },
    {
        .name = "transcript check",
        .synopsis = "FILE [--json]",
        .help = "name what is wrong with a file",
        .text = "With its line: whatever is cut, blank, out of order, without header or not "
                "readable. Exits with 0 if nothing is wrong, with 1 if everything is there and "
                "something is odd, with 65 if a key or more is not there, and with 66 if the file "
                "cannot be opened.",
        .options = tell_options,
        .size = sizeof(struct ask),
        .least = 1,
        .most = 1,
        .run = check_run,
    },
    {
        .name = "transcript formats",
        .synopsis = "[--json]",
        .help = "list the formats and what each cannot hold",
        .text = "They are described in boothlink-transcript(5).",
        .options = formats_options,
        .size = sizeof(struct ask),
        .run = formats_run,
    },
    {0},
};

const struct command command_transcript = {
    .name = "transcript",
    .synopsis = "convert|show|stats|check|formats [FILE] [OPTION]...",
    .help = "read, convert and examine transcripts of every year",
    .text =
        "FILE is a journal, or a transcript in a format of 1996 to 2016 or of our own, which is "
        "found out from its contents. The formats are in boothlink-transcript(5). Everything that "
        "can be read of a damaged file is kept.",
    .examples =
        "boothlink transcript show r1-j2-judge.journal\n"
        "boothlink transcript convert r1-j2-judge.journal --to asciicast --output r1-j2.cast\n"
        "boothlink transcript check logfile.eliza.log",
    .verbs = (const struct command *const[]){transcript_verbs, NULL},
};
