/* A program in a sandbox of its own, as one part of a scene. Its output is kept in one log, its
 * take (take.h), with the time of each read; the meaning of the output depends on its terminal:
 *
 * - One that types on a line, the Entry (actor_talk.c): what it writes are keys. The judge's keys
 *   are typed and waited for, with patience for a busy machine.
 * - One with a screen, as a person has it (actor_screen.c): what it writes is drawn.
 *
 * Bounded in memory; a program writing without end is stopped by not being read. */
#ifndef VALIDATE_ACTOR_H
#define VALIDATE_ACTOR_H

#include "entity/sandbox.h"
#include "validate/emulator.h"
#include "validate/lpp2_judge.h"
#include "validate/lpp_judge.h"
#include "validate/network.h"
#include "validate/scene.h"
#include "validate/take.h"

#define ACTOR_TEXT   (256u << 10) /* of its keys since the mark, the first */
#define ACTOR_ERRORS 4096u        /* of standard error, the first */

/* The reason for a wait's end. */
enum actor_outcome {
    ACTOR_DONE,   /* the awaited text has come */
    ACTOR_LATE,   /* not yet, although there was time and no work */
    ACTOR_ENDED,  /* the command has ended; its output is all here */
    ACTOR_KILLED, /* too much memory or too many processes: see sandbox_facts */
    ACTOR_FLOOD,  /* more output than is allowed at once; of a screen, than there is room for */
};

struct actor_options {
    const char *strip_prompt; /* as of program.h; NULL: none */
    bool strip_echo;
    unsigned flood_bytes;            /* in one wait */
    const struct picture_mask *mask; /* changes there on its screen are no reaction; NULL: none;
                                        must outlive it */
};

/* Starts the command in a sandbox of its own; a screen with sandbox->screen. Plays a part of the
 * scene, nobody else's, until actor_close() or the scene's end. Errors: of sandbox_open(), and
 * BL_USAGE for the prompt. */
enum bl_status actor_open(struct actor **out, struct scene *scene, enum scene_part part,
                          const struct sandbox_options *sandbox,
                          const struct actor_options *options, struct bl_diag *diag);

/* The same in a scene of its own, as the Entry; scene_close(actor_scene(actor)) ends both. */
enum bl_status actor_open_alone(struct actor **out, const struct sandbox_options *sandbox,
                                const struct actor_options *options, struct bl_diag *diag);

/* NULL is allowed. */
void actor_close(struct actor *actor);

struct scene *actor_scene(const struct actor *actor);
struct sandbox *actor_sandbox(const struct actor *actor);
struct take *actor_take(const struct actor *actor);

/* True if ended, killed for an excess, or flooding: *end (may be NULL) says which. There may be
 * output not read: actor_drain(). */
bool actor_is_over(const struct actor *actor, enum actor_outcome *outcome);
void actor_drain(struct actor *actor);

/* In these where there is no such program. */
#define NO_PROGRAM "there is no such program"

/* The end of the command, in words: "ended by itself, exit status 1". "" if it has not. */
const char *actor_ending(struct actor *actor);

/* The first of its standard error, as text. */
const char *actor_errors(const struct actor *actor);

/* Its attempts on the network since its start. */
const struct network *actor_network(const struct actor *actor);

/* ---- typing on a line ---- */

/* Starts the command again, see sandbox_again(). Its output so far is forgotten. */
enum bl_status actor_again(struct actor *actor, struct bl_diag *diag);

/* Types the keys of text (UTF-8; \r is Return, \b BackSpace), each gap_ms after the one before; 0:
 * a paste, as fast as they are taken. Reads meanwhile. ACTOR_LATE: the program has taken no more of
 * them for 10 s. */
enum actor_outcome actor_type(struct actor *actor, const char *text, unsigned gap_ms);

/* The number of typed keys of the last actor_type(): all, or up to the one not taken. */
unsigned actor_typed(const struct actor *actor);

/* Writes bytes as they are. */
enum actor_outcome actor_send(struct actor *actor, const void *bytes, size_t length);

/* Waits for a visible key since actor_mark(). Not late while at work, up to three times late_ms. */
enum actor_outcome actor_wait_key(struct actor *actor, unsigned late_ms);

/* Waits for a silence of quiet_ms; late_ms in all at most. */
enum actor_outcome actor_wait_quiet(struct actor *actor, unsigned quiet_ms, unsigned late_ms);

/* Waits until the program waits for input, or was silent for quiet_ms after some output. */
enum actor_outcome actor_wait_ready(struct actor *actor, unsigned quiet_ms, unsigned late_ms);

/* Waits until the command has ended (ACTOR_ENDED). */
enum actor_outcome actor_wait_end(struct actor *actor, unsigned late_ms);

/* Waits until the command has ended with all its processes; with `attached`, processes with a
 * session of their own may be left. */
enum actor_outcome actor_wait_gone(struct actor *actor, unsigned late_ms, bool attached);

/* Lets time go by. With `cut` its output is not read meanwhile, and the kernel has no room left for
 * its output to its terminal, as at the end of a long cut, so each write blocks. On pipes and in
 * LPP's folder its output only waits to be taken. */
enum actor_outcome actor_pause(struct actor *actor, unsigned ms, bool cut);

/* From here on: the beginning of actor_said(). */
void actor_mark(struct actor *actor);

/* Its output since the mark. */
struct actor_said {
    uint64_t since_us;     /* time of the mark; monotonic */
    uint64_t count, keys;  /* of all bytes; of visible keys */
    uint64_t bad, ignored; /* bytes of no UTF-8; those of controls and escape sequences */
    const char *text;      /* its keys, prompts and, if asked for, echo dropped, as UTF-8 */
    const uint8_t *bytes;  /* those still kept */
    size_t length;
    const struct take_read *reads;
    size_t read_count;
};

/* The pointers stay valid until the next wait. */
struct actor_said actor_said(const struct actor *actor);

/* Returns typed since the program's start. */
unsigned actor_lines(const struct actor *actor);

/* LPP's folder, where keys come and go if the sandbox has one; its terminal then counts for
 * nothing. NULL: none. */
const struct lpp_judge *actor_lpp(const struct actor *actor);

/* The server of LPP v2 for its connection, if the sandbox has the port; its terminal then counts
 * for nothing. NULL: there is none. */
const struct lpp2_judge *actor_lpp2(const struct actor *actor);

/* Breaks its connections, and waits for a new registration: ACTOR_LATE: it has not. */
enum actor_outcome actor_cut(struct actor *actor, unsigned late_ms, struct bl_diag *diag);

/* ---- one with a screen ---- */

/* Hears of the cells of its screen, but for masked ones; set before the time goes on. */
void actor_listen(struct actor *actor, const struct emulator_callbacks *callbacks, void *ctx);

/* Presses a key: Return as '\r', BackSpace as DEL, all else in UTF-8. */
void actor_press(struct actor *actor, uint32_t point);

const struct picture *actor_picture(const struct actor *actor);

/* The time of the screen's last change outside the mask; the start if never. */
uint64_t actor_changed_us(const struct actor *actor);

/* Nothing has changed for ms, and the program is not at work. */
bool actor_rests(struct actor *actor, unsigned ms);

/* At rest after its start: waiting for input, or something is drawn. */
bool actor_ready(struct actor *actor);

/* The same, or still for so long that the program is taken for ready, whatever its wait. */
bool actor_waits(struct actor *actor);

#endif
