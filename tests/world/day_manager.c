/* The manager: his machine's files, and the commands that he types. */
#include "box.h"
#include "day.h"
#include "typed.h"

#include "base/file.h"
#include "booth/ticket_file.h"
#include "rules/stick.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STICKS "manager/sticks/"

static const char *const rooms[ROOMS] = {"judges-room", "back-room"};

const char *day_command(struct day *day, const char *words, ...)
{
    char line[2048];
    int code;
    va_list args;
    va_start(args, words);
    vsnprintf(line, sizeof line, words, args);
    va_end(args);
    const char *said = typed_run(day->manager, line, &code);
    if (code != 0 && code != day->may_end_with)
        day_wrong(day, "manager", "boothlink %s: %d, %s; %s", line, code, typed_complaints(), said);
    return said;
}

static void write_text(const char *path, const char *text)
{
    struct bl_diag diag;
    if (file_write(path, text, strlen(text), &diag))
        world_die("%s", diag.text);
}

/* Texts that grow. */
struct text {
    char text[32768];
    size_t length;
};

static void __attribute__((format(printf, 2, 3))) add(struct text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    t->length += (size_t)vsnprintf(t->text + t->length, sizeof t->text - t->length, format, args);
    va_end(args);
    if (t->length >= sizeof t->text)
        world_die("a text is too long");
}

/* The rules with their plan shortened, or with a venue's where they name none. */
static void write_ruleset(struct day *day)
{
    const char *plan = day->setup.whole ? day->rules->whole : day->rules->plan;
    struct text t = {.length = 0};
    const char *at = day_command(day, "contest|rulesets|%s", day->rules->name);
    snprintf(day->plan_text, sizeof day->plan_text, "%s", plan ? plan : "");
    while (*at) {
        size_t length = strcspn(at, "\n");
        if (!plan && strncmp(at, "plan = ", 7) == 0)
            snprintf(day->plan_text, sizeof day->plan_text, "%.*s", (int)length - 7, at + 7);
        if (strncmp(at, "name = ", 7) == 0)
            add(&t, "name = compressed\n");
        else if (plan && strncmp(at, "[session]", 9) == 0)
            add(&t, "[session]\nplan = %s\n", plan);
        else if (!day->setup.whole && day->rules->least && strncmp(at, "answer-least = ", 15) == 0)
            add(&t, "%s\n", day->rules->least);
        else if (!plan || (strncmp(at, "plan = ", 7) != 0 && strncmp(at, "; no plan: ", 11) != 0))
            add(&t, "%.*s\n", (int)length, at);
        at += length + (at[length] == '\n');
    }
    write_text("manager/compressed.ini", t.text);
}

static void add_person(struct text *t, const char *key, const char *name, unsigned i, unsigned ill)
{
    if (i == ill)
        add(t, "%s%u = Substitute\n", key, i);
    else
        add(t, "%s%u = %s %u\n", key, i, name, i);
}

static void write_people(const struct day *day)
{
    struct text t = {.length = 0};
    add(&t, "[contest]\nformat = 1\nname = A day\nruleset = compressed.ini\n[people]\n");
    for (unsigned i = 1; i <= day->judges; i++)
        add_person(&t, "judge", "Judge", i, day->ill_judge);
    for (unsigned i = 1; i <= day->entries; i++)
        add(&t,
            "entry%u = Entry %u\nentry%u.submitter = Author %u\nentry%u.rights = yes\n"
            "entry%u.receipt = yes\n",
            i, i, i, i, i, i);
    for (unsigned i = 1; i <= day->entries && day->rules->comms; i++)
        add(&t, "entry%u.comms = line 1.0\n", i);
    for (unsigned i = 1; i <= day->confederates; i++) {
        add_person(&t, "confederate", "Confederate", i, day->ill_confederate);
        add(&t, "confederate%u.unknown = yes\n", i);
    }
    write_text("manager/people.ini", t.text);
}

static void write_venue(const struct day *day)
{
    struct text t = {.length = 0};
    add(&t, "[venue]\nformat = 1\nbegin = ready\n");
    if (day->network == DESK_NETWORK_JUDGES)
        add(&t, "desk-network = judges\n");
    add(&t, "[machines]\n");
    for (unsigned booth = 0; booth < day->booths; booth++) {
        for (unsigned cable = 0; cable < (day->rules->pairs ? 2 : 1); cable++) {
            add(&t, "booth%u.judge-%c = %s\n", booth + 1, "ab"[cable],
                cable_port(day->cable[booth][cable], 0));
            add(&t, "booth%u.entity-%c = %s\n", booth + 1, "ab"[cable],
                cable_port(day->cable[booth][cable], 1));
        }
        if (day->rules->pairs)
            add(&t, "booth%u.either = yes\n", booth + 1);
        if (day->controller[booth])
            add(&t, "booth%u.controller = %s\n", booth + 1,
                cable_port(controller_cable(day->controller[booth]), 0));
    }
    for (unsigned i = 1; i <= day->entries; i++)
        add(&t, "entry%u.program = ./entry\n", i);
    write_text("manager/venue.ini", t.text);
}

/* "  round 1: J1E1C2 J2E2C1", "  trial 2, round 5: J1E1". */
static void read_schedule(struct day *day, const char *text)
{
    unsigned trial, round, before = day->rounds;
    int used;
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += line != text;
        trial = 1;
        used = 0;
        if (sscanf(line, " trial %u, round %u:%n", &trial, &round, &used) != 2 &&
            sscanf(line, "  round %u:%n", &round, &used) != 1)
            continue;
        if (!used || round <= before)
            continue;
        for (const char *at = line + used; *at == ' '; at++, at += strcspn(at, " \n")) {
            struct meeting *m = &day->meeting[day->meetings++];
            const char *entry = strpbrk(at + 1, "EC \n");
            *m = (struct meeting){.trial = trial, .round = round};
            if (day->meetings == DAY_MEETINGS)
                world_die("too many sessions");
            m->judge = (unsigned)atoi(at + 2);
            for (; entry && (*entry == 'E' || *entry == 'C'); entry = strpbrk(entry + 1, "EC \n"))
                *(*entry == 'E' ? &m->entry : &m->confederate) = (unsigned)atoi(entry + 1);
            snprintf(m->session, sizeof m->session, "r%u-j%u", round, m->judge);
            day->rounds = round > day->rounds ? round : day->rounds;
        }
    }
    if (day->rounds == before)
        world_die("no schedule in:\n%s", text);
}

static struct seat *seat_of(struct day *day, unsigned booth, bool judge, unsigned cable)
{
    for (unsigned i = 0; i < day->seats; i++) {
        struct seat *s = &day->seat[i];
        if (s->booth == booth && s->judge == judge && (judge || s->cable == cable))
            return s;
    }
    world_die("there is no such seat");
}

/* False: that place has no ticket of the session. */
static bool load_ticket(const struct seat *seat, const struct meeting *m, struct ticket *ticket)
{
    char path[200];
    snprintf(path, sizeof path, STICKS "%s/" STICK_FOLDER "/%s/%03u%s.ticket",
             rooms[seat->judge ? ROOM_JUDGES : ROOM_BACK], machine_name(seat->machine), m->round,
             m->again ? "-2" : "");
    return ticket_load(ticket, path, seat->judge ? "judge" : "entity", NULL) == BL_OK;
}

/* The seats, which nobody at a venue but the manager knows. */
static void read_tickets(struct day *day, struct meeting *m)
{
    struct ticket judge, entity;
    for (unsigned booth = 1; booth <= day->booths; booth++) {
        struct seat *seat = seat_of(day, booth, true, 0);
        if (!load_ticket(seat, m, &judge) || strcmp(judge.session, m->session) != 0)
            continue;
        m->booth = booth;
        m->seat[0] = seat;
        for (unsigned side = 0; side < (day->rules->pairs ? 2 : 1); side++) {
            int cable = side == SIDE_LEFT ? judge.left_cable : judge.right_cable;
            m->seat[1 + side] = seat_of(day, booth, false, cable ? (unsigned)cable - 1 : side);
            if (load_ticket(m->seat[1 + side], m, &entity) && entity.keyboard[0])
                m->human = (enum side)side;
        }
        return;
    }
    world_die("%s has no ticket", m->session);
}

/* Tickets that are others now. */
static void write_again(struct day *day)
{
    day_command(day, "contest|tickets|manager/contest.db|--venue|manager/venue.ini|--out|"
                     "manager/sticks");
}

void day_substitute(struct day *day)
{
    bool judge = !day->confederates || dice_below(&day->dice, 2);
    unsigned who = 1 + (unsigned)dice_below(&day->dice, judge ? day->judges : day->confederates);
    *(judge ? &day->ill_judge : &day->ill_confederate) = who;
    world_log("manager", "%c%u falls ill", judge ? 'J' : 'C', who);
    day_command(day,
                "contest|substitute|manager/contest.db|%c%u|Substitute|--why|fell ill|"
                "--author|Manager%s",
                judge ? 'J' : 'C', who, judge ? "" : "|--unknown");
    if (!strstr(day_command(day, "contest|show|manager/contest.db"), "Substitute"))
        day_wrong(day, "manager", "who came for %c%u is not in the contest", judge ? 'J' : 'C',
                  who);
    write_again(day);
}

struct meeting *day_repeat(struct day *day, struct meeting *spoiled)
{
    struct meeting *m = &day->meeting[day->meetings++];
    if (day->meetings == DAY_MEETINGS)
        world_die("too many sessions");
    world_log("manager", "%s is to be held again", spoiled->session);
    day_command(day, "contest|repeat|manager/contest.db|%s|--why|spoiled|--author|Manager",
                spoiled->session);
    write_again(day);
    *m = *spoiled;
    m->again = spoiled->spoiled = true;
    m->given = false;
    snprintf(m->session, sizeof m->session, "r%u-j%u-2", m->round, m->judge);
    if (!day->wrong[0])
        read_tickets(day, m);
    return m;
}

static void read_sessions(struct day *day)
{
    unsigned had = day->meetings;
    read_schedule(day, day_command(day, "contest|show|manager/contest.db"));
    for (unsigned i = had; i < day->meetings; i++)
        read_tickets(day, &day->meeting[i]);
}

void day_set_up_trial(struct day *day)
{
    write_people(day);
    day_command(day, "contest|setup|manager/people.ini|manager/venue.ini|--author|Manager|--few|"
                     "--trial");
    if (!day->wrong[0])
        read_sessions(day);
}

void day_set_up(struct day *day)
{
    write_ruleset(day);
    day_controllers_begin(day);
    write_people(day);
    write_venue(day);
    day_command(day, "contest|setup|manager/people.ini|manager/venue.ini|--author|Manager|--few");
    if (day->wrong[0])
        return;
    read_sessions(day);
    for (unsigned room = 0; room < ROOMS; room++) {
        char name[64];
        snprintf(name, sizeof name, STICKS "%s", rooms[room]);
        day->stick[room] = stick_create(name);
    }
}
