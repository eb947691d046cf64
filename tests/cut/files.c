#include "tests/cut/files.h"

#include "tests/support/random.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define OUT        ".out" /* where the stick is while it is pulled */
#define STEPS_MOST 1024
#define PATH_SHORT 256 /* of what a test has */
#define FILES_MOST 512
#define KILLED     99
#define CALLS_MOST 4096

/* One of so many calls is cut; a sanitizer's forks are slow. */
#ifdef __SANITIZE_ADDRESS__
#define CUT_EACH 9
#else
#define CUT_EACH 3
#endif

const char *const cut_name[CUT_KINDS] = {"no cut",
                                         "killed",
                                         "full",
                                         "stick full",
                                         "pulled",
                                         "power lost",
                                         "power lost, not the stick's"};

enum disk { DISK_MACHINE, DISK_STICK, DISKS };
static const char *const roots[DISKS] = {CUT_MACHINE, CUT_STICK};

/* The bytes of a file when it was synced last. */
struct kept {
    ino_t ino;
    enum disk disk;
    char *bytes;
    size_t length;
};

/* A change of a folder that is not synced. */
enum step_kind { STEP_CREATED, STEP_MADE, STEP_REMOVED, STEP_UNLINKED, STEP_RENAMED };
struct step {
    enum step_kind kind;
    enum disk disk;
    char path[PATH_SHORT], from[PATH_SHORT]; /* path "": it is synced */
    bool had;                                /* a file of that name, which went: */
    char *bytes;
    size_t length;
};

static bool counts; /* in the child alone */
static enum cut cut_kind;
static unsigned cut_at;
static bool cut_halves; /* a write stops after half of its bytes, not before them */
static uint64_t seed;
static struct shared {
    unsigned calls;
    bool fails[CALLS_MOST]; /* of the last run that was cut nowhere: by this kind of cut */
} * shared;
static char here[PATH_MAX];
static struct kept kept[FILES_MOST];
static size_t kepts;
static struct step *step;
static size_t steps;

static void die(const char *why)
{
    fprintf(stderr, "cut: %s\n", why);
    abort();
}

/* The path as it is from the current folder; on which disk is it? */
static bool find_disk(const char *path, enum disk *disk, char at[PATH_MAX])
{
    const size_t length = strlen(here);
    if (strncmp(path, here, length) == 0 && path[length] == '/')
        path += length + 1;
    snprintf(at, PATH_MAX, "%s", path);
    for (*disk = 0; *disk < DISKS; ++*disk) {
        const size_t root = strlen(roots[*disk]);
        if (strncmp(at, roots[*disk], root) == 0 && (at[root] == '/' || !at[root]))
            return true;
    }
    *disk = DISK_STICK;
    return strncmp(at, OUT "/", sizeof OUT) == 0;
}

static bool find_open(int fd, enum disk *disk, char at[PATH_MAX])
{
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0)
        return false;
    path[length] = '\0';
    return find_disk(path, disk, at);
}

/* A name in a folder that is open, or below the current one. */
static bool find_in(int fd, const char *name, enum disk *disk, char at[PATH_MAX])
{
    char folder[PATH_MAX], path[PATH_MAX + NAME_MAX + 2];
    if (fd == AT_FDCWD || name[0] == '/')
        return find_disk(name, disk, at);
    if (!find_open(fd, disk, folder))
        return false;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return find_disk(path, disk, at);
}

/* Reads it whole, not through our own calls. */
static char *read_whole(const char *path, size_t *length)
{
    const int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    struct stat info;
    *length = 0;
    if (fd < 0)
        return NULL;
    if (fstat(fd, &info))
        die("fstat");
    char *bytes = malloc((size_t)info.st_size + 1);
    if (!bytes || syscall(SYS_pread64, fd, bytes, info.st_size, 0) != info.st_size)
        die("a file is not read");
    *length = (size_t)info.st_size;
    bytes[*length] = '\0';
    syscall(SYS_close, fd);
    return bytes;
}

static void write_whole(const char *path, const char *bytes, size_t length)
{
    const int fd =
        (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0)
        return; /* its folder is lost as well */
    if (length && syscall(SYS_write, fd, bytes, length) != (long)length)
        die("a file is not written");
    syscall(SYS_close, fd);
}

static struct kept *kept_of(ino_t ino)
{
    for (size_t i = 0; i < kepts; i++)
        if (kept[i].ino == ino)
            return &kept[i];
    return NULL;
}

/* From now on that is what is left of the file. */
static void keep(const char *path, enum disk disk, bool empty)
{
    struct stat info;
    if (stat(path, &info) || !S_ISREG(info.st_mode))
        return;
    struct kept *file = kept_of(info.st_ino);
    if (!file && kepts == FILES_MOST)
        die("too many files");
    if (!file)
        file = &kept[kepts++];
    else
        free(file->bytes);
    *file = (struct kept){.ino = info.st_ino, .disk = disk};
    file->bytes = empty ? strdup("") : read_whole(path, &file->length);
}

/* Before it is changed for the first time: it was synced as it is. */
static void keep_before(const char *path, enum disk disk)
{
    struct stat info;
    if (stat(path, &info) == 0 && !kept_of(info.st_ino))
        keep(path, disk, false);
}

static struct step *add_step(enum step_kind kind, enum disk disk, const char *path)
{
    if (steps == STEPS_MOST)
        die("too many steps");
    struct step *s = &step[steps++];
    memset(s, 0, sizeof *s);
    s->kind = kind;
    s->disk = disk;
    snprintf(s->path, sizeof s->path, "%.255s", path);
    return s;
}

/* The disk's bytes of a file that is about to go. */
static void save(struct step *s, const char *path)
{
    struct stat info;
    if (stat(path, &info))
        return;
    const struct kept *file = kept_of(info.st_ino);
    s->had = true;
    if (file) {
        s->bytes = malloc(file->length + 1);
        memcpy(s->bytes, file->bytes, s->length = file->length);
    } else {
        s->bytes = read_whole(path, &s->length);
    }
}

static bool is_in(const char *path, const char *folder)
{
    const char *slash = strrchr(path, '/');
    const size_t length = strlen(folder);
    return slash && (size_t)(slash - path) == length && memcmp(path, folder, length) == 0;
}

static void sync_at(const char *path, enum disk disk)
{
    struct stat info;
    if (stat(path, &info) == 0 && S_ISREG(info.st_mode))
        keep(path, disk, false);
    else
        for (size_t i = 0; i < steps; i++)
            if (is_in(step[i].path, path))
                step[i].path[0] = '\0';
}

static void undo(const struct step *s)
{
    if (s->kind == STEP_CREATED)
        syscall(SYS_unlinkat, AT_FDCWD, s->path, 0);
    else if (s->kind == STEP_MADE)
        cut_remove(s->path);
    else if (s->kind == STEP_REMOVED)
        syscall(SYS_mkdirat, AT_FDCWD, s->path, 0700);
    else if (s->kind == STEP_RENAMED)
        syscall(SYS_renameat2, AT_FDCWD, s->path, AT_FDCWD, s->from, 0);
    if (s->had)
        write_whole(s->path, s->bytes, s->length);
    if (s->had)
        keep(s->path, s->disk, false);
}

/* Each file of a folder. */
static void walk(const char *folder, enum disk disk, void (*take)(const char *path, enum disk disk))
{
    struct dirent **names;
    const int count = scandir(folder, &names, NULL, NULL);
    for (int i = 0; i < count; i++) {
        char path[PATH_MAX];
        struct stat info;
        snprintf(path, sizeof path, "%.3000s/%s", folder, names[i]->d_name);
        if (strcmp(names[i]->d_name, ".") != 0 && strcmp(names[i]->d_name, "..") != 0 &&
            lstat(path, &info) == 0) {
            if (S_ISDIR(info.st_mode))
                walk(path, disk, take);
            else if (S_ISREG(info.st_mode))
                take(path, disk);
        }
        free(names[i]);
    }
    if (count >= 0)
        free(names);
}

static void forget_one(const char *path, enum disk disk)
{
    struct stat info;
    const struct kept *file = stat(path, &info) == 0 ? kept_of(info.st_ino) : NULL;
    (void)disk;
    if (file)
        write_whole(path, file->bytes, file->length);
}

static void keep_one(const char *path, enum disk disk)
{
    struct stat info;
    if (stat(path, &info) == 0 && kept_of(info.st_ino))
        keep(path, disk, false);
}

static void lose(enum disk disk)
{
    for (size_t i = steps; i-- > 0;)
        if (step[i].disk == disk && step[i].path[0])
            undo(&step[i]);
    walk(roots[disk], disk, forget_one);
}

/* Comes before each call; true: it fails. `grows`: it needs room on its disk. */
static bool strike(enum disk disk, bool grows)
{
    if (!counts)
        return false;
    const unsigned call = ++shared->calls;
    const bool full = cut_kind == CUT_FULL || cut_kind == CUT_STICK_FULL;
    const bool fails =
        !full || (grows && disk == (cut_kind == CUT_FULL ? DISK_MACHINE : DISK_STICK));
    if (cut_at == UINT_MAX && call < CALLS_MOST)
        shared->fails[call] = fails;
    const bool first = call == cut_at;
    if (!cut_at || call < cut_at)
        return false;
    switch (cut_kind) {
    case CUT_FULL:
    case CUT_STICK_FULL:
        errno = ENOSPC;
        return fails;
    case CUT_PULL:
        counts = false;
        if (first)
            lose(DISK_STICK);
        if (first && syscall(SYS_renameat2, AT_FDCWD, CUT_STICK, AT_FDCWD, OUT, 0))
            die("the stick is not there");
        counts = true;
        errno = EIO;
        return disk == DISK_STICK;
    case CUT_KILL:
    case CUT_POWER:
    case CUT_POWER_ONE:
        break;
    case CUT_NOT:
    case CUT_KINDS:
        return false;
    }
    counts = false;
    if (cut_kind != CUT_KILL)
        lose(DISK_MACHINE);
    if (cut_kind == CUT_POWER)
        lose(DISK_STICK);
    _exit(KILLED);
}

/* In the place of the C library's. */

static int open_at(int fd, const char *path, int flags, mode_t mode)
{
    enum disk disk;
    char at[PATH_MAX];
    struct stat info;
    const bool ours = counts && find_in(fd, path, &disk, at);
    const bool makes = ours && flags & O_CREAT && stat(at, &info) != 0;
    if (ours && (makes || flags & O_TRUNC) && strike(disk, true))
        return -1;
    if (ours && flags & (O_WRONLY | O_RDWR) && !makes)
        keep_before(at, disk);
    const int opened = (int)syscall(SYS_openat, fd, path, flags, mode);
    if (opened >= 0 && makes) {
        add_step(STEP_CREATED, disk, at);
        keep(at, disk, true);
    }
    return opened;
}

#define MODE(flags)                                                                                \
    mode_t mode = 0;                                                                               \
    if ((flags) & (O_CREAT | O_TMPFILE)) {                                                         \
        va_list list;                                                                              \
        va_start(list, flags);                                                                     \
        mode = va_arg(list, mode_t);                                                               \
        va_end(list);                                                                              \
    }

int open(const char *path, int flags, ...)
{
    MODE(flags)
    return open_at(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    MODE(flags)
    return open_at(AT_FDCWD, path, flags, mode);
}

int openat(int fd, const char *path, int flags, ...)
{
    MODE(flags)
    return open_at(fd, path, flags, mode);
}

static ssize_t write_at(int fd, const void *bytes, size_t length, off_t offset)
{
    enum disk disk;
    char at[PATH_MAX];
    const bool ours = counts && find_open(fd, &disk, at);
    const bool full = cut_kind == CUT_FULL || cut_kind == CUT_STICK_FULL;
    if (ours && cut_halves && shared->calls + 1 == cut_at && length > 1 && cut_kind != CUT_PULL &&
        (!full || disk == (cut_kind == CUT_FULL ? DISK_MACHINE : DISK_STICK))) {
        if (offset < 0)
            syscall(SYS_write, fd, bytes, length / 2);
        else
            syscall(SYS_pwrite64, fd, bytes, length / 2, offset);
    }
    if (ours && strike(disk, true))
        return -1;
    return offset < 0 ? syscall(SYS_write, fd, bytes, length)
                      : syscall(SYS_pwrite64, fd, bytes, length, offset);
}

ssize_t write(int fd, const void *bytes, size_t length)
{
    return write_at(fd, bytes, length, -1);
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset)
{
    return write_at(fd, bytes, length, offset);
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset)
{
    return write_at(fd, bytes, length, offset);
}

/* A pulled stick has no more to read. */
ssize_t read(int fd, void *bytes, size_t length)
{
    enum disk disk;
    char at[PATH_MAX];
    if (counts && cut_kind == CUT_PULL && find_open(fd, &disk, at) && disk == DISK_STICK &&
        strike(disk, false))
        return -1;
    return syscall(SYS_read, fd, bytes, length);
}

static int sync_open(int fd)
{
    enum disk disk;
    char at[PATH_MAX];
    if (!counts || !find_open(fd, &disk, at))
        return 0;
    if (strike(disk, false))
        return -1;
    sync_at(at, disk);
    return 0;
}

int fsync(int fd)
{
    return sync_open(fd);
}

int fdatasync(int fd)
{
    return sync_open(fd);
}

int syncfs(int fd)
{
    enum disk disk;
    char at[PATH_MAX];
    if (!counts || !find_open(fd, &disk, at))
        return 0;
    if (strike(disk, false))
        return -1;
    for (size_t i = 0; i < steps; i++)
        if (step[i].disk == disk)
            step[i].path[0] = '\0';
    walk(roots[disk], disk, keep_one);
    return 0;
}

int ftruncate(int fd, off_t length)
{
    enum disk disk;
    char at[PATH_MAX];
    if (counts && find_open(fd, &disk, at) && strike(disk, false))
        return -1;
    return (int)syscall(SYS_ftruncate, fd, length);
}

int ftruncate64(int fd, off64_t length)
{
    return ftruncate(fd, length);
}

static int rename_at(const char *from, const char *to, unsigned flags)
{
    enum disk disk;
    char at[PATH_MAX];
    struct step *s = NULL;
    if (counts && find_disk(to, &disk, at)) {
        if (strike(disk, true))
            return -1;
        s = add_step(STEP_RENAMED, disk, at);
        save(s, at);
        find_disk(from, &disk, at);
        snprintf(s->from, sizeof s->from, "%.255s", at);
    }
    const int result = (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, flags);
    if (s && result)
        s->path[0] = '\0';
    return result;
}

int rename(const char *from, const char *to)
{
    return rename_at(from, to, 0);
}

/* Of paths from the current folder alone. */
int renameat2(int from_fd, const char *from, int to_fd, const char *to, unsigned flags)
{
    if (from_fd != AT_FDCWD || to_fd != AT_FDCWD)
        die("renameat2");
    return rename_at(from, to, flags);
}

int unlinkat(int fd, const char *name, int flags)
{
    enum disk disk;
    char at[PATH_MAX];
    struct step *s = NULL;
    if (counts && find_in(fd, name, &disk, at)) {
        if (strike(disk, false))
            return -1;
        s = add_step(flags & AT_REMOVEDIR ? STEP_REMOVED : STEP_UNLINKED, disk, at);
        if (!(flags & AT_REMOVEDIR))
            save(s, at);
    }
    const int result = (int)syscall(SYS_unlinkat, fd, name, flags);
    if (s && result)
        s->path[0] = '\0';
    return result;
}

int unlink(const char *path)
{
    return unlinkat(AT_FDCWD, path, 0);
}

int rmdir(const char *path)
{
    return unlinkat(AT_FDCWD, path, AT_REMOVEDIR);
}

int remove(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0 && S_ISDIR(info.st_mode) ? rmdir(path) : unlink(path);
}

int mkdirat(int fd, const char *path, mode_t mode)
{
    enum disk disk;
    char at[PATH_MAX];
    const bool ours = counts && find_in(fd, path, &disk, at);
    if (ours && strike(disk, true))
        return -1;
    const int result = (int)syscall(SYS_mkdirat, fd, path, mode);
    if (ours && result == 0)
        add_step(STEP_MADE, disk, at);
    return result;
}

int mkdir(const char *path, mode_t mode)
{
    return mkdirat(AT_FDCWD, path, mode);
}

/* The test's side. */

void cut_begin(void)
{
    static char folder[] = "/dev/shm/cut.XXXXXX", other[] = "/tmp/cut.XXXXXX";
    const char *made = mkdtemp(folder);
    if ((!made && !(made = mkdtemp(other))) || chdir(made) || !getcwd(here, sizeof here))
        die("no folder");
    mkdir(CUT_MACHINE, 0700);
    mkdir(CUT_STICK, 0700);
    seed = dice_seed("cut") * CUT_KINDS * 2 * CALLS_MOST;
}

void cut_end(void)
{
    cut_remove(here);
}

static void run_child(bool (*run)(void *ctx), void *ctx)
{
    kepts = steps = 0;
    counts = true;
    const bool good = run(ctx);
    counts = false;
    /* After a sync that nobody asked for: what was said to be done is on the disks. */
    if (good && cut_kind == CUT_POWER && !cut_at) {
        lose(DISK_MACHINE);
        lose(DISK_STICK);
    }
    _exit(good ? 0 : 1);
}

static struct dice dice_at(unsigned number)
{
    return dice_make(seed + (uint64_t)CUT_KINDS * number + cut_kind);
}

enum cut_end cut_run(bool (*run)(void *ctx), void *ctx, enum cut cut, unsigned at, unsigned *calls)
{
    int status;
    if (!shared)
        shared =
            mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (!step)
        step = calloc(STEPS_MOST, sizeof *step);
    if (shared == MAP_FAILED || !step)
        die("no memory");
    shared->calls = 0;
    cut_kind = cut;
    cut_at = at;
    struct dice dice = dice_at(CALLS_MOST + at);
    cut_halves = dice_below(&dice, 2);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
        run_child(run, ctx);
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
        die("the child has crashed");
    if (calls)
        *calls = shared->calls;
    if (at == UINT_MAX && shared->calls >= CALLS_MOST)
        die("too many calls");
    if (access(OUT, F_OK) == 0) {
        cut_remove(CUT_STICK); /* of the folder that a mount would have been on */
        if (syscall(SYS_renameat2, AT_FDCWD, OUT, AT_FDCWD, CUT_STICK, 0))
            die("the stick does not come back");
    }
    if (WEXITSTATUS(status) > 1 && WEXITSTATUS(status) != KILLED)
        die("the child has failed");
    return WEXITSTATUS(status) == KILLED ? CUT_ENDED
           : WEXITSTATUS(status) == 1    ? CUT_FAILED
                                         : CUT_DONE;
}

unsigned cut_next(unsigned at, unsigned calls)
{
    const char *given = getenv("CUT_EACH");
    const unsigned long each = getenv("SOAK") ? 1 : given ? strtoul(given, NULL, 10) : CUT_EACH;
    unsigned found = 0;
    if (!each)
        die("CUT_EACH is no number");
    for (unsigned call = 1; call <= calls; call++) {
        if (!shared->fails[call])
            continue;
        struct dice dice = dice_at(found / each);
        if (call > at && found % each == dice_below(&dice, each))
            return call;
        found++;
    }
    return 0;
}

static void look(const char *folder, const char *but, FILE *out)
{
    struct dirent **names;
    const int count = scandir(folder, &names, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        const char *name = names[i]->d_name;
        const size_t end = but ? strlen(but) : 0, length = strlen(name);
        char path[PATH_MAX], *bytes;
        snprintf(path, sizeof path, "%.3000s/%s", folder, name);
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
            (but && length >= end && strcmp(name + length - end, but) == 0)) {
            free(names[i]);
            continue;
        }
        struct stat info;
        if (lstat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
            look(path, but, out);
        } else if ((bytes = read_whole(path, &(size_t){0}))) {
            fprintf(out, "%s: %s\n", path, bytes);
            free(bytes);
        }
        free(names[i]);
    }
    if (count >= 0)
        free(names);
}

char *cut_look(const char *folder, const char *but)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        die("no memory");
    look(folder, but, out);
    fclose(out);
    return text;
}

static void each(const char *from, const char *to)
{
    struct dirent **names;
    const int count = scandir(from, &names, NULL, NULL);
    for (int i = 0; i < count; i++) {
        char path[PATH_MAX], other[PATH_MAX], *bytes;
        struct stat info;
        size_t length;
        snprintf(path, sizeof path, "%.3000s/%s", from, names[i]->d_name);
        snprintf(other, sizeof other, "%.3000s/%s", to ? to : "", names[i]->d_name);
        if (strcmp(names[i]->d_name, ".") != 0 && strcmp(names[i]->d_name, "..") != 0 &&
            lstat(path, &info) == 0) {
            if (to && S_ISDIR(info.st_mode)) {
                cut_copy(path, other);
            } else if (to && (bytes = read_whole(path, &length))) {
                write_whole(other, bytes, length);
                free(bytes);
            } else if (S_ISDIR(info.st_mode)) {
                cut_remove(path);
            } else {
                syscall(SYS_unlinkat, AT_FDCWD, path, 0);
            }
        }
        free(names[i]);
    }
    if (count >= 0)
        free(names);
}

void cut_remove(const char *folder)
{
    each(folder, NULL);
    syscall(SYS_unlinkat, AT_FDCWD, folder, AT_REMOVEDIR);
}

void cut_copy(const char *from, const char *to)
{
    cut_remove(to);
    syscall(SYS_mkdirat, AT_FDCWD, to, 0700);
    each(from, to);
}

void cut_put(const char *path, const void *bytes, size_t length)
{
    char folder[PATH_MAX];
    for (const char *at = path; (at = strchr(at, '/')); at++) {
        snprintf(folder, sizeof folder, "%.*s", (int)(at - path), path);
        mkdir(folder, 0700);
    }
    FILE *file = fopen(path, "w");
    if (!file || fwrite(bytes, 1, length, file) != length || fclose(file))
        die(path);
}
