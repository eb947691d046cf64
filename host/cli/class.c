/* boothlink class: one Turing test in a lesson, on one laptop, without other users. The class is
 * the judge; a hidden human and a language model answer over two simulated cables. The vote comes
 * before the reveal. */
#include "base/file.h"
#include "booth/booth.h"
#include "cli/contest.h"
#include "command/command.h"
#include "entity/chat_entry.h"
#include "entity/relay.h"
#include "rules/ballot_file.h"
#include "sim/demo.h"

#include <errno.h>
#include <limits.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PACE      "message 60+-20" /* of both entities: a message goes once it is complete */
#define LESSON_S  86400u
#define ADDRESS_S 60u

/* A path below the records' folder. */
#define RECORD(path, lesson, format, ...)                                                          \
    snprintf(path, PATH_MAX, "%s/" format, (lesson)->dir, __VA_ARGS__)

struct class_options {
    const char *chat, *persona, *ruleset, *journal, *session;
};

struct lesson {
    const struct class_options *options;
    struct demo demo;
    struct ruleset ruleset;
    char dir[PATH_MAX / 2]; /* of the records */
    unsigned human;         /* the side of the human: 0 left, 1 right */
    pid_t judge;
};

/* clang-format off */
/* typist: the options for the human or the model. All other options are equal, so that the class
 * sees no difference. */
static enum bl_status start_entity(struct lesson *lesson, unsigned side, const char *name,
                                   const char *const typist[4], struct bl_diag *diag)
{
    char dir[PATH_MAX], out[32];
    const char *const args[] = {"entity", "--line", lesson->demo.port[2 * side + 1],
                                "--pace", PACE, "--journal", dir,
                                "--session", lesson->options->session, "--screen", "web",
                                typist[0], typist[1], typist[2], typist[3], NULL};
    pid_t pid;
    RECORD(dir, lesson, "%s/entity.url", name);
    unlink(dir); /* left by an earlier round */
    RECORD(dir, lesson, "%s", name);
    snprintf(out, sizeof out, "%s.out", name);
    return demo_spawn(&lesson->demo, args, out, &pid, diag);
}

static enum bl_status start(struct lesson *lesson, struct bl_diag *diag)
{
    const struct class_options *o = lesson->options;
    const char *const person[4] = {"--keyboard"};
    const char *const model[4] = {"--chat", o->chat, o->persona ? "--persona" : NULL, o->persona};
    char dir[PATH_MAX];
    const char *const judge[] = {"judge", "--left", lesson->demo.port[0],
                                 "--right", lesson->demo.port[2], "--ruleset", o->ruleset,
                                 "--begin", "typed", "--screen", "web", "--journal", dir,
                                 "--session", o->session, "--json", NULL};
    enum bl_status status = start_entity(lesson, lesson->human, "human", person, diag);
    RECORD(dir, lesson, "%s", "judge/judge.url");
    unlink(dir);
    RECORD(dir, lesson, "%s", "judge");
    if (!status)
        status = start_entity(lesson, !lesson->human, "model", model, diag);
    return status ? status : demo_spawn(&lesson->demo, judge, "judge.out", &lesson->judge, diag);
}
/* clang-format on */

/* Prints the address of a page once its terminal has it. `whose` NULL: prints nothing. */
static enum bl_status tell_address(struct lesson *lesson, const char *page, const char *whose,
                                   struct bl_diag *diag)
{
    char path[PATH_MAX], *text = NULL;
    RECORD(path, lesson, "%s", page);
    enum bl_status status = demo_await(&lesson->demo, path, ADDRESS_S, diag);
    if (!status)
        status = file_read_text(&text, path, PATH_MAX, "an address", diag);
    if (!status && whose)
        printf("%s %s", whose, text);
    free(text);
    return status;
}

/* Reads the class's sealed vote. */
static enum bl_status read_vote(const struct lesson *lesson, struct ballot_file *file,
                                struct bl_diag *diag)
{
    char path[PATH_MAX], *text = NULL;
    RECORD(path, lesson, "judge/%s-judge.ballot", lesson->options->session);
    enum bl_status status = file_read_text(&text, path, BALLOT_FILE_MAX, "a ballot", diag);
    if (!status)
        status = ballot_file_read(file, text, strlen(text), path, diag);
    if (!status && (!file->given || !file->sealed))
        status =
            bl_fail(diag, BL_DATA, "the class has not voted: it is not told who was the human");
    free(text);
    return status;
}

/* Prints vote and truth, and makes a page of the whole conversation. */
static enum bl_status reveal(struct lesson *lesson, struct bl_diag *diag)
{
    static const char *const sides[] = {"left", "right"};
    char vote[VOTE_TEXT_MAX + 1], journal[PATH_MAX], page[PATH_MAX], title[400];
    struct ballot_file *file = calloc(1, sizeof *file);
    enum bl_status status =
        file ? read_vote(lesson, file, diag) : bl_fail(diag, BL_NOMEM, "no memory");
    pid_t pid;
    if (!status) {
        vote_format(&file->vote, &file->head.vote, vote);
        printf("The class says: %s\nOn the %s was the human, on the %s %.80s. The class is %s.\n",
               vote, sides[lesson->human], sides[!lesson->human], lesson->options->chat,
               file->vote.human == lesson->human ? "right" : "wrong");
        RECORD(journal, lesson, "judge/%s-judge.journal", lesson->options->session);
        RECORD(page, lesson, "%s.html", lesson->options->session);
        snprintf(title, sizeof title, "Human: %s. The class said: %s.", sides[lesson->human],
                 sides[file->vote.human]);
        const char *const args[] = {"transcript", "convert", journal,    "--to", "html",
                                    "--header",   title,     "--output", page,   NULL};
        status = demo_spawn(&lesson->demo, args, "page.out", &pid, diag);
        if (!status)
            status = demo_wait(&lesson->demo, pid, "the page of the reveal", 60, diag);
        if (!status)
            printf("The page that shows it to the class: file://%s\n", page);
    }
    free(file);
    return status;
}

static enum bl_status make_folder(struct lesson *lesson, struct bl_diag *diag)
{
    const char *dir = lesson->options->journal ? lesson->options->journal : lesson->demo.dir;
    char *whole, journal[PATH_MAX];
    struct stat info;
    if (mkdir(dir, 0700) && errno != EEXIST)
        return bl_fail(diag, BL_IO, "%s: %s", dir, strerror(errno));
    if (stat(dir, &info) == 0 && !S_ISDIR(info.st_mode))
        return bl_fail(diag, BL_USAGE, "--journal %.200s: expected a folder", dir);
    whole = realpath(dir, NULL);
    if (!whole || strlen(whole) >= sizeof lesson->dir - 80)
        return bl_fail(diag, BL_IO, "%s: %s", dir, strerror(whole ? ENAMETOOLONG : errno));
    strcpy(lesson->dir, whole);
    free(whole);
    RECORD(journal, lesson, "judge/%s-judge.journal", lesson->options->session);
    return access(journal, F_OK)
               ? BL_OK
               : bl_fail(diag, BL_USAGE, "%s is there already: expected another --session",
                         journal);
}

static enum bl_status hold(struct lesson *lesson, struct bl_diag *diag)
{
    static const char *const pages[3][2] = {{"judge/judge.url", "The class's page:"},
                                            {"human/entity.url", "The hidden human's page:"},
                                            {"model/entity.url", NULL}};
    enum bl_status status = make_folder(lesson, diag);
    lesson->human = randombytes_uniform(2);
    if (!status)
        status = start(lesson, diag);
    for (unsigned i = 0; !status && i < 3; i++)
        status = tell_address(lesson, pages[i][0], pages[i][1], diag);
    if (!status) {
        printf("The first key begins. F3 is the ballot; who is the human is told here after it, "
               "when the page is left (F10).\n");
        fflush(stdout);
        status = demo_wait(&lesson->demo, lesson->judge, "the class's page", LESSON_S, diag);
    }
    if (!status)
        status = reveal(lesson, diag);
    if (lesson->judge)
        printf("The records are in %s\n", lesson->dir);
    return status;
}

static enum bl_status class_run(const struct command_call *call, struct bl_diag *diag)
{
    struct class_options options = *(const struct class_options *)call->options;
    struct chat_entry chat = {.chat = options.chat, .persona = options.persona};
    struct lesson *lesson = calloc(1, sizeof *lesson);
    enum bl_status status = lesson ? BL_OK : bl_fail(diag, BL_NOMEM, "no memory");
    if (!status && !options.chat)
        status = bl_fail(diag, BL_USAGE, "missing --chat URL");
    options.ruleset = options.ruleset ? options.ruleset : "class";
    options.session = options.session ? options.session : "class";
    if (!status)
        status = booth_session_check(options.session, diag);
    if (!status)
        status = contest_load_ruleset(&lesson->ruleset, options.ruleset, diag);
    if (!status &&
        (lesson->ruleset.pairing != PAIRING_PAIRS || lesson->ruleset.ballot != BALLOT_HUMAN))
        status = bl_fail(diag, BL_USAGE, "--ruleset %.60s: expected pairs, and 'human: left right'",
                         options.ruleset);
    if (!status && lesson->ruleset.reveal != SEAL_SESSION)
        status = bl_fail(diag, BL_USAGE,
                         "--ruleset %.60s: expected 'sealed = session' and 'reveal = session', for "
                         "the class votes, then it is told",
                         options.ruleset);
    if (!status)
        status = chat_entry_check(&chat, NULL, diag);
    if (!status)
        status = relay_try(options.chat, diag);
    if (!status) {
        lesson->options = &options;
        lesson->demo.two = lesson->demo.quiet = true;
        status = demo_open(&lesson->demo, diag);
        if (!status)
            status = hold(lesson, diag);
        demo_close(&lesson->demo);
        /* Nothing has begun, or the records are at --journal. */
        if (options.journal && (!status || (status == BL_USAGE && !lesson->judge)))
            demo_remove(&lesson->demo);
    }
    free(lesson);
    return status;
}

static const struct command_option class_table[] = {
    OPTION_ROW("--chat", "URL", "the model's server, as `entity --chat` asks it", OPTION_TEXT,
               struct class_options, chat),
    OPTION_ROW("--persona", "FILE", "its persona", OPTION_TEXT, struct class_options, persona),
    OPTION_ROW("--ruleset", "NAME|FILE", "other rules, of pairs and 'human: left right'",
               OPTION_TEXT, struct class_options, ruleset),
    OPTION_ROW("--journal", "DIR", "where the records are kept (default: a new folder)",
               OPTION_TEXT, struct class_options, journal),
    OPTION_ROW("--session", "NAME", "another one for each round in that folder (default: class)",
               OPTION_TEXT, struct class_options, session),
    {0},
};

const struct command command_class = {
    .name = "class",
    .synopsis =
        "--chat URL [--persona FILE] [--ruleset NAME|FILE] [--journal DIR [--session NAME]]",
    .help = "a test in a lesson, on one laptop",
    .text =
        "The class talks at one page in a browser with a hidden human, who sits at another, and "
        "with a language model, by simulated cables; chance has given the sides. It votes which is "
        "the human, how sure it is, and why. When the vote is sealed and the class has left its "
        "page (F10), and no earlier, this terminal tells who was the human, and has a page of the "
        "whole conversation that can be shown. Nobody need be root.\n\n"
        "The exit code is 65 if the class has not voted.",
    .examples = "boothlink class --chat http://127.0.0.1:8080 --persona ann.txt\n"
                "boothlink class --chat http://127.0.0.1:8080 --journal lesson --session round2",
    .options = class_table,
    .size = sizeof(struct class_options),
    .run = class_run,
};
