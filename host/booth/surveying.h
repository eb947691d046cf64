/* Shows a page of the rules' survey between sessions: its text, and a form for the answers. The
 * answers go to a ballot file among the records. */
#ifndef BOOTH_SURVEYING_H
#define BOOTH_SURVEYING_H

#include "booth/screens.h"
#include "rules/ruleset.h"

#include <limits.h>

struct surveying_options {
    const char *ruleset; /* path or name of the rules, from ticket_ruleset() */
    const char *contest; /* the contest's id; "": none */
    const char *whose;   /* the person, "j2" */
    enum ruleset_survey_page page;
    const char *records; /* folder for the answers */
    struct screens_options screens;
    bool kiosk, small;
};

/* Makes the name of the answers' file, without folder and ending: "survey-before-j2". */
#define SURVEYING_NAME 32
void surveying_name(const char *whose, enum ruleset_survey_page page, char out[SURVEYING_NAME]);

/* True if the folder has the answers. */
bool surveying_given(const char *records, const char *whose, enum ruleset_survey_page page);

/* Shows the page until the person leaves. *left: false after a signal or the terminal's end.
 * BL_DATA: the rules have no such page. Other errors: those of the file and of the screen. */
enum bl_status surveying_run(const struct surveying_options *options, bool *left,
                             struct bl_diag *diag);

#endif
