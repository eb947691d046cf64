/* The verbs of a contest's rounds: draw, begin, and the schedule of a contest's file. */
#include "base/file.h"
#include "cli/contest.h"
#include "cli/contest_plan.h"
#include "contest/draw.h"
#include "contest/next.h"
#include "contest/plan.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The path of the secret seed beside the contest's file, until it is revealed. */
static void seed_path(const char *file, const char *kind, char *out, size_t size)
{
    snprintf(out, size, "%s.%s", file, kind);
}

/* Reads a seed's file. Returns the number of bytes; below 0: errno has the reason. */
static ssize_t read_seed(const char *path, uint8_t *seed, size_t length)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t count = fd < 0 ? -1 : read(fd, seed, length);
    if (fd >= 0)
        close(fd);
    return count;
}

/* Takes the waiting seed, or makes one. A whole seed without a commitment is left from an
 * interrupted `commit`, unseen, and is used. A torn one is replaced. */
static enum bl_status take_seed(const char *path, uint8_t *seed, size_t length,
                                struct bl_diag *diag)
{
    ssize_t count = read_seed(path, seed, length);
    if (count == (ssize_t)length)
        return BL_OK;
    if (count < 0 && errno != ENOENT)
        return bl_fail(diag, BL_IO, "%s: %s", path, strerror(errno));
    if (count >= 0 && unlink(path) != 0)
        return bl_fail(diag, BL_IO, "%s: %s", path, strerror(errno));
    randombytes_buf(seed, length);
    return file_write(path, seed, length, diag);
}

struct seed_state {
    bool committed, given, again; /* `again`: another seed may follow */
    const uint8_t *commitment;
    const char *verb, *give; /* the next steps, for messages */
};

static struct seed_state state_of(const struct contest *contest, const char *kind)
{
    const struct toss *toss = contest->tosses ? &contest->toss[contest->tosses - 1] : NULL;
    if (strcmp(kind, "coin") == 0)
        return (struct seed_state){
            toss, toss && toss->tossed, true, toss ? toss->commitment : NULL, "coin", "toss"};
    return (struct seed_state){contest->committed,
                               contest->drawn && !contest->undrawn,
                               false,
                               contest->commitment,
                               "draw",
                               "reveal"};
}

/* Commits to the waiting seed of that name, or to a new one. `instead`: further text to be
 * published. */
static enum bl_status commit_seed(struct contest_file *file, const char *name, size_t length,
                                  const char *instead, struct act_body *act, struct bl_diag *diag)
{
    uint8_t seed[CONTEST_SEED], commitment[ACT_HASH_BYTES];
    char hex[2 * ACT_HASH_BYTES + 1];
    enum bl_status status = take_seed(name, seed, length, diag);
    if (status != BL_OK)
        return status;
    contest_commit(seed, length, commitment);
    contest_hex(commitment, sizeof commitment, hex);
    sodium_memzero(seed, sizeof seed);
    *(act->kind == ACT_COIN ? &act->coin.commitment : &act->commit.commitment) = hex;
    status = contest_file_append(file, act, diag);
    if (status == BL_OK)
        printf("commitment %s\nPublish this line now%s. The seed is in %s; keep it secret until it "
               "is given away.\n",
               hex, instead, name);
    return status;
}

/* Removes the file of a revealed seed; another seed stays. */
static enum bl_status remove_given(const char *name, const struct contest *contest, size_t length,
                                   struct bl_diag *diag)
{
    uint8_t seed[CONTEST_SEED], commitment[ACT_HASH_BYTES];
    bool given = false;
    if (read_seed(name, seed, length) != (ssize_t)length)
        return BL_OK;
    contest_commit(seed, length, commitment);
    for (unsigned i = 0; i < contest->draws; i++)
        given = given || memcmp(commitment, contest->past[i].commitment, sizeof commitment) == 0;
    for (unsigned i = 0; i < contest->tosses; i++)
        given = given || memcmp(commitment, contest->toss[i].commitment, sizeof commitment) == 0;
    if (given && unlink(name) != 0)
        return bl_fail(diag, BL_IO, "%s: %s", name, strerror(errno));
    return BL_OK;
}

enum bl_status contest_seed_commit(struct contest_file *file, const char *path, const char *kind,
                                   size_t length, struct act_body *act, struct bl_diag *diag)
{
    const struct seed_state state = state_of(file->contest, kind);
    char name[300], hex[2 * ACT_HASH_BYTES + 1];
    enum bl_status status;
    if (state.committed && !(state.given && state.again)) {
        contest_hex(state.commitment, ACT_HASH_BYTES, hex);
        return bl_fail(diag, BL_DATA,
                       "the %s has its commitment already, %s, and cannot be changed. Next: "
                       "boothlink contest %s %s %s",
                       state.verb, hex, state.verb, path, state.give);
    }
    seed_path(path, kind, name, sizeof name);
    status = remove_given(name, file->contest, length, diag);
    return status == BL_OK ? commit_seed(file, name, length, "", act, diag) : status;
}

enum bl_status contest_seed_reveal(struct contest_file *file, const char *path, const char *kind,
                                   size_t length, struct act_body *act, struct bl_diag *diag)
{
    const struct seed_state state = state_of(file->contest, kind);
    uint8_t seed[CONTEST_SEED];
    char name[300], hex[2 * CONTEST_SEED + 1];
    ssize_t count;
    enum bl_status status;
    if (!state.committed)
        return bl_fail(diag, BL_DATA,
                       "the commitment comes before the seed. Next: boothlink contest %s %s "
                       "commit",
                       state.verb, path);
    if (state.given)
        return bl_fail(
            diag, BL_DATA,
            "%s already, and the seed is on the record. Next: boothlink contest verify %s",
            strcmp(kind, "coin") == 0 ? "the coin was tossed" : "the sides are drawn", path);
    seed_path(path, kind, name, sizeof name);
    count = read_seed(name, seed, length);
    if (count != (ssize_t)length)
        return bl_fail(diag, BL_NOINPUT,
                       "%s: %s; missing the seed of the commitment: bring it from the "
                       "machine where \"commit\" was done",
                       name, count < 0 ? strerror(errno) : "too short");
    contest_hex(seed, length, hex);
    *(act->kind == ACT_COIN ? &act->coin.seed : &act->seed.seed) = hex;
    status = contest_file_append(file, act, diag);
    if (status != BL_OK)
        return status;
    printf("seed %s\n%s\n", hex,
           strcmp(kind, "coin") == 0
               ? "Publish this too: whoever has the commitment can check it."
               : "It tells who sits where: publish it when the contest is over, so that whoever "
                 "has the commitment can check it.");
    return BL_OK;
}

struct contest_draw_options {
    struct contest_options common;
    const char *public, *value, *by;
};

/* Checks the options of a public value: `commit` names it; `reveal` states it. */
static enum bl_status check_draw_options(const struct contest_draw_options *options, bool commit,
                                         struct bl_diag *diag)
{
    if (commit && (options->value || options->by))
        return bl_fail(diag, BL_USAGE,
                       "%s says what became of the public value, which \"reveal\" does; "
                       "\"commit\" names it: --public TEXT",
                       options->value ? "--value" : "--by");
    if (!commit && options->public)
        return bl_fail(diag, BL_USAGE,
                       "--public names a value before it is known, which \"commit\" "
                       "does; \"reveal\" states it: --value TEXT");
    return BL_OK;
}

static struct act_body commit_act(const struct contest_draw_options *options)
{
    return (struct act_body){.kind = ACT_COMMIT,
                             .commit = {.draw = DRAW_VERSION, .public = options->public}};
}

static struct act_body seed_act(const struct contest_draw_options *options, const char *author)
{
    const char *by = options->by ? options->by : author;
    return (struct act_body){.kind = ACT_SEED,
                             .seed = {.value = options->value, .by = options->value ? by : NULL}};
}

static void print_public(const struct contest *contest)
{
    if (!contest->public_name[0])
        printf("note: no public value was named at the commitment\n");
    else if (contest->drawn && !contest->undrawn)
        command_print("mixed with \"%s\" (%s), stated by %s\n", contest->public_value,
                      contest->public_name, contest->public_by);
    else
        command_print("It will be mixed with %s: publish that too.\n", contest->public_name);
}

/* Commits to a new seed after the loss of the old. A waiting seed other than the old commitment's
 * is left from an interrupted `again`. */
static enum bl_status draw_again(struct contest_file *file, const struct command_call *call,
                                 struct bl_diag *diag)
{
    const struct contest_draw_options *options = call->options;
    const struct contest *contest = file->contest;
    uint8_t seed[CONTEST_SEED], commitment[ACT_HASH_BYTES];
    struct act_body act = commit_act(options);
    char name[300];
    if (!options->common.why)
        return bl_fail(diag, BL_USAGE, "missing --why TEXT, for the record");
    if (!contest->committed)
        return bl_fail(diag, BL_DATA,
                       "nothing is committed to yet. Next: boothlink contest draw %s commit",
                       call->word[0]);
    if (contest->drawn && !contest->undrawn)
        return bl_fail(diag, BL_DATA, "the sides are drawn, and the seed is on the record");
    seed_path(call->word[0], "seed", name, sizeof name);
    if (read_seed(name, seed, sizeof seed) == (ssize_t)sizeof seed) {
        contest_commit(seed, sizeof seed, commitment);
        if (memcmp(commitment, contest->commitment, sizeof commitment) == 0)
            return bl_fail(diag, BL_DATA, "%s is there and is the commitment's: nothing is lost",
                           name);
    }
    act.commit.lost = true;
    act.commit.why = options->common.why;
    return commit_seed(file, name, sizeof seed, ", and that it takes the place of the one before",
                       &act, diag);
}

static enum bl_status contest_draw(const struct command_call *call, struct bl_diag *diag)
{
    const struct contest_draw_options *options = call->options;
    struct contest_file file = {.store = NULL};
    bool commit = strcmp(call->word[1], "commit") == 0;
    bool again = strcmp(call->word[1], "again") == 0;
    enum bl_status status = BL_OK;
    if (!commit && !again && strcmp(call->word[1], "reveal") != 0)
        status =
            bl_fail(diag, BL_USAGE, "'%.20s': expected commit, reveal or again", call->word[1]);
    if (status == BL_OK)
        status = check_draw_options(options, commit || again, diag);
    if (status == BL_OK)
        status = contest_file_open(&file, call, diag);
    if (status == BL_OK && again)
        status = draw_again(&file, call, diag);
    else if (status == BL_OK && !commit && file.contest->schedule.count == 0)
        status = bl_fail(diag, BL_USAGE,
                         "the schedule comes before the draw of its sides: contest "
                         "schedule %s",
                         call->word[0]);
    if (status == BL_OK && !again) {
        struct act_body act = commit ? commit_act(options) : seed_act(options, file.author);
        status = (commit ? contest_seed_commit : contest_seed_reveal)(&file, call->word[0], "seed",
                                                                      CONTEST_SEED, &act, diag);
    }
    if (status == BL_OK)
        print_public(file.contest);
    if (status == BL_OK)
        contest_next(file.contest, call->word[0]);
    contest_file_close(&file);
    return status;
}

static enum bl_status make_begin(const struct contest_making *m)
{
    struct bl_diag why;
    m->act->begin.present = true;
    if (!m->act->begin.why && m->contest->begun == m->contest->trial_from[m->contest->trials] &&
        contest_check_numbers(m->contest, &why))
        return bl_fail(m->diag, BL_DATA, "%s; --why TEXT begins all the same", why.text);
    return BL_OK;
}

static void tell_not_begun(const struct contest *contest)
{
    printf("round %u has not begun\n", contest->begun + 1);
}

static bool tell_begin(const struct contest_making *m)
{
    char line[CONTEST_DATE_LINE];
    if (contest_tell_other_day(m->contest, line))
        printf("note: %s\n", line);
    printf("round %u of %u has begun\n", m->contest->begun, m->contest->schedule.rounds);
    return false;
}

/* Notes how many more people the rules require. Refuses more Entries than places. */
static enum bl_status check_numbers(const struct contest *contest, const char *path,
                                    struct bl_diag *diag)
{
    const int least[] = {contest->ruleset.entries_least, contest->ruleset.judges_least,
                         contest->ruleset.confederates_least};
    static const char *const names[] = {"Entries", "judges", "confederates"};
    if (contest_wants_selection(contest))
        return bl_fail(diag, BL_DATA,
                       "%u Entries, and the final round has %d at most: contest select %s says "
                       "which, and --final records it",
                       contest_there(contest, CONTEST_ENTRY), contest->ruleset.entries_most, path);
    for (unsigned r = 0; r <= CONTEST_CONFEDERATE; r++) {
        int there = (int)contest_there(contest, (enum contest_role)r);
        if (there < least[r])
            printf("note: the rules want %d %s at least, and there are %d\n", least[r], names[r],
                   there);
    }
    return BL_OK;
}

/* Prints the quality of the new rounds; "impossible" if proven. */
static void print_bound(const struct contest_planned *planned)
{
    const struct schedule_bound *bound = &planned->bound;
    if (bound->unmet)
        printf("note: %u pair%s %s left out, J%u and E%u among them: all confederates are kept "
               "apart from one of the two. Another confederate could sit with them\n",
               bound->unmet, BL_S(bound->unmet), BL_ARE(bound->unmet), bound->first_unmet[0] + 1U,
               bound->first_unmet[1] + 1U);
    if (bound->way == SCHEDULE_SOLVED)
        contest_print_bound(bound, planned->made);
    if (bound->way == SCHEDULE_PRINTED)
        printf("The rounds are those of the table that the rules print: nothing is to be done. "
               "(contest schedule --optimal makes the fewest; tickets are written anew then.)\n");
    if (bound->waits)
        printf("%u time%s a judge or confederate sits a round out between two of his sessions\n",
               bound->waits, BL_S(bound->waits));
}

/* True if the value was named for an earlier draw. */
static bool is_used(const struct contest *contest, const char *public)
{
    bool used = false;
    for (unsigned i = 0; public && i < contest->draws; i++)
        used = used || strcmp(public, contest->past[i].public_name) == 0;
    return used;
}

/* Draws anew for rounds scheduled after a draw: by a new seed and, if a public value was used,
 * another value. Without a public value the draw is made at once. */
static enum bl_status draw_anew(struct contest_file *file, const char *path, const char *public,
                                struct bl_diag *diag)
{
    struct act_body commit = {.kind = ACT_COMMIT,
                              .commit = {.draw = DRAW_VERSION, .public = public}};
    struct act_body seed = {.kind = ACT_SEED};
    enum bl_status status = BL_OK;
    if (!file->contest->committed)
        status = contest_seed_commit(file, path, "seed", CONTEST_SEED, &commit, diag);
    if (status == BL_OK && !file->contest->public_name[0])
        status = contest_seed_reveal(file, path, "seed", CONTEST_SEED, &seed, diag);
    if (status == BL_OK)
        print_public(file->contest);
    return status;
}

enum bl_status contest_schedule_now(struct contest_file *file, const char *path, bool optimal,
                                    unsigned booths, const char *public, struct bl_diag *diag)
{
    const struct contest *contest = file->contest;
    struct schedule *rest = malloc(sizeof *rest);
    struct contest_planned planned = {.booths = booths};
    enum bl_status status =
        rest ? check_numbers(file->contest, path, diag) : bl_fail(diag, BL_NOMEM, "no memory");
    if (status == BL_OK)
        status = contest_plan(file->contest, optimal, rest, &planned, diag);
    if (status == BL_OK && contest->drawn && contest->public_name[0] &&
        (planned.changed || (contest->undrawn && !contest->committed)) &&
        (!public || is_used(contest, public)))
        status = bl_fail(diag, BL_DATA,
                         "the rounds to come are drawn anew, and %s is known by now: name another "
                         "value that nobody knows yet, with --public TEXT or as [draw] public",
                         contest->public_name);
    if (status == BL_OK && planned.changed) {
        const struct act_body act = contest_plan_act(file->contest, rest, &planned);
        status = contest_file_append(file, &act, diag);
    }
    if (status == BL_OK)
        printf("%u round%s, %u of them to come%s\n", file->contest->schedule.rounds,
               file->contest->schedule.rounds == 1 ? "" : "s",
               file->contest->schedule.rounds - file->contest->begun,
               planned.changed ? "" : "; nothing has changed, and they stay as they are");
    if (status == BL_OK && planned.changed && planned.kept)
        printf("kept, for they still hold: %u; new: %u\n", planned.kept, planned.made);
    if (status == BL_OK && planned.made) {
        print_bound(&planned);
        contest_print_more(&contest->schedule, planned.made, &planned.bound);
    }
    if (status == BL_OK && contest->undrawn)
        status = draw_anew(file, path, public, diag);
    free(rest);
    return status;
}

enum bl_status contest_schedule_file(const struct command_call *call, struct bl_diag *diag)
{
    const struct contest_schedule_options *options = call->options;
    struct contest_file file = {.store = NULL};
    enum bl_status status = contest_file_open(&file, call, diag);
    if (status == BL_OK)
        status = contest_schedule_now(&file, call->word[0], options->optimal,
                                      options->booths < 0 ? 0 : (unsigned)options->booths,
                                      options->public, diag);
    if (status == BL_OK)
        contest_tickets_anew(file.contest, call->word[0]);
    contest_file_close(&file);
    return status;
}

static bool tell_trial(const struct contest_making *m)
{
    printf("trial %u begins\n", m->contest->trials + 1);
    return false;
}

static const struct command_option draw_options[] = {
    CONTEST_AUTHOR,
    CONTEST_WHY,
    OPTION_ROW("--public", "TEXT", "commit: a value that nobody knows yet", OPTION_TEXT,
               struct contest_draw_options, public),
    OPTION_ROW("--value", "TEXT", "reveal: what that value is", OPTION_TEXT,
               struct contest_draw_options, value),
    OPTION_ROW("--by", "NAME", "reveal: who states it (default: the author)", OPTION_TEXT,
               struct contest_draw_options, by),
    {0},
};

static const struct command_option begin_options[] = {
    CONTEST_WHY_OF("begin with too few, for this reason"),
    CONTEST_AUTHOR,
    {0},
};

const struct command contest_rounds_verbs[] = {
    {
        .name = "contest draw",
        .synopsis = "FILE commit|reveal|again",
        .help = "decide who sits where, so that all can check it later",
        .text = "`commit` makes a secret seed beside the file, and a commitment to it that is to "
                "be published. With --public it names a value that nobody knows yet, such as the "
                "winning numbers of a coming lottery in rising order: then nobody can have tried "
                "seeds until he liked one. `reveal`, after the schedule is made, gives the seed "
                "away, with that value, and so decides who sits where, and who is met when. "
                "`again` commits to another seed where the first is lost, on the record.",
        .examples =
            "boothlink contest draw c.db commit --public \"numbers of the lottery of 5 June\"\n"
            "boothlink contest draw c.db reveal --value \"3 14 15 26 35 42\" --by \"A. Notary\"",
        .options = draw_options,
        .size = sizeof(struct contest_draw_options),
        .least = 2,
        .most = 2,
        .run = contest_draw,
    },
    {
        .name = "contest begin",
        .synopsis = "FILE ROUND",
        .help = "a round begins",
        .text = "From then on its sessions stay as they are scheduled. With fewer judges or "
                "confederates than the rules ask for it begins only with --why.",
        .options = begin_options,
        .least = 2,
        .most = 2,
        CONTEST_ACT(.kind = ACT_BEGIN, .words = {"round"}, .make = make_begin, .tell = tell_begin,
                    .untell = tell_not_begun),
    },
    {
        .name = "contest trial",
        .synopsis = "FILE",
        .help = "begin the next trial of the long bet",
        .text = "When all rounds of the trial before have begun. The same candidates are scheduled "
                "anew, and `contest result` joins the trials into a session.",
        .options = contest_author,
        .least = 1,
        .most = 1,
        CONTEST_ACT(.kind = ACT_TRIAL, .tell = tell_trial),
    },
    {0},
};
