#include "rules/ticket.h"

#include "rules/fields.h"

#include <string.h>

#define TEXT(section, key, field) FIELD_TEXT(ticket, section, key, field)

static const char *const cable_words[] = {"a", "b", NULL};
static const char *const yes_words[] = {"yes", NULL};

const char *const ticket_begins[] = {"key", "ready", NULL};

static const struct field ticket_fields[] = {
    FIELD_NUMBER(ticket, "ticket", "format", format),
    TEXT("ticket", "role", role),
    TEXT("ticket", "session", session),
    FIELD_NUMBER(ticket, "ticket", "round", round),
    TEXT("ticket", "contest", contest),
    TEXT("line", "port", line),
    TEXT("line.left", "port", left),
    TEXT("line.right", "port", right),
    FIELD_CHOICE(ticket, "line", "cable", line_cable, cable_words),
    FIELD_CHOICE(ticket, "line.left", "cable", left_cable, cable_words),
    FIELD_CHOICE(ticket, "line.right", "cable", right_cable, cable_words),
    TEXT("controller", "port", controller),
    TEXT("line", "key", line_key_file),
    TEXT("line.left", "key", left_key_file),
    TEXT("line.right", "key", right_key_file),
    FIELD_CHOICE(ticket, "line", "controller", controlled, yes_words),
    TEXT("line", "insecure", line_insecure),
    TEXT("line.left", "insecure", left_insecure),
    TEXT("line.right", "insecure", right_insecure),
    TEXT("referee", "key", referee),
    TEXT("rules", "ruleset", ruleset),
    TEXT("rules", "plan", plan),
    TEXT("rules", "starts", starts),
    FIELD_CHOICE(ticket, "rules", "begin", begin, ticket_begins),
    TEXT("page", "style", style),
#define WORD(id, name, value, help) TEXT("entity", name, id),
    KIND_WORDS(WORD)
#undef WORD
        TEXT("entity", "folder", folder),
    TEXT("entity", "entry", entry),
    TEXT("entity", "keyboard", keyboard),
    TEXT("entity", "comms", comms),
    TEXT("entity", "turn-end", turn_end),
    TEXT("entity", "program-io", program_io),
    TEXT("entity", "strip-prompt", strip_prompt),
    TEXT("entity", "pace", pace),
    FIELD_NUMBER(ticket, "entity", "hold", hold),
    FIELD_CHOICE(ticket, "rules", "characters", characters, characters_words),
    {"rules", "message-most", offsetof(struct ticket, message_most), 0, NULL, MESSAGE_LIMIT_MAX},
    FIELD_CHOICE(ticket, "rules", "turns", turns, turns_words),
    FIELD_NUMBER(ticket, "rules", "turn-seconds", turn_seconds),
    TEXT("entity", "limit", limit),
    TEXT("survey", "before", before),
    TEXT("survey", "after", after),
};

/* Refuses two sides on one cable. */
static enum bl_status check_cables(const void *target, struct bl_diag *diag)
{
    const struct ticket *ticket = target;
    if (ticket->left_cable == 0 || ticket->left_cable != ticket->right_cable)
        return BL_OK;
    return bl_fail(diag, BL_DATA,
                   "[line.left] cable and [line.right] cable are both %s: expected a and b, or b "
                   "and a",
                   cable_words[ticket->left_cable - 1]);
}

bool ticket_b_left(const struct ticket *ticket)
{
    return ticket->left_cable ? ticket->left_cable == 2 : ticket->right_cable == 1;
}

/* A line has a key, or insecure = yes, or neither; never both. */
static enum bl_status check_line(const char *name, const char *section, const char *key,
                                 const char *insecure, struct bl_diag *diag)
{
    if (insecure[0] && strcmp(insecure, "yes") != 0)
        return bl_fail(diag, BL_DATA, "%s: [%s] insecure = %s: expected 'yes'", name, section,
                       insecure);
    if (insecure[0] && key[0])
        return bl_fail(diag, BL_DATA,
                       "%s: [%s] key and insecure: a line with a key is not insecure; expected "
                       "one of them",
                       name, section);
    return BL_OK;
}

static enum bl_status check_lines(const struct ticket *ticket, const char *name,
                                  struct bl_diag *diag)
{
    enum bl_status status =
        check_line(name, "line", ticket->line_key_file, ticket->line_insecure, diag);
    if (!status)
        status = check_line(name, "line.left", ticket->left_key_file, ticket->left_insecure, diag);
    if (!status)
        status =
            check_line(name, "line.right", ticket->right_key_file, ticket->right_insecure, diag);
    return status;
}

enum bl_status ticket_check_limit(const char *limit, struct bl_diag *diag)
{
    size_t length = strlen(limit);
    if (length > TICKET_LIMIT_MAX)
        return bl_fail(diag, BL_DATA, "is longer than %d bytes", TICKET_LIMIT_MAX);
    for (const char *at = limit; *at; at++)
        if ((unsigned char)*at < 0x20 || *at == 0x7f)
            return bl_fail(diag, BL_DATA, "has a control character in it: expected one line");
    if (length == 0 || limit[0] == ' ' || limit[length - 1] == ' ')
        return bl_fail(diag, BL_DATA, "is empty, or has a blank at an end");
    if (strchr(limit, ';'))
        return bl_fail(
            diag, BL_DATA,
            "has a semicolon in it, which begins a comment in a ticket: expected a comma");
    return BL_OK;
}

#define KIND_FROM ticket

static bool speaks_of_entity(const struct ticket *ticket)
{
    const char *const given[] = {KIND_WORDS(KIND_TEXT_OF)};
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++)
        if (given[i][0])
            return true;
    return ticket->folder[0] || ticket->entry[0] || ticket->comms[0] || ticket->keyboard[0] ||
           ticket->turn_end[0] || ticket->program_io[0] || ticket->strip_prompt[0] ||
           ticket->pace[0] || ticket->hold || ticket->limit[0];
}

static enum bl_status check_judge(const struct ticket *ticket, const char *name,
                                  struct bl_diag *diag)
{
    bool ranks = strcmp(ticket->role, "ranks") == 0;
    if (!ranks && !ticket->left[0] && !ticket->right[0])
        return bl_fail(diag, BL_DATA, "%s: [line.left] port or [line.right] port is missing", name);
    if (ranks && (ticket->left[0] || ticket->right[0] || ticket->line[0]))
        return bl_fail(diag, BL_DATA, "%s: ranks are given without a line", name);
    if (speaks_of_entity(ticket))
        return bl_fail(diag, BL_DATA, "%s: [entity]: a judge's ticket must not speak of the entity",
                       name);
    return BL_OK;
}

/* Checks the entity's fields. `entry` must not be a path: a ticket comes by stick. */
static enum bl_status check_entry(const struct ticket *ticket, const char *name,
                                  struct bl_diag *diag)
{
    static const char right[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    if (ticket->entry[strspn(ticket->entry, right)])
        return bl_fail(diag, BL_DATA,
                       "%s: [entity] entry = %s: expected letters, digits, '_' and '-'", name,
                       ticket->entry);
    if (ticket->comms[0] && (!ticket->keyboard[0] || !strstr(ticket->comms, "{port}")))
        return bl_fail(diag, BL_DATA,
                       "%s: [entity] comms = %s: expected a command with {port} in it, beside "
                       "'keyboard = yes'",
                       name, ticket->comms);
    if (ticket->entry[0] && ticket->folder[0])
        return bl_fail(diag, BL_DATA,
                       "%s: [entity] entry and folder: expected one of them, for each names the "
                       "Entry's folder",
                       name);
    return BL_OK;
}

/* The characters of a session's name, which is also the records' name. */
static const char session_right[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
#define SESSION_MOST 40

static enum bl_status check(const struct ticket *ticket, const char *name, struct bl_diag *diag)
{
    struct bl_diag why = {""};
    enum kind_id kind;
    if (ticket->format != 1)
        return bl_fail(diag, BL_DATA, "%s: [ticket] format = %d: this program reads format 1", name,
                       ticket->format);
    if (!ticket->session[0])
        return bl_fail(diag, BL_DATA, "%s: [ticket] session is missing", name);
    if (ticket->session[0] == '.' || ticket->session[strspn(ticket->session, session_right)] ||
        strlen(ticket->session) > SESSION_MOST)
        return bl_fail(
            diag, BL_DATA,
            "%s: [ticket] session = %.60s: expected 1 to %d letters, digits, '-', '_' or "
            "'.'",
            name, ticket->session, SESSION_MOST);
    if (ticket->contest[0] && !contest_id_is(ticket->contest))
        return bl_fail(diag, BL_DATA,
                       "%s: [ticket] contest = %s: expected 1 to 16 digits 0 to 9 and a to f", name,
                       ticket->contest);
    if (strcmp(ticket->role, "judge") == 0 || strcmp(ticket->role, "ranks") == 0) {
        enum bl_status status = check_judge(ticket, name, diag);
        if (status != BL_OK)
            return status;
    } else if (strcmp(ticket->role, "entity") == 0) {
        if (!ticket->line[0])
            return bl_fail(diag, BL_DATA, "%s: [line] port is missing", name);
        if (ticket->keyboard[0] && strcmp(ticket->keyboard, "yes") != 0)
            return bl_fail(diag, BL_DATA, "%s: [entity] keyboard = %s: expected 'yes'", name,
                           ticket->keyboard);
        if (kind_find(&kind, (const char *const[]){KIND_WORDS(KIND_TEXT_OF)},
                      ticket->keyboard[0] != '\0', KIND_AS_FIELDS, &why) != BL_OK)
            return bl_fail(diag, BL_DATA, "%s: [entity] %s", name, why.text);
        if (ticket->pace[0] && pace_parse(&(struct pace_config){0}, ticket->pace, &why) != BL_OK)
            return bl_fail(diag, BL_DATA, "%s: [entity] %s", name, why.text);
        if (ticket->limit[0] && !ticket->keyboard[0])
            return bl_fail(diag, BL_DATA,
                           "%s: [entity] limit: a referee limits a confederate; expected it beside "
                           "'keyboard = yes'",
                           name);
        if (ticket->limit[0] && ticket_check_limit(ticket->limit, &why) != BL_OK)
            return bl_fail(diag, BL_DATA, "%s: [entity] limit %s", name, why.text);
        if (check_entry(ticket, name, diag))
            return BL_DATA;
    } else {
        return bl_fail(diag, BL_DATA, "%s: [ticket] role = '%s': expected judge, entity or ranks",
                       name, ticket->role);
    }
    return check_lines(ticket, name, diag);
}

enum bl_status ticket_parse(struct ticket *ticket, const char *text, const char *name,
                            struct bl_diag *diag)
{
    static const struct fields fields = {
        .field = ticket_fields,
        .count = sizeof ticket_fields / sizeof ticket_fields[0],
        .manual = "boothlink-ticket(5)",
        .check = check_cables,
    };
    enum bl_status status;
    memset(ticket, 0, sizeof *ticket);
    status = fields_read(&fields, ticket, text, name, diag);
    return status == BL_OK ? check(ticket, name, diag) : status;
}
