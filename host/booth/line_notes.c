#include "booth/line_notes.h"

#include <stdio.h>
#include <string.h>

/* Limits of notes: one in EVERY_US. At once at most CHANGE_BURST about a line that goes up or down,
 * and REASON_BURST about other reasons. */
#define EVERY_US     10000000u
#define CHANGE_BURST 20
#define REASON_BURST 1

static void write_note(struct line_notes *notes, unsigned burst, const char *text, uint64_t now_us)
{
    if (limit_pass(&notes->limit, now_us, burst, EVERY_US))
        notes->note(notes->ctx, 0, text);
}

enum line_change line_notes_state(struct line_notes *notes, enum link_state state,
                                  const char *reason, uint64_t now_us)
{
    bool was_up = notes->up;
    notes->up = state == LINK_UP;
    if (notes->up && was_up) {
        bool news = strcmp(reason, notes->told) != 0 && strcmp(reason, LINK_CONNECTED) != 0;
        if (news)
            write_note(notes, REASON_BURST, reason, now_us);
        snprintf(notes->told, sizeof notes->told, "%s", reason);
        return news ? LINE_BESIDE : LINE_SAME;
    }
    if (notes->up) {
        write_note(notes, CHANGE_BURST, LINE_NOTES_UP, now_us);
        notes->told[0] = '\0';
    } else if (was_up || (strncmp(reason, LINK_WAITING, strlen(LINK_WAITING)) != 0 &&
                          strcmp(reason, notes->told) != 0)) {
        write_note(notes, was_up ? CHANGE_BURST : REASON_BURST, reason, now_us);
        snprintf(notes->told, sizeof notes->told, "%s", reason);
    }
    return notes->up || was_up ? LINE_CHANGED : LINE_SAME;
}

uint64_t line_notes_due(struct line_notes *notes, uint64_t now_us)
{
    uint32_t held = limit_take(&notes->limit, now_us, REASON_BURST, EVERY_US);
    if (held)
        notes->note(notes->ctx, held,
                    "the line changed, or said what is wrong with it, so many times more");
    return limit_due(&notes->limit, REASON_BURST, EVERY_US);
}
