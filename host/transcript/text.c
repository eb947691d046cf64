#include "transcript/transcript.h"

#include "base/growing.h"
#include "transcript/iso.h"
#include "transcript/merge.h"
#include "transcript/standing.h"
#include "transcript/words.h"

#include <stdlib.h>
#include <string.h>

struct text {
    const struct transcript *transcript;
    const struct out *out;
    uint32_t *point; /* text of the current turn */
    uint64_t points;
    size_t room;
    uint64_t done[SIDES][PARTIES]; /* number of the last key of the party that is printed */
    struct standing standing;      /* keys of the left side, then of the right side */
};

static void put_time(const struct text *t, uint64_t at_us)
{
    char iso[ISO_LENGTH + 1];
    if (t->transcript->untimed)
        return;
    iso_write(at_us, iso);
    out_text(t->out, "[");
    out_bytes(t->out, iso + 11, 8);
    out_text(t->out, "] ");
}

static void put_side(const struct text *t, enum side side)
{
    if (merge_sides(t->transcript) > 1)
        out_texts(t->out, words_side(side), side == SIDE_LEFT ? "  " : " ");
}

/* Begins a remark, as "*** 2009-09-06 15:32:45 left: ". */
static void begin_remark(const struct text *t, enum side side, uint64_t at_us)
{
    char iso[ISO_LENGTH + 1];
    iso_write(at_us, iso);
    out_text(t->out, "*** ");
    out_bytes(t->out, iso, 10);
    out_text(t->out, " ");
    out_bytes(t->out, iso + 11, 8);
    out_text(t->out, " ");
    if (t->transcript->role == PARTY_JUDGE)
        out_texts(t->out, words_side(side), ": ");
}

static void put_mark(const struct text *t, const struct merge_item *item)
{
    const struct transcript_mark *mark = item->mark;
    begin_remark(t, item->side, mark->at_us);
    out_text(t->out, "part ");
    out_number(t->out, mark->part, 1);
    switch (mark->kind) {
    case MARK_OPENED:
        out_text(t->out, " opened");
        break;
    case MARK_SEGMENT_OVER:
        out_text(t->out, " closed");
        break;
    case MARK_CLOSE:
        out_texts(t->out, ", end ", words_close(mark->outcome), ", ");
        out_number(t->out, mark->n, 1);
        out_text(t->out, " keys");
        break;
    }
    out_text(t->out, "\n");
}

/* The index of the first key after the segment of key `from`. */
static uint64_t segment_end(const struct transcript_side *line, uint64_t from)
{
    for (size_t i = 0; i < line->marks; i++)
        if (line->mark[i].n > from && line->mark[i].kind != MARK_CLOSE)
            return line->mark[i].n < line->count ? line->mark[i].n : line->count;
    return line->count;
}

static bool push(struct text *t, uint32_t point)
{
    uint32_t *more = growing_array(t->point, t->points, &t->room, sizeof *more);
    if (!more)
        return false;
    t->point = more;
    t->point[t->points++] = point;
    return true;
}

static bool stands(const struct text *t, enum side side, uint64_t index)
{
    return standing_is(&t->standing,
                       index + 1 + (side == SIDE_RIGHT ? t->transcript->side[SIDE_LEFT].count : 0));
}

static enum bl_status find_standing(struct text *t)
{
    const struct transcript_side *left = &t->transcript->side[SIDE_LEFT],
                                 *right = &t->transcript->side[SIDE_RIGHT];
    enum bl_status status = standing_begin(&t->standing, left->count + right->count,
                                           t->transcript->style.backspace_over_return);
    for (uint64_t i = 0; status == BL_OK && i < left->count; i++)
        standing_take(&t->standing, i + 1, SIDE_LEFT, (enum party)left->event[i].party,
                      left->event[i].point);
    for (uint64_t i = 0; status == BL_OK && i < right->count; i++)
        standing_take(&t->standing, left->count + i + 1, SIDE_RIGHT,
                      (enum party)right->event[i].party, right->event[i].point);
    return status;
}

/* True if a turn that ends here would split a word. */
static bool is_inside_word(const struct text *t, uint32_t next)
{
    const uint32_t last = t->points ? t->point[t->points - 1] : ' ';
    return last != ' ' && last != KEY_TAB && next != ' ' && next != KEY_TAB &&
           !(last < 0x80 && strchr(".,;:!?", (int)last));
}

/* Collects the turn that begins with key `from`. *after: index of the first key after the turn. */
static enum bl_status gather(struct text *t, enum side side, uint64_t from, uint64_t *after,
                             bool *returned)
{
    const struct transcript_side *line = &t->transcript->side[side];
    const enum party party = (enum party)line->event[from].party;
    const uint64_t limit = segment_end(line, from);
    bool other_typed = false, other_spoke = false;
    t->points = 0;
    *returned = false;
    for (*after = from; *after < limit && !*returned; ++*after) {
        const struct key_event *key = &line->event[*after];
        if (key->point == 0 || !stands(t, side, *after))
            continue;
        if (key->party != party) {
            other_spoke = other_spoke || (other_typed && key->point == KEY_RETURN);
            other_typed = key->point != KEY_RETURN;
            continue;
        }
        if (key->point == KEY_RETURN)
            *returned = true;
        else if (other_spoke && !is_inside_word(t, key->point))
            break;
        else if (!push(t, key->point))
            return BL_NOMEM;
        other_typed = other_spoke = false;
    }
    return BL_OK;
}

static void put_points(const struct text *t, enum side side, enum party party, uint64_t at_us)
{
    put_time(t, at_us);
    put_side(t, side);
    out_texts(t->out, t->transcript->style.label[party], ":", t->points ? " " : "");
    for (uint64_t i = 0; i < t->points; i++) {
        if (t->point[i] == KEY_TAB)
            out_text(t->out, "\t");
        else
            out_point(t->out, t->point[i]);
    }
    out_text(t->out, "\n");
}

static enum bl_status put_turn(struct text *t, const struct merge_item *item)
{
    const enum party party = (enum party)item->key->party;
    uint64_t *done = &t->done[item->side][party];
    bool returned;
    enum bl_status status;
    if (item->index < *done || !stands(t, item->side, item->index))
        return BL_OK;
    status = gather(t, item->side, item->index, done, &returned);
    if (status != BL_OK || (t->points == 0 && !returned))
        return status;
    put_points(t, item->side, party, item->key->posted_us);
    return BL_OK;
}

/* Prints the current line of a party, up to key `end`, for a page with lines. An empty line is
 * printed if the page shows it. */
static enum bl_status put_line(struct text *t, enum side side, enum party party, uint64_t end,
                               bool returned)
{
    const struct transcript_side *line = &t->transcript->side[side];
    uint64_t at_us = 0;
    t->points = 0;
    for (uint64_t n = t->done[side][party]; n < end; n++) {
        const struct key_event *key = &line->event[n];
        if (key->party != party || key->point == 0)
            continue;
        at_us = key->posted_us;
        if (stands(t, side, n) && key->point != KEY_RETURN && !push(t, key->point))
            return BL_NOMEM;
    }
    if (end > t->done[side][party])
        t->done[side][party] = end;
    if (t->points || (returned && t->transcript->style.prompt[party][0]))
        put_points(t, side, party, at_us);
    return BL_OK;
}

static enum bl_status put_open_lines(struct text *t, enum side side, uint64_t end)
{
    enum bl_status status = put_line(t, side, PARTY_ENTITY, end, false);
    return status == BL_OK ? put_line(t, side, PARTY_JUDGE, end, false) : status;
}

static enum bl_status put_lines(struct text *t, const struct merge_item *item)
{
    if (item->mark)
        return put_open_lines(t, item->side, item->mark->n);
    if (item->key->point != KEY_RETURN)
        return BL_OK;
    return put_line(t, item->side, (enum party)item->key->party, item->index + 1, true);
}

/* Reports a hole at its first key. */
static void put_hole(const struct text *t, const struct merge_item *item)
{
    const struct transcript_side *line = &t->transcript->side[item->side];
    uint64_t last = item->index;
    if (item->index > 0 && line->event[item->index - 1].point == 0)
        return;
    while (last + 1 < line->count && line->event[last + 1].point == 0)
        last++;
    begin_remark(t, item->side, item->at_us);
    out_text(t->out, "the record is damaged: keys ");
    out_number(t->out, item->index + 1, 1);
    out_text(t->out, " to ");
    out_number(t->out, last + 1, 1);
    out_text(t->out, " are missing\n");
}

enum bl_status transcript_text(const struct transcript *transcript, const struct out *out)
{
    struct text t = {.transcript = transcript, .out = out};
    struct merge merge = {.transcript = transcript};
    enum bl_status status = find_standing(&t);
    bool lines = style_returns(&transcript->style) > 0;
    struct merge_item item;
    for (size_t i = 0; i < transcript->headers; i++) {
        out_line(out, transcript->header[i]);
        out_text(out, "\n");
    }
    out_texts(out, "*** session ", transcript->session, ", ", words_party(transcript->role),
              transcript->untimed ? "'s record, without times\n" : "'s record, times in UTC\n");
    while (status == BL_OK && merge_next(&merge, &item)) {
        if (lines)
            status = put_lines(&t, &item);
        if (item.mark)
            put_mark(&t, &item);
        else if (item.key->point == 0)
            put_hole(&t, &item);
        else if (!lines)
            status = put_turn(&t, &item);
    }
    for (unsigned side = 0; side < SIDES && lines && status == BL_OK; side++)
        status = put_open_lines(&t, (enum side)side, transcript->side[side].count);
    if (transcript->damaged) {
        out_text(out, "*** the record is damaged in ");
        out_number(out, transcript->damaged, 1);
        out_text(out, transcript->damaged == 1 ? " place\n" : " places\n");
    }
    free(t.point);
    standing_free(&t.standing);
    return status;
}
