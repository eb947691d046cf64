#include "desk/tiles_private.h"

#include "contest/draw.h"
#include "desk/next_step.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define TEXT    400
#define MISSING 20 /* lines of a tile */

/* The time passed since a moment of the machine's clock: on that clock until its last record, then
 * on ours since the record's arrival. */
static uint64_t passed_us(const struct tile_file *file, uint64_t then_us, struct bl_time now)
{
    const struct tile_session *session = file->session;
    uint64_t there = session->latest_us > then_us ? session->latest_us - then_us : 0;
    return there + (file->grown_us ? now.mono_us - file->grown_us : 0);
}

static const struct meeting *meeting_of(const struct contest *contest, const char *session)
{
    char name[CONTEST_SESSION_MAX];
    unsigned round, judge;
    for (unsigned i = 0; contest && i < contest->schedule.count; i++) {
        contest_session(contest, &contest->schedule.meeting[i], name);
        if (strcmp(name, session) == 0)
            return &contest->schedule.meeting[i];
    }
    if (!contest || sscanf(session, "r%u-j%u", &round, &judge) != 2)
        return NULL;
    for (unsigned i = 0; i < contest->schedule.count; i++) /* a spoiled session */
        if (contest->schedule.meeting[i].round + 1U == round &&
            contest->schedule.meeting[i].judge + 1U == judge)
            return &contest->schedule.meeting[i];
    return NULL;
}

static void name_person(const struct contest *contest, const struct meeting *meeting,
                        enum contest_role role, unsigned number, char out[TILE_WHO])
{
    enum contest_role of = contest_register(contest, role);
    snprintf(out, TILE_WHO, "%c%u %s", CONTEST_LETTERS[role], number + 1,
             contest_sitter_name(contest, of, contest_seat(contest, role, number, meeting)));
}

static void name_side(const struct contest *contest, const struct meeting *meeting, enum side side,
                      char out[TILE_WHO])
{
    unsigned entries = contest->people[CONTEST_ENTRY];
    unsigned candidate = contest_candidate_at(contest, meeting, side);
    if (candidate < entries)
        name_person(contest, meeting, CONTEST_ENTRY, candidate, out);
    else
        name_person(contest, meeting, CONTEST_CONFEDERATE, candidate - entries, out);
}

void tiles_name_side(const struct tiles *tiles, const char *session, enum side side,
                     char out[TILE_WHO])
{
    const struct contest *contest = tiles->contest;
    const struct meeting *meeting = meeting_of(contest, session);
    out[0] = '\0';
    if (meeting && contest->drawn)
        name_side(contest, meeting, side, out);
}

static const char *state_word(const struct tile_session *session)
{
    bool closed = false, closing = false;
    for (unsigned i = 0; i < SIDES; i++) {
        closed |= session->side[i].state >= SEGMENT_CLOSED;
        closing |= session->side[i].state == SEGMENT_CLOSING;
    }
    if (tile_session_is_over(session))
        return "over";
    if (closing)
        return "about to be cut";
    if (tile_session_is_open(session))
        return "under way";
    return closed ? "between parts" : "not begun";
}

/* Writes the time left of the open part. */
static void write_clock(const struct told *told, const struct tile_file *file)
{
    for (unsigned i = 0; i < SIDES; i++) {
        const struct tile_side *side = &file->session->side[i];
        uint64_t passed = passed_us(file, side->clock_us, told->now);
        if (side->state != SEGMENT_OPEN || side->left_us == UINT64_MAX)
            continue;
        json_field_number(told->out, "clock",
                          passed < side->left_us ? (int64_t)((side->left_us - passed) / 1000000)
                                                 : 0);
        return;
    }
}

/* True if the page may tell the entities' seats. Under `reveal` they are secret until the ballot is
 * sealed, with its session or with the contest. */
static bool tells_seats(const struct contest *contest, const struct tile_file *file,
                        const struct meeting *meeting)
{
    char session[CONTEST_SESSION_MAX];
    if (!contest->ruleset.reveal || contest->sealed)
        return true;
    contest_session(contest, meeting, session);
    return contest->ruleset.reveal == SEAL_SESSION && contest_ballot_of(contest, meeting) &&
           strcmp(session, file->session->session) == 0 && tile_session_is_over(file->session);
}

static void write_sides(const struct told *told, const struct tiles *tiles,
                        const struct tile_file *file)
{
    static const char *const names[SIDES] = {"LEFT", "RIGHT"};
    const struct meeting *meeting = meeting_of(tiles->contest, file->session->session);
    struct json_text *out = told->out;
    json_name(out, "sides");
    json_put(out, "[");
    for (enum side i = 0; i < SIDES; i++) {
        const struct tile_side *side = &file->session->side[i];
        char who[TILE_WHO];
        if (!side->present)
            continue;
        if (meeting && tiles->contest->drawn && !tells_seats(tiles->contest, file, meeting))
            snprintf(who, sizeof who, "told behind the seal");
        else
            tiles_name_side(tiles, file->session->session, i, who);
        json_comma(out);
        json_put(out, "{");
        json_field(out, "name", names[i]);
        json_field(out, "who", who);
        json_field_number(out, "judge", (int64_t)side->keys[PARTY_JUDGE]);
        json_field_number(out, "entity", (int64_t)side->keys[PARTY_ENTITY]);
        if (side->latest_us)
            json_field_number(out, "quiet",
                              (int64_t)(passed_us(file, side->latest_us, told->now) / 1000000));
        json_put(out, "}");
    }
    json_put(out, "]");
}

static unsigned count_entities(const struct tile *tile, const char *name)
{
    return !!tile_find(TILE_MACHINE(tile, MACHINE_CABLE_A), name) +
           !!tile_find(TILE_MACHINE(tile, MACHINE_CABLE_B), name);
}

static void miss(struct told *told, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds a missing record, up to MISSING, since a booth may name any number. */
static void miss(struct told *told, const char *format, ...)
{
    char text[TEXT];
    va_list list;
    if (told->missing++ >= MISSING)
        return;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    json_comma(told->out);
    json_string_of(told->out, text);
}

/* Adds the missing records of a session whose judge's journal is here and has ended. */
static void miss_of_session(struct told *told, const struct contest *contest,
                            const struct tile *tile, const struct tile_file *file)
{
    const char *session = file->session->session;
    const struct meeting *meeting = meeting_of(contest, session);
    unsigned ends = 0, there;
    char name[TILE_NAME];
    if (!tile_session_is_over(file->session))
        return;
    for (unsigned i = 0; i < SIDES; i++)
        ends += file->session->side[i].present;
    snprintf(name, sizeof name, "%s-judge.ballot", session);
    if (meeting && contest_is_missing(contest, meeting) &&
        !tile_find(TILE_MACHINE(tile, MACHINE_JUDGE), name))
        miss(told, "%s: the ballot", session);
    snprintf(name, sizeof name, "%s-entity.journal", session);
    there = count_entities(tile, name);
    if (there < ends)
        miss(told, "%s: %u of %u entities' records, which come between sessions", session,
             ends - there, ends);
}

static void write_missing(struct told *told, const struct contest *contest, const struct tile *tile)
{
    const struct tile_machine *judge = TILE_MACHINE(tile, MACHINE_JUDGE);
    json_name(told->out, "missing");
    json_put(told->out, "[");
    for (size_t i = 0; i < judge->files; i++)
        if (judge->file[i].shown && judge->file[i].session && judge->file[i].session->headed)
            miss_of_session(told, contest, tile, &judge->file[i]);
    json_put(told->out, "]");
}

/* Writes the name of a meeting's session and of its judge's journal. False: it has a ballot, or is
 * not to be held. */
static bool name_waiting(const struct tiles *tiles, unsigned i, char session[CONTEST_SESSION_MAX],
                         char journal[TILE_NAME])
{
    const struct contest *contest = tiles->contest;
    const struct meeting *meeting = &contest->schedule.meeting[i];
    contest_session(contest, meeting, session);
    snprintf(journal, TILE_NAME, "%s-judge.journal", session);
    return tiles->booth[i] != BOOTH_NONE && !contest_ballot_of(contest, meeting) &&
           !contest_excluded(contest, meeting) &&
           contest_check_meeting(contest, meeting, NULL) == BL_OK;
}

/* True if the tile has the journal, of this contest. */
static bool is_held(const struct tile *tile, const char *journal)
{
    const struct tile_file *file = tile_find(TILE_MACHINE(tile, MACHINE_JUDGE), journal);
    return file && file->session && file->session->headed;
}

/* True if any booth has the journal: a spare machine may have another's place. */
static bool has_journal(const struct tiles *tiles, const char *journal)
{
    for (unsigned i = 0; i < TILES_MOST; i++)
        if (is_held(&tiles->tile[i], journal))
            return true;
    return false;
}

void tiles_next_session(const struct tiles *tiles, unsigned confederate, char out[TILE_NEXT])
{
    const struct contest *contest = tiles->contest;
    char session[CONTEST_SESSION_MAX], journal[TILE_NAME];
    out[0] = '\0';
    for (unsigned i = 0; contest && !out[0] && i < contest->schedule.count; i++) {
        const struct meeting *meeting = &contest->schedule.meeting[i];
        const bool over =
            meeting->round + 1U < contest->begun && !contest_repeated(contest, meeting);
        if (!over &&
            schedule_confederate(meeting, contest->people[CONTEST_ENTRY]) + 1 == confederate &&
            name_waiting(tiles, i, session, journal) && !has_journal(tiles, journal))
            snprintf(out, TILE_NEXT, "%s", session);
    }
}

/* Writes the first session at the booth without a record here and without a ballot. False: none. */
static bool write_next(const struct told *told, const struct tiles *tiles, unsigned booth)
{
    const struct contest *contest = tiles->contest;
    for (unsigned i = 0; contest && i < contest->schedule.count; i++) {
        const struct meeting *meeting = &contest->schedule.meeting[i];
        char session[CONTEST_SESSION_MAX], journal[TILE_NAME], who[TILE_WHO], text[2 * TEXT];
        if (tiles->booth[i] != booth || !name_waiting(tiles, i, session, journal) ||
            is_held(&tiles->tile[booth], journal))
            continue;
        name_person(contest, meeting, CONTEST_JUDGE, meeting->judge, who);
        snprintf(text, sizeof text, "%s, %s", session, who);
        json_field(told->out, "next", text);
        return true;
    }
    return false;
}

const char *const tile_machine_names[MACHINE_CABLE_B] = {
    "the judge's machine", "the machine at cable A", "the machine at cable B"};

static int64_t count_shown(const struct tile_machine *machine)
{
    int64_t count = 0;
    for (size_t i = 0; i < machine->files; i++)
        count += machine->file[i].shown;
    return count;
}

static void write_machines(const struct told *told, const struct tile *tile)
{
    json_name(told->out, "machines");
    json_put(told->out, "[");
    for (unsigned m = 0; m < MACHINE_CABLE_B; m++) {
        const struct tile_machine *machine = &tile->machine[m];
        if (!machine->known)
            continue;
        json_comma(told->out);
        json_put(told->out, "{");
        json_field(told->out, "name", tile_machine_names[m]);
        json_field_number(told->out, "records", count_shown(machine));
        if (machine->heard)
            json_field_number(told->out, "heard",
                              (int64_t)tile_seconds_since(machine->heard_us, told->now.mono_us));
        json_put(told->out, "}");
    }
    json_put(told->out, "]");
}

static void write_session(const struct told *told, const struct tiles *tiles,
                          const struct tile_file *file)
{
    const struct meeting *meeting = meeting_of(tiles->contest, file->session->session);
    char judge[TILE_WHO] = "";
    if (meeting)
        name_person(tiles->contest, meeting, CONTEST_JUDGE, meeting->judge, judge);
    json_field(told->out, "session", file->session->session);
    json_field(told->out, "judge", judge);
    json_field(told->out, "state", state_word(file->session));
    write_clock(told, file);
    write_sides(told, tiles, file);
}

static void write_tile(const struct tiles *tiles, unsigned booth, struct bl_time now,
                       struct json_text *out)
{
    const struct tile *tile = &tiles->tile[booth];
    const struct tile_file *last = tile_last(tile);
    struct told told = {.out = out, .now = now};
    json_comma(out);
    json_put(out, "{");
    json_field_number(out, "booth", booth + 1);
    if (last)
        write_session(&told, tiles, last);
    bool next = write_next(&told, tiles, booth);
    write_machines(&told, tile);
    write_missing(&told, tiles->contest, tile);
    json_name(out, "alarms");
    json_put(out, "[");
    tile_alarms_write(&told, tiles, booth, last, next);
    json_put(out, "]");
    json_field_number(out, "grade", told.grade);
    json_put(out, "}");
}

static void write_people(const struct contest *contest, struct json_text *out)
{
    json_name(out, "people");
    json_put(out, "[");
    for (enum contest_role role = CONTEST_ENTRY; role <= CONTEST_CONFEDERATE; role++) {
        for (unsigned i = 0; i < contest->people[role]; i++) {
            const struct person *person = &contest->person[contest_register(contest, role)][i];
            char code[16];
            snprintf(code, sizeof code, "%c%u", CONTEST_LETTERS[role], i + 1);
            json_comma(out);
            json_put(out, "{");
            json_field(out, "code", code);
            json_field(out, "name", person->name);
            if (person->withdrawn)
                json_field_number(out, "gone", 1);
            if (role == CONTEST_CONFEDERATE && contest->limit[i][0])
                json_field(out, "limit", contest->limit[i]);
            json_put(out, "}");
        }
    }
    json_put(out, "]");
}

static void write_contest(const struct tiles *tiles, struct json_text *out)
{
    static char next[CONTEST_NEXT_MAX];
    const struct contest *contest = tiles->contest;
    json_field(out, "contest", contest->name);
    json_field_number(out, "begun", contest->begun);
    json_field_number(out, "rounds", contest->schedule.rounds);
    next_step(contest_next_step, contest, tiles->path, false, false, next);
    json_field(out, "next", next);
    write_people(contest, out);
}

void tiles_write(const struct tiles *tiles, struct bl_time now, struct json_text *out)
{
    if (tiles->fault[0])
        json_field(out, "fault", tiles->fault);
    if (tiles->contest)
        write_contest(tiles, out);
    json_name(out, "tiles");
    json_put(out, "[");
    for (unsigned i = 0; i < TILES_MOST; i++) {
        bool known = false;
        for (unsigned m = 0; m < MACHINE_CABLE_B; m++)
            known |= tiles->tile[i].machine[m].known;
        if (known)
            write_tile(tiles, i, now, out);
    }
    json_put(out, "]");
}
