#include "command/typed.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <termios.h>
#include <unistd.h>

static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP};
enum { SIGNALS = sizeof signals / sizeof signals[0] };

static volatile sig_atomic_t caught;

static void on_signal(int number)
{
    caught = number;
}

/* Reads single bytes: input after the line is left. */
static enum bl_status read_line(char *line, size_t size, struct bl_diag *diag)
{
    size_t length = 0;
    char byte;
    for (;;) {
        ssize_t n = caught ? -1 : read(STDIN_FILENO, &byte, 1);
        if (n < 0 && errno == EINTR && !caught)
            continue;
        if (n <= 0 && (n < 0 || length == 0))
            return bl_fail(diag, BL_NOINPUT, "no line was typed");
        if (n == 0 || byte == '\n')
            break;
        if (length == size - 1)
            return bl_fail(diag, BL_DATA, "the line is longer than %zu bytes", size - 1);
        line[length++] = byte;
    }
    line[length] = '\0';
    return BL_OK;
}

enum bl_status typed_line(const char *question, char *line, size_t size, struct bl_diag *diag)
{
    struct sigaction before[SIGNALS];
    const struct sigaction action = {.sa_handler = on_signal}; /* without SA_RESTART */
    struct termios shown, hidden;
    enum bl_status status;
    int number;
    bool asked = tcgetattr(STDIN_FILENO, &shown) == 0;
    caught = 0;
    if (!asked)
        return read_line(line, size, diag);
    for (unsigned i = 0; i < SIGNALS; i++)
        sigaction(signals[i], &action, &before[i]);
    hidden = shown;
    hidden.c_lflag &= ~(tcflag_t)ECHO;
    hidden.c_lflag |= ECHONL;
    tcsetattr(STDIN_FILENO, TCSADRAIN, &hidden);
    fputs(question, stderr);
    status = read_line(line, size, diag);
    tcsetattr(STDIN_FILENO, TCSADRAIN, &shown);
    number = caught;
    for (unsigned i = 0; i < SIGNALS; i++)
        sigaction(signals[i], &before[i], NULL);
    if (number) {
        fputc('\n', stderr);
        raise(number);
        /* The process continues after the stop. The line is then read. */
        return number == SIGTSTP ? typed_line(question, line, size, diag) : status;
    }
    return status;
}
