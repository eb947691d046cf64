#include "booth/stick_files.h"

#include "base/crc32c.h"
#include "base/file.h"
#include "base/growing.h"
#include "base/name.h"
#include "booth/contest_records.h"
#include "booth/messages.h"
#include "entity/install.h"
#include "journal/journal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SEEN          "stick.seen" /* the first line of the list of the last stick that was taken */
#define TAKEN         "taken" /* in a judge's folder for the ranks: the place that has taken it */
#define FILE_MOST     (64u << 20)
#define FOLDER_MOST   (256u << 20) /* bytes of a machine's files together */
#define FILES_MOST    2000
#define MACHINES_MOST 9 /* limit of folders for one place on one stick */
#define LONG_PATH     (PATH_MAX + NAME_MAX + 2)

/* Checks that the path is a folder and not a link. A stick may hold anything. BL_NOINPUT: it is
 * missing. */
static enum bl_status check_folder(const char *path, struct bl_diag *diag)
{
    struct stat info;
    if (lstat(path, &info) != 0)
        return file_fail(diag, path);
    return S_ISDIR(info.st_mode) ? BL_OK : bl_fail(diag, BL_DATA, say_fail_expected_a_folder, path);
}

static enum bl_status make_folder(const char *path, struct bl_diag *diag)
{
    return mkdir(path, 0700) && errno != EEXIST ? file_fail(diag, path) : check_folder(path, diag);
}

/* Reads a whole file; the caller frees *bytes. */
static enum bl_status read_all(const char *path, char **bytes, size_t *length, struct bl_diag *diag)
{
    return file_read_plain(bytes, length, path, FILE_MOST, "a ticket, a record or a list", diag);
}

/* Writes a file unless the folder has an equal file of that name. */
static enum bl_status put(const char *to, const char *name, const char *bytes, size_t length,
                          bool *changed, struct bl_diag *diag)
{
    char path[LONG_PATH], *old = NULL;
    size_t old_length;
    enum bl_status status = BL_OK;
    snprintf(path, sizeof path, "%s/%s", to, name);
    bool same = read_all(path, &old, &old_length, NULL) == BL_OK && old_length == length &&
                memcmp(old, bytes, length) == 0;
    if (!same) {
        *changed = true;
        status = file_write(path, bytes, length, diag);
    }
    free(old);
    return status;
}

/* Copies a file unless the folder `to` has an equal file of that name. */
static enum bl_status copy(const char *from, const char *to, const char *name, bool *changed,
                           struct bl_diag *diag)
{
    char path[LONG_PATH], *bytes = NULL;
    size_t length;
    snprintf(path, sizeof path, "%s/%s", from, name);
    enum bl_status status = read_all(path, &bytes, &length, diag);
    if (!status)
        status = put(to, name, bytes, length, changed, diag);
    free(bytes);
    return status;
}

static void stick_path(char path[LONG_PATH], const char *dir, const char *folder, const char *name)
{
    snprintf(path, LONG_PATH, "%s/" STICK_FOLDER "/%s%s%s", dir, folder, name[0] ? "/" : "", name);
}

static enum bl_status pulled(const char *path, const char *why, struct bl_diag *diag)
{
    return bl_fail(diag, BL_DATA, say_fail_the_stick_was_taken_out_while, path, why);
}

/* Reads a file and checks it against the list; the caller frees *bytes. */
static enum bl_status read_listed(const char *dir, const struct stick_file *file, char **bytes,
                                  struct bl_diag *diag)
{
    char path[LONG_PATH];
    size_t length;
    stick_path(path, dir, file->path, "");
    enum bl_status status = read_all(path, bytes, &length, diag);
    if (status)
        return status == BL_NOINPUT ? pulled(path, say_it_is_missing, diag) : status;
    if (length == file->bytes && crc32c(0, *bytes, length) == file->crc)
        return BL_OK;
    free(*bytes);
    *bytes = NULL;
    return pulled(path, say_it_is_not_as_written, diag);
}

static bool is_hidden(const char *name)
{
    return name[0] == '.';
}

/* Finds the list's next file directly in the folder. *name: its name there. */
static bool next_listed(const char *folder, const char **at, struct stick_file *file,
                        const char **name)
{
    size_t length = strlen(folder);
    while (stick_file_read(file, at)) {
        *name = file->path + length + 1;
        if (strncmp(file->path, folder, length) == 0 && file->path[length] == '/' && **name &&
            !strchr(*name, '/') && !is_hidden(*name))
            return true;
    }
    return false;
}

/* True if both sticks are of one contest. Without an id, on an earlier version's stick, the
 * contests' names count. */
static bool same_contest(const struct stick *one, const struct stick *other)
{
    const struct stick *both[] = {one, other};
    char id[2][CONTEST_ID];
    size_t length[2];
    bool has[2];
    for (unsigned i = 0; i < 2; i++) {
        has[i] = stick_contest_id(both[i], id[i]);
        length[i] = strlen(both[i]->contest) - (has[i] ? strlen(id[i]) + strlen(" []") : 0);
    }
    return has[0] && has[1]
               ? strcmp(id[0], id[1]) == 0
               : length[0] == length[1] && memcmp(one->contest, other->contest, length[0]) == 0;
}

static enum stick_age age_of(const struct stick *stick, const char *records)
{
    char path[LONG_PATH], *text = NULL;
    const char *rest;
    struct stick last;
    size_t length;
    snprintf(path, sizeof path, "%s/" SEEN, records);
    bool seen = read_all(path, &text, &length, NULL) == BL_OK &&
                stick_head_read(&last, text, path, &rest, NULL) == BL_OK;
    free(text);
    return !seen                         ? STICK_NEWER
           : !same_contest(&last, stick) ? STICK_OTHER_CONTEST
           : last.acts > stick->acts     ? STICK_OLDER
           : last.acts < stick->acts     ? STICK_NEWER
                                         : STICK_SAME_AGE;
}

static enum bl_status check_room(const struct stick *stick, const char *folder,
                                 struct bl_diag *diag)
{
    static const char *const rooms[STICK_ROOMS] = {"judges' room", say_back_room};
    struct place place;
    if (!place_name_read(&place, folder) ||
        (place.machine == MACHINE_JUDGE) == (stick->room == STICK_JUDGES))
        return BL_OK;
    return bl_fail(diag, BL_UNAVAIL, say_fail_this_is_the_stick_of_the, rooms[stick->room],
                   rooms[stick->room == STICK_JUDGES]);
}

static enum bl_status check_list(const char *dir, const char *folder, const char *records,
                                 const char *text, const char *name, struct bl_diag *diag)
{
    struct stick stick;
    struct stick_file file;
    const char *at, *rest;
    char line[STICK_LINE_MAX], path[LONG_PATH], id[CONTEST_ID], *bytes;
    uint64_t total = 0;
    unsigned count = 0;
    enum bl_status status = stick_head_read(&stick, text, name, &at, diag);
    if (!status && !stick.complete)
        status = pulled(name, say_it_is_not_complete, diag);
    if (!status)
        status = check_room(&stick, folder, diag);
    if (!status)
        status = age_of(&stick, records) == STICK_OLDER
                     ? bl_fail(diag, BL_BUSY, say_fail_this_stick_is_older_than_the)
                     : BL_OK;
    while (!status && next_listed(folder, &at, &file, &rest)) {
        if (file.bytes > FILE_MOST || (total += file.bytes) > FOLDER_MOST || ++count > FILES_MOST)
            return bl_fail(diag, BL_DATA, say_fail_more_than_a_machine_takes, name, folder);
        status = read_listed(dir, &file, &bytes, diag);
        free(bytes);
    }
    if (!status && count && stick_contest_id(&stick, id))
        status = contest_records_switch(records, id, diag);
    stick_head_write(&stick, line);
    snprintf(path, sizeof path, "%s/" SEEN, records);
    return status ? status : file_write(path, line, strlen(line), diag);
}

/* Reads the stick's list; the caller frees *text. */
static enum bl_status read_list(const char *dir, char path[LONG_PATH], char **text,
                                struct bl_diag *diag)
{
    size_t length;
    stick_path(path, dir, STICK_LIST, "");
    enum bl_status status = read_all(path, text, &length, diag);
    return status == BL_NOINPUT ? pulled(path, say_it_is_missing, diag) : status;
}

enum bl_status stick_check(const char *dir, const char *folder, const char *records,
                           struct bl_diag *diag)
{
    char path[LONG_PATH], *text = NULL;
    stick_path(path, dir, folder, "");
    enum bl_status status = check_folder(path, diag);
    if (status && status != BL_NOINPUT)
        return status;
    status = read_list(dir, path, &text, diag);
    if (!status)
        status = check_list(dir, folder, records, text, path, diag);
    free(text);
    return status;
}

void stick_forget(const char *records)
{
    char path[LONG_PATH];
    snprintf(path, sizeof path, "%s/" SEEN, records);
    unlink(path);
}

bool stick_is_in(const char *dir)
{
    char path[PATH_MAX];
    struct stat info;
    snprintf(path, sizeof path, "%s/" STICK_FOLDER, dir);
    return lstat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

uint64_t stick_mark(const char *dir)
{
    char path[PATH_MAX + 32];
    struct stat info;
    snprintf(path, sizeof path, "%s/" STICK_FOLDER "/" STICK_LIST, dir);
    return dir[0] && lstat(path, &info) == 0
               ? (uint64_t)info.st_ino * 1000003 + (uint64_t)info.st_mtim.tv_sec * 1000000000 +
                     (uint64_t)info.st_mtim.tv_nsec + 1
               : 0;
}

static bool is_listed(const char *list, const char *folder, const char *wanted)
{
    struct stick_file file;
    const char *name;
    while (next_listed(folder, &list, &file, &name))
        if (strcmp(name, wanted) == 0)
            return true;
    return false;
}

static enum bl_status take_away(const char *own, const char *list, const char *folder,
                                bool *changed, struct bl_diag *diag)
{
    struct dirent *found;
    enum bl_status status = BL_OK;
    DIR *dir = opendir(own);
    if (!dir)
        return file_fail(diag, own);
    while (!status && (found = readdir(dir))) {
        if (is_hidden(found->d_name) || is_listed(list, folder, found->d_name))
            continue;
        *changed = true;
        if (unlinkat(dirfd(dir), found->d_name, 0))
            status = file_fail(diag, own);
    }
    closedir(dir);
    return status;
}

enum stick_age stick_age(const char *dir, const char *records)
{
    char path[LONG_PATH], *text = NULL;
    const char *rest;
    struct stick stick;
    enum stick_age age = STICK_OLDER;
    if (read_list(dir, path, &text, NULL) == BL_OK &&
        stick_head_read(&stick, text, path, &rest, NULL) == BL_OK)
        age = age_of(&stick, records);
    free(text);
    return age;
}

/* True if the file in `own` has the list's length and checksum. */
static bool is_as_listed(const char *own, const struct stick_file *file, const char *name)
{
    char path[LONG_PATH], *bytes = NULL;
    size_t length;
    snprintf(path, sizeof path, "%s/%s", own, name);
    bool same = read_all(path, &bytes, &length, NULL) == BL_OK && length == file->bytes &&
                crc32c(0, bytes, length) == file->crc;
    free(bytes);
    return same;
}

/* True if `own` has a file that the list lacks; `name` is then that file. The place's key does not
 * count, since the desk's list never has it. */
static bool has_more(const char *own, const char *list, const char *folder,
                     char name[STICK_PATH_MAX])
{
    struct dirent *found;
    bool more = false;
    DIR *dir = opendir(own);
    while (!more && dir && (found = readdir(dir))) {
        more = !is_hidden(found->d_name) && strcmp(found->d_name, STICK_KEY) != 0 &&
               !is_listed(list, folder, found->d_name);
        if (more)
            snprintf(name, STICK_PATH_MAX, "%.*s", STICK_PATH_MAX - 1, found->d_name);
    }
    if (dir)
        closedir(dir);
    return more;
}

bool stick_is_here(const char *dir, const char *folder, const char *own, char name[STICK_PATH_MAX])
{
    char path[LONG_PATH], *text = NULL;
    const char *at, *rest;
    struct stick_file file;
    struct stick stick;
    bool same = read_list(dir, path, &text, NULL) == BL_OK &&
                stick_head_read(&stick, text, path, &at, NULL) == BL_OK;
    const char *first = same ? at : NULL;
    snprintf(name, STICK_PATH_MAX, STICK_LIST);
    while (same && next_listed(folder, &at, &file, &rest)) {
        same = is_as_listed(own, &file, rest);
        if (!same)
            snprintf(name, STICK_PATH_MAX, "%s", rest);
    }
    same = same && !has_more(own, first, folder, name);
    free(text);
    return same;
}

/* Copies the listed files, tickets last. A ticket is used as soon as it is there, and needs the
 * other files. */
static enum bl_status take_listed(const char *dir, const char *name, const char *own,
                                  const char *list, bool *changed, struct bl_diag *diag)
{
    enum bl_status status = BL_OK;
    for (int tickets = 0; tickets < 2 && !status; tickets++) {
        struct stick_file file;
        const char *at = list, *rest;
        while (!status && next_listed(name, &at, &file, &rest)) {
            char *bytes = NULL;
            if (name_ends(rest, ".ticket") != tickets)
                continue;
            status = read_listed(dir, &file, &bytes, diag);
            if (!status)
                status = put(own, rest, bytes, (size_t)file.bytes, changed, diag);
            free(bytes);
        }
    }
    if (!status)
        status = take_away(own, list, name, changed, diag);
    return status ? status : file_sync_folder(own, diag);
}

enum bl_status stick_take(const char *dir, const char *name, const char *own, bool *changed,
                          struct bl_diag *diag)
{
    char path[LONG_PATH], *text = NULL;
    struct stick_file file;
    struct stick stick;
    const char *at, *rest, *first;
    enum bl_status status = make_folder(own, diag);
    *changed = false;
    stick_path(path, dir, name, "");
    if (status || access(path, F_OK) != 0)
        return status;
    status = read_list(dir, path, &text, diag);
    if (!status)
        status = stick_head_read(&stick, text, path, &at, diag);
    first = status ? NULL : at;
    if (!status && next_listed(name, &first, &file, &rest))
        status = take_listed(dir, name, own, at, changed, diag);
    free(text);
    return status ? status : file_sync_name(own, diag);
}

enum bl_status stick_keep_key(const char *own, const char *records, struct bl_diag *diag)
{
    bool changed;
    enum bl_status status = copy(own, records, STICK_KEY, &changed, diag);
    return status == BL_NOINPUT ? BL_OK : status;
}

enum bl_status stick_take_entry(const char *dir, const char *name, const char *entries,
                                struct bl_diag *diag)
{
    char from[LONG_PATH], to[LONG_PATH];
    unsigned files;
    snprintf(from, sizeof from, "%s/" STICK_FOLDER "/" STICK_ENTRIES, dir);
    if (check_folder(from, diag) == BL_DATA)
        return BL_DATA;
    snprintf(from, sizeof from, "%s/" STICK_FOLDER "/" STICK_ENTRIES "/%s", dir, name);
    snprintf(to, sizeof to, "%s/%s", entries, name);
    if (mkdir(entries, 0755) == 0)
        chmod(entries, 0755); /* the keeper of an Entry may run as another user */
    else if (errno != EEXIST)
        return file_fail(diag, entries);
    enum bl_status status = install_entry(from, to, diag);
    if (status == BL_NOINPUT && access(from, F_OK) != 0)
        return manifest_check(to, &files, NULL) == BL_OK
                   ? BL_OK
                   : bl_fail(diag, BL_NOINPUT, say_fail_the_entry_is_not_on_this_2, name);
    return status ? status : manifest_check(to, &files, diag);
}

struct giving {
    const char *records;
    char to[PATH_MAX - 16]; /* leaves room for "-2" and so on */
    struct growing saved;
    struct bl_diag *diag;
};

/* True if the file of that name is the beginning of this machine's record, or missing. Records only
 * grow. */
static bool is_beginning(const char *to, const char *name, const char *record, size_t length)
{
    char path[LONG_PATH], *theirs = NULL;
    size_t had = 0;
    struct stat info;
    snprintf(path, sizeof path, "%s/%s", to, name);
    if (lstat(path, &info) && errno == ENOENT)
        return true;
    bool same = read_all(path, &theirs, &had, NULL) == BL_OK;
    same = same && had <= length && memcmp(record, theirs, had) == 0;
    free(theirs);
    return same;
}

/* Chooses the folder for a record on the stick: the place's, or the next numbered one if another
 * machine of the place has put a record of that name there. */
static enum bl_status choose_folder(const struct giving *giving, const char *name,
                                    const char *record, size_t length, char to[PATH_MAX])
{
    for (unsigned i = 1; i < MACHINES_MOST; i++) {
        snprintf(to, PATH_MAX, i > 1 ? "%s-%u" : "%s", giving->to, i);
        if (is_beginning(to, name, record, length))
            return make_folder(to, giving->diag);
    }
    return bl_fail(giving->diag, BL_DATA, say_fail_records_of_other_machines, name);
}

static enum bl_status give(void *ctx, const char *name)
{
    struct giving *giving = ctx;
    char from[LONG_PATH], to[PATH_MAX], line[NAME_MAX + 32], *record = NULL;
    size_t length;
    bool changed = false;
    /* Syncs the record first. After a power failure the record must not be older than the stick's
     * copy. */
    snprintf(from, sizeof from, "%s/%s", giving->records, name);
    (void)journal_secure(&disk_real, from);
    enum bl_status status = read_all(from, &record, &length, giving->diag);
    if (!status)
        status = choose_folder(giving, name, record, length, to);
    if (!status)
        status = put(to, name, record, length, &changed, giving->diag);
    free(record);
    if (status)
        return status;
    snprintf(line, sizeof line, "%s %zu\n", name, length);
    growing_text(&giving->saved, line);
    if (giving->saved.failed)
        return bl_fail(giving->diag, BL_NOMEM, say_fail_no_memory);
    return BL_OK;
}

/* Syncs the given files' names and new folders on the stick, including those of an interrupted
 * run. */
static enum bl_status sync_given(const struct giving *giving)
{
    char path[PATH_MAX];
    struct stat info;
    enum bl_status status = BL_OK;
    for (unsigned i = 1; i < MACHINES_MOST && !status; i++) {
        snprintf(path, sizeof path, i > 1 ? "%s-%u" : "%s", giving->to, i);
        if (lstat(path, &info) == 0 && S_ISDIR(info.st_mode))
            status = file_sync_folder(path, giving->diag);
    }
    snprintf(path, sizeof path, "%s", giving->to);
    for (unsigned up = 0; up < 2 && !status; up++) {
        *strrchr(path, '/') = '\0';
        status = file_sync_folder(path, giving->diag);
    }
    return status;
}

enum bl_status stick_give(const char *dir, const char *place, const char *records,
                          struct bl_diag *diag)
{
    struct giving giving = {.records = records, .diag = diag};
    if (contest_records_count(records).unsaved == 0 &&
        contest_records_size(records, RECORDS_SAVED) < 0)
        return BL_OK; /* nothing has been held here */
    snprintf(giving.to, sizeof giving.to, "%s/" STICK_FOLDER "/" STICK_RECORDS, dir);
    enum bl_status status = make_folder(giving.to, diag);
    size_t length = strlen(giving.to);
    snprintf(giving.to + length, sizeof giving.to - length, "/%s", place);
    if (!status)
        status = make_folder(giving.to, diag);
    if (!status)
        status = contest_records_each(records, give, &giving, diag);
    if (!status)
        status = sync_given(&giving);
    snprintf(giving.to, sizeof giving.to, "%s/" RECORDS_SAVED, records);
    if (!status && giving.saved.bytes)
        status = file_write(giving.to, giving.saved.bytes, giving.saved.length, diag);
    free(giving.saved.bytes);
    return status;
}

bool stick_record(const char *dir, const char *place, const char *name, char path[PATH_MAX])
{
    struct stat info;
    for (unsigned i = 1; i < MACHINES_MOST; i++) {
        char more[16] = "";
        if (i > 1)
            snprintf(more, sizeof more, "-%u", i);
        if (snprintf(path, PATH_MAX, "%s/" STICK_FOLDER "/" STICK_RECORDS "/%s%s/%s", dir, place,
                     more, name) < PATH_MAX &&
            lstat(path, &info) == 0 && S_ISREG(info.st_mode) && info.st_size <= FILE_MOST)
            return true;
    }
    return false;
}

/* True if the folder has no mark of another place. */
static bool is_free(const char *dir, const char *folder, const char *place)
{
    char path[LONG_PATH], *text = NULL;
    size_t length;
    stick_path(path, dir, folder, TAKEN);
    if (read_all(path, &text, &length, NULL))
        return true;
    bool ours = length == strlen(place) && memcmp(text, place, length) == 0;
    free(text);
    return ours || length == 0; /* a stick may have lost the bytes */
}

/* Removes the holder's mark last, so that a stick pulled meanwhile still names the holder. */
void stick_remove_folder(const char *path)
{
    struct dirent *found;
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    if (fd >= 0 && !dir)
        close(fd);
    while (dir && (found = readdir(dir)))
        if (!is_hidden(found->d_name) && strcmp(found->d_name, TAKEN) != 0)
            unlinkat(dirfd(dir), found->d_name, 0);
    if (dir) {
        unlinkat(dirfd(dir), TAKEN, 0);
        closedir(dir);
    }
    rmdir(path);
    file_sync_name(path, NULL); /* a folder that comes back has the holder's mark, or is empty */
}

/* True if the folder is missing, or was removed here. A folder without its ticket is left from an
 * interrupted removal. Such a folder is removed if it has the holder's mark or is empty. */
static bool is_left(const char *dir, const char *folder)
{
    char path[LONG_PATH];
    stick_path(path, dir, folder, "");
    if (check_folder(path, NULL))
        return true;
    stick_path(path, dir, folder, STICK_RANKS);
    if (access(path, F_OK) == 0)
        return false;
    stick_path(path, dir, folder, TAKEN);
    bool marked = access(path, F_OK) == 0;
    stick_path(path, dir, folder, "");
    if (marked)
        stick_remove_folder(path);
    else
        rmdir(path); /* fails if it is not empty */
    return access(path, F_OK) != 0;
}

enum bl_status stick_take_ranks(const char *dir, const char *place, const char *records,
                                unsigned *judge, struct bl_diag *diag)
{
    char path[LONG_PATH], own[LONG_PATH], folder[PLACE_NAME];
    struct dirent *found;
    unsigned first = UINT_MAX, number;
    bool changed;
    snprintf(path, sizeof path, "%s/" STICK_FOLDER, dir);
    DIR *ours = opendir(path);
    while (ours && (found = readdir(ours)))
        if (stick_ranks_read(found->d_name, &number) && !is_left(dir, found->d_name) &&
            number < first && is_free(dir, found->d_name, place))
            first = number;
    if (ours)
        closedir(ours);
    if (first == UINT_MAX)
        return BL_NOINPUT;
    *judge = first;
    stick_ranks(first, folder);
    snprintf(own, sizeof own, "%s/%s", records, folder);
    enum bl_status status = stick_check(dir, folder, records, diag);
    stick_path(path, dir, folder, TAKEN);
    if (!status)
        status = file_write(path, place, strlen(place), diag);
    return status ? status : stick_take(dir, folder, own, &changed, diag);
}

enum bl_status stick_keep_ranks(const char *records, unsigned judge, const char *ballot,
                                struct bl_diag *diag)
{
    char own[PATH_MAX], folder[PLACE_NAME];
    bool changed;
    stick_ranks(judge, folder);
    snprintf(own, sizeof own, "%s/%s", records, folder);
    if (contest_records_size(own, ballot) < 0)
        return BL_OK;
    return copy(own, records, ballot, &changed, diag);
}

/* True if the stick's folder is for other ranks than `own`, such as those of the next trial. */
static bool is_for_others(const char *dir, const char *folder, const char *own)
{
    char path[LONG_PATH], *theirs = NULL, *ours = NULL;
    size_t length = 0, held = 0;
    stick_path(path, dir, folder, STICK_RANKS);
    bool other = read_all(path, &theirs, &length, NULL) == BL_OK;
    snprintf(path, sizeof path, "%s/" STICK_RANKS, own);
    other = other && read_all(path, &ours, &held, NULL) == BL_OK &&
            (held != length || memcmp(ours, theirs, held) != 0);
    free(theirs);
    free(ours);
    return other;
}

enum bl_status stick_give_ranks(const char *dir, const char *place, const char *records,
                                unsigned judge, const char *ballot, struct bl_diag *diag)
{
    char own[PATH_MAX], to[LONG_PATH], folder[PLACE_NAME];
    enum bl_status status = stick_keep_ranks(records, judge, ballot, diag);
    stick_ranks(judge, folder);
    snprintf(own, sizeof own, "%s/%s", records, folder);
    if (!status)
        status = stick_give(dir, place, records, diag);
    if (status)
        return status;
    if (is_for_others(dir, folder, own)) {
        stick_remove_folder(own);
        return BL_OK;
    }
    stick_path(to, dir, folder, "");
    status = check_folder(to, diag);
    if (status && (status != BL_NOINPUT || !stick_is_in(dir)))
        return status;
    stick_path(to, dir, folder, STICK_RANKS);
    if (!status && unlink(to) && (errno != ENOENT || !stick_is_in(dir)))
        return file_fail(diag, to);
    if (!status && (status = file_sync_name(to, diag)))
        return status;
    stick_path(to, dir, folder, "");
    stick_remove_folder(to);
    stick_remove_folder(own);
    return BL_OK;
}
