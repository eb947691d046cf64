#include "transcript/plot.h"

#include "transcript/stats.h"
#include "transcript/words.h"

#include <math.h>
#include <stdio.h>

/* Sizes in dots. On the left is the strip, on the right the bars; both have a row for each length
 * of gap. */
#define WIDTH       760u
#define ROW         13u
#define LABEL_RIGHT 86u
#define STRIP_LEFT  92u
#define STRIP_WIDTH 490u
#define BARS_LEFT   594u
#define BARS_WIDTH  110u
#define HEADING     18u
#define AXIS        24u
#define LEGEND      22u
#define GRID_LINES  8u

/* room for each field with its word */
#define PART_TITLE (HISTORY_TEXT + 4 * HISTORY_WORD + 120)

#define STRIP_HEIGHT_MAX (PLOT_CLASSES_MAX * ROW)

static const unsigned below_ms[] = {10, 50, 100, 200, 500, 1000, 2000, 10000, 0};
#define CLASSES      (sizeof below_ms / sizeof below_ms[0])
#define STRIP_HEIGHT ((unsigned)CLASSES * ROW)

/* The dots of a strip with a mark. */
struct marks {
    uint8_t seen[STRIP_HEIGHT_MAX][(STRIP_WIDTH + 8) / 8];
};

/* The strip of one party, under drawing. */
struct strip {
    const struct html_out *out;
    unsigned y;              /* upper edge of the strip */
    uint64_t start_us, span; /* start and length of the part */
    uint64_t last_us;
    bool begun;
    unsigned keys, backspaces, pauses;
    struct plot_gaps gaps;
    struct marks keys_drawn, backspaces_drawn, returns_drawn, pauses_drawn;
};

/* The keys of one part, from index `first` to before `end`. */
struct plot_span {
    size_t first, end;
    uint64_t start_us, end_us;
    unsigned typed[SIDES][PARTIES];
    unsigned strips;
};

static unsigned class_of(const struct plot_gaps *gaps, uint64_t gap_us)
{
    unsigned row = 0;
    while (gaps->below_ms[row] && gap_us >= gaps->below_ms[row] * UINT64_C(1000))
        row++;
    return row;
}

void plot_gap_add(struct plot_gaps *gaps, uint64_t gap_us)
{
    gaps->count[class_of(gaps, gap_us)]++;
}

static unsigned classes_of(const struct plot_gaps *gaps)
{
    return class_of(gaps, UINT64_MAX) + 1;
}

/* The height of a gap's mark above the strip's lower edge: within the row of its class, on a
 * logarithmic scale. */
static unsigned height_of(const struct plot_gaps *gaps, uint64_t gap_us)
{
    unsigned row = class_of(gaps, gap_us);
    double above = gaps->below_ms[row] * 1e3;
    double under = row ? gaps->below_ms[row - 1] * 1e3 : above / 10;
    double part;
    if (above <= 0)
        above = under * 10;
    part = gap_us > 0 ? log((double)gap_us / under) / log(above / under) : 0;
    part = part < 0 ? 0 : part > 1 ? 1 : part;
    return row * ROW + 2 + (unsigned)(part * (ROW - 5));
}

static void begin(const struct html_out *out, unsigned height, const char *title)
{
    html_put(out,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"%u\" height=\"%u\" "
             "viewBox=\"0 0 %u %u\" font-family=\"DejaVu Sans,Arial,sans-serif\" font-size=\"11\" "
             "fill=\"#111\"><title>%s</title>\n<rect width=\"%u\" height=\"%u\" fill=\"#fff\"/>\n",
             WIDTH, height, WIDTH, height, title, WIDTH, height);
}

/* Draws the names of the rows, with a bar and a number for each. */
static void bars_put(const struct html_out *out, unsigned y, unsigned left, unsigned width,
                     const struct plot_gaps *gaps)
{
    unsigned most = 1, classes = classes_of(gaps);
    for (unsigned i = 0; i < classes; i++)
        most = gaps->count[i] > most ? gaps->count[i] : most;
    for (unsigned i = 0; i < classes; i++) {
        unsigned top = y + (classes - 1 - i) * ROW;
        unsigned long_ms = gaps->below_ms[i];
        unsigned dots = (unsigned)((uint64_t)gaps->count[i] * width / most);
        dots += gaps->count[i] && !dots;
        html_put(out, "<text x=\"%u\" y=\"%u\" text-anchor=\"end\">", LABEL_RIGHT, top + ROW - 3);
        if (long_ms >= 1000 && long_ms % 1000 == 0)
            html_put(out, "below %u s", long_ms / 1000);
        else if (long_ms)
            html_put(out, "below %u ms", long_ms);
        else
            html_put(out, "longer");
        html_put(out,
                 "</text><rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" fill=\"#444\"/>"
                 "<text x=\"%u\" y=\"%u\">%u</text>\n",
                 left, top + 2, dots, ROW - 4, left + dots + 5, top + ROW - 3, gaps->count[i]);
    }
}

void plot_gaps(const struct html_out *out, const char *title, const struct plot_gaps *gaps)
{
    begin(out, classes_of(gaps) * ROW + 4, title);
    bars_put(out, 2, STRIP_LEFT, STRIP_WIDTH, gaps);
    html_put(out, "</svg>\n");
}

static unsigned x_of(const struct strip *s, uint64_t at_us)
{
    double part = at_us > s->start_us ? (double)(at_us - s->start_us) / (double)s->span : 0;
    return STRIP_LEFT + (unsigned)(part * (STRIP_WIDTH - 2));
}

/* Marks the dot. True if the dot had no such mark before. */
static bool mark(struct marks *marks, unsigned x, unsigned height)
{
    uint8_t *byte = &marks->seen[height][(x - STRIP_LEFT) / 8];
    uint8_t bit = (uint8_t)(1u << (x - STRIP_LEFT) % 8);
    bool fresh = !(*byte & bit);
    *byte |= bit;
    return fresh;
}

/* Writes a key's mark as a part of an SVG path: a dot, for a BackSpace a cross, for a Return an
 * upright line. */
static void mark_put(struct strip *s, uint32_t point, unsigned x, unsigned height)
{
    unsigned y = s->y + STRIP_HEIGHT - height;
    if (point == KEY_BACKSPACE) {
        if (mark(&s->backspaces_drawn, x, height))
            html_put(s->out, "M%u %ul6 6m0-6l-6 6", x - 3, y - 3);
    } else if (point == KEY_RETURN) {
        if (mark(&s->returns_drawn, x, height))
            html_put(s->out, "M%u %uv9", x, y - 4);
    } else if (mark(&s->keys_drawn, x, height)) {
        html_put(s->out, "M%u %uh2m0 1h-2", x - 1, y);
    }
}

static void key_put(struct strip *s, const struct history_key *key)
{
    uint64_t gap = key->posted_us - s->last_us;
    bool counts = s->begun && key->posted_us >= s->last_us;
    unsigned x = x_of(s, key->posted_us), height = counts ? height_of(&s->gaps, gap) : 2;
    s->keys++;
    s->backspaces += key->point == KEY_BACKSPACE;
    if (counts)
        plot_gap_add(&s->gaps, gap);
    if (counts && gap > STATS_PAUSE_US) {
        unsigned from = x_of(s, s->last_us);
        s->pauses++;
        if (x > from + 3 && mark(&s->pauses_drawn, x, height))
            html_put(s->out, "M%u %uh%u", from, s->y + STRIP_HEIGHT - height, x - from - 3);
    }
    /* The first key, and a key whose time steps back, have no gap: their marks are at the
     * bottom. */
    mark_put(s, key->point, x, height);
    s->last_us = key->posted_us;
    s->begun = true;
}

static const char *name_of(const struct plot_names *names, unsigned side, unsigned party,
                           char room[24])
{
    if (names->party[side][party])
        return names->party[side][party];
    snprintf(room, 24, "%s %s", words_side(side), words_party(party));
    return room;
}

static void strip_put(const struct html_out *out, const struct history *history,
                      const struct plot_span *range, unsigned y, const char *name, unsigned side,
                      unsigned party)
{
    struct strip s = {.out = out, .y = y + HEADING, .start_us = range->start_us};
    char share[24];
    s.span = range->end_us > range->start_us ? range->end_us - range->start_us : 1;
    s.gaps.below_ms = below_ms;
    html_put(out,
             "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" fill=\"none\" "
             "stroke=\"#777\"/><path stroke=\"#ccc\" d=\"",
             STRIP_LEFT - 2, s.y, STRIP_WIDTH + 4, STRIP_HEIGHT);
    for (unsigned i = 1; i < CLASSES; i++)
        html_put(out, "M%u %uh%u", STRIP_LEFT - 1, s.y + i * ROW, STRIP_WIDTH + 2);
    html_put(out, "\"/>\n<path stroke=\"#111\" stroke-width=\"1.2\" fill=\"none\" d=\"");
    for (size_t i = range->first; i < range->end; i++)
        if (history->key[i].side == side && history->key[i].party == party)
            key_put(&s, &history->key[i]);
    html_put(out, "\"/>\n");
    bars_put(out, s.y, BARS_LEFT, BARS_WIDTH, &s.gaps);
    snprintf(share, sizeof share, "%.1f", 100.0 * s.backspaces / s.keys);
    html_put(out,
             "<text x=\"%u\" y=\"%u\" style=\"font-weight:bold\">%s</text><text x=\"%u\" y=\"%u\" "
             "text-anchor=\"end\">keys %u, BackSpaces %u (%s %%), pauses %u</text>\n",
             STRIP_LEFT, y + HEADING - 5, name, STRIP_LEFT + STRIP_WIDTH, y + HEADING - 5, s.keys,
             s.backspaces, share, s.pauses);
}

/* The seconds between two marks of the axis. */
static uint64_t step_of(uint64_t span_s)
{
    static const unsigned steps[] = {1, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21600};
    uint64_t step = 86400;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
        if (span_s / steps[i] <= GRID_LINES)
            return steps[i];
    while (span_s / step > GRID_LINES)
        step *= 2;
    return step;
}

static void clock_text(uint64_t seconds, char out[32])
{
    unsigned hours = (unsigned)(seconds / 3600);
    if (hours)
        snprintf(out, 32, "%u:%02u:%02u", hours, (unsigned)(seconds / 60 % 60),
                 (unsigned)(seconds % 60));
    else
        snprintf(out, 32, "%u:%02u", (unsigned)(seconds / 60), (unsigned)(seconds % 60));
}

static void axis_put(const struct html_out *out, const struct plot_span *range, unsigned y)
{
    uint64_t span_s = (range->end_us - range->start_us) / 1000000, step = step_of(span_s);
    struct strip s = {.start_us = range->start_us, .span = range->end_us - range->start_us};
    s.span += s.span == 0;
    html_put(out, "<text x=\"%u\" y=\"%u\" text-anchor=\"end\">minutes</text>\n", LABEL_RIGHT - 14,
             y + 15);
    for (uint64_t at = 0; at <= span_s; at += step) {
        unsigned x = x_of(&s, range->start_us + at * 1000000);
        char text[32];
        clock_text(at, text);
        html_put(out,
                 "<path stroke=\"#777\" d=\"M%u %uv4\"/><text x=\"%u\" y=\"%u\" "
                 "text-anchor=\"middle\">%s</text>\n",
                 x, y, x, y + 15, text);
    }
}

static void legend_put(const struct html_out *out, unsigned y)
{
    static const struct {
        unsigned x;
        const char *mark, *text;
    } signs[] = {{STRIP_LEFT, "m-1-4h2m0 1h-2", "key"},
                 {STRIP_LEFT + 60, "m-3-7l6 6m0-6l-6 6", "BackSpace"},
                 {STRIP_LEFT + 150, "m0-8v9", "Return"},
                 {STRIP_LEFT + 215, "m-12-4h16", "pause of more than 2 s, as long as it is drawn"}};
    html_put(out, "<text x=\"%u\" y=\"%u\">how many gaps</text>\n", BARS_LEFT, y + 15);
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
        html_put(out,
                 "<path stroke=\"#111\" stroke-width=\"1.2\" fill=\"none\" d=\"M%u %u%s\"/>"
                 "<text x=\"%u\" y=\"%u\">%s</text>\n",
                 signs[i].x, y + 15, signs[i].mark, signs[i].x + 9, y + 15, signs[i].text);
}

/* Finds the next part that has keys; false at the end. */
static bool range_next(const struct history *history, struct plot_span *range)
{
    size_t first = range->end;
    *range = (struct plot_span){.first = first, .end = first};
    if (first >= history->keys)
        return false;
    range->start_us = range->end_us = history->key[first].posted_us;
    for (; range->end < history->keys; range->end++) {
        const struct history_key *key = &history->key[range->end];
        if (key->part != history->key[first].part)
            break;
        range->start_us = key->posted_us < range->start_us ? key->posted_us : range->start_us;
        range->end_us = key->posted_us > range->end_us ? key->posted_us : range->end_us;
        range->strips += range->typed[key->side][key->party]++ == 0;
    }
    return true;
}

/* Describes a part by its judge and entities, as far as the file names them. */
static void part_title(const struct history *history, size_t part, char out[PART_TITLE])
{
    static const struct {
        enum history_field field;
        const char *word;
    } said[] = {{FIELD_JUDGE, "judge"},
                {FIELD_ROUND, "round"},
                {FIELD_SUBROUND, "subround"},
                {FIELD_PROGRAM, "program"},
                {FIELD_HUMAN, "human"}};
    size_t length = 0;
    out[0] = '\0';
    if (history->parts > 1)
        length = (size_t)snprintf(out, PART_TITLE, "part %zu", part + 1);
    for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
        const char *value = history_field_of(history, part, said[i].field);
        if (value[0])
            length += (size_t)snprintf(out + length, PART_TITLE - length, "%s%s %s",
                                       length ? ", " : "", said[i].word, value);
    }
}

static unsigned range_height(const struct history *history, const struct plot_span *range)
{
    char title[PART_TITLE];
    part_title(history, history->key[range->first].part, title);
    return (title[0] ? HEADING : 0) + range->strips * (HEADING + STRIP_HEIGHT) + AXIS;
}

static void range_put(const struct html_out *out, const struct history *history,
                      const struct plot_span *range, unsigned y, const struct plot_names *names)
{
    char title[PART_TITLE];
    part_title(history, history->key[range->first].part, title);
    if (title[0])
        html_put(out, "<text x=\"%u\" y=\"%u\">%s</text>\n", STRIP_LEFT, y + HEADING - 5, title);
    y += title[0] ? HEADING : 0;
    for (unsigned i = 0; i < SIDES * PARTIES; i++) {
        unsigned side = i / PARTIES, party = i % PARTIES;
        char room[24];
        if (!range->typed[side][party])
            continue;
        strip_put(out, history, range, y, name_of(names, side, party, room), side, party);
        y += HEADING + STRIP_HEIGHT;
    }
    axis_put(out, range, y);
}

void plot_typing(const struct html_out *out, const struct history *history,
                 const struct plot_names *names)
{
    struct plot_span range = {.end = 0};
    unsigned height = LEGEND, y = 0;
    while (range_next(history, &range))
        height += range_height(history, &range);
    begin(out, height, names->title);
    range = (struct plot_span){.end = 0};
    while (range_next(history, &range)) {
        range_put(out, history, &range, y, names);
        y += range_height(history, &range);
    }
    legend_put(out, y);
    html_put(out, "</svg>\n");
}
