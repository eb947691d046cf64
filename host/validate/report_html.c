#include "validate/report_html.h"

#include "base/version.h"
#include "base/word.h"
#include "transcript/plot.h"
#include "validate/report.h"

#include <stdio.h>
#include <string.h>

#define LEAST_COLUMNS 40 /* least number of shown columns */

/* A picture of an exhibit; `other`: the exhibit's other picture; NULL: none. */
struct html_view {
    const struct html_out *out;
    const struct picture *picture, *other;
    unsigned rows, columns; /* shown size; both pictures are blank beyond */
};

static bool is_blank(const struct picture *picture, unsigned row, unsigned column)
{
    const struct picture_cell *cell = picture_at(picture, row, column);
    return cell->chars[0] == ' ' && cell->bg == PICTURE_DEFAULT && !cell->look &&
           (picture->cursor_row != row || picture->cursor_column != column);
}

static void extent_grow(const struct picture *picture, unsigned *rows, unsigned *columns)
{
    for (unsigned row = 0; row < picture->rows; row++) {
        for (unsigned column = 0; column < picture->columns; column++) {
            if (is_blank(picture, row, column))
                continue;
            *rows = row >= *rows ? row + 1 : *rows;
            *columns = column >= *columns ? column + 1 : *columns;
        }
    }
}

static bool cells_differ(const struct picture_cell *a, const struct picture_cell *b)
{
    return memcmp(a->chars, b->chars, sizeof a->chars) != 0 || a->fg != b->fg || a->bg != b->bg ||
           a->look != b->look || a->width != b->width;
}

static bool has_cursor(const struct picture *picture, unsigned row, unsigned column)
{
    return picture->cursor_shown && picture->cursor_row == row && picture->cursor_column == column;
}

/* Writes a colour, or one of the terminal's default colours, which may be exchanged. */
static void colour_put(char out[16], uint32_t colour, const char *own, const char *exchanged)
{
    if (!(colour & PICTURE_DEFAULT))
        snprintf(out, 16, "#%06X", (unsigned)colour);
    else
        snprintf(out, 16, "%s", colour == PICTURE_DEFAULT ? own : exchanged);
}

static void cell_style(const struct html_view *view, unsigned row, unsigned column, char out[200])
{
    const struct picture_cell *cell = picture_at(view->picture, row, column);
    bool cursor = has_cursor(view->picture, row, column);
    bool differs = view->other && (cells_differ(cell, picture_at(view->other, row, column)) ||
                                   cursor != has_cursor(view->other, row, column));
    char fg[16], bg[16];
    colour_put(fg, cell->fg, "#ddd", "#111");
    colour_put(bg, cell->bg, "#111", "#ddd");
    snprintf(out, 200, "color:%s;background:%s%s%s%s%s%s", cursor ? bg : fg, cursor ? fg : bg,
             cell->look & LOOK_BOLD ? ";font-weight:bold" : "",
             cell->look & LOOK_UNDERLINE ? ";text-decoration:underline" : "",
             cell->look & LOOK_ITALIC ? ";font-style:italic" : "",
             cell->look & LOOK_STRIKE ? ";text-decoration:line-through" : "",
             differs ? ";outline:2px solid #f33" : "");
}

/* Writes a row. Adjacent cells of one style share an element. */
static void row_put(const struct html_view *view, unsigned row)
{
    char style[200] = "", next[200], text[4 * PICTURE_CHARS + 1];
    for (unsigned column = 0; column < view->columns; column++) {
        const struct picture_cell *cell = picture_at(view->picture, row, column);
        if (!cell->width)
            continue;
        cell_style(view, row, column, next);
        if (strcmp(style, next) != 0) {
            if (style[0])
                html_put(view->out, "</span>");
            html_put(view->out, "<span style=\"%s\">", next);
            strcpy(style, next);
        }
        text[picture_cell_text(cell, text)] = '\0';
        html_put(view->out, "%s", text);
    }
    if (style[0])
        html_put(view->out, "</span>");
    html_put(view->out, "\n");
}

static void screen_put(const struct html_out *out, const char *name, const struct picture *picture,
                       const struct picture *other)
{
    struct html_view view = {out, picture, other, 1, LEAST_COLUMNS};
    if (view.columns > picture->columns)
        view.columns = picture->columns;
    extent_grow(picture, &view.rows, &view.columns);
    if (other)
        extent_grow(other, &view.rows, &view.columns);
    html_put(out,
             "<figure style=\"margin:0;display:inline-block;vertical-align:top;"
             "text-align:left\"><figcaption>%s, "
             "%u by %u",
             name, picture->columns, picture->rows);
    if (picture->title[0])
        html_put(out, "; title: %s", picture->title);
    html_put(out, "</figcaption>\n<pre style=\"margin:.3em 1em .8em 0;padding:.6em;"
                  "background:#111;font:12px/1.3 'DejaVu Sans Mono',monospace;"
                  "overflow-wrap:normal\">");
    for (unsigned row = 0; row < view.rows; row++)
        row_put(&view, row);
    html_put(out, "</pre></figure>\n");
}

/* Base64 encoder (RFC 4648, section 4) for bytes in any split. */
struct base64 {
    const struct html_out *out;
    uint32_t bits;
    unsigned count; /* number of bytes in `bits` */
    char line[1024];
    size_t length;
};

static void base64_flush(struct base64 *b)
{
    b->out->write(b->out->ctx, b->line, b->length);
    b->length = 0;
}

static void base64_group(struct base64 *b)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t bits = b->bits << (8 * (3 - b->count));
    for (unsigned i = 0; i < 4; i++)
        b->line[b->length++] = i <= b->count ? digits[bits >> (18 - 6 * i) & 63] : '=';
    b->bits = b->count = 0;
    if (b->length + 4 > sizeof b->line)
        base64_flush(b);
}

static void base64_put(struct base64 *b, uint32_t value, unsigned width)
{
    for (unsigned i = 0; i < width; i++) {
        b->bits = b->bits << 8 | (value >> (8 * i) & 0xFF);
        if (++b->count == 3)
            base64_group(b);
    }
}

/* Writes a bitmap (BITMAPFILEHEADER and BITMAPINFOHEADER, 24 bits, rows from the bottom). */
static void image_put(const struct html_out *out, const struct exhibit *e)
{
    struct base64 b = {.out = out};
    unsigned pad = e->width % 4, size = (3 * e->width + pad) * e->height;
    const uint32_t header[] = {54 + size, 0, 54, 40, e->width, e->height, 1 | 24 << 16, 0, size};
    html_put(out,
             "<h3>%s</h3>\n<p><img alt=\"%s\" style=\"max-width:100%%\" src=\"data:image/bmp;"
             "base64,",
             e->title, e->title);
    base64_put(&b, 'B' | 'M' << 8, 2);
    for (size_t i = 0; i < sizeof header / sizeof header[0]; i++)
        base64_put(&b, header[i], 4);
    base64_put(&b, 0, 4); /* resolution and palette: unspecified */
    base64_put(&b, 0, 4);
    base64_put(&b, 0, 4);
    base64_put(&b, 0, 4);
    for (unsigned y = e->height; y-- > 0;) {
        for (unsigned x = 0; x < e->width; x++) {
            const uint8_t *p = e->image + ((size_t)y * e->width + x) * 3;
            base64_put(&b, (uint32_t)p[2] | (uint32_t)p[1] << 8 | (uint32_t)p[0] << 16, 3);
        }
        base64_put(&b, 0, pad);
    }
    if (b.count)
        base64_group(&b);
    base64_flush(&b);
    html_put(out, "\"/></p>\n");
}

static void exhibit_put(const struct html_out *out, const struct exhibit *exhibit)
{
    const struct picture *left = exhibit->left, *right = exhibit->right;
    bool alike;
    if (exhibit->image) {
        image_put(out, exhibit);
        return;
    }
    alike = right && right->rows == left->rows && right->columns == left->columns;
    html_put(
        out,
        "<h3>%s</h3>\n<div style=\"width:94vw;margin-left:calc(50%% - 47vw);text-align:center\">\n",
        exhibit->title);
    screen_put(out, exhibit->left_name, left, alike ? right : NULL);
    if (right)
        screen_put(out, exhibit->right_name, right, alike ? left : NULL);
    html_put(out, "</div>\n");
    if (alike)
        html_put(out, "<p class=\"small\">Cells that differ are outlined; the cursor is a block."
                      "</p>\n");
}

static const char *colour_of(enum verdict verdict)
{
    static const char *const words[] = {
        [VERDICT_PASS] = "#1a7f37",
        [VERDICT_FAIL] = "#b00020",
        [VERDICT_WARN] = "#9a6700",
        [VERDICT_SKIP] = "#555",
    };
    return WORD_OF(words, verdict, "#555");
}

/* Writes lines, each with its newline. */
static void lines_put(const struct html_out *out, const char *text)
{
    while (*text) {
        char line[FINDING_EVIDENCE];
        size_t length = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        html_put(out, "%s\n", line);
        text += length + (text[length] == '\n');
    }
}

static bool is_bad(const struct finding *f)
{
    return f->verdict == VERDICT_FAIL || f->verdict == VERDICT_WARN;
}

static void finding_put(const struct html_out *out, const struct validate_report *report,
                        const struct finding *f, const char *again)
{
    char only[REPORT_REPEAT];
    report_repeat(f, report->options, only);
    html_put(out, "<h2 id=\"%s\"><b style=\"color:%s\">%s</b> %s", f->check->id,
             colour_of(f->verdict), verdict_word(f->verdict), f->check->id);
    if (f->rule)
        html_put(out, " <span class=\"rule\">%s</span>", f->rule);
    html_put(out, "</h2>\n<p>%s</p>\n<table>\n<tr><th>asked</th><td>%s</td></tr>\n", f->what,
             f->check->asks);
    if (f->expected[0])
        html_put(out, "<tr><th>expected</th><td>%s</td></tr>\n", f->expected);
    if (f->came[0])
        html_put(out, "<tr><th>came</th><td>%s</td></tr>\n", f->came);
    html_put(out, "<tr><th>runs</th><td>so in %u of %u</td></tr>\n", f->failed, f->runs);
    html_put(out, "<tr><th>again</th><td><code>%s%s</code></td></tr>\n</table>\n", again, only);
    /* Two screens side by side replace the evidence's text. */
    if (f->evidence[0] && !(f->exhibits && f->exhibits->right)) {
        html_put(out, "<pre class=\"hex\" style=\"white-space:pre-wrap\">");
        lines_put(out, f->evidence);
        html_put(out, "</pre>\n");
    }
    for (const struct exhibit *e = f->exhibits; e; e = e->next)
        exhibit_put(out, e);
}

static void programs_put(const struct html_out *out, const struct validate_options *o)
{
    const struct {
        const char *name, *command;
    } rows[] = {{"Entry", o->program},
                {"judge's end", o->judge_end},
                {"entity's end", o->entity_end},
                {"folder", o->folder}};
    html_put(out, "<table>\n");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].command)
            html_put(out, "<tr><th>%s</th><td><code>%s</code></td></tr>\n", rows[i].name,
                     rows[i].command);
    html_put(out, "<tr><th>rules</th><td>%s</td></tr>\n</table>\n", o->ruleset->title);
}

/* Draws the gaps of the Entry's typing, a bar for each length. */
static void gaps_put(const struct html_out *out, const struct validate_report *r)
{
    if (!r->gaps_all)
        return;
    html_put(out, "<h2 id=\"gaps\">Gaps between its keys</h2>\n");
    plot_gaps(out, "how many gaps of each length", &r->gaps);
}

static void first_put(const struct html_out *out, const struct validate_report *report)
{
    const struct finding *first = report_first(report);
    char says[REPORT_TOTALS];
    if (report_verdict(report) == REPORT_OPEN) {
        report_says(report, says);
        html_put(out, "<p><b>What is missing:</b> %s.</p>\n", says);
    }
    if (!first)
        return;
    html_put(out, "<p><b>Mend first: <a href=\"#%s\">%s</a>.</b> %s", first->check->id,
             first->check->id, first->what);
    if (first->expected[0])
        html_put(out, "; expected: %s", first->expected);
    html_put(out, ".</p>\n");
}

void report_html(const struct validate_report *report, const char *again,
                 const struct html_out *out)
{
    char totals[REPORT_TOTALS];
    char headline[REPORT_HEADLINE];
    bool accepted = report_verdict(report) == REPORT_ACCEPTED;
    report_totals(report, totals);
    report_headline(report, headline);
    html_begin(out, "Validation");
    html_put(out, "<h1>%s</h1>\n",
             report->options->kind == VALIDATE_ENTRY ? "An Entry, validated"
                                                     : "A communications program, validated");
    html_put(out, "<p style=\"font-size:1.3em\"><b style=\"color:%s\">%s</b></p>\n",
             accepted ? "#1a7f37" : "#b00020", headline);
    first_put(out, report);
    html_put(out, "<p class=\"small\">boothlink %s%s%s</p>\n", BL_VERSION,
             report->made[0] ? ", " : "", report->made);
    html_put(out,
             "<p class=\"note\" style=\"border-color:%s;background:#f6f6f6;white-space:pre-line\">",
             accepted ? "#1a7f37" : "#b00020");
    lines_put(out, totals);
    html_put(out, "</p>\n");
    programs_put(out, report->options);
    html_put(out, "<h2>The checks</h2>\n<table>\n");
    for (unsigned i = 0; i < report->count; i++) {
        const struct finding *f = &report->finding[i];
        html_put(out,
                 "<tr style=\"overflow-wrap:normal\"><td style=\"color:%s\"><b>%s</b></td>"
                 "<td style=\"white-space:nowrap\">",
                 colour_of(f->verdict), verdict_word(f->verdict));
        if (is_bad(f))
            html_put(out, "<a href=\"#%s\">%s</a>", f->check->id, f->check->id);
        else
            html_put(out, "%s", f->check->id);
        html_put(out, "</td><td class=\"rule\">%s</td><td>%s</td></tr>\n", f->rule ? f->rule : "",
                 f->what);
    }
    html_put(out, "</table>\n");
    gaps_put(out, report);
    for (unsigned i = 0; i < report->count; i++)
        if (is_bad(&report->finding[i]))
            finding_put(out, report, &report->finding[i], again);
    html_end(out);
}
