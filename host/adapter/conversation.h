/* The conversation as a language model is given it: the messages of both parties, in room that is
 * there from the start. Without room the oldest messages are left out, and of the last one its
 * first lines. Pure. */
#ifndef ADAPTER_CONVERSATION_H
#define ADAPTER_CONVERSATION_H

#include <stdbool.h>
#include <stddef.h>

enum talker { TALKER_USER, TALKER_ASSISTANT };

/* Zeroed, but for text and room, is the start. */
struct conversation {
    char *text;    /* messages, each a letter of its talker, UTF-8 and a NUL */
    size_t room;   /* its bytes */
    size_t length; /* of them in use, */
    size_t last;   /* and where the last message begins */
    unsigned lost; /* messages that were left out, or are not whole */
    bool answered; /* the assistant has said something */
};

/* Adds to a party's last words, behind a line end, or as a message of its own. "" adds nothing. */
void conversation_say(struct conversation *conversation, enum talker talker, const char *text);

void conversation_clear(struct conversation *conversation);

/* The message at *at, 0 at first, which moves to the next one; NULL: there is none. */
const char *conversation_next(const struct conversation *conversation, size_t *at,
                              enum talker *talker);

#endif
