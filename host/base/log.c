#include "base/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void (*log_sink)(void *ctx, const char *line);
static void *log_ctx;

void log_to(void (*sink)(void *ctx, const char *line), void *ctx)
{
    log_sink = sink;
    log_ctx = ctx;
}

static void emit(const char *format, va_list args, const char *error)
{
    char line[512];
    int n = vsnprintf(line, sizeof line, format, args);
    if (error && n >= 0 && (size_t)n < sizeof line)
        snprintf(line + n, sizeof line - (size_t)n, ": %s", error);
    if (log_sink)
        log_sink(log_ctx, line);
    else
        fprintf(stderr, "boothlink: %s\n", line);
}

void log_warn(const char *format, ...)
{
    const char *error = strerror(errno);
    va_list args;
    va_start(args, format);
    emit(format, args, error);
    va_end(args);
}

void log_warnx(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    emit(format, args, NULL);
    va_end(args);
}
