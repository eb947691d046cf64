/* Takes a judge's ballot from the form to the file: at the judge's terminal, for the ranks after
 * the last round, and for a survey's page. */
#ifndef BOOTH_BALLOTING_H
#define BOOTH_BALLOTING_H

#include "base/time.h"
#include "rules/ballot_file.h"
#include "journal/lines.h"
#include "screen/form.h"

struct balloting {
    struct form form;
    struct ballot_file file;            /* contents of the ballot file */
    struct lines *lines;                /* NULL: not open */
    const struct ballot_signer *signer; /* the caller's key; NULL: nothing is signed */
    bool over;                          /* the time for sealing has come */
    bool giving;                        /* a ballot or a seal is not on the disk yet */
    unsigned kept_edits;                /* form.edits when the form's contents were last written */
    uint64_t kept_us;                   /* time of the last write, monotonic */
};

/* The ballot file of a journal: "NAME.ballot" beside "NAME.journal". path is PATH_MAX bytes;
 * BL_USAGE: the journal's name has another form. */
enum bl_status balloting_path(const char *journal, char *path, struct bl_diag *diag);

/* Opens the file, or begins it with head, and fills the form from it. signer: signs ballots and
 * seals; it must outlive `balloting`; NULL: none. A file begun without a signer stays unsigned.
 * BL_USAGE: the file has another session, other rules or another signer. */
enum bl_status balloting_open(struct balloting *balloting, const char *path,
                              const struct ballot_head *head, const struct ballot_signer *signer,
                              struct bl_diag *diag);

enum bl_status balloting_load(struct ballot_file *file, const char *path, struct bl_diag *diag);

/* Writes the ballot or its correction. A ballot equal to the last one is not written again, unless
 * a draft came since. After balloting_over() the ballot is marked as late, and sealed. BL_BUSY: the
 * ballot is already sealed. BL_FULL, BL_IO: not written. */
enum bl_status balloting_give(struct balloting *balloting, const struct vote *vote,
                              uint64_t wall_us);

/* Passes a key to the form. False: the form has no use for the key. *status: result of
 * balloting_give(), if the key gave a ballot. */
bool balloting_feed(struct balloting *balloting, enum input_what what, uint32_t point,
                    uint64_t wall_us, enum bl_status *status);

/* Writes the form's changed contents, at most once a second. Returns the time of the next call. */
uint64_t balloting_run(struct balloting *balloting, struct bl_time now);

/* The time for sealing has come: seals a given ballot. A missing ballot can still be given once,
 * marked as late. */
enum bl_status balloting_over(struct balloting *balloting, uint64_t wall_us);

/* Shows on the form that all lines are on the disk. For the callback of lines_attach. */
void balloting_kept(struct balloting *balloting);

void balloting_close(struct balloting *balloting);

#endif
