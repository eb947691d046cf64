/* The charts of a report, as inline SVG. */
#include "contest/report_private.h"

#include "base/utf8.h"
#include "rules/ballot_kind.h"

#include <stdio.h>
#include <string.h>

#define ROW_HEIGHT  24
#define LABEL_WIDTH 230
#define LABEL_CHARS 24
#define BAR_WIDTH   300
#define WIDTH       720

void report_label(const struct contest *contest, unsigned candidate, unsigned most, char out[64])
{
    const char *name = contest_candidate(contest, candidate)->name;
    size_t left = strlen(name), length;
    schedule_code(candidate, contest->people[CONTEST_ENTRY], out);
    length = strlen(out);
    out[length++] = ' ';
    for (unsigned i = 0; left; i++) {
        uint32_t point;
        size_t taken = utf8_decode((const uint8_t *)name, left, &point);
        if (i == most || length + 8 > 64) {
            memcpy(out + length, "\xE2\x80\xA6", 3); /* an ellipsis */
            length += 3;
            break;
        }
        taken += taken == 0;
        memcpy(out + length, name, taken);
        length += taken;
        name += taken;
        left -= taken;
    }
    out[length] = '\0';
}

/* Draws the interval over the bar, a line with a stroke at each end. Returns the right end of bar
 * and line. */
static unsigned draw_likely(const struct html_out *out, const struct bar *bar, unsigned y,
                            unsigned width)
{
    unsigned low = (unsigned)(bar->likely.low * BAR_WIDTH + 0.5);
    unsigned high = (unsigned)(bar->likely.high * BAR_WIDTH + 0.5);
    html_put(out, "<path d=\"M%u %uH%uM%u %uv8M%u %uv8\" stroke=\"#111\" fill=\"none\"/>",
             LABEL_WIDTH + low, y, LABEL_WIDTH + high, LABEL_WIDTH + low, y - 4, LABEL_WIDTH + high,
             y - 4);
    return high > width ? high : width;
}

static void report_chart(const struct html_out *out, const char *title, const struct bar *bar,
                         unsigned count)
{
    unsigned height = count * ROW_HEIGHT + 6;
    html_put(out,
             "<h3>%s</h3>\n<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" font-size=\"11\" "
             "width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\"><title>%s</title>\n",
             title, (unsigned)WIDTH, height, (unsigned)WIDTH, height, title);
    for (unsigned i = 0; i < count; i++) {
        unsigned y = i * ROW_HEIGHT + 3, width = (unsigned)(bar[i].part * BAR_WIDTH + 0.5);
        html_put(out, "<text x=\"%u\" y=\"%u\" text-anchor=\"end\">%s</text>", LABEL_WIDTH - 8U,
                 y + 14, bar[i].label);
        html_put(out, "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"18\" fill=\"%s\"/>",
                 (unsigned)LABEL_WIDTH, y, width, bar[i].is_human ? "#d08a3c" : "#2f6db5");
        if (bar[i].likely.high > 0)
            width = draw_likely(out, &bar[i], y + 9, width);
        html_put(out, "<text x=\"%u\" y=\"%u\">%s</text>\n", LABEL_WIDTH + width + 6, y + 14,
                 bar[i].text);
    }
    html_put(out, "<line x1=\"%u\" y1=\"0\" x2=\"%u\" y2=\"%u\" stroke=\"#111\"/></svg>\n",
             (unsigned)LABEL_WIDTH, (unsigned)LABEL_WIDTH, height);
}

static double part_of(double value, double most)
{
    return most > 0 ? value / most : 0;
}

/* A bar for `count` of `games`, with the exact interval. */
static void make_rate(struct bar *bar, unsigned count, unsigned games)
{
    size_t length = (size_t)snprintf(bar->text, sizeof bar->text, "%u of %u", count, games);
    bar->part = part_of(count, games);
    if (games == 0)
        return;
    bar->likely = rate_exact(count, games);
    snprintf(bar->text + length, sizeof bar->text - length, ", %.0f to %.0f %%",
             100 * bar->likely.low, 100 * bar->likely.high);
}

/* The bar of a candidate by the contest's kind of score. */
static void make_bar(struct bar *bar, const struct contest *contest,
                     const struct result_standing *s)
{
    char mean[REPORT_RATING];
    report_label(contest, s->candidate, LABEL_CHARS, bar->label);
    bar->is_human = s->candidate >= contest->people[CONTEST_ENTRY];
    switch ((enum ruleset_scoring)contest->ruleset.scoring) {
    case SCORING_COLUMNS:
    case SCORING_VOTES:
    case SCORING_RATES:
    case SCORING_LONG_BET:
        make_rate(bar, s->wins, s->ballots);
        break;
    case SCORING_MEANS:
    case SCORING_HIGHEST:
        bar->part = 0;
        snprintf(bar->text, sizeof bar->text, "no ratings");
        if (s->mean.denominator) {
            report_rating(s->mean.numerator, s->mean.denominator, mean);
            bar->part = part_of((double)s->mean.numerator / (double)s->mean.denominator,
                                VOTE_RATING_UNIT * (double)contest->ruleset.rating_most);
            snprintf(bar->text, sizeof bar->text, "%s of %d", mean, contest->ruleset.rating_most);
        }
        break;
    }
    if (!bar->is_human && contest->disqualified[s->candidate])
        strcat(bar->text, ", disqualified");
    else if (!bar->is_human && contest->person[CONTEST_ENTRY][s->candidate].withdrawn)
        strcat(bar->text, ", withdrawn");
}

static bool took_entry(const struct contest *contest, const struct ballot *ballot)
{
    struct ballot_worth worth[2];
    ballot_row(contest->ruleset.ballot)->worth(ballot, worth);
    return worth[0].win;
}

static void chart_judges(const struct html_out *out, const struct contest *contest)
{
    struct bar bar[SCHEDULE_PEOPLE_MAX];
    unsigned count = contest->people[CONTEST_JUDGE];
    memset(bar, 0, sizeof bar);
    for (unsigned j = 0; j < count; j++) {
        unsigned taken = 0, ballots = 0;
        for (unsigned i = 0; i < contest->ballots; i++) {
            if (contest->ballot[i].judge != j)
                continue;
            ballots++;
            taken += took_entry(contest, &contest->ballot[i]);
        }
        snprintf(bar[j].label, sizeof bar[j].label, "J%u", j + 1);
        make_rate(&bar[j], taken, ballots);
    }
    report_chart(out, "How often each judge found the Entry the more human of the two", bar, count);
}

static const char *chart_title(const struct contest *contest)
{
    switch ((enum ruleset_scoring)contest->ruleset.scoring) {
    case SCORING_COLUMNS:
        return "How often each got 51 points or more";
    case SCORING_VOTES:
    case SCORING_RATES:
    case SCORING_LONG_BET:
        return "How often each was taken for the human";
    case SCORING_MEANS:
    case SCORING_HIGHEST:
        return "Mean ratings";
    }
    return "";
}

void report_charts(const struct html_out *out, const struct contest *contest,
                   const struct result *result)
{
    struct bar bar[SCHEDULE_CANDIDATES_MAX];
    if (result->count == 0 || contest->ballots == 0)
        return;
    memset(bar, 0, sizeof bar);
    for (unsigned i = 0; i < result->count; i++)
        make_bar(&bar[i], contest, &result->standing[i]);
    report_chart(out, chart_title(contest), bar, result->count);
    html_put(out, "<p class=\"small\">%s</p>\n",
             ballot_row(contest->ruleset.ballot)->rated
                 ? "E in blue: Entries. C in orange: confederates."
                 : "E in blue: Entries. C in orange: confederates. A line is the exact interval "
                   "of 95 % for the true rate.");
    if (contest->ruleset.pairing == PAIRING_PAIRS)
        chart_judges(out, contest);
}
