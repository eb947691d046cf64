/* A booth in the world: a judge's machine, two entities' machines, a serial cable to each, and at
 * each screen a person. A test lets them type, does something to them, and asks what came of it:
 *
 *     struct scene *s = scene_begin(&(struct scene_setup){.seed = 7, .plan = "20 both"});
 *     scene_wait(s, scene_is_open);
 *     scene_type(s, LEFT, "hello");
 *     cable_plug(s->cable[0], false);
 *     ...
 *     assert_string_equal(scene_end(s), ""); */
#ifndef WORLD_SCENE_H
#define WORLD_SCENE_H

#include "tests/world/world.h"

#include "booth/entity_booth.h"
#include "booth/judge_booth.h"

enum place { JUDGE, LEFT, RIGHT, PLACES };

#define SCENE_KEY "line.key"

struct scene_setup {
    uint64_t seed;
    const char *plan; /* NULL: "20 both" */
    enum starts starts;
    enum style_form style; /* of the page; 0: split */
    bool begin_by_key;     /* the plan waits for the judge's F9 */
    uint32_t baud;         /* 0: 115,200 */
    bool by_hand;          /* who sits there does what the test says, and no F9 of his own */
    bool secret;           /* the lines are encrypted, by the key file SCENE_KEY */
    bool controller;       /* at the judge's machine, with relays in the lines: controller.h */
    bool typists;       /* persons type by themselves, all the time, each with habits of his own */
    unsigned typing_ms; /* mean pause between two keys of a typist; 0: 200 */
    char *const *left;  /* the words that start the left end's terminal, of the program that
                           world_program() has named; NULL: a keyboard's */
};

struct station {
    struct scene *scene;
    struct machine *machine;
    struct process *process;
    struct person *person;
    struct dice dice;                  /* the person's */
    bool replaced;                     /* by a spare machine */
    bool off;                          /* ended by a mishap, and is started again */
    unsigned kills, power_cuts, steps; /* of its clock */
};

struct scene {
    struct station station[PLACES];
    struct cable *cable[SIDES];
    struct judge_options judge;
    struct entity_options entity[SIDES];
    struct oracle *oracle;
    struct controller *controller; /* NULL: none */
    struct scene_setup setup;
    char port[2 * SIDES][200], plan[200];
};

/* Begins a world with one booth, whose terminals start within the first second. */
struct scene *scene_begin(const struct scene_setup *setup);

/* Writes a key file of a line; another number, another secret. */
void scene_key(const char *path, uint8_t number);

/* Keys for a screen, typed at a person's pace from now on; the scene does not wait for them. */
void scene_type(struct scene *scene, enum place place, const char *text);

/* Lets time pass: so long, or until something holds. False: it did not within 10 minutes. */
void scene_pass(struct scene *scene, uint64_t us);
bool scene_wait(struct scene *scene, bool (*holds)(struct scene *scene));

/* A part of the plan is open at the judge's end; all that is typed has come to the other end; all
 * terminals have ended with the session over. */
bool scene_is_open(struct scene *scene);
bool scene_is_quiet(struct scene *scene);
bool scene_is_over(struct scene *scene);

/* The judge's screen says that a side's keys go there, or would. */
bool scene_is_active(struct scene *scene, enum side side);

/* The words of that screen, but for the page: warnings, message, states. What stands there among
 * them; or will, within 10 minutes. */
bool scene_reads(struct scene *scene, enum place place, const char *text);
bool scene_will_read(struct scene *scene, enum place place, const char *text);
bool scene_will_not_read(struct scene *scene, enum place place, const char *text);

/* The number of notes on record there with the text. */
unsigned scene_notes(struct scene *scene, enum place place, const char *text);
bool scene_will_note(struct scene *scene, enum place place, const char *text);

/* The person there gives a command. */
void scene_command(struct scene *scene, enum place place, enum screen_command command);

/* Ends a terminal as kill -9 or a power cut does, and starts it again so much later. */
void scene_kill(struct scene *scene, enum place place, uint64_t off_us);
void scene_cut_power(struct scene *scene, enum place place, uint64_t off_us);

/* Starts a terminal that has ended. */
void scene_start(struct scene *scene, enum place place, uint64_t off_us);

/* A spare machine takes that one's place, and its terminal is started so much later. */
void scene_replace(struct scene *scene, enum place place, uint64_t off_us);

/* What stands on record there, as text: "judge's keys" in order with entities' between them; valid
 * until the next call. */
const char *scene_text(struct scene *scene, enum place place, enum side side);

/* Lets the session come to its end, asks all oracles, and begins the next one, with the same plan,
 * on the same machines and the same controller. "", or what was not well. */
const char *scene_next(struct scene *scene, const char *session);

/* Lets the session come to its end, asks all oracles, and frees everything. "": all is well; else
 * what is not, valid until the next scene begins. */
const char *scene_end(struct scene *scene);

#endif
