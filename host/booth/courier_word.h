/* The number of this machine's records that are not at the desk yet. Its courier, if one runs,
 * keeps it in a file; a board with a loop between sessions is told when it may have changed. */
#ifndef BOOTH_COURIER_WORD_H
#define BOOTH_COURIER_WORD_H

#include <stdbool.h>
#include <uv.h>

/* Zeroed is the start; of courier_word.c alone. */
struct courier_word {
    void (*changed)(void *ctx);
    void *ctx;
    uv_fs_event_t event;
    bool open;
};

/* Begins to watch the file's folder, for which it must be there; NULL: there is no courier.
 * changed() may be called without a change. */
void courier_word_open(struct courier_word *word, uv_loop_t *loop, const char *path,
                       void (*changed)(void *ctx), void *ctx);

/* The loop must run until the handle is closed. */
void courier_word_close(struct courier_word *word);

/* 0: none, or nobody says anything. */
unsigned courier_word_read(const char *path);

#endif
