/* "boothlink contest verify": everything again from its sources, and what differs. */
#include "base/file.h"
#include "cli/contest.h"
#include "booth/transcript_source.h"
#include "contest/draw.h"
#include "contest/verify.h"
#include "rules/ballot_file.h"

#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct contest_verify_options {
    struct contest_options common;
    const char *records, *transcripts;
};

#define PUBLISHED_MAX (16u << 20)

static void tell_difference(void *ctx, const char *where, const char *what)
{
    json_t *list = ctx;
    if (list)
        json_array_append_new(list,
                              json_pack("{s:s,s:s%}", "where", where, "what", what, strlen(what)));
    else
        printf("differs: %s: %s\n", where, what);
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* All files of a folder and of those in it. */
static enum bl_status gather(struct verify *verify, const char *folder, bool published,
                             struct bl_diag *diag)
{
    char *paths[] = {(char *)folder, NULL};
    struct stat about;
    enum bl_status status = BL_OK;
    FTSENT *at;
    FTS *walk;
    if (stat(folder, &about))
        return bl_fail(diag, errno == EACCES ? BL_NOPERM : BL_NOINPUT, "%s: %s", folder,
                       strerror(errno));
    walk = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
    if (!walk)
        return bl_fail(diag, BL_IO, "%s: %s", folder, strerror(errno));
    while (status == BL_OK && (at = fts_read(walk))) {
        if (at->fts_info == FTS_F)
            status = verify_add(verify, at->fts_path, at->fts_name, published, diag);
        else if (at->fts_info == FTS_DNR || at->fts_info == FTS_ERR || at->fts_info == FTS_NS)
            verify_differs(verify, at->fts_path, "%s", strerror(at->fts_errno));
    }
    fts_close(walk);
    return status;
}

/* A file that cannot be read; the text begins with its path. */
static void differs_unread(struct verify *verify, const char *path, const struct bl_diag *why)
{
    size_t length = strlen(path);
    bool named = strncmp(why->text, path, length) == 0 && why->text[length] == ':';
    verify_differs(verify, path, "%s", named ? why->text + length + 2 : why->text);
}

/* One ballot file; what cannot be read is told. */
static enum bl_status look_into_ballot(struct verify *verify, struct verify_record *record,
                                       struct bl_diag *diag)
{
    struct ballot_file *file = calloc(1, sizeof *file);
    struct bl_diag why;
    if (!file)
        return bl_fail(diag, BL_NOMEM, "no memory");
    if (contest_ballot_load(file, record->path, &why) == BL_OK)
        verify_ballot(verify, record, file);
    else
        differs_unread(verify, record->path, &why);
    free(file);
    return BL_OK;
}

static void look_into_published(struct verify *verify, const char *path, const char *must)
{
    char *text;
    struct bl_diag why;
    if (file_read_text(&text, path, PUBLISHED_MAX, "a readable transcript", &why) == BL_OK)
        verify_published(verify, path, text, must);
    else
        differs_unread(verify, path, &why);
    free(text);
}

static enum bl_status look_into_all_published(struct verify *verify, const char *session,
                                              const struct transcript *transcript,
                                              struct bl_diag *diag)
{
    struct verify_record *record;
    char *must = NULL;
    enum bl_status status = BL_OK;
    while (status == BL_OK && (record = verify_next(verify, RECORD_PUBLISHED, session))) {
        record->seen = true;
        if (!must)
            status = verify_publish(verify->contest, transcript, &must);
        if (status == BL_OK)
            look_into_published(verify, record->path, must);
    }
    free(must);
    return status == BL_OK ? BL_OK : bl_fail(diag, status, "no memory");
}

static void look_into_entity(struct verify *verify, const char *path, const struct order_set *judge)
{
    const struct transcript_request request = {.file = path};
    struct transcript_journal entity;
    struct bl_diag why;
    memset(&entity, 0, sizeof entity);
    enum bl_status status = transcript_journal_open(&entity, &request, &why);
    if (status == BL_OK)
        verify_entity(verify, path, judge, &entity.set, entity.transcript.damaged);
    else
        verify_differs(verify, path, "it cannot be read: %s", bl_status_text(status));
    transcript_journal_close(&entity);
}

/* The judge's journal of a meeting, the entities' journals of it and its published transcripts.
 * BL_NOMEM alone. */
static enum bl_status look_into_session(struct verify *verify, const struct meeting *meeting,
                                        struct verify_record *judge, struct bl_diag *diag)
{
    const struct transcript_request request = {.file = judge->path, .from = "journal"};
    struct transcript_source source = {.is_journal = false};
    const struct order_set *set = &source.journal.set;
    struct verify_record *entity;
    struct bl_diag why;
    enum bl_status status = transcript_source_open(&source, &request, &why);
    bool good =
        status == BL_OK && set->role == PARTY_JUDGE && strcmp(set->session, judge->session) == 0;
    if (status == BL_NOMEM)
        bl_fail(diag, BL_NOMEM, "no memory");
    else if (status != BL_OK)
        verify_differs(verify, judge->path, "it cannot be read: %s", bl_status_text(status));
    else if (!good)
        verify_differs(verify, judge->path, "it is not the judge's journal of session %s",
                       judge->session);
    if (good)
        verify_judge(verify, judge->path, meeting, set, &source.journal.transcript,
                     &source.history);
    while (good && (entity = verify_next(verify, RECORD_ENTITY, judge->session))) {
        entity->seen = true;
        look_into_entity(verify, entity->path, set);
    }
    status = status == BL_NOMEM ? BL_NOMEM : BL_OK;
    if (status == BL_OK && good)
        status = look_into_all_published(verify, judge->session, &source.journal.transcript, diag);
    transcript_source_close(&source);
    return status;
}

/* What there is, and what there ought to be, of one meeting that was held. */
static enum bl_status verify_meeting(struct verify *verify, const struct meeting *meeting,
                                     const struct command_call *call, struct bl_diag *diag)
{
    const struct contest_verify_options *options = call->options;
    struct verify_record *judge, *other;
    enum bl_status status = BL_OK;
    char session[CONTEST_SESSION_MAX];
    contest_session(verify->contest, meeting, session);
    if (options->records)
        verify_entities(verify, meeting, session);
    judge = verify_next(verify, RECORD_JUDGE, session);
    if (judge) {
        judge->seen = true;
        status = look_into_session(verify, meeting, judge, diag);
    } else if (options->records) {
        verify_differs(verify, session, "there is no judge's journal of it");
    }
    while ((other = verify_next(verify, RECORD_JUDGE, session))) {
        verify_differs(verify, other->path, "another judge's journal of session %s", session);
        other->seen = true;
    }
    for (int kind = RECORD_ENTITY; kind <= RECORD_PUBLISHED; kind++) {
        while (kind != RECORD_BALLOT && (other = verify_next(verify, kind, session))) {
            verify_differs(verify, other->path, "there is no judge's journal to compare it with");
            other->seen = true;
        }
    }
    other = verify_next(verify, RECORD_BALLOT, session);
    if (options->records && !other && contest_ballot_of(verify->contest, meeting))
        verify_differs(verify, session, "the contest has a ballot, and there is no file of it");
    for (; other; other = verify_next(verify, RECORD_BALLOT, session))
        other->seen = true;
    return status;
}

static enum bl_status verify_records(struct verify *verify, const struct command_call *call,
                                     struct bl_diag *diag)
{
    const struct contest_verify_options *options = call->options;
    const struct contest *contest = verify->contest;
    enum bl_status status = BL_OK;
    if (options->records)
        status = gather(verify, options->records, false, diag);
    if (status == BL_OK && options->transcripts)
        status = gather(verify, options->transcripts, true, diag);
    for (unsigned i = 0; status == BL_OK && i < verify->records; i++)
        if (verify->record[i].kind == RECORD_BALLOT)
            status = look_into_ballot(verify, &verify->record[i], diag);
    for (unsigned i = 0; status == BL_OK && i < contest->schedule.count; i++)
        if (contest->schedule.meeting[i].round < contest->begun)
            status = verify_meeting(verify, &contest->schedule.meeting[i], call, diag);
    for (unsigned i = 0; status == BL_OK && i < verify->records; i++)
        if (!verify->record[i].seen)
            verify_differs(verify, verify->record[i].path,
                           "session %s is none that was held in this contest",
                           verify->record[i].session);
    return status;
}

static enum bl_status keep_hash(void *ctx, const struct act *act, struct bl_diag *diag)
{
    (void)diag;
    contest_hex(act->hash, ACT_HASH_BYTES, ctx);
    return BL_OK;
}

/* Whoever has the seed and the value can reckon the key, and with it all that is drawn. */
static void print_public(const struct contest *c)
{
    uint8_t key[CONTEST_SEED];
    char hex[2 * CONTEST_SEED + 1];
    draw_key(c, key);
    contest_hex(key, sizeof key, hex);
    printf("public value: \"%s\" (%s), stated by %s, is mixed into all that is drawn\n"
           "draw: key %s\n",
           c->public_value, c->public_name, c->public_by, hex);
}

static void print_acts(const struct contest *c, const char *last)
{
    printf("acts: %lld, each one allowed by the rules, none changed since; the last has %s\n",
           (long long)c->acts, last);
    printf("draw: %s\n", c->drawn       ? "the seed is the one that was committed to"
                         : c->committed ? "committed to, not yet given away"
                                        : "none");
    if (c->committed && !c->public_name[0])
        printf("public value: none was named at the commitment\n");
    else if (c->committed && c->drawn)
        print_public(c);
    else if (c->committed)
        printf("public value: %s, not yet stated\n", c->public_name);
    if (c->ruleset.pairing == PAIRING_PAIRS && c->schedule.count) {
        struct schedule_quality q;
        schedule_measure(&c->schedule, &q);
        printf("schedule: %u rounds; a judge meets an Entry %u to %u times, a confederate %u to "
               "%u, an Entry a confederate %u to %u\n",
               c->schedule.rounds, q.judge_entry[0], q.judge_entry[1], q.judge_confederate[0],
               q.judge_confederate[1], q.entry_confederate[0], q.entry_confederate[1]);
    }
    if (c->final)
        printf("final round: its Entries are those whom the rules select\n");
    printf("ballots: %u of %u\n", c->ballots, c->ballots + contest_missing(c, c->schedule.rounds));
}

static enum bl_status contest_verify(const struct command_call *call, struct bl_diag *diag)
{
    const struct contest_verify_options *options = call->options;
    struct contest_file file = {.store = NULL};
    json_t *list = options->common.json ? json_array() : NULL;
    struct verify verify = {.differs = tell_difference, .ctx = list};
    char last[2 * ACT_HASH_BYTES + 1] = "";
    enum bl_status status = contest_file_open(&file, call, diag); /* each act by the rules */
    if (status == BL_OK)
        status = store_read(file.store, 0, keep_hash, last, diag);
    if (status == BL_OK && !options->common.json)
        print_acts(file.contest, last);
    verify.contest = file.contest;
    if (status == BL_OK)
        status = verify_records(&verify, call, diag);
    if (status == BL_OK && options->common.json) {
        json_t *all = json_pack("{s:I,s:s,s:i,s:O}", "acts", (json_int_t)file.contest->acts, "last",
                                last, "records", (int)verify.records, "differences", list);
        json_dumpf(all, stdout, JSON_PRESERVE_ORDER | JSON_INDENT(2));
        json_decref(all);
        putchar('\n');
    } else if (status == BL_OK && (options->records || options->transcripts)) {
        printf("records: %u files, %u differences\n", verify.records, verify.differences);
    }
    if (status == BL_OK && verify.differences)
        status = bl_fail(diag, BL_DATA, "%u differences between the contest and its records",
                         verify.differences);
    for (unsigned i = 0; i < verify.records; i++)
        free(verify.record[i].path);
    free(verify.record);
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
        .synopsis = "FILE [--records DIR] [--transcripts DIR]",
        .help = "check the contest, and its records against it",
        .text =
            "Reads every act again and checks the chain of hashes, the draw and the schedule. With "
            "--records looks at each journal and ballot file in that folder and those in it: "
            "damage, sessions that are missing or were never held, how long segments were open, "
            "keys outside of one, ends not agreed, first words that the rules ask for, journals of "
            "two ends that contradict each other, and votes that differ. With --transcripts makes "
            "each transcript again. Names what differs, file by file, and then exits with 65.",
        .options = verify_options,
        .size = sizeof(struct contest_verify_options),
        .least = 1,
        .most = 1,
        .run = contest_verify,
    },
    {0},
};
