/* Warnings for the person at the machine. While a screen is up they go where log_to() sent them. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

/* Sends later lines to sink instead of standard error; NULL gives standard error back. */
void log_to(void (*sink)(void *ctx, const char *line), void *ctx);

/* log_warn adds the text of errno, log_warnx does not. One line each, no newline in format. */
void log_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_warnx(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
