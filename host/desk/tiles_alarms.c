/* The alarms of a booth's tile: each fault in the words of its machine or of the desk, with the
 * manager's next action. */
#include "desk/tiles_private.h"

#include "journal/sync.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define TEXT      400
#define SILENT_S  15
#define TWICE_S   15         /* since a courier's number, or an old message, came again */
#define CLOCK_S   60         /* a wrong clock's least difference */
#define ROOM_NONE (1u << 20) /* bytes of a full disk, at most */
#define MIB       (1u << 20)

static void alarm_add(struct told *told, enum grade grade, const char *todo, const char *format,
                      ...) __attribute__((format(printf, 4, 5)));

static void alarm_add(struct told *told, enum grade grade, const char *todo, const char *format,
                      ...)
{
    char text[TEXT];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    json_comma(told->out);
    json_put(told->out, "{");
    json_field_number(told->out, "grade", grade);
    json_field(told->out, "text", text);
    json_field(told->out, "todo", todo);
    json_put(told->out, "}");
    if (grade > told->grade)
        told->grade = grade;
}

uint64_t tile_seconds_since(uint64_t then_us, uint64_t now_us)
{
    return now_us > then_us ? (now_us - then_us) / 1000000 : 0;
}

/* True if the machine itself reports its full disk; that report ends with the fault. */
static bool tells_disk(const struct tile_session *session, const struct tile_machine *judge)
{
    return session->disk[0] && !(judge->state.told && strstr(session->disk, "full"));
}

static void add_session(struct told *told, const struct tile *tile, unsigned booth,
                        const struct tile_file *file)
{
    static const char *const names[SIDES] = {"LEFT", "RIGHT"};
    char todo[80];
    snprintf(todo, sizeof todo, "Go to booth %u.", booth + 1);
    for (unsigned i = 0; i < SIDES; i++) {
        const struct tile_side *side = &file->session->side[i];
        if (side->called)
            alarm_add(told, GRADE_ALARM, todo, "%s: the steward is called.", names[i]);
        if (side->line[0] && !side->up && !tile_session_is_over(file->session))
            alarm_add(told, GRADE_ALARM, todo, "%s: %s", names[i], side->line);
    }
    if (tells_disk(file->session, TILE_MACHINE(tile, MACHINE_JUDGE)))
        alarm_add(told, GRADE_ALARM, "Make room on the disk of that machine.",
                  "The judge's machine: %s", file->session->disk);
}

/* True if the machine spoke with an earlier key and has not spoken with its present one. */
static bool lacks_key(const struct tile_machine *machine)
{
    return machine->known && !machine->heard && machine->files && machine->key_s > machine->grown_s;
}

/* Adds the alarm of a silent machine. Between sessions silence counts while another session is to
 * come. */
static void add_silence(struct told *told, const struct tiles *tiles, const struct tile *tile,
                        const struct tile_file *last, bool next)
{
    const struct tile_machine *judge = TILE_MACHINE(tile, MACHINE_JUDGE);
    uint64_t since_us = judge->heard ? judge->heard_us : tiles->began_us;
    uint64_t silent = tile_seconds_since(since_us, told->now.mono_us);
    if (silent < SILENT_S)
        return;
    if (last && tile_session_is_open(last->session))
        alarm_add(told, GRADE_ALARM,
                  "Look at its network cable. The session goes on without the desk, and the "
                  "records wait on that machine's disk.",
                  "Nothing came from the judge's machine for %llu s, in an open session.",
                  (unsigned long long)silent);
    else if (judge->known && judge->heard && next)
        alarm_add(told, GRADE_SOON,
                  "If it is switched on, look at its network cable. Records wait on its disk, and "
                  "tickets come by stick.",
                  "Nothing came from the judge's machine for %llu s.", (unsigned long long)silent);
}

static void add_clock(struct told *told, const struct tile_machine *machine, const char *name)
{
    int64_t ahead_s = machine->state.ahead_us / 1000000;
    unsigned long long off = (unsigned long long)(ahead_s < 0 ? -ahead_s : ahead_s);
    if (off < CLOCK_S)
        return;
    alarm_add(told, GRADE_SOON,
              "A watch tells which of the two is wrong. Set that clock between two sessions: times "
              "in its records are wrong until then, their order is not.",
              "The clock of %s is %llu h %02llu min %s the desk's.", name, off / 3600,
              off / 60 % 60, ahead_s < 0 ? "behind" : "ahead of");
}

static void add_room(struct told *told, const struct tile_machine *machine, const char *name)
{
    static const char todo[] = "Make room on the disk of that machine.";
    if (machine->state.room < ROOM_NONE)
        alarm_add(told, GRADE_ALARM, todo, "The disk of %s is full.", name);
    else if (machine->state.room < SYNC_ROOM_LOW)
        alarm_add(told, GRADE_SOON, todo, "The disk of %s is nearly full: %llu MiB left.", name,
                  (unsigned long long)(machine->state.room / MIB));
}

/* Faults of the machine's messages. */
static void add_faults(struct told *told, const struct tile_machine *machine, const char *name)
{
    const struct tile_fault *fault = machine->fault;
    if (fault[TILE_SEAL].text[0])
        alarm_add(told, GRADE_ALARM, fault[TILE_SEAL].todo, "Of %s nothing is taken: %s", name,
                  fault[TILE_SEAL].text);
    if (fault[TILE_TICKETS].text[0])
        alarm_add(told, GRADE_ALARM, fault[TILE_TICKETS].todo, "For %s there are no tickets: %s",
                  name, fault[TILE_TICKETS].text);
    if (fault[TILE_RECORDS].text[0])
        alarm_add(told, GRADE_ALARM, fault[TILE_RECORDS].todo, "Of %s a record is not taken: %s",
                  name, fault[TILE_RECORDS].text);
}

/* Faults that the machine's courier tells. */
static void add_state(struct told *told, const struct tile_machine *machine, const char *name)
{
    const struct tile_state *state = &machine->state;
    if (state->again_us && tile_seconds_since(state->again_us, told->now.mono_us) < TWICE_S)
        alarm_add(told, GRADE_SOON,
                  "Somebody who has the network or its server has kept them, and sends them again. "
                  "None of them counts; look who that is.",
                  "Messages of %s come again that were here before.", name);
    if (!state->told)
        return;
    add_room(told, machine, name);
    add_clock(told, machine, name);
    if (state->twice_us && tile_seconds_since(state->twice_us, told->now.mono_us) < TWICE_S)
        alarm_add(
            told, GRADE_ALARM,
            "Switch off the one that does not belong there. If none of them is yours, the key "
            "is stolen: take it back, and bring a new one by stick.",
            "Two machines are at work in the place of %s.", name);
    if (state->ticket[0])
        alarm_add(told, GRADE_SOON, "Write the sticks anew, and put in that room's stick.",
                  "Stick and desk have brought %s different tickets (%s). The stick's count.", name,
                  state->ticket);
}

static bool is_own(const struct tile_file *file)
{
    return !file->other && (file->session ? file->session->headed : file->contest[0]);
}

/* True from a record of another contest to the machine's next one of this contest. */
static bool has_other(const struct tile_machine *machine)
{
    uint64_t other_us = 0, own_us = 0;
    bool other = false, own = false;
    for (size_t i = 0; i < machine->files; i++) {
        const struct tile_file *file = &machine->file[i];
        if (file->other && file->grown_us >= other_us)
            other_us = file->grown_us;
        else if (is_own(file) && file->grown_us >= own_us)
            own_us = file->grown_us;
        other |= file->other;
        own |= is_own(file);
    }
    return other && !(own && own_us >= other_us);
}

void tile_alarms_write(struct told *told, const struct tiles *tiles, unsigned booth,
                       const struct tile_file *last, bool next)
{
    const struct tile *tile = &tiles->tile[booth];
    if (last)
        add_session(told, tile, booth, last);
    add_silence(told, tiles, tile, last, next);
    for (unsigned m = 0; m < MACHINE_CABLE_B; m++) {
        const struct tile_machine *machine = &tile->machine[m];
        add_faults(told, machine, tile_machine_names[m]);
        if (lacks_key(machine))
            alarm_add(told, GRADE_SOON,
                      "Write the sticks anew, and put in that room's stick, which brings the key.",
                      "The desk has a new key for %s, with which nothing has come yet.",
                      tile_machine_names[m]);
        add_state(told, machine, tile_machine_names[m]);
        if (has_other(machine))
            alarm_add(told, GRADE_SOON,
                      "Put in the stick of this contest at that machine: it lays the others' "
                      "records aside.",
                      "From %s came a record of another contest, which is not shown.",
                      tile_machine_names[m]);
        if (machine->open_copies)
            alarm_add(told, GRADE_SOON, "Take the records in: both are kept, and settled then.",
                      "From %s came two different records of one name.", tile_machine_names[m]);
    }
}
