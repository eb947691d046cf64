/* The course of a day: contest, sticks, rounds, records, result. */
#include "box.h"
#include "day_desk.h"
#include "day_mishaps.h"

#include "base/file.h"
#include "screen/board.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define AWHILE_US    (900 * SECOND)  /* for what must come by itself, or by somebody's act */
#define CUT_US       (4200 * SECOND) /* and more, behind a controller's cut: an hour */
#define WHOLE_US     (8000 * SECOND) /* and more, for a session: two hours, long bet II */
#define CARRY_US     (3 * SECOND)    /* from one machine to the next */
#define RETAKE_US    (8 * SECOND)
#define CPU_MOST_S   60
#define WHOLE_MOST_S 1800         /* of processor, for a whole day */
#define RESTART_US   (2 * SECOND) /* as systemd does */
#define CUT_AFTER_US (16 * SECOND / 5)

static const char *const rooms[ROOMS] = {"judges' room", "back room"};

/* Machines. */

void day_start(void *ctx)
{
    struct seat *s = ctx;
    char place[64], stick[64], records[64], entries[64], courier[64];
    bool desk = s->day->setup.desk == DESK_ALONE;
    const char *folder = machine_folder(s->machine);
    char *words[] = {(char *)"boothlink",
                     (char *)"booth",
                     (char *)"--place",
                     place,
                     (char *)"--tickets",
                     stick,
                     (char *)"--journal",
                     records,
                     (char *)"--folder",
                     entries,
                     (char *)"--kiosk",
                     desk ? (char *)"--courier" : NULL,
                     courier,
                     NULL};
    snprintf(place, sizeof place, "%s/place.ini", folder);
    snprintf(stick, sizeof stick, "%s/stick", folder);
    snprintf(records, sizeof records, "%s/records", folder);
    snprintf(entries, sizeof entries, "%s", folder);
    snprintf(courier, sizeof courier, "%s/run/courier", folder);
    s->off = false;
    day_desk_starts(s);
    s->process = machine_program(s->machine, words);
}

static void on_sit(void *ctx)
{
    struct seat *s = ctx;
    if (!s->off && !process_lives(s->process)) {
        s->off = true;
        world_at(world_now() + RESTART_US, day_start, s);
    }
    day_desk_looks(s);
    day_sit(s);
    world_at(world_now() + 60000 + dice_below(&s->dice, 120000), on_sit, s);
}

static void name_place(const struct seat *s)
{
    char text[80], path[64];
    snprintf(path, sizeof path, "%s/place.ini", machine_folder(s->machine));
    snprintf(text, sizeof text, "[place]\nformat = 1\nbooth = %u\nmachine = %s\n", s->booth,
             s->judge   ? "judge"
             : s->cable ? "cable-b"
                        : "cable-a");
    if (file_write(path, text, strlen(text), NULL))
        world_die("%s cannot be written", path);
}

static struct seat *add_seat(struct day *day, unsigned booth, bool judge, unsigned cable)
{
    struct seat *s = &day->seat[day->seats];
    char name[24];
    *s = (struct seat){.day = day, .booth = booth, .judge = judge, .cable = cable};
    s->dice = world_dice(100 + day->seats++);
    snprintf(name, sizeof name, judge ? "booth-%u-judge" : "booth-%u-cable-%c", booth, "ab"[cable]);
    s->machine = machine_create(name);
    name_place(s);
    return s;
}

static void build(struct day *day)
{
    day->manager = machine_create("manager");
    for (unsigned booth = 1; booth <= day->booths; booth++) {
        struct seat *judge = add_seat(day, booth, true, 0);
        for (unsigned cable = 0; cable < (day->rules->pairs ? 2 : 1); cable++) {
            const struct seat *entity = add_seat(day, booth, false, cable);
            char name[16];
            snprintf(name, sizeof name, "%u%c", booth, "ab"[cable]);
            day->cable[booth - 1][cable] = cable_create(name, judge->machine, entity->machine);
        }
    }
    day_controllers_stand(day);
    day_desk_stands(day);
    for (unsigned i = 0; i < day->seats; i++) {
        day_start(&day->seat[i]);
        world_at(world_now() + SECOND, on_sit, &day->seat[i]);
    }
}

/* Waiting. */

/* The texts of the screens that are not yet where they should be. */
static void tell_screens(struct day *day, const char *what)
{
    char text[300] = "";
    size_t length = 0;
    for (unsigned i = 0; i < day->seats && length + 1 < sizeof text; i++) {
        if (day_board_says(&day->seat[i], "All sessions of this place are over."))
            continue;
        const struct screen_model *m = machine_sees(day->seat[i].machine);
        const char *says = !m              ? "dark"
                           : m->board      ? m->board->strong
                           : m->message[0] ? m->message
                                           : m->side[0].state;
        length += (size_t)snprintf(text + length, sizeof text - length, "; %s: %s",
                                   machine_name(day->seat[i].machine), says);
    }
    day_wrong(day, "end", "%s has not come%s", what, text);
}

static bool wait_for(struct day *day, const char *what, bool (*holds)(struct day *day, void *ctx),
                     void *ctx)
{
    uint64_t until_us = world_now() + AWHILE_US + (day->setup.whole ? WHOLE_US : 0) +
                        (day->controlled ? CUT_US : 0);
    while (!day->wrong[0] && !holds(day, ctx)) {
        if (world_now() >= until_us)
            tell_screens(day, what);
        world_run(world_now() + 50000);
    }
    return !day->wrong[0];
}

/* Sticks. */

/* A stick on which there was no room is taken out, and after a while put in again. */
static void on_put_again(void *ctx)
{
    struct seat *s = ctx;
    struct stick *stick = s->day->stick[s->judge ? ROOM_JUDGES : ROOM_BACK];
    if (s->day->carried == s && !stick_machine(stick))
        stick_put(stick, s->machine);
}

static bool stick_is_done(struct day *day, void *ctx)
{
    struct seat *s = ctx;
    struct stick *stick = day->stick[s->judge ? ROOM_JUDGES : ROOM_BACK];
    if (day_board_says(s, "make room on") && stick_machine(stick) == s->machine) {
        stick_pull(stick);
        world_at(world_now() + RETAKE_US, on_put_again, s);
    }
    return stick_machine(day->stick[s->judge ? ROOM_JUDGES : ROOM_BACK]) == s->machine &&
           day_board_says(s, "The stick may be taken out.");
}

static bool stick_is_seen_out(struct day *day, void *ctx)
{
    (void)day;
    const struct seat *s = ctx;
    return machine_sees(s->machine) && !day_board_says(s, "stick may be taken out") &&
           !day_board_says(s, "Leave the stick");
}

/* Takes its room's stick to a machine, and back. */
static void carry_to(struct day *day, struct seat *s)
{
    struct stick *stick = day->stick[s->judge ? ROOM_JUDGES : ROOM_BACK];
    char what[80];
    world_run(world_now() + CARRY_US);
    day->carried = s;
    stick_put(stick, s->machine);
    day_mishaps_carried(day, s);
    snprintf(what, sizeof what, "%s: \"the stick may be taken out\"", machine_name(s->machine));
    wait_for(day, what, stick_is_done, s);
    day->carried = NULL;
    day->pulled_us = world_now();
    stick_pull(stick);
    snprintf(what, sizeof what, "%s: \"the stick is out\"", machine_name(s->machine));
    wait_for(day, what, stick_is_seen_out, s);
}

/* To all the machines of the room, one after the other. */
static void carry(struct day *day, enum day_room room)
{
    for (unsigned i = 0; i < day->seats && !day->wrong[0]; i++)
        if (day->seat[i].judge == (room == ROOM_JUDGES))
            carry_to(day, &day->seat[i]);
    world_log(NULL, "the stick of the %s was carried round", rooms[room]);
}

/* To those that the desk does not reach. */
static void carry_or_wait(struct day *day, enum day_room room)
{
    for (unsigned i = 0; i < day->seats && !day->wrong[0]; i++) {
        struct seat *s = &day->seat[i];
        char what[80];
        snprintf(what, sizeof what, "%s: all at the desk, and its tickets",
                 machine_name(s->machine));
        if (s->judge != (room == ROOM_JUDGES))
            continue;
        if (day_desk_reaches(s))
            wait_for(day, what, day_desk_is_done, s);
        else
            carry_to(day, s);
    }
    world_log(NULL, "the %s has had stick and desk", rooms[room]);
}

/* The words of a judge's machine's key are written down, and told to the manager. */
static void confirm(struct day *day, const struct seat *s)
{
    char words[200];
    snprintf(words, sizeof words, "%s",
             day_command(day, "key|show|%s/records/machine.key", machine_folder(s->machine)));
    words[strcspn(words, "\n")] = '\0';
    day_command(day, "contest|machine|manager/contest.db|%s|%s|--author|Manager",
                machine_name(s->machine), words);
}

static void confirm_all(struct day *day)
{
    for (unsigned i = 0; i < day->seats && !day->wrong[0]; i++)
        if (day->seat[i].judge)
            confirm(day, &day->seat[i]);
}

/* Rounds. */

static bool round_is_over(struct day *day, void *ctx)
{
    (void)ctx;
    for (unsigned i = 0; i < day->seats; i++) {
        char text[40];
        snprintf(text, sizeof text, "Round %u", day->round);
        const struct seat *s = &day->seat[i];
        const struct screen_model *m = machine_sees(s->machine);
        if (!m || !m->board || day_board_says(s, text))
            return false;
    }
    return true;
}

static bool ranks_are_given(struct day *day, void *ctx)
{
    (void)ctx;
    for (unsigned i = 0; i < day->seats; i++)
        if (day->seat[i].judge && !day_board_says(&day->seat[i], "All sessions of this place"))
            return false;
    return true;
}

/* A last file, such as ranks, may have been on its way when the stick had it. */
static void wait_for_desk(struct day *day)
{
    for (unsigned i = 0; i < day->seats && !day->wrong[0]; i++)
        if (day_desk_reaches(&day->seat[i]))
            wait_for(day, "the last record at the desk", day_desk_has_all, &day->seat[i]);
}

static void collect(struct day *day)
{
    wait_for_desk(day);
    day_command(day,
                "contest|collect|manager/contest.db|manager/sticks/judges-room|"
                "manager/sticks/back-room%s%s",
                day->setup.desk == DESK_ALONE && day->network ? "|desk/inbox" : "",
                day->rules->ranked ? "|--venue|manager/venue.ini|--out|manager/sticks" : "");
}

/* Votes are made up when nobody has met anybody yet. */
static void make_up(struct day *day, struct meeting *m)
{
    bool fooled = m->entry == day->favourite;
    int points = (int)(fooled ? 60 : 20) + (int)dice_below(&day->dice, 20); /* the Entry's */
    m->vote.human = fooled ? (enum side) !m->human : m->human;
    if (day->rules->asked == ASKED_VERDICT)
        m->vote.human = !m->entry || fooled ? SIDE_LEFT : SIDE_RIGHT;
    m->vote.points_left = m->human == SIDE_LEFT ? 100 - points : points;
    m->vote.confidence = day->rules->surest
                             ? 1 + (int)dice_below(&day->dice, (uint64_t)day->rules->surest)
                             : (int)dice_below(&day->dice, 101);
    m->vote.rating = !m->entry ? day->rules->most
                     : fooled  ? day->rules->most - 1
                               : 1 + (int)dice_below(&day->dice, (uint64_t)day->rules->most - 2);
}

/* Each judge's ranks of a trial are the order of his sessions, by chance turned round. Long bet II
 * ¶14: the Entry that is to pass is the most human, else the least. */
static void make_ranks(struct day *day)
{
    for (unsigned judge = 1; judge <= day->judges && day->rules->ranked; judge++) {
        struct meeting *of[DAY_MEETINGS];
        unsigned count = 0, entry = 0;
        bool turned = dice_below(&day->dice, 2);
        for (unsigned i = 0; i < day->meetings; i++) {
            struct meeting *m = &day->meeting[i];
            if (m->judge == judge && m->trial == day->trial && !m->spoiled)
                of[count++] = m;
        }
        for (unsigned i = 0; i < count; i++) {
            of[i]->rank = turned ? count - i : i + 1;
            entry = of[i]->entry ? i : entry;
        }
        for (unsigned i = 0; i < count && day->rules->trials; i++)
            if (of[i]->rank == (day->favourite ? count : 1)) {
                of[i]->rank = of[entry]->rank;
                of[entry]->rank = day->favourite ? count : 1;
                break;
            }
    }
}

static void carry_both(struct day *day)
{
    unsigned round = day->round;
    day->round = 0; /* nobody begins meanwhile */
    for (enum day_room room = 0; room < ROOMS; room++)
        carry_or_wait(day, room);
    day->round = round;
}

static void wait_for_round(struct day *day)
{
    char what[40];
    snprintf(what, sizeof what, "the end of round %u", day->round);
    wait_for(day, what, round_is_over, NULL);
    world_log(NULL, "round %u is over", day->round);
}

static void put_spare(struct seat *s)
{
    world_log(machine_name(s->machine), "a spare machine takes its place");
    s->off = s->replaced = true;
    machine_replace(s->machine);
    name_place(s);
    world_at(world_now() + SECOND, day_start, s);
}

/* A sentence has come to another screen, and a controller will not end the part before it cuts the
 * lines. */
static bool has_talked(struct day *day, void *ctx)
{
    const struct seat *s = ctx;
    const struct screen_model *judge = machine_sees(s->machine);
    for (unsigned side = 0; s->meeting && judge && side < judge->sides; side++) {
        const struct screen_model *m = machine_sees(s->meeting->seat[1 + side]->machine);
        if (m && !m->board && day_marks(&m->side[0], day->rules->opening[0] ? '.' : '?'))
            return judge->remaining_us > CUT_AFTER_US;
    }
    return false;
}

/* A judge's machine fails in mid-session, and all that is on its disk is lost. A spare one gets the
 * tickets from the stick, and is told by F8 to take the session over. */
static void replace_in_session(struct day *day)
{
    struct seat *s = day->meeting[0].seat[0];
    if (!wait_for(day, "the talk of a session", has_talked, s) || s->off)
        return;
    put_spare(s);
    carry_to(day, s);
    wait_for_round(day);
    if (!s->takes)
        day_wrong(day, "spare", "%s was never to be told to take the session over",
                  machine_name(s->machine));
}

/* A machine fails between two rounds, and a spare one takes its place's name. Its records are on
 * the stick, which brings the tickets of the sessions that are left. Ballots that the first judge's
 * machine has signed count. */
static void replace(struct day *day, bool judge)
{
    struct seat *s = &day->seat[dice_below(&day->dice, day->seats)];
    while (s->judge != judge)
        s = s + 1 < day->seat + day->seats ? s + 1 : day->seat;
    carry_both(day);
    if (s->off || day->wrong[0])
        return; /* it is to be switched on again, as it is */
    if (judge)
        confirm(day, s);
    if (day_desk_reaches(s))
        carry_to(day, s); /* a spare machine knows by the stick's records what was held */
    put_spare(s);
    carry_both(day);
}

/* The manager's mending after a round: one of its sessions is held again, somebody falls ill, or a
 * machine fails. */
static void mend(struct day *day)
{
    unsigned chance = (unsigned)dice_below(&day->dice, 8);
    struct meeting *m = &day->meeting[dice_below(&day->dice, day->meetings)];
    bool substituted = day->ill_judge || day->ill_confederate;
    if (chance == 0 && day->round < day->rounds && !substituted) {
        day_substitute(day);
        carry_both(day);
    } else if (chance == 1 && m->round == day->round && !m->spoiled) {
        make_up(day, day_repeat(day, m));
        carry_both(day);
        wait_for_round(day);
    } else if (chance == 2 && !day->setup.plain) {
        replace(day, false);
    } else if (chance == 3 && !day->setup.plain) {
        replace(day, true);
    }
}

/* The rounds of a trial, from the first that was not held. */
static void hold(struct day *day, unsigned from)
{
    for (day->round = from; day->round <= day->rounds && !day->wrong[0]; day->round++) {
        day_command(day, "contest|begin|manager/contest.db|%u|--author|Manager", day->round);
        if (day->setup.spare && day->round == 1)
            replace_in_session(day);
        wait_for_round(day);
        if (day->setup.mishaps && !day->wrong[0])
            mend(day);
    }
    day->round = 0;
}

/* After the last round, where the rules ask for it. */
static void rank(struct day *day)
{
    carry(day, ROOM_JUDGES);
    day->ranks = true;
    wait_for(day, "the ranks of all judges", ranks_are_given, NULL);
    day->ranks = false;
    carry(day, ROOM_JUDGES);
    if (!day->wrong[0])
        collect(day);
}

/* Sessions, records, ranks: a day has one, or the trials of the long bet. */
static void hold_trial(struct day *day)
{
    unsigned had = day->meetings, rounds = day->rounds;
    if (day->trial++ == 0)
        day_set_up(day);
    else
        day_set_up_trial(day);
    if (had == 0)
        day_desk_begins(day);
    for (unsigned i = had; i < day->meetings; i++)
        make_up(day, &day->meeting[i]);
    carry_both(day);
    hold(day, rounds + 1);
    make_ranks(day);
    carry_both(day);
    if (!day->wrong[0])
        confirm_all(day);
    if (!day->wrong[0])
        collect(day);
    if (day->rules->ranked && !day->wrong[0])
        rank(day);
}

/* Half of the days with a desk have it for judges alone. */
static enum desk_network day_network(const struct day_setup *setup, const struct day_rules *rules)
{
    struct dice dice = dice_make(setup->seed * 61 + 29);
    bool judges = dice_below(&dice, 2) && setup->desk == DESK_ALONE;
    return setup->desk == NO_DESK || rules->offline ? 0
           : judges                                 ? DESK_NETWORK_JUDGES
                                                    : DESK_NETWORK_ALL;
}

static void draw(struct day *day)
{
    const struct day_setup *setup = &day->setup;
    struct dice dice = dice_make(setup->seed * 41 + 3);
    unsigned rules = (unsigned)dice_below(&dice, DAY_DRAWN);
    day->rules = setup->rules ? setup->rules : &day_rules[rules];
    unsigned least = day->rules->pairs ? 1 : DAY_BOOTHS; /* 1996 r: two Entries at least, all met */
    day->booths = least + (unsigned)dice_below(&dice, DAY_BOOTHS - least + 1);
    if (setup->booths)
        day->booths = setup->booths;
    day->controlled = day_is_controlled(setup);
    day->dice = dice;
    day->network = day_network(setup, day->rules);
    day_people(day->rules, day->booths, &day->judges, &day->entries, &day->confederates);
}

void day_play(const struct day_setup *setup, struct day_result *result)
{
    struct day *day = calloc(1, sizeof *day);
    struct day_mishap mishap[DAY_MISHAPS];
    memset(result, 0, sizeof *result);
    day->setup = *setup;
    draw(day);
    world_begin(setup->seed);
    world_program(day_program);
    world_greeting(day->rules->opening[0] ? day->rules->opening : NULL);
    day_watch(day);
    build(day);
    result->mishaps = day_mishaps_draw(mishap, setup);
    day_mishaps_begin(day, mishap, result->mishaps, setup->only);
    world_log(NULL, "%s, %u booths", day->rules->name, day->booths);
    unsigned trials = day->rules->trials ? day->rules->trials : 1;
    /* The Entry of the long bet may fail. */
    day->favourite = day->rules->trials ? (unsigned)dice_below(&day->dice, 2)
                                        : 1 + (unsigned)dice_below(&day->dice, day->entries);
    while (day->trial < trials && !day->wrong[0])
        hold_trial(day);
    day->calm = true;
    wait_for_desk(day);
    if (!day->wrong[0])
        day_desk_check(day);
    if (!day->wrong[0])
        day_judge(day);
    result->us = world_now();
    result->hash = world_hash();
    result->outcome = day->outcome;
    result->sessions = day->meetings;
    result->keys = day->keys;
    snprintf(result->wrong, sizeof result->wrong, "%s", day->wrong);
    free(day->pulling);
    day_forget(day);
    world_end();
    for (unsigned booth = 0; booth < DAY_BOOTHS; booth++)
        controller_destroy(day->controller[booth]);
    free(day);
}

static void run(const void *setup, void *result)
{
    day_play(setup, result);
}

void day_apart(const struct day_setup *setup, struct day_result *result)
{
    world_apart(run, setup, result, sizeof *result, setup->whole ? WHOLE_MOST_S : CPU_MOST_S);
}
