/* An Entry behind a form of HTML (2003 r15, r16): its program is boothlink-form, a browser for a
 * program's line (adapter/form/form.c), as any other Entry: with its keeper, in its sandbox. */
#ifndef ENTITY_FORM_ENTRY_H
#define ENTITY_FORM_ENTRY_H

#include "entity/program.h"

/* The sandbox's command for it: the program may lie outside, and comes as a descriptor. */
#define FORM_BOXED "exec /proc/self/fd/3 "

#define FORM_COMMAND_MAX  10000
#define FORM_TEMPLATE_MAX 4000 /* bytes of the template's file */

struct form_entry {
    const char *web;      /* the form's address; or ... */
    const char *cgi;      /* ... a CGI program, run by /bin/sh for each submission */
    const char *template; /* a file: where its answer stands; NULL: the one built in */
    unsigned delay_ms;    /* from a submission to its answer, at least; 0: r30's 5 s */
    char command[FORM_COMMAND_MAX];
};

/* Makes the options those of such an Entry; the form must live as long as they do. Nothing is done
 * if there is neither web nor cgi. BL_USAGE: both, or no valid address; errors of file_read_text
 * for the template. */
enum bl_status form_entry_set(struct program_options *options, struct form_entry *form,
                              struct bl_diag *diag);

#endif
