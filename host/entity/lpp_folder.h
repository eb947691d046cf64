/* The folder between a judge's and an Entry's program: looking, watching, making and removing. All
 * goes through one descriptor, so a moved folder stays the same, and nothing inside is followed or
 * opened: a name may be a link, a device, or cannot be removed. Nothing is allocated after the
 * opening. Source: Loebner Prize 2009 rules, section 2. */
#ifndef ENTITY_LPP_FOLDER_H
#define ENTITY_LPP_FOLDER_H

#include "base/status.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

struct lpp_folder {
    int fd;       /* -1: not open */
    int hand;     /* the same folder for another process, without the lock */
    int watch_fd; /* of inotify, to be polled; -1: there is no watch. Stays until the close */
    int watch;    /* the watch's number */
    char path[PATH_MAX];
    int shown; /* the folder by a descriptor of the caller; -1: by its path */
    bool as_entry;
    int lock;           /* lock of the Entry's user; -1: none */
    char watch_why[80]; /* the reason for no watch */
};

/* Opens the folder for this process alone, with a watch, unless `watch` is false. shown: a
 * descriptor of the folder, which stays open, while path is its name; -1: path leads there. On a
 * network share, where the system has no events of other machines' changes, or where the system
 * refuses a watch, watch_fd is -1 and watch_why has the reason: no error. BL_USAGE (no folder),
 * BL_NOINPUT, BL_NOPERM (names may not be made or removed there), BL_BUSY (another terminal has
 * it), BL_IO. */
enum bl_status lpp_folder_open(struct lpp_folder *folder, const char *path, int shown, bool watch,
                               struct bl_diag *diag);
void lpp_folder_close(struct lpp_folder *folder);

/* Opens the folder as the Entry of an organiser's judge program. A judge's end of ours may have it
 * at the same time, another Entry may not. */
enum bl_status lpp_folder_enter(struct lpp_folder *folder, const char *path, bool watch,
                                struct bl_diag *diag);

/* Locks the file or folder. waits: up to a second, until the programs of a killed terminal have
 * ended. False: another process has it. A file system without locks keeps nobody out. */
bool lpp_folder_lock(int fd, bool waits);

/* Gives up a lost folder, and tries to open the folder that its path has now; watch_fd stays. */
void lpp_folder_leave(struct lpp_folder *folder);
enum bl_status lpp_folder_return(struct lpp_folder *folder, struct bl_diag *diag);

enum lpp_thing {
    LPP_GONE,      /* there is no such name */
    LPP_DIRECTORY, /* a directory, as the rules say */
    LPP_FILE,      /* a file, as some Entries make */
    LPP_STRANGE    /* a link, a device, a pipe */
};

/* The kind of a name. Inode and birth (ns since 1970; the last change on a file system without
 * birth times) tell it apart from another one of the same name. */
enum lpp_thing lpp_folder_look(const struct lpp_folder *folder, const char *name, uint64_t *inode,
                               uint64_t *born_ns);

/* Calls each() for every name but "." and "..". False: the folder cannot be read any more. */
bool lpp_folder_scan(const struct lpp_folder *folder, void (*each)(void *ctx, const char *name),
                     void *ctx);

enum lpp_change {
    LPP_CAME,     /* a name appeared */
    LPP_WENT,     /* a name disappeared */
    LPP_OVERFLOW, /* events were lost: the folder must be read */
    LPP_LOST      /* the folder itself is gone */
};

/* Reports the waiting events, at most some hundreds; false if there were none. */
bool lpp_folder_changes(const struct lpp_folder *folder,
                        void (*change)(void *ctx, enum lpp_change change, const char *name),
                        void *ctx);

/* Makes a directory. BL_OK also if it is there already; else errno has the reason. */
enum bl_status lpp_folder_make(const struct lpp_folder *folder, const char *name);

/* Removes a directory, a file or any other thing of the name. A name that cannot be removed is
 * renamed with the extension ".taken". BL_OK also if it is gone already; else neither was possible,
 * and errno has the reason. */
enum bl_status lpp_folder_remove(const struct lpp_folder *folder, const char *name);

/* The time at which a name was last added or removed, ns since 1970, with the precision of the
 * clock of files. 0 if unknown. */
uint64_t lpp_folder_changed_ns(const struct lpp_folder *folder);

#endif
