/* A live referee's view: the keys of all sessions, as soon as they are at the desk (desk/feed.h),
 * for the boothlink-referee of the referee's machine. A referee is a place with a key, but no
 * booth: one sits with the judges, and learns nobody's kind; one sits in the back room, is told the
 * entity of each side, and may limit a confederate.
 *
 * The view is a text of lines, which the referee's machine asks for by messages of post/piece.h:
 * WANT of live-RUN from an offset on, with a number RUN of its own choosing for each new text. The
 * desk answers with a PIECE, with a HAVE where nothing is new, or with OTHER if the desk was
 * started again: then the machine begins a new text, too. A PIECE of limit-RUN is a wish, JSON with
 * who, text and why; its offset is its number, from 1. A line of the text answers a wish: "done"
 * with the wish's number, and the act's outcome. Until then the wish may come again. */
#ifndef DESK_WATCH_H
#define DESK_WATCH_H

#include "desk/feed.h"
#include "post/piece.h"

#define WATCH_JUDGES "judges-room-referee"
#define WATCH_BACK   "back-room-referee"
#define WATCH_LIVE   "live-"  /* and RUN, 8 hexadecimal digits */
#define WATCH_LIMIT  "limit-" /* the same */
#define WATCH_WHO    400

struct referee_watch;

struct watch_options {
    const char *inbox;
    /* Names the entity of a side, "" where it is unknown. NULL: the referee may not know the
     * entities. */
    void (*who)(void *ctx, const char *session, enum side side, char out[WATCH_WHO]);
    /* Takes a wish of the referee; false: not now. NULL: the referee may have no wishes. */
    bool (*limit)(void *ctx, struct referee_watch *watch, const char *bytes, size_t length);
    void *ctx;
};

/* True: the name of a referee's place. */
bool watch_is_place(const char *place);

/* The options are copied; `inbox` must stay. BL_NOMEM, BL_USAGE. */
enum bl_status watch_create(struct referee_watch **out, const struct watch_options *options,
                            struct bl_diag *diag);

/* Adds a booth's place. */
void watch_add(struct referee_watch *watch, const char *place);

/* Hears a message of the referee's machine. True: *answer is for it, and its bytes live until the
 * next call. */
bool watch_hear(struct referee_watch *watch, const struct post_piece *asked, struct bl_time now,
                struct post_piece *answer);

/* Tells that the wish which was begun last has ended. */
void watch_done(struct referee_watch *watch, int status, const char *said);

/* NULL is allowed. */
void watch_destroy(struct referee_watch *watch);

#endif
