/* An Entry with another protocol than input and output: through a folder, or as a client that
 * connects. One interface for both. */
#ifndef ENTITY_SPEAKER_H
#define ENTITY_SPEAKER_H

#include "entity/entry.h"
#include "entity/handed.h"

#include <uv.h>

enum speaker_news {
    SPEAKER_TELLS,   /* an outcome */
    SPEAKER_IGNORES, /* some of its output was not taken */
    SPEAKER_IS_THERE /* as SPEAKER_TELLS, and the Entry can be asked now */
};

struct speaker_callbacks {
    enum handed (*key)(void *ctx, uint32_t point, uint64_t pressed_us);
    uint64_t (*pressed)(void *ctx); /* keys of the Entry that are on record */
    uint32_t (*placed)(void *ctx, uint64_t n, enum party *party); /* key n of the order; 0: none */
    uint32_t (*waiting)(void *ctx,
                        size_t i); /* key i among the Entry's keys that are not placed; 0: none */
    void (*event)(void *ctx, enum speaker_news news, uint32_t count, const char *text);
};

struct speaker_options {
    const struct entry *entry;
    struct program *program; /* the sandbox in which it speaks; NULL: it was not started in one */
    const char *state_dir;   /* 0700 directory, for state that outlives a kill */
    unsigned scan_ms;        /* interval of looks at a folder, see lpp.h */
    bool anew;               /* the Entry in that sandbox has been told nothing yet */
};

struct speaker;

/* BL_OK with *out NULL if the Entry speaks by its output. callbacks are copied, and event() may be
 * called before this returns; the entry must live as long. Errors: of lpp_open(), lpp2_open(). */
enum bl_status speaker_open(struct speaker **out, uv_loop_t *loop,
                            const struct speaker_options *options,
                            const struct speaker_callbacks *callbacks, void *ctx,
                            struct bl_diag *diag);

/* Begins or resumes a session. given: the judge's keys up to this number of the order were given
 * before. round: from 0. */
void speaker_session(struct speaker *speaker, const char *session, unsigned round, uint64_t given);

/* Leaves the session: nothing is read or made until the next one. */
void speaker_leave(struct speaker *speaker);

/* _start: the line has opened for the first time. _end: the session is over. */
void speaker_start(struct speaker *speaker);
void speaker_end(struct speaker *speaker);

/* The number of keys that it may hand over now, if the line carries any, and the length of the
 * order. */
void speaker_run(struct speaker *speaker, unsigned allowed, bool carries, uint64_t order);

/* The judge's keys up to this number of the order have reached the Entry, as far as that must be
 * stored now; 0: nothing must. */
uint64_t speaker_given(const struct speaker *speaker);

/* True if everything due has been sent to the Entry. */
bool speaker_sent(const struct speaker *speaker);

/* Its earlier keys count as typed now: see lpp_reads_from_now(). */
void speaker_reads_from_now(struct speaker *speaker);

/* True if the kernel watches a folder for it; true if a folder is looked at in intervals. Both
 * false without a folder. */
bool speaker_watches(const struct speaker *speaker);
bool speaker_scans(const struct speaker *speaker);

/* The loop must run until the handles are closed. NULL is allowed. */
void speaker_close(struct speaker *speaker);

#endif
