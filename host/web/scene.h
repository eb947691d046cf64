/* A screen's model for a browser: all parts around the pages as one JSON object, and of the pages
 * the rows it has not. Pure. host/web/page.js draws it. */
#ifndef WEB_SCENE_H
#define WEB_SCENE_H

#include "screen/control.h"
#include "session/view.h"
#include "base/json.h"

#define SCENE_SIZE 24576 /* bytes a scene takes at most */

/* Everything but the rows. */
void scene_write(const struct screen_model *model, const struct screen_control *control,
                 struct json_text *out);

/* The most rows of a pane, with those of waiting keys. */
#define SCENE_ROWS (2 * PAGE_ROWS)

/* The browser's part of a pane. Zeroed is nothing. */
struct scene_pane {
    uint64_t base, end;        /* the numbers of its first row and of the row after its last */
    uint64_t hash[SCENE_ROWS]; /* of each row, by the remainder of its number */
    uint64_t changes;          /* of the page when all of it was sent */
    const struct page *page;
    bool whole, waited;
};

/* Writes [side, pane, from, base, end, [row...]] if the browser lacks rows: those from number
 * `from` on replace its rows from there; there are `end` in all, and those before `base` are
 * gone. A row is [party, run...], a run a text or [bits, text]: 1 two columns, 2 a character set
 * into its column, 4 keys without a place. Writes at most so many rows as fit before the buffer has
 * less than `spare` bytes left. True: all is told. */
bool scene_rows(struct scene_pane *sent, const struct screen_model *model, enum side side,
                unsigned pane, size_t spare, struct json_text *out);

/* [side, pane, row's number, column], or null: where the cursor stands. */
void scene_cursor(const struct screen_model *model, struct json_text *out);

#endif
