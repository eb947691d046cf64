/* Assertions, also in production. If an invariant fails, the process could record something false.
 * It therefore calls the callback, prints one line and exits with the code of BL_SOFTWARE. No data
 * is lost: the kernel already has the bytes appended to a record, and the next process continues
 * the record. No input may break an invariant; bad input gets a status as its answer. */
#ifndef BASE_ASSERT_H
#define BASE_ASSERT_H

#define bl_assert(condition)                                                                       \
    ((condition) ? (void)0 : bl_assert_failed(#condition, __FILE__, __LINE__))

void bl_assert_failed(const char *condition, const char *file, int line) __attribute__((noreturn));

/* Sets the callback for a failed assertion. It is called once with the line, before the process
 * ends, to record the line and to restore the terminal. There is one callback; NULL removes it. */
void bl_assert_last(void (*last)(void *ctx, const char *line), void *ctx);

#endif
