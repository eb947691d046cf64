/* A program in its own sandbox, playing one part of a scene. A take (take.h) keeps the output with
 * the time of each read. The output's meaning depends on the part:
 *
 * - A program that types on a line, the Entry (actor_talk.c): its output is keys. The judge's keys
 * are typed to the program, and its answers are awaited. - A program with a screen, as a person has
 * it (actor_screen.c): its output is drawn.
 *
 * Bounded in memory: the output of a program that writes without end is not read. */
#ifndef VALIDATE_ACTOR_H
#define VALIDATE_ACTOR_H

#include "entity/sandbox.h"
#include "validate/emulator.h"
#include "validate/lpp2_judge.h"
#include "validate/lpp_judge.h"
#include "validate/network.h"
#include "validate/scene.h"
#include "validate/take.h"

#define ACTOR_TEXT   (256u << 10) /* bytes of the first keys since the mark */
#define ACTOR_ERRORS 4096u        /* last bytes of standard error */

enum actor_outcome {
    ACTOR_DONE,  /* the awaited event has occurred */
    ACTOR_LATE,  /* the event has not occurred, although the program had time and was not working */
    ACTOR_ENDED, /* the command has ended, and all its output has been read */
    ACTOR_KILLED, /* too much memory or too many processes: see struct sandbox_facts */
    ACTOR_FLOOD,  /* more output at once than is allowed or, for a screen, than fits */
};

struct actor_options {
    const char *strip_prompt; /* as in program.h; NULL: none */
    bool strip_echo;
    unsigned flood_bytes;            /* most bytes in one wait */
    const struct picture_mask *mask; /* cells that do not count as a reaction; NULL: none */
};

/* Starts the command in its own sandbox, with a screen if sandbox->screen is set. The actor plays
 * its part of the scene until actor_close() or the scene's end. Errors: those of sandbox_open(),
 * and BL_USAGE for the prompt. */
enum bl_status actor_open(struct actor **out, struct scene *scene, enum scene_part part,
                          const struct sandbox_options *sandbox,
                          const struct actor_options *options, struct bl_diag *diag);

/* As actor_open(), as the Entry in a new scene; scene_close(actor_scene(actor)) ends both. */
enum bl_status actor_open_alone(struct actor **out, const struct sandbox_options *sandbox,
                                const struct actor_options *options, struct bl_diag *diag);

/* NULL is allowed. */
void actor_close(struct actor *actor);

struct scene *actor_scene(const struct actor *actor);
struct sandbox *actor_sandbox(const struct actor *actor);
struct take *actor_take(const struct actor *actor);

/* True if the program has ended, was killed for an excess, or floods; *outcome (may be NULL) is
 * then the reason. Some of its output may be unread: actor_drain() reads it. */
bool actor_is_over(const struct actor *actor, enum actor_outcome *outcome);
void actor_drain(struct actor *actor);

/* A part of actor_ending(): the shell has not found the program. */
#define NO_PROGRAM "there is no such program"

/* Describes the command's end: "ended by itself, exit status 1". "" if the command still runs. */
const char *actor_ending(struct actor *actor);

/* The last bytes of standard error, as text; a NUL is a '?'. */
const char *actor_errors(const struct actor *actor);

/* The program's attempts on the network since its start. */
const struct network *actor_network(const struct actor *actor);

/* ---- typing on a line ---- */

/* Starts the command again, see sandbox_again(). The output so far is dropped. */
enum bl_status actor_again(struct actor *actor, struct bl_diag *diag);

/* Types the keys of text (UTF-8; \r is Return, \b BackSpace), one every gap_ms; 0 pastes them as
 * fast as the program reads. ACTOR_LATE if the program has not read a key for 10 s. */
enum actor_outcome actor_type(struct actor *actor, const char *text, unsigned gap_ms);

/* The number of keys typed by the last actor_type(), up to the first unread one. */
unsigned actor_typed(const struct actor *actor);

/* Writes bytes unchanged. */
enum actor_outcome actor_send(struct actor *actor, const void *bytes, size_t length);

/* Waits for a visible key since actor_mark(). A working program gets up to three times late_ms. */
enum actor_outcome actor_wait_key(struct actor *actor, unsigned late_ms);

/* Waits for quiet_ms without output, for late_ms at most. */
enum actor_outcome actor_wait_quiet(struct actor *actor, unsigned quiet_ms, unsigned late_ms);

/* Waits until the program reads its input, or gives no output for quiet_ms after some output. */
enum actor_outcome actor_wait_ready(struct actor *actor, unsigned quiet_ms, unsigned late_ms);

/* Waits until the command has ended (ACTOR_ENDED). */
enum actor_outcome actor_wait_end(struct actor *actor, unsigned late_ms);

/* Waits until all processes of the command have ended; with `attached`, processes in sessions of
 * their own may remain. */
enum actor_outcome actor_wait_gone(struct actor *actor, unsigned late_ms, bool attached);

/* Lets time pass. With `cut`, output is not read meanwhile and the kernel's buffer of the terminal
 * is full, so each write blocks, as at the end of a long outage. Output to pipes and to LPP's
 * folder only waits. */
enum actor_outcome actor_pause(struct actor *actor, unsigned ms, bool cut);

/* Starts the output of actor_said() anew. */
void actor_mark(struct actor *actor);

/* The output since the mark. */
struct actor_said {
    uint64_t since_us;     /* monotonic time of the mark */
    uint64_t count, keys;  /* number of all bytes, and of visible keys */
    uint64_t bad, ignored; /* bytes of invalid UTF-8; bytes of controls and escape sequences */
    const char *text;      /* the keys as UTF-8, without prompts and, if asked for, echo */
    const uint8_t *bytes;  /* the bytes that are still kept */
    size_t length;
    const struct take_read *reads;
    size_t read_count;
};

/* The pointers are valid until the next wait. */
struct actor_said actor_said(const struct actor *actor);

/* Number of Returns typed since the program's start. */
unsigned actor_lines(const struct actor *actor);

/* LPP's folder, if the sandbox has one; all keys then pass through the folder, none through the
 * terminal. NULL: none. */
const struct lpp_judge *actor_lpp(const struct actor *actor);

/* The server for the program's LPP v2 connection, if the sandbox has the port; the terminal then
 * carries no keys. NULL: none. */
const struct lpp2_judge *actor_lpp2(const struct actor *actor);

/* Breaks the program's connections and waits for a new registration. ACTOR_LATE: none came. */
enum actor_outcome actor_cut(struct actor *actor, unsigned late_ms, struct bl_diag *diag);

/* ---- a program with a screen ---- */

/* Sets callbacks for changed cells, except masked ones; to be called before time passes. */
void actor_listen(struct actor *actor, const struct emulator_callbacks *callbacks, void *ctx);

/* Presses a key: Return is '\r', BackSpace DEL, all else UTF-8. */
void actor_press(struct actor *actor, uint32_t point);

const struct picture *actor_picture(const struct actor *actor);

/* The time of the screen's last change outside the mask; the start if there was none. */
uint64_t actor_changed_us(const struct actor *actor);

/* True if nothing has changed for `ms` and the program does not work. */
bool actor_rests(struct actor *actor, unsigned ms);

/* True if the program has started and rests, and reads input or has drawn something. */
bool actor_ready(struct actor *actor);

/* As actor_ready(), or true after so long without a change that the program counts as ready. */
bool actor_waits(struct actor *actor);

#endif
