/* An Entry behind a form of HTML (2003 r15, r16): its program is boothlink-form, a browser for a
 * program's line (adapter/form/form.c), as any other Entry: with its keeper, in its sandbox. */
#ifndef ENTITY_FORM_ENTRY_H
#define ENTITY_FORM_ENTRY_H

#include "entity/ours.h"

#define FORM_TEMPLATE_MAX 4000 /* bytes of the template's file */

struct form_entry {
    const char *web;      /* the form's address; or ... */
    const char *cgi;      /* ... a CGI program, run by /bin/sh for each submission */
    const char *template; /* a file: where its answer stands; NULL: the one built in */
    unsigned delay_ms;    /* from a submission to its answer, at least; 0: r30's 5 s */
};

/* Adds the form's options. BL_USAGE: no valid address; errors of file_read_text for the template.
 */
enum bl_status form_entry_set(struct ours *ours, const struct form_entry *form,
                              struct bl_diag *diag);

#endif
