/* Reports the steps of result and selection. */
#ifndef CONTEST_RESULT_STEPS_PRIVATE_H
#define CONTEST_RESULT_STEPS_PRIVATE_H

#include "contest/result.h"

/* The listener for steps; `say` may be NULL. */
struct result_steps {
    result_say *say;
    void *ctx;
};

/* Reports one step: its rule and its outcome. */
void result_step(const struct result_steps *steps, const char *rule, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
