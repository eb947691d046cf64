/* Assertions, which stay on in production. A process whose invariant has failed could record
 * something false. A failed assertion calls the callback, prints one line and ends the process with
 * the exit code of BL_SOFTWARE. The next process continues the journal, since the kernel already
 * has the appended bytes. No input may break an invariant: bad input is answered with a status. */
#ifndef BASE_ASSERT_H
#define BASE_ASSERT_H

#define bl_assert(condition)                                                                       \
    ((condition) ? (void)0 : bl_assert_failed(#condition, __FILE__, __LINE__))

void bl_assert_failed(const char *condition, const char *file, int line) __attribute__((noreturn));

/* Sets the one callback for a failed assertion; NULL removes it. The callback is called once with
 * the printed line, before the process ends. */
void bl_assert_last(void (*last)(void *ctx, const char *line), void *ctx);

#endif
