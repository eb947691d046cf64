/* The file systems of a sandbox. */
#include "entity/relay.h"
#include "entity/sandbox_private.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/* The stage: a file system in memory for all written files. It is larger than the sandbox's limit,
 * so that a program over the limit is caught before the disk is full. */
#define STAGE             "/tmp"
#define STAGE_HOW         "size=%um,nr_inodes=100k,mode=0755"
#define STAGE_MIB(memory) ((memory) + 512)
#define ELSEWHERE         "/tmp/elsewhere/entry"

#define RESOLVER "nameserver 10.0.0.1\noptions timeout:1 attempts:1\n"

/* Folders of the stage, and their final mount points. */
static const struct {
    const char *name;
    mode_t mode;
    const char *place; /* NULL: not shown to the command, or mounted elsewhere in this file */
    bool own;          /* belongs to the command's user */
} stage_folders[] = {
    {"upper", 0755, NULL, true},   {"work", 0755, NULL, false},
    {"lower", 0755, NULL, false},  {"folder", 0755, NULL, true},
    {"home", 0755, NULL, true},    {"empty", 0555, NULL, false},
    {"top", 0755, NULL, false},    {"dev", 0755, "/dev", false},
    {"run", 0755, "/run", true},   {"vartmp", 01777, "/var/tmp", false},
    {"tmp", 01777, "/tmp", false}, {"shm", 01777, "/dev/shm", false},
    {"shown", 0755, NULL, false},  {"beside", 0755, NULL, false},
};
#define FOLDERS (sizeof stage_folders / sizeof stage_folders[0])

/* The machine's installed files that a sandbox shows. They are overlays, since a read-only mount
 * stops neither connecting to a socket nor writing to a FIFO. */
static const char *const shown[] = {"/usr", "/etc",   "/opt",   "/bin",   "/sbin",
                                    "/lib", "/lib32", "/lib64", "/libx32"};
#define SHOWN (sizeof shown / sizeof shown[0])

/* Folders of Entries are in OPT, at a venue in ENTRIES. An Entry must not read another Entry's
 * folder. */
#define OPT     "/opt"
#define ENTRIES "/opt/entries"

static bool is_under(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || !path[length]);
}

bool sandbox_shows(const char *path)
{
    for (size_t i = 0; i < SHOWN; i++)
        if (is_under(path, shown[i]))
            return true;
    return false;
}

/* Makes a folder and the folders above it. A failure shows when the folder is used. */
static void folders_make(const char *path)
{
    char part[PATH_MAX];
    snprintf(part, sizeof part, "%s", path);
    for (char *slash = part + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(part, 0755);
        *slash = '/';
    }
    mkdir(part, 0755);
}

/* Returns an unplaced mount of the tree at a path. */
static int tree_take(int folder, const char *path)
{
    return open_tree(folder, path,
                     OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE |
                         (*path ? 0 : AT_EMPTY_PATH));
}

static int tree_guarded(int folder, const char *path)
{
    struct mount_attr guard = {.attr_set =
                                   MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV};
    int tree = tree_take(folder, path);
    if (tree >= 0 && mount_setattr(tree, "", AT_EMPTY_PATH | AT_RECURSIVE, &guard, sizeof guard)) {
        close(tree);
        return -1;
    }
    return tree;
}

static int tree_plain(const char *path)
{
    struct mount_attr plain = {.attr_set =
                                   MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC};
    int tree = tree_take(AT_FDCWD, path);
    if (tree >= 0 && mount_setattr(tree, "", AT_EMPTY_PATH, &plain, sizeof plain)) {
        close(tree);
        return -1;
    }
    return tree;
}

static bool tree_put(int tree, const char *place)
{
    bool good = tree >= 0 && move_mount(tree, "", AT_FDCWD, place, MOVE_MOUNT_F_EMPTY_PATH) == 0;
    int error = errno;
    if (tree >= 0)
        close(tree);
    errno = error;
    return good;
}

static bool file_write(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    bool good = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    if (fd >= 0)
        close(fd);
    return good;
}

static bool overlay_mount(int lower, const char *upper, const char *work, const char *place)
{
    char text[256];
    /* A folder's name may have the separators of mount options; a descriptor's path has none. */
    snprintf(text, sizeof text,
             "lowerdir=/proc/self/fd/%d,upperdir=" STAGE "/%s,workdir=" STAGE "/%s,userxattr",
             lower, upper, work);
    return mount("overlay", place, "overlay", MS_NOSUID | MS_NODEV, text) == 0;
}

static bool command_wait(const char *path, char *const *argv)
{
    extern char **environ;
    int status;
    pid_t pid;
    return posix_spawn(&pid, path, NULL, NULL, argv, environ) == 0 &&
           waitpid(pid, &status, 0) == pid && status == 0;
}

/* Copies the folder, if no overlay can be mounted for the command's user. */
static bool folder_copy(int lower, char *to, const struct sandbox_page *page)
{
    static char cp[] = "cp", how[] = "-dR", kept[] = "--preserve=mode,timestamps,links,xattr";
    static char chown_name[] = "chown", deep[] = "-hR", end[] = "--";
    char from[64], owner[32];
    char *const copy[] = {cp, how, kept, end, from, to, NULL};
    char *const give[] = {chown_name, deep, end, owner, to, NULL};
    snprintf(from, sizeof from, "/proc/self/fd/%d/.", lower);
    snprintf(owner, sizeof owner, "%u:%u", page->entry_uid, page->entry_gid);
    fcntl(lower, F_SETFD, 0);
    return command_wait("/bin/cp", copy) &&
           (page->entry_uid == page->uid || command_wait("/bin/chown", give));
}

/* Makes the folder on the stage: writable, and owned by the command's user. */
static bool folder_make(const struct sandbox_options *o, int lower, bool *overlay,
                        struct sandbox_page *page)
{
    static char to[] = STAGE "/folder";
    bool exchanged = page->lower >= 0 && tree_put(page->lower, STAGE "/lower");
    bool as_it_is = page->entry_uid == page->uid;
    int owned = exchanged ? open(STAGE "/lower", O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
    *overlay =
        (exchanged || as_it_is) && overlay_mount(exchanged ? owned : lower, "upper", "work", to);
    if (owned >= 0)
        close(owned);
    return *overlay || folder_copy(lower, to, page) ||
           sandbox_failed(page, "a copy of its folder %.100s", o->folder);
}

static bool devices_make(const struct sandbox_options *o, int device, struct sandbox_page *page)
{
    static const char *const devices[] = {"null", "zero", "full", "random", "urandom", "tty"};
    static const char *const links[][2] = {{"/proc/self/fd", STAGE "/dev/fd"},
                                           {"fd/0", STAGE "/dev/stdin"},
                                           {"fd/1", STAGE "/dev/stdout"},
                                           {"fd/2", STAGE "/dev/stderr"},
                                           {"pts/ptmx", STAGE "/dev/ptmx"}};
    char from[PATH_MAX], to[PATH_MAX], how[80];
    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++) {
        snprintf(from, sizeof from, "/dev/%s", devices[i]);
        snprintf(to, sizeof to, STAGE "/dev/%s", devices[i]);
        if (!file_write(to, "") || mount(from, to, NULL, MS_BIND, NULL))
            return sandbox_failed(page, "%s", from);
    }
    if (o->device) {
        snprintf(to, sizeof to, STAGE "%s", o->device_as);
        snprintf(from, sizeof from, "/proc/self/fd/%d", device);
        if (!file_write(to, "") || mount(from, to, NULL, MS_BIND, NULL))
            return sandbox_failed(page, "%s", o->device);
    }
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++)
        if (symlink(links[i][0], links[i][1]))
            return sandbox_failed(page, "%s", links[i][1]);
    snprintf(how, sizeof how, "newinstance,ptmxmode=0666,mode=0620,uid=%u", page->entry_uid);
    if (mkdir(STAGE "/dev/pts", 0755) || mkdir(STAGE "/dev/shm", 01777) ||
        mount("devpts", STAGE "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC, how))
        return sandbox_failed(page, "terminals");
    return true;
}

static int way_make(const struct sandbox_page *page)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX, .sun_path = STAGE RELAY_PLACE};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&at, sizeof at) ||
        chown(at.sun_path, page->entry_uid, page->entry_gid) || chmod(at.sun_path, 0600) ||
        listen(fd, 8)) {
        if (fd >= 0)
            close(fd);
        return -1;
    }
    return fd;
}

static bool stage_make(const struct sandbox_options *o, struct sandbox_page *page)
{
    char path[64], how[64];
    snprintf(how, sizeof how, STAGE_HOW, STAGE_MIB(o->memory_mib));
    if (mount("stage", STAGE, "tmpfs", MS_NOSUID | MS_NODEV, how))
        return sandbox_failed(page, "a file system in memory");
    for (size_t i = 0; i < FOLDERS; i++) {
        snprintf(path, sizeof path, STAGE "/%s", stage_folders[i].name);
        if (mkdir(path, 0700) || chmod(path, stage_folders[i].mode) ||
            (stage_folders[i].own && chown(path, page->entry_uid, page->entry_gid)))
            return sandbox_failed(page, "%s", path);
    }
    if (!file_write(STAGE "/resolv.conf", RESOLVER))
        return sandbox_failed(page, STAGE "/resolv.conf");
    if (!file_write(STAGE "/nothing", "") || chmod(STAGE "/nothing", 0444))
        return sandbox_failed(page, STAGE "/nothing");
    return true;
}

/* Puts our resolv.conf in place, which sends the command's look-ups to us. resolver: the real path
 * of /etc/resolv.conf; "": none is put in place. */
static void resolver_put(const char *resolver, int tree)
{
    char folder[PATH_MAX];
    char *slash;
    if (*resolver && is_under(resolver, "/run")) {
        snprintf(folder, sizeof folder, "%s", resolver);
        slash = strrchr(folder, '/');
        *slash = '\0';
        folders_make(folder);
        file_write(resolver, RESOLVER);
    } else if (*resolver) {
        tree_put(tree, resolver);
        return;
    }
    if (tree >= 0)
        close(tree);
}

/* True if another file system is mounted below the path. An overlay would lack it. */
static bool has_mounts(const char *path)
{
    char line[2 * PATH_MAX], place[PATH_MAX];
    bool found = false;
    FILE *mounts = fopen("/proc/self/mountinfo", "re");
    while (mounts && !found && fgets(line, sizeof line, mounts))
        found = sscanf(line, "%*s %*s %*s %*s %4095s", place) == 1 && strcmp(place, path) != 0 &&
                is_under(place, path);
    if (mounts)
        fclose(mounts);
    return found || !mounts;
}

/* Returns a mount of the installed tree at a path: an overlay, or with *overlaid false the tree
 * itself. */
static int tree_installed(const char *path, bool *overlaid)
{
    char text[128];
    *overlaid = false;
    snprintf(text, sizeof text, "lowerdir=" STAGE "/empty:%s,userxattr", path);
    if (has_mounts(path) ||
        mount("overlay", STAGE "/shown", "overlay", MS_RDONLY | MS_NOSUID | MS_NODEV, text))
        return tree_guarded(AT_FDCWD, path);
    *overlaid = true;
    int tree = tree_guarded(AT_FDCWD, STAGE "/shown");
    umount2(STAGE "/shown", MNT_DETACH);
    return tree;
}

/* The mounts that are placed at the end, when the stage is out of reach. */
struct trees {
    int folder, home, resolver, proc, root, lpp, place[FOLDERS], shown[SHOWN];
    int empty, nothing; /* an empty folder and an empty file, to cover hidden paths */
    int beside;         /* empty folders down to the Entry's own */
    bool overlaid[SHOWN];
};

/* Makes the mount points in the new root, and takes the trees for them. */
static bool root_make(struct trees *trees, struct sandbox_page *page)
{
    char path[PATH_MAX], target[PATH_MAX];
    for (size_t i = 0; i < SHOWN; i++) {
        struct stat found;
        trees->shown[i] = -1;
        if (lstat(shown[i], &found))
            continue;
        snprintf(path, sizeof path, STAGE "/top%s", shown[i]);
        if (S_ISLNK(found.st_mode)) {
            ssize_t length = readlink(shown[i], target, sizeof target - 1);
            target[length > 0 ? length : 0] = '\0';
            if (symlink(target, path))
                return sandbox_failed(page, "%s", path);
            continue;
        }
        trees->shown[i] = tree_installed(shown[i], &trees->overlaid[i]);
        if (trees->shown[i] < 0 || mkdir(path, 0755))
            return sandbox_failed(page, "%s", shown[i]);
    }
    for (size_t i = 0; i < FOLDERS; i++)
        if (stage_folders[i].place) {
            snprintf(path, sizeof path, STAGE "/top%s", stage_folders[i].place);
            folders_make(path);
        }
    folders_make(STAGE "/top/proc");
    trees->proc = tree_take(AT_FDCWD, "/proc");
    trees->root = tree_take(AT_FDCWD, STAGE "/top");
    return (trees->proc >= 0 && trees->root >= 0) || sandbox_failed(page, "a root of its own");
}

/* Changes to the new root. The old root stays at /old until root_close(). */
static bool root_enter(const struct trees *trees, struct sandbox_page *page)
{
    if (!tree_put(trees->root, STAGE "/top") || chdir(STAGE "/top") || mkdir("old", 0700) ||
        syscall(SYS_pivot_root, ".", "old") || chdir("/"))
        return sandbox_failed(page, "a root of its own");
    for (size_t i = 0; i < SHOWN; i++)
        if (trees->shown[i] >= 0 && !tree_put(trees->shown[i], shown[i]))
            return sandbox_failed(page, "%s", shown[i]);
    return tree_put(trees->proc, "/proc") || sandbox_failed(page, "/proc");
}

/* Unmounts the old root, and makes the new root read-only. */
static bool root_close(struct sandbox_page *page)
{
    struct mount_attr guard = {.attr_set = MOUNT_ATTR_RDONLY};
    if (umount2("/old", MNT_DETACH) || rmdir("/old") ||
        mount_setattr(AT_FDCWD, "/", 0, &guard, sizeof guard))
        return sandbox_failed(page, "a root of its own");
    return true;
}

static void hide(int empty, const char *place)
{
    struct stat found;
    if (stat(place, &found) == 0 && S_ISDIR(found.st_mode))
        tree_put(tree_guarded(empty, ""), place);
}

/* Arguments of secret_hide() and socket_hide(): nftw() passes none. */
static struct {
    int nothing, empty;
    bool failed;
} secrets;

static int secret_hide(const char *path, const struct stat *found, int type, struct FTW *at)
{
    (void)at;
    if (type == FTW_D || type == FTW_DNR) {
        if ((found->st_mode & 05) == 05)
            return FTW_CONTINUE;
        secrets.failed |= !tree_put(tree_guarded(secrets.empty, ""), path);
        return FTW_SKIP_SUBTREE;
    }
    if (type == FTW_F && !(found->st_mode & S_IROTH))
        secrets.failed |= !tree_put(tree_guarded(secrets.nothing, ""), path);
    return FTW_CONTINUE;
}

/* Covers files in /etc that not everybody may read, such as password hashes and private keys. */
static bool secrets_hide(int empty, int nothing, struct sandbox_page *page)
{
    secrets.empty = empty;
    secrets.nothing = nothing;
    secrets.failed = false;
    if (nftw("/etc", secret_hide, 16, FTW_PHYS | FTW_ACTIONRETVAL) < 0 || secrets.failed)
        return sandbox_failed(page, "what is secret in /etc");
    tree_put(tree_guarded(nothing, ""), "/proc/keys");
    tree_put(tree_guarded(nothing, ""), "/proc/key-users");
    return true;
}

/* Covers a socket or FIFO of a tree that is no overlay. */
static int socket_hide(const char *path, const struct stat *found, int type, struct FTW *at)
{
    (void)at;
    if (type == FTW_F && (S_ISSOCK(found->st_mode) || S_ISFIFO(found->st_mode)))
        secrets.failed |= !tree_put(tree_guarded(secrets.nothing, ""), path);
    return FTW_CONTINUE;
}

static bool sockets_hide(const struct trees *trees, struct sandbox_page *page)
{
    for (size_t i = 0; i < SHOWN; i++)
        if (trees->shown[i] >= 0 && !trees->overlaid[i] &&
            (nftw(shown[i], socket_hide, 16, FTW_PHYS | FTW_ACTIONRETVAL) < 0 || secrets.failed))
            return sandbox_failed(page, "sockets in %s", shown[i]);
    return true;
}

/* The folder above the Entry's folder that may have other Entries; NULL: none. */
static const char *others_place(const char *folder, char above[PATH_MAX])
{
    if (strcmp(folder, ENTRIES) != 0 && is_under(folder, ENTRIES))
        return ENTRIES;
    if (strcmp(folder, OPT) == 0 || !is_under(folder, OPT))
        return NULL;
    snprintf(above, PATH_MAX, "%s", folder);
    *strrchr(above, '/') = '\0';
    return above;
}

/* Hides other Entries: the folder above the Entry's own has only the way to it. */
static bool others_hide(const struct sandbox_options *o, const struct trees *trees,
                        struct sandbox_page *page)
{
    char above[PATH_MAX];
    const char *place = others_place(o->folder, above);
    if (place && !tree_put(tree_guarded(trees->beside, ""), place))
        return sandbox_failed(page, "other Entries at %.100s", place);
    if (!is_under(o->folder, ENTRIES) && !is_under(ENTRIES, o->folder))
        hide(trees->empty, ENTRIES);
    return true;
}

/* Makes empty folders on the stage for the way from others_place() to the Entry's folder. */
static void beside_make(const struct sandbox_options *o)
{
    char above[PATH_MAX], path[2 * PATH_MAX];
    const char *place = others_place(o->folder, above);
    snprintf(path, sizeof path, STAGE "/beside%s", place ? o->folder + strlen(place) : "");
    folders_make(path);
}

static bool trees_put(const struct sandbox_options *o, const struct trees *trees, const char *home,
                      struct sandbox_mounts *mounts, struct sandbox_page *page)
{
    if (!root_enter(trees, page) || !secrets_hide(trees->empty, trees->nothing, page) ||
        !sockets_hide(trees, page) || !others_hide(o, trees, page))
        return false;
    for (size_t i = 0; i < FOLDERS; i++)
        if (stage_folders[i].place && !tree_put(trees->place[i], stage_folders[i].place))
            return sandbox_failed(page, "%s", stage_folders[i].place);
    if (o->moved) {
        hide(trees->empty, o->folder);
        folders_make("/tmp/home");
        if (chown("/tmp/home", page->entry_uid, page->entry_gid))
            return sandbox_failed(page, "its home");
        snprintf(mounts->path, sizeof mounts->path, ELSEWHERE);
    } else {
        bool vacant = access(home, F_OK) != 0; /* no installed file is at the home's path */
        if (vacant)
            folders_make(home);
        if (vacant && !tree_put(trees->home, home))
            return sandbox_failed(page, "its home %.100s", home);
        snprintf(mounts->path, sizeof mounts->path, "%s", o->folder);
    }
    folders_make(mounts->path);
    if (!tree_put(trees->folder, mounts->path))
        return sandbox_failed(page, "its folder at %.100s", mounts->path);
    return true;
}

/* Covers the hidden paths. A path inside the folder has moved with it. */
static bool hidden_cover(const struct sandbox_options *o, const struct trees *trees,
                         const char *folder, struct sandbox_page *page)
{
    char path[2 * PATH_MAX];
    struct stat found;
    for (const char *const *hidden = o->hidden; hidden && *hidden; hidden++) {
        bool inside = is_under(*hidden, o->folder);
        snprintf(path, sizeof path, "%s%s", inside ? folder : "",
                 *hidden + (inside ? strlen(o->folder) : 0));
        /* The path is a folder above the Entry's own, and must not be covered. */
        if (is_under(folder, path) || lstat(path, &found))
            continue;
        if (!tree_put(tree_guarded(S_ISDIR(found.st_mode) ? trees->empty : trees->nothing, ""),
                      path))
            return sandbox_failed(page, "what is hidden at %.100s", path);
    }
    return true;
}

/* Makes the folder for LPP. A path in the Entry's folder moves with that folder. */
static int lpp_make(const struct sandbox_options *o, int from, const char *folder)
{
    char path[2 * PATH_MAX];
    const char *rest = o->lpp;
    if (is_under(rest, o->folder))
        rest += strlen(o->folder);
    if (*o->lpp == '/' && rest == o->lpp)
        folder = "";
    snprintf(path, sizeof path, "%s%s%s", folder, *rest == '/' || !*rest ? "" : "/", rest);
    folders_make(path);
    if (o->lpp_from ? !tree_put(from, path)
                    : mount("lpp", path, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC,
                            "size=64m,mode=0777") != 0)
        return -1;
    return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

bool sandbox_mount(const struct sandbox_options *o, struct sandbox_mounts *mounts,
                   struct sandbox_page *page)
{
    struct mount_attr guard = {.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID};
    bool overlay;
    int lower, device;
    struct trees trees = {.home = -1, .resolver = -1, .lpp = -1, .proc = -1, .root = -1};
    char resolver[PATH_MAX] = "", path[64];
    const char *home = getenv("HOME");
    if (!home || home[0] != '/' || !home[1] || strlen(home) >= PATH_MAX)
        home = "/root";
    if (!realpath("/etc/resolv.conf", resolver))
        resolver[0] = '\0';
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
        return sandbox_failed(page, "mounts of its own");
    if (o->lpp_from)
        trees.lpp = tree_plain(o->lpp_from);
    /* Opened before the stage hides it. */
    device = o->device ? open(o->device, O_PATH | O_CLOEXEC) : -1;
    lower = open(o->folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (lower < 0)
        return sandbox_failed(page, "its folder %.100s", o->folder);
    if (mount_setattr(AT_FDCWD, "/", AT_RECURSIVE, &guard, sizeof guard))
        return sandbox_failed(page, "read-only file systems");
    if (!stage_make(o, page))
        return false;
    if (!folder_make(o, lower, &overlay, page))
        return false;
    close(lower);
    if (!devices_make(o, device, page))
        return false;
    mounts->way = o->net == SANDBOX_NET_SERVER ? way_make(page) : -1;
    if (o->net == SANDBOX_NET_SERVER && mounts->way < 0)
        return sandbox_failed(page, "a socket at " RELAY_PLACE);
    if (device >= 0)
        close(device);
    if (mount("proc", "/proc", "proc", MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL))
        return sandbox_failed(page, "/proc");
    if (!root_make(&trees, page))
        return false;
    trees.folder = tree_take(AT_FDCWD, STAGE "/folder");
    trees.home = o->moved ? -1 : tree_take(AT_FDCWD, STAGE "/home");
    trees.resolver = tree_guarded(AT_FDCWD, STAGE "/resolv.conf");
    for (size_t i = 0; i < FOLDERS; i++) {
        snprintf(path, sizeof path, STAGE "/%s", stage_folders[i].name);
        trees.place[i] = stage_folders[i].place ? tree_take(AT_FDCWD, path) : -1;
    }
    mounts->stage = open(STAGE, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    mounts->written = overlay ? open(STAGE "/upper", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    trees.empty = open(STAGE "/empty", O_PATH | O_DIRECTORY | O_CLOEXEC);
    trees.nothing = open(STAGE "/nothing", O_PATH | O_CLOEXEC);
    beside_make(o);
    trees.beside = open(STAGE "/beside", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (!trees_put(o, &trees, home, mounts, page) || !hidden_cover(o, &trees, mounts->path, page))
        return false;
    close(trees.empty);
    close(trees.nothing);
    close(trees.beside);
    resolver_put(o->net == SANDBOX_NET_LISTEN ? resolver : "", trees.resolver);
    mounts->lpp = o->lpp ? lpp_make(o, trees.lpp, mounts->path) : -1;
    if (o->lpp && mounts->lpp < 0)
        return sandbox_failed(page, "LPP's folder %.100s", o->lpp);
    if (!root_close(page))
        return false;
    mounts->folder = open(mounts->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return mounts->folder >= 0 || sandbox_failed(page, "its folder");
}
