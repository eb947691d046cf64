/* An organiser's own judge program at the other end of an entity's booth. A folder of the Loebner
 * Prize Protocol replaces the line, and this end is the Entry in it. This code replaces the link
 * and the judge's end; queue, filter, pace, page and record are those of a line.
 *
 * This end's placed keys are written to the folder. A key of the judge's program has its place once
 * it is on record (entity/lpp.h). This end has the only record. The session ends when a person
 * leaves; a restarted process goes on with the session. Source: Loebner Prize 2009 rules, section 2
 * and appendix. */
#ifndef BOOTH_ENTITY_LPP_H
#define BOOTH_ENTITY_LPP_H

#include "booth/booth_line.h"
#include "session/entity_end.h"

struct entity_lpp_options {
    const char *folder;
    const char *state_dir; /* the journal's folder */
    unsigned scan_ms;      /* see entity/lpp.h */
    enum starts starts;
};

struct entity_lpp;

/* Sets the callbacks of the link for an end with a folder instead of the line. ctx is a struct
 * booth_line. */
void entity_lpp_callbacks(struct end_callbacks *callbacks);

/* Opens the folder. Errors: those of lpp_open(). The caller owns line and end. */
enum bl_status entity_lpp_open(struct entity_lpp **out, struct booth_line *line,
                               struct entity_end *end, const struct entity_lpp_options *options,
                               struct bl_diag *diag);

/* The session last held in the folder, whose record is continued; "": none. */
const char *entity_lpp_session(const struct entity_lpp *judge);

/* Offers the end its present session; if there is none, `session`. */
void entity_lpp_begin(struct entity_lpp *judge, const char *session);

/* Answers the end's messages, and passes the keys of the judge's program to the end. Called between
 * two waits of the loop. */
void entity_lpp_run(struct entity_lpp *judge);

/* NULL is allowed. The loop must run until the handles are closed. */
void entity_lpp_close(struct entity_lpp *judge);

#endif
