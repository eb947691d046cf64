/* The labels of a venue: each machine's, with the words by which it is told its place, and one for
 * each plug of a booth's cables and of its box. Pure. */
#ifndef CONTEST_LABELS_H
#define CONTEST_LABELS_H

#include "base/html.h"
#include "contest/contest.h"
#include "contest/venue.h"

/* Of so many booths; venue may be NULL: there are no boxes. */
void labels_put(const struct contest *contest, const struct venue *venue, unsigned booths,
                const struct html_out *out);

#endif
