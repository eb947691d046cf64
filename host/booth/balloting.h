/* A judge's ballot from the form to its file: for the judge's terminal, and for the ranks after the
 * last round. */
#ifndef BOOTH_BALLOTING_H
#define BOOTH_BALLOTING_H

#include "base/time.h"
#include "rules/ballot_file.h"
#include "journal/lines.h"
#include "screen/form.h"

struct balloting {
    struct form form;
    struct ballot_file file;            /* the file's contents */
    struct lines *lines;                /* NULL: not open */
    const struct ballot_signer *signer; /* the caller's; NULL: nothing is signed */
    bool over;                          /* the moment of sealing has come */
    bool giving;                        /* a ballot or a seal is not on the disk yet */
    unsigned kept_edits;                /* of the form, as they were written last */
    uint64_t kept_us;                   /* time of its keeping, monotonic */
};

/* The ballot file belonging to a journal: "NAME.ballot" beside "NAME.journal". path is PATH_MAX
 * bytes; BL_USAGE: the journal has another kind of name. */
enum bl_status balloting_path(const char *journal, char *path, struct bl_diag *diag);

/* Opens the file, or begins it with head, and fills the form from it. Given ballots are signed by
 * `signer` (NULL: not), which must live as long; a file begun without goes on without. BL_USAGE: it
 * was begun under other rules, or by another signer. */
enum bl_status balloting_open(struct balloting *balloting, const char *path,
                              const struct ballot_head *head, const struct ballot_signer *signer,
                              struct bl_diag *diag);

/* Reads another ballot file. */
enum bl_status balloting_load(struct ballot_file *file, const char *path, struct bl_diag *diag);

/* Writes the ballot, or its correction; a ballot equal to the last one is not written again.
 * BL_BUSY: sealed. BL_FULL, BL_IO: not written. */
enum bl_status balloting_give(struct balloting *balloting, const struct vote *vote,
                              uint64_t wall_us);

/* Gives the form a key. False: not for the form. *status is of a given ballot. */
bool balloting_feed(struct balloting *balloting, enum input_what what, uint32_t point,
                    uint64_t wall_us, enum bl_status *status);

/* Writes the form's contents, once a second at most. Returns the time of the next call. */
uint64_t balloting_run(struct balloting *balloting, struct bl_time now);

/* The moment of sealing has come: seals a given ballot. A missing one can still be given once, and
 * is then marked as late. */
enum bl_status balloting_over(struct balloting *balloting, uint64_t wall_us);

/* All that was written is on the disk, as lines_attach's callback says: the form says so, too. */
void balloting_kept(struct balloting *balloting);

void balloting_close(struct balloting *balloting);

#endif
