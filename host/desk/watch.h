/* A live referee's view: the keys of all sessions, as soon as they are at the desk (desk/feed.h),
 * for the boothlink-referee of the referee's machine. A referee is a place with a key and without a
 * booth. A referee with the judges learns nobody's kind. A referee in the back room is told the
 * entity of each side, and may limit a confederate.
 *
 * * The view is a text of lines. The referee's machine asks for it by messages of post/piece.h:
 * WANT of live-RUN from an offset on, with a number RUN that it chooses for each new text. The
 * answer is a PIECE; a HAVE if nothing is new; or OTHER if the desk began again, and the machine
 * then begins again, too.
 *
 * * An ASK of limit-RUN requests a number for a wish. A PIECE of that name brings the number, drawn
 * by the desk. The desk does not answer while a wish is under way, while its outcome is unread, and
 * for WATCH_PACE_S after it. A PIECE of limit-NUMBER is the wish, JSON with who, text and why. A
 * number is valid once, for WATCH_DRAWN_S, so replayed messages have no effect. A line with "done",
 * the number, and the act's outcome answers the wish. The next text begins with the last such
 * line. */
#ifndef DESK_WATCH_H
#define DESK_WATCH_H

#include "desk/feed.h"
#include "post/piece.h"

#define WATCH_JUDGES "judges-room-referee"
#define WATCH_BACK   "back-room-referee"
#define WATCH_LIVE   "live-"  /* and RUN, 8 hexadecimal digits */
#define WATCH_LIMIT  "limit-" /* and RUN, or a number of WATCH_NUMBER hexadecimal digits */
#define WATCH_NUMBER 32
#define WATCH_WHO    FEED_WHO

#define WATCH_DRAWN_S 5
#define WATCH_PACE_S  10

struct referee_watch;

struct watch_options {
    const char *inbox, *contest; /* as of feed_create() */
    /* Names the entity of a side; "": unknown. NULL: the referee may not know. */
    void (*who)(void *ctx, const char *session, enum side side, char out[WATCH_WHO]);
    /* Takes a wish of the referee. False: not now. NULL: the referee may have no wishes. */
    bool (*limit)(void *ctx, struct referee_watch *watch, const char *bytes, size_t length);
    /* A wish with a used, old or foreign number was ignored; called once in WATCH_PACE_S. */
    void (*refused)(void *ctx);
    /* Writes the digits of a new number. */
    void (*draw)(void *ctx, char number[WATCH_NUMBER + 1]);
    void *ctx;
};

/* True if it is the name of a referee's place. */
bool watch_is_place(const char *place);

/* The options are copied; inbox and contest are the caller's. BL_NOMEM, BL_USAGE. */
enum bl_status watch_create(struct referee_watch **out, const struct watch_options *options,
                            struct bl_diag *diag);

/* Adds a booth's place. */
void watch_add(struct referee_watch *watch, const char *place);

/* Takes a message of the referee's machine. True: *answer is for the machine; its bytes live until
 * the next call. */
bool watch_hear(struct referee_watch *watch, const struct post_piece *asked, struct bl_time now,
                struct post_piece *answer);

/* The act of the last wish has ended. */
void watch_done(struct referee_watch *watch, struct bl_time now, int status, const char *said);

/* NULL is allowed. */
void watch_destroy(struct referee_watch *watch);

#endif
