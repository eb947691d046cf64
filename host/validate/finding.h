/* A check's finding: each function sets the verdict and one line; the last one called holds. Points
 * not plain in a text (utf8_plain) become '?'. */
#ifndef VALIDATE_FINDING_H
#define VALIDATE_FINDING_H

#include "validate/validate.h"

void finding_pass(struct finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* As if the check had not begun. */
void finding_clear(struct finding *finding);
/* The verdict of the check's row for the ruleset: FAIL or WARN. */
void finding_broken(struct finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void finding_warn(struct finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void finding_skip(struct finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The same of a check without an object in such a program. */
void finding_spare(struct finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void finding_expected(struct finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void finding_came(struct finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Adds a line, without its newline. */
void finding_evidence(struct finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Adds a program's text, quoted, bytes of no key as \xNN, cut at `most` bytes. */
void finding_quote(struct finding *finding, const char *before, const char *text, size_t length,
                   size_t most);
/* The same into a line of its own. */
void quote(char *out, size_t room, const char *text, size_t length);

#endif
