#include "screen/form.h"

#include "base/utf8.h"
#include "rules/ballot_kind.h"
#include "session/event.h"
#include "screen/messages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_MAX 6 /* characters of a number */
#define FORM_VOTE  40

static const struct ballot_row *row_of(const struct form *form)
{
    return ballot_row(form->rules.kind);
}

static unsigned number_fields(const struct form *form)
{
    switch (row_of(form)->fields) {
    case FIELDS_SIDES:
        return 2;
    case FIELDS_ONE:
        return 1;
    case FIELDS_LIST:
        return form->rules.ranks < VOTE_RANKS_MAX ? form->rules.ranks : VOTE_RANKS_MAX;
    case FIELDS_CHOICE:
    case FIELDS_NONE:
        break;
    }
    return 0;
}

static bool is_choice(const struct form *form)
{
    return row_of(form)->fields == FIELDS_CHOICE;
}

unsigned form_fields(const struct form *form)
{
    return is_choice(form) ? 1 : number_fields(form);
}

static unsigned notes_field(const struct form *form)
{
    return form_fields(form) + form->rules.asked.count;
}

bool form_is_asked(const struct form *form, unsigned number)
{
    return form->field == form_fields(form) + number;
}

/* The rules' other field that receives typing; *value: its value. NULL: another field receives
 * typing. */
static const struct ballot_field *asked_here(struct form *form, char **value)
{
    for (unsigned i = 0; i < form->rules.asked.count; i++) {
        *value = form->values.text[i];
        if (form_is_asked(form, i))
            return &form->rules.asked.field[i];
    }
    return NULL;
}

bool form_in_notes(const struct form *form)
{
    return form->field == notes_field(form);
}

void form_begin(struct form *form, const struct vote_rules *rules)
{
    memset(form, 0, sizeof *form);
    form->rules = *rules;
    form->choice = -1;
    form->fresh = true;
}

void form_set(struct form *form, const struct vote *vote, bool whole)
{
    snprintf(form->notes, sizeof form->notes, "%s", vote->notes);
    form->values = vote->values;
    form->fresh = true;
    form->changed = false;
    form->hint[0] = '\0';
    if (!whole)
        return;
    form->choice = vote->human ? 1 : 0;
    for (unsigned i = 0; i < number_fields(form); i++)
        row_of(form)->show(vote, i, form->number[i]);
}

static enum bl_status missing(const struct form *form, struct bl_diag *diag)
{
    return bl_fail(diag, BL_DATA, "%s", row_of(form)->missing);
}

enum bl_status form_vote(const struct form *form, struct vote *vote, struct bl_diag *diag)
{
    memset(vote, 0, sizeof *vote);
    memcpy(vote->notes, form->notes, sizeof vote->notes);
    vote->values = form->values;
    if (is_choice(form) && form->choice < 0)
        return missing(form, diag);
    vote->human = form->choice == 1;
    for (unsigned i = 0; i < number_fields(form); i++) {
        const char *text = form->number[i];
        if (!*text || !row_of(form)->take(vote, i, text))
            return missing(form, diag);
    }
    return vote_check(vote, &form->rules, diag);
}

static void edited(struct form *form)
{
    form->changed = true;
    form->edits++;
}

static void hint(struct form *form, const char *words)
{
    snprintf(form->hint, sizeof form->hint, "%.*s", FORM_ABOUT - 1, words);
}

/* Sets the other side's points to the rest, if the kind shares 100 points. */
static void share(struct form *form)
{
    unsigned other = 1 - form->field;
    if (!row_of(form)->shares)
        return;
    form->number[other][0] = '\0';
    if (form->number[form->field][0])
        snprintf(form->number[other], sizeof form->number[other], "%d",
                 100 - atoi(form->number[form->field]));
}

static void type_number(struct form *form, uint32_t point)
{
    char text[sizeof form->number[0]] = "";
    bool rated = row_of(form)->decimals;
    char why[BALLOT_SAY_MAX];
    size_t length;
    if (!(point >= '0' && point <= '9') && !(rated && (point == '.' || point == ','))) {
        hint(form, rated ? say_type_a_number_such_as : say_type_a_whole_number);
        return;
    }
    if (!form->fresh)
        memcpy(text, form->number[form->field], sizeof text);
    length = strlen(text);
    if (length == 1 && text[0] == '0' && point >= '0' && point <= '9')
        length = 0; /* a leading zero is dropped */
    if (length >= NUMBER_MAX)
        return;
    text[length] = point == ',' ? '.' : (char)point;
    text[length + 1] = '\0';
    if (row_of(form)->refuse(&form->rules, text, why)) {
        hint(form, why);
        return;
    }
    memcpy(form->number[form->field], text, sizeof text);
    form->fresh = false;
    edited(form);
    share(form);
}

static void type_choice(struct form *form, uint32_t point)
{
    const char *key = row_of(form)->key;
    uint32_t letter = point >= 'a' && point <= 'z' ? point - 'a' + 'A' : point;
    char words[32];
    if (letter == (uint32_t)key[0])
        form->choice = 0;
    else if (letter == (uint32_t)key[1])
        form->choice = 1;
    else {
        bool pair = row_of(form)->pair;
        snprintf(words, sizeof words, say_press_or, key[!pair], key[pair]);
        hint(form, words);
        return;
    }
    edited(form);
}

static void type_note(struct form *form, uint32_t point)
{
    uint8_t bytes[UTF8_MAX];
    size_t taken = utf8_encode(point, bytes), length = strlen(form->notes);
    if (taken == 0 || !vote_notes_good((const char *)bytes, taken))
        return;
    if (length + taken > VOTE_NOTES_MAX) {
        hint(form, say_there_is_no_more_room);
        return;
    }
    memcpy(form->notes + length, bytes, taken);
    form->notes[length + taken] = '\0';
    edited(form);
}

static void type_asked(struct form *form, const struct ballot_field *field, char *value,
                       uint32_t point)
{
    char why[BALLOT_FIELD_SAY];
    if (ballot_value_type(field, value, point, form->fresh, why)) {
        form->fresh = false;
        edited(form);
    } else if (why[0]) {
        hint(form, why);
    }
}

static void take_back(struct form *form)
{
    char *text = form->notes;
    const struct ballot_field *asked = asked_here(form, &text);
    if (!asked)
        text = form_in_notes(form) ? form->notes : form->number[form->field];
    size_t length = strlen(text);
    if (is_choice(form) && form->field == 0) {
        if (form->choice >= 0)
            edited(form);
        form->choice = -1;
        return;
    }
    if (length == 0)
        return;
    do
        length--;
    while (length > 0 &&
           (((uint8_t)text[length] & 0xC0) == 0x80 || (asked && asked->type == ASKS_CHOICE)));
    text[length] = '\0';
    form->fresh = false;
    edited(form);
    if (form->field < number_fields(form))
        share(form);
}

/* Moves typing to the field with the fault: the choice, or the first invalid one of the rules'
 * other fields. */
static void turn_to_fault(struct form *form)
{
    struct form own = *form;
    struct vote vote;
    own.rules.asked.count = 0;
    if (form_vote(&own, &vote, NULL) != BL_OK) {
        form->field = is_choice(form) ? 0 : form->field;
        return;
    }
    for (unsigned i = 0; i < form->rules.asked.count; i++) {
        if (ballot_value_check(&form->rules.asked.field[i], form->values.text[i], NULL) == BL_OK)
            continue;
        form->field = form_fields(form) + i;
        return;
    }
}

static enum form_answer give(struct form *form)
{
    struct vote vote;
    struct bl_diag diag;
    if (form_vote(form, &vote, &diag) != BL_OK) {
        turn_to_fault(form);
        hint(form, diag.text);
        return FORM_TAKEN;
    }
    /* A late ballot cannot be corrected. An early one ends the session. */
    bool late = form->standing == FORM_OVERDUE;
    if ((late || form->ends) && !form->sure) {
        form->sure = true;
        hint(form, late ? say_it_cannot_be_changed_then : say_it_ends_the_conversation_now);
        return FORM_TAKEN;
    }
    form->sure = false;
    return FORM_GIVE;
}

static void turn(struct form *form, bool on)
{
    unsigned fields = notes_field(form) + 1;
    form->field = (form->field + (on ? 1 : fields - 1)) % fields;
    form->fresh = true;
}

static enum form_answer on_point(struct form *form, uint32_t point)
{
    char *value;
    const struct ballot_field *asked = asked_here(form, &value);
    if (form->standing == FORM_SEALED) {
        hint(form, say_the_ballot_is_sealed_it);
        return FORM_TAKEN;
    }
    if (point == KEY_RETURN) {
        form->fresh = true;
        return give(form);
    }
    form->sure = false;
    if (point == KEY_TAB)
        turn(form, true);
    else if (point == KEY_BACKSPACE)
        take_back(form);
    else if (form_in_notes(form))
        type_note(form, point);
    else if (asked)
        type_asked(form, asked, value, point);
    else if (is_choice(form))
        type_choice(form, point);
    else
        type_number(form, point);
    return FORM_TAKEN;
}

uint64_t form_open_by_itself(struct form *form, uint64_t typed_us, uint64_t now_us)
{
    if (form->state != FORM_SHOWN)
        return UINT64_MAX;
    if (now_us < typed_us + FORM_QUIET_US)
        return typed_us + FORM_QUIET_US;
    form->state = FORM_OPEN;
    form->by_itself = true;
    return UINT64_MAX;
}

enum form_answer form_feed(struct form *form, enum input_what what, uint32_t point)
{
    if (form->rules.kind == BALLOT_NONE)
        return FORM_NOT_MINE;
    if (what == INPUT_F3) {
        /* F3 keeps a form open that has opened by itself without typing since. */
        form->state = form->state == FORM_OPEN && !form->by_itself ? FORM_AWAY : FORM_OPEN;
        form->by_itself = false;
        form->sure = false;
        form->fresh = true;
        form->hint[0] = '\0';
        return FORM_TAKEN;
    }
    if (form->state != FORM_OPEN || (what != INPUT_POINT && what != INPUT_UP && what != INPUT_DOWN))
        return FORM_NOT_MINE;
    form->hint[0] = '\0';
    form->by_itself = false;
    if (what == INPUT_POINT)
        return on_point(form, point);
    form->sure = false;
    turn(form, what == INPUT_DOWN);
    return FORM_TAKEN;
}

/* Writes the vote, as in ": RIGHT is the human"; for ranks, nothing. */
static void write_vote(const struct form *form, char words[FORM_VOTE])
{
    const struct ballot_row *row = row_of(form);
    words[0] = '\0';
    if (row->fields == FIELDS_CHOICE && form->choice >= 0)
        snprintf(words, FORM_VOTE, ": %s", row->said[form->choice]);
    else if (row->fields == FIELDS_SIDES)
        snprintf(words, FORM_VOTE, say_left_right, form->number[0], form->number[1]);
    else if (row->fields == FIELDS_ONE)
        snprintf(words, FORM_VOTE, ": %s", form->number[0]);
}

void form_standing_words(const struct form *form, char words[FORM_WORDS], bool *good)
{
    char vote[FORM_VOTE];
    write_vote(form, vote);
    *good = false;
    switch (form->standing) {
    case FORM_NOT_GIVEN:
        snprintf(words, FORM_WORDS, say_not_given_yet);
        break;
    case FORM_GIVING:
        snprintf(words, FORM_WORDS, say_being_written_to_the_disk);
        break;
    case FORM_GIVEN:
        *good = !form->changed;
        if (form->changed)
            snprintf(words, FORM_WORDS, say_changed_not_given_yet);
        else
            snprintf(words, FORM_WORDS, say_given_at, form->given, vote);
        break;
    case FORM_OVERDUE:
        snprintf(words, FORM_WORDS, say_not_given_the_time_is);
        break;
    case FORM_SEALED:
        *good = true;
        snprintf(words, FORM_WORDS, say_sealed_given, form->given, vote);
        break;
    }
}

/* The row's question has at most one %d. A single entity to rank has another question. */
void form_question(const struct form *form, char text[FORM_ABOUT])
{
    const struct ballot_row *row = row_of(form);
    int number = row->fields == FIELDS_LIST ? (int)form->rules.ranks : form->rules.most;
    bool alone = row->fields == FIELDS_LIST && number == 1;
    const char *words = alone ? say_there_is_one_entity_to : row->question;
    const char *at = strstr(words, "%d");
    size_t before = at ? (size_t)(at - words) : strlen(words);
    snprintf(text, FORM_ABOUT, "%.*s", (int)before, words);
    if (at)
        snprintf(text + before, FORM_ABOUT - before, "%d%s", number, at + 2);
}

const char *form_anchor(const struct form *form, unsigned number)
{
    /* The six texts of 2003 r46, shortened to fit side by side. */
    static const char *const anchors[] = {
        say_0_not_accessible_or_malfunction, say_1_definitely_a_machine, say_2_probably_a_machine,
        say_3_could_be_either_undecided,     say_4_probably_a_human,     say_5_definitely_a_human,
    };
    const unsigned count = sizeof anchors / sizeof anchors[0];
    bool has = row_of(form)->anchors && form->rules.most == (int)count - 1;
    return has && number < count ? anchors[number] : NULL;
}

const char *form_foot(const struct form *form)
{
    if (form->state == FORM_SHOWN)
        return say_it_opens_when_you_stop;
    return form->hint[0] ? form->hint : form->about;
}

void form_label(const struct form *form, unsigned number, char label[FORM_LABEL])
{
    const struct ballot_field *field = &form->rules.asked.field[number];
    if (field->type == ASKS_NUMBER)
        snprintf(label, FORM_LABEL, say_field_range, field->name, field->least, field->most);
    else if (field->type == ASKS_CHOICE)
        snprintf(label, FORM_LABEL, "%s: %.*s", field->name, FORM_LABEL - BALLOT_FIELD_NAME - 3,
                 field->words);
    else
        snprintf(label, FORM_LABEL, "%s", field->name);
}
