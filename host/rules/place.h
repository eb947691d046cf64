/* A machine's place at a venue: the booth and the role in it. It is set up once, when the cables
 * are plugged, and does not depend on the draw. On a stick each place has a folder (stick.h). Pure:
 * reads and writes text, not files.
 *
 *   [place]
 *   format = 1
 *   booth = 3
 *   machine = judge               ; or cable-a, cable-b: at the far end of that cable */
#ifndef RULES_PLACE_H
#define RULES_PLACE_H

#include "base/status.h"

#include <stdbool.h>

#define PLACE_NAME  32 /* bytes with the NUL */
#define PLACE_BOOTH 99 /* the highest booth number */

enum place_machine { MACHINE_JUDGE = 1, MACHINE_CABLE_A, MACHINE_CABLE_B };

struct place {
    int format, booth; /* from 1 */
    int machine;       /* enum place_machine */
};

/* Parses a file's text; `name` is for messages. BL_DATA with "NAME:LINE: ...". */
enum bl_status place_parse(struct place *place, const char *text, const char *name,
                           struct bl_diag *diag);

/* Parses a place as people write it: "booth 3, judge", "3 judge", "booth 3, cable A", "3a". False:
 * not a place. */
bool place_read(struct place *place, const char *words);

/* place_name(): writes the name of the place's folders, "booth-3-judge", "booth-3-cable-a".
 * place_name_read(): reads such a name; false: another name. */
void place_name(const struct place *place, char name[PLACE_NAME]);
bool place_name_read(struct place *place, const char *name);

/* The place for people: "booth 3, judge", "booth 3, cable A". */
void place_words(const struct place *place, char words[PLACE_NAME]);

#define PLACE_TEXT 64
void place_text(const struct place *place, char text[PLACE_TEXT]);

#endif
