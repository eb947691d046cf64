/* boothlink contest import and collect: the ballot files of judges' terminals. The draw turns sides
 * into entities; the session's name gives round and judge. */
#include "booth/balloting.h"
#include "booth/machine_key.h"
#include "cli/contest.h"
#include "contest/next.h"
#include "desk/collect.h"
#include "desk/folder.h"
#include "desk/kept.h"
#include "desk/start.h"
#include "link/secret_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

void contest_say_missing(void *ctx, const char *line)
{
    (void)ctx;
    command_print("missing: %s\n", line);
}

/* The contest's file as a word of a shell, until the next call. */
static const char *word_of(const struct command_call *call)
{
    static char word[CONTEST_WORD_MAX];
    contest_next_word(word, call->word[0]);
    return word;
}

/* Imports one file. A fault of the file is the command's error. */
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

static enum bl_status tell_refused(const struct collect *collect, struct bl_diag *diag)
{
    return bl_fail(diag, BL_DATA, "%u file%s refused%s", collect->refused,
                   collect->refused == 1 ? " was" : "s were",
                   collect->ballots || collect->files > collect->refused ? ", the others are taken"
                                                                         : "");
}

static enum bl_status contest_import(const struct command_call *call, struct bl_diag *diag)
{
    const struct contest_vote_options *options = call->options;
    struct contest_file file = {.store = NULL};
    enum bl_status status = contest_file_open(&file, call, diag);
    struct collect collect = {.contest = file.contest,
                              .file = word_of(call),
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
        status = tell_refused(&collect, diag);
    if (status == BL_OK)
        contest_next(file.contest, call->word[0]);
    contest_file_close(&file);
    return status;
}

#define LATER_MAX 16

/* The context of the callbacks of a collection. append() needs the file as the first member. */
struct collecting {
    struct contest_file file;
    struct {
        uint8_t key[BALLOT_KEY];
        char place[CONTEST_MACHINE_PLACE], words[KEY_WORDS_TEXT];
    } later[LATER_MAX]; /* machines with untyped words */
    unsigned laters;
};

/* Asks for a key's words until they are typed right. False: they will be typed later. */
static bool ask_words(const char *place, const char *words)
{
    char line[256], typed[KEY_WORDS_TEXT];
    uint8_t fingerprint[SECRET_SEED];
    struct bl_diag why;
    printf("%s has signed ballots and is not confirmed. Type the eight words that its own board "
           "says behind \"Signs ballots as\"; Enter alone: later.\n",
           place);
    for (;;) {
        printf("%s: ", place);
        fflush(stdout);
        if (!fgets(line, sizeof line, stdin) || line[strspn(line, " \t\r\n")] == '\0')
            return false;
        if (secret_words_parse(line, "the machine's board", fingerprint, &why) != BL_OK) {
            command_print("%s\n", why.text);
            continue;
        }
        secret_words_format(fingerprint, typed);
        if (strcmp(typed, words) == 0)
            return true;
        printf("The ballots on the stick are signed as '%s'. Where the board says otherwise, its "
               "stick was in other hands: nothing of it is taken.\n",
               words);
    }
}

/* Confirms a machine by words typed at a terminal. Without a terminal notes the machine for
 * say_machines(). */
static enum bl_status confirm(void *ctx, const uint8_t key[BALLOT_KEY], const char *path,
                              struct bl_diag *diag)
{
    struct collecting *collecting = ctx;
    char place[CONTEST_MACHINE_PLACE], words[KEY_WORDS_TEXT];
    char hex[2 * BALLOT_FINGERPRINT + 1];
    uint8_t fingerprint[BALLOT_FINGERPRINT];
    for (unsigned i = 0; i < collecting->laters; i++)
        if (memcmp(collecting->later[i].key, key, BALLOT_KEY) == 0)
            return BL_OK;
    if (collecting->laters == LATER_MAX)
        return BL_OK;
    collect_place(place, path);
    machine_key_words(key, words);
    if (!isatty(STDIN_FILENO) || !ask_words(place, words)) {
        memcpy(collecting->later[collecting->laters].key, key, BALLOT_KEY);
        strcpy(collecting->later[collecting->laters].place, place);
        strcpy(collecting->later[collecting->laters++].words, words);
        return BL_OK;
    }
    ballot_fingerprint(key, fingerprint);
    contest_hex(fingerprint, sizeof fingerprint, hex);
    const struct act_body act = {.kind = ACT_MACHINE,
                                 .machine = {.place = place, .fingerprint = hex}};
    enum bl_status status = contest_file_append(&collecting->file, &act, diag);
    if (status == BL_OK)
        printf("%s is confirmed: what it has signed is taken\n", place);
    return status;
}

/* Names the next steps: confirm the machines, then collect the same records again. */
static void say_machines(const struct collecting *collecting, const struct command_call *call,
                         const char *inbox)
{
    for (unsigned i = 0; i < collecting->laters; i++) {
        const char *place = collecting->later[i].place;
        command_print(
            "Next: boothlink contest machine %s %s '%s'  # if its board has these words\n",
            word_of(call), strchr(place, ' ') ? "PLACE" : place, collecting->later[i].words);
    }
    command_print("Next: boothlink contest collect %s", word_of(call));
    for (unsigned i = 1; i == 1 || i < call->words; i++)
        command_print(" %s", contest_next_from(i < call->words ? call->word[i] : inbox));
    command_print("  # once more\n");
}

/* Writes the ranks' tickets, once nothing else is missing. */
static enum bl_status write_ranks(struct contest_file *file, const struct command_call *call,
                                  const struct kept *kept, struct bl_diag *diag)
{
    enum bl_status status =
        contest_write_sticks(file, call->word[0], kept->venue, kept->sticks, true, 0, diag);
    if (status == BL_OK)
        command_print(
            "The ranks' tickets are for the judges' stick: copy it. Each judge ranks at "
            "any booth.\nNext: boothlink contest collect %s %s  # when the judges have ranked\n",
            word_of(call), contest_next_from(kept->inbox));
    return status;
}

static enum bl_status contest_collect(const struct command_call *call, struct bl_diag *diag)
{
    const struct contest_collect_options *options = call->options;
    struct collecting collecting = {.laters = 0};
    struct contest_file *file = &collecting.file;
    struct kept kept;
    char records[FOLDER_PATH_MAX];
    unsigned missing = 0, ranks = 0, surveys = 0;
    enum bl_status status =
        !options->venue == !options->out
            ? contest_file_open(file, call, diag)
            : bl_fail(diag, BL_USAGE, "missing --%s: it goes with --%s",
                      options->out ? "venue FILE" : "out DIR", options->out ? "out" : "venue");
    kept_read(&kept, call->word[0]);
    if (status == BL_OK && options->venue)
        status = folder_path(kept.venue, diag, "%s", options->venue);
    if (status == BL_OK && options->out)
        status = folder_path(kept.sticks, diag, "%s", options->out);
    if (status == BL_OK)
        status = folder_path(records, diag, "%s.records", call->word[0]);
    struct collect collect = {.contest = file->contest,
                              .file = word_of(call),
                              .records = records,
                              .correct = options->vote.correct,
                              .begin = true,
                              .append = append,
                              .confirm = confirm,
                              .tell = tell,
                              .ctx = &collecting};
    for (unsigned i = 1; status == BL_OK && i < call->words; i++)
        status = collect_folder(&collect, call->word[i], diag);
    if (status == BL_OK) {
        command_print("%u record%s, %u of them new or longer; %u ballot%s or ranking%s recorded\n",
                      collect.files, BL_S(collect.files), collect.taken, collect.ballots,
                      BL_S(collect.ballots), BL_S(collect.ballots));
        missing =
            collect_missing(file->contest, records, contest_say_missing, NULL, &ranks, &surveys);
    }
    if (status == BL_OK && !file->contest->signatures && collect.files)
        printf("note: this contest takes ballots that no machine has signed\n");
    if (status == BL_OK && !missing && file->contest->begun)
        printf("nothing is missing of the rounds that have begun\n");
    else if (status == BL_OK && !missing)
        command_print("no round has begun: the first ballot that is taken begins it, or contest "
                      "begin %s 1\n",
                      collect.file);
    bool asked = kept.venue[0] && kept.sticks[0] && !file->contest->sealed && ranks;
    if (status == BL_OK && asked)
        status = write_ranks(file, call, &kept, diag);
    else if (status == BL_OK && collecting.laters)
        say_machines(&collecting, call, kept.inbox);
    else if (status == BL_OK)
        contest_next(file->contest, call->word[0]);
    if (status == BL_OK && collect.refused)
        status = tell_refused(&collect, diag);
    contest_file_close(file);
    return status;
}

static enum bl_status contest_settle(const struct command_call *call, struct bl_diag *diag)
{
    const struct contest_options *options = call->options;
    struct contest_file file = {.store = NULL};
    char records[FOLDER_PATH_MAX];
    bool recorded = false;
    enum bl_status status = options->why
                                ? contest_file_open(&file, call, diag)
                                : bl_fail(diag, BL_USAGE, "missing --why TEXT, for the record");
    if (status == BL_OK)
        status = folder_path(records, diag, "%s.records", call->word[0]);
    struct collect collect = {.contest = file.contest,
                              .file = word_of(call),
                              .records = records,
                              .correct = true,
                              .append = append,
                              .tell = tell,
                              .ctx = &file};
    if (status == BL_OK)
        status =
            collect_settle(&collect, call->word[1], call->word[2], options->why, &recorded, diag);
    if (status == BL_OK)
        command_print("%s: file %s of %u counts%s\n", call->word[1], call->word[2],
                      contest_settled(file.contest, call->word[1]),
                      recorded ? ", recorded" : ", as before");
    if (status == BL_OK)
        contest_next(file.contest, call->word[0]);
    contest_file_close(&file);
    return status;
}

/* Reads the machine's words, in one argument or in eight. */
static enum bl_status make_machine(const struct contest_making *m)
{
    static char hex[2 * BALLOT_FINGERPRINT + 1];
    char text[256] = "";
    uint8_t fingerprint[SECRET_SEED];
    size_t length = 0;
    _Static_assert(SECRET_SEED == BALLOT_FINGERPRINT, "the words say a fingerprint");
    if (m->act->machine.withdrawn)
        return m->act->machine.why && m->call->words == 2
                   ? BL_OK
                   : bl_fail(m->diag, BL_USAGE, "expected FILE PLACE --withdraw --why TEXT");
    for (unsigned i = 2; i < m->call->words && length < sizeof text; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s ", m->call->word[i]);
    enum bl_status status = desk_start_place(m->call->word[0], m->call->word[1], m->diag);
    if (status == BL_OK)
        status = secret_words_parse(text, "the machine's board", fingerprint, m->diag);
    contest_hex(fingerprint, sizeof fingerprint, hex);
    m->act->machine.fingerprint = hex;
    return status;
}

static bool tell_machine(const struct contest_making *m)
{
    command_print(
        m->act->machine.withdrawn
            ? "%s is withdrawn: what it has signed is taken no more. What was taken stays: "
              "contest repeat where it is doubtful\n"
            : "%s is confirmed: what it has signed is taken\n",
        m->call->word[1]);
    if (contest_machines_at(m->contest, m->call->word[1]) > 1)
        printf(
            "note: another machine of that place is confirmed too; --withdraw is for all of it\n");
    return false;
}

static const struct command_option machine_options[] = {
    CONTEST_MEMBER("--withdraw", NULL, "nothing more is taken that PLACE has signed", OPTION_FLAG,
                   machine.withdrawn),
    CONTEST_WHY,
    CONTEST_AUTHOR,
    {0},
};

static const struct command_option import_options[] = {
    CONTEST_CORRECT,
    CONTEST_AUTHOR,
    {0},
};

static const struct command_option collect_options[] = {
    CONTEST_CORRECT,
    OPTION_ROW("--venue", "FILE",
               "the venue's machines, for the ranks' tickets (default: those of `contest setup`)",
               OPTION_TEXT, struct contest_collect_options, venue),
    OPTION_ROW("--out", "DIR",
               "where these are written (default: where `contest setup` wrote the sticks)",
               OPTION_TEXT, struct contest_collect_options, out),
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
        .help = "take records out of folders, and say what is missing",
        .text =
            "Journals and ballot files, wherever in the folders they are, are copied to "
            "FILE.records and never overwritten there; ballots and ranks are recorded. Known "
            "files and older or shorter copies change nothing. Nor does another ballot of the "
            "same session: it is told, and `contest settle` says which one counts. A ballot "
            "shows that its round has begun. At a terminal each judge's machine's words are asked "
            "once (`contest machine`). All that is missing is named, and the ranks' tickets are "
            "written once ranks or surveys alone are missing.",
        .examples = "boothlink contest collect contest.db /media/$USER/BOOTHLINK*",
        .options = collect_options,
        .size = sizeof(struct contest_collect_options),
        .least = 2,
        .most = COMMAND_WORDS_ANY,
        .run = contest_collect,
    },
    {
        .name = "contest machine",
        .synopsis = "FILE PLACE [WORDS]",
        .help = "confirm the key by which a judge's machine signs ballots",
        .text =
            "Each judge's machine has a key of its own, made at its first start. Its board shows "
            "the key's eight words (Signs ballots as: ...), and `contest collect` the words of a "
            "key that is not confirmed. Once both are the same, confirm them: only then are "
            "ballots taken that the machine has signed, and none that nobody has. PLACE is for "
            "the record, as booth-1-judge. A machine that others had in their hands is withdrawn.",
        .examples = "boothlink contest machine c.db booth-1-judge 'the eight words of its board'\n"
                    "boothlink contest machine c.db booth-1-judge --withdraw --why 'it was stolen'",
        .options = machine_options,
        .least = 2,
        .most = 2 + KEY_WORDS,
        CONTEST_ACT(.kind = ACT_MACHINE, .words = {"place"}, .make = make_machine,
                    .tell = tell_machine),
    },
    {
        .name = "contest settle",
        .synopsis = "FILE r1-j2 N --why TEXT",
        .help = "say which of a session's ballot files counts",
        .text =
            "Where another ballot file of a session comes than the one that counts, `contest "
            "collect` keeps it as FILE.records/N/SESSION-judge.ballot, tells of it and changes "
            "nothing: a spare machine's, an older one, or not the judge's. Look at both, ask the "
            "judge, and name the one that counts. Ranks are named as ranks-j1.",
        .examples = "boothlink contest settle c.db r1-j2 2 --why 'the spare machine has his last'",
        .options = contest_reason,
        .size = sizeof(struct contest_options),
        .least = 3,
        .most = 3,
        .run = contest_settle,
    },
    {0},
};
