/* An Entry that does not speak by its input and output: through a folder, or as a client that
 * connects to us. One way to hold either, by its kind. */
#ifndef ENTITY_SPEAKER_H
#define ENTITY_SPEAKER_H

#include "entity/entry.h"
#include "entity/handed.h"

#include <uv.h>

enum speaker_news {
    SPEAKER_TELLS,   /* an outcome */
    SPEAKER_IGNORES, /* something of it was not taken */
    SPEAKER_IS_THERE /* the same as SPEAKER_TELLS; and it can be asked now */
};

struct speaker_callbacks {
    enum handed (*key)(void *ctx, uint32_t point, uint64_t pressed_us);
    uint64_t (*pressed)(void *ctx); /* keys of the Entry that are on record */
    uint32_t (*placed)(void *ctx, uint64_t n, enum party *party); /* key n of the order; 0: none */
    uint32_t (*waiting)(void *ctx, size_t i); /* key i of the Entry's without a place; 0: none */
    void (*event)(void *ctx, enum speaker_news news, uint32_t count, const char *text);
};

struct speaker_options {
    const struct entry *entry;
    struct program *program; /* in whose sandbox it speaks; NULL: it was not started in one */
    const char *state_dir;   /* 0700, for state that outlives a kill */
    unsigned scan_ms;        /* of a folder, see lpp.h */
    bool anew;               /* the Entry in that sandbox has been told nothing yet */
};

struct speaker;

/* *out is NULL, and all is well, if the Entry speaks by its output. callbacks are copied, and
 * event() may be called before this returns; the entry must live as long. Errors: of lpp_open(),
 * lpp2_open(). */
enum bl_status speaker_open(struct speaker **out, uv_loop_t *loop,
                            const struct speaker_options *options,
                            const struct speaker_callbacks *callbacks, void *ctx,
                            struct bl_diag *diag);

/* Begins a session, or goes on with it: `given` says up to which number of the order the judge's
 * keys were given before. round: from 0. */
void speaker_session(struct speaker *speaker, const char *session, unsigned round, uint64_t given);

/* Leaves the session: nothing is read or made until the next one. */
void speaker_leave(struct speaker *speaker);

/* The line has been open for the first time; the session is over. */
void speaker_start(struct speaker *speaker);
void speaker_end(struct speaker *speaker);

/* The number of keys it may hand over now, if the line carries any, and the length of the order. */
void speaker_run(struct speaker *speaker, unsigned allowed, bool carries, uint64_t order);

/* The judge's keys up to this number of the order have reached it, as far as that is to be kept
 * now; 0: nothing is. */
uint64_t speaker_given(const struct speaker *speaker);

/* Has all gone to it that is to be sent? */
bool speaker_sent(const struct speaker *speaker);

/* Counts its earlier keys as typed now: see lpp_reads_from_now(). */
void speaker_reads_from_now(struct speaker *speaker);

/* Does the kernel watch a folder for it? Is one looked into at an interval instead? Neither, where
 * it has none. */
bool speaker_watches(const struct speaker *speaker);
bool speaker_scans(const struct speaker *speaker);

/* The loop must run until the handles are closed. NULL is allowed. */
void speaker_close(struct speaker *speaker);

#endif
