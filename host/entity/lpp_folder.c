#include "entity/lpp_folder.h"

#include "base/loop.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <unistd.h>

#define TAKEN         ".taken"
#define LOCK_TRIES    100
#define LOCK_EVERY_US 10000u

/* File systems without events of other machines' changes. Numbers: statfs(2). */
static const struct {
    uint32_t type;
    const char *name;
} shares[] = {
    {0x6969, "NFS"},        {0x517B, "SMB"},      {0xFF534D42, "CIFS"}, {0xFE534D42, "SMB2"},
    {0x01021997, "9P"},     {0x564C, "NCP"},      {0x73757245, "Coda"}, {0x5346414F, "AFS"},
    {0x786F4256, "vboxsf"}, {0x65735546, "FUSE"}, {0x00C36400, "Ceph"},
};

static const char *share_name(int fd)
{
    struct statfs info;
    if (fstatfs(fd, &info))
        return NULL;
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++)
        if ((uint32_t)info.f_type == shares[i].type)
            return shares[i].name;
    return NULL;
}

static bool add_watch(struct lpp_folder *folder)
{
    const uint32_t wanted = IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_MOVED_FROM | IN_DELETE_SELF |
                            IN_MOVE_SELF | IN_ONLYDIR;
    char self[40];
    snprintf(self, sizeof self, "/proc/self/fd/%d", folder->fd);
    folder->watch = inotify_add_watch(folder->watch_fd, self, wanted);
    return folder->watch >= 0;
}

static void begin_watch(struct lpp_folder *folder)
{
    const char *share = share_name(folder->fd);
    if (share) {
        snprintf(folder->watch_why, sizeof folder->watch_why,
                 "it is on a network share (%s), which does not tell of changes", share);
        return;
    }
    folder->watch_fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (folder->watch_fd >= 0 && add_watch(folder))
        return;
    snprintf(folder->watch_why, sizeof folder->watch_why, "the system does not watch it: %s",
             errno == ENOSPC   ? "fs.inotify.max_user_watches is used up"
             : errno == EMFILE ? "fs.inotify.max_user_instances is used up"
                               : strerror(errno));
    if (folder->watch_fd >= 0)
        close(folder->watch_fd);
    folder->watch_fd = -1;
}

static enum bl_status fail(struct lpp_folder *folder, enum bl_status status, struct bl_diag *diag,
                           const char *what)
{
    lpp_folder_leave(folder);
    return bl_fail(diag, status, "%s: %s", folder->path, what);
}

static enum bl_status open_path(struct lpp_folder *folder, struct bl_diag *diag)
{
    char shown[40];
    snprintf(shown, sizeof shown, "/proc/self/fd/%d", folder->shown);
    folder->fd =
        open(folder->shown >= 0 ? shown : folder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder->fd < 0) {
        switch (errno) {
        case ENOENT:
            return fail(folder, BL_NOINPUT, diag,
                        "this folder is not there; make it, or name the one that the Entry has");
        case ENOTDIR:
            return fail(folder, BL_USAGE, diag,
                        "is no folder; expected the one that the Entry has");
        case EACCES:
            return fail(folder, BL_NOPERM, diag, "this user may not read the folder");
        default:
            return fail(folder, BL_IO, diag, strerror(errno));
        }
    }
    if (faccessat(folder->fd, ".", W_OK | X_OK, AT_EACCESS))
        return fail(folder, BL_NOPERM, diag,
                    errno == EROFS ? "the folder can only be read; keys are made and removed in it"
                                   : "this user may not make and remove names in the folder");
    folder->hand = openat(folder->fd, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    return folder->hand >= 0 ? BL_OK : fail(folder, BL_IO, diag, strerror(errno));
}

/* Waits for one more try for a lock. False: the tries have lasted a second. */
static bool once_more(unsigned *tries)
{
    if ((*tries)++ == LOCK_TRIES)
        return false;
    bl_sleep_until(bl_mono_us() + LOCK_EVERY_US);
    return true;
}

bool lpp_folder_lock(int fd, bool waits)
{
    unsigned tries = 0;
    while (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        if (!waits || !once_more(&tries))
            return false;
    return true;
}

static enum bl_status lock_judge(struct lpp_folder *folder, bool waits, struct bl_diag *diag)
{
    if (!lpp_folder_lock(folder->fd, waits))
        return fail(folder, BL_BUSY, diag, "another terminal of boothlink has this folder");
    return BL_OK;
}

/* Locks a folder for the Entry's side. The judge's side uses the folder's own lock. The Entry's
 * lock is a socket's abstract name, which ends with its process. */
static enum bl_status lock_entry(struct lpp_folder *folder, bool waits, struct bl_diag *diag)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    struct stat info;
    unsigned tries = 0;
    int length;
    if (fstat(folder->fd, &info))
        return fail(folder, BL_IO, diag, strerror(errno));
    length = snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "boothlink-lpp-entry-%jx-%jx",
                      (uintmax_t)info.st_dev, (uintmax_t)info.st_ino);
    folder->lock = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    while (folder->lock >= 0) {
        if (bind(folder->lock, (const struct sockaddr *)&name,
                 (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length)) == 0)
            return BL_OK;
        if (errno != EADDRINUSE || !waits || !once_more(&tries))
            break;
    }
    return errno == EADDRINUSE
               ? fail(folder, BL_BUSY, diag, "another terminal of boothlink is the Entry here")
               : fail(folder, BL_IO, diag, strerror(errno));
}

static enum bl_status open_locked(struct lpp_folder *folder, bool waits, struct bl_diag *diag)
{
    enum bl_status status = open_path(folder, diag);
    if (status)
        return status;
    return folder->as_entry ? lock_entry(folder, waits, diag) : lock_judge(folder, waits, diag);
}

static enum bl_status open_folder(struct lpp_folder *folder, const char *path, int shown,
                                  bool watch, bool as_entry, struct bl_diag *diag)
{
    enum bl_status status;
    folder->fd = folder->hand = folder->watch_fd = folder->watch = folder->lock = -1;
    folder->shown = shown;
    folder->as_entry = as_entry;
    folder->watch_why[0] = '\0';
    if (snprintf(folder->path, sizeof folder->path, "%s", path) >= (int)sizeof folder->path)
        return bl_fail(diag, BL_USAGE, "the folder's name is longer than %d bytes", PATH_MAX - 1);
    status = open_locked(folder, true, diag);
    if (!status && watch)
        begin_watch(folder);
    else if (!status)
        snprintf(folder->watch_why, sizeof folder->watch_why, "--lpp-scan asks for looking");
    return status;
}

enum bl_status lpp_folder_open(struct lpp_folder *folder, const char *path, int shown, bool watch,
                               struct bl_diag *diag)
{
    return open_folder(folder, path, shown, watch, false, diag);
}

enum bl_status lpp_folder_enter(struct lpp_folder *folder, const char *path, bool watch,
                                struct bl_diag *diag)
{
    return open_folder(folder, path, -1, watch, true, diag);
}

void lpp_folder_leave(struct lpp_folder *folder)
{
    if (folder->watch_fd >= 0 && folder->watch >= 0)
        inotify_rm_watch(folder->watch_fd, folder->watch);
    if (folder->fd >= 0)
        close(folder->fd);
    if (folder->hand >= 0)
        close(folder->hand);
    if (folder->lock >= 0)
        close(folder->lock);
    folder->fd = folder->hand = folder->watch = folder->lock = -1;
}

enum bl_status lpp_folder_return(struct lpp_folder *folder, struct bl_diag *diag)
{
    enum bl_status status = open_locked(folder, false, diag);
    if (!status && folder->watch_fd >= 0 && !add_watch(folder))
        status = fail(folder, BL_IO, diag, strerror(errno));
    return status;
}

void lpp_folder_close(struct lpp_folder *folder)
{
    lpp_folder_leave(folder);
    if (folder->watch_fd >= 0)
        close(folder->watch_fd);
    folder->watch_fd = -1;
}

static uint64_t to_ns(struct statx_timestamp t)
{
    return (uint64_t)t.tv_sec * 1000000000u + t.tv_nsec;
}

enum lpp_thing lpp_folder_look(const struct lpp_folder *folder, const char *name, uint64_t *inode,
                               uint64_t *born_ns)
{
    struct statx info;
    *inode = *born_ns = 0;
    if (statx(folder->fd, name, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT,
              STATX_BASIC_STATS | STATX_BTIME, &info))
        return LPP_GONE;
    *inode = info.stx_ino;
    *born_ns = to_ns(info.stx_mask & STATX_BTIME ? info.stx_btime : info.stx_mtime);
    return S_ISDIR(info.stx_mode) ? LPP_DIRECTORY : S_ISREG(info.stx_mode) ? LPP_FILE : LPP_STRANGE;
}

bool lpp_folder_scan(const struct lpp_folder *folder, void (*each)(void *ctx, const char *name),
                     void *ctx)
{
    _Alignas(struct dirent64) char room[32768];
    ssize_t length = 0;
    if (lseek(folder->fd, 0, SEEK_SET) < 0)
        return false;
    while ((length = getdents64(folder->fd, room, sizeof room)) > 0) {
        for (ssize_t at = 0; at < length;) {
            const struct dirent64 *entry = (const struct dirent64 *)(const void *)(room + at);
            if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
                each(ctx, entry->d_name);
            at += entry->d_reclen;
        }
    }
    return length == 0;
}

bool lpp_folder_changes(const struct lpp_folder *folder,
                        void (*change)(void *ctx, enum lpp_change change, const char *name),
                        void *ctx)
{
    _Alignas(struct inotify_event) char room[4096]; /* some 60 names at a time: due keys go in
                                                     * between */
    ssize_t length = read(folder->watch_fd, room, sizeof room);
    if (length <= 0)
        return false;
    for (ssize_t at = 0; at < length;) {
        const struct inotify_event *event = (const struct inotify_event *)(const void *)(room + at);
        const char *name = event->len ? event->name : "";
        if (event->mask & IN_Q_OVERFLOW)
            change(ctx, LPP_OVERFLOW, "");
        else if (event->wd != folder->watch)
            ; /* an event of a folder given up before */
        else if (event->mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED))
            change(ctx, LPP_LOST, "");
        else if (event->mask & (IN_CREATE | IN_MOVED_TO))
            change(ctx, LPP_CAME, name);
        else if (event->mask & (IN_DELETE | IN_MOVED_FROM))
            change(ctx, LPP_WENT, name);
        at += (ssize_t)(sizeof *event + event->len);
    }
    return true;
}

enum bl_status lpp_folder_make(const struct lpp_folder *folder, const char *name)
{
    return mkdirat(folder->fd, name, 0777) == 0 || errno == EEXIST ? BL_OK : BL_IO;
}

enum bl_status lpp_folder_remove(const struct lpp_folder *folder, const char *name)
{
    char taken[NAME_MAX + 1];
    int why;
    if (unlinkat(folder->fd, name, AT_REMOVEDIR) == 0 || errno == ENOENT)
        return BL_OK;
    if (errno == ENOTDIR && (unlinkat(folder->fd, name, 0) == 0 || errno == ENOENT))
        return BL_OK;
    why = errno;
    if (snprintf(taken, sizeof taken, "%s%s", name, TAKEN) < (int)sizeof taken &&
        renameat(folder->fd, name, folder->fd, taken) == 0)
        return BL_OK;
    errno = why;
    return BL_IO;
}

uint64_t lpp_folder_changed_ns(const struct lpp_folder *folder)
{
    struct statx info;
    if (statx(folder->fd, "", AT_EMPTY_PATH, STATX_MTIME, &info))
        return 0;
    return to_ns(info.stx_mtime);
}
