/* "boothlink demo": the main job on one machine without hardware: a simulated null-modem cable, a
 * judge's terminal, an entity's terminal, and a program by other authors as the Entry. */
#include "command/command.h"
#include "entity/entry.h"
#include "entity/place.h"
#include "entity/script.h"
#include "journal/journal.h"
#include "journal/order.h"
#include "link/secret.h"
#include "sim/demo.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <unistd.h>

/* Debian's libchatbot-eliza-perl, started like in its manual. */
static const char eliza[] = "perl -MChatbot::Eliza -e 'Chatbot::Eliza->new->command_interface'";
#define ELIZA_PROMPT "(you|Eliza):[[:space:]]"

#define ENTRY_WORDS (2 * (KIND_WORD_COUNT + 2) + 1) /* options of an Entry, and NULL */

#define CUT_PLAN "12 left" /* shorter than the script: the cut comes in mid-conversation */

static const char script[] =
    "pace 35\n"
    "type \"Good morning. Who are you?\\n\"\nawait-turn 500\n"
    "type \"I am a judge ak\\b\\bat a contest.\\n\"\nawait-turn 500\n"
    "type \"I feel a little tired today.\\n\"\nawait-turn 500\n"
    "type \"Perhaps I should sleep more.\\n\"\nawait-turn 500\n"
    "type \"My mother says so too.\\n\"\nawait-turn 500\n"
    "type \"Do you remember what I told you first?\\n\"\nawait-turn 500\n"
    "type \"Which is larger, a grape or a grapefruit?\\n\"\nawait-turn 500\n"
    "type \"You did not answer my question.\\n\"\nawait-turn 500\n"
    "type \"Are you a computer?\\n\"\nawait-turn 500\n"
    "type \"I dreamt of caf\\u{E9}s and \\u{4E2D}\\u{6587}.\\n\"\nawait-turn 500\n"
    "type \"Thank you, that was all.\\n\"\nawait-turn 500\n";

static json_t *read_report(const char *dir, const char *name)
{
    char path[DEMO_PATH_MAX];
    demo_path(path, dir, name);
    return json_load_file(path, JSON_DISABLE_EOF_CHECK, NULL);
}

static json_int_t number(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

static const char *text(const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));
    return value ? value : "";
}

/* Compares the two ends; prints the report; returns the exit code. */
static int verdict(const struct demo *demo, json_int_t typed, bool as_json)
{
    json_t *judge = read_report(demo->dir, "judge.out"),
           *entity = read_report(demo->dir, "entity.out");
    const json_t *left = json_object_get(json_object_get(judge, "sides"), "left");
    if (!left || !entity) {
        fprintf(stderr, "boothlink demo: a terminal ended without a report; see %s\n", demo->dir);
        json_decref(judge);
        json_decref(entity);
        return EX_SOFTWARE;
    }
    json_int_t differing = order_differing(text(judge, "journal"), text(entity, "journal"));
    json_int_t pressed = number(entity, "keys_pressed");
    /* A controller's cut may come before the script's end. */
    bool controlled = demo->controller[0] != '\0';
    json_int_t lost = (controlled ? 0 : typed - number(left, "keys_judge")) + differing +
                      (pressed - number(entity, "keys_unplaced") - number(left, "keys_entity"));
    bool equal = strcmp(text(left, "digest"), text(entity, "digest")) == 0;
    bool cut = strcmp(text(left, "cut_by"), "controller") == 0;
    bool agreed = strcmp(text(left, "end"), "agreed") == 0;
    bool good = equal && lost == 0 && differing == 0 && number(left, "keys_entity") > 0 &&
                (controlled ? cut : agreed);
    json_int_t bytes = number(left, "line_bytes_out") + number(entity, "line_bytes_out");
    if (as_json) {
        json_t *report = json_pack(
            "{s:I,s:I,s:I,s:b,s:s,s:s,s:s,s:s*,s:b,s:I,s:f,s:s,s:s,s:b}", "keys_judge",
            number(left, "keys_judge"), "keys_entity", number(left, "keys_entity"), "keys_lost",
            lost, "pages_equal", equal, "digest_judge", text(left, "digest"), "digest_entity",
            text(entity, "digest"), "end", text(left, "end"), "cut_by", cut ? "controller" : NULL,
            "cut_agreed", cut && agreed, "line_bytes", bytes, "seconds",
            json_real_value(json_object_get(judge, "seconds")), "journal_judge",
            text(judge, "journal"), "journal_entity", text(entity, "journal"), "ok", good);
        command_json(report, JSON_COMPACT);
    } else {
        printf("\njudge's page   %s  %lld key%s of the judge, %lld of the Entry\n",
               text(left, "digest"), (long long)number(left, "keys_judge"),
               BL_S(number(left, "keys_judge")), (long long)number(left, "keys_entity"));
        printf("entity's page  %s  close of the session: %s\n", text(entity, "digest"),
               text(left, "end"));
        if (cut)
            printf("The controller cut the line when the time was over; both ends %s on the page "
                   "before.\n",
                   agreed ? "had agreed" : "could not agree");
        printf("%lld byte%s on the line in %.1f s; records in %s\n", (long long)bytes, BL_S(bytes),
               json_real_value(json_object_get(judge, "seconds")), demo->dir);
        printf("%s\n", good ? "The pages are the same and nothing was lost."
                            : "NOT all right: the pages differ or keys were lost.");
    }
    json_decref(judge);
    json_decref(entity);
    return good ? EX_OK : EX_SOFTWARE;
}

static enum bl_status count_keys(json_int_t *typed, struct bl_diag *diag)
{
    struct script *parsed;
    enum bl_status status = script_parse(&parsed, script, sizeof script - 1, "demo", diag);
    if (status)
        return status;
    *typed = (json_int_t)script_keys(parsed);
    script_destroy(parsed);
    return BL_OK;
}

static enum bl_status make_key(const struct demo *demo, struct bl_diag *diag)
{
    uint8_t seed[SECRET_SEED];
    struct line_secret secret;
    secret_draw(seed);
    enum bl_status status = secret_make(&secret, seed, diag);
    if (!status)
        status = secret_store(&secret, demo->key_file, diag);
    secret_wipe(&secret);
    sodium_memzero(seed, sizeof seed);
    return status;
}

static enum bl_status converse(struct demo *demo, const char *const *entry, bool as_json,
                               struct bl_diag *diag)
{
    char script_path[DEMO_PATH_MAX], journal_judge[DEMO_PATH_MAX], journal_entity[DEMO_PATH_MAX];
    pid_t judge, entity;
    enum bl_status status = demo_write(demo, "judge.script", script, sizeof script - 1, diag);
    demo_path(script_path, demo->dir, "judge.script");
    demo_path(journal_judge, demo->dir, "judge");
    demo_path(journal_entity, demo->dir, "entity");
    const char *entity_args[8 + ENTRY_WORDS] = {"entity", "--line",    demo->port[1], "--headless",
                                                "--json", "--journal", journal_entity};
    memcpy(entity_args + 7, entry, ENTRY_WORDS * sizeof *entry);
    const char *judge_args[] = {"judge",      "--left", demo->port[0], "--script",    script_path,
                                "--headless", "--json", "--journal",   journal_judge, NULL,
                                NULL,         NULL,     NULL,          NULL};
    unsigned at = 9;
    if (demo->controller[0]) {
        judge_args[at++] = "--controller";
        judge_args[at++] = demo->controller;
        judge_args[at++] = "--plan";
        judge_args[at++] = CUT_PLAN;
    }
    if (status)
        return status;
    status = demo_spawn(demo, entity_args, "entity.out", &entity, diag);
    if (!status)
        status = demo_spawn(demo, judge_args, "judge.out", &judge, diag);
    if (status)
        return status;
    if (!as_json)
        printf("A judge by script and an Entry talk over a simulated %s;\n%s.\n\n",
               demo->ethernet ? "Ethernet hub, encrypted" : "null-modem cable at 115,200 baud",
               demo->controller[0]
                   ? "after 12 s the controller, its own firmware in a simulated processor, cuts it"
               : demo->ethernet
                   ? "that takes about half a minute"
                   : "that takes about half a minute (the controller's firmware is not built: "
                     "nothing is cut)");
    fflush(stdout);
    status = demo_wait(demo, judge, "the judge's terminal", 180, diag);
    if (!status)
        status = demo_wait(demo, entity, "the entity's terminal", 20, diag);
    return status;
}

static void show_transcript(struct demo *demo)
{
    json_t *judge = read_report(demo->dir, "judge.out");
    const char *args[] = {"transcript", "convert", text(judge, "journal"), "--to", "text", NULL};
    struct bl_diag diag;
    pid_t pid;
    if (demo_spawn(demo, args, NULL, &pid, &diag) == BL_OK)
        demo_wait(demo, pid, "the transcript", 20, &diag);
    json_decref(judge);
}

struct demo_options {
    bool headless, json;
    unsigned ethernet; /* index of the medium */
    const char *folder, *prompt;
    struct kind_texts text;
};

/* Takes the Entry's options of `boothlink entity`: `entry`, with its folder; if none is named,
 * ELIZA's. */
static enum bl_status take_entry(const char *entry[ENTRY_WORDS], const struct demo_options *options,
                                 char folder[PATH_MAX], struct bl_diag *diag)
{
#define KIND_FROM            (&options->text)
#define WORD(id, name, v, h) "--" name,
    static const char *const option[] = {KIND_WORDS(WORD) "--folder", "--strip-prompt"};
    const char *value[] = {KIND_WORDS(KIND_TEXT_OF) NULL, options->prompt};
    const char *command = options->text.program ? options->text.program : options->text.cgi;
    struct entry parsed = {0};
    struct program_options program = {0};
    enum bl_status status = BL_OK;
    char path[PATH_MAX];
    unsigned used = 0;
#undef WORD
    for (unsigned i = 0; i < KIND_WORD_COUNT; i++)
        used += value[i] != NULL;
    if (options->folder && !command)
        return bl_fail(diag, BL_USAGE, "--folder: expected it beside --program CMD or --cgi CMD");
    if (used)
        status = entry_take(&parsed, &program, &options->text, diag);
    else /* our own program, which starts anywhere */
        value[KIND_WORD_program] = eliza, value[KIND_WORD_COUNT + 1] = ELIZA_PROMPT;
    if (!status && command)
        status = place_folder(options->folder, folder, diag);
    if (!status && command && place_misses(command, folder, path))
        return bl_fail(diag, BL_USAGE,
                       "%.120s is not in its folder, which alone it sees: --folder %.*s", path,
                       (int)(strrchr(path, '/') - path), path);
    if (!used || command)
        value[KIND_WORD_COUNT] = folder;
    used = 0;
    for (unsigned i = 0; i < sizeof value / sizeof *value; i++)
        if (value[i])
            entry[used++] = option[i], entry[used++] = value[i];
    return status;
}

static enum bl_status demo_run(const struct command_call *call, struct bl_diag *diag)
{
    const struct demo_options *options = call->options;
    const bool headless = options->headless || !isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO);
    const bool as_json = options->json;
    struct demo demo = {.ethernet = options->ethernet};
    int code = EX_OK;
    json_int_t typed = 0;
    char folder[PATH_MAX] = "";
    const char *entry[ENTRY_WORDS] = {NULL};
    enum bl_status status = take_entry(entry, options, folder, diag);
    if (status)
        return status;
    status = count_keys(&typed, diag);
    if (!status)
        status = demo_open(&demo, diag);
    if (!status && entry[1] == eliza) {
        demo_path(folder, demo.dir, "entry");
        if (mkdir(folder, 0700))
            status = bl_fail(diag, BL_IO, "%s: %s", folder, strerror(errno));
    }
    if (!status && demo.ethernet)
        status = make_key(&demo, diag);
    if (!status && headless) {
        status = converse(&demo, entry, as_json, diag);
        if (!status && !as_json)
            show_transcript(&demo);
        if (!status)
            code = verdict(&demo, typed, as_json);
    } else if (!status) {
        status = demo_in_tmux(&demo, entry, diag);
    }
    demo_close(&demo);
    return status || code == EX_OK ? status : command_told(BL_SOFTWARE, diag);
}

static const struct command_option demo_table[] = {
    OPTION_ROW("--headless", NULL,
               "no screen: a scripted judge, then transcript, digests and verdict", OPTION_FLAG,
               struct demo_options, headless),
    OPTION_ROW("--program", "CMD", "your own Entry, instead of ELIZA", OPTION_TEXT,
               struct demo_options, text.program),
    OPTION_ROW("--folder", "DIR", "the folder that belongs to it (default: the current one)",
               OPTION_TEXT, struct demo_options, folder),
    OPTION_ROW("--strip-prompt", "REGEX", "its prompt, as `entity` drops it", OPTION_TEXT,
               struct demo_options, prompt),
    OPTION_ROW("--lpp", "DIR", "it speaks the LPP in this folder, not on its terminal", OPTION_TEXT,
               struct demo_options, text.lpp),
#define WORD(id, name, value, help)                                                                \
    OPTION_ROW("--" name, value, help, OPTION_TEXT, struct demo_options, text.id),
    KIND_SERVED_WORDS(WORD)
#undef WORD
        OPTION_JSON(struct demo_options, "print one JSON object (with --headless)"),
    OPTION_ROW("--medium", "serial|ethernet",
               "a null-modem cable, or a hub between network namespaces", OPTION_CHOICE,
               struct demo_options, ethernet),
    {0},
};

const struct command command_demo = {
    .name = "demo",
    .synopsis = "[--program CMD [--folder DIR] [--lpp DIR] | --chat URL [--persona FILE]] "
                "[--headless [--json]] [OPTION]...",
    .help = "try it on this machine, without hardware",
    .text =
        "Joins a judge's terminal and an entity's terminal, side by side or above each other, in "
        "one tmux window by a simulated null-modem cable at 115,200 baud, or with --medium "
        "ethernet by a simulated hub and an encrypted line. You type as the judge; the Entry is "
        "ELIZA, from Debian's libchatbot-eliza-perl, or your own, named as `boothlink entity` "
        "takes it. F9 starts it again when it has ended; F10 and the word \"leave\" end the demo. "
        "It lasts three minutes from your first key on; `boothlink lpp-judge` is open without "
        "end. On the cable the controller cuts the line then: its own firmware, in a simulated "
        "processor, where that could be built.\n\n"
        "Without a terminal, or with --headless, a scripted judge holds the conversation. The exit "
        "code is 0 only if both pages are the same and nothing was lost.",
    .examples = "boothlink demo\nboothlink demo --program 'python3 entry.py'\n"
                "boothlink demo --lpp lpp --program './lpp_entry.py lpp'\n"
                "boothlink demo --chat http://127.0.0.1:8080\nboothlink demo --headless --json",
    .options = demo_table,
    .size = sizeof(struct demo_options),
    .run = demo_run,
};
