#include "entity/manifest_private.h"

#include "base/file.h"
#include "base/growing.h"
#include "base/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sodium.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAD     "boothlink-manifest 1\n"
#define HASH     MANIFEST_HASH
#define TEXT_MAX (PATH_MAX + 2 * HASH + 64)

const char *manifest_path_of(const char *line)
{
    for (unsigned i = 0; i < 4 && line; i++) {
        line = strchr(line, ' ');
        line = line ? line + 1 : NULL;
    }
    return line ? line : "";
}

static int by_path(const void *a, const void *b)
{
    return strcmp(manifest_path_of(*(char *const *)a), manifest_path_of(*(char *const *)b));
}

void manifest_lines_free(struct manifest_lines *lines)
{
    for (size_t i = 0; i < lines->count; i++)
        free(lines->line[i]);
    free(lines->line);
}

static enum bl_status lines_add(struct manifest_lines *lines, const char *text,
                                struct bl_diag *diag)
{
    char **more = growing_array(lines->line, lines->count, &lines->room, sizeof *more);
    if (more)
        lines->line = more;
    char *copy = more ? strdup(text) : NULL;
    if (!copy)
        return bl_fail(diag, BL_NOMEM, "no memory");
    lines->line[lines->count++] = copy;
    return BL_OK;
}

static enum bl_status hash_file(const char *path, uint8_t hash[HASH], struct bl_diag *diag)
{
    static unsigned char bytes[65536];
    crypto_generichash_state state;
    ssize_t got;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return file_fail(diag, path);
    crypto_generichash_init(&state, NULL, 0, HASH);
    while ((got = read(fd, bytes, sizeof bytes)) > 0 || (got < 0 && errno == EINTR))
        crypto_generichash_update(&state, bytes, got > 0 ? (size_t)got : 0);
    enum bl_status status = got < 0 ? file_fail(diag, path) : BL_OK;
    close(fd);
    crypto_generichash_final(&state, hash, HASH);
    return status;
}

static enum bl_status hash_link(const char *path, uint8_t hash[HASH], struct bl_diag *diag)
{
    char to[PATH_MAX];
    ssize_t length = readlink(path, to, sizeof to);
    if (length < 0)
        return file_fail(diag, path);
    crypto_generichash(hash, HASH, (const unsigned char *)to, (size_t)length, NULL, 0);
    return BL_OK;
}

/* Adds a file or link of the folder. Skips folders, the manifest, and an unfinished manifest. */
static enum bl_status add_file(void *ctx, const struct tree_at *at, struct bl_diag *diag)
{
    char line[TEXT_MAX], hex[2 * HASH + 1];
    uint8_t hash[HASH];
    bool link = S_ISLNK(at->info.st_mode);
    errno = at->error;
    if (at->error)
        return file_fail(diag, at->path);
    if (S_ISDIR(at->info.st_mode) || strcmp(at->relative, MANIFEST_NAME) == 0 ||
        strcmp(at->relative, MANIFEST_NAME ".part") == 0)
        return BL_OK;
    if ((!S_ISREG(at->info.st_mode) && !link) || strchr(at->relative, '\n') || !at->relative[0])
        return bl_fail(diag, BL_DATA, "%s: expected files, folders and links", at->path);
    enum bl_status status = (link ? hash_link : hash_file)(at->path, hash, diag);
    if (status)
        return status;
    sodium_bin2hex(hex, sizeof hex, hash, sizeof hash);
    snprintf(line, sizeof line, "%s %s %lld %c %s", link ? "link" : "file", hex,
             (long long)at->info.st_size, !link && at->info.st_mode & S_IXUSR ? 'x' : '-',
             at->relative);
    return lines_add(ctx, line, diag);
}

static enum bl_status read_folder(struct manifest_lines *lines, const char *folder,
                                  struct bl_diag *diag)
{
    enum bl_status status = sodium_init() < 0
                                ? bl_fail(diag, BL_SOFTWARE, "libsodium does not start")
                                : tree_walk(folder, add_file, lines, diag);
    if (lines->count)
        qsort(lines->line, lines->count, sizeof lines->line[0], by_path);
    return status;
}

/* Finds the interpreter of the program: the first word without '/', or the interpreter of the
 * script at the first word. False: the program needs none. */
static bool find_interpreter(const char *folder, const char *program, char out[PATH_MAX])
{
    char path[PATH_MAX], first[256] = "";
    int word = (int)strcspn(program, " ");
    const char *search = getenv("PATH");
    if (memchr(program, '/', (size_t)word)) {
        snprintf(path, sizeof path, "%s%s%.*s", program[0] == '/' ? "" : folder,
                 program[0] == '/' ? "" : "/", word, program);
        FILE *file = fopen(path, "re");
        bool script = file && fgets(first, sizeof first, file) && strncmp(first, "#!", 2) == 0;
        if (file)
            fclose(file);
        const char *name = first + 2 + strspn(first + 2, " ");
        snprintf(out, PATH_MAX, "%.*s", (int)strcspn(name, " \n"), name);
        return script && out[0];
    }
    while (search && *search) {
        int length = (int)strcspn(search, ":");
        snprintf(path, sizeof path, "%.*s/%.*s", length, search, word, program);
        if (access(path, X_OK) == 0)
            return snprintf(out, PATH_MAX, "%s", path) < PATH_MAX;
        search += length + (search[length] == ':');
    }
    return false;
}

enum bl_status manifest_write(const char *folder, const char *program, unsigned *files,
                              struct bl_diag *diag)
{
    char path[PATH_MAX], interpreter[PATH_MAX], *text = NULL;
    struct manifest_lines lines = {.line = NULL};
    size_t length;
    if (strchr(program, '\n'))
        return bl_fail(diag, BL_USAGE, "--program: expected one line");
    size_t first = strcspn(program, " \t");
    snprintf(path, sizeof path, "%s/%.*s", program[0] == '/' ? "" : folder, (int)first, program);
    if (memchr(program, '/', first) && !strpbrk(program, "'\"\\$=~;&|<>()*?[`") &&
        access(path, F_OK))
        return bl_fail(diag, BL_NOINPUT, "%.*s: there is no such program in %s", (int)first,
                       program, folder);
    enum bl_status status = read_folder(&lines, folder, diag);
    FILE *out = status ? NULL : open_memstream(&text, &length);
    if (!status && !out)
        status = bl_fail(diag, BL_NOMEM, "no memory");
    if (out) {
        fprintf(out, HEAD "program %s\n", program);
        if (find_interpreter(folder, program, interpreter))
            fprintf(out, "interpreter %s\n", interpreter);
        for (size_t i = 0; i < lines.count; i++)
            fprintf(out, "%s\n", lines.line[i]);
        if (fclose(out))
            status = bl_fail(diag, BL_NOMEM, "no memory");
    }
    snprintf(path, sizeof path, "%s/" MANIFEST_NAME, folder);
    if (!status)
        status = file_write(path, text, length, diag);
    *files = (unsigned)lines.count;
    free(text);
    manifest_lines_free(&lines);
    return status;
}

static enum bl_status compare(const char *folder, const struct manifest_lines *was,
                              const struct manifest_lines *is, struct bl_diag *diag)
{
    size_t a = 0, b = 0;
    while (a < was->count || b < is->count) {
        int order = a == was->count  ? 1
                    : b == is->count ? -1
                                     : by_path(&was->line[a], &is->line[b]);
        if (order < 0)
            return bl_fail(diag, BL_DATA, "%s/%s: it was handed in, and is missing", folder,
                           manifest_path_of(was->line[a]));
        if (order > 0)
            return bl_fail(diag, BL_DATA, "%s/%s: it was not handed in", folder,
                           manifest_path_of(is->line[b]));
        if (strcmp(was->line[a], is->line[b]) != 0)
            return bl_fail(diag, BL_DATA, "%s/%s: it is not as it was handed in", folder,
                           manifest_path_of(was->line[a]));
        a++;
        b++;
    }
    return BL_OK;
}

enum bl_status manifest_text(char **text, size_t *length, const char *folder, struct bl_diag *diag)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/" MANIFEST_NAME, folder);
    enum bl_status status =
        file_read_plain(text, length, path, MANIFEST_MOST, "an Entry's manifest", diag);
    if (status)
        return status;
    if (strlen(*text) == *length && strncmp(*text, HEAD, strlen(HEAD)) == 0)
        return BL_OK;
    free(*text);
    *text = NULL;
    return bl_fail(diag, BL_DATA, "%s: expected '%.20s'", path, HEAD);
}

enum bl_status manifest_lines_read(struct manifest_lines *lines, char *text, struct bl_diag *diag)
{
    enum bl_status status = BL_OK;
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line && !status;
         line = strtok_r(NULL, "\n", &rest))
        if (strncmp(line, "file ", 5) == 0 || strncmp(line, "link ", 5) == 0)
            status = lines_add(lines, line, diag);
    if (lines->count)
        qsort(lines->line, lines->count, sizeof lines->line[0], by_path);
    return status;
}

/* Reads the value of a line before the files' lines. word: the line's beginning, such as "program
 * ". False: no such line. */
static bool head_line(const char *text, const char *word, char *out, size_t size)
{
    size_t length = strlen(word);
    for (const char *at = text; at; at = strchr(at, '\n')) {
        at += *at == '\n';
        if (strncmp(at, "file ", 5) == 0 || strncmp(at, "link ", 5) == 0)
            return false;
        if (strncmp(at, word, length) == 0)
            return snprintf(out, size, "%.*s", (int)strcspn(at + length, "\n"), at + length) <
                   (int)size;
    }
    return false;
}

enum bl_status manifest_program(const char *folder, char *program, size_t size,
                                struct bl_diag *diag)
{
    char *text;
    size_t length;
    enum bl_status status = manifest_text(&text, &length, folder, diag);
    if (!status && !head_line(text, "program ", program, size))
        status =
            bl_fail(diag, BL_DATA, "%s/" MANIFEST_NAME ": it has no program of up to %zu bytes",
                    folder, size - 1);
    free(text);
    return status;
}

enum bl_status manifest_holds(const char *folder, const struct manifest_lines *was,
                              struct bl_diag *diag)
{
    struct manifest_lines is = {.line = NULL};
    enum bl_status status = read_folder(&is, folder, diag);
    if (!status)
        status = compare(folder, was, &is, diag);
    manifest_lines_free(&is);
    return status;
}

enum bl_status manifest_check(const char *folder, unsigned *files, struct bl_diag *diag)
{
    char *text = NULL, interpreter[PATH_MAX];
    size_t length;
    struct manifest_lines was = {.line = NULL};
    enum bl_status status = manifest_text(&text, &length, folder, diag);
    bool needs = !status && head_line(text, "interpreter ", interpreter, sizeof interpreter);
    if (!status)
        status = manifest_lines_read(&was, text, diag);
    if (!status)
        status = manifest_holds(folder, &was, diag);
    if (!status && needs && access(interpreter, X_OK))
        status = bl_fail(diag, BL_UNAVAIL, "%s: the Entry runs with %s, which this machine lacks",
                         folder, interpreter);
    *files = (unsigned)was.count;
    free(text);
    manifest_lines_free(&was);
    return status;
}
