/* Repairs that the other end requests. The rate of repairs and of their notes is limited: the other
 * end may be any program. Source: DESIGN.md, "Session". */
#include "session/judge_end_private.h"

#define CALL_EVERY_US 1000000u /* least time between two repairs */
/* Limits of notes that the other end causes: NOTE_BURST at once, then one in NOTE_EVERY_US. */
#define NOTE_BURST    6
#define NOTE_EVERY_US 10000000u

void judge_end_heard(struct judge_end *end, enum note_code code, const char *text,
                     struct bl_time now)
{
    if (limit_pass(&end->heard, now.mono_us, NOTE_BURST, NOTE_EVERY_US))
        end_note(&end->callbacks, end->ctx, end->config.side, code, 0, text, now.wall_us);
}

static void repair(struct judge_end *end, struct bl_time now)
{
    bool all = end->repair_all;
    end->repair_asked = end->repair_all = false;
    end->repair_due_us = now.mono_us + CALL_EVERY_US;
    end->differences++;
    judge_end_heard(end, NOTE_DIFFERENCE, "the pages of the two ends differed", now);
    end_rebuild(&end->sequence, end->page);
    if (all) {
        end->reset = true;
        judge_end_live(end, 0, now);
    } else if (end->close_open) {
        page_digest(end->page, end->close_digest);
        end->to_tell |= TELL_CLOSE;
    } else {
        end->to_tell |= TELL_DIGEST;
    }
    judge_end_heard(end, NOTE_REPAIR, "the page was made anew from the keys", now);
    judge_end_tell(end, now);
    end_changed(&end->callbacks);
}

void judge_end_asked_repair(struct judge_end *end, bool all, struct bl_time now)
{
    end->repair_asked = true;
    end->repair_all = end->repair_all || all;
    judge_end_calls_tick(end, now);
}

void judge_end_calls_tick(struct judge_end *end, struct bl_time now)
{
    uint32_t held;
    if (end->repair_asked && end->sync == SYNC_LIVE && now.mono_us >= end->repair_due_us)
        repair(end, now);
    held = limit_take(&end->heard, now.mono_us, NOTE_BURST, NOTE_EVERY_US);
    if (held)
        end_note(&end->callbacks, end->ctx, end->config.side, NOTE_DIFFERENCE, held,
                 "the ends differed, or were repaired, so many times more", now.wall_us);
}

uint64_t judge_end_calls_due(const struct judge_end *end)
{
    uint64_t due_us = limit_due(&end->heard, NOTE_BURST, NOTE_EVERY_US);
    if (end->repair_asked && end->sync == SYNC_LIVE && end->repair_due_us < due_us)
        due_us = end->repair_due_us;
    return due_us;
}
