/* An Entry of any kind of the table (rules/kind.h) that is asked questions before the contest. It
 * is started here or by hand. Its clock may be set. */
#ifndef CLI_SCREEN_ENTRY_H
#define CLI_SCREEN_ENTRY_H

#include "base/status.h"
#include "rules/kind.h"

#include <stdbool.h>
#include <stdint.h>

#include <uv.h>

struct screen_entry_callbacks {
    void (*key)(void *ctx, uint32_t point); /* a key of the Entry */
    void (*ready)(void *ctx);               /* the Entry can be asked now; called once */
    void (*ended)(void *ctx);               /* no more keys will come */
};

struct screen_entry;

/* As on the command line; NULL: not given. */
struct screen_entry_options {
    struct kind_texts text;
    const char *program_io, *turn_end, *at, *folder;
    bool open; /* without a sandbox */
};

/* Starts the Entry, under faketime with --at, or waits for one started by hand. callbacks are
 * copied; no callback comes before the loop runs. Later faults of the Entry go to standard error.
 * Errors: BL_USAGE names the option; BL_UNAVAIL (no faketime); those of entry.h, program.h and
 * speaker.h. */
enum bl_status screen_entry_open(struct screen_entry **out, uv_loop_t *loop,
                                 const struct screen_entry_options *asked,
                                 const struct screen_entry_callbacks *callbacks, void *ctx,
                                 struct bl_diag *diag);

/* Passes a key of the judge. */
void screen_entry_give(struct screen_entry *entry, uint32_t point);

/* Ends the Entry and its helpers. screen_entry_destroy() follows when the loop has closed the
 * handles. Both take NULL. */
void screen_entry_close(struct screen_entry *entry);
void screen_entry_destroy(struct screen_entry *entry);

#endif
