#include "booth/day_run.h"

#include "base/file.h"
#include "base/name.h"
#include "booth/balloting.h"
#include "booth/contest_records.h"
#include "booth/courier_word.h"
#include "booth/day_check.h"
#include "booth/desk_stick.h"
#include "booth/judge_lpp.h"
#include "booth/machine_key.h"
#include "booth/stick_files.h"
#include "booth/stick_place.h"
#include "booth/surveying.h"
#include "booth/ticket_file.h"
#include "booth/viewing.h"
#include "booth/messages.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLIND_US        1000000u /* interval of looks at the stick when no watch is possible */
#define SETTLE_US       200000u  /* a stick's files appear one by one: wait before reading */
#define COMPLAINTS_MOST 1048576u
#define HANDED_FD       3 /* the listening socket's number in a session's terminal */
#define MARK_PATH       (PATH_MAX + SESSION_ID_MAX + 16)

#define PUT_OFF 8 /* most remembered pages that were put off */

struct day_run {
    const struct day_options *options;
    struct day day;
    struct day_check check;
    struct board board;
    struct viewing viewing;
    char records[PATH_MAX], own[PATH_MAX + PLACE_NAME + 16];
    char contest[CONTEST_ID];              /* id of the records' contest; "": not known */
    char put_off[PUT_OFF][SURVEYING_NAME]; /* names of the survey's pages that were left
                                            * unanswered */
    unsigned put_offs;                     /* number of pages that were put off */
    int listening; /* the socket of the board's page and of all sessions' pages; -1: a console */
    char key[PATH_MAX + 16], words[KEY_WORDS_TEXT]; /* the machine's key: its file, and its words */
    char url[SCREENS_PATH],
        web[SCREENS_PATH + 32]; /* file with the page's address; a session's --screen */
    struct stick_place stick_place;
    struct courier_word courier;
    char desk[PATH_MAX]; /* folder with the desk's tickets */
    uint64_t desk_mark;  /* state of that folder at the last reading */
    uint64_t stick_mark; /* state of the stick at the last reading */
    bool blind;          /* no watch is possible: the stick is looked for at intervals */
    uint64_t stick_us,
        retry_us;     /* times of the next look at the stick, and of a session's next try */
    enum day_act act; /* the action for which the board ended */
    bool stopped;     /* a signal ended the day while a session ran */
    uv_loop_t loop;   /* loop of the running session */
    uv_process_t child;
    int64_t child_code;
};

/* A ticket's state, by its records. */

struct found {
    bool finished, again; /* again: a process began, or ended in good order, after the session's
                           * end */
    bool unconfirmed[SIDES];
    char contest[CONTEST_ID]; /* "": the record does not name it */
};

static void on_entry(void *ctx, const struct journal_record *record)
{
    struct found *found = ctx;
    if (record->kind == JOURNAL_SEGMENT && record->as.segment.state == SEGMENT_FINISHED)
        found->finished = true;
    else if (record->kind == JOURNAL_START)
        found->again = found->finished;
    else if (record->kind == JOURNAL_CLOSE)
        found->unconfirmed[record->side] = record->as.close.outcome == CLOSE_UNCONFIRMED;
    else if (record->kind == JOURNAL_NOTE && record->as.note.code == NOTE_CONTEST)
        snprintf(found->contest, sizeof found->contest, "%s", record->as.note.text);
}

/* True if the terminal was killed at the session's end: the ends did not agree on the end, and no
 * process began or ended in good order since. The terminal runs once more, since the other end may
 * still have keys. */
static bool is_left_over(const struct found *found)
{
    return (found->unconfirmed[SIDE_LEFT] || found->unconfirmed[SIDE_RIGHT]) && !found->again;
}

/* True if the session has no ballot, or a given one. */
static bool ballot_is_given(const char *journal)
{
    char path[PATH_MAX];
    struct ballot_file *file = malloc(sizeof *file);
    bool given =
        file && balloting_path(journal, path, NULL) == BL_OK &&
        (access(path, F_OK) != 0 || (balloting_load(file, path, NULL) == BL_OK && file->given));
    free(file);
    return given;
}

/* The path of a session's mark, with that suffix, beside its records. */
static void mark_path(const struct day_run *r, const char *session, const char *end,
                      char path[MARK_PATH])
{
    snprintf(path, MARK_PATH, "%s/%s%s", r->records, session, end);
}

static bool has_mark(const struct day_run *r, const char *session, const char *end)
{
    char path[MARK_PATH];
    mark_path(r, session, end, path);
    return access(path, F_OK) == 0;
}

static enum day_state state_of(const struct day_run *r, const char *session)
{
    enum party role = r->day.place.machine == MACHINE_JUDGE ? PARTY_JUDGE : PARTY_ENTITY;
    char journal[PATH_MAX];
    struct found found = {.finished = false};
    if (has_mark(r, session, STICK_OVER))
        return DAY_OVER;
    journal_name(r->records, session, role, journal);
    if (access(journal, F_OK) != 0)
        return DAY_NEW;
    if (journal_read(&disk_real, journal, on_entry, &found, NULL, NULL) || !found.finished)
        return DAY_BEGUN;
    if (is_left_over(&found))
        return DAY_BEGUN;
    (void)journal_secure(&disk_real, journal); /* no terminal will open the record again */
    return role == PARTY_ENTITY || ballot_is_given(journal) ? DAY_OVER : DAY_BEGUN;
}

/* The path of a judge's ranks in the judge's folder. */
static void ranks_path(const struct day_run *r, const struct day_ticket *ticket, const char *end,
                       char *path, size_t size)
{
    snprintf(path, size, "%s/%s/%s%s", r->records, ticket->file, ticket->session, end);
}

static enum day_state state_of_ranks(const struct day_run *r, const struct day_ticket *ticket)
{
    char path[PATH_MAX + DAY_FILE + SESSION_ID_MAX + 16], kept[MARK_PATH];
    struct ballot_file *file = malloc(sizeof *file);
    ranks_path(r, ticket, "-judge.ballot", path, sizeof path);
    mark_path(r, ticket->session, "-judge.ballot", kept); /* the copy of stick_keep_ranks(), for
                                                           * ranks that a lost stick had */
    bool given = file && ((balloting_load(file, path, NULL) == BL_OK && file->given) ||
                          (balloting_load(file, kept, NULL) == BL_OK && file->given));
    free(file);
    return given ? DAY_OVER : DAY_NEW;
}

/* Adds a ticket for a judge's ranks, whose folder any booth of the judges' room may take. */
static void add_ranks(struct day_run *r, const char *folder)
{
    char path[PATH_MAX + PLACE_NAME + 32];
    struct ticket ticket;
    unsigned judge;
    if (!stick_ranks_read(folder, &judge))
        return;
    snprintf(path, sizeof path, "%s/%.24s/" STICK_RANKS, r->records, folder);
    if (ticket_load(&ticket, path, "ranks", NULL) || contest_id_differ(ticket.contest, r->contest))
        return;
    struct day_ticket *to = day_ticket_room(&r->day);
    if (!to)
        return;
    *to = (struct day_ticket){.ranks = judge + 1};
    snprintf(to->file, sizeof to->file, "%.24s", folder);
    snprintf(to->session, sizeof to->session, "%.*s", SESSION_ID_MAX, ticket.session);
    to->state = state_of_ranks(r, to);
    r->day.count++;
}

/* True if a person has left the page unanswered: it is not shown again unasked. */
static bool was_put_off(const struct day_run *r, const char *whose, enum ruleset_survey_page page)
{
    char name[SURVEYING_NAME];
    surveying_name(whose, page, name);
    for (unsigned i = 0; i < PUT_OFF; i++)
        if (strcmp(r->put_off[i], name) == 0)
            return true;
    return false;
}

static void take_survey(const struct day_run *r, struct day_ticket *to,
                        enum ruleset_survey_page page, const char *whose)
{
    snprintf(to->survey[page].whose, sizeof to->survey[page].whose, "%s", whose);
    to->survey[page].given = whose[0] && surveying_given(r->records, whose, page);
    to->survey[page].put_off = was_put_off(r, to->survey[page].whose, page);
}

static void add_ticket(struct day_run *r, const char *file)
{
    struct day *day = &r->day;
    char path[sizeof r->own + DAY_FILE];
    struct day_ticket named, *to;
    struct ticket *ticket;
    if (!day_ticket_name(&named, file) || !(to = day_ticket_room(day)))
        return;
    *to = named;
    ticket = malloc(sizeof *ticket);
    snprintf(path, sizeof path, "%s/%s", r->own, to->file);
    const char *role = day->place.machine == MACHINE_JUDGE ? "judge" : "entity";
    struct bl_diag why = {""};
    bool good = ticket && ticket_load(ticket, path, role, &why) == BL_OK;
    if (good && !contest_id_differ(ticket->contest, r->contest)) {
        snprintf(to->session, sizeof to->session, "%.*s", SESSION_ID_MAX, ticket->session);
        to->state = state_of(r, to->session);
        to->passed = has_mark(r, to->session, STICK_OVER);
        to->elsewhere = has_mark(r, to->session, STICK_ELSEWHERE);
        to->pair = ticket->right[0] != '\0';
        to->program = strcmp(role, "entity") == 0 && !ticket->keyboard[0] && !ticket->comms[0];
        take_survey(r, to, SURVEY_BEFORE, ticket->before);
        take_survey(r, to, SURVEY_AFTER, ticket->after);
        day->count++;
    } else if (ticket && !good) {
        day->stick = DAY_STICK_FAULT;
        snprintf(day->stick_why, sizeof day->stick_why, "%s", why.text);
    }
    free(ticket);
}

static void count_records(struct day_run *r)
{
    const struct records_count count = contest_records_count(r->records);
    r->day.records = count.all;
    r->day.unsaved = count.unsaved;
    r->day.apart = count.apart;
}

static void find_tickets(struct day_run *r)
{
    char name[PLACE_NAME];
    struct dirent *found;
    r->day.count = r->day.crowded = 0;
    if (!r->day.place.machine)
        return;
    contest_records_of(r->records, r->contest);
    place_name(&r->day.place, name);
    snprintf(r->own, sizeof r->own, "%s/%s", r->records, name);
    DIR *dir = opendir(r->own);
    while (dir && (found = readdir(dir)))
        add_ticket(r, found->d_name);
    if (dir)
        closedir(dir);
    dir = r->day.place.machine == MACHINE_JUDGE ? opendir(r->records) : NULL;
    while (dir && (found = readdir(dir)))
        add_ranks(r, found->d_name);
    if (dir)
        closedir(dir);
    day_sort(&r->day);
    count_records(r);
}

/* The place. */

static enum bl_status load_place(struct day_run *r, struct bl_diag *diag)
{
    char *text;
    enum bl_status status =
        file_read_text(&text, r->options->place, PLACE_TEXT * 8, "a place", diag);
    if (status == BL_NOINPUT)
        return BL_OK; /* the board asks for it */
    if (!status)
        status = place_parse(&r->day.place, text, r->options->place, diag);
    free(text);
    return status;
}

static void keep_place(struct day_run *r)
{
    char text[PLACE_TEXT];
    struct bl_diag why;
    place_text(&r->day.place, text);
    if (file_write(r->options->place, text, strlen(text), &why) == BL_OK)
        return;
    r->day.stick = DAY_STICK_FAULT; /* not fatal: the next start asks for the place again */
    snprintf(r->day.stick_why, sizeof r->day.stick_why, say_the_place_cannot_be_kept, why.text);
}

/* The stick. */

/* Gives complete ranks to the stick. If no ranks are left to give, takes another judge's folder. */
static enum bl_status exchange_ranks(struct day_run *r, const char *place, struct bl_diag *diag)
{
    char ballot[SESSION_ID_MAX + 16];
    enum bl_status status = BL_OK;
    bool pending = false;
    unsigned judge;
    for (unsigned i = 0; i < r->day.count && !status; i++) {
        const struct day_ticket *ticket = &r->day.ticket[i];
        pending = pending || (ticket->ranks && ticket->state != DAY_OVER);
        if (!ticket->ranks || ticket->state != DAY_OVER)
            continue;
        snprintf(ballot, sizeof ballot, "%s-judge.ballot", ticket->session);
        status = stick_give_ranks(r->options->tickets, place, r->records, ticket->ranks - 1, ballot,
                                  diag);
    }
    if (status || pending)
        return status;
    status = stick_take_ranks(r->options->tickets, place, r->records, &judge, diag);
    return status == BL_NOINPUT ? BL_OK : status;
}

/* Installs the tickets' Entries from the stick. */
static enum bl_status take_entries(struct day_run *r, const char *stick, struct bl_diag *diag)
{
    char path[sizeof r->own + DAY_FILE], entries[PATH_MAX + 16];
    struct ticket *ticket = malloc(sizeof *ticket);
    enum bl_status status = ticket ? BL_OK : bl_fail(diag, BL_NOMEM, say_fail_no_memory);
    snprintf(entries, sizeof entries, "%s%s",
             r->options->entries ? r->options->entries : r->records,
             r->options->entries ? "" : "/entries");
    for (unsigned i = 0; i < r->day.count && !status; i++) {
        const struct day_ticket *at = &r->day.ticket[i];
        snprintf(path, sizeof path, "%s/%s", r->own, at->file);
        if (at->state != DAY_OVER && ticket_load(ticket, path, "entity", NULL) == BL_OK &&
            ticket->entry[0])
            status = stick_take_entry(stick, ticket->entry, entries, diag);
        if (status == BL_UNAVAIL && ticket->comms[0])
            status = BL_OK; /* only its communications program runs here */
    }
    free(ticket);
    return status;
}

/* Finds sessions that another machine of this place has held, by the stick's records. Each gets a
 * mark beside this machine's records. */
static void find_held(struct day_run *r, const char *place)
{
    enum party role = r->day.place.machine == MACHINE_JUDGE ? PARTY_JUDGE : PARTY_ENTITY;
    char path[PATH_MAX], mark[MARK_PATH], name[SESSION_ID_MAX + 32];
    for (unsigned i = 0; i < r->day.count; i++) {
        struct day_ticket *ticket = &r->day.ticket[i];
        struct found found = {.finished = false};
        if (ticket->ranks || ticket->state != DAY_NEW || ticket->elsewhere)
            continue;
        snprintf(name, sizeof name, "%s-%s.journal", ticket->session,
                 role == PARTY_JUDGE ? "judge" : "entity");
        if (!stick_record(r->options->tickets, place, name, path) ||
            journal_read(&disk_real, path, on_entry, &found, NULL, NULL) || !found.finished ||
            contest_id_differ(found.contest, r->contest))
            continue;
        mark_path(r, ticket->session, STICK_ELSEWHERE, mark);
        file_write(mark, "", 0, NULL);
        ticket->elsewhere = true;
    }
}

static void read_stick(struct day_run *r)
{
    struct day *day = &r->day;
    struct bl_diag why = {""};
    char name[PLACE_NAME];
    bool changed = false;
    if (!stick_is_in(r->options->tickets)) {
        day->stick = DAY_STICK_OUT;
        return;
    }
    if (!day->place.machine)
        return;
    place_name(&day->place, name);
    day->stick = DAY_STICK_DONE;
    day->older = false;
    enum bl_status status = stick_check(r->options->tickets, name, r->records, &why);
    bool desk_has_newer = status == BL_BUSY && desk_stick_counts(r->records);
    if (!status)
        status = stick_take(r->options->tickets, name, r->own, &changed, &why);
    if (!status)
        status = stick_keep_key(r->own, r->records, &why);
    if (!status)
        desk_stick_forget(r->records);
    find_tickets(r);
    if (desk_has_newer)
        status = BL_OK; /* this stick only takes records */
    bool own_full = status == BL_FULL;
    enum bl_status given = stick_give(r->options->tickets, name, r->records, status ? NULL : &why);
    status = status ? status : given; /* any stick takes records */
    if (!status && day->place.machine == MACHINE_JUDGE)
        status = exchange_ranks(r, name, &why);
    find_tickets(r);
    find_held(r, name);
    if (!status && day->place.machine != MACHINE_JUDGE &&
        (status = take_entries(r, r->options->tickets, &why))) {
        day->stick = DAY_STICK_FAULT;
        snprintf(day->stick_why, sizeof day->stick_why, say_the_entry_cannot_be_installed,
                 status == BL_FULL      ? say_make_room_on_this_machine
                 : status == BL_UNAVAIL ? say_install_what_it_needs_on
                                        : say_take_the_stick_back_to,
                 why.text);
    } else if (status == BL_BUSY) {
        day->stick = DAY_STICK_FAULT;
        day->older = true;
        snprintf(day->stick_why, sizeof day->stick_why, say_this_stick_is_older_than);
    } else if (status) {
        day->stick = DAY_STICK_FAULT;
        snprintf(day->stick_why, sizeof day->stick_why,
                 own_full               ? say_this_machine_is_full_make
                 : status == BL_FULL    ? say_the_stick_is_full_make
                 : status == BL_DATA    ? say_take_the_stick_back_to_the
                 : status == BL_UNAVAIL ? say_this_is_the_other_rooms
                                        : say_the_stick_cannot_be_read,
                 why.text);
    }
}

/* Takes the desk's tickets, after the stick's: of equal age the stick's count. */
static void read_desk(struct day_run *r)
{
    struct day *day = &r->day;
    struct bl_diag why = {""};
    char name[PLACE_NAME];
    r->desk_mark = stick_mark(r->desk);
    day->desk[0] = '\0';
    if (!day->place.machine)
        return;
    place_name(&day->place, name);
    switch (desk_stick_take(r->desk, name, r->own, r->records, &why)) {
    case DESK_STICK_NOTHING:
        return;
    case DESK_STICK_DISPUTED:
        snprintf(day->desk, sizeof day->desk, say_the_desk_brings_other_tickets, why.text);
        return;
    case DESK_STICK_FAULT:
        snprintf(day->desk, sizeof day->desk, say_the_desks_tickets_cannot_be_kept, why.text);
        return;
    case DESK_STICK_TAKEN:
        find_tickets(r);
        if (day->place.machine != MACHINE_JUDGE && take_entries(r, r->desk, &why))
            snprintf(day->desk, sizeof day->desk, say_the_entry_comes_by_stick, why.text);
    }
}

/* The board. */

static void stop_board(struct day_run *r, enum day_act act)
{
    r->act = act;
    viewing_stop(&r->viewing);
}

static void look_soon(void *ctx);

static void on_changed(void *ctx)
{
    struct day_run *r = ctx;
    viewing_look(&r->viewing);
}

/* Checks the lines of the next session. */
static void begin_check(struct day_run *r)
{
    char path[sizeof r->own + DAY_FILE];
    snprintf(path, sizeof path, "%s/%s", r->own, r->day.ticket[r->day.at].file);
    r->check.day = &r->day;
    r->check.changed = on_changed;
    r->check.ctx = r;
    day_check_begin(&r->check, &r->viewing.loop, path);
    viewing_look(&r->viewing);
}

static void do_act(struct day_run *r, enum day_act act)
{
    switch (act) {
    case DAY_NOTHING:
        return;
    case DAY_LOOK:
        viewing_look(&r->viewing);
        return;
    case DAY_TAKE_OLDER:
        stick_forget(r->records);
        look_soon(r);
        return;
    case DAY_CHECK:
        begin_check(r);
        return;
    case DAY_CHECK_STOP:
        day_check_cut(&r->check);
        viewing_look(&r->viewing);
        return;
    case DAY_CHECK_END:
        day_check_stop(&r->check);
        look_soon(r); /* a stick may have come meanwhile */
        return;
    case DAY_RUN:
    case DAY_PASS_OVER:
    case DAY_TAKE_UP:
    case DAY_SETTLE:
    case DAY_PRACTISE:
    case DAY_SURVEY:
    case DAY_LEAVE:
        stop_board(r, act);
        return;
    }
}

static bool on_key(void *ctx, enum input_what what, uint32_t point)
{
    struct day_run *r = ctx;
    do_act(r, day_key(&r->day, what, point, !r->options->kiosk, bl_mono_us()));
    return true; /* the screen has no use for the board's keys */
}

/* Reads the stick soon, after a possible change. */
static void look_soon(void *ctx)
{
    struct day_run *r = ctx;
    r->stick_us = bl_mono_us() + SETTLE_US;
    if (stick_is_in(r->options->tickets))
        r->day.stick = DAY_STICK_BUSY;
    viewing_look(&r->viewing);
}

/* The courier has written its number, or other tickets of the desk. */
static void on_courier(void *ctx)
{
    struct day_run *r = ctx;
    if (stick_mark(r->desk) != r->desk_mark)
        look_soon(r);
    else
        viewing_look(&r->viewing);
}

static enum bl_status begin_board(void *ctx, uv_loop_t *loop, struct bl_diag *diag)
{
    struct day_run *r = ctx;
    (void)diag;
    day_shown(&r->day, bl_mono_us());
    count_records(r); /* a session may have been held without the stick */
    r->blind = false; /* the first look reads the stick, and watches anew */
    stick_place_open(&r->stick_place, loop, r->options->tickets, look_soon, r);
    courier_word_open(&r->courier, loop, r->options->courier, on_courier, r);
    r->stick_us = bl_mono_us();
    if (stick_is_in(r->options->tickets)) {
        r->day.stick = DAY_STICK_BUSY;
        r->stick_us += SETTLE_US;
    }
    r->retry_us =
        r->day.stage == DAY_FAILED ? bl_mono_us() + day_retry_ms(&r->day) * 1000ull : BL_NEVER;
    return BL_OK;
}

static void end_board(void *ctx)
{
    struct day_run *r = ctx;
    day_check_stop(&r->check);
    stick_place_close(&r->stick_place);
    courier_word_close(&r->courier);
}

/* True if the stick has come or gone since it was last read, or is another one. */
static bool stick_differs(const struct day_run *r)
{
    return stick_is_in(r->options->tickets) != (r->day.stick != DAY_STICK_OUT) ||
           stick_mark(r->options->tickets) != r->stick_mark;
}

/* Reads the stick and the desk's tickets. Sets the time of the next look. */
static void look_at_stick(struct day_run *r)
{
    r->stick_us = BL_NEVER;
    if (!r->blind || r->day.stick == DAY_STICK_BUSY || stick_differs(r)) {
        r->stick_mark = stick_mark(r->options->tickets);
        read_stick(r);
    }
    read_desk(r);
    r->blind = !stick_place_watch(&r->stick_place);
    if (r->blind)
        r->stick_us = bl_mono_us() + BLIND_US;
    /* No event tells of a change during the reading, since a new watch drops pending events. */
    if (stick_differs(r))
        r->stick_us = bl_mono_us() + SETTLE_US;
}

static uint64_t look(void *ctx, struct screen_model *model, uint64_t now_us)
{
    struct day_run *r = ctx;
    if (now_us >= r->stick_us) {
        bool idle =
            (r->day.stage == DAY_IDLE || r->day.stage == DAY_WAITS) && r->day.asks != DAY_CHECKS;
        look_at_stick(r);
        if (idle && day_next(&r->day) == DAY_RUN)
            r->retry_us = now_us; /* a session that was begun goes on */
    }
    if (now_us >= r->retry_us && !r->day.asks) {
        r->retry_us = BL_NEVER;
        r->day.stage = DAY_RUNS;
        stop_board(r, DAY_RUN);
    }
    r->day.waiting = courier_word_read(r->options->courier);
    day_board(&r->day, !r->options->kiosk, &r->board);
    *model = (struct screen_model){.board = &r->board, .remaining_us = UINT64_MAX};
    return r->stick_us < r->retry_us || r->day.asks ? r->stick_us : r->retry_us;
}

/* Writes the option --screen for a terminal that inherits the listening socket as descriptor fd. */
static void screen_text(const struct day_run *r, int fd, char text[sizeof r->web])
{
    if (r->listening < 0)
        snprintf(text, sizeof r->web, "console");
    else
        snprintf(text, sizeof r->web, "web#%d@%s", fd, r->url);
}

static enum bl_status show_board(struct day_run *r, struct bl_diag *diag)
{
    static const struct viewing_callbacks callbacks = {
        .first = on_key, .begin = begin_board, .look = look, .end = end_board};
    r->act = DAY_LEAVE; /* as on a signal or the terminal's end */
    memset(&r->viewing, 0, sizeof r->viewing);
    char screen[sizeof r->web];
    screen_text(r, r->listening, screen);
    const struct screens_options which = {
        .screen = screen, .dir = r->options->journal_dir, .name = "booth"};
    return viewing_run(&r->viewing, &which, r->options->kiosk, r->options->small, &callbacks, r,
                       diag);
}

static void on_ended(uv_process_t *process, int64_t code, int number)
{
    struct day_run *r = process->data;
    r->child_code = number ? 128 + number : code;
    uv_close((uv_handle_t *)process, NULL);
    uv_stop(&r->loop);
}

static void on_stop(void *ctx)
{
    struct day_run *r = ctx;
    r->stopped = true;
    uv_process_kill(&r->child, SIGTERM);
}

/* Reads the last complaint of a session's terminal. */
static void read_complaint(const char *path, char why[DAY_TEXT])
{
    char *text = NULL;
    size_t length = 0;
    file_read(&text, &length, path, COMPLAINTS_MOST, "complaints", NULL);
    while (length > 0 && text[length - 1] == '\n')
        text[--length] = '\0';
    const char *line = length > 0 ? strrchr(text, '\n') : say_its_program_ended;
    snprintf(why, DAY_TEXT, "%s", line ? line + 1 : text);
    free(text);
}

static enum bl_status spawn(struct day_run *r, char *const args[], const char *complaints,
                            struct bl_diag *diag)
{
    char path[PATH_MAX];
    size_t length = sizeof path;
    int fd = open(complaints, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || uv_exepath(path, &length))
        return bl_fail(diag, BL_IO, "%s: %s", complaints, strerror(errno));
    uv_stdio_container_t stdio[] = {{.flags = UV_INHERIT_FD, .data.fd = STDIN_FILENO},
                                    {.flags = UV_INHERIT_FD, .data.fd = STDOUT_FILENO},
                                    {.flags = UV_INHERIT_FD, .data.fd = fd},
                                    {.flags = UV_INHERIT_FD, .data.fd = r->listening}};
    const int count = HANDED_FD + (r->listening >= 0);
    const uv_process_options_t options = {.exit_cb = on_ended,
                                          .file = path,
                                          .args = (char **)args,
                                          .stdio_count = count,
                                          .stdio = stdio};
    r->child.data = r;
    int error = uv_spawn(&r->loop, &r->child, &options);
    close(fd);
    return error ? bl_fail(diag, BL_IO, say_fail_the_session_terminal_cannot_be_started,
                           uv_strerror(error))
                 : BL_OK;
}

#define ARGS_MOST (VOTE_RANKS_MAX + 20)

struct day_args {
    char *arg[ARGS_MOST];
    unsigned count;
    char path[VOTE_RANKS_MAX][PATH_MAX]; /* paths of journals */
    unsigned paths;
};

static void add_arg(struct day_args *args, const char *arg)
{
    if (args->count + 1 < ARGS_MOST)
        args->arg[args->count++] = (char *)arg;
    args->arg[args->count] = NULL;
}

/* Adds an option and its value; with NULL, adds neither. */
static void add_option(struct day_args *args, const char *name, const char *value)
{
    if (!value)
        return;
    add_arg(args, name);
    add_arg(args, value);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Adds the paths of all journals in the judge's folder, for ranks. */
static void add_ranked(struct day_args *args, const char *folder)
{
    struct dirent *found;
    DIR *dir = opendir(folder);
    while (dir && (found = readdir(dir)) && args->paths < VOTE_RANKS_MAX) {
        if (!name_ends(found->d_name, "-judge.journal"))
            continue;
        int used = snprintf(args->path[args->paths], PATH_MAX, "%s/%s", folder, found->d_name);
        args->paths += used < PATH_MAX;
    }
    if (dir)
        closedir(dir);
    qsort(args->path, args->paths, PATH_MAX, by_name);
    for (unsigned i = 0; i < args->paths; i++)
        add_arg(args, args->path[i]);
}

static enum bl_status run_terminal(struct day_run *r, struct day_args *args, char why[DAY_TEXT],
                                   struct bl_diag *diag)
{
    char complaints[PATH_MAX + 16];
    struct booth_signals signals;
    snprintf(complaints, sizeof complaints, "%s/complaints", r->records);
    if (r->options->kiosk)
        add_arg(args, "--kiosk");
    if (r->options->small)
        add_arg(args, "--small");
    if (r->listening >= 0) {
        screen_text(r, HANDED_FD, r->web);
        add_option(args, "--screen", r->web);
    }
    if (uv_loop_init(&r->loop))
        return bl_fail(diag, BL_IO, say_fail_the_event_loop_cannot_be_made);
    enum bl_status status = spawn(r, args->arg, complaints, diag);
    if (!status) {
        booth_signals_open(&signals, &r->loop, on_stop, r);
        uv_run(&r->loop, UV_RUN_DEFAULT);
        for (unsigned i = 0; i < 3; i++)
            uv_close((uv_handle_t *)&signals.handle[i], NULL);
    }
    uv_run(&r->loop, UV_RUN_DEFAULT);
    uv_loop_close(&r->loop);
    if (!status)
        read_complaint(complaints, why);
    return status;
}

/* Copies given ranks to the records, for the courier. After a failure the stick still takes
 * them. */
static void keep_ranks(const struct day_run *r, const struct day_ticket *ticket)
{
    char ballot[SESSION_ID_MAX + 16];
    snprintf(ballot, sizeof ballot, "%s-judge.ballot", ticket->session);
    if (state_of_ranks(r, ticket) == DAY_OVER)
        stick_keep_ranks(r->records, ticket->ranks - 1, ballot, NULL);
}

static enum bl_status run_session(struct day_run *r, struct bl_diag *diag)
{
    char path[sizeof r->own + DAY_FILE];
    const struct day_ticket *ticket = &r->day.ticket[r->day.at];
    char why[DAY_TEXT];
    struct day_args *args = calloc(1, sizeof *args);
    uint64_t began_us = bl_mono_us();
    if (!args)
        return bl_fail(diag, BL_NOMEM, say_fail_no_memory);
    add_arg(args, "boothlink");
    add_arg(args, r->day.place.machine == MACHINE_JUDGE ? "judge" : "entity");
    if (ticket->ranks) {
        snprintf(path, sizeof path, "%s/%s", r->records, ticket->file);
        add_arg(args, "--rank");
        add_ranked(args, path);
        add_arg(args, "--session");
        add_arg(args, ticket->session);
    } else {
        snprintf(path, sizeof path, "%s/%s", r->own, ticket->file);
        add_arg(args, "--ticket");
        add_arg(args, path);
        add_arg(args, "--journal");
        add_arg(args, r->records);
        add_arg(args, "--day");
    }
    if (r->day.place.machine == MACHINE_JUDGE) {
        add_option(args, "--machine-key", r->key);
    } else {
        add_option(args, "--folder", r->options->folder);
        add_option(args, "--entries", r->options->entries);
        add_option(args, "--keeper", r->options->keeper);
    }
    enum bl_status status = run_terminal(r, args, why, diag);
    free(args);
    if (status)
        return status;
    if (ticket->ranks)
        keep_ranks(r, ticket);
    const struct day_outcome end = {.state = ticket->ranks ? state_of_ranks(r, ticket)
                                                           : state_of(r, ticket->session),
                                    .code = (int)r->child_code,
                                    .ran_us = bl_mono_us() - began_us,
                                    .why = why};
    r->act = day_ended(&r->day, &end);
    return BL_OK;
}

/* Runs the judge's practice, in a folder that is removed afterwards. */
static enum bl_status practise(struct day_run *r, struct bl_diag *diag)
{
    char folder[PATH_MAX + 16], why[DAY_TEXT];
    const bool pair = r->day.count && r->day.ticket[0].pair;
    struct day_args *args = calloc(1, sizeof *args);
    if (!args)
        return bl_fail(diag, BL_NOMEM, say_fail_no_memory);
    snprintf(folder, sizeof folder, "%s/" JUDGE_PRACTICE, r->records);
    stick_remove_folder(folder); /* left by a machine that was switched off */
    static const char *const words[] = {"boothlink", "judge",    "--left",   JUDGE_PRACTICE,
                                        "--session", "practice", "--starts", "judge",
                                        "--begin",   "ready",    "--day",    "--plan"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        add_arg(args, words[i]);
    add_arg(args, pair ? "150 left,150 right" : "300 left");
    if (pair)
        add_option(args, "--right", JUDGE_PRACTICE);
    add_arg(args, "--journal");
    add_arg(args, folder);
    enum bl_status status = run_terminal(r, args, why, diag);
    stick_remove_folder(folder);
    free(args);
    return status;
}

/* Shows the survey's page that is due. A fault of the page delays no session. False: the day
 * ends. */
static bool survey(struct day_run *r)
{
    enum ruleset_survey_page page;
    struct day_ticket *due = day_survey(&r->day, &page);
    char path[sizeof r->own + DAY_FILE], rules[PATH_MAX], screen[sizeof r->web];
    struct ticket *ticket = malloc(sizeof *ticket);
    struct bl_diag why = {""};
    bool left = true;
    if (!due || !ticket) {
        free(ticket);
        return true;
    }
    snprintf(path, sizeof path, "%s/%s", r->own, due->file);
    screen_text(r, r->listening, screen);
    enum bl_status status =
        ticket_load(ticket, path, r->day.place.machine == MACHINE_JUDGE ? "judge" : "entity", &why);
    if (!status) {
        ticket_ruleset(ticket, path, rules, sizeof rules);
        const struct surveying_options options = {
            .ruleset = rules,
            .contest = ticket->contest,
            .whose = due->survey[page].whose,
            .page = page,
            .records = r->records,
            .screens = {.screen = screen, .dir = r->options->journal_dir, .name = "booth"},
            .kiosk = r->options->kiosk,
            .small = r->options->small};
        status = surveying_run(&options, &left, &why);
    }
    due->survey[page].put_off = true;
    if (!was_put_off(r, due->survey[page].whose, page))
        surveying_name(due->survey[page].whose, page, r->put_off[r->put_offs++ % PUT_OFF]);
    due->survey[page].given = surveying_given(r->records, due->survey[page].whose, page);
    count_records(r);
    r->day.page_why[0] = '\0';
    if (status)
        snprintf(r->day.page_why, sizeof r->day.page_why, say_the_page_cannot_be_shown, why.text);
    free(ticket);
    return left;
}

/* Marks a session as declared over here, or removes the mark. */
static void close_session(struct day_run *r, bool over)
{
    char path[MARK_PATH];
    mark_path(r, r->day.ticket[r->day.asked].session, STICK_OVER, path);
    if (over)
        file_write(path, "", 0, NULL);
    else
        unlink(path);
}

/* Reads the machine's key; the first start makes it. After a failure the first session tells the
 * reason. */
static void make_key(struct day_run *r)
{
    struct ballot_signer signer;
    snprintf(r->key, sizeof r->key, "%s/machine.key", r->records);
    if (machine_key_open(&signer, r->key, NULL) == BL_OK) {
        machine_key_words(signer.key, r->words);
        r->day.words = r->words;
    }
    machine_key_wipe(&signer);
}

enum bl_status day_again(const struct day_options *options, struct bl_diag *diag)
{
    struct booth_options booth = {.journal_dir = options->journal_dir};
    struct day_run *r = calloc(1, sizeof *r);
    char path[MARK_PATH];
    enum bl_status status = r ? booth_journal_dir(&booth, r->records, diag)
                              : bl_fail(diag, BL_NOMEM, say_fail_no_memory);
    if (!status)
        status = booth_session_check(options->again, diag);
    if (!status) {
        mark_path(r, options->again, STICK_OVER, path);
        if (unlink(path) && errno == ENOENT)
            status =
                bl_fail(diag, BL_NOINPUT, say_fail_nobody_said_here_that_it_is, options->again);
        else if (access(path, F_OK) == 0)
            status = file_fail(diag, path);
    }
    free(r);
    return status;
}

enum bl_status day_run(const struct day_options *options, struct bl_diag *diag)
{
    struct booth_options booth = {.journal_dir = options->journal_dir};
    struct day_run *r = calloc(1, sizeof *r);
    if (!r)
        return bl_fail(diag, BL_NOMEM, say_fail_no_memory);
    r->options = options;
    r->listening = -1;
    desk_stick_path(options->courier, r->desk);
    enum bl_status status = booth_journal_dir(&booth, r->records, diag);
    const struct screens_options which = {
        .screen = options->screen, .dir = options->journal_dir, .name = "booth"};
    if (!status)
        status = screens_listen(&r->listening, &which, r->url, diag);
    if (!status)
        status = load_place(r, diag);
    if (!status)
        status = contest_records_settle(r->records, diag);
    if (!status)
        make_key(r);
    find_tickets(r);
    r->act = day_next(&r->day);
    while (!status && !r->stopped && r->act != DAY_LEAVE) {
        if (r->act == DAY_RUN) {
            status = run_session(r, diag);
            continue;
        }
        if (r->act == DAY_SURVEY) {
            r->act = survey(r) ? day_next(&r->day) : DAY_LEAVE;
            continue;
        }
        if (r->act == DAY_PRACTISE) {
            status = practise(r, diag);
            find_tickets(r);
            r->act = day_next(&r->day);
            continue;
        }
        status = show_board(r, diag);
        if (r->act == DAY_SETTLE)
            keep_place(r);
        if (r->act == DAY_PASS_OVER || r->act == DAY_TAKE_UP)
            close_session(r, r->act == DAY_PASS_OVER);
        if (r->act == DAY_SETTLE || r->act == DAY_PASS_OVER || r->act == DAY_TAKE_UP) {
            find_tickets(r);
            r->act = day_next(&r->day);
        }
    }
    if (r->listening >= 0)
        close(r->listening);
    free(r);
    return status;
}
