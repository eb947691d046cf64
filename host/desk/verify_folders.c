#include "desk/verify_folders.h"

#include "base/file.h"
#include "booth/balloting.h"
#include "booth/transcript_source.h"
#include "contest/preliminary.h"
#include "desk/collected.h"

#include <stdlib.h>
#include <string.h>

#define PUBLISHED_MAX (16u << 20)

/* Reports an unreadable file, without the path at the beginning of the error. */
static void differs_unread(struct verify *verify, const char *path, const struct bl_diag *why)
{
    size_t length = strlen(path);
    bool named = strncmp(why->text, path, length) == 0 && why->text[length] == ':';
    verify_differs(verify, path, "%s", named ? why->text + length + 2 : why->text);
}

/* Checks a ballot file; an unreadable one is a difference. */
static enum bl_status look_into_ballot(struct verify *verify, struct verify_file *file,
                                       struct bl_diag *diag)
{
    struct ballot_file *ballot = calloc(1, sizeof *ballot);
    struct bl_diag why;
    if (!ballot)
        return bl_fail(diag, BL_NOMEM, "no memory");
    if (balloting_load(ballot, file->path, &why) == BL_OK)
        verify_ballot(verify, file, ballot);
    else
        differs_unread(verify, file->path, &why);
    free(ballot);
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
    struct verify_file *file;
    char *must = NULL;
    enum bl_status status = BL_OK;
    while (status == BL_OK && (file = verify_next(verify, FILE_PUBLISHED, session))) {
        file->seen = true;
        if (!must)
            status = verify_publish(verify->contest, transcript, &must);
        if (status == BL_OK)
            look_into_published(verify, file->path, must);
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

/* True if a person of an earlier session of the meeting left before its repeat. */
static bool has_changed_hands(const struct contest *contest, const struct meeting *meeting)
{
    const struct repeat *repeat = contest_repeat_of(contest, meeting);
    unsigned confederate = schedule_confederate(meeting, contest->people[CONTEST_ENTRY]);
    for (unsigned s = 0; repeat && s < repeat->sitters; s++) {
        const struct sitter *sitter = &contest->sitter[s];
        if (((contest_sits(contest, sitter, CONTEST_JUDGE) && sitter->number == meeting->judge) ||
             (contest_sits(contest, sitter, CONTEST_CONFEDERATE) &&
              sitter->number == confederate)) &&
            meeting->round < sitter->rounds)
            return true;
    }
    return false;
}

/* Looks for opening words in spoiled sessions: once for each judge suffices (2004 A3). */
static void look_for_openings(struct verify *verify, const struct meeting *meeting)
{
    unsigned times = contest_repeated(verify->contest, meeting);
    char session[CONTEST_SESSION_MAX];
    memset(verify->opened, 0, sizeof verify->opened);
    if (has_changed_hands(verify->contest, meeting))
        return;
    for (unsigned i = 0; verify->contest->ruleset.opening[0] && i < times * verify->files; i++) {
        const struct verify_file *file = &verify->file[i % verify->files];
        const struct transcript_request request = {.file = file->path, .from = "journal"};
        struct transcript_source source = {.is_journal = false};
        struct bl_diag why;
        contest_session_before(meeting, i / verify->files, session);
        if (file->kind != FILE_JUDGE || strcmp(file->session, session) != 0)
            continue;
        if (transcript_source_open(&source, &request, &why) == BL_OK)
            for (enum side side = 0; side < SIDES; side++)
                verify->opened[side] =
                    verify->opened[side] ||
                    (source.journal.set.side[side].present &&
                     verify_opening(verify, file->path, meeting, side, &source.history));
        transcript_source_close(&source);
    }
}

/* Checks a meeting's journals and its published transcripts. Error: BL_NOMEM. */
static enum bl_status look_into_session(struct verify *verify, const struct meeting *meeting,
                                        struct verify_file *judge, struct bl_diag *diag)
{
    const struct transcript_request request = {.file = judge->path, .from = "journal"};
    struct transcript_source source = {.is_journal = false};
    const struct order_set *set = &source.journal.set;
    struct verify_file *entity;
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
    look_for_openings(verify, meeting);
    if (good)
        verify_judge(verify, judge->path, meeting, set, &source.journal.transcript,
                     &source.history);
    memset(verify->given_side, 0, sizeof verify->given_side);
    while (good && (entity = verify_next(verify, FILE_ENTITY, judge->session))) {
        entity->seen = true;
        look_into_entity(verify, entity->path, set);
    }
    status = status == BL_NOMEM ? BL_NOMEM : BL_OK;
    if (status == BL_OK && good)
        status = look_into_all_published(verify, judge->session, &source.journal.transcript, diag);
    transcript_source_close(&source);
    return status;
}

/* True if there is any record of the session. */
static bool has_record(struct verify *verify, const char *session)
{
    bool has = false;
    for (int kind = FILE_JUDGE; kind <= FILE_PUBLISHED; kind++)
        has = has || verify_next(verify, kind, session);
    return has;
}

/* Checks the records of a meeting of a begun round, and reports missing ones. */
static enum bl_status verify_meeting(struct verify *verify, const struct meeting *meeting,
                                     bool records, struct bl_diag *diag)
{
    struct verify_file *judge, *other;
    enum bl_status status = BL_OK;
    char session[CONTEST_SESSION_MAX];
    contest_session(verify->contest, meeting, session);
    if (!contest_was_held(verify->contest, meeting) && !has_record(verify, session))
        return BL_OK;
    if (records)
        verify_entities(verify, meeting, session);
    judge = verify_next(verify, FILE_JUDGE, session);
    if (judge) {
        judge->seen = true;
        status = look_into_session(verify, meeting, judge, diag);
    } else if (records) {
        verify_differs(verify, session, "there is no judge's journal of it");
    }
    while ((other = verify_next(verify, FILE_JUDGE, session))) {
        verify_differs(verify, other->path, "another judge's journal of session %s", session);
        other->seen = true;
    }
    for (int kind = FILE_ENTITY; kind <= FILE_PUBLISHED; kind++) {
        while (kind != FILE_BALLOT && (other = verify_next(verify, kind, session))) {
            verify_differs(verify, other->path, "there is no judge's journal to compare it with");
            other->seen = true;
        }
    }
    other = verify_next(verify, FILE_BALLOT, session);
    if (records && !other && contest_ballot_of(verify->contest, meeting))
        verify_differs(verify, session, "the contest has a ballot, and there is no file of it");
    for (; other; other = verify_next(verify, FILE_BALLOT, session))
        other->seen = true;
    return status;
}

struct gathering {
    struct verify *verify;
    bool published;
};

/* Checks that a record is of this contest. False: it is not, and a difference is reported. */
static bool is_own(struct verify *verify, const char *path, const char *name)
{
    char id[CONTEST_ID] = "", own[CONTEST_ID], *bytes;
    size_t length;
    contest_id_write(verify->contest->created_us, own);
    if (!collected_is_name(name) ||
        file_read(&bytes, &length, path, COLLECTED_MAX, "a file", NULL) != BL_OK)
        return true;
    collected_contest(name, bytes, length, id);
    free(bytes);
    if (!contest_id_differ(id, own))
        return true;
    verify_differs(verify, path, "it is of another contest, whose sessions had the same names");
    return false;
}

static enum bl_status on_file(void *ctx, const char *path, const char *name, struct bl_diag *diag)
{
    const struct gathering *gathering = ctx;
    if (!gathering->published && !is_own(gathering->verify, path, name))
        return BL_OK;
    return verify_add(gathering->verify, path, name, gathering->published, diag);
}

static enum bl_status on_unread(void *ctx, const char *path, const struct bl_diag *why)
{
    const struct gathering *gathering = ctx;
    differs_unread(gathering->verify, path, why);
    return BL_OK;
}

/* Adds all files of a folder and its subfolders; NULL: no folder was given. */
static enum bl_status gather(struct verify *verify, const char *folder, bool published,
                             struct bl_diag *diag)
{
    struct gathering gathering = {verify, published};
    if (!folder)
        return BL_OK;
    if (!folder_has(folder))
        return file_fail(diag, folder);
    return folder_walk(folder, on_file, on_unread, &gathering, diag);
}

enum bl_status verify_folders(struct verify *verify, const char *records, const char *transcripts,
                              struct bl_diag *diag)
{
    const struct schedule *schedule = &verify->contest->schedule;
    enum bl_status status = gather(verify, records, false, diag);
    if (status == BL_OK)
        status = gather(verify, transcripts, true, diag);
    for (unsigned i = 0; status == BL_OK && i < verify->files; i++)
        if (verify->file[i].kind == FILE_BALLOT)
            status = look_into_ballot(verify, &verify->file[i], diag);
    for (unsigned i = 0; status == BL_OK && i < schedule->count; i++)
        if (schedule->meeting[i].round < verify->contest->begun)
            status = verify_meeting(verify, &schedule->meeting[i], records, diag);
    for (unsigned i = 0; status == BL_OK && i < verify->files; i++)
        if (!verify->file[i].seen && !preliminary_has_name(verify->file[i].session))
            verify_differs(verify, verify->file[i].path,
                           "session %s is none that was held in this contest",
                           verify->file[i].session);
    return status;
}
