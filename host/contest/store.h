/* The contest's file: acts in an SQLite database, appended and never overwritten.
 *
 * An act is on the disk when store_append returns BL_OK (synchronous EXTRA: the folder too, which a
 * rollback journal needs). Several programs may have one contest open: each append is a transaction
 * that begins by reading the acts of others. */
#ifndef CONTEST_STORE_H
#define CONTEST_STORE_H

#include "base/status.h"
#include "contest/act.h"

struct store;

/* store_create() makes the file, which must be missing or empty; the other opens one. Errors:
 * BL_USAGE (it exists), BL_NOINPUT, BL_NOPERM, BL_DATA (no contest, or a later version's),
 * BL_IO. */
enum bl_status store_create(struct store **out, const char *path, struct bl_diag *diag);
enum bl_status store_open(struct store **out, const char *path, struct bl_diag *diag);

/* As store_open(), for a reader that must not wait: BL_BUSY, here and later, while another program
 * writes. */
enum bl_status store_open_now(struct store **out, const char *path, struct bl_diag *diag);

/* NULL is allowed. */
void store_close(struct store *store);

/* Passes every act after number `after` to `take`, in order. A status other than BL_OK from `take`
 * ends the reading and is returned. BL_DATA: an act has a wrong hash; diag has its number. The
 * texts live during the call. */
enum bl_status store_read(struct store *store, int64_t after,
                          enum bl_status (*take)(void *ctx, const struct act *act,
                                                 struct bl_diag *diag),
                          void *ctx, struct bl_diag *diag);

/* Appends an act, and fills in its number and hash. Before that, in the same transaction, passes
 * the acts that others have appended since `after` to `take`. Then `check` may refuse the new act.
 * The callbacks' state is valid if BL_OK is returned. Errors, without an effect: those of the
 * callbacks; BL_FULL, BL_IO, BL_BUSY (another program holds the file for more than 60 s). */
enum bl_status
store_append(struct store *store, int64_t after, struct act *act,
             enum bl_status (*take)(void *ctx, const struct act *act, struct bl_diag *diag),
             enum bl_status (*check)(void *ctx, const struct act *act, struct bl_diag *diag),
             void *ctx, struct bl_diag *diag);

/* The number and hash of a file's last act, which prove all acts. Without acts *last is unchanged.
 * Errors as store_open() and store_read(). */
enum bl_status store_last(const char *path, struct act *last, struct bl_diag *diag);

/* Copies all acts to another file, which must not exist. The file gets its name when it is complete
 * and on the disk. An interrupted copy leaves PATH.part, which the next copy replaces. Errors:
 * BL_USAGE (it exists), BL_NOPERM, BL_NOINPUT, BL_FULL, BL_IO. */
enum bl_status store_copy(struct store *store, const char *path, struct bl_diag *diag);

#endif
