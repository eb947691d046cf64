/* A folder of a stranger's on a stick: any files, links, pipes and folders, with any contents. The
 * manager's machine collects out of it, or a booth takes from it and gives to it. Nothing outside
 * changes, what is there already stays as it was, and what was collected once has no more to give.
 *
 * Input: a byte (1: a booth, else the manager; 2: with a good list of what is there), then the
 * files: a byte each of kind, name and place, the length of the content (one byte), the content. */
#include "base/crc32c.h"
#include "base/file.h"
#include "booth/contest_records.h"
#include "booth/stick_files.h"
#include "desk/collect.h"
#include "journal/journal.h"
#include "tests/support/drawn.h"
#include "tests/support/memory_folder.h"
#include "tests/support/records.h"

#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

#define PLACE   "booth-1-judge"
#define STICK   "stick/boothlink/"
#define OURS    "what is ours\n"
#define OUTSIDE "outside/canary"

enum kind { PLAIN, SUMMED, RECORDS, LINK, FOLDER, PIPE, KINDS_OF_FILES };

static const char *const names[] = {"r1-j1-judge.ballot",
                                    "r1-j2-judge.ballot",
                                    "r2-j1-judge.ballot",
                                    "r1-j1-judge.journal",
                                    "r1-j1-entity.journal",
                                    "ranks-j1-judge.ballot",
                                    "stick.list",
                                    "001.ticket",
                                    "001-2.ticket",
                                    "ranks.ticket",
                                    "line-a.key",
                                    "taken",
                                    "r1-j1-judge.ballot.part",
                                    ".hidden",
                                    "a\nb-judge.ballot",
                                    "booth-1-judge"};
static const char *const places[] = {STICK,
                                     STICK PLACE "/",
                                     STICK "records/",
                                     STICK "records/" PLACE "/",
                                     STICK "records/" PLACE "-2/",
                                     STICK "judge-1-ranks/",
                                     "stick/",
                                     "stick/a/b/"};
#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char *root;
static int home = -1; /* the seeds are named from there */
static struct contest *base, *now;

/* Files. */

static void make_parents(const char *path)
{
    char part[256];
    for (const char *at = path; (at = strchr(at, '/')); at++) {
        snprintf(part, sizeof part, "%.*s", (int)(at - path), path);
        mkdir(part, 0700);
    }
}

/* Is the folder of a path in the stick's own, and not behind a link? */
static bool is_inside(const char *path)
{
    char folder[256], real[PATH_MAX], stick[48];
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    snprintf(stick, sizeof stick, "%s/stick", root);
    return realpath(folder, real) && strncmp(real, stick, strlen(stick)) == 0;
}

static void put(const char *path, const void *bytes, size_t length)
{
    FILE *file = fopen(path, "wx");
    if (!file)
        return;
    fwrite(bytes, 1, length, file);
    fclose(file);
}

/* Each line with the checksum of a ballot file's. */
static size_t add_sums(char *out, const char *text, size_t length)
{
    size_t used = 0;
    for (size_t at = 0; at < length;) {
        const char *end = memchr(text + at, '\n', length - at);
        const size_t line = end ? (size_t)(end - text) - at : length - at;
        used += (size_t)sprintf(out + used, "%.*s", (int)line, text + at);
        used += (size_t)sprintf(out + used, " *%08x\n", crc32c(0, text + at, line));
        at += line + 1;
    }
    return used;
}

/* A record of keys for each byte. */
static size_t add_records(uint8_t *out, const uint8_t *bytes, size_t length)
{
    const struct journal_record header = records_header("r1-j1", PARTY_JUDGE, 1790000000000000u);
    size_t used = journal_encode(&header, out);
    for (size_t i = 0; i < length && i < 20; i++) {
        const char text[2] = {(char)('a' + bytes[i] % 26), '\0'};
        const struct journal_record keys =
            records_keys(bytes[i] >> 7, bytes[i] >> 6 & 1, i + 1, 1790000000000000u, text);
        used += journal_encode(&keys, out + used);
    }
    return used;
}

static void lay(const uint8_t *at, const uint8_t *content, size_t length)
{
    static char made[8192], path[256];
    static uint8_t records[32 * JOURNAL_RECORD_MAX];
    snprintf(path, sizeof path, "%s%s", places[at[2] % COUNT(places)], names[at[1] % COUNT(names)]);
    make_parents(path);
    if (!is_inside(path))
        return;
    switch ((enum kind)(at[0] % KINDS_OF_FILES)) {
    case PLAIN:
        put(path, content, length);
        break;
    case SUMMED:
        put(path, made, add_sums(made, (const char *)content, length));
        break;
    case RECORDS:
        put(path, records, add_records(records, content, length));
        break;
    case LINK:
        snprintf(made, sizeof made, "%.*s", (int)length, (const char *)content);
        if (symlink(length ? made : "../../../" OUTSIDE, path))
            break; /* there is something of that name */
        break;
    case FOLDER:
        mkdir(path, 0700);
        break;
    case PIPE:
        mkfifo(path, 0600);
        break;
    case KINDS_OF_FILES:
        break;
    }
}

static FILE *list;

static int list_one(const char *path, const struct stat *info, int type, struct FTW *at)
{
    struct stick_file file = {.bytes = (uint64_t)info->st_size};
    char line[STICK_LINE_MAX], *bytes;
    size_t length;
    (void)at;
    if (type != FTW_F || !S_ISREG(info->st_mode) || strchr(path, '\n') ||
        file_read(&bytes, &length, path, 1u << 20, "a file", NULL))
        return 0;
    file.crc = crc32c(0, bytes, length);
    free(bytes);
    snprintf(file.path, sizeof file.path, "%s", path + strlen(STICK));
    stick_file_write(&file, line);
    fputs(line, list);
    return 0;
}

static void lay_list(void)
{
    const struct stick stick = {true, STICK_JUDGES, 10, "A contest"};
    char line[STICK_LINE_MAX];
    list = fopen("list", "w");
    if (!list)
        abort();
    stick_head_write(&stick, line);
    fputs(line, list);
    nftw("stick/boothlink", list_one, 16, FTW_PHYS);
    fclose(list);
    remove(STICK STICK_LIST);
    if (is_inside(STICK STICK_LIST))
        rename("list", STICK STICK_LIST);
    unlink("list");
}

static void check_file(const char *path)
{
    char *bytes = NULL;
    size_t length;
    if (file_read(&bytes, &length, path, 1024, "a file", NULL) || strcmp(bytes, OURS) != 0)
        abort();
    free(bytes);
}

static unsigned others;

static int count_one(const char *path, const struct stat *info, int type, struct FTW *at)
{
    (void)path, (void)info, (void)type, (void)at;
    others++;
    return 0;
}

/* Outside nothing has come, and nothing has changed. */
static void check_outside(void)
{
    others = 0;
    nftw("outside", count_one, 16, FTW_PHYS);
    if (others != 2)
        abort();
    check_file(OUTSIDE);
}

/* The manager. */

static enum bl_status append(void *ctx, const struct act_body *act, struct bl_diag *diag)
{
    struct contest *before = malloc(sizeof *before);
    json_t *body = act_body_write(act);
    char *text = body ? json_dumps(body, JSON_COMPACT) : NULL;
    enum bl_status status = text ? BL_OK : bl_fail(diag, BL_DATA, "the texts must be UTF-8");
    (void)ctx;
    if (!before)
        abort();
    memcpy(before, now, sizeof *before);
    const struct act stored = {.number = now->acts + 1,
                               .author = "fuzz",
                               .at_us = DRAWN_US,
                               .kind = act_kind_name(act->kind),
                               .body = text};
    if (status == BL_OK && (status = contest_apply(now, &stored, diag)))
        memcpy(now, before, sizeof *before);
    free(before);
    free(text);
    json_decref(body);
    return status;
}

static void tell(void *ctx, const char *path, const char *what)
{
    (void)ctx, (void)path;
    if (!what[0])
        abort();
}

static void say(void *ctx, const char *line)
{
    tell(ctx, "", line);
}

static void collect_all(void)
{
    struct bl_diag diag;
    memcpy(now, base, sizeof *now);
    for (unsigned again = 0; again < 3; again++) {
        struct collect collect = {.file = "contest.db",
                                  .contest = now,
                                  .records = "records",
                                  .begin = true,
                                  .append = append,
                                  .tell = tell};
        unsigned ranks, surveys;
        bool recorded;
        if (collect_folder(&collect, "stick", &diag))
            abort();
        if (again && (collect.taken || collect.ballots))
            abort();
        collect_missing(now, "records", say, NULL, &ranks, &surveys);
        if (again == 1) /* the manager says which of two files counts */
            collect_settle(&collect, "r1-j1", "2", "why", &recorded, &diag);
    }
}

/* A booth. */

static void exchange(void)
{
    struct bl_diag diag = {""};
    unsigned judge;
    bool changed;
    mkdir("records", 0700);
    put("records/r1-j1-judge.ballot", OURS, strlen(OURS));
    put("records/r9-j1-judge.journal", OURS, strlen(OURS));
    if (!stick_is_in("stick"))
        return;
    if (stick_check("stick", PLACE, "records", &diag) == BL_OK)
        stick_take("stick", PLACE, "records/" PLACE, &changed, &diag);
    if (stick_give("stick", PLACE, "records", &diag) == BL_OK) {
        char path[PATH_MAX];
        if (contest_records_count("records").unsaved ||
            !stick_record("stick", PLACE, "r9-j1-judge.journal", path))
            abort();
    }
    if (stick_take_ranks("stick", PLACE, "records", &judge, &diag) == BL_OK)
        stick_give_ranks("stick", PLACE, "records", judge, "ranks-j1-judge.ballot", &diag);
    check_file("records/r1-j1-judge.ballot");
    check_file("records/r9-j1-judge.journal");
}

static void start(void)
{
    root = memory_folder_begin("fuzz_folder", &home);
    if (mkdir("outside", 0700))
        abort();
    put(OUTSIDE, OURS, strlen(OURS));
    base = drawn_make("loebner-2009");
    now = contest_create();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    if (length < 1 || length > 4096)
        return 0;
    if (!base)
        start();
    else if (chdir(root))
        abort();
    const uint8_t flags = bytes[0];
    mkdir("stick", 0700);
    for (bytes++, length--; length >= 4;) {
        const size_t content = bytes[3] < length - 4 ? bytes[3] : length - 4;
        lay(bytes, bytes + 4, content);
        bytes += 4 + content;
        length -= 4 + content;
    }
    if (flags & 2)
        lay_list();
    if (flags & 1)
        exchange();
    else
        collect_all();
    check_outside();
    memory_folder_empty("stick");
    memory_folder_empty("records");
    rmdir("stick");
    rmdir("records");
    if (fchdir(home))
        abort();
    return 0;
}
