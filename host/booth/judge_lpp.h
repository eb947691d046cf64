/* An Entry's folder, or a practice partner, in the place of a judge's line, for entrants at home
 * and for old set-ups. This code stands in for the link and the entity's end; the judge's record is
 * the only one. The judge knows who answers, so nothing here is blind. Source: Loebner Prize 2009
 * rules, section 2. */
#ifndef BOOTH_JUDGE_LPP_H
#define BOOTH_JUDGE_LPP_H

#include "booth/booth_line.h"
#include "session/judge_end.h"

/* Sets the callbacks of the link for an end with a folder in the line's place. ctx is a struct
 * booth_line. */
void judge_lpp_callbacks(struct end_callbacks *callbacks);

/* The address of the practice partner, a part of this program (entity/partner.h). */
#define JUDGE_PRACTICE "practice"

/* The folder of an address "lpp:DIR"; "" for JUDGE_PRACTICE; NULL for any other address. */
const char *judge_lpp_folder(const char *address);

struct judge_lpp;

/* Opens the folder. The caller owns line, whose link is NULL. Errors: those of lpp_open(). */
enum bl_status judge_lpp_open(struct judge_lpp **out, struct booth_line *line, const char *folder,
                              struct judge_end *end, enum starts starts, struct bl_diag *diag);

/* Begins the session, once its journal is open. Calls judge_end_link(). */
void judge_lpp_begin(struct judge_lpp *judge, const char *session);

/* Answers the end's messages, and passes typed keys to the end. Called between two waits of the
 * loop. Returns the time of the next call: 0 (at once) while more is waiting, the time of the
 * practice partner's next key, or BL_NEVER. */
uint64_t judge_lpp_run(struct judge_lpp *judge);

/* NULL is allowed. The loop must run until the handles are closed. */
void judge_lpp_close(struct judge_lpp *judge);

#endif
