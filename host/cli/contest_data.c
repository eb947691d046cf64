/* "boothlink contest data": all of a contest as tables, for statistics. */
#include "cli/contest.h"

#include "base/file.h"
#include "desk/folder.h"
#include "desk/tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct contest_data_options {
    struct contest_options common;
    const char *out, *records;
};

static void tell_unread(void *ctx, const char *line)
{
    (void)ctx;
    fprintf(stderr, "%s\n", line);
}

static enum bl_status take_act(void *ctx, const struct act *act, struct bl_diag *diag)
{
    return tables_act(ctx, act, diag);
}

/* The tables are readable for others, like the output of a redirection. */
static enum bl_status write_one(const char *folder, const char *name, const char *ending,
                                const char *text, struct bl_diag *diag)
{
    char path[FOLDER_PATH_MAX];
    enum bl_status status = folder_path(path, diag, "%s/%s.%s", folder, name, ending);
    if (status == BL_OK && folder_has(path))
        return bl_fail(diag, BL_USAGE, "%s is there already: expected a new folder", path);
    if (status == BL_OK)
        status = file_write(path, text, strlen(text), diag);
    return status == BL_OK && chmod(path, 0644) ? file_fail(diag, path) : status;
}

static enum bl_status write_tables(const struct tables *tables, unsigned count, const char *folder,
                                   struct bl_diag *diag)
{
    char *codebook = tables_codebook(count);
    enum bl_status status = codebook ? write_one(folder, "codebook", "csv", codebook, diag)
                                     : bl_fail(diag, BL_NOMEM, "no memory");
    for (unsigned i = 0; status == BL_OK && i < count * TABLES_FORMS; i++) {
        unsigned table = i / TABLES_FORMS, form = i % TABLES_FORMS;
        status = write_one(folder, data_layouts[table].name, tables_endings[form],
                           tables->text[table][form], diag);
    }
    free(codebook);
    return status;
}

static enum bl_status contest_data(const struct command_call *call, struct bl_diag *diag)
{
    const struct contest_data_options *options = call->options;
    struct contest_file file = {.store = NULL};
    struct tables tables = {.acts = 0};
    unsigned unread = 0;
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
        status = tables_begin(&tables, diag);
    tables.unread = tell_unread;
    if (status == BL_OK)
        status = store_read(file.store, 0, take_act, &tables, diag);
    if (status == BL_OK)
        status =
            tables_contest(&tables, file.contest, options->records, &tables.out, &unread, diag);
    if (status == BL_OK)
        status = tables_end(&tables, diag);
    if (status == BL_OK)
        status = write_tables(&tables, data_tables(file.contest), options->out, diag);
    for (unsigned t = 0; status == BL_OK && t < data_tables(file.contest); t++)
        printf("%7u %s\n", tables.rows[t], data_layouts[t].name);
    if (status == BL_OK)
        command_print("in %s, each as CSV and as JSON lines; codebook.csv says what is what\n",
                      options->out);
    if (status == BL_OK && !options->records)
        command_print("without messages and keys: --records DIR has the journals\n");
    if (status == BL_OK && unread)
        status = bl_fail(diag, BL_DATA, "%u session%s without a record", unread, BL_S(unread));
    tables_free(&tables);
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
        .help = "people, sessions, verdicts, fields, messages, keys, acts and answers as tables",
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
