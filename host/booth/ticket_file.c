#include "booth/ticket_file.h"

#include "base/file.h"
#include "base/name.h"
#include "booth/messages.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TICKET_FILE_MAX 16384

/* Completes the name of a key without a folder, if the key lies beside the ticket. */
static void find_beside(const char *path, char *name, size_t size)
{
    char beside[PATH_MAX];
    const char *slash = strrchr(path, '/');
    if (!name[0] || !slash || strchr(name, '/'))
        return;
    int used = snprintf(beside, sizeof beside, "%.*s%s", (int)(slash + 1 - path), path, name);
    if (used > 0 && (size_t)used < size && access(beside, F_OK) == 0)
        memcpy(name, beside, (size_t)used + 1);
}

enum bl_status ticket_load(struct ticket *ticket, const char *path, const char *role,
                           struct bl_diag *diag)
{
    char *text;
    enum bl_status status = file_read_text(&text, path, TICKET_FILE_MAX, "a ticket", diag);
    if (!status)
        status = ticket_parse(ticket, text, path, diag);
    free(text);
    if (!status && strcmp(ticket->role, role) != 0)
        status =
            bl_fail(diag, BL_DATA, say_fail_ticket_role_this_is_not_a, path, ticket->role, role);
    find_beside(path, ticket->line_key_file, sizeof ticket->line_key_file);
    find_beside(path, ticket->left_key_file, sizeof ticket->left_key_file);
    find_beside(path, ticket->right_key_file, sizeof ticket->right_key_file);
    find_beside(path, ticket->referee, sizeof ticket->referee);
    return status;
}

void ticket_ruleset(const struct ticket *ticket, const char *path, char *out, size_t size)
{
    const char *name = ticket->ruleset, *slash = strrchr(path, '/');
    bool whole = name_ends(name, ".ini");
    int folder = slash ? (int)(slash + 1 - path) : 0;
    if (name[0] && !strchr(name, '/')) {
        /* With a slash the name counts as a file's. */
        int used = snprintf(out, size, "%s%.*s%s%s", slash ? "" : "./", folder, path, name,
                            whole ? "" : ".ini");
        if (used > 0 && (size_t)used < size && access(out, F_OK) == 0)
            return;
    }
    snprintf(out, size, "%s", name);
}

void ticket_session(const struct ticket *ticket, struct booth_options *options)
{
    char *about = options->about;
    size_t size = sizeof options->about;
    about[0] = '\0';
    options->session = ticket->session;
    options->contest = ticket->contest[0] ? ticket->contest : NULL;
    if (ticket->round && ticket->ruleset[0])
        snprintf(about, size, "round %d, rules %s", ticket->round, ticket->ruleset);
    else if (ticket->round)
        snprintf(about, size, "round %d", ticket->round);
    else if (ticket->ruleset[0])
        snprintf(about, size, "rules %s", ticket->ruleset);
}

struct typing_rules ticket_typing(const struct ticket *ticket)
{
    return (struct typing_rules){.message_most = (unsigned)ticket->message_most,
                                 .strict = ticket->turns == TURNS_STRICT,
                                 .turn_s = (unsigned)ticket->turn_seconds};
}
