/* The likeness of a communications program to its Entry. Compares the judge's screens of both while
 * they were played with at the same time: two takes with the same marks, key for key. Pure.
 *
 * Whenever all rest, the screens are compared cell by cell. While the other party types, each key's
 * text must come to stand as the Entry had it, and the cursor and the colours are compared where
 * they stood still. Times are compared key by key, and what most keys show counts, for a few may be
 * late on a busy machine. A cell of the text with one difference is told once and not looked at
 * again. Source: 2004 A6c. */
#ifndef VALIDATE_MIMIC_H
#define VALIDATE_MIMIC_H

#include "validate/picture.h"
#include "validate/take.h"

enum mimic_aspect {
    MIMIC_TEXT,
    MIMIC_COLOURS,
    MIMIC_CURSOR,
    MIMIC_TITLE,
    MIMIC_BELL,
    MIMIC_ECHO,  /* delay until the judge's own keys show */
    MIMIC_GAPS,  /* evenness of the other party's keys */
    MIMIC_LINES, /* the judge's own keys show a line at a time */
    MIMIC_ASPECTS
};

struct mimic_options {
    unsigned rows, columns;
    const struct picture_mask *mask; /* NULL: none */
    unsigned echo_ms, gap_ms;        /* medians of too great differences */
};

/* Both screens where they differed. */
#define MIMIC_PLACES 3
struct mimic_place {
    struct picture *entry, *pair;
    struct picture_difference difference;
    char after[80]; /* the key behind: "the judge's key 5, 'o', of line 2" */
};

struct mimic_finding {
    unsigned times; /* so; 0: never. For MIMIC_ECHO and MIMIC_GAPS 1 */
    unsigned count; /* of kept places: the first */
    struct mimic_place places[MIMIC_PLACES];
};

struct mimic {
    struct mimic_finding finding[MIMIC_ASPECTS];
    unsigned settled, shown;        /* screens at rest, and keys of the other party, compared */
    unsigned echoes;                /* keys whose echo was timed at both */
    uint64_t echo_us[2];            /* medians: of the Entry, of its communications program */
    int64_t echo_off_us;            /* median: how much later a key showed at the latter */
    unsigned gaps;                  /* compared gaps */
    uint64_t gap_us[2], gap_off_us; /* medians: of both, and of the differences */
};

/* Fills in *mimic, which mimic_free() empties. False: no memory. */
bool mimic_compare(struct mimic *mimic, const struct take *entry, const struct take *pair,
                   const struct mimic_options *options);
void mimic_free(struct mimic *mimic);

#endif
