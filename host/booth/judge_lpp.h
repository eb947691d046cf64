/* The judge's end of a line that is no line but an Entry's folder: for entrants at home and for old
 * set-ups. It stands in for the link and for the entity's end behind it; the one record is the
 * judge's. Practice: who answers is known, so nothing here is blind.
 * Source: Loebner Prize 2009 rules, section 2. */
#ifndef BOOTH_JUDGE_LPP_H
#define BOOTH_JUDGE_LPP_H

#include "booth/booth_line.h"
#include "session/judge_end.h"

/* Sets the link's callbacks for an end whose line is a folder. ctx is a struct booth_line. */
void judge_lpp_callbacks(struct end_callbacks *callbacks);

/* The address of a line that is none: a partner within this program answers (entity/partner.h). */
#define JUDGE_PRACTICE "practice"

/* The folder of an address "lpp:DIR", "" of JUDGE_PRACTICE, NULL if it is another's. */
const char *judge_lpp_folder(const char *address);

struct judge_lpp;

/* Opens the folder. line stays the caller's, its link is NULL; errors as lpp_open(). */
enum bl_status judge_lpp_open(struct judge_lpp **out, struct booth_line *line, const char *folder,
                              struct judge_end *end, enum starts starts, struct bl_diag *diag);

/* The journal is open. Calls judge_end_link(). */
void judge_lpp_begin(struct judge_lpp *judge, const char *session);

/* Call it between two waits of the loop: takes the end's messages, and hands it the keys typed.
 * Returns the time of the next call without an event: 0, at once, while more is waiting; the time
 * of the practice partner's next key; or BL_NEVER. */
uint64_t judge_lpp_run(struct judge_lpp *judge);

/* NULL is allowed. The loop must run until the handles are closed. */
void judge_lpp_close(struct judge_lpp *judge);

#endif
