#include "contest/publish.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* The length of the longest recorded phrase at the start of text; 0: there is none. */
static size_t phrase_at(const struct contest *contest, const char *text, size_t length)
{
    size_t longest = 0;
    for (unsigned i = 0; i < contest->phrases; i++) {
        size_t n = strlen(contest->phrase[i]);
        if (n > longest && n <= length && strncasecmp(text, contest->phrase[i], n) == 0)
            longest = n;
    }
    return longest;
}

unsigned publish_text(const struct contest *contest, const char *text, size_t length,
                      void (*put)(void *ctx, const char *bytes, size_t length), void *ctx)
{
    unsigned replaced = 0;
    size_t from = 0;
    for (size_t at = 0; at < length;) {
        size_t n = phrase_at(contest, text + at, length - at);
        if (n == 0) {
            at++;
            continue;
        }
        put(ctx, text + from, at - from);
        put(ctx, PUBLISH_INSTEAD, sizeof PUBLISH_INSTEAD - 1);
        at += n;
        from = at;
        replaced++;
    }
    put(ctx, text + from, length - from);
    return replaced;
}

bool publish_has_key_lines(const char *text)
{
    for (; text; text = strchr(text, '\n')) {
        unsigned judge;
        int at = 0;
        text += *text == '\n';
        if (sscanf(text, "J%3u %n", &judge, &at) == 1 && at &&
            strspn(text + at, "0123456789") == 18)
            return true;
    }
    return false;
}
