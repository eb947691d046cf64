/* The common work of both terminals of a booth while they run: one struct booth is the head of
 * each, one struct booth_line the head of each of its lines. */
#ifndef BOOTH_BOOTH_LINE_H
#define BOOTH_BOOTH_LINE_H

#include "booth/booth.h"
#include "booth/line_notes.h"

#define BOOTH_EARLY_NOTES 8 /* notes kept until there is a record to write them to */

enum booth_stage {
    RUNNING,
    ENDING,         /* the ends agree on the end (judge's terminal only) */
    SAYING_GOODBYE, /* the last acknowledgements get a moment */
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
    /* Given each key before the screen, see screen.h; NULL: none. ctx is the booth. */
    bool (*first)(void *ctx, enum input_what what, uint32_t point);
    void (*kept)(void *ctx); /* see screen_callbacks */
    struct screen_model model;
    char segment_text[64], message[200];
    uint64_t message_until_us;
    bool changed;     /* something that the screen shows */
    enum side active; /* the side typed to, and that notes without a line are about */
    uint32_t ignored; /* input that is no key */
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
    struct link *link;        /* NULL: none, or a folder instead */
    struct judge_lpp *folder; /* NULL: none; see judge_lpp.h */
    struct entity_lpp *judge; /* NULL: none; see entity_lpp.h */
    bool insecure;            /* others can hear it, and it has no secret */
    bool hidden; /* its screen does not name the port: it tells which cable is on which side */
    bool up;
    struct line_notes notes; /* the line's notes on record */
};

/* Starts the loop's parts; settle is called before each wait of the loop, from booth_run on, with
 * handle->data the booth. */
void booth_init(struct booth *booth, const struct booth_options *options,
                void (*fill)(struct booth *booth, struct bl_time now));
void booth_run(struct booth *booth, uv_prepare_cb settle);

/* Closes all but the lines, once; booth_free takes the rest when the loop has ended. */
void booth_close(struct booth *booth);
void booth_free(struct booth *booth);

/* Shows the changes, in the loop's next turn. */
void booth_show(struct booth *booth, struct bl_time now);

/* Stops taking from the screen's keyboard, or takes again; see screen_hold. */
void booth_hold(struct booth *booth, bool hold);

/* Opens the screen, unless the terminal has none. ctx of both is the booth; name is the role's. */
enum bl_status booth_screen(struct booth *booth, const char *name,
                            void (*key)(void *ctx, uint32_t point),
                            void (*command)(void *ctx, enum screen_command command),
                            struct bl_diag *diag);

/* Takes an open journal into the loop, and writes the notes made before. The journal is the booth's
 * then, or closed after a failure. */
enum bl_status booth_journal(struct booth *booth, struct journal *journal);

/* Shows a message for a while. */
void booth_say(struct booth *booth, const char *text);

/* The time at which the message goes; marks the screen as changed when it has come. */
uint64_t booth_message_due(struct booth *booth, uint64_t now_us);

/* The message for the model, "" when its time is over. */
const char *booth_message(struct booth *booth, uint64_t now_us);

/* Puts a note on the record, or keeps it for the record to come. */
void booth_note(struct booth *booth, enum side side, enum note_code code, uint32_t count,
                const char *text);

/* Leaves as soon as the last acknowledgements are there, or after a moment. */
void booth_goodbye(struct booth *booth);

/* True if somebody may listen on such a line and understand it: a referee who has its keys, or
 * anybody on a hub. */
bool booth_line_is_listened(const struct booth_options *options, enum side side,
                            const char *address);

/* Opens the line named by address; ctx of the callbacks is the struct booth_line. */
enum bl_status booth_line_open(struct booth_line *line, const char *address, enum link_role role,
                               const struct link_callbacks *callbacks, struct bl_diag *diag);

/* Records a link's state: up, lost, and the fault while it is not up, but no reason twice in a row.
 * True: it has come up or gone. */
bool booth_line_state(struct booth_line *line, enum link_state state, const char *reason);

/* Records the number of notes of the line held back, once due. Returns the next due time. */
uint64_t booth_line_due(struct booth_line *line, uint64_t now_us);

/* Shows changes at once. The link's taken() at a judge's end: keys are shown before they are
 * answered, for the answer wakes others up. An entity's end has answered by then. */
void booth_line_draw(void *ctx);

/* The line's reach for a screen and a model; without a link only the ends count. */
enum reach booth_line_reach(const struct booth_line *line, enum sync_state sync);
void booth_line_show(const struct booth_line *line, enum sync_state sync, struct screen_side *side);

/* The part of struct end_callbacks that is the same at both ends: the end speaks to the booth's
 * journal and to the line's link, whichever these are then. ctx is the struct booth_line. */
struct end_callbacks booth_line_callbacks(struct booth_line *line);

#endif
