#include "form/encode.h"

#include "base/growing.h"
#include "base/utf8.h"

#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct encoding {
    struct growing sent;
    iconv_t set; /* -1: no conversion, UTF-8 */
    const char *boundary;
};

static void add(struct encoding *e, const char *bytes, size_t length)
{
    growing_put(&e->sent, bytes, length);
}

static void add_text(struct encoding *e, const char *text)
{
    growing_text(&e->sent, text);
}

static void add_url(struct encoding *e, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)bytes[i];
        char hex[4];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     (c && strchr("*-._", c));
        if (plain) {
            add(e, bytes + i, 1);
        } else if (c == ' ') {
            add(e, "+", 1);
        } else {
            snprintf(hex, sizeof hex, "%%%02X", c);
            add(e, hex, 3);
        }
    }
}

/* Converts one character to the document's character set. */
static size_t convert(struct encoding *e, const char *bytes, size_t length, char out[16])
{
    char *from = (char *)(uintptr_t)bytes, *to = out;
    size_t left = length, room = 16;
    uint32_t point = '?';
    if (e->set != (iconv_t)-1) {
        iconv(e->set, NULL, NULL, NULL, NULL);
        if (iconv(e->set, &from, &left, &to, &room) != (size_t)-1)
            return 16 - room;
        utf8_decode((const uint8_t *)bytes, length, &point);
        return (size_t)snprintf(out, 16, "&#%u;", point);
    }
    memcpy(out, bytes, length);
    return length;
}

static void add_value(struct encoding *e, const char *text)
{
    while (*text) {
        uint32_t point;
        char out[16];
        size_t taken = utf8_decode((const uint8_t *)text, strnlen(text, UTF8_MAX), &point);
        size_t length = convert(e, taken ? text : "?", taken ? taken : 1, out);
        if (e->boundary)
            add(e, out, length);
        else
            add_url(e, out, length);
        text += taken ? taken : 1;
    }
}

static void add_field(struct encoding *e, const char *name, const char *value)
{
    if (!e->boundary) {
        if (e->sent.length)
            add_text(e, "&");
        add_value(e, name);
        add_text(e, "=");
        add_value(e, value);
        return;
    }
    add_text(e, "--");
    add_text(e, e->boundary);
    add_text(e, "\r\nContent-Disposition: form-data; name=\"");
    for (const char *c = name; *c; c++) {
        if (*c == '"' || *c == '\r' || *c == '\n')
            add_text(e, *c == '"' ? "%22" : *c == '\r' ? "%0D" : "%0A");
        else
            add(e, c, 1);
    }
    add_text(e, "\"\r\n\r\n");
    add_value(e, value);
    add_text(e, "\r\n");
}

/* Chooses a boundary that no value contains. */
static void boundary_choose(const struct document_form *form, const char *text, char boundary[40])
{
    bool there = true;
    for (unsigned n = 0; there; n++) {
        snprintf(boundary, 40, "boothlink-form-%u", n);
        there = strstr(text, boundary) != NULL;
        for (unsigned i = 0; i < form->count && !there; i++)
            there = strstr(form->field[i].value, boundary) != NULL;
    }
}

char *encode_form(const struct document_form *form, const char *text, const char *charset,
                  size_t *length, char type[ENCODE_TYPE_MAX])
{
    struct encoding e = {.set = (iconv_t)-1};
    char boundary[40];
    if (strcasecmp(charset, "utf-8") != 0 && strcasecmp(charset, "utf8") != 0)
        e.set = iconv_open(charset, "UTF-8");
    snprintf(type, ENCODE_TYPE_MAX, "application/x-www-form-urlencoded");
    if (form->multipart) {
        boundary_choose(form, text, boundary);
        e.boundary = boundary;
        snprintf(type, ENCODE_TYPE_MAX, "multipart/form-data; boundary=%s", boundary);
    }
    add_text(&e, "");
    for (unsigned i = 0; i < form->count; i++)
        add_field(&e, form->field[i].name, i == form->text ? text : form->field[i].value);
    if (form->multipart) {
        add_text(&e, "--");
        add_text(&e, boundary);
        add_text(&e, "--\r\n");
    }
    if (e.set != (iconv_t)-1)
        iconv_close(e.set);
    *length = e.sent.length;
    if (e.sent.failed) {
        free(e.sent.bytes);
        return NULL;
    }
    return e.sent.bytes;
}
