#include "sim/program/control.h"

#include "base/loop.h"
#include "sim/program/program.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sysexits.h>
#include <unistd.h>

#define LINE_MAX_BYTES 256
#define ANSWER_MAX     2048
#define CLIENTS_MAX    128
#define SCHEDULE_MAX   4096

struct control_client {
    struct sim_source source;
    int fd; /* -1: free */
    char line[LINE_MAX_BYTES];
    size_t length;
};

static struct {
    struct sim_source source;
    const char *path;
    int fd;
    struct control_client client[CLIENTS_MAX];
} control;

static void client_close(struct control_client *client)
{
    close(client->fd);
    client->fd = -1;
}

static bool client_answer(struct control_client *client, const char *text)
{
    char line[ANSWER_MAX + 2];
    int length = snprintf(line, sizeof(line), "%s\n", text);

    /* A client that does not read its answers does not delay others. */
    return send(client->fd, line, (size_t)length, MSG_NOSIGNAL | MSG_DONTWAIT) == length;
}

static void client_ready(struct sim_source *source, uint32_t events)
{
    struct control_client *client = (struct control_client *)source;
    char answer[ANSWER_MAX];
    char *newline;
    ssize_t count = recv(client->fd, client->line + client->length,
                         sizeof(client->line) - client->length, MSG_DONTWAIT);

    (void)events;
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (count <= 0) {
        client_close(client);
        return;
    }
    client->length += (size_t)count;
    while ((newline = memchr(client->line, '\n', client->length)) != NULL) {
        size_t used = (size_t)(newline - client->line) + 1;

        *newline = '\0';
        sim_command(client->line, answer, sizeof(answer));
        client->length -= used;
        memmove(client->line, client->line + used, client->length);
        if (!client_answer(client, answer)) {
            client_close(client);
            return;
        }
    }
    if (client->length == sizeof(client->line)) {
        client_answer(client, "error: the line is longer than 255 bytes");
        client_close(client);
    }
}

static void control_ready(struct sim_source *source, uint32_t events)
{
    int fd = accept4(control.fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

    (void)source;
    (void)events;
    if (fd < 0)
        return;
    for (size_t i = 0; i < CLIENTS_MAX; i++) {
        struct control_client *client = &control.client[i];

        if (client->fd >= 0)
            continue;
        client->source.ready = client_ready;
        client->fd = fd;
        client->length = 0;
        sim_watch(fd, &client->source, EPOLLIN);
        return;
    }
    close(fd);
}

static void address_fill(struct sockaddr_un *address, const char *path)
{
    memset(address, 0, sizeof(*address));
    address->sun_family = AF_UNIX;
    if (strlen(path) >= sizeof(address->sun_path))
        sim_die(EX_USAGE, "%s: a socket's path has at most %zu bytes", path,
                sizeof(address->sun_path) - 1);
    strcpy(address->sun_path, path);
}

void control_open(const char *path)
{
    struct sockaddr_un address;
    struct stat status;

    control.path = path;
    control.source.ready = control_ready;
    for (size_t i = 0; i < CLIENTS_MAX; i++)
        control.client[i].fd = -1;
    address_fill(&address, path);
    if (lstat(path, &status) == 0 && S_ISSOCK(status.st_mode))
        unlink(path); /* left by a killed simulator */
    control.fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (control.fd < 0 || bind(control.fd, (struct sockaddr *)&address, sizeof(address)) < 0 ||
        listen(control.fd, CLIENTS_MAX) < 0)
        sim_die(EX_CANTCREAT, "%s: %s", path, strerror(errno));
    sim_watch(control.fd, &control.source, EPOLLIN);
}

void control_close(void)
{
    if (control.path)
        unlink(control.path);
    control.path = NULL;
}

static FILE *control_connect(const char *path)
{
    struct sockaddr_un address;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    FILE *stream;

    address_fill(&address, path);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0)
        sim_die(EX_NOINPUT, "%s: %s", path, strerror(errno));
    stream = fdopen(fd, "r+");
    if (!stream)
        sim_die(EX_OSERR, "%s: %s", path, strerror(errno));
    return stream;
}

static void control_exchange(FILE *stream, const char *path, const char *line, char *answer,
                             size_t size)
{
    if (fprintf(stream, "%s\n", line) < 0 || fflush(stream) != 0 ||
        !fgets(answer, (int)size, stream))
        sim_die(EX_IOERR, "%s: the simulator did not answer '%s'", path, line);
}

void control_ask(const char *path, const char *line, char *answer, size_t size)
{
    FILE *stream = control_connect(path);

    control_exchange(stream, path, line, answer, size);
    answer[strcspn(answer, "\n")] = '\0';
    fclose(stream);
}

int control_send(const char *path, char *const *lines, size_t count)
{
    FILE *stream = control_connect(path);
    char answer[ANSWER_MAX];
    int code = EX_OK;

    for (size_t i = 0; i < count; i++) {
        control_exchange(stream, path, lines[i], answer, sizeof(answer));
        fputs(answer, stdout);
        if (strncmp(answer, "error:", 6) == 0)
            code = EX_DATAERR;
    }
    fclose(stream);
    return code;
}

static struct {
    struct sim_source source;
    int timer;
    uint64_t start_ns;
    size_t count, next;
    struct {
        uint64_t ms;
        char *command;
    } entry[SCHEDULE_MAX];
} schedule;

void schedule_add(const char *text, const char *where)
{
    char *end;
    uint64_t ms = strtoull(text, &end, 10);
    size_t place = schedule.count;

    if (end == text || (*end != ':' && *end != ' ' && *end != '\t'))
        sim_die(EX_DATAERR, "%s: '%s': expected milliseconds and a command", where, text);
    if (schedule.count == SCHEDULE_MAX)
        sim_die(EX_DATAERR, "%s: more than %d timed commands", where, SCHEDULE_MAX);
    for (; place > 0 && schedule.entry[place - 1].ms > ms; place--)
        schedule.entry[place] = schedule.entry[place - 1];
    schedule.entry[place].ms = ms;
    schedule.entry[place].command = strdup(end + 1);
    schedule.count++;
}

void schedule_load(const char *path)
{
    char line[LINE_MAX_BYTES], where[512];
    FILE *file = fopen(path, "re");

    if (!file)
        sim_die(EX_NOINPUT, "%s: %s", path, strerror(errno));
    for (int number = 1; fgets(line, sizeof(line), file); number++) {
        line[strcspn(line, "\r\n")] = '\0';
        snprintf(where, sizeof(where), "%s:%d", path, number);
        if (line[0] != '\0' && line[0] != '#')
            schedule_add(line, where);
    }
    fclose(file);
}

static void schedule_run(struct sim_source *source, uint32_t events)
{
    uint64_t now_ns = bl_mono_ns(), due_ns;
    char answer[ANSWER_MAX];

    (void)source;
    (void)events;
    while (schedule.next < schedule.count) {
        due_ns = schedule.start_ns + schedule.entry[schedule.next].ms * 1000000u;
        if (due_ns > now_ns) {
            struct itimerspec spec = {
                .it_value = {(time_t)(due_ns / 1000000000u), (long)(due_ns % 1000000000u)},
            };

            timerfd_settime(schedule.timer, TFD_TIMER_ABSTIME, &spec, NULL);
            return;
        }
        if (!sim_command(schedule.entry[schedule.next].command, answer, sizeof(answer)))
            fprintf(stderr, "at %ju ms: %s\n", (uintmax_t)schedule.entry[schedule.next].ms, answer);
        schedule.next++;
    }
}

void schedule_start(void)
{
    if (schedule.count == 0)
        return;
    schedule.source.ready = schedule_run;
    schedule.start_ns = bl_mono_ns();
    schedule.timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (schedule.timer < 0)
        sim_die(EX_OSERR, "timerfd: %s", strerror(errno));
    sim_watch(schedule.timer, &schedule.source, EPOLLIN | EPOLLET);
    schedule_run(&schedule.source, 0);
}
