#include "rules/place.h"

#include "rules/fields.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char *const machine_names[] = {"judge", "cable-a", "cable-b", NULL};

static const struct field place_fields[] = {
    FIELD_NUMBER(place, "place", "format", format),
    {"place", "booth", offsetof(struct place, booth), 0, NULL, PLACE_BOOTH},
    FIELD_CHOICE(place, "place", "machine", machine, machine_names),
};

enum bl_status place_parse(struct place *place, const char *text, const char *name,
                           struct bl_diag *diag)
{
    static const struct fields fields = {.field = place_fields,
                                         .count = sizeof place_fields / sizeof place_fields[0],
                                         .manual = "boothlink-booth(1)"};
    memset(place, 0, sizeof *place);
    enum bl_status status = fields_read(&fields, place, text, name, diag);
    if (status)
        return status;
    if (place->format != 1)
        return bl_fail(diag, BL_DATA, "%s: [place] format = %d: this program reads format 1", name,
                       place->format);
    if (!place->booth)
        return bl_fail(diag, BL_DATA, "%s: [place] booth is missing; expected 1 to %d", name,
                       PLACE_BOOTH);
    if (!place->machine)
        return bl_fail(diag, BL_DATA,
                       "%s: [place] machine is missing; expected judge, cable-a or cable-b", name);
    return BL_OK;
}

/* Copies letters and digits, in lower case. Other characters are left out, except a '.' between two
 * numbers. */
static void squeeze(const char *words, char *out, size_t size)
{
    size_t length = 0;
    bool parted = false;
    for (; *words && length + 2 < size; words++) {
        int c = tolower((unsigned char)*words);
        if (!isalnum(c)) {
            parted = true;
            continue;
        }
        if (parted && length && isdigit(c) && isdigit((unsigned char)out[length - 1]))
            out[length++] = '.';
        out[length++] = (char)c;
        parted = false;
    }
    out[length] = '\0';
}

bool place_read(struct place *place, const char *words)
{
    static const struct {
        const char *word;
        enum place_machine machine;
    } machine[] = {{"judge", MACHINE_JUDGE}, {"j", MACHINE_JUDGE},
                   {"a", MACHINE_CABLE_A},   {"cablea", MACHINE_CABLE_A},
                   {"b", MACHINE_CABLE_B},   {"cableb", MACHINE_CABLE_B}};
    char text[PLACE_NAME];
    squeeze(words, text, sizeof text);
    const char *at = strncmp(text, "booth", 5) == 0 ? text + 5 : text;
    int booth = 0;
    for (; isdigit((unsigned char)*at) && booth <= PLACE_BOOTH; at++)
        booth = booth * 10 + (*at - '0');
    if (booth < 1 || booth > PLACE_BOOTH)
        return false;
    for (size_t i = 0; i < sizeof machine / sizeof machine[0]; i++) {
        if (strcmp(at, machine[i].word) == 0) {
            *place = (struct place){.format = 1, .booth = booth, .machine = machine[i].machine};
            return true;
        }
    }
    return false;
}

void place_name(const struct place *place, char name[PLACE_NAME])
{
    snprintf(name, PLACE_NAME, "booth-%d-%s", place->booth, machine_names[place->machine - 1]);
}

/* Accepts only the spelling of place_name(). */
bool place_name_read(struct place *place, const char *name)
{
    char again[PLACE_NAME];
    int booth;
    if (sscanf(name, "booth-%4d-", &booth) != 1 || booth < 1)
        return false;
    for (int machine = MACHINE_JUDGE; machine <= MACHINE_CABLE_B; machine++) {
        *place = (struct place){.format = 1, .booth = booth, .machine = machine};
        place_name(place, again);
        if (strcmp(again, name) == 0)
            return true;
    }
    return false;
}

void place_words(const struct place *place, char words[PLACE_NAME])
{
    static const char *const words_of[] = {"judge", "cable A", "cable B"};
    snprintf(words, PLACE_NAME, "booth %d, %s", place->booth, words_of[place->machine - 1]);
}

void place_text(const struct place *place, char text[PLACE_TEXT])
{
    snprintf(text, PLACE_TEXT, "[place]\nformat = 1\nbooth = %d\nmachine = %s\n", place->booth,
             machine_names[place->machine - 1]);
}
