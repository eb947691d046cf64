#include "booth/day.h"
#include "booth/messages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define HUSH_US       1000000u
#define STEADY_US     10000000u /* a run this long resets the failure count */
#define RETRY_MS      1000u
#define RETRY_MOST_MS 8000u

/* Reads a number from 1 to SCHEDULE_ROUNDS_MAX, with zeros in front up to three digits. Returns
 * the text behind it; NULL: no such number. */
static const char *read_number(const char *at, unsigned *number)
{
    size_t digits = strspn(at, "0123456789");
    *number = (unsigned)strtoul(at, NULL, 10);
    return digits > 0 && (digits <= 3 || at[0] != '0') && *number > 0 &&
                   *number <= SCHEDULE_ROUNDS_MAX
               ? at + digits
               : NULL;
}

bool day_ticket_name(struct day_ticket *ticket, const char *file)
{
    unsigned round, repeat = 1;
    const char *at = read_number(file, &round);
    if (at && *at == '-')
        at = read_number(at + 1, &repeat);
    if (!at || strcmp(at, ".ticket") != 0)
        return false;
    snprintf(ticket->file, sizeof ticket->file, "%s", file);
    ticket->round = round;
    ticket->repeat = repeat;
    ticket->ranks = 0;
    return true;
}

struct day_ticket *day_ticket_room(struct day *day)
{
    if (day->count < DAY_TICKETS)
        return &day->ticket[day->count];
    day->crowded++;
    return NULL;
}

static int by_play(const void *a, const void *b)
{
    const struct day_ticket *x = a, *y = b;
    if (x->ranks != y->ranks)
        return x->ranks < y->ranks ? -1 : 1;
    if (x->round != y->round)
        return x->round < y->round ? -1 : 1;
    return x->repeat < y->repeat ? -1 : x->repeat > y->repeat;
}

void day_sort(struct day *day)
{
    qsort(day->ticket, day->count, sizeof day->ticket[0], by_play);
}

enum day_act day_next(struct day *day)
{
    day->failures = 0;
    day->asks = DAY_ASKS_NOTHING;
    if (!day->place.machine) {
        day->stage = DAY_NO_PLACE;
        return DAY_LOOK;
    }
    for (unsigned i = 0; i < day->count; i++) {
        if (day->ticket[i].state == DAY_OVER)
            continue;
        day->at = i;
        day->stage = day->ticket[i].state == DAY_BEGUN ? DAY_RUNS : DAY_WAITS;
        return day->stage == DAY_RUNS ? DAY_RUN : DAY_LOOK;
    }
    day->stage = DAY_IDLE;
    return DAY_LOOK;
}

/* True if the ticket's page is not answered. put_off: only if it was put off, or only if it was
 * not. */
static bool is_open(const struct day_ticket *ticket, enum ruleset_survey_page page, bool put_off)
{
    return ticket && ticket->survey[page].whose[0] && !ticket->survey[page].given &&
           ticket->survey[page].put_off == put_off;
}

struct day_ticket *day_survey(struct day *day, enum ruleset_survey_page *page)
{
    struct day_ticket *next = day->stage == DAY_WAITS ? &day->ticket[day->at] : NULL, *over = NULL;
    for (unsigned i = 0; i < day->count; i++)
        if (!day->ticket[i].ranks && day->ticket[i].state == DAY_OVER)
            over = &day->ticket[i];
    for (unsigned put_off = 0; put_off < 2; put_off++) {
        *page = is_open(over, SURVEY_AFTER, put_off) ? SURVEY_AFTER : SURVEY_BEFORE;
        if (is_open(over, *page, put_off))
            return over;
        if (is_open(next, *page, put_off))
            return next;
    }
    return NULL;
}

/* True if a page is shown unasked: at a judge's machine, unless it was put off. At an entity's
 * machine a page would delay a person's line, which the judge would see. */
static bool survey_comes(struct day *day, enum ruleset_survey_page *page)
{
    const struct day_ticket *ticket = day_survey(day, page);
    return ticket && day->place.machine == MACHINE_JUDGE && !ticket->survey[*page].put_off;
}

enum day_act day_ended(struct day *day, const struct day_outcome *outcome)
{
    day->ticket[day->at].state = outcome->state;
    day->asks = DAY_ASKS_NOTHING;
    enum ruleset_survey_page page;
    if (outcome->state == DAY_OVER) {
        enum day_act act = day_next(day);
        return act == DAY_LOOK && survey_comes(day, &page) && page == SURVEY_AFTER ? DAY_SURVEY
                                                                                   : act;
    }
    if (outcome->code == 0) {
        day->stage = DAY_LEFT;
        return DAY_LOOK;
    }
    snprintf(day->why, sizeof day->why, "%s", outcome->why);
    day->failures = outcome->ran_us >= STEADY_US ? 1 : day->failures + 1;
    if (day->failures == 1 && outcome->state == DAY_BEGUN)
        return DAY_RUN;
    day->stage = DAY_FAILED;
    return DAY_LOOK;
}

unsigned day_retry_ms(const struct day *day)
{
    unsigned wait_ms = RETRY_MS;
    for (unsigned i = 1; i < day->failures && wait_ms < RETRY_MOST_MS; i++)
        wait_ms *= 2;
    return wait_ms;
}

static bool type_word(struct day *day, uint32_t point)
{
    size_t length = strlen(day->typed);
    if (point == KEY_RETURN)
        return true;
    if (point == KEY_BACKSPACE) {
        if (length)
            day->typed[length - 1] = '\0';
    } else if (point >= ' ' && point < 0x7f && length + 1 < sizeof day->typed) {
        day->typed[length] = (char)point;
        day->typed[length + 1] = '\0';
    }
    return false;
}

static enum day_act type_place(struct day *day, uint32_t point)
{
    day->refused = false;
    if (!type_word(day, point))
        return DAY_LOOK;
    if (place_read(&day->place, day->typed))
        return DAY_SETTLE;
    day->refused = true;
    return DAY_LOOK;
}

static const char *const question_words[] = {
    [DAY_ASKS_OVER] = "over", [DAY_ASKS_AGAIN] = "again", [DAY_ASKS_OLDER] = "older"};

/* Takes a key of the answer to the board's question. Yes is the word of confirmation; any other
 * answer is no. */
static enum day_act type_answer(struct day *day, enum input_what what, uint32_t point)
{
    enum day_question asks = day->asks;
    if (what == INPUT_POINT && !type_word(day, point))
        return DAY_LOOK;
    day->asks = DAY_ASKS_NOTHING;
    if (what != INPUT_POINT || strcasecmp(day->typed, question_words[asks]) != 0)
        return DAY_LOOK;
    if (asks == DAY_ASKS_OLDER)
        return DAY_TAKE_OLDER;
    day->ticket[day->asked].state = asks == DAY_ASKS_OVER ? DAY_OVER : DAY_NEW;
    return asks == DAY_ASKS_OVER ? DAY_PASS_OVER : DAY_TAKE_UP;
}

static enum day_act ask(struct day *day, enum day_question question, unsigned ticket)
{
    day->asks = question;
    day->asked = ticket;
    day->typed[0] = '\0';
    return DAY_LOOK;
}

/* The line after the first line that the board shows; NULL: none. */
static const char *check_below(const struct day *day)
{
    const char *end = strchr(day->check.text + day->check.from, '\n');
    return end ? end + 1 : NULL;
}

static void check_scroll(struct day *day, bool down)
{
    const char *below = check_below(day);
    size_t from = day->check.from;
    if (down && below)
        from = (size_t)(below - day->check.text);
    while (!down && from > 0 && (--from == 0 || day->check.text[from - 1] != '\n'))
        ;
    day->check.from = from;
}

/* F3 or Enter stops a check that runs, and then leaves its findings; arrows and page keys scroll.
 * Other keys have no effect. */
static enum day_act end_check(struct day *day, enum input_what what, uint32_t point)
{
    bool down = what == INPUT_DOWN || what == INPUT_PAGE_DOWN;
    if (down || what == INPUT_UP || what == INPUT_PAGE_UP) {
        check_scroll(day, down);
        return DAY_LOOK;
    }
    if (what != INPUT_F3 && !(what == INPUT_POINT && point == KEY_RETURN))
        return DAY_NOTHING;
    if (day->check.runs && !day->check.stops) {
        day->check.stops = true;
        return DAY_CHECK_STOP;
    }
    day->asks = DAY_ASKS_NOTHING;
    return DAY_CHECK_END;
}

static bool stands(const struct day *day)
{
    return day->stage == DAY_WAITS || day->stage == DAY_LEFT || day->stage == DAY_FAILED;
}

/* True if F8 may declare the session over for this machine. Another machine has held the session,
 * or the session's terminal was left or failed. */
static bool may_pass(const struct day *day)
{
    return stands(day) && (day->stage != DAY_WAITS || day->ticket[day->at].elsewhere);
}

/* Index of the latest ticket that was passed over and may be taken up again; `count`: none. */
static unsigned passed(const struct day *day)
{
    unsigned found = day->count;
    for (unsigned i = 0; i < day->count; i++)
        if (day->ticket[i].passed)
            found = i;
    return day->stage == DAY_IDLE || day->stage == DAY_WAITS ? found : day->count;
}

void day_shown(struct day *day, uint64_t now_us)
{
    day->hushed_us = now_us;
}

static bool may_practise(const struct day *day)
{
    return day->place.machine == MACHINE_JUDGE &&
           (day->stage == DAY_IDLE || day->stage == DAY_WAITS);
}

/* True if the next session's lines can be checked: no session runs, and the ticket has lines. */
static bool may_check(const struct day *day)
{
    return day->stage == DAY_WAITS && !day->ticket[day->at].ranks;
}

enum day_act day_key(struct day *day, enum input_what what, uint32_t point, bool may_leave,
                     uint64_t now_us)
{
    bool hushed = now_us >= day->hushed_us + HUSH_US;
    day->hushed_us = now_us;
    if (day->stage == DAY_NO_PLACE && what == INPUT_POINT)
        return type_place(day, point);
    if (day->asks == DAY_CHECKS)
        return end_check(day, what, point);
    if (day->asks)
        return type_answer(day, what, point);
    if (!hushed)
        return DAY_NOTHING;
    if (what == INPUT_F10)
        return may_leave ? DAY_LEAVE : DAY_NOTHING;
    if (what == INPUT_F2 && may_practise(day))
        return DAY_PRACTISE;
    if (what == INPUT_F3 && may_check(day)) {
        ask(day, DAY_CHECKS, day->at);
        return DAY_CHECK;
    }
    enum ruleset_survey_page page;
    if (what == INPUT_F1 && day_survey(day, &page))
        return DAY_SURVEY;
    if (what == INPUT_POINT && point == KEY_RETURN && day->stage == DAY_WAITS &&
        survey_comes(day, &page))
        return DAY_SURVEY;
    if (what == INPUT_POINT && point == KEY_RETURN && stands(day)) {
        day->stage = DAY_RUNS;
        return DAY_RUN;
    }
    if (what == INPUT_F8 && may_pass(day))
        return ask(day, DAY_ASKS_OVER, day->at);
    if (what == INPUT_F9 && day->stick == DAY_STICK_FAULT && day->older)
        return ask(day, DAY_ASKS_OLDER, 0);
    if (what == INPUT_F9 && passed(day) < day->count)
        return ask(day, DAY_ASKS_AGAIN, passed(day));
    return DAY_NOTHING;
}

static void name_session(const struct day_ticket *ticket, char *out, size_t size)
{
    if (ticket->ranks)
        snprintf(out, size, say_the_ranks_of_judge, ticket->ranks);
    else
        snprintf(out, size, say_round_number, ticket->round,
                 ticket->repeat > 1 ? say_held_again : "");
}

static const char *room(const struct day *day)
{
    return day->place.machine == MACHINE_JUDGE ? say_judges_room : say_back_room;
}

/* The board's words when no session is due and the stick is not in use or faulty. */
static void idle_words(struct day *day)
{
    bool looked = day->stick == DAY_STICK_BUSY || day->stick == DAY_STICK_FAULT;
    day->text[0] = '\0';
    if (day->count && !day->unsaved && day->records)
        snprintf(day->text, sizeof day->text, say_the_records_are_on_the, room(day));
    else if (!looked && (!day->count || day->unsaved))
        snprintf(day->text, sizeof day->text, say_put_in_the_stick_of, room(day),
                 day->unsaved ? say_it_takes_the_records : ".");
}

static void say_stage(struct day *day, struct board *board)
{
    char name[64];
    name_session(&day->ticket[day->at], name, sizeof name);
    switch (day->stage) {
    case DAY_NO_PLACE:
        snprintf(day->strong, sizeof day->strong, say_which_place_is_this, day->typed);
        board->text[0] = day->refused ? say_this_is_no_place_type : say_it_is_asked_once_when;
        board->text[1] = say_as_in_booth_3_judge;
        break;
    case DAY_IDLE:
        snprintf(day->strong, sizeof day->strong, "%s",
                 day->count ? say_all_sessions_of_this_place : say_there_are_no_tickets_for);
        idle_words(day);
        board->text[0] = day->text;
        break;
    case DAY_WAITS:
        snprintf(day->strong, sizeof day->strong, say_comes_next, name,
                 day->ticket[day->at].ranks ? "" : "s");
        board->text[0] = day->ticket[day->at].ranks     ? say_sit_down_and_press_enter
                         : day->ticket[day->at].program ? say_press_enter_and_the_program
                                                        : say_sit_down_and_press_enter_nobody;
        if (day->ticket[day->at].elsewhere)
            board->text[1] = say_another_machine_has_held_it;
        break;
    case DAY_RUNS:
        snprintf(day->strong, sizeof day->strong, "%s", name);
        break;
    case DAY_LEFT:
        snprintf(day->strong, sizeof day->strong, say_was_left_before_it_was, name);
        board->text[0] = say_enter_goes_on_with_it;
        board->alarm = true;
        break;
    case DAY_FAILED:
        snprintf(day->strong, sizeof day->strong, say_cannot_go_on, name, day->why);
        board->text[0] = say_it_is_tried_again_by;
        board->alarm = true;
        break;
    }
}

static void say_question(struct day *day, struct board *board)
{
    char name[64];
    if (day->asks == DAY_ASKS_OLDER) {
        snprintf(day->strong, sizeof day->strong, say_is_this_older_stick_to, day->typed);
        board->text[0] = say_only_if_the_newer_is;
        return;
    }
    name_session(&day->ticket[day->asked], name, sizeof name);
    bool over = day->asks == DAY_ASKS_OVER;
    snprintf(day->strong, sizeof day->strong, "%s: %s %s_", name,
             over ? say_is_it_over_for_this : say_is_it_held_here_again, day->typed);
    board->text[0] = over ? say_then_it_is_not_held : say_it_was_passed_over_type;
}

static void say_check(struct day *day, struct board *board)
{
    bool judge = day->place.machine == MACHINE_JUDGE;
    board->alarm = day->check.wrong;
    board->text[0] = day->check.text + day->check.from;
    snprintf(day->strong, sizeof day->strong, "%s",
             day->check.runs    ? say_the_cables_are_being_checked
             : day->check.wrong ? say_not_ready_do_what_is
                                : say_everything_is_right);
    if (day->check.runs)
        board->text[0] = judge ? say_press_f3_at_the_machines : say_press_f3_at_the_judges;
    if (day->check.runs && day->check.text[0])
        board->text[1] = day->check.text;
}

static void say_passed(struct day *day, struct board *board)
{
    char name[64];
    unsigned which = passed(day);
    if (which == day->count || board->text[1])
        return;
    name_session(&day->ticket[which], name, sizeof name);
    snprintf(day->passed, sizeof day->passed, say_was_passed_over_here_f9, name);
    board->text[1] = day->passed;
}

static void say_survey(struct day *day, struct board *board)
{
    enum ruleset_survey_page page;
    if (!day_survey(day, &page))
        return;
    board->hint[board->hints++] = (struct hint){"F1", say_survey_page, false};
    if (day->page_why[0])
        board->text[1] = day->page_why;
    else if (!board->text[1])
        board->text[1] =
            page == SURVEY_BEFORE ? say_before_the_session_there_is : say_there_is_a_page_after;
}

static const char *stick_words(struct day *day)
{
    if (day->crowded && day->stick != DAY_STICK_BUSY && day->stick != DAY_STICK_FAULT) {
        snprintf(day->stick_why, sizeof day->stick_why, say_too_many_tickets,
                 day->count + day->crowded, DAY_TICKETS);
        return day->stick_why;
    }
    switch (day->stick) {
    case DAY_STICK_OUT:
        return day->unsaved ? day->stage == DAY_IDLE ? say_they_are_on_no_stick
                                                     : say_there_are_records_here_that
               : day->apart ? say_records_of_another_contest
                            : NULL;
    case DAY_STICK_BUSY:
        return say_leave_the_stick_in_it;
    case DAY_STICK_DONE:
        return say_the_stick_may_be_taken;
    case DAY_STICK_FAULT:
        return day->stick_why;
    }
    return NULL;
}

void day_board(struct day *day, bool may_leave, struct board *board)
{
    char words[PLACE_NAME];
    memset(board, 0, sizeof *board);
    snprintf(words, sizeof words, "%s", say_no_place_yet);
    if (day->place.machine)
        place_words(&day->place, words);
    snprintf(day->title, sizeof day->title, say_board_title, words);
    board->title = day->title;
    board->strong = day->strong;
    if (day->asks == DAY_CHECKS)
        board->hint[board->hints++] = (struct hint){
            "Enter",
            day->check.runs && !day->check.stops ? say_stop_the_check : say_return_to_the_board,
            false};
    if (day->asks == DAY_CHECKS && day->check.wrong && check_below(day))
        board->hint[board->more = board->hints++] =
            (struct hint){"Down", say_scroll_the_steps, false};
    if (!day->asks && may_check(day))
        board->hint[board->hints++] = (struct hint){"F3", say_check_cables, false};
    if (may_practise(day) && !day->asks)
        board->hint[board->hints++] = (struct hint){"F2", say_practise, false};
    if (day->stage == DAY_LEFT && !day->asks) {
        board->hint[board->hints++] = (struct hint){"Enter", say_go_on_with_it, false};
        board->hint[board->hints++] = (struct hint){"F8", say_over_for_this_machine, false};
    }
    if (may_leave)
        board->hint[board->hints++] = (struct hint){"F10", say_leave_the_board, false};
    if (day->asks == DAY_CHECKS) {
        say_check(day, board);
        return;
    }
    if (day->asks) {
        say_question(day, board);
    } else {
        say_stage(day, board);
        say_survey(day, board);
        say_passed(day, board);
    }
    if (day->words && may_practise(day)) {
        snprintf(day->signs, sizeof day->signs, say_signs_ballots_as, day->words);
        board->text[BOARD_TEXTS - 3] = day->signs;
    }
    board->text[BOARD_TEXTS - 2] = stick_words(day);
    if (day->waiting)
        snprintf(day->courier, sizeof day->courier, say_records_are_not_at_the_desk, day->waiting);
    board->text[BOARD_TEXTS - 1] = day->desk[0] ? day->desk : day->waiting ? day->courier : NULL;
}
