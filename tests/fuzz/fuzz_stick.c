/* What a stick says of itself, by whoever carries it: its list, a place, a ticket. Any bytes are
 * safe to read, and nothing that is read names a file outside of the folder that it is about.
 *
 * Input: a byte (0 a list, 1 a place's file, 2 a place as it is typed, 3 the name of a folder or a
 * file, else a ticket), the text. */
#include "rules/place.h"
#include "rules/stick.h"
#include "rules/ticket.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void check_name(const char *name)
{
    if (strchr(name, '/') || name[0] == '.' || strchr(name, '\n'))
        abort();
}

/* A list that was read is written as the same. */
static void check_head(const struct stick *stick)
{
    char line[STICK_LINE_MAX];
    struct stick again;
    const char *rest;
    stick_head_write(stick, line);
    if (stick_head_read(&again, line, "list", &rest, NULL) != BL_OK || *rest ||
        again.complete != stick->complete || again.room != stick->room ||
        again.acts != stick->acts || strcmp(again.contest, stick->contest) != 0)
        abort();
}

static void check_file(const struct stick_file *file)
{
    char line[STICK_LINE_MAX];
    struct stick_file again;
    const char *at = line;
    stick_file_write(file, line);
    if (!stick_file_read(&again, &at) || *at || again.crc != file->crc ||
        again.bytes != file->bytes || strcmp(again.path, file->path) != 0)
        abort();
}

static void read_list(const char *text)
{
    struct stick stick;
    struct stick_file file;
    const char *at;
    if (stick_head_read(&stick, text, "list", &at, NULL) != BL_OK)
        return;
    if (stick.acts < 0 || stick.acts > 999999999 || strchr(stick.contest, '\n'))
        abort();
    check_head(&stick);
    while (stick_file_read(&file, &at)) {
        if (file.path[0] == '/' || strstr(file.path, "..") || strchr(file.path, '\n') ||
            strlen(file.path) >= sizeof file.path)
            abort();
        check_file(&file);
    }
}

/* A name that is one is written as it was read. */
static void read_name(const char *text)
{
    char name[PLACE_NAME];
    struct place place;
    unsigned number;
    if (place_name_read(&place, text)) {
        place_name(&place, name);
        if (strcmp(name, text) != 0)
            abort();
    }
    if (stick_ranks_read(text, &number)) {
        stick_ranks(number, name);
        if (strcmp(name, text) != 0)
            abort();
    }
}

static void check_place(const struct place *place)
{
    char name[PLACE_NAME];
    place_name(place, name);
    check_name(name);
}

static void read_ticket(const char *text)
{
    static struct ticket ticket;
    if (ticket_parse(&ticket, text, "ticket", NULL) != BL_OK)
        return;
    check_name(ticket.session);
    check_name(ticket.entry);
    if (!ticket.session[0] || strlen(ticket.session) > 40)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct place place = {0};
    char *text = malloc(length + 1);
    if (!text || length == 0) {
        free(text);
        return 0;
    }
    memcpy(text, bytes + 1, length - 1);
    text[length - 1] = '\0';
    switch (bytes[0]) {
    case 0:
        read_list(text);
        break;
    case 1:
        if (place_parse(&place, text, "place", NULL) == BL_OK)
            check_place(&place);
        break;
    case 2:
        if (place_read(&place, text))
            check_place(&place);
        break;
    case 3:
        read_name(text);
        break;
    default:
        read_ticket(text);
        break;
    }
    free(text);
    return 0;
}
