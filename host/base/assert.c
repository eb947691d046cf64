#include "base/assert.h"

#include "base/log.h"
#include "base/status.h"

#include <stdio.h>
#include <stdlib.h>

static void (*last_words)(void *ctx, const char *line);
static void *last_ctx;

void bl_assert_last(void (*last)(void *ctx, const char *line), void *ctx)
{
    last_words = last;
    last_ctx = ctx;
}

void bl_assert_failed(const char *condition, const char *file, int line)
{
    void (*last)(void *, const char *) = last_words;
    char text[240];
    snprintf(text, sizeof text, "a fault of boothlink, at %s:%d: not %s", file, line, condition);
    last_words = NULL; /* an assertion may fail in the callback, too */
    if (last)
        last(last_ctx, text);
    log_warnx("%s; nothing on record is lost: start it again", text);
    exit(bl_status_exit(BL_SOFTWARE));
}
