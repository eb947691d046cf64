/* Parties' typing as small pictures (inline SVG): the gaps between their keys, BackSpaces, Returns
 * and pauses over time, and the number of gaps of each length. A mark's meaning is in its shape,
 * never in a colour alone, so paper without colours shows the same. Pure, and bounded: a picture of
 * a million keys is as large as one of all its dots. */
#ifndef TRANSCRIPT_PLOT_H
#define TRANSCRIPT_PLOT_H

#include "base/html.h"
#include "transcript/history.h"

#define PLOT_CLASSES_MAX 12

/* The number of gaps of each length, the shortest first. */
struct plot_gaps {
    const unsigned *below_ms; /* of each class, rising; 0 for the last: longer than all others */
    unsigned count[PLOT_CLASSES_MAX];
};

void plot_gap_add(struct plot_gaps *gaps, uint64_t gap_us);

/* A bar for the gaps of each length. */
void plot_gaps(const struct html_out *out, const char *title, const struct plot_gaps *gaps);

/* The labels before the strips. */
struct plot_names {
    const char *title;
    const char *party[SIDES][PARTIES]; /* NULL: "left judge" and so on */
};

/* All of a transcript, one part of it below another: a strip for each party that typed there, on
 * one scale of time from the part's first key to its last. */
void plot_typing(const struct html_out *out, const struct history *history,
                 const struct plot_names *names);

#endif
