/* Machines and their processes. A process is a coroutine: it runs until it waits, in uv_run or in
 * bl_sleep_until, or until a fuse ends it at a call. */
#include "world_private.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
#define FIBERS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FIBERS 1
#endif
#endif
#ifdef FIBERS
#include <sanitizer/common_interface_defs.h>
#endif

#define STACK_SIZE (1u << 20)
#define EPOCH_US   1795000000000000 /* wall clocks begin about here */

struct process *process_current, *processes;
static struct machine *machines;
static ucontext_t scheduler;
#ifdef FIBERS
static const void *scheduler_stack;
static size_t scheduler_size;
#endif

/* Clocks. */

static uint64_t ran_us(const struct machine *m, uint64_t world_us)
{
    return world_us + (uint64_t)((int64_t)world_us * m->ppm / 1000000);
}

static uint64_t mono_of(const struct machine *m)
{
    return m->mono_us + ran_us(m, world_now() - m->booted);
}

uint64_t machine_mono_us(void)
{
    return process_current ? mono_of(process_current->machine) : world_now();
}

uint64_t machine_wall_us(void)
{
    if (!process_current)
        return world_now();
    return (uint64_t)(process_current->machine->wall_us +
                      (int64_t)mono_of(process_current->machine));
}

uint64_t machine_when(uint64_t mono_us)
{
    const struct machine *m = process_current->machine;
    if (mono_us == BL_NEVER || mono_us <= m->mono_us)
        return mono_us == BL_NEVER ? BL_NEVER : world_now();
    int64_t left = (int64_t)(mono_us - m->mono_us);
    uint64_t at = (uint64_t)(left - left * m->ppm / (1000000 + m->ppm));
    while (ran_us(m, at) < (uint64_t)left)
        at++;
    return m->booted + at;
}

/* Machines. */

/* The wall clock goes on without power; the monotonic one starts anew. */
static void boot(struct machine *m)
{
    int64_t wall_us = m->wall_us + (int64_t)mono_of(m);
    m->booted = world_now();
    m->mono_us = (5 + world_roll(600)) * SECOND + world_roll(SECOND);
    m->wall_us = wall_us - (int64_t)m->mono_us;
    for (unsigned i = 0; i < sizeof m->boot; i++)
        m->boot[i] = (uint8_t)world_roll(256);
}

struct machine *machine_create(const char *name)
{
    struct machine *m = calloc(1, sizeof *m);
    snprintf(m->name, sizeof m->name, "%s", name);
    if (mkdir(m->name, 0700))
        world_die("%s cannot be made", m->name);
    m->ppm = (int)world_roll(101) - 50;
    m->wall_us = EPOCH_US + (int64_t)world_roll(2 * SECOND);
    m->latency_us = 100;
    m->sync_us = 500 + (uint32_t)world_roll(30000);
    m->room = UINT64_MAX;
    boot(m);
    m->next = machines;
    machines = m;
    return m;
}

const char *machine_name(const struct machine *m)
{
    return m->name;
}

const char *machine_folder(const struct machine *m)
{
    return m->name;
}

void machine_stall(struct machine *m, uint64_t for_us)
{
    if (m->stalled_until < world_now() + for_us)
        m->stalled_until = world_now() + for_us;
}

uint64_t machine_stalled_us(const struct machine *m)
{
    return m->stalled_until;
}

void machine_slow(struct machine *m, uint32_t latency_us)
{
    m->latency_us = latency_us;
}

void machine_step(struct machine *m, int64_t by_us)
{
    m->wall_us += by_us;
}

void machine_fill(struct machine *m, uint64_t room)
{
    m->room = room;
}

void machine_spoil(struct machine *m, bool spoilt)
{
    m->spoilt = spoilt;
}

void machine_blind(struct machine *m)
{
    m->blind = true;
}

/* Processes. */

/* From the scheduler into a process, until it gives up the processor. */
static void enter(struct process *p)
{
    struct process *before = process_current;
    bool beside = world_beside(p->beside);
    process_current = p;
    p->state = PROCESS_RUNS;
#ifdef FIBERS
    void *fake;
    __sanitizer_start_switch_fiber(&fake, p->stack, STACK_SIZE);
    swapcontext(&scheduler, &p->context);
    __sanitizer_finish_switch_fiber(fake, NULL, NULL);
#else
    swapcontext(&scheduler, &p->context);
#endif
    world_beside(beside);
    process_current = before;
}

/* From the present process back to the scheduler. */
static void leave(void)
{
    struct process *p = process_current;
#ifdef FIBERS
    __sanitizer_start_switch_fiber(&p->fake_stack, scheduler_stack, scheduler_size);
    swapcontext(&p->context, &scheduler);
    __sanitizer_finish_switch_fiber(p->fake_stack, &scheduler_stack, &scheduler_size);
#else
    swapcontext(&p->context, &scheduler);
#endif
}

/* Standard error is that of the present process. */
static ssize_t complain(void *ctx, const char *bytes, size_t length)
{
    int fd = process_current && process_current->complaints ? process_current->complaints
                                                            : STDERR_FILENO;
    (void)ctx;
    if (process_current && !process_current->complaints && process_current->words) {
        /* a machine's own program: its journal is nobody's */
        world_log(process_current->machine->name, "says: %.*s", (int)length - 1, bytes);
        return (ssize_t)length;
    }
    return write(fd, bytes, length);
}

void machines_begin(void)
{
    static FILE *file;
    if (!file)
        file = fopencookie(NULL, "w", (cookie_io_functions_t){.write = complain});
    if (!file)
        world_die("no standard error");
    setvbuf(file, NULL, _IONBF, 0);
    stderr = file;
}

/* Takes from it all that the system takes from a process that has ended, and tells its parent. */
static void release(struct process *p)
{
    p->state = PROCESS_ENDED;
    ports_forget(p);
    viewer_forget(p);
    loops_forget(p);
    disk_forget(p);
    if (p->complaints)
        close(p->complaints);
    loops_end_child(p);
}

static void begin(void)
{
    struct process *p = process_current;
#ifdef FIBERS
    __sanitizer_finish_switch_fiber(NULL, &scheduler_stack, &scheduler_size);
#endif
    p->status = p->main(p->arg);
    release(p);
    world_mix("end", 3);
    world_log(p->machine->name, "has ended with %d", p->status);
    leave();
}

/* An awakening that was asked for; void if the process had another turn since. */
struct awakening {
    struct process *process;
    uint64_t turn;
};

static void on_awake(void *ctx)
{
    struct awakening *a = ctx;
    struct process *p = a->process;
    if (p->state == PROCESS_ENDED || p->turn != a->turn) {
        free(a);
    } else if (p->machine->stalled_until > world_now()) {
        world_at(p->machine->stalled_until, on_awake, a);
    } else {
        free(a);
        p->turn++;
        enter(p);
    }
}

static void awake_at(struct process *p, uint64_t at_us)
{
    struct awakening *a = malloc(sizeof *a);
    bool beside = world_beside(p->beside);
    *a = (struct awakening){p, p->turn};
    world_at(at_us + 10 + world_roll(p->machine->latency_us), on_awake, a);
    world_beside(beside);
}

void process_poke(struct process *p)
{
    if (p && p->state == PROCESS_WAITS)
        awake_at(p, world_now());
}

static void give_up(int state, uint64_t until_us)
{
    struct process *p = process_current;
    p->state = state;
    if (until_us != BL_NEVER)
        awake_at(p, until_us);
    leave();
}

void process_wait(uint64_t until_us)
{
    give_up(PROCESS_WAITS, until_us);
}

void process_sleep(uint64_t until_us)
{
    give_up(PROCESS_SLEEPS, until_us);
}

void process_lend(struct process *p, void (*fn)(void *ctx), void *ctx)
{
    struct process *before = process_current;
    process_current = p;
    fn(ctx);
    process_current = before;
}

struct process *machine_run(struct machine *m, int (*main)(void *arg), void *arg)
{
    struct process *p = calloc(1, sizeof *p);
    p->machine = m;
    p->main = main;
    p->arg = arg;
    p->beside = world_beside(false);
    world_beside(p->beside);
    p->status = -1;
    p->stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
    if (p->stack == MAP_FAILED || getcontext(&p->context))
        world_die("no memory for a process");
    p->context.uc_stack.ss_sp = p->stack;
    p->context.uc_stack.ss_size = STACK_SIZE;
    p->context.uc_link = NULL;
    makecontext(&p->context, begin, 0);
    p->next = processes;
    processes = p;
    world_log(m->name, "starts");
    awake_at(p, world_now() + 1000 + world_roll(20000));
    return p;
}

struct machine *process_machine(const struct process *p)
{
    return p->machine;
}

bool process_lives(const struct process *p)
{
    return p && p->state != PROCESS_ENDED;
}

int process_status(const struct process *p)
{
    return p->status;
}

static void bury(struct process *p)
{
    p->status = -1;
    if (!p->killed_by)
        p->killed_by = SIGKILL;
    release(p);
    if (!p->beside)
        world_mix("kill", 4);
}

void process_kill(struct process *p)
{
    if (!process_lives(p))
        return;
    if (p == process_current)
        world_die("a process cannot kill itself");
    world_log(p->machine->name, "is killed");
    bury(p);
}

void process_signal(struct process *p, int number)
{
    if (!process_lives(p))
        return;
    world_log(p->machine->name, "gets signal %d", number);
    if (number == SIGKILL || !loops_signal(p, number)) {
        p->killed_by = number;
        process_kill(p);
    }
}

void process_fuse(struct process *p, unsigned calls, bool power)
{
    p->fuse = calls;
    p->fuse_power = power;
    p->fuse_fn = NULL;
}

void process_fuse_call(struct process *p, unsigned calls, void (*fn)(void *ctx), void *ctx)
{
    p->fuse = calls;
    p->fuse_fn = fn;
    p->fuse_ctx = ctx;
}

void machine_kill(struct machine *m)
{
    for (struct process *p = processes; p; p = p->next)
        if (p->machine == m)
            process_kill(p);
}

static void lose_files(struct machine *m)
{
    char below[sizeof m->name + 1];
    disk_lose(m);
    snprintf(below, sizeof below, "%s/", m->name);
    files_lose(below);
}

static void lose_power(struct machine *m)
{
    world_log(m->name, "loses power");
    lose_files(m);
    boot(m);
    if (world_watcher.lost_power)
        world_watcher.lost_power(world_watcher.ctx, m);
}

void machine_cut_power(struct machine *m)
{
    machine_kill(m);
    lose_power(m);
}

void machine_replace(struct machine *m)
{
    machine_kill(m);
    lose_files(m);
    disk_wipe(m);
    lose_power(m);
}

void process_die(void)
{
    bury(process_current);
    leave();
    world_die("a process that has ended goes on");
}

void process_fail(const char *line)
{
    if (!process_current)
        world_die("%s", line);
    if (world_watcher.failed)
        world_watcher.failed(world_watcher.ctx, process_current, line);
    process_die();
}

void process_call(void)
{
    struct process *p = process_current;
    if (!p || p->state != PROCESS_RUNS || !p->fuse || --p->fuse)
        return;
    if (p->fuse_fn) {
        p->fuse_fn(p->fuse_ctx);
        return;
    }
    world_log(p->machine->name, "is killed in the midst of its work");
    if (p->fuse_power) {
        bury(p);
        machine_cut_power(p->machine);
    }
    process_die();
}

void machines_end(void)
{
    for (struct process *p = processes, *next; p; p = next) {
        next = p->next;
        munmap(p->stack, STACK_SIZE);
        free(p->words);
        free(p);
    }
    for (struct machine *m = machines, *next; m; m = next) {
        next = m->next;
        disk_free(m);
        free(m);
    }
    processes = NULL;
    machines = NULL;
}
