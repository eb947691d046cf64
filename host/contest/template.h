/* The two files that a contest's manager fills in, with instructions as comments: the people
 * (people.h) and the machines (venue.h). With the names filled in, they are input of `contest
 * setup`. Pure. */
#ifndef CONTEST_TEMPLATE_H
#define CONTEST_TEMPLATE_H

#include "rules/ruleset.h"

#define TEMPLATE_MAX 131072

/* Writes the file for this many booths, with at least as many people as the rules ask for; `name`
 * is the ruleset's name for the people's file. BL_DATA: the rules have another number of Entries.
 * The rules' days are moved to begin at `now_us`, or a month later. Texts end with NUL. */
enum bl_status template_people(const struct ruleset *rules, const char *name, unsigned booths,
                               int64_t now_us, char out[TEMPLATE_MAX], struct bl_diag *diag);
enum bl_status template_venue(const struct ruleset *rules, unsigned booths, char out[TEMPLATE_MAX],
                              struct bl_diag *diag);

#endif
