/* How result and selection tell their steps. Nobody else includes this. */
#ifndef CONTEST_RESULT_STEPS_PRIVATE_H
#define CONTEST_RESULT_STEPS_PRIVATE_H

#include "contest/result.h"

/* Who hears the steps; `say` may be NULL. */
struct result_steps {
    result_say *say;
    void *ctx;
};

/* Tells one step: the rule that it follows, and what it gave. */
void result_step(const struct result_steps *steps, const char *rule, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
