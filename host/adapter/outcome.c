#include "adapter/outcome.h"

#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static bool heard; /* a socket was passed to us */

void outcome_begin(unsigned kept, unsigned port)
{
    int type = 0;
    socklen_t length = sizeof type;
    heard = getsockopt(APART_SOCKET, SOL_SOCKET, SO_TYPE, &type, &length) == 0 &&
            type == SOCK_SEQPACKET && fcntl(APART_SOCKET, F_SETFD, FD_CLOEXEC) == 0;
    if (kept < APART_SOCKET)
        close_range(kept, APART_SOCKET - 1, 0);
    close_range(port ? port + 1 : heard ? APART_SOCKET + 1 : APART_SOCKET, UINT32_MAX, 0);
}

bool outcome_send(const struct apart_said *said)
{
    ssize_t sent;
    while ((sent = send(APART_SOCKET, said, apart_length(said), MSG_NOSIGNAL)) < 0 &&
           errno == EINTR)
        ;
    return sent >= 0;
}

void outcome_tell(enum apart_news news, uint32_t count, const char *format, ...)
{
    struct apart_said said = {.kind = APART_NOTES, .event = news, .count = count};
    va_list args;
    va_start(args, format);
    int length = vsnprintf(said.as.text, sizeof said.as.text, format, args);
    va_end(args);
    if (length > NOTE_MAX)
        memcpy(said.as.text + NOTE_MAX - 3, "...", 3);
    if (!heard)
        log_line("outcome", "%s", said.as.text);
    else
        (void)outcome_send(&said);
}
