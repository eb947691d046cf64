/* The tickets of a contest's meetings, and of its preliminary round. */
#include "contest/preliminary.h"
#include "contest/survey.h"
#include "contest/venue.h"

#include "rules/entry_network.h"
#include "rules/stick.h"
#include "rules/ticket.h"

#include <stdarg.h>
#include <stdio.h>

#define TEXT_MAX 4096

struct ticket_making {
    const struct contest *contest;
    const struct venue *venue;
    struct booths booths;
    ticket_take *take;
    void *ctx;
    struct bl_diag *diag;
    char session[CONTEST_SESSION_MAX], file[STICK_NAME_MAX]; /* of the present meeting */
    bool preliminary; /* a session without a ballot, and without the final round's plan */
    char text[TEXT_MAX];
    size_t length;
};

__attribute__((format(printf, 2, 3))) static void add(struct ticket_making *making,
                                                      const char *format, ...)
{
    va_list args;
    int length;
    va_start(args, format);
    length = vsnprintf(making->text + making->length, TEXT_MAX - making->length, format, args);
    va_end(args);
    making->length += (size_t)length;
    if (making->length >= TEXT_MAX) /* never: each part is bounded */
        making->length = TEXT_MAX - 1;
}

static void add_given(struct ticket_making *making, const char *key, const char *value)
{
    if (value[0])
        add(making, "%s = %s\n", key, value);
}

static void begin(struct ticket_making *making, const struct meeting *meeting, const char *role)
{
    making->length = 0;
    char id[CONTEST_ID];
    contest_id_write(making->contest->created_us, id);
    add(making, "[ticket]\nformat = 1\nrole = %s\nsession = %s\nround = %u\ncontest = %s\n", role,
        making->session, meeting->round + 1U, id);
}

static void ticket_path(const struct ticket_making *making, char path[STICK_PATH_MAX],
                        unsigned booth, enum place_machine machine)
{
    const struct place of = {.booth = (int)booth + 1, .machine = machine};
    char place[PLACE_NAME];
    place_name(&of, place);
    snprintf(path, STICK_PATH_MAX, "%s/" STICK_FOLDER "/%s/%s",
             stick_rooms[machine == MACHINE_JUDGE ? STICK_JUDGES : STICK_BACK], place,
             making->file);
}

static void add_line(struct ticket_making *making, const char *section, const char *port,
                     const char *key_file)
{
    add(making, "\n[%s]\nport = %s\n", section, port);
    add_given(making, "key", key_file);
}

/* An end's own key file; if `contest setup` makes the line's secret, the file beside the ticket. */
static const char *key_file_of(const struct ticket_making *making, const struct venue_booth *at,
                               unsigned cable, const char *own, const char *beside)
{
    return own[0] || !venue_makes_secret(making->venue, at, cable) ? own : beside;
}

/* The cable's letter, for `check` to find swapped cables. */
static void add_cable(struct ticket_making *making, unsigned cable)
{
    add(making, "cable = %s\n", cable ? "b" : "a");
}

/* Adds a side of the judge's ticket, with its drawn cable. */
static void add_side(struct ticket_making *making, const char *section,
                     const struct venue_booth *at, unsigned cable)
{
    add_line(making, section, at->judge[cable],
             key_file_of(making, at, cable, at->judge_key_file[cable],
                         cable ? "line-b.key" : "line-a.key"));
    add_cable(making, cable);
}

static void add_entity_line(struct ticket_making *making, const struct venue_booth *at,
                            unsigned cable)
{
    add_line(making, "line", at->entity[cable],
             key_file_of(making, at, cable, at->entity_key_file[cable], "line.key"));
    add_cable(making, cable);
    if (at->controller[0])
        add(making, "controller = yes\n");
}

static void add_referee(struct ticket_making *making, const struct venue_booth *at)
{
    const char *key = at->referee_key[0]                    ? at->referee_key
                      : making->venue->referee == VENUE_YES ? "referee.pub"
                                                            : "";
    if (key[0])
        add(making, "\n[referee]\nkey = %s\n", key);
}

/* Adds the pace of an entity's keys, the same in every ticket. If any Entry's prompts are dropped,
 * every key waits as long as the prompt filter may hold one. */
static void add_pace(struct ticket_making *making)
{
    const struct venue *venue = making->venue;
    int hold = venue->hold;
    for (unsigned i = 0; i < making->contest->people[CONTEST_ENTRY]; i++)
        if (venue->entry[i].strip_prompt[0] && hold < PACE_PROMPT_HOLD_MS)
            hold = PACE_PROMPT_HOLD_MS;
    if (!venue->pace[0] && making->contest->ruleset.answer_least)
        add(making, "pace = message after %d\n", making->contest->ruleset.answer_least * 1000);
    add_given(making, "pace", venue->pace);
    if (hold)
        add(making, "hold = %d\n", hold);
}

enum bl_status venue_check_pace(const struct venue *venue, const struct ruleset *rules,
                                struct bl_diag *diag)
{
    struct pace_config pace = {0};
    if (!venue->pace[0] || pace_parse(&pace, venue->pace, NULL) != BL_OK)
        return BL_OK;
    if (pace.mode == PACE_MESSAGE && rules->pace == RULESET_PACE_KEYS)
        return bl_fail(diag, BL_DATA,
                       "the venue's pace is '%s', and these rules want each key as it is typed "
                       "(%s): expected 'keys' and its milliseconds",
                       venue->pace, ruleset_rule(rules, "session", "pace", 0).text);
    if (rules->answer_least &&
        (pace.mode != PACE_MESSAGE || pace.after_us < (uint32_t)rules->answer_least * 1000000u))
        return bl_fail(diag, BL_DATA,
                       "the venue's pace is '%s', and these rules want %d s before an answer (%s): "
                       "expected 'message after %d' or more",
                       venue->pace, rules->answer_least,
                       ruleset_rule(rules, "session", "answer-least", 0).text,
                       rules->answer_least * 1000);
    return BL_OK;
}

#define KIND_FROM program

/* Checks the address of the Entry's server against the networks that rules and venue allow. */
static enum bl_status check_network(const struct venue *venue, const struct ruleset *rules,
                                    unsigned entry, struct bl_diag *diag)
{
    const struct venue_program *program = &venue->entry[entry];
    const char *const given[] = {KIND_WORDS(KIND_TEXT_OF)};
    bool by_rules = rules->entry_network &&
                    (!venue->entry_network || rules->entry_network <= venue->entry_network);
    int word = by_rules ? rules->entry_network : venue->entry_network;
    enum kind_id id;
    struct bl_diag other;
    if (!word || !kind_is_given(given) || kind_find(&id, given, false, KIND_AS_FIELDS, &other) ||
        entry_kinds[id].reach != KIND_REACHES_SERVER)
        return BL_OK; /* faults in these words are reported elsewhere */
    const char *address = given[entry_kinds[id].word];
    int needed = (int)entry_network_of(address);
    if (needed && needed <= word)
        return BL_OK;
    return bl_fail(diag, BL_DATA,
                   "the venue's [machines] entry%u.%s = %.100s: entry-network is %s (%s): expected "
                   "unix:PATH, an address of 127.0.0.1%s",
                   entry + 1, entry_kinds[id].own, address, entry_network_words[word - 1],
                   by_rules ? ruleset_rule(rules, "session", "entry-network", 0).text : "the venue",
                   word == ENTRY_NETWORK_SITE ? " or a number of the site's own network" : "");
}

enum bl_status venue_check_entry(const struct venue *venue, const struct ruleset *rules,
                                 unsigned entry, struct bl_diag *diag)
{
    const struct venue_program *program = &venue->entry[entry];
    char why[RULESET_RULE_MAX + 64];
    snprintf(why, sizeof why, "these rules have one page style for all (%s)",
             ruleset_rule(rules, "session", "one-style", 0).text);
    if (program->style[0] && (rules->one_style == WORD_YES || rules->pairing == PAIRING_SINGLE))
        return bl_fail(diag, BL_DATA, "the venue's [machines] entry%u.style: %s", entry + 1,
                       rules->one_style == WORD_YES
                           ? why
                           : "where entities are met singly its own style would give it away");
    if (program->comms[0] && rules->pairing == PAIRING_PAIRS && rules->comms != WORD_YES)
        return bl_fail(diag, BL_DATA,
                       "the venue's [machines] entry%u.comms: the rules of %s know no "
                       "communications programs",
                       entry + 1, rules->name);
    return check_network(venue, rules, entry, diag);
}

static void add_typing(struct ticket_making *making)
{
    int characters = making->contest->ruleset.characters;
    if (characters > CHARACTERS_ANY)
        add(making, "characters = %s\n", characters_words[characters - 1]);
    if (making->contest->ruleset.message_most)
        add(making, "message-most = %d\n", making->contest->ruleset.message_most);
}

static void add_turns(struct ticket_making *making)
{
    const struct ruleset *rules = &making->contest->ruleset;
    if (rules->turns == TURNS_STRICT)
        add(making, "turns = strict\n");
    if (rules->turn_seconds)
        add(making, "turn-seconds = %d\n", rules->turn_seconds);
}

static void add_rules(struct ticket_making *making)
{
    const struct ruleset *rules = &making->contest->ruleset;
    add(making, "\n[rules]\n");
    if (!making->preliminary) {
        add(making, "ruleset = %s\n", rules->name);
        add_given(making, "plan", rules->plan);
    }
    add_given(making, "starts", rules->starts);
    add_typing(making);
    add_turns(making);
}

/* Parses the ticket like the machine, and passes it on. */
static enum bl_status give(struct ticket_making *making, const char *path)
{
    struct ticket ticket;
    enum bl_status status = ticket_parse(&ticket, making->text, path, making->diag);
    return status == BL_OK ? making->take(making->ctx, path, making->text, making->diag) : status;
}

static enum bl_status check_port(struct ticket_making *making, unsigned booth, unsigned cable)
{
    static const char *const letter[] = {"a", "b"};
    const struct venue_booth *at = &making->venue->booth[booth];
    if (at->judge[cable][0] && at->entity[cable][0])
        return BL_OK;
    return bl_fail(making->diag, BL_DATA, "the venue's [machines] booth%u.%s-%s is missing",
                   booth + 1, at->judge[cable][0] ? "entity" : "judge", letter[cable]);
}

/* Adds the page's style: the Entry's own if the rules allow it; otherwise the ruleset's. */
static enum bl_status add_style(struct ticket_making *making, const struct meeting *meeting)
{
    const struct ruleset *rules = &making->contest->ruleset;
    const char *own = meeting->entry < making->contest->people[CONTEST_ENTRY]
                          ? making->venue->entry[meeting->entry].style
                          : "";
    const char *style = own[0] ? own : rules->style;
    enum bl_status status =
        own[0] ? venue_check_entry(making->venue, rules, meeting->entry, making->diag) : BL_OK;
    if (status == BL_OK && style[0])
        add(making, "\n[page]\nstyle = %s\n", style);
    return status;
}

static bool cable_of_entry(const struct ticket_making *making, const struct meeting *meeting,
                           unsigned booth)
{
    return meeting->confederate != PERSON_NOBODY &&
           booth_entry_on_b(making->contest, booth, meeting->round,
                            venue_either(making->venue, booth));
}

/* Adds the pages of the rules' survey at a person's first or last session. */
static void add_survey(struct ticket_making *making, enum contest_role role, unsigned number,
                       const struct meeting *meeting)
{
    char whose[SURVEY_PAGES][TICKET_SURVEY_MAX];
    if (making->preliminary)
        return;
    for (unsigned page = 0; page < SURVEY_PAGES; page++)
        survey_due(making->contest, role, number, meeting, page, whose[page]);
    if (!whose[SURVEY_BEFORE][0] && !whose[SURVEY_AFTER][0])
        return;
    add(making, "\n[survey]\n");
    for (unsigned page = 0; page < SURVEY_PAGES; page++)
        add_given(making, survey_words[page], whose[page]);
}

static enum bl_status give_judge(struct ticket_making *making, const struct meeting *meeting,
                                 unsigned booth, bool pair)
{
    const struct venue_booth *at = &making->venue->booth[booth];
    bool entry_on_b = cable_of_entry(making, meeting, booth);
    bool left_is_b = pair && contest_entry_left(making->contest, meeting) == entry_on_b;
    char path[STICK_PATH_MAX];
    begin(making, meeting, "judge");
    add_side(making, "line.left", at, left_is_b);
    if (pair)
        add_side(making, "line.right", at, !left_is_b);
    add_referee(making, at);
    if (at->controller[0])
        add(making, "\n[controller]\nport = %s\n", at->controller);
    add_rules(making);
    if (making->venue->begin)
        add(making, "begin = %s\n", ticket_begins[making->venue->begin - 1]);
    if (add_style(making, meeting))
        return BL_DATA;
    add_survey(making, CONTEST_JUDGE, meeting->judge, meeting);
    ticket_path(making, path, booth, MACHINE_JUDGE);
    return give(making, path);
}

static enum bl_status give_entry(struct ticket_making *making, const struct meeting *meeting,
                                 unsigned booth, unsigned cable)
{
    const struct venue_booth *at = &making->venue->booth[booth];
    const struct venue_program *program = &making->venue->entry[meeting->entry];
    char path[STICK_PATH_MAX];
    char missing[VENUE_MISSING_MAX];
    venue_missing(meeting->entry, missing);
    if (!venue_starts(program))
        return bl_fail(making->diag, BL_DATA, "the venue's [machines] %s", missing);
    enum bl_status status =
        check_network(making->venue, &making->contest->ruleset, meeting->entry, making->diag);
    if (status)
        return status;
    begin(making, meeting, "entity");
    add_entity_line(making, at, cable);
    add_rules(making);
    add(making, "\n[entity]\n");
#define WORD(id, name, value, help) add_given(making, name, program->id);
    KIND_WORDS(WORD)
#undef WORD
    add_given(making, "folder", program->folder);
    add_given(making, "entry", program->entry);
    add_given(making, "turn-end", program->turn_end);
    add_given(making, "program-io", program->program_io);
    add_given(making, "strip-prompt", program->strip_prompt);
    add_pace(making);
    ticket_path(making, path, booth, cable ? MACHINE_CABLE_B : MACHINE_CABLE_A);
    return give(making, path);
}

/* Adds the communications program of the pair's Entry, for the confederate. The program runs in a
 * copy of the handed-in folder (2004 A14). */
static enum bl_status add_comms(struct ticket_making *making, const struct meeting *meeting)
{
    const struct venue_program *program = &making->venue->entry[meeting->entry];
    enum bl_status status;
    if (meeting->confederate == PERSON_NOBODY || !program->comms[0])
        return BL_OK;
    status =
        venue_check_entry(making->venue, &making->contest->ruleset, meeting->entry, making->diag);
    if (status != BL_OK)
        return status;
    add(making, "comms = %s\n", program->comms);
    add_given(making, "folder", program->folder);
    add_given(making, "entry", program->entry);
    add_given(making, "turn-end", program->comms_turn_end);
    return BL_OK;
}

static enum bl_status give_confederate(struct ticket_making *making, const struct meeting *meeting,
                                       unsigned booth, unsigned cable)
{
    const struct venue_booth *at = &making->venue->booth[booth];
    char path[STICK_PATH_MAX];
    begin(making, meeting, "entity");
    add_entity_line(making, at, cable);
    add_rules(making);
    add(making, "\n[entity]\nkeyboard = yes\n");
    if (add_comms(making, meeting))
        return BL_DATA;
    add_pace(making);
    unsigned number = schedule_confederate(meeting, making->contest->people[CONTEST_ENTRY]);
    add_given(making, "limit", making->contest->limit[number]);
    add_survey(making, CONTEST_CONFEDERATE, number, meeting);
    ticket_path(making, path, booth, cable ? MACHINE_CABLE_B : MACHINE_CABLE_A);
    return give(making, path);
}

/* Gives the tickets of a meeting's session; `further`: of its further session. */
static enum bl_status give_meeting(struct ticket_making *making, const struct meeting *meeting,
                                   bool further)
{
    bool pair = meeting->confederate != PERSON_NOBODY;
    const struct contest *contest = making->contest;
    enum bl_status status = booths_draw(&making->booths, contest,
                                        contest_trial_of(contest, meeting->round), making->diag);
    if (status != BL_OK)
        return status;
    unsigned booth = booth_of_meeting(contest, &making->booths, meeting);
    unsigned cable = cable_of_entry(making, meeting, booth);
    (further ? contest_further_session : contest_session)(contest, meeting, making->session);
    stick_ticket(meeting->round, contest_repeated(contest, meeting) + further, making->file);
    if (meeting->round >= contest->begun)
        status = contest_check_round(contest, meeting->round, making->diag);
    if (status == BL_OK)
        status = check_port(making, booth, 0);
    if (status == BL_OK && pair)
        status = check_port(making, booth, 1);
    if (status == BL_OK)
        status = give_judge(making, meeting, booth, pair);
    if (status != BL_OK)
        return status;
    if (!pair)
        return meeting->entry < making->contest->people[CONTEST_ENTRY]
                   ? give_entry(making, meeting, booth, 0)
                   : give_confederate(making, meeting, booth, 0);
    status = give_entry(making, meeting, booth, cable);
    return status == BL_OK ? give_confederate(making, meeting, booth, !cable) : status;
}

/* *wanted: the meeting needs a ticket. In a begun round it needs none if a person is gone. BL_DATA:
 * a person is gone, and the session is to be held again. */
static enum bl_status has_ticket(const struct contest *contest, const struct meeting *meeting,
                                 unsigned first, bool *wanted, struct bl_diag *diag)
{
    bool repeat = contest_is_to_repeat(contest, meeting);
    struct bl_diag why;
    char session[CONTEST_SESSION_MAX];
    *wanted = repeat || meeting->round >= first;
    if (!*wanted || meeting->round >= contest->begun ||
        contest_check_meeting(contest, meeting, &why) == BL_OK)
        return BL_OK;
    *wanted = false;
    contest_session(contest, meeting, session);
    return repeat ? bl_fail(diag, BL_DATA, "session %s is to be held again: %s", session, why.text)
                  : BL_OK;
}

/* True if a further session is to come and nobody is gone. */
static bool has_further_ticket(const struct contest *contest, const struct meeting *meeting)
{
    char session[CONTEST_SESSION_MAX];
    return contest_has_further(contest, meeting) && contest_waits_again(contest, meeting, session);
}

enum bl_status tickets_write(const struct contest *contest, const struct venue *venue,
                             unsigned first, ticket_take *take, void *ctx, struct bl_diag *diag)
{
    struct ticket_making making = {
        .contest = contest, .venue = venue, .take = take, .ctx = ctx, .diag = diag};
    enum bl_status status = venue_check_pace(venue, &contest->ruleset, diag);
    if (status == BL_OK)
        status = booths_draw(&making.booths, contest, 0, diag);
    for (unsigned i = 0; i < contest->schedule.count && status == BL_OK; i++) {
        const struct meeting *meeting = &contest->schedule.meeting[i];
        bool wanted;
        status = has_ticket(contest, meeting, first, &wanted, diag);
        if (status == BL_OK && wanted)
            status = give_meeting(&making, meeting, false);
        if (status == BL_OK && has_further_ticket(contest, meeting))
            status = give_meeting(&making, meeting, true);
    }
    return status;
}

/* A judge stays at a booth, and the judge's Entries come there, to cable A. Several judges of one
 * booth take turns. */
enum bl_status tickets_write_preliminary(const struct contest *contest, const struct venue *venue,
                                         unsigned time, ticket_take *take, void *ctx,
                                         struct bl_diag *diag)
{
    struct ticket_making making = {.contest = contest,
                                   .venue = venue,
                                   .take = take,
                                   .ctx = ctx,
                                   .diag = diag,
                                   .preliminary = true};
    struct preliminary round = {.count = 0};
    enum bl_status status = venue_check_pace(venue, &contest->ruleset, diag);
    if (status == BL_OK)
        status = preliminary_make(&round, contest, diag);
    if (status == BL_OK)
        status = preliminary_seat(&round, venue, diag);
    for (unsigned i = 0; i < round.count && status == BL_OK; i++) {
        const struct preliminary_session *session = &round.session[i];
        const struct meeting meeting = {.round = session->order,
                                        .judge = session->judge,
                                        .entry = session->entry,
                                        .confederate = PERSON_NOBODY};
        preliminary_name(&round, session, time, making.session);
        stick_ticket(session->order, time - 1, making.file);
        status = give_judge(&making, &meeting, session->booth, false);
        if (status == BL_OK)
            status = give_entry(&making, &meeting, session->booth, 0);
    }
    return status;
}
