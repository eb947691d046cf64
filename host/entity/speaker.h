/* One interface for Entries that do not use their program's input and output: those of a folder
 * (lpp.h), and those that connect to us (apart.h). */
#ifndef ENTITY_SPEAKER_H
#define ENTITY_SPEAKER_H

#include "entity/entry.h"
#include "entity/handed.h"

#include <uv.h>

enum speaker_news {
    SPEAKER_TELLS,   /* an outcome */
    SPEAKER_IGNORES, /* some output of the Entry was dropped */
    SPEAKER_IS_THERE /* as SPEAKER_TELLS; the Entry can be asked from now on */
};

struct speaker_callbacks {
    enum handed (*key)(void *ctx, uint32_t point, uint64_t pressed_us);
    uint64_t (*pressed)(void *ctx); /* returns the number of the Entry's keys on record */
    uint32_t (*placed)(void *ctx, uint64_t n, enum party *party); /* returns key n of the order; 0:
                                                                   * none */
    uint32_t (*waiting)(void *ctx,
                        size_t i); /* returns key i, from 0, of the Entry's keys that are not
                                    * placed; 0: none */
    void (*event)(void *ctx, enum speaker_news news, uint32_t count, const char *text);
};

struct speaker_options {
    const struct entry *entry;
    struct program *program; /* the program whose sandbox has the folder or the port; NULL: none */
    const char *state_dir;   /* 0700 directory, for state that outlives a kill */
    unsigned scan_ms;        /* interval of polls of a folder, see lpp.h */
    bool anew;               /* the Entry has been told nothing yet */
};

struct speaker;

/* Opens the speaker. BL_OK with *out NULL: the Entry uses its program's output. callbacks are
 * copied; event() may be called before the return. The entry must outlive the speaker. Errors:
 * those of lpp_open() and apart_open(). */
enum bl_status speaker_open(struct speaker **out, uv_loop_t *loop,
                            const struct speaker_options *options,
                            const struct speaker_callbacks *callbacks, void *ctx,
                            struct bl_diag *diag);

/* Begins or resumes a session. given: the Entry has the judge's keys up to this number of the
 * order. round: from 0. */
void speaker_session(struct speaker *speaker, const char *session, unsigned round, uint64_t given);

/* Leaves the session: no key is taken or given until the next one. */
void speaker_leave(struct speaker *speaker);

/* speaker_start(): the line has opened for the first time. speaker_end(): the session is over. */
void speaker_start(struct speaker *speaker);
void speaker_end(struct speaker *speaker);

/* Sets the number of keys that the Entry may hand over now, the length of the order, and whether
 * the line carries keys. */
void speaker_run(struct speaker *speaker, unsigned allowed, bool carries, uint64_t order);

/* The number of the order to store now, up to which the Entry has the judge's keys. 0: none to
 * store. */
uint64_t speaker_given(const struct speaker *speaker);

/* True if every due key has been sent to the Entry. */
bool speaker_sent(const struct speaker *speaker);

/* Dates the Entry's earlier keys as typed now: see lpp_reads_from_now(). */
void speaker_reads_from_now(struct speaker *speaker);

/* speaker_watches(): the kernel watches the Entry's folder. speaker_scans(): the folder is polled.
 * Both are false without a folder. */
bool speaker_watches(const struct speaker *speaker);
bool speaker_scans(const struct speaker *speaker);

/* The loop must run until the handles are closed. NULL is allowed. */
void speaker_close(struct speaker *speaker);

#endif
