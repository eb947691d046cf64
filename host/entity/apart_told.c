#include "entity/apart_told.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>

size_t apart_length(const struct apart_said *said)
{
    size_t head = offsetof(struct apart_said, as);
    switch ((enum apart_kind)said->kind) {
    case APART_TYPES:
        return said->count <= APART_SAID ? head + said->count * sizeof said->as.key[0] : 0;
    case APART_NOTES:
        return head + strnlen(said->as.text, NOTE_MAX) + 1;
    case APART_KNOWS:
    case APART_ASKS:
        return head;
    }
    return 0;
}

enum apart_taken apart_take(int socket, struct apart_said *said)
{
    ssize_t length = recv(socket, said, sizeof *said, MSG_DONTWAIT);
    if (length < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
        return APART_NOTHING;
    said->as.text[NOTE_MAX] = '\0';
    if (length < (ssize_t)offsetof(struct apart_said, as) || (size_t)length != apart_length(said) ||
        said->event > APART_IS_THERE)
        return APART_OVER;
    if (said->kind == APART_NOTES)
        for (char *c = said->as.text; *c; c++)
            *c = (unsigned char)*c < ' ' || *c == 0x7F ? '?' : *c;
    return APART_TAKEN;
}
