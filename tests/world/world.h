/* A world in one process and one thread, in simulated time: machines with clocks and disks, the
 * product's real terminals as processes on them, serial cables, and persons at the screens. One
 * seed decides everything, so the same seed gives the same bytes.
 *
 * A test includes scene.h for a booth that is ready to talk; this file has the parts. The files
 * uv.c, loop.c, disk.c, serial_port.c and screens.c stand in for libuv and for the host's files of
 * those names, and are linked in their place; world_private.h is for them. Times are in us. */
#ifndef WORLD_WORLD_H
#define WORLD_WORLD_H

#include "screen/screen.h"
#include "tests/support/random.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SECOND 1000000ull

/* Begins a world, and ends it: one at a time. */
void world_begin(uint64_t seed);
void world_end(void);

/* Time since the world began. Machines have clocks of their own. */
uint64_t world_now(void);

/* Calls fn at that time, or now if it is past; in the order of the calls where times are equal. */
void world_at(uint64_t at_us, void (*fn)(void *ctx), void *ctx);

/* Lets the next thing happen; false: nothing is left. world_run lets happen all until then. */
bool world_step(void);
void world_run(uint64_t until_us);

/* Dice of the seed. Who draws much, or not always, has dice of his own, so that others' numbers do
 * not depend on it: world_dice(1), world_dice(2) ... are the seed's, apart from each other. */
uint64_t world_roll(uint64_t below);
struct dice world_dice(uint64_t number);

/* From here on all that is drawn and mixed is beside the seed's day: other dice, and no part of its
 * hash. Processes that start then stay beside, with all that they do: a day is the same day with
 * them and without. Returns the state before. */
bool world_beside(bool beside);

/* A hash of all that has happened: bytes on cables and disks, keys, starts and ends. */
uint64_t world_hash(void);
void world_mix(const void *bytes, size_t length);

/* A line in the log, headed by the time, where the log is on. who may be NULL. */
extern bool world_logs;
void world_log(const char *who, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Ends the program with a line: the world is used wrongly, or cannot do what it should. */
void world_die(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* Machines. */
struct machine;

/* Switched on, with a clock that was set, and a folder for its records. While the world lasts, all
 * folders are below the working one. */
struct machine *machine_create(const char *name);
const char *machine_name(const struct machine *machine);
const char *machine_folder(const struct machine *machine);

/* No process of it runs for so long. */
void machine_stall(struct machine *machine, uint64_t for_us);
/* When it stood still last, the end of that; 0: never. */
uint64_t machine_stalled_us(const struct machine *machine);
/* Who awakes there does so up to so much later; 100 at first. */
void machine_slow(struct machine *machine, uint32_t latency_us);
/* Its wall clock is set forward, or back. */
void machine_step(struct machine *machine, int64_t by_us);
/* The disk has room for so many more bytes; UINT64_MAX: no limit. */
void machine_fill(struct machine *machine, uint64_t room);
/* Syncs fail, or succeed again. */
void machine_spoil(struct machine *machine, bool spoilt);
/* The least number of its bytes in that file after a power cut. */
uint64_t machine_synced(const struct machine *machine, const char *path);
/* True: a process of it has locked a file. */
bool machine_locks(const struct machine *machine);
/* Another machine has written its file of that path: it is on the disk now as it is. */
void machine_wrote(struct machine *machine, const char *path);

/* Its processes end, and what its disk had not synced is lost, in whole or in part. Its next
 * process runs in another boot, with another monotonic clock. */
void machine_cut_power(struct machine *machine);

/* The same, and another machine stands in its place, with nothing on its disk. */
void machine_replace(struct machine *machine);

/* Processes. */
struct process;

/* Starts main there, some ms later, beside what runs there already. */
struct process *machine_run(struct machine *machine, int (*main)(void *arg), void *arg);
struct machine *process_machine(const struct process *process);
bool process_lives(const struct process *process);
int process_status(const struct process *process); /* what main returned; -1: it was killed */

/* kill -9: now; or in the midst of its work, before it makes its calls-th next call of the system
 * (appending to a file, writing to a line, drawing), from 1. With power: the machine's power is cut
 * then. */
void process_kill(struct process *process);
void process_fuse(struct process *process, unsigned calls, bool power);
/* Then fn is called instead, and the process goes on. */
void process_fuse_call(struct process *process, unsigned calls, void (*fn)(void *ctx), void *ctx);

/* The program that all start, see world_program(), with these words, of which the last is NULL. */
struct process *machine_program(struct machine *machine, char *const *words);
/* The word behind that one; NULL: it has none such. */
const char *process_option(const struct process *process, const char *name);
/* kill -9 to all its processes. */
void machine_kill(struct machine *machine);

/* A signal, as SIGTERM: a process whose loops do not watch for it is killed. */
void process_signal(struct process *process, int number);

/* The program that a process starts with uv_spawn: another process of that machine, which outlives
 * the first. Set it after world_begin. */
void world_program(int (*main)(int argc, char **argv));

/* Sticks: folders that come and go. */
struct stick;

/* A stick that is in no machine, whose files are in a folder of that name. */
struct stick *stick_create(const char *name);
/* Puts it into a machine, where it is FOLDER/stick; each machine has it either by a folder that
 * comes, or by a mount over an empty one. One at a time. */
void stick_put(struct stick *stick, struct machine *machine);
/* Takes it out; what was not synced is lost, in whole or in part. */
void stick_pull(struct stick *stick);
/* In this world it is a call, too, when a process makes a watch of a folder, or gives one up. */
void world_watches_are_calls(void);
/* The machine has no watch left for any folder. */
void machine_blind(struct machine *machine);
/* NULL: it is in none. */
struct machine *stick_machine(const struct stick *stick);

/* The Entries of all machines say this first; NULL, as at the beginning: "Hello". They count the
 * lines that they answer, or repeat them from now on: "I hear LINE." */
void world_greeting(const char *text);
/* They are not ready before it is false, as at the beginning. */
void world_slow_entries(bool slow);
void world_entries_repeat(void);
/* The Entry that a terminal there has started ends, as after a fault of its own; false: none runs.
 */
bool world_entry_end(struct machine *machine);
/* The brief that it has had at its start, "" without. */
const char *world_entry_told(const struct machine *machine);

/* Serial cables. */
struct cable;

/* A null-modem cable between two machines, with an adapter at each end that is /dev/NAME there. */
struct cable *cable_create(const char *name, struct machine *a, struct machine *b);
/* The port of its end 0 or 1, as it is given to a terminal. */
const char *cable_port(const struct cable *cable, unsigned end);
void cable_plug(struct cable *cable, bool plugged);
/* A relay between its ends joins it, or cuts it. */
void cable_join(struct cable *cable, bool joined);
/* An adapter that holds bytes back may hand over later ones first, which no wire does: not on this
 * cable. */
void cable_order(struct cable *cable);
/* Of a million bytes so many have a wrong bit. */
void cable_noise(struct cable *cable, unsigned per_million);
/* The adapter at that end is pulled out of its machine, or is there again. */
void cable_adapter(struct cable *cable, unsigned end, bool present);
/* The port at that end was opened so many times. */
unsigned cable_openings(const struct cable *cable, unsigned end);
uint64_t cable_bytes(const struct cable *cable);

/* The person at the screen of a process. */
void person_press(struct process *process, uint32_t point);
void person_command(struct process *process, enum screen_command command);
/* Another key, for who has keys of its own: a ballot, a board. Else it is ignored. */
void person_input(struct process *process, enum input_what what);
/* What was drawn last; NULL: nothing. */
const struct screen_model *person_sees(const struct process *process);
/* The process that has the screen of a machine now, and what is on it; NULL: none. */
struct process *machine_screen(const struct machine *machine);
const struct screen_model *machine_sees(const struct machine *machine);

/* What is told of all that happens, for oracles. Set it after world_begin. */
struct world_watch {
    void *ctx;
    /* Bytes that a process has appended to a file, whole as the host appended them. */
    void (*appended)(void *ctx, struct machine *machine, const char *path, const uint8_t *bytes,
                     size_t length);
    /* A machine's power was cut, and its files are as they will be found. */
    void (*lost_power)(void *ctx, struct machine *machine);
    void (*drawn)(void *ctx, struct process *process, const struct screen_model *model);
    /* An assertion of the host does not hold, or its loop spins; the process ends over it. */
    void (*failed)(void *ctx, struct process *process, const char *line);
    /* A command of a person, or a key, has reached the terminal. */
    void (*commanded)(void *ctx, struct process *process);
    void (*pressed)(void *ctx, struct process *process, uint32_t point);
    /* A key of an Entry is about to be handed to the terminal. */
    void (*entry_typed)(void *ctx, struct process *process, uint32_t point);
};
void world_watch(const struct world_watch *watch);

#endif
