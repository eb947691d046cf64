/* The prompt of an Entry, as a POSIX extended regular expression matched key by key. regexec()
 * wants the whole text; a prompt comes in any split, and what cannot become one must go on at once.
 * So the expression is run as a set of states: it knows after every key whether a match is still
 * possible. Pure. Source: POSIX.1-2017, base definitions, section 9.4. */
#ifndef ENTITY_PROMPT_H
#define ENTITY_PROMPT_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

#define PROMPT_STEPS  512 /* of the compiled expression */
#define PROMPT_SETS   16
#define PROMPT_RANGES 16
#define PROMPT_NODES  256

enum prompt_op { PROMPT_POINT, PROMPT_ANY, PROMPT_SET, PROMPT_SPLIT, PROMPT_MATCH };

struct prompt_step {
    uint8_t op;
    uint32_t a; /* POINT: which; SET: its index; SPLIT: one next step */
    uint32_t b; /* SPLIT: the other one */
};

struct prompt_set {
    bool negated;
    unsigned count;
    uint32_t low[PROMPT_RANGES], high[PROMPT_RANGES];
};

/* A compiled expression. */
struct prompt {
    struct prompt_step step[PROMPT_STEPS];
    struct prompt_set set[PROMPT_SETS];
    unsigned steps, sets;
};

/* Where a match stands. */
struct prompt_state {
    uint64_t steps[PROMPT_STEPS / 64];
};

/* Compiles. Anchored at the start, so ^ there is allowed and says nothing; $ and back-references
 * are refused; \t is a Tab; a dot and a negated set match no Return. BL_USAGE says what is wrong.
 */
enum bl_status prompt_parse(struct prompt *prompt, const char *text, struct bl_diag *diag);

/* The state before the first key. */
void prompt_start(const struct prompt *prompt, struct prompt_state *state);

/* Takes one key. */
void prompt_feed(const struct prompt *prompt, struct prompt_state *state, uint32_t point);

/* Is what was fed a whole match? */
bool prompt_matched(const struct prompt *prompt, const struct prompt_state *state);

/* Could more keys still make a match, or a longer one? */
bool prompt_open(const struct prompt *prompt, const struct prompt_state *state);

#endif
