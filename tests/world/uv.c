/* In the place of libuv, and of the timers of host/base/loop.c: the part of its interface that the
 * host uses, in the order of uv_run(): timers, idle, prepare, the wait, what is ready, work that is
 * done, closing. What is not here does not link. */
#include "world_private.h"

#include "base/loop.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum handle_kind { POLL, FINE_TIMER, TIMER, PREPARE, IDLE, SIGNAL, FOLDER, CHILD };

#define TURNS_MOST 10000 /* of a loop without a wait: then it spins */
#define NAMES      32    /* that a folder's watch may have to tell */
#define ARGS_MOST  128   /* of a program */

struct handle {
    struct handle *next;
    uv_handle_t *uv;
    struct loop *loop;
    enum handle_kind kind;
    bool active, unref, closing;
    uv_close_cb closed;
    int fd, events, number; /* a signal's */
    unsigned mounts;        /* that a poll for changes of them knows of */
    bool raised;
    struct process *child;
    uint64_t due; /* the world's time */
    union {
        uv_poll_cb poll;
        uv_timer_cb timer;
        uv_prepare_cb prepare;
        uv_idle_cb idle;
        uv_fs_event_cb folder;
        uv_signal_cb signal;
        uv_exit_cb exit;
    } on;
    struct bl_timer *fine;
    void (*fine_closed)(struct bl_timer *timer);
    char folder[160], name[NAMES][64];
    unsigned names;
};

struct work {
    struct work *next;
    struct loop *loop; /* NULL: its process was killed */
    uv_work_t *req;
    uv_work_cb run;
    uv_after_work_cb after;
    bool done, cancelled, scheduled;
};

struct loop {
    struct loop *next;
    struct process *process;
    struct handle *handles;
    struct work *works;
    bool stop;
    unsigned turns; /* since it waited last */
};

static int (*program)(int argc, char **argv);

/* The loop's own pointer is at internal_fields; a handle's is at the end of what libuv keeps. */
static struct loop *loop_of(const uv_loop_t *uv)
{
    return uv->internal_fields;
}

static struct handle *handle_of(const void *uv)
{
    return ((const uv_handle_t *)uv)->u.reserved[3];
}

int uv_loop_init(uv_loop_t *uv)
{
    struct loop *loop = calloc(1, sizeof *loop);
    memset(uv, 0, sizeof *uv);
    uv->internal_fields = loop;
    loop->process = process_current;
    loop->next = process_current->loops;
    process_current->loops = loop;
    return 0;
}

int uv_loop_close(uv_loop_t *uv)
{
    struct loop *loop = loop_of(uv), **at = &loop->process->loops;
    while (*at != loop)
        at = &(*at)->next;
    *at = loop->next;
    free(loop);
    return 0;
}

static struct handle *add(uv_loop_t *uv, void *given, enum handle_kind kind)
{
    struct handle *h = calloc(1, sizeof *h), **at = &loop_of(uv)->handles;
    uv_handle_t *handle = given;
    void *data = handle->data;
    memset(handle, 0, sizeof *handle);
    handle->data = data;
    handle->loop = uv;
    handle->u.reserved[3] = h;
    *h =
        (struct handle){.uv = handle, .loop = loop_of(uv), .kind = kind, .due = BL_NEVER, .fd = -1};
    while (*at)
        at = &(*at)->next;
    *at = h;
    return h;
}

void uv_close(uv_handle_t *uv, uv_close_cb closed)
{
    struct handle *h = handle_of(uv);
    if (h->closing)
        world_die("a handle is closed twice");
    h->active = false;
    h->closing = true;
    h->closed = closed;
}

void uv_unref(uv_handle_t *uv)
{
    handle_of(uv)->unref = true;
}

void uv_stop(uv_loop_t *uv)
{
    loop_of(uv)->stop = true;
}

int uv_poll_init(uv_loop_t *uv, uv_poll_t *poll, int fd)
{
    struct handle *h = add(uv, poll, POLL);
    h->fd = fd;
    h->mounts = process_current->machine->mounts;
    return 0;
}

int uv_poll_start(uv_poll_t *poll, int events, uv_poll_cb fn)
{
    struct handle *h = handle_of(poll);
    h->active = true;
    h->events = events;
    h->on.poll = fn;
    return 0;
}

int uv_poll_stop(uv_poll_t *poll)
{
    handle_of(poll)->active = false;
    return 0;
}

int uv_timer_init(uv_loop_t *uv, uv_timer_t *timer)
{
    add(uv, timer, TIMER);
    return 0;
}

int uv_timer_start(uv_timer_t *timer, uv_timer_cb fn, uint64_t ms, uint64_t repeat_ms)
{
    struct handle *h = handle_of(timer);
    if (repeat_ms)
        world_die("a timer that repeats");
    h->active = true;
    h->on.timer = fn;
    h->due = machine_when(machine_mono_us() + ms * 1000);
    return 0;
}

int uv_prepare_init(uv_loop_t *uv, uv_prepare_t *prepare)
{
    add(uv, prepare, PREPARE);
    return 0;
}

int uv_prepare_start(uv_prepare_t *prepare, uv_prepare_cb fn)
{
    struct handle *h = handle_of(prepare);
    h->active = true;
    h->on.prepare = fn;
    return 0;
}

int uv_idle_init(uv_loop_t *uv, uv_idle_t *idle)
{
    add(uv, idle, IDLE);
    return 0;
}

int uv_idle_start(uv_idle_t *idle, uv_idle_cb fn)
{
    struct handle *h = handle_of(idle);
    h->active = true;
    h->on.idle = fn;
    return 0;
}

int uv_idle_stop(uv_idle_t *idle)
{
    handle_of(idle)->active = false;
    return 0;
}

int uv_signal_init(uv_loop_t *uv, uv_signal_t *watch)
{
    add(uv, watch, SIGNAL);
    return 0;
}

int uv_signal_start(uv_signal_t *watch, uv_signal_cb fn, int number)
{
    struct handle *h = handle_of(watch);
    h->active = true;
    h->number = number;
    h->on.signal = fn;
    return 0;
}

int uv_fs_event_init(uv_loop_t *uv, uv_fs_event_t *watch)
{
    add(uv, watch, FOLDER);
    return 0;
}

int uv_fs_event_start(uv_fs_event_t *watch, uv_fs_event_cb fn, const char *path, unsigned flags)
{
    struct handle *h = handle_of(watch);
    (void)flags;
    if (watches_are_calls)
        process_call();
    if (process_current->machine->blind)
        return UV_EMFILE;
    if (access(path, F_OK) < 0 || strlen(path) >= sizeof h->folder)
        return UV_ENOENT;
    h->active = true;
    h->on.folder = fn;
    strcpy(h->folder, path);
    return 0;
}

int uv_fs_event_stop(uv_fs_event_t *watch)
{
    struct handle *h = handle_of(watch);
    h->active = false;
    h->names = 0;
    if (watches_are_calls)
        process_call();
    return 0;
}

void loops_tell(const struct machine *machine, const char *folder, const char *name)
{
    for (struct process *p = processes; p; p = p->next) {
        if (p->machine != machine || !process_lives(p))
            continue;
        for (struct loop *loop = p->loops; loop; loop = loop->next) {
            for (struct handle *h = loop->handles; h; h = h->next) {
                if (h->kind != FOLDER || !h->active || strcmp(h->folder, folder) != 0)
                    continue;
                if (h->names == NAMES)
                    world_die("more happens in %s than is told", folder);
                strncpy(h->name[h->names++], name, sizeof h->name[0] - 1);
                process_poke(p);
            }
        }
    }
}

/* The timers of loop.h. */

enum bl_status bl_timer_init(uv_loop_t *uv, struct bl_timer *timer,
                             void (*fire)(struct bl_timer *timer), void *data)
{
    struct handle *h = add(uv, &timer->poll, FINE_TIMER);
    h->active = true;
    h->fine = timer;
    timer->fd = 0; /* it is open */
    timer->due_us = BL_NEVER;
    timer->fire = fire;
    timer->data = data;
    return BL_OK;
}

void bl_timer_set(struct bl_timer *timer, uint64_t due_us)
{
    if (due_us == timer->due_us)
        return;
    timer->due_us = due_us;
    handle_of(&timer->poll)->due = machine_when(due_us);
}

void bl_timer_close(struct bl_timer *timer, void (*closed)(struct bl_timer *timer))
{
    struct handle *h = handle_of(&timer->poll);
    uv_close(h->uv, NULL);
    h->fine_closed = closed;
}

/* Work in another thread: done at one moment between the call and the disk's slowest answer. */

static void run_work(void *ctx)
{
    struct work *w = ctx;
    w->run(w->req);
    w->done = true;
}

static void on_work(void *ctx)
{
    struct work *w = ctx;
    w->scheduled = false;
    if (!w->loop) {
        free(w);
    } else if (!w->cancelled) {
        process_lend(w->loop->process, run_work, w);
        process_poke(w->loop->process);
    }
}

int uv_queue_work(uv_loop_t *uv, uv_work_t *req, uv_work_cb run, uv_after_work_cb after)
{
    struct work *w = calloc(1, sizeof *w);
    struct loop *loop = loop_of(uv);
    *w = (struct work){.next = loop->works,
                       .loop = loop,
                       .req = req,
                       .run = run,
                       .after = after,
                       .scheduled = true};
    loop->works = w;
    req->reserved[0] = w;
    world_at(world_now() + 50 + world_roll(loop->process->machine->sync_us), on_work, w);
    return 0;
}

int uv_cancel(uv_req_t *req)
{
    struct work *w = req->reserved[0];
    if (w->done)
        return UV_EBUSY;
    w->cancelled = true;
    return 0;
}

int uv_sem_init(uv_sem_t *sem, unsigned value)
{
    *(int *)sem = (int)value;
    return 0;
}

void uv_sem_destroy(uv_sem_t *sem)
{
    (void)sem;
}

void uv_sem_post(uv_sem_t *sem)
{
    ++*(int *)sem;
}

void uv_sem_wait(uv_sem_t *sem)
{
    if (*(int *)sem <= 0)
        world_die("a semaphore that nobody posts");
    --*(int *)sem;
}

/* Programs: all are the one that world_program has named. */

static int run_program(void *arg)
{
    char *word[ARGS_MOST] = {NULL};
    int count = 0;
    (void)arg;
    for (char *at = process_current->words; *at; at += strlen(at) + 1)
        word[count++] = at;
    return program(count, word);
}

static char *join_words(char *const *word)
{
    size_t length = 1;
    unsigned count = 0;
    for (; word[count]; count++)
        length += strlen(word[count]) + 1;
    if (count >= ARGS_MOST)
        world_die("a program gets %u arguments", count);
    char *words = calloc(1, length), *at = words;
    for (unsigned i = 0; i < count; i++)
        at = stpcpy(at, word[i]) + 1;
    return words;
}

const char *process_option(const struct process *p, const char *name)
{
    for (const char *at = p->words; at && *at; at += strlen(at) + 1)
        if (strcmp(at, name) == 0)
            return at + strlen(at) + 1;
    return NULL;
}

struct process *machine_program(struct machine *m, char *const *words)
{
    struct process *p = machine_run(m, run_program, NULL);
    p->words = join_words(words);
    const char *ticket = process_option(p, "--ticket");
    if (ticket)
        world_log(m->name, "of %s", ticket);
    return p;
}

int uv_spawn(uv_loop_t *uv, uv_process_t *process, const uv_process_options_t *options)
{
    if (!program)
        world_die("%s is to be started", options->file);
    struct handle *h = add(uv, process, CHILD);
    h->on.exit = options->exit_cb;
    h->active = true;
    h->child = machine_program(process_current->machine, options->args);
    if (options->stdio_count > STDERR_FILENO)
        h->child->complaints = dup(options->stdio[STDERR_FILENO].data.fd);
    return 0;
}

int uv_process_kill(uv_process_t *process, int number)
{
    process_signal(handle_of(process)->child, number);
    return 0;
}

/* Processes are numbered in the order of their starts. */
static uv_pid_t pid_of(const struct process *p)
{
    uv_pid_t number = 0;
    for (; p; p = p->next)
        number += !p->beside;
    return number;
}

uv_pid_t uv_process_get_pid(const uv_process_t *process)
{
    return pid_of(handle_of((uv_process_t *)process)->child);
}

/* A group is its first process alone. */
int uv_kill(int pid, int number)
{
    for (struct process *p = processes; p; p = p->next) {
        if (pid_of(p) == abs(pid)) {
            process_signal(p, number);
            return 0;
        }
    }
    return UV_ESRCH;
}

int uv_exepath(char *path, size_t *size)
{
    if (*size < sizeof "boothlink")
        return UV_ENOBUFS;
    *size = strlen(strcpy(path, "boothlink"));
    return 0;
}

void world_program(int (*main)(int argc, char **argv))
{
    program = main;
}

void loops_end_child(const struct process *child)
{
    for (struct process *p = processes; p; p = p->next)
        for (struct loop *loop = p->loops; loop; loop = loop->next)
            for (struct handle *h = loop->handles; h; h = h->next)
                if (h->kind == CHILD && h->child == child)
                    process_poke(p);
}

bool loops_signal(struct process *p, int number)
{
    bool watched = false;
    for (struct loop *loop = p->loops; loop; loop = loop->next) {
        for (struct handle *h = loop->handles; h; h = h->next) {
            if (h->kind != SIGNAL || !h->active || h->number != number)
                continue;
            h->raised = watched = true;
        }
    }
    if (watched)
        process_poke(p);
    return watched;
}

int uv_backend_fd(const uv_loop_t *uv)
{
    (void)uv;
    return -1; /* nothing of the kernel's waits here */
}

const char *uv_strerror(int error)
{
    (void)error;
    return "an error of the world";
}

/* The loop. */

/* A poll for UV_PRIORITIZED is of the machine's mounts, any other of a port. */
static int ready_events(const struct handle *h)
{
    if (h->events & UV_PRIORITIZED)
        return h->mounts != h->loop->process->machine->mounts ? UV_PRIORITIZED : 0;
    return port_ready(h->fd, h->events);
}

/* A handle that a callback closes stays in the list until the turn's end. */
static void run_kind(struct loop *loop, enum handle_kind kind)
{
    for (struct handle *h = loop->handles; h; h = h->next) {
        if (!h->active || h->kind != kind)
            continue;
        if (kind == PREPARE) {
            h->on.prepare((uv_prepare_t *)h->uv);
        } else if (kind == IDLE) {
            h->on.idle((uv_idle_t *)h->uv);
        } else if (h->due <= world_now()) {
            h->active = false;
            h->on.timer((uv_timer_t *)h->uv);
        }
    }
}

static void tell_folder(struct handle *h)
{
    char name[NAMES][64];
    unsigned names = h->names;
    memcpy(name, h->name, sizeof name);
    h->names = 0;
    for (unsigned i = 0; i < names; i++)
        h->on.folder((uv_fs_event_t *)h->uv, name[i], UV_RENAME, 0);
}

static bool has_lost_child(const struct handle *h)
{
    return h->kind == CHILD && h->active && !process_lives(h->child);
}

static void end_child(struct handle *h)
{
    const struct process *child = h->child;
    h->active = false;
    if (h->on.exit)
        h->on.exit((uv_process_t *)h->uv, child->killed_by ? 0 : child->status, child->killed_by);
}

static void run_ready(struct loop *loop)
{
    for (struct handle *h = loop->handles; h; h = h->next) {
        int events;
        if (!h->active || h->closing)
            continue;
        if (h->kind == POLL && (events = ready_events(h))) {
            h->mounts = loop->process->machine->mounts;
            h->on.poll((uv_poll_t *)h->uv, 0, events);
        } else if (h->kind == FINE_TIMER && h->due <= world_now()) {
            h->due = h->fine->due_us = BL_NEVER;
            h->fine->fire(h->fine);
        } else if (h->kind == FOLDER && h->names) {
            tell_folder(h);
        } else if (h->kind == SIGNAL && h->raised) {
            h->raised = false;
            h->on.signal((uv_signal_t *)h->uv, h->number);
        } else if (has_lost_child(h)) {
            end_child(h);
        }
    }
}

static void end_work(struct loop *loop)
{
    for (struct work **at = &loop->works, *w; (w = *at);) {
        if (!w->done && !w->cancelled) {
            at = &w->next;
            continue;
        }
        *at = w->next;
        w->loop = NULL;
        w->after(w->req, w->cancelled ? UV_ECANCELED : 0);
        if (!w->scheduled)
            free(w);
        at = &loop->works;
    }
}

static void end_closing(struct loop *loop)
{
    for (struct handle **at = &loop->handles, *h; (h = *at);) {
        if (!h->closing) {
            at = &h->next;
            continue;
        }
        *at = h->next;
        if (h->fine && h->fine_closed)
            h->fine_closed(h->fine);
        else if (!h->fine && h->closed)
            h->closed(h->uv);
        free(h);
        at = &loop->handles;
    }
}

static bool is_alive(const struct loop *loop)
{
    for (const struct handle *h = loop->handles; h; h = h->next)
        if (h->closing || (h->active && !h->unref))
            return true;
    return loop->works != NULL;
}

/* Until when the loop may wait. */
static uint64_t due_of(const struct loop *loop)
{
    uint64_t due = BL_NEVER;
    for (const struct handle *h = loop->handles; h; h = h->next) {
        if (h->closing || has_lost_child(h) ||
            (h->active && (h->kind == IDLE || h->names || h->raised)) ||
            (h->active && h->kind == POLL && ready_events(h)))
            return 0;
        if (h->active && (h->kind == TIMER || h->kind == FINE_TIMER) && h->due < due)
            due = h->due;
    }
    for (const struct work *w = loop->works; w; w = w->next)
        if (w->done || w->cancelled)
            return 0;
    return due;
}

int uv_run(uv_loop_t *uv, uv_run_mode mode)
{
    struct loop *loop = loop_of(uv);
    while (is_alive(loop) && !loop->stop) {
        run_kind(loop, TIMER);
        run_kind(loop, IDLE);
        run_kind(loop, PREPARE);
        bool waits = is_alive(loop) && !loop->stop && mode != UV_RUN_NOWAIT;
        uint64_t due = waits ? due_of(loop) : 0;
        if (due > world_now()) {
            process_wait(due);
            loop->turns = 0;
        } else if (++loop->turns > TURNS_MOST) {
            process_fail("its loop does not come to a wait");
        }
        run_ready(loop);
        end_work(loop);
        end_closing(loop);
        if (mode != UV_RUN_DEFAULT)
            break;
    }
    loop->stop = false;
    return is_alive(loop);
}

void loops_forget(struct process *p)
{
    for (struct loop *loop = p->loops; loop; loop = loop->next)
        for (struct work *w = loop->works; w; w = w->next)
            w->loop = NULL;
    p->loops = NULL;
}
