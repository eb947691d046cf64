/* The contest's file: acts in an SQLite database, appended and never overwritten. The only file of
 * this folder with input and output.
 *
 * An act for which store_append has returned BL_OK is on the disk (synchronous EXTRA: the folder
 * too, which a rollback journal needs): a crash or a loss of power at any moment costs no act.
 * Several programs may have one contest open: each append is a transaction of its own that begins
 * by reading the acts of others. */
#ifndef CONTEST_STORE_H
#define CONTEST_STORE_H

#include "base/status.h"
#include "contest/act.h"

struct store;

/* Makes the file, which must not exist or be empty, or opens one. Errors: BL_USAGE (it exists),
 * BL_NOINPUT, BL_NOPERM, BL_DATA (no contest, or made by a later version), BL_IO. */
enum bl_status store_create(struct store **out, const char *path, struct bl_diag *diag);
enum bl_status store_open(struct store **out, const char *path, struct bl_diag *diag);

/* As store_open() for a reader that may not wait: BL_BUSY, here and later, while another program
 * writes. */
enum bl_status store_open_now(struct store **out, const char *path, struct bl_diag *diag);

/* NULL is allowed. */
void store_close(struct store *store);

/* Passes every act after number `after` to `take`, in order; a status other than BL_OK from `take`
 * stops the reading and is returned. An act with a wrong hash: BL_DATA with its number. The texts
 * live during the call. */
enum bl_status store_read(struct store *store, int64_t after,
                          enum bl_status (*take)(void *ctx, const struct act *act,
                                                 struct bl_diag *diag),
                          void *ctx, struct bl_diag *diag);

/* Appends an act, and fills in its number and hash. Before that, within the same transaction,
 * passes the acts that others have appended since `after` to `take`; then `check` may refuse the
 * new act, with all earlier ones known. The state that the callbacks have made holds only if BL_OK
 * is returned. Errors: those of the callbacks; BL_FULL, BL_IO, BL_BUSY (another program holds the
 * file for more than 60 s): then nothing was appended. */
enum bl_status
store_append(struct store *store, int64_t after, struct act *act,
             enum bl_status (*take)(void *ctx, const struct act *act, struct bl_diag *diag),
             enum bl_status (*check)(void *ctx, const struct act *act, struct bl_diag *diag),
             void *ctx, struct bl_diag *diag);

/* The number and hash of a file's last act, which prove all acts; *last is unchanged without acts.
 * Errors as store_open() and store_read(). */
enum bl_status store_last(const char *path, struct act *last, struct bl_diag *diag);

/* Copies all acts to another file, which must not exist; the file gets its name when it is complete
 * and on the disk. An interrupted copy leaves PATH.part, which the next one replaces. Errors:
 * BL_USAGE (it exists), BL_NOPERM, BL_NOINPUT, BL_FULL, BL_IO. */
enum bl_status store_copy(struct store *store, const char *path, struct bl_diag *diag);

#endif
