/* The folder between a judge's and an Entry's program. All calls use the folder's descriptor, also
 * after the folder was moved. No name in the folder is followed or opened: it may be a link or a
 * device. Source: Loebner Prize 2009 rules, section 2. */
#ifndef ENTITY_LPP_FOLDER_H
#define ENTITY_LPP_FOLDER_H

#include "base/status.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

struct lpp_folder {
    int fd;       /* -1: not open */
    int hand;     /* descriptor of the folder for another process, which has no lock */
    int watch_fd; /* inotify's descriptor, for poll(); open until lpp_folder_close(). -1: no
                   * watch */
    int watch;    /* the watch's number */
    char path[PATH_MAX];
    int shown; /* the caller's descriptor of the folder; -1: the path is used */
    bool as_entry;
    int lock;           /* socket that keeps out a second Entry; -1: none */
    char watch_why[80]; /* the reason for no watch */
};

/* Opens the folder for this process alone, with a watch unless `watch` is false. shown: a
 * descriptor of the folder, owned by the caller, with path as the folder's name; -1: path leads
 * there. A network share (no events of other machines' changes) or a refused watch is no error:
 * watch_fd is -1 and watch_why has the reason. BL_USAGE (no folder), BL_NOINPUT, BL_NOPERM (names
 * may not be made or removed there), BL_BUSY (another terminal has the folder), BL_IO. */
enum bl_status lpp_folder_open(struct lpp_folder *folder, const char *path, int shown, bool watch,
                               struct bl_diag *diag);
void lpp_folder_close(struct lpp_folder *folder);

/* Opens the folder as the Entry of an organiser's judge program. A judge's end of ours may have the
 * folder at the same time; another Entry may not. */
enum bl_status lpp_folder_enter(struct lpp_folder *folder, const char *path, bool watch,
                                struct bl_diag *diag);

/* Locks the file or folder. waits: for up to a second, in which the helpers of a killed terminal
 * end. False: another process has the lock. On a file system without locks: true. */
bool lpp_folder_lock(int fd, bool waits);

/* Closes a lost folder. lpp_folder_return() tries to open the folder that now has its path.
 * watch_fd stays open. */
void lpp_folder_leave(struct lpp_folder *folder);
enum bl_status lpp_folder_return(struct lpp_folder *folder, struct bl_diag *diag);

enum lpp_thing {
    LPP_GONE,
    LPP_DIRECTORY,
    LPP_FILE,   /* a file, as some Entries make */
    LPP_STRANGE /* a link, a device, a pipe */
};

/* Returns the kind of a name. Inode and time of birth identify the name (ns since 1970; without
 * birth times, the last change). */
enum lpp_thing lpp_folder_look(const struct lpp_folder *folder, const char *name, uint64_t *inode,
                               uint64_t *born_ns);

/* Calls each() for every name except "." and "..". False: the folder cannot be read. */
bool lpp_folder_scan(const struct lpp_folder *folder, void (*each)(void *ctx, const char *name),
                     void *ctx);

enum lpp_change {
    LPP_CAME,     /* a name appeared */
    LPP_WENT,     /* a name disappeared */
    LPP_OVERFLOW, /* events were lost: the folder must be read */
    LPP_LOST      /* the folder itself is gone */
};

/* Reports waiting events, some 60 names at most. False: none was waiting. */
bool lpp_folder_changes(const struct lpp_folder *folder,
                        void (*change)(void *ctx, enum lpp_change change, const char *name),
                        void *ctx);

/* Makes a directory. BL_OK: also if the name already exists. Otherwise errno has the reason. */
enum bl_status lpp_folder_make(const struct lpp_folder *folder, const char *name);

/* Removes a name of any kind; if that is impossible, renames it with the extension ".taken". BL_OK:
 * also if the name does not exist. Otherwise errno has the reason. */
enum bl_status lpp_folder_remove(const struct lpp_folder *folder, const char *name);

/* The time at which a name was last added or removed, ns since 1970, with the precision of the
 * clock of files. 0: unknown. */
uint64_t lpp_folder_changed_ns(const struct lpp_folder *folder);

#endif
