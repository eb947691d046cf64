#include "booth/contest_records.h"

#include "base/file.h"
#include "base/name.h"
#include "rules/stick.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CONTEST_NOW  "contest.now" /* the id of the contest of the records */
#define CONTEST_AWAY "contest-"    /* a folder with the records of the contest of that id */
#define SAVED_MOST   (1u << 20)
#define LONG_PATH    (PATH_MAX + NAME_MAX + 2)

static bool is_record(const char *name)
{
    return name[0] != '.' && (name_ends(name, ".journal") || name_ends(name, ".ballot"));
}

static bool is_of_contest(const char *name)
{
    unsigned judge;
    return is_record(name) || name_ends(name, STICK_OVER) || name_ends(name, STICK_ELSEWHERE) ||
           strcmp(name, RECORDS_SAVED) == 0 || stick_ranks_read(name, &judge);
}

/* Moves a contest's files from one folder to another, where none of them may be. The list of saved
 * records is left out: a stick writes it anew. */
static enum bl_status move_contest(const char *from, const char *to, struct bl_diag *diag)
{
    char path[LONG_PATH], there[LONG_PATH];
    struct dirent *found;
    struct stat info;
    enum bl_status status = BL_OK;
    DIR *dir = opendir(from);
    if (!dir)
        return errno == ENOENT ? BL_OK : file_fail(diag, from);
    while (!status && (errno = 0, found = readdir(dir))) {
        if (!is_of_contest(found->d_name))
            continue;
        snprintf(path, sizeof path, "%s/%s", from, found->d_name);
        snprintf(there, sizeof there, "%s/%s", to, found->d_name);
        if (strcmp(found->d_name, RECORDS_SAVED) != 0 && lstat(there, &info) == 0)
            errno = EEXIST;
        else if (rename(path, there) == 0)
            continue;
        status = file_fail(diag, there);
    }
    if (!status && errno)
        status = file_fail(diag, from);
    closedir(dir);
    status = status ? status : file_sync_folder(to, diag);
    return status ? status : file_sync_folder(from, diag);
}

void contest_records_of(const char *records, char id[CONTEST_ID])
{
    char path[LONG_PATH], *text = NULL;
    snprintf(path, sizeof path, "%s/" CONTEST_NOW, records);
    bool good = file_read_text(&text, path, CONTEST_ID, "a contest's id", NULL) == BL_OK &&
                contest_id_is(text);
    snprintf(id, CONTEST_ID, "%s", good ? text : "");
    free(text);
}

static enum bl_status take_back(const char *records, const char *id, struct bl_diag *diag)
{
    char away[LONG_PATH];
    snprintf(away, sizeof away, "%s/" CONTEST_AWAY "%s", records, id);
    return move_contest(away, records, diag);
}

enum bl_status contest_records_settle(const char *records, struct bl_diag *diag)
{
    char id[CONTEST_ID];
    contest_records_of(records, id);
    return id[0] ? take_back(records, id, diag) : BL_OK;
}

/* The id is written after the old files have been moved. Until then contest_records_settle() moves
 * the old files back after a stop. */
enum bl_status contest_records_switch(const char *records, const char *id, struct bl_diag *diag)
{
    char now[LONG_PATH], away[LONG_PATH], last[CONTEST_ID];
    enum bl_status status = BL_OK;
    contest_records_of(records, last);
    if (contest_id_differ(last, id)) {
        snprintf(away, sizeof away, "%s/" CONTEST_AWAY "%s", records, last);
        if (mkdir(away, 0700) && errno != EEXIST)
            return file_fail(diag, away);
        status = file_sync_folder(records, diag); /* the folder is there before its files */
        if (!status)
            status = move_contest(records, away, diag);
    }
    snprintf(now, sizeof now, "%s/" CONTEST_NOW, records);
    if (!status && strcmp(last, id) != 0)
        status = file_write(now, id, strlen(id), diag);
    return status ? status : take_back(records, id, diag);
}

enum bl_status contest_records_each(const char *records,
                                    enum bl_status (*each)(void *ctx, const char *name), void *ctx,
                                    struct bl_diag *diag)
{
    struct dirent *found;
    enum bl_status status = BL_OK;
    DIR *dir = opendir(records);
    if (!dir)
        return errno == ENOENT ? BL_OK : file_fail(diag, records);
    while (!status && (errno = 0, found = readdir(dir)))
        if (is_record(found->d_name))
            status = each(ctx, found->d_name);
    if (!status && errno)
        status = file_fail(diag, records); /* the folder cannot be read to its end */
    closedir(dir);
    return status;
}

long long contest_records_size(const char *folder, const char *name)
{
    char path[LONG_PATH];
    struct stat info;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return stat(path, &info) == 0 ? (long long)info.st_size : -1;
}

struct counting {
    const char *folder, *saved; /* saved: the list, or "" */
    struct records_count count;
};

static enum bl_status count(void *ctx, const char *name)
{
    struct counting *counting = ctx;
    char line[NAME_MAX + 32];
    int length = snprintf(line, sizeof line, "%s %lld\n", name,
                          contest_records_size(counting->folder, name));
    const char *at = counting->saved;
    while ((at = strstr(at, line)) && at != counting->saved && at[-1] != '\n')
        at += length;
    counting->count.all++;
    counting->count.unsaved += !at;
    return BL_OK;
}

static struct records_count count_in(const char *folder)
{
    char path[LONG_PATH], *saved = NULL;
    snprintf(path, sizeof path, "%s/" RECORDS_SAVED, folder);
    file_read_text(&saved, path, SAVED_MOST, "a list of records", NULL);
    struct counting counting = {.folder = folder, .saved = saved ? saved : ""};
    contest_records_each(folder, count, &counting, NULL);
    free(saved);
    return counting.count;
}

struct records_count contest_records_count(const char *records)
{
    struct records_count count = count_in(records);
    struct dirent *found;
    DIR *dir = opendir(records);
    while (dir && (found = readdir(dir))) {
        char away[LONG_PATH];
        snprintf(away, sizeof away, "%s/%s", records, found->d_name);
        if (strncmp(found->d_name, CONTEST_AWAY, strlen(CONTEST_AWAY)) == 0)
            count.apart += count_in(away).unsaved;
    }
    if (dir)
        closedir(dir);
    return count;
}
