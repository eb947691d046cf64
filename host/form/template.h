/* The template of 2003 r29: a document with placeholders, %%NAME%% as the contest's own had them.
 * %%ANSWER%% stands where the Entry's words are, %%JUDGE%% where the judge's are shown again; any
 * other name stands for anything. A whole document, or just the piece around the answer. Pure. */
#ifndef FORM_TEMPLATE_H
#define FORM_TEMPLATE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

#define TEMPLATE_PARTS 64
#define TEMPLATE_MAX   8192 /* bytes of a person's text */

/* The text between two placeholders, in canonical form (document.h). */
struct template_part {
    char *literal;
    size_t length;
};

struct template
{
    struct template_part part[TEMPLATE_PARTS]; /* placeholder i stands behind part i */
    int answer, judge;                         /* index of the placeholder; -1: there is none */
    unsigned parts;
    bool whole; /* a document, from its first byte to its last */
    char *canonical;
};

/* Reads a person's text. BL_DATA names the fault: no %%ANSWER%%, two of them, too many
 * placeholders, too long. */
enum bl_status template_read(struct template **out, const char *text, struct bl_diag *diag);

/* Takes NULL. */
void template_free(struct template *template);

enum template_fit {
    TEMPLATE_FITS,
    TEMPLATE_NEAR, /* the text right before and behind the answer is there, other things differ */
    TEMPLATE_NOT,
};

struct template_found {
    const char *answer, *judge; /* in the document; NULL: not found */
    size_t answer_length, judge_length;
    const char *differs; /* NEAR and NOT: the part of the template looked for in vain, a piece of
                            its canonical form */
    size_t differs_length;
};

/* Holds a document's canonical text against it. Where a piece fits more than once the last counts:
 * a page may show the conversation from its beginning. */
enum template_fit template_match(const struct template *template, const char *document,
                                 struct template_found *found);

/* The template with these words in it, as canonical text that document_read() of such a document
 * gives; others stay empty. For r29. The caller frees it; NULL: no memory. */
char *template_fill(const struct template *template, const char *answer, const char *judge);

#endif
