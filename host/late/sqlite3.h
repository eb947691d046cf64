/* SQLite, loaded late. */
#ifndef LATE_SQLITE3_H
#define LATE_SQLITE3_H

#include "late/late.h"

#include <sqlite3.h>

/* clang-format off */
#define LATE_SQLITE3(_) \
    _(sqlite3_, backup_finish) \
    _(sqlite3_, backup_init) \
    _(sqlite3_, backup_step) \
    _(sqlite3_, bind_blob) \
    _(sqlite3_, bind_int64) \
    _(sqlite3_, bind_text) \
    _(sqlite3_, busy_timeout) \
    _(sqlite3_, clear_bindings) \
    _(sqlite3_, close) \
    _(sqlite3_, column_blob) \
    _(sqlite3_, column_bytes) \
    _(sqlite3_, column_int) \
    _(sqlite3_, column_int64) \
    _(sqlite3_, column_text) \
    _(sqlite3_, errcode) \
    _(sqlite3_, errmsg) \
    _(sqlite3_, errstr) \
    _(sqlite3_, exec) \
    _(sqlite3_, extended_result_codes) \
    _(sqlite3_, finalize) \
    _(sqlite3_, libversion) \
    _(sqlite3_, open_v2) \
    _(sqlite3_, prepare_v2) \
    _(sqlite3_, reset) \
    _(sqlite3_, step)
/* clang-format on */

extern struct late_sqlite3 {
    LATE_SQLITE3(LATE_MEMBER)
} late_sqlite3;

#endif
