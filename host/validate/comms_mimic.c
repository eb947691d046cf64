/* Compares a communications program with its Entry. One conversation is played to both (play.h) and
 * compared (mimic.h); each check looks at one aspect. A repeated check needs a new conversation.
 * Source: 2004 A6c. */
#include "validate/comms_private.h"

#include <stdio.h>

/* The allowed multiple of our own timers' lateness, added to the limit, up to half of the limit. */
#define SLACK 3

/* Learns the labels. False, with the finding filled in: a program has ended, or the pair shows
 * nothing. */
static bool labels_learn(struct validate *v, struct play_labels *labels)
{
    bool good;
    if (!comms_open(v, v->options, false))
        return false;
    good = play_learn(v->scene, v->options, labels);
    if (!good && !comms_ended(v)) {
        finding_broken(v->finding, "what the confederate types does not show at the judge's end");
        comms_show(v, PART_JUDGE);
    }
    comms_end(v);
    return good;
}

static unsigned slack(unsigned ms, unsigned late_us)
{
    unsigned late_ms = SLACK * late_us / 1000;
    return late_ms < ms / 2 ? late_ms : ms / 2;
}

static void endless_tell(struct validate *v)
{
    finding_broken(v->finding, "the Entry's screen changes without end");
    finding_expected(v->finding, "an answer comes to its end; a clock and the like are named: "
                                 "--mask ROW,COLUMN-ROW,COLUMN");
    finding_came(v->finding, "characters of an answer for ever");
    comms_show(v, PART_ENTRY);
}

static bool play(struct validate *v)
{
    struct comms *c;
    struct play_labels labels;
    struct mimic_options options = {.rows = v->options->rows,
                                    .columns = v->options->columns,
                                    .echo_ms = v->options->echo_ms,
                                    .gap_ms = v->options->gap_ms};
    if (!labels_learn(v, &labels) || !comms_open(v, v->options, true))
        return false;
    c = v->comms;
    mimic_free(&c->mimic);
    c->played = false;
    c->looked = 0;
    if (!play_all(v->scene, v->options, &c->mask, &labels)) {
        if (!comms_ended(v))
            endless_tell(v);
        comms_end(v);
        return false;
    }
    options.mask = &c->mask;
    options.echo_ms += slack(options.echo_ms, scene_late_us(v->scene));
    options.gap_ms += slack(options.gap_ms, scene_late_us(v->scene));
    if (!mimic_compare(&c->mimic, actor_take(scene_actor(v->scene, PART_ENTRY)),
                       actor_take(scene_actor(v->scene, PART_JUDGE)), &options)) {
        v->status = bl_fail(&v->diag, BL_NOMEM, "no memory to compare the screens");
        return false;
    }
    comms_end(v);
    c->played = true;
    return true;
}

/* Returns the finding of an aspect, from a conversation not yet used for this aspect. NULL: the
 * check's finding is filled in. */
static const struct mimic_finding *look(struct validate *v, enum mimic_aspect aspect)
{
    unsigned bit = 1u << aspect;
    if (comms_windowed(v))
        return NULL;
    if ((!v->comms || !v->comms->played || (v->comms->looked & bit)) && !play(v))
        return NULL;
    v->comms->looked |= bit;
    return &v->comms->mimic.finding[aspect];
}

static void line_add(void *ctx, const char *text)
{
    struct finding *f = ctx;
    finding_evidence(f, "  %s", text);
}

/* Shows the kept screens, the Entry's on the left. */
static void places_show(struct validate *v, const struct mimic_finding *m)
{
    for (unsigned i = 0; i < m->count; i++) {
        const struct mimic_place *place = &m->places[i];
        char title[EXHIBIT_TEXT];
        snprintf(title, sizeof title, "after %s", place->after);
        exhibit_add(&v->finding->exhibits, title, "the Entry", place->entry,
                    "its communications program", place->pair);
    }
    finding_evidence(v->finding, "after %s; left the Entry, right its communications program:",
                     m->places[0].after);
    picture_beside(m->places[0].entry, m->places[0].pair, &v->comms->mask, line_add, v->finding);
}

static void cell_tell(struct finding *f, const struct mimic_place *place)
{
    struct picture_place at = place->difference.text_at[0];
    char left[4 * PICTURE_CHARS + 1], right[4 * PICTURE_CHARS + 1];
    left[picture_cell_text(picture_at(place->entry, at.row, at.column), left)] = '\0';
    right[picture_cell_text(picture_at(place->pair, at.row, at.column), right)] = '\0';
    finding_expected(f, "'%s' at row %u, column %u, as the Entry has it", left, at.row + 1u,
                     at.column + 1u);
    finding_came(f, "'%s'; %u cell%s different", right, place->difference.text,
                 place->difference.text == 1 ? " is" : "s are");
}

void mimic_text(struct validate *v, struct finding *f)
{
    const struct mimic_finding *m = look(v, MIMIC_TEXT);
    if (!m)
        return;
    if (!m->times) {
        finding_pass(f, "the same text on %u screen%s at rest, and with %u key%s of the Entry",
                     v->comms->mimic.settled, BL_S(v->comms->mimic.settled), v->comms->mimic.shown,
                     BL_S(v->comms->mimic.shown));
        return;
    }
    finding_broken(f, "the judge sees another text than the Entry's after %s", m->places[0].after);
    cell_tell(f, &m->places[0]);
    places_show(v, m);
}

static void colour_name(const struct picture_cell *cell, char out[80])
{
    char colours[2][12];
    const uint32_t both[2] = {cell->fg, cell->bg};
    for (unsigned i = 0; i < 2; i++)
        snprintf(colours[i], sizeof colours[i], both[i] & PICTURE_DEFAULT ? "the default" : "#%06X",
                 (unsigned)both[i]);
    snprintf(out, 80, "%s on %s%s%s%s", colours[0], colours[1],
             cell->look & LOOK_BOLD ? ", bold" : "",
             cell->look & LOOK_UNDERLINE ? ", underlined" : "",
             cell->look & LOOK_BLINK ? ", blinking" : "");
}

void mimic_colours(struct validate *v, struct finding *f)
{
    const struct mimic_finding *m = look(v, MIMIC_COLOURS);
    char left[80], right[80];
    if (!m)
        return;
    if (!m->times) {
        finding_pass(f, "the same colours on %u screen%s", v->comms->mimic.settled,
                     BL_S(v->comms->mimic.settled));
        return;
    }
    struct picture_place at = m->places[0].difference.colours_at[0];
    colour_name(picture_at(m->places[0].entry, at.row, at.column), left);
    colour_name(picture_at(m->places[0].pair, at.row, at.column), right);
    finding_broken(f, "the judge sees other colours than the Entry's after %s", m->places[0].after);
    finding_expected(f, "%s at row %u, column %u", left, at.row + 1u, at.column + 1u);
    finding_came(f, "%s; %u cell%s different", right, m->places[0].difference.colours,
                 m->places[0].difference.colours == 1 ? " is" : "s are");
    places_show(v, m);
}

static void cursor_name(const struct picture *picture, char out[60])
{
    if (picture->cursor_shown)
        snprintf(out, 60, "at row %u, column %u%s", picture->cursor_row + 1,
                 picture->cursor_column + 1, picture->cursor_blinks ? ", blinking" : "");
    else
        snprintf(out, 60, "hidden");
}

void mimic_cursor(struct validate *v, struct finding *f)
{
    const struct mimic_finding *m = look(v, MIMIC_CURSOR);
    char left[60], right[60];
    if (!m)
        return;
    if (!m->times) {
        finding_pass(f, "the cursor in the same place on %u screen%s%s", v->comms->mimic.settled,
                     BL_S(v->comms->mimic.settled),
                     validate_failed(v, "mimic.text") ? ", but in rows of another text" : "");
        return;
    }
    cursor_name(m->places[0].entry, left);
    cursor_name(m->places[0].pair, right);
    finding_broken(f, "the cursor is elsewhere than the Entry's after %s", m->places[0].after);
    finding_expected(f, "the cursor %s", left);
    finding_came(f, "it is %s", right);
    places_show(v, m);
}

void mimic_title(struct validate *v, struct finding *f)
{
    const struct mimic_finding *m = look(v, MIMIC_TITLE);
    if (!m)
        return;
    if (!m->times) {
        finding_pass(f, "the same title of the window");
        return;
    }
    finding_broken(f, "the title of the window is another after %s", m->places[0].after);
    finding_expected(f, "\"%s\"", m->places[0].entry->title);
    finding_came(f, "\"%s\"", m->places[0].pair->title);
    places_show(v, m);
}

void mimic_bell(struct validate *v, struct finding *f)
{
    const struct mimic_finding *m = look(v, MIMIC_BELL);
    if (!m)
        return;
    if (!m->times) {
        finding_pass(f, "the bell rings when the Entry's does, if at all");
        return;
    }
    finding_broken(f, "the bell does not ring as the Entry's does, after %s", m->places[0].after);
    finding_expected(f, "rung %u time%s since the start", m->places[0].entry->bells,
                     BL_S(m->places[0].entry->bells));
    finding_came(f, "%u time%s", m->places[0].pair->bells, BL_S(m->places[0].pair->bells));
    places_show(v, m);
}

void mimic_echo(struct validate *v, struct finding *f)
{
    const struct mimic_finding *m = look(v, MIMIC_ECHO);
    const struct mimic *mimic;
    if (!m)
        return;
    mimic = &v->comms->mimic;
    if (!m->times) {
        finding_pass(f, "a key shows after %.1f ms, with the Entry after %.1f ms; off by %.1f ms",
                     (double)mimic->echo_us[1] / 1e3, (double)mimic->echo_us[0] / 1e3,
                     (double)mimic->echo_off_us / 1e3);
        return;
    }
    finding_broken(f, "the judge's keys do not show as soon as with the Entry");
    finding_expected(f, "%.1f ms as with the Entry, within %u ms", (double)mimic->echo_us[0] / 1e3,
                     v->options->echo_ms);
    finding_came(f, "%.1f ms, off by %.1f ms; medians of %u key%s", (double)mimic->echo_us[1] / 1e3,
                 (double)mimic->echo_off_us / 1e3, mimic->echoes, BL_S(mimic->echoes));
}

void mimic_gaps(struct validate *v, struct finding *f)
{
    const struct mimic_finding *m = look(v, MIMIC_GAPS);
    const struct mimic *mimic;
    if (!m)
        return;
    mimic = &v->comms->mimic;
    if (!mimic->gaps) {
        finding_skip(f, "the Entry has typed nothing that could be compared");
        return;
    }
    if (!m->times) {
        finding_pass(f, "gaps of %.1f ms between keys, the Entry's %.1f ms; off by %.1f ms",
                     (double)mimic->gap_us[1] / 1e3, (double)mimic->gap_us[0] / 1e3,
                     (double)mimic->gap_off_us / 1e3);
        return;
    }
    finding_broken(f, "the other party's keys do not come at the pace at which they are typed");
    finding_expected(f, "gaps of %.1f ms as typed, each within %u ms",
                     (double)mimic->gap_us[0] / 1e3, v->options->gap_ms);
    finding_came(f, "gaps of %.1f ms, off by %.1f ms; medians of %u",
                 (double)mimic->gap_us[1] / 1e3, (double)mimic->gap_off_us / 1e3, mimic->gaps);
}

void mimic_lines(struct validate *v, struct finding *f)
{
    const struct mimic_finding *m = look(v, MIMIC_LINES);
    if (!m)
        return;
    if (!m->times) {
        finding_pass(f, "the judge's keys show one by one, as with the Entry");
        return;
    }
    finding_broken(f, "the judge's keys show with the Return only, a line at a time");
    finding_expected(f, "each key shows when it is typed, as with the Entry");
    finding_came(f, "%u key%s %s waited for a Return", m->times, BL_S(m->times), BL_HAVE(m->times));
    places_show(v, m);
}
