/* The prompt of an Entry, a regular expression (PCRE2's syntax) that is matched key by key: a
 * prompt comes in any split, and text that cannot become one must go on at once. */
#ifndef ENTITY_PROMPT_H
#define ENTITY_PROMPT_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* A compiled expression, its caller's until prompt_free(); all zeros is none. */
struct prompt {
    void *code, *match; /* PCRE2's */
    int *work;
    unsigned room;
};

/* Compiles; nothing is allocated after this. Anchored at the start, so ^ there says nothing; $ and
 * back-references are refused. BL_USAGE names the fault and its character. */
enum bl_status prompt_parse(struct prompt *prompt, const char *text, struct bl_diag *diag);
void prompt_free(struct prompt *prompt);

/* The length of the longest prompt that these keys begin with, 0 if they begin with none; *open:
 * more keys could still make one, or a longer one. */
unsigned prompt_find(const struct prompt *prompt, const uint32_t *keys, unsigned count, bool *open);

#endif
