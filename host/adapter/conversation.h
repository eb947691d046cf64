/* The conversation for a language model: the messages of both parties, in memory of a fixed size.
 * When the memory is full, the oldest messages are dropped, and then the first lines of the last
 * message. Pure. */
#ifndef ADAPTER_CONVERSATION_H
#define ADAPTER_CONVERSATION_H

#include <stdbool.h>
#include <stddef.h>

enum talker { TALKER_USER, TALKER_ASSISTANT };

/* All zeros at the start, except text and room. */
struct conversation {
    char *text;    /* messages: a letter for the party, UTF-8 and a NUL */
    size_t room;   /* bytes of `text` */
    size_t length; /* bytes used */
    size_t last;   /* offset of the last message */
    unsigned lost; /* number of messages that were dropped, wholly or partly */
    bool answered; /* the assistant has said something */
};

/* Appends text to the party's last message after a line end, or begins a new message. "": nothing
 * is appended. */
void conversation_say(struct conversation *conversation, enum talker talker, const char *text);

void conversation_clear(struct conversation *conversation);

/* Returns the message at *at, which is 0 at first, and moves *at to the next one; NULL: the end. */
const char *conversation_next(const struct conversation *conversation, size_t *at,
                              enum talker *talker);

#endif
