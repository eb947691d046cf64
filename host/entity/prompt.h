/* The prompt of an Entry: a regular expression in PCRE2's syntax that is matched key by key, since
 * text that cannot become a prompt must go on at once. */
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

/* Compiles an expression; nothing is allocated later. It is anchored at the start, where a ^ has no
 * effect. Any other ^, $ and back-references are refused. BL_USAGE names the fault and its
 * character. */
enum bl_status prompt_parse(struct prompt *prompt, const char *text, struct bl_diag *diag);
void prompt_free(struct prompt *prompt);

/* The length of the longest prompt at the start of these keys; 0: none. *open: more keys could
 * still make a prompt, or a longer one. */
unsigned prompt_find(const struct prompt *prompt, const uint32_t *keys, unsigned count, bool *open);

#endif
