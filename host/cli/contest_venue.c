/* The checks of a venue's file for `contest setup`, like those of the machines. */
#include "cli/contest.h"
#include "contest/venue.h"
#include "entity/program.h"
#include "link/port.h"
#include "rules/kind.h"
#include "session/style.h"

#include <stdio.h>
#include <string.h>

struct venue_checks {
    const struct venue *venue;
    const char *name;
    struct faults *faults;
};

static void name_key(char key[32], const char *machine, unsigned number, const char *field)
{
    snprintf(key, 32, "%s%u.%s", machine, number + 1, field);
}

/* Reads a port. False: it is missing, or (reported) not a port. */
static bool read_port(const struct venue_checks *c, const char *key, const char *text,
                      struct port *port)
{
    struct bl_diag why;
    if (!text[0])
        return false;
    if (port_parse(port, text, &why) == BL_OK)
        return true;
    venue_fault(c->venue, c->name, c->faults, key, ": %s", why.text);
    return false;
}

/* Reports a difference between both ends of a cable, at the far end's line. */
static void check_ends(const struct venue_checks *c, const char *near_key, const struct port *near,
                       const char *far_key, const struct port *far)
{
    if (near->kind != far->kind)
        venue_fault(c->venue, c->name, c->faults, far_key,
                    " is %s, and %s at the other end is %s: expected one kind at both ends",
                    port_kinds[far->kind], near_key, port_kinds[near->kind]);
    else if (near->baud != far->baud)
        venue_fault(c->venue, c->name, c->faults, far_key,
                    " has %u baud, and %s at the other end %u: expected one speed at both ends",
                    far->baud, near_key, near->baud);
    else if (strcmp(near->line, far->line) != 0)
        venue_fault(c->venue, c->name, c->faults, far_key,
                    " is the line '%s', and %s at the other end '%s': expected one name at both "
                    "ends, as in ether:eth0/b",
                    far->line, near_key, near->line);
}

static void check_booth(const struct venue_checks *c, unsigned booth)
{
    const struct venue_booth *at = &c->venue->booth[booth];
    struct port near[VENUE_CABLES], far;
    char near_key[VENUE_CABLES][32], far_key[32];
    bool good[VENUE_CABLES];
    for (unsigned cable = 0; cable < VENUE_CABLES; cable++) {
        name_key(near_key[cable], "booth", booth, venue_judge_fields[cable]);
        name_key(far_key, "booth", booth, venue_entity_fields[cable]);
        good[cable] = read_port(c, near_key[cable], at->judge[cable], &near[cable]);
        if (read_port(c, far_key, at->entity[cable], &far) && good[cable])
            check_ends(c, near_key[cable], &near[cable], far_key, &far);
    }
    if (good[0] && good[1] && near[0].kind == near[1].kind &&
        strcmp(near[0].device, near[1].device) == 0 && strcmp(near[0].line, near[1].line) == 0)
        venue_fault(c->venue, c->name, c->faults, near_key[1],
                    " is the port of %s: expected another one for each cable%s", near_key[0],
                    near[0].kind == PORT_ETHER ? ", as in ether:eth0/b" : "");
}

static void check_word(const struct venue_checks *c, unsigned entry, const char *field,
                       const char *text, const char *const *words)
{
    char key[32];
    unsigned which;
    struct bl_diag why;
    name_key(key, "entry", entry, field);
    if (text[0] && command_choose("", text, words, &which, &why) != BL_OK)
        venue_fault(c->venue, c->name, c->faults, key, " =%s", why.text);
}

static void check_entry(const struct venue_checks *c, unsigned number)
{
    const struct venue_program *entry = &c->venue->entry[number];
#define KIND_FROM entry
    const char *const given[] = {KIND_WORDS(KIND_TEXT_OF)};
    enum kind_id kind;
    struct style parsed;
    char key[32];
    struct bl_diag why;
    name_key(key, "entry", number, "style");
    if (entry->style[0] && style_parse(&parsed, entry->style, SIDES, &why) != BL_OK)
        venue_fault(c->venue, c->name, c->faults, key, ": %s", why.text);
    check_word(c, number, "turn-end", entry->turn_end, program_turn_ends);
    check_word(c, number, "comms-turn-end", entry->comms_turn_end, program_turn_ends);
    check_word(c, number, "program-io", entry->program_io, program_ios);
    if (!venue_starts(entry) || kind_find(&kind, given, false, KIND_AS_FIELDS, &why) == BL_OK)
        return;
    /* Names an option that does not go with the others; otherwise the kind. */
    int word = KIND_WORD_COUNT - 1;
    while (word > 0 && (strncmp(why.text, kind_words[word], strlen(kind_words[word])) != 0 ||
                        why.text[strlen(kind_words[word])] != ':'))
        word--;
    size_t named = word > 0 ? strlen(kind_words[word]) + strlen(": ") : 0;
    while (!named && !given[word][0])
        word++;
    name_key(key, "entry", number, kind_words[word]);
    venue_fault(c->venue, c->name, c->faults, key, ": %s", why.text + named);
}

void contest_check_venue(const struct venue *venue, const char *name, struct faults *faults)
{
    const struct venue_checks checking = {venue, name, faults};
    for (unsigned i = 0; i < SCHEDULE_ENTRIES_MAX; i++) {
        check_booth(&checking, i);
        check_entry(&checking, i);
    }
}
