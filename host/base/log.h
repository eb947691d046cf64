/* Writes messages for the operator to standard error. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

/* Writes one line, "HEAD: ...", with one write(). The format has no newline at its end. */
void log_line(const char *head, const char *format, ...) __attribute__((format(printf, 2, 3)));

#define log_warnx(...) log_line("boothlink", __VA_ARGS__)

#endif
