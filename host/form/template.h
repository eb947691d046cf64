/* The template of 2003 r29: a whole document, or the piece around the answer, with placeholders
 * %%NAME%% as in the contest's own. %%ANSWER%% stands for the Entry's words, %%JUDGE%% for the
 * judge's words if they are shown again, and any other name for any text. Pure. */
#ifndef FORM_TEMPLATE_H
#define FORM_TEMPLATE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

#define TEMPLATE_PARTS 64
#define TEMPLATE_MAX   8192 /* bytes of a template */

/* The text before a placeholder, or after the last one, in canonical form (document.h). */
struct template_part {
    char *literal;
    size_t length;
};

struct template
{
    struct template_part part[TEMPLATE_PARTS]; /* placeholder i follows part i */
    int answer, judge;                         /* index of the placeholder; -1: none */
    unsigned parts;
    bool whole; /* a whole document, which must fit completely */
    char *canonical;
};

/* Parses a template. BL_DATA names the fault: no %%ANSWER%%, two of them, too many placeholders,
 * too long. */
enum bl_status template_read(struct template **out, const char *text, struct bl_diag *diag);

/* Frees the template; NULL is allowed. */
void template_free(struct template *template);

enum template_fit {
    TEMPLATE_FITS,
    TEMPLATE_NEAR, /* only the text directly around the answer fits */
    TEMPLATE_NOT,
};

struct template_found {
    const char *answer, *judge; /* point into the document; NULL: not found */
    size_t answer_length, judge_length;
    const char *differs; /* NEAR and NOT: the missing part of the template, in canonical form */
    size_t differs_length;
};

/* Compares a document's canonical text with the template. If the template fits at several places,
 * the last one counts, since a page may show the conversation so far. */
enum template_fit template_match(const struct template *template, const char *document,
                                 struct template_found *found);

/* The template with these words as canonical text, equal to document_read() of such a document
 * (r29). Other placeholders are empty. The caller frees it; NULL: no memory. */
char *template_fill(const struct template *template, const char *answer, const char *judge);

#endif
