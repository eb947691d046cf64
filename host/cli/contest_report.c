/* "boothlink contest report" and "times". */
#include "cli/contest.h"
#include "contest/answers.h"

#include "base/growing.h"
#include "base/loop.h"
#include "booth/transcript_source.h"
#include "contest/report.h"
#include "contest/venue.h"
#include "desk/records.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct contest_report_options {
    struct contest_options common;
    const char *transcripts, *records, *start, *breaks;
};

struct contest_times_options {
    struct contest_options common;
    const char *start, *breaks;
};

/* Names of transcripts, "r1-j2.txt", the first of each session by name; and the folder of the
 * records, with the record read last. */
struct links {
    const struct contest *contest;
    const char *records;
    struct transcript_source source;
    const char *folder;
    struct dirent **listed;
    int count;
    char path[512];
};

static int is_session(const struct dirent *listed)
{
    unsigned round, judge;
    return sscanf(listed->d_name, "r%u-j%u", &round, &judge) == 2;
}

static const char *find_link(void *ctx, unsigned round, unsigned judge)
{
    struct links *links = ctx;
    const struct meeting meeting = {.round = (uint16_t)round, .judge = (person_number)judge};
    char name[CONTEST_SESSION_MAX];
    contest_session(links->contest, &meeting, name);
    size_t length = strlen(name);
    for (int i = 0; i < links->count; i++) {
        const char *found = links->listed[i]->d_name;
        if (strncmp(found, name, length) != 0 || !strchr(".-", found[length]))
            continue;
        if (snprintf(links->path, sizeof links->path, "%s/%s", links->folder, found) <
            (int)sizeof links->path)
            return links->path;
    }
    return NULL;
}

/* The keys of a meeting's session; NULL: the record is missing or unreadable. */
static const struct history *find_keys(void *ctx, const struct meeting *meeting)
{
    struct links *links = ctx;
    char path[FOLDER_PATH_MAX];
    const struct transcript_request request = {.file = path, .from = "journal"};
    char session[CONTEST_SESSION_MAX];
    struct bl_diag diag;
    contest_session(links->contest, meeting, session);
    transcript_source_close(&links->source);
    links->source = (struct transcript_source){.is_journal = false};
    if (records_find(links->records, session, path, &diag) != BL_OK ||
        transcript_source_open(&links->source, &request, &diag) != BL_OK)
        return NULL;
    return &links->source.history;
}

enum bl_status contest_timetable(struct timetable *timetable, const char *plan,
                                 const struct venue *venue, const char *start, const char *breaks,
                                 struct bl_diag *diag)
{
    if (venue && !start && venue->start[0])
        start = venue->start;
    if (venue && !breaks && venue->breaks[0])
        breaks = venue->breaks;
    return timetable_make(timetable, plan, start, breaks, diag);
}

struct notes {
    struct report_note *note; /* owns their texts */
    size_t count, room;
};

#define NOTE_TEXT (VOTE_TEXT_MAX + 1)

/* Writes the answers to other fields, "confidence: 80; ", and the judge's notes. */
static void write_note(const json_t *body, char text[NOTE_TEXT])
{
    const char *notes = json_string_value(json_object_get(body, "notes")), *name;
    size_t length = 0;
    json_t *value;
    text[0] = '\0';
    json_object_foreach(json_object_get(body, "fields"), name, value)
    {
        if (json_is_string(value))
            length += (size_t)snprintf(text + length, NOTE_TEXT - length, "%s: %s; ", name,
                                       json_string_value(value));
        else
            length += (size_t)snprintf(text + length, NOTE_TEXT - length, "%s: %lld; ", name,
                                       (long long)json_integer_value(value));
    }
    if (notes)
        snprintf(text + length, NOTE_TEXT - length, "%s", notes);
    else if (length)
        text[length - 2] = '\0';
}

/* Keeps a ballot's answers to other fields, and its notes. */
static enum bl_status take_notes(void *ctx, const struct act *act, struct bl_diag *diag)
{
    struct notes *notes = ctx;
    json_t *body = strcmp(act->kind, "ballot") == 0 ? json_loads(act->body, 0, NULL) : NULL;
    struct report_note *more = notes->note;
    char text[NOTE_TEXT];
    write_note(body, text);
    if (text[0])
        more = growing_array(notes->note, notes->count, &notes->room, sizeof *more);
    enum bl_status status = !text[0] || more ? BL_OK : bl_fail(diag, BL_NOMEM, "no memory");
    notes->note = more ? more : notes->note;
    if (text[0] && more) {
        more[notes->count] = (struct report_note){act->number, strdup(text)};
        status = more[notes->count].text ? BL_OK : bl_fail(diag, BL_NOMEM, "no memory");
        notes->count += status == BL_OK;
    }
    json_decref(body);
    return status;
}

static void print_report(const struct contest *contest, const struct timetable *timetable,
                         const char *rules, const struct answers *answers,
                         const struct notes *notes, struct links *links)
{
    const struct html_out out = {command_write, stdout};
    time_t now = (time_t)(bl_now().wall_us / 1000000);
    struct tm utc;
    char made[32] = "";
    if (gmtime_r(&now, &utc))
        strftime(made, sizeof made, "%Y-%m-%d %H:%M UTC", &utc);
    links->contest = contest;
    const struct report report = {
        .contest = contest,
        .rules_text = rules,
        .timetable = timetable,
        .answer = answers->answer,
        .answers = answers->count,
        .note = notes->note,
        .notes = notes->count,
        .made = made,
        .transcript = links->folder ? find_link : NULL,
        .typed = links->records ? find_keys : NULL,
        .ctx = links,
    };
    report_write(&report, &out);
}

static enum bl_status contest_report(const struct command_call *call, struct bl_diag *diag)
{
    const struct contest_report_options *options = call->options;
    struct contest_file file = {.store = NULL};
    struct links links = {.folder = options->transcripts, .records = options->records};
    struct timetable timetable;
    struct answers answers = {.count = 0};
    struct notes notes = {.count = 0};
    char *rules = NULL;
    enum bl_status status = contest_file_open(&file, call, diag);
    if (status == BL_OK)
        status = contest_timetable(&timetable, file.contest->ruleset.plan, NULL, options->start,
                                   options->breaks, diag);
    if (status == BL_OK)
        status = store_read(file.store, 0, answers_of_act, &answers, diag);
    if (status == BL_OK)
        status = store_read(file.store, 0, take_notes, &notes, diag);
    if (status == BL_OK)
        status = contest_file_rules(&file, &rules, diag);
    if (status == BL_OK && links.folder) {
        links.count = scandir(links.folder, &links.listed, is_session, alphasort);
        if (links.count < 0)
            status = bl_fail(diag, BL_NOINPUT, "%s: %s", links.folder, strerror(errno));
    }
    if (status == BL_OK && links.records && access(links.records, R_OK | X_OK) != 0)
        status = bl_fail(diag, BL_NOINPUT, "%s: %s", links.records, strerror(errno));
    if (status == BL_OK)
        print_report(file.contest, options->start ? &timetable : NULL, rules, &answers, &notes,
                     &links);
    for (int i = 0; i < links.count; i++)
        free(links.listed[i]);
    free(links.listed);
    transcript_source_close(&links.source);
    answers_free(&answers);
    for (size_t i = 0; i < notes.count; i++)
        free(notes.note[i].text);
    free(notes.note);
    free(rules);
    contest_file_close(&file);
    return status;
}

static void print_place(const struct contest *contest, unsigned place)
{
    char code[SCHEDULE_CODE_MAX];
    schedule_code(place, contest->people[CONTEST_ENTRY], code);
    if (place == PLACE_REST)
        printf("rest room");
    else
        printf("%s's booth", code);
}

static void print_moves(const struct contest *contest, unsigned round)
{
    struct move move[MOVES_MAX];
    unsigned count = timetable_moves(&contest->schedule, round, move);
    for (unsigned i = 0; i < count; i++) {
        printf("  %c%u: ", move[i].is_judge ? 'J' : 'C', move[i].number + 1U);
        print_place(contest, move[i].from);
        printf(" to ");
        print_place(contest, move[i].to);
        printf("%s\n", move[i].corridor ? ", by the corridor" : "");
    }
    if (timetable_meet(move, count))
        printf("  a judge and a confederate could meet in the corridor: let the judges go first "
               "(%s)\n",
               ruleset_rule(&contest->ruleset, "session", "excused-apart", 0).text);
}

static void print_again(const struct contest *contest)
{
    char session[CONTEST_SESSION_MAX], when[CONTEST_WHEN_MAX];
    contest_when_again(contest, when);
    for (unsigned i = 0; i < contest->schedule.count; i++) {
        const struct meeting *meeting = &contest->schedule.meeting[i];
        if (!contest_waits_again(contest, meeting, session))
            continue;
        printf("%s %s: J%u", when, session, meeting->judge + 1U);
        if (meeting->confederate != PERSON_NOBODY)
            printf(" and C%u", meeting->confederate + 1U);
        printf(" at ");
        print_place(contest, meeting->entry);
        printf("\n");
    }
}

static enum bl_status contest_times(const struct command_call *call, struct bl_diag *diag)
{
    const struct contest_times_options *options = call->options;
    struct contest_file file = {.store = NULL};
    struct timetable timetable;
    enum bl_status status = contest_file_open(&file, call, diag);
    if (status == BL_OK)
        status = contest_timetable(&timetable, file.contest->ruleset.plan, NULL, options->start,
                                   options->breaks, diag);
    if (status == BL_OK && file.contest->schedule.count == 0)
        status =
            bl_fail(diag, BL_DATA, "there is no schedule yet: contest schedule %s", call->word[0]);
    for (unsigned r = 0; status == BL_OK && r <= file.contest->schedule.rounds; r++) {
        char from[TIMETABLE_CLOCK], to[TIMETABLE_CLOCK];
        timetable_clock(timetable_begin(&timetable, r), from);
        timetable_clock(timetable_end(&timetable, r), to);
        if (r == file.contest->begun)
            print_again(file.contest);
        if (r == file.contest->schedule.rounds)
            printf("after the last round\n");
        else if (timetable.known)
            printf("round %u, %s to %s\n", r + 1, from, to);
        else
            printf("round %u; the rules name no durations\n", r + 1);
        print_moves(file.contest, r);
    }
    contest_file_close(&file);
    return status;
}

static const struct command_option report_options[] = {
    OPTION_ROW("--transcripts", "DIR", "the folder with r1-j1.txt and so on, as published",
               OPTION_TEXT, struct contest_report_options, transcripts),
    OPTION_ROW("--records", "DIR", "the folder with the records, for pictures of how all typed",
               OPTION_TEXT, struct contest_report_options, records),
    OPTION_ROW("--start", "TIME", "of the first round, such as 10:00", OPTION_TEXT,
               struct contest_report_options, start),
    OPTION_ROW("--breaks", "ROUND=MIN,...", "longer breaks after these rounds", OPTION_TEXT,
               struct contest_report_options, breaks),
    {0},
};

static const struct command_option times_options[] = {
    OPTION_ROW("--start", "TIME", "of the first round, such as 10:00", OPTION_TEXT,
               struct contest_times_options, start),
    OPTION_ROW("--breaks", "ROUND=MIN,...", "longer breaks after these rounds", OPTION_TEXT,
               struct contest_times_options, breaks),
    {0},
};

const struct command contest_report_verbs[] = {
    {
        .name = "contest report",
        .synopsis = "FILE [--transcripts DIR] [--records DIR]",
        .help = "one HTML page with all of the contest",
        .text = "Printed to standard output, with links to the transcripts. Once the contest is "
                "sealed it shows with --records, as `contest collect` fills that folder, how each "
                "party of each session typed: gaps, BackSpaces, pauses. Before, that could tell a "
                "judge who is human.",
        .examples = "boothlink contest report c.db --transcripts transcripts > report.html\n"
                    "boothlink contest report c.db --records c.db.records > report.html",
        .options = report_options,
        .size = sizeof(struct contest_report_options),
        .least = 1,
        .most = 1,
        .run = contest_report,
    },
    {
        .name = "contest times",
        .synopsis = "FILE [--start TIME] [--breaks LIST]",
        .help = "when each round is, and who moves before it",
        .text = "And where a judge and a confederate could meet on the way, and which sessions "
                "are held again in between.",
        .options = times_options,
        .size = sizeof(struct contest_times_options),
        .least = 1,
        .most = 1,
        .run = contest_times,
    },
    {0},
};
