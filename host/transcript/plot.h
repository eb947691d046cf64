/* Draws the parties' typing as small pictures (inline SVG): gaps between keys, BackSpaces, Returns
 * and pauses over time, and the number of gaps by length. Marks differ in shape, for paper without
 * colours. Pure and bounded: the size of a picture depends on its dots. */
#ifndef TRANSCRIPT_PLOT_H
#define TRANSCRIPT_PLOT_H

#include "base/html.h"
#include "transcript/history.h"

#define PLOT_CLASSES_MAX 12

/* The number of gaps by length, the shortest first. */
struct plot_gaps {
    const unsigned *below_ms; /* upper limits of the classes, rising; the last is 0: no limit */
    unsigned count[PLOT_CLASSES_MAX];
};

void plot_gap_add(struct plot_gaps *gaps, uint64_t gap_us);

/* Draws a bar for the gaps of each length. */
void plot_gaps(const struct html_out *out, const char *title, const struct plot_gaps *gaps);

/* The labels of the strips. */
struct plot_names {
    const char *title;
    const char *party[SIDES][PARTIES]; /* NULL: "left judge" and so on */
};

/* Draws a transcript part by part: a strip for each party that typed, on a common time scale from
 * the part's first key to the last. */
void plot_typing(const struct html_out *out, const struct history *history,
                 const struct plot_names *names);

#endif
