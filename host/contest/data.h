/* A contest as tables for statistics: people, sessions, verdicts, messages, keys and acts, with a
 * codebook of the columns. Pure: a callback gets the rows. The contest must be sealed, since the
 * tables have the seats.
 *
 * * Ids are texts and stay the same: people "E1", "J2", "C3", a person who was replaced "J2.1"; a
 * session "r1-j2", held again "r1-j2-2". Times are microseconds since 1970, UTC; those of a session
 * by the clock of its judge's machine, but for a key's "pressed". */
#ifndef CONTEST_DATA_H
#define CONTEST_DATA_H

#include "contest/contest.h"
#include "transcript/history.h"

#include <jansson.h>

enum data_table {
    DATA_PEOPLE,
    DATA_SESSIONS,
    DATA_VERDICTS,
    DATA_FIELDS,
    DATA_MESSAGES,
    DATA_KEYS,
    DATA_ACTS,
    DATA_ANSWERS, /* of rules with a survey */
    DATA_TABLES
};

unsigned data_tables(const struct contest *contest);

/* `type` is "id", "text", "integer", "number" or "yes/no". Empty or null: not known, or not
 * applicable. */
struct data_column {
    const char *name, *type, *about;
};

#define DATA_COLUMNS_MAX 20

struct data_layout {
    const char *name, *about;                    /* "people" */
    struct data_column column[DATA_COLUMNS_MAX]; /* ends with a NULL name */
};

extern const struct data_layout data_layouts[DATA_TABLES];

/* Takes a row: a JSON array with a value for each column, and its reference; NULL: no memory. A
 * status other than BL_OK ends the table. */
struct data_out {
    enum bl_status (*row)(void *ctx, enum data_table table, json_t *values);
    void *ctx;
};

enum bl_status data_people(const struct contest *contest, const struct data_out *out);

/* The act of a ballot: its time, the judge's notes and the rules' other fields (may be NULL), and
 * whether it replaced an earlier ballot. The act of a repeat: the reason. `given` has an element
 * for each act, in order. */
struct data_given {
    int64_t at_us;
    char *notes, *why;
    json_t *fields;
    bool corrected;
};
enum bl_status data_verdicts(const struct contest *contest, const struct data_given *given,
                             const struct data_out *out);
enum bl_status data_fields(const struct contest *contest, const struct data_given *given,
                           const struct data_out *out);

enum bl_status data_answers(const struct contest *contest, const struct data_given *given,
                            const struct data_out *out);

/* A meeting's session after `times` repeats, with its messages and keys. `history` NULL: no
 * record. */
enum bl_status data_session(const struct contest *contest, const struct meeting *meeting,
                            unsigned times, const struct data_given *given,
                            const struct history *history, const struct data_out *out);

enum bl_status data_act(const struct act *act, const struct data_out *out);

#endif
