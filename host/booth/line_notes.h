/* Selects the notes about a line's states and reasons for the record. A stranger on a hub can cause
 * any reason, and can make a line without a secret go up and down. So the first notes are recorded
 * at once, then one in a while; the others are counted. Pure. */
#ifndef BOOTH_LINE_NOTES_H
#define BOOTH_LINE_NOTES_H

#include "base/limit.h"
#include "link/link.h"

#define LINE_NOTES_UP "the line is up" /* the note of a line that has come up */

struct line_notes {
    void (*note)(void *ctx, uint32_t count, const char *text);
    void *ctx;
    bool up;
    char told[LINK_REASON_MAX]; /* the last reason on record; "" after the line came up */
    struct limit limit;
};

enum line_change { LINE_SAME, LINE_CHANGED, LINE_BESIDE };

/* Takes a state. LINE_CHANGED: the line came up or was lost. LINE_BESIDE: the line stays up, and
 * there is other news, such as a third end that is kept out. */
enum line_change line_notes_state(struct line_notes *notes, enum link_state state,
                                  const char *reason, uint64_t now_us);

/* Records the number of suppressed notes if that record is due. Returns the next due time. */
uint64_t line_notes_due(struct line_notes *notes, uint64_t now_us);

#endif
