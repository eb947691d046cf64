/* The common work of a booth's two terminals while they run. struct booth is the first member of
 * each terminal, struct booth_line the first member of each line. */
#ifndef BOOTH_BOOTH_LINE_H
#define BOOTH_BOOTH_LINE_H

#include "booth/booth.h"
#include "booth/line_notes.h"

#define BOOTH_EARLY_NOTES 8 /* notes kept until there is a record for them */

enum booth_stage {
    RUNNING,
    ENDING,         /* both ends agree on the end (judge's terminal only) */
    SAYING_GOODBYE, /* the time in which the last acknowledgements may arrive */
    STOPPED
};

struct booth {
    const struct booth_options *options;
    uv_loop_t loop;
    uv_prepare_t prepare; /* the work between two waits of the loop */
    struct bl_timer timer;
    struct booth_signals signals;
    struct booth_clock clock;
    uint64_t start_us;
    struct journal *journal; /* NULL: not open yet */
    struct script *script;   /* NULL: none */
    struct screen *screen;   /* NULL: none */
    bool held;               /* the screen's keyboard is not read */
    /* Gets each key before the screen, see screen.h; NULL: none. ctx is the booth. */
    bool (*first)(void *ctx, enum input_what what, uint32_t point);
    void (*kept)(void *ctx); /* see screen_callbacks */
    struct screen_model model;
    char segment_text[64], message[200];
    uint64_t message_until_us;
    bool changed;     /* the screen must be drawn again */
    enum side active; /* the side being typed to; notes on ignored input and the disk name it */
    uint32_t ignored; /* input that is not a key */
    enum booth_stage stage;
    uint64_t stage_due_us;
    void *trace;
    void (*fill)(struct booth *booth, struct bl_time now); /* fills the model for the screen */
    struct {
        enum side side;
        enum note_code code;
        uint32_t count;
        char text[NOTE_MAX + 1];
    } early[BOOTH_EARLY_NOTES];
    unsigned early_count;
};

struct booth_line {
    struct booth *booth;
    enum side side;
    struct link *link;        /* NULL: none, or a folder takes its place */
    struct judge_lpp *folder; /* NULL: none; see judge_lpp.h */
    struct entity_lpp *judge; /* NULL: none; see entity_lpp.h */
    bool insecure;            /* others can hear the line, and it has no secret */
    bool hidden;              /* the screen's reasons do not name the port */
    bool up;
    struct line_notes notes; /* the line's notes for the record */
};

/* booth_init() makes the booth's handles on its loop. booth_run() runs the loop to its end, and
 * calls settle() before each wait, with handle->data the booth. */
void booth_init(struct booth *booth, const struct booth_options *options,
                void (*fill)(struct booth *booth, struct bl_time now));
void booth_run(struct booth *booth, uv_prepare_cb settle);

/* Closes everything but the lines, once; booth_free frees the rest when the loop has ended. */
void booth_close(struct booth *booth);
void booth_free(struct booth *booth);

/* Draws the changes in the loop's next turn. */
void booth_show(struct booth *booth, struct bl_time now);

/* Stops reading from the screen's keyboard, or goes on; see screen_hold. */
void booth_hold(struct booth *booth, bool hold);

/* Opens the screen, unless the terminal has none. ctx of both callbacks is the booth; name is the
 * role's. */
enum bl_status booth_screen(struct booth *booth, const char *name,
                            void (*key)(void *ctx, uint32_t point),
                            void (*command)(void *ctx, enum screen_command command),
                            struct bl_diag *diag);

/* Takes an open journal into the loop, and writes the earlier notes. The booth owns the journal
 * then; after a failure the journal is closed. */
enum bl_status booth_journal(struct booth *booth, struct journal *journal);

/* Shows a message for a while. */
void booth_say(struct booth *booth, const char *text);

/* Returns the time at which the message ends, or BL_NEVER. Marks the screen as changed at that
 * time. */
uint64_t booth_message_due(struct booth *booth, uint64_t now_us);

/* The message for the model, "" after its time. */
const char *booth_message(struct booth *booth, uint64_t now_us);

/* Writes a note to the record. Before there is a record, keeps up to BOOTH_EARLY_NOTES, which the
 * record later has as the left side's. */
void booth_note(struct booth *booth, enum side side, enum note_code code, uint32_t count,
                const char *text);

/* Leaves when the last acknowledgements have arrived, or after a moment. */
void booth_goodbye(struct booth *booth);

/* True if others may hear the line with this address and understand it: the permitted referee; or,
 * without a secret, any machine on a hub. */
bool booth_line_is_listened(const struct booth_options *options, enum side side,
                            const char *address);

/* Opens the line with this address; ctx of the callbacks is the struct booth_line. */
enum bl_status booth_line_open(struct booth_line *line, const char *address, enum link_role role,
                               const struct link_callbacks *callbacks, struct bl_diag *diag);

/* Records that a link is up or lost, and its fault while it is not up, but no reason twice in a
 * row. Shows news of a link that stays up. True: the link came up or was lost. */
bool booth_line_state(struct booth_line *line, enum link_state state, const char *reason);

/* Records the number of the line's suppressed notes, once due. Returns the next due time. */
uint64_t booth_line_due(struct booth_line *line, uint64_t now_us);

/* Draws changes at once. A judge's end calls it as the link's taken(): it shows keys before it
 * answers, since the answer wakes other machines. An entity's end calls it after its answer. */
void booth_line_draw(void *ctx);

/* The line's connection, for the screen. Without a link only `sync` counts. booth_line_show() fills
 * the side's connection, its reason and `insecure`. */
enum reach booth_line_reach(const struct booth_line *line, enum sync_state sync);
void booth_line_show(const struct booth_line *line, enum sync_state sync, struct screen_side *side);

/* The common part of struct end_callbacks: the end uses the booth's present journal and the line's
 * present link. ctx is the struct booth_line. */
struct end_callbacks booth_line_callbacks(struct booth_line *line);

#endif
