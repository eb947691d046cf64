/* An Entry whose protocol an adapter serves: a program of ours, so that the terminal reads no
 * stranger's bytes from a network. The adapter ends with the terminal. An adapter that ends sooner
 * is started again, up to a limit, and told the conversation so far. See apart_told.h. */
#ifndef ENTITY_APART_H
#define ENTITY_APART_H

#include "entity/apart_told.h"
#include "entity/handed.h"
#include "entity/lpp2_place.h"

#include <uv.h>

struct apart_options {
    const struct lpp2_place *place;
    int listening; /* > 0: a listening socket in the sandbox's own network, owned by the caller */
};

/* As struct speaker_callbacks; `waiting` may be NULL. */
struct apart_callbacks {
    enum handed (*key)(void *ctx, uint32_t point, uint64_t pressed_us);
    uint32_t (*placed)(void *ctx, uint64_t n, enum party *party);
    uint32_t (*waiting)(void *ctx, size_t i);
    void (*event)(void *ctx, enum apart_news news, uint32_t count, const char *text);
};

struct apart;

/* Listens. The loop's first turn starts the program, without the terminal's early privileges.
 * Callbacks are copied; the place outlives apart_close(). Errors: those of http_listen();
 * BL_UNAVAIL: the program is not installed. */
enum bl_status apart_open(struct apart **out, uv_loop_t *loop, const struct apart_options *options,
                          const struct apart_callbacks *callbacks, void *ctx, struct bl_diag *diag);

/* As the functions of adapter/lpp2.h; apart_run() is lpp2_allow() and lpp2_order(). */
void apart_session(struct apart *apart, unsigned round, uint64_t given);
void apart_start(struct apart *apart);
void apart_end(struct apart *apart);
void apart_run(struct apart *apart, unsigned allowed, uint64_t order);
uint64_t apart_given(const struct apart *apart);

/* True if every given key has gone to the Entry, or no program runs. The first call asks the
 * program; the answer wakes the loop. */
bool apart_sent(struct apart *apart);

/* The loop must run until the handles are closed. NULL is allowed. */
void apart_close(struct apart *apart);

#endif
