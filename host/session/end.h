/* What the two ends of a line have in common: what they need from outside, and what they answer.
 * An end is a pure function of what is fed to it; it writes to the journal before it sends, and
 * before it returns from a record (which is what acknowledges it).
 * Source: DESIGN.md, "Session". */
#ifndef SESSION_END_H
#define SESSION_END_H

#include "base/time.h"
#include "session/page.h"
#include "session/sequence.h"
#include "session/wire.h"

/* Who may begin: 2009 §3a (the judge), 2004 A3 (either: an entity's first words are the assertion).
 */
enum starts { STARTS_JUDGE = 0, STARTS_EITHER = 1 };

/* Key records that one end has under way. Few, so that what comes meanwhile travels in one record.
 */
#define END_RECORDS_MAX 8

/* Keys of the judge's end that may be without the other end's word before typing stops. */
#define END_UNCONFIRMED_MAX 256

/* Where the two ends stand to each other. */
enum sync_state {
    SYNC_DOWN,    /* the link is not up */
    SYNC_ASKING,  /* up; finding out who has what */
    SYNC_REPLAY,  /* entity's end: catching up with the judge's order */
    SYNC_LIVE,    /* equal up to keys under way */
    SYNC_DIFFERS, /* the records differ: a steward must decide */
};

/* What became of a key pressed at this end. */
enum key_answer {
    KEY_TAKEN, /* journalled; placed, or waiting for its place */
    KEY_WAIT,  /* not now: too many unconfirmed or not settled. Nothing happened; try after progress
                */
    KEY_REFUSED_CLOSED, /* outside a segment of this line */
    KEY_REFUSED_APART,  /* the other end was never reached, or the records differ */
    KEY_REFUSED_FULL,   /* the record can take no more (disk or store) */
    KEY_REFUSED_PAUSED, /* the controller's clock stands */
};

/* In words for the screen, "" for KEY_TAKEN and KEY_WAIT. */
const char *key_answer_text(enum key_answer answer);

/* For a note: why, and the keys that were refused, as many as there is room for. */
#define KEY_REFUSED_TEXT (NOTE_MAX + 1)
void key_refused_text(char text[KEY_REFUSED_TEXT], const char *why, const uint32_t *points,
                      size_t count);

/* The journal and the link are spoken to by themselves, with nobody between: `journal` and `link`
 * are what their functions get, NULL for ctx, which the others get. */
struct end_callbacks {
    void *journal, *link;
    /* Writes a record to the journal. Anything but BL_OK: it is not on record, so it did not
     * happen. */
    enum bl_status (*keep)(void *journal, const struct journal_record *record);
    /* Gives a record to the link (express). BL_AGAIN: later; BL_DOWN: not up. */
    enum bl_status (*send)(void *link, const uint8_t *record, size_t length);
    /* Of the records sent in this connection: how many were taken, how many acknowledged. */
    uint64_t (*sent)(void *link);
    uint64_t (*acked)(void *link);
    /* Becomes true when something that a screen shows has changed; NULL: no screen. */
    bool *changed;
    /* A record was not kept. NULL: nobody is told. */
    void (*unkept)(void *ctx);
    /* Entity's end only. A key of the judge has its place n (also during a replay from the
     * journal). */
    void (*judge_key)(void *ctx, uint64_t n, uint32_t point);
    /* Entity's end only. The judge's end offers another session than the present one, or this one
     * with another page style: close this record, open that session's, replay it into the end.
     * Anything but BL_OK refuses the session, as the present one is to be with another style. */
    enum bl_status (*adopt)(void *ctx, const char *session, const char *style, uint8_t starts);
};

/* What keeps the view of an end true: it is filled when a call that may change the end ends. */
struct end_look {
    void (*fill)(void *end);
    void *end;
    unsigned changing; /* such calls under way */
};

static inline struct end_look *end_look_begin(struct end_look *look)
{
    look->changing++;
    return look;
}

static inline void end_look_end(struct end_look **look)
{
    (*look)->changing--;
    (*look)->fill((*look)->end);
}

/* From here to its end a function of an end may change what is seen of it. */
#define END_CHANGES(end)                                                                           \
    __attribute__((cleanup(end_look_end), unused)) struct end_look *changing =                     \
        end_look_begin(&(end)->look)

/* The helpers of both ends. */

/* The callbacks of an end as they are called: copied, each with what it gets. */
struct end_callbacks end_callbacks_of(const struct end_callbacks *callbacks, void *ctx);

/* Writes a record to the journal. */
enum bl_status end_keep(const struct end_callbacks *callbacks, void *ctx,
                        const struct journal_record *record);

/* Something that a screen shows has changed. */
static inline void end_changed(const struct end_callbacks *callbacks)
{
    if (callbacks->changed)
        *callbacks->changed = true;
}

/* What an end notes of its own call for the steward, and finds there when it is started again. */
#define END_STEWARD_CALLED "the steward is called"
#define END_STEWARD_BACK   "the call is taken back"

/* Whether the steward was called by this end, after a record of its journal that is read again. */
bool end_steward_after(const struct journal_record *record, bool called);

/* Records a note. */
enum bl_status end_note(const struct end_callbacks *callbacks, void *ctx, enum side side,
                        enum note_code code, uint32_t count, const char *text, uint64_t wall_us);

/* Appends keys to the order and the page, each() called for each. false: the order is full. */
bool end_apply(struct sequence *sequence, struct page *page, enum party party,
               const struct key_run *run, uint64_t posted_us,
               void (*each)(void *ctx, const struct key_event *), void *ctx);

/* The keys that were last written as UTF-8 for the journal: the line takes the same bytes if these
 * are the keys that go next. */
struct end_written {
    uint64_t first; /* number of the first */
    size_t keys, length;
    uint8_t text[WIRE_TEXT_MAX];
};

/* Notes that keys are written; with more than a record of the line is sure to take, nothing. */
void end_wrote(struct end_written *written, uint64_t first, const struct key_run *run);

/* Copies the text of the keys from number first on if it is written and they are so many. Returns
 * its length, or 0. */
size_t end_written_text(const struct end_written *written, uint64_t first, uint64_t keys,
                        uint8_t text[WIRE_TEXT_MAX]);

/* Where a stream of an order's keys to the other end stands. */
struct key_stream {
    uint64_t cursor;  /* keys sent */
    uint64_t mark_us; /* times count from here; 0: no mark yet */
    bool numbered;    /* each run tells its number, for who listens */
};

/* Sends the next run of keys, as it is written if it is, with a MARK before it where one is needed.
 * The caller has seen that there is one. BL_AGAIN: later. */
enum bl_status end_send_run(const struct end_callbacks *callbacks, const struct sequence *sequence,
                            const struct end_written *written, uint32_t epoch,
                            struct key_stream *stream);

/* Encodes and sends one record. */
enum bl_status end_send(const struct end_callbacks *callbacks, const struct wire *wire);

/* Makes the page anew from the order. */
void end_rebuild(const struct sequence *sequence, struct page *page);

#endif
