/* Compares a contest with the records of its venue: journals, ballot files, published transcripts.
 * The caller passes their contents; a callback reports differences. Pure. */
#ifndef CONTEST_VERIFY_H
#define CONTEST_VERIFY_H

#include "contest/contest.h"
#include "journal/order.h"
#include "rules/ballot_file.h"
#include "transcript/history.h"
#include "transcript/transcript.h"

/* A file kept by the venue. */
struct verify_file {
    char *path; /* owned */
    char session[BALLOT_SESSION_MAX +
                 1]; /* the session, by the file's name; for a ballot, by its contents */
    enum { FILE_JUDGE, FILE_ENTITY, FILE_BALLOT, FILE_PUBLISHED } kind;
    bool seen; /* already compared */
};

struct verify {
    const struct contest *contest;
    struct verify_file *file; /* in the order in which they were added; owns them */
    unsigned files;
    size_t room;
    unsigned differences;
    uint8_t passed[CONTEST_SETTLED]; /* number of files passed over, by settled dispute */
    bool opened[SIDES];              /* the meeting's entity has spoken in an earlier session */
    bool given_side[SIDES];          /* this session has an entity's journal for the side */
    /* Reports one difference: a file or a session, and a printable line. */
    void (*differs)(void *ctx, const char *where, const char *what);
    void *ctx;
};

/* Counts and reports a difference. */
void verify_differs(struct verify *verify, const char *where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds a file with the name of a journal, a ballot file or a published transcript. BL_NOMEM. */
enum bl_status verify_add(struct verify *verify, const char *path, const char *name, bool published,
                          struct bl_diag *diag);

/* Frees everything that verify_add() has taken. */
void verify_free(struct verify *verify);

/* The next unseen file of that kind and session. NULL: none. */
struct verify_file *verify_next(struct verify *verify, int kind, const char *session);

/* Checks one ballot file. Its contents name the session. */
void verify_ballot(struct verify *verify, struct verify_file *file,
                   const struct ballot_file *ballot);

/* Checks the number of entities' journals of a meeting: one for each line. */
void verify_entities(struct verify *verify, const struct meeting *meeting, const char *session);

/* Compares the first words of a side's entity with those of the rules (2004 A3). False, without a
 * report: the entity has said nothing. */
bool verify_opening(struct verify *verify, const char *path, const struct meeting *meeting,
                    enum side side, const struct history *history);

/* Checks the judge's journal of a meeting against the rules. */
void verify_judge(struct verify *verify, const char *path, const struct meeting *meeting,
                  const struct order_set *set, const struct transcript *transcript,
                  const struct history *history);

/* Compares the entity's journal with the judge's. `damaged`: the number of damaged stretches in the
 * entity's. */
void verify_entity(struct verify *verify, const char *path, const struct order_set *judge,
                   const struct order_set *entity, uint64_t damaged);

/* Writes the publishable part of a judge's journal to *text, which the caller frees. BL_NOMEM. */
enum bl_status verify_publish(const struct contest *contest, const struct transcript *transcript,
                              char **text);

/* Compares a published transcript with the right one, line by line. Text before the conversation,
 * such as a notice, is ignored. Both texts end with NUL. */
void verify_published(struct verify *verify, const char *path, const char *is, const char *must);

#endif
