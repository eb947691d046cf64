/* A contest's tables (contest/data.h) as texts and as files: CSV (RFC 4180) and JSON lines. */
#ifndef DESK_TABLES_H
#define DESK_TABLES_H

#include "contest/data.h"

#include <stdio.h>

enum tables_form { TABLES_CSV, TABLES_LINES, TABLES_FORMS };

extern const char *const tables_endings[TABLES_FORMS];

struct tables {
    FILE *file[DATA_TABLES][TABLES_FORMS];
    char *text[DATA_TABLES][TABLES_FORMS]; /* complete after tables_end() */
    size_t length[DATA_TABLES][TABLES_FORMS];
    unsigned rows[DATA_TABLES];
    struct data_given *given; /* of the acts so far */
    size_t acts, room;
    struct data_out out; /* takes the rows; another callback may be put before it */
    /* The keys of a session as a bundle tells them, NULL: it has no record. Where journals are read
     * the callback is NULL. */
    const struct history *(*told)(void *ctx, const char *session);
    void *told_ctx;
    /* Gets a line for each session whose record cannot be read. */
    void (*unread)(void *ctx, const char *line);
    void *ctx;
};

/* BL_NOMEM. The caller also frees it after an error. */
enum bl_status tables_begin(struct tables *tables, struct bl_diag *diag);
void tables_free(struct tables *tables);

/* Adds an act. The caller adds all acts, in their order, before tables_contest(). */
enum bl_status tables_act(struct tables *tables, const struct act *act, struct bl_diag *diag);

/* Adds people, verdicts and sessions through `out`, and messages and keys from the journals in the
 * folder `records`, which may be NULL. *unread counts sessions without a record. BL_NOMEM. */
enum bl_status tables_contest(struct tables *tables, const struct contest *contest,
                              const char *records, const struct data_out *out, unsigned *unread,
                              struct bl_diag *diag);

/* Ends the texts. BL_NOMEM. */
enum bl_status tables_end(struct tables *tables, struct bl_diag *diag);

/* The explanation of each column of the first `count` tables, as a table; the caller frees it.
 * NULL: no memory. */
char *tables_codebook(unsigned count);

#endif
