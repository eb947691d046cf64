/* An Entry behind an HTML form (2003 r15, r16). Its program is boothlink-form, a browser that
 * connects the form to the program's input and output (adapter/form/form.c). */
#ifndef ENTITY_FORM_ENTRY_H
#define ENTITY_FORM_ENTRY_H

#include "entity/ours.h"

#define FORM_TEMPLATE_MAX 4000 /* bytes of the template's file */

struct form_entry {
    const char *web; /* the form's address; NULL: `cgi` is set */
    const char *cgi; /* a CGI program that /bin/sh runs for each submission; NULL: `web` is set */
    const char *template; /* a file that shows the position of the form's answer; NULL: the built-in
                    * template */
    unsigned delay_ms;    /* least time from a submission to the typing of its answer; 0: the 5 s of
                        * r30 */
};

/* Adds the form's options. Errors: BL_USAGE (not a valid address), and those of file_read_text for
 * the template. */
enum bl_status form_entry_set(struct ours *ours, const struct form_entry *form,
                              struct bl_diag *diag);

#endif
