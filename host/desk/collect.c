#include "desk/collect.h"

#include "base/file.h"
#include "booth/machine_key.h"
#include "contest/ballot_act.h"
#include "contest/survey.h"
#include "desk/collected.h"
#include "desk/folder.h"
#include "rules/place.h"
#include "session/event.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* True if the contest has this ballot. *some: it has a ballot on the session; false for a ballot of
 * a further session. */
static bool has_ballot(const struct contest *contest, const struct ballot *ballot, bool *some)
{
    const struct ballot *there = contest_ballot_given(contest, ballot);
    const struct meeting *meeting = contest_meeting(contest, ballot);
    *some = there && !ballot->further;
    if (!there && ballot->late && meeting && contest_is_taken_back(contest, meeting))
        return true; /* the manager has taken this late ballot back */
    return there && !ballot->further && ballot_is_same(there, ballot);
}

/* True if the contest has these ranks. *some: the judge has ranked. */
static bool has_ranks(const struct contest *contest, const struct ranking *ranking, unsigned count,
                      bool *some)
{
    *some = contest_has_ranked(contest, ranking->judge, ranking->trial);
    for (unsigned i = 0; i < count; i++)
        if (contest_rank_by(contest, &ranking[i]) != ranking[i].rank)
            return false;
    return true;
}

/* The confirmed machine that signed the ballot; NULL: none. */
static const struct confirmed *signer_of(const struct contest *contest,
                                         const struct ballot_head *head)
{
    return head->keyed ? contest_machine(contest, head->key) : NULL;
}

/* True if the file is known. Its signature is then not checked, since its machine may have been
 * withdrawn. */
static bool is_old(const struct contest *contest, const struct ballot_head *head,
                   const struct collected_look *look)
{
    const struct confirmed *signer = signer_of(contest, head);
    return look && (look->outcome == COLLECTED_BEGINNING ||
                    (look->outcome == COLLECTED_SAME && signer && signer->withdrawn));
}

void collect_place(char place[CONTEST_MACHINE_PLACE], const char *path)
{
    const char *end = strrchr(path, '/'), *start = end;
    while (start && start > path && start[-1] != '/')
        start--;
    size_t length = start ? (size_t)(end - start) : 0;
    struct place read;
    snprintf(place, CONTEST_MACHINE_PLACE, "%.*s", (int)length, start ? start : "");
    /* A second machine's folder, "booth-1-judge-2", is of the same place. */
    char *last = strrchr(place, '-');
    if (last > place && strspn(last + 1, "23456789") == 1 && !last[2] && last[-1] == 'e')
        *last = '\0';
    if (!place_name_read(&read, place) || read.machine != MACHINE_JUDGE)
        snprintf(place, CONTEST_MACHINE_PLACE, "a judge's machine");
}

/* Refuses votes without a confirmed machine's signature; older contests take any. */
static enum bl_status check_signer(const struct collect *collect, const struct ballot_head *head,
                                   const char *path, struct bl_diag *diag)
{
    const struct contest *contest = collect->contest;
    char words[KEY_WORDS_TEXT], place[CONTEST_MACHINE_PLACE];
    const struct confirmed *machine = signer_of(contest, head);
    if (!contest->signatures || (machine && !machine->withdrawn))
        return BL_OK;
    if (machine)
        return bl_fail(diag, BL_DATA, "%s: %s has signed it, which was withdrawn: it is not taken",
                       path, machine->place);
    if (!head->keyed)
        return bl_fail(
            diag, BL_DATA,
            "%s: no machine has signed it: it is not taken; contest ballot %s records what "
            "the judge says",
            path, collect->file);
    machine_key_words(head->key, words);
    collect_place(place, path);
    return bl_fail(diag, BL_DATA,
                   "%s: its machine is not confirmed; if its board has these words: contest "
                   "machine %s %s '%s'",
                   path, collect->file, strchr(place, ' ') ? "PLACE" : place, words);
}

/* Asks the collecting person for the words of an unconfirmed machine. */
static enum bl_status confirm_signer(const struct collect *collect, const struct ballot_head *head,
                                     const char *path, struct bl_diag *diag)
{
    if (!collect->confirm || !collect->contest->signatures || !head->keyed ||
        signer_of(collect->contest, head))
        return BL_OK;
    return collect->confirm(collect->ctx, head->key, path, diag);
}

static enum bl_status check_ballot(const struct collect *collect, const struct ballot_file *file,
                                   const char *path, struct bl_diag *diag)
{
    const struct contest *contest = collect->contest;
    bool survey = file->head.vote.kind == BALLOT_SURVEY;
    char own[CONTEST_ID];
    contest_id_write(contest->created_us, own);
    if (contest_id_differ(file->head.contest, own))
        return bl_fail(diag, BL_DATA,
                       "%s: it is of another contest, whose sessions had the same names", path);
    if (!contest->drawn && !survey)
        return bl_fail(diag, BL_DATA, "%s: the sides are not drawn yet: contest draw", path);
    if (strcmp(file->head.rules, contest->ruleset.name) != 0)
        return bl_fail(diag, BL_DATA, "%s: given under the rules of %.64s, this contest has %s",
                       path, file->head.rules, contest->ruleset.name);
    if (!file->given)
        return bl_fail(diag, BL_DATA, "%s: no ballot was given in it", path);
    return survey ? BL_OK : check_signer(collect, &file->head, path, diag);
}

/* *known: the contest has the file's vote; *some: it has another vote of the file's judge. BL_DATA:
 * the file is of no session. */
static enum bl_status is_known(const struct contest *contest, const struct ballot_file *file,
                               bool *known, bool *some, struct act_body *act, struct bl_diag *diag)
{
    struct ballot ballot;
    struct ranking ranking[VOTE_RANKS_MAX];
    bool ranks = file->head.vote.kind == BALLOT_RANKS;
    if (file->head.vote.kind == BALLOT_SURVEY) {
        struct act_body survey;
        enum bl_status read = survey_read(contest, file, &survey, known, some, diag);
        if (read == BL_OK && act && !*known)
            *act = survey;
        else if (read == BL_OK)
            json_decref(survey.survey.fields);
        return read;
    }
    enum bl_status status = ranks ? contest_read_ranks(contest, file, ranking, diag)
                                  : contest_read_ballot(contest, file, &ballot, diag);
    if (status != BL_OK)
        return status;
    *known = ranks ? has_ranks(contest, ranking, file->head.vote.ranks, some)
                   : has_ballot(contest, &ballot, some);
    if (act && !*known)
        *act = ranks ? contest_ranks_act(ranking, file->head.vote.ranks, *some)
                     : contest_ballot_act(contest, &ballot, *some);
    return BL_OK;
}

/* True if the file's vote may replace the contest's: the file's own earlier vote, if the file has
 * grown; with `correct`, a typed vote. */
static bool may_replace(const struct collect *collect, const struct collected_look *look)
{
    struct ballot_file *before = calloc(1, sizeof *before);
    bool known = false, some;
    if (look && look->held && before &&
        ballot_file_read(before, look->held, look->held_length, "", NULL) == BL_OK && before->given)
        known = is_known(collect->contest, before, &known, &some, NULL, NULL) == BL_OK && known;
    free(before);
    return known || (collect->correct && (!look || look->count <= (look->slot < look->count)));
}

/* Records the file's vote. BL_BUSY: the contest has another ballot. */
static enum bl_status record(struct collect *collect, const struct ballot_file *file,
                             const struct collected_look *look, const char *path, bool *recorded,
                             struct bl_diag *diag)
{
    struct act_body act;
    bool known = false, some = false;
    enum bl_status status = check_ballot(collect, file, path, diag);
    *recorded = false;
    if (status == BL_OK)
        status = is_known(collect->contest, file, &known, &some, NULL, diag);
    if (status != BL_OK || known)
        return status;
    if (some && !may_replace(collect, look))
        return bl_fail(diag, BL_BUSY, "%s: the contest has another ballot of %.40s", path,
                       file->head.session);
    /* Makes the act last: appending takes over its contents. */
    status = is_known(collect->contest, file, &known, &some, &act, diag);
    if (status == BL_OK)
        status = collect->append(collect->ctx, &act, diag);
    *recorded = status == BL_OK;
    collect->ballots += *recorded;
    return status;
}

enum bl_status collect_ballot(struct collect *collect, const struct ballot_file *file,
                              const char *path, bool *recorded, struct bl_diag *diag)
{
    enum bl_status status = record(collect, file, NULL, path, recorded, diag);
    if (status == BL_BUSY)
        return bl_fail(diag, BL_DATA,
                       "%s: the contest has another ballot of %.40s; --correct takes this one",
                       path, file->head.session);
    return status;
}

/* Begins the ballot's round and the rounds before, if the record lacks their begin. */
static enum bl_status begin_rounds(struct collect *collect, const struct ballot_file *ballot,
                                   struct bl_diag *diag)
{
    const struct contest *contest = collect->contest;
    const struct meeting *meeting = contest_find_session(contest, ballot->head.session, NULL);
    unsigned begun = meeting ? meeting->round + 1U : 0;
    enum bl_status status = BL_OK;
    struct bl_diag why;
    while (status == BL_OK && contest->begun < begun) {
        unsigned round = contest->begun + 1;
        if (contest->begun == contest->trial_from[contest->trials] &&
            contest_check_numbers(contest, &why))
            return bl_fail(diag, BL_DATA, "%s; contest begin %s %u --why TEXT begins all the same",
                           why.text, collect->file, round);
        const struct act_body act = {.kind = ACT_BEGIN, .begin = {.round = round, .present = true}};
        status = collect->append(collect->ctx, &act, diag);
    }
    return status;
}

static void refuse(struct collect *collect, const char *path, const char *why)
{
    char what[600];
    size_t length = strlen(path);
    bool named = strncmp(why, path, length) == 0;
    snprintf(what, sizeof what, "refused: %s%s%s", named ? "" : path, named ? "" : ": ", why);
    collect->tell(collect->ctx, path, what);
    collect->refused++;
}

/* Reports a file that differs from the one that counts, while the choice is not settled. */
static void dispute(struct collect *collect, const struct ballot_file *ballot,
                    const struct collected_look *look, const char *path, const char *why)
{
    char text[600];
    unsigned seen = contest_settled(collect->contest, ballot->head.session);
    if (look && look->outcome == COLLECTED_SAME && look->slot < seen)
        return;
    if (look && collect->records)
        snprintf(text, sizeof text, "%s; contest settle %s %.40s %u --why TEXT takes this one", why,
                 collect->file, ballot->head.session, look->slot + 1);
    else
        snprintf(text, sizeof text, "%s; --correct takes this one", why);
    refuse(collect, path, text);
}

/* Checks that answers belong to a survey of the contest. They are unsigned: under another record's
 * name they would take the places of that record's files. */
static enum bl_status check_survey(const struct collect *collect, const struct ballot_file *file,
                                   const char *path, const char *name, struct bl_diag *diag)
{
    char own[SESSION_ID_MAX + sizeof ".ballot"];
    bool known, some;
    snprintf(own, sizeof own, "%s.ballot", file->head.session);
    return strcmp(name, own) != 0
               ? bl_fail(diag, BL_DATA, "%s: it has the answers of %.40s: expected the name %s",
                         path, file->head.session, own)
               : is_known(collect->contest, file, &known, &some, NULL, diag);
}

/* Takes a ballot file. False: it is not one, and is not kept. */
static bool take_ballot(struct collect *collect, const char *path, const char *name,
                        const char *bytes, size_t length, const struct collected_look *look)
{
    struct ballot_file *ballot = calloc(1, sizeof *ballot);
    struct bl_diag why;
    char what[200];
    bool recorded = false;
    enum bl_status status = ballot ? ballot_file_read(ballot, bytes, length, path, &why)
                                   : bl_fail(&why, BL_NOMEM, "%s: no memory", path);
    if (status == BL_OK && is_old(collect->contest, &ballot->head, look)) {
        free(ballot);
        return true;
    }
    /* Answers need no signature: no key of the back room is confirmed. */
    bool survey = status == BL_OK && ballot->head.vote.kind == BALLOT_SURVEY;
    if (survey)
        status = check_survey(collect, ballot, path, name, &why);
    if (status == BL_OK && !survey)
        status = confirm_signer(collect, &ballot->head, path, &why);
    if (status == BL_OK && !survey)
        status = check_signer(collect, &ballot->head, path, &why);
    bool good = status == BL_OK;
    if (good && contest_is_spoiled(collect->contest, ballot->head.session)) {
        free(ballot); /* a spoiled session's file is kept and does not count */
        return true;
    }
    if (status == BL_OK && !survey && collect->begin &&
        check_ballot(collect, ballot, path, NULL) == BL_OK)
        status = begin_rounds(collect, ballot, &why);
    /* A ballot that is not given yet is missing, and no fault. */
    if (status == BL_OK && (ballot->given || ballot->damaged))
        status = record(collect, ballot, look, path, &recorded, &why);
    if (recorded) {
        snprintf(what, sizeof what, "%.40s: recorded%s%s", ballot->head.session,
                 ballot->late ? ", given late" : "",
                 ballot->damaged ? "; damaged lines were left out" : "");
        collect->tell(collect->ctx, path, what);
    } else if (status == BL_BUSY) {
        dispute(collect, ballot, look, path, why.text);
    } else if (status != BL_OK) {
        refuse(collect, path, why.text);
    }
    free(ballot);
    return good;
}

/* The length to keep: of a signed ballot file without the bytes after the last signature, which
 * would block the machine's next line. */
static size_t vouched_length(const char *bytes, size_t length)
{
    struct ballot_file *ballot = calloc(1, sizeof *ballot);
    if (ballot && ballot_file_read(ballot, bytes, length, "", NULL) == BL_OK && ballot->head.keyed)
        length = ballot->signed_length;
    free(ballot);
    return length;
}

/* Takes a file. Its act is appended before the copy is kept: after a stop in between the file
 * counts as new again. */
static enum bl_status take_bytes(struct collect *collect, const char *path, const char *name,
                                 const char *bytes, size_t length, struct bl_diag *diag)
{
    struct collected_look look = {.held = NULL};
    bool ballot = collected_is_ballot(name);
    char id[CONTEST_ID], own[CONTEST_ID];
    contest_id_write(collect->contest->created_us, own);
    if (!collected_contest(name, bytes, length, id)) {
        refuse(collect, path, "nothing of a journal is in it");
        return BL_OK;
    }
    if (contest_id_differ(id, own)) {
        refuse(collect, path, "it is of another contest, whose sessions had the same names");
        return BL_OK;
    }
    if (!collect->records) {
        take_ballot(collect, path, name, bytes, length, NULL);
        return BL_OK;
    }
    if (ballot)
        length = vouched_length(bytes, length);
    enum bl_status status = collected_find(&look, collect->records, name, bytes, length, diag);
    if (status == BL_FULL) {
        refuse(collect, path, diag->text);
        return BL_OK;
    }
    if (status == BL_OK && (!ballot || take_ballot(collect, path, name, bytes, length, &look))) {
        status = collected_keep(&look, collect->records, name, bytes, length, diag);
        collect->taken +=
            status == BL_OK && (look.outcome == COLLECTED_NEW || look.outcome == COLLECTED_GROWN);
    }
    collected_release(&look);
    return status;
}

static enum bl_status take_file(void *ctx, const char *path, const char *name, struct bl_diag *diag)
{
    struct collect *collect = ctx;
    struct bl_diag why;
    char *bytes = NULL;
    size_t length;
    if (!collected_is_name(name) || (!collect->records && !collected_is_ballot(name)))
        return BL_OK;
    collect->files++;
    enum bl_status status = file_read_plain(&bytes, &length, path, COLLECTED_MAX, "a record", &why);
    if (status == BL_OK)
        status = take_bytes(collect, path, name, bytes, length, diag);
    else
        refuse(collect, path, why.text);
    free(bytes);
    return bytes ? status : BL_OK;
}

/* Refuses an unreadable file, and goes on. A PATH.part is ignored: a machine may be writing it
 * (file_write()). */
static enum bl_status on_unread(void *ctx, const char *path, const struct bl_diag *why)
{
    static const char part[] = ".part";
    size_t length = strlen(path);
    if (length < sizeof part || strcmp(path + length + 1 - sizeof part, part) != 0)
        refuse(ctx, path, why->text);
    return BL_OK;
}

enum bl_status collect_folder(struct collect *collect, const char *path, struct bl_diag *diag)
{
    if (!folder_has(path))
        return file_fail(diag, path);
    return folder_walk(path, take_file, on_unread, collect, diag);
}

/* The path of a session's ballot file of this number, "r1-j2" or "ranks-j1". */
static enum bl_status find_disputed(const struct collect *collect, struct act_settle *act,
                                    const char *number, char path[FOLDER_PATH_MAX],
                                    struct bl_diag *diag)
{
    char name[FOLDER_PATH_MAX], *end;
    bool survey = strncmp(act->session, SURVEY_PREFIX, strlen(SURVEY_PREFIX)) == 0;
    enum bl_status status =
        folder_path(name, diag, survey ? "%s.ballot" : "%s-judge.ballot", act->session);
    if (status != BL_OK)
        return status;
    act->of = collected_count(collect->records, name);
    act->file = strtol(number, &end, 10);
    if (*end || act->file < 1 || act->file > act->of || strchr(name, '/'))
        return act->of ? bl_fail(diag, BL_DATA,
                                 "file %.20s of session %.40s: expected a number from 1 to %u, of "
                                 "the ballot files that were collected",
                                 number, act->session, (unsigned)act->of)
                       : bl_fail(diag, BL_DATA,
                                 "file %.20s of session %.40s: no ballot file of it was collected",
                                 number, act->session);
    return collected_place(collect->records, (unsigned)act->file - 1, name, path, diag);
}

enum bl_status collect_settle(struct collect *collect, const char *session, const char *number,
                              const char *why, bool *recorded, struct bl_diag *diag)
{
    struct act_body act = {.kind = ACT_SETTLE, .settle = {.session = session, .why = why}};
    char path[FOLDER_PATH_MAX], hash[2 * ACT_HASH_BYTES + 1], *bytes = NULL;
    struct ballot_file *ballot = calloc(1, sizeof *ballot);
    uint8_t digest[ACT_HASH_BYTES];
    size_t length = 0;
    enum bl_status status = ballot ? find_disputed(collect, &act.settle, number, path, diag)
                                   : bl_fail(diag, BL_NOMEM, "no memory");
    if (status == BL_OK)
        status = file_read(&bytes, &length, path, BALLOT_FILE_MAX, "a ballot file", diag);
    if (status == BL_OK)
        status = ballot_file_read(ballot, bytes, length, path, diag);
    if (status == BL_OK && strcmp(ballot->head.session, session) != 0)
        status = bl_fail(diag, BL_DATA, "%s: it is of session %.40s", path, ballot->head.session);
    if (status == BL_OK)
        status = collect_ballot(collect, ballot, path, recorded, diag);
    if (status == BL_OK) {
        contest_commit((const uint8_t *)bytes, length, digest);
        contest_hex(digest, sizeof digest, hash);
        act.settle.hash = hash;
        status = collect->append(collect->ctx, &act, diag);
    }
    free(bytes);
    free(ballot);
    return status;
}

struct missing_out {
    void (*say)(void *ctx, const char *line);
    void *ctx;
    unsigned count;
};

static void miss(struct missing_out *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void miss(struct missing_out *out, const char *format, ...)
{
    char line[200];
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    out->say(out->ctx, line);
    out->count++;
}

static void miss_meeting(struct missing_out *out, const struct contest *contest,
                         const char *records, const struct meeting *meeting)
{
    char session[CONTEST_SESSION_MAX], name[64];
    unsigned ends = meeting->confederate == PERSON_NOBODY ? 1 : 2, there;
    if (!contest_was_held(contest, meeting))
        return;
    contest_session(contest, meeting, session);
    if (contest_is_missing(contest, meeting))
        miss(out, "round %u, J%u: the ballot %s-judge.ballot", meeting->round + 1U,
             meeting->judge + 1U, session);
    snprintf(name, sizeof name, "%s-judge.journal", session);
    if (!collected_held(records, name))
        miss(out, "round %u, J%u: the judge's journal %s", meeting->round + 1U, meeting->judge + 1U,
             name);
    snprintf(name, sizeof name, "%s-entity.journal", session);
    there = collected_held(records, name);
    if (there < ends)
        miss(out, "round %u, J%u: %u of %u %s %s", meeting->round + 1U, meeting->judge + 1U,
             ends - there, ends, ends == 1 ? "entity's journal" : "entities' journals", name);
}

static void miss_surveys(struct missing_out *out, const struct contest *contest,
                         const struct meeting *meeting)
{
    const struct {
        enum contest_role role;
        unsigned number;
    } at[2] = {
        {CONTEST_JUDGE, meeting->judge},
        {CONTEST_CONFEDERATE, schedule_confederate(meeting, contest->people[CONTEST_ENTRY])}};
    char name[SURVEY_NAME_MAX];
    for (unsigned i = 0; i < 2 && at[i].number != PERSON_NOBODY; i++)
        for (unsigned page = 0; page < SURVEY_PAGES; page++)
            if (survey_missing(contest, at[i].role, at[i].number, meeting,
                               (enum ruleset_survey_page)page, name))
                miss(out, "round %u, %c%u: the survey %s.ballot", meeting->round + 1U,
                     CONTEST_LETTERS[at[i].role], at[i].number + 1, name);
}

unsigned collect_missing(const struct contest *contest, const char *records,
                         void (*say)(void *ctx, const char *line), void *ctx, unsigned *ranks,
                         unsigned *surveys)
{
    struct missing_out out = {.say = say, .ctx = ctx};
    bool over = contest->begun && contest->begun == contest->schedule.rounds;
    for (unsigned i = 0; i < contest->schedule.count; i++)
        if (contest->schedule.meeting[i].round < contest->begun)
            miss_meeting(&out, contest, records, &contest->schedule.meeting[i]);
    unsigned before = out.count;
    for (unsigned i = 0; i < contest->schedule.count; i++)
        if (contest->schedule.meeting[i].round < contest->begun &&
            contest_was_held(contest, &contest->schedule.meeting[i]))
            miss_surveys(&out, contest, &contest->schedule.meeting[i]);
    *surveys = out.count - before;
    for (unsigned j = 0; over && j < contest->people[CONTEST_JUDGE]; j++)
        if (contest_wants_ranks(contest, j))
            miss(&out, "J%u's ranks", j + 1);
    *ranks = before ? 0 : out.count - *surveys;
    return out.count;
}

/* The number, from 1, of a session's ballot file that differs from the contest's vote and can be
 * taken; 0: none. */
static unsigned disputed_file(const struct contest *contest, const char *records,
                              const char *session, unsigned count, const char *name)
{
    const struct collect collect = {.contest = contest, .file = ""};
    struct ballot_file *ballot = calloc(1, sizeof *ballot);
    unsigned found = 0;
    for (unsigned slot = contest_settled(contest, session); ballot && !found && slot < count;
         slot++) {
        char path[FOLDER_PATH_MAX], *bytes = NULL;
        bool known = false, some = false;
        size_t length;
        if (collected_place(records, slot, name, path, NULL) == BL_OK &&
            file_read(&bytes, &length, path, BALLOT_FILE_MAX, "a ballot file", NULL) == BL_OK &&
            ballot_file_read(ballot, bytes, length, path, NULL) == BL_OK &&
            strcmp(ballot->head.session, session) == 0 &&
            check_ballot(&collect, ballot, path, NULL) == BL_OK &&
            is_known(contest, ballot, &known, &some, NULL, NULL) == BL_OK && some && !known)
            found = slot + 1;
        free(bytes);
    }
    free(ballot);
    return found;
}

unsigned collect_disputed(const struct contest *contest, const char *records,
                          struct collect_dispute *first)
{
    unsigned judges = contest->people[CONTEST_JUDGE], disputed = 0;
    for (unsigned i = 0; i < contest->schedule.count + judges; i++) {
        struct collect_dispute d;
        char name[64];
        if (i < contest->schedule.count)
            contest_session(contest, &contest->schedule.meeting[i], d.session);
        else
            snprintf(d.session, sizeof d.session, "ranks-j%u", i - contest->schedule.count + 1);
        snprintf(name, sizeof name, "%s-judge.ballot", d.session);
        d.count = collected_count(records, name);
        d.file = disputed_file(contest, records, d.session, d.count, name);
        if (d.file && !disputed++)
            *first = d;
    }
    return disputed;
}

unsigned collect_unrecorded(const struct contest *contest, const char *records)
{
    for (unsigned i = 0; i < contest->schedule.count; i++) {
        const struct meeting *meeting = &contest->schedule.meeting[i];
        char session[CONTEST_SESSION_MAX], journal[64], ballot[64];
        if (!contest_wants_ranks(contest, meeting->judge) ||
            contest_trial_of(contest, meeting->round) != contest->trials ||
            !contest_was_held(contest, meeting))
            continue;
        contest_session(contest, meeting, session);
        snprintf(journal, sizeof journal, "%s-judge.journal", session);
        snprintf(ballot, sizeof ballot, "%s-judge.ballot", session);
        if (!collected_held(records, journal) || !collected_held(records, ballot))
            return meeting->judge + 1U;
    }
    return 0;
}
