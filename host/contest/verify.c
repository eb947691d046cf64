#include "contest/survey.h"
#include "contest/verify.h"

#include "base/growing.h"
#include "base/utf8.h"
#include "contest/ballot_act.h"
#include "rules/ballot_kind.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void verify_differs(struct verify *verify, const char *where, const char *format, ...)
{
    char what[400];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    utf8_plain(what, sizeof what, what, strlen(what)); /* records may hold any bytes */
    verify->differences++;
    verify->differs(verify->ctx, where, what);
}

void verify_free(struct verify *verify)
{
    for (unsigned i = 0; i < verify->files; i++)
        free(verify->file[i].path);
    free(verify->file);
}

struct verify_file *verify_next(struct verify *verify, int kind, const char *session)
{
    for (unsigned i = 0; i < verify->files; i++) {
        struct verify_file *file = &verify->file[i];
        if (!file->seen && (int)file->kind == kind && strcmp(file->session, session) == 0)
            return file;
    }
    return NULL;
}

static bool ends_with(const char *name, const char *end, size_t *stem)
{
    size_t length = strlen(name), tail = strlen(end);
    *stem = length > tail ? length - tail : 0;
    return *stem && strcmp(name + *stem, end) == 0;
}

static enum bl_status add_file(struct verify *verify, const char *path, const char *name, int kind,
                               size_t stem, struct bl_diag *diag)
{
    struct verify_file *file =
        growing_array(verify->file, verify->files, &verify->room, sizeof *file);
    if (!file)
        return bl_fail(diag, BL_NOMEM, "no memory");
    verify->file = file;
    file = &verify->file[verify->files];
    memset(file, 0, sizeof *file);
    file->kind = (unsigned)kind;
    snprintf(file->session, sizeof file->session, "%.*s", (int)stem, name);
    file->seen =
        contest_is_spoiled(verify->contest, file->session); /* a spoiled session is not compared */
    file->path = strdup(path);
    if (!file->path)
        return bl_fail(diag, BL_NOMEM, "no memory");
    verify->files++;
    return BL_OK;
}

enum bl_status verify_add(struct verify *verify, const char *path, const char *name, bool published,
                          struct bl_diag *diag)
{
    static const struct {
        const char *end;
        int kind;
    } kinds[] = {
        {"-judge.journal", FILE_JUDGE}, {"-entity.journal", FILE_ENTITY}, {".ballot", FILE_BALLOT}};
    unsigned round, judge;
    size_t stem, length = contest_session_length(name, &round, &judge);
    if (published && length && strcmp(name + length, ".txt") == 0)
        return add_file(verify, path, name, FILE_PUBLISHED, length, diag);
    for (unsigned i = 0; !published && i < sizeof kinds / sizeof kinds[0]; i++)
        if (ends_with(name, kinds[i].end, &stem))
            return add_file(verify, path, name, kinds[i].kind, stem, diag);
    return BL_OK;
}

/* True if a differing ballot file is passed over, since the manager has settled the session. One of
 * its files must have the contest's vote. */
static bool pass_over(struct verify *verify, const char *session)
{
    const struct contest *contest = verify->contest;
    for (unsigned i = 0; i < contest->settlements; i++)
        if (strcmp(contest->settled[i].session, session) == 0)
            return ++verify->passed[i] < contest->settled[i].of;
    return false;
}

static bool has_ranks(const struct contest *contest, const struct ranking *ranking, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (contest_rank_by(contest, &ranking[i]) != ranking[i].rank)
            return false;
    return true;
}

static void compare_ranks(struct verify *verify, const char *path, const struct ballot_file *file)
{
    struct ranking ranking[VOTE_RANKS_MAX];
    struct bl_diag why;
    if (contest_read_ranks(verify->contest, file, ranking, &why)) {
        verify_differs(verify, path, "%s", why.text);
        return;
    }
    if (!has_ranks(verify->contest, ranking, file->head.vote.ranks) &&
        pass_over(verify, file->head.session))
        return;
    for (unsigned i = 0; i < file->head.vote.ranks; i++) {
        const struct ranking *r = &ranking[i];
        unsigned has = contest_rank_by(verify->contest, r);
        if (has == 0)
            verify_differs(verify, path, "rank %u of candidate %u is not in the contest", r->rank,
                           r->candidate + 1U);
        else if (has != r->rank)
            verify_differs(verify, path, "candidate %u has rank %u, in the contest %u",
                           r->candidate + 1U, r->rank, has);
    }
}

static void compare_survey(struct verify *verify, const char *path, const struct ballot_file *file)
{
    struct act_body act;
    bool known = false, some = false;
    struct bl_diag why;
    if (survey_read(verify->contest, file, &act, &known, &some, &why)) {
        verify_differs(verify, path, "%s", why.text);
        return;
    }
    json_decref(act.survey.fields);
    if (!known && !pass_over(verify, file->head.session))
        verify_differs(verify, path, "its answers are %s",
                       some ? "not those of the contest" : "not in the contest");
}

static void compare_ballot(struct verify *verify, const char *path, const struct ballot_file *file)
{
    const struct contest *contest = verify->contest;
    const struct ballot_row *row = ballot_row(contest->ruleset.ballot);
    struct ballot ballot;
    char words[BALLOT_WORDS_MAX], other[BALLOT_WORDS_MAX];
    struct bl_diag why;
    if (contest_read_ballot(contest, file, &ballot, &why)) {
        verify_differs(verify, path, "%s", why.text);
        return;
    }
    const struct ballot *there = contest_ballot_given(contest, &ballot);
    row->write(&ballot, words);
    const struct meeting *meeting = contest_meeting(contest, &ballot);
    if (!there && ballot.late && meeting && contest_is_taken_back(contest, meeting))
        return; /* the manager has taken this late ballot back */
    if (there && !ballot_is_same(there, &ballot) && pass_over(verify, file->head.session))
        return;
    if (there && ballot.late && !there->late)
        verify_differs(verify, path, "it was given late, and the contest does not say so");
    if (!there) {
        verify_differs(verify, path, "it says %s, and the contest has no such ballot", words);
    } else if (!ballot_is_same(there, &ballot)) {
        row->write(there, other);
        verify_differs(verify, path, "it says %s, the contest has %s%s", words, other,
                       there->fields == ballot.fields ? "" : " and other fields");
    }
}

void verify_ballot(struct verify *verify, struct verify_file *file,
                   const struct ballot_file *ballot)
{
    const struct contest *contest = verify->contest;
    if (contest_is_spoiled(contest, ballot->head.session)) {
        file->seen = true; /* a spoiled session's file is kept and does not count */
        return;
    }
    if (ballot->damaged)
        verify_differs(verify, file->path, "%u of its lines are damaged or come after its seal",
                       ballot->damaged);
    if (strcmp(ballot->head.rules, contest->ruleset.name) != 0)
        verify_differs(verify, file->path, "it was given under the rules of %s, not of %s",
                       ballot->head.rules, contest->ruleset.name);
    else if (!ballot->given)
        verify_differs(verify, file->path, "no ballot was given in it");
    else if (ballot->head.vote.kind == BALLOT_SURVEY)
        compare_survey(verify, file->path, ballot);
    else if (!contest->drawn)
        verify_differs(verify, file->path,
                       "it says left and right, which the contest has not drawn");
    else if (ballot->head.vote.kind == BALLOT_RANKS)
        compare_ranks(verify, file->path, ballot);
    else
        compare_ballot(verify, file->path, ballot);
    file->seen = ballot->head.vote.kind >= BALLOT_RANKS;
    if (!file->seen)
        snprintf(file->session, sizeof file->session, "%s", ballot->head.session);
}

void verify_entities(struct verify *verify, const struct meeting *meeting, const char *session)
{
    unsigned expected = meeting->confederate == PERSON_NOBODY ? 1 : 2, count = 0;
    for (unsigned i = 0; i < verify->files; i++)
        count +=
            verify->file[i].kind == FILE_ENTITY && strcmp(verify->file[i].session, session) == 0;
    if (count != expected)
        verify_differs(verify, session, "entities' journals: %u, expected %u", count, expected);
}
