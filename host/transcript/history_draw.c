/* Converts a history to a session's transcript, for the readable text and the growing pages. */
#include "transcript/history_private.h"

#include "transcript/iso.h"
#include "transcript/merge.h"
#include "transcript/transcript.h"

#include <stdlib.h>
#include <string.h>

/* Appends a name and a value, as in "judge 2, program ELIZA, round 1". */
static void add(char *line, size_t room, const char *name, const char *value)
{
    size_t at = strlen(line);
    const char *const parts[] = {at && value[0] ? ", " : "", value[0] ? name : "", value};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        size_t length = strlen(parts[i]);
        if (at + length >= room)
            return;
        memcpy(line + at, parts[i], length + 1);
        at += length;
    }
}

/* Appends the start with its date, since lines of the text have the time of day only. */
static void add_start(char *line, size_t room, uint64_t start_us)
{
    char iso[ISO_LENGTH + 1];
    if (start_us == 0)
        return;
    iso_write(start_us, iso);
    iso[10] = ' ';
    iso[19] = '\0';
    add(line, room, "begun ", iso);
}

static void describe(const struct history_part *part, uint64_t start_us, char *line, size_t room)
{
    line[0] = '\0';
    add(line, room, "judge ", part->judge);
    add(line, room, "program ", part->program);
    add(line, room, "human ", part->human);
    add(line, room, "round ", part->round);
    add(line, room, "subround ", part->subround);
    add(line, room, "on the left the ", history_who_name((enum history_who)part->left));
    add_start(line, room, start_us);
    if (!line[0])
        add(line, room, "", "unnamed");
}

/* Sorts one part's keys by side; event and pressed_us have room for all of them. */
static void fill(struct transcript *t, const struct history *history, size_t from, size_t end,
                 struct key_event *event, uint64_t *pressed_us)
{
    for (unsigned side = 0; side < SIDES; side++) {
        struct transcript_side *line = &t->side[side];
        line->event = event;
        line->pressed_us = pressed_us;
        line->count = 0;
        for (size_t i = from; i < end; i++) {
            const struct history_key *key = &history->key[i];
            if (key->side != side)
                continue;
            /* Without times the keys' order stands for them: both sides' keys keep it. */
            *event++ = (struct key_event){.posted_us = t->untimed ? i + 1 - from : key->posted_us,
                                          .point = key->point,
                                          .party = key->party};
            *pressed_us++ = key->pressed_us;
            line->count++;
        }
    }
}

enum bl_status history_draw(const struct history *history, enum format format,
                            const struct out *out)
{
    struct key_event *event = calloc(history->keys + 1, sizeof *event);
    uint64_t *pressed_us = calloc(history->keys + 1, sizeof *pressed_us);
    enum bl_status status = event && pressed_us ? BL_OK : BL_NOMEM;
    char about[3 * HISTORY_TEXT];
    const char *header[1];
    struct transcript t = {.role = PARTY_JUDGE,
                           .session = about,
                           .header = header,
                           .untimed = history_is_untimed(history)};
    size_t at = 0, parts = format == FORMAT_ASCIICAST && history->parts ? 1 : history->parts;
    style_begin(&t.style, STYLE_SPLIT, history_sides(history));
    t.style.backspace_over_return = history->back_over_return;
    for (size_t i = 0; i < parts && status == BL_OK; i++) {
        size_t end = at;
        /* A recording has all parts in one drawing. */
        while (end < history->keys && (history->key[end].part == i || parts < history->parts))
            end++;
        const struct history_part *part = &history->part[i];
        const bool run = history_begins_run(history, i);
        header[0] = part->title[0] ? part->title : part->notice;
        t.headers = run && header[0][0];
        describe(part, run ? part->start_us : 0, about, sizeof about);
        fill(&t, history, at, end, event, pressed_us);
        t.damaged = i + 1 == parts ? history->damaged : 0;
        status =
            format == FORMAT_ASCIICAST ? transcript_asciicast(&t, out) : transcript_text(&t, out);
        at = end;
    }
    if (status == BL_OK && history->parts == 0) {
        t.headers = 0;
        about[0] = '\0';
        add(about, sizeof about, "", "without keys");
        t.damaged = history->damaged;
        status =
            format == FORMAT_ASCIICAST ? transcript_asciicast(&t, out) : transcript_text(&t, out);
    }
    free(event);
    free(pressed_us);
    return status;
}

enum bl_status history_standing(const struct history *history, struct standing *standing)
{
    enum bl_status status = standing_begin(standing, history->keys, history->back_over_return);
    for (size_t i = 0; status == BL_OK && i < history->keys; i++) {
        const struct history_key *key = &history->key[i];
        if (i == 0 || key->part != key[-1].part)
            memset(standing->last, 0, sizeof standing->last);
        standing_take(standing, i + 1, (enum side)key->side, (enum party)key->party, key->point);
    }
    return status;
}

enum bl_status write_text(struct writer *writer, const struct history *history, enum format format)
{
    return history_draw(history, format, writer->out);
}

enum bl_status history_take(struct history *history, const struct transcript *transcript)
{
    struct merge merge = {.transcript = transcript};
    struct merge_item item;
    enum bl_status status = history_add_part(history, NULL);
    bool hole = false, full = false;
    while (status == BL_OK && !full && merge_next(&merge, &item)) {
        const uint64_t *pressed_us = transcript->side[item.side].pressed_us;
        struct history_key key = {.side = (uint8_t)item.side};
        if (!item.key)
            continue;
        key.posted_us = item.key->posted_us;
        key.pressed_us = pressed_us ? pressed_us[item.index] : 0;
        key.point = item.key->point;
        key.party = item.key->party;
        status = history_add_key(history, &key);
        full = status == BL_FULL;
        if (status == BL_DATA || full)
            status = hole ? BL_OK
                          : history_add_fault(history, 0, full ? FAULT_LONG : FAULT_MISSING,
                                              full ? "too many keys: the rest is left out"
                                                   : "keys are missing: the record is damaged",
                                              NULL, 0);
        hole = key.point == 0;
    }
    if (status == BL_OK && transcript->damaged)
        status = history_add_fault(history, 0, FAULT_MISSING, "the record is damaged", NULL, 0);
    return status;
}
