/* The prompt of an Entry: a regular expression in PCRE2's syntax, matched key by key. Text that
 * cannot become a prompt goes on at once. */
#ifndef ENTITY_PROMPT_H
#define ENTITY_PROMPT_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* A compiled expression. The caller frees it by prompt_free(). All zeros: none. */
struct prompt {
    void *code, *match; /* PCRE2's */
    int *work;
    unsigned room;
};

/* Compiles an expression; nothing is allocated later. The expression is anchored at the start. Any
 * ^ except at the start, any $, and back-references are refused. BL_USAGE names the fault and its
 * character. */
enum bl_status prompt_parse(struct prompt *prompt, const char *text, struct bl_diag *diag);
void prompt_free(struct prompt *prompt);

/* The length of the longest prompt at the start of these keys; 0: none. *open: more keys could make
 * a prompt, or a longer one. */
unsigned prompt_find(const struct prompt *prompt, const uint32_t *keys, unsigned count, bool *open);

#endif
