/* The id of a contest, in its tickets and in the records made under them: a machine keeps the
 * records of two contests apart, whose sessions have the same names. Pure. */
#ifndef RULES_CONTEST_ID_H
#define RULES_CONTEST_ID_H

#include <stdbool.h>
#include <stdint.h>

#define CONTEST_ID 17 /* bytes, with the NUL */

/* The id of a contest begun at that time (us since 1970): lower-case hexadecimal digits. */
void contest_id_write(int64_t begun_us, char id[CONTEST_ID]);

bool contest_id_is(const char *text);

/* True if both are ids, of different contests. Records of earlier versions have no id, and are of
 * any contest. */
bool contest_id_differ(const char *id, const char *other);

#endif
