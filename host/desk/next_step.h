/* The next steps in a contest, by its acts and by the files beside it: the paths given to setup,
 * the desk's folder, and collected records in dispute. */
#ifndef DESK_NEXT_STEP_H
#define DESK_NEXT_STEP_H

#include "contest/next.h"
#include "desk/kept.h"

/* The paths of kept_read() for the contest at `path`. `kept` must outlive the result. */
struct next_place next_place_of(struct kept *kept, const char *path);

/* contest_next_step() or another function of contest/next.h. */
typedef void next_say(const struct contest *contest, const struct next_place *place,
                      char text[CONTEST_NEXT_MAX]);

#define NEXT_BUNDLE_MAX 24

/* Names the folder of a bundle: "bundle", "bundle-2" and so on. True: that one is newer than the
 * contest's record at `path`; else there is none of that name yet. */
bool next_bundle(const char *path, char name[NEXT_BUNDLE_MAX]);

/* Writes the lines of `say` for the contest at that path; `stands` and `verified` as in struct
 * next_place. */
void next_step(next_say *say, const struct contest *contest, const char *path, bool stands,
               bool verified, char text[CONTEST_NEXT_MAX]);

#endif
