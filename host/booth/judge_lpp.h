/* The judge's end of a line that an Entry's folder replaces: for entrants at home and for old
 * set-ups. It takes the place of the link and of the entity's end behind it; the judge's record is
 * the only one. Practice: the answerer is known, so nothing here is blind. Source: Loebner Prize
 * 2009 rules, section 2. */
#ifndef BOOTH_JUDGE_LPP_H
#define BOOTH_JUDGE_LPP_H

#include "booth/booth_line.h"
#include "session/judge_end.h"

/* Sets the link's callbacks for an end with a folder in the place of the line. ctx is a struct
 * booth_line. */
void judge_lpp_callbacks(struct end_callbacks *callbacks);

/* The address without a line: a partner within this program answers (entity/partner.h). */
#define JUDGE_PRACTICE "practice"

/* The folder of an address "lpp:DIR", "" of JUDGE_PRACTICE, NULL of any other address. */
const char *judge_lpp_folder(const char *address);

struct judge_lpp;

/* Opens the folder. The caller keeps line, whose link is NULL; errors as lpp_open(). */
enum bl_status judge_lpp_open(struct judge_lpp **out, struct booth_line *line, const char *folder,
                              struct judge_end *end, enum starts starts, struct bl_diag *diag);

/* Begins the session, once its journal is open. Calls judge_end_link(). */
void judge_lpp_begin(struct judge_lpp *judge, const char *session);

/* Called between two waits of the loop: takes the end's messages, and passes the typed keys to the
 * end. Returns the time of the next call without an event: 0, at once, while more is waiting; the
 * time of the practice partner's next key; or BL_NEVER. */
uint64_t judge_lpp_run(struct judge_lpp *judge);

/* NULL is allowed. The loop must run until the handles are closed. */
void judge_lpp_close(struct judge_lpp *judge);

#endif
