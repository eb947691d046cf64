/* Reads a ticket from a file, for the commands of both terminals. */
#ifndef BOOTH_TICKET_FILE_H
#define BOOTH_TICKET_FILE_H

#include "booth/booth.h"
#include "rules/ticket.h"
#include "session/end.h"

/* Reads path, which must be a ticket for role ("judge" or "entity"). Keys beside the ticket, named
 * without a folder, get their whole path. */
enum bl_status ticket_load(struct ticket *ticket, const char *path, const char *role,
                           struct bl_diag *diag);

/* The file of the ticket's ruleset: NAME.ini (or NAME, if it ends so) beside the ticket at `path`,
 * if there is such a file; else the name itself. "" if the ticket names none. */
void ticket_ruleset(const struct ticket *ticket, const char *path, char *out, size_t size);

/* Names the session and its contest; the round and the rules are one line for the record. The
 * ticket has to outlive the options. */
void ticket_session(const struct ticket *ticket, struct booth_options *options);

/* The ticket's rules of typing. */
struct typing_rules ticket_typing(const struct ticket *ticket);

#endif
