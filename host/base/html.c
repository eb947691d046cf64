#include "base/html.h"

#include "base/utf8.h"

#include <assert.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define REPLACEMENT "\xEF\xBF\xBD" /* U+FFFD */

static void put_bytes(const struct html_out *out, const char *bytes, size_t length)
{
    if (length)
        out->write(out->ctx, bytes, length);
}

static void put_text(const struct html_out *out, const char *text)
{
    put_bytes(out, text, strlen(text));
}

/* True if a character may be in the page. XML 1.0 forbids most control characters and U+FFFE and
 * U+FFFF. A direction mark in a name would rearrange the text beside it (Unicode, annex 9). */
static bool is_shown(uint32_t point)
{
    return point >= 0x20 && (point < 0x7F || point > 0x9F) && point != 0x200E && point != 0x200F &&
           !(point >= 0x2028 && point <= 0x202E) && !(point >= 0x2066 && point <= 0x2069) &&
           (point & 0xFFFE) != 0xFFFE;
}

static void put_escaped(const struct html_out *out, const char *text)
{
    size_t left = strlen(text);
    while (left) {
        uint32_t point;
        size_t taken = utf8_decode((const uint8_t *)text, left, &point);
        if (taken == 0 || !is_shown(point))
            put_text(out, REPLACEMENT);
        else if (point == '&')
            put_text(out, "&amp;");
        else if (point == '<')
            put_text(out, "&lt;");
        else if (point == '>')
            put_text(out, "&gt;");
        else if (point == '"')
            put_text(out, "&quot;");
        else if (point == '\'')
            put_text(out, "&#39;");
        else
            put_bytes(out, text, taken);
        taken += taken == 0;
        text += taken;
        left -= taken;
    }
}

void html_put(const struct html_out *out, const char *format, ...)
{
    char number[16];
    va_list args;
    va_start(args, format);
    for (;;) {
        size_t length = strcspn(format, "%");
        put_bytes(out, format, length);
        format += length;
        if (*format == '\0')
            break;
        switch (format[1]) {
        case 's':
            put_escaped(out, va_arg(args, const char *));
            break;
        case 'd':
            snprintf(number, sizeof number, "%d", va_arg(args, int));
            put_text(out, number);
            break;
        case 'u':
            snprintf(number, sizeof number, "%u", va_arg(args, unsigned));
            put_text(out, number);
            break;
        default:
            assert(format[1] == '%');
            put_text(out, "%");
        }
        format += 2;
    }
    va_end(args);
}

void html_path(const struct html_out *out, const char *path)
{
    static const char digits[] = "0123456789ABCDEF";
    put_text(out, path[0] == '/' ? "" : "./");
    while (path[0] == '/' && path[1] == '/') /* two slashes would begin a host name */
        path++;
    for (; *path; path++) {
        unsigned char c = (unsigned char)*path;
        bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                     strchr("-._~/", c);
        const char code[3] = {'%', digits[c >> 4], digits[c & 15]};
        put_bytes(out, plain ? path : code, plain ? 1 : sizeof code);
    }
}

void html_hex(const struct html_out *out, const unsigned char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        char text[3];
        snprintf(text, sizeof text, "%02x", bytes[i]);
        put_text(out, text);
    }
}

static const char style[] =
    "body{font:11pt/1.4 'DejaVu Sans',Arial,sans-serif;color:#111;background:#fff;max-width:48em;"
    "margin:2em auto;padding:0 1em;overflow-wrap:break-word}"
    "h1{font-size:1.7em;line-height:1.2;margin:.2em 0}"
    "h2{font-size:1.2em;margin:1.6em 0 .4em;border-bottom:2px solid #111}"
    "h3{font-size:1em;margin:1.2em 0 .3em}"
    "table{border-collapse:collapse;margin:.4em 0;width:100%}"
    "th,td{border:1px solid #999;padding:.2em .5em;text-align:left;vertical-align:top}"
    "th{background:#eee}th:first-child{white-space:nowrap;width:4em}td.n{text-align:right}"
    "td.w,.win{background:#e3edf9;font-weight:bold}"
    ".apart th:first-child{width:13em}td.rule:first-child{white-space:nowrap}"
    ".rule{color:#444;font-size:.9em}.small{color:#444;font-size:.9em}"
    ".note{border-left:4px solid #b35900;background:#fff4e5;padding:.4em .8em;margin:.8em 0}"
    ".labels{display:grid;grid-template-columns:repeat(4,1fr);gap:.4em;margin:0 0 1.2em;"
    "overflow-wrap:normal}.label{border:2px solid #111;padding:.4em .6em;font-size:.9em}"
    ".label b{font-size:1.25em;display:block}.row{grid-column:1/-1;margin-top:-.4em}"
    ".move,.time{white-space:nowrap}.move{margin-right:1em}.words{width:28%}.port{font-size:.78em;"
    "color:#444}."
    "rules{font-size:.85em}.blank "
    "td{height:2em}.blank "
    "td:nth-child(2){width:40%}"
    ".hex{font-family:monospace;font-size:.8em}"
    ".sheet{break-after:page}.sheet+.sheet{border-top:1px dashed #999;padding-top:1em;"
    "margin-top:3em}svg{max-width:100%;height:auto}svg text{font:11px 'DejaVu Sans',Arial,"
    "sans-serif}"
    "@page{margin:18mm 16mm}"
    "@media print{body{max-width:none;margin:0;padding:0;font-size:10pt}"
    "h1,h2,h3,tr:first-child{break-after:avoid}th,td{border-color:#333}"
    "*{print-color-adjust:exact;-webkit-print-color-adjust:exact}"
    "h2,h3,h2+p,p.small{break-after:avoid}tr,svg,.note,.whole,.labels,.apart{"
    "break-inside:avoid}table{width:calc(100% - 1px)}"
    ".sheet+.sheet{border:0;padding:0;margin:0}a{color:inherit}}";

void html_begin(const struct html_out *out, const char *title)
{
    put_text(out, "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n"
                  "<head>\n<meta charset=\"utf-8\"/>\n"
                  "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                  "style-src 'unsafe-inline'; img-src data:\"/>\n"
                  "<meta name=\"viewport\" content=\"width=device-width\"/>\n");
    html_put(out, "<title>%s</title>\n<style>", title);
    put_text(out, style);
    put_text(out, "</style>\n</head>\n<body>\n");
}

void html_end(const struct html_out *out)
{
    put_text(out, "</body>\n</html>\n");
}
