/* Two disks that fail at a chosen call. They are folders of the test, and each knows what was
 * synced. It can lose the rest: the bytes of a file since its last fsync(), and the names in a
 * folder that came, changed or went since its own.
 *
 * Linking this (cut.mk) puts open(), write(), fsync(), rename(), unlink(), mkdir() and their like
 * into the place of the C library's, for SQLite too. Away from the disks they do the same. */
#ifndef CUT_FILES_H
#define CUT_FILES_H

#include <stdbool.h>
#include <stddef.h>

/* Makes a folder in memory where there is one, and goes there; the disks are below it. End it. */
void cut_begin(void);
void cut_end(void);

/* Relative to that folder. */
#define CUT_MACHINE "machine"
#define CUT_STICK   "stick"

enum cut {
    CUT_NOT,
    CUT_KILL, /* the program is killed, before a write or in its midst (drawn by the seed) */
    CUT_FULL, /* from that call on the machine's disk is full, before a write or in its midst */
    CUT_STICK_FULL, /* the stick is */
    CUT_PULL,       /* the stick is out, and has lost what was not synced */
    CUT_POWER,      /* the machine is off, and both have lost it */
    CUT_POWER_ONE,  /* the machine is off; its disk has lost it, and the stick has all */
    CUT_KINDS
};
extern const char *const cut_name[CUT_KINDS];

enum cut_end { CUT_DONE, CUT_FAILED, CUT_ENDED }; /* ENDED: within it, by the cut */

/* Runs it in a child with that cut at call number `at`, from 1. *calls: how many there were, up to
 * the end. A pulled stick is in again afterwards. The child must not print or check. */
enum cut_end cut_run(bool (*run)(void *ctx), void *ctx, enum cut cut, unsigned at, unsigned *calls);

/* The call after `at` at which a cut of that kind is to be tried, of so many calls as a run with
 * at = UINT_MAX has just counted; 0: none. A full disk fails only calls that need room on it: cut
 * at another call, a run is the same as cut at the next of those. One of three calls in turn is
 * tried, drawn by the seed: no step that meets the same calls of each file_write(). With
 * CUT_EACH=N in the environment one of N, with SOAK each. */
unsigned cut_next(unsigned at, unsigned calls);

/* All that is below a folder as one text: names and contents, in the order of names, without empty
 * folders; to be freed. Names that end with `but` are left out, if it is not NULL. */
char *cut_look(const char *folder, const char *but);

/* Makes a file of these bytes, and the folders above it. */
void cut_put(const char *path, const void *bytes, size_t length);

/* Takes a folder away with all that is in it, or makes it the copy of another. */
void cut_remove(const char *folder);
void cut_copy(const char *from, const char *to);

#endif
