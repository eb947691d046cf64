/* Pseudonyms, for readers who may not know people's names: one for each person, "P3", in the order
 * in which the acts name people. The words of names are taken out of texts. Pure. */
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

/* Learns the names in an act. All acts are given, in their order, before any other call. For
 * store_read: at is the pseudonyms. BL_NOMEM. */
enum bl_status pseudonyms_take(void *at, const struct act *act, struct bl_diag *diag);

/* Shows the person of this name by the name. */
void pseudonyms_show(struct pseudonyms *pseudonyms, const char *name);

/* Shows the listed people by name: "J1,E2" are a judge and an Entry's submitter; NULL: nobody.
 * BL_DATA, BL_USAGE. */
enum bl_status pseudonyms_show_list(struct pseudonyms *pseudonyms, const struct contest *contest,
                                    const char *list, struct bl_diag *diag);

/* The pseudonym of the person of this name; false: shown by name, or unknown. */
bool pseudonyms_of(const struct pseudonyms *pseudonyms, const char *name, char out[PSEUDONYM_MAX]);

/* Writes a text with PSEUDONYM_INSTEAD for each word of a name that is not shown, families and
 * teams included, in any case, also within a longer word. Returns the number replaced. */
unsigned pseudonyms_redact(const struct pseudonyms *pseudonyms, const char *text,
                           struct growing *out);

/* True if the text has, between words, a whole name of at least four bytes that is not shown. */
bool pseudonyms_names(const struct pseudonyms *pseudonyms, const char *text);

#endif
