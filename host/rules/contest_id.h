/* The id of a contest, in its tickets and in the records made under them. Sessions of two contests
 * may have equal names; the id keeps their records apart. Pure. */
#ifndef RULES_CONTEST_ID_H
#define RULES_CONTEST_ID_H

#include <stdbool.h>
#include <stdint.h>

#define CONTEST_ID 17 /* bytes, with the NUL */

/* Writes the id of a contest: the time of its begin (us since 1970), in lower-case hexadecimal
 * digits. */
void contest_id_write(int64_t begun_us, char id[CONTEST_ID]);

bool contest_id_is(const char *text);

/* True if both texts are ids, and different. An earlier version's record has no id. */
bool contest_id_differ(const char *id, const char *other);

#endif
