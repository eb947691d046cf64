#include "validate/scene.h"

#include "base/loop.h"
#include "base/utf8.h"
#include "entity/sandbox.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEVICE    "/dev/ttyS0" /* a serial port, as the program sees it */
#define INTERFACE "eth0"
#define INPUT_MAX 4096
#define SPINS_MS  4000 /* at work without a pause: that is its way to wait */
#define TICK_US   10000
#define READY_MS  200   /* of rest after the start */
#define PAGE_US   20000 /* in which a program that has emptied its screen goes on drawing */
#define PULSES    3     /* looks at a program's processes until what is seen can be trusted */

struct scene_player;

/* A descriptor of a sandbox that is listened to, with memory of its own: the program may end and be
 * started again before the loop has let go of it. */
struct ear {
    uv_poll_t poll;
    struct scene_player *player;
    void (*heard)(struct scene_player *player);
};

struct scene_player {
    struct scene *scene;
    enum actor actor;
    char command[VALIDATE_COMMAND_MAX];
    struct sandbox *sandbox; /* NULL: not started */
    struct ear *out, *news;
    struct emulator *emulator;
    struct picture *before; /* the screen at the last read */
    struct take *take;
    struct emulator_events events;
    void *ctx;
    char input[INPUT_MAX]; /* that the program has not taken */
    size_t waiting;
    bool writing;     /* the loop waits for it to take more */
    uint64_t read_us; /* when it last wrote */
    uint64_t changed_us;
    uint32_t pulse; /* of the facts, when a key was last pressed */
    bool spins;
    uint64_t idle_us; /* when it was last seen to have nothing to do, or had a reason to have */
    bool drawn;
    char ending[100];
};

struct scene {
    uv_loop_t loop;
    bool loop_made;
    const struct validate_options *options;
    const struct picture_mask *mask;
    struct scene_line *line;
    struct scene_player player[ACTORS];
    struct bl_timer timer;
    bool timer_made;
    uint64_t tick_us; /* when it is due */
    double late_us;
};

static const struct {
    const char *here, *there;
} addresses[ACTORS] = {[ACTOR_ENTRY] = {"10.0.0.3", "10.0.0.4"},
                       [ACTOR_JUDGE] = {"10.0.0.1", "10.0.0.2"},
                       [ACTOR_ENTITY] = {"10.0.0.2", "10.0.0.1"}};

uint64_t scene_now_us(void)
{
    return bl_mono_us();
}

static void on_heard(uv_poll_t *poll, int status, int events)
{
    struct ear *ear = poll->data;
    (void)status;
    (void)events;
    ear->heard(ear->player);
}

static struct ear *ear_open(struct scene_player *player, int fd,
                            void (*heard)(struct scene_player *player))
{
    struct ear *ear = fd >= 0 ? calloc(1, sizeof *ear) : NULL;
    if (!ear || uv_poll_init(&player->scene->loop, &ear->poll, fd)) {
        free(ear);
        return NULL;
    }
    ear->poll.data = ear;
    ear->player = player;
    ear->heard = heard;
    uv_poll_start(&ear->poll, UV_READABLE, on_heard);
    return ear;
}

static void on_ear_closed(uv_handle_t *handle)
{
    free(handle->data);
}

static void ear_close(struct ear **ear)
{
    if (*ear)
        uv_close((uv_handle_t *)&(*ear)->poll, on_ear_closed);
    *ear = NULL;
}

static void flush(struct scene_player *player)
{
    ssize_t count = 1;
    if (!player->out)
        return;
    while (player->waiting && count > 0) {
        count = write(sandbox_in_fd(player->sandbox), player->input, player->waiting);
        if (count > 0) {
            player->waiting -= (size_t)count;
            memmove(player->input, player->input + count, player->waiting);
        }
    }
    if (player->writing == (player->waiting > 0))
        return;
    player->writing = player->waiting > 0;
    uv_poll_start(&player->out->poll, UV_READABLE | (player->writing ? UV_WRITABLE : 0), on_heard);
}

static void input_add(struct scene_player *player, const void *bytes, size_t length)
{
    if (length > sizeof player->input - player->waiting)
        return;
    memcpy(player->input + player->waiting, bytes, length);
    player->waiting += length;
    flush(player);
}

/* Byte by byte, so that who listens knows after which one a cell came to stand. */
static void feed(struct scene_player *player, const uint8_t *bytes, size_t length)
{
    char reply[64];
    size_t before = player->take->length;
    for (size_t i = 0; i < length; i++) {
        size_t answered;
        player->take->length = before + i + 1;
        emulator_feed(player->emulator, bytes + i, 1);
        answered = emulator_reply(player->emulator, reply, sizeof reply);
        if (answered)
            input_add(player, reply, answered);
    }
}

static void look(struct scene_player *player, uint64_t now_us)
{
    struct picture_difference difference;
    const struct picture *now = emulator_picture(player->emulator);
    if (!picture_compare(player->before, now, player->scene->mask, &difference))
        return;
    player->changed_us = now_us;
    picture_destroy(player->before);
    player->before = picture_copy(now);
}

static void on_out(struct scene_player *player)
{
    uint8_t bytes[4096];
    ssize_t count;
    if (player->take->full) {
        snprintf(player->ending, sizeof player->ending, "it writes without end");
        ear_close(&player->out);
        return;
    }
    count = read(sandbox_out_fd(player->sandbox), bytes, sizeof bytes);
    if (count > 0) {
        uint64_t now_us = bl_mono_us();
        size_t before = player->take->length;
        take_add(player->take, now_us, bytes, (size_t)count);
        if (player->take->full)
            return;
        player->take->length = before;
        player->read_us = now_us;
        feed(player, bytes, (size_t)count);
        player->drawn = true;
        look(player, now_us);
    } else if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
        ear_close(&player->out); /* hung up; how it ended comes as news */
        return;
    }
    flush(player);
}

static void on_news(struct scene_player *player)
{
    const struct sandbox_facts *facts = sandbox_facts(player->sandbox);
    bool has_ended = facts->ended; /* first: why it was killed is known before */
    sandbox_news(player->sandbox);
    if (player->ending[0])
        return;
    if (facts->too_many) {
        snprintf(player->ending, sizeof player->ending, "it was killed: too many processes");
    } else if (facts->too_large) {
        snprintf(player->ending, sizeof player->ending, "it was killed: too much memory");
    } else if (has_ended) {
        int status = facts->status;
        if (WIFSIGNALED(status))
            snprintf(player->ending, sizeof player->ending, "it was ended by signal %d (%s)",
                     WTERMSIG(status), strsignal(WTERMSIG(status)));
        else
            snprintf(player->ending, sizeof player->ending, "it has ended, exit status %d",
                     WEXITSTATUS(status));
    }
}

/* Puts the names of the line into a command. */
static enum bl_status command_make(char out[VALIDATE_COMMAND_MAX], const char *command,
                                   enum actor actor, bool hub, struct bl_diag *diag)
{
    const struct {
        const char *name, *value;
    } words[] = {{"{port}", hub ? INTERFACE : DEVICE},
                 {"{here}", addresses[actor].here},
                 {"{there}", addresses[actor].there}};
    size_t length = 0;
    while (*command) {
        const char *add = command;
        size_t bytes = 1, taken = 1;
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
            if (strncmp(command, words[i].name, strlen(words[i].name)) == 0) {
                add = words[i].value;
                bytes = strlen(add);
                taken = strlen(words[i].name);
            }
        }
        if (length + bytes >= VALIDATE_COMMAND_MAX)
            return bl_fail(diag, BL_USAGE, "a command is longer than %d bytes",
                           VALIDATE_COMMAND_MAX - 1);
        memcpy(out + length, add, bytes);
        length += bytes;
        command += taken;
    }
    out[length] = '\0';
    return BL_OK;
}

static void player_stop(struct scene_player *player)
{
    if (player->sandbox && player->actor != ACTOR_ENTRY && player->scene->line &&
        sandbox_net_fd(player->sandbox) >= 0)
        scene_line_join(player->scene->line,
                        player->actor == ACTOR_JUDGE ? LINE_JUDGE : LINE_ENTITY, -1);
    ear_close(&player->out);
    ear_close(&player->news);
    sandbox_close(player->sandbox);
    player->sandbox = NULL;
    player->waiting = 0;
    player->writing = false;
}

static bool is_masked(const struct scene_player *player, unsigned row, unsigned column)
{
    return picture_masked(player->scene->mask, row, column);
}

static void on_put(void *ctx, uint32_t point, unsigned row, unsigned column)
{
    struct scene_player *player = ctx;
    if (player->events.put && !is_masked(player, row, column))
        player->events.put(player->ctx, point, row, column);
}

static void on_gone(void *ctx, unsigned row, unsigned column)
{
    struct scene_player *player = ctx;
    if (player->events.gone && !is_masked(player, row, column))
        player->events.gone(player->ctx, row, column);
}

static void on_scrolled(void *ctx)
{
    struct scene_player *player = ctx;
    if (player->events.scrolled)
        player->events.scrolled(player->ctx);
}

static bool screen_make(struct scene_player *player)
{
    static const struct emulator_events events = {on_put, on_gone, on_scrolled};
    const struct validate_options *options = player->scene->options;
    emulator_destroy(player->emulator);
    picture_destroy(player->before);
    player->emulator = emulator_create(options->rows, options->columns, &events, player);
    player->before = picture_create(options->rows, options->columns);
    return player->emulator && player->before;
}

enum bl_status scene_start(struct scene *scene, enum actor actor, struct bl_diag *diag)
{
    struct scene_player *player = &scene->player[actor];
    const struct validate_options *o = scene->options;
    bool line = actor != ACTOR_ENTRY, hub = o->cable == CABLE_ETHERNET;
    enum line_end end = actor == ACTOR_JUDGE ? LINE_JUDGE : LINE_ENTITY;
    struct sandbox_options sandbox = {
        .command = player->command,
        .folder = o->folder,
        .screen = true,
        .io = PROGRAM_PTY,
        .columns = o->columns,
        .rows = o->rows,
        .memory_mib = o->memory_mib,
        .processes = o->processes,
        .net = line && hub ? SANDBOX_NET_ETHER : SANDBOX_NET_NONE,
        .address = line && hub ? addresses[actor].here : NULL,
        .device_as = DEVICE,
    };
    enum bl_status status =
        line && !hub && player->emulator ? scene_line_renew(scene->line, end, diag) : BL_OK;
    if (status)
        return status;
    if (line && !hub)
        sandbox.device = scene_line_device(scene->line, end);
    if (!screen_make(player))
        return bl_fail(diag, BL_NOMEM, "no memory");
    player->ending[0] = '\0';
    player->drawn = false;
    player->pulse = 0;
    player->changed_us = player->idle_us = bl_mono_us();
    player->spins = false;
    status = sandbox_open(&player->sandbox, &sandbox, diag);
    if (status)
        return status;
    if (line && hub) {
        if (sandbox_net_fd(player->sandbox) < 0)
            return bl_fail(diag, BL_UNAVAIL, "a simulated hub needs /dev/net/tun");
        scene_line_join(scene->line, end, sandbox_net_fd(player->sandbox));
    }
    player->out = ear_open(player, sandbox_out_fd(player->sandbox), on_out);
    player->news = ear_open(player, sandbox_news_fd(player->sandbox), on_news);
    if (!player->out || !player->news)
        return bl_fail(diag, BL_NOMEM, "no memory");
    return BL_OK;
}

void scene_kill(struct scene *scene, enum actor actor)
{
    player_stop(&scene->player[actor]);
}

/* Ends a wait of the loop; what is waited for is looked at after each. */
static void on_tick(struct bl_timer *timer)
{
    struct scene *scene = timer->data;
    uint64_t late_us = bl_mono_us() - scene->tick_us;
    scene->late_us += ((double)late_us - scene->late_us) / 16;
}

static enum bl_status scene_make(struct scene *scene, bool ends, struct bl_diag *diag)
{
    if (uv_loop_init(&scene->loop))
        return bl_fail(diag, BL_IO, "no event loop: %s", strerror(errno));
    scene->loop_made = true;
    if (bl_timer_init(&scene->loop, &scene->timer, on_tick, scene))
        return bl_fail(diag, BL_IO, "no timer: %s", strerror(errno));
    scene->timer_made = true;
    for (enum actor actor = 0; actor < ACTORS; actor++) {
        struct scene_player *player = &scene->player[actor];
        player->scene = scene;
        player->actor = actor;
        player->take = take_create();
        if (!player->take)
            return bl_fail(diag, BL_NOMEM, "no memory");
    }
    if (!ends)
        return BL_OK;
    return scene->options->cable == CABLE_ETHERNET
               ? scene_line_open_hub(&scene->line, &scene->loop, diag)
               : scene_line_open_serial(&scene->line, &scene->loop, diag);
}

enum bl_status scene_open(struct scene **out, const struct validate_options *options, bool entry,
                          bool ends, const struct picture_mask *mask, struct bl_diag *diag)
{
    struct scene *scene = calloc(1, sizeof *scene);
    const char *const commands[ACTORS] = {options->program, options->judge_end,
                                          options->entity_end};
    enum bl_status status;
    if (!scene)
        return bl_fail(diag, BL_NOMEM, "no memory");
    scene->options = options;
    scene->mask = mask;
    status = scene_make(scene, ends, diag);
    for (enum actor actor = 0; actor < ACTORS && !status; actor++) {
        if (!(actor == ACTOR_ENTRY ? entry : ends))
            continue;
        status = command_make(scene->player[actor].command, commands[actor], actor,
                              options->cable == CABLE_ETHERNET, diag);
        if (!status)
            status = scene_start(scene, actor, diag);
    }
    if (status) {
        scene_close(scene);
        return status;
    }
    *out = scene;
    return BL_OK;
}

void scene_close(struct scene *scene)
{
    if (!scene)
        return;
    for (enum actor actor = 0; actor < ACTORS; actor++)
        if (scene->player[actor].scene)
            player_stop(&scene->player[actor]);
    scene_line_close(scene->line);
    if (scene->timer_made)
        bl_timer_close(&scene->timer, NULL);
    if (scene->loop_made) {
        uv_run(&scene->loop, UV_RUN_DEFAULT);
        uv_loop_close(&scene->loop);
    }
    for (enum actor actor = 0; actor < ACTORS; actor++) {
        emulator_destroy(scene->player[actor].emulator);
        picture_destroy(scene->player[actor].before);
        take_destroy(scene->player[actor].take);
    }
    free(scene);
}

void scene_listen(struct scene *scene, enum actor actor, const struct emulator_events *events,
                  void *ctx)
{
    scene->player[actor].events = *events;
    scene->player[actor].ctx = ctx;
}

/* Tells who listens what has gone from screens that are drawn on no more. */
static void rests_tell(struct scene *scene, uint64_t now_us)
{
    for (enum actor actor = 0; actor < ACTORS; actor++) {
        struct scene_player *player = &scene->player[actor];
        if (player->emulator && now_us - player->read_us >= PAGE_US)
            emulator_rest(player->emulator);
    }
}

bool scene_run(struct scene *scene, unsigned ms, bool (*until)(void *ctx), void *ctx)
{
    uint64_t end_us = bl_mono_us() + (uint64_t)ms * 1000;
    for (;;) {
        uint64_t now_us = bl_mono_us();
        rests_tell(scene, now_us);
        if (until && until(ctx))
            return true;
        if (now_us >= end_us)
            return false;
        /* That nothing has happened is no event: it is looked for. */
        scene->tick_us = now_us + TICK_US < end_us ? now_us + TICK_US : end_us;
        bl_timer_set(&scene->timer, scene->tick_us);
        uv_run(&scene->loop, UV_RUN_ONCE);
    }
}

unsigned scene_late_us(const struct scene *scene)
{
    return (unsigned)scene->late_us;
}

void scene_press(struct scene *scene, enum actor actor, uint32_t point)
{
    struct scene_player *player = &scene->player[actor];
    uint8_t bytes[UTF8_MAX] = {0};
    player->pulse = sandbox_facts(player->sandbox)->pulse;
    player->idle_us = bl_mono_us();
    input_add(player, bytes, utf8_encode(point, bytes));
}

const struct picture *scene_picture(struct scene *scene, enum actor actor)
{
    return emulator_picture(scene->player[actor].emulator);
}

struct take *scene_take(struct scene *scene, enum actor actor)
{
    return scene->player[actor].take;
}

struct scene_line *scene_line(struct scene *scene)
{
    return scene->line;
}

int scene_stage_fd(const struct scene *scene, enum actor actor)
{
    return sandbox_stage_fd(scene->player[actor].sandbox);
}

uint64_t scene_changed_us(const struct scene *scene, enum actor actor)
{
    return scene->player[actor].changed_us;
}

/* Is it at work? One that always is, as a loop that looks for keys, is not. */
static bool works(struct scene_player *player, uint64_t now_us)
{
    bool running = sandbox_facts(player->sandbox)->running;
    if (!running || player->idle_us < player->changed_us)
        player->idle_us = now_us;
    if (now_us - player->idle_us >= (uint64_t)SPINS_MS * 1000)
        player->spins = true;
    return running && !player->spins;
}

bool scene_rests(struct scene *scene, enum actor actor, unsigned ms)
{
    struct scene_player *player = &scene->player[actor];
    const struct sandbox_facts *facts = sandbox_facts(player->sandbox);
    uint64_t now_us = bl_mono_us();
    return now_us - player->changed_us >= (uint64_t)ms * 1000 && !works(player, now_us) &&
           facts->pulse - player->pulse >= PULSES;
}

bool scene_ready(struct scene *scene, enum actor actor)
{
    const struct scene_player *player = &scene->player[actor];
    const struct sandbox_facts *facts = sandbox_facts(player->sandbox);
    return scene_rests(scene, actor, READY_MS) && (player->drawn || facts->reading);
}

const char *scene_ending(const struct scene *scene, enum actor actor)
{
    return scene->player[actor].ending;
}
