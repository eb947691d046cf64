/* The selection of Entries for the final round, with every step and its rule. Pure.
 *
 * * Sources: 1996 r4, r5, r13; 2003 r3, r16, r22, r32 to r37, r55; 2004 A1, A8 to A10; 2009 §1, §4;
 * long bet II
 *
 * 2. `chosen` is the choice among equals at a boundary, or of a jury. */
#ifndef CONTEST_SELECTION_H
#define CONTEST_SELECTION_H

#include "contest/result.h"

#define SELECTION_ENTRIES_MAX SCHEDULE_ENTRIES_MAX
#define SELECTION_RANKS_MAX   (SCHEDULE_ENTRIES_MAX * SCHEDULE_ENTRIES_MAX)

/* A preliminary judge's rank of an Entry; 1 is the best (2003 r34). */
struct selection_rank {
    uint8_t judge, entry, rank;
};

struct selection_input {
    const struct ruleset *ruleset;
    unsigned entries;                /* numbered in the order of their registration */
    bool out[SELECTION_ENTRIES_MAX]; /* not compliant, or withdrawn */
    bool unaccepted
        [SELECTION_ENTRIES_MAX]; /* of `out`: for want of a communications program: 2004 A8.1 */
    int64_t received_us[SELECTION_ENTRIES_MAX];       /* 0: no time stamp; comes last */
    bool invited[SELECTION_ENTRIES_MAX];              /* invited for outstanding merit: 2004 A10 */
    struct fraction screening[SELECTION_ENTRIES_MAX]; /* more is better; denominator 0: no score */
    struct fraction prelim[SELECTION_ENTRIES_MAX];    /* scores of the Prelim Eight: 2004 A8.4 */
    const struct selection_rank *rank; /* whole lists (2003 r34); at most SELECTION_RANKS_MAX */
    unsigned ranks;
    bool lists_missing; /* a judge's list is still to come: judging is not complete (r36) */
    bool chosen[SELECTION_ENTRIES_MAX]; /* by the jury, the panel (2003 r37) or the organiser */
    /* As `chosen`, for the second of two cuts (2004 A8, 2009 §1, §4), to the finalists. If it is
     * empty, `chosen` holds for both cuts. */
    bool chosen_final[SELECTION_ENTRIES_MAX];
    bool lost[SELECTION_ENTRIES_MAX]; /* a finalist who cannot run: 2003 r16, r22 */
};

enum selection_outcome {
    SELECTION_FINAL = 1,       /* the finalists are found */
    SELECTION_NO_ENTRY,        /* no compliant Entry: the prize is rolled over */
    SELECTION_ONLY_ONE,        /* the only Entry wins without a contest */
    SELECTION_WANTS_SCREENING, /* screening scores at STAGE_SCREENED or above are missing */
    SELECTION_WANTS_PRELIM,    /* preliminary scores of Entries at STAGE_PRELIM are missing */
    SELECTION_WANTS_CHOICE, /* a choice is missing, among equals at the boundary or by the jury */
};

enum selection_stage {
    STAGE_OUT,
    STAGE_COMPLIANT, /* not examined: enough Entries came earlier */
    STAGE_SCREENED,
    STAGE_PRELIM,
    STAGE_RESERVE, /* 2003 r36 */
    STAGE_FINAL,
};

struct selection {
    enum selection_outcome outcome;
    enum selection_stage stage[SELECTION_ENTRIES_MAX];
    unsigned finalists;
    bool final_choice;          /* SELECTION_WANTS_CHOICE: for the second cut, `chosen_final` */
    unsigned more_confederates; /* replacing lost Entries: 2003 r16, r22 */
    struct fraction mean_rank[SELECTION_ENTRIES_MAX]; /* 2003 r36; denominator 0: none */
};

/* Makes the selection. `say` as in result_make(), may be NULL. BL_DATA: malformed lists of ranks (a
 * rank missing or twice), lists longer than the rules allow, an Entry with too few judges (2003
 * r34), more chosen Entries than places. */
enum bl_status selection_make(struct selection *selection, const struct selection_input *input,
                              result_say *say, void *ctx, struct bl_diag *diag);

/* The Entries of each preliminary judge: 2003 r34. */
struct allotment {
    unsigned judges, each;                                     /* every list has this length */
    uint8_t judge[SCHEDULE_ENTRIES_MAX];                       /* their numbers, from 0 */
    uint8_t entry[SCHEDULE_ENTRIES_MAX][SCHEDULE_ENTRIES_MAX]; /* in the order of the judges */
};

/* Makes lists of equal length, as short as possible. Each Entry has `least` judges or more; any two
 * Entries' numbers of judges differ by at most one. BL_DATA: lists of at most `most` Entries are
 * not enough; diag has the number of judges needed. */
enum bl_status selection_allot(struct allotment *allotment, unsigned entries, unsigned judges,
                               unsigned least, unsigned most, struct bl_diag *diag);

#endif
