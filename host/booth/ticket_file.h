/* Reads a ticket from a file, for the commands of both terminals. */
#ifndef BOOTH_TICKET_FILE_H
#define BOOTH_TICKET_FILE_H

#include "booth/booth.h"
#include "rules/ticket.h"
#include "session/end.h"

/* Reads the file `path`, which must be a ticket for the role ("judge", "entity" or "ranks"). The
 * name of a key beside the ticket is completed with the ticket's folder. */
enum bl_status ticket_load(struct ticket *ticket, const char *path, const char *role,
                           struct bl_diag *diag);

/* Writes the path of the ticket's ruleset: NAME.ini (or NAME, if it ends with .ini) beside the
 * ticket at `path`. If there is no such file, writes the ruleset's name; "": the ticket names
 * none. */
void ticket_ruleset(const struct ticket *ticket, const char *path, char *out, size_t size);

/* Sets the options' session, contest and `about` (one line with round and rules). The ticket has to
 * outlive the options. */
void ticket_session(const struct ticket *ticket, struct booth_options *options);

struct typing_rules ticket_typing(const struct ticket *ticket);

#endif
