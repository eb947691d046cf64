#include "contest/venue.h"

#include "rules/entry_network.h"
#include "rules/fields.h"
#include "rules/ticket.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const keys_words[] = {"ethernet", "all", "none", NULL};
static const char *const yes_words[] = {"yes", "no", NULL};

static const struct field venue_fields[] = {
    FIELD_NUMBER(venue, "venue", "format", format),
    FIELD_TEXT(venue, "venue", "start", start),
    FIELD_TEXT(venue, "venue", "breaks", breaks),
    FIELD_CHOICE(venue, "venue", "begin", begin, ticket_begins),
    FIELD_CHOICE(venue, "venue", "keys", keys, keys_words),
    FIELD_CHOICE(venue, "venue", "referee", referee, yes_words),
    FIELD_TEXT(venue, "venue", "pace", pace),
    FIELD_CHOICE(venue, "venue", "entry-network", entry_network, entry_network_words),
    FIELD_CHOICE(venue, "venue", "desk-network", desk_network, desk_network_words),
    {"venue", "hold", offsetof(struct venue, hold), 0, NULL, PACE_HOLD_MAX_MS},
};

/* The fields after "booth3." or "entry3.". */
struct machine_field {
    const char *key;
    size_t offset, size;
};

#define MACHINE(type, key, field)                                                                  \
    {                                                                                              \
        key, offsetof(struct type, field), sizeof(((struct type *)0)->field)                       \
    }

const char *const venue_judge_fields[] = {"judge-a", "judge-b"};
const char *const venue_entity_fields[] = {"entity-a", "entity-b"};

static const struct machine_field booth_fields[] = {
    MACHINE(venue_booth, "judge-a", judge[0]),
    MACHINE(venue_booth, "judge-b", judge[1]),
    MACHINE(venue_booth, "entity-a", entity[0]),
    MACHINE(venue_booth, "entity-b", entity[1]),
    MACHINE(venue_booth, "judge-key-a", judge_key_file[0]),
    MACHINE(venue_booth, "judge-key-b", judge_key_file[1]),
    MACHINE(venue_booth, "entity-key-a", entity_key_file[0]),
    MACHINE(venue_booth, "entity-key-b", entity_key_file[1]),
    MACHINE(venue_booth, "either", either),
    MACHINE(venue_booth, "controller", controller),
    MACHINE(venue_booth, "referee-key", referee_key),
    {NULL, 0, 0},
};
_Static_assert(sizeof booth_fields / sizeof booth_fields[0] == VENUE_BOOTH_FIELDS + 1 &&
                   sizeof venue_fields / sizeof venue_fields[0] == VENUE_FIELDS,
               "a line for each");

static const struct machine_field program_fields[] = {
#define WORD(id, name, value, help) MACHINE(venue_program, name, id),
    KIND_WORDS(WORD)
#undef WORD
        MACHINE(venue_program, "folder", folder),
    MACHINE(venue_program, "handed-in", handed_in),
    MACHINE(venue_program, "turn-end", turn_end),
    MACHINE(venue_program, "comms", comms),
    MACHINE(venue_program, "comms-turn-end", comms_turn_end),
    MACHINE(venue_program, "program-io", program_io),
    MACHINE(venue_program, "strip-prompt", strip_prompt),
    MACHINE(venue_program, "style", style),
    {NULL, 0, 0},
};
_Static_assert(sizeof program_fields / sizeof program_fields[0] == VENUE_PROGRAM_FIELDS + 1,
               "a line for each");

#define KIND_FROM entry

bool venue_starts(const struct venue_program *entry)
{
    return kind_is_given((const char *const[]){KIND_WORDS(KIND_TEXT_OF)});
}

void venue_missing(unsigned entry, char out[VENUE_MISSING_MAX])
{
    char list[100];
    kind_list(list, sizeof list, ".", ", ");
    snprintf(out, VENUE_MISSING_MAX, "entry%u.program is missing, or another of .handed-in, %s",
             entry + 1U, list);
}

/* Reads "booth3." or "entry3.", with its number, from 0. False: neither. */
static bool read_machine(const char *key, bool *is_booth, unsigned *place, const char **rest)
{
    char *end = NULL;
    unsigned long number = 0;
    *is_booth = strncmp(key, "booth", 5) == 0;
    if ((*is_booth || strncmp(key, "entry", 5) == 0) && key[5] >= '1' && key[5] <= '9')
        number = strtoul(key + 5, &end, 10);
    if (number == 0 || number > SCHEDULE_ENTRIES_MAX || *end != '.')
        return false;
    *place = (unsigned)number - 1;
    *rest = end + 1;
    return true;
}

int venue_line(const struct venue *venue, const char *key)
{
    bool is_booth;
    unsigned place;
    const char *rest;
    int line = 0, heading = venue->machines_line;
    if (read_machine(key, &is_booth, &place, &rest)) {
        const struct machine_field *table = is_booth ? booth_fields : program_fields;
        const int *lines = is_booth ? venue->booth[place].line : venue->entry[place].line;
        for (size_t i = 0; table[i].key && !line; i++)
            line = strcmp(table[i].key, rest) == 0 ? lines[i] : 0;
    } else {
        heading = venue->venue_line;
        for (size_t i = 0; i < VENUE_FIELDS && !line; i++)
            line = strcmp(venue_fields[i].key, key) == 0 ? venue->field_line[i] : 0;
    }
    return line ? line : heading ? heading : venue->line;
}

void venue_fault(const struct venue *venue, const char *name, struct faults *faults,
                 const char *key, const char *format, ...)
{
    char text[400];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    faults_add(faults, name, venue_line(venue, key), "[machines] %s%s", key, text);
}

static void note_line(void *target, size_t field, const char *comment)
{
    struct venue *venue = target;
    (void)comment;
    venue->field_line[field] = venue->line;
}

static enum bl_status take_machine(void *target, const char *section, const char *key,
                                   const char *value, const char *comment, struct bl_diag *diag)
{
    (void)section, (void)comment;
    struct venue *venue = target;
    bool is_booth;
    unsigned place;
    const char *rest;
    if (!read_machine(key, &is_booth, &place, &rest))
        return bl_fail(diag, BL_DATA,
                       "[machines] %s: expected booth1. to booth%d. or entry1. to entry%d.", key,
                       SCHEDULE_ENTRIES_MAX, SCHEDULE_ENTRIES_MAX);
    char *machine = is_booth ? (char *)&venue->booth[place] : (char *)&venue->entry[place];
    int *lines = is_booth ? venue->booth[place].line : venue->entry[place].line;
    const struct machine_field *table = is_booth ? booth_fields : program_fields;
    for (const struct machine_field *at = table; at->key; at++) {
        bool is_either = is_booth && strcmp(at->key, "either") == 0;
        if (strcmp(at->key, rest) != 0)
            continue;
        if (strlen(value) >= at->size)
            return bl_fail(diag, BL_DATA, "[machines] %s: longer than %zu bytes", key,
                           at->size - 1);
        if (machine[at->offset])
            return bl_fail(diag, BL_DATA, "[machines] %s: given twice", key);
        if (is_either && strcmp(value, "yes") != 0 && strcmp(value, "no") != 0)
            return bl_fail(diag, BL_DATA, "[machines] %s: '%s': expected yes or no", key, value);
        strcpy(machine + at->offset, value);
        lines[at - table] = venue->line;
        return BL_OK;
    }
    if (strcmp(rest, "pace") == 0 || strcmp(rest, "hold") == 0)
        return bl_fail(diag, BL_DATA,
                       "[machines] %s: what only some entities have tells which they are; expected "
                       "[venue] %s, which both kinds get",
                       key, rest);
    return bl_fail(diag, BL_DATA, "[machines] %s: no such field; boothlink-venue(5) lists them",
                   key);
}

static const char *const more[] = {"machines", NULL};
static const struct fields fields = {
    .field = venue_fields,
    .count = sizeof venue_fields / sizeof venue_fields[0],
    .manual = "boothlink-venue(5)",
    .more_sections = more,
    .take_more = take_machine,
    .take_comment = note_line,
};

static enum bl_status check_pace(const struct venue *venue, struct bl_diag *diag)
{
    struct pace_config pace = {0};
    return venue->pace[0] ? pace_parse(&pace, venue->pace, diag) : BL_OK;
}

enum bl_status venue_parse(struct venue *venue, const char *text, const char *name,
                           struct bl_diag *diag)
{
    memset(venue, 0, sizeof *venue);
    enum bl_status status = fields_read(&fields, venue, text, name, diag);
    if (status == BL_OK && venue->format != 1)
        status = bl_fail(diag, BL_DATA, "%s: [venue] format = %d: this program reads format 1",
                         name, venue->format);
    struct bl_diag why;
    if (status == BL_OK && check_pace(venue, &why) != BL_OK)
        status = bl_fail(diag, BL_DATA, "%s: [venue] %s", name, why.text);
    return status;
}

void venue_parse_all(struct venue *venue, const char *text, const char *name, struct faults *faults)
{
    struct bl_diag why;
    memset(venue, 0, sizeof *venue);
    venue->venue_line = fields_section_line(text, "venue");
    venue->machines_line = fields_section_line(text, "machines");
    fields_read_all(&fields, venue, text, name, &venue->line, faults);
    if (venue->format != 1)
        faults_add(faults, name, venue_line(venue, "format"),
                   "[venue] format = %d: expected format = 1", venue->format);
    if (check_pace(venue, &why) != BL_OK)
        faults_add(faults, name, venue_line(venue, "pace"), "[venue] %s", why.text);
}

unsigned venue_booths(const struct venue *venue)
{
    unsigned booths = 0;
    while (booths < SCHEDULE_BOOTHS_MAX && venue->booth[booths].judge[0][0] &&
           venue->booth[booths].entity[0][0])
        booths++;
    return booths;
}

bool venue_either(const struct venue *venue, unsigned booth)
{
    return venue && strcmp(venue->booth[booth].either, "yes") == 0;
}

bool venue_makes_secret(const struct venue *venue, const struct venue_booth *at, unsigned cable)
{
    return !at->judge_key_file[cable][0] && !at->entity_key_file[cable][0] && at->judge[cable][0] &&
           venue->keys != VENUE_KEYS_NONE &&
           (venue->keys == VENUE_KEYS_ALL || strncmp(at->judge[cable], "ether:", 6) == 0);
}
