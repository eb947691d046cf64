#include "contest/ticket.h"

#include <ini.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct row {
    const char *section, *key;
    size_t offset, size; /* size 0: an integer */
};
#define TEXT(section, key, field)                                                                  \
    {                                                                                              \
        section, key, offsetof(struct ticket, field), sizeof((struct ticket *)0)->field            \
    }
#define NUMBER(section, key, field)                                                                \
    {                                                                                              \
        section, key, offsetof(struct ticket, field), 0                                            \
    }
static const struct row rows[] = {
    NUMBER("ticket", "format", format),
    TEXT("ticket", "role", role),
    TEXT("ticket", "session", session),
    NUMBER("ticket", "round", round),
    TEXT("line", "port", line),
    TEXT("line.left", "port", left),
    TEXT("line.right", "port", right),
    TEXT("rules", "ruleset", ruleset),
    TEXT("rules", "plan", plan),
    TEXT("rules", "starts", starts),
    TEXT("page", "style", style),
    TEXT("entity", "program", program),
    TEXT("entity", "keyboard", keyboard),
    TEXT("entity", "turn-end", turn_end),
    TEXT("entity", "program-io", program_io),
    TEXT("entity", "strip-prompt", strip_prompt),
    TEXT("entity", "pace", pace),
};

struct reading {
    struct ticket *ticket;
    struct bl_diag *diag;
};

static int on_value(void *user, const char *section, const char *key, const char *value)
{
    struct reading *reading = user;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct row *row = &rows[i];
        if (strcmp(row->section, section) != 0 || strcmp(row->key, key) != 0)
            continue;
        char *field = (char *)reading->ticket + row->offset;
        if (row->size == 0) {
            char *rest;
            long number = strtol(value, &rest, 10);
            if (*rest || rest == value || number < 0 || number > 9999) {
                bl_fail(reading->diag, BL_DATA, "[%s] %s = '%s': a number from 0 to 9999 is wanted",
                        section, key, value);
                return 0;
            }
            *(int *)(void *)field = (int)number;
            return 1;
        }
        if (strlen(value) >= row->size) {
            bl_fail(reading->diag, BL_DATA, "[%s] %s: longer than %zu bytes", section, key,
                    row->size - 1);
            return 0;
        }
        memcpy(field, value, strlen(value) + 1);
        return 1;
    }
    bl_fail(reading->diag, BL_DATA, "[%s] %s: no such field; boothlink-ticket(5) lists them",
            section, key);
    return 0;
}

static enum bl_status check(const struct ticket *ticket, const char *name, struct bl_diag *diag)
{
    if (ticket->format != 1)
        return bl_fail(diag, BL_DATA, "%s: [ticket] format = %d: this program reads format 1", name,
                       ticket->format);
    if (!ticket->session[0])
        return bl_fail(diag, BL_DATA, "%s: [ticket] session is missing", name);
    if (strcmp(ticket->role, "judge") == 0) {
        if (!ticket->left[0] && !ticket->right[0])
            return bl_fail(diag, BL_DATA, "%s: [line.left] port or [line.right] port is missing",
                           name);
        if (ticket->program[0] || ticket->keyboard[0])
            return bl_fail(diag, BL_DATA,
                           "%s: [entity]: a judge's ticket must not speak of the entity", name);
    } else if (strcmp(ticket->role, "entity") == 0) {
        if (!ticket->line[0])
            return bl_fail(diag, BL_DATA, "%s: [line] port is missing", name);
        if (!ticket->program[0] == !ticket->keyboard[0])
            return bl_fail(diag, BL_DATA,
                           "%s: [entity]: one of 'program = CMD' and 'keyboard = yes' is wanted",
                           name);
    } else {
        return bl_fail(diag, BL_DATA, "%s: [ticket] role = '%s': judge or entity is wanted", name,
                       ticket->role);
    }
    return BL_OK;
}

enum bl_status ticket_parse(struct ticket *ticket, const char *text, const char *name,
                            struct bl_diag *diag)
{
    struct bl_diag what = {"'key = value' or '[section]' is wanted"};
    struct reading reading = {.ticket = ticket, .diag = &what};
    memset(ticket, 0, sizeof *ticket);
    int line = ini_parse_string(text, on_value, &reading);
    if (line > 0)
        return bl_fail(diag, BL_DATA, "%s:%d: %s", name, line, what.text);
    if (line < 0)
        return bl_fail(diag, BL_NOMEM, "%s: no memory", name);
    return check(ticket, name, diag);
}
