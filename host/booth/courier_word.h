/* The number of this machine's records that are not at the desk yet. A running courier keeps the
 * number in a file; a board with a loop between sessions is told of possible changes. */
#ifndef BOOTH_COURIER_WORD_H
#define BOOTH_COURIER_WORD_H

#include <stdbool.h>
#include <uv.h>

/* Zeroed is the start; private to courier_word.c. */
struct courier_word {
    void (*changed)(void *ctx);
    void *ctx;
    uv_fs_event_t event;
    bool open;
};

/* Begins to watch the file's folder, which must be there; NULL: there is no courier. changed() may
 * also be called without a change. */
void courier_word_open(struct courier_word *word, uv_loop_t *loop, const char *path,
                       void (*changed)(void *ctx), void *ctx);

/* The loop must run until the handle is closed. */
void courier_word_close(struct courier_word *word);

/* 0: none, or the number is not known. */
unsigned courier_word_read(const char *path);

#endif
