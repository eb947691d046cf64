/* The common parts of the two ends of a line: callbacks, answers and helpers. An end is a pure
 * function of its input. An end writes to the journal before it sends. It also writes before it
 * returns from a received record, because the return acknowledges the record. Source: DESIGN.md,
 * "Session". */
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

/* The most records with keys under way from one end. Further keys wait, and go together in one
 * record. */
#define END_RECORDS_MAX 8

/* The judge's keys wait while this many keys of the order are unconfirmed. */
#define END_UNCONFIRMED_MAX 256

enum sync_state {
    SYNC_DOWN,    /* the link is not up */
    SYNC_ASKING,  /* the link is up; the ends compare their records */
    SYNC_REPLAY,  /* entity's end only: the judge's order comes */
    SYNC_LIVE,    /* the ends have equal records, except keys under way */
    SYNC_DIFFERS, /* the records differ: a steward must decide */
};

enum key_answer {
    KEY_TAKEN, /* the key is placed, or waits for its place */
    KEY_WAIT,  /* no room, or no place yet: the key is not taken, and the caller tries again after
                * progress */
    KEY_REFUSED_CLOSED, /* no segment is open on the line */
    KEY_REFUSED_APART,  /* the ends have not met, or their records differ */
    KEY_REFUSED_FULL,   /* the record has no room (disk or store) */
    KEY_REFUSED_PAUSED, /* the controller's clock does not run */
    KEY_REFUSED_TURN,   /* it is the other party's turn */
    KEY_REFUSED_LONG,   /* the message has as many characters as the rules allow */
};

/* The text on the screen for a typist whose key got this answer, on a line in this state; "" for
 * KEY_TAKEN and KEY_WAIT. */
const char *key_answer_text(enum key_answer answer, enum party typist, enum segment_state line);

/* Writes a note's text: the reason, and the refused keys that have room. */
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
    /* Writes a record to the journal. Any status but BL_OK: the record is not written, and the end
     * does nothing. */
    enum bl_status (*keep)(void *journal, const struct journal_record *record);
    /* Gives a record to the link, as express. BL_AGAIN: no room now; BL_DOWN: the link is not
     * up. */
    enum bl_status (*send)(void *link, const uint8_t *record, size_t length);
    /* Gives a record to the link as bulk, behind records of send(). NULL: send() is used. */
    enum bl_status (*send_later)(void *link, const uint8_t *record, size_t length);
    /* The numbers of records that were sent, and acknowledged, on this connection. */
    uint64_t (*sent)(void *link);
    uint64_t (*acked)(void *link);
    /* The end sets it to true at a change that a screen shows; NULL: no screen. */
    bool *changed;
    /* Called when a record could not be written. NULL: not used. */
    void (*unkept)(void *ctx);
    /* Entity's end only: a key of the judge has place n. Also called during a replay of the
     * journal. */
    void (*judge_key)(void *ctx, uint64_t n, uint32_t point);
    /* Entity's end only: the judge's end offers another session, or the present one with another
     * page style. The callback closes the present record, opens the offered session's record, and
     * replays it into the end. Any status but BL_OK refuses the offer. */
    enum bl_status (*adopt)(void *ctx, const char *session, const char *style, uint8_t starts);
};

/* Updates an end's view when a call that may change the end returns. */
struct end_look {
    void (*fill)(void *end);
    void *end;
    unsigned changing;
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

/* Stands at the beginning of a function that may change an end. The view is updated when the
 * outermost such function returns. */
#define END_CHANGES(end)                                                                           \
    __attribute__((cleanup(end_look_end), unused)) struct end_look *changing =                     \
        end_look_begin(&(end)->look)

/* Applies the rules of typing to the party's next key, after its placed and waiting keys.
 * KEY_TAKEN: the key is allowed; otherwise the refusal. since_us: time since the page's latest
 * Return. */
enum key_answer end_typing(const struct typing_rules *rules, const struct page *page,
                           enum party party, const struct key_queue *waiting, uint64_t since_us,
                           uint32_t point);

/* The beginning of a note about keys that end_typing() refused. */
const char *end_typing_note(enum key_answer answer);

/* Returns the callbacks, with ctx for `journal` and `link` where these are NULL. */
struct end_callbacks end_callbacks_of(const struct end_callbacks *callbacks, void *ctx);

/* Writes a record to the journal. Reports a failure to unkept(). */
enum bl_status end_keep(const struct end_callbacks *callbacks, void *ctx,
                        const struct journal_record *record);

/* Reports a change of the screen. */
static inline void end_changed(const struct end_callbacks *callbacks)
{
    if (callbacks->changed)
        *callbacks->changed = true;
}

/* Notes about the end's calls for the steward. A restarted end reads them to tell whether a call is
 * open. */
#define END_STEWARD_CALLED "the steward is called"
#define END_STEWARD_BACK   "the call is taken back"

/* For the replay of a journal: true if a call for the steward is open after the record. called:
 * true if a call was open before the record. */
bool end_steward_after(const struct journal_record *record, bool called);

/* Records a note. */
enum bl_status end_note(const struct end_callbacks *callbacks, void *ctx, enum side side,
                        enum note_code code, uint32_t count, const char *text, uint64_t wall_us);

/* Appends keys to the order and the page, and calls each() for each key. False: the order is
 * full. */
bool end_apply(struct sequence *sequence, struct page *page, enum party party,
               const struct key_run *run, uint64_t posted_us,
               void (*each)(void *ctx, const struct key_event *), void *ctx);

/* The keys last written to the journal, as UTF-8. If the same keys go on the line next, their text
 * is used again. */
struct end_written {
    uint64_t first; /* number of the first key */
    size_t keys, length;
    uint8_t text[WIRE_TEXT_MAX];
};

/* Remembers the keys just written, or none if they are too many for a record of the line. */
void end_wrote(struct end_written *written, uint64_t first, const struct key_run *run);

/* Copies the text of the remembered keys and returns its length, if they are exactly `keys` keys
 * from number `first` on. Otherwise returns 0. */
size_t end_written_text(const struct end_written *written, uint64_t first, uint64_t keys,
                        uint8_t text[WIRE_TEXT_MAX]);

/* Progress in sending the order's keys to the other end. */
struct key_stream {
    uint64_t cursor;
    uint64_t mark_us; /* time of the last MARK, from which keys' times count; 0: none was sent */
    bool numbered;    /* each run carries its number, for a listener */
};

/* Sends the next run of keys, after a MARK if one is needed. There must be an unsent key. If
 * `written` has exactly the unsent keys, its text is used. BL_AGAIN: later. */
enum bl_status end_send_run(const struct end_callbacks *callbacks, const struct sequence *sequence,
                            const struct end_written *written, uint32_t epoch,
                            struct key_stream *stream);

/* Encodes one record and gives it to send_later() or send(). */
enum bl_status end_send_later(const struct end_callbacks *callbacks, const struct wire *wire);
enum bl_status end_send(const struct end_callbacks *callbacks, const struct wire *wire);

/* Builds the page anew from the order. */
void end_rebuild(const struct sequence *sequence, struct page *page);

#endif
