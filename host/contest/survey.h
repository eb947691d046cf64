/* Surveys of the rules: a person's first session and last, and the answers. Pure. */
#ifndef CONTEST_SURVEY_H
#define CONTEST_SURVEY_H

#include "contest/act_body.h"
#include "rules/ballot_file.h"

#define SURVEY_PREFIX "survey-"                          /* begins the names of answers' files */
extern const char *const survey_words[SURVEY_PAGES + 1]; /* "before", "after" */

/* A person by the place, from 0, and the position among those who sat there, from 1. */
struct survey_person {
    enum contest_role role; /* role of the person's registration */
    unsigned number, sitter;
};

/* The person on that place in the meeting's session. */
struct survey_person survey_person(const struct contest *contest, enum contest_role role,
                                   unsigned number, const struct meeting *meeting);

/* Writes "j2", and "j2-2" for the second who sat there; "": the rules have no such page, or the
 * meeting is not the person's first (before) or last (after) in the schedule. */
void survey_due(const struct contest *contest, enum contest_role role, unsigned number,
                const struct meeting *meeting, enum ruleset_survey_page page,
                char out[TICKET_SURVEY_MAX]);

/* True, with the name of the answers, "survey-before-j2", if a page of the person in the meeting is
 * due (survey_due()) and not on record. A person who has left has no page afterwards. */
#define SURVEY_NAME_MAX (TICKET_SURVEY_MAX + 16)
bool survey_missing(const struct contest *contest, enum contest_role role, unsigned number,
                    const struct meeting *meeting, enum ruleset_survey_page page,
                    char out[SURVEY_NAME_MAX]);

/* Makes the act of a survey's ballot file. *known: the contest has those answers; *some: it has
 * others. BL_DATA: the file is of no survey of this contest. */
enum bl_status survey_read(const struct contest *contest, const struct ballot_file *file,
                           struct act_body *act, bool *known, bool *some, struct bl_diag *diag);

#endif
