#include "validate/mimic.h"

#include "base/utf8.h"
#include "validate/emulator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STOOD_US    20000 /* a judge sees a screen that is unchanged for so long */
#define LOST_MOST   3     /* missing keys of one answer until the rest is skipped */
#define MUTE_LEAST  2     /* keys that appear only with their Return until they count as a line */
#define SAMPLES_MAX 4096

enum { ENTRY, PAIR };

/* One of the two takes, with the position of the comparison. */
struct side {
    const struct take *take;
    struct emulator *emulator;
    size_t at, read;      /* fed bytes, and the read of the next byte */
    struct picture *text; /* the screen at the last change of text */
    uint64_t text_us;     /* time of that change */
};

struct compare {
    struct mimic *mimic;
    const struct mimic_options *options;
    struct picture_mask mask; /* the user's mask, and cells known to differ */
    struct side side[2];
    struct mimic_place *mutes; /* the first silent key since the last Return */
    unsigned mute_count;
    unsigned stood;  /* screens compared while the other party typed */
    unsigned off[2]; /* screens among these that differ in colours, or in the cursor's position */
    struct mimic_place *off_places[2]; /* the first of each kind */
    unsigned line, key;                /* numbers of the judge's line and key, from 1 */
    bool poor;                         /* out of memory */
    int64_t echo[2][SAMPLES_MAX], late[SAMPLES_MAX], gap[2][SAMPLES_MAX], apart[SAMPLES_MAX];
};

static bool side_begin(struct side *side, const struct take *take, unsigned rows, unsigned columns)
{
    emulator_destroy(side->emulator);
    picture_destroy(side->text);
    *side = (struct side){.take = take,
                          .emulator = emulator_create(rows, columns, NULL, NULL),
                          .text = picture_create(rows, columns)};
    return side->emulator && side->text;
}

static void side_end(struct side *side)
{
    emulator_destroy(side->emulator);
    picture_destroy(side->text);
}

static const struct picture *side_picture(struct side *side)
{
    return emulator_picture(side->emulator);
}

static uint64_t side_us(const struct side *side)
{
    return side->take->reads[side->read].at_us;
}

static void side_feed(struct side *side, size_t to)
{
    emulator_feed(side->emulator, side->take->bytes + side->at, to - side->at);
    side->at = to;
    while (side->read < side->take->count && side->take->reads[side->read].to <= to)
        side->read++;
}

/* Advances to a position, read by read, and notes when the text changes. */
static void side_walk(struct compare *compare, struct side *side, size_t to)
{
    while (side->at < to) {
        uint64_t at_us = side_us(side);
        size_t end = side->take->reads[side->read].to;
        side_feed(side, end < to ? end : to);
        if (picture_same_text(side->text, side_picture(side), &compare->mask))
            continue;
        picture_destroy(side->text);
        side->text = picture_copy(side_picture(side));
        side->text_us = at_us;
        if (!side->text) {
            compare->poor = true;
            side->text = picture_create(compare->options->rows, compare->options->columns);
        }
    }
}

static int order(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static int64_t median(int64_t *samples, unsigned count)
{
    if (!count)
        return 0;
    qsort(samples, count, sizeof *samples, order);
    return samples[count / 2];
}

static void key_name(uint32_t point, char out[24])
{
    uint8_t bytes[UTF8_MAX + 1] = {0};
    if (point == '\r')
        strcpy(out, "Return");
    else if (point == 0x7F || point == '\b')
        strcpy(out, "BackSpace");
    else if (point < ' ' || !utf8_encode(point, bytes))
        snprintf(out, 24, "U+%04X", (unsigned)point);
    else
        snprintf(out, 24, "'%s'", (const char *)bytes);
}

static void after_say(const struct compare *compare, const struct take_mark *mark, char out[80])
{
    char name[24];
    if (!mark) {
        strcpy(out, "the start, before any key");
        return;
    }
    key_name(mark->point, name);
    if (mark->kind == TAKE_JUDGE)
        snprintf(out, 80, "the judge's key %u of line %u, %s", compare->key, compare->line, name);
    else if (compare->line)
        snprintf(out, 80, "a key of the other party, %s, after the judge's line %u", name,
                 compare->line);
    else
        snprintf(out, 80, "a key of the other party, %s, before the judge's first line", name);
}

static struct mimic_place place_make(struct compare *compare, const struct picture *entry,
                                     const struct picture *pair,
                                     const struct picture_difference *difference,
                                     const struct take_mark *mark)
{
    struct mimic_place place = {
        .entry = picture_copy(entry), .pair = picture_copy(pair), .difference = *difference};
    after_say(compare, mark, place.after);
    compare->poor |= !place.entry || !place.pair;
    return place;
}

static void place_free(struct mimic_place *place)
{
    picture_destroy(place->entry);
    picture_destroy(place->pair);
    *place = (struct mimic_place){0};
}

/* Counts a difference of an aspect, and keeps the first ones' screens. */
static void tell(struct compare *compare, enum mimic_aspect aspect, const struct picture *entry,
                 const struct picture *pair, const struct picture_difference *difference,
                 const struct take_mark *mark)
{
    struct mimic_finding *finding = &compare->mimic->finding[aspect];
    finding->times++;
    if (finding->count < MIMIC_PLACES)
        finding->places[finding->count++] = place_make(compare, entry, pair, difference, mark);
}

/* Reports the silent keys: as a line, or as screens whose text differs from the Entry's. */
static void mutes_settle(struct compare *compare, bool line)
{
    struct mimic_finding *lines = &compare->mimic->finding[MIMIC_LINES];
    struct mimic_finding *text = &compare->mimic->finding[MIMIC_TEXT];
    struct mimic_finding *finding = line ? lines : text;
    if (!compare->mute_count)
        return;
    finding->times += compare->mute_count;
    if (!line)
        picture_mask_text(&compare->mask, compare->mutes->entry, compare->mutes->pair);
    if (finding->count < MIMIC_PLACES) {
        finding->places[finding->count++] = *compare->mutes;
        *compare->mutes = (struct mimic_place){0};
    } else {
        place_free(compare->mutes);
    }
    compare->mute_count = 0;
}

/* Notes a silent key: the judge's key appeared at the Entry and not at the pair. The key is lost,
 * or comes with its line. */
static void mute_add(struct compare *compare, const struct picture *entry,
                     const struct picture *pair, const struct picture_difference *difference,
                     const struct take_mark *mark)
{
    if (!compare->mute_count++)
        *compare->mutes = place_make(compare, entry, pair, difference, mark);
}

/* True if a text difference is known in the row; the cursor may then differ there. */
static bool row_differs(const struct compare *compare, unsigned row)
{
    const uint8_t *cells = compare->mask.cells + (size_t)row * compare->mask.columns;
    return memchr(cells, 1, compare->mask.columns) != NULL;
}

static bool cursor_differs(const struct compare *compare, const struct picture *entry,
                           const struct picture *pair, const struct picture_difference *difference)
{
    return difference->cursor && !row_differs(compare, entry->cursor_row) &&
           !row_differs(compare, pair->cursor_row);
}

/* Compares both screens at rest after the mark `last` (NULL: none). changed[side]: the side's text
 * has changed since `last`. */
static void settled_compare(struct compare *compare, const struct take_mark *last,
                            const bool changed[2])
{
    const struct picture *entry = side_picture(&compare->side[ENTRY]);
    const struct picture *pair = side_picture(&compare->side[PAIR]);
    struct picture_difference difference;
    bool typed = last && last->kind == TAKE_JUDGE;
    compare->mimic->settled++;
    picture_compare(entry, pair, &compare->mask, &difference);
    if (typed && changed[ENTRY] && !changed[PAIR] && difference.text) {
        mute_add(compare, entry, pair, &difference, last);
        return;
    }
    if (compare->mute_count && typed && last->point != '\r' && !changed[PAIR])
        return;
    if (compare->mute_count) {
        mutes_settle(compare, !difference.text && compare->mute_count >= MUTE_LEAST);
        picture_compare(entry, pair, &compare->mask, &difference);
    }
    if (difference.text) {
        tell(compare, MIMIC_TEXT, entry, pair, &difference, last);
        picture_mask_text(&compare->mask, entry, pair);
    }
    if (difference.colours)
        tell(compare, MIMIC_COLOURS, entry, pair, &difference, last);
    if (cursor_differs(compare, entry, pair, &difference))
        tell(compare, MIMIC_CURSOR, entry, pair, &difference, last);
    if (difference.title)
        tell(compare, MIMIC_TITLE, entry, pair, &difference, last);
    if (difference.bells)
        tell(compare, MIMIC_BELL, entry, pair, &difference, last);
}

static void judge_count(struct compare *compare, bool line)
{
    if (line) {
        compare->line++;
        compare->key = 0;
    }
    compare->key++;
}

static void echo_add(struct compare *compare, const struct take_mark *const marks[2])
{
    struct mimic *mimic = compare->mimic;
    if (mimic->echoes == SAMPLES_MAX)
        return;
    for (unsigned i = 0; i < 2; i++)
        compare->echo[i][mimic->echoes] = compare->side[i].text_us - marks[i]->at_us;
    compare->late[mimic->echoes] =
        compare->echo[PAIR][mimic->echoes] - compare->echo[ENTRY][mimic->echoes];
    mimic->echoes++;
}

/* Compares the screens at rest, and the echo of each key of the judge. */
static void settled_all(struct compare *compare)
{
    const struct take *takes[2] = {compare->side[ENTRY].take, compare->side[PAIR].take};
    uint64_t changed_us[2] = {0};
    const struct take_mark *last = NULL;
    bool line = true;
    for (size_t m = 0; m < takes[ENTRY]->marked; m++) {
        const struct take_mark *const marks[2] = {&takes[ENTRY]->marks[m], &takes[PAIR]->marks[m]};
        for (unsigned i = 0; i < 2; i++)
            side_walk(compare, &compare->side[i], marks[i]->to);
        if (marks[ENTRY]->kind != TAKE_SETTLED) {
            last = marks[ENTRY];
            for (unsigned i = 0; i < 2; i++)
                changed_us[i] = compare->side[i].text_us;
            if (last->kind == TAKE_JUDGE) {
                judge_count(compare, line);
                line = last->point == '\r';
            }
            continue;
        }
        bool changed[2];
        for (unsigned i = 0; i < 2; i++)
            changed[i] = compare->side[i].text_us != changed_us[i];
        if (last && last->kind == TAKE_JUDGE && changed[ENTRY] && changed[PAIR]) {
            const struct take_mark *const typed[2] = {marks[ENTRY] - 1, marks[PAIR] - 1};
            echo_add(compare, typed);
        }
        settled_compare(compare, last, changed);
    }
    if (compare->mute_count)
        mutes_settle(compare, false);
}

/* Between two reads: copies the screen to *stood if it was unchanged for a while. */
static void stood_look(struct compare *compare, struct side *side, struct picture **stood)
{
    const struct take *take = side->take;
    if (!side->read || side->at != take->reads[side->read - 1].to)
        return;
    if (side->read < take->count && side_us(side) - take->reads[side->read - 1].at_us < STOOD_US)
        return;
    picture_destroy(*stood);
    *stood = picture_copy(side_picture(side));
    compare->poor |= !*stood;
}

/* The Entry's screen from a key of the other party to the next. */
struct shown {
    const struct take_mark *mark;
    struct picture *text, *stood; /* `stood` is NULL if the screen was not seen unchanged */
    uint64_t pair_us;             /* time at which the pair showed the same text */
};

static void shown_free(struct shown *shown)
{
    picture_destroy(shown->text);
    picture_destroy(shown->stood);
    *shown = (struct shown){0};
}

static void shown_take(struct compare *compare, const struct take_mark *mark, struct shown *shown)
{
    struct side *side = &compare->side[ENTRY];
    side_feed(side, mark->to);
    *shown = (struct shown){.mark = mark, .text = picture_copy(side_picture(side))};
    compare->poor |= !shown->text;
    /* The last byte of the next mark drew that mark's key. */
    for (;;) {
        stood_look(compare, side, &shown->stood);
        if (side->read == side->take->count || side->take->reads[side->read].to >= mark[1].to)
            return;
        side_feed(side, side->take->reads[side->read].to);
    }
}

/* Searches the pair's output, byte by byte up to a position, for the text. *stood receives the last
 * unchanged screen before. */
static bool shown_seek(struct compare *compare, struct shown *shown, size_t to,
                       struct picture **stood)
{
    struct side *side = &compare->side[PAIR];
    while (side->at < to) {
        uint64_t at_us = side_us(side);
        stood_look(compare, side, stood);
        side_feed(side, side->at + 1);
        if (picture_same_text(shown->text, side_picture(side), &compare->mask)) {
            shown->pair_us = at_us;
            return true;
        }
    }
    return false;
}

static struct picture *picture_of(struct compare *compare, size_t to)
{
    struct side side = {0};
    struct picture *picture = NULL;
    if (side_begin(&side, compare->side[PAIR].take, compare->options->rows,
                   compare->options->columns)) {
        side_feed(&side, to);
        picture = picture_copy(side_picture(&side));
    }
    side_end(&side);
    compare->poor |= !picture;
    return picture;
}

/* Reports a text that never appeared, beside the pair's text at the next key. */
static void shown_miss(struct compare *compare, const struct shown *shown, size_t to)
{
    struct picture *pair = picture_of(compare, to);
    struct picture_difference difference;
    if (!pair)
        return;
    picture_compare(shown->text, pair, &compare->mask, &difference);
    if (!difference.text)
        picture_compare(shown->text, pair, NULL, &difference);
    tell(compare, MIMIC_TEXT, shown->text, pair, &difference, shown->mark);
    picture_destroy(pair);
}

/* Compares colours and cursor where both screens stood still with the same text. A program may
 * pause while drawing on a busy machine, so differences at most of the keys count. */
static void stood_compare(struct compare *compare, const struct shown *shown,
                          const struct picture *pair)
{
    struct picture_difference difference;
    if (!shown->stood || !pair || !picture_same_text(shown->stood, pair, &compare->mask))
        return;
    picture_compare(shown->stood, pair, &compare->mask, &difference);
    bool off[2] = {difference.colours > 0,
                   cursor_differs(compare, shown->stood, pair, &difference)};
    compare->stood++;
    for (unsigned i = 0; i < 2; i++)
        if (off[i] && !compare->off[i]++)
            *compare->off_places[i] =
                place_make(compare, shown->stood, pair, &difference, shown->mark);
}

static void gap_add(struct compare *compare, const struct shown *from, const struct shown *to)
{
    struct mimic *mimic = compare->mimic;
    uint64_t entry_us = to->mark->at_us - from->mark->at_us, pair_us = to->pair_us - from->pair_us;
    if (mimic->gaps == SAMPLES_MAX)
        return;
    compare->gap[ENTRY][mimic->gaps] = entry_us;
    compare->gap[PAIR][mimic->gaps] = pair_us;
    compare->apart[mimic->gaps++] = entry_us > pair_us ? entry_us - pair_us : pair_us - entry_us;
}

/* Restarts the pair's side at a position. */
static void pair_return(struct compare *compare, size_t at)
{
    struct side *side = &compare->side[PAIR];
    if (side_begin(side, side->take, compare->options->rows, compare->options->columns))
        side_feed(side, at);
    else
        compare->poor = true;
}

/* Compares the other party's keys from mark m to a mark of another kind, whose index is
 * returned. */
static size_t answer_compare(struct compare *compare, size_t m)
{
    const struct take *entry = compare->side[ENTRY].take, *pair = compare->side[PAIR].take;
    struct shown last = {0};
    size_t end = m;
    unsigned lost = 0;
    while (end < entry->marked && entry->marks[end].kind == TAKE_ENTITY)
        end++;
    for (; m < end && end < entry->marked && lost < LOST_MOST && !compare->poor; m++) {
        struct shown shown;
        struct picture *stood = NULL;
        size_t from = compare->side[PAIR].at;
        shown_take(compare, &entry->marks[m], &shown);
        /* A blank or a Return does not change the text; the next key shows whether it arrived. The
         * screen is not compared, since it may be of before. */
        if (compare->poor || shown.mark->point == '\r' ||
            (last.text && picture_same_text(last.text, shown.text, NULL))) {
            picture_destroy(last.stood);
            last.stood = NULL;
            shown_free(&shown);
            continue;
        }
        if (shown_seek(compare, &shown, pair->marks[end].to, &stood)) {
            compare->mimic->shown++;
            if (last.mark) {
                stood_compare(compare, &last, stood);
                gap_add(compare, &last, &shown);
            }
            shown_free(&last);
            last = shown;
        } else {
            lost++;
            shown_miss(compare, &shown, pair->marks[m + 1].to);
            shown_free(&shown);
            pair_return(compare, from);
        }
        picture_destroy(stood);
    }
    shown_free(&last);
    return end;
}

static void answers_all(struct compare *compare)
{
    const struct take *entry = compare->side[ENTRY].take, *pair = compare->side[PAIR].take;
    bool line = true;
    compare->line = 0;
    for (size_t m = 0; m < entry->marked && !compare->poor;) {
        const struct take_mark *mark = &entry->marks[m];
        if (mark->kind == TAKE_ENTITY) {
            m = answer_compare(compare, m);
            continue;
        }
        if (mark->kind == TAKE_JUDGE) {
            judge_count(compare, line);
            line = mark->point == '\r';
        }
        side_feed(&compare->side[ENTRY], mark->to);
        if (compare->side[PAIR].at < pair->marks[m].to)
            side_feed(&compare->side[PAIR], pair->marks[m].to);
        m++;
    }
}

/* Reports differences during the other party's typing if most screens had them. */
static void stood_judge(struct compare *compare)
{
    static const enum mimic_aspect aspects[2] = {MIMIC_COLOURS, MIMIC_CURSOR};
    for (unsigned i = 0; i < 2; i++) {
        struct mimic_finding *finding = &compare->mimic->finding[aspects[i]];
        if (2 * compare->off[i] <= compare->stood)
            continue;
        finding->times += compare->off[i];
        if (finding->count == MIMIC_PLACES)
            continue;
        finding->places[finding->count++] = *compare->off_places[i];
        *compare->off_places[i] = (struct mimic_place){0};
    }
}

static bool sides_begin(struct compare *compare, const struct take *entry, const struct take *pair)
{
    const struct mimic_options *o = compare->options;
    return side_begin(&compare->side[ENTRY], entry, o->rows, o->columns) &&
           side_begin(&compare->side[PAIR], pair, o->rows, o->columns);
}

static void times_judge(struct compare *compare)
{
    struct mimic *mimic = compare->mimic;
    const struct mimic_options *o = compare->options;
    for (unsigned i = 0; i < 2; i++) {
        mimic->echo_us[i] = median(compare->echo[i], mimic->echoes);
        mimic->gap_us[i] = median(compare->gap[i], mimic->gaps);
    }
    mimic->gap_off_us = median(compare->apart, mimic->gaps);
    mimic->echo_off_us = median(compare->late, mimic->echoes);
    mimic->finding[MIMIC_ECHO].times = llabs(mimic->echo_off_us) > (int64_t)o->echo_ms * 1000;
    mimic->finding[MIMIC_GAPS].times = mimic->gap_off_us > (uint64_t)o->gap_ms * 1000;
}

bool mimic_compare(struct mimic *mimic, const struct take *entry, const struct take *pair,
                   const struct mimic_options *options)
{
    struct compare *compare = calloc(1, sizeof *compare);
    struct mimic_place mutes = {0}, colours = {0}, cursor = {0};
    size_t cells = (size_t)options->rows * options->columns;
    bool good;
    *mimic = (struct mimic){0};
    if (!compare)
        return false;
    compare->mimic = mimic;
    compare->options = options;
    compare->mutes = &mutes;
    compare->off_places[0] = &colours;
    compare->off_places[1] = &cursor;
    if (options->mask)
        compare->mask = *options->mask;
    compare->mask.cells = calloc(cells, 1);
    compare->mask.columns = options->columns;
    compare->poor = !compare->mask.cells || !sides_begin(compare, entry, pair);
    if (!compare->poor)
        settled_all(compare);
    if (!compare->poor && sides_begin(compare, entry, pair))
        answers_all(compare);
    stood_judge(compare);
    times_judge(compare);
    good = !compare->poor;
    place_free(&mutes);
    place_free(&colours);
    place_free(&cursor);
    side_end(&compare->side[ENTRY]);
    side_end(&compare->side[PAIR]);
    free(compare->mask.cells);
    free(compare);
    if (!good)
        mimic_free(mimic);
    return good;
}

void mimic_free(struct mimic *mimic)
{
    for (unsigned aspect = 0; aspect < MIMIC_ASPECTS; aspect++)
        for (unsigned i = 0; i < mimic->finding[aspect].count; i++)
            place_free(&mimic->finding[aspect].places[i]);
    *mimic = (struct mimic){0};
}
