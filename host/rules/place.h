/* A machine's place at a venue: its booth, and its part there. Set up once, when the cables are
 * plugged, and independent of each draw. On a stick each has a folder (stick.h). Pure: it reads and
 * writes text, not files.
 *
 *   [place]
 *   format = 1
 *   booth = 3
 *   machine = judge               ; or cable-a, cable-b: at the far end of that cable */
#ifndef RULES_PLACE_H
#define RULES_PLACE_H

#include "base/status.h"

#include <stdbool.h>

#define PLACE_NAME  32 /* with its NUL */
#define PLACE_BOOTH 99 /* the highest number of a booth */

enum machine { MACHINE_JUDGE = 1, MACHINE_CABLE_A, MACHINE_CABLE_B };

struct place {
    int format, booth; /* from 1 */
    int machine;       /* enum machine */
};

/* Parses a file's text; name is for messages. BL_DATA with "NAME:LINE: ...". */
enum bl_status place_parse(struct place *place, const char *text, const char *name,
                           struct bl_diag *diag);

/* Takes a person's words: "booth 3, judge", "3 judge", "booth 3, cable A", "3a". False: they are no
 * place. */
bool place_read(struct place *place, const char *words);

/* "booth-3-judge", "booth-3-cable-a": the name of its folders; and such a name read. False: it is
 * none. */
void place_name(const struct place *place, char name[PLACE_NAME]);
bool place_name_read(struct place *place, const char *name);

/* "booth 3, judge", "booth 3, cable A": people's name of it. */
void place_words(const struct place *place, char words[PLACE_NAME]);

#define PLACE_TEXT 64
/* The file's text. */
void place_text(const struct place *place, char text[PLACE_TEXT]);

#endif
