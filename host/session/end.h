/* The common parts of the two ends of a line: their callbacks, and their answers. An end is a pure
 * function of its input. An end writes to the journal before it sends, and before it returns from a
 * record, since the return acknowledges the record. Source: DESIGN.md, "Session". */
#ifndef SESSION_END_H
#define SESSION_END_H

#include "base/time.h"
#include "session/key_queue.h"
#include "session/page.h"
#include "session/sequence.h"
#include "session/wire.h"

/* The party that may begin: the judge (2009 §3a), or either (2004 A3: an entity's first words are
 * its assertion). */
enum starts { STARTS_JUDGE = 0, STARTS_EITHER = 1 };

/* The most records with keys under way from one end. Few, so keys typed meanwhile are collected in
 * one record. */
#define END_RECORDS_MAX 8

/* The number of the order's unconfirmed keys at which the judge's keys wait. */
#define END_UNCONFIRMED_MAX 256

/* The state of agreement between the two ends. */
enum sync_state {
    SYNC_DOWN,    /* the link is not up */
    SYNC_ASKING,  /* up; comparing records */
    SYNC_REPLAY,  /* entity's end: catching up with the judge's order */
    SYNC_LIVE,    /* equal but for keys under way */
    SYNC_DIFFERS, /* the records differ: a steward must decide */
};

/* The result for a key pressed at the end. */
enum key_answer {
    KEY_TAKEN, /* journalled; it has its position, or waits for it */
    KEY_WAIT,  /* not now: no room, or no position yet. Nothing happened; to be tried again after
               * progress */
    KEY_REFUSED_CLOSED, /* outside a segment of the line */
    KEY_REFUSED_APART,  /* the other end was never reached, or the records differ */
    KEY_REFUSED_FULL,   /* the record can take no more (disk or store) */
    KEY_REFUSED_PAUSED, /* the controller's clock does not run */
    KEY_REFUSED_TURN,   /* the turn is the other party's */
    KEY_REFUSED_LONG,   /* the message has as many characters as the rules allow */
};

/* The text on the screen for the typist at one end of a line in this state: "" for KEY_TAKEN and
 * KEY_WAIT. At an entity's end F9 is never mentioned, since F9 starts an Entry there. */
const char *key_answer_text(enum key_answer answer, enum party typist, enum segment_state line);

/* The text of a note: the reason and the refused keys, as many as fit. */
#define KEY_REFUSED_TEXT (NOTE_MAX + 1)
void key_refused_text(char text[KEY_REFUSED_TEXT], const char *why, const uint32_t *points,
                      size_t count);

/* The rules of typing, the same at both ends of a line. */
struct typing_rules {
    unsigned message_most; /* characters of a message; 0: no limit */
    bool strict;     /* the parties type in turn: the judge begins, and a Return ends a turn */
    unsigned turn_s; /* seconds that end a turn without a Return; 0: no limit */
};

/* The callbacks of an end. keep() gets `journal`, or ctx if it is NULL. send(), send_later(),
 * sent() and acked() get `link`, or ctx if it is NULL. The other callbacks get ctx. */
struct end_callbacks {
    void *journal, *link;
    /* Writes a record to the journal. Any status but BL_OK: not on record, so nothing happened. */
    enum bl_status (*keep)(void *journal, const struct journal_record *record);
    /* Gives a record to the link (express). BL_AGAIN: later; BL_DOWN: not up. */
    enum bl_status (*send)(void *link, const uint8_t *record, size_t length);
    /* Gives a record to the link, as bulk: records of send() go before it. NULL: send() takes bulk,
     * too. */
    enum bl_status (*send_later)(void *link, const uint8_t *record, size_t length);
    /* The number of records that send() took in this connection, and the number of those
     * acknowledged. */
    uint64_t (*sent)(void *link);
    uint64_t (*acked)(void *link);
    /* Set to true by a change of anything on a screen; NULL: no screen. */
    bool *changed;
    /* A record could not be written. NULL: no report. */
    void (*unkept)(void *ctx);
    /* Entity's end only. A key of the judge has position n (also during a replay from the
     * journal). */
    void (*judge_key)(void *ctx, uint64_t n, uint32_t point);
    /* Entity's end only. The judge's end offers another session, or the present one with another
     * page style. The callback closes the record, opens the session's record and replays it into
     * the end. Any status but BL_OK refuses the offer. */
    enum bl_status (*adopt)(void *ctx, const char *session, const char *style, uint8_t starts);
};

/* Updates the view of an end at the return of a call with a possible change. */
struct end_look {
    void (*fill)(void *end);
    void *end;
    unsigned changing; /* calls under way that may change the end */
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

/* Declared in each function with a possible change of an end: its return updates the view. */
#define END_CHANGES(end)                                                                           \
    __attribute__((cleanup(end_look_end), unused)) struct end_look *changing =                     \
        end_look_begin(&(end)->look)

/* The helpers of both ends. */

/* KEY_TAKEN, or the rules' reason to refuse a party's key that follows its placed text and its
 * waiting keys. since_us: time since the page's latest Return. */
enum key_answer end_typing(const struct typing_rules *rules, const struct page *page,
                           enum party party, const struct key_queue *waiting, uint64_t since_us,
                           uint32_t point);

/* The beginning of a note on keys that end_typing() refused. */
const char *end_typing_note(enum key_answer answer);

/* A copy of the callbacks, with ctx in the place of `journal` and `link` where these are NULL. */
struct end_callbacks end_callbacks_of(const struct end_callbacks *callbacks, void *ctx);

/* Writes a record to the journal. Reports a failure to unkept(). */
enum bl_status end_keep(const struct end_callbacks *callbacks, void *ctx,
                        const struct journal_record *record);

/* Reports a change of something on a screen. */
static inline void end_changed(const struct end_callbacks *callbacks)
{
    if (callbacks->changed)
        *callbacks->changed = true;
}

/* An end's notes about its own calls for the steward. After a restart they tell whether a call is
 * still open. */
#define END_STEWARD_CALLED "the steward is called"
#define END_STEWARD_BACK   "the call is taken back"

/* For the replay of a journal: true if a call of this end for the steward is open after the record.
 * called: the same before the record. */
bool end_steward_after(const struct journal_record *record, bool called);

/* Records a note. */
enum bl_status end_note(const struct end_callbacks *callbacks, void *ctx, enum side side,
                        enum note_code code, uint32_t count, const char *text, uint64_t wall_us);

/* Appends keys to the order and the page, and calls each() for each key. false: the order is
 * full. */
bool end_apply(struct sequence *sequence, struct page *page, enum party party,
               const struct key_run *run, uint64_t posted_us,
               void (*each)(void *ctx, const struct key_event *), void *ctx);

/* The keys written to the journal last, as UTF-8. If the same keys go on the line next, these bytes
 * are sent, without encoding the keys again. */
struct end_written {
    uint64_t first; /* number of the first key */
    size_t keys, length;
    uint8_t text[WIRE_TEXT_MAX];
};

/* Remembers the keys just written; none if they are too many for a record of the line. */
void end_wrote(struct end_written *written, uint64_t first, const struct key_run *run);

/* If exactly these keys, `count` from number first on, are remembered, copies their text and
 * returns its length; else 0. */
size_t end_written_text(const struct end_written *written, uint64_t first, uint64_t keys,
                        uint8_t text[WIRE_TEXT_MAX]);

/* Progress in sending the order's keys to the other end. */
struct key_stream {
    uint64_t cursor;  /* keys sent */
    uint64_t mark_us; /* reference of the sent times; 0: no mark yet */
    bool numbered;    /* each run tells its number, for a listener */
};

/* Sends the next run of keys, preceded by a MARK if due. Sends the bytes in `written` if they are
 * all the unsent keys. There must be a key to send. BL_AGAIN: to be tried again later. */
enum bl_status end_send_run(const struct end_callbacks *callbacks, const struct sequence *sequence,
                            const struct end_written *written, uint32_t epoch,
                            struct key_stream *stream);

/* Encodes one record and gives it to send_later() or send(). */
enum bl_status end_send_later(const struct end_callbacks *callbacks, const struct wire *wire);
enum bl_status end_send(const struct end_callbacks *callbacks, const struct wire *wire);

/* Makes the page anew from the order. */
void end_rebuild(const struct sequence *sequence, struct page *page);

#endif
