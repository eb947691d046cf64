/* A judge's ballot file: its session, and every version of the ballot, a line each, the newest
 * last. boothlink-ballot(5) describes it. Pure: reads and writes text.
 *
 * Lines are only ever appended. Each ends with a checksum, so a line which a crash has cut, or a
 * hand has changed, is told from a good one. The names of sides are all that it knows of the
 * entities. A file whose head names a key has a signature behind each ballot and the seal
 * (ballot_sign.h); unsigned lines do not count there. */
#ifndef RULES_BALLOT_FILE_H
#define RULES_BALLOT_FILE_H

#include "rules/ballot_sign.h"
#include "rules/vote.h"

#define BALLOT_SESSION_MAX 40   /* bytes of a session's name: session/event.h has the same bound */
#define BALLOT_RULES_MAX   64   /* of a ruleset's name */
#define BALLOT_LINE_MAX    6144 /* of a line, with its end; one with all fields is the longest */
#define BALLOT_FILE_MAX    (16u << 20)

enum ballot_sealing {
    SEALED_WITH_SESSION = 1, /* at the end of the session's plan */
    SEALED_WITH_CONTEST,     /* at the manager's */
};

/* The candidate of a rank. */
struct ballot_item {
    char session[BALLOT_SESSION_MAX + 1];
    uint8_t side; /* 0 left, 1 right */
};

/* The first line. */
struct ballot_head {
    char session[BALLOT_SESSION_MAX + 1];
    char rules[BALLOT_RULES_MAX]; /* "loebner-2004" */
    struct vote_rules vote;
    enum ballot_sealing sealing;
    struct ballot_item item[VOTE_RANKS_MAX]; /* BALLOT_RANKS: vote.ranks of them */
    bool keyed;                              /* the machine that writes it signs, by this key */
    uint8_t key[BALLOT_KEY];
};

enum ballot_word {
    BALLOT_DRAFT,  /* on the form, not given: never counts */
    BALLOT_GIVEN,  /* the ballot, or its correction */
    BALLOT_LATE,   /* the first ballot, given after the moment of sealing */
    BALLOT_SEALED, /* the last ballot stays; no later line counts */
    BALLOT_SIGNED, /* the lines before it are the machine's */
};

struct ballot_line {
    enum ballot_word word;
    uint64_t at_us; /* since 1970 UTC, by the judge's machine */
    bool has_vote;  /* DRAFT: a whole vote; else there are notes alone. SEALED: never */
    struct vote vote;
};

/* Write a line with its end into out; the length. */
size_t ballot_head_write(const struct ballot_head *head, char out[BALLOT_LINE_MAX]);
size_t ballot_line_write(const struct ballot_line *line, const struct vote_rules *rules,
                         char out[BALLOT_LINE_MAX]);

/* The same of a line that signs those before it, of which this is the chain. */
size_t ballot_signature_write(const struct ballot_signer *signer, const uint8_t chain[BALLOT_CHAIN],
                              uint64_t at_us, char out[BALLOT_LINE_MAX]);

/* What a whole file says. */
struct ballot_file {
    struct ballot_head head;
    bool given, late, sealed;
    struct vote vote; /* if given: the one that counts */
    uint64_t given_us, sealed_us;
    unsigned versions; /* number of times that it was given */
    bool has_draft;    /* something stands on the form that was not given since */
    struct ballot_line draft;
    unsigned damaged;            /* lines that are none, or came after the seal */
    size_t good_length;          /* up to the end of the last line that is whole */
    size_t signed_length;        /* keyed: up to the last good signature, or the head */
    uint8_t chain[BALLOT_CHAIN]; /* keyed: of all lines that are whole */
};

/* BL_DATA: its first line is not that of a ballot file, or is damaged; the text names `name`. Other
 * bad lines are left out and counted. Any bytes are safe. */
enum bl_status ballot_file_read(struct ballot_file *file, const char *text, size_t length,
                                const char *name, struct bl_diag *diag);

#endif
