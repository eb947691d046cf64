/* What comes next in a contest, from what is on the record, so that each verb can say it. Pure. */
#ifndef CONTEST_NEXT_H
#define CONTEST_NEXT_H

#include "contest/contest.h"
#include "contest/selection.h"

#define CONTEST_NEXT_MAX 1024

/* More Entries than there is room for, and it is not settled who goes on. */
bool contest_wants_selection(const struct contest *contest);

/* One line, with its newline, such as "Next: boothlink contest begin FILE 1"; path is the
 * contest's file. */
void contest_next_step(const struct contest *contest, const char *path,
                       char text[CONTEST_NEXT_MAX]);

/* The same of a selection as far as it has come; "" when the rounds have begun. */
void contest_next_selection(const struct contest *contest, const struct selection *selection,
                            const char *path, char text[CONTEST_NEXT_MAX]);

#endif
