#ifndef VALIDATE_ACTOR_PRIVATE_H
#define VALIDATE_ACTOR_PRIVATE_H

#include "entity/child.h"
#include "entity/filter.h"
#include "validate/actor.h"

#include <poll.h>

#define MS          UINT64_C(1000)
#define ACTOR_INPUT 4096u
#define ACTOR_POLLS 7

struct actor_talk {
    struct child terminal; /* for child_key() */
    bool on_pty;
    enum turn_end turn_end;
    struct prompt prompt;
    struct filter filter;
    struct filter_state state;
    struct given given;
    uint64_t window_us, window_cpu_us; /* is_settled(): start, processor time used until then */
    unsigned lines;                    /* lines that the judge has ended */
    unsigned typed;                    /* keys typed by the last actor_type() */
    /* The values since the mark. */
    uint64_t mark, mark_us;
    uint64_t keys; /* visible keys */
    char text[ACTOR_TEXT + UTF8_MAX + 1];
    size_t text_length;
    uint64_t bad, ignored; /* counts before the mark */
};

/* State of an actor with a screen. */
struct actor_screen {
    struct emulator *emulator; /* NULL: none */
    struct picture *before;    /* the screen at the last read */
    struct emulator_callbacks callbacks;
    void *ctx;
    uint64_t changed_us;
    uint32_t pulse; /* pulse of the sandbox's facts at the last key */
    bool spins;
    uint64_t idle_us; /* time at which the program was last idle, or got a reason to work */
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
    bool apart;                 /* has `lpp` or `server`, so its terminal carries no keys */
    uint8_t input[ACTOR_INPUT]; /* typed, but not yet read by the program */
    size_t waiting;
    char errors[ACTOR_ERRORS + 1];
    size_t error_length;
    bool out_closed, err_closed, net_closed;
    bool in_closed;   /* the program will never read again */
    bool deaf;        /* the output is not read */
    uint64_t last_us; /* time of the last output */
    uint64_t flood_from;
    char ending[100];
    struct actor_talk talk;
    struct actor_screen screen;
};

/* scene.c: the time this process waited for a processor before the last read. */
uint64_t scene_delay_us(const struct scene *scene);

/* The number of the current wait, which counts from 1. */
uint64_t scene_waits(const struct scene *scene);
void scene_put(struct scene *scene, enum scene_part part, struct actor *actor);

/* actor.c: the time of the actor's next work, at most until_us; its descriptors; the work
 * itself. */
uint64_t actor_due(const struct actor *actor, uint64_t now_us, uint64_t until_us);
void actor_polls(const struct actor *actor, struct pollfd polls[ACTOR_POLLS]);
void actor_turn(struct actor *actor, const struct pollfd polls[ACTOR_POLLS]);

/* Reads the terminal once. True if there was output. */
bool actor_read(struct actor *actor);

/* Takes the names that the Entry made in LPP's folder. */
void actor_take_lpp(struct actor *actor);

/* Writes bytes as far as there is room; returns their number. */
size_t actor_give(struct actor *actor, const void *bytes, size_t length);

bool actor_flooded(const struct actor *actor);

/* actor_talk.c */
enum bl_status talk_open(struct actor *actor, const struct sandbox_options *sandbox,
                         struct bl_diag *diag);
void talk_close(struct actor *actor);
/* Called when the program runs. */
void talk_start(struct actor *actor);
void talk_hear(struct actor *actor, const uint8_t *bytes, size_t length);
/* Releases a held prompt: no output will follow. */
void talk_drain(struct actor *actor);

/* actor_screen.c. False if out of memory. */
bool screen_open(struct actor *actor, unsigned rows, unsigned columns);
void screen_close(struct actor *actor);
void screen_hear(struct actor *actor, const uint8_t *bytes, size_t length);
/* Reports erased text as gone, if the program has stopped drawing. */
void screen_rest(struct actor *actor, uint64_t now_us);

#endif
