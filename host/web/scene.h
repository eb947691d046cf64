/* Converts a screen's model to JSON for a browser: the scene, one object with everything except the
 * pages' rows, and the rows that the browser lacks. Pure. host/web/page.js draws both. */
#ifndef WEB_SCENE_H
#define WEB_SCENE_H

#include "screen/control.h"
#include "session/view.h"
#include "base/json.h"

#define SCENE_SIZE 24576 /* most bytes of a scene */

/* Writes the scene. */
void scene_write(const struct screen_model *model, const struct screen_control *control,
                 struct json_text *out);

/* The most rows of a pane, including those of waiting keys. */
#define SCENE_ROWS (2 * PAGE_ROWS)

/* The browser's copy of a pane. All zeros: empty. */
struct scene_pane {
    uint64_t base, end;        /* numbers of the first row and of the row after the last */
    uint64_t hash[SCENE_ROWS]; /* hash of row n at index n modulo SCENE_ROWS */
    uint64_t changes;          /* the page's change counter when scene_rows() last looked */
    const struct page *page;
    bool whole, waited;
};

/* Writes [side, pane, from, base, end, [row...]] if the browser lacks rows. The new rows replace
 * the browser's rows from number `from` on; `end` is the number of all rows, and rows before `base`
 * are gone. A row is [party, run...]. A run is a text or [bits, text], with bits 1 for two columns,
 * 2 for a character at a fixed column, 4 for keys without a place. Rows that leave fewer than
 * `spare` bytes in the buffer are not written. True: no row is left. */
bool scene_rows(struct scene_pane *sent, const struct screen_model *model, enum side side,
                unsigned pane, size_t spare, struct json_text *out);

/* Writes the cursor's position, [side, pane, row's number, column]; without a cursor, null. */
void scene_cursor(const struct screen_model *model, struct json_text *out);

#endif
