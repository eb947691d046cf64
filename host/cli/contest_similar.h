/* What Entries answered, to be laid side by side: out of transcripts, and of the screening. */
#ifndef CLI_CONTEST_SIMILAR_H
#define CLI_CONTEST_SIMILAR_H

#include "cli/contest.h"
#include "contest/report.h"

/* Zeroed is the start. */
struct answers {
    struct report_answer *answer; /* their texts are owned */
    size_t count, room;
};

/* Adds the answers of the screening out of the contest's acts. */
enum bl_status answers_of_screening(struct answers *answers, const struct contest_file *file,
                                    struct bl_diag *diag);

void answers_free(struct answers *answers);

#endif
