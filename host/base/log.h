/* Warnings for the person at the machine, on standard error. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

/* One line, no newline in format. */
void log_warnx(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
