/* Oracles of each day, whatever happens: DESIGN.md, "Session". */
#include "day_desk.h"

#include "journal/journal.h"
#include "journal/order.h"
#include "rules/stick.h"
#include "session/page.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

void day_wrong(struct day *day, const char *oracle, const char *format, ...)
{
    va_list args;
    if (day->wrong[0])
        return;
    int n = snprintf(day->wrong, sizeof day->wrong, "%s: ", oracle);
    va_start(args, format);
    vsnprintf(day->wrong + n, sizeof day->wrong - (size_t)n, format, args);
    va_end(args);
    for (char *at = day->wrong; *at; at++)
        if (*at == '\n')
            *at = ' ';
    world_log("ORACLE", "%s", day->wrong);
}

#define LATE_US SECOND /* within which what is shown is on the disk */

/* Pages that were shown, by their digests, each once, in the order in which they came. */
struct digest {
    uint8_t byte[DIGEST_SIZE];
    uint64_t at_us; /* when it was shown */
};
struct shown {
    struct shown *next;
    const struct meeting *meeting;
    const struct seat *seat;
    unsigned side; /* of the session */
    struct digest *digest;
    size_t count, room;
};
static struct shown *shown;
static struct day *watched;

static struct shown *shown_of(const struct seat *seat, const struct meeting *meeting, unsigned side)
{
    for (struct shown *s = shown; s; s = s->next)
        if (s->meeting == meeting && s->seat == seat && s->side == side)
            return s;
    struct shown *s = calloc(1, sizeof *s);
    *s = (struct shown){.next = shown, .meeting = meeting, .seat = seat, .side = side};
    return shown = s;
}

/* An entity's end does not know the style before the ends have met. */
static bool is_empty(const struct page *page)
{
    unsigned cells = 0;
    for (unsigned pane = 0; pane < PANES; pane++) {
        for (unsigned i = 0; page_has(page, pane) && i < page_rows(page, pane); i++) {
            struct page_row row;
            page_row(page, pane, i, &row);
            cells += row.cells;
        }
    }
    return cells == 0;
}

static void add(struct shown *s, const struct page *page)
{
    struct digest digest = {.at_us = world_now()};
    if (is_empty(page))
        return;
    page_digest(page, digest.byte);
    if (s->count && memcmp(s->digest[s->count - 1].byte, digest.byte, DIGEST_SIZE) == 0)
        return;
    if (s->count == s->room) {
        s->room = s->room ? 2 * s->room : 64;
        s->digest = realloc(s->digest, s->room * sizeof *s->digest);
    }
    s->digest[s->count++] = digest;
}

static void on_drawn(void *ctx, struct process *process, const struct screen_model *model)
{
    struct day *day = ctx;
    for (unsigned i = 0; i < day->seats && !model->board; i++) {
        struct seat *seat = &day->seat[i];
        if (seat->machine != process_machine(process))
            continue;
        const struct meeting *m = day_meeting(seat, process);
        for (unsigned side = 0; side < model->sides; side++) {
            bool right = m && (seat->judge ? side == SIDE_RIGHT : seat == m->seat[1 + SIDE_RIGHT]);
            if (m && model->side[side].page)
                add(shown_of(seat, m, right), model->side[side].page);
        }
    }
}

/* Keys of persons at a session's terminal. */
struct typed {
    struct typed *next;
    const struct meeting *meeting;
    const struct seat *seat;
    uint32_t *point;
    size_t count, room;
};
static struct typed *typed;

static struct typed *typed_of(const struct seat *seat, const struct meeting *meeting)
{
    for (struct typed *t = typed; t; t = t->next)
        if (t->meeting == meeting && t->seat == seat)
            return t;
    struct typed *t = calloc(1, sizeof *t);
    *t = (struct typed){.next = typed, .meeting = meeting, .seat = seat};
    return typed = t;
}

static void on_pressed(void *ctx, struct process *process, uint32_t point)
{
    struct day *day = ctx;
    for (unsigned i = 0; i < day->seats; i++) {
        const struct meeting *m = day_meeting(&day->seat[i], process);
        if (day->seat[i].machine != process_machine(process) || !m)
            continue;
        struct typed *t = typed_of(&day->seat[i], m);
        if (t->count == t->room) {
            t->room = t->room ? 2 * t->room : 64;
            t->point = realloc(t->point, t->room * sizeof *t->point);
        }
        t->point[t->count++] = point;
    }
}

static void on_lost_power(void *ctx, struct machine *machine)
{
    struct day *day = ctx;
    for (unsigned i = 0; i < day->seats; i++) {
        struct seat *seat = &day->seat[i];
        if (seat->machine == machine && seat->power_cuts < DAY_CUTS)
            seat->cut_us[seat->power_cuts++] = world_now();
    }
    day_desk_lost_power(day, machine);
}

static void on_failed(void *ctx, struct process *process, const char *line)
{
    day_wrong(ctx, "assert", "%s: %s", machine_name(process_machine(process)), line);
}

void day_watch(struct day *day)
{
    watched = day;
    world_watch(&(struct world_watch){.ctx = day,
                                      .drawn = on_drawn,
                                      .lost_power = on_lost_power,
                                      .pressed = on_pressed,
                                      .failed = on_failed});
}

void day_forget(struct day *day)
{
    (void)day;
    for (struct shown *s = shown, *next; s; s = next) {
        next = s->next;
        free(s->digest);
        free(s);
    }
    shown = NULL;
    for (struct typed *t = typed, *next; t; t = next) {
        next = t->next;
        free(t->point);
        free(t);
    }
    typed = NULL;
}

/* Records as sticks or desk brought them. */
static bool read_record(struct day *day, const struct meeting *m, const struct seat *seat,
                        struct order_set *set)
{
    char path[300], name[DAY_SESSION + 16];
    struct bl_diag diag;
    snprintf(name, sizeof name, "%s-%s.journal", m->session, seat->judge ? "judge" : "entity");
    snprintf(path, sizeof path, "manager/sticks/%s/" STICK_FOLDER "/" STICK_RECORDS "/%s/%s",
             seat->judge ? "judges-room" : "back-room", machine_name(seat->machine), name);
    if (day_desk_record(seat, name))
        snprintf(path, sizeof path, "%s", day_desk_record(seat, name));
    memset(set, 0, sizeof *set);
    if (journal_read(&disk_real, path, order_feed, set, NULL, &diag) == BL_OK)
        return true;
    day_wrong(day, "records", "%s", diag.text);
    return false;
}

static bool is_same(const struct key_event *a, const struct key_event *b)
{
    return a->point == b->point && a->party == b->party;
}

/* Each placed key was typed by the party that the record names, in that order. Nobody types for an
 * Entry. */
static void check_typed(struct day *day, const struct meeting *m, unsigned side,
                        const struct order *order, enum party party)
{
    const struct seat *seat = m->seat[party == PARTY_JUDGE ? 0 : 1 + side];
    const struct typed *t = typed_of(seat, m);
    size_t at = 0;
    if (party == PARTY_ENTITY && m->entry && (!m->confederate || side != (unsigned)m->human))
        return;
    for (uint64_t n = 0; n < order->count; n++) {
        if (order->event[n].party != party)
            continue;
        while (at < t->count && t->point[at] != order->event[n].point)
            at++;
        if (at++ >= t->count)
            day_wrong(day, "typed",
                      "%s, side %u: key %llu was never typed at %s, or not in that order",
                      m->session, side, (unsigned long long)n + 1, machine_name(seat->machine));
    }
}

/* Each key that was pressed has its place, or is declared to have none. */
static void check_pressed(struct day *day, const struct meeting *m, unsigned side,
                          const struct order_set *set)
{
    uint64_t placed = 0, unplaced = 0;
    for (uint64_t n = 0; n < set->side[SIDE_LEFT].count; n++)
        placed += set->side[SIDE_LEFT].event[n].party == PARTY_ENTITY;
    for (uint64_t k = 0; k < set->presses; k++)
        unplaced += set->press[k].unplaced;
    if (placed + unplaced != set->presses)
        day_wrong(day, "pressed",
                  "%s, side %u: %llu keys were pressed, %llu placed, %llu not placed", m->session,
                  side, (unsigned long long)set->presses, (unsigned long long)placed,
                  (unsigned long long)unplaced);
}

/* A controller may cut a line before all is told. Then the records say that the close was not
 * agreed, and an end that had no power in between may lack more: an entity's is a beginning. */
static bool is_declared(const struct meeting *m, unsigned side, const struct order *judge,
                        const struct order *entity)
{
    bool agreed = entity->closed &&
                  (entity->outcome == CLOSE_AGREED || entity->outcome == CLOSE_SETTLED) &&
                  entity->close_generation >= judge->close_generation;
    if (entity->count > judge->count)
        return m->seat[0]->power_cuts && judge->outcome == CLOSE_UNCONFIRMED;
    return (m->seat[1 + side]->power_cuts && entity->outcome == CLOSE_PREFIX) ||
           (!agreed && judge->closed && judge->outcome == CLOSE_UNCONFIRMED);
}

/* Both ends have the same keys in the same places. */
static void compare(struct day *day, struct meeting *m, unsigned side, const struct order *judge,
                    const struct order *entity)
{
    uint64_t same = 0, n = judge->count > entity->count ? judge->count : entity->count;
    while (same < judge->count && same < entity->count &&
           is_same(&judge->event[same], &entity->event[same]))
        same++;
    day->keys += (unsigned)judge->count;
    if (judge->count == 0 && !day->setup.mishaps && !day->setup.spare)
        day_wrong(day, "talk", "%s: nobody has said a word on side %u", m->session, side);
    if (same == n)
        return;
    m->lacks[side].n = n;
    m->lacks[side].judge = n - judge->count;
    m->lacks[side].entity = n - entity->count;
    bool beginning = same == judge->count || same == entity->count;
    if (!beginning || !day->controlled || !is_declared(m, side, judge, entity))
        day_wrong(day, "order",
                  "%s, side %u: the judge's end has %llu keys, the entity's %llu, of which %llu "
                  "are the same; they say %d and %d",
                  m->session, side, (unsigned long long)judge->count,
                  (unsigned long long)entity->count, (unsigned long long)same, (int)judge->outcome,
                  (int)entity->outcome);
}

/* A judge's machine that loses power loses what its disk had not yet got, unless the other end has
 * it. */
static bool was_cut(const struct seat *seat, uint64_t at_us)
{
    for (unsigned i = 0; i < seat->power_cuts; i++)
        if (at_us <= seat->cut_us[i] && at_us + LATE_US >= seat->cut_us[i])
            return seat->judge;
    return false;
}

/* Each page that was shown is the page of a beginning of what is on record. */
static void check_shown(struct day *day, const struct meeting *m, unsigned side,
                        const struct order *order, const char *style_line)
{
    struct style style;
    struct digest *of = calloc((size_t)order->count + 1, sizeof *of);
    if (style_read(&style, style_line, NULL))
        style_default(&style);
    struct page *page = page_create(&style);
    page_digest(page, of[0].byte);
    for (uint64_t n = 0; n < order->count; n++) {
        page_apply(page, &order->event[n]);
        page_digest(page, of[n + 1].byte);
    }
    for (const struct shown *s = shown; s; s = s->next) {
        if (s->meeting != m || s->side != side)
            continue;
        for (size_t i = 0, at = 0; i < s->count; i++) { /* mostly one after the other */
            size_t all = (size_t)order->count + 1, tried = 0;
            while (tried < all && memcmp(of[at].byte, s->digest[i].byte, DIGEST_SIZE) != 0) {
                tried++;
                at = (at + 1) % all;
            }
            if (tried == all && !was_cut(s->seat, s->digest[i].at_us))
                day_wrong(day, "shown",
                          "%s, side %u: page %zu of %zu that %s has shown is not on record",
                          m->session, side, i, s->count, machine_name(s->seat->machine));
        }
    }
    page_destroy(page);
    free(of);
}

static void check_records(struct day *day, struct meeting *m)
{
    struct order_set judge, entity;
    if (!read_record(day, m, m->seat[0], &judge))
        return;
    for (unsigned side = 0; side < (day->rules->pairs ? 2 : 1) && !day->wrong[0]; side++) {
        if (read_record(day, m, m->seat[1 + side], &entity)) {
            const struct order *longer = &judge.side[side];
            compare(day, m, side, &judge.side[side], &entity.side[SIDE_LEFT]);
            if (m->lacks[side].judge)
                longer = &entity.side[SIDE_LEFT];
            check_shown(day, m, side, longer, judge.style);
            check_typed(day, m, side, &judge.side[side], PARTY_JUDGE);
            check_typed(day, m, side, &judge.side[side], PARTY_ENTITY);
            check_pressed(day, m, side, &entity);
        }
        order_free(&entity);
    }
    order_free(&judge);
}

/* The sessions whose ballots count. */
static unsigned counted(const struct day *day)
{
    unsigned count = 0;
    for (unsigned i = 0; i < day->meetings; i++)
        count += !day->meeting[i].spoiled;
    return count;
}

/* The vote as the contest has it. */
static bool is_typed(const struct day *day, const struct meeting *m, const json_t *ballot)
{
    int human = m->human == SIDE_LEFT ? m->vote.points_left : 100 - m->vote.points_left;
    const json_t *points = json_object_get(ballot, "points"),
                 *said = json_object_get(ballot, "human");
    const char *rating = json_string_value(json_object_get(ballot, "rating"));
    switch (day->rules->asked) {
    case ASKED_RATING:
        return rating && atoi(rating) == m->vote.rating;
    case ASKED_HUMAN:
        return json_is_boolean(said) && json_is_true(said) == (m->vote.human != m->human);
    case ASKED_POINTS:
        return json_integer_value(json_array_get(points, 0)) == 100 - human &&
               json_integer_value(json_array_get(points, 1)) == human;
    case ASKED_VERDICT:
        return json_is_boolean(said) && json_is_true(said) == (m->vote.human == SIDE_LEFT);
    }
    return false;
}

/* The ballot of a meeting; NULL: there is none. */
static const json_t *ballot_of(const struct day *day, const json_t *ballots,
                               const struct meeting *m)
{
    size_t i;
    json_t *ballot;
    json_array_foreach(ballots, i, ballot)
    {
        if (json_integer_value(json_object_get(ballot, "judge")) == m->judge &&
            json_integer_value(json_object_get(ballot, "entry")) == m->entry &&
            json_integer_value(json_object_get(ballot, "confederate")) == m->confederate &&
            (!day->rules->trials ||
             json_integer_value(json_object_get(ballot, "trial")) == m->trial))
            return ballot;
    }
    return NULL;
}

/* The contest has each ballot as it was typed, and no other. */
static void check_ballots(struct day *day)
{
    json_t *all = json_loads(day_command(day, "contest|show|manager/contest.db|--json"), 0, NULL);
    const json_t *ballots = json_object_get(all, "ballots");
    if (json_array_size(ballots) != counted(day))
        day_wrong(day, "ballots", "%zu of %u are in the contest", json_array_size(ballots),
                  counted(day));
    for (unsigned i = 0; i < day->meetings; i++) {
        const struct meeting *m = &day->meeting[i];
        const json_t *ballot = ballot_of(day, ballots, m);
        if (m->spoiled)
            continue;
        if (!m->given)
            day_wrong(day, "ballots", "%s: its judge has given none", m->session);
        if (!ballot || !is_typed(day, m, ballot))
            day_wrong(day, "ballots", "%s: what was typed is not in the contest", m->session);
    }
    json_decref(all);
}

/* True if an act is about the people of the meeting. Where entities are met singly it
 * names a candidate: Entries are counted first. */
static bool is_about(const struct day *day, const json_t *body, const struct meeting *m)
{
    if (!day->rules->pairs)
        return json_integer_value(json_object_get(body, "candidate")) ==
               (m->entry ? m->entry : day->entries + m->confederate);
    return json_integer_value(json_object_get(body, "entry")) == m->entry &&
           json_integer_value(json_object_get(body, "confederate")) == m->confederate;
}

/* The judge's other words are in the act of each ballot that counts, as he typed them. */
static void check_reasons(struct day *day)
{
    json_t *all = json_loads(day_command(day, "contest|export|manager/contest.db|--json"), 0, NULL);
    json_t *act;
    unsigned found = 0;
    for (unsigned i = 0; i < day->meetings; i++) {
        const struct meeting *m = &day->meeting[i];
        const json_t *last = NULL;
        char reason[DAY_REASON];
        size_t k;
        json_array_foreach(json_object_get(all, "acts"), k, act)
        {
            const json_t *body = json_object_get(act, "body");
            if (strcmp(json_string_value(json_object_get(act, "kind")), "ballot") == 0 &&
                json_integer_value(json_object_get(body, "judge")) == m->judge &&
                is_about(day, body, m))
                last = json_object_get(body, "fields");
        }
        day_reason(m, reason);
        const char *said = json_string_value(json_object_get(last, "reason"));
        const char *sure = day->rules->surest ? "sure" : "confidence";
        found += !m->spoiled && said && strcmp(said, reason) == 0 &&
                 json_integer_value(json_object_get(last, sure)) == m->vote.confidence;
    }
    if (found != counted(day))
        day_wrong(day, "reasons", "%u of %u are in the contest as they were typed", found,
                  counted(day));
    json_decref(all);
}

/* The winner by the ballots alone; 0: nobody alone. */
static unsigned winner(const struct day *day)
{
    int points[DAY_SEATS] = {0}, ballots[DAY_SEATS] = {0}, best = -1;
    unsigned who = 0;
    if (day->rules->rates)
        return 0;
    for (unsigned i = 0; i < day->meetings; i++) {
        const struct meeting *m = &day->meeting[i];
        int human = m->human == SIDE_LEFT ? m->vote.points_left : 100 - m->vote.points_left;
        if (!m->entry || m->spoiled)
            continue;
        ballots[m->entry]++;
        if (day->rules->asked == ASKED_HUMAN)
            points[m->entry] += m->vote.human != m->human; /* 2009 §3b: votes as the human */
        else if (day->rules->asked == ASKED_POINTS)
            points[m->entry] += human < 50; /* 2004 B1: columns won */
        else if (day->rules->asked == ASKED_RATING)
            points[m->entry] += m->vote.rating;
    }
    for (unsigned entry = 1; entry <= day->entries && !day->rules->trials; entry++) {
        if (day->rules->asked == ASKED_RATING && ballots[entry]) /* a mean: exact for up to ten */
            points[entry] = points[entry] * 2520 / ballots[entry];
        who = points[entry] > best ? entry : points[entry] == best ? 0 : who;
        best = points[entry] > best ? points[entry] : best;
    }
    return who;
}

static uint64_t hash_of(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = (hash ^ (uint8_t)*text) * 0x100000001b3ull;
    return hash;
}

static void check_result(struct day *day)
{
    json_error_t error;
    json_t *all = json_loads(day_command(day, "contest|show|manager/contest.db|--json"), 0, NULL);
    char *ballots = json_dumps(json_object_get(all, "ballots"), JSON_SORT_KEYS);
    const char *text = day_command(day, "contest|result|manager/contest.db|--json");
    day->outcome = hash_of(hash_of(0xcbf29ce484222325ull, ballots ? ballots : ""), text);
    json_decref(all);
    free(ballots);
    json_t *result = json_loads(text, 0, &error);
    const json_t *won = json_object_get(result, "winner");
    unsigned expected = winner(day), got = (unsigned)json_integer_value(won);
    const char *outcome = json_string_value(json_object_get(result, "outcome"));
    if (!result || !outcome)
        day_wrong(day, "result", "%s: %.80s", error.text, text);
    else if (day->rules->trials && (strcmp(outcome, "passed") == 0) != (day->favourite > 0))
        day_wrong(day, "result", "%s, but the Entry was to %s", outcome,
                  day->favourite ? "pass" : "fail");
    else if (json_integer_value(json_object_get(result, "excluded")) != day->excluded)
        day_wrong(day, "result", "not %u excluded: %.80s", day->excluded, text);
    else if (got != expected)
        day_wrong(day, "result", "%s: the winner is Entry %u, by the ballots typed %u", outcome,
                  got, expected);
    json_decref(result);
}

/* Ranks: each judge's of a trial, of the entities that there were. 2009 §3b: of a pair the one not
 * taken for the human. */
static void check_ranks(struct day *day)
{
    json_t *all = json_loads(day_command(day, "contest|export|manager/contest.db|--json"), 0, NULL);
    json_t *acts = json_object_get(all, "acts"), *act, *pair;
    size_t i, k;
    unsigned found = 0;
    json_array_foreach(acts, i, act)
    {
        json_t *body = json_object_get(act, "body");
        unsigned judge = (unsigned)json_integer_value(json_object_get(body, "judge"));
        const json_t *trial = json_object_get(body, "trial");
        if (strcmp(json_string_value(json_object_get(act, "kind")), "ranks") != 0)
            continue;
        json_array_foreach(json_object_get(body, "ranks"), k, pair)
        {
            unsigned who = (unsigned)json_integer_value(json_array_get(pair, 0));
            unsigned rank = (unsigned)json_integer_value(json_array_get(pair, 1));
            for (unsigned j = 0; j < day->meetings; j++) {
                const struct meeting *m = &day->meeting[j];
                bool taken = day->rules->pairs ? m->vote.human != m->human : !m->entry;
                if (m->judge == judge && m->rank == rank && !m->spoiled &&
                    m->trial == (trial ? (unsigned)json_integer_value(trial) : 1) &&
                    who == (taken ? day->entries + m->confederate : m->entry))
                    found++;
            }
        }
    }
    if (found != counted(day))
        day_wrong(day, "ranks", "%u of %u are in the contest as they were typed", found,
                  counted(day));
    json_decref(all);
}

/* The verification's words of the keys that a record lacks; "": it lacks none. */
static void lacking(const struct meeting *m, unsigned side, char words[120])
{
    words[0] = '\0';
    if (m->lacks[side].n)
        snprintf(words, 120, "of the %llu keys it lacks %llu, the judge's journal %llu",
                 (unsigned long long)m->lacks[side].n, (unsigned long long)m->lacks[side].entity,
                 (unsigned long long)m->lacks[side].judge);
}

/* A difference that is known, named in full. */
static bool is_lacking(const struct day *day, const char *line)
{
    char words[120];
    for (unsigned i = 0; i < day->meetings; i++)
        for (unsigned side = 0; side < SIDES; side++) {
            char name[DAY_SESSION + 12];
            lacking(&day->meeting[i], side, words);
            snprintf(name, sizeof name, "%s-entity", day->meeting[i].session);
            if (words[0] && strstr(line, name) && strstr(line, words))
                return true;
        }
    return false;
}

/* Mishaps may leave their traces in the record: a close that was not confirmed, first words
 * that were lost on their way, a torn end that no terminal cut off, a clock that was set, a part
 * that was over while its machine stood still, or whose beginning found no room on a disk. */
static bool is_trace(const struct day *day, const char *line)
{
    unsigned cuts = 0, steps = 0, fills = 0;
    for (unsigned i = 0; i < day->seats; i++)
        cuts += day->seat[i].power_cuts;
    for (unsigned i = 0; i < day->meetings; i++)
        if (strstr(line, day->meeting[i].session)) {
            const struct seat *judge = day->meeting[i].seat[0];
            steps += judge->steps + judge->stalls;
            fills += judge->fills;
        }
    return is_lacking(day, line) || strstr(line, "its close is unconfirmed") ||
           strstr(line, "began with other words") ||
           (cuts && (strstr(line, "it is damaged in 1 place") ||
                     strstr(line, " of its lines are damaged"))) ||
           (fills && strstr(line, " of the plan was not held")) ||
           (steps && strstr(line, " was open for "));
}

/* Nothing else differs. */
static void check_verified(struct day *day)
{
    unsigned named = 0, lack = 0;
    day->may_end_with = day->setup.mishaps ? EX_DATAERR : 0;
    const char *text = day_command(day, "contest|verify|manager/contest.db|--records|"
                                        "manager/contest.db.records");
    world_log("manager", "%s", text);
    for (const char *at = text; (at = strstr(at, "differs: ")); at += strcspn(at, "\n")) {
        char line[300];
        snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
        if (!is_trace(day, line))
            day_wrong(day, "verify", "%s", line);
        named += is_lacking(day, line);
    }
    for (unsigned i = 0; i < day->meetings; i++)
        for (unsigned side = 0; side < SIDES; side++)
            lack += day->meeting[i].lacks[side].n > 0;
    if (named != lack)
        day_wrong(day, "verify", "%u records lack keys, and %u are named", lack, named);
}

/* The manager excludes a session: its ballot is put aside, neither counted nor missing. Where ranks
 * are asked for, the ranks of such a session would be in the way. */
static void exclude(struct day *day)
{
    struct meeting *m = &day->meeting[dice_below(&day->dice, day->meetings)];
    if (day->rules->ranked || m->spoiled || m->again)
        return;
    world_log("manager", "%s is excluded", m->session);
    day_command(day, "contest|exclude|manager/contest.db|%s|--why|knew the other|--author|Manager",
                m->session);
    m->spoiled = true;
    day->excluded++;
    if (!day->wrong[0])
        check_ballots(day);
    if (!day->wrong[0] && day->rules->reasoned)
        check_reasons(day);
}

void day_judge(struct day *day)
{
    for (unsigned i = 0; i < day->meetings && !day->wrong[0]; i++)
        check_records(day, &day->meeting[i]);
    if (!day->wrong[0])
        check_ballots(day);
    if (!day->wrong[0] && day->rules->reasoned)
        check_reasons(day);
    if (!day->wrong[0] && day->rules->ranked)
        check_ranks(day);
    if (!day->wrong[0])
        exclude(day);
    if (!day->wrong[0])
        day_command(day, "contest|seal|manager/contest.db|--author|Manager");
    if (!day->wrong[0])
        check_result(day);
    if (!day->wrong[0])
        check_verified(day);
}
