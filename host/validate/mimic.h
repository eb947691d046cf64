/* Compares a communications program with its Entry, by the judge's screens of both. Both were
 * played with at the same time, so their takes have the same marks. Pure.
 *
 * * Whenever all programs rest, the screens are compared cell by cell. While the other party types,
 * each key's text must appear as on the Entry's screen; colours and cursor are compared where both
 * screens stood still. Times are compared key by key. The majority counts, since a few keys may be
 * late on a busy machine. A cell of differing text is reported once and then ignored.
 *
 * * Source: 2004 A6c. */
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
    MIMIC_ECHO,  /* delay until the judge's own keys appear */
    MIMIC_GAPS,  /* regularity of the other party's keys */
    MIMIC_LINES, /* the judge's own keys appear only line by line */
    MIMIC_ASPECTS
};

struct mimic_options {
    unsigned rows, columns;
    const struct picture_mask *mask; /* NULL: none */
    unsigned echo_ms, gap_ms;        /* medians of the differences above the limit */
};

#define MIMIC_PLACES 3
struct mimic_place {
    struct picture *entry, *pair;
    struct picture_difference difference;
    char after[80]; /* the last key before: "the judge's key 5, 'o', of line 2" */
};

struct mimic_finding {
    unsigned times; /* number of differences; 0: none. At most 1 for MIMIC_ECHO and MIMIC_GAPS */
    unsigned count; /* number of places kept: those of the first differences */
    struct mimic_place places[MIMIC_PLACES];
};

struct mimic {
    struct mimic_finding finding[MIMIC_ASPECTS];
    unsigned settled, shown; /* screens at rest and keys of the other party that were compared */
    unsigned echoes;         /* keys whose echo was timed on both sides */
    uint64_t echo_us[2];     /* medians for the Entry and for its communications program */
    int64_t echo_off_us;     /* median of the pair's lateness */
    unsigned gaps;           /* compared gaps */
    uint64_t gap_us[2], gap_off_us; /* medians for Entry and pair; median of differences */
};

/* Fills in *mimic, to be freed by mimic_free(). False if out of memory. */
bool mimic_compare(struct mimic *mimic, const struct take *entry, const struct take *pair,
                   const struct mimic_options *options);
void mimic_free(struct mimic *mimic);

#endif
