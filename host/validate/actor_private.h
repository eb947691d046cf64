/* Between the scene and the files of its actors. */
#ifndef VALIDATE_ACTOR_PRIVATE_H
#define VALIDATE_ACTOR_PRIVATE_H

#include "entity/child.h"
#include "entity/filter.h"
#include "validate/actor.h"

#include <poll.h>

#define MS          UINT64_C(1000)
#define ACTOR_INPUT 4096u
#define ACTOR_POLLS 7

/* Of an actor typing on a line. */
struct actor_talk {
    struct child terminal; /* for child_key() alone */
    bool on_pty;
    enum turn_end turn_end;
    struct prompt prompt;
    struct filter filter;
    struct filter_state state;
    struct given given;
    uint64_t window_us, window_cpu_us; /* start of is_settled()'s measuring, and the time used by
                                          then */
    unsigned lines;                    /* ended by the judge */
    unsigned typed;                    /* keys of the last actor_type() */
    /* Since the mark: */
    uint64_t mark, mark_us;
    uint64_t keys; /* visible */
    char text[ACTOR_TEXT + UTF8_MAX + 1];
    size_t text_length;
    uint64_t bad, ignored; /* before */
};

/* Of one with a screen. */
struct actor_screen {
    struct emulator *emulator; /* NULL: none */
    struct picture *before;    /* the screen at the last read */
    struct emulator_callbacks callbacks;
    void *ctx;
    uint64_t changed_us;
    uint32_t pulse; /* of the facts, when a key was last pressed */
    bool spins;
    uint64_t idle_us; /* time when last seen idle, or last given a reason to work */
    bool drawn;
};

struct actor {
    struct scene *scene;
    enum scene_part part;
    struct actor_options options;
    struct sandbox *sandbox;
    struct take *take;
    struct network network;
    struct lpp_judge *lpp; /* LPP's folder; NULL: none */
    struct lpp2_judge *server;
    bool apart;                 /* it has one of them, and does not talk on its terminal */
    uint8_t input[ACTOR_INPUT]; /* not yet taken */
    size_t waiting;
    char errors[ACTOR_ERRORS + 1];
    size_t error_length;
    bool out_closed, err_closed, net_closed;
    bool in_closed;   /* nothing more is taken, for good */
    bool deaf;        /* its output is not read */
    uint64_t last_us; /* of output */
    uint64_t flood_from;
    char ending[100];
    struct actor_talk talk;
    struct actor_screen screen;
};

/* scene.c: the time for which we waited for a processor before the last read. */
uint64_t scene_delay_us(const struct scene *scene);
void scene_put(struct scene *scene, enum scene_part part, struct actor *actor);

/* actor.c: the time of its next work, not later than until_us; and takes its output. */
uint64_t actor_due(const struct actor *actor, uint64_t now_us, uint64_t until_us);
void actor_polls(const struct actor *actor, struct pollfd polls[ACTOR_POLLS]);
void actor_turn(struct actor *actor, const struct pollfd polls[ACTOR_POLLS]);

/* Reads its terminal once. Returns whether something came. */
bool actor_read(struct actor *actor);

/* Takes LPP's names. */
void actor_take_lpp(struct actor *actor);

/* Gives bytes as far as there is room, and returns their number. */
size_t actor_give(struct actor *actor, const void *bytes, size_t length);

bool actor_flooded(const struct actor *actor);

/* actor_talk.c */
enum bl_status talk_open(struct actor *actor, const struct sandbox_options *sandbox,
                         struct bl_diag *diag);
void talk_close(struct actor *actor);
/* Once the program runs. */
void talk_start(struct actor *actor);
void talk_hear(struct actor *actor, const uint8_t *bytes, size_t length);
/* The possible prompt is none: nothing comes behind. */
void talk_drain(struct actor *actor);

/* actor_screen.c. False: no memory. */
bool screen_open(struct actor *actor, unsigned rows, unsigned columns);
void screen_close(struct actor *actor);
void screen_hear(struct actor *actor, const uint8_t *bytes, size_t length);
/* Erased text has gone, if it draws no more. */
void screen_rest(struct actor *actor, uint64_t now_us);

#endif
