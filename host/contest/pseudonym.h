/* Names of people for those who may not know them: each person has one pseudonym, "P3", in all
 * acts, by the order in which the acts name people first; and the words of names are taken out of
 * texts. Pure. */
#ifndef CONTEST_PSEUDONYM_H
#define CONTEST_PSEUDONYM_H

#include "base/growing.h"
#include "contest/act.h"
#include "contest/contest.h"

#include <jansson.h>

#define PSEUDONYM_MAX     16
#define PSEUDONYM_INSTEAD "[name]"

struct pseudonyms;

/* NULL: no memory. _destroy takes NULL. */
struct pseudonyms *pseudonyms_create(void);
void pseudonyms_destroy(struct pseudonyms *pseudonyms);

/* Learns the names in an act; all acts are given, in their order, before anything is asked. For
 * store_read: at is the pseudonyms. BL_NOMEM. */
enum bl_status pseudonyms_take(void *at, const struct act *act, struct bl_diag *diag);

/* Whoever has this name is called by it. */
void pseudonyms_show(struct pseudonyms *pseudonyms, const char *name);

/* The pseudonym of whoever has this name; false: he is called by his name, or unknown. */
bool pseudonyms_of(const struct pseudonyms *pseudonyms, const char *name, char out[PSEUDONYM_MAX]);

/* Writes a text with PSEUDONYM_INSTEAD in the place of each word of a name not shown, of families
 * and teams too, whatever its case, also within a longer word. Returns how many. */
unsigned pseudonyms_redact(const struct pseudonyms *pseudonyms, const char *text,
                           struct growing *out);

/* True if the text has such a name as a whole in it. */
bool pseudonyms_names(const struct pseudonyms *pseudonyms, const char *text);

#endif
