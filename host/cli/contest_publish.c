/* The verbs for the end of a contest: phrase, publish, erased. */
#include "cli/contest.h"

#include "base/file.h"
#include "base/growing.h"
#include "contest/publish.h"
#include "contest/record_json.h"
#include "desk/bundle.h"
#include "desk/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct contest_publish_options {
    struct contest_options common;
    const char *out, *bundle, *named, *records;
};

#define TRANSCRIPT_MAX (16u << 20)

static void put(void *ctx, const char *bytes, size_t length)
{
    growing_put(ctx, bytes, length);
}

/* The published copy of a transcript, which the caller frees; *replaced counts the phrases. */
static enum bl_status publish(const struct contest *contest, const char *path, struct growing *copy,
                              unsigned *replaced, struct bl_diag *diag)
{
    char *text;
    enum bl_status status =
        file_read_text(&text, path, TRANSCRIPT_MAX, "a readable transcript", diag);
    if (status == BL_OK && contest->phrases && publish_has_key_lines(text))
        status = bl_fail(diag, BL_DATA,
                         "%s: it has a line for each key, in which no phrase can be found: "
                         "transcript convert --to text makes one that can be read",
                         path);
    if (status == BL_OK)
        *replaced += publish_text(contest, text, strlen(text), put, copy);
    free(text);
    return status == BL_OK && copy->failed ? bl_fail(diag, BL_NOMEM, "no memory") : status;
}

static int is_shown(const struct dirent *listed)
{
    return listed->d_name[0] != '.';
}

/* Publishes a regular file of a folder; the copy keeps the permissions. */
static enum bl_status publish_to(const struct contest *contest, const char *from, const char *to,
                                 unsigned *files, unsigned *replaced, struct bl_diag *diag)
{
    struct growing copy = {.length = 0};
    struct stat about;
    enum bl_status status;
    if (stat(from, &about))
        return file_fail(diag, from);
    if (!S_ISREG(about.st_mode))
        return BL_OK;
    status = publish(contest, from, &copy, replaced, diag);
    if (status == BL_OK)
        status = file_write(to, copy.bytes ? copy.bytes : "", copy.length, diag);
    if (status == BL_OK && chmod(to, about.st_mode & 0666))
        status = file_fail(diag, to);
    *files += status == BL_OK;
    free(copy.bytes);
    return status;
}

/* Publishes copies of a folder's files in another folder; the transcripts stay. */
static enum bl_status publish_folder(const struct contest *contest, const struct command_call *call,
                                     const struct stat *folder, struct bl_diag *diag)
{
    const struct contest_publish_options *options = call->options;
    struct dirent **listed = NULL;
    struct stat out;
    unsigned replaced = 0, files = 0;
    enum bl_status status = BL_OK;
    int count;
    if (!options->out)
        return bl_fail(diag, BL_USAGE, "%s is a folder: give --out DIR for the published copies",
                       call->word[1]);
    if (stat(options->out, &out) == 0 && out.st_dev == folder->st_dev &&
        out.st_ino == folder->st_ino)
        return bl_fail(diag, BL_USAGE,
                       "--out %s: expected another folder than that of the transcripts",
                       options->out);
    count = scandir(call->word[1], &listed, is_shown, alphasort);
    if (count < 0)
        status = file_fail(diag, call->word[1]);
    if (status == BL_OK && mkdir(options->out, 0777) && errno != EEXIST)
        status = file_fail(diag, options->out);
    for (int i = 0; i < count; i++) {
        char from[FOLDER_PATH_MAX], to[FOLDER_PATH_MAX];
        if (status == BL_OK)
            status = folder_path(from, diag, "%s/%s", call->word[1], listed[i]->d_name);
        if (status == BL_OK)
            status = folder_path(to, diag, "%s/%s", options->out, listed[i]->d_name);
        if (status == BL_OK)
            status = publish_to(contest, from, to, &files, &replaced, diag);
        free(listed[i]);
    }
    free(listed);
    if (status == BL_OK)
        command_print("%u transcript%s in %s, in which %u phrase%s %s replaced\n", files,
                      BL_S(files), options->out, replaced, BL_S(replaced), BL_ARE(replaced));
    if (status == BL_OK && contest->ruleset.names != WORD_NO)
        command_print("Next: boothlink contest report %s --transcripts %s > report.html\n",
                      call->word[0], options->out);
    return status;
}

static enum bl_status take_act(void *ctx, const struct act *act, struct bl_diag *diag)
{
    json_t *json = record_act(act, NULL);
    return json && json_array_append_new(ctx, json) == 0 ? BL_OK
                                                         : bl_fail(diag, BL_NOMEM, "no memory");
}

/* Writes the contest's record for strangers, OUT/contest.json. It has seeds and seats, so it is
 * refused before the seal. */
static enum bl_status publish_record(const struct contest_file *file, const char *out,
                                     struct bl_diag *diag)
{
    char path[FOLDER_PATH_MAX], hash[2 * ACT_HASH_BYTES + 1];
    json_t *acts = json_array(), *record = NULL;
    char *text = NULL;
    enum bl_status status = folder_path(path, diag, "%s/contest.json", out);
    if (!file->contest->sealed) {
        json_decref(acts);
        printf("The record of acts, ballots and sides is published when the contest is sealed\n");
        return status;
    }
    if (status == BL_OK)
        status = store_read(file->store, 0, take_act, acts, diag);
    if (status == BL_OK) {
        const json_t *last = json_array_get(acts, json_array_size(acts) - 1);
        snprintf(hash, sizeof hash, "%s", json_string_value(json_object_get(last, "hash")));
        record = record_json(file->contest, json_incref(acts));
        text = record ? json_dumps(record, JSON_INDENT(1)) : NULL;
        status = text ? BL_OK : bl_fail(diag, BL_NOMEM, "no memory");
    }
    if (status == BL_OK)
        status = file_write(path, text, strlen(text), diag);
    if (status == BL_OK && chmod(path, 0644))
        status = file_fail(diag, path);
    if (status == BL_OK)
        command_print("%s: %zu act%s, the last has %s\n", path, json_array_size(acts),
                      BL_S(json_array_size(acts)), hash);
    free(text);
    json_decref(record);
    json_decref(acts);
    return status;
}

/* Publishes the record without transcripts. */
static enum bl_status publish_alone(const struct contest_file *file,
                                    const struct contest_publish_options *options,
                                    struct bl_diag *diag)
{
    if (!options->out)
        return bl_fail(diag, BL_USAGE, "missing a transcript, or --out DIR for the record");
    if (mkdir(options->out, 0777) && errno != EEXIST)
        return file_fail(diag, options->out);
    return publish_record(file, options->out, diag);
}

static void tell_unread(void *ctx, const char *line)
{
    (void)ctx;
    fprintf(stderr, "%s\n", line);
}

static void say_bundle(const struct bundle *bundle, const struct bundle_setup *setup,
                       const char *folder)
{
    char whole[2 * ACT_HASH_BYTES + 1];
    const struct bundle_file *hashes = &bundle->file[bundle->files - 1];
    uint8_t bytes[ACT_HASH_BYTES];
    contest_commit((const uint8_t *)hashes->text, hashes->length, bytes);
    contest_hex(bytes, sizeof bytes, whole);
    if (!bundle->chained)
        printf("The contest was made by an earlier version, which hashed names with the acts: its "
               "acts are told without their hashes\n");
    else if (!setup->pseudonyms)
        printf("All are called by their names\n");
    command_print("%s: %u file%s of %u act%s; %u word%s and %u key%s taken out of messages\n"
                  "bundle: %s\nMake that hash known.\nNext: boothlink contest verify %s\n",
                  folder, bundle->files, BL_S(bundle->files), bundle->acts, BL_S(bundle->acts),
                  bundle->messages, BL_S(bundle->messages), bundle->keys, BL_S(bundle->keys), whole,
                  folder);
}

static enum bl_status publish_bundle(const struct contest_file *file,
                                     const struct contest_publish_options *options,
                                     struct bl_diag *diag)
{
    struct pseudonyms *pseudonyms = pseudonyms_create();
    bool all = options->named && strcmp(options->named, "all") == 0;
    struct bundle_setup setup = {file->store, file->contest, all ? NULL : pseudonyms,
                                 options->records, tell_unread};
    struct bundle bundle = {.files = 0};
    enum bl_status status = pseudonyms ? BL_OK : bl_fail(diag, BL_NOMEM, "no memory");
    if (status == BL_OK && !file->contest->sealed)
        status = bl_fail(diag, BL_DATA,
                         "the contest is not sealed: a bundle says who is who. Next: boothlink "
                         "contest seal FILE");
    if (status == BL_OK)
        status = store_read(file->store, 0, pseudonyms_take, pseudonyms, diag);
    if (status == BL_OK && !all)
        status = pseudonyms_show_list(pseudonyms, file->contest, options->named, diag);
    if (status == BL_OK)
        status = bundle_make(&bundle, &setup, diag);
    if (status == BL_OK)
        status = bundle_write(&bundle, options->bundle, diag);
    if (status == BL_OK)
        say_bundle(&bundle, &setup, options->bundle);
    if (status == BL_OK && bundle.unread)
        status = bl_fail(diag, BL_DATA, "%u session%s without a record", bundle.unread,
                         BL_S(bundle.unread));
    bundle_free(&bundle);
    pseudonyms_destroy(pseudonyms);
    return status;
}

static enum bl_status contest_publish(const struct command_call *call, struct bl_diag *diag)
{
    struct contest_file file = {.store = NULL};
    struct growing copy = {.length = 0};
    struct stat about;
    unsigned replaced = 0;
    const struct contest_publish_options *options = call->options;
    const bool alone = call->words == 1;
    const bool folder = !alone && stat(call->word[1], &about) == 0 && S_ISDIR(about.st_mode);
    enum bl_status status = BL_OK;
    if (!options->bundle && (options->named || options->records))
        status = bl_fail(diag, BL_USAGE, "--named and --records are for --bundle DIR");
    else if (options->bundle && (!alone || options->out))
        status = bl_fail(diag, BL_USAGE, "--bundle takes neither transcripts nor --out");
    if (status == BL_OK)
        status = contest_file_open(&file, call, diag);
    if (status == BL_OK && options->bundle)
        status = publish_bundle(&file, options, diag);
    else if (status == BL_OK && alone)
        status = publish_alone(&file, options, diag);
    else if (status == BL_OK && folder)
        status = publish_folder(file.contest, call, &about, diag);
    else if (status == BL_OK && options->out && access(call->word[1], F_OK) != 0)
        status = bl_fail(diag, BL_NOINPUT,
                         "%s: no such folder: boothlink transcript convert makes it, with --output",
                         call->word[1]);
    else if (status == BL_OK && options->out)
        status = bl_fail(diag, BL_USAGE, "--out is for a folder; %s is printed", call->word[1]);
    else if (status == BL_OK)
        status = publish(file.contest, call->word[1], &copy, &replaced, diag);
    if (status == BL_OK && folder)
        status = publish_record(&file, options->out, diag);
    bool nameless = status == BL_OK && file.contest->ruleset.names == WORD_NO;
    if (nameless && options->out)
        printf("%s has names, and these rules publish none (%s): it is for the manager alone\n",
               options->out, ruleset_rule(&file.contest->ruleset, "notice", "names", 0).text);
    if (nameless && (options->out || options->bundle))
        contest_next(file.contest, call->word[0]);
    if (status == BL_OK && copy.length)
        fwrite(copy.bytes, 1, copy.length, stdout);
    free(copy.bytes);
    contest_file_close(&file);
    return status;
}

static const struct command_option publish_options[] = {
    OPTION_ROW("--out", "DIR", "where the copies of a folder go", OPTION_TEXT,
               struct contest_publish_options, out),
    OPTION_ROW("--bundle", "DIR", "a new folder for all that is public, without names", OPTION_TEXT,
               struct contest_publish_options, bundle),
    OPTION_ROW("--named", "WHO", "J1,E2: who agreed to be named in the bundle; or all", OPTION_TEXT,
               struct contest_publish_options, named),
    OPTION_ROW("--records", "DIR", "the journals, for the bundle's messages and keys", OPTION_TEXT,
               struct contest_publish_options, records),
    {0},
};

const struct command contest_publish_verbs[] = {
    {
        .name = "contest phrase",
        .synopsis = "FILE TEXT --why TEXT",
        .help = "a phrase that is not to be published",
        .text = "Where the rules allow that. `contest publish` leaves it out; journals are never "
                "changed.",
        .options = contest_reason,
        .least = 2,
        .most = 2,
        CONTEST_ACT(.kind = ACT_PHRASE, .words = {"text"}, .why = true,
                    .done = "recorded: contest publish leaves it out of the published copies"),
    },
    {
        .name = "contest publish",
        .synopsis = "FILE TRANSCRIPT | FILE [DIR] --out DIR | FILE --bundle DIR",
        .help = "transcripts, and all that lets a stranger recompute the contest",
        .text =
            "Prints a readable transcript with \"[phrase deleted]\" in the place of phrases that "
            "are not published, or makes such copies of all files of a folder in another one. "
            "The transcripts stay. With --out, and once the contest is sealed, contest.json has "
            "its acts with their hashes, draws, coins, sides, ballots and result: "
            "boothlink-contest(5). Families, teams and ages are not told there. With --bundle "
            "people have pseudonyms, and names are taken out of notes and messages; `contest "
            "verify DIR` checks a bundle.",
        .options = publish_options,
        .size = sizeof(struct contest_publish_options),
        .least = 1,
        .most = 2,
        .run = contest_publish,
    },
    {
        .name = "contest erased",
        .synopsis = "FILE E2 --why TEXT",
        .help = "an Entry is off the machines",
        .text = "`contest show` lists those that are not.",
        .options = contest_reason,
        .least = 2,
        .most = 2,
        CONTEST_ACT(.kind = ACT_ERASED, .words = {"entry"}, .why = true,
                    .done = "recorded as erased from the machines"),
    },
    {0},
};
