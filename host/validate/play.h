/* Plays the same judge to an Entry and to its communications program, at the same time and key for
 * key. The confederate's end types the Entry's text afterwards, at the Entry's own pace; both takes
 * get the same marks, so mimic_compare() can lay them side by side.
 *
 * Text on the Entry's screen is typed, or drawn as a label or prompt. The difference is learnt from
 * the communications program, which must draw the same labels by itself: play_learn() sees the
 * drawing, and its time. An Entry's BackSpace is known by its last character going away, its Return
 * by its cursor going to another row. */
#ifndef VALIDATE_PLAY_H
#define VALIDATE_PLAY_H

#include "validate/actor.h"
#include "validate/validate.h"

/* Characters drawn by the judge's end itself. */
struct play_labels {
    unsigned start;         /* before any key */
    unsigned judge_return;  /* at the judge's Return ... */
    unsigned first_key;     /* ... and with the other party's first key afterwards */
    unsigned entity_return; /* at the other party's Return ... */
    unsigned next_key;      /* ... and with the next key then */
    unsigned rows;          /* down at the other party's Return */
    bool parked;            /* the cursor does not stay behind the other party's text */
};

/* Types a few keys at both ends of a scene without an Entry, just opened and not yet run. False: an
 * end has ended, or shows nothing of them. */
bool play_learn(struct scene *scene, const struct validate_options *options,
                struct play_labels *labels);

/* Plays all of it in a scene with an Entry, just opened and not yet run. False: a program has
 * ended, see actor_is_over(), or an answer of the Entry does not. */
bool play_all(struct scene *scene, const struct validate_options *options,
              const struct picture_mask *mask, const struct play_labels *labels);

#endif
