/* Plays one judge to an Entry and to its communications program, at the same time and key for key.
 * The confederate's end types the Entry's text at the Entry's own pace. Both takes get the same
 * marks, for mimic_compare().
 *
 * * Text on the Entry's screen is typed text, a label or a prompt. Labels are learnt from the
 * communications program, which must draw the same ones by itself: play_learn() counts them and
 * notes when they appear. A BackSpace of the Entry is recognised by the disappearance of its last
 * character, a Return by the cursor's move to another row. */
#ifndef VALIDATE_PLAY_H
#define VALIDATE_PLAY_H

#include "validate/actor.h"
#include "validate/validate.h"

/* Number of characters that the judge's end draws by itself. */
struct play_labels {
    unsigned start;         /* before any key */
    unsigned judge_return;  /* at the judge's Return */
    unsigned first_key;     /* with the other party's first key after it */
    unsigned entity_return; /* at the other party's Return */
    unsigned next_key;      /* with the next key after it */
    unsigned rows;          /* rows that the text moves down at the other party's Return */
    bool parked;            /* the cursor does not follow the other party's text */
};

/* Types a few keys at both ends of a new scene without an Entry. False: an end has ended, or the
 * keys do not appear. */
bool play_learn(struct scene *scene, const struct validate_options *options,
                struct play_labels *labels);

/* Plays the whole conversation in a new scene with an Entry. False: a program has ended, see
 * actor_is_over(), or an answer of the Entry does not end. */
bool play_all(struct scene *scene, const struct validate_options *options,
              const struct picture_mask *mask, const struct play_labels *labels);

#endif
