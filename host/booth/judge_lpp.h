/* An Entry's folder, or a practice partner, instead of a judge's line, for entrants at home and for
 * old set-ups. This code replaces the link and the entity's end; the judge's record is the only
 * one. Not blind: the judge knows who answers. Source: Loebner Prize 2009 rules, section 2. */
#ifndef BOOTH_JUDGE_LPP_H
#define BOOTH_JUDGE_LPP_H

#include "booth/booth_line.h"
#include "session/judge_end.h"

/* Sets the callbacks of the link for an end with a folder instead of the line. ctx is a struct
 * booth_line. */
void judge_lpp_callbacks(struct end_callbacks *callbacks);

/* The address of the practice partner (entity/partner.h). */
#define JUDGE_PRACTICE "practice"

/* The folder of an address "lpp:DIR"; "" for JUDGE_PRACTICE; NULL for any other address. */
const char *judge_lpp_folder(const char *address);

struct judge_lpp;

/* Opens the folder. The caller owns line, whose link is NULL. Errors: those of lpp_open(). */
enum bl_status judge_lpp_open(struct judge_lpp **out, struct booth_line *line, const char *folder,
                              struct judge_end *end, enum starts starts, struct bl_diag *diag);

/* Begins the session, once its journal is open. */
void judge_lpp_begin(struct judge_lpp *judge, const char *session);

/* Answers the end's messages, and passes typed keys to the end. Called between two waits of the
 * loop. Returns the time of the next call; 0: at once. */
uint64_t judge_lpp_run(struct judge_lpp *judge);

/* NULL is allowed. The loop must run until the handles are closed. */
void judge_lpp_close(struct judge_lpp *judge);

#endif
