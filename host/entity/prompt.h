/* The prompt of an Entry: a regular expression (PCRE2's syntax) that is matched key by key. A
 * prompt may come in any split, and text that cannot become a prompt must go on at once. */
#ifndef ENTITY_PROMPT_H
#define ENTITY_PROMPT_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* A compiled expression, which the caller frees by prompt_free(); all zeros is none. */
struct prompt {
    void *code, *match; /* PCRE2's */
    int *work;
    unsigned room;
};

/* Compiles; nothing is allocated later. The match is anchored at the start, so ^ there has no
 * effect; $ and back-references are refused. BL_USAGE names the fault and its character. */
enum bl_status prompt_parse(struct prompt *prompt, const char *text, struct bl_diag *diag);
void prompt_free(struct prompt *prompt);

/* The length of the longest prompt at the start of these keys, 0 without one; *open: more keys
 * could still make a prompt, or a longer one. */
unsigned prompt_find(const struct prompt *prompt, const uint32_t *keys, unsigned count, bool *open);

#endif
