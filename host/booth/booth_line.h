/* The common work of a booth's two terminals. struct booth is the first member of each terminal;
 * struct booth_line is the first member of each line. */
#ifndef BOOTH_BOOTH_LINE_H
#define BOOTH_BOOTH_LINE_H

#include "booth/booth.h"
#include "booth/line_notes.h"

#define BOOTH_EARLY_NOTES 8 /* notes kept until a record is open */

enum booth_stage {
    RUNNING,
    ENDING,         /* the ends of each line agree on the session's end (judge's terminal only) */
    SAYING_GOODBYE, /* the last acknowledgements may still arrive */
    STOPPED
};

struct booth {
    const struct booth_options *options;
    uv_loop_t loop;
    uv_prepare_t prepare; /* calls settle() of booth_run() */
    struct bl_timer timer;
    struct booth_signals signals;
    struct booth_clock clock;
    uint64_t start_us;
    struct journal *journal; /* NULL: not open yet */
    struct script *script;   /* NULL: none */
    struct screen *screen;   /* NULL: none */
    bool held;               /* the screen's keyboard is not read */
    /* Gets each key before the screen; see screen.h. NULL: not used. ctx is the booth. */
    bool (*first)(void *ctx, enum input_what what, uint32_t point);
    void (*kept)(void *ctx); /* see screen_callbacks */
    struct screen_model model;
    char segment_text[64], message[200];
    uint64_t message_until_us;
    bool changed;     /* the screen must be drawn again */
    enum side active; /* the side of typed keys; notes on ignored input and the disk name it */
    uint32_t ignored; /* count of input that is not a key */
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
    struct link *link;        /* NULL: not open, or a folder replaces the line */
    struct judge_lpp *folder; /* NULL: none; see judge_lpp.h */
    struct entity_lpp *judge; /* NULL: none; see entity_lpp.h */
    bool insecure;            /* others can hear the line, which has no secret */
    bool hidden;              /* the screen's reasons do not name the port */
    bool up;
    struct line_notes notes; /* the line's notes for the record */
};

/* booth_init() makes the booth's loop and handles. booth_run() runs the loop to its end, and calls
 * settle() before each wait of the loop. handle->data is the booth. */
void booth_init(struct booth *booth, const struct booth_options *options,
                void (*fill)(struct booth *booth, struct bl_time now));
void booth_run(struct booth *booth, uv_prepare_cb settle);

/* Closes everything except the lines; a second call has no effect. booth_free() frees the rest when
 * the loop has ended. */
void booth_close(struct booth *booth);
void booth_free(struct booth *booth);

void booth_show(struct booth *booth, struct bl_time now);

/* Stops or continues the reading of the screen's keyboard; see screen_hold(). */
void booth_hold(struct booth *booth, bool hold);

/* Opens the screen, unless the terminal is headless. ctx of both callbacks is the booth. name: the
 * role's. */
enum bl_status booth_screen(struct booth *booth, const char *name,
                            void (*key)(void *ctx, uint32_t point),
                            void (*command)(void *ctx, enum screen_command command),
                            struct bl_diag *diag);

/* Gives the booth an open journal, and writes the kept notes to it. The booth owns the journal. On
 * failure the journal is closed. */
enum bl_status booth_journal(struct booth *booth, struct journal *journal);

/* Shows a message for 8 s. */
void booth_say(struct booth *booth, const char *text);

/* Returns the time at which the message ends; BL_NEVER: no message. Marks the screen as changed at
 * that time. */
uint64_t booth_message_due(struct booth *booth, uint64_t now_us);

/* The message for the model; "" after its time. */
const char *booth_message(struct booth *booth, uint64_t now_us);

/* Writes a note to the record. While no record is open, up to BOOTH_EARLY_NOTES notes are kept; all
 * of them are recorded for the left side. */
void booth_note(struct booth *booth, enum side side, enum note_code code, uint32_t count,
                const char *text);

/* Begins to leave. The terminal ends when the last acknowledgements have arrived, or at
 * stage_due_us. */
void booth_goodbye(struct booth *booth);

/* True if another party can listen to the line: a permitted referee, or, without a secret, any
 * machine on a hub. address: the line's. */
bool booth_line_is_listened(const struct booth_options *options, enum side side,
                            const char *address);

/* Opens the line. address: its port. ctx of the callbacks is the struct booth_line. */
enum bl_status booth_line_open(struct booth_line *line, const char *address, enum link_role role,
                               const struct link_callbacks *callbacks, struct bl_diag *diag);

/* Records that the link is up or lost and, while it is not up, each new reason. Shows the news of a
 * link that stays up. True: the link came up or was lost. */
bool booth_line_state(struct booth_line *line, enum link_state state, const char *reason);

/* Records the number of the line's suppressed notes if that record is due. Returns the next due
 * time. */
uint64_t booth_line_due(struct booth_line *line, uint64_t now_us);

/* Draws changes at once. At the judge's end the link calls it as taken(), before the answer, which
 * wakes other machines. An entity's end calls it after its answer. */
void booth_line_draw(void *ctx);

/* booth_line_reach() returns the line's reach for the screen; without a link, by `sync` alone.
 * booth_line_show() fills in the side's reach, its reason and `insecure`. */
enum reach booth_line_reach(const struct booth_line *line, enum sync_state sync);
void booth_line_show(const struct booth_line *line, enum sync_state sync, struct screen_side *side);

/* The callbacks of both ends. They use the booth's present journal and the line's present link. ctx
 * is the struct booth_line. */
struct end_callbacks booth_line_callbacks(struct booth_line *line);

#endif
