/* A page that plays a conversation with its true pauses: the keys as JSON, and a small script that
 * types them. The page needs no other file and may load none. Typed text is data: the JSON has no
 * '<', and the script makes text nodes. Without scripts the page shows the readable text. */
#include "transcript/history_private.h"

#include "base/html.h"
#include "base/utf8.h"
#include "transcript/player_page.h"

#include <string.h>

static const char *page_text(const char *name)
{
    for (const struct built_text *page = player_pages; page->name; page++)
        if (strcmp(page->name, name) == 0)
            return page->text;
    return "";
}

/* Writes a JSON string that browsers cannot take for markup. */
static void put_string(const struct out *out, const char *text)
{
    out_text(out, "\"");
    for (const char *at = text; *at;) {
        size_t plain = strcspn(at, "<>&");
        out_json(out, at, plain);
        at += plain;
        if (*at)
            out_text(out, *at == '<' ? "\\u003c" : *at == '>' ? "\\u003e" : "\\u0026");
        at += *at != '\0';
    }
    out_text(out, "\"");
}

static void put_point(const struct out *out, uint32_t point)
{
    char text[UTF8_MAX + 1] = "";
    if (point == KEY_RETURN)
        point = '\n';
    text[utf8_encode(point, (uint8_t *)text)] = '\0';
    put_string(out, text);
}

static void put_part(const struct out *out, const struct history *history, size_t number)
{
    const struct history_part *part = &history->part[number];
    const char *const words[][2] = {{"judge", part->judge},
                                    {"program", part->program},
                                    {"round", part->round},
                                    {"left", history_who_name((enum history_who)part->left)}};
    uint64_t last_us = 0;
    bool first = true;
    out_text(out, number ? ",\n{" : "{");
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++) {
        out_texts(out, "\"", words[i][0], "\":");
        put_string(out, words[i][1]);
        out_text(out, ",");
    }
    out_text(out, "\"keys\":[");
    for (size_t i = 0; i < history->keys; i++) {
        const struct history_key *key = &history->key[i];
        uint64_t at_us =
            key->posted_us > last_us ? key->posted_us : last_us; /* time never steps back */
        if (key->part != number)
            continue;
        if (first)
            last_us = at_us = key->posted_us;
        out_text(out, first ? "[" : ",\n[");
        out_number(out, (at_us - last_us) / 1000, 1);
        out_text(out, ",");
        out_number(out, key->side, 1);
        out_text(out, ",");
        out_number(out, key->party, 1);
        out_text(out, ",");
        put_point(out, key->point);
        out_text(out, "]");
        last_us += (at_us - last_us) / 1000 * 1000; /* rounding errors must not add up */
        first = false;
    }
    out_text(out, "]}");
}

struct escaped {
    const struct out *out;
};

static void write_escaped(void *ctx, const char *bytes, size_t length)
{
    const struct escaped *to = ctx;
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] == '<')
            out_text(to->out, "&lt;");
        else if (bytes[i] == '>')
            out_text(to->out, "&gt;");
        else if (bytes[i] == '&')
            out_text(to->out, "&amp;");
        else
            out_bytes(to->out, bytes + i, 1);
    }
}

enum bl_status write_html(struct writer *writer, const struct history *history, enum format format)
{
    const struct out *out = writer->out;
    struct escaped escaped = {out};
    const struct out text = {.write = write_escaped, .ctx = &escaped};
    const struct html_out html = {.write = out->write, .ctx = out->ctx};
    const char *title = history_field_of(history, 0, FIELD_TITLE);
    const char *notice = history_field_of(history, 0, FIELD_NOTICE);
    enum bl_status status;
    (void)format;
    title = title[0] ? title : "A conversation";
    html_put(&html,
             "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
             "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
             "style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; "
             "form-action 'none'\">\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
             "<meta name=\"color-scheme\" content=\"light dark\">\n<title>%s</title>\n<style>\n",
             title);
    out_text(out, page_text("player.css"));
    html_put(&html, "</style>\n</head>\n<body>\n<h1>%s</h1>\n", title);
    if (notice[0])
        html_put(&html, "<p class=\"notice\">%s</p>\n", notice);
    html_put(&html, "<main id=\"player\"></main>\n<noscript><pre>\n");
    status = history_draw(history, FORMAT_TEXT, &text);
    html_put(&html, "</pre></noscript>\n<script type=\"application/json\" id=\"keys\">\n");
    out_text(out, history->back_over_return ? "{\"over\":true,\"parts\":["
                                            : "{\"over\":false,\"parts\":[");
    for (size_t i = 0; i < history->parts; i++)
        put_part(out, history, i);
    out_text(out, "]}\n</script>\n<script>\n");
    out_text(out, page_text("player.js"));
    out_text(out, "</script>\n</body>\n</html>\n");
    return status;
}
