/* Persons at the screens of a day. Each knows what his screen says, and presses a key now and then,
 * as he would. What he means to say on a ballot is known from the beginning: he looks at what
 * stands on it, and presses the next key towards that, whatever happened in between. */
#include "day.h"

#include "screen/board.h"
#include "screen/form.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIT_US    1200000u /* nobody counts as sitting down before a second has passed */
#define ACT_US    (5 * SECOND)
#define TURN_US   900000u /* between two lines */
#define MISSES_US (20 * SECOND)

/* In a session's screen. */
bool day_board_says(const struct seat *s, const char *text)
{
    const struct screen_model *m = machine_sees(s->machine);
    const struct board *b = m ? m->board : NULL;
    bool says = b && b->strong && strstr(b->strong, text);
    for (unsigned i = 0; b && i < BOARD_TEXTS && !says; i++)
        says = b->text[i] && strstr(b->text[i], text);
    return says;
}

static void press(struct seat *s, uint32_t point)
{
    person_press(machine_screen(s->machine), point);
}

static void input(struct seat *s, enum input_what what)
{
    person_input(machine_screen(s->machine), what);
}

struct meeting *day_meeting(const struct seat *s, const struct process *p)
{
    struct day *day = s->day;
    const char *ticket = process_option(p, "--ticket");
    const char *name = ticket ? strrchr(ticket, '/') + 1 : "";
    unsigned round = (unsigned)atoi(name);
    bool again = strchr(name, '-') != NULL;
    for (unsigned i = 0; i < day->meetings; i++)
        for (unsigned j = 0; j < 1 + SIDES; j++)
            if (day->meeting[i].round == round && day->meeting[i].again == again &&
                day->meeting[i].seat[j] == s)
                return &day->meeting[i];
    return NULL;
}

/* The next session's board: Enter begins it. */
static void sit_down(struct seat *s)
{
    unsigned round;
    const char *strong = s->model->board->strong;
    bool ranks = strncmp(strong, "The ranks of judge ", 19) == 0 && s->day->ranks;
    bool session = sscanf(strong, "Round %u", &round) == 1 && round == s->day->round &&
                   strstr(strong, " comes next.");
    bool failed = strstr(strong, " was left ") || strstr(strong, " cannot go on");
    if (!ranks && !session && !failed) {
        s->since_us = 0;
        return;
    }
    if (!s->since_us)
        s->since_us = world_now();
    if (world_now() < s->since_us + SIT_US + dice_below(&s->dice, SECOND))
        return;
    s->since_us = world_now();
    s->queue[0] = '\0';
    s->at = s->said = 0;
    press(s, KEY_RETURN);
}

/* Ballots. */

/* The key that is missing of a number; 0: none. */
static uint32_t number_key(const char *has, const char *wants)
{
    size_t length = strlen(has);
    if (strcmp(has, wants) == 0)
        return 0;
    return strncmp(has, wants, length) == 0 ? (uint8_t)wants[length] : KEY_BACKSPACE;
}

/* The same of a field of numbers. */
static uint32_t field_key(const struct form *form, const int *wants, unsigned fields)
{
    for (unsigned i = 0; i < fields; i++) {
        char text[12];
        snprintf(text, sizeof text, "%d", wants[i]);
        uint32_t key = number_key(form->number[i], text);
        if (key)
            return form->field == i ? key : KEY_TAB;
    }
    return 0;
}

void day_reason(const struct meeting *m, char text[DAY_REASON])
{
    snprintf(text, DAY_REASON, "I say \"%s\"", m->session);
}

/* The key that is missing of how sure he is and why. */
static uint32_t reason_key(const struct form *form, const struct meeting *m)
{
    char wants[2][DAY_REASON];
    snprintf(wants[0], DAY_REASON, "%d", m->vote.confidence);
    day_reason(m, wants[1]);
    for (unsigned i = 0; i < 2; i++) {
        uint32_t key = number_key(form->values.text[i], wants[i]);
        if (key)
            return form_is_asked(form, i) ? key : KEY_TAB;
    }
    return 0;
}

static uint32_t vote_key(const struct day *day, const struct form *form, const struct meeting *m)
{
    const int points[SIDES] = {m->vote.points_left, 100 - m->vote.points_left};
    switch (day->rules->asked) {
    case ASKED_RATING:
        return field_key(form, &m->vote.rating, 1);
    case ASKED_POINTS:
        return field_key(form, points, SIDES);
    case ASKED_VERDICT: /* the machine is the first choice */
        if (form->choice != (m->vote.human == SIDE_LEFT))
            return m->vote.human == SIDE_LEFT ? 'h' : 'm';
        break;
    case ASKED_HUMAN:
        if (form->choice != (int)m->vote.human)
            return m->vote.human == SIDE_LEFT ? 'l' : 'r';
        break;
    }
    return day->rules->reasoned ? reason_key(form, m) : 0;
}

/* A judge ranks his sessions, which the form names. */
static uint32_t rank_key(const struct seat *s, const struct form *form)
{
    int wants[VOTE_RANKS_MAX] = {0};
    for (unsigned i = 0; i < form_fields(form); i++)
        for (unsigned j = 0; j < s->day->meetings; j++) {
            const struct meeting *m = &s->day->meeting[j];
            size_t length = strlen(m->session);
            if (strncmp(form->label[i], m->session, length) == 0 && form->label[i][length] == ',')
                wants[i] = (int)m->rank;
        }
    return field_key(form, wants, form_fields(form));
}

static bool is_over(const struct screen_model *m)
{
    for (unsigned side = 0; side < m->sides; side++)
        if (strcmp(m->side[side].state, "finished") != 0)
            return false;
    return true;
}

/* The session is over for a while, and he has put the ballot away. */
static bool misses_it(struct seat *s)
{
    if (!is_over(s->model))
        s->over_us = world_now();
    return world_now() > s->over_us + MISSES_US;
}

/* A ballot is on the screen, or should be. True: it has the person's hands. */
static bool fill_in(struct seat *s)
{
    const struct form *form = s->model->form;
    if (!form || (form->state == FORM_AWAY && !misses_it(s)))
        return false;
    bool done = form->standing == FORM_SEALED || (form->standing == FORM_GIVEN && !form->changed);
    if (form->state == FORM_AWAY && done)
        return false;
    if (form->state != FORM_OPEN) {
        input(s, INPUT_F3);
        return true;
    }
    if (done || form_in_notes(form)) {
        if (form_in_notes(form) && !done)
            press(s, KEY_TAB);
        else if (!s->meeting)
            input(s, INPUT_F10); /* ranks are given, and he leaves */
        return true;
    }
    uint32_t key = s->meeting ? vote_key(s->day, form, s->meeting) : rank_key(s, form);
    if (!key && s->meeting)
        s->meeting->given = true;
    press(s, key ? key : KEY_RETURN);
    return true;
}

/* Talk. */

unsigned day_marks(const struct screen_side *side, uint32_t point)
{
    const struct page *page = side->page;
    unsigned count = 0;
    for (unsigned pane = 0; pane < PANES; pane++)
        for (unsigned i = 0; page_has(page, pane) && i < page_rows(page, pane); i++) {
            struct page_row row;
            page_row(page, pane, i, &row);
            for (unsigned c = 0; c < row.cells; c++)
                count += row.cell[c].point == point;
        }
    return count;
}

static void say(struct seat *s, const char *text)
{
    snprintf(s->queue, sizeof s->queue, "%s", text);
    s->at = 0;
}

static uint64_t turn_us(const struct seat *s)
{
    return s->day->setup.whole ? 10 * TURN_US : TURN_US;
}

/* The next key of what he means to say; false: it is said. */
static bool type_on(struct seat *s)
{
    unsigned char c = (unsigned char)s->queue[s->at];
    if (!c)
        return false;
    s->at++;
    press(s, c == '\n' ? KEY_RETURN : c);
    if (!s->queue[s->at])
        s->next_us = world_now() + turn_us(s) / 2 + dice_below(&s->dice, 2 * turn_us(s));
    return true;
}

static bool is_open(const struct screen_side *side)
{
    return strcmp(side->state, "open") == 0;
}

static void ask(struct seat *s)
{
    const struct screen_model *m = s->model;
    char text[64];
    unsigned active = m->sides;
    for (unsigned side = 0; side < m->sides; side++)
        if (m->side[side].active && is_open(&m->side[side]))
            active = side;
    if (active == m->sides || active != (unsigned)s->side)
        s->queue[0] = '\0', s->at = 0;
    if (active == m->sides)
        return;
    s->side = (enum side)active;
    if (type_on(s))
        return;
    /* He begins with each, where nobody else does. */
    bool greets = m->sides == SIDES && s->said && !s->day->rules->opening[0] &&
                  day_marks(&m->side[!active], '?') == 0;
    if (m->sides == SIDES && m->may_switch && s->said && (greets || dice_below(&s->dice, 2))) {
        person_command(machine_screen(s->machine), SCREEN_OTHER_SIDE);
        s->next_us = world_now() + SECOND / 2;
        return;
    }
    snprintf(text, sizeof text, "What is %u?\n", ++s->said);
    say(s, s->said <= m->sides && s->day->rules->opening[0] ? s->day->rules->opening : text);
}

static void answer(struct seat *s)
{
    const struct screen_side *side = &s->model->side[0];
    char text[64];
    if (!is_open(side) || type_on(s))
        return;
    unsigned asked = day_marks(side, '?');
    if (!s->said && s->day->rules->opening[0]) {
        say(s, s->day->rules->opening);
        s->said = 1;
    } else if (asked > day_marks(side, '!')) {
        snprintf(text, sizeof text, "Flesh says %u!\n", ++s->said);
        say(s, text);
    }
}

/* With an Entry nobody sits there, but an attendant looks at what the screen asks for. */
static bool is_confederate(const struct seat *s)
{
    return s->meeting && s->meeting->confederate &&
           (!s->meeting->entry || s->meeting->seat[1 + s->meeting->human] == s);
}

/* The judge's machine has gone on to its next session. */
static bool judge_is_done(const struct seat *s)
{
    const struct seat *judge = s->meeting->seat[0];
    const struct screen_model *m = machine_sees(judge->machine);
    return judge->meeting != s->meeting || (m && m->board);
}

/* The act that a session's screen asks for, as an attendant or a steward does it. */
static bool act(struct seat *s)
{
    const struct screen_model *m = s->model;
    bool asks = s->judge ? day_controller_asks(s) || m->may_epoch || m->may_take
                         : m->may_begin && s->meeting && judge_is_done(s);
    if (!asks) {
        s->asked_us = 0;
        return false;
    }
    if (!s->asked_us)
        s->asked_us = world_now();
    if (world_now() < s->asked_us + ACT_US)
        return false;
    for (unsigned side = 0; side < m->sides && m->may_take; side++)
        if (day_marks(&m->side[side], '?'))
            day_wrong(s->day, "spare", "%s shows what it has not taken over",
                      machine_name(s->machine));
    s->takes += m->may_take;
    world_log(machine_name(s->machine), m->may_take    ? "F8 is pressed"
                                        : m->may_epoch ? "a steward opens a new epoch"
                                                       : "F9 is pressed");
    person_command(machine_screen(s->machine), m->may_take    ? SCREEN_TAKE
                                               : m->may_epoch ? SCREEN_EPOCH
                                                              : SCREEN_BEGIN);
    s->asked_us = 0;
    return true;
}

/* At a spare machine's board an attendant says that a session is over, which another has held. */
static bool pass_over(struct seat *s)
{
    if (day_board_says(s, "is it over for this machine?")) {
        if (!s->queue[s->at]) {
            snprintf(s->queue, sizeof s->queue, "over\n");
            s->at = 0;
        }
        type_on(s);
        return true;
    }
    if (!day_board_says(s, "Another machine has held it"))
        return false;
    s->queue[s->at = 0] = '\0';
    input(s, INPUT_F8);
    s->next_us = world_now() + 2 * SECOND;
    return true;
}

void day_sit(struct seat *s)
{
    s->model = machine_sees(s->machine);
    if (!s->model || world_now() < s->next_us)
        return;
    if (s->model->board) {
        if (!pass_over(s))
            sit_down(s);
        return;
    }
    s->since_us = 0;
    s->meeting = day_meeting(s, machine_screen(s->machine));
    if (act(s))
        return;
    if (s->judge && !fill_in(s))
        ask(s);
    else if (!s->judge && is_confederate(s))
        answer(s);
}
