/* Fills in a check's finding. finding_pass(), _broken(), _warn(), _skip() and _spare() set the
 * verdict and its line. finding_expected() and finding_came() set a line without a verdict. A call
 * replaces the line of an earlier call. Code points that are not plain (utf8_plain) become '?'. */
#ifndef VALIDATE_FINDING_H
#define VALIDATE_FINDING_H

#include "validate/validate.h"

void finding_verdict(struct finding *finding, enum verdict verdict, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void finding_text(char text[FINDING_TEXT], const char *format, ...)
    __attribute__((format(printf, 2, 3)));
#define finding_pass(finding, ...) finding_verdict(finding, VERDICT_PASS, __VA_ARGS__)
#define finding_warn(finding, ...) finding_verdict(finding, VERDICT_WARN, __VA_ARGS__)
#define finding_skip(finding, ...) finding_verdict(finding, VERDICT_SKIP, __VA_ARGS__)
/* The verdict of the check's row for the ruleset: FAIL or WARN. */
#define finding_broken(of, ...) finding_verdict(of, (of)->broken, __VA_ARGS__)
/* As finding_skip(), for a check that does not apply to such a program. */
#define finding_spare(of, ...)    ((of)->spared = true, finding_skip(of, __VA_ARGS__))
#define finding_expected(of, ...) finding_text((of)->expected, __VA_ARGS__)
#define finding_came(of, ...)     finding_text((of)->came, __VA_ARGS__)
/* Resets the finding to its state before the check. */
void finding_clear(struct finding *finding);
/* Appends a line, without its newline. */
void finding_evidence(struct finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Appends a program's text in quotes, other bytes as \xNN, truncated at `most` bytes. */
void finding_quote(struct finding *finding, const char *before, const char *text, size_t length,
                   size_t most);
/* As finding_quote(), into a caller's buffer. Returns the number of quoted bytes of the text; it is
 * below `length` if the buffer is too small. */
size_t quote(char *out, size_t room, const char *text, size_t length);
/* As quote(), but the beginning of a long text is left out. */
void quote_end(char *out, size_t room, const char *text, size_t length);

/* The words before a program's quoted standard error, in a finding's evidence. */
#define STANDARD_ERROR "its standard error: \""

/* Finds the last message about a missing file in a program's quoted standard error. False: none.
 * The text is the same for the same file. */
bool errors_missing_file(const char *quoted, char out[FINDING_TEXT]);

#endif
