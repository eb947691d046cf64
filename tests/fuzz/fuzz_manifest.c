/* Any bytes as the manifest of an Entry's folder: it is refused, or the folder is installed by it,
 * whole, and holds against it. Nothing outside comes or changes, and an Entry that is not taken is
 * not there.
 *
 * In the input the bytes 1 to 9 stand for the lines of the true manifest. */
#include "base/file.h"
#include "entity/install.h"

#include "tests/support/memory_folder.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

#define OURS   "what is ours\n"
#define LINES  9
#define HANDED "from/handed" /* beside it lies a file for who would have it copied */

static const char *root;
static int home = -1; /* the seeds are named from there */
static char *truth, *line[LINES + 1];
static unsigned others;

static void put(const char *path, const void *bytes, size_t length)
{
    FILE *file = fopen(path, "w");
    if (!file || fwrite(bytes, 1, length, file) != length || fclose(file))
        abort();
}

static int count_one(const char *path, const struct stat *info, int type, struct FTW *at)
{
    (void)path, (void)info, (void)type, (void)at;
    others++;
    return 0;
}

/* Nothing has come there, and nothing has changed. */
static void check_outside(void)
{
    char *text = NULL;
    size_t length;
    others = 0;
    nftw("outside", count_one, 16, FTW_PHYS);
    if (others != 2 || file_read(&text, &length, "outside/canary", 1024, "a file", NULL) != BL_OK ||
        strcmp(text, OURS) != 0)
        abort();
    free(text);
}

static void start(void)
{
    unsigned files, lines = 0;
    size_t length;
    root = memory_folder_begin("fuzz_manifest", &home);
    if (mkdir("outside", 0700) || mkdir("from", 0700) || mkdir(HANDED, 0700) ||
        mkdir(HANDED "/sub", 0700) || mkdir("entries", 0700))
        abort();
    put("outside/canary", OURS, strlen(OURS));
    put("from/lure", OURS, strlen(OURS));
    put(HANDED "/run", "#!/bin/sh\necho Hello\n", 21);
    put(HANDED "/sub/words", "Hello\n", 6);
    if (chmod(HANDED "/run", 0700) || symlink("sub/words", HANDED "/link") ||
        manifest_write(HANDED, "./run", &files, NULL) ||
        file_read(&truth, &length, HANDED "/" MANIFEST_NAME, MANIFEST_MOST, "a manifest", NULL))
        abort();
    for (char *at = truth; *at && lines < LINES; at++) {
        line[lines++] = at;
        at = strchr(at, '\n');
        *at = '\0';
    }
}

static void put_manifest(const uint8_t *bytes, size_t length)
{
    FILE *file = fopen(HANDED "/" MANIFEST_NAME, "w");
    if (!file)
        abort();
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] >= 1 && bytes[i] <= LINES && line[bytes[i] - 1])
            fputs(line[bytes[i] - 1], file);
        else
            fputc(bytes[i], file);
    }
    fclose(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    char program[512], name[INSTALL_NAME], to[INSTALL_NAME + 16];
    struct bl_diag diag = {""};
    unsigned files;
    if (length > 4096)
        return 0;
    if (!truth)
        start();
    else if (chdir(root))
        abort();
    put_manifest(bytes, length);
    enum bl_status status = manifest_check(HANDED, &files, &diag);
    manifest_program(HANDED, program, sizeof program, NULL);
    others = 1;
    if (install_name(HANDED, name, &diag) == BL_OK) {
        if (strchr(name, '/') || name[0] == '.')
            abort();
        snprintf(to, sizeof to, "entries/%s", name);
        const enum bl_status installed = install_entry(HANDED, to, &diag);
        if (installed && access(to, F_OK) == 0)
            abort();
        const enum bl_status held = installed ? BL_OK : manifest_check(to, &files, &diag);
        if (held != BL_OK && held != BL_UNAVAIL)
            abort();
        if (!status && installed)
            abort(); /* it is as its manifest says */
        if (install_remove(to, &diag) || access(to, F_OK) == 0)
            abort();
        others = 0;
        nftw("entries", count_one, 16, FTW_PHYS);
    }
    if (others != 1)
        abort(); /* it was to lie in the Entry's folder */
    check_outside();
    memory_folder_empty("entries");
    if (fchdir(home))
        abort();
    return 0;
}
