/* Invariants that the code relies upon. Where one does not hold, going on could put something false
 * on record: so one line says which, the last words are said, and the process ends with the exit
 * code of BL_SOFTWARE. Nothing is lost: bytes appended to a record are the system's already, and
 * the next process takes the record up. No input may be able to break an invariant; bad input from
 * outside is answered with a status. */
#ifndef BASE_ASSERT_H
#define BASE_ASSERT_H

#define bl_assert(condition)                                                                       \
    ((condition) ? (void)0 : bl_assert_failed(#condition, __FILE__, __LINE__))

void bl_assert_failed(const char *condition, const char *file, int line) __attribute__((noreturn));

/* Called once with the line before the process ends: to put it on record and give a screen back.
 * One at a time; NULL: nothing is to be done. */
void bl_assert_last(void (*last)(void *ctx, const char *line), void *ctx);

#endif
