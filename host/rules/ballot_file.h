/* A judge's ballot file: the session, then one line for each version of the ballot, the newest
 * last. boothlink-ballot(5) describes the format. Pure: reads and writes text.
 *
 * * Lines are appended. A checksum ends each line, so a line cut by a crash or edited by hand is
 * detected. The file names entities by their sides.
 *
 * * If the head names a key, a signature follows each ballot and the seal (ballot_sign.h), and
 * unsigned lines do not count. */
#ifndef RULES_BALLOT_FILE_H
#define RULES_BALLOT_FILE_H

#include "rules/ballot_sign.h"
#include "rules/contest_id.h"
#include "rules/vote.h"

#define BALLOT_SESSION_MAX 40 /* bytes of a session's name, as in session/event.h */
#define BALLOT_RULES_MAX   64 /* bytes of a ruleset's name */
#define BALLOT_LINE_MAX                                                                            \
    6144 /* bytes of a line with its end; a ballot with all fields is the longest */
#define BALLOT_FILE_MAX (16u << 20)

enum ballot_sealing {
    SEALED_WITH_SESSION = 1, /* at the end of the session's plan */
    SEALED_WITH_CONTEST,     /* by the manager's machine */
};

/* A candidate to be ranked. */
struct ballot_item {
    char session[BALLOT_SESSION_MAX + 1];
    uint8_t side; /* 0 left, 1 right */
};

/* The file's first line. */
struct ballot_head {
    char session[BALLOT_SESSION_MAX + 1];
    char rules[BALLOT_RULES_MAX]; /* "loebner-2004" */
    char contest[CONTEST_ID];     /* "": not said */
    struct vote_rules vote;
    enum ballot_sealing sealing;
    struct ballot_item item[VOTE_RANKS_MAX]; /* the first vote.ranks items, for BALLOT_RANKS */
    bool keyed;                              /* the writing machine signs the lines with `key` */
    uint8_t key[BALLOT_KEY];
};

enum ballot_word {
    BALLOT_DRAFT,  /* typed on the form and not given; does not count */
    BALLOT_GIVEN,  /* a ballot, or a correction of the last ballot */
    BALLOT_LATE,   /* a first ballot that was given after the sealing */
    BALLOT_SEALED, /* the last ballot is final; later lines do not count */
    BALLOT_SIGNED, /* the machine's signature of the lines before it */
};

struct ballot_line {
    enum ballot_word word;
    uint64_t at_us; /* time since 1970 UTC, by the clock of the judge's machine */
    bool has_vote;  /* DRAFT: true for a complete vote, false for notes alone. SEALED: false */
    struct vote vote;
};

/* Write a line with its end into `out`. Return the length. */
size_t ballot_head_write(const struct ballot_head *head, char out[BALLOT_LINE_MAX]);
size_t ballot_line_write(const struct ballot_line *line, const struct vote_rules *rules,
                         char out[BALLOT_LINE_MAX]);

/* Writes a line with a signature of the lines before it; `chain` is their chain. */
size_t ballot_signature_write(const struct ballot_signer *signer, const uint8_t chain[BALLOT_CHAIN],
                              uint64_t at_us, char out[BALLOT_LINE_MAX]);

struct ballot_file {
    struct ballot_head head;
    bool given, late, sealed;
    struct vote vote; /* the vote that counts, if given */
    uint64_t given_us, sealed_us;
    unsigned versions; /* number of ballots given, corrections included */
    bool has_draft;    /* `draft` is newer than the last ballot */
    struct ballot_line draft;
    unsigned damaged;            /* ignored lines: invalid ones, and all after the seal */
    size_t good_length;          /* length up to the last line's end, valid or not */
    size_t signed_length;        /* keyed: length up to the last valid signature, or the head */
    uint8_t chain[BALLOT_CHAIN]; /* keyed: the chain of all valid lines */
};

/* Reads a file's text. BL_DATA, with `name` in the message, if the first line is damaged or not a
 * ballot file's. Other invalid lines are ignored and counted. Any input is allowed. */
enum bl_status ballot_file_read(struct ballot_file *file, const char *text, size_t length,
                                const char *name, struct bl_diag *diag);

#endif
