#include "contest/ticket.h"

#include <ini.h>
#include <stdbool.h>
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
    TEXT("entity", "lpp", lpp),
    TEXT("entity", "turn-end", turn_end),
    TEXT("entity", "program-io", program_io),
    TEXT("entity", "strip-prompt", strip_prompt),
    TEXT("entity", "pace", pace),
};

#define ROWS (sizeof rows / sizeof rows[0])

struct reading {
    struct ticket *ticket;
    const char *text; /* what is not read yet */
    int line;         /* the one being read */
    int bad_line;     /* the one that diag is about, 0: none */
    struct bl_diag diag;
    bool seen[ROWS];
};

/* inih would cut a long line in two and read its rest as another. Nothing is read after a fault, so
 * that its text is not replaced. */
static char *next_line(char *out, int room, void *stream)
{
    struct reading *reading = stream;
    size_t length = strcspn(reading->text, "\n");
    if (reading->bad_line || *reading->text == '\0')
        return NULL;
    reading->line++;
    if (length + 2 > (size_t)room) {
        bl_fail(&reading->diag, BL_DATA, "a line is longer than %d bytes", room - 2);
        reading->bad_line = reading->line;
        return NULL;
    }
    length += reading->text[length] == '\n';
    memcpy(out, reading->text, length);
    out[length] = '\0';
    reading->text += length;
    return out;
}

static int take_value(struct reading *reading, const char *section, const char *key,
                      const char *value)
{
    for (size_t i = 0; i < ROWS; i++) {
        const struct row *row = &rows[i];
        if (strcmp(row->section, section) != 0 || strcmp(row->key, key) != 0)
            continue;
        char *field = (char *)reading->ticket + row->offset;
        if (reading->seen[i]) { /* inih gives an indented next line as the same key again */
            bl_fail(&reading->diag, BL_DATA, "[%s] %s: given twice, or goes on in another line",
                    section, key);
            return 0;
        }
        reading->seen[i] = true;
        if (row->size == 0) {
            char *rest;
            long number = strtol(value, &rest, 10);
            if (*rest || rest == value || number < 0 || number > 9999) {
                bl_fail(&reading->diag, BL_DATA,
                        "[%s] %s = '%s': a number from 0 to 9999 is wanted", section, key, value);
                return 0;
            }
            *(int *)(void *)field = (int)number;
            return 1;
        }
        if (strlen(value) >= row->size) {
            bl_fail(&reading->diag, BL_DATA, "[%s] %s: longer than %zu bytes", section, key,
                    row->size - 1);
            return 0;
        }
        memcpy(field, value, strlen(value) + 1);
        return 1;
    }
    bl_fail(&reading->diag, BL_DATA, "[%s] %s: no such field; boothlink-ticket(5) lists them",
            section, key);
    return 0;
}

static int on_value(void *user, const char *section, const char *key, const char *value)
{
    struct reading *reading = user;
    int good = take_value(reading, section, key, value);
    if (!good && !reading->bad_line)
        reading->bad_line = reading->line;
    return good;
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
        if (ticket->program[0] || ticket->keyboard[0] || ticket->lpp[0] || ticket->turn_end[0] ||
            ticket->program_io[0] || ticket->strip_prompt[0] || ticket->pace[0])
            return bl_fail(diag, BL_DATA,
                           "%s: [entity]: a judge's ticket must not speak of the entity", name);
    } else if (strcmp(ticket->role, "entity") == 0) {
        if (!ticket->line[0])
            return bl_fail(diag, BL_DATA, "%s: [line] port is missing", name);
        if (ticket->keyboard[0] && strcmp(ticket->keyboard, "yes") != 0)
            return bl_fail(diag, BL_DATA, "%s: [entity] keyboard = %s: only 'yes' is wanted", name,
                           ticket->keyboard);
        if (!(ticket->program[0] || ticket->lpp[0]) == !ticket->keyboard[0])
            return bl_fail(diag, BL_DATA,
                           "%s: [entity]: one of 'program = CMD', 'lpp = DIR' and 'keyboard = yes' "
                           "is wanted",
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
    struct reading reading = {.ticket = ticket, .text = text};
    memset(ticket, 0, sizeof *ticket);
    int line = ini_parse_stream(next_line, &reading, on_value, &reading);
    if (line < 0)
        return bl_fail(diag, BL_NOMEM, "%s: no memory", name);
    if (line > 0 && line != reading.bad_line) /* found by inih, before any that was found here */
        return bl_fail(diag, BL_DATA, "%s:%d: 'key = value' or '[section]' is wanted", name, line);
    if (reading.bad_line)
        return bl_fail(diag, BL_DATA, "%s:%d: %s", name, reading.bad_line, reading.diag.text);
    return check(ticket, name, diag);
}
