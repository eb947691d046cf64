/* ISO 8601 times in UTC, with microseconds. Pure. */
#ifndef TRANSCRIPT_ISO_H
#define TRANSCRIPT_ISO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ISO_LENGTH 27                  /* "2009-09-06T15:32:45.610049Z" */
#define ISO_MAX_US 253402300799999999u /* the end of year 9999, also for later times */

/* Writes the time, with a NUL. */
void iso_write(uint64_t wall_us, char text[ISO_LENGTH + 1]);

/* Reads exactly the form that iso_write() writes. */
bool iso_read(const char *text, size_t length, uint64_t *wall_us);

#endif
