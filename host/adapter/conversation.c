#include "adapter/conversation.h"

#include <stdint.h>
#include <string.h>

static const char letters[] = {[TALKER_USER] = 'u', [TALKER_ASSISTANT] = 'a'};

/* Drops the oldest message, or the first line of a single one. */
static void drop_oldest(struct conversation *c)
{
    size_t first = strlen(c->text) + 1;
    const char *end = c->last ? NULL : memchr(c->text, '\n', first);
    size_t from = end ? 1 : 0, to = end ? (size_t)(end + 1 - c->text) : first;
    memmove(c->text + from, c->text + to, c->length - to);
    c->length -= to - from;
    c->last -= c->last ? to : 0;
    c->lost++;
}

void conversation_say(struct conversation *c, enum talker talker, const char *text)
{
    size_t length = strlen(text);
    if (!length)
        return;
    for (; length + 2 > c->room || ((uint8_t)*text & 0xC0) == 0x80; text++, length--)
        c->lost += length + 2 == c->room + 1; /* only the end has room */
    c->answered = c->answered || talker == TALKER_ASSISTANT;
    while (c->length + length + 2 > c->room)
        drop_oldest(c);
    if (c->length && c->text[c->last] == letters[talker]) {
        c->text[c->length - 1] = '\n';
    } else {
        c->last = c->length;
        c->text[c->length++] = letters[talker];
    }
    memcpy(c->text + c->length, text, length + 1);
    c->length += length + 1;
}

void conversation_clear(struct conversation *c)
{
    c->length = c->last = 0;
}

const char *conversation_next(const struct conversation *c, size_t *at, enum talker *talker)
{
    const char *message = c->text + *at;
    if (*at >= c->length)
        return NULL;
    *talker = *message == letters[TALKER_USER] ? TALKER_USER : TALKER_ASSISTANT;
    *at += strlen(message) + 1;
    return message + 1;
}
