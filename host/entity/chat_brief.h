/* The brief of a language model's adapter: a file in memory, written by the terminal and read by
 * boothlink-chat. */
#ifndef ENTITY_CHAT_BRIEF_H
#define ENTITY_CHAT_BRIEF_H

#include <stdint.h>

#define CHAT_BRIEF   4  /* the descriptor */
#define CHAT_TEXT_AT 64 /* offset of the JSON text, after struct chat_state */

/* The part of the brief that changes while the model runs. */
struct chat_state {
    uint64_t ends_us;                              /* end of the segment, monotonic; 0: not known */
    char session[CHAT_TEXT_AT - sizeof(uint64_t)]; /* the session's name, once the line is open */
};

#endif
