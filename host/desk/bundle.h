/* A contest's public bundle: a folder with contest.json, the tables, their codebook, the numbers of
 * redactions, and the hash of each file. People have pseudonyms there. The folder alone is enough
 * for a check, which makes all files again from the acts and the keys, and compares them.
 * boothlink-contest(5), "The bundle", describes it. */
#ifndef DESK_BUNDLE_H
#define DESK_BUNDLE_H

#include "contest/pseudonym.h"
#include "contest/store.h"
#include "desk/tables.h"

#define BUNDLE_HASHES    "hashes"
#define BUNDLE_FILES_MAX 24

struct bundle_file {
    char name[32];
    char *text; /* owned */
    size_t length;
};

struct bundle {
    struct bundle_file file[BUNDLE_FILES_MAX];
    unsigned files, acts, unread;
    bool chained;            /* the acts are chained by hashes */
    unsigned messages, keys; /* removed words of names and phrases, and removed keys */
};

struct bundle_setup {
    struct store *store;
    const struct contest *contest;
    const struct pseudonyms *pseudonyms; /* NULL: people have their names */
    const char *records;                 /* the folder with the journals; NULL: none */
    void (*unread)(void *ctx, const char *line);
};

/* Makes the files of a sealed contest. The caller also frees the bundle after an error. BL_DATA: a
 * hashed text has a name, or the record is damaged; BL_NOMEM. */
enum bl_status bundle_make(struct bundle *bundle, const struct bundle_setup *setup,
                           struct bl_diag *diag);
void bundle_free(struct bundle *bundle);

/* Writes the files, readable for all. BL_USAGE: a file already exists; others as file_write(). */
enum bl_status bundle_write(const struct bundle *bundle, const char *folder, struct bl_diag *diag);

struct bundle_told {
    unsigned acts, differences;
    const char *about;                  /* the read acts, in words */
    char last[2 * ACT_HASH_BYTES + 1];  /* the hash of the last act; "" without a chain */
    char whole[2 * ACT_HASH_BYTES + 1]; /* hash of the file `hashes` */
    void (*differs)(void *ctx, const char *where, const char *what);
    void *ctx;
};

/* Checks the bundle in a folder. BL_NOINPUT: no bundle; BL_DATA: its acts cannot be read; BL_NOMEM.
 * Differences are reported and counted. */
enum bl_status bundle_verify(struct bundle_told *told, const char *folder, struct bl_diag *diag);

#endif
