#include "entity/lpp.h"

#include "base/crc32c.h"
#include "base/loop.h"
#include "base/utf8.h"
#include "entity/lpp_folder.h"
#include "entity/lpp_lag.h"
#include "entity/lpp_making.h"
#include "entity/lpp_removing.h"
#include "entity/lpp_state.h"
#include "entity/lpp_waiting.h"

#include <errno.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SHARE_SCAN_MS  50
#define RETRY_US       1000000 /* time between two tries after a fault */
#define SCAN_SOONER_US 10000u
#define FLOOD          1000 /* number of waiting keys at which a flood is reported */
#define DRAIN_MAX      1000
#define PUMP_MAX       8  /* most keys taken in a turn, so that the judge's keys do not wait */
#define PASSED_ROOM    64 /* most remembered names that were reported as passed over */
#define NO_HELPER      "boothlink-lpp has ended"

struct lpp {
    struct lpp_callbacks callbacks;
    void *ctx;
    uv_loop_t *loop;
    uv_poll_t poll;
    struct bl_timer timer;
    unsigned handles; /* number of open handles: timer, poll; while closing also those of the
                       * works */
    bool closing, pumping;
    enum lpp_from ours; /* the party whose directories are made here; the other party's are taken */

    struct lpp_folder folder;
    struct lpp_state *state;
    int state_fd;
    struct lpp_waiting *waiting;
    struct lpp_lag lag;
    struct lpp_making making;
    struct lpp_removing removing;
    unsigned scan_ms; /* interval of looks; 0: the folder is watched */
    uint64_t scan_us, retry_us;
    uint64_t serial;
    uint32_t step_us;      /* step of the clock of files */
    uint64_t opened_us;    /* time of the terminal's first read */
    uint64_t found_serial; /* names with serials up to this were found when the session began */

    bool anew;  /* `anew` of lpp_options, until the first session has begun */
    bool begun; /* there is a session */
    bool live;  /* keys of the Entry were allowed in this session, so names left over are its own */
    uint64_t order_n;
    unsigned allowed;

    bool watch_told, first_told, flood_told, trouble, stuck_full;
    bool more;              /* more keys can be taken at once */
    bool look_wanted, lost; /* events were lost; the folder itself is gone */
    bool covered;           /* a look may have seen the names of pending events already */
    bool purging;           /* the names of an earlier session are being removed */
    uint64_t purge_ns;      /* limit for names of the Entry's keys, ns since 1970; older ones are
                             * removed. All names of the judge's keys are removed */
    uint32_t purged;
    uint32_t passed[PASSED_ROOM];
    unsigned passed_count;
};

static void __attribute__((format(printf, 4, 5)))
tell(struct lpp *l, enum lpp_event event, uint32_t count, const char *format, ...)
{
    char text[NOTE_MAX + 1];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (!l->closing)
        l->callbacks.event(l->ctx, event, count, text);
}

/* A name as printable text of at most 79 bytes. */
static const char *shown(const char *name, char out[80])
{
    size_t length = strlen(name), at = utf8_plain(out, 71, name, length);
    if (length > 70)
        strcpy(out + at, "...");
    return out;
}

/* True while keys are made. Meanwhile the folder is neither looked at nor given up, since a name
 * that counts as made may not exist yet. */
static bool is_making(const struct lpp *l)
{
    return l->making.work.busy;
}

static void timer_update(struct lpp *l)
{
    uint64_t due_us = lpp_lag_due(&l->lag);
    if (l->scan_ms && l->scan_us < due_us && !is_making(l))
        due_us = l->scan_us;
    if (l->retry_us < due_us)
        due_us = l->retry_us;
    if (l->more)
        due_us = 0;
    if (!l->closing)
        bl_timer_set(&l->timer, l->begun ? due_us : BL_NEVER);
}

static void touch(struct lpp *l)
{
    if (l->live)
        l->state->seen_us = bl_now().wall_us;
}

/* The subject of a message: "" for the Entry. */
static const char *subject(const struct lpp *l)
{
    return l->ours == LPP_FROM_JUDGE ? "" : "the judge's program ";
}

static void first_sign(struct lpp *l, const char *what)
{
    if (l->first_told)
        return;
    l->first_told = true;
    tell(l, LPP_FIRST, 0, "%sis there: %s", subject(l), what);
}

static bool is_stuck(const struct lpp *l, const struct lpp_item *item)
{
    for (unsigned i = 0; i < l->state->stuck_count; i++)
        if (item->inode && l->state->stuck[i].inode == item->inode &&
            l->state->stuck[i].born_ns == item->born_ns)
            return true;
    return false;
}

/* Remembers a name that cannot be removed. */
static void keep_stuck(struct lpp *l, const struct lpp_item *item, int error)
{
    char name[80];
    uint32_t count = l->state->stuck_count;
    if (count == LPP_STUCK_MAX) {
        l->stuck_full = true;
        tell(l, LPP_STUCK, count,
             "'%s' cannot be removed (%s), and %u other%s neither: nothing more is taken until the "
             "folder is put right",
             shown(item->name, name), strerror(error), count, BL_S(count));
        return;
    }
    l->state->stuck[count].inode = item->inode;
    l->state->stuck[count].born_ns = item->born_ns;
    l->state->stuck_count = count + 1;
    tell(l, LPP_STUCK, 1, "'%s' cannot be removed: %s; it was taken once", shown(item->name, name),
         strerror(error));
}

static void remove_name(struct lpp *l, const struct lpp_item *item)
{
    if (item->inode && lpp_folder_remove(&l->folder, item->name))
        keep_stuck(l, item, errno);
}

/* Takes the results of removals by boothlink-lpp. */
static void hear_removed(struct lpp *l)
{
    const struct lpp_item *item;
    int error;
    lpp_removing_end(&l->removing);
    while ((item = lpp_removing_next(&l->removing, &error)))
        if (error)
            keep_stuck(l, item, error);
}

static void start_removing(struct lpp *l)
{
    struct lpp_removing *r = &l->removing;
    lpp_removing_start(r, &l->folder);
    if (!r->work.busy && r->started != r->added && l->retry_us == BL_NEVER)
        l->retry_us = bl_mono_us() + RETRY_US;
}

/* The names seen in the folder. */

static void pass_over(struct lpp *l, const char *name, const char *why)
{
    uint32_t hash = crc32c(0, name, strlen(name));
    char text[80];
    for (unsigned i = 0; i < l->passed_count && i < PASSED_ROOM; i++)
        if (l->passed[i] == hash)
            return;
    l->passed[l->passed_count++ % PASSED_ROOM] = hash;
    tell(l, LPP_PASSED, 1, "'%s' is passed over: %s", shown(name, text), why);
}

static void not_a_key(struct lpp *l, const struct lpp_item *item, const char *why)
{
    char name[80];
    tell(l, LPP_NOT_A_KEY, 1, "'%s' %s: no key, removed", shown(item->name, name), why);
    remove_name(l, item);
}

/* True if the key is in the journal and its name must still be removed. */
static bool is_taken(const struct lpp *l, const struct lpp_item *item)
{
    uint64_t keys = l->callbacks.keys(l->ctx);
    for (unsigned i = 0; i < LPP_TAKEN_MAX; i++) {
        const struct lpp_taken *taken = &l->state->taken[i];
        if (taken->key && taken->key <= keys && item->inode && taken->inode == item->inode &&
            taken->born_ns == item->born_ns && strcmp(taken->name, item->name) == 0)
            return true;
    }
    return false;
}

/* Takes a name of the Entry that a look or an event has shown. */
static void see_entry(struct lpp *l, struct lpp_item *item, bool by_change)
{
    enum lpp_thing thing = lpp_folder_look(&l->folder, item->name, &item->inode, &item->born_ns);
    if (thing == LPP_GONE) {
        /* The key was pressed, although its name has gone since. */
        if (!by_change || l->covered || item->read.kind != LPP_KEY)
            return;
        item->born_ns = bl_now().wall_us * 1000;
    } else if (l->purging && item->born_ns < l->purge_ns) {
        l->purged++;
        remove_name(l, item);
        return;
    } else if (is_stuck(l, item)) {
        return;
    } else if (thing == LPP_STRANGE) {
        not_a_key(l, item, "is a link or a device");
        return;
    } else if (item->read.kind == LPP_NO_KEY) {
        not_a_key(l, item, item->read.why);
        return;
    } else if (is_taken(l, item)) {
        remove_name(l, item); /* its key is in the journal already */
        return;
    } else if ((!by_change || l->covered) && lpp_waiting_has(l->waiting, item)) {
        return;
    }
    lpp_waiting_add(l->waiting, item);
}

static void see_judge(struct lpp *l, const struct lpp_item *item, bool by_change)
{
    uint64_t number = lpp_number(item->name, &item->read);
    if (l->purging) {
        l->purged++;
        remove_name(l, item);
        return;
    }
    if (item->read.kind == LPP_KEY && number && number <= l->state->number) {
        if (!by_change && !lpp_lag_look_seen(&l->lag, number)) {
            lpp_lag_made(&l->lag, number, bl_mono_us()); /* an earlier process has made it */
            lpp_lag_look_seen(&l->lag, number);
        }
        return;
    }
    pass_over(l, item->name,
              l->ours == LPP_FROM_JUDGE ? "another program writes as the judge in this folder"
                                        : "another program writes as the Entry in this folder");
}

static void see(struct lpp *l, const char *name, bool by_change)
{
    struct lpp_item item = {.serial = l->serial, .seen_us = bl_mono_us()};
    if (strlen(name) > LPP_NAME_MAX)
        return;
    lpp_name_read(name, &item.read);
    memcpy(item.name, name, strlen(name) + 1);
    if (item.read.kind == LPP_FOREIGN) {
        size_t length = strlen(name);
        if (length < 6 || strcmp(name + length - 6, ".taken") != 0)
            pass_over(l, name, "it is not of the protocol");
    } else if (item.read.from != l->ours) {
        see_entry(l, &item, by_change);
    } else {
        item.inode = 1;
        see_judge(l, &item, by_change);
    }
}

static void on_scan(void *ctx, const char *name)
{
    see(ctx, name, false);
}

static void on_change(void *ctx, enum lpp_change change, const char *name)
{
    struct lpp *l = ctx;
    struct lpp_name read;
    switch (change) {
    case LPP_CAME:
        l->serial++;
        see(l, name, true);
        break;
    case LPP_WENT:
        lpp_name_read(name, &read);
        if (read.kind == LPP_KEY && read.from == l->ours &&
            lpp_lag_removed(&l->lag, lpp_number(name, &read), bl_mono_us()))
            first_sign(l, l->ours == LPP_FROM_JUDGE ? "it takes the judge's keys"
                                                    : "it takes the Entry's keys");
        break;
    case LPP_OVERFLOW:
        l->look_wanted = true;
        break;
    case LPP_LOST:
        l->lost = true;
        break;
    }
}

/* The time between two looks: a little less than scan_ms, so that a key is seen before the pace
 * lets it go (`hold`). */
static uint64_t scan_pause_us(const struct lpp *l)
{
    uint64_t us = l->scan_ms * 1000u;
    return us > 2 * SCAN_SOONER_US ? us - SCAN_SOONER_US : us / 2;
}

/* Looks at the whole folder, then takes the events so far. The look may already have shown their
 * names. */
static void look(struct lpp *l)
{
    bool good;
    l->look_wanted = false;
    l->serial++;
    lpp_lag_look_begin(&l->lag);
    good = lpp_folder_scan(&l->folder, on_scan, l);
    lpp_lag_look_end(&l->lag, bl_mono_us());
    l->covered = true;
    for (unsigned i = 0;
         i < DRAIN_MAX && l->folder.watch_fd >= 0 && lpp_folder_changes(&l->folder, on_change, l);
         i++)
        ;
    l->covered = false;
    if (!good)
        l->lost = true;
    l->scan_us = bl_mono_us() + scan_pause_us(l);
}

/* Fills the key's slot before the key is journalled: see lpp_state.h. */
static void intend(struct lpp *l, const struct lpp_item *item)
{
    uint64_t key = l->callbacks.keys(l->ctx) + 1;
    struct lpp_taken *taken = &l->state->taken[key % LPP_TAKEN_MAX];
    atomic_store_explicit(&taken->key, 0, memory_order_release);
    atomic_signal_fence(memory_order_seq_cst);
    taken->inode = item->inode;
    taken->born_ns = item->born_ns;
    memcpy(taken->name, item->name, strlen(item->name) + 1);
    atomic_store_explicit(&taken->key, key, memory_order_release);
}

/* The time at which the key was typed, as far as it is known. In a watched folder: the time at
 * which the name was seen. In a polled folder, and for names from before the session: the name's
 * time of birth, if the clock of the folder's machine agrees with ours; otherwise a polled name
 * counts as typed now. Names older than `opened_us` count as typed then. */
static uint64_t pressed_us(const struct lpp *l, const struct lpp_item *item)
{
    struct bl_time now = bl_now();
    uint64_t born_us = item->born_ns / 1000;
    bool found = item->serial <= l->found_serial;
    if (!found && !l->scan_ms)
        return item->seen_us;
    uint64_t age_us = born_us < now.wall_us ? now.wall_us - born_us : 0;
    bool foreign = l->scan_ms && (age_us == 0 || age_us > 2000u * l->scan_ms); /* or too old for the
                                                                                * last interval */
    if (foreign && !found)
        return now.mono_us;
    /* The clock of files advances in steps of some ms, which must not show in the gaps of keys. */
    age_us += randombytes_uniform(l->step_us);
    uint64_t since_us = now.mono_us - l->opened_us;
    return foreign || age_us > since_us ? l->opened_us : now.mono_us - age_us;
}

static bool can_take(const struct lpp *l)
{
    return l->allowed && !l->stuck_full && !l->closing && !lpp_removing_full(&l->removing);
}

static void pump(struct lpp *l)
{
    const struct lpp_item *first;
    if (l->pumping)
        return;
    l->more = false;
    if (l->closing || !l->begun || l->lost)
        return;
    l->pumping = true;
    for (unsigned keys = 0; can_take(l); keys++) {
        struct lpp_item item;
        if (keys == PUMP_MAX) {
            l->more = true;
            break;
        }
        first = lpp_waiting_first(l->waiting);
        if (!first) {
            if (is_making(l) || !lpp_waiting_look_again(l->waiting))
                break;
            look(l);
            continue;
        }
        item = *first;
        intend(l, &item);
        l->allowed--;
        if (l->callbacks.key(l->ctx, item.read.point, pressed_us(l, &item)) == HANDED_BACK) {
            l->allowed = 0;
            break;
        }
        lpp_waiting_drop(l->waiting);
        if (item.inode)
            lpp_removing_add(&l->removing, &item);
        lpp_lag_typed(&l->lag, bl_mono_us());
        first_sign(l, "it types");
    }
    l->pumping = false;
    if (l->closing)
        return;
    start_removing(l);
    if (lpp_waiting_count(l->waiting) == 0) {
        l->flood_told = false;
    } else if (lpp_waiting_count(l->waiting) >= FLOOD && !l->flood_told) {
        l->flood_told = true;
        tell(l, LPP_FLOODS, lpp_waiting_count(l->waiting),
             "%shas typed %u keys that wait: more than the line carries at once", subject(l),
             lpp_waiting_count(l->waiting));
    }
    touch(l);
}

/* If the judge's key under way at a kill was made, counts it as given. */
static void resolve_making(struct lpp *l)
{
    struct lpp_state *s = l->state;
    char name[LPP_NAME_MAX + 1];
    uint64_t inode, born_ns, n = s->making;
    if (n <= s->given || s->number == 0 || !key_is_key((uint32_t)s->making_point))
        return;
    lpp_name_write(name, s->number, (uint32_t)s->making_point, l->ours);
    /* If the Entry has already removed the key's directory, the folder's time of change shows
     * it. */
    if (lpp_folder_look(&l->folder, name, &inode, &born_ns) != LPP_GONE ||
        lpp_folder_changed_ns(&l->folder) != s->making_ns)
        s->given = n;
}

static void cannot_make(struct lpp *l, const char *why)
{
    l->retry_us = bl_mono_us() + RETRY_US;
    if (!l->trouble)
        tell(l, LPP_TROUBLE, 0,
             "%s keys cannot be made in the folder: %s; they are kept and made when it is possible "
             "again",
             l->ours == LPP_FROM_JUDGE ? "the judge's" : "the Entry's", why);
    l->trouble = true;
}

/* Takes the result of a making: the lag forgets keys that were not made. */
static void end_making(struct lpp *l)
{
    struct lpp_task *task = &l->making.task;
    if (l->making.work.lost)
        resolve_making(l);
    for (unsigned i = 0; i < task->count; i++)
        if (task->of.key[i].n > l->state->given)
            lpp_lag_unmade(&l->lag, task->of.key[i].number);
    task->count = 0;
}

static void make_keys(struct lpp *l)
{
    struct lpp_making *m = &l->making;
    if (!l->begun || l->lost || l->folder.fd < 0 || m->work.busy)
        return;
    for (uint64_t n = l->state->given; n < l->order_n && m->task.count < LPP_MAKING_MAX;) {
        uint32_t point = l->callbacks.judge_key(l->ctx, ++n);
        if (point == 0) {
            if (m->task.count == 0)
                atomic_store_explicit(&l->state->given, n, memory_order_release);
            continue;
        }
        uint64_t number = lpp_making_add(m, l->state->number, n, point, bl_now().wall_us);
        if (number == 0)
            break;
        /* Added before the helper's result: the Entry's removal may be seen first. */
        lpp_lag_made(&l->lag, number, bl_mono_us());
    }
    if (m->task.count) {
        if (!lpp_work_start(&m->work, &m->task, l->folder.hand)) {
            end_making(l);
            cannot_make(l, NO_HELPER);
        }
    } else if (l->state->given < l->order_n) {
        cannot_make(l, strerror(ERANGE));
    } else {
        if (l->trouble)
            tell(l, LPP_WELL, 0, "the folder is in order again");
        l->trouble = false;
        l->retry_us = BL_NEVER;
    }
    touch(l);
}

/* Gives up a folder that was removed, moved away or unmounted. */
static void lose_folder(struct lpp *l)
{
    if (!l->trouble)
        tell(l, LPP_TROUBLE, 0, "the folder %.150s is gone: it is looked for", l->folder.path);
    l->trouble = true;
    l->retry_us = bl_mono_us() + RETRY_US;
    lpp_folder_leave(&l->folder);
}

static void settle(struct lpp *l)
{
    char text[NOTE_MAX + 1];
    enum lpp_lag_word word = LPP_LAG_NOTHING;
    if (l->look_wanted && !l->lost && !is_making(l))
        look(l);
    if (l->lost && l->folder.fd >= 0 && !is_making(l) && !l->removing.work.busy)
        lose_folder(l);
    pump(l);
    if (l->begun)
        word = lpp_lag_tell(&l->lag, bl_mono_us(), text, sizeof text);
    if (word == LPP_LAG_CAUGHT_UP || word == LPP_LAG_TYPES)
        tell(l, LPP_TAKES, 0, "%s%s", subject(l), text);
    else if (word != LPP_LAG_NOTHING)
        tell(l, LPP_LAGS, (uint32_t)lpp_lag_count(&l->lag), "%s%s", subject(l), text);
    timer_update(l);
}

static void on_made(void *ctx)
{
    struct lpp *l = ctx;
    const struct lpp_work *work = &l->making.work;
    end_making(l);
    if (work->lost || work->done.error)
        cannot_make(l, work->lost ? NO_HELPER : strerror(work->done.error));
    else
        make_keys(l);
    settle(l);
}

static void on_removed(void *ctx)
{
    struct lpp *l = ctx;
    bool lost = l->removing.work.lost;
    hear_removed(l);
    if (lost && l->retry_us == BL_NEVER)
        l->retry_us = bl_mono_us() + RETRY_US;
    else if (!lost)
        start_removing(l);
    settle(l);
}

static void on_readable(uv_poll_t *poll, int status, int events)
{
    struct lpp *l = poll->data;
    (void)events;
    if (status < 0)
        l->lost = true;
    else
        lpp_folder_changes(&l->folder, on_change, l);
    settle(l);
}

static void tell_watch(struct lpp *l)
{
    if (l->watch_told)
        return;
    l->watch_told = true;
    if (l->scan_ms)
        tell(l, LPP_WATCHES, l->scan_ms, "the folder is looked at every %u ms: %s", l->scan_ms,
             l->folder.watch_why);
    else
        tell(l, LPP_WATCHES, 0, "the folder is watched: %.150s", l->folder.path);
}

static void on_timer(struct bl_timer *timer)
{
    struct lpp *l = timer->data;
    uint64_t now_us = bl_mono_us();
    if (now_us >= l->retry_us) {
        l->retry_us = now_us + RETRY_US;
        if (l->lost && l->folder.fd < 0 && lpp_folder_return(&l->folder, NULL) == BL_OK) {
            l->lost = false;
            l->look_wanted = true;
        }
        make_keys(l);
        start_removing(l);
    }
    if (l->scan_ms && now_us >= l->scan_us)
        l->look_wanted = true;
    settle(l);
}

static enum bl_status open_handles(struct lpp *l, struct bl_diag *diag)
{
    if (bl_timer_init(l->loop, &l->timer, on_timer, l))
        return bl_fail(diag, BL_IO, "no timer for the folder");
    l->handles++;
    if (l->folder.watch_fd < 0) {
        l->scan_ms = l->scan_ms ? l->scan_ms : SHARE_SCAN_MS;
        return BL_OK;
    }
    l->scan_ms = 0;
    if (uv_poll_init(l->loop, &l->poll, l->folder.watch_fd))
        return bl_fail(diag, BL_IO, "the folder's changes cannot be waited for");
    l->poll.data = l;
    l->handles++;
    return BL_OK;
}

static void on_work_closed(void *ctx);

static enum bl_status open_work(struct lpp *l, struct lpp_work *work, void (*over)(void *ctx),
                                struct bl_diag *diag)
{
    work->loop = l->loop;
    work->state = l->state_fd;
    work->over = over;
    work->closed = on_work_closed;
    work->ctx = l;
    return lpp_work_open(work, diag);
}

enum bl_status lpp_open(struct lpp **out, uv_loop_t *loop, const struct lpp_options *options,
                        const struct lpp_callbacks *callbacks, void *ctx, struct bl_diag *diag)
{
    struct lpp *l = calloc(1, sizeof *l);
    enum bl_status status;
    *out = NULL;
    if (!l)
        return bl_fail(diag, BL_NOMEM, "no memory");
    l->callbacks = *callbacks;
    l->ctx = ctx;
    l->loop = loop;
    l->scan_ms = options->scan_ms;
    l->anew = options->anew;
    l->ours = options->as_entry ? LPP_FROM_ENTRY : LPP_FROM_JUDGE;
    l->retry_us = BL_NEVER;
    l->opened_us = bl_mono_us();
    l->step_us = bl_file_step_us();
    l->timer.fd = l->folder.fd = l->folder.watch_fd = l->folder.lock = l->folder.hand = -1;
    l->state_fd = l->making.work.socket = l->removing.work.socket = -1;
    l->waiting = lpp_waiting_create(LPP_WAITING_ROOM);
    if (!l->waiting)
        status = bl_fail(diag, BL_NOMEM, "no memory");
    else if (options->as_entry)
        status = lpp_folder_enter(&l->folder, options->folder, !options->scan_ms, diag);
    else
        status = lpp_folder_open(&l->folder, options->folder, options->shown ? options->shown : -1,
                                 !options->scan_ms, diag);
    if (!status)
        status = lpp_state_open(&l->state, &l->state_fd, options->state_dir, options->folder,
                                options->as_entry, diag);
    l->making.task.from = l->ours;
    if (!status)
        status = open_work(l, &l->making.work, on_made, diag);
    if (!status)
        status = open_work(l, &l->removing.work, on_removed, diag);
    if (!status)
        status = open_handles(l, diag);
    if (status)
        lpp_close(l);
    else
        *out = l;
    return status;
}

/* Waits for the work under way, then removes the remaining names of taken keys. */
static void wait_works(struct lpp *l)
{
    lpp_work_wait(&l->making.work);
    end_making(l);
    lpp_work_wait(&l->removing.work);
    hear_removed(l);
    lpp_removing_rest(&l->removing, &l->folder);
    hear_removed(l);
}

static void release(struct lpp *l)
{
    if (l->state_fd >= 0)
        close(l->state_fd);
    lpp_folder_close(&l->folder);
    lpp_state_close(l->state);
    lpp_waiting_destroy(l->waiting);
    free(l);
}

static void on_work_closed(void *ctx)
{
    struct lpp *l = ctx;
    if (--l->handles == 0)
        release(l);
}

static void on_closed(uv_handle_t *handle)
{
    struct lpp *l = handle->data;
    if (--l->handles == 0)
        release(l);
}

static void on_timer_closed(struct bl_timer *timer)
{
    struct lpp *l = timer->data;
    if (--l->handles == 0)
        release(l);
}

void lpp_close(struct lpp *l)
{
    if (!l)
        return;
    wait_works(l);
    l->closing = true;
    if (l->state)
        touch(l);
    l->handles += lpp_work_close(&l->making.work);
    l->handles += lpp_work_close(&l->removing.work);
    if (l->handles == 0) {
        release(l);
        return;
    }
    if (l->poll.data)
        uv_close((uv_handle_t *)&l->poll, on_closed);
    bl_timer_close(&l->timer, on_timer_closed);
}

static void resume(struct lpp *l)
{
    uint64_t keys = l->callbacks.keys(l->ctx);
    const struct lpp_taken *taken = &l->state->taken[keys % LPP_TAKEN_MAX];
    resolve_making(l);
    if (keys && taken->key == keys)
        lpp_waiting_last(l->waiting, taken->name);
    look(l);
}

static void begin(struct lpp *l, const char *session, uint64_t given)
{
    l->purge_ns = l->state->session[0] ? l->state->seen_us * 1000 : 0;
    lpp_state_begin(l->state, session, given);
    l->purging = true;
    l->purged = 0;
    for (uint32_t before = 1;
         before != l->purged;) { /* repeated, for a look may miss names while it removes some */
        before = l->purged;
        look(l);
    }
    l->purging = false;
    if (l->purged)
        tell(l, LPP_LEFT_OVER, l->purged,
             "%u name%s that another session left in the folder %s removed", l->purged,
             BL_S(l->purged), BL_WERE(l->purged));
}

void lpp_leave(struct lpp *l)
{
    wait_works(l);
    touch(l); /* if the session is live, all names in the folder are of it */
    l->live = l->begun = false;
    l->allowed = 0;
    if (!l->scan_ms)
        uv_poll_stop(&l->poll);
    timer_update(l);
}

void lpp_reads_from_now(struct lpp *l)
{
    l->opened_us = bl_mono_us();
}

void lpp_session(struct lpp *l, const char *session, uint64_t given)
{
    lpp_leave(l);
    memset(&l->lag, 0, sizeof l->lag);
    l->lag.as_entry = l->ours == LPP_FROM_ENTRY;
    lpp_waiting_clear(l->waiting);
    l->begun = true;
    l->first_told = false;
    l->order_n = 0;
    tell_watch(l);
    if (strcmp(l->state->session, session) == 0 && !l->anew)
        resume(l);
    else
        begin(l, session, given);
    l->anew = false;
    l->found_serial = l->serial;
    if (!l->scan_ms)
        uv_poll_start(&l->poll, UV_READABLE, on_readable);
    timer_update(l);
}

void lpp_allow(struct lpp *l, unsigned keys)
{
    l->allowed = keys;
    l->live = l->live || keys;
    if (keys == 0)
        lpp_lag_hush(&l->lag);
    if (keys && lpp_waiting_any(l->waiting)) {
        pump(l);
        timer_update(l);
    }
}

void lpp_hush(struct lpp *l)
{
    lpp_lag_hush(&l->lag);
}

void lpp_order(struct lpp *l, uint64_t n)
{
    if (n == l->order_n && l->retry_us == BL_NEVER)
        return;
    l->order_n = n;
    if (l->retry_us != BL_NEVER)
        return; /* the timer tries again */
    make_keys(l);
    timer_update(l);
}

bool lpp_watches(const struct lpp *l)
{
    return l->scan_ms == 0;
}

const char *lpp_last_session(const struct lpp *l)
{
    return l->state->session;
}

uint64_t lpp_given(const struct lpp *l)
{
    return l->state->given;
}
