#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>

void log_line(const char *head, const char *format, ...)
{
    char line[512];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    fprintf(stderr, "%s: %s\n", head, line);
}
