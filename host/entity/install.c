#include "entity/install.h"

#include "base/file.h"
#include "base/tree.h"
#include "entity/manifest_private.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sodium.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PART     ".part"
#define LONG     (2 * PATH_MAX)
#define WORD_MAX 24 /* most characters taken from the folder's name */

/* An installation: its source, the unfinished copy, and the manifest. */
struct install {
    const char *from;
    char part[PATH_MAX / 2];
    char *text; /* the manifest */
    size_t length;
    struct manifest_lines lines;
};

static void digest_text(const char *text, size_t length, char digits[INSTALL_DIGITS + 1])
{
    uint8_t hash[MANIFEST_HASH];
    crypto_generichash(hash, sizeof hash, (const unsigned char *)text, length, NULL, 0);
    sodium_bin2hex(digits, INSTALL_DIGITS + 1, hash, INSTALL_DIGITS / 2);
}

enum bl_status install_name(const char *folder, char name[INSTALL_NAME], struct bl_diag *diag)
{
    static const char right[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    char whole[PATH_MAX], digits[INSTALL_DIGITS + 1], *text;
    size_t length, used = 0;
    enum bl_status status =
        realpath(folder, whole) ? BL_OK : bl_fail(diag, BL_NOINPUT, "%s: no such folder", folder);
    if (!status)
        status = manifest_text(&text, &length, whole, diag);
    if (status)
        return status;
    digest_text(text, length, digits);
    free(text);
    for (const char *at = strrchr(whole, '/') + 1; *at && used < WORD_MAX; at++)
        if (strchr(right, *at))
            name[used++] = *at;
    snprintf(name + used, INSTALL_NAME - used, "%s%s", used ? "-" : "entry-", digits);
    return BL_OK;
}

/* True if the manifest has the name at the end of `to`. */
static bool is_named(const char *to, const char *text, size_t length)
{
    char digits[INSTALL_DIGITS + 1];
    size_t name = strlen(to);
    digest_text(text, length, digits);
    return name > INSTALL_DIGITS && strcmp(to + name - INSTALL_DIGITS, digits) == 0;
}

/* Removes a file, or a folder with its contents. The manifest goes last, before the folder
 * itself. */
static enum bl_status remove_one(void *manifest, const struct tree_at *at, struct bl_diag *diag)
{
    if (strcmp(at->relative, MANIFEST_NAME) == 0)
        return BL_OK;
    if (!at->relative[0] && unlink(manifest) != 0 && errno != ENOENT)
        return file_fail(diag, manifest);
    return remove(at->path) == 0 || errno == ENOENT ? BL_OK : file_fail(diag, at->path);
}

enum bl_status install_remove(const char *folder, struct bl_diag *diag)
{
    char manifest[LONG];
    snprintf(manifest, sizeof manifest, "%s/" MANIFEST_NAME, folder);
    if (remove(folder) == 0 || errno == ENOENT)
        return BL_OK; /* it was absent, empty, or a link, whose target stays */
    return tree_walk(folder, remove_one, manifest, diag);
}

static enum bl_status differs(const struct install *i, const char *path, struct bl_diag *diag)
{
    return bl_fail(diag, BL_DATA, "%s/%s: it is not as it was handed in", i->from, path);
}

/* Makes the folders above a file. A link in a folder's place is an error: it would lead outside. */
static enum bl_status make_parents(const struct install *i, const char *path, struct bl_diag *diag)
{
    char folder[LONG];
    struct stat info;
    for (const char *at = strchr(path, '/'); at; at = strchr(at + 1, '/')) {
        snprintf(folder, sizeof folder, "%s/%.*s", i->part, (int)(at - path), path);
        if (mkdir(folder, 0755) == 0) {
            chmod(folder, 0755); /* independent of the umask: a stick has no modes */
            continue;
        }
        if (errno != EEXIST)
            return file_fail(diag, folder);
        if (lstat(folder, &info) || !S_ISDIR(info.st_mode))
            return differs(i, path, diag);
    }
    return BL_OK;
}

static bool is_within(const char *path)
{
    if (!path[0] || path[0] == '/' || strlen(path) >= PATH_MAX / 2)
        return false;
    for (const char *at = path; at; at = strchr(at, '/')) {
        at += *at == '/';
        size_t length = strcspn(at, "/");
        if (length == 0 || (length == 1 && at[0] == '.') ||
            (length == 2 && at[0] == '.' && at[1] == '.'))
            return false;
    }
    return true;
}

/* Copies exactly `left` bytes to `to` and into the hash. BL_DATA: `from` has another length. */
static enum bl_status pour(int from, int to, long long left, crypto_generichash_state *state)
{
    static unsigned char bytes[65536];
    for (;;) {
        ssize_t got = read(from, bytes, sizeof bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return BL_IO;
        if (got == 0)
            return left == 0 ? BL_OK : BL_DATA;
        if ((left -= got) < 0)
            return BL_DATA;
        crypto_generichash_update(state, bytes, (size_t)got);
        for (ssize_t done = 0, put; done < got; done += put) {
            put = write(to, bytes + done, (size_t)(got - done));
            if (put < 0 && errno == EINTR)
                put = 0;
            if (put < 0)
                return BL_FULL;
        }
    }
}

static enum bl_status copy_file(const struct install *i, const char *path, long long size, bool run,
                                uint8_t hash[MANIFEST_HASH], struct bl_diag *diag)
{
    char from[LONG], to[LONG];
    crypto_generichash_state state;
    struct stat info;
    snprintf(from, sizeof from, "%s/%s", i->from, path);
    snprintf(to, sizeof to, "%s/%s", i->part, path);
    int in = open(from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (in < 0)
        return file_fail(diag, from);
    if (fstat(in, &info) || !S_ISREG(info.st_mode)) {
        close(in);
        return differs(i, path, diag);
    }
    int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, run ? 0755 : 0644);
    enum bl_status status = out < 0 ? file_fail(diag, to) : BL_OK;
    if (!status) {
        fchmod(out, run ? 0755 : 0644); /* the manifest's mode, since a stick may lack it */
        crypto_generichash_init(&state, NULL, 0, MANIFEST_HASH);
        status = pour(in, out, size, &state);
        if (status)
            status = status == BL_DATA ? differs(i, path, diag)
                                       : file_fail(diag, status == BL_IO ? from : to);
        crypto_generichash_final(&state, hash, MANIFEST_HASH);
        if (close(out) && !status)
            status = file_fail(diag, to);
    }
    close(in);
    return status;
}

/* Copies a link. A stick may have a file with the target's name instead. */
static enum bl_status copy_link(const struct install *i, const char *path, long long size,
                                uint8_t hash[MANIFEST_HASH], struct bl_diag *diag)
{
    char from[LONG], to[LONG], target[PATH_MAX], *text = NULL;
    size_t length = 0;
    snprintf(from, sizeof from, "%s/%s", i->from, path);
    snprintf(to, sizeof to, "%s/%s", i->part, path);
    ssize_t got = readlink(from, target, sizeof target - 1);
    if (got < 0) {
        enum bl_status status =
            file_read_plain(&text, &length, from, sizeof target - 1, "a link's target", diag);
        if (status)
            return status;
        memcpy(target, text, length);
        got = (ssize_t)length;
        free(text);
    }
    target[got] = '\0';
    if (got != size || strlen(target) != (size_t)got)
        return differs(i, path, diag);
    crypto_generichash(hash, MANIFEST_HASH, (const unsigned char *)target, (size_t)got, NULL, 0);
    if (symlink(target, to) == 0)
        return BL_OK;
    if (errno != EPERM && errno != EOPNOTSUPP)
        return file_fail(diag, to);
    return file_write(to, target, (size_t)got, diag); /* the destination has no links: a stick */
}

/* Copies the file or link of a line of the manifest: "file HASH BYTES x PATH", with - for x, or
 * "link HASH BYTES - PATH". */
static enum bl_status copy_line(const struct install *i, const char *line, struct bl_diag *diag)
{
    const char *path = manifest_path_of(line);
    char hex[2 * MANIFEST_HASH + 1] = "", is[sizeof hex], run;
    uint8_t hash[MANIFEST_HASH];
    long long size = -1;
    bool link = line[0] == 'l';
    if (sscanf(line + 5, "%64s %lld %c ", hex, &size, &run) != 3 || size < 0 || !is_within(path))
        return bl_fail(diag, BL_DATA, "%s/" MANIFEST_NAME ": '%.80s' is not a line of a manifest",
                       i->from, line);
    enum bl_status status = make_parents(i, path, diag);
    if (!status)
        status = link ? copy_link(i, path, size, hash, diag)
                      : copy_file(i, path, size, run == 'x', hash, diag);
    if (status)
        return status;
    sodium_bin2hex(is, sizeof is, hash, sizeof hash);
    return strcmp(is, hex) == 0 ? BL_OK : differs(i, path, diag);
}

static enum bl_status settle(const struct install *i, const char *to, struct bl_diag *diag)
{
    int fd = open(i->part, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    enum bl_status status = fd < 0 || syncfs(fd) ? file_fail(diag, i->part) : BL_OK;
    if (fd >= 0)
        close(fd);
    if (!status)
        status = install_remove(to, diag); /* a damaged Entry */
    if (!status && rename(i->part, to))
        status = file_fail(diag, to);
    return status ? status : file_sync_name(to, diag);
}

static enum bl_status make_part(struct install *i, struct bl_diag *diag)
{
    char path[LONG];
    enum bl_status status = install_remove(i->part, diag);
    if (!status && mkdir(i->part, 0755))
        status = file_fail(diag, i->part);
    if (!status)
        chmod(i->part, 0755);
    for (size_t n = 0; n < i->lines.count && !status; n++)
        status = copy_line(i, i->lines.line[n], diag);
    snprintf(path, sizeof path, "%s/" MANIFEST_NAME, i->part);
    if (!status)
        status = file_write(path, i->text, i->length, diag);
    if (!status)
        chmod(path, 0644); /* the keeper's user also reads the folder */
    return status;
}

/* True if `to` already has the whole Entry, unchanged. */
static bool is_there(const struct install *i, const char *to)
{
    char *text = NULL;
    size_t length = 0;
    bool same = manifest_text(&text, &length, to, NULL) == BL_OK && length == i->length &&
                memcmp(text, i->text, length) == 0 && manifest_holds(to, &i->lines, NULL) == BL_OK;
    free(text);
    return same;
}

enum bl_status install_entry(const char *from, const char *to, struct bl_diag *diag)
{
    struct install i = {.from = from};
    char *copy = NULL;
    enum bl_status status = sodium_init() < 0
                                ? bl_fail(diag, BL_SOFTWARE, "libsodium does not start")
                                : manifest_text(&i.text, &i.length, from, diag);
    if (!status && snprintf(i.part, sizeof i.part, "%s" PART, to) >= (int)sizeof i.part)
        status = bl_fail(diag, BL_USAGE, "%.80s...: the path is too long", to);
    if (!status && !is_named(to, i.text, i.length))
        status = bl_fail(diag, BL_DATA,
                         "%s/" MANIFEST_NAME ": it is not the one that was handed in", from);
    if (!status && !(copy = strdup(i.text)))
        status = bl_fail(diag, BL_NOMEM, "no memory");
    if (!status)
        status = manifest_lines_read(&i.lines, copy, diag);
    if (!status && !is_there(&i, to)) {
        status = make_part(&i, diag);
        if (!status)
            status = settle(&i, to, diag);
        if (status)
            install_remove(i.part, NULL);
    }
    manifest_lines_free(&i.lines);
    free(copy);
    free(i.text);
    return status;
}
