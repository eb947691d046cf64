/* The labels of a venue: one for each machine, with the words for entering its place, and one for
 * each plug of a booth's cables and box. Pure. */
#ifndef CONTEST_LABELS_H
#define CONTEST_LABELS_H

#include "base/html.h"
#include "contest/contest.h"
#include "contest/venue.h"

/* Puts the labels of this many booths. venue may be NULL: no boxes. */
void labels_put(const struct contest *contest, const struct venue *venue, unsigned booths,
                const struct html_out *out);

#endif
