/* Fills in a check's finding: finding_pass(), _broken(), _warn(), _skip() and _spare() set the
 * verdict and its line, finding_expected() and finding_came() a line without a verdict, each
 * replacing an earlier call's. Code points that are not plain (utf8_plain) become '?'. */
#ifndef VALIDATE_FINDING_H
#define VALIDATE_FINDING_H

#include "validate/validate.h"

void finding_pass(struct finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Resets the finding to its state before the check. */
void finding_clear(struct finding *finding);
/* Sets the verdict of the check's row for the ruleset: FAIL or WARN. */
void finding_broken(struct finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void finding_warn(struct finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void finding_skip(struct finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* As finding_skip(), for a check that does not apply to such a program. */
void finding_spare(struct finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void finding_expected(struct finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void finding_came(struct finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Appends a line, without its newline. */
void finding_evidence(struct finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Appends a program's text in quotes, other bytes as \xNN, truncated at `most` bytes. */
void finding_quote(struct finding *finding, const char *before, const char *text, size_t length,
                   size_t most);
/* As finding_quote(), into a caller's buffer. */
void quote(char *out, size_t room, const char *text, size_t length);

#endif
