/* The published copy of a transcript, without the phrases that must not be published (2003 r17).
 * Pure. */
#ifndef CONTEST_PUBLISH_H
#define CONTEST_PUBLISH_H

#include "contest/contest.h"

#define PUBLISH_INSTEAD "[phrase deleted]"

/* Gives the text piece by piece to put, with PUBLISH_INSTEAD for each recorded phrase. ASCII
 * letters match in either case; the longest phrase at a position counts. Returns the number
 * replaced. */
unsigned publish_text(const struct contest *contest, const char *text, size_t length,
                      void (*put)(void *ctx, const char *bytes, size_t length), void *ctx);

/* True for a format from 2007 on, with a line for each key, "J1 013370152380273400 judge left H":
 * no phrase can be found in it. */
bool publish_has_key_lines(const char *text);

#endif
