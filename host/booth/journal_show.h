/* Records of a journal for people and for scripts. */
#ifndef BOOTH_JOURNAL_SHOW_H
#define BOOTH_JOURNAL_SHOW_H

#include "session/event.h"

#include <stdio.h>

/* Writes the record as one line. */
void journal_show_text(FILE *out, const struct journal_record *record);

/* Writes the record as one JSON object on a line. */
void journal_show_json(FILE *out, const struct journal_record *record);

#endif
