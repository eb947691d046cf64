/* The account of a referee's listener: lines on standard output about the parties, the conversation
 * if it can be read, and a record. */
#ifndef BOOTH_TAP_BOOK_H
#define BOOTH_TAP_BOOK_H

#include "base/time.h"
#include "link/ether_frame.h"
#include "link/link.h"
#include "link/secret.h"
#include "session/event.h"

#include <uv.h>

#define TAP_LINES    64
#define TAP_FOREIGN  64
#define TAP_KEYS_MAX 32

struct tap_book;

struct tap_listener {
    bool referee;
    struct referee_key referee_key;
    struct {
        uint8_t secret[SECURE_KEY]; /* a secret that may belong to any line */
    } line[TAP_KEYS_MAX];
    unsigned lines;
    const char *journal_dir; /* NULL: no record */
    enum side side;          /* side of a line whose name does not end with "left" or "right" */
};

/* Makes a book; listener is copied. NULL: no memory. */
struct tap_book *tap_book_create(uv_loop_t *loop, const struct tap_listener *listener);
/* Reports the remaining gaps and closes the records. Then the loop must run once. */
void tap_book_finish(struct tap_book *book);
void tap_book_destroy(struct tap_book *book);

/* Take a frame of a line. A serial line has the name "" and the ends 0 and 1. On Ethernet the ends
 * are told apart by the frame's role and address. */
void tap_book_serial(struct tap_book *book, struct bl_time now, unsigned end, const uint8_t *frame,
                     size_t length);
void tap_book_ether(struct tap_book *book, struct bl_time now, const uint8_t *bytes, size_t length);

/* Writes a line about the listener, such as about its cable. */
void tap_book_tell(struct tap_book *book, struct bl_time now, const char *text);

void tap_book_tick(struct tap_book *book, struct bl_time now);
uint64_t tap_book_deadline(const struct tap_book *book);

#endif
