#include "booth/entry_lines.h"

#include <stdio.h>
#include <time.h>

void entry_lines_add(struct entry_lines *lines, uint64_t wall_us, const char *text)
{
    char *line = lines->line[lines->count++ % ENTRY_LINES];
    time_t seconds = (time_t)(wall_us / 1000000u);
    struct tm tm;
    char stamp[12];
    localtime_r(&seconds, &tm);
    strftime(stamp, sizeof stamp, "%H:%M:%S", &tm);
    snprintf(line, sizeof lines->line[0], "%s %s", stamp, text);
}

const char *entry_lines_text(struct entry_lines *lines)
{
    size_t at = 0;
    lines->text[0] = '\0';
    for (unsigned i = lines->count > ENTRY_LINES ? lines->count - ENTRY_LINES : 0; i < lines->count;
         i++) {
        int n = snprintf(lines->text + at, sizeof lines->text - at, "%s%s", at ? "\n" : "",
                         lines->line[i % ENTRY_LINES]);
        at += (size_t)n;
    }
    return lines->text;
}
