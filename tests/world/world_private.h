/* The inside of the world, for the files that stand in for the system's. */
#ifndef WORLD_WORLD_PRIVATE_H
#define WORLD_WORLD_PRIVATE_H

#include "tests/world/world.h"

#include "base/time.h"

#include <ucontext.h>

struct loop;   /* uv.c */
struct viewer; /* screens.c */
struct kept;   /* disk.c: what of a file was synced */

struct machine {
    struct machine *next;
    char name[24];
    int ppm;          /* its clocks run so much faster than the world's */
    uint64_t booted;  /* the world's time of its boot, */
    uint64_t mono_us; /* and its monotonic clock then */
    int64_t wall_us;  /* its wall clock, less the monotonic one */
    uint8_t boot[16];
    uint64_t stalled_until;
    uint32_t latency_us, sync_us;
    uint64_t room;
    bool spoilt, blind;
    unsigned mounts; /* changes of them, counted */
    struct kept *files;
};

struct process {
    struct process *next;
    struct machine *machine;
    ucontext_t context;
    void *stack;
    void *fake_stack; /* AddressSanitizer's */
    int (*main)(void *arg);
    void *arg;
    int status;
    int killed_by;  /* a signal */
    int complaints; /* of a spawned process: where its standard error goes; 0: as ours */
    char *words;    /* of a spawned process: its arguments, each with its NUL, and one NUL more */
    enum { PROCESS_READY, PROCESS_RUNS, PROCESS_WAITS, PROCESS_SLEEPS, PROCESS_ENDED } state;
    uint64_t turn; /* counts its awakenings: one that was asked for before is void */
    unsigned fuse; /* calls until it is killed; 0: it is not */
    bool fuse_power;
    void (*fuse_fn)(void *ctx); /* or until this is called */
    void *fuse_ctx;
    struct loop *loops;
    struct viewer *viewer;
    bool beside; /* the day: world_beside() */
};

extern bool watches_are_calls;
extern struct process *process_current; /* NULL: none runs */

/* Every process, the youngest first. */
extern struct process *processes;

/* The present process waits until then (the world's time, BL_NEVER) or until it is poked; or sleeps
 * until then whatever happens. */
void process_wait(uint64_t until_us);
void process_sleep(uint64_t until_us);
void process_poke(struct process *process);

/* The present process makes a call, at which it may be killed: then this does not return. */
void process_call(void);

/* The present process ends here; or over a fault of its own, which is told. */
void process_die(void) __attribute__((noreturn));
void process_fail(const char *line) __attribute__((noreturn));

/* Runs fn as if the process did, in a thread of its own. */
void process_lend(struct process *process, void (*fn)(void *ctx), void *ctx);

/* The clocks of the present process's machine; without one, the world's. */
uint64_t machine_mono_us(void);
uint64_t machine_wall_us(void);
/* The world's time when the monotonic clock of the present machine shows that. */
uint64_t machine_when(uint64_t mono_us);

/* The machine's folder of what a power cut takes as a whole. */
#define MACHINE_RUN "run"

/* Parts of a process or a machine that other files keep. */
void loops_forget(struct process *process);
/* Lets a process that has spawned this one know of its end. */
void loops_end_child(const struct process *process);
/* Wakes the loops of a process that watch for a signal; false: none does. */
bool loops_signal(struct process *process, int number);
void ports_forget(struct process *process);
void viewer_forget(struct process *process);
void disk_forget(struct process *process);
void disk_lose(struct machine *machine);
void disk_wipe(struct machine *machine);
void disk_end(void);

/* Files on a disk below a folder of the working one ("m/") that were written as a whole, but had no
 * time to be synced, are as before, or new. */
void files_lose(const char *below);
void files_end(void);
void disk_free(struct machine *machine);
void network_end(void);
void sticks_end(void);
void entries_end(void);
void speakers_end(void);

/* An Entry's hearing of the judge, and its answer, which comes at a Return. */
#define ANSWER_MOST 160
struct program;
/* The Entry that a program has started: its address. */
const void *entry_box(const struct program *program);
struct heard {
    char line[128]; /* not ended yet */
    size_t length;
    unsigned lines;
};
bool heard_key(struct heard *heard, uint32_t point, char answer[ANSWER_MOST]);
void cables_end(void);
void machines_begin(void);
void machines_end(void);

/* Something of that name came into or went from a machine's folder. */
void loops_tell(const struct machine *machine, const char *folder, const char *name);

/* Descriptors that poll: those of the ports. Which of these events is ready; poll is always ready
 * with what is asked for once the device has gone. */
int port_ready(int fd, int events);

extern struct world_watch world_watcher;

#endif
