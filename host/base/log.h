/* Lines for the person at the machine, on standard error. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

/* One line, "HEAD: ...", in one piece; no newline in format. */
void log_line(const char *head, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A warning. */
#define log_warnx(...) log_line("boothlink", __VA_ARGS__)

#endif
