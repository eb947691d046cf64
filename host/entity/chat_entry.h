/* A language model behind a server, as an Entry. Its program is boothlink-chat
 * (adapter/chat/chat.c), in the sandbox, with a brief on a descriptor of its own. */
#ifndef ENTITY_CHAT_ENTRY_H
#define ENTITY_CHAT_ENTRY_H

#include "entity/chat_brief.h"
#include "entity/program.h"

#define CHAT_KEY 1000

struct chat_entry {
    const char *chat;    /* the server's address, or unix:PATH */
    const char *persona; /* a file; NULL: none */
    const char *busy;    /* join, cancel or ignore; NULL: join */
    const char *key;     /* a file; NULL: none */
};

/* Checks the options of an Entry with the folder (NULL: none). Errors: BL_USAGE, and BL_NOINPUT or
 * BL_DATA for the persona's file. */
enum bl_status chat_entry_check(const struct chat_entry *chat, const char *folder,
                                struct bl_diag *diag);

/* Makes the brief: persona, key, and the conversation, which is the first `count` keys of the
 * order. The judge's keys after number `answered` are left out; they come on the program's input.
 * The caller closes the descriptor. BL_NOINPUT, BL_DATA, BL_NOMEM. */
enum bl_status chat_entry_brief(int *fd, const struct chat_entry *chat, const char *session,
                                const struct key_event *event, uint64_t count, uint64_t answered,
                                struct bl_diag *diag);

/* Tells the model's adapter the state of the session. brief: the descriptor from
 * chat_entry_brief(). */
void chat_entry_tell(int brief, uint64_t ends_us, const char *session);

#endif
