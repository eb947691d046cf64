#include "desk/tables.h"

#include "base/growing.h"
#include "booth/transcript_source.h"
#include "contest/act_body.h"
#include "desk/records.h"

#include <stdlib.h>
#include <string.h>

const char *const tables_endings[TABLES_FORMS] = {"csv", "jsonl"};

/* Writes a cell by RFC 4180: quoted where necessary, quotes doubled. */
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
    struct tables *tables = ctx;
    FILE *csv = tables->file[table][TABLES_CSV], *lines = tables->file[table][TABLES_LINES];
    const struct data_column *column = data_layouts[table].column;
    json_t *row = json_object();
    if (!values || !row) {
        json_decref(values);
        json_decref(row);
        return BL_NOMEM;
    }
    for (size_t i = 0; i < json_array_size(values); i++) {
        if (i)
            putc(',', csv);
        put_cell(csv, json_array_get(values, i));
        json_object_set(row, column[i].name, json_array_get(values, i));
    }
    putc('\n', csv);
    json_dumpf(row, lines, JSON_COMPACT);
    putc('\n', lines);
    tables->rows[table]++;
    json_decref(row);
    json_decref(values);
    return BL_OK;
}

static enum bl_status no_memory(enum bl_status status, struct bl_diag *diag)
{
    return status == BL_NOMEM ? bl_fail(diag, BL_NOMEM, "no memory") : status;
}

enum bl_status tables_begin(struct tables *tables, struct bl_diag *diag)
{
    *tables = (struct tables){.out = {put_row, tables}};
    for (unsigned t = 0; t < DATA_TABLES; t++) {
        for (unsigned f = 0; f < TABLES_FORMS; f++) {
            tables->file[t][f] = open_memstream(&tables->text[t][f], &tables->length[t][f]);
            if (!tables->file[t][f])
                return no_memory(BL_NOMEM, diag);
        }
        for (const struct data_column *c = data_layouts[t].column; c->name; c++)
            fprintf(tables->file[t][TABLES_CSV], "%s%s", c == data_layouts[t].column ? "" : ",",
                    c->name);
        putc('\n', tables->file[t][TABLES_CSV]);
    }
    return BL_OK;
}

void tables_free(struct tables *tables)
{
    tables_end(tables, NULL);
    for (unsigned t = 0; t < DATA_TABLES; t++)
        for (unsigned f = 0; f < TABLES_FORMS; f++)
            free(tables->text[t][f]);
    for (size_t i = 0; i < tables->acts; i++) {
        free(tables->given[i].notes);
        free(tables->given[i].why);
        json_decref(tables->given[i].fields);
    }
    free(tables->given);
    *tables = (struct tables){.acts = 0};
}

enum bl_status tables_act(struct tables *tables, const struct act *act, struct bl_diag *diag)
{
    struct data_given *more =
        growing_array(tables->given, tables->acts, &tables->room, sizeof *more);
    if (!more)
        return no_memory(BL_NOMEM, diag);
    json_t *body = json_loads(act->body, 0, NULL);
    const char *notes = json_string_value(json_object_get(body, "notes"));
    const char *why = strcmp(act->kind, act_kind_name(ACT_REPEAT)) == 0
                          ? json_string_value(json_object_get(body, "why"))
                          : NULL;
    tables->given = more;
    more[tables->acts++] = (struct data_given){
        .at_us = act->at_us,
        .notes = notes ? strdup(notes) : NULL,
        .why = why ? strdup(why) : NULL,
        .fields = json_incref(json_object_get(body, "fields")),
        .corrected = json_is_true(json_object_get(body, "correction")),
    };
    json_decref(body);
    return no_memory(data_act(act, &tables->out), diag);
}

/* True if the verified bundle has the session's record. */
static bool is_told(const struct tables *tables, const char *session)
{
    char start[CONTEST_SESSION_MAX + 16];
    size_t length = (size_t)snprintf(start, sizeof start, "{\"session\":\"%s\",", session);
    for (const char *at = tables->told; at && *at; at += strcspn(at, "\n"), at += *at == '\n')
        if (strncmp(at, start, length) == 0) {
            const char *recorded = strstr(at, ",\"recorded\":true,");
            return recorded && recorded < at + strcspn(at, "\n");
        }
    return false;
}

/* Puts a session's row, and its messages and keys if the record can be read. `held` false: the
 * session has a row only if it has a record. */
static enum bl_status put_session(struct tables *tables, const struct contest *contest,
                                  const struct meeting *meeting, unsigned times, bool held,
                                  const char *records, const struct data_out *out, unsigned *unread)
{
    char session[CONTEST_SESSION_MAX], path[FOLDER_PATH_MAX];
    const struct transcript_request request = {.file = path, .from = "journal"};
    struct transcript_source source = {.is_journal = false};
    struct bl_diag why;
    contest_session_before(meeting, times, session);
    enum bl_status status = records ? records_find(records, session, path, &why) : BL_NOINPUT;
    if (status != BL_OK && status != BL_NOMEM && !held && !is_told(tables, session))
        return BL_OK;
    if (status == BL_OK)
        status = transcript_source_open(&source, &request, &why);
    if (records && status != BL_OK) {
        char line[sizeof why.text + CONTEST_SESSION_MAX + 32];
        snprintf(line, sizeof line, "%s has no record: %s", session, why.text);
        if (tables->unread)
            tables->unread(tables->ctx, line);
        ++*unread;
    }
    if (status == BL_OK || (status != BL_NOMEM && (held || !records)))
        status = data_session(contest, meeting, times, tables->given,
                              status == BL_OK ? &source.history : NULL, out);
    else if (status != BL_NOMEM)
        status = BL_OK;
    transcript_source_close(&source);
    return status;
}

enum bl_status tables_contest(struct tables *tables, const struct contest *contest,
                              const char *records, const struct data_out *out, unsigned *unread,
                              struct bl_diag *diag)
{
    enum bl_status status = data_people(contest, out);
    if (status == BL_OK)
        status = data_verdicts(contest, tables->given, out);
    if (status == BL_OK)
        status = data_fields(contest, tables->given, out);
    if (status == BL_OK)
        status = data_answers(contest, tables->given, out);
    for (unsigned i = 0; status == BL_OK && i < contest->schedule.count; i++) {
        const struct meeting *meeting = &contest->schedule.meeting[i];
        unsigned repeated = contest_repeated(contest, meeting);
        bool held = contest_was_held(contest, meeting) || contest_had_ballot(contest, meeting);
        if (meeting->round >= contest->begun)
            continue;
        for (unsigned times = 0; status == BL_OK && times <= repeated; times++)
            status = put_session(tables, contest, meeting, times, held || times < repeated, records,
                                 out, unread);
    }
    return no_memory(status, diag);
}

enum bl_status tables_end(struct tables *tables, struct bl_diag *diag)
{
    bool bad = false;
    for (unsigned t = 0; t < DATA_TABLES; t++)
        for (unsigned f = 0; f < TABLES_FORMS; f++) {
            FILE *file = tables->file[t][f];
            tables->file[t][f] = NULL;
            bad |= file && (ferror(file) || fclose(file));
        }
    return no_memory(bad ? BL_NOMEM : BL_OK, diag);
}

static void put_line(struct growing *text, const char *table, const char *column, const char *type,
                     const char *about)
{
    const char *const parts[] = {table, ",", column, ",", type, ",\"", about, "\"\n"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        growing_text(text, parts[i]);
}

char *tables_codebook(unsigned count)
{
    struct growing text = {.length = 0};
    growing_text(&text, "table,column,type,about\n");
    for (unsigned t = 0; t < count; t++) {
        const struct data_layout *layout = &data_layouts[t];
        put_line(&text, layout->name, "", "", layout->about);
        for (const struct data_column *c = layout->column; c->name; c++)
            put_line(&text, layout->name, c->name, c->type, c->about);
    }
    if (text.failed)
        free(text.bytes);
    return text.failed ? NULL : text.bytes;
}
