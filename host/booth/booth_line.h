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
    struct script *script;   /* NULL: none types */
    struct screen *screen;   /* NULL: none */
    bool held;               /* its keyboard */
    /* Gets each key before the screen, see screen.h; NULL: none. ctx is the booth. */
    bool (*first)(void *ctx, enum input_what what, uint32_t point);
    void (*kept)(void *ctx); /* see screen_callbacks */
    struct screen_model model;
    char segment_text[64], message[200];
    uint64_t message_until_us;
    bool changed;     /* something that the screen shows */
    enum side active; /* the side being typed to, which notes without a line concern */
    uint32_t ignored; /* input that is not a key */
    enum booth_stage stage;
    uint64_t stage_due_us;
    void *trace;
    void (*fill)(struct booth *booth, struct bl_time now); /* the model, for the screen */
    struct {
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
    bool hidden;              /* the screen does not name the port, but the side of each cable */
    bool up;
    struct line_notes notes; /* the line's notes for the record */
};

/* Starts the parts on the loop; settle is called before each wait of the loop, from booth_run on,
 * with handle->data the booth. */
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

/* The time at which the message ends; marks the screen as changed when that has come. */
uint64_t booth_message_due(struct booth *booth, uint64_t now_us);

/* The message for the model, "" after its time. */
const char *booth_message(struct booth *booth, uint64_t now_us);

/* Writes a note to the record, or keeps the note until there is a record. */
void booth_note(struct booth *booth, enum side side, enum note_code code, uint32_t count,
                const char *text);

/* Leaves when the last acknowledgements have arrived, or after a moment. */
void booth_goodbye(struct booth *booth);

/* True if others may hear such a line and understand it: a referee with the keys, or any machine on
 * a hub. */
bool booth_line_is_listened(const struct booth_options *options, enum side side,
                            const char *address);

/* Opens the line with this address; ctx of the callbacks is the struct booth_line. */
enum bl_status booth_line_open(struct booth_line *line, const char *address, enum link_role role,
                               const struct link_callbacks *callbacks, struct bl_diag *diag);

/* Records a link's state: up, lost, and the fault while it is not up, but no reason twice in a row.
 * True: the link has come up or gone. */
bool booth_line_state(struct booth_line *line, enum link_state state, const char *reason);

/* Records the number of the line's suppressed notes once that is due. Returns the next due time. */
uint64_t booth_line_due(struct booth_line *line, uint64_t now_us);

/* Draws changes at once. The link's taken() at a judge's end: keys are shown before they are
 * answered, since the answer wakes other machines. An entity's end has answered by then. */
void booth_line_draw(void *ctx);

/* The line's connection for a screen and a model; without a link only the ends matter. */
enum reach booth_line_reach(const struct booth_line *line, enum sync_state sync);
void booth_line_show(const struct booth_line *line, enum sync_state sync, struct screen_side *side);

/* The common part of struct end_callbacks: the end uses the booth's present journal and the line's
 * present link. ctx is the struct booth_line. */
struct end_callbacks booth_line_callbacks(struct booth_line *line);

#endif
