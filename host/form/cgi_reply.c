#include "form/cgi_reply.h"

#include "base/utf8.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The end of the line at `at`, without a CR; *next: the text after the line. NULL: no line ends. */
static const char *line_end(const char *at, const char *end, const char **next)
{
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    if (!newline)
        return NULL;
    *next = newline + 1;
    return newline > at && newline[-1] == '\r' ? newline - 1 : newline;
}

/* False, without a change: the text is overlong or has a NUL. */
static bool copy(char out[REPLY_FIELD_MAX], const char *from, const char *to)
{
    size_t length = (size_t)(to - from);
    if (length >= REPLY_FIELD_MAX || memchr(from, '\0', length))
        return false;
    memcpy(out, from, length);
    out[length] = '\0';
    return true;
}

static enum bl_status status_take(struct reply *reply, const char *from, const char *to,
                                  struct bl_diag *diag)
{
    char text[REPLY_FIELD_MAX] = "";
    char *end;
    copy(text, from, to);
    unsigned long status = strtoul(text, &end, 10);
    if (end != text + 3 || status < 100 || status > 599 || (*end && *end != ' '))
        return bl_fail(diag, BL_DATA,
                       "it printed a Status that is none: expected as 'Status: 200 OK'");
    reply->status = (unsigned)status;
    return BL_OK;
}

static int is_name(const char *from, const char *colon, const char *name)
{
    return (size_t)(colon - from) == strlen(name) && strncasecmp(from, name, strlen(name)) == 0;
}

static enum bl_status field_take(struct reply *reply, const char *from, const char *to,
                                 struct bl_diag *diag)
{
    const char *colon = memchr(from, ':', (size_t)(to - from)), *value;
    char shown[40];
    utf8_plain(shown, sizeof shown, from, to - from > 38 ? 38 : (size_t)(to - from));
    if (!colon || colon == from)
        return bl_fail(diag, BL_DATA,
                       "it printed '%s' where a field was expected, as 'Content-Type: text/html', "
                       "and an empty line behind it",
                       shown);
    for (value = colon + 1; value < to && (*value == ' ' || *value == '\t'); value++)
        ;
    if (is_name(from, colon, "Content-Type"))
        copy(reply->type, value, to);
    else if (is_name(from, colon, "Location"))
        copy(reply->location, value, to);
    else if (is_name(from, colon, "Set-Cookie") && reply->cookies < REPLY_COOKIES)
        reply->cookies += copy(reply->cookie[reply->cookies], value, to);
    else if (is_name(from, colon, "Status"))
        return status_take(reply, value, to, diag);
    return BL_OK;
}

enum bl_status cgi_reply_parse(struct reply *reply, const char *bytes, size_t length,
                               struct bl_diag *diag)
{
    const char *at = bytes, *end = bytes + length, *next = NULL, *to;
    memset(reply, 0, sizeof *reply);
    while ((to = line_end(at, end, &next)) && to > at) {
        enum bl_status status = field_take(reply, at, to, diag);
        if (status)
            return status;
        at = next;
    }
    if (!to)
        return bl_fail(diag, BL_DATA,
                       length ? "no empty line stands behind the fields that it printed"
                              : "it printed nothing");
    if (!reply->type[0] && !reply->location[0])
        return bl_fail(diag, BL_DATA,
                       "it printed no Content-Type: expected 'Content-Type: text/html'");
    if (!reply->status)
        reply->status = reply->location[0] ? 302 : 200;
    reply->body = next;
    reply->length = (size_t)(end - next);
    return BL_OK;
}

void reply_charset(const char *type, char charset[32])
{
    const char *at = strcasestr(type, "charset=");
    size_t length = 0;
    charset[0] = '\0';
    if (!at)
        return;
    at += strlen("charset=");
    at += *at == '"' || *at == '\'';
    while (at[length] && !strchr("\"' ;\t", at[length]) && length < 31)
        length++;
    memcpy(charset, at, length);
    charset[length] = '\0';
}

int reply_is_html(const char *type)
{
    static const char *const types[] = {"text/html", "application/xhtml+xml"};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        size_t length = strlen(types[i]);
        if (strncasecmp(type, types[i], length) == 0 &&
            (!type[length] || strchr("; \t", type[length])))
            return 1;
    }
    return 0;
}
