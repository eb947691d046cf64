#include "terminal/guard.h"

#include "terminal/console.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

/* The data of the signal handler, prepared before a signal comes. */
static struct {
    volatile sig_atomic_t armed;
    pid_t owner;
    int fd;
    struct termios modes;
    char text[GUARD_TEXT];
    volatile sig_atomic_t length;
    struct sigaction before[_NSIG];
    bool caught[_NSIG];
    bool at_exit;
} guard;

/* The handler's own stack: the process's stack may have overflowed. */
static char spare_stack[32 * 1024];

/* Restores the console's settings (console.h), the screen and the terminal's modes.
 * Async-signal-safe; a second call does nothing. */
static void guard_restore(void)
{
    int error = errno, flags;
    sigset_t block, before;
    if (!guard.armed || getpid() != guard.owner)
        return;
    guard.armed = 0;
    /* SIGTTOU would stop this process if it wrote to the terminal or set modes in the
     * background. */
    sigemptyset(&block);
    sigaddset(&block, SIGTTOU);
    pthread_sigmask(SIG_BLOCK, &block, &before);
    console_restore();
    /* A terminal that accepts no output must not delay the process's end. */
    flags = fcntl(guard.fd, F_GETFL);
    fcntl(guard.fd, F_SETFL, flags | O_NONBLOCK);
    for (ssize_t at = 0, n; at < guard.length; at += n) {
        n = write(guard.fd, guard.text + at, (size_t)(guard.length - at));
        if (n <= 0)
            break;
    }
    fcntl(guard.fd, F_SETFL, flags);
    tcsetattr(guard.fd, TCSANOW, &guard.modes);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
}

static bool is_crash(int sig)
{
    return sig == SIGSEGV || sig == SIGBUS || sig == SIGFPE || sig == SIGILL || sig == SIGABRT ||
           sig == SIGTRAP || sig == SIGSYS;
}

static bool ends_process(int sig)
{
    switch (sig) {
    case SIGKILL:
    case SIGSTOP:
    case SIGCHLD:
    case SIGCONT:
    case SIGURG:
    case SIGWINCH:
    case SIGTSTP:
    case SIGTTIN:
    case SIGTTOU:
        return false;
    default:
        return true;
    }
}

static void on_signal(int sig, siginfo_t *info, void *context)
{
    (void)context;
    guard_restore();
    sigaction(sig, &guard.before[sig], NULL);
    /* After the return the processor repeats its fault, for the handler from before guard_arm().
     * Any other signal is raised again. */
    if (!is_crash(sig) || info->si_code <= 0)
        raise(sig);
}

static bool is_ours(const struct sigaction *action)
{
    return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == on_signal;
}

static void catch_signals(void)
{
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    stack_t stack;
    sigfillset(&action.sa_mask);
    if (sigaltstack(NULL, &stack) == 0 && (stack.ss_flags & SS_DISABLE)) {
        stack = (stack_t){.ss_sp = spare_stack, .ss_size = sizeof spare_stack};
        sigaltstack(&stack, NULL);
    }
    for (int sig = 1; sig < _NSIG; sig++) {
        struct sigaction *before = &guard.before[sig];
        if (!ends_process(sig) || sigaction(sig, NULL, before) != 0 || is_ours(before))
            continue;
        if (before->sa_handler == SIG_DFL || is_crash(sig))
            guard.caught[sig] = sigaction(sig, &action, NULL) == 0;
    }
    /* A booth must not be suspended. */
    if (sigaction(SIGTSTP, NULL, &guard.before[SIGTSTP]) == 0 &&
        guard.before[SIGTSTP].sa_handler == SIG_DFL)
        guard.caught[SIGTSTP] = signal(SIGTSTP, SIG_IGN) != SIG_ERR;
}

bool guard_arm(int fd)
{
    if (tcgetattr(fd, &guard.modes) != 0)
        return false;
    guard.fd = fd;
    guard.owner = getpid();
    guard.length = 0;
    guard.armed = 1;
    catch_signals();
    if (!guard.at_exit)
        guard.at_exit = atexit(guard_restore) == 0;
    return true;
}

void guard_text(const char *text)
{
    size_t length = strlen(text);
    guard.length = 0; /* a signal before the last line writes no text, rather than half a text */
    if (length > sizeof guard.text)
        length = sizeof guard.text;
    memcpy(guard.text, text, length);
    guard.length = (sig_atomic_t)length;
}

void guard_disarm(void)
{
    guard_restore();
    for (int sig = 1; sig < _NSIG; sig++) {
        struct sigaction now;
        if (!guard.caught[sig])
            continue;
        guard.caught[sig] = false;
        if (sigaction(sig, NULL, &now) == 0 && (is_ours(&now) || sig == SIGTSTP))
            sigaction(sig, &guard.before[sig], NULL);
    }
}
