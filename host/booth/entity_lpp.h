/* An organiser's own judge program at the other end of an entity's booth: no line, but the folder
 * of the Loebner Prize Protocol, in which we are the Entry. It stands in for the link and for the
 * judge's end behind it, so a person or an Entry of any kind has the queue, the filter, the pace,
 * the page and the record of a line.
 *
 * * This end's placed keys are written to the folder; a key of the judge's program has its position
 * once it is on record (entity/lpp.h). This end has the only record. The session ends only when a
 * person leaves; a restarted process goes on with it. Source: Loebner Prize 2009 rules, section 2
 * and appendix. */
#ifndef BOOTH_ENTITY_LPP_H
#define BOOTH_ENTITY_LPP_H

#include "booth/booth_line.h"
#include "session/entity_end.h"

struct entity_lpp_options {
    const char *folder;
    const char *state_dir; /* the journal's */
    unsigned scan_ms;      /* see entity/lpp.h */
    enum starts starts;
};

struct entity_lpp;

/* Sets the link's callbacks for an end with a folder in the place of the line. ctx is a struct
 * booth_line. */
void entity_lpp_callbacks(struct end_callbacks *callbacks);

/* Opens the folder; errors as lpp_open(). The caller keeps line and end. */
enum bl_status entity_lpp_open(struct entity_lpp **out, struct booth_line *line,
                               struct entity_end *end, const struct entity_lpp_options *options,
                               struct bl_diag *diag);

/* The session that was last held in the folder, "" for none: its record is continued. */
const char *entity_lpp_session(const struct entity_lpp *judge);

/* Offers the end its own session, or `session` if it has none. */
void entity_lpp_begin(struct entity_lpp *judge, const char *session);

/* Between two waits of the loop: answers the end's messages, and passes the keys of the judge's
 * program to the end. */
void entity_lpp_run(struct entity_lpp *judge);

/* NULL is allowed. The loop must run until the handles are closed. */
void entity_lpp_close(struct entity_lpp *judge);

#endif
