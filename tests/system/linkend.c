/* One end of a link, for the system tests: opens a port and does one thing on it.
 *
 *   linkend PORT ROLE hold            stays until SIGTERM, then says goodbye
 *   linkend PORT ROLE echo            the same, and sends every record back
 *   linkend PORT ROLE keys N          sends N keys, the next when one has come back, then ends
 *   linkend PORT ROLE flow SECONDS    sends all that the line takes, then ends
 *   linkend PORT ROLE version N       says what an end of version N of the session says first, and
 *                                     takes nothing that an end of another version says
 *   linkend PORT entity other         is in another session than the judge's end, which it says
 *                                     whenever it is asked
 *
 * ROLE is any, judge or entity, with +rtscts for flow control, +insecure for Ethernet without a
 * key. Prints a line for each change of state and the statistics at the end, as NAME=VALUE. With
 * TRACE in the environment that file gets the lengths of all frames. */
#include "link/link.h"
#include "session/wire.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

struct linkend {
    uv_loop_t loop;
    struct link *link;
    bool up;
    const char *action;
    enum link_role role;
    unsigned long count;
    unsigned long sent, received;
    uint64_t bytes;
    unsigned long out_of_order;
    uv_signal_t term;
    uv_timer_t timer;
};

static void finish(struct linkend *end)
{
    struct link_stats stats;
    if (!end->link)
        return;
    link_stats(end->link, &stats);
    printf("received=%lu bytes=%llu out_of_order=%lu\n", end->received,
           (unsigned long long)end->bytes, end->out_of_order);
    printf("resent=%llu garbage=%llu connections=%llu largest=%u rtt_us=%u\n",
           (unsigned long long)stats.resent, (unsigned long long)stats.garbage,
           (unsigned long long)stats.connections, stats.largest_frame, stats.rtt_us);
    fflush(stdout);
    link_close(end->link);
    end->link = NULL;
    uv_close((uv_handle_t *)&end->term, NULL);
    uv_close((uv_handle_t *)&end->timer, NULL);
}

static void on_term(uv_signal_t *handle, int number)
{
    (void)number;
    finish(handle->data);
}

static void on_timer(uv_timer_t *handle)
{
    finish(handle->data);
}

static void flow(struct linkend *end)
{
    static const uint8_t record[LINK_RECORD_MAX];
    while (link_send(end->link, LINK_BULK, record, sizeof record) == BL_OK)
        ;
}

/* A key as the session sends it: a kind, a time and an ASCII character. */
static void send_key(struct linkend *end)
{
    uint8_t key[6] = {1, 0, 0, 0, 0, 'k'};
    memcpy(key + 1, &end->sent, 4);
    if (link_send(end->link, LINK_EXPRESS, key, sizeof key) == BL_OK)
        end->sent++;
}

static void say_version(struct linkend *end, unsigned long version)
{
    const struct wire wire = {.kind = end->role == LINK_JUDGE ? WIRE_OFFER : WIRE_RESUME,
                              .version = (uint8_t)version,
                              .session = "s",
                              .style = "split"};
    uint8_t record[WIRE_MAX];
    link_send(end->link, LINK_EXPRESS, record, wire_encode(&wire, record));
}

static void on_state(void *ctx, enum link_state state, const char *reason)
{
    static const char *const names[] = {"down", "connecting", "up"};
    struct linkend *end = ctx;
    bool was_up;
    printf("%s: %s\n", names[state], reason);
    fflush(stdout);
    was_up = end->up;
    end->up = state == LINK_UP;
    if (!end->up || was_up)
        return;
    if (strcmp(end->action, "keys") == 0) {
        end->sent = end->received;
        send_key(end);
    } else if (strcmp(end->action, "version") == 0) {
        say_version(end, end->count);
    } else if (strcmp(end->action, "flow") == 0) {
        flow(end);
        uv_timer_start(&end->timer, on_timer, end->count * 1000, 0);
    }
}

static enum bl_status on_record(void *ctx, const uint8_t *record, size_t length)
{
    struct linkend *end = ctx;
    struct wire wire;
    uint32_t number;
    end->bytes += length;
    if (strcmp(end->action, "version") == 0)
        return BL_OTHER_VERSION;
    if (strcmp(end->action, "other") == 0) {
        if (wire_decode(&wire, record, length) == BL_OK && wire.kind == WIRE_OFFER)
            say_version(end, WIRE_VERSION);
    } else if (strcmp(end->action, "echo") == 0) {
        link_send(end->link, LINK_EXPRESS, record, length);
    } else if (strcmp(end->action, "keys") == 0) {
        memcpy(&number, record + 1, 4);
        end->out_of_order += number != end->received;
        if (end->received + 1 < end->count)
            send_key(end);
        else
            uv_timer_start(&end->timer, on_timer, 0, 0);
    }
    end->received++;
    return BL_OK;
}

static void on_progress(void *ctx)
{
    struct linkend *end = ctx;
    if (strcmp(end->action, "flow") == 0)
        flow(end);
}

int main(int argc, char **argv)
{
    static const char *const roles[] = {"any", "judge", "entity"};
    const struct link_callbacks callbacks = {
        .state = on_state, .record = on_record, .progress = on_progress};
    struct linkend end = {.action = argc > 3 ? argv[3] : ""};
    struct link_options options = {0};
    struct bl_diag diag;
    enum bl_status status;
    const char *trace = getenv("TRACE");
    FILE *file = trace ? fopen(trace, "w") : NULL;
    if (argc < 4)
        return EX_USAGE;
    for (unsigned i = 0; i < 3; i++)
        if (strncmp(argv[2], roles[i], strlen(roles[i])) == 0)
            options.role = (enum link_role)i;
    end.role = options.role;
    options.rtscts = strstr(argv[2], "+rtscts");
    options.insecure = strstr(argv[2], "+insecure");
    end.count = argc > 4 ? strtoul(argv[4], NULL, 10) : 0;
    uv_loop_init(&end.loop);
    status = link_open(&end.link, &end.loop, argv[1], &options, &callbacks, &end, &diag);
    if (status != BL_OK) {
        printf("%s\n", diag.text);
        uv_loop_close(&end.loop);
        return bl_status_exit(status);
    }
    link_trace(end.link, file);
    uv_signal_init(&end.loop, &end.term);
    uv_timer_init(&end.loop, &end.timer);
    end.term.data = end.timer.data = &end;
    uv_signal_start(&end.term, on_term, SIGTERM);
    uv_run(&end.loop, UV_RUN_DEFAULT);
    if (file)
        fclose(file);
    /* What was not closed would be a leak. */
    return uv_loop_close(&end.loop) ? EX_SOFTWARE : EX_OK;
}
