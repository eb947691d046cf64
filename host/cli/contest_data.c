/* "boothlink contest data": all of a contest as tables, for statistics. */
#include "cli/contest.h"

#include "base/file.h"
#include "base/growing.h"
#include "booth/transcript_source.h"
#include "contest/data.h"
#include "desk/records.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct contest_data_options {
    struct contest_options common;
    const char *out, *records;
};

/* Each table is two files, and what the first act up to the last give the verdicts. */
struct data_files {
    const char *folder;
    FILE *csv[DATA_TABLES], *lines[DATA_TABLES];
    unsigned rows[DATA_TABLES];
    struct data_given *given;
    size_t acts, room;
    unsigned unread;
    struct bl_diag *diag;
    struct data_out out;
};

/* As RFC 4180 has it: quoted where it must be, quotes doubled. */
static void put_cell(FILE *file, const json_t *value)
{
    const char *text = json_string_value(value);
    if (json_is_boolean(value)) {
        fputs(json_is_true(value) ? "yes" : "no", file);
    } else if (json_is_integer(value)) {
        fprintf(file, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    } else if (json_is_real(value)) {
        fprintf(file, "%.3f", json_real_value(value));
    } else if (text && !text[strcspn(text, "\",\r\n")]) {
        fputs(text, file);
    } else if (text) {
        putc('"', file);
        for (; *text; text++) {
            if (*text == '"')
                putc('"', file);
            putc(*text, file);
        }
        putc('"', file);
    }
}

static enum bl_status put_row(void *ctx, enum data_table table, json_t *values)
{
    struct data_files *files = ctx;
    const struct data_column *column = data_layouts[table].column;
    json_t *row = json_object();
    if (!values || !row) {
        json_decref(values);
        json_decref(row);
        return bl_fail(files->diag, BL_NOMEM, "no memory");
    }
    for (size_t i = 0; i < json_array_size(values); i++) {
        if (i)
            putc(',', files->csv[table]);
        put_cell(files->csv[table], json_array_get(values, i));
        json_object_set(row, column[i].name, json_array_get(values, i));
    }
    putc('\n', files->csv[table]);
    json_dumpf(row, files->lines[table], JSON_COMPACT);
    putc('\n', files->lines[table]);
    files->rows[table]++;
    json_decref(row);
    json_decref(values);
    return BL_OK;
}

static enum bl_status open_file(struct data_files *files, const char *name, const char *ending,
                                FILE **file)
{
    char path[FOLDER_PATH_MAX];
    enum bl_status status = folder_path(path, files->diag, "%s/%s.%s", files->folder, name, ending);
    if (status == BL_OK && folder_has(path))
        return bl_fail(files->diag, BL_USAGE, "%s is there already: expected a new folder", path);
    if (status == BL_OK && !(*file = fopen(path, "we")))
        status = file_fail(files->diag, path);
    return status;
}

/* All tables with their first lines, and the codebook. */
static enum bl_status open_files(struct data_files *files)
{
    FILE *codebook = NULL;
    enum bl_status status = open_file(files, "codebook", "csv", &codebook);
    if (status == BL_OK)
        fputs("table,column,type,about\n", codebook);
    for (unsigned t = 0; status == BL_OK && t < DATA_TABLES; t++) {
        const struct data_layout *layout = &data_layouts[t];
        status = open_file(files, layout->name, "csv", &files->csv[t]);
        if (status == BL_OK)
            status = open_file(files, layout->name, "jsonl", &files->lines[t]);
        if (status != BL_OK)
            break;
        fprintf(codebook, "%s,,,\"%s\"\n", layout->name, layout->about);
        for (const struct data_column *c = layout->column; c->name; c++) {
            fprintf(files->csv[t], "%s%s", c == layout->column ? "" : ",", c->name);
            fprintf(codebook, "%s,%s,%s,\"%s\"\n", layout->name, c->name, c->type, c->about);
        }
        putc('\n', files->csv[t]);
    }
    if (codebook && fclose(codebook) && status == BL_OK)
        status = file_fail(files->diag, files->folder);
    return status;
}

static enum bl_status close_files(struct data_files *files, enum bl_status status)
{
    for (unsigned t = 0; t < DATA_TABLES; t++) {
        FILE *all[] = {files->csv[t], files->lines[t]};
        for (unsigned i = 0; i < 2; i++) {
            bool bad = all[i] && ferror(all[i]);
            if (((all[i] && fclose(all[i])) || bad) && status == BL_OK)
                status = bl_fail(files->diag, BL_IO, "%s/%s: cannot be written", files->folder,
                                 data_layouts[t].name);
        }
    }
    for (size_t i = 0; i < files->acts; i++) {
        free(files->given[i].notes);
        json_decref(files->given[i].fields);
    }
    free(files->given);
    return status;
}

static enum bl_status take_act(void *ctx, const struct act *act, struct bl_diag *diag)
{
    struct data_files *files = ctx;
    struct data_given *more = growing_array(files->given, files->acts, &files->room, sizeof *more);
    json_t *body = json_loads(act->body, 0, NULL);
    const char *notes = json_string_value(json_object_get(body, "notes"));
    enum bl_status status = more ? BL_OK : bl_fail(diag, BL_NOMEM, "no memory");
    files->given = more ? more : files->given;
    if (more)
        more[files->acts++] = (struct data_given){
            .at_us = act->at_us,
            .notes = notes ? strdup(notes) : NULL,
            .fields = json_incref(json_object_get(body, "fields")),
            .corrected = json_is_true(json_object_get(body, "correction")),
        };
    json_decref(body);
    return status == BL_OK ? data_act(act, &files->out) : status;
}

/* A session's row, and its messages and keys where it has a record that can be read. */
static enum bl_status put_session(struct data_files *files, const struct contest *contest,
                                  const struct meeting *meeting, unsigned times,
                                  const char *records)
{
    char session[CONTEST_SESSION_MAX], path[FOLDER_PATH_MAX];
    const struct transcript_request request = {.file = path, .from = "journal"};
    struct transcript_source source = {.is_journal = false};
    struct bl_diag why;
    contest_session_before(meeting, times, session);
    enum bl_status status = records ? records_find(records, session, path, &why) : BL_NOINPUT;
    bool found = status == BL_OK;
    if (found)
        status = transcript_source_open(&source, &request, &why);
    if (records && status != BL_OK) {
        fprintf(stderr, "%s has no record: %s\n", session, why.text);
        files->unread++;
    }
    status = status == BL_NOMEM
                 ? bl_fail(files->diag, BL_NOMEM, "no memory")
                 : data_session(contest, meeting, times, status == BL_OK ? &source.history : NULL,
                                &files->out);
    transcript_source_close(&source);
    return status;
}

static enum bl_status put_sessions(struct data_files *files, const struct contest *contest,
                                   const char *records)
{
    enum bl_status status = BL_OK;
    for (unsigned i = 0; status == BL_OK && i < contest->schedule.count; i++) {
        const struct meeting *meeting = &contest->schedule.meeting[i];
        if (meeting->round >= contest->begun || !contest_was_held(contest, meeting))
            continue;
        for (unsigned times = 0; status == BL_OK && times <= contest_repeated(contest, meeting);
             times++)
            status = put_session(files, contest, meeting, times, records);
    }
    return status;
}

static enum bl_status contest_data(const struct command_call *call, struct bl_diag *diag)
{
    const struct contest_data_options *options = call->options;
    struct contest_file file = {.store = NULL};
    struct data_files files = {.folder = options->out, .diag = diag};
    files.out = (struct data_out){put_row, &files};
    if (!options->out)
        return bl_fail(diag, BL_USAGE, "missing --out DIR, a new folder for the tables");
    enum bl_status status = contest_file_open(&file, call, diag);
    if (status == BL_OK && !file.contest->sealed)
        status = bl_fail(diag, BL_DATA,
                         "the contest is not sealed: the tables say who is who. Next: boothlink "
                         "contest seal %s",
                         call->word[0]);
    if (status == BL_OK)
        status = folder_make(options->out, diag);
    if (status == BL_OK)
        status = open_files(&files);
    if (status == BL_OK)
        status = store_read(file.store, 0, take_act, &files, diag);
    if (status == BL_OK)
        status = data_people(file.contest, &files.out);
    if (status == BL_OK)
        status = data_verdicts(file.contest, files.given, &files.out);
    if (status == BL_OK)
        status = data_fields(file.contest, files.given, &files.out);
    if (status == BL_OK)
        status = put_sessions(&files, file.contest, options->records);
    status = close_files(&files, status);
    for (unsigned t = 0; status == BL_OK && t < DATA_TABLES; t++)
        printf("%7u %s\n", files.rows[t], data_layouts[t].name);
    if (status == BL_OK)
        command_print("in %s, each as CSV and as JSON lines; codebook.csv says what is what\n",
                      options->out);
    if (status == BL_OK && !options->records)
        command_print("without messages and keys: --records DIR has the journals\n");
    if (status == BL_OK && files.unread)
        status = bl_fail(diag, BL_DATA, "%u session%s without a record", files.unread,
                         BL_S(files.unread));
    contest_file_close(&file);
    return status;
}

static const struct command_option data_options[] = {
    OPTION_ROW("--out", "DIR", "a new folder for the tables", OPTION_TEXT,
               struct contest_data_options, out),
    OPTION_ROW("--records", "DIR", "the folder with the judges' journals", OPTION_TEXT,
               struct contest_data_options, records),
    {0},
};

const struct command contest_data_verbs[] = {
    {
        .name = "contest data",
        .synopsis = "FILE --out DIR [--records DIR]",
        .help = "people, sessions, verdicts, fields, messages, keys and acts as tables",
        .text = "For statistics: each table as CSV and as JSON lines, with a codebook. Ids are "
                "texts that join the tables; times are microseconds since 1970, UTC. Who is who is "
                "in them, so the contest must be sealed. A session without a record is named, and "
                "the exit status is then 65.",
        .examples = "boothlink contest data c.db --records c.db.records --out tables",
        .options = data_options,
        .size = sizeof(struct contest_data_options),
        .least = 1,
        .most = 1,
        .run = contest_data,
    },
    {0},
};
