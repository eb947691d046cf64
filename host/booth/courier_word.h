/* The number of this machine's records that the desk does not have yet. A running courier writes
 * the number to a file; the board watches the file. */
#ifndef BOOTH_COURIER_WORD_H
#define BOOTH_COURIER_WORD_H

#include <stdbool.h>
#include <uv.h>

/* All zeros at the start; private to courier_word.c. */
struct courier_word {
    void (*changed)(void *ctx);
    void *ctx;
    uv_fs_event_t event;
    bool open;
};

/* Begins to watch the folder of the file `path`; NULL: there is no courier. The folder must exist.
 * changed() may also be called without a change. */
void courier_word_open(struct courier_word *word, uv_loop_t *loop, const char *path,
                       void (*changed)(void *ctx), void *ctx);

/* The loop must run until the handle is closed. */
void courier_word_close(struct courier_word *word);

/* Reads the number; 0 also if it is not known. */
unsigned courier_word_read(const char *path);

#endif
