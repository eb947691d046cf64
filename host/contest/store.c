#include "contest/store.h"

#include "base/file.h"
#include "contest/personal.h"
#include "late/sqlite3.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium/randombytes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define APPLICATION 0x426f6f54 /* "BooT", in the file's header */
#define VERSION     2
#define WHOLE       1 /* a file's version without the table `personal`: acts are hashed whole */
#define LOCKED      (-1)
#define BUSY_MS     60000 /* wait for another command, whose sync may take seconds */

struct store {
    sqlite3 *db;
    sqlite3_stmt *read, *append;
    sqlite3_stmt *read_personal, *append_personal; /* NULL in a file of the version WHOLE */
    char path[256];
};

/* The triggers keep other programs from changing acts by mistake. The hashes show a deliberate
 * change. */
static const char schema[] =
    "BEGIN IMMEDIATE;"
    "PRAGMA application_id = 1114599252;"
    "PRAGMA user_version = 2;"
    "CREATE TABLE act (number INTEGER PRIMARY KEY, at_us INTEGER NOT NULL, author TEXT NOT NULL,"
    " kind TEXT NOT NULL, body TEXT NOT NULL, hash BLOB NOT NULL) STRICT;"
    "CREATE TRIGGER act_stays BEFORE UPDATE ON act"
    " BEGIN SELECT RAISE(ABORT, 'an act is never changed'); END;"
    "CREATE TRIGGER act_remains BEFORE DELETE ON act"
    " BEGIN SELECT RAISE(ABORT, 'an act is never deleted'); END;"
    "CREATE TABLE personal (act INTEGER NOT NULL, member TEXT NOT NULL, salt BLOB NOT NULL,"
    " value TEXT NOT NULL, PRIMARY KEY (act, member)) STRICT;"
    "CREATE TRIGGER personal_stays BEFORE UPDATE ON personal"
    " BEGIN SELECT RAISE(ABORT, 'an act is never changed'); END;"
    "CREATE TRIGGER personal_remains BEFORE DELETE ON personal"
    " BEGIN SELECT RAISE(ABORT, 'an act is never deleted'); END;"
    "COMMIT;";

static enum bl_status fail(struct store *store, int code, struct bl_diag *diag)
{
    enum bl_status status = BL_IO;
    struct stat file;
    switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        status = BL_BUSY;
        break;
    case SQLITE_FULL:
        status = BL_FULL;
        break;
    case SQLITE_PERM:
    case SQLITE_READONLY:
    case SQLITE_AUTH:
        status = BL_NOPERM;
        break;
    case SQLITE_NOTADB:
        return bl_fail(diag, BL_DATA, "%s: expected a contest's file, as setup makes it",
                       store->path);
    case SQLITE_CORRUPT:
        status = BL_DATA;
        break;
    case SQLITE_CANTOPEN:
        if (stat(store->path, &file))
            return bl_fail(diag, BL_NOINPUT, "%s: %s", store->path, strerror(errno));
        if (S_ISDIR(file.st_mode))
            return bl_fail(diag, BL_NOPERM, "%s: a folder; expected a contest's file", store->path);
        if (access(store->path, R_OK | W_OK))
            return bl_fail(diag, BL_NOPERM, "%s: %s", store->path, strerror(errno));
        return bl_fail(diag, BL_NOPERM, "%s: no journal can be made in its folder", store->path);
    case SQLITE_NOMEM:
        status = BL_NOMEM;
        break;
    default:
        break;
    }
    return bl_fail(diag, status, "%s: %s", store->path,
                   store->db ? late_sqlite3.errmsg(store->db) : late_sqlite3.errstr(code));
}

static enum bl_status run(struct store *store, const char *sql, struct bl_diag *diag)
{
    int code = late_sqlite3.exec(store->db, sql, NULL, NULL, NULL);
    return code == SQLITE_OK ? BL_OK : fail(store, code, diag);
}

/* The value of a pragma; 0: none; LOCKED: another program writes. */
static int pragma(struct store *store, const char *sql)
{
    sqlite3_stmt *statement;
    int value = 0;
    int code = late_sqlite3.prepare_v2(store->db, sql, -1, &statement, NULL);
    if (code == SQLITE_OK)
        code = late_sqlite3.step(statement);
    if (code == SQLITE_ROW)
        value = late_sqlite3.column_int(statement, 0);
    else if ((code & 0xff) == SQLITE_BUSY)
        value = LOCKED;
    late_sqlite3.finalize(statement);
    return value;
}

static enum bl_status open_file(struct store **out, const char *path, int flags,
                                struct bl_diag *diag)
{
    struct store *store;
    enum bl_status loaded = late_load(&late_sqlite3, diag);
    int code;
    *out = NULL;
    if (loaded != BL_OK)
        return loaded;
    store = calloc(1, sizeof *store);
    if (!store)
        return bl_fail(diag, BL_NOMEM, "%s: no memory", path);
    if (strlen(path) >= sizeof store->path) {
        free(store);
        return bl_fail(diag, BL_USAGE, "the path of the contest's file is longer than 255 bytes");
    }
    strcpy(store->path, path);
    code = late_sqlite3.open_v2(path, &store->db, flags, NULL);
    if (code != SQLITE_OK) {
        enum bl_status status = fail(store, code, diag);
        store_close(store);
        return status;
    }
    late_sqlite3.extended_result_codes(store->db, 1);
    late_sqlite3.busy_timeout(store->db, BUSY_MS);
    *out = store;
    return BL_OK;
}

static enum bl_status prepare(struct store *store, struct bl_diag *diag)
{
    static const char read[] = "SELECT number, at_us, author, kind, body, hash FROM act"
                               " WHERE number >= ? ORDER BY number";
    static const char append[] = "INSERT INTO act VALUES (?, ?, ?, ?, ?, ?)";
    static const char read_personal[] =
        "SELECT member, salt, value FROM personal WHERE act = ? ORDER BY member";
    static const char append_personal[] = "INSERT INTO personal VALUES (?, ?, ?, ?)";
    enum bl_status status =
        run(store, "PRAGMA synchronous = EXTRA; PRAGMA trusted_schema = OFF;", diag);
    int code, version;
    if (status != BL_OK)
        return status;
    int application = pragma(store, "PRAGMA application_id");
    version = pragma(store, "PRAGMA user_version");
    if (application == LOCKED || version == LOCKED)
        return fail(store, SQLITE_BUSY, diag);
    if (application != APPLICATION)
        return bl_fail(diag, BL_DATA, "%s: not the file of a contest", store->path);
    if (version > VERSION)
        return bl_fail(diag, BL_DATA, "%s: made by a later version of boothlink", store->path);
    code = late_sqlite3.prepare_v2(store->db, read, -1, &store->read, NULL);
    if (code == SQLITE_OK)
        code = late_sqlite3.prepare_v2(store->db, append, -1, &store->append, NULL);
    if (code == SQLITE_OK && version > WHOLE)
        code = late_sqlite3.prepare_v2(store->db, read_personal, -1, &store->read_personal, NULL);
    if (code == SQLITE_OK && version > WHOLE)
        code =
            late_sqlite3.prepare_v2(store->db, append_personal, -1, &store->append_personal, NULL);
    return code == SQLITE_OK ? BL_OK : fail(store, code, diag);
}

static enum bl_status ready(struct store **out, enum bl_status status, struct bl_diag *diag)
{
    if (status == BL_OK)
        status = prepare(*out, diag);
    if (status != BL_OK) {
        store_close(*out);
        *out = NULL;
    }
    return status;
}

static bool has_acts(struct store *store)
{
    return pragma(store, "SELECT EXISTS (SELECT 1 FROM act)");
}

enum bl_status store_create(struct store **out, const char *path, struct bl_diag *diag)
{
    struct stat there;
    enum bl_status status;
    *out = NULL;
    /* A file without an act, or an empty one, is left from a program that ended before the first
     * act. */
    if (stat(path, &there) == 0 && there.st_size > 0) {
        if (store_open(out, path, NULL) == BL_OK && !has_acts(*out))
            return BL_OK;
        store_close(*out);
        *out = NULL;
        return bl_fail(diag, BL_USAGE, "%s: there is such a file already", path);
    }
    status = open_file(out, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, diag);
    if (status == BL_OK)
        status = run(*out, schema, diag);
    return ready(out, status, diag);
}

enum bl_status store_open(struct store **out, const char *path, struct bl_diag *diag)
{
    return ready(out, open_file(out, path, SQLITE_OPEN_READWRITE, diag), diag);
}

enum bl_status store_open_now(struct store **out, const char *path, struct bl_diag *diag)
{
    enum bl_status status = open_file(out, path, SQLITE_OPEN_READWRITE, diag);
    if (status == BL_OK)
        late_sqlite3.busy_timeout((*out)->db, 0);
    return ready(out, status, diag);
}

void store_close(struct store *store)
{
    if (!store)
        return;
    late_sqlite3.finalize(store->read);
    late_sqlite3.finalize(store->append);
    late_sqlite3.finalize(store->read_personal);
    late_sqlite3.finalize(store->append_personal);
    late_sqlite3.close(store->db);
    free(store);
}

struct chain {
    int64_t number;
    uint8_t hash[ACT_HASH_BYTES];
};

/* Reads the present row of the statement and checks its link of the chain. `known`: the row is the
 * act before the first wanted one, read for its hash. */
static enum bl_status take_row(struct store *store, struct chain *chain, bool known,
                               struct act *act, struct bl_diag *diag)
{
    uint8_t hash[ACT_HASH_BYTES];
    *act = (struct act){
        .number = late_sqlite3.column_int64(store->read, 0),
        .at_us = late_sqlite3.column_int64(store->read, 1),
        .author = (const char *)late_sqlite3.column_text(store->read, 2),
        .kind = (const char *)late_sqlite3.column_text(store->read, 3),
        .body = (const char *)late_sqlite3.column_text(store->read, 4),
    };
    if (store->read_personal) {
        act->chained_author = act->author;
        act->chained_body = act->body;
    }
    if (!act->author || !act->kind || !act->body ||
        late_sqlite3.column_bytes(store->read, 5) != ACT_HASH_BYTES)
        return bl_fail(diag, BL_DATA, "%s: act %lld is damaged", store->path,
                       (long long)act->number);
    memcpy(act->hash, late_sqlite3.column_blob(store->read, 5), ACT_HASH_BYTES);
    if (!known) {
        act_hash(act, chain->hash, hash);
        if (act->number != chain->number + 1 || memcmp(hash, act->hash, sizeof hash) != 0)
            return bl_fail(diag, BL_DATA,
                           "%s: act %lld is not what was appended after act %lld: the file was "
                           "changed",
                           store->path, (long long)act->number, (long long)chain->number);
    }
    chain->number = act->number;
    memcpy(chain->hash, act->hash, ACT_HASH_BYTES);
    return BL_OK;
}

/* Passes an act with its personal members put back to `take`. Each text is copied, since a row's
 * texts live until the next row. */
static enum bl_status take_whole(struct store *store, struct act *act,
                                 enum bl_status (*take)(void *, const struct act *,
                                                        struct bl_diag *),
                                 void *ctx, struct bl_diag *diag)
{
    struct act_personal member[PERSONAL_MOST];
    char *text[2 * PERSONAL_MOST] = {NULL};
    struct personal whole = {.count = 0};
    enum bl_status status = BL_OK;
    sqlite3_stmt *s = store->read_personal;
    int code;
    late_sqlite3.bind_int64(s, 1, act->number);
    while ((code = late_sqlite3.step(s)) == SQLITE_ROW && status == BL_OK) {
        unsigned i = act->personals;
        if (i == PERSONAL_MOST || late_sqlite3.column_bytes(s, 1) != ACT_SALT_BYTES) {
            status = bl_fail(diag, BL_DATA, "%s: act %lld is damaged", store->path,
                             (long long)act->number);
            break;
        }
        memcpy(member[i].salt, late_sqlite3.column_blob(s, 1), ACT_SALT_BYTES);
        member[i].member = text[2 * i] = strdup((const char *)late_sqlite3.column_text(s, 0));
        member[i].value = text[2 * i + 1] = strdup((const char *)late_sqlite3.column_text(s, 2));
        if (!member[i].member || !member[i].value)
            status = bl_fail(diag, BL_NOMEM, "no memory");
        act->personals++;
    }
    if (status == BL_OK && code != SQLITE_DONE)
        status = fail(store, code, diag);
    late_sqlite3.reset(s);
    act->personal = member;
    struct bl_diag why;
    if (status == BL_OK && (status = personal_join(&whole, act, &why)) != BL_OK)
        status = bl_fail(diag, status, "%s: %s", store->path, why.text);
    if (status == BL_OK)
        status = take(ctx, act, diag);
    personal_free(&whole);
    for (unsigned i = 0; i < 2 * PERSONAL_MOST; i++)
        free(text[i]);
    return status;
}

static enum bl_status read_after(struct store *store, int64_t after, struct chain *chain,
                                 enum bl_status (*take)(void *, const struct act *,
                                                        struct bl_diag *),
                                 void *ctx, struct bl_diag *diag)
{
    enum bl_status status = BL_OK;
    int code = SQLITE_DONE;
    *chain = (struct chain){.number = 0};
    late_sqlite3.bind_int64(store->read, 1, after);
    while (status == BL_OK && (code = late_sqlite3.step(store->read)) == SQLITE_ROW) {
        struct act act;
        status = take_row(store, chain, after && late_sqlite3.column_int64(store->read, 0) == after,
                          &act, diag);
        if (status == BL_OK && act.number > after)
            status = store->read_personal ? take_whole(store, &act, take, ctx, diag)
                                          : take(ctx, &act, diag);
    }
    if (status == BL_OK && code != SQLITE_DONE)
        status = fail(store, code, diag);
    if (status == BL_OK && chain->number < after)
        status = bl_fail(diag, BL_DATA, "%s: act %lld is gone: the file was changed", store->path,
                         (long long)after);
    late_sqlite3.reset(store->read);
    return status;
}

enum bl_status store_read(struct store *store, int64_t after,
                          enum bl_status (*take)(void *ctx, const struct act *act,
                                                 struct bl_diag *diag),
                          void *ctx, struct bl_diag *diag)
{
    struct chain chain;
    return read_after(store, after, &chain, take, ctx, diag);
}

/* Runs a statement without rows, and resets it. */
static enum bl_status step(struct store *store, sqlite3_stmt *s, struct bl_diag *diag)
{
    int code = late_sqlite3.step(s);
    late_sqlite3.reset(s);
    late_sqlite3.clear_bindings(s);
    return code == SQLITE_DONE ? BL_OK : fail(store, code, diag);
}

static enum bl_status insert(struct store *store, const struct act *act, struct bl_diag *diag)
{
    sqlite3_stmt *s = store->append;
    late_sqlite3.bind_int64(s, 1, act->number);
    late_sqlite3.bind_int64(s, 2, act->at_us);
    late_sqlite3.bind_text(s, 3, act->chained_author ? act->chained_author : act->author, -1,
                           SQLITE_STATIC);
    late_sqlite3.bind_text(s, 4, act->kind, -1, SQLITE_STATIC);
    late_sqlite3.bind_text(s, 5, act->chained_body ? act->chained_body : act->body, -1,
                           SQLITE_STATIC);
    late_sqlite3.bind_blob(s, 6, act->hash, ACT_HASH_BYTES, SQLITE_STATIC);
    enum bl_status status = step(store, s, diag);
    for (unsigned i = 0; status == BL_OK && i < act->personals; i++) {
        const struct act_personal *member = &act->personal[i];
        s = store->append_personal;
        late_sqlite3.bind_int64(s, 1, act->number);
        late_sqlite3.bind_text(s, 2, member->member, -1, SQLITE_STATIC);
        late_sqlite3.bind_blob(s, 3, member->salt, ACT_SALT_BYTES, SQLITE_STATIC);
        late_sqlite3.bind_text(s, 4, member->value, -1, SQLITE_STATIC);
        status = step(store, s, diag);
    }
    return status;
}

enum bl_status
store_append(struct store *store, int64_t after, struct act *act,
             enum bl_status (*take)(void *ctx, const struct act *act, struct bl_diag *diag),
             enum bl_status (*check)(void *ctx, const struct act *act, struct bl_diag *diag),
             void *ctx, struct bl_diag *diag)
{
    struct personal apart = {.count = 0};
    struct act whole;
    struct chain chain;
    enum bl_status status;
    if (strlen(act->author) > ACT_AUTHOR_MAX || strlen(act->body) > ACT_BODY_MAX)
        return bl_fail(diag, BL_DATA, "%s: author %zu byte%s, text %zu; expected at most %d and %d",
                       act->kind, strlen(act->author), BL_S(strlen(act->author)), strlen(act->body),
                       ACT_AUTHOR_MAX, ACT_BODY_MAX);
    status = run(store, "BEGIN IMMEDIATE", diag);
    if (status != BL_OK)
        return status;
    status = read_after(store, after, &chain, take, ctx, diag);
    act->number = chain.number + 1;
    whole = *act;
    if (status == BL_OK && store->append_personal)
        status = personal_split(&apart, &whole, randombytes_buf, diag);
    act_hash(&whole, chain.hash, whole.hash);
    memcpy(act->hash, whole.hash, sizeof act->hash);
    if (status == BL_OK)
        status = check(ctx, act, diag);
    if (status == BL_OK)
        status = insert(store, &whole, diag);
    personal_free(&apart);
    if (status == BL_OK)
        status = run(store, "COMMIT", diag);
    if (status != BL_OK)
        late_sqlite3.exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

static enum bl_status copy_all(struct store *store, struct store *part, struct bl_diag *diag)
{
    sqlite3_backup *backup = late_sqlite3.backup_init(part->db, "main", store->db, "main");
    int code = backup ? late_sqlite3.backup_step(backup, -1) : late_sqlite3.errcode(part->db);
    if (backup && late_sqlite3.backup_finish(backup) != SQLITE_OK && code == SQLITE_DONE)
        code = late_sqlite3.errcode(part->db);
    return code == SQLITE_DONE ? BL_OK : fail(part, code, diag);
}

static enum bl_status take_last(void *ctx, const struct act *act, struct bl_diag *diag)
{
    struct act *last = ctx;
    (void)diag;
    *last = (struct act){.number = act->number};
    memcpy(last->hash, act->hash, sizeof last->hash);
    return BL_OK;
}

enum bl_status store_last(const char *path, struct act *last, struct bl_diag *diag)
{
    struct store *store = NULL;
    enum bl_status status = store_open(&store, path, diag);
    if (status == BL_OK)
        status = store_read(store, 0, take_last, last, diag);
    store_close(store);
    return status;
}

enum bl_status store_copy(struct store *store, const char *path, struct bl_diag *diag)
{
    char name[sizeof store->path + sizeof "-journal"];
    struct store *part = NULL;
    enum bl_status status;
    if (access(path, F_OK) == 0)
        return bl_fail(diag, BL_USAGE, "%s: there is such a file already; nothing is overwritten",
                       path);
    if (strlen(path) + sizeof ".part" > sizeof store->path)
        return bl_fail(diag, BL_USAGE, "the path of the copy is longer than 250 bytes");
    /* SQLite would roll an old journal of this name back into the copy. */
    snprintf(name, sizeof name, "%s-journal", path);
    if (access(name, F_OK) == 0)
        return bl_fail(diag, BL_USAGE,
                       "%s: there is such a file, of a contest that is lost; move it away first",
                       name);
    snprintf(name, sizeof name, "%s.part", path);
    if (unlink(name) != 0 && errno != ENOENT)
        return bl_fail(diag, BL_IO, "%s: %s", name, strerror(errno));
    status = open_file(&part, name, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, diag);
    if (status == BL_OK)
        status = copy_all(store, part, diag);
    store_close(part);
    if (status == BL_OK && renameat2(AT_FDCWD, name, AT_FDCWD, path, RENAME_NOREPLACE) != 0)
        status = bl_fail(diag, errno == EEXIST ? BL_USAGE : BL_IO, "%s: %s", path, strerror(errno));
    if (status == BL_OK)
        status = file_sync_name(path, diag);
    if (status != BL_OK)
        unlink(name);
    return status;
}
