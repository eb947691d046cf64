/* "boothlink contest sheet" and "tickets". */
#include "cli/contest.h"

#include "base/file.h"
#include "contest/sheets.h"
#include "desk/entries.h"
#include "desk/kept.h"
#include "desk/sticks.h"
#include "session/style.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct contest_sheet_options {
    struct contest_options common;
    unsigned whom;  /* bit of the sheets plus 1; 0: all but the manager's */
    unsigned doors; /* 1: fixed, 2: drawn; 0: as in the venue's file */
    const char *venue, *start, *breaks;
};

struct contest_tickets_options {
    struct contest_options common;
    const char *venue, *out;
    bool ranks;
    int preliminary; /* number of the holding; 0: tickets of the whole contest */
};

/* Loads the venue. *out is NULL if none was given. */
static enum bl_status load_venue(struct venue **out, const char *path, struct bl_diag *diag)
{
    char *text = NULL;
    struct style parsed;
    struct bl_diag why;
    enum bl_status status;
    *out = NULL;
    if (!path)
        return BL_OK;
    status = contest_read_file(&text, path, diag);
    if (status == BL_OK && !(*out = malloc(sizeof **out)))
        status = bl_fail(diag, BL_NOMEM, "no memory");
    if (status == BL_OK)
        status = venue_parse(*out, text, path, diag);
    for (unsigned i = 0; status == BL_OK && i < SCHEDULE_ENTRIES_MAX; i++) {
        const char *style = (*out)->entry[i].style;
        if (style[0] && style_parse(&parsed, style, SIDES, &why))
            status =
                bl_fail(diag, BL_DATA, "%s: [machines] entry%u.style: %s", path, i + 1, why.text);
    }
    free(text);
    return status;
}

/* A venue of which only the doors are known: fixed, or drawn for each round. */
static struct venue *venue_of_doors(bool drawn)
{
    struct venue *venue = calloc(1, sizeof *venue);
    for (unsigned b = 0; venue && drawn && b < SCHEDULE_BOOTHS_MAX; b++)
        strcpy(venue->booth[b].either, "yes");
    return venue;
}

static enum bl_status contest_sheet(const struct command_call *call, struct bl_diag *diag)
{
    const struct contest_sheet_options *options = call->options;
    const struct html_out out = {command_write, stdout};
    struct contest_file file = {.store = NULL};
    struct timetable timetable;
    struct venue *venue = NULL;
    struct kept kept;
    enum bl_status status = contest_file_open(&file, call, diag);
    kept_read(&kept, options->venue || options->doors ? "" : call->word[0]);
    if (status == BL_OK && options->venue && options->doors)
        status = bl_fail(diag, BL_USAGE, "--doors: the venue's file says it");
    if (status == BL_OK)
        status = load_venue(&venue, kept.venue[0] ? kept.venue : options->venue, diag);
    if (status == BL_OK && options->doors && !(venue = venue_of_doors(options->doors == 2)))
        status = bl_fail(diag, BL_NOMEM, "no memory");
    if (status == BL_OK)
        status = contest_timetable(&timetable, file.contest->ruleset.plan, venue, options->start,
                                   options->breaks, diag);
    if (status == BL_OK)
        status =
            sheets_write(file.contest, &timetable, venue,
                         options->whom ? 1U << (options->whom - 1) : SHEETS_FOR_ALL, &out, diag);
    if (status == BL_OK && !options->whom)
        fprintf(stderr,
                "The manager's own sheet tells who is human, and is printed apart: "
                "contest sheet %s --for setup\n",
                call->word[0]);
    free(venue);
    contest_file_close(&file);
    return status;
}

/* True if the contest's rules are built in, and so on every machine. */
static bool is_our_ruleset(const char *name, const char *rules)
{
    char *ours = NULL;
    struct bl_diag none;
    bool same = contest_ruleset_text(&ours, name, &none) == BL_OK && strcmp(ours, rules) == 0;
    free(ours);
    return same;
}

enum bl_status contest_write_sticks(struct contest_file *file, const char *path, const char *venue,
                                    const char *out, bool ranks, int preliminary,
                                    struct bl_diag *diag)
{
    char keys[FOLDER_PATH_MAX], records[FOLDER_PATH_MAX];
    struct venue *machines = NULL;
    char *rules = NULL;
    unsigned tickets = 0, judges = 0;
    enum bl_status status = load_venue(&machines, venue, diag);
    if (status == BL_OK)
        status = entries_find(machines, venue, diag);
    if (status == BL_OK)
        status = contest_file_rules(file, &rules, diag);
    if (status == BL_OK)
        status = folder_path(keys, diag, "%s.keys", path);
    if (status == BL_OK)
        status = folder_path(records, diag, "%s.records", path);
    const struct sticks_request request = {
        .contest = file->contest,
        .venue = machines,
        .out = out,
        .preliminary = (unsigned)preliminary,
        .keys = keys,
        .rules = rules && !is_our_ruleset(file->contest->ruleset.name, rules) ? rules : NULL,
        .records = ranks ? records : NULL,
        .progress = command_progress,
    };
    if (status == BL_OK)
        status = sticks_write(&request, &tickets, &judges, diag);
    if (status == BL_OK && ranks)
        printf("the records of %u judge%s, who are to rank\n", judges, BL_S(judges));
    if (status == BL_OK && !file->contest->sealed)
        printf("%u ticket%s: %s/judges-room is the judges' stick, %s/back-room the back room's; "
               "none may go to the other room\n",
               tickets, BL_S(tickets), out, out);
    free(rules);
    free(machines);
    return status;
}

/* Writes one of the two files of sheets, beside the contest's file. */
static enum bl_status write_sheet(const struct contest_file *file, const char *path,
                                  const char *name, const struct timetable *timetable,
                                  const struct venue *venue, unsigned kinds, struct bl_diag *diag)
{
    char to[FOLDER_PATH_MAX], *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    const struct html_out out = {command_write, memory};
    enum bl_status status = memory
                                ? folder_path(to, diag, "%.*s%s", folder_length(path), path, name)
                                : bl_fail(diag, BL_NOMEM, "no memory");
    if (status == BL_OK)
        status = sheets_write(file->contest, timetable, venue, kinds, &out, diag);
    bool whole = memory && fclose(memory) == 0;
    if (status == BL_OK)
        status = whole ? file_write(to, text, length, diag) : bl_fail(diag, BL_NOMEM, "no memory");
    free(text);
    return status;
}

enum bl_status contest_write_sheets(const struct contest_file *file, const char *path,
                                    const char *venue, struct bl_diag *diag)
{
    struct venue *machines = NULL;
    struct timetable timetable;
    enum bl_status status = load_venue(&machines, venue, diag);
    if (status == BL_OK)
        status =
            contest_timetable(&timetable, file->contest->ruleset.plan, machines, NULL, NULL, diag);
    if (status == BL_OK)
        status = write_sheet(file, path, "sheets.html", &timetable, machines, SHEETS_FOR_ALL, diag);
    if (status == BL_OK)
        status = write_sheet(file, path, "setup.html", &timetable, machines, SHEET_SETUP, diag);
    if (status == BL_OK)
        command_print("%.*ssheets.html: print it, everybody's sheets and the labels; setup.html is "
                      "for the manager alone: it tells who is human\n",
                      folder_length(path), path);
    free(machines);
    return status;
}

static enum bl_status contest_tickets(const struct command_call *call, struct bl_diag *diag)
{
    const struct contest_tickets_options *options = call->options;
    struct contest_file file = {.store = NULL};
    enum bl_status status = BL_OK;
    struct kept kept;
    kept_read(&kept, call->word[0]);
    if (options->venue)
        folder_path(kept.venue, diag, "%s", options->venue);
    if (options->out)
        folder_path(kept.sticks, diag, "%s", options->out);
    if (!kept.venue[0] || !kept.sticks[0])
        status = bl_fail(diag, BL_USAGE, "missing --venue FILE and --out DIR");
    if (status == BL_OK)
        status = contest_file_open(&file, call, diag);
    if (status == BL_OK)
        status = contest_write_sticks(&file, call->word[0], kept.venue, kept.sticks, options->ranks,
                                      options->preliminary, diag);
    /* For a contest made by setup the sheets are also written. */
    if (status == BL_OK && !options->venue && !options->ranks && !options->preliminary)
        status = contest_write_sheets(&file, call->word[0], kept.venue, diag);
    contest_file_close(&file);
    return status;
}

static const struct command_option sheet_options[] = {
    OPTION_RANGE("--for", "judges|confederates|entries|labels|setup|preliminary|form",
                 "only these (default: all but the last three); form: for entrants", OPTION_CHOICE,
                 struct contest_sheet_options, whom, 1, 0),
    OPTION_ROW("--venue", "FILE",
               "the venue's machines, see boothlink-venue(5) (default: those of `contest setup`)",
               OPTION_TEXT, struct contest_sheet_options, venue),
    OPTION_RANGE("--doors", "fixed|drawn", "without a venue: whether its machines change places",
                 OPTION_CHOICE, struct contest_sheet_options, doors, 1, 0),
    OPTION_ROW("--start", "TIME", "of the first round, such as 10:00", OPTION_TEXT,
               struct contest_sheet_options, start),
    OPTION_ROW("--breaks", "ROUND=MIN,...", "longer breaks after these rounds", OPTION_TEXT,
               struct contest_sheet_options, breaks),
    {0},
};

static const struct command_option tickets_options[] = {
    OPTION_ROW("--venue", "FILE",
               "the venue's machines, see boothlink-venue(5) (default: those of `contest setup`)",
               OPTION_TEXT, struct contest_tickets_options, venue),
    OPTION_ROW("--out", "DIR",
               "where they are written, a folder for each room's stick (default: where `contest "
               "setup` did)",
               OPTION_TEXT, struct contest_tickets_options, out),
    OPTION_ROW("--ranks", NULL, "with each judge's own records, for his ranks", OPTION_FLAG,
               struct contest_tickets_options, ranks),
    OPTION_RANGE("--preliminary", "N",
                 "of the preliminary round instead, 1; again, 2 and so on (2003 r33, 2004 A8.4)",
                 OPTION_NUMBER, struct contest_tickets_options, preliminary, 1, 99),
    {0},
};

const struct command contest_sheet_verbs[] = {
    {
        .name = "contest sheet",
        .synopsis = "FILE [--for WHOM] [--venue VENUE]",
        .help = "everybody's sheets and the booths' labels, as HTML",
        .text = "Printed to standard output, a page for each person. The set-up sheet tells the "
                "manager who is human, and is printed only alone, by --for setup. Confederates and "
                "operators find the door of their machine at the far end of a booth's cable; which "
                "one it is, depends on the venue.",
        .examples = "boothlink contest sheet c.db --for judges --start 10:00 > judges.html",
        .options = sheet_options,
        .size = sizeof(struct contest_sheet_options),
        .least = 1,
        .most = 1,
        .run = contest_sheet,
    },
    {
        .name = "contest tickets",
        .synopsis = "FILE [--venue VENUE] [--out DIR] [--ranks | --preliminary N]",
        .help = "the session tickets of the rounds to come, as two sticks",
        .text = "DIR/judges-room and DIR/back-room are each the content of a stick, with a folder "
                "for each place, see boothlink-venue(5). Tickets of an earlier time are taken out "
                "of them, nothing else is. Beside a contest that `contest setup` made, sheets.html "
                "and setup.html are written anew. With --ranks, after the last round and `contest "
                "collect`, the judges' stick has a folder for each judge who is to rank.",
        .options = tickets_options,
        .size = sizeof(struct contest_tickets_options),
        .least = 1,
        .most = 1,
        .run = contest_tickets,
    },
    {0},
};
