/* Assertions, which stay on in production. A process whose invariant has failed could record
 * something false. The failed assertion therefore calls the callback, prints one line and ends the
 * process with the exit code of BL_SOFTWARE. The journal stays valid: the kernel already has the
 * appended bytes, and the next process continues the journal. No input may break an invariant; a
 * function answers bad input with a status. */
#ifndef BASE_ASSERT_H
#define BASE_ASSERT_H

#define bl_assert(condition)                                                                       \
    ((condition) ? (void)0 : bl_assert_failed(#condition, __FILE__, __LINE__))

void bl_assert_failed(const char *condition, const char *file, int line) __attribute__((noreturn));

/* Sets the one callback for a failed assertion; NULL removes it. A failed assertion calls the
 * callback once with the printed line, before the process ends. The callback records the line and
 * restores the terminal. */
void bl_assert_last(void (*last)(void *ctx, const char *line), void *ctx);

#endif
