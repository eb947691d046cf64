/* "boothlink contest import": the ballot files that judges' terminals keep. Sides become entities
 * by the draw, and the session's name tells round and judge, so that nobody types a number. */
#include "booth/balloting.h"
#include "cli/contest.h"
#include "contest/draw.h"

#include "contest/ballot_act.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum bl_status contest_import(const struct command_call *call, struct bl_diag *diag)
{
    const struct contest_vote_options *options = call->options;
    struct contest_file file = {.store = NULL};
    struct ballot_file *ballot = calloc(1, sizeof *ballot);
    json_t *body = NULL;
    bool ranks = false;
    enum bl_status status =
        ballot ? contest_file_open(&file, call, diag) : bl_fail(diag, BL_NOMEM, "no memory");
    if (status == BL_OK && !file.contest->drawn)
        status = bl_fail(diag, BL_DATA, "the sides are not drawn yet: contest draw %s reveal",
                         call->word[0]);
    if (status == BL_OK)
        status = balloting_load(ballot, call->word[1], diag);
    if (status == BL_OK && strcmp(ballot->head.rules, file.contest->ruleset.name) != 0)
        status = bl_fail(diag, BL_DATA, "%s: given under the rules of %.64s, this contest has %s",
                         call->word[1], ballot->head.rules, file.contest->ruleset.name);
    if (status == BL_OK && !ballot->given)
        status = bl_fail(diag, BL_DATA, "%s: no ballot was given in it", call->word[1]);
    if (status == BL_OK) {
        ranks = ballot->head.vote.kind == BALLOT_RANKS;
        body = contest_ballot_act(file.contest, ballot, diag);
        status = body ? BL_OK : BL_DATA;
    }
    if (status == BL_OK && !ranks && (options->correct || ballot->versions > 1) &&
        contest_ballot_is_there(file.contest, body))
        json_object_set_new(body, "correction", json_true());
    if (status == BL_OK)
        status = contest_file_append(&file, ranks ? "ranks" : "ballot", json_incref(body), diag);
    if (status == BL_OK)
        printf("%s: recorded%s%s\n", ballot->head.session, ballot->late ? ", given late" : "",
               ballot->damaged ? "; damaged lines were left out" : "");
    if (status == BL_OK)
        contest_next(file.contest, call->word[0]);
    json_decref(body);
    contest_file_close(&file);
    free(ballot);
    return status;
}

static const struct command_option import_options[] = {
    CONTEST_CORRECT,
    CONTEST_AUTHOR,
    {0},
};

const struct command contest_import_verbs[] = {
    {
        .name = "contest import",
        .synopsis = "FILE BALLOT",
        .help = "take a judge's ballot from the file that the terminal keeps",
        .text = "The format is in boothlink-ballot(5). The session's name tells round and judge, "
                "and the draw who sat where, so that nobody types a number.",
        .examples = "boothlink contest import c.db ~/contest/r1-j2-judge.ballot",
        .options = import_options,
        .size = sizeof(struct contest_vote_options),
        .least = 2,
        .most = 2,
        .run = contest_import,
    },
    {0},
};
