#include "sim/program/program.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sysexits.h>
#include <unistd.h>

#define WORDS_MAX 8

static const struct sim_program *program;
static int loop_fd = -1;
static bool over;

void sim_begin(const struct sim_program *that)
{
    program = that;
}

void sim_die(int code, const char *format, ...)
{
    va_list arguments;

    fprintf(stderr, "%s: ", program->name);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    program->clean_up();
    exit(code);
}

static void expect(int fd, int error)
{
    if (error == EPERM && fd == STDIN_FILENO)
        sim_die(EX_USAGE, "--with-stdin: standard input must be a pipe or a terminal");
    if (error)
        sim_die(EX_OSERR, "epoll: %s", strerror(error));
}

void sim_watch(int fd, struct sim_source *source, uint32_t events)
{
    expect(fd, sim_loop_add(loop_fd, fd, source, events));
}

int sim_loop(void)
{
    return loop_fd;
}

static void signal_ready(struct sim_source *source, uint32_t events)
{
    (void)source;
    (void)events;
    over = true;
}

void sim_open(void)
{
    static struct sim_source source = {signal_ready};
    sigset_t signals;
    int fd;

    loop_fd = sim_loop_open();
    if (loop_fd < 0)
        sim_die(EX_OSERR, "epoll: %s", strerror(errno));
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGHUP);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    fd = signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
    if (fd < 0)
        sim_die(EX_OSERR, "signalfd: %s", strerror(errno));
    sim_watch(fd, &source, EPOLLIN);
}

static void stdin_ready(struct sim_source *source, uint32_t events)
{
    char buffer[256];
    ssize_t count = read(STDIN_FILENO, buffer, sizeof(buffer));

    (void)source;
    (void)events;
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR))
        over = true;
}

void sim_with_stdin(void)
{
    static struct sim_source source = {stdin_ready};

    sim_watch(STDIN_FILENO, &source, EPOLLIN);
}

void sim_run(void)
{
    while (!over)
        sim_loop_turn(loop_fd, true);
}

void sim_quit(void)
{
    over = true;
}

bool sim_number_parse(const char *word, uint64_t max, uint64_t *value)
{
    char *end;

    if (word[0] < '0' || word[0] > '9')
        return false;
    errno = 0;
    *value = strtoull(word, &end, 10);
    return errno == 0 && *end == '\0' && *value <= max;
}

bool sim_rate_parse(const char *word, double *rate)
{
    char *end;

    *rate = strtod(word, &end);
    return end != word && *end == '\0' && *rate >= 0 && *rate <= 1;
}

double sim_rate(const char *option, const char *text)
{
    double rate;

    if (!sim_rate_parse(text, &rate))
        sim_die(EX_USAGE, "--%s %s: expected a number from 0 to 1, as 1e-4", option, text);
    return rate;
}

uint64_t sim_number(const char *option, const char *text, uint64_t min, uint64_t max)
{
    uint64_t value;

    if (!sim_number_parse(text, max, &value) || value < min)
        sim_die(EX_USAGE, "--%s %s: expected %ju to %ju", option, text, (uintmax_t)min,
                (uintmax_t)max);
    return value;
}

void sim_write(const char *path, const char *text)
{
    FILE *file = fopen(path, "we");

    if (!file || fprintf(file, "%s\n", text) < 0 || fclose(file) != 0)
        sim_die(EX_CANTCREAT, "%s: %s", path, strerror(errno));
}

bool sim_command(const char *line, char *answer, size_t size)
{
    return program->command(line, answer, size);
}

bool sim_do_quit(const struct sim_request *request)
{
    (void)request;
    sim_quit();
    return true;
}

bool sim_refuse(const struct sim_request *request, const char *what)
{
    snprintf(request->answer, request->size, "error: %s: %s", request->words[0], what);
    return false;
}

bool sim_obey(const struct sim_verb *verbs, const char *line, char *answer, size_t size)
{
    char copy[256];
    char *words[WORDS_MAX] = {NULL};
    char *rest = NULL;
    int count = 0;

    snprintf(copy, sizeof(copy), "%s", line);
    for (char *word = strtok_r(copy, " \t\r\n", &rest); word && count < WORDS_MAX;
         word = strtok_r(NULL, " \t\r\n", &rest))
        words[count++] = word;
    snprintf(answer, size, "ok");
    for (; count && verbs->name; verbs++) {
        if (strcmp(verbs->name, words[0]) != 0)
            continue;
        if (count != verbs->count + 1) {
            snprintf(answer, size, "error: usage: %s%s", verbs->name, verbs->arguments);
            return false;
        }
        return verbs->run(&(struct sim_request){words, answer, size});
    }
    snprintf(answer, size, "error: no such command: %.40s", count ? words[0] : "(empty)");
    return false;
}
