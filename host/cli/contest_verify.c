/* boothlink contest verify: computes everything again, and reports the differences. */
#include "base/utf8.h"
#include "cli/contest.h"
#include "contest/draw.h"
#include "contest/record_json.h"
#include "desk/bundle.h"
#include "desk/verify_folders.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

struct contest_verify_options {
    struct contest_options common;
    const char *records, *transcripts;
};

static void tell_difference(void *ctx, const char *where, const char *what)
{
    json_t *list = ctx;
    char place[PATH_MAX];
    utf8_plain(place, sizeof place, where, strlen(where)); /* a path need not be UTF-8 */
    if (list)
        json_array_append_new(list, json_pack("{s:s,s:s}", "where", place, "what", what));
    else
        printf("differs: %s: %s\n", place, what);
}

static enum bl_status keep_hash(void *ctx, const struct act *act, struct bl_diag *diag)
{
    (void)diag;
    contest_hex(act->hash, ACT_HASH_BYTES, ctx);
    return BL_OK;
}

/* Prints the public value, and the key that seed and value give. */
static void print_public(const struct contest *c)
{
    uint8_t key[CONTEST_SEED];
    char hex[2 * CONTEST_SEED + 1];
    draw_key(c, c->begun, key);
    contest_hex(key, sizeof key, hex);
    command_print("public value: \"%s\" (%s), stated by %s, is mixed into all that is drawn\n"
                  "draw: key %s\n",
                  c->public_value, c->public_name, c->public_by, hex);
}

/* Prints the times at which each draw's parts became known, and their proofs. */
static void print_draws(const struct contest *c)
{
    for (unsigned i = 0; i < c->draws; i++) {
        char text[DRAW_PROOF_MAX];
        unsigned from, to;
        draw_tell(&c->past[i], text);
        if (draw_rounds(c, i, &from, &to))
            command_print("draw %u, of rounds %u to %u: %s\n", i + 1, from + 1, to, text);
        else
            command_print("draw %u, of no round, as another took its place: %s\n", i + 1, text);
    }
}

/* Writes "once", "2 times" or "1 to 2 times". */
static const char *times(const unsigned range[2], char words[32])
{
    if (range[0] == 1 && range[1] == 1)
        return "once";
    if (range[0] == range[1])
        snprintf(words, 32, "%u time%s", range[0], BL_S(range[0]));
    else
        snprintf(words, 32, "%u to %u times", range[0], range[1]);
    return words;
}

static void print_acts(const struct contest *c, const char *last)
{
    printf("acts: %lld, each one allowed by the rules, none changed since; the last has %s\n",
           (long long)c->acts, last);
    bool drawn = c->drawn && !c->undrawn;
    printf("draw: %s\n", drawn          ? "the seed is the one that was committed to"
                         : c->committed ? "committed to, not yet given away"
                         : c->drawn     ? "the rounds to come wait for another"
                                        : "none");
    if (c->committed && !c->public_name[0])
        printf("public value: none was named at the commitment\n");
    else if (c->committed && drawn)
        print_public(c);
    else if (c->committed)
        command_print("public value: %s, not yet stated\n", c->public_name);
    print_draws(c);
    if (c->ruleset.pairing == PAIRING_PAIRS && c->schedule.count) {
        struct schedule_quality q;
        schedule_measure(&c->schedule, &q);
        char entry[32], confederate[32], both[32];
        printf("schedule: %u round%s; a judge meets an Entry %s, a confederate %s, an Entry a "
               "confederate %s\n",
               c->schedule.rounds, BL_S(c->schedule.rounds), times(q.judge_entry, entry),
               times(q.judge_confederate, confederate), times(q.entry_confederate, both));
    }
    if (c->final)
        printf("final round: its Entries are those whom the rules select\n");
    unsigned late = 0;
    for (unsigned i = 0; i < c->ballots; i++)
        late += c->ballot[i].late;
    if (c->excludeds)
        printf("excluded sessions, which count for nothing: %u\n", c->excludeds);
    if (late || c->taken_backs)
        printf("late ballots: %u count, %u do not\n", late, c->taken_backs);
    printf("ballots: %u of %u\n", c->ballots, c->ballots + contest_missing(c, c->schedule.rounds));
}

/* Verifies a bundle, which may be anybody's. */
static enum bl_status verify_bundle(const struct command_call *call, struct bl_diag *diag)
{
    const struct contest_verify_options *options = call->options;
    json_t *list = options->common.json ? json_array() : NULL;
    struct bundle_told told = {.differs = tell_difference, .ctx = list};
    enum bl_status status =
        options->records || options->transcripts
            ? bl_fail(diag, BL_USAGE, "%s is a bundle, which has no records", call->word[0])
            : bundle_verify(&told, call->word[0], diag);
    if (status == BL_OK && list)
        command_json(json_pack("{s:I,s:s,s:s,s:O}", "acts", (json_int_t)told.acts, "last",
                               told.last, "bundle", told.whole, "differences", list),
                     JSON_INDENT(2));
    else if (status == BL_OK)
        printf("acts: %u, %s%s\nbundle: %s, to be compared with the hash that was made known\n%s",
               told.acts, told.about, told.last, told.whole,
               told.differences ? ""
                                : "verified: each file has its hash, and what follows from the "
                                  "acts is the same when it is made again\n");
    if (status == BL_OK && told.differences)
        status = bl_fail(diag, BL_DATA, "%u difference%s in the bundle", told.differences,
                         BL_S(told.differences));
    json_decref(list);
    return status;
}

/* Prints the outcome, its proof, and the next step. */
static void say_verified(const struct contest *contest, const struct command_call *call)
{
    const struct contest_verify_options *options = call->options;
    bool whole = contest->sealed && options->records &&
                 (options->transcripts || contest->ruleset.names == WORD_NO);
    command_print(
        "verified: acts, draw and schedule%s%s: all agree. Whoever noted that hash before, "
        "and sees it here again, knows that no act was changed since.\n",
        options->records ? ", records" : "", options->transcripts ? ", transcripts" : "");
    if (!contest_next_verified(contest, call->word[0], whole))
        command_print("Nothing is left to do: keep %s, its records and what was published.\n",
                      call->word[0]);
}

static enum bl_status contest_verify(const struct command_call *call, struct bl_diag *diag)
{
    const struct contest_verify_options *options = call->options;
    struct stat about;
    if (stat(call->word[0], &about) == 0 && S_ISDIR(about.st_mode))
        return verify_bundle(call, diag);
    struct contest_file file = {.store = NULL};
    json_t *list = options->common.json ? json_array() : NULL;
    struct verify verify = {.differs = tell_difference, .ctx = list};
    char last[2 * ACT_HASH_BYTES + 1] = "";
    enum bl_status status = contest_file_open(&file, call, diag); /* checks each act */
    if (status == BL_OK)
        status = store_read(file.store, 0, keep_hash, last, diag);
    if (status == BL_OK && !options->common.json)
        print_acts(file.contest, last);
    verify.contest = file.contest;
    if (status == BL_OK)
        status = verify_folders(&verify, options->records, options->transcripts, diag);
    if (status == BL_OK && options->common.json) {
        json_t *all = json_pack("{s:I,s:s,s:i,s:O,s:o}", "acts", (json_int_t)file.contest->acts,
                                "last", last, "records", (int)verify.files, "differences", list,
                                "draws", record_draws(file.contest));
        command_json(all, JSON_INDENT(2));
    } else if (status == BL_OK && (options->records || options->transcripts)) {
        printf("records: %u file%s, %u difference%s\n", verify.files, BL_S(verify.files),
               verify.differences, BL_S(verify.differences));
    }
    if (status == BL_OK && !options->common.json && !verify.differences)
        say_verified(file.contest, call);
    if (status == BL_OK && verify.differences)
        status = bl_fail(diag, BL_DATA, "%u difference%s between the contest and its records",
                         verify.differences, BL_S(verify.differences));
    verify_free(&verify);
    json_decref(list);
    contest_file_close(&file);
    return status;
}

static const struct command_option verify_options[] = {
    OPTION_ROW("--records", "DIR", "the folder with journals and ballot files of all machines",
               OPTION_TEXT, struct contest_verify_options, records),
    OPTION_ROW("--transcripts", "DIR", "the folder with r1-j1.txt and so on, as published",
               OPTION_TEXT, struct contest_verify_options, transcripts),
    OPTION_JSON(struct contest_options, "print one JSON object"),
    {0},
};

const struct command contest_verify_verbs[] = {
    {
        .name = "contest verify",
        .synopsis = "FILE [--records DIR] [--transcripts DIR] | BUNDLE",
        .help = "check the contest, and its records against it",
        .text =
            "Reads every act again and checks the chain of hashes, the draw and the schedule. With "
            "--records looks at each journal and ballot file in that folder and those in it: "
            "damage, sessions that are missing or were never held, how long parts were open, "
            "keys outside of one, ends not agreed, first words that the rules ask for, journals of "
            "two ends that contradict each other, and votes that differ. With --transcripts makes "
            "each transcript again. Of a bundle (contest publish) checks the hash of each file, "
            "and "
            "makes all again that follows from the acts. Names what differs, file by file, and "
            "then exits with 65.",
        .options = verify_options,
        .size = sizeof(struct contest_verify_options),
        .least = 1,
        .most = 1,
        .run = contest_verify,
    },
    {0},
};
