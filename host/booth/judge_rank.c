#include "booth/judge_rank.h"

#include "booth/balloting.h"
#include "booth/machine_key.h"
#include "booth/viewing.h"
#include "booth/transcript_source.h"
#include "rules/ballot_kind.h"
#include "screen/past.h"
#include "transcript/player.h"
#include "booth/messages.h"

#include <libgen.h>
#include <stdlib.h>
#include <string.h>

#define TELL_US 8000000 /* duration of a message on the screen */

struct rank_round {
    struct transcript_source source;
    struct player *player;
    struct player_view view;
    struct ballot_file ballot; /* the judge's ballot of this session */
    enum side side;            /* side of the ranked candidate */
    const char *words;         /* the candidate's name on the form */
};

struct rank_run {
    const struct judge_rank_options *options;
    struct rank_round *round; /* an array of options->journals rounds */
    unsigned at;              /* index of the session on the screen */
    struct balloting balloting;
    struct ballot_signer signer;
    struct booth_clock clock;
    struct viewing viewing;
    struct past past;
    char message[120];
    uint64_t message_until_us;
    bool missed; /* the judge was told that no rank is given */
};

static bool is_single(const struct rank_round *round)
{
    return !round->view.used[SIDE_LEFT] || !round->view.used[SIDE_RIGHT];
}

/* Finds the session's candidate for a rank. 2009 §3b: the entity not taken for the human; long bet
 * II: the only entity. */
static enum bl_status find_side(struct rank_round *round, const char *journal, struct bl_diag *diag)
{
    const struct ballot_file *ballot = &round->ballot;
    const struct ballot_row *row = ballot_row(ballot->head.vote.kind);
    if (!ballot->given)
        return bl_fail(diag, BL_DATA, say_fail_no_ballot_was_given_in_this, journal);
    if (!row->ranked)
        return bl_fail(diag, BL_DATA, say_fail_rules_with_a_ballot_of_the, journal, row->name);
    round->side = (enum side)row->ranked(
        &ballot->vote, round->view.used[SIDE_RIGHT] ? SIDE_RIGHT : SIDE_LEFT, &round->words);
    return BL_OK;
}

static enum bl_status open_round(struct rank_run *r, unsigned i, struct bl_diag *diag)
{
    struct rank_round *round = &r->round[i];
    const char *journal = r->options->journal[i];
    const struct transcript_request request = {.file = journal, .from = "journal"};
    char path[PATH_MAX];
    enum bl_status status = balloting_path(journal, path, diag);
    if (!status)
        status = transcript_source_open(&round->source, &request, diag);
    if (!status && round->source.journal.transcript.role != PARTY_JUDGE)
        status = bl_fail(diag, BL_DATA, say_fail_is_an_entity_expected_a_judge, journal);
    if (!status)
        status = balloting_load(&round->ballot, path, diag);
    if (!status &&
        strcmp(round->ballot.head.session, round->source.journal.transcript.session) != 0)
        status = bl_fail(diag, BL_DATA, say_fail_is_the_ballot_of_session_not, path,
                         round->ballot.head.session, round->source.journal.transcript.session);
    if (status)
        return status;
    round->player = player_create(&round->source.history, &round->source.journal.transcript.style);
    if (!round->player)
        return bl_fail(diag, BL_NOMEM, say_fail_no_memory_for_the_pages);
    player_seek(round->player, UINT64_MAX, 0);
    player_view(round->player, 0, &round->view);
    return r->options->correct ? BL_OK : find_side(round, journal, diag);
}

/* Checks that all rounds are of one contest, and that no round is repeated. */
static enum bl_status check_rounds(const struct rank_run *r, struct bl_diag *diag)
{
    const struct ballot_head *first = &r->round[0].ballot.head;
    for (unsigned i = 1; i < r->options->journals; i++) {
        const struct ballot_head *head = &r->round[i].ballot.head;
        if (contest_id_differ(head->contest, first->contest))
            return bl_fail(diag, BL_DATA, say_fail_sessions_of_two_contests, first->session,
                           head->session);
        if (strcmp(head->rules, first->rules) != 0 || head->vote.kind != first->vote.kind)
            return bl_fail(diag, BL_DATA, say_fail_session_was_judged_by_by_rank, first->session,
                           first->rules, head->session, head->rules);
        for (unsigned k = 0; k < i; k++)
            if (strcmp(r->round[k].ballot.head.session, head->session) == 0)
                return bl_fail(diag, BL_DATA, say_fail_session_is_given_twice, head->session);
    }
    return BL_OK;
}

static enum bl_status open_file(struct rank_run *r, const char *path,
                                const struct ballot_head *head, struct bl_diag *diag)
{
    const char *key = r->options->booth->machine_key;
    enum bl_status status = key ? machine_key_open(&r->signer, key, diag) : BL_OK;
    return status ? status
                  : balloting_open(&r->balloting, path, head, key ? &r->signer : NULL, diag);
}

static enum bl_status open_ranks(struct rank_run *r, struct bl_diag *diag)
{
    const struct judge_rank_options *o = r->options;
    const char *name = o->booth->session ? o->booth->session : "ranks";
    struct ballot_head head = {.vote = {.kind = BALLOT_RANKS, .ranks = o->journals},
                               .sealing = SEALED_WITH_CONTEST};
    char folder[PATH_MAX], path[PATH_MAX + SESSION_ID_MAX + 16];
    snprintf(folder, sizeof folder, "%s", o->journal[0]);
    snprintf(path, sizeof path, "%s/%s-judge.ballot", dirname(folder), name);
    snprintf(head.session, sizeof head.session, "%s", name);
    snprintf(head.rules, sizeof head.rules, "%s", r->round[0].ballot.head.rules);
    memcpy(head.contest, r->round[0].ballot.head.contest, sizeof head.contest);
    for (unsigned i = 0; i < o->journals; i++) {
        memcpy(head.item[i].session, r->round[i].ballot.head.session, sizeof head.item[i].session);
        head.item[i].side = r->round[i].side == SIDE_RIGHT;
    }
    enum bl_status status = open_file(r, path, &head, diag);
    for (unsigned i = 0; i < o->journals; i++) {
        snprintf(r->balloting.form.label[i], sizeof r->balloting.form.label[i], "%.28s, %s",
                 head.item[i].session, r->round[i].words);
    }
    return status;
}

static enum bl_status open_correction(struct rank_run *r, struct bl_diag *diag)
{
    const struct ballot_head *head = &r->round[0].ballot.head;
    char path[PATH_MAX];
    enum bl_status status = balloting_path(r->options->journal[0], path, diag);
    if (status)
        return status;
    if (head->sealing != SEALED_WITH_CONTEST)
        return bl_fail(diag, BL_DATA, say_fail_by_a_ballot_is_sealed_with, path, head->rules);
    return open_file(r, path, head, diag);
}

static void fill_model(struct rank_run *r, struct screen_model *m, uint64_t now_us)
{
    const struct form *form = &r->balloting.form;
    const struct rank_round *round;
    if (!r->options->correct && !form_in_notes(form))
        r->at = form->field;
    round = &r->round[r->at];
    m->role = PARTY_JUDGE;
    m->sides = 0;
    m->segment = round->ballot.head.session;
    m->remaining_us = UINT64_MAX;
    m->message = now_us < r->message_until_us ? r->message : "";
    m->entry = "";
    m->form = form;
    m->past = &r->past;
    r->past.ballot = true;
    for (enum side side = 0; side < SIDES; side++) {
        bool ranked = !r->options->correct && side == round->side;
        if (!round->view.used[side] && (is_single(round) && round->view.used[!side]))
            continue;
        r->past.who[m->sides] = ranked ? say_rank_this_one : "";
        m->side[m->sides++] =
            (struct screen_side){.page = round->view.page[side],
                                 .title = side == SIDE_LEFT ? say_left : say_right,
                                 .reach = REACH_YES,
                                 .reason = "",
                                 .state = ""};
    }
    if (m->sides == 1)
        m->side[0].title = say_the_entity_loud;
}

static void tell(struct rank_run *r, const char *words)
{
    snprintf(r->message, sizeof r->message, "%s", words);
    r->message_until_us = bl_mono_us() + TELL_US;
}

static uint64_t look(void *ctx, struct screen_model *model, uint64_t now_us)
{
    struct rank_run *r = ctx;
    uint64_t due = balloting_run(&r->balloting, booth_now(&r->clock));
    if (now_us < r->message_until_us)
        booth_sooner(&due, r->message_until_us);
    fill_model(r, model, now_us);
    return due;
}

static void end(void *ctx)
{
    struct rank_run *r = ctx;
    balloting_close(&r->balloting);
}

static bool on_first(void *ctx, enum input_what what, uint32_t point)
{
    struct rank_run *r = ctx;
    enum bl_status status = BL_OK;
    bool taken = true;
    if (what == INPUT_F10 && (r->missed || r->balloting.file.given)) {
        viewing_stop(&r->viewing);
        return true;
    }
    if (what == INPUT_F10) {
        r->missed = true;
        tell(r, say_nothing_is_given_yet_f10);
    } else if (what == INPUT_F12) {
        tell(r, say_there_is_no_line_here);
    } else {
        taken = balloting_feed(&r->balloting, what, point, booth_now(&r->clock).wall_us, &status);
    }
    if (status)
        tell(r, say_it_cannot_be_written_call);
    if (taken)
        viewing_look(&r->viewing);
    return taken;
}

static void on_key(void *ctx, uint32_t point)
{
    struct rank_run *r = ctx;
    (void)point;
    tell(r, say_press_f3_to_type_on);
    viewing_look(&r->viewing);
}

static void on_warning(void *ctx, const char *text)
{
    tell(ctx, text);
}

static void on_kept(void *ctx)
{
    struct rank_run *r = ctx;
    balloting_kept(&r->balloting);
    viewing_look(&r->viewing);
}

static enum bl_status begin(void *ctx, uv_loop_t *loop, struct bl_diag *diag)
{
    struct rank_run *r = ctx;
    const struct sync_callbacks called = {on_warning, on_kept};
    enum bl_status status = lines_attach(r->balloting.lines, loop, &called, r);
    if (status)
        return bl_fail(diag, status, say_fail_the_ballot_file, bl_status_text(status));
    r->balloting.form.state = FORM_OPEN;
    return BL_OK;
}

static const struct viewing_callbacks callbacks = {
    .first = on_first, .key = on_key, .begin = begin, .look = look, .end = end};

struct rank_script {
    struct rank_run *run;
    enum bl_status status;
    struct bl_diag *diag;
};

static void take_ballot(void *ctx, const char *text)
{
    struct rank_script *script = ctx;
    struct balloting *b = &script->run->balloting;
    struct vote vote;
    if (script->status == BL_OK)
        script->status = vote_parse(&vote, &b->form.rules, text, strlen(text), script->diag);
    if (script->status == BL_OK) {
        script->status = balloting_give(b, &vote, booth_now(&script->run->clock).wall_us);
        if (script->status)
            bl_fail(script->diag, script->status, say_fail_the_ballot_cannot_be_written,
                    bl_status_text(script->status));
    }
}

static enum bl_status take_script(struct rank_run *r, struct bl_diag *diag)
{
    struct rank_script taking = {.run = r, .diag = diag};
    struct script *script;
    enum bl_status status;
    if (!r->options->booth->script)
        return bl_fail(diag, BL_USAGE, say_fail_missing_script_file_with_the_ballot);
    status = script_load(&script, r->options->booth->script, diag);
    if (status)
        return status;
    script_ballots(script, take_ballot, &taking);
    script_destroy(script);
    return taking.status;
}

enum bl_status judge_rank_run(const struct judge_rank_options *options, struct bl_diag *diag)
{
    struct rank_run *r = calloc(1, sizeof *r);
    const struct screens_options which = {
        .screen = options->booth->screen, .dir = options->booth->journal_dir, .name = "judge"};
    enum bl_status status = BL_OK;
    if (r)
        r->round = calloc(options->journals, sizeof *r->round);
    if (!r || !r->round) {
        free(r);
        return bl_fail(diag, BL_NOMEM, say_fail_no_memory);
    }
    r->options = options;
    booth_clock_init(&r->clock);
    for (unsigned i = 0; i < options->journals && !status; i++)
        status = open_round(r, i, diag);
    if (!status)
        status = check_rounds(r, diag);
    if (!status)
        status = options->correct ? open_correction(r, diag) : open_ranks(r, diag);
    if (!status)
        status = options->booth->headless ? take_script(r, diag)
                                          : viewing_run(&r->viewing, &which, options->booth->kiosk,
                                                        options->booth->small, &callbacks, r, diag);
    balloting_close(&r->balloting);
    for (unsigned i = 0; i < options->journals; i++) {
        player_destroy(r->round[i].player);
        transcript_source_close(&r->round[i].source);
    }
    machine_key_wipe(&r->signer);
    free(r->round);
    free(r);
    return status;
}
