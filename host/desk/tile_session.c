#include "desk/tile_session.h"

#include "booth/line_notes.h"
#include "session/end.h"

#include <stdio.h>
#include <string.h>

static void take_note(struct tile_session *tile, struct tile_side *side,
                      const struct journal_record *record)
{
    const char *text = record->as.note.text;
    if (record->as.note.code == NOTE_LINE && record->as.note.count == 0) {
        side->up = strcmp(text, LINE_NOTES_UP) == 0;
        snprintf(side->line, sizeof side->line, "%s", side->up ? "" : text);
    } else if (record->as.note.code == NOTE_STEWARD) {
        side->called = strcmp(text, END_STEWARD_CALLED) == 0;
    } else if (record->as.note.code == NOTE_DISK) {
        snprintf(tile->disk, sizeof tile->disk, "%s", text);
    } else if (record->as.note.code == NOTE_CONTEST) {
        snprintf(tile->contest, sizeof tile->contest, "%s", text);
    }
}

/* Counts a record's keys; a repeated record counts once. An entity's keys show that the line is
 * up. */
static void take_keys(struct tile_side *side, const struct journal_record *record)
{
    uint64_t count = 0, last;
    for (size_t i = 0; i < record->as.keys.run.length; i++)
        count += (record->as.keys.run.text[i] & 0xC0) != 0x80;
    last = record->as.keys.first + count - 1;
    if (last <= side->count)
        return;
    if (record->as.keys.party == PARTY_ENTITY) {
        side->up = true;
        side->line[0] = '\0';
    }
    side->keys[record->as.keys.party] += count;
    side->count = last;
    side->latest_us = record->wall_us;
}

void tile_session_take(struct tile_session *tile, const struct journal_record *record)
{
    struct tile_side *side = &tile->side[record->side];
    if (record->wall_us > tile->latest_us)
        tile->latest_us = record->wall_us;
    switch (record->kind) {
    case JOURNAL_HEADER:
        tile->headed = true;
        snprintf(tile->session, sizeof tile->session, "%s", record->as.header.session);
        return;
    case JOURNAL_KEYS:
        take_keys(side, record);
        break;
    case JOURNAL_SEGMENT:
        side->part = record->as.segment.index + 1u;
        side->state = record->as.segment.state;
        side->clock_us = record->wall_us;
        side->left_us = record->as.segment.remaining_us;
        break;
    case JOURNAL_NOTE:
        take_note(tile, side, record);
        break;
    default:
        break;
    }
    side->present = true;
}

bool tile_session_is_open(const struct tile_session *tile)
{
    bool open = false;
    for (unsigned i = 0; i < SIDES; i++)
        open |= tile->side[i].state == SEGMENT_OPEN || tile->side[i].state == SEGMENT_CLOSING;
    return open;
}

bool tile_session_is_over(const struct tile_session *tile)
{
    bool present = false, over = true;
    for (unsigned i = 0; i < SIDES; i++) {
        present |= tile->side[i].present;
        over &= !tile->side[i].present || tile->side[i].state == SEGMENT_FINISHED;
    }
    return present && over;
}
