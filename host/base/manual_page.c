#include "base/manual_page.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define PREFIX "boothlink-"

enum {
    WIDTH = 80,
    INDENT = 4,
    SOURCE_LINE_MAX = 1024, /* bytes of a source line with its NUL; longer lines are truncated */
    ARGS_MAX = 16,
};

const char *manual_page_topic(const struct built_text *page, char out[MANUAL_LINE_MAX])
{
    const char *name = page->name + strlen(PREFIX);
    snprintf(out, MANUAL_LINE_MAX, "%.*s", (int)strcspn(name, "."), name);
    return out;
}

const struct built_text *manual_page_find(const char *word)
{
    char topic[MANUAL_LINE_MAX];
    const size_t prefix = strlen(PREFIX);
    if (strncmp(word, PREFIX, prefix) == 0)
        word += prefix;
    const size_t length = strcspn(word, ".(");
    for (const struct built_text *page = manual_pages; page->name; page++) {
        const char section = page->name[strlen(page->name) - 1];
        manual_page_topic(page, topic);
        if (strlen(topic) == length && strncmp(topic, word, length) == 0 &&
            (!word[length] || word[length + 1] == section))
            return page;
    }
    return NULL;
}

/* Sets *text to the text of the escape at `at`. Returns the escape's length in the source. */
static size_t read_escape(const char *at, const char **text)
{
    static const struct {
        char name[3];
        const char *text;
    } characters[] = {
        {"bu", "•"}, {"dq", "\""}, {"aq", "'"}, {"lq", "“"}, {"rq", "”"}, {"em", "—"},
    };
    *text = "";
    switch (at[1]) {
    case '-':
        *text = "-";
        return 2;
    case 'e':
        *text = "\\";
        return 2;
    case ' ':
        *text = " ";
        return 2;
    case 'f':
        return at[2] ? 3 : 2;
    case '(':
        for (size_t i = 0; i < sizeof characters / sizeof characters[0]; i++)
            if (strncmp(at + 2, characters[i].name, 2) == 0)
                *text = characters[i].text;
        return at[2] && at[3] ? 4 : 2;
    }
    return at[1] ? 2 : 1;
}

/* Replaces the escapes of a source line by their texts; `out` has SOURCE_LINE_MAX bytes. */
static void plain(const char *source, char *out)
{
    size_t used = 0;
    while (*source && used + 4 < SOURCE_LINE_MAX) {
        const char *text;
        if (*source == '\\') {
            source += read_escape(source, &text);
            used += (size_t)snprintf(out + used, SOURCE_LINE_MAX - used, "%s", text);
        } else {
            out[used++] = *source++;
        }
    }
    out[used] = '\0';
}

const char *manual_page_title(const struct built_text *page, char out[MANUAL_LINE_MAX])
{
    const char *name = strstr(page->text, "\n.SH NAME\n");
    const char *dash = name ? strstr(name, " \\- ") : NULL;
    char line[SOURCE_LINE_MAX], text[SOURCE_LINE_MAX];
    dash = dash ? dash + strlen(" \\- ") : "";
    snprintf(line, sizeof line, "%.*s", (int)strcspn(dash, "\n"), dash);
    plain(line, text);
    snprintf(out, MANUAL_LINE_MAX, "%.*s", MANUAL_LINE_MAX - 1, text);
    return out;
}

struct manual_layout {
    FILE *out;
    int base, indent; /* columns left of a paragraph, and left of the current text */
    int column;       /* columns of the printed line so far */
    bool nofill, tag, blank;
};

/* The number of UTF-8 characters in `bytes` bytes of text. */
static int width_of(const char *text, size_t bytes)
{
    int width = 0;
    for (size_t i = 0; i < bytes; i++)
        width += ((unsigned char)text[i] & 0xC0) != 0x80;
    return width;
}

static void end_line(struct manual_layout *l)
{
    if (l->column)
        fputc('\n', l->out);
    l->column = 0;
}

static void blank_line(struct manual_layout *l)
{
    end_line(l);
    if (!l->blank)
        fputc('\n', l->out);
    l->blank = true;
}

static void put_word(struct manual_layout *l, const char *word, size_t bytes)
{
    const int width = width_of(word, bytes);
    if (l->column > l->indent && l->column + 1 + width > WIDTH)
        end_line(l);
    if (l->column > l->indent) {
        fputc(' ', l->out);
        l->column++;
    }
    if (l->column < l->indent)
        fprintf(l->out, "%*s", l->indent - l->column, "");
    fwrite(word, 1, bytes, l->out);
    l->column = (l->column > l->indent ? l->column : l->indent) + width;
    l->blank = false;
}

/* Prints one line of text of the source: unchanged in nofill mode, otherwise word by word. */
static void put_text(struct manual_layout *l, const char *text)
{
    if (l->nofill) {
        if (*text)
            fprintf(l->out, "%*s%s", l->indent, "", text);
        fputc('\n', l->out);
        l->column = 0;
        l->blank = !*text;
        return;
    }
    for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
        size_t bytes = strcspn(text, " ");
        put_word(l, text, bytes);
        text += bytes;
    }
    if (l->tag) {
        end_line(l);
        l->tag = false;
        l->indent = l->base + INDENT;
    }
}

/* Splits a request's line into arguments, in place, and removes their quotes. Returns their
 * number. */
static unsigned split(char *line, char **arg)
{
    unsigned count = 0;
    while (count < ARGS_MAX && *(line += strspn(line, " "))) {
        const char *end = *line == '"' ? "\"" : " ";
        line += *line == '"';
        arg[count++] = line;
        line += strcspn(line, end);
        if (*line)
            *line++ = '\0';
    }
    return count;
}

/* Prints the arguments of a font request. `blanks`: the request separates its arguments by blanks,
 * as .B and .I do and .BR does not. */
static void put_font(struct manual_layout *l, char **arg, unsigned count, bool blanks)
{
    char text[SOURCE_LINE_MAX] = "", out[SOURCE_LINE_MAX];
    size_t used = 0;
    for (unsigned i = 0; i < count && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", blanks && i ? " " : "",
                                 arg[i]);
    plain(text, out);
    put_text(l, out);
}

static void put_heading(struct manual_layout *l, char **arg, unsigned count, int indent)
{
    blank_line(l);
    l->indent = indent;
    l->nofill = false;
    put_font(l, arg, count, true);
    end_line(l);
    l->base = l->indent = INDENT;
}

static void put_request(struct manual_layout *l, const char *name, char **arg, unsigned count)
{
    if (strcmp(name, "SH") == 0 || strcmp(name, "SS") == 0) {
        put_heading(l, arg, count, name[1] == 'S' ? INDENT / 2 : 0);
        l->blank = true;
    } else if (strcmp(name, "PP") == 0 || strcmp(name, "TP") == 0 || strcmp(name, "IP") == 0) {
        blank_line(l);
        l->indent = l->base;
        l->tag = name[0] == 'T';
        if (name[0] == 'I') {
            put_font(l, arg, count ? 1 : 0, true);
            l->indent = l->base + (count > 1 ? atoi(arg[1]) : INDENT);
        }
    } else if (strcmp(name, "TQ") == 0) { /* .TQ: one more tag for the same paragraph */
        end_line(l);
        l->indent = l->base;
        l->tag = true;
    } else if (strcmp(name, "RS") == 0 || strcmp(name, "RE") == 0) {
        end_line(l);
        l->base += name[1] == 'S' ? INDENT : -INDENT;
        l->indent = l->base;
    } else if (strcmp(name, "br") == 0) {
        end_line(l);
    } else if (strcmp(name, "nf") == 0 || strcmp(name, "fi") == 0) {
        end_line(l);
        l->nofill = name[0] == 'n';
    } else if (strcmp(name, "TH") != 0 && strchr("BIR", name[0])) {
        put_font(l, arg, count, name[1] == '\0');
    }
}

void manual_page_print(const struct built_text *page, FILE *out)
{
    struct manual_layout l = {.out = out, .base = INDENT, .indent = INDENT, .blank = true};
    char topic[MANUAL_LINE_MAX];
    fprintf(out, PREFIX "%s(%c)\n\n", manual_page_topic(page, topic),
            page->name[strlen(page->name) - 1]);
    for (const char *at = page->text; *at;) {
        char line[SOURCE_LINE_MAX], text[SOURCE_LINE_MAX], *arg[ARGS_MAX];
        size_t length = strcspn(at, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, at);
        at += length + (at[length] == '\n');
        if (line[0] != '.') {
            plain(line, text);
            put_text(&l, text);
            continue;
        }
        unsigned count = split(line + 1, arg);
        if (count && arg[0][0] != '\\')
            put_request(&l, arg[0], arg + 1, count - 1);
    }
    end_line(&l);
}
