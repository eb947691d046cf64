#include "desk/stage.h"

#include "base/json.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <limits.h>
#include <linux/close_range.h>
#include <net/if.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define QUEUE_MOST (1u << 20) /* most bytes of lines under way */
#define WORDS_MOST 4096       /* most reported bytes of the process's output */
#define REST       5          /* ticks before an ended process is started again */

struct stage {
    const struct stage_options *options;
    uv_loop_t *loop;
    struct feed *feed;
    uv_process_t process;
    uv_pipe_t pipe, words;
    unsigned open; /* handles; 0: no process */
    unsigned rest;
    size_t queued; /* bytes of lines under way */
    void (*say)(const char *line);
    char line[200];      /* the line of output being received */
    size_t length, left; /* length of `line`; bytes of output still to report */
};

/* A line under way, freed when written. */
struct stage_line {
    uv_write_t write;
    struct stage *stage;
    size_t size;
    char text[];
};

static void on_written(uv_write_t *write, int status)
{
    struct stage_line *line = write->data;
    (void)status; /* an ended process is started again, and gets all lines */
    line->stage->queued -= line->size;
    free(line);
}

/* Sends a line to the process. False: no room; the keys wait in the files. */
static bool give(void *ctx, const struct feed_keys *keys)
{
    struct stage *stage = ctx;
    char text[FEED_LINE];
    struct json_text out = {.at = text, .room = sizeof text};
    feed_write(keys, NULL, &out);
    size_t size = offsetof(struct stage_line, text) + out.length;
    struct stage_line *line = stage->queued + size <= QUEUE_MOST ? malloc(size) : NULL;
    if (!line)
        return false;
    line->stage = stage;
    line->size = size;
    line->write.data = line;
    memcpy(line->text, text, out.length);
    uv_buf_t bytes = uv_buf_init(line->text, (unsigned)out.length);
    if (uv_write(&line->write, (uv_stream_t *)&stage->pipe, &bytes, 1, on_written)) {
        free(line);
        return false;
    }
    stage->queued += size;
    return true;
}

static void on_closed(uv_handle_t *handle)
{
    struct stage *stage = handle->data;
    if (--stage->open == 0)
        stage->rest = REST;
}

static void on_room(uv_handle_t *handle, size_t wanted, uv_buf_t *room)
{
    static char bytes[1024];
    (void)handle, (void)wanted;
    *room = uv_buf_init(bytes, sizeof bytes);
}

/* Reports the first bytes of the process's output, as printable characters. */
static void on_words(uv_stream_t *stream, ssize_t length, const uv_buf_t *bytes)
{
    struct stage *stage = stream->data;
    if (length < 0)
        uv_close((uv_handle_t *)stream, on_closed);
    for (ssize_t i = 0; i < length && stage->left; i++, stage->left--) {
        char byte = bytes->base[i];
        if (byte != '\n' && stage->length + 1 < sizeof stage->line) {
            stage->line[stage->length++] = byte;
            if (byte < ' ' || byte > '~')
                stage->line[stage->length - 1] = '?';
            continue;
        }
        stage->line[stage->length] = '\0';
        stage->length = 0;
        stage->say(stage->line);
    }
}

static void on_end(uv_process_t *process, int64_t status, int number)
{
    struct stage *stage = process->data;
    char line[120];
    snprintf(line, sizeof line, "the audience's process has ended, %s %d; it is started again",
             number ? "signal" : "status", number ? number : (int)status);
    stage->say(line);
    uv_close((uv_handle_t *)process, on_closed);
    uv_close((uv_handle_t *)&stage->pipe, on_closed);
}

static void start(struct stage *stage)
{
    char program[] = "boothlink-audience", option[] = "--listen", listen[64], *args[4];
    uv_stdio_container_t stdio[3] = {
        {.flags = UV_CREATE_PIPE | UV_READABLE_PIPE, .data.stream = (uv_stream_t *)&stage->pipe},
        {.flags = UV_IGNORE},
        {.flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE, .data.stream = (uv_stream_t *)&stage->words}};
    char *environment[] = {NULL};
    const uv_process_options_t options = {.file = stage->options->program,
                                          .args = args,
                                          .env = environment,
                                          .cwd = "/",
                                          .exit_cb = on_end,
                                          .stdio = stdio,
                                          .stdio_count = 3};
    snprintf(listen, sizeof listen, "%s", stage->options->listen);
    args[0] = program, args[1] = option, args[2] = listen, args[3] = NULL;
    uv_pipe_init(stage->loop, &stage->pipe, 0);
    uv_pipe_init(stage->loop, &stage->words, 0);
    stage->pipe.data = stage->words.data = stage->process.data = stage;
    stage->open = 3;
    stage->length = 0;
    stage->left = WORDS_MOST;
    feed_rewind(stage->feed);
    close_range(3, UINT_MAX, CLOSE_RANGE_CLOEXEC); /* libnats leaves its socket open to children */
    int fault = uv_spawn(stage->loop, &stage->process, &options);
    if (!fault && uv_read_start((uv_stream_t *)&stage->words, on_room, on_words) == 0)
        return;
    uv_close((uv_handle_t *)&stage->words, on_closed);
    if (!fault)
        return;
    stage->say(uv_strerror(fault));
    uv_close((uv_handle_t *)&stage->process, on_closed);
    uv_close((uv_handle_t *)&stage->pipe, on_closed);
}

static bool is_loopback(struct in_addr address)
{
    return ntohl(address.s_addr) >> 24 == 127;
}

/* The mask of this machine's network with the address; otherwise all bits. `name` gets the
 * interface's name up to a colon. */
static in_addr_t mask_of(struct in_addr address, char name[IF_NAMESIZE])
{
    struct ifaddrs *all = NULL;
    in_addr_t mask = INADDR_BROADCAST;
    name[0] = '\0';
    if (getifaddrs(&all))
        return mask;
    for (const struct ifaddrs *at = all; at; at = at->ifa_next) {
        struct sockaddr_in own, own_mask;
        if (!at->ifa_addr || at->ifa_addr->sa_family != AF_INET || !at->ifa_netmask)
            continue;
        memcpy(&own, at->ifa_addr, sizeof own);
        memcpy(&own_mask, at->ifa_netmask, sizeof own_mask);
        if (own.sin_addr.s_addr != address.s_addr)
            continue;
        mask = own_mask.sin_addr.s_addr;
        snprintf(name, IF_NAMESIZE, "%.*s", (int)strcspn(at->ifa_name, ":"), at->ifa_name);
    }
    freeifaddrs(all);
    return mask;
}

/* Checks that the audience's network is not the booths', so that its page cannot reach a judge. A
 * loopback address is allowed. */
static enum bl_status check_apart(const struct stage_options *options, struct bl_diag *diag)
{
    struct in_addr ours, booths;
    char address[INET_ADDRSTRLEN], name[IF_NAMESIZE], booths_name[IF_NAMESIZE];
    const char *colon = strrchr(options->listen, ':');
    snprintf(address, sizeof address, "%.*s", colon ? (int)(colon - options->listen) : 0,
             options->listen);
    if (inet_pton(AF_INET, address, &ours) != 1 || ours.s_addr == INADDR_ANY)
        return bl_fail(diag, BL_USAGE, "--audience %.60s: expected ADDRESS:PORT of one network",
                       options->listen);
    if (is_loopback(ours))
        return BL_OK;
    if (inet_pton(AF_INET, options->booths, &booths) != 1 || booths.s_addr == INADDR_ANY)
        return bl_fail(diag, BL_USAGE,
                       "--audience %.60s: booths reach the desk by every network; --listen with an "
                       "address says which is theirs",
                       options->listen);
    in_addr_t mask = mask_of(booths, booths_name);
    mask_of(ours, name);
    return (ours.s_addr & mask) == (booths.s_addr & mask) ||
                   (name[0] && strcmp(name, booths_name) == 0)
               ? bl_fail(diag, BL_USAGE, "--audience %.60s: that is the booths' network",
                         options->listen)
               : BL_OK;
}

enum bl_status stage_open(struct stage **out, uv_loop_t *loop, const struct stage_options *options,
                          void (*say)(const char *line), struct bl_diag *diag)
{
    enum bl_status status = check_apart(options, diag);
    *out = NULL;
    if (status != BL_OK)
        return status;
    struct stage *stage = calloc(1, sizeof *stage);
    if (!stage)
        return bl_fail(diag, BL_NOMEM, "no memory");
    stage->options = options;
    stage->loop = loop;
    stage->say = say;
    status = feed_create(&stage->feed, options->inbox, options->contest, options->delay_us, diag);
    if (status == BL_OK)
        *out = stage;
    else
        free(stage);
    return status;
}

void stage_add(struct stage *stage, const char *place)
{
    if (stage)
        feed_add(stage->feed, place);
}

void stage_tick(struct stage *stage, struct bl_time now, unsigned sealed)
{
    if (!stage)
        return;
    if (!stage->open && stage->rest && --stage->rest)
        return;
    if (!stage->open)
        start(stage);
    if (!uv_is_closing((uv_handle_t *)&stage->pipe))
        feed_look(stage->feed, now, sealed, give, stage);
}
